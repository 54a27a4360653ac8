"""Reports by a chat model: the structure is given, the model writes the words.

The points of a report are chosen beforehand, each with the sentences it stands on; the model is
asked for a title, a summary, how much it all matters, and, if it is big enough to be trusted with
it, one statement a point. What has little of its sentences gives way to quotation and count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import sqrt

from ..extraction.llm.repetition import drop_repeated
from ..extraction.llm.tasks import DESCRIBE_FROM_PARAMETERS
from ..llm.protocols import ChatModel
from ..model import ChatMessage, Finding, Report
from ..prompt_files import load_prompt
from ..prompt_program import PASSAGE, Choose, PromptProgram, Talk, Write, Written, share_out
from ..retrieval.keywords import OneLine
from ..store.db import Db
from ..text.features import features
from .material import KeyPoint, ReportMaterial, quote


@dataclass(frozen=True, slots=True)
class Scale:
    """What a community is measured by: the library's names, and the weightiest of its level."""

    n_entities: int
    heaviest: float


def fetch_scale(db: Db, level: int) -> Scale:
    heaviest = db.value("SELECT max(weight) FROM community WHERE level = ?", (level,))
    return Scale(db.value("SELECT count(*) FROM entity"), float(heaviest or 0.0))


def build_extractive(material: ReportMaterial, scale: Scale) -> Report:
    """Return a report of quotations and counts."""
    row = material.row
    findings = tuple(_finding(point, material.language) for point in material.points)
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
    """Return 0 to 10: the weightiest of a level has 10; a quarter of its weight is half of that."""
    return round(10.0 * sqrt(weight / scale.heaviest), 1) if scale.heaviest else 0.0


def join_names(names: Sequence[str], language: str) -> str:
    """Return names as they stand in a sentence: "A, B and C"."""
    if language == "zh":
        return "、".join(names)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _summary(material: ReportMaterial) -> str:
    row, language = material.row, material.language
    names = [m.name for m in material.members]
    if not names:
        return ""
    middle, others = names[:3], names[3:8]
    tie = next((p for p in material.points if p.relation is not None), None)
    if language == "zh":
        return _summary_zh(material, middle, others, tie)
    n = row.n_members
    if row.is_loose:
        among = join_names(names[:8], "en")
        return f"{n:,} names that no sentence ties to another, among them {among}."
    verb = "stand" if len(middle) > 1 else "stands"
    said = [f"{join_names(middle, 'en')} {verb} in the middle of {n:,} names"]
    if others:
        said[0] += f", with {join_names(others, 'en')}"
        said[0] += " and others" if n > len(middle) + len(others) else ""
    said[0] += "."
    if tie is not None and tie.relation is not None and tie.relation.n_evidence > 1:
        places = f"{tie.relation.n_evidence:,} sentences"
        said.append(f"{join_names(tie.names, 'en')} are told of together most, in {places}.")
    for title, heading, _ in material.books[:1]:
        place = f"{title}, {_last(heading)}" if heading else title
        said.append(f"Most of it is told in {place}.")
    if row.key_words:
        said.append(f"Words that set it apart: {', '.join(row.key_words)}.")
    return " ".join(said)


def _summary_zh(
    material: ReportMaterial, middle: list[str], others: list[str], tie: KeyPoint | None
) -> str:
    row, n = material.row, material.row.n_members
    if row.is_loose:
        return (
            f"共{n}个名字，没有句子把它们与别的名字联系起来，例如{'、'.join([*middle, *others])}。"
        )
    said = [f"以{'、'.join(middle)}为中心，共有{n}个名字"]
    if others:
        said[0] += f"，还包括{'、'.join(others)}{'等' if n > len(middle) + len(others) else ''}"
    said[0] += "。"
    if tie is not None and tie.relation is not None and tie.relation.n_evidence > 1:
        places = tie.relation.n_evidence
        said.append(f"{'与'.join(tie.names)}最常一同出现，共有{places}句。")
    for title, heading, _ in material.books[:1]:
        said.append(f"主要见于《{title}》{f'“{_last(heading)}”' if heading else ''}。")
    if row.key_words:
        said.append(f"最有特色的词：{'、'.join(row.key_words)}。")
    return "".join(said)


