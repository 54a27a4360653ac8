"""Tests that the incremental graph equals the rebuilt graph after any change."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_app.engine.errors import Cancelled
from desktop_app.engine.file_content import BytesContent
from desktop_app.engine.graph.evidence import hash_fragments, list_fragments
from desktop_app.engine.graph.names import normalise_name
from desktop_app.engine.messages import Message
from desktop_app.engine.model import (
    ChunkEvidence,
    ChunkSpan,
    ClaimedRelation,
    Mention,
    NameClaim,
    ReadDocument,
)
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.services import graph_update
from desktop_app.engine.services.graph_update import (
    count_graph_differences,
    prepare_update,
    rebuild_graph,
    update_graph,
)
from desktop_app.engine.store import curation, documents, graph_changes, history
from desktop_app.engine.store import evidence as evidence
from desktop_app.engine.store.db import Db

NAMES = (
    "Scrooge",
    "Ebenezer Scrooge",
    "Marley",
    "Bob Cratchit",
    "Bob",
    "林冲",
    "林教头",
    "December",
)
SENTENCE = "So it was said there. "
N_CHUNKS, CHUNK_CHARS, N_DOCUMENTS = 4, 40 * len(SENTENCE), 3
DESCRIPTIONS = (
    "",
    "",
    "He kept the shop.",
    "He kept a shop in the lane.",
    "林冲是教头。",
    "A month.",
)
TYPES = ("", "person", "place", "none")
CURATED = (
    "merged",
    "never_merged",
    "entity_edit",
    "alias",
    "deleted_name",
    "hand_relation",
    "hand_entity",
    "split_mention",
    "summary",
)


def add_document(db: Db, number: int) -> int:
    text = SENTENCE * (40 * N_CHUNKS)
    spans = [ChunkSpan(i, i * CHUNK_CHARS, (i + 1) * CHUNK_CHARS, 9) for i in range(N_CHUNKS)]
    with db.transaction():
        document_id = documents.add_waiting(
            db,
            title=f"Book {number}",
            file_name="a.txt",
            source_path="",
            content=BytesContent(b""),
            sha256=str(number),
        )
        read = ReadDocument(f"Book {number}", text, "txt", "zh" if number % 2 else "en")
        documents.store_read(db, document_id, read, spans, [[] for _ in spans])
    return document_id


names = st.sampled_from(NAMES)
confidences = st.sampled_from((0.0, 0.3, 0.7, 0.9))
kinds = st.sampled_from(("", "family", "work"))


@st.composite
def plain_values(draw: st.DrawFn, by_model: bool) -> tuple:
    """Return plain values, so that the same evidence can be stored in another library."""
    sentences = st.integers(0, 39)
    mentions = draw(
        st.lists(st.tuples(names, st.sampled_from(TYPES[1:3]), sentences), min_size=2, max_size=6)
    )
    relations = draw(
        st.lists(
            st.tuples(
                names,
                names,
                sentences,
                st.sampled_from((0.25, 0.5, 1.0, 1 / 3)),
                st.sampled_from(DESCRIPTIONS if by_model else ("",)),
                st.sampled_from((("dead",), ("shop", "lane"), ())),
                kinds if by_model else st.just(""),
                confidences if by_model else st.just(0.0),
            ),
            max_size=6,
        )
    )
    called = draw(st.lists(st.tuples(names, names), max_size=1))
    judged = (
        draw(
            st.lists(
                st.tuples(
                    names, st.sampled_from(TYPES), st.sampled_from(DESCRIPTIONS), confidences
                ),
                max_size=4,
            )
        )
        if by_model
        else []
    )
    return mentions, relations, called, judged


def build_evidence(order: int, claimed: tuple) -> ChunkEvidence:
    mentions, relations, called, judged = claimed

    def sentence(number: int) -> tuple[int, int]:
        start = order * CHUNK_CHARS + number * len(SENTENCE)
        return start, start + len(SENTENCE) - 1

    return ChunkEvidence(
        order,
        tuple(
            Mention(
                name, type_, sentence(n)[0], sentence(n)[0] + len(name), *sentence(n), n % 3 / 2
            )
            for name, type_, n in mentions
        ),
        tuple(
            ClaimedRelation(a, b, *sentence(n), weight, text, words, kind, sure)
            for a, b, n, weight, text, words, kind, sure in relations
        ),
        tuple(called),
        tuple(NameClaim(*one) for one in judged),
    )


document_numbers = st.integers(0, N_DOCUMENTS - 1)
chunk_orders = st.integers(0, N_CHUNKS - 1)
STEPS = st.one_of(
    st.tuples(st.just("instant"), document_numbers, chunk_orders, plain_values(False)),
    st.tuples(st.just("slots"), document_numbers, chunk_orders, plain_values(True)),
    st.tuples(st.just("free"), document_numbers, chunk_orders, plain_values(True)),
    st.tuples(st.just("fail"), document_numbers, chunk_orders),
    st.tuples(
        st.just("forget"), document_numbers, chunk_orders, st.sampled_from(("instant", "slots"))
    ),
    st.tuples(st.just("delete document"), document_numbers),
    st.tuples(st.just("merge"), names, names),
    st.tuples(st.just("keep apart"), names, names),
    st.tuples(
        st.just("edit"), names, st.sampled_from((None, "place")), st.sampled_from((None, "Me."))
    ),
    st.tuples(st.just("alias"), names, st.sampled_from((*NAMES, "Old Screw"))),
    st.tuples(st.just("delete name"), names),
    st.tuples(st.just("tie"), names, names, st.sampled_from((0, 1))),
    st.tuples(st.just("make"), st.sampled_from(("Old Screw", "Nobody", "Marley"))),
    st.tuples(st.just("tell apart"), names, st.sampled_from((1, 2)), st.integers(0, 2)),
    st.tuples(st.just("undo")),
    st.tuples(st.just("summary"), st.integers(0, 3)),
    st.tuples(st.just("derive")),
)


class Scene:
    """A library to which random steps are applied, and the claims to rebuild it.

    Args:
        spelled: the names in the order of their ids.
    """

    def __init__(self, db: Db, spelled: Sequence[str] = (*NAMES, "Old Screw", "Nobody")) -> None:
        self.db = db
        self.ids = [add_document(db, i) for i in range(N_DOCUMENTS)]
        self.gone: set[int] = set()
        self.stored: dict[tuple[int, int, bool], tuple] = {}
        self.name_ids = evidence.NameIds(db, normalise_name)
        with db.transaction():
            for name in spelled:
                self.name_ids(name)
            for name in NAMES:
                curation.ensure_senses(db, name, normalise_name(name), (1, 2))

    def take(self, step: tuple) -> None:
        what, *rest = step
        if what in ("instant", "slots", "free"):
            number, order, claimed = rest
            if number not in self.gone:
                self.store_claims(number, order, what, claimed)
        elif what == "fail":
            number, order = rest
            if number not in self.gone:
                with self.db.transaction():
                    evidence.store_failure(
                        self.db, self.chunk(number, order), strategy="slots", model="a",
                        prompt_version="9", reason=Message("It looped."),
                    )  # fmt: skip
        elif what == "forget":
            number, order, strategy = rest
            if number not in self.gone and self.stored.get((number, order, strategy != "instant")):
                with self.db.transaction():
                    self.db.write(
                        "DELETE FROM extraction WHERE chunk_id = ?"
                        " AND (strategy = 'instant') = (? = 'instant')",
                        (self.chunk(number, order), strategy),
                    )
                del self.stored[number, order, strategy != "instant"]
        elif what == "delete document":
            [number] = rest
            if number not in self.gone:
                with self.db.transaction():
                    documents.delete_document(self.db, self.ids[number])
                self.gone.add(number)
                self.stored = {k: v for k, v in self.stored.items() if k[0] != number}
        elif what == "undo":
            history.undo(self.db)
        elif what == "summary":
            self.sum_up(*rest)
        elif what == "derive":
            update_graph(self.db)
        else:
            with self.db.edit(Message(what)):
                self.curate(what, *rest)

    def sum_up(self, number: int) -> None:
        """Store a summary of one entity or pair with several descriptions."""
        by_entity, by_pair = evidence.fetch_descriptions(self.db)
        claimed = [list_fragments(each) for each in (*by_entity.values(), *by_pair.values())]
        several = sorted(fragments for fragments in claimed if len(fragments) > 1)
        if several:
            fragments = several[number % len(several)]
            with self.db.transaction():
                evidence.store_summary(
                    self.db, hash_fragments(fragments), f"In all: {fragments}", "a", 2
                )

    def curate(self, what: str, *rest) -> None:
        if what == "merge":
            curation.add_merged(self.db, *rest)
        elif what == "keep apart":
            curation.add_never_merged(self.db, *rest)
        elif what == "edit":
            name, type_, text = rest
            curation.write_entity_edit(self.db, name, type_=type_, description=text)
        elif what == "alias":
            curation.add_alias(self.db, *rest)
        elif what == "delete name":
            curation.add_deleted_name(self.db, *rest)
        elif what == "tie":
            a, b, gone = rest
            curation.write_user_relation(self.db, a, b, description="By hand.", deleted=gone)
        elif what == "make":
            self.name_ids(rest[0])
            curation.add_user_entity(self.db, rest[0])
        elif what == "tell apart":
            name, sense, order = rest
            places = self.db.rows(
                "SELECT d.sha256, m.start FROM mention m JOIN name n ON n.id = m.name_id"
                " JOIN document d ON d.id = m.document_id WHERE n.text = ? ORDER BY m.id",
                (name,),
            )
            curation.choose_sense(self.db, name, sense, places[order::3])

    def store_claims(self, number: int, order: int, strategy: str, claimed: tuple) -> None:
        with self.db.transaction():
            evidence.store_evidence(
                self.db,
                self.ids[number],
                self.chunk(number, order),
                build_evidence(order, claimed),
                self.name_ids,
                strategy=strategy,
                model="" if strategy == "instant" else "a",
            )
        self.stored[number, order, strategy != "instant"] = (strategy, claimed)

    def chunk(self, number: int, order: int) -> int:
        return self.db.value(
            "SELECT id FROM chunk WHERE document_id = ? AND order_no = ?", (self.ids[number], order)
        )


def picture(db: Db) -> tuple:
    """Return the whole graph, with the best sentence of relations instead of its row id."""
    return (
        db.rows("SELECT * FROM entity ORDER BY id"),
        db.rows("SELECT * FROM entity_name ORDER BY 1"),
        db.rows(
            "SELECT r.source_id, r.target_id, r.weight, r.n_evidence, r.description, r.keywords,"
            " r.kind, r.n_enriched, r.confidence, q.document_id, q.start, q.end FROM relation r"
            " LEFT JOIN claimed_relation q ON q.id = r.best_claim ORDER BY 1, 2"
        ),
    )


BEGINNING = (
    [(name, "person", i) for i, name in enumerate(NAMES)],
    [(a, b, 3, 0.5, "", (), "", 0.0) for a, b in itertools.pairwise(NAMES)],
    [],
    [],
)


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    """Return the file of an empty library to copy."""
    path = tmp_path_factory.mktemp("empty") / "empty.inkgraph"
    Db(path).close()
    return path


COUNTS = ("name_count", "name_closeness")


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(steps=st.lists(STEPS, min_size=4, max_size=24), data=st.data())
def test_incremental_rebuilt_and_new_graphs_are_equal(empty, tmp_path_factory, steps, data):
    folder = tmp_path_factory.mktemp("one")
    shutil.copy(empty, folder / "one.inkgraph")
    shutil.copy(empty, folder / "two.inkgraph")
    one, two = Db(folder / "one.inkgraph"), Db(folder / "two.inkgraph")
    try:
        scene = Scene(one)
        for number, order in itertools.product(range(N_DOCUMENTS), range(2)):
            scene.store_claims(number, order, "instant", BEGINNING)
        for number, step in enumerate(steps):
            if number % 3 == 1:  # as after opening the library again
                graph_update._known_names.pop(one, None)
                prepare_update(one)
            scene.take(step)
            if number % 4:  # mostly after each step, sometimes after several
                update_graph(one)
        update_graph(one)
        followed = picture(one)
        assert one.integrity_problems() == []

        with one.transaction():
            one.write("DELETE FROM relation")
            one.write("DELETE FROM entity")
        counted = [one.rows(f"SELECT * FROM {table} ORDER BY 1, 2, 3") for table in COUNTS]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(graph_changes, "FEW_NAMES", 0)  # counts by document, as of many names
            rebuild_graph(one)
        assert picture(one) == followed
        assert counted == [one.rows(f"SELECT * FROM {table} ORDER BY 1, 2, 3") for table in COUNTS]
        assert not update_graph(one)
        assert not rebuild_graph(one)
        assert count_graph_differences(one) == 0

        fresh = Scene(two)
        for document_number in scene.gone:
            fresh.take(("delete document", document_number))
        with two.transaction():
            for table in CURATED:
                for row in one.rows(f"SELECT * FROM {table}"):
                    two.write(f"INSERT INTO {table} VALUES ({','.join('?' * len(row))})", row)
        for key in data.draw(st.permutations(sorted(scene.stored))):
            fresh.store_claims(key[0], key[1], *scene.stored[key])
        update_graph(two)
        assert picture(two) == followed
    finally:
        one.close()
        two.close()


@pytest.fixture
def scene(tmp_path):
    db = Db(tmp_path / "one.inkgraph")
    yield Scene(db)
    db.close()


PLAIN = (
    [("Marley", "person", 1), ("Bob Cratchit", "person", 2)],
    [("Marley", "Bob Cratchit", 1, 1.0, "", (), "", 0.0)],
    [],
    [],
)


def test_only_rows_of_the_changed_chunk_are_written(scene):
    scene.store_claims(0, 0, "instant", PLAIN)
    other = ([("Scrooge", "person", 1), ("林冲", "person", 2)], [], [], [])
    scene.store_claims(0, 1, "instant", other)
    assert update_graph(scene.db)
    scene.store_claims(
        0, 0, "slots", ([], PLAIN[1], [], [("Marley", "person", "He is dead.", 0.9)])
    )
    changed = update_graph(scene.db)
    marley = scene.name_ids("Marley")
    assert changed.entities == {marley}
    assert len(changed.relations) == 1
    assert scene.db.row("SELECT description, n_enriched FROM entity WHERE id = ?", (marley,)) == (
        "He is dead.",
        1,
    )
    assert not update_graph(scene.db)


def test_another_sense_of_a_name_counts_its_neighbours_not_again(scene):
    claims = [("Marley", other, 1, 1.0, "", (), "", 0.0) for other in NAMES if other != "Marley"]
    scene.store_claims(0, 0, "instant", ([(name, "person", 1) for name in NAMES], claims, [], []))
    update_graph(scene.db)
    with scene.db.transaction():
        sense = scene.db.write("INSERT INTO name(text, sense, key) VALUES ('Marley', 9, 'marley')")
        marley = scene.name_ids("Marley")
        scene.db.write("UPDATE claimed_relation SET source_id = ?", (sense,))
    assert list(graph_changes.iter_changed_names(scene.db)) == sorted((marley, sense))
    assert len(graph_changes.fetch_changed_name_pairs(scene.db)) == 2 * len(claims)
    update_graph(scene.db)
    assert count_graph_differences(scene.db) == 0
    # Back again, as undo does, and in the other column.
    with scene.db.transaction():
        scene.db.write("UPDATE claimed_relation SET source_id = ?", (marley,))
        scene.db.write(
            "UPDATE claimed_relation SET target_id = ? WHERE target_id = ?",
            (sense, scene.name_ids("Scrooge")),
        )
    update_graph(scene.db)
    assert count_graph_differences(scene.db) == 0


def test_claims_are_read_only_of_pairs_whose_claims_changed(scene, monkeypatch):
    named = ("Scrooge", "Marley", "Bob", "December", "林冲")
    claims = [("Scrooge", "Marley", 1, 1.0, "", (), "", 0.0)]
    claims += [("Marley", "Bob", 1, 1.0, "", (), "", 0.0)]
    claims += [("December", "林冲", 2, 1.0, "", (), "", 0.0)] * 9
    scene.store_claims(0, 0, "instant", ([(name, "person", 1) for name in named], claims, [], []))
    scene.take(("tie", "Marley", "Bob", False))
    update_graph(scene.db)
    scrooge, marley, bob, december, lin = map(scene.name_ids, named)
    read: set[tuple[int, int]] = set()
    fetch = graph_changes.fetch_claims_of_pairs
    monkeypatch.setattr(
        graph_changes,
        "fetch_claims_of_pairs",
        lambda db, pairs: (read.update(pairs), fetch(db, pairs))[1],
    )
    weight = "SELECT weight FROM relation WHERE source_id = ? AND target_id = ?"
    before = scene.db.value(weight, (scrooge, marley))
    # The merged name is as close to others as both together, so the weights of all its relations
    # change. Those that the user made are derived again.
    scene.take(("merge", "Marley", "December"))
    update_graph(scene.db)
    assert read == {(marley, lin), (lin, december), (marley, bob)}
    assert scene.db.value(weight, (scrooge, marley)) < before
    assert count_graph_differences(scene.db) == 0
    scene.take(("undo",))
    update_graph(scene.db)
    assert scene.db.value(weight, (scrooge, marley)) == before
    assert count_graph_differences(scene.db) == 0


def test_an_edit_reads_what_the_text_equates_only_if_that_changed(scene, monkeypatch):
    scene.store_claims(0, 0, "instant", PLAIN)
    update_graph(scene.db)
    read: list[None] = []
    fetch = evidence.fetch_also_called
    monkeypatch.setattr(evidence, "fetch_also_called", lambda db: (read.append(None), fetch(db))[1])
    scene.take(("merge", "Marley", "Bob Cratchit"))
    update_graph(scene.db)
    scene.take(("undo",))
    update_graph(scene.db)
    assert read == []
    with scene.db.transaction():
        scene.db.write(
            "INSERT INTO also_called(extraction_id, name_id, other_id)"
            " SELECT id, ?, ? FROM extraction LIMIT 1",
            (scene.name_ids("Marley"), scene.name_ids("Bob Cratchit")),
        )
    update_graph(scene.db)
    assert len(read) == 1
    assert count_graph_differences(scene.db) == 0


def test_a_quoted_introduction_returns_when_the_description_is_removed(scene):
    scene.store_claims(0, 0, "instant", PLAIN)
    update_graph(scene.db)
    before = picture(scene.db)
    assert before[0][0][4] == SENTENCE.strip()
    scene.store_claims(0, 0, "slots", ([], [], [], [("Marley", "person", "He is dead.", 0.9)]))
    update_graph(scene.db)
    assert picture(scene.db) != before
    scene.take(("forget", 0, 0, "slots"))
    update_graph(scene.db)
    assert picture(scene.db) == before


def test_edits_and_summaries_are_applied_without_evidence_changes(scene):
    scene.store_claims(0, 0, "instant", PLAIN)
    judged = [("Marley", "", text, 0.0) for text in ("He is dead.", "He kept the shop.")]
    claimed = [("Marley", "Bob Cratchit", 1, 1.0, text, (), "", 0.0) for text in ("Kin.", "Foes.")]
    scene.store_claims(0, 0, "slots", ([], claimed, [], judged))
    update_graph(scene.db)
    marley = scene.name_ids("Marley")

    def row() -> tuple:
        return scene.db.row("SELECT type, description FROM entity WHERE id = ?", (marley,))

    assert row() == ("person", "He kept the shop. He is dead.")
    scene.take(("summary", 0))
    scene.take(("summary", 1))
    assert update_graph(scene.db).relations
    assert row()[1].startswith("In all")
    assert scene.db.value("SELECT description FROM relation").startswith("In all")
    scene.take(("edit", "Marley", "place", "Me."))
    assert update_graph(scene.db).entities == {marley}
    assert row() == ("place", "Me.")
    scene.take(("undo",))
    update_graph(scene.db)
    assert row()[0] == "person" and row()[1].startswith("In all")


def test_a_graph_written_by_another_process_is_noticed(scene):
    scene.store_claims(0, 0, "instant", PLAIN)
    update_graph(scene.db)
    scene.take(("merge", "Marley", "Bob Cratchit"))
    update_graph(scene.db)
    scene.take(("undo",))
    update_graph(scene.db)
    assert scene.db.value("SELECT count(*) FROM entity") == 2


def test_a_prepared_update_reads_no_names(scene, monkeypatch):
    scene.store_claims(0, 0, "instant", PLAIN)
    update_graph(scene.db)
    graph_update._known_names.pop(scene.db)
    before = picture(scene.db)
    prepare_update(scene.db)
    assert picture(scene.db) == before
    with monkeypatch.context() as patch:
        patch.setattr(graph_update, "_Names", None)  # reading them would fail
        scene.take(("merge", "Marley", "Bob Cratchit"))
        assert update_graph(scene.db).entities
    assert scene.db.value("SELECT count(*) FROM entity") == 1


def test_a_graph_that_differs_from_its_names_is_not_prepared(scene):
    scene.store_claims(0, 0, "instant", PLAIN)
    update_graph(scene.db)
    scene.take(("merge", "Marley", "Bob Cratchit"))  # the process ends before the update
    graph_update._known_names.pop(scene.db)
    prepare_update(scene.db)
    assert scene.db not in graph_update._known_names
    update_graph(scene.db)
    assert scene.db.value("SELECT count(*) FROM entity") == 1


def test_a_cancelled_rebuild_changes_nothing(scene):
    scene.store_claims(0, 0, "instant", PLAIN)
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        update_graph(scene.db, cancel=token)
    assert scene.db.value("SELECT count(*) FROM entity") == 0


def test_a_failed_write_is_repaired_by_the_next(scene, monkeypatch):
    scene.store_claims(0, 0, "instant", PLAIN)
    update_graph(scene.db)
    scene.store_claims(0, 0, "slots", ([], [], [], [("Marley", "person", "He is dead.", 0.9)]))
    with scene.db.transaction():
        scene.db.write(
            "CREATE TRIGGER broken BEFORE UPDATE ON entity BEGIN SELECT raise(ABORT, 'no'); END"
        )
    with pytest.raises(Exception, match="no"):
        update_graph(scene.db)
    with scene.db.transaction():
        scene.db.write("DROP TRIGGER broken")
    update_graph(scene.db)
    assert "He is dead." in [row[4] for row in picture(scene.db)[0]]


def test_a_chunk_extracted_again_while_its_names_have_senses_leaves_no_old_rows(empty, tmp_path):
    shutil.copy(empty, tmp_path / "one.inkgraph")
    one = Db(tmp_path / "one.inkgraph")
    scene = Scene(one)
    for number, order in itertools.product(range(N_DOCUMENTS), range(2)):
        scene.store_claims(number, order, "instant", BEGINNING)
    update_graph(scene.db)
    scene.take(("tell apart", "Scrooge", 1, 0))
    twice = [("Scrooge", "person", 0), ("Scrooge", "person", 0)]
    scene.take(("instant", 0, 0, (twice, [], [], [])))
    scene.take(("instant", 0, 1, (twice, [], [], [])))
    update_graph(scene.db)
    followed = picture(one)
    with one.transaction():
        one.write("DELETE FROM relation")
        one.write("DELETE FROM entity")
    rebuild_graph(one)
    assert picture(one) == followed
    one.close()
