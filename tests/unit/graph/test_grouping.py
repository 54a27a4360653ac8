"""Tests of the groups of names that follow changes: they equal groups made anew."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from desktop_app.engine.graph import grouping
from desktop_app.engine.graph.grouping import BlockingKeyTable, NameGrouper, group_names
from desktop_app.engine.graph.names import sense_key
from desktop_app.engine.graph.resolution import NameGroup, NameGroups
from desktop_app.engine.model import FIRST_STORY, Curation, NameCount

# Few words in many names, so that every rule applies often.
ENGLISH = (
    "John", "Mr. John", "Sir John", "Colonel John", "Smith", "Mr. Smith", "Mrs. Smith", "SMITH",
    "John Smith", "Mr. John Smith", "Sir John Smith", "John Grey", "Jane Smith", "Miss Smith",
    "Jane", "Jane Grey", "Grey", "Elton John", "Sir John Grey Smith", "the Knight", "Smith’s",
    "Sir John Grey",
)  # fmt: skip
CHINESE = (
    "林冲", "林教头", "教头", "豹子头", "宝玉", "甄宝玉", "贾宝玉", "贾太尉", "太尉", "高太尉",
    "高俅", "行者", "孙行者", "孙悟空", "悟空", "张清", "张顺", "张都监", "都监", "Lin",
    "大官人", "王大官人",
)  # fmt: skip
SENSES = (1, FIRST_STORY + 7)  # the user's, and a story's
SPLIT = [sense_key(name, sense) for name in ("Smith", "John", "林冲") for sense in SENSES]
TEXTS = (*ENGLISH, *CHINESE, *SPLIT)
NAMES = {text: i for i, text in enumerate(TEXTS, 1)}

any_name = st.sampled_from(TEXTS)
pairs = st.tuples(any_name, any_name)
counts = st.tuples(
    st.sampled_from([1, 3, 20, 90]),
    st.sampled_from(["person"] * 5 + ["place", "other"]),
    st.sampled_from(["en", "en", "zh"]),
    st.sampled_from([{1: 1}, {1: 1}, {1: 3, 2: 1}, {2: 1}, {2: 2, 3: 1}, {3: 1}]),
)
changes = st.one_of(
    st.tuples(st.just("count"), any_name, counts),
    st.tuples(st.just("count"), any_name, st.one_of(st.none(), counts)),
    st.tuples(st.just("equate"), pairs, st.sampled_from([0, 1, 2])),
    st.tuples(st.sampled_from(["merge", "alias", "keep apart"]), pairs),
    st.tuples(st.just("delete"), any_name, st.sampled_from([None, frozenset({1})])),
    st.tuples(st.just("undo"), st.integers(1, 3)),
)
State = tuple[dict[int, NameCount], dict[tuple[str, str], int], Curation]


def make_name(text: str, values: tuple) -> NameCount:
    n, kind, language, documents = values
    return NameCount(NAMES[text], text, n, {kind: n}, language, documents)


def change_state(state: State, what: str, first: Any, second: Any = None) -> State:
    """Return the names, equations and decisions after one change."""
    names, equations, old = state
    if what == "count":
        names = {i: one for i, one in names.items() if i != NAMES[first]}
        names |= {NAMES[first]: make_name(first, second)} if second else {}
    elif what == "equate":
        equations = {pair: n for pair, n in equations.items() if pair != first}
        equations |= {first: second} if second else {}
    elif what == "merge":
        old = replace(old, merged=(*old.merged, first))
    elif what == "alias":
        old = replace(old, aliases=(*old.aliases, first))
    elif what == "keep apart":
        old = replace(old, never_merged=old.never_merged ^ {frozenset(first)})
    else:
        deleted = {name: where for name, where in old.deleted_names.items() if name != first}
        deleted |= {first: second} if first not in old.deleted_names else {}
        old = replace(old, deleted_names=deleted)
    return names, equations, old


def follow(grouper: NameGrouper, before: State, after: State) -> set[int]:
    """Bring the groups from one state to another; return the names that were grouped again."""
    names, equations, curation = after
    changed = [i for i in before[0].keys() | names if before[0].get(i) != names.get(i)]
    near = grouper.change(names, np.array(sorted(changed), np.int64), equations, curation)
    return set(near.tolist())


def list_groups(groups: NameGroups) -> list[NameGroup]:
    return [groups[entity_id] for entity_id in groups.entity_ids()]


EMPTY: State = ({}, {}, Curation())


@settings(deadline=None, phases=[Phase.reuse, Phase.generate])
@given(
    st.dictionaries(any_name, counts, min_size=10, max_size=40),
    st.lists(st.lists(changes, min_size=1, max_size=2), max_size=25),
)
def test_groups_that_follow_changes_equal_groups_made_anew(beginning, steps):
    grouper = NameGrouper()
    before = EMPTY
    states = [({NAMES[text]: make_name(text, one) for text, one in beginning.items()}, {},
               Curation())]  # fmt: skip
    for step in [[], *steps]:
        for what, *values in step:
            if what == "undo":
                states = states[: -values[0]] or states[:1]
            else:
                states.append(change_state(states[-1], what, *values))
        follow(grouper, before, states[-1])
        # Of two senses that are equally frequent, the one with the smaller id is the first.
        names, *others = states[-1]
        made_anew = group_names(dict(sorted(names.items())), *others)
        assert list_groups(grouper.groups) == list_groups(made_anew)
        before = states[-1]


def state_of(mentions: dict[str, int], language: str, never: Iterable[tuple[str, str]]) -> State:
    names = {
        NAMES[text]: make_name(text, (n, "person", language, {1: n}))
        for text, n in mentions.items()
    }
    return names, {}, Curation(never_merged=frozenset(map(frozenset, never)))


@pytest.mark.parametrize(
    ("first", "then", "language", "never"),
    [
        # one name is a part of the other
        ({"Sir John Smith": 5}, {"John Smith": 9}, "en", []),
        ({"Sir John": 5}, {"Sir John Smith": 9}, "en", []),
        ({"Sir John Grey": 5}, {"Sir John Grey Smith": 9}, "en", []),
        ({"Smith": 9}, {"John Smith": 5}, "en", []),
        ({"John": 9}, {"John Smith": 5}, "en", []),
        # a surname that becomes frequent enough for a first name
        ({"John": 10, "John Smith": 1, "Jane Smith": 1}, {"Jane Smith": 20}, "en", []),
        # the same if the first name becomes rare enough
        ({"John": 90, "John Smith": 1, "Jane Smith": 9}, {"John": 20}, "en", []),
        # a first name that becomes a surname
        ({"John": 10, "John Smith": 9}, {"Elton John": 9}, "en", []),
        ({"宝玉": 9}, {"贾宝玉": 9}, "zh", []),
        ({"贾太尉": 9}, {"贾宝玉": 90}, "zh", []),
        ({"大官人": 90}, {"王大官人": 60}, "zh", []),
        ({"John Smith": 9, "Sir John Smith": 9}, {}, "en", [("John Smith", "Sir John Smith")]),
    ],
)
def test_a_change_reaches_the_names_that_each_rule_compares(first, then, language, never):
    before, after = state_of(first, language, []), state_of({**first, **then}, language, never)
    # Names of another kind, so that most names have not changed.
    for state in (before, after):
        state[0].update({100 + i: replace(one, name_id=100 + i) for i, one in crowd(9).items()})
    grouper = NameGrouper()
    follow(grouper, EMPTY, before)
    old = list_groups(grouper.groups)
    follow(grouper, before, after)
    new = list_groups(grouper.groups)
    alone = [NameGroup((i,), i) for i in after[0].keys() - before[0].keys()]
    assert new != sorted([*old, *alone], key=lambda group: group.name_ids)  # it matters here
    assert new == list_groups(group_names(*after))
    follow(grouper, after, before)
    assert list_groups(grouper.groups) == old == list_groups(group_names(*before))


def test_a_merged_name_keeps_its_group():
    names, equations, _ = state_of({"John Smith": 9, "Sir John Smith": 9, "Jane": 2}, "en", [])
    merged = Curation(merged=(("Sir John Smith", "Jane"),))
    grouper = NameGrouper()
    follow(grouper, EMPTY, (names, equations, Curation()))
    follow(grouper, (names, equations, Curation()), (names, equations, merged))
    [group] = list_groups(grouper.groups)
    assert set(group.name_ids) == names.keys()


def crowd(n: int) -> dict[int, NameCount]:
    """Return `n` families of a father and a mother."""
    texts = [f"{title} {chr(65 + i % 26)}ab{i}son" for i in range(n) for title in ("Mr.", "Mrs.")]
    return {
        i: NameCount(i, text, 5, {"person": 5}, "en", {1: 5}) for i, text in enumerate(texts, 1)
    }


@pytest.mark.parametrize("what", ["count", "merge", "equate"])
def test_only_names_near_a_change_are_grouped_again(what):
    names, grouper = crowd(500), NameGrouper()
    before = (names, {}, Curation())
    assert len(follow(grouper, EMPTY, before)) == 1000
    a, b = names[7].name, names[9].name
    after = {
        "count": (
            {**names, 7: replace(names[7], n_mentions=6, types={"person": 6})},
            {},
            Curation(),
        ),
        "merge": (names, {}, Curation(merged=((a, b),))),
        "equate": (names, {(a, b): 3}, Curation()),
    }[what]
    assert follow(grouper, before, after) == ({7, 8} if what == "count" else {7, 8, 9, 10})
    assert list_groups(grouper.groups) == list_groups(group_names(*after))
    assert follow(grouper, after, before) == ({7, 8} if what == "count" else {7, 8, 9, 10})
    assert list_groups(grouper.groups) == list_groups(group_names(*before))


@pytest.mark.parametrize(
    ("shared", "whole"),
    [
        ("Smith", [f"{chr(65 + i)}da Smith" for i in range(20)]),
        ("John", [f"John {chr(65 + i)}abson" for i in range(20)]),
        ("林教头", [f"林{chr(0x6CB3 + i)}" for i in range(20)]),
        ("教头", [f"{chr(0x6CB3 + i)}教头" for i in range(20)]),
    ],
)
def test_names_of_other_documents_are_not_grouped_again(shared, whole):
    """Twenty novels have the same first names, surnames and titles."""
    names = {
        i: NameCount(i, text, 5, {"person": 5}, "en", {i: 5}) for i, text in enumerate(whole, 1)
    }
    names[100] = NameCount(100, shared, 9, {"person": 9}, "en", {7: 9})
    grouper = NameGrouper()
    before = (names, {}, Curation())
    apart = frozenset((shared, names[7].name))
    after = (names, {}, Curation(never_merged=frozenset([apart])))
    follow(grouper, EMPTY, before)
    assert follow(grouper, before, after) == {7, 100}
    assert list_groups(grouper.groups) == list_groups(group_names(*after))


def test_a_changed_name_does_not_copy_or_index_the_others(monkeypatch):
    names = crowd(500)
    table = BlockingKeyTable().changed(np.arange(1, 1001), names)
    assert table.find_connected(np.array([7]), (), {}).tolist() == [7, 8]
    with monkeypatch.context() as patch:
        patch.setattr(grouping, "_KeyIndex", None)  # making another would fail
        names[2000] = replace(names[7], name_id=2000, name=names[9].name)
        changed = table.changed(np.array([2000]), names)
        assert changed._keys is table._keys
        assert changed.find_connected(np.array([9]), (), {}).tolist() == [9, 10, 2000]
        del names[2000]
        changed = changed.changed(np.array([2000]), names)
        assert changed.find_connected(np.array([9]), (), {}).tolist() == [9, 10]
    many = {i: replace(one, n_mentions=1) for i, one in names.items()}
    changed = changed.changed(np.arange(1, 1001), many)  # an import
    assert changed._keys is not table._keys
    assert changed.find_connected(np.array([9]), (), {}).tolist() == [9, 10]


def test_a_change_of_nothing_groups_nothing():
    before = (crowd(3), {}, Curation(deleted_names={"Mr. Aab0son": None}))
    grouper = NameGrouper()
    follow(grouper, EMPTY, before)
    assert follow(grouper, before, before) == set()
    assert grouper.groups.find(1) == 0


def test_full_names_are_connected_by_a_name_that_is_a_part_of_them_only():
    texts = ["John Smith", "Jane Smith", "John Grey"]
    names = {
        i: NameCount(i, text, 5, {"person": 5}, "en", {1: 5})
        for i, text in enumerate([*texts, "Smith", "John"], 1)
    }
    table = BlockingKeyTable().changed(np.arange(1, 4), names)

    def find(table: BlockingKeyTable) -> list[int]:
        return table.find_connected(np.array([1]), (), {}).tolist()

    assert find(table) == [1]
    assert find(table.changed(np.array([4]), names)) == [1, 2, 4]
    assert find(table.changed(np.array([5]), names)) == [1, 3, 5]
    # A surname of anybody is no first name.
    names[6] = replace(names[1], name_id=6, name="Elton John")
    assert find(table.changed(np.array([5, 6]), names)) == [1]
