"""Tests indexing from files to a graph: real readers, real tagger, small texts."""

from __future__ import annotations

import json
from functools import reduce
from operator import or_

import pytest

from desktop_app.engine.changes import NOTHING, ChangeNotice
from desktop_app.engine.errors import Cancelled
from desktop_app.engine.progress import CancelToken, Progress
from desktop_app.engine.query import QueryParam
from desktop_app.engine.retrieval.retriever import Retriever
from desktop_app.engine.services import indexing
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.exporting.graph_files import export_graph
from desktop_app.engine.services.indexing import ROWS_A_BATCH, IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader
from tests.fakes import HashEmbedder

STORY = """The Clockmaker

CHAPTER I. The Shop

Old Tobias Wren kept a shop of clocks in Harrow Lane. His niece, Clara Wren, wound them every
night. Tobias Wren said little, and Clara said less.

One evening Captain Hale came in from the rain. "I want the watch that was left by Edmund Marsh,"
said Captain Hale. Clara Wren looked at her uncle.

CHAPTER II. The Watch

Edmund Marsh had been a sailor. He was lost near Port Ellis with the brig Petrel. Captain Hale had
sailed with Edmund Marsh for nine years. Clara Wren had loved Edmund Marsh, though Tobias Wren
never knew.

Captain Hale took the watch to Port Ellis. Inside it Clara Wren had scratched her name.
"""
TALE = """第一回　茶馆

话说苏州城里有个秀才，姓沈名砚，表字子墨。沈砚常到听雨楼喝茶。听雨楼的掌柜柳三娘与沈砚相熟。

那日，柳三娘对沈砚说道：“先生可认得陆青山？”沈砚笑道：“陆青山是我的同窗。”

第二回　夜雨

当夜，陆青山来到听雨楼，柳三娘把一封信交给陆青山。沈砚在旁边看见，不觉大惊。
"""


@pytest.fixture
def files(tmp_path):
    (tmp_path / "clock.txt").write_text(STORY, "utf-8")
    (tmp_path / "tea.txt").write_bytes(TALE.encode("gb18030"))
    return [tmp_path / "clock.txt", tmp_path / "tea.txt"]


def index(library: Library, files, embedder=None) -> LibraryReader:
    add_files(library.writer, files)
    IndexingService(library.writer, lambda: embedder).run()
    return LibraryReader(library.writer)


def snapshot(library: Library) -> tuple:
    """Return the graph and the evidence without row ids that depend on the order of work."""
    db = library.writer
    return (
        db.rows(
            "SELECT name, type, n_mentions, n_relations, description FROM entity ORDER BY name"
        ),
        db.rows(
            "SELECT s.name, t.name, r.weight, r.n_evidence, r.keywords FROM relation r"
            " JOIN entity s ON s.id = r.source_id JOIN entity t ON t.id = r.target_id"
            " ORDER BY 1, 2"
        ),
        db.rows("SELECT document_id, start, end FROM mention ORDER BY 1, 2, 3"),
        db.rows("SELECT document_id, start, end, text FROM chunk ORDER BY 1, 2"),
    )


def test_a_story_becomes_entities_relations_and_offsets(library, files):
    library_reader = index(library, files)
    assert [d.state for d in library_reader.list_documents()] == ["ready", "ready"]
    names = {e.name: e for e in library_reader.top_entities()}
    assert {"Tobias Wren", "Clara Wren", "Edmund Marsh", "沈砚", "柳三娘", "陆青山"} <= set(names)
    assert names["Clara Wren"].type == "person"
    relations = library_reader.fetch_relations(names["Clara Wren"].id)
    assert {"Tobias Wren", "Edmund Marsh"} <= {r.source for r in relations} | {
        r.target for r in relations
    }
    for document in library_reader.list_documents():
        own = library_reader.entities_of_document(document.id, 100)
        counts = [row.n_mentions for row in own]
        assert counts == sorted(counts, reverse=True)
        for row in own:
            mentions = library_reader.fetch_mentions(row.id)
            assert row.n_mentions == sum(m.document_id == document.id for m in mentions)
    for mention in library_reader.fetch_mentions(names["Edmund Marsh"].id):
        text = library_reader.fetch_text(mention.document_id)
        assert text[mention.start : mention.end] == mention.name
        assert mention.name in mention.sentence
        assert text[mention.sentence_start :].startswith(mention.sentence)
    for relation in relations:
        text = library_reader.fetch_text(relation.document_id)
        assert text[relation.sentence_start : relation.sentence_end] == relation.sentence


