"""Search in all conversations: which messages have all the words, the newest first.

Owns the matching; there are few enough messages to look at each (10,000 take a tenth of a
second), so that no index has to be kept in step with branches and undo.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .db import Db

AROUND = 40
EACH = 5  # of one conversation, so that a long one does not hide the others
_MARKDOWN = re.compile(r"\*\*|^#+ |^\|[-| :]+\|$|`{3}", re.MULTILINE)
_WORD = re.compile(r'"([^"]+)"|(\S+)')


@dataclass(frozen=True, slots=True)
class ChatHit:
    """A message in which all words stand; `message_id` 0 where they stand in the title.

    `found` is the part of `snippet` that has the first word; `n_more` says how many messages of
    the conversation come after this one and are left out.
    """

    chat_id: int
    title: str
    message_id: int
    role: str
    snippet: str
    found: tuple[int, int] = (0, 0)
    n_more: int = 0


def find_in_chats(db: Db, text: str, limit: int = 60, chat_id: int | None = None) -> list[ChatHit]:
    """Return where all the words stand; "quoted words" stand together. Titles come first.

    Of each conversation the newest few messages count, of the one with this id all.
    """
    words = [quoted or word for quoted, word in _WORD.findall(text)]
    words = [word.strip() for word in words if word.strip()]
    if not words:
        return []
    likes = ["%" + re.sub(r"([\\%_])", r"\\\1", word) + "%" for word in words]

    def where(column: str) -> str:
        return " AND ".join([f"{column} LIKE ? ESCAPE '\\'"] * len(likes))

    hits = [
        ChatHit(found_id, title, 0, "", title, _place(title, words))
        for found_id, title in db.rows(
            f"SELECT id, title FROM chat WHERE {where('title')} AND id = ifnull(?, id)"
            " ORDER BY updated_at DESC LIMIT ?",
            (*likes, chat_id, limit),
        )
    ]
    each = EACH if chat_id is None else limit
    for found_id, title, message_id, role, said, place, n in db.rows(
        "SELECT * FROM (SELECT c.id, c.title, m.id, m.role, m.text,"
        " row_number() OVER newest AS place, count(*) OVER (PARTITION BY c.id)"
        f" FROM message m JOIN chat c ON c.id = m.chat_id WHERE {where('m.text')}"
        " AND c.id = ifnull(?, c.id) WINDOW newest AS (PARTITION BY c.id ORDER BY m.id DESC)"
        ") WHERE place <= ? ORDER BY 3 DESC LIMIT ?",
        (*likes, chat_id, each, limit),
    ):
        snippet, found = _cut(said, words)
        titled = any(h.chat_id == found_id and not h.message_id for h in hits)
        if titled and role == "user" and said.strip().startswith(title):
            continue  # the title is its first question
        n_more = n - place if place == each else 0
        hits.append(ChatHit(found_id, title, message_id, role, snippet, found, n_more))
    return hits[:limit]


def _place(text: str, words: list[str]) -> tuple[int, int]:
    start = text.lower().find(words[0].lower())
    return (start, start + len(words[0])) if start >= 0 else (0, 0)


def _cut(text: str, words: list[str]) -> tuple[str, tuple[int, int]]:
    """Return what stands around the first word, in one line, and where the word is in it."""
    text = " ".join(_MARKDOWN.sub("", text).split())
    start, end = _place(text, words)
    begin = max(0, start - AROUND)
    if begin:
        blank = text.find(" ", begin, start)
        begin = blank + 1 if blank >= 0 else begin
    before = "…" if begin else ""
    snippet = before + text[begin : end + 3 * AROUND]
    if end + 3 * AROUND < len(text):
        snippet += "…"
    shift = len(before) - begin
    return snippet, (start + shift, end + shift) if end else (0, 0)
