"""Graph mathematics: resolving names, ranking, layout. Arrays and plain data in and out."""
