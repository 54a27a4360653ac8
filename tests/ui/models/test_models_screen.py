"""The models screen with a fake registry and real lanes."""

from __future__ import annotations

import threading
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication, QWidget

from desktop_app.engine.errors import EnvironmentProblem
from desktop_app.engine.llm.machine import Machine
from desktop_app.engine.llm.model_checks import CheckResult
from desktop_app.engine.llm.model_folders import CHAT_RERANKER
from desktop_app.engine.messages import Message
from desktop_app.ui.models.cards import ColumnHeading, ModelCard, find_known_speed
from desktop_app.ui.models.screen import ModelsScreen, _Found
from desktop_app.ui.theme.stylesheet import build_stylesheet
from desktop_app.ui.widgets import Button, Label, format_size
from tests.ui.fakes import FakeContext


def open_screen(context: FakeContext, qtbot) -> ModelsScreen:
    screen = ModelsScreen(context)
    screen.resize(900, 700)
    qtbot.addWidget(screen)
    screen.show()
    qtbot.waitUntil(lambda: len(screen.cards) == 3)
    qtbot.waitUntil(lambda: all(card.isVisible() for card in screen.cards.values()))
    return screen


def state_of(card: ModelCard) -> str:
    """Return "In use", which is in the place of a button, "installed" or "not installed"."""
    return (card.badge if card.in_use.isHidden() else card.in_use).text()


@pytest.fixture
def screen(context: FakeContext, qtbot) -> ModelsScreen:
    return open_screen(context, qtbot)


def test_the_list_is_prepared_in_steps_and_complete_when_it_is_shown(context: FakeContext, qtbot):
    made = ModelsScreen(context)
    qtbot.addWidget(made)
    counts: list[tuple[int, int]] = []
    for _ in made.prepare():
        counts.append((len(made.cards), len(made.suggestions)))
        QApplication.processEvents()
    assert all(b in (a, a + 1) and d in (c, c + 1) for (a, c), (b, d) in pairwise(counts))
    assert counts[-1] == (3, len(context.model_registry.list_suggestions()))
    assert list(made.prepare()) == []
    other = ModelsScreen(context)
    qtbot.addWidget(other)
    steps = other.prepare()
    next(steps)
    qtbot.waitUntil(lambda: other._showing is not None)
    assert not other.cards
    other.show()
    assert len(other.cards) == 3 and len(other.suggestions) == counts[-1][1]
    assert list(steps) == []


def test_the_rows_have_their_heights_as_soon_as_they_are_shown(context: FakeContext, qtbot):
    screen = ModelsScreen(context)
    screen.resize(900, 500)  # lower than the list, so that a scroll bar takes a part of the width
    qtbot.addWidget(screen)
    screen.show()
    QApplication.processEvents()
    found = context.model_registry
    clear = _Found([], "", [], Machine(0, 0, 0))
    screen._show_found(clear)
    screen._show_found(replace(clear, models=found.list_models(), machine=found.read_machine()))

    def places() -> list[QRect]:
        rows = [*screen.cards.values(), *screen.suggestions, *screen.findChildren(ColumnHeading)]
        return [row.geometry() for row in rows]

    at_once = places()
    assert all(row.isVisible() for row in screen.cards.values())
    qtbot.waitUntil(lambda: len(screen.cards) == 3)
    for _ in range(20):
        QApplication.processEvents()
    assert at_once == places()
    assert all(card.height() >= card.texts.facts.y() for card in screen.cards.values())


