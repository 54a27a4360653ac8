"""One reader for each file format, and what they share."""
