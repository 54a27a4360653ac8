"""The view of PDF pages."""
