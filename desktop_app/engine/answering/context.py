"""Builds the context and the prompt: what fits the token budget, and how it is put to the model.

The context has names, relations and numbered passages. Every statement has the number of a
passage or sentence, so that each citation leads to text. The budget follows from the model's
context size and its measured reading speed; it is divided into shares for names, relations and
passages.
"""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import median

from ..llm.protocols import ChatModel
from ..messages import Message
from ..model import (
    ChatMessage,
    EntityRow,
    Passage,
    RankedReport,
    RelationRow,
    RetrievalResult,
    Stage,
)
from ..progress import CancelToken, ProgressCallback
from ..prompt_files import load_prompt
from ..query import GRAPH_MODES, GRAPHRAG_LOCAL, LIST_FORM, LONG_FORM, SHORT_FORM, QueryParam
from ..store import graph as graph_rows
from ..store import search
from ..store.db import Db
from ..text.chunking import load_tiktoken_counter, split_sentences
from ..text.language import detect_language
from ..text_tables import lay_out_rows, start_in_piece

CountTokens = Callable[[str], int]
FoundCallback = Callable[[RetrievalResult], None]

N_SOURCES, MOSTLY = 5, 0.8  # passages whose language is checked; the share that must agree
MIN_PASSAGE_TOKENS = 120  # of a passage, where half of what is left is less
MIN_PART_TOKENS = 60  # a shorter part of a passage has too little content
PLACE_TOKENS = 6  # number and line ends around a passage

_MARKS = r"(?:\s*\[[\d,，、;\s]+\])*"
_SENTENCE_END = re.compile(rf"[.!?…]+[”\"’)]*{_MARKS}(?=\s|$)|[。！？…]+[”\"’」』）]*{_MARKS}")


