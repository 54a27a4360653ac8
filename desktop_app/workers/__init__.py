"""Threads: lanes that run work, operations that screens start."""
