"""The list of chats in the sidebar: search, open, rename, pin, move to folders, delete.

Owns the list, its search and its context menu. It knows nothing of the messages of a chat.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import (
    QMimeData,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QDrag,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QFontMetrics,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.model import ChatRow
from desktop_app.engine.store.chats import ChatHit
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..theme.theme import Theme
from ..translation import tr, trn
from ..widgets import Label, SearchField, add_shortcut, build_column, paint_box
from ..widgets.line_dialog import ask_line
from ..widgets.tables import inverts_selection, paint_ground
from ..widgets.words import plain_tip

LINE_ROLE = Qt.ItemDataRole.UserRole + 1
ROW, TALL, SHORT = 28, 44, 24
AnyIndex = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class Line:
    """One row of the list.

    Attributes:
        kind: "folder", "chat", "hit" or "more".
        count: for a folder the number of its chats, for "more" the number of hits left out.
    """

    kind: str
    text: str
    chat: ChatRow | None = None
    folder: str = ""
    count: int = 0
    is_open: bool = True
    hit: ChatHit | None = None
    inside: bool = False


def build_lines(rows: Sequence[ChatRow], closed: set[str]) -> list[Line]:
    """Return pinned chats first, then folders by name, then other chats, newest first."""
    lines = [Line("chat", row.title, row) for row in rows if row.pinned]
    loose = [row for row in rows if not row.pinned]
    folders = sorted({row.folder for row in loose if row.folder}, key=str.casefold)
    for folder in folders:
        inside = [row for row in loose if row.folder == folder]
        is_open = folder not in closed
        lines.append(Line("folder", folder, None, folder, len(inside), is_open))
        if is_open:
            lines += [Line("chat", row.title, row, folder, inside=True) for row in inside]
    lines += [Line("chat", row.title, row) for row in loose if not row.folder]
    return lines


def build_hit_lines(hits: Sequence[ChatHit]) -> list[Line]:
    """Return search hits grouped by chat, in the order of each chat's first hit."""
    groups: dict[int, list[ChatHit]] = {}
    for hit in hits:
        groups.setdefault(hit.chat_id, []).append(hit)
    lines = []
    for group in groups.values():
        lines += [Line("hit", h.title, hit=h, inside=place > 0) for place, h in enumerate(group)]
        if n_more := sum(hit.n_more for hit in group):
            more = trn("and {n} more", "and {n} more", n_more)
            lines.append(Line("more", more, hit=group[0], count=n_more, inside=True))
    return lines


