"""The way from "Index again…" to the queue: asks how, then has documents read again.

Owns the sheet; knows nothing of lists and menus.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QLineEdit, QSpinBox, QWidget

from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.errors import UserError
from desktop_app.engine.services.preferences import Preferences
from desktop_app.engine.settings import Option, options_of
from desktop_app.engine.text.chunking import ChunkingSettings
from desktop_app.workers.operations import Query

from ..language import tr, tr_said, trn
from ..widgets import Button, Label, PrimaryButton, format_number
from ..widgets.sheet import Sheet

WIDTH = 520


class IndexAgainDialog(Sheet):
    """Emits `wanted` with the settings; with None where they stay as each document has them.

    Args:
        cut: how all the documents are cut now; None where they differ.
        usual: how new documents are cut.
        n_enriched: passages of theirs that a model has gone over.
    """

    wanted = Signal(object)

    def __init__(
        self,
        n_documents: int,
        cut: ChunkingSettings | None,
        usual: ChunkingSettings,
        n_enriched: int = 0,
        parent: QWidget | None = None,
    ) -> None:
        title = trn("Index again", "Index {n} documents again", n_documents)
        super().__init__(title, parent)
        self._cut, self._usual = cut, usual
        told = tr(
            "The text is read again and its names are found again. "
            "Your corrections, highlights and details stay."
        )
        self.add(Label(told, "muted", wrap=True))
        body = QWidget()
        form = QFormLayout(body)
        form.setContentsMargins(0, 0, 0, 0)
        form.setVerticalSpacing(8)
        form.setHorizontalSpacing(16)
        self.fields: dict[str, QWidget] = {}
        for option in options_of(ChunkingSettings):
            field = self.fields[option.name] = _build_field(option)
            label = tr_said(option.label)
            field.setAccessibleName(label)
            field.setToolTip(tr_said(option.help))
            form.addRow(Label(label, "muted"), field)
        self.add(body)
        self.hint = Label("", "small", wrap=True)
        self.add(self.hint)
        self._n_enriched = n_enriched
        cancel, self.agree = Button(tr("Cancel")), PrimaryButton(tr("Index again"))
        self.as_usual = Button(tr("As for new documents"))
        self.as_usual.clicked.connect(lambda: self._show(self._usual))
        cancel.clicked.connect(self.reject)
        self.agree.clicked.connect(self._give)
        self.add_foot([cancel, self.agree], [self.as_usual], line=True)
        self._show(cut or usual)
        for name, field in self.fields.items():
            changed = {
                "mode": lambda f=field: f.currentIndexChanged,
                "separator": lambda f=field: f.textChanged,
            }.get(name, lambda f=field: f.valueChanged)()
            changed.connect(lambda *_: self._tell())
        self._tell()
        self.setFixedWidth(WIDTH)

    @property
    def settings(self) -> ChunkingSettings:
        """What the fields say now."""
        values: dict[str, Any] = {}
        for name, field in self.fields.items():
            if isinstance(field, QComboBox):
                values[name] = field.currentData()
            elif isinstance(field, QSpinBox):
                values[name] = field.value()
            elif isinstance(field, QLineEdit):
                values[name] = field.text().replace("\\n", "\n").replace("\\t", "\t")
        return replace(self._usual, **values)

    def _show(self, settings: ChunkingSettings) -> None:
        for name, field in self.fields.items():
            value = getattr(settings, name)
            if isinstance(field, QComboBox):
                field.setCurrentIndex(max(0, field.findData(value)))
            elif isinstance(field, QSpinBox):
                field.setValue(value)
            elif isinstance(field, QLineEdit):
                field.setText(value.replace("\n", "\\n").replace("\t", "\\t"))

    def _tell(self) -> None:
        """Say what the fields mean for what is there, and whether they go together."""
        now = self.settings
        self.fields["separator"].setEnabled("separator" in now.mode)
        self.fields["chunk_token_size"].setEnabled(now.mode != "separator")
        self.as_usual.setVisible(now != self._usual)
        problem = _problem(now)
        self.agree.setEnabled(not problem)
        hints = []
        if problem:
            hints.append(problem)
        elif self._cut is None and now == self._usual:
            hints.append(tr("These documents are cut in different ways now; they become alike."))
        if self._n_enriched and now != self._cut:
            hints.append(
                trn(
                    "{n} passage is enriched; where its text changes, it has to be enriched again.",
                    "{n} passages are enriched; where their text changes, they have to be "
                    "enriched again.",
                    self._n_enriched,
                )
            )
        self.hint.set_role("bad" if problem else "small")
        self.hint.setText(" ".join(hints))
        self.hint.setVisible(bool(hints))

    def _give(self) -> None:
        now = self.settings
        self.wanted.emit(None if now == self._cut else now)
        self.accept()


def _problem(settings: ChunkingSettings) -> str:
    try:
        settings.check()
    except UserError as error:
        return f"{tr_said(error.message)} {tr_said(error.hint)}"
    if "separator" in settings.mode and not settings.separator:
        return tr("Type what separates the passages.")
    return ""


def _build_field(option: Option) -> QWidget:
    if option.kind == "choice":
        box = QComboBox()
        for value, words in option.choices:
            box.addItem(tr_said(words), value)
        return box
    if option.kind == "number":
        spin = QSpinBox()
        spin.setProperty("arrows", "true")
        spin.setRange(0 if option.zero else option.least, option.most)
        spin.setSingleStep(50)
        spin.setGroupSeparatorShown(True)
        if option.zero:
            spin.setSpecialValueText(tr_said(option.zero))
        if option.unit:
            spin.setSuffix(f" {tr_said(option.unit)}")
        spin.setToolTip(f"{format_number(option.least)}–{format_number(option.most)}")
        return spin
    return QLineEdit()


class IndexAgain(QObject):
    """Asks how documents are to be cut and queues them.

    Args:
        count_enriched: how many passages of documents a model has gone over.
        start: has the queue worked off.
    """

    def __init__(
        self,
        context: Any,
        window: QWidget,
        count_enriched: Callable[[list[int]], int],
        start: Callable[[], object],
    ) -> None:
        super().__init__(window)
        self._context, self._window = context, window
        self._count_enriched, self._start = count_enriched, start
        self.sheet: IndexAgainDialog | None = None

    def ask(self, document_ids: Sequence[int]) -> None:
        """Show how documents are cut now, to be changed."""
        ids = list(document_ids)
        if not ids:
            return
        work = self._context.library_work

        def look() -> tuple[ChunkingSettings | None, ChunkingSettings]:
            usual = Preferences().reading
            return work.find_common_chunking(ids, usual), usual

        def show(found: tuple[ChunkingSettings | None, ChunkingSettings]) -> None:
            cut, usual = found
            n_enriched = self._count_enriched(ids)
            sheet = self.sheet = IndexAgainDialog(len(ids), cut, usual, n_enriched, self._window)
            sheet.wanted.connect(lambda chunking: self.run(ids, chunking))
            sheet.open()

        Query(self._context.writer_lane, look, owner=self).on_success(show).run()

    def run(self, document_ids: list[int], chunking: ChunkingSettings | None = None) -> None:
        """Queue documents to be read again; None leaves how they are cut."""

        def done(change: ChangeSet) -> None:
            self._context.hub.tell(change)
            self._start()
            told = trn(
                "{n} document is indexed again.", "{n} documents are indexed again.", len(ids)
            )
            self._context.messages.show(told, kind="ok")

        ids = document_ids
        reindex = self._context.library_work.reindex_documents
        query = Query(self._context.writer_lane, reindex, ids, chunking, owner=self)
        query.on_success(done).run()
