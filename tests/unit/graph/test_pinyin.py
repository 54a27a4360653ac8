"""Pinyin of names: surnames have their own reading, and no dictionary of phrases is loaded."""

from __future__ import annotations

import subprocess
import sys

import pytest

from desktop_app.engine.graph.pinyin import read_name, read_syllables
from desktop_app.engine.graph.transliteration import list_romanizations, romanize_name


@pytest.mark.parametrize(
    ("name", "romanized"),
    [
        ("鲁智深", "Lu Zhishen"),
        ("曾国藩", "Zeng Guofan"),
        ("解珍", "Xie Zhen"),
        ("尉迟恭", "Yuchi Gong"),
        ("澹台灭明", "Tantai Mieming"),
    ],
)
def test_a_surname_is_read_as_surnames_are(name: str, romanized: str) -> None:
    assert romanize_name(name) == romanized


def test_a_question_may_spell_a_surname_in_its_usual_reading_too() -> None:
    assert {"shan yuying", "dan yuying"} <= set(list_romanizations("单玉英"))


def test_other_characters_are_left_out() -> None:
    assert read_syllables("柳三娘, abc") == read_name("柳三娘, abc") == ["liu", "san", "niang"]


def test_the_dictionary_of_phrases_is_not_loaded() -> None:
    code = (
        "from desktop_app.engine.graph.pinyin import read_syllables\n"
        "read_syllables('柳')\n"
        "from pypinyin.constants import PHRASES_DICT\n"
        "print(len(PHRASES_DICT))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "0"
