"""Tests automatic merges: listed with a reason, split permanently, undone."""

from __future__ import annotations

import json

import pytest

from desktop_app.cli import run_command
from desktop_app.engine.graph.duplicates.automatic_merges import explain_automatic_merge
from desktop_app.engine.model import NameCount
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.duplicates import Duplicates, list_automatic_merges
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.graph_update import update_graph
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library

STORY = """
Chapter 1

Mr. Thornby came to the mill with Edward Thornby's dog. Thornby was tired. "Good day, Mr. Thornby,"
said Mrs. Gilmot. Thornby took off his hat, and Mrs. Gilmot laughed at Mr. Thornby for an hour.

Edward Thornby walked home. Mrs. Gilmot watched Thornby from the window of the mill. Mrs. Gilmot
had known Edward Thornby since he was a boy, and Mr. Thornby had never been on time.
"""


def name(number: int, text: str, n: int = 5, kind: str = "person") -> NameCount:
    return NameCount(number, text, n, {kind: n}, "zh" if text[0] > "\u2e80" else "en")


def rules(*names: NameCount, aliases=()) -> dict[str, str]:
    also = {frozenset(pair): 2 for pair in aliases}
    text = {one.name_id: one.name for one in names}
    return {
        text[i]: rule for i, (rule, _, _) in explain_automatic_merge(names, names[0], also).items()
    }


def test_every_name_is_listed_under_the_strictest_matching_rule():
    found = rules(
        name(1, "Edward Thornby", 20),
        name(2, "EDWARD THORNBY"),
        name(3, "Mr. Edward Thornby"),
        name(4, "Captain Edward Thornby"),
        name(5, "Thornby"),
        name(6, "The Miller"),
    )
    assert found == {
        "EDWARD THORNBY": "spelling",
        "Mr. Edward Thornby": "spelling",
        "Captain Edward Thornby": "title",
        "Thornby": "part",
        "The Miller": "other",
    }


def test_chinese_names_are_listed_and_aliases_of_the_text_come_first():
    names = (name(1, "鲁智深", 90), name(2, "智深", 40), name(3, "鲁提辖"), name(4, "花和尚"))
    aliases = [("花和尚", "鲁智深")]
    assert rules(*names, aliases=aliases) == {
        "智深": "given",
        "鲁提辖": "surname",
        "花和尚": "also_called",
    }


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("joined")
    (folder / "mill.txt").write_text(STORY * 2, "utf-8")
    library = Library(folder / "mill.inkgraph")
    add_files(library.writer, [folder / "mill.txt"])
    IndexingService(library.writer, lambda: None).run(embed=False)
    library.close()
    return folder


@pytest.fixture
def library(made, tmp_path):
    path = tmp_path / "mill.inkgraph"
    path.write_bytes((made / "mill.inkgraph").read_bytes())
    opened = Library(path)
    yield opened
    opened.close()


def thornby(library):
    return next(
        (one for one in list_automatic_merges(library.writer) if "Thornby" in one.entity.name), None
    )


def entity_named(library, text: str) -> int | None:
    return library.writer.value(
        "SELECT en.entity_id FROM name n JOIN entity_name en ON en.name_id = n.id WHERE n.text = ?",
        (text,),
    )


def test_after_an_import_safe_merges_are_made_and_listed(library):
    found = thornby(library)
    names = {found.entity.name, *(one.name for one in found.names)}
    assert {"Mr. Thornby", "Thornby", "Edward Thornby"} <= names
    assert all(one.reason and one.to in names for one in found.names)
    with_text = Duplicates(library.writer).fetch_joined_sentences(found)
    for one in with_text.names:
        assert one.sentences and all(one.name in m.sentence for m in one.sentences)


def test_a_split_merge_stays_split_after_rebuilding_and_reindexing(library, made):
    editing = EditingService(library.writer)
    found = thornby(library)
    away = next(one for one in found.names if one.name == "Edward Thornby" or one.name == "Thornby")
    editing.remove_alias(found.entity.id, away.key)
    apart = entity_named(library, away.name)
    assert apart not in (None, entity_named(library, found.entity.name))
    update_graph(library.writer)
    DocumentService(library.writer).delete_documents(
        [i for (i,) in library.writer.rows("SELECT id FROM document")]
    )
    assert entity_named(library, away.name) is None
    add_files(library.writer, [made / "mill.txt"])
    IndexingService(library.writer, lambda: None).run(embed=False)
    assert entity_named(library, away.name) not in (None, entity_named(library, found.entity.name))
    assert editing.undo()[0] == f"Remove alias “{away.name}” from “{found.entity.name}”"
    assert entity_named(library, away.name) == entity_named(library, found.entity.name)


def test_merges_by_the_user_are_not_listed(library):
    gilmot = entity_named(library, "Mrs. Gilmot")
    editing, before = EditingService(library.writer), thornby(library)
    editing.merge(entity_named(library, "Thornby"), [gilmot])
    assert thornby(library) is None  # the merge joined all names that it showed (decision 131)
    editing.undo()
    assert thornby(library) == before


def test_the_command_lists_automatic_merges_with_the_command_to_split(capsys, library):
    where = ["--library", str(library.path)]
    assert run_command(["duplicates", "--safe", *where]) == 0
    out = capsys.readouterr().out
    assert "Thornby" in out and "--remove" in out
    assert run_command(["duplicates", "--safe", "--json", *where]) == 0
    assert {"name", "joined"} <= json.loads(capsys.readouterr().out)[0].keys()
