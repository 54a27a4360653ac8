"""Tests runs of evaluations: what is asked, kept, judged, proposed, compared and exported."""

from __future__ import annotations

import csv
import io
import json
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from desktop_app.cli import evaluate, run_command
from desktop_app.engine.answering.citations import NOT_IN_READ
from desktop_app.engine.errors import EnvironmentProblem, UserError
from desktop_app.engine.llm.registry import ModelRegistry
from desktop_app.engine.messages import Message
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.prompt_program import Choice, Choose, Written
from desktop_app.engine.services.evaluation.drafts import EvaluationDraft, load_draft, save_draft
from desktop_app.engine.services.evaluation.estimates import (
    SEARCH_S,
    SECONDS_PER_BYTE,
    THEME_FACTOR,
    estimate_time,
)
from desktop_app.engine.services.evaluation.exporting import export_run
from desktop_app.engine.services.evaluation.judging import CRITERIA, Judge, decide
from desktop_app.engine.services.evaluation.model import (
    AnswerEvidence,
    EvaluationColumn,
    EvaluationPlan,
    EvaluationQuestion,
    EvaluationRun,
    Outcome,
    Result,
)
from desktop_app.engine.services.evaluation.places import QuestionPlacer
from desktop_app.engine.services.evaluation.proposals import (
    QuestionPassage,
    check_proposal,
    propose_questions,
    spread,
)
from desktop_app.engine.services.evaluation.service import (
    EvaluationService,
    delete_run,
    get_run,
    list_runs,
)
from desktop_app.engine.services.evaluation.statistics import count_wins
from desktop_app.engine.services.evaluation.summaries import is_wrong, summarise_run
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.engine.store.enrichment import store_setting
from tests.fakes import ScriptedChatModel, reply_alike
from tests.small_library import add, row_of

QUESTIONS = (
    EvaluationQuestion(
        "Who kept a shop of clocks?",
        ("Tobias Quill",),
        (AnswerEvidence("Tobias Quill kept a shop of clocks."),),
    ),
    EvaluationQuestion(
        "Who wound the clocks?", ("Ada Merrow",), (AnswerEvidence("Ada wound all."),)
    ),
    EvaluationQuestion("Which dragon burned Rotterdam?", is_answerable=False),
)
WALK, WORDS = EvaluationColumn("walk", "scripted"), EvaluationColumn("words", "scripted")
FOUND = EvaluationColumn("words")


@pytest.fixture
def read(library, tmp_path):
    add(library, tmp_path)
    return library


class Examination:
    """A service over a library with one scripted model, and what was asked through it."""

    def __init__(self, library, model: ScriptedChatModel) -> None:
        self.model, self.borrowed, self.steps = model, [], []
        self.db = library.writer
        self.placed = QuestionPlacer(self.db).place(QUESTIONS).questions

        @contextmanager
        def borrow(name: str):
            self.borrowed.append(name)
            yield model

        self.service = EvaluationService(self.db, lambda: None, lambda: None, borrow)

    def run(self, *columns: EvaluationColumn, stop_after: int = 0, **settings):
        cancel, again = CancelToken(), settings.pop("again", False)
        self.steps = []

        def note(progress) -> None:
            self.steps.append((progress.column, progress.question))
            if stop_after and len(self.steps) > stop_after:
                cancel.cancel()

        plan = EvaluationPlan(QUESTIONS, columns, settings, {"inkgraph": "1"}, "q.jsonl")
        return self.service.run(plan, self.placed, again=again, cancel=cancel, on_progress=note)


@pytest.fixture
def examination(read):
    return Examination(read, ScriptedChatModel(["Tobias Quill kept a shop of clocks [1]."]))


