"""Tests the main task in the real window: add a book, look, ask, open the cited sentence.

Real readers, name finder and library; the language model is a scripted one, so that the answer
is known. A profile of its own comes from conftest.
"""

from __future__ import annotations

import re

import pytest
from PySide6.QtWidgets import QApplication

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.model import DocumentRow
from desktop_app.session import Session
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.workspace import Workspace
from tests.fakes import HashEmbedder, NoOtherModels, ScriptedChatModel
from tests.unit.services.test_indexing import STORY, TALE

WAIT_MS = 60_000


class FakeModelRegistry(NoOtherModels):
    """The part of the registry that services use, with models that need no files."""

    def __init__(self, answer: str) -> None:
        self._chat = ScriptedChatModel([answer] * 4)
        self._embedder = HashEmbedder()

    def find_chat(self) -> ScriptedChatModel:
        return self._chat

    def find_reranker(self) -> None:
        return None

    def find_embedder(self) -> HashEmbedder:
        return self._embedder

    def chat_model_name(self) -> str:
        return self._chat.name

    def embedding_name(self) -> str:
        return self._embedder.name

    def reranker_name(self) -> str:
        return ""

    def list_models(self) -> list:
        return []

    def find_problems(self, cancel: object = None) -> list:
        return []


@pytest.fixture
def workspace(qtbot, tmp_path):
    registry = FakeModelRegistry("Edmund Marsh was a sailor [1]. He was lost near Port Ellis [1].")
    theme = Theme("light")
    theme.apply(QApplication.instance(), sets_sheet=False)  # as the program does
    made = Workspace(Session(tmp_path / "window.inkgraph", registry), theme)
    made.window.show()
    yield made
    made.close()


@pytest.fixture
def texts(tmp_path):
    (tmp_path / "clock.txt").write_text(STORY, "utf-8")
    (tmp_path / "tea.txt").write_bytes(TALE.encode("gb18030"))
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 nothing else")
    return [str(tmp_path / name) for name in ("clock.txt", "tea.txt", "broken.pdf")]


def add_and_wait(qtbot, workspace, texts):
    workspace.window.files_dropped.emit(texts)
    library_reader = workspace.context.library_reader

    def ready():
        states = {d.file_name: d.state for d in library_reader.list_documents()}
        assert states == {"clock.txt": "ready", "tea.txt": "ready", "broken.pdf": "failed"}
        assert library_reader.overview().n_embedded == library_reader.overview().n_windows > 0
        assert workspace.session.indexing_runner.state == "idle"

    qtbot.waitUntil(ready, timeout=WAIT_MS)


def test_from_a_dropped_book_to_the_cited_sentence(qtbot, workspace, texts):
    window, library_reader = workspace.window, workspace.context.library_reader
    add_and_wait(qtbot, workspace, texts)
    marsh = library_reader.find_entities("Edmund Marsh")[0]

    window.show_screen("graph")
    graph = window.screens.graph
    with qtbot.waitSignal(graph.shown, timeout=WAIT_MS):
        graph.show_top()

    with qtbot.waitExposed(window):
        graph.open_entity.emit(marsh.id)
    assert window.current == "entity"

    mention = library_reader.fetch_mentions(marsh.id)[0]
    reader = window.screens.reader
    assert reader.isHidden()
    window.screens.entity.open_passage.emit(mention.document_id, mention.start, mention.end)
    qtbot.waitUntil(lambda: not reader.isHidden(), timeout=WAIT_MS)

    window.show_screen("chat")
    chat = window.screens.chat
    chat.ask("Who was Edmund Marsh?")

    def answered():
        rows = library_reader.list_chats()
        assert rows and rows[0].n_messages == 2

    qtbot.waitUntil(answered, timeout=WAIT_MS)
    question, answer = library_reader.fetch_messages(library_reader.list_chats()[0].id)
    assert question.text == "Who was Edmund Marsh?"
    assert re.search(r"\[\d+\]", answer.text)
    citation = answer.citations[0]
    text = library_reader.fetch_text(citation.document_id)
    assert text[citation.start : citation.end] == citation.quote
    assert "Edmund Marsh" in text[citation.start - 300 : citation.end + 300]
    qtbot.waitUntil(lambda: workspace.context.model_lane.n_jobs == 0, timeout=WAIT_MS)


def test_a_deleted_document_leaves_every_screen(qtbot, workspace, texts):
    add_and_wait(qtbot, workspace, texts)
    library_reader = workspace.context.library_reader
    tale = next(d for d in library_reader.list_documents() if d.file_name == "tea.txt")
    workspace.window.screens.library.delete_wanted.emit([tale.id])
    qtbot.waitUntil(lambda: library_reader.find_entities("沈砚") == [], timeout=WAIT_MS)
    assert {d.file_name for d in library_reader.list_documents()} == {"clock.txt", "broken.pdf"}


