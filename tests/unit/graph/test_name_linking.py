"""Tests finding names in questions, and personalized PageRank from them."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_app.engine.graph.name_linking import (
    NameFinder,
    TitleScanner,
    normalise_characters,
    strip_title,
)
from desktop_app.engine.retrieval.index import PageRankGraph


def found(finder: NameFinder, text: str) -> list[str]:
    return [text[start:end] for start, end, _ in finder.find(text)]


def test_the_longest_of_overlapping_names_wins():
    finder = NameFinder([("Marley", 1), ("Jacob Marley", 2), ("Scrooge", 3)])
    assert found(finder, "Did Jacob Marley haunt Scrooge?") == ["Jacob Marley", "Scrooge"]


def test_latin_names_are_whole_words_in_any_case():
    finder = NameFinder([("Tim", 1), ("Marley", 2)])
    assert found(finder, "sometimes marley's time") == ["marley"]


def test_chinese_names_are_found_without_spaces():
    finder = NameFinder([("鲁智深", 1), ("智深", 1), ("林冲", 2)])
    assert found(finder, "鲁智深和林冲是什么关系？") == ["鲁智深", "林冲"]


def test_a_name_of_two_people_links_to_both():
    finder = NameFinder([("Anna", 1), ("Anna", 2)])
    assert finder.find("Who is Anna?")[0][2] == [1, 2]


def test_no_names_find_nothing():
    assert NameFinder([]).find("anything") == []


def test_the_qualifier_of_a_namesake_is_no_part_of_a_title():
    assert strip_title("Dark River (2017 film)") == "Dark River"
    assert strip_title("《水浒传》") == "水浒传"


def test_pagerank_reaches_a_passage_that_shares_no_word_with_the_question():
    # passage 0 names A and B, passage 1 is about B, passage 2 about C
    links = np.array([[0, 0], [0, 1], [1, 1], [2, 2]])
    graph = PageRankGraph(links, np.ones(4), 3, 3)
    mass = graph.rank({0: 1.0}, {0: 1.0})
    assert mass[0] > mass[1] > mass[2] == 0.0


def test_passages_with_the_same_names_get_the_same_score():
    links = np.array([[0, 0], [0, 1], [1, 1], [1, 0]])
    graph = PageRankGraph(links, np.ones(4), 2, 2)
    mass = graph.rank({0: 2.0, 1: 2.0}, {})
    assert mass[0] == pytest.approx(mass[1])


def test_without_seeds_all_scores_are_zero():
    graph = PageRankGraph(np.zeros((0, 2), dtype=np.int64), np.zeros(0), 2, 0)
    assert graph.rank({}, {}).tolist() == [0.0, 0.0]


def test_accents_and_punctuation_do_not_distinguish_names():
    finder = NameFinder([("Akinoshū Kenji", 1), ("Act of War: Direct Action", 2)])
    assert found(finder, "Was Akinoshu Kenji in “Act of War; Direct Action”?") == [
        "Akinoshu Kenji",
        "Act of War; Direct Action",
    ]


def test_a_possessive_is_no_part_of_a_name():
    finder = NameFinder([("Maurice, Prince of Orange", 1)])
    assert found(finder, "Maurice, Prince Of Orange's father") == ["Maurice, Prince Of Orange"]


def test_lower_case_keeps_every_offset():
    text = "Ｄｒ． Åsa’s ﬁlm İstanbul 《水浒传》 ½"
    assert len(normalise_characters(text)) == len(text)


def test_titles_inside_longer_titles_are_not_linked():
    scanner = TitleScanner([("New York", 1), ("New York Times", 2), ("Times Square", 3)])
    assert scanner.scan("The New York Times, far from Times Square.") == [2, 3]
    assert scanner.scan("A new yorker") == []


def test_titles_beside_each_other_are_both_found():
    scanner = TitleScanner([("Anna", 1), ("Bertha", 2), ("水浒传", 3), ("宋江", 4)])
    assert scanner.scan("Anna Bertha") == [1, 2]
    assert scanner.scan("《水浒传》里的宋江") == [3, 4]
