"""The head of a report: what it is a part of, its title, in which state it is, what to do with it.

Owns these words and buttons; says what was pressed.
"""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from desktop_app.engine.themes import CommunityRow, Report
from desktop_app.ui.language import tr, trn
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import (
    Badge,
    Button,
    IconButton,
    Label,
    PrimaryButton,
    clear_layout,
    format_when,
)

from .forest import Forest
from .tree_delegate import paint_weight
from .words import say_rating, say_size, say_source, title_of

NARROW, TIGHT = 520, 380


class WeightBar(QWidget):
    """A rating of 0 to 10 as a bar."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._rating = theme, 0.0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def set_rating(self, rating: float) -> None:
        self._rating = rating
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(96, 20)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        spot = QRectF(0, self.height() / 2 - 3, self.width(), 6)
        paint_weight(painter, self._theme, spot, self._rating)
        painter.end()


class PageHead(QWidget):
    """Emits `verb_wanted` with "ask", "graph", "color", "write", "edit", "pin", "compare"."""

    verb_wanted = Signal(str)
    community_wanted = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.way = QWidget(self)
        self._way = QHBoxLayout(self.way, spacing=2)
        self._way.setContentsMargins(0, 0, 0, 0)
        self.title = Label("", "title", self, wrap=True)
        self.title.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.facts = Label("", "muted", self, wrap=True)
        self.state = Badge(theme, "", "warn", self)
        self.pinned = Badge(theme, tr("Pinned"), "accent", self)
        self.ask_button = PrimaryButton(
            tr("Ask about this theme"), self, theme=theme, icon="chat", tooltip="Ctrl+Return"
        )
        self.graph_button = Button(tr("Show in graph"), self, theme=theme, icon="graph")
        self.color_button = IconButton(theme, "palette", tr("Colour the graph by it"), self)
        self.write_button = IconButton(theme, "retry", tr("Write its report again"), self)
        self.edit_button = IconButton(theme, "rename", tr("Edit the report"), self)
        self.pin_button = IconButton(theme, "push-pin", "", self)
        self.compare_button = IconButton(
            theme, "arrows-left-right", tr("Compare with another…"), self
        )
        self.weight = WeightBar(theme, self)
        self.rating = Label("", "strong", self)
        self.reason = Label("", "muted", self, wrap=True)
        self._place()
        for button, verb in (
            (self.ask_button, "ask"),
            (self.graph_button, "graph"),
            (self.color_button, "color"),
            (self.write_button, "write"),
            (self.edit_button, "edit"),
            (self.pin_button, "pin"),
            (self.compare_button, "compare"),
        ):
            button.clicked.connect(lambda _=False, verb=verb: self.verb_wanted.emit(verb))

    def _place(self) -> None:
        badges = QHBoxLayout(spacing=6)
        badges.addWidget(self.state)
        badges.addWidget(self.pinned)
        badges.addStretch(1)
        self._badges = QWidget(self)
        badges.setContentsMargins(0, 0, 0, 0)
        self._badges.setLayout(badges)
        self._actions = QGridLayout()
        self._actions.setHorizontalSpacing(8)
        self._actions.setVerticalSpacing(4)
        self._actions.addWidget(self.ask_button, 0, 0)
        self._actions.addWidget(self.graph_button, 0, 1)
        self._actions.setColumnStretch(3, 1)
        self._tools = QWidget(self)
        tools = QHBoxLayout(self._tools, spacing=2)
        tools.setContentsMargins(0, 0, 0, 0)
        for button in (
            self.color_button,
            self.compare_button,
            self.edit_button,
            self.pin_button,
            self.write_button,
        ):
            tools.addWidget(button)
        self._narrow: bool | None = None
        self.fit(NARROW)
        rated = QHBoxLayout(spacing=8)
        rated.addWidget(self.weight)
        rated.addWidget(self.rating)
        rated.addStretch(1)
        self._rated = QWidget(self)
        rated.setContentsMargins(0, 0, 0, 0)
        self._rated.setLayout(rated)
        column = QVBoxLayout(self, spacing=4)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.way)
        column.addWidget(self.title)
        column.addWidget(self.facts)
        column.addWidget(self._badges)
        column.addSpacing(4)
        column.addLayout(self._actions)
        column.addSpacing(8)
        column.addWidget(self._rated)
        column.addWidget(self.reason)

    def fit(self, room: int) -> None:
        """Put the small buttons under the others where there is little room."""
        narrow = room < self._theme.length(NARROW)
        if narrow != self._narrow:
            self._narrow = narrow
            self._actions.removeWidget(self._tools)
            place = (1, 0, 1, 3) if narrow else (0, 2, 1, 1)
            self._actions.addWidget(self._tools, *place, Qt.AlignmentFlag.AlignLeft)
        tight = room < self._theme.length(TIGHT)
        self.graph_button.setText("" if tight else tr("Show in graph"))
        self.graph_button.setToolTip(tr("Show in graph") if tight else "")
        self.graph_button.setAccessibleName(tr("Show in graph"))

    def show_community(self, row: CommunityRow, report: Report, forest: Forest) -> None:
        """Say what there is to say of a community and its report."""
        self._show_way(row, forest)
        self.title.setText(report.title or title_of(row))
        facts = [
            say_size(row.n_members),
            trn("{n} connection", "{n} connections", row.n_relations),
            say_source(report),
        ]
        if report.created_at:
            facts.append(format_when(report.created_at))
        self.facts.setText(" · ".join(facts))
        stale = report.is_stale and not report.is_pinned
        self.state.set_text(tr("Changed since this was written"))
        self.state.setVisible(stale)
        self.pinned.setVisible(report.is_pinned)
        self._badges.setVisible(stale or report.is_pinned)
        self.pin_button.set_icon("push-pin-slash" if report.is_pinned else "push-pin")
        self.pin_button.set_tooltip(
            tr("Unpin the report") if report.is_pinned else tr("Pin: keep the report as it is")
        )
        self.write_button.setEnabled(not report.is_pinned)
        self._rated.setVisible(not row.is_loose)
        self.weight.set_rating(report.rating)
        self.rating.setText(tr("Weight: {rating}", rating=say_rating(report.rating)))
        self.reason.setText(report.reason)

    def _show_way(self, row: CommunityRow, forest: Forest) -> None:
        clear_layout(self._way)
        above = forest.path(int(row.id))[:-1]
        self.way.setVisible(bool(above))
        for number in above[-2:]:  # the nearest say most, and there is room for two
            title = title_of(forest.rows[number])
            metrics = self.fontMetrics()
            words = metrics.elidedText(title, Qt.TextElideMode.ElideRight, 240)
            link = Button(f"{words} ›".replace("&", "&&"), self, kind="link", tooltip=title)
            link.clicked.connect(lambda _=False, n=number: self.community_wanted.emit(n))
            self._way.addWidget(link)
        self._way.addStretch(1)
