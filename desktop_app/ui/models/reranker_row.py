"""The choice of who puts the found passages in order: nobody more, the chat model, a reranker."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from desktop_app.engine.models.chat_reranker import CHAT_RERANKER
from desktop_app.ui.language import later, tr
from desktop_app.ui.widgets import Label, SectionTitle

AS_FOUND = later("As they were found (at once)")
BY_CHAT = later("By the chat model, asked of each passage (some seconds more)")


class RerankerRow(QWidget):
    """Says what each choice costs; `chosen` with a reranker's name, `CHAT_RERANKER` or ""."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.choice = QComboBox()
        self.choice.setAccessibleName(tr("Order of passages"))
        self.choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.choice.activated.connect(lambda _: self.chosen.emit(self.choice.currentData()))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 16, 0, 0)
        column.setSpacing(8)
        column.addWidget(SectionTitle(tr("Order of passages")))
        text = tr(
            "Before an answer, the passages found can be put in order once more. It is slower, "
            "and worth it where the right page is found but comes late."
        )
        column.addWidget(Label(text, wrap=True))
        row = QHBoxLayout()
        row.addWidget(self.choice)
        row.addStretch(1)
        column.addLayout(row)

    def show_choice(
        self, current: str, rerankers: Sequence[tuple[str, str]], *, has_chat: bool
    ) -> None:
        """Show what can be chosen and what is.

        Args:
            rerankers: (name, title) of those that are installed.
        """
        with QSignalBlocker(self.choice):
            self.choice.clear()
            self.choice.addItem(tr(AS_FOUND), "")
            if has_chat or current == CHAT_RERANKER:
                self.choice.addItem(tr(BY_CHAT), CHAT_RERANKER)
            for name, title in rerankers:
                self.choice.addItem(tr("By {model}", model=title), name)
            self.choice.setCurrentIndex(max(0, self.choice.findData(current)))
