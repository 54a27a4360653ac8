"""The graph of names."""
