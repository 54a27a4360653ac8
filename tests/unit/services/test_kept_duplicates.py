"""Tests that the merge desk reads what was kept, exactly while a search would find the same."""

from __future__ import annotations

import ast
import dataclasses
import hashlib
import random
import threading
from pathlib import Path

import pytest

from desktop_app.engine.errors import Cancelled, UserError
from desktop_app.engine.graph.duplicates.search import DUPLICATE_RULES
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.scheduler import Priority, WorkScheduler
from desktop_app.engine.services import duplicate_facts, duplicates
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.duplicates import (
    DuplicateMaintenance,
    Duplicates,
    build_duplicates,
)
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.store.duplicates import fetch_input_version
from tests.fakes import HashEmbedder

STORY = """
Elizabeth Harwood walked to Marsh End with Mr. Thornby. Elizabeth was merry. Mr. Thornby was not.
Elizabeth laughed at Mr. Thornby, and her aunt Mrs. Gilmot was cross with Elizabeth all evening.

"Come here, Lizzy," said Mrs. Gilmot. Lizzy ran to her aunt. Mr. Thornby looked after Lizzy.
Lizzy went home to Marsh End, and Mrs. Gilmot followed Lizzy slowly. Thornby wrote to Gilmot.

Elizabeth told Mr. Thornby of Marsh End. Mrs. Gilmot wrote to Elizabeth on Monday.
Lizzy danced with Mr. Thornby at Marsh End. Mrs. Gilmot scolded Lizzy for it.
"""
QUAY = """
Tom Penhallow took the boat over the bar at Salt Quay. Captain Sayle paid Tom Penhallow.
Thomas Penhallow was no kin to the pilot of Salt Quay, as he told Captain Sayle every year.
Captain Sayle wrote to Thomas Penhallow, and Elizabeth Harwood wrote back from Salt Quay.
Capt. Sayle met Tom Penhallow and Mr. Thornby at Salt Quay. Penhallow was known as Cap'n Tom.
"""
LATER = "Betsy Harwood met Tom Penhalow at Salt Quay. Mr. Thornby saw Betsy Harwood there.\n" * 3


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("kept")
    (folder / "story.txt").write_text(STORY * 2, "utf-8")
    (folder / "quay.txt").write_text(QUAY * 2, "utf-8")
    library = Library(folder / "made.inkgraph")
    add_files(library.writer, [folder / "story.txt", folder / "quay.txt"])
    IndexingService(library.writer, lambda: None).run(embed=False)
    library.close()
    return folder / "made.inkgraph"


@pytest.fixture
def library(made, tmp_path):
    path = tmp_path / "kept.inkgraph"
    path.write_bytes(made.read_bytes())
    library = Library(path)
    yield library
    library.close()


@pytest.fixture
def searches(monkeypatch) -> list[object]:
    """Return what gets an item for each search; reading what was kept adds none."""
    done: list[object] = []

    def read_facts(*args, **options):
        done.append(args)
        return duplicate_facts.read_facts(*args, **options)

    monkeypatch.setattr(duplicates, "read_facts", read_facts)
    return done


def open_session(library: Library) -> Duplicates:
    """Return the service as a session has it that begins now."""
    return build_duplicates(library.reader(), lambda: None, writer=library.writer)


def test_the_next_session_reads_what_was_found(library, searches):
    first = open_session(library)
    for certainty in (0.5, 0.25):
        found = first.find(certainty=certainty, since=1.0)
        first.keep()
        assert found and found[0].is_new and len(searches) == 1
        path = library.path
        library.close()
        library.__init__(path)
        first = open_session(library)
        assert first.find(certainty=certainty, since=1.0) == found and len(searches) == 1
        searches.clear()
    assert not first.find()[0].is_new and first.find(methods=["fingerprint"]) != found
    assert len(searches) == 1  # with fewer methods


