"""The report on one community: what it says, whom it is about, where in the books, what is near.

Owns the order of the parts and what each shows. Reads nothing; says what was clicked.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from desktop_app.engine.services.communities import CommunityReading
from desktop_app.engine.themes import CommunityCard, Related, ThemeSpread
from desktop_app.engine.types import EntityRow
from desktop_app.ui.language import tr, trn
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Label, SectionTitle
from desktop_app.ui.widgets.spread_chart import SpreadChart
from desktop_app.ui.widgets.words import format_type

from .chip_flow import Chip, ChipFlow
from .finding_rows import FindingRows
from .forest import Forest
from .link_rows import Link, LinkRows
from .page_head import PageHead
from .words import say_size, title_of

WIDEST = 760


@dataclass(frozen=True, slots=True)
class PageContent:
    """What is read for one page."""

    card: CommunityCard
    related: tuple[Related, ...]


def read_page(reading: CommunityReading, number: int) -> PageContent:
    """Return what a page shows; runs in a lane and raises as `get_card` does."""
    return PageContent(reading.get_card(number), tuple(reading.related(number)))


class CommunityPage(QScrollArea):
    """Emits which name, sentence, community was clicked, and where on a book's line."""

    name_clicked = Signal(int)
    name_double_clicked = Signal(int)
    place_clicked = Signal(int, int, int)
    tick_clicked = Signal(int, float)
    community_wanted = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.content: PageContent | None = None
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.head = PageHead(theme, self)
        self.summary = Label("", "", self, wrap=True)
        self.summary.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.findings = FindingRows(theme, self)
        self.key_words = ChipFlow(theme, tr("Words that set it apart"), live=False, parent=self)
        self.members = ChipFlow(theme, tr("Names in it"), parent=self)
        self.spread = SpreadChart(theme, self)
        self.headings = Label("", "muted", self, wrap=True)
        self.parts = LinkRows(theme, self)
        self.related = LinkRows(theme, self)
        self._place()
        self.findings.place_clicked.connect(self.place_clicked)
        self.members.clicked.connect(self.name_clicked)
        self.members.double_clicked.connect(self.name_double_clicked)
        self.spread.tick_clicked.connect(self.tick_clicked)
        self.parts.chosen.connect(self.community_wanted)
        self.related.chosen.connect(self.community_wanted)
        self.head.community_wanted.connect(self.community_wanted)
        theme.changed.connect(self._restyle)
        self._restyle()

    def _place(self) -> None:
        body = QWidget(self)
        body.setObjectName("screenBody")
        inner = QWidget(body)
        inner.setMaximumWidth(WIDEST)
        self._column = QVBoxLayout(inner, spacing=0)
        self._column.setContentsMargins(24, 16, 24, 32)
        self._column.addWidget(self.head)
        self._column.addSpacing(12)
        self._column.addWidget(self.summary)
        self.titles: dict[str, SectionTitle] = {}
        for key, words, widgets in (
            ("findings", tr("What it is about"), (self.findings,)),
            ("words", tr("Words that set it apart"), (self.key_words,)),
            ("members", tr("Names in it"), (self.members,)),
            ("spread", tr("Where it lives"), (self.spread, self.headings)),
            ("parts", tr("Its parts"), (self.parts,)),
            ("related", tr("Tied to these communities"), (self.related,)),
        ):
            title = SectionTitle(words, inner)
            title.setContentsMargins(0, 20, 0, 4)
            self.titles[key] = title
            self._column.addWidget(title)
            for widget in widgets:
                self._column.addWidget(widget)
        self._column.addStretch(1)
        row = QHBoxLayout(body, spacing=0)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(inner, 1000)
        row.addStretch(1)
        self.setWidget(body)

    def _restyle(self) -> None:
        # by a style, for the application's would have the size of the interface
        font = self._theme.book_font(self.summary.text(), 16)
        families = ", ".join(f'"{family}"' for family in font.families())
        self.summary.setStyleSheet(f"font-family: {families}; font-size: {font.pixelSize()}px")

    def show_content(self, content: PageContent, forest: Forest) -> None:
        """Show a community; the same one again keeps where it was scrolled to."""
        same = self.content is not None and self.content.card.row.id == content.card.row.id
        opened = [r.finding.headline for r in self.findings.rows if r.is_open] if same else []
        at = self.verticalScrollBar().value() if same else 0
        self.content = content
        card, row = content.card, content.card.row
        self.head.show_community(row, card.report, forest)
        self.summary.setText(card.report.summary)
        self._restyle()
        self.summary.setVisible(bool(card.report.summary))
        self._show_part("findings", card.report.findings)
        self.findings.set_findings(card.report.findings)
        for shown in self.findings.rows:
            if shown.finding.headline in opened:
                shown.toggle()
        self._show_part("words", row.key_words)
        self.key_words.set_chips([Chip(n, word) for n, word in enumerate(row.key_words)])
        self._show_part("members", card.members)
        self.members.set_chips([_chip(entity) for entity in card.members])
        self._show_part("spread", card.spread)
        self.spread.set_spread(
            [(int(s.document_id), s.title, [at for at, _ in s.places]) for s in card.spread]
        )
        self.headings.setText(_say_headings(card.spread))
        self.headings.setVisible(bool(self.headings.text()))
        self._show_part("parts", card.children)
        self.parts.set_links(
            [
                Link(int(c.id), title_of(c), say_size(c.n_members), forest.shade(int(c.id)))
                for c in card.children
            ]
        )
        self._show_part("related", content.related)
        self.related.set_links([_link(one, forest) for one in content.related], most=6)
        self._settle()
        self.verticalScrollBar().setValue(at)

    def _settle(self) -> None:
        """Lay everything out at once, so that rows are never seen half as high as they are."""
        inner = [self.findings, self.parts, self.related, self.head]
        for layout in (*(part.layout() for part in inner), self._column, self.widget().layout()):
            layout.invalidate()
            layout.activate()
        body = self.widget()
        body.resize(body.width(), max(self.viewport().height(), body.heightForWidth(body.width())))

    def resizeEvent(self, event) -> None:
        self.head.fit(event.size().width())
        super().resizeEvent(event)

    def _show_part(self, key: str, rows: object) -> None:
        self.titles[key].setVisible(bool(rows))


def _chip(entity: EntityRow) -> Chip:
    mentions = trn("{n} mention", "{n} mentions", entity.n_mentions)
    told = f"{entity.name} · {format_type(entity.type)} · {mentions}"
    return Chip(int(entity.id), entity.name, entity.type, told)


def _link(one: Related, forest: Forest) -> Link:
    detail = trn("{n} connection", "{n} connections", one.n_relations)
    number = int(one.row.id)
    return Link(number, title_of(one.row), detail, forest.shade(number))


def _say_headings(spread: tuple[ThemeSpread, ...]) -> str:
    """Return where most of it stands, one line a document."""
    lines = []
    for one in spread[:3]:
        parts = [heading.split("›")[-1].strip() for heading, _ in one.headings[:3]]
        if parts:
            lines.append(tr("Most in {headings}", headings=" · ".join(dict.fromkeys(parts))))
    return "\n".join(lines)
