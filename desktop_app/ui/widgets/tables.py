"""Tables of long lists, and the delegate that draws rows with two texts and numbers.

Owns row height, hover, sort indicators and the common baseline of Latin and Chinese text.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar, cast

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    QStringListModel,
    Qt,
    Signal,
)
from PySide6.QtGui import QFocusEvent, QFont, QFontMetrics, QPainter, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from desktop_app.ui.theme.theme import HIGH_CONTRAST, Theme

from ..theme.design_tokens import ROW
from ..translation import tr, trn
from .buttons import Button

SUBTITLE_ROLE = Qt.ItemDataRole.UserRole + 101
COLOR_ROLE = Qt.ItemDataRole.UserRole + 102
ICON_ROLE = Qt.ItemDataRole.UserRole + 103
ROW_ROLE = Qt.ItemDataRole.UserRole + 104

FRAME = 2  # pixels of the frame around the focused row in high contrast
BAR = 3  # pixels of the accent bar before a selected row of a table, or a current row

AnyIndex = QModelIndex | QPersistentModelIndex


Paint = Callable[[Any, QPainter, QStyleOptionViewItem, Any], None]


def inverts_selection(paint: Paint) -> Paint:
    """Wrap `paint` of a delegate that has a `_theme`: a selected row has inverted colours.

    They differ in high contrast only, see `Theme.inverted`.
    """

    @functools.wraps(paint)
    def painted(
        delegate: Any, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex
    ) -> None:
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        with delegate._theme.inverted(chosen=chosen):
            paint(delegate, painter, option, index)

    return painted


class HasId(Protocol):
    @property
    def id(self) -> int: ...


T = TypeVar("T", bound=HasId)


MOST_REMOVED_SINGLY = 100  # rows; then it is faster to lay out the list again


class RowsModel(QStringListModel):
    """A list of `rows` in memory; `ROW_ROLE` is the row itself, `describe` its texts.

    Qt's list of empty strings has as many rows: a list that is laid out asks for their number once
    for each row, which takes 60 ms for 16,000 rows in Python and 2 ms in Qt.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: list[Any] = []
        # before any view, which asks for the rows at these signals
        self.rowsRemoved.connect(self._forget_rows)
        self.rowsMoved.connect(self._move_rows)

    def show_rows(self, rows: Sequence[Any]) -> None:
        self.rows = list(rows)
        self.setStringList([""] * len(self.rows))

    def follow_rows(self, rows: Sequence[Any]) -> None:
        """Show rows of which those that stay have the order shown.

        None of those that stay is another row for Qt meanwhile, so that a click ends where it
        began.
        """
        ids = {row.id for row in rows}
        gone = [place for place, row in enumerate(self.rows) if row.id not in ids]
        if len(gone) > MOST_REMOVED_SINGLY:
            self.show_rows(rows)
            return
        for place in reversed(gone):
            self.remove_row(place)
        for place, run in list_new_runs(rows, self.rows):
            self.rows[place:place] = run
            self.insertRows(place, len(run))

    def insert_row(self, place: int, row: Any) -> None:
        self.rows.insert(place, row)
        self.insertRow(place)

    def remove_row(self, place: int) -> None:
        self.removeRow(place)

    def move_row(self, place: int, to: int) -> None:
        """Move a row to where it then is; a selected row stays selected."""
        if place != to:
            root = QModelIndex()
            self.moveRow(root, place, root, to + 1 if to > place else to)

    def _forget_rows(self, _parent: QModelIndex, first: int, last: int) -> None:
        del self.rows[first : last + 1]

    def _move_rows(
        self, _parent: QModelIndex, first: int, _last: int, _to: QModelIndex, before: int
    ) -> None:
        self.rows.insert(before - 1 if before > first else before, self.rows.pop(first))

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        """Return that a row can be selected; Qt's list could be edited and dragged, too."""
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled

    def describe(self, row: Any, role: int) -> Any:
        """Return the value of a row for a role of Qt."""
        raise NotImplementedError

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row = self.rows[index.row()]
        return row if role == ROW_ROLE else self.describe(row, role)


