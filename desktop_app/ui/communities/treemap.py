"""The map of communities: a treemap with boxes in proportion to the number of names.

Computes the layout (Bruls, Huizing and van Wijk, "Squarified Treemaps"), paints it and handles
hover, clicks and keys.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from ..theme.theme import Theme
from ..translation import tr
from ..widgets import Button, ElidedLabel, IconButton, build_column, build_row
from ..widgets.labels import paint_community_mark
from .community_tree import (
    ROOT,
    CommunityTree,
    format_member_count,
    format_rating,
    get_title,
    list_marks,
)
from .parts import MARK, shade_color

Box = tuple[float, float, float, float]  # left, top, width, height


def squarify(values: Sequence[float], box: Box) -> list[Box]:
    """Return a box for each value, in order; areas are proportional to the values.

    Values must be in descending order. Values of zero or less get boxes without area.
    """
    left, top, width, height = box
    total = sum(v for v in values if v > 0)
    if total <= 0 or width <= 0 or height <= 0:
        return [(left, top, 0.0, 0.0) for _ in values]
    scale = width * height / total
    areas = [max(0.0, v) * scale for v in values]
    found: list[Box] = []
    start = 0
    while start < len(areas):
        side = min(width, height)
        end = start + 1
        while end < len(areas) and _worst(areas[start : end + 1], side) <= _worst(
            areas[start:end], side
        ):
            end += 1
        row = areas[start:end]
        depth = sum(row) / side if side > 0 else 0.0
        at = 0.0
        for area in row:
            length = area / depth if depth > 0 else 0.0
            if width >= height:
                found.append((left, top + at, depth, length))
            else:
                found.append((left + at, top, length, depth))
            at += length
        if width >= height:
            left, width = left + depth, max(0.0, width - depth)
        else:
            top, height = top + depth, max(0.0, height - depth)
        start = end
    return found


def _worst(areas: Sequence[float], side: float) -> float:
    """Return the worst aspect ratio of the boxes in a row along a side."""
    total, least, most = sum(areas), min(areas), max(areas)
    if total <= 0 or least <= 0 or side <= 0:
        return float("inf")
    return max(side * side * most / (total * total), total * total / (side * side * least))


HEAD = 22
GAP = 2.0
INSET = 3.0
ROOM_W, ROOM_H = 84.0, 64.0  # smaller boxes do not show their children


@dataclass(frozen=True, slots=True)
class Cell:
    """The box of a community.

    Attributes:
        depth: 0 for a child of the community that is shown, 1 for a grandchild.
        mark: the number whose colour it has, 0 for none; at depth 1 that of its parent.
        has_inside: whether children are drawn in it.
    """

    number: int
    area: QRectF
    depth: int
    mark: int
    has_inside: bool = False


def build_cells(
    community_tree: CommunityTree, root: int, area: QRectF, head: float = HEAD
) -> list[Cell]:
    """Return the boxes of a community's children and grandchildren, the outer ones first."""
    cells: list[Cell] = []
    numbers = community_tree.children(root) or ([root] if root in community_tree else [])
    boxes = squarify(
        [community_tree.rows[i].n_members for i in numbers],
        (area.left(), area.top(), area.width(), area.height()),
    )
    for number, box in zip(numbers, boxes, strict=True):
        outer = QRectF(*box).adjusted(0, 0, -GAP, -GAP)
        if outer.width() < 1.5 or outer.height() < 1.5:
            continue
        mark = community_tree.mark(number)
        parts = community_tree.children(number) if number != root else []
        room = outer.width() >= ROOM_W and outer.height() >= ROOM_H + head
        inside = bool(parts) and room
        cells.append(Cell(number, outer, 0, mark, inside))
        if not inside:
            continue
        inner = outer.adjusted(INSET, head, -INSET + GAP, -INSET + GAP)
        small = squarify(
            [community_tree.rows[i].n_members for i in parts],
            (inner.left(), inner.top(), inner.width(), inner.height()),
        )
        for part, one in zip(parts, small, strict=True):
            spot = QRectF(*one).adjusted(0, 0, -GAP, -GAP)
            if spot.width() >= 1.5 and spot.height() >= 1.5:
                cells.append(Cell(part, spot, 1, mark))
    return cells


