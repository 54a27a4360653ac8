"""Search in all conversations: which messages have all the words, the newest first.

Owns the matching; there are few enough messages to look at each (10,000 take a tenth of a
second), so that no index has to be kept in step with branches and undo.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .db import Db

AROUND = 40
_MARKDOWN = re.compile(r"\*\*|^#+ |^\|[-| :]+\|$|`{3}", re.MULTILINE)
_WORD = re.compile(r'"([^"]+)"|(\S+)')


@dataclass(frozen=True, slots=True)
class ChatHit:
    """A message in which all words stand; `message_id` 0 where they stand in the title.

    `found` is the part of `snippet` that has the first word.
    """

    chat_id: int
    title: str
    message_id: int
    role: str
    snippet: str
    found: tuple[int, int] = (0, 0)


def find_in_chats(db: Db, text: str, limit: int = 60) -> list[ChatHit]:
    """Return where all the words stand; "quoted words" stand together. Titles come first."""
    words = [quoted or word for quoted, word in _WORD.findall(text)]
    words = [word.strip() for word in words if word.strip()]
    if not words:
        return []
    likes = ["%" + re.sub(r"([\\%_])", r"\\\1", word) + "%" for word in words]

    def where(column: str) -> str:
        return " AND ".join([f"{column} LIKE ? ESCAPE '\\'"] * len(likes))

    hits = [
        ChatHit(chat_id, title, 0, "", title, _place(title, words))
        for chat_id, title in db.rows(
            f"SELECT id, title FROM chat WHERE {where('title')} ORDER BY updated_at DESC LIMIT ?",
            (*likes, limit),
        )
    ]
    for chat_id, title, message_id, role, said in db.rows(
        "SELECT c.id, c.title, m.id, m.role, m.text FROM message m JOIN chat c ON c.id = m.chat_id"
        f" WHERE {where('m.text')} ORDER BY m.id DESC LIMIT ?",
        (*likes, limit),
    ):
        snippet, found = _cut(said, words)
        titled = any(h.chat_id == chat_id and not h.message_id for h in hits)
        if titled and role == "user" and said.strip().startswith(title):
            continue  # the title is its first question
        hits.append(ChatHit(chat_id, title, message_id, role, snippet, found))
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
