"""Layouts of the graph: arrays in, positions out. Knows no ids, no database and no window."""
