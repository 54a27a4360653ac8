"""Tests building the graph from evidence and curation: pure, stable, corrected by edits."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.engine.graph.builder import (
    CLOSENESS_UNITS,
    DerivedEntity,
    DerivedRelation,
    derive_graph,
    list_given_names,
    merge_claims,
    weigh_relations,
)
from desktop_app.engine.graph.evidence import (
    choose_description,
    hash_fragments,
    join_best,
    list_fragments,
)
from desktop_app.engine.model import (
    Claim,
    Curation,
    EntityEdit,
    Judgement,
    StoredExtraction,
    UserRelation,
)

NAMES = {1: "Scrooge", 2: "Marley", 3: "Jacob"}
MENTIONS = [
    StoredExtraction(90, 90, (1, 0), "en", mentions=((1, "person", 30), (2, "person", 9))),
    StoredExtraction(91, 91, (1, 500), "en", mentions=((3, "person", 1),)),
    StoredExtraction(92, 92, (2, 0), "en", mentions=((3, "person", 1),)),
]
CLAIMS = [
    Claim(10, 1, 2, 1.0, ("partners",)),
    Claim(11, 2, 1, 3.0, ("partners", "dead")),
    Claim(12, 1, 3, 0.5),
    Claim(13, 2, 3, 0.5),
]

NOTHING_DECIDED = Curation()
_next_id = itertools.count(1000)


@dataclass(frozen=True)
class DerivedGraph:
    entities: tuple[DerivedEntity, ...]
    relations: tuple[DerivedRelation, ...]


def derive(curation: Curation = NOTHING_DECIDED, claims=CLAIMS, judged=(), summaries=None):
    stated = StoredExtraction(93, 93, (1, 900), "en", claims=tuple(claims))
    by_user = list_given_names(curation)
    entities, relations = derive_graph(
        (*MENTIONS, stated, *judged),
        NAMES,
        curation,
        (summaries or {}).get,
        {i: text for i, text in NAMES.items() if text in by_user},
    )
    return DerivedGraph(
        tuple(entities[i] for i in sorted(entities)),
        tuple(relations[pair] for pair in sorted(relations)),
    )


def model_extraction(
    *judgements: Judgement, claims: Sequence[Claim] = (), chunk_id: int = 0, start: int = 0
) -> StoredExtraction:
    """Return an extraction of a model for a chunk, by default for a new one."""
    own_id = next(_next_id)
    return StoredExtraction(
        own_id,
        chunk_id or own_id,
        (1, start),
        "en",
        "slots",
        claims=tuple(claims),
        judgements=judgements,
    )


def named(graph: DerivedGraph, name: str):
    return next((e for e in graph.entities if e.name == name), None)


def tie(graph: DerivedGraph, pair: tuple[int, int]):
    return next((r for r in graph.relations if (r.source_id, r.target_id) == pair), None)


def test_claims_of_a_pair_are_merged_in_both_directions():
    relation = derive().relations[0]
    assert (relation.source_id, relation.target_id, relation.n_evidence) == (1, 2, 2)
    assert relation.best_claim == 11
    assert relation.keywords[0] == "partners"


def test_the_order_of_claims_does_not_matter():
    assert derive(claims=CLAIMS[::-1]) == derive()


def test_merging_redirects_relations_and_removes_self_loops():
    graph = derive(Curation(merged=(("Marley", "Jacob"),)))
    assert [e.id for e in graph.entities] == [1, 2]
    assert [(r.source_id, r.target_id, r.n_evidence) for r in graph.relations] == [(1, 2, 3)]
    assert graph.entities[1].n_mentions == 11
    assert graph.entities[1].n_documents == 2


def test_edited_values_are_kept():
    graph = derive(Curation(edits={"Marley": EntityEdit("Jacob Marley", "concept", "A ghost.")}))
    marley = graph.entities[1]
    assert (marley.name, marley.type, marley.description) == ("Jacob Marley", "concept", "A ghost.")
    assert marley.edited and not graph.entities[0].edited


def test_deleting_a_name_deletes_its_relations():
    graph = derive(Curation(deleted_names={"Marley": None}))
    assert [e.name for e in graph.entities] == ["Scrooge", "Jacob"]
    assert [(r.source_id, r.target_id) for r in graph.relations] == [(1, 3)]


def test_relations_added_and_deleted_by_the_user_are_kept():
    graph = derive(
        Curation(
            user_relations=(
                UserRelation("Marley", "Scrooge", deleted=True),
                UserRelation("Jacob", "Scrooge", "He was his first name.", weight=5.0),
            )
        )
    )
    made = {(r.source_id, r.target_id): r for r in graph.relations}
    assert (1, 2) not in made
    assert made[1, 3].description == "He was his first name."
    assert made[1, 3].weight == 5.0


def test_frequent_names_weigh_less_than_names_seen_only_together():
    claims = [Claim(i, 1, 2, 1.0) for i in range(5)] + [Claim(9, 1, 3, 1.0)]
    claims += [Claim(20 + i, 2, 3, 1.0) for i in range(5)]
    common = derive(claims=claims)
    assert tie(common, (1, 3)).weight < 1.0
    assert tie(derive(claims=claims[5:6]), (1, 3)).weight == 1.0


# --- what models say ------------------------------------------------------------------------------


def test_relations_of_a_model_replace_those_of_the_instant_graph():
    graph = derive(
        judged=[model_extraction(claims=[Claim(50, 1, 3, 1.0, kind="family")], chunk_id=93)]
    )
    assert [(r.source_id, r.target_id, r.kind) for r in graph.relations] == [(1, 3, "family")]


def test_a_relation_that_a_model_rejects_changes_no_other_pair():
    carried = [Claim(50 + c.id, c.source_id, c.target_id, c.weight) for c in CLAIMS[:3]]
    graph = derive(judged=[model_extraction(claims=carried, chunk_id=93)])
    assert tie(graph, (2, 3)) is None
    assert tie(graph, (1, 3)).weight == tie(derive(), (1, 3)).weight


def test_a_relation_of_a_model_weighs_more_than_co_occurrence():
    sure = [Claim(50, 1, 3, 0.5, kind="family", confidence=0.9), *CLAIMS[:2], CLAIMS[3]]
    written = [Claim(50, 1, 3, 0.5, description="One is the other."), *CLAIMS[:2], CLAIMS[3]]
    weights = [tie(derive(claims=c), (1, 3)).weight for c in (CLAIMS, written, sure)]
    assert weights == sorted(weights) and len(set(weights)) == 3
    assert weights[2] == pytest.approx(1.9 * weights[0], abs=1e-5)


def test_the_kind_is_the_one_with_most_confidence_and_weight():
    claims = [
        Claim(1, 1, 2, 1.0, kind="enemies", confidence=0.3),
        Claim(2, 1, 2, 1.0, kind="enemies", confidence=0.3),
        Claim(3, 2, 1, 2.0, kind="work", confidence=0.8),
    ]
    relation = tie(derive(claims=claims), (1, 2))
    assert relation.kind == "work"
    assert relation.confidence == pytest.approx(0.8)
    assert relation.best_claim == 3


def test_family_wins_over_the_kind_talk():
    claims = [
        Claim(1, 1, 2, 1.0, kind="family", confidence=0.7),
        Claim(2, 1, 2, 2.0, kind="talk", confidence=0.9),
    ]
    relation = tie(derive(claims=claims), (1, 2))
    assert (relation.kind, relation.best_claim) == ("family", 1)


def test_the_type_that_models_give_most_often_wins():
    once = derive(judged=[model_extraction(Judgement(1, "place", confidence=0.9))])
    assert named(once, "Scrooge").type == "person"
    often = derive(
        judged=[model_extraction(Judgement(1, "place", confidence=0.9)) for _ in range(6)]
    )
    assert named(often, "Scrooge").type == "place"


def test_a_rejected_name_is_removed_with_its_relations():
    graph = derive(judged=[model_extraction(Judgement(3, "none", confidence=0.8))])
    assert named(graph, "Jacob") is None
    assert [(r.source_id, r.target_id) for r in graph.relations] == [(1, 2)]


def test_a_name_accepted_in_another_chunk_is_not_rejected():
    judged = [
        model_extraction(Judgement(3, "none", confidence=0.5)),
        model_extraction(Judgement(3, "person", confidence=0.6)),
    ]
    assert named(derive(judged=judged), "Jacob") is not None


def test_one_rejection_does_not_remove_a_frequent_name():
    many = StoredExtraction(95, 95, (1, 2000), "en", mentions=((1, "person", 400),))
    slip = model_extraction(Judgement(1, "none", confidence=0.9))
    assert named(derive(judged=[many, slip]), "Scrooge") is not None
    assert (
        named(
            derive(judged=[many, *(model_extraction(*slip.judgements) for _ in range(9))]),
            "Scrooge",
        )
        is None
    )


def test_a_name_confirmed_by_the_user_is_never_rejected():
    rejected = model_extraction(Judgement(3, "none", confidence=0.9))
    for curation in (
        Curation(edits={"Jacob": EntityEdit(description="His first name.")}),
        Curation(merged=(("Marley", "Jacob"),)),
        Curation(user_relations=(UserRelation("Jacob", "Scrooge"),)),
    ):
        assert any(3 in e.name_ids for e in derive(curation, judged=[rejected]).entities)


def test_descriptions_are_joined_the_longest_and_the_earliest_first():
    judged = [
        model_extraction(Judgement(1, description="He kept a counting-house."), start=700),
        model_extraction(
            Judgement(1, description="Scrooge was a miser who lived alone in old rooms."), start=300
        ),
        model_extraction(Judgement(1, description="He kept a counting-house."), start=100),
        model_extraction(Judgement(1, description="A ghost warned him twice."), start=50),
    ]
    scrooge = named(derive(judged=judged), "Scrooge")
    assert scrooge.description == (
        "Scrooge was a miser who lived alone in old rooms."
        " A ghost warned him twice. He kept a counting-house."
    )
    assert scrooge.n_enriched == 4
    assert named(derive(judged=judged[::-1]), "Scrooge") == scrooge


def test_near_duplicate_descriptions_are_dropped():
    fragments = list_fragments(
        [((1, 1), "Marley was the partner of Scrooge."), ((1, 2), "Marley, partner of Scrooge")]
    )
    assert join_best(fragments) == "Marley was the partner of Scrooge."


def test_a_joined_description_stays_short():
    fragments = [f"{'word ' * 20}number {i} {'x' * i}." for i in range(40)]
    fragments = list_fragments(
        ((1, i), f"{chr(65 + i % 26) * 5} {f}") for i, f in enumerate(fragments)
    )
    assert 0 < len(join_best(fragments, 600)) <= 600
    assert join_best(()) == ""
    assert join_best(["长" * 900]) == "长" * 600


def test_chinese_fragments_are_joined_without_spaces():
    assert join_best(["鲁达打死了郑屠。", "他后来出家为僧"]) == "鲁达打死了郑屠。他后来出家为僧"


def test_a_summary_is_used_only_for_exactly_its_fragments():
    judged = [
        model_extraction(Judgement(1, description=text))
        for text in ("He is old.", "His clerk is poor.")
    ]
    fragments = ["His clerk is poor.", "He is old."]
    summaries = {hash_fragments(fragments): "An old man with a poor clerk."}
    assert named(derive(judged=judged, summaries=summaries), "Scrooge").description == (
        "An old man with a poor clerk."
    )
    more = [*judged, model_extraction(Judgement(1, description="He repents."))]
    assert "repents" in named(derive(judged=more, summaries=summaries), "Scrooge").description
    assert choose_description(["One."], {hash_fragments(["One."]): "Never taken."}) == "One."


def test_a_description_by_the_user_replaces_all_others():
    judged = [
        model_extraction(Judgement(1, description=text))
        for text in ("He is old.", "His clerk is poor.")
    ]
    summaries = {hash_fragments(["He is old.", "His clerk is poor."]): "A summary."}
    edits = Curation(edits={"Scrooge": EntityEdit(description="Mine.")})
    assert (
        named(derive(edits, judged=judged, summaries=summaries), "Scrooge").description == "Mine."
    )


NUMBERS = st.one_of(st.floats(1e-6, 1e4), st.sampled_from([0.25, 0.5, 1.0, 3.0]))
UNITS = st.integers(0, 10**12)


@given(st.lists(st.tuples(NUMBERS, UNITS, UNITS), min_size=1, max_size=20), UNITS)
def test_weights_of_many_relations_are_those_of_each(rows, total):
    """A step of the total changes weights without reading claims; both ways must agree."""
    shared = np.array([row[0] for row in rows])
    first, second = (np.array([row[i] for row in rows], np.int64) for i in (1, 2))
    weights = weigh_relations(shared, shared, first, second, total)
    unit = 1 / CLOSENESS_UNITS
    for weight, (closeness, a, b) in zip(weights, rows, strict=True):
        claims = [Claim(1, 1, 2, closeness)]
        made = merge_claims((1, 2), claims, {}.get, (a * unit, b * unit, total * unit))
        assert (made.strength, made.closeness, made.weight) == (closeness, closeness, weight)
