"""Keeps child processes that draw, read or show pages for later tests.

The program gives each reader a child of its own, because a file that takes a child over must not
see the files of other windows. The files of tests are harmless, and starting a child takes 0.4 s
of processor time, more than most of these tests. A child is handed on as it stands after a
request was answered; one that is busy for long is ended as usual.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager

import pytest

from desktop_app.engine.text.page_renderer import PageRenderer
from desktop_app.engine.text.parser_process import ParserProcess
from desktop_app.workers.cover_reader import CoverReader

PAGE_S = 2.0  # a page of a test takes a few milliseconds, on a busy machine a hundred times that
_waiting: dict[Hashable, list[ParserProcess]] = {}
_start_renderer, _close_renderer = PageRenderer._ensure_child, PageRenderer.close
_start_covers, _close_covers = CoverReader._ensure_child, CoverReader.close


def _find_kept(key: Hashable) -> ParserProcess | None:
    children = _waiting.get(key, [])
    while children:
        child = children.pop()
        if child.is_alive:
            return child
        child.close()
    return None


def _keep(key: Hashable, child: ParserProcess | None) -> None:
    if child is not None:
        _waiting.setdefault(key, []).append(child)


def _ensure_page_child(self: PageRenderer) -> ParserProcess:
    if self._child is None:
        self._child = _find_kept((self._start, self.limits))
    return _start_renderer(self)


def _leave_page_child(self: PageRenderer) -> None:
    self._is_closed = True  # no more pages are asked for
    if self._lock.acquire(timeout=PAGE_S):
        child, self._child, self._loaded = self._child, None, None
        self._lock.release()
        _keep((self._start, self.limits), child)
    _close_renderer(self)


def _ensure_cover_child(self: CoverReader) -> ParserProcess:
    if self._child is None:
        self._child = _find_kept(self._limits)
    return _start_covers(self)


def _leave_cover_child(self: CoverReader) -> None:
    if self._lock.acquire(timeout=PAGE_S):
        child, self._child = self._child, None
        self._lock.release()
        _keep(self._limits, child)
    _close_covers(self)


@contextmanager
def kept_page_children() -> Iterator[None]:
    """Keep the children of readers that are closed in this context, for readers made later."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PageRenderer, "_ensure_child", _ensure_page_child)
        patch.setattr(PageRenderer, "close", _leave_page_child)
        patch.setattr(CoverReader, "_ensure_child", _ensure_cover_child)
        patch.setattr(CoverReader, "close", _leave_cover_child)
        yield


def end_kept_page_children() -> None:
    """End all children that wait."""
    for children in _waiting.values():
        while children:
            children.pop().close()
