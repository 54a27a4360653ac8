"""The header of a chat: its title, "New chat", and the commands for the whole chat.

Owns the editing of the title, and the operations and messages of rename, delete with undo, copy
and export.
"""

from __future__ import annotations

from pathlib import Path
from typing import cast

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import (
    QLineEdit,
    QMenu,
    QSizePolicy,
    QStackedWidget,
    QWidget,
)

from desktop_app.engine.file_names import make_file_name
from desktop_app.workers.operations import Query

from ..allowed_addresses import allowed_sites, forget_sites
from ..context import SessionContext
from ..theme.theme import Theme
from ..translation import later, tr
from ..widgets import ElidedLabel, IconButton, ToolbarRow, build_row
from ..widgets.citation_styles import load_style
from ..widgets.save_dialog import ask_where_to_save
from .conversation import Conversation
from .export import Cited, as_text, list_cited_documents, write_chat
from .turns import Turn, pair_turns

NEW_TITLE = later("New chat")
TIGHT = 400
WORDS_FROM = 560  # pixels: the title has room beside a button with words
FILES = later("Markdown (*.md);;Web page (*.html);;JSON with all sources (*.json)")


class TitleEdit(QStackedWidget):
    """A title like that of every screen, which is edited on request; Escape restores it."""

    renamed = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.label = ElidedLabel(tr(NEW_TITLE), "title")
        self.field = QLineEdit()
        self.field.setAccessibleName(tr("Title of the chat"))
        self.field.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        edited = QWidget()
        build_row(self.field, parent=edited)
        self.addWidget(self.label)
        self.addWidget(edited)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        theme.changed.connect(self._restyle)
        self._restyle()
        self.field.editingFinished.connect(self._finish)
        self.field.installEventFilter(self)

    def set_title(self, title: str) -> None:
        self.label.setText(title or tr(NEW_TITLE))

    def title(self) -> str:
        return self.label.full_text()

    @property
    def is_edited(self) -> bool:
        return self.currentWidget() is not self.label

    def begin(self) -> None:
        """Make the title editable."""
        self.field.setText(self.title())
        self.setCurrentIndex(1)
        self.field.setFocus()
        self.field.selectAll()

    def _finish(self) -> None:
        if not self.is_edited:
            return
        text = self.field.text().strip()
        self.setCurrentIndex(0)
        if text and text != self.title():
            self.set_title(text)
            self.renamed.emit(text)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_key = event.type() == QEvent.Type.KeyPress
        if is_key and cast(QKeyEvent, event).key() == Qt.Key.Key_Escape and self.is_edited:
            self.field.setText(self.title())  # losing the focus ends the editing
            self.setCurrentIndex(0)
            return True
        return False

    def _restyle(self) -> None:
        self.field.setStyleSheet(f"font-size: {self._theme.px(17)}px; font-weight: 600;")


