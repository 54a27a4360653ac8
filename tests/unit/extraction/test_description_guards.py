"""Tests the guards of descriptions: only words of the text, complete sentences, with the names."""

from __future__ import annotations

import codecs
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.engine.extraction.llm.descriptions import (
    FUNCTION_WORDS_EN,
    FUNCTION_WORDS_ZH,
    FaithfulGuard,
    FreshGuard,
    count_own_words,
    drop_repeated,
)

TEXT = "Old Captain Harrow came to Wexley with his daughter Ruth on 3 May; Samuel wasn’t there."
TALE = "老船主何远带着女儿如月来到卫城，在醉仙楼遇着讼师桂生。"
HARROW = FaithfulGuard(("Captain Harrow", "Ruth"), TEXT)
HEYUAN = FaithfulGuard(("何远", "如月"), TALE)


def feed(guard: FaithfulGuard, text: str | bytes, size: int = 0):
    """Feed a text in tokens of `size` bytes (0: at once); return the state and success."""
    state, data = guard.begin(), text if isinstance(text, bytes) else text.encode()
    pieces = [data[i : i + size] for i in range(0, len(data), size)] if size else [data]
    for piece in pieces:
        if not state.take(piece):
            return state, False
    return state, True


def passes(guard: FaithfulGuard, text: str) -> bool:
    state, taken = feed(guard, text)
    return taken and state.may_end


@pytest.mark.parametrize(
    "sentence",
    [
        " Ruth is the daughter of Captain Harrow.",
        "Captain Harrow came to Wexley with Ruth, on 3 May.",
        " ruth and CAPTAIN HARROW were there",
        "Ruth wasn’t with Captain Harrow.",
    ],
)
def test_a_sentence_in_the_words_of_the_text_passes(sentence):
    assert passes(HARROW, sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Ruth is the sister of Captain Harrow.",  # a word of its own
        "Ruth is the daught of Captain Harrow.",  # half a word
        "Ruth came with Captain Harrow on 4 May.",  # a number
        "Ruth met Captain Harrow",
        "Ruth came with Captain Harrow to York",
        "Ruth “came” with Captain Harrow.",
        "Ruth came\nwith Captain Harrow.",
        "Ruth 来 with Captain Harrow.",
        "Ruth came with Captain Harrow 🙂",
        "**Ruth** came with Captain Harrow",
        "Ruth cámé with Captain Harrow",
    ],
)
def test_a_word_not_in_the_text_is_refused(sentence):
    for size in (0, 1, 3):
        _, taken = feed(HARROW, sentence, size)
        assert not taken


def test_both_names_are_needed_before_a_sentence_ends():
    state, _ = feed(HARROW, "Ruth came to Wexley")
    assert not state.may_end and not state.must_end
    assert not state.take(b"."), "the end would come too early"
    assert state.take(b" with Captain Harrow")
    assert state.may_end and not state.must_end
    assert state.take(b".") and state.must_end
    assert not state.take(b" "), "one sentence is enough"


def test_a_name_inside_another_word_does_not_count():
    guard = FaithfulGuard(("Sam", "Ann"), "Sam and Samuel saw Ann and Anna.")
    assert not passes(guard, "Samuel saw Ann") and not passes(guard, "Sam saw Anna")
    assert passes(guard, "Sam saw Ann") and passes(guard, "Ann’s Sam.")
    assert passes(FaithfulGuard(("C. P.", "Bo"), "C. P. saw Bo."), "Bo saw C. P.")


def test_the_beginning_of_a_word_must_be_completed():
    state = HARROW.begin()
    for piece in (b" Ru", b"th", b" is Cap", b"tain", b" Har", b"row", b" daug"):
        assert state.take(piece), piece
    assert not state.may_end, "half a word"
    assert not state.take(b"."), "half a word, too"
    assert not state.take(b"gy") and state.take(b"hter") and state.may_end


def test_abbreviations_end_no_sentence():
    guard = FaithfulGuard(("Mr. Dow", "Dr. A. Lowe"), "Mr. Dow saw Dr. A. Lowe in St. Ives.")
    assert passes(guard, "Dr. A. Lowe saw Mr. Dow in St. Ives.")
    state, taken = feed(guard, "Mr. Dow saw Dr. A. Lowe.")
    assert taken and state.must_end


def test_an_alternative_text_may_be_written_instead():
    guard = FaithfulGuard(("Captain Harrow", "Ruth"), TEXT, "none")
    for written in (" none", "none"):
        state, taken = feed(guard, written, 1)
        assert taken and state.may_end and state.must_end
    state, _ = feed(guard, " no")
    assert not state.may_end
    assert passes(guard, "No daughter was with Captain Harrow but Ruth.")
    assert not passes(HARROW, "none") and not feed(guard, "none.")[1]
    assert feed(FaithfulGuard(("何远",), TALE, "无"), "无", 1)[0].must_end


