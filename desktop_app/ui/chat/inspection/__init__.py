"""The answer inspector: shows how an answer was found."""
