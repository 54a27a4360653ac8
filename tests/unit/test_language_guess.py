"""The language of a text that is too short for its function words."""

from __future__ import annotations

import pytest

from desktop_app.engine.extraction.instant import guess_language, may_be_english
from desktop_app.engine.model import ReadDocument
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.services.indexing import chunk_document
from desktop_app.engine.text.chunking import ChunkingSettings
from desktop_app.engine.text.language import detect_language

NOTES = (
    "Tilda Marsh met Owen Frey in Cardiff. Owen Frey married Tilda Marsh.",
    "Storm floods Ostend harbour; ferry from Harwich turned back",
    "Walked along Mill Lane. Sold two sheep. Went home.",
)
OTHERS = {
    "de": "Anna Vogt traf gestern Peter Hahn in Bremen. Beide lachten laut.",
    "fr": "Claire Morel épousa Jean Petit à Lyon. Ils partirent aussitôt.",
    "es": "Lucía Vega encontró ayer a Pablo Ruiz en Toledo.",
    "it": "Marta Neri incontrò Paolo Villa a Torino. Tutti ridevano.",
    "nl": "Anneke Smit ontmoette gisteren Jan Bos in Utrecht.",
    "pl": "Anna Nowak spotkała wczoraj Piotra Zająca w Krakowie.",
    "tr": "Ayşe Demir dün Ankara'da Mehmet Kaya ile görüştü.",
}


@pytest.mark.parametrize("text", NOTES)
def test_a_note_of_english_words_is_english(text: str) -> None:
    assert detect_language(text) == "und"
    assert guess_language(text) == "en"


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_a_note_in_another_language_is_not(text: str) -> None:
    assert guess_language(text) == "und"
    assert not may_be_english(text)


@pytest.mark.parametrize("text", ["Tilda Marsh, Owen Frey, Cardiff", "OWEN FREY 1932"])
def test_a_list_of_names_may_be_in_any_language(text: str) -> None:
    assert guess_language(text) == "und"
    assert may_be_english(text)


@pytest.mark.parametrize("text", ["Анна Иванова, Москва", "", "1932, 1933"])
def test_what_has_no_latin_letters_is_not_english(text: str) -> None:
    assert not may_be_english(text)


def test_chinese_is_known_by_its_characters() -> None:
    assert guess_language("却说宋江") == "zh"


def test_a_document_keeps_the_language_that_was_guessed() -> None:
    read = ReadDocument("Note", NOTES[0], "txt", "und")
    assert chunk_document(read, ChunkingSettings(), CancelToken()).read.language == "en"
    german = ReadDocument("Notiz", OTHERS["de"], "txt", "de")
    assert chunk_document(german, ChunkingSettings(), CancelToken()).read.language == "de"
