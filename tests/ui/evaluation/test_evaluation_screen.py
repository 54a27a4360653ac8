"""Tests the evaluation screen: questions are collected, asked and shown, runs are compared."""

from __future__ import annotations

import json
import threading
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QFileDialog

from desktop_app.engine.errors import EnvironmentProblem
from desktop_app.engine.scheduler import Priority
from desktop_app.engine.services.evaluation.model import EvaluationPlan, EvaluationQuestion
from desktop_app.engine.services.evaluation.service import EvaluationProgress
from desktop_app.ui.evaluation.question_list import DIFFERING, WRONG
from desktop_app.ui.evaluation.question_table import (
    ANSWER,
    MAX_LINES,
    PLACE,
    QUESTION,
    break_cell,
)
from desktop_app.ui.evaluation.screen import EvaluationScreen
from desktop_app.ui.widgets.tables import ICON_ROLE, ROW_ROLE, SUBTITLE_ROLE
from desktop_app.workers.evaluation_runner import RunOrder
from tests.small_library import TEXT, add
from tests.ui.evaluation.conftest import FOUND, MODEL, QUESTIONS, WALK, WORDS
from tests.ui.overflow import find_overflow

WAIT_MS = 20_000


def wait_for_lanes(screen: EvaluationScreen, context, qtbot) -> None:
    lanes = context.evaluation_lane, context.writer_lane, context.evaluation_runner._lane
    qtbot.waitUntil(
        lambda: not screen._is_loading and not any(lane.n_jobs for lane in lanes), timeout=WAIT_MS
    )


def ask(screen: EvaluationScreen, context, qtbot, *modes: str, models=("",)) -> None:
    """Ask the questions of the draft in some modes, and wait for the results."""
    choice = screen.setup.choice
    for key, box in choice.modes.items():
        box.setChecked(key in modes)
    for name, box in choice.models.items():
        box.setChecked(name in models)
    with qtbot.waitSignal(context.evaluation_runner.stored, timeout=WAIT_MS):
        screen.setup.start()
    wait_for_lanes(screen, context, qtbot)


def test_an_empty_library_explains_what_evaluations_are_for(screen, context, qtbot):
    assert screen.stack.currentWidget() is screen.empty
    assert screen.empty.text.text().count(".") == 2
    assert "Propose 20" in screen.propose_first.text() and "“Run”" in screen.empty.text.text()
    assert screen.setup.start_button.text() == "Run"
    screen.add_question()
    assert screen.stack.currentWidget() is screen.splitter
    editor = screen.setup.table.indexWidget(screen.setup.table.currentIndex())
    assert editor is not None  # typing begins at once
    assert not screen.setup.start_button.isEnabled()
    assert "Add questions first" in screen.setup.estimate.text()


def test_typed_questions_are_edited_kept_and_removed_with_undo(screen, context, qtbot):
    table = screen.setup.table
    table.questions.add(EvaluationQuestion(""))
    table.questions.setData(table.questions.index(0, QUESTION), "  Who wound\nthem? ")
    table.questions.setData(table.questions.index(0, ANSWER), "Ada Merrow | Miss Merrow|Ada Merrow")
    table.questions.add(*QUESTIONS[1:])
    [first, *_] = screen.setup.questions
    assert (first.text, first.answers) == ("Who wound them?", ("Ada Merrow", "Miss Merrow"))
    table.setCurrentIndex(table.questions.index(0, QUESTION))
    qtbot.keyClick(table, Qt.Key.Key_Space)
    assert not screen.setup.questions[0].is_answerable
    assert not table.questions.index(0, ANSWER).flags() & Qt.ItemFlag.ItemIsEditable
    table.selectRow(1)
    table.remove_selected()
    assert len(screen.setup.questions) == 2
    context.messages.last.action()
    assert [one.text for one in screen.setup.questions] == [
        "Who wound them?", *(one.text for one in QUESTIONS[1:])
    ]  # fmt: skip
    screen.setup.choice.modes["mix"].setChecked(True)
    screen.hide()  # as when the window closes
    wait_for_lanes(screen, context, qtbot)
    again = EvaluationScreen(context)
    qtbot.addWidget(again)
    again.show()
    qtbot.waitUntil(lambda: again._has_draft, timeout=WAIT_MS)
    assert again.setup.questions == screen.setup.questions
    assert again.setup.choice.chosen_modes == screen.setup.choice.chosen_modes


