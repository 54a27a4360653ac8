"""The description of a name: sentences that define it, unless the user or a model wrote one."""

from __future__ import annotations

import pytest

from desktop_app.engine.errors import UserError
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader
from tests.books import add_book, id_of

CHUNKS = (
    "Hale, the keeper of the light, was seldom at home. ",
    "Clara had loved Marsh in the lane by the harbour. ",
    "“You know them all.\n“Marsh is a robber of the mails of the king. ",
    "Marsh, the pilot and baker, came in from the rain with Clara. ",
)


@pytest.fixture
def reader(library: Library) -> LibraryReader:
    add_book(library, CHUNKS)
    return LibraryReader(library.writer)


def test_a_name_is_described_by_the_sentences_that_define_it_each_with_its_place(library, reader):
    card = reader.get_entity(id_of(library, "Hale"))
    assert card.description == CHUNKS[0].strip() and card.is_quoted
    assert [one.sentence for one in card.description_evidence] == [CHUNKS[0]]


def test_a_name_that_no_sentence_defines_has_no_description(library, reader):
    card = reader.get_entity(id_of(library, "Clara"))
    assert (card.description, card.description_evidence) == ("", ())
    assert card.row.n_mentions == 2
    introductions = reader.list_introductions(card.row.id)
    assert [one.sentence for one in introductions] == [CHUNKS[1], CHUNKS[3]]


def test_a_proposed_description_says_who_a_person_is_or_there_is_none(library, reader):
    assert reader.propose_description(id_of(library, "Clara")) == ""
    sentences = (
        "Tobias was less hopeful and more careful. ",
        "Tobias was the first to speak. ",
        "Petrel saw Tobias, who had the keys. ",
        "‘Tobias is a fiend,’ said Petrel. ",
        "Tobias was a magistrate, and rode to town. ",
    )
    add_book(library, sentences[:4], title="Another book")
    tobias = id_of(library, "Tobias")
    assert reader.propose_description(tobias) == ""
    add_book(library, sentences[4:], title="A third book")
    assert reader.get_entity(tobias).description == ""
    assert reader.propose_description(tobias) == sentences[4].strip()


def test_what_a_person_says_is_no_definition(library, reader):
    card = reader.get_entity(id_of(library, "Marsh"))
    assert [one.sentence.strip() for one in card.description_evidence] == [CHUNKS[3].strip()]


def test_names_of_the_same_documents_are_suggested_for_a_connection(library, reader):
    add_book(library, ("Tobias and Petrel spoke of Tobias. ",), title="Another book")
    hale = id_of(library, "Hale")
    # Hale is connected with nobody: those of its book, the most mentioned first
    assert [row.name for row in reader.suggest_connections(hale)[0]] == ["Marsh", "Clara"]
    clara = id_of(library, "Clara")
    assert [row.name for row in reader.suggest_connections(clara)[0]] == ["Hale"]
    EditingService(library.writer).relate(hale, clara, kind="father")
    names, kinds = reader.suggest_connections(clara)
    assert [row.name for row in names] == ["Tobias", "Petrel"]  # of the other book
    assert kinds == ["father"]


def test_for_a_name_in_no_text_the_most_connected_names_are_suggested(library, reader):
    editing = EditingService(library.writer)
    editing.create("Nobody", "person", "")
    names = [row.name for row in reader.suggest_connections(id_of(library, "Nobody"))[0]]
    assert names and names[0] in ("Clara", "Marsh")


def test_an_entity_that_is_gone_is_reported(reader):
    with pytest.raises(UserError, match="no longer in the graph"):
        reader.get_entity(10_000)
