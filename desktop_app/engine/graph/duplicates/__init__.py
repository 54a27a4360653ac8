"""Likely duplicates: names that may be one entity's, with reasons, for a person to decide."""

from .clustering import cluster
from .company import Companies
from .facts import Cluster, NameFacts, Pair, Reason, TextFacts
from .finding import METHODS, find_pairs

__all__ = [
    "METHODS",
    "Cluster",
    "Companies",
    "NameFacts",
    "Pair",
    "Reason",
    "TextFacts",
    "cluster",
    "find_pairs",
]
