"""The side panels of the graph: the selected entity or a summary of the view, and found paths.

Are given plain data and emit what was pressed.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar, cast

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QLayout,
    QLayoutItem,
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
from ..widgets.emphasis import LONGEST, build_html, cut_around, find_names
from ..widgets.kind_marks import KindMark, SurenessMark
from ..widgets.labels import show_in_book_font, show_mention
from ..widgets.layout import order_tabs
from ..widgets.provenance import describe_description_source, describe_type_source
from ..widgets.words import ARROWS, fold_case, format_heading, format_statement, plain_tip
from .layers import paint_disc
from .node_colors import FIRST_NUMBERS, build_graph_palette
from .tooltips import describe_kind, shorten

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
        self._theme, self._sentence = theme, mention.sentence
        shown, marks = show_mention(mention)
        if names:  # the evidence of a connection: its range is the whole sentence
            marks = [*find_names(shown.text, names)]
        longest = LONGEST if names else LONGEST_SENTENCE
        self._shown, self._marks = cut_around(shown, marks, longest)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        theme.changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        self.setText(build_html(self._shown, self._marks, "font-weight:600"))  # not shown
        show_in_book_font(self._theme, self, self._sentence, 14)


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
    ) -> PressRow:
        """Return a row with a sentence and its place; emits `mention_chosen` when pressed.

        Args:
            names: marked in the sentence instead of the range of the mention.
            with_title: the place has the title of the document, not only chapter and page.
        """
        row = PressRow(self._theme, f"{mention.document_title}: {mention.sentence}")
        sentence = EvidenceLabel(self._theme, mention, names)
        title, page = mention.document_title, mention.page_label
        chapter = format_heading(mention.heading.split("›")[-1].strip())
        if not with_title and (chapter or page):
            page = tr("p. {page}", page=page) if page else ""
            place = " · ".join(part for part in (chapter, page) if part)
        else:
            place = tr("{title}, p. {page}", title=title, page=page) if page else title
        lines: list[QWidget] = [sentence]
        if with_title or place != title:
            lines.append(ElidedLabel(place, "small"))
        build_column(*lines, parent=row, spacing=2, margins=margins)
        row.setToolTip(
            plain_tip("\n".join(filter(None, (title, chapter, tr("Open this passage")))))
        )
        row.pressed.connect(lambda: self.mention_chosen.emit(mention))
        return row


LONGEST_NAME, LONGEST_TEXT = 160, 420


@dataclass(frozen=True)
class EntityDetails:
    """What the inspector shows of one entity."""

    card: EntityCard
    relations: list[RelationRow]
    mentions: list[MentionRow]
    provenance: EntityProvenance = field(default_factory=EntityProvenance)


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
        self._theme, self._type, self.find_code = theme, entity_type, find_code
        self._list_numbers = list_numbers
        self.setFixedSize(QSize(theme.length(MARK), theme.length(MARK)))

    def paintEvent(self, event: QPaintEvent) -> None:
        area, code = QRectF(self.rect()), self.find_code()
        with QPainter(self) as painter:
            if code is None:
                edge = self._theme.length(MARK - 16) / 2
                disc = area.adjusted(edge, edge, -edge, -edge)
                paint_type_disc(painter, disc, self._type, self._theme)
                return
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(self._theme.font("small"))
            palette = build_graph_palette(self._theme.tokens, self._list_numbers())
            paint_disc(painter, palette, code, area.center(), area.width() * 0.46)


class NeutralTypeMark(QWidget):
    """The grey disc of a type with its letter: colours stand for something else."""

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


def describe_relation(relation: RelationRow, entity_id: int) -> ConnectionLine:
    """Return the row of a connection of an entity."""
    outgoing = int(relation.source_id) == entity_id
    statement = format_statement(relation, entity_id)
    arrow = ""
    if statement:  # from the selected entity to the other one, or back
        direction = relation.direction
        arrow = ARROWS[direction if outgoing else reverse_direction(direction)]
    text = shorten(relation.description or relation.sentence)
    parts = (statement, describe_kind(relation), text)
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


Key = TypeVar("Key", bound=Hashable)  # not shown


class KeptRows(Generic[Key]):
    """The rows of a list by what they show: one that is shown again is not built again.

    A row takes 3 to 7 ms, most of it for the style sheet; most edits change few of them.
    """

    def __init__(self) -> None:
        self._rows: dict[Key, PressRow] = {}
        self._column: QVBoxLayout | None = None

    def take(self, keys: Iterable[Key], build: Callable[[Key], PressRow]) -> list[PressRow]:
        """Return the row of each key; the kept ones are out of the layout, which may be cleared."""
        before, self._rows = self._rows, {}
        for key in keys:
            row = before.pop(key, None)
            if row is not None and self._column is not None:
                self._column.removeWidget(row)
            self._rows[key] = row or build(key)
        return list(self._rows.values())

    def set_column(self, column: QVBoxLayout) -> None:
        """Remember the layout that the rows are in now."""
        self._column = column

    def forget(self) -> None:
        """Keep nothing, because the rows are deleted with their layout."""
        self._rows, self._column = {}, None


def _iter_widgets(layout: QLayout) -> Iterator[QWidget]:
    """Yield the widgets of a layout and of those in it, from the top."""
    for number in range(layout.count()):
        item = cast(QLayoutItem, layout.itemAt(number))
        if (inner := item.layout()) is not None:
            yield from _iter_widgets(inner)
        elif (widget := item.widget()) is not None:
            yield widget


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
        self._type_chip: TypeChip | None = None
        self._head, self._relations, self._evidence = (QVBoxLayout() for _ in range(3))
        self._relation_rows: KeptRows[ConnectionLine] = KeptRows()
        self._mention_rows: KeptRows[tuple[MentionRow, bool]] = KeptRows()
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
        if self._type_chip is not None:
            self._type_chip.set_neutral(not by_type)
        self.update()

    def show_nothing(self) -> None:
        self.details = self.summary = self._type_chip = None
        clear_layout(self.column)
        hint = tr("Select a name to see its details.")
        self._add(self.column, Label(hint, "muted", wrap=True))
        self.column.addStretch(1)

    def show_summary(self, summary: ViewSummary) -> None:
        """Show what the view contains."""
        if self.summary == summary:
            return
        scrolled = self.scroll_area.verticalScrollBar().value() if self.summary else 0
        self.details, self.summary, self._type_chip = None, summary, None
        clear_layout(self.column)
        self._add(self.column, Label(shorten(summary.title, LONGEST_NAME), "title", wrap=True))
        self._add(self.column, Label(summary.facts, "small", wrap=True))
        top = [self._name_row(row) for row in summary.top]
        self._add_rows(self.column, tr("Most connected names"), top, tr("connections"))
        parts = [self._part_row(part) for part in summary.parts]
        self._add_rows(self.column, summary.parts_title, parts, tr("names"))
        self.column.addStretch(1)
        self.scroll_area.verticalScrollBar().setValue(scrolled)

    def show_details(self, details: EntityDetails) -> None:
        """Show one entity; what did not change since it was shown last stays as it is."""
        before, self.details, self.summary = self.details, details, None
        if before == details:
            return
        if before is None:
            clear_layout(self.column)
            self._relation_rows.forget()
            self._mention_rows.forget()
            parts = [build_column(spacing=self.column.spacing()) for _ in range(3)]
            for part in parts:
                self.column.addLayout(part)
            self.column.addStretch(1)
            self._head, self._relations, self._evidence = parts
        self._show_head(details)
        is_same = before is not None and before.card.row.id == details.card.row.id
        if before is None or not is_same or before.relations != details.relations:
            self._show_relations(details)
        if before is None or before.mentions != details.mentions:
            self._show_evidence(details)
        # the order of tabs is that in which widgets were built
        order_tabs(
            widget
            for part in (self._head, self._relations, self._evidence)
            for widget in _iter_widgets(part)
            if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        )
        if not is_same:
            self.scroll_area.verticalScrollBar().setValue(0)

    def _show_head(self, details: EntityDetails) -> None:
        clear_layout(self._head)
        row, entity_id = details.card.row, int(details.card.row.id)
        name = Label(shorten(row.name, LONGEST_NAME), "title", wrap=True)
        name.setToolTip(plain_tip(row.name) if len(row.name) > LONGEST_NAME else "")
        self._add(self._head, name)
        provenance = details.provenance
        type_chip, sureness = TypeChip(self._theme, row.type), SurenessMark(self._theme)
        type_chip.set_neutral(not self._is_by_type)
        self._type_chip = type_chip
        tooltip = describe_type_source(provenance, row.type)
        type_chip.setToolTip(tooltip)
        by_model = provenance.type_from == "model"
        chip = build_row(type_chip, sureness, STRETCH, spacing=8, margins=(INDENT, 0, INDENT, 4))
        self._head.addLayout(chip)
        sureness.set_sureness(provenance.type_sureness if by_model else 0.0, tooltip)
        counts = [
            trn("{n} mention", "{n} mentions", row.n_mentions),
            trn("{n} connection", "{n} connections", row.n_relations),
        ]
        if row.n_documents != 1:
            counts.append(trn("{n} document", "{n} documents", row.n_documents))
        # Non-breaking spaces: a long line breaks between counts.
        line = " · ".join(count.replace(" ", "\u00a0") for count in counts)
        self._add(
            self._head, Label(f"{row.story} · {line}" if row.story else line, "small", wrap=True)
        )
        if names := fold_case(details.card.aliases, row.name):
            also = tr("Also: {names}", names=join_words(names[:6]))
            self._add(self._head, Label(shorten(also, 160), "small", wrap=True))
        # a description made of quotations would repeat the evidence below
        quoted = provenance.description_from == "quote" and bool(details.mentions)
        description = "" if quoted else details.card.description or row.description
        if description:
            self._head.addSpacing(4)
            self._add(self._head, Label(shorten(description, LONGEST_TEXT), wrap=True))
            self._add(
                self._head, Label(describe_description_source(provenance), "small", wrap=True)
            )
        # what changes the view is in the selection bar over the canvas
        open_button = PrimaryButton(tr("Open"), tooltip=tr("Open the page of this name"))
        open_button.clicked.connect(lambda: self.open_wanted.emit(entity_id))
        self._head.addLayout(build_row(open_button, STRETCH, margins=(INDENT, 8, INDENT, 0)))

    def _show_relations(self, details: EntityDetails) -> None:
        entity_id = int(details.card.row.id)
        # sorted by the number that is shown
        relations = sorted(details.relations, key=lambda r: -r.n_evidence)
        cut = len(relations) if len(relations) <= MOST_RELATIONS + 1 else MOST_RELATIONS
        lines = [describe_relation(relation, entity_id) for relation in relations[:cut]]
        shown = self._relation_rows.take(lines, self._relation_row)
        clear_layout(self._relations)
        rows = self._add_rows(self._relations, tr("Strongest connections"), shown, tr("passages"))
        self._relation_rows.set_column(rows)
        if relations[cut:]:
            more = Button(trn("Show {n} more", "Show {n} more", len(relations) - cut), kind="link")
            more.clicked.connect(lambda: self._show_rest(rows, more, relations[cut:], entity_id))
            more.setStyleSheet("margin-left: 3px")  # its text is below the names
            rows.addWidget(more, 0, Qt.AlignmentFlag.AlignLeft)

    def _show_evidence(self, details: EntityDetails) -> None:
        margins = (INDENT, 8, INDENT, 8)
        titles = {mention.document_id: mention.document_title for mention in details.mentions}
        several = len(titles) > 1
        shown = self._mention_rows.take(
            [(mention, several) for mention in details.mentions],
            lambda key: self.build_mention_row(key[0], margins, with_title=key[1]),
        )
        clear_layout(self._evidence)
        note = "" if several else next(iter(titles.values()), "")
        rows = self._add_rows(self._evidence, tr("Evidence"), shown, note=note)
        self._mention_rows.set_column(rows)

    def _add(self, part: QVBoxLayout, label: QLabel) -> None:
        label.setContentsMargins(INDENT, 0, INDENT, 0)
        part.addWidget(label)

    def _add_rows(
        self, part: QVBoxLayout, title: str, rows: list[PressRow], unit: str = "", note: str = ""
    ) -> QVBoxLayout:
        """Add rows with a title, if there are any; `unit` is what their numbers count."""
        column = build_column(*rows, spacing=0)
        if not rows:
            return column
        part.addSpacing(12)
        heading = SectionTitle(title)
        heading.setContentsMargins(INDENT, 0, 0, 0)
        head = build_row((heading, 1), spacing=8, margins=(0, 0, INDENT, 0))
        if unit:
            head.addWidget(Label(unit, "small"))
        part.addLayout(head)
        if note:
            self._add(part, ElidedLabel(note, "small"))
        part.addLayout(column)
        return column

    def _show_rest(
        self, rows: QVBoxLayout, more: Button, relations: Sequence[RelationRow], entity_id: int
    ) -> None:
        """Add the other connections in place of the button that was clicked."""
        rows.removeWidget(more)
        more.hide()
        more.deleteLater()
        for relation in relations:
            rows.addWidget(self._relation_row(describe_relation(relation, entity_id)))
        if (item := rows.itemAt(rows.count() - len(relations))) is not None:
            cast(QWidget, item.widget()).setFocus()

    def _name_row(self, entity: EntityRow) -> PressRow:
        name = " ".join(entity.name.split())
        count = trn("{n} connection", "{n} connections", entity.n_relations)
        mark = self._mark(int(entity.id), entity.type)
        row = self._counted_row(name, entity.n_relations, f"{name}, {count}", mark)
        row.setToolTip(plain_tip(f"{shorten(name)}\n{count}"))
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

    def _relation_row(self, shown: ConnectionLine) -> PressRow:
        row = PressRow(self._theme, shown.statement or shown.other)
        row.setFixedHeight(self._theme.length(28))
        line = build_row(
            (ElidedLabel(shown.other), 1), parent=row, spacing=8, margins=(INDENT, 0, INDENT, 0)
        )
        if shown.other_type:
            line.insertWidget(0, self._mark(shown.other_id, shown.other_type))
        if shown.arrow:
            line.insertWidget(0, Label(shown.arrow, "muted"))
        if shown.kind:
            line.addWidget(KindMark(self._theme, shown.kind, shown.confidence))
        line.addWidget(Label(format_number(shown.n_evidence), "small"))
        row.setToolTip(plain_tip(shown.tip))
        row.pressed.connect(lambda: self.entity_chosen.emit(shown.other_id))
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
        title = Label(f"{shorten(first, 60)} – {shorten(last, 60)}", "title", wrap=True)
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
        names = [shorten(e.name, 40) for e in path.entities]
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
            text = Label(shorten(summary, LONGEST_SENTENCE), wrap=True)
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
