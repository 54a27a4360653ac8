"""Arranging widgets: toolbar row, hairlines, rows of label and value, flowing lines, tab order."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from itertools import pairwise

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QLinearGradient,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QTextLayout,
)
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from desktop_app.engine.model import MentionRow

from ..theme.theme import Theme
from ..translation import tr
from .labels import ElidedLabel, Label, SentenceLabel, is_click, is_click_key
from .words import describe_mention_source

Margins = tuple[int, int, int, int]  # left, top, right, bottom
LayoutItem = (
    int | QWidget | QLayout | tuple[QWidget | QLayout, int] | tuple[QWidget, int, Qt.AlignmentFlag]
)
STRETCH = -1


def build_row(
    *items: LayoutItem,
    parent: QWidget | None = None,
    spacing: int = 8,
    margins: Margins = (0, 0, 0, 0),
) -> QHBoxLayout:
    """Return a row of widgets and layouts.

    Args:
        items: a widget or layout, alone or with its stretch factor (and alignment); a number is
            a gap in pixels, `STRETCH` takes the rest of the room.
        parent: the widget that gets this layout.
        spacing: pixels between items, -1 for the style's.
    """
    row = QHBoxLayout() if parent is None else QHBoxLayout(parent)
    _fill_box(row, items, spacing, margins)
    return row


def build_column(
    *items: LayoutItem,
    parent: QWidget | None = None,
    spacing: int = 8,
    margins: Margins = (0, 0, 0, 0),
) -> QVBoxLayout:
    """Return a column of widgets and layouts; the arguments are those of `build_row`."""
    column = QVBoxLayout() if parent is None else QVBoxLayout(parent)
    _fill_box(column, items, spacing, margins)
    return column


def _fill_box(box: QBoxLayout, items: Iterable[LayoutItem], spacing: int, margins: Margins) -> None:
    box.setContentsMargins(*margins)
    box.setSpacing(spacing)
    for item in items:
        if isinstance(item, int):
            if item == STRETCH:
                box.addStretch(1)
            else:
                box.addSpacing(item)
            continue
        part, stretch, *align = item if isinstance(item, tuple) else (item, 0)
        if isinstance(part, QLayout):
            box.addLayout(part, stretch)
        else:
            box.addWidget(part, stretch, *align)


def scroll_area(body: QWidget, parent: QWidget | None = None) -> QScrollArea:
    """Return a scroll area that scrolls only vertically and has no frame."""
    area = QScrollArea(parent)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(body)
    return area


def settle_scrolled(area: QScrollArea) -> None:
    """Give all in a scroll area its size at once, so that no row is painted with half its height.

    Otherwise the rows share the height of the window until the window's thread has handled the
    layout requests of each level. The second pass is for rows that show more or less once they
    have their width, and for the scroll bar, which takes a part of it.
    """
    body = area.widget()
    # what contains others comes last
    widgets = [*reversed(body.findChildren(QWidget)), body] if body is not None else []
    for _ in range(2):
        for widget in widgets:
            if (layout := widget.layout()) is not None:
                layout.invalidate()
                layout.activate()
        # gives the body its size, and the scroll bar its place
        QCoreApplication.sendEvent(area, QEvent(QEvent.Type.LayoutRequest))


def build_splitter(
    *widgets: QWidget,
    sizes: tuple[int, ...] = (),
    orientation: Qt.Orientation = Qt.Orientation.Horizontal,
) -> QSplitter:
    """Return a splitter with a thin handle; the last widget takes the room that is left."""
    splitter = QSplitter(orientation)
    splitter.setHandleWidth(1)
    splitter.setChildrenCollapsible(False)
    for widget in widgets:
        splitter.addWidget(widget)
    splitter.setStretchFactor(len(widgets) - 1, 1)
    if sizes:
        splitter.setSizes(list(sizes))
    return splitter


HEAD_HEIGHT = 52  # pixels, with the rule below


class HeadTabs(QTabBar):
    """Tabs as high as a `ToolbarRow`: the line of the chosen one is on the rule of the row."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(False)
        self.setElideMode(Qt.TextElideMode.ElideRight)

    def tabSizeHint(self, index: int) -> QSize:
        return QSize(super().tabSizeHint(index).width(), HEAD_HEIGHT - 1)

    def minimumTabSizeHint(self, index: int) -> QSize:
        return QSize(super().minimumTabSizeHint(index).width(), HEAD_HEIGHT - 1)


