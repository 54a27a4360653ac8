"""Extraction of claims: what a chunk states about a subject, when, and whether it is true.

Owns the prompt, the parsing of the reply and the rule that each claim has a quotation that occurs
in the text. Off by default; asked after the names, so that it does not change them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

from ...model import ChatMessage, TextClaim
from ...prompt_program import Write
from ..instant import find_sentence
from .evidence_placement import EvidencePlacer
from .parsing import (
    MAX_DESCRIPTION,
    clean_extracted_name,
    clean_field,
    find_tag_word,
    is_blank_line,
    normalize_output,
    split_fields,
    strip_brackets,
    strip_marks,
    take_json,
)
from .record_guard import RecordGuard
from .tasks import ChunkTask, EnrichSettings

MAX_TOKENS = 500
MAX_CLAIMS = 12
_STATUS = {
    "true": "true", "yes": "true", "confirmed": "true", "是": "true", "真": "true", "属实": "true",
    "false": "false", "no": "false", "denied": "false", "否": "false", "假": "false",
    "suspected": "suspected", "alleged": "suspected", "unknown": "suspected", "疑似": "suspected",
    "可疑": "suspected", "传闻": "suspected", "待证": "suspected",
}  # fmt: skip
_NO_DATE = frozenset(("", "none", "n/a", "null", "unknown", "-", "无", "不详", "未知"))
_KEYS = {
    "subject": ("subject", "subject_entity", "主体", "主语"),
    "object": ("object", "object_entity", "客体", "宾语"),
    "type": ("type", "claim_type", "类型"),
    "status": ("status", "claim_status", "状态"),
    "start_date": ("start_date", "start", "from", "date", "开始", "日期"),
    "end_date": ("end_date", "end", "to", "until", "结束"),
    "description": ("description", "claim_description", "描述", "说明"),
    "quote": ("quote", "source_text", "source", "claim_source_text", "原文", "引文"),
}


@dataclass(frozen=True, slots=True)
class ClaimRecord:
    """A claim as a model wrote it; only `subject` and `quote` are required."""

    subject: str
    quote: str
    object: str = ""
    type: str = ""
    status: str = "suspected"
    start_date: str = ""
    end_date: str = ""
    description: str = ""


def extract_claims(
    task: ChunkTask,
    settings: EnrichSettings,
    placer: EvidencePlacer,
    listing: str,
    messages: tuple[ChatMessage, ...] = (),
) -> Generator[Write, list[Any], tuple[TextClaim, ...]]:
    """Ask for the claims of a chunk and return those with a quotation in its text.

    Args:
        listing: the records listed so far, as the model would write them.
        messages: the instruction about claims, if it is not that of the program.
    """
    guard = RecordGuard(task.text, settings.entity_types, forms=("claim",))
    line = f"{listing}\nclaims\n" if listing else "claims\n"
    (written,) = yield Write((line,), MAX_TOKENS, guard, messages=messages)
    records, _ = parse_claims(written.text)
    return place_claims(records, placer, task)


def parse_claims(text: str) -> tuple[tuple[ClaimRecord, ...], Counter[str]]:
    """Return the claims in a model's reply, and counts of rejections by reason. Never raises."""
    rejected: Counter[str] = Counter()
    kept: dict[tuple[str, str], ClaimRecord] = {}
    found, rest = take_json(normalize_output(text))
    raw: list[ClaimRecord | None] = [
        _read_object(value) for _, value in found if isinstance(value, dict)
    ]
    raw += [_read_fields([str(v) for v in value]) for _, value in found if isinstance(value, list)]
    for line in rest.split("\n"):
        if is_blank_line(line):
            continue
        bare, wrapped = strip_brackets(strip_marks(line))
        fields = split_fields(bare, loose=wrapped)
        if len(fields) > 3:
            raw.append(_read_fields(fields))
    for record in raw:
        if record is None or not record.subject or not record.quote:
            rejected["no claim"] += 1
        elif len(kept) < MAX_CLAIMS:
            kept.setdefault((record.subject.casefold(), record.quote.casefold()), record)
    return tuple(kept.values()), rejected


def place_claims(
    records: tuple[ClaimRecord, ...], placer: EvidencePlacer, task: ChunkTask
) -> tuple[TextClaim, ...]:
    """Return the claims whose subject and quotation occur in the chunk."""
    claims: list[TextClaim] = []
    for record in records:
        subject, quoted = placer.find_name(record.subject), placer.text.find_quote(record.quote)
        if not subject or quoted is None:
            continue
        start, end = quoted[0] + task.start, quoted[1] + task.start
        sentence = placer.sentences[find_sentence(placer.sentences, start)]
        other = placer.find_name(record.object) if record.object else ""
        claims.append(
            TextClaim(
                subject=subject,
                type=record.type or "fact",
                status=record.status,
                description=record.description or placer.text.surface(quoted)[:MAX_DESCRIPTION],
                start=min(sentence[0], start),
                end=max(sentence[1], end),
                object=other if other != subject else "",
                start_date=record.start_date,
                end_date=record.end_date,
            )
        )
    return tuple(claims)


def _read_object(pairs: dict[str, Any]) -> ClaimRecord:
    by_key = {str(key).strip().casefold().replace(" ", "_"): v for key, v in pairs.items()}
    return _build_record(
        {
            role: str(next((by_key[key] for key in keys if by_key.get(key) is not None), ""))
            for role, keys in _KEYS.items()
        }
    )


def _read_fields(fields: list[str]) -> ClaimRecord | None:
    """Return the claim of fields in our order or in GraphRAG's, located by the status field."""
    if fields and find_tag_word(fields[0]) == "claim":
        fields = fields[1:]
    at = next((i for i, f in enumerate(fields) if clean_field(f, 20).casefold() in _STATUS), -1)
    if at < 1 or len(fields) <= at + 1:
        return None
    after = fields[at + 1 :]
    dates, texts = (after[:2], after[2:]) if len(after) >= 3 else ([], after)
    values = {
        "subject": fields[0],
        "object": fields[1] if at >= 3 else "",
        "type": fields[at - 1] if at >= 2 else "",
        "status": fields[at],
        "start_date": dates[0] if dates else "",
        "end_date": dates[1] if dates else "",
        "description": texts[-2] if len(texts) > 1 else "",
        "quote": texts[-1],
    }
    return _build_record(values)


def _build_record(values: dict[str, str]) -> ClaimRecord:
    status = _STATUS.get(clean_field(values["status"], 20).casefold(), "suspected")
    dates = [clean_field(values[key], 40) for key in ("start_date", "end_date")]
    dates = ["" if date.casefold() in _NO_DATE else date for date in dates]
    return ClaimRecord(
        subject=clean_extracted_name(values["subject"]),
        quote=clean_field(values["quote"], 600),
        object=clean_extracted_name(values["object"]),
        type=clean_field(values["type"], 40),
        status=status,
        start_date=dates[0],
        end_date=dates[1],
        description=clean_field(values["description"]),
    )
