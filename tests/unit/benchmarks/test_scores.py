"""Tests the scores of the extraction benchmarks on small invented data."""

from __future__ import annotations

import pytest

from benchmarks.enrich import holds_both
from benchmarks.extraction_gold import join_tokens
from benchmarks.extraction_names import score_names, settle_type
from benchmarks.extraction_scores import (
    ClaimedPair,
    GoldDocument,
    average_precision,
    fold_name,
    judge_pairs,
    precision_at_recall,
    score_pairs,
)
from benchmarks.lightrag_peer import count_answers, read_graph
from benchmarks.sampling import Drawn, count_verdicts, share_right, write_sheet

ANNA, BERN, CLARA, YEAR = range(4)
GOLD = GoldDocument(
    clusters=(
        frozenset({"annaweber", "weber"}),
        frozenset({"bern"}),
        frozenset({"claraweber", "weber"}),
        frozenset({"1903"}),
    ),
    pairs=frozenset({frozenset({ANNA, BERN}), frozenset({ANNA, CLARA})}),
    outside=frozenset({YEAR}),
)


def pair(source: str, target: str, rank: float = 0.0) -> ClaimedPair:
    return ClaimedPair(source, target, (rank,))


@pytest.mark.parametrize(
    ("name", "normalised"),
    [
        ("The Hague", "hague"),
        ("Anna's", "anna"),
        ('Wilfried " Willi " Schneider', "wilfriedwillischneider"),
        ("the", "the"),
        ("鲁智深", "鲁智深"),
    ],
)
def test_a_name_is_the_same_without_article_case_and_marks(name: str, normalised: str) -> None:
    assert fold_name(name) == normalised


def test_a_pair_counts_once_whatever_names_it_is_claimed_under() -> None:
    judged = judge_pairs(GOLD, [pair("Anna Weber", "Bern", 0.2), pair("the BERN", "Weber", 0.9)])
    assert judged == [((0.9,), True)]


def test_a_pair_with_a_name_not_in_the_gold_data_is_wrong() -> None:
    assert judge_pairs(GOLD, [pair("Anna Weber", "Zürich")]) == [((0.0,), False)]


def test_two_names_of_one_entity_and_pairs_with_a_date_are_not_judged() -> None:
    assert judge_pairs(GOLD, [pair("Anna Weber", "Weber"), pair("Bern", "1903")]) == []


def test_an_ambiguous_name_counts_as_the_entity_that_makes_the_pair_right() -> None:
    assert judge_pairs(GOLD, [pair("Weber", "Bern")]) == [((0.0,), True)]
    assert judge_pairs(GOLD, [pair("Clara Weber", "Bern")]) == [((0.0,), False)]


def test_precision_and_recall_are_over_all_pairs_claimed() -> None:
    claimed = [pair("Anna Weber", "Bern"), pair("Clara Weber", "Bern"), pair("Anna Weber", "Ulm")]
    score = score_pairs(judge_pairs(GOLD, claimed), n_gold=2)
    assert (score.n_claimed, score.n_right) == (3, 1)
    assert score.precision == pytest.approx(1 / 3)
    assert score.recall == pytest.approx(1 / 2)
    assert score.figures()["f1"] == 0.4


def test_no_claims_give_a_score_of_zero() -> None:
    assert set(score_pairs([], n_gold=0).figures().values()) == {0}


def test_average_precision_rewards_right_pairs_that_come_first() -> None:
    first = [((0.9,), True), ((0.5,), False), ((0.4,), True)]
    assert average_precision(first, 2) == pytest.approx((1 + 2 / 3) / 2)
    assert average_precision(first, 4) == pytest.approx((1 + 2 / 3) / 4)
    assert average_precision([((0.9,), False), ((0.5,), True)], 1) == pytest.approx(1 / 2)


def test_pairs_of_equal_rank_are_spread_evenly() -> None:
    tied = [((1.0,), True)] + [((1.0,), False)] * 3
    assert average_precision(tied, 1) == pytest.approx(1 / 4)
    assert average_precision(list(reversed(tied)), 1) == pytest.approx(1 / 4)


