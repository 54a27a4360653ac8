"""Texts and rows that describe how an answer was found. No Qt.

Owns the titles of routes, steps and times, and the format of scores.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_app.engine.answering.citations import (
    find_key_sentence,
    find_unknown_name,
    is_refusal,
)
from desktop_app.engine.answering.claims import (
    MOST_CHECKED,
    find_missing_words,
    has_exactly,
    has_literally,
    show_odds,
)
from desktop_app.engine.durations import format_seconds
from desktop_app.engine.model import (
    READ_ONE_BY_ONE,
    Answer,
    CheckedSentence,
    Citation,
    Passage,
    RelationRow,
    RetrievalResult,
    Stage,
)
from desktop_app.engine.retrieval.name_definitions import DEFINITION
from desktop_app.engine.store.fts_tokens import find_search_words
from desktop_app.engine.text.shown_text import Span, show_text
from desktop_app.engine.writing_systems import has_han, language_of

from ...translation import later, tr, tr_message, trn
from ...widgets.modes import mode_of
from ...widgets.words import (
    ARROWS,
    cut_subtitle,
    find_cut,
    format_kind,
    format_model,
    format_number,
)
from ..passage_words import HEADING_JOINT, describe_location, describe_position
from ..turns import describe_ordinal, describe_reason, turn_of_answer


@dataclass(frozen=True, slots=True)
class Route:
    """The texts of a route: its name, and after "1st" or "2nd"."""

    name: str
    by: str


# In their order; an unknown route comes last, with its own name.
ROUTES = {
    "words": Route(later("Words"), later("by words")),
    "meaning": Route(later("Meaning"), later("by meaning")),
    "names": Route(later("Names"), later("by names")),
    "walk": Route(later("From name to name"), later("by linked names")),
    "entity": Route(later("Mentions of a name"), later("by name mentions")),
    "relation": Route(later("Connections"), later("by its connections")),
    "reranker": Route(later("Reranker"), later("by reranker")),
    "scene": Route(later("Words, neighbours included"), later("by words")),
    "near": Route(later("Meaning, neighbours included"), later("by meaning")),
    "kind": Route(later("Words of likely answers"), later("by likely answers")),
    "named": Route(later("Names of the question"), later("by names asked for")),
    "fit": Route(later("Similarity to the question"), later("by similarity")),
    "search": Route(later("Words and meaning"), later("by words and meaning")),
    "spread": Route(later("Variety of chapters"), later("by variety of chapters")),
}
# Single reasons, without a place.
REASONS = {
    "pinned": Route(later("Pinned"), later("pinned by you")),
    "introduction": Route(later("Introduction"), later("introduces the name")),
    DEFINITION: Route(later("Definition"), later("says who or what the name is")),
}
# What a route took the place of: these did not rank a passage by themselves.
REPLACED = {
    "scene": ("words",),
    "near": ("meaning",),
    "kind": ("names",),
    "fit": ("words", "meaning"),
    "spread": ("scene", "near", "words", "meaning", "names", "kind", "named", "introduction"),
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
    "languages": later("Languages of the documents"),
    "entities": later("Names considered"),
    "relations": later("Connections considered"),
    "entity": later("Passages of the names"),
    "relation": later("Passages of the connections"),
    "passages": later("Passages passed on"),
    "names in the context": later("Names read"),  # not shown: the engine's word
    "relations in the context": later("Connections read"),  # not shown: the engine's word
    "context": later("Passages read"),
    "read one by one": later("Passages read one by one"),  # not shown: the engine's word
    "answer checked": later("Answer checked against its passages"),  # not shown: the engine's word
}
_HEADING = re.compile(r"(?m)^#{1,6}[ \t].*$")  # of a Markdown text; the row names its chapter
SOURCE_LETTERS = 360  # of what a passage says, shown beside a sentence
MOST_WORDS = 3  # of a question that are named beside a passage
NOT_KEPT = later("Not stored for answers of older versions.")
BYPASSED = later("Answered by the model only. Nothing was looked up in your documents.")
NO_STEPS = later("This search mode reports no steps.")
NOTHING_FOUND = later("No passage was found.")
NOT_READ = later("No passage was read by a model.")
NOT_CHECKED = later("The sentences of this answer were not checked.")
NO_PROMPT = later("No model was used, so there is no prompt.")
# what ranks the passages in each mode; other modes read reports
ORDERS = {
    "walk": later("Words and meaning, including neighbouring passages"),
    "mix": later("Meaning, names and connections in turn"),
    "local": later("Mentions of the names"),
    "global": later("Connections"),
    "hybrid": later("Names and connections in turn"),
    "naive": later("Meaning"),
    "words": later("Words of the question"),
}
RERANKED = later("The reranker")
LED_BY_NAMES = later("Linked names and similarity")
BY_KIND = later("Words and meaning, likely answers, names")
SPREAD = later("Words and meaning, spread over chapters")
COMBINED = later(
    "Combined with the words and the meaning of the passages beside it. Those places are not stored"
    " for answers of older versions."
)


@dataclass(frozen=True, slots=True)
class FoundBy:
    """A route that found a passage, with its score, and the place among those that it found.

    `is_shared`: others have the same place.
    """

    route: str
    score: float
    place: int
    n_found: int
    is_shared: bool = False


@dataclass(frozen=True, slots=True)
class RouteRow:
    """A passage with the routes that found it.

    `quote` is its part nearest to the question, without markup; `marked` is the place in it of the
    sentence that is cited, or that is nearest to the question. `rank` is its number, 1 for the
    best passage. `is_read`: it is in the prompt. `is_combined`: the passages beside it counted,
    too, and this was not stored. `position` is the end of its place: a page or a percentage.
    `words` are those of the question that it has.
    """

    rank: int
    title: str
    place: str
    quote: str
    cited: bool
    chunk_id: int
    document_id: int
    start: int
    end: int
    found_by: tuple[FoundBy, ...]
    is_read: bool = False
    marked: Span = (0, 0)
    is_combined: bool = False
    position: str = ""
    words: tuple[str, ...] = ()

    @property
    def location(self) -> str:
        """Its document and where it is in it."""
        return " · ".join(part for part in (cut_subtitle(self.title), self.place) if part)

    @property
    def chapter(self) -> str:
        """The chapter and the part that it is in, as in the chat, "" without any."""
        return self.place.removesuffix(self.position).strip(" ·")


def build_routes(answer: Answer) -> tuple[RouteRow, ...]:
    """Return all passages with the routes that found them, best passage first."""
    passages = answer.found.passages
    scores: dict[str, list[float]] = {}
    for passage in passages:
        for route, score in _scores(passage).items():
            scores.setdefault(route, []).append(score)
    cited = {citation.chunk_id: citation for citation in reversed(answer.citations)}
    quotes = [_quote(p, cited.get(p.chunk_id), answer.found.question) for p in passages]
    prompt = " ".join(answer.prompt.split())
    is_combined = answer.found.mode == "walk" and not scores.keys() & _RANKING
    words = list_words(answer.found)
    return tuple(
        RouteRow(
            rank,
            p.title,
            describe_location(p),
            quotes[rank - 1][0],
            p.chunk_id in cited,
            p.chunk_id,
            p.document_id,
            p.best_start,
            p.best_end,
            tuple(
                _find_place(route, score, scores[route])
                for route, score in sorted(_scores(p).items(), key=lambda item: _order(item[0]))
            ),
            " ".join(_best_part(p).split()) in prompt,
            quotes[rank - 1][1],
            is_combined,
            describe_position(p),
            tuple(word for word in words if _find_word(word, p.text)),
        )
        for rank, p in enumerate(passages, 1)
    )


def _find_word(word: str, text: str) -> bool:
    """Return whether a text has a word, or one that begins with it, as "weights" with "weight"."""
    if has_han(word):  # between Chinese characters is no end of a word
        return word in text
    return re.search(rf"\b{re.escape(word.casefold())}", text.casefold()) is not None


def _find_place(route: str, score: float, scores: Sequence[float]) -> FoundBy:
    place = 1 + sum(other > score for other in scores)
    return FoundBy(route, score, place, len(scores), scores.count(score) > 1)


def _scores(passage: Passage) -> dict[str, float]:
    return {_route(name): score for name, score in reversed(passage.routes)}


_RANKING = {"scene", "near", "fit", "walk", "reranker"}


def _order(route: str) -> int:
    return list(ROUTES).index(route) if route in ROUTES else len(ROUTES)


def describe_order(found: RetrievalResult) -> str:
    """Return what ranks the passages, "" if it is not known."""
    routes = {route for passage in found.passages for route in _scores(passage)}
    if not routes:
        return ""
    if "reranker" in routes:
        return tr(RERANKED)
    for route, form in (("spread", SPREAD), ("kind", BY_KIND), ("fit", LED_BY_NAMES)):
        if route in routes:
            return tr(form)
    without_vectors = found.mode == "naive" and "meaning" not in routes
    order = ORDERS.get("words" if without_vectors else found.mode, "")
    return tr(order) if order else ""


def choose_first(rows: Sequence[RouteRow], n_first: int) -> list[RouteRow]:
    """Return the best passages, and with them all that the model read or the answer cites."""
    return [row for row in rows if row.rank <= n_first or row.is_read or row.cited]


def describe_outcome(answer: Answer) -> str:
    """Return in a few words what came of a question."""
    turn, check = turn_of_answer(answer.found.question, answer), answer.found.check
    if turn.is_unwritten and not turn.is_rejected:
        if find_unknown_name(turn.text):
            return describe_reason(turn)
        if turn.is_unanswerable:
            if turn.n_read:
                return tr("No answer: the model found none")
            return tr("No answer: nothing close was found")
        if turn.is_passages_only:
            return tr("No answer: no language model is installed")
    if answer.stopped:
        return tr("Stopped before the check")
    if is_refusal(answer.text) or (turn.is_unwritten and not turn.is_rejected):
        return tr("No answer: the model found none")
    if check is None:
        return tr(
            "No answer: nothing was confirmed" if turn.is_unwritten else "Answered, not checked"
        )
    n_kept, n_dropped = count_labels(check.kept), count_labels(check.dropped)
    if n_kept and not answer.model:
        return tr("Answered from a table, without a language model")
    if not n_kept:
        if turn.guess is not None:
            return tr("No confirmed answer")  # the chat shows what may be right
        return trn(
            "No answer: {n} sentence not confirmed",
            "No answer: {n} sentences not confirmed",
            n_dropped,
        )
    if not n_dropped:
        return trn("Answered: {n} sentence confirmed", "Answered: {n} sentences confirmed", n_kept)
    return tr(
        "Answered: {n} of {m} sentences confirmed",
        n=format_number(n_kept),
        m=format_number(n_kept + n_dropped),
    )


@dataclass(frozen=True, slots=True)
class CheckedRow:
    """A sentence of the model, and what its check compared and found.

    Attributes:
        missing: where it has words that the passage does not have.
        facts: names and values.
        passage: what it was compared with; its quotation is the part nearest to the sentence. None
            where it was compared with none, or that is not known.
    """

    text: str
    is_confirmed: bool
    facts: tuple[tuple[str, str], ...] = ()
    missing: tuple[Span, ...] = ()
    passage: RouteRow | None = None
    reason: str = ""

    def describe_source(self) -> str:
        """Return what its passage says, to be read beside it; "" where that is not known."""
        if self.passage is None or not self.passage.quote:
            return ""
        if has_literally(self.passage.quote, self.text):
            if has_exactly(self.passage.quote, self.text):
                return tr("The passage says so word for word.")
            return tr("The passage says so almost word for word.")  # "was", where this has "is"
        quote = self.passage.quote
        n_letters = _letters_of(quote, SOURCE_LETTERS)
        if len(quote) > n_letters:
            quote = _cut_end(quote, n_letters)
        inner = quote.translate(_INNER_QUOTES)
        return tr("The passage says: “{quote}”", quote=inner)


_INNER_QUOTES = str.maketrans("“”", "‘’")  # within the quotation marks of the window


def _letters_of(text: str, n_letters: int) -> int:
    """Return how many letters of a text take the room of as many English ones."""
    return n_letters // 2 if has_han(text) else n_letters


def _cut_end(text: str, place: int) -> str:
    return text[: find_cut(text, place)].rstrip(" ,;，；、") + "…"


def list_checked(answer: Answer) -> list[CheckedRow]:
    """Return the sentences of the model, in order, as the check decided on them."""
    check = answer.found.check
    if check is None:
        return []
    if not check.checked:  # an answer of an older version
        kept = [CheckedRow(label.rpartition(" ")[0] or label, True) for label in check.kept]
        return [*kept, *(_describe_label(label) for label in check.dropped)]
    rows = {row.chunk_id: row for row in build_routes(answer)}
    texts = {int(passage.chunk_id): passage for passage in answer.found.passages}
    checked = []
    for one in check.checked:
        passage, row = texts.get(one.chunk_id), rows.get(one.chunk_id)
        if one.unlisted is not None:  # it has no rank
            passage = one.unlisted
            alone = replace(answer.found, passages=(passage,))
            row = replace(build_routes(replace(answer, found=alone))[0], rank=0)
        if passage is None or row is None:
            reason = describe_failed(one, 0) if one.failed else ""
            checked.append(
                CheckedRow(one.text, not one.failed, _describe_check(one, 0), reason=reason)
            )
            continue
        near = _read(passage, passage.text[one.start - passage.start : one.end - passage.start])
        compared = replace(
            row,
            quote=near or row.quote,
            cited=True,
            start=one.start,
            end=one.end,
            found_by=(),
            marked=(0, 0),
        )
        missing = _find_missing(one, passage) if one.failed else ()
        is_complete = not missing and language_of(one.text) == language_of(passage.text)
        facts = _describe_check(one, row.rank, bool(missing), is_complete)
        reason = describe_failed(one, row.rank) if one.failed else ""
        checked.append(CheckedRow(one.text, not one.failed, facts, missing, compared, reason))
    return checked


def _describe_label(label: str) -> CheckedRow:
    sentence, _, reason = label.removesuffix(")").rpartition(" (")
    if not sentence or not label.endswith(")"):
        return CheckedRow(label, False)
    return CheckedRow(sentence, False, ((tr("Reason"), reason),), reason=reason)


def _find_missing(one: CheckedSentence, passage: Passage) -> tuple[Span, ...]:
    """Return where a sentence has words that the passage lacks, with those of the failed check."""
    if one.failed == "repeats":
        return ()
    spans = set(find_missing_words(one.text, passage.text))
    for word in one.words if one.failed in ("number", "name") else ():
        place = one.text.find(word)
        if place >= 0 and not any(a < place + len(word) and place < b for a, b in spans):
            spans.add((place, place + len(word)))
    return tuple(sorted(spans))


def _describe_check(
    one: CheckedSentence, rank: int, has_missing: bool = False, is_complete: bool = False
) -> tuple[tuple[str, str], ...]:
    """Return what a check found, as names and values.

    Args:
        rank: of the passage, 0 where it is not known.
        has_missing: the passage does not have words of the sentence.
        is_complete: it has all of them, and the sentence says something else with them.
    """
    certainty = ""
    if one.needed:
        number, needed = show_odds(one.odds), show_odds(one.needed, needed=True)
        certainty = tr("{n} of 100, needs {m}", n=number, m=needed)
    reason = describe_failed(one, rank) if one.failed else ""
    missing = tr("not in passage {n}", n=rank) if rank else tr("not in the passage")
    underlined = missing if has_missing else ""
    facts = [(tr("Reason"), reason), (tr("Certainty"), certainty), (tr("Underlined"), underlined)]
    if is_complete and one.failed in ("unclear", "unchecked", "reversed"):
        complete = tr("all in passage {n}", n=rank) if rank else tr("all in the passage")
        facts.append((tr("Words"), complete))
    if one.failed == "reversed":
        facts.append((tr("Names"), tr(", ").join(one.words)))
    return tuple(fact for fact in facts if fact[1])


def describe_failed(one: CheckedSentence, rank: int) -> str:
    """Return why a sentence was not confirmed."""
    word = one.words[0] if one.words else ""
    passage = tr("Passage {n}", n=rank) if rank else tr("The passage")
    if one.failed == "number":
        return tr("{passage} does not say “{word}”", passage=passage, word=word)
    if one.failed == "name":
        return tr("{passage} does not name {word}", passage=passage, word=word)
    if one.failed == "reversed":
        return tr("{passage} says it the other way round", passage=passage)
    if one.failed == "owner":
        owner, thing = one.words
        return tr("{passage} has no {thing} of {owner}", passage=passage, thing=thing, owner=owner)
    if one.failed == "unchecked":
        return tr("Only the first {n} sentences are checked", n=MOST_CHECKED)
    if one.failed not in FAILED and rank:
        return tr("The model doubts that passage {n} says so", n=rank)
    return tr(FAILED.get(one.failed, UNCLEAR))


FAILED = {
    "uncited": later("It cites no passage"),
    "repeats": later("It only repeats the question"),
    "speech": later("It is what somebody in the text says"),
    "asked": later("Its passage only asks so"),
    "reason": later("Its sentence does not say what it is the reason of"),
    "person": later("The speech does not name the person asked about"),
    "relative": later("Its sentence does not say whose relative it is"),
    "order": later("Its sentence does not say that it was the first or last time"),
    "part": later("It answers another part of the question"),
    "alias": later("It only gives another name"),
}
UNCLEAR = later("The model doubts that the passage says so")


def list_words(found: RetrievalResult) -> list[str]:
    """Return the words of the question that passages were searched for, without single letters."""
    if not any("words" in _scores(passage) for passage in found.passages):
        return []
    words = find_search_words(found.question)
    return [word for word in words if len(word) > 1]


def describe_places(row: RouteRow) -> str:
    """Return what a passage has and what ranked it: "Contains “Abbess”; ranked 1st by meaning".

    The places are listed with the best first. Where no place is as good as the rank, it says that
    the factors count together.
    """
    reasons, parts = [], []
    factors = list_factors(row)
    for found in factors:
        if found.route in REASONS:
            reasons.append(tr(REASONS[found.route].by))
            continue
        if found.is_shared and found.route in ("words", "scene") and row.words:
            # of a place that others have, too, it says more which words they are
            shown = [f"“{word}”" for word in row.words[:MOST_WORDS]]
            reasons.append(tr("contains {words}", words=tr(", ").join(shown)))
            continue
        by = tr(ROUTES[found.route].by) if found.route in ROUTES else found.route
        place = describe_ordinal(found.place)
        if found.is_shared:
            place = tr("joint {place}", place=place)
        parts.append(tr("{place} {route}", place=place, route=by))
    listed = tr(", ").join(parts)
    if len(factors) >= 2 and row.rank and min(found.place for found in factors) > row.rank:
        place = describe_ordinal(row.rank)
        listed = tr("{place} together: {parts}", place=place, parts=listed)
    if listed:
        reasons.append(tr("ranked {places}", places=listed))
    words = tr("; ").join(reasons)
    return words[:1].upper() + words[1:]


def list_factors(row: RouteRow) -> list[FoundBy]:
    """Return what ranked a passage, best place first; routes that only found it are left out."""
    by_route = {found.route: found for found in row.found_by}
    for route in ("pinned", DEFINITION, "reranker"):
        if route in by_route:
            return [by_route[route]]
    replaced = {name for route in by_route for name in REPLACED.get(route, ())}
    left = [found for found in row.found_by if found.route not in replaced]
    return sorted(left, key=lambda found: 0 if found.route in REASONS else found.place)


def explain_unread(answer: Answer) -> str:
    """Return why the model did not read all passages, "" where that is not known."""
    stages = {stage.name: stage for stage in answer.found.stages}
    in_turn, context = stages.get(READ_ONE_BY_ONE), stages.get("context")
    if in_turn is not None and in_turn.kept:
        return tr("Passages are read in turn until one gives an answer that stands.")
    if context is not None and context.dropped:
        used, budget = (context.note.params.get(name) for name in ("used", "budget"))
        if used is None or budget is None:  # of an older version
            return tr("The next passage does not fit into the prompt of this model.")
        return tr(
            "The next passage does not fit: {used} of {budget} tokens for passages are used. "
            "“Tokens in total” in the advanced options of a question changes this.",
            used=used,
            budget=budget,
        )
    return ""


def describe_searched(found: RetrievalResult) -> str:
    """Return how many words and names were searched for."""
    n_words, n_names = len(list_words(found)), len(found.entities)
    parts = [
        trn("{n} word", "{n} words", n_words) if n_words else "",
        trn("{n} name", "{n} names", n_names) if n_names else "",
    ]
    return tr(", ").join(part for part in parts if part)


def describe_scores(row: RouteRow) -> str:
    """Return the score of each route that found or ranked a passage, one a line."""
    lines = [tr(COMBINED)] if row.is_combined and row.found_by else []
    for found in row.found_by:
        if found.route in REASONS:
            lines.append(tr(REASONS[found.route].name))
            continue
        name = tr(ROUTES[found.route].name) if found.route in ROUTES else found.route
        lines.append(
            tr(
                "{part}: {place} of {n}, score {value}",
                part=name,
                place=format_number(found.place),
                n=format_number(found.n_found),
                value=format_score(found.score),
            )
        )
    return "\n".join(lines)


def _best_part(passage: Passage) -> str:
    best = passage.text[passage.best_start - passage.start : passage.best_end - passage.start]
    return best or passage.text


def _quote(passage: Passage, citation: Citation | None, question: str) -> tuple[str, Span]:
    """Return a part of a passage and where in it the sentence is that its card marks.

    It is the best part, or the whole passage where that sentence is elsewhere. The sentence is the
    one nearest to the question, or what is cited if it is not in it.
    """
    start, end = find_key_sentence(passage, question)
    if citation is not None and not citation.start <= start < end <= citation.end:
        start, end = citation.start, citation.end
    sentence = _read(passage, passage.text[max(0, start - passage.start) : end - passage.start])
    for part in (_best_part(passage), passage.text):
        shown = _read(passage, part)
        if sentence and (place := shown.find(sentence)) >= 0:
            return shown, (place, place + len(sentence))
    return _read(passage, _best_part(passage)), (0, 0)


def _read(passage: Passage, part: str) -> str:
    """Return a part of a passage without markup and headings, which its row names already."""
    plain = " ".join(_HEADING.sub("", part).split())
    chapter = " ".join(passage.heading.rpartition(HEADING_JOINT)[2].split())
    return show_text(plain.removeprefix(chapter).strip() or plain or part, one_line=True).text


def build_excerpt(row: RouteRow, room: int) -> tuple[str, Span]:
    """Return the part of a row's quotation to show, and the sentence in it that is cited.

    A passage that is not cited begins near its best sentence, too, but has no mark.
    """
    text, marked = cut_excerpt(row.quote, row.marked, room)
    return text, marked if row.cited else (0, 0)


def cut_excerpt(text: str, marked: Span, room: int) -> tuple[str, Span]:
    """Return a text from about the place where `room` letters have the marked range in the middle.

    It begins with the text where the range is in its first `room` letters.
    """
    start, end = marked
    if end <= room:
        return text, marked
    start = max(0, start - max(0, room - (end - start)) // 2)
    start = min(marked[0], find_cut(text, start, backward=True))
    while start < marked[0] and not text[start].isalnum() and text[start] not in '“‘"':
        start += 1
    moved = start - 2
    return f"… {text[start:]}", (marked[0] - moved, end - moved)


def _route(name: str) -> str:
    return ALIASES.get(name, name)


def format_score(score: float) -> str:
    """Return a score with enough digits to distinguish passages."""
    if abs(score) >= 100:
        return f"{score:.0f}"
    if abs(score) >= 10:
        return f"{score:.1f}"
    if score and abs(score) < 0.01:
        return f"{score:.0e}".replace("e-0", "e-")
    return f"{score:.2f}"


def format_ms(ms: float) -> str:
    """Return a time short enough for a table."""
    if ms >= 995:
        return tr_message(format_seconds(ms / 1000))
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


def search_facts(found: RetrievalResult) -> list[tuple[str, str]]:
    """Return what was searched for, and how."""
    mode = tr(mode_of(found.mode).title) if found.mode else ""
    understood = found.question if is_rewritten(found) else ""
    return [
        (tr("Asked"), found.asked if understood else ""),
        (tr("Understood as"), understood),
        (tr("Search mode"), mode),
        (tr("Words"), tr(", ").join(list_words(found))),
    ]


def writing_facts(answer: Answer) -> list[tuple[str, str]]:
    """Return what wrote an answer."""
    return [
        (tr("Model"), breakable(format_model(answer.model)) or tr("none")),
        (tr("Ended"), tr("stopped early") if answer.stopped else ""),
    ]


def technical_facts(answer: Answer) -> list[tuple[str, str]]:
    """Return the question as it was searched for, and sizes and times."""
    n_tokens = answer.n_prompt_tokens
    first = format_ms(answer.first_token_s * 1000) if answer.first_token_s else ""
    is_repeated = is_rewritten(answer.found)  # it is shown above
    return [
        (tr("Question"), "" if is_repeated else answer.found.question),
        (tr("Prompt"), trn("{n} token", "{n} tokens", n_tokens) if n_tokens else ""),
        (tr("First word"), tr("after {time}", time=first) if first else ""),
        (tr("Total time"), format_ms(answer.seconds * 1000) if answer.seconds else ""),
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


def describe_retrieval_stage(stage: Stage) -> str:
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


KIND_ENDS = (("–", "–"), ("–", "→"), ("←", "–"), ("←", "→"))  # around a kind, by direction


def describe_relation(relation: RelationRow) -> str:
    """Return two entities as text, with the kind of their relation if a model named it."""
    kind = format_kind(relation.kind)
    left, right = KIND_ENDS[relation.direction]
    between = f" {left} {kind} {right} " if kind else f" {ARROWS[0]} "
    return f"{relation.source}{between}{relation.target}"


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
    *(later("read one by one"), later("languages")),
)
