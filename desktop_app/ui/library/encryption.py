"""Dialogs for encrypted libraries: make one, open one, encrypt, decrypt, change the passphrase.

Own their texts and fields; what was entered is emitted as a signal and kept nowhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QFileDialog, QLineEdit, QProgressBar, QPushButton, QWidget

from desktop_app.engine.services.encryption import EncryptionChange, is_new
from desktop_app.engine.services.library import SUFFIX

from ..theme.theme import Theme
from ..translation import later, tr, trn
from ..widgets import (
    Button,
    ElidedLabel,
    Label,
    PrimaryButton,
    SectionTitle,
    build_column,
    build_row,
)
from ..widgets.buttons import CheckBox
from ..widgets.passphrase import (
    NO_WAY_BACK,
    STAYS_PLAIN,
    EncryptionChoice,
    NewPassphrase,
    PassphraseField,
)
from ..widgets.sheet import Sheet
from ..widgets.words import plain_tip

WIDTH = 480


class PassphraseDialog(Sheet):
    """Asks for the passphrase of a library; `show_problem` lets the user try again.

    Args:
        has_other: whether another library can be chosen here, because no window is open.
    """

    entered = Signal(str)
    other_wanted = Signal()
    backups_wanted = Signal()

    def __init__(self, name: str, parent: QWidget | None = None, *, has_other: bool = False):
        super().__init__(tr("“{name}” is encrypted", name=name), parent)
        self.field = PassphraseField(tr("Passphrase"))
        self.show_box = CheckBox(tr("Show passphrase"))
        self.show_box.toggled.connect(self.field.set_visible_text)
        self.problem = Label("", "bad", wrap=True)
        self.problem.hide()
        self.add(Label(tr("Enter its passphrase to open it."), wrap=True))
        self.add(self.field)
        self.add(self.show_box)
        self.add(self.problem)
        forgotten = tr(
            "Forgotten? Then this file can't be opened any more. A backup from before it was "
            "encrypted needs no passphrase."
        )
        self.add(Label(forgotten, "small", wrap=True))
        cancel, self.open_button = Button(tr("Cancel")), PrimaryButton(tr("Open"))
        cancel.clicked.connect(self.reject)
        self.open_button.clicked.connect(self._enter)
        self.field.textChanged.connect(self._update)
        left: list[QPushButton] = []
        if has_other:
            other = Button(tr("Another library…"))
            other.clicked.connect(self.other_wanted)
            left.append(other)
        self.backups_button = Button(tr("Restore or recover…"))
        self.backups_button.clicked.connect(self.backups_wanted)
        self.backups_button.hide()
        left.append(self.backups_button)
        self.add_foot([cancel, self.open_button], left, line=True)
        self.fit_content(WIDTH)
        self._update()

    def show_problem(self, text: str, *, has_backups: bool = False) -> None:
        """Show why the library was not opened, and select the passphrase.

        Args:
            has_backups: offers backups and recovery, because the file may be damaged.
        """
        self.backups_button.setVisible(has_backups)
        self.set_busy(False)
        self.problem.setText(text)
        self.problem.show()
        self.field.setFocus()
        self.field.selectAll()
        self.fit_content(WIDTH)

    def set_busy(self, busy: bool) -> None:
        self.field.setEnabled(not busy)
        self.open_button.setEnabled(not busy)

    def _update(self) -> None:
        self.open_button.setEnabled(bool(self.field.text()))

    def _enter(self) -> None:
        self.set_busy(True)
        self.entered.emit(self.field.text())


class NewPassphraseDialog(Sheet):
    """Asks for the passphrase to encrypt a library with, or for another one; see `changed`.

    Args:
        copies: plain copies of the library, which can be deleted.
    """

    change_wanted = Signal(object)  # an `EncryptionChange`

    def __init__(
        self,
        name: str,
        copies: Sequence[Path],
        parent: QWidget | None = None,
        *,
        is_encrypted: bool,
    ) -> None:
        change, encrypt = later("Change the passphrase of “{name}”"), later("Encrypt “{name}”")
        title = change if is_encrypted else encrypt
        super().__init__(tr(title, name=name), parent)
        self._copies = tuple(copies)
        self.add(Label(tr(NO_WAY_BACK), wrap=True))
        self.fields = NewPassphrase()
        self.add(self.fields)
        self.delete_box = CheckBox(
            trn("Delete this copy as well", "Delete these {n} copies as well", len(copies))
        )
        if copies:
            names = QWidget()
            column = build_column(
                SectionTitle(tr("Copies without encryption")), parent=names, spacing=4
            )
            for copy in copies:
                label = ElidedLabel(copy.name, "muted", mode=Qt.TextElideMode.ElideMiddle)
                label.setToolTip(plain_tip(str(copy)))
                column.addWidget(label)
            column.addWidget(self.delete_box)
            self.add(names)
        note = tr("Backups made before keep the former passphrase.")
        self.add(Label(note if is_encrypted else tr(STAYS_PLAIN), "small", wrap=True))
        cancel = Button(tr("Cancel"))
        self.button = PrimaryButton(tr("Change") if is_encrypted else tr("Encrypt"))
        cancel.clicked.connect(self.reject)
        self.button.clicked.connect(self._enter)
        self.fields.changed.connect(self._update)
        self.add_foot([cancel, self.button], line=True)
        self.fit_content(WIDTH)
        self._update()

    def _update(self) -> None:
        self.button.setEnabled(bool(self.fields.passphrase()))

    def _enter(self) -> None:
        copies = self._copies if self.delete_box.isChecked() else ()
        self.change_wanted.emit(EncryptionChange(self.fields.passphrase(), copies))
        self.accept()


class DecryptDialog(Sheet):
    """Asks before a library is decrypted."""

    change_wanted = Signal(object)  # an `EncryptionChange`

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(tr("Decrypt “{name}”", name=name), parent)
        self.add(
            Label(tr("Anyone who has the file can then read it without a passphrase."), wrap=True)
        )
        self.add(Label(tr("Its backups stay encrypted."), "small", wrap=True))
        cancel, self.button = Button(tr("Cancel")), PrimaryButton(tr("Decrypt"))
        cancel.clicked.connect(self.reject)
        self.button.clicked.connect(self._enter)
        self.add_foot([cancel, self.button], line=True)
        self.fit_content(WIDTH)

    def _enter(self) -> None:
        self.change_wanted.emit(EncryptionChange(None))
        self.accept()


class NewLibraryDialog(Sheet):
    """Asks for the name and folder of a new library, and whether it is encrypted.

    Emits `chosen` with its path and its passphrase, "" for a plain one.
    """

    chosen = Signal(str, str)

    def __init__(self, theme: Theme, folder: Path, parent: QWidget | None = None) -> None:
        super().__init__(tr("New library"), parent)
        self._folder = folder
        self.name = QLineEdit(tr("New library"))
        self.name.setAccessibleName(tr("Name of the library"))
        self.name.selectAll()
        self.place = ElidedLabel("", "muted", mode=Qt.TextElideMode.ElideMiddle)
        choose = Button(tr("Choose folder…"), theme=theme, icon="folder-open")
        choose.clicked.connect(self._choose_folder)
        self.encryption = EncryptionChoice()
        self.problem = Label("", "bad", wrap=True)
        location = QWidget()
        build_row((self.place, 1), choose, parent=location, spacing=12)
        self.add_field(tr("Name"), self.name)
        self.add_field(tr("Location"), location)
        for widget in (self.encryption, self.problem):
            self.add(widget)
        cancel, self.button = Button(tr("Cancel")), PrimaryButton(tr("Create"))
        cancel.clicked.connect(self.reject)
        self.button.clicked.connect(self._create)
        self.add_foot([cancel, self.button], line=True)
        self.name.textChanged.connect(self._update)
        self.encryption.changed.connect(self._update)
        self._update()

    def path(self) -> Path:
        """Return the path of the new library."""
        name = self.name.text().strip().removesuffix(SUFFIX).strip()
        return self._folder / f"{name}{SUFFIX}"

    def set_folder(self, folder: Path) -> None:
        self._folder = folder
        self._update()

    def _update(self) -> None:
        has_name = bool(self.path().stem.removesuffix(SUFFIX))
        exists = has_name and not is_new(self.path())
        self.place.setText(str(self.path()))
        self.problem.setText(tr("A library with this name already exists.") if exists else "")
        self.problem.setVisible(exists)
        self.button.setEnabled(has_name and not exists and self.encryption.is_complete())
        self.fit_content(WIDTH)

    def _choose_folder(self) -> None:
        title = tr("Folder of the library")
        if folder := QFileDialog.getExistingDirectory(self, title, str(self._folder)):
            self.set_folder(Path(folder))

    def _create(self) -> None:
        self.chosen.emit(str(self.path()), self.encryption.passphrase())
        self.accept()


class EncryptionProgressDialog(Sheet):
    """Shows that the library is being written again; it can't be closed meanwhile."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(title, parent)
        self._is_over = False
        self.text = Label(
            tr("The library is written again and compared. It opens when this is done."), wrap=True
        )
        self.bar = QProgressBar()
        self.bar.setRange(0, 0)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(title)
        self.add(self.text)
        self.add(self.bar)
        self.close_button = PrimaryButton(tr("Close"))
        self.close_button.clicked.connect(self.finish)
        self.close_button.hide()
        self.add_foot([self.close_button])
        self.fit_content(WIDTH)

    def show_problem(self, text: str) -> None:
        """Show why the library can't be opened again; the dialog can then be closed."""
        self._is_over = True
        self.text.setText(text)
        self.bar.hide()
        self.close_button.show()
        self.fit_content(WIDTH)

    def finish(self) -> None:
        self._is_over = True
        self.accept()

    def reject(self) -> None:
        if self._is_over:
            super().reject()

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._is_over:
            event.ignore()
            return
        super().closeEvent(event)
