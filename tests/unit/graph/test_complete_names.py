"""Which name of a person a merge keeps."""

from __future__ import annotations

import pytest

from desktop_app.engine.graph.duplicates.complete_names import (
    KnownName,
    choose_complete_name,
    is_complete_name,
)


@pytest.mark.parametrize(
    ("names", "kept"),
    [
        (("Ottilie", "Ottilie Brand"), "Ottilie Brand"),
        (("Mrs. Roke", "Agnes Roke"), "Agnes Roke"),
        (("Old Scale", "Amos Tarrant"), "Amos Tarrant"),
        (("Mr. Franklin", "Mr. Franklin Blake", "Franklin Blake"), "Franklin Blake"),
        (("Scrooge", "EBENEZER SCROOGE"), "Scrooge"),
        (("Sergeant Cuff", "Sergeant’s Cuff"), "Sergeant Cuff"),
        (("Linton", "Mrs. Linton Heathcliff"), "Linton"),
        (("Miss Catherine", "Lady Catherine de Bourgh"), "Lady Catherine de Bourgh"),
        (("Walton", "R. Walton", "Robert Walton"), "Robert Walton"),
        (("Sherlock Holmes", "Sherlock Scott Holmes"), "Sherlock Holmes"),
        (("Mr. Fenn", "Fenn"), "Mr. Fenn"),
        (("智深", "花和尚", "鲁智深"), "鲁智深"),
        (("沙僧", "沙悟净"), "沙悟净"),
        (("李天王", "李靖"), "李靖"),
        (("鲁肃", "闻鲁肃"), "鲁肃"),
        (("赖大", "赖嬷嬷"), "赖大"),
        (("玉帝", "玉皇"), "玉帝"),
    ],
)
def test_the_most_complete_name_is_kept(names, kept):
    assert choose_complete_name([KnownName(name, 40) for name in names]) == kept


def test_a_chinese_name_that_hardly_stands_in_the_text_replaces_no_other():
    assert choose_complete_name([KnownName("李天王", 57), KnownName("李靖", 2)]) == "李天王"


def test_a_complete_name_is_a_first_name_with_a_surname():
    assert is_complete_name("Ottilie Vance") and is_complete_name("Captain Edmund Sayle")
    assert not is_complete_name("Captain Sayle") and not is_complete_name("the old sailor")
    assert not is_complete_name("Mrs. John Knightley") and not is_complete_name("J. Knightley")
