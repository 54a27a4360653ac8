"""Word lists from files: every file is valid, and each collection has the words of its list."""

from __future__ import annotations

import pytest

from desktop_app.engine import word_lists
from desktop_app.engine.word_lists import WORDS, WordLists, load_table


@pytest.fixture
def lists(tmp_path, monkeypatch) -> WordLists:
    monkeypatch.setattr(word_lists, "WORDS", tmp_path)
    content = 'titles = """\nMr Dr.\nProfessor\n"""\n[types]\nplace = "city town"\nperson = "man"\n'
    (tmp_path / "sample.toml").write_text(content, "utf-8")
    return WordLists("sample")


@pytest.mark.parametrize("name", sorted(path.stem for path in WORDS.glob("*.toml")))
def test_every_file_is_valid_and_not_empty(name):
    assert load_table(name)


def test_a_list_gives_its_words_in_every_collection(lists):
    assert lists.words("titles") == {"Mr", "Dr.", "Professor"}
    assert lists.in_order("titles") == ("Mr", "Dr.", "Professor")
    assert lists.longest_first("titles") == ("Professor", "Dr.", "Mr")
    assert lists.lines("titles") == [["Mr", "Dr."], ["Professor"]]
    assert lists.characters("titles") == set("MrDr.Professor")


def test_a_table_is_found_by_its_words(lists):
    assert lists.table("types") == {"place": ("city", "town"), "person": ("man",)}
    assert lists.by_word("types") == {"city": "place", "town": "place", "man": "person"}
