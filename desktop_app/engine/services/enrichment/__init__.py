"""Enrichment: reading chunks with a chat model to add descriptions and kinds of relations."""
