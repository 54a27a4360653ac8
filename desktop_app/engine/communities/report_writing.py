"""Builds community reports: from quotations and counts, or with texts by a chat model.

The key points and their sentences are chosen beforehand. The model writes a title, a summary, a
rating and, if it is large enough, one statement per key point. A text that shares too few words
with its sentences is replaced by a quotation or a count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ..extraction.llm.descriptions import drop_repeated
from ..extraction.llm.tasks import DESCRIBE_FROM_PARAMETERS
from ..llm.protocols import ChatModel
from ..model import ChatMessage, Finding, Report
from ..prompt_files import load_prompt
from ..prompt_program import (
    PASSAGE,
    Choose,
    OneLine,
    PromptProgram,
    Talk,
    Write,
    Written,
    share_out,
)
from ..word_lists import load_table
from ..writing_systems import features, has_han
from .material import KeyPoint, ReportMaterial, quote

# The sentences of an extractive report, by language.
_SENTENCES: dict[str, dict[str, str]] = load_table("report_sentences")
N_SUMMARY_NAMES, N_CENTRAL_NAMES = 8, 3
# Between a word of a sentence and what is filled in: a blank between Chinese and Latin, else "".
_JOINT = "\ue000"  # a private character
_BLANK = re.compile(
    rf"(?<=[\u3400-\u9fff]){_JOINT}+(?=[A-Za-z0-9<])|(?<=[A-Za-z0-9.%]){_JOINT}+(?=[\u3400-\u9fff])"
)


def build_extractive(material: ReportMaterial, language: str = "") -> Report:
    """Return a report of quotations and counts, without a model.

    Args:
        language: "en" or "zh" for its own words; of another one, that of the quoted texts.
    """
    row, scale = material.row, material.scale
    language = language if language in _SENTENCES else material.language
    findings = []
    for point in material.points:
        headline = _join_pair(point.names, language)
        if point.relation is not None and (kind := point.relation.kind):
            headline += f"（{kind}）" if language == "zh" else f" ({kind})"
        best = quote(point.evidence[0].quote, material.language)
        findings.append(Finding(headline, best, point.evidence))
    return Report(
        row.id,
        title=row.title,
        summary=_build_summary(replace(material, language=language)),
        rating=0.0 if row.is_loose else scale.rate(row.weight),
        reason=_fill(
            *(language, "reason"),
            n=row.n_members,
            total=scale.n_entities,
            share=format_share(row.weight),
        ),
        findings=tuple(findings),
        language=language,
    )


def cut_key_words(summary: str, key_words: Sequence[str]) -> str:
    """Return the summary of a report without a model without its last sentence, the key words."""
    for texts in _SENTENCES.values():
        sentence = texts["words"].format(words=texts["comma"].join(key_words))
        if key_words and summary.endswith(sentence):
            return summary.removesuffix(sentence).rstrip()
    return summary


def format_share(share: float) -> str:
    """Return a share of 1 as per cent without the sign; "<1" instead of a rounded 0."""
    return "<1" if 0 < share < 0.005 else f"{100 * share:.0f}"


def join_names(names: Sequence[str], language: str) -> str:
    """Return names as an enumeration: "A, B and C"."""
    texts = _SENTENCES[language]
    if len(names) < 2:
        return "".join(names)
    return _join_words(texts["comma"].join(names[:-1]), texts["and"], names[-1])


def _join_pair(names: Sequence[str], language: str) -> str:
    """Return the names of a relation, or the name of an entity, as a headline."""
    joint = _SENTENCES[language]["headline"]
    return _join_words(*[part for name in names for part in (joint, name)][1:])


def _fill(language: str, key: str, **values: object) -> str:
    """Return a sentence with these values; in Chinese, Latin ones have a blank around them."""
    sentence = _SENTENCES[language][key]
    if language != "zh":
        return sentence.format(**values)
    parts = {name: f"{_JOINT}{value}{_JOINT}" for name, value in values.items()}
    return _BLANK.sub(" ", sentence.format(**parts)).replace(_JOINT, "")


def _join_words(*words: str) -> str:
    """Return words in a row; between Chinese and Latin ones is a blank."""
    return _BLANK.sub(" ", _JOINT.join(words)).replace(_JOINT, "")


def _build_summary(material: ReportMaterial) -> str:
    row, language, texts = material.row, material.language, _SENTENCES[material.language]
    names = [m.name for m in material.members[:N_SUMMARY_NAMES]]
    if not names:
        return ""
    comma = texts["comma"]
    example = _choose_example(material)
    if row.is_loose:
        key = "loose" if row.n_members > 1 else "loose one"
        return _fill(language, key, n=row.n_members, names=comma.join(names))
    sentences = []
    for title, heading, _ in material.books[:1]:  # what the names have to do with each other
        key, section = "together", heading.split("›")[-1].strip()
        if section and section.casefold() != title.casefold():
            key += " with heading"
        shown = title if title[:1] in "《“「" else _fill(language, "title", title=title)
        sentences.append(_fill(language, key, title=shown, heading=section))
    if row.n_members <= N_CENTRAL_NAMES:
        sentences.append(_fill(language, "all", names=join_names(names, language)))
    else:
        # Who, where and what: the best connected names of each type. A type whose best name is far
        # down the list is not what the community is about, and often a type given wrongly.
        leading = material.members[:N_LEADING]
        for key, types in _SUMMARY_TYPES:
            found = [m.name for m in leading if m.type in types][:N_CENTRAL_NAMES]
            if found:
                sentences.append(_fill(language, key, names=join_names(found, language)))
    if example:
        sentences.append(_fill(language, "example", quote=example))
    if row.key_words:
        sentences.append(_fill(language, "words", words=comma.join(row.key_words)))
    return texts["space"].join(sentences)


N_LEADING = 12
_SUMMARY_TYPES = (
    ("people", ("person",)),
    ("places", ("place",)),
    ("organisations", ("organisation",)),
    ("events", ("event",)),
    ("things", ("object", "concept")),
)


def _choose_example(material: ReportMaterial) -> str:
    """Return a sentence that defines a central member, "" if none does or a key point quotes it.

    The key points are shown below the summary: a sentence that only has some of the names would be
    there twice, and says no more at the end of the summary.
    """
    if not material.definition:
        return ""
    example = quote(material.definition, material.language)
    quoted = {quote(one.evidence[0].quote, material.language) for one in material.points}
    return "" if example in quoted else example


# Tokens of names and sentences, also for models with more context.
MAX_PROMPT, MAX_BRIEF_PROMPT = 1200, 450
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
    """The unchecked texts that a model wrote for a report; no `rating` if it can't choose."""

    title: str
    summary: str
    rating: float | None
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
        for n, point in enumerate(points, start=1):
            both = _join_pair(point.names, language)
            lines.append(f"[{n}] {both}{'：' if language == 'zh' else ':'}")
    options = tuple(f"{' ' if language == 'en' else ''}{n}" for n in range(10))

    def converse() -> Talk:
        written: list[Written] = yield Write(tuple(lines), LINE_TOKENS, OneLine())
        rating: float | None = None
        if model.can_choose:
            [choice] = yield Choose((importance,), options)
            shares = share_out(choice.logprobs)
            # One digit each, so that no option is a prefix of another.
            rating = sum(n * share for n, share in enumerate(shares)) * 10 / 9
        reason = ""
        if has_statements and rating is not None:
            ask = Write((because.format(round(rating)),), REASON_TOKENS, OneLine())
            [reason] = [_drop_unfinished(w) for w in (yield ask)]
        texts = [_drop_unfinished(w) for w in written]
        return Draft(texts[0], texts[1], rating, reason, tuple(texts[2:]))

    return PromptProgram(int(material.row.id), messages, text, converse), points


