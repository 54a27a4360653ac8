"""Tests the types of names in Latin script: what the words beside a name and its form say."""

from __future__ import annotations

import re

import pytest

from desktop_app.engine.extraction.rules.latin_concepts import is_manual, is_paper
from desktop_app.engine.extraction.rules.latin_names import accept_names
from desktop_app.engine.extraction.rules.latin_tokens import read_words
from desktop_app.engine.extraction.rules.latin_types import (
    MODEL_TYPES,
    Candidate,
    classify,
    count_context,
    count_related,
    decide_types,
    list_features,
)
from desktop_app.engine.extraction.spans import TaggedSpan
from desktop_app.engine.word_lists import load_table


def count(text: str, *names: str, votes: dict[str, int] | None = None) -> dict:
    """Return the names of a text with their counts, as if the tagger had voted like this."""
    words = read_words(text, 0, len(text), [(0, len(text))])
    found = {}
    for name in names:
        key = tuple(name.split())
        candidate = found[key] = Candidate(key)
        for first in range(len(words)):
            if tuple(words.forms[first : first + len(key)]) == key:
                candidate.n_inside += 1
                count_context(words, first, first + len(key), candidate)
        for kind, n in (votes or {}).items():
            candidate.votes[kind] += n
        assert candidate.n
    return found


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        # the tagger's "organisation" is mostly wrong for a name of one word
        ("Then Quillon said no, and Quillon was silent.", "Quillon", "person"),
        ("They live in Quillon, where she came from Quillon.", "Quillon", "place"),
        ("He read the papers of the Quillon Press there.", "Quillon Press", "organisation"),
    ],
)
def test_context_and_form_outweigh_a_vote_for_an_organisation(
    text: str, name: str, expected: str
) -> None:
    names = count(text, name, votes={"organisation": 1})
    assert decide_types(names, has_tagger=True) == {tuple(name.split()): expected}


def test_a_surname_follows_the_longer_names_of_people() -> None:
    text = "Mr. Orvane met Lydia Orvane, and Orvane, the Orvane of old, left."
    names = count(text, "Mr Orvane", "Lydia Orvane")
    names |= count(text, "Orvane", votes={"organisation": 1})
    assert decide_types(names, has_tagger=True)[("Orvane",)] == "person"
    people, _ = count_related(names.values())
    assert people["Orvane"] > 0


def test_a_title_makes_a_person_whatever_the_tagger_says() -> None:
    names = count("The Miss Quillon show ran.", "Miss Quillon", votes={"organisation": 1})
    names |= count("She lives in Queen Street.", "Queen Street", votes={"place": 1})
    types = decide_types(names, has_tagger=True)
    assert types == {("Miss", "Quillon"): "person", ("Queen", "Street"): "place"}


def test_events_and_objects_are_those_of_the_tagger_and_the_rules() -> None:
    names = count("After the Quillon War came peace.", "Quillon War", votes={"event": 1})
    names |= count("He sang Yesterdays twice.", "Yesterdays", votes={"object": 2})
    types = decide_types(names, has_tagger=True)
    assert types == {("Quillon", "War"): "event", ("Yesterdays",): "object"}


def test_a_type_does_not_depend_on_how_often_a_name_stands_in_the_same_places() -> None:
    once = count("She came from Quillon.", "Quillon", votes={"place": 1})
    often = count("She came from Quillon. " * 40, "Quillon", votes={"place": 40})
    types = [decide_types(names, has_tagger=True)[("Quillon",)] for names in (once, often)]
    assert types == ["place", "place"]


def test_without_a_tagger_rules_decide() -> None:
    names = count("He came to Quillon Street.", "Quillon Street")
    assert decide_types(names, has_tagger=False) == {("Quillon", "Street"): "place"}


def test_an_animal_that_speaks_is_a_person_whatever_the_tagger_says() -> None:
    spoken = "Then said the White Rabbit no. " * 4
    names = count(spoken, "White Rabbit", votes={"place": 4})
    names |= count("She was born in Turkey.", "Turkey", votes={"place": 1})
    types = decide_types(names, has_tagger=True)
    assert types == {
        ("White", "Rabbit"): "person",
        ("Turkey",): "place",
    }


