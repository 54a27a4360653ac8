"""The Chat screen."""