def build_report(
    material: ReportMaterial, points: Sequence[KeyPoint], draft: Draft, model: str
) -> Report:
    """Return the report from a draft; texts that fail the checks become quotations."""
    language = material.language
    extractive = build_extractive(material)
    findings: list[Finding] = []
    sentences: set[str] = set()
    for finding, point, statement in zip(
        extractive.findings, points, draft.statements, strict=False
    ):
        text = _strip_marks(statement)
        # Names are ignored, because invented statements contain them too.
        content = _stems(text) - _stems(" ".join(point.names))
        shared = content & _stems(" ".join(e.quote for e in point.evidence))
        if text and text not in sentences and len(shared) >= MIN_SHARED * len(content):
            sentences.add(text)
            finding = replace(finding, text=text)
        findings.append(finding)
    findings += extractive.findings[len(findings) :]
    known = [*(m.name for m in material.members), *material.row.key_words]
    source = " ".join((*known, *(e.quote for p in material.points for e in p.evidence)))
    title = _EDGES.sub("", draft.title).rstrip(".。")
    if not (
        2 <= len(title) <= MAX_TITLE_CHARS[language] and is_title_supported(title, known, source)
    ):
        title = extractive.title
    summary = drop_repeated(_strip_marks(draft.summary))
    content = _stems(summary) - _stems(" ".join(known))
    if len(content & _stems(source)) < max(3.0, MIN_SHARED_OF_SUMMARY * len(content)):
        summary = ""
    rating = material.scale.rate(material.row.weight)
    rating = rating if draft.rating is None else (draft.rating + rating) / 2
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
    material: ReportMaterial, parts: Sequence[Report], count: Callable[[str], int], room: int
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
    return model.n_parameters >= DESCRIBE_FROM_PARAMETERS


def is_title_supported(title: str, known: Sequence[str], source: str) -> bool:
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


def _stems(text: str) -> set[str]:
    return {w if has_han(w[0]) else w[:5] for w in features(text) if w not in _COMMON}