def test_chunks_rejoin_to_the_document(library, files):
    library_reader = index(library, files)
    for document in library_reader.list_documents():
        chunks = library.writer.rows(
            "SELECT text FROM chunk WHERE document_id = ? ORDER BY order_no", (document.id,)
        )
        assert "".join(t for (t,) in chunks) == library_reader.fetch_text(document.id)


def test_a_stopped_run_continues_to_the_same_graph(library, tmp_path, files):
    whole = Library(tmp_path / "whole.inkgraph")
    index(whole, files)
    add_files(library.writer, files)
    n_stops = 0
    for _ in range(200):
        token = CancelToken()
        steps = []

        def stop_at_once(progress, steps=steps, token=token):
            steps.append(progress)
            if len(steps) >= 4:  # each stop costs the start of a process
                token.cancel()

        try:
            IndexingService(library.writer, lambda: None).run(
                cancel=token, on_progress=stop_at_once
            )
            break
        except Cancelled:
            n_stops += 1
    assert n_stops >= 2
    assert snapshot(library) == snapshot(whole)
    whole.close()


def test_the_same_file_twice_is_reported_as_a_duplicate(library, files, tmp_path):
    index(library, files)
    copy = tmp_path / "copy.txt"
    copy.write_text(STORY, "utf-8")
    added = add_files(library.writer, [copy])
    assert added.documents == ()
    assert added.duplicates[0][0] == "copy.txt"


def test_an_unreadable_file_fails_with_a_reason_and_the_others_continue(library, files, tmp_path):
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7 this is no pdf")
    library_reader = index(library, [broken, *files])
    states = {d.file_name: d for d in library_reader.list_documents()}
    assert states["broken.pdf"].state == "failed"
    assert len(states["broken.pdf"].reason) > 20
    assert states["clock.txt"].state == "ready"


def test_a_failed_file_added_again_is_retried_and_listed_once(library, tmp_path):
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7 this is no pdf")
    index(library, [broken])
    library_reader = index(library, [broken])
    assert [d.state for d in library_reader.list_documents()] == ["failed"]


def test_windows_that_lost_their_vectors_are_embedded_again(library, files):
    index(library, files, HashEmbedder())
    with library.writer.transaction():
        library.writer.write("DELETE FROM embedding WHERE window_id IN (1, 3)")
    n_begun = library.writer.value(
        "SELECT count(*) FROM window WHERE document_id IN"
        " (SELECT document_id FROM window WHERE id IN (1, 3))"
    )
    seen: list[Progress] = []
    IndexingService(library.writer, HashEmbedder).run(on_progress=seen.append)
    overview = LibraryReader(library.writer).overview()
    assert overview.n_embedded == overview.n_windows > 3
    # the share is that of the documents, so that a pause does not set it back to 0
    [embedded] = [one for one in seen if one.stage == "embedding"]
    assert (embedded.done, embedded.total) == (n_begun, n_begun) and n_begun > 2


def test_rows_of_a_table_become_documents(library, tmp_path):
    table = tmp_path / "facts.jsonl"
    rows = [
        {"title": "Harbour Lights", "text": "Harbour Lights is a film directed by Ada Voss."},
        {"title": "Ada Voss", "text": "Ada Voss was born in Lindau and trained as a glazier."},
    ]
    table.write_text("\n".join(json.dumps(r) for r in rows), "utf-8")
    library_reader = index(library, [table], HashEmbedder())
    assert {d.title for d in library_reader.list_documents()} == {"Harbour Lights", "Ada Voss"}
    found = Retriever(library.writer, HashEmbedder).find(
        "Where was the director of Harbour Lights born?", QueryParam(chunk_top_k=2)
    )
    assert {p.title for p in found.passages} == {"Harbour Lights", "Ada Voss"}


