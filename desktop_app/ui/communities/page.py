"""The report page of one community: findings, members, places in documents, related communities.

Owns the order and content of the sections. Emits signals for clicks and runs no queries, except
`read_page`, which runs in a lane.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from desktop_app.engine.communities.reader import CommunityReader
from desktop_app.engine.model import (
    CommunityCard,
    CommunityRow,
    CommunitySpread,
    EntityRow,
    Related,
    Report,
)

from ..language import tr, trn
from ..theme.theme import Theme
from ..widgets import (
    Badge,
    Button,
    IconButton,
    Label,
    PrimaryButton,
    SectionTitle,
    clear_layout,
    format_when,
)
from ..widgets.spread_chart import SpreadChart
from ..widgets.words import format_type, plain_tip
from .chip_flow import Chip, ChipFlow
from .community_tree import CommunityTree
from .finding_rows import FindingRows
from .tree_model import paint_weight, shade_color
from .words import describe_source, format_member_count, format_rating, get_title

NARROW, TIGHT = 520, 380


class WeightBar(QWidget):
    """A rating from 0 to 10 as a bar."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._rating = theme, 0.0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def set_rating(self, rating: float) -> None:
        self._rating = rating
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(96, 20)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        spot = QRectF(0, self.height() / 2 - 3, self.width(), 6)
        paint_weight(painter, self._theme, spot, self._rating)
        painter.end()


class PageHead(QWidget):
    """Emits `verb_wanted` with "ask", "graph", "color", "write", "edit", "pin", "compare"."""

    verb_wanted = Signal(str)
    community_wanted = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.path_area = QWidget(self)
        self._path_row = QHBoxLayout(self.path_area)
        self._path_row.setSpacing(2)
        self._path_row.setContentsMargins(0, 0, 0, 0)
        self.title = Label("", "title", self, wrap=True)
        self.title.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.facts = Label("", "muted", self, wrap=True)
        self.state = Badge(theme, "", "warn", self)
        self.pinned = Badge(theme, tr("Pinned"), "accent", self)
        self.ask_button = PrimaryButton(
            tr("Ask about this theme"), self, theme=theme, icon="chat", tooltip="Ctrl+Return"
        )
        self.graph_button = Button(tr("Show in graph"), self, theme=theme, icon="graph")
        self.color_button = IconButton(theme, "palette", tr("Colour the graph by it"), self)
        self.write_button = IconButton(theme, "retry", tr("Write its report again"), self)
        self.edit_button = IconButton(theme, "rename", tr("Edit the report"), self)
        self.pin_button = IconButton(theme, "push-pin", "", self)
        self.compare_button = IconButton(
            theme, "arrows-left-right", tr("Compare with another…"), self
        )
        self.weight = WeightBar(theme, self)
        self.rating = Label("", "strong", self)
        self.reason = Label("", "muted", self, wrap=True)
        self._place()
        for button, verb in (
            (self.ask_button, "ask"),
            (self.graph_button, "graph"),
            (self.color_button, "color"),
            (self.write_button, "write"),
            (self.edit_button, "edit"),
            (self.pin_button, "pin"),
            (self.compare_button, "compare"),
        ):
            button.clicked.connect(lambda _=False, verb=verb: self.verb_wanted.emit(verb))

    def _place(self) -> None:
        badges = QHBoxLayout()
        badges.setSpacing(6)
        badges.addWidget(self.state)
        badges.addWidget(self.pinned)
        badges.addStretch(1)
        self._badges = QWidget(self)
        badges.setContentsMargins(0, 0, 0, 0)
        self._badges.setLayout(badges)
        self._actions = QGridLayout()
        self._actions.setHorizontalSpacing(8)
        self._actions.setVerticalSpacing(4)
        self._actions.addWidget(self.ask_button, 0, 0)
        self._actions.addWidget(self.graph_button, 0, 1)
        self._actions.setColumnStretch(3, 1)
        self._tools = QWidget(self)
        tools = QHBoxLayout(self._tools)
        tools.setSpacing(2)
        tools.setContentsMargins(0, 0, 0, 0)
        for button in (
            self.color_button,
            self.compare_button,
            self.edit_button,
            self.pin_button,
            self.write_button,
        ):
            tools.addWidget(button)
        self._narrow: bool | None = None
        self.fit(NARROW)
        rated = QHBoxLayout()
        rated.setSpacing(8)
        rated.addWidget(self.weight)
        rated.addWidget(self.rating)
        rated.addStretch(1)
        self._rated = QWidget(self)
        rated.setContentsMargins(0, 0, 0, 0)
        self._rated.setLayout(rated)
        column = QVBoxLayout(self)
        column.setSpacing(4)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.path_area)
        column.addWidget(self.title)
        column.addWidget(self.facts)
        column.addWidget(self._badges)
        column.addSpacing(4)
        column.addLayout(self._actions)
        column.addSpacing(8)
        column.addWidget(self._rated)
        column.addWidget(self.reason)

    def fit(self, room: int) -> None:
        """Move the small buttons to a second line if there is little room."""
        narrow = room < self._theme.length(NARROW)
        if narrow != self._narrow:
            self._narrow = narrow
            self._actions.removeWidget(self._tools)
            place = (1, 0, 1, 3) if narrow else (0, 2, 1, 1)
            self._actions.addWidget(self._tools, *place, Qt.AlignmentFlag.AlignLeft)
        tight = room < self._theme.length(TIGHT)
        self.graph_button.setText("" if tight else tr("Show in graph"))
        self.graph_button.setToolTip(tr("Show in graph") if tight else "")
        self.graph_button.setAccessibleName(tr("Show in graph"))

    def show_community(
        self, row: CommunityRow, report: Report, community_tree: CommunityTree
    ) -> None:
        """Show the facts about a community and its report."""
        self._show_path(row, community_tree)
        self.title.setText(report.title or get_title(row))
        facts = [
            format_member_count(row.n_members),
            trn("{n} connection", "{n} connections", row.n_relations),
            describe_source(report),
        ]
        if report.created_at:
            facts.append(format_when(report.created_at))
        self.facts.setText(" · ".join(facts))
        stale = report.is_stale and not report.is_pinned
        self.state.set_text(tr("Changed since this was written"))
        self.state.setVisible(stale)
        self.pinned.setVisible(report.is_pinned)
        self._badges.setVisible(stale or report.is_pinned)
        self.pin_button.set_icon("push-pin-slash" if report.is_pinned else "push-pin")
        self.pin_button.set_tooltip(
            tr("Unpin the report") if report.is_pinned else tr("Pin: keep the report as it is")
        )
        self.write_button.setEnabled(not report.is_pinned)
        self._rated.setVisible(not row.is_loose)
        self.weight.set_rating(report.rating)
        self.rating.setText(tr("Weight: {rating}", rating=format_rating(report.rating)))
        self.reason.setText(report.reason)

    def _show_path(self, row: CommunityRow, community_tree: CommunityTree) -> None:
        clear_layout(self._path_row)
        above = community_tree.path(int(row.id))[:-1]
        self.path_area.setVisible(bool(above))
        for number in above[-2:]:  # the nearest ancestors matter most, and there is room for two
            title = get_title(community_tree.rows[number])
            metrics = self.fontMetrics()
            words = metrics.elidedText(title, Qt.TextElideMode.ElideRight, 240)
            link = Button(f"{words} ›".replace("&", "&&"), self, kind="link", tooltip=title)
            link.clicked.connect(lambda _=False, n=number: self.community_wanted.emit(n))
            self._path_row.addWidget(link)
        self._path_row.addStretch(1)


