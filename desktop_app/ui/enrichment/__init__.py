"""Enrichment."""
