"""The chat as one column: its head, the turns or what stands for them, the question box.

Owns only where things stand. Knows no chats and no lanes.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from desktop_app.engine.types import DocumentRow
from desktop_app.ui.language import later, tr
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Label, Skeleton

from .empty_chat import EmptyChat
from .head import ChatHead
from .modes import BYPASS
from .question_box import QuestionBox
from .slash import match_commands
from .slash_menu import SlashMenu
from .surroundings import describe_progress
from .turn_list import COLUMN_WIDTH, TurnList

NARROWEST = 300
NO_DOCUMENTS = later("Without your documents: the model answers from memory and may be wrong.")


class ChatColumn(QWidget):
    """Head above, turns between, question box below; the note under the box says what matters."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("screenBody")
        self.setMinimumWidth(NARROWEST)
        self._progress = ""
        self.head = ChatHead(theme, self)
        self.empty = EmptyChat(theme, self)
        self.turns = TurnList(self)
        self.skeleton = Skeleton(theme, self)
        self.pages = QStackedWidget(self)
        for page in (self.empty, self.turns, self.skeleton):
            self.pages.addWidget(page)
        self.box = QuestionBox(theme, self)
        self.turns.rest = self.box
        self.choices = self.box.choices
        self.commands = SlashMenu(theme, self)
        self.box.edit.take_key = self.commands.take_key
        self.box.edit.textChanged.connect(self._suggest)
        self.note = Label("", "small", self, wrap=True)
        foot = QVBoxLayout()
        foot.setSpacing(4)
        foot.addWidget(self.box)
        foot.addWidget(self.note)
        self._foot_row = QHBoxLayout()
        self._foot_row.setContentsMargins(24, 8, 24, 12)
        self._foot_row.addLayout(foot)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self.pages, 1)
        column.addLayout(self._foot_row)
        self.choices.param_changed.connect(self._say)
        self.setFocusProxy(self.box)
        self._say()

    def show_loading(self) -> None:
        """Show that a chat is being read, if that takes a moment."""
        self.pages.setCurrentWidget(self.skeleton)
        self.skeleton.start()

    def show_documents(self, documents: Sequence[DocumentRow]) -> None:
        """Offer these to be asked, and say how many of their parts are in."""
        self.choices.scope.panel.set_documents([d for d in documents if d.state != "failed"])
        self.set_progress(describe_progress(documents))

    def set_progress(self, words: str) -> None:
        """Say how much of the library can be asked."""
        self._progress = words
        self._say()

    def _suggest(self) -> None:
        self.commands.show_commands(match_commands(self.box.text()), self.box)

    def _say(self) -> None:
        """Tell under the box what the next answer will not rest on."""
        param = self.choices.param
        narrowed = param.document_ids or param.collection_ids
        scope = tr("Asks only: {names}.", names=self.choices.scope.words()) if narrowed else ""
        parts = [scope, self._progress]
        words = " ".join(part for part in parts if part)
        self.note.setText(tr(NO_DOCUMENTS) if param.mode == BYPASS else words)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        side = max(24, (self.width() - COLUMN_WIDTH) // 2)
        self._foot_row.setContentsMargins(side, 8, side, 12)
        self.commands.hide()
