"""The number beside the merge desk: counted in a real library before the desk is opened."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtWidgets import QApplication

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.duplicates import Duplicates
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.session import Session
from desktop_app.ui.controllers import communities, duplicates
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.workspace import Workspace
from desktop_app.workers.background_jobs import QueueRunner
from tests.e2e.test_main_task import FakeModelRegistry

TEXT = """
Elizabeth met Mrs. Gilmot at Marsh End. Mr. Thornby danced with Elizabeth.
Lizzy went home to Marsh End, and Mrs. Gilmot followed Lizzy slowly.
Elizabeth told Mr. Thornby of Marsh End. Lizzy danced with Mr. Thornby at Marsh End.
"""


@pytest.fixture(params=["idle", "reading"])
def workspace(request, qtbot, qapp: QApplication, tmp_path, monkeypatch):
    monkeypatch.setattr(duplicates, "QUIET_MS", 1)
    if request.param == "reading":  # which takes minutes; the names are there from the start
        monkeypatch.setattr(QueueRunner, "is_running", property(lambda runner: True))
    (tmp_path / "story.txt").write_text(TEXT * 2, "utf-8")
    library = Library(tmp_path / "story.inkgraph")
    add_files(library.writer, [tmp_path / "story.txt"])
    IndexingService(library.writer, lambda: None).run(embed=False)
    library.close()
    made = Workspace(
        Session(tmp_path / "story.inkgraph", FakeModelRegistry("Nothing.")), Theme("light")
    )
    made.window.show()
    yield made
    made.close()


def test_suggestions_are_counted_without_opening_the_merge_desk(workspace: Workspace, qtbot):
    row = workspace.window.sidebar.rows["merge"]
    qtbot.waitUntil(lambda: row.count.text() == "1")
    assert row.toolTip() == "1 suggestion to merge names"
    assert not workspace.window.screens.merge.model.n_all


@pytest.mark.parametrize("workspace", ["idle"], indirect=True)
def test_what_was_found_in_the_background_is_shown_without_a_search(
    workspace: Workspace, qtbot, monkeypatch
):
    db, desk = workspace.session.library.writer, workspace.window.screens.merge
    is_kept = (
        "SELECT count(*) FROM duplicate_search, library_state WHERE version = duplicates_version"
    )
    qtbot.waitUntil(lambda: db.value(is_kept) == 1)
    editing, hub = workspace.context.editing, workspace.context.hub
    thornby = db.value("SELECT id FROM entity WHERE name = 'Mr. Thornby'")
    hub.publish_edit(
        editing.rename(thornby, "Mr. Thorne")
    )  # what was found is of another state now
    assert db.value(is_kept) == 0
    qtbot.waitUntil(lambda: db.value(is_kept) == 1)

    def search(*args: object) -> None:
        raise AssertionError("nothing has changed since the last search")

    monkeypatch.setattr(Duplicates, "_search", search)
    workspace.window.show_screen("merge")
    qtbot.waitUntil(lambda: bool(desk.page.cards))
    assert desk.model.n_all == 1
    desk.search_again()
    qtbot.waitUntil(desk.list.search_button.isEnabled)
    assert desk.model.n_all == 1


@pytest.mark.parametrize("workspace", ["reading"], indirect=True)
def test_a_count_that_outlasts_reading_is_followed_by_a_search(
    workspace: Workspace, qtbot, monkeypatch
):
    """A count while documents are read is kept nowhere; it ended after the last look for work."""
    maintenance = workspace.context.duplicate_maintenance
    begun, go_on, searched = threading.Event(), threading.Event(), threading.Event()

    def count(cancel: CancelToken) -> int:
        begun.set()
        go_on.wait(20)
        return 1

    monkeypatch.setattr(maintenance, "count", count)
    monkeypatch.setattr(maintenance, "run", lambda cancel: searched.set() or 1)
    qtbot.waitUntil(begun.is_set)
    monkeypatch.setattr(QueueRunner, "is_running", property(lambda runner: False))
    qtbot.wait(50)
    go_on.set()
    qtbot.waitUntil(searched.is_set)


@pytest.mark.parametrize("workspace", ["idle"], indirect=True)
@pytest.mark.parametrize("is_desk_open", [False, True])
def test_a_number_that_is_known_to_be_stale_is_not_shown(
    workspace: Workspace, qtbot, monkeypatch, is_desk_open: bool
):
    row, session = workspace.window.sidebar.rows["merge"], workspace.session
    qtbot.waitUntil(lambda: row.count.text() == "1")
    desk = workspace.window.screens.merge
    if is_desk_open:
        workspace.window.show_screen("merge")
        qtbot.waitUntil(lambda: bool(desk.page.cards))
    monkeypatch.setattr(duplicates, "QUIET_MS", 200)
    path = session.library.path.with_name("more.txt")
    path.write_text(TEXT.replace("Elizabeth", "Katherine").replace("Lizzy", "Kitty") * 2, "utf-8")
    seen: list[str] = []
    session.services.hub.changed.connect(lambda _: seen.append(row.count.text()))
    session.add_paths([str(path)])
    qtbot.waitUntil(lambda: "…" in seen, timeout=30_000)
    qtbot.waitUntil(lambda: row.count.text() == "2", timeout=30_000)
    assert row.toolTip() == "2 suggestions to merge names"
    if is_desk_open:  # its list stands still until the person updates it
        assert desk.model.n_all == 1 and desk.is_outdated
        desk.page.never()
        assert row.count.text() == "1", "a decision counts at once"
        qtbot.waitUntil(lambda: session.lanes["writer"].n_jobs == 0)
        assert row.count.text() == "1"


@pytest.mark.parametrize("workspace", ["idle"], indirect=True)
def test_communities_are_not_numbered_while_the_graph_grows(
    workspace: Workspace, qtbot, monkeypatch
):
    row, hub = workspace.window.sidebar.rows["communities"], workspace.context.hub
    session = workspace.session
    qtbot.waitUntil(lambda: row.count.text().isdigit(), timeout=30_000)
    number, ids = row.count.text(), frozenset({1})
    hub.publish_edit(ChangeNotice(entities=ids))
    assert row.count.text() == number, "an edit of the person"
    monkeypatch.setattr(communities, "QUIET_MS", 60_000)  # not counted again meanwhile
    hub.publish_work(ChangeNotice(entities=ids))
    assert row.count.text() == "…" and row.toolTip().startswith("Counted when")
    workspace.window.show_screen("communities")  # which has the stored ones
    qtbot.waitUntil(lambda: session.lanes["communities"].n_jobs == 0)
    assert row.count.text() == "…"
    monkeypatch.setattr(communities, "QUIET_MS", 100)
    hub.publish_work(ChangeNotice(entities=ids))
    qtbot.waitUntil(lambda: row.count.text() == number, timeout=30_000)


@pytest.mark.parametrize("workspace", ["idle"], indirect=True)
def test_the_merge_desk_ends_the_search_in_the_background(workspace: Workspace, qtbot, monkeypatch):
    begun, ended = threading.Event(), threading.Event()

    def run(cancel: CancelToken) -> int:
        begun.set()
        try:
            cancel.wait(20)
        finally:
            ended.set()
        return 7

    monkeypatch.setattr(workspace.context.duplicate_maintenance, "run", run)
    qtbot.waitUntil(begun.is_set)
    workspace.window.show_screen("merge")
    qtbot.waitUntil(lambda: ended.is_set() and bool(workspace.window.screens.merge.page.cards))
    assert workspace.window.sidebar.rows["merge"].count.text() == "1"


@pytest.mark.parametrize("workspace", ["idle"], indirect=True)
def test_a_count_of_an_older_graph_is_not_shown_after_a_change(
    workspace: Workspace, qtbot, monkeypatch
):
    row, context = workspace.window.sidebar.rows["merge"], workspace.context
    qtbot.waitUntil(lambda: row.count.text() == "1")
    begun, go_on = threading.Event(), threading.Event()

    def list_ambiguous_names() -> list[object]:
        begun.set()
        go_on.wait(20)
        return []

    monkeypatch.setattr(context.library_reader, "list_ambiguous_names", list_ambiguous_names)
    changed = ChangeNotice(entities=frozenset({1}))
    context.hub.publish_work(changed)
    qtbot.waitUntil(begun.is_set)
    monkeypatch.setattr(duplicates, "QUIET_MS", 60_000)
    context.hub.publish_work(changed)  # while the count is read
    go_on.set()
    qtbot.waitUntil(lambda: context.reader_lane.n_jobs == 0)
    assert row.count.text() == "…"
