"""Printed page numbers: found where pages count on, and nowhere else."""

from __future__ import annotations

import random

from desktop_app.engine.text.readers.page_numbers import (
    _iter_numbers,
    _read_roman,
    _write_roman,
    find_printed_labels,
)

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


ROMAN = "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi".split()


def test_front_matter_has_roman_numbers_and_the_text_counts_from_1():
    heads = [f"{BODY}\n{number}" for number in ROMAN]
    text = [f"{n} A HISTORY OF TIDES\n{BODY}" for n in range(1, 31)]
    found = find_printed_labels(heads + text, [""] * 46)
    assert found == [*ROMAN, *map(str, range(1, 31))]
    capitals = [page.upper() for page in heads]
    found = find_printed_labels(capitals + text, [""] * 46)
    assert found == [number.upper() for number in ROMAN] + [str(n) for n in range(1, 31)]


def test_first_pages_of_front_matter_and_chapters_without_a_number_are_counted():
    """A title page is i, and the first page of a text 1, though nothing is printed there."""
    heads = [BODY, BODY, *(f"{BODY}\n– {number} –" for number in ROMAN[2:9]), "", ""]
    text = [f"I\n{BODY}", *(f"{BODY}\n{n}" for n in range(2, 31))]
    found = find_printed_labels(heads + text, [""] * 41)
    assert found == [*ROMAN[:11], *map(str, range(1, 31))]


def test_digits_that_go_on_after_roman_numbers_leave_a_gap_between_them_open():
    pages = [f"{BODY}\n{number}" for number in ROMAN[:6]] + [BODY, ""]
    pages += [f"{BODY}\n{n}" for n in range(9, 31)]
    found = find_printed_labels(pages, [""] * 30)
    assert found[:6] == ROMAN[:6] and found[6:8] == ["[7]", "[8]"] and found[8] == "9"


def test_a_preface_alone_has_roman_numbers_also_as_single_letters():
    found = find_printed_labels([f"{BODY}\n{number}" for number in ROMAN[:6]], [""] * 6)
    assert found == ROMAN[:6]
    signs = "ⅰⅱⅲⅳⅴⅵⅶⅷⅸⅹⅺⅻ"
    assert find_printed_labels([f"{BODY}\n{sign}" for sign in signs], [""] * 12) == ROMAN[:12]


def test_poems_with_roman_numbers_have_those_of_their_pages():
    capitals = [number.upper() for number in ROMAN]
    pages = [
        f"{n}\nThe tide comes in.\n{BODY}\nAnd goes.\n{capitals[n - 40]}" for n in range(40, 56)
    ]
    assert find_printed_labels(pages, [""] * 16) == [str(n) for n in range(40, 56)]


def test_words_that_look_like_roman_numbers_are_none():
    pages = [f"I walked to the quay.\n{BODY}\nCivil, mix and di" for _ in range(30)]
    assert not any(find_printed_labels(pages, [""] * 30))


def test_roman_numbers_are_read_and_written_alike():
    for number in range(1, 400):
        assert _read_roman(_write_roman(number)) == number
        assert list(_iter_numbers(_write_roman(number))) == [("i", number)]
    assert not list(_iter_numbers("iiii")) and not list(_iter_numbers("vx"))
