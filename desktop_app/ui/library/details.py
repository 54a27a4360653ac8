"""The details of documents: a sheet that asks for them, and an editor that writes them with undo.

The sheet is a panel beside the list and follows what is selected there; where the list has no room
for it, it is a dialog. Owns which fields of one or several documents were changed. Knows no lists
and no menus.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import (
    QFormLayout,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)

from desktop_app.engine.model import DocumentRow
from desktop_app.engine.store.sheet_drafts import DraftKey
from desktop_app.engine.text.identifiers import read_doi, read_isbn

from ..context import SessionContext
from ..editing.edits import EditRunner
from ..translation import tr, trn
from ..widgets import Button, ChoiceBox, Label, PrimaryButton, format_language
from ..widgets.layout import STRETCH, build_column, build_row
from ..widgets.line_dialog import LineDialog
from ..widgets.sheet import Sheet
from ..widgets.words import format_size
from .covers import CoverBox, Covers
from .words import describe_file_kind

LANGUAGES = ("en", "zh", "de", "fr", "es", "it", "ru", "ja", "ko", "la", "und")

WIDTH = 480  # pixels; more in large text
FIELD_EDGES = 24  # pixels beside the text of a field
COVER_HEIGHT, NOTE_HEIGHT = 72, 64  # pixels
NO_LIMIT = (1 << 24) - 1  # Qt's own


class DetailsDialog(Sheet):
    """Asks for details; `submitted` carries the changed fields by name.

    For several documents, `tags` are the tags that all of them get, and `tags_shared` the tags
    that all of them had before.

    Args:
        cover: the cover of the document, which is shown above the fields.

    Attributes:
        ids: the documents.
    """

    submitted = Signal(dict)

    def __init__(
        self,
        rows: Sequence[DocumentRow],
        parent: QWidget | None = None,
        cover: QWidget | None = None,
    ) -> None:
        one = rows[0] if len(rows) == 1 else None
        super().__init__(
            tr("Details")
            if one
            else trn("Details of {n} document", "Details of {n} documents", len(rows)),
            parent,
        )
        self.ids = [row.id for row in rows]
        self._is_one = one is not None
        if one is not None:
            self.add(self._build_head(one, cover))
        self._before = {
            "title": one.title if one else "",
            "author": self._common_value(rows, "author"),
            "year": self._common_value(rows, "year"),
            "doi": one.doi if one else "",
            "isbn": one.isbn if one else "",
            "container": self._common_value(rows, "container"),
            "volume": one.volume if one else "",
            "issue": one.issue if one else "",
            "pages": one.cited_pages if one else "",
            "publisher": self._common_value(rows, "publisher"),
            "comment": self._common_value(rows, "comment"),
        }
        self.title_field = QLineEdit(self._before["title"])
        self.author = QLineEdit(self._before["author"])
        self.year = QLineEdit(self._before["year"])
        self.author.setPlaceholderText(tr("Several with semicolons: Ada Voss; Ben Lowe"))
        self.doi, self.isbn = QLineEdit(self._before["doi"]), QLineEdit(self._before["isbn"])
        self.doi.setPlaceholderText("10.1000/182")  # not shown: an example
        self.isbn.setPlaceholderText(tr("10 or 13 digits"))
        self.container = QLineEdit(self._before["container"])
        self.container.setPlaceholderText(tr("Journal or book"))
        self.volume, self.issue = (
            QLineEdit(self._before["volume"]),
            QLineEdit(self._before["issue"]),
        )
        self.pages = QLineEdit(self._before["pages"])
        self.pages.setPlaceholderText("1–20")  # not shown: an example
        self.publisher = QLineEdit(self._before["publisher"])
        self.tags = QLineEdit(", ".join(self._common_tags(rows)))
        self.tags.setPlaceholderText(tr("Separated by commas"))
        self.comment = QPlainTextEdit(self._before["comment"])
        self.comment.setProperty("kind", "field")
        self.comment.setPlaceholderText(tr("Source or purpose"))
        self.comment.setTabChangesFocus(True)
        self.comment.setFixedHeight(NOTE_HEIGHT)
        self.language = ChoiceBox()
        self._language = self._common_value(rows, "language")
        for code in dict.fromkeys((self._language, *LANGUAGES)):
            self.language.addItem(format_language(code) if code else tr("(unchanged)"), code)
        self._tags_before = self.tags.text()
        body = QWidget()
        form = QFormLayout(body)
        form.setContentsMargins(0, 0, 0, 0)
        form.setVerticalSpacing(8)
        form.setHorizontalSpacing(16)
        named = {
            self.title_field: tr("Title"),
            self.author: tr("Author"),
            self.year: tr("Year"),
            self.language: tr("Language"),
            self.container: tr("Published in"),
            self.volume: tr("Volume"),
            self.issue: tr("Issue"),
            self.pages: tr("Page range"),
            self.publisher: tr("Publisher"),
            self.doi: tr("DOI"),
            self.isbn: tr("ISBN"),
            self.tags: tr("Tags"),
            self.comment: tr("Note"),
        }
        for field, words in named.items():
            field.setAccessibleName(words)
        # short fields share a line
        lines: list[list[tuple[QWidget, int]]] = [
            [(self.title_field, 1)],
            [(self.author, 1)],
            [(self.year, 1), (self.language, 2)],
            [(self.container, 1)],
            [(self.volume, 1), (self.issue, 1), (self.pages, 2)],
            [(self.publisher, 1)],
            [(self.doi, 1), (self.isbn, 1)],
            [(self.tags, 1)],
            [(self.comment, 1)],
        ]
        of_one = (self.title_field, self.doi, self.isbn, self.volume, self.issue, self.pages)
        for line in lines:
            shown = [(field, share) for field, share in line if one or field not in of_one]
            parts: list[Any] = []
            for field, share in shown:
                parts += [Label(named[field], "muted"), (field, share)]
            if parts:
                form.addRow(parts[0], build_row(*parts[1:]))
        self.add(body)
        self.problem = Label("", "bad", wrap=True)
        self.problem.hide()
        self.add(self.problem)
        self.add(
            Label(tr("Your details are kept when the file is read again."), "small", wrap=True)
        )
        cancel, self.save = Button(tr("Cancel")), PrimaryButton(tr("Save"))
        cancel.clicked.connect(self.reject)
        self.save.clicked.connect(self._submit)
        self.add_foot([cancel, self.save])
        self.register_fields(
            title=self.title_field,
            author=self.author,
            year=self.year,
            container=self.container,
            volume=self.volume,
            issue=self.issue,
            pages=self.pages,
            publisher=self.publisher,
            doi=self.doi,
            isbn=self.isbn,
            language=self.language,
            tags=self.tags,
            comment=self.comment,
        )
        for field in (self.author, self.pages):  # their examples are read whole
            field.ensurePolished()
            example = field.fontMetrics().horizontalAdvance(field.placeholderText())
            field.setMinimumWidth(example + FIELD_EDGES)
        self.fit_content(WIDTH)
        self.title_field.setCursorPosition(0)
        self.take_focus()

    def take_focus(self) -> None:
        """Give the keyboard to the first field."""
        (self.title_field if self._is_one else self.author).setFocus()

    def become_panel(self) -> None:
        """Take the place that a panel has for it, in place of a size of its own."""
        self.setMinimumSize(0, 0)
        self.setMaximumSize(NO_LIMIT, NO_LIMIT)
        self.column.addStretch(1)

    def fit_content(self, width: int) -> None:
        if self.isWindow():
            super().fit_content(width)

    @staticmethod
    def _build_head(row: DocumentRow, cover: QWidget | None) -> QWidget:
        """Return the cover of a document beside the name and the facts of its file."""
        file_name = Label(row.file_name, wrap=True)
        file_name.setAccessibleName(tr("File name"))
        file_name.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        n_pages = row.n_pages
        facts = (
            describe_file_kind(row),
            trn("{n} page", "{n} pages", n_pages) if n_pages else "",
            format_size(row.size_bytes) if row.size_bytes else "",
        )
        kind = Label(" · ".join(filter(None, facts)), "small")
        words = build_column(STRETCH, file_name, kind, STRETCH, spacing=4)
        head = QWidget()
        build_row(*((cover,) if cover is not None else ()), (words, 1), parent=head, spacing=12)
        return head

    @staticmethod
    def _common_value(rows: Sequence[DocumentRow], field: str) -> str:
        """Return the value that all documents share, else ""."""
        values = {getattr(row, field) for row in rows}
        return str(values.pop()) if len(values) == 1 else ""

    @staticmethod
    def _common_tags(rows: Sequence[DocumentRow]) -> list[str]:
        return sorted(set.intersection(*(set(row.tags) for row in rows)))

    def _check_identifiers(self) -> bool:
        """Return whether DOI and ISBN are valid; if not, say so and leave the sheet open."""
        wrong = tr(
            "This is not a DOI. A DOI begins with “10.”; see the first page or the web page."
        )
        if self.doi.text().strip() and not read_doi(self.doi.text()):
            return self._refuse(self.doi, wrong)
        wrong = tr("This is not a valid ISBN. Compare its 10 or 13 digits with the book.")
        if self.isbn.text().strip() and not read_isbn(self.isbn.text()):
            return self._refuse(self.isbn, wrong)
        return True

    def _refuse(self, field: QLineEdit, words: str) -> bool:
        self.problem.setText(words)
        self.problem.show()
        self.fit_content(WIDTH)
        field.setFocus()
        field.selectAll()
        return False

    def _submit(self) -> None:
        if not self._check_identifiers():
            return
        now = {
            "title": self.title_field.text(),
            "author": self.author.text(),
            "year": self.year.text(),
            "doi": self.doi.text(),
            "isbn": self.isbn.text(),
            "container": self.container.text(),
            "volume": self.volume.text(),
            "issue": self.issue.text(),
            "pages": self.pages.text(),
            "publisher": self.publisher.text(),
            "comment": self.comment.toPlainText(),
        }
        changed: dict[str, object] = {
            name: value for name, value in now.items() if value.strip() != self._before[name]
        }
        if self.language.currentData() != self._language:
            changed["language"] = self.language.currentData()
        if self.tags.text() != self._tags_before:
            changed["tags"] = _split(self.tags.text())
            if not self._is_one:  # each document keeps the tags that only it has
                changed["tags_shared"] = _split(self._tags_before)
        if changed:
            self.submitted.emit(changed)
        else:
            self.discard_draft()  # no edit follows, whose success would drop it
        self.accept()


def _split(tags: str) -> list[str]:
    return [tag.strip() for tag in tags.replace("，", ",").split(",") if tag.strip()]


class DetailsEditor(QObject):
    """Asks for details and writes them; the message bar offers to undo.

    Args:
        window: the widget over which the dialogs open.

    Attributes:
        covers: the covers of documents, None if none are shown.
        dock: shows a sheet beside the list, if there is room for it; returns whether there was.
    """

    def __init__(self, context: SessionContext, window: QWidget) -> None:
        super().__init__(window)
        self.edits, self._window = EditRunner(context, self), window
        self._context = context
        self.covers: Covers | None = None
        self.dock: Callable[[DetailsDialog], bool] = lambda sheet: False
        self.sheet: DetailsDialog | None = None

    def ask(self, rows: Sequence[DocumentRow]) -> None:
        """Ask for details, which replace those read from the files."""
        if rows:
            self.close()
            sheet = self._build(rows)
            if self.dock(sheet):
                sheet.show()
                sheet.take_focus()
            else:
                sheet.open()

    def follow(self, rows: Sequence[DocumentRow]) -> None:
        """Show the selected documents in the panel that is open; close it if there are none.

        What was typed for other documents is a draft. The focus stays where it is.
        """
        before = self.sheet
        if before is None or before.ids == [row.id for row in rows]:
            return
        self.close()
        if rows and self.dock(sheet := self._build(rows)):
            sheet.show()

    def leave(self, document_id: int) -> None:
        """Close the sheet, unless it is about a document that was opened."""
        if self.sheet is not None and self.sheet.ids != [document_id]:
            self.close()

    def close(self) -> None:
        """Close the sheet, if one is open; what was typed is a draft."""
        if self.sheet is not None:
            self.sheet.reject()

    def _build(self, rows: Sequence[DocumentRow]) -> DetailsDialog:
        ids: list[int] = [row.id for row in rows]
        cover = None
        if self.covers is not None and len(rows) == 1:
            cover = CoverBox(self._context.theme, self.covers, height=COVER_HEIGHT)
            cover.show_row(rows[0])
        sheet = self.sheet = DetailsDialog(rows, self._window, cover)
        part = ",".join(map(str, sorted(ids))) if len(ids) > 1 else ""
        first = min(rows, key=lambda row: row.id)
        key = DraftKey("details", "document", first.id, first.file_name, part)
        drop = self._context.draft_keeper.attach(sheet, key)
        sheet.submitted.connect(lambda fields: self.write(ids, fields, then=drop))
        sheet.finished.connect(lambda _: self._forget(sheet))
        return sheet

    def _forget(self, sheet: DetailsDialog) -> None:
        if self.sheet is sheet:
            self.sheet = None

    def rename(self, row: DocumentRow | None) -> None:
        """Ask for the title of a document."""
        if row is None:
            return
        document_id, before = row.id, row.title
        sheet = LineDialog(
            tr("Rename"), tr("Title"), tr("Rename"), text=before, parent=self._window
        )
        key = DraftKey("rename", "document", document_id, row.file_name)
        drop = self._context.draft_keeper.attach(sheet, key)

        def give(title: str) -> None:
            if title != before:
                self.write([document_id], {"title": title}, then=drop)

        sheet.given.connect(give)
        sheet.open()

    def write(
        self, ids: list[int], changed: dict[str, Any], then: Callable[[], None] | None = None
    ) -> None:
        """Write details as `DetailsDialog.submitted` carries them; the message offers to undo."""
        fields = dict(changed)
        shared = fields.pop("tags_shared", None)
        if shared is not None:
            tags = fields.pop("tags", [])
            fields |= {"add_tags": tags, "drop_tags": [t for t in shared if t not in tags]}
        self._run(ids, fields, then)

    def change_tags(
        self, ids: list[int], add: Sequence[str] = (), drop: Sequence[str] = ()
    ) -> None:
        """Add tags to documents and remove others."""
        if ids:
            self._run(ids, {"add_tags": add, "drop_tags": drop})

    def _run(
        self, ids: list[int], fields: dict[str, Any], then: Callable[[], None] | None = None
    ) -> None:
        edit = self._context.documents.edit_details
        self.edits.run(edit, ids, message=tr("Details changed"), then=then, **fields)
