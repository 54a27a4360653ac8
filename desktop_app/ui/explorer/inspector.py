"""The side panels of the graph: the selected entity or a summary of the view, and found paths.

Are given plain data and emit what was pressed.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar, cast

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from desktop_app.engine.model import (
    EntityCard,
    EntityRow,
    MentionRow,
    RelationRow,
    reverse_direction,
)
from desktop_app.engine.services.graph_views import PathStep, ShownPath
from desktop_app.engine.services.provenance import EntityProvenance

from ..theme.theme import Theme
from ..translation import later, tr, trn
from ..widgets import (
    STRETCH,
    Button,
    ElidedLabel,
    IconButton,
    Label,
    PrimaryButton,
    SectionTitle,
    TypeChip,
    build_column,
    build_row,
    clear_layout,
    format_number,
    join_words,
    paint_type_disc,
)
from ..widgets.emphasis import LONGEST, build_html, cut_around, find_name_spans
from ..widgets.kind_marks import KindMark, SurenessMark
from ..widgets.labels import show_in_book_font, show_mention
from ..widgets.layout import order_tabs, settle_scrolled
from ..widgets.provenance import describe_description_source, describe_type_source
from ..widgets.words import ARROWS, fold_case, format_heading, format_statement, plain_tip
from .layers import paint_disc
from .node_colors import FIRST_NUMBERS, build_graph_palette
from .tooltips import describe_relation_kind, shorten_line

WIDTH = 300
INDENT = 8  # rows are wider than text, so that their background has room
LONGEST_SENTENCE = 220
MARK = 20  # pixels of the square of a disc; that of a type has 16
MOST_RELATIONS = 8  # shown before all are asked for


class PressRow(QWidget):
    """A row that can be pressed with the mouse or with Return."""

    pressed = Signal()

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        is_inside = self.rect().contains(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and is_inside:
            self.pressed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.pressed.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        if not (self.underMouse() or self.hasFocus()):
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("accent_soft"))
        painter.drawRoundedRect(self.rect(), 6, 6)
        painter.end()


class EvidenceLabel(Label):
    """A quoted sentence in the font of books, with its names in bold type."""

    def __init__(self, theme: Theme, mention: MentionRow, names: Sequence[str] = ()) -> None:
        super().__init__("", wrap=True)
        self._theme = theme
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.show_mention(mention, names)
        theme.changed.connect(self._restyle)

    def show_mention(self, mention: MentionRow, names: Sequence[str] = ()) -> None:
        """Show another sentence."""
        self._sentence = mention.sentence
        shown, marks = show_mention(mention)
        if names:  # the evidence of a connection: its range is the whole sentence
            marks = [*find_name_spans(shown.text, names)]
        longest = LONGEST if names else LONGEST_SENTENCE
        self._shown, self._marks = cut_around(shown, marks, longest)
        self._restyle()

    def _restyle(self) -> None:
        self.setText(build_html(self._shown, self._marks, "font-weight:600"))  # not shown
        show_in_book_font(self._theme, self, self._sentence, 14)


class MentionLine(PressRow):
    """A row with a sentence and its place.

    Args:
        names: marked in the sentence instead of the range of the mention.
        with_title: the place has the title of the document, not only chapter and page.
    """

    def __init__(
        self,
        theme: Theme,
        mention: MentionRow,
        margins: tuple[int, int, int, int],
        *,
        names: Sequence[str] = (),
        with_title: bool = True,
    ) -> None:
        super().__init__(theme, "")
        self.mention = mention
        self._sentence = EvidenceLabel(theme, mention, names)
        self._place = ElidedLabel("", "small")
        build_column(self._sentence, self._place, parent=self, spacing=2, margins=margins)
        self._show_place(with_title)

    def show_mention(self, mention: MentionRow, *, with_title: bool = True) -> None:
        """Show another sentence; what is the same stays, which is faster than a new row."""
        if mention != self.mention:
            self.mention = mention
            self._sentence.show_mention(mention)
        self._show_place(with_title)

    def _show_place(self, with_title: bool) -> None:
        mention = self.mention
        title, page = mention.document_title, mention.page_label
        chapter = format_heading(mention.heading.split("›")[-1].strip())
        if not with_title and (chapter or page):
            page = tr("p. {page}", page=page) if page else ""
            place = " · ".join(part for part in (chapter, page) if part)
        else:
            place = tr("{title}, p. {page}", title=title, page=page) if page else title
        if place != self._place.full_text():
            self._place.setText(place)
        self._place.setVisible(with_title or place != title)
        self.setAccessibleName(f"{title}: {mention.sentence}")
        self.setToolTip(
            plain_tip("\n".join(filter(None, (title, chapter, tr("Open this passage")))))
        )


class SidePanel(QFrame):
    """A column of fixed width that scrolls; `mention_chosen` with a `MentionRow`."""

    mention_chosen = Signal(object)

    def __init__(
        self, theme: Theme, *, above: int, spacing: int, parent: QWidget | None = None
    ) -> None:
        """`above` is the margin over the first line, `spacing` between lines, in pixels."""
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("inspector")
        theme.changed.connect(self._fit_width)
        self._fit_width()
        self.scroll_area = QScrollArea(self)
        self.scroll_area.setWidgetResizable(True)
        self.scroll_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll_area.setAccessibleName(tr("Details of the selection"))
        body = QWidget(self.scroll_area)
        body.setObjectName("inspectorBody")
        self.column = build_column(parent=body, spacing=spacing, margins=(8, above, 8, 16))
        self.scroll_area.setWidget(body)
        build_column(self.scroll_area, parent=self)

    def _fit_width(self) -> None:
        self.setFixedWidth(self._theme.breadth(WIDTH))

    def build_mention_row(
        self,
        mention: MentionRow,
        margins: tuple[int, int, int, int],
        *,
        names: Sequence[str] = (),
        with_title: bool = True,
    ) -> MentionLine:
        """Return a row that emits `mention_chosen` when pressed; see `MentionLine`."""
        row = MentionLine(self._theme, mention, margins, names=names, with_title=with_title)
        row.pressed.connect(lambda: self.mention_chosen.emit(row.mention))
        return row


LONGEST_NAME, LONGEST_TEXT = 160, 420


@dataclass(frozen=True)
class EntityDetails:
    """What the inspector shows of one entity."""

    card: EntityCard
    relations: list[RelationRow]
    mentions: list[MentionRow]
    provenance: EntityProvenance = field(default_factory=EntityProvenance)
    n_in_view: int | None = None  # of its connections; None where there is no view


@dataclass(frozen=True)
class ViewPart:
    """Names of a view that have something in common: a type or a community.

    Attributes:
        type: of all these names, empty for a community.
        ids: of the names.
    """

    words: str
    ids: tuple[int, ...]
    type: str = ""


@dataclass(frozen=True)
class ViewSummary:
    """What a view shows, for the panel while no name is selected.

    Attributes:
        top: the names with most connections, the first one with the most.
        parts_title: what `parts` are, as a title.
    """

    title: str
    facts: str
    top: Sequence[EntityRow] = ()
    parts_title: str = ""
    parts: Sequence[ViewPart] = ()


class NameMark(QWidget):
    """A disc as on the canvas: of the type, or of what else the colours of nodes stand for.

    Args:
        find_code: returns the code of the colour of the name, None while colours are of types.
        list_numbers: returns the numbers of the step colours (`GraphData.step_numbers`).
    """

    def __init__(
        self,
        theme: Theme,
        entity_type: str,
        find_code: Callable[[], int | None],
        list_numbers: Callable[[], Sequence[int]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme, self.type, self.find_code = theme, entity_type, find_code
        self._list_numbers = list_numbers
        self.setFixedSize(QSize(theme.length(MARK), theme.length(MARK)))

    def paintEvent(self, event: QPaintEvent) -> None:
        area, code = QRectF(self.rect()), self.find_code()
        with QPainter(self) as painter:
            if code is None:
                edge = self._theme.length(MARK - 16) / 2
                disc = area.adjusted(edge, edge, -edge, -edge)
                paint_type_disc(painter, disc, self.type, self._theme)
                return
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(self._theme.font("small"))
            palette = build_graph_palette(self._theme.tokens, self._list_numbers())
            radius = area.width() * 0.46
            paint_disc(painter, palette, code, area.center(), radius, in_list=True)


class NeutralTypeMark(QWidget):
    """The grey disc of a type with its pictogram: colours stand for something else."""

    def __init__(self, theme: Theme, entity_type: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._type = theme, entity_type
        self.setFixedSize(QSize(theme.length(MARK), theme.length(MARK)))

    def paintEvent(self, event: QPaintEvent) -> None:
        edge = self._theme.length(MARK - 16) / 2
        area = QRectF(self.rect()).adjusted(edge, edge, -edge, -edge)
        with QPainter(self) as painter:
            paint_type_disc(painter, area, self._type, self._theme, neutral=True)


@dataclass(frozen=True)
class ConnectionLine:
    """What a row of a connection shows, as seen from the selected entity."""

    other: str
    other_id: int
    other_type: str
    statement: str
    arrow: str
    kind: str
    confidence: float
    n_evidence: int
    tip: str


def build_connection_line(relation: RelationRow, entity_id: int) -> ConnectionLine:
    """Return the row of a connection of an entity."""
    outgoing = int(relation.source_id) == entity_id
    statement = format_statement(relation, entity_id)
    arrow = ""
    if statement:  # from the selected entity to the other one, or back
        direction = relation.direction
        arrow = ARROWS[direction if outgoing else reverse_direction(direction)]
    text = shorten_line(relation.description or relation.sentence)
    parts = (statement, describe_relation_kind(relation), text)
    return ConnectionLine(
        other=relation.target if outgoing else relation.source,
        other_id=int(relation.target_id if outgoing else relation.source_id),
        other_type=relation.target_type if outgoing else relation.source_type,
        statement=statement,
        arrow=arrow,
        kind=relation.kind,
        confidence=relation.confidence,
        n_evidence=relation.n_evidence,
        tip="\n".join(part for part in parts if part),
    )


class ConnectionRow(PressRow):
    """A row of a connection: the arrow, the mark and name of the other end, kind and number.

    Args:
        find_code: returns the code of the colour of a name (`NameMark`).
    """

    def __init__(
        self,
        theme: Theme,
        line: ConnectionLine,
        find_code: Callable[[int], int | None],
        list_numbers: Callable[[], Sequence[int]],
    ) -> None:
        super().__init__(theme, "")
        self.line = line
        self.setFixedHeight(theme.length(28))
        self._arrow = Label("", "muted")
        self._mark = NameMark(theme, "", lambda: find_code(self.line.other_id), list_numbers)
        self._name, self._number = ElidedLabel(""), Label("", "small")
        self._kind = KindMark(theme, "")
        build_row(
            *(self._arrow, self._mark, (self._name, 1), self._kind, self._number),
            parent=self,
            spacing=8,
            margins=(INDENT, 0, INDENT, 0),
        )
        self.show_line(line)

    def show_line(self, line: ConnectionLine) -> None:
        """Show another connection; a new row takes ten times as long."""
        self.line = line
        self.setAccessibleName(line.statement or line.other)
        self.setToolTip(plain_tip(line.tip))
        self._arrow.setText(line.arrow)
        self._arrow.setVisible(bool(line.arrow))
        self._mark.type = line.other_type
        self._mark.setVisible(bool(line.other_type))
        self._mark.update()
        self._name.setText(line.other)
        self._kind.set_kind(line.kind, line.confidence)
        self._kind.setVisible(bool(line.kind))
        self._number.setText(format_number(line.n_evidence))


MOST_SPARE = 12  # rows that are kept for the next name: as many as most names have
Key = TypeVar("Key", bound=Hashable)  # not shown
Row = TypeVar("Row", bound=PressRow)  # not shown


class KeptRows(Generic[Key, Row]):
    """The rows of a list by what they show: one that is shown again stays as it is.

    Others show something else; a new row takes 3 to 7 ms, most of it for the style sheet.

    Args:
        build: returns a row for a key.
        change: makes a row show another key.
    """

    def __init__(self, build: Callable[[Key], Row], change: Callable[[Row, Key], None]) -> None:
        self._build, self._change = build, change
        self._rows: dict[Key, Row] = {}
        self._spare: list[Row] = []  # hidden; an undo needs them again
        self.column = build_column(spacing=0)

    def list_rows(self) -> list[Row]:
        return list(self._rows.values())

    def show(self, keys: Iterable[Key]) -> bool:
        """Show the row of each key in `column`, in this order; return whether rows moved."""
        before, wanted = self._rows, dict.fromkeys(keys)
        free = [row for key, row in before.items() if key not in wanted] + self._spare
        self._rows, moved = {}, len(wanted) != len(before)
        for place, key in enumerate(wanted):
            row = before.get(key)
            if row is None and free:
                row = free.pop(0)
                self._change(row, key)
            if row is None:
                row = self._build(key)
            item = self.column.itemAt(place)
            if item is None or item.widget() is not row:
                moved = True
                self.column.removeWidget(row)
                self.column.insertWidget(place, row)
            row.show()
            self._rows[key] = row
        self._spare = free[:MOST_SPARE]
        for row in free:
            self.column.removeWidget(row)
            row.hide()
        for row in free[MOST_SPARE:]:
            row.deleteLater()
        return moved


class TitledRows(QWidget):
    """A title with rows below it, which is hidden while there are none.

    Args:
        unit: what the numbers of the rows count.
    """

    def __init__(self, title: str, column: QVBoxLayout, unit: str = "") -> None:
        super().__init__()
        heading = SectionTitle(title)
        heading.setContentsMargins(INDENT, 0, 0, 0)
        head = build_row((heading, 1), spacing=8, margins=(0, 0, INDENT, 0))
        if unit:
            head.addWidget(Label(unit, "small"))
        self._note = ElidedLabel("", "small")
        self._note.setContentsMargins(INDENT, 0, INDENT, 0)
        self._note.hide()
        build_column(head, self._note, column, parent=self, spacing=8, margins=(0, 12, 0, 0))

    def set_note(self, note: str) -> None:
        """Show a line above the rows, none for ""."""
        self._note.setText(note)
        self._note.setVisible(bool(note))


def list_lines(details: EntityDetails) -> list[ConnectionLine]:
    """Return the rows of the connections of an entity, sorted by the number that is shown."""
    entity_id = int(details.card.row.id)
    relations = sorted(details.relations, key=lambda relation: -relation.n_evidence)
    return [build_connection_line(relation, entity_id) for relation in relations]


class DetailHead(QWidget):
    """What is known of an entity, above its connections, with the button that opens its page."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.name = Label("", "title", wrap=True)
        self.chip, self.sureness = TypeChip(theme, "other"), SurenessMark(theme)
        self.counts, self.aliases, self.source = (Label("", "small", wrap=True) for _ in range(3))
        self.description = Label("", wrap=True)
        # what changes the view is in the selection bar over the canvas
        self.open_button = PrimaryButton(tr("Open"), tooltip=tr("Open the page of this name"))
        for label in (self.name, self.counts, self.aliases, self.source):
            label.setContentsMargins(INDENT, 0, INDENT, 0)
        self.description.setContentsMargins(INDENT, 4, INDENT, 0)
        margins = (INDENT, 0, INDENT, 4)
        build_column(
            self.name,
            build_row(self.chip, self.sureness, STRETCH, spacing=8, margins=margins),
            *(self.counts, self.aliases, self.description, self.source),
            build_row(self.open_button, STRETCH, margins=(INDENT, 8, INDENT, 0)),
            parent=self,
            spacing=8,
        )

    def show_entity(self, details: EntityDetails, *, neutral: bool) -> None:
        """Show an entity; `neutral` if colours do not stand for types."""
        row, provenance = details.card.row, details.provenance
        set_text(self.name, shorten_line(row.name, LONGEST_NAME))
        self.name.setToolTip(plain_tip(row.name) if len(row.name) > LONGEST_NAME else "")
        tooltip = describe_type_source(provenance, row.type)
        self.chip.set_type(row.type)
        self.chip.set_neutral(neutral)
        self.chip.setToolTip(tooltip)
        by_model = provenance.type_from == "model"
        self.sureness.set_sureness(provenance.type_sureness if by_model else 0.0, tooltip)
        set_text(self.counts, describe_counts(row, details.n_in_view))
        also = ""
        if names := fold_case(details.card.aliases, row.name):
            also = shorten_line(tr("Also: {names}", names=join_words(names[:6])), 160)
        set_text(self.aliases, also)
        # a description made of quotations would repeat the evidence below
        quoted = provenance.description_from == "quote" and bool(details.mentions)
        description = "" if quoted else details.card.description or row.description
        set_text(self.description, shorten_line(description, LONGEST_TEXT))
        set_text(self.source, describe_description_source(provenance) if description else "")


