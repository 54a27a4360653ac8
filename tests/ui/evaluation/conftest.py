"""A small library, a scripted chat model, and the evaluation screen over them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from desktop_app.engine.services.evaluation.library_evaluations import LibraryEvaluations
from desktop_app.engine.services.evaluation.model import (
    AnswerEvidence,
    EvaluationColumn,
    EvaluationPlan,
    EvaluationQuestion,
    EvaluationRun,
)
from desktop_app.engine.services.evaluation.places import QuestionPlacer
from desktop_app.engine.services.evaluation.service import EvaluationService
from desktop_app.engine.services.library import Library
from desktop_app.ui.evaluation.screen import EvaluationScreen
from desktop_app.workers.evaluation_runner import EvaluationRunner
from desktop_app.workers.lane import Lane
from tests.fakes import ScriptedChatModel
from tests.small_library import add
from tests.ui.fakes import FakeContext

MODEL = "reader-4b"  # the one of `FakeModelRegistry`
QUESTIONS = (
    EvaluationQuestion(
        "Who kept a shop of clocks?",
        ("Tobias Quill",),
        (AnswerEvidence("Tobias Quill kept a shop of clocks."),),
    ),
    EvaluationQuestion("Who wound the clocks?", ("Ada Merrow",)),
    EvaluationQuestion("Which dragon burned Rotterdam?", is_answerable=False),
)
WALK, WORDS = EvaluationColumn("walk", MODEL), EvaluationColumn("words", MODEL)
FOUND = EvaluationColumn("words")


class EvaluationContext(FakeContext):
    """The context of the screen over a library; `model` answers under every name."""

    def __init__(self, library: Library) -> None:
        super().__init__()
        self.library = library
        self.model = ScriptedChatModel(["Tobias Quill kept a shop of clocks [1]."])
        self.borrow_chat: Callable = self._borrow
        self.evaluation_lane = Lane("evaluations", self.messages.show_error)
        self.evaluations = LibraryEvaluations(library.reader(), library.writer)
        self.service = EvaluationService(
            library.writer, lambda: None, lambda: None, self._borrow, reader=library.reader()
        )
        self.evaluation_runner = EvaluationRunner(
            Lane("evaluating", self.messages.show_error),
            *(library.writer, self.service, self._borrow, self.scheduler),
        )

    @contextmanager
    def _borrow(self, name: str) -> Iterator[ScriptedChatModel]:
        yield self.model

    def run(self, *columns: EvaluationColumn, title: str = "clocks.jsonl") -> EvaluationRun:
        """Ask the questions now, as another program would."""
        plan = EvaluationPlan(QUESTIONS, columns, {}, {"inkgraph": "1"}, title)
        placed = QuestionPlacer(self.library.writer).place(QUESTIONS).questions
        return self.service.run(plan, placed)

    def close(self) -> None:
        self.evaluation_runner._lane.close()
        self.evaluation_lane.close()
        super().close()


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    made = Library(tmp_path / "clocks.inkgraph")
    add(made, tmp_path)
    yield made
    made.close()


@pytest.fixture
def context(qapp, library: Library) -> Iterator[EvaluationContext]:
    made = EvaluationContext(library)
    yield made
    made.close()


@pytest.fixture
def screen(context: EvaluationContext, qtbot) -> EvaluationScreen:
    """Return the screen after it was loaded."""
    made = EvaluationScreen(context)
    qtbot.addWidget(made)
    made.resize(1040, 720)
    made.show()
    qtbot.waitUntil(lambda: not made._is_loading)
    return made
