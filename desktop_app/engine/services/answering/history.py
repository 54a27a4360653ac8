"""The turns before a question: read from the chat or given, told to the model in short form."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...store import chats
from ...store.db import Db
from ...types import ChatMessage
from .cutting import CountTokens

N_TURNS = 3
_MARKS = re.compile(r"\s?[\[【]\s*\d{1,3}(?:\s*[,，、;]\s*\d{1,3})*\s*[\]】]")
_SENTENCE = re.compile(r".*?[.!?。！？](?=\s|$|[^\s.!?。！？”’\"])", re.DOTALL)
_SPEAKER = {"user": {"en": "Q", "zh": "问"}, "assistant": {"en": "A", "zh": "答"}}


def fetch_history(db: Db, chat_id: int) -> tuple[ChatMessage, ...]:
    """Return the last turns of a chat, oldest first; a follow-up as it was understood."""
    kept = chats.fetch_messages(db, chat_id)[-2 * N_TURNS :]
    turns: list[ChatMessage] = []
    for row in kept:
        if row.role == "assistant" and turns and turns[-1].role == "user":
            understood = chats.fetch_answer(db, row.id)
            if understood is not None and understood.found.asked:
                turns[-1] = ChatMessage("user", understood.found.question)
        turns.append(ChatMessage(row.role, row.text))
    return tuple(turns)


def shorten(
    history: Sequence[ChatMessage],
    language: str,
    budget: int,
    count_tokens: CountTokens,
    *,
    with_answers: bool = True,
) -> str:
    """Return the last turns as lines, the newest that fit: questions, and answers' beginnings."""
    lines: list[str] = []
    used = 0
    for turn in reversed(history[-2 * N_TURNS :]):
        if turn.role not in _SPEAKER or (turn.role == "assistant" and not with_answers):
            continue
        text = first_sentence(turn.text) if turn.role == "assistant" else turn.text
        line = f"{_SPEAKER[turn.role][language]}: {' '.join(text.split())}"
        used += count_tokens(line)
        if used > budget:
            break
        lines.append(line)
    return "\n".join(reversed(lines))


def first_sentence(text: str) -> str:
    """Return how an answer begins, without marks."""
    plain = _MARKS.sub("", text).strip()
    match = _SENTENCE.match(plain)
    return match.group(0) if match and len(match.group(0)) > 3 else plain[:200]


def whole_turns(history: Sequence[ChatMessage], most: int = 6) -> tuple[ChatMessage, ...]:
    """Return the last turns as templates want them: by turns, from a question to an answer."""
    turns: list[ChatMessage] = []
    for turn in history[-most:]:
        if turn.role == "user" and turns and turns[-1].role == "user":
            turns.pop()  # never answered
        if turn.role == "user" or (turn.role == "assistant" and turns):
            turns.append(turn)
    if turns and turns[-1].role == "user":
        turns.pop()
    return tuple(turns)