def change_at_random(library: Library, chance: random.Random, folder: Path) -> None:
    """Change the library as a person does; what isn't possible just now is left out."""
    db, editing = library.writer, EditingService(library.writer)
    documents = DocumentService(db)
    entities = db.column("SELECT id FROM entity ORDER BY id")
    readable = db.column("SELECT id FROM document ORDER BY id")
    there = chance.choice(readable) if readable else 0

    def add() -> None:
        (folder / "later.txt").write_text(LATER + str(chance.random()), "utf-8")
        add_files(db, [folder / "later.txt"])
        IndexingService(db, lambda: None).run(embed=False)

    if len(entities) < 2:  # deleted: the others come with a document
        return add()
    two = chance.sample(entities, 2)
    changes = (
        lambda: editing.merge(two[0], two[1:]),
        lambda: editing.never_merge(two),
        lambda: editing.rename(two[0], chance.choice(("Lizzy Thornby", "Tom Sayle", "Salt"))),
        lambda: editing.retype(two[0], chance.choice(("person", "place"))),
        lambda: editing.add_alias(two[0], chance.choice(("Betty", "Penhallow"))),
        lambda: editing.relate(*two),
        lambda: editing.delete(two[0]),
        lambda: editing.undo(),
        lambda: editing.undo(),
        lambda: editing.redo(),
        lambda: documents.delete_documents([there]),
        lambda: documents.trash_documents([there]),
        lambda: documents.restore_documents([row.id for row in documents.list_trash()]),
        add,
    )
    try:
        chance.choice(changes)()
    except UserError:
        return


@pytest.mark.parametrize("seed", range(5))
def test_after_random_changes_nothing_else_is_shown_than_a_new_search_finds(
    made, library, tmp_path, seed
):
    chance = random.Random(seed)
    for _ in range(9):
        service = open_session(library)
        service.find()
        service.keep()
        for _ in range(chance.choice((0, 1, 1, 2))):
            change_at_random(library, chance, tmp_path)
        if chance.random() < 0.3:
            path = library.path
            library.close()
            library.__init__(path)
        shown = open_session(library).find()
        assert shown == search_anew(library)


def search_anew(library: Library) -> list[duplicates.DuplicateCluster]:
    with library.writer.transaction():
        library.writer.write("DELETE FROM duplicate_search")
    return open_session(library).find()


# Of each table that `read_facts` reads, by hand, since no service makes some of these changes.
INPUTS = (
    "UPDATE entity SET name = name || 'x' WHERE id = (SELECT min(id) FROM entity)",
    "UPDATE entity SET type = 'event' WHERE id = (SELECT min(id) FROM entity)",
    "UPDATE entity SET n_mentions = 77 WHERE id = (SELECT min(id) FROM entity)",
    "UPDATE entity SET description = 'A pilot.' WHERE id = (SELECT min(id) FROM entity)",
    "UPDATE name SET text = text || 'x' WHERE id = (SELECT min(id) FROM name)",
    "UPDATE mention SET sentence_start = 1 WHERE id = (SELECT min(id) FROM mention)",
    "UPDATE relation SET weight = weight + 1 WHERE id = (SELECT min(id) FROM relation)",
    "UPDATE document_text SET text = upper(text) WHERE document_id = 1",
    "UPDATE document SET added_at = added_at + 1 WHERE id = 1",
    "INSERT INTO also_called(extraction_id, name_id, other_id)"
    " SELECT min(extraction_id), min(name_id), max(name_id) FROM mention",
    "UPDATE also_called SET name_id = other_id",
    "DELETE FROM also_called",
    "INSERT INTO never_merged VALUES ('Lizzy', 'Elizabeth')",
    "UPDATE never_merged SET other = 'Tom'",
    "INSERT OR REPLACE INTO never_merged VALUES ('Lizzy', 'Tom')",
    "DELETE FROM never_merged",
    "INSERT INTO namesake VALUES ('lizzy', 1)",
    "UPDATE namesake SET number = 2",
    "DELETE FROM namesake",
    "DELETE FROM mention WHERE id = (SELECT min(id) FROM mention)",
    "DELETE FROM relation WHERE id = (SELECT min(id) FROM relation)",
    "UPDATE entity_name SET entity_id = (SELECT max(id) FROM entity)"
    " WHERE name_id = (SELECT min(name_id) FROM entity_name)",
    "DELETE FROM entity_name WHERE name_id = (SELECT min(name_id) FROM entity_name)",
    "DELETE FROM entity WHERE id = (SELECT min(id) FROM entity)",
    "DELETE FROM document_text WHERE document_id = 1",
)
NO_INPUTS = (
    "UPDATE document SET title = 'Another', reading_position = '1'",
    "UPDATE relation SET description = 'They met.'",
    "UPDATE entity SET name = name, n_mentions = n_mentions, n_relations = 5",
    "INSERT INTO setting VALUES ('x', 'y')",
)


