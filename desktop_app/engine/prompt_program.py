"""What can be asked of a chat model in batches, and what it answers. Plain data, no model.

A `Script` is one conversation about one text: its questions are a generator that yields `Choose`
and `Write` and is sent the replies. Many scripts run side by side over one loaded model; the
instruction they share is read once, the text once a script, and every line branches from it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Sequence
from dataclasses import dataclass
from math import exp
from typing import Any, Protocol

from .model import ChatMessage

PASSAGE = "\u0000passage\u0000"  # stands in a script's messages where its text goes
STOPPED = "stopped"  # the error of a script that was under way when the run was cancelled


class GuardState(Protocol):
    """Watches one line while it is written."""

    def take(self, piece: bytes) -> bool:
        """Take the bytes of a token if they may come next; else return False, unmoved."""

    @property
    def may_end(self) -> bool:
        """Say whether the line may end here."""

    @property
    def must_end(self) -> bool:
        """Say whether nothing more may come."""


class Guard(Protocol):
    """Bounds what the model may write on a line. A frozen dataclass: its repr keys the cache."""

    def begin(self) -> GuardState: ...


@dataclass(frozen=True, slots=True)
class Choose:
    """Which option goes on from each line? Answered by reading probabilities, writing nothing.

    Args:
        lines: what the model's turn has said so far, each line on its own ("Anna & Karenin:").
        options: what may come next, as it would be written, with a leading space in English
            (" family"); the same for every line.
        texts: the text of each line where it is not the script's; empty if all are about that.
        messages: the instruction where it is not the script's, with `PASSAGE` in it as well.
    """

    lines: tuple[str, ...]
    options: tuple[str, ...]
    texts: tuple[str, ...] = ()
    messages: tuple[ChatMessage, ...] = ()


@dataclass(frozen=True, slots=True)
class Write:
    """Go on writing from each line until the line ends, `guard` says so or `max_tokens` is full.

    Without a guard the text may run over several lines and ends with the model's turn. `texts`
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


@dataclass(frozen=True, slots=True)
class Written:
    """What was written after a line; `ended` is "finished", "long" (max_tokens) or "loop".

    `mean_logprob` is that of its tokens: how sure the model was of its words.
    """

    text: str
    n_tokens: int = 0
    ended: str = "finished"
    mean_logprob: float = 0.0


Ask = Choose | Write
Talk = Generator[Ask, list[Any], Any]


@dataclass(frozen=True, slots=True)
class PromptProgram:
    """One conversation about one text.

    Args:
        key: what the caller knows it by.
        messages: the instruction; `PASSAGE` in one of them stands for `text`. Scripts with the
            same messages share what comes before the text.
        text: the passage.
        talk: begins the questions; called again if the script has to start over.
    """

    key: Hashable
    messages: tuple[ChatMessage, ...]
    text: str
    talk: Callable[[], Talk]


@dataclass(frozen=True, slots=True)
class ProgramResult:
    """A finished script: what its generator returned, or why it failed, and what it cost.

    `n_prompt` and `n_written` are tokens run through the model, 0 where the cache knew the
    answers; `seconds` is the script's share of the batch's time. `calls` are new answers for
    the cache, as (key, value); a script that failed or was `STOPPED` has those it got.
    """

    key: Hashable
    value: Any = None
    error: str = ""
    n_prompt: int = 0
    n_written: int = 0
    seconds: float = 0.0
    calls: tuple[tuple[str, str], ...] = ()


FindCall = Callable[[str], str | None]  # the cache of model calls, by key


def share_out(scores: Sequence[float]) -> list[float]:
    """Return probabilities that sum to 1 from log-probabilities or scores like them (softmax)."""
    top = max(scores)
    weights = [exp(score - top) for score in scores]
    return [weight / sum(weights) for weight in weights]
