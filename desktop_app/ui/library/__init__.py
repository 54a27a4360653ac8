"""The Library screen."""
