"""Retrieval for a question while it is still typed, so that its passages are shown at once.

`QuestionPrefetch` owns the pause in typing after which the passages of the text are retrieved, the
longer one after which the chat model reads the prompt, and the result until the question is asked
or changed. Shows nothing; runs only while no question is being answered.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from PySide6.QtCore import QObject, QTimer

from desktop_app.engine.errors import AppError
from desktop_app.engine.model import RetrievalResult
from desktop_app.engine.query import QueryParam
from desktop_app.workers.lane import Job
from desktop_app.workers.operations import Work

from ..context import SessionContext
from ..widgets.modes import BYPASS
from .composer import QuestionBox, split_commands

PAUSE_MS = 300
READ_AFTER_MS = 700  # after the retrieval: a model that reads is stopped less quickly
Asked = tuple[int | None, str, QueryParam]


class QuestionPrefetch(QObject):
    """Retrieves for the text of the question box when typing pauses.

    Args:
        describe: returns the chat that is shown and the parameters of its next question.
    """

    def __init__(
        self,
        context: SessionContext,
        box: QuestionBox,
        describe: Callable[[], tuple[int | None, QueryParam]],
    ) -> None:
        super().__init__(box)
        self._context, self._box, self._describe = context, box, describe
        self._works: list[Work] = []
        self._result: tuple[Asked, RetrievalResult] | None = None
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self._retrieve)
        self._longer = QTimer(self, singleShot=True, interval=READ_AFTER_MS)
        self._longer.timeout.connect(self._read_ahead)
        box.edit.textChanged.connect(self._changed)

    @property
    def is_idle(self) -> bool:
        """Whether nothing is being retrieved or read, or soon will be."""
        return not (self._works or self._pause.isActive() or self._longer.isActive())

    def take(self, asked: Asked) -> RetrievalResult | None:
        """Return what was retrieved for a question that is asked now; end what still runs."""
        self._stop()
        result, self._result = self._result, None
        return result[1] if result is not None and result[0] == asked else None

    def _changed(self) -> None:
        self._stop()
        if self._box.text().strip() and self._box.editing is None:
            self._result = None  # an empty box may just have been sent
            self._pause.start()

    def _stop(self) -> None:
        self._pause.stop()
        self._longer.stop()
        for work in self._works:
            work.job.cancel()

    def _find_asked(self) -> Asked | None:
        """Return the question in the box, None where nothing is to be retrieved for it."""
        chat_id, param = self._describe()
        commands, question = split_commands(self._box.text())
        is_question = bool(question) and not commands and not question.startswith("/")
        if not is_question or param.mode == BYPASS:
            return None
        return chat_id, question, param

    def _retrieve(self) -> None:
        asked = self._find_asked()
        if asked is None or self._context.model_lane.n_jobs:
            return
        pipeline = self._context.answer_pipeline

        def take(found: RetrievalResult | None) -> None:
            if found is not None and asked == self._find_asked():
                self._result = (asked, found)
                self._longer.start()

        lane = self._context.model_lane

        def prefetch(_: object) -> RetrievalResult | None:
            with suppress(AppError):  # it is shown when the question is asked
                return pipeline.prefetch(*asked)
            return None

        work = Work(lane, prefetch, owner=self, label="prefetch")
        self._run(work, take)

    def _read_ahead(self) -> None:
        asked = self._find_asked()
        is_known = self._result is not None and self._result[0] == asked
        if asked is None or not is_known or self._context.model_lane.n_jobs:
            return
        pipeline = self._context.answer_pipeline

        def read(job: Job) -> None:
            with suppress(AppError):
                pipeline.read_ahead(*asked, cancel=job.cancel_token)

        work = Work(self._context.model_lane, read, owner=self, label="prefetch")
        self._run(work, lambda _: None)

    def _run(self, work: Work, take: Callable[[RetrievalResult | None], None]) -> None:
        self._works.append(work)
        work.on_success(take).on_end(lambda: self._works.remove(work)).run()