def choose_passages(
    passages: Sequence[Passage],
    budget: int,
    count_tokens: CountTokens,
    last_sources: Sequence[Passage] = (),
) -> list[Passage]:
    """Return the best parts of the best passages that fit, at least one, in ascending order.

    A passage is cut to the sentences around its best window: each may take half of the budget that
    is left, at least `MIN_PASSAGE_TOKENS` and its best window, so that the better ones have more of
    their text and a small budget still has several places of a book. On stories and a novel the
    evidence stood in 820 tokens for 0.73, 0.77 and 0.38 of the questions, with the same length for
    all passages for 0.68, 0.72 and 0.33 (decision 80). The best passage comes last, because a small
    model gives most weight to the text just before the question.

    Args:
        last_sources: the sources of the last prompt. Its leading sources that are chosen again
            stay first and unchanged, so that the model reuses its cache for them. The best
            passage comes last all the same.
    """
    chosen: list[Passage] = []
    used = 0
    for passage in passages:
        n_place = count_tokens(name_place(passage)) + PLACE_TOKENS
        left = budget - used - n_place
        if chosen and left < MIN_PART_TOKENS:
            break
        window = passage.text[passage.best_start - passage.start : passage.best_end - passage.start]
        most = max(MIN_PASSAGE_TOKENS, left // 2, count_tokens(window))
        part = cut_around_best(passage, max(MIN_PART_TOKENS, min(most, left)), count_tokens)
        n_tokens = count_tokens(write_passage(part)) + n_place
        if chosen and used + n_tokens > budget:
            continue  # one sentence longer than the remaining budget
        chosen.append(part)
        used += n_tokens
    return _keep_leading(chosen, last_sources, budget - used, count_tokens)


def name_place(passage: Passage) -> str:
    """Return the title and heading of a passage."""
    return f"{passage.title}{' · ' + passage.heading if passage.heading else ''}"


def write_passage(passage: Passage) -> str:
    """Return the text of a passage for the model: on one line, but each row of a table on its own.

    A passage that begins inside a table has the header above its rows.
    """
    if "|" not in passage.text and passage.table is None:
        return " ".join(passage.text.split())
    return "\n".join(lay_out_rows(passage.text, passage.table))


def write_numbered(passages: Sequence[Passage]) -> str:
    """Return passages as a prompt has them: numbered from 1, each below its title."""
    return "\n\n".join(
        f"[{n}] {name_place(p)}\n{write_passage(p)}" for n, p in enumerate(passages, start=1)
    )


def _keep_leading(
    chosen: list[Passage], last_sources: Sequence[Passage], left: int, count_tokens: CountTokens
) -> list[Passage]:
    """Return the chosen passages with those that led the last prompt first, as they were there.

    Args:
        left: tokens by which kept passages may be longer than they were chosen.
    """
    wanted = {p.chunk_id: p for p in reversed(chosen)}
    best = chosen[0].chunk_id if chosen else None
    leading: list[Passage] = []
    for old in last_sources:
        new = wanted.get(old.chunk_id)
        if new is None or new.chunk_id == best:
            break
        if not (old.start <= new.best_start and new.best_end <= old.end):
            break
        left -= count_tokens(old.text) - count_tokens(new.text)
        if left < 0:
            break
        kept = replace(new, start=old.start, end=old.end, text=old.text, table=old.table)
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
    around = [i for n in range(1, len(spans)) for i in (inside[-1] + n, inside[0] - n)]
    for step in (*inside[1:], *(i for i in around if 0 <= i < len(spans))):
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
        table=start_in_piece(passage.text, passage.table, start),
        best_start=max(passage.best_start, passage.start + start),
        best_end=min(passage.best_end, passage.start + end),
    )


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
class AnswerContext:
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
) -> AnswerContext:
    """Return the best retrieved passages, entities and relations, cut to the budget.

    Args:
        last_sources: see `choose_passages`.
        reports: of the communities of the retrieved entities; used if the budget has a share.
    """
    started = time.perf_counter()
    entities: list[_Line] = []
    relations: list[_Line] = []
    stages: list[Stage] = []
    for_passages = budget.context - budget.entities - budget.relations - budget.reports
    themes: list[_Line] = []
    chosen = choose_passages(found.passages, for_passages, count_tokens, last_sources)
    if budget.reports:
        lines = [
            _Line(
                r.title,
                f"{r.title}: {_short(r.summary)}",
                _short(r.sources[0].text),
                r.sources[0],
            )
            for r in reports
            if r.sources
        ]
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
        chosen = choose_passages(found.passages, left, count_tokens, last_sources)
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
            holding = (n for n, p in enumerate(sources, start=1) if _contains(p, line.source))
            number = next(holding, 0)
            if not number:
                sources.append(line.source)
                number = len(sources)
            shown.append(f"{_format_line(line, chosen)} [{number}]")
        if shown:
            parts.append("\n".join((title, *shown)))
    numbered = write_numbered(chosen)
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
    return AnswerContext(text, tuple(sources), tuple(stages))


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
    source = search.find_passage(
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
    source = search.find_passage(
        db, relation.document_id, relation.sentence_start, relation.sentence_end
    )
    if source is None:
        return None
    how = relation.kind or ", ".join(relation.keywords[:3])
    head = f"{relation.source} – {relation.target}{f' ({how})' if how else ''}"
    return _Line(head, head, _short(relation.description or relation.sentence), source)


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


def _label(passage: Passage, number: int = 0) -> str:
    mark = f"[{number}] " if number else ""
    return f"{mark}{name_place(passage)} {passage.score:.2f}"


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LINE_CHARS else text[: LINE_CHARS - 1].rstrip() + "…"


CONTEXT_MARK = "{context_data}"
_REQUESTS = {
    "en": ("Form of the answer: {}.", "Also: {}"),
    "zh": ("回答的形式：{}。", "另外：{}"),
}
# A small model follows a Chinese form in a Chinese prompt better than an English one.
_FORMS_ZH = {
    SHORT_FORM: "一两句话",
    LONG_FORM: "分成几个段落，写得详细些",
    LIST_FORM: "分条列出要点",
}
_MEANT = {"en": "In the sources {} is called {}.", "zh": "资料中称{}为{}。"}
_HISTORY = {"en": "Earlier in this conversation:\n{}\n\n", "zh": "此前的对话：\n{}\n\n"}


def build_messages(
    question: str,
    context: str,
    history: str,
    param: QueryParam,
    language: str,
    meant: Sequence[tuple[str, str]] = (),
) -> list[ChatMessage]:
    """Return the messages of the prompt.

    Args:
        history: the last turns in short form, "" for none.
        meant: (name in the question, name in the sources) where these differ.
    """
    before = _HISTORY[language].format(history) if history else ""
    lines = [_MEANT[language].format(asked_name, name) for asked_name, name in meant]
    before += "\n".join((*lines, "")) if lines else ""
    requests = _format_requests(param, language)
    if param.system_prompt:
        system = param.system_prompt
        for mark, value in (
            (CONTEXT_MARK, context),
            ("{response_type}", param.response_type),
            ("{user_prompt}", param.user_prompt),
            ("{history}", history),
        ):
            system = system.replace(mark, value)
        if CONTEXT_MARK in param.system_prompt:
            asked = "\n\n".join(part for part in (before + question, requests) if part)
            return [ChatMessage("system", system), ChatMessage("user", asked)]
    else:
        system = load_prompt("answer_system", language)
    asked = load_prompt("answer_user", language).format(
        sources=context, history=before, question=question
    )
    if requests:
        asked = f"{asked}\n{requests}"
    return [ChatMessage("system", system), ChatMessage("user", asked)]


def count_instructions(
    question: str,
    history: str,
    param: QueryParam,
    language: str,
    count: CountTokens,
    meant: Sequence[tuple[str, str]] = (),
) -> int:
    """Return the tokens of the prompt without the context; arguments as in `build_messages`."""
    empty_prompt = build_messages(question, "", history, param, language, meant)
    return sum(count(message.text) for message in empty_prompt)


def build_conversation(
    question: str, history: Sequence[ChatMessage], param: QueryParam, language: str
) -> list[ChatMessage]:
    """Return the messages of the prompt for an answer without documents."""
    system = param.system_prompt.replace(CONTEXT_MARK, "") or load_prompt("bypass", language)
    requests = _format_requests(param, language)
    asked = f"{question}\n\n{requests}" if requests else question
    return [ChatMessage("system", system), *history, ChatMessage("user", asked)]


def _format_requests(param: QueryParam, language: str) -> str:
    form, also = _REQUESTS[language]
    lines = []
    if param.response_type:
        known = _FORMS_ZH if language == "zh" else {}
        lines.append(form.format(known.get(param.response_type, param.response_type)))
    if param.user_prompt:
        lines.append(also.format(param.user_prompt))
    return "\n".join(lines)


FIRST_TOKEN_S = 12.0  # the longest acceptable time to the first word
USUAL_RATE = 100.0  # tokens per second that a 1.5B model reads on two cores
FAST_RATE = 50.0
# Fixed steps keep the beginning of the prompt the same, so that the model can reuse its cache.
PROMPT_STEPS = (600, 1000, 1500, 2000, 3000, 4000, 6000)
ANSWER_TOKENS = 300
# Maximum length by the requested form; any other form may need a long answer.
FORM_TOKENS = {"": ANSWER_TOKENS, SHORT_FORM: 140, LONG_FORM: 800}
LONG_ANSWER_TOKENS = 600
SPARE_TOKENS = 40  # of the chat template around messages
MIN_CONTEXT = 200
# Shares of reports, entities and relations; the rest is for passages.
SHARES = (0.0, 0.15, 0.25)
GRAPHRAG_SHARES = (0.15, 0.15, 0.20)  # of GraphRAG's local search
_MIN_MEASURED = 100  # tokens; shorter prompts do not measure the speed well


@dataclass(frozen=True, slots=True)
class TokenBudget:
    """Tokens for the context and, of these, the most for names, relations and reports."""

    context: int
    entities: int = 0
    relations: int = 0
    answer: int = ANSWER_TOKENS
    reports: int = 0


class ReadingSpeed:
    """The measured speed at which each model read its last prompts."""

    def __init__(self) -> None:
        self._rates: dict[str, deque[float]] = {}

    def record(self, model: ChatModel) -> None:
        """Record the speed of the model's last run."""
        run = model.last_run
        if run.n_prompt - run.n_reused >= _MIN_MEASURED:
            self._rates.setdefault(model.name, deque(maxlen=5)).append(run.prompt_rate)

    def get_rate(self, model: ChatModel | None) -> float:
        """Return tokens per second; a usual value for a model without measurements."""
        rates = self._rates.get(model.name) if model is not None else None
        return median(rates) if rates else USUAL_RATE

    def is_fast(self, model: ChatModel) -> bool:
        """Return whether the model is fast enough for a short call before the answer."""
        return self.get_rate(model) >= FAST_RATE


def count_answer_tokens(param: QueryParam) -> int:
    """Return the maximum number of tokens of an answer of the requested form."""
    return FORM_TOKENS.get(param.response_type, LONG_ANSWER_TOKENS)


def plan_budget(
    param: QueryParam, n_ctx: int, rate: float, n_instructions: int, spent_s: float = 0.0
) -> TokenBudget:
    """Return the token budget of the context.

    Args:
        n_ctx: context size of the model; 0 for no model.
        rate: reading speed in tokens per second.
        n_instructions: see `count_instructions`.
        spent_s: seconds since the question was asked.
    """
    n_answer = count_answer_tokens(param)
    available = (n_ctx or PROMPT_STEPS[-1]) - n_answer - SPARE_TOKENS
    if param.max_total_tokens:
        context = min(param.max_total_tokens, available) - n_instructions
    else:
        readable = rate * max(0.0, FIRST_TOKEN_S - spent_s)
        most = max((s for s in PROMPT_STEPS if s <= readable), default=PROMPT_STEPS[0])
        context = min(most, available) - n_instructions
        context = max(context, min(MIN_CONTEXT, available - n_instructions))
    context = max(0, context)
    if param.mode not in GRAPH_MODES:
        return TokenBudget(context, answer=n_answer)
    reports, entities, relations = SHARES
    if param.preset == GRAPHRAG_LOCAL:
        reports, entities, relations = GRAPHRAG_SHARES
    return TokenBudget(
        context,
        min(context, param.max_entity_tokens or int(entities * context)),
        min(context, param.max_relation_tokens or int(relations * context)),
        n_answer,
        int(reports * context),
    )


def ignore_found(found: RetrievalResult) -> None:
    """The default for `FoundCallback`."""


@dataclass(frozen=True, slots=True)
class UnderstoodQuestion:
    """A question with its options, its language and its cancel token.

    `started` is the value of `time.monotonic()` when the question was asked. `on_found` gets what
    was retrieved before the model reads the prompt.
    """

    question: str
    param: QueryParam
    language: str
    cancel: CancelToken
    on_step: ProgressCallback
    started: float
    on_found: FoundCallback = ignore_found

    @property
    def spent_s(self) -> float:
        return time.monotonic() - self.started


@dataclass(frozen=True, slots=True)
class QuestionTranslation:
    """What is needed to translate an answer back.

    Attributes:
        asked: the question in the language of the sources.
        language: of the question as the user asked it.
        names: (name in the sources, name in the user's question).
    """

    asked: UnderstoodQuestion
    language: str
    names: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What was retrieved for a question.

    Attributes:
        asked: the question in the language of the sources.
        needs_history: the question cannot be understood without the turns before it.
        translation: set where the question was translated to the language of the sources.
    """

    asked: UnderstoodQuestion
    found: RetrievalResult
    needs_history: bool = False
    translation: QuestionTranslation | None = None


@dataclass(frozen=True, slots=True)
class PreparedContext:
    """The prompt with its sources.

    Attributes:
        found: what was retrieved, with the stages of building the context.
        n_answer: the maximum number of tokens to generate.
        reports_suffice: the reports are the answer; a model would only repeat them.
    """

    messages: tuple[ChatMessage, ...]
    context: AnswerContext
    n_answer: int
    found: RetrievalResult
    reports_suffice: bool = False

    @property
    def prompt(self) -> str:
        return "\n\n".join(message.text for message in self.messages)


def needs_explanation(asked_name: str, name: str, text: str) -> bool:
    """Return whether the sources use another name than the question for the same entity."""
    asked_name, name, text = asked_name.casefold(), name.casefold(), text.casefold()
    return name in text and asked_name not in text and asked_name not in name


def count_tokens_with(model: ChatModel | None) -> CountTokens:
    """Return the token counter of the model, a general one without a model."""
    return model.count_tokens if model is not None else load_tiktoken_counter()


def find_language(passages: Sequence[Passage]) -> str:
    """Return the language of the best passages, "" where they are in several languages."""
    found = [detect_language(p.text) for p in passages[:N_SOURCES]]
    return found[0] if found and found.count(found[0]) >= MOSTLY * len(found) else ""
