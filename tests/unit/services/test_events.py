"""Tests events in a library: stored, corrected, undone, moved with names, read again, exported."""

from __future__ import annotations

import csv
import json
import re

import networkx
import pytest

from desktop_app.cli import run_command
from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.errors import UserError
from desktop_app.engine.model import EventRow
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.editing.curation_file import apply_curation, export_curation
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.events import list_events_among
from desktop_app.engine.services.exporting.graph_files import export_graph
from desktop_app.engine.services.exporting.vault import export_vault
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.engine.text.chunking import ChunkingSettings
from tests.small_library import add, index

STORY = """CHAPTER I. The Shop

Tobias Wren kept a shop of clocks in Harrow Lane. Clara Wren wound them every night. Captain Hale
met Clara Wren in Harrow Lane.

CHAPTER II. The Watch

Edmund Marsh had been a sailor. Captain Hale never killed Tobias Wren. Clara Wren married Edmund
Marsh in the spring. Edmund Marsh was killed by Captain Hale. Tobias Wren died.
"""


@pytest.fixture
def document(library, tmp_path) -> int:
    return add(library, tmp_path, "clock.txt", STORY)


def find(library: Library, name: str) -> int:
    found = LibraryReader(library.writer).find_by_names([name])
    assert found is not None, name
    return found


def events_of(library: Library, name: str) -> list[EventRow]:
    return LibraryReader(library.writer).list_events(find(library, name))


def describe(events: list[EventRow]) -> list[str]:
    return [
        f"{e.kind} " + ", ".join(f"{part.role} {part.name}" for part in e.parts) for e in events
    ]


def test_events_stand_in_the_order_of_the_text_with_sentence_and_chapter(library, document):
    events = events_of(library, "Clara Wren")
    assert [event.kind for event in events] == ["meets", "marries"]
    met, married = events
    assert {(p.role, p.name) for p in met.parts} >= {
        ("actor", "Captain Hale"), ("patient", "Clara Wren"),
    }  # fmt: skip
    assert {part.written for part in met.parts} >= {"Captain Hale", "Clara Wren"}
    assert met.heading.startswith("CHAPTER I") and married.heading.startswith("CHAPTER II")
    assert married.sentence.split()[:3] == ["Clara", "Wren", "married"]
    text = LibraryReader(library.writer).fetch_text(document)
    assert text[married.start : married.end] == married.sentence
    assert text[married.word_start : married.word_end] == "married"
    assert [e.kind for e in events_of(library, "Tobias Wren")] == ["dies"]


def test_a_merge_a_rename_and_their_undo_carry_the_events(library, document):
    editing = EditingService(library.writer)
    before = describe(events_of(library, "Clara Wren"))
    editing.merge(find(library, "Clara Wren"), [find(library, "Tobias Wren")], name="The Wrens")
    assert [e.kind for e in events_of(library, "The Wrens")] == ["meets", "marries", "dies"]
    [other] = [p for p in events_of(library, "Edmund Marsh")[0].parts if p.name == "The Wrens"]
    assert other.written == "Clara Wren"
    editing.undo()
    assert describe(events_of(library, "Clara Wren")) == before


def test_a_split_gives_each_namesake_its_events(library, document):
    reader = LibraryReader(library.writer)
    hale = find(library, "Captain Hale")
    second = [i for i, mention in reader.list_mentions(hale) if "CHAPTER II" in mention.heading]
    EditingService(library.writer).split(hale, second, "Hale the younger")
    assert [e.kind for e in events_of(library, "Captain Hale")] == ["meets"]
    assert [e.kind for e in events_of(library, "Hale the younger")] == ["kills"]


def test_a_removed_event_stays_removed_when_the_text_is_read_again_and_comes_back_by_undo(
    library, document, tmp_path
):
    editing = EditingService(library.writer)
    met = events_of(library, "Clara Wren")[0]
    change = editing.remove_event(met.id)
    assert change.entities >= {find(library, "Clara Wren"), find(library, "Captain Hale")}
    assert [e.kind for e in events_of(library, "Clara Wren")] == ["marries"]
    with pytest.raises(UserError, match="no longer"):
        editing.remove_event(met.id)
    documents = DocumentService(library.writer)
    documents.reindex_documents([document], ChunkingSettings(chunk_token_size=60))
    index(library)
    assert [e.kind for e in events_of(library, "Clara Wren")] == ["marries"]
    (tmp_path / "clock.txt").write_text("A preface by nobody.\n\n" + STORY, "utf-8")
    add_files(library.writer, [tmp_path / "clock.txt"])
    index(library)
    [married] = events_of(library, "Clara Wren")
    text = LibraryReader(library.writer).fetch_text(document)
    assert text[married.word_start : married.word_end] == "married"
    assert text.startswith("A preface")
    label, change = editing.undo()
    assert label is not None and "Clara Wren" in label.format()
    assert find(library, "Clara Wren") in change.entities
    assert [e.kind for e in events_of(library, "Clara Wren")] == ["meets", "marries"]
    editing.redo()
    assert [e.kind for e in events_of(library, "Clara Wren")] == ["marries"]


