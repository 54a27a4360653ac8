"""Finds the English texts of a window that should be translated.

`english_texts(widget)` looks at labels, buttons, fields, tabs, boxes, rows, headings, menus, and
at the tooltips and names for screen readers of all of them. Text that a widget paints itself is
not found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QLocale, QModelIndex, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QMenu,
    QTabBar,
    QWidget,
)

from desktop_app.ui import translation
from desktop_app.ui.widgets.labels import ElidedLabel

WORD = re.compile(r"[A-Za-zÀ-ÿ]{2,}")
SKIPPED = re.compile(r"<[^<>]*>|(?:(?:Ctrl|Alt|Shift|Meta)\+)+\w+")  # tags and keys
MOST_ROWS = 100
ROLES = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.AccessibleTextRole,
)
# the same in every language: keys, units, formats, names of programs
SAME = {
    *("ctrl", "alt", "shift", "meta", "return", "enter", "esc", "del", "tab", "space"),
    *("home", "end", "pgup", "pgdown", "kb", "mb", "gb", "gib", "pdf", "epub", "docx", "html"),
    *("md", "txt", "json", "csv", "gguf", "svg", "png", "isbn", "doi", "apache", "mit"),
    *(
        "inkgraph",
        "lightrag",
        "graphrag",
        "obsidian",
        "zotero",
        "bibtex",
        "ris",
        "csl",
        "markdown",
        "word",
        "pytorch",
        "graphml",
        "gephi",
        "gexf",
        "cpu",
        "gpu",
    ),
    *("english", "deutsch", "français", "español", "italiano"),  # languages by their own names
}


def english_texts(widget: QWidget, known: Iterable[str] = ()) -> list[str]:
    """Return the English texts that are shown in a widget, its menus and its tooltips.

    Args:
        known: what may be English: names and sentences of the test's library.
    """
    allowed = SAME | {word.casefold() for text in known for word in WORD.findall(text)}
    found = []
    for text in dict.fromkeys(_texts(widget)):
        words = WORD.findall(SKIPPED.sub(" ", text))
        if any(word.casefold() not in allowed for word in words):
            found.append(text)
    return found


def use_language(application: QApplication, code: str) -> Iterator[None]:
    """Use a language for windows made from now on; English again at the end."""
    before = QLocale()
    translators = translation.install(application, code)
    yield
    for translator in translators:
        application.removeTranslator(translator)
    QLocale.setDefault(before)


def _texts(widget: QWidget) -> Iterator[str]:
    if widget.isWindow():
        yield widget.windowTitle()
    for child in (widget, *widget.findChildren(QWidget)):
        if isinstance(child, QMenu):
            yield from _of_menu(child)
        elif child is widget or child.isVisibleTo(widget):
            yield from _of_widget(child)


def _of_menu(menu: QMenu) -> Iterator[str]:
    yield menu.title()
    for action in menu.actions():
        yield action.text()
        yield action.toolTip()


def _of_widget(widget: QWidget) -> Iterator[str]:
    yield widget.toolTip()
    yield widget.accessibleName()
    yield widget.accessibleDescription()
    for action in QWidget.actions(widget):  # a screen may have an attribute of this name
        yield action.text()
    is_cut = isinstance(widget, ElidedLabel)  # what it shows may end in "..."
    for asked in ("full_text" if is_cut else "text", "title", "placeholderText", "suffix"):
        answer = getattr(widget, asked, None)
        typed = asked == "text" and isinstance(widget, QLineEdit)  # typed by the user
        if callable(answer) and not typed and not isinstance(widget, QAbstractItemView):
            value = answer()
            yield value if isinstance(value, str) else ""
    if isinstance(widget, QTabBar):
        for tab in range(widget.count()):
            yield widget.tabText(tab)
            yield widget.tabToolTip(tab)
    elif isinstance(widget, QComboBox):
        for place in range(widget.count()):
            yield widget.itemText(place)
    elif isinstance(widget, QHeaderView):
        yield from _of_heading(widget)
    elif isinstance(widget, QAbstractItemView) and widget.model() is not None:
        yield from _of_rows(widget.model(), QModelIndex())


def _of_heading(heading: QHeaderView) -> Iterator[str]:
    model = heading.model()
    if model is None or heading.isHidden():
        return
    for section in range(heading.count()):
        for role in ROLES:
            yield str(model.headerData(section, heading.orientation(), role) or "")


def _of_rows(model: QAbstractItemModel, parent: QModelIndex) -> Iterator[str]:
    is_list = isinstance(model, QAbstractListModel)
    for row in range(min(MOST_ROWS, model.rowCount(parent))):
        for column in range(1 if is_list else model.columnCount(parent)):
            index = model.index(row, column, parent)
            for role in ROLES:
                value = index.data(role)
                yield value if isinstance(value, str) else ""
        if not is_list:
            yield from _of_rows(model, model.index(row, 0, parent))
