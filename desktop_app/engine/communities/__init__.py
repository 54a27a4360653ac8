"""Communities: updates from the graph, reading, and reports."""
