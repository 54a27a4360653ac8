"""A user's whole workflow in the real window, from adding documents to the next start.

Everything is real: the program as composed at its start, its lanes, the library on the
disk, and the small embedding model where it is installed. No chat model is, so that an answer is
the passages themselves.
"""

from __future__ import annotations

import json
import os
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFileDialog

from desktop_app.app import App
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.engine.store.db import Db
from desktop_app.ui.chat.turn_list import TurnList
from desktop_app.ui.workspace import Workspace
from tests.ui.user_workflow import CHINESE, ENGLISH, FINDING, PDF_PAGES, drop
from tests.unit.text.test_pdf import make_pdf

WAIT_MS = 60_000
LEFT, CTRL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
EMBEDDER = "multilingual-e5-small-q4_0.gguf"


@pytest.fixture
def models(tmp_path: Path, small_models: Path, models_are_not_tried: None) -> Path:
    """Return a folder whose only model is the small embedder, if it is installed."""
    folder = tmp_path / "models"
    folder.mkdir()
    installed = small_models / EMBEDDER
    if installed.exists() and not os.environ.get("INKGRAPH_NO_MODELS"):
        for file in (installed, installed.with_name(f"{EMBEDDER}.ok")):
            (folder / file.name).symlink_to(file)
    return folder


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "lighthouse.txt").write_text(ENGLISH, "utf-8")
    (folder / "ferry.txt").write_bytes(CHINESE.encode("gb18030"))
    (folder / "survey.pdf").write_bytes(make_pdf(PDF_PAGES, "The Alder Survey"))
    return sorted(folder.iterdir())


def wait_until_ready(qtbot, workspace: Workspace, n_documents: int) -> None:
    def ready() -> None:
        assert workspace.session.indexing_runner.state == "idle"
        assert [row.state for row in workspace.context.library_reader.list_documents()] == (
            ["ready"] * n_documents
        )
        assert workspace.window.screens.library.model.rowCount() == n_documents

    qtbot.waitUntil(ready, timeout=WAIT_MS)


def ask(qtbot, workspace: Workspace, question: str):
    """Type a question, send it, and return its turn when it is answered."""
    chat = workspace.window.screens.chat
    workspace.window.show_screen("chat")
    n_before = len(chat.turns.widgets())
    qtbot.keyClicks(chat.box.edit, question) if question.isascii() else chat.box.set_text(question)
    qtbot.keyClick(chat.box.edit, Qt.Key.Key_Return)

    def answered() -> None:
        turns = chat.turns.widgets()
        assert len(turns) == n_before + 1
        assert turns[-1].turn.message_id
        assert turns[-1].turn.citations

    qtbot.waitUntil(answered, timeout=WAIT_MS)
    return chat.turns.widgets()[-1]


# --- the steps of the workflow -------------------------------------------------------------


def search_the_library(qtbot, workspace: Workspace) -> None:
    """Search a word of one text, then of the other, and open the result."""
    library, documents = workspace.window.screens.library, workspace.window.document_tabs

    def listed() -> list[str]:
        indexes = [library.model.index(i, 0) for i in range(library.model.rowCount())]
        return [library.model.row_at(index).file_name for index in indexes]

    for words, file_name in (("trimmed the lamp", "lighthouse.txt"), ("玉笛", "ferry.txt")):
        library.filter.setText(words)
        qtbot.waitUntil(lambda f=file_name: listed() == [f], timeout=WAIT_MS)
    table = library.list.table
    place = table.visualRect(library.model.index(0, 0)).center()
    qtbot.mouseClick(table.viewport(), LEFT, pos=place)
    qtbot.mouseDClick(table.viewport(), LEFT, pos=place)
    assert documents.page is not None  # a tab with the whole width
    reader = documents.reader
    qtbot.waitUntil(lambda: reader.loaded is not None, timeout=WAIT_MS)
    assert reader.isVisible() and not library.isVisible()
    assert "渡口" in reader.view.text
    documents.show_home()
    library.filter.clear()
    qtbot.waitUntil(lambda: library.model.rowCount() == 3, timeout=WAIT_MS)


def read_the_pdf(qtbot, workspace: Workspace, document_id: int) -> None:
    """Search in a PDF; the hit is on the second page, which becomes visible."""
    workspace.window.screens.library.open_document.emit(document_id)
    reader = workspace.window.document_tabs.reader
    qtbot.waitUntil(lambda: reader.view is reader.pdf_view, timeout=WAIT_MS)
    workspace.window.activateWindow()  # a shortcut needs it; another test's window may be active
    qtbot.waitUntil(workspace.window.isActiveWindow, timeout=WAIT_MS)
    reader.view.setFocus()
    qtbot.keyClick(reader.view, Qt.Key.Key_F, CTRL)
    qtbot.waitUntil(reader.find_bar.isVisible, timeout=WAIT_MS)
    qtbot.keyClicks(reader.find_bar.field, FINDING)
    qtbot.keyClick(reader.find_bar.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: reader.find_bar.count.text() == "1 of 1", timeout=WAIT_MS)
    qtbot.waitUntil(lambda: reader.pdf_view.current_page() == 1, timeout=WAIT_MS)
    qtbot.keyClick(reader.find_bar.field, Qt.Key.Key_Escape)


