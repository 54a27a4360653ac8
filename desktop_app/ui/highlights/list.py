"""The list of highlights and notes: its rows, and how they are drawn."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_app.engine.services.library_notes import LibraryNote, NoteWords, describe_place

from ..theme.theme import Theme
from ..translation import tr
from ..widgets.area_pictures import AreaPictures
from ..widgets.note_colors import COLOR_WORDS, note_ink
from ..widgets.tables import ROW_ROLE, AnyIndex, RowList, RowsModel, inverts_selection, paint_ground
from ..widgets.words import FRONT_MATTER, format_headings

PAD, GAP, LEFT, RIGHT = 12, 4, 24, 16
PICTURE = QSize(320, 160)  # pixels of the room for the picture of an area
MOST_CHARACTERS = 2_000  # of a quotation that are measured: more than three lines hold
MOST_LINES = 3  # of a quotation, of which one is the note if there is one


def note_words() -> NoteWords:
    """Return the words of places and exported files in the window's language."""
    return NoteWords(
        title=tr("Highlights and notes"),
        page=tr("p. {page}"),
        bookmark=tr("Bookmark"),
        note=tr("Note"),
        area=tr("Area of the page"),
        front=tr(FRONT_MATTER),
    )


def describe_source(note: LibraryNote) -> str:
    """Return the document and the place of a note in one line."""
    note = replace(note, chapter=format_headings(note.chapter))
    place = describe_place(note, note_words())
    if note.mark.lost:
        place = tr("{place} · no longer in the text", place=place)
    parts = [note.reference.title, place]
    if note.mark.kind == "bookmark":
        parts.insert(0, tr("Bookmark"))
    return " · ".join(part for part in parts if part)


class NotesModel(RowsModel):
    """The notes that are shown."""

    def describe(self, row: LibraryNote, role: int) -> str | None:
        quote = " ".join(row.mark.quote.split())
        if not quote:
            is_page = row.mark.area is None
            quote = tr("(a page without text)") if is_page else tr("(an area without text)")
        if role == Qt.ItemDataRole.DisplayRole:
            return quote
        if role == Qt.ItemDataRole.AccessibleTextRole:
            kind = tr(COLOR_WORDS[row.mark.color])
            if row.mark.kind == "bookmark":
                kind = tr("Bookmark")
            return f"{kind}: {quote}. {row.mark.note} {describe_source(row)}"
        return None


