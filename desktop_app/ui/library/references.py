"""Copies references of documents in a style or as data, and exports them to files."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QMimeData, QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from desktop_app.engine.file_names import make_file_name
from desktop_app.engine.model import DocumentRow, Reference
from desktop_app.engine.services.exporting.citation_styles import (
    STYLES,
    format_reference,
    format_reference_html,
    list_references_html,
)
from desktop_app.engine.services.exporting.references import (
    SUFFIXES,
    build_references,
    describe_cited_source,
)
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..translation import later, tr, trn
from ..widgets.citation_styles import STYLE_NAMES, save_style
from ..widgets.save_dialog import ask_where_to_save

SHORT = "short"  # author, title and year, as a citation in the text
DATA_FORMATS = {
    "bibtex": later("BibTeX"),
    "ris": later("RIS (EndNote, Zotero)"),
    "csl": later("CSL-JSON"),
}


class ReferenceExport(QObject):
    """Copies the references of selected documents, or writes them to a file that the user chooses.

    Args:
        window: the widget over which the file dialog opens.
    """

    def __init__(self, context: SessionContext, window: QWidget) -> None:
        super().__init__(window)
        self._context, self._window = context, window

    def add_actions(self, menu: QMenu, rows: Sequence[DocumentRow]) -> None:
        """Add the actions for the references of documents to their menu."""
        ids = [row.id for row in rows]
        copying = menu.addMenu(tr("Copy reference"))
        for style, words in STYLE_NAMES.items():
            copying.addAction(tr(words)).triggered.connect(partial(self._copy, ids, style))
        copying.addSeparator()
        copying.addAction(tr("Author, title, year")).triggered.connect(
            partial(self._copy, ids, SHORT)
        )
        for format, words in DATA_FORMATS.items():
            copying.addAction(tr(words)).triggered.connect(partial(self._copy, ids, format))
        exporting = menu.addMenu(tr("Export reference"))
        for format, words in (*DATA_FORMATS.items(), *STYLE_NAMES.items()):
            if format == STYLES[0]:
                exporting.addSeparator()
            exporting.addAction(tr("{format}…", format=tr(words))).triggered.connect(
                partial(self._ask, rows, format)
            )

    def _copy(self, document_ids: Sequence[int], format: str, _checked: bool = False) -> None:
        self.copy(document_ids, format)

    def copy(self, document_ids: Sequence[int], format: str = SHORT) -> None:
        """Copy the references of documents in a style, as data, or in short."""

        def done(references: list[Reference]) -> None:
            QGuiApplication.clipboard().setMimeData(_build_copy(references, format))
            if format in STYLES:
                save_style(format)
            words = trn("Reference copied.", "{n} references copied.", len(references))
            self._context.messages.show(words, kind="ok")

        fetch = self._context.library_reader.fetch_references
        query = Query(self._context.reader_lane, fetch, document_ids, owner=self)
        query.on_success(done).run()

    def _ask(self, rows: Sequence[DocumentRow], format: str, _checked: bool = False) -> None:
        suffix = SUFFIXES[format]
        name = rows[0].title if len(rows) == 1 else tr("References")
        start = make_file_name(name[:80], "references") + suffix
        path = ask_where_to_save(self._window, tr("Export reference"), start, f"*{suffix}")
        if path:
            self.write(path, format, [row.id for row in rows])

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


def _build_copy(references: Sequence[Reference], format: str) -> QMimeData:
    """Return references for the clipboard; those in a style also with their italics."""
    copied = QMimeData()
    if format == SHORT:
        copied.setText("\n".join(map(describe_cited_source, references)))
        return copied
    if format in STYLES and len(references) == 1:  # it is no list, so it needs no number
        copied.setHtml(f"<p>{format_reference_html(references[0], format)}</p>")
        copied.setText(format_reference(references[0], format))
        return copied
    if format in STYLES:
        lines = list_references_html(references, format)
        copied.setHtml("".join(f"<p>{line}</p>" for line in lines))
    copied.setText(build_references(references, format).rstrip("\r\n"))
    return copied
