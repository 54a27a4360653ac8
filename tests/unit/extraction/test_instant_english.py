"""Tests the instant graph of English text with the real tagger."""

from __future__ import annotations

import re

import pytest

from desktop_app.engine.errors import Cancelled
from desktop_app.engine.extraction.instant import InstantExtractor, find_english_alias_pairs
from desktop_app.engine.extraction.rules.latin_concepts import is_manual, is_paper
from desktop_app.engine.extraction.rules.latin_names import build_names
from desktop_app.engine.extraction.rules.latin_tokens import (
    end_before_open_bracket,
    has_english_base_form,
    read_words,
)
from desktop_app.engine.extraction.spans import LocatedName, TaggedSpan
from desktop_app.engine.model import ChunkEvidence, ChunkSpan
from desktop_app.engine.progress import CancelToken

HEAD = "Licence of Harold Finch, London.\n\n"
STORY = (
    "Edmund Harrow was a clockmaker in Bristol. Mr. Harrow lived with his sister, Miss Clara "
    "Harrow, above the shop. One Monday in March, Harrow's friend Tom Weller, known as Thomas "
    "Weller, came from London.\n\n"
    "“Bah!” said Harrow. “Humbug!” Clara laughed at Harrow. Mrs. Weller visited Clara in Bristol "
    "and spoke of Harrow.\n\n"
    "Weller married Clara in April. The French clock stopped when Edmund Harrow left Bristol.\n"
)
TEXT = HEAD + STORY


def split_sentences(text: str, _: str) -> list[tuple[int, int]]:
    pattern = r"\S(?:[^.!?\n]|\n(?!\n)|(?<=Mr)\.|(?<=Mrs)\.)*[.!?]*[”\"]?"
    return [match.span() for match in re.finditer(pattern, text)]


def cut(text: str, size: int) -> list[ChunkSpan]:
    starts = range(0, len(text), size)
    return [ChunkSpan(i, a, min(len(text), a + size), 0) for i, a in enumerate(starts)]


@pytest.fixture(scope="module")
def extractor() -> InstantExtractor:
    return InstantExtractor(split_sentences)


@pytest.fixture(scope="module")
def evidence(extractor: InstantExtractor) -> ChunkEvidence:
    whole = [ChunkSpan(0, 0, len(TEXT), 0)]
    return next(extractor.extract(TEXT, whole, "en", body=(len(HEAD), len(TEXT))))


def test_offsets_give_the_name_verbatim_inside_its_sentence(evidence: ChunkEvidence) -> None:
    assert evidence.mentions
    for mention in evidence.mentions:
        assert TEXT[mention.start : mention.end] == mention.name
        assert mention.sentence_start <= mention.start < mention.end <= mention.sentence_end
        assert 0 <= mention.weight <= 1


@pytest.mark.parametrize("char", ["&", "\\"])
def test_a_text_without_words_has_no_names(extractor: InstantExtractor, char: str) -> None:
    text = char * 2_000  # the tagger takes it for names of organisations
    assert next(extractor.extract(text, cut(text, 2_000), "en")).mentions == ()


def test_titles_are_kept_and_possessives_cut(evidence: ChunkEvidence) -> None:
    names = {mention.name for mention in evidence.mentions}
    assert {"Edmund Harrow", "Mr. Harrow", "Harrow", "Mrs. Weller", "Bristol"} <= names
    assert not any(name.endswith(("'s", "’s")) for name in names)


def find_names(extractor: InstantExtractor, text: str) -> set[str]:
    found = extractor.extract(text, [ChunkSpan(0, 0, len(text), 0)], "en")
    return {mention.name for one in found for mention in one.mentions}


def test_names_of_a_letter_keep_their_first_word_beside_their_addresses(
    extractor: InstantExtractor,
) -> None:
    letter = (
        "From: Ann Grey <ann@example.org>\nTo: Bob Stone <bob.stone@example.org>, Clara Wren "
        "<clara@example.org>\nDate: 3 May 1999\nSubject: Tides\n\nThe tide came in at noon.\n"
    )
    assert {"Ann Grey", "Bob Stone", "Clara Wren"} <= find_names(extractor, letter)