def test_the_column_of_places_has_little_room_while_it_is_empty(screen, context) -> None:
    table = screen.setup.table
    table.questions.add(EvaluationQuestion("Who wound them?", answers=("Ada Merrow",)))
    empty, answer = table.columnWidth(PLACE), table.columnWidth(ANSWER)
    table.questions.add(QUESTIONS[0])  # it has its evidence
    assert table.questions.index(1, PLACE).data()
    assert table.columnWidth(PLACE) > 1.5 * empty and table.columnWidth(ANSWER) < answer


def test_a_file_is_added_once_and_its_evidence_opens_in_the_reader(
    screen, context, qtbot, tmp_path, monkeypatch
):
    path = tmp_path / "mine.csv"
    path.write_text(
        "question,answer,evidence,colour\n"
        "Who made the clocks?,Tobias Quill,Tobias Quill made them.,red\n"
        "Who wound them?,Ada,nobody ever wrote this,red\n",
        "utf-8",
    )
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *args: (str(path), ""))
    screen.choose_file()
    wait_for_lanes(screen, context, qtbot)
    assert "2 questions were added" in context.messages.last.text
    assert "not used" in context.messages.last.text  # the column that is unknown
    screen.open_file(path)
    wait_for_lanes(screen, context, qtbot)
    assert len(screen.setup.questions) == 2
    assert screen.setup.build_plan().title == "mine.csv"
    table = screen.setup.table
    with qtbot.waitSignal(screen.open_passage) as opened:
        table.clicked.emit(table.questions.index(0, PLACE))
    start = TEXT.index("Tobias Quill made them.")
    assert opened.args[:2] == [1, start]
    table.clicked.emit(table.questions.index(1, PLACE))
    wait_for_lanes(screen, context, qtbot)
    assert "nowhere" in context.messages.last.text
    path.write_text("name,answer\na,b\n", "utf-8")
    screen.open_file(path)
    wait_for_lanes(screen, context, qtbot)
    assert "question" in context.messages.last.text and context.messages.last.kind == "warn"


def test_questions_are_proposed_without_a_model(screen, context, qtbot):
    dialog = screen.ask_what_to_propose()
    assert [dialog.model.itemData(i) for i in range(dialog.model.count())] == ["", MODEL]
    dialog.number.setValue(2)
    with qtbot.waitSignal(context.evaluation_runner.failed, timeout=WAIT_MS):
        dialog.propose.click()  # the text is too short for a passage
    wait_for_lanes(screen, context, qtbot)
    assert "no passage to ask about" in context.messages.last.text
    assert context.evaluation_runner.state == "idle" and screen.banner.isHidden()


def test_the_first_evaluation_takes_two_clicks_and_no_chat_model(
    screen, context, qtbot, library, tmp_path
):
    long = "Tobias Quill kept a shop of clocks in the narrow lane behind the old harbour wall. "
    add(
        library,
        tmp_path,
        "shop.txt",
        long + "He made them with care, and nobody hurried him. " * 12,
    )
    with qtbot.waitSignal(context.evaluation_runner.proposals_ended, timeout=WAIT_MS):
        screen.propose_first.click()
    wait_for_lanes(screen, context, qtbot)
    assert screen.setup.questions and screen.list.isHidden()  # nothing was run yet
    assert screen.setup.build_plan().title == "Proposed questions"
    assert {column.model for column in screen.setup.choice.list_columns()} == {""}
    assert screen.setup.again.isHidden()
    screen.setup.choice.modes["naive"].setChecked(False)  # this library has no vectors
    with qtbot.waitSignal(context.evaluation_runner.stored, timeout=WAIT_MS):
        screen.setup.start_button.click()
    wait_for_lanes(screen, context, qtbot)
    assert screen.pages.currentWidget() is screen.run_page and not screen.list.isHidden()
    assert context.evaluations.list_runs()[0].is_finished and not screen.setup.again.isHidden()


def test_rare_modes_are_under_more_unless_they_are_chosen(screen, context, qtbot):
    screen.add_question()
    choice = screen.setup.choice
    rare = [key for key, box in choice.modes.items() if not box.isVisibleTo(screen)]
    assert rare == ["local", "global", "hybrid", "overview", "drift", "bypass"]
    assert not choice.tokens.isVisibleTo(screen)
    with qtbot.waitSignal(choice.unfolded):
        choice.more_button.click()
    assert all(choice.modes[key].isVisibleTo(screen) for key in rare)
    choice.more_button.click()
    assert choice.more.isHidden()
    choice.show_choice(("walk", "drift"), 1000)
    assert choice.modes["drift"].isChecked() and not choice.more.isHidden()
    described = [box.accessibleDescription() for box in choice.modes.values()]
    assert all(words.endswith(".") for words in described)


