"""The number of a citation in a coloured box: before passages, and in the inspector.

Owns its look, which is that of the citations in an answer.
"""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QBuffer, QByteArray, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetrics, QGuiApplication, QImage, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from ..theme.theme import Theme
from ..widgets import paint_box

WIDTH, PADDING, RING = 20, 5, 8  # pixels


def find_number_font(theme: Theme) -> QFont:
    font = theme.font("small_number")
    font.setWeight(QFont.Weight.DemiBold)
    return font


def measure_number(theme: Theme, number: str) -> float:
    """Return the width of a number's box."""
    metrics = QFontMetrics(find_number_font(theme))
    return max(theme.length(WIDTH), metrics.horizontalAdvance(number) + 2 * PADDING)


def paint_number(
    painter: QPainter, theme: Theme, area: QRectF, number: str, *, is_quiet: bool = False
) -> None:
    """Paint a number in its box, or a ring where there is none; a quiet number has no box."""
    if number:
        if not is_quiet:
            paint_box(painter, area, theme.chip(), theme.edge("accent"))
        painter.setFont(find_number_font(theme))
        painter.setPen(theme.color("text2" if is_quiet else "text"))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, number)
        return
    side = theme.length(RING)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("text2"), 1.2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(area.center(), side / 2, side / 2)


def build_number_image(theme: Theme, number: str) -> str:
    """Return a number in its box as an image in HTML, which is sharp on all screens."""
    width = round(measure_number(theme, number))
    height = QFontMetrics(find_number_font(theme)).height()
    ratios = (screen.devicePixelRatio() for screen in QGuiApplication.screens())
    scale = ceil(max(ratios, default=1.0))
    image = QImage(scale * width, scale * height, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(scale)
    image.fill(Qt.GlobalColor.transparent)
    with QPainter(image) as painter:
        paint_number(painter, theme, QRectF(0, 0, width, height), number)
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]  # the stubs want bytes, Qt a str
    code = bytes(data.toBase64().data()).decode()
    size = f'width="{width}" height="{height}" style="vertical-align:middle"'  # not shown
    return f'<img src="data:image/png;base64,{code}" {size} alt="{number}">'  # not shown


class CitationNumber(QWidget):
    """A number beside a line of text; a ring where there is none."""

    def __init__(self, theme: Theme, number: str, height: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self.number, self._is_quiet = theme, number, False
        self.setFixedSize(round(measure_number(theme, number)), height)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        theme.changed.connect(self.update)

    def set_quiet(self, is_quiet: bool) -> None:
        """Show the number without its box, for a passage that an answer does not cite."""
        if is_quiet != self._is_quiet:
            self._is_quiet = is_quiet
            self.update()

    @property
    def is_quiet(self) -> bool:
        return self._is_quiet

    def paintEvent(self, event: QPaintEvent) -> None:
        high = QFontMetrics(find_number_font(self._theme)).height()
        area = QRectF(0, (self.height() - high) / 2, self.width(), high)
        with QPainter(self) as painter:
            paint_number(painter, self._theme, area, self.number, is_quiet=self._is_quiet)
