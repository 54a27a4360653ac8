"""Texts and rows that describe how an answer was found. No Qt.

Owns the titles of routes, steps and times, and the format of scores.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_app.engine.model import Answer, Passage, RelationRow, RetrievalResult, Stage
from desktop_app.engine.text.shown_text import show_text

from ...translation import later, tr, trn
from ...widgets.words import format_kind, format_model
from ..modes import BYPASS, mode_of
from ..turns import describe_location, number_citations

# The order of the table's columns; an unknown route comes last, with its own name.
ROUTES = {
    "words": (later("words"), later("Contains words of the question")),
    "meaning": (later("meaning"), later("Similar in meaning to the question")),
    "names": (later("names"), later("Contains names of the question")),
    "walk": (later("walk"), later("Reached from name to name in the graph")),
    "entity": (later("entity"), later("Mentions a name that was found")),
    "relation": (later("relation"), later("Supports a connection that was found")),
    "reranker": (later("reranker"), later("Ranked again by the reranker")),
}
ALIASES = {"rerank": "reranker", "vector": "meaning", "entities": "entity", "relations": "relation"}
# Titles of the engine's steps; unknown steps are shown with their own name.
STEPS = {
    "follow-up": later("Understanding the question"),
    "names": later("Names in the question"),
    "keywords": later("Themes and names"),
    "words": later("Passages by words"),
    "meaning": later("Passages by meaning"),
    "walk": later("From name to name"),
    "entities": later("Names considered"),
    "relations": later("Connections considered"),
    "entity": later("Passages of the names"),
    "relation": later("Passages of the connections"),
    "passages": later("Passages passed on"),
    "names in the context": later("Names read"),  # not shown: the engine's word
    "relations in the context": later("Connections read"),  # not shown: the engine's word
    "context": later("Passages read"),
    "answer checked": later("Answer checked against its passages"),  # not shown: the engine's word
}
_HEADING = re.compile(r"(?m)^#{1,6}[ \t].*$")  # of a Markdown text; the row names its chapter
NOT_KEPT = later("Not stored for answers of older versions.")
BYPASSED = later("Answered by the model only. Nothing was looked up in your documents.")
NO_STEPS = later("This search mode reports no steps.")
NOTHING_FOUND = later("No passage was found.")
NO_PROMPT = later("No model was used, so there is no prompt.")


@dataclass(frozen=True, slots=True)
class RouteRow:
    """A passage with the score of each route; None if the route did not find it.

    `quote` is its sentence nearest to the question, without markup; `title` is "" where all
    passages have the same; `numbers` are the marks that cite it in the answer.
    """

    rank: int
    title: str
    place: str
    quote: str
    numbers: tuple[int, ...]
    document_id: int
    start: int
    end: int
    scores: tuple[float | None, ...]

    @property
    def cited(self) -> bool:
        return bool(self.numbers)


LEAST = 0.1  # of a bar, for the lowest score


@dataclass(frozen=True, slots=True)
class RouteTable:
    """Passages and routes; `routes` are keys in the order of the scores."""

    routes: tuple[str, ...]
    rows: tuple[RouteRow, ...]

    def best(self, column: int) -> float:
        """Return the highest score of a route."""
        return max(self._list_scores(column), default=0.0)

    def share(self, column: int, score: float) -> float:
        """Return where a score is between the least and the highest of its route, `LEAST` to 1."""
        least, best = min(self._list_scores(column), default=0.0), self.best(column)
        return LEAST + (1.0 - LEAST) * (score - least) / (best - least) if best > least else 1.0

    def _list_scores(self, column: int) -> list[float]:
        return [score for row in self.rows if (score := row.scores[column]) is not None]


def build_routes(answer: Answer) -> RouteTable:
    """Return the scores of all routes for all passages, best passage first."""
    passages = answer.found.passages
    seen = dict.fromkeys(_route(name) for p in passages for name, _ in p.routes)
    known = [name for name in ROUTES if name in seen]
    routes = (*known, *(name for name in seen if name not in ROUTES))
    numbers: dict[int, list[int]] = {}
    for citation in number_citations(answer.text, answer.citations)[1]:  # as the chat shows them
        numbers.setdefault(citation.chunk_id, []).append(citation.number)
    rows = [
        _row(rank, p, routes, tuple(numbers.get(p.chunk_id, ())))
        for rank, p in enumerate(passages, 1)
    ]
    if len({row.title for row in rows}) == 1:
        rows = [replace(row, title="" if row.place else row.title) for row in rows]
    return RouteTable(tuple(routes), tuple(rows))


def _row(rank: int, passage: Passage, routes: Sequence[str], numbers: tuple[int, ...]) -> RouteRow:
    scores = {_route(name): score for name, score in reversed(passage.routes)}
    best = _best_sentence(passage)
    return RouteRow(
        rank,
        passage.title,
        describe_location(passage.page_label, passage.heading, passage.title),
        show_text(_HEADING.sub("", best).strip() or best, one_line=True).text,
        numbers,
        passage.document_id,
        passage.best_start,
        passage.best_end,
        tuple(scores.get(name) for name in routes),
    )


def _best_sentence(passage: Passage) -> str:
    best = passage.text[passage.best_start - passage.start : passage.best_end - passage.start]
    return best or passage.text


def _route(name: str) -> str:
    return ALIASES.get(name, name)


def format_score(score: float | None) -> str:
    """Return a score with enough digits to distinguish passages; "–" for none."""
    if score is None:
        return "–"
    if abs(score) >= 100:
        return f"{score:.0f}"
    if abs(score) >= 10:
        return f"{score:.1f}"
    if score and abs(score) < 0.01:
        return f"{score:.0e}".replace("e-0", "e-")
    return f"{score:.2f}"


def format_ms(ms: float) -> str:
    """Return a time short enough for a table."""
    if ms >= 9_950:
        return tr("{n} s", n=f"{ms / 1000:.0f}")
    if ms >= 995:
        return tr("{n} s", n=f"{ms / 1000:.1f}")
    return tr("{n} ms", n=f"{ms:.0f}" if ms >= 9.5 else f"{ms:.1f}")


def finding_times(found: RetrievalResult) -> list[tuple[str, float]]:
    """Return the steps before the prompt with their milliseconds, in order.

    The stages measure the same work under other names, so only stages after retrieval are added.
    """
    times = dict(found.timings_ms)
    for stage in found.stages:
        late = stage.name.endswith("context")
        if stage.ms and stage.name not in times and (late or not found.timings_ms):
            times[stage.name] = stage.ms
    times.pop("total", None)
    return [(step_word(name), ms) for name, ms in times.items()]


def shorten_times(times: Sequence[tuple[str, float]], most: int = 8) -> list[tuple[str, float]]:
    """Return the longest times in their order, and the sum of the others."""
    if len(times) <= most:
        return list(times)
    longest = sorted(range(len(times)), key=lambda i: -times[i][1])[: most - 1]
    rest = sum(ms for i, (_, ms) in enumerate(times) if i not in longest)
    return [times[i] for i in sorted(longest)] + [(tr("other steps"), rest)]


def answer_times(answer: Answer) -> list[tuple[str, float]]:
    """Return the milliseconds from retrieval to the first token, and from there to the end."""
    if not answer.model:
        return []
    finding = sum(ms for _, ms in finding_times(answer.found))
    first = answer.first_token_s * 1000
    reading, writing = max(0.0, first - finding), max(0.0, answer.seconds * 1000 - first)
    return [(tr("reading the prompt"), reading), (tr("writing"), writing)]


def facts(answer: Answer) -> list[tuple[str, str]]:
    """Return the known facts of an answer as short texts."""
    mode = tr(mode_of(answer.found.mode).title) if answer.found.mode else ""
    n_tokens = answer.n_prompt_tokens
    first = format_ms(answer.first_token_s * 1000) if answer.first_token_s else ""
    return [
        (tr("Search mode"), "" if answer.found.mode == BYPASS else mode),
        (tr("Model"), breakable(format_model(answer.model)) or tr("none")),
        (tr("Prompt"), trn("{n} token", "{n} tokens", n_tokens) if n_tokens else ""),
        (tr("First word"), tr("after {time}", time=first) if first else ""),
        (tr("Total time"), format_ms(answer.seconds * 1000) if answer.seconds else ""),
        (tr("Ended"), tr("stopped early") if answer.stopped else ""),
    ]


def step_title(name: str) -> str:
    """Return the title of a step."""
    if name in STEPS:
        return tr(STEPS[name])
    plain = step_word(name)
    return plain[:1].upper() + plain[1:]


def step_word(name: str) -> str:
    """Return the short title of a step for the list of times, translated."""
    return tr(name.replace("_", " "))


def breakable(name: str) -> str:
    """Return a long name with break opportunities, so that it fits a narrow panel."""
    return re.sub(r"([-_./])", "\\1\u200b", name)


def describe_stage(stage: Stage) -> str:
    """Return how much a step kept and dropped, and how long it took."""
    parts = []
    if stage.kept or stage.dropped:
        parts.append(trn("{n} kept", "{n} kept", count_labels(stage.kept)))
    if stage.dropped:
        parts.append(trn("{n} dropped", "{n} dropped", count_labels(stage.dropped)))
    if stage.ms:
        parts.append(format_ms(stage.ms))
    return " · ".join(parts)


def count_labels(labels: Sequence[str]) -> int:
    """Return labels for a list; the last one gives the number of those left out."""
    more = labels[-1].removeprefix("… ") if labels and labels[-1].startswith("… ") else ""
    return len(labels) - 1 + int(more) if more.isdigit() else len(labels)


# By direction: without a kind, and before and after a kind.
TIES = ("—", "→", "←", "↔")
TIE_ENDS = (("—", "—"), ("—", "→"), ("←", "—"), ("←", "→"))


def describe_relation(relation: RelationRow) -> str:
    """Return two entities and their relation as text."""
    kind = format_kind(relation.kind) or tr(", ").join(relation.keywords[:2])
    left, right = TIE_ENDS[relation.direction]
    tie = f" {left} {kind} {right} " if kind else f" {TIES[relation.direction]} "
    return f"{relation.source}{tie}{relation.target}"


def is_rewritten(found: RetrievalResult) -> bool:
    """Return whether a follow-up question was rewritten before retrieval."""
    return bool(found.asked) and found.asked.strip() != found.question.strip()


# Short titles of the steps; "_" in the engine's names is a blank here.
STEP_WORDS = (
    *(later("words"), later("meaning"), later("names"), later("walk"), later("entity")),
    *(later("relation"), later("reranker"), later("embedding"), later("index"), later("graph")),
    *(later("local"), later("global"), later("passages"), later("themes"), later("books")),
    *(later("scope"), later("fit"), later("context"), later("follow-up"), later("reports")),
    *(later("questions"), later("keywords by the model"), later("names in the context")),
    *(later("relations in the context"), later("keywords"), later("entities")),
    *(later("relations"), later("asked in the language of the sources")),
    later("answer checked"),
)
