"""Tests file names made from titles: valid on Linux, macOS and Windows."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.engine.file_names import MAX_NAME_BYTES, fold_file_name, make_file_name


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("CON", "_CON"),
        ("nul.txt", "_nul.txt"),
        ("Lpt1", "_Lpt1"),
        ("COM¹", "_COM¹"),
        ("con artist", "_con artist"),  # "con " is the device as well
        ("Conrad", "Conrad"),
        ("..", "none"),
        ("../../etc/passwd", "etc passwd"),
        ("C:\\Windows\\x", "C Windows x"),
        ("//host/share", "host share"),
        ("trailing. . .", "trailing"),
        (".hidden", "hidden"),
        ("a\x00b\nc\x7f", "a b c"),
        ("exe\u202egnp.pdf", "exe gnp.pdf"),
        ("half \ud800 pair", "half pair"),
        ("“王” & 李?", "“王” & 李"),
        ("", "none"),
    ],
)
def test_a_title_becomes_a_name_for_every_system(title: str, name: str):
    assert make_file_name(title, "none") == name


@given(st.text(st.characters(), max_size=400))
def test_every_name_is_short_and_in_its_folder(title: str):
    name = make_file_name(title, "none")
    assert 0 < len(name.encode()) <= MAX_NAME_BYTES + 1
    assert name == name.strip(". ") and name.isprintable()
    assert Path("folder", name).name == name and os.path.normpath(name) == name


def test_names_that_are_one_file_on_some_system_are_equal():
    assert fold_file_name("Bär") == fold_file_name("ba\u0308r".upper())
