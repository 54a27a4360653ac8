"""The welcome window: three steps, each of which can be skipped.

Emits the choice and opens nothing. A change of the language rebuilds the window.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDragLeaveEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFileDialog,
    QFrame,
    QLabel,
    QLineEdit,
    QRadioButton,
    QStackedWidget,
    QWidget,
)

from desktop_app.engine import paths
from desktop_app.engine.errors import AppError
from desktop_app.engine.llm.registry import ModelRow
from desktop_app.engine.services.encryption import is_new

from ..messages import describe_error
from ..theme.theme import Theme
from ..translation import LANGUAGES, later, tr, trn
from ..widgets import (
    STRETCH,
    Button,
    ElidedLabel,
    Hairline,
    Label,
    PrimaryButton,
    SectionTitle,
    build_column,
    build_row,
    format_size,
)
from ..widgets.passphrase import EncryptionChoice
from ..widgets.states import find_files

SUFFIX = ".inkgraph"
ROLES = ("chat", "embedding")


@dataclass(slots=True)
class WelcomeChoice:
    """What the user chose.

    Attributes:
        passphrase: encrypts the library, "" for a plain one.
        sample: add the texts supplied with Inkgraph.
        files: the user's own.
    """

    library: Path = field(default_factory=paths.default_library)
    passphrase: str = field(default="", repr=False)
    sample: bool = False
    files: list[str] = field(default_factory=list)


def place_in(folder: str | Path, name: str) -> Path:
    """Return the path of a library of this name in a folder."""
    plain = name.strip().removesuffix(SUFFIX).strip() or paths.default_library().stem
    return Path(folder).expanduser() / f"{plain}{SUFFIX}"


def find_missing(models: Sequence[ModelRow]) -> list[ModelRow]:
    """Return the models to install: the smallest of the catalogue for each role without a model."""
    missing = []
    for role in ROLES:
        of_role = [m for m in models if m.role == role]
        if not any(m.installed and not m.damaged for m in of_role):
            missing += [m for m in of_role if m.in_catalogue][:1]
    return missing


def install_command(missing: Sequence[ModelRow]) -> str:
    """Return the shell command that installs these models."""
    return "inkgraph models install " + " ".join(m.name for m in missing)  # not shown: a command


ROLE_WORDS = {
    "chat": (
        later("For answers in whole sentences"),
        later("Without one, questions are answered with the passages themselves."),
    ),
    "embedding": (
        later("For finding by meaning"),
        later("Without one, passages are found by their words and by names."),
    ),
}


class Step(QWidget):
    """A title, a sentence, and the controls of the step."""

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        head, explanation = Label(title, "title", wrap=True), Label(text, "muted", wrap=True)
        self.column = build_column(head, explanation, 8, parent=self, spacing=12)


class LibraryStep(Step):
    """Asks for a name, a folder and whether to encrypt, with defaults filled in."""

    changed = Signal()

    def __init__(self, theme: Theme, choice: WelcomeChoice) -> None:
        super().__init__(
            tr("Where to keep your library"),
            tr(
                "A library is one file with your documents, their names, your chats and "
                "corrections. Backups are made in a folder beside it."
            ),
        )
        self._choice = choice
        self._folder = choice.library.parent
        is_usual = choice.library == paths.default_library()
        self.name = QLineEdit(tr("My library") if is_usual else choice.library.stem)
        self.name.setAccessibleName(tr("Name of the library"))
        self.name.textChanged.connect(self._show)
        self.path = ElidedLabel("", "muted", mode=Qt.TextElideMode.ElideMiddle)
        self.button = Button(tr("Choose folder…"), theme=theme, icon="folder-open")
        self.button.clicked.connect(self._ask)
        self.column.addWidget(SectionTitle(tr("Name")))
        self.column.addWidget(self.name)
        self.column.addWidget(SectionTitle(tr("Location")))
        self.column.addLayout(build_row((self.path, 1), self.button, spacing=12))
        self.encryption = EncryptionChoice(choice.passphrase)
        self.encryption.changed.connect(self._show)
        self.problem = Label("", "bad", wrap=True)
        self.column.addWidget(self.encryption)
        self.column.addWidget(self.problem)
        self.column.addStretch(1)
        self._show()

    def is_complete(self) -> bool:
        """Return whether the library can be made as chosen."""
        return self.encryption.is_complete() and not self._is_there_already()

    def _is_there_already(self) -> bool:
        """Return whether a library would be opened as it is, and not be encrypted."""
        return self.encryption.box.isChecked() and not is_new(self._choice.library)

    def set_folder(self, folder: str) -> None:
        self._folder = Path(folder)
        self._show()

    def _show(self) -> None:
        self._choice.library = place_in(self._folder, self.name.text())
        self._choice.passphrase = self.encryption.passphrase()
        self.path.setText(str(self._choice.library))
        exists = self._is_there_already()
        self.problem.setText(tr("There is a library of this name already.") if exists else "")
        self.problem.setVisible(exists)
        self.changed.emit()

    def _ask(self) -> None:
        start = str(self._folder if self._folder.exists() else Path.home())
        if folder := QFileDialog.getExistingDirectory(self, tr("Folder of the library"), start):
            self.set_folder(folder)


class ModelsStep(Step):
    """Shows the installed and the missing models, with the command that installs them."""

    def __init__(self, theme: Theme, models: Sequence[ModelRow]) -> None:
        super().__init__(
            tr("Models on this computer"),
            tr(
                "Reading, names, the graph and word search need no models. Models write answers "
                "and search by meaning; they run on this computer and send nothing."
            ),
        )
        self._theme = theme
        self.missing = find_missing(models)
        for role in ("chat", "embedding"):
            found = [m for m in models if m.role == role and m.installed and not m.damaged]
            used = [m for m in found if m.active] or found
            self._add_role(role, used[0] if used else None)
        if self.missing:
            self._add_command()
        self.column.addStretch(1)

    def _add_role(self, role: str, model: ModelRow | None) -> None:
        title, without = map(tr, ROLE_WORDS[role])
        icon = QLabel()
        name, color = ("check-circle", "ok") if model is not None else ("ph.circle-dashed", "warn")
        icon.setPixmap(self._theme.icon(name, color=color).pixmap(20, 20))
        icon.setAlignment(Qt.AlignmentFlag.AlignTop)
        message = without if model is None else tr("{model} is installed.", model=model.title)
        texts = build_column(Label(title, "strong"), Label(message, "muted", wrap=True), spacing=0)
        self.column.addLayout(build_row(icon, (texts, 1), spacing=12))

    def _add_command(self) -> None:
        size = format_size(sum(m.size_bytes for m in self.missing))
        self.command = QLineEdit(install_command(self.missing))
        self.command.setReadOnly(True)
        self.command.setAccessibleName(tr("Command that installs the models"))
        self.command.setCursorPosition(0)
        self.copy = Button(tr("Copy"), theme=self._theme, icon="ph.copy")
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.command.text()))
        self.column.addSpacing(4)
        text = tr("To install the missing models ({size}), run this in a terminal:", size=size)
        self.column.addWidget(Label(text, wrap=True))
        self.column.addLayout(build_row((self.command, 1), self.copy, spacing=8))
        later_text = tr("You can also install them later on the Models screen.")
        self.column.addWidget(Label(later_text, "small", wrap=True))


class ReadingStep(Step):
    """Asks for the first documents: none, the sample, or files dropped here."""

    changed = Signal()

    def __init__(self, theme: Theme, choice: WelcomeChoice) -> None:
        super().__init__(
            tr("First documents"),
            tr("Names and passages are available shortly after a text is added."),
        )
        self._choice = choice
        self.sample = QRadioButton(tr("Sample library: a few short texts"))
        self.own = QRadioButton(tr("Your own files"))
        self.nothing = QRadioButton(tr("Empty library"))
        self.sample.setChecked(True)
        self.area = DropArea(theme)
        self.area.dropped.connect(self.add_files)
        self.area.button.clicked.connect(self._ask)
        for widget in (self.sample, self.own, self.area, self.nothing):
            self.column.addWidget(widget)
        self.column.addStretch(1)
        for button in (self.sample, self.own, self.nothing):
            button.toggled.connect(self._take)
        self._take()

    def add_files(self, files: list[str]) -> None:
        """Add files and select the option for the user's own files."""
        known = self._choice.files
        known += [f for f in files if f not in known]
        self.area.show_count(len(known))
        self.own.setChecked(True)
        self._take()

    def _take(self) -> None:
        self._choice.sample = self.sample.isChecked()
        if not self.own.isChecked():
            self._choice.files.clear()
            self.area.show_count(0)
        self.changed.emit()

    def _ask(self) -> None:
        files, _ = QFileDialog.getOpenFileNames(self, tr("Your own files"))
        if files:
            self.add_files(files)


