"""Passages cut to whole sentences around their best window, as many as a budget holds.

Answers that were cut short are cut to whole sentences as well.

Knows neither models nor prompts; counting tokens is the caller's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from ...text.language import detect_language
from ...text.sentences import split_sentences
from ...types import Passage

PASSAGE_TOKENS = 220
GATHERED_TOKENS = 90  # where a question gathers: more places, less of each
LEAST_TOKENS = 60  # a smaller piece of a passage says too little
LARGE_CONTEXT = 3000  # from here on passages stay whole
PLACE_TOKENS = 6  # number and line ends around a passage

_MARKS = r"(?:\s*\[[\d,，、;\s]+\])*"
_SENTENCE_END = re.compile(rf"[.!?…]+[”\"’)]*{_MARKS}(?=\s|$)|[。！？…]+[”\"’」』）]*{_MARKS}")

CountTokens = Callable[[str], int]


def choose_passages(
    passages: Sequence[Passage],
    budget: int,
    count_tokens: CountTokens,
    read_before: Sequence[Passage] = (),
    passage_tokens: int = PASSAGE_TOKENS,
) -> list[Passage]:
    """Return the best parts of the best passages that fit, at least one; the best comes last.

    A passage is cut to the sentences around its best window, so that a small budget still
    holds several places of a book. The passages are in ascending order of rank: a small model
    gives most weight to what it reads just before the question.

    Args:
        read_before: the sources of the last prompt; as many of the first of them as are wanted
            again stay first and as they were, for the model need not read those anew. The best
            passage stays last all the same.
    """
    most = passage_tokens if budget < LARGE_CONTEXT else budget // 4
    chosen: list[Passage] = []
    used = 0
    for passage in passages:
        n_place = count_tokens(name_place(passage)) + PLACE_TOKENS
        left = budget - used - n_place
        if chosen and left < LEAST_TOKENS:
            break
        part = cut_around_best(passage, max(LEAST_TOKENS, min(most, left)), count_tokens)
        n_tokens = count_tokens(part.text) + n_place
        if chosen and used + n_tokens > budget:
            continue  # one sentence that is longer than what is left
        chosen.append(part)
        used += n_tokens
    return _keep_leading(chosen, read_before)


def name_place(passage: Passage) -> str:
    """Return where a passage stands, as the model is told: title and heading."""
    return f"{passage.title}{' · ' + passage.heading if passage.heading else ''}"


def _keep_leading(chosen: list[Passage], read_before: Sequence[Passage]) -> list[Passage]:
    wanted = {p.chunk_id: p for p in reversed(chosen)}
    best = chosen[0].chunk_id if chosen else None
    leading: list[Passage] = []
    for old in read_before:
        new = wanted.get(old.chunk_id)
        if new is None or new.chunk_id == best:
            break
        if not (old.start <= new.best_start and new.best_end <= old.end):
            break
        kept = replace(new, start=old.start, end=old.end, text=old.text)
        leading.append(kept)
        del wanted[old.chunk_id]
    return leading + list(wanted.values())


def cut_around_best(passage: Passage, max_tokens: int, count_tokens: CountTokens) -> Passage:
    """Return the passage cut to whole sentences around its best window."""
    if count_tokens(passage.text) <= max_tokens:
        return passage
    language = detect_language(passage.text)
    spans = split_sentences(passage.text, language)
    best = (passage.best_start - passage.start, passage.best_end - passage.start)
    inside = [i for i, (a, b) in enumerate(spans) if a < best[1] and b > best[0]] or [0]
    first = last = inside[0]
    used = count_tokens(passage.text[slice(*spans[first])])
    # Grow to the end of the window first, then by turns to both sides.
    for step in (*inside[1:], *_by_turns(inside[0], inside[-1], len(spans))):
        cost = count_tokens(passage.text[slice(*spans[step])])
        if used + cost > max_tokens:
            if step in inside:
                break
            continue
        if step not in (first - 1, last + 1):
            continue
        first, last, used = min(first, step), max(last, step), used + cost
    start, end = spans[first][0], spans[last][1]
    return replace(
        passage,
        start=passage.start + start,
        end=passage.start + end,
        text=passage.text[start:end],
        best_start=max(passage.best_start, passage.start + start),
        best_end=min(passage.best_end, passage.start + end),
    )


def _by_turns(first: int, last: int, size: int) -> list[int]:
    """Return indices outside first..last: one after, one before, two after, and so on."""
    found: list[int] = []
    for distance in range(1, size):
        found += [i for i in (last + distance, first - distance) if 0 <= i < size]
    return found


def cut_unfinished(text: str) -> str:
    """Return what a model wrote until it had to stop, without the sentence it was in.

    Where that is most of it, the text stays and an ellipsis says that it goes on.
    """
    text = text.rstrip()
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    end = max(ends[-1] if ends else 0, text.rfind("\n"))
    if end == len(text):
        return text
    return text[:end].rstrip() if end > len(text) // 2 else f"{text} …"