def test_a_run_measures_every_question_in_every_column(examination):
    run = examination.run(WALK, FOUND)
    assert run.is_finished and len(run.results) == 6
    assert examination.borrowed == ["scripted"]  # the column without a model borrows none
    assert run.values(0, "evidence_recall") == {0: 1.0}
    assert run.values(0, "statement_words") == {1: pytest.approx(2 / 3, abs=0.001)}
    assert run.values(1, "answered") == {0: 1.0, 1: 1.0}
    assert set(run.values(0, "refused")) == set(run.values(1, "refused")) == {2}
    assert run.values(0, "answer_shown")[0] == 1.0
    assert run.values(1, "f1") == {}
    assert get_run(examination.db, run.id) == run
    [row] = list_runs(examination.db)
    assert (row.n_questions, row.n_done, row.n_all, row.columns) == (3, 6, 6, (WALK, FOUND))


def test_a_stopped_run_goes_on_and_nothing_is_asked_twice(examination):
    run = examination.run(WALK, WORDS, stop_after=2)
    assert not run.is_finished and len(run.results) == 2
    more = examination.run(WALK, WORDS)
    assert more.id == run.id and more.is_finished and len(more.results) == 6
    assert more.results[:2] == run.results
    assert len(examination.steps) == 4
    assert examination.run(WALK, WORDS).id == run.id and not examination.steps
    # one more column is a new run, which takes over what is known
    other = examination.run(WORDS, FOUND)
    assert other.id != run.id and len(examination.steps) == 3
    assert [one.asked_at for one in other.results[:3]] == [one.asked_at for one in more.results[3:]]


def test_other_settings_another_state_and_again_are_asked_anew(examination, read, tmp_path):
    first = examination.run(FOUND)
    examination.run(FOUND, chunk_top_k=1)
    assert len(examination.steps) == 3
    again = examination.run(FOUND, again=True)
    assert again.id > first.id and len(examination.steps) == 3
    add(read, tmp_path, "more.txt", "Edmund Marsh had a watch.\n")
    examination.run(FOUND)
    assert len(examination.steps) == 3


def test_a_new_gold_answer_is_measured_without_asking(examination):
    examination.run(FOUND)
    other = EvaluationQuestion(QUESTIONS[0].text, ("nobody else",))
    placed = QuestionPlacer(examination.db).place([other]).questions
    plan = EvaluationPlan((other,), (FOUND,), {}, {"inkgraph": "1"})
    run = examination.service.run(plan, placed)
    assert run.values(0, "answer_in_prompt") == {0: 0.0}
    assert run.values(0, "evidence_recall") == {}


def test_a_known_answer_is_measured_by_what_counts_as_a_refusal_now(examination):
    first = examination.run(WALK)
    with examination.db.transaction():  # as an older version stored it
        examination.db._execute(
            "UPDATE evaluation_answer SET outcome = json_set(outcome, '$.text', ?)",
            (f"{NOT_IN_READ['en']}\n\n> “Ada wound all.” [1]",),
        )
    examination.steps.clear()
    later = examination.run(WALK, FOUND)
    assert later.id != first.id and len(examination.steps) == 3  # only the new column is asked
    assert later.values(0, "answered") == {0: 0.0, 1: 0.0}
    assert later.values(0, "refused") == {2: 1.0}
    assert not any(one.outcome.sourced for one in later.results)  # no judge reads a refusal


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ([], "There is no mode to ask with"),
        ([EvaluationColumn("wolk", "scripted")], "There is no mode “wolk”"),
        ([EvaluationColumn("drift")], "needs a chat model"),
        ([EvaluationColumn("bypass")], "needs a chat model"),
    ],
)
def test_wrong_columns_ask_nothing(examination, columns, expected):
    with pytest.raises(UserError, match=expected):
        examination.run(*columns)
    assert list_runs(examination.db) == []


def test_a_question_that_fails_is_named_and_the_others_are_asked(read):
    examination = Examination(read, ScriptedChatModel(n_ctx=20))
    run = examination.run(EvaluationColumn("bypass", "scripted"))
    assert run.is_finished and all("too long" in one.outcome.error for one in run.results)
    assert all(not one.measures for one in run.results)
    examination.model.n_ctx = 8192
    assert (
        not examination.run(EvaluationColumn("bypass", "scripted"), again=True)
        .results[0]
        .outcome.error
    )


