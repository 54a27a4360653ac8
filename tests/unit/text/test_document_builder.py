"""Tests language detection by script, function words and the words of short texts."""

from __future__ import annotations

import pytest

from desktop_app.engine.extraction.instant import guess_language, may_be_english
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.services.text_analysis.splitting import split_text
from desktop_app.engine.text.chunking import ChunkingSettings
from desktop_app.engine.text.language import detect_language

SAMPLES = {
    "en": "It was the best of times, and she had not seen him for a year, but he was here.",
    "de": "Es war einmal ein König, der hatte eine Tochter, und sie ging in den Wald mit ihm.",
    "fr": "Il était une fois un roi qui avait une fille, et elle est dans la forêt avec nous.",
    "es": "Había una vez un rey que tenía una hija, y ella se fue al bosque con los otros.",
    "it": "C'era una volta un re che aveva una figlia, e non era nel bosco con gli altri.",
    "zh": "话说大宋仁宗天子在位，嘉佑三年三月三日五更三点。",
    "ja": "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。",
    "ko": "그날은 이미 어두워졌다. 두 사람은 도시에 도착했다.",
    "ru": "Все счастливые семьи похожи друг на друга, и это был большой дом.",
    "uk": "Його немає вдома, і вона це знає; ї є і в інших словах.",
    "el": "Μια φορά κι έναν καιρό ήταν ένας βασιλιάς.",
    "ar": "كان يا ما كان في قديم الزمان ملك له بنت.",
    "he": "היה היה פעם מלך ולו בת יפה.",
}


@pytest.mark.parametrize("code", SAMPLES)
def test_each_language_is_detected_from_a_sentence_or_two(code: str) -> None:
    assert detect_language(SAMPLES[code] * 3) == code


def test_chinese_with_english_names_is_chinese() -> None:
    assert detect_language("他用 LightRAG 和 GraphRAG 做了一个知识图谱，效果很好。") == "zh"


@pytest.mark.parametrize("text", ["", "123 456", "xq zk vv wrt pqs"])
def test_text_without_a_language_is_undetermined(text: str) -> None:
    assert detect_language(text) == "und"


# --- texts too short for function words -----------------------------------------------------------

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
def test_a_note_in_another_language_is_not_english(text: str) -> None:
    assert guess_language(text) == "und"
    assert not may_be_english(text)


@pytest.mark.parametrize("text", ["Tilda Marsh, Owen Frey, Cardiff", "OWEN FREY 1932"])
def test_a_list_of_names_may_be_in_any_language(text: str) -> None:
    assert guess_language(text) == "und"
    assert may_be_english(text)


@pytest.mark.parametrize("text", ["Анна Иванова, Москва", "", "1932, 1933"])
def test_text_without_latin_letters_is_not_english(text: str) -> None:
    assert not may_be_english(text)


def test_chinese_is_detected_by_its_characters() -> None:
    assert guess_language("却说宋江") == "zh"


def test_a_document_keeps_the_language_that_was_guessed() -> None:
    for text, language, expected in ((NOTES[0], "und", "en"), (OTHERS["de"], "de", "de")):
        body = (0, len(text))
        split = split_text(text, (), language, body, ChunkingSettings(), CancelToken())
        assert split.language == expected
