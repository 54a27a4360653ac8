"""Tests comparing entities, their history and communities, and ambiguous mentions."""

from __future__ import annotations

import json

import numpy as np
import pytest

from desktop_app.cli import run_command
from desktop_app.engine.errors import UserError
from desktop_app.engine.graph.duplicates.model import NameFacts, TextFacts
from desktop_app.engine.graph.duplicates.search import find_pairs
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.duplicates import NameVectors
from desktop_app.engine.services.editing.previews import preview_delete
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.engine.services.provenance import list_ambiguous_names
from tests.books import add_book, id_of, shown


@pytest.fixture
def library(library: Library) -> Library:
    add_book(library)
    return library


@pytest.fixture
def editing(library):
    return EditingService(library.writer)


# --- two side by side -----------------------------------------------------------------------------


def test_a_comparison_marks_shared_neighbours_and_shared_passages(library):
    found = LibraryReader(library.writer).compare(id_of(library, "Hale"), id_of(library, "Tobias"))
    near = [{n.name for n in side.neighbours if n.is_common} for side in (found.left, found.right)]
    assert near[0] == near[1] and found.n_common == len(near[0]) > 0
    assert "Clara" in near[0] and not {"Hale", "Tobias"} & near[0]
    assert [n.place for n in found.left.neighbours] == sorted(
        n.place for n in found.left.neighbours
    )
    assert found.n_meetings == len(found.meetings) > 0
    assert all("Hale" in m.sentence and "Tobias" in m.sentence for m in found.meetings)
    assert 0 < found.alike <= 1 and found.left.spread[0][1] == "The Clockmaker"


def test_an_entity_is_not_compared_with_itself_or_an_unknown_one(library):
    hale = id_of(library, "Hale")
    for other in (hale, 10_000):
        with pytest.raises(UserError, match="can't be compared"):
            LibraryReader(library.writer).compare(hale, other)


def test_unrelated_entities_share_nothing(library, editing):
    editing.create("Nobody")
    found = LibraryReader(library.writer).compare(id_of(library, "Nobody"), id_of(library, "Hale"))
    assert (found.n_common, found.alike, found.n_meetings) == (0, 0.0, 0)
    assert found.left.neighbours == () and found.left.sentences == ()


# --- history and communities ----------------------------------------------------------------------


def test_the_history_of_an_entity_holds_only_its_edits(library, editing):
    library_reader = LibraryReader(library.writer)
    editing.rename(id_of(library, "Hale"), "Augustus Hale")
    editing.retype(id_of(library, "Petrel"), "object")
    editing.merge(id_of(library, "Augustus Hale"), [id_of(library, "Marsh")])
    editing.relate(id_of(library, "Clara"), id_of(library, "Petrel"), description="Seen once.")
    labels = [row.label for row in library_reader.list_history_of(id_of(library, "Augustus Hale"))]
    assert labels == ["Merge 2 names into “Augustus Hale”", "Rename “Hale” to “Augustus Hale”"]
    assert len(library_reader.list_history_of(id_of(library, "Petrel"))) == 2
    assert library_reader.list_history_of(id_of(library, "Tobias")) == []
    editing.undo()
    assert [row.undone for row in library_reader.list_history_of(id_of(library, "Petrel"))] == [
        True,
        False,
    ]


def test_the_history_of_an_entity_can_be_read_while_it_is_edited(library, editing, monkeypatch):
    petrel = id_of(library, "Petrel")
    editing.retype(petrel, "object")
    reader, reads = LibraryReader(library.reader()), []
    rows = reader.db.rows

    def rows_while_edited(sql, *values):
        if "FROM history" in sql:
            reads.append(sql)
            editing.retype(petrel, "object" if len(reads) % 2 == 0 else "place")
        return rows(sql, *values)

    monkeypatch.setattr(reader.db, "rows", rows_while_edited)
    assert len(reader.list_history_of(petrel)) == 2
    assert reads


def test_the_communities_of_an_entity_are_all_its_levels_the_largest_first(library):
    ids = [id_of(library, name) for name in ("Hale", "Marsh", "Clara", "Tobias")]
    with library.writer.transaction():
        for number, members in ((1, ids), (2, ids[:2])):
            library.writer.write(
                "INSERT INTO community(id, level, title, n_members, n_relations)"
                " VALUES (?, ?, ?, ?, 1)",
                (number, number - 1, f"Group {number}", len(members)),
            )
            for member in members:
                library.writer.write(
                    "INSERT INTO community_member(community_id, entity_id) VALUES (?, ?)",
                    (number, member),
                )
    found = LibraryReader(library.writer).list_communities_of(ids[0])
    assert [(one.title, one.n_members) for one in found] == [("Group 1", 4), ("Group 2", 2)]
    assert found[1].others == ("Marsh",) and "Hale" not in found[0].others
    assert LibraryReader(library.writer).list_communities_of(id_of(library, "Petrel")) == []


# --- who is meant ---------------------------------------------------------------------------------


def split_tobias(library, editing) -> None:
    """Split off the Tobias of the second passage, then add a passage with a third one."""
    mentions = LibraryReader(library.writer).list_mentions(id_of(library, "Tobias"))
    editing.split(id_of(library, "Tobias"), [mentions[1][0]], "Tobias the younger")
    add_book(library, ("Tobias was alone that day. ", "Tobias slept. "), title="Alone")


def test_ambiguous_mentions_are_listed_with_their_candidates(library, editing):
    assert list_ambiguous_names(library.writer) == []
    split_tobias(library, editing)
    (asked,) = list_ambiguous_names(library.writer)
    assert asked.name == "Tobias" and len(asked.mentions) == 2
    assert [row.name for row in asked.choices] == ["Tobias", "Tobias the younger"]
    assert all(m.mention.document_title == "Alone" for m in asked.mentions)
    assert all(m.now == id_of(library, "Tobias") for m in asked.mentions)


