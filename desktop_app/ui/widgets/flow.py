"""A layout that places widgets one after another, in as many lines as they need."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QSizePolicy, QWidget

GAP = 6


class FlowLayout(QLayout):
    """Fills lines from left to right; no item is wider than the line."""

    def __init__(self, parent: QWidget | None = None, *, gap: int = GAP) -> None:
        super().__init__(parent)
        self._gap = gap
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._place(QRect(0, 0, width, 0), move=False)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        return QSize(80, max((_size_of(item).height() for item in self._shown()), default=0))

    def setGeometry(self, area: QRect) -> None:
        super().setGeometry(area)
        self._place(area, move=True)

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not _is_hidden(item)]

    def _place(self, area: QRect, *, move: bool) -> int:
        left, top, line = area.left(), area.top(), 0
        for item in self._shown():
            size = _size_of(item)
            width = min(size.width(), area.width())
            if left > area.left() and left + width > area.right() + 1:
                left, top, line = area.left(), top + line + self._gap, 0
            if move:
                item.setGeometry(QRect(QPoint(left, top), QSize(width, size.height())))
            left, line = left + width + self._gap, max(line, size.height())
        return top + line - area.top()


def _is_hidden(item: QLayoutItem) -> bool:
    """Return whether an item takes no room; a widget that is only not shown yet does."""
    widget = item.widget()
    if widget is None:
        return item.isEmpty()
    explicit = widget.testAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide)
    return widget.isHidden() and explicit


def _size_of(item: QLayoutItem) -> QSize:
    """Return the size hint; the item of a widget that is not shown yet has none itself."""
    widget = item.widget()
    return widget.sizeHint() if widget is not None and item.isEmpty() else item.sizeHint()


class Flow(QWidget):
    """A widget with a `FlowLayout`."""

    def __init__(self, parent: QWidget | None = None, *, gap: int = GAP) -> None:
        super().__init__(parent)
        self._flow = FlowLayout(self, gap=gap)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def add(self, widget: QWidget) -> None:
        self._flow.addWidget(widget)
