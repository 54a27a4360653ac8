"""Likely duplicates: pairs of entities that may be one, with reasons, for the user to decide."""

from .model import DuplicateCluster, NameFacts, Pair, Reason, TextFacts
from .search import METHODS, cluster, find_pairs
from .shared_context import SharedContexts

__all__ = [
    "METHODS",
    "DuplicateCluster",
    "NameFacts",
    "Pair",
    "Reason",
    "SharedContexts",
    "TextFacts",
    "cluster",
    "find_pairs",
]
