"""Retrieval results as dicts and lists: LightRAG's `query_data`, with stages and timings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from ..model import CommunitiesFound, Passage, RetrievalResult
from ..query import QueryParam


def list_source_documents(passages: Sequence[Passage], param: QueryParam) -> list[dict[str, Any]]:
    """Return the documents of passages, each once, numbered in the order of first use."""
    references: dict[int, dict[str, Any]] = {}
    for passage in passages:
        reference = references.setdefault(
            passage.document_id,
            {
                "reference_id": str(len(references) + 1),
                "document": passage.document_id,
                "title": passage.title,
            },
        )
        if param.include_chunk_content:
            reference.setdefault("content", []).append(passage.text)
    return list(references.values())


def describe_found(
    found: RetrievalResult, param: QueryParam, sources: Sequence[Passage] = ()
) -> dict[str, Any]:
    """Return a retrieval result as dicts and lists.

    Args:
        sources: the passages of the prompt, [1] first.
    """
    references = list_source_documents(found.passages, param)
    number = {r["document"]: r["reference_id"] for r in references}
    return {
        "question": found.question,
        "asked": found.asked or found.question,
        "mode": found.mode,
        "weak": found.weak,
        "keywords": {
            "high_level": list(found.keywords.high),
            "low_level": list(found.keywords.low),
        },
        "entities": [asdict(e) for e in found.entities],
        "relations": [asdict(r) for r in found.relations],
        "chunks": [
            {**describe_passage(p), "reference_id": number[p.document_id]} for p in found.passages
        ],
        "sources": [describe_passage(p) for p in sources],
        "references": references if param.include_references else [],
        **_describe_themes(found),
        "timings_ms": found.timings_ms,
        "stages": [asdict(s) for s in found.stages],
        "notes": list(found.notes),
    }


def _describe_themes(found: RetrievalResult) -> dict[str, Any]:
    """Return the reports and questions of overview and drift, an empty dict for other modes."""
    if not isinstance(found, CommunitiesFound):
        return {}
    return {
        "reports": [
            {
                "community": r.community_id,
                "title": r.title,
                "level": r.level,
                "relevance": r.relevance,
                "judged": r.judged,
                "summary": r.summary,
                "points": list(r.points),
                "sources": [describe_passage(p) for p in r.sources],
            }
            for r in found.reports
        ],
        "tree": [asdict(q) for q in found.tree],
        "n_calls": found.n_calls,
    }


def describe_passage(passage: Passage) -> dict[str, Any]:
    return {
        "chunk": passage.chunk_id,
        "document": passage.document_id,
        "title": passage.title,
        "page": passage.page_label or passage.page_index,
        "heading": passage.heading,
        "start": passage.start,
        "end": passage.end,
        "score": passage.score,
        "text": passage.text,
        "best_start": passage.best_start,
        "best_end": passage.best_end,
        "routes": [list(route) for route in passage.routes],
    }
