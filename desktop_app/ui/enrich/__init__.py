"""Enrichment in the window: the question before it starts, its settings, and tuning."""
