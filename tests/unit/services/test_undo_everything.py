"""Tests that every change of the user's data is undone and redone in order, also after a restart.

A state machine makes random changes through the services, opens the library again in between, and
compares all tables of the user's data, the evidence and the graph after each undo and redo. Other
tests do so for what is read again after undo: versions of files (`test_file_versions.py`) and lines
of scanned pages (`test_ocr.py`).
"""

from __future__ import annotations

import inspect
import random
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from desktop_app.engine.communities.report_service import ReportService
from desktop_app.engine.communities.updater import refresh_communities
from desktop_app.engine.errors import UserError
from desktop_app.engine.messages import Message
from desktop_app.engine.model import Answer, Citation, RetrievalResult
from desktop_app.engine.png import encode_png
from desktop_app.engine.services.annotations import AnnotationService, Area
from desktop_app.engine.services.chats import Chats
from desktop_app.engine.services.collections import Collections
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.editing.curation_file import apply_curation, export_curation
from desktop_app.engine.services.editing.history import list_history
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.events import list_events_among
from desktop_app.engine.services.figure_descriptions import FigureDescriptionService
from desktop_app.engine.services.graph_update import count_graph_differences
from desktop_app.engine.services.graph_views import GraphViews, SavedView
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.store import chats as chat_rows
from desktop_app.engine.store import search, trash
from desktop_app.engine.store.db import UNDOABLE_TABLES, Db
from tests.fakes import HashEmbedder
from tests.small_library import TEXT, add, index

TEXTS = {
    "clocks.txt": TEXT + "Ada Merrow and Tobias Quill lived in Harrowgate.\n",
    "letters.txt": "Tobias Quill wrote to Miss Merrow. Ada Merrow married Tobias Quill.\n",
    "table.csv": "text\nAda Merrow went to Harrowgate.\nToby Quill stayed with Silas Crane.\n",
}
# Rows whose ids are compared too: what comes back must be what was there.
EVIDENCE = (
    "document_text", "text_digest", "original", "chunk", "window", "extraction", "mention",
    "claimed_relation", "also_called", "event", "event_part", "entity", "entity_name",
)  # fmt: skip
DOCUMENTS = (
    "SELECT id, title, author, year, language, set_aside, state, n_chars, chunking,"
    " reading_position, sha256, duplicate_of, row_number FROM document ORDER BY id"
)
RELATIONS = (
    "SELECT source_id, target_id, round(weight, 9), n_evidence, description, keywords, kind,"
    " best_claim FROM relation ORDER BY 1, 2"
)
WORDS = "SELECT rowid FROM chunk_fts WHERE chunk_fts MATCH 'quill' ORDER BY 1"


def read_library(db: Db) -> dict[str, list[tuple]]:
    """Return all rows of the user's data, the evidence and the graph."""
    found = {table: db.rows(f"SELECT * FROM {table}") for table in (*UNDOABLE_TABLES, *EVIDENCE)}
    found |= {
        "document": db.rows(DOCUMENTS),
        "relation": db.rows(RELATIONS),
        "words": db.rows(WORDS),
    }
    return {table: sorted(rows, key=repr) for table, rows in found.items()}


def make_library(folder: Path) -> Path:
    """Make a library with documents, a chat, communities and a stored view."""
    library = Library(folder / "template.inkgraph")
    db = library.writer
    for name, text in TEXTS.items():
        add(library, folder, name, text)
    with db.transaction():  # each is one page, on which an area may be
        db.write("INSERT INTO page SELECT id, 0, '', 0, n_chars FROM document")
        db.write(
            "INSERT INTO figure(document_id, number, start, end, label, caption, alt, path, width,"
            " height) SELECT id, 0, 0, 9, 'figure 1', 'Figure 1', '', 'a.png', 9, 9 FROM document"
        )
    refresh_communities(db)
    for question in ("Who is Ada?", "Where is Harrowgate?"):
        ask(db, Chats(db, db).create_chat(question), question)
    library.close()
    return folder / "template.inkgraph"


