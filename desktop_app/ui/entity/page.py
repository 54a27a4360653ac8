"""The page of one entity: head, description, context, connections, mentions.

Owns the order of the sections and which list is open. Reads nothing itself: it receives rows
and emits requests.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QGridLayout, QTabBar, QVBoxLayout, QWidget

from desktop_app.engine.model import EntityCard, MentionRow, RelationRow
from desktop_app.engine.services.comparing import CommunityMembership
from desktop_app.engine.services.editing.history import HistoryRow
from desktop_app.engine.services.provenance import ClaimRow, EntityProvenance

from ..language import later, tr, tr_message, trn
from ..theme.theme import Theme
from ..widgets import Button, Hairline, Label, SectionTitle, format_number, format_when
from ..widgets.kind_marks import LINE_WIDTH, paint_kind_line
from ..widgets.layout import order_tabs
from ..widgets.spread_chart import SpreadChart
from ..widgets.words import join_words, look_of_kind
from .column_scroll import ColumnScroll
from .head import EntityHead
from .quote_list import QuoteList
from .quotes import (
    aside_of,
    group_mentions,
    quote_claim,
    quote_evidence,
    quote_mention,
    quote_relation,
)
from .type_toggles import HEIGHT, WrappingToggles

MOST = 3  # communities, the closest first


class BelongingLines(QWidget):
    """The communities and the history; a click on the history emits `history_wanted`."""

    history_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.communities_title = Label(tr("Communities"), "small", self)
        self.communities = Label("", "muted", self, wrap=True)
        self.history_title = Label(tr("By hand"), "small", self)
        self.history = Button("", self, kind="link")
        self.history.clicked.connect(self.history_wanted)
        grid = QGridLayout(self)
        grid.setContentsMargins(12, 0, 12, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        top, left = Qt.AlignmentFlag.AlignTop, Qt.AlignmentFlag.AlignLeft
        grid.addWidget(self.communities_title, 0, 0, top)
        grid.addWidget(self.communities, 0, 1)
        grid.addWidget(self.history_title, 1, 0)
        grid.addWidget(self.history, 1, 1, left)
        self.clear()

    def clear(self) -> None:
        self.set_communities(())
        self.set_history(())

    def set_communities(self, rows: Sequence[CommunityMembership]) -> None:
        """Show the communities of the entity and its neighbours there."""
        lines = [_describe(row) for row in rows[:MOST]]
        self.communities.setText("\n".join(lines))
        for label in (self.communities_title, self.communities):
            label.setVisible(bool(lines))
        self._check()

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
                    what=what if done else tr("{what} (taken back)", what=what),
                    when=when,
                )
            )
        for widget in (self.history_title, self.history):
            widget.setVisible(bool(rows))
        self._check()

    def _check(self) -> None:
        self.setVisible(bool(self.communities.text()) or not self.history.isHidden())


def _describe(row: CommunityMembership) -> str:
    names = join_words(row.others)
    with_whom = tr("with {names}", names=names) if row.others else tr("alone")
    count = trn("{n} name", "{n} names", row.n_members)
    if row.title and row.title not in row.others:
        return tr(
            "{title}: {with_whom} ({count})", title=row.title, with_whom=with_whom, count=count
        )
    return tr("{with_whom} ({count})", with_whom=with_whom, count=count)


CONFIRMED = later("Confirmed by a model")


class ConnectionKindToggle(QAbstractButton):
    """A toggle for one kind of connection, or for all connections from a model."""

    def __init__(self, theme: Theme, kind: str | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.kind = kind
        self.setCheckable(True)
        self.setText(tr(CONFIRMED) if kind is None else look_of_kind(kind).words)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self._count = ""
        theme.changed.connect(self.update)

    def set_count(self, count: int) -> None:
        self._count = format_number(count)
        if self.kind is None:
            message = tr("List only connections of which a model speaks ({n})", n=self._count)
        else:
            message = tr("List only connections “{kind}” ({n})", kind=self.text(), n=self._count)
        self.setToolTip(message)
        self.setAccessibleName(f"{self.text()}, {self._count}")
        self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self._theme.font("small"))
        words = metrics.horizontalAdvance(self.text())
        count = metrics.horizontalAdvance(self._count)
        return QSize(LINE_WIDTH + words + count + 28, self._theme.length(HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        on, hovered = self.isChecked(), self.underMouse()
        painter.setPen(self._theme.color("accent") if self.hasFocus() else Qt.PenStyle.NoPen)
        if on or hovered:
            painter.setBrush(self._theme.color("accent_soft", 1.0 if on else 0.6))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 2.5, -0.5, -2.5), 6, 6)
        if self.kind is None:
            spot = QRect(8, (self.height() - 16) // 2, 16, 16)
            self._theme.icon("models").paint(painter, spot)
        else:
            paint_kind_line(painter, 7, self.height() / 2, self.kind, self._theme)
        painter.setFont(self._theme.font("small"))
        painter.setPen(self._theme.color("text" if on else "text2"))
        words = self.rect().adjusted(LINE_WIDTH + 13, 0, -7, 0)
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, self.text())
        painter.setPen(self._theme.color("text2"))
        end = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(words, end, self._count)
        painter.end()


class KindFilter(WrappingToggles):
    """Emits `changed` when a toggle changes; needs connections from a model."""

    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.confirmed = ConnectionKindToggle(theme, None, self)
        self.confirmed.toggled.connect(lambda _: self.changed.emit())
        self.toggles: dict[str, ConnectionKindToggle] = {}
        self.is_offered = False
        self.hide()

    @property
    def is_set(self) -> bool:
        """Return whether any toggle is checked."""
        return self.confirmed.isChecked() or bool(self.kinds())

    def kinds(self) -> frozenset[str]:
        return frozenset(kind for kind, toggle in self.toggles.items() if toggle.isChecked())

    def lets_pass(self, relation: RelationRow) -> bool:
        """Return whether the filter includes a connection."""
        kinds = self.kinds()
        return (not kinds or relation.kind in kinds) and (
            not self.confirmed.isChecked() or relation.n_enriched > 0
        )

    def set_standing(self, standing: EntityProvenance) -> None:
        """Offer the kinds that occur; checked kinds stay checked while they still occur."""
        counts = dict(standing.kinds)
        for kind in [kind for kind in self.toggles if kind not in counts]:
            self.toggles.pop(kind).deleteLater()
        for kind in counts:
            if kind not in self.toggles:
                toggle = self.toggles[kind] = ConnectionKindToggle(self._theme, kind, self)
                toggle.toggled.connect(lambda _: self.changed.emit())
            self.toggles[kind].set_count(counts[kind])
        n_all = sum(counts.values())
        self.confirmed.set_count(standing.n_confirmed)
        named = [kind for kind in counts if kind]
        some = len(counts) > 1 and bool(named)
        self.buttons = [self.confirmed, *(self.toggles[k] for k in (*named, *({""} & set(counts))))]
        for button in self.buttons:
            button.setVisible(some)
        self.confirmed.setVisible(0 < standing.n_confirmed < n_all)
        order_tabs(self.buttons)
        self.is_offered = any(not button.isHidden() for button in self.buttons)
        self.place()

    def clear(self) -> None:
        """Remove all toggles without emitting `changed`."""
        self.is_offered = False
        for button in (self.confirmed, *self.toggles.values()):
            button.blockSignals(True)
            button.setChecked(False)
            button.blockSignals(False)


NEAR_FOOT = 900
PAD = 12
CONNECTIONS, MENTIONS, CLAIMS = range(3)
TABS = (later("Connections"), later("Mentions"), later("Claims"))
NO_CONNECTION = later(
    "Nothing ties it to another name yet. Connections appear where two names stand in one sentence."
)


class EntityPage(ColumnScroll):
    """Shows an entity; emits `more_mentions_wanted` when its mentions are scrolled near the end."""

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
        self._standing = EntityProvenance()
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
        """Show an entity; with `keep`, the old lists stay until their new rows arrive."""
        self._card = card
        self.head.show_card(card)
        row = card.row
        self._count(CONNECTIONS, row.n_relations)
        self._count(MENTIONS, row.n_mentions)
        evidence = card.description_evidence
        quoted = " ".join(" ".join(m.sentence for m in evidence).split())
        words = " ".join(card.description.split())
        # without a model the description is its evidence: show it once, with links
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
            self._relations, self._standing = (), EntityProvenance()
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

    def set_standing(self, standing: EntityProvenance) -> None:
        """Show the sources of the description and the type, and offer the kinds of connections."""
        self._standing = standing
        self.head.set_standing(standing)
        self.kinds.set_standing(standing)
        self._show_relations()

    def set_claims(self, claims: Sequence[ClaimRow]) -> None:
        """Show the claims about the entity; without claims the tab is hidden."""
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
        some = self._standing.n_confirmed > 0  # otherwise "instant" would appear in every row
        quotes = [
            quote_relation(relation, row.id, names, tell_instant=some)
            for relation in self._relations
            if self.kinds.lets_pass(relation)
        ]
        if quotes != self.relations.quotes:  # otherwise expanded rows stay expanded
            self.relations.set_quotes(quotes)
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
        self._last_group = None
        self.n_mentions_shown = 0
        self.mentions.set_quotes(())

    def add_mentions(self, mentions: Sequence[MentionRow]) -> None:
        """Append the next mentions in reading order."""
        self.mentions.add_quotes(group_mentions(mentions, self._last_group))
        self.n_mentions_shown += len(mentions)
        if mentions:
            self._last_group = (mentions[-1].document_id, mentions[-1].heading)

    def toggle_evidence(self, relation_id: int, mentions: Sequence[MentionRow] | None) -> None:
        """Expand a connection's sentences, or collapse them with None."""
        model = self.relations
        if mentions is None:
            model.fold(relation_id)
            return
        several = self._card is not None and self._card.row.n_documents > 1
        # the best sentence is shown above them already
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
        self._check_later.start()  # after the layout has set the height of the list

    def _check_foot(self) -> None:
        bar = self.verticalScrollBar()
        shows = not self.mentions.isHidden() and self.isVisible()
        if shows and self._card is not None and bar.maximum() - bar.value() < NEAR_FOOT:
            self.more_mentions_wanted.emit()

    def _follow(self, quotes: QuoteList, rect: QRect) -> None:
        top = quotes.mapTo(self.body, rect.topLeft())
        self.ensureVisible(top.x(), top.y() + rect.height() // 2, 0, rect.height())