def set_text(label: Label, text: str) -> None:
    """Change a label only where it shows something else, and hide it without a text."""
    if label.text() != text:
        label.setText(text)
    label.setVisible(bool(text))


def describe_counts(row: EntityRow, n_in_view: int | None = None) -> str:
    """Return the story of a name and how often it is mentioned and connected.

    Args:
        n_in_view: how many of its connections the view has, if there is one.
    """
    connections = trn("{n} connection", "{n} connections", row.n_relations)
    if n_in_view is not None and n_in_view < row.n_relations:
        k = format_number(n_in_view)
        connections = trn(
            "{k} of {n} connection drawn", "{k} of {n} connections drawn", row.n_relations, k=k
        )
    counts = [trn("{n} mention", "{n} mentions", row.n_mentions), connections]
    if row.n_documents != 1:
        counts.append(trn("{n} document", "{n} documents", row.n_documents))
    # Non-breaking spaces: a long line breaks between counts.
    line = " · ".join(count.replace(" ", "\u00a0") for count in counts)
    return f"{row.story} · {line}" if row.story else line


@dataclass(frozen=True)
class DetailParts:
    """The parts of the panel that show an entity; they stay while another one is selected."""

    page: QWidget
    head: DetailHead
    relations: TitledRows
    relation_rows: KeptRows[ConnectionLine, ConnectionRow]
    more: Button
    evidence: TitledRows
    mention_rows: KeptRows[tuple[MentionRow, bool], MentionLine]

    def order_tabs(self) -> None:
        """Set the order of tabs, which otherwise is that in which widgets were built."""
        relations, mentions = self.relation_rows.list_rows(), self.mention_rows.list_rows()
        order_tabs([self.head.open_button, *relations, self.more, *mentions])


