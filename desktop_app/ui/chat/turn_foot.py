"""The row under an answer: its sources, how it was found, copy, graph, ask again, and who wrote it.

Owns which of these are there for an answer and how they fit a narrow place. What they do is said
by signals; the answer itself belongs to `turn_widget`.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import QHBoxLayout, QMenu, QWidget

from desktop_app.ui.language import later, tr, trn
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Button, ElidedLabel, IconButton

from .turns import Turn, copy_text, plain_text

FOUND = later("How this was found")
WHO = later("See who found what")
NARROW, FACTS_FROM = 480, 340


class TurnFoot(QWidget):
    """`unfolded` tells whether the sources are wanted."""

    unfolded = Signal(bool)
    inspect = Signal()
    graph = Signal()
    again = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._turn = Turn("")
        self.sources_button = Button("", self, kind="quiet")
        self.sources_button.setCheckable(True)
        self.sources_button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self.sources_button.toggled.connect(self._toggled)
        self.inspect_button = Button(tr(FOUND), self, kind="quiet", tooltip=tr(WHO))
        self.inspect_button.setAccessibleName(tr(FOUND))
        self.inspect_button.clicked.connect(self.inspect)
        self.copy_button = IconButton(theme, "copy", tr("Copy"), self)
        self.copy_button.setPopupMode(self.copy_button.ToolButtonPopupMode.InstantPopup)
        self.copy_button.setMenu(self._build_copies())
        self.graph_button = IconButton(theme, "graph", tr("Show this answer in the graph"), self)
        self.graph_button.clicked.connect(self.graph)
        self.again_button = IconButton(
            theme, "retry", tr("Answer again; this answer is kept beside the new one"), self
        )
        self.again_button.clicked.connect(self.again)
        self.facts = ElidedLabel("", "small", self)
        self.facts.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for button in (
            self.sources_button,
            self.inspect_button,
            self.copy_button,
            self.graph_button,
            self.again_button,
        ):
            row.addWidget(button)
        row.addWidget(self.facts, 1)

    def _build_copies(self) -> QMenu:
        menu = QMenu(self)
        with_marks, without = lambda: self._copy(copy_text), lambda: self._copy(plain_text)
        self.copy_action = menu.addAction(tr("Copy with sources"), with_marks)
        self.plain_action = menu.addAction(tr("Copy without sources"), without)
        return menu

    def show_turn(self, turn: Turn) -> None:
        self._turn = turn
        n_sources = len(turn.citations) or len(turn.passages)
        self.sources_button.setText(trn("{n} source", "{n} sources", n_sources))
        self.sources_button.setVisible(n_sources > 0)
        self._set_caret()
        self.graph_button.setVisible(bool(turn.entities or turn.citations or turn.passages))
        self.again_button.setVisible(bool(turn.question))
        self.inspect_button.setVisible(turn.kept is not None or bool(turn.message_id))
        self._show_facts()

    def _toggled(self, opened: bool) -> None:
        self._set_caret()
        self.unfolded.emit(opened)

    def _set_caret(self) -> None:
        opened = self.sources_button.isChecked()
        self.sources_button.setIcon(self._theme.icon("caret-down" if opened else "caret-right"))
        said = tr("Hide {part}" if opened else "Show {part}", part=self.sources_button.text())
        self.sources_button.setAccessibleName(said)

    def _copy(self, make) -> None:
        QGuiApplication.clipboard().setText(make(self._turn))
        self.copy_button.set_icon("check")
        self.copy_button.set_tooltip(tr("Copied"))

    def _show_facts(self) -> None:
        """Show the model and the time, unless only an ellipsis would be left of them."""
        room = self.width() >= FACTS_FROM
        if self.facts.full_text() != (said := self._facts() if room else ""):
            self.facts.setText(said)

    def _facts(self) -> str:
        turn = self._turn
        parts = [tr("Stopped")] if turn.stopped else []
        if turn.model:
            parts.append(turn.model)
        if turn.seconds >= 0.1:
            shown = f"{turn.seconds:.0f}" if turn.seconds >= 10 else f"{turn.seconds:.1f}"
            parts.append(tr("{n} s", n=shown))
        return " · ".join(parts)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._set_narrow(self.width() < NARROW)
        self._show_facts()

    def _set_narrow(self, narrow: bool) -> None:
        button = self.inspect_button
        if narrow == (not button.text()):
            return
        button.setText("" if narrow else tr(FOUND))
        button.setToolTip(tr(FOUND) if narrow else tr(WHO))
        button.setIcon(self._theme.icon("inspector") if narrow else QIcon())
        button.setStyleSheet("padding: 0 5px;" if narrow else "")
