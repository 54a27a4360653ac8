"""Tests entity resolution: which names become one entity."""

from __future__ import annotations

import pytest

from desktop_app.engine.graph.names import normalise_name
from desktop_app.engine.graph.resolution import (
    NameGroup,
    NameGroups,
    NameResolver,
    are_man_and_boy,
    parse_latin_name,
)
from desktop_app.engine.model import NameCount

HERE = {1: 1}


def count(*rows: tuple[str, int], kind: str = "person", language: str = "en") -> list[NameCount]:
    return [
        NameCount(number, name, n, {kind: n}, language, HERE)
        for number, (name, n) in enumerate(rows, start=1)
    ]


def resolve_names(names, *, also_called, merged=(), never=()) -> list[NameGroup]:
    """Return the groups of all names, ordered by smallest id."""
    by_id = {name.name_id: name for name in names}
    groups = NameGroups(by_id, NameResolver(by_id, also_called).resolve(merged, never))
    return [groups[entity_id] for entity_id in groups.entity_ids()]


def texts(names: list[NameCount], groups: list[NameGroup]) -> set[frozenset[str]]:
    by_id = {name.name_id: name.name for name in names}
    return {frozenset(by_id[i] for i in group.name_ids) for group in groups}


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Mr. Scrooge", "SCROOGE"),
        ("Scrooge’s", "Scrooge"),
        ("The  Ghost", "ghost"),
        ("Ｓｃｒｏｏｇｅ", "Scrooge"),
        ("让·雅克", "让•雅克"),
        ("《史记》", "史记"),
    ],
)
def test_names_written_differently_have_one_key(left: str, right: str) -> None:
    assert normalise_name(left) == normalise_name(right)


def test_titles_that_distinguish_people_stay_in_the_key() -> None:
    assert normalise_name("Mrs. Cratchit") != normalise_name("Cratchit")
    assert normalise_name("Miss Bennet") != normalise_name("Mr. Bennet")
    assert normalise_name("Mr.") == "mr"


def test_every_form_of_scrooge_is_one_person_under_the_usual_name() -> None:
    names = count(("Scrooge", 300), ("Mr. Scrooge", 30), ("Ebenezer Scrooge", 5), ("Bob", 9))
    groups = resolve_names(names, also_called={})
    assert texts(names, groups) == {
        frozenset({"Scrooge", "Mr. Scrooge", "Ebenezer Scrooge"}),
        frozenset({"Bob"}),
    }
    assert groups[0].main_name_id == 1


def test_mrs_cratchit_is_not_bob_cratchit() -> None:
    names = count(("Bob Cratchit", 20), ("Mrs. Cratchit", 19), ("Mr. Cratchit", 2))
    assert texts(names, resolve_names(names, also_called={})) == {
        frozenset({"Bob Cratchit", "Mr. Cratchit"}),
        frozenset({"Mrs. Cratchit"}),
    }


def test_miss_bennet_stays_apart_when_two_sisters_fit() -> None:
    names = count(("Elizabeth Bennet", 10), ("Jane Bennet", 8), ("Miss Bennet", 30), ("Jane", 15))
    found = texts(names, resolve_names(names, also_called={}))
    assert frozenset({"Miss Bennet"}) in found
    assert frozenset({"Jane Bennet", "Jane"}) in found


@pytest.mark.parametrize(
    ("names", "apart"),
    [
        # the mother, and the wife of Linton Heathcliff
        ([("Edgar Linton", 9), ("Mrs. Linton", 60), ("Mrs. Linton Heathcliff", 4)], "Mrs. Linton"),
        # the father, and the boy
        ([("Edgar Linton", 9), ("Mr. Linton", 60), ("Master Linton", 14)], "Master Linton"),
    ],
)
def test_a_surname_with_a_title_is_not_a_younger_ones(names, apart: str) -> None:
    found = texts(counted := count(*names), resolve_names(counted, also_called={}))
    assert frozenset({apart}) in found


@pytest.mark.parametrize(
    ("name", "other", "are_two"),
    [
        ("Mr. Linton", "Master Linton", True),
        ("Master Linton", "Mr. Linton", True),
        ("Mr. Linton", "Mr. Linton", False),
        ("Mr. Linton", "Linton", False),
        ("Mr. Linton", "Master Heathcliff", False),
        ("Mr. Edgar Linton", "Master Edgar Linton", False),
    ],
)
def test_mr_and_master_before_one_word_are_a_man_and_a_boy(name, other, are_two: bool) -> None:
    (title, words, _), (other_title, other_words, _) = map(parse_latin_name, (name, other))
    assert are_man_and_boy(title, words, other_title, other_words) is are_two


def test_a_ladys_first_name_is_hers_with_the_surname() -> None:
    names = count(("Lady Catherine", 60), ("Lady Catherine de Bourgh", 9))
    assert len(resolve_names(names, also_called={})) == 1