def keep_places(rows: Sequence[T], order: Sequence[int]) -> list[T]:
    """Return sorted rows in another order, those that are not in it last.

    Args:
        order: ids of rows. One that was removed and comes back, such as by an undo, is where it
            was if the order still has it.
    """
    places = {row_id: place for place, row_id in enumerate(order)}
    kept = sorted((row for row in rows if row.id in places), key=lambda row: places[row.id])
    return kept + [row for row in rows if row.id not in places]


class HeldOrder:
    """The order of a list whose rows stay in place while it is used.

    Attributes:
        is_unsorted: the rows were kept in another order than the sorted one.
    """

    def __init__(self) -> None:
        self.is_unsorted = False
        # Ids since the rows are held: of all that were shown, in that order, and the new ones.
        self._order: list[int] = []
        self._new: set[int] = set()

    @property
    def n_new(self) -> int:
        """How many rows are at the end because they are new."""
        return len(self._new)

    def arrange(self, rows: Sequence[T], shown: Sequence[T], *, is_held: bool) -> list[T]:
        """Return sorted rows as they are to be shown: sorted, or in place of those shown now."""
        if not (is_held and shown):
            self.is_unsorted, self._order, self._new = False, [], set()
            return list(rows)
        self._order = self._order or [row.id for row in shown]
        known = set(self._order)
        arranged = keep_places(rows, self._order)
        new = [row.id for row in arranged if row.id not in known]
        self._order += new
        ids = [row.id for row in rows]
        self.is_unsorted = [row.id for row in arranged] != ids
        self._new = {*new, *self._new.intersection(ids)} if self.is_unsorted else set()
        return arranged


def list_new_runs(rows: Sequence[T], shown: Sequence[T]) -> list[tuple[int, list[T]]]:
    """Return where rows that are not shown are to be inserted, one after the other."""
    ids = {row.id for row in shown}
    runs: list[tuple[int, list[T]]] = []
    for place, row in enumerate(rows):
        if row.id in ids:
            continue
        if runs and runs[-1][0] + len(runs[-1][1]) == place:
            runs[-1][1].append(row)
        else:
            runs.append((place, [row]))
    return runs


class ListUse(QObject):
    """Tells whether one of some lists is in use, so that their rows stay where they are.

    It is while the pointer is over it, and while it has the keyboard focus and a selected row.
    Emits `ended` when that ends, which is the time to sort them again. A menu, or another window
    in front, does not end it.
    """

    ended = Signal()

    def __init__(self, views: Sequence[QAbstractItemView], parent: QObject) -> None:
        super().__init__(parent)
        self._inside: set[int] = set()
        self._views, self._focused = views, set[int]()
        for view in views:
            view.installEventFilter(self)
            view.viewport().installEventFilter(self)

    def __call__(self) -> bool:
        return bool(self._inside) or any(
            id(view) in self._focused and view.selectionModel().hasSelection()
            for view in self._views
        )

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind, one, is_view = event.type(), id(watched), watched in self._views
        if kind == QEvent.Type.Enter and not is_view:  # its rows, not its scroll bars
            self._inside.add(one)
        elif kind == QEvent.Type.FocusIn and is_view:
            self._focused.add(one)
        elif kind in (QEvent.Type.Leave, QEvent.Type.Hide) and one in self._inside:
            self._inside.discard(one)
            self._check_end()
        elif kind == QEvent.Type.FocusOut and one in self._focused:
            stays = Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason
            if cast(QFocusEvent, event).reason() not in stays:
                self._focused.discard(one)
                self._check_end()
        return False

    def _check_end(self) -> None:
        if not self():
            self.ended.emit()


class UpdateLink(Button):
    """Says that rows of a list kept their places, or how many new ones are at its end.

    A click is to sort them.
    """

    def __init__(self) -> None:
        super().__init__("", kind="link")
        self.setToolTip(tr("The rows stay in place while you use the list. Sort them now."))
        self.hide()

    def show_order(self, order: HeldOrder) -> None:
        """Show whether the order is older than the rows, and how many of them are new."""
        n_new = order.n_new
        self.setText(trn("{n} new", "{n} new", n_new) if n_new else tr("Update"))
        self.setVisible(order.is_unsorted)


