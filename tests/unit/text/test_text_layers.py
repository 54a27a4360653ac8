"""Texts that can't be what a page says are recognised, and those of any language stay."""

from __future__ import annotations

import pytest

from desktop_app.engine.text.text_layers import is_unreadable

SENTENCES = {
    "en": "The ferry leaves at dawn and nobody waits for it on the pier but the old woman, who has"
    " carried her basket of bread to the strength of the harbour wall for thirty-eight years.",
    "pl": "Szczęście przychodzi do tych, którzy czekają wystarczająco długo; chrząszcz brzmi w"
    " trzcinie w Szczebrzeszynie, a wszystkie źdźbła drżą na wietrze przy wschodzie słońca.",
    "cs": "Strč prst skrz krk, řekl starý převozník a zmlkl, protože čtvrtek byl smutný den a řeka"
    " byla plná vody; vlk zmrzl a srnec zvlhl, jak vypráví stará česká pohádka z vesnice.",
    "vi": "Con đò rời bến lúc bình minh và không ai đợi nó trên bến tàu ngoài bà cụ, người đã mang"
    " giỏ bánh mì đến bức tường bến cảng trong ba mươi tám năm qua mà không hề than vãn.",
    "de": "Der Schiffsjunge schrieb am Silvesterabend eine Geschichte, die niemand verstand; die"
    " Angstschweißperlen auf seiner Stirn verrieten ihn, und der Kapitän schwieg bedächtig.",
    "ru": "Паром уходит на рассвете, и никто не ждёт его на пристани, кроме старой женщины.",
    "zh": "那日，柳三娘对沈砚说道：先生可认得陆青山？沈砚笑道：陆青山是我的同窗。",
    "ar": "تغادر العبارة عند الفجر ولا ينتظرها أحد على الرصيف إلا المرأة العجوز",
}


@pytest.mark.parametrize("language", SENTENCES)
def test_texts_of_every_language_are_readable(language: str):
    assert not is_unreadable(SENTENCES[language] * 3)


def test_numbers_formulas_and_short_texts_are_readable():
    assert not is_unreadable("12 34.5 67% 1,200 (88) 1998 2001 " * 20)
    assert not is_unreadable("xkcd qwrtz f(x) = dx/dt")
    assert not is_unreadable("")


@pytest.mark.parametrize("shift", [3, 13, 29])
def test_letters_that_stand_for_others_are_unreadable(shift: int):
    """A font whose table is missing shows glyph numbers: every letter is another one."""
    text = (SENTENCES["en"] + " ") * 2
    wrong = "".join(c if c == " " else chr((ord(c) + shift - 33) % 94 + 33) for c in text)
    if shift == 13:  # also letters only
        wrong = text.translate(
            str.maketrans("abcdefghijklmnopqrstuvwxyz", "bcdfghjklmnpqrstvwxzbcdfgh")
        )
    assert is_unreadable(wrong)


@pytest.mark.parametrize("bad", ["\ufffd", "\ue012", "\x07"])
def test_characters_without_a_meaning_are_unreadable(bad: str):
    assert is_unreadable("word " + bad * 3)
    assert not is_unreadable("a few good words and one " + bad)