def kinds_of(library: Library, name: str) -> list[str]:
    return [event.kind for event in events_of(library, name)]


def read_again(library: Library, document: int, folder, text: str) -> None:
    """Read the document in other chunks, then from a file with another text."""
    DocumentService(library.writer).reindex_documents(
        [document], ChunkingSettings(chunk_token_size=60)
    )
    index(library)
    (folder / "clock.txt").write_text(text, "utf-8")
    add_files(library.writer, [folder / "clock.txt"])
    index(library)


def test_a_corrected_kind_and_person_hold_when_the_text_is_read_again(library, document, tmp_path):
    editing = EditingService(library.writer)
    wren, marsh, hale = (find(library, n) for n in ("Tobias Wren", "Edmund Marsh", "Captain Hale"))
    [killed] = [e for e in events_of(library, "Captain Hale") if e.kind == "kills"]
    change = editing.change_event(killed.id, kind="wounds", patients=[wren])
    assert change.entities == {wren, marsh, hale}
    assert "kills" not in kinds_of(library, "Edmund Marsh")
    [wounded] = [e for e in events_of(library, "Tobias Wren") if e.kind == "wounds"]
    assert describe([wounded]) == ["wounds actor Captain Hale, patient Tobias Wren"]
    assert wounded.is_edited and not killed.is_edited
    place = "start", "end", "sentence", "word_start", "word_end", "heading", "page_label"
    assert [getattr(wounded, p) for p in place] == [getattr(killed, p) for p in place]

    read_again(library, document, tmp_path, "A preface by nobody.\n\n" + STORY)
    [again] = [e for e in events_of(library, "Tobias Wren") if e.kind == "wounds"]
    text = LibraryReader(library.writer).fetch_text(document)
    assert text.startswith("A preface") and again.start == wounded.start + 22
    assert text[again.word_start : again.word_end] == "killed"
    assert "kills" not in kinds_of(library, "Captain Hale")

    label, change = editing.undo()
    assert label is not None and "Change an event of" in label.format()
    assert change.entities >= {wren, marsh, hale}
    assert kinds_of(library, "Tobias Wren") == ["dies"]
    assert "kills" in kinds_of(library, "Edmund Marsh")
    assert {wren, marsh, hale} <= editing.redo()[1].entities
    assert kinds_of(library, "Tobias Wren") == ["wounds", "dies"]


def test_an_event_that_was_corrected_is_corrected_again_and_removed_for_good(library, document):
    editing = EditingService(library.writer)
    [_, married] = events_of(library, "Clara Wren")
    editing.change_event(married.id, kind="betrays")
    [betrayed] = [e for e in events_of(library, "Clara Wren") if e.kind == "betrays"]
    editing.change_event(betrayed.id, kind="marries", places=[find(library, "Harrow Lane")])
    [married] = [e for e in events_of(library, "Clara Wren") if e.kind == "marries"]
    assert "place Harrow Lane" in describe([married])[0]
    assert editing.change_event(married.id, kind="marries") == ChangeNotice()
    editing.remove_event(married.id)
    assert kinds_of(library, "Clara Wren") == ["meets"]
    with pytest.raises(UserError, match="no longer"):
        editing.change_event(married.id, kind="meets")
    for _ in range(3):
        editing.undo()
    assert kinds_of(library, "Clara Wren") == ["meets", "marries"]
    assert not events_of(library, "Clara Wren")[1].is_edited


def test_a_correction_needs_a_known_kind_and_a_name_that_takes_part(library, document):
    editing = EditingService(library.writer)
    met = events_of(library, "Clara Wren")[0]
    with pytest.raises(UserError, match="not a kind of event"):
        editing.change_event(met.id, kind="dances")
    with pytest.raises(UserError, match="Nobody takes part"):
        editing.change_event(met.id, actors=[], patients=[])
    assert editing.find_newest_step() == 0


