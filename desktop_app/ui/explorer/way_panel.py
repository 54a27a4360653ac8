"""The ways between two names, in place of the inspector: each step with what carries it.

Owns how a way is told. Is handed plain data; emits what was pressed.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from desktop_app.engine.services.exploring_graph import Step, WayShown
from desktop_app.ui.language import later, tr, trn
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import ElidedLabel, IconButton, Label, clear_layout, join_words
from desktop_app.ui.widgets.kind_marks import KindMark

from .side_panel import INDENT, LONGEST_SENTENCE, PressRow, SidePanel
from .tooltips import shorten

HOW = {
    "shortest": later("The shortest way"),
    "strongest": later("The strongest way"),
    "another": later("Another way"),
}


class WayPanel(SidePanel):
    """Tells of ways; `way_chosen` is the ids along one, `mention_chosen` a `MentionRow`."""

    way_chosen = Signal(object)
    entity_chosen = Signal(int)
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, above=12, spacing=4, parent=parent)
        self.ways: list[WayShown] = []
        self.hide()

    def show_ways(self, first: str, last: str, ways: list[WayShown]) -> None:
        """Tell of the ways between two names; none is told as well."""
        self.ways = ways
        clear_layout(self.column)
        head = QHBoxLayout()
        head.setContentsMargins(INDENT, 0, 0, 0)
        title = Label(f"{shorten(first, 60)} – {shorten(last, 60)}", "title", wrap=True)
        title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        head.addWidget(title, 1)
        close = IconButton(self._theme, "close", tr("Close"))
        close.clicked.connect(self.closed)
        head.addWidget(close, 0, Qt.AlignmentFlag.AlignTop)
        self.column.addLayout(head)
        if not ways:
            text = Label(
                tr("The text ties these two together nowhere, not even past others."), wrap=True
            )
            text.setContentsMargins(INDENT, 8, INDENT, 0)
            self.column.addWidget(text)
        for way in ways:
            self._add_way(way)
        self.column.addStretch(1)
        self.scroll.verticalScrollBar().setValue(0)
        self.show()

    def _add_way(self, way: WayShown) -> None:
        self.column.addSpacing(8)
        names = [shorten(e.name, 40) for e in way.entities]
        how = tr(HOW[way.how])
        said = tr("{way}: {names}", way=how, names=join_words(names))
        row = PressRow(self._theme, said)
        inside = QVBoxLayout(row)
        inside.setContentsMargins(INDENT, 6, INDENT, 6)
        inside.setSpacing(0)
        steps = trn("{n} step", "{n} steps", len(way.steps))
        inside.addWidget(Label(f"{how} · {steps}", "small", wrap=True))
        line = Label(" – ".join(names), "strong", wrap=True)
        line.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        inside.addWidget(line)
        row.setToolTip(tr("Show this way in the graph"))
        row.pressed.connect(lambda: self.way_chosen.emit(way.ids))
        self.column.addWidget(row)
        for step, (a, b) in zip(
            way.steps, zip(way.entities, way.entities[1:], strict=False), strict=True
        ):
            self._add_step(step, f"{shorten(a.name, 40)} – {shorten(b.name, 40)}")

    def _add_step(self, step: Step, words: str) -> None:
        line = QHBoxLayout()
        line.setContentsMargins(INDENT + 8, 2, INDENT, 0)
        line.setSpacing(8)
        line.addWidget(ElidedLabel(words, "small"), 1)
        if step.relation.kind:
            line.addWidget(KindMark(self._theme, step.relation.kind, step.relation.confidence))
        self.column.addLayout(line)
        if not step.said and (said := step.relation.description or step.relation.sentence):
            text = Label(shorten(said, LONGEST_SENTENCE), wrap=True)
            text.setContentsMargins(INDENT + 8, 0, INDENT, 4)
            self.column.addWidget(text)
        for mention in step.said[:1] if len(self.ways) > 1 else step.said:
            self.column.addWidget(self.build_mention_row(mention, (INDENT + 8, 2, INDENT, 6)))
