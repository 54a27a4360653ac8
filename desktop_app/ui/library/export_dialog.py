"""The dialog in which the user chooses for which program the whole library is exported."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QRadioButton, QWidget

from ..theme.theme import Theme
from ..translation import later, tr
from ..widgets import Button, Label, PrimaryButton, build_column
from ..widgets.sheet import Sheet

FORMAT_WORDS = {
    "neo4j": (
        later("Neo4j: files for its importer"),
        later("A folder of CSV files, of which neo4j-admin makes a new database."),
    ),
    "cypher": (
        later("Neo4j: Cypher script"),
        later("One file for cypher-shell, which adds everything to a running server."),
    ),
    "postgresql": (
        later("PostgreSQL"),
        later("One SQL script for psql, with tables in a schema of their own."),
    ),
    "duckdb": (
        later("DuckDB and Parquet"),
        later("A folder that DuckDB imports, and whose tables pandas or R read directly."),
    ),
    "turtle": (
        later("RDF (Turtle)"),
        later("Linked data in the terms of schema.org, with the sentence that says each fact."),
    ),
    "networkx": (
        later("networkx (JSON)"),
        later("One file for Python: names are nodes, connections are edges."),
    ),
}


class ExportLibraryDialog(Sheet):
    """Lists the formats with a sentence each; `export_wanted` carries the chosen one.

    Args:
        is_encrypted: whether the library is; what is exported is not.
    """

    export_wanted = Signal(str)

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, *, is_encrypted: bool = False
    ) -> None:
        super().__init__(tr("Export the library"), parent)
        words = tr("Names, connections, documents and communities, with the sentences behind them.")
        self.add(Label(words, "muted", wrap=True))
        if is_encrypted:
            self.add(Label(tr("Exported files are not encrypted."), wrap=True))
        self.formats: dict[str, QRadioButton] = {}
        self._group = QButtonGroup(self)
        for name, (title, sentence) in FORMAT_WORDS.items():
            choice = self.formats[name] = QRadioButton(tr(title))
            choice.setAccessibleDescription(tr(sentence))
            self._group.addButton(choice)
            line = Label(tr(sentence), "muted", wrap=True)
            line.setContentsMargins(theme.breadth(24), 0, 0, 0)
            row = QWidget()
            build_column(choice, line, parent=row, spacing=0)
            self.add(row)
        next(iter(self.formats.values())).setChecked(True)
        cancel, self.export = Button(tr("Cancel")), PrimaryButton(tr("Export…"))
        cancel.clicked.connect(self.reject)
        self.export.clicked.connect(self._choose)
        self.add_foot([cancel, self.export], line=True)
        self.fit_content(theme.breadth(520))

    def _choose(self) -> None:
        chosen = next(name for name, button in self.formats.items() if button.isChecked())
        self.accept()
        self.export_wanted.emit(chosen)
