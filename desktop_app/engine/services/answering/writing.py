"""The writing of an answer by a model, its check, and what is said of one that little speaks for.

Owns no order of steps and keeps nothing.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace

from ...models.protocols import ChatModel
from ...progress import Progress
from ...text.sentences import split_sentences
from ...types import Answer, ChatMessage, Found
from .citing import check_marks, is_in_their_words
from .context import Context
from .cutting import cut_unfinished
from .repeating import Repeating
from .sayings import OWN_WORDS, WEAK, says_nothing
from .steps import Asked


def write_answer(
    asked: Asked,
    found: Found,
    model: ChatModel,
    messages: Sequence[ChatMessage],
    n_answer: int,
) -> Generator[str, None, Answer]:
    """Yield what the model writes; return all of it, unchecked. What it says twice ends it."""
    prompt = "\n\n".join(m.text for m in messages)
    n_prompt_tokens = model.count_tokens(prompt)
    asked.on_step(Progress("reading", 0, n_prompt_tokens))
    first_token_s = 0.0
    pieces: list[str] = []
    repeating = Repeating()
    wished = {"max_tokens": n_answer, "temperature": asked.param.temperature}
    for piece in model.stream(messages, **wished, cancel=asked.cancel):
        if not pieces:
            first_token_s = asked.spent_s
            asked.on_step(Progress("answering", 0, n_prompt_tokens))
        pieces.append(piece)
        yield piece
        if repeating.take(piece):
            break
    text = "".join(pieces)[: repeating.cut].strip()
    if not asked.cancel.cancelled and model.count_tokens(text) >= n_answer - 2:
        text = cut_unfinished(text)
    return Answer(
        text,
        (),
        found,
        model=model.name,
        prompt=prompt,
        stopped=asked.cancel.cancelled,
        first_token_s=round(first_token_s, 2),
        n_prompt_tokens=n_prompt_tokens,
    )


def run_out(writing: Generator[str, None, Answer]) -> Answer:
    """Return what a generator returns, without what it yields."""
    while True:
        try:
            next(writing)
        except StopIteration as end:
            return end.value


def check(answer: Answer, context: Context) -> Answer:
    """Return an answer with checked marks, without any where it only says that nothing is said."""
    sources = () if says_nothing(answer.text) else context.sources
    text, citations = check_marks(answer.text, sources, split_sentences, answer.found.question)
    return replace(answer, text=text, citations=citations)


def doubt(answer: Answer, context: Context, language: str) -> str:
    """Return what is to be said of an answer that little speaks for, "" for others."""
    if answer.found.weak:
        return WEAK[language]
    if answer.stopped or says_nothing(answer.text):
        return ""
    question = answer.found.question
    backed = is_in_their_words(answer.text, context.sources, question)
    return "" if backed else OWN_WORDS[language]


def add(answer: Answer, said: str) -> Answer:
    return replace(answer, text=f"{answer.text}\n\n{said}".strip())
