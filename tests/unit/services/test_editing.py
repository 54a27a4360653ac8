"""Tests editing the graph: effects, persistence, undo."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_app.engine.errors import UserError
from desktop_app.engine.graph.names import normalise_name
from desktop_app.engine.messages import Message
from desktop_app.engine.model import ChunkEvidence, Mention, NameClaim
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.editing.curation_file import apply_curation, export_curation
from desktop_app.engine.services.editing.history import list_history
from desktop_app.engine.services.editing.previews import preview_delete, preview_merge
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.entity_lookup import get_entity_id
from desktop_app.engine.services.graph_update import (
    count_graph_differences,
    rebuild_graph,
    update_graph,
)
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.engine.services.mention_senses import list_uncertain_mentions
from desktop_app.engine.store import evidence
from desktop_app.engine.store.db import MAX_HISTORY
from desktop_app.engine.store.graph_changes import fetch_changed_splits
from tests.books import BOOK, NAMES, add_book, change_book, id_of, instant, shown


@pytest.fixture
def library(library: Library) -> Library:
    add_book(library)
    return library


@pytest.fixture
def editing(library):
    return EditingService(library.writer)


def relation_of(library, a: str, b: str):
    pair = {id_of(library, a), id_of(library, b)}
    rows = library.writer.rows("SELECT id, source_id, target_id, description, kind FROM relation")
    return next((r for r in rows if set(r[1:3]) == pair), None)


def picture(library) -> tuple:
    db = library.writer
    return (
        db.rows("SELECT name, type, description, n_mentions, n_relations, edited FROM entity"
                " ORDER BY id"),
        db.rows("SELECT n.text, n.sense, e.name FROM entity_name en JOIN entity e"
                " ON e.id = en.entity_id JOIN name n ON n.id = en.name_id ORDER BY 1, 2"),
        db.rows("SELECT s.name, t.name, r.weight, r.description, r.kind FROM relation r"
                " JOIN entity s ON s.id = r.source_id JOIN entity t ON t.id = r.target_id"
                " ORDER BY 1, 2"),
    )  # fmt: skip


# --- names ------------------------------------------------------------------------------------


def test_a_renamed_entity_keeps_its_old_name_as_an_alias(library, editing):
    editing.rename(id_of(library, "Hale"), "Augustus Hale")
    card = LibraryReader(library.writer).get_entity(id_of(library, "Augustus Hale"))
    assert card.row.name == "Augustus Hale" and "Hale" in card.aliases


def test_the_last_renaming_wins_over_the_most_frequent_name(library, editing):
    hale = id_of(library, "Hale")
    editing.merge(hale, [id_of(library, "Marsh")], name="The captain")
    editing.rename(id_of(library, "The captain"), "Both of them")
    editing.retype(id_of(library, "Both of them"), "organisation")
    assert "Both of them" in shown(library) and "The captain" not in shown(library)


def test_renaming_to_an_existing_name_is_refused_and_changes_nothing(library, editing):
    before = picture(library)
    with pytest.raises(UserError, match="merge"):
        editing.rename(id_of(library, "Hale"), "Clara")
    with pytest.raises(UserError, match="empty"):
        editing.rename(id_of(library, "Hale"), "  ")
    assert picture(library) == before and editing.undo()[0] is None


def test_an_alias_is_added_and_removed_permanently(library, editing):
    hale = id_of(library, "Hale")
    editing.add_alias(hale, "the Captain")
    assert "the Captain" in LibraryReader(library.writer).get_entity(hale).aliases
    editing.merge(hale, [id_of(library, "Marsh")])
    editing.remove_alias(id_of(library, "Hale"), "Marsh")
    assert {"Hale", "Marsh"} <= shown(library)
    with pytest.raises(UserError, match="only name"):
        editing.remove_alias(id_of(library, "Petrel"), "Petrel")


def test_an_entity_created_by_the_user_stays_until_it_is_deleted(library, editing):
    editing.create("The Admiralty", "organisation", "It never answered.")
    made = id_of(library, "The Admiralty")
    editing.relate(made, id_of(library, "Hale"), description="It employed him.", kind="work")
    assert relation_of(library, "The Admiralty", "Hale")[3:] == ("It employed him.", "work")
    update_graph(library.writer)
    card = LibraryReader(library.writer).get_entity(made)
    assert (card.row.type, card.description) == ("organisation", "It never answered.")
    editing.delete(made)
    assert "The Admiralty" not in shown(library)
    editing.undo()
    assert relation_of(library, "The Admiralty", "Hale") is not None


def test_resetting_a_description_restores_that_of_the_text(library, editing):
    clara = id_of(library, "Clara")
    before = LibraryReader(library.writer).get_entity(clara)
    editing.describe(clara, "She winds the clocks.")
    described = LibraryReader(library.writer).get_entity(clara)
    assert (described.description, described.is_quoted) == ("She winds the clocks.", False)
    editing.describe(clara, None)
    after = LibraryReader(library.writer).get_entity(clara)
    assert after == before and before.is_quoted and before.row.description != ""


def test_an_entity_deleted_for_now_returns_with_a_new_document(library, editing):
    editing.delete(id_of(library, "Marsh"), forever=False)
    editing.delete(id_of(library, "Petrel"), forever=True)
    assert not {"Marsh", "Petrel"} & shown(library)
    add_book(library, ("Marsh came home on the Petrel. ",), title="Another")
    assert "Marsh" in shown(library) and "Petrel" not in shown(library)


def test_several_entities_are_retyped_or_deleted_in_one_edit(library, editing):
    before = picture(library)
    editing.retype([id_of(library, n) for n in ("Hale", "Marsh", "Clara")], "place")
    assert library.writer.value("SELECT count(*) FROM entity WHERE type = 'place'") == 3
    editing.delete([id_of(library, n) for n in ("Hale", "Marsh")])
    assert editing.undo()[0] == "Delete “Hale” and “Marsh”"
    assert editing.undo()[0] == "Change the type of 3 names to place"
    assert picture(library) == before


# --- merging and splitting -----------------------------------------------------------------------


def test_a_merge_gives_the_result_of_its_preview(library, editing):
    ids = [id_of(library, n) for n in ("Hale", "Marsh", "Clara")]
    preview = preview_merge(library.writer, ids)
    editing.merge(ids[0], ids[1:], name="All three", type_="organisation", description="Three.")
    row = LibraryReader(library.writer).get_entity(id_of(library, "All three"))
    assert row.row.n_mentions == preview.n_mentions
    assert row.row.n_relations == preview.n_relations
    assert set(preview.names) <= {*row.aliases, row.row.name}
    assert (row.row.type, row.description) == ("organisation", "Three.")
    assert preview.loops and all(r.source_id in ids and r.target_id in ids for r in preview.loops)


def test_what_the_user_wrote_about_a_name_stays_when_it_is_merged_and_read_again(library, editing):
    hale, marsh, clara = (id_of(library, n) for n in ("Hale", "Marsh", "Clara"))

    def written() -> str:
        return LibraryReader(library.writer).get_entity(id_of(library, "Hale")).description

    editing.describe(marsh, "My note: compare the letters.")
    editing.merge(hale, [marsh])
    assert written() == "My note: compare the letters."
    rebuild_graph(library.writer)
    assert written() == "My note: compare the letters."
    editing.describe(clara, "She winds the clocks.")
    editing.merge(hale, [clara])
    assert written() == "My note: compare the letters.\n\nShe winds the clocks."
    editing.undo()
    assert written() == "My note: compare the letters."
    assert LibraryReader(library.writer).get_entity(id_of(library, "Clara")).description == (
        "She winds the clocks."
    )
    editing.undo()
    editing.undo()
    assert "My note" not in written()


NELLY = ("Nelly Dean", "Nelly", "Ellen Dean", "Ellen", "Mrs. Dean", "Gimmerton")


@pytest.fixture
def nelly(library, monkeypatch):
    """A book in which rules join "Nelly Dean" with Nelly, and "Ellen Dean" with Ellen."""
    monkeypatch.setattr("tests.books.NAMES", NELLY)
    chunks = [f"{name} sat by the fire at Gimmerton. " for name in NELLY[:5] for _ in range(2)]
    chunks += [f"{name} sewed. " for name in ("Nelly", "Ellen", "Mrs. Dean") for _ in range(9)]
    add_book(library, tuple(chunks), title="The Heights")
    return library


def test_a_merge_keeps_all_names_that_the_merged_ones_had(nelly, editing):
    before = {name: id_of(nelly, name) for name in ("Nelly", "Ellen", "Mrs. Dean")}
    assert not {"Nelly Dean", "Ellen Dean"} & shown(nelly)
    editing.merge(before["Nelly"], [before["Ellen"], before["Mrs. Dean"]])
    card = LibraryReader(nelly.writer).get_entity(id_of(nelly, "Nelly"))
    assert {card.row.name, *card.aliases} == set(NELLY[:5])
    assert card.row.n_mentions == 37
    editing.undo()
    assert {name: id_of(nelly, name) for name in before} == before


def test_a_merge_keeps_the_type_of_the_name_that_is_kept(library, editing, monkeypatch):
    def make_mention(name: str, _: str, *places: int) -> Mention:
        return Mention(name, "place" if name == "Petrel" else "person", *places)

    monkeypatch.setattr("tests.books.Mention", make_mention)
    add_book(library, ("The Petrel sailed. Petrel and Hale came home. ",) * 6, title="The Petrel")
    assert LibraryReader(library.writer).get_entity(id_of(library, "Petrel")).row.type == "place"
    editing.merge(id_of(library, "Tobias"), [id_of(library, "Petrel")])
    assert LibraryReader(library.writer).get_entity(id_of(library, "Tobias")).row.type == "person"


def test_a_name_written_exactly_so_is_meant_before_one_with_the_same_key(library, monkeypatch):
    names = ("Linton Heathcliff", "Edward Heathcliff", "Mr. Heathcliff", "Heathcliff")
    monkeypatch.setattr("tests.books.NAMES", names)
    chunks = [f"{name} sat there. " for name in names for _ in range(9 if name == names[3] else 3)]
    add_book(library, tuple(chunks), title="The Heights")
    reader = LibraryReader(library.writer)
    for written in ("Mr. Heathcliff", "mr. heathcliff", "Heathcliff", "heathcliff"):
        wanted = written.title()
        assert reader.get_entity(get_entity_id(reader, written)).row.name == wanted
        assert reader.find_entities(written, 1)[0].name == wanted


def test_entities_kept_apart_stay_apart_until_the_user_merges_them(library, editing):
    ids = [id_of(library, n) for n in ("Hale", "Marsh")]
    editing.never_merge(ids)
    preview = preview_merge(library.writer, ids)
    assert preview.apart == (("Hale", "Marsh"),)
    editing.merge(*[ids[0], ids[1:]])
    assert library.writer.rows("SELECT * FROM never_merged") == []
    assert "Marsh" not in shown(library)


def test_a_namesake_is_split_off_with_its_relations(library, editing):
    hale = id_of(library, "Hale")
    tobias = id_of(library, "Tobias")
    mentions = library.writer.rows(
        "SELECT m.id, m.start FROM mention m JOIN name n ON n.id = m.name_id"
        " WHERE n.text = 'Tobias' ORDER BY m.start"
    )
    inn = [i for i, start in mentions if BOOK[1].find("Tobias") + len(BOOK[0]) == start]
    assert len(inn) == 1 and relation_of(library, "Clara", "Tobias") is not None
    before = picture(library)
    editing.split(tobias, inn, "Tobias the younger")
    assert {"Tobias", "Tobias the younger"} <= shown(library)
    younger = LibraryReader(library.writer).get_entity(id_of(library, "Tobias the younger"))
    assert younger.row.n_mentions == 1 and relation_of(library, "Tobias the younger", "Clara")
    assert library.writer.value("SELECT count(*) FROM entity WHERE id = ?", (hale,)) == 1
    update_graph(library.writer)
    split = picture(library)
    editing.undo()
    assert picture(library) == before
    editing.redo()
    assert picture(library) == split
    document = library.writer.value("SELECT id FROM document")
    DocumentService(library.writer).delete_documents([document])
    add_book(library)
    assert picture(library)[0] == split[0]


def test_splitting_off_all_or_no_mentions_is_refused(library, editing):
    tobias = id_of(library, "Tobias")
    every = [i for (i,) in library.writer.rows(
        "SELECT m.id FROM mention m JOIN entity_name en USING (name_id) WHERE entity_id = ?",
        (tobias,),
    )]  # fmt: skip
    with pytest.raises(UserError, match="none would remain"):
        editing.split(tobias, every, "Another")
    with pytest.raises(UserError, match="No mention is selected"):
        editing.split(tobias, [], "Another")


def test_ambiguous_mentions_are_listed_only_after_a_split(library, editing):
    assert list_uncertain_mentions(library.writer) == []
    first = library.writer.value("SELECT min(id) FROM mention")
    name = library.writer.value(
        "SELECT n.text FROM mention m JOIN name n ON n.id = m.name_id WHERE m.id = ?", (first,)
    )
    editing.split(id_of(library, name), [first], "Somebody else")
    add_book(library, (f"{name} was alone that day. ",), title="Alone")
    assert len(list_uncertain_mentions(library.writer)) == 1


def test_only_split_names_in_what_changed_are_assigned_again(library, editing):
    """An edit costs the same however many names were ever split."""
    db = library.writer
    first = db.value(
        "SELECT min(m.id) FROM mention m JOIN name n ON n.id = m.name_id WHERE n.text = 'Tobias'"
    )
    editing.split(id_of(library, "Tobias"), [first], "Tobias the elder")
    assert fetch_changed_splits(db) == []
    for change, expected in (
        ("INSERT INTO entity_edit(name, type) VALUES ('Clara', 'place')", []),
        ("UPDATE split_mention SET sense = sense + 1", ["Tobias"]),
        ("DELETE FROM mention WHERE id = (SELECT m.id FROM mention m JOIN name n"
         " ON n.id = m.name_id WHERE n.text = 'Clara')", ["Tobias"]),
        ("DELETE FROM split_mention", ["Tobias"]),
    ):  # fmt: skip
        with db.transaction():
            db.write(change)
            assert fetch_changed_splits(db) == expected
        update_graph(db)
        assert fetch_changed_splits(db) == []
        assert count_graph_differences(db) == 0


# --- relations -----------------------------------------------------------------------------------


def test_a_deleted_relation_does_not_come_back(library, editing):
    relation = relation_of(library, "Clara", "Marsh")
    editing.edit_relation(relation[0], description="She loved him.", kind="love")
    assert relation_of(library, "Marsh", "Clara")[3:] == ("She loved him.", "love")
    editing.delete_relations([relation_of(library, "Clara", "Marsh")[0]])
    update_graph(library.writer)
    assert relation_of(library, "Clara", "Marsh") is None
    editing.undo()
    assert relation_of(library, "Clara", "Marsh")[3] == "She loved him."
    with pytest.raises(UserError, match="Choose another"):
        editing.relate(id_of(library, "Clara"), id_of(library, "Clara"))


# --- history, files, deleting ------------------------------------------------------------------


def test_history_is_listed_traversed_and_limited(library, editing):
    before = picture(library)
    editing.rename(id_of(library, "Hale"), "A. Hale")
    after_one = picture(library)
    editing.delete(id_of(library, "Petrel"))
    editing.retype(id_of(library, "Marsh"), "place")
    after_three = picture(library)
    rows = list_history(library.writer)
    assert [row.label for row in rows][:2] == [
        "Change the type of “Marsh” to place",
        "Delete “Petrel”",
    ]
    editing.go_to(rows[2].id)
    assert picture(library) == after_one
    editing.go_to(0)
    assert picture(library) == before
    editing.go_to(rows[0].id)
    assert picture(library) == after_three
    for number in range(MAX_HISTORY + 5):
        with library.writer.edit(Message("Note {number}", number=number)):
            library.writer.write("INSERT INTO collection(name) VALUES (?)", (str(number),))
    assert len(list_history(library.writer)) == MAX_HISTORY


def test_undo_works_after_a_restart(tmp_path):
    first = Library(tmp_path / "again.inkgraph")
    add_book(first)
    before = picture(first)
    EditingService(first.writer).delete(id_of(first, "Clara"))
    first.close()
    again = Library(tmp_path / "again.inkgraph")
    assert EditingService(again.writer).undo()[0] == "Delete “Clara”"
    assert picture(again) == before
    again.close()


def test_corrections_are_exported_to_another_library(library, editing, tmp_path):
    editing.merge(id_of(library, "Hale"), [id_of(library, "Marsh")], name="The captain")
    editing.delete(id_of(library, "Petrel"))
    editing.create("The Admiralty", "organisation")
    first = library.writer.value(
        "SELECT m.id FROM mention m JOIN name n ON n.id = m.name_id WHERE n.text = 'Clara'"
    )
    editing.split(id_of(library, "Clara"), [first], "Clara the elder")
    n = export_curation(library.writer, tmp_path / "corrections.json")
    assert n == sum(
        len(v) for v in json.loads((tmp_path / "corrections.json").read_text("utf-8")).values()
        if isinstance(v, list)
    )  # fmt: skip
    other = Library(tmp_path / "other.inkgraph")
    add_book(other)
    before = picture(other)
    apply_curation(other.writer, tmp_path / "corrections.json")
    assert shown(other) == shown(library)
    EditingService(other.writer).undo()
    assert picture(other) == before
    other.close()


def test_a_name_deleted_in_a_document_stays_deleted_elsewhere_after_the_file_changed(
    library, editing, tmp_path
):
    editing.delete(id_of(library, "Petrel"), forever=False)
    document_id = library.writer.value("SELECT id FROM document")
    change_book(library, document_id, ("Tobias sailed. ", *BOOK), "changed")
    assert "Petrel" not in shown(library)
    export_curation(library.writer, tmp_path / "corrections.json")
    other = Library(tmp_path / "other.inkgraph")
    try:
        add_book(other, ("Tobias sailed. ", *BOOK))
        with other.writer.transaction():
            other.writer.write("UPDATE document SET sha256 = 'changed'")
        assert "Petrel" in shown(other)
        apply_curation(other.writer, tmp_path / "corrections.json")
        assert shown(other) == shown(library)
    finally:
        other.close()


@pytest.mark.parametrize(
    "text", ["", "[]", '{"format": "else"}', '{"format": "inkgraph curation", "merged": [{}]}',
             '{"format": ' + "[" * 100_000,
             '{"format": "inkgraph curation", "alias": [3]}']
)  # fmt: skip
def test_a_file_without_corrections_is_refused_and_changes_nothing(library, tmp_path, text):
    (tmp_path / "bad.json").write_text(text, "utf-8")
    before = picture(library)
    with pytest.raises(UserError):
        apply_curation(library.writer, tmp_path / "bad.json")
    assert picture(library) == before and list_history(library.writer) == []


def test_deleting_a_document_removes_what_its_preview_listed(library, editing):
    second = add_book(library, ("Clara met Ferris at the mill. ", "Clara was glad. "), title="Two")
    editing.create("Nobody", "person")
    preview = preview_delete(library.writer, second)
    n_before = len(shown(library))
    relations = library.writer.value("SELECT count(*) FROM relation")
    assert preview.title == "Two" and preview.n_chunks == 2
    DocumentService(library.writer).delete_documents([second])
    assert n_before - len(shown(library)) == preview.n_entities_gone
    assert relations - library.writer.value("SELECT count(*) FROM relation") == (
        preview.n_relations_gone
    )


# --- all of it at random ----------------------------------------------------------------------

numbers = st.integers(0, 30)
STEPS = st.one_of(
    st.tuples(st.just("rename"), numbers, st.sampled_from(("A", "B", "Clara"))),
    st.tuples(st.just("retype"), numbers, st.sampled_from(("place", "object"))),
    st.tuples(st.just("describe"), numbers, st.sampled_from(("So.", None))),
    st.tuples(st.just("alias"), numbers, st.sampled_from(("A", "C", "Hale"))),
    st.tuples(st.just("unalias"), numbers, numbers),
    st.tuples(st.just("create"), st.sampled_from(("D", "Petrel"))),
    st.tuples(st.just("delete"), numbers, st.booleans()),
    st.tuples(st.just("merge"), numbers, numbers),
    st.tuples(st.just("apart"), numbers, numbers),
    st.tuples(st.just("split"), numbers, numbers),
    st.tuples(st.just("relate"), numbers, numbers),
    st.tuples(st.just("unrelate"), numbers),
    st.tuples(st.just("ingest"), st.permutations(NAMES)),
    st.tuples(st.just("drop"), numbers),
    st.tuples(st.just("back"), numbers),
    st.tuples(st.just("change"), numbers, st.permutations(NAMES)),
    st.tuples(st.just("enrich"), numbers, st.sampled_from(("model A", "model B"))),
    st.tuples(st.just("rebuild")),
    st.tuples(st.just("restart")),
    st.tuples(st.just("go_to"), numbers),
    st.tuples(st.just("tell"), numbers, numbers),
    st.tuples(st.just("merge_many"), numbers, numbers, numbers),
    st.tuples(st.just("undo")),
    st.tuples(st.just("redo")),
)


class Hand:
    """Applies random edits to existing rows; a refused edit changes nothing."""

    def __init__(self, library: Library) -> None:
        self.library, self.editing = library, EditingService(library.writer)
        self.n_books = 0
        self.texts: dict[str, tuple[str, ...]] = {"The Clockmaker": BOOK}

    def take(self, what: str, *rest) -> None:
        before = picture(self.library)
        try:
            self._take(what, *rest)
        except UserError:
            # A jump in the history stops where a step is refused.
            assert what == "go_to" or picture(self.library) == before
        if what in ("rebuild", "restart"):
            assert picture(self.library) == before

    def _one(self, table: str, number: int) -> int:
        ids = [i for (i,) in self.library.writer.rows(f"SELECT id FROM {table} ORDER BY id")]
        if not ids:
            raise UserError("Nothing there.", "")
        return ids[number % len(ids)]

    def _take(self, what: str, *rest) -> None:
        editing, db = self.editing, self.library.writer
        if what == "rename":
            editing.rename(self._one("entity", rest[0]), rest[1])
        elif what == "retype":
            editing.retype(self._one("entity", rest[0]), rest[1])
        elif what == "describe":
            editing.describe(self._one("entity", rest[0]), rest[1])
        elif what == "alias":
            editing.add_alias(self._one("entity", rest[0]), rest[1])
        elif what == "unalias":
            entity = self._one("entity", rest[0])
            aliases = LibraryReader(db).get_entity(entity).aliases or ("none",)
            editing.remove_alias(entity, aliases[rest[1] % len(aliases)])
        elif what == "create":
            editing.create(rest[0])
        elif what == "delete":
            editing.delete(self._one("entity", rest[0]), forever=rest[1])
        elif what == "merge":
            editing.merge(self._one("entity", rest[0]), [self._one("entity", rest[1])])
        elif what == "apart":
            editing.never_merge([self._one("entity", i) for i in rest])
        elif what == "split":
            mention = self._one("mention", rest[0])
            entity = db.value(
                "SELECT entity_id FROM mention JOIN entity_name USING (name_id) WHERE id = ?",
                (mention,),
            )
            editing.split(entity or 0, [mention], f"Split {rest[1]}")
        elif what == "relate":
            editing.relate(*[self._one("entity", i) for i in rest], description="By hand.")
        elif what == "unrelate":
            editing.delete_relations([self._one("relation", rest[0])])
        elif what == "merge_many":
            a, b, c = (self._one("entity", i) for i in rest)
            editing.merge_many([(a, [b], "Both"), (c, [self._one("entity", sum(rest))], "")])
        elif what == "tell":
            editing.assign_mentions([self._one("mention", rest[0])], self._one("entity", rest[1]))
        elif what == "go_to":
            rows = [0, *(row.id for row in list_history(db))]
            editing.go_to(rows[rest[0] % len(rows)])
        elif what in ("ingest", "back", "change", "drop", "enrich", "rebuild", "restart"):
            getattr(self, f"_{what}")(*rest)
        else:
            getattr(editing, what)()

    # --- what happens to the library meanwhile ---------------------------------------------------

    def _ingest(self, names) -> None:
        self.n_books += 1
        self._add(f"Book {self.n_books}", (f"{' and '.join(names)}. ", BOOK[1]))

    def _add(self, title: str, chunks: tuple[str, ...]) -> None:
        self.texts[title] = chunks
        add_book(self.library, chunks, title=title)

    def _drop(self, number: int) -> None:
        DocumentService(self.library.writer).delete_documents([self._one("document", number)])

    def _back(self, number: int) -> None:
        """Add a deleted document again."""
        there = {t for (t,) in self.library.writer.rows("SELECT title FROM document")}
        gone = sorted(self.texts.keys() - there)
        if gone:
            self._add(gone[number % len(gone)], self.texts[gone[number % len(gone)]])

    def _change(self, number: int, names) -> None:
        """Insert a passage at the start of a document and read it again."""
        document_id = self._one("document", number)
        title = self.library.writer.value("SELECT title FROM document WHERE id=?", (document_id,))
        self.n_books += 1
        chunks = (f"{names[0]} met {names[1]}. ", *self.texts[title])
        self.texts[title] = chunks
        change_book(self.library, document_id, chunks, f"{title} {self.n_books}")

    def _enrich(self, number: int, model: str) -> None:
        """Store an extraction of one of two models for one chunk."""
        db = self.library.writer
        chunk_id = self._one("chunk", number)
        document_id, start, order, text = db.row(
            "SELECT document_id, start, order_no, text FROM chunk WHERE id = ?", (chunk_id,)
        )
        found = instant(text, order, start)
        tied = tuple(replace(r, kind="friends", keywords=(model,)) for r in found.relations)
        names = sorted({m.name for m in found.mentions})
        claims = tuple(NameClaim(n, "person", f"{n} as {model} has it.") for n in names[:2])
        with db.transaction():
            evidence.store_evidence(
                db, document_id, chunk_id, ChunkEvidence(order, (), tied, names=claims),
                evidence.NameIds(db, normalise_name), strategy="choices", model=model,
            )  # fmt: skip
        update_graph(db)

    def _rebuild(self) -> None:
        db = self.library.writer
        with db.transaction():
            db.write("DELETE FROM relation")
            db.write("DELETE FROM entity")
        rebuild_graph(db)

    def _restart(self) -> None:
        path = self.library.path
        self.library.close()
        self.library = Library(path)
        self.editing = EditingService(self.library.writer)


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    path = tmp_path_factory.mktemp("template") / "small.inkgraph"
    made = Library(path)
    add_book(made)
    made.close()
    return path


def groups_of(library: Library) -> set[frozenset[tuple[str, int]]]:
    """Return the entities as sets of (name, sense), independent of ids."""
    groups: dict[int, set[tuple[str, int]]] = {}
    for entity_id, text, sense in library.writer.rows(
        "SELECT en.entity_id, n.text, n.sense FROM entity_name en JOIN name n ON n.id = en.name_id"
    ):
        groups.setdefault(entity_id, set()).add((text, sense))
    return set(map(frozenset, groups.values()))


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(steps=st.lists(STEPS, min_size=3, max_size=18))
def test_random_edits_survive_rebuilding_and_are_undone(template, tmp_path_factory, steps):
    folder = tmp_path_factory.mktemp("one")
    path = folder / "one.inkgraph"
    path.write_bytes(template.read_bytes())
    hand = Hand(Library(path))
    try:
        for step in steps:
            hand.take(*step)
        followed = picture(hand.library)
        assert count_graph_differences(hand.library.writer) == 0
        hand.take("rebuild")
        hand.take("restart")
        n_done = sum(not row.undone for row in list_history(hand.library.writer))
        for _ in range(n_done):
            hand.editing.undo()
        for _ in range(n_done):
            hand.editing.redo()
        assert picture(hand.library) == followed
        assert hand.library.writer.integrity_problems() == []
        check_it_holds_elsewhere(hand, folder)
    finally:
        hand.library.close()


def check_it_holds_elsewhere(hand: Hand, folder) -> None:
    """Read the same documents into a new library in reverse order and apply the corrections."""
    export_curation(hand.library.writer, folder / "corrections.json")
    other = Library(folder / "other.inkgraph")
    try:
        rows = "SELECT title, sha256 FROM document ORDER BY id DESC"
        for title, sha256 in hand.library.writer.rows(rows):
            document_id = add_book(other, hand.texts[title], title=title)
            with other.writer.transaction():
                other.writer.write(
                    "UPDATE document SET sha256 = ? WHERE id = ?", (sha256, document_id)
                )
        apply_curation(other.writer, folder / "corrections.json")
        assert groups_of(other) == groups_of(hand.library)
    finally:
        other.close()
