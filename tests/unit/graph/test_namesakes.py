"""Tests separating people with one name in different stories."""

from __future__ import annotations

import pytest

from desktop_app.engine.graph.namesakes import (
    MIN_STORY_CHARS,
    Cast,
    are_one_story,
    find_namesakes,
    find_story,
    is_story,
)


def name_people(word: str) -> dict[str, int]:
    return {f"{word}{a}{b}": 20 for a in "abcdefgh" for b in "mnopqr"}


AUSTEN = Cast(
    name_people("bingle")
    | {"elizabeth": 600, "jane": 300, "mary": 6, "god": 40, "sir james": 9, "mason": 12, "ada": 9}
)
SHELLEY = Cast(
    name_people("clerva")
    | {"elizabeth": 90, "jane": 4, "god": 30, "sir james": 5, "mason": 12, "ada": 9, "mary": 5}
)


def test_a_name_is_two_people_if_both_stories_have_it_often():
    # "jane" is too rare in one story, "ada" for a name that may be famous; God is the same in both.
    assert find_namesakes(AUSTEN, SHELLEY) == ["elizabeth", "mary", "mason", "sir james"]
    assert find_namesakes(SHELLEY, AUSTEN) == ["elizabeth", "mary", "mason", "sir james"]


@pytest.mark.parametrize("key", ["sherlock holmes", "诸葛亮", "观音", "napoleon", "mr god"])
def test_full_and_famous_names_stay_one(key):
    both = [Cast({**cast.mentions, key: 50}) for cast in (AUSTEN, SHELLEY)]
    assert key not in find_namesakes(*both)


@pytest.mark.parametrize("key", ["孔明", "蔡夫人", "miss grey", "pip"])
def test_short_names_do_not(key):
    both = [Cast({**cast.mentions, key: 50}) for cast in (AUSTEN, SHELLEY)]
    assert key in find_namesakes(*both)


def test_parts_of_one_story_have_the_same_people():
    sequel = Cast(name_people("tilne") | {f"bingle{a}m": 9 for a in "abcdefgh"})
    assert are_one_story(AUSTEN, sequel)
    assert find_namesakes(AUSTEN, sequel) == []
    assert not are_one_story(AUSTEN, SHELLEY)
    assert find_story(sequel, [(7, SHELLEY), (8, AUSTEN)]) == 8
    assert find_story(sequel, [(7, SHELLEY)]) is None


def test_first_names_in_common_do_not_make_one_story():
    names = dict.fromkeys(["elizabeth", "mary", "john", "tom", "jane", "william"], 30)
    assert not are_one_story(
        Cast({**AUSTEN.mentions, **names}), Cast({**SHELLEY.mentions, **names})
    )


def test_a_small_cast_separates_nobody():
    assert find_namesakes(AUSTEN, Cast({"elizabeth": 90, "clerva": 20})) == []


@pytest.mark.parametrize(
    "sentence, expected",
    [
        ("“I shall go,” said Ada. The wind rose over the long fields and the river.\n", True),
        ("武松道：“我自去。”那人听了，只得由他去了，一路无话。\n", True),
        ("We measure the rate of the reaction at four temperatures in a closed vessel.\n", False),
    ],
)
def test_people_speak_in_stories(sentence, expected):
    assert is_story(sentence * (MIN_STORY_CHARS // len(sentence) + 1)) is expected
    assert not is_story(sentence * 10)