def test_chinese_sentences_use_only_characters_of_the_text():
    for size in (0, 1, 2, 4):
        state, taken = feed(HEYUAN, "如月是何远的女儿。", size)
        assert taken and state.must_end
    assert not feed(HEYUAN, "如月是何远的妻")[1], "妻 is not in the text"
    assert not feed(HEYUAN, "如月是何远的Daughter")[1]
    assert not feed(HEYUAN, "如月到卫城。")[1], "one name is missing"
    mixed = FaithfulGuard(("Breeze", "谷库"), "我们用Breeze训练谷库。")
    assert passes(mixed, "Breeze训练谷库。")
    assert not feed(mixed, "Gust训练谷库")[1] and not feed(mixed, "谷库Gust")[1]


def test_a_character_may_be_split_over_tokens():
    state = HEYUAN.begin()
    first, *_ = ("如".encode()[:n] for n in (1, 2))
    assert state.take(first) and not state.may_end and not state.must_end
    assert not state.take(b"a"), "the character was not whole"
    assert state.take("如".encode()[1:])
    assert not state.take("妻".encode()[:2] + b"\x00")
    assert not state.take(b"\xff") and not state.take(b"\x80")
    # Bytes that start no character of the text are refused.
    assert not state.take("🙂".encode()[:1])
    assert state.take("月何远".encode()) and state.may_end
    assert state.take("的".encode()[:2]) and not state.may_end


def test_a_refused_token_does_not_change_the_state():
    state = HARROW.begin()
    assert state.take(b"Ruth") and not state.take(b" killed")
    assert state.take(b" came with Captain Harrow.") and state.must_end


words = st.sampled_from(
    [*re.findall(r"\w+", TEXT), "is", "the", "york", "murder", "Rut", "4", "。"]
)
glue = st.sampled_from([" ", "", ", ", "’", ".", "-", "\n"])


@given(st.lists(st.one_of(words, glue, st.text(max_size=3)), max_size=14), st.integers(0, 3))
def test_accepted_text_consists_of_words_of_the_text_and_contains_the_names(parts, size):
    written = "".join(parts) + " Captain Harrow Ruth"
    state, taken = feed(HARROW, written, size)
    if not (taken and state.may_end):
        return
    known = {w.casefold() for w in re.findall(r"[^\W_]+", TEXT)} | FUNCTION_WORDS_EN
    assert {w for w in re.findall(r"[a-z\d]+", written.casefold())} <= known
    assert "captain harrow" in written.casefold() and "ruth" in written.casefold()
    assert "\n" not in written


@given(st.lists(st.sampled_from([*TALE, *"妻杀的是a1"]), max_size=12), st.integers(0, 4))
def test_accepted_chinese_text_consists_of_characters_of_the_text(parts, size):
    written = "".join(parts) + "何远如月"
    state, taken = feed(HEYUAN, written, size)
    if taken and state.may_end:
        assert set(written) <= set(TALE) | FUNCTION_WORDS_ZH


@given(st.lists(st.binary(max_size=3), max_size=8))
def test_any_bytes_are_accepted_or_refused(pieces):
    state, written = HEYUAN.begin(), b""
    for piece in pieces:
        if state.take(piece):
            written += piece
    codecs.getincrementaldecoder("utf-8")().decode(written)  # raises unless it may continue
    if state.may_end:
        written.decode("utf-8")


def test_names_and_function_words_alone_are_no_content():
    assert count_own_words("Ruth is with Captain Harrow.", ("Ruth", "Captain Harrow")) == 0
    assert count_own_words("Ruth is the daughter.", ("Ruth",)) == 1
    assert count_own_words("何远和如月。", ("何远", "如月")) == 0
    assert count_own_words("如月是女儿。", ("如月",)) == 2


# --- repeated sentences ---------------------------------------------------------------------------

ROUND = (
    "Scrooge is an old money-lender in London, who raises Bob's salary. The ghost of Marley visits "
    "him. He is an old money-lender in London, who raises Bob's salary. He learns that Tim will "
    "die."
)


def write(text: str, size: int) -> tuple[str, bool]:
    """Feed a text in tokens; return the accepted text and whether it had to end."""
    state, whole = FreshGuard().begin(), text.encode()
    passed = b""
    for i in range(0, len(whole), size):
        if not state.take(whole[i : i + size]):
            break
        passed += whole[i : i + size]
    return passed.decode("utf-8", errors="ignore"), state.must_end


def test_a_sentence_repeated_with_another_subject_is_dropped():
    assert drop_repeated(ROUND) == (
        "Scrooge is an old money-lender in London, who raises Bob's salary. The ghost of Marley "
        "visits him. He learns that Tim will die."
    )
    assert (
        drop_repeated("宋江是押司。宋江杀了阎婆惜。宋江是押司。") == "宋江是押司。宋江杀了阎婆惜。"
    )
    assert drop_repeated("Once. Twice") == "Once. Twice"


def test_writing_ends_soon_after_a_sentence_repeats():
    passed, ended = write(ROUND, 4)
    assert ended and passed.startswith(ROUND[:150]) and len(passed) < len(ROUND) - 20
    assert write("He came. She left. They met at Dr. Wren's house in the lane.", 3)[1] is False


@given(st.text(max_size=300), st.integers(1, 7))
def test_text_without_repeats_stays_unchanged(text, size):
    passed, ended = write(text, size)
    assert ended or passed == text.encode("utf-8", "ignore").decode("utf-8", "ignore")
    kept = drop_repeated(text)
    assert len(kept) <= len(text) and drop_repeated(kept) == kept.strip()
