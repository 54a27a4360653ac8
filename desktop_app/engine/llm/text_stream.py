"""Turns a stream of token bytes into text fit to show: whole characters, no thinking, no loops.

Owns nothing of llama.cpp; plain state machines, fed piece by piece.
"""

from __future__ import annotations

import codecs
from collections.abc import Sequence

_OPEN, _CLOSE = "<think>", "</think>"
_LONGEST_PERIOD = 64


class TextStream:
    """Gives out characters only when whole, and leaves out <think>…</think> blocks."""

    def __init__(self, *, thinking: bool = False) -> None:
        """`thinking`: the prompt itself already opened a thinking block."""
        self._decoder = codecs.getincrementaldecoder("utf-8")("ignore")
        self._held = ""
        self._thinking = thinking
        self._started = False

    def feed(self, data: bytes) -> str:
        """Return what can be shown now; a possible beginning of a mark is held back."""
        self._held += self._decoder.decode(data)
        return self._lead(self._drain(final=False))

    def finish(self) -> str:
        """Return what was held back; an incomplete last character is dropped."""
        return self._lead(self._drain(final=True))

    def _lead(self, text: str) -> str:
        """Drop blanks before the first word: what a cut thinking block leaves."""
        if not self._started:
            text = text.lstrip()
            self._started = bool(text)
        return text

    def _drain(self, *, final: bool) -> str:
        shown = ""
        while self._held:
            mark = _CLOSE if self._thinking else _OPEN
            at = self._held.find(mark)
            if at >= 0:
                shown += "" if self._thinking else self._held[:at]
                self._held = self._held[at + len(mark) :]
                self._thinking = not self._thinking
                continue
            n_hold = 0 if final else _n_begun(self._held, mark)
            cut = len(self._held) - n_hold
            shown += "" if self._thinking else self._held[:cut]
            self._held = self._held[cut:]
            break
        return shown


def _n_begun(text: str, mark: str) -> int:
    """Return how many characters at the end of `text` begin `mark`."""
    for n in range(min(len(mark) - 1, len(text)), 0, -1):
        if text.endswith(mark[:n]):
            return n
    return 0


def is_looping(tokens: Sequence[int], *, min_tokens: int = 48, min_turns: int = 4) -> bool:
    """Say whether the end of `tokens` is the same run of up to 64, over and over.

    A run counts when it was said `min_turns` times and fills at least `min_tokens`.
    """
    n = len(tokens)
    for period in range(1, _LONGEST_PERIOD + 1):
        span = max(min_tokens, period * min_turns)
        if span > n:
            continue
        tail = tokens[n - span :]
        if all(tail[i] == tail[i - period] for i in range(period, span)):
            return True
    return False
