"""Tests reindexing of documents: unchanged or chunked anew; edits are kept."""

from __future__ import annotations

import json

import pytest

from desktop_app.engine.errors import UserError
from desktop_app.engine.services.annotations import AnnotationService
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.engine.text.chunking import ChunkingSettings

STORY = """CHAPTER I. The Shop

Old Tobias Wren kept a shop of clocks in Harrow Lane. His niece, Clara Wren, wound them every
night. One evening Captain Hale came in from the rain. "I want the watch that was left by Edmund
Marsh," said Captain Hale. Clara Wren looked at her uncle.

CHAPTER II. The Watch

Edmund Marsh had been a sailor. He was lost near Port Ellis with the brig Petrel. Captain Hale had
sailed with Edmund Marsh for nine years. Clara Wren had loved Edmund Marsh, though Tobias Wren
never knew. Captain Hale took the watch to Port Ellis. Inside it Clara Wren had scratched her name.
"""
TALE = "话说苏州城里有个秀才，姓沈名砚。沈砚常到听雨楼喝茶。听雨楼的掌柜柳三娘与沈砚相熟。\n"


@pytest.fixture
def files(tmp_path):
    (tmp_path / "clock.txt").write_text(STORY, "utf-8")
    (tmp_path / "tea.txt").write_text(TALE, "utf-8")
    return [tmp_path / "clock.txt", tmp_path / "tea.txt"]


def index(library: Library, files) -> LibraryReader:
    add_files(library.writer, files)
    IndexingService(library.writer, lambda: None).run(embed=False)
    return LibraryReader(library.writer)


def test_a_table_is_reindexed_without_duplicate_rows(library, tmp_path):
    table = tmp_path / "facts.jsonl"
    rows = [{"title": f"Row {i}", "text": f"Ada Voss met Clara Wren in room {i}."} for i in (1, 2)]
    table.write_text("\n".join(json.dumps(r) for r in rows), "utf-8")
    library_reader = index(library, [table])
    before = [(d.id, d.title, d.state) for d in library_reader.list_documents()]
    work = DocumentService(library.writer)
    work.edit_details([before[0][0]], author="Me")
    for document_id, _, _ in before:
        work.reindex_documents([document_id])
    IndexingService(library.writer, lambda: None).run(embed=False)
    assert [(d.id, d.title, d.state) for d in library_reader.list_documents()] == before
    assert library_reader.get_document(before[0][0]).author == "Me"


def test_other_settings_chunk_again_and_keep_edits(library, files):
    library_reader = index(library, files)
    work, editing = DocumentService(library.writer), EditingService(library.writer)
    story = next(d for d in library_reader.list_documents() if d.language == "en")
    by_name = {e.name: e.id for e in library_reader.top_entities()}
    editing.merge(by_name["Captain Hale"], [by_name["Edmund Marsh"]])
    editing.rename(by_name["Captain Hale"], "Hale or Marsh")
    editing.retype(by_name["Clara Wren"], "object")
    reading = AnnotationService(library.writer, library.writer)
    reading.highlight(story.id, 10, 30, note="here")
    small = ChunkingSettings(chunk_token_size=50)
    assert work.find_common_chunking([story.id], ChunkingSettings()) == ChunkingSettings()
    work.reindex_documents([story.id], small)
    IndexingService(library.writer, lambda: None).run(embed=False)
    assert library_reader.get_document(story.id).n_chunks > story.n_chunks
    names = {e.name: e.type for e in library_reader.top_entities()}
    assert names["Clara Wren"] == "object" and "Hale or Marsh" in names
    assert "Captain Hale" not in names
    marks = reading.list_annotations(story.id)
    assert [(m.start, m.end, m.note) for m in marks] == [(10, 30, "here")]
    other = next(d for d in library_reader.list_documents() if d.id != story.id)
    assert work.find_common_chunking([story.id], ChunkingSettings()) == small
    assert work.find_common_chunking([story.id, other.id], ChunkingSettings()) is None
    work.reindex_documents([story.id])  # with the chunk settings of the last time
    IndexingService(library.writer, lambda: None).run(embed=False)
    assert library_reader.get_document(story.id).n_chunks > story.n_chunks
    with pytest.raises(UserError):
        work.reindex_documents([story.id], ChunkingSettings(chunk_overlap_token_size=900))
    assert library.writer.integrity_problems() == []


def test_a_restored_document_has_the_same_chunks(library, files):
    library_reader = index(library, files[:1])
    [row] = library_reader.list_documents()
    work, small = DocumentService(library.writer), ChunkingSettings(chunk_token_size=50)
    work.reindex_documents([row.id], small)
    _, [in_trash] = work.trash_documents([row.id])
    work.restore_documents([in_trash])
    IndexingService(library.writer, lambda: None).run(embed=False)
    [back] = library_reader.list_documents()
    assert back.n_chunks > row.n_chunks
    assert work.find_common_chunking([back.id], ChunkingSettings()) == small
