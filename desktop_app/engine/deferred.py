"""Services that are imported and built when they are used for the first time.

The import of all services takes longer than showing the window, which needs few of them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar, cast

T = TypeVar("T")


class Deferred:
    """Stands for an object until it is used; then for the same object, in every thread.

    Args:
        build: imports and builds it; called once.
    """

    _build: Callable[[], Any] | None
    _built: Any
    _lock: threading.Lock

    def __init__(self, build: Callable[[], Any]) -> None:
        vars(self).update(_build=build, _built=None, _lock=threading.Lock())

    def __getattr__(self, name: str) -> Any:
        return getattr(_get(self), name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(_get(self), name, value)

    def __delattr__(self, name: str) -> None:
        delattr(_get(self), name)


def _get(deferred: Deferred) -> Any:
    state = vars(deferred)
    if state["_build"] is not None:
        with state["_lock"]:
            if (build := state["_build"]) is not None:
                state["_built"] = build()
                state["_build"] = None
    return state["_built"]


def defer(build: Callable[[], T]) -> T:
    """Return what stands for the result of a function, which is called when that is used."""
    return cast(T, Deferred(build))


def is_built(service: object) -> bool:
    """Return whether a service is there, or would have to be built."""
    return not isinstance(service, Deferred) or vars(service)["_build"] is None


def build_now(service: object) -> None:
    """Build a service that is not there yet; from any thread."""
    if isinstance(service, Deferred):
        _get(service)


def import_later(module: str, name: str) -> Callable[..., Any]:
    """Return what calls a function of a module that is imported at the first call.

    The type of the function is stated beside it: `if TYPE_CHECKING:` imports it.
    """

    def call(*args: Any, **kwargs: Any) -> Any:
        return getattr(import_module(module), name)(*args, **kwargs)

    call.__name__ = name
    return call