SHOWN = 8


class CommunityLink(NamedTuple):
    """Target, text, note and colour of one row."""

    number: int
    title: str
    detail: str
    shade: int


class CommunityLinkRow(QAbstractButton):
    """A row that leads to a community."""

    def __init__(self, theme: Theme, link: CommunityLink, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self.link = theme, link
        self.setText(link.title)
        self.setAccessibleName(f"{link.title}. {link.detail}")
        self.setToolTip(plain_tip(link.title))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(200, self._theme.length(28))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, area = self._theme, QRectF(self.rect())
        painter.setPen(Qt.PenStyle.NoPen)
        if self.underMouse() or self.hasFocus():
            painter.setBrush(theme.color("accent_soft", 0.6))
            painter.drawRoundedRect(area, 6, 6)
        painter.setBrush(shade_color(theme, self.link.shade))
        painter.drawEllipse(QRectF(6, area.center().y() - 4, 8, 8))
        small = QFontMetrics(theme.font("small"))
        width = small.horizontalAdvance(self.link.detail)
        painter.setFont(theme.font("small"))
        painter.setPen(theme.color("text2"))
        end = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(area.adjusted(0, 0, -8, 0), end, self.link.detail)
        painter.setFont(theme.font("text"))
        painter.setPen(theme.color("text"))
        words = area.adjusted(INSET, 0, -width - 20, 0)
        metrics = QFontMetrics(theme.font("text"))
        title = metrics.elidedText(self.text(), Qt.TextElideMode.ElideRight, int(words.width()))
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, title)
        painter.end()


INSET = 22


