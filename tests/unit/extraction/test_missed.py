"""Candidates for names that the instant graph missed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.engine.extraction.llm.slots import MAX_MISSED_NAMES, propose_missed_names
from desktop_app.engine.extraction.llm.tasks import ChunkTask
from desktop_app.engine.model import Mention
from desktop_app.engine.text.chunking import split_sentences


def propose(text: str, *known: str, language: str = "en", start: int = 0) -> list[Mention]:
    sentences = [(start + a, start + b) for a, b in split_sentences(text, language)]
    mentions = []
    for name in known:
        at = start + text.index(name)
        mentions.append(Mention(name, "person", at, at + len(name), at, at + len(name)))
    task = ChunkTask(1, 0, start, text, language, "", mentions=tuple(mentions))
    return propose_missed_names(task, sentences)


def names(text: str, *known: str, language: str = "en") -> list[str]:
    return [m.name for m in propose(text, *known, language=language)]


def test_words_with_capitals_inside_of_a_sentence_are_proposed():
    text = "That day old Tobias Wren saw the Guild of St Anne and, later, Petrel’s mate."
    assert names(text) == ["Tobias Wren", "Guild of St Anne", "Petrel"]


def test_first_words_months_and_forms_of_address_are_not():
    assert names("Nobody came. Never mind, said I, on Monday in May; yes, Sir, No, I’ll go.") == []
    assert names("See the Figure and the Table of the Chapter, Madam.") == []


def test_known_names_and_parts_of_them_are_not_proposed_again():
    text = "There sat Tobias Wren, and Wren laughed at Clara."
    assert names(text, "Tobias Wren") == ["Clara"]
    assert names("There sat Old Tobias Wren.", "Tobias Wren") == [], "it overlaps a known name"


def test_places_are_those_of_the_document_with_their_sentence():
    text = "It rained. That day old Tobias came,\nand Tobias’s dog."
    (found,) = propose(text, start=70)
    assert (found.name, found.type) == ("Tobias", "")
    assert text[found.start - 70 : found.end - 70] == "Tobias"
    assert text[found.sentence_start - 70 : found.sentence_end - 70].startswith("That day")


def test_speakers_are_proposed_in_chinese():
    text = "话说那日，柳三娘笑道：“先生请坐。”众人道：“好。”他道：“走。”沈砚曰：“善。”"
    assert names(text, language="zh") == ["柳三娘", "沈砚"]
    assert names(text, "沈砚", language="zh") == ["柳三娘"]


def test_a_few_are_enough():
    assert len(names("I saw Ann, Bob, Carl, Dora, Emil, Fred and Gus.")) == MAX_MISSED_NAMES


@given(st.text(max_size=200), st.sampled_from(["en", "zh"]), st.integers(0, 50))
def test_every_proposal_stands_in_the_text(text, language, start):
    found = propose(text, language=language, start=start)
    assert len({m.name for m in found}) == len(found) <= MAX_MISSED_NAMES
    for mention in found:
        assert text[mention.start - start : mention.end - start] == mention.name
        assert mention.sentence_start <= mention.start < mention.sentence_end