def ask(db: Db, chat_id: int, question: str) -> None:
    """Store a question and its answer, as the pipeline does."""
    with db.session_transaction():
        chat_rows.add_question(db, chat_id, question)
        chat_rows.add_answer(
            db,
            chat_id,
            Answer(
                "She winds clocks.",
                (Citation(1, 1, 1, "clocks", 0, 9, "Ada"),),
                RetrievalResult(question, "walk", ()),
            ),
        )


# By the rule that makes them; each is a step of the history.
KINDS = {
    "change_documents": ("title", "tag", "untag", "exclude", "include"),
    "move_documents": ("delete", "delete two", "restore"),
    "annotate": (
        *("mark", "area", "sides", "bookmark", "note", "unmark", "tags", "tag", "untag"),
        *("recolor", "unmark many"),
    ),
    "collect": ("make", "rename", "add", "remove", "delete"),
    "edit_graph": (
        *("rename", "retype", "describe", "alias", "remove alias", "create", "delete", "merge"),
        *("merge two", "merge named", "merge many", "apart", "apart many", "split", "assign"),
        *("relate", "edit relation", "delete relation", "keep"),
        *("add event", "change event", "change own event", "remove event"),
    ),
    "change_chats": (
        *("rename", "pin", "unpin", "folder", "leave folder", "rename folder", "delete"),
    ),
    "change_views": ("save", "delete"),
    "edit_reports": ("edit", "pin", "unpin", "reset"),
    "describe_figure": ("write", "delete"),
    "import_corrections": ("file",),
}
ALL_KINDS = [(name, kind) for name, kinds in KINDS.items() for kind in kinds]
N_WALKS = 12  # at most; each has every kind that did not happen before
AREA, PICTURE = Area(0, 0.1, 0.1, 0.5, 0.5), encode_png(2, 1, b"abcdef")
numbers = st.integers(0, 7)
names = st.sampled_from(("Ada", "Old Quill", "The Clockmaker", "Harrow"))
words = st.sampled_from(("", "loan", "to read", "He keeps a shop."))


