"""The row of controls over the library: what is counted, the filter, the ways to add.

Owns which controls have room. What a press does is joined by the screen.
"""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from desktop_app.ui.language import tr
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import (
    Button,
    IconButton,
    Label,
    PrimaryButton,
    SearchField,
    ToolbarRow,
)

from .document_list import DocumentList
from .view_choice import ViewChoice


class LibraryBar(ToolbarRow):
    """The title, the count, the filter and the buttons."""

    def __init__(self, theme: Theme, shown: DocumentList, parent: QWidget | None = None) -> None:
        super().__init__(tr("Library"), parent)
        self._theme = theme
        self.count = Label("", "small")
        self.filter = SearchField(theme, tr("Titles, tags and texts"))
        self.filter.setMaximumWidth(260)
        self.views = ViewChoice(theme, shown)
        self.enrich_button = Button(tr("Enrich…"), theme=theme, icon="sparkle")
        self.enrich_button.setToolTip(tr("Have a chat model go over what is selected, or over all"))
        self.add_folder_button = Button(tr("Add folder…"), theme=theme, icon="add-folder")
        self.add_files_button = PrimaryButton(tr("Add files…"), theme=theme, icon="add-file")
        self.more_button = IconButton(theme, "more", tr("More"), size=20)
        self.add(self.count)
        self.add_stretch()
        self.add(self.filter, 4)
        for button in (
            *(self.views.toggle_button, self.views.sort_button, self.enrich_button),
            *(self.add_folder_button, self.add_files_button, self.more_button),
        ):
            self.add(button)

    def fit(self, width: int, has_documents: bool) -> None:
        """Show what has room in a width; an empty library has nothing to filter or to enrich."""
        length = self._theme.length
        self.count.setVisible(width >= length(900))
        self.add_folder_button.setVisible(width >= length(840))
        self.enrich_button.setVisible(has_documents and width >= length(620))
        self.filter.setVisible(has_documents)
        self.views.show_buttons(has_documents)
