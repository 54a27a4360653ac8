"""Asking for one chapter to be enriched first: from the outline, or from where one reads.

Owns where a chapter begins and ends. Knows the screen's parts, not who does the work.
"""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop_app.engine.types import Heading
from desktop_app.ui.language import later, tr

from .loading import Loaded

if TYPE_CHECKING:
    from .screen import ReaderScreen

CHAPTER = later("Enrich this chapter now")
DOCUMENT = later("Enrich this document now")


def chapter_span(outline: Sequence[Heading], number: int, n_chars: int) -> tuple[int, int]:
    """Return where a chapter begins and ends, its sections with it; -1 is what is before all.

    A document without chapters is one.
    """
    if not outline:
        return 0, n_chars
    if number < 0:
        return 0, outline[0].start
    own = outline[number]
    following = (h.start for h in outline[number + 1 :] if h.level <= own.level)
    return own.start, next(following, n_chars)


class ChapterEnriching(QObject):
    """Turns a heading or an offset into `enrich_chapter_requested` of the screen."""

    def __init__(self, screen: ReaderScreen) -> None:
        super().__init__(screen)
        self._screen = screen
        self._loaded: Loaded | None = None
        screen.outline.enrich_wanted.connect(self._ask)
        for view in (screen.text_view, screen.pdf_view):
            view.enrich_wanted.connect(self._ask_at)

    def set_document(self, loaded: Loaded) -> None:
        """Speak of this document from now on."""
        self._loaded = loaded
        for view in (self._screen.text_view, self._screen.pdf_view):
            view.enrich_words = tr(CHAPTER) if loaded.outline else tr(DOCUMENT)

    def _ask_at(self, offset: int) -> None:
        if self._loaded is not None:
            starts = [heading.start for heading in self._loaded.outline]
            self._ask(bisect.bisect_right(starts, offset) - 1)

    def _ask(self, number: int) -> None:
        loaded = self._loaded
        if loaded is not None and self._screen.document_id == loaded.row.id:
            span = chapter_span(loaded.outline, number, len(loaded.text))
            self._screen.enrich_chapter_requested.emit(int(loaded.row.id), *span)
