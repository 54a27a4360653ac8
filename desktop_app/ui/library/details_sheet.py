"""Asks for what a person says of documents: title, author, year, language, tags, a note.

Owns the fields; of several documents only what is typed is given, and title stays.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QLineEdit, QPlainTextEdit, QWidget

from desktop_app.engine.types import DocumentRow
from desktop_app.ui.language import tr, trn
from desktop_app.ui.widgets import Button, Label, PrimaryButton, format_language
from desktop_app.ui.widgets.sheet import Sheet

LANGUAGES = ("en", "zh", "de", "fr", "es", "it", "ru", "ja", "ko", "la", "und")


class DetailsSheet(Sheet):
    """Emits `given` with the fields that were changed, by name.

    Of several documents, `tags` are those that all have from now on, and `tags_shared` those
    that all had.
    """

    given = Signal(dict)

    def __init__(self, rows: Sequence[DocumentRow], parent: QWidget | None = None) -> None:
        one = rows[0] if len(rows) == 1 else None
        super().__init__(
            tr("Details")
            if one
            else trn("Details of {n} document", "Details of {n} documents", len(rows)),
            parent,
        )
        self._is_one = one is not None
        self._before = {
            "title": one.title if one else "",
            "author": self._same(rows, "author"),
            "year": self._same(rows, "year"),
            "comment": self._same(rows, "comment"),
        }
        self.title_field = QLineEdit(self._before["title"])
        self.author = QLineEdit(self._before["author"])
        self.year = QLineEdit(self._before["year"])
        self.tags = QLineEdit(", ".join(self._tags(rows)))
        self.tags.setPlaceholderText(tr("Separated by commas"))
        self.comment = QPlainTextEdit(self._before["comment"])
        self.comment.setProperty("kind", "field")
        self.comment.setPlaceholderText(tr("Where it is from, what it is for"))
        self.comment.setTabChangesFocus(True)
        self.comment.setFixedHeight(84)
        self.language = QComboBox()
        self._language = self._same(rows, "language")
        for code in dict.fromkeys((self._language, *LANGUAGES)):
            self.language.addItem(format_language(code) if code else tr("(as they are)"), code)
        self._tags_before = self.tags.text()
        body = QWidget()
        form = QFormLayout(body)
        form.setContentsMargins(0, 0, 0, 0)
        form.setVerticalSpacing(8)
        form.setHorizontalSpacing(16)
        for words, field in (
            (tr("Title"), self.title_field),
            (tr("Author"), self.author),
            (tr("Year"), self.year),
            (tr("Language"), self.language),
            (tr("Tags"), self.tags),
            (tr("Note"), self.comment),
        ):
            if field is self.title_field and one is None:
                continue
            field.setAccessibleName(words)
            form.addRow(Label(words, "muted"), field)
        self.add(body)
        self.add(Label(tr("This stands also when the file is read again."), "small", wrap=True))
        cancel, self.save = Button(tr("Cancel")), PrimaryButton(tr("Save"))
        cancel.clicked.connect(self.reject)
        self.save.clicked.connect(self._give)
        self.add_foot([cancel, self.save])
        self.setFixedWidth(480)
        self.title_field.setCursorPosition(0)
        self.author.setFocus()

    @staticmethod
    def _same(rows: Sequence[DocumentRow], field: str) -> str:
        values = {getattr(row, field) for row in rows}
        return str(values.pop()) if len(values) == 1 else ""

    @staticmethod
    def _tags(rows: Sequence[DocumentRow]) -> list[str]:
        return sorted(set.intersection(*(set(row.tags) for row in rows)))

    def _give(self) -> None:
        now = {
            "title": self.title_field.text(),
            "author": self.author.text(),
            "year": self.year.text(),
            "comment": self.comment.toPlainText(),
        }
        given: dict[str, object] = {
            name: value for name, value in now.items() if value.strip() != self._before[name]
        }
        if self.language.currentData() != self._language:
            given["language"] = self.language.currentData()
        if self.tags.text() != self._tags_before:
            given["tags"] = _split(self.tags.text())
            if not self._is_one:  # each keeps the tags that only it has
                given["tags_shared"] = _split(self._tags_before)
        if given:
            self.given.emit(given)
        self.accept()


def _split(tags: str) -> list[str]:
    return [tag.strip() for tag in tags.replace("，", ",").split(",") if tag.strip()]
