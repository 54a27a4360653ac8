"""Reads the data of an entity page and passes it to the page as it arrives.

Owns which entity is being read; results for another entity are dropped. Does no layout.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal

from desktop_app.engine.errors import UserError
from desktop_app.engine.model import EntityCard, MentionRow, RelationRow
from desktop_app.engine.services.entity_comparison import CommunityMembership
from desktop_app.workers.operations import Query

from ..context import SessionContext
from .page import EntityPage

MENTIONS = 200
RELATIONS = 100


class EntityPageLoader(QObject):
    """Fills `page`; emits `card_read` when the head is loaded, `failed` when nothing could be read.

    If the shown entity was merged into another, that one is read, and `moved` is emitted before
    `card_read`, with both ids.
    """

    card_read = Signal(object)
    failed = Signal(object)
    moved = Signal(int, int)
    place_found = Signal(int, int, int)

    def __init__(
        self, context: SessionContext, page: EntityPage, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._page = page
        self._wanted: int | None = None
        self._reading = 0  # number of the reading whose results are shown
        self._loading_mentions = False
        self._no_more_mentions = False
        self.card: EntityCard | None = None
        page.evidence_wanted.connect(self.toggle_evidence)
        page.tick_clicked.connect(self._find_tick)
        page.more_mentions_wanted.connect(self._read_mentions)
        page.all_relations_wanted.connect(self._read_all_relations)

    def read(self, entity_id: int, *, keep: bool = False) -> None:
        """Read an entity.

        Args:
            keep: the old contents stay until all new ones are read, which are shown together, so
                that the page is laid out and painted once. Otherwise each part is shown when it
                is read.
        """
        self._wanted = entity_id
        self._reading += 1
        self._loading_mentions = False
        library_reader, page = self._context.library_reader, self._page
        n_mentions = max(MENTIONS, page.n_mentions_shown) if keep else MENTIONS
        before = self.card if self.card is not None and self.card.row.id == entity_id else None
        read_id = entity_id  # of the entity that is there now; set in the lane

        def find_card() -> EntityCard:
            nonlocal read_id
            try:
                return library_reader.get_entity(entity_id)
            except UserError:
                # merged: the entity that replaced it has its name
                names = [before.row.name, *before.aliases] if before is not None else []
                found = library_reader.find_by_names(names)
                if found is None:
                    raise
                read_id = found
                return library_reader.get_entity(found)

        def read_card() -> tuple[EntityCard, list[RelationRow], bool]:
            card = find_card()
            relations = library_reader.fetch_relations(read_id, RELATIONS)
            return card, relations, library_reader.has_several_documents()

        def show_card(found: tuple[EntityCard, list[RelationRow], bool]) -> None:
            """Show the head and the connections together: without them, the page looks empty."""
            card, relations, page.has_several_documents = found
            self.card = card
            if card.row.id != entity_id:
                self._wanted = card.row.id
                self.moved.emit(entity_id, card.row.id)
            page.show_card(card, keep=keep)
            page.set_relations(relations)
            self.card_read.emit(card)

        def fail(error: BaseException) -> None:
            self.card = None
            self.failed.emit(error)

        reading, parts = self._reading, list[Callable[[], None]]()  # each shows a part

        def show_all() -> None:
            if reading == self._reading:
                for show in parts:
                    show()
                page.settle()

        def at_its_time(show: Callable[[Any], None]) -> Callable[[Any], None]:
            """Return what takes a result: it is shown at once, or together with the others."""

            def show_now(result: Any) -> None:
                show(result)
                page.settle()

            return (lambda result: parts.append(partial(show, result))) if keep else show_now

        def show_mentions(rows: list[MentionRow]) -> None:
            if self.card is None:
                return
            page.begin_mentions()
            self._add_mentions(rows, n_mentions)

        def read_spread(entity_id: int) -> tuple[list[Any], dict[int, list[tuple[float, str]]]]:
            spread = library_reader.fetch_mention_spread(entity_id)
            return spread, library_reader.fetch_chapters([row[0] for row in spread])

        def query(
            fn: Callable[..., Any], *args: Any, then: Callable[[Any], None], last: bool = False
        ) -> None:
            def show(result: Any) -> None:
                if self.card is not None:
                    then(result)

            self._query(
                lambda: fn(read_id, *args),
                then=at_its_time(show),
                ended=show_all if keep and last else None,
            )

        self._query(read_card, then=at_its_time(show_card), fail=fail)
        if keep and page.shows_mentions:
            query(library_reader.fetch_mentions, n_mentions, 0, then=show_mentions)
        query(read_spread, then=lambda found: page.set_spread(*found))
        query(library_reader.list_communities_of, then=page.belonging.set_communities)
        query(self._context.figure_reader.list_of_entity, then=page.set_figures)
        query(library_reader.list_history_of, then=page.belonging.set_history)
        query(library_reader.describe_provenance, then=page.set_standing)
        query(library_reader.fetch_claims, then=page.set_claims)
        query(library_reader.list_events, then=page.set_events, last=True)
        if not (keep and page.shows_mentions):
            self._query(
                lambda: library_reader.fetch_mentions(read_id, n_mentions, 0), then=show_mentions
            )

    def read_communities(self) -> None:
        """Read the communities of the shown entity again; others of its page stay."""
        if self.card is None:
            return

        def show(rows: list[CommunityMembership]) -> None:
            if rows != self._page.belonging.memberships:
                self._page.belonging.set_communities(rows)
                self._page.settle()

        fetch = self._context.library_reader.list_communities_of
        self._query(fetch, self.card.row.id, then=show)

    def toggle_evidence(self, relation_id: int) -> None:
        """Expand the sentences behind a connection, or collapse them again."""
        if self._page.relations.is_unfolded(relation_id):
            self._page.toggle_evidence(relation_id, None)
            return
        self._query(
            self._context.library_reader.fetch_relation_evidence,
            relation_id,
            then=lambda rows: self._page.toggle_evidence(relation_id, rows),
        )

    def _query(
        self,
        fn: Callable[..., Any],
        *args: Any,
        then: Callable[[Any], None],
        fail: Callable[[BaseException], None] | None = None,
        ended: Callable[[], None] | None = None,
    ) -> None:
        """Build a query about the entity; `fail` is called only while it is shown.

        `ended` is called after it, whether it failed or not.
        """
        wanted = self._reading

        def take(result: Any) -> None:
            if wanted == self._reading:
                then(result)

        query = Query(self._context.reader_lane, fn, *args, owner=self).on_success(take)
        if fail is not None:
            query.on_error(lambda error: fail(error) if wanted == self._reading else None)
        if ended is not None:
            query.on_end(ended)
        query.run()

    def _read_mentions(self) -> None:
        if self._loading_mentions or self._no_more_mentions or self._wanted is None:
            return
        self._loading_mentions = True
        self._query(
            self._context.library_reader.fetch_mentions,
            self._wanted,
            MENTIONS,
            self._page.n_mentions_shown,
            then=lambda rows: self._add_mentions(rows, MENTIONS),
        )

    def _add_mentions(self, rows: list[MentionRow], asked: int) -> None:
        self._loading_mentions = False
        self._no_more_mentions = len(rows) < asked
        self._page.add_mentions(rows)

    def _read_all_relations(self) -> None:
        if self.card is not None:
            row = self.card.row
            fetch = self._context.library_reader.fetch_relations
            self._query(fetch, row.id, row.n_relations, then=self._page.set_relations)

    def _find_tick(self, document_id: int, position: float) -> None:
        entity_id, library_reader = self._wanted, self._context.library_reader

        def find() -> tuple[int, int]:
            n_chars = library_reader.get_document(document_id).n_chars
            place = round(position * n_chars)
            near = library_reader.mentions_in(document_id, max(0, place - 60), place + 60)
            own = [m for m in near if m[2] == entity_id]
            best = min(own, key=lambda m: abs(m[0] - place), default=(place, place + 1))
            return best[0], best[1]

        self._query(find, then=lambda span: self.place_found.emit(document_id, *span))