def test_a_surname_alone_is_the_mans_where_the_others_are_women() -> None:
    names = count(
        ("Mr. Darcy", 270), ("Darcy", 101), ("Miss Darcy", 39), ("Georgiana Darcy", 3),
        ("Mr. Brooke", 263), ("Brooke", 59), ("Miss Brooke", 66), ("Dorothea Brooke", 2),
    )  # fmt: skip
    assert texts(names, resolve_names(names, also_called={})) == {
        frozenset({"Mr. Darcy", "Darcy"}),
        frozenset({"Miss Darcy", "Georgiana Darcy"}),
        frozenset({"Mr. Brooke", "Brooke"}),  # and nobody says that Dorothea is a woman
        frozenset({"Miss Brooke"}),
        frozenset({"Dorothea Brooke"}),
    }


@pytest.mark.parametrize(
    "others",
    [
        [("Fred Vincy", 44), ("Mr. Fred Vincy", 2), ("Mr. Fred", 3)],  # a son
        [("Peter Vincy", 16), ("Solomon Vincy", 3)],  # two brothers
        [("Captain Vincy", 9)],
    ],
)
def test_a_surname_alone_is_nobodys_where_another_man_has_it(others) -> None:
    women = [("Miss Vincy", 18), ("Rosamond Vincy", 5)]
    names = count(("Mr. Vincy", 93), ("Vincy", 36), *women, *others)
    groups = texts(names, resolve_names(names, also_called={}))
    assert not any({"Mr. Vincy", "Vincy"} <= group for group in groups)


def test_a_colonels_surname_is_not_another_mans_first_name() -> None:
    names = count(
        ("Mr. Darcy", 300), ("Mr. Fitzwilliam Darcy", 2), ("Colonel Fitzwilliam", 30),
        ("Fitzwilliam", 5),
    )  # fmt: skip
    assert texts(names, resolve_names(names, also_called={})) == {
        frozenset({"Mr. Darcy", "Mr. Fitzwilliam Darcy"}),
        frozenset({"Colonel Fitzwilliam", "Fitzwilliam"}),
    }


def test_a_full_name_given_by_the_user_excludes_a_second_one_by_rule() -> None:
    names = count(("Jane", 290), ("Miss Bennet", 50), ("Miss Jane Bennet", 2), ("Jane Austen", 1))
    groups = texts(
        names, resolve_names(names, also_called={}, merged=[("Jane", "Miss Jane Bennet")])
    )
    assert frozenset({"Jane Austen"}) in groups
    assert any({"Jane", "Miss Jane Bennet"} <= group for group in groups)


def test_names_of_unrelated_documents_are_not_merged() -> None:
    names = [
        NameCount(1, "John Smith", 9, {"person": 9}, "en", {1: 9}),
        NameCount(2, "Smith", 9, {"person": 9}, "en", {2: 9}),
    ]
    assert len(resolve_names(names, also_called={})) == 2


def test_an_alias_stated_in_the_text_is_merged_and_a_title_follows_its_only_surname() -> None:
    names = count(
        ("鲁达", 77), ("鲁智深", 321), ("智深", 197), ("鲁提辖", 42), ("林冲", 700), language="zh"
    )
    groups = resolve_names(names, also_called={("鲁达", "智深"): 1, ("鲁达", "鲁智深"): 1})
    assert texts(names, groups) == {
        frozenset({"鲁达", "鲁智深", "智深", "鲁提辖"}),
        frozenset({"林冲"}),
    }
    assert groups[0].main_name_id == 2


def test_a_title_with_two_people_of_that_surname_is_not_merged() -> None:
    names = count(("张清", 200), ("张顺", 180), ("张都监", 60), language="zh")
    assert len(resolve_names(names, also_called={})) == 3


def test_one_wrong_pattern_does_not_merge_two_people() -> None:
    names = count(("宋江", 3000), ("张顺", 280), ("浪里白条", 15), language="zh")
    groups = resolve_names(names, also_called={("浪里白条", "张顺"): 6, ("宋江", "浪里白条"): 1})
    assert texts(names, groups) == {frozenset({"宋江"}), frozenset({"张顺", "浪里白条"})}


def test_a_person_is_never_merged_with_a_place_by_rule() -> None:
    names = [
        NameCount(1, "London", 9, {"place": 9}, "en", HERE),
        NameCount(2, "Jack London", 3, {"person": 3}, "en", HERE),
    ]
    assert len(resolve_names(names, also_called={("London", "Jack London"): 1})) == 2


def test_decisions_of_the_user_override_every_rule() -> None:
    names = count(("Scrooge", 300), ("Mr. Scrooge", 30), ("Ghost", 9), ("Marley", 9))
    groups = resolve_names(
        names,
        also_called={},
        merged=[("Ghost", "Marley")],
        never=[frozenset({"Scrooge", "Mr. Scrooge"})],
    )
    assert texts(names, groups) == {
        frozenset({"Scrooge"}),
        frozenset({"Mr. Scrooge"}),
        frozenset({"Ghost", "Marley"}),
    }


