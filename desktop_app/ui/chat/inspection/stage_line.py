"""One step of finding: its name, how much it kept and dropped, and why; unfolds into the lists.

Owns how a step is shown. Knows nothing of the steps there are.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from desktop_app.engine.types import Stage
from desktop_app.ui.language import tr, trn
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Label

from ..fold import FoldSection
from .engine_notes import say_note
from .telling import count_labels, stage_words, step_title

MOST_SHOWN = 40
INDENT = 20


class StageLine(QWidget):
    """A step; what it kept and dropped is listed when it is unfolded."""

    def __init__(self, theme: Theme, stage: Stage, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._stage = stage
        self._filled = False
        self.fold = FoldSection(
            theme, step_title(stage.name), self, aside=stage_words(stage), opened=False
        )
        self.fold.button.setStyleSheet(
            "QPushButton { padding: 0 4px 0 0; text-align: left; min-height: 24px; }"
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.fold)
        if stage.note:
            self.note = _indented(Label(say_note(stage.note), "small", self, wrap=True))
            column.addWidget(self.note)
        self.fold.column.setContentsMargins(0, 0, 0, 4)
        if stage.kept or stage.dropped:
            self.fold.unfolded.connect(self._fill)
        else:
            self.fold.button.setEnabled(False)

    def _fill(self) -> None:
        if self._filled:
            return
        self._filled = True
        kept, dropped = self._stage.kept, self._stage.dropped
        for title, labels in ((tr("Kept"), kept), (tr("Dropped"), dropped)):
            if labels:
                listed = self._list(labels)
                said = tr(", ").join(labels[:MOST_SHOWN])
                listed.setAccessibleName(tr("{part}: {value}", part=title, value=said))
                self.fold.add(_indented(Label(title, "section", self)))
                self.fold.add(_indented(listed))

    def _list(self, labels: tuple[str, ...]) -> Label:
        shown = [" ".join(label.split()) for label in labels[:MOST_SHOWN]]
        more = count_labels(labels) - MOST_SHOWN
        if more > 0:
            shown.append(trn("and {n} more", "and {n} more", more))
        label = Label("\n".join(shown), "small", self, wrap=True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return label


def _indented(label: Label) -> Label:
    label.setContentsMargins(INDENT, 0, 0, 0)
    label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    return label