class DropArea(QFrame):
    """The drop area for files; shows the number of dropped files."""

    dropped = Signal(list)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("dropOverlay")
        self.setAcceptDrops(True)
        self.setMinimumHeight(theme.length(100))
        self.text = Label("", "muted")
        self.text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.button = Button(tr("Choose files…"), theme=theme, icon="add-file")
        middle = build_row(STRETCH, self.button, STRETCH, spacing=0)
        build_column(self.text, middle, parent=self, spacing=8, margins=(16, 12, 16, 12))
        self.show_count(0)

    def show_count(self, n: int) -> None:
        self._n = n
        some = trn("{n} file or folder selected", "{n} files and folders selected", n)
        self.text.setText(some if n else tr("Drop files or folders here"))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if find_files(event.mimeData()):
            event.acceptProposedAction()
            self.text.setText(tr("Drop to add these files"))

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.show_count(self._n)

    def dropEvent(self, event: QDropEvent) -> None:
        if files := find_files(event.mimeData()):
            event.acceptProposedAction()
            self.dropped.emit(files)


WIDTH, HEIGHT = 640, 520


class WelcomeWindow(QDialog):
    """Emits `chosen` once: at the end, or with the defaults when it is skipped or closed.

    Args:
        models: all models of the registry.
        language: the language of the window, "en" or "zh".
    """

    chosen = Signal(object)
    language_wanted = Signal(str)

    def __init__(
        self,
        theme: Theme,
        models: Sequence[ModelRow],
        language: str,
        choice: WelcomeChoice | None = None,
    ) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Welcome to Inkgraph"))
        self.choice = choice or WelcomeChoice()
        self._is_over = False
        self.library = LibraryStep(theme, self.choice)
        self.models = ModelsStep(theme, models)
        self.reading = ReadingStep(theme, self.choice)
        self.pages = QStackedWidget()
        for step in (self.library, self.models, self.reading):
            self.pages.addWidget(step)
        self.language = QComboBox()
        self.language.setAccessibleName(tr("Language"))
        for key, name in LANGUAGES.items():
            self.language.addItem(name, key)
        self.language.setCurrentIndex(max(0, self.language.findData(language)))
        self.language.activated.connect(
            lambda _: self.language_wanted.emit(self.language.currentData())
        )
        self.place = Label("", "small")
        self.problem = Label("", "bad", wrap=True)
        self.problem.hide()
        self.skip_button = Button(tr("Skip"), kind="quiet")
        self.skip_button.setToolTip(tr("Create an empty library in the default folder"))
        self.back_button = Button(tr("Back"))
        self.next_button = PrimaryButton(tr("Next"))
        self.skip_button.clicked.connect(self.skip)
        self.back_button.clicked.connect(lambda: self.show_step(self.pages.currentIndex() - 1))
        self.next_button.clicked.connect(self._go_on)
        self.library.changed.connect(self._show_place)
        self.library.changed.connect(self._make_room)
        self.reading.changed.connect(self._show_place)
        for button in (self.skip_button, self.back_button, self.next_button):
            button.setAutoDefault(False)
        self.next_button.setDefault(True)
        body = build_column(
            build_row((self.place, 1), self.language, spacing=0),
            (self.pages, 1),
            self.problem,
            spacing=12,
            margins=(40, 24, 40, 16),
        )
        foot = build_row(
            *(self.skip_button, STRETCH, self.back_button, self.next_button),
            spacing=8,
            margins=(40, 0, 40, 0),
        )
        self._layout = build_column(
            *((body, 1), Hairline(), foot), parent=self, spacing=16, margins=(0, 0, 0, 16)
        )
        self.resize(theme.breadth(WIDTH), theme.length(HEIGHT))
        self.show_step(0)
        self._make_room()

    def show_step(self, place: int) -> None:
        """Show one of the three steps."""
        self.pages.setCurrentIndex(min(self.pages.count() - 1, max(0, place)))
        self._show_place()
        self.problem.hide()
        if self.pages.currentIndex() == 0:
            self.library.name.setFocus()

    def show_problem(self, error: AppError) -> None:
        """Show why the library cannot be created there, and let the user choose again."""
        self.show_step(0)
        self.show_error(error)

    def show_error(self, error: BaseException) -> None:
        """Show an error below the current step."""
        self.problem.setText(describe_error(error))
        self.problem.show()

    def skip(self) -> None:
        """Choose the default: an empty library at the default path."""
        self.chosen.emit(WelcomeChoice())

    def finish(self) -> None:
        """Close without emitting `chosen`, because the choice is already being opened."""
        self._is_over = True
        self.hide()  # not `close`: closing may be what called this
        self.deleteLater()

    def _show_place(self) -> None:
        now, count = self.pages.currentIndex(), self.pages.count()
        self.place.setText(tr("Step {n} of {count}", n=now + 1, count=count))
        self.back_button.setVisible(now > 0)
        is_last = now == count - 1
        self.next_button.setText(tr("Start") if is_last else tr("Next"))
        self.next_button.setEnabled(self.library.is_complete())

    def _make_room(self) -> None:
        """Grow to the height that the current step needs."""
        self._layout.activate()
        needed = self._layout.totalHeightForWidth(self.width())
        if needed > self.height():
            self.resize(self.width(), needed)

    def _go_on(self) -> None:
        if self.pages.currentIndex() < self.pages.count() - 1:
            self.show_step(self.pages.currentIndex() + 1)
        else:
            self.next_button.setEnabled(False)  # the key takes a moment
            self.chosen.emit(self.choice)

    def reject(self) -> None:
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._is_over and self.problem.isHidden():
            event.ignore()  # until the library window is open
            self.skip()
            return
        super().closeEvent(event)