class HighlightDelegate(QStyledItemDelegate):
    """Draws the colour, up to three lines of quotation and note, and the source.

    A row is as high as its texts, so that the gaps between rows are equal. That of an area has its
    picture at the left, and is as high as that at least.

    Attributes:
        pictures: of areas.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.pictures = AreaPictures(theme)
        self._n_lines: dict[tuple[str, int, int], int] = {}  # of a quotation, its width, its most
        theme.changed.connect(self._n_lines.clear)

    def _line(self, font: str) -> int:
        return self._metrics(font).lineSpacing()

    def _picture_size(self, note: LibraryNote) -> QSize:
        """Return the size of the picture of an area, empty where there is none."""
        picture = self.pictures.light.get(note.mark.id) if note.mark.area is not None else None
        if picture is None:
            return QSize()
        size, theme = picture.size(), self._theme
        room = QSize(theme.length(PICTURE.width()), theme.length(PICTURE.height()))
        size.scale(room, Qt.AspectRatioMode.KeepAspectRatio)
        return size.expandedTo(QSize(1, 1))

    def _beside(self, note: LibraryNote) -> int:
        """Return how far the texts are moved to the right by a picture, all by as much."""
        has_picture = not self._picture_size(note).isEmpty()
        return self._theme.length(PICTURE.width()) + RIGHT if has_picture else 0

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        note: LibraryNote = index.data(ROW_ROLE)
        view = option.widget
        width = view.viewport().width() if isinstance(view, RowList) else option.rect.width()
        room = width - LEFT - RIGHT - self._beside(note)
        key = index.data(Qt.ItemDataRole.DisplayRole), room, _count_lines(note)
        if key not in self._n_lines:
            quote, room, most = key
            self._n_lines[key] = len(_break_lines(quote, self._metrics("text"), room, most))
        below = self._line("text") + GAP if note.mark.note else 0
        height = self._n_lines[key] * self._line("text") + GAP + below + self._line("small")
        return QSize(200, max(height, self._picture_size(note).height()) + 2 * PAD)

    def _metrics(self, font: str) -> QFontMetrics:
        return QFontMetrics(self._theme.font(font))

    @inverts_selection
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        note: LibraryNote = index.data(ROW_ROLE)
        paint_ground(painter, option, index, self)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = option.rect.adjusted(LEFT, PAD, -RIGHT, -PAD)
        ink = note_ink(self._theme.tokens, note.mark.color)
        if note.mark.kind == "bookmark":
            ink = self._theme.color("accent")
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink)
        painter.drawRoundedRect(
            QRectF(option.rect.left() + 12, area.top() + 2, 4, area.height() - 4), 2, 2
        )
        self._paint_picture(painter, note, area)
        area.setLeft(area.left() + self._beside(note))
        line = self._line("text")
        n_quote = _count_lines(note)
        ink_of_quote = "text" if note.mark.area is None else "text2"
        quote = index.data(Qt.ItemDataRole.DisplayRole)
        rect = QRect(area.left(), area.top(), area.width(), n_quote * line)
        y = area.top() + line * self._draw(painter, rect, quote, "text", ink_of_quote) + GAP
        if note.mark.note:
            below = QRect(area.left(), y, area.width(), line)
            self._draw(painter, below, " ".join(note.mark.note.split()), "text", "text2")
            y += line + GAP
        foot = QRect(area.left(), y, area.width(), self._line("small"))
        self._draw(painter, foot, describe_source(note), "small", "text2")
        painter.restore()

    def _paint_picture(self, painter: QPainter, note: LibraryNote, area: QRect) -> None:
        """Draw the picture of an area at the left of a row, in the middle of its column."""
        size, picture = self._picture_size(note), self.pictures.find(note.mark.id)
        if size.isEmpty() or picture is None:
            return
        left = area.left() + (self._theme.length(PICTURE.width()) - size.width()) // 2
        place = QRect(QPoint(left, area.top() + (area.height() - size.height()) // 2), size)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(place, picture)
        painter.setPen(self._theme.color("line"))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(place)

    def _draw(self, painter: QPainter, area: QRect, text: str, font: str, color: str) -> int:
        """Draw a text in as many lines as the area has, the last with an ellipsis.

        Returns:
            the number of lines that the text has taken.
        """
        used = self._theme.font(font)
        metrics = QFontMetrics(used)
        painter.setFont(used)
        painter.setPen(self._theme.color(color))
        spacing = metrics.lineSpacing()
        lines = _break_lines(text, metrics, area.width(), max(1, area.height() // spacing))
        for number, line in enumerate(lines):
            painter.drawText(area.left(), area.top() + number * spacing + metrics.ascent(), line)
        return len(lines)


def _count_lines(note: LibraryNote) -> int:
    """Return how many lines the quotation of a note may have.

    The words in an area are those within a figure or a table, out of order: its picture says more.
    """
    if note.mark.area is not None:
        return 1
    return MOST_LINES - 1 if note.mark.note else MOST_LINES


def _break_lines(text: str, metrics: QFontMetrics, width: int, most: int) -> list[str]:
    """Return a text in lines of this width, the last possible one with an ellipsis."""
    lines: list[str] = []
    text = text[:MOST_CHARACTERS]
    while text and len(lines) < most:
        shown, rest = text, ""
        if metrics.horizontalAdvance(text) > width:
            if len(lines) == most - 1:
                shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)
            else:
                shown, rest = _cut_line(text, metrics, width)
        lines.append(shown)
        text = rest
    return lines


def _cut_line(text: str, metrics: QFontMetrics, width: int) -> tuple[str, str]:
    """Return the part of a text that fits in one line, and the rest."""
    low, high = 1, min(len(text), 1_000)
    while low < high:
        middle = (low + high + 1) // 2
        if metrics.horizontalAdvance(text[:middle]) <= width:
            low = middle
        else:
            high = middle - 1
    space = text.rfind(" ", 0, low + 1)
    at = space if space > low // 2 else low
    return text[:at].rstrip(), text[at:].lstrip()
