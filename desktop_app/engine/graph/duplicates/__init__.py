"""Likely duplicates: pairs of entities that may be one, with reasons, for the user to decide."""

from .model import NameFacts, Pair, PairCluster, Reason, TextFacts
from .search import METHODS, cluster, find_pairs
from .shared_context import SharedContexts

__all__ = [
    "METHODS",
    "NameFacts",
    "Pair",
    "PairCluster",
    "Reason",
    "SharedContexts",
    "TextFacts",
    "cluster",
    "find_pairs",
]
