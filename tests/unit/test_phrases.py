"""Phrases that state the relation of two names."""

from __future__ import annotations

import pytest

from desktop_app.engine.extraction.llm.relation_kinds import (
    KIND_SETS,
    PairContext,
    find_stated_kind,
    score_kinds,
)

PERSON = {"person": 1.0}


@pytest.mark.parametrize(
    ("text", "a", "b", "kind"),
    [
        ("Then came Orrin's wife Tilda.", "Orrin", "Tilda", "family"),
        ("Tilda, the younger sister of Orrin, wept.", "Orrin", "Tilda", "family"),
        ("Up rose Mrs. Vale, Vale's wife.", "Vale", "Mrs. Vale", "family"),
        ("Orrin and his clerk Peake left.", "Peake", "Orrin", "work"),
        ("Tilda was a friend of Peake.", "Peake", "Tilda", "friend"),
        ("Orrin and Tilda were old enemies.", "Orrin", "Tilda", "enemy"),
        ("袁绍之弟袁术起兵。", "袁绍", "袁术", "family"),
        ("鸳鸯，贾母的丫头，来了。", "贾母", "鸳鸯", "work"),
        ("孙悟空是唐僧的徒弟。", "唐僧", "孙悟空", "work"),
    ],
)
def test_a_phrase_tells_the_kind_whichever_name_comes_first(text, a, b, kind):
    language = "zh" if "。" in text else "en"
    assert find_stated_kind(text, a, b, language) == kind
    assert find_stated_kind(text, b, a, language) == kind


@pytest.mark.parametrize(
    "text",
    [
        "There were Orrins and Tildas, Peake's daughters, and a wife.",
        "Orrin saw Tilda and the wife of the smith.",
        "Orrin's wife saw the house where Tilda lived.",
    ],
)
def test_a_word_of_kin_near_two_names_is_no_phrase(text):
    assert find_stated_kind(text, "Orrin", "Tilda", "en") is None
    assert find_stated_kind(text, "Tildas", "Peake", "en") is None


def weigh(text, a, b):
    place = PairContext(text, a, b, frozenset(), (PERSON, PERSON))
    kinds = KIND_SETS["story"]
    found = score_kinds(kinds, [-2.0] * len(kinds), place, "en")
    return {kind.key: p for kind, p in zip(kinds, found, strict=True)}


def test_a_phrase_settles_what_the_model_leaves_open():
    assert weigh("Orrin's wife Tilda spoke to him.", "Orrin", "Tilda")["family"] > 0.8


def test_a_name_in_another_is_hardly_somebody_else():
    text = "Bob Peake said so, and Peake went home."
    apart = weigh(text.replace("and Peake", "and Vale"), "Bob Peake", "Vale")
    assert weigh(text, "Bob Peake", "Peake")["same"] > 5 * apart["same"]
    described = weigh("Mrs. Peake, Peake's wife, said so.", "Mrs. Peake", "Peake")
    assert described["family"] > described["same"]