def test_precision_is_taken_where_a_recall_is_reached() -> None:
    judged = [((0.9,), True), ((0.8,), False), ((0.7,), True), ((0.6,), False)]
    assert precision_at_recall(judged, 2, 0.5) == pytest.approx(1)
    assert precision_at_recall(judged, 2, 1.0) == pytest.approx(2 / 3)
    assert precision_at_recall(judged, 4, 0.9) is None


def test_names_are_counted_by_overlap_and_by_type() -> None:
    gold = [(0, 4, "person"), (10, 14, "place"), (20, 25, "object")]
    found = [(0, 10, "person"), (12, 14, "person"), (30, 34, "place"), (40, 44, "object")]
    score = score_names(gold, found, judged_only=frozenset({"object"}))
    assert (score.n_gold, score.n_found) == (3, 3)
    assert (score.hits, score.covered) == (2, 2)
    assert (score.typed_hits, score.typed_covered) == (1, 1)
    assert (score + score).figures()["recall"] == pytest.approx(2 / 3, abs=1e-4)


def test_a_name_is_rejected_by_a_majority_of_judgements() -> None:
    assert settle_type({"person": 3}, [("none", 0.9), ("person", 0.4)]) == ("none", True)
    assert settle_type({"person": 3}, [("none", 0.4), ("place", 0.9)]) == ("place", False)
    assert settle_type({"person": 3, "place": 1}, [("", 0.0)]) == ("person", False)
    assert settle_type({}, []) == ("other", False)


def test_tokens_are_joined_as_they_would_be_printed() -> None:
    tokens = ["Anna", "(", "born", "in", "Bern", ")", "did", "n't", "say", '"', "no", '"', "."]
    assert join_tokens(tokens) == 'Anna (born in Bern) didn\'t say "no".'


def test_a_quote_contains_both_entities_under_any_of_their_names() -> None:
    quote = "The clerk shut\nthe door; Mr. Scrooge frowned."
    assert holds_both(quote, ["ebenezer", "scrooge"], ["clerk"])
    assert not holds_both(quote, ["scrooge"], ["marley"])


def test_repeated_records_of_lightrag_count_once_and_broken_ones_not() -> None:
    answer = (
        "entity<|#|>Anna<|#|>person<|#|>A girl.\nentity<|#|>ANNA<|#|>person<|#|>The same.\n"
        "entity<|#|>Bern\nrelation<|#|>Anna<|#|>Bern<|#|>lives<|#|>She lives there.\n"
        "relation<|#|>Bern<|#|>Anna<|#|>lives<|#|>Again.\n<|COMPLETE|>"
    )
    assert count_answers([answer]) == {"entities_in_answers": 1, "relations_in_answers": 1}


def test_the_graph_of_lightrag_is_counted_with_its_evidence(tmp_path) -> None:
    path = tmp_path / "graph.graphml"
    path.write_text(
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
        '<key id="d1" for="edge" attr.name="source_id" attr.type="string"/><graph>'
        '<node id="Anna"/><node id="Bern"/><node id="Ulm"/>'
        '<edge source="Anna" target="Bern"><data key="d1">c1&lt;SEP&gt;c2</data></edge>'
        '<edge source="Anna" target="Ulm"><data key="d1">c1</data></edge>'
        "</graph></graphml>",
        encoding="utf-8",
    )
    chunks = {"c1": "Anna left.", "c2": "anna lives in Bern."}
    assert read_graph(path, chunks) == (3, 2, 1)


def test_verdicts_of_a_sheet_are_counted() -> None:
    one = Drawn(
        *("Anna", "Bern", "place", 0.8, "Anna lives in Bern.", "A book"),
        *("…", ("She lives there.",), "…", ("She", "Bern")),
    )
    sheet = write_sheet([one] * 4, "a.inkgraph", seed=7, by="relation")
    assert count_verdicts(sheet) == {"right": 0, "partly": 0, "wrong": 0, "open": 4}
    for verdict in ("right", "Right", "partly"):
        sheet = sheet.replace("verdict: \n", f"verdict: {verdict}\n", 1)
    counts = count_verdicts(sheet)
    assert counts == {"right": 2, "partly": 1, "wrong": 0, "open": 1}
    assert share_right(counts)["share"] == pytest.approx(2 / 3, abs=1e-3)
    assert share_right(counts)["lenient"] == pytest.approx(5 / 6, abs=1e-3)
