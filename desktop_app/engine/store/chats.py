"""Rows of conversations: chats, messages and their citations."""

from __future__ import annotations

import dataclasses
import json
import time

from ..types import Answer, ChatId, ChatRow, Citation, MessageRow, Passage
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
    trace = {
        "mode": answer.found.mode,
        "passages": [dataclasses.asdict(p) for p in answer.found.passages],
        "entities": [e.id for e in answer.found.entities],
        "timings_ms": answer.found.timings_ms,
        "notes": answer.found.notes,
        "weak": answer.found.weak,
        "n_prompt_tokens": answer.n_prompt_tokens,
        "first_token_s": answer.first_token_s,
    }
    message_id = db.write(
        "INSERT INTO message(chat_id, role, text, model, prompt, trace, stopped, seconds,"
        " created_at) VALUES (?, 'assistant', ?, ?, ?, ?, ?, ?, ?)",
        (
            chat_id,
            answer.text,
            answer.model,
            answer.prompt,
            json.dumps(trace, ensure_ascii=False),
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
    citations: dict[int, list[Citation]] = {}
    for message_id, *values in db.rows(
        "SELECT k.message_id, k.number, k.chunk_id, k.document_id, k.title, k.start, k.end,"
        " k.quote, k.page_label FROM citation k JOIN message m ON m.id = k.message_id"
        " WHERE m.chat_id = ? ORDER BY k.number",
        (chat_id,),
    ):
        citations.setdefault(message_id, []).append(Citation(*values))
    return [
        MessageRow(
            id=r[0],
            chat_id=ChatId(chat_id),
            role=r[1],
            text=r[2],
            created_at=r[3],
            citations=tuple(citations.get(r[0], ())),
            passages=tuple(_passage(p) for p in json.loads(r[4]).get("passages", ())),
            model=r[5],
            stopped=bool(r[6]),
            seconds=r[7],
        )
        for r in db.rows(
            "SELECT id, role, text, created_at, trace, model, stopped, seconds FROM message"
            " WHERE chat_id = ? ORDER BY id",
            (chat_id,),
        )
    ]


def _passage(values: dict) -> Passage:
    values["routes"] = tuple((name, score) for name, score in values["routes"])
    return Passage(**values)
