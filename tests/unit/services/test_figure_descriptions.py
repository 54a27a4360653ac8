"""Pictures of documents are described by a model: queue, corrections, search, failures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_app.engine.errors import Cancelled, EnvironmentProblem, UserError
from desktop_app.engine.llm.hosted_models import ModelStopped
from desktop_app.engine.llm.protocols import PictureDescription
from desktop_app.engine.llm.trial import ModelCannotRun
from desktop_app.engine.progress import CancelToken, Progress
from desktop_app.engine.scheduler import Priority, WorkScheduler
from desktop_app.engine.services import figure_descriptions as described
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.figure_descriptions import (
    FigureDescriptionReader,
    FigureDescriptionService,
)
from desktop_app.engine.services.figures import FigureReader, FigureUpdate
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.engine.store import figure_descriptions as store
from tests.figure_files import draw_picture, make_epub

BODY = (
    "<p>Clara Merrow lived at Harrow Ford, as Figure 1 shows, for all her life.</p>"
    '<p><img src="../images/wall.png"/></p><p>Figure 1. Clara Merrow at the harbour wall</p>'
    "<p>A long text stands between the two pictures here.</p>"
    '<p><img src="../images/bay.png" alt="A chart of the bay"/></p><p>After it.</p>'
)
PICTURES = {
    "cover.png": draw_picture(),
    "wall.png": draw_picture(300, 200),
    "bay.png": draw_picture(2400, 1800, 30),
}
WALL = "A woman leans on a stone wall beside three boats."
BAY = "A map of a bay with a lighthouse and numbers in the water."


class FakeVision:
    """Describes pictures as a test says, in place of a model in a process of its own."""

    name = "seer-3b"

    def __init__(self, answer: Callable[[str], str]) -> None:
        self.answer, self.is_released = answer, False
        self.asked: list[tuple[str, int, int]] = []

    def describe(
        self, messages, pixels, width, height, *, max_tokens, cancel=None
    ) -> PictureDescription:
        assert len(pixels) == 3 * width * height and max_tokens
        self.asked.append((messages[-1].text, width, height))
        text = self.answer(messages[-1].text)
        if cancel is not None:
            cancel.check()
        return PictureDescription(text)

    def release(self) -> None:
        self.is_released = True


@pytest.fixture
def library(tmp_path: Path):
    opened = Library(tmp_path / "described.inkgraph")
    yield opened
    opened.close()


@pytest.fixture
def book(library: Library, tmp_path: Path) -> int:
    return add(library, tmp_path, make_epub(BODY, PICTURES))


def add(library: Library, tmp_path: Path, content: bytes) -> int:
    path = tmp_path / "book.epub"
    path.write_bytes(content)
    [document_id] = add_files(library.writer, [path]).documents
    IndexingService(library.writer, lambda: None).run(embed=False)
    return int(document_id)


def answer_all(prompt: str) -> str:
    return WALL if "harbour wall" in prompt else BAY


def build(library: Library, answer: Callable[[str], str] = answer_all) -> tuple:
    model = FakeVision(answer)
    return FigureDescriptionService(library.writer, lambda: model), model


def list_described(library: Library, document_id: int) -> list[tuple[str, str]]:
    figures = FigureReader(library.writer).list_figures(document_id)
    return [(f.description, f.described_by) for f in figures]


def test_pictures_are_described_wanted_ones_first_and_marked_as_a_models(library, book):
    service, model = build(library)
    service.run()
    assert model.asked == []  # only on the user's word
    service.queue_document(book)
    service.want_figure(book, 1)
    progress: list[Progress] = []
    changed: list[frozenset[int]] = []
    service.run(on_progress=progress.append, on_change=lambda c: changed.append(c.documents))
    assert ["chart of the bay" in text for text, _, _ in model.asked] == [True, False]
    assert model.asked[0][1:] == (described.MAX_SIDE, described.MAX_SIDE * 3 // 4)  # scaled down
    assert list_described(library, book) == [(WALL, "seer-3b"), (BAY, "seer-3b")]
    assert [(p.stage, p.done, p.total) for p in progress] == [
        ("descriptions", 0, 2),
        ("descriptions", 1, 2),
    ]
    assert changed == [{book}, {book}] and model.is_released
    count = FigureDescriptionReader(library.writer).count(book)
    assert (count.n_figures, count.n_described, count.n_open) == (2, 2, 0)
    assert count.seconds_each > 0
    service.queue_document(book)  # what is described is not queued again
    assert store.count_waiting(library.writer) == 0


def test_a_description_is_found_below_captions_and_is_no_text_of_the_document(library, book):
    service, _ = build(library)
    service.queue_document(book)
    service.run()
    reader = FigureReader(library.writer)
    assert [f.number for f in reader.search("lighthouse")] == [1]
    assert [f.number for f in reader.search("BOATS")] == [0]
    assert reader.search("lighthouse", captions_only=True) == []
    # "wall" is in the caption of the first and in nothing of the second; "a" is in both.
    service.correct(book, 1, "A harbour wall on a map")
    assert [f.number for f in reader.search("harbour wall")] == [0, 1]
    db = library.writer
    for table, column in (("document_text", "text"), ("chunk", "text"), ("window", "text")):
        columns = db.column("SELECT name FROM pragma_table_info(?)", (table,))
        if column in columns:
            texts = " ".join(db.column(f"SELECT {column} FROM {table}"))
            assert "lighthouse" not in texts and "boats" not in texts
    assert LibraryReader(db).find_documents_with_text("lighthouse") == []


def test_corrections_are_undone_and_survive_describing_again(library, book):
    service, _ = build(library)
    service.queue_document(book)
    service.run()
    editing = EditingService(library.writer)
    change = service.correct(book, 0, "  Clara at the\nwall  ")
    assert change.documents == {book}
    assert list_described(library, book)[0] == ("Clara at the wall", "")
    service.correct(book, 1, "")
    assert list_described(library, book)[1] == ("", "")
    assert [row.label for row in _history(library)][:2] == [
        "Delete the description of a picture",
        "Correct the description of a picture",
    ]
    service.queue_document(book, again=True)
    service.run()
    assert list_described(library, book) == [("Clara at the wall", ""), ("", "")]
    assert editing.undo()[1].documents == {book}
    assert list_described(library, book) == [("Clara at the wall", ""), (BAY, "seer-3b")]
    editing.undo()
    assert list_described(library, book) == [(WALL, "seer-3b"), (BAY, "seer-3b")]
    editing.redo()
    service.correct(book, 0, WALL)  # the model's own words take the correction back
    assert list_described(library, book)[0] == (WALL, "seer-3b")
    assert library.writer.value("SELECT count(*) FROM description_correction") == 0
    assert not service.correct(book, 0, WALL)
    with pytest.raises(UserError, match="characters long"):
        service.correct(book, 0, "word " * 1000)
    with pytest.raises(UserError, match="no longer"):
        service.correct(book, 9, "A wall")


def _history(library: Library):
    from desktop_app.engine.services.editing.history import list_history

    return list_history(library.writer)


def test_descriptions_stay_with_the_trash_and_when_figures_are_found_again(library, book):
    service, _ = build(library)
    service.queue_document(book)
    service.run()
    service.correct(book, 0, "Clara at the wall")
    before = list_described(library, book)
    DocumentService(library.writer).trash_documents([book])
    assert library.writer.value("SELECT count(*) FROM figure_description") == 0
    EditingService(library.writer).undo()
    assert list_described(library, book) == before
    with library.writer.transaction():
        library.writer.write("UPDATE document SET figure_rules = 0")
    FigureUpdate(library.writer).run()
    assert list_described(library, book) == before


def test_useless_answers_are_thrown_away_and_the_rest_goes_on(library, book):
    service, _ = build(library, lambda prompt: "<>|~ .. ##" if "wall" in prompt else BAY)
    service.queue_document(book)
    service.run()
    wall, bay = FigureReader(library.writer).list_figures(book)
    assert (wall.description, wall.describing) == ("", "failed")
    assert "nothing about this picture" in wall.failure
    assert bay.description == BAY and not bay.failure
    service.queue_document(book)
    assert store.count_waiting(library.writer) == 0  # not tried again by itself
    service, _ = build(library, lambda prompt: "...")
    service.queue_document(book, again=True)
    service.run()
    assert list_described(library, book)[1] == (BAY, "seer-3b")  # an older one stays


def test_a_model_that_stops_at_a_picture_fails_that_picture_only(library, book):
    def answer(prompt: str) -> str:
        if "wall" in prompt:
            raise ModelStopped("The model {model} stopped twice.", model="seer")
        return BAY

    service, model = build(library, answer)
    service.queue_document(book)
    service.run()
    wall, bay = FigureReader(library.writer).list_figures(book)
    assert "stopped twice" in wall.failure and bay.description == BAY
    assert model.is_released


def test_a_model_that_cannot_run_ends_the_run_and_nothing_is_lost(library, book):
    def refuse(prompt: str) -> str:
        raise ModelCannotRun("The model seer can't run here.")

    service, _ = build(library, refuse)
    service.queue_document(book)
    with pytest.raises(ModelCannotRun):
        service.run()
    assert store.count_waiting(library.writer) == 2
    service.run()  # not again at once
    other, _ = build(library)
    other.run()
    assert list_described(library, book)[0] == (WALL, "seer-3b")


def test_a_missing_model_is_reported_once_and_a_later_start_is_quiet(library, book):
    service = FigureDescriptionService(library.writer, lambda: None)
    service.queue_document(book)
    with pytest.raises(EnvironmentProblem, match="no model that describes"):
        service.run()
    FigureDescriptionService(library.writer, lambda: None).run()
    assert store.count_waiting(library.writer) == 2


def test_a_question_interrupts_a_description_which_is_made_afterwards(library, book):
    scheduler = WorkScheduler()
    asked: list[str] = []

    def answer(prompt: str) -> str:
        asked.append(prompt)
        if len(asked) == 1:
            with scheduler.hold(Priority.QUESTION):
                pass
        return answer_all(prompt)

    model = FakeVision(answer)
    service = FigureDescriptionService(library.writer, lambda: model, scheduler)
    service.queue_figure(book, 0)
    service.run()
    assert len(asked) == 2 and asked[0] == asked[1]
    assert list_described(library, book)[0] == (WALL, "seer-3b")


def test_a_run_is_stopped_paused_and_left(library, book):
    cancel = CancelToken()

    def answer(prompt: str) -> str:
        cancel.cancel()
        return answer_all(prompt)

    service, _ = build(library, answer)
    service.queue_document(book)
    with pytest.raises(Cancelled):
        service.run(cancel=cancel)
    assert store.count_waiting(library.writer) == 2
    again, model = build(library)
    again.set_paused(True)
    again.run()
    assert model.asked == [] and FigureDescriptionService(library.writer, lambda: model).is_paused
    again.set_paused(False)
    assert again.leave().documents == {book}
    again.run()
    assert model.asked == [] and store.count_waiting(library.writer) == 0


def test_a_broken_picture_and_a_missing_file_say_why(library, tmp_path):
    broken = {**PICTURES, "wall.png": PICTURES["wall.png"][:200]}
    book = add(library, tmp_path, make_epub(BODY, PICTURES))
    db = library.writer
    with db.transaction():
        db.write("UPDATE figure SET path = 'OPS/images/gone.png' WHERE number = 0")
    service, _ = build(library)
    service.queue_document(book)
    service.run()
    gone, bay = FigureReader(db).list_figures(book)
    assert "missing" in gone.failure and bay.description == BAY
    assert broken["wall.png"]
    with db.transaction():
        db.write("DELETE FROM original WHERE document_id = ?", (book,))
    service.queue_figure(book, 1)
    service.run()
    assert list_described(library, book)[1] == (BAY, "seer-3b")


def test_a_picture_at_which_the_program_ended_twice_is_given_up(library, book):
    service, model = build(library)
    service.queue_figure(book, 0)
    with library.writer.transaction():
        for _ in range(described.MAX_ATTEMPTS):
            store.count_attempt(library.writer, book, 0)
    service.run()
    [wall, _] = FigureReader(library.writer).list_figures(book)
    assert "ended unexpectedly" in wall.failure and model.asked == []


def test_a_picture_that_stands_twice_is_described_once(library, tmp_path):
    body = BODY + '<p><img src="../images/bay.png"/></p><p>Figure 2. The bay</p>'
    book = add(library, tmp_path, make_epub(body, PICTURES))
    service, model = build(library)
    service.queue_document(book)
    service.run()
    assert len(model.asked) == 2
    assert [text for text, _ in list_described(library, book)] == [WALL, BAY, BAY]
    assert FigureDescriptionReader(library.writer).count(book).n_figures == 2
