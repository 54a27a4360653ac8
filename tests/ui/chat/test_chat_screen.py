"""The chat screen with a fake pipeline: asking, streaming, cancelling, queueing, failing."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QGuiApplication, QTextDocument

from desktop_app.engine.errors import EnvironmentProblem
from desktop_app.engine.model import Answer, Citation, MessageRow, RetrievalResult
from desktop_app.ui.chat.answer_view import AnswerView
from desktop_app.ui.chat.screen import ChatScreen
from desktop_app.ui.chat.turn_widget import TurnWidget
from desktop_app.ui.chat.turns import QuestionJob
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


@pytest.fixture
def hold(context: FakeContext) -> Iterator[threading.Event]:
    """Block answers until it is set; set at the end in any case."""
    event = threading.Event()
    context.answer_pipeline.hold = event
    yield event
    event.set()


def turn(screen: ChatScreen, place: int) -> TurnWidget:
    return screen.turns.widgets()[place]


def asks(screen: ChatScreen) -> list[QuestionJob]:
    return list(screen.questions)


def is_done(screen: ChatScreen) -> bool:
    return bool(asks(screen)) and not any(ask.is_live for ask in screen.questions)


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
    qtbot.waitUntil(lambda: bar.maximum() > 0 and bar.value() == bar.maximum())
    before = screen.turns.n_earlier
    bar.setValue(0)
    qtbot.waitUntil(lambda: screen.turns.n_earlier < before)
    qtbot.waitUntil(lambda: bar.value() > 100)  # the scroll position is kept
    with qtbot.waitSignal(screen.open_passage) as opened:
        turn(screen, 3).answer.anchorClicked.emit(QUrl("cite:1"))
    assert opened.args == [1, 24, 60]


def test_the_list_does_not_follow_a_reader_who_scrolled_up(qtbot, context, screen) -> None:
    context.answer_pipeline.answer = "A line of an answer.\n\n" * 40
    screen.ask("Long?")
    qtbot.waitUntil(lambda: is_done(screen))
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
    screen.choices.set_mode("words")
    qtbot.waitUntil(lambda: screen.choices.scope.panel.rows.count() > 3)
    tick(screen.choices.scope.panel.rows, 2)
    assert screen.choices.scope.text() == "青石镇旧事"
    screen.ask("谁是林秋白？")
    qtbot.waitUntil(lambda: is_done(screen))
    assert (asked["param"].mode, asked["param"].document_ids) == ("words", (2,))


def test_a_chat_is_renamed_and_deleted(qtbot, context, screen) -> None:
    screen.open_chat(11)
    qtbot.waitUntil(lambda: screen.head.title_edit.title() == "Marley's ghost")
    screen.head.title_edit.begin()
    screen.head.title_edit.setText("幽灵")
    with qtbot.waitSignal(screen.chat_changed):
        qtbot.keyClick(screen.head.title_edit, Qt.Key.Key_Return)
    assert context.chats.rows[0].title == "幽灵"
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


def test_incomplete_marks_and_spaces_survive_streaming(view: AnswerView) -> None:
    for piece in ("She ", "rows", " ", "well [", "1", "] and ", "**si", "ngs** ", "too", " [2"):
        view.append_piece(piece)
        assert "[" not in view.toPlainText() and "*" not in view.toPlainText()
    assert view.toPlainText().rstrip() == "She rows well1 and sings too"


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
