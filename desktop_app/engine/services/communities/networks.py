"""networkx at the edge: communities of any graph in, the library's graph with communities out.

For notebooks and scripts; nothing else of the program speaks networkx here.
"""

from __future__ import annotations

from collections.abc import Hashable

import networkx as nx
import numpy as np

from ...graph.communities import find_hierarchy
from ...store import graph
from ...store.db import Db
from ..exporting import MAX_ROWS, build_networkx
from .reading import CommunityReading


def find_in_networkx(
    made: nx.Graph, *, max_cluster_size: int = 10, weight: str = "weight"
) -> list[tuple[int, int, set[Hashable]]]:
    """Return (level, place of its parent in this list or -1, nodes) of every community.

    Args:
        weight: the attribute of edges that says how strong they are; 1 where it is missing.
    """
    nodes = list(made.nodes)
    row_of = {node: row for row, node in enumerate(nodes)}
    edges = [(row_of[a], row_of[b], w) for a, b, w in made.edges(data=weight, default=1.0)]
    pairs = np.array([(a, b) for a, b, _ in edges], dtype=np.int64).reshape(-1, 2)
    weights = np.array([w for _, _, w in edges], dtype=float)
    found = find_hierarchy(len(nodes), pairs, weights, max_size=max_cluster_size)
    return [(c.level, c.parent, {nodes[row] for row in c.rows.tolist()}) for c in found]


def build_community_graph(db: Db) -> nx.Graph:
    """Return the library's graph; nodes have `community_0`, `community_1` … down to their last."""
    entities = graph.fetch_top_entities(db, MAX_ROWS)
    relations = graph.fetch_top_relations(db, MAX_ROWS)
    made = build_networkx(entities, relations, {})
    level_of = {int(row.id): row.level for row in CommunityReading(db).tree()}
    for entity, community in db.rows("SELECT entity_id, community_id FROM community_member"):
        if entity in made and community in level_of:
            made.nodes[entity][f"community_{level_of[community]}"] = community
    return made