def test_a_model_that_dies_keeps_what_was_answered(read):
    examination = Examination(read, ScriptedChatModel(["Ada Merrow [1]."]))
    answer, n_asked = examination.model.stream, []

    def die(*args, **kwargs):
        n_asked.append(1)
        if len(n_asked) > 1:
            raise EnvironmentProblem("The model ended.")
        return answer(*args, **kwargs)

    examination.model.stream = die
    with pytest.raises(EnvironmentProblem):
        examination.run(EvaluationColumn("bypass", "scripted"))
    [row] = list_runs(examination.db)
    assert (row.n_done, row.is_finished) == (1, False)


def prefer(better: str):
    """Return a reply that prefers the answer with a word, whichever letter it has."""

    def reply(script, ask, line):
        text = script.messages[-1].text
        if isinstance(ask, Choose) and "Answer A:" in text:
            first = text.split("Answer B:")[0]
            return Choice((0.0, -1.0) if better in first else (-1.0, 0.0))
        return reply_alike(script, ask, line)

    return reply


def test_two_columns_are_judged_in_both_orders_and_disagreement_is_a_tie(read):
    examination = Examination(read, ScriptedChatModel(["Ada sold clocks. It rained."]))
    plain, other = EvaluationColumn("bypass", "scripted"), EvaluationColumn("bypass", "second")
    examination.run(plain)
    examination.model.answers = ["Tobias repaired watches in his shop."]
    run = examination.run(plain, other)
    judge = ScriptedChatModel(reply=prefer("repaired"))
    judged = Judge(examination.db, judge, "judge").judge(run)
    rates = count_wins(judged, 1, 0, "judge")
    assert [(r.criterion, r.n_wins, r.n_losses, r.n_ties) for r in rates] == [
        (criterion, 3, 0, 0) for criterion in CRITERIA
    ]
    assert count_wins(judged, 0, 1, "judge")[0].n_losses == 3
    n_asked = len(judge.script_lines)
    assert n_asked == 3 * 2 * 4  # questions, orders, criteria
    Judge(examination.db, judge, "judge").judge(judged)
    assert len(judge.script_lines) == n_asked  # nothing is judged twice
    always_first = ScriptedChatModel(
        name="first", reply=lambda script, ask, line: Choice((0.0, -1.0))
    )
    tied = Judge(examination.db, always_first, "first").judge(judged)
    assert {(r.n_wins, r.n_ties) for r in count_wins(tied, 0, 1, "first")} == {(0, 3)}
    small = Judge(examination.db, always_first, "first").warning
    assert small is not None and "weak judge" in small


def test_equal_answers_are_a_tie_that_no_judge_is_asked_about(read):
    examination = Examination(read, ScriptedChatModel(["Ada sold clocks. It rained."]))
    same = EvaluationColumn("bypass", "scripted"), EvaluationColumn("bypass", "second")
    run = examination.run(*same)
    judge = ScriptedChatModel(reply=lambda script, ask, line: Choice((0.0, -1.0)))
    judged = Judge(examination.db, judge, "judge").judge(run)
    assert [(r.n_wins, r.n_losses, r.n_ties) for r in count_wins(judged, 0, 1, "judge")] == [
        (0, 0, 3)
    ] * len(CRITERIA)
    assert not judge.script_lines


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ((0.0, -1.0), (-1.0, 0.0), 1.0),  # the same answer in both orders
        ((-1.0, 0.0), (0.0, -1.0), -1.0),
        ((0.0, -1.0), (0.0, -1.0), 0.0),  # always the first one
        ((-1.0, -1.0), (-1.0, -1.0), 0.0),  # neither is more probable
        ((-1.0, -1.0), (0.0, -1.0), 0.0),
    ],
)
def test_an_answer_wins_only_if_it_is_preferred_in_both_orders(first, second, expected):
    assert decide(Choice(first), Choice(second)) == expected


