"""Tests the files of questions of an evaluation: formats, wrong files, and their evidence."""

from __future__ import annotations

import json

import pytest

from desktop_app.engine.errors import EnvironmentProblem, UserError
from desktop_app.engine.services.evaluation.model import AnswerEvidence, EvaluationQuestion
from desktop_app.engine.services.evaluation.places import QuestionPlacer
from desktop_app.engine.services.evaluation.question_files import (
    append_question,
    begin_file,
    load_questions,
)
from tests.small_library import TEXT, add

KEPT = "Tobias Quill kept a shop of clocks."
CLOCKS = AnswerEvidence(KEPT, "clocks")
QUESTION = EvaluationQuestion("Who kept a shop?", ("Tobias Quill",), (CLOCKS,), "clocks", "who")


def load(tmp_path, name: str, text: str):
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return load_questions(path)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "own.jsonl",
            '{"question": "Who kept a shop?", "answers": ["Tobias Quill"], "kind": "who",'
            f' "evidence": "{KEPT}", "document": "clocks"}}\n\n',
        ),
        (
            "graphrag.json",  # its fields, as they are
            json.dumps(
                [
                    {
                        "id": "Novel-1",
                        "source": "clocks",
                        "question": "Who kept a shop?",
                        "answer": "Tobias Quill",
                        "question_type": "who",
                        "evidence": [KEPT],
                        "evidence_triple": ["(a, b, c)"],
                    }
                ]
            ),
        ),
        (
            "own.csv",
            "Question;Answer;Type;Evidence;Document\n"
            f'Who kept a shop?;"Tobias Quill";who;{KEPT};clocks\n;;;;\n',
        ),
        (
            "within.json",
            json.dumps(
                {
                    "version": 1,
                    "data": [
                        {
                            "question": "Who  kept\na shop?",
                            "answers": [{"text": "Tobias Quill"}],
                            "kind": "who",
                            "evidence": [{"quote": KEPT, "document": "clocks"}],
                            "document": "clocks",
                        }
                    ],
                }
            ),
        ),
    ],
)
def test_the_same_question_is_read_from_each_format(tmp_path, name, text):
    read = load(tmp_path, name, text)
    assert read.questions == (QUESTION,)
    assert read.notes == ()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("list.json", '["Who is Ada?", "为什么下雨？"]'),
        ("list.txt", "1. Who is Ada?\n\n2、 为什么下雨？\n"),
        (
            "lightrag.txt",
            "- User 1: a reader\n  - Task 1: reading\n    - Question 1: Who is Ada?\n"
            "    - **Question 2:** 为什么下雨？\n",
        ),
        (  # as its prompt shows the form, which models keep
            "brackets.txt",
            "- User 1: [a reader]\n  - Question 1: [Who is Ada?]\n  - Question 2: [为什么下雨？]\n",
        ),
        ("table.tsv", "query\tnote\nWho is Ada?\t\n为什么下雨？\tx\n"),
    ],
)
def test_questions_alone_are_read(tmp_path, name, text):
    read = load(tmp_path, name, text)
    assert [one.text for one in read.questions] == ["Who is Ada?", "为什么下雨？"]
    assert all(one.is_answerable and not one.answers for one in read.questions)


def test_several_answers_and_places_stand_in_one_row(tmp_path):
    text = (
        "question,answers,answer2,document,page,start,end,answerable\n"
        "Who?,Ada | Ada Merrow,A.,clocks,iv,,,yes\nWhere?,,,clocks,,5,9,\nWhen?,,,,,,,no\n"
    )
    who, where, when = load(tmp_path, "q.csv", text).questions
    assert who.answers == ("Ada", "Ada Merrow", "A.")
    assert who.evidence == (AnswerEvidence("", "clocks", "iv"),)
    assert where.evidence == (AnswerEvidence("", "clocks", "", 5, 9),)
    assert not when.is_answerable and where.is_answerable


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("empty.jsonl", " \n", "“empty.jsonl” is empty"),
        ("empty.json", "[]", "“empty.json” is empty"),
        ("q.csv", "asked,answer\nWho?,Ada\n", "no column “question”; it has: “asked”, “answer”"),
        ("q.csv", "question\n", "is empty"),
        ("q.json", '[{"question": "Who?"}, {"answer": "Ada"}]', "question 2: it has no “question”"),
        ("q.json", '[{"question": "Who?"', "can't be read at line 1"),
        ("q.json", "[7]", "question 1: it is no object"),
        ("q.json", '"Who?"', "no list of questions"),
        ("q.jsonl", '{"question": "Who?"}\n{"question\n', "can't be read at line 2"),
        ("q.json", '[{"question": "Who?", "answerable": "maybe"}]', "“maybe” in “answerable”"),
        ("q.json", '[{"question": "Who?", "evidence": [7]}]', "neither a text nor an object"),
        (
            "q.json",
            '[{"question": "Who?", "evidence": [{"page": 3}]}]',
            "has a place, but no “document”",
        ),
        (
            "q.json",
            '[{"question": "Who?", "document": "a", "start": 9, "end": 2}]',
            "ends before it starts",
        ),
        (
            "a.json",
            '[{"question": "Who?", "document": "a", "start": 1e400, "end": 1}]',
            "start and end are no numbers",
        ),
        ("q.json", f'[{{"question": "{"why " * 2000}"}}]', "more than 4,000 characters"),
    ],
)
def test_a_wrong_file_is_refused_with_its_place(tmp_path, name, text, expected):
    with pytest.raises(UserError) as raised:
        load(tmp_path, name, text)
    assert expected in str(raised.value)


