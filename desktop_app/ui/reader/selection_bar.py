"""The bar at the selected text: highlight colours, note, copy, ask, and more in a menu.

Owns when and where the bar is shown. `passage_actions` runs its actions; the same ones have keys.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QFrame,
    QGraphicsDropShadowEffect,
    QToolButton,
    QWidget,
)

from ..theme.theme import Theme
from ..translation import tr
from ..widgets.buttons import IconButton, add_shortcut
from ..widgets.highlight_colors import COLOR_WORDS, Swatch
from ..widgets.layout import TallRule, build_row
from .look import SHADOW
from .passage_actions import build_more_menu
from .view import DocumentView

GAP = 6  # pixels between the bar and the selection
STEP = 10  # parts of the bar: a place that hides less than one of them more is as good


class Surroundings(NamedTuple):
    """What is around a selection, in the window.

    Attributes:
        page: the visible part of the page, where the bar is.
        covered: returns how much text is in a rectangle, in pixels of area.
    """

    page: QRectF
    covered: Callable[[QRectF], float]


def find_bar_rect(
    around: Surroundings,
    lines: Sequence[QRectF],
    size: QSizeF,
    *,
    above: bool = True,
    ends: tuple[bool, bool] = (True, True),
) -> QRectF | None:
    """Return the place for the bar directly above or below the selection, where it hides least.

    It covers no selected line: None where they fill the window.

    Args:
        lines: the boxes of the selected lines in sight, in reading order, at least one.
        size: of the bar.
        above: which of the two places is preferred, if both hide as much.
        ends: whether the beginning and the end of the selection are in sight.
    """
    page = around.page
    found: list[tuple[int, int, QRectF]] = []
    above_first, below_last = lines[0].top() - GAP - size.height(), lines[-1].bottom() + GAP
    top = min(line.top() for line in lines) - GAP - size.height()
    bottom = max(line.bottom() for line in lines) + GAP
    # of two columns, the first line may be below the last one
    at_first = [(lines[0], y) for y in (top, above_first) if ends[0]]
    at_last = [(lines[-1], y) for y in (bottom, below_last) if ends[1]]
    for line, y in [*at_first, *at_last] if above else [*at_last, *at_first]:
        middle = line.center().x() - size.width() / 2
        # it stays over the words, where the eye is
        for x in (middle, line.left(), line.right() - size.width()):
            left = max(page.left(), min(x, page.right() - size.width()))
            rect = QRectF(round(left), round(y), size.width(), size.height())
            is_inside = page.top() <= rect.top() and rect.bottom() <= page.bottom()
            if is_inside and not any(rect.intersects(one) for one in lines):
                share = around.covered(rect) / (size.width() * size.height())
                found.append((math.ceil(STEP * share), len(found), rect))
    return min(found)[2] if found else None


class TextSelectionBar(QFrame):
    """Shows what can be done with the selection of a view as soon as the mouse is released.

    It is always a row with its tools in one order; only a narrow page has it without words.
    `find_bar_rect` says where. While the keyboard extends a selection, the bar keeps its place,
    until it would cover the selection; then it goes to the end that does not move.

    Args:
        views: the views whose selections are watched.
        parent: the widget over which the bar is shown; it contains the views.
    """

    def __init__(self, theme: Theme, views: Sequence[DocumentView], parent: QWidget) -> None:
        super().__init__(parent)
        self._area = parent
        self._view: DocumentView | None = None
        self._is_above = True  # what is tried first
        self._anchor: int | None = None  # where the shown selection began
        self._kept: QPointF | None = None  # the corner, from the anchor
        self._is_dismissed = False  # by Esc, until something else is selected
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
        self._colors = build_row(*self.swatches, spacing=0)
        self._rule = TallRule(self)
        self._row = build_row(
            self._colors,
            underline,
            self._rule,
            *others,
            self.more,
            parent=self,
            spacing=2,
            margins=(6, 4, 4, 4),
        )
        self._sizes: dict[bool, QSizeF] = {}  # with and without words
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
            self._is_above, self._kept = True, None  # the lines below are read next
        else:
            self._is_above = is_forward  # at the anchor
            if not is_extended:
                self._kept = None
        self._view, self._anchor = view, anchor if head is not None else None
        self._is_dismissed = False
        self._place()

    @staticmethod
    def _find_origin(view: DocumentView) -> QRectF | None:
        anchor = view.selection.anchor
        return view.caret.box_of(anchor) if anchor is not None else None

    def _move_with(self, view: DocumentView) -> None:
        if view is self._view and not view.selection.is_dragging:
            self._place()

    def _place(self) -> None:
        """Show the bar at the selection; hide it while the selection is out of sight.

        It is hidden, too, where the selection leaves no room for it: at both of its ends is some.
        """
        view = self._view
        if view is None or view.selection.range is None or self._is_dismissed:
            return
        inside = QRectF(view.viewport().rect())
        shown = [box for box in view.selected_boxes() if box.intersects(inside)]
        # a line that is cut by the edge is out of sight, but is not covered either
        lines = shown if any(inside.contains(box.center()) for box in shown) else []
        if not lines:
            self.hide()
            return
        room = self._find_room(view)
        has_words = self._size(has_words=True).width() <= room.width()
        size = self._size(has_words=has_words)
        origin = self._find_origin(view)
        rect = self._find_kept(origin, lines, size)
        if rect is None:
            around = Surroundings(room, view.covered_area)
            ends = self._find_ends(view, inside)
            rect = find_bar_rect(around, lines, size, above=self._is_above, ends=ends)
            if rect is None:
                self._kept = None
                self.hide()
                return
            if origin is not None:
                self._kept = rect.topLeft() - origin.topLeft()
        self._show_words(has_words)
        corner = view.viewport().mapTo(self._area, QPoint()) + rect.topLeft().toPoint()
        width, height = rect.size().toSize().toTuple()
        self.setGeometry(corner.x(), corner.y(), width, height)
        self.show()
        self.raise_()

    @staticmethod
    def _find_ends(view: DocumentView, inside: QRectF) -> tuple[bool, bool]:
        """Return whether the beginning and the end of the selection are in sight."""
        start, end = view.selection.range or (0, 1)
        boxes = view.caret.box_of(start), view.caret.box_of(max(start, end - 1))
        first, last = (box is not None and inside.contains(box.center()) for box in boxes)
        return first, last

    def _find_kept(
        self, origin: QRectF | None, lines: Sequence[QRectF], size: QSizeF
    ) -> QRectF | None:
        """Return the place that the bar has, if it covers no selected line there."""
        if self._kept is None or origin is None or self._view is None:
            return None
        rect = QRectF(origin.topLeft() + self._kept, size)
        is_inside = QRectF(self._view.viewport().rect()).contains(rect)
        is_free = is_inside and not any(rect.intersects(line) for line in lines)
        return rect if is_free else None

    def _find_room(self, view: DocumentView) -> QRectF:
        """Return the visible part of the page, or all of the window where that is too narrow."""
        inside = QRectF(view.viewport().rect()).adjusted(GAP, GAP, -GAP, -GAP)
        first, last = view.page_sides()
        page = QRectF(first + GAP, inside.top(), last - first - 2 * GAP, inside.height())
        page = page.intersected(inside)
        return page if page.width() >= self._size(has_words=False).width() else inside

    def _size(self, *, has_words: bool) -> QSizeF:
        if has_words not in self._sizes:
            self.ensurePolished()
            self._show_words(has_words)
            self._sizes[has_words] = QSizeF(self._row.totalSizeHint())
        return self._sizes[has_words]

    def _forget_sizes(self) -> None:
        self._sizes = {}

    def _show_words(self, has_words: bool) -> None:
        for action, button in self.buttons.items():
            button.set_words(self._words[action] if has_words else "")
        self._row.invalidate()

    def _run(self, action: str) -> None:
        view = self._view
        if view is not None and view.selection.range is not None:
            target = view.menu_target()
            self._view = None  # hidden until the selection changes
            self.hide()
            view.setFocus()
            view.action_wanted.emit(action, target)

    def _open_more(self) -> None:
        view = self._view
        if view is not None and view.selection.range is not None:
            menu = build_more_menu(view)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.triggered.connect(self.hide)
            menu.popup(self.more.mapToGlobal(self.more.rect().bottomLeft()))

    def _dismiss(self) -> None:
        self._is_dismissed = True
        self.hide()
        if self._view is not None:
            self._view.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._view and event.type() == QEvent.Type.Hide:
            self.hide()
        return False