def test_an_added_event_stands_in_the_life_of_its_people_and_is_kept(library, document, tmp_path):
    reader, editing = LibraryReader(library.writer), EditingService(library.writer)
    text = reader.fetch_text(document)
    at = text.index("wound them")
    found = reader.read_event_sentence(document, at, at + 5)
    assert found.text == "Clara Wren wound them every night."
    assert (found.word_start, found.word_end) == (at, at + 5)
    assert [row.name for row in found.names] == ["Clara Wren"]
    clara, wren = find(library, "Clara Wren"), find(library, "Tobias Wren")
    change = editing.add_event(
        document, found.start, found.end, "helps", word=(at, at + 5), actors=[clara],
        patients=[wren],
    )  # fmt: skip
    assert change.entities == {clara, wren}
    assert kinds_of(library, "Clara Wren") == ["helps", "meets", "marries"]
    assert kinds_of(library, "Tobias Wren") == ["helps", "dies"]
    [helped, *_] = events_of(library, "Tobias Wren")
    assert helped.heading.startswith("CHAPTER I")
    assert {part.written for part in helped.parts} == {"Clara Wren", ""}
    # the same event is not added twice
    step = editing.find_newest_step()
    editing.add_event(
        document, found.start, found.end, "helps", word=(at, at + 5), actors=[clara],
        patients=[wren],
    )  # fmt: skip
    assert editing.find_newest_step() == step

    editing.merge(wren, [find(library, "Edmund Marsh")], name="The Clockmaker")
    editing.rename(clara, "Clara of Harrow Lane")
    read_again(library, document, tmp_path, "Another preface.\n\n" + STORY)
    [helped] = [e for e in events_of(library, "The Clockmaker") if e.kind == "helps"]
    assert describe([helped]) == ["helps actor Clara of Harrow Lane, patient The Clockmaker"]
    text = reader.fetch_text(document)
    assert text[helped.word_start : helped.word_end] == "wound"
    for _ in range(3):
        label, _ = editing.undo()
    assert label is not None and label.format() == "Add an event of Clara Wren, Tobias Wren"
    assert kinds_of(library, "Clara Wren") == ["meets", "marries"]


def test_an_added_event_follows_a_name_that_is_split(library, document):
    editing, reader = EditingService(library.writer), LibraryReader(library.writer)
    hale = find(library, "Captain Hale")
    at = reader.fetch_text(document).index("Captain Hale never killed")
    found = reader.read_event_sentence(document, at, at + 12)
    editing.add_event(document, found.start, found.end, "fights", actors=[hale])
    second = [i for i, mention in reader.list_mentions(hale) if "CHAPTER II" in mention.heading]
    editing.split(hale, second, "Hale the younger")
    assert kinds_of(library, "Captain Hale") == ["meets"]
    assert kinds_of(library, "Hale the younger") == ["fights", "kills"]


def test_an_event_is_added_to_the_sentence_of_the_document_only(library, document):
    editing = EditingService(library.writer)
    clara = find(library, "Clara Wren")
    for start, end, word in ((5, 5, None), (10**6, 10**6 + 9, None), (0, 20, (10, 30))):
        with pytest.raises(UserError, match="no longer in the document"):
            editing.add_event(document, start, end, "helps", word=word, actors=[clara])
    with pytest.raises(UserError, match="no longer in the document"):
        editing.add_event(999, 0, 20, "helps", actors=[clara])


def test_of_two_equal_sentences_the_nearest_one_has_the_event(library, tmp_path):
    text = "Ada Voss sat. Ada Voss was old.\n\nJane Moss sat.\n\nAda Voss sat. Jane Moss left.\n"
    document = add(library, tmp_path, "twice.txt", text)
    at = text.rindex("Ada Voss sat.")
    EditingService(library.writer).add_event(
        document, at, at + 13, "arrives", actors=[find(library, "Ada Voss")]
    )
    [event] = [e for e in events_of(library, "Ada Voss") if e.is_edited]
    assert event.start == at
    (tmp_path / "twice.txt").write_text("So it was.\n\n" + text, "utf-8")
    add_files(library.writer, [tmp_path / "twice.txt"])
    index(library)
    [event] = [e for e in events_of(library, "Ada Voss") if e.is_edited]
    assert event.start == at + 12