class ToolbarRow(QFrame):
    """The one row of controls over a screen: title at the left, at most seven controls."""

    def __init__(self, title: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("toolbarRow")
        self.setFixedHeight(HEAD_HEIGHT)
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(16, 0, 12, 0)
        self.row.setSpacing(8)
        self.title = Label(title, "title", self)
        self.title.setVisible(bool(title))
        self.row.addWidget(self.title)

    def add(self, widget: QWidget, stretch: int = 0) -> QWidget:
        self.row.addWidget(widget, stretch)
        return widget

    def add_stretch(self) -> None:
        self.row.addStretch(1)

    def mark_active(self, active: bool) -> None:
        """Mark the row, by its ground, while it has the actions on selected things."""
        if bool(self.property("active")) != active:
            self.setProperty("active", active)
            self.style().unpolish(self)
            self.style().polish(self)


class Hairline(QFrame):
    """One pixel between two areas."""

    def __init__(
        self,
        orientation: Qt.Orientation = Qt.Orientation.Horizontal,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("hairline")
        if orientation == Qt.Orientation.Horizontal:
            self.setFixedHeight(1)
        else:
            self.setFixedWidth(1)


FADE = 28  # pixels in which the last line fades out
FOOT_MARGIN = 16  # pixels below the last text of most pages


class ScrollFade(QWidget):
    """Lets the last line of a scroll area fade out, instead of being cut, while more is below.

    There is none over the last texts, below which only the margin of the page is. In high contrast,
    where it would erase borders, a line shows where the area ends.
    """

    def __init__(self, theme: Theme, area: QAbstractScrollArea, ground: str = "bg") -> None:
        super().__init__(area)
        self._theme, self._area, self._ground = theme, area, ground
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        bar = area.verticalScrollBar()
        bar.valueChanged.connect(lambda _: self._fit())
        bar.rangeChanged.connect(lambda *_: self._fit())
        area.viewport().installEventFilter(self)
        theme.changed.connect(self._fit)
        theme.changed.connect(self.update)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._fit()
        return False

    def _fit(self) -> None:
        bar, view = self._area.verticalScrollBar(), self._area.viewport().geometry()
        self.setVisible(bar.maximum() - bar.value() > FOOT_MARGIN)
        height = 1 if self._theme.is_high else FADE
        self.setGeometry(view.left(), view.bottom() + 1 - height, view.width(), height)
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._theme.is_high:
            with QPainter(self) as painter:
                painter.fillRect(self.rect(), self._theme.color("line"))
            return
        ground = self._theme.color(self._ground)
        clear = QColor(ground)
        clear.setAlpha(0)
        shade = QLinearGradient(0, 0, 0, self.height())
        shade.setColorAt(0, clear)
        shade.setColorAt(0.8, ground)
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), shade)


