"""Labels: plain and elided text, sentences with a marked name, badges, chips of entity types."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFont,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QLabel, QMenu, QSizePolicy, QWidget

from desktop_app.engine.model import MentionRow
from desktop_app.ui.theme.theme import Theme

from ..theme.design_tokens import (
    TYPE_SHAPES,
    Shape,
    is_step_hollow,
    list_corners,
    pick_ink,
    pick_step_color,
    pick_step_shape,
)
from ..theme.fonts import choose_latin
from ..translation import tr
from .emphasis import build_html
from .pictograms import build_pictogram, has_pictogram
from .words import format_type, plain_tip, sign_of_type

if TYPE_CHECKING:
    from desktop_app.engine.text.shown_text import ShownText, Span

BREAK = "\u200b"  # a zero-width space
LEAST_WRAPPED = 48  # pixels; a label that wraps may become as narrow as this
# a run of characters inside which Qt does not break a line
_RUN = re.compile(r"[^\s\u200b\u2e80-\u9fff\uac00-\ud7a3\uf900-\uffef-]+")


def is_click(widget: QWidget, event: QMouseEvent) -> bool:
    """Return whether the left button was released inside a widget that was pressed."""
    inside = widget.rect().contains(event.position().toPoint())
    return event.button() == Qt.MouseButton.LeftButton and inside


def is_click_key(event: QKeyEvent) -> bool:
    """Return whether a key clicks what has the focus."""
    return event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class Label(QLabel):
    """Plain text in a role of the theme: "", small, muted, label, title, strong, ok, warn, bad.

    "label" names what is beside it, and is heavier in high contrast.

    With `wrap`, a word that is wider than the label is broken as well.
    """

    def __init__(
        self, text: str = "", role: str = "", parent: QWidget | None = None, *, wrap: bool = False
    ) -> None:
        self._text = ""
        self._whole_hint = QSize()
        self._has_place = False  # before, its width is Qt's default and says nothing
        self._has_latin_font = False
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(wrap)
        if role:
            self.setProperty("role", role)
        Label.setText(self, text)

    def setText(self, text: str) -> None:
        self._text = text
        self._choose_font()
        self._show_text()

    def _choose_font(self) -> None:
        """Draw the dashes of a Latin text as its letters, also in a Chinese window."""
        if self._has_latin_font:
            self._has_latin_font = False
            self.setFont(QFont())
        if not self.testAttribute(Qt.WidgetAttribute.WA_SetFont):
            chosen = choose_latin(self.font(), self._text)
            if chosen.families() != self.font().families():
                only_families = QFont()  # sizes follow the theme
                only_families.setFamilies(chosen.families())
                self._has_latin_font = True
                self.setFont(only_families)

    def text(self) -> str:
        return self._text

    def sizeHint(self) -> QSize:
        # of the text as it is: pieces of words would let the label stay as narrow as it is
        return self._whole_hint if super().text() != self._text else super().sizeHint()

    def setSizePolicy(self, *policy: QSizePolicy.Policy | QSizePolicy) -> None:
        """Set the policy; a label that wraps keeps its height for width, which Qt would clear."""
        made = QSizePolicy(*policy)
        made.setHeightForWidth(self.wordWrap())
        super().setSizePolicy(made)

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        if self.wordWrap():
            hint.setWidth(min(hint.width(), LEAST_WRAPPED))
        return hint

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._has_place = True
        self._break_words()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._show_text()

    def _show_text(self) -> None:
        if super().text() != self._text:
            super().setText(self._text)
        self._break_words()

    def _break_words(self) -> None:
        shown = self._text
        is_plain = self.textFormat() == Qt.TextFormat.PlainText
        if self._has_place and is_plain and self.wordWrap():
            hyphen = self.fontMetrics().horizontalAdvance("-")  # may follow a broken word
            room = self.contentsRect().width() - 2 * self.margin() - hyphen
            shown = break_words(
                break_at_separators(shown, self.fontMetrics(), room), self.fontMetrics(), room
            )
        if shown == super().text():
            return
        if super().text() == self._text:
            self._whole_hint = super().sizeHint()
        super().setText(shown)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy) and self.hasSelectedText():
            self._copy()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if not self.hasSelectedText():
            super().contextMenuEvent(event)
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Copy"), self._copy)
        menu.popup(event.globalPos())

    def _copy(self) -> None:
        """Copy what is selected, without the marks that break its words."""
        text = self.selectedText()
        if super().text() != self._text:
            text = text.replace(BREAK, "")
        QGuiApplication.clipboard().setText(text)

    def set_role(self, role: str) -> None:
        """Change the look; the style sheet has to be asked again."""
        if self.property("role") != role:
            self.setProperty("role", role)
            self.style().unpolish(self)
            self.style().polish(self)


SEPARATOR = " · "


def break_at_separators(text: str, metrics: QFontMetrics, room: int) -> str:
    """Return a text with line breaks in place of the separators at which it would be broken.

    No line ends or begins with a separator. Text with a part that is wider than the room stays as
    it is: its lines break inside the part.
    """
    parts = text.split(SEPARATOR)
    if len(parts) == 1 or metrics.horizontalAdvance(text) <= room:
        return text
    if any(metrics.horizontalAdvance(part) > room for part in parts):
        return text
    lines = [parts[0]]
    for part in parts[1:]:
        longer = f"{lines[-1]}{SEPARATOR}{part}"
        if metrics.horizontalAdvance(longer) <= room:
            lines[-1] = longer
        else:
            lines.append(part)
    return "\n".join(lines)


def break_words(text: str, metrics: QFontMetrics, room: int) -> str:
    """Return a text with zero-width spaces in words that are wider than the room."""

    def broken(found: re.Match[str]) -> str:
        word = found.group()
        if metrics.horizontalAdvance(word) <= room:
            return word
        pieces, piece = [], ""
        for char in word:
            if piece and metrics.horizontalAdvance(piece + char) > room:
                pieces.append(piece)
                piece = ""
            piece += char
        return BREAK.join([*pieces, piece])

    widest = max(1, metrics.maxWidth())
    if room <= 0 or max(map(len, text.split()), default=0) * widest <= room:
        return text
    return _RUN.sub(broken, text)


def show_in_book_font(
    theme: Theme, label: QLabel, text: str, size: int, *, chinese: bool | None = None
) -> None:
    """Show a label in the font of books; the arguments are those of `Theme.book_font`."""
    # set by a style sheet, since the application's style has the interface size
    font = theme.book_font(text, size, chinese=chinese)
    families = ", ".join(f'"{family}"' for family in font.families())
    label.setStyleSheet(f"font-family: {families}; font-size: {font.pixelSize()}px")


class SectionTitle(Label):
    """The small heading over a group."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, "section", parent, wrap=True)
        self.setMinimumHeight(24)