def ask_and_follow_citations(qtbot, workspace: Workspace) -> None:
    """Ask in both languages; a click on a card of a passage opens its sentence in the reader."""
    reader = workspace.window.screens.reader
    for question, expected in (
        (
            "What did Captain Ferris hide under the lamp room?",
            "He hid the compass under the lamp room",
        ),
        ("陆青山到听雨楼做什么？", "听雨楼"),
        ("Why does the river Alder run dry?", FINDING),
    ):
        turn = ask(qtbot, workspace, question)
        assert expected in " ".join(turn.turn.text.split())
        card = turn.source_list.cards[0]
        cited = card.source
        assert cited.number == turn.turn.citations[0].number
        qtbot.mouseClick(card, LEFT, pos=card.rect().bottomLeft() + QPoint(40, -12))

        def landed(cited=cited) -> None:
            view = reader.view
            assert reader.loaded is not None
            assert reader.loaded.row.id == cited.document_id
            assert view.passage == (cited.start, cited.end)
            start, end = view.visible_range()
            assert start <= cited.start < end

        qtbot.waitUntil(landed, timeout=WAIT_MS)
        shown = " ".join(reader.view.text[cited.start : cited.end].split())
        assert shown == cited.quote


def mark_a_passage(qtbot, workspace: Workspace, document_id: int) -> None:
    """Highlight a sentence with a note, then undo another highlight."""
    workspace.window.screens.library.open_document.emit(document_id)
    reader = workspace.window.document_tabs.reader
    qtbot.waitUntil(
        lambda: reader.loaded is not None and reader.loaded.row.id == document_id, timeout=WAIT_MS
    )
    view = reader.view
    for words in ("trimmed the", "Harbour Company"):
        start = view.text.index(words)
        view.selection.select(start, start + len(words))
        n_before = len(view.marks)
        qtbot.keyClick(view, Qt.Key.Key_H, CTRL | SHIFT)
        qtbot.waitUntil(lambda n=n_before: len(view.marks) == n + 1, timeout=WAIT_MS)
    first = min(view.marks, key=lambda mark: mark.start)
    reader.annotations.open_card(first.id, reader.mapToGlobal(QPoint(100, 100)))
    qtbot.keyClicks(reader.annotations.card.note, "Who taught her?")
    reader.annotations.close_card()
    qtbot.waitUntil(lambda: any(n.note == "Who taught her?" for n in view.marks), timeout=WAIT_MS)
    other = max(view.marks, key=lambda mark: mark.start)
    reader.annotations.remove(other.id)
    qtbot.waitUntil(lambda: len(view.marks) == 1, timeout=WAIT_MS)


def count_turns(turns: TurnList) -> int:
    """Return the number of turns of a chat; those far from the view have no widget."""
    return turns.n_earlier + len(turns.widgets()) + turns.n_later


def search_the_chats(qtbot, workspace: Workspace) -> None:
    """Search a word of the answer in all chats, and open the hit."""
    workspace.window.show_screen("chat")  # its chats are in the sidebar then
    chats = workspace.window.sidebar.chats
    qtbot.waitUntil(lambda: chats.count() == 1, timeout=WAIT_MS)
    chats.search.setText("lamp room")
    qtbot.waitUntil(
        lambda: any(line.kind == "hit" and line.hit.message_id for line in chats.lines()),
        timeout=WAIT_MS,
    )
    place = next(i for i, line in enumerate(chats.lines()) if line.hit and line.hit.message_id)
    with qtbot.waitSignal(chats.message_wanted, timeout=WAIT_MS):
        where = chats.rows.visualItemRect(chats.rows.item(place)).center()
        qtbot.mouseClick(chats.rows.viewport(), LEFT, pos=where)
    chats.search.clear()
    qtbot.waitUntil(lambda: [line.kind for line in chats.lines()] != ["hit"], timeout=WAIT_MS)
    turns = workspace.window.screens.chat.turns
    qtbot.waitUntil(
        lambda: any("lamp room" in one.turn.question for one in turns.widgets()), timeout=WAIT_MS
    )
    assert count_turns(turns) == 3


