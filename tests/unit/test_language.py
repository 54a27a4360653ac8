"""Language detection by script and function words."""

from __future__ import annotations

import pytest

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
def test_each_language_is_known_by_a_sentence_or_two(code: str) -> None:
    assert detect_language(SAMPLES[code] * 3) == code


def test_chinese_with_english_names_is_chinese() -> None:
    assert detect_language("他用 LightRAG 和 GraphRAG 做了一个知识图谱，效果很好。") == "zh"


@pytest.mark.parametrize("text", ["", "123 456", "xq zk vv wrt pqs"])
def test_what_is_no_language_is_undetermined(text: str) -> None:
    assert detect_language(text) == "und"