def test_a_table_stopped_while_its_rows_are_stored_is_whole_after_the_next_run(
    library, tmp_path, monkeypatch
):
    monkeypatch.setattr(indexing, "ROWS_A_BATCH", 20)
    table = tmp_path / "facts.jsonl"
    rows = [{"title": f"Note {i}", "text": f"Note {i} is short."} for i in range(45)]
    table.write_text("\n".join(json.dumps(r) for r in rows), "utf-8")
    (document_id,) = add_files(library.writer, [table]).documents
    cancel = CancelToken()

    def stop_at_first_batch(change: ChangeNotice) -> None:
        if len(change.documents) > 1:
            cancel.cancel()

    service = IndexingService(library.writer, lambda: None)
    with pytest.raises(Cancelled):
        service.run(cancel=cancel, on_change=stop_at_first_batch)
    reader = LibraryReader(library.writer)
    stored = [d.id for d in reader.list_documents()]
    assert 1 < len(stored) < len(rows)
    assert library.writer.value("SELECT state FROM document WHERE id = ?", (document_id,)) == (
        "reading"
    )
    service.run()
    documents = reader.list_documents()
    assert sorted(d.title for d in documents) == sorted(r["title"] for r in rows)
    assert {d.state for d in documents} == {"ready"}


def test_the_rows_of_a_table_are_reported_and_reading_them_can_be_cancelled(library, tmp_path):
    table = tmp_path / "facts.jsonl"
    n = 50 * ROWS_A_BATCH
    table.write_text("\n".join(f'{{"text": "Clock {i} \\ud800 struck."}}' for i in range(n)))
    add_files(library.writer, [table])
    cancel, seen = CancelToken(), []

    def stop_at_the_first_rows(progress) -> None:
        seen.append((progress.done, progress.total))
        if progress.done:
            cancel.cancel()

    service = IndexingService(library.writer, lambda: None)
    with pytest.raises(Cancelled):
        service.run(cancel=cancel, on_progress=stop_at_the_first_rows)
    assert 0 < seen[-1][0] < seen[-1][1] == n
    assert [d.state for d in LibraryReader(library.writer).list_documents()] == ["reading"]


@pytest.mark.parametrize("name", ["x" * 60_000, "天" * 20_000, "%" * 60_000, "\\" * 60_000])
def test_a_name_of_any_length_can_be_searched(library, files, name):
    reader = index(library, files)
    assert reader.find_entities(name) == []
    assert [e.name for e in reader.find_entities("Clara Wren", 1)] == ["Clara Wren"]


@pytest.mark.parametrize("mode", ["walk", "naive", "words"])
def test_every_mode_finds_the_passage_with_its_offsets(library, files, mode):
    library_reader = index(library, files, HashEmbedder())
    found = Retriever(library.writer, HashEmbedder).find(
        "谁把信交给了陆青山？", QueryParam(mode=mode)
    )
    best = found.passages[0]
    assert "交给陆青山" in best.text
    text = library_reader.fetch_text(best.document_id)
    assert text[best.start : best.end] == best.text
    assert best.start <= best.best_start < best.best_end <= best.end


def test_two_copies_of_a_book_give_each_passage_once(library, files, tmp_path):
    copy = tmp_path / "clock.md"
    copy.write_text(STORY.replace("\n\n", "\n\n\n"), "utf-8")
    library_reader = index(library, [*files, copy], HashEmbedder())
    assert len(library_reader.list_documents()) == 3
    found = Retriever(library.writer, HashEmbedder).find(
        "Who was lost near Port Ellis?", QueryParam(chunk_top_k=8)
    )
    places = [p.text for p in found.passages if "Port Ellis with the brig" in p.text]
    assert len(places) == 1


def test_a_question_who_a_person_is_finds_the_introduction(library, files, tmp_path):
    long = tmp_path / "long.txt"
    filler = "\n\n".join(
        f"On day {i} Edmund Marsh wrote a letter and Captain Hale burnt it. " * 8 for i in range(40)
    )
    long.write_text(filler + "\n\n" + STORY.replace("The Clockmaker", "") + "\n\n" + filler)
    index(library, [long], HashEmbedder())
    found = Retriever(library.writer, HashEmbedder).find(
        "Who is Edmund Marsh?", QueryParam(chunk_top_k=3)
    )
    assert any("Edmund Marsh had been a sailor" in p.text for p in found.passages)


def test_excluded_documents_are_not_searched(library, files):
    library_reader = index(library, files, HashEmbedder())
    tale = next(d for d in library_reader.list_documents() if d.file_name == "tea.txt")
    DocumentService(library.writer).set_aside([tale.id], True)
    for mode in ("walk", "naive", "words"):
        found = Retriever(library.writer, HashEmbedder).find("陆青山的信", QueryParam(mode=mode))
        assert tale.id not in {p.document_id for p in found.passages}


