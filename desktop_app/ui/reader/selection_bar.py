"""The bar at the selected text: highlight colours, note, copy, ask, and more in a menu.

Owns when and where the bar is shown. `passage_actions` runs its actions; the same ones have keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QFrame, QGraphicsDropShadowEffect, QToolButton, QWidget

from ..theme.theme import Theme
from ..translation import tr
from ..widgets.buttons import IconButton, add_shortcut
from ..widgets.layout import TallRule, build_row
from ..widgets.note_colors import COLOR_WORDS
from .annotations import Swatch
from .look import SHADOW
from .passage_actions import build_more_menu
from .view import DocumentView

GAP = 4  # pixels between the bar and the selection


class BarPlace(NamedTuple):
    """Where the bar is in the window, and whether that is above the selection."""

    rect: QRectF
    is_above: bool


def find_place(
    room: QRectF,
    lines: Sequence[QRectF],
    size: QSizeF,
    *,
    above: bool,
    left: float | None = None,
) -> BarPlace:
    """Return the place above the first selected line, or below the last one.

    It covers no selected line, unless they fill the window; then it is at the foot.

    Args:
        room: the visible part of the page.
        lines: the boxes of the selected lines in sight, in reading order, at least one.
        above: which of the two places is tried first.
        left: the left edge; None for the middle of the line beside the bar.
    """

    def rect_at(top: float, line: QRectF) -> QRectF:
        x = line.center().x() - size.width() / 2 if left is None else left
        x = max(room.left(), min(x, room.right() - size.width()))
        return QRectF(round(x), round(top), size.width(), size.height())

    for is_above in (above, not above):
        line = lines[0] if is_above else lines[-1]
        rect = rect_at(line.top() - GAP - size.height() if is_above else line.bottom() + GAP, line)
        fits = room.top() <= rect.top() and rect.bottom() <= room.bottom()
        if fits and not any(rect.intersects(line) for line in lines):
            return BarPlace(rect, is_above)
    foot = max(room.top(), room.bottom() - size.height())
    return BarPlace(rect_at(foot, lines[-1]), False)


class TextSelectionBar(QFrame):
    """Shows what can be done with the selection of a view as soon as the mouse is released.

    It is above the first selected line, because the lines below are read next, and below the last
    one where there is no room above. While the keyboard extends a selection, the bar keeps its
    place; where that would cover the selection, it goes to the end that does not move.

    Args:
        views: the views whose selections are watched.
        parent: the widget over which the bar is shown; it contains the views.
    """

    def __init__(self, theme: Theme, views: Sequence[DocumentView], parent: QWidget) -> None:
        super().__init__(parent)
        self._area = parent
        self._view: DocumentView | None = None
        self._is_above = True
        self._anchor: int | None = None  # where the shown selection began
        self._left: float | None = None  # of the bar, from the anchor; None for the middle
        self._edge = 0.0  # y of the line beside the bar, from the anchor
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
        self._words: dict[str, str] = {}  # beside the icons
        for action, icon, short, words, keys in (
            ("underline", "ph.text-underline", "", tr("Underline"), "U"),
            ("highlight_note", "ph.note-pencil", tr("Note"), tr("Highlight with a note…"), "M"),
            ("copy", "ph.copy", tr("Copy"), tr("Copy the text"), "Ctrl+C"),
            ("ask", "chat", tr("Ask"), tr("Ask about this passage"), "A"),
        ):
            button = self.buttons[action] = IconButton(theme, icon, words, self, shortcut=keys)
            self._words[action] = short
            button.clicked.connect(partial(self._run, action))
        self.more = IconButton(theme, "more", tr("More"), self, shortcut="Shift+F10")
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.clicked.connect(self._open_more)
        underline, *others = self.buttons.values()
        self._row = build_row(
            build_row(*self.swatches, spacing=0),
            underline,
            TallRule(self),
            *others,
            self.more,
            parent=self,
            spacing=2,
            margins=(6, 4, 4, 4),
        )
        self._sizes: dict[bool, QSizeF] = {}  # with words, and without
        theme.changed.connect(self._forget_sizes)
        add_shortcut(self, "Esc", self._dismiss)
        shadow = QGraphicsDropShadowEffect(self, blurRadius=18.0)
        shadow.setOffset(0, 3)
        shadow.setColor(QColor(0, 0, 0, SHADOW))
        self.setGraphicsEffect(shadow)
        self.hide()
        for view in views:
            view.selection.changed.connect(partial(self._follow, view, by_mouse=False))
            view.selection.released.connect(partial(self._follow, view, by_mouse=True))
            view.moved.connect(partial(self._move_with, view))
            view.settled.connect(partial(self._move_with, view))
            view.installEventFilter(self)

    def _follow(self, view: DocumentView, *, by_mouse: bool) -> None:
        """Show the bar for the selection of a view, or hide it."""
        selection = view.selection
        chosen = selection.range
        if selection.is_dragging or not view.isVisible():
            self.hide()
            return
        if chosen is None or not view.text[slice(*chosen)].strip():
            if self._view in (view, None):
                self.hide()
            return
        anchor, head = selection.anchor, selection.head
        is_forward = anchor == chosen[0]
        is_extended = self.isVisible() and view is self._view and anchor == self._anchor
        if by_mouse:
            self._is_above, self._left = True, None  # the lines below are read next
        elif not is_extended:
            self._is_above, self._left = is_forward, None  # at the anchor
        elif self._find_edge(view) != self._edge:
            self._is_above = is_forward
        self._view, self._anchor = view, anchor if head is not None else None
        self._place()

    def _find_edge(self, view: DocumentView) -> float | None:
        """Return the y of the line beside the bar, counted from the anchor."""
        lines, origin = view.selected_boxes(), self._find_origin(view)
        if not lines or origin is None:
            return None
        edge = lines[0].top() if self._is_above else lines[-1].bottom()
        return round(edge - origin.top(), 1)

    @staticmethod
    def _find_origin(view: DocumentView) -> QRectF | None:
        anchor = view.selection.anchor
        return view.caret.box_of(anchor) if anchor is not None else None

    def _move_with(self, view: DocumentView) -> None:
        if view is self._view and not view.selection.is_dragging:
            self._place()

    def _place(self) -> None:
        """Show the bar at the selection; hide it while the selection is out of sight."""
        view = self._view
        if view is None or view.selection.range is None:
            return
        inside = QRectF(view.viewport().rect())
        lines = [box for box in view.selected_boxes() if box.intersects(inside)]
        if not lines:
            self.hide()
            return
        room = self._find_room(view)
        has_words = self._size(words=True).width() <= room.width()
        origin = self._find_origin(view)
        left = self._left + origin.left() if self._left is not None and origin is not None else None
        size = self._size(words=has_words)
        rect, is_above = find_place(room, lines, size, above=self._is_above, left=left)
        self._show_words(has_words)
        corner = view.viewport().mapTo(self._area, QPoint()) + rect.topLeft().toPoint()
        self.setGeometry(corner.x(), corner.y(), round(size.width()), round(size.height()))
        if self._left is None and origin is not None:
            self._left = rect.left() - origin.left()
        if is_above == self._is_above:
            self._edge = self._find_edge(view) or 0.0
        self.show()
        self.raise_()

    def _find_room(self, view: DocumentView) -> QRectF:
        """Return the visible part of the page, or all of the window where that is too narrow."""
        inside = QRectF(view.viewport().rect()).adjusted(GAP, GAP, -GAP, -GAP)
        first, last = view.page_sides()
        page = QRectF(first + GAP, inside.top(), last - first - 2 * GAP, inside.height())
        page = page.intersected(inside)
        return page if page.width() >= self._size(words=False).width() else inside

    def _size(self, *, words: bool) -> QSizeF:
        if words not in self._sizes:
            self.ensurePolished()
            self._show_words(words)
            self._sizes[words] = QSizeF(self._row.totalSizeHint())
        return self._sizes[words]

    def _forget_sizes(self) -> None:
        self._sizes = {}

    def _show_words(self, shown: bool) -> None:
        for action, button in self.buttons.items():
            button.set_words(self._words[action] if shown else "")
        self._row.invalidate()

    def _run(self, action: str) -> None:
        view = self._view
        if view is not None and view.selection.range is not None:
            target = view.menu_target()
            self._view = None  # hidden until the selection changes
            self.hide()
            view.setFocus()
            view.action_requested.emit(action, target)

    def _open_more(self) -> None:
        view = self._view
        if view is not None and view.selection.range is not None:
            menu = build_more_menu(view)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.triggered.connect(self.hide)
            menu.popup(self.more.mapToGlobal(self.more.rect().bottomLeft()))

    def _dismiss(self) -> None:
        self.hide()
        if self._view is not None:
            self._view.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._view and event.type() == QEvent.Type.Hide:
            self.hide()
        return False
