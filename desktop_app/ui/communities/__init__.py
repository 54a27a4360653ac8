"""The communities screen: the topics of a library as a tree and as a map, with their reports."""
