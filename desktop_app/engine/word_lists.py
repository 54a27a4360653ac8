"""Loads tables of words from files: `words/NAME.toml`.

A list is a text of words between white space.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

WORDS = Path(__file__).parent / "words"


def load_table(name: str) -> dict[str, Any]:
    """Return the content of a file."""
    return tomllib.loads((WORDS / f"{name}.toml").read_text("utf-8"))


class WordLists:
    """The lists of one file, in the collections that the rules search."""

    def __init__(self, name: str) -> None:
        self._lists = load_table(name)

    def words(self, key: str) -> frozenset[str]:
        return frozenset(self._lists[key].split())

    def characters(self, key: str) -> frozenset[str]:
        return frozenset("".join(self._lists[key].split()))

    def in_order(self, key: str) -> tuple[str, ...]:
        return tuple(self._lists[key].split())

    def longest_first(self, key: str) -> tuple[str, ...]:
        return tuple(sorted(self._lists[key].split(), key=len, reverse=True))

    def lines(self, key: str) -> list[list[str]]:
        """Return the words of each line."""
        return [line.split() for line in self._lists[key].strip().splitlines()]

    def table(self, key: str) -> dict[str, tuple[str, ...]]:
        """Return the lists of a table by name."""
        return {name: tuple(words.split()) for name, words in self._lists[key].items()}

    def by_word(self, key: str) -> dict[str, str]:
        """Return the name of the list that has each word of a table."""
        return {word: name for name, words in self.table(key).items() for word in words}
