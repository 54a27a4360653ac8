"""Rows of conversations: chats, messages and their citations.

Owns reading and writing them; where a message stands among others is `chat_branches`' to say.
"""

from __future__ import annotations

import dataclasses
import time

from ..types import Answer, ChatId, ChatRow, Citation, MessageRow
from . import chat_branches
from .answer_trace import pack_trace, unpack_answer, unpack_passages
from .db import Db

N_WITH_PASSAGES = 24  # the newest messages; those of older ones are read when they are asked for


def fetch_chats(db: Db) -> list[ChatRow]:
    return [
        ChatRow(*r[:5], bool(r[5]))
        for r in db.rows(
            "SELECT c.id, c.title, c.updated_at,"
            " (SELECT count(*) FROM message m WHERE m.chat_id = c.id), c.folder, c.pinned"
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


def put_in_folder(db: Db, chat_id: int, folder: str) -> None:
    db.write("UPDATE chat SET folder = ? WHERE id = ?", (folder, chat_id))


def rename_folder(db: Db, folder: str, title: str) -> None:
    """Give a folder another name; "" takes its chats out of it."""
    db.write("UPDATE chat SET folder = ? WHERE folder = ?", (title, folder))


def pin_chat(db: Db, chat_id: int, pinned: bool) -> None:
    db.write("UPDATE chat SET pinned = ? WHERE id = ?", (int(pinned), chat_id))


def delete_chat(db: Db, chat_id: int) -> None:
    db.write(
        "DELETE FROM citation WHERE message_id IN (SELECT id FROM message WHERE chat_id = ?)",
        (chat_id,),
    )
    db.write("DELETE FROM message WHERE chat_id = ?", (chat_id,))
    db.write("DELETE FROM chat WHERE id = ?", (chat_id,))


def add_question(db: Db, chat_id: int, text: str) -> int:
    """Keep a question at the end of the branch shown; the first names a chat without title."""
    now = time.time()
    parent_id = chat_branches.fetch_leaf(db, chat_id)
    db.write(
        "UPDATE chat SET updated_at = ?, title = CASE WHEN title = '' THEN ? ELSE title END"
        " WHERE id = ?",
        (now, text.strip().split("\n")[0][:60], chat_id),
    )
    message_id = db.write(
        "INSERT INTO message(chat_id, role, text, created_at, parent_id)"
        " VALUES (?, 'user', ?, ?, ?)",
        (chat_id, text, now, parent_id),
    )
    chat_branches.set_leaf(db, chat_id, message_id)
    return message_id


def add_answer(db: Db, chat_id: int, answer: Answer) -> int:
    """Keep an answer with its citations and everything needed to see how it came about.

    It answers the newest question, whichever branch is shown meanwhile.
    """
    question_id = chat_branches.newest_question(db, chat_id)
    is_shown = chat_branches.fetch_leaf(db, chat_id) == question_id
    message_id = db.write(
        "INSERT INTO message(chat_id, role, text, model, prompt, trace, stopped, seconds,"
        " created_at, parent_id) VALUES (?, 'assistant', ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            chat_id,
            answer.text,
            answer.model,
            answer.prompt,
            pack_trace(answer),
            int(answer.stopped),
            answer.seconds,
            time.time(),
            question_id,
        ),
    )
    if is_shown:
        chat_branches.set_leaf(db, chat_id, message_id)
    db.write_many(
        "INSERT INTO citation(message_id, number, chunk_id, document_id, title, start, end,"
        " quote, page_label) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        ((message_id, *dataclasses.astuple(c)) for c in answer.citations),
    )
    return message_id


def fetch_messages(
    db: Db, chat_id: int, n_with_passages: int | None = N_WITH_PASSAGES
) -> list[MessageRow]:
    """Return the branch shown, oldest first; passages with the newest, None for with all."""
    path, versions = chat_branches.fetch_path(db, chat_id)
    citations = _citations(db, "m.chat_id = ?", chat_id)
    said = {
        r[0]: r[1:]
        for r in db.rows(
            "SELECT id, role, text, created_at, model, stopped, seconds FROM message"
            " WHERE chat_id = ?",
            (chat_id,),
        )
    }
    with_passages = set(path if n_with_passages is None else path[-n_with_passages:])
    rows = []
    for message_id in path:
        role, text, created_at, model, stopped, seconds = said[message_id]
        passages, weak = (), False
        if role == "assistant" and message_id in with_passages:
            passages, weak = unpack_passages(_trace(db, message_id))
        rows.append(
            MessageRow(
                id=message_id,
                chat_id=ChatId(chat_id),
                role=role,
                text=text,
                created_at=created_at,
                citations=tuple(citations.get(message_id, ())),
                passages=passages,
                model=model,
                stopped=bool(stopped),
                seconds=seconds,
                weak=weak,
                versions=versions.get(message_id, ()),
            )
        )
    return rows


def _trace(db: Db, message_id: int) -> str:
    return db.value("SELECT trace FROM message WHERE id = ?", (message_id,)) or "{}"


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