def test_deleting_a_document_deletes_its_entities(library, files):
    library_reader = index(library, files)
    tale = next(d for d in library_reader.list_documents() if d.file_name == "tea.txt")
    DocumentService(library.writer).delete_documents([tale.id])
    names = {e.name for e in library_reader.top_entities()}
    assert "沈砚" not in names and "Clara Wren" in names
    assert library.writer.integrity_problems() == []


def test_corrections_survive_reindexing(library, files):
    library_reader = index(library, files)
    editing = EditingService(library.writer)

    def entity(name):
        return library_reader.find_entities(name)[0]

    editing.rename(entity("Captain Hale").id, "Augustus Hale")
    editing.merge(entity("Clara Wren").id, [entity("Tobias Wren").id])
    for document in library_reader.list_documents():
        DocumentService(library.writer).delete_documents([document.id])
    index(library, files)
    assert entity("Augustus Hale").name == "Augustus Hale"
    assert entity("Captain Hale").id == entity("Augustus Hale").id
    assert entity("Tobias Wren").id == entity("Clara Wren").id


def test_undo_restores_the_graph(library, files):
    library_reader = index(library, files)
    before = snapshot(library)
    editing = EditingService(library.writer)
    editing.delete(library_reader.find_entities("Clara Wren")[0].id)
    assert library_reader.find_entities("Clara Wren") == []
    label, _ = editing.undo()
    assert label == "Delete “Clara Wren”"
    assert snapshot(library) == before


@pytest.mark.parametrize("format_", ["json", "graphml", "csv"])
def test_the_graph_is_exported(library, files, tmp_path, format_):
    import networkx as nx

    index(library, files)
    out = tmp_path / f"graph.{format_}"
    n_entities, n_relations = export_graph(library.writer, out, format_)
    assert n_entities > 5 and n_relations > 3
    if format_ == "graphml":
        assert nx.read_graphml(out).number_of_edges() == n_relations
    elif format_ == "json":
        assert len(json.loads(out.read_text("utf-8"))["entities"]) == n_entities
    else:
        lines = out.with_suffix(".entities.csv").read_text("utf-8-sig").splitlines()
        assert len(lines) == n_entities + 1


def test_of_a_changed_file_only_changed_chunks_are_read(library, tmp_path):
    page = "\n\n".join(f"Chapter {i}. Clara Wren wound clock number {i}. " * 30 for i in range(8))
    path = tmp_path / "book.txt"
    path.write_text(STORY + page, "utf-8")
    index(library, [path], HashEmbedder())
    db = library.writer
    before = dict(db.rows("SELECT text, id FROM chunk"))
    n_windows = db.value("SELECT count(*) FROM embedding")
    preface = "Fanny Price knew Captain Hale. Fanny Price wrote this. He wrote to Fanny Price.\n\n"
    path.write_text(preface + STORY + page, "utf-8")
    added = add_files(db, [path])
    assert len(added.documents) == 1 and db.value("SELECT count(*) FROM document") == 1
    IndexingService(db, HashEmbedder).run(embed=False)
    after = dict(db.rows("SELECT text, id FROM chunk"))
    same = [text for text in after if before.get(text) == after[text]]
    assert 0 < len(same) < len(after) and len(same) >= len(before) - 2
    assert db.value("SELECT count(*) FROM embedding") > n_windows // 2  # not made again
    text = LibraryReader(db).fetch_text(added.documents[0])
    for start, end, name in db.rows(
        "SELECT m.start, m.end, n.text FROM mention m JOIN name n ON n.id = m.name_id"
    ):
        assert " ".join(text[start:end].split()).rstrip("'s") in (name, name.rstrip("'s"))
    for start, end, text_id in db.rows("SELECT start, end, chunk_id FROM window"):
        chunk = db.row("SELECT start, end FROM chunk WHERE id = ?", (text_id,))
        assert chunk[0] <= start < end <= chunk[1]
    assert any(e.name == "Fanny Price" for e in LibraryReader(db).top_entities())
    assert db.integrity_problems() == []


def test_reindexing_a_document_gives_the_same_graph(library, files):
    library_reader = index(library, files)
    before = snapshot(library)
    for document in library_reader.list_documents():
        DocumentService(library.writer).reindex_documents([document.id])
    IndexingService(library.writer, lambda: None).run(embed=False)
    assert {d.state for d in library_reader.list_documents()} == {"ready"}
    assert snapshot(library) == before


