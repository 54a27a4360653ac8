"""Plain data that the answering steps pass on: the question, and what was retrieved for it."""

from __future__ import annotations

import time
from dataclasses import dataclass

from ..model import RetrievalResult
from ..progress import CancelToken, ProgressCallback
from ..query import QueryParam


@dataclass(frozen=True, slots=True)
class UnderstoodQuestion:
    """A question with its options, its language and its cancel token.

    `started` is the value of `time.monotonic()` when the question was asked.
    """

    question: str
    param: QueryParam
    language: str
    cancel: CancelToken
    on_step: ProgressCallback
    started: float

    @property
    def spent_s(self) -> float:
        return time.monotonic() - self.started


@dataclass(frozen=True, slots=True)
class QuestionTranslation:
    """What is needed to translate an answer back.

    Attributes:
        asked: the question in the language of the sources.
        language: of the question as the user asked it.
        names: (name in the sources, name in the user's question).
    """

    asked: UnderstoodQuestion
    language: str
    names: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What was retrieved for a question.

    Attributes:
        asked: the question in the language of the sources.
        needs_history: the question cannot be understood without the turns before it.
        translation: set where the question was translated to the language of the sources.
    """

    asked: UnderstoodQuestion
    found: RetrievalResult
    needs_history: bool = False
    translation: QuestionTranslation | None = None
