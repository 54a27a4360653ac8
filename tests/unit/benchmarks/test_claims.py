"""Tests what `benchmarks.claims` writes down and counts, on an invented answer."""

from __future__ import annotations

import json
from types import SimpleNamespace

from benchmarks.claims import QUOTED, STATED, list_shown, score
from desktop_app.engine.model import Answer, Citation, RetrievalResult, Stage

TEXT = "Ada rowed. Tobias sold clocks. Nobody saw it."


def test_stated_sentences_differ_from_quotations():
    citations = (Citation(1, 1, 1, "Tale", 0, 10, "Ada rowed."),
                 Citation(2, 1, 1, "Tale", 11, 30, "Tobias sold clocks."))  # fmt: skip
    found = RetrievalResult("q", "walk", (), stages=(Stage("answer checked", ("She rowed. 1.2",)),))
    answer = Answer(
        "She rowed [1]. “Tobias sold clocks.” [2] Unmarked. Lost [7].", citations, found
    )
    read = SimpleNamespace(fetch_text=lambda document_id: TEXT)
    shown = list(list_shown(answer, read))
    assert [(one["kind"], one["claim"]) for one in shown] == [
        (STATED, "She rowed"),
        (QUOTED, "“Tobias sold clocks.”"),
    ]
    assert {one["passage"] for one in shown} == {TEXT}


def test_two_quotations_of_one_passage_have_the_places_of_their_own():
    first, second = "Ada rowed.", "Nobody saw it."
    text = f"{first}{' And so on.' * 100} {second}"
    start = text.index(second)
    citations = (Citation(1, 1, 1, "Tale", 0, 10, first),
                 Citation(1, 1, 1, "Tale", start, start + len(second), second))  # fmt: skip
    answer = Answer(
        f"> “{first}” [1]\n\n> “{second}” [1]", citations, RetrievalResult("q", "walk", ())
    )
    shown = list(list_shown(answer, SimpleNamespace(fetch_text=lambda document_id: text)))
    assert [words in one["passage"] for words, one in zip((first, second), shown, strict=True)] == [
        True,
        True,
    ]


def test_shares_are_those_of_each_kind(tmp_path):
    def line(question: str, kind: str, supported: bool, answers: bool) -> str:
        return json.dumps(
            {"question": question, "kind": kind, "supported": supported, "answers": answers}
        )

    judged = tmp_path / "judged.jsonl"
    judged.write_text(
        "\n".join(
            (
                line("a", STATED, True, True),
                line("a", STATED, False, False),
                line("a", QUOTED, True, False),
                line("b", QUOTED, True, False),
            )
        )
    )
    figures = score(judged)
    assert (figures["stated_supported"], figures["quoted_supported"]) == (0.5, 1.0)
    assert (figures["supported"], figures["questions_answered"]) == (0.75, 0.5)
