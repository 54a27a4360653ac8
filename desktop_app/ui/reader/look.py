"""Colours, the pulse animation and the bookmark ribbon that both views of the reader paint with.

Owns how the theme's colours are mixed for marks, hits and the selection. Knows no layout.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from PySide6.QtCore import (
    QAbstractAnimation,
    QEasingCurve,
    QLineF,
    QObject,
    QPointF,
    QRect,
    QRectF,
    Qt,
    QVariantAnimation,
    Signal,
)
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QStyle

from desktop_app.engine.highlight_colors import HIGHLIGHT_COLORS
from desktop_app.ui.theme.theme import Theme

from ..theme.design_tokens import DARK, LIGHT, TYPE_DASHES, Tokens
from ..widgets.highlight_colors import find_line_colors, highlight_color, paint_color
from ..widgets.labels import paint_box


def mixed(first: QColor, second: QColor, share: float) -> QColor:
    """Return the colour `share` of the way from first to second."""

    def mix(a: float, b: float) -> float:
        return a + (b - a) * share

    return QColor.fromRgbF(
        mix(first.redF(), second.redF()),
        mix(first.greenF(), second.greenF()),
        mix(first.blueF(), second.blueF()),
    )


def paint_row_ground(painter: QPainter, theme: Theme, state: QStyle.StateFlag, area: QRect) -> None:
    """Paint the ground of a row of the side panel that is chosen or under the pointer."""
    if state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
        share = 1.0 if state & QStyle.StateFlag.State_Selected else 0.5
        ground = QRectF(area).adjusted(0, 1, 0, -1)
        paint_box(painter, ground, theme.color("accent_soft", share))


SIGN_LINE, SIGN_SOFT = 0.19, 0.62  # of the height of a sign; opacity of its ground on white
PEN_BAR = 0.28  # of the height of a tool's sign: a highlighter's stroke, thicker than a line


def paint_tool_sign(
    painter: QPainter, theme: Theme, style: str, color: str, area: QRectF, *, over: bool = False
) -> None:
    """Paint the sign of a marking tool: a letter as dark as icons, over its colour.

    That of areas is a rectangle in its colour.

    Args:
        style: see `Annotation`, or "area".
        area: about as wide as high.
        over: whether it is on the accent, as what is pressed is in high contrast.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    side, is_fill = area.height(), style == "fill"
    if style == "area":
        ink, rim = find_line_colors(theme.tokens, color)
        if over:
            ink, rim = theme.color("on_accent"), None
        paint_area(painter, area.adjusted(0, 1.5, 0, -1.5), ink, rim=rim)
        return
    font = theme.font("strong")
    font.setPixelSize(max(8, round(side * 0.84)))
    painter.setFont(font)
    high = round(side * (PEN_BAR if is_fill else SIGN_LINE))
    if find_line_colors(theme.tokens, color)[1] is not None:
        high += 2  # for the outline
    width = area.width() * (1.0 if is_fill else 0.88)
    left = area.left() + (area.width() - width) / 2
    line = QRectF(left, area.bottom() - high + 2, width, high)
    if over:
        painter.fillRect(line, theme.color("on_accent"))
    else:
        paint_color(painter, theme.tokens, color, line)
    painter.setPen(theme.color("on_accent" if over else "text2"))
    above = area.adjusted(0, -1, 0, -high)
    painter.drawText(above, Qt.AlignmentFlag.AlignCenter, "A" if is_fill else "U")


