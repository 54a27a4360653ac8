"""What stands beside the document: chapters, pages in small, or what was marked.

Owns which of the three is shown. Knows nothing of what they list.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop_app.ui.language import later, tr
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets.buttons import IconButton

from .notes_panel import NotesPanel
from .outline_panel import OutlinePanel
from .pdf_work import PdfWork
from .thumbs_panel import ThumbsPanel

WIDTH = 236
TABS = (
    ("chapters", "list", later("Chapters")),
    ("pages", "ph.squares-four", later("Pages")),
    ("notes", "ph.highlighter-circle", later("Highlights and bookmarks")),
)


class SidePanel(QFrame):
    """Three lists, one at a time."""

    def __init__(self, theme: Theme, work: PdfWork, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("readerSide")
        self.setFixedWidth(WIDTH)
        self.outline = OutlinePanel(theme)
        self.thumbs = ThumbsPanel(theme, work)
        self.notes = NotesPanel(theme)
        self._panels = {"chapters": self.outline, "pages": self.thumbs, "notes": self.notes}
        self.stack = QStackedWidget(self)
        self.tabs: dict[str, IconButton] = {}
        group = QButtonGroup(self)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 8, 0)
        row.setSpacing(4)
        for name, icon, words in TABS:
            button = self.tabs[name] = IconButton(theme, icon, tr(words), self)
            button.setCheckable(True)
            button.clicked.connect(lambda _=False, name=name: self.show_tab(name))
            group.addButton(button)
            row.addWidget(button)
            self.stack.addWidget(self._panels[name])
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 1, 8)
        column.setSpacing(8)
        column.addLayout(row)
        column.addWidget(self.stack, 1)
        theme.changed.connect(self._restyle)
        self._restyle()
        self.show_tab("chapters")

    @property
    def tab(self) -> str:
        return next(name for name, button in self.tabs.items() if button.isChecked())

    @property
    def stops(self) -> list[QWidget]:
        """What the Tab key goes to, in order."""
        notes = self.notes
        return [*self.tabs.values(), self.outline.tree, self.thumbs, notes.list, notes.export]

    def show_tab(self, name: str) -> None:
        name = name if name in self.tabs else "chapters"
        self.tabs[name].setChecked(True)
        self.stack.setCurrentWidget(self._panels[name])

    def set_paged(self, paged: bool) -> None:
        """Offer pages where there are any."""
        self.tabs["pages"].setVisible(paged)
        if not paged and self.tab == "pages":
            self.show_tab("chapters")

    def _restyle(self) -> None:
        tokens = self._theme.tokens
        self.setStyleSheet(
            f"#readerSide {{ background: {tokens.bg}; border: none;"
            f" border-right: 1px solid {tokens.line}; }}"
        )
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground, True)
