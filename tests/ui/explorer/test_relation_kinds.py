"""Kinds of relations in the graph: line styles, filter, descriptions."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QLabel

from desktop_app.engine.model import WRITES, EntityCard, RelationRow, Subgraph
from desktop_app.ui.explorer.frame import Scene
from desktop_app.ui.explorer.inspector import EntityDetails, PressRow
from desktop_app.ui.explorer.layers import RelationLayer, shows_kinds
from desktop_app.ui.explorer.tooltips import build_entity_tooltip, build_relation_tooltip
from desktop_app.ui.widgets.kind_marks import KindMark
from desktop_app.ui.widgets.words import (
    KINDS,
    format_kind,
    format_statement,
    format_sureness,
    look_of_kind,
    shorten_list,
    sureness_level,
)
from tests.ui.explorer.fake_library import make_graph

CAST = ["Scrooge", "Marley", "Bob", "Tim", "Fred", "宋江"]
TIES = [(0, 1), (0, 2), (2, 3), (0, 4), (4, 5)]
KIND_OF = ["work", "work", "family", "family", ""]


@pytest.fixture
def enriched() -> Subgraph:
    graph = make_graph(CAST, TIES)
    relations = tuple(
        replace(r, kind=kind, n_enriched=bool(kind), confidence=0.8 if kind else 0.0)
        for r, kind in zip(graph.relations, KIND_OF, strict=True)
    )
    entities = tuple(replace(e, n_enriched=2) for e in graph.entities)
    return Subgraph(entities, relations, graph.n_all)


def shown(screen) -> set[str]:
    data = screen.canvas.data
    return {e.name for e, on in zip(data.entities, data.shown, strict=True) if on}


def test_an_instant_graph_has_no_legend_of_kinds(open_screen) -> None:
    screen = open_screen(make_graph(CAST, TIES))
    assert screen.surface.kinds.isHidden() and not screen.surface.kinds.toggles
    assert not shows_kinds(screen.canvas.frame(), screen.canvas.data)


def test_the_legend_lists_the_shown_kinds(open_screen, enriched) -> None:
    screen = open_screen(enriched)
    assert list(screen.surface.kinds.toggles) == ["family", "work", ""]
    assert screen.surface.kinds.isVisible()
    assert screen.surface.kinds.height() >= 3 * 26 + 28  # none overlaps
    assert not screen.surface.kinds.geometry().intersects(screen.surface.legend.geometry())
    assert shows_kinds(screen.canvas.frame(), screen.canvas.data)


def test_hiding_a_kind_hides_its_edges_and_isolated_names(open_screen, enriched) -> None:
    screen = open_screen(enriched)
    screen.surface.kinds.toggles["work"].click()
    assert shown(screen) == {"Scrooge", "Bob", "Tim", "Fred", "宋江"}
    assert "Marley" not in shown(screen)
    row = screen.canvas.data.row_of[1]
    assert [screen.canvas.data.relations[i].kind for i in screen.canvas.data.relations_of(row)] == [
        "family"
    ]
    screen.surface.kinds.toggles["work"].click()
    assert shown(screen) == set(CAST)


def test_the_filter_keeps_only_confirmed_relations(open_screen, enriched, qtbot) -> None:
    screen = open_screen(enriched)
    screen.surface.kinds.confirmed.click()
    assert shown(screen) == set(CAST) - {"宋江"}
    kinds = {screen.canvas.data.relations[i].kind for i in screen.canvas.frame().lines}
    assert "" not in kinds
    with qtbot.waitSignal(screen.shown):
        screen.show_entities([1])
    assert "宋江" not in shown(screen)  # the filter also applies to the next view


def test_clearing_the_filters_shows_every_kind_of_connection_again(open_screen, enriched) -> None:
    screen = open_screen(enriched)
    screen.surface.kinds.toggles["work"].click()
    screen.surface.kinds.confirmed.click()
    screen.surface.filters.clear.click()
    assert screen.canvas.data.wanted.all()


def test_every_kind_is_drawn_in_its_own_style(open_screen, enriched) -> None:
    screen = open_screen(enriched)
    canvas = screen.canvas

    def picture() -> np.ndarray:
        image = QImage(canvas.size(), QImage.Format.Format_RGB32)
        image.fill(canvas.palette_now.background)
        painter = QPainter(image)
        scene = Scene(canvas.frame(), canvas.data, canvas.focus, canvas.palette_now)
        RelationLayer().paint(painter, scene)
        painter.end()
        return np.array(image.constBits()).reshape(image.height(), -1).copy()

    message = picture()
    canvas.data.kinds = ("",) * len(canvas.data.kinds)
    assert not np.array_equal(message, picture())


def test_tooltips_show_kind_and_confidence(enriched) -> None:
    text = build_relation_tooltip(enriched.relations[0])
    assert "work, sure" in text and "confirmed by a model" in text
    assert "Confirmed by a model in 2 passages" in build_entity_tooltip(enriched.entities[0])
    plain = make_graph(CAST, TIES)
    assert "model" not in build_relation_tooltip(plain.relations[0])


def test_the_inspector_shows_kinds_and_provenance(open_screen, enriched, qtbot) -> None:
    screen = open_screen(enriched)
    screen.canvas.select_entity(1)
    qtbot.waitUntil(lambda: screen.surface.inspector.details is not None)
    marks = screen.surface.inspector.findChildren(KindMark)
    assert {m.kind for m in marks} == {"work", "family"}
    assert all(m.accessibleName().endswith("sure") for m in marks)
    assert screen.surface.inspector.details.provenance.models == ("tiny-model",)


def test_the_context_menu_offers_enrichment(open_screen, enriched, qtbot) -> None:
    screen = open_screen(enriched)
    row = screen.canvas.data.row_of[3]
    actions = {a.text(): a for a in screen.graph_actions.build_menu(row).actions()}
    with qtbot.waitSignal(screen.enrich_entity_wanted) as asked:
        actions["Enrich this now"].trigger()
    assert asked.args == [3]


def test_kinds_differ_in_more_than_color() -> None:
    for kinds in (
        ("talk", "family", "friend", "enemy", "work", "place"),
        ("uses", "part", "compares", "causes", "made", "place"),
        ("place", "part", "family", "work", "made", WRITES),
    ):
        assert len({KINDS[kind].dashes for kind in kinds}) == len(kinds)
    assert format_kind("enemy") == "at odds" and format_kind("") == ""
    assert format_kind("sworn brothers") == "sworn brothers"
    assert look_of_kind("结义") == look_of_kind("结义")


def test_confidence_is_shown_in_words() -> None:
    texts = [format_sureness(c) for c in (0.0, 0.3, 0.5, 0.75, 1.0)]
    assert texts == ["", "unsure", "fairly sure", "sure", "sure"]
    assert [sureness_level(c) for c in (0.0, 0.1, 0.6, 0.9)] == [0, 1, 2, 3]
    assert shorten_list(("a", "b", "c")) == "a, b and 1 more"


# --- directions -----------------------------------------------------------------------------------


def direct(graph: Subgraph, direction: int, kind: str = "work") -> Subgraph:
    relations = tuple(replace(r, direction=direction, kind=kind) for r in graph.relations)
    return Subgraph(graph.entities, relations, graph.n_all)


def paint_relations(screen) -> np.ndarray:
    """Return the pixels of the relations alone, shape (height, width)."""
    canvas = screen.canvas
    image = QImage(1100, 700, QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    scene = Scene(canvas.frame(), canvas.data, canvas.focus, canvas.palette_now, exact=True)
    RelationLayer().paint(painter, scene)
    painter.end()
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(700, -1, 4)
    return pixels[:, :, 3].copy()


def find_heads(plain: np.ndarray, directed: np.ndarray) -> np.ndarray:
    """Return the pixels (x, y) that an arrow head adds."""
    return np.argwhere((directed > 60) & (plain < 20))[:, ::-1]


@pytest.mark.parametrize(("direction", "ends"), [(1, (1,)), (2, (0,)), (3, (0, 1))])
def test_an_arrow_head_is_drawn_where_a_direction_is_known(open_screen, direction, ends) -> None:
    pair = make_graph(CAST[:2], [(0, 1)])
    screen = open_screen(direct(pair, 0))
    plain, points = paint_relations(screen), screen.canvas.frame().points.copy()
    radii = screen.canvas.frame().radii
    data = screen.canvas.data
    data.directions[:] = direction
    added = find_heads(plain, paint_relations(screen))
    rows = data.pairs[0]
    for end in (0, 1):
        near = np.hypot(*(added - points[rows[end]]).T) < radii[rows[end]] + 16
        assert (near.sum() > 8) == (end in ends)


def test_directions_alone_are_drawn_without_kinds(open_screen) -> None:
    screen = open_screen(direct(make_graph(CAST, TIES), 1, ""))
    assert shows_kinds(screen.canvas.frame(), screen.canvas.data)


@pytest.mark.parametrize(
    ("kind", "direction", "own", "expected"),
    [
        ("father", 1, 1, "Scrooge is the father of Marley"),
        ("father", 1, 2, "Marley’s father is Scrooge"),
        ("father", 2, 2, "Marley is the father of Scrooge"),
        ("哥哥", 2, 1, "Scrooge’s 哥哥 is Marley"),
        ("work", 2, 1, "Marley works for Scrooge"),
        ("taught", 1, 1, "Scrooge → Marley"),
        ("father", 3, 1, "Scrooge ↔ Marley"),
        ("father", 0, 1, ""),
    ],
)
def test_a_relation_is_stated_from_its_subject_to_its_object(kind, direction, own, expected):
    relation = RelationRow(1, 1, 2, "Scrooge", "Marley", 1.0, 1, kind=kind, direction=direction)
    assert format_statement(relation, own) == expected


def test_the_inspector_and_the_tooltip_state_the_direction(open_screen) -> None:
    graph = direct(make_graph(CAST[:2], [(0, 1)]), 2, "father")
    screen = open_screen(graph)
    assert "Marley is the father of Scrooge" in build_relation_tooltip(graph.relations[0])
    screen.surface.inspector.show_details(
        EntityDetails(EntityCard(graph.entities[0], (), ""), list(graph.relations), [])
    )
    rows = screen.surface.inspector.findChildren(PressRow)
    assert [row.accessibleName() for row in rows] == ["Scrooge’s father is Marley"]
    assert "←" in {label.text() for label in rows[0].findChildren(QLabel)}


def test_the_rows_of_the_inspector_have_their_heights_when_they_are_first_painted(
    open_screen,
) -> None:
    screen = open_screen(make_graph(CAST, TIES))
    inspector = screen.surface.inspector
    graph = make_graph([f"Name {k}" for k in range(9)], [(0, k) for k in range(1, 9)])
    inspector.show_details(
        EntityDetails(EntityCard(graph.entities[0], (), ""), list(graph.relations), [])
    )
    rows = [row for row in inspector.findChildren(PressRow) if row.isVisible()]
    places = sorted(row.mapTo(inspector, QPoint(0, 0)).y() for row in rows)
    assert len(places) == 8
    least = min(row.sizeHint().height() for row in rows)
    assert all(b - a >= least for a, b in pairwise(places))