def test_assigning_a_mention_resolves_it_and_reports_the_remaining_ones(library, editing):
    split_tobias(library, editing)
    (asked,) = list_ambiguous_names(library.writer)
    younger = id_of(library, "Tobias the younger")
    before = LibraryReader(library.writer).get_entity(younger).row.n_mentions
    editing.assign_mentions([asked.mentions[0].id], younger)
    # the document is assigned to it, so its other mention follows
    assert LibraryReader(library.writer).get_entity(younger).row.n_mentions == before + 2
    assert list_ambiguous_names(library.writer) == []
    assert editing.undo()[0] == "Assign one mention to “Tobias the younger”"
    assert len(list_ambiguous_names(library.writer)[0].mentions) == 2


def test_an_invalid_assignment_is_refused(library, editing):
    split_tobias(library, editing)
    (asked,) = list_ambiguous_names(library.writer)
    with pytest.raises(UserError, match="not an alias"):
        editing.assign_mentions([asked.mentions[0].id], id_of(library, "Clara"))
    with pytest.raises(UserError):
        editing.assign_mentions([], id_of(library, "Tobias"))


# --- the command line -----------------------------------------------------------------------------


def test_the_commands_compare_list_ambiguous_mentions_and_show_the_history(
    library, editing, capsys
):
    split_tobias(library, editing)
    where = ["--library", str(library.path)]
    assert run_command(["entity", "compare", "Hale", "Tobias", *where]) == 0
    out = capsys.readouterr().out
    assert "in common" in out and "Clara" in out
    assert run_command(["duplicates", "--doubtful", *where]) == 0
    out = capsys.readouterr().out
    assert "Tobias or Tobias the younger" in out and "Alone" in out
    assert run_command(["history", "--of", "Tobias", "--json", *where]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["label"].startswith("Split “Tobias the younger”")
    assert run_command(["history", "--of", "Clara", *where]) == 0
    assert "Nothing was changed" in capsys.readouterr().out


# --- many at once ---------------------------------------------------------------------------------


def test_many_merges_are_one_edit(library, editing):
    before = shown(library)
    ids = {name: id_of(library, name) for name in before}
    editing.merge_many(
        [(ids["Hale"], [ids["Marsh"]], "The sailors"), (ids["Clara"], [ids["Tobias"]], "")]
    )
    assert shown(library) == {"The sailors", "Clara", "Petrel"}
    assert editing.undo()[0] == "Merge 4 names into 2"
    assert shown(library) == before


def test_overlapping_or_empty_merges_are_refused(library, editing):
    hale, marsh, clara = (id_of(library, name) for name in ("Hale", "Marsh", "Clara"))
    for groups in ([], [(hale, [], "")], [(hale, [marsh], ""), (marsh, [clara], "")]):
        with pytest.raises(UserError, match="one step"):
            editing.merge_many(groups)
    assert editing.undo()[0] is None


def test_several_documents_are_previewed_and_deleted_at_once(library):
    ids = [add_book(library, (f"Clara met Ferris in {n}. ",), title=str(n)) for n in range(3)]
    before = library.writer.value("SELECT count(*) FROM relation"), len(shown(library))
    preview = preview_delete(library.writer, ids)
    assert (preview.n_documents, preview.title, preview.n_chunks) == (3, "3 documents", 3)
    DocumentService(library.writer).delete_documents(ids)
    after = library.writer.value("SELECT count(*) FROM relation"), len(shown(library))
    assert (before[0] - after[0], before[1] - after[1]) == (
        preview.n_relations_gone,
        preview.n_entities_gone,
    )
    with pytest.raises(UserError):
        preview_delete(library.writer, ids)


# --- described alike ------------------------------------------------------------------------------


class Letters:
    """Embeds a text by its letters, and counts the texts."""

    name, dim = "letters", 26

    def __init__(self) -> None:
        self.n_texts = 0

    def embed_passages(self, texts):
        self.n_texts += len(texts)
        rows = np.zeros((len(texts), self.dim), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for char in text.lower():
                if "a" <= char <= "z":
                    row[ord(char) - ord("a")] += 1
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6)


def test_vectors_of_entities_are_computed_again_when_a_description_changes(library, editing):
    embedder = Letters()
    vectors = NameVectors(library.writer, lambda: embedder)
    ids = [i for (i,) in library.writer.rows("SELECT id FROM entity ORDER BY id")]
    first = vectors(ids)
    made = embedder.n_texts
    assert first.shape == (len(ids), 26) and made > 0
    assert np.array_equal(vectors(ids), first) and embedder.n_texts == made
    editing.describe(id_of(library, "Hale"), "Zzz.")
    assert not np.array_equal(vectors(ids), first) and embedder.n_texts == made + 1
    assert NameVectors(library.writer, lambda: None)(ids) is None


def test_similarly_described_entities_are_proposed_unless_one_sentence_names_both():
    facts = [NameFacts(i, (n,), n_mentions=9) for i, n in enumerate(("Ann", "Berta", "Cid"), 1)]
    vectors = np.array([[1, 0.1, 0], [1, 0.12, 0], [0, 0.2, 1]], dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    found = find_pairs(facts, TextFacts(vectors=vectors), floor=0.2)
    assert [(p.a, p.b, p.reasons[0].method) for p in found] == [(1, 2, "meaning")]
    together = TextFacts(vectors=vectors, together={(1, 2): 1.0})
    assert find_pairs(facts, together, floor=0.2) == []
    vectors[1] = 0  # not embedded yet
    assert find_pairs(facts, TextFacts(vectors=vectors), floor=0.2) == []
