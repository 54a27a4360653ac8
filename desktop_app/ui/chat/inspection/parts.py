"""The parts of the answer inspector: chips, relations, the table of routes, bars for times.

Owns how they look and their keyboard access. Knows nothing of retrieval.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    QSizeF,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QTextLayout
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from desktop_app.engine.model import RelationRow

from ...theme.theme import Theme
from ...translation import tr
from ...widgets import paint_box
from ...widgets.words import plain_tip
from .presentation import (
    ROUTES,
    RouteRow,
    RouteTable,
    describe_relation,
    format_ms,
    format_score,
)


class RelationLine(QAbstractButton):
    """Two entities and their relation, above the sentence that supports it."""

    opened = Signal(int, int, int)

    def __init__(self, theme: Theme, relation: RelationRow, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._relation = relation
        self._sentence = " ".join((relation.sentence or relation.description).split())
        self.setText(describe_relation(relation))
        self.setAccessibleName(self.text())
        self.setAccessibleDescription(self._sentence)
        self.setToolTip(plain_tip(self._sentence))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        if relation.document_id is not None:
            place = (int(relation.document_id), relation.sentence_start, relation.sentence_end)
            self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self.setCursor(Qt.CursorShape.PointingHandCursor)
            self.clicked.connect(lambda: self.opened.emit(*place))
        theme.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        line = QFontMetrics(self._theme.font("text")).height()
        small = QFontMetrics(self._theme.font("small")).height() if self._sentence else 0
        return QSize(120, line + small + 6)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        lit = self._relation.document_id is not None and (self.underMouse() or self.hasFocus())
        with QPainter(self) as painter:
            if lit:
                edge = theme.color("accent") if self.hasFocus() else None
                paint_box(painter, QRectF(self.rect()), theme.color("accent_soft", 0.5), edge)
            top = 3
            for text, role, color in (
                (self.text(), "text", "text"),
                (self._sentence, "small", "text2"),
            ):
                painter.setFont(theme.font(role))
                painter.setPen(theme.color(color))
                metrics = QFontMetrics(painter.font())
                shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, self.width() - 8)
                # by the baseline: in a rectangle a taller fallback font would be clipped
                painter.drawText(QPointF(4, top + metrics.ascent()), shown)
                top += metrics.height()


SHARE_ROLE = Qt.ItemDataRole.UserRole
ROW_ROLE = Qt.ItemDataRole.UserRole + 1

AnyIndex = QModelIndex | QPersistentModelIndex


class RoutesModel(QAbstractTableModel):
    """Even rows name a passage (one cell over all columns), odd rows hold its scores."""

    def __init__(self, table: RouteTable, parent=None) -> None:
        super().__init__(parent)
        self.table = table

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 2 * len(self.table.rows)

    def columnCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else max(1, len(self.table.routes))

    def passage(self, row: int) -> RouteRow:
        return self.table.rows[row // 2]

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation != Qt.Orientation.Horizontal or section >= len(self.table.routes):
            return None
        short, hint = ROUTES.get(self.table.routes[section], (self.table.routes[section], ""))
        if role == Qt.ItemDataRole.DisplayRole:
            return tr(short)
        return tr(hint) if hint and role == Qt.ItemDataRole.ToolTipRole else None

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        passage = self.passage(index.row())
        if role == ROW_ROLE:
            return passage
        if index.row() % 2 == 0:
            return self._place(passage, role)
        if index.column() >= len(passage.scores):
            return None
        score = passage.scores[index.column()]
        name = tr(self.table.routes[index.column()])
        if role == Qt.ItemDataRole.DisplayRole:
            return format_score(score)
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            value = tr("not found") if score is None else format_score(score)
            return tr("{part}: {value}", part=name, value=value)
        if role == SHARE_ROLE:
            return self.table.share(index.column(), score) if score is not None else 0.0
        return None

    def _place(self, passage: RouteRow, role: int) -> Any:
        where = " · ".join(part for part in (passage.title, passage.place) if part)
        if role == Qt.ItemDataRole.DisplayRole:
            marks = "".join(f"[{number}]" for number in passage.numbers)
            return f"{marks} {where}: {passage.quote}".strip()
        if role == Qt.ItemDataRole.ToolTipRole:
            value = tr("Cited in the answer" if passage.cited else "Found, not cited")
            return plain_tip(f"{where}\n{value}\n{passage.quote[:TIP_CHARS]}")
        if role == Qt.ItemDataRole.AccessibleTextRole:
            if passage.cited:
                return tr("Passage {n}, {place}, cited", n=passage.rank, place=where)
            return tr("Passage {n}, {place}", n=passage.rank, place=where)
        return None


PLACE_ROW, QUOTE_LINES, SCORE_ROW = 26, 2, 38
CELL_MARGINS = 8  # pixels
AFTER_PASSAGE = 14  # pixels of the last row of a passage that stay empty
TIP_CHARS = 400
HEAD_LINE = 16
LEAST_PX = 8
STAGGERED = 1.6  # columns that a name may take if names alternate between two lines


def fit_font(font: QFont, texts: Iterable[str | None], room: float) -> QFont:
    """Return the font, smaller if the widest text does not fit."""
    fitting, metrics = QFont(font), QFontMetrics(font)
    widest = max((metrics.horizontalAdvance(text) for text in texts if text), default=0)
    if widest > room:
        size = int(font.pixelSize() * room / widest)
        fitting.setPixelSize(max(LEAST_PX, size))
    return fitting


class RouteHeader(QHeaderView):
    """The names of the routes; on two lines if they would overlap."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme = theme
        self.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.setMinimumSectionSize(24)
        self.setHighlightSections(False)
        self.setSectionsClickable(False)

    def _names(self) -> list[str]:
        model, across = self.model(), Qt.Orientation.Horizontal
        return [str(model.headerData(i, across) or "") for i in range(self.count())]

    def is_staggered(self) -> bool:
        """Whether some name is wider than its column."""
        if self.model() is None or not self.count():
            return False
        room = self.viewport().width() / self.count() - 4
        metrics = QFontMetrics(self._theme.font("small"))
        return any(metrics.horizontalAdvance(name) > room for name in self._names())

    def font_of_names(self) -> QFont:
        """Return the font in which names on one line do not overlap."""
        font = self._theme.font("small")
        if not self.is_staggered():
            return font
        return fit_font(font, self._names(), STAGGERED * self.viewport().width() / self.count())

    def sizeHint(self) -> QSize:
        line = max(HEAD_LINE, QFontMetrics(self._theme.font("small")).height())
        n_lines = 2 if self.is_staggered() else 1
        return QSize(super().sizeHint().width(), n_lines * line + 2)

    def paintSection(self, painter: QPainter, rect: QRect, index: int) -> None:
        name = str(self.model().headerData(index, Qt.Orientation.Horizontal) or "")
        font = self.font_of_names()
        painter.setFont(font)
        painter.setPen(self._theme.color("text2"))
        staggered = self.is_staggered()
        half = rect.height() // 2 if staggered else 0
        upper = staggered and index % 2 == 0
        area = rect.adjusted(-40, 0, 40, -half) if upper else rect.adjusted(-40, half, 40, 0)
        end = index == self.count() - 1
        if index == 0 or end:  # text at an edge must not be clipped
            width = QFontMetrics(font).horizontalAdvance(name)
            left = rect.center().x() - width // 2
            left = max(0, min(left, self.viewport().width() - width - 3))
            area = QRect(left, area.top(), width + 2, area.height())
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, name)


