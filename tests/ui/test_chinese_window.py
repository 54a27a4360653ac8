"""The whole program in Chinese: no English on any screen, menu or dialog."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialog

from desktop_app.app import App
from desktop_app.engine.llm.catalogue import load_catalogue
from desktop_app.engine.services.library import Library
from desktop_app.ui.settings.window_options import WindowStore
from desktop_app.ui.workspace import Workspace
from tests.books import BOOK, NAMES, add_book, id_of
from tests.ui.untranslated import english_texts

WAIT_MS = 30_000
SCREENS = (
    *("library", "graph", "entity", "merge", "communities", "chat", "highlights", "models"),
    "evaluation",
    "settings",
)
# names of models and licences, and texts from a library
KNOWN = (
    *(*BOOK, *NAMES, "The Clockmaker", "Part › Chapter", "lane small"),
    "Who is Clara? What does Marsh do? How are Clara and Marsh connected?",  # an English book's
    "What happens between Clara, Tobias and Marsh?",
    "Aa",  # letters in their sizes, on the button of the menu for the page
    *(word for one in load_catalogue().entries for word in (one.title, one.licence)),
    *(word for one in load_catalogue().suggestions for word in (one.title, one.page, one.licence)),
    *(one.publisher for one in (*load_catalogue().entries, *load_catalogue().suggestions)),
)


@pytest.fixture
def workspace(qapp: QApplication, tmp_path: Path, monkeypatch) -> Iterator[Workspace]:
    monkeypatch.setenv("INKGRAPH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("INKGRAPH_MODELS", str(tmp_path / "no models"))
    library = Library(tmp_path / "small.inkgraph")
    add_book(library)
    library.close()
    WindowStore().change("language", "zh")
    app = App(qapp)
    made = app.open_library(tmp_path / "small.inkgraph")
    made.window.resize(1440, 900)
    made.window.show()
    yield made
    app.close()
    WindowStore().change("language", "en")
    app.speak()


def update_finished(workspace: Workspace, qtbot) -> None:
    context = workspace.context
    lanes = (context.reader_lane, context.duplicates_lane, context.communities.lane)
    qtbot.waitUntil(lambda: all(lane.n_jobs == 0 for lane in lanes), timeout=WAIT_MS)


def english_in(widget, tmp_path: Path) -> list[str]:
    home = str(tmp_path)
    return [t for t in english_texts(widget, KNOWN) if home not in t]


def test_every_screen_is_chinese(workspace, qtbot, tmp_path):
    window = workspace.window
    # A report is written in the language of its documents, here English.
    report = window.screens.communities.page

    def shows_no_english(name: str) -> None:  # a result of a lane is shown a moment later
        of_report = set(english_in(report, tmp_path))
        assert (name, [t for t in english_in(window, tmp_path) if t not in of_report]) == (name, [])

    for name in SCREENS:
        window.show_screen(name)
        update_finished(workspace, qtbot)
        qtbot.waitUntil(lambda name=name: shows_no_english(name), timeout=WAIT_MS)

    entity_id = id_of(workspace.session.library, "Hale")
    workspace.window.navigator.open_entity(entity_id)
    update_finished(workspace, qtbot)
    assert english_in(workspace.window, tmp_path) == []
    place = workspace.context.library_reader.fetch_mentions(entity_id, 1, 0)[0]
    workspace.window.navigator.open_passage(place.document_id, place.start, place.end)
    update_finished(workspace, qtbot)
    assert english_in(workspace.window, tmp_path) == []

    texts = []
    for action in workspace.window.actions_by_name.values():
        for shown_text in (action.text(), action.toolTip(), action.statusTip()):
            if shown_text.isascii() and any(char.isalpha() for char in shown_text):
                texts.append(shown_text)
    assert texts == []


def test_the_dialogs_of_the_window_are_chinese(workspace, qtbot, tmp_path):
    window = workspace.window
    found = {}
    for name in ("keys", "about", "privacy", "history", "create", "enrich", "enrich_settings"):
        action = window.actions_by_name.get(name)
        if action is None or not action.isEnabled():
            continue
        action.trigger()
        update_finished(workspace, qtbot)
        for sheet in window.findChildren(QDialog):
            if sheet.isVisible():
                found[name] = english_in(sheet, tmp_path)
                sheet.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
                sheet.reject()
    assert len(found) > 3 and {name: texts for name, texts in found.items() if texts} == {}
