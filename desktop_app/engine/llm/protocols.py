"""Protocols of the models that the engine uses, independent of the library that runs them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ..model import ChatMessage
from ..progress import CancelToken
from ..prompt_program import Choice, FindCall, KeepCall, ProgramResult, PromptProgram

if TYPE_CHECKING:
    import numpy as np


class Embedder(Protocol):
    """Turns text into vectors of length 1, so that the dot product is the cosine.

    Safe to call from several threads. Texts that are too long are cut.

    Attributes:
        is_remote: whether it runs on a server: nothing may be sent there before the user asks.
    """

    name: str
    dim: int
    is_remote: bool

    def embed_passages(self, texts: Sequence[str]) -> np.ndarray:
        """Return one row per text, float32, shape (N, D); N may be 0."""

    def embed_query(self, text: str) -> np.ndarray:
        """Return the question's vector, float32, shape (D,)."""

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class ChatRun:
    """What the last answer cost; `n_reused` prompt tokens were still in memory."""

    n_prompt: int = 0
    n_reused: int = 0
    prompt_s: float = 0.0
    n_written: int = 0
    written_s: float = 0.0
    ended: str = ""

    @property
    def prompt_rate(self) -> float:
        return (self.n_prompt - self.n_reused) / self.prompt_s if self.prompt_s else 0.0

    @property
    def write_rate(self) -> float:
        return self.n_written / self.written_s if self.written_s else 0.0


class ScriptRunner(Protocol):
    """What runs prompt programs: a chat model, or those of several computers.

    Attributes:
        is_remote: whether it runs on a server: nothing may be sent there before the user asks.
    """

    is_remote: bool

    def run_programs(
        self,
        programs: Iterable[PromptProgram],
        *,
        find_call: FindCall | None = None,
        keep_call: KeepCall | None = None,
        cancel: CancelToken | None = None,
        n_threads: int = 0,
        from_scratch: bool = False,
    ) -> Iterator[ProgramResult]:
        """Run many prompt programs in batches; yield each result when it is complete.

        `keep_call` gets each reply of the model at once, in the thread of the caller, so that a
        killed process loses none. What it raises ends the run.
        `programs` is read lazily: a program is taken when there is memory for it. Stops without
        raising when cancelled; a program that fails or does not fit gives a `ProgramResult` with
        an error. With `n_threads` 0 the model's own setting is used.

        Args:
            from_scratch: whether nothing is used that earlier runs left in the memory of the model:
                then results and costs follow from these programs alone.
        """


class ChatModel(ScriptRunner, Protocol):
    """Generates text. Calls from several threads are serialized.

    Attributes:
        n_parameters: the size of the model, 0 if unknown.
        last_run: what the last answer cost; zeros before the first.
        can_choose: whether it can state how likely given options are, as `choose` and the question
            `Choose` of prompt programs need.
    """

    name: str
    n_ctx: int
    n_parameters: int
    last_run: ChatRun
    can_choose: bool

    def count_tokens(self, text: str) -> int: ...

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int = 512,
        temperature: float = 0.0,
        cancel: CancelToken | None = None,
    ) -> Iterator[str]:
        """Yield the answer piece by piece; stop without raising when cancelled.

        With `max_tokens` 0 the messages are only read, so that a later prompt that begins alike
        is read faster.

        Raises:
            UserError: the messages don't fit into `n_ctx`.
        """

    def choose(
        self,
        messages: Sequence[ChatMessage],
        lines: Sequence[str],
        options: Sequence[str],
        *,
        cancel: CancelToken | None = None,
    ) -> list[Choice]:
        """Return the probability of each option after each line of the model's turn.

        No text is generated. Use it for questions with few answers: the kind of a relation,
        whether two names denote one entity, whether a text has the answer.

        Raises:
            UserError: the messages don't fit into `n_ctx`.
            Cancelled: the token was set.
        """

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class PictureDescription:
    """What a model wrote about a picture, and what that cost.

    Attributes:
        ended: "finished", "long" (cut at the most tokens) or "loop" (it repeated itself).
        n_prompt: positions of the prompt and the picture together.
    """

    text: str
    ended: str = "finished"
    n_prompt: int = 0
    prompt_s: float = 0.0
    n_written: int = 0
    written_s: float = 0.0


class VisionModel(Protocol):
    """Describes pictures; calls from several threads wait for each other."""

    name: str

    def describe(
        self,
        messages: Sequence[ChatMessage],
        pixels: bytes,
        width: int,
        height: int,
        *,
        max_tokens: int,
        cancel: CancelToken | None = None,
    ) -> PictureDescription:
        """Return what the model writes about a picture, which stands before the last message.

        Args:
            pixels: red, green and blue, row by row; `3 * width * height` bytes.

        Raises:
            UserError: the model can't read this picture.
            EnvironmentProblem: the model can't be used.
            Cancelled: the token was set.
        """

    def release(self) -> None:
        """Free the memory of the model; its next use loads it again."""

    def close(self) -> None: ...


class Reranker(Protocol):
    """Scores how well passages answer a question, reading both together."""

    name: str

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return a score from 0 to 1 per text, in their order. Texts that are too long are cut."""

    def close(self) -> None: ...
