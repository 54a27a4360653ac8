"""Printed page numbers: found where pages count on, and nowhere else."""

from __future__ import annotations

import random

from desktop_app.engine.text.readers.page_numbers import find_printed_labels

BODY = "\n".join(f"The tide of {year} took {n} boats from the quay." for n, year in
                 ((3, 1811), (14, 1812), (5, 1824)))  # fmt: skip


def article(first: int, n_pages: int) -> list[str]:
    """Return pages as journals have them: the number outside, at the left and right in turn."""
    heads = ("{} P. Lane et al. / Journal of Tides 310 (2005) 253-265",
             "P. Lane et al. / Journal of Tides 310 (2005) 253-265 {}")  # fmt: skip
    return [f"{heads[n % 2].format(first + n)}\n{BODY}" for n in range(n_pages)]


def test_an_article_has_the_numbers_of_its_journal():
    found = find_printed_labels(article(253, 13), [""] * 13)
    assert found == [str(number) for number in range(253, 266)]


def test_labels_that_only_count_the_pages_of_the_file_say_nothing():
    labels = [str(n) for n in range(1, 14)]
    assert find_printed_labels(article(253, 13), labels)[0] == "253"
    assert find_printed_labels(article(1, 13), labels) == labels
    roman = ["i", "ii", *map(str, range(1, 12))]
    assert find_printed_labels(article(253, 13), roman) == roman


def test_pages_without_a_number_are_counted_between_others():
    """Chapters begin without a number, and the pages before the first one are no pages 1 to 8."""
    pages = [f"Contents\n{BODY}"] * 8 + [f"{BODY}\n– {n} –" for n in range(1, 31)]
    pages[19] = pages[30] = f"Chapter\n{BODY}"  # 12 and 23
    found = find_printed_labels(pages, [""] * 38)
    assert found == [f"[{n}]" for n in range(1, 9)] + [str(n) for n in range(1, 31)]


def test_a_plate_changes_the_count_behind_it_only():
    pages = [f"{BODY}\n{n}" for n in range(11, 21)] + [""] + [f"{BODY}\n{n}" for n in range(21, 31)]
    found = find_printed_labels(pages, [""] * 21)
    assert found[:10] == [str(n) for n in range(11, 21)]
    assert found[10] == "[11]" and found[11:] == [str(n) for n in range(21, 31)]


def test_years_and_random_numbers_are_no_page_numbers():
    same = [f"Annual report 2005\n{BODY}\nSection 4" for _ in range(30)]
    assert not any(find_printed_labels(same, [""] * 30))
    chance = random.Random(7)
    for _ in range(200):
        pages = [f"{BODY}\nTable {chance.randint(1, 40)}" for _ in range(30)]
        assert not any(find_printed_labels(pages, [""] * 30))


def test_few_pages_or_few_numbers_are_not_enough():
    assert not any(find_printed_labels(article(253, 3), [""] * 3))
    pages = article(253, 5) + [BODY] * 20
    assert not any(find_printed_labels(pages, [""] * 25))