def test_a_name_that_people_go_to_is_a_place_whatever_the_tagger_says() -> None:
    visits = (
        "He stayed at Longbourn. She came from Longbourn. Longbourn was cold. She left Longbourn."
    )
    spoken = "He stayed near Gull. He lived at Gull. She came from Gull. Gull said no."
    names = count(visits, "Longbourn", votes={"person": 4})
    names |= count(spoken, "Gull", votes={"person": 4})
    types = decide_types(names, has_tagger=True)
    assert types == {("Longbourn",): "place", ("Gull",): "person"}


def test_a_name_that_stands_only_twice_is_a_place_if_people_are_there_both_times() -> None:
    text = (
        "There was Mr. Penhallow the schoolmaster, up at Hallow Top, who came from the hills. "
        "The other Penhallow walked down from Hallow Top in the rain to see it unveiled."
    )
    assert decide_types(count(text, "Hallow Top", votes={"person": 2}), has_tagger=True) == {
        ("Hallow", "Top"): "place"
    }


@pytest.mark.parametrize(
    ("name", "sentences", "is_thing"),
    [
        ("Diamond", {"So the Diamond was gone.": 24, "A Diamond shone.": 1}, True),
        ("Diamonds", {"So the Diamonds were gone.": 24}, False),  # may be a family
        ("Diamond", {"So the Diamond was gone.": 8}, False),  # too few to say
        ("Diamond", {"So the Diamond was gone.": 20, "Diamond came.": 20}, False),
        ("Butler", {"So the Butler was gone.": 22, "“No,” said the Butler.": 2}, False),
    ],
)
def test_a_word_that_stands_after_the_article_and_never_speaks_is_a_thing(
    name, sentences, is_thing
) -> None:
    text = " ".join(" ".join([sentence] * n) for sentence, n in sentences.items())
    names = count(text, name, votes={"person": 24})
    assert (decide_types(names, has_tagger=True)[name,] == "object") == is_thing


def test_every_weight_belongs_to_a_feature_and_every_type_has_one() -> None:
    weights = load_table("name_types")["weights"]
    assert {len(row) for row in weights.values()} == {len(MODEL_TYPES)}
    text = "Mr. Quillon said the Quillon of Quillon Press (IRS) was in Quillon."
    names = count(text, "Quillon", "Quillon Press", "IRS", votes={"person": 1, "object": 1})
    people, places = count_related(names.values())
    for candidate in names.values():
        features = list_features(candidate, people, places)
        assert features.keys() & weights.keys()
        assert all(0 <= value <= 1 for value in features.values()), features
    open_ended = ("ends ", "before ", "after ", "after, ")
    closed = {name for name in weights if not name.startswith(open_ended)}
    known = {
        *("bias", "title", "given name", "place word", "organisation word", "event word"),
        *("connector", "initial", "capitals", "dictionary", "often speaks", "never inside"),
        *("untagged", "frequency", "speaks", "at", "the", "in people", "in places"),
        *(f"{kind} {name}" for kind in ("votes", "tagged")
          for name in ("person", "place", "organisation", "event", "object")),
        *(f"words {n}" for n in (1, 2, 3, 4)),
        *(f"given name, words {n}" for n in (1, 2, 3)),
        *(f"dictionary, words {n}" for n in (1, 2)),
        *(f"dictionary, {name}" for name in ("at", "the", "speaks", "not at")),
        *(f"other word, {name}" for name in ("at", "the")),
    }  # fmt: skip
    assert closed <= known


def test_a_name_of_which_nothing_is_known_gets_the_type_of_the_bias() -> None:
    weights = load_table("name_types")["weights"]["bias"]
    assert classify({}) == MODEL_TYPES[weights.index(max(weights))]


