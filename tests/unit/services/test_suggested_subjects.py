"""Tests which names of a document can be asked about."""

from __future__ import annotations

from desktop_app.engine.model import Passage
from desktop_app.engine.services.demo import demo_files
from desktop_app.engine.services.library_reader import LibraryReader, find_named
from desktop_app.engine.store import documents
from tests.small_library import add

MANUAL = """# Fitz Manual

## 1 The Context

### 1.1 Overview

The Context keeps the state of the library. Overview of the calls is in the header.

## 2 The Store

### 2.1 Overview

PDF files can contain Javascript fragments. To use them, the library has its own Javascript engine.
Languages such as C++, Python, Java and Javascript are supported. The shell expects to be fed
Javascript commands, and Artifex sells a license. Copyright is assigned to Artifex in Overview.

### 2.2 Javascript

In Javascript, scripts run. In Overview, the names of the calls are given. Artifex was paid.
"""

STORY = """# The Stone

## I. London

“The stone is gone,” said Mr. Franklin. Rachel looked at the Lord Nelson in London, and
Mr. Franklin looked at Rachel. In London, Mr. Franklin met the Lord Nelson and sold the stone. The
Lord Nelson sailed.

## II. The Loss

“Where is the stone?” asked Rachel. Mr. Franklin had been in Frizinghall. “I never saw it in
Frizinghall,” said Rachel to Mr. Franklin, and Rachel left Frizinghall. “No,” the Lord Nelson said.
Mr. Luker was in the bank. Mr. Luker slept. Mr. Franklin met Mr. Luker.
"""


def read(library, folder, file_name: str, text: str) -> tuple[dict[str, str], dict[str, str]]:
    """Return name -> type, of all names of a document and of those that can be asked about."""
    document_id = add(library, folder, file_name, text)
    reader = LibraryReader(library.writer)
    return (
        {row.name: row.type for row in reader.entities_of_document(document_id, 40)},
        {row.name: row.type for row in reader.list_subjects(document_id, 40)},
    )


def test_wrong_types_in_a_manual_are_neither_people_nor_places(library, tmp_path) -> None:
    names, subjects = read(library, tmp_path, "manual.md", MANUAL)
    assert (names["Javascript"], names["Artifex"]) == ("person", "person")  # the guess
    assert names["Overview"] == "place"
    assert subjects and not {"person", "place"} & set(subjects.values())


def test_who_speaks_in_a_story_is_a_person_and_where_something_is_a_place(library, tmp_path):
    names, subjects = read(library, tmp_path, "story.md", STORY)
    assert (names["Lord Nelson"], names["Mr. Luker"], names["London"]) == (
        "person",
        "person",
        "place",
    )
    # "the Lord Nelson" is a ship, Mr. Luker says nothing, "London" is the title of a section
    people = {name for name, type_ in subjects.items() if type_ == "person"}
    places = {name for name, type_ in subjects.items() if type_ == "place"}
    assert (people, places) == ({"Mr. Franklin", "Rachel"}, {"Frizinghall"})


def test_who_has_an_article_in_the_text_is_not_asked_about_after_an_answer(library, tmp_path):
    document_id = add(library, tmp_path, "story.md", STORY)
    db = library.writer
    text = documents.fetch_text(db, document_id) or ""
    named = find_named(db, text, [Passage(1, document_id, "T", 0, len(text), 1.0, text, 0, 0)])
    subjects = {part.name: part.is_subject for part in named if part.type == "person"}
    # to be named beside a verb of speech is not wanted here: Mr. Luker stands in the answer
    assert subjects == {
        "Mr. Franklin": True, "Rachel": True, "Mr. Luker": True, "Lord Nelson": False
    }  # fmt: skip


def test_the_people_of_the_demo_texts_can_be_asked_about(library, tmp_path) -> None:
    shown = {}
    for file in demo_files():
        _, subjects = read(library, tmp_path, file.name, file.read_text("utf-8"))
        shown |= subjects
    assert {
        "Ottilie": "person",
        "Quenby": "place",
        "沈衡": "person",
        "望潮楼": "place",
    }.items() <= (shown.items())
    assert "Kittiwake" not in shown  # a ship, "the Kittiwake"


def test_a_pair_is_named_in_several_passages_and_may_not_be_one_person(library, tmp_path):
    filler = "天下着雨，山上没有人。" * 40
    told = [
        f"宋江道：“{word}！”李逵说：“好。”宋江看着李逵。\n\n{filler}\n\n林冲道：“{word}！”宋江说：“走。”"
        for word in ("来", "去", "坐", "等")
    ]
    pairs = []
    for file_name, last in (("a.txt", "林冲走了。"), ("b.txt", "林冲宋江走了。")):
        text = "\n\n".join(f"第{n}回\n\n{words}" for n, words in zip("一二三四", told, strict=True))
        document_id = add(library, tmp_path, file_name, f"{text}\n\n{last}\n")
        reader = LibraryReader(library.writer)
        subjects = reader.list_subjects(document_id, 40)
        assert {"宋江", "李逵", "林冲"} <= {row.name for row in subjects}
        found = reader.list_pairs(document_id, subjects)
        pairs.append([frozenset((one.name, other.name)) for one, other in found])
    both = frozenset(("宋江", "李逵"))
    assert set(pairs[0]) == {both, frozenset(("宋江", "林冲"))}
    assert pairs[1] == [both]  # "林冲宋江" may be one name