def cell_at(cells: list[Cell], point: QPointF) -> Cell | None:
    """Return the innermost box at a point."""
    return next((cell for cell in reversed(cells) if cell.area.contains(point)), None)


_BESIDE: dict[str, Callable[[QPointF], tuple[float, float]]] = {
    "left": lambda by: (-by.x(), abs(by.y())),
    "right": lambda by: (by.x(), abs(by.y())),
    "up": lambda by: (-by.y(), abs(by.x())),
    "down": lambda by: (by.y(), abs(by.x())),
}


def cell_beside(cells: list[Cell], here: Cell, direction: str) -> Cell | None:
    """Return the nearest box of the same depth to the left, right, top or bottom."""
    best, best_cost = None, float("inf")
    for cell in cells:
        if cell.depth != here.depth or cell.number == here.number:
            continue
        along, across = _BESIDE[direction](cell.area.center() - here.area.center())
        if along > 0.5 and along + 2.0 * across < best_cost:
            best, best_cost = cell, along + 2.0 * across
    return best


LEAST_WIDTH = 38


def paint_words(painter: QPainter, area: QRectF, words: str, theme: Theme) -> int:
    """Paint as many lines as fit and return their number."""
    font = theme.font("small")
    metrics = QFontMetrics(font)
    line_height = metrics.height() + 1
    most = int(area.height() // line_height)
    if most < 1 or area.width() < LEAST_WIDTH:
        return 0
    text = " ".join(words.split())
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WordWrap)  # longer words are cut with an ellipsis
    layout.setTextOption(option)
    lines: list[str] = []
    layout.beginLayout()
    while (line := layout.createLine()).isValid():
        line.setLineWidth(area.width())
        start = line.textStart()
        if len(lines) + 1 == most:
            rest = text[start:]
            right = Qt.TextElideMode.ElideRight
            lines.append(metrics.elidedText(rest, right, int(area.width())))
            break
        part = text[start : start + line.textLength()].strip()
        lines.append(metrics.elidedText(part, Qt.TextElideMode.ElideRight, int(area.width())))
    layout.endLayout()
    painter.setFont(font)
    for number, parts in enumerate(lines):
        painter.drawText(
            QPointF(area.left(), area.top() + metrics.ascent() + number * line_height), parts
        )
    return len(lines)


MARGIN = 8
ARROWS = {
    Qt.Key.Key_Left: "left",
    Qt.Key.Key_Right: "right",
    Qt.Key.Key_Up: "up",
    Qt.Key.Key_Down: "down",
}