def test_institutions_have_their_whole_names_and_stay_apart_in_sentences(
    extractor: InstantExtractor,
) -> None:
    page = (
        "Rising Tides in Narrow Bays\n\nAnn Grey 1, Clara Wren 2\n\n1 Bergen University of Fishing "
        "and Navigation\n\n2 Marlow Institute for Tides\n\nAnn Grey studied at the University of "
        "Bergen and Norway sent her to the Marlow Institute for Tides. Clara Wren left the "
        "University of Bergen for London.\n"
    )
    found = find_names(extractor, page)
    assert {"Bergen University of Fishing and Navigation", "Marlow Institute for Tides"} <= found
    assert {"University of Bergen", "Norway"} <= found
    assert not any(" and Norway" in name or "for London" in name for name in found)


@pytest.mark.parametrize("is_scholarly", [True, False])
def test_phrases_that_a_paper_emphasises_once_are_no_names(is_scholarly: bool) -> None:
    filler = "We study how new data change a forecast of the tides in narrow bays of the coast"
    cited = filler + (" (Grey et al., 2019).\n\n" if is_scholarly else ".\n\n")
    cited_name = "Wu et al." if is_scholarly else "Wu"
    text = cited * 30 + (
        "Seamless use of New Data. Marlow College measures them. We cut the text into Di parts. "
        f"The forecast of Hua Xu is newer than that of {cited_name}\n"
    )
    words = read_words(text, 0, len(text), split_sentences(text, "en"))
    tagged = [
        TaggedSpan(text.index(name), text.index(name) + len(name), "organisation")
        for name in ("New Data", "Marlow College", "Di", "Hua Xu", "Wu")
    ]
    types = build_names(words, tagged).types
    assert is_paper(text) == is_scholarly
    assert types["Marlow", "College"] == "organisation"
    assert (("New", "Data") in types) != is_scholarly
    assert (("Di",) in types) != is_scholarly
    assert ("Wu",) in types and ("Hua", "Xu") in types  # surnames are cited, or end a name


def test_headers_in_the_rows_of_a_table_are_no_names(extractor: InstantExtractor) -> None:
    rows = "".join(
        f"Clerk: Ann Grey | Country: Norway | Share: {n}.5% | Seen on: {n} May | Status: Open\n"
        for n in range(1, 20)
    )
    assert find_names(extractor, rows) == {"Ann Grey", "Norway"}


def test_months_exclamations_and_nationalities_are_no_names(evidence: ChunkEvidence) -> None:
    names = {mention.name for mention in evidence.mentions}
    assert not names & {"Monday", "March", "April", "Bah", "Humbug", "French", "One", "The"}


@pytest.mark.parametrize("is_country", [False, True])
def test_a_bird_with_articles_is_no_place(extractor: InstantExtractor, is_country: bool) -> None:
    text = (
        "Do you know whether they have sold the prize Turkey? It was a Turkey! Scrooge paid for "
        "the Turkey, and Bob Cratchit laughed. Here is the Turkey, said Scrooge to Bob Cratchit. "
    )
    text += "Scrooge had never been in Turkey. He went to Turkey." if is_country else ""
    evidence = next(extractor.extract(text, cut(text, len(text)), "en"))
    types = {mention.name: mention.type for mention in evidence.mentions}
    assert (types["Turkey"] == "place") == is_country


def test_words_of_references_are_no_names(extractor: InstantExtractor) -> None:
    text = (
        "Ada Merrow wrote about ferries. In Proceedings of the Harrow Conference, pages 3-9. "
        "In Proceedings of the Leeds Workshop, pages 1-7. Ada Merrow read Proceedings again. "
        "In International Conference on Ferries (ICF), 2024. In International Workshop, page 3."
    )
    evidence = next(extractor.extract(text, cut(text, len(text)), "en"))
    names = {mention.name for mention in evidence.mentions}
    assert "Ada Merrow" in names and not names & {
        "Proceedings",
        "Conference",
        "Workshop",
        "International",
    }


def test_a_name_seen_once_by_the_tagger_is_found_everywhere(evidence: ChunkEvidence) -> None:
    found = sum(mention.name.endswith("Harrow") for mention in evidence.mentions)
    assert found == len(re.findall("Harrow", STORY))


def test_people_and_places_have_their_types(evidence: ChunkEvidence) -> None:
    types = {mention.name: mention.type for mention in evidence.mentions}
    assert types["Bristol"] == "place"
    assert types["Mr. Harrow"] == types["Harrow"] == types["Clara"] == "person"


