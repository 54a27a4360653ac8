"""The column of a chat: its header with the title, its turns, and the question box.

Owns the editing of the title. It stores nothing: commands are signals.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop_app.engine.model import DocumentRow, EntityRow

from ..allowed_addresses import allowed_sites
from ..language import later, tr
from ..theme.theme import Theme
from ..widgets import Button, IconButton, Label, Skeleton, ToolbarRow, clear_layout
from ..widgets.words import plain_tip
from .composer import QuestionBox, SlashMenu, match_commands
from .library_context import describe_progress, suggest_questions
from .modes import BYPASS
from .turn_list import COLUMN_WIDTH, TurnList

ABOUT = later(
    "Answers are written on this computer, from passages of your documents. "
    "Every claim shows where it says so."
)
NOTHING = later(
    "Add documents in the library first. You can ask as soon as the first chapters are in."
)


class EmptyChat(QWidget):
    """The page of a chat without questions; emits `picked` with a suggested question."""

    picked = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._entities: list[EntityRow] = []
        self._circles: list[Sequence[str]] = []
        self._icon = QLabel(self)
        self._icon.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._icon.setPixmap(theme.icon("chat").pixmap(QSize(40, 40)))
        title = Label(tr("Ask your documents"), "title", self)
        title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.about = Label(tr(ABOUT), "muted", self, wrap=True)
        self.about.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.about.setFixedWidth(theme.breadth(420))
        self._set_text(tr(ABOUT))
        self._questions = QVBoxLayout()
        self._questions.setSpacing(8)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 24)
        column.setSpacing(8)
        column.addStretch(2)
        column.addWidget(self._icon)
        column.addSpacing(4)
        column.addWidget(title)
        column.addWidget(self.about, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addSpacing(16)
        column.addLayout(self._questions)
        column.addStretch(3)
        theme.changed.connect(
            lambda: self._icon.setPixmap(theme.icon("chat").pixmap(QSize(40, 40)))
        )

    def _set_text(self, words: str) -> None:
        self.about.setText(words)
        # Qt does not ask a centred label for its height at a width
        self.about.setMinimumHeight(self.about.heightForWidth(self.about.width()))

    def show_circles(self, circles: Sequence[Sequence[str]]) -> None:
        """Suggest questions about names of the same topic."""
        if list(circles) != self._circles:
            self._circles = list(circles)
            self.show_names(self._entities)

    def show_names(self, entities: Sequence[EntityRow]) -> None:
        """Suggest questions about the library's most mentioned names."""
        self._entities = list(entities)
        clear_layout(self._questions)
        self._set_text(tr(ABOUT) if entities else tr(NOTHING))
        for question in suggest_questions(entities, circles=self._circles):
            button = Button(question, self, theme=self._theme, icon="arrow-right")
            button.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
            button.setStyleSheet("text-align: left;")
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            button.setFixedWidth(self._theme.breadth(420))
            button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            button.setToolTip(plain_tip(question))
            button.clicked.connect(lambda _=False, q=question: self.picked.emit(q))
            self._questions.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)

    def questions(self) -> list[QPushButton]:
        """Return the buttons of the suggested questions."""
        items = (self._questions.itemAt(i) for i in range(self._questions.count()))
        found = [item.widget() for item in items if item is not None]
        return [widget for widget in found if isinstance(widget, QPushButton)]


NEW_TITLE = later("New chat")
TIGHT = 400