def test_stated_sentences_are_checked_by_the_judge_and_stopping_keeps_them(examination):
    run = examination.run(WALK)
    n_sourced = sum(bool(one.outcome.sourced) for one in run.results)
    assert n_sourced
    doubting = ScriptedChatModel(
        reply=lambda script, ask, line: Choice((0.0, -2.0) if "A. The passage" in
                                               script.text + script.messages[-1].text
                                               else (-2.0, 0.0))
    )  # fmt: skip
    cancel = CancelToken()
    cancel.cancel()
    assert Judge(examination.db, doubting, "d").judge(run, cancel=cancel).judgements == ()
    judged = Judge(examination.db, doubting, "d").judge(run)
    assert set(judged.values(0, "faithfulness").values()) == {0.0}
    believing = Judge(examination.db, ScriptedChatModel(), "b").judge(judged)
    assert len(believing.judgements) == 2 * n_sourced
    with pytest.raises(UserError, match="no answer of a chat model"):
        Judge(examination.db, doubting, "d").judge(examination.run(FOUND))


STORY = "\n\n".join(
    f"In the {n}th year Captain Elias Thorn sailed the brig Morning Star from Port {name} to the "
    f"islands. His mate, old Barnaby {name}son, counted {n} barrels of oil below the deck. Nobody "
    "spoke of the storm that had taken the other ships, and the crew sang until the evening came. "
    "The cook boiled fish for everybody."
    for n, name in enumerate(("Hale", "Wick", "Marsh", "Crowe", "Dunn", "Peel"), 4)
)


def write_pairs(question: str, answer: str):
    def reply(script, ask, line):
        if isinstance(ask, Choose):
            return reply_alike(script, ask, line)
        return Written(question if line.startswith("Question:") and "\n" not in line else answer)

    return reply


def test_only_questions_whose_answer_stands_in_the_passage_are_kept(library, tmp_path):
    for name in ("a.txt", "b.txt"):  # without names
        add(library, tmp_path, name, STORY.replace("Elias", name[0] * 5).lower())
    kept = []
    model = ScriptedChatModel(
        reply=write_pairs("What did the captain sail to the islands?", "the brig Morning Star")
    )
    found = propose_questions(library.writer, model, 1, on_question=kept.append)
    assert found.questions == kept and len(kept) == 1
    [question] = kept
    assert question.answers == ("the brig morning star",)
    [evidence] = question.evidence
    text = LibraryReader(library.writer).fetch_text(1)[evidence.start : evidence.end]
    assert text.startswith("in the") and "brig morning star" in text
    assert not QuestionPlacer(library.writer).place(kept).problems
    absent = ScriptedChatModel(
        name="absent",
        reply=write_pairs("What did the captain sail to the islands?", "Evening Moon"),
    )
    found = propose_questions(library.writer, absent, 2)
    assert not found.questions and found.rejected == {"absent": found.n_read}
    with pytest.raises(UserError, match="can't be proposed"):
        propose_questions(library.writer, model, 0)


def test_a_name_of_the_passage_is_the_answer_and_the_model_writes_the_question(library, tmp_path):
    add(library, tmp_path, "a.txt", STORY)
    asked = []

    def reply(script, ask, line):
        if isinstance(ask, Choose):
            return reply_alike(script, ask, line)
        asked.append(line)
        return Written("Who sang on the ship until the evening came?")

    [question] = propose_questions(library.writer, ScriptedChatModel(reply=reply), 1).questions
    [answer] = question.answers
    assert asked[0].startswith(f"Answer: {answer}\n") and STORY.count(answer) >= 1
    assert answer in question.evidence[0].quote


def test_without_a_model_a_sentence_with_a_missing_name_is_asked_about(library, tmp_path):
    add(library, tmp_path, "a.txt", STORY)
    [question] = propose_questions(library.writer, None, 1).questions
    [answer], [evidence] = question.answers, question.evidence
    text = LibraryReader(library.writer).fetch_text(1)[evidence.start : evidence.end]
    shown = " ".join(text.split())
    assert shown == evidence.quote and text.count(answer) == 1
    assert shown.replace(answer, "____") in question.text and answer not in question.text
    assert not QuestionPlacer(library.writer).place([question]).problems


