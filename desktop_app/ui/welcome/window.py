"""The welcome window: three steps, each of which can be skipped.

Emits the choice and opens nothing. A change of the language rebuilds the window.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QMouseEvent,
)
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QFileDialog,
    QFrame,
    QLabel,
    QLineEdit,
    QRadioButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop_app.engine import paths
from desktop_app.engine.errors import AppError
from desktop_app.engine.file_names import make_file_name
from desktop_app.engine.llm.registry import ModelRow
from desktop_app.engine.services.encryption import is_new

from ..messages import describe_error
from ..theme.theme import Theme
from ..translation import LANGUAGES, later, tr, trn
from ..widgets import (
    STRETCH,
    Button,
    ChoiceBox,
    ElidedLabel,
    Hairline,
    Label,
    PrimaryButton,
    build_column,
    build_row,
    format_language,
    format_size,
)
from ..widgets.buttons import CheckBox
from ..widgets.logo import Logo
from ..widgets.passphrase import EncryptionChoice
from ..widgets.states import find_files
from ..widgets.words import join_words

SUFFIX = ".inkgraph"
FIRST_ROLES = ("chat", "embedding")  # of the models that are offered at the first start
SIDE_WIDTH = 216
INDENT = 24  # of what belongs to a radio button


@dataclass(slots=True)
class WelcomeChoice:
    """What the user chose.

    Attributes:
        passphrase: encrypts the library, "" for a plain one.
        sample: add the texts supplied with Inkgraph.
        files: the user's own.
        models: names of models to download once the library is open.
    """

    library: Path = field(default_factory=paths.default_library)
    passphrase: str = field(default="", repr=False)
    sample: bool = False
    files: list[str] = field(default_factory=list)
    models: tuple[str, ...] = ()


def place_in(folder: str | Path, name: str) -> Path:
    """Return the path of a library of this name in a folder."""
    plain = make_file_name(name.strip().removesuffix(SUFFIX), paths.default_library().stem)
    return Path(folder).expanduser() / f"{plain}{SUFFIX}"


def shorten_home(path: Path) -> str:
    """Return a path with "~" for the home folder."""
    home = Path.home()
    return str(Path("~") / path.relative_to(home)) if path.is_relative_to(home) else str(path)


def find_missing(models: Sequence[ModelRow]) -> list[ModelRow]:
    """Return the models to install: the smallest of the catalogue for each role without a model."""
    missing = []
    for role in FIRST_ROLES:
        of_role = [m for m in models if m.role == role]
        if not any(m.installed and not m.damaged for m in of_role):
            missing += [m for m in of_role if m.in_catalogue and not m.for_tests][:1]
    return missing


SAMPLE = later(
    "Two short stories to try everything: “The Weigh-House at Quenby” in English and "
    "“白芦渡铜权记” in Chinese."
)
ROLE_WORDS = {  # title; what such a model does; what happens without one
    "chat": (
        later("Written answers"),
        later(
            "Writes answers from the passages found. A small model misreads now and then, so "
            "each sentence is compared with its source."
        ),
        later("Without a chat model, a question shows the passages that fit it."),
    ),
    "embedding": (
        later("Search by meaning"),
        later("Finds passages that say the same in other words."),
        later("Without an embedding model, passages are found by their words and names."),
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
            tr("Create your library"),
            tr(
                "Your documents, the names in them, your chats and corrections are kept in one "
                "file. Backups are made in a folder beside it."
            ),
        )
        self._choice = choice
        self._folder = choice.library.parent
        is_usual = choice.library == paths.default_library()
        self.name = QLineEdit(tr("My library") if is_usual else choice.library.stem)
        self.name.setAccessibleName(tr("Name of the library"))
        self.name.textChanged.connect(self._show)
        # the start and the name say the most; the tooltip has the whole path
        self.path = ElidedLabel("", "", mode=Qt.TextElideMode.ElideMiddle)
        shown = QFrame()
        shown.setObjectName("fieldBox")
        build_row((self.path, 1), parent=shown, spacing=0, margins=(8, 0, 8, 0))
        self.button = Button(tr("Choose…"), theme=theme, icon="folder-open")
        self.button.setAccessibleName(tr("Folder of the library"))
        self.button.clicked.connect(self._ask)
        place = build_row((shown, 1), self.button, spacing=8)
        self.column.addLayout(build_column(Label(tr("Name"), "section"), self.name, spacing=6))
        self.column.addSpacing(12)
        self.column.addLayout(build_column(Label(tr("Location"), "section"), place, spacing=6))
        self.column.addSpacing(12)
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
        self.path.setText(shorten_home(self._choice.library))
        exists = self._is_there_already()
        self.problem.setText(tr("A library with this name already exists.") if exists else "")
        self.problem.setVisible(exists)
        self.changed.emit()

    def _ask(self) -> None:
        start = str(self._folder if self._folder.exists() else Path.home())
        if folder := QFileDialog.getExistingDirectory(self, tr("Folder of the library"), start):
            self.set_folder(folder)


class ModelsStep(Step):
    """Shows the installed and the missing models, and offers to download the missing ones."""

    def __init__(self, theme: Theme, models: Sequence[ModelRow], choice: WelcomeChoice) -> None:
        super().__init__(
            tr("Models on this computer"),
            tr(
                "Indexing, names, the graph and word search need no model. Search by meaning and "
                "written answers need one each. Both run on this computer, and nothing is sent "
                "anywhere."
            ),
        )
        self._theme, self._choice = theme, choice
        self.missing = find_missing(models)
        for role in FIRST_ROLES:
            found = [m for m in models if m.role == role and m.installed and not m.damaged]
            used = [m for m in found if m.active] or found
            offered = [m for m in self.missing if m.role == role]
            self._add_role(role, used[0] if used else None, offered[0] if offered else None)
        if self.missing:
            self._add_choice()
        else:
            larger = tr("Larger models make fewer mistakes. Add them later on the Models screen.")
            self.column.addWidget(Label(larger, "muted", wrap=True))
        self.column.addStretch(1)

    def _add_role(self, role: str, model: ModelRow | None, offered: ModelRow | None) -> None:
        title, does, without = map(tr, ROLE_WORDS[role])
        icon = QLabel()
        name, color = (
            ("check-circle", "accent") if model is not None else ("ph.circle-dashed", "text2")
        )
        icon.setPixmap(self._theme.icon(name, color=color).pixmap(20, 20))
        state = Label(tr("installed"), "accent") if model is not None else Label("", "muted")
        head = build_row(icon, (Label(title, "strong"), 1), state, spacing=8)
        texts: list[QWidget] = [Label(does, "", wrap=True)]
        if (shown := model or offered) is not None:
            facts = Label(_describe_model(shown), "small", wrap=True)
            facts.setToolTip(_list_languages(shown))
            texts.append(facts)
        if model is None:
            texts.append(Label(without, "muted", wrap=True))
        words = build_column(*texts, spacing=4, margins=(28, 0, 0, 0))
        card = QFrame()
        card.setObjectName("card")
        build_column(head, words, parent=card, spacing=4, margins=(12, 10, 12, 12))
        self.column.addWidget(card)

    def _add_choice(self) -> None:
        size = format_size(sum(m.size_bytes for m in self.missing))
        self.download = CheckBox(
            trn(
                "Download this model now ({size})",
                "Download these models now ({size})",
                len(self.missing),
                size=size,
            )
        )
        self.download.setChecked(bool(self._choice.models))
        self.download.toggled.connect(self._take)
        hint = tr(
            "The download continues while you read; nothing else uses the internet. You can also "
            "get models later on the Models screen."
        )
        self.column.addSpacing(4)
        self.column.addWidget(self.download)
        self.column.addWidget(Label(hint, "small", wrap=True))

    def _take(self, checked: bool) -> None:
        self._choice.models = tuple(m.name for m in self.missing) if checked else ()


def _describe_model(model: ModelRow) -> str:
    """Return the name of a model with its size and memory, on one line."""
    facts = [model.title, format_size(model.size_bytes)]
    if model.memory_bytes:
        facts.append(tr("needs {size} of memory", size=format_size(model.memory_bytes)))
    return " · ".join(facts)


def _list_languages(model: ModelRow) -> str:
    return join_words([format_language(code) for code in model.languages])


class ReadingStep(Step):
    """Asks for the first documents: none, the sample, or files dropped here."""

    changed = Signal()

    def __init__(self, theme: Theme, choice: WelcomeChoice) -> None:
        super().__init__(
            tr("First documents"),
            tr("Names appear a few seconds after you add a text."),
        )
        self._choice = choice
        self.sample = QRadioButton(tr("Sample documents"))
        self.own = QRadioButton(tr("Your own files"))
        self.nothing = QRadioButton(tr("No documents yet"))
        self.own.setChecked(bool(choice.files))
        self.sample.setChecked(not choice.files)
        self.area = DropArea(theme)
        self.area.dropped.connect(self.add_files)
        self.area.button.clicked.connect(self._ask)
        self.area.show_count(len(choice.files))
        self.setAcceptDrops(True)
        self._group = QButtonGroup(self)  # the buttons are in frames of their own
        self._add_option(self.sample, tr(SAMPLE))
        own = self._add_option(
            self.own, tr("PDF, EPUB, Word, Excel, e-mail, web pages, plain text and more.")
        )
        own.addLayout(build_row(self.area, spacing=0, margins=(INDENT, 0, 0, 0)))
        self._add_option(self.nothing, tr("You can drop files into the window at any time."))
        self.column.addStretch(1)
        for button in (self.sample, self.own, self.nothing):
            button.toggled.connect(self._take)
        self._take()

    def _add_option(self, button: QRadioButton, text: str) -> QVBoxLayout:
        words = build_row((Label(text, "muted", wrap=True), 1), margins=(INDENT, 0, 0, 0))
        self._group.addButton(button)
        column = build_column(button, words, spacing=0)
        self.column.addWidget(OptionCard(button, column))
        return column

    def add_files(self, files: list[str]) -> None:
        """Add files and select the option for the user's own files."""
        known = self._choice.files
        known += [f for f in files if f not in known]
        self.area.show_count(len(known))
        self.own.setChecked(True)
        self._take()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if find_files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Take files dropped anywhere on the step: the area is hidden while not chosen."""
        if files := find_files(event.mimeData()):
            event.acceptProposedAction()
            self.add_files(files)

    def _take(self) -> None:
        self._choice.sample = self.sample.isChecked()
        self.area.setVisible(self.own.isChecked())
        if not self.own.isChecked():
            self._choice.files.clear()
            self.area.show_count(0)
        self.changed.emit()

    def _ask(self) -> None:
        files, _ = QFileDialog.getOpenFileNames(self, tr("Your own files"))
        if files:
            self.add_files(files)


class OptionCard(QFrame):
    """An option with what belongs to it; a click anywhere on it chooses the option."""

    def __init__(self, button: QRadioButton, column: QVBoxLayout) -> None:
        super().__init__()
        self.setObjectName("card")
        self._button = button
        column.setContentsMargins(12, 6, 12, 10)
        self.setLayout(column)
        button.toggled.connect(self._mark)
        self._mark(button.isChecked())

    def _mark(self, chosen: bool) -> None:
        self.setProperty("chosen", chosen)
        self.style().polish(self)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._button.setChecked(True)


class DropArea(QFrame):
    """The drop area for files; shows the number of dropped files."""

    dropped = Signal(list)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("dropArea")
        self.setAcceptDrops(True)
        self.setMinimumHeight(theme.length(84))
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


class StepList(QFrame):
    """The side of the window: logo, name, and the steps, of which one is the present one."""

    def __init__(self, theme: Theme, titles: Sequence[str], language: QWidget) -> None:
        super().__init__()
        self.setObjectName("sidebar")
        self._theme = theme
        self._rows = [(QLabel(), Label(title)) for title in titles]
        name = Label("Inkgraph", "title")  # not shown: a name
        about = Label(
            tr("Names, places and connections in your books and papers, each with its source."),
            "muted",
            wrap=True,
        )
        steps = [build_row(icon, (words, 1), spacing=8) for icon, words in self._rows]
        private = Label(tr("Everything stays on this computer."), "small", wrap=True)
        head = build_row(Logo(theme, 40), (name, 1), spacing=12)
        margins = (20, 24, 20, 20)
        build_column(
            head,
            12,
            about,
            16,
            *steps,
            STRETCH,
            private,
            language,
            parent=self,
            spacing=8,
            margins=margins,
        )
        self.setFixedWidth(theme.breadth(SIDE_WIDTH))

    def show_step(self, present: int) -> None:
        for place, (icon, words) in enumerate(self._rows):
            done, now = place < present, place == present
            name = "check-circle" if done else "ph.circle" if not now else "ph.caret-circle-right"
            color = "accent" if done or now else "text2"
            icon.setPixmap(self._theme.icon(name, color=color).pixmap(20, 20))
            words.set_role("strong" if now else "muted")


WIDTH, HEIGHT = 760, 500
LINK_PADDING = 4  # of a button, with its border


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
        self.models = ModelsStep(theme, models, self.choice)
        self.reading = ReadingStep(theme, self.choice)
        self.pages = QStackedWidget()
        for step in (self.library, self.models, self.reading):
            self.pages.addWidget(step)
        self.language = ChoiceBox()
        self.language.setAccessibleName(tr("Language"))
        for key, name in LANGUAGES.items():
            self.language.addItem(name, key)
        self.language.setCurrentIndex(max(0, self.language.findData(language)))
        self.language.activated.connect(
            lambda _: self.language_wanted.emit(self.language.currentData())
        )
        self.problem = Label("", "bad", wrap=True)
        self.problem.hide()
        self.skip_button = Button(tr("Skip setup"), kind="link")
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
            (self.pages, 1),
            self.problem,
            spacing=12,
            margins=(32, 24, 32, 16),
        )
        foot = build_row(
            *(self.skip_button, STRETCH, self.back_button, self.next_button),
            spacing=8,
            # the text of a link is below the texts of the page
            margins=(32 - LINK_PADDING, 0, 32, 0),
        )
        titles = [tr("Library"), tr("Models"), tr("Documents")]
        self.steps = StepList(theme, titles, self.language)
        main = build_column(*((body, 1), Hairline(), foot), spacing=16, margins=(0, 0, 0, 16))
        self._layout = build_row(self.steps, (main, 1), parent=self, spacing=0)
        theme.adopt(self)
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
        self.pages.setAccessibleName(tr("Step {n} of {count}", n=now + 1, count=count))
        self.steps.show_step(now)
        self.back_button.setVisible(now > 0)
        is_last = now == count - 1
        end = tr("Create library") if is_new(self.choice.library) else tr("Open library")
        self.next_button.setText(end if is_last else tr("Next"))
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
