"""The engine: documents in, a graph and answers out. No Qt anywhere below this package."""
