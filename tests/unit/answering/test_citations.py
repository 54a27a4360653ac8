"""Tests citations: checking marks, assigning sources, narrowing to sentences."""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from desktop_app.engine.answering.citations import (
    MARK,
    build_passages_answer,
    check_marks,
    cite,
    escape_markdown,
    find_clear_sentences,
    find_definition,
    find_key_sentence,
    find_new_words,
    narrow,
    number_by_rank,
    stream_by_rank,
)
from desktop_app.engine.model import Answer, ChunkId, DocumentId, Passage, RetrievalResult

TEXT = "Marley was dead. Scrooge and he were partners for years. Fog came pouring in."


def passage(text: str = TEXT, start: int = 100) -> Passage:
    return Passage(1, 7, "A Carol", start, start + len(text), 1.0, text, start, start + 16)


def test_a_mark_cites_the_sentence_before_it():
    text, citations = check_marks("They were partners for many years [1].", [passage()])
    assert text == "They were partners for many years [1]."
    assert citations[0].quote == "Scrooge and he were partners for years."
    assert (citations[0].document_id, citations[0].start) == (7, 100 + TEXT.index("Scrooge"))


def test_marks_at_the_start_of_a_sentence_are_moved_to_its_end():
    text, citations = check_marks(
        "[1] Scrooge and he were partners. [2] Fog came.",
        [passage(), passage("Fog came.", 0)],
    )
    assert text == "Scrooge and he were partners [1]. Fog came [2]."
    assert citations[0].quote == "Scrooge and he were partners for years."


def test_marks_collected_at_the_end_are_assigned_to_their_sentences():
    text, citations = check_marks(
        "Fog came in. They were partners for years. [1] [2] [3]",
        [passage("Nothing here.", 0), passage("Fog came pouring in.", 0), passage()],
    )
    assert text == "Fog came in [2]. They were partners for years [3]."
    assert [c.number for c in citations] == [2, 3]


def test_a_mark_of_the_wrong_source_is_replaced_by_the_right_one():
    text, citations = check_marks(
        "Scrooge and he were partners for years [1].",
        [passage("Bananas grow in Ecuador, where it rains.", 0), passage()],
    )
    assert text == "Scrooge and he were partners for years [2]."
    assert citations[0].quote == "Scrooge and he were partners for years."


def test_a_sentence_without_a_mark_gets_one_if_a_single_source_supports_it():
    sources = [
        passage("秤房里有一枚铜权，权身上刻着两个字：无私。", 0),
        passage("沈衡送他一枚小铜权，上面刻着四个字：秤不问名。", 50),
    ]
    answer = "秤房的铜权上刻的是无私。送给海鸥的小铜权上刻着秤不问名[2]。"
    asked = "秤房的铜权上刻的是什么字？送给海鸥的小铜权上又刻着什么？"
    text, citations = check_marks(answer, sources, asked)
    assert text == "秤房的铜权上刻的是无私 [1]。送给海鸥的小铜权上刻着秤不问名 [2]。"
    assert [c.quote for c in citations] == [sources[0].text, sources[1].text]


def test_a_sentence_that_two_or_no_sources_support_gets_no_mark():
    sources = [passage("Fog came pouring in.", 0), passage("The fog came pouring in again.", 0)]
    answer = "Fog came pouring in. Bananas grow in Ecuador. It came again [2]."
    text, _ = check_marks(answer, sources)
    assert text == answer


def test_a_mark_behind_a_full_stop_belongs_to_the_sentence_before_it():
    sources = [passage("Marley was dead.", 0), passage("Fog came pouring in.", 50)]
    text, _ = check_marks("Fog came pouring in. [2] Marley was dead. [1]", sources)
    assert text == "Fog came pouring in. [2] Marley was dead. [1]"


def test_a_mark_without_a_source_is_removed():
    text, citations = check_marks("He was dead [1][4]. So it goes [9].", [passage()])
    assert text == "He was dead [1]. So it goes."
    assert [c.number for c in citations] == [1]


def test_several_numbers_in_one_mark_become_several_marks():
    text, citations = check_marks("Dead [1, 2].", [passage(), passage("Old Marley.", 0)])
    assert text == "Dead [1] [2]."
    assert len(citations) == 2


