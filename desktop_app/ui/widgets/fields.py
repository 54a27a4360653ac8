"""The search field: magnifying glass, clear button, and a delay before it searches.

Knows nothing of what is searched.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QWidget

from desktop_app.ui.theme.theme import Theme


class SearchField(QLineEdit):
    """Emits `searched` 150 ms after the last key, at once on Return; Escape clears it.

    `left_down` is emitted for the Down key, so that a screen can focus its list.
    """

    searched = Signal(str)
    left_down = Signal()

    def __init__(
        self,
        theme: Theme,
        placeholder: str,
        parent: QWidget | None = None,
        *,
        delay_ms: int = 150,
    ) -> None:
        super().__init__(parent)
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(placeholder)
        self.setClearButtonEnabled(True)
        self.addAction(theme.icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        self._last = ""
        self._timer = QTimer(self, singleShot=True, interval=delay_ms)
        self._timer.timeout.connect(self._search)
        self.textChanged.connect(lambda _: self._timer.start())
        self.returnPressed.connect(self._search)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
            return
        if event.key() == Qt.Key.Key_Down:
            self._search()
            self.left_down.emit()
            return
        super().keyPressEvent(event)

    def _search(self) -> None:
        self._timer.stop()
        text = self.text().strip()
        if text != self._last:
            self._last = text
            self.searched.emit(text)


def go_to_list(view: QAbstractItemView) -> None:
    """Focus a list, at its first row if it has no current one."""
    model = view.model()
    if model is None or not model.rowCount():
        return
    if not view.currentIndex().isValid():
        view.setCurrentIndex(model.index(0, 0))
    view.setFocus(Qt.FocusReason.TabFocusReason)