class ChatHeader(ToolbarRow):
    """Title, new chat, and "⋯" with rename, copy, export and delete for the shown chat.

    `changed`, `restored` and `deleted` give a chat to which that happened here.
    """

    new_wanted = Signal()
    changed = Signal(int)
    restored = Signal(int)
    deleted = Signal(int)

    def __init__(
        self, context: SessionContext, conversation: Conversation, parent: QWidget | None = None
    ) -> None:
        super().__init__("", parent)
        self._context, self._conversation = context, conversation
        theme = context.theme
        self.title_edit = TitleEdit(theme, self)
        self.title_edit.renamed.connect(self._rename)
        self.add(self.title_edit, 1)
        self.new_button = IconButton(theme, "add", tr("New chat"), self)
        self.new_button.clicked.connect(self.new_wanted)
        self.more_button = IconButton(theme, "more", tr("More"), self)
        self.more_button.setPopupMode(self.more_button.ToolButtonPopupMode.InstantPopup)
        self.more_button.setMenu(self._build_menu())
        self.add(self.new_button)
        self.add(self.more_button)

    def _build_menu(self) -> QMenu:
        menu = QMenu(self)
        self.rename_action = menu.addAction(tr("Rename"), self.title_edit.begin)
        self.copy_action = menu.addAction(tr("Copy the whole chat"), self.copy)
        self.export_action = menu.addAction(tr("Export…"), lambda: self.ask_and_export())
        menu.addSeparator()
        again = tr("Ask again before opening links")
        self.forget_action = menu.addAction(again, self._forget_sites)
        # shown only if a website was allowed once
        menu.aboutToShow.connect(lambda: self.forget_action.setVisible(bool(allowed_sites())))
        self.delete_action = menu.addAction(tr("Delete chat"), self.delete)
        return menu

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self.new_button.setVisible(self.width() >= TIGHT)  # the sidebar has this button too
        self.new_button.set_words(tr("New chat") if self.width() >= WORDS_FROM else "")

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

    def _rename(self, title: str) -> None:
        chat_id = self._conversation.chat_id
        if chat_id is None:
            return

        def fail(error: BaseException) -> None:
            self._context.messages.show_error(error)
            self._conversation.read_title()

        rename = self._context.chats.rename_chat
        query = Query(self._context.writer_lane, rename, chat_id, title, owner=self)
        query.on_success(lambda _: self.changed.emit(chat_id)).on_error(fail).run()

    def delete(self) -> None:
        """Delete the shown chat and show a message with "Undo"."""
        chat_id, title = self._conversation.chat_id, self.title_edit.title()
        if chat_id is None:
            return
        chats, lane = self._context.chats, self._context.writer_lane

        def bring_back(step: int) -> None:
            def restored(_: object) -> None:
                self.restored.emit(chat_id)
                self.changed.emit(chat_id)

            Query(lane, chats.undo_delete, step, owner=self).on_success(restored).run()

        def gone(step: int) -> None:
            self._context.messages.show(
                tr("Deleted the chat “{title}”", title=title),
                action_text=tr("Undo"),
                action=lambda: bring_back(step),
            )
            self.deleted.emit(chat_id)
            self.changed.emit(chat_id)

        self._conversation.drop_live_questions()
        Query(lane, chats.delete_chat, chat_id, owner=self).on_success(gone).run()

    def copy(self) -> None:
        """Copy the whole chat as text."""
        QGuiApplication.clipboard().setText(as_text(self._conversation.all_turns()))
        self._context.messages.show(tr("Copied the chat"), kind="ok")

    def ask_and_export(self, turn: Turn | None = None) -> None:
        """Ask for a file name and save the chat there, or one of its turns."""
        if self._conversation.chat_id is None:
            return
        title = self.title_edit.title() if turn is None else turn.question
        name = make_file_name(title[:60], "chat")
        what = tr("Export the chat") if turn is None else tr("Export the answer")
        if path := ask_where_to_save(self, what, f"{name}.md", tr(FILES)):
            self.export(path, turn)

    def export(self, path: Path, turn: Turn | None = None) -> None:
        """Write the current branch, or one turn, with the sentences that support its answers."""
        chats, chat_id = self._context.chats, self._conversation.chat_id
        title, library, style = self.title_edit.title(), self._context.library_reader, load_style()

        def write() -> None:
            turns = [turn] if turn is not None else []
            if turn is None and chat_id is not None:
                turns = pair_turns(chats.fetch_messages(chat_id, whole=True))
            cited = library.fetch_references(list_cited_documents(turns))
            write_chat(path, title, turns, Cited(tuple(cited), style))

        def done(_: object) -> None:
            words = tr("Saved as “{name}”", name=path.name)
            self._context.messages.show(words, kind="ok")

        Query(self._context.reader_lane, write, owner=self).on_success(done).run()

    def _forget_sites(self) -> None:
        forget_sites()
        words = tr("You will be asked again before a link is opened.")
        self._context.messages.show(words, kind="ok")