def test_an_answer_without_marks_cites_the_source_that_supports_it():
    text, citations = check_marks("Scrooge and Marley were partners for years.", [passage()])
    assert text.endswith("[1]")
    assert citations[0].quote.startswith("Scrooge and he")


def test_an_answer_that_no_source_supports_gets_no_citation():
    text, citations = check_marks("Bananas grow in Ecuador.", [passage()])
    assert (text, citations) == ("Bananas grow in Ecuador.", ())


def test_words_of_the_question_count_little_for_the_cited_place():
    one = passage("Old Marley was a dry man. He slit the letter open. Marley and the fog came.", 0)
    question = "What did old dry Marley do with the letter?"
    start, end = narrow(one, "Old dry Marley slit it open.", question)
    assert one.text[start:end] == "He slit the letter open."


@pytest.mark.parametrize(
    ("claim", "quoted"),
    [
        ("The brig Swallow carried 26 sailors.", "Of the 1,040 that signed on, 26 came home."),
        ("The brig Swallow carried 1040 sailors.", "Of the 1,040 that signed on, 26 came home."),
        ("The brig Swallow carried 27 sailors.", "The brig Swallow carried sailors for the fleet."),
        ("The brig Swallow had 2 masts.", "The brig Swallow carried sailors for the fleet."),
    ],
)
def test_a_claim_with_a_number_is_from_a_sentence_that_has_it(claim, quoted):
    text = (
        "The brig Swallow carried sailors for the fleet. Bread was dear in the port that year. "
        "Of the 1,040 that signed on, 26 came home."
    )
    start, end = narrow(chunk(1, text), claim, "How many sailors had the 2 brigs?")
    assert text[start:end] == quoted


def test_chinese_citations_are_narrowed_to_a_sentence():
    one = passage("次日天晓，收拾行李。智深圆寂于六和寺。众人大惊。", 0)
    start, end = narrow(one, "鲁智深在六和寺圆寂")
    assert one.text[start:end] == "智深圆寂于六和寺。"


@given(st.text(alphabet="ab [1]2,9【】。.\n", max_size=60))
def test_checking_never_raises_and_leaves_no_mark_without_a_source(answer):
    text, citations = check_marks(answer, [passage()])
    numbers = {c.number for c in citations}
    assert numbers <= {1}
    marks = {int(n) for n in re.findall(r" \[(\d+)\]", text)}
    assert marks <= numbers


def test_an_answer_that_nothing_was_found_keeps_no_mark():
    text = "The documents do not say. See the letter of the old pilot. [1]"
    assert check_marks(text, ()) == (
        "The documents do not say. See the letter of the old pilot.",
        (),
    )


def chunk(number: int, text: str = TEXT) -> Passage:
    return Passage(number, 7, "A Carol", 0, len(text), 1.0 / number, text, 0, 16)


def test_a_citation_has_the_rank_of_its_passage_and_two_of_one_passage_have_the_same():
    found = [chunk(1), chunk(2), chunk(3)]
    outside = chunk(9)
    sources = [chunk(3), outside, chunk(1)]
    cited = [cite(n, sources[n - 1], 0, 16) for n in (1, 2, 3)] + [cite(4, chunk(3), 17, 20)]
    text, citations = number_by_rank("a [1], b [2, 3]. `x[1]` [4]", cited, found, sources)
    assert text == "a [3], b [4, 1]. `x[1]` [3]"
    assert [(c.number, c.chunk_id) for c in citations] == [(1, 1), (3, 3), (3, 3), (4, 9)]
    assert number_by_rank(text, citations, found) == (text, citations)  # of a stored answer
    assert number_by_rank("In [12] or [1]", cited, found) == ("In [12] or [1]", tuple(cited))
    assert number_by_rank("a [1]", cited, ()) == ("a [1]", tuple(cited))  # not loaded