PAPER = (
    "We use TraceMonkey and LLMs as in Gao et al. (2023). The LIR instruction is read by a VM."
    " Table 1 lists SunSpider [12]. Natural language generation and Natural Language Generation"
    " differ (Lane, 2004). Mary Lane came from Dublin. See Figure 2 and Section 3. "
) * 8


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("TraceMonkey", "concept"),  # a capital inside
        ("LLMs", "concept"),  # several of an acronym
        ("LIR", "concept"),  # capitals, before a word for methods
        ("Natural Language Generation", "concept"),  # also in lower case
        ("Gao", "person"),
        ("Lane", "person"),
        ("Mary Lane", "person"),
    ],
)
def test_names_of_a_paper_are_methods_or_cited_authors(name, expected):
    assert is_paper(PAPER)
    found = count(PAPER, name, votes={"organisation": 2, "person": 1})
    words = read_words(PAPER, 0, len(PAPER), [(0, len(PAPER))])
    assert decide_types(found, has_tagger=True, paper=words)[tuple(name.split())] == expected


MANUAL = (
    "MuPDF reads PDF and XPS files. An fz_context is passed to fz_open_document, and NULL is"
    " returned by FreeType. Display Lists are kept: a list of display calls. McCarthy wrote"
    " JavaScript for fz_device, OpenType and fz_matrix, and PdfReader calls fz_output. "
) * 8


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("MuPDF", "concept"),
        ("XPS", "concept"),
        ("JavaScript", "concept"),
        ("Display Lists", "concept"),  # ordinary words of the text, as a heading
        ("McCarthy", "person"),
    ],
)
def test_names_of_a_manual_are_programs_and_formats(name, expected):
    assert is_manual(MANUAL) and not is_paper(MANUAL)
    text = MANUAL + "It has two display lists. "
    found = count(text, name, votes={"organisation": 1, "person": 2})
    words = read_words(text, 0, len(text), [(0, len(text))])
    assert decide_types(found, has_tagger=True, paper=words)[tuple(name.split())] == expected


def test_a_story_is_no_manual():
    story = "“Come in,” said McCarthy to O'Brien and LaSalle. The eBook is free. IT IS LATE. " * 90
    assert not is_manual(story)
    assert not is_manual(MANUAL[:1500])  # too short to tell


def test_a_story_is_no_paper():
    story = "“Come in,” said Scrooge (1843). McCarthy and the FBI were at section 3 of it. " * 90
    assert not is_paper(story)
    assert not is_paper(PAPER[:500])  # too short to tell


@pytest.mark.parametrize(
    ("label", "is_name"),
    [("Plate {}", False), ("plate Plate. {}", False), ("in Quillon {}", True), ("in Plate", True)],
)
def test_a_word_that_numbers_parts_is_no_name(label: str, is_name: bool) -> None:
    text = " ".join(f"As we saw {label.format(n)} there, it was cold." for n in range(1, 6))
    words = read_words(text, 0, len(text), [(0, len(text))])
    name = "Quillon" if "Quillon" in label else "Plate"
    found = [m.start() for m in re.finditer(name, text)]
    tagged = [TaggedSpan(start, start + len(name), "place") for start in found]
    accepted, _ = accept_names(words, tagged, has_tagger=True)
    assert ((name,) in accepted) == is_name


def test_cited_authors_that_are_joined_by_an_ampersand_are_two_names():
    text = (
        "It works (Salemi & Zamani, 2024). We follow Sudhi et al. (2024); Arnold & Becker (2020)."
        " The firm Marlow & Trent paid for it."
    )
    words = read_words(text, 0, len(text), [(0, len(text))])
    tagged = [
        TaggedSpan(text.index(name), text.index(name) + len(name), "organisation")
        for name in ("Salemi & Zamani", "Arnold & Becker", "Marlow & Trent")
    ]
    found, _ = accept_names(words, tagged, has_tagger=True, splits_authors=True)
    for name in ("Salemi", "Zamani", "Arnold", "Becker"):
        assert found[name,].votes == {"person": 1}
    assert ("Marlow", "Trent") in found and ("Salemi", "Zamani") not in found
    whole, _ = accept_names(words, tagged, has_tagger=True)  # no paper
    assert ("Salemi", "Zamani") in whole
