"""Latin."""
