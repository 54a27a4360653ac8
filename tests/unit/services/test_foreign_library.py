"""Tests that a library from another person cannot make Inkgraph do what its maker wants."""

from __future__ import annotations

import shutil

import apsw
import pytest

from desktop_app.engine.errors import AppError, UserError
from desktop_app.engine.messages import Message
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.engine.store import curation
from desktop_app.engine.store.connection import (
    connect,
    expected_schema,
    migration_files,
    migration_number,
    newest_version,
    register_functions,
    run_migrations,
)
from desktop_app.engine.store.db import Db
from desktop_app.engine.store.library_schema import (
    NEWEST_SCHEMA,
    digest_schema,
    find_strange_objects,
    list_own_objects,
)
from tests.damaged_files import compute_hash, copy_library
from tests.small_library import TEXT, add


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """Return the file of a closed library with a document and a merge."""
    folder = tmp_path_factory.mktemp("sound")
    library = Library(folder / "sound.inkgraph")
    add(library, folder, text=TEXT * 20)
    with library.writer.edit(Message("Merge 2 names")):
        curation.add_merged(library.writer, "Tobias Quill", "Ada Merrow")
    library.close()
    return library.path


@pytest.fixture
def path(sound, tmp_path):
    return copy_library(sound, tmp_path / "gift.inkgraph")


def change(path, *statements: str) -> None:
    """Change a library as its maker could: without any protection, with right checksums."""
    connection = connect(path, apsw.SQLITE_OPEN_READWRITE)
    connection.create_scalar_function("search_tokens", lambda text: text, 1, deterministic=True)
    connection.pragma("writable_schema", True)
    for statement in statements:
        connection.execute(statement)
    connection.close()


def set_sql(name: str, old: str, new: str) -> str:
    """Return the statement that replaces a part of the SQL of an object in the schema."""
    return (
        f"UPDATE sqlite_schema SET sql = replace(sql, '{old}', '{new}') WHERE name = '{name}'"
        f" AND instr(sql, '{old}')"
    )


