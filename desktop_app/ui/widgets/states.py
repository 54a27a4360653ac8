"""The states of a screen without content: empty, loading, in progress, files dragged over it."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QRectF, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop_app.ui.theme.theme import Theme

from ..translation import tr
from .labels import Label
from .layout import STRETCH, build_column, build_row


class EmptyState(QWidget):
    """A centred explanation with one action."""

    def __init__(
        self,
        theme: Theme,
        icon: str,
        title: str,
        text: str = "",
        buttons: list[QPushButton] | tuple[QPushButton, ...] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icon_name = icon
        self.icon = QLabel(self)
        self.icon.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.title = Label(title, "title", self, wrap=True)
        self.title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.text = Label(text, "muted", self, wrap=True)
        self.text.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.text.setMaximumWidth(480)
        middle = build_row(STRETCH, (self.text, 1000), STRETCH, spacing=-1)
        row = build_row(STRETCH, *buttons, STRETCH)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 24)
        column.setSpacing(8)
        column.addStretch(2)
        column.addWidget(self.icon)
        column.addSpacing(4)
        column.addWidget(self.title)
        column.addLayout(middle)
        column.addSpacing(8)
        column.addLayout(row)
        column.addStretch(3)
        theme.changed.connect(self._draw_icon)
        self._draw_icon()
        self.text.setVisible(bool(text))

    def set_texts(self, title: str, text: str = "", icon: str = "") -> None:
        """Change the texts, for example to "nothing found"."""
        self.title.setText(title)
        self.text.setText(text)
        self.text.setVisible(bool(text))
        self._icon_name = icon or self._icon_name
        self._draw_icon()

    def _draw_icon(self) -> None:
        self.icon.setPixmap(self._theme.icon(self._icon_name).pixmap(40, 40))


class ListOrWords(QStackedWidget):
    """A list, or in its place, with its ground, a sentence that says why it is empty."""

    def __init__(self, view: QWidget, words: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = Label(words, "muted", wrap=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        page = QFrame()
        page.setObjectName("surface")
        build_column(
            *(STRETCH, self.words, STRETCH), parent=page, spacing=0, margins=(24, 16, 24, 16)
        )
        self.addWidget(view)
        self.addWidget(page)

    def show_words(self, words: str) -> None:
        """Show a sentence in place of the list; the list again for ""."""
        if words:
            self.words.setText(words)
        self.setCurrentIndex(1 if words else 0)


LONG_MS = 1000  # a wait that needs words


class Skeleton(QWidget):
    """Placeholder bars for rows; shown after 300 ms, so that quick loads do not flicker.

    Args:
        words: what is being done, shown above the bars when it has taken a second.
    """

    def __init__(
        self,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        row_height: int = 32,
        delay_ms: int = 300,
        words: str = "",
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._row = row_height
        self._visible = False
        self._words = words
        self.shows_words = False
        self._long = QTimer(self, singleShot=True, interval=LONG_MS)
        self._long.timeout.connect(self._show_words)
        self._timer = QTimer(self, singleShot=True, interval=delay_ms)
        self._timer.timeout.connect(self._appear)
        self.setAccessibleName(words or tr("Loading"))

    def start(self) -> None:
        self._visible = False
        self._timer.start()
        self._long.start()
        self.update()

    def stop(self) -> None:
        self._timer.stop()
        self._long.stop()
        self._visible = self.shows_words = False
        self.update()

    def _show_words(self) -> None:
        self.shows_words = bool(self._words)
        self.update()

    def _appear(self) -> None:
        self._visible = True
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._visible:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("text2", 0.2))  # below every text, in each theme
        shares = (0.62, 0.48, 0.71, 0.39, 0.55)
        n_rows = min(12, self.height() // self._row)
        for i in range(1 if self.shows_words else 0, n_rows):
            width = (self.width() - 32) * shares[i % len(shares)]
            top = i * self._row + self._row / 2 - 5
            painter.drawRoundedRect(QRectF(16, top, width, 10), 5, 5)
        if self.shows_words:
            painter.setFont(self._theme.font("text"))
            painter.setPen(self._theme.color("text2"))
            line = QRectF(16, 0, self.width() - 32, self._row)
            painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, self._words)
        painter.end()


class ProgressLine(QProgressBar):
    """A progress bar of 4 pixels, or of 2 if it is thin.

    `set_share(None)` makes it indeterminate.
    """

    def __init__(self, parent: QWidget | None = None, *, thin: bool = False) -> None:
        super().__init__(parent)
        self.setTextVisible(False)
        if thin:
            self.setProperty("kind", "thin")
        self.setFixedHeight(2 if thin else 4)
        self.setRange(0, 1000)

    def set_share(self, share: float | None) -> None:
        if share is None:
            self.setRange(0, 0)
            return
        self.setRange(0, 1000)
        self.setValue(round(1000 * min(1.0, max(0.0, share))))


def find_files(data: QMimeData) -> list[str]:
    """Return the files and folders of this computer that are being dragged."""
    return [url.toLocalFile() for url in data.urls() if url.isLocalFile()]


class DropOverlay(QFrame):
    """Covers the window while files are dragged over it."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("dropOverlay")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._theme, self._covered = theme, parent
        self._icon = QLabel()
        self._icon.setAlignment(Qt.AlignmentFlag.AlignCenter)
        text = Label(tr("Drop to add to the library"), "title")
        text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column = QVBoxLayout(self)
        column.setSpacing(12)
        column.addStretch(1)
        column.addWidget(self._icon)
        column.addWidget(text)
        column.addStretch(1)
        self.hide()

    def cover(self) -> None:
        """Show over the whole parent."""
        self._icon.setPixmap(self._theme.icon("drop", color="accent").pixmap(40, 40))
        self.setGeometry(self._covered.rect())
        self.raise_()
        self.show()
