"""Community detection: hierarchical clustering, matching with earlier communities, key words.

Arrays and plain data in and out; knows neither the store nor reports.
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
