"""Tests that a question in several parts is split where each part is a question."""

from __future__ import annotations

import pytest

from desktop_app.engine.answering.question_parts import MOST_PARTS, split_question


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "Who stole the ring, and when was it found?",
            ["Who stole the ring?", "When was it found?"],
        ),
        ("Who is Jan? When did he die?", ["Who is Jan?", "When did he die?"]),
        ("Why did he go and what happened then?", ["Why did he go?", "What happened then?"]),
        (
            "At which English port did they land, and to what town did they go?",
            ["At which English port did they land?", "To what town did they go?"],
        ),
        (
            "How does it work, how is it set up, and who wrote it?",
            ["How does it work, how is it set up?", "Who wrote it?"],
        ),
        ("渡口的船夫是谁，他有几个儿子？", ["渡口的船夫是谁？", "他有几个儿子？"]),
        (
            "船夫当年被赶走，是因为什么，后来又到了哪里？",
            ["船夫当年被赶走，是因为什么？", "后来又到了哪里？"],
        ),
    ],
)
def test_a_question_is_split_before_each_direct_question(question, parts):
    assert split_question(question) == parts


@pytest.mark.parametrize(
    "question",
    [
        "Who stole the ring?",
        "When and where was he born?",
        "In what year and in which city did he die?",
        "What is the difference between what he said and what he did?",
        "What shows how old and how tired he was?",
        "Who saw the man and knew who he was?",
        "Which ship sailed and why?",
        "What did Ada say about why Rolf left and where Rolf went?",
        "船夫是谁？",
        "他几乎不说话，为什么？",
        "1965年几内亚独立后，首都叫什么？",
        "在什么情况下，渡口会关闭几天？",
        "",
    ],
)
def test_what_is_one_question_stays_whole(question):
    assert split_question(question) == [question]


def test_many_questions_are_not_split():
    many = " ".join(f"Who is number {n}?" for n in range(MOST_PARTS + 1))
    assert split_question(many) == [many]
