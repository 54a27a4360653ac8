"""The rows of the models screen: a model, a download, a suggestion, the choice of a reranker.

They show and emit what was clicked; the screen runs it.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QFrame, QWidget

from desktop_app.engine.llm.catalogue import Suggestion
from desktop_app.engine.llm.link_download import UnfinishedDownload
from desktop_app.engine.llm.machine import FITS, TIGHT, TOO_LARGE, Machine
from desktop_app.engine.llm.registry import CheckResult, ModelRow
from desktop_app.engine.llm.reranking import CHAT_RERANKER
from desktop_app.engine.messages import Message
from desktop_app.engine.progress import Progress

from ..theme.theme import Theme
from ..translation import later, tr, tr_message, trn
from ..widgets import (
    STRETCH,
    Badge,
    Button,
    ChoiceBox,
    ElidedLabel,
    Flow,
    Hairline,
    IconButton,
    Label,
    PrimaryButton,
    ProgressLine,
    build_column,
    build_row,
    format_language,
    format_left,
    format_size,
)
from ..widgets.words import join_words, plain_tip

SHOWN_LANGUAGES = 4
ROW_MARGINS = (16, 12, 16, 12)
GAP = 16  # pixels between the parts of a row
COLUMN_WIDTH, COLUMNS_FROM, BUTTONS_WIDTH = 104, 640, 152  # pixels
LINE = 30  # pixels: the first line of a row, with its badges, sizes and buttons
CARD_GAP = 12  # pixels below the frame of the model in use
MULTILINGUAL = later("multilingual")  # shown in place of a language code
FIT_WORDS = {
    FITS: (later("fits this computer"), "ok"),
    TIGHT: (later("tight on this computer"), "warn"),
    TOO_LARGE: (later("too large for this computer"), "bad"),
}


def show_fit(badge: Badge, machine: Machine, memory_bytes: int) -> None:
    """Show that a model does not fit well into the memory of this computer; else hide."""
    fit = machine.judge(memory_bytes)
    badge.setVisible(fit in (TIGHT, TOO_LARGE))  # what fits needs no word
    if fit in FIT_WORDS:
        text, color = FIT_WORDS[fit]
        badge.set_text(tr(text), color)
        badge.setToolTip(
            tr(
                "Needs {needed} of the {total} of memory here.",
                needed=format_size(memory_bytes),
                total=format_size(machine.memory_bytes),
            )
        )


def show_reason(badge: Badge, reason: str) -> None:
    """Show a badge with its reason as the tooltip; hide it where there is no reason."""
    badge.setVisible(bool(reason))
    badge.setToolTip(plain_tip(reason))


def describe_progress(progress: Progress) -> str:
    """Return "34% · 1.6 of 4.7 GB · 3 min left" for a download."""
    if progress.stage == "checking":
        return tr("Comparing the SHA-256…")
    if progress.total <= 0:
        return tr("waiting to start")
    parts = [f"{int(100 * progress.done / progress.total)}%"]
    if progress.stage in ("downloading", "copying") and progress.total > 10_000_000:
        done, total = format_size(progress.done), format_size(progress.total)
        parts.append(tr("{done} of {total}", done=done, total=total))
    if left := format_left(progress.left_s):
        parts.append(left)
    return " · ".join(parts)


class SizeColumns(QWidget):
    """Size and memory of a model in two columns, the same in every row and their heading."""

    def __init__(self, theme: Theme, size: str = "", memory: str = "", role: str = "") -> None:
        super().__init__()
        self._theme = theme
        self._height = 0 if size else LINE  # a heading is as low as its text
        self.size_label, self.memory = Label(size, role), Label(memory, role)
        for label in (self.size_label, self.memory):
            label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        build_row(self.size_label, self.memory, parent=self, spacing=0)
        theme.changed.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        for label in (self.size_label, self.memory):
            label.setFont(self._theme.font("number"))
            label.setFixedWidth(self._theme.length(COLUMN_WIDTH))
            label.setMinimumHeight(self._theme.length(self._height))


class Description(QWidget):
    """The name of a model with its badges, a note and the facts: the same in every row.

    Size and memory are in `sizes`, which the row places, or begin the facts in a narrow row.
    """

    def __init__(self, theme: Theme, *badges: Badge) -> None:
        super().__init__()
        self._theme = theme
        self._facts, self._all_facts = "", ""
        self.title = ElidedLabel("", "strong")
        self.note = Label("", wrap=True)
        self.facts = Label("", "small", wrap=True)
        self.sizes = SizeColumns(theme)
        head = Flow()
        head.add(self.title, *badges)
        build_column(head, self.note, self.facts, parent=self, spacing=2)
        theme.changed.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        """Give lines one height, with badges or other scripts and without."""
        for label, height in ((self.title, LINE), (self.note, 20), (self.facts, 20)):
            label.setMinimumHeight(self._theme.length(height))

    def show_texts(self, title: str, note: str, size: str, memory_bytes: int, facts: str) -> None:
        """Show the texts of a model; `size` and `memory_bytes` may be "" and 0 for unknown."""
        self.title.setText(title)
        self.note.setText(note)
        self.note.setVisible(bool(note))
        self.sizes.size_label.setText(size)
        self.sizes.memory.setText(format_known_size(memory_bytes))
        self._facts = facts
        self._all_facts = join_facts(size, describe_memory(memory_bytes), facts)
        self._show_facts()

    def fit(self, width: int) -> None:
        """Show size and memory beside the texts of a row of this width, or below."""
        self.sizes.setVisible(has_columns(self._theme, width))
        self._show_facts()

    def _show_facts(self) -> None:
        self.facts.setText(self._all_facts if self.sizes.isHidden() else self._facts)
        self.facts.setVisible(bool(self.facts.text()))


def has_columns(theme: Theme, width: int) -> bool:
    """Return whether a row of this width has columns for size and memory."""
    return width >= theme.length(COLUMNS_FROM)


class SizeHeading(QWidget):
    """What the rows below are for, and what their columns are."""

    def __init__(self, theme: Theme, purpose: str) -> None:
        super().__init__()
        self._theme = theme
        self._columns = SizeColumns(theme, tr("Size"), tr("Memory needed"), "small")
        self._buttons = QWidget()
        _, _, right, _ = ROW_MARGINS
        text = Label(purpose, "muted", wrap=True)
        bottom = Qt.AlignmentFlag.AlignBottom
        build_row(
            *((text, 1, bottom), (self._columns, 0, bottom), self._buttons),
            parent=self,
            spacing=GAP,
            margins=(0, 0, right, 0),
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._buttons.setFixedWidth(self._theme.length(BUTTONS_WIDTH))
        self._columns.setVisible(has_columns(self._theme, self.width()))


def _build_right(theme: Theme, *buttons: QWidget) -> QWidget:
    """Return the buttons of a row at its right edge and on its first line.

    Their place is as wide as that of other rows.
    """
    right = QWidget()
    row = build_row(STRETCH, *buttons, spacing=8)
    row.addStrut(theme.length(LINE))
    build_column(row, STRETCH, parent=right, spacing=0)
    right.setMinimumWidth(theme.length(BUTTONS_WIDTH))
    return right


class ModelCard(QWidget):
    """A row of the models screen; signals carry the model's name. The model in use has a frame."""

    use_clicked = Signal(str)
    install_clicked = Signal(str)
    cancel_clicked = Signal(str)
    check_clicked = Signal(str)
    remove_clicked = Signal(str)

    def __init__(self, theme: Theme, model: ModelRow, machine: Machine) -> None:
        super().__init__()
        self.name = model.name
        self.badge = Badge(theme, "", "ok")
        self.starter = Badge(theme, tr("starter"), "accent")
        self.fit = Badge(theme, "", "ok")
        self.recommended = Badge(theme, tr("recommended for this computer"), "accent")
        self.texts = Description(theme, self.badge, self.starter, self.recommended, self.fit)
        self.title, self.facts = self.texts.title, self.texts.facts
        self.checksum = Label("", "small", wrap=True)
        self.result = Label("", "ok", wrap=True)
        self.sample = Label("", "muted", wrap=True)
        self.line = ProgressLine()
        self.progress_text = Label("", "small")
        self.install_button = Button(tr("Install"), theme=theme, icon="install")
        self.use_button = Button(tr("Use"))
        self.check_button = Button(tr("Test"), kind="quiet", tooltip=tr("Ask one short question"))
        self.cancel_button = Button(tr("Stop"))
        self.remove_button = IconButton(theme, "delete", tr("Remove from this computer"))
        buttons = (  # what all rows have is at the right, one below the other
            (self.use_button, self.use_clicked),
            (self.check_button, self.check_clicked),
            (self.install_button, self.install_clicked),
            (self.cancel_button, self.cancel_clicked),
            (self.remove_button, self.remove_clicked),
        )
        for button, signal in buttons:
            button.clicked.connect(lambda _=False, signal=signal: signal.emit(self.name))
        # below the row, so that its buttons stay when one of these is shown
        below = build_column(
            *(self.checksum, self.line, self.progress_text, self.result, self.sample),
            spacing=4,
        )
        right = _build_right(theme, *(button for button, _ in buttons))
        self.frame = QFrame()
        top = Qt.AlignmentFlag.AlignTop
        row = build_row((self.texts, 1), (self.texts.sizes, 0, top), right, spacing=GAP)
        self._row = build_column(row, below, parent=self.frame, spacing=4, margins=ROW_MARGINS)
        self._hairline = Hairline()
        self._column = build_column(self.frame, self._hairline, parent=self, spacing=0)
        self.recommended.hide()
        self.show_model(model, machine)
        self.show_progress(None)
        self.show_result(None)

    def show_model(self, model: ModelRow, machine: Machine) -> None:
        self._model = model
        size = format_known_size(model.size_bytes)
        note, facts = tr_message(model.note), describe_model(model)
        self.texts.show_texts(model.title, note, size, model.memory_bytes, facts)
        self.texts.note.set_role("bad" if model.damaged else "")
        self._set_framed(model.active)
        if model.active:
            self.badge.set_text(tr("in use"), "accent", "solid")
        elif model.installed:
            self.badge.set_text(tr("installed"), "ok")
        else:
            self.badge.set_text(tr("not installed"), "text2", "plain")
        self.starter.setVisible(model.in_starter and not model.installed)
        show_fit(self.fit, machine, model.memory_bytes)
        self.checksum.setText(f"SHA-256 {model.sha256}" if model.sha256 else "")
        self.checksum.setVisible(bool(self.checksum.text()) and model.active)
        tip = (model.link, self.checksum.text())
        self.frame.setToolTip(plain_tip("\n".join(part for part in tip if part)))
        self._show_buttons(busy=False)

    def show_recommended(self, reason: str) -> None:
        """Show that this model is the best for this computer, and why; hide it for ""."""
        show_reason(self.recommended, reason)

    def _set_framed(self, framed: bool) -> None:
        left, top, right, bottom = ROW_MARGINS
        edge = 1 if framed else 0  # the frame is part of the margin: texts are below each other
        self._row.setContentsMargins(left - edge, top, right - edge, bottom)
        self._column.setContentsMargins(0, 0, 0, CARD_GAP if framed else 0)
        self._hairline.setVisible(not framed)
        name = "card" if framed else ""
        if self.frame.objectName() != name:
            self.frame.setObjectName(name)
            self.frame.setProperty("chosen", framed)
            self.frame.style().unpolish(self.frame)
            self.frame.style().polish(self.frame)

    @property
    def memory_bytes(self) -> int:
        return self._model.memory_bytes

    def set_primary(self, primary: bool) -> None:
        """Mark the button that gets or uses this model as the main action of the screen."""
        for button in (self.install_button, self.use_button):
            button.set_primary(primary)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.texts.fit(self.width())

    def show_progress(self, progress: Progress | None) -> None:
        """Show the progress of an installation; None if there is none."""
        busy = progress is not None
        self.line.setVisible(busy)
        self.progress_text.setVisible(busy)
        self._show_buttons(busy)
        if progress is None:
            return
        self.line.set_share(progress.done / progress.total if progress.total > 0 else None)
        self.progress_text.setText(describe_progress(progress))

    def show_checking(self) -> None:
        self.check_button.setEnabled(False)
        self.result.set_role("muted")
        self.result.setText(tr("Testing…"))
        self.result.show()
        self.sample.hide()

    def show_result(self, result: CheckResult | None) -> None:
        """Show the result of a check; None clears it."""
        self.check_button.setEnabled(True)
        self.result.setVisible(result is not None)
        self.sample.setVisible(bool(result is not None and result.sample))
        if result is None:
            return
        parts = [tr_message(result.message)]
        if result.tokens_per_s and "tokens/s" not in result.message:
            parts.append(tr("{n} tokens/s", n=f"{result.tokens_per_s:.1f}"))
        if result.seconds:
            parts.append(tr("{n} s", n=f"{result.seconds:.1f}"))
        self.result.set_role("ok" if result.ok else "bad")
        self.result.setText(" · ".join(part.rstrip(".。") for part in parts if part))
        sample = result.sample
        # anything else is the answer of a chat model
        self.sample.setText(tr_message(sample) if isinstance(sample, Message) else f"“{sample}”")

    def _show_buttons(self, busy: bool) -> None:
        installed = self._model.installed
        self.install_button.setVisible(not busy and not installed)
        self.cancel_button.setVisible(busy)
        self.use_button.setVisible(not busy and installed and not self._model.active)
        self.check_button.setVisible(not busy and installed)
        self.remove_button.setVisible(not busy and installed)


