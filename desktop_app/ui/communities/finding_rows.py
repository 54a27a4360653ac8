"""The findings of a report; each one expands to the sentences that support it.

Owns expanding and collapsing, and emits the sentence that was clicked.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from desktop_app.engine.model import Evidence, Finding
from desktop_app.ui.language import tr, trn
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Label, clear_layout

INDENT = 22
MOST_SENTENCES = 12


class Sentence(Label):
    """A quoted sentence; a click or Return opens it in the reader."""

    clicked = Signal()

    def __init__(self, theme: Theme, one: Evidence, parent: QWidget) -> None:
        super().__init__("", "", parent, wrap=True)
        self._theme, self._one = theme, one
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.setContentsMargins(10, 4, 8, 4)
        self.setToolTip(tr("Open it in the book"))
        self.setAccessibleName(" ".join(one.quote.split()))
        theme.changed.connect(self._write)
        self._write()

    def _write(self) -> None:
        one, theme = self._one, self._theme
        self.setFont(theme.book_font(one.quote, 14))
        page = tr("p. {page}", page=one.page_label) if one.page_label else ""
        heading = one.heading.split("›")[-1].strip()
        where = " · ".join(part for part in (one.title, heading, page) if part)
        small = theme.font("small").pixelSize()
        families = "','".join(theme.font("small").families())
        color = theme.color("text2").name()
        look = f"color:{color};font-size:{small}px;font-family:'{families}'"
        quote = escape(" ".join(one.quote.split()))
        self.setText(f'{quote}<br><span style="{look}">{escape(where)}</span>')  # not shown

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        hot = self.underMouse() or self.hasFocus()
        color = self._theme.color("accent" if hot else "line")
        painter.fillRect(0, 4, 2, self.height() - 8, color)
        painter.end()
        super().paintEvent(event)

    def enterEvent(self, event) -> None:
        self.update()

    def leaveEvent(self, event) -> None:
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.pos()):
            self.clicked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.clicked.emit()
        else:
            super().keyPressEvent(event)


class FindingHead(QWidget):
    """Headline and text of a finding; a click shows or hides its sentences."""

    pressed = Signal()

    def __init__(self, theme: Theme, finding: Finding, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self.opened = theme, False
        self._live = bool(finding.evidence)
        self.headline = Label(finding.headline, "strong", self, wrap=True)
        self.text = Label(finding.text, "", self, wrap=True)
        self.text.setVisible(bool(finding.text))
        n = len(finding.evidence)
        self.count = Label(trn("{n} sentence", "{n} sentences", n) if n else "", "small", self)
        self.count.setVisible(n > 0)
        for label in (self.headline, self.text, self.count):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        column = QVBoxLayout(self)
        column.setSpacing(2)
        column.setContentsMargins(INDENT, 6, 8, 6)
        for label in (self.headline, self.text, self.count):
            column.addWidget(label)
        if self._live:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
            self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self.setToolTip(tr("Show the sentences it stands on"))
        self.setAccessibleName(finding.headline)
        self.setAccessibleDescription(finding.text)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._live:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.underMouse() or self.hasFocus():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("accent_soft", 0.6))
            painter.drawRoundedRect(self.rect(), 6, 6)
        icon = self._theme.icon("caret-down" if self.opened else "caret-right")
        middle = self.headline.y() + self.headline.fontMetrics().height() // 2
        icon.paint(painter, 4, middle - 6, 12, 12)
        painter.end()

    def enterEvent(self, event) -> None:
        self.update()

    def leaveEvent(self, event) -> None:
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        inside = self.rect().contains(event.pos())
        if self._live and inside and event.button() == Qt.MouseButton.LeftButton:
            self.pressed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
        if self._live and event.key() in keys:
            self.pressed.emit()
        else:
            super().keyPressEvent(event)


class FindingRow(QWidget):
    """One finding; emits `place_clicked` with document, start and end."""

    place_clicked = Signal(int, int, int)

    def __init__(self, theme: Theme, finding: Finding, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self.finding = theme, finding
        self.head = FindingHead(theme, finding, self)
        self.sentences: list[Sentence] = []
        self._column = QVBoxLayout(self)
        self._column.setSpacing(4)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addWidget(self.head)
        self.head.pressed.connect(self.toggle)

    @property
    def is_open(self) -> bool:
        return self.head.opened

    def toggle(self) -> None:
        """Show or hide the sentences."""
        self.head.opened = not self.head.opened
        if self.head.opened and not self.sentences:
            for one in self.finding.evidence[:MOST_SENTENCES]:
                sentence = Sentence(self._theme, one, self)
                place = (int(one.document_id), one.start, one.end)
                sentence.clicked.connect(lambda p=place: self.place_clicked.emit(*p))
                inset = QVBoxLayout()
                inset.setContentsMargins(INDENT, 0, 0, 0)
                inset.addWidget(sentence)
                self._column.addLayout(inset)
                self.sentences.append(sentence)
        for sentence in self.sentences:
            sentence.setVisible(self.head.opened)
        self.head.update()


class FindingRows(QWidget):
    """All findings of a report."""

    place_clicked = Signal(int, int, int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.rows: list[FindingRow] = []
        self._column = QVBoxLayout(self)
        self._column.setSpacing(2)
        self._column.setContentsMargins(0, 0, 0, 0)

    def set_findings(self, findings: Sequence[Finding]) -> None:
        """Show these findings, collapsed."""
        clear_layout(self._column)
        self.rows = []
        for finding in findings:
            row = FindingRow(self._theme, finding, self)
            row.place_clicked.connect(self.place_clicked)
            self._column.addWidget(row)
            row.show()  # hidden widgets have no size yet
            self.rows.append(row)
