"""Opens sheets over a widget, one at a time, and reads what they ask for in the background."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from desktop_app.engine.types import EntityRow
from desktop_app.ui.context import Context
from desktop_app.ui.widgets.sheet import Sheet
from desktop_app.workers.operations import Query

from .edits import Edits

MAX_NAMES = 40


class Opening(QObject):
    """Knows the sheet that is open (`sheet`) and how its edits are made (`edits`).

    Args:
        owner: the widget that the sheets stand over.
    """

    def __init__(self, context: Context, owner: QWidget) -> None:
        super().__init__(owner)
        self._context, self._owner = context, owner
        self.edits = Edits(context, self)
        self.sheet: Sheet | None = None

    def open_sheet(self, sheet: Sheet) -> None:
        self.sheet = sheet
        sheet.finished.connect(lambda _: self._closed(sheet))
        sheet.open()

    def find_names(self, text: str, then: Callable[[Sequence[EntityRow]], None]) -> None:
        """Look names up for the sheet that is open."""

        def show(rows: Sequence[EntityRow]) -> None:
            if self.sheet is not None:
                then(rows)

        self.read(self._context.exploring.find_entities, text, MAX_NAMES, then=show)

    def read(self, fn: Callable[..., Any], *args: Any, then: Callable[[Any], None]) -> None:
        """Call a reading service and hand on what it returns."""
        query = Query(self._context.reader_lane, fn, *args, owner=self)
        query.on_success(then).run()

    def _closed(self, sheet: Sheet) -> None:
        if self.sheet is sheet:
            self.sheet = None