def test_a_card_shows_the_requirements_of_a_model(screen: ModelsScreen, qtbot):
    card = screen.cards["reader-4b"]
    columns = card.texts.columns
    screen.resize(1200, 700)
    qtbot.waitUntil(columns.isVisible)
    labels = (columns.size_label, columns.memory, columns.speed, columns.verdict)
    shown = ["2.5 GB", "4.2 GB", "", "runs slowly"]  # "Test speed" is in place of a speed
    assert [label.text() for label in labels] == shown
    assert columns.isAncestorOf(card.check_button)
    facts = "Apache-2.0 · English, Chinese"
    assert card.facts.text() == facts
    screen.resize(600, 700)  # no room for columns
    here = "runs slowly here · speed here: not measured · 2.5 GB · needs 4.2 GB of memory"
    qtbot.waitUntil(lambda: card.facts.text() == f"{here} · {facts}")
    assert not columns.isVisible()
    assert state_of(card) == "In use"
    assert card.check_button.isVisible() and not card.install_button.isVisible()


def set_rows(context: FakeContext, **values) -> None:
    registry = context.model_registry
    registry.rows = [replace(row, **values) for row in registry.rows]


def test_rows_are_alike_and_the_frame_has_a_distance(context: FakeContext, qtbot):
    set_rows(context, note=Message("Quick, but terse."))
    screen = open_screen(context, qtbot)
    used, other = screen.cards["reader-4b"], screen.cards["small-0.6b"]
    assert used.frame.objectName() == "card" and other.frame.objectName() == ""
    assert used.height() - used.frame.geometry().bottom() - 1 == 12
    for card in (used, other):
        texts = card.texts
        middle = texts.title.geometry().center().y()
        badges = [b for b in (card.badge, card.recommended) if b.isVisible()]
        assert all(abs(badge.geometry().center().y() - middle) <= 1 for badge in badges)
        assert texts.note.y() - texts.title.parentWidget().geometry().bottom() <= 3
        assert texts.facts.y() - texts.note.geometry().bottom() <= 3
    assert used.in_use.isVisible() and not used.badge.isVisible() and other.badge.isVisible()
    screen.resize(1200, 700)
    qtbot.waitUntil(lambda: other.height() <= 86)  # three lines
    assert used.title.height() == other.title.height()


def test_a_model_for_tests_is_not_offered_and_is_the_last_one_where_it_is_installed(
    context: FakeContext, qtbot
):
    registry = context.model_registry
    used, other, vectors = (replace(row, in_catalogue=True) for row in registry.rows)
    tiny = replace(other, name="tiny", memory_bytes=300_000_000, for_tests=True)
    registry.rows = [used, tiny, other, vectors]
    screen = open_screen(context, qtbot)
    assert list(screen.cards) == ["reader-4b", "small-0.6b", "e5-small"]
    there = replace(tiny, installed=True, path=Path("/models/t.gguf"))
    registry.rows = [used, there, other, vectors]
    screen.refresh()
    qtbot.waitUntil(lambda: "tiny" in screen.cards)

    def top(name: str) -> int:
        return screen.cards[name].mapTo(screen, QPoint(0, 0)).y()

    qtbot.waitUntil(lambda: top("reader-4b") < top("small-0.6b") < top("tiny"))
    assert not screen.cards["tiny"].recommended.isVisible()


def test_only_the_best_model_for_this_computer_is_recommended(context: FakeContext, qtbot):
    set_rows(context, in_catalogue=True)
    screen = open_screen(context, qtbot)
    recommended = [name for name, card in screen.cards.items() if card.recommended.isVisible()]
    assert recommended == ["small-0.6b"]  # 4.2 GB fit into the memory, and are slow with two cores
    assert "2 processor cores" in screen.cards["small-0.6b"].recommended.toolTip()


def test_a_recommended_model_of_others_is_marked_as_not_tested(context: FakeContext, qtbot):
    context.model_registry.machine = Machine(16_000_000_000, 12_000_000_000, 12)
    screen = open_screen(context, qtbot)
    qtbot.waitUntil(lambda: any(row.recommended.isVisible() for row in screen.suggestions))
    (row,) = [row for row in screen.suggestions if row.recommended.isVisible()]
    assert row.suggestion.memory_bytes == 6_000_000_000
    assert row.untested.isVisible() and row.untested.text() == "not tested with Inkgraph"
    assert not any(card.recommended.isVisible() for card in screen.cards.values())


