"""Prompt programs: conversations with a chat model that run in batches. Plain data, no model.

A `PromptProgram` is one conversation about one text: a generator that yields the questions
`Choose` and `Write` and receives the replies. Many programs run concurrently over one loaded
model. A shared instruction is read once and a text once per program; every line branches from it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Sequence
from dataclasses import dataclass
from math import exp, inf
from typing import Any, Protocol

from .messages import NO_MESSAGE, Message
from .model import ChatMessage

UNKNOWN_LOGPROB = -inf  # of what a server wrote without its probabilities: the least certain
PASSAGE = "\u0000passage\u0000"  # placeholder for the text in the messages of a program
STOPPED = Message("stopped")  # the error of a program that was running when the run was cancelled


class GuardState(Protocol):
    """The state of a guard while one line is generated."""

    def take(self, piece: bytes) -> bool:
        """Accept the bytes of a token if they may come next; else return False, unchanged."""

    @property
    def may_end(self) -> bool:
        """Whether the line may end here."""

    @property
    def must_end(self) -> bool:
        """Whether nothing may follow."""


class Guard(Protocol):
    """Restricts the text of a line.

    A frozen dataclass of plain values, defined at the top of a module: its repr is part of cache
    keys, and the process of the model builds it again.

    Attributes:
        is_advisory: whether whoever reads the line leaves out what the guard would reject, so that
            a model that can't be steered may write it.
    """

    @property
    def is_advisory(self) -> bool: ...

    def begin(self) -> GuardState: ...


@dataclass(frozen=True, slots=True)
class OneLine:
    """A generation guard that ends the text at the first line break."""

    is_advisory = False

    def begin(self) -> OneLineState:
        return OneLineState()


class OneLineState:
    """State of an `OneLine` guard; see `GuardState`."""

    def __init__(self) -> None:
        self._text = b""

    def take(self, piece: bytes) -> bool:
        """Accept any bytes until the line ends; reject a line break at its start."""
        if self.must_end or not (self._text + piece).strip(b"\n"):
            return False
        self._text += piece
        return True

    @property
    def may_end(self) -> bool:
        return bool(self._text.strip())

    @property
    def must_end(self) -> bool:
        return b"\n" in self._text.lstrip(b"\n")


@dataclass(frozen=True, slots=True)
class Choose:
    """Asks which option continues each line; answered by reading probabilities.

    Args:
        lines: the beginning of the model's turn, one for each question ("Anna & Karenin:").
        options: possible continuations, with a leading space in English (" family"); the same
            for every line.
        texts: the text of each line if it differs from the program's; else empty.
        messages: the instruction if it differs from the program's; it has `PASSAGE` as well.
    """

    lines: tuple[str, ...]
    options: tuple[str, ...]
    texts: tuple[str, ...] = ()
    messages: tuple[ChatMessage, ...] = ()


@dataclass(frozen=True, slots=True)
class Write:
    """Continues each line until it ends, the guard ends it, or `max_tokens` is reached.

    Without a guard the text may have several lines and ends with the model's turn. `texts`
    and `messages` are as in `Choose`.
    """

    lines: tuple[str, ...]
    max_tokens: int
    guard: Guard | None = None
    texts: tuple[str, ...] = ()
    messages: tuple[ChatMessage, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """The natural logarithm of each option's probability, in the options' order."""

    logprobs: tuple[float, ...]


def average_odds(first: Choice, second: Choice) -> float:
    """Return the log-odds of the first of two things, chosen between in both orders.

    Small models prefer one letter, which cancels out.

    Args:
        first, second: the choice with it as the first and as the second option.
    """
    one, other = (choice.logprobs[0] - choice.logprobs[1] for choice in (first, second))
    return (one - other) / 2


@dataclass(frozen=True, slots=True)
class Written:
    """The continuation of a line; `ended` is "finished", "long" (max_tokens) or "loop".

    `mean_logprob` is the mean over its tokens, a measure of the model's certainty; it is
    `UNKNOWN_LOGPROB` where a server does not state it.
    """

    text: str
    n_tokens: int = 0
    ended: str = "finished"
    mean_logprob: float = 0.0


Ask = Choose | Write
Talk = Generator[Ask, list[Any], Any]


class ProgramRecipe(Protocol):
    """Plain data from which another process builds a prompt program again.

    Attributes:
        is_second: whether it asks about a part of a text that failed as a whole.
    """

    @property
    def is_second(self) -> bool: ...

    def build(self) -> PromptProgram: ...


@dataclass(frozen=True, slots=True)
class PromptProgram:
    """One conversation about one text.

    Args:
        key: identifies the program for the caller.
        messages: the instruction; `PASSAGE` in one of them stands for `text`. Programs with the
            same messages share the tokens before the text.
        text: the passage.
        talk: starts the questions; called again if the program has to restart.
        recipe: of a program that may run on another computer; None: it runs here.
    """

    key: Hashable
    messages: tuple[ChatMessage, ...]
    text: str
    talk: Callable[[], Talk]
    recipe: ProgramRecipe | None = None


@dataclass(frozen=True, slots=True)
class ProgramResult:
    """The result of a program: the value of its generator or an error, and its cost.

    `n_prompt` and `n_written` are tokens processed by the model, 0 for cached replies; `seconds`
    is the program's share of the time. `calls` are new replies for the cache, as (key, value); a
    program that failed or was `STOPPED` has those received before.
    """

    key: Hashable
    value: Any = None
    error: Message = NO_MESSAGE
    n_prompt: int = 0
    n_written: int = 0
    seconds: float = 0.0
    calls: tuple[tuple[str, str], ...] = ()


FindCall = Callable[[str], str | None]  # the cache of model calls, by key
KeepCall = Callable[[str, str], None]  # stores one call as soon as it is answered: key, value


def share_out(scores: Sequence[float]) -> list[float]:
    """Return probabilities that sum to 1 (softmax)."""
    top = max(scores)
    weights = [exp(score - top) for score in scores]
    return [weight / sum(weights) for weight in weights]
