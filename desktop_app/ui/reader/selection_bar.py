"""The bar beside the selected text: highlight colours, note, ask, graph, copy, citation.

Owns when and where the bar is shown. `passage_actions` runs its actions; the same ones have keys.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from enum import Enum, auto
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QBoxLayout, QFrame, QGraphicsDropShadowEffect, QWidget

from ..theme.theme import Theme
from ..translation import tr
from ..widgets.buttons import IconButton, add_shortcut
from ..widgets.layout import build_row
from ..widgets.note_colors import COLOR_WORDS
from .annotations import Swatch
from .view import DocumentView

GAP = 8  # pixels between the bar and the selection
FIRST_ROW = 18.0  # pixels between the top of the bar and the middle of its first row
STEP = 32.0  # pixels between two places of the bar that are compared
INSET = 0.15  # share of a line at its top and its foot that has no ink of most letters
SHADOW = 60  # of 255: how dark the shadow of the bar is


class BarForm(Enum):
    """How the parts of the bar are arranged."""

    ROW = auto()
    COLUMN = auto()  # colours in two rows, the buttons with their words below each other
    ICONS = auto()  # colours and icons, all below each other


class BarPlace(NamedTuple):
    """Where the bar is in the window, in which form."""

    rect: QRectF
    form: BarForm


def find_place(
    room: QSizeF,
    first: QRectF | None,
    last: QRectF | None,
    lines: Sequence[QRectF],
    sizes: Mapping[BarForm, QSizeF],
    sides: tuple[float, float] | None = None,
) -> BarPlace:
    """Return the place that covers the least text, of those the one nearest to the selection.

    Compared are a row above the first selected line and one below the last, from the left to the
    right of the window, and columns at the left and at the right: beside the page, or beside its
    text where that has more room. They begin at the last selected line. A place over an edge of
    the page is worse than any other that covers as much text; icons without words are for margins
    in which no words have room.

    Args:
        room: the size of the window.
        first, last: the boxes of the first and the last selected character, None if not in sight.
        lines: the boxes of all lines in sight.
        sizes: the size of the bar in each form.
        sides: the left and the right edge of the page.
    """
    row = sizes[BarForm.ROW]
    places = [
        BarPlace(QRectF(QPointF(x, y), row), BarForm.ROW)
        for y in _iter_tops(room, first, last, row.height())
        for x in _spread(GAP, room.width() - row.width() - GAP)
    ]
    target = (last or first or QRectF(room.width() / 2, room.height(), 0, 0)).center()
    for form in (BarForm.COLUMN, BarForm.ICONS):
        in_margins = _list_in_margins(room, target.y(), lines, sizes[form], sides)
        places += [BarPlace(rect, form) for rect in in_margins]

    def cost(place: BarPlace) -> tuple[int, bool, bool, float]:
        covered, rect = round(_covered(place.rect, lines)), place.rect
        on_edge = any(rect.left() < x < rect.right() for x in sides or ())
        return covered, on_edge, place.form is BarForm.ICONS, _distance(rect, target)

    return min(places, key=cost)


def _list_in_margins(
    room: QSizeF,
    line: float,
    lines: Sequence[QRectF],
    size: QSizeF,
    sides: tuple[float, float] | None,
) -> list[QRectF]:
    """Return the places at the left and the right of the lines, as far as there is room.

    Args:
        line: the y of the middle of the line at which the bar should begin.
        sides: the edges of the page: beside it where it has room, else beside its lines.
    """
    if size.height() > room.height() - 2 * GAP:
        return []
    top = max(GAP, min(line - FIRST_ROW, room.height() - size.height() - GAP))
    beside = [box for box in lines if box.bottom() > top and box.top() < top + size.height()]
    if not beside:
        return []
    first, last = min(box.left() for box in beside), max(box.right() for box in beside)
    edges = [(first, last)] if sides is None else [sides, (first, last)]
    lefts = [min(left, first) - GAP - size.width() for left, _ in edges]
    rights = [max(right, last) + GAP for _, right in edges]
    most = room.width() - size.width() - GAP
    found = [next((x for x in xs if GAP <= x <= most), None) for xs in (lefts, rights)]
    return [QRectF(QPointF(x, top), size) for x in found if x is not None]


def _iter_tops(
    room: QSizeF, first: QRectF | None, last: QRectF | None, height: float
) -> list[float]:
    """Return the tops of a row above and below the selection; at the foot if neither has room."""
    tops = []
    if first is not None:
        tops.append(first.top() - GAP - height)
    if last is not None:
        tops.append(last.bottom() + GAP)
    lowest = room.height() - height - GAP
    # the selection may be larger than the window
    return [top for top in tops if GAP <= top <= lowest] or [max(0.0, lowest)]


def _spread(first: float, last: float) -> list[float]:
    """Return numbers from the first to the last, at most `STEP` apart; one if they are in order."""
    n_steps = max(0, math.ceil((last - first) / STEP))
    return [first + (last - first) * i / n_steps for i in range(n_steps + 1)] if n_steps else [0.0]


def _covered(place: QRectF, lines: Sequence[QRectF]) -> float:
    """Return the pixels of lines below a place."""
    total = 0.0
    for line in lines:
        if line.bottom() <= place.top() or line.top() >= place.bottom():
            continue
        trim = INSET * line.height()
        common = place.intersected(line.adjusted(0, trim, 0, -trim))
        total += max(0.0, common.width()) * max(0.0, common.height())
    return total


def _distance(place: QRectF, point: QPointF) -> float:
    """Return the distance of a point from a place, and a little for its middle."""
    x = max(place.left() - point.x(), 0.0, point.x() - place.right())
    y = max(place.top() - point.y(), 0.0, point.y() - place.bottom())
    return math.hypot(x, y) + 0.01 * abs(place.center().x() - point.x())


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
        self._words: dict[str, str] = {}  # beside the icons
        for action, icon, short, words, keys in (
            ("highlight_note", "ph.note-pencil", tr("Note"), tr("Highlight with a note…"), "M"),
            ("ask", "chat", tr("Ask"), tr("Ask about this passage"), "A"),
            ("graph", "graph", tr("Graph"), tr("Show its names in the graph"), "G"),
            ("copy", "ph.copy", tr("Copy"), tr("Copy the text"), "Ctrl+C"),
            ("quote", "ph.quotes", tr("Cite"), tr("Copy with citation"), "Ctrl+Shift+C"),
        ):
            button = self.buttons[action] = IconButton(theme, icon, words, self, shortcut=keys)
            self._words[action] = short
            button.clicked.connect(partial(self._run, action))
        self._pairs = [build_row(*self.swatches[at : at + 2], spacing=2) for at in (0, 2)]
        colors = build_row(*self._pairs, spacing=2)
        self._actions = build_row(*self.buttons.values(), spacing=2)
        self._parts = build_row(colors, self._actions, parent=self, spacing=6)
        self._parts.setContentsMargins(6, 4, 6, 4)
        self._colors = colors
        self._sizes: dict[BarForm, QSizeF] = {}
        theme.changed.connect(self._forget_sizes)
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
        """Show the bar where it covers the least text, beside the selection.

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
        room, origin = view.viewport().rect(), view.viewport().mapTo(self._area, QPoint())
        inside = QRectF(room)
        first, last = (view.caret.box_of(offset) for offset in chosen)
        lines = [box for box in view.line_boxes() if box.intersects(inside)]
        sizes, sides = self._find_sizes(), view.page_sides()
        place = find_place(inside.size(), first, last, lines, sizes, sides)
        self._arrange(place.form)
        self.adjustSize()
        self.move(origin + place.rect.topLeft().toPoint())
        self.show()
        self.raise_()

    def _arrange(self, form: BarForm) -> None:
        """Place the parts of the bar beside or below each other."""
        directions = QBoxLayout.Direction

        def direction(is_column: bool) -> QBoxLayout.Direction:
            return directions.TopToBottom if is_column else directions.LeftToRight

        self._parts.setDirection(direction(form is not BarForm.ROW))
        self._actions.setDirection(direction(form is not BarForm.ROW))
        self._colors.setDirection(direction(form is not BarForm.ROW))
        for pair in self._pairs:
            pair.setDirection(direction(form is BarForm.ICONS))
        align = {
            BarForm.COLUMN: Qt.AlignmentFlag.AlignLeft,
            BarForm.ICONS: Qt.AlignmentFlag.AlignHCenter,
        }
        for action, button in self.buttons.items():
            button.set_words("" if form is BarForm.ICONS else self._words[action])
            self._actions.setAlignment(button, align.get(form, Qt.AlignmentFlag(0)))
        for number, swatch in enumerate(self.swatches):
            self._pairs[number // 2].setAlignment(swatch, align.get(form, Qt.AlignmentFlag(0)))
        # a layout keeps the sizes of those inside it, until it is laid out again itself
        for layout in (*self._pairs, self._colors, self._actions, self._parts):
            layout.invalidate()

    def _find_sizes(self) -> Mapping[BarForm, QSizeF]:
        """Return the size of the bar in each form."""
        if not self._sizes:
            self.ensurePolished()
            for form in BarForm:
                self._arrange(form)
                self._sizes[form] = QSizeF(self._parts.totalSizeHint())
        return self._sizes

    def _forget_sizes(self) -> None:
        self._sizes = {}

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
