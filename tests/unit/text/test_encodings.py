"""Tests decoding of bytes: correct text or a refusal, never mojibake."""

from __future__ import annotations

import random

import pytest

from desktop_app.engine.text.encodings import decode
from desktop_app.engine.text.readers.archives import Unreadable

CHINESE = (
    "那日天色已晚，他们两个人来到城里，只见门前有一座大庄院。\n说道：“我们今天就在这里过夜罢。”\n"
    * 20
)
TRADITIONAL = (
    "那日天色已晚，他們兩個人來到城裡，只見門前有一座大莊院。\n說道：「我們今天就在這裡過夜。」\n"
    * 20
)
JAPANESE = "その日はもう暗くなっていました。二人は町に着いて、大きな家の前に立っていた。\n" * 20
KOREAN = "그날은 이미 어두워졌다. 두 사람은 도시에 도착해서 큰 집 앞에 서 있었다.\n" * 20
RUSSIAN = "В тот день уже стемнело, и они вдвоём пришли в город и увидели большой дом.\n" * 20
GERMAN = "Als sie über die Brücke gingen, hörten sie schöne Grüße aus dem Häuschen.\n" * 20


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (CHINESE, "utf-8"),
        (CHINESE, "utf-8-sig"),
        (CHINESE, "utf-16"),
        (CHINESE, "utf-16-le"),
        (CHINESE, "utf-16-be"),
        (CHINESE, "utf-32-le"),
        (CHINESE, "utf-32"),
        (CHINESE, "gb18030"),
        (CHINESE, "gb2312"),
        (TRADITIONAL, "big5"),
        (TRADITIONAL, "gb18030"),
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc_jp"),
        (JAPANESE, "iso2022_jp"),
        (KOREAN, "cp949"),
        (RUSSIAN, "cp1251"),
        (GERMAN, "cp1252"),
        (GERMAN, "utf-16-le"),
        ("It was “late” – they’d café au lait…\n" * 9, "cp1252"),
        ("plain words, nothing else\n", "ascii"),
    ],
)
def test_text_survives_every_encoding(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)).text == text


def test_a_western_word_or_two_is_not_decoded_as_chinese() -> None:
    assert decode("Schöne Grüße aus Köln".encode("latin-1")).text == "Schöne Grüße aus Köln"


def test_a_long_ascii_head_does_not_hide_later_characters() -> None:
    text = "The head of this file is plain English text.\n" * 3_000 + CHINESE
    assert decode(text.encode("gb18030")).text == text


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "utf-16-le"])
def test_a_file_cut_in_the_middle_of_a_character_loses_only_that(encoding: str) -> None:
    text = CHINESE.rstrip() + "人"
    decoded = decode(text.encode(encoding)[:-1])
    assert decoded.text == text[:-1]
    assert "middle of a character" in decoded.notes[0]


def test_a_few_damaged_bytes_are_dropped_and_reported() -> None:
    content = CHINESE.encode("utf-8")
    broken = content.replace("，".encode(), "，".encode() + b"\xff", 1)
    decoded = decode(broken)
    assert decoded.text == CHINESE
    assert decoded.notes


@pytest.mark.parametrize("seed", range(5))
def test_random_bytes_are_refused(seed: int) -> None:
    with pytest.raises(Unreadable):
        decode(random.Random(seed).randbytes(20_000))


def test_executables_are_refused() -> None:
    with pytest.raises(Unreadable):
        decode(b"\x7fELF\x02\x01\x01\x00" + bytes(range(256)) * 40)


def test_a_megabyte_of_gb18030_is_decoded() -> None:
    text = CHINESE * 300
    assert decode(text.encode("gb18030")).text == text