class TitleEdit(QLineEdit):
    """A title that becomes editable on request; Escape restores it."""

    renamed = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(tr(NEW_TITLE), parent)
        self._kept = tr(NEW_TITLE)
        self.setReadOnly(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(tr("Title of the chat"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._theme = theme
        theme.changed.connect(self._restyle)
        self._restyle()
        self.editingFinished.connect(self._finish)

    def set_title(self, title: str) -> None:
        self._kept = title or tr(NEW_TITLE)
        if self.isReadOnly():
            self._show_kept()

    def title(self) -> str:
        return self._kept

    def begin(self) -> None:
        """Make the title editable."""
        self.setText(self._kept)
        self.setReadOnly(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._restyle()
        self.setFocus()
        self.selectAll()

    def _finish(self) -> None:
        if self.isReadOnly():
            return
        text = self.text().strip()
        self._end()
        if text and text != self._kept:
            self.set_title(text)
            self.renamed.emit(text)

    def _end(self) -> None:
        self.setReadOnly(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._restyle()
        self._show_kept()
        self.deselect()

    def _show_kept(self) -> None:
        """Show the title as far as it fits; the tooltip has the full title."""
        room = max(16, self.width() - 8)
        cut = Qt.TextElideMode.ElideRight
        shown = self.fontMetrics().elidedText(self._kept, cut, room)
        self.setText(shown)
        self.setCursorPosition(0)
        self.setToolTip(plain_tip(self._kept) if shown != self._kept else "")

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        if self.isReadOnly():
            self._show_kept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and not self.isReadOnly():
            self._end()
            return
        super().keyPressEvent(event)

    def _restyle(self) -> None:
        look = f"font-size: {self._theme.px(17)}px; font-weight: 600;"
        if self.isReadOnly():
            look += " background: transparent; border-color: transparent; padding: 0;"  # not shown
        self.setStyleSheet(look)


class ChatHead(ToolbarRow):
    """Title, new chat, and "⋯" with rename, copy, export and delete."""

    new_wanted = Signal()
    rename_wanted = Signal(str)
    delete_wanted = Signal()
    copy_wanted = Signal()
    export_wanted = Signal()
    forget_sites_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.title_edit = TitleEdit(theme, self)
        self.title_edit.renamed.connect(self.rename_wanted)
        self.add(self.title_edit, 1)
        self.new_button = IconButton(theme, "add", tr("New chat"), self)
        self.new_button.clicked.connect(self.new_wanted)
        self.more_button = IconButton(theme, "more", tr("More"), self)
        self.more_button.setPopupMode(self.more_button.ToolButtonPopupMode.InstantPopup)
        self.more_button.setMenu(self._build_more())
        self.add(self.new_button)
        self.add(self.more_button)

    def _build_more(self) -> QMenu:
        menu = QMenu(self)
        self.rename_action = menu.addAction(tr("Rename"), self.title_edit.begin)
        self.copy_action = menu.addAction(tr("Copy the whole chat"), self.copy_wanted.emit)
        self.export_action = menu.addAction(tr("Export…"), self.export_wanted.emit)
        menu.addSeparator()
        again = tr("Ask again before addresses are opened")
        self.forget_action = menu.addAction(again, self.forget_sites_wanted.emit)
        menu.aboutToShow.connect(self._offer_to_forget)
        self.delete_action = menu.addAction(tr("Delete chat"), self.delete_wanted.emit)
        return menu

    def _offer_to_forget(self) -> None:
        # shown only if a website was allowed once
        self.forget_action.setVisible(bool(allowed_sites()))

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self.new_button.setVisible(self.width() >= TIGHT)  # the sidebar has this button too

    def show_chat(self, title: str, *, exists: bool) -> None:
        """Show the title of a chat; only a stored chat can be renamed or deleted."""
        self.title_edit.set_title(title)
        for action in (
            self.rename_action,
            self.copy_action,
            self.export_action,
            self.delete_action,
        ):
            action.setEnabled(exists)


NARROWEST = 300
NO_DOCUMENTS = later("Without your documents: the model answers from memory and may be wrong.")


class ChatColumn(QWidget):
    """Header at the top, turns, question box at the bottom with a note below it."""

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
        self.choices.param_changed.connect(self._update_note)
        self.setFocusProxy(self.box)
        self._update_note()

    def show_loading(self) -> None:
        """Show that a chat is being loaded, if that takes a moment."""
        self.pages.setCurrentWidget(self.skeleton)
        self.skeleton.start()

    def show_documents(self, documents: Sequence[DocumentRow]) -> None:
        """Offer these documents as scope and show how much of them is indexed."""
        self.choices.scope.panel.set_documents([d for d in documents if d.state != "failed"])
        self.set_progress(describe_progress(documents))

    def set_progress(self, words: str) -> None:
        """Show how much of the library is indexed."""
        self._progress = words
        self._update_note()

    def _suggest(self) -> None:
        self.commands.show_commands(match_commands(self.box.text()), self.box)

    def _update_note(self) -> None:
        """Show below the box what the next answer will not use."""
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
