"""Detection of repeated sentences in what a model writes.

Small models that summarize repeat sentences with another subject ("Scrooge is …", "He is …"), so
that no loop of tokens is detected. Sentences are compared by their pairs of words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

_STOP = re.compile(r"[.!?。！？…]+[\"'”’」』）)]*")
_WORD = re.compile(r"[^\W_\u3400-\u9fff]+|[\u3400-\u9fff]")
REPEATED_SHARE = 0.7  # share of a sentence's word pairs that an earlier sentence has too
MIN_PAIRS = 3


def drop_repeated(text: str) -> str:
    """Return a paragraph without the sentences that repeat an earlier one."""
    kept: list[str] = []
    seen: list[set[tuple[str, str]]] = []
    end = 0
    for stop in _STOP.finditer(text):
        sentence, end = text[end : stop.end()], stop.end()
        pairs = _pairs(sentence)
        if _is_repeated(pairs, seen):
            continue
        seen.append(pairs)
        kept.append(sentence)
    return ("".join(kept) + text[end:]).strip()


def _pairs(sentence: str) -> set[tuple[str, str]]:
    words = _WORD.findall(sentence.casefold())
    return set(pairwise(words))


def _is_repeated(pairs: set[tuple[str, str]], seen: list[set[tuple[str, str]]]) -> bool:
    if len(pairs) < MIN_PAIRS:
        return pairs in seen
    return any(len(pairs & earlier) >= REPEATED_SHARE * len(pairs) for earlier in seen)


@dataclass(frozen=True, slots=True)
class FreshGuard:
    """Ends the text after the first sentence that repeats an earlier one; see `Guard`."""

    def begin(self) -> FreshState:
        return FreshState()


class FreshState:
    """State of one paragraph; see `prompt_program.GuardState`."""

    may_end = True

    def __init__(self) -> None:
        self._bytes = b""
        self._seen: list[set[tuple[str, str]]] = []
        self._end = 0
        self.must_end = False

    def take(self, piece: bytes) -> bool:
        if self.must_end:
            return False
        self._bytes += piece
        text = self._bytes.decode("utf-8", errors="ignore")
        # A sentence is complete once text follows: its full stop may be an abbreviation or "...".
        for stop in _STOP.finditer(text, self._end):
            if stop.end() == len(text):
                break
            pairs = _pairs(text[self._end : stop.end()])
            self.must_end |= _is_repeated(pairs, self._seen)
            self._seen.append(pairs)
            self._end = stop.end()
        return True
