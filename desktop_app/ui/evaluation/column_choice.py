"""Check boxes for the modes and chat models that are compared, and the size of a prompt.

What is rarely compared is under "More".
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from desktop_app.engine.llm.registry import ModelRow
from desktop_app.engine.messages import Message
from desktop_app.engine.query import THEME_MODES
from desktop_app.engine.services.evaluation.model import (
    DEFAULT_MODES,
    PROMPT_TOKENS,
    EvaluationColumn,
)

from ..translation import tr, tr_message
from ..widgets import (
    Button,
    CheckBox,
    Label,
    SectionTitle,
    build_column,
    build_row,
    clear_layout,
    format_size,
)
from ..widgets.fields import ChoiceBox
from ..widgets.layout import STRETCH
from ..widgets.modes import BYPASS, all_modes
from ..widgets.words import format_number, plain_tip
from .words import describe_mode

NEEDS_MODEL = (*THEME_MODES, BYPASS)
NO_MODEL = ""
# The recommended modes, and the two that show what a search without names finds; the others are
# parts of these, take many minutes, or use no documents.
USUAL_MODES = ("walk", "mix", "naive", "words")
# begins where the texts above it begin
AT_EDGE = "QPushButton, QPushButton:focus { padding: 0 4px 0 0; margin-left: -1px; }"  # not shown
# Short enough for a weak computer, the usual one, and as much as models of this size use well.
TOKENS_CHARS = 18  # of the longest choice
TOKEN_CHOICES = (500, PROMPT_TOKENS, 2000, 4000)


class ColumnChoice(QWidget):
    """What is compared.

    Signals:
        changed: the user changed it.
        unfolded: the user opened "More", which may be below the edge of what is seen.
    """

    changed = Signal()
    unfolded = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: dict[str, ModelRow] = {}
        self._filling = False
        self.modes: dict[str, CheckBox] = {}
        self._lines = QWidget(), QWidget()  # of the usual modes, and of the others
        self._build_modes()
        self.models: dict[str, CheckBox] = {}
        self._model_column = build_column(spacing=0)
        self.no_models = Label(
            tr("No chat model is installed, so only passages are found and compared."),
            "muted",
            wrap=True,
        )
        self.tokens = ChoiceBox()
        self.tokens.setAccessibleName(tr("Size of a prompt"))
        self.tokens.setMinimumContentsLength(TOKENS_CHARS)
        for n in TOKEN_CHOICES:
            words = tr("{n} tokens", n=format_number(n))
            self.tokens.addItem(
                tr("{size} (usual)", size=words) if n == PROMPT_TOKENS else words, n
            )
        self.tokens.currentIndexChanged.connect(self._toggle)
        prompt_note = Label(tr("How much text a model reads for a question"), "muted", wrap=True)
        prompt = build_row(Label(tr("Size of a prompt")), self.tokens, (prompt_note, 1))
        self.more = QWidget()
        build_column(
            *(SectionTitle(tr("Other modes")), self._lines[1], 4, prompt),
            parent=self.more,
            spacing=4,
        )
        self.more.hide()
        self.more_button = Button(tr("More modes and settings"), kind="link")
        self.more_button.setStyleSheet(AT_EDGE)
        self.more_button.clicked.connect(self._turn_more)
        build_column(
            *(SectionTitle(tr("Modes: how passages are found")), self._lines[0], 4),
            SectionTitle(tr("Chat models: who writes the answers")),
            *(self._model_column, self.no_models),
            *(build_row(self.more_button, STRETCH), self.more),
            parent=self,
            spacing=4,
        )
        self._ask_modes(DEFAULT_MODES)
        self.tokens.setCurrentIndex(TOKEN_CHOICES.index(PROMPT_TOKENS))
        self.show_models([])

    def _build_modes(self) -> None:
        """Add a check box for each mode, and beside it what the mode does."""
        grids = [QGridLayout(lines) for lines in self._lines]
        for grid in grids:
            grid.setContentsMargins(0, 0, 0, 0)
            grid.setHorizontalSpacing(16)
            grid.setVerticalSpacing(0)
            grid.setColumnStretch(1, 1)
        for mode in all_modes():
            box, words = CheckBox(tr(mode.short)), describe_mode(mode)
            box.setToolTip(plain_tip(words))
            box.setAccessibleDescription(words)
            box.toggled.connect(self._toggle)
            self.modes[mode.key] = box
            grid = grids[mode.key not in USUAL_MODES]
            grid.addWidget(box, grid.rowCount(), 0)
            grid.addWidget(Label(words, "muted", wrap=True), grid.rowCount() - 1, 1)

    def _turn_more(self) -> None:
        self._show_more(self.more.isHidden())
        if not self.more.isHidden():
            self.unfolded.emit()

    def _show_more(self, shown: bool) -> None:
        self.more.setVisible(shown)
        self.more_button.setText(
            tr("Fewer modes and settings") if shown else tr("More modes and settings")
        )

    def show_models(self, rows: Sequence[ModelRow], chosen: Sequence[str] | None = None) -> None:
        """Show the chat models that can be asked.

        Args:
            chosen: their names, "" for no model. None for no model, so that the first evaluation
                takes seconds and not an hour.
        """
        self._filling = True
        usable = [row for row in rows if row.role == "chat" and row.installed and not row.damaged]
        if chosen is None:
            chosen = [NO_MODEL]
        self._rows = {row.name: row for row in usable}
        clear_layout(self._model_column)
        self.models = {}
        none = CheckBox(tr("Without a model: passages are only found, in seconds"))
        none.toggled.connect(self._toggle)
        self.models[NO_MODEL] = none
        for row in usable:
            box = CheckBox(describe_chat_model(row))
            if row.note:
                box.setToolTip(plain_tip(tr_message(row.note)))
            box.toggled.connect(self._toggle)
            self.models[row.name] = box
        for name, box in self.models.items():
            box.setChecked(name in chosen)
        if not any(box.isChecked() for box in self.models.values()):  # the chosen one is gone
            none.setChecked(True)
        for box in self.models.values():
            self._model_column.addWidget(box)
        self.no_models.setVisible(not usable)
        self._filling = False
        self._fit_modes()

    def show_choice(self, modes: Sequence[str], n_tokens: int) -> None:
        """Show what was chosen before."""
        self._filling = True
        self._ask_modes(modes)
        if n_tokens in TOKEN_CHOICES:
            self.tokens.setCurrentIndex(TOKEN_CHOICES.index(n_tokens))
        is_usual = set(modes) <= set(USUAL_MODES) and n_tokens == PROMPT_TOKENS
        self._show_more(not is_usual)
        self._filling = False

    @property
    def chosen_modes(self) -> tuple[str, ...]:
        return tuple(key for key, box in self.modes.items() if box.isChecked())

    @property
    def chosen_models(self) -> tuple[str, ...]:
        return tuple(name for name, box in self.models.items() if box.isChecked())

    @property
    def n_tokens(self) -> int:
        return int(self.tokens.currentData())

    @property
    def sizes(self) -> dict[str, int]:
        """Bytes of the file of each chat model."""
        return {name: row.size_bytes for name, row in self._rows.items()}

    def list_rows(self) -> list[ModelRow]:
        """Return the chosen chat models."""
        return [self._rows[name] for name in self.chosen_models if name in self._rows]

    def list_usable(self) -> list[ModelRow]:
        """Return all chat models that can be asked."""
        return list(self._rows.values())

    def list_columns(self) -> tuple[EvaluationColumn, ...]:
        """Return each mode with each model; modes that need one are left out without it."""
        return tuple(
            EvaluationColumn(mode, model)
            for model in self.chosen_models
            for mode in self.chosen_modes
            if model or mode not in NEEDS_MODEL
        )

    def _ask_modes(self, modes: Sequence[str]) -> None:
        for key, box in self.modes.items():
            box.setChecked(key in modes)

    def _fit_modes(self) -> None:
        """Let modes that need a chat model be chosen only with one."""
        has_model = any(self.chosen_models)
        for key in NEEDS_MODEL:
            self.modes[key].setEnabled(has_model)

    def _toggle(self, *_: object) -> None:
        if not self._filling:
            self._fit_modes()
            self.changed.emit()


def describe_chat_model(row: ModelRow) -> str:
    """Return the title of a chat model with the memory that it needs."""
    title = tr_message(row.title) if isinstance(row.title, Message) else row.title
    if not row.memory_bytes:
        return title
    return tr("{model} (needs {size} of memory)", model=title, size=format_size(row.memory_bytes))