def test_each_measure_says_what_it_is_without_the_words_of_the_field(screen, context, qtbot):
    context.run(WALK, WORDS)
    overview = context.evaluations.load(context.evaluations.list_runs()[0].id)
    table = screen.run_page.table
    table.show_summary(overview.summary, overview.run.plan.columns)
    for row in range(table.results.rowCount()):
        name = table.results.index(row, 0)
        words, tip = name.data(SUBTITLE_ROLE), name.data(Qt.ItemDataRole.ToolTipRole)
        assert words.endswith(".") and words in tip.replace("\u200b", "")
        assert not {"recall", "prompt", "token", "context"} & set(words.lower().split())
    assert table.whole_height > table.results.rowCount() * 40
    value = table.results.index(0, 1)
    assert float(value.data()) <= 1 and "(" not in value.data()


def test_a_question_with_a_gap_is_told_by_its_sentence(screen):
    table = screen.setup.table
    text = "Which name is missing in this sentence: “____ kept “the shop”.”?"
    table.questions.add(EvaluationQuestion(text, ("Quill",)), EvaluationQuestion("Who is “A”?"))
    shown = [table.questions.index(row, QUESTION).data() for row in range(2)]
    assert shown == ["“____ kept “the shop”.”?", "Who is “A”?"]
    edited = table.questions.index(0, QUESTION).data(Qt.ItemDataRole.EditRole)
    assert edited == text


def test_results_show_what_is_best_and_each_answer_with_links(screen, context, qtbot):
    screen.setup.add_questions(QUESTIONS, "clocks.jsonl")
    ask(screen, context, qtbot, "walk", "words", models=("", MODEL))
    page = screen.run_page
    assert screen.pages.currentWidget() is page and page.title.full_text() == "clocks.jsonl"
    assert page.table.results.columnCount() == 5
    assert page.list.questions.rowCount() == 3
    assert page.list.count(WRONG) == 1  # the model says the same of whoever wound the clocks
    page.filter.setCurrentIndex(2)
    wait_for_lanes(screen, context, qtbot)
    assert page.list.current_number == 1
    assert [card.links != [] for card in page.answers.cards] == [True] * 4
    assert "Expected: Ada Merrow" in page.answers.expected.text()
    with qtbot.waitSignal(screen.open_passage) as opened:
        page.answers.cards[-1].links[0].clicked.emit()
    assert opened.args[0] == 1
    page.filter.setCurrentIndex(0)
    assert not page.problem.isVisible()
    assert page.table.currentIndex().data(ROW_ROLE).measure.key == "evidence_recall"
    assert page.verdict.text() == "The columns do not differ in this measure."
    assert page.outcome.text() == "There is no difference on these questions."


def test_the_best_column_is_marked_only_if_the_difference_is_hardly_chance(screen, context, qtbot):
    context.run(WALK, WORDS)
    run_id = context.evaluations.list_runs()[0].id
    overview = context.evaluations.load(run_id)
    [f1] = [row for row in overview.summary.rows if row.measure.key == "f1"]
    marked = replace(overview.summary, rows=(replace(f1, best=1),))
    table = screen.run_page.table
    table.show_summary(overview.summary, overview.run.plan.columns)
    icons = {table.results.index(r, c).data(ICON_ROLE) for r in range(8) for c in (1, 2)}
    assert icons == {None}
    table.show_summary(marked, overview.run.plan.columns)
    assert [table.results.index(0, c).data(ICON_ROLE) for c in (1, 2)] == [None, "ph.trophy"]
    words = table.results.index(0, 2).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "hardly by chance" in words