class TallRule(QWidget):
    """A short upright line between two groups of controls."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedSize(9, 18)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(4, 0, 1, self.height(), self.palette().color(QPalette.ColorRole.Mid))
        painter.end()


class Flow(QWidget):
    """Fills lines from left to right, centred in height; no widget is wider than the line.

    It has no layout: one whose height depends on its width gets too little in scroll areas.

    With `even`, all lines are as high as the first widget; a higher one reaches into the gaps.
    """

    def __init__(self, parent: QWidget | None = None, *, gap: int = 6, even: bool = False) -> None:
        super().__init__(parent)
        self._gap, self._even = gap, even
        self._widgets: list[QWidget] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def add(self, *widgets: QWidget) -> None:
        for widget in widgets:
            widget.setParent(self)
            widget.show()
        self._widgets += widgets
        self._place()

    def clear(self) -> None:
        """Remove and delete all widgets."""
        for widget in self._widgets:
            widget.hide()
            widget.deleteLater()
        self._widgets = []
        self._place()

    def line_height(self) -> int:
        """Return the height of its first widget, in pixels."""
        return self._widgets[0].sizeHint().height() if self._widgets else 0

    def sizeHint(self) -> QSize:
        return QSize(80, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Show):
            self._place()
        return super().event(event)

    def _place(self) -> None:
        lines: list[list[tuple[QWidget, QSize]]] = []
        left = 0
        for widget in self._widgets:
            if widget.isHidden():
                continue
            widget.ensurePolished()  # otherwise its size hint is not the one it will have
            hint = widget.sizeHint().expandedTo(widget.minimumSize())
            size = QSize(min(hint.width(), self.width()), hint.height())
            if not lines or (left and left + size.width() > self.width()):
                lines.append([])
                left = 0
            lines[-1].append((widget, size))
            left += size.width() + self._gap
        top = bottom = 0
        for line in lines:
            left, height = 0, max(size.height() for _, size in line)
            if self._even and line is not lines[0]:
                height = lines[0][0][1].height()
            for widget, size in line:
                above = (height - size.height()) // 2
                widget.setGeometry(left, top + above, size.width(), size.height())
                bottom = max(bottom, top + above + size.height())
                left += size.width() + self._gap
            top += height + self._gap
        self.setFixedHeight(bottom)


MOST_OF_NAMES, LEAST_NAME = 0.45, 120  # share of the width of a grid of facts, and pixels
FIRST_LINE = 80  # characters that may stand on the first line of a fact


class FactName(Label):
    """The name of a fact: on one line, unless it is wider than its share of the grid."""

    def __init__(self, text: str, parent: QWidget | None = None, *, role: str = "muted") -> None:
        super().__init__(text, role, parent, wrap=True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)

    def _width(self) -> int:
        return min(self.fontMetrics().horizontalAdvance(self.text()) + 2, self.maximumWidth())

    def sizeHint(self) -> QSize:
        return QSize(self._width(), self.heightForWidth(self._width()))

    def minimumSizeHint(self) -> QSize:
        # a fact's value gives way first, for it may be a whole sentence
        return QSize(min(self._width(), LEAST_NAME), super().minimumSizeHint().height())


class CopiedFact(Label):
    """The value of a fact as a link; a click, Return or Space copies it."""

    clicked = Signal()

    def __init__(self, text: str, parent: QWidget) -> None:
        super().__init__(text, "link", parent, wrap=True)
        self.setToolTip(tr("Copy"))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if is_click(self, event):
            self.clicked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if is_click_key(event):
            self.clicked.emit()
        else:
            super().keyPressEvent(event)


class FactGrid(QWidget):
    """Rows of label and value, for inspectors and cards; `role` is that of quieter texts.

    `copy_clicked` carries the value of a fact that looks like a link and is copied by a click.
    """

    copy_clicked = Signal(str)

    def __init__(self, parent: QWidget | None = None, *, role: str = "") -> None:
        super().__init__(parent)
        self._role = role
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)
        self.rows: list[tuple[FactName, QWidget]] = []
        self._beside: Sequence[FactGrid] = ()

    def share_columns(self, *grids: FactGrid) -> None:
        """Let the values of these grids begin where those of this one do."""
        all_grids = (self, *grids)
        for grid in all_grids:
            grid._beside = all_grids

    def set_facts(self, facts: list[tuple[str, str]], copied: Container[str] = ()) -> None:
        """Replace the rows; a fact without a value is left out.

        Args:
            copied: the names of the facts that a click copies.
        """
        clear_layout(self._grid)
        self.rows = []
        for name, value in facts:
            if not value:
                continue
            shown = self._build_value(name, value, copied)
            shown.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
            self._add(name, shown)
        self._fit_rows()

    def add_widget(self, name: str, widget: QWidget) -> None:
        """Add a row with a widget as its value, whose first line is that of the name."""
        self._add(name, widget)
        self._fit_rows()

    def _add(self, name: str, shown: QWidget) -> None:
        label = FactName(name, self, role=self._role or "muted")
        label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        row = len(self.rows)
        self._grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
        place = Qt.AlignmentFlag.AlignTop
        if shown.sizePolicy().horizontalPolicy() == QSizePolicy.Policy.Fixed:
            place |= Qt.AlignmentFlag.AlignLeft
        if isinstance(shown, Label) or place & Qt.AlignmentFlag.AlignLeft:
            self._grid.addWidget(shown, row, 1, place)
        else:
            self._grid.addWidget(shown, row, 1)
        shown.raise_()  # read after its name
        self.rows.append((label, shown))

    def find_name_width(self) -> int:
        """Return the width of its longest name, in pixels."""
        widths = (name.fontMetrics().horizontalAdvance(name.text()) + 2 for name, _ in self.rows)
        return max(widths, default=0)

    def set_name_width(self, width: int) -> None:
        """Give the names at least this width, as in the other grids of a page."""
        self._grid.setColumnMinimumWidth(0, width)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_rows()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit_rows()

    def _build_value(self, name: str, value: str, copied: Container[str]) -> Label:
        shown: Label
        if name in copied:
            shown = CopiedFact(value, self)
            shown.setAccessibleName(f"{name} {value}")
            shown.clicked.connect(lambda: self.copy_clicked.emit(value))
        else:
            shown = Label(value, self._role, self, wrap=True)
            shown.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        shown.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        return shown

    def _fit_rows(self) -> None:
        """Give names their share of the width, and both labels of a row one baseline."""
        for grid in self._beside:
            widest = max(one.find_name_width() for one in self._beside)
            grid.set_name_width(min(widest, max(1, round(self.width() * MOST_OF_NAMES))))
        for label, shown in self.rows:
            label.setMaximumWidth(max(1, round(self.width() * MOST_OF_NAMES)))
            if isinstance(shown, Label):
                above = find_ascent(shown) - find_ascent(label)
                shown.setContentsMargins(0, max(0, -above), 0, 0)
            else:
                line = shown.line_height() if isinstance(shown, Flow) else shown.sizeHint().height()
                above = (line - label.fontMetrics().height()) // 2
            label.setContentsMargins(0, max(0, above), 0, 0)


def find_ascent(label: QLabel) -> int:
    """Return how far the first baseline is below the top; a fallback font can lower it."""
    label.ensurePolished()
    layout = QTextLayout(label.text().split("\n")[0][:FIRST_LINE], label.font())
    layout.beginLayout()
    line = layout.createLine()
    layout.endLayout()
    return round(line.ascent()) if line.isValid() else label.fontMetrics().ascent()


def clear_layout(layout: QLayout) -> None:
    """Remove all items of a layout and delete their widgets."""
    while (taken := layout.takeAt(0)) is not None:
        if (widget := taken.widget()) is not None:
            widget.hide()
            widget.deleteLater()
        elif (inner := taken.layout()) is not None:
            clear_layout(inner)


def order_tabs(widgets: Iterable[QWidget]) -> None:
    """Set the tab order of these widgets."""
    for before, after in pairwise(widgets):
        QWidget.setTabOrder(before, after)


class SentenceColumn(QWidget):
    """Sentences below each other; emits `place_clicked` with document, start and end.

    With `with_sources`, the line below each one has its document, chapter and page.
    """

    place_clicked = Signal(int, int, int)

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, *, with_sources: bool = False
    ) -> None:
        super().__init__(parent)
        self._theme, self._with_sources = theme, with_sources
        self.labels: list[SentenceLabel] = []
        self.sources: list[ElidedLabel] = []
        self._shown: list[MentionRow] = []
        self._column = build_column(parent=self, spacing=6)

    def show_mentions(self, mentions: Sequence[MentionRow]) -> None:
        """Replace the sentences."""
        if self._shown == list(mentions):  # one of them may have the keyboard focus
            return
        self._shown = list(mentions)
        clear_layout(self._column)
        self.labels, self.sources = [], []
        for mention in mentions:
            label = SentenceLabel(self._theme, mention, self)
            label.place_clicked.connect(self.place_clicked)
            self.labels.append(label)
            words = describe_mention_source(mention, several=True) if self._with_sources else ""
            if not words:
                self._column.addWidget(label)
                continue
            source = ElidedLabel(words, "small", self)
            self.sources.append(source)
            self._column.addLayout(build_column(label, source, spacing=0))
