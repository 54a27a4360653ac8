"""The Models screen."""
