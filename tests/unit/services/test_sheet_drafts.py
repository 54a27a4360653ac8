"""Drafts of dialogs: kept in the library for what exists, whatever another program wrote there."""

from __future__ import annotations

import pytest

from desktop_app.engine.services.library import Library
from desktop_app.engine.services.sheet_drafts import SheetDrafts
from desktop_app.engine.store.enrichment import find_setting, store_setting
from desktop_app.engine.store.history import find_newest_edit
from desktop_app.engine.store.sheet_drafts import MAX_DRAFTS, SETTING_KEY, DraftKey
from tests.books import add_book, id_of
from tests.read_only import read_only


@pytest.fixture
def drafts(library: Library) -> SheetDrafts:
    add_book(library)
    return SheetDrafts(library.writer)


def of_hale(library: Library, *, sheet: str = "describe", name: str = "Hale") -> DraftKey:
    return DraftKey(sheet, "entity", id_of(library, "Hale"), name)


def test_a_draft_replaces_the_one_before_and_is_no_edit(library, drafts):
    key, other = of_hale(library), of_hale(library, sheet="rename")
    newest = find_newest_edit(library.writer)
    drafts.save(key, {"text": "A"})
    drafts.save(other, {"name": "Hale the Elder"})
    drafts.save(key, {"text": "A long thought", "mentions": [1, 2]})
    expected = {
        other: {"name": "Hale the Elder"},
        key: {"text": "A long thought", "mentions": [1, 2]},
    }
    assert drafts.list_all() == expected
    drafts.save(other, {})
    assert list(drafts.list_all()) == [key]
    assert find_newest_edit(library.writer) == newest


@pytest.mark.parametrize(
    "key",
    [
        DraftKey("describe", "entity", 999_999, "Hale"),
        DraftKey("details", "document", 999_999),
        DraftKey("details", "document", 1, "another file.txt"),
        DraftKey("report", "community", 999_999),
        DraftKey("describe", "something of a later version", 1),
    ],
)
def test_a_draft_of_something_that_is_gone_is_left_out_and_then_removed(library, drafts, key):
    drafts.save(key, {"text": "A"})
    drafts.save(of_hale(library, name="a name that had the id before"), {"text": "B"})
    assert drafts.list_all() == {}
    drafts.save(DraftKey("name"), {"name": "C"})
    assert "describe" not in str(find_setting(library.writer, SETTING_KEY))


def test_what_another_program_stored_is_left_out(library, drafts):
    for stored in ("[1, {}, null]", "{", '[{"sheet": "name", "fields": 3}]', '{"a": 1}'):
        with library.writer.transaction():
            store_setting(library.writer, SETTING_KEY, stored)
        assert drafts.list_all() == {}
    drafts.save(DraftKey("name"), {"name": "C"})
    assert len(drafts.list_all()) == 1


def test_the_oldest_drafts_give_way(library, drafts):
    for n in range(MAX_DRAFTS + 2):
        drafts.save(DraftKey("name", part=str(n)), {"name": "C"})
    found = [key.part for key in drafts.list_all()]
    assert found == [str(n) for n in range(2, MAX_DRAFTS + 2)]


def test_a_library_that_can_not_be_written_stores_none(tmp_path):
    (tmp_path / "in").mkdir()
    path = tmp_path / "in" / "kept.inkgraph"
    Library(path).close()
    with read_only(path.parent):
        library = Library(path)
        SheetDrafts(library.writer).save(DraftKey("name"), {"name": "C"})
        library.close()
    library = Library(path)
    assert SheetDrafts(library.writer).list_all() == {}
    library.close()
