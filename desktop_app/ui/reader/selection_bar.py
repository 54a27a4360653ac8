"""The bar at the selected text: highlight colours, note, copy, ask, and more in a menu.

Owns when and where the bar is shown. `passage_actions` runs its actions; the same ones have keys.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGraphicsDropShadowEffect,
    QToolButton,
    QWidget,
)

from ..theme.theme import Theme
from ..translation import tr
from ..widgets.buttons import IconButton, add_shortcut
from ..widgets.layout import TallRule, build_row
from ..widgets.note_colors import COLOR_WORDS
from .annotations import Swatch
from .look import SHADOW
from .passage_actions import build_more_menu
from .view import DocumentView

GAP = 6  # pixels between the bar and the selection, or the text
MARGIN_GAP = 10  # pixels between the text and a bar in the margin
NEAR = 240.0  # pixels: a bar in the margin is no farther from the selected words
LINE_PITCH = 1.4  # from one line to the next, of the height of a line


class BarShape(NamedTuple):
    """A form of the bar: a row or a column, with or without words beside its icons."""

    is_row: bool
    has_words: bool


SHAPES = tuple(
    BarShape(is_row, has_words) for is_row in (True, False) for has_words in (True, False)
)


class Surroundings(NamedTuple):
    """What is around a selection, in the window.

    Attributes:
        window: all of it, where a bar may be in a margin.
        page: the visible part of the page, where one above or below the selection is.
        text: returns the left and right edge of the text of the page between two heights.
        covers: returns whether there is text in a rectangle.
    """

    window: QRectF
    page: QRectF
    text: Callable[[float, float], tuple[float, float]]
    covers: Callable[[QRectF], bool]


class BarPlace(NamedTuple):
    """Where the bar is in the window, and its form."""

    rect: QRectF
    shape: BarShape


def find_place(
    around: Surroundings,
    lines: Sequence[QRectF],
    sizes: Mapping[BarShape, QSizeF],
    *,
    above: bool = True,
) -> BarPlace:
    """Return the place for the bar: first one that covers no text, then one that leaves a line.

    In this order: directly above or below the selection where that is blank, a margin of the page
    that is not far away, and above or below with the neighbouring line between, so that this line
    can be read. It covers no selected line, unless they fill the window; then it is at the foot.

    Args:
        lines: the boxes of the selected lines in sight, in reading order, at least one.
        sizes: of the bar in each form.
        above: which of the two places is tried first.
    """
    row = BarShape(True, sizes[BarShape(True, True)].width() <= around.page.width())
    size, page = sizes[row], around.page

    def place_row(is_above: bool, gap: float) -> QRectF:
        line = lines[0] if is_above else lines[-1]
        top = line.top() - gap - size.height() if is_above else line.bottom() + gap
        left = line.center().x() - size.width() / 2
        left = max(page.left(), min(left, page.right() - size.width()))
        return QRectF(round(left), round(top), size.width(), size.height())

    def fits(rect: QRectF) -> bool:
        is_inside = page.top() <= rect.top() and rect.bottom() <= page.bottom()
        return is_inside and not any(rect.intersects(line) for line in lines)

    sides = (above, not above)
    for rect in (place_row(is_above, GAP) for is_above in sides):
        if fits(rect) and not around.covers(rect):
            return BarPlace(rect, row)
    if (beside := _find_margin(around, lines, sizes)) is not None:
        return beside
    apart = GAP + LINE_PITCH * lines[0].height()
    for gap in (apart, GAP):
        for rect in (place_row(is_above, gap) for is_above in sides):
            if fits(rect):
                return BarPlace(rect, row)
    foot = place_row(True, 0.0)
    foot.moveTop(max(page.top(), page.bottom() - size.height()))
    return BarPlace(foot, row)


def _find_margin(
    around: Surroundings, lines: Sequence[QRectF], sizes: Mapping[BarShape, QSizeF]
) -> BarPlace | None:
    """Return the place beside the text that is the nearest to the selection, None if none is."""
    window = around.window
    first, last = min(line.left() for line in lines), max(line.right() for line in lines)
    found: list[tuple[float, int, BarPlace]] = []
    for has_words in (True, False):
        shape = BarShape(False, has_words)
        size = sizes[shape]
        top = max(window.top(), min(lines[0].top() - GAP, window.bottom() - size.height()))
        text_left, text_right = around.text(top, top + size.height())
        for away, left in (
            (text_right - last, text_right + MARGIN_GAP),
            (first - text_left, text_left - MARGIN_GAP - size.width()),
        ):
            rect = QRectF(round(left), round(top), size.width(), size.height())
            is_free = window.contains(rect) and not around.covers(rect)
            if is_free and away <= NEAR and not any(rect.intersects(line) for line in lines):
                found.append((away, len(found), BarPlace(rect, shape)))
        if found:
            break
    return min(found)[2] if found else None


class TextSelectionBar(QFrame):
    """Shows what can be done with the selection of a view as soon as the mouse is released.

    `find_place` says where. While the keyboard extends a selection, the bar keeps its place, until
    it would cover the selection; then it goes to the end that does not move.

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
        self._kept: tuple[QPointF, BarShape] | None = None  # the corner, from the anchor
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
        self._column_words = {"underline": tr("Underline")}
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
        self._sizes: dict[BarShape, QSizeF] = {}
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
        self._place()

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
        sizes = {shape: self._size(shape) for shape in SHAPES}
        origin = self._find_origin(view)
        place = self._find_kept(origin, lines, sizes)
        if place is None:
            around = Surroundings(inside, self._find_room(view), view.text_sides, view.covers)
            place = find_place(around, lines, sizes, above=self._is_above)
            if origin is not None:
                self._kept = place.rect.topLeft() - origin.topLeft(), place.shape
        self._take_shape(place.shape)
        corner = view.viewport().mapTo(self._area, QPoint()) + place.rect.topLeft().toPoint()
        size = place.rect.size().toSize()
        self.setGeometry(corner.x(), corner.y(), size.width(), size.height())
        self.show()
        self.raise_()

    def _find_kept(
        self, origin: QRectF | None, lines: Sequence[QRectF], sizes: Mapping[BarShape, QSizeF]
    ) -> BarPlace | None:
        """Return the place that the bar has, if it covers no selected line there."""
        if self._kept is None or origin is None or self._view is None:
            return None
        away, shape = self._kept
        rect = QRectF(origin.topLeft() + away, sizes[shape])
        is_inside = QRectF(self._view.viewport().rect()).contains(rect)
        is_free = is_inside and not any(rect.intersects(line) for line in lines)
        return BarPlace(rect, shape) if is_free else None

    def _find_room(self, view: DocumentView) -> QRectF:
        """Return the visible part of the page, or all of the window where that is too narrow."""
        inside = QRectF(view.viewport().rect()).adjusted(GAP, GAP, -GAP, -GAP)
        first, last = view.page_sides()
        page = QRectF(first + GAP, inside.top(), last - first - 2 * GAP, inside.height())
        page = page.intersected(inside)
        return page if page.width() >= self._size(BarShape(True, False)).width() else inside

    def _size(self, shape: BarShape) -> QSizeF:
        if shape not in self._sizes:
            self.ensurePolished()
            self._take_shape(shape)
            self._sizes[shape] = QSizeF(self._row.totalSizeHint())
        return self._sizes[shape]

    def _forget_sizes(self) -> None:
        self._sizes = {}

    def _take_shape(self, shape: BarShape) -> None:
        across = QBoxLayout.Direction.LeftToRight
        down = QBoxLayout.Direction.TopToBottom
        self._row.setDirection(across if shape.is_row else down)
        self._colors.setDirection(across if shape.is_row or shape.has_words else down)
        self._rule.setVisible(shape.is_row)
        for action, button in self.buttons.items():
            # in a column, all have words, for there is room below each other
            words = self._words[action] or ("" if shape.is_row else self._column_words[action])
            button.set_words(words if shape.has_words else "")
        self.more.set_words("" if shape.is_row or not shape.has_words else tr("More"))
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
