"""The bar beside the selected text: highlight colours, note, ask, graph, copy, citation.

Owns when and where the bar is shown. `passage_actions` runs its actions; the same ones have keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QRectF
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QFrame, QGraphicsDropShadowEffect, QWidget

from ..theme.theme import Theme
from ..translation import tr
from ..widgets.buttons import IconButton, add_shortcut
from ..widgets.layout import build_row
from ..widgets.note_colors import COLOR_WORDS
from .annotations import Swatch
from .view import DocumentView

GAP = 8  # pixels between the bar and the selection
SHADOW = 60  # of 255: how dark the shadow of the bar is


class TextSelectionBar(QFrame):
    """Shows what can be done with the selection of a view as soon as the mouse is released.

    Args:
        views: the views whose selections are watched.
        parent: the widget over which the bar is shown; it contains the views.
    """

    def __init__(self, theme: Theme, views: Sequence[DocumentView], parent: QWidget) -> None:
        super().__init__(parent)
        self._area = parent
        self._view: DocumentView | None = None
        self.setObjectName("selectionBar")
        self.swatches: list[Swatch] = []
        for number, (color, words) in enumerate(COLOR_WORDS.items(), 1):
            swatch = Swatch(theme, color, self)
            swatch.setCheckable(False)
            title = tr("Highlight: {color}", color=tr(words))
            swatch.setToolTip(f"{title} ({number})")
            swatch.setAccessibleName(title)
            swatch.clicked.connect(partial(self._run, f"highlight {color}"))  # not shown
            self.swatches.append(swatch)
        self.buttons: dict[str, IconButton] = {}
        for action, icon, short, words, keys in (
            ("highlight_note", "ph.note-pencil", tr("Note"), tr("Highlight with a note…"), "M"),
            ("ask", "chat", tr("Ask"), tr("Ask about this passage"), "A"),
            ("graph", "graph", tr("Graph"), tr("Show its names in the graph"), "G"),
            ("copy", "ph.copy", tr("Copy"), tr("Copy the text"), "Ctrl+C"),
            ("quote", "ph.quotes", tr("Cite"), tr("Copy with citation"), "Ctrl+Shift+C"),
        ):
            button = self.buttons[action] = IconButton(theme, icon, words, self, shortcut=keys)
            button.set_words(short)
            button.clicked.connect(partial(self._run, action))
        row = build_row(*self.swatches, 4, *self.buttons.values(), parent=self, spacing=2)
        row.setContentsMargins(6, 4, 6, 4)
        add_shortcut(self, "Esc", self._dismiss)
        shadow = QGraphicsDropShadowEffect(self, blurRadius=18.0)
        shadow.setOffset(0, 3)
        shadow.setColor(QColor(0, 0, 0, SHADOW))
        self.setGraphicsEffect(shadow)
        self.hide()
        for view in views:
            view.selection.changed.connect(partial(self._follow, view))
            view.selection.released.connect(partial(self._follow, view))
            view.moved.connect(partial(self._move_with, view))
            view.settled.connect(partial(self._move_with, view))
            view.installEventFilter(self)

    def _follow(self, view: DocumentView) -> None:
        """Show the bar for the selection of a view, or hide it."""
        chosen = view.selection.range
        if view.selection.is_dragging or not view.isVisible():
            self.hide()
        elif chosen is None or not view.text[slice(*chosen)].strip():
            if self._view in (view, None):
                self.hide()
        else:
            self._view = view
            self._place()

    def _move_with(self, view: DocumentView) -> None:
        if view is self._view and not view.selection.is_dragging:
            self._place()

    def _place(self) -> None:
        """Show the bar above the first selected line, or below the last one if there is no room.

        It is hidden while the selection is out of sight.
        """
        view = self._view
        chosen = view.selection.range if view is not None else None
        if view is None or chosen is None:
            return
        seen_from, seen_to = view.visible_range()
        if chosen[1] <= seen_from or chosen[0] >= seen_to:
            self.hide()
            return
        self.adjustSize()
        room, origin = view.viewport().rect(), view.viewport().mapTo(self._area, QPoint())
        first = view.caret.box_of(chosen[0])
        last = view.caret.box_of(chosen[1])
        top = first.top() - GAP - self.height() if first is not None else -1.0
        if top < GAP:
            top = last.bottom() + GAP if last is not None else room.height() / 2
        if not GAP <= top <= room.height() - self.height() - GAP:
            top = room.height() - self.height() - GAP  # the selection is larger than the window
        middle = self._middle(first, last, room.width())
        left = min(max(GAP, middle - self.width() / 2), room.width() - self.width() - GAP)
        self.move(origin + QPoint(round(max(0, left)), round(max(0, top))))
        self.show()
        self.raise_()

    @staticmethod
    def _middle(first: QRectF | None, last: QRectF | None, width: int) -> float:
        if first is not None and last is not None and abs(first.top() - last.top()) < 2:
            return (first.left() + last.left()) / 2
        return first.left() if first is not None else width / 2

    def _run(self, action: str) -> None:
        view = self._view
        if view is not None and view.selection.range is not None:
            target = view.menu_target()
            self._view = None  # hidden until the selection changes
            self.hide()
            view.setFocus()
            view.action_requested.emit(action, target)

    def _dismiss(self) -> None:
        self.hide()
        if self._view is not None:
            self._view.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._view and event.type() == QEvent.Type.Hide:
            self.hide()
        return False