def test_sizes_stand_below_each_other_and_texts_have_one_edge(context: FakeContext, qtbot):
    screen = open_screen(context, qtbot)
    screen.setStyleSheet(build_stylesheet(context.theme.tokens, {}))  # draws the frame
    screen.resize(1200, 900)

    def parts() -> list:
        return [*screen.cards.values(), *screen.suggestions]

    qtbot.waitUntil(lambda: bool(screen.suggestions))
    qtbot.waitUntil(lambda: {p.width() for p in parts()} == {screen.cards["reader-4b"].width()})
    qtbot.waitUntil(lambda: screen.cards["reader-4b"].width() > 1100)

    def right(label) -> int:
        return label.mapTo(screen, label.rect().topRight()).x()

    def edges(name: str) -> set[int]:
        return {right(getattr(part.texts.columns, name)) for part in parts()}

    for name in ("size_label", "memory", "speed_place", "place"):
        qtbot.waitUntil(lambda name=name: len(edges(name)) == 1)
    shown = [w for p in parts() for w in p.findChildren(Button) if w.isVisible()]
    main = [w for w in shown if w.text() in ("Use", "Download…", "Install")]
    assert len(main) > 4 and len({(right(w), w.width()) for w in main}) == 1
    lefts = {part.texts.mapTo(screen, part.texts.rect().topLeft()).x() for part in parts()}
    assert len(lefts) == 1  # also that of the model in use, which has a frame


def find_last_ink(widget: QWidget) -> int:
    """Return the last column of a widget in which something is drawn."""
    image = widget.grab().toImage()
    ground = image.pixel(0, 0)
    rows = range(image.height())
    return max(x for x in range(image.width()) if any(image.pixel(x, y) != ground for y in rows))


def test_the_link_that_tests_a_model_ends_where_the_speeds_end(context: FakeContext, qtbot):
    screen = open_screen(context, qtbot)
    screen.setStyleSheet(build_stylesheet(context.theme.tokens, {}))
    screen.resize(1200, 900)
    qtbot.waitUntil(lambda: screen.cards["reader-4b"].texts.columns.isVisible())
    qtbot.waitUntil(lambda: screen.cards["reader-4b"].width() > 1100)
    link, text = (screen.cards[n].texts.columns.speed_place for n in ("reader-4b", "small-0.6b"))
    assert screen.cards["reader-4b"].check_button.isVisible()
    # of the letters, whose sides differ by a pixel or two
    assert abs(find_last_ink(link) - find_last_ink(text)) <= 2


def test_one_button_is_the_main_action(context: FakeContext, qtbot):
    set_rows(context, in_catalogue=True)
    screen = open_screen(context, qtbot)
    qtbot.waitUntil(lambda: bool(screen.suggestions))

    def primary() -> list[str]:
        buttons = screen.findChildren(Button)
        return [b.text() for b in buttons if b.isVisible() and b.property("kind") == "primary"]

    assert primary() == ["Install"]  # of the recommended model
    screen.install("small-0.6b")
    qtbot.waitUntil(lambda: primary() == ["Use"])
    card = screen.cards["small-0.6b"]
    card.use_clicked.emit(card.name)
    qtbot.waitUntil(lambda: not card.use_button.isVisible())
    assert primary() == []  # no larger model competes with the recommended one


def test_another_embedding_model_says_that_passages_are_read_again(
    context: FakeContext, screen: ModelsScreen, qtbot
):
    screen.install("small-0.6b")
    qtbot.waitUntil(lambda: state_of(screen.cards["small-0.6b"]) == "installed")
    context.messages.clear()
    screen.cards["small-0.6b"].use_clicked.emit("small-0.6b")
    qtbot.waitUntil(lambda: state_of(screen.cards["small-0.6b"]) == "In use")
    assert context.messages.last is None  # a chat model answers at once
    screen.cards["e5-small"].use_clicked.emit("e5-small")
    text = "Multilingual E5 small reads all passages again. Until then, questions search by words"
    assert context.messages.last.text.startswith(text)


