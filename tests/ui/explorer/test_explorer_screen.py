"""The graph screen over a fake library."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.model import MentionRow, Subgraph
from desktop_app.ui.explorer.export import save_picture
from desktop_app.ui.explorer.inspector import EvidenceLabel, PressRow
from desktop_app.ui.widgets import Button, ElidedLabel, Label
from tests.ui.explorer.fake_library import OPENED_MS, make_graph


def spot(screen, entity_id: int) -> QPoint:
    row = screen.canvas.data.row_of[entity_id]
    return QPoint(*(round(float(v)) for v in screen.canvas.frame().points[row]))


def click(qtbot, screen, entity_id: int) -> None:
    qtbot.mouseClick(
        screen.canvas.viewport(), Qt.MouseButton.LeftButton, pos=spot(screen, entity_id)
    )


def names(screen) -> set[str]:
    return {entity.name for entity in screen.canvas.data.entities}


def test_an_empty_library_says_what_to_do(open_screen) -> None:
    screen = open_screen(Subgraph((), (), 0))
    assert screen.surface.pages.currentWidget() is screen.surface.empty
    assert screen.surface.empty.title.text() == "No names yet"


@pytest.mark.parametrize("n", [1, 501])
def test_one_name_and_a_star_are_shown(open_screen, n: int) -> None:
    graph = make_graph([f"Name {i}" for i in range(n)], [(0, i) for i in range(1, n)])
    screen = open_screen(graph)
    assert len(screen.canvas.data) == min(n, 150)
    assert not screen.grab().isNull()


def test_the_most_connected_names_are_shown_first(open_screen) -> None:
    pairs = [(0, i) for i in range(1, 160)]
    screen = open_screen(make_graph([f"Name {i}" for i in range(160)], pairs))
    assert "Name 0" in names(screen)
    assert screen.surface.budget.text.text() == "150 top names of 160"
    assert screen.surface.budget.more.isVisible()


def test_show_more_adds_names_and_keeps_positions(open_screen, qtbot) -> None:
    pairs = [(0, i) for i in range(1, 180)]
    screen = open_screen(make_graph([f"Name {i}" for i in range(180)], pairs))
    before = screen.canvas.data.places[0].copy()
    with qtbot.waitSignal(screen.shown, timeout=OPENED_MS):
        screen.surface.budget.more.click()
    assert len(screen.canvas.data) == 180
    assert np.abs(screen.canvas.data.places[0] - before).max() < 90


def test_a_view_always_has_the_same_layout(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    before = screen.canvas.data.places.copy()
    with qtbot.waitSignal(screen.shown):
        screen.show_entities([4])
    with qtbot.waitSignal(screen.shown):
        screen.show_top()
    assert np.array_equal(screen.canvas.data.places, before)


def test_a_click_on_a_name_shows_where_it_is_mentioned(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    click(qtbot, screen, 1)
    qtbot.waitUntil(lambda: screen.surface.inspector.details is not None)
    assert screen.surface.inspector.details.card.row.name == "Scrooge"
    rows = screen.surface.inspector.findChildren(PressRow)
    mention = next(row for row in rows if "candle" in row.accessibleName())
    with qtbot.waitSignal(screen.open_passage) as opened:
        mention.pressed.emit()
    assert opened.args == [7, 105, 110]


def test_numbers_have_a_heading_and_all_connections_are_shown_on_request(open_screen, qtbot):
    cast = ["Hub", *(f"Name {k}" for k in range(15))]
    screen = open_screen(make_graph(cast, [(0, k) for k in range(1, 16)]))
    screen.canvas.select_row(screen.canvas.data.row_of[1])
    inspector = screen.surface.inspector
    qtbot.waitUntil(lambda: inspector.details is not None)
    assert "passages" in {label.text() for label in inspector.findChildren(Label)}

    def shown() -> list[str]:
        rows = [row.accessibleName() for row in inspector.findChildren(PressRow)]
        return [name for name in rows if name in cast]

    assert len(shown()) == 8
    (more,) = [b for b in inspector.findChildren(Button) if b.text() == "Show 7 more"]
    qtbot.mouseClick(more, Qt.MouseButton.LeftButton)
    assert sorted(shown()) == sorted(cast[1:]) and more.isHidden()


def test_evidence_of_one_document_has_its_chapter_and_marks_the_name(open_screen, qtbot, cast):
    screen = open_screen(cast)
    reader = screen.context.library_reader
    (place,) = reader.fetch_mentions(1, 1)
    chapters = [replace(place, heading=f"Book One › Chapter {k}", sentence=f"{k}: {place.sentence}")
                for k in range(2)]  # fmt: skip
    reader.fetch_mentions = lambda entity_id, limit: chapters
    click(qtbot, screen, 1)
    inspector = screen.surface.inspector
    qtbot.waitUntil(lambda: inspector.details is not None)
    texts = [label.full_text() for label in inspector.findChildren(ElidedLabel)]
    assert texts.count("A Winter Tale") == 1
    assert "Chapter 0 · p. 12" in texts and "Chapter 1 · p. 12" in texts
    other = replace(place, document_id=8, document_title="Another")
    reader.fetch_mentions = lambda entity_id, limit: [place, other]
    screen.canvas.select_row(None)
    click(qtbot, screen, 1)
    qtbot.waitUntil(lambda: inspector.details is not None)
    qtbot.waitUntil(lambda: inspector.details.mentions[1] == other)
    texts = [label.full_text() for label in inspector.findChildren(ElidedLabel)]
    assert "A Winter Tale, p. 12" in texts and "Another, p. 12" in texts


def test_both_names_of_a_connection_are_marked_in_its_evidence(theme, qtbot):
    sentence = "Marley was dead, said Scrooge, and the fire was out."
    mention = MentionRow(7, "A Winter Tale", 1, sentence, 0, len(sentence), sentence, 0)
    label = EvidenceLabel(theme, mention, ("Scrooge", "Marley"))
    qtbot.addWidget(label)
    bold = [part.split("</span>")[0] for part in label.text().split('font-weight:600">')[1:]]
    assert bold == ["Marley", "Scrooge"]


def test_the_steps_around_a_name_are_shown_as_a_number(open_screen, qtbot, cast):
    screen = open_screen(cast)
    bar = screen.surface.bar
    bar.set_chosen(1, pinned=False, depth=2)
    assert bar.depth_label.text() == "Steps: 2"
    bar.depth_slider.setValue(3)
    assert bar.depth_label.text() == "Steps: 3"


def test_evidence_shows_a_sentence_once(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    reader = screen.context.library_reader
    twice = [mention for mention in reader.fetch_mentions(1, 6) for _ in range(2)]
    reader.fetch_mentions = lambda entity_id, limit: twice[:limit]
    click(qtbot, screen, 1)
    qtbot.waitUntil(lambda: screen.surface.inspector.details is not None)
    shown = [mention.sentence for mention in screen.surface.inspector.details.mentions]
    assert shown and len(shown) == len(set(shown))


def test_a_sentence_says_that_the_graph_is_loaded(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    panel = screen.surface.arranging
    panel.begin()
    qtbot.waitUntil(panel.isVisible)
    assert panel.text.text() == "Loading the graph…" and not panel.stop.isVisible()
    panel.set_share(0.5, 20_000)
    assert panel.text.text() == "Arranging 20,000 names" and panel.stop.isVisible()
    panel.end()
    assert not panel.isVisible()


def test_a_click_on_a_connection_selects_it(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    click(qtbot, screen, 1)
    qtbot.waitUntil(lambda: screen.surface.inspector.details is not None)
    rows = screen.surface.inspector.findChildren(PressRow)
    next(row for row in rows if row.accessibleName() == "Marley").pressed.emit()
    assert screen.canvas.selected_id() == 2


def test_a_double_click_opens_the_entity(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    with qtbot.waitSignal(screen.open_entity) as opened:
        qtbot.mouseDClick(screen.canvas.viewport(), Qt.MouseButton.LeftButton, pos=spot(screen, 3))
    assert opened.args == [3]


def test_back_shows_a_hidden_name_again(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    screen.canvas.select_entity(2)
    with qtbot.waitSignal(screen.shown):
        screen.surface.bar.buttons["hide"].click()
    assert "Marley" not in names(screen)
    with qtbot.waitSignal(screen.shown):
        screen.toolbar.back.click()
    assert "Marley" in names(screen)
    assert screen.toolbar.forward.isEnabled()


def test_expanding_adds_neighbours_and_moves_nodes_little(open_screen, qtbot) -> None:
    pairs = [(0, i) for i in range(1, 5)] + [(4, i) for i in range(5, 90)]
    screen = open_screen(make_graph([f"Name {i}" for i in range(90)], pairs))
    with qtbot.waitSignal(screen.shown, timeout=OPENED_MS):
        screen.show_entities([1])
    screen.graph_actions.expand([1])
    with qtbot.waitSignal(screen.shown, timeout=OPENED_MS):
        screen.show_entities([1])
    before = {e.id for e in screen.canvas.data.entities}
    screen.graph_actions.expand([5])
    qtbot.waitUntil(lambda: screen.graph_actions.dialog is not None)
    assert len(screen.graph_actions.dialog.ids()) == 24
    with qtbot.waitSignal(screen.shown, timeout=OPENED_MS):
        screen.graph_actions.dialog.add_button.click()
    assert before < {e.id for e in screen.canvas.data.entities}
    assert len(screen.canvas.data) == len(before) + 24


def test_names_deleted_elsewhere_disappear(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    screen.canvas.select_entity(2)
    screen.context.library_reader.gone.add(2)
    with qtbot.waitSignal(screen.shown):
        screen.context.hub.publish_edit(ChangeNotice(entities=frozenset({1})))
    assert "Marley" not in names(screen)
    assert screen.canvas.selected_id() is None
    assert not screen.context.messages.errors


def test_the_legend_hides_a_type(open_screen, cast) -> None:
    screen = open_screen(cast)
    screen.surface.legend.toggles[0].click()
    shown = [e.type for e, s in zip(cast.entities, screen.canvas.data.shown, strict=True) if s]
    assert "person" not in shown
    assert shown


def test_a_typed_name_is_found_and_shown(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    screen.toolbar.search.setText("宋")
    qtbot.waitUntil(lambda: screen.toolbar.search.found.rowCount() == 1)
    with qtbot.waitSignal(screen.shown):
        qtbot.keyClick(screen.toolbar.search, Qt.Key.Key_Return)
    assert screen.canvas.selected_id() == 5
    assert names(screen) == {"宋江", "London"}


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_the_view_can_be_saved(open_screen, cast, tmp_path, ending: str) -> None:
    screen = open_screen(cast)
    path = tmp_path / f"graph.{ending}"
    save_picture(screen.canvas, path)
    if ending == "png":
        assert QImage(str(path)).width() == 2 * screen.canvas.width()
    else:
        assert "Scrooge" in path.read_text("utf-8")
