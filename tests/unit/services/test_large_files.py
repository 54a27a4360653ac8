"""Large files: bytes are stored and read piece by piece, and a text has a limit."""

from __future__ import annotations

import hashlib
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_app.engine.errors import Cancelled, UserError
from desktop_app.engine.file_content import PIECE_BYTES, BytesContent, has_bytes
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.importing.model import ImportedChunk, ImportedGraph
from desktop_app.engine.services.importing.reader_protocol import measure_graph
from desktop_app.engine.services.library import Library
from desktop_app.engine.store import documents, file_versions
from desktop_app.engine.store.file_content import find_content
from desktop_app.engine.text.reader_process import DocumentReader
from desktop_app.engine.text.readers.archives import MAX_TEXT_CHARS, Unreadable
from desktop_app.engine.text.readers.document_builder import build_document

N_BYTES = 3 * PIECE_BYTES + 7


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    made = Library(tmp_path / "a.inkgraph")
    yield made
    made.close()


def write_file(path: Path, sign: bytes) -> str:
    """Write a large file; return its digest."""
    content = (sign * N_BYTES)[:N_BYTES]
    path.write_bytes(content)
    return hashlib.sha256(content).hexdigest()


def test_a_large_file_is_never_whole_in_memory(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    sha256 = write_file(path, b"The tide. ")
    tracemalloc.start()
    try:
        added = add_files(library.writer, [path])
        source = file_versions.find_file_to_read(library.writer, added.documents[0])
        assert source is not None and source.sha256 == sha256
        digest = hashlib.sha256()
        for piece in source.content.iter_pieces():
            digest.update(piece)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert digest.hexdigest() == sha256
    assert peak < 2.5 * PIECE_BYTES


def test_the_version_before_can_be_restored_and_set_back(library: Library, tmp_path: Path) -> None:
    db, path = library.writer, tmp_path / "a.txt"
    old = write_file(path, b"Old tide. ")
    (document_id,) = add_files(db, [path]).documents
    with db.transaction():
        db.write("INSERT INTO document_text VALUES (?, 'Old tide.')", (document_id,))
    new = write_file(path, b"New tide. ")
    add_files(db, [path])
    for _ in range(2):  # the change, and the version before it
        with db.transaction():
            source = file_versions.find_file_to_read(db, document_id)
            assert source is not None
            file_versions.take_version(db, document_id, source)
        stored = documents.fetch_original(db, document_id) or b""
        kept = find_content(db, "previous_version", document_id)
        assert kept is not None
        before = hashlib.sha256(b"".join(kept.iter_pieces())).hexdigest()
        assert {hashlib.sha256(stored).hexdigest(), before} == {old, new}
        assert hashlib.sha256(stored).hexdigest() == source.sha256
        with db.transaction():
            file_versions.offer_version(db, document_id, before, None, kept.size)


def test_a_file_that_changes_while_it_is_read_is_refused(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.txt"
    write_file(path, b"The tide. ")
    find_by_hash = documents.find_by_hash

    def change(*values: object) -> object:
        with path.open("r+b") as file:
            file.write(b"A")
        return find_by_hash(*values)  # type: ignore[arg-type]

    monkeypatch.setattr(documents, "find_by_hash", change)
    added = add_files(library.writer, [path])
    assert "was changed while it was read" in str(added.refused[str(path)])
    assert library.writer.value("SELECT count(*) FROM original") == 0


def test_reading_ends_when_the_file_was_replaced_meanwhile(
    library: Library, tmp_path: Path
) -> None:
    path = tmp_path / "a.txt"
    write_file(path, b"The tide. ")
    (document_id,) = add_files(library.writer, [path]).documents
    content = find_content(library.writer, "original", document_id)
    assert content is not None
    with library.writer.transaction():
        documents.replace_unread(library.writer, document_id, BytesContent(b"short"), "1")
    reader = DocumentReader()
    try:
        with pytest.raises(Cancelled):
            reader.read(content, "a.txt")
        assert reader.read(b"The tide came in.", "b.txt")[0].text == "The tide came in."
    finally:
        reader.close()


def test_bytes_are_found_across_two_pieces() -> None:
    class Pieces:
        size = 8

        def iter_pieces(self) -> Iterator[bytes]:
            yield b"a/En"
            yield b"crypt b"

    assert has_bytes(Pieces(), b"/Encrypt")
    assert not has_bytes(Pieces(), b"/Encrypted")


def test_a_text_longer_than_the_limit_is_refused() -> None:
    text = "The tide. " * (MAX_TEXT_CHARS // 10) + "A"
    with pytest.raises(Unreadable, match="more than 25 million characters"):
        build_document(text, format="txt", stem="a")
    graph = ImportedGraph("test", "a", chunks=[ImportedChunk("a", text, "")])
    with pytest.raises(UserError, match="more than 25 million characters"):
        measure_graph(graph, 1 << 40)