class Treemap(QWidget):
    """Emits `chosen` for a box, `entered` for one to zoom into, `left` to zoom out."""

    chosen = Signal(int)
    entered = Signal(int)
    left = Signal()
    menu_wanted = Signal(int, QPoint)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.community_tree, self.root = CommunityTree(), ROOT
        self.cells: list[Cell] = []
        self.current: int | None = None
        self._hovered: int | None = None
        self._found: set[int] | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(tr("Treemap of communities"))
        theme.changed.connect(self._place_cells)

    def sizeHint(self) -> QSize:
        return QSize(480, 480)

    def show_part(self, community_tree: CommunityTree, root: int) -> None:
        """Show the children of a community, or the top level."""
        self.community_tree, self.root, self._hovered = community_tree, root, None
        self._place_cells()

    def mark(self, number: int | None) -> None:
        self.current = number
        row = self.community_tree.rows.get(number or ROOT)
        parts = [get_title(row), format_member_count(row.n_members)] if row is not None else []
        self.setAccessibleDescription(". ".join(parts))
        self.update()

    def set_found(self, found: set[int] | None) -> None:
        """Highlight only these and the boxes around them; None for all."""
        self._found = None if found is None else self.community_tree.with_parents(found)
        self.update()

    def cell_of(self, number: int | None) -> Cell | None:
        return next((cell for cell in self.cells if cell.number == number), None)

    def _head(self) -> int:
        return self._theme.length(HEAD)

    def _place_cells(self) -> None:
        area = QRectF(self.rect()).adjusted(MARGIN, MARGIN, -MARGIN + 2, -MARGIN + 2)
        self.cells = build_cells(self.community_tree, self.root, area, self._head())
        self.update()

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._place_cells()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for cell in self.cells:
            self._paint_cell(painter, cell)
        chosen = self.cell_of(self.current)
        if chosen is not None:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._theme.color("accent"), 2.5 if self.hasFocus() else 2))
            painter.drawRoundedRect(chosen.area.adjusted(1, 1, -1, -1), 4, 4)
        painter.end()

    def _paint_cell(self, painter: QPainter, cell: Cell) -> None:
        theme, row = self._theme, self.community_tree.rows[cell.number]
        faint = self._found is not None and cell.number not in self._found
        alpha = (0.16 if cell.has_inside else 0.3) + (0.14 if theme.is_dark else 0.0)
        if cell.number == self._hovered:
            alpha += 0.14
        painter.setOpacity(0.25 if faint else 1.0)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(shade_color(theme, cell.mark, alpha))
        painter.drawRoundedRect(cell.area, 4, 4)
        if cell.has_inside:
            spot = cell.area.adjusted(6, 0, -4, 0)
            spot.setHeight(self._head())
            spot.setLeft(spot.left() + self._paint_mark(painter, cell, spot))
            font = theme.font("small")
            font.setWeight(font.Weight.DemiBold)
            painter.setFont(font)
            painter.setPen(theme.color("text"))
            size = str(row.n_members)
            metrics = QFontMetrics(font)
            room = spot.width() - metrics.horizontalAdvance(size) - 10
            title = metrics.elidedText(get_title(row), Qt.TextElideMode.ElideRight, int(room))
            painter.drawText(spot, Qt.AlignmentFlag.AlignVCenter, title)
            end = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
            painter.drawText(spot, end, size)
        else:
            spot = cell.area.adjusted(6, 4, -4, -3)
            if cell.depth == 0 and spot.width() >= ROOM_W:
                line = QRectF(spot.left(), spot.top(), spot.width(), theme.length(MARK))
                if line.height() <= spot.height():
                    spot.setLeft(spot.left() + self._paint_mark(painter, cell, line))
            painter.setPen(theme.color("text"))
            paint_words(painter, spot, get_title(row), theme)
        painter.setOpacity(1.0)

    def _paint_mark(self, painter: QPainter, cell: Cell, line: QRectF) -> float:
        """Paint the mark of a community at the start of a line; return the width it takes."""
        if not cell.mark:
            return 0.0
        side = self._theme.length(MARK)
        spot = QRectF(line.left(), line.center().y() - side / 2, side, side)
        paint_community_mark(painter, spot, cell.mark, self._theme)
        return side + 4.0

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        cell = cell_at(self.cells, event.position())
        self._hover(cell.number if cell else None)

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(None)

    def _hover(self, number: int | None) -> None:
        if number != self._hovered:
            self._hovered = number
            shape = Qt.CursorShape
            self.setCursor(shape.ArrowCursor if number is None else shape.PointingHandCursor)
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.BackButton:
            self.left.emit()
            return
        cell = cell_at(self.cells, event.position())
        if event.button() != Qt.MouseButton.LeftButton or cell is None:
            return
        if cell.number == self.current and self.community_tree.children(cell.number):
            self.entered.emit(cell.number)
        else:
            self.chosen.emit(cell.number)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        point = QPointF(event.pos())
        cell = self.cell_of(self.current) if by_key else cell_at(self.cells, point)
        if cell is not None:
            spot = cell.area.center() if by_key else point
            self.menu_wanted.emit(cell.number, self.mapToGlobal(spot.toPoint()))

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            cell = cell_at(self.cells, QPointF(event.pos()))
            if cell is None:
                QToolTip.hideText()
            else:
                QToolTip.showText(event.globalPos(), self.build_tooltip(cell.number), self)
            return True
        return super().event(event)

    def build_tooltip(self, number: int) -> str:
        """Return the title, size, importance and marks of a community."""
        row = self.community_tree.rows[number]
        parts = [get_title(row), format_member_count(row.n_members)]
        if not row.is_loose:
            parts.append(tr("Importance: {rating}", rating=format_rating(row.rating)))
        parts += [words for _, words in list_marks(row)]
        if self.community_tree.children(number):
            parts.append(tr("Click again to open it"))
        return "\n".join(parts)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        here = self.cell_of(self.current)
        if key in (Qt.Key.Key_Backspace, Qt.Key.Key_Escape):
            if self.root != ROOT:
                self.left.emit()
                return
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and here is not None:
            if here.number != self.root and self.community_tree.children(here.number):
                self.entered.emit(here.number)
            return
        elif key in ARROWS and self.cells:
            direction = ARROWS[Qt.Key(key)]
            found = cell_beside(self.cells, here, direction) if here else self.cells[0]
            if found is not None:
                self.chosen.emit(found.number)
            return
        elif key == Qt.Key.Key_PageDown and here is not None and here.has_inside:
            self.chosen.emit(self.community_tree.children(here.number)[0])  # the largest one
            return
        elif key == Qt.Key.Key_PageUp and here is not None and here.depth:
            self.chosen.emit(self.community_tree.parent(here.number))
            return
        super().keyPressEvent(event)