def test_a_sentence_that_says_little_beside_the_name_is_not_asked_about(library, tmp_path):
    short = " ".join(f"“Yes,” said {name}." for name in ("Hale", "Wick", "Marsh", "Crowe", "Dunn"))
    add(library, tmp_path, "a.txt", f"{short} {short.replace('Yes', 'No')} " * 3)
    found = propose_questions(library.writer, None, 1)
    assert not found.questions and found.rejected == {"bare": found.n_read}


def test_a_library_without_passages_proposes_nothing(library):
    with pytest.raises(UserError, match="no passage to ask about"):
        propose_questions(library.writer, ScriptedChatModel(), 3)


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        ("Which ship did Captain Thorn sail", "brig", "form"),
        ("Which ship did Captain Thorn sail?", "", "form"),
        ("Which ship did Captain Thorn sail?", "one two three four five six seven eight n", "long"),
        ("Which ship did Captain Thorn sail?", "Evening Star", "absent"),
        ("Did Captain Thorn sail the brig?", "the brig", "asked"),
        ("What does the passage say of Captain Thorn's brig?", "Morning Star", "points"),
        ("What did he count below the deck?", "barrels", "points"),
        ("Who is Wilhelmina?", "Barnaby", "points"),
    ],
)
def test_questions_that_need_their_passage_are_not_kept(read, question, answer, reason):
    draft = QuestionPassage(row_of(read, 1), 0, STORY)
    assert check_proposal(draft, question, answer) == reason


def test_places_are_spread_from_the_middle():
    assert spread(0) == []
    assert spread(8)[:3] == [4, 2, 6]
    assert sorted(spread(13)) == list(range(13))


def test_a_run_is_exported_and_cells_are_no_formulas(examination, tmp_path):
    run = examination.run(WALK, FOUND)
    export_run(run, tmp_path / "run.json")
    data = json.loads((tmp_path / "run.json").read_text("utf-8"))
    assert data["columns"][0]["measures"]["evidence_recall"]["value"] == 1.0
    assert len(data["answers"]) == 6 and data["versions"] == {"inkgraph": "1"}
    examination.model.answers = ["=1+1"]
    run = examination.run(EvaluationColumn("bypass", "scripted"))
    export_run(run, tmp_path / "run.csv")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "run.csv").read_text("utf-8-sig"))))
    assert [row["mode"] for row in rows] == ["bypass"] * 3
    assert rows[0]["answer"].startswith("'=1+1") and rows[2]["answerable"] == "no"
    with pytest.raises(UserError, match="no ending"):
        export_run(run, tmp_path / "run.txt")


def test_a_page_for_reading_has_the_table_and_nothing_that_a_viewer_loads(examination, tmp_path):
    examination.model.answers = [
        "Tobias Quill ![x](http://x.example/a.png) kept | <img src=x> clocks."
    ]
    run = examination.run(WALK, FOUND)
    export_run(run, tmp_path / "run.md")
    page = (tmp_path / "run.md").read_text("utf-8")
    assert page.startswith(f"# Evaluation {run.id}: q.jsonl\n")
    assert "| Evidence in the passages | 1.00 (1.00–1.00; 1) | 1.00 (1.00–1.00; 1) |" in page
    assert "## 1. Who kept a shop of clocks?" in page and "Expected: Tobias Quill" in page
    assert "Expected: no answer" in page and "- words (right):" in page
    assert "![" not in page and "<img" not in page