def list_changes(library: Library) -> list[ChangeNotice]:
    """Index waiting documents; return the changes that each step reported."""
    changes: list[ChangeNotice] = []
    IndexingService(library.writer, HashEmbedder).run(on_change=changes.append)
    return changes


def join(changes: list[ChangeNotice]) -> ChangeNotice:
    return reduce(or_, changes, NOTHING)


def rows_by_id(library: Library, table: str) -> dict[int, tuple]:
    """Return the rows, without the weight of relations, which depends on the whole library."""
    columns = [row[1] for row in library.writer.rows(f"PRAGMA table_info({table})")]
    compared = ", ".join(name for name in columns if name != "weight")
    return {row[0]: row for row in library.writer.rows(f"SELECT {compared} FROM {table}")}


def changed_ids(library: Library, before: dict[str, dict[int, tuple]]) -> list[set[int]]:
    """Return the ids of entities and of relations whose rows are not as before."""
    return [
        {i for i in rows.keys() | after.keys() if rows.get(i) != after.get(i)}
        for table, rows in before.items()
        for after in [rows_by_id(library, table)]
    ]


def test_indexing_reports_exactly_what_it_changed(library, files):
    clock, tea = files
    index(library, [clock], HashEmbedder())
    before = {table: rows_by_id(library, table) for table in ("entity", "relation")}
    [added] = add_files(library.writer, [tea]).documents
    change = join(list_changes(library))
    assert change.documents == {added}
    assert change.entities and [change.entities, change.relations] == changed_ids(library, before)
    assert not change.models and not change.chats


def test_a_second_run_with_nothing_to_do_reports_nothing(library, files):
    index(library, files, HashEmbedder())
    assert join(list_changes(library)) == NOTHING


def test_a_failed_document_is_reported_when_its_reason_is_stored(library, tmp_path):
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7 this is no pdf")
    [added] = add_files(library.writer, [broken]).documents
    states = []

    def look(change: ChangeNotice) -> None:
        assert change == ChangeNotice(documents=frozenset({added}))
        states.append(LibraryReader(library.writer).get_document(added).state)

    IndexingService(library.writer, lambda: None).run(on_change=look)
    assert states[-1] == "failed"


@pytest.mark.parametrize("way", ["delete", "trash"])
def test_deleting_reports_the_document_and_its_exclusive_entities(library, files, way):
    reader = index(library, files, HashEmbedder())
    tale = next(row.id for row in reader.list_documents() if row.file_name == "tea.txt")
    before = {table: rows_by_id(library, table) for table in ("entity", "relation")}
    service = DocumentService(library.writer)
    if way == "delete":
        change = service.delete_documents([tale])
    else:
        change, _ = service.trash_documents([tale])
    assert change.documents == {tale}
    assert change.entities and [change.entities, change.relations] == changed_ids(library, before)


@pytest.mark.parametrize("stage", ["reading", "names"])
def test_a_stopped_document_is_left_at_once_and_the_next_one_indexed(library, files, stage):
    clock, tea = add_files(library.writer, files).documents
    work = DocumentService(library.writer)
    indexing = IndexingService(library.writer, lambda: None)
    stages = []

    def stop_at_its_beginning(progress):
        if progress.document_id == clock:
            stages.append(progress.stage)
            if progress.stage == stage:
                indexing.stop_documents(work.stop_document(clock).documents)

    indexing.run(on_progress=stop_at_its_beginning, embed=False)
    state_of = {row.id: row.state for row in LibraryReader(library.writer).list_documents()}
    assert state_of == {clock: "paused", tea: "ready"}
    assert stages.count(stage) == 1 and stages[-1] == stage
    work.retry_document(clock)
    indexing.run(embed=False)
    reader = LibraryReader(library.writer)
    assert {row.state for row in reader.list_documents()} == {"ready"}
    assert reader.find_entities("Captain Hale")


def test_documents_that_are_not_indexed_now_are_not_affected_by_stopping(library, files):
    clock, tea = add_files(library.writer, files).documents
    indexing = IndexingService(library.writer, lambda: None)
    indexing.run(
        on_progress=lambda progress: indexing.stop_documents({clock, tea} - {progress.document_id}),
        embed=False,
    )
    assert {row.state for row in LibraryReader(library.writer).list_documents()} == {"ready"}
