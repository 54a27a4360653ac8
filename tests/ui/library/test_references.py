"""Copying references of documents in a style or as data."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QGuiApplication

from desktop_app.ui.widgets.citation_styles import STYLE_NAMES, load_style


@pytest.fixture(autouse=True)
def own_settings(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("INKGRAPH_HOME", str(tmp_path))


def copy(qtbot, screen, action_text: str, n: int = 1) -> None:
    """Choose an entry of the menu "Copy reference" for the first documents."""
    screen.list.select(*range(1, n + 1))
    menu = screen.build_document_menu(screen.list.selected_rows())
    [copying] = [a.menu() for a in menu.actions() if a.menu() and a.text() == "Copy reference"]
    [action] = [a for a in copying.actions() if a.text() == action_text]
    QGuiApplication.clipboard().clear()
    action.trigger()
    qtbot.waitUntil(lambda: bool(QGuiApplication.clipboard().text()))


def test_a_reference_is_copied_in_the_chosen_style_which_is_remembered(qtbot, context, screen):
    assert load_style() == "apa"
    title = context.library_reader.documents[0].title
    copy(qtbot, screen, "MLA (9th edition)")
    data = QGuiApplication.clipboard().mimeData()
    assert title in data.text() and f"<i>{title}</i>" in data.html()
    assert load_style() == "mla"
    copy(qtbot, screen, "GB/T 7714—2015")
    assert f". {title}[" in QGuiApplication.clipboard().text()
    assert not QGuiApplication.clipboard().text().startswith("[1]")  # it is no list


def test_references_are_copied_as_data_and_in_short(qtbot, screen):
    copy(qtbot, screen, "BibTeX")
    assert QGuiApplication.clipboard().text().startswith("@")
    assert load_style() == "apa"  # data is no style
    copy(qtbot, screen, "Author, title, year", 2)
    assert len(QGuiApplication.clipboard().text().splitlines()) == 2
    copy(qtbot, screen, "GB/T 7714—2015", 2)
    assert QGuiApplication.clipboard().text().splitlines()[1].startswith("[2] ")
    copy(qtbot, screen, "APA (7th edition)", 2)
    assert QGuiApplication.clipboard().mimeData().html().count("<i>") == 2


def test_every_style_is_offered_for_copies_and_files(screen):
    screen.list.select(1)
    menu = screen.build_document_menu(screen.list.selected_rows())
    menus = {a.text(): a.menu() for a in menu.actions() if a.menu()}
    copied = [a.text() for a in menus["Copy reference"].actions()]
    exported = [a.text() for a in menus["Export reference"].actions()]
    assert set(STYLE_NAMES.values()) <= set(copied)
    assert {f"{words}…" for words in STYLE_NAMES.values()} <= set(exported)


def test_the_usual_style_of_chinese_is_the_national_standard(chinese):
    assert load_style() == "gbt7714"
