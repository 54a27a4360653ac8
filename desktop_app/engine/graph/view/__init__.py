"""Views of the graph as arrays: positions, colours, sizes and filters of nodes and relations."""
