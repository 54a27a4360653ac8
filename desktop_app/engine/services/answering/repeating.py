"""Notices that a model has begun to say the same again, as small ones do, so that it is stopped.

Pure: takes the pieces as they are written and knows no model.
"""

from __future__ import annotations

import re

_END = re.compile(r"[.!?。！？\n]")
_NOT_WORDS = re.compile(r"\[\d{1,3}\]|[\W_]+")
_LEAST = 12  # letters or characters; a shorter sentence may well be said twice


class Repeating:
    """Watches a text while it is written."""

    def __init__(self) -> None:
        self._text = ""
        self._start = 0  # of the sentence under way
        self._said: set[str] = set()
        self.cut: int | None = None  # where the second saying begins, once there is one

    def take(self, piece: str) -> bool:
        """Take a piece; return whether a sentence is there for the second time."""
        searched = len(self._text)
        self._text += piece
        for end in _END.finditer(self._text, searched):
            bare = _NOT_WORDS.sub("", self._text[self._start : end.end()]).casefold()
            if len(bare) >= _LEAST and bare in self._said:
                self.cut = self._start
                return True
            self._said.add(bare)
            self._start = end.end()
        return False