class RowList(QListView):
    """A list of rows of one height that scrolls smoothly and is not edited."""

    def __init__(
        self,
        model: RowsModel,
        delegate: QStyledItemDelegate,
        name: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setModel(model)
        delegate.setParent(self)
        self.setItemDelegate(delegate)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setAccessibleName(name)

    def select_row(self, row: int) -> bool:
        """Make a row the current one, the last if there are fewer; return False without rows."""
        n = self.model().rowCount()
        if n:
            self.setCurrentIndex(self.model().index(min(max(0, row), n - 1), 0))
        return n > 0


class SortHeader(QHeaderView):
    """A header with a small sort arrow that does not move the text."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme = theme
        self.setHighlightSections(False)
        self.setSectionsClickable(True)
        self.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        theme.changed.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        self.setFixedHeight(self._theme.length(ROW))

    def paintSection(self, painter: QPainter, rect: QRect, index: int) -> None:
        painter.save()
        super().paintSection(painter, rect, index)
        painter.restore()
        if not self.isSortIndicatorShown() or self.sortIndicatorSection() != index:
            return
        up = self.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder
        icon = self._theme.icon("caret-up" if up else "caret-down")
        text = str(self.model().headerData(index, Qt.Orientation.Horizontal) or "")
        width = QFontMetrics(self._theme.font("small")).horizontalAdvance(text)
        align = self.model().headerData(
            index, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole
        )
        right = align is not None and bool(int(align) & int(Qt.AlignmentFlag.AlignRight))
        left = rect.right() - 8 - width - 14 if right else rect.left() + 8 + width + 4
        icon.paint(painter, QRect(max(rect.left(), left), rect.center().y() - 4, 10, 10))


class TextDelegate(QStyledItemDelegate):
    """A line of text with an optional icon before and a muted subtitle after it.

    In high contrast the first column of a table is heavier, because muted text is nearly as dark.

    Reads DisplayRole, SUBTITLE_ROLE, COLOR_ROLE (a token), ICON_ROLE (an icon's name).
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        metrics = QFontMetrics(self._find_font(option, index))
        width = 17 + metrics.horizontalAdvance(" ".join(str(index.data() or "").split()))
        if index.data(ICON_ROLE):
            width += self._theme.length(16) + 6
        return QSize(width, self._theme.length(ROW))

    @inverts_selection
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        paint_ground(painter, option, index, self)
        area = option.rect.adjusted(8, 0, -8, 0)
        icon = index.data(ICON_ROLE)
        color = index.data(COLOR_ROLE) or "text"
        # muted text has too little contrast on a selected row
        pale = "text" if option.state & QStyle.StateFlag.State_Selected else "text2"
        color = pale if color == "text2" else color
        painter.save()
        if icon:
            side = self._theme.length(16)
            spot = QRect(area.left(), area.center().y() - side // 2 + 1, side, side)
            self._theme.icon(icon, color=color if color != "text" else "text2").paint(painter, spot)
            area.setLeft(area.left() + side + 6)
        area.setLeft(area.left() + self.paint_lead(painter, area, index))
        number = bool(_alignment(index) & int(Qt.AlignmentFlag.AlignRight))
        font = self._find_font(option, index)
        painter.setFont(font)
        painter.setPen(self._theme.color(color))
        metrics = QFontMetrics(font)
        text = " ".join(str(index.data() or "").split())
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, area.width())
        # one baseline for all fonts: text is placed by the interface font's own metrics
        baseline = area.center().y() + (metrics.capHeight() + 1) // 2
        width = metrics.horizontalAdvance(shown)
        left = area.right() + 1 - width if number else area.left()
        painter.drawText(left, baseline, shown)
        subtitle = index.data(SUBTITLE_ROLE)
        rest = area.width() - width - 8
        if subtitle and rest > 40:
            small = self._theme.font("small")
            painter.setFont(small)
            painter.setPen(self._theme.color(pale))
            tail = QFontMetrics(small).elidedText(subtitle, Qt.TextElideMode.ElideMiddle, rest)
            painter.drawText(area.left() + width + 8, baseline, tail)
        painter.restore()

    def _find_font(self, option: QStyleOptionViewItem, index: AnyIndex) -> QFont:
        if _alignment(index) & int(Qt.AlignmentFlag.AlignRight):
            return self._theme.font("number")
        is_first = isinstance(option.widget, QTableView) and index.column() == 0
        role = "strong" if is_first and self._theme.is_high else "text"
        return self._theme.font(role, str(index.data() or ""))

    def paint_lead(self, painter: QPainter, area: QRect, index: AnyIndex) -> int:
        """Paint what stands before the text, nothing here; return how much room it takes."""
        return 0


def paint_ground(
    painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex, delegate: QStyledItemDelegate
) -> None:
    """Paint the background of a row: selection and hover as in the style sheet."""
    plain = QStyleOptionViewItem(option)
    delegate.initStyleOption(plain, index)
    plain.text = ""
    plain.features &= ~QStyleOptionViewItem.ViewItemFeature.HasDecoration
    # no focus frame around a single cell
    plain.state &= ~QStyle.StateFlag.State_HasFocus
    widget = option.widget
    style = widget.style() if widget is not None else QApplication.style()
    style.drawControl(QStyle.ControlElement.CE_ItemViewItem, plain, painter, widget)
    app = QApplication.instance()
    is_high = app is not None and bool(app.property(HIGH_CONTRAST))
    is_chosen = bool(plain.state & QStyle.StateFlag.State_Selected)
    area, accent = option.rect, QApplication.palette().color(QPalette.ColorRole.Accent)
    is_table, is_focused = isinstance(widget, QTableView), _is_focused_row(widget, index)
    if is_high and is_chosen:  # filled with the accent
        if is_focused:
            _paint_frame(painter, area, widget, index)
        return
    if index.column() == 0 and ((is_table and is_chosen) or is_focused):
        painter.fillRect(QRect(area.left(), area.top(), BAR, area.height()), accent)
    if is_table and is_focused:  # in a table, every selected row has a bar
        painter.fillRect(QRect(area.left(), area.top(), area.width(), 1), accent)
        painter.fillRect(QRect(area.left(), area.bottom(), area.width(), 1), accent)


def _paint_frame(painter: QPainter, area: QRect, view: QWidget | None, index: AnyIndex) -> None:
    """Paint the frame inside the focused row in high contrast, in a cell its part of it."""
    columns = [index.column()]
    if isinstance(view, QTableView):
        header = view.horizontalHeader()
        columns = [
            header.logicalIndex(place)
            for place in range(header.count())
            if not header.isSectionHidden(header.logicalIndex(place))
        ]
    color = QApplication.palette().color(QPalette.ColorRole.HighlightedText)
    is_first, is_last = index.column() == columns[0], index.column() == columns[-1]
    area = area.adjusted(FRAME * is_first, FRAME, -FRAME * is_last, -FRAME)
    line, width, height = FRAME, area.width(), area.height()
    painter.fillRect(QRect(area.left(), area.top(), width, line), color)
    painter.fillRect(QRect(area.left(), area.bottom() + 1 - line, width, line), color)
    if is_last:
        painter.fillRect(QRect(area.right() + 1 - line, area.top(), line, height), color)
    if is_first:
        painter.fillRect(QRect(area.left(), area.top(), line, height), color)


def _is_focused_row(view: QWidget | None, index: AnyIndex) -> bool:
    """Return whether this is the current row of a list focused by keyboard."""
    return (
        isinstance(view, QAbstractItemView)
        and view.hasFocus()
        and view.window().testAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)
        and view.currentIndex().row() == index.row()
        and view.currentIndex().parent() == index.parent()
    )


def _alignment(index: AnyIndex) -> int:
    value = index.data(Qt.ItemDataRole.TextAlignmentRole)
    return int(value) if value is not None else 0


class RowTable(QTableView):
    """A sortable table that selects whole rows, 32 px high at normal size; fast with 10,000."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setHorizontalHeader(SortHeader(theme, self))
        self.horizontalHeader().setStretchLastSection(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setSortingEnabled(True)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.setItemDelegate(TextDelegate(theme, self))
        theme.changed.connect(self._fit_rows)
        self._fit_rows()

    def _fit_rows(self) -> None:
        self.verticalHeader().setDefaultSectionSize(self._theme.length(ROW))
        self.viewport().update()
