"""Graphs that other programs made: their files as plain data, and their place in our text."""
