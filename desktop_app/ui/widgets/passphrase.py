"""Fields for passphrases, and the choice to encrypt a new library.

What was entered is kept in the fields only.
"""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from desktop_app.engine.store.encryption import MIN_PASSPHRASE_LENGTH

from ..translation import later, tr
from .buttons import CheckBox
from .labels import Label
from .layout import build_column

NO_WAY_BACK = later(
    "Without the passphrase nobody can open the library, and nothing can recover it. Keep the "
    "passphrase in a safe place. It is stored nowhere and asked for at each start."
)
STAYS_PLAIN = later(
    "Exported files and copied text are not encrypted. The disk may keep old data of a deleted "
    "file for some time."
)


INDENT = 24  # pixels: of what belongs to a check box


class PassphraseField(QLineEdit):
    """A field whose text is hidden."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setEchoMode(QLineEdit.EchoMode.Password)
        self.setPlaceholderText(name)
        self.setAccessibleName(name)

    def set_visible_text(self, visible: bool) -> None:
        mode = QLineEdit.EchoMode
        self.setEchoMode(mode.Normal if visible else mode.Password)


class NewPassphrase(QWidget):
    """Two fields for a new passphrase; `changed` is emitted at every key."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.first = PassphraseField(tr("New passphrase"))
        self.second = PassphraseField(tr("New passphrase again"))
        self.show_box = CheckBox(tr("Show passphrase"))
        self.problem_label = Label("", "small", wrap=True)
        build_column(
            *(self.first, self.second, self.show_box, self.problem_label), parent=self, spacing=8
        )
        for field in (self.first, self.second):
            field.textChanged.connect(self._update)
            self.show_box.toggled.connect(field.set_visible_text)
        self._update()

    def passphrase(self) -> str:
        """Return the passphrase, "" unless both fields have the same one of enough characters."""
        text = self.first.text()
        return text if text == self.second.text() and len(text) >= MIN_PASSPHRASE_LENGTH else ""

    def _update(self) -> None:
        first, second = self.first.text(), self.second.text()
        if len(first) < MIN_PASSPHRASE_LENGTH:
            words = tr("At least {n} characters; several words are best.", n=MIN_PASSPHRASE_LENGTH)
        elif second and first != second:
            words = tr("The two passphrases differ.")
        else:
            words = ""
        self.problem_label.setText(words)
        self.changed.emit()


class EncryptionChoice(QWidget):
    """A box that encrypts a new library; if it is checked, what that means and the fields."""

    changed = Signal()

    def __init__(self, passphrase: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.box = CheckBox(tr("Encrypt with a passphrase"))
        self.fields = NewPassphrase()
        self.details = QWidget()
        build_column(
            Label(tr(NO_WAY_BACK), wrap=True),
            self.fields,
            Label(tr(STAYS_PLAIN), "small", wrap=True),
            parent=self.details,
            spacing=12,
        )
        self.hint = Label(tr("A lost passphrase cannot be recovered."), "small", wrap=True)
        self.hint.setContentsMargins(INDENT, 0, 0, 0)
        build_column(
            build_column(self.box, self.hint, spacing=0), self.details, parent=self, spacing=12
        )
        self.box.setChecked(bool(passphrase))
        for field in (self.fields.first, self.fields.second):
            field.setText(passphrase)
        for part, shown_if in ((self.details, True), (self.hint, False)):
            part.setVisible(self.box.isChecked() == shown_if)
        self.box.toggled.connect(self.details.setVisible)
        self.box.toggled.connect(self.hint.setHidden)
        self.box.toggled.connect(self.changed)
        self.fields.changed.connect(self.changed)

    def passphrase(self) -> str:
        """Return the passphrase, "" for a plain library or an incomplete passphrase."""
        return self.fields.passphrase() if self.box.isChecked() else ""

    def is_complete(self) -> bool:
        """Return whether the library is to be plain, or the passphrase is valid."""
        return not self.box.isChecked() or bool(self.passphrase())
