"""Exports references of documents as BibTeX, RIS or CSL-JSON, and copies them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from desktop_app.engine.file_names import make_file_name
from desktop_app.engine.model import DocumentRow
from desktop_app.engine.services.exporting.references import (
    SUFFIXES,
    describe_source,
    reference_of,
)
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..translation import later, tr, trn

FORMATS = {
    "bibtex": later("BibTeX…"),
    "ris": later("RIS (EndNote, Zotero)…"),
    "csl": later("CSL-JSON…"),
}


class ReferenceExport(QObject):
    """Writes the references of selected documents to a file that the user chooses.

    Args:
        window: the widget over which the file dialog opens.
    """

    def __init__(self, context: SessionContext, window: QWidget) -> None:
        super().__init__(window)
        self._context, self._window = context, window

    def add_actions(self, menu: QMenu, rows: Sequence[DocumentRow]) -> None:
        """Add the actions for the references of documents to their menu."""
        menu.addAction(tr("Copy reference"), lambda: self.copy(rows))
        formats = menu.addMenu(tr("Export reference"))
        for format, words in FORMATS.items():
            formats.addAction(tr(words)).triggered.connect(partial(self._ask, rows, format))

    def copy(self, rows: Sequence[DocumentRow]) -> None:
        """Copy authors, title and year of documents, one a line."""
        lines = [describe_source(reference_of(row)) for row in rows]
        QGuiApplication.clipboard().setText("\n".join(lines))
        self._context.messages.show(
            trn("Reference copied.", "{n} references copied.", len(rows)), kind="ok"
        )

    def _ask(self, rows: Sequence[DocumentRow], format: str, _checked: bool = False) -> None:
        suffix = SUFFIXES[format]
        name = rows[0].title if len(rows) == 1 else tr("References")
        start = make_file_name(name[:80], "references") + suffix
        path, _ = QFileDialog.getSaveFileName(
            self._window, tr("Export reference"), start, f"*{suffix}"
        )
        if path:
            self.write(Path(path), format, [row.id for row in rows])

    def write(self, path: Path, format: str, document_ids: Sequence[int]) -> None:
        """Write the references of documents to a file."""

        def done(n: int) -> None:
            text = trn(
                "{n} reference written to “{file}”.",
                "{n} references written to “{file}”.",
                n,
                file=path.name,
            )
            self._context.messages.show(text, kind="ok")

        export = self._context.library_reader.export_references
        query = Query(self._context.reader_lane, export, path, format, document_ids, owner=self)
        query.on_success(done).run()