def test_the_buttons_of_a_row_are_on_the_line_of_its_sizes_and_stay_there(screen, qtbot):
    card = screen.cards["reader-4b"]
    screen.resize(1200, 700)
    qtbot.waitUntil(card.texts.columns.isVisible)

    def middle(widget) -> int:
        return widget.mapTo(card, widget.rect().center()).y()

    before = middle(card.check_button)
    for part in (card.texts.columns.size_label, card.title, card.in_use, card.remove_button):
        assert abs(before - middle(part)) <= 1
    card.show_result(CheckResult(True, Message("It works."), sample="Yes."))
    QApplication.processEvents()
    assert card.result.isVisible() and middle(card.check_button) == before


def test_the_three_states_of_a_model_look_different(screen, context, qtbot):
    card = screen.cards["reader-4b"]
    other = screen.cards["small-0.6b"]

    def look(card) -> tuple[str, str, bool]:
        badge = card.badge if card.in_use.isHidden() else card.in_use
        return badge.text(), badge.look, bool(card.frame.property("chosen"))

    assert look(card) == ("In use", "bare", True)
    assert look(other) == ("not installed", "plain", False)
    screen.install("small-0.6b")
    qtbot.waitUntil(lambda: look(other) == ("installed", "", False))
    other.use_clicked.emit(other.name)
    qtbot.waitUntil(lambda: look(other) == ("In use", "bare", True))
    assert look(card) == ("installed", "", False)


def test_a_row_has_at_most_one_button_with_a_border(screen, qtbot):
    screen.install("small-0.6b")
    qtbot.waitUntil(lambda: screen.cards["small-0.6b"].use_button.isVisible())
    for card in screen.cards.values():
        buttons = [b for b in card.findChildren(Button) if b.isVisible()]
        assert len([b for b in buttons if b.property("kind") not in ("quiet", "link")]) <= 1


def test_the_list_fills_the_window_and_is_centred_in_a_very_wide_one(screen: ModelsScreen, qtbot):
    card = screen.cards["reader-4b"]
    screen.resize(1200, 700)
    qtbot.waitUntil(lambda: card.mapTo(screen, card.rect().topLeft()).x() == 16)
    qtbot.waitUntil(lambda: card.width() > 1140)
    screen.resize(1900, 700)
    qtbot.waitUntil(lambda: card.width() == 1200)
    left = card.mapTo(screen, card.rect().topLeft()).x()
    assert abs(left - (screen.width() - card.width()) / 2) < 12


def test_without_a_chat_model_a_banner_is_shown(empty_context: FakeContext, qtbot):
    screen = open_screen(empty_context, qtbot)
    qtbot.waitUntil(screen.banner.isVisible)
    qtbot.waitUntil(screen.cards["reader-4b"].install_button.isVisible)


def test_with_a_chat_model_there_is_no_banner(screen: ModelsScreen):
    assert not screen.banner.isVisible()


def test_installing_shows_progress_and_then_the_model(screen, context, qtbot):
    hold = context.model_registry.hold = threading.Event()
    card = screen.cards["small-0.6b"]
    qtbot.mouseClick(card.install_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: card.line.isVisible() and card.cancel_button.isVisible())
    assert not card.install_button.isVisible()
    hold.set()
    qtbot.waitUntil(lambda: card.use_button.isVisible())
    assert not card.line.isVisible()
    assert "Small 0.6B is installed." in context.messages.last.text