@pytest.mark.parametrize(
    ("values", "best"),
    [
        (([1] * 6, [0] * 6), 0),
        (([0] * 6, [1] * 6), 1),
        (([1] * 5, [0] * 5), None),  # five of five may be chance
        (([1] * 6, [0] * 6, [1] * 6), None),  # better than one of two
        (([1] * 12, [0] * 12, [1] * 6 + [0] * 6), 0),
        (([1] * 6,), None),
        (([1] * 6, []), None),
    ],
)
def test_the_best_column_beats_each_other_one_and_hardly_by_chance(values, best):
    questions = tuple(EvaluationQuestion(f"{n}?") for n in range(12))
    columns = tuple(EvaluationColumn("walk", f"m{n}") for n in range(len(values)))
    results = tuple(
        Result(column, number, Outcome(), {"f1": float(value)})
        for column, of_column in enumerate(values)
        for number, value in enumerate(of_column)
    )
    run = EvaluationRun(1, 0.0, True, EvaluationPlan(questions, columns), results)
    [row] = summarise_run(run).rows
    assert row.best == best


@pytest.mark.parametrize(
    ("measures", "wrong"),
    [
        ({"answered": 1.0, "answer_shown": 0.5}, False),
        ({"answered": 1.0, "answer_shown": 0.4}, True),
        ({"answered": 0.0, "answer_shown": 1.0}, True),
        ({"refused": 1.0}, False),
        ({"refused": 0.0}, True),
        ({"answer_in_prompt": 0.4, "evidence_in_prompt": 1.0}, True),
        ({"seconds": 2.0}, False),
    ],
)
def test_what_is_wrong_is_a_matter_of_refusals_and_known_answers(measures, wrong):
    assert is_wrong(Result(0, 0, Outcome(), measures)) == wrong


def test_an_answer_that_failed_is_wrong():
    assert is_wrong(Result(0, 0, Outcome(error=Message("It failed.")), {}))


def test_a_draft_is_kept_and_a_damaged_one_is_empty(library):
    draft = EvaluationDraft(QUESTIONS, "q.csv", ("mix",), ("", "m"), 500)
    assert load_draft(library.writer) == EvaluationDraft()
    save_draft(library.writer, draft)
    assert load_draft(library.writer) == draft
    with library.writer.transaction():
        store_setting(library.writer, "evaluation_draft", '{"questions": [{"text": 3}]}')
    assert load_draft(library.writer) == EvaluationDraft()


def test_the_time_is_estimated_from_earlier_answers_or_the_size_of_the_model():
    known = {EvaluationColumn("walk", "m"): 4.0}
    walk, mix, drift = (EvaluationColumn(mode, "m") for mode in ("walk", "mix", "drift"))
    found = estimate_time([walk, FOUND], 10, known, {"m": 10})
    assert found.seconds == pytest.approx(10 * (4.0 + SEARCH_S)) and found.is_measured
    found = estimate_time([mix, drift], 10, known, {"m": 10})
    assert found.seconds == pytest.approx(10 * (4.0 + 4.0 * THEME_FACTOR)) and not found.is_measured
    bytes_of = {"n": 2_000_000_000, "remote": 0}
    found = estimate_time([EvaluationColumn("walk", n) for n in bytes_of], 1, {}, bytes_of)
    assert found.seconds == pytest.approx(2e9 * SECONDS_PER_BYTE) and found.unknown == ("remote",)


def test_a_deleted_run_is_gone_with_its_answers(examination):
    run = examination.run(FOUND)
    delete_run(examination.db, run.id)
    assert examination.db.value("SELECT count(*) FROM evaluation_answer") == 0
    with pytest.raises(UserError, match="There is no evaluation"):
        delete_run(examination.db, run.id)


# --- the command ---------------------------------------------------------------------------------


