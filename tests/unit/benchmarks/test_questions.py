"""Tests the files of questions on novels: each has what the benchmark reads."""

from __future__ import annotations

import pytest

from benchmarks.novel_evidence import FILES, PASSAGE_FILES, QUESTIONS, load_questions


@pytest.mark.parametrize("name", [*FILES, *PASSAGE_FILES])
def test_every_question_has_its_evidence(name):
    questions = load_questions(name)
    assert len(questions) >= 60
    assert [q.text for q in questions if not q.text or not (q.anchors or q.places)] == []
    too_short = [a for q in questions for a in (*q.anchors, *q.places) if len(a) < 3]
    assert too_short == [], "an anchor of one or two characters stands everywhere"


def test_every_file_of_questions_has_its_novel():
    files = {path.stem for path in (QUESTIONS / "passages").glob("*.jsonl")}
    assert files == set(PASSAGE_FILES)
