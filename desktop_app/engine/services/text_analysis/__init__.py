"""Splits texts into chunks and extracts their names, without language model, in child processes."""
