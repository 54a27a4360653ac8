"""Generates the text of an answer with a chat model, and ends it where the model repeats itself.

Knows neither retrieval nor citations; the returned answer is unverified.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence

from ..llm.protocols import ChatModel
from ..model import Answer, ChatMessage, RetrievalResult
from ..progress import Progress
from .citations import RepetitionDetector
from .context import cut_unfinished
from .question import UnderstoodQuestion


def generate(
    asked: UnderstoodQuestion,
    found: RetrievalResult,
    model: ChatModel,
    messages: Sequence[ChatMessage],
    n_answer: int,
) -> Generator[str, None, Answer]:
    """Yield the text of the answer piece by piece; return the complete, unverified answer.

    A sentence that comes for the second time ends the generation and is cut off.

    Args:
        n_answer: the maximum number of tokens to generate.
    """
    prompt = "\n\n".join(m.text for m in messages)
    n_prompt_tokens = model.count_tokens(prompt)
    asked.on_step(Progress("reading", 0, len(found.passages)))
    first_token_s = 0.0
    pieces: list[str] = []
    repetition = RepetitionDetector()
    for piece in model.stream(
        messages, max_tokens=n_answer, temperature=asked.param.temperature, cancel=asked.cancel
    ):
        if not pieces:
            first_token_s = asked.spent_s
            asked.on_step(Progress("answering", 0, n_prompt_tokens))
        pieces.append(piece)
        yield piece
        if repetition.add(piece):
            break
    text = "".join(pieces)[: repetition.cut].strip()
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


def run_to_end(writing: Generator[str, None, Answer]) -> Answer:
    """Return what a generator returns, without what it yields."""
    while True:
        try:
            next(writing)
        except StopIteration as end:
            answer: Answer = end.value
            return answer
