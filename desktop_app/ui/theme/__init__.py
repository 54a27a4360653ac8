"""Colours, type, spacing, icons and the style sheet."""
