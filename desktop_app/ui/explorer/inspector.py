"""The side panels of the graph: the selected entity, and the paths between two entities.

Are given plain data and emit what was pressed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from desktop_app.engine.model import EntityCard, MentionRow, RelationRow
from desktop_app.engine.services.graph_views import PathStep, ShownPath
from desktop_app.engine.services.provenance import EntityProvenance

from ..language import later, tr, trn
from ..theme.theme import Theme
from ..widgets import (
    Button,
    ElidedLabel,
    Flow,
    IconButton,
    Label,
    PrimaryButton,
    SectionTitle,
    TypeChip,
    clear_layout,
    format_number,
    join_words,
)
from ..widgets.kind_marks import KindMark, SurenessMark
from ..widgets.provenance import describe_description_source, describe_type_source
from .tooltips import describe_kind, shorten

WIDTH = 300
INDENT = 8  # rows are wider than text, so that their background has room
LONGEST_SENTENCE = 220


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
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.pos()):
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
        self.scroll = QScrollArea(self)
        self.scroll.setWidgetResizable(True)
        self.scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll.setAccessibleName(tr("About what is chosen"))
        body = QWidget(self.scroll)
        body.setObjectName("inspectorBody")
        self.column = QVBoxLayout(body)
        self.column.setContentsMargins(8, above, 8, 16)
        self.column.setSpacing(spacing)
        self.scroll.setWidget(body)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self.scroll)

    def _fit_width(self) -> None:
        self.setFixedWidth(self._theme.breadth(WIDTH))

    def build_mention_row(
        self, mention: MentionRow, margins: tuple[int, int, int, int]
    ) -> PressRow:
        """Return a row with a sentence and its place; emits `mention_chosen` when pressed."""
        row = PressRow(self._theme, f"{mention.document_title}: {mention.sentence}")
        inside = QVBoxLayout(row)
        inside.setContentsMargins(*margins)
        inside.setSpacing(2)
        sentence = Label(shorten(mention.sentence, LONGEST_SENTENCE), wrap=True)
        sentence.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        inside.addWidget(sentence)
        place = title = mention.document_title
        if mention.page_label:
            place = tr("{title}, p. {page}", title=title, page=mention.page_label)
        inside.addWidget(ElidedLabel(place, "small"))
        row.setToolTip(tr("Open this passage"))
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


class Inspector(SidePanel):
    """Shows one entity; emits `entity_chosen` for a neighbour, `mention_chosen` for a sentence."""

    entity_chosen = Signal(int)
    open_wanted = Signal(int)
    expand_wanted = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, above=16, spacing=8, parent=parent)
        self.details: EntityDetails | None = None
        self.show_nothing()

    def show_nothing(self) -> None:
        self.details = None
        clear_layout(self.column)
        hint = tr("Select a name to see who it is and where it is mentioned.")
        self._add(Label(hint, "muted", wrap=True))
        self.column.addStretch(1)

    def show_details(self, details: EntityDetails) -> None:
        self.details = details
        clear_layout(self.column)
        row, entity_id = details.card.row, int(details.card.row.id)
        name = Label(shorten(row.name, LONGEST_NAME), "title", wrap=True)
        name.setToolTip(escape(row.name) if len(row.name) > LONGEST_NAME else "")
        self._add(name)
        chip = QHBoxLayout()
        chip.setContentsMargins(INDENT, 0, INDENT, 4)
        chip.setSpacing(8)
        provenance = details.provenance
        tooltip = describe_type_source(provenance, row.type)
        type_chip = TypeChip(self._theme, row.type)
        type_chip.setToolTip(tooltip)
        chip.addWidget(type_chip)
        if provenance.type_from == "model" and provenance.type_sureness:
            sureness = SurenessMark(self._theme)
            sureness.set_sureness(provenance.type_sureness, tooltip)
            chip.addWidget(sureness)
        chip.addStretch(1)
        self.column.addLayout(chip)
        counts = [
            trn("{n} mention", "{n} mentions", row.n_mentions),
            trn("{n} connection", "{n} connections", row.n_relations),
        ]
        if row.n_documents != 1:
            counts.append(trn("{n} document", "{n} documents", row.n_documents))
        # Non-breaking spaces: a long line breaks between counts.
        line = " · ".join(count.replace(" ", "\u00a0") for count in counts)
        self._add(Label(line, "small", wrap=True))
        if details.card.aliases:
            also = tr("Also {names}", names=join_words(details.card.aliases[:6]))
            self._add(Label(shorten(also, 160), "small", wrap=True))
        said = details.card.description or row.description
        if said:
            self.column.addSpacing(4)
            self._add(Label(shorten(said, LONGEST_TEXT), wrap=True))
            self._add(Label(describe_description_source(provenance), "small", wrap=True))
        self._add_buttons(entity_id)
        if details.relations:
            self.column.addSpacing(12)
            self._add(SectionTitle(tr("Strongest connections")))
            # Sorted by the number that is shown.
            ties = sorted(details.relations, key=lambda r: -r.n_evidence)
            self._add_rows([self._relation_row(r, entity_id) for r in ties])
        if details.mentions:
            self.column.addSpacing(12)
            self._add(SectionTitle(tr("Where it says so")))
            self._add_rows(
                [
                    self.build_mention_row(mention, (INDENT, 8, INDENT, 8))
                    for mention in details.mentions
                ]
            )
        self.column.addStretch(1)
        self.scroll.verticalScrollBar().setValue(0)

    def _add(self, label: QLabel) -> None:
        label.setContentsMargins(INDENT, 0, INDENT, 0)
        self.column.addWidget(label)

    def _add_buttons(self, entity_id: int) -> None:
        buttons = Flow(gap=8)
        buttons.setContentsMargins(INDENT, 8, INDENT, 0)
        opening = PrimaryButton(tr("Open"), tooltip=tr("Open everything about this name"))
        opening.clicked.connect(lambda: self.open_wanted.emit(entity_id))
        growing = Button(tr("Expand"), tooltip=tr("Show the names it is tied to"))
        growing.clicked.connect(lambda: self.expand_wanted.emit(entity_id))
        buttons.add(opening)
        buttons.add(growing)
        self.column.addWidget(buttons)

    def _add_rows(self, rows: list[PressRow]) -> None:
        block = QVBoxLayout()
        block.setContentsMargins(0, 0, 0, 0)
        block.setSpacing(0)
        for row in rows:
            block.addWidget(row)
        self.column.addLayout(block)

    def _relation_row(self, relation: RelationRow, entity_id: int) -> PressRow:
        outgoing = int(relation.source_id) == entity_id
        other = relation.target if outgoing else relation.source
        other_id = int(relation.target_id if outgoing else relation.source_id)
        row = PressRow(self._theme, other)
        row.setFixedHeight(self._theme.length(28))
        line = QHBoxLayout(row)
        line.setContentsMargins(INDENT, 0, INDENT, 0)
        line.setSpacing(8)
        line.addWidget(ElidedLabel(other), 1)
        if relation.kind:
            line.addWidget(KindMark(self._theme, relation.kind, relation.confidence))
        line.addWidget(Label(format_number(relation.n_evidence), "small"))
        said = shorten(relation.description or relation.sentence)
        row.setToolTip(
            "<br>".join(escape(part) for part in (describe_kind(relation), said) if part)
        )
        row.pressed.connect(lambda: self.entity_chosen.emit(other_id))
        return row


PATH_TITLES = {
    "shortest": later("The shortest way"),
    "strongest": later("The strongest way"),
    "another": later("Another way"),
}


class PathPanel(SidePanel):
    """Shows paths; emits `path_chosen` with the ids of one, `mention_chosen` for a sentence."""

    path_chosen = Signal(object)
    entity_chosen = Signal(int)
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, above=12, spacing=4, parent=parent)
        self.paths: list[ShownPath] = []
        self.hide()

    def show_paths(self, first: str, last: str, paths: list[ShownPath]) -> None:
        """Show the paths between two entities, or that there are none."""
        self.paths = paths
        clear_layout(self.column)
        head = QHBoxLayout()
        head.setContentsMargins(INDENT, 0, 0, 0)
        title = Label(f"{shorten(first, 60)} – {shorten(last, 60)}", "title", wrap=True)
        title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        head.addWidget(title, 1)
        close = IconButton(self._theme, "close", tr("Close"))
        close.clicked.connect(self.closed)
        head.addWidget(close, 0, Qt.AlignmentFlag.AlignTop)
        self.column.addLayout(head)
        if not paths:
            text = Label(
                tr("The text ties these two together nowhere, not even past others."), wrap=True
            )
            text.setContentsMargins(INDENT, 8, INDENT, 0)
            self.column.addWidget(text)
        for path in paths:
            self._add_path(path)
        self.column.addStretch(1)
        self.scroll.verticalScrollBar().setValue(0)
        self.show()

    def _add_path(self, path: ShownPath) -> None:
        self.column.addSpacing(8)
        names = [shorten(e.name, 40) for e in path.entities]
        how = tr(PATH_TITLES[path.how])
        said = tr("{way}: {names}", way=how, names=join_words(names))
        row = PressRow(self._theme, said)
        inside = QVBoxLayout(row)
        inside.setContentsMargins(INDENT, 6, INDENT, 6)
        inside.setSpacing(0)
        steps = trn("{n} step", "{n} steps", len(path.steps))
        inside.addWidget(Label(f"{how} · {steps}", "small", wrap=True))
        line = Label(" – ".join(names), "strong", wrap=True)
        line.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        inside.addWidget(line)
        row.setToolTip(tr("Show this way in the graph"))
        row.pressed.connect(lambda: self.path_chosen.emit(path.ids))
        self.column.addWidget(row)
        for step, (a, b) in zip(
            path.steps, zip(path.entities, path.entities[1:], strict=False), strict=True
        ):
            self._add_step(step, f"{shorten(a.name, 40)} – {shorten(b.name, 40)}")

    def _add_step(self, step: PathStep, words: str) -> None:
        line = QHBoxLayout()
        line.setContentsMargins(INDENT + 8, 2, INDENT, 0)
        line.setSpacing(8)
        line.addWidget(ElidedLabel(words, "small"), 1)
        if step.relation.kind:
            line.addWidget(KindMark(self._theme, step.relation.kind, step.relation.confidence))
        self.column.addLayout(line)
        if not step.evidence and (said := step.relation.description or step.relation.sentence):
            text = Label(shorten(said, LONGEST_SENTENCE), wrap=True)
            text.setContentsMargins(INDENT + 8, 0, INDENT, 4)
            self.column.addWidget(text)
        for mention in step.evidence[:1] if len(self.paths) > 1 else step.evidence:
            self.column.addWidget(self.build_mention_row(mention, (INDENT + 8, 2, INDENT, 6)))
