"""Tests the choice of chunks to describe, and splitting of chunks."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.engine.extraction.llm.descriptions import NamePlace, PairPlace, plan_document
from desktop_app.engine.extraction.llm.strategy import find_sentence_cut, merge_halves, split_task
from desktop_app.engine.extraction.llm.tasks import ChunkTask
from desktop_app.engine.model import ChunkEvidence, ClaimedRelation, Mention, NameClaim

PAIR = frozenset(("Anna", "Bela"))


def test_a_name_is_described_in_the_best_chunk_of_each_third():
    weights = [0.1, 0.9, 0.2, 0.3, 0.3, 0.1, 0.0, 0.0, 0.5]
    plan = plan_document([NamePlace("Anna", i * 2, w, 1) for i, w in enumerate(weights)], [])
    assert plan.chosen["Anna"] == {2, 6, 16}
    assert plan.described(2, ["Anna"]) == frozenset()
    assert plan.described(4, ["Anna"]) == {"Anna"}
    assert plan.importance(["Anna", "Bela"]) == {"Anna": 9, "Bela": 0}


def test_pairs_are_chosen_by_their_weight():
    pairs = [PairPlace(PAIR, i, w) for i, w in enumerate([1.0, 2.0, 0.5, 0.5, 3.0, 1.0])]
    assert plan_document([], pairs).chosen[PAIR] == {1, 2, 4}


@given(
    st.lists(
        st.tuples(st.sampled_from("ABC"), st.integers(0, 30), st.floats(0, 1), st.integers(1, 5)),
        unique_by=lambda p: p[:2],
    ),
    st.randoms(),
)
def test_the_plan_does_not_depend_on_the_order_of_rows(rows, random):
    places = [NamePlace(*row) for row in rows]
    plan = plan_document(places, [])
    random.shuffle(places)
    assert plan_document(places, []).chosen == plan.chosen
    assert all(1 <= len(chosen) <= 3 for chosen in plan.chosen.values())


def make_task(text: str) -> ChunkTask:
    mentions = tuple(
        Mention(name, "person", 100 + at, 100 + at + len(name), 100, 100 + len(text))
        for name in ("Anna", "Bela", "Cora")
        if (at := text.find(name)) >= 0
    )
    relations = (
        ClaimedRelation("Anna", "Bela", 100, 140, 2.0),
        ClaimedRelation("Bela", "Cora", 100, 200, 1.0),
    )
    return ChunkTask(1, 4, 100, text, "en", "T", mentions=mentions, relations=relations)


TEXT = "Anna told Bela everything that she knew of it. Then Cora came, and nobody said a word more."


def test_halves_rejoin_to_the_chunk_and_share_its_names():
    first, last = split_task(make_task(TEXT), 47)
    assert first.text + last.text == TEXT
    assert (first.start, last.start) == (100, 147)
    assert [m.name for m in first.mentions] == ["Anna", "Bela"]
    assert [m.name for m in last.mentions] == ["Cora"]
    assert [r.target for r in first.relations] == ["Bela"]
    assert last.relations == ()


def test_a_chunk_is_split_near_its_middle_at_a_sentence():
    assert find_sentence_cut(100, [(0, 45), (45, 60), (60, 100)]) == 45
    assert find_sentence_cut(100, [(0, 20), (20, 100)]) is None
    assert find_sentence_cut(10, [(0, 10)]) is None


def test_evidence_of_halves_is_combined():
    task = make_task(TEXT)
    halves = split_task(task, 47)
    kept = ClaimedRelation("Anna", "Bela", 100, 140, 2.0, "Anna confides in Bela.", kind="friends")
    weak = ClaimedRelation("Bela", "Anna", 150, 160, 5.0)
    found = (
        ChunkEvidence(4, (), (kept,), names=(NameClaim("Anna", "person", "A friend.", 0.6),)),
        ChunkEvidence(4, (), (weak,), names=(NameClaim("Anna", "place", "", 0.4),)),
    )
    whole = merge_halves(task, halves, found)
    assert [(r.source, r.target, r.description) for r in whole.relations] == [
        ("Anna", "Bela", "Anna confides in Bela."),
        ("Bela", "Cora", ""),
    ]
    assert whole.relations[0].weight == 5.0
    assert whole.names == (NameClaim("Anna", "person", "A friend.", 0.6),)


def test_a_relation_that_one_half_rejected_stays_rejected():
    task = make_task(TEXT)
    halves = split_task(task, 47)
    whole = merge_halves(task, halves, (ChunkEvidence(4, (), ()), ChunkEvidence(4, (), ())))
    assert [(r.source, r.target) for r in whole.relations] == [("Bela", "Cora")]
