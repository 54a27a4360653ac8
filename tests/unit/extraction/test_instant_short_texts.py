"""Tests names in notes, letters, captions and lists with the real tagger.

The texts under `tests/short_texts` have a half for tuning and a half that no rule was tuned on;
the second half is tested here.
"""

from __future__ import annotations

import pytest

from benchmarks.short_texts import find_names, load_invented, score, tag_plainly
from desktop_app.engine.extraction.instant import InstantExtractor
from desktop_app.engine.extraction.rules.latin_names import SHORT_TEXT
from desktop_app.engine.extraction.rules.latin_tokens import find_wrapped_lines
from desktop_app.engine.model import ChunkSpan
from desktop_app.engine.text.chunking import split_sentences
from desktop_app.engine.text.language import detect_language

NOTE = "Robert Vale met Ann Stone in Leeds. Bob Vale married Ann Stone. Mr. Pike hated Bob Vale."


@pytest.fixture(scope="module")
def extractor() -> InstantExtractor:
    return InstantExtractor(split_sentences)


def names_of(extractor: InstantExtractor, text: str) -> dict[str, str]:
    """Return name -> type of a text whose language is detected as in indexing."""
    whole = [ChunkSpan(0, 0, len(text), 0)]
    found = extractor.extract(text, whole, detect_language(text))
    return {mention.name: mention.type for one in found for mention in one.mentions}


def test_a_note_of_three_sentences_gives_every_name(extractor: InstantExtractor) -> None:
    assert set(names_of(extractor, NOTE)) == {
        "Robert Vale", "Ann Stone", "Leeds", "Bob Vale", "Mr. Pike",
    }  # fmt: skip


@pytest.mark.parametrize("language", ["en", "zh"])
def test_held_out_texts_keep_almost_all_names_of_the_tagger(
    extractor: InstantExtractor, language: str
) -> None:
    texts = [text for text in load_invented(language) if text.half == "held"]
    assert len(texts) >= 10 and sum(len(text.gold) for text in texts) >= 50
    tagger = score((text.gold, tag_plainly(text)) for text in texts)
    found = score((text.gold, find_names(extractor, text.text)) for text in texts)
    # A filter may lose one of sixty names; the boundaries must be better than the tagger's.
    assert found["recall"] >= max(0.93, tagger["recall"] - 0.02)
    assert found["precision"] >= 0.95
    assert found["exact"] >= max(0.86, tagger["exact"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # the tagger's name inside a longer run of capitals
        ("She wrote to Deputy Harbour Commissioner Tilda Marsh about the pier.", "Tilda Marsh"),
        # the first word of a sentence is not the name's
        ("Ask Captain Frey whether the boat is paid for.", "Captain Frey"),
        # a surname that is a word as well, seen once and first in its sentence
        ("Mason owes the baker nine pounds, and he knows it.", "Mason"),
        ("He works for the IRS in a small town.", "IRS"),
        ("Dear Margaret,\n\nthe plums were good and we ate them all.", "Margaret"),
        ("The boat was late and we were wet. Back on Sunday.\n\nLove,\nIlse", "Ilse"),
        ("The visit to Camden Library was cheap and we all enjoyed it.", "Camden Library"),
        ("He was born in the U.S. and died there as well.", "U.S."),
    ],
)
def test_names_in_greetings_captions_and_lists_are_found(
    extractor: InstantExtractor, text: str, expected: str
) -> None:
    assert expected in names_of(extractor, text)


def test_greetings_without_a_name_give_none(extractor: InstantExtractor) -> None:
    letter = "Dear Colleagues,\n\nthe room is closed on Monday.\n\nKind regards,\nManagement"
    assert not {"Colleagues", "Dear Colleagues", "Management"} & set(names_of(extractor, letter))


def test_a_first_name_that_is_a_word_needs_more_than_its_capital(
    extractor: InstantExtractor,
) -> None:
    assert names_of(extractor, "Mark the date in red and tell the others of it.") == {}


def test_lines_of_a_list_are_not_joined_to_one_name(extractor: InstantExtractor) -> None:
    mail = "From: Tilda Marsh\nTo: Stephen Adeyemi\nSubject: Fence\n\nHi Stephen,\nit has fallen.\n"
    found = names_of(extractor, mail)
    assert {"Tilda Marsh", "Stephen Adeyemi"} <= set(found)
    assert not any("\n" in name or "Subject" in name for name in found)


def test_a_headline_in_capitals_gives_its_names(extractor: InstantExtractor) -> None:
    found = names_of(extractor, "FERRY FROM DOVER TO CALAIS TURNED BACK BY STORM")
    assert {"DOVER", "CALAIS"} <= set(found)
    assert all(len(name.split()) == 1 for name in found)


def test_a_word_seen_once_is_trusted_in_a_short_text_only(extractor: InstantExtractor) -> None:
    """In a long text a name also occurs inside a sentence."""
    short = "Mason owes the baker nine pounds, and he knows it."
    filler = "the rain went on all night and nobody was there at all. " * (SHORT_TEXT // 10)
    assert "Mason" in names_of(extractor, short)
    assert "Mason" not in names_of(extractor, f"{short}\n\nAnd {filler}")


def test_only_lines_that_are_full_continue_in_the_next() -> None:
    prose = "She walked with Tilda and with old Owen\nFrey to the harbour and saw the ferry\ngo."
    assert find_wrapped_lines(prose, 0, len(prose)) == {
        prose.index("\n"), prose.rindex("\n"),
    }  # fmt: skip
    names = "Tilda Marsh, baker\nOwen Frey\nBeatrix Anna Holloway of the harbour office\nHugh Dale"
    assert names.index("\n") not in find_wrapped_lines(names, 0, len(names))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("会议改到周四，由David Chen介绍。", {"David Chen"}),
        ("他在IBM公司上班，住在唐宁街10号。", {"IBM公司", "唐宁街10号"}),
        ("下午同郑培文到西湖边走了一圈。", {"郑培文", "西湖"}),
        ("此事由全国人民代表大会常务委员会决定。", {"全国人民代表大会常务委员会"}),
        ("中国共产党的中国代表团访问了中国石油公司和中国。", {"中国"}),
    ],
)
def test_short_chinese_texts_give_what_the_tagger_finds(
    extractor: InstantExtractor, text: str, expected: set[str]
) -> None:
    assert expected <= set(names_of(extractor, text))
