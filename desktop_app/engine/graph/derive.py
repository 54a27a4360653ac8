"""The one function that makes the graph out of evidence and curation.

The same evidence and curation give the same entities and relations, whatever was there before
and in whatever order documents came. Knows no database.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .builder import DerivedEntity, GraphBuilder
from .curation import Curation
from .evidence import Extraction
from .name_clusters import ResolveNames
from .relation_merging import DerivedRelation


@dataclass(frozen=True, slots=True)
class DerivedGraph:
    """The whole graph, entities and relations sorted by id."""

    entities: tuple[DerivedEntity, ...]
    relations: tuple[DerivedRelation, ...]


def build_graph(
    evidence: Iterable[Extraction],
    names: Mapping[int, str],
    curation: Curation,
    resolve_names: ResolveNames,
    summaries: Mapping[str, str] | None = None,
) -> DerivedGraph:
    """Return the graph that the evidence and the curation make.

    Args:
        names: every name by id, those that only the person gave as well.
        summaries: texts by `fragments.hash_fragments` of what they sum up.
    """
    growing = GraphBuilder(resolve_names)
    growing.tally.texts.update(names)
    for extraction in evidence:
        growing.tally.add(extraction)
    by_hand = curation.given()
    given = {i: text for i, text in names.items() if text in by_hand}
    growing.update(curation, summaries or {}, given)
    return DerivedGraph(
        tuple(growing.entities[i] for i in sorted(growing.entities)),
        tuple(growing.relations[pair] for pair in sorted(growing.relations)),
    )
