"""Indexing documents again: the dialog for the chunking settings and the request to the queue.

Owns the dialog; knows no lists and no menus.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.errors import UserError
from desktop_app.engine.services.preferences import Preferences
from desktop_app.engine.settings import NOW, options_of
from desktop_app.engine.text.chunking import ChunkingSettings
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..theme.theme import Theme
from ..translation import tr, tr_message, trn
from ..widgets import Button, Label, PrimaryButton
from ..widgets.option_form import OptionForm
from ..widgets.sheet import Sheet
from ..widgets.words import join_sentences

WIDTH = 600


class IndexAgainDialog(Sheet):
    """Asks for chunking settings; `submitted` carries them, or None to keep those of each document.

    Args:
        current: the chunking settings of all the documents; None if they differ.
        default: the chunking settings of new documents.
        n_enriched: number of their enriched passages.
    """

    submitted = Signal(object)

    def __init__(
        self,
        theme: Theme,
        n_documents: int,
        current: ChunkingSettings | None,
        default: ChunkingSettings,
        n_enriched: int = 0,
        parent: QWidget | None = None,
    ) -> None:
        title = trn("Index again", "Index {n} documents again", n_documents)
        super().__init__(title, parent)
        self._current, self._default = current, default
        explanation = tr(
            "Text and names are extracted again. Your corrections, highlights and details are kept."
        )
        self.add(Label(explanation, "muted", wrap=True))
        options = [replace(option, applies=NOW) for option in options_of(ChunkingSettings)]
        self.form = OptionForm(theme, options)
        self.add(self.form)
        self.hint = Label("", "small", wrap=True)
        self.add(self.hint)
        self._n_enriched = n_enriched
        cancel, self.agree = Button(tr("Cancel")), PrimaryButton(tr("Index again"))
        self.use_default = Button(tr("Same as for new documents"))
        self.use_default.clicked.connect(self._reset)
        cancel.clicked.connect(self.reject)
        self.agree.clicked.connect(self._submit)
        self.add_foot([cancel, self.agree], [self.use_default], line=True)
        self.form.set_values(current or default)
        self.form.changed.connect(lambda _: self._update())
        self._update()
        self.fit_content(WIDTH)

    def event(self, event: QEvent) -> bool:
        """Keep the height of the texts, of which some appear later."""
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.fit_content(WIDTH)
        return done

    @property
    def settings(self) -> ChunkingSettings:
        """The settings in the form."""
        return ChunkingSettings(**self.form.values())

    def _reset(self) -> None:
        self.form.set_values(self._default)
        self._update()

    def _update(self) -> None:
        """Enable the fields that apply, and show a problem or the effect on enriched passages."""
        now = self.settings
        self.form.rows["separator"].setEnabled("separator" in now.mode)
        self.form.rows["chunk_token_size"].setEnabled(now.mode != "separator")
        self.use_default.setVisible(now != self._default)
        problem = _problem(now)
        self.agree.setEnabled(not problem)
        hints = []
        if problem:
            hints.append(problem)
        elif self._current is None and now == self._default:
            hints.append(
                tr(
                    "These documents are split in different ways. "
                    "Afterwards, all are split in the same way."
                )
            )
        if self._n_enriched and now != self._current:
            hints.append(
                trn(
                    "{n} passage is enriched; where its text changes, it has to be enriched again.",
                    "{n} passages are enriched; where their text changes, they have to be "
                    "enriched again.",
                    self._n_enriched,
                )
            )
        self.hint.set_role("bad" if problem else "small")
        self.hint.setText(join_sentences(hints))
        self.hint.setVisible(bool(hints))

    def _submit(self) -> None:
        if not self.form.commit() or not self.agree.isEnabled():
            return
        now = self.settings
        self.submitted.emit(None if now == self._current else now)
        self.accept()


def _problem(settings: ChunkingSettings) -> str:
    try:
        settings.check()
    except UserError as error:
        return tr_message(error.full_message)
    if "separator" in settings.mode and not settings.separator:
        return tr("Enter the separator between passages.")
    return ""


class IndexAgain(QObject):
    """Asks for chunking settings and adds documents to the queue.

    Args:
        window: the widget over which the dialog opens.
        count_enriched: returns the number of enriched passages of documents.
        start: starts the queue.
    """

    def __init__(
        self,
        context: SessionContext,
        window: QWidget,
        count_enriched: Callable[[list[int]], int],
        start: Callable[[], object],
    ) -> None:
        super().__init__(window)
        self._context, self._window = context, window
        self._count_enriched, self._start = count_enriched, start
        self.sheet: IndexAgainDialog | None = None

    def ask(self, document_ids: Sequence[int]) -> None:
        """Show the current chunking settings of documents in the dialog."""
        ids = list(document_ids)
        if not ids:
            return
        work = self._context.documents

        def fetch() -> tuple[ChunkingSettings | None, ChunkingSettings]:
            default = Preferences().reading
            return work.find_common_chunking(ids, default), default

        def show(found: tuple[ChunkingSettings | None, ChunkingSettings]) -> None:
            current, default = found
            n_enriched = self._count_enriched(ids)
            sheet = IndexAgainDialog(
                self._context.theme, len(ids), current, default, n_enriched, self._window
            )
            self.sheet = sheet
            sheet.submitted.connect(lambda chunking: self.run(ids, chunking))
            sheet.open()

        Query(self._context.writer_lane, fetch, owner=self).on_success(show).run()

    def run(self, document_ids: list[int], chunking: ChunkingSettings | None = None) -> None:
        """Add documents to the queue; None keeps their chunking settings."""

        def done(change: ChangeNotice) -> None:
            self._context.hub.publish_edit(change)
            self._start()
            text = trn(
                "{n} document is indexed again.", "{n} documents are indexed again.", len(ids)
            )
            self._context.messages.show(text, kind="ok")

        ids = document_ids
        reindex = self._context.documents.reindex_documents
        query = Query(self._context.writer_lane, reindex, ids, chunking, owner=self)
        query.on_success(done).run()
