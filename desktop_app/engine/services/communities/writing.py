"""Reports by a chat model: the structure is given, the model writes the words.

The points of a report are chosen beforehand, each with the sentences it stands on; the model is
asked for a title, a summary, how much it all matters, and, if it is big enough to be trusted with
it, one statement a point. What has little of its sentences gives way to quotation and count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ...asks import PASSAGE, Choose, Script, Talk, Write, Written, share_out
from ...extract.enrich import DESCRIBE_FROM_PARAMETERS
from ...extract.repeating import drop_repeated
from ...models.protocols import ChatModel
from ...prompting import load_prompt
from ...text.features import features
from ...themes import Finding, Report
from ...types import ChatMessage
from ..finding.keywords import OneLine
from .extractive import Scale, build_extractive, join_names, rate_by_weight
from .material import Material, Point, quote

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
    material: Material, parts: Sequence[Report], model: ChatModel
) -> tuple[Script, tuple[Point, ...]]:
    """Return the questions on a community, and the points that fit into them.

    Args:
        parts: reports on its children, the weightiest first; used where it is too big.
    """
    language, states = material.language, may_state(model)
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

    return Script(int(material.row.id), messages, text, talk), points


def build_report(
    material: Material, points: Sequence[Point], draft: Draft, model: str, scale: Scale
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
    material: Material,
    parts: Sequence[Report],
    count: Callable[[str], int],
    room: int,
) -> tuple[str, tuple[Point, ...]]:
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


def _line(number: int, point: Point, language: str) -> str:
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


def may_state(model: ChatModel) -> bool:
    """Say whether a model is big enough to put facts into words of its own (decision 0015)."""
    return getattr(model, "n_parameters", 0) >= DESCRIBE_FROM_PARAMETERS


def _stands_on(text: str, point: Point) -> bool:
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
