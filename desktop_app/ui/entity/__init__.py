"""The Entity screen."""
