"""One model as a row: what it is, what it needs, and what can be done with it.

Shows one model of the shelf and says what was pressed; runs nothing.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_app.engine.progress import Progress
from desktop_app.ui.language import later, tr, tr_said, trn
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import (
    Badge,
    Button,
    Hairline,
    IconButton,
    Label,
    PrimaryButton,
    ProgressLine,
    format_language,
    format_left,
    format_size,
)
from desktop_app.ui.widgets.words import join_words

SHOWN_LANGUAGES = 4
MULTILINGUAL = later("multilingual")  # in place of a language's code


class ModelCard(QWidget):
    """A row of the Models screen; signals carry the model's name."""

    use_clicked = Signal(str)
    install_clicked = Signal(str)
    cancel_clicked = Signal(str)
    check_clicked = Signal(str)
    remove_clicked = Signal(str)

    def __init__(self, theme: Theme, model: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name: str = model.name
        self.title = Label("", "strong")
        self.badge = Badge(theme, "", "ok")
        self.facts = Label("", "muted", wrap=True)
        self.note = Label("", "muted", wrap=True)
        self.result = Label("", "ok", wrap=True)
        self.sample = Label("", "muted", wrap=True)
        self.line = ProgressLine()
        self.progress_text = Label("", "small")
        self.install_button = PrimaryButton(tr("Install"), theme=theme, icon="install")
        self.use_button = PrimaryButton(tr("Use"))
        self.check_button = Button(tr("Check"), tooltip=tr("Try it with one short question"))
        self.cancel_button = Button(tr("Stop"))
        self.remove_button = IconButton(theme, "delete", tr("Remove from this computer"))
        for button, signal in (
            (self.install_button, self.install_clicked),
            (self.use_button, self.use_clicked),
            (self.check_button, self.check_clicked),
            (self.cancel_button, self.cancel_clicked),
            (self.remove_button, self.remove_clicked),
        ):
            button.clicked.connect(lambda _=False, signal=signal: signal.emit(self.name))
        self._place()
        self.show_model(model)
        self.show_progress(None)
        self.show_result(None)

    def _place(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.title)
        head.addWidget(self.badge)
        head.addStretch(1)
        texts = QVBoxLayout()
        texts.setSpacing(4)
        texts.addLayout(head)
        for widget in (
            self.facts,
            self.note,
            self.line,
            self.progress_text,
            self.result,
            self.sample,
        ):
            texts.addWidget(widget)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (
            self.check_button,
            self.use_button,
            self.install_button,
            self.cancel_button,
            self.remove_button,
        ):
            buttons.addWidget(button)
        right = QVBoxLayout()
        right.addLayout(buttons)
        right.addStretch(1)
        row = QHBoxLayout()
        row.setContentsMargins(0, 12, 0, 12)
        row.setSpacing(16)
        row.addLayout(texts, 1)
        row.addLayout(right)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(Hairline())

    # --- what is shown ----------------------------------------------------------------------

    def show_model(self, model: Any) -> None:
        damaged = getattr(model, "damaged", False)
        self._model = model
        self.title.setText(model.title)
        self.facts.setText(describe(model))
        self.note.setText(tr_said(model.note))
        self.note.setVisible(bool(model.note))
        self.note.set_role("bad" if damaged else "muted")
        if model.active:
            self.badge.set_text(tr("in use"), "ok")
        else:
            self.badge.set_text(tr("installed"), "text2")
        self.badge.setVisible(model.installed)
        self._show_buttons(busy=False)

    def show_progress(self, progress: Progress | None) -> None:
        """Show how far an installation is; None: none is going on."""
        busy = progress is not None
        self.line.setVisible(busy)
        self.progress_text.setVisible(busy)
        self._show_buttons(busy)
        if progress is None:
            return
        known = progress.total > 0
        self.line.set_share(progress.done / progress.total if known else None)
        parts = [
            f"{int(100 * progress.done / progress.total)} %" if known else tr("waiting to start")
        ]
        if left := format_left(progress.left_s):
            parts.append(left)
        self.progress_text.setText(" · ".join(parts))

    def show_checking(self) -> None:
        self.check_button.setEnabled(False)
        self.result.set_role("muted")
        self.result.setText(tr("Trying it…"))
        self.result.show()
        self.sample.hide()

    def show_result(self, result: Any | None) -> None:
        """Show how a check went; None clears it."""
        self.check_button.setEnabled(True)
        self.result.setVisible(result is not None)
        self.sample.setVisible(bool(result is not None and result.sample))
        if result is None:
            return
        parts = [tr_said(result.message)]
        if result.tokens_per_s and "tokens/s" not in result.message:
            parts.append(tr("{n} tokens/s", n=f"{result.tokens_per_s:.1f}"))
        if result.seconds:
            parts.append(tr("{n} s", n=f"{result.seconds:.1f}"))
        self.result.set_role("ok" if result.ok else "bad")
        self.result.setText(" · ".join(part.rstrip(".。") for part in parts if part))
        sample = result.sample.strip()
        is_answer = self._model.role == "chat"
        self.sample.setText(f"“{sample}”" if is_answer else tr_said(sample))

    def _show_buttons(self, busy: bool) -> None:
        model = self._model
        self.install_button.setVisible(not busy and not model.installed)
        self.cancel_button.setVisible(busy)
        self.use_button.setVisible(not busy and model.installed and not model.active)
        self.check_button.setVisible(not busy and model.installed)
        self.remove_button.setVisible(not busy and model.installed)


def describe(model: Any) -> str:
    """Return size, memory, languages and licence in one line, as far as they are known."""
    languages = [
        tr(MULTILINGUAL) if code == MULTILINGUAL else format_language(code)
        for code in model.languages
        if code != "und"
    ]
    if len(languages) > SHOWN_LANGUAGES:
        more = len(languages) - SHOWN_LANGUAGES
        languages = [*languages[:SHOWN_LANGUAGES], trn("{n} more", "{n} more", more)]
    parts = (
        tr("{size} on disk", size=format_size(model.size_bytes)) if model.size_bytes else "",
        tr("{size} of memory", size=format_size(model.memory_bytes)) if model.memory_bytes else "",
        join_words(languages),
        model.licence,
    )
    return " · ".join(part for part in parts if part)
