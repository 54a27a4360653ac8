"""Finding: from a question to passages, names and relations, by one of several modes."""

from .finder import Finder

__all__ = ["Finder"]
