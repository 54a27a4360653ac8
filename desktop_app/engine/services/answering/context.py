"""What the model is given to answer from: names, relations and numbered passages that fit.

Every line that states something stands on a passage or a sentence with a number, so that a
citation always leads to text. Knows neither models nor wishes.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import said
from ...graph.question_words import gathers
from ...store import graph as graph_rows
from ...store import places
from ...store.db import Db
from ...themes import RankedReport
from ...types import EntityRow, Found, Passage, RelationRow, Stage
from .cutting import (
    GATHERED_TOKENS,
    PASSAGE_TOKENS,
    CountTokens,
    choose_passages,
    name_place,
)
from .pace import Budget

LINE_CHARS = 140  # of what is said of one name or relation; the passages say it whole
N_MENTIONS = 12
_TITLES = {
    "en": ("Themes:", "Names:", "Relations:", "Passages:"),
    "zh": ("主题：", "人物与事物：", "关系：", "段落："),
}


@dataclass(frozen=True, slots=True)
class Context:
    """The text for the model, its numbered sources ([1] is the first), and what was cut."""

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
    found: Found,
    budget: Budget,
    count_tokens: CountTokens,
    language: str,
    read_before: Sequence[Passage] = (),
    reports: Sequence[RankedReport] = (),
) -> Context:
    """Return the best of what was found, cut to the budget.

    Args:
        read_before: see `choose_passages`.
        reports: on the communities of what was found, for the budget's share of reports.
    """
    started = time.perf_counter()
    entities: list[_Line] = []
    relations: list[_Line] = []
    stages: list[Stage] = []
    size = GATHERED_TOKENS if gathers(found.question) else PASSAGE_TOKENS
    for_passages = budget.context - budget.entities - budget.relations - budget.reports
    themes: list[_Line] = []
    chosen = choose_passages(found.passages, for_passages, count_tokens, read_before, size)
    if budget.reports:
        lines = [_report_line(r) for r in reports if r.sources]
        themes, stage = _fit("reports", lines, budget.reports, chosen, count_tokens)
        stages.append(stage)
    if budget.entities:
        known = {p.document_id for p in found.passages} | {
            r.document_id for r in found.relations if r.document_id is not None
        }
        lines = [line for e in found.entities if (line := _entity_line(db, e, known))]
        entities, stage = _fit("names", lines, budget.entities, chosen, count_tokens)
        stages.append(stage)
        lines = [line for r in found.relations if (line := _relation_line(db, r))]
        relations, stage = _fit("relations", lines, budget.relations, chosen, count_tokens)
        stages.append(stage)
        # What names and relations left over holds more passages.
        used = sum(
            count_tokens(_show(line, chosen)) + 4 for line in (*themes, *entities, *relations)
        )
        left = budget.context - used
        chosen = choose_passages(found.passages, left, count_tokens, read_before, size)
    sources = list(chosen)
    parts = []
    told, names, ties, passages = _TITLES[language]
    for title, lines in ((told, themes), (names, entities), (ties, relations)):
        shown = []
        for line in lines:
            number = _number(line, sources)
            if number is None:
                sources.append(line.source)
                number = len(sources)
            shown.append(f"{_show(line, chosen)} [{number}]")
        if shown:
            parts.append("\n".join((title, *shown)))
    numbered = "\n\n".join(_show_passage(n, p) for n, p in enumerate(chosen, start=1))
    parts.append(f"{passages}\n{numbered}" if parts and numbered else numbered)
    text = "\n\n".join(part for part in parts if part)
    ids = {p.chunk_id for p in chosen}
    stages.append(
        Stage(
            "context",
            tuple(_label(p, n) for n, p in enumerate(chosen, start=1)),
            tuple(_label(p) for p in found.passages if p.chunk_id not in ids),
            round((time.perf_counter() - started) * 1000, 2),
            said(f"{count_tokens(text)} of {budget.context} tokens"),
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
        n_tokens = count_tokens(_show(line, chosen)) + 4
        if used + n_tokens > budget:
            break
        kept.append(line)
        used += n_tokens
    stage = Stage(
        f"{name} in the context",
        tuple(line.label for line in kept),
        tuple(line.label for line in lines[len(kept) :]),
        round((time.perf_counter() - started) * 1000, 2),
        said(f"{used} of {budget} tokens"),
    )
    return kept, stage


def _entity_line(db: Db, entity: EntityRow, documents: set[int]) -> _Line | None:
    """Return what is said of an entity, None where no document of the search speaks of it."""
    mentions = graph_rows.fetch_best_mentions(db, entity.id, N_MENTIONS)
    mention = next((m for m in mentions if m.document_id in documents), None)
    if mention is None:
        return None
    source = places.find_passage(
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
    source = places.find_passage(
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


def _number(line: _Line, sources: Sequence[Passage]) -> int | None:
    """Return the number of the source that holds a line's sentence."""
    for number, passage in enumerate(sources, start=1):
        if _holds(passage, line.source):
            return number
    return None


def _holds(passage: Passage, sentence: Passage) -> bool:
    return (
        passage.document_id == sentence.document_id
        and passage.start <= sentence.start
        and sentence.end <= passage.end
    )


def _show(line: _Line, chosen: Sequence[Passage]) -> str:
    """Return a line; its quote is left out where a passage below has it anyway."""
    if any(_holds(passage, line.source) for passage in chosen):
        return f"- {line.head}"
    return f"- {line.head}: {line.quote}"


def _show_passage(number: int, passage: Passage) -> str:
    return f"[{number}] {name_place(passage)}\n{' '.join(passage.text.split())}"


def _label(passage: Passage, number: int = 0) -> str:
    mark = f"[{number}] " if number else ""
    return f"{mark}{name_place(passage)} {passage.score:.2f}"


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LINE_CHARS else text[: LINE_CHARS - 1].rstrip() + "…"