def paint_mark_sign(painter: QPainter, theme: Theme, style: str, color: str, area: QRectF) -> None:
    """Paint the sign of a highlight, an A on its colour, or of an underline, a U over a line.

    That of an area is a rectangle.

    Args:
        style: see `Annotation`, or "area".
        area: about as wide as high.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    side = area.height()
    ink, rim = find_line_colors(theme.tokens, color)
    if style == "area":
        paint_area(painter, area.adjusted(0, 1, 0, -1), ink, rim=rim)
        return
    font = theme.font("strong")
    font.setPixelSize(max(8, round(side * 0.84)))
    painter.setFont(font)
    if style == "fill":
        ground = highlight_color(theme, color) if theme.is_high else QColor(ink)
        ground.setAlphaF(1.0 if theme.is_high or theme.is_dark else SIGN_SOFT)
        painter.setPen(QPen(rim or ink, 1) if theme.is_high else Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(area, 3, 3)
        painter.setPen(theme.color("text") if theme.is_high else QColor(LIGHT.text))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, "A")
        return
    high = side * SIGN_LINE
    line = QRectF(area.left() + side * 0.06, area.bottom() - high + 1, area.width() * 0.88, high)
    paint_color(painter, theme.tokens, color, line)
    painter.setPen(theme.color("text"))
    painter.drawText(area.adjusted(0, 0, 0, -high), Qt.AlignmentFlag.AlignCenter, "U")


SEPIA = replace(
    LIGHT,
    name="sepia",
    bg="#EFE4CE",
    surface="#F6ECD9",
    sunken="#E9DCC3",
    line="#DCCDB2",
    text="#3F3020",
    text2="#6B573F",
    accent_soft="#DDDDC4",
    mark="#F3D68B",
    hit="#D3B2EC",
    selection="#B8C0D8",
    highlight_fills={color.key: color.sepia_fill for color in HIGHLIGHT_COLORS},
)
# colours of pages by name; "window" follows the theme, where pages of PDFs stay as they are
PAGE_COLORS: dict[str, Tokens | None] = {
    "window": None,
    "paper": LIGHT,
    "sepia": SEPIA,
    "dark": DARK,
}


def hit_color(tokens: Tokens, *, current: bool = False) -> QColor:
    """Return the ground of a match on a page; the current one is much stronger than the others."""
    if current:
        return mixed(QColor(tokens.hit), QColor(tokens.hit_ink), CURRENT_HIT)
    return mixed(QColor(tokens.surface), QColor(tokens.hit), 1.0 if tokens.high else OTHER_HIT)


class Look:
    """Colours for painting, read from the theme each time, so that a theme change shows at once.

    Attributes:
        paper: colours of the page chosen by the user; None for those of the theme.
    """

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self.paper: Tokens | None = None

    def color(self, name: str) -> QColor:
        return QColor(getattr(self.paper, name)) if self.paper else self.theme.color(name)

    def type_color(self, kind: str) -> QColor:
        """Return the colour of an entity type."""
        if self.paper is None:
            return QColor(self.theme.type_color(kind))
        return QColor(self.paper.types.get(kind, self.paper.types["other"]))

    def mark(self, pulse: float = 0.0) -> QColor:
        """Return the background of the marked passage; `pulse` (0 to 1) makes it stronger."""
        return mixed(self.color("mark"), self.color("warn"), 0.45 * pulse)

    def hit(self) -> QColor:
        return hit_color(self.paper or self.theme.tokens)

    def current_hit(self) -> QColor:
        return hit_color(self.paper or self.theme.tokens, current=True)

    def selection(self) -> QColor:
        return self.color("selection")


# of the current hit, which is seen at once among many: share of the strong colour, pixels
CURRENT_HIT, CURRENT_EDGE = 0.3, 2.0
OTHER_HIT = 0.55  # share of the colour of matches on the page: pale, so that the current one is not
# of the edge of the highlight that is chosen in the list: pixels, share of the text's ink
CHOSEN_EDGE, CHOSEN_INK = 1.5, 0.35
SHADOW = 60  # of 255: how dark the shadow of a card over the document is
NOTE_LINE = 3.0  # pixels: the line below an underlined passage
NOTE_SIGN, NOTE_GAP = 16.0, 4.0  # pixels: the side of the sign of a note, and beside its text
AREA_EDGE, AREA_TINT = 1.5, 0.1  # of an area of a page: pixels of its line, share of its colour
UNDERLINE, STRONG_UNDERLINE = 2.0, 3.0  # pixels: of a name, and of the one under the pointer
NAME_DOTS = (2.0, 2.0)  # pixels: of the line of a name, unlike the solid line of a reader
DASH_UNIT = 1.5  # pixels: the unit of `TYPE_DASHES`
UNDERLINE_INK = 0.75  # share of the colour of the type: letters stay what is read


def paint_name_line(
    painter: QPainter,
    left: float,
    right: float,
    y: float,
    tokens: Tokens,
    kind: str,
    ratio: float,
    *,
    strong: bool,
) -> None:
    """Underline a name in whole pixels, so that every line is equally strong.

    The line is dotted, thin and paler than the colour of its type, so that it is neither taken for
    a mark of the reader nor read before the text; a `strong` one is for the name under the
    pointer. In high contrast each type has its own dashes, so that no type depends on colour alone.

    Args:
        tokens: colours of the page.
        kind: the type of the name.
        ratio: pixels of the screen per pixel of the window.
    """
    wide = STRONG_UNDERLINE if strong else UNDERLINE
    top, height = round(y * ratio) / ratio, max(1, int(wide * ratio)) / ratio
    color = tokens.types.get(kind, tokens.types["other"])
    dashes: tuple[float, ...] = () if strong else NAME_DOTS
    if tokens.high:
        own = TYPE_DASHES.get(kind, TYPE_DASHES["other"])
        dashes = tuple(DASH_UNIT * width for width in own)
    share = 1.0 if strong or tokens.high else UNDERLINE_INK
    painter.setPen(_build_line_pen(tokens.surface, color, share, height, dashes))
    middle = top + height / 2
    painter.drawLine(QLineF(left, middle, right, middle))  # one call for all its dashes


@lru_cache(maxsize=128)  # a page may have a hundred names, of a few types
def _build_line_pen(
    surface: str, color: str, share: float, height: float, dashes: tuple[float, ...]
) -> QPen:
    """Return the pen of a line in a colour mixed with that of the page.

    Args:
        dashes: pixels of strokes and gaps in turn; none for a solid line.
    """
    pen = QPen(mixed(QColor(surface), QColor(color), share), height)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    if dashes:
        pen.setDashPattern([length / height for length in dashes])
    return pen


def paint_note_line(
    painter: QPainter,
    left: float,
    right: float,
    foot: float,
    color: QColor,
    rim: QColor | None = None,
) -> None:
    """Draw the line of an underlined passage: thicker than that of a name, so that it is not one.

    Args:
        foot: y of the foot of the letters.
        rim: of an outline around the line.
    """
    line = QRectF(left, round(foot), right - left, NOTE_LINE)
    if rim is not None:
        painter.fillRect(line.adjusted(0, -1, 0, 1), rim)
    painter.fillRect(line, color)


def paint_area(
    painter: QPainter,
    box: QRectF,
    ink: QColor,
    *,
    edge: float = AREA_EDGE,
    blend: bool = True,
    rim: QColor | None = None,
) -> None:
    """Draw an area of a page: a line around it, and a tint that leaves readable what is there.

    Args:
        ink: the full colour of the area.
        edge: pixels of the line.
        blend: whether to tint it.
        rim: of outlines at both sides of the line.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    tint = QColor(ink)
    tint.setAlphaF(AREA_TINT if blend else 0.0)
    middle = box.adjusted(edge / 2, edge / 2, -edge / 2, -edge / 2)
    if rim is not None:
        painter.setPen(QPen(rim, edge + 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(middle, 3, 3)
    painter.setPen(QPen(ink, edge))
    painter.setBrush(tint)
    painter.drawRoundedRect(middle, 3, 3)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


GRIP = 8.0  # pixels: the side of a grip of an area


def place_grips(box: QRectF) -> dict[tuple[int, int], QRectF]:
    """Return the grips at the corners and sides of an area, by direction: (-1, 0) is the left."""
    found = {}
    for x in (-1, 0, 1):
        for y in (-1, 0, 1):
            if x or y:
                grip = QRectF(0, 0, GRIP, GRIP)
                half = QPointF(x * box.width() / 2, y * box.height() / 2)
                grip.moveCenter(box.center() + half)
                found[x, y] = grip
    return found


def paint_grips(painter: QPainter, box: QRectF, ink: QColor) -> None:
    """Draw the grips with which the sides of an area are moved."""
    painter.setPen(QPen(ink, 1.5))
    painter.setBrush(QColor(Qt.GlobalColor.white))
    for grip in place_grips(box).values():
        painter.drawRect(grip)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def paint_note_sign(
    painter: QPainter, middle: QPointF, color: QColor, paper: QColor, side: float = NOTE_SIGN
) -> None:
    """Draw the sign of a highlight that has a note: a small sheet with lines.

    Args:
        side: pixels.
    """
    half, edge = side / 2, 1.5
    sheet = QRectF(middle.x() - half, middle.y() - half, side, side)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(paper, 1))
    painter.setBrush(color)
    painter.drawRoundedRect(sheet, 3, 3)
    painter.setPen(QPen(paper, edge))
    for share, length in ((0.3, 0.5), (0.5, 0.5), (0.7, 0.3)):
        y = sheet.top() + share * side
        left = sheet.left() + 0.25 * side
        painter.drawLine(QPointF(left, y), QPointF(left + length * side, y))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def paint_ribbon(painter: QPainter, place: QRectF, color: QColor) -> None:
    """Draw the ribbon of a bookmark."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    left, right, top, bottom = place.left(), place.right(), place.top(), place.bottom()
    notch = QPointF(place.center().x(), bottom - place.width() * 0.45)
    corners = (QPointF(left, top), QPointF(right, top), QPointF(right, bottom))
    painter.drawPolygon([*corners, notch, QPointF(left, bottom)])


class Pulse(QObject):
    """Animates the marked passage once, to draw attention to it."""

    changed = Signal()

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.value = 0.0
        self._animation = QVariantAnimation(self)
        self._animation.setStartValue(0.0)
        self._animation.setKeyValueAt(0.35, 1.0)
        self._animation.setEndValue(0.0)
        self._animation.setEasingCurve(QEasingCurve.Type.OutQuad)
        self._animation.valueChanged.connect(self._step)

    def start(self) -> None:
        duration = self._theme.animation_ms(180) * 3
        self._animation.stop()
        self._step(0.0)
        if duration:
            self._animation.setDuration(duration)
            self._animation.start(QAbstractAnimation.DeletionPolicy.KeepWhenStopped)

    def stop(self) -> None:
        self._animation.stop()
        self._step(0.0)

    def _step(self, value: float) -> None:
        self.value = float(value)
        self.changed.emit()
