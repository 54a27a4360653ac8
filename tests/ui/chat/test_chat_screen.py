"""The chat screen with a fake pipeline: asking, streaming, cancelling, queueing, failing."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QRect, Qt, QUrl
from PySide6.QtGui import QGuiApplication, QTextDocument, QTextDocumentFragment
from PySide6.QtWidgets import QWidget

from desktop_app.engine.answering.claims import INTRODUCTION
from desktop_app.engine.answering.guesses import PERHAPS
from desktop_app.engine.errors import EnvironmentProblem
from desktop_app.engine.model import (
    ANSWER_CHECKED,
    Answer,
    CheckedSentence,
    Citation,
    MessageRow,
    RetrievalResult,
    Stage,
)
from desktop_app.engine.progress import Progress
from desktop_app.ui.chat.answer_panels import AnswerNotice
from desktop_app.ui.chat.answer_view import AnswerView, build_tooltip
from desktop_app.ui.chat.screen import ChatScreen
from desktop_app.ui.chat.sources import INDENT
from desktop_app.ui.chat.step_row import StepRow
from desktop_app.ui.chat.suggestions import EmptyChat, QuestionButton
from desktop_app.ui.chat.turn_widget import TurnWidget
from desktop_app.ui.chat.turns import QuestionJob, Turn
from desktop_app.ui.messages import MessageBar
from tests.ui.chat.answers import rich_answer
from tests.ui.chat.conversations import tick
from tests.ui.fakes import FakeContext


@pytest.fixture
def screen(qtbot, context: FakeContext) -> Iterator[ChatScreen]:
    made = ChatScreen(context)
    qtbot.addWidget(made)
    made.resize(900, 700)
    made.show()
    qtbot.waitUntil(lambda: bool(made.empty.questions()))
    yield made


def turn(screen: ChatScreen, place: int) -> TurnWidget:
    return screen.turns.widgets()[place]


def asks(screen: ChatScreen) -> list[QuestionJob]:
    return list(screen.questions)


def is_done(screen: ChatScreen) -> bool:
    return bool(asks(screen)) and not any(job.is_live for job in screen.questions)


def test_a_question_is_answered_and_its_mark_opens_the_passage(qtbot, screen) -> None:
    screen.box.set_text("Who is Ada Merrow?")
    qtbot.keyClick(screen.box.edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: is_done(screen))
    answer = turn(screen, 0).answer
    assert "Ada Merrow is the ferrywoman" in answer.toPlainText()
    assert screen.box.text() == ""
    with qtbot.waitSignal(screen.open_passage) as opened:
        answer.anchorClicked.emit(QUrl("cite:1"))
    citation = turn(screen, 0).turn.citations[0]
    assert opened.args == [1, citation.start, citation.end]


def test_shift_enter_breaks_the_line_and_the_box_grows_to_six_lines(qtbot, screen) -> None:
    heights = []
    for _ in range(9):
        qtbot.keyClicks(screen.box.edit, "x")
        heights.append(screen.box.edit.height())
        qtbot.keyClick(screen.box.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert heights[0] < heights[3] < heights[5] == heights[8]
    assert not asks(screen)


def test_the_box_is_in_the_middle_until_a_question_is_asked(qtbot, screen) -> None:
    def top() -> int:
        return screen.box.mapTo(screen, QPoint(0, 0)).y()

    qtbot.waitUntil(lambda: screen.box.geometry().bottom() < 0.75 * screen.height())
    first, suggestion = top(), screen.empty.questions()[0]
    place = suggestion.mapTo(screen, QPoint(0, 0))
    assert place.y() < first
    screen.box.edit.setPlainText("one\ntwo\nthree\nfour")
    qtbot.waitUntil(lambda: screen.box.edit.height() > 60)
    assert top() == first and suggestion.mapTo(screen, QPoint(0, 0)) == place
    screen.empty.show_names([])  # while the library is read
    qtbot.waitUntil(lambda: "indexed" in screen.empty.about.text())
    assert top() == first
    screen.box.edit.clear()
    screen.ask("Who?")
    qtbot.waitUntil(lambda: top() + screen.box.height() > 0.9 * screen.height())
    qtbot.waitUntil(lambda: is_done(screen))
    screen.new_chat()
    qtbot.waitUntil(lambda: top() == first)


def test_stop_is_as_large_as_ask_and_the_options_stay(qtbot, screen, hold) -> None:
    screen.resize(1200, 800)
    labels = [screen.options.model.text(), screen.options.scope.text()]
    screen.ask("Who?")
    qtbot.waitUntil(screen.box.stop_button.isVisible)
    stop, send = screen.box.stop_button, screen.box.send_button
    assert stop.size() == send.size() and not send.isVisible()
    assert stop.accessibleName() == "Stop" and stop.toolTip() == "Stop (Esc)"
    assert [screen.options.model.text(), screen.options.scope.text()] == labels
    screen.box.edit.setPlainText("And then?")
    assert [screen.options.model.text(), screen.options.scope.text()] == labels
    hold.set()
    qtbot.waitUntil(lambda: is_done(screen))


def test_an_answer_streams_in_before_it_ends(qtbot, context, screen, hold) -> None:
    words = " ".join(f"word{i}" for i in range(400))
    context.answer_pipeline.answer = words
    pieces = threading.Semaphore(0)

    class OnePieceEach:
        def wait(self, timeout: float) -> None:
            if not hold.is_set():
                pieces.acquire(timeout=timeout)

    def shows_the_next_pieces() -> bool:
        pieces.release()
        return "word1 word2" in turn(screen, 0).answer.toPlainText()

    context.answer_pipeline.hold = OnePieceEach()
    screen.ask("count")
    qtbot.waitUntil(shows_the_next_pieces)
    assert asks(screen)[0].is_live and screen.box.stop_button.isVisible()
    assert turn(screen, 0).step.text().startswith("Answering")
    assert not turn(screen, 0).foot.isVisible()
    hold.set()
    pieces.release()
    qtbot.waitUntil(lambda: is_done(screen))
    assert turn(screen, 0).answer.toPlainText() == words
    assert not screen.box.stop_button.isVisible()


def test_passages_stand_before_the_answer_and_its_sources_after_it(
    qtbot, context, screen, hold
) -> None:
    opened = []
    screen.open_passage.connect(lambda *where: opened.append(where))
    screen.ask("Who is Ada?")
    widget = screen.turns.widgets()[-1]
    qtbot.waitUntil(lambda: widget.source_list is not None)
    assert not widget.turn.answered and not widget.answer.text
    assert widget.source_list.isVisible() and not widget.foot.isVisible()
    assert widget.source_list.y() > widget.answer.y()
    card = widget.source_list.cards[0]
    card.setFocus()
    card.clicked.emit()
    assert opened[0][0] == 1
    hold.set()
    qtbot.waitUntil(lambda: is_done(screen))
    assert widget.source_list.cards == [card] and card.mark.number == "1"
    assert widget.turn.states_something and widget.foot.isVisible()
    assert widget.source_list.isVisible(), "a statement is shown with its sentence"
    widget.foot.sources_button.click()
    assert widget.source_list.isHidden()
    widget.foot.sources_button.click()
    assert [c.accessibleName().partition(",")[0] for c in widget.source_list.cards] == ["Source 1"]


def test_a_typed_question_is_prefetched_and_shown_at_once(qtbot, context, screen, hold) -> None:
    pipeline = context.answer_pipeline
    screen.box.edit.setPlainText("Who was Ad")
    screen.box.edit.setPlainText("Who was Ada?")
    qtbot.waitUntil(lambda: pipeline.read == ["Who was Ada?"] and screen.prefetch.is_idle)
    assert pipeline.prefetched == ["Who was Ada?"]
    assert screen.pages.currentWidget() is screen.empty  # nothing of it is visible
    qtbot.keyClick(screen.box.edit, Qt.Key.Key_Return)
    assert len(screen.turns.widgets()[-1].source_list.cards) == 1  # without a wait


def test_what_was_prefetched_is_dropped_when_the_question_changes(
    qtbot, context, screen, hold
) -> None:
    screen.box.edit.setPlainText("Who was Ada?")
    qtbot.waitUntil(lambda: bool(context.answer_pipeline.prefetched))
    screen.box.edit.setPlainText("Who was Tobias?")
    screen.box.edit.sent.emit()
    assert screen.turns.widgets()[-1].source_list is None
    screen.stop()
    hold.set()


def test_stop_takes_effect_at_once_and_keeps_the_partial_answer(
    qtbot, context, screen, hold
) -> None:
    screen.ask("Who?")
    qtbot.waitUntil(lambda: asks(screen)[0].state == "answering")
    qtbot.mouseClick(screen.box.stop_button, Qt.MouseButton.LeftButton)
    assert asks(screen)[0].state == "stopped" and not screen.box.stop_button.isVisible()
    hold.set()
    qtbot.waitUntil(lambda: context.model_lane.n_jobs == 0)
    assert asks(screen)[0].state == "stopped"


def test_a_second_question_waits_in_the_queue_and_can_be_withdrawn(qtbot, screen, hold) -> None:
    screen.ask("First?")
    screen.ask("Second?")
    qtbot.waitUntil(lambda: asks(screen)[0].state == "answering")
    qtbot.waitUntil(lambda: turn(screen, 1).step.text() == "Waiting: next in line")
    qtbot.mouseClick(turn(screen, 1).step_action, Qt.MouseButton.LeftButton)
    assert [a.question for a in screen.questions] == ["First?"]
    assert screen.box.text() == "Second?"
    hold.set()
    qtbot.waitUntil(lambda: is_done(screen))


def test_two_questions_are_answered_in_order_in_one_chat(qtbot, context, screen) -> None:
    screen.ask("First?")
    screen.ask("Second?")
    qtbot.waitUntil(lambda: is_done(screen))
    kept = context.chats.messages[screen.chat_id]
    assert [m.text for m in kept if m.role == "user"] == ["First?", "Second?"]


def test_an_error_keeps_the_question_and_can_be_retried(qtbot, context, screen) -> None:
    true_ask = context.answer_pipeline.ask
    context.answer_pipeline.ask = lambda *a, **k: (_ for _ in ()).throw(
        EnvironmentProblem("The model does not fit into memory.", "Choose a smaller one.")
    )
    screen.ask("Who?")
    qtbot.waitUntil(lambda: is_done(screen))
    assert "Choose a smaller one" in turn(screen, 0).step.text()
    assert "does not fit" in context.messages.last.text
    context.answer_pipeline.ask = true_ask
    turn(screen, 0).step_action.click()
    qtbot.waitUntil(lambda: len(asks(screen)) == 1 and asks(screen)[0].state == "done")
    assert len(screen.turns.widgets()) == 1 and turn(screen, 0).turn.question == "Who?"


def test_an_answer_continues_while_another_chat_is_open(qtbot, context, screen, hold) -> None:
    screen.ask("Who?")
    qtbot.waitUntil(lambda: bool(asks(screen)) and asks(screen)[0].state == "answering")
    chat_id = screen.chat_id
    screen.open_chat(11)
    qtbot.waitUntil(lambda: screen.pages.currentWidget() is screen.empty)
    screen.open_chat(chat_id)
    qtbot.waitUntil(lambda: len(screen.turns.widgets()) == 1)
    assert turn(screen, 0).turn.question == "Who?" and screen.box.stop_button.isVisible()
    hold.set()
    qtbot.waitUntil(lambda: is_done(screen))
    assert "ferrywoman" in turn(screen, 0).answer.toPlainText()
    screen.open_chat(chat_id)
    qtbot.waitUntil(lambda: screen.conversation.turns != [] and len(screen.turns.widgets()) == 1)


def test_a_question_is_not_lost_when_its_chat_is_left_before_it_exists(
    qtbot, context, screen
) -> None:
    screen.ask("First?")
    screen.new_chat()
    screen.ask("Second?")
    qtbot.waitUntil(lambda: len(asks(screen)) == 2 and is_done(screen))
    kept = [[m.text for m in rows if m.role == "user"] for rows in context.chats.messages.values()]
    assert ["First?"] in kept and ["Second?"] in kept
    assert [w.turn.question for w in screen.turns.widgets()] == ["Second?"]


def test_history_has_citations_and_old_turns_are_built_when_scrolled_to(
    qtbot, context, screen
) -> None:
    citation = Citation(1, 100, 1, "The Ferry", 24, 60, "Ada Merrow was the ferrywoman")
    rows = []
    for i in range(200):
        rows.append(MessageRow(2 * i, 12, "user", f"Question {i}?", 0.0))
        rows.append(
            MessageRow(2 * i + 1, 12, "assistant", f"Answer {i} [1].\n\n" * 3, 0.0, (citation,))
        )
    context.chats.messages[12] = rows
    screen.open_chat(12)
    qtbot.waitUntil(lambda: len(screen.turns.widgets()) > 0)
    assert len(screen.turns.widgets()) < 20 and turn(screen, -1).turn.question == "Question 199?"
    bar = screen.turns.verticalScrollBar()
    qtbot.waitUntil(lambda: screen.turns.anchor is None)  # until then the newest turn is held
    qtbot.waitUntil(lambda: bar.maximum() > 0 and bar.value() == bar.maximum())
    before = screen.turns.n_earlier
    bar.setValue(0)
    qtbot.waitUntil(lambda: screen.turns.n_earlier < before)
    qtbot.waitUntil(lambda: bar.value() > 100)  # the scroll position is kept
    with qtbot.waitSignal(screen.open_passage) as opened:
        turn(screen, 0).answer.anchorClicked.emit(QUrl("cite:1"))
    assert opened.args == [1, 24, 60]


def test_a_message_covers_neither_the_last_lines_nor_the_question_box(qtbot, context, screen):
    context.answer_pipeline.answer = "A line of an answer.\n\n" * 40
    screen.ask("Long?")
    qtbot.waitUntil(lambda: is_done(screen))
    screen.turns.scroll_to_bottom()
    bar = screen.turns.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 200 and bar.value() == bar.maximum())
    message = MessageBar(context.theme, context.messages, screen)
    last, box, head = turn(screen, -1), screen.box, screen.head

    def place(widget: QWidget) -> QRect:
        return QRect(widget.mapTo(screen, QPoint(0, 0)), widget.size())

    context.messages.show("Copied", action_text="Undo", action=lambda: None)
    assert place(head).contains(message.geometry())  # beside the title and the buttons
    taken = [place(head.new_button), place(head.more_button), place(head.title_edit.label)]
    taken[2].setWidth(head.title_edit.label.sizeHint().width())
    assert not any(area.intersects(message.geometry()) for area in taken)
    context.messages.show("A message that is too long for the head of the chat. " * 4)
    top = place(box).top()
    qtbot.waitUntil(lambda: message.geometry().bottom() < top)  # it slides in
    assert place(last.foot).bottom() < message.y() < top


def test_the_list_does_not_follow_a_reader_who_scrolled_up(qtbot, context, screen) -> None:
    context.answer_pipeline.answer = "A line of an answer.\n\n" * 40
    screen.ask("Long?")
    qtbot.waitUntil(lambda: is_done(screen))
    screen.turns.scroll_to_bottom()
    bar = screen.turns.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 200 and bar.value() == bar.maximum())
    bar.setValue(20)
    answer = turn(screen, 0).answer
    height = answer.height()
    answer.append_piece("\n\nMore.\n\nMore.")
    qtbot.waitUntil(lambda: answer.height() > height)
    assert bar.value() == 20


def test_sources_unfold_and_a_card_opens_its_passage(qtbot, screen) -> None:
    screen.ask("Who?")
    qtbot.waitUntil(lambda: is_done(screen))
    widget = turn(screen, 0)
    assert widget.foot.sources_button.text() == "1 source"
    widget.foot.sources_button.click()
    card = widget.source_list.cards[0]
    with qtbot.waitSignal(screen.open_passage):
        qtbot.keyClick(card, Qt.Key.Key_Return)


def test_names_of_the_passages_are_shown_in_the_graph(qtbot, screen) -> None:
    screen.ask("Who?")
    qtbot.waitUntil(lambda: is_done(screen))
    with qtbot.waitSignal(screen.show_in_graph) as shown:
        turn(screen, 0).foot.graph_button.click()
    assert 1 in shown.args[0]


def test_copying_an_answer_includes_its_sources(qtbot, screen) -> None:
    screen.ask("Who?")
    qtbot.waitUntil(lambda: is_done(screen))
    turn(screen, 0).foot.copy_action.trigger()
    assert "\n\n[1] The Ferry at Harrow Ford" in QGuiApplication.clipboard().text()


def test_passages_without_a_model_say_so_and_lead_to_models(qtbot, context, screen) -> None:
    citation = Citation(1, 100, 1, "The Ferry", 24, 60, "Ada Merrow was the ferrywoman")
    found = RetrievalResult("q", "walk", ())
    context.answer_pipeline.ask = lambda *a, **k: Answer("- Ada [1]", (citation,), found)
    screen.ask("Who?")
    qtbot.waitUntil(lambda: is_done(screen))
    assert turn(screen, 0).note.isVisible()
    with qtbot.waitSignal(screen.open_models):
        turn(screen, 0).note.linkActivated.emit("models")


def test_where_no_sentence_was_confirmed_the_reason_is_above_the_quotations(
    qtbot, context, screen
) -> None:
    quote = Citation(1, 100, 1, "The Ferry: A Novel", 24, 60, "Ada Merrow", page_label="12")
    check = Stage(
        ANSWER_CHECKED,
        (),
        ("She was a baker. (its passage does not say so)",),
        checked=(CheckedSentence("She was a baker.", "number", ("baker",), 100),),
    )
    found = replace(rich_answer().found, stages=(check,))
    text = f"{INTRODUCTION['en']}\n\n> Ada Merrow was the ferrywoman. [1]"
    context.answer_pipeline.ask = lambda *a, **k: Answer(text, (quote,), found, model="m")
    screen.ask("Who was Ada?")
    qtbot.waitUntil(lambda: is_done(screen))
    shown = turn(screen, 0)
    assert shown.notice.isVisible() and not shown.note.isVisible()
    words = QTextDocumentFragment.fromHtml(shown.notice.reason.text()).toPlainText()
    assert words.startswith("The model's sentence was not confirmed. ")
    assert "Passage \ufffc does not say “baker”." in words  # with its number
    assert words.endswith("Show it")
    assert shown.block.isHidden() and not shown.answer.text  # the cards have the quotations
    assert shown.passages_heading.text() == "Passages that may answer this"
    assert [card.mark.number for card in shown.source_list.cards] == ["1", "2", "3", "4"]
    assert shown.foot.again_button.isVisible()
    assert shown.followups.isHidden() and shown.steps.isHidden()
    assert shown.source_list.isVisible() and shown.foot.y() > shown.source_list.y()
    assert shown.foot.sources_button.isHidden()
    assert shown.turn.text == text  # what is stored and copied
    shown.foot.copy_action.trigger()
    assert text in QGuiApplication.clipboard().text()
    shown.notice.reason.linkActivated.emit("passage:1")
    assert shown.source_list.cards[0].hasFocus()
    shown.notice.reason.linkActivated.emit("rejected")
    assert shown.guess.isVisible() and shown.guess.y() < shown.source_list.y()
    assert shown.guess.heading.text() == "Unconfirmed guess"
    guess = QTextDocumentFragment.fromHtml(shown.guess.sentences.text()).toPlainText()
    assert guess == "She was a baker. \ufffc"  # with the number of its passage
    shown.guess.sentences.linkActivated.emit("passage:1")
    assert shown.source_list.cards[0].hasFocus()
    assert shown.guess.sentences.property("role") == "muted"  # grey, without a mark
    words = QTextDocumentFragment.fromHtml(shown.notice.reason.text()).toPlainText()
    assert words.endswith("Hide")
    panel = screen.inspector.panel
    shown.guess.explain_button.click()
    assert screen.inspector.is_open
    [decided] = [one for one in panel.sections if one.title == "Checked"]
    decided.button.setChecked(False)
    shown.guess.explain_button.click()  # it does not close what it opened
    assert screen.inspector.is_open and decided.button.isChecked()
    shown.notice.reason.linkActivated.emit("rejected")
    assert shown.guess.isHidden()


def test_a_guess_above_the_passages_has_no_link_that_shows_it_again(
    qtbot, context: FakeContext
) -> None:
    passages = rich_answer().found.passages
    quote = Citation(1, passages[0].chunk_id, 1, passages[0].title, 0, 9, "Ada rowed")
    for head, is_shown in ((PERHAPS["en"].format("Ada", 1), False), (INTRODUCTION["en"], True)):
        turn = Turn("Who rowed?", f"{head}\n\n> Ada rowed [1]", (quote,), passages, model="m")
        made = TurnWidget(context.theme, replace(turn, answered=True, n_rejected=1, message_id=1))
        qtbot.addWidget(made)
        words = QTextDocumentFragment.fromHtml(made.notice.reason.text()).toPlainText()
        assert ("Perhaps “Ada”" in words) != is_shown
        assert words.replace("\N{NO-BREAK SPACE}", " ").endswith("Show it") == is_shown


@pytest.mark.parametrize("words", ["Not confirmed.", "未获原文证实：模型不确定段落是这样说的。"])
def test_the_line_of_the_outcome_is_as_high_as_that_of_the_steps(
    qtbot, context: FakeContext, words: str
) -> None:
    notice, row = AnswerNotice(context.theme), StepRow(context.theme)
    for widget in (notice, row):
        qtbot.addWidget(widget)
        widget.resize(690, 28)
        widget.show()
    notice.show_reason(words, "")
    row.remove_button.hide()
    row.show_step(words, "", "step")
    row.show_around([], [words], "9 s")
    assert row.sizeHint().height() <= row.minimumHeight() == notice.heightForWidth(690)


QUOTING = f"{INTRODUCTION['en']}\n\n> Tobias came down. [2]"


def quoting_pipeline(context: FakeContext, hold: threading.Event):
    """Return `ask` of a pipeline that finds passages, waits, and quotes the second one."""
    answer = rich_answer()
    passages = answer.found.passages
    second = passages[1]
    quote = Citation(2, second.chunk_id, second.document_id, second.title, second.best_start,
                     second.best_end, "Tobias came down.")  # fmt: skip

    def ask(chat_id, question, param, *, on_found, on_step, **_):
        found = replace(answer.found, question=question)
        on_found(found)
        on_step(Progress("reading", 2, 4, chunk_id=second.chunk_id))
        hold.wait(5)
        kept = context.chats.messages.setdefault(chat_id, [])
        kept.append(MessageRow(len(kept) + 1, chat_id, "user", question, 0.0))
        kept.append(
            MessageRow(len(kept) + 1, chat_id, "assistant", QUOTING, 0.0, (quote,), passages)
        )
        return Answer(QUOTING, (quote,), found, model="m")

    return ask


def test_cards_keep_place_and_number_when_nothing_could_be_written(
    qtbot, context, screen, hold
) -> None:
    context.answer_pipeline.ask = quoting_pipeline(context, hold)
    screen.ask("Who is Ada Merrow?")
    shown = turn(screen, 0)
    qtbot.waitUntil(lambda: shown.source_list is not None and len(shown.source_list.cards) == 4)
    assert shown.step.text() == "Reading passage 2 of 4…"
    cards = shown.source_list.cards
    assert [card.mark.number for card in cards] == ["1", "2", "3", "4"]
    assert shown.passages_heading.text() == "Passages that may answer this"
    heading = shown.passages_head
    qtbot.waitUntil(lambda: shown.source_list.y() == heading.geometry().bottom() + 1)
    top, line = shown.source_list.y(), shown.step_row.height()
    assert screen.turns.verticalScrollBar().value() == 0  # neither before nor afterwards
    excerpt = cards[1].accessibleDescription()
    assert [card.is_read_now for card in cards] == [False, True, False, False]
    assert cards[1].find_rule().width() > cards[0].find_rule().width()
    panel, label = shown.status, shown.step
    assert panel.isVisible() and panel.isAncestorOf(label)
    hold.set()
    qtbot.waitUntil(lambda: is_done(screen) and bool(shown.turn.message_id))
    qtbot.waitUntil(lambda: bool(shown.followups.children()))
    assert shown.source_list.cards == cards and excerpt == cards[1].accessibleDescription()
    assert not any(card.is_read_now for card in cards)
    assert panel.isVisible() and panel.isAncestorOf(shown.notice)  # in the same place
    assert shown.passages_heading.text() == "Passages that may answer this"
    qtbot.waitUntil(lambda: shown.source_list.y() == heading.geometry().bottom() + 1)
    assert shown.source_list.y() == top and shown.notice.height() == line
    assert screen.turns.verticalScrollBar().value() == 0
    assert shown.block.isHidden() and not shown.answer.toPlainText().strip()


def test_while_the_model_is_loaded_the_line_says_what_can_be_done(
    qtbot, context, screen, hold
) -> None:
    answer, steps = rich_answer(), iter((Progress("preparing"), Progress("reading")))
    turn_over = threading.Event()

    def ask(chat_id, question, param, *, on_found, on_step, **_):
        on_found(replace(answer.found, question=question))
        on_step(next(steps))
        turn_over.wait(5)
        on_step(next(steps))
        hold.wait(5)
        return answer

    context.answer_pipeline.ask = ask
    screen.ask("Who is Ada Merrow?")
    shown = turn(screen, 0)
    qtbot.waitUntil(lambda: shown.step.text() == "Loading the model into memory…")
    row = shown.step_row
    qtbot.waitUntil(lambda: "passages below" in row.meanwhile.full_text())
    qtbot.waitUntil(lambda: row.meanwhile.text() == row.meanwhile.full_text())  # is not cut
    turn_over.set()
    qtbot.waitUntil(lambda: shown.step.text() == "Reading…")
    assert row.meanwhile.full_text() == ""


def test_what_an_answer_is_from_is_the_heading_of_its_passages(qtbot, context: FakeContext) -> None:
    passages = rich_answer().found.passages
    cited = Citation(1, passages[0].chunk_id, 1, passages[0].title, 0, 9, "Ada rowed")
    turn = Turn("Who rowed?", "Ada. [1]", (cited,), passages, model="m", answered=True)
    made = TurnWidget(context.theme, replace(turn, n_confirmed=1))
    qtbot.addWidget(made)
    made.resize(720, 600)
    made.show()
    assert made.check_heading.text == "From passage 1"
    opened, pointed = [], []
    made.open_passage.connect(lambda *place: opened.append(place))
    made.check_heading.passage_hovered.connect(pointed.append)
    words = made.check_heading.words
    words.linkHovered.emit("passage:1")
    words.linkHovered.emit("")
    words.linkActivated.emit("passage:1")
    assert (opened, pointed) == ([(1, 0, 9)], [1, 0])
    assert made.passages_heading.isHidden() and made.status.isHidden()
    places = [w.y() for w in (made.block, made.passages_head, made.source_list, made.foot)]
    assert places == sorted(places), "the answer, its evidence, what can be done"
    assert made.block.y() - made.asked.geometry().bottom() - 1 in range(20, 25)
    other = Citation(3, passages[2].chunk_id, 1, passages[2].title, 0, 9, "Ada rowed")
    made.keep(
        replace(turn, text="Ada. [1] She rowed. [3]", citations=(cited, other), n_confirmed=2)
    )
    assert made.check_heading.text == "From passages 1 3"
    assert made.check_heading._sign.isHidden(), "a model is no proof"
    made.keep(replace(turn, model="", n_confirmed=1))
    assert not made.check_heading._sign.isHidden(), "a cell of a table"
    made.keep(turn)
    assert made.passages_head.isHidden(), "nothing was checked"
    assert "Passage 1" in build_tooltip(cited).splitlines()[0]


def test_the_title_of_a_chat_has_one_style(qtbot, context, screen) -> None:
    label = screen.head.title_edit.label
    assert label.property("role") == "title"
    screen.ask("Who is Ada?")
    qtbot.waitUntil(lambda: is_done(screen))
    for title in ("Who is Ada?", "The ferry", ""):
        screen.head.show_chat(title, exists=True)
        assert label.property("role") == "title"


def test_an_answer_that_cites_nothing_says_what_was_read_and_names_no_source(
    qtbot, context, screen
) -> None:
    found = rich_answer().found
    refusal = Answer("Your documents don't seem to say.", (), found, model="m")
    context.answer_pipeline.ask = lambda *a, **k: refusal
    screen.ask("Who is Bob?")
    qtbot.waitUntil(lambda: is_done(screen))
    shown = turn(screen, 0)
    assert shown.note.text() == "4 passages of 2 documents were found. None of them is cited."
    assert shown.foot.sources_button.text() == "4 passages found"


def test_a_long_suggested_question_takes_several_lines(qtbot, context) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    short = QuestionButton(context.theme, "Who?", parent).sizeHint()
    for question in ("Who is " + "Thomas Penhallow, " * 12, "宋江和" + "豹子头林冲" * 20):
        button = QuestionButton(context.theme, question, parent)
        assert button.sizeHint().width() == short.width()
        assert button.sizeHint().height() >= short.height() + button.fontMetrics().height()


def test_a_long_suggestion_has_room_for_its_lines_with_a_style_sheet(qtbot, qapp, context) -> None:
    context.theme.apply(qapp)  # its least height of buttons is all that Qt would ask for
    page = EmptyChat(context.theme)
    qtbot.addWidget(page)
    page.resize(1060, 557)
    page.show()
    qtbot.waitExposed(page)
    rows = context.library_reader.top_entities(4)
    page.show_documents([[replace(r, name=f"{r.name}, " * 4, type="person") for r in rows]])
    page.show_names(rows)
    qtbot.waitUntil(lambda: all(button.isVisible() for button in page.questions()))
    page.layout().activate()
    for button in page.questions():
        assert button.height() >= button.sizeHint().height() > 30, "two lines"


def test_new_suggestions_count_for_the_height_at_once(qtbot, qapp, context) -> None:
    context.theme.apply(qapp)
    page = EmptyChat(context.theme)
    qtbot.addWidget(page)
    page.resize(680, 300)
    page.show()
    qtbot.waitExposed(page)
    before, heights = page.sizeHint().height(), []

    def measure() -> None:
        page.layout().activate()
        heights.append(page.sizeHint().height())

    page.suggested.connect(measure)  # as the screen does, which gives the page its room
    page.show_documents([context.library_reader.top_entities(4)])
    needed = sum(button.sizeHint().height() for button in page.questions())
    assert len(page.questions()) > 1 and heights == [heights[0]]
    assert heights[0] >= before + needed


def test_a_suggested_question_is_asked_by_a_click(qtbot, screen) -> None:
    screen.empty.questions()[0].click()
    qtbot.waitUntil(lambda: is_done(screen))
    assert asks(screen)[0].question == screen.empty.questions()[0].text()


def test_mode_and_documents_are_passed_with_the_question(qtbot, context, screen) -> None:
    asked = {}
    true_ask = context.answer_pipeline.ask

    def ask(chat_id, question, param, **more):
        asked["param"] = param
        return true_ask(chat_id, question, param, **more)

    context.answer_pipeline.ask = ask
    screen.options.set_mode("words")
    qtbot.waitUntil(lambda: screen.options.scope.panel.rows.count() > 3)
    tick(screen.options.scope.panel.rows, 2)
    assert screen.options.scope.text() == "青石镇旧事"
    screen.ask("谁是林秋白？")
    qtbot.waitUntil(lambda: is_done(screen))
    assert (asked["param"].mode, asked["param"].document_ids) == ("words", (2,))


def test_a_chat_is_renamed_and_deleted(qtbot, context, screen) -> None:
    screen.open_chat(11)
    qtbot.waitUntil(lambda: screen.head.title_edit.title() == "Marley's ghost")
    screen.head.title_edit.begin()
    screen.head.title_edit.field.setText("幽灵")
    with qtbot.waitSignal(screen.chat_changed):
        qtbot.keyClick(screen.head.title_edit.field, Qt.Key.Key_Return)
    assert context.chats.rows[0].title == "幽灵"
    screen.head.title_edit.begin()
    screen.head.title_edit.field.setText("something else")
    qtbot.keyClick(screen.head.title_edit.field, Qt.Key.Key_Escape)
    assert screen.head.title_edit.title() == "幽灵" and not screen.head.title_edit.is_edited
    with qtbot.waitSignal(screen.chat_changed):
        screen.head.delete_action.trigger()
    assert screen.chat_id is None and all(r.id != 11 for r in context.chats.rows)
    assert "幽灵" in context.messages.last.text


# --- the answer's own view ----------------------------------------------------------------------


@pytest.fixture
def view(qtbot, context: FakeContext) -> AnswerView:
    made = AnswerView(context.theme)
    qtbot.addWidget(made)
    made.resize(500, 100)
    return made


def test_a_citation_stays_on_the_line_of_its_last_word(view: AnswerView) -> None:
    citation = Citation(1, 100, 1, "The Ferry", 24, 60, "Ada Merrow was the ferrywoman")
    view.show()
    for width in range(150, 760, 7):
        view.resize(width, 100)
        view.set_answer("Ada has to do with it because it is where she came from. [1]", (citation,))
        block = view.document().firstBlock()
        lines = [block.layout().lineAt(n) for n in range(block.layout().lineCount())]
        assert "from" in block.text()[lines[-1].textStart() :]


def test_incomplete_marks_and_spaces_survive_streaming(view: AnswerView) -> None:
    for piece in ("She ", "rows", " ", "well [", "1", "] and ", "**si", "ngs** ", "too", " [2"):
        view.append_piece(piece)
        assert "[" not in view.toPlainText() and "*" not in view.toPlainText()
    assert "".join(view.toPlainText().split()) == "Sherowswell1andsingstoo"


def test_html_in_an_answer_is_text(view: AnswerView) -> None:
    view.set_answer("<b onclick='x'>Ada</b> <img src='file:///etc/passwd'>", ())
    assert view.toPlainText() == "<b onclick='x'>Ada</b> <img src='file:///etc/passwd'>"


def test_nothing_is_loaded_even_for_html_that_asks_for_it(view: AnswerView, tmp_path) -> None:
    secret = tmp_path / "x.html"
    secret.write_text("secret")
    url = QUrl.fromLocalFile(str(secret))
    view.setHtml(f'<img src="{url.toString()}">')
    assert view.loadResource(QTextDocument.ResourceType.ImageResource, url) is None
    document = view.document()
    assert document.resource(QTextDocument.ResourceType.ImageResource, url) is None


def test_a_foreign_address_is_not_followed(qtbot, view: AnswerView) -> None:
    view.set_answer("text", ())
    with qtbot.assertNotEmitted(view.mark_clicked):
        view.anchorClicked.emit(QUrl("https://example.org"))
        view.anchorClicked.emit(QUrl("cite:9"))
    assert not view.openLinks() and not view.openExternalLinks()


def test_a_long_streamed_answer_is_shown_to_its_end(view: AnswerView) -> None:
    for i in range(600):
        view.append_piece(f"word{i} " if i % 40 else "\n\n- item [1] ")
    assert "word599" in view.toPlainText()


def test_suggested_questions_are_about_the_document_in_use(qtbot, context, screen) -> None:
    def suggested() -> str:
        return " ".join(button.text() for button in screen.empty.questions())

    assert "Ada Merrow" in suggested()
    screen.hide()
    screen.set_documents_in_use(lambda: [2])
    screen.show()
    # the others are still there
    qtbot.waitUntil(lambda: 0 < suggested().find("林秋白") + 1 < suggested().find("Ada"))
    screen.hide()
    tick(screen.options.scope.panel.rows, 2)
    screen.show()
    qtbot.waitUntil(lambda: "Ada" not in suggested())
    screen.hide()
    screen.options.scope.panel.all.setChecked(True)
    screen.set_documents_in_use(list)
    screen.show()
    qtbot.waitUntil(lambda: "Ada Merrow" in suggested())


def test_a_chinese_document_has_questions_in_chinese_only(qtbot, context) -> None:
    reader = context.library_reader
    lin = next(row for row in reader.entities.values() if row.name == "林秋白")
    latin = replace(lin, name="Robert Hart", n_mentions=90)
    reader.list_subjects = lambda document_id, limit: [latin, lin] if document_id == 2 else []
    made = ChatScreen(context)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: [b.text() for b in made.empty.questions()] == ["林秋白是谁？"])


def test_a_new_chat_has_its_name_before_its_answer(qtbot, context, screen, hold) -> None:
    context.answer_pipeline.ask = quoting_pipeline(context, hold)
    named = []
    screen.chat_changed.connect(named.append)
    screen.ask("Who is Ada Merrow?")
    qtbot.waitUntil(lambda: len(named) == 2)  # made, and named by the stored question
    assert screen.conversation.is_answering
    hold.set()
    qtbot.waitUntil(lambda: is_done(screen))


def test_texts_begin_and_end_where_the_question_box_does(qtbot, context, screen) -> None:
    screen.ask("Who is Ada?")
    qtbot.waitUntil(lambda: is_done(screen))
    box, shown = screen.box, turn(screen, 0)

    def place(widget: QWidget, right: bool) -> int:
        corner = widget.rect().topRight() if right else widget.rect().topLeft()
        return widget.mapTo(screen, corner).x()

    # without a style sheet, the list has a frame of one pixel
    qtbot.waitUntil(lambda: abs(place(shown.block, False) + INDENT - place(box, False)) <= 1)
    inside = place(shown.answer, False) - place(box, False)  # from the edge of its ground
    assert inside > 8 and abs(place(box, True) - place(shown.answer, True) - inside) <= 2
    assert abs(place(shown.asked.bubble, True) - place(box, True)) <= 1
