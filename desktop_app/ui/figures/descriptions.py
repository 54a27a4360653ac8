"""Descriptions of pictures: their labels, and what the user does with them.

A description is never shown without who wrote it. `FigureDescriber` asks, queues and corrects; the
service describes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.durations import format_estimate
from desktop_app.engine.llm.registry import ModelRow
from desktop_app.engine.picture_descriptions import MAX_CHARS
from desktop_app.engine.store.figure_descriptions import DescriptionCount
from desktop_app.engine.store.figures import StoredFigure
from desktop_app.engine.store.sheet_drafts import DraftKey
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..translation import tr, tr_message, trn
from ..widgets import Button, Label, PrimaryButton, format_when
from ..widgets.sheet import Sheet
from ..widgets.words import join_sentences

SHEET_WIDTH = 480
FIELD_HEIGHT = 120


def label_description(figure: StoredFigure) -> str:
    """Return who wrote the description of a figure, "" without one."""
    if not figure.description:
        return ""
    if figure.described_by:
        return tr("Description by a model ({name})", name=figure.described_by)
    return tr("Your description")


def format_description(figure: StoredFigure, *, with_date: bool = False) -> tuple[str, str]:
    """Return the label and the text of a figure's description, or why there is none yet."""
    if figure.description:
        label = label_description(figure)
        if with_date and figure.described_by and figure.described_at:
            label = f"{label} · {format_when(figure.described_at)}"
        return label, figure.description
    if figure.describing == "waiting":
        return tr("Waits for its description"), ""
    if figure.describing == "failed":
        return tr("No description"), tr_message(figure.failure)
    return "", ""


def speak_description(figure: StoredFigure) -> str:
    """Return label and description in one line, for tooltips and screen readers."""
    return ": ".join(part for part in format_description(figure) if part)


class DescribeSheet(Sheet):
    """Says what describing the pictures of a document costs, and asks whether to do it."""

    def __init__(
        self,
        model: ModelRow,
        count: DescriptionCount,
        on_accept: Callable[[bool], None],
        parent: QWidget | None = None,
    ) -> None:
        n_left = count.n_open or count.n_figures
        super().__init__(trn("Describe {n} picture?", "Describe {n} pictures?", n_left), parent)
        is_again = not count.n_open
        if is_again:
            text = tr(
                "All pictures of this document were described or tried. {model} describes them "
                "again; your own descriptions stay.",
                model=model.chat_title,
            )
        else:
            text = tr(
                "{model} writes one or two sentences about each picture. They are marked as a "
                "model's, are found by search, and are never quoted as words of the document.",
                model=model.chat_title,
            )
        self.add(Label(text, wrap=True))
        self.time = Label(describe_time(count, n_left), "muted", wrap=True)
        self.add(self.time)
        cancel, self.start_button = Button(tr("Cancel")), PrimaryButton(tr("Describe"))
        cancel.clicked.connect(self.reject)
        self.start_button.clicked.connect(self.accept)
        self.accepted.connect(lambda: on_accept(is_again))
        self.add_foot([cancel, self.start_button])
        self.fit_content(SHEET_WIDTH)


def describe_time(count: DescriptionCount, n: int) -> str:
    """Return how long it takes to describe so many pictures, by what was measured."""
    waits = tr("It goes on in the background, and waits while you ask or read.")
    if not count.seconds_each:
        unknown = tr(
            "Each picture takes from some seconds to some minutes on this computer; after the "
            "first, the time that is left is shown."
        )
        return join_sentences([unknown, waits])
    took = tr(
        "At the speed of the last pictures it takes {time}.",
        time=tr_message(format_estimate(n * count.seconds_each)),
    )
    return join_sentences([took, waits])


