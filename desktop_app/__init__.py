"""Inkgraph: a desktop program that turns books into a knowledge graph, offline."""

__version__ = "0.1.0"
