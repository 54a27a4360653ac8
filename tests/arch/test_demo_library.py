"""Tests that the questions of the demo are supported by sentences of its texts."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

DEMO = Path(__file__).resolve().parents[2] / "resources" / "demo"
QUESTIONS = tomllib.loads((DEMO / "questions.toml").read_text(encoding="utf-8"))["questions"]


def read_text(file: str) -> str:
    return (DEMO / file).read_text(encoding="utf-8")


def test_there_are_two_questions_per_language_and_one_needs_two_passages():
    for language in ("en", "zh"):
        asked = [question for question in QUESTIONS if question["language"] == language]
        assert sorted(question["joins"] for question in asked) == [False, True]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["id"])
def test_an_anchor_occurs_exactly_once_in_its_text(question):
    text = read_text(question["file"])
    assert question["anchors"]
    for anchor in question["anchors"]:
        assert text.count(anchor) == 1, anchor


@pytest.mark.parametrize(
    "question", [q for q in QUESTIONS if q["joins"]], ids=lambda question: question["id"]
)
def test_a_question_over_two_passages_needs_distant_ones(question):
    text = read_text(question["file"])
    places = [text.index(anchor) for anchor in question["anchors"]]
    assert max(places) - min(places) > 500


def test_the_texts_have_the_size_stated_in_the_readme():
    assert 3_500 < len(read_text("The Weigh-House at Quenby.md").split()) < 4_500
    assert 1_300 < len(read_text("白芦渡铜权记.txt")) < 2_000


def test_two_people_share_a_name_in_each_text():
    english, chinese = read_text("The Weigh-House at Quenby.md"), read_text("白芦渡铜权记.txt")
    assert "There were two Thomas Penhallows" in english
    assert "渡口上有两个赵四" in chinese
