"""Communities of the graph: found, matched with those of before, told apart by words.

Arrays and plain data in, plain data out; knows neither the store nor what is written of them.
"""

from .clustering import (
    CommunityCluster,
    choose_key_words,
    find_hierarchy,
    match_clusters,
    rank_members,
)

__all__ = [
    "CommunityCluster",
    "choose_key_words",
    "find_hierarchy",
    "match_clusters",
    "rank_members",
]