def test_a_file_that_is_no_text_or_missing_is_refused(tmp_path):
    (tmp_path / "q.json").write_bytes(bytes(range(256)) * 40)
    for name in ("q.json", "none.json"):
        with pytest.raises(UserError):
            load_questions(tmp_path / name)


def test_unknown_columns_and_doubled_questions_are_named(tmp_path):
    text = '{"question": "Who?", "evidenec": "x"}\n{"question": "Who?"}\n'
    read = load(tmp_path, "q.jsonl", text)
    assert len(read.questions) == 1
    assert [str(note) for note in read.notes] == [
        "These columns are not used: “evidenec”.",
        "Asked once, although written several times: 1.",
    ]


def test_written_questions_are_read_again_and_nothing_is_overwritten(tmp_path):
    path = tmp_path / "new" / "proposed.jsonl"
    begin_file(path)
    placed = EvaluationQuestion("Wo?", ("hier",), (AnswerEvidence("x y", "clocks", "3", 5, 9),))
    for question in (QUESTION, placed, EvaluationQuestion("No?", is_answerable=False)):
        append_question(path, question)
    assert [one.text for one in load_questions(path).questions] == [QUESTION.text, "Wo?", "No?"]
    assert load_questions(path).questions[:2] == (QUESTION, placed)
    with pytest.raises(UserError, match="already exists"):
        begin_file(path)
    with pytest.raises(UserError, match="as JSONL"):
        begin_file(tmp_path / "q.csv")
    with pytest.raises(EnvironmentProblem):
        begin_file(path / "below a file.jsonl")


def test_evidence_becomes_places_and_what_stands_nowhere_a_statement(library, tmp_path):
    clocks = add(library, tmp_path, text=TEXT)
    start = TEXT.index("Ada")
    placer = QuestionPlacer(library.writer)
    asked = [
        EvaluationQuestion("a", evidence=(CLOCKS, AnswerEvidence("Ada Merrow", "clocks.txt"))),
        EvaluationQuestion("b", evidence=(AnswerEvidence("", "Clocks", "", start, start + 3),)),
        EvaluationQuestion(
            "c", evidence=(AnswerEvidence("Ada wound the clocks of Tobias's shop."),)
        ),
        EvaluationQuestion("d", evidence=(AnswerEvidence("", "clocks", "7"),)),
        EvaluationQuestion("e", evidence=(AnswerEvidence("", "clocks", "", 5, 9_999),)),
        EvaluationQuestion("f", document="Missing"),
        EvaluationQuestion("g", document="missing"),
    ]
    placed = placer.place(asked)
    assert [one.asked.text for one in placed.questions] == list("abcde")
    a, b, c, d, e = placed.questions
    [[one], [other]] = [evidence.places for evidence in a.evidence]
    assert (one.document_id, one.start, one.end) == (clocks, 0, len(KEPT))
    assert TEXT[other.start : other.end] == "Ada Merrow"
    assert b.evidence[0].places[0].text == "Ada"
    assert (c.evidence, c.statements) == ((), (asked[2].evidence[0].quote,))
    assert d.evidence == e.evidence == ()
    texts = " ".join(placed.problems)
    assert "no page “7”" in texts and "ends at 9,999" in texts
    assert "2 questions are about “Missing”" in texts
    with pytest.raises(UserError, match="One question is about “Missing”"):
        placer.place(asked[5:6])