class ElidedLabel(Label):
    """One line that ends in "…" where room ends; the whole text is the tooltip then."""

    SPARE = 4  # pixels that it is wider than its text

    def __init__(
        self,
        text: str = "",
        role: str = "",
        parent: QWidget | None = None,
        *,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        self._mode = mode
        self._full = ""
        super().__init__("", role, parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setText(text)

    def setText(self, text: str) -> None:
        self._full = text
        self._elide()

    def full_text(self) -> str:
        return self._full

    def minimumSizeHint(self) -> QSize:
        return QSize(24, super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        margins = self.contentsMargins()
        around = margins.left() + margins.right() + self.SPARE
        return QSize(metrics.horizontalAdvance(self._full) + around, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        one_line, room = " ".join(self._full.split()), max(16, self.contentsRect().width())
        shown = self.fontMetrics().elidedText(one_line, self._mode, room)
        super().setText("" if shown == "…" else shown)
        self.setToolTip(plain_tip(self._full) if shown != one_line else "")
        self.setAccessibleName(self._full)


def show_mention(mention: MentionRow) -> tuple[ShownText, list[Span]]:
    """Return a mention's sentence on one line as it is displayed, and where the name is."""
    from desktop_app.engine.text.shown_text import show_text

    shown = show_text(mention.sentence, one_line=True).with_closed_quotes()
    begin = mention.start - mention.sentence_start
    end = begin + mention.end - mention.start
    if 0 <= begin < end <= len(mention.sentence):
        return shown, [shown.span(begin, end)]
    name = " ".join(mention.name.split())
    place = shown.text.find(name) if name else -1
    return shown, [(place, place + len(name))] if place >= 0 else []


class SentenceLabel(Label):
    """A sentence with a marked name; `place_clicked` with document, start and end on a click."""

    place_clicked = Signal(int, int, int)

    def __init__(self, theme: Theme, mention: MentionRow, parent: QWidget | None = None) -> None:
        super().__init__("", "", parent, wrap=True)
        self._theme, self._mention = theme, mention
        self._place = (mention.document_id, mention.start, mention.end)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(show_mention(mention)[0].text)
        self.setToolTip(plain_tip(f"{mention.document_title} · {mention.heading}".strip(" ·")))
        theme.changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        self.setFont(self._theme.book_font(self._mention.sentence, 17))
        style = f"background-color:{self._theme.color('mark').name()}"  # not shown
        self.setText(build_html(*show_mention(self._mention), style))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.place_clicked.emit(*self._place)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.place_clicked.emit(*self._place)
        else:
            super().keyPressEvent(event)


class Badge(QWidget):
    """A short word on a soft ground, with a dot in a state's colour: never colour alone.

    `look` makes it stand out or step back: "solid" has the state's colour as its ground, "plain"
    has no ground, and a ring in place of the dot; "bare" has only no ground.
    """

    def __init__(
        self, theme: Theme, text: str, color: str = "text2", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self.look = ""
        self._text = text
        self._color = color
        self.setAccessibleName(text)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self._take_theme)

    def _take_theme(self) -> None:
        self.updateGeometry()
        self.update()

    def text(self) -> str:
        return self._text

    def set_text(self, text: str, color: str = "", look: str = "") -> None:
        self._text = text
        self._color = color or self._color
        self.look = look
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._text_width() + self._text_left() + 7, self._theme.length(22))

    def _text_width(self) -> int:
        return QFontMetrics(self._theme.font("small")).horizontalAdvance(self._text)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme = self._theme
        if self.look == "solid":
            paint_box(painter, QRectF(self.rect()), theme.color(self._color))
        elif self.look not in ("plain", "bare"):
            paint_box(painter, QRectF(self.rect()), theme.color("text2", 0.12), theme.edge())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        self._paint_sign(painter)
        painter.setFont(theme.font("small"))
        colors = {"solid": "on_accent", "plain": "text2"}
        painter.setPen(theme.color(colors.get(self.look, "text")))
        area = self.rect().adjusted(self._text_left(), 0, -6, 0)
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, self._text)
        painter.end()

    def _text_left(self) -> int:
        return 12 if self.look == "bare" else 19

    def _paint_sign(self, painter: QPainter) -> None:
        dot = QRectF(0 if self.look == "bare" else 7, self.height() / 2 - 3.5, 7, 7)
        if self.look == "plain":
            painter.setPen(QPen(self._theme.color(self._color), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            dot.adjust(0.5, 0.5, -0.5, -0.5)
        else:
            solid = self.look == "solid"
            painter.setBrush(self._theme.color("on_accent" if solid else self._color))
        painter.drawEllipse(dot)


class TypeChip(Badge):
    """An entity type: a disc in its colour with its letter, then the word."""

    def __init__(
        self, theme: Theme, entity_type: str, parent: QWidget | None = None, *, text: str = ""
    ) -> None:
        super().__init__(theme, text or format_type(entity_type, capital=True), "text2", parent)
        self._type = entity_type
        self.is_neutral = False

    def set_neutral(self, neutral: bool) -> None:
        """Paint the disc grey, where the colours of discs stand for something else than types."""
        self.is_neutral = neutral
        self.update()

    def set_type(self, entity_type: str, text: str = "") -> None:
        self._type = entity_type
        self.set_text(text or format_type(entity_type, capital=True))

    def sizeHint(self) -> QSize:
        return QSize(self._text_width() + self._text_left() + 9, self._theme.length(22))

    def _text_left(self) -> int:
        return 25  # beside the disc

    def _paint_sign(self, painter: QPainter) -> None:
        area = QRectF(5, self.height() / 2 - 8, 16, 16)
        paint_type_disc(painter, area, self._type, self._theme, neutral=self.is_neutral)


ROUND = Shape(0)
HOLLOW_SHARE = 0.24  # of the radius, the width of the outline of a hollow disc
SIGN_GROUND = 3.0  # pixels around a sign that are its shape's colour


def paint_shape(
    painter: QPainter, middle: QPointF, radius: float, shape: Shape, *, is_signed: bool = False
) -> None:
    """Paint a disc, or the shape that stands for it, with the pen and brush of the painter.

    `is_signed`: see `list_corners`.
    """
    if corners := list_corners(shape, radius, is_signed=is_signed):
        painter.drawPolygon(QPolygonF([middle + QPointF(x, y) for x, y in corners]))
    else:
        painter.drawEllipse(middle, radius, radius)


def paint_sign(
    painter: QPainter, area: QRectF, sign: str, ink: QColor, shape: Shape, color: QColor
) -> None:
    """Paint a pictogram, or a text in the font of the painter, in the middle of a shape.

    Triangles, stars and crosses are narrower than a sign that can be read: it has their colour
    around it, also where it is beyond them.

    Args:
        sign: the text, or an entity type that has a pictogram.
    """
    is_wide = shape.corners != 3 and shape.waist == 1.0
    if has_pictogram(sign):
        path = build_pictogram(sign, area.center(), area.width() / 2)
        if is_wide:
            painter.fillPath(path, ink)
            return
    elif is_wide:
        painter.setPen(ink)
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, sign)
        return
    else:
        path = QPainterPath()
        path.addText(0.0, 0.0, painter.font(), sign)
        path.translate(area.center() - path.boundingRect().center())
    ground = QPen(color, SIGN_GROUND)
    ground.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.strokePath(path, ground)
    painter.fillPath(path, ink)


def paint_community_mark(painter: QPainter, area: QRectF, number: int, theme: Theme) -> None:
    """Paint the number of a community in its colour, and in high contrast in its shape.

    Nodes of the graph have the same mark while colours stand for communities.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    color = QColor(pick_step_color(theme.tokens, number))
    shape = pick_step_shape(number) if theme.is_high else ROUND
    ink = QColor(pick_ink(color.name()))
    if is_step_hollow(theme.tokens, number):
        ground, ink = theme.color("surface"), theme.color("text")
        wide = area.width() * HOLLOW_SHARE / 2
        painter.setPen(QPen(color, wide))
        painter.setBrush(ground)
        paint_shape(painter, area.center(), (area.width() - wide) / 2, shape)
        color = ground
    else:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        paint_shape(painter, area.center(), area.width() / 2, shape)
    font = theme.font("strong")
    font.setPixelSize(max(8, round(area.height() * (0.62 if number < 10 else 0.55))))
    painter.setFont(font)
    paint_sign(painter, area, str(number), ink, shape, color)
    painter.restore()


def paint_type_disc(
    painter: QPainter, area: QRectF, entity_type: str, theme: Theme, *, neutral: bool = False
) -> None:
    """Paint the disc of an entity type with its pictogram, for chips, lists and legends.

    In high contrast it has the shape of the type, as in the graph.

    Args:
        neutral: grey, where colours stand for something else than types.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    color = theme.color("text2") if neutral else theme.type_color(entity_type)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    has_shape = theme.is_high and not neutral
    shape = TYPE_SHAPES.get(entity_type, TYPE_SHAPES["other"]) if has_shape else ROUND
    paint_shape(painter, area.center(), area.width() / 2, shape)
    font = theme.font("strong")
    font.setPixelSize(max(8, round(area.height() * 0.62)))
    painter.setFont(font)
    paint_sign(
        painter, area, sign_of_type(entity_type), QColor(pick_ink(color.name())), shape, color
    )
    painter.restore()


def paint_box(
    painter: QPainter,
    area: QRectF,
    ground: QColor | Qt.BrushStyle,
    edge: QColor | None = None,
    width: float = 1.0,
) -> None:
    """Paint a box with rounded corners, with a border of a width in pixels if it has a colour."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen if edge is None else QPen(edge, width))
    painter.setBrush(ground)
    half = width / 2
    painter.drawRoundedRect(area.adjusted(half, half, -half, -half) if edge else area, 6, 6)
