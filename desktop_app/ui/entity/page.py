"""The page of one entity: head, description, context, connections, mentions, events.

Owns the order of the sections and which list is open. Reads nothing itself: it receives rows
and emits requests.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from PySide6.QtCore import QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QScrollArea, QTabBar, QWidget

from desktop_app.engine.model import EntityCard, EventRow, MentionRow, RelationRow
from desktop_app.engine.services.editing.history import HistoryRow
from desktop_app.engine.services.entity_comparison import CommunityMembership
from desktop_app.engine.services.provenance import ClaimRow, EntityProvenance
from desktop_app.engine.store.figures import StoredFigure
from desktop_app.engine.text.shown_text import remove_signs

from ..figures.strip import FigureStrip
from ..theme.theme import Theme
from ..translation import later, tr, tr_message, trn
from ..widgets import (
    STRETCH,
    Button,
    Hairline,
    Label,
    SectionTitle,
    build_column,
    build_row,
    clear_layout,
    format_number,
    format_when,
)
from ..widgets.buttons import LINK_PAD
from ..widgets.layout import LayoutItem
from ..widgets.spread_chart import SpreadChart
from ..widgets.words import describe_mention_source, join_words
from .event_list import EventList
from .head import EntityHead
from .quote_list import QuoteList
from .quotes import (
    group_mentions,
    quote_claim,
    quote_evidence,
    quote_mention,
    quote_relation,
)
from .toggles import KindFilter

COLUMN_WIDTH = 580  # about 80 characters of a quotation
NEAR_FOOT = 900
PAD = 12
CONNECTIONS, MENTIONS, EVENTS, CLAIMS = range(4)
TABS = (later("Connections"), later("Mentions"), later("Events"), later("Claims"))
NO_CONNECTION = later("No connections yet. Names that occur in the same sentence are connected.")


class ColumnScroll(QScrollArea):
    """`body` is the widget of the scroll area, `column` its layout; `least` is the side margin."""

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, *, least: int = 12, top: int = 20
    ) -> None:
        super().__init__(parent)
        self._theme, self._least, self._top = theme, least, top
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.body = QWidget(self)
        self.body.setObjectName("screenBody")
        self.column = build_column(parent=self.body)
        self.setWidget(self.body)
        self._set_margins()
        theme.changed.connect(self._set_margins)

    def _set_margins(self) -> None:
        side = max(self._least, (self.width() - self._theme.length(COLUMN_WIDTH)) // 2)
        bar = self.width() - self.viewport().width()
        self.column.setContentsMargins(side, self._top, max(8, side - bar), 32)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._set_margins()
        super().resizeEvent(event)


INDENT = 16  # of a community inside another one


class BelongingLines(QWidget):
    """The communities and the history, as links: `community_wanted`, `history_wanted`."""

    community_wanted = Signal(int)
    history_wanted = Signal()
    changed = Signal()  # its height

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shows_all = False
        self.communities_title = SectionTitle(tr("Communities"), self)
        self.communities: list[Button] = []
        self.memberships: list[CommunityMembership] = []
        self._links = build_column(spacing=0)
        self.history_title = SectionTitle(tr("Edits"), self)
        self.history = Button("", self, kind="link", elide=True)
        self.history.setStyleSheet("text-align: left; padding: 0;")
        self.history.clicked.connect(self.history_wanted)
        for title in (self.communities_title, self.history_title):
            title.setContentsMargins(LINK_PAD, 0, 0, 0)
        left = Qt.AlignmentFlag.AlignLeft
        build_column(
            self.communities_title,
            self._links,
            self.history_title,
            (self.history, 0, left),
            parent=self,
            spacing=0,
            margins=(PAD - LINK_PAD, 0, PAD, 0),
        )
        self.clear()

    def clear(self) -> None:
        self._shows_all = False
        self.set_communities(())
        self.set_history(())

    def set_communities(self, rows: Sequence[CommunityMembership]) -> None:
        """Show the largest community of the entity; those inside it, one a level, on request."""
        clear_layout(self._links)
        self.communities, self.memberships = [], list(rows)
        n_rest = len(rows) - 1
        for row in rows if self._shows_all else rows[:1]:
            words, line = describe_membership(row).replace("&", "&&"), QWidget(self)
            link = Button(words, line, kind="link", tooltip=tr("Open this community"), elide=True)
            link.clicked.connect(lambda _=False, number=row.id: self.community_wanted.emit(number))
            items: list[LayoutItem] = [(row.level - rows[0].level) * INDENT, link]
            if row is rows[0] and n_rest > 0:
                more = trn("Show {n} community inside it", "Show {n} communities inside it", n_rest)
                self.more = Button(tr("Fewer") if self._shows_all else more, line, kind="link")
                self.more.clicked.connect(self._toggle_all)
                items.append(self.more)
            build_row(*items, STRETCH, parent=line)
            self._links.addWidget(line)
            line.show()  # its height counts at once
            self.communities.append(link)
        self.communities_title.setVisible(bool(rows))
        self._update_visibility()

    def _toggle_all(self) -> None:
        self._shows_all = not self._shows_all
        self.set_communities(self.memberships)
        self.changed.emit()
        self.more.setFocus()

    def set_history(self, rows: Sequence[HistoryRow]) -> None:
        """Show the number of changes and the latest one."""
        done = [row for row in rows if not row.undone]
        if rows:
            last = done[0] if done else rows[0]
            what, when = tr_message(last.label), format_when(last.created_at)
            self.history.setText(
                trn(
                    "{n} change, last: {what}, {when}",
                    "{n} changes, last: {what}, {when}",
                    len(rows),
                    what=what if done else tr("{what} (undone)", what=what),
                    when=when,
                ).replace("&", "&&")
            )
        for widget in (self.history_title, self.history):
            widget.setVisible(bool(rows))
        self._update_visibility()

    def _update_visibility(self) -> None:
        self.setVisible(bool(self.communities) or not self.history.isHidden())


def describe_membership(row: CommunityMembership) -> str:
    """Return the names in the title of a community, or its best-known ones, with its size."""
    title = row.title or join_words(row.others)
    count = trn("{n} name", "{n} names", row.n_members)
    return tr("{title} ({count})", title=title, count=count)


# Two passages may be one conversation; of a name with few mentions they say nothing.
N_COMPANIONS, MIN_COMPANY = 3, 3


def describe_company(relations: Sequence[RelationRow], entity_id: int) -> str:
    """Return a sentence about the names that are in most passages with an entity; "" for none.

    It needs no model, and is true of every name; a description of the text may be missing. Each
    name listed has more passages than any that is left out, and `MIN_COMPANY` at least.
    """
    ranked = sorted(relations, key=lambda one: -one.n_evidence)
    least = max(
        [MIN_COMPANY - 1, *(one.n_evidence for one in ranked[N_COMPANIONS : N_COMPANIONS + 1])]
    )
    nearest = [one for one in ranked[:N_COMPANIONS] if one.n_evidence > least]
    names = [one.target if one.source_id == entity_id else one.source for one in nearest]
    return tr("Most often named together with {names}.", names=join_words(names)) if names else ""


class DescriptionLabel(Label):
    """A text that emits `double_clicked`."""

    double_clicked = Signal()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.double_clicked.emit()


class EntityPage(ColumnScroll):
    """Shows an entity; emits `more_mentions_wanted` when its mentions are scrolled near the end."""

    place_clicked = Signal(int, int, int)
    name_clicked = Signal(int)
    evidence_wanted = Signal(int)
    tick_clicked = Signal(int, float)
    more_mentions_wanted = Signal()
    all_relations_wanted = Signal()
    describe_wanted = Signal()
    community_wanted = Signal(int)
    relation_menu_wanted = Signal(object, QPoint)
    event_menu_wanted = Signal(object, QPoint)
    sentence_menu_wanted = Signal(object, QPoint)  # a place, see `quotes.Place`

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._card: EntityCard | None = None
        self.has_several_documents = False  # the library; then quotations name theirs
        self.figures: FigureStrip | None = None
        self._standing = EntityProvenance()
        self._relations: Sequence[RelationRow] = ()
        # the connections in view, the names marked in them, whether some are marked "no model"
        self._shown: tuple[Sequence[RelationRow], tuple[str, ...], bool] = ((), (), False)
        self._has_more = False
        self._last_group: tuple[int, str] | None = None
        self._unseen_mentions: list[MentionRow] = []  # not in the list yet, which is hidden
        self.n_mentions_shown = 0
        self.column.setSpacing(0)
        self._check_later = QTimer(self, singleShot=True, interval=50)
        self._check_later.timeout.connect(self._check_foot)
        self._build()
        self.verticalScrollBar().valueChanged.connect(lambda _: self._check_foot())
        self.verticalScrollBar().rangeChanged.connect(lambda *_: self._check_later.start())

    def _build(self) -> None:
        theme = self._theme
        self.head = EntityHead(theme, self.body)
        self.description = DescriptionLabel("", "", self.body, wrap=True)
        self.description.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.description.setContentsMargins(PAD, 0, PAD, 0)
        self.description.double_clicked.connect(self.describe_wanted)
        self.company = Label("", "", self.body, wrap=True)
        self.company.setContentsMargins(PAD, 0, PAD, 0)
        self.company.hide()
        self.describe_button = Button("", self.body, theme=theme, icon="rename", kind="quiet")
        self.describe_button.setToolTip("Shift+F2")
        self.describe_button.clicked.connect(self.describe_wanted)
        self._describe_row = build_row(self.describe_button, STRETCH)
        self._fit_frame()
        theme.changed.connect(self._fit_frame)
        self._offer_description()
        self.sources_title = SectionTitle(tr("In the text"), self.body)
        self.sources = QuoteList(theme, tr("In the text"), self.body)
        self.spread_title = SectionTitle(tr("Mentions"), self.body)
        for title in (self.sources_title, self.spread_title):
            title.setContentsMargins(PAD, 0, PAD, 0)
        self.spread = SpreadChart(theme, self.body)
        self.figures_title = SectionTitle(tr("Pictures"), self.body)
        self.figures_title.setContentsMargins(PAD, 0, PAD, 0)
        self.figures_title.hide()
        self.figures_place = QWidget(self.body)  # for the strip, which the screen creates
        build_column(parent=self.figures_place, spacing=0)
        self.belonging = BelongingLines(self.body)
        self.belonging.community_wanted.connect(self.community_wanted)
        self.belonging.changed.connect(self.settle)
        self.tabs = QTabBar(self.body)
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        for words in TABS:
            self.tabs.addTab(tr(words))
        for tab in (EVENTS, CLAIMS):
            self.tabs.setTabVisible(tab, False)
        self.tabs.currentChanged.connect(self._switch)
        self.kinds = KindFilter(theme, self.body)
        self.kinds.changed.connect(self._filter)
        self.relations = QuoteList(theme, tr("Connections"), self.body)
        self.mentions = QuoteList(theme, tr("Mentions"), self.body)
        self.events = EventList(theme, self.body)
        self.claims = QuoteList(theme, tr("Claims"), self.body)
        for widget in (self.mentions, self.events, self.claims):
            widget.hide()
        self.nothing = Label("", "muted", self.body, wrap=True)
        self.nothing.setContentsMargins(PAD, 12, PAD, 12)
        self.more_relations = Button("", self.body, kind="link")
        self.more_relations.clicked.connect(self.all_relations_wanted)
        self.more_relations.hide()
        content = build_column(
            self.head,
            12,
            self.description,
            self.sources_title,
            self.sources,
            4,
            self.company,
            self._describe_row,
            8,
            self.spread_title,
            build_row(self.spread, margins=(PAD, 0, PAD, 0)),
            12,
            self.belonging,
            12,
            self.figures_title,
            build_row(self.figures_place, margins=(PAD - 4, 0, PAD, 0)),
            12,
            self.tabs,
            Hairline(parent=self.body),
            4,
            build_row(self.kinds, margins=(PAD - 6, 0, PAD, 0)),
            self.relations,
            (self.more_relations, 0, Qt.AlignmentFlag.AlignLeft),
            self.mentions,
            self.events,
            self.claims,
            self.nothing,
            STRETCH,
            spacing=0,
        )
        self.column.addLayout(content)
        self.relations.filled.connect(self.settle)
        for quotes in (
            self.sources, self.relations, self.mentions, self.events.quotes, self.claims
        ):  # fmt: skip
            quotes.place_clicked.connect(self.place_clicked)
            quotes.name_clicked.connect(self.name_clicked)
            quotes.evidence_wanted.connect(self.evidence_wanted)
            quotes.row_focused.connect(lambda rect, q=quotes: self._follow(q, rect))
            quotes.sentence_menu_wanted.connect(self.sentence_menu_wanted)
        self.spread.tick_clicked.connect(self.tick_clicked)
        self.relations.menu_wanted.connect(self._ask_for_menu)
        self.events.menu_wanted.connect(self.event_menu_wanted)

    def _fit_frame(self) -> None:
        """Align the button with the text: by its icon, or by its frame in high contrast."""
        is_high = self._theme.is_high
        self._describe_row.setContentsMargins(
            PAD if is_high else PAD - 12, 8 if is_high else 2, PAD, 2
        )

    # --- what is shown ----------------------------------------------------------------------

    def settle(self) -> None:
        """Compute the layout at once, so that no section is painted over another one.

        Without it, the heights of lists are new and the places of what follows are those of
        before, until the window's thread handles the next events.
        """
        inner = (self.head, self.belonging, self.kinds, self.events, self.figures_place)
        for layout in (*(part.layout() for part in inner), self.column):
            if layout is not None:
                layout.invalidate()
                layout.activate()
        body, width = self.body, self.viewport().width()
        body.resize(width, max(self.viewport().height(), self.column.totalHeightForWidth(width)))

    def show_card(self, card: EntityCard, *, keep: bool = False) -> None:
        """Show an entity; with `keep`, the old lists stay until their new rows arrive."""
        self._card = card
        self.head.show_card(card)
        row = card.row
        self._count(CONNECTIONS, row.n_relations)
        self._count(MENTIONS, row.n_mentions)
        evidence = card.description_evidence
        words = remove_signs(card.description)
        own_words = bool(words) and not card.is_quoted
        self.description.setText(words if own_words else "")
        self.description.setVisible(own_words)
        self.sources_title.setVisible(bool(evidence))
        several = self.has_several_documents
        self.sources.set_quotes(
            [
                quote_mention(m, foot=describe_mention_source(m, several=several))
                for m in sorted(evidence, key=lambda m: (m.document_id, m.start))
            ]
        )
        self.sources.setVisible(bool(evidence))
        if not keep:
            self.set_spread(())
            self.belonging.clear()
            self.set_figures(())
            self._relations, self._standing = (), EntityProvenance()
            self._offer_description()
            self.kinds.clear()
            self.kinds.hide()
            self.set_claims(())
            self.set_events(())
            self.relations.set_quotes(())
            self._shown = ((), (), False)
            self.more_relations.hide()
            self.begin_mentions()
            self.verticalScrollBar().setValue(0)
        self._switch(self.tabs.currentIndex())

    def set_spread(
        self,
        spread: Sequence[tuple[int, str, Sequence[float]]],
        chapters: Mapping[int, Sequence[tuple[float, str]]] = MappingProxyType({}),
    ) -> None:
        """Show where in which documents the entity is mentioned; see `SpreadChart.set_spread`."""
        self.spread.set_spread(spread, chapters)
        self.spread_title.setVisible(bool(spread))

    def set_standing(self, standing: EntityProvenance) -> None:
        """Show the sources of the description and the type, and offer the kinds of connections."""
        self._standing = standing
        self._offer_description()
        self.head.set_standing(standing)
        self.kinds.set_standing(standing)
        self._show_relations()

    def _offer_description(self) -> None:
        """Offer to describe the name, or to change what the user wrote."""
        is_own = self._standing.description_from == "hand"
        words = tr("Edit your description") if is_own else tr("Write your own description")
        self.describe_button.setText(words)

    def set_claims(self, claims: Sequence[ClaimRow]) -> None:
        """Show the claims about the entity; without claims the tab is hidden."""
        several = self._card is not None and self._card.row.n_documents > 1
        self.claims.set_quotes([quote_claim(claim, several=several) for claim in claims])
        self._offer(CLAIMS, len(claims))

    def set_events(self, events: Sequence[EventRow]) -> None:
        """Show the events of the entity; without events the tab is hidden."""
        self.events.set_events(events)
        self._offer(EVENTS, len(events))

    def _offer(self, tab: int, n: int) -> None:
        """Show a tab with its number of rows, or hide it without any."""
        self._count(tab, n)
        if not n and self.tabs.currentIndex() == tab:
            self.tabs.setCurrentIndex(CONNECTIONS)
        self.tabs.setTabVisible(tab, n > 0)

    def _count(self, tab: int, n: int) -> None:
        self.tabs.setTabText(tab, f"{tr(TABS[tab])}  {format_number(n)}")

    @property
    def shows_mentions(self) -> bool:
        """Whether the list of mentions is in front of the other lists."""
        return not self.mentions.isHidden()

    def set_figure_strip(self, strip: FigureStrip) -> None:
        """Take the widget that shows the pictures whose captions name the entity."""
        self.figures = strip
        column = self.figures_place.layout()
        assert column is not None
        column.addWidget(strip)
        strip.place_wanted.connect(self.place_clicked)

    def set_figures(self, figures: Sequence[StoredFigure]) -> None:
        """Show the pictures whose captions name the entity."""
        if self.figures is not None:
            self.figures.set_figures(figures)
        self.figures_title.setVisible(bool(figures))
        self.figures_place.setVisible(bool(figures))

    def set_relations(self, relations: Sequence[RelationRow]) -> None:
        """Show connections, those with most passages first, as the number beside them says."""
        self._relations = sorted(relations, key=lambda relation: -relation.n_evidence)
        company = describe_company(relations, self._card.row.id) if self._card is not None else ""
        self.company.setText(company)
        self.company.setVisible(bool(company))
        self._show_relations()

    def _show_relations(self) -> None:
        if self._card is None:
            return
        row = self._card.row
        names = (row.name, *self._card.aliases)
        some = self._standing.n_confirmed > 0  # otherwise every row would be marked
        passing = [relation for relation in self._relations if self.kinds.lets_pass(relation)]
        if (passing, names, some) != self._shown:  # otherwise expanded rows stay expanded
            self._shown = (passing, names, some)
            self.relations.fill(
                quote_relation(relation, row.id, names, mark_instant=some) for relation in passing
            )
        rest = row.n_relations > len(self._relations) > 0
        self.more_relations.setText(
            trn("Show the one connection", "Show all {n} connections", row.n_relations)
        )
        self._has_more = rest
        self._switch(self.tabs.currentIndex())

    def _filter(self) -> None:
        if self._has_more and self.kinds.is_set:
            self.all_relations_wanted.emit()  # matches may be beyond the first rows
        self._show_relations()

    def _ask_for_menu(self, relation_id: int, point: QPoint) -> None:
        relation = next((r for r in self._relations if r.id == relation_id), None)
        if relation is not None:
            self.relation_menu_wanted.emit(relation, point)

    def begin_mentions(self) -> None:
        """Clear the mentions before their first page arrives."""
        self._last_group, self._unseen_mentions = None, []
        self.n_mentions_shown = 0
        self.mentions.set_quotes(())

    def add_mentions(self, mentions: Sequence[MentionRow]) -> None:
        """Append the next mentions in reading order; a hidden list takes them when it is shown."""
        self.n_mentions_shown += len(mentions)
        self._unseen_mentions += mentions
        if not self.mentions.isHidden():
            self._list_mentions()

    def _list_mentions(self) -> None:
        mentions, self._unseen_mentions = self._unseen_mentions, []
        if mentions:
            self.mentions.add_quotes(group_mentions(mentions, self._last_group))
            self._last_group = (mentions[-1].document_id, mentions[-1].heading)

    def toggle_evidence(self, relation_id: int, mentions: Sequence[MentionRow] | None) -> None:
        """Expand a connection's sentences, or collapse them with None."""
        rows = self.relations
        if mentions is None:
            rows.fold(relation_id)
            return
        several = self._card is not None and self._card.row.n_documents > 1
        # the best sentence is shown above them already
        shown = next((q.place for q in rows.quotes if q.relation_id == relation_id), None)
        rows.unfold(relation_id, quote_evidence(mentions, shown, several=several))

    def _switch(self, tab: int) -> None:
        on_relations = tab == CONNECTIONS
        self.relations.setVisible(on_relations)
        self.mentions.setVisible(tab == MENTIONS)
        if tab == MENTIONS:
            self._list_mentions()
        self.events.setVisible(tab == EVENTS)
        self.claims.setVisible(tab == CLAIMS)
        self.more_relations.setVisible(on_relations and self._has_more)
        self.kinds.setVisible(on_relations and self.kinds.is_offered)
        row = self._card.row if self._card is not None else None
        counts = (row.n_relations, row.n_mentions, 1, 1) if row is not None else (1, 1, 1, 1)
        filtered = on_relations and self.kinds.is_set and bool(self._relations)
        none_left = filtered and not self.relations.quotes
        if none_left:
            self.nothing.setText(tr("No connections of this kind."))
        elif on_relations:
            self.nothing.setText(tr(NO_CONNECTION))
        else:
            self.nothing.setText(tr("No mentions in the documents."))
        self.nothing.setVisible(none_left or counts[tab] == 0)
        self._check_later.start()  # after the layout has set the height of the list

    def _check_foot(self) -> None:
        bar = self.verticalScrollBar()
        shows = not self.mentions.isHidden() and self.isVisible()
        if shows and self._card is not None and bar.maximum() - bar.value() < NEAR_FOOT:
            self.more_mentions_wanted.emit()

    def _follow(self, quotes: QuoteList, rect: QRect) -> None:
        top = quotes.mapTo(self.body, rect.topLeft())
        self.ensureVisible(top.x(), top.y() + rect.height() // 2, 0, rect.height())