def test_the_licence_gives_no_mentions(evidence: ChunkEvidence) -> None:
    assert all(mention.start >= len(HEAD) for mention in evidence.mentions)


def test_the_sentence_that_introduces_a_person_has_the_highest_weight(
    evidence: ChunkEvidence,
) -> None:
    weights = [m.weight for m in evidence.mentions if m.name == "Edmund Harrow"]
    assert weights[0] == max(weights) > weights[-1]


def test_a_pair_has_one_relation_with_its_connecting_words(evidence: ChunkEvidence) -> None:
    pairs = [frozenset((r.source, r.target)) for r in evidence.relations]
    assert len(pairs) == len(set(pairs))
    tie = next(r for r in evidence.relations if {r.source, r.target} == {"Weller", "Clara"})
    assert (tie.source, tie.target) == ("Weller", "Clara")
    assert "marry" in tie.keywords or "married" in tie.keywords
    assert "married" in TEXT[tie.start : tie.end]


def test_known_as_gives_an_alias(evidence: ChunkEvidence) -> None:
    assert ("Tom Weller", "Thomas Weller") in evidence.also_called


def test_evidence_does_not_depend_on_skipped_chunks(extractor: InstantExtractor) -> None:
    chunks = cut(TEXT, 150)
    whole = {e.chunk_order: e for e in extractor.extract(TEXT, chunks, "en")}
    rest = list(extractor.extract(TEXT, chunks, "en", skip=frozenset({0, 2})))
    assert [e.chunk_order for e in rest] == [1, *range(3, len(chunks))]
    assert all(whole[e.chunk_order] == e for e in rest)


def test_a_cancelled_token_stops_the_work(extractor: InstantExtractor) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        list(extractor.extract(TEXT, cut(TEXT, 150), "en", cancel=token))


def test_an_empty_document_gives_empty_evidence(extractor: InstantExtractor) -> None:
    found = list(extractor.extract("", [ChunkSpan(0, 0, 0, 0)], "en"))
    assert [(e.mentions, e.relations) for e in found] == [((), ())]


def test_a_long_list_of_names_gives_few_relations(extractor: InstantExtractor) -> None:
    firsts = ["Arthur", "Edmund", "Walter", "Philip", "George", "Henry", "Oliver", "Stephen"]
    lasts = ["Harrow", "Weller", "Finch", "Marsh", "Bexley"]
    text = "They were " + ", ".join(f"{a} {b}" for a in firsts for b in lasts) + "."
    found = next(extractor.extract(text, [ChunkSpan(0, 0, len(text), 0)], "en"))
    assert len(found.mentions) >= 35
    assert len(found.relations) <= 3 * len(found.mentions)


def test_other_languages_find_capitalised_repeated_names(extractor: InstantExtractor) -> None:
    text = (
        "Hier soir, Jean Valjean arriva dans la ville. La nuit, Jean Valjean parla avec Cosette. "
        "Alors la petite Cosette sourit, et Jean Valjean aussi."
    )
    found = next(extractor.extract(text, [ChunkSpan(0, 0, len(text), 0)], "fr"))
    assert {"Jean Valjean", "Cosette"} <= {mention.name for mention in found.mentions}
    assert found.relations


@pytest.mark.parametrize("word", ["Pillows", "Speakers", "Walk-ER", "Reckon", "Beggars", "Truth"])
def test_a_dictionary_word_is_known_in_all_its_forms(word: str) -> None:
    assert has_english_base_form(word)
    assert not has_english_base_form("Cratchit") and not has_english_base_form("Fezziwig")


@pytest.mark.parametrize(
    "between",
    [
        ", known as ", ", better known as ", ", called ", ", alias ", ", née ", " (born ",
        ", whose real name was ", ", who was nicknamed ", " a.k.a. ",
    ],
)  # fmt: skip
def test_english_phrases_that_state_an_alias(between: str) -> None:
    text = f"Ester Mets{between}Tuuli Kask left."
    names = [
        LocatedName(text.index(name), text.index(name) + len(name), name, "person")
        for name in ("Ester Mets", "Tuuli Kask")
    ]
    assert find_english_alias_pairs(text, names) == [("Ester Mets", "Tuuli Kask")]


