"""The conversations in the sidebar: search, open, rename, pin, put in folders, delete.

Owns the list, its search and its menu; what a conversation holds belongs to the chat screen.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import (
    QInputDialog,
    QListWidgetItem,
    QMenu,
    QVBoxLayout,
    QWidget,
)

from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.services.chats import ChatHit
from desktop_app.engine.types import ChatRow
from desktop_app.workers.operations import Query

from .chat_drag import ChatRows
from .chat_rows import LINE_ROLE, ChatDelegate, Line, lines_found, lines_of
from .language import tr
from .plain_tip import plain_tip
from .widgets import Label, SearchField, add_shortcut

MOST, MOST_OF_ONE = 60, 500  # places found that are listed


class ChatList(QWidget):
    """A click on a chat opens it, on a folder folds it, on a place found goes there."""

    chat_wanted = Signal(int)
    message_wanted = Signal(int, int)  # chat, message

    def __init__(self, context: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._rows: list[ChatRow] = []
        self._closed: set[str] = set()
        self._serial = 0
        self.search = SearchField(context.theme, tr("Search in chats"), self)
        self.search.setAccessibleName(tr("Search in all chats"))
        self.search.searched.connect(self._search)
        self.rows = ChatRows(context.theme, self)
        self.rows.setAccessibleName(tr("Chats"))
        self.rows.setItemDelegate(ChatDelegate(context.theme, self.rows))
        self.rows.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.rows.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.rows.itemClicked.connect(self._open)
        self.rows.itemActivated.connect(self._activate)
        self.rows.moved.connect(self._move)
        add_shortcut(
            self.rows, "F2", lambda: self._with_current(self._rename), tr("Rename the chosen chat")
        )
        add_shortcut(self.rows, "Del", self._delete_current, tr("Delete the chosen chat"))
        add_shortcut(self.rows, "Space", self._open_current, tr("Open the chosen chat"))
        self.rows.customContextMenuRequested.connect(self._show_menu)
        self.nothing = Label(tr("No chat has these words."), "small", self, wrap=True)
        self.nothing.setContentsMargins(8, 4, 8, 4)
        self.nothing.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.search)
        column.addWidget(self.nothing)
        column.addWidget(self.rows, 1)
        self.search.hide()

    # --- what is shown ------------------------------------------------------------------------

    def set_chats(self, rows: list[ChatRow]) -> None:
        """Show these; the one that was selected stays so."""
        if rows == self._rows:
            return
        self._rows = list(rows)
        self.search.setVisible(bool(rows))
        if not self.search.text().strip():
            self._fill(lines_of(self._rows, self._closed))

    def count(self) -> int:
        return self.rows.count()

    def current_id(self) -> int | None:
        current = self.rows.currentItem()
        line: Line | None = current.data(LINE_ROLE) if current is not None else None
        return line.chat.id if line is not None and line.chat is not None else None

    def select(self, chat_id: int) -> None:
        """Mark a chat as the one that is open, if it is listed."""
        for place, line in enumerate(self.lines()):
            if line.chat is not None and line.chat.id == chat_id:
                self.rows.setCurrentRow(place)

    def setCurrentItem(self, item: QListWidgetItem | None) -> None:
        self.rows.setCurrentItem(item)

    def open_search(self, show: Callable[[bool], None] = lambda _: None) -> None:
        """Let the words to look for be typed; `show` brings what holds the list."""
        show(True)
        self.search.setVisible(True)
        self.search.setFocus()
        self.search.selectAll()

    def lines(self) -> list[Line]:
        """Return what is listed, from the top."""
        return [self.rows.item(i).data(LINE_ROLE) for i in range(self.rows.count())]

    def _fill(self, lines: list[Line]) -> None:
        kept = self.current_id()
        self.nothing.hide()
        self.rows.clear()
        for line in lines:
            shown = QListWidgetItem(line.text or tr("New chat"))
            shown.setData(LINE_ROLE, line)
            shown.setToolTip(plain_tip(line.hit.snippet if line.hit is not None else line.text))
            self.rows.addItem(shown)
            if kept is not None and line.chat is not None and line.chat.id == kept:
                self.rows.setCurrentItem(shown)

    def _search(self, text: str, chat_id: int | None = None) -> None:
        self._serial += 1
        serial = self._serial
        if not text:
            self._fill(lines_of(self._rows, self._closed))
            return

        def show(hits: list[ChatHit]) -> None:
            if serial == self._serial:
                self._fill(lines_found(hits))
                self.nothing.setVisible(not hits)

        find, most = self._context.chats.find, MOST if chat_id is None else MOST_OF_ONE
        query = Query(self._context.reader_lane, find, text, most, chat_id, owner=self)
        query.on_success(show).run()

    def _activate(self, shown: QListWidgetItem) -> None:
        # where a single click activates too, a folder would fold and unfold at once
        if shown.data(LINE_ROLE).kind != "folder":
            self._open(shown)

    def _open_current(self) -> None:
        if (shown := self.rows.currentItem()) is not None:
            self._open(shown)

    def _delete_current(self) -> None:
        self._with_current(lambda row: self.delete(row.id, row.title))

    def _with_current(self, act: Callable[[ChatRow], Any]) -> None:
        shown = self.rows.currentItem()
        if shown is not None and (row := shown.data(LINE_ROLE).chat) is not None:
            act(row)

    def _open(self, shown: QListWidgetItem) -> None:
        line: Line = shown.data(LINE_ROLE)
        if line.kind == "folder":
            self._closed ^= {line.folder}
            self._fill(lines_of(self._rows, self._closed))
        elif line.kind == "more" and line.hit is not None:
            self._search(self.search.text().strip(), line.hit.chat_id)
        elif line.hit is not None and line.hit.message_id:
            self.message_wanted.emit(line.hit.chat_id, line.hit.message_id)
        elif line.hit is not None:
            self.chat_wanted.emit(line.hit.chat_id)
        elif line.chat is not None:
            self.chat_wanted.emit(line.chat.id)

    # --- what can be done with a chat -----------------------------------------------------------

    def _show_menu(self, place: QPoint) -> None:
        shown = self.rows.itemAt(place)
        line: Line | None = shown.data(LINE_ROLE) if shown is not None else None
        if line is None or line.kind in ("hit", "more"):
            return
        menu = self.build_menu(line)
        menu.popup(self.rows.viewport().mapToGlobal(place))

    def build_menu(self, line: Line) -> QMenu:
        """Return what can be done with a chat, or with a folder."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chats, row = self._context.chats, line.chat
        if row is None:
            dissolve = partial(self._change, chats.rename_folder, line.folder, "")
            menu.addAction(tr("Rename the folder…"), lambda: self._rename_folder(line.folder))
            menu.addAction(tr("Dissolve the folder"), dissolve)
            return menu
        menu.addAction(tr("Rename…"), lambda: self._rename(row))
        words = tr("Unpin" if row.pinned else "Pin to the top")
        menu.addAction(words, lambda: self._change(chats.pin_chat, row.id, not row.pinned))
        self._add_folders(menu.addMenu(tr("Move to folder")), row)
        menu.addSeparator()
        menu.addAction(tr("Delete"), lambda: self.delete(row.id, row.title))
        return menu

    def _add_folders(self, menu: QMenu, row: ChatRow) -> None:
        move = self._context.chats.put_in_folder
        folders = sorted({r.folder for r in self._rows if r.folder}, key=str.casefold)
        for folder in folders:
            action = menu.addAction(folder.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(folder == row.folder)
            action.triggered.connect(lambda _=False, f=folder: self._change(move, row.id, f))
        if folders:
            menu.addSeparator()
        menu.addAction(tr("New folder…"), lambda: self._ask_folder(row))
        if row.folder:
            menu.addAction(tr("No folder"), lambda: self._change(move, row.id, ""))

    def _move(self, chat_id: int, folder: str) -> None:
        """Put a chat that was dragged where it was let go; a pinned one is not pinned any more."""
        chats = self._context.chats
        if any(row.id == chat_id and row.pinned for row in self._rows):
            self._change(chats.pin_chat, chat_id, False)
        self._change(chats.put_in_folder, chat_id, folder)
        self._closed.discard(folder)

    def _ask_folder(self, row: ChatRow) -> None:
        name, agreed = QInputDialog.getText(self, tr("New folder"), tr("Name"))
        if agreed and name.strip():
            self._change(self._context.chats.put_in_folder, row.id, name)

    def _rename(self, row: ChatRow) -> None:
        ask = QInputDialog.getText
        fresh, agreed = ask(self, tr("Rename"), tr("Title"), text=row.title)
        if agreed and fresh.strip():
            self._change(self._context.chats.rename_chat, row.id, fresh.strip())

    def _rename_folder(self, folder: str) -> None:
        ask = QInputDialog.getText
        fresh, agreed = ask(self, tr("Rename the folder"), tr("Name"), text=folder)
        if agreed and fresh.strip():
            self._change(self._context.chats.rename_folder, folder, fresh)

    def delete(self, chat_id: int, title: str) -> None:
        """Delete at once; the message that says so has the way back."""
        chats = self._context.chats

        def gone(step: int) -> None:
            self._context.messages.show(
                tr("Deleted the chat “{title}”", title=title),
                action_text=tr("Undo"),
                action=lambda: self._change(chats.undo_delete, step, touched=chat_id),
            )

        self._change(chats.delete_chat, chat_id, then=gone)

    def _change(
        self,
        method: Callable[..., Any],
        *args: Any,
        touched: int = 0,
        then: Callable[[Any], None] = lambda _: None,
    ) -> None:
        chat_id = touched or (args[0] if isinstance(args[0], int) else 0)

        def tell(result: Any) -> None:
            then(result)
            self._context.hub.tell(ChangeSet(chats=frozenset({chat_id})))

        query = Query(self._context.writer_lane, method, *args, owner=self)
        query.on_success(tell).run()
