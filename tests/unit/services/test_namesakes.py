"""Tests that people with one name in different stories are different entities."""

from __future__ import annotations

import random
import shutil

import pytest

from desktop_app.cli.command_context import get_best_entity, get_entity_id, write_name
from desktop_app.engine.errors import UserError
from desktop_app.engine.graph import namesakes as rules
from desktop_app.engine.graph.duplicates.model import pair_key
from desktop_app.engine.graph.duplicates.search import cluster, find_pairs
from desktop_app.engine.model import FIRST_STORY
from desktop_app.engine.services import mention_senses
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.duplicates import read_facts
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.graph_update import (
    count_graph_differences,
    rebuild_graph,
)
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.engine.services.mention_senses import list_uncertain_mentions
from tests.small_library import add

MIN_CHARS = 6_000
BENNETS = "Darcy Bingley Collins Wickham Gardiner Lucas Hurst Denny Forster Phillips Long Metcalfe"
GENEVA = "Clerval Walton Krempe Waldman Moritz Beaufort Felix Agatha Kirwin Saville Ernest Lacey"


@pytest.fixture(autouse=True)
def _stories_are_short(monkeypatch):
    monkeypatch.setattr(rules, "MIN_STORY_CHARS", MIN_CHARS)
    monkeypatch.setattr(mention_senses, "MIN_STORY_CHARS", MIN_CHARS)


def write_story(people: str, heroine: str = "Elizabeth", seed: int = 1) -> str:
    """Return a story in which these people and a heroine speak."""
    draw = random.Random(seed)
    names = people.split()
    sentences = [
        "“I shall go to town,” said Mr. {}, and {} listened.",
        "“Never!” cried {}, looking at {}.",
        "{} asked whether {} had slept.",
        "“It rains,” replied Mr. {}, while {} wrote.",
    ]
    lines = []
    for number in range(160):
        a, b = draw.sample(names, 2)
        lines.append(draw.choice(sentences).format(a, heroine if number % 2 else b))
    return "\n\n".join(lines) + "\n"


