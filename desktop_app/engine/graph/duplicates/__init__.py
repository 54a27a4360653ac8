"""Likely duplicates: pairs of entities that may be one, with reasons, for the user to decide."""