class Inspector(SidePanel):
    """Shows one entity, or a summary of the view while none is selected.

    Emits `entity_chosen` for a name, `names_chosen` for the ids of a type or community, and
    `mention_chosen` for a sentence.
    """

    entity_chosen = Signal(int)
    names_chosen = Signal(object)
    open_wanted = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, above=16, spacing=8, parent=parent)
        self.details: EntityDetails | None = None
        self.summary: ViewSummary | None = None
        self._find_code: Callable[[int], int | None] = lambda _: None
        self._is_by_type, self._step_numbers = True, FIRST_NUMBERS
        # Built for the first entity; hidden, not deleted, while none is selected: rows are dear.
        self._parts: DetailParts | None = None
        self._rest = QVBoxLayout()  # what is shown while none is selected
        self._rest.setSpacing(self.column.spacing())
        self.column.addLayout(self._rest)
        self.column.addStretch(1)
        self.show_nothing()

    def set_colors(
        self,
        find_code: Callable[[int], int | None],
        *,
        by_type: bool,
        step_numbers: Sequence[int],
    ) -> None:
        """Mark names with the colours of the canvas.

        Args:
            find_code: returns the code of the colour of a name, None while colours are of types.
            by_type: colours stand for types; otherwise types are grey.
            step_numbers: see `GraphData`.
        """
        self._find_code, self._is_by_type = find_code, by_type
        self._step_numbers = tuple(step_numbers)
        if self._parts is not None:
            self._parts.head.chip.set_neutral(not by_type)
        self.update()

    def show_nothing(self) -> None:
        self.details = self.summary = None
        self._leave_details()
        hint = tr("Select a name to see its details.")
        self._add(Label(hint, "muted", wrap=True))

    def _leave_details(self) -> None:
        """Show what is in `_rest`, which is empty, in place of an entity."""
        clear_layout(self._rest)
        if self._parts is not None:
            self._parts.page.hide()

    def show_summary(self, summary: ViewSummary) -> None:
        """Show what the view contains."""
        if self.summary == summary:
            return
        scrolled = self.scroll_area.verticalScrollBar().value() if self.summary else 0
        self.details, self.summary = None, summary
        self._leave_details()
        self._add(Label(shorten_line(summary.title, LONGEST_NAME), "title", wrap=True))
        self._add(Label(summary.facts, "small", wrap=True))
        top = [self._name_row(row) for row in summary.top]
        self._add_rows(tr("Most connected names"), top, tr("connections"))
        parts = [self._part_row(part) for part in summary.parts]
        self._add_rows(summary.parts_title, parts, tr("names"))
        self.scroll_area.verticalScrollBar().setValue(scrolled)

    def show_details(self, details: EntityDetails) -> None:
        """Show one entity; what did not change since it was shown last stays as it is."""
        before, self.details, self.summary = self.details, details, None
        if before == details:
            return
        parts = self._parts
        if parts is None:
            parts = self._parts = self._build_parts()
        parts.head.show_entity(details, neutral=not self._is_by_type)
        is_same = before is not None and before.card.row.id == details.card.row.id
        moved = before is None
        if before is None or not is_same or before.relations != details.relations:
            moved |= self._show_relations(parts, details)
        if before is None or before.mentions != details.mentions:
            moved |= self._show_evidence(parts, details)
        if moved:
            parts.order_tabs()
        if before is None:
            clear_layout(self._rest)
            parts.page.show()
        if moved and self.isVisible():
            settle_scrolled(self.scroll_area)
        if not is_same:
            self.scroll_area.verticalScrollBar().setValue(0)

    def _build_parts(self) -> DetailParts:
        margins = (INDENT, 8, INDENT, 8)
        head = DetailHead(self._theme)
        head.open_button.clicked.connect(self._open_shown)
        relation_rows = KeptRows(self._relation_row, ConnectionRow.show_line)
        mention_rows = KeptRows[tuple[MentionRow, bool], MentionLine](
            lambda key: self.build_mention_row(key[0], margins, with_title=key[1]),
            lambda row, key: row.show_mention(key[0], with_title=key[1]),
        )
        more = Button("", kind="link")
        more.setStyleSheet("margin-left: 3px")  # its text is below the names
        more.clicked.connect(self._show_rest)
        below = build_column(relation_rows.column, (more, 0, Qt.AlignmentFlag.AlignLeft), spacing=0)
        relations = TitledRows(tr("Strongest connections"), below, tr("passages"))
        evidence = TitledRows(tr("In the text"), mention_rows.column)
        page = QWidget()
        build_column(head, relations, evidence, parent=page, spacing=self.column.spacing())
        self.column.insertWidget(0, page)
        return DetailParts(page, head, relations, relation_rows, more, evidence, mention_rows)

    def _open_shown(self) -> None:
        if self.details is not None:
            self.open_wanted.emit(int(self.details.card.row.id))

    def _show_relations(self, parts: DetailParts, details: EntityDetails) -> bool:
        """Show the strongest connections; return whether rows moved."""
        lines = list_lines(details)
        cut = len(lines) if len(lines) <= MOST_RELATIONS + 1 else MOST_RELATIONS
        n_more = len(lines) - cut
        if n_more:
            parts.more.setText(trn("Show {n} more", "Show {n} more", n_more))
        parts.more.setVisible(n_more > 0)
        parts.relations.setVisible(bool(lines))
        return parts.relation_rows.show(lines[:cut])

    def _show_rest(self) -> None:
        """Add the other connections in place of the button that was clicked."""
        if self.details is None or self._parts is None:
            return
        parts, lines = self._parts, list_lines(self.details)
        first = parts.relation_rows.column.count()
        parts.more.hide()
        parts.relation_rows.show(lines)
        parts.order_tabs()
        if (item := parts.relation_rows.column.itemAt(first)) is not None:
            cast(QWidget, item.widget()).setFocus()

    def _show_evidence(self, parts: DetailParts, details: EntityDetails) -> bool:
        """Show the sentences; return whether rows moved."""
        titles = {mention.document_id: mention.document_title for mention in details.mentions}
        several = len(titles) > 1
        parts.evidence.set_note("" if several else next(iter(titles.values()), ""))
        parts.evidence.setVisible(bool(titles))
        return parts.mention_rows.show((mention, several) for mention in details.mentions)

    def _add(self, label: QLabel) -> None:
        label.setContentsMargins(INDENT, 0, INDENT, 0)
        self._rest.addWidget(label)

    def _add_rows(self, title: str, rows: list[PressRow], unit: str) -> None:
        """Add rows with a title, if there are any; `unit` is what their numbers count."""
        if rows:
            self._rest.addWidget(TitledRows(title, build_column(*rows, spacing=0), unit))

    def _name_row(self, entity: EntityRow) -> PressRow:
        name = " ".join(entity.name.split())
        count = trn("{n} connection", "{n} connections", entity.n_relations)
        mark = self._mark(int(entity.id), entity.type)
        row = self._counted_row(name, entity.n_relations, f"{name}, {count}", mark)
        row.setToolTip(plain_tip(f"{shorten_line(name)}\n{count}"))
        row.pressed.connect(lambda: self.entity_chosen.emit(int(entity.id)))
        return row

    def _part_row(self, part: ViewPart) -> PressRow:
        count = trn("{n} name", "{n} names", len(part.ids))
        mark = NeutralTypeMark(self._theme, part.type) if part.type else None
        row = self._counted_row(part.words, len(part.ids), f"{part.words}, {count}", mark)
        row.setToolTip(plain_tip(f"{part.words}\n{count}\n" + tr("Click to select these names")))
        row.pressed.connect(lambda: self.names_chosen.emit(part.ids))
        return row

    def _mark(self, entity_id: int, entity_type: str) -> NameMark:
        return NameMark(
            self._theme,
            entity_type,
            lambda: self._find_code(entity_id),
            lambda: self._step_numbers,
        )

    def _counted_row(self, words: str, count: int, spoken: str, mark: QWidget | None) -> PressRow:
        row = PressRow(self._theme, spoken)
        row.setFixedHeight(self._theme.length(28))
        line = build_row(
            (ElidedLabel(words), 1), parent=row, spacing=8, margins=(INDENT, 0, INDENT, 0)
        )
        if mark is not None:
            line.insertWidget(0, mark)
        line.addWidget(Label(format_number(count), "small"))
        return row

    def _relation_row(self, line: ConnectionLine) -> ConnectionRow:
        row = ConnectionRow(
            self._theme,
            line,
            lambda entity_id: self._find_code(entity_id),
            lambda: self._step_numbers,
        )
        row.pressed.connect(lambda: self.entity_chosen.emit(row.line.other_id))
        return row


