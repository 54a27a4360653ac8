"""Reading of pictures of pages: recognition, reading order, and the process that does it."""