@pytest.mark.parametrize(
    ("phrase", "name"),
    [
        ("Mean Squared Error (MSE", "Mean Squared Error"),
        ("The Mill (1870)", "The Mill (1870)"),
        ("The Mill", "The Mill"),
        ("(Tobias Wren", "(Tobias Wren"),
    ],
)
def test_a_name_ends_before_a_bracket_that_it_does_not_close(phrase: str, name: str) -> None:
    text = f"The {phrase} was seen."
    end = end_before_open_bracket(text, 4, 4 + len(phrase))
    assert text[4:end] == name


def test_known_authors_are_whole_names_wherever_they_are(extractor: InstantExtractor) -> None:
    text = (
        "Tu Ao2 Luheng He Rahul Goel†\n\nUniversity of Hong Kong\n\nAbstract\n\n"
        "We thank Mr. Rahul Goel and the Acme Group. Tu Aoki is somebody else."
    )
    people = ("Tu Ao", "Luheng He", "Rahul Goel", "Acme Group", "Hong")
    [found] = extractor.extract(text, [ChunkSpan(0, 0, len(text), 0)], "en", people=people)
    names = {text[m.start : m.end]: m.type for m in found.mentions}
    for name in ("Tu Ao", "Luheng He", "Rahul Goel"):
        assert names[name] == "person"
        assert min(m.start for m in found.mentions if m.name == name) == text.index(name)
    assert "Mr. Rahul Goel" in names  # a longer name that only adds a title stays
    assert not any("He Rahul" in name for name in names)
    assert sum(m.name == "Tu Ao" for m in found.mentions) == 1  # not in "Tu Aoki"
    assert names["University of Hong Kong"] == "organisation"


SECTIONS = ("Contexts", "Streams", "Fonts", "Colours")


def write_manual(*, is_manual: bool = True) -> str:
    """Return a text whose chapters all have a section "Overview" and one of Harrow."""
    code = "The functions open_file, close_file, readBlock, writeBlock, new_font, dropFont, "
    code += "load_page and draw_page return NULL. If the result of load_page is NULL, stop.\n\n"
    parts = []
    for number, name in enumerate(SECTIONS, start=1):
        parts.append(
            f"Chapter {number}\n\n{name}\n\n{number}.1 Overview\n\nThis chapter is about what the"
            " library does, and how Harrow wrote it with Harrow in mind.\n\n"
            f"{number}.2 Harrow\n\nThe design is by Harrow, and Harrow keeps it; see “Chapter"
            f" {number}” and “Route 66” of Edmund Harrow for the program.\n\n"
        )
        parts.append(code if is_manual else "Harrow returned NULL, he said, and NULL it was.\n\n")
    return "".join(parts) + "The route of each chapter is long. " * 40


def test_the_title_of_several_sections_is_no_name(extractor: InstantExtractor) -> None:
    names = find_names(extractor, write_manual())
    assert "Overview" not in names
    assert "Harrow" in names  # the title of sections, too, but sentences are about him


def test_a_counted_part_is_no_name(extractor: InstantExtractor) -> None:
    names = find_names(extractor, write_manual())
    assert not any(name.startswith("Chapter") for name in names)
    assert "Route 66" in names  # no Route 65 or 67


def test_a_value_of_program_code_is_no_name_of_a_manual(extractor: InstantExtractor) -> None:
    text = write_manual()
    assert is_manual(text) and "NULL" not in find_names(extractor, text)
    other = write_manual(is_manual=False)
    assert not is_manual(other) and "NULL" in find_names(extractor, other)


def test_a_plural_of_a_full_name_is_no_name(extractor: InstantExtractor) -> None:
    text = (
        "There were two Thomas Penhallows in the town. Mr. Thomas Penhallow was a teacher. Thomas "
        "Penhallow of the quay was a pilot. Mr. Sikes came to Thomas Penhallow. Mr. Sikes spoke.\n"
    )
    names = find_names(extractor, text)
    assert {"Thomas Penhallow", "Mr. Sikes"} <= names
    assert "Thomas Penhallows" not in names


def test_the_head_noun_of_a_longer_name_alone_is_no_name(extractor: InstantExtractor) -> None:
    text = (
        "The Quenby Ferry Company had its offices above the market. Mr. Croome was the Company's "
        "agent. He said that the Company's wall had one gate. In December the Company put up a "
        "tablet. The Quenby Ferry Company found that it was on the Company's wall.\n"
    )
    names = find_names(extractor, text * 4)
    assert "Quenby Ferry Company" in names
    assert "Company" not in names
