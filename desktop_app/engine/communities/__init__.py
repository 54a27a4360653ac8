"""Communities."""