@pytest.fixture
def command(tmp_path, library, monkeypatch, capsys):
    """Return a function that runs `inkgraph evaluate` on a library without installed models."""
    add(library, tmp_path)
    path = library.path
    library.close()
    file = tmp_path / "q.jsonl"
    lines = [
        {"question": one.text, "answers": one.answers, "answerable": one.is_answerable,
         "evidence": [e.quote for e in one.evidence]}
        for one in QUESTIONS
    ]  # fmt: skip
    file.write_text("\n".join(map(json.dumps, lines)), "utf-8")

    @contextmanager
    def registry():
        made = ModelRegistry([tmp_path / "models"])
        yield made
        made.close()

    monkeypatch.setattr(evaluate, "open_registry", registry)

    def run(*words: str):
        code = run_command(["evaluate", "--library", str(path), *words])
        output = capsys.readouterr()
        return code, output.out, output.err

    run.file = str(file)
    return run


def test_the_command_measures_compares_shows_and_lists(command, tmp_path):
    out = tmp_path / "run.json"
    code, shown, _ = command(command.file, "--modes", "walk", "words", "--out", str(out))
    assert code == 0 and out.exists()
    assert "1.1 walk" in shown and "Evidence in the passages" in shown
    assert "1.1 against 1.2:" in shown and "no difference in any measure" in shown
    code, shown, _ = command("--list")
    assert code == 0 and "q.jsonl, 3 questions" in shown and "1.2 words" in shown
    code, shown, _ = command("--show", "1")
    assert "expected: Tobias Quill" in shown and "expected: no answer" in shown
    code, shown, _ = command("--compare", "1.1", "1.2", "--json")
    assert json.loads(shown)[0]["n_equal"] == 1
    code, shown, _ = command("--delete", "1")
    assert code == 0 and "deleted" in shown


def test_the_command_says_how_long_models_take_before_it_asks(library, capsys):
    class Registry:
        def get_chat_row(self, name):
            return SimpleNamespace(size_bytes=1_100_000_000)

    columns = (WALK, WORDS, FOUND)
    evaluate._announce(library, Registry(), columns, 60)
    said = capsys.readouterr().err
    assert "60 questions in 3 columns: about 2 hours, guessed by the size of the model" in said
    assert "Ctrl+C stops and keeps the answers" in said
    evaluate._announce(library, Registry(), (FOUND,), 60)  # a second each
    assert not capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--modes", "wolk"], "There is no mode “wolk”"),
        (["--models", "nosuch"], "nosuch"),
        (["--models", "starter-chat-without-file"], "starter-chat-without-file"),
        (["--judge", "nosuch"], "nosuch"),
        (["--out", "run.txt"], "no ending that names a format"),
        (["--document", "Missing"], "No document is called “Missing”"),
        (["--propose", "3"], "proposed by one chat model"),
    ],
)
def test_wrong_options_are_one_sentence_and_ask_nothing(command, words, expected):
    code, _, problem = command(command.file, *words)
    assert code == 1 and expected in problem
    assert "No evaluation was run" in command("--list")[1]


def test_a_negative_size_of_a_prompt_is_refused(command, capsys):
    with pytest.raises(SystemExit) as ended:
        command(command.file, "--tokens", "-5")
    assert ended.value.code == 1
    assert "--tokens: a number from 0 on is needed" in capsys.readouterr().err
    assert "No evaluation was run" in command("--list")[1]


def test_the_command_says_that_it_looks_for_evidence(command):
    code, _, said = command(command.file, "--models", "none", "--modes", "words", "--tokens", "0")
    assert code == 0
    assert "looking for the evidence of the questions in the documents: 0 of 3" in said


def test_results_do_not_replace_the_questions(command):
    before = Path(command.file).read_bytes()
    file = Path(command.file).rename(Path(command.file).with_suffix(".json"))
    code, _, problem = command(str(file), "--out", str(file))
    assert code == 1 and "is read by this command" in problem and file.read_bytes() == before
    assert "No evaluation was run" in command("--list")[1]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], "There is no file of questions"),
        (["no such.jsonl"], "There is no file"),
        (["--show", "7"], "There is no evaluation 7"),
        (["--compare", "x", "1.1"], "“x” names no column"),
    ],
)
def test_what_is_not_there_is_named(command, words, expected):
    code, _, problem = command(*words)
    assert code == 1 and expected in problem