def called(library, name: str) -> dict[str, int]:
    """Return story -> mentions of the entities that are shown by a name."""
    return {
        row.story: row.n_mentions
        for row in LibraryReader(library.writer).find_entities(name)
        if row.name == name
    }


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return the folder of a library of both stories, and who was in the first before the second.

    The files are copied beside each copy of the library.
    """
    folder = tmp_path_factory.mktemp("stories")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rules, "MIN_STORY_CHARS", MIN_CHARS)
        patch.setattr(mention_senses, "MIN_STORY_CHARS", MIN_CHARS)
        library = Library(folder / "stories.inkgraph")
        add(library, folder, "Pride.txt", write_story(BENNETS))
        first = called(library, "Elizabeth")
        add(library, folder, "Geneva.txt", write_story(GENEVA, seed=2))
        library.close()
    return folder, first


@pytest.fixture
def two_stories(made, tmp_path):
    folder, first = made
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    library = Library(tmp_path / "stories.inkgraph")
    with library.writer.transaction():  # the files have moved with it
        library.writer.write(
            "UPDATE document SET source_path = replace(source_path, ?, ?)",
            (str(folder), str(tmp_path)),
        )
    yield library, first
    library.close()


def test_one_name_in_two_stories_is_two_people(two_stories):
    library, first = two_stories
    found = called(library, "Elizabeth")
    assert found.keys() == {"Pride", "Geneva"}
    assert found["Pride"] == first[""]
    assert found["Geneva"] >= 60
    assert count_graph_differences(library.writer) == 0
    assert list_uncertain_mentions(library.writer) == []
    rebuild_graph(library.writer)
    assert called(library, "Elizabeth") == found


def test_relations_follow_the_story(two_stories):
    library, _ = two_stories
    rows = library.writer.rows(
        "SELECT s.name, t.name, r.source_id, r.target_id FROM relation r"
        " JOIN entity s ON s.id = r.source_id JOIN entity t ON t.id = r.target_id"
    )
    partners: dict[int, set[str]] = {}
    for source, target, source_id, target_id in rows:
        if source == "Elizabeth":
            partners.setdefault(source_id, set()).add(target.removeprefix("Mr. "))
        if target == "Elizabeth":
            partners.setdefault(target_id, set()).add(source.removeprefix("Mr. "))
    of_one, of_other = sorted(partners.values(), key=lambda names: "Darcy" not in names)
    assert of_one <= set(BENNETS.split())
    assert of_other <= set(GENEVA.split())


def test_a_second_volume_is_the_same_story(two_stories, tmp_path):
    library, _ = two_stories
    before = called(library, "Elizabeth")
    add(library, tmp_path, "Geneva 2.txt", write_story(GENEVA, seed=3))
    found = called(library, "Elizabeth")
    assert len(found) == 2
    assert sum(found.values()) > sum(before.values())
    assert found["Pride"] == before["Pride"]


def test_a_note_means_the_person_of_its_company(two_stories, tmp_path):
    library, _ = two_stories
    before = called(library, "Elizabeth")
    add(library, tmp_path, "note.txt", "Elizabeth nursed Clerval. Walton met Elizabeth there.\n")
    found = called(library, "Elizabeth")
    assert found["Geneva"] == before["Geneva"] + 2
    assert found["Pride"] == before["Pride"]
    assert list_uncertain_mentions(library.writer) == []


def test_a_user_may_know_better(two_stories):
    library, _ = two_stories
    rows = LibraryReader(library.writer).find_entities("Elizabeth")
    both = [row.id for row in rows if row.name == "Elizabeth"]
    before = called(library, "Elizabeth")
    editing = EditingService(library.writer)
    editing.merge(both[0], both[1:])
    assert called(library, "Elizabeth") == {"": sum(before.values())}
    rebuild_graph(library.writer)
    assert called(library, "Elizabeth") == {"": sum(before.values())}
    editing.undo()
    assert called(library, "Elizabeth") == before


def test_a_split_of_the_user_goes_before(two_stories):
    library, _ = two_stories
    reader = LibraryReader(library.writer)
    [geneva] = [row for row in reader.find_entities("Elizabeth") if row.story == "Geneva"]
    mentions = library.writer.column(
        "SELECT m.id FROM mention m JOIN entity_name en USING (name_id) WHERE en.entity_id = ?"
        " ORDER BY m.start LIMIT 3", (geneva.id,),
    )  # fmt: skip
    EditingService(library.writer).split(geneva.id, mentions, "Elizabeth the elder")
    assert called(library, "Elizabeth the elder") == {"": 3}
    assert called(library, "Elizabeth")["Geneva"] == geneva.n_mentions - 3
    assert count_graph_differences(library.writer) == 0
    senses = library.writer.column("SELECT sense FROM name WHERE text = 'Elizabeth' ORDER BY 1")
    assert senses[:2] == [0, 1]
    assert senses[2] >= FIRST_STORY


def test_deleted_stories_leave_the_other_as_it_is(two_stories):
    library, first = two_stories
    before = called(library, "Elizabeth")
    [pride] = library.writer.column("SELECT id FROM document WHERE title = 'Pride'")
    DocumentService(library.writer).trash_documents([pride])
    assert called(library, "Elizabeth") == {"": before["Geneva"]}
    EditingService(library.writer).undo()
    assert called(library, "Elizabeth") == before
    assert before["Pride"] == first[""]


def test_a_changed_file_belongs_to_its_story(two_stories, tmp_path):
    library, _ = two_stories
    rows = LibraryReader(library.writer).find_entities("Elizabeth")
    [geneva] = [row for row in rows if row.story == "Geneva"]
    EditingService(library.writer).rename(geneva.id, "Elizabeth Lavenza")
    path = tmp_path / "Geneva.txt"
    add(library, tmp_path, path.name, path.read_text("utf-8") + "“Come,” said Elizabeth.\n")
    assert called(library, "Elizabeth Lavenza") == {"": geneva.n_mentions + 1}


def test_duplicates_do_not_propose_namesakes(two_stories):
    library, _ = two_stories
    rows = LibraryReader(library.writer).find_entities("Elizabeth")
    pair = {row.id for row in rows if row.name == "Elizabeth"}
    facts, text = read_facts(library.writer)
    assert pair_key(*pair) in text.never
    assert not any(pair <= set(one.ids) for one in cluster(find_pairs(facts, text)))


def test_commands_ask_which_one_is_meant(two_stories):
    library, _ = two_stories
    reader = LibraryReader(library.writer)
    ids = {row.story: row.id for row in reader.find_entities("Elizabeth") if row.story}
    with pytest.raises(UserError, match="Several are called “Elizabeth”") as caught:
        get_entity_id(library, "Elizabeth")
    assert "“Elizabeth (Geneva)”" in caught.value.full_message.format()
    assert get_entity_id(library, "elizabeth (geneva)") == ids["Geneva"]
    assert get_best_entity(reader, "Elizabeth (Pri") == ids["Pride"]
    assert write_name(reader.get_entity(ids["Pride"]).row) == "Elizabeth (Pride)"
    clerval = get_entity_id(library, "Clerval")
    assert write_name(reader.get_entity(clerval).row) == "Clerval"