def describe_model(model: ModelRow) -> str:
    """Return "English, 中文 · Apache-2.0 · 12 tokens/s here"."""
    return join_facts(list_languages(model.languages), model.licence, describe_speed(model))


def join_facts(*facts: str) -> str:
    return " · ".join(fact for fact in facts if fact)


def describe_memory(size_bytes: int) -> str:
    return tr("needs {size} of memory", size=format_size(size_bytes)) if size_bytes else ""


def format_known_size(size_bytes: int) -> str:
    return format_size(size_bytes) if size_bytes else ""


def list_languages(codes: Sequence[str]) -> str:
    """Return the first languages of a model and how many more there are."""
    languages = [
        tr(MULTILINGUAL) if code == MULTILINGUAL else format_language(code)
        for code in codes
        if code != "und"
    ]
    if len(languages) > SHOWN_LANGUAGES:
        more = len(languages) - SHOWN_LANGUAGES
        languages = [*languages[:SHOWN_LANGUAGES], trn("{n} more", "{n} more", more)]
    return join_words(languages)


def describe_speed(model: ModelRow) -> str:
    """Return how fast an installed chat model writes here; the button “Test” measures it."""
    if not model.installed or model.role != "chat" or model.damaged:
        return ""
    if model.tokens_per_s <= 0:
        return tr("speed here not measured yet") if model.active else ""
    rate = f"{model.tokens_per_s:.{1 if model.tokens_per_s < 10 else 0}f}"
    return tr("{n} tokens/s here", n=rate)


