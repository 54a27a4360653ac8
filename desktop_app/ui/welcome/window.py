"""The welcome window: three steps, each of which can be skipped.

Emits the choice and opens nothing. A change of the language rebuilds the window.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDragLeaveEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QRadioButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop_app.engine import paths
from desktop_app.engine.errors import AppError

from ..language import LANGUAGES, later, tr, trn
from ..messages import describe_error
from ..theme.theme import Theme
from ..widgets import Button, ElidedLabel, Hairline, Label, PrimaryButton, SectionTitle, format_size
from ..widgets.states import find_files
from .choice import WelcomeChoice, find_missing, install_command, place_in

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

    def __init__(self, title: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(12)
        self.column.addWidget(Label(title, "title", wrap=True))
        self.column.addWidget(Label(text, "muted", wrap=True))
        self.column.addSpacing(8)


class LibraryStep(Step):
    """Asks for a name and a folder, with defaults filled in."""

    def __init__(self, theme: Theme, choice: WelcomeChoice, parent: QWidget | None = None) -> None:
        super().__init__(
            tr("Where your library lies"),
            tr(
                "A library is one file with your documents, their names, your chats and "
                "corrections. Copy it, and you have a backup."
            ),
            parent,
        )
        self._choice = choice
        self._folder = choice.library.parent
        is_usual = choice.library == paths.default_library()
        self.name = QLineEdit(tr("My library") if is_usual else choice.library.stem)
        self.name.setAccessibleName(tr("Name of the library"))
        self.name.textChanged.connect(self._show)
        self.path = ElidedLabel("", "muted", mode=Qt.TextElideMode.ElideMiddle)
        self.button = Button(tr("Another folder…"), theme=theme, icon="folder-open")
        self.button.clicked.connect(self._ask)
        self.column.addWidget(SectionTitle(tr("Name")))
        self.column.addWidget(self.name)
        self.column.addWidget(SectionTitle(tr("Lies at")))
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(self.path, 1)
        row.addWidget(self.button)
        self.column.addLayout(row)
        self.column.addStretch(1)
        self._show()

    def set_folder(self, folder: str) -> None:
        self._folder = Path(folder)
        self._show()

    def _show(self) -> None:
        self._choice.library = place_in(self._folder, self.name.text())
        self.path.setText(str(self._choice.library))

    def _ask(self) -> None:
        start = str(self._folder if self._folder.exists() else Path.home())
        if folder := QFileDialog.getExistingDirectory(self, tr("Folder of the library"), start):
            self.set_folder(folder)


class ModelsStep(Step):
    """Shows the installed and the missing models, with the command that installs them."""

    def __init__(
        self,
        theme: Theme,
        models: Sequence[Any],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(
            tr("Models on this computer"),
            tr(
                "Reading, names, the graph and search need none. Models answer questions in "
                "sentences and find by meaning; they run here and send nothing away."
            ),
            parent,
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

    def _add_role(self, role: str, model: Any) -> None:
        title, without = map(tr, ROLE_WORDS[role])
        row = QHBoxLayout()
        row.setSpacing(12)
        icon = QLabel()
        name, color = ("check-circle", "ok") if model is not None else ("ph.circle-dashed", "warn")
        icon.setPixmap(self._theme.icon(name, color=color).pixmap(20, 20))
        icon.setAlignment(Qt.AlignmentFlag.AlignTop)
        row.addWidget(icon)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(Label(title, "strong"))
        message = tr("{model} is here.", model=model.title) if model is not None else without
        words.addWidget(Label(message, "muted", wrap=True))
        row.addLayout(words, 1)
        self.column.addLayout(row)

    def _add_command(self) -> None:
        size = format_size(sum(m.size_bytes for m in self.missing))
        self.command = QLineEdit(install_command(self.missing))
        self.command.setReadOnly(True)
        self.command.setAccessibleName(tr("Command that gets the models"))
        self.command.setCursorPosition(0)
        self.copy = Button(tr("Copy"), theme=self._theme, icon="ph.copy")
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.command.text()))
        self.column.addSpacing(4)
        text = tr("To get what is missing ({size}), write this in a terminal:", size=size)
        self.column.addWidget(Label(text, wrap=True))
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.command, 1)
        row.addWidget(self.copy)
        self.column.addLayout(row)
        self.column.addWidget(
            Label(tr("The Models screen does the same, now or later."), "small", wrap=True)
        )


class ReadingStep(Step):
    """Asks for the first documents: none, the sample, or files dropped here."""

    changed = Signal()

    def __init__(self, theme: Theme, choice: WelcomeChoice, parent: QWidget | None = None) -> None:
        super().__init__(
            tr("Something to read"),
            tr("Names and passages can be used a moment after a text is in."),
            parent,
        )
        self._choice = choice
        self.sample = QRadioButton(tr("Look around in a sample: a few short texts to try things"))
        self.own = QRadioButton(tr("Begin with files of your own"))
        self.nothing = QRadioButton(tr("Begin with an empty library"))
        self.sample.setChecked(True)
        self.area = DropArea(theme)
        self.area.dropped.connect(self.add_files)
        self.area.button.clicked.connect(self._ask)
        self.column.addWidget(self.sample)
        self.column.addWidget(self.own)
        self.column.addWidget(self.area)
        self.column.addWidget(self.nothing)
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
        files, _ = QFileDialog.getOpenFileNames(self, tr("Begin with files of your own"))
        if files:
            self.add_files(files)


class DropArea(QFrame):
    """The drop area for files; shows the number of dropped files."""

    dropped = Signal(list)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("dropOverlay")
        self.setAcceptDrops(True)
        self.setMinimumHeight(theme.length(100))
        self._theme = theme
        self.text = Label("", "muted")
        self.text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.button = Button(tr("Choose files…"), theme=theme, icon="add-file")
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        column.addWidget(self.text)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        self.show_count(0)

    def show_count(self, n: int) -> None:
        self._n = n
        some = trn("{n} file or folder is chosen", "{n} files and folders are chosen", n)
        self.text.setText(some if n else tr("Drop files or folders here"))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if find_files(event.mimeData()):
            event.acceptProposedAction()
            self.text.setText(tr("Let go to begin with them"))

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
        models: Sequence[Any],
        language: str,
        choice: WelcomeChoice | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
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
        for key, words in LANGUAGES.items():
            self.language.addItem(words, key)
        self.language.setCurrentIndex(max(0, self.language.findData(language)))
        self.language.activated.connect(
            lambda _: self.language_wanted.emit(self.language.currentData())
        )
        self.place = Label("", "small")
        self.problem = Label("", "bad", wrap=True)
        self.problem.hide()
        self.skip_button = Button(tr("Skip"), kind="quiet")
        self.skip_button.setToolTip(tr("Begin with an empty library where it usually lies"))
        self.back_button = Button(tr("Back"))
        self.next_button = PrimaryButton(tr("Next"))
        self.skip_button.clicked.connect(self.skip)
        self.back_button.clicked.connect(lambda: self.show_step(self.pages.currentIndex() - 1))
        self.next_button.clicked.connect(self._go_on)
        self.reading.changed.connect(self._show_place)
        self._place()
        self.resize(theme.breadth(WIDTH), theme.length(HEIGHT))
        self.show_step(0)

    def _place(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.place, 1)
        head.addWidget(self.language)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self.skip_button)
        foot.addStretch(1)
        foot.addWidget(self.back_button)
        foot.addWidget(self.next_button)
        for button in (self.skip_button, self.back_button, self.next_button):
            button.setAutoDefault(False)
        self.next_button.setDefault(True)
        body = QVBoxLayout()
        body.setContentsMargins(40, 24, 40, 16)
        body.setSpacing(12)
        body.addLayout(head)
        body.addWidget(self.pages, 1)
        body.addWidget(self.problem)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 16)
        column.setSpacing(16)
        column.addLayout(body, 1)
        column.addWidget(Hairline())
        bottom = QVBoxLayout()
        bottom.setContentsMargins(40, 0, 40, 0)
        bottom.addLayout(foot)
        column.addLayout(bottom)

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
        self._end(WelcomeChoice())

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

    def _go_on(self) -> None:
        if self.pages.currentIndex() < self.pages.count() - 1:
            self.show_step(self.pages.currentIndex() + 1)
        else:
            self._end(self.choice)

    def _end(self, choice: WelcomeChoice) -> None:
        self.chosen.emit(choice)

    def reject(self) -> None:
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._is_over and self.problem.isHidden():
            event.ignore()  # until the library window is open
            self.skip()
            return
        super().closeEvent(event)
