"""Real conversations in a library file, with answers written at once."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt

from desktop_app.engine.answering.citations import NOT_IN_READ, UNRELATED
from desktop_app.engine.model import (
    READ_ONE_BY_ONE,
    Answer,
    Citation,
    Passage,
    RetrievalResult,
    Stage,
)
from desktop_app.engine.progress import Progress
from desktop_app.engine.query import QueryParam
from desktop_app.engine.services.chats import Chats
from desktop_app.engine.store import chats as chat_rows
from desktop_app.engine.store.db import Db
from desktop_app.ui.chat.options_row import ID_ROLE, TickList
from desktop_app.ui.chat.screen import ChatScreen
from tests.ui.fakes import ENGLISH

N_FOUND = 15  # passages of a question that none of them answers
QUOTE = "Ada Merrow was the ferrywoman of Harrow Ford, and she had never learned to swim."


def cited_answer(question: str, text: str) -> Answer:
    """Return an answer that cites one sentence of the sample text."""
    start = ENGLISH.index(QUOTE)
    title = "The Ferry at Harrow Ford"
    passage = Passage(100, 1, title, 0, 400, 0.8, ENGLISH[:400], start, start + len(QUOTE))
    citation = Citation(1, 100, 1, title, start, start + len(QUOTE), QUOTE, "12")
    found = RetrievalResult(question, "walk", (passage,))
    return Answer(text, (citation,), found, "tiny", "prompt", seconds=0.1)


def refused_answer(question: str, n_found: int, n_read: int) -> Answer:
    """Return an answer of which so many passages were read one by one, and none has it."""
    answer = cited_answer(question, "")
    [passage] = answer.found.passages
    [citation] = answer.citations
    found = replace(
        answer.found,
        passages=tuple(replace(passage, chunk_id=100 + n) for n in range(n_found)),
        weak=True,
        stages=(Stage(READ_ONE_BY_ONE, dropped=tuple(f"passage {n}" for n in range(n_read))),),
    )
    head = NOT_IN_READ if n_read < n_found else UNRELATED
    text = f"{head['en']}\n\n> {citation.quote} [1]"
    return replace(answer, text=text, model="", found=found)


class QuickAsking:
    """An answer pipeline that stores question and answer; `params` is what was asked with."""

    def __init__(self, db: Db) -> None:
        self._db = db
        self.params: list[QueryParam] = []
        self.unrelated: set[str] = set()  # questions with nothing close in the library
        self.unread: set[str] = set()  # questions that no passage answers

    def prefetch(self, chat_id, question, param) -> None:
        """Find nothing while a question is typed."""

    def ask(self, chat_id, question, param, *, cancel, on_step, on_piece, on_found) -> Answer:
        self.params.append(param)
        on_step(Progress("answering"))
        with self._db.transaction():
            chat_rows.add_question(self._db, chat_id, question)
        text = f"Answer {len(self.params)}: Ada Merrow, of Harrow Ford [1]."
        answer = cited_answer(question, text)
        if question in self.unread and param.only_if_found:
            answer = refused_answer(question, N_FOUND, min(N_FOUND, param.most_read))
            on_piece(answer.text)
        elif question in self.unrelated and param.only_if_found:
            answer = replace(answer, model="", found=replace(answer.found, weak=True))
        else:
            on_piece(text)
        with self._db.transaction():
            chat_rows.add_answer(self._db, chat_id, answer)
        return answer


class RealChats(Chats):
    """Conversations of a real library; names are those of the sample texts."""

    def find_named(self, text, passages):
        return self.fake.find_named(text, passages)


def ask(qtbot, screen: ChatScreen, question: str) -> None:
    """Ask and wait until the answer is stored and shown."""
    screen.submit(question)
    qtbot.waitUntil(lambda: is_settled(screen))


def is_settled(screen: ChatScreen) -> bool:
    shown = screen.turns.widgets()
    return bool(shown) and all(w.turn.answered and w.turn.question_id for w in shown)


def shown(screen: ChatScreen) -> list[tuple[str, str]]:
    """Return the questions on the screen with the beginnings of their answers."""
    return [(w.turn.question, w.turn.text.partition(":")[0]) for w in screen.turns.widgets()]


def tick(rows: TickList, *ids: int) -> None:
    """Check these documents or collections, and no others, as clicks do."""
    for place in range(rows.count()):
        wanted = rows.item(place).data(ID_ROLE) in ids
        state = Qt.CheckState.Checked if wanted else Qt.CheckState.Unchecked
        rows.item(place).setCheckState(state)