def test_a_run_pauses_keeps_its_answers_and_goes_on(screen, context, qtbot):
    hold, asked, stream = threading.Event(), [], context.model.stream

    def slow(*args, **kwargs):
        asked.append(1)
        if len(asked) > 1:
            hold.wait(10)
        return stream(*args, **kwargs)

    context.model.stream = slow
    screen.setup.add_questions(QUESTIONS)
    screen.setup.choice.show_choice(("bypass",), 1000)
    screen.setup.choice.models[MODEL].setChecked(True)
    screen.setup.choice.modes["bypass"].setChecked(True)
    screen.setup.start()
    runner = context.evaluation_runner
    status = screen.banner.status
    qtbot.waitUntil(lambda: "question 1 of 3" in status.full_text(), timeout=WAIT_MS)
    qtbot.waitUntil(lambda: len(asked) > 1, timeout=WAIT_MS)
    assert not screen._banner_row.isHidden() and screen.banner.pause_button.isVisibleTo(screen)
    assert not screen.setup.start_button.isEnabled()
    screen.banner.pause_button.click()
    hold.set()
    qtbot.waitUntil(lambda: runner.state == "paused", timeout=WAIT_MS)
    wait_for_lanes(screen, context, qtbot)
    [row] = context.evaluations.list_runs()
    assert (row.n_done, row.is_finished) == (1, False)
    assert screen.banner.status.full_text().startswith("Paused")
    with qtbot.waitSignal(runner.stored, timeout=WAIT_MS):
        screen.banner.resume_button.click()
    wait_for_lanes(screen, context, qtbot)
    [row] = context.evaluations.list_runs()
    assert (row.n_done, row.is_finished) == (3, True) and screen._banner_row.isHidden()


def test_a_model_that_fails_is_named_and_the_run_can_be_continued(screen, context, qtbot):
    stream = context.model.stream

    def die(*args, **kwargs):
        raise EnvironmentProblem("The model ended.", "Choose another one.")

    context.model.stream = die
    screen.setup.add_questions(QUESTIONS)
    choice = screen.setup.choice
    choice.show_choice(("bypass",), 1000)
    choice.models[MODEL].setChecked(True)
    choice.modes["bypass"].setChecked(True)
    with qtbot.waitSignal(context.evaluation_runner.failed, timeout=WAIT_MS):
        screen.setup.start()
    wait_for_lanes(screen, context, qtbot)
    assert "Choose another one" in context.messages.last.text
    assert "The model ended" in screen.banner.status.full_text()
    context.model.stream = stream
    with qtbot.waitSignal(context.evaluation_runner.stored, timeout=WAIT_MS):
        screen.banner.resume_button.click()
    wait_for_lanes(screen, context, qtbot)
    assert context.evaluations.list_runs()[0].is_finished


@pytest.fixture
def with_runs(context) -> None:
    context.run(FOUND, title="first.csv")
    context.run(WALK, FOUND, title="second.csv")


def test_earlier_runs_are_listed_compared_exported_and_deleted(
    with_runs, screen, context, qtbot, tmp_path
):
    wait_for_lanes(screen, context, qtbot)
    titles = [row.title for row in screen.list.runs.rows]
    assert titles == ["", "second.csv", "first.csv"]
    assert screen.run_page.title.full_text() == "second.csv"  # the newest, as nothing was begun
    screen.show_comparison()
    assert screen.compare.first.currentData() == (2, 0)
    screen.compare.first.setCurrentIndex(1)
    screen.compare.second.setCurrentIndex(2)
    wait_for_lanes(screen, context, qtbot)
    assert "3 common questions" in screen.compare.note.text()
    assert screen.compare.comparison.rowCount() > 2
    qtbot.waitUntil(lambda: find_overflow(screen) == [])  # layouts follow later
    screen.compare.back_button.click()
    wait_for_lanes(screen, context, qtbot)
    assert screen.pages.currentWidget() is screen.run_page
    for ending, begin in ((".md", "# Evaluation 2"), (".json", "{"), (".csv", "\ufeffrun,")):
        path = tmp_path / f"run{ending}"
        screen.export_to(path)
        wait_for_lanes(screen, context, qtbot)
        assert path.read_text("utf-8").startswith(begin)
    assert json.loads((tmp_path / "run.json").read_text("utf-8"))["title"] == "second.csv"
    screen.confirm_delete()
    assert len(context.evaluations.list_runs()) == 2  # only after the question
    context.messages.last.action()
    wait_for_lanes(screen, context, qtbot)
    assert [row.title for row in context.evaluations.list_runs()] == ["first.csv"]
    assert screen.run_page.title.full_text() == "first.csv"


def test_an_unfinished_run_of_before_is_continued_and_its_questions_used_again(
    with_runs, screen, context, qtbot
):
    db = context.library.writer
    with db.transaction():
        db.write("DELETE FROM evaluation_answer WHERE run_id = 2 AND question_no = 2")
        db.write("UPDATE evaluation_run SET finished_at = NULL WHERE id = 2")
    screen.refresh()
    wait_for_lanes(screen, context, qtbot)
    page = screen.run_page
    assert page.continue_button.isVisibleTo(page)
    with qtbot.waitSignal(context.evaluation_runner.stored, timeout=WAIT_MS):
        qtbot.keyClick(screen.list, Qt.Key.Key_F5)
    wait_for_lanes(screen, context, qtbot)
    assert context.evaluations.list_runs()[0].is_finished
    assert not page.continue_button.isVisibleTo(page)
    page.reuse_button.click()
    assert screen.setup.questions == QUESTIONS
    assert screen.setup.build_plan().title == "second.csv"


