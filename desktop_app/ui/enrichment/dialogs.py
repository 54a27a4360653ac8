"""The dialogs of enrichment: the start with an estimate, the settings, and prompt tuning.

They read in the reader or the model lane and emit what the user confirmed; they start and save
nothing themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import Any, NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from desktop_app.engine.errors import AppError
from desktop_app.engine.extraction.llm.tasks import EnrichSettings
from desktop_app.engine.progress import CancelToken, Progress, ProgressCallback
from desktop_app.engine.services.enrichment.tuning import Proposal
from desktop_app.engine.settings import options_of
from desktop_app.workers.lane import Job
from desktop_app.workers.operations import Query, Work

from ..messages import describe_error
from ..translation import later, tr, tr_message, trn
from ..widgets import Button, EmptyState, Label, PrimaryButton, ProgressLine, clear_layout
from ..widgets.layout import build_column
from ..widgets.option_form import OptionForm, ParagraphEditor
from ..widgets.sheet import MARGIN, Sheet, inset, scrolling
from ..widgets.words import join_sentences, join_words
from .words import WORD_FORMATS

ABOUT = later(
    "The model reads passage by passage, finds kinds of connections and writes descriptions. The "
    "graph can be used meanwhile."
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
        self.words = Label(tr("Estimating…"), "strong", wrap=True)
        self.details = Label("", "muted", wrap=True)
        self.about = Label(tr(ABOUT), "muted", wrap=True)
        self.first = QCheckBox(tr("Before the rest of the queue"))
        self.again = QCheckBox(tr("Include passages that this model has enriched"))
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
            self._context.library_models.chat_model_name(),
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
                "{details}. The time is a rough estimate.",
                details=details,
            )
        self.details.setText(details)
        self.details.setVisible(bool(details))
        self.about.setVisible(found.n_chunks > 0 or not has_model)
        self.first.setText(
            trn(
                "Before the waiting passage",
                "Before the {n} waiting passages",
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
        self.words.setText(tr("The time cannot be estimated."))
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


class EnrichmentSettingsDialog(Sheet):
    """Emits `kept` with the settings that the user saved."""

    kept = Signal(object)
    suggestion_wanted = Signal()

    def __init__(self, context: Any, parent: QWidget | None = None) -> None:
        super().__init__(tr("Enrichment settings"), parent)
        self._context = context
        self._settings = EnrichSettings()
        options = options_of(EnrichSettings)
        self.form = OptionForm(context.theme, options, word_formats=WORD_FORMATS)
        self.column.addWidget(scrolling(self.form), 1)
        self.suggest_button = Button(
            tr("Suggest from my library…"), tooltip=tr("Analyse a sample of the documents")
        )
        self.defaults_button = Button(tr("Reset"), kind="quiet", tooltip=tr("Reset to defaults"))
        self.cancel_button = Button(tr("Cancel"))
        self.save_button = PrimaryButton(tr("Save"))
        self.add_foot(
            [self.cancel_button, self.save_button],
            [self.suggest_button, self.defaults_button],
            line=True,
        )
        self.fit(620, 700)
        self.suggest_button.clicked.connect(self.suggestion_wanted)
        self.defaults_button.clicked.connect(lambda: self.form.set_values(EnrichSettings()))
        self.cancel_button.clicked.connect(self.reject)
        self.save_button.clicked.connect(self._save)
        self.form.set_values(self._settings)
        self.refresh()

    def refresh(self) -> None:
        """Show the saved settings of the library."""
        service = self._context.enrichment_reader
        query = Query(self._context.reader_lane, service.load_settings, owner=self)
        query.on_success(self.show_settings).run()

    def show_settings(self, settings: EnrichSettings) -> None:
        self._settings = settings
        self.form.set_values(settings)

    def _save(self) -> None:
        if not self.form.commit():
            return
        settings = replace(self._settings, **self.form.values())
        if settings != self._settings:
            self.kept.emit(settings)
        self.accept()


Propose = Callable[[CancelToken, ProgressCallback], Proposal]


class SuggestionDialog(Sheet):
    """Starts sampling at once; emits `accepted` with the proposal as the user edited it."""

    accepted_proposal = Signal(object)

    def __init__(self, context: Any, propose: Propose, parent: QWidget | None = None) -> None:
        super().__init__(tr("Suggested for this library"), parent)
        self._context = context
        self._propose = propose
        self._proposal = Proposal()
        self.stack = QStackedWidget()
        self.stack.addWidget(self._build_waiting())
        self.stack.addWidget(self._build_form())
        self.failed = EmptyState(context.theme, "warning-circle", tr("No suggestion"))
        self.stack.addWidget(self.failed)
        self.column.addWidget(self.stack, 1)
        self.cancel_button = Button(tr("Cancel"))
        self.use_button = PrimaryButton(tr("Use these settings"))
        self.again_button = Button(tr("Suggest again"))
        self.add_foot([self.cancel_button, self.use_button], [self.again_button], line=True)
        self.fit(620, 660)
        self.cancel_button.clicked.connect(self.reject)
        self.again_button.clicked.connect(self.look)
        self.use_button.clicked.connect(self._use)
        self._job: Job | None = None
        self.look()

    def _build_waiting(self) -> QWidget:
        self.step = Label("", "muted")
        self.line = ProgressLine()
        page = QWidget()
        inner = QVBoxLayout()
        inner.setSpacing(8)
        inner.addStretch(2)
        inner.addWidget(Label(tr("Reading sample passages"), "strong"))
        inner.addWidget(self.line)
        inner.addWidget(self.step)
        inner.addStretch(3)
        row = QHBoxLayout(page)
        row.addStretch(1)
        row.addLayout(inner, 4)
        row.addStretch(1)
        return page

    def _build_form(self) -> QWidget:
        page = QWidget()
        self.origin = Label("", "muted", wrap=True)
        self.notes = QVBoxLayout()
        self.notes.setSpacing(4)
        proposed = {field.name for field in fields(Proposal)}
        options = [
            replace(option, section="")
            for option in options_of(EnrichSettings)
            if option.name in proposed
        ]
        self.form = OptionForm(self._context.theme, options, word_formats=WORD_FORMATS)
        example = self.form.rows["example"].editor
        assert isinstance(example, ParagraphEditor)
        example.set_text_height(168)  # the longest part of the proposal
        self.notes.setContentsMargins(MARGIN, 0, MARGIN, 0)
        build_column(inset(self.origin), self.notes, (scrolling(self.form), 1), parent=page)
        return page

    # --- looking --------------------------------------------------------------------------------

    def look(self) -> None:
        """Read a sample; the result replaces the contents of the dialog."""
        if self._job is not None:
            return
        self.stack.setCurrentIndex(0)
        self.line.set_share(None)
        self.step.setText(tr("This takes a minute or two."))
        self.use_button.setEnabled(False)
        self.again_button.hide()
        work = Work(
            self._context.model_lane,
            lambda job: self._propose(job.cancel_token, job.report),
            owner=self,
            label="tuning",
        )
        work.on_progress(self._show_progress).on_success(self.show_proposal)
        work.on_error(self._show_failure).on_end(self._ended)
        self._job = work.job
        work.run()

    def _show_progress(self, progress: Progress) -> None:
        if progress.total:
            self.line.set_share(progress.done / progress.total)
            self.step.setText(
                trn(
                    "{done} of {n} passage",
                    "{done} of {n} passages",
                    progress.total,
                    done=progress.done,
                )
            )

    def _show_failure(self, error: BaseException) -> None:
        text = tr("Something went wrong. Try again?")
        if isinstance(error, AppError):
            text = describe_error(error)
        self.failed.set_texts(tr("No suggestion"), text)
        self.stack.setCurrentWidget(self.failed)
        self._context.messages.show_error(error)

    def _ended(self) -> None:
        self._job = None
        self.again_button.show()

    def show_proposal(self, proposal: Proposal) -> None:
        """Show the proposal for editing."""
        self._proposal = proposal
        if not proposal.n_passages:
            notes = join_sentences(tr_message(note) for note in proposal.notes)
            self.failed.set_texts(tr("No documents to analyse"), notes, "library")
            self.stack.setCurrentWidget(self.failed)
            return
        asked = tr("by rules, without a model")
        if proposal.model:
            asked = tr("asking {model}", model=proposal.model)
        self.origin.setText(
            trn(
                "From {n} passage, {asked}. Change what does not fit.",
                "From {n} passages, {asked}. Change what does not fit.",
                proposal.n_passages,
                asked=asked,
            )
        )
        clear_layout(self.notes)
        for note in proposal.notes:
            self.notes.addWidget(Label(tr_message(note), "small", wrap=True))
        self.form.set_values(proposal)
        self.use_button.setEnabled(True)
        if self.focusWidget() in (None, self.cancel_button, self.again_button):
            self.use_button.setFocus()
        self.stack.setCurrentIndex(1)

    # --- ending ---------------------------------------------------------------------------------

    def _use(self) -> None:
        if self.form.commit():
            self.accepted_proposal.emit(replace(self._proposal, **self.form.values()))
            self.accept()

    def done(self, result: int) -> None:
        if self._job is not None:
            self._job.cancel()
        super().done(result)
