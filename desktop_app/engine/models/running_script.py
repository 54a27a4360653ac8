"""One script under way: its talk, its question, what it knows already and what it has cost.

Knows the cache of calls, but neither the model's memory nor the other scripts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..asks import Ask, Choice, FindCall, Script, ScriptRun, Talk, Written
from ..errors import AppError
from ..types import ChatMessage
from .calls import CallKeys, dump_reply, load_reply
from .script_lines import ChooseLine, WriteLine
from .script_prompts import Frame
from .strands import Strand

MOST_LINES = 64  # of one question side by side: enough to fill every step


@dataclass(slots=True)
class OpenLine:
    """A line that the model works on, and its strands in the order they were opened."""

    line: ChooseLine | WriteLine
    strands: list[Strand] = field(default_factory=list)


class RunningScript:
    """A script's talk, driven from question to question.

    Args:
        get_frame: what is around the text in an instruction.

    Raises:
        UserError: the model's template refuses the script's instruction.
    """

    def __init__(
        self,
        script: Script,
        model: str,
        get_frame: Callable[[tuple[ChatMessage, ...]], Frame],
        find_call: FindCall | None,
    ) -> None:
        self.script, self._get_frame = script, get_frame
        self.frame = get_frame(script.messages)  # of the question
        self._keys, self._find_call = CallKeys(model, script), find_call
        self._talk: Talk | None = None
        self._ask: Ask | None = None
        self._replies: list[Any] | None = None
        self._value: Any = None
        self._error = ""
        # Texts read in, from which lines branch, by their instruction and themselves.
        self.trunks: dict[tuple[tuple[ChatMessage, ...], str], Strand] = {}
        self.lines: dict[int, OpenLine] = {}  # by their place in the question
        self.waiting: deque[int] = deque()  # places of lines that are not open yet
        self.most_lines = MOST_LINES
        self.calls: dict[str, str] = {}  # answered by the model, by key
        self.n_prompt = self.n_written = 0
        self.seconds = 0.0

    @property
    def ask(self) -> Ask:
        assert self._ask is not None
        return self._ask

    @property
    def messages(self) -> tuple[ChatMessage, ...]:
        """The instruction of the question."""
        return self.ask.messages or self.script.messages

    def go_on(self) -> bool:
        """Hand over the replies and take the next question, until one needs the model.

        Returns:
            Whether it does: its lines are then `waiting`. Otherwise the script has ended.
        """
        if self._talk is None:
            self._talk = self.script.talk()
        self.most_lines = MOST_LINES
        while True:
            try:
                self._ask = self._talk.send(self._replies)
            except StopIteration as stop:
                self._value = stop.value
                return False
            except AppError as error:
                return self._fail(error)
            self._replies = [self._find_reply(place) for place in range(len(self._ask.lines))]
            self.waiting.extend(i for i, reply in enumerate(self._replies) if reply is None)
            if self.waiting:
                try:
                    self.frame = self._get_frame(self.messages)
                except AppError as error:
                    return self._fail(error)
                return True

    def get_text(self, place: int) -> str:
        """Return the text that a line of the question is about."""
        return (self.ask.texts[place] if self.ask.texts else "") or self.script.text

    def take(self, place: int, reply: Choice | Written) -> None:
        """Keep the reply to a line."""
        assert self._replies is not None
        self._replies[place] = reply
        self.calls[self._get_key(place)] = dump_reply(reply)

    def start_over(self) -> None:
        """Begin anew at the next `go_on`; what was answered is not asked again."""
        self.close()
        self._talk = self._ask = self._replies = None

    def close(self) -> None:
        self.trunks.clear()
        self.lines.clear()
        self.waiting.clear()
        if self._talk is not None:
            self._talk.close()

    def end(self, error: str = "") -> ScriptRun:
        """Return what came of it; `error` says why it ended too early."""
        self.close()
        return ScriptRun(
            self.script.key,
            None if error else self._value,
            error or self._error,
            self.n_prompt,
            self.n_written,
            self.seconds,
            tuple(self.calls.items()),
        )

    def _fail(self, error: AppError) -> bool:
        self._error = str(error)
        return False

    def _get_key(self, place: int) -> str:
        return self._keys.get(self.ask, self.ask.lines[place], self.get_text(place))

    def _find_reply(self, place: int) -> Choice | Written | None:
        key = self._get_key(place)
        kept = self.calls.get(key)
        if kept is None and self._find_call is not None:
            kept = self._find_call(key)
        return load_reply(self.ask, kept) if kept is not None else None
