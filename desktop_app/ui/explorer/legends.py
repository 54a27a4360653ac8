"""The legends over the canvas: colours of nodes, and kinds of relations.

Each line can be switched off, which hides what it stands for. Knows no services.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from desktop_app.engine.graph.view.graph_data import LEGEND_ROWS, REST, GraphData, is_lettered
from desktop_app.engine.model import ENTITY_TYPES

from ..theme.theme import Theme
from ..translation import later, tr
from ..widgets import (
    STRETCH,
    Button,
    CheckBox,
    IconButton,
    Label,
    build_column,
    build_row,
    format_number,
    paint_type_disc,
)
from ..widgets.kind_marks import LINE_WIDTH, paint_kind_line
from ..widgets.words import look_of_kind
from ..window_file import open_window_file
from .frame import ViewFrame
from .layers import paint_disc
from .node_colors import (
    FIRST_NUMBERS,
    GraphPalette,
    LegendLine,
    build_graph_palette,
    fit_title,
)
from .overlays import Panel
from .scales import (
    ScaleSample,
    describe_range,
    find_line_ends,
    list_line_samples,
    list_node_samples,
)

# Pixels: the column of the marks, what is between it and the words, and left and right of a row.
MARK, MARK_GAP, EDGE = 20, 8, 8
TYPE_MARK = 16  # pixels of the disc of a type, as beside names elsewhere
DISC_SHARE = 0.46  # radius of a disc with a number, in `MARK`; as in the panel of the view
WIDTH, WIDE, WIDEST = 156, 212, 268
FOLDED = "graph/legend_folded"
MAX_KINDS = 9
MAX_SHORT_ROWS = 5  # colours in the legend of a low canvas, in place of `LEGEND_ROWS`
ROW = 28  # pixels
# Radius in pixels of a node in the legend, also in a view around few names.
LARGEST_SAMPLE, LARGEST_LETTERED = 16, 20
LINE_ROW, SCALE_MARGIN, SAMPLE_GAP = 20, 4, 12
# What a line without a kind means: how `extraction/instant.py` finds it.
LINE_NOTE = later("A line: named in one sentence or the next")
MORE_NAMES = " …"  # after a title that names more


def find_words_left(theme: Theme) -> int:
    """Return where the words of a row begin, behind its mark."""
    return EDGE + theme.length(MARK) + MARK_GAP


class LegendToggle(QAbstractButton):
    """A line of a legend, on at first; a double click emits `only_wanted`.

    Args:
        paint_mark: paints the symbol of the line into a rectangle.
        n_all: of how many the count is a part; 0 where it is of all.
    """

    only_wanted = Signal()

    def __init__(
        self,
        theme: Theme,
        words: str,
        count: int,
        size: tuple[int, int],
        paint_mark: Callable[[QPainter, QRectF], None],
        parent: QWidget,
        n_all: int = 0,
    ) -> None:
        super().__init__(parent)
        self._theme, self._size, self._paint_mark = theme, size, paint_mark
        self.words, self.count, self.n_all = words, count, n_all
        self.in_parts = False  # a title of names: whole ones are shown
        self.setCheckable(True)
        self.setChecked(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        theme.changed.connect(self._apply_theme)

    def _apply_theme(self) -> None:
        self.updateGeometry()
        self.update()

    @property
    def counted(self) -> str:
        """The count in words, with that of the whole where only a part is shown."""
        k = format_number(self.count)
        return tr("{k} of {n}", k=k, n=format_number(self.n_all)) if self.n_all > self.count else k

    def sizeHint(self) -> QSize:
        wide, high = (self._theme.length(pixels) for pixels in self._size)
        if self.in_parts:  # as wide as the title needs, within limits
            metrics = QFontMetrics(self._theme.font("small"))
            text = sum(metrics.horizontalAdvance(part) for part in (self.words, self.counted))
            wide = max(wide, find_words_left(self._theme) + text + MARK_GAP + EDGE)
            wide = min(wide, self._theme.length(WIDEST))
        return QSize(wide, high)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.only_wanted.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        off = not self.isChecked()
        painter.setOpacity((0.7 if self._theme.is_high else 0.4) if off else 1.0)
        if self.underMouse() or self.hasFocus():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("accent_soft"))
            painter.drawRoundedRect(QRectF(self.rect()), 4, 4)
        side = self._theme.length(MARK)
        self._paint_mark(painter, QRectF(EDGE, (self.height() - side) / 2, side, side))
        font = self._theme.font("small")
        font.setStrikeOut(off and self._theme.is_high)
        count = self.counted
        metrics = QFontMetrics(font)
        painter.setFont(font)
        painter.setPen(self._theme.color("text"))
        area = self.rect().adjusted(find_words_left(self._theme), 0, -EDGE, 0)
        room = area.width() - metrics.horizontalAdvance(count) - MARK_GAP
        words = self.words
        if metrics.horizontalAdvance(words) > room and self.in_parts:
            more = metrics.horizontalAdvance(MORE_NAMES)
            whole = fit_title(self.words, metrics.horizontalAdvance, room - more)
            words = f"{whole}{MORE_NAMES}" if whole else self.words
        if metrics.horizontalAdvance(words) > room:
            words = metrics.elidedText(self.words, Qt.TextElideMode.ElideRight, room)
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, words)
        painter.setPen(self._theme.color("text2"))
        end = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(area, end, count)
        painter.end()


class LegendPanel(Panel):
    """Toggles by what they stand for; emits `changed` when one was switched."""

    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self._column = build_column(parent=self, spacing=0, margins=(4, 4, 4, 4))
        self.toggles: dict[Hashable, LegendToggle] = {}

    def hidden(self) -> frozenset:
        """Return what is switched off."""
        return frozenset(key for key, toggle in self.toggles.items() if not toggle.isChecked())

    def set_hidden(self, keys: Collection[Hashable]) -> None:
        for key, toggle in self.toggles.items():
            toggle.blockSignals(True)
            toggle.setChecked(key not in keys)
            toggle.blockSignals(False)
            toggle.update()

    def only(self, keys: Iterable[Hashable]) -> None:
        """Show only these, or all again if they are the only ones."""
        others = frozenset(self.toggles).difference(keys)
        counted = {key for key, toggle in self.toggles.items() if toggle.count}
        self.set_hidden(() if counted - self.hidden() == counted - others else others)
        self.changed.emit()

    def _replace(self, toggles: dict[Hashable, LegendToggle], hidden: Collection[Hashable]) -> None:
        """Show new toggles above the other widgets of the panel."""
        for old in self.toggles.values():
            self._column.removeWidget(old)
            old.hide()
            old.deleteLater()
        self.toggles = toggles
        self.set_hidden(hidden)
        for row, (key, toggle) in enumerate(toggles.items()):
            toggle.toggled.connect(lambda _: self.changed.emit())
            toggle.only_wanted.connect(lambda key=key: self.only([key]))
            self._column.insertWidget(row, toggle)
            toggle.setVisible(self.is_open and toggle.count > 0)  # hidden, it has no size

    @property
    def is_open(self) -> bool:
        """Whether the toggles are shown."""
        return True


class ScaleRows(QWidget):
    """Samples of nodes and lines with their numbers: what sizes and widths stand for.

    Args:
        read: returns the data and the frame that are shown, and the colours.
    """

    def __init__(
        self,
        theme: Theme,
        read: Callable[[], tuple[GraphData, ViewFrame, GraphPalette]],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._theme, self._read = theme, read
        self._size_mode, self._size_words = "connections", ""
        self._ends: tuple[int, int] | None = None
        theme.changed.connect(self.updateGeometry)

    def set_size(self, mode: str, words: str) -> None:
        """Set what the sizes of nodes stand for, also in words."""
        self._size_mode, self._size_words = mode, words
        self.refresh()

    def refresh(self) -> None:
        """Read the smallest and largest of what is shown again."""
        self._ends = find_line_ends(self._read()[0])
        self.setAccessibleName(self.describe())
        self.updateGeometry()
        self.update()

    @property
    def _largest(self) -> int:
        """The radius that the row of nodes has room for, whatever the zoom."""
        largest = LARGEST_LETTERED if is_lettered(self._read()[0]) else LARGEST_SAMPLE
        return self._theme.length(largest)

    def list_samples(self) -> tuple[list[ScaleSample], list[ScaleSample]]:
        """Return the samples of nodes and of lines, in the sizes of the view."""
        data, frame, _ = self._read()
        nodes = list_node_samples(data, frame, self._largest, mode=self._size_mode)
        return nodes, list_line_samples(data, frame, self._ends)

    def describe(self) -> str:
        """Return the scales in words."""
        nodes, lines = (describe_range(samples) for samples in self.list_samples())
        words = [tr("Node size: {what}", what=f"{self._size_words.lower()} {nodes}".strip())]
        if lines:
            words.append(tr("Line width: {what}", what=f"{tr('shared passages')} {lines}"))
        return ". ".join(words)

    def sizeHint(self) -> QSize:
        # marks as wide as they can be: they grow with the zoom, and the panel stays as it is
        wide = self._place_columns(*self.list_samples(), widest=True)[-1]
        high = 2 * self._largest + (self._theme.length(LINE_ROW) if self._ends else 0)
        return QSize(round(wide) + EDGE, high + 2 * SCALE_MARGIN)

    def _place_columns(
        self, nodes: list[ScaleSample], lines: list[ScaleSample], *, widest: bool = False
    ) -> list[float]:
        """Return the columns that both rows have: the middle of a mark and the left of its number
        for each sample, then the left and the end of the words."""
        metrics = QFontMetrics(self._theme.font("small"))
        columns, x, side = [], float(EDGE), float(self._theme.length(MARK))
        for number in range(max(len(nodes), len(lines))):
            own = [samples[number] for samples in (nodes, lines) if number < len(samples)]
            # the first mark is below those of the colours, larger ones need more room
            is_small = number == 0 and own[0].size <= side / 2 and not widest
            mark = side if is_small else 2.0 * self._largest
            columns += [x + mark / 2, x + mark + MARK_GAP]
            x = columns[-1] + max(metrics.horizontalAdvance(one.number) for one in own) + SAMPLE_GAP
        words = (self._size_words.lower(), tr("shared passages") if lines else "")
        return [*columns, x, x + max(map(metrics.horizontalAdvance, words))]

    def paintEvent(self, event: QPaintEvent) -> None:
        nodes, lines = self.list_samples()
        palette, columns = self._read()[2], self._place_columns(nodes, lines)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._theme.font("small"))
        high = 2 * self._largest
        middle = SCALE_MARGIN + high / 2

        def paint_node(sample: ScaleSample, x: float) -> None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(palette.relation)
            painter.drawEllipse(QPointF(x, middle), sample.size, sample.size)

        def paint_line(sample: ScaleSample, x: float) -> None:
            painter.setPen(QPen(palette.relations[sample.strength], sample.size))
            half = self._theme.length(TYPE_MARK) / 2
            painter.drawLine(QPointF(x - half, middle), QPointF(x + half, middle))

        self._paint_row(painter, nodes, self._size_words.lower(), columns, middle, paint_node)
        if lines:
            middle += (high + self._theme.length(LINE_ROW)) / 2
            self._paint_row(painter, lines, tr("shared passages"), columns, middle, paint_line)
        painter.end()

    def _paint_row(
        self,
        painter: QPainter,
        samples: list[ScaleSample],
        words: str,
        columns: list[float],
        middle: float,
        paint_mark: Callable[[ScaleSample, float], None],
    ) -> None:
        metrics = QFontMetrics(painter.font())
        baseline = middle + metrics.capHeight() / 2
        for sample, at, left in zip(samples, columns[::2], columns[1::2], strict=False):
            paint_mark(sample, at)
            painter.setPen(self._theme.color("text"))
            painter.drawText(QPointF(left, baseline), sample.number)
        painter.setPen(self._theme.color("text2"))
        start = columns[-2]
        room = round(self.width() - start - EDGE / 2)
        text = metrics.elidedText(words, Qt.TextElideMode.ElideRight, room)
        painter.drawText(QPointF(start, baseline), text)


class LegendHead(QWidget):
    """The first line of the legend; a press anywhere on it is one of its button."""

    def __init__(self, button: QAbstractButton, parent: QWidget) -> None:
        super().__init__(parent)
        self._button = button
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        is_inside = self.rect().contains(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and is_inside:
            self._button.click()


class Legend(LegendPanel):
    """The colours of nodes by their number, with counts.

    Its head folds it, which is remembered; without room it is folded until the head is pressed.
    Over a low canvas, a long one has only the most frequent colours until all are asked for.
    Emits `folded` when its size was changed by the user.

    Args:
        read: see `ScaleRows`.
    """

    folded = Signal()

    def __init__(
        self,
        theme: Theme,
        read: Callable[[], tuple[GraphData, ViewFrame, GraphPalette]],
        parent: QWidget,
    ) -> None:
        super().__init__(theme, parent)
        self._is_folded = bool(open_window_file().value(FOLDED, False, type=bool))
        self._is_tight = self._is_forced = False
        self.fold_button = IconButton(theme, "caret-down", "", self)
        self.fold_button.clicked.connect(self._switch)
        self.title = Label("", "small", self)
        self.shown = Label(tr("shown"), "small", self)  # the head of the counts
        self.head = LegendHead(self.fold_button, self)
        self._head_row = build_row(
            *(self.fold_button, self.title, STRETCH, self.shown), parent=self.head
        )
        self._align_head()
        theme.changed.connect(self._align_head)
        self.foot = ScaleRows(theme, read, self)
        self._is_short = self._is_whole = False
        self.all_button = Button("", self, kind="link")
        self.all_button.clicked.connect(self._switch_rows)
        self._all_row = QWidget(self)
        build_row(self.all_button, STRETCH, parent=self._all_row, margins=(4, 0, EDGE, 0))
        self.line_note = Label(tr(LINE_NOTE), "small", self, wrap=True)
        self.line_note.setContentsMargins(EDGE, 0, EDGE, 4)
        self._column.addWidget(self.head)
        self._column.addWidget(self._all_row)
        self._column.addWidget(self.foot)
        self._column.addWidget(self.line_note)
        self.mode, self._brief = "type", False
        self._lines: list[LegendLine] = []

    def _align_head(self) -> None:
        """Place the button above the marks, and the title above the words."""
        middle = EDGE + self._theme.length(MARK) // 2
        left = max(0, middle - self.fold_button.width() // 2)
        self._head_row.setContentsMargins(left, 0, EDGE, 0)
        words_left = find_words_left(self._theme)
        self._head_row.setSpacing(max(0, words_left - left - self.fold_button.width()))

    def set_lines(
        self,
        mode: str,
        words: str,
        lines: Sequence[LegendLine],
        *,
        size_mode: str = "connections",
        size: str = "",
    ) -> None:
        """Show these lines; with the same mode, hidden ones stay hidden.

        Args:
            words: what colours stand for.
            size_mode, size: what the sizes of nodes stand for, also in words.
        """
        if mode == self.mode and self._lines == [*lines]:
            self.title.setText(words)
            self.set_size(size_mode, size)
            return
        hidden = self.hidden() if mode == self.mode else frozenset()
        self.mode, self._lines = mode, [*lines]
        self._replace({line.code: self._build_toggle(line) for line in lines}, hidden)
        self._column.removeWidget(self.head)
        self._column.insertWidget(0, self.head)
        self.title.setText(words)
        self.title.setToolTip(
            tr("Numbers of communities are those of the Communities screen, by size.")
            if mode == "group"
            else ""
        )
        self.set_size(size_mode, size)
        self.setVisible(any(line.count for line in lines))
        self._column.activate()
        self.adjustSize()

    def set_size(self, mode: str, words: str) -> None:
        """Show what the sizes of nodes stand for, and the widths of lines."""
        self.foot.set_size(mode, words)
        self._show_notes()

    def set_brief(self, brief: bool) -> None:
        if brief != self._brief:
            self._brief = brief
            self._show_notes()

    @property
    def is_open(self) -> bool:
        return not self._is_folded and (self._is_forced or not self._is_tight)

    def set_short(self, short: bool) -> None:
        if short != self._is_short:
            self._is_short = short
            self._show_notes()

    @property
    def _n_rows(self) -> int:
        return MAX_SHORT_ROWS if self._is_short else LEGEND_ROWS

    @property
    def is_cut(self) -> bool:
        """Whether some colours are left out, or would be if not all were asked for."""
        return sum(line.count > 0 for line in self._lines) > self._n_rows + 1

    def _list_rows(self) -> set[Hashable]:
        """Return the codes of the rows to show: frequent colours, and what is switched off."""
        rows = sorted((line for line in self._lines if line.count), key=lambda one: -one.count)
        if self.is_cut and not self._is_whole:
            rows = [line for line in rows if line.code != REST][: self._n_rows]
        return {line.code for line in rows} | set(self.hidden())

    def _switch_rows(self) -> None:
        self._is_whole = not self._is_whole
        self._is_forced = self._is_whole  # also where there is no room for all
        self._show_notes()
        self.adjustSize()
        self.folded.emit()

    def set_tight(self, tight: bool) -> bool:
        if tight != self._is_tight:
            self._is_tight = tight
            self._show_notes()
        return True

    def _switch(self) -> None:
        """Fold the legend, or open it, also without room for it."""
        self._is_folded = self.is_open
        self._is_forced = not self._is_folded
        open_window_file().setValue(FOLDED, self._is_folded)
        self._show_notes()
        self.adjustSize()
        self.folded.emit()

    def _show_notes(self) -> None:
        is_open, rows = self.is_open, self._list_rows()
        for code, toggle in self.toggles.items():
            toggle.setVisible(is_open and toggle.count > 0 and code in rows)
        n_all = sum(line.count > 0 for line in self._lines)
        self.all_button.setText(
            tr("Show less") if self._is_whole else tr("Show all {n}", n=format_number(n_all))
        )
        self._all_row.setVisible(is_open and self.is_cut)
        self.fold_button.set_icon("caret-down" if is_open else "caret-right")
        self.fold_button.set_tooltip(tr("Hide the legend") if is_open else tr("Show the legend"))
        self.shown.setVisible(is_open)
        self.foot.setVisible(is_open and not self._brief)
        self.line_note.setVisible(is_open and not self._brief)
        self.head.setVisible(not is_open or not self._brief or self.mode != "type")
        self._column.activate()

    def _build_toggle(self, line: LegendLine) -> LegendToggle:
        code, is_type = line.code, line.code < len(ENTITY_TYPES)

        def paint(painter: QPainter, area: QRectF) -> None:
            if is_type and not self._theme.is_high:  # there, nodes have shapes
                edge = (area.width() - self._theme.length(TYPE_MARK)) / 2
                disc = area.adjusted(edge, edge, -edge, -edge)
                paint_type_disc(painter, disc, ENTITY_TYPES[code], self._theme)
            else:
                numbers = list(FIRST_NUMBERS)
                if line.number:
                    numbers[code - len(ENTITY_TYPES)] = line.number
                palette = build_graph_palette(self._theme.tokens, numbers)
                painter.setFont(self._theme.font("small"))
                paint_disc(
                    painter,
                    palette,
                    code,
                    area.center(),
                    area.width() * DISC_SHARE,
                    in_list=True,
                )

        size = (WIDTH if is_type else WIDE, ROW)
        toggle = LegendToggle(
            self._theme, line.words, line.count, size, paint, self, n_all=line.n_all
        )
        toggle.in_parts = not is_type
        tip = tr("Show or hide: {what}\nDouble-click: only these", what=line.words)
        if line.number and self.mode == "group":
            number = tr("Number {n} on the Communities screen", n=line.number)
            tip = f"{tip}\n{number}"
        toggle.setToolTip(tip)
        toggle.setAccessibleName(tr("Show {what}", what=line.words))
        return toggle


class KindLegend(LegendPanel):
    """The kinds of relations; hidden while no relation was confirmed by a model."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self.confirmed = CheckBox(tr("Only confirmed"), self)
        self.confirmed.setToolTip(tr("Show only connections that a model confirmed"))
        self.confirmed.setMinimumHeight(28)
        self.confirmed.toggled.connect(lambda _: self.changed.emit())
        self._column.addLayout(build_column(self.confirmed, margins=(8, 0, 8, 0)))
        self.hide()

    @property
    def confirmed_only(self) -> bool:
        return self.confirmed.isChecked() and not self.isHidden()

    def set_confirmed_only(self, only: bool) -> None:
        self.confirmed.blockSignals(True)
        self.confirmed.setChecked(only)
        self.confirmed.blockSignals(False)

    def set_data(self, data: GraphData) -> None:
        """Show the kinds of a view, the most frequent first; hidden ones stay hidden."""
        counts = np.bincount(data.kind_codes, minlength=len(data.kinds))
        named = [kind for kind in data.kinds if kind][:MAX_KINDS]
        kinds = [*named, *({""} & set(data.kinds))] if named else []
        toggles: dict[Hashable, LegendToggle] = {
            kind: self._build_toggle(kind, int(counts[data.kinds.index(kind)])) for kind in kinds
        }
        self._replace(toggles, self.hidden())
        self.setVisible(bool(data.confirmed.any()))
        self._column.activate()
        self.adjustSize()

    def _build_toggle(self, kind: str, count: int) -> LegendToggle:
        words = look_of_kind(kind).words

        def paint(painter: QPainter, area: QRectF) -> None:
            middle = area.center()
            paint_kind_line(painter, middle.x() - LINE_WIDTH / 2, middle.y(), kind, self._theme)

        toggle = LegendToggle(self._theme, words.capitalize(), count, (WIDTH, ROW), paint, self)
        tip = tr("Show or hide connections: {kind}\nDouble-click: only these", kind=words)
        toggle.setToolTip(tip if kind else f"{tip}\n{tr(LINE_NOTE)}")
        toggle.setAccessibleName(tr("Show connections: {kind}", kind=words))
        return toggle
