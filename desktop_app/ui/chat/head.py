"""The row over a chat: its title, a new one, and what can be done with it as a whole.

Owns the title while it is typed. Knows no chats; it says what a person wants.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QMenu, QSizePolicy, QWidget

from desktop_app.ui.allowed_sites import allowed_sites
from desktop_app.ui.language import later, tr
from desktop_app.ui.plain_tip import plain_tip
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import IconButton, ToolbarRow

NEW_TITLE = later("New chat")
TIGHT = 400


class TitleEdit(QLineEdit):
    """A title that is read until it is renamed; Escape gives the old one back."""

    renamed = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(tr(NEW_TITLE), parent)
        self._kept = tr(NEW_TITLE)
        self.setReadOnly(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(tr("Title of the chat"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._theme = theme
        theme.changed.connect(self._restyle)
        self._restyle()
        self.editingFinished.connect(self._finish)

    def set_title(self, title: str) -> None:
        self._kept = title or tr(NEW_TITLE)
        if self.isReadOnly():
            self._show_kept()

    def title(self) -> str:
        return self._kept

    def begin(self) -> None:
        """Let the title be typed over."""
        self.setText(self._kept)
        self.setReadOnly(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._restyle()
        self.setFocus()
        self.selectAll()

    def _finish(self) -> None:
        if self.isReadOnly():
            return
        text = self.text().strip()
        self._end()
        if text and text != self._kept:
            self.set_title(text)
            self.renamed.emit(text)

    def _end(self) -> None:
        self.setReadOnly(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._restyle()
        self._show_kept()
        self.deselect()

    def _show_kept(self) -> None:
        """Show the title as far as there is room; the whole of it is the tooltip then."""
        room = max(16, self.width() - 8)
        cut = Qt.TextElideMode.ElideRight
        shown = self.fontMetrics().elidedText(self._kept, cut, room)
        self.setText(shown)
        self.setCursorPosition(0)
        self.setToolTip(plain_tip(self._kept) if shown != self._kept else "")

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        if self.isReadOnly():
            self._show_kept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and not self.isReadOnly():
            self._end()
            return
        super().keyPressEvent(event)

    def _restyle(self) -> None:
        look = f"font-size: {self._theme.px(17)}px; font-weight: 600;"
        if self.isReadOnly():
            look += " background: transparent; border-color: transparent; padding: 0;"  # not shown
        self.setStyleSheet(look)


class ChatHead(ToolbarRow):
    """Title, new chat, and "⋯" with rename, copy, export and delete."""

    new_wanted = Signal()
    rename_wanted = Signal(str)
    delete_wanted = Signal()
    copy_wanted = Signal()
    export_wanted = Signal()
    forget_sites_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.title_edit = TitleEdit(theme, self)
        self.title_edit.renamed.connect(self.rename_wanted)
        self.add(self.title_edit, 1)
        self.new_button = IconButton(theme, "add", tr("New chat"), self)
        self.new_button.clicked.connect(self.new_wanted)
        self.more_button = IconButton(theme, "more", tr("More"), self)
        self.more_button.setPopupMode(self.more_button.ToolButtonPopupMode.InstantPopup)
        self.more_button.setMenu(self._build_more())
        self.add(self.new_button)
        self.add(self.more_button)

    def _build_more(self) -> QMenu:
        menu = QMenu(self)
        self.rename_action = menu.addAction(tr("Rename"), self.title_edit.begin)
        self.copy_action = menu.addAction(tr("Copy the whole chat"), self.copy_wanted.emit)
        self.export_action = menu.addAction(tr("Export…"), self.export_wanted.emit)
        menu.addSeparator()
        again = tr("Ask again before addresses are opened")
        self.forget_action = menu.addAction(again, self.forget_sites_wanted.emit)
        menu.aboutToShow.connect(self._offer_to_forget)
        self.delete_action = menu.addAction(tr("Delete chat"), self.delete_wanted.emit)
        return menu

    def _offer_to_forget(self) -> None:
        # only a person who allowed a site once has use for it
        self.forget_action.setVisible(bool(allowed_sites()))

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self.new_button.setVisible(self.width() >= TIGHT)  # the sidebar has it too

    def show_chat(self, title: str, *, exists: bool) -> None:
        """Name the chat; one that is not kept yet cannot be renamed or deleted."""
        self.title_edit.set_title(title)
        for action in (
            self.rename_action,
            self.copy_action,
            self.export_action,
            self.delete_action,
        ):
            action.setEnabled(exists)
