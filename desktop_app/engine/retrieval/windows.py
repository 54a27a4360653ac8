"""Chooses the best window of each passage, which the prompt keeps and the answer quotes.

A passage is a whole chunk; what answers the question is two or three sentences of it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import log

from ..model import ChunkId, Passage
from ..store import search as search_rows
from ..text.chunking import split_sentences
from ..text_tables import header_above
from ..writing_systems import language_of, stems
from .search_state import SearchState, scale_to_unit

LONGEST_WINDOW = 600  # characters, where it is extended
MOST_BETWEEN = 2  # sentences without a word asked for, between two that have one
REST_SHARE = 0.5  # of the question without its names, against the whole question
WINDOW_WORD_SHARE = 0.35  # of the words of the question, against the cosine
# What a model reads of a passage alone: about 140 tokens in both kinds of writing (decision 168).
READ_CHARS, READ_HAN_CHARS = 600, 180


def choose_windows(search: SearchState, passages: list[Passage]) -> list[Passage]:
    """Return the passages; those of books with the window best by words and vector (decision 91).

    Rare words count more; rare is what few windows of these passages have.
    """
    index = search.index
    ids = [p.chunk_id for p in passages if not index.titled[index.position[p.chunk_id]]]
    if search.query_vec is None or not ids:
        return passages
    spans, vectors = search_rows.fetch_window_vectors(search.db, ids)
    if not spans:
        return passages
    wanted = stems(search.question)
    known = {p.chunk_id: p for p in passages}
    own = []
    for _, chunk_id, first, last in spans:
        passage = known[ChunkId(chunk_id)]
        start, end = first - passage.start, last - passage.start
        header = header_above(passage.text, passage.table, start)
        own.append(wanted & (stems(passage.text[start:end]) | stems(header)))
    n_with = Counter(word for words in own for word in words)
    rarity = {word: log(1.0 + len(own) / (n + 0.5)) for word, n in n_with.items()}
    by_words = scale_to_unit(dict(enumerate(sum(rarity[w] for w in words) for words in own)))
    cosines = vectors @ search.query_vec
    if search.rest_vec is not None:
        cosines = (1.0 - REST_SHARE) * cosines + REST_SHARE * (vectors @ search.rest_vec)
    by_meaning = scale_to_unit(dict(enumerate(cosines.tolist())))
    best: dict[int, tuple[float, int, int]] = {}
    for n, (_, chunk_id, first, last) in enumerate(spans):
        score = WINDOW_WORD_SHARE * by_words[n] + (1.0 - WINDOW_WORD_SHARE) * by_meaning[n]
        best[chunk_id] = max(best.get(chunk_id, (-1.0, 0, 0)), (score, first, last))
    chosen = []
    for passage in passages:
        if passage.chunk_id in best:
            window = extend_window(passage, best[passage.chunk_id][1:], search.question)
            passage = replace(passage, best_start=window[0], best_end=window[1])
        chosen.append(passage)
    return chosen


def extend_window(passage: Passage, window: tuple[int, int], question: str) -> tuple[int, int]:
    """Return a window with the sentences around it that have words asked for.

    A few sentences without such a word may stand between them (`MOST_BETWEEN`). On 300 questions
    about novels the first three windows have the evidence for 0.38 and 0.40 of both halves,
    without this for 0.32 and 0.36; they are a quarter longer (decision 91).
    """
    spans, inside = _find_sentences(passage, window)
    start, end = window[0] - passage.start, window[1] - passage.start
    if not inside:
        return window
    asked = stems(question)
    has_asked = [not asked.isdisjoint(stems(passage.text[a:b])) for a, b in spans]
    first, last = inside[0], inside[-1]
    for step in (1, -1):
        while True:
            edge = last if step > 0 else first
            reach = (edge + step * n for n in range(1, MOST_BETWEEN + 2))
            beside = (i for i in reach if 0 <= i < len(spans))
            found = next((i for i in beside if has_asked[i]), edge)
            low, high = min(first, found), max(last, found)
            if found == edge or spans[high][1] - spans[low][0] > LONGEST_WINDOW:
                break
            first, last = low, high
    if first < inside[0]:
        start = spans[first][0]
    if last > inside[-1]:
        end = spans[last][1]
    return passage.start + start, passage.start + end


def widen_window(passage: Passage, window: tuple[int, int]) -> tuple[int, int]:
    """Return a window with the sentences after and before it, in turn, while they are short enough.

    What answers a question is often beside the sentence that is most like it. A window that is long
    already only gets its first and last sentence whole.
    """
    most = READ_HAN_CHARS if language_of(passage.text) == "zh" else READ_CHARS
    spans, inside = _find_sentences(passage, window)
    start, end = window[0] - passage.start, window[1] - passage.start
    if not inside:
        return window
    first, last = inside[0], inside[-1]
    can_grow = True
    while can_grow:
        can_grow = False
        for step in (1, -1):
            low, high = (first, last + 1) if step > 0 else (first - 1, last)
            if low >= 0 and high < len(spans) and spans[high][1] - spans[low][0] <= most:
                first, last, can_grow = low, high, True
    return passage.start + min(start, spans[first][0]), passage.start + max(end, spans[last][1])


def _find_sentences(
    passage: Passage, window: tuple[int, int]
) -> tuple[list[tuple[int, int]], list[int]]:
    """Return the places of the sentences in a passage, and the numbers of those in a window."""
    spans = split_sentences(passage.text, language_of(passage.text))
    start, end = window[0] - passage.start, window[1] - passage.start
    return spans, [i for i, (a, b) in enumerate(spans) if a < end and b > start]