class DownloadRow(QWidget):
    """A download or copy that runs or was stopped; signals carry its file name."""

    stop_clicked = Signal(str)
    continue_clicked = Signal(str)
    discard_clicked = Signal(str)

    def __init__(self, theme: Theme, file: str) -> None:
        super().__init__()
        self.file = file
        self.title = Label(file, "strong", wrap=True)
        self.text = Label("", "muted", wrap=True)
        self.line = ProgressLine()
        self.stop_button = Button(tr("Stop"))
        self.continue_button = PrimaryButton(tr("Continue"), theme=theme, icon="install")
        self.discard_button = IconButton(theme, "delete", tr("Delete the unfinished download"))
        for button, signal in (
            (self.stop_button, self.stop_clicked),
            (self.continue_button, self.continue_clicked),
            (self.discard_button, self.discard_clicked),
        ):
            button.clicked.connect(lambda _=False, signal=signal: signal.emit(self.file))
        texts = build_column(self.title, self.text, self.line, spacing=4)
        buttons = build_row(self.stop_button, self.continue_button, self.discard_button)
        right = build_column(buttons, STRETCH, spacing=0)
        row = build_row((texts, 1), right, spacing=16, margins=(0, 12, 0, 12))
        build_column(row, Hairline(), parent=self, spacing=0)

    def show_progress(self, progress: Progress) -> None:
        self.line.set_share(progress.done / progress.total if progress.total > 0 else None)
        self.text.setText(describe_progress(progress))
        self._show_buttons(running=True)

    def show_unfinished(self, download: UnfinishedDownload) -> None:
        self.line.set_share(download.n_bytes / max(1, download.model.size_bytes))
        self.text.setText(
            tr(
                "Unfinished: {done} of {total}. It goes on where it stopped.",
                done=format_size(download.n_bytes),
                total=format_size(download.model.size_bytes),
            )
        )
        self._show_buttons(running=False)

    def _show_buttons(self, *, running: bool) -> None:
        self.stop_button.setVisible(running)
        self.continue_button.setVisible(not running)
        self.discard_button.setVisible(not running)