PATH_TITLES = {
    "shortest": later("Shortest path"),
    "strongest": later("Strongest path"),
    "another": later("Other path"),
}


class PathPanel(SidePanel):
    """Shows paths; emits `path_chosen` with the ids of one, `mention_chosen` for a sentence."""

    path_chosen = Signal(object)
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, above=12, spacing=4, parent=parent)
        self.paths: list[ShownPath] = []
        self._has_several = False  # documents in the evidence
        self.hide()

    def show_paths(self, first: str, last: str, paths: list[ShownPath]) -> None:
        """Show the paths between two entities, or that there are none."""
        self.paths = paths
        clear_layout(self.column)
        title = Label(f"{shorten_line(first, 60)} – {shorten_line(last, 60)}", "title", wrap=True)
        title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        close = IconButton(self._theme, "close", tr("Close"))
        close.clicked.connect(self.closed)
        head = build_row(
            (title, 1), (close, 0, Qt.AlignmentFlag.AlignTop), margins=(INDENT, 0, 0, 0)
        )
        self.column.addLayout(head)
        if not paths:
            text = Label(tr("No path connects these two names."), wrap=True)
            text.setContentsMargins(INDENT, 8, INDENT, 0)
            self.column.addWidget(text)
        evidence = [m for path in paths for step in path.steps for m in step.evidence]
        titles = {mention.document_id: mention.document_title for mention in evidence}
        self._has_several = len(titles) > 1
        if len(titles) == 1:
            document = ElidedLabel(next(iter(titles.values())), "small")
            document.setContentsMargins(INDENT, 0, INDENT, 0)
            self.column.addWidget(document)
        for path in paths:
            self._add_path(path)
        self.column.addStretch(1)
        self.scroll_area.verticalScrollBar().setValue(0)
        self.show()

    def entity_ids(self) -> set[int]:
        """Return the entities of all shown paths."""
        return {int(i) for path in self.paths for i in path.ids}

    def _add_path(self, path: ShownPath) -> None:
        self.column.addSpacing(8)
        names = [shorten_line(e.name, 40) for e in path.entities]
        title = tr(PATH_TITLES[path.how])
        row = PressRow(self._theme, tr("{title}: {names}", title=title, names=join_words(names)))
        steps = trn("{n} step", "{n} steps", len(path.steps))
        line = Label(" – ".join(names), "strong", wrap=True)
        line.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        facts = Label(f"{title} · {steps}", "small", wrap=True)
        build_column(facts, line, parent=row, spacing=0, margins=(INDENT, 6, INDENT, 6))
        row.setToolTip(tr("Highlight this path"))
        row.pressed.connect(lambda: self.path_chosen.emit(path.ids))
        self.column.addWidget(row)
        pairs = zip(itertools.pairwise(path.entities), itertools.pairwise(names), strict=True)
        for step, ((first, _), (a, b)) in zip(path.steps, pairs, strict=True):
            relation = step.relation
            same_order = relation.source_id == first.id
            direction = relation.direction
            direction = direction if same_order else reverse_direction(direction)
            self._add_step(step, f"{a} {ARROWS[direction]} {b}")

    def _add_step(self, step: PathStep, words: str) -> None:
        relation = step.relation
        margins = (INDENT + 8, 2, INDENT, 0)
        line = build_row((ElidedLabel(words, "small"), 1), spacing=8, margins=margins)
        if relation.kind:
            line.addWidget(KindMark(self._theme, relation.kind, relation.confidence))
        self.column.addLayout(line)
        if not step.evidence and (summary := relation.description or relation.sentence):
            text = Label(shorten_line(summary, LONGEST_SENTENCE), wrap=True)
            text.setContentsMargins(INDENT + 8, 0, INDENT, 4)
            self.column.addWidget(text)
        for mention in step.evidence[:1] if len(self.paths) > 1 else step.evidence:
            row = self.build_mention_row(
                mention,
                (INDENT + 8, 2, INDENT, 6),
                names=(relation.source, relation.target),
                with_title=self._has_several,
            )
            self.column.addWidget(row)
