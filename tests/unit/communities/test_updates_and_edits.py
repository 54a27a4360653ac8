"""Communities are computed beside edits: an edit in between is never overwritten."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_app.engine.changes import NOTHING
from desktop_app.engine.communities.updater import (
    are_fresh,
    compute_communities,
    refresh_communities,
    store_communities,
)
from desktop_app.engine.errors import Cancelled
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.importing.service import import_graph
from desktop_app.engine.services.library import Library
from desktop_app.engine.store.communities import fetch_communities, fetch_members
from tests.books import NAMES, add_book, id_of
from tests.small_library import add
from tests.unit.services.reading_here import read_graphs_here


@pytest.fixture
def book(library):
    add_book(library)
    return library


def fetch_stored(library) -> list[tuple]:
    return library.writer.rows("SELECT * FROM community ORDER BY id")


def test_computing_writes_nothing_and_storing_makes_the_communities_fresh(book):
    reader = book.reader()
    with reader.snapshot():
        update = compute_communities(reader)
    assert update is not None and fetch_stored(book) == []
    change = store_communities(book.writer, update)
    assert change.communities == frozenset(update.values) and are_fresh(book.writer)
    assert compute_communities(reader) is None


def test_communities_of_an_older_graph_are_not_stored(book):
    refresh_communities(book.writer)
    EditingService(book.writer).retype(id_of(book, NAMES[0]), "place")
    with book.reader().snapshot():
        update = compute_communities(book.reader())
    before = fetch_stored(book)
    EditingService(book.writer).delete(id_of(book, NAMES[1]))
    assert update is not None
    assert store_communities(book.writer, update) == NOTHING
    assert fetch_stored(book) == before and not are_fresh(book.writer)


def test_computing_ends_when_it_is_cancelled(book):
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        compute_communities(book.writer, cancel=cancel)


def import_names(library, tmp_path, n: int, links: list[tuple[int, int]]) -> None:
    """Import a graph of names, of which those in `links` are related."""
    nodes = "".join(f'<node id="Place {i}"/>' for i in range(n))
    edges = "".join(f'<edge source="Place {a}" target="Place {b}"/>' for a, b in links)
    path = tmp_path / f"{n} {len(links)}.graphml"
    path.write_text(f'<graphml><graph edgedefault="directed">{nodes}{edges}</graph></graphml>')
    with pytest.MonkeyPatch.context() as patch:
        read_graphs_here(patch)
        import_graph(library.writer, path)


def test_communities_do_not_depend_on_the_order_in_which_names_were_added(tmp_path):
    random = np.random.default_rng(4)
    share = 1 / np.arange(1, 46) ** 0.6
    ends = random.choice(45, (130, 2), p=share / share.sum())
    links = sorted({(int(min(a, b)), int(max(a, b))) for a, b in ends if a != b})
    found = set()
    for seed in range(4):
        order = np.random.default_rng(seed).permutation(45).tolist()
        nodes = "".join(f'<node id="Place {i}"/>' for i in order)
        edges = "".join(f'<edge source="Place {a}" target="Place {b}"/>' for a, b in links)
        path = tmp_path / f"{seed}.graphml"
        path.write_text(f'<graphml><graph edgedefault="directed">{nodes}{edges}</graph></graphml>')
        made = Library(tmp_path / f"{seed}.inkgraph")
        with pytest.MonkeyPatch.context() as patch:
            read_graphs_here(patch)
            import_graph(made.writer, path)
        refresh_communities(made.writer)
        names = dict(made.writer.rows("SELECT id, name FROM entity"))
        rows = fetch_communities(made.writer)
        members = [{names[i] for i in fetch_members(made.writer, row.id)} for row in rows]
        found.add(frozenset(map(frozenset, members)))
        made.close()
    assert len(found) == 1


def list_by_name(library, *, is_loose: bool) -> list[str]:
    db = library.writer
    found = [row for row in fetch_communities(db) if row.is_loose == is_loose]
    ids = [i for row in found for i in fetch_members(db, row.id)]
    assert sum(row.n_members for row in found) == len(ids)
    names = dict(db.rows("SELECT id, name FROM entity"))
    return [names[i] for i in ids]


def test_entities_without_relations_are_one_community_without_rank_by_relations(library, tmp_path):
    import_names(library, tmp_path, 6, [(0, 1), (1, 2), (0, 2)])
    refresh_communities(library.writer)
    assert sorted(list_by_name(library, is_loose=False)) == ["Place 0", "Place 1", "Place 2"]
    assert list_by_name(library, is_loose=True) == ["Place 3", "Place 4", "Place 5"]
    (loose,) = [row for row in fetch_communities(library.writer) if row.is_loose]
    import_names(library, tmp_path, 6, [(3, 4), (0, 4)])
    refresh_communities(library.writer)
    (row,) = [row for row in fetch_communities(library.writer) if row.is_loose]
    assert row.id == loose.id and list_by_name(library, is_loose=True) == ["Place 5"]
    EditingService(library.writer).delete(id_of(library, "Place 5"))
    refresh_communities(library.writer)
    assert not [row for row in fetch_communities(library.writer) if row.is_loose]


def test_a_new_entity_does_not_write_all_the_others_again(library, tmp_path):
    import_names(library, tmp_path, 120, [])
    refresh_communities(library.writer)
    import_names(library, tmp_path, 121, [(119, 120)])
    db = library.writer
    refresh_communities(db)
    assert len(list_by_name(library, is_loose=True)) == 119
    changed = compute_communities(db, from_scratch=True)
    before = db.value("SELECT total_changes()")
    store_communities(db, changed)
    assert db.value("SELECT total_changes()") - before < 20


def test_words_of_any_text_are_no_key_words(library, tmp_path):
    first = "Ada Tobias Clara Jonas Martha Peter Ruth Simon Edith Walter Agnes Hugh".split()
    first += "Nora Felix Judith Oscar Helen Arthur Esther Julian Marian Edgar Louisa Ralph".split()
    last = "Merrow Hale Voss Wrede Quill Lund Penrose Carter Lowell Finch Moor Barlow".split()
    last += "Thorne Pryce Sedley Crowe Vance Harrow Lisle Mercer Norcott Gale Rudd Yates".split()
    names = [" ".join(name) for name in zip(first, last, strict=True)]
    others = [" ".join(name) for name in zip(first[:12], last[12:], strict=True)]
    text = ""
    for people, thing in ((names[:12], "anchor"), (names[12:], "goose"), (others, "lantern")):
        for one in range(12):
            for step in (1, 2, 3):
                other = people[(one + step) % 12]
                text += f"{people[one]} answered {other} about the {thing}.\n\n"
    add(library, tmp_path, "people.txt", text)
    refresh_communities(library.writer)
    words = {word for row in fetch_communities(library.writer) for word in row.key_words}
    assert {"anchor", "goose"} <= words and not words & {"answer", "answered"}


def test_a_title_has_no_two_names_that_may_be_one(library, tmp_path):
    nodes = ("Thomas Penhallow", "Tom Penhallow", "Mrs. Roke", "Ottilie")
    path = tmp_path / "quay.graphml"
    edges = [(a, b) for b in nodes for a in nodes if a < b]
    path.write_text(
        "<graphml><graph edgedefault='directed'>"
        + "".join(f"<node id='{name}'/>" for name in nodes)
        + "".join(f"<edge source='{a}' target='{b}'/>" for a, b in edges)
        + "</graph></graphml>"
    )
    with pytest.MonkeyPatch.context() as patch:
        read_graphs_here(patch)
        import_graph(library.writer, path)
    refresh_communities(library.writer)
    [row] = fetch_communities(library.writer)
    assert set(row.top_names) == set(nodes)
    assert not {"Thomas Penhallow", "Tom Penhallow"} <= set(row.title.split(", "))
    assert {"Mrs. Roke", "Ottilie"} <= set(row.title.split(", "))
    EditingService(library.writer).never_merge(
        [id_of(library, "Thomas Penhallow"), id_of(library, "Tom Penhallow")]
    )
    refresh_communities(library.writer, from_scratch=True)
    [row] = fetch_communities(library.writer)
    assert row.title.split(", ") == list(row.top_names[:3])