def test_the_order_of_the_names_does_not_matter() -> None:
    names = count(("Scrooge", 300), ("Mr. Scrooge", 30), ("Ebenezer Scrooge", 5), ("Ebenezer", 7))
    assert resolve_names(names, also_called={}) == resolve_names(names[::-1], also_called={})


def test_every_name_of_a_large_library_is_in_exactly_one_group() -> None:
    firsts = [f"Name{chr(97 + i // 26)}{chr(97 + i % 26)}" for i in range(100)]
    names = count(*((f"{a} {b}son", 2) for a in firsts for b in firsts))
    groups = resolve_names(names, also_called={})
    assert sorted(i for group in groups for i in group.name_ids) == list(range(1, 10_001))


def test_a_chinese_name_is_shown_with_its_family_name():
    names = [
        NameCount(1, "智深", 900, {"person": 900}, "zh", {1: 9}),
        NameCount(2, "鲁智深", 800, {"person": 800}, "zh", {1: 9}),
    ]
    groups = resolve_names(names, also_called={}, merged=(("鲁智深", "智深"),))
    assert [(g.name_ids, g.main_name_id) for g in groups] == [((1, 2), 2)]


def test_a_title_alone_is_merged_with_its_only_holder() -> None:
    names = count(("行者", 4000), ("孙行者", 236), ("孙悟空", 116), ("悟空", 380), language="zh")
    assert len(resolve_names(names, also_called={})) == 1
    two = count(("太尉", 400), ("高太尉", 200), ("宿太尉", 120), language="zh")
    assert len(resolve_names(two, also_called={})) == 3


def test_a_frequent_given_name_is_not_merged_with_a_rare_full_name() -> None:
    names = count(("宝玉", 3800), ("甄宝玉", 36), ("八戒", 1660), ("猪八戒", 131), language="zh")
    assert texts(names, resolve_names(names, also_called={})) == {
        frozenset({"宝玉"}),
        frozenset({"甄宝玉"}),
        frozenset({"八戒", "猪八戒"}),
    }


def test_names_equated_only_with_each_other_need_one_statement() -> None:
    names = count(("诸葛亮", 156), ("孔明", 1600), language="zh")
    assert len(resolve_names(names, also_called={("诸葛亮", "孔明"): 1})) == 1
    more = count(("诸葛亮", 156), ("孔明", 1600), ("卧龙", 9), language="zh")
    pairs = {("诸葛亮", "孔明"): 1, ("卧龙", "孔明"): 1}
    assert frozenset({"诸葛亮"}) in texts(more, resolve_names(more, also_called=pairs))


@pytest.mark.parametrize(
    ("rows", "apart"),
    [
        # Titles of two people, and the husband's first name.
        (
            [("John Knightley", 20), ("Mr. John Knightley", 30), ("Mrs. John Knightley", 25)],
            ("John Knightley", "Mrs. John Knightley"),
        ),
        # A bare surname, and a man without a first name, with several bearers.
        (
            [("Crawford", 9), ("Henry Crawford", 30), ("Mary Crawford", 20)],
            ("Crawford", "Henry Crawford"),
        ),
        (
            [("Mr. Crawley", 60), ("Crawley", 9), ("Pitt Crawley", 30), ("Rawdon Crawley", 20)],
            ("Crawley", "Mr. Crawley"),
        ),
        # The father is called by the surname, his son by the first name.
        (
            [("Mr. Bertram", 20), ("Mr. Edmund", 9), ("Mr. Edmund Bertram", 8)],
            ("Mr. Bertram", "Mr. Edmund Bertram"),
        ),
        # Nothing tells whether Evelyn is a man.
        ([("Mr. Ware", 20), ("Miss Ware", 20), ("Evelyn Ware", 9)], ("Mr. Ware", "Evelyn Ware")),
        ([("Sir William", 20), ("William", 30), ("William Price", 30)], ("Sir William", "William")),
        ([("old Jolyon", 20), ("young Jolyon", 30)], ("old Jolyon", "young Jolyon")),
        # Two names side by side, taken for one.
        ([("Ned", 90), ("Mr. Ware Ned", 1)], ("Ned", "Mr. Ware Ned")),
    ],
)
def test_what_may_be_two_people_is_not_joined(rows, apart) -> None:
    names = count(*rows)
    for group in texts(names, resolve_names(names, also_called={})):
        assert not set(apart) <= group


def test_a_statement_does_not_join_a_man_with_a_woman() -> None:
    names = count(("Mr. Rushworth", 30), ("Mrs. Rushworth", 20))
    pair = (normalise_name("Mr. Rushworth"), normalise_name("Mrs. Rushworth"))
    assert len(resolve_names(names, also_called={pair: 5})) == 2


def test_longer_forms_of_one_full_name_are_one_bearer() -> None:
    names = count(("Mr. Silver", 90), ("Silver", 90), ("John Silver", 11), ("Long John Silver", 5))
    groups = texts(names, resolve_names(names, also_called={}))
    assert any({"Mr. Silver", "Silver"} <= group for group in groups)
