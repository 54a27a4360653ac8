"""Words in a box: wrapped between words or anywhere, the last line ending in "…" where room ends.

Owns when a box is too small for any words. Knows nothing of what they say.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QTextLayout, QTextOption

from desktop_app.ui.theme.theme import Theme

LEAST_WIDTH = 38


def paint_words(painter: QPainter, area: QRectF, words: str, theme: Theme) -> int:
    """Paint as many lines as fit and return how many that were."""
    font = theme.font("small")
    metrics = QFontMetrics(font)
    line_height = metrics.height() + 1
    most = int(area.height() // line_height)
    if most < 1 or area.width() < LEAST_WIDTH:
        return 0
    text = " ".join(words.split())
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    lines: list[str] = []
    layout.beginLayout()
    while (line := layout.createLine()).isValid():
        line.setLineWidth(area.width())
        start = line.textStart()
        if len(lines) + 1 == most:
            rest = text[start:]
            right = Qt.TextElideMode.ElideRight
            lines.append(metrics.elidedText(rest, right, int(area.width())))
            break
        lines.append(text[start : start + line.textLength()].strip())
    layout.endLayout()
    painter.setFont(font)
    for number, said in enumerate(lines):
        painter.drawText(
            QPointF(area.left(), area.top() + metrics.ascent() + number * line_height), said
        )
    return len(lines)