class LinkRows(QWidget):
    """Emits `chosen` with a community."""

    chosen = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.rows: list[CommunityLinkRow] = []
        self._column = QVBoxLayout(self)
        self._column.setSpacing(0)
        self._column.setContentsMargins(0, 0, 0, 0)

    def set_links(self, links: Sequence[CommunityLink], *, most: int = SHOWN) -> None:
        """Show these rows; those beyond `most` appear on request."""
        clear_layout(self._column)
        self.rows = []
        fold = len(links) > most + 1
        for link in links[:most] if fold else links:
            row = CommunityLinkRow(self._theme, link, self)
            row.clicked.connect(lambda _=False, n=link.number: self.chosen.emit(n))
            self._column.addWidget(row)
            row.show()  # hidden widgets have no size yet
            self.rows.append(row)
        if fold:
            rest = len(links) - most
            more = Button(trn("{n} more", "{n} more", rest), self, kind="link")
            more.clicked.connect(lambda: self.set_links(links, most=len(links)))
            self._column.addWidget(more, 0, Qt.AlignmentFlag.AlignLeft)
            more.show()


WIDEST = 760


@dataclass(frozen=True, slots=True)
class PageContent:
    """The data of one page."""

    card: CommunityCard
    related: tuple[Related, ...]


def read_page(reading: CommunityReader, number: int) -> PageContent:
    """Return the data of a page; runs in a lane and raises as `get_card` does."""
    return PageContent(reading.get_card(number), tuple(reading.related(number)))


class CommunityPage(QScrollArea):
    """Emits the clicked entity, sentence or community, and clicks on the chart of a document."""

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
        self._column = QVBoxLayout(inner)
        self._column.setSpacing(0)
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
        row = QHBoxLayout(body)
        row.setSpacing(0)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(inner, 1000)
        row.addStretch(1)
        self._body = body
        self.setWidget(body)

    def _restyle(self) -> None:
        # set by a style sheet, since the application's style has the interface size
        font = self._theme.book_font(self.summary.text(), 16)
        families = ", ".join(f'"{family}"' for family in font.families())
        self.summary.setStyleSheet(f"font-family: {families}; font-size: {font.pixelSize()}px")

    def show_content(self, content: PageContent, community_tree: CommunityTree) -> None:
        """Show a community; showing the same one again keeps the scroll position."""
        same = self.content is not None and self.content.card.row.id == content.card.row.id
        opened = [r.finding.headline for r in self.findings.rows if r.is_open] if same else []
        at = self.verticalScrollBar().value() if same else 0
        self.content = content
        card, row = content.card, content.card.row
        self.head.show_community(row, card.report, community_tree)
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
        self.headings.setText(_describe_headings(card.spread))
        self.headings.setVisible(bool(self.headings.text()))
        self._show_part("parts", card.children)
        self.parts.set_links(
            [
                CommunityLink(
                    int(c.id),
                    get_title(c),
                    format_member_count(c.n_members),
                    community_tree.shade(int(c.id)),
                )
                for c in card.children
            ]
        )
        self._show_part("related", content.related)
        self.related.set_links([_link(one, community_tree) for one in content.related], most=6)
        self._settle()
        self.verticalScrollBar().setValue(at)

    def _settle(self) -> None:
        """Compute the layout at once, so that no row is painted with half its height."""
        inner = [self.findings, self.parts, self.related, self.head]
        body = self._body
        for layout in (*(part.layout() for part in inner), self._column, body.layout()):
            if layout is not None:
                layout.invalidate()
                layout.activate()
        body.resize(body.width(), max(self.viewport().height(), body.heightForWidth(body.width())))

    def resizeEvent(self, event) -> None:
        self.head.fit(event.size().width())
        super().resizeEvent(event)

    def _show_part(self, key: str, rows: object) -> None:
        self.titles[key].setVisible(bool(rows))


def _chip(entity: EntityRow) -> Chip:
    mentions = trn("{n} mention", "{n} mentions", entity.n_mentions)
    tooltip = f"{entity.name} · {format_type(entity.type)} · {mentions}"
    return Chip(int(entity.id), entity.name, entity.type, tooltip)


def _link(one: Related, community_tree: CommunityTree) -> CommunityLink:
    detail = trn("{n} connection", "{n} connections", one.n_relations)
    number = int(one.row.id)
    return CommunityLink(number, get_title(one.row), detail, community_tree.shade(number))


def _describe_headings(spread: tuple[CommunitySpread, ...]) -> str:
    """Return the chapters with most of its mentions, one line per document."""
    lines = []
    for one in spread[:3]:
        parts = [heading.split("›")[-1].strip() for heading, _ in one.headings[:3]]
        if parts:
            lines.append(tr("Most in {headings}", headings=" · ".join(dict.fromkeys(parts))))
    return "\n".join(lines)
