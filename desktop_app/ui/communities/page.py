"""The report page of one community: findings, members, places in documents, related communities.

Owns the order and content of the sections. Emits signals for clicks and runs no queries, except
`load_page_content`, which runs in a lane.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QFontMetrics, QIcon, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QMenu,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from desktop_app.engine.communities.reader import CommunityReader
from desktop_app.engine.communities.report_writing import cut_key_words, format_share
from desktop_app.engine.model import (
    CommunityCard,
    CommunityRow,
    Finding,
    Related,
    Report,
)
from desktop_app.engine.text.shown_text import show_text

from ..theme.theme import Theme
from ..translation import tr, trn
from ..widgets import (
    STRETCH,
    Badge,
    Button,
    ClickArea,
    Flow,
    IconButton,
    Label,
    PrimaryButton,
    SectionTitle,
    build_column,
    build_row,
    clear_layout,
    format_number,
    format_when,
    paint_box,
)
from ..widgets.buttons import LINK_PAD, format_keys
from ..widgets.labels import paint_community_mark, show_in_book_font
from ..widgets.spread_chart import SpreadChart
from ..widgets.words import format_heading, format_kind, join_words, plain_tip
from .community_tree import (
    CommunityTree,
    describe_rating,
    describe_report_author,
    format_member_count,
    get_title,
)
from .group_drawing import GroupDrawing, GroupPicture, build_group_picture
from .parts import MARK, ChipFlow, Sentence, WeightBar, make_name_chip

TIGHT = 380
TITLE_PX = 22  # as on the page of a name


class PageHead(QWidget):
    """Emits `command_wanted` with "ask", "graph", "color", "write", "edit", "pin", "compare"."""

    command_wanted = Signal(str)
    community_wanted = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.path_area = QWidget(self)
        self._path_row = build_row(parent=self.path_area, spacing=2)
        self.title = Label("", "title", self, wrap=True)
        self.title.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.facts = Label("", "muted", self, wrap=True)
        self.state = Badge(theme, "", "warn", self)
        self.pinned = Badge(theme, tr("Pinned"), "accent", self)
        self.ask_button = PrimaryButton(
            tr("Ask about this community"),
            self,
            theme=theme,
            icon="chat",
            tooltip=format_keys("Ctrl+Return"),
        )
        self.graph_button = Button(tr("Show in graph"), self, theme=theme, icon="graph")
        self.more_button = IconButton(theme, "more", tr("More"), self)
        self.more_button.setPopupMode(self.more_button.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        self.more_actions = {
            command: self._add_action(menu, icon, words, command)
            for command, icon, words in (
                ("edit", "rename", tr("Edit the report")),
                ("write", "retry", tr("Rewrite the report")),
                ("compare", "arrows-left-right", tr("Compare with another…")),
                ("pin", "push-pin", ""),
                ("color", "palette", tr("Colour the graph by community")),
            )
        }
        self.more_button.setMenu(menu)
        self.weight = WeightBar(theme, self)
        self.rating = Label("", "strong", self)
        self.reason = Label("", "muted", self, wrap=True)
        self._badges, self._rated = QWidget(self), QWidget(self)
        build_row(self.state, self.pinned, STRETCH, parent=self._badges, spacing=6)
        build_row(self.weight, self.rating, STRETCH, parent=self._rated)
        actions = Flow(self, gap=8)  # a second row, where one has no room
        actions.add(self.ask_button, self.graph_button, self.more_button)
        self.fit(TIGHT)
        build_column(
            *(self.path_area, self.title, self.facts, self._badges, 4, actions, 8),
            *(self._rated, self.reason),
            parent=self,
            spacing=4,
        )
        for button, command in ((self.ask_button, "ask"), (self.graph_button, "graph")):
            button.clicked.connect(
                lambda _=False, command=command: self.command_wanted.emit(command)
            )

    def _add_action(self, menu: QMenu, icon: str, words: str, command: str) -> QAction:
        action = menu.addAction(self._theme.icon(icon, fills=QIcon.Mode.Active), words)
        action.triggered.connect(lambda: self.command_wanted.emit(command))
        return action

    def fit(self, room: int) -> None:
        """Show the second button without its text if there is little room."""
        narrow = room < self._theme.length(TIGHT)
        self.graph_button.setText("" if narrow else tr("Show in graph"))
        self.graph_button.setToolTip(tr("Show in graph") if narrow else "")
        self.graph_button.setAccessibleName(tr("Show in graph"))

    def restyle(self) -> None:
        """Show the title as that of the page of a name: what comes from texts is in book type."""
        font = self._theme.book_font(self.title.text(), TITLE_PX)
        families = ", ".join(f'"{family}"' for family in font.families())
        self.title.setStyleSheet(
            f"font-family: {families}; font-size: {font.pixelSize()}px; font-weight: 600"
        )

    def show_community(
        self, row: CommunityRow, report: Report, community_tree: CommunityTree
    ) -> None:
        """Show the facts about a community and its report."""
        self._show_path(row, community_tree)
        is_own = not report.title or report.title == row.title
        self.title.setText(get_title(row) if is_own else report.title)
        facts = [_describe_size(row, community_tree.n_names), describe_report_author(report)]
        if report.created_at:
            facts.append(format_when(report.created_at))
        self.facts.setText(" · ".join(facts))
        stale = report.is_stale and not report.is_pinned
        self.state.set_text(tr("Out of date"))
        self.state.setVisible(stale)
        self.pinned.setVisible(report.is_pinned)
        self._badges.setVisible(stale or report.is_pinned)
        pinned = report.is_pinned
        name = "push-pin-slash" if pinned else "push-pin"
        icon = self._theme.icon(name, fills=QIcon.Mode.Active)
        self.more_actions["pin"].setIcon(icon)
        self.more_actions["pin"].setText(
            tr("Unpin the report") if pinned else tr("Pin: never rewrite the report")
        )
        self.more_actions["write"].setEnabled(not pinned)
        # without a model the importance is the size, which the list and the facts have
        is_rated = bool(report.model) and not row.is_loose
        self._rated.setVisible(is_rated)
        self.weight.set_rating(report.rating)
        self.rating.setText(describe_rating(report.rating))
        self.reason.setText(report.reason)
        self.reason.setVisible(bool(report.model and report.reason))

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


def _describe_size(row: CommunityRow, n_all: int) -> str:
    """Return the number of names of a community, with its share of the library."""
    names = format_member_count(row.n_members)
    if row.n_members >= n_all:
        return names
    return tr("{names} ({share}% of all)", names=names, share=format_share(row.n_members / n_all))


INDENT = 22
MOST_SENTENCES = 12


def describe_evidence(n: int, n_in_all: int) -> str:
    """Return how many passages of a finding can be shown, and of how many, if there are more."""
    if n == 0:
        return ""
    if n_in_all > n:
        return trn(
            "Show {n} of {total} passages",
            "Show {n} of {total} passages",
            n,
            total=format_number(n_in_all),
        )
    return trn("Show {n} passage", "Show {n} passages", n)


class FindingHead(ClickArea):
    """Headline and text of a finding; a click shows or hides its sentences."""

    def __init__(self, theme: Theme, finding: Finding, n_in_all: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self.opened = theme, False
        self.headline = Label(finding.headline, "strong", self, wrap=True)
        text = show_text(finding.text, one_line=True).with_closed_quotes().text
        self.text = Label(text, "", self, wrap=True)
        self.text.setVisible(bool(finding.text))
        n = len(finding.evidence)
        self._show_words = describe_evidence(n, n_in_all)
        self._hide_words = trn("Hide the passage", "Hide the passages", n)
        self.count = Button(self._show_words, self, kind="link")
        self.count.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the whole row takes the focus
        self.count.setVisible(n > 0)
        for label in (self.headline, self.text):  # begin where the words of the button do
            label.setContentsMargins(LINK_PAD, 0, 0, 0)
        for part in (self.headline, self.text, self.count):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        build_column(
            *(self.headline, self.text, (self.count, 0, Qt.AlignmentFlag.AlignLeft)),
            parent=self,
            spacing=2,
            margins=(INDENT - LINK_PAD, 6, 8, 6),
        )
        self._live = n > 0
        if self._live:
            self.setToolTip(tr("Show the evidence"))
        else:
            self.unsetCursor()
            self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(finding.headline)
        self.setAccessibleDescription(text)
        theme.changed.connect(self._restyle)
        self._restyle()

    def set_open(self, opened: bool) -> None:
        """Show that the evidence is shown below, or how much of it can be."""
        self.opened = opened
        self.count.setText(self._hide_words if opened else self._show_words)
        self.update()

    def _restyle(self) -> None:
        show_in_book_font(self._theme, self.text, self.text.text(), 15)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._live:
            return
        with QPainter(self) as painter:
            if self.underMouse() or self.hasFocus():
                ground = self._theme.color("accent_soft", 0.6)
                paint_box(painter, QRectF(self.rect()), ground)
            icon = self._theme.icon("caret-down" if self.opened else "caret-right")
            middle = self.headline.y() + self.headline.fontMetrics().height() // 2
            icon.paint(painter, 4, middle - 6, 12, 12)


class FindingRow(QWidget):
    """One finding; emits `place_clicked` with document, start and end."""

    place_clicked = Signal(int, int, int)

    def __init__(self, theme: Theme, finding: Finding, n_in_all: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self.finding = theme, finding
        self.head = FindingHead(theme, finding, n_in_all, self)
        self.sentences: list[Sentence] = []
        self._column = build_column(self.head, parent=self, spacing=4)
        if finding.evidence:
            self.head.clicked.connect(self.toggle)

    @property
    def is_open(self) -> bool:
        return self.head.opened

    def toggle(self) -> None:
        """Show or hide the sentences."""
        self.head.set_open(not self.head.opened)
        if self.head.opened and not self.sentences:
            for one in self.finding.evidence[:MOST_SENTENCES]:
                sentence = Sentence(self._theme, one, self)
                place = (int(one.document_id), one.start, one.end)
                sentence.clicked.connect(lambda p=place: self.place_clicked.emit(*p))
                self._column.addLayout(build_row(sentence, margins=(INDENT, 0, 0, 0)))
                self.sentences.append(sentence)
        for sentence in self.sentences:
            sentence.setVisible(self.head.opened)


def count_passages(finding: Finding, n_passages: Mapping[int, int]) -> int:
    """Return how many passages the relations of a finding have.

    Args:
        n_passages: of each relation, by id.
    """
    relations = {e.relation_id for e in finding.evidence if e.relation_id is not None}
    return sum(n_passages.get(int(one), 0) for one in relations)


class FindingRows(QWidget):
    """All findings of a report."""

    place_clicked = Signal(int, int, int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.rows: list[FindingRow] = []
        self._column = build_column(parent=self, spacing=2)

    def set_findings(
        self, findings: Sequence[Finding], n_passages: Mapping[int, int] | None = None
    ) -> None:
        """Show these findings, collapsed.

        Args:
            n_passages: relation -> number of all its passages.
        """
        clear_layout(self._column)
        self.rows = []
        for finding in findings:
            n_in_all = count_passages(finding, n_passages or {})
            row = FindingRow(self._theme, finding, n_in_all, self)
            row.place_clicked.connect(self.place_clicked)
            self._column.addWidget(row)
            row.show()  # hidden widgets have no size yet
            self.rows.append(row)


SHOWN = 8


class CommunityLink(NamedTuple):
    """Target, text, note and colour of one row."""

    number: int
    title: str
    detail: str
    mark: int


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
        theme, area = self._theme, QRectF(self.rect())
        middle = Qt.AlignmentFlag.AlignVCenter
        with QPainter(self) as painter:
            if self.underMouse() or self.hasFocus():
                paint_box(painter, area, theme.color("accent_soft", 0.6))
            if self.link.mark:
                spot = QRectF(2, area.center().y() - MARK / 2, MARK, MARK)
                paint_community_mark(painter, spot, self.link.mark, theme)
            painter.setFont(theme.font("small"))
            painter.setPen(theme.color("text2"))
            width = painter.fontMetrics().horizontalAdvance(self.link.detail)
            right = middle | Qt.AlignmentFlag.AlignRight
            painter.drawText(area.adjusted(0, 0, -8, 0), right, self.link.detail)
            painter.setFont(theme.font("text"))
            painter.setPen(theme.color("text"))
            words = area.adjusted(INDENT, 0, -width - 20, 0)
            metrics = QFontMetrics(theme.font("text"))
            cut, room = Qt.TextElideMode.ElideRight, int(words.width())
            painter.drawText(words, middle, metrics.elidedText(self.text(), cut, room))


class LinkRows(QWidget):
    """Emits `chosen` with a community."""

    chosen = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.rows: list[CommunityLinkRow] = []
        self._column = build_column(parent=self, spacing=0)

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


WIDEST = 684  # about 80 characters of the summary
MOST_NAMES = 14  # chips that are shown at first


@dataclass(frozen=True, slots=True)
class PageContent:
    """The data of one page."""

    card: CommunityCard
    related: tuple[Related, ...]
    picture: GroupPicture | None = None


def load_page_content(reading: CommunityReader, number: int, language: str = "") -> PageContent:
    """Return the data of a page; runs in a lane and raises as `get_card` does.

    Args:
        language: of the window, for a report without a model.
    """
    card = reading.get_card(number, language=language)
    return PageContent(card, tuple(reading.related(number)), build_group_picture(card))


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
        self.drawing = GroupDrawing(theme, self)
        self.kinds = Label("", "small", self, wrap=True)
        self.findings = FindingRows(theme, self)
        self.key_words = Label("", "small", self, wrap=True)  # weak words: less than the names
        self.key_words.setContentsMargins(0, 8, 0, 0)
        self.members = ChipFlow(theme, tr("Names"), self, most=MOST_NAMES)
        self.spread = SpreadChart(theme, self)
        self.headings = Label("", "muted", self, wrap=True)
        self.parts = LinkRows(theme, self)
        self.related = LinkRows(theme, self)
        self._place()
        self.findings.place_clicked.connect(self.place_clicked)
        self.drawing.clicked.connect(self.name_clicked)
        self.members.clicked.connect(self.name_clicked)
        self.members.double_clicked.connect(self.name_double_clicked)
        self.spread.tick_clicked.connect(self.tick_clicked)
        self.parts.chosen.connect(self.community_wanted)
        self.related.chosen.connect(self.community_wanted)
        self.head.community_wanted.connect(self.community_wanted)
        theme.changed.connect(self._restyle)
        self._restyle()

    def _place(self) -> None:
        body = self._body = QWidget(self)
        body.setObjectName("screenBody")
        inner = QWidget(body)
        inner.setMaximumWidth(WIDEST)
        self._column = build_column(
            *(self.head, 12, self.summary), parent=inner, spacing=0, margins=(24, 16, 24, 32)
        )
        self.titles: dict[str, SectionTitle] = {}
        for key, words, widgets in (
            ("drawing", tr("Strongest connections"), (self.drawing, self.kinds)),
            ("members", tr("Names"), (self.members, self.key_words)),
            ("findings", tr("Findings"), (self.findings,)),
            ("spread", tr("Where it occurs"), (self.spread, self.headings)),
            ("parts", tr("Subcommunities"), (self.parts,)),
            ("related", tr("Related communities"), (self.related,)),
        ):
            title = SectionTitle(words, inner)
            title.setContentsMargins(0, 20, 0, 4)
            self.titles[key] = title
            for widget in (title, *widgets):
                self._column.addWidget(widget)
        self._column.addStretch(1)
        build_row(STRETCH, (inner, 1000), STRETCH, parent=body, spacing=0)
        self.setWidget(body)

    def _restyle(self) -> None:
        # a Chinese summary of English names is in the Chinese font throughout
        report = self.content.card.report if self.content is not None else None
        chinese = report.language == "zh" if report is not None and report.language else None
        show_in_book_font(self._theme, self.summary, self.summary.text(), 16, chinese=chinese)
        self.head.restyle()

    def show_content(self, content: PageContent, community_tree: CommunityTree) -> None:
        """Show a community; showing the same one again keeps the scroll position."""
        same = self.content is not None and self.content.card.row.id == content.card.row.id
        opened = [r.finding.headline for r in self.findings.rows if r.is_open] if same else []
        at = self.verticalScrollBar().value() if same else 0
        self.content = content
        card, row = content.card, content.card.row
        self.head.show_community(row, card.report, community_tree)
        # the key words of a report without a model have a line of their own
        summary = card.report.summary
        summary = summary if card.report.model else cut_key_words(summary, row.key_words)
        self.summary.setText(summary)
        self._restyle()
        self.summary.setVisible(bool(summary))
        self.drawing.set_picture(content.picture)
        kinds = Counter(one.kind for one in card.relations if one.kind)
        named = [f"{format_kind(kind)} ({format_number(n)})" for kind, n in kinds.most_common(4)]
        self.kinds.setText(tr("Kinds of connections: {kinds}", kinds=join_words(named)))
        self.kinds.setVisible(bool(named))
        for key, rows in (
            ("drawing", content.picture or named),
            ("findings", card.report.findings),
            ("members", card.members),
            ("spread", card.spread),
            ("parts", card.children),
            ("related", content.related),
        ):
            self.titles[key].setVisible(bool(rows))
        is_written = bool(card.report.model)  # without a model, a finding is a quoted sentence
        self.titles["findings"].setText(tr("Findings") if is_written else tr("Example sentences"))
        n_passages = {int(one.id): one.n_evidence for one in card.relations}
        findings = list(card.report.findings)
        if not is_written:  # a model has put its own in the order of what they say
            findings.sort(key=lambda one: -count_passages(one, n_passages))
        self.findings.set_findings(findings, n_passages)
        for shown in self.findings.rows:
            if shown.finding.headline in opened:
                shown.toggle()
        words = tr(", ").join(row.key_words)
        self.key_words.setText(tr("Keywords: {words}", words=words))
        self.key_words.setVisible(bool(words))
        # in the order of the title and of the summary: the most central first
        self.members.set_chips(list(card.members), make_name_chip)
        self.spread.set_spread(
            [(int(s.document_id), s.title, [at for at, _ in s.places]) for s in card.spread]
        )
        lines = []  # the chapters with most of its mentions
        for one in card.spread[:3]:
            found = [format_heading(h.split("›")[-1].strip()) for h, _ in one.headings[:3]]
            if found:
                lines.append(tr("Most in {headings}", headings=" · ".join(dict.fromkeys(found))))
        self.headings.setText("\n".join(lines))
        self.headings.setVisible(bool(lines))
        mark = community_tree.mark
        self.parts.set_links(
            [
                CommunityLink(
                    int(c.id), get_title(c), format_member_count(c.n_members), mark(int(c.id))
                )
                for c in card.children
            ]
        )
        self.related.set_links(
            [
                CommunityLink(
                    int(one.row.id),
                    get_title(one.row),
                    trn("{n} connection", "{n} connections", one.n_relations),
                    mark(int(one.row.id)),
                )
                for one in content.related
            ],
            most=6,
        )
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