class AnyChanges(RuleBasedStateMachine):
    """Random changes of one library; at the end all are undone and redone."""

    template: Path
    counter = 0
    done: ClassVar[Counter[tuple[str, str]]] = Counter()  # steps of each kind, in all examples

    @initialize()
    def start(self) -> None:
        type(self).counter += 1
        self.path = self.template.with_name(f"{self.counter}.inkgraph")
        shutil.copy(self.template, self.path)
        self.library = Library(self.path)
        self.states = [read_library(self.db)]

    @property
    def db(self) -> Db:
        return self.library.writer

    # --- what the steps choose from ---------------------------------------------------------------

    def pick(self, sql: str, number: int, n: int = 1) -> list[int]:
        found = self.db.column(sql)
        if len(found) < n:
            raise UserError("Nothing is there.")
        return [found[(number + i) % len(found)] for i in range(n)]

    def documents(self, number: int, n: int = 1) -> list[int]:
        return self.pick("SELECT id FROM document ORDER BY id", number, n)

    def entities(self, number: int, n: int = 1) -> list[int]:
        return self.pick("SELECT id FROM entity ORDER BY id", number, n)

    def make(self, rule_name: str, kind: str, change: Callable[[], object]) -> None:
        """Make a change; what is refused, or changes nothing, is no step of the history."""
        n_before = self.n_done()
        try:
            change()
        except UserError:
            assert read_library(self.db) == self.states[-1]
            return
        if self.n_done() > n_before:
            self.states.append(read_library(self.db))
            self.done[rule_name, kind] += 1
        else:
            assert read_library(self.db) == self.states[-1]

    def n_done(self) -> int:
        return sum(not row.undone for row in list_history(self.db))

    # --- changes ----------------------------------------------------------------------------------

    @rule(what=st.sampled_from(KINDS["change_documents"]), n=numbers, text=words)
    def change_documents(self, what: str, n: int, text: str) -> None:
        work, ids = DocumentService(self.db), self.documents(n, min(2, self.n_documents()))
        self.make(
            "change_documents",
            what,
            {
                "title": lambda: work.edit_details(ids[:1], title=text, comment=text),
                "tag": lambda: work.tag(ids, text),
                "untag": lambda: work.tag(ids, text, on=False),
                "exclude": lambda: work.set_aside(ids, True),
                "include": lambda: work.set_aside(ids, False),
            }[what],
        )

    def n_documents(self) -> int:
        return int(self.db.value("SELECT count(*) FROM document"))

    @rule(what=st.sampled_from(KINDS["move_documents"]), n=numbers)
    def move_documents(self, what: str, n: int) -> None:
        work, many = DocumentService(self.db), 2 if what == "delete two" else 1

        def move() -> object:
            if what == "restore":
                return work.restore_documents(self.pick("SELECT id FROM trash", n))
            return work.trash_documents(self.documents(n, many + 1)[:many])  # one stays

        self.make("move_documents", what, move)

    @rule(what=st.sampled_from(KINDS["annotate"]), n=numbers, text=words)
    def annotate(self, what: str, n: int, text: str) -> None:
        reading = AnnotationService(self.db, self.db)

        def mark() -> int:
            return self.pick("SELECT id FROM annotation", n)[0]

        def marks() -> list[int]:
            return self.pick("SELECT id FROM annotation", n, 2)

        self.make(
            "annotate",
            what,
            {
                "mark": lambda: reading.highlight(self.documents(n)[0], n, n + 9, note=text),
                "area": lambda: reading.mark_area(
                    self.documents(n)[0], AREA, PICTURE, (n, n + 9), note=text
                ),
                "sides": lambda: reading.change_area(
                    self.pick("SELECT id FROM annotation WHERE area <> ''", n)[0],
                    AREA._replace(left=AREA.left / 2),
                    PICTURE,
                    (n, n + 5),
                    text,
                ),
                "bookmark": lambda: reading.bookmark(self.documents(n)[0], n, n + 9),
                "note": lambda: reading.change(mark(), note=text, color="blue"),
                "unmark": lambda: reading.remove(mark()),
                "tags": lambda: reading.change(mark(), tags=[text, "sea"]),
                "tag": lambda: reading.tag(marks(), add=[text]),
                "untag": lambda: reading.tag(marks(), drop=[text]),
                "recolor": lambda: reading.recolor(marks(), "pink"),
                "unmark many": lambda: reading.remove_many(marks()),
            }[what],
        )

    @rule(what=st.sampled_from(KINDS["collect"]), n=numbers, text=words)
    def collect(self, what: str, n: int, text: str) -> None:
        shelves = Collections(self.db)

        def one() -> int:
            return self.pick("SELECT id FROM collection ORDER BY id", n)[0]

        self.make(
            "collect",
            what,
            {
                "make": lambda: shelves.create(f"Shelf {n}", self.documents(n)),
                "rename": lambda: shelves.rename(one(), text),
                "add": lambda: shelves.add(one(), self.documents(n)),
                "remove": lambda: shelves.remove(one(), self.documents(n)),
                "delete": lambda: shelves.delete(one()),
            }[what],
        )

    @rule(what=st.sampled_from(KINDS["edit_graph"]), n=numbers, name=names)
    def edit_graph(self, what: str, n: int, name: str) -> None:
        editing = EditingService(self.db)

        def one() -> int:
            return self.entities(n)[0]

        def relation() -> list[int]:
            return self.pick("SELECT id FROM relation ORDER BY source_id, target_id", n)

        def mentions(entity_id: int) -> Sequence[int]:
            return self.db.column(
                "SELECT m.id FROM mention m JOIN entity_name en USING (name_id)"
                " WHERE en.entity_id = ? ORDER BY m.id",
                (entity_id,),
            )[::2]

        def remove_alias() -> object:
            found = self.db.rows(
                "SELECT en.entity_id, n.text FROM entity_name en JOIN name n ON n.id = en.name_id"
                " JOIN entity e ON e.id = en.entity_id WHERE n.text <> e.name ORDER BY 1, 2"
            )
            if not found:
                raise UserError("Nothing is there.")
            return editing.remove_alias(*found[n % len(found)])

        def add_event(entity_ids: Sequence[int]) -> object:
            start, end, document_id = self.db.row(
                "SELECT sentence_start, sentence_end, document_id FROM mention ORDER BY id LIMIT 1"
                " OFFSET ?",
                (n,),
            ) or (0, 0, 0)
            return editing.add_event(
                document_id, start, end, "meets", actors=entity_ids[:1], patients=entity_ids[1:]
            )

        def own_event() -> int:
            own = [e.id for e in list_events_among(self.db) if e.is_edited]
            if not own:
                raise UserError("Nothing is there.")
            return own[n % len(own)]

        self.make(
            "edit_graph",
            what,
            {
                "rename": lambda: editing.rename(one(), name),
                "retype": lambda: editing.retype(self.entities(n, 2), "place"),
                "describe": lambda: editing.describe(one(), name),
                "alias": lambda: editing.add_alias(one(), name),
                "remove alias": remove_alias,
                "create": lambda: editing.create(name, "person"),
                "delete": lambda: editing.delete(one(), forever=n % 2 == 0),
                "merge": lambda: editing.merge(one(), self.entities(n + 1)),
                "merge two": lambda: editing.merge(one(), self.entities(n + 1, 2)),
                "merge named": lambda: editing.merge(one(), self.entities(n + 1), name=name),
                "assign": lambda: editing.assign_mentions(mentions(one()), one()),
                "apart": lambda: editing.never_merge(self.entities(n, 2)),
                "split": lambda: editing.split(one(), mentions(one()), name),
                "relate": lambda: editing.relate(*self.entities(n, 2), description=name),
                "edit relation": lambda: editing.edit_relation(relation()[0], description=name),
                "delete relation": lambda: editing.delete_relations(relation()),
                "keep": lambda: editing.keep_name(name),
                "add event": lambda: add_event(self.entities(n, 2)),
                "change event": lambda: editing.change_event(
                    self.pick("SELECT id FROM event ORDER BY id", n)[0],
                    kind=("meets", "helps")[n % 2],
                    patients=self.entities(n),
                ),
                "change own event": lambda: editing.change_event(
                    own_event(), actors=self.entities(n + 1), kind=("vows", "learns")[n % 2]
                ),
                "remove event": lambda: editing.remove_event(
                    self.pick("SELECT id FROM event ORDER BY id", n)[0]
                ),
                "merge many": lambda: editing.merge_many([(one(), self.entities(n + 1), "")]),
                "apart many": lambda: editing.never_merge_many(
                    [self.entities(n, 2), self.entities(n + 1, 2)]
                ),
            }[what],
        )

    @rule(what=st.sampled_from(KINDS["change_chats"]), n=numbers)
    def change_chats(self, what: str, n: int) -> None:
        chats = Chats(self.db, self.db)

        def one() -> int:
            return self.pick("SELECT id FROM chat ORDER BY id", n)[0]

        self.make(
            "change_chats",
            what,
            {
                "rename": lambda: chats.rename_chat(one(), f"Chat {n}"),
                "pin": lambda: chats.pin_chat(one(), True),
                "unpin": lambda: chats.pin_chat(one(), False),
                "folder": lambda: chats.put_in_folder(one(), f"Folder {n % 2}"),
                "leave folder": lambda: chats.put_in_folder(one(), ""),
                "rename folder": lambda: chats.rename_folder(f"Folder {n % 2}", f"Letters {n}"),
                "delete": lambda: chats.delete_chat(one()),
            }[what],
        )

    @rule(what=st.sampled_from(KINDS["change_views"]), n=numbers)
    def change_views(self, what: str, n: int) -> None:
        views = GraphViews(self.db)
        view = SavedView("Mine", {"n": n}, {1: (0.5, float(n))}, frozenset({1}))
        change = {"save": lambda: views.save(view), "delete": lambda: views.delete("Mine")}
        self.make("change_views", what, change[what])

    @rule(what=st.sampled_from(KINDS["edit_reports"]), n=numbers, name=names)
    def edit_reports(self, what: str, n: int, name: str) -> None:
        reports = ReportService(self.db, lambda: None)

        def one() -> int:
            return self.pick("SELECT id FROM community ORDER BY id", n)[0]

        change = {
            "edit": lambda: reports.edit(one(), title=name),
            "pin": lambda: reports.pin(one()),
            "unpin": lambda: reports.pin(one(), False),
            "reset": lambda: reports.reset(one()),
        }
        self.make("edit_reports", what, change[what])

    @rule(what=st.sampled_from(KINDS["describe_figure"]), n=numbers, name=names)
    def describe_figure(self, what: str, n: int, name: str) -> None:
        figures = FigureDescriptionService(self.db, lambda: None)
        text = name if what == "write" else ""
        self.make("describe_figure", what, lambda: figures.correct(self.documents(n)[0], 0, text))

    @rule(what=st.sampled_from(KINDS["import_corrections"]), n=numbers, name=names)
    def import_corrections(self, what: str, n: int, name: str) -> None:
        """Import the corrections of a copy of this library that was edited differently."""
        path = self.path.with_suffix(".json")
        copy = self.path.with_name("other copy.inkgraph")
        shutil.copy(self.template, copy)
        library = Library(copy)
        entity_id = library.writer.column("SELECT id FROM entity ORDER BY id")[n % 3]
        EditingService(library.writer).describe(entity_id, f"{name} of another copy.")
        export_curation(library.writer, path)
        library.close()
        self.make("import_corrections", what, lambda: apply_curation(self.db, path))

    # --- undo, redo and restart -------------------------------------------------------------------

    @rule()
    def restart(self) -> None:
        self.library.close()
        self.library = Library(self.path)

    @rule(many=st.integers(1, 3))
    def undo_some_and_redo(self, many: int) -> None:
        many = min(many, len(self.states) - 1)
        self.undo(len(self.states) - 1, many)
        self.redo(len(self.states) - 1 - many, many)

    def undo(self, at: int, many: int) -> None:
        editing = EditingService(self.db)
        label_before = list_history(self.db)[0].label if many else None
        for i in range(at, at - many, -1):
            label, change = editing.undo()
            assert label is not None
            assert label_before is None or i < at or label == label_before
            assert not change.queued, "nothing is read again"
            assert read_library(self.db) == self.states[i - 1], str(label)

    def redo(self, at: int, many: int) -> None:
        editing = EditingService(self.db)
        for i in range(at, at + many):
            label, _ = editing.redo()
            assert label is not None
            assert read_library(self.db) == self.states[i + 1], str(label)

    def teardown(self) -> None:
        if not hasattr(self, "library"):
            return
        n = len(self.states) - 1
        self.undo(n, n)
        assert EditingService(self.db).undo()[0] is None
        assert count_graph_differences(self.db) == 0
        self.restart()
        assert read_library(self.db) == self.states[0]
        self.redo(0, n)
        assert EditingService(self.db).redo()[0] is None
        assert count_graph_differences(self.db) == 0
        assert self.db.integrity_problems() == []
        self.library.close()


