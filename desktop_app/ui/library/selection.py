"""The actions on several selected documents, shown where the details of a single one are.

Knows no services: the screen connects the buttons.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QPushButton, QWidget

from desktop_app.engine.model import DocumentRow

from ..theme.theme import Theme
from ..translation import tr, trn
from ..widgets import Button, FactGrid, Label, build_column, format_number
from ..widgets.buttons import CaretButton
from ..widgets.words import format_size
from .words import can_index_again, can_open

MAX_OPENED = 10  # documents in tabs with one click


class SelectionPanel(QWidget):
    """Buttons for what can be done with several documents at once; each is one undo step.

    A button carries the number of documents that it acts on, unless it is that of all.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("selectionActions")
        self.facts = FactGrid()

        def button(text: str, icon: str) -> Button:
            return Button(text, theme=theme, icon=icon, elide=True)

        def menu_button(text: str, icon: str) -> Button:
            return CaretButton(text, theme, icon, kind="")

        self.open_button = button("", "book-open")
        self.collect_button = menu_button(tr("Add to collection"), "ph.folder-simple")
        self.tags_button = menu_button(tr("Tags"), "ph.tag")
        self.details_button = button(tr("Details…"), "rename")
        self.references_button = menu_button(tr("References"), "ph.quotes")
        self.aside_button = button("", "set-aside")
        self.again_button = button("", "retry")
        self.trash_button = button("", "delete")
        self.hint = Label(tr("Each change can be undone in one step."), "small", wrap=True)
        build_column(self.facts, 4, *self.buttons(), self.hint, parent=self, spacing=8)
        self.show_rows(())

    def buttons(self) -> tuple[QPushButton, ...]:
        """Return the buttons from top to bottom."""
        return (
            self.open_button,
            self.collect_button,
            self.tags_button,
            self.details_button,
            self.references_button,
            self.aside_button,
            self.again_button,
            self.trash_button,
        )

    def show_rows(self, rows: Sequence[DocumentRow]) -> None:
        """Show the actions on these documents; hidden for fewer than two."""
        self.setVisible(len(rows) > 1)
        n_open, n_again = sum(map(can_open, rows)), sum(map(can_index_again, rows))
        self.open_button.setVisible(0 < n_open <= MAX_OPENED)
        self.open_button.setText(trn("Open {n} document", "Open {n} documents", n_open))
        excludes = not all(row.set_aside for row in rows)
        self.aside_button.setText(
            tr("Exclude from answers") if excludes else tr("Include in answers")
        )
        self.again_button.setVisible(n_again > 0)
        self.again_button.setText(
            tr("Index again…")
            if n_again == len(rows)
            else trn("Index {n} document again…", "Index {n} documents again…", n_again)
        )
        self.trash_button.setText(
            trn("Move {n} document to Trash", "Move {n} documents to Trash", len(rows))
        )
        self.facts.set_facts(_sum_facts(rows))


def _sum_facts(rows: Sequence[DocumentRow]) -> list[tuple[str, str]]:
    """Return what the documents have together; what none of them has is left out."""
    n_chars = sum(row.n_chars for row in rows)
    size_bytes = sum(row.size_bytes for row in rows)
    return [
        (tr("Pages"), _sum_pages(rows)),
        (tr("Length"), trn("{n} character", "{n} characters", n_chars) if n_chars else ""),
        (tr("Size"), format_size(size_bytes) if size_bytes else ""),
    ]


def _sum_pages(rows: Sequence[DocumentRow]) -> str:
    """Return the pages of all documents; where some have none, also how many have pages."""
    counts = [row.n_pages for row in rows if row.n_pages]
    if not counts:
        return ""
    pages = format_number(sum(counts))
    if len(counts) == len(rows):
        return pages
    return trn("{pages} (in {n} document)", "{pages} (in {n} documents)", len(counts), pages=pages)