class DescriptionSheet(Sheet):
    """Lets the user write, correct or delete the description of a picture."""

    def __init__(
        self,
        figure: StoredFigure,
        on_save: Callable[[str], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(tr("Description of the picture"), parent)
        label = label_description(figure)
        if label:
            self.add(Label(label, "small", wrap=True))
        self.field = QPlainTextEdit(figure.description)
        self.field.setAccessibleName(tr("Description of the picture"))
        self.field.setProperty("kind", "field")  # not shown
        self.field.setTabChangesFocus(True)
        self.field.setFixedHeight(FIELD_HEIGHT)
        self.add(self.field)
        hint = tr("Yours is shown instead of a model's, also when a model describes it again.")
        self.add(Label(hint, "muted", wrap=True))
        self.delete_button = Button(tr("Delete the description"))
        self.delete_button.setVisible(bool(figure.description))
        cancel, self.save_button = Button(tr("Cancel")), PrimaryButton(tr("Save"))
        cancel.clicked.connect(self.reject)
        self.save_button.clicked.connect(lambda: self._end(on_save, self.field.toPlainText()))
        self.delete_button.clicked.connect(lambda: self._end(on_save, ""))
        self.field.textChanged.connect(self._check)
        self.register_fields(text=self.field)
        self.add_foot([cancel, self.save_button], [self.delete_button])
        self.fit_content(SHEET_WIDTH)
        self._check()
        self.field.setFocus()

    def _check(self) -> None:
        n = len(self.field.toPlainText().strip())
        self.save_button.setEnabled(0 < n <= 2 * MAX_CHARS)

    def _end(self, on_save: Callable[[str], None], text: str) -> None:
        self.accept()
        on_save(text)


class FigureDescriber(QObject):
    """Describes figures on the user's word, and takes the user's own descriptions.

    Attributes:
        model: the model that describes pictures, None if there is none, or before `find_model`.
    """

    def __init__(self, context: SessionContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context, self._window = context, parent
        self.model: ModelRow | None = None

    def find_model(self, then: Callable[[], None]) -> None:
        """Look whether a model can describe pictures, and call `then`."""

        def take(row: ModelRow | None) -> None:
            self.model = row
            then()

        self._read(self._context.model_registry.find_vision_row, then=take)

    def count(self, document_id: int, then: Callable[[DescriptionCount], None]) -> None:
        """Call `then` with how far the pictures of a document are described."""
        self._read(self._context.description_reader.count, document_id, then=then)

    def ask_for_document(self, document_id: int) -> None:
        """Ask whether the pictures of a document are to be described, and do it."""

        def start(is_again: bool) -> None:
            service = self._context.descriptions
            self._write(service.queue_document, document_id, again=is_again, then=self._start)

        def ask(count: DescriptionCount) -> None:
            if self.model is not None and count.n_figures:
                DescribeSheet(self.model, count, start, self._window.window()).open()

        self.count(document_id, ask)

    def describe_figure(self, figure: StoredFigure) -> None:
        """Let a model describe one figure next, also if it was described before."""
        self._write(self._context.descriptions.queue_figure, *figure.key, then=self._start)

    def edit_description(self, figure: StoredFigure) -> DescriptionSheet:
        """Let the user write or correct the description of a figure."""
        sheet = DescriptionSheet(
            figure, lambda text: self.save(figure, text, then=drop), self._window.window()
        )
        key = DraftKey("figure", "document", figure.document_id, part=str(figure.number))
        drop = self._context.draft_keeper.attach(sheet, key)
        sheet.open()
        return sheet

    def save(
        self, figure: StoredFigure, text: str, then: Callable[[], None] = lambda: None
    ) -> None:
        """Give a figure the user's description; "" deletes it. Both can be undone."""
        self._write(self._context.descriptions.correct, *figure.key, text, then=then)

    def _start(self) -> None:
        self._context.description_runner.start()

    def _write(
        self,
        work: Callable[..., ChangeNotice],
        *args: Any,
        then: Callable[[], None] = lambda: None,
        **more: Any,
    ) -> None:
        def done(change: ChangeNotice) -> None:
            if change:
                self._context.hub.publish_edit(change)
            then()

        query = Query(self._context.writer_lane, lambda: work(*args, **more), owner=self)
        query.on_success(done).run()

    def _read(self, work: Callable[..., Any], *args: Any, then: Callable[[Any], None]) -> None:
        Query(self._context.reader_lane, work, *args, owner=self).on_success(then).run()
