"""The merge desk with a real library, real services and real lanes."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from desktop_app.engine.graph.names import normalise_name
from desktop_app.engine.model import ChunkEvidence, ChunkSpan, Mention, ReadDocument
from desktop_app.engine.services.duplicates import Duplicates
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.graph_update import update_graph
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.engine.store import documents, evidence
from desktop_app.ui.duplicates.screen import MergeDesk
from tests.books import shown
from tests.ui.fakes import FakeContext

NAMES = (
    "Elisabeth Bennet",
    "Elizabeth Bennet",
    "Fitzwilliam Darcy",
    "Fitzwilliam Darcey",
    "Wickham",
)


def add_names(library: Library) -> None:
    """Put a document in that names each in a sentence of its own."""
    text = "".join(f"{name} came to the ball. {name} danced. " for name in NAMES)
    mentions = []
    for name in NAMES:
        at = text.find(name)
        while at >= 0:
            end = text.index(". ", at) + 1
            mentions.append(Mention(name, "person", at, at + len(name), at, end))
            at = text.find(name, at + 1)
    db = library.writer
    name_ids = evidence.NameIds(db, normalise_name)
    with db.transaction():
        document_id = documents.add_waiting(
            db, title="Ball", file_name="a.txt", source_path="", content=b"", sha256="1"
        )
        read = ReadDocument("Ball", text, "txt", "en")
        documents.store_read(db, document_id, read, [ChunkSpan(0, 0, len(text), 90)], [[]])
        chunk_id = db.value("SELECT id FROM chunk")
        evidence.store_evidence(
            db, document_id, chunk_id, ChunkEvidence(0, tuple(mentions), ()), name_ids,
            strategy="instant",
        )  # fmt: skip
    update_graph(db)


@pytest.fixture
def library(tmp_path):
    made = Library(tmp_path / "small.inkgraph")
    add_names(made)
    yield made
    made.close()


@pytest.fixture
def desk(context: FakeContext, library, qtbot):
    context.library_reader = LibraryReader(library.reader())
    context.editing = EditingService(library.writer)
    context.duplicates = Duplicates(library.reader())
    made = MergeDesk(context)
    qtbot.addWidget(made)
    made.resize(1100, 760)
    made.show()
    qtbot.waitUntil(lambda: made.model.rowCount() == 2)
    qtbot.waitUntil(lambda: bool(made.page.cards))
    return made


def names_of(desk) -> set[str]:
    return {card.member.entity.name for card in desk.page.cards}


def test_clusters_stand_side_by_side_with_their_sentences(desk, qtbot):
    assert names_of(desk) in (set(NAMES[:2]), set(NAMES[2:4]))
    qtbot.waitUntil(lambda: all(card.sentences.labels for card in desk.page.cards))
    qtbot.waitUntil(lambda: "After merging" in desk.page.preview.text())
    assert desk.page.why.text() and "%" in desk.page.certainty.text()


def test_a_merge_goes_on_to_the_next_cluster_and_can_be_undone(desk, context, library, qtbot):
    first = names_of(desk)
    desk.page.name.setEditText("The one")
    qtbot.keyClick(desk, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: "The one" in shown(library))
    assert not first & (shown(library) - {"The one"})
    qtbot.waitUntil(lambda: names_of(desk) == set(NAMES[:4]) - first)
    qtbot.waitUntil(lambda: context.messages.last is not None)
    context.messages.last.action()
    qtbot.waitUntil(lambda: first <= shown(library))


def test_never_merge_is_remembered_when_it_looks_again(desk, library, qtbot):
    first = names_of(desk)
    desk.page.never_button.click()
    qtbot.waitUntil(lambda: library.writer.rows("SELECT * FROM never_merged") != [])
    with qtbot.waitSignal(desk.counted, timeout=5000):
        desk.search()
    qtbot.waitUntil(lambda: desk.model.n_all == 1)
    assert names_of(desk) != first and first <= shown(library)


def test_skipping_goes_round_and_unticking_stops_the_merge(desk, qtbot):
    first = names_of(desk)
    desk.page.skip_button.click()
    assert names_of(desk) != first
    desk.page.skip_button.click()
    assert names_of(desk) == first
    desk.page.toggle(0)
    assert not desk.page.merge_button.isEnabled() and "at least two" in desk.page.preview.text()


def test_the_list_is_searched_and_says_when_nothing_is_left(desk, qtbot):
    desk.list.set_view(text="darc")
    assert desk.model.rowCount() == 1 and names_of(desk) == set(NAMES[2:4])
    desk.list.set_view(text="nobody")
    assert desk.pages.currentWidget() is desk.empty
    desk.list.set_view(text="")
    assert desk.model.rowCount() == 2


def test_while_it_looks_it_does_not_say_that_there_is_nothing(desk, qtbot):
    qtbot.waitUntil(lambda: desk.model.n_all > 0 and desk.list.search_button.isEnabled())
    desk.model.set_clusters([])
    desk.search()
    desk.list.filtered.emit()  # updates the counts, as the results of the other tabs do
    assert desk.pages.currentWidget() is desk.skeleton
    qtbot.waitUntil(lambda: desk.list.search_button.isEnabled())
    assert desk.pages.currentWidget() is desk.page
