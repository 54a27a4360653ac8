"""Communities: the themes of a library as a tree and as a map, with the report on each."""
