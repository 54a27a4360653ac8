"""The parts of the answer inspector: relations, the list of passages, bars for times.

Owns how they look and their keyboard access. Knows nothing of retrieval.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextLayout,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QFrame,
    QListView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop_app.engine.model import RelationRow
from desktop_app.engine.text.shown_text import ShownText, Span, show_text
from desktop_app.engine.writing_systems import WIDE

from ...theme.theme import Theme
from ...translation import tr
from ...widgets import Label, paint_box
from ...widgets.emphasis import build_html, elide_words, paint_marked
from ...widgets.labels import BREAK
from ...widgets.words import cut_subtitle, plain_tip
from ..citation_number import find_number_font, measure_number, paint_number
from .presentation import (
    RouteRow,
    build_excerpt,
    describe_places,
    describe_relation,
    describe_scores,
    format_ms,
)

ALL_LINES = 1_000  # more than any text here has


class RelationLine(QAbstractButton):
    """Two entities and their relation, above the sentence that supports it.

    Both are wrapped; of a long sentence it shows as many lines as of a passage.
    """

    opened = Signal(int, int, int)

    def __init__(self, theme: Theme, relation: RelationRow, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._relation = relation
        sentence = relation.sentence or relation.description
        self._sentence = show_text(" ".join(sentence.split()), one_line=True).text
        self.setText(describe_relation(relation))
        self.setAccessibleName(self.text())
        self.setAccessibleDescription(self._sentence)
        self.setToolTip(plain_tip(self._sentence))
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        if relation.document_id is not None:
            place = (int(relation.document_id), relation.sentence_start, relation.sentence_end)
            self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self.setCursor(Qt.CursorShape.PointingHandCursor)
            self.clicked.connect(lambda: self.opened.emit(*place))
        theme.changed.connect(self.updateGeometry)

    def heightForWidth(self, width: int) -> int:
        return round(self._lay_out(None, width)) + 3

    def sizeHint(self) -> QSize:
        return QSize(120, self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        with QPainter(self) as painter:
            if self._relation.document_id is not None and self.hasFocus():
                edge = theme.color("accent")
                paint_box(painter, QRectF(self.rect()), theme.color("accent_soft", 0.5), edge)
            self._lay_out(painter, self.width())

    def _lay_out(self, painter: QPainter | None, width: int) -> float:
        """Return where its texts end, and draw them."""
        theme, y = self._theme, 3.0
        is_link = self._relation.document_id is not None
        head = "accent" if is_link and self.underMouse() else "text"
        for text, role, color, n_lines in (
            (self.text(), "text", head, ALL_LINES),
            (self._sentence, "small", "text2", QUOTE_LINES),
        ):
            if text:
                font = theme.font(role)
                if painter is not None:
                    painter.setFont(font)
                    painter.setPen(theme.color(color))
                area = QRectF(0, y, width, 0)
                y = lay_out_lines(painter, font, area, text, n_lines, (0, 0), theme.tint(), 0)
        return y


ROW_ROLE = Qt.ItemDataRole.UserRole
TITLE_ROLE = Qt.ItemDataRole.UserRole + 1  # of the document, where it changes

AnyIndex = QModelIndex | QPersistentModelIndex


class PassagesModel(QAbstractListModel):
    """One row per passage."""

    def __init__(self, rows: Sequence[RouteRow], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = tuple(rows)

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        passage = self._rows[index.row()]
        if role == ROW_ROLE:
            return passage
        if role == TITLE_ROLE:
            before = self._rows[index.row() - 1] if index.row() else None
            is_same = before is not None and before.document_id == passage.document_id
            return cut_subtitle(passage.title) if passage.place and not is_same else ""
        where = " · ".join(part for part in (passage.title, passage.place) if part)
        if role == Qt.ItemDataRole.DisplayRole:
            return f"[{passage.rank}] {where}: {passage.quote}"
        if role == Qt.ItemDataRole.ToolTipRole:
            found = (describe_places(passage), describe_scores(passage))
            parts = (where, passage.quote[:TIP_CHARS], *found)
            return plain_tip("\n\n".join(part for part in parts if part))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            if passage.cited:
                return tr("Source {n}, {place}", n=passage.rank or "", place=where)
            return tr("Passage {n}, {place}", n=passage.rank or "", place=where)
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            found = (describe_places(passage), describe_scores(passage).replace("\n", "; "))
            return "; ".join(part for part in found if part)
        return None


QUOTE_LINES = 5
BETWEEN_LINES, AFTER_TITLE, BEFORE_QUOTE, AFTER_PASSAGE = 2, 4, 6, 8  # pixels
RULE_GAP, RULE = 12, 2  # pixels: the rule of an excerpt from its text, and its width
QUOTE_PX = 14
AFTER_MARK = 8  # pixels
TARGET = 28  # pixels: the least height to click
CARET, BEFORE_CARET = 14, 4  # pixels
TIP_CHARS = 400


class PassageDelegate(QStyledItemDelegate):
    """Draws a passage: title, number and chapter, how it was found, and its excerpt.

    The number is that of citations: the rank of the passage. It has their ground only where the
    answer cites it. As in the chat, all texts begin below the chapter, and an excerpt has a rule
    before it; the title of a document is drawn above its passages.
    """

    def __init__(self, theme: Theme, parent: PassageList, n_lines: int) -> None:
        super().__init__(parent)
        self._theme, self._list, self._n_lines = theme, parent, n_lines

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        width = self._list.viewport().width()
        return QSize(width, round(self._lay_out(None, QRectF(0, 0, width, 0), index)))

    def find_head(self, area: QRectF, index: AnyIndex) -> QRectF:
        """Return the area of the lines with the chapter, in that of the row."""
        top = area.top()
        if title := index.data(TITLE_ROLE):
            font = self._find_title_font()
            n_lines = len(break_lines(title, font, area.width()))
            top += n_lines * QFontMetrics(font).height() + AFTER_TITLE
        n_more = len(self._list_head(index.data(ROW_ROLE), area.width())) - 1
        high = QFontMetrics(self._theme.font("small")).height()
        return QRectF(area.left(), top, area.width(), max(TARGET, high + 4) + n_more * high)

    def _list_head(self, passage: RouteRow, width: float) -> list[tuple[str, str]]:
        """Return the lines with the chapter of a passage, each with what follows in grey.

        Its position is behind it, or on a line of its own where it has no room there.
        """
        font = self._theme.font("small")
        width -= measure_number(self._theme, str(passage.rank or "")) + AFTER_MARK
        if self._list.folds and passage.quote:
            width -= self._theme.length(CARET) + BEFORE_CARET
        chapter = " ".join(passage.chapter.split())
        if not chapter:
            chapter = passage.position or passage.title
            return [(line, "") for line in break_lines(chapter, font, width)]
        lines = [(line, "") for line in break_lines(chapter, font, width)]
        if passage.position:
            behind = f" · {passage.position}"
            if QFontMetrics(font).horizontalAdvance(lines[-1][0] + behind) <= width:
                lines[-1] = (lines[-1][0], behind)
            else:
                lines += [("", line) for line in break_lines(passage.position, font, width)]
        return lines

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        painter.save()
        chosen = option.state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_HasFocus)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        row = QRectF(option.rect)
        if chosen and self._list.hasFocus():
            box = row.adjusted(0, 0, 0, 4 - AFTER_PASSAGE)
            box.setTop(self.find_head(row, index).top())
            edge = self._theme.color("accent")
            paint_box(painter, box, self._theme.color("accent_soft", 0.5), edge)
        self._lay_out(painter, row, index, "accent" if hovered else "text")
        painter.restore()

    def _find_title_font(self) -> QFont:
        font = QFont(self._theme.font("small"))  # smaller than the titles of sections above it
        font.setWeight(QFont.Weight.DemiBold)
        return font

    def _lay_out(
        self, painter: QPainter | None, area: QRectF, index: AnyIndex, head_color: str = "text"
    ) -> float:
        """Return the height of a passage, and draw it."""
        theme, passage = self._theme, index.data(ROW_ROLE)
        small, title = theme.font("small"), index.data(TITLE_ROLE)
        if title:
            bold = self._find_title_font()
            for number, line in enumerate(break_lines(title, bold, area.width())):
                below = area.adjusted(0, number * QFontMetrics(bold).height(), 0, 0)
                self._paint_line(painter, below, line, bold, "text")
        head = self.find_head(area, index)
        high = QFontMetrics(small).height()
        first = QRectF(head.left(), head.top(), head.width(), max(TARGET, high + 4))
        left = self._paint_mark(painter, first, passage)
        inner = area.adjusted(left, 0, 0, 0)
        if self._list.folds and passage.quote:
            self._paint_caret(painter, first, is_unfolded=self._list.is_unfolded(index.row()))
        place = QRectF(inner.left(), first.center().y() - high / 2, inner.width(), high)
        for chapter, behind in self._list_head(passage, area.width()):
            end = self._paint_line(painter, place, chapter, small, head_color)
            self._paint_line(painter, place.adjusted(end, 0, 0, 0), behind, small, "text2")
            place.translate(0, high)
        y = head.bottom()
        if places := describe_places(passage):
            place.translate(0, BETWEEN_LINES)
            if painter is not None:
                painter.setFont(small)
                painter.setPen(theme.color("text2"))
            end = lay_out_lines(painter, small, place, places, ALL_LINES, (0, 0), theme.tint(), 0)
            y = max(y, end)
        if passage.quote and (self._list.is_unfolded(index.row()) or not self._list.folds):
            y = self._paint_quote(painter, inner, y + (BEFORE_QUOTE if places else 0), passage)
        return y - area.top() + AFTER_PASSAGE

    def _paint_line(
        self, painter: QPainter | None, area: QRectF, text: str, font: QFont, color: str
    ) -> float:
        """Return the width of an elided text, and draw it."""
        metrics = QFontMetrics(font)
        shown = elide_words(metrics, text, area.width())
        if painter is not None:
            painter.setFont(font)
            painter.setPen(self._theme.color(color))
            painter.drawText(QPointF(area.left(), area.top() + metrics.ascent()), shown)
        return metrics.horizontalAdvance(shown)

    def _paint_quote(
        self, painter: QPainter | None, area: QRectF, top: float, passage: RouteRow
    ) -> float:
        """Return where the excerpt of a passage ends, and draw it with its rule."""
        theme = self._theme
        book = theme.book_font(passage.quote, QUOTE_PX)
        letter = QFontMetrics(book).horizontalAdvance(passage.quote) / max(1, len(passage.quote))
        room = round(self._n_lines * area.width() / max(1.0, letter))
        quote, marked = build_excerpt(passage, room)
        if painter is not None:
            painter.setFont(book)
            painter.setPen(theme.color("text" if passage.is_read or passage.cited else "text2"))
        lines = QRectF(area.left(), top, area.width(), 0)
        end = lay_out_lines(painter, book, lines, quote, self._n_lines, marked, theme.tint())
        if painter is not None:
            rule = QRectF(area.left() - RULE_GAP, top + 2, RULE, end - top - 4)
            painter.fillRect(rule, theme.rule())
        return end

    def _paint_caret(self, painter: QPainter | None, head: QRectF, *, is_unfolded: bool) -> None:
        if painter is not None:
            name = "caret-up" if is_unfolded else "caret-down"
            side = round(self._theme.length(CARET))
            top = round(head.center().y() - side / 2)
            area = QRect(round(head.right()) - side - 1, top, side, side)
            self._theme.icon(name).paint(painter, area)

    def _paint_mark(self, painter: QPainter | None, head: QRectF, passage: RouteRow) -> float:
        """Return the room for the number of a passage, and draw it."""
        number = str(passage.rank or "")
        width = measure_number(self._theme, number)
        if painter is not None:
            height = QFontMetrics(find_number_font(self._theme)).height()
            area = QRectF(head.left(), head.center().y() - height / 2, width, height)
            is_quiet = bool(number) and not passage.cited
            paint_number(painter, self._theme, area, number, is_quiet=is_quiet)
        return width + AFTER_MARK


class PassageNumber(QAbstractButton):
    """The number of a passage; a click opens the passage."""

    opened = Signal(int, int, int)

    def __init__(self, theme: Theme, row: RouteRow, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._row = theme, row
        self.setText(str(row.rank or ""))
        self.setAccessibleName(tr("Passage {n}, {place}", n=self.text(), place=row.location))
        self.setToolTip(plain_tip(row.location))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.clicked.connect(lambda: self.opened.emit(row.document_id, row.start, row.end))
        theme.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        height = QFontMetrics(find_number_font(self._theme)).height()
        width = measure_number(self._theme, self.text())
        return QSize(round(width), max(TARGET, height + 2))

    def paintEvent(self, event: QPaintEvent) -> None:
        height = QFontMetrics(find_number_font(self._theme)).height()
        area = QRectF(0, (self.height() - height) / 2, self.width(), height)
        with QPainter(self) as painter:
            # as everywhere, only what the answer cites has a box
            is_quiet = bool(self.text()) and not self._row.cited
            paint_number(painter, self._theme, area, self.text(), is_quiet=is_quiet)
            if self.hasFocus() or self.underMouse():
                accent = self._theme.color("accent")
                paint_box(painter, area, Qt.BrushStyle.NoBrush, accent)


LONGEST_RUN, PIECE = 16, 10  # letters of a word that may be broken, and of its pieces
_LONG_RUN = re.compile(rf"[^\s{WIDE}{BREAK}]{{{LONGEST_RUN},}}")


class MarkedSentence(Label):
    """A sentence whose words that its passage lacks are underlined, bold and coloured."""

    def __init__(
        self,
        theme: Theme,
        text: str,
        missing: Sequence[Span] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("", "", parent, wrap=True)
        self._theme = theme
        self._shown, self._missing = _break_long_words(text, missing)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        words = [text[start:end] for start, end in missing]
        self.setAccessibleName(text)
        if words:
            listed = tr(", ").join(words)
            self.setAccessibleDescription(tr("Not in the passage: {words}", words=listed))
        theme.changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        ink = self._theme.color("bad").name()
        style = f"text-decoration: underline; font-weight: 600; color: {ink}"  # not shown
        self.setText(build_html(ShownText(self._shown), self._missing, style))


def _break_long_words(text: str, spans: Sequence[Span]) -> tuple[str, list[Span]]:
    """Return a text that fits a narrow panel, and the spans in it: rich text breaks no word."""
    places = [
        match.start() + offset
        for match in _LONG_RUN.finditer(text)
        for offset in range(PIECE, len(match.group()), PIECE)
    ]

    def move(place: int) -> int:
        return place + sum(cut < place for cut in places)

    starts = [0, *places]
    pieces = [text[a:b] for a, b in zip(starts, [*places, len(text)], strict=True)]
    return BREAK.join(pieces), [(move(start), move(end)) for start, end in spans]


def break_lines(text: str, font: QFont, width: float) -> list[str]:
    """Return the lines of a text that is wrapped at a width."""
    layout = QTextLayout(text, font)
    layout.beginLayout()
    lines = []
    while (line := layout.createLine()).isValid():
        line.setLineWidth(max(1.0, width))
        lines.append(text[line.textStart() : line.textStart() + line.textLength()].rstrip())
    layout.endLayout()
    return lines


def lay_out_lines(
    painter: QPainter | None,
    font: QFont,
    area: QRectF,
    text: str,
    n_lines: int,
    mark: Span,
    ground: QColor,
    between: int = 2,
) -> float:
    """Return where a text of at most so many lines ends, and draw it.

    The last line ends with a whole word and an ellipsis if it is cut. `ground` is the colour
    behind the range `mark`, `between` the pixels between two lines.
    """
    layout, metrics = QTextLayout(text, font), QFontMetrics(font)
    step = metrics.height() + between
    layout.beginLayout()
    y = area.top()
    for number in range(1, n_lines + 1):
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(area.width())
        if painter is not None:
            start, end = line.textStart(), line.textStart() + line.textLength()
            shown = text[start:end] if number < n_lines else text[start:]
            slack = 1 if number < n_lines else 0  # a line that Qt has broken fits
            shown = elide_words(metrics, shown.strip(), area.width() + slack)
            first, last = (min(max(0, place - start), len(shown)) for place in mark)
            marks = [(first, last)] if first < last else []
            paint_marked(painter, area.left(), y + metrics.ascent(), shown, marks, ground)
        y += step
    layout.endLayout()
    return y


class PassageList(QListView):
    """Passages with how each was found; as high as its rows. `opened` gives one of them.

    Where it folds, a click on the arrow of a row or the right arrow key shows the excerpt.
    """

    opened = Signal(int, int, int)

    def __init__(
        self,
        theme: Theme,
        rows: Sequence[RouteRow],
        parent: QWidget | None = None,
        *,
        n_lines: int = QUOTE_LINES,
        folds: bool = False,
    ) -> None:
        """Show the passages, with at most so many lines of each; with `folds`, none at first."""
        super().__init__(parent)
        self.folds = folds
        self._unfolded: set[int] = set()
        self._is_at_arrow = False  # the mouse, when it was pressed
        self.setObjectName("passageList")
        self.setAccessibleName(tr("Passages and how each was found"))
        self.setModel(PassagesModel(rows, self))
        self.setItemDelegate(PassageDelegate(theme, self, n_lines))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setStyleSheet("QListView { background: transparent; border: none; padding: 0; }")
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        self.setMouseTracking(True)
        self.clicked.connect(self._open)
        theme.changed.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        self.doItemsLayout()
        heights = (self.sizeHintForRow(row) for row in range(self.model().rowCount()))
        self.setFixedHeight(max(1, sum(heights)))
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            QTimer.singleShot(0, self, self._fit)  # lines wrap elsewhere

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # the panel scrolls

    def is_unfolded(self, row: int) -> bool:
        """Return whether the excerpt of a row is shown."""
        return row in self._unfolded

    def unfold(self, row: int, unfolded: bool = True) -> None:
        """Show the excerpt of a row, or hide it."""
        if self.folds:
            (self._unfolded.add if unfolded else self._unfolded.discard)(row)
            self._fit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        self._is_at_arrow = False
        if self.folds and index.isValid():
            delegate = self.itemDelegate()
            assert isinstance(delegate, PassageDelegate)
            head = delegate.find_head(QRectF(self.visualRect(index)), index)
            head.setLeft(head.right() - TARGET)
            self._is_at_arrow = head.contains(event.position())
        super().mousePressEvent(event)

    def _open(self, index: QModelIndex) -> None:
        if self._is_at_arrow:
            self._is_at_arrow = False
            self.unfold(index.row(), not self.is_unfolded(index.row()))
            return
        passage: RouteRow = index.data(ROW_ROLE)
        self.opened.emit(passage.document_id, passage.start, passage.end)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            if self.currentIndex().isValid():
                self._open(self.currentIndex())
            return
        if event.key() in (Qt.Key.Key_Right, Qt.Key.Key_Left) and self.currentIndex().isValid():
            self.unfold(self.currentIndex().row(), event.key() == Qt.Key.Key_Right)
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
GAP = 12  # as in a grid of facts


class TimeBars(QWidget):
    """One line per step; the longest time fills the width."""

    def __init__(
        self, theme: Theme, times: Sequence[tuple[str, float]], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._times = list(times)
        self._name_width = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Times"))
        self.setAccessibleDescription(", ".join(f"{n} {format_ms(ms)}" for n, ms in self._times))
        theme.changed.connect(self.updateGeometry)
        theme.changed.connect(self.update)

    def find_name_width(self) -> int:
        """Return the width of its longest name, in pixels."""
        metrics = QFontMetrics(self._theme.font("small_number"))
        return max((metrics.horizontalAdvance(name) for name, _ in self._times), default=0)

    def set_name_width(self, width: int) -> None:
        """Give the names this width, at most two fifths of the whole."""
        self._name_width = width
        self.update()

    def _row(self) -> int:
        return max(ROW, QFontMetrics(self._theme.font("small")).height() + 3)

    def sizeHint(self) -> QSize:
        return QSize(200, len(self._times) * self._row())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = self._theme.font("small_number")
        painter.setFont(font)
        metrics = QFontMetrics(font)
        most = max((ms for _, ms in self._times), default=0.0) or 1.0
        name_width = min(self._name_width or self.find_name_width(), self.width() * 2 // 5)
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
