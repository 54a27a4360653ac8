"""The Reader screen."""