def test_a_model_judges_two_columns(screen, context, qtbot):
    context.run(WALK, WORDS)
    screen.refresh()
    wait_for_lanes(screen, context, qtbot)
    screen.list.mark(1)
    wait_for_lanes(screen, context, qtbot)
    with qtbot.waitSignal(context.evaluation_runner.stored, timeout=WAIT_MS):
        screen.run_page.judge_wanted.emit(MODEL)
    wait_for_lanes(screen, context, qtbot)
    assert context.evaluations.load(1).run.judgements
    assert "weak judge" in context.messages.last.text
    assert MODEL in screen.run_page.verdict.text()


@pytest.mark.usefixtures("chinese")
def test_every_page_is_chinese_and_fits(with_runs, screen, context, qtbot):
    wait_for_lanes(screen, context, qtbot)
    assert screen.new_button.text() == "新评测"
    for show in (screen.show_new, screen.show_comparison, lambda: screen.list.mark(1)):
        show()
        wait_for_lanes(screen, context, qtbot)
        qtbot.waitUntil(lambda: find_overflow(screen) == [])  # layouts follow later
    named = (screen.list, screen.setup.table, screen.run_page.table, screen.run_page.list)
    unnamed = [type(one) for one in (*named, screen.compare.first) if not one.accessibleName()]
    assert unnamed == []


def test_only_differences_are_listed(screen, context, qtbot):
    context.model.answers = ["Tobias Quill kept a shop of clocks [1]."]
    context.run(WALK)
    context.model.answers = ["Ada Merrow wound them [1]."]
    context.run(WALK, replace(WORDS, mode="naive"))
    screen.refresh()
    wait_for_lanes(screen, context, qtbot)
    screen.list.mark(2)
    wait_for_lanes(screen, context, qtbot)
    differing = screen.run_page.list
    differing.set_filter(DIFFERING)
    assert [row.id for row in differing.questions.rows] == [0, 1]


def test_the_banner_says_that_questions_wait_while_one_is_answered(screen, context, qtbot):
    runner, status = context.evaluation_runner, screen.banner.status
    screen.setup.add_questions(QUESTIONS)
    with context.scheduler.hold(Priority.QUESTION):
        runner.start(RunOrder(EvaluationPlan(QUESTIONS, (FOUND,))))
        assert status.full_text() == "Paused while answering"
        runner.progress = EvaluationProgress("asking", 1, 3, 0.1, 600.0)
        screen.show_blocker()
        assert status.full_text() == "Asking question 2 of 3 · Paused while answering"
    screen.show_blocker()
    assert status.full_text() == "Asking question 2 of 3 · 10 min left"
    wait_for_lanes(screen, context, qtbot)


def test_long_questions_and_answers_are_shown_whole(screen, context, qtbot) -> None:
    table = screen.setup.table
    screen.show_new()
    screen.stack.setCurrentWidget(screen.splitter)
    table.questions.add(
        EvaluationQuestion("Who wound them?", ("Ada Merrow",)),
        EvaluationQuestion("Why did the keeper of the light " * 5, ("Because of the fog. " * 9,)),
        EvaluationQuestion("为什么守灯塔的人在起雾的晚上" * 8 + "？", ("雾",)),
    )
    short, long, chinese = (table.rowHeight(row) for row in range(3))
    assert short < long and short < chinese
    for row in range(3):
        for column in (QUESTION, ANSWER):
            text = table.questions.index(row, column).data()
            font, width = context.theme.font("text", text), table.columnWidth(column)
            lines = break_cell(text, font, width - 16)
            assert "".join(lines).replace(" ", "") == text.replace(" ", "")
            line = QFontMetrics(context.theme.font("text")).height()
            assert len(lines) * line <= table.rowHeight(row)
    table.questions.setData(table.questions.index(1, QUESTION), "Why?")
    table.questions.setData(table.questions.index(1, ANSWER), "Fog")
    assert table.rowHeight(1) == short
    screen.resize(560, 800)
    qtbot.waitUntil(lambda: table.rowHeight(2) > chinese)
    assert len(break_cell("A word " * 400, context.theme.font("text"), 100)) == MAX_LINES
