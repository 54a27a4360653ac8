"""The list of chats as one from which chats are dragged, into folders and out of them.

Owns where a chat may be let go and how that place is marked. Moves nothing itself: it says which
chat is wanted in which folder.
"""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QDrag,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QWidget

from .chat_rows import LINE_ROLE, Line
from .theme.theme import Theme

MIME = "application/x-inkgraph-chat"


class ChatRows(QListWidget):
    """`moved` gives a chat and the folder it is wanted in, "" for none."""

    moved = Signal(int, str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._marked: QRect | None = None  # where a chat that is dragged would go
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self.setDropIndicatorShown(False)

    def line(self, row: int) -> Line:
        return self.item(row).data(LINE_ROLE)

    def folder_at(self, place: QPoint) -> str | None:
        """Return the folder that a chat let go here is put in; None where it can't be let go."""
        item = self.itemAt(place)
        if item is None:
            return ""
        line: Line = item.data(LINE_ROLE)
        if line.hit is not None or (line.chat is not None and line.chat.pinned):
            return None
        return line.folder

    # --- what Qt asks -----------------------------------------------------------------------

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
        # the rows are read again once the chat is moved; Qt is not to take any away
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
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._theme.color("accent"))
        painter.setBrush(self._theme.color("accent", 0.08))
        painter.drawRoundedRect(QRectF(self._marked).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.end()

    def _target(self, event: QDropEvent) -> str | None:
        """Return the folder under the pointer; None where the chat is in it already."""
        folder, chat_id = self.folder_at(event.position().toPoint()), read_chat(event.mimeData())
        lines = (self.line(row) for row in range(self.count()))
        chat = next((x.chat for x in lines if x.chat is not None and x.chat.id == chat_id), None)
        stays = chat is not None and not chat.pinned and chat.folder == folder
        return None if stays else folder

    def _area(self, place: QPoint) -> QRect:
        """Return the folder's rows under this place, or those of the chats in none."""
        folder = self.folder_at(place)
        rows = [r for r in range(self.count()) if self.line(r).folder == folder]
        if not folder:
            rows = [r for r in rows if not (c := self.line(r).chat) or not c.pinned]
        areas = [self.visualItemRect(self.item(row)) for row in rows]
        if not areas:
            return QRect(place.x(), place.y(), 0, 0)
        whole = areas[0]
        for area in areas[1:]:
            whole = whole.united(area)
        return whole

    def _mark(self, area: QRect | None) -> None:
        if area != self._marked:
            self._marked = area
            self.viewport().update()


def chat_data(chat_id: int) -> QMimeData:
    """Return a chat as what is dragged."""
    data = QMimeData()
    data.setData(MIME, str(int(chat_id)).encode())
    return data


def read_chat(data: QMimeData) -> int | None:
    """Return the chat that is dragged; None for anything else."""
    said = bytes(data.data(MIME).data()).decode("ascii", "replace")
    return int(said) if said.isdigit() else None
