"""Keywords of communities: from the sentences about their members, against the whole language."""

from __future__ import annotations

from desktop_app.engine.communities.key_words import _residual_idf
from desktop_app.engine.communities.updater import refresh_communities
from desktop_app.engine.store.communities import fetch_communities
from tests.small_library import add

FIRST = "Ada Tobias Clara Jonas Martha Peter Ruth Simon Edith Walter Agnes Hugh".split()
LAST = "Merrow Hale Voss Wrede Quill Lund Penrose Carter Lowell Finch Moor Barlow".split()
LAST += "Thorne Pryce Sedley Crowe Vance Harrow Lisle Mercer Norcott Gale Rudd Yates".split()
CREW = [f"{first} {last}" for first, last in zip(FIRST, LAST[:12], strict=True)]
FARM = [f"{first} {last}" for first, last in zip(FIRST, LAST[12:], strict=True)]
FILLER = "Rain fell on the roofs and on the long street below them while nobody walked there. " * 8


def _tell(people: list[str], words: str) -> list[str]:
    """Return a paragraph for each pair of neighbours, with these words in it."""
    pairs = ((one, people[(n + step) % 12]) for n, one in enumerate(people) for step in (1, 2, 3))
    return [f"{one} met {other} {words}." for one, other in pairs]


def test_the_key_words_are_those_of_the_sentences_about_the_members(library, tmp_path):
    crew = [f"{one}\n\n{FILLER}" for one in _tell(CREW, "beside the anchor")]
    farm = [f"{one}\n\n{FILLER}" for one in _tell(FARM, "behind the barn")]
    add(library, tmp_path, "people.txt", "\n\n".join((*crew, *farm)))
    refresh_communities(library.writer)
    rows = [row for row in fetch_communities(library.writer) if row.level == 0]
    crews = [row for row in rows if row.top_names[0] in CREW]
    farms = [row for row in rows if row.top_names[0] in FARM]
    assert crews and farms
    assert all("anchor" in row.key_words and "barn" not in row.key_words for row in crews)
    assert all("barn" in row.key_words and "anchor" not in row.key_words for row in farms)
    # the street and the rain of the text between them are of no community
    assert not {"rain", "street", "roof"} & {w for row in crews + farms for w in row.key_words}


def test_a_word_that_is_spread_evenly_over_the_text_is_no_key_word(library, tmp_path):
    filler = FILLER.replace("nobody", "plain folk", 1)
    crew = [f"{one}\n\n{filler}" for one in _tell(CREW, "beside the plain anchor")]
    farm = [f"{one}\n\n{filler}" for one in _tell(FARM, "behind the barn")]
    add(library, tmp_path, "people.txt", "\n\n".join((*crew, *farm)))
    refresh_communities(library.writer)
    words = {word for row in fetch_communities(library.writer) for word in row.key_words}
    assert "anchor" in words and "plain" not in words


def test_no_key_word_is_a_part_of_a_members_name(library, tmp_path):
    crew = _tell([*CREW[:11], "Sir Anchor Wreath"], "beside the anchor at the capstan")
    farm = _tell(FARM, "behind the barn")
    text = "\n\n".join(f"{one}\n\n{FILLER}" for one in (*crew, *farm))
    add(library, tmp_path, "people.txt", text)
    refresh_communities(library.writer)
    rows = [row for row in fetch_communities(library.writer) if row.top_names[0] not in FARM]
    words = {word for row in rows for word in row.key_words}
    assert "capstan" in words and "anchor" not in words


def test_residual_idf_is_high_for_words_that_occur_together_and_zero_for_scattered_ones():
    assert abs(_residual_idf(100, 63, 100)) < 0.05  # as 100 throws into 100 boxes fill 63
    assert abs(_residual_idf(1, 1, 400)) < 0.01
    assert _residual_idf(40, 4, 400) > 3.0


def test_words_of_a_language_are_compared_with_texts_of_that_language(library, tmp_path):
    german = "Der Regen fällt und der Wind weht und niemand geht über die lange Straße hinab. " * 8
    crew = [f"{one}\n\n{FILLER}" for one in _tell(CREW, "beside the anchor")]
    names = [f"{one.split()[0]} Oster{one.split()[1].lower()}" for one in FARM]
    pairs = [(one, names[(n + 1) % 12]) for n, one in enumerate(names)] * 3
    farm = [f"{one} und {other} haben nicht über die offene Frage geredet." for one, other in pairs]
    barn = [f"{one}\n\n{FILLER}" for one in _tell(FARM, "behind the barn")]
    add(library, tmp_path, "crew.txt", "\n\n".join((*crew, *barn)))
    add(library, tmp_path, "bauern.txt", "\n\n".join(f"{one}\n\n{german}" for one in farm))
    assert {"en", "de"} <= set(library.writer.column("SELECT language FROM document"))
    refresh_communities(library.writer)
    words = {word for row in fetch_communities(library.writer) for word in row.key_words}
    assert "anchor" in words and not words & {"und", "der", "die"}