@given(st.lists(st.integers(0, 40), max_size=4))
def test_a_streamed_mark_has_its_rank_wherever_the_text_is_cut(cuts):
    text = "Fog [1], rain [2, 3]. Sun [9]. And [a] [1"
    bounds = sorted({0, len(text), *(min(cut, len(text)) for cut in cuts)})

    def write():
        for start, end in itertools.pairwise(bounds):
            yield text[start:end]
        return Answer(text, (), RetrievalResult("q", "walk", ()))

    shown = stream_by_rank(write(), [chunk(3), chunk(1), chunk(2)], [chunk(n) for n in (1, 2, 3)])
    assert "".join(shown) == "Fog [3], rain [1, 2]. Sun. And [a] [1"


def test_a_quotation_has_the_sentence_that_is_marked_in_its_passage():
    question = "Where did the fog come pouring in?"
    found = RetrievalResult(question, "walk", (chunk(1),))
    [citation] = build_passages_answer(found, "en").citations
    start, end = find_key_sentence(chunk(1), question)
    assert TEXT[start:end] == "Fog came pouring in."
    assert citation.start <= start and end <= citation.end


def test_only_a_key_sentence_near_the_best_one_of_all_passages_is_clear():
    texts = (
        "Ada rowed across. The ferry sank in the fog near Harrow Ford.",
        "Ada sang. Ada slept.",
        "The ferry was new. Nobody sank.",
    )
    passages = [
        Passage(ChunkId(n), DocumentId(1), "T", 0, len(text), 1.0, text, 0, len(text))
        for n, text in enumerate(texts)
    ]
    question = "Why did Ada's ferry sink in the fog near Harrow Ford?"
    found = find_clear_sentences(passages, question)
    spans = [find_key_sentence(passage, question) for passage in passages]
    assert [span for span, _ in found] == spans
    assert [is_clear for _, is_clear in found] == [True, False, False]
    assert all(is_clear for _, is_clear in find_clear_sentences(passages[1:2], question))
    # a rare word of the question in a passage far down decides nothing
    stray = find_clear_sentences([*[passages[1]] * 4, passages[0]], question)
    assert all(is_clear for _, is_clear in stray)
    assert find_clear_sentences([], question) == []


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("call fz_open_document(fz_context *ctx)", "call fz_open_document(fz_context ∗ctx)"),
        (
            "a[i] of List<String>, see [12, 13] and 【2】",
            "a[i] of List<String>, see (12, 13) and (2)",
        ),
        ("# no heading, `code` and [a](http://b)", "no heading, 'code' and [a] (http://b)"),
        ("_so_ it was", "so it was"),
    ],
)
def test_a_quotation_is_shown_as_it_is_and_is_no_markup(stored: str, shown: str) -> None:
    assert escape_markdown(stored).strip() == shown
    assert not MARK.search(shown)
    html = MarkdownIt("commonmark", {"html": False}).render(f"> {escape_markdown(stored)} [1]")
    assert not re.search(r"<(?!/?(blockquote|p)>)", html)


@pytest.mark.parametrize(
    ("question", "best"),
    [
        ("What is the Abbess?", "The Abbess was a brass weight."),
        ("Where is the Abbess?", "Under a glass bell sat the Abbess."),
    ],
)
def test_the_sentence_that_says_what_something_is_comes_first(question: str, best: str) -> None:
    text = "Under a glass bell sat the Abbess. The Abbess was a brass weight. It rained."
    made = Passage(1, 7, "Quenby", 0, len(text), 1.0, text, 0, 30)
    start, end = find_key_sentence(made, question)
    assert text[start:end] == best


def test_only_questions_in_so_many_words_ask_what_something_is() -> None:
    for question in (
        "What is the name of the captain of his ship?",
        "Who sings?",
        "谁是宋江的师父？",
    ):
        assert find_definition(question) is None
    zh = find_definition("宋江是谁？")
    assert zh is not None and zh.match("宋江是郓城县押司。") and not zh.match("那人是宋江。")


def test_a_sentence_that_is_the_answer_is_marked_with_its_full_stop() -> None:
    sentence = "掌秤的人姓沈，名衡，字子平。"
    assert find_new_words("掌秤的人姓沈，名衡，字子平。", sentence, "沈衡是谁？") == (0, 14)
    key = "Alice finds a tiny golden key."
    assert find_new_words("a tiny golden key", key, "What does Alice find?") == (12, 29)