def test_an_installation_can_be_cancelled(screen, context, qtbot):
    context.model_registry.hold = threading.Event()
    card = screen.cards["small-0.6b"]
    screen.install("small-0.6b")
    qtbot.waitUntil(card.cancel_button.isVisible)
    qtbot.mouseClick(card.cancel_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(card.install_button.isVisible)
    assert context.messages.last is None


def test_a_failed_installation_shows_the_reason_and_can_be_repeated(screen, context, qtbot):
    context.model_registry.install_fails = EnvironmentProblem("The disk is full.", "Free 500 MB.")
    screen.install("small-0.6b")
    qtbot.waitUntil(lambda: context.messages.last is not None)
    assert context.messages.last.text == "The disk is full. Free 500 MB."
    qtbot.waitUntil(screen.cards["small-0.6b"].install_button.isVisible)


def test_a_check_shows_speed_and_a_sample(screen, qtbot):
    card = screen.cards["reader-4b"]
    qtbot.mouseClick(card.check_button, Qt.MouseButton.LeftButton)
    assert card.check_button.text() == "Test speed"
    qtbot.waitUntil(lambda: "18.6 tokens/s" in card.result.text())
    assert "船在黎明开" in card.sample.text()
    assert card.check_button.isEnabled()


def test_the_model_in_use_is_marked(screen, context, qtbot):
    screen.install("small-0.6b")
    card = screen.cards["small-0.6b"]
    qtbot.waitUntil(card.use_button.isVisible)
    qtbot.mouseClick(card.use_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: state_of(card) == "In use")
    assert state_of(screen.cards["reader-4b"]) == "installed"


def test_removing_asks_first(screen, context, qtbot):
    card = screen.cards["reader-4b"]
    qtbot.mouseClick(card.remove_button, Qt.MouseButton.LeftButton)
    assert card.remove_button.isVisible()
    context.messages.last.action()
    qtbot.waitUntil(card.install_button.isVisible)
    qtbot.waitUntil(screen.banner.isVisible)


def test_a_reranker_is_chosen_and_removed(screen, context, qtbot):
    choice = screen.reranker.choice
    qtbot.waitUntil(lambda: choice.count() == 2)
    assert choice.currentData() == ""
    choice.setCurrentIndex(1)
    choice.activated.emit(1)
    qtbot.waitUntil(lambda: context.model_registry.reranker == CHAT_RERANKER)
    qtbot.waitUntil(lambda: choice.currentData() == CHAT_RERANKER)
    choice.setCurrentIndex(0)
    choice.activated.emit(0)
    qtbot.waitUntil(lambda: context.model_registry.reranker == "")


def test_without_a_chat_model_no_reranking_by_it_is_offered(empty_context, qtbot):
    screen = open_screen(empty_context, qtbot)
    qtbot.waitUntil(lambda: screen.reranker.choice.count() == 1)


def test_a_model_that_was_set_aside_is_shown_as_such_until_it_is_tested(screen, context, qtbot):
    rows, card = context.model_registry.rows, screen.cards["e5-small"]
    assert state_of(card) == "In use"
    good = rows[2]
    rows[2] = replace(good, active=False, damaged=True, note=Message("It stopped twice."))
    screen.hide()
    screen.show()
    qtbot.waitUntil(lambda: card.texts.note.text() == "It stopped twice.")
    assert state_of(card) == "installed" and card.use_button.isVisible()
    rows[2] = good
    qtbot.mouseClick(card.check_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: state_of(card) == "In use")
    assert card.result.isVisible()


def test_a_measured_speed_is_a_number_in_its_column(context, qtbot):
    set_rows(context, tokens_per_s=18.6)
    screen = open_screen(context, qtbot)
    speeds = {name: card.texts.columns.speed.text() for name, card in screen.cards.items()}
    assert speeds["reader-4b"] == "19 tokens/s"
    assert speeds["small-0.6b"] == "about 97 tokens/s"  # not installed
    assert speeds["e5-small"] == ""  # it writes nothing
    assert screen.cards["e5-small"].check_button.text() == "Test"


def test_the_top_says_which_model_is_used_what_runs_well_and_what_a_larger_one_gives(
    context, qtbot
):
    set_rows(context, in_catalogue=True)
    registry = context.model_registry
    registry.machine = replace(registry.machine, free_disk_bytes=60_000_000_000)
    screen = open_screen(context, qtbot)
    qtbot.waitUntil(lambda: bool(screen.summary.lines))
    lines = screen.summary.lines
    assert lines["In use"] == "Reader 4B instruct · recommended: Small 0.6B"
    assert lines["This computer"].endswith(" · 2 processor cores · 60.0 GB free on the disk")
    assert lines["Runs well here"] == (
        "Models that need up to 2.0 GB of memory; larger ones are slow with 2 processor cores"
    )
    assert lines["A larger model"].startswith("Fewer mistakes, but slower: Qwen2.5 7B Instruct, ")


def test_without_a_chat_model_the_top_says_that_passages_are_quoted(empty_context, qtbot):
    screen = open_screen(empty_context, qtbot)
    qtbot.waitUntil(lambda: bool(screen.summary.lines))
    assert screen.summary.lines["In use"].startswith("None; questions are answered by quoting")
    assert "A larger model" not in screen.summary.lines


def count_pixels(label: QWidget) -> int:
    """Return how wide the text of a cell is."""
    if isinstance(label, Label):
        return QFontMetrics(label.font()).horizontalAdvance(label.text())
    return label.sizeHint().width()


@pytest.mark.parametrize("rate", [0.0, 0.9, 18.6])
@pytest.mark.parametrize(
    ("language", "scale"), [("en", 1.0), ("en", 1.5), ("zh", 1.0), ("zh", 1.5)]
)
def test_the_text_of_every_cell_has_room_in_its_column(
    context, qtbot, request, rate, language, scale
):
    if language == "zh":
        request.getfixturevalue("chinese")
    context.theme.set_scale(scale)
    rows = context.model_registry.rows
    sizes = [98_000_000, 491_000_000, 188_600_000_000]  # of very unlike models
    context.model_registry.rows = [
        replace(row, size_bytes=size, memory_bytes=size, tokens_per_s=rate if row.active else 0.0)
        for row, size in zip(rows, sizes, strict=True)
    ]
    screen = open_screen(context, qtbot)
    screen.resize(2000, 900)
    qtbot.waitUntil(lambda: len(screen.suggestions) > 2)
    parts = [*screen.cards.values(), *screen.suggestions]
    qtbot.waitUntil(lambda: all(part.texts.columns.isVisible() for part in parts))
    heads = [head for bar in screen.findChildren(ColumnHeading) for head in bar.heads]
    cells = [(head, head) for head in heads]
    for part in parts:
        columns = part.texts.columns
        speed = part.check_button if isinstance(part, ModelCard) else columns.speed
        for shown in (columns.speed, speed):
            if shown.isVisible():
                cells.append((shown, columns.speed_place))
        cells.append((columns.size_label, columns.size_label))
        cells.append((columns.memory, columns.memory))
        if columns.verdict.isVisible():
            cells.append((columns.verdict, columns.place))
    assert len(cells) > 20
    narrow = [cell.text() for cell, column in cells if count_pixels(cell) > column.width()]
    assert narrow == []
    in_use = next(c for c in screen.cards.values() if c.in_use.isVisible())  # its speed is known
    columns, test = in_use.texts.columns, in_use.check_button
    assert columns.speed.isVisible() and test.isVisible()
    assert count_pixels(columns.speed) <= columns.speed.width()
    assert columns.speed.geometry().right() < test.geometry().left()
    for part in parts:  # and no column begins before the end of the one at its left
        columns = part.texts.columns
        places = (columns.size_label, columns.memory, columns.speed_place, columns.place)
        assert all(a.geometry().right() < b.geometry().left() for a, b in pairwise(places))


def test_the_foot_says_how_much_of_the_disk_the_models_take(screen, context):
    installed = [m for m in context.model_registry.list_models() if m.installed]
    size = format_size(sum(m.size_bytes for m in installed))
    assert screen.place.text().endswith(f" · {len(installed)} models, {size}")
    assert screen.folder_button.isVisibleTo(screen)


def test_estimated_speeds_say_with_which_model_they_are_compared(context, qtbot):
    set_rows(context, tokens_per_s=0.0)
    screen = open_screen(context, qtbot)
    known = find_known_speed(context.model_registry.list_models())
    heads = screen.larger_heads
    assert heads.text.text().endswith(f"Speeds are compared with {known.title}.")
    heads.set_compared(replace(known, tokens_per_s=9.0))
    assert "compared" not in heads.text.text(), "tokens per second need no comparison"


def test_a_recommended_starter_has_one_badge_for_both(context, qtbot):
    set_rows(context, in_starter=True, installed=False)
    screen = open_screen(context, qtbot)
    card = next(iter(screen.cards.values()))
    card.show_recommended("")
    assert card.starter.isVisible() and not card.recommended.isVisible()
    card.show_recommended("The largest one that is fast enough.")
    assert card.recommended.isVisible() and not card.starter.isVisible()
    card.show_model(card._model, screen._machine)
    assert not card.starter.isVisible(), "also when the list is read again"


# --- what a model can do -------------------------------------------------------------------------


def test_what_a_model_can_do_is_asked_shown_and_kept(context: FakeContext, qtbot):
    checks = context.capability_checks
    screen = open_screen(context, qtbot)
    card = screen.cards["reader-4b"]
    assert card.capability_button.text() == "What can this model do?"
    assert card.capability_button.isVisible() and not card.capabilities.isVisible()
    assert not screen.cards["small-0.6b"].capability_button.isVisible()  # not installed
    assert not screen.cards["e5-small"].capability_button.isVisible()
    checks.hold = threading.Event()
    qtbot.mouseClick(card.capability_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: card.progress_text.text() == "Question 2 of 2: 林秋白住在哪里？")
    assert card.cancel_button.isVisible() and not card.capability_button.isVisible()
    checks.hold.set()
    qtbot.waitUntil(card.capabilities.isVisible)
    table = card.capabilities
    assert [(name.text(), value.text()) for name, value in table.facts.rows] == [
        ("Citations", "3 of 4"),
        ("Not in the documents", "2 of 3"),
        ("English", "3 of 3"),
        ("Chinese", "1 of 3"),
        ("Speed", "writes 19 and reads 98 tokens/s, first word after 4.2 s"),
    ]
    assert all(name.toolTip() for name, _ in table.facts.rows)
    assert "Don't trust its answers about Chinese texts." in table.use.text()
    assert table.origin.text().endswith("with Inkgraph 0.2.0 · 10 questions · 1 min 1 s")
    assert card.capability_button.text() == "Check again what it can do"
    assert not card.cancel_button.isVisible() and card.in_use.isVisible()
    again = open_screen(context, qtbot).cards["reader-4b"]
    assert again.capabilities.isVisible()


def test_the_check_can_be_stopped(context: FakeContext, qtbot):
    context.capability_checks.hold = threading.Event()
    screen = open_screen(context, qtbot)
    card = screen.cards["reader-4b"]
    qtbot.mouseClick(card.capability_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(card.cancel_button.isVisible)
    qtbot.mouseClick(card.cancel_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(card.capability_button.isVisible)
    assert not card.capabilities.isVisible() and not card.line.isVisible()
    assert context.messages.last is None


def test_a_model_that_fails_the_check_is_reported(context: FakeContext, qtbot):
    def fail(*_: object) -> None:
        raise EnvironmentProblem("The model stopped.", "Ask again.")

    context.capability_checks.check = fail
    screen = open_screen(context, qtbot)
    card = screen.cards["reader-4b"]
    qtbot.mouseClick(card.capability_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: context.messages.last is not None)
    assert "The model stopped." in context.messages.last.text
    qtbot.waitUntil(card.capability_button.isVisible)
