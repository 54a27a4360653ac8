"""Tests finding a quotation in a library: the document, its place, and how it differs."""

from __future__ import annotations

import pytest

from desktop_app.engine.errors import UserError
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.quotation_search import (
    MOST_CHARS,
    MOST_WORDS,
    find_quotation,
    is_quotation,
    list_pieces,
)
from tests.pdf_layouts import Words, body, make_layout
from tests.small_library import add, index
from tests.unit.services.test_indexing import STORY, TALE

SIMPLIFIED = str.maketrans("說沈硯聽樓與見", "说沈砚听楼与见")


@pytest.fixture
def read(library, tmp_path) -> dict[str, int]:
    return {
        "story": add(library, tmp_path, "clock.txt", STORY),
        "tale": add(library, tmp_path, "tea.txt", TALE),
    }


def show(place) -> str:
    signs = {"quoted": "[-{}-]", "there": "{{+{}+}}", "around": "", "skipped": "({})"}
    return "".join(signs.get(kind, "{}").format(text) for kind, text in list_pieces(place))


def test_the_document_the_chapter_and_the_place_are_found(library, read):
    [place] = find_quotation(library.writer, "Edmund Marsh had been a sailor; he was lost")
    assert place.document_id == read["story"]
    assert place.chapter == "CHAPTER II. The Watch"
    assert place.start == STORY.index("Edmund Marsh had been")
    assert (place.wording, show(place)) == (
        "small",
        "Edmund Marsh had been a sailor[-;-]{+.+} He was lost",
    )


def test_errors_missing_words_and_an_ellipsis_are_shown(library, read):
    quotation = "Clara Wrcn had always loved Edmund … Captain Hale took the watch"
    [place] = find_quotation(library.writer, quotation)
    assert place.wording == "small"
    assert show(place) == (
        "Clara [-Wrcn-]{+Wren+} had [-always-] loved Edmund "
        "(Marsh, though Tobias Wren never knew). Captain Hale took the watch"
    )


def test_a_quotation_in_traditional_characters_is_found_in_a_simplified_text(library, read):
    [place] = find_quotation(library.writer, "柳三娘對沈硯說道：「先生可認得陸青山？」")
    assert place.document_id == read["tale"]
    assert (place.wording, place.chapter) == ("exact", "第一回 茶馆")


def test_a_text_that_is_not_there_is_found_nowhere(library, read):
    text = "It was the best of times, it was the worst of times, it was the age of wisdom"
    assert find_quotation(library.writer, text) == []
    assert find_quotation(library.writer, "夜来风雨声，花落知多少，春眠不觉晓") == []


def test_the_pages_of_a_quotation_are_named(library, tmp_path):
    pages = [
        [*body(), Words("The brig was seen by nobody after the eleventh", y=90)],
        [Words("of March, when her lamps were lit for the last time.", y=760), *body()],
    ]
    path = tmp_path / "brig.pdf"
    path.write_bytes(make_layout(pages))
    add_files(library.writer, [path])
    index(library)
    [place] = find_quotation(library.writer, "seen by nobody after the eleventh of March, when")
    assert (place.page, place.wording) == ("1–2", "exact")
    [place] = find_quotation(library.writer, "her lamps were lit for the last time")
    assert place.page == "2"


def test_places_of_several_documents_are_ranked(library, read, tmp_path):
    other = add(library, tmp_path, "copy.txt", STORY.replace("nine years", "ten years"))
    places = find_quotation(library.writer, "had sailed with Edmund Marsh for ten years")
    assert [place.document_id for place in places] == [other, read["story"]]
    assert [place.wording for place in places] == ["exact", "small"]
    inside = find_quotation(
        library.writer, "sailed with Edmund Marsh for ten years", 10, [read["story"]]
    )
    assert [place.document_id for place in inside] == [read["story"]]


def test_of_two_editions_the_one_in_the_script_of_the_quotation_comes_first(
    library, read, tmp_path
):
    text = "且說沈硯常到聽雨樓喝茶，聽雨樓的掌柜柳三娘與沈硯相熟，一日不見，如隔三秋。"
    first = add(library, tmp_path, "traditional.txt", text)
    second = add(library, tmp_path, "simplified.txt", text.translate(SIMPLIFIED))
    wanted = "聽雨樓的掌柜柳三娘與沈硯相熟，一日不見"
    found = find_quotation(library.writer, wanted)[:2]
    assert [place.document_id for place in found] == [first, second]
    found = find_quotation(library.writer, wanted.translate(SIMPLIFIED))[:2]
    assert [place.document_id for place in found] == [second, first]


def test_documents_in_the_trash_are_not_searched(library, read):
    DocumentService(library.writer).delete_documents([read["story"]])
    assert find_quotation(library.writer, "Edmund Marsh had been a sailor") == []


def test_a_quotation_of_frequent_words_is_found_by_their_order(library, read):
    [place] = find_quotation(library.writer, "I want the watch that was left by")
    assert place.wording == "exact"


def test_signs_of_markup_are_not_shown(library, tmp_path):
    add(library, tmp_path, "notes.md", "# Notes\n\nShe had *never* seen the **brig** Petrel again.")
    [place] = find_quotation(library.writer, "She had never seen the brig Petrel again")
    assert (place.wording, show(place)) == ("exact", "She had never seen the brig Petrel again")


@pytest.mark.parametrize(
    "text", ["", "…", "two words", "话说", "a " * (MOST_WORDS + 1), "-" * (MOST_CHARS + 1)]
)
def test_a_quotation_that_is_too_short_or_too_long_is_refused(library, text):
    with pytest.raises(UserError) as refused:
        find_quotation(library.writer, text)
    assert refused.value.hint


def test_a_long_text_is_taken_for_a_quotation():
    assert is_quotation("It is a truth universally acknowledged")
    assert is_quotation("话说天下大势，分久必合，合久必分")
    assert not is_quotation("Tobias Wren")
    assert not is_quotation("柳三娘和沈砚")


def test_a_long_quotation_is_found_with_all_its_differences(library, tmp_path):
    sentences = [f"The clock of house {n} struck {7 * n} times, and was quiet. " for n in range(99)]
    long = add(library, tmp_path, "long.txt", "".join(sentences))
    quotation = "".join(sentences[10:80]).replace("quiet", "silent", 3)
    place, *_ = find_quotation(library.writer, quotation)
    assert (place.document_id, place.wording) == (long, "small")
    assert place.start == len("".join(sentences[:10]))
    assert [p.quoted for p in place.parts if p.kind == "changed"] == ["silent"] * 3


def test_what_no_text_can_have_is_looked_for_without_failing(library, read):
    find_quotation(library.writer, 'Edmund \udc80 Marsh \x00 had " been OR a sailor * (near) Port')
