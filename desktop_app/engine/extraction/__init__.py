"""Extraction."""