def test_the_history_of_a_name_lists_the_corrections_of_its_events(library, document):
    editing, reader = EditingService(library.writer), LibraryReader(library.writer)
    [killed] = [e for e in events_of(library, "Captain Hale") if e.kind == "kills"]
    editing.change_event(killed.id, patients=[find(library, "Tobias Wren")])
    for name in ("Captain Hale", "Tobias Wren"):
        [row] = reader.list_history_of(find(library, name))
        assert row.label.format() == "Change an event of Captain Hale, Tobias Wren"
    assert reader.list_history_of(find(library, "Clara Wren")) == []


def test_written_events_are_corrections_that_can_be_exported(library, document, tmp_path):
    editing = EditingService(library.writer)
    [_, married] = events_of(library, "Clara Wren")
    editing.change_event(married.id, kind="meets")
    before = events_of(library, "Clara Wren")
    path = tmp_path / "corrections.json"
    assert export_curation(library.writer, path) == 2
    editing.undo()
    assert kinds_of(library, "Clara Wren") == ["meets", "marries"]
    apply_curation(library.writer, path)
    assert events_of(library, "Clara Wren") == before
    kept = json.loads(path.read_text("utf-8"))
    for field, value in (("place", 10**6), ("length", 0), ("place", 0.5), ("actors", " x")):
        row = {**kept["hand_event"][0], field: value}
        path.write_text(json.dumps({**kept, "hand_event": [row]}), "utf-8")
        with pytest.raises(UserError, match="invalid line"):
            apply_curation(library.writer, path)


def test_a_document_keeps_its_events_in_the_trash(library, document, tmp_path):
    other = add(library, tmp_path, "other.txt", "Ada Voss died. Ada Voss was old. Ada Voss left.\n")
    editing = EditingService(library.writer)
    editing.change_event(events_of(library, "Clara Wren")[0].id, kind="helps")
    before = describe(events_of(library, "Clara Wren"))
    assert before[0].startswith("helps")
    documents = DocumentService(library.writer)
    documents.trash_documents([document])
    assert [e.kind for e in list_events_among(library.writer)] == ["dies", "departs"]
    assert (
        library.writer.value("SELECT count(*) FROM event WHERE document_id = ?", (document,)) == 0
    )
    add(library, tmp_path, "third.txt", "Jane Moss died. Jane Moss was old. Jane Moss fled.\n")
    [trash_id] = library.writer.column("SELECT id FROM trash")
    documents.restore_documents([trash_id])
    assert describe(events_of(library, "Clara Wren")) == before
    assert [e.kind for e in events_of(library, "Ada Voss")] == ["dies", "departs"]
    assert other != document and library.writer.integrity_problems() == []


def test_removed_events_are_corrections_that_can_be_exported(library, document, tmp_path):
    editing = EditingService(library.writer)
    editing.remove_event(events_of(library, "Clara Wren")[0].id)
    path = tmp_path / "corrections.json"
    assert export_curation(library.writer, path) == 1
    editing.undo()
    assert len(events_of(library, "Clara Wren")) == 2
    apply_curation(library.writer, path)
    assert len(events_of(library, "Clara Wren")) == 1


def test_the_json_export_has_the_events_of_its_entities(library, document, tmp_path):
    export_graph(library.writer, tmp_path / "all.json", "json")
    events = json.loads((tmp_path / "all.json").read_text("utf-8"))["events"]
    assert sorted(event["kind"] for event in events) == ["dies", "kills", "marries", "meets"]
    [killed] = [event for event in events if event["kind"] == "kills"]
    assert [part["role"] for part in killed["parts"]] == ["patient", "actor"]
    only = [find(library, "Tobias Wren")]
    export_graph(library.writer, tmp_path / "one.json", "json", entity_ids=only)
    events = json.loads((tmp_path / "one.json").read_text("utf-8"))["events"]
    assert [event["kind"] for event in events] == ["dies"]