ATTACKS = {
    "a trigger that deletes curation": (
        ["CREATE TRIGGER helper AFTER INSERT ON chunk BEGIN DELETE FROM merged; END"],
        "helper",
    ),
    "a changed trigger": (
        [
            "DROP TRIGGER job_of_document",
            "CREATE TRIGGER job_of_document AFTER DELETE ON document BEGIN DELETE FROM merged; END",
        ],
        "job_of_document",
    ),
    "a missing trigger": (["DROP TRIGGER chunk_fts_delete"], "chunk_fts_delete"),
    "a view in place of a table": (
        [
            "DROP TABLE merged",
            "CREATE VIEW merged AS SELECT text AS keep, load_extension('evil') AS dropped"
            " FROM document_text",
        ],
        "merged",
    ),
    "another view": (["CREATE VIEW more AS SELECT 1"], "more"),
    "a generated column": (
        [
            set_sql(
                "setting",
                "value TEXT NOT NULL",
                "value TEXT NOT NULL, more TEXT AS (load_extension(value))",
            )
        ],
        "setting",
    ),
    "an index on an expression": (
        ["CREATE INDEX fast ON chunk(lower(text))", set_sql("fast", "lower", "fts3_tokenizer")],
        "fast",
    ),
    "a default that is an expression": (
        [set_sql("merged", "dropped TEXT NOT NULL", "dropped TEXT DEFAULT (readfile(1))")],
        "merged",
    ),
    "a check that calls a function": (
        [set_sql("alias", "alias TEXT NOT NULL", "alias TEXT NOT NULL CHECK (edit(alias))")],
        "alias",
    ),
    "two tables on the same pages": (
        [
            "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema"
            " WHERE name = 'merged') WHERE name = 'never_merged'"
        ],
        "never_merged",
    ),
    "another table": (["CREATE TABLE notes(a)"], "notes"),
    "a virtual table": (["CREATE VIRTUAL TABLE words USING fts5(a)"], "words"),
    "another tokenizer of the full-text index": (
        [set_sql("chunk_fts", "porter unicode61 remove_diacritics 2", "evil")],
        "chunk_fts",
    ),
    "a vector index with another table behind it": (
        ["CREATE TABLE vec_window_info(key TEXT, value ANY AS (abs(key)))"],
        "vec_window_info",
    ),
    "a trigger with the name of ours": (
        ["CREATE TRIGGER embedding_insert AFTER INSERT ON embedding BEGIN DELETE FROM alias; END"],
        "embedding_insert",
    ),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_library_with_a_strange_schema_is_refused_before_anything_runs(path, attack):
    statements, name = ATTACKS[attack]
    change(path, *statements)
    before = compute_hash(path)
    with pytest.raises(AppError, match="contains objects that Inkgraph did not create") as caught:
        Library(path)
    assert f"“{name}”" in str(caught.value)
    assert compute_hash(path) == before


def test_a_schema_that_sqlite_cannot_read_is_damage(path):
    change(path, set_sql("setting", "CREATE TABLE", "CREATE RUBBISH"))
    before = compute_hash(path)
    with pytest.raises(AppError, match="is damaged and can't be opened"):
        Library(path)
    assert compute_hash(path) == before


OLDER = [migration_number(file) for file in migration_files()[:-1]]
# Every version is upgraded in the slow run. Those between two of the usual ones take the same
# migrations, and their schema is compared in the usual run, too.
UPGRADED = {*OLDER[::8], OLDER[-1]}


@pytest.mark.parametrize(
    "upgraded", [UPGRADED, pytest.param(set(OLDER) - UPGRADED, marks=pytest.mark.slow)]
)
def test_the_schema_of_every_version_is_known(tmp_path, upgraded):
    """A library of every older version is opened, with the vector index that it may have."""
    growing = tmp_path / "growing.inkgraph"
    connection = connect(growing, apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
    register_functions(connection)
    version = 0
    for number in OLDER:
        run_migrations(connection, version, version := number)
        path = shutil.copyfile(growing, tmp_path / f"{version}.inkgraph")
        Db(path, read_only=True, any_version=True).close()  # raises where something is strange
        if version in upgraded:
            library = Library(path)
            assert library.writer.is_writable
            library.close()
    connection.close()


def test_comments_and_spaces_make_no_difference_but_quoted_text_does():
    made = ("table", "a", "a", 2, "CREATE TABLE a (\n  b TEXT DEFAULT '-- c' -- what\n)")
    same = ("table", "a", "a", 9, "CREATE TABLE a ( b  TEXT DEFAULT '-- c' )")
    other = ("table", "a", "a", 9, "CREATE TABLE a ( b  TEXT DEFAULT '-- d' )")
    assert find_strange_objects([same], [made]) == []
    assert find_strange_objects([other], [made]) == ["a"]


def test_a_database_of_another_program_is_no_library(path, tmp_path):
    change(path, "PRAGMA application_id = 7")
    with pytest.raises(UserError, match="not an Inkgraph library"):
        Library(path)


def test_a_connection_is_restricted(path):
    """What a statement that slipped in could reach: nothing outside the tables."""
    library = Library(path)
    db: Db = library.writer
    for statement in (
        "SELECT load_extension('evil')",
        "SELECT fts3_tokenizer('simple', x'0000000000000000')",
        "SELECT readfile('/etc/passwd')",
    ):
        with pytest.raises(Exception, match=r"no such function|not authorized|fts3tokenize"):
            db.rows(statement)
    with pytest.raises(Exception, match="may not be modified"), db.transaction():
        db.write("PRAGMA writable_schema = ON")
        db.write("UPDATE sqlite_schema SET sql = '' WHERE name = 'merged'")
    with pytest.raises(Exception, match="may not be modified"), db.transaction():
        db.write("DELETE FROM chunk_fts_data")
    library.close()


VALUES = {
    "numbers beyond 32 bits": [
        "UPDATE document SET n_chars = 9223372036854775807, size_bytes = 4294967296, body_end = -5",
        "UPDATE mention SET start = 2147483648, end = -2147483649",
        "UPDATE entity SET n_mentions = 9223372036854775807",
    ],
    "negative ids": [
        "PRAGMA foreign_keys = OFF",
        "UPDATE document SET id = -7",
        "UPDATE original SET document_id = -7",
        "UPDATE document_text SET document_id = -7",
        "UPDATE chunk SET document_id = -7",
        "UPDATE mention SET document_id = -7",
    ],
    "text that is not UTF-8": ["UPDATE document SET title = CAST(x'ff80c0' AS TEXT)"],
    "an entity that is not UTF-8": ["UPDATE entity SET name = CAST(x'41ff' AS TEXT)"],
    "notes that are no JSON": ["UPDATE document SET notes = '{'"],
    "notes of another kind": ["UPDATE document SET notes = '7'"],
    "deeply nested notes": [
        "UPDATE document SET notes = replace(hex(zeroblob(50000)), '00', '[')",
    ],
    "a reason of another kind": ["""UPDATE document SET reason = '{"template":5,"params":7}'"""],
}


@pytest.mark.parametrize("content", VALUES)
def test_strange_values_are_shown_or_refused_with_a_sentence(path, content):
    change(path, *VALUES[content])
    library = Library(path)
    reader = LibraryReader(library.reader())
    for read in (
        reader.overview,
        reader.list_documents,
        reader.top_entities,
        lambda: reader.find_entities("Tobias"),
        reader.top_graph,
        lambda: reader.fetch_text(-7),
        reader.list_history,
    ):
        try:
            read()
        except AppError as error:
            assert "damaged" in str(error)
    library.close()


def test_the_digest_of_the_newest_schema_is_that_of_all_migrations():
    made = expected_schema(newest_version())
    assert list_own_objects(made) == made
    assert digest_schema(made) == NEWEST_SCHEMA, "store this digest as NEWEST_SCHEMA"


def test_a_library_with_the_newest_schema_is_opened_without_the_migrations(path, monkeypatch):
    made: list[int] = []
    monkeypatch.setattr("desktop_app.engine.store.db.expected_schema", made.append)
    Library(path).close()
    assert made == []


def test_another_object_or_text_changes_the_digest_of_a_schema():
    made = expected_schema(newest_version())
    kind, name, table, page, sql = made[0]
    others = ([*made[1:], (kind, name, table, page, f"{sql} ")], made[1:])
    more = [*made, ("trigger", "strange", "entity", 0, "CREATE TRIGGER strange …")]
    assert len({digest_schema(rows) for rows in (made, more, *others)}) == 4
    moved = [(kind, name, table, 7, sql) for kind, name, table, _, sql in reversed(made)]
    assert digest_schema(moved) == NEWEST_SCHEMA
