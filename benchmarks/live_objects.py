"""Notes the objects of a class that a program makes, while its threads go on.

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
    with call_after(kind, "__init__", made.append):
        yield made


@contextmanager
def call_after(kind: type, method: str, note: Callable[[Any], object]) -> Iterator[None]:
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
