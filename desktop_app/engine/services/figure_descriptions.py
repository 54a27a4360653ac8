"""Pictures of documents are described by a local model, when the user asks for it.

`FigureDescriptionService.run` describes one picture after another, most wanted first; every picture
is a checkpoint, and what is more urgent interrupts it. A description is evidence of its own kind:
it is shown and found as a model's, and is no text of the document. Corrections of the user are
kept apart, and stay when a model describes the picture again.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Sequence

from ..changes import NOTHING, ChangeNotice
from ..errors import AppError, Cancelled, EnvironmentProblem, UserError
from ..llm.protocols import VisionModel
from ..llm.trial import ModelCannotRun
from ..messages import Message
from ..model import DocumentId
from ..picture_descriptions import MAX_CHARS, MAX_TOKENS, build_picture_messages, tidy_description
from ..progress import CancelToken, Clock, Progress, ProgressCallback, ignore_progress
from ..scheduler import Priority, WorkScheduler
from ..store import documents, figure_descriptions, figures
from ..store.db import Db
from ..store.figure_descriptions import DescriptionCount
from ..store.figures import StoredFigure
from ..text.page_renderer import (
    FigurePixels,
    PageFailure,
    PageLimits,
    PageRenderer,
)
from .figure_queue import WantedFigures
from .opened_document import OpenedDocument

log = logging.getLogger(__name__)

STAGE = "descriptions"
# Pixels of the longer side: the size that models of fixed size take, and at most 1,024 tokens of
# those that take any. A larger picture is scaled down where it is drawn.
MAX_SIDE = 896
DRAW_DPI = 200.0  # of a part of a page
MAX_ATTEMPTS = 2  # at a picture that ended with the program
BLOCKED_S = 600.0  # after a problem of the machine
LIMITS = PageLimits(idle_s=600.0)  # a description may take minutes between two pictures
_UNUSABLE = Message("The model wrote nothing about this picture that can be used.")
_ENDED = Message("Inkgraph ended unexpectedly each time it described this picture.")
_GONE = Message("The document's file is missing from the library.")


class FigureDescriptionReader:
    """What the screens and commands ask about descriptions; in one thread."""

    def __init__(self, db: Db) -> None:
        self._db = db

    def count(self, document_id: int | None = None) -> DescriptionCount:
        """Return how far the pictures of a document are described, of all documents without one."""
        return figure_descriptions.count_descriptions(self._db, document_id)

    def count_waiting(self) -> int:
        return figure_descriptions.count_waiting(self._db)


class FigureDescriptionService(WantedFigures):
    """Describes pictures that wait; one run at a time, `want_…` from any thread.

    Args:
        db: the read-write connection.
        find_model: returns the model that describes pictures, None if there is none.
        scheduler: makes the work pause while more urgent work needs the processor.
        open_renderer: starts what draws pictures; it is closed at the end of each run.
    """

    def __init__(
        self,
        db: Db,
        find_model: Callable[[], VisionModel | None],
        scheduler: WorkScheduler | None = None,
        open_renderer: Callable[[], PageRenderer] = lambda: PageRenderer(LIMITS),
    ) -> None:
        super().__init__()
        self._db = db
        self._find_model = find_model
        self._scheduler = scheduler or WorkScheduler()
        self._open_renderer = open_renderer
        self._is_paused = figure_descriptions.is_paused(db)
        self._is_asked = False  # by the user, since the program began
        self._document = OpenedDocument(db)
        self._blocked_until = 0.0

    # --- the queue --------------------------------------------------------------------------------

    def queue_document(self, document_id: int, *, again: bool = False) -> ChangeNotice:
        """Let all figures of a document wait that have no description, or all of them again."""
        self.want_document(document_id)
        return self._queue(document_id, None, again)

    def queue_figure(self, document_id: int, number: int) -> ChangeNotice:
        """Let one figure wait, also if it was described before."""
        self.want_figure(document_id, number)
        return self._queue(document_id, [number], again=True)

    def _queue(self, document_id: int, numbers: Sequence[int] | None, again: bool) -> ChangeNotice:
        with self._db.transaction():
            figure_descriptions.queue_figures(self._db, document_id, numbers, again=again)
            figure_descriptions.set_paused(self._db, False)
        self._is_paused, self._is_asked = False, True
        self._blocked_until = 0.0  # the user asks for it: the problem may be solved
        return _documents([document_id])

    def leave(self, document_ids: Sequence[int] | None = None) -> ChangeNotice:
        """Take what waits out of the queue, of all documents by default."""
        with self._db.transaction():
            changed = figure_descriptions.leave_waiting(self._db, document_ids)
        return _documents(changed)

    @property
    def is_paused(self) -> bool:
        """Whether the user paused the describing of pictures."""
        return self._is_paused

    def set_paused(self, paused: bool) -> ChangeNotice:
        """Pause after the picture that is being described, or go on at the next run."""
        self._is_paused = paused
        self._is_asked = self._is_asked or not paused
        with self._db.transaction():
            figure_descriptions.set_paused(self._db, paused)
        return NOTHING

    # --- what the user says -----------------------------------------------------------------------

    def correct(self, document_id: int, number: int, text: str) -> ChangeNotice:
        """Give a picture the description that the user typed, as one undoable edit.

        The text that the model wrote takes the correction back; "" deletes the description.

        Raises:
            UserError: the picture is gone, or the text is too long.
        """
        found = figures.find_figure(self._db, document_id, number)
        if found is None:
            raise UserError("This picture is no longer in the library.", "Open its document again.")
        typed = " ".join(text.split())
        if len(typed) > 2 * MAX_CHARS:
            raise UserError(
                "The description is {n:,} characters long.",
                "Write at most {most:,}; notes on a passage have room for more.",
                n=len(typed),
                most=2 * MAX_CHARS,
            )
        if typed == found.description:
            return NOTHING
        label = Message("Correct the description of a picture")
        if not typed:
            label = Message("Delete the description of a picture")
        elif not found.description:
            label = Message("Write the description of a picture")
        with self._db.edit(label):
            figure_descriptions.write_correction(self._db, document_id, number, typed)
        return _documents([document_id])

    # --- describing -------------------------------------------------------------------------------

    def run(
        self,
        *,
        cancel: CancelToken | None = None,
        on_progress: ProgressCallback = ignore_progress,
        on_change: Callable[[ChangeNotice], None] = lambda change: None,
    ) -> None:
        """Describe pictures until none waits.

        Raises:
            Cancelled: the token was set; what was described stays, and a later run continues.
            EnvironmentProblem: no model describes pictures, or it can't run here.
        """
        if not self._db.is_writable or self._find_next() is None:
            return
        if time.monotonic() < self._blocked_until:
            return
        model: VisionModel | None = None
        renderer: PageRenderer | None = None
        try:
            with self._scheduler.hold(Priority.ENRICHMENT, cancel) as permit, permit.suspended():
                model = self._find_model()
                if model is None and not self._is_asked:
                    return  # left over from an earlier run of the program
                if model is None:
                    raise EnvironmentProblem(
                        "There is no model that describes pictures.",
                        "Add a model and its projector on the Models screen.",
                    )
                renderer = self._open_renderer()
                n_waiting = figure_descriptions.count_waiting(self._db)
                each_s = figure_descriptions.measure_seconds(self._db)
                clock = Clock(n_waiting, seconds_each=each_s)
                n_done = 0
                while (key := self._find_next()) is not None:
                    clock.leave_out(permit.checkpoint())
                    on_progress(self._build_progress(key[0], n_done, clock))
                    with permit.step() as token:
                        is_settled = self._describe(model, renderer, *key, token)
                    permit.cancel.check()
                    if is_settled:
                        n_done += 1
                        clock.tick()
                    on_change(_documents([key[0]]))
        except EnvironmentProblem:
            self._blocked_until = time.monotonic() + BLOCKED_S
            raise
        finally:
            self._document.forget()
            if renderer is not None:
                renderer.close()
            if model is not None:
                model.release()

    def _find_next(self) -> tuple[int, int] | None:
        if self._is_paused:
            return None
        return figure_descriptions.find_waiting(self._db, *self.list_wanted())

    def _build_progress(self, document_id: int, n_done: int, clock: Clock) -> Progress:
        n_left = figure_descriptions.count_waiting(self._db)
        clock.set_left(n_left)
        total, document = n_done + n_left, DocumentId(document_id)
        return Progress(STAGE, n_done, total, clock.rate, clock.left_s, document)

    def _describe(
        self,
        model: VisionModel,
        renderer: PageRenderer,
        document_id: int,
        number: int,
        cancel: CancelToken,
    ) -> bool:
        """Describe one picture; return whether that is settled, not interrupted."""
        with self._db.transaction():
            n_attempts = figure_descriptions.count_attempt(self._db, document_id, number)
        found = figures.find_figure(self._db, document_id, number)
        if found is None or n_attempts > MAX_ATTEMPTS:
            return self._fail(document_id, number, _ENDED)
        started = time.monotonic()
        drawn: FigurePixels | None = None
        try:
            drawn = self._draw(renderer, found, cancel)
            if drawn is None:
                return self._fail(document_id, number, _GONE)
            text = self._ask(model, found, drawn, cancel)
            seconds = time.monotonic() - started
            log.info("a picture of document %d was described in %.1f s", document_id, seconds)
            if not (tidy := tidy_description(text)):
                return self._fail(document_id, number, _UNUSABLE)
            with self._db.transaction():
                figure_descriptions.store_description(
                    *(self._db, document_id, number, tidy),
                    model=model.name,
                    at=time.time(),
                    seconds=seconds,
                )
            return True
        except Cancelled:
            self._document.forget()
            self._take_back(document_id, number)
            return False
        except PageFailure as failure:
            if failure.is_final:
                return self._fail(document_id, number, failure.full_message)
            return False
        except AppError as error:
            is_closing = cancel.cancelled  # the model was ended with the program
            is_general = isinstance(error, ModelCannotRun) or drawn is None
            if is_closing or (is_general and isinstance(error, EnvironmentProblem)):
                self._take_back(document_id, number)
                if is_closing:
                    return False
                raise
            return self._fail(document_id, number, error.full_message)
        except BaseException:
            self._take_back(document_id, number)
            raise

    def _draw(
        self, renderer: PageRenderer, found: StoredFigure, cancel: CancelToken
    ) -> FigurePixels | None:
        """Return a picture with at most `MAX_SIDE` pixels a side, None if its file is gone."""
        opened = self._document.open(renderer, found.document_id)
        if opened is None:
            return None
        with cancel.notifying(opened.close):
            cancel.check()
            return opened.draw_figure(found.figure, MAX_SIDE, DRAW_DPI)

    def _ask(
        self, model: VisionModel, found: StoredFigure, drawn: FigurePixels, cancel: CancelToken
    ) -> str:
        """Return what the model writes about a picture, "" if it only repeats itself."""
        row = documents.find_document(self._db, found.document_id)
        described = model.describe(
            build_picture_messages(found.caption or found.figure.alt, row.language if row else ""),
            drawn.pixels,
            drawn.width,
            drawn.height,
            max_tokens=MAX_TOKENS,
            cancel=cancel,
        )
        # A repetition may follow a sentence, but nothing says where it began.
        return "" if described.ended == "loop" else described.text

    def _fail(self, document_id: int, number: int, reason: Message) -> bool:
        with self._db.transaction():
            figure_descriptions.fail_description(self._db, document_id, number, reason)
        return True

    def _take_back(self, document_id: int, number: int) -> None:
        with self._db.transaction():
            figure_descriptions.count_attempt(self._db, document_id, number, -1)


def _documents(document_ids: Iterable[int]) -> ChangeNotice:
    return ChangeNotice(documents=frozenset(map(DocumentId, document_ids)))
