"""Builds the context: names, relations and numbered passages that fit the token budget.

Every statement has the number of a passage or sentence, so that each citation leads to text.
Knows neither models nor prompts.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ..messages import Message
from ..model import EntityRow, Passage, RankedReport, RelationRow, RetrievalResult, Stage
from ..retrieval.question_kinds import asks_for_list
from ..store import graph as graph_rows
from ..store import graph_view
from ..store.db import Db
from ..text.chunking import split_sentences
from ..text.readers.document_builder import detect_language
from .prompt import TokenBudget

PASSAGE_TOKENS = 220
GATHERED_TOKENS = 90  # for a question that asks for a list: more passages, shorter ones
MIN_TOKENS = 60  # a shorter part of a passage has too little content
LARGE_CONTEXT = 3000  # from here on passages stay whole
PLACE_TOKENS = 6  # number and line ends around a passage

_MARKS = r"(?:\s*\[[\d,，、;\s]+\])*"
_SENTENCE_END = re.compile(rf"[.!?…]+[”\"’)]*{_MARKS}(?=\s|$)|[。！？…]+[”\"’」』）]*{_MARKS}")

CountTokens = Callable[[str], int]


def choose_passages(
    passages: Sequence[Passage],
    budget: int,
    count_tokens: CountTokens,
    last_sources: Sequence[Passage] = (),
    passage_tokens: int = PASSAGE_TOKENS,
) -> list[Passage]:
    """Return the best parts of the best passages that fit, at least one, in ascending order.

    A passage is cut to the sentences around its best window, so that a small budget still
    has several passages of a book. The best passage comes last, because a small model gives most
    weight to the text just before the question.

    Args:
        last_sources: the sources of the last prompt. Its leading sources that are chosen again
            stay first and unchanged, so that the model reuses its cache for them. The best
            passage comes last all the same.
    """
    most = passage_tokens if budget < LARGE_CONTEXT else budget // 4
    chosen: list[Passage] = []
    used = 0
    for passage in passages:
        n_place = count_tokens(name_place(passage)) + PLACE_TOKENS
        left = budget - used - n_place
        if chosen and left < MIN_TOKENS:
            break
        part = cut_around_best(passage, max(MIN_TOKENS, min(most, left)), count_tokens)
        n_tokens = count_tokens(part.text) + n_place
        if chosen and used + n_tokens > budget:
            continue  # one sentence longer than the remaining budget
        chosen.append(part)
        used += n_tokens
    return _keep_leading(chosen, last_sources)


def name_place(passage: Passage) -> str:
    """Return the title and heading of a passage."""
    return f"{passage.title}{' · ' + passage.heading if passage.heading else ''}"


def _keep_leading(chosen: list[Passage], last_sources: Sequence[Passage]) -> list[Passage]:
    wanted = {p.chunk_id: p for p in reversed(chosen)}
    best = chosen[0].chunk_id if chosen else None
    leading: list[Passage] = []
    for old in last_sources:
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
    # Extend to the end of the window first, then alternately to both sides.
    for step in (*inside[1:], *_alternate(inside[0], inside[-1], len(spans))):
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


def _alternate(first: int, last: int, size: int) -> list[int]:
    """Return indices outside first..last: one after, one before, two after, and so on."""
    found: list[int] = []
    for distance in range(1, size):
        found += [i for i in (last + distance, first - distance) if 0 <= i < size]
    return found


def cut_unfinished(text: str) -> str:
    """Return a truncated answer without its unfinished last sentence.

    If that sentence is more than half of the text, it stays, with an ellipsis.
    """
    text = text.rstrip()
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    end = max(ends[-1] if ends else 0, text.rfind("\n"))
    if end == len(text):
        return text
    return text[:end].rstrip() if end > len(text) // 2 else f"{text} …"


LINE_CHARS = 140  # per name or relation; the passages have the full text
N_MENTIONS = 12
_TITLES = {
    "en": ("Themes:", "Names:", "Relations:", "Passages:"),
    "zh": ("主题：", "人物与事物：", "关系：", "段落："),
}


@dataclass(frozen=True, slots=True)
class Context:
    """The text for the model, its sources ([1] is the first), and what was kept and dropped."""

    text: str
    sources: tuple[Passage, ...]
    stages: tuple[Stage, ...] = ()


@dataclass(frozen=True, slots=True)
class _Line:
    label: str
    head: str
    quote: str
    source: Passage


def build_context(
    db: Db,
    found: RetrievalResult,
    budget: TokenBudget,
    count_tokens: CountTokens,
    language: str,
    last_sources: Sequence[Passage] = (),
    reports: Sequence[RankedReport] = (),
) -> Context:
    """Return the best retrieved passages, entities and relations, cut to the budget.

    Args:
        last_sources: see `choose_passages`.
        reports: of the communities of the retrieved entities; used if the budget has a share.
    """
    started = time.perf_counter()
    entities: list[_Line] = []
    relations: list[_Line] = []
    stages: list[Stage] = []
    size = GATHERED_TOKENS if asks_for_list(found.question) else PASSAGE_TOKENS
    for_passages = budget.context - budget.entities - budget.relations - budget.reports
    themes: list[_Line] = []
    chosen = choose_passages(found.passages, for_passages, count_tokens, last_sources, size)
    if budget.reports:
        lines = [_report_line(r) for r in reports if r.sources]
        themes, stage = _fit("reports", lines, budget.reports, chosen, count_tokens)
        stages.append(stage)
    if budget.entities:
        known: set[int] = {p.document_id for p in found.passages} | {
            r.document_id for r in found.relations if r.document_id is not None
        }
        lines = [line for e in found.entities if (line := _entity_line(db, e, known))]
        entities, stage = _fit("names", lines, budget.entities, chosen, count_tokens)
        stages.append(stage)
        lines = [line for r in found.relations if (line := _relation_line(db, r))]
        relations, stage = _fit("relations", lines, budget.relations, chosen, count_tokens)
        stages.append(stage)
        # The budget that names and relations did not use goes to passages.
        used = sum(
            count_tokens(_format_line(line, chosen)) + 4
            for line in (*themes, *entities, *relations)
        )
        left = budget.context - used
        chosen = choose_passages(found.passages, left, count_tokens, last_sources, size)
    sources = list(chosen)
    parts = []
    themes_title, names_title, relations_title, passages_title = _TITLES[language]
    for title, lines in (
        (themes_title, themes),
        (names_title, entities),
        (relations_title, relations),
    ):
        shown = []
        for line in lines:
            number = _find_number(line, sources)
            if number is None:
                sources.append(line.source)
                number = len(sources)
            shown.append(f"{_format_line(line, chosen)} [{number}]")
        if shown:
            parts.append("\n".join((title, *shown)))
    numbered = "\n\n".join(_format_passage(n, p) for n, p in enumerate(chosen, start=1))
    parts.append(f"{passages_title}\n{numbered}" if parts and numbered else numbered)
    text = "\n\n".join(part for part in parts if part)
    ids = {p.chunk_id for p in chosen}
    stages.append(
        Stage(
            "context",
            tuple(_label(p, n) for n, p in enumerate(chosen, start=1)),
            tuple(_label(p) for p in found.passages if p.chunk_id not in ids),
            round((time.perf_counter() - started) * 1000, 2),
            Message("{used} of {budget} tokens", used=count_tokens(text), budget=budget.context),
        )
    )
    return Context(text, tuple(sources), tuple(stages))


def _fit(
    name: str,
    lines: list[_Line],
    budget: int,
    chosen: Sequence[Passage],
    count_tokens: CountTokens,
) -> tuple[list[_Line], Stage]:
    started = time.perf_counter()
    kept: list[_Line] = []
    used = 0
    for line in lines:
        n_tokens = count_tokens(_format_line(line, chosen)) + 4
        if used + n_tokens > budget:
            break
        kept.append(line)
        used += n_tokens
    stage = Stage(
        f"{name} in the context",
        tuple(line.label for line in kept),
        tuple(line.label for line in lines[len(kept) :]),
        round((time.perf_counter() - started) * 1000, 2),
        Message("{used} of {budget} tokens", used=used, budget=budget),
    )
    return kept, stage


def _entity_line(db: Db, entity: EntityRow, documents: set[int]) -> _Line | None:
    """Return the line of an entity, None where no retrieved document mentions it."""
    mentions = graph_rows.fetch_best_mentions(db, entity.id, N_MENTIONS)
    mention = next((m for m in mentions if m.document_id in documents), None)
    if mention is None:
        return None
    source = graph_view.find_passage(
        db,
        mention.document_id,
        mention.sentence_start,
        mention.sentence_start + len(mention.sentence),
    )
    if source is None:
        return None
    quote = _short(entity.description or mention.sentence)
    return _Line(entity.name, f"{entity.name} ({entity.type})", quote, source)


def _relation_line(db: Db, relation: RelationRow) -> _Line | None:
    if relation.document_id is None or not relation.sentence:
        return None
    source = graph_view.find_passage(
        db, relation.document_id, relation.sentence_start, relation.sentence_end
    )
    if source is None:
        return None
    how = relation.kind or ", ".join(relation.keywords[:3])
    head = f"{relation.source} – {relation.target}{f' ({how})' if how else ''}"
    return _Line(head, head, _short(relation.description or relation.sentence), source)


def _report_line(report: RankedReport) -> _Line:
    source = report.sources[0]
    return _Line(
        report.title, f"{report.title}: {_short(report.summary)}", _short(source.text), source
    )


def _find_number(line: _Line, sources: Sequence[Passage]) -> int | None:
    """Return the number of the source that holds a line's sentence."""
    for number, passage in enumerate(sources, start=1):
        if _contains(passage, line.source):
            return number
    return None


def _contains(passage: Passage, sentence: Passage) -> bool:
    return (
        passage.document_id == sentence.document_id
        and passage.start <= sentence.start
        and sentence.end <= passage.end
    )


def _format_line(line: _Line, chosen: Sequence[Passage]) -> str:
    """Return the text of a line, without its quote where a chosen passage contains it."""
    if any(_contains(passage, line.source) for passage in chosen):
        return f"- {line.head}"
    return f"- {line.head}: {line.quote}"


def _format_passage(number: int, passage: Passage) -> str:
    return f"[{number}] {name_place(passage)}\n{' '.join(passage.text.split())}"


def _label(passage: Passage, number: int = 0) -> str:
    mark = f"[{number}] " if number else ""
    return f"{mark}{name_place(passage)} {passage.score:.2f}"


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LINE_CHARS else text[: LINE_CHARS - 1].rstrip() + "…"
