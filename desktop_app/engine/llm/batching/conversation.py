"""The questions and replies of one prompt program, and the cache of replies.

Runs the program's generator; no model and no tokens. `PromptConversation` is what `runner` needs:
`ProgramConversation` has the generator itself, the one of `host_child` asks the parent process.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any, Protocol

from ...errors import AppError
from ...messages import NO_MESSAGE, Message
from ...model import ChatMessage
from ...prompt_program import (
    Ask,
    Choice,
    Choose,
    FindCall,
    KeepCall,
    ProgramResult,
    PromptProgram,
    Talk,
    Written,
)

# --- the cache: one line of one question about one text is one call -------------------------------


class CallKeys:
    """Gives the cache keys of one program's calls."""

    def __init__(self, model: str, program: PromptProgram) -> None:
        self._model, self._messages, self._text = model, program.messages, program.text
        self._begun: dict[tuple[ChatMessage, ...], hashlib._Hash] = {}  # by instruction

    def get(self, ask: Ask, line: str, text: str = "") -> str:
        """Return the key of one line; an empty `text` means the program's."""
        text = text or self._text
        if isinstance(ask, Choose):
            asked: list[Any] = ["choose", text, line, list(ask.options)]
        else:
            asked = ["write", text, line, ask.max_tokens, repr(ask.guard)]
        key = self._begin(ask.messages or self._messages).copy()
        key.update(_encode(asked))
        return key.hexdigest()

    def _begin(self, messages: tuple[ChatMessage, ...]) -> hashlib._Hash:
        if (begun := self._begun.get(messages)) is None:
            spoken = [[m.role, m.text] for m in messages]
            begun = self._begun[messages] = hashlib.sha256(_encode([self._model, spoken]))
        return begun


def dump_reply(reply: Choice | Written) -> str:
    if isinstance(reply, Choice):
        return json.dumps([round(p, 4) for p in reply.logprobs])
    kept = [reply.text, reply.n_tokens, reply.ended, round(reply.mean_logprob, 4)]
    return json.dumps(kept, ensure_ascii=False)


def load_reply(ask: Ask, value: str) -> Choice | Written | None:
    """Return a kept reply, None if it can't be read."""
    try:
        kept = json.loads(value)
        if isinstance(ask, Choose):
            logprobs = tuple(float(p) for p in kept)
            return Choice(logprobs) if len(logprobs) == len(ask.options) else None
        text, n_tokens, ended, mean = kept
        return Written(str(text), int(n_tokens), str(ended), float(mean))
    except (ValueError, TypeError):
        return None


def _encode(value: object) -> bytes:
    # Half a surrogate pair can come from a damaged PDF.
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")


# --- conversations --------------------------------------------------------------------------------


class PromptConversation(Protocol):
    """A prompt program, advanced from question to question."""

    @property
    def program(self) -> PromptProgram: ...

    @property
    def ask(self) -> Ask:
        """The current question."""

    def advance(self) -> list[int]:
        """Send the replies and get the next question that needs the model.

        Returns:
            The indices of the lines that need it; none at the end of the program.
        """

    def get_text(self, index: int) -> str:
        """Return the text for a line of the question."""

    def add_reply(self, index: int, reply: Choice | Written) -> None:
        """Store the reply to a line."""

    def restart(self) -> None:
        """Restart at the next `advance`; stored replies are reused."""

    def close(self) -> None: ...

    def end(
        self,
        error: Message = NO_MESSAGE,
        *,
        n_prompt: int = 0,
        n_written: int = 0,
        seconds: float = 0,
    ) -> ProgramResult:
        """Return the result with its cost; `error` is the reason of an early end."""


class ProgramConversation:
    """A `PromptConversation` with a program's generator.

    Args:
        model: name of the model, part of the keys in the cache of model calls.
    """

    def __init__(
        self,
        program: PromptProgram,
        model: str,
        find_call: FindCall | None,
        keep_call: KeepCall | None = None,
    ) -> None:
        self.program = program
        self._keys, self._find_call, self._keep_call = (
            CallKeys(model, program),
            find_call,
            keep_call,
        )
        self._talk: Talk | None = None
        self._ask: Ask | None = None
        self._replies: list[Any] | None = None
        self._value: Any = None
        self._error = NO_MESSAGE
        self._calls: dict[str, str] = {}  # new replies of the model, by cache key

    @property
    def ask(self) -> Ask:
        assert self._ask is not None
        return self._ask

    def advance(self) -> list[int]:
        if self._talk is None:
            self._talk = self.program.talk()
        while True:
            try:
                self._ask = (
                    next(self._talk) if self._replies is None else self._talk.send(self._replies)
                )
            except StopIteration as stop:
                self._value = stop.value
                return []
            except AppError as error:
                self._error = error.full_message
                return []
            self._replies = [self._find_reply(index) for index in range(len(self._ask.lines))]
            if waiting := [i for i, reply in enumerate(self._replies) if reply is None]:
                return waiting

    def get_text(self, index: int) -> str:
        return (self.ask.texts[index] if self.ask.texts else "") or self.program.text

    def add_reply(self, index: int, reply: Choice | Written) -> None:
        assert self._replies is not None
        self._replies[index] = reply
        key, value = self._get_key(index), dump_reply(reply)
        self._calls[key] = value
        if self._keep_call is not None:
            self._keep_call(key, value)

    def restart(self) -> None:
        self.close()
        self._talk = self._ask = self._replies = None

    def close(self) -> None:
        if self._talk is not None:
            self._talk.close()

    def end(
        self,
        error: Message = NO_MESSAGE,
        *,
        n_prompt: int = 0,
        n_written: int = 0,
        seconds: float = 0,
    ) -> ProgramResult:
        self.close()
        error = error or self._error
        value, calls = None if error else self._value, tuple(self._calls.items())
        return ProgramResult(self.program.key, value, error, n_prompt, n_written, seconds, calls)

    def _find_reply(self, index: int) -> Choice | Written | None:
        key = self._get_key(index)
        kept = self._calls.get(key)
        if kept is None and self._find_call is not None:
            kept = self._find_call(key)
        return load_reply(self.ask, kept) if kept is not None else None

    def _get_key(self, index: int) -> str:
        return self._keys.get(self.ask, self.ask.lines[index], self.get_text(index))
