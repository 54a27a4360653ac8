"""The instant graph of a Chinese text, with the real tagger."""

from __future__ import annotations

import re

import pytest

from desktop_app.engine.extract.chinese_matching import iter_found
from desktop_app.engine.extract.chinese_nicknames import find_nicknames
from desktop_app.engine.extract.instant import InstantExtractor, guess_script
from desktop_app.engine.types import ChunkEvidence, ChunkSpan

TEXT = (
    "且说王进是东京的教头，姓王，名进，绰号铁臂膀。那王提辖住在东京城里。\n\n"
    "王进道：“李忠哥哥何在？”李忠大怒，王进听了便笑。知府叫庄客请李忠吃酒。\n\n"
    "次日，铁臂膀王进与李忠同到延安府。只见李忠拜了王进，王进说道：“且去延安府。”\n\n"
    "后来铁臂膀王进读了《史记》。王进和李忠都在延安府住下。铁臂膀王进大喜。"
)


def split_sentences(text: str, _: str) -> list[tuple[int, int]]:
    return [match.span() for match in re.finditer(r"[^。！？\n]+[。！？]?”?", text)]


@pytest.fixture(scope="module")
def evidence() -> ChunkEvidence:
    extractor = InstantExtractor(split_sentences)
    return next(extractor.extract(TEXT, [ChunkSpan(0, 0, len(TEXT), 0)], "zh"))


def test_every_place_of_a_name_is_found_with_exact_offsets(evidence: ChunkEvidence) -> None:
    for mention in evidence.mentions:
        assert TEXT[mention.start : mention.end] == mention.name
        assert mention.sentence_start <= mention.start < mention.end <= mention.sentence_end
    assert sum(m.name == "王进" for m in evidence.mentions) == TEXT.count("王进")


def test_verbs_and_storytellers_words_are_cut_from_names(evidence: ChunkEvidence) -> None:
    names = {mention.name for mention in evidence.mentions}
    assert {"王进", "李忠", "延安府"} <= names
    assert not names & {"王进道", "李忠大怒", "王进听", "只见李忠", "且说王进", "那王提辖"}


def test_titles_alone_are_no_names_but_with_a_surname_they_are(evidence: ChunkEvidence) -> None:
    names = {mention.name for mention in evidence.mentions}
    assert "王提辖" in names
    assert not names & {"知府", "庄客", "哥哥", "教头", "提辖"}


def test_people_places_and_works_have_their_types(evidence: ChunkEvidence) -> None:
    types = {mention.name: mention.type for mention in evidence.mentions}
    assert types["王进"] == "person"
    assert types["延安府"] == "place"
    assert types["史记"] == "object"


def test_a_nickname_is_a_name_of_its_own_and_equal_to_its_owner(evidence: ChunkEvidence) -> None:
    assert "铁臂膀" in {mention.name for mention in evidence.mentions}
    assert any(set(pair) == {"铁臂膀", "王进"} for pair in evidence.also_called)


def test_pairs_carry_the_words_between_them(evidence: ChunkEvidence) -> None:
    ties = [r for r in evidence.relations if {r.source, r.target} == {"王进", "李忠"}]
    assert len(ties) == 1
    assert ties[0].weight > 1


def test_traditional_characters_work_too() -> None:
    text = "劉備與關羽、張飛在桃園結義。劉備道：「關羽何在？」關羽笑道：「兄長！」張飛大怒。"
    extractor = InstantExtractor(split_sentences)
    found = next(extractor.extract(text, [ChunkSpan(0, 0, len(text), 0)], "zh"))
    assert {"劉備", "關羽", "張飛"} <= {mention.name for mention in found.mentions}


def test_chunks_do_not_change_the_names() -> None:
    extractor = InstantExtractor(split_sentences)
    half = TEXT.index("次日")
    chunks = [ChunkSpan(0, 0, half, 0), ChunkSpan(1, half, len(TEXT), 0)]
    whole = list(extractor.extract(TEXT, chunks, "zh"))
    rest = list(extractor.extract(TEXT, chunks, "zh", skip=frozenset({0})))
    assert rest == whole[1:]


def test_a_word_before_many_names_is_no_nickname() -> None:
    text = "花和尚鲁智深来了。" * 5 + "好汉林冲，好汉武松，好汉史进，好汉鲁智深。" * 4
    found = find_nicknames(text, ["鲁智深", "林冲", "武松", "史进"])
    assert found == {"花和尚": "鲁智深"}


def test_finding_gives_starts_of_all_names() -> None:
    assert list(iter_found("宋江见宋江", ["宋江"])) == [(0, "宋江"), (3, "宋江")]
    assert list(iter_found("宋江", [])) == []


def test_script_is_guessed_when_the_language_is_unknown() -> None:
    assert guess_script("却说宋江") == "zh"
    assert guess_script("Call me Ishmael.") == "und"