def test_indexing_can_be_paused_and_resumed(qtbot, workspace, tmp_path):
    book = tmp_path / "long.txt"
    book.write_text((STORY + "\n\n") * 30, "utf-8")
    library_reader, window = workspace.context.library_reader, workspace.window
    window.files_dropped.emit([str(book)])

    def is_indexing() -> bool:  # its names come within a few milliseconds
        return any(one.state == "indexing" for one in library_reader.list_documents())

    qtbot.waitUntil(is_indexing, timeout=WAIT_MS)
    window.pause_wanted.emit()
    qtbot.waitUntil(lambda: workspace.session.lanes["indexing"].n_jobs == 0, timeout=WAIT_MS)
    assert workspace.session.indexing_runner.state == "paused"
    assert library_reader.list_documents()[0].state == "indexing"
    work = window.sidebar.work
    assert work.cancel_button is None  # it would do no more than pause
    qtbot.waitUntil(lambda: not work.resume_button.isHidden(), timeout=WAIT_MS)
    note = tmp_path / "note.txt"
    note.write_text(STORY, "utf-8")
    window.files_dropped.emit([str(note)])  # waits as well
    qtbot.waitUntil(lambda: len(library_reader.list_documents()) == 2, timeout=WAIT_MS)
    qtbot.wait(100)
    assert workspace.session.indexing_runner.state == "paused"
    window.resume_wanted.emit()

    def done():
        assert workspace.session.indexing_runner.state == "idle"
        assert {one.state for one in library_reader.list_documents()} == {"ready"}

    qtbot.waitUntil(done, timeout=WAIT_MS)


@pytest.mark.slow  # test_user_workflow quits while a text is indexed
def test_quitting_while_indexing_loses_nothing(qtbot, tmp_path):
    book = tmp_path / "long.txt"
    book.write_text((STORY + "\n\n") * 30, "utf-8")
    theme = Theme("light")
    first = Workspace(Session(tmp_path / "quit.inkgraph", FakeModelRegistry("Yes [1].")), theme)
    first.session.add_paths([str(book)])
    qtbot.waitUntil(lambda: first.session.indexing_runner.state == "running", timeout=WAIT_MS)
    qtbot.waitUntil(lambda: first.context.library_reader.overview().n_mentions > 0, timeout=WAIT_MS)
    first.close()
    again = Workspace(Session(tmp_path / "quit.inkgraph", FakeModelRegistry("Yes [1].")), theme)

    def done():
        overview = again.context.library_reader.overview()
        assert again.session.indexing_runner.state == "idle"
        assert overview.n_embedded == overview.n_windows > 0

    qtbot.waitUntil(done, timeout=WAIT_MS)
    assert again.context.library_reader.list_documents()[0].state == "ready"
    assert again.session.library.writer.integrity_problems() == []
    again.close()


def test_screens_that_do_not_show_a_new_document_do_not_reload(
    qtbot, workspace, texts, monkeypatch
):
    clock, tea, _ = texts
    window, context = workspace.window, workspace.context
    lanes = (context.reader_lane, context.writer_lane, workspace.session.lanes["indexing"])
    changes: list[ChangeNotice] = []
    context.hub.changed.connect(changes.append)

    def is_quiet() -> bool:
        return workspace.session.indexing_runner.state == "idle" and not any(
            lane.n_jobs for lane in lanes
        )

    def deliver_all() -> None:
        """Wait until every published change has reached the screens."""
        last = ChangeNotice(chats=frozenset({-1}))
        with qtbot.waitSignal(
            context.hub.changed, timeout=WAIT_MS, check_params_cb=lambda c: last.chats <= c.chats
        ):
            workspace.session.publish_work(last)
        qtbot.waitUntil(is_quiet, timeout=WAIT_MS)

    def add(file: str) -> DocumentRow:
        changes.clear()
        window.files_dropped.emit([file])
        rows = context.library_reader.list_documents
        qtbot.waitUntil(lambda: any(file.endswith(r.file_name) for r in rows()), timeout=WAIT_MS)
        added = next(row.id for row in rows() if file.endswith(row.file_name))
        qtbot.waitUntil(lambda: any(c.entities for c in changes) and is_quiet(), timeout=WAIT_MS)
        deliver_all()
        return context.library_reader.get_document(added)

    first = add(clock)
    marsh = context.library_reader.find_entities("Edmund Marsh")[0]
    reader, graph, entity = window.screens.reader, window.screens.graph, window.screens.entity
    reader.open_document(first.id)
    window.show_screen("entity")
    entity.show_entity(marsh.id)
    qtbot.waitUntil(lambda: entity.pages.currentWidget() is entity.page, timeout=WAIT_MS)
    deliver_all()
    with qtbot.waitSignal(graph.shown, timeout=WAIT_MS):
        window.show_screen("graph")
    with qtbot.waitSignal(graph.shown, timeout=WAIT_MS):
        graph.show_entities([marsh.id])
    navigation = graph.navigation
    qtbot.waitUntil(lambda: navigation.shown_view is navigation.view, timeout=WAIT_MS)
    assert navigation.view.kind == "near"
    deliver_all()
    reloaded: list[str] = []
    graph.shown.connect(lambda: reloaded.append("graph"))
    reader.watch.names_changed.connect(lambda: reloaded.append("reader"))
    get_entity = context.library_reader.get_entity

    def get_recorded(entity_id: int):
        reloaded.append("entity")
        return get_entity(entity_id)

    monkeypatch.setattr(context.library_reader, "get_entity", get_recorded)

    second = add(tea)
    assert {i for change in changes for i in change.documents} == {second.id}
    named = {i for change in changes for i in change.entities}
    assert marsh.id not in named and named
    window.show_screen("entity")
    qtbot.waitUntil(is_quiet, timeout=WAIT_MS)
    assert reloaded == []
    with qtbot.waitSignal(reader.watch.names_changed, timeout=WAIT_MS):
        workspace.session.publish_work(ChangeNotice(entities=frozenset({marsh.id})))
    qtbot.waitUntil(lambda: "entity" in reloaded, timeout=WAIT_MS)
