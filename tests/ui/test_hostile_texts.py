"""Text of documents, models and libraries is shown as text: no tag works, no file is opened.

A library whose every text is HTML with an image that exists on the disk is shown on every screen
and in every dialog; every tooltip is shown, and every view gets the mouse everywhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QEvent, QModelIndex, QPoint, Qt
from PySide6.QtGui import QHelpEvent, QImage
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QDialog,
    QHeaderView,
    QLabel,
    QMenu,
    QMessageBox,
    QTabBar,
    QToolTip,
    QWidget,
)

from desktop_app.app import App
from desktop_app.engine.communities.updater import refresh_communities
from desktop_app.engine.messages import Message
from desktop_app.engine.services.annotations import AnnotationService
from desktop_app.engine.services.chats import Chats
from desktop_app.engine.services.collections import Collections
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.library import Library
from desktop_app.ui.editing.entity_menu import EntityMenu
from desktop_app.ui.workspace import Workspace
from tests.books import BOOK, add_book
from tests.ui.file_opens import FileOpens

WAIT_MS = 30_000
SCREENS = (
    *("library", "graph", "entity", "merge", "communities", "chat", "highlights", "models"),
    "evaluation",
    "settings",
)
DIALOGS = ("history", "create", "maintenance", "watch", "privacy", "shortcuts", "palette")
ROLES = (
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.AccessibleTextRole,
    Qt.ItemDataRole.AccessibleDescriptionRole,
    Qt.ItemDataRole.StatusTipRole,
    Qt.ItemDataRole.WhatsThisRole,
)
# Columns that hold text of documents, models or users; the others are keys, states and formats.
TEXTS = {
    "document": ("title", "author", "year", "file_name", "source_path", "file_title"),
    "entity": ("name", "description"),
    "relation": ("description", "keywords", "kind"),
    "community": ("title",),
    "report": ("title", "summary", "reason"),
    "heading": ("title",),
    "chunk": ("heading_path",),
    "collection": ("name",),
    "chat": ("title", "folder"),
    "message": ("text", "model"),
    "citation": ("title", "quote", "page_label"),
    "annotation": ("note", "quote"),
    "trash": ("title", "file_name", "source_path"),
    "extraction": ("model",),
}


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    """Return an image that exists; it is not to be opened."""
    path = tmp_path / "marker.png"
    image = QImage(4, 4, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.red)
    assert image.save(str(path))
    return path


@pytest.fixture
def opens(marker: Path) -> Iterator[FileOpens]:
    made = FileOpens(marker)
    yield made
    made.close()


def bad_text(marker: Path) -> str:
    return f'<img src="file://{marker}"><b>bold'


def fill_library(path: Path, bad: str) -> None:
    """Make a library in which every text is the bad one."""
    library = Library(path)
    db = library.writer
    chunks = tuple(f"{chunk}{bad} and Clara. " for chunk in BOOK)
    book = add_book(library, chunks)
    second = add_book(library, chunks[::-1], title="Second")
    failed = add_book(library, ("Marsh again. ",), title="Failed")
    refresh_communities(db)
    editing, work = EditingService(db), DocumentService(db)
    [(clara,)] = db.rows("SELECT id FROM entity WHERE name = 'Clara'")
    editing.describe(clara, bad)
    editing.add_alias(clara, bad[:60])
    editing.retype(clara, "place")
    work.edit_details([book], author=bad, comment=bad, tags=[bad[:50]])
    Collections(db).create(bad, [book, second])
    AnnotationService(db, db).highlight(book, 5, 30, note=bad)
    chats = Chats(db, db)
    chat = chats.create_chat(bad)
    with db.transaction():
        db.write_many(
            "INSERT INTO message(chat_id, role, text, created_at) VALUES (?, ?, ?, 1)",
            ((chat, "user", "Who?"), (chat, "assistant", "Clara. [1]")),
        )
        for table, columns in TEXTS.items():
            for column in columns:
                db.write(f"UPDATE {table} SET {column} = ?1 || ' ' || hex(randomblob(4))", (bad,))
        db.write(
            "UPDATE document SET state = 'failed', reason = ? WHERE id = ?",
            (Message("{reason}", reason=bad).to_stored(), failed),
        )
        db.write("INSERT INTO graph_view VALUES (?, '{}')", (bad,))
        db.write("INSERT INTO requested_folder VALUES (?, 0)", (bad,))
        db.write("UPDATE history SET label = ?", (Message("{x}", x=bad).to_stored(),))
        db.write("UPDATE entity SET type = ? WHERE id = (SELECT max(id) FROM entity)", (bad,))
    library.close()


@pytest.fixture
def workspace(qapp: QApplication, tmp_path: Path, marker: Path, monkeypatch) -> Iterator[Workspace]:
    monkeypatch.setenv("INKGRAPH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("INKGRAPH_MODELS", str(tmp_path / "no models"))
    path = tmp_path / "<b>hostile.inkgraph"
    fill_library(path, bad_text(marker))
    app = App(qapp)
    made = app.open_library(path)
    # Its event filter, which is called for each of the 100,000 events of this test, takes a third
    # of the time; all screens are built when they are shown.
    made.preparation.stop()
    made.window.resize(1440, 900)
    made.window.show()
    yield made
    app.close()


def wait_for_lanes(workspace: Workspace, qtbot) -> None:
    context = workspace.context
    lanes = [*workspace.session.lanes.values(), context.reader_lane]
    qtbot.waitUntil(lambda: all(lane.n_jobs == 0 for lane in lanes), timeout=WAIT_MS)
    QApplication.processEvents()


class TextCheck:
    """Looks at the texts of widgets, shows their tooltips, and collects what went wrong."""

    def __init__(self, bad: str) -> None:
        self.bad = bad
        self.problems: list[str] = []
        self.n_tooltips = self.n_labels = self.n_items = 0
        self._shown: set[str] = set()

    def check(self, widget: QWidget) -> None:
        for child in (widget, *widget.findChildren(QWidget)):
            if not shiboken6.isValid(child):  # a list that is filled again drops its rows
                continue
            self._check_tooltip(child.toolTip(), child)
            if isinstance(child, QLabel):
                self._check_label(child)
            for action in QWidget.actions(child):
                self._check_tooltip(action.toolTip(), child)
            if isinstance(child, QTabBar):
                for tab in range(child.count()):
                    self._check_tooltip(child.tabToolTip(tab), child)
            if isinstance(child, QMenu):
                for action in child.actions():
                    self._check_tooltip(action.toolTip(), child)
            if isinstance(child, QHeaderView) and child.model() is not None:
                for section in range(child.count()):
                    tip = child.model().headerData(
                        section, child.orientation(), Qt.ItemDataRole.ToolTipRole
                    )
                    self._check_tooltip(tip, child)
            elif isinstance(child, QAbstractItemView) and child.model() is not None:
                self._check_rows(child.model(), QModelIndex(), child, depth=0)
            if isinstance(child, QMessageBox) and "<" in child.text():
                assert child.textFormat() is Qt.TextFormat.PlainText
            if child.isVisible():
                self._hover(child)
        widget.grab()

    def _check_label(self, label: QLabel) -> None:
        raw = label.text() if type(label).text is QLabel.text else QLabel.text(label)
        if "<img" not in raw and "&lt;img" not in raw:
            return
        self.n_labels += 1
        form = label.textFormat()
        is_safe = form is Qt.TextFormat.PlainText or (
            form is Qt.TextFormat.RichText and "<img" not in raw
        )
        if not is_safe:
            self.problems.append(f"{type(label).__name__} {label.objectName()}: {raw[:80]}")

    def _check_rows(
        self, model: QAbstractItemModel, parent: QModelIndex, view: QWidget, depth: int
    ) -> None:
        is_list = isinstance(model, QAbstractListModel)
        for row in range(min(30, model.rowCount(parent))):
            for column in range(1 if is_list else model.columnCount(parent)):
                index = model.index(row, column, parent)
                for role in ROLES:
                    value = index.data(role)
                    if isinstance(value, str) and self.bad in value:
                        self.n_items += 1
                    if role is Qt.ItemDataRole.ToolTipRole:
                        self._check_tooltip(value, view)
            if depth < 4 and not is_list:
                self._check_rows(model, model.index(row, 0, parent), view, depth + 1)

    def _check_tooltip(self, text: object, owner: QWidget) -> None:
        if not isinstance(text, str) or "<" not in text or text in self._shown:
            return
        self._shown.add(text)
        QToolTip.showText(owner.mapToGlobal(QPoint(2, 2)), text, owner)
        self._check_shown_tooltip(owner)

    def _hover(self, widget: QWidget) -> None:
        """Ask for tooltips all over a view, and once in another widget, as a mouse does.

        A view that shows the same tooltip at the next place shows it in the same way.
        """
        seen: set[str] = set()
        is_view = isinstance(widget, QAbstractScrollArea)
        area = widget.viewport() if is_view else widget
        step_x, step_y = max(24, area.width() // 16), max(16, area.height() // 32)
        if not is_view and "event" not in vars(type(widget)):
            step_x, step_y = area.width() // 2, area.height() // 2
        for y in range(2, area.height(), max(1, step_y)):
            for x in range(2, area.width(), max(1, step_x)):
                at = QPoint(x, y)
                event = QHelpEvent(QEvent.Type.ToolTip, at, area.mapToGlobal(at))
                QApplication.sendEvent(area, event)
                if (text := QToolTip.text()) and text not in seen:
                    seen.add(text)
                    self._check_shown_tooltip(widget)

    def _check_shown_tooltip(self, owner: QWidget) -> None:
        for tip in QApplication.topLevelWidgets():
            if tip.metaObject().className() != "QTipLabel" or not isinstance(tip, QLabel):
                continue
            if tip.textFormat() is not Qt.TextFormat.PlainText:
                self.problems.append(f"tooltip of {type(owner).__name__}: {tip.text()[:80]}")
            if "<img" in tip.text() and tip.isVisible():
                self.n_tooltips += 1
                tip.grab()
        QToolTip.hideText()


def test_every_screen_and_dialog_shows_tags_as_text(
    workspace: Workspace, qtbot, marker: Path, opens: FileOpens
):
    window, context = workspace.window, workspace.context
    check = TextCheck(bad_text(marker))
    opens.was_opened()

    def check_now(widget: QWidget, where: str) -> None:
        wait_for_lanes(workspace, qtbot)
        check.check(widget)
        if opens.was_opened():
            check.problems.append(f"{where} opened the image")

    qtbot.waitUntil(lambda: workspace.library_controller.sheet is not None, timeout=WAIT_MS)
    asked = workspace.library_controller.sheet
    assert asked is not None and bad_text(marker) in asked.list.item(0).text()
    check_now(asked, "the question about folders")
    asked.reject()
    for name in SCREENS:
        window.show_screen(name)
        check_now(window, name)
    library = window.screens.library
    window.show_screen("library")
    rows = context.library_reader.list_documents()
    for row in rows:
        library.list.select(row.id)
        check_now(library, "the details of a document")
    check_now(library.build_document_menu(library.list.selected_rows()), "a menu")
    window.navigator.open_document(rows[0].id)
    check_now(window, "reader")
    window.document_tabs.reader.head.outline.setChecked(True)
    window.document_tabs.reader.head.names.setChecked(True)
    check_now(window, "reader with its panel")
    window.document_tabs.open_side_by_side(window.document_tabs.page, rows[-1].id)
    check_now(window, "two documents side by side")
    check_now(window.document_tabs.build_menu(window.document_tabs.page), "the menu of a tab")
    entities = context.library_reader.find_entities("bold", 10)
    for entity in entities[:3]:
        window.navigator.open_entity(entity.id)
        check_now(window, "entity")
    window.navigator.show_in_graph([e.id for e in entities])
    check_now(window, "graph")
    for chat in context.library_reader.list_chats():
        window.navigator.open_chat(chat.id)
        check_now(window, "chat")
    for name in DIALOGS:
        window.actions_by_name[name].trigger()
        wait_for_lanes(workspace, qtbot)
        for sheet in window.findChildren(QDialog):
            if sheet.isVisible():
                check_now(sheet, name)
                sheet.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
                sheet.reject()
    menu = EntityMenu(context, window)
    one, other = entities[0], entities[1]
    for ask in (
        lambda: menu.rename(one),
        lambda: menu.describe(one),
        lambda: menu.add_alias(one),
        lambda: menu.split(one),
        lambda: menu.relate(one),
        lambda: menu.pick_to_merge(one),
        lambda: menu.pick_to_compare(one),
        lambda: menu.compare(one, other),
        lambda: menu.merge([one, other]),
        lambda: menu.show_history(one),
    ):
        ask()
        wait_for_lanes(workspace, qtbot)
        assert menu.sheet is not None
        check_now(menu.sheet, "a dialog of an entity")
        menu.sheet.reject()
    context.messages.show(bad_text(marker), action_text=bad_text(marker))
    check_now(window, "a message")
    assert check.problems == []
    # the library was really shown
    assert check.n_tooltips > 20 and check.n_labels > 20 and check.n_items > 50


def test_the_check_notices_html_in_a_label_and_a_tooltip(qtbot, marker: Path, opens: FileOpens):
    """Without the style sheet of the program, Qt opens the image of a tooltip."""
    owner = QLabel(bad_text(marker))
    qtbot.addWidget(owner)
    owner.resize(200, 100)
    owner.show()
    owner.grab()
    assert opens.was_opened()
    check = TextCheck(bad_text(marker))
    check.check(owner)
    assert len(check.problems) == 1


def test_a_long_tooltip_is_wrapped_and_cut():
    from desktop_app.ui.widgets.words import plain_tip

    lines = plain_tip("word " * 20_000).split("\n")
    assert len(lines) == 21 and max(map(len, lines)) <= 80 and lines[-1] == "…"
    assert {len(line) for line in plain_tip("王" * 100).split("\n")} == {40, 20}
    assert plain_tip("Ada <b>\np. 3") == "Ada <b>\np. 3"
    assert json.dumps(plain_tip("x" * 50_000))