def _reason(material: ReportMaterial, scale: Scale) -> str:
    row, share = material.row, f"{100 * material.row.weight:.0f} %"
    if material.language == "zh":
        return f"包含全部{scale.n_entities}个名字中的{row.n_members}个，占联系与出现次数的{share}。"
    return (
        f"It holds {row.n_members:,} of {scale.n_entities:,} names, and {share} of all that"
        " ties names and mentions them."
    )


def _finding(point: KeyPoint, language: str) -> Finding:
    best = quote(point.evidence[0].quote, language)
    kind = point.relation.kind if point.relation is not None else ""
    headline = join_names(point.names, language) if language == "en" else "与".join(point.names)
    if kind:
        headline += f"（{kind}）" if language == "zh" else f" ({kind})"
    return Finding(headline, best, point.evidence)


def _last(heading: str) -> str:
    return heading.split("›")[-1].strip()


VERSION = "1"
MOST_PROMPT, BRIEF_PROMPT = 1200, 450  # tokens of names and sentences, whatever the model holds
LINE_TOKENS = 80
REASON_TOKENS = 40
PARTS_SHARE = 0.45  # of the room, for what is reported of the parts of a big community
TOLD_MEMBERS = 24  # more than these don't fit: then the parts speak for them
LONGEST_TITLE = {"en": 70, "zh": 24}
LEAST_SHARED = 0.34  # of a statement's words that its sentences have
LEAST_OF_SUMMARY, LEAST_OF_TITLE = 0.5, 0.5
_LINES = {
    "en": ("Title:", "Summary:", "Importance:", "Importance: {} of 10, because"),
    "zh": ("标题：", "摘要：", "重要性：", "重要性：{}，因为"),
}
_HEADS = {"en": ("Names:", "Parts:", "Sentences:"), "zh": ("名字：", "组成部分：", "句子：")}
_CJK = re.compile(r"[\u3400-\u9fff]")
_EDGES = re.compile(r"^[\s\"“”'*#:：\-\d.\[\]]+|[\s\"“”'*]+$")
_MARK = re.compile(r"\s*\[\d+\]")
_JOINTS = re.compile(r"[的与和及之中、，]")
_END = re.compile(r"[.!?。！？…][\"”’」]*$")
_COMMON = frozenset(("the", "and", "was", "were", "his", "her", "they", "that", "with", "who"))


@dataclass(frozen=True, slots=True)
class Draft:
    """What a model wrote of a community, as it wrote it."""

    title: str
    summary: str
    rating: float
    reason: str
    statements: tuple[str, ...]


def build_report_script(
    material: ReportMaterial, parts: Sequence[Report], model: ChatModel
) -> tuple[PromptProgram, tuple[KeyPoint, ...]]:
    """Return the questions on a community, and the points that fit into them.

    Args:
        parts: reports on its children, the weightiest first; used where it is too big.
    """
    language, states = material.language, can_write_findings(model)
    asked = load_prompt("report" if states else "report_brief", language)
    messages = (
        ChatMessage("system", load_prompt("report_system", language)),
        ChatMessage("user", asked.format(passage=PASSAGE)),
    )
    around = sum(model.count_tokens(m.text) for m in messages)
    most = MOST_PROMPT if states else BRIEF_PROMPT
    room = min(most, model.n_ctx - around - 12 * LINE_TOKENS)
    text, points = _lay_out(material, parts, model.count_tokens, max(200, room))
    title, summary, importance, because = _LINES[language]
    lines = [title, summary]
    if states:
        lines += [_line(n, p, language) for n, p in enumerate(points, start=1)]
    options = tuple(f"{' ' if language == 'en' else ''}{n}" for n in range(10))

    def talk() -> Talk:
        written: list[Written] = yield Write(tuple(lines), LINE_TOKENS, OneLine())
        [choice] = yield Choose((importance,), options)
        shares = share_out(choice.logprobs)
        # One digit each, so that no option is the beginning of another.
        rating = sum(n * share for n, share in enumerate(shares)) * 10 / 9
        reason = ""
        if states:
            asked = Write((because.format(round(rating)),), REASON_TOKENS, OneLine())
            [reason] = [_whole(w) for w in (yield asked)]
        texts = [_whole(w) for w in written]
        return Draft(texts[0], texts[1], rating, reason, tuple(texts[2:]))

    return PromptProgram(int(material.row.id), messages, text, talk), points


