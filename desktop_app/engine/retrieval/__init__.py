"""Retrieval: a question in, ranked passages, entities and relations out. No chat model."""
