"""Rows of conversations: chats, messages and their citations."""

from __future__ import annotations

import dataclasses
import time

from ..types import Answer, ChatId, ChatRow, Citation, MessageRow
from .answer_trace import pack_trace, unpack_answer, unpack_passages
from .db import Db


def fetch_chats(db: Db) -> list[ChatRow]:
    return [
        ChatRow(*r)
        for r in db.rows(
            "SELECT c.id, c.title, c.updated_at,"
            " (SELECT count(*) FROM message m WHERE m.chat_id = c.id)"
            " FROM chat c ORDER BY c.updated_at DESC, c.id DESC"
        )
    ]


def add_chat(db: Db, title: str) -> ChatId:
    now = time.time()
    return ChatId(
        db.write(
            "INSERT INTO chat(title, created_at, updated_at) VALUES (?, ?, ?)", (title, now, now)
        )
    )


def rename_chat(db: Db, chat_id: int, title: str) -> None:
    db.write("UPDATE chat SET title = ? WHERE id = ?", (title, chat_id))


def delete_chat(db: Db, chat_id: int) -> None:
    db.write(
        "DELETE FROM citation WHERE message_id IN (SELECT id FROM message WHERE chat_id = ?)",
        (chat_id,),
    )
    db.write("DELETE FROM message WHERE chat_id = ?", (chat_id,))
    db.write("DELETE FROM chat WHERE id = ?", (chat_id,))


def add_question(db: Db, chat_id: int, text: str) -> int:
    """Keep a question; the first one of a chat without a title names it."""
    now = time.time()
    db.write(
        "UPDATE chat SET updated_at = ?, title = CASE WHEN title = '' THEN ? ELSE title END"
        " WHERE id = ?",
        (now, text.strip().split("\n")[0][:60], chat_id),
    )
    return db.write(
        "INSERT INTO message(chat_id, role, text, created_at) VALUES (?, 'user', ?, ?)",
        (chat_id, text, now),
    )


def add_answer(db: Db, chat_id: int, answer: Answer) -> int:
    """Keep an answer with its citations and everything needed to see how it came about."""
    message_id = db.write(
        "INSERT INTO message(chat_id, role, text, model, prompt, trace, stopped, seconds,"
        " created_at) VALUES (?, 'assistant', ?, ?, ?, ?, ?, ?, ?)",
        (
            chat_id,
            answer.text,
            answer.model,
            answer.prompt,
            pack_trace(answer),
            int(answer.stopped),
            answer.seconds,
            time.time(),
        ),
    )
    db.write_many(
        "INSERT INTO citation(message_id, number, chunk_id, document_id, title, start, end,"
        " quote, page_label) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        ((message_id, *dataclasses.astuple(c)) for c in answer.citations),
    )
    return message_id


def fetch_messages(db: Db, chat_id: int) -> list[MessageRow]:
    citations = _citations(db, "m.chat_id = ?", chat_id)
    rows = []
    for r in db.rows(
        "SELECT id, role, text, created_at, trace, model, stopped, seconds FROM message"
        " WHERE chat_id = ? ORDER BY id",
        (chat_id,),
    ):
        passages, weak = unpack_passages(r[4])
        rows.append(
            MessageRow(
                id=r[0],
                chat_id=ChatId(chat_id),
                role=r[1],
                text=r[2],
                created_at=r[3],
                citations=tuple(citations.get(r[0], ())),
                passages=passages,
                model=r[5],
                stopped=bool(r[6]),
                seconds=r[7],
                weak=weak,
            )
        )
    return rows


def fetch_answer(db: Db, message_id: int) -> Answer | None:
    """Return a kept answer with how it came about; None for a question or what is gone."""
    row = db.row(
        "SELECT trace, text, model, prompt, stopped, seconds FROM message"
        " WHERE id = ? AND role = 'assistant'",
        (message_id,),
    )
    if row is None:
        return None
    citations = _citations(db, "m.id = ?", message_id).get(message_id, ())
    return unpack_answer(
        row[0],
        text=row[1],
        citations=tuple(citations),
        model=row[2],
        prompt=row[3],
        stopped=bool(row[4]),
        seconds=row[5],
    )


def _citations(db: Db, where: str, value: int) -> dict[int, list[Citation]]:
    found: dict[int, list[Citation]] = {}
    for message_id, *values in db.rows(
        "SELECT k.message_id, k.number, k.chunk_id, k.document_id, k.title, k.start, k.end,"
        f" k.quote, k.page_label FROM citation k JOIN message m ON m.id = k.message_id"
        f" WHERE {where} ORDER BY k.number",
        (value,),
    ):
        found.setdefault(message_id, []).append(Citation(*values))
    return found
