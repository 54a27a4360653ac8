"""Finds out what another process changed in the library, such as a server or a command.

SQLite says that another process committed; what it changed is found by comparing the documents and
the versions that the library counts with those of the last look. Knows no process and no screen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..changes import NOTHING, ChangeNotice, IdSet
from ..messages import NO_MESSAGE, Message
from ..model import ChatRow, DocumentRow
from ..store import chats, communities, documents, graph, history
from ..store.db import Db
from ..store.search import fetch_content_version
from .collections import CollectionRow, list_collections


@dataclass(frozen=True, slots=True)
class _State:
    """What tells apart two states of a library, in one query for each kind of data."""

    documents: dict[int, DocumentRow]
    graph: tuple[int, int]  # versions of the texts and of the graph
    communities: int | None
    chats: dict[int, ChatRow]
    collections: tuple[CollectionRow, ...]
    newest_edit: int


@dataclass(frozen=True, slots=True)
class ForeignChange:
    """What another process changed; `edit` is the label of its last edit, empty without one."""

    change: ChangeNotice
    edit: Message = NO_MESSAGE


class ForeignChanges:
    """Compares the library with how it was at the last call.

    Changes of this process count too where they were made since the last call, so that screens may
    load again what they show already.

    Args:
        db: the one connection of this process that writes; not for a library in memory.
    """

    def __init__(self, db: Db) -> None:
        self._db = db
        self._commits: int | None = None
        self._state: _State | None = None

    def find(self) -> ForeignChange | None:
        """Return what changed since the last call, None if no other process committed.

        All entities and relations are returned where the graph changed at all: which of them did,
        only the process knows that changed them.
        """
        commits = self._db.fetch_foreign_commits()
        if commits is None or (commits == self._commits and self._state is not None):
            return None
        before, now = self._state, self._read()
        self._commits, self._state = commits, now
        if before is None:
            return None
        change = self._compare(before, now)
        is_edit = now.newest_edit > before.newest_edit
        edit = self._find_edit(before.newest_edit) if is_edit else NO_MESSAGE
        return ForeignChange(change, edit) if change or edit else None

    def _find_edit(self, since: int) -> Message:
        """Return the label of the newest edit of another process, after this one."""
        found = (
            label
            for edit_id, label, created_at, undone in history.fetch_history(self._db)
            if edit_id > since and not undone and created_at not in self._db.own_edits
        )
        return next(found, NO_MESSAGE)

    def _read(self) -> _State:
        db = self._db
        return _State(
            {row.id: row for row in documents.fetch_documents(db)},
            (fetch_content_version(db), graph.fetch_graph_version(db)),
            communities.find_communities_version(db),
            {row.id: row for row in chats.fetch_chats(db)},
            tuple(list_collections(db)),
            history.find_newest_edit(db),
        )

    def _compare(self, before: _State, now: _State) -> ChangeNotice:
        change, regrouped = NOTHING, now.communities != before.communities
        if now.graph != before.graph or now.newest_edit != before.newest_edit:
            change |= ChangeNotice(
                entities=_list_all(graph.find_last_entity_id(self._db)),
                relations=_list_all(graph.find_last_relation_id(self._db)),
            )
        return change | ChangeNotice(
            documents=_differ(before.documents, now.documents),
            chats=_differ(before.chats, now.chats),
            communities=self._list_communities() if regrouped else frozenset(),
            collections=before.collections != now.collections,
        )

    def _list_communities(self) -> frozenset[int]:
        return frozenset(row.id for row in communities.fetch_communities(self._db))


def _differ(before: Mapping[int, object], now: Mapping[int, object]) -> frozenset[int]:
    """Return the ids whose rows were added, changed or deleted."""
    return frozenset(i for i in before.keys() | now.keys() if before.get(i) != now.get(i))


def _list_all(last_id: int) -> IdSet:
    return IdSet(np.ones(last_id + 1, bool))