class SuggestionRow(QWidget):
    """A larger model worth getting; `get_clicked` carries the suggestion."""

    get_clicked = Signal(object)

    def __init__(self, theme: Theme, suggestion: Suggestion, machine: Machine) -> None:
        super().__init__()
        self.suggestion = suggestion
        self.fit = Badge(theme, "", "ok")
        self.recommended = Badge(theme, tr("recommended for this computer"), "accent")
        self.untested = Badge(theme, tr("not tested with Inkgraph"), "warn")
        self.texts = Description(theme, self.recommended, self.untested, self.fit)
        facts = join_facts(list_languages(suggestion.languages), suggestion.licence)
        size = tr("about {size}", size=format_size(suggestion.size_bytes))
        note = tr_message(Message(suggestion.note))
        self.texts.show_texts(suggestion.title, note, size, suggestion.memory_bytes, facts)
        self.button = Button(tr("Get…"), theme=theme, icon="install")
        self.button.setToolTip(tr("Three steps: its page, the link of a file, the download"))
        self.button.setAccessibleName(tr("Get {model}…", model=suggestion.title))
        self.button.clicked.connect(lambda: self.get_clicked.emit(suggestion))
        show_fit(self.fit, machine, suggestion.memory_bytes)  # after `Flow.add`, which shows it
        self.show_recommended("")
        row = build_row(spacing=GAP, margins=ROW_MARGINS)
        row.addWidget(self.texts, 1)
        row.addWidget(self.texts.sizes, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(_build_right(theme, self.button))
        build_column(row, Hairline(), parent=self, spacing=0)

    def set_primary(self, primary: bool) -> None:
        """Mark the button as the main action of the screen."""
        self.button.set_primary(primary)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.texts.fit(self.width())

    def show_recommended(self, reason: str) -> None:
        """Show that this model is the best for this computer, and why; hide it for ""."""
        show_reason(self.recommended, reason)
        self.untested.setVisible(bool(reason))


class RerankerRow(QWidget):
    """The choice of a reranker and its cost; `chosen` with its name, `CHAT_RERANKER` or ""."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.choice = ChoiceBox()
        self.choice.setAccessibleName(tr("Reranking"))
        self.choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.choice.activated.connect(lambda _: self.chosen.emit(self.choice.currentData()))
        text = tr(
            "Before an answer, the passages found can be ranked again. This is slower, and useful "
            "where the right passage is found but ranked too low."
        )
        build_column(
            Label(tr("Reranking"), "title"),
            Label(text, "muted", wrap=True),
            build_row(self.choice, STRETCH, spacing=0),
            parent=self,
            spacing=8,
            margins=(0, 16, 0, 0),
        )

    def show_choice(
        self, current: str, rerankers: Sequence[tuple[str, str]], *, has_chat: bool
    ) -> None:
        """Show the installed rerankers and the current choice.

        Args:
            rerankers: (name, title) of the installed ones.
        """
        with QSignalBlocker(self.choice):
            self.choice.clear()
            self.choice.addItem(tr("None"), "")
            if has_chat or current == CHAT_RERANKER:
                self.choice.addItem(tr("Chat model (some seconds more)"), CHAT_RERANKER)
            for name, title in rerankers:
                self.choice.addItem(title, name)
            self.choice.setCurrentIndex(max(0, self.choice.findData(current)))
