"""How an answer was found, shown beside it."""
