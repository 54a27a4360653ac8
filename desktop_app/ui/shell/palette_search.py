"""Rows of the command palette for a search text: sections in order, best match first.

Ranks rows of all kinds and recently used ones. Runs no queries: it is given all candidates.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from desktop_app.engine.model import ChatRow, DocumentRow, EntityRow
from desktop_app.engine.store.chats import ChatHit

from ..language import tr, trn
from .actions import WindowCommand
from .navigator import Navigator

WHOLE, START, WORD, INSIDE, LETTERS = 100, 80, 60, 40, 15


def rate(text: str, wanted: str) -> int:
    """Return how well a text matches, 0 for not at all; both arguments are casefolded.

    Every word of the query must match. A word that does not occur may match by its letters in
    order, so that "lbry" finds "library".
    """
    if not wanted:
        return 1
    if text == wanted:
        return WHOLE
    if text.startswith(wanted):
        return START
    words = wanted.split()
    marks = [_rate_word(text, word) for word in words]
    if not all(marks):
        return 0
    together = 10 if len(words) > 1 and wanted in text else 0
    return sum(marks) // len(marks) + together


def _rate_word(text: str, word: str) -> int:
    place = text.find(word)
    if place < 0:
        return LETTERS if len(word) > 2 and _has_letters(text, word) else 0
    if place == 0 or _parts(text[place - 1], text[place]):
        return WORD
    # A word may start later in the text than the first place where its letters occur.
    later = text.find(" " + word)
    return WORD if later >= 0 else INSIDE


def _parts(before: str, here: str) -> bool:
    """Return whether a word can start between two characters; any Chinese character starts one."""
    return not before.isalnum() or here > "\u2e80"


def _has_letters(text: str, word: str) -> bool:
    """Return whether the letters of a word occur in order, close together, from a word start."""
    start = text.find(word[0])
    while start >= 0:
        if start == 0 or not text[start - 1].isalnum():
            place = start
            for letter in word[1:]:
                place = text.find(letter, place + 1)
                if place < 0:
                    return False
            if place - start <= 3 * len(word):
                return True
        start = text.find(word[0], start + 1)
    return False


EACH, EMPTY_EACH, MAX_RECENT = 6, 7, 20


@dataclass(frozen=True, slots=True)
class PaletteRow:
    """One row; `key` is stable across restarts and libraries, `act` runs when it is chosen."""

    text: str
    note: str
    icon: str
    key: str
    act: Callable[[], Any]
    mark: int = 0


@dataclass(slots=True)
class PaletteSources:
    """The candidates; entities and hits are queried for the current text.

    `known` are the recently opened names.
    """

    commands: list[WindowCommand] = field(default_factory=list)
    settings: list[tuple[str, str, str, str]] = field(default_factory=list)
    documents: list[DocumentRow] = field(default_factory=list)
    chats: list[ChatRow] = field(default_factory=list)
    entities: list[EntityRow] = field(default_factory=list)
    known: list[EntityRow] = field(default_factory=list)
    hits: list[ChatHit] = field(default_factory=list)
    # A cache of ratings for the current text, since rows are listed once per finished query.
    rated: dict[tuple[str, str, int], list[tuple[int, Any]]] = field(default_factory=dict)


def list_rows(
    sources: PaletteSources, navigator: Navigator, text: str, recent: Sequence[str]
) -> list[tuple[str, list[PaletteRow]]]:
    """Return sections with their rows, best first; recently used rows win ties."""
    wanted = " ".join(text.casefold().split())
    kinds = {
        tr("Names"): _names(sources.entities if wanted else sources.known, navigator),
        tr("Documents"): _documents(sources, navigator, wanted, recent),
        tr("Chats"): _chats(sources, navigator, wanted, recent),
        tr("Commands"): _commands(sources),
        tr("Settings"): _settings(sources, navigator) if wanted else [],
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
    if hits := _hits(sources, navigator):
        listed.append((tr("In chats"), hits[:EACH]))
    return listed


def _mark(row: PaletteRow, wanted: str, recent: Sequence[str]) -> int:
    # A name that was found by an alias does not contain the text.
    mark = row.mark or rate(row.text.casefold(), wanted)
    lately = 8 if row.key in recent else 0
    return mark and mark + lately


def _for_nothing(
    kinds: dict[str, list[PaletteRow]], recent: Sequence[str]
) -> list[tuple[str, list[PaletteRow]]]:
    by_key = {row.key: row for rows in kinds.values() for row in rows}
    lately = [by_key[key] for key in recent if key in by_key][:EMPTY_EACH]
    known = {row.key for row in lately}
    commands = [row for row in kinds[tr("Commands")] if row.key not in known]
    sections = [(tr("Used lately"), lately), (tr("Commands"), commands)]
    return [(title, rows) for title, rows in sections if rows]


def _names(entities: Sequence[EntityRow], navigator: Navigator) -> list[PaletteRow]:
    # The query ranks them: equal, prefix, substring.
    return [
        PaletteRow(
            e.name,
            trn("{n} mention", "{n} mentions", e.n_mentions),
            e.type,
            f"name/{e.name}",
            partial(navigator.open_entity, e.id),
            85 - place,
        )
        for place, e in enumerate(entities)
    ]


def _documents(
    sources: PaletteSources, navigator: Navigator, wanted: str, recent: Sequence[str]
) -> list[PaletteRow]:
    return [
        PaletteRow(
            d.title,
            d.file_name,
            "document",
            f"document/{d.title}",
            partial(navigator.open_document, d.id),
            mark,
        )
        for mark, d in _best(sources, "document", wanted, recent)
    ]


def _chats(
    sources: PaletteSources, navigator: Navigator, wanted: str, recent: Sequence[str]
) -> list[PaletteRow]:
    return [
        PaletteRow(
            c.title or tr("New chat"),
            trn("{n} message", "{n} messages", c.n_messages),
            "chat",
            f"chat/{c.title}",
            partial(navigator.open_chat, c.id),
            mark,
        )
        for mark, c in _best(sources, "chat", wanted, recent)
    ]


def _best(
    sources: PaletteSources, kind: str, wanted: str, recent: Sequence[str]
) -> list[tuple[int, Any]]:
    """Return the documents or chats whose titles match best, with their ratings."""
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


def _hits(sources: PaletteSources, navigator: Navigator) -> list[PaletteRow]:
    titles: dict[int, str] = {c.id: c.title for c in sources.chats}
    return [
        PaletteRow(
            " ".join(h.snippet.split()),
            titles.get(h.chat_id, "") or h.title,
            "ph.quotes",
            f"hit/{h.message_id}",
            partial(navigator.open_chat, h.chat_id, h.message_id),
        )
        for h in sources.hits
        if h.message_id
    ]


def _commands(sources: PaletteSources) -> list[PaletteRow]:
    return [
        PaletteRow(c.text, f"{c.group}   {c.keys}".strip(), c.icon, f"do/{c.key}", c.run)
        for c in sources.commands
        if c.run is not None
    ]


def _settings(sources: PaletteSources, navigator: Navigator) -> list[PaletteRow]:
    return [
        PaletteRow(
            label,
            title,
            "settings",
            f"setting/{section}/{name}",
            partial(navigator.open_setting, section, name),
        )
        for section, name, label, title in sources.settings
    ]