class ChatDelegate(QStyledItemDelegate):
    """Draws one row; a search hit shows the text around it below the title of its chat."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        line: Line = index.data(LINE_ROLE)
        has_words = line.hit is not None and (line.inside or bool(line.hit.message_id))
        height = (SHORT if line.inside else TALL) if has_words else ROW
        return QSize(80, round(height * max(1.0, self._theme.scale)))

    @inverts_selection
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        paint_ground(painter, option, index, self)
        line: Line = index.data(LINE_ROLE)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        area = option.rect.adjusted(8, 0, -8, 0)
        painter.save()
        if line.kind == "hit" and line.hit is not None and line.hit.message_id:
            self._paint_hit(painter, area, line, selected=selected)
        else:
            self._paint_line(painter, area, line, selected=selected)
        painter.restore()

    def _paint_line(self, painter: QPainter, area: QRect, line: Line, *, selected: bool) -> None:
        theme = self._theme
        icon = ""
        if line.kind == "folder":
            icon = "caret-down" if line.is_open else "caret-right"
        elif line.chat is not None and line.chat.pinned:
            icon = "push-pin"
        if line.inside and line.kind != "more":
            area.setLeft(area.left() + 18)
        if icon:
            size = 12
            spot = QRect(area.left(), area.center().y() - size // 2, size, size)
            theme.icon(icon, color="text" if selected else "text2").paint(painter, spot)
            area.setLeft(area.left() + 18)
        if line.kind == "folder":
            painter.setFont(theme.font("small"))
            painter.setPen(theme.color("text2"))
            count = str(line.count)
            painter.drawText(area, _RIGHT, count)
            area.setRight(area.right() - QFontMetrics(painter.font()).horizontalAdvance(count) - 8)
            painter.setFont(theme.font("strong"))
        else:
            painter.setFont(theme.font("small" if line.kind == "more" else "text"))
        painter.setPen(theme.color("accent" if line.kind == "more" and not selected else "text"))
        text = " ".join((line.text or tr("New chat")).split())
        painter.drawText(area, _LEFT, _elide(painter, text, area.width()))

    def _paint_hit(self, painter: QPainter, area: QRect, line: Line, *, selected: bool) -> None:
        theme, hit, lower = self._theme, line.hit, area
        if hit is None:
            return
        if not line.inside:
            half = area.height() // 2
            upper = QRect(area.left(), area.top() + 3, area.width(), half)
            lower = QRect(area.left(), area.top() + half - 1, area.width(), half)
            painter.setFont(theme.font("text"))
            painter.setPen(theme.color("text"))
            title = hit.title or tr("New chat")
            painter.drawText(upper, _LEFT, _elide(painter, title, upper.width()))
        painter.setFont(theme.font("small"))
        metrics = QFontMetrics(painter.font())
        start, end = hit.found
        # The matched word must be visible, so text before it is cut first.
        begin = max(0, start - 10)
        if begin and (blank := hit.snippet.find(" ", begin, start - 1)) >= 0:
            begin = blank + 1
        before = ("…" if begin else "") + hit.snippet[begin:start]
        left = lower.left() + metrics.horizontalAdvance(before)
        word = hit.snippet[start:end]
        mark = QRect(left, lower.center().y() - 7, metrics.horizontalAdvance(word), 16)
        if word and not selected:
            painter.fillRect(mark, theme.color("mark"))
        painter.setPen(theme.color("text" if selected else "text2"))
        painter.drawText(lower, _LEFT, _elide(painter, before + hit.snippet[start:], lower.width()))
        if word:
            painter.setPen(theme.color("text"))
            painter.setClipRect(lower)
            painter.drawText(mark.adjusted(0, -4, 2, 4), _LEFT, word)


_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def _elide(painter: QPainter, text: str, width: int) -> str:
    return QFontMetrics(painter.font()).elidedText(text, Qt.TextElideMode.ElideRight, width)


MIME = "application/x-inkgraph-chat"


class ChatRows(QListWidget):
    """The list widget with drag and drop; `moved` gives a chat and its new folder, "" for none."""

    moved = Signal(int, str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._marked: QRect | None = None  # drop target of the current drag
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self.setDropIndicatorShown(False)
        self.setMinimumHeight(ROW)  # that of Qt would push the rows above onto each other

    def line(self, row: int) -> Line:
        return self.item(row).data(LINE_ROLE)

    def folder_at(self, place: QPoint) -> str | None:
        """Return the folder at this position, "" for none, or None if a drop is not allowed."""
        item = self.itemAt(place)
        if item is None:
            return ""
        line: Line = item.data(LINE_ROLE)
        if line.hit is not None or (line.chat is not None and line.chat.pinned):
            return None
        return line.folder

    def startDrag(self, actions: Qt.DropAction) -> None:
        item = self.currentItem()
        line: Line | None = item.data(LINE_ROLE) if item is not None else None
        if item is None or line is None or line.chat is None:
            return
        drag = QDrag(self)
        drag.setMimeData(chat_data(line.chat.id))
        area = self.visualItemRect(item)
        drag.setPixmap(self.viewport().grab(area))
        drag.setHotSpot(QPoint(16, area.height() // 2))
        # The rows are reloaded after the move, so Qt must not remove any.
        drag.exec(Qt.DropAction.MoveAction)
        self._mark(None)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if read_chat(event.mimeData()) is not None:
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        super().dragMoveEvent(event)  # scrolls at the edges
        place = event.position().toPoint()
        if read_chat(event.mimeData()) is None or self._target(event) is None:
            self._mark(None)
            event.ignore()
        else:
            self._mark(self._area(place))
            event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        super().dragLeaveEvent(event)
        self._mark(None)

    def dropEvent(self, event: QDropEvent) -> None:
        chat_id, folder = read_chat(event.mimeData()), self._target(event)
        self._mark(None)
        if chat_id is not None and folder is not None:
            event.acceptProposedAction()
            self.moved.emit(chat_id, folder)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._marked is None:
            return
        color = self._theme.color
        with QPainter(self.viewport()) as painter:
            paint_box(painter, QRectF(self._marked), color("accent", 0.08), color("accent"))

    def _target(self, event: QDropEvent) -> str | None:
        """Return the folder under the pointer, or None if the chat is in it already."""
        folder, chat_id = self.folder_at(event.position().toPoint()), read_chat(event.mimeData())
        lines = (self.line(row) for row in range(self.count()))
        chat = next((x.chat for x in lines if x.chat is not None and x.chat.id == chat_id), None)
        stays = chat is not None and not chat.pinned and chat.folder == folder
        return None if stays else folder

    def _area(self, place: QPoint) -> QRect:
        """Return the area of the folder at this position, or of the chats without a folder."""
        folder = self.folder_at(place)
        rows = [r for r in range(self.count()) if self.line(r).folder == folder]
        if not folder:
            rows = [r for r in rows if not (c := self.line(r).chat) or not c.pinned]
        whole = QRect()
        for row in rows:
            whole = whole.united(self.visualItemRect(self.item(row)))
        return whole if rows else QRect(place.x(), place.y(), 0, 0)

    def _mark(self, area: QRect | None) -> None:
        if area != self._marked:
            self._marked = area
            self.viewport().update()


def chat_data(chat_id: int) -> QMimeData:
    """Return the MIME data for dragging a chat."""
    data = QMimeData()
    data.setData(MIME, str(int(chat_id)).encode())
    return data


def read_chat(data: QMimeData) -> int | None:
    """Return the dragged chat, or None for any other data."""
    text = bytes(data.data(MIME).data()).decode("ascii", "replace")
    return int(text) if text.isdigit() else None


MOST, MOST_OF_ONE = 60, 500  # limits of listed hits: in all chats, in one chat


class ChatList(QWidget):
    """Chats, folders and search hits; a click opens a chat or hit, or toggles a folder."""

    chat_wanted = Signal(int)
    message_wanted = Signal(int, int)  # chat, message

    def __init__(self, context: SessionContext, parent: QWidget | None = None) -> None:
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
        for keys, words, act in (
            ("F2", tr("Rename the selected chat"), self._rename),
            ("Del", tr("Delete the selected chat"), lambda row: self.delete(row.id, row.title)),
        ):
            add_shortcut(self.rows, keys, partial(self._with_current, act), words)
        add_shortcut(self.rows, "Space", self._open_current, tr("Open the selected chat"))
        self.rows.customContextMenuRequested.connect(self._show_menu)
        self.nothing = Label(tr("No chats found."), "small", self, wrap=True)
        self.nothing.setContentsMargins(8, 4, 8, 4)
        self.nothing.hide()
        build_column(self.search, self.nothing, (self.rows, 1), parent=self, spacing=4)
        self.search.hide()

    def set_chats(self, rows: list[ChatRow]) -> None:
        """Show these chats and keep the selection."""
        if rows == self._rows:
            return
        self._rows = list(rows)
        self.search.setVisible(bool(rows))
        if not self.search.text().strip():
            self._fill(build_lines(self._rows, self._closed))

    def count(self) -> int:
        return self.rows.count()

    def current_id(self) -> int | None:
        current = self.rows.currentItem()
        line: Line | None = current.data(LINE_ROLE) if current is not None else None
        return line.chat.id if line is not None and line.chat is not None else None

    def select(self, chat_id: int) -> None:
        """Select this chat if it is listed."""
        for place, line in enumerate(self.lines()):
            if line.chat is not None and line.chat.id == chat_id:
                self.rows.setCurrentRow(place)

    def clear_selection(self) -> None:
        self.rows.setCurrentRow(-1)

    def open_search(self, show: Callable[[bool], None] = lambda _: None) -> None:
        """Focus the search field; `show` makes the sidebar visible first."""
        show(True)
        self.search.setVisible(True)
        self.search.setFocus()
        self.search.selectAll()

    def lines(self) -> list[Line]:
        """Return the rows from top to bottom."""
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
            self._fill(build_lines(self._rows, self._closed))
            return

        def show(hits: list[ChatHit]) -> None:
            if serial == self._serial:
                self._fill(build_hit_lines(hits))
                self.nothing.setVisible(not hits)

        find, most = self._context.chats.find, MOST if chat_id is None else MOST_OF_ONE
        query = Query(self._context.reader_lane, find, text, most, chat_id, owner=self)
        query.on_success(show).run()

    def _activate(self, shown: QListWidgetItem) -> None:
        # Some styles activate with a single click: a folder would be toggled twice.
        if shown.data(LINE_ROLE).kind != "folder":
            self._open(shown)

    def _open_current(self) -> None:
        if (shown := self.rows.currentItem()) is not None:
            self._open(shown)

    def _with_current(self, act: Callable[[ChatRow], Any]) -> None:
        shown = self.rows.currentItem()
        if shown is not None and (row := shown.data(LINE_ROLE).chat) is not None:
            act(row)

    def _open(self, shown: QListWidgetItem) -> None:
        line: Line = shown.data(LINE_ROLE)
        if line.kind == "folder":
            self._closed ^= {line.folder}
            self._fill(build_lines(self._rows, self._closed))
        elif line.kind == "more" and line.hit is not None:
            self._search(self.search.text().strip(), line.hit.chat_id)
        elif line.hit is not None and line.hit.message_id:
            self.message_wanted.emit(line.hit.chat_id, line.hit.message_id)
        elif line.hit is not None:
            self.chat_wanted.emit(line.hit.chat_id)
        elif line.chat is not None:
            self.chat_wanted.emit(line.chat.id)

    def _show_menu(self, place: QPoint) -> None:
        shown = self.rows.itemAt(place)
        line: Line | None = shown.data(LINE_ROLE) if shown is not None else None
        if line is None or line.kind in ("hit", "more"):
            return
        menu = self.build_menu(line)
        menu.popup(self.rows.viewport().mapToGlobal(place))

    def build_menu(self, line: Line) -> QMenu:
        """Return the context menu of a chat or folder."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chats, row = self._context.chats, line.chat
        if row is None:
            rename = partial(self._change, chats.rename_folder, line.folder)
            rename_it = (tr("Rename folder"), tr("Name"), tr("Rename"))
            ask = partial(ask_line, self, *rename_it, text=line.folder, then=rename)
            menu.addAction(tr("Rename folder…"), ask)
            menu.addAction(tr("Remove folder, keep its chats"), partial(rename, ""))
            return menu
        menu.addAction(tr("Rename…"), lambda: self._rename(row))
        words = tr("Unpin" if row.pinned else "Pin to the top")
        menu.addAction(words, lambda: self._change(chats.pin_chat, row.id, not row.pinned))
        self._add_folders(menu.addMenu(tr("Move to folder")), row)
        menu.addSeparator()
        menu.addAction(tr("Delete"), lambda: self.delete(row.id, row.title))
        return menu

    def _add_folders(self, menu: QMenu, row: ChatRow) -> None:
        move = partial(self._change, self._context.chats.put_in_folder, row.id)
        folders = sorted({r.folder for r in self._rows if r.folder}, key=str.casefold)
        for folder in folders:
            action = menu.addAction(folder.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(folder == row.folder)
            action.triggered.connect(lambda _=False, f=folder: move(f))
        if folders:
            menu.addSeparator()
        words = (tr("New folder"), tr("Name"), tr("Create"))
        menu.addAction(tr("New folder…"), partial(ask_line, self, *words, then=move))
        if row.folder:
            menu.addAction(tr("No folder"), partial(move, ""))

    def _move(self, chat_id: int, folder: str) -> None:
        """Move a dragged chat to a folder; a pinned chat is unpinned."""
        chats = self._context.chats
        if any(row.id == chat_id and row.pinned for row in self._rows):
            self._change(chats.pin_chat, chat_id, False)
        self._change(chats.put_in_folder, chat_id, folder)
        self._closed.discard(folder)

    def _rename(self, row: ChatRow) -> None:
        rename = partial(self._change, self._context.chats.rename_chat, row.id)
        words = (tr("Rename"), tr("Title"), tr("Rename"))
        ask_line(self, *words, text=row.title, then=rename)

    def delete(self, chat_id: int, title: str) -> None:
        """Delete a chat and show a message with "Undo"."""
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

        def publish(result: Any) -> None:
            then(result)
            self._context.hub.publish_edit(ChangeNotice(chats=frozenset({chat_id})))

        query = Query(self._context.writer_lane, method, *args, owner=self)
        query.on_success(publish).run()
