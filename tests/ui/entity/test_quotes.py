"""Quoted sentences: marked names, shortening, chapter headings."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.engine.model import MentionRow, RelationRow
from desktop_app.engine.text.shown_text import show_text
from desktop_app.ui.entity.quotes import (
    GROUP,
    group_mentions,
    quote_mention,
    quote_relation,
)
from desktop_app.ui.widgets.emphasis import LONGEST, cut_around, find_name_spans
from desktop_app.ui.widgets.words import describe_mention_source, fold_case


def mention(sentence: str, name: str, **more) -> MentionRow:
    start = 100 + sentence.index(name)
    values = {"heading": "Chapter 1", "page_label": "12", **more}
    return MentionRow(1, "The Ferry", 5, name, start, start + len(name), sentence, 100, **values)


def test_only_the_quoted_mention_is_marked() -> None:
    sentence = "Ada saw Ada."
    row = MentionRow(1, "The Ferry", 5, "Ada", 108, 111, sentence, 100)
    quote = quote_mention(row)
    assert quote.marks == ((8, 11),) and quote.place == (1, 108, 111)


def test_line_breaks_are_removed_and_the_mark_is_adjusted() -> None:
    quote = quote_mention(mention("At  dawn\n  Ada  Merrow rowed.", "Ada  Merrow"))
    (start, end) = quote.marks[0]
    assert quote.text == "At dawn Ada Merrow rowed." and quote.text[start:end] == "Ada Merrow"


@given(st.text("ab 林\n", max_size=900), st.text("XY", min_size=1, max_size=9), st.text("ab 。"))
def test_a_cut_sentence_keeps_its_name(before: str, name: str, after: str) -> None:
    whole = show_text(before + name + after)
    piece, ((start, end),) = cut_around(whole, [(len(before), len(before) + len(name))])
    assert piece.text[start:end] == name
    assert len(piece.text) <= LONGEST + 50


def test_a_sentence_is_cut_between_words() -> None:
    text = "Alpha beta " * 60 + "Mina " + "gamma delta " * 60
    start = text.index("Mina")
    piece, marks = cut_around(show_text(text), [(start, start + 4)])
    assert piece.text[slice(*marks[0])] == "Mina" and len(piece.text) <= LONGEST + 4
    assert set(piece.text.split()) == {"…", "Alpha", "beta", "Mina", "gamma", "delta"}


def test_a_sentence_is_shown_without_markup_and_its_mark_is_adjusted() -> None:
    quote = quote_mention(mention("_Later._--I was awaked by _Mina_, who sat up.", "Mina"))
    (start, end) = quote.marks[0]
    assert quote.text == "Later.—I was awaked by Mina, who sat up."
    assert quote.text[start:end] == "Mina"
    assert [quote.text[a:b] for a, b in quote.italics] == ["Later.", "Mina"]


def test_keywords_are_shown_only_where_a_model_wrote_them() -> None:
    row = RelationRow(7, 1, 2, "Ada", "Tobias", 3.0, 1, keywords=("drained", "gate"))
    assert quote_relation(row, 1, ["Ada"]).detail == ""
    assert "gate" in quote_relation(replace(row, n_enriched=1), 1, ["Ada"]).detail


def test_both_names_of_a_connection_are_found_even_by_their_longest_word() -> None:
    text = "Scrooge feared Marley."
    spans = find_name_spans(text, ["Ebenezer Scrooge", "Marley"])
    assert [text[s:e] for s, e in spans] == ["Scrooge", "Marley"]
    assert find_name_spans("沈老三的船", ["沈老三", "老三"]) == ((0, 3),)


def test_a_connection_is_described_from_either_end() -> None:
    row = RelationRow(
        7, 1, 2, "Ada", "Tobias", 3.0, 4, keywords=("ferry",), sentence="Ada rowed Tobias over.",
        document_id=1, sentence_start=10, sentence_end=32,
    )  # fmt: skip
    here, there = quote_relation(row, 1, ["Ada"]), quote_relation(row, 2, ["Tobias"])
    assert (here.title, here.entity_id, there.title, there.entity_id) == ("Tobias", 2, "Ada", 1)
    assert here.place == (1, 10, 32) and here.count == "4 passages"
    assert [here.text[s:e] for s, e in here.marks] == ["Ada", "Tobias"]


def test_a_chapter_heading_is_not_repeated_on_the_next_page_of_rows() -> None:
    rows = [mention("Ada rows.", "Ada"), mention("Ada sings.", "Ada")]
    first = group_mentions(rows, None)
    assert [q.kind for q in first] == [GROUP, "quote", "quote"]
    assert [q.kind for q in group_mentions(rows, (1, "Chapter 1"))] == ["quote", "quote"]
    later = group_mentions([mention("Ada naps.", "Ada", heading="Chapter 2")], (1, "Chapter 1"))
    assert later[0].detail == "Chapter 2"


def test_a_connection_explains_its_source_in_both_languages(chinese) -> None:
    plain = RelationRow(1, 5, 6, "Ada", "Lin", 1.0, 1, sentence="Ada met Lin.")
    assert quote_relation(plain, 5, ["Ada"]).mark_tip == ""
    assert quote_relation(plain, 5, ["Ada"], mark_instant=True).mark_tip
    known = quote_relation(replace(plain, kind="friend", confidence=0.9), 5, ["Ada"])
    assert known.relation_kind == "friend" and not known.mark and "模型判断" in known.mark_tip


def test_a_connection_has_the_type_of_its_other_end() -> None:
    row = RelationRow(7, 1, 2, "Ada", "Tobias", 3.0, 1, source_type="person", target_type="place")
    assert quote_relation(row, 1, ["Ada"]).title_type == "place"
    assert quote_relation(row, 2, ["Tobias"]).title_type == "person"


def test_the_source_of_a_quotation_is_its_chapter_and_page() -> None:
    row = mention("Ada rowed.", "Ada", heading="Part I › Chapter 2")
    assert describe_mention_source(row, several=False) == "Chapter 2 · p. 12"
    assert describe_mention_source(row, several=True) == "The Ferry · Chapter 2 · p. 12"
    quote = quote_mention(row, foot="Chapter 2 · p. 12")
    assert quote.foot and not quote.aside  # the page is not named twice


def test_names_that_differ_only_in_case_are_listed_once() -> None:
    names = ("Mr. Scrooge", "EBENEZER", "Ebenezer", "SCROOGE", "mr. scrooge")
    assert fold_case(names, "Scrooge") == ("Mr. Scrooge", "Ebenezer")


def test_a_heading_in_capitals_is_shown_as_a_title() -> None:
    row = mention("Ada rowed.", "Ada", heading="BOOK ONE › THE GHOST OF THE FERRY", page_label="")
    assert describe_mention_source(row, several=False) == "The Ghost of the Ferry"
    [group, _] = group_mentions([row], None)
    assert (group.kind, group.detail) == (GROUP, "Book One › The Ghost of the Ferry")
