"""The panel of a document's annotations: a card for each, filters, order, and what its keys do.

Owns how a card looks, which one is chosen, and where the field for its note is. Choices are emitted
as signals; nothing is fetched or changed here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple, cast

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QFontMetrics,
    QHelpEvent,
    QHideEvent,
    QImage,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QShortcut,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QToolTip,
    QWidget,
)

from desktop_app.engine.services.annotations import Annotation, find_caption_of, shows_figure

from ..theme.theme import Theme
from ..translation import later, tr, trn
from ..widgets import KeyDescriptions
from ..widgets.area_pictures import AreaPictures
from ..widgets.buttons import IconButton
from ..widgets.fields import SearchField
from ..widgets.highlight_colors import (
    COLOR_WORDS,
    Swatch,
    color_icon,
    describe_color_keys,
    highlight_color,
    paint_swatch,
)
from ..widgets.labels import ElidedLabel, Label, paint_box
from ..widgets.layout import Flow, build_column, build_row
from ..widgets.menus import MenuKey
from ..widgets.tables import inverts_selection
from ..widgets.tag_chips import measure_chips, paint_tags
from ..widgets.words import find_cut_sign, format_number, plain_tip
from .annotations import describe_annotation_kind
from .loading import PlaceWords
from .look import paint_mark_sign, paint_row_ground
from .note_field import MOST_LINES, NoteField

MARK_ROLE, PLACE_ROLE = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
LEFT, PAD, LINES, CAPTION_LINES = 12, 10, 4, 2
CARD_GAP, NOTE_GAP = 8, 6  # pixels between two cards, and between the parts of one
STRIPE, STRIPE_GAP = 3, 7  # pixels: of the colour beside a quote, and between the two
NOTHING = later(
    "Select a passage and choose a colour beside it; Ctrl+D adds a bookmark. What you mark is"
    " listed here."
)
NOTE_INSET = 6  # pixels between the edges of a note's ground and its words, as in the field
NOTE_LINES = MOST_LINES  # as many as the field has
ICON, ICON_STEP = 16, 24  # pixels: of the icons at the right of a card, and from one to the next
SIGN = 14  # pixels: what kind of mark it is
CHIP = 12, 6  # pixels of a colour in the filter, and around it and its number
MOST_PICTURE = 150  # pixels: the height of the picture of an area
ORDERS = {"page": later("By page"), "newest": later("Newest first")}
WITHOUT_PAGES = later("By chapter")
KEYS = (
    ("Return", later("Go to the note")),
    ("F2", later("Edit the note")),
    ("T", later("Edit the tags of the note")),
    ("1", later("Colour of the note: {colors}")),
    ("Ctrl+C", later("Copy the note with its citation")),
    ("Del", later("Remove the note")),
)
_FLAGS = Qt.TextFlag.TextWordWrap


class CardPart(NamedTuple):
    """A text of a card with the left edge of its words and its greatest number of lines.

    A note has a ground of its own.
    """

    text: str
    left: int
    most: int
    is_note: bool = False


class NoteDelegate(QStyledItemDelegate):
    """Paints a card: page and section, the quote beside its colour, and the note on a ground.

    Of an area, it has the picture and its caption instead of the quote. At the right of the page
    are a pencil for the note and "⋯" for the menu. The chosen card has room for the field of its
    note.

    Attributes:
        pictures: of areas, by annotation.
        chosen_id, field_height: the annotation whose card has the field, and the pixels for it.
        note_inset: where words begin in the field, so that a note stays in place when it opens.
    """

    def __init__(self, theme: Theme, parent: QListWidget) -> None:
        super().__init__(parent)
        self._theme, self._list = theme, parent
        self.pictures = AreaPictures(theme)
        self.chosen_id: int | None = None
        self.field_height = 0
        self.note_inset = QPoint(NOTE_INSET, NOTE_INSET)

    def _picture(self, mark: Annotation) -> QImage | None:
        """Return the picture of an area."""
        if mark.area is None:
            return None
        return self.pictures.find(mark.id, as_printed=shows_figure(mark))

    def _picture_size(self, mark: Annotation) -> QSize:
        """Return the size of the picture on its card, empty where there is none."""
        picture = self._picture(mark)
        if picture is None:
            return QSize()
        room = QSize(self._width(), self._theme.length(MOST_PICTURE))
        size = picture.size()
        if size.width() > room.width() or size.height() > room.height():
            size.scale(room, Qt.AspectRatioMode.KeepAspectRatio)
        return size.expandedTo(QSize(1, 1))

    def field_rect(self, row: QRect, mark: Annotation) -> QRect:
        """Return where the field for the note of the chosen card is."""
        top = self._head(row).bottom() + 1 + NOTE_GAP
        if not (picture := self._picture_size(mark)).isEmpty():
            top += picture.height() + NOTE_GAP
        top += sum(self._height(part) + NOTE_GAP for part in self._parts(mark))
        return QRect(row.left() + LEFT, top, self._width(), self.field_height)

    def _parts(self, mark: Annotation) -> list[CardPart]:
        """Return the quote and the note, without what the picture or the field shows."""
        words = " ".join(mark.quote.split()) or tr("(a page without text)")
        is_quote = mark.kind == "highlight"
        parts = [CardPart(words, STRIPE + STRIPE_GAP, LINES if is_quote else 1)]
        if mark.area is not None:
            words = " ".join(mark.quote.split()) or tr("(an area without text)")
            parts = [CardPart(words, STRIPE + STRIPE_GAP, LINES)]
            if not self._picture_size(mark).isEmpty():
                caption = find_caption_of(mark)
                parts = [CardPart(caption, STRIPE + STRIPE_GAP, CAPTION_LINES)] if caption else []
        if mark.note and mark.id != self.chosen_id:
            parts.append(CardPart(mark.note.strip(), 0, NOTE_LINES, is_note=True))
        return parts

    def _head(self, row: QRect) -> QRect:
        """Return the line with the page, the section and the icons."""
        height = self._theme.length(ICON_STEP)
        return QRect(row.left() + LEFT, row.top() + CARD_GAP + PAD - 4, self._width(), height)

    def more_rect(self, row: QRect) -> QRect:
        """Return where the icon of the menu is."""
        return self._icon_rect(row, 0)

    def pencil_rect(self, row: QRect) -> QRect:
        """Return where the pencil for the note is."""
        return self._icon_rect(row, 1)

    def _icon_rect(self, row: QRect, number: int) -> QRect:
        head, side = self._head(row), self._theme.length(ICON)
        right = head.left() + head.width() - number * self._theme.length(ICON_STEP)
        return QRect(right - side, head.top() + (head.height() - side) // 2, side, side)

    def _width(self) -> int:
        return max(80, self._list.viewport().width() - LEFT - PAD - LEFT)

    def _room(self, part: CardPart) -> int:
        """Return the width of the words of a part."""
        inset = self.note_inset.x() if part.is_note else 0
        return max(60, self._width() - part.left - 2 * inset)

    def _height(self, part: CardPart) -> int:
        metrics = QFontMetrics(self._theme.font("text"))
        if part.most == 1:
            return _line_height(part.text, metrics)
        room = QRect(0, 0, self._room(part), 10_000)
        rect = metrics.boundingRect(room, int(_FLAGS), part.text or " ")
        lines = min(rect.height(), part.most * _line_height(part.text, metrics))
        return lines + (2 * self.note_inset.y() if part.is_note else 0)

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        mark: Annotation = index.data(MARK_ROLE)
        heights = [self._height(part) for part in self._parts(mark)]
        if not (picture := self._picture_size(mark)).isEmpty():
            heights.append(picture.height())
        if mark.id == self.chosen_id:
            heights.append(self.field_height)
        if mark.tags:
            heights.append(measure_chips(self._theme))
        head = self._theme.length(ICON_STEP) - 4
        parts = sum(heights) + NOTE_GAP * len(heights)
        return QSize(self._width(), head + parts + 2 * PAD + CARD_GAP)

    @inverts_selection
    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        theme, area = self._theme, option.rect
        mark: Annotation = index.data(MARK_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        card = QRectF(area).adjusted(0.5, CARD_GAP + 0.5, -PAD - 0.5, -0.5)
        is_current = bool(option.state & QStyle.StateFlag.State_Selected)
        edge = theme.color("accent", 0.5) if is_current else theme.color("line")
        paint_box(painter, card, theme.color("surface"), edge)
        paint_row_ground(painter, theme, option.state, card.toRect())
        self._paint_head(painter, mark, index.data(PLACE_ROLE), area)
        y = self._head(area).bottom() + 1 + NOTE_GAP
        ink = highlight_color(theme, mark.color, strong=True)
        metrics = QFontMetrics(theme.font("text"))
        if (picture := self._picture(mark)) is not None:
            frame = QRectF(area.left() + LEFT, y, *self._picture_size(mark).toTuple())
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(frame, picture)
            painter.setPen(QPen(ink, 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(frame.adjusted(-0.5, -0.5, 0.5, 0.5))
            y += round(frame.height()) + NOTE_GAP
        for part in self._parts(mark):
            height = self._height(part)
            room = QRect(area.left() + LEFT, y, self._width(), height)
            if part.is_note:
                ground = theme.color("surface" if is_current else "sunken")
                paint_box(painter, QRectF(room), ground)
            elif mark.kind == "highlight":
                painter.setBrush(ink)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.drawRoundedRect(QRectF(room.left(), y + 1, STRIPE, height - 2), 1.5, 1.5)
            is_bookmark = mark.kind == "bookmark"
            left = 0 if is_bookmark else part.left
            inset = self.note_inset if part.is_note else QPoint()
            room = room.adjusted(left + inset.x(), inset.y(), 0, 0)
            room.setWidth(self._room(part))
            painter.setFont(theme.font("text"))
            painter.setPen(theme.color("text2" if is_bookmark and not part.is_note else "text"))
            if part.most == 1:
                shown = metrics.elidedText(part.text, Qt.TextElideMode.ElideRight, room.width())
            else:
                shown = fit_lines(part.text, metrics, room.width(), part.most)
            painter.drawText(room, int(_FLAGS), shown)
            y += height + NOTE_GAP
        if mark.tags:
            y += self.field_height + NOTE_GAP if mark.id == self.chosen_id else 0
            line = QRect(area.left() + LEFT, y, self._width(), measure_chips(theme))
            paint_tags(painter, theme, mark.tags, line)
        painter.restore()

    def _paint_head(
        self, painter: QPainter, mark: Annotation, place: PlaceWords, row: QRect
    ) -> None:
        """Paint what kind of mark it is, its page on a ground, its section, and the icons."""
        theme, room = self._theme, self._head(row)
        for icon, where in (
            ("ph.note-pencil", self.pencil_rect(row)),
            ("more", self.more_rect(row)),
        ):
            theme.icon(icon, color="text2").paint(painter, where)
        room.setRight(self.pencil_rect(row).left() - 8)
        side = theme.length(SIGN)
        sign = QRectF(room.left(), room.center().y() - side / 2 + 0.5, side, side)
        if mark.kind == "bookmark":
            theme.icon("ph.bookmark-simple", color="accent").paint(painter, sign.toRect())
        else:
            style = mark.style if mark.area is None else "area"  # not shown
            paint_mark_sign(painter, theme, style, mark.color, sign)
        room.setLeft(room.left() + side + 6)
        painter.setFont(theme.font("small"))
        metrics = painter.fontMetrics()
        flags = int(Qt.AlignmentFlag.AlignVCenter)
        if place.page:
            width = metrics.horizontalAdvance(place.page) + 12
            chip = QRectF(room.left(), room.center().y() - 9 + 0.5, width, 18)
            paint_box(painter, chip, theme.color("text2", 0.13))
            painter.setPen(theme.color("text"))
            painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, place.page)
            room.setLeft(room.left() + round(width) + 6)
        section = tr("no longer in the text") if mark.lost else place.section
        painter.setPen(theme.color("text2"))
        shown = metrics.elidedText(section, Qt.TextElideMode.ElideRight, max(0, room.width()))
        painter.drawText(room, flags, shown)

    def helpEvent(
        self,
        event: QHelpEvent,
        view: QAbstractItemView,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> bool:
        """Show what the icons do; elsewhere on a card, its place in the document."""
        if index.isValid() and is_on(self.pencil_rect(option.rect), event.pos()):
            words = tr("Edit note") if index.data(MARK_ROLE).note else tr("Add note")
            QToolTip.showText(event.globalPos(), words, view)
            return True
        if index.isValid() and is_on(self.more_rect(option.rect), event.pos()):
            QToolTip.showText(event.globalPos(), tr("More"), view)
            return True
        return super().helpEvent(event, view, option, index)


def is_on(icon: QRect, point: QPoint) -> bool:
    """Return whether a point is on an icon or close to it."""
    return icon.adjusted(-4, -4, 4, 4).contains(point)


def describe_mark(mark: Annotation, place: PlaceWords) -> str:
    """Return the words for the place of an annotation: page and chapter, and what it is."""
    where = place.join()
    if mark.lost:
        where = tr("{place} · no longer in the text", place=where)
    if mark.kind == "bookmark":
        where = tr("Bookmark · {place}", place=where) if where else tr("Bookmark")
    if mark.area is not None:
        where = tr("Area · {place}", place=where)
    return where


def _line_height(text: str, metrics: QFontMetrics) -> int:
    """Return the height of a line of a text; Chinese letters come from a font with higher lines."""
    room = QRect(0, 0, 1_000_000, 10_000)
    return max(metrics.lineSpacing(), metrics.boundingRect(room, 0, text).height())


def fit_lines(text: str, metrics: QFontMetrics, width: int, most: int) -> str:
    """Return the part of a text that fits in `most` lines, with "…" if it was cut.

    It is cut after a whole word, where there are spaces.
    """
    room, sign = most * _line_height(text, metrics) + 1, find_cut_sign(text)

    def fits(n_chars: int) -> bool:
        part = text[:n_chars] + (sign if n_chars < len(text) else "")
        return metrics.boundingRect(QRect(0, 0, width, 10_000), int(_FLAGS), part).height() <= room

    if fits(len(text)):
        return text
    low, high = 1, min(len(text), most * width)
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    word = text.rfind(" ", low - LONGEST_WORD, low + 1)
    return text[: word if word > 0 else low].rstrip(" ,;:.") + sign


LONGEST_WORD = 24  # characters that may be missing at the end of a cut text


class ColorChip(Swatch):
    """A colour of the filter, with the number of highlights that have it."""

    def __init__(self, theme: Theme, color: str, count: int, parent: QWidget) -> None:
        super().__init__(theme, color, parent)
        self.count = count
        self.setAutoExclusive(False)
        words = tr("Show only: {color}", color=tr(COLOR_WORDS[color]))
        self.setToolTip(words)
        self.setAccessibleName(f"{words} ({format_number(count)})")
        side, around = (theme.length(px) for px in CHIP)
        number = QFontMetrics(theme.font("small_number")).horizontalAdvance(format_number(count))
        self.setFixedSize(side + number + 4 * around, theme.length(24))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, area = self._theme, QRectF(self.rect())
        side, around = (theme.length(px) for px in CHIP)
        with QPainter(self) as painter:
            on = self.isChecked()
            edge = theme.color("accent" if on or self.hasFocus() else "line")
            ground = theme.color("accent_soft" if on or self.underMouse() else "surface")
            paint_box(painter, area, ground, edge, 2.0 if self.hasFocus() else 1.0)
            disc = QRectF(around + 2, area.center().y() - side / 2, side, side)
            paint_swatch(painter, theme, self.color, disc)
            painter.setFont(theme.font("small_number"))
            painter.setPen(theme.color("text"))
            words = area.adjusted(disc.right() + around, 0, 0, 0)
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, format_number(self.count))


class AnnotationsPanel(QWidget):
    """Lists the annotations; signals carry the `Annotation`. `shown` is emitted with its tab."""

    chosen = Signal(object)
    note_written = Signal(object, str, str)  # with the session of writing
    note_begun = Signal(int, bool)  # an annotation, and whether the note in the field has words
    recolored = Signal(object, str)
    tags_wanted = Signal(object, QPoint)  # where the card is, on the screen
    asked = Signal(object)
    copied = Signal(object)
    removed = Signal(object)
    export_wanted = Signal()
    order_chosen = Signal(str)  # a key of `ORDERS`
    shown = Signal()
    marked = Signal()  # another card, or none; see `marked_id`

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._marks: Sequence[Annotation] = ()
        self._place: Callable[[Annotation], PlaceWords] = lambda mark: PlaceWords()
        self._pressed = QPoint()
        self._is_listing = False
        self._written_id: int | None = None  # whose card has a field although it has no note
        self.order = "page"
        self.heading = ElidedLabel("", "strong", self)
        self.sort = IconButton(theme, "ph.sort-ascending", tr("Order of the notes"), self)
        self.sort.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.orders = self._build_orders()
        self.export = IconButton(theme, "ph.export", tr("Export as Markdown…"), self)
        self.export.clicked.connect(self.export_wanted)
        self.filter = SearchField(theme, tr("Filter notes"), self)
        self.filter.searched.connect(lambda _: self._list_marks())
        self.swatches: list[ColorChip] = []
        self._colors = Flow(self)
        self.list = QListWidget(self)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self._delegate = NoteDelegate(theme, self.list)
        self.list.setItemDelegate(self._delegate)
        self.list.viewport().installEventFilter(self)
        self.list.setMouseTracking(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.list.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.list.setObjectName("readerNotes")
        self.list.setAccessibleName(tr("Highlights and bookmarks"))
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.field = NoteField(theme, self.list.viewport())
        self.field.written.connect(self.note_written)
        self.field.begun.connect(self.note_begun)
        self.field.left.connect(self._leave_field)
        self.field.resized.connect(self._place_field)
        self.list.verticalScrollBar().valueChanged.connect(lambda _: self._move_field())
        self.list.itemSelectionChanged.connect(self._follow_selection)
        self.list.itemClicked.connect(self._click)
        self.list.itemActivated.connect(lambda item: self.chosen.emit(item.data(MARK_ROLE)))
        self.list.customContextMenuRequested.connect(self._show_menu)
        MenuKey(self.list)
        KeyDescriptions(self.list, describe_color_keys(KEYS))
        self._add_keys()
        self.nothing = Label(tr(NOTHING), "muted", self, wrap=True)
        self.nothing.setContentsMargins(8, 8, 16, 16)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.nothing_found = Label(tr("No note matches the filter."), "muted", self, wrap=True)
        self.nothing_found.setContentsMargins(8, 8, 16, 16)
        self._head = QWidget(self)
        build_row((self.heading, 1), self.sort, self.export, parent=self._head, spacing=0)
        head = build_column(self._head, self.filter, self._colors, spacing=6, margins=(4, 0, 8, 2))
        build_column(
            head,
            (self.list, 1),
            (self.nothing, 1),
            (self.nothing_found, 1),
            parent=self,
            spacing=4,
        )
        self.set_marks([], lambda _: PlaceWords())

    def _build_orders(self) -> dict[str, QAction]:
        menu = QMenu(self.sort)
        group, actions = QActionGroup(menu), {}
        for order, words in ORDERS.items():
            action = actions[order] = menu.addAction(tr(words))
            action.setCheckable(True)
            group.addAction(action)
            action.triggered.connect(partial(self._choose_order, order))
        self.sort.setMenu(menu)
        return actions

    def _add_keys(self) -> None:
        """Add the keys of `KEYS`, except Return, which the list has."""
        keys = QKeySequence.StandardKey
        acts: list[tuple[QKeySequence, Callable[[Annotation], object]]] = [
            (QKeySequence(keys.Delete), self.removed.emit),
            (QKeySequence(keys.Copy), self.copied.emit),
            (QKeySequence("F2"), self.write_note),
            (QKeySequence("T"), self.edit_tags),
        ]
        for number, color in enumerate(COLOR_WORDS, 1):
            acts.append((QKeySequence(str(number)), partial(self._recolor, color)))
        for sequence, act in acts:
            shortcut = QShortcut(sequence, self.list)
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
            shortcut.activated.connect(partial(self._act_on_current, act))

    def _act_on_current(self, act: Callable[[Annotation], object]) -> None:
        line = self.list.currentItem()
        if line is not None and line.isSelected():
            act(line.data(MARK_ROLE))

    def _recolor(self, color: str, mark: Annotation) -> None:
        if mark.kind == "highlight" and mark.color != color:
            self.recolored.emit(mark, color)

    def edit_tags(self, mark: Annotation) -> None:
        """Ask for the card in which the tags of an annotation are edited."""
        line = self._line_of(mark.id)
        rect = self.list.visualItemRect(line) if line is not None else QRect()
        foot = QPoint(rect.left() + LEFT, rect.bottom())
        self.tags_wanted.emit(mark, self.list.viewport().mapToGlobal(foot))

    def write_note(self, mark: Annotation) -> None:
        """Choose the card of an annotation and go to the field for its note."""
        self._written_id = mark.id
        self.choose(mark.id)
        self._follow_selection()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        cursor = self.field.textCursor()
        cursor.movePosition(cursor.MoveOperation.End)
        self.field.setTextCursor(cursor)

    def choose(self, mark_id: int) -> None:
        """Choose the card of an annotation, if it is listed, and scroll to it."""
        for row in range(self.list.count()):
            line = self.list.item(row)
            if line.data(MARK_ROLE).id == mark_id:
                self.list.setCurrentItem(line)
                line.setSelected(True)
                self.list.scrollToItem(line)

    def save_note(self) -> None:
        """Store what is typed in the field."""
        self.field.store()

    # --- the field for the note -------------------------------------------------------------

    def _follow_selection(self) -> None:
        """Show the field on the chosen card, if that has a note or is to have one.

        The field is exactly over the note, and a card without one stays as high as it is, so that
        no card moves when another one is chosen.
        """
        if not self._is_listing:
            lines = self.list.selectedItems()
            mark: Annotation | None = lines[0].data(MARK_ROLE) if lines else None
            has_field = mark is not None and (bool(mark.note) or mark.id == self._written_id)
            if self._written_id is not None and (mark is None or mark.id != self._written_id):
                self._written_id = None
            self.field.show_note(mark if has_field else None)
            self._place_field()
            self.marked.emit()

    def _place_field(self) -> None:
        """Make room for the field on the chosen card, and place it there."""
        mark, delegate = self.field.mark, self._delegate
        before = delegate.chosen_id, delegate.field_height
        delegate.note_inset = self.field.text_inset()
        delegate.chosen_id = mark.id if mark is not None else None
        line = self._line_of(delegate.chosen_id)
        if line is not None:
            self.field.setFixedWidth(
                self._delegate.field_rect(QRect(), line.data(MARK_ROLE)).width()
            )
            delegate.field_height = self.field.wanted_height()
        if before != (delegate.chosen_id, delegate.field_height):
            chosen = self.list.selectedItems()
            top = self.list.visualItemRect(chosen[0]).top() if chosen else 0
            self.list.doItemsLayout()
            if chosen:  # what is above it may be higher or lower now: it stays under the pointer
                bar = self.list.verticalScrollBar()
                bar.setValue(bar.value() + self.list.visualItemRect(chosen[0]).top() - top)
            if line is not None and self.field.hasFocus():  # it may have grown out of sight
                self.list.scrollToItem(line)
        self._move_field()

    def _move_field(self) -> None:
        line = self._line_of(self._delegate.chosen_id)
        if line is None:
            self.field.hide()
            return
        rect = self._delegate.field_rect(self.list.visualItemRect(line), line.data(MARK_ROLE))
        self.field.setFixedHeight(rect.height())
        self.field.move(rect.topLeft())
        self.field.show()

    def _line_of(self, mark_id: int | None) -> QListWidgetItem | None:
        for row in range(self.list.count()) if mark_id is not None else ():
            if self.list.item(row).data(MARK_ROLE).id == mark_id:
                return self.list.item(row)
        return None

    def _leave_field(self) -> None:
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    # --- order and content ------------------------------------------------------------------

    def _choose_order(self, order: str, _: bool = False) -> None:
        self.set_order(order)
        self.order_chosen.emit(order)

    def set_order(self, order: str) -> None:
        """List the notes in this order, a key of `ORDERS`; an unknown one is ignored."""
        if order in ORDERS:
            self.order = order
            self.orders[order].setChecked(True)
            self._list_marks()

    def set_paged(self, paged: bool) -> None:
        """Set whether the document has pages; a text has chapters."""
        words = tr(ORDERS["page"]) if paged else tr(WITHOUT_PAGES)
        self.orders["page"].setText(words)
        self._show_order()

    def _show_order(self) -> None:
        self.sort.set_words(self.orders[self.order].text())
        self.sort.setFixedWidth(max(self.sort.words_width(), self.sort.sizeHint().width()))

    def set_pictures(self, pictures: Mapping[int, QImage]) -> None:
        """Show these pictures of areas, by annotation, when the annotations are listed again."""
        self._delegate.pictures.light = pictures

    def set_marks(
        self, marks: Sequence[Annotation], place: Callable[[Annotation], PlaceWords]
    ) -> None:
        """List annotations; `place` returns the words for the place of one.

        A single new one is chosen, so that its note can be written at once.
        """
        known = {mark.id for mark in self._marks}
        new = [mark.id for mark in marks if mark.id not in known]
        self._marks, self._place = marks, place
        self._show_swatches()
        self._list_marks()
        if len(new) == 1 and known:
            self._written_id = new[0]
            self.choose(new[0])
            self._follow_selection()

    def _show_swatches(self) -> None:
        """Offer the colours in use as filters, where there are several."""
        used = Counter(mark.color for mark in self._marks if mark.kind == "highlight")
        counts = {color: used[color] for color in COLOR_WORDS if used[color]}
        counts = counts if len(counts) > 1 else {}
        if counts == {swatch.color: swatch.count for swatch in self.swatches}:
            return
        chosen = {swatch.color for swatch in self.swatches if swatch.isChecked()}
        self.swatches = [
            ColorChip(self._theme, color, count, self._colors) for color, count in counts.items()
        ]
        for swatch in self.swatches:
            swatch.setChecked(swatch.color in chosen)
            swatch.toggled.connect(lambda _: self._list_marks())
        self._colors.clear()
        self._colors.add(*self.swatches)
        self._colors.setVisible(bool(counts))

    def _list_marks(self) -> None:
        words = self.filter.text().casefold().split()
        colors = {swatch.color for swatch in self.swatches if swatch.isChecked()}

        def is_wanted(mark: Annotation) -> bool:
            text = f"{mark.quote} {mark.note} {' '.join(mark.tags)}".casefold()
            in_color = mark.kind == "highlight" and mark.color in colors
            return all(word in text for word in words) and (in_color or not colors)

        marks = [mark for mark in self._marks if is_wanted(mark)]
        if self.order == "newest":
            marks.sort(key=lambda mark: (-mark.created_at, -mark.id))
        row, value = self.list.currentRow(), self.list.verticalScrollBar().value()
        chosen = self.field.mark
        self._is_listing = True
        self.list.clear()
        for mark in marks:
            line = QListWidgetItem()
            line.setData(MARK_ROLE, mark)
            place = self._place(mark)
            line.setData(PLACE_ROLE, place)
            line.setToolTip(plain_tip(describe_mark(mark, place)))
            words_of_mark = " ".join(mark.quote.split())[:200]
            spoken = (
                f"{describe_annotation_kind(mark)}, {place.join()}: {words_of_mark}. {mark.note}"
            )
            spoken += f" {tr('Tags')}: {', '.join(mark.tags)}" if mark.tags else ""
            line.setData(Qt.ItemDataRole.AccessibleTextRole, spoken)
            self.list.addItem(line)
        has_marks = bool(self._marks)
        total = trn("{n} note", "{n} notes", len(self._marks))
        if len(marks) < len(self._marks):
            total = tr("{n} of {notes}", n=format_number(len(marks)), notes=total)
        self.heading.setText(total)
        self._show_order()
        self.list.setVisible(bool(marks))
        self.nothing.setVisible(not has_marks)
        self.nothing_found.setVisible(has_marks and not marks)
        for part in (self._head, self.filter):
            part.setVisible(has_marks)
        if 0 <= row < len(marks):
            self.list.setCurrentRow(row)
        again = self._line_of(chosen.id) if chosen is not None else None
        if again is not None:  # the chosen one may have another row now
            self.list.setCurrentItem(again)
        self._is_listing = False
        self._follow_selection()
        self.list.verticalScrollBar().setValue(value)

    def show_current(self, in_sight: Sequence[int]) -> None:
        """Mark the card of an annotation in sight: the marked one, else the first of them.

        The list follows, but not under the pointer or while the keyboard goes through it.

        Args:
            in_sight: the ids of the annotations in sight, in their order in the document.
        """
        if self.field.hasFocus():
            return
        rows = {self.list.item(n).data(MARK_ROLE).id: n for n in range(self.list.count())}
        found = [rows[mark_id] for mark_id in in_sight if mark_id in rows]
        if not found:
            self.list.clearSelection()
            return
        row = self.list.currentRow()
        row = row if row in found else found[0]
        is_used = self.list.underMouse() or self.list.hasFocus()
        with_auto_scroll = self.list.hasAutoScroll()
        self.list.setAutoScroll(not is_used)  # it would go to the current row
        self.list.setCurrentRow(row)
        self.list.item(row).setSelected(True)
        self.list.setAutoScroll(with_auto_scroll)

    @property
    def marked_id(self) -> int | None:
        """The id of the annotation whose card is marked, None while the list is hidden."""
        lines = self.list.selectedItems() if self.isVisible() else []
        return int(lines[0].data(MARK_ROLE).id) if lines else None

    def _click(self, line: QListWidgetItem) -> None:
        mark, rect = line.data(MARK_ROLE), self.list.visualItemRect(line)
        where = self.list.viewport().mapToGlobal(self._pressed)
        if is_on(self._delegate.more_rect(rect), self._pressed):
            self._pop_up(mark, where)
            return
        is_edited = is_on(self._delegate.pencil_rect(rect), self._pressed)
        self.chosen.emit(mark)
        if is_edited:
            self.write_note(mark)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._place_field()  # its edges are known now
        self.shown.emit()
        self.marked.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.save_note()
        self.marked.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep where the list was pressed, and the field on its card."""
        if event.type() == QEvent.Type.Resize:
            self._place_field()
        if event.type() == QEvent.Type.MouseButtonPress:
            self._pressed = cast(QMouseEvent, event).position().toPoint()
        return False

    def build_menu(self, mark: Annotation) -> QMenu:
        """Return the menu of an annotation."""
        menu = QMenu(self)

        def add(words: str, act: Callable[[], object], keys: str = "") -> None:
            action = menu.addAction(words)
            action.setShortcut(QKeySequence(keys))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)  # displayed only
            action.triggered.connect(lambda: act())

        note = tr("Edit note") if mark.note else tr("Add note")
        add(tr("Go to"), lambda: self.chosen.emit(mark), "Enter")
        add(note, lambda: self.write_note(mark), "F2")
        add(tr("Tags…"), lambda: self.edit_tags(mark), "T")
        if mark.kind == "highlight":
            colors = menu.addMenu(tr("Colour"))
            for number, (color, words) in enumerate(COLOR_WORDS.items(), 1):
                action = colors.addAction(tr(words))
                action.setIcon(color_icon(self._theme, color, chosen=color == mark.color))
                action.setShortcut(str(number))
                action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
                action.triggered.connect(lambda _=False, color=color: self._recolor(color, mark))
        menu.addSeparator()
        copy = tr("Copy with citation") if mark.area is None else tr("Copy picture")
        add(copy, lambda: self.copied.emit(mark), "Ctrl+C")
        if mark.quote:
            add(tr("Ask about this"), lambda: self.asked.emit(mark))
        menu.addSeparator()
        add(tr("Remove"), lambda: self.removed.emit(mark), "Del")
        return menu

    def _show_menu(self, point: QPoint) -> None:
        line = self.list.itemAt(point)
        if line is not None:
            self._pop_up(line.data(MARK_ROLE), self.list.viewport().mapToGlobal(point))

    def _pop_up(self, mark: Annotation, where: QPoint) -> None:
        menu = self.build_menu(mark)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(where)
