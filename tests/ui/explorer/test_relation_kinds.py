"""Kinds of relations in the graph: line styles, filter, descriptions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPainter

from desktop_app.engine.model import Subgraph
from desktop_app.ui.explorer.frame import Scene
from desktop_app.ui.explorer.layers import RelationLayer, shows_kinds
from desktop_app.ui.explorer.tooltips import describe_entity, describe_relation
from desktop_app.ui.widgets.kind_marks import KindMark
from desktop_app.ui.widgets.words import (
    KINDS,
    format_kind,
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
    text = describe_relation(enriched.relations[0])
    assert "work, sure" in text and "confirmed by a model" in text
    assert "Confirmed by a model in 2 passages" in describe_entity(enriched.entities[0])
    plain = make_graph(CAST, TIES)
    assert "model" not in describe_relation(plain.relations[0])


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
    with qtbot.waitSignal(screen.enrich_entity_requested) as asked:
        actions["Enrich this now"].trigger()
    assert asked.args == [3]


def test_kinds_differ_in_more_than_color() -> None:
    for kinds in (
        ("talk", "family", "friend", "enemy", "work", "place"),
        ("uses", "part", "compares", "causes", "made", "place"),
        ("place", "part", "family", "work", "made"),
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
