"""Answering: passages found, a prompt that fits the model, a streamed answer, checked citations.

Without a chat model the answer is the passages themselves. Every answer is kept with what is
needed to see how it came about.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from ..changes import ChangeSet
from ..models.protocols import ChatModel
from ..progress import CancelToken, Progress, ProgressCallback, ignore_progress
from ..prompting import load_prompt
from ..query import QueryParam
from ..store import chats
from ..store.db import Db
from ..text.language import detect_language
from ..text.sentences import split_sentences
from ..types import Answer, ChatMessage, Citation, Found, Passage
from .citing import check_marks
from .finding import Finder

CONTEXT_TOKENS = 1000  # what a 1.5B model reads in about 15 seconds on two cores
PASSAGE_TOKENS = 220
ANSWER_TOKENS = 300
RESERVED_TOKENS = 200
SHOWN_SHARE = 0.3  # of the best passage's score; less has little to do with the question
_MARKUP = re.compile(r"(?<!\S)#{1,6}\s|[*_`]{1,3}(?=\w)|(?<=\w)[*_`]{1,3}(?!\w)")
NOT_FOUND = {
    "en": "Your documents don't seem to say. Nothing close to the question was found.",
    "zh": "您的文档中似乎没有提到。没有找到与问题相近的内容。",
}
WEAK = {
    "en": "(Little in your documents has to do with this question.)",
    "zh": "（您的文档中与这个问题有关的内容很少。）",
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
        param: QueryParam = QueryParam(),
        *,
        cancel: CancelToken | None = None,
        on_step: ProgressCallback = ignore_progress,
        on_piece: Callable[[str], None] = lambda piece: None,
    ) -> Answer:
        """Answer a question and keep both in the chat (`chat_id` None keeps nothing).

        A stopped answer is kept as far as it got, marked as stopped.
        """
        self.is_busy = True
        try:
            cancel = cancel or CancelToken()
            return self._ask(chat_id, question, param, cancel, on_step, on_piece)
        finally:
            self.is_busy = False

    def _ask(
        self,
        chat_id: int | None,
        question: str,
        param: QueryParam,
        cancel: CancelToken,
        on_step: ProgressCallback,
        on_piece: Callable[[str], None],
    ) -> Answer:
        started = time.monotonic()
        if chat_id is not None:
            with self._writer.transaction():
                chats.add_question(self._writer, chat_id, question)
        on_step(Progress("finding"))
        found = self._finder.find(question, param)
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
        if found.weak:
            pieces += ["\n\n", WEAK[language]]
        text, citations = check_marks("".join(pieces).strip(), passages, split_sentences, question)
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
    """Return the best parts of the best passages that fit the model and are read soon.

    A passage is cut to the sentences around its best window, so that a small budget still
    holds several places of a book.
    """
    budget = min(CONTEXT_TOKENS, model.n_ctx - ANSWER_TOKENS - RESERVED_TOKENS)
    chosen: list[Passage] = []
    used = 0
    for passage in passages:
        part = cut_around_best(passage, PASSAGE_TOKENS, model.count_tokens)
        n_tokens = model.count_tokens(part.text) + 20
        if chosen and used + n_tokens > budget:
            break
        chosen.append(part)
        used += n_tokens
    return chosen


def cut_around_best(
    passage: Passage, max_tokens: int, count_tokens: Callable[[str], int]
) -> Passage:
    """Return the passage cut to whole sentences around its best window."""
    if count_tokens(passage.text) <= max_tokens:
        return passage
    language = detect_language(passage.text)
    spans = split_sentences(passage.text, language)
    best = (passage.best_start - passage.start, passage.best_end - passage.start)
    inside = [i for i, (a, b) in enumerate(spans) if a < best[1] and b > best[0]] or [0]
    first = last = inside[0]
    used = count_tokens(passage.text[slice(*spans[first])])
    # Grow to the end of the window first, then by turns to both sides.
    for step in (*inside[1:], *_by_turns(inside[0], inside[-1], len(spans))):
        cost = count_tokens(passage.text[slice(*spans[step])])
        if used + cost > max_tokens:
            if step in inside:
                break
            continue
        if step not in (first - 1, last + 1):
            continue
        first, last, used = min(first, step), max(last, step), used + cost
    start, end = spans[first][0], spans[last][1]
    return replace(
        passage,
        start=passage.start + start,
        end=passage.start + end,
        text=passage.text[start:end],
        best_start=max(passage.best_start, passage.start + start),
        best_end=min(passage.best_end, passage.start + end),
    )


def _by_turns(first: int, last: int, size: int) -> list[int]:
    """Return indices outside first..last: one after, one before, two after, and so on."""
    found: list[int] = []
    for distance in range(1, size):
        found += [i for i in (last + distance, first - distance) if 0 <= i < size]
    return found


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
    lines, citations = [(WEAK if found.weak else ONLY_PASSAGES)[language], ""], []
    least = SHOWN_SHARE * found.passages[0].score
    shown = [p for p in found.passages[:5] if p.score >= least]
    for number, passage in enumerate(shown, start=1):
        quote = passage.text[passage.best_start - passage.start : passage.best_end - passage.start]
        lines.append(f"- {_MARKUP.sub('', ' '.join(quote.split()))} [{number}]")
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