@pytest.mark.parametrize(
    ("n_examples", "n_steps"), [(10, 12), pytest.param(60, 40, marks=pytest.mark.slow)]
)
def test_any_changes_are_undone_and_redone_in_order(tmp_path, n_examples, n_steps):
    AnyChanges.template, AnyChanges.counter = make_library(tmp_path), 0
    run_state_machine_as_test(
        AnyChanges,
        settings=settings(
            max_examples=n_examples,
            stateful_step_count=n_steps,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_every_kind_of_change_is_undone_and_redone(tmp_path):
    """Walks through all kinds, each in another order, until every one was a step."""
    AnyChanges.template, AnyChanges.counter = make_library(tmp_path), 0
    AnyChanges.done = Counter()
    for seed in range(N_WALKS):
        choose = random.Random(seed)
        missing = [one for one in ALL_KINDS if not AnyChanges.done[one]]
        if not missing:
            break
        # what changes or removes something needs what makes it: other kinds come in between
        kinds = missing if seed == 0 else missing + choose.sample(ALL_KINDS, 12)
        choose.shuffle(kinds)
        machine = AnyChanges()
        machine.start()
        for n, kind in enumerate(("mark", "mark", "area")):
            machine.annotate(what=kind, n=n, text="loan")
        machine.annotate(what="tag", n=0, text="loan")
        machine.collect(what="make", n=1, text="")
        machine.change_views(what="save", n=1)
        for n in range(2):
            machine.change_chats(what="folder", n=n)
            machine.change_chats(what="pin", n=n)
        for n in range(len(TEXTS)):
            machine.describe_figure(what="write", n=n, name="Ada")
        for number, (name, kind) in enumerate(kinds):
            n = choose.randrange(8)
            text = {
                "text": choose.choice(("loan", "to read", "He keeps a shop.")),
                "name": choose.choice(("Ada", "Old Quill", "The Clockmaker", "Harrow")),
            }
            change = getattr(machine, name)
            wanted = inspect.signature(change).parameters.keys()
            change(what=kind, n=n, **{key: text[key] for key in text.keys() & wanted})
            if number % 20 == 19:
                machine.undo_some_and_redo(many=2)
                machine.restart()
        machine.teardown()
    never = {one for one in ALL_KINDS if not AnyChanges.done[one]}
    assert not never, never


# --- what happens in between without being a step of the history ----------------------------------


@pytest.fixture
def editing(library) -> EditingService:
    return EditingService(library.writer)


def test_a_deleted_chat_comes_back_although_others_were_begun_since(library, editing):
    db = library.writer
    chats = Chats(db, db)
    ask(db, first := chats.create_chat("First"), "Who?")
    before = [message.text for message in chats.fetch_messages(first)]
    chats.delete_chat(first)
    ask(db, second := chats.create_chat("Second"), "Where?")
    label, change = editing.undo()
    assert (label, change.chats) == ("Delete chat “First”", {first})
    assert [message.text for message in chats.fetch_messages(first)] == before
    assert chats.fetch_messages(second)[0].text == "Where?"


def test_a_document_comes_back_although_others_were_added_since(library, editing, tmp_path):
    db = library.writer
    gone = add(library, tmp_path)
    before = read_library(db)
    DocumentService(db).trash_documents([gone])
    other = add(library, tmp_path, "letters.txt", TEXTS["letters.txt"])
    assert editing.undo()[1].queued == frozenset()
    assert count_graph_differences(db) == 0
    assert db.integrity_problems() == []
    both = {"chunk", "mention", "window", "claimed_relation"}
    n = {table: len(before[table]) for table in both}
    for table in both:  # their ids may be others: the second document has them
        assert len(db.rows(f"SELECT 1 FROM {table} WHERE document_id = ?", (gone,))) == n[table]
    DocumentService(db).trash_documents([other])
    assert [row[4:] for row in read_library(db)["mention"]] == [
        row[4:] for row in before["mention"]
    ]


def test_vectors_come_back_unless_another_model_made_others_since(library, editing, tmp_path):
    db, work = library.writer, DocumentService(library.writer)
    document_id = add(library, tmp_path)
    IndexingService(db, HashEmbedder).run()
    vectors = "SELECT window_id, vector FROM embedding ORDER BY 1"
    before = db.rows(vectors)
    assert before
    work.trash_documents([document_id])
    assert db.rows(vectors) == []
    assert editing.undo()[1].queued == frozenset()
    assert db.rows(vectors) == before
    assert search.count_vector_index_differences(db) == 0
    work.trash_documents([document_id])
    with db.transaction():
        search.ensure_vector_index(db, "another model", 8)
    assert editing.undo()[1].queued == {document_id}, "its vectors are to be computed"
    assert db.rows(vectors) == []


def test_a_document_that_an_older_version_moved_to_the_trash_is_read_again(
    library, editing, tmp_path
):
    document_id = add(library, tmp_path)
    DocumentService(library.writer).trash_documents([document_id])
    with library.writer.transaction():
        for table in trash.TRASHED_TABLES:
            library.writer.write(f"DELETE FROM {table}")
    assert editing.undo()[1].queued == {document_id}
    index(library)
    assert library.writer.value("SELECT count(*) FROM mention") > 0


def test_rows_of_a_table_come_back_too(library, editing, tmp_path):
    add(library, tmp_path, "table.csv", TEXTS["table.csv"])
    db, work = library.writer, DocumentService(library.writer)
    before = read_library(db)
    ids = db.column("SELECT id FROM document ORDER BY id DESC")
    assert len(ids) == 2
    _, [trash_id] = work.trash_documents(ids[:1])
    work.restore_documents([trash_id])
    now = read_library(db)
    assert now["mention"] == before["mention"] and now["relation"] == before["relation"]
    for _ in range(2):
        editing.undo()
    assert read_library(db) == before


def test_a_document_deleted_before_it_was_read_is_read_after_undo(library, editing, tmp_path):
    from desktop_app.engine.services.document_import import add_files

    (tmp_path / "a.txt").write_text(TEXT, "utf-8")
    [waiting] = add_files(library.writer, [tmp_path / "a.txt"]).documents
    DocumentService(library.writer).trash_documents([waiting])
    index(library)
    assert editing.undo()[1].queued == {waiting}
    index(library)
    assert library.writer.value("SELECT state FROM document") == "ready"


def test_rows_in_the_trash_have_every_column_of_the_rows_they_were(library):
    """A migration that adds a column to one of these tables adds it to the other too."""
    for name in trash.TRASHED_TABLES:
        own = library.writer.column("SELECT name FROM pragma_table_info(?)", (name,))
        table = name.removeprefix("trashed_")
        columns = library.writer.column("SELECT name FROM pragma_table_info(?)", (table,))
        assert own == ["trash_id", *columns], name


def test_several_documents_are_excluded_and_included_in_one_step(library, editing, tmp_path):
    ids = [add(library, tmp_path), add(library, tmp_path, "b.txt", TEXT + "More.")]
    work = DocumentService(library.writer)
    excluded = "SELECT id FROM document WHERE set_aside ORDER BY id"
    work.set_aside(ids, True)
    assert library.writer.column(excluded) == ids
    assert editing.undo()[0] == "Exclude 2 documents from answers"
    assert library.writer.column(excluded) == []
    assert editing.redo()[0] == "Exclude 2 documents from answers"
    work.set_aside(ids[:1], False)
    assert library.writer.column(excluded) == ids[1:]
    assert editing.undo()[0] == "Include “clocks” in answers"
    assert library.writer.column(excluded) == ids


def test_an_edit_without_effect_is_no_step(library, editing, tmp_path):
    document_id = add(library, tmp_path)
    DocumentService(library.writer).set_aside([document_id], False)
    assert list_history(library.writer) == []
    assert isinstance(editing.undo()[0], Message | None)