class MapPanel(QWidget):
    """The treemap with a path above it; emits `chosen` with a community."""

    chosen = Signal(int)
    menu_wanted = Signal(int, QPoint)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.treemap = Treemap(theme, self)
        back = "Backspace"  # not shown: a key
        self.up_button = IconButton(theme, "arrow-up", tr("Up one level"), self, shortcut=back)
        self.all_button = Button(tr("All"), self, kind="link")
        self.here = ElidedLabel("", "small", self)
        self.back_row = QWidget(self)
        path = (self.up_button, self.all_button, (self.here, 1))
        build_row(*path, parent=self.back_row, spacing=4, margins=(8, 4, 12, 0))
        build_column(self.back_row, (self.treemap, 1), parent=self, spacing=0)
        self.treemap.chosen.connect(self.chosen)
        self.treemap.entered.connect(self.go_into)
        self.treemap.left.connect(self.go_back)
        self.treemap.menu_wanted.connect(self.menu_wanted)
        self.up_button.clicked.connect(self.go_back)
        self.all_button.clicked.connect(lambda: self._show(ROOT))
        self._show(ROOT)

    @property
    def root(self) -> int:
        return self.treemap.root

    def set_community_tree(self, community_tree: CommunityTree) -> None:
        """Show these communities; stay in the current one if it still exists."""
        root = self.root if self.root in community_tree else ROOT
        self.treemap.community_tree = community_tree
        self._show(root)

    def mark(self, number: int) -> None:
        """Select a community and show the level where it is visible."""
        community_tree = self.treemap.community_tree
        hidden = not self.isVisible()  # there is no layout yet
        if not hidden and number in community_tree and self.treemap.cell_of(number) is None:
            parent = community_tree.parent(number)
            if self.root != number or not community_tree.children(number):
                self._show(parent)
        self.treemap.mark(number)

    def set_found(self, found: set[int] | None) -> None:
        self.treemap.set_found(found)

    def go_into(self, number: int) -> None:
        """Show the children of a community."""
        if self.treemap.community_tree.children(number):
            self._show(number)
            self.chosen.emit(number)

    def go_back(self) -> None:
        """Show the parent level with the previous community selected."""
        before = self.root
        if before != ROOT:
            self._show(self.treemap.community_tree.parent(before))
            self.chosen.emit(before)

    def _show(self, root: int) -> None:
        community_tree = self.treemap.community_tree
        self.treemap.show_part(community_tree, root)
        self.back_row.setVisible(root != ROOT)
        path = [get_title(community_tree.rows[i]) for i in community_tree.path(root)]
        self.here.setText(" › ".join(["", *path]))