def test_changes_of_what_is_read_are_counted_and_no_others(library):
    db = library.writer
    before = fetch_input_version(db)
    for sql in (*NO_INPUTS, *INPUTS):
        with db.transaction():
            db.write(sql)
        assert (fetch_input_version(db) > before) == (sql in INPUTS), sql
        before = fetch_input_version(db)


def test_every_table_that_is_read_has_triggers(library):
    """A search reads no table of which the changes are not counted."""
    db = library.reader()
    read: set[str] = set()

    def note(_cursor, sql, _values) -> bool:
        words = sql.replace("(", " ").replace(")", " ").replace(",", " ").split()
        read.update(words)
        return True

    db._connection.set_exec_trace(note)
    Duplicates(db).find()
    tables = set(db.column("SELECT name FROM sqlite_schema WHERE type = 'table'"))
    counted = set(
        db.column(
            "SELECT tbl_name FROM sqlite_schema WHERE type = 'trigger'"
            " AND name LIKE 'duplicates@_%' ESCAPE '@'"
        )
    )
    # The version and the result; the title of the story of an entity is read whenever it is shown.
    expected = {"library_state", "duplicate_search", "story", "name_count"}
    assert {"mention", "relation"} <= read & tables <= counted | expected


@pytest.mark.parametrize("what", ["rules", "model", "damage", "another form", "change", "no time"])
def test_what_is_no_present_result_is_not_read(library, searches, monkeypatch, what):
    name = HashEmbedder().name if what == "no time" else ""
    service = build_duplicates(library.reader(), lambda: None, lambda: name, library.writer)
    if what == "change":  # by another process, while the search goes on
        monkeypatch.setattr(
            duplicates.SharedContexts, "list_common", lambda *_: EditingService(
                library.writer
            ).create(f"Hale {len(searches)} {fetch_input_version(library.writer)}") and []
        )  # fmt: skip
    service.find()
    if what == "no time":
        service._unkept = dataclasses.replace(service._unkept, is_whole=False)
    service.keep()
    db = library.writer
    assert db.value("SELECT count(*) FROM duplicate_search") == (what != "change")
    with db.transaction():
        if what == "damage":
            db.write("UPDATE duplicate_search SET clusters = substr(clusters, 1, 40)")
        elif what == "another form":
            db.write("UPDATE duplicate_search SET clusters = '[[[[1, 2]], {}, 3, \"4\", 5, 6]]'")
    if what == "rules":
        monkeypatch.setattr(duplicates, "_RULES_OF_SEARCH", "0.0.0/0")
    elif what == "model":
        service = build_duplicates(
            library.reader(), lambda: None, lambda: "a model", library.writer
        )
    searches.clear()
    if what == "no time":  # enough for the first sight
        assert service.find() and not searches
    assert service.find(anew=True) and len(searches) == 1


def test_a_search_in_the_background_keeps_what_it_finds_and_waits_for_a_question(library, searches):
    scheduler, done = WorkScheduler(), threading.Event()
    maintenance, cancel = DuplicateMaintenance(open_session(library), scheduler), CancelToken()
    numbers: list[int] = []

    def work() -> None:
        numbers.append(maintenance.run(cancel))
        done.set()

    with scheduler.hold(Priority.QUESTION):
        thread = threading.Thread(target=work)
        thread.start()
        assert not done.wait(0.05) and not searches
    thread.join(10)
    assert len(searches) == 1 and numbers == [len(open_session(library).find())] != [0]
    assert len(searches) == 1
    cancel.cancel()
    with pytest.raises(Cancelled):
        maintenance.run(cancel)


PACKAGE = Path(duplicates.__file__).parents[1]
# Raise `DUPLICATE_RULES` of search.py if another search may find something else, then write the new
# digest.
DIGEST = (9, "af3d1710feab0ecd")


def test_changed_rules_have_another_number():
    digest = hashlib.sha256()
    facts = PACKAGE / "services" / "duplicate_facts.py"
    for path in (*sorted((PACKAGE / "graph" / "duplicates").glob("*.py")), facts):
        tree = ast.parse(path.read_text("utf-8"))
        for node in ast.walk(tree):
            body = getattr(node, "body", None)
            first = body[0] if isinstance(body, list) and body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                body[0] = ast.Pass()  # the docstring
        digest.update(ast.dump(tree).encode())
    for name in ("duplicates", "chinese_duplicates", "short_forms"):
        digest.update((PACKAGE / "words" / f"{name}.toml").read_bytes())
    assert (DUPLICATE_RULES, digest.hexdigest()[:16]) == DIGEST
