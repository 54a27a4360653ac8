"""What the palette lists for a text: sections with their rows, best first.

Owns ranking across kinds and what was used lately. Asks nobody: it is given all there is.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from desktop_app.engine.services.chats import ChatHit
from desktop_app.engine.types import ChatRow, DocumentRow, EntityRow

from .commands import Command
from .doors import Doors
from .language import tr, trn
from .ranking import rate

EACH, EMPTY_EACH, MAX_RECENT = 6, 7, 20


@dataclass(frozen=True, slots=True)
class Row:
    """One line: `key` names it from one start and library to the next, `act` is what it does."""

    text: str
    note: str
    icon: str
    key: str
    act: Callable[[], Any]
    mark: int = 0


@dataclass(slots=True)
class Sources:
    """All there is to find; names and places in chats are asked for the text at hand.

    `known` are the names that were gone to lately.
    """

    commands: list[Command] = field(default_factory=list)
    settings: list[tuple[str, str, str, str]] = field(default_factory=list)
    documents: list[DocumentRow] = field(default_factory=list)
    chats: list[ChatRow] = field(default_factory=list)
    entities: list[EntityRow] = field(default_factory=list)
    known: list[EntityRow] = field(default_factory=list)
    hits: list[ChatHit] = field(default_factory=list)
    # what was rated for the text at hand: it is asked for with every answer that comes in
    rated: dict[tuple[str, str, int], list[tuple[int, Any]]] = field(default_factory=dict)


def list_rows(
    sources: Sources, doors: Doors, text: str, recent: Sequence[str]
) -> list[tuple[str, list[Row]]]:
    """Return sections with their rows; of the same worth, what was used lately comes first."""
    wanted = " ".join(text.casefold().split())
    kinds = {
        tr("Names"): _names(sources.entities if wanted else sources.known, doors),
        tr("Documents"): _documents(sources, doors, wanted, recent),
        tr("Chats"): _chats(sources, doors, wanted, recent),
        tr("Commands"): _commands(sources),
        tr("Settings"): _settings(sources, doors) if wanted else [],
    }
    if not wanted:
        return _for_nothing(kinds, recent)
    sections = []
    for title, rows in kinds.items():
        marked = [(_mark(row, wanted, recent), row) for row in rows]
        fit = sorted((m for m in marked if m[0] > 0), key=lambda m: -m[0])
        if fit:
            sections.append((fit[0][0], title, [row for _, row in fit[:EACH]]))
    sections.sort(key=lambda s: -s[0])
    listed = [(title, rows) for _, title, rows in sections]
    if hits := _hits(sources, doors):
        listed.append((tr("In chats"), hits[:EACH]))
    return listed


def _mark(row: Row, wanted: str, recent: Sequence[str]) -> int:
    # names that were found by an alias have no such letters in them
    mark = row.mark or rate(row.text.casefold(), wanted)
    lately = 8 if row.key in recent else 0
    return mark and mark + lately


def _for_nothing(kinds: dict[str, list[Row]], recent: Sequence[str]) -> list[tuple[str, list[Row]]]:
    by_key = {row.key: row for rows in kinds.values() for row in rows}
    lately = [by_key[key] for key in recent if key in by_key][:EMPTY_EACH]
    known = {row.key for row in lately}
    commands = [row for row in kinds[tr("Commands")] if row.key not in known]
    sections = [(tr("Used lately"), lately), (tr("Commands"), commands)]
    return [(title, rows) for title, rows in sections if rows]


def _names(entities: Sequence[EntityRow], doors: Doors) -> list[Row]:
    # the library ranks them: equal, beginning, inside
    return [
        Row(
            e.name,
            trn("{n} mention", "{n} mentions", e.n_mentions),
            e.type,
            f"name/{e.name}",
            lambda e=e: doors.entity(e.id),
            85 - place,
        )
        for place, e in enumerate(entities)
    ]


def _documents(sources: Sources, doors: Doors, wanted: str, recent: Sequence[str]) -> list[Row]:
    return [
        Row(
            d.title,
            d.file_name,
            "document",
            f"document/{d.title}",
            lambda d=d: doors.document(d.id),
            mark,
        )
        for mark, d in _best(sources, "document", wanted, recent)
    ]


def _chats(sources: Sources, doors: Doors, wanted: str, recent: Sequence[str]) -> list[Row]:
    return [
        Row(
            c.title or tr("New chat"),
            trn("{n} message", "{n} messages", c.n_messages),
            "chat",
            f"chat/{c.title}",
            lambda c=c: doors.chat(c.id),
            mark,
        )
        for mark, c in _best(sources, "chat", wanted, recent)
    ]


def _best(sources: Sources, kind: str, wanted: str, recent: Sequence[str]) -> list[tuple[int, Any]]:
    """Return the rows whose titles fit best with their marks: of thousands, few are shown."""
    rows: Sequence[Any] = sources.documents if kind == "document" else sources.chats
    if not wanted:
        lately = set(recent)
        return [(0, row) for row in rows if f"{kind}/{row.title}" in lately]
    key = kind, wanted, len(rows)
    if key not in sources.rated:
        marked = ((rate(row.title.casefold(), wanted), -place) for place, row in enumerate(rows))
        best = heapq.nlargest(3 * EACH, (m for m in marked if m[0]))
        sources.rated[key] = [(mark, rows[-place]) for mark, place in best]
    return sources.rated[key]


def _hits(sources: Sources, doors: Doors) -> list[Row]:
    titles = {c.id: c.title for c in sources.chats}
    return [
        Row(
            " ".join(h.snippet.split()),
            titles.get(h.chat_id, "") or h.title,
            "ph.quotes",
            f"hit/{h.message_id}",
            lambda h=h: doors.chat(h.chat_id, h.message_id),
        )
        for h in sources.hits
        if h.message_id
    ]


def _commands(sources: Sources) -> list[Row]:
    return [
        Row(c.text, f"{c.group}   {c.keys}".strip(), c.icon, f"do/{c.key}", c.run)
        for c in sources.commands
        if c.run is not None
    ]


def _settings(sources: Sources, doors: Doors) -> list[Row]:
    return [
        Row(
            label,
            title,
            "settings",
            f"setting/{section}/{name}",
            lambda s=section, n=name: doors.setting(s, n),
        )
        for section, name, label, title in sources.settings
    ]