def export_all(qtbot, workspace: Workspace, folder: Path, monkeypatch) -> None:
    """Export the chat and the highlights; only the file dialog is replaced."""
    chat, documents = workspace.window.screens.chat, workspace.window.document_tabs
    documents.step(-1)  # the document with the highlights is in the last tab
    reader = documents.reader
    for name in ("chat.md", "chat.html", "chat.json", "notes.md"):
        answer = (str(folder / name), "")
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, a=answer, **__: a)
        if name == "notes.md":
            reader.body.side.annotations.export.click()
        else:
            chat.head.ask_and_export()
        qtbot.waitUntil(lambda n=name: (folder / n).exists(), timeout=WAIT_MS)
    qtbot.waitUntil(lambda: workspace.context.reader_lane.n_jobs == 0, timeout=WAIT_MS)
    saved = (folder / "chat.md").read_text("utf-8")
    assert "## What did Captain Ferris hide under the lamp room?" in saved
    assert "陆青山到听雨楼做什么？" in saved
    assert "- [1] " in saved
    assert "lamp room" in (folder / "chat.html").read_text("utf-8")
    assert json.loads((folder / "chat.json").read_text("utf-8"))
    notes = (folder / "notes.md").read_text("utf-8")
    assert notes.startswith("# The Lighthouse at Corran Head")
    assert "> trimmed the" in notes
    assert "Who taught her?" in notes
    assert "Harbour Company" not in notes


def quit_while_indexing(qtbot, app: App, folder: Path) -> int:
    """Add a long text, close the program during indexing, and return the progress."""
    workspace = app.workspace
    book = folder / "long.txt"
    chapters = ENGLISH.partition("CHAPTER I.")[2]
    book.write_text(
        "The Long Watch\n" + "".join(f"\n\nCHAPTER {n}. {chapters}" for n in range(1, 25)), "utf-8"
    )
    n_before = workspace.context.library_reader.overview().n_mentions
    drop(workspace, [book])

    def is_under_way() -> None:
        assert workspace.session.indexing_runner.state == "running"
        assert workspace.context.library_reader.overview().n_mentions > n_before

    qtbot.waitUntil(is_under_way, timeout=WAIT_MS)
    n_found = workspace.context.library_reader.overview().n_mentions
    workspace.window.close()
    app.close()
    return n_found


def start_again(qtbot, app: App, library: Path, n_found: int) -> None:
    """Open the same library: the long text is indexed to the end, and all else is there."""
    with closing(Db(library, read_only=True)) as db:  # once it is open, indexing goes on
        states = {d.file_name: d.state for d in LibraryReader(db).list_documents()}
    workspace = app.open_library(library)
    assert workspace.context.library_reader.overview().n_mentions >= n_found
    assert states.pop("long.txt") != "ready"
    assert set(states.values()) == {"ready"}
    wait_until_ready(qtbot, workspace, 4)
    overview = workspace.context.library_reader.overview()
    assert overview.n_embedded == (overview.n_windows if app.model_registry.embedding_name() else 0)
    assert workspace.session.library.writer.integrity_problems() == []
    chats = workspace.window.sidebar.chats
    qtbot.waitUntil(lambda: chats.count() == 1, timeout=WAIT_MS)
    workspace.window.screens.chat.open_chat(workspace.context.library_reader.list_chats()[0].id)
    turns = workspace.window.screens.chat.turns
    qtbot.waitUntil(lambda: count_turns(turns) == 3, timeout=WAIT_MS)
    assert turns.widgets()[0].turn.citations
    rows = {d.file_name: d.id for d in workspace.context.library_reader.list_documents()}
    documents = workspace.window.document_tabs
    assert documents.open_ids[-1] == [rows["lighthouse.txt"]]  # the tabs are as they were
    workspace.window.screens.library.open_document.emit(rows["lighthouse.txt"])
    reader = documents.reader
    qtbot.waitUntil(lambda: reader.view is not None and bool(reader.view.marks), timeout=WAIT_MS)
    assert [mark.note for mark in reader.view.marks] == ["Who taught her?"]
    qtbot.waitUntil(lambda: workspace.context.reader_lane.n_jobs == 0, timeout=WAIT_MS)


def test_documents_are_added_searched_read_cited_and_exported(
    qtbot, app, files, tmp_path, monkeypatch
):
    library = tmp_path / "day.inkgraph"
    workspace = app.open_library(library)
    workspace.window.resize(1280, 800)
    qtbot.waitExposed(workspace.window)

    drop(workspace, files)
    wait_until_ready(qtbot, workspace, 3)
    rows = {row.file_name: row for row in workspace.context.library_reader.list_documents()}
    assert rows["survey.pdf"].title == "The Alder Survey"
    assert rows["ferry.txt"].language == "zh"
    names = {e.name for e in workspace.context.library_reader.top_entities(100)}
    assert {"Judith Penrose", "沈怀远"} <= names

    search_the_library(qtbot, workspace)
    read_the_pdf(qtbot, workspace, rows["survey.pdf"].id)
    ask_and_follow_citations(qtbot, workspace)
    mark_a_passage(qtbot, workspace, rows["lighthouse.txt"].id)
    search_the_chats(qtbot, workspace)
    export_all(qtbot, workspace, tmp_path, monkeypatch)
    n_found = quit_while_indexing(qtbot, app, tmp_path)
    start_again(qtbot, app, library, n_found)