def build_report(
    material: ReportMaterial, points: Sequence[KeyPoint], draft: Draft, model: str, scale: Scale
) -> Report:
    """Return the report that a draft gives, with quotations where it is of no use."""
    language = material.language
    plain = build_extractive(material, scale)
    findings: list[Finding] = []
    said: set[str] = set()
    for finding, point, statement in zip(plain.findings, points, draft.statements, strict=False):
        text = _tidy(statement)
        if text and text not in said and _stands_on(text, point):
            said.add(text)
            finding = replace(finding, text=text)
        findings.append(finding)
    findings += plain.findings[len(findings) :]
    known = [*(m.name for m in material.members), *material.row.key_words]
    told = " ".join((*known, *(e.quote for p in material.points for e in p.evidence)))
    title = _EDGES.sub("", draft.title).rstrip(".。")
    if not (2 <= len(title) <= LONGEST_TITLE[language] and _fits_title(title, known, told)):
        title = plain.title
    summary = drop_repeated(_tidy(draft.summary))
    if not _shares(summary, told, LEAST_OF_SUMMARY, " ".join(known)):
        summary = ""
    rating = (draft.rating + rate_by_weight(material.row.weight, scale)) / 2
    return replace(
        plain,
        title=title,
        summary=summary if len(summary) > 20 else plain.summary,
        rating=round(min(10.0, max(0.0, rating)), 1),
        reason=_tidy(draft.reason) or plain.reason,
        findings=tuple(findings),
        model=model,
    )


def _lay_out(
    material: ReportMaterial,
    parts: Sequence[Report],
    count: Callable[[str], int],
    room: int,
) -> tuple[str, tuple[KeyPoint, ...]]:
    """Return names, what is reported of the parts, and numbered sentences, as far as they fit."""
    language = material.language
    names_head, parts_head, sentences_head = _HEADS[language]
    shown = [f"{m.name} ({m.type})" if language == "en" else m.name for m in material.members]
    sections = [f"{names_head} {('、' if language == 'zh' else ', ').join(shown[:TOLD_MEMBERS])}"]
    used = count(sections[0])
    if len(material.members) > TOLD_MEMBERS and parts:
        told = []
        for part in parts:
            line = f"- {part.title}: {quote(part.summary, language)}"
            if used + count(line) > PARTS_SHARE * room:
                break
            told.append(line)
            used += count(line) + 1
        if told:
            sections.append("\n".join((parts_head, *told)))
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


def _line(number: int, point: KeyPoint, language: str) -> str:
    if language == "zh":
        return f"[{number}] {'与'.join(point.names)}："
    return f"[{number}] {join_names(point.names, 'en')}:"


def _whole(written: Written) -> str:
    """Return what was written without a sentence that was cut off."""
    text = " ".join(written.text.split())
    if written.ended == "finished" or _END.search(text):
        return text
    cut = max(text.rfind(mark) for mark in (". ", "。", "！", "? ", "！"))
    return text[: cut + 1] if cut > 0 else ""


def _tidy(text: str) -> str:
    return _MARK.sub("", _EDGES.sub("", text)).strip()


def can_write_findings(model: ChatModel) -> bool:
    """Say whether a model is big enough to put facts into words of its own (decision 0015)."""
    return getattr(model, "n_parameters", 0) >= DESCRIBE_FROM_PARAMETERS


def _stands_on(text: str, point: KeyPoint) -> bool:
    """Say whether a statement has enough of the sentences it is to stand on.

    Names don't count: whatever is made up is made up of somebody.
    """
    own = _stems(text) - _stems(" ".join(point.names))
    told = _stems(" ".join(e.quote for e in point.evidence))
    return not own or len(own & told) >= LEAST_SHARED * len(own)


def _fits_title(title: str, known: Sequence[str], told: str) -> bool:
    """Say whether a title has a name, and whether what else it says stands in the text.

    A small model makes weddings of sieges, so half of its words have to be found.
    """
    left = title
    for name in sorted(known, key=len, reverse=True):
        left = left.replace(name, " ")
    names = _stems(" ".join(known))
    if left == title and not names & _stems(title):
        return False
    own = _stems(_JOINTS.sub(" ", left)) - names
    return len(own & _stems(told)) >= LEAST_OF_TITLE * len(own)


def _shares(text: str, told: str, least: float, names: str) -> bool:
    """Say whether a text says something beyond names, and most of it as told."""
    own = _stems(text) - _stems(names)
    return len(own & _stems(told)) >= max(3.0, least * len(own))


def _stems(text: str) -> set[str]:
    return {w if _CJK.match(w) else w[:5] for w in features(text) if w not in _COMMON}
