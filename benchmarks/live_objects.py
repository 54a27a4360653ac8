"""Notes the objects of a class that a program makes and frees, while its threads go on.

`gc.get_objects` would list them, but also returns objects that another thread is building. A
reference held to one of them makes that thread fail, and C code that does not expect this ends the
process: CPython refuses to resize a tuple that it does not own alone
(https://github.com/python/cpython/issues/59313).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def note_made(kind: type) -> Iterator[list[Any]]:
    """Give the list of the instances of a class that are made in this context; it keeps them."""
    made: list[Any] = []
    with _after(kind, "__init__", made.append):
        yield made


@contextmanager
def describe_living(kind: type, describe: Callable[[Any], Any]) -> Iterator[dict[int, Any]]:
    """Give what describes each instance that was made in this context and is not freed, by `id`."""
    living: dict[int, Any] = {}

    def note_start(one: Any) -> None:
        living[id(one)] = describe(one)

    def note_end(one: Any) -> None:
        living.pop(id(one), None)

    with _after(kind, "__init__", note_start), _after(kind, "__del__", note_end):
        yield living


@contextmanager
def _after(kind: type, method: str, note: Callable[[Any], object]) -> Iterator[None]:
    """Call `note` with the instance after each call of a method of a class."""
    is_own = method in vars(kind)
    former = getattr(kind, method, None)

    def call(self: Any, *args: Any, **options: Any) -> None:
        if former is not None:
            former(self, *args, **options)
        note(self)

    setattr(kind, method, call)
    try:
        yield
    finally:
        if is_own:
            setattr(kind, method, former)
        else:
            delattr(kind, method)
