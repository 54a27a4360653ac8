"""Branches of a conversation: which messages are shown, and what else stands in their place.

Owns `parent_id` of messages and `leaf_id` of chats. A question asked again, or in other words,
stands beside the first under the same parent; nothing is ever written over.
"""

from __future__ import annotations

from .db import Db

Versions = dict[int, tuple[int, ...]]


def fetch_path(db: Db, chat_id: int) -> tuple[list[int], Versions]:
    """Return the messages shown, oldest first, and of each question all in its place."""
    parents, roles = _fetch_parents(db, chat_id)
    path: list[int] = []
    message_id = _leaf(db, chat_id, parents)
    while message_id in parents:
        path.append(message_id)
        message_id = parents[message_id]
    path.reverse()
    asked: dict[int, list[int]] = {}
    for message_id, parent_id in parents.items():
        if roles[message_id] == "user":
            asked.setdefault(parent_id, []).append(message_id)
    return path, {i: tuple(asked[parents[i]]) for i in path if roles[i] == "user"}


def fetch_leaf(db: Db, chat_id: int) -> int:
    """Return the last message shown, 0 where none is."""
    return _leaf(db, chat_id, _fetch_parents(db, chat_id)[0])


def set_leaf(db: Db, chat_id: int, message_id: int) -> None:
    db.write("UPDATE chat SET leaf_id = ? WHERE id = ?", (message_id, chat_id))


def newest_question(db: Db, chat_id: int) -> int:
    """Return the question asked last, 0 where none was."""
    question = "SELECT max(id) FROM message WHERE chat_id = ? AND role = 'user'"
    return db.value(question, (chat_id,)) or 0


def begin_branch(db: Db, chat_id: int, question_id: int) -> None:
    """Let the next question stand in the place of this one."""
    parents, _ = _fetch_parents(db, chat_id)
    if question_id in parents:
        set_leaf(db, chat_id, parents[question_id])


def show_branch(db: Db, chat_id: int, message_id: int) -> None:
    """Show the branch through this message, to the newest of its ends."""
    parents, _ = _fetch_parents(db, chat_id)
    if message_id not in parents:
        return
    newest: dict[int, int] = {}
    for child, parent in parents.items():  # in the order of ids
        newest[parent] = child
    while message_id in newest:
        message_id = newest[message_id]
    set_leaf(db, chat_id, message_id)


def _fetch_parents(db: Db, chat_id: int) -> tuple[dict[int, int], dict[int, str]]:
    parents: dict[int, int] = {}
    roles: dict[int, str] = {}
    before = 0
    for message_id, role, parent_id in db.rows(
        "SELECT id, role, parent_id FROM message WHERE chat_id = ? ORDER BY id", (chat_id,)
    ):
        parents[message_id] = before if parent_id is None else parent_id
        roles[message_id] = role
        before = message_id
    return parents, roles


def _leaf(db: Db, chat_id: int, parents: dict[int, int]) -> int:
    leaf = db.value("SELECT leaf_id FROM chat WHERE id = ?", (chat_id,))
    if leaf is None or (leaf and leaf not in parents):
        return max(parents, default=0)
    return leaf
