"""The graph derived from evidence and curation: pure, stable, correctable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from desktop_app.engine.graph.derive import (
    Claim,
    Curation,
    EntityEdit,
    HandRelation,
    build_graph,
)
from desktop_app.engine.types import NameCount


@dataclass(frozen=True)
class Group:
    name_ids: tuple[int, ...]
    main_name_id: int
    type: str


def resolve(names: Sequence[NameCount], *, also_called, merged=(), never=()) -> list[Group]:
    """Every name is an entity of its own, but for what is merged by hand."""
    ids = {n.name: n.name_id for n in names}
    home = {n.name_id: n.name_id for n in names}
    for keep, dropped in merged:
        if keep in ids and dropped in ids:
            old = home[ids[dropped]]
            for i in home:
                if home[i] == old:
                    home[i] = home[ids[keep]]
    groups: dict[int, list[int]] = {}
    for i, main in home.items():
        groups.setdefault(main, []).append(i)
    types = {
        n.name_id: max(n.types or {"other": 0}, key=(n.types or {"other": 0}).get) for n in names
    }
    return [Group(tuple(members), main, types[main]) for main, members in groups.items()]


NAMES = [
    NameCount(1, "Scrooge", 30, {"person": 30}, "en", frozenset({1})),
    NameCount(2, "Marley", 9, {"person": 9}, "en", frozenset({1})),
    NameCount(3, "Jacob", 2, {"person": 2}, "en", frozenset({1, 2})),
]
CLAIMS = [
    Claim(10, 1, 2, 1.0, ("partners",)),
    Claim(11, 2, 1, 3.0, ("partners", "dead")),
    Claim(12, 1, 3, 0.5),
    Claim(13, 2, 3, 0.5),
]


NOTHING_DECIDED = Curation()


def derive(curation: Curation = NOTHING_DECIDED, claims=CLAIMS):
    return build_graph(NAMES, {}, claims, curation, resolve)


def test_claims_of_a_pair_are_folded_whatever_their_direction():
    relation = derive().relations[0]
    assert (relation.source_id, relation.target_id, relation.n_evidence) == (1, 2, 2)
    assert relation.best_claim == 11
    assert relation.keywords[0] == "partners"


def test_the_order_of_claims_does_not_matter():
    assert derive(claims=CLAIMS[::-1]) == derive()


def test_merging_redirects_relations_and_drops_loops():
    graph = derive(Curation(merged=(("Marley", "Jacob"),)))
    assert [e.id for e in graph.entities] == [1, 2]
    assert [(r.source_id, r.target_id, r.n_evidence) for r in graph.relations] == [(1, 2, 3)]
    assert graph.entities[1].n_mentions == 11
    assert graph.entities[1].n_documents == 2


def test_what_was_written_over_stays():
    graph = derive(Curation(edits={"Marley": EntityEdit("Jacob Marley", "concept", "A ghost.")}))
    marley = graph.entities[1]
    assert (marley.name, marley.type, marley.description) == ("Jacob Marley", "concept", "A ghost.")
    assert marley.edited and not graph.entities[0].edited


def test_a_deleted_name_takes_its_relations_along():
    graph = derive(Curation(deleted_names=frozenset({"Marley"})))
    assert [e.name for e in graph.entities] == ["Scrooge", "Jacob"]
    assert [(r.source_id, r.target_id) for r in graph.relations] == [(1, 3)]


def test_relations_made_and_deleted_by_hand_hold():
    graph = derive(
        Curation(
            hand_relations=(
                HandRelation("Marley", "Scrooge", deleted=True),
                HandRelation("Jacob", "Scrooge", "He was his first name.", weight=5.0),
            )
        )
    )
    made = {(r.source_id, r.target_id): r for r in graph.relations}
    assert (1, 2) not in made
    assert made[1, 3].description == "He was his first name."
    assert made[1, 3].weight == 5.0


def test_common_names_weigh_less_than_names_seen_only_together():
    claims = [Claim(i, 1, 2, 1.0) for i in range(5)] + [Claim(9, 1, 3, 1.0)]
    claims += [Claim(20 + i, 2, 3, 1.0) for i in range(5)]
    rare = build_graph(NAMES, {}, [*claims[:6]], Curation(), resolve).relations
    assert all(0 < r.weight <= 5 for r in rare)
