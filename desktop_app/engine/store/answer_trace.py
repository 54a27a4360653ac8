"""Packs the retrieval trace of an answer as JSON, and unpacks it.

Owns which data is stored, its limits, and reading the formats of earlier versions. Knows no
tables.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any, TypeVar

from ..messages import STORED_START, Message
from ..model import (
    Answer,
    AskedQuestion,
    Citation,
    CommunitiesFound,
    EntityRow,
    Keywords,
    Passage,
    RankedReport,
    RelationRow,
    RetrievalResult,
    Stage,
)

MOST_ROWS = 60  # entities, relations, stages
MOST_LABELS = 120  # of the items that one stage kept or dropped
LONGEST_LABEL = 200
LONGEST_NOTE = 1000

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Row = TypeVar("Row", bound="DataclassInstance")


def pack_trace(answer: Answer) -> str:
    """Return the stored data of an answer besides its text, prompt and citations."""
    found = answer.found
    return json.dumps(
        {
            "question": found.question,
            "asked": found.asked,
            "mode": found.mode,
            "keywords": {"high": _labels(found.keywords.high), "low": _labels(found.keywords.low)},
            "passages": [asdict(p) for p in found.passages],
            "entities": [_short(asdict(e)) for e in found.entities[:MOST_ROWS]],
            "relations": [_short(asdict(r)) for r in found.relations[:MOST_ROWS]],
            "stages": [_pack_stage(s) for s in found.stages[:MOST_ROWS]],
            "timings_ms": found.timings_ms,
            "notes": _labels(found.notes),
            "weak": found.weak,
            "n_prompt_tokens": answer.n_prompt_tokens,
            "first_token_s": answer.first_token_s,
            **_pack_themes(found),
        },
        ensure_ascii=False,
        default=_plain_number,
    )


def unpack_passages(trace: str) -> tuple[tuple[Passage, ...], bool]:
    """Return the passages of an answer, and whether they were weak."""
    kept = json.loads(trace)
    return _passages(kept), bool(kept.get("weak", False))


def unpack_answer(
    trace: str,
    *,
    text: str,
    citations: tuple[Citation, ...],
    model: str,
    prompt: str,
    stopped: bool,
    seconds: float,
) -> Answer:
    """Return a stored answer; data that its version did not store is empty."""
    kept = json.loads(trace)
    words = kept.get("keywords") or {}
    found = _found_of(kept)(
        question=kept.get("question", ""),
        mode=kept.get("mode", ""),
        passages=_passages(kept),
        # the first version stored only the ids of entities
        entities=tuple(_make(EntityRow, e) for e in kept.get("entities", ()) if _is_row(e)),
        relations=tuple(_make(RelationRow, r) for r in kept.get("relations", ()) if _is_row(r)),
        weak=bool(kept.get("weak", False)),
        timings_ms=dict(kept.get("timings_ms") or {}),
        notes=tuple(Message.from_stored(note) for note in kept.get("notes", ())),
        keywords=Keywords(tuple(words.get("high", ())), tuple(words.get("low", ()))),
        stages=tuple(_unpack_stage(s) for s in kept.get("stages", ()) if _is_row(s)),
        asked=kept.get("asked", ""),
        **_unpack_themes(kept),
    )
    return Answer(
        text=text,
        citations=citations,
        found=found,
        model=model,
        prompt=prompt,
        stopped=stopped,
        seconds=seconds,
        first_token_s=float(kept.get("first_token_s") or 0.0),
        n_prompt_tokens=int(kept.get("n_prompt_tokens") or 0),
    )


def _pack_themes(found: RetrievalResult) -> dict[str, Any]:
    """Return the additional data of a global search; its sources are its passages."""
    if not isinstance(found, CommunitiesFound):
        return {}
    reports = [_short(asdict(r)) | {"sources": []} for r in found.reports[:MOST_ROWS]]
    tree = [_short(asdict(q)) for q in found.tree[:MOST_ROWS]]
    return {"reports": reports, "tree": tree, "n_calls": found.n_calls}


def _found_of(kept: dict[str, Any]) -> type[RetrievalResult]:
    return CommunitiesFound if "reports" in kept else RetrievalResult


def _unpack_themes(kept: dict[str, Any]) -> dict[str, Any]:
    if "reports" not in kept:
        return {}
    return {
        "reports": tuple(_make(RankedReport, r) for r in kept["reports"]),
        "tree": tuple(_make(AskedQuestion, q) for q in kept.get("tree", ())),
        "n_calls": int(kept.get("n_calls", 0)),
    }


def _pack_stage(stage: Stage) -> dict[str, Any]:
    return {
        "name": stage.name,
        "kept": _labels(stage.kept),
        "dropped": _labels(stage.dropped),
        "ms": stage.ms,
        "note": stage.note.to_stored() if stage.note else "",
    }


def _unpack_stage(values: dict[str, Any]) -> Stage:
    labels = {
        name: tuple(Message.from_stored(x) if x.startswith(STORED_START) else x for x in found)
        for name in ("kept", "dropped")
        if (found := values.get(name))
    }
    note = Message.from_stored(values.get("note"))
    return _make(Stage, {**values, **labels, "note": note})


def _labels(labels: Sequence[str]) -> list[str]:
    shown = [
        label.to_stored() if isinstance(label, Message) else label[:LONGEST_LABEL]
        for label in labels[:MOST_LABELS]
    ]
    if len(labels) > MOST_LABELS:
        shown.append(f"… {len(labels) - MOST_LABELS}")
    return shown


def _short(row: dict[str, Any]) -> dict[str, Any]:
    return {k: v[:LONGEST_NOTE] if isinstance(v, str) else v for k, v in row.items()}


def _passages(kept: dict[str, Any]) -> tuple[Passage, ...]:
    made = []
    for values in kept.get("passages", ()):
        routes = tuple((str(name), float(score)) for name, score in values.get("routes", ()))
        made.append(_make(Passage, {**values, "routes": routes}))
    return tuple(made)


def _make(kind: type[Row], values: dict[str, Any]) -> Row:
    """Return a row of the known fields, because other versions may store more."""
    known = {f.name for f in fields(kind)}
    return kind(
        **{k: tuple(v) if isinstance(v, list) else v for k, v in values.items() if k in known}
    )


def _is_row(values: object) -> bool:
    return isinstance(values, dict)


def _plain_number(value: Any) -> float:
    """Return a numpy number as a JSON number."""
    return float(value)
