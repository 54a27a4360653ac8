"""Titles in capitals get the case that the text of their document gives to their words."""

from __future__ import annotations

import pytest

from desktop_app.engine.text.readers.document_builder import build_document
from desktop_app.engine.text.readers.title_case import restore_case, title_from_file_name

SEA = "He was an old man who fished alone in the sea.\nThe old man was thin. The sea was calm."
PACT = "Since 1999 NATO and the EU have met. A member of NATO is often in the EU, and in Europe."
PAPER = (
    "LIGHTRAG: SIMPLE AND FAST\nWe propose LightRAG, a simple and fast way of retrieval-augmented"
    " generation. LightRAG needs no index."
)


@pytest.mark.parametrize(
    ("title", "text", "restored"),
    [
        ("THE OLD MAN AND THE SEA", SEA, "The Old Man and the Sea"),
        ("THE OLD MAN AND THE SEA", "", "The Old Man and the Sea"),
        ("NATO AND THE EU IN 1999", PACT, "NATO and the EU in 1999"),
        (
            "LIGHTRAG: SIMPLE AND FAST RETRIEVAL-AUGMENTED GENERATION",
            PAPER,
            "LightRAG: Simple and Fast Retrieval-Augmented Generation",
        ),
        ("HENRY IV, PART II", "Henry enters.", "Henry IV, Part II"),
        ("A HISTORY OF THE BBC: THE FIRST YEARS", "", "A History of the BBC: The First Years"),
        ("COVID-19 AND GPT-4 IN THE 21ST CENTURY", "", "COVID-19 and GPT-4 in the 21st Century"),
        ("ALICE’S ADVENTURES BY P. O’BRIEN", "", "Alice’s Adventures by P. O’Brien"),
        ("THE U.S. AND ITS IPHONE", "An iPhone costs. My iPhone rings.", "The U.S. and Its iPhone"),
        ("LIVE AND LET DIE", "", "Live and Let Die"),
        ("FRANKENSTEIN", "Frankenstein wept.", "Frankenstein"),
    ],
)
def test_a_title_in_capitals_is_written_as_a_title(title, text, restored):
    assert restore_case(title, text) == restored


def test_a_title_of_another_language_follows_its_text():
    text = "Die rote Blume stand am Haus. Eine Blume ist rot, und die rote Blume blüht."
    assert restore_case("DIE ROTE BLUME AM HAUS", text, "de") == "Die rote Blume am Haus"
    assert restore_case("LE ROUGE ET LE NOIR", "", "fr") == "Le Rouge et le Noir"


@pytest.mark.parametrize(
    "title",
    ["水浒传", "RAG 技术详解", "README", "Light RAG", "The NATO Pact", "1984", "", "iPHONE GUIDE"],
)
def test_other_titles_are_not_changed(title):
    assert restore_case(title, "A guide to the iPhone, a pact of Nato, a rag.") == title


def test_the_title_of_a_file_gets_its_case_and_the_name_of_a_file_keeps_it():
    story = build_document(f"THE OLD MAN AND THE SEA\n\n{SEA}", format="txt", stem="sea")
    assert story.title == "The Old Man and the Sea"
    named = build_document(SEA, format="txt", stem="THE OLD MAN", title_from_text=False)
    assert named.title == "THE OLD MAN"


@pytest.mark.parametrize(
    ("stem", "title"),
    [
        ("155_the_moonstone", "The Moonstone"),
        ("2852-the-hound-of-the-baskervilles", "The Hound of the Baskervilles"),
        ("the_war_of_the_worlds", "The War of the Worlds"),
        ("2001_a_space_odyssey", "2001 a Space Odyssey"),  # may be a year
        ("100_years_of_solitude", "100 Years of Solitude"),
        ("12_the_garden", "12 the Garden"),  # orders the parts of a work
        ("001_the_garden", "001 the Garden"),
        ("report_v2", "Report v2"),
        ("Weigh-House", "Weigh-House"),
        ("weigh-house", "weigh-house"),
        ("notes", "notes"),
        ("my own notes", "my own notes"),
        ("155 the moonstone", "155 the moonstone"),
        ("Jane_Eyre", "Jane Eyre"),
        ("西游记_上", "西游记 上"),
        ("155", "155"),
    ],
)
def test_the_name_of_a_file_becomes_a_title(stem: str, title: str):
    assert title_from_file_name(stem) == title


def test_a_name_in_lower_case_is_written_as_the_text_writes_its_words():
    text = "MuPDF is a library. With MuPDF, NATO reads files."
    assert title_from_file_name("mupdf_for_nato", text) == "MuPDF for NATO"
    assert title_from_file_name("die_reise_nach_köln", "", "de") == "Die Reise nach Köln"
    read = build_document(f"{SEA}", format="txt", stem="155_the_old_man")
    assert read.title == "The Old Man"


@pytest.mark.parametrize(
    "by", ["by Wilkie Collins", "\nby Wilkie Collins", "\n\nA ROMANCE\n\nBY WILKIE COLLINS"]
)
def test_a_title_page_is_read_with_its_author(by: str):
    page = f"THE MOONSTONE\n{by}\n\nPROLOGUE\n\n{SEA}"
    read = build_document(page, format="txt", stem="155_the_moonstone")
    assert read.title == "The Moonstone" and read.author.casefold() == "wilkie collins"
