"""Answering: passages found, a prompt that fits the model, a streamed answer, checked citations.

Without a chat model the answer is the passages themselves. Every answer is kept with what is
needed to see how it came about.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from ..changes import ChangeSet
from ..models.prompting import load_prompt
from ..models.protocols import ChatModel
from ..progress import CancelToken, Progress, ProgressCallback, ignore_progress
from ..store import chats
from ..store.db import Db
from ..text.language import detect_language
from ..text.sentences import split_sentences
from ..types import Answer, ChatMessage, Citation, Found, Passage
from .citing import check_marks
from .finding import Finder

CONTEXT_TOKENS = 1800
ANSWER_TOKENS = 400
RESERVED_TOKENS = 200
MAX_PASSAGES = 8
NOT_FOUND = {
    "en": "Your documents don't seem to say. Nothing close to the question was found.",
    "zh": "您的文档中似乎没有提到。没有找到与问题相近的内容。",
}
ONLY_PASSAGES = {
    "en": "These passages bear most on your question:",
    "zh": "与您的问题最相关的段落：",
}


class Asking:
    """Answers questions of a library.

    Args:
        finder: ranks passages; used in the calling thread only.
        writer: where the question and its answer are kept.
        find_chat_model: gives the chat model, None where none is installed.
    """

    def __init__(
        self, finder: Finder, writer: Db, find_chat_model: Callable[[], ChatModel | None]
    ) -> None:
        self._finder = finder
        self._writer = writer
        self._find_chat_model = find_chat_model
        self.is_busy = False  # read by background work, which then makes way

    def ask(
        self,
        chat_id: int | None,
        question: str,
        *,
        mode: str = "walk",
        top: int = MAX_PASSAGES,
        document_ids: Collection[int] | None = None,
        cancel: CancelToken | None = None,
        on_step: ProgressCallback = ignore_progress,
        on_piece: Callable[[str], None] = lambda piece: None,
    ) -> Answer:
        """Answer a question and keep both in the chat (`chat_id` None keeps nothing).

        A stopped answer is kept as far as it got, marked as stopped.
        """
        self.is_busy = True
        try:
            return self._ask(
                chat_id,
                question,
                mode,
                top,
                document_ids,
                cancel or CancelToken(),
                on_step,
                on_piece,
            )
        finally:
            self.is_busy = False

    def _ask(
        self,
        chat_id: int | None,
        question: str,
        mode: str,
        top: int,
        document_ids: Collection[int] | None,
        cancel: CancelToken,
        on_step: ProgressCallback,
        on_piece: Callable[[str], None],
    ) -> Answer:
        started = time.monotonic()
        if chat_id is not None:
            with self._writer.transaction():
                chats.add_question(self._writer, chat_id, question)
        on_step(Progress("finding"))
        found = self._finder.find(question, mode=mode, top=top, document_ids=document_ids)
        model = self._find_chat_model()
        language = "zh" if detect_language(question) == "zh" else "en"
        if not found.passages or model is None:
            answer = _passages_alone(found, language)
        else:
            answer = self._write(question, found, model, language, cancel, on_step, on_piece)
        answer = replace(answer, seconds=round(time.monotonic() - started, 2))
        if chat_id is not None:
            with self._writer.transaction():
                chats.add_answer(self._writer, chat_id, answer)
        return answer

    def changes(self, chat_id: int) -> ChangeSet:
        return ChangeSet(chats=frozenset({chat_id}))

    def _write(
        self,
        question: str,
        found: Found,
        model: ChatModel,
        language: str,
        cancel: CancelToken,
        on_step: ProgressCallback,
        on_piece: Callable[[str], None],
    ) -> Answer:
        passages = choose_passages(found.passages, model)
        messages = build_messages(question, passages, language)
        prompt = "\n\n".join(m.text for m in messages)
        n_prompt_tokens = model.count_tokens(prompt)
        on_step(Progress("reading", 0, n_prompt_tokens))
        started, first_token_s = time.monotonic(), 0.0
        pieces: list[str] = []
        for piece in model.stream(messages, max_tokens=ANSWER_TOKENS, cancel=cancel):
            if not pieces:
                first_token_s = time.monotonic() - started
                on_step(Progress("answering", 0, n_prompt_tokens))
            pieces.append(piece)
            on_piece(piece)
        text, citations = check_marks("".join(pieces).strip(), passages, split_sentences)
        return Answer(
            text=text,
            citations=citations,
            found=found,
            model=model.name,
            prompt=prompt,
            stopped=cancel.cancelled,
            first_token_s=round(first_token_s, 2),
            n_prompt_tokens=n_prompt_tokens,
        )


def choose_passages(passages: Sequence[Passage], model: ChatModel) -> list[Passage]:
    """Return the best passages that fit the model's context and a budget that it reads soon."""
    budget = min(CONTEXT_TOKENS, model.n_ctx - ANSWER_TOKENS - RESERVED_TOKENS)
    chosen: list[Passage] = []
    used = 0
    for passage in passages:
        n_tokens = model.count_tokens(passage.text) + 20
        if chosen and used + n_tokens > budget:
            continue
        chosen.append(passage)
        used += n_tokens
        if used >= budget:
            break
    return chosen


def build_messages(question: str, passages: Sequence[Passage], language: str) -> list[ChatMessage]:
    """Return the prompt: instructions, numbered sources, the question."""
    sources = "\n\n".join(
        f"[{n}] {p.title}{' · ' + p.heading if p.heading else ''}\n{' '.join(p.text.split())}"
        for n, p in enumerate(passages, start=1)
    )
    return [
        ChatMessage("system", load_prompt("answer_system", language)),
        ChatMessage(
            "user",
            load_prompt("answer_user", language).format(sources=sources, question=question),
        ),
    ]


def _passages_alone(found: Found, language: str) -> Answer:
    if not found.passages:
        return Answer(NOT_FOUND[language], (), found)
    lines, citations = [ONLY_PASSAGES[language], ""], []
    for number, passage in enumerate(found.passages[:5], start=1):
        quote = passage.text[passage.best_start - passage.start : passage.best_end - passage.start]
        lines.append(f"- {' '.join(quote.split())} [{number}]")
        citations.append(
            Citation(
                number,
                passage.chunk_id,
                passage.document_id,
                passage.title,
                passage.best_start,
                passage.best_end,
                quote,
                passage.page_label,
            )
        )
    return Answer("\n".join(lines), tuple(citations), found)
