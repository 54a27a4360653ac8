"""The page of one entity: head, what is said of it, where it stands, connections, mentions.

Owns how these follow one another and which of the lists is open. Reads nothing itself:
it is handed rows and says what is wanted.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtWidgets import QTabBar, QVBoxLayout, QWidget

from desktop_app.engine.services.said import ClaimRow, EntityStanding
from desktop_app.engine.types import EntityCard, MentionRow, RelationRow
from desktop_app.ui.language import later, tr, trn
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Button, Hairline, Label, SectionTitle, format_number
from desktop_app.ui.widgets.spread_chart import SpreadChart

from .belonging import BelongingLines
from .column_scroll import ColumnScroll
from .entity_head import EntityHead
from .kind_filter import KindFilter
from .quote_list import QuoteList
from .quotes import (
    aside_of,
    group_mentions,
    quote_claim,
    quote_evidence,
    quote_mention,
    quote_relation,
)

NEAR_FOOT = 900
PAD = 12
CONNECTIONS, MENTIONS, CLAIMS = range(3)
TABS = (later("Connections"), later("Mentions"), later("Claims"))
NO_CONNECTION = later(
    "Nothing ties it to another name yet. Connections appear where two names stand in one sentence."
)


class EntityPage(ColumnScroll):
    """Shows an entity; `more_mentions_wanted` when its mentions are nearly scrolled through."""

    place_clicked = Signal(int, int, int)
    name_clicked = Signal(int)
    evidence_wanted = Signal(int)
    tick_clicked = Signal(int, float)
    more_mentions_wanted = Signal()
    all_relations_wanted = Signal()
    describe_wanted = Signal()
    relation_menu_wanted = Signal(object, QPoint)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._card: EntityCard | None = None
        self._standing = EntityStanding()
        self._relations: Sequence[RelationRow] = ()
        self._last_group: tuple[int, str] | None = None
        self.n_mentions_shown = 0
        self.column.setSpacing(0)
        self._build()
        self.verticalScrollBar().valueChanged.connect(lambda _: self._check_foot())
        self.verticalScrollBar().rangeChanged.connect(lambda *_: self._check_later.start())
        self._check_later = QTimer(self, singleShot=True, interval=50)
        self._check_later.timeout.connect(self._check_foot)

    def _build(self) -> None:
        theme = self._theme
        self.head = EntityHead(theme, self.body)
        self.description = Label("", "", self.body, wrap=True)
        self.description.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.description.setContentsMargins(PAD, 0, PAD, 0)
        self.description.mouseDoubleClickEvent = lambda _: self.describe_wanted.emit()
        self.sources_title = SectionTitle(tr("What is said"), self.body)
        self.sources = QuoteList(theme, tr("Sources of the description"), self.body)
        self.spread_title = SectionTitle(tr("Where it is named"), self.body)
        for title in (self.sources_title, self.spread_title):
            title.setContentsMargins(PAD, 0, PAD, 0)
        self.spread = SpreadChart(theme, self.body)
        self.belonging = BelongingLines(self.body)
        self.tabs = QTabBar(self.body)
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        for words in TABS:
            self.tabs.addTab(tr(words))
        self.tabs.setTabVisible(CLAIMS, False)
        self.tabs.currentChanged.connect(self._switch)
        self.kinds = KindFilter(theme, self.body)
        self.kinds.changed.connect(self._filter)
        self.relations = QuoteList(theme, tr("Connections"), self.body)
        self.mentions = QuoteList(theme, tr("Mentions"), self.body)
        self.claims = QuoteList(theme, tr("Claims"), self.body)
        self.mentions.hide()
        self.claims.hide()
        self.nothing = Label("", "muted", self.body, wrap=True)
        self.nothing.setContentsMargins(PAD, 12, PAD, 12)
        self.more_relations = Button("", self.body, kind="link")
        self.more_relations.clicked.connect(self.all_relations_wanted)
        self.more_relations.hide()
        kinds_row = QVBoxLayout()
        kinds_row.setContentsMargins(PAD - 6, 0, PAD, 0)
        kinds_row.addWidget(self.kinds)
        spread_row = QVBoxLayout()
        spread_row.setContentsMargins(PAD, 0, PAD, 0)
        spread_row.addWidget(self.spread)
        column = self.column
        column.addWidget(self.head)
        column.addSpacing(12)
        column.addWidget(self.description)
        column.addSpacing(8)
        column.addWidget(self.sources_title)
        column.addWidget(self.sources)
        column.addSpacing(12)
        column.addWidget(self.spread_title)
        column.addLayout(spread_row)
        column.addSpacing(12)
        column.addWidget(self.belonging)
        column.addSpacing(12)
        column.addWidget(self.tabs)
        column.addWidget(Hairline(parent=self.body))
        column.addSpacing(4)
        column.addLayout(kinds_row)
        column.addWidget(self.relations)
        column.addWidget(self.more_relations, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.mentions)
        column.addWidget(self.claims)
        column.addWidget(self.nothing)
        column.addStretch(1)
        for quotes in (self.sources, self.relations, self.mentions, self.claims):
            quotes.place_clicked.connect(self.place_clicked)
            quotes.name_clicked.connect(self.name_clicked)
            quotes.evidence_wanted.connect(self.evidence_wanted)
            quotes.row_focused.connect(lambda rect, q=quotes: self._follow(q, rect))
        self.spread.tick_clicked.connect(self.tick_clicked)
        self.relations.menu_wanted.connect(self._ask_for_menu)

    # --- what is shown ----------------------------------------------------------------------

    def show_card(self, card: EntityCard, *, keep: bool = False) -> None:
        """Show an entity; with `keep`, its lists stay until their new rows are there."""
        self._card = card
        self.head.show_card(card)
        row = card.row
        self._count(CONNECTIONS, row.n_relations)
        self._count(MENTIONS, row.n_mentions)
        evidence = card.description_evidence
        quoted = " ".join(" ".join(m.sentence for m in evidence).split())
        words = " ".join(card.description.split())
        # the description of a fresh graph is its evidence: say it once, and clickable
        own_words = bool(words) and words not in quoted
        self.description.setText(words if own_words else "")
        self.description.setVisible(own_words)
        self.sources_title.setText(tr("Taken from" if own_words else "What is said"))
        self.sources_title.setVisible(bool(evidence))
        places = [(m, aside_of(m, several=row.n_documents > 1)) for m in evidence]
        self.sources.set_quotes([quote_mention(m, aside=a) for m, a in places])
        self.sources.setVisible(bool(evidence))
        if not keep:
            self.set_spread(())
            self.belonging.clear()
            self._relations, self._standing = (), EntityStanding()
            self.kinds.clear()
            self.kinds.hide()
            self.set_claims(())
            self.relations.set_quotes(())
            self.more_relations.hide()
            self.begin_mentions()
            self.verticalScrollBar().setValue(0)
        self._switch(self.tabs.currentIndex())

    def set_spread(self, spread: Sequence[tuple[int, str, Sequence[float]]]) -> None:
        self.spread.set_spread(spread)
        self.spread_title.setVisible(bool(spread))

    def set_standing(self, standing: EntityStanding) -> None:
        """Say on whose word the page stands, and offer its kinds of connections."""
        self._standing = standing
        self.head.set_standing(standing)
        self.kinds.set_standing(standing)
        self._show_relations()

    def set_claims(self, claims: Sequence[ClaimRow]) -> None:
        """Show what the text claims of it; without any, there is no tab for them."""
        several = self._card is not None and self._card.row.n_documents > 1
        self.claims.set_quotes([quote_claim(claim, several=several) for claim in claims])
        self._count(CLAIMS, len(claims))
        if not claims and self.tabs.currentIndex() == CLAIMS:
            self.tabs.setCurrentIndex(CONNECTIONS)
        self.tabs.setTabVisible(CLAIMS, bool(claims))

    def _count(self, tab: int, n: int) -> None:
        self.tabs.setTabText(tab, f"{tr(TABS[tab])}  {format_number(n)}")

    def set_relations(self, relations: Sequence[RelationRow]) -> None:
        """Show connections, strongest first."""
        self._relations = relations
        self._show_relations()

    def _show_relations(self) -> None:
        if self._card is None:
            return
        row = self._card.row
        names = (row.name, *self._card.aliases)
        some = self._standing.n_confirmed > 0  # else "instant" would stand on every row
        quotes = [
            quote_relation(relation, row.id, names, tell_instant=some)
            for relation in self._relations
            if self.kinds.lets_pass(relation)
        ]
        if quotes != self.relations.quotes:  # else what is unfolded stays so
            self.relations.set_quotes(quotes)
        rest = row.n_relations > len(self._relations) > 0
        self.more_relations.setText(
            trn("Show the one connection", "Show all {n} connections", row.n_relations)
        )
        self._has_more = rest
        self._switch(self.tabs.currentIndex())

    def _filter(self) -> None:
        if self._has_more and self.kinds.is_set:
            self.all_relations_wanted.emit()  # those of a kind may all be among the rest
        self._show_relations()

    def _ask_for_menu(self, relation_id: int, point: QPoint) -> None:
        relation = next((r for r in self._relations if r.id == relation_id), None)
        if relation is not None:
            self.relation_menu_wanted.emit(relation, point)

    def begin_mentions(self) -> None:
        """Empty the mentions before their first page comes."""
        self._last_group = None
        self.n_mentions_shown = 0
        self.mentions.set_quotes(())

    def add_mentions(self, mentions: Sequence[MentionRow]) -> None:
        """Show the next mentions in reading order."""
        self.mentions.add_quotes(group_mentions(mentions, self._last_group))
        self.n_mentions_shown += len(mentions)
        if mentions:
            self._last_group = (mentions[-1].document_id, mentions[-1].heading)

    def toggle_evidence(self, relation_id: int, mentions: Sequence[MentionRow] | None) -> None:
        """Unfold a connection's sentences, or fold them again with None."""
        model = self.relations
        if mentions is None:
            model.fold(relation_id)
            return
        several = self._card is not None and self._card.row.n_documents > 1
        # the best sentence stands over them already
        shown = next((q.place for q in model.quotes if q.relation_id == relation_id), None)
        quotes = quote_evidence(mentions, shown, several=several)
        model.unfold(relation_id, quotes)

    _has_more = False

    def _switch(self, tab: int) -> None:
        on_relations = tab == CONNECTIONS
        self.relations.setVisible(on_relations)
        self.mentions.setVisible(tab == MENTIONS)
        self.claims.setVisible(tab == CLAIMS)
        self.more_relations.setVisible(on_relations and self._has_more)
        self.kinds.setVisible(on_relations and self.kinds.is_offered)
        row = self._card.row if self._card is not None else None
        counts = (row.n_relations, row.n_mentions, 1) if row is not None else (1, 1, 1)
        filtered = on_relations and self.kinds.is_set and bool(self._relations)
        none_left = filtered and not self.relations.quotes
        self.nothing.setText(
            tr("No connection is of this kind.")
            if none_left
            else tr(NO_CONNECTION)
            if on_relations
            else tr("It is named nowhere in the documents that are here.")
        )
        self.nothing.setVisible(none_left or counts[tab] == 0)
        self._check_later.start()  # once the list has its height

    def _check_foot(self) -> None:
        bar = self.verticalScrollBar()
        shows = not self.mentions.isHidden() and self.isVisible()
        if shows and self._card is not None and bar.maximum() - bar.value() < NEAR_FOOT:
            self.more_mentions_wanted.emit()

    def _follow(self, quotes: QuoteList, rect: QRect) -> None:
        top = quotes.mapTo(self.body, rect.topLeft())
        self.ensureVisible(top.x(), top.y() + rect.height() // 2, 0, rect.height())
