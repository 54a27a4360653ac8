"""Builds community reports: from quotations and counts, or with texts by a chat model.

The key points and their sentences are chosen beforehand. The model writes a title, a summary, a
rating and, if it is large enough, one statement per key point. A text that shares too few words
with its sentences is replaced by a quotation or a count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import sqrt

from ..extraction.llm.descriptions import drop_repeated
from ..extraction.llm.tasks import DESCRIBE_FROM_PARAMETERS
from ..llm.protocols import ChatModel
from ..model import ChatMessage, Finding, Report
from ..prompt_files import load_prompt
from ..prompt_program import PASSAGE, Choose, PromptProgram, Talk, Write, Written, share_out
from ..retrieval.keywords import OneLine
from ..scripts import features, has_han
from ..store.db import Db
from .material import KeyPoint, ReportMaterial, quote


@dataclass(frozen=True, slots=True)
class Scale:
    """Reference values for a rating: entities of the library, largest weight of the level."""

    n_entities: int
    heaviest: float


def fetch_scale(db: Db, level: int) -> Scale:
    """Return the reference values for communities of a level."""
    heaviest = db.value("SELECT max(weight) FROM community WHERE level = ?", (level,))
    return Scale(db.value("SELECT count(*) FROM entity"), float(heaviest or 0.0))


def build_extractive(material: ReportMaterial, scale: Scale) -> Report:
    """Return a report of quotations and counts, without a model."""
    row = material.row
    findings = tuple(_build_finding(point, material.language) for point in material.points)
    rating = 0.0 if row.is_loose else rate_by_weight(row.weight, scale)
    return Report(
        row.id,
        title=row.title,
        summary=_summary(material),
        rating=rating,
        reason=_reason(material, scale),
        findings=findings,
        language=material.language,
    )


def rate_by_weight(weight: float, scale: Scale) -> float:
    """Return 0 to 10: the largest weight of a level gives 10, a quarter of it gives 5."""
    return round(10.0 * sqrt(weight / scale.heaviest), 1) if scale.heaviest else 0.0


def join_names(names: Sequence[str], language: str) -> str:
    """Return names as an enumeration: "A, B and C"."""
    if language == "zh":
        return "、".join(names)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _summary(material: ReportMaterial) -> str:
    row, language = material.row, material.language
    names = [m.name for m in material.members]
    if not names:
        return ""
    middle, others = names[:3], names[3:8]
    strongest = next((p for p in material.points if p.relation is not None), None)
    if language == "zh":
        return _summary_zh(material, middle, others, strongest)
    n = row.n_members
    if row.is_loose:
        among = join_names(names[:8], "en")
        return f"{n:,} names that no sentence ties to another, among them {among}."
    verb = "stand" if len(middle) > 1 else "stands"
    sentences = [f"{join_names(middle, 'en')} {verb} in the middle of {n:,} names"]
    if others:
        sentences[0] += f", with {join_names(others, 'en')}"
        sentences[0] += " and others" if n > len(middle) + len(others) else ""
    sentences[0] += "."
    if (
        strongest is not None
        and strongest.relation is not None
        and strongest.relation.n_evidence > 1
    ):
        places = f"{strongest.relation.n_evidence:,} sentences"
        sentences.append(
            f"{join_names(strongest.names, 'en')} are told of together most, in {places}."
        )
    for title, heading, _ in material.books[:1]:
        place = f"{title}, {_last_heading(heading)}" if heading else title
        sentences.append(f"Most of it is told in {place}.")
    if row.key_words:
        sentences.append(f"Words that set it apart: {', '.join(row.key_words)}.")
    return " ".join(sentences)


def _summary_zh(
    material: ReportMaterial, middle: list[str], others: list[str], strongest: KeyPoint | None
) -> str:
    row, n = material.row, material.row.n_members
    if row.is_loose:
        return (
            f"共{n}个名字，没有句子把它们与别的名字联系起来，例如{'、'.join([*middle, *others])}。"
        )
    sentences = [f"以{'、'.join(middle)}为中心，共有{n}个名字"]
    if others:
        sentences[0] += (
            f"，还包括{'、'.join(others)}{'等' if n > len(middle) + len(others) else ''}"
        )
    sentences[0] += "。"
    if (
        strongest is not None
        and strongest.relation is not None
        and strongest.relation.n_evidence > 1
    ):
        places = strongest.relation.n_evidence
        sentences.append(f"{'与'.join(strongest.names)}最常一同出现，共有{places}句。")
    for title, heading, _ in material.books[:1]:
        sentences.append(f"主要见于《{title}》{f'“{_last_heading(heading)}”' if heading else ''}。")
    if row.key_words:
        sentences.append(f"最有特色的词：{'、'.join(row.key_words)}。")
    return "".join(sentences)


def _reason(material: ReportMaterial, scale: Scale) -> str:
    row, share = material.row, f"{100 * material.row.weight:.0f} %"
    if material.language == "zh":
        return f"包含全部{scale.n_entities}个名字中的{row.n_members}个，占联系与出现次数的{share}。"
    return (
        f"It holds {row.n_members:,} of {scale.n_entities:,} names, and {share} of all that"
        " ties names and mentions them."
    )


def _build_finding(point: KeyPoint, language: str) -> Finding:
    best = quote(point.evidence[0].quote, language)
    kind = point.relation.kind if point.relation is not None else ""
    headline = join_names(point.names, language) if language == "en" else "与".join(point.names)
    if kind:
        headline += f"（{kind}）" if language == "zh" else f" ({kind})"
    return Finding(headline, best, point.evidence)


def _last_heading(heading: str) -> str:
    return heading.split("›")[-1].strip()


MAX_PROMPT, MAX_BRIEF_PROMPT = (
    1200,
    450,
)  # tokens of names and sentences, also for models with more context
LINE_TOKENS = 80
REASON_TOKENS = 40
PARTS_SHARE = 0.45  # of the available tokens, for the reports of child communities
MAX_LISTED_MEMBERS = 24  # with more members, child reports are included
MAX_TITLE_CHARS = {"en": 70, "zh": 24}
MIN_SHARED = 0.34  # least share of a statement's words that occur in its sentences
MIN_SHARED_OF_SUMMARY, MIN_SHARED_OF_TITLE = 0.5, 0.5
_LINES = {
    "en": ("Title:", "Summary:", "Importance:", "Importance: {} of 10, because"),
    "zh": ("标题：", "摘要：", "重要性：", "重要性：{}，因为"),
}
_HEADS = {"en": ("Names:", "Parts:", "Sentences:"), "zh": ("名字：", "组成部分：", "句子：")}
_EDGES = re.compile(r"^[\s\"“”'*#:：\-\d.\[\]]+|[\s\"“”'*]+$")
_MARK = re.compile(r"\s*\[\d+\]")
_JOINTS = re.compile(r"[的与和及之中、，]")
_END = re.compile(r"[.!?。！？…][\"”’」]*$")
_COMMON = frozenset(("the", "and", "was", "were", "his", "her", "they", "that", "with", "who"))


@dataclass(frozen=True, slots=True)
class Draft:
    """The unchecked texts that a model wrote for a report."""

    title: str
    summary: str
    rating: float
    reason: str
    statements: tuple[str, ...]


def build_report_program(
    material: ReportMaterial, parts: Sequence[Report], model: ChatModel
) -> tuple[PromptProgram, tuple[KeyPoint, ...]]:
    """Return the prompt program for a community, and the key points that fit into it.

    Args:
        parts: reports of its children, by weight; used if there are too many members.
    """
    language, has_statements = material.language, can_write_findings(model)
    instruction = load_prompt("report" if has_statements else "report_brief", language)
    messages = (
        ChatMessage("system", load_prompt("report_system", language)),
        ChatMessage("user", instruction.format(passage=PASSAGE)),
    )
    fixed_tokens = sum(model.count_tokens(m.text) for m in messages)
    most = MAX_PROMPT if has_statements else MAX_BRIEF_PROMPT
    room = min(most, model.n_ctx - fixed_tokens - 12 * LINE_TOKENS)
    text, points = _build_prompt_text(material, parts, model.count_tokens, max(200, room))
    title, summary, importance, because = _LINES[language]
    lines = [title, summary]
    if has_statements:
        lines += [_statement_label(n, p, language) for n, p in enumerate(points, start=1)]
    options = tuple(f"{' ' if language == 'en' else ''}{n}" for n in range(10))

    def converse() -> Talk:
        written: list[Written] = yield Write(tuple(lines), LINE_TOKENS, OneLine())
        [choice] = yield Choose((importance,), options)
        shares = share_out(choice.logprobs)
        # One digit each, so that no option is a prefix of another.
        rating = sum(n * share for n, share in enumerate(shares)) * 10 / 9
        reason = ""
        if has_statements:
            ask = Write((because.format(round(rating)),), REASON_TOKENS, OneLine())
            [reason] = [_drop_unfinished(w) for w in (yield ask)]
        texts = [_drop_unfinished(w) for w in written]
        return Draft(texts[0], texts[1], rating, reason, tuple(texts[2:]))

    return PromptProgram(int(material.row.id), messages, text, converse), points


def build_report(
    material: ReportMaterial, points: Sequence[KeyPoint], draft: Draft, model: str, scale: Scale
) -> Report:
    """Return the report from a draft; texts that fail the checks become quotations."""
    language = material.language
    extractive = build_extractive(material, scale)
    findings: list[Finding] = []
    sentences: set[str] = set()
    for finding, point, statement in zip(
        extractive.findings, points, draft.statements, strict=False
    ):
        text = _strip_marks(statement)
        if text and text not in sentences and _is_supported(text, point):
            sentences.add(text)
            finding = replace(finding, text=text)
        findings.append(finding)
    findings += extractive.findings[len(findings) :]
    known = [*(m.name for m in material.members), *material.row.key_words]
    source = " ".join((*known, *(e.quote for p in material.points for e in p.evidence)))
    title = _EDGES.sub("", draft.title).rstrip(".。")
    if not (
        2 <= len(title) <= MAX_TITLE_CHARS[language] and _is_title_supported(title, known, source)
    ):
        title = extractive.title
    summary = drop_repeated(_strip_marks(draft.summary))
    if not _shares_words(summary, source, MIN_SHARED_OF_SUMMARY, " ".join(known)):
        summary = ""
    rating = (draft.rating + rate_by_weight(material.row.weight, scale)) / 2
    return replace(
        extractive,
        title=title,
        summary=summary if len(summary) > 20 else extractive.summary,
        rating=round(min(10.0, max(0.0, rating)), 1),
        reason=_strip_marks(draft.reason) or extractive.reason,
        findings=tuple(findings),
        model=model,
    )


def _build_prompt_text(
    material: ReportMaterial,
    parts: Sequence[Report],
    count: Callable[[str], int],
    room: int,
) -> tuple[str, tuple[KeyPoint, ...]]:
    """Return the prompt text (names, child reports, numbered sentences) that fits into `room`."""
    language = material.language
    names_head, parts_head, sentences_head = _HEADS[language]
    shown = [f"{m.name} ({m.type})" if language == "en" else m.name for m in material.members]
    sections = [
        f"{names_head} {('、' if language == 'zh' else ', ').join(shown[:MAX_LISTED_MEMBERS])}"
    ]
    used = count(sections[0])
    if len(material.members) > MAX_LISTED_MEMBERS and parts:
        part_lines = []
        for part in parts:
            line = f"- {part.title}: {quote(part.summary, language)}"
            if used + count(line) > PARTS_SHARE * room:
                break
            part_lines.append(line)
            used += count(line) + 1
        if part_lines:
            sections.append("\n".join((parts_head, *part_lines)))
    lines: list[str] = []
    for number, point in enumerate(material.points, start=1):
        best = quote(point.evidence[0].quote, language)
        line = f"[{number}] {best}"
        if lines and used + count(line) > room:
            break
        lines.append(line)
        used += count(line) + 1
    sections.append("\n".join((sentences_head, *lines)))
    return "\n\n".join(sections), material.points[: len(lines)]


def _statement_label(number: int, point: KeyPoint, language: str) -> str:
    if language == "zh":
        return f"[{number}] {'与'.join(point.names)}："
    return f"[{number}] {join_names(point.names, 'en')}:"


def _drop_unfinished(written: Written) -> str:
    """Return the generated text without an unfinished last sentence."""
    text = " ".join(written.text.split())
    if written.ended == "finished" or _END.search(text):
        return text
    cut = max(text.rfind(mark) for mark in (". ", "。", "！", "? ", "！"))
    return text[: cut + 1] if cut > 0 else ""


def _strip_marks(text: str) -> str:
    return _MARK.sub("", _EDGES.sub("", text)).strip()


def can_write_findings(model: ChatModel) -> bool:
    """Return whether a model is large enough to write statements (decision 0015)."""
    return getattr(model, "n_parameters", 0) >= DESCRIBE_FROM_PARAMETERS


def _is_supported(text: str, point: KeyPoint) -> bool:
    """Return whether a statement shares enough words with the sentences of its key point.

    Names are ignored, because invented statements contain them too.
    """
    content = _stems(text) - _stems(" ".join(point.names))
    source = _stems(" ".join(e.quote for e in point.evidence))
    return not content or len(content & source) >= MIN_SHARED * len(content)


def _is_title_supported(title: str, known: Sequence[str], source: str) -> bool:
    """Return whether a title has a name and at least half of its other words are in the text.

    Small models invent events, for example a wedding instead of a siege.
    """
    left = title
    for name in sorted(known, key=len, reverse=True):
        left = left.replace(name, " ")
    names = _stems(" ".join(known))
    if left == title and not names & _stems(title):
        return False
    content = _stems(_JOINTS.sub(" ", left)) - names
    return len(content & _stems(source)) >= MIN_SHARED_OF_TITLE * len(content)


def _shares_words(text: str, source: str, least: float, names: str) -> bool:
    """Return whether a text has words besides names, and enough of them are in the source."""
    content = _stems(text) - _stems(names)
    return len(content & _stems(source)) >= max(3.0, least * len(content))


def _stems(text: str) -> set[str]:
    return {w if has_han(w[0]) else w[:5] for w in features(text) if w not in _COMMON}