def test_graphs_have_the_events_of_their_nodes_and_edges(library, document, tmp_path):
    editing = EditingService(library.writer)
    [met, _] = events_of(library, "Clara Wren")
    editing.change_event(met.id, kind="helps")
    hale, clara, wren = (
        str(find(library, name)) for name in ("Captain Hale", "Clara Wren", "Tobias Wren")
    )
    place = " (Harrow Lane)" if any(part.role == "place" for part in met.parts) else ""
    helped = f"helps: Captain Hale → Clara Wren{place}"
    killed = "kills: Captain Hale → Edmund Marsh"
    export_graph(library.writer, tmp_path / "g.graphml", "graphml")
    made = networkx.read_graphml(tmp_path / "g.graphml")
    assert made.nodes[hale]["events"] == f"{helped} | {killed}"
    assert made.nodes[wren]["events"] == "dies: Tobias Wren"
    assert made.edges[hale, clara]["events"] == helped
    export_graph(library.writer, tmp_path / "g.gexf", "gexf")
    assert networkx.read_gexf(tmp_path / "g.gexf").edges[hale, clara]["events"] == helped
    export_graph(library.writer, tmp_path / "g.csv", "csv")
    with (tmp_path / "g.events.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["kind"] for row in rows] == ["helps", "marries", "kills", "dies"]
    assert [row["edited"] for row in rows] == ["1", "0", "0", "0"]
    assert (rows[0]["actor"], rows[0]["patient"]) == ("Captain Hale", "Clara Wren")
    assert rows[0]["sentence"] == met.sentence and rows[0]["heading"] == met.heading
    export_graph(library.writer, tmp_path / "one.csv", "csv", entity_ids=[int(wren)])
    with (tmp_path / "one.events.csv").open(encoding="utf-8-sig", newline="") as file:
        assert [row["kind"] for row in csv.DictReader(file)] == ["dies"]


def test_the_note_of_a_name_lists_its_events_with_links_and_sources(library, document, tmp_path):
    export_vault(library.writer, tmp_path / "vault")
    note = (tmp_path / "vault" / "Names" / "Edmund Marsh.md").read_text("utf-8")
    events = note.partition("## Events\n\n")[2].partition("\n\n")[0].splitlines()
    assert [line.split(": ")[0] for line in events] == ["- **marries**", "- **kills**"]
    assert "[[Captain Hale]] → [[Edmund Marsh]]" in events[1]
    assert "Edmund Marsh was killed by Captain Hale." in events[1]
    assert "CHAPTER II. The Watch" in events[1]
    for target in re.findall(r"\[\[([^\]|]+)", "".join(events)):
        assert (tmp_path / "vault" / "Names" / f"{target}.md").exists()


def test_the_command_lists_events_and_removes_one(library, document, capsys):
    library.close()
    path = str(library.path)
    assert run_command(["entity", "events", "Clara Wren", "--library", path]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 and "meets: Captain Hale → Clara Wren" in lines[0]
    number = lines[0].split()[0]
    command = ["entity", "events", "Clara Wren", "--library", path]
    assert run_command([*command, "--remove", number, "--json"]) == 0
    assert [e["kind"] for e in json.loads(capsys.readouterr().out)["events"]] == ["marries"]
    assert run_command([*command, "--remove", "999"]) == 1
    assert "no event 999" in capsys.readouterr().err


def test_the_command_corrects_an_event_and_adds_one(library, document, capsys):
    library.close()
    command = ["entity", "events", "Clara Wren", "--library", str(library.path), "--json"]

    def run(*options: str) -> list[str]:
        assert run_command([*command, *options]) == 0
        found = json.loads(capsys.readouterr().out)["events"]
        ids.update({event["kind"]: str(event["id"]) for event in found})
        return [
            f"{e['kind']} " + ", ".join(f"{p['role']} {p['name']}" for p in e["parts"])
            for e in found
        ]

    ids: dict[str, str] = {}
    run()
    changed = run("--change", ids["meets"], "--kind", "helps", "--patient", "Clara Wren",
                  "--patient", "Edmund Marsh")  # fmt: skip
    assert "helps actor Captain Hale, patient Clara Wren, patient Edmund Marsh" in changed[0]
    added = run("--add", "wound them every", "--kind", "learns")
    assert "learns actor Clara Wren" in added
    removed = run("--remove", ids["learns"])
    assert removed == changed
    assert run_command([*command, "--add", "no such words", "--kind", "learns"]) == 1
    assert "has this text" in capsys.readouterr().err
    assert run_command([*command, "--add", "wound them every", "--kind", "sings"]) == 1
    assert "not a kind of event" in capsys.readouterr().err


def test_a_library_without_events_gets_them_when_it_is_indexed_again(library, document):
    with library.writer.transaction():
        library.writer.write("DELETE FROM event")
    assert events_of(library, "Clara Wren") == []
    DocumentService(library.writer).reindex_documents([document])
    IndexingService(library.writer, lambda: None).run(embed=False)
    assert len(events_of(library, "Clara Wren")) == 2
