"""Which waiting figures are wanted first, for the works on them.

`figure_texts` reads the text in figures, `figure_descriptions` has a model describe them.
"""

from __future__ import annotations

import threading

MAX_WANTED = 50  # figures and documents that are remembered as wanted


class WantedFigures:
    """Which figures and documents are wanted first, the latest first; from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._figures: list[tuple[int, int]] = []
        self._documents: list[int] = []

    def want_document(self, document_id: int) -> None:
        """Take the waiting figures of this document first, because they are on the screen."""
        with self._lock:
            kept = [i for i in self._documents if i != document_id]
            self._documents = [document_id, *kept][:MAX_WANTED]

    def want_figure(self, document_id: int, number: int) -> None:
        """Take this figure next if it waits, because it is shown large."""
        with self._lock:
            wanted = (document_id, number)
            kept = [key for key in self._figures if key != wanted]
            self._figures = [wanted, *kept][:MAX_WANTED]

    def list_wanted(self) -> tuple[list[tuple[int, int]], list[int]]:
        """Return the wanted figures, as (document, number), and the wanted documents."""
        with self._lock:
            return list(self._figures), list(self._documents)
