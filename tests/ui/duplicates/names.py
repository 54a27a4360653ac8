"""A library with names that look alike, and the merge desk over it."""

from __future__ import annotations

from desktop_app.engine.file_content import BytesContent
from desktop_app.engine.graph.names import normalise_name
from desktop_app.engine.model import ChunkEvidence, ChunkSpan, Mention, ReadDocument
from desktop_app.engine.services.duplicates import Duplicates
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.graph_update import rebuild_graph, update_graph
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.engine.store import documents, evidence
from desktop_app.ui.duplicates.screen import MergeDesk
from tests.books import add_book
from tests.ui.fakes import FakeContext

NAMES = (
    "Elisabeth Bennet",
    "Elizabeth Bennet",
    "Fitzwilliam Darcy",
    "Fitzwilliam Darcey",
    "Wickham",
)


def add_names(library: Library) -> None:
    """Add a document with one sentence for each name."""
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
            db,
            title="Ball",
            file_name="a.txt",
            source_path="",
            content=BytesContent(b""),
            sha256="1",
        )
        read = ReadDocument("Ball", text, "txt", "en")
        documents.store_read(db, document_id, read, [ChunkSpan(0, 0, len(text), 90)], [[]])
        chunk_id = db.value("SELECT id FROM chunk")
        evidence.store_evidence(
            db, document_id, chunk_id, ChunkEvidence(0, tuple(mentions), ()), name_ids,
            strategy="instant",
        )  # fmt: skip
    update_graph(db)


def add_automatic_merge(library: Library) -> None:
    """Add a second spelling of a name, which the rules merge."""
    add_book(library, ("Marsh spoke. ", "Hale was silent. "))
    with library.writer.transaction():
        library.writer.write("UPDATE name SET text = 'WICKHAM' WHERE text = 'Marsh'")
        library.writer.write("UPDATE name SET key = 'wickham' WHERE text = 'WICKHAM'")
    rebuild_graph(library.writer)


def open_merge_desk(context: FakeContext, library: Library, qtbot) -> MergeDesk:
    """Show the merge desk over a library; its first cluster is loaded."""
    context.library_reader = LibraryReader(library.reader())
    context.editing = EditingService(library.writer)
    context.duplicates = Duplicates(library.reader())
    made = MergeDesk(context)
    qtbot.addWidget(made)
    made.resize(1100, 760)
    made.show()
    qtbot.waitUntil(lambda: bool(made.page.cards))
    return made
