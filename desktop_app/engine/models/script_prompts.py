"""The prompt of a script in two: what comes before its text, shared by many, and the text itself.

Owns where the passage stands in a model's template. Text of documents can't pose as the frame:
its control marks are broken up, and those that only this model knows are read as plain words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..asks import PASSAGE
from ..errors import UserError
from ..types import ChatMessage
from .chat_prompt import break_marks
from .llama_native import LlamaModel

_MARK = "\u2997passage\u2998"  # survives any chat template, and is in no text that we make
_MOST_FRAMES = 64


@dataclass(frozen=True, slots=True)
class Frame:
    """A prompt around a text: its tokens up to the text (`head`), and what follows it."""

    head: tuple[int, ...]
    tail: str
    has_passage: bool = True


class ScriptPrompts:
    """Makes the tokens of scripts' prompts.

    Args:
        render: turns messages into the prompt of the model's template.
        tokenize: the tokens of a prompt (and whether it is its start), control marks read as such.
    """

    def __init__(
        self,
        model: LlamaModel,
        render: Callable[[Sequence[ChatMessage]], str],
        tokenize: Callable[[str, bool], list[int]],
    ) -> None:
        self._model, self._render, self._tokenize = model, render, tokenize
        self._frames: dict[tuple[ChatMessage, ...], Frame] = {}

    def get_frame(self, messages: tuple[ChatMessage, ...]) -> Frame:
        """Return what is around the passage in these messages.

        Raises:
            UserError: the model's template refuses them, or leaves the passage out.
        """
        if (known := self._frames.get(messages)) is None:
            if len(self._frames) >= _MOST_FRAMES:
                self._frames.clear()
            known = self._frames[messages] = self._build_frame(messages)
        return known

    def read_in(self, frame: Frame, text: str) -> list[int]:
        """Return the tokens of a text in its frame, up to where the model begins to speak."""
        if not frame.has_passage:
            return []
        text = break_marks(text)
        plain = self._model.tokenize(text, add_special=False)
        if plain != self._tokenize(text, False):
            # A mark that `break_marks` does not know: the text is read apart from its frame.
            return [*plain, *self._tokenize(frame.tail.replace(_MARK, ""), False)]
        return self._tokenize(text + frame.tail.replace(_MARK, text), False)

    def _build_frame(self, messages: tuple[ChatMessage, ...]) -> Frame:
        marked = [ChatMessage(m.role, m.text.replace(PASSAGE, _MARK)) for m in messages]
        before, mark, after = self._render(marked).partition(_MARK)
        has_passage = any(PASSAGE in m.text for m in messages)
        if has_passage and not mark:
            raise UserError("The model's chat template leaves the text out.", "Use another model.")
        shut = "\n</think>\n\n"  # nothing to think about
        if not has_passage:
            before += shut if before.rstrip().endswith("<think>") else ""
        elif after.rstrip().endswith("<think>"):
            after += shut
        return Frame(tuple(self._tokenize(before, True)), after, has_passage)
