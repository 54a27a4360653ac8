"""The prompt tuning dialog: reads a sample, shows a proposal to edit, and asks for acceptance.

Runs the given sampling function in the model lane; emits the accepted proposal as a signal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from desktop_app.engine.errors import AppError
from desktop_app.engine.extraction.llm.tasks import EnrichSettings
from desktop_app.engine.progress import CancelToken, Progress, ProgressCallback
from desktop_app.engine.services.enrichment.tuning import Proposal
from desktop_app.engine.settings import options_of
from desktop_app.workers.operations import Work

from ..language import tr, tr_message, trn
from ..messages import describe_error
from ..widgets import Button, EmptyState, Label, PrimaryButton, ProgressLine, clear_layout
from ..widgets.option_form import OptionForm, ParagraphEditor
from ..widgets.sheet import MARGIN, Sheet, inset, scrolling
from .words import WORD_FORMATS

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
        self.use_button = PrimaryButton(tr("Use these"))
        self.again_button = Button(tr("Look again"))
        self.add_foot([self.cancel_button, self.use_button], [self.again_button], line=True)
        self.fit(620, 660)
        self.cancel_button.clicked.connect(self.reject)
        self.again_button.clicked.connect(self.look)
        self.use_button.clicked.connect(self._use)
        self._job = None
        self.look()

    def _build_waiting(self) -> QWidget:
        self.step = Label("", "muted")
        self.line = ProgressLine()
        page = QWidget()
        inner = QVBoxLayout()
        inner.setSpacing(8)
        inner.addStretch(2)
        inner.addWidget(Label(tr("Reading a few passages of your documents"), "strong"))
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
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
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
        column.addLayout(inset(self.origin))
        self.notes.setContentsMargins(MARGIN, 0, MARGIN, 0)
        column.addLayout(self.notes)
        column.addWidget(scrolling(self.form), 1)
        return page

    # --- looking --------------------------------------------------------------------------------

    def look(self) -> None:
        """Read a sample; the result replaces the contents of the dialog."""
        if self._job is not None:
            return
        self.stack.setCurrentIndex(0)
        self.line.set_share(None)
        self.step.setText(tr("This takes a minute or two; you may close this and come back."))
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
        text = tr("Something went wrong. Look again?")
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
            notes = " ".join(tr_message(note) for note in proposal.notes)
            self.failed.set_texts(tr("Nothing to look at yet"), notes, "library")
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
