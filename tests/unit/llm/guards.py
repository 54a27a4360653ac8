"""A guard for tests of generated text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Digits:
    """A guard that accepts a given number of digits.

    Guards are built again in the process of a model, from the name of their module and their
    fields; `kinds` is a field of nested tuples.
    """

    n: int
    kinds: tuple[tuple[str, ...], ...] = (("digit",),)

    def begin(self) -> _DigitsLeft:
        assert self.kinds == (("digit",),)
        return _DigitsLeft(self.n)


class _DigitsLeft:
    may_end = False

    def __init__(self, n: int) -> None:
        self.n = n

    def take(self, piece: bytes) -> bool:
        fits = piece.isdigit() and len(piece) <= self.n
        self.n -= len(piece) if fits else 0
        return fits

    @property
    def must_end(self) -> bool:
        return self.n == 0
