"""The filter of the library also looks in the texts: what it finds there joins the list.

Owns when texts are searched. Knows the model, not how it shows what was found.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject

from desktop_app.workers.operations import Query

from .table_model import DocumentTableModel

FEWEST = 2  # characters that are worth a search in the texts


class TextFilter(QObject):
    """Narrows the list by title at once and by text a moment later.

    Args:
        shown: called whenever other documents are in the list.
    """

    def __init__(
        self, context: Any, model: DocumentTableModel, shown: Callable[[], None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._context, self._model, self._shown = context, model, shown
        self._words = ""

    def set_text(self, text: str) -> None:
        self._words = text.strip()
        self._model.set_filter(text)
        self._shown()
        words = self._words
        if len(words) < FEWEST:
            return

        def take(ids: list[int]) -> None:
            if words == self._words and ids:
                self._model.set_found(words, ids)
                self._shown()

        search = self._context.exploring.find_documents_saying
        query = Query(self._context.reader_lane, search, words, owner=self)
        query.on_success(take).run()
