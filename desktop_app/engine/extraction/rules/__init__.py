"""Extraction of names by rules and taggers, for Latin scripts and for Chinese."""
