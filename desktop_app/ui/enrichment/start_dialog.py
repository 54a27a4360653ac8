"""The confirmation before enrichment starts, with an estimate of the work.

Shows the estimate and emits the confirmation; starts nothing itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from desktop_app.engine.errors import AppError
from desktop_app.workers.operations import Query

from ..language import later, tr, tr_message, trn
from ..messages import describe_error
from ..widgets import Button, Label, PrimaryButton
from ..widgets.sheet import Sheet
from ..widgets.words import join_words

ABOUT = later(
    "The model reads passage by passage, says how names are tied, and writes a sentence about "
    "each. What is there already stays usable meanwhile."
)
WIDTH = 460


class Known(NamedTuple):
    """The data of the dialog: the estimate, the model, and the size of the queue."""

    estimate: Any
    model: str
    n_waiting: int


class StartEnrichmentDialog(Sheet):
    """Asks for some documents, or for the whole library where `document_ids` is None."""

    agreed = Signal(object, bool, bool)  # the ids or None; with priority; again
    models_wanted = Signal()
    settings_wanted = Signal()

    def __init__(
        self,
        context: Any,
        document_ids: Sequence[int] | None,
        what: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(tr("Enrich {what}", what=what), parent)
        self._context = context
        self._ids = None if document_ids is None else list(document_ids)
        self.words = Label(tr("Looking how much there is to do…"), "strong", wrap=True)
        self.details = Label("", "muted", wrap=True)
        self.about = Label(tr(ABOUT), "muted", wrap=True)
        self.first = QCheckBox(tr("Before what waits already"))
        self.again = QCheckBox(tr("Also what this model has done already"))
        self.settings_button = Button(tr("Settings…"), tooltip=tr("How the library is enriched"))
        self.cancel_button = Button(tr("Cancel"))
        self.start_button = PrimaryButton(tr("Enrich"))
        self.models_button = PrimaryButton(tr("Open Models"))
        for widget in (self.words, self.details, self.about, self.first, self.again):
            self.add(widget)
        self.add_foot(
            [self.cancel_button, self.models_button, self.start_button], [self.settings_button]
        )
        self.models_button.hide()
        self.first.hide()
        self.again.hide()
        self.start_button.setEnabled(False)
        self.again.toggled.connect(self.refresh)
        self.cancel_button.clicked.connect(self.reject)
        self.start_button.clicked.connect(self._agree)
        self.models_button.clicked.connect(self._open_models)
        self.settings_button.clicked.connect(self.settings_wanted)
        self.fit_content(WIDTH)
        self.refresh()

    def refresh(self) -> None:
        """Compute the estimate again, such as after the settings changed."""
        query = Query(self._context.reader_lane, self._fetch, self.again.isChecked(), owner=self)
        query.on_success(self._show).on_error(self._show_error).run()

    def _fetch(self, again: bool) -> Known:
        service = self._context.enrichment_reader
        return Known(
            service.estimate(self._ids, again=again),
            self._context.model_registry.chat_model_name(),
            service.status().total.n_waiting,
        )

    def _show(self, known: Known) -> None:
        found = known.estimate
        has_model = bool(known.model)
        self.words.setText(as_sentence(tr_message(found.words)))
        parts = []
        if found.n_chunks and has_model:
            parts = [
                trn("{n} passage", "{n} passages", found.n_chunks),
                trn("{n} character", "{n} characters", found.n_chars),
            ]
        if known.model:
            parts.append(tr("with {model}", model=known.model))
        details = join_words(parts)
        if found.n_chunks and has_model and not found.is_measured:
            details = tr(
                "{details}. The time is a guess until this computer has done some.",
                details=details,
            )
        self.details.setText(details)
        self.details.setVisible(bool(details))
        self.about.setVisible(found.n_chunks > 0 or not has_model)
        self.first.setText(
            trn(
                "Before the one that waits already",
                "Before the {n} that wait already",
                known.n_waiting,
            )
        )
        self.first.setVisible(has_model and known.n_waiting > 0 and found.n_chunks > 0)
        self.again.setVisible(has_model)
        self.settings_button.setVisible(has_model)
        self.start_button.setVisible(has_model)
        self.start_button.setEnabled(found.n_chunks > 0)
        self.models_button.setVisible(not has_model)
        main = self.start_button if has_model else self.models_button
        main.setDefault(True)
        if self.focusWidget() in (None, self.settings_button, self.cancel_button):
            main.setFocus()
        self.fit_content(WIDTH)

    def _show_error(self, error: BaseException) -> None:
        self.words.setText(tr("It can't be said how long this takes."))
        self.details.setText(describe_error(error))
        self.fit_content(WIDTH)
        if not isinstance(error, AppError):  # a bug: offer the report for copying
            self._context.messages.show_error(error)

    def _agree(self) -> None:
        self.agreed.emit(self._ids, self.first.isChecked(), self.again.isChecked())
        self.accept()

    def _open_models(self) -> None:
        self.models_wanted.emit()
        self.reject()


def as_sentence(words: str) -> str:
    """Return the text with a capital letter and a full stop."""
    begun = words[:1].upper() + words[1:]
    return begun if begun.endswith((".", "。")) else tr("{sentence}.", sentence=begun)
