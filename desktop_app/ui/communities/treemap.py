"""The map of communities: boxes as big as they have names, with titles where they fit.

Owns painting, hover, clicks and keys. Which box lies where is in `cells`; what a click means is
the panel's.
"""

from __future__ import annotations

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
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from desktop_app.ui.language import tr
from desktop_app.ui.theme.theme import Theme

from .box_words import paint_words
from .cells import HEAD, Cell, cell_at, cell_beside, lay_cells
from .forest import ROOT, Forest
from .tree_delegate import shade_color
from .words import marks_of, say_rating, say_size, title_of

MARGIN = 8
ARROWS = {
    Qt.Key.Key_Left: "left",
    Qt.Key.Key_Right: "right",
    Qt.Key.Key_Up: "up",
    Qt.Key.Key_Down: "down",
}


class Treemap(QWidget):
    """Emits `chosen` for a box, `entered` for one to go into, `left` for the way back."""

    chosen = Signal(int)
    entered = Signal(int)
    left = Signal()
    menu_wanted = Signal(int, QPoint)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.forest, self.root = Forest(), ROOT
        self.cells: list[Cell] = []
        self.current: int | None = None
        self._hovered: int | None = None
        self._found: set[int] | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(tr("Map of communities"))
        theme.changed.connect(self._lay)

    def sizeHint(self) -> QSize:
        return QSize(480, 480)

    def show_part(self, forest: Forest, root: int) -> None:
        """Show the parts of a community, or those at the top."""
        self.forest, self.root, self._hovered = forest, root, None
        self._lay()

    def mark(self, number: int | None) -> None:
        self.current = number
        row = self.forest.rows.get(number or ROOT)
        said = [title_of(row), say_size(row.n_members)] if row is not None else []
        self.setAccessibleDescription(". ".join(said))
        self.update()

    def set_found(self, found: set[int] | None) -> None:
        """Let only these stand out; None for all."""
        self._found = found
        self.update()

    def cell_of(self, number: int | None) -> Cell | None:
        return next((cell for cell in self.cells if cell.number == number), None)

    def _head(self) -> int:
        return self._theme.length(HEAD)

    def _lay(self) -> None:
        area = QRectF(self.rect()).adjusted(MARGIN, MARGIN, -MARGIN + 2, -MARGIN + 2)
        self.cells = lay_cells(self.forest, self.root, area, self._head())
        self.update()

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._lay()

    # --- drawing --------------------------------------------------------------------------------

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
        theme, row = self._theme, self.forest.rows[cell.number]
        faint = self._found is not None and cell.number not in self._found
        if faint and cell.has_inside and not self._found.isdisjoint(self._inside(cell.number)):
            faint = False
        alpha = (0.16 if cell.has_inside else 0.3) + (0.14 if theme.is_dark else 0.0)
        if cell.number == self._hovered:
            alpha += 0.14
        painter.setOpacity(0.25 if faint else 1.0)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(shade_color(theme, cell.shade, alpha))
        painter.drawRoundedRect(cell.area, 4, 4)
        if cell.has_inside:
            spot = cell.area.adjusted(6, 0, -4, 0)
            spot.setHeight(self._head())
            font = theme.font("small")
            font.setWeight(font.Weight.DemiBold)
            painter.setFont(font)
            painter.setPen(theme.color("text"))
            size = str(row.n_members)
            metrics = QFontMetrics(font)
            room = spot.width() - metrics.horizontalAdvance(size) - 10
            title = metrics.elidedText(title_of(row), Qt.TextElideMode.ElideRight, int(room))
            painter.drawText(spot, Qt.AlignmentFlag.AlignVCenter, title)
            end = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
            painter.drawText(spot, end, size)
        else:
            painter.setPen(theme.color("text"))
            paint_words(painter, cell.area.adjusted(6, 4, -4, -3), title_of(row), theme)
        painter.setOpacity(1.0)

    def _inside(self, number: int) -> set[int]:
        """Return a community's parts and theirs."""
        inside, todo = set(), self.forest.children(number)
        while todo:
            inside.update(todo)
            todo = [i for part in todo for i in self.forest.children(part)]
        return inside

    # --- pointer --------------------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        cell = cell_at(self.cells, event.position())
        self._hover(cell.number if cell else None)

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(None)

    def _hover(self, number: int | None) -> None:
        if number != self._hovered:
            self._hovered = number
            hand = number is not None
            self.setCursor(
                Qt.CursorShape.PointingHandCursor if hand else Qt.CursorShape.ArrowCursor
            )
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.BackButton:
            self.left.emit()
            return
        cell = cell_at(self.cells, event.position())
        if event.button() != Qt.MouseButton.LeftButton or cell is None:
            return
        if cell.number == self.current and self.forest.children(cell.number):
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
                QToolTip.showText(event.globalPos(), self._tell(cell.number), self)
            return True
        return super().event(event)

    def _tell(self, number: int) -> str:
        row = self.forest.rows[number]
        said = [title_of(row), say_size(row.n_members)]
        if not row.is_loose:
            said.append(tr("Weight: {rating}", rating=say_rating(row.rating)))
        said += [words for _, words in marks_of(row)]
        if self.forest.children(number):
            said.append(tr("Click twice to go into it"))
        return "\n".join(said)

    # --- keys -----------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        here = self.cell_of(self.current)
        if key in (Qt.Key.Key_Backspace, Qt.Key.Key_Escape):
            if self.root != ROOT:
                self.left.emit()
                return
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and here is not None:
            if here.number != self.root and self.forest.children(here.number):
                self.entered.emit(here.number)
            return
        elif key in ARROWS and self.cells:
            found = self.cells[0] if here is None else cell_beside(self.cells, here, ARROWS[key])
            if found is not None:
                self.chosen.emit(found.number)
            return
        elif here is not None and self._step_depth(key, here):
            return
        super().keyPressEvent(event)

    def _step_depth(self, key: int, here: Cell) -> bool:
        """Go to the biggest part inside a box with PgDown, and out again with PgUp."""
        if key == Qt.Key.Key_PageDown and here.has_inside:
            self.chosen.emit(self.forest.children(here.number)[0])
            return True
        if key == Qt.Key.Key_PageUp and here.depth:
            self.chosen.emit(self.forest.parent(here.number))
            return True
        return False

    def focusInEvent(self, event) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event) -> None:
        super().focusOutEvent(event)
        self.update()