class RouteDelegate(QStyledItemDelegate):
    """Draws the location of a passage, or a score on a background that grows with it."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, area = self._theme, option.rect
        chosen = option.state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_HasFocus)
        parent = self.parent()
        focused = bool(chosen) and isinstance(parent, QWidget) and parent.hasFocus()
        if index.row() % 2 == 0:
            self._paint_place(painter, area.adjusted(0, 2, -1, 0), index, focused)
        else:
            cell = QRectF(area).adjusted(1, 1, 1 - CELL_MARGINS, -AFTER_PASSAGE)
            self._paint_score(painter, cell, index)
            if focused and option.state & QStyle.StateFlag.State_HasFocus:
                paint_box(painter, cell, Qt.BrushStyle.NoBrush, theme.color("accent"))
        painter.restore()

    def _paint_score(self, painter: QPainter, cell: QRectF, index) -> None:
        """Draw the score, and below it a bar as long as its share of the route's best."""
        theme, share = self._theme, min(1.0, index.data(SHARE_ROLE) or 0.0)
        painter.setPen(Qt.PenStyle.NoPen)
        track = QRectF(cell.left(), cell.bottom() - BAR, cell.width(), BAR)
        painter.setBrush(theme.color("text2", 0.3))
        painter.drawRoundedRect(track, 2, 2)
        if share:
            painter.setBrush(theme.color("accent"))
            painter.drawRoundedRect(
                QRectF(track.topLeft(), QSizeF(share * cell.width(), BAR)), 2, 2
            )
        model = index.model()
        texts = [index.siblingAtColumn(i).data() for i in range(model.columnCount())]
        small = theme.font("small")
        above = cell.adjusted(0, 0, 0, -BAR)
        place = Qt.AlignmentFlag.AlignCenter
        if has_room_for_names(model, QFontMetrics(small), cell.width()):
            painter.setFont(small)
            painter.setPen(theme.color("text2"))
            name = model.headerData(index.column(), Qt.Orientation.Horizontal)
            painter.drawText(above, Qt.AlignmentFlag.AlignVCenter, str(name or ""))
            place = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        else:
            painter.setFont(fit_font(small, texts, cell.width() - 2))
        painter.setPen(theme.color("text" if share else "text2"))
        painter.drawText(above, place, index.data() or "–")

    def _paint_place(self, painter: QPainter, area: QRect, index, focused: bool) -> None:
        theme, passage, whole = self._theme, index.data(ROW_ROLE), area
        top, cut = Qt.AlignmentFlag.AlignTop, Qt.TextElideMode.ElideRight
        strong = theme.font("strong" if passage.cited else "text")
        line = QFontMetrics(strong).height()
        room = area.width()
        if passage.title and passage.place:
            painter.setFont(theme.font("small"))
            painter.setPen(theme.color("text2"))
            small = QFontMetrics(painter.font())
            title = small.elidedText(passage.title, cut, room * 2 // 5)
            painter.drawText(area, top | Qt.AlignmentFlag.AlignRight, title)
            room -= small.horizontalAdvance(title) + 8
        painter.setFont(strong)
        painter.setPen(theme.color("accent" if focused else "text"))
        marks = "".join(f"[{number}]" for number in passage.numbers)  # as in the answer
        if marks:
            painter.drawText(area, top, marks)
            used = QFontMetrics(strong).horizontalAdvance(f"{marks} ")
            area, room = area.adjusted(used, 0, 0, 0), room - used
        # the last heading of a path is the most specific
        place = " ".join((passage.place or passage.title).split())
        end = Qt.TextElideMode.ElideLeft if passage.place else cut
        painter.drawText(area, top, QFontMetrics(strong).elidedText(place, end, room))
        area = whole
        painter.setFont(theme.font("small"))
        painter.setPen(theme.color("text2"))
        paint_lines(painter, QRectF(area).adjusted(0, line + 1, 0, 0), passage.quote, QUOTE_LINES)


def has_room_for_names(model: QAbstractItemModel, metrics: QFontMetrics, room: float) -> bool:
    """Return whether each cell has room for the name of its route beside the score."""
    across = Qt.Orientation.Horizontal
    for column in range(model.columnCount()):
        name = metrics.horizontalAdvance(str(model.headerData(column, across) or ""))
        cells = (model.index(row, column) for row in range(1, model.rowCount(), 2))
        scores = (metrics.horizontalAdvance(cell.data() or "–") for cell in cells)
        if name + GAP + max(scores, default=0) > room:
            return False
    return True


def paint_lines(painter: QPainter, area: QRectF, text: str, n_lines: int) -> None:
    """Draw a text on at most so many lines; the last one ends with an ellipsis if it is cut."""
    layout, metrics = QTextLayout(text, painter.font()), QFontMetrics(painter.font())
    layout.beginLayout()
    y = area.top()
    for number in range(1, n_lines + 1):
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(area.width())
        start, end = line.textStart(), line.textStart() + line.textLength()
        shown = text[start:end] if number < n_lines else text[start:]
        width = int(area.width())
        shown = metrics.elidedText(shown.strip(), Qt.TextElideMode.ElideRight, width)
        painter.drawText(QRectF(area.left(), y, area.width(), metrics.height()), 0, shown)
        y += metrics.height()
    layout.endLayout()


class RoutesTable(QTableView):
    """As high as its rows; `opened` gives the index of a passage."""

    opened = Signal(int, int, int)

    def __init__(self, theme: Theme, table: RouteTable, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("routesTable")
        self.setAccessibleName(tr("Passages and how each was found"))
        self.setHorizontalHeader(RouteHeader(theme, self))
        self._model = RoutesModel(table, self)
        self.setModel(self._model)
        self.setItemDelegate(RouteDelegate(theme, self))
        self.verticalHeader().hide()
        self.verticalHeader().setMinimumSectionSize(8)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setStyleSheet("QTableView, QHeaderView { background: transparent; border: none; }")
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        if (n_columns := self._model.columnCount()) > 1:
            for row in range(0, self._model.rowCount(), 2):
                self.setSpan(row, 0, 1, n_columns)
        self.clicked.connect(self._open)
        theme.changed.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        grown = max(1.0, self._theme.scale)
        scored = bool(self._model.table.routes)
        for row in range(self.model().rowCount()):
            height = round((SCORE_ROW if scored else 2) * grown)
            if row % 2 == 0:
                quote = QUOTE_LINES * QFontMetrics(self._theme.font("small")).height()
                height = round(PLACE_ROW * grown) + quote
            self.setRowHeight(row, height)
        cell = self.viewport().width() / max(1, self._model.columnCount()) - CELL_MARGINS
        metrics = QFontMetrics(self._theme.font("small"))
        named = scored and not has_room_for_names(self._model, metrics, cell)
        self.horizontalHeader().setVisible(named)
        head = self.horizontalHeader().sizeHint().height() if named else 0
        self.horizontalHeader().setFixedHeight(max(1, head))
        self.setFixedHeight(head + self.verticalHeader().length() + 2)
        self.viewport().update()

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            QTimer.singleShot(0, self, self._fit)  # the names of the routes may need a line

    def _open(self, index) -> None:
        passage = self._model.passage(index.row())
        self.opened.emit(passage.document_id, passage.start, passage.end)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            if self.currentIndex().isValid():
                self._open(self.currentIndex())
            return
        if event.key() == Qt.Key.Key_Escape:
            event.ignore()
            return
        super().keyPressEvent(event)

    def focusInEvent(self, event) -> None:
        if not self.currentIndex().isValid() and self.model().rowCount():
            self.setCurrentIndex(self.model().index(0, 0))
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event) -> None:
        super().focusOutEvent(event)
        self.viewport().update()


ROW, BAR = 20, 4
GAP = 8


class TimeBars(QWidget):
    """One line per step; the longest time fills the width."""

    def __init__(
        self, theme: Theme, times: Sequence[tuple[str, float]], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._times = list(times)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Times"))
        self.setAccessibleDescription(", ".join(f"{n} {format_ms(ms)}" for n, ms in self._times))
        theme.changed.connect(self.updateGeometry)
        theme.changed.connect(self.update)

    def _row(self) -> int:
        return max(ROW, QFontMetrics(self._theme.font("small")).height() + 3)

    def sizeHint(self) -> QSize:
        return QSize(200, len(self._times) * self._row())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = self._theme.font("small")
        painter.setFont(font)
        metrics = QFontMetrics(font)
        most = max((ms for _, ms in self._times), default=0.0) or 1.0
        named = max((metrics.horizontalAdvance(n) for n, _ in self._times), default=0)
        name_width = min(named, self.width() * 2 // 5)
        time_width = max((metrics.horizontalAdvance(format_ms(ms)) for _, ms in self._times),
                         default=0)  # fmt: skip
        left = name_width + GAP
        room = max(8, self.width() - left - time_width - GAP)
        middle = Qt.AlignmentFlag.AlignVCenter
        for place, (name, ms) in enumerate(self._times):
            top, row = place * self._row(), self._row()
            painter.setPen(self._theme.color("text"))
            shown = metrics.elidedText(name, Qt.TextElideMode.ElideRight, name_width + 1)
            painter.drawText(QRectF(0, top, name_width + 1, row), middle, shown)
            painter.setPen(self._theme.color("text2"))
            area = QRectF(self.width() - time_width - 1, top, time_width + 1, row)
            painter.drawText(area, middle | Qt.AlignmentFlag.AlignRight, format_ms(ms))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("line"))
            y = top + (row - BAR) / 2
            painter.drawRoundedRect(QRectF(left, y, room, BAR), 2, 2)
            painter.setBrush(self._theme.color("accent", 0.75))
            painter.drawRoundedRect(QRectF(left, y, max(BAR, room * ms / most), BAR), 2, 2)
        painter.end()
