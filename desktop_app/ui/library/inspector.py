"""The facts of the document that is selected, and what can be done about it.

Shows one `DocumentRow`; asks for nothing and changes nothing itself.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from desktop_app.engine.types import DocumentRow
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import (
    Button,
    FactGrid,
    Label,
    PrimaryButton,
    ProgressLine,
    SectionTitle,
    format_language,
    format_number,
    format_size,
    format_when,
    plural,
)

from .enrichment_panel import EnrichmentPanel
from .words import can_retry, describe_state, needs_password

WIDTH = 296


class DocumentInspector(QScrollArea):
    """Facts, notes and the next step of one document, or how many are selected."""

    open_clicked = Signal(int)
    retry_clicked = Signal(int)
    password_given = Signal(int, str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("inspector")
        self.setFixedWidth(WIDTH)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._row: DocumentRow | None = None
        body = QWidget()
        body.setObjectName("inspectorBody")
        self.title = Label("", "strong", wrap=True)
        self.state = Label("", "", wrap=True)
        self.progress = ProgressLine()
        self.open_button = PrimaryButton("Open", theme=theme, icon="book-open")
        self.retry_button = Button("Retry", theme=theme, icon="retry")
        self.password = QLineEdit()
        self.password.setEchoMode(QLineEdit.EchoMode.Password)
        self.password.setPlaceholderText("Password of this document")
        self.password.setAccessibleName("Password of this document")
        self.facts = FactGrid()
        self.enrichment = EnrichmentPanel(theme)
        self.notes_title = SectionTitle("Notes")
        self.notes = Label("", "muted", wrap=True)
        self.notes.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.open_button)
        buttons.addWidget(self.retry_button)
        buttons.addStretch(1)
        column = QVBoxLayout(body)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        for widget in (self.title, self.state, self.progress, self.password):
            column.addWidget(widget)
        column.addLayout(buttons)
        column.addSpacing(8)
        for widget in (self.facts, self.enrichment, self.notes_title, self.notes):
            column.addWidget(widget)
        column.addStretch(1)
        self.setWidget(body)
        self.open_button.clicked.connect(self._open)
        self.retry_button.clicked.connect(self._retry)
        self.password.returnPressed.connect(self._retry)
        self.show_nothing()

    def show_nothing(self, n_selected: int = 0) -> None:
        """Say that one document has to be selected, or how many are."""
        self._row = None
        few = n_selected < 2
        self.title.setText("" if few else plural(n_selected, "document") + " selected")
        self.title.setVisible(not few)
        self.state.set_role("muted")
        self.state.setText("Select a document to see its facts." if few else "")
        self.state.setVisible(few)
        for widget in (self.progress, self.password, self.open_button, self.retry_button):
            widget.hide()
        self.facts.set_facts([])
        self.notes_title.hide()
        self.notes.hide()

    def show_row(self, row: DocumentRow, same_as: str = "") -> None:
        if self._row is None or self._row.id != row.id:
            self.password.clear()
        self._row = row
        words = describe_state(row)
        self.title.setText(row.title)
        self.title.show()
        text = words.text[:1].upper() + words.text[1:]
        more = words.tooltip if row.state != "failed" else ""
        self.state.set_role(words.color if words.color in ("ok", "warn", "bad") else "muted")
        self.state.setText(f"{text}. {more}".strip() if more else text)
        self.state.show()
        self.progress.setVisible(row.state == "indexing" and row.n_chunks > 0)
        if row.n_chunks:
            self.progress.set_share(row.n_chunks_done / row.n_chunks)
        self.password.setVisible(needs_password(row))
        self.open_button.setVisible(row.state != "failed" and row.state != "waiting")
        self.retry_button.setVisible(can_retry(row))
        self.retry_button.setText("Go on" if row.state == "paused" else "Retry")
        self.facts.set_facts(_facts(row, same_as))
        self.notes.setText("\n".join(row.notes))
        self.notes_title.setVisible(bool(row.notes))
        self.notes.setVisible(bool(row.notes))

    def _open(self) -> None:
        if self._row is not None:
            self.open_clicked.emit(self._row.id)

    def _retry(self) -> None:
        if self._row is None:
            return
        if needs_password(self._row) and self.password.text():
            self.password_given.emit(self._row.id, self.password.text())
        else:
            self.retry_clicked.emit(self._row.id)


def _facts(row: DocumentRow, same_as: str) -> list[tuple[str, str]]:
    return [
        ("Same as", same_as),
        ("Author", row.author),
        ("Year", row.year),
        ("Tags", ", ".join(row.tags)),
        ("Note", row.comment),
        ("File", row.file_name),
        ("Language", format_language(row.language)),
        ("Pages", format_number(row.n_pages) if row.n_pages else ""),
        ("Length", plural(row.n_chars, "character") if row.n_chars else ""),
        ("Size", format_size(row.size_bytes) if row.size_bytes else ""),
        ("Names", format_number(row.n_entities) if row.n_entities else ""),
        ("Mentions", format_number(row.n_mentions) if row.n_mentions else ""),
        ("Added", format_when(row.added_at)),
    ]
