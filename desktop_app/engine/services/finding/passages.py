"""Turns ranked chunks into passages that can be shown: text, place, best window, routes."""

from __future__ import annotations

from ...store import search
from ...store.db import Db
from ...text.features import features, language_of
from ...text.sentences import split_sentences
from ...types import Passage
from .trace import Trace

COPY_SHARE = 0.4
GRAM = 8


def build_passages(
    db: Db, ranked: list[tuple[int, float]], question: str, trace: Trace
) -> list[Passage]:
    """Return ranked (chunk id, score) as passages with text, place and best window."""
    rows = search.fetch_passages(db, [chunk_id for chunk_id, _ in ranked])
    chosen = ",".join(str(w) for c, w in trace.best_window.items() if c in rows)
    windows = {
        window_id: (start, end)
        for window_id, start, end in db.rows(
            f"SELECT id, start, end FROM window WHERE id IN ({chosen})"
        )
    }
    passages = []
    for chunk_id, score in ranked:
        if chunk_id not in rows:
            continue
        _, document_id, title, start, end, text, heading, page, label = rows[chunk_id]
        window = windows.get(trace.best_window.get(chunk_id, 0))
        best = window or _best_span(text, start, question)
        passages.append(
            Passage(
                chunk_id=chunk_id,
                document_id=document_id,
                title=title,
                start=start,
                end=end,
                score=round(float(score), 4),
                text=text,
                best_start=best[0],
                best_end=best[1],
                page_label=label,
                page_index=page,
                heading=heading,
                routes=trace.routes_to(chunk_id),
            )
        )
    return passages


def drop_copies(passages: list[Passage], top: int) -> list[Passage]:
    """Return the first `top` passages that are not copies of one before them.

    A library often holds a book twice, as text and as PDF; the same scene need not fill the
    list. Line breaks and punctuation don't count.
    """
    kept: list[Passage] = []
    seen: list[tuple[int, set[str]]] = []
    for passage in passages:
        grams = _grams(passage.text)
        copy = any(
            document_id != passage.document_id
            and len(grams & others) > COPY_SHARE * min(len(grams), len(others))
            for document_id, others in seen
            if grams and others
        )
        if copy:
            continue
        kept.append(passage)
        seen.append((passage.document_id, grams))
        if len(kept) == top:
            break
    return kept


def _grams(text: str) -> set[str]:
    plain = "".join(c for c in text.casefold() if c.isalnum())
    return {plain[i : i + GRAM] for i in range(max(1, len(plain) - GRAM + 1))}


def _best_span(text: str, start: int, question: str) -> tuple[int, int]:
    """Return the sentence of a passage that shares most with the question, as offsets."""
    wanted = features(question)
    spans = split_sentences(text, language_of(text[:200])) or [(0, len(text))]
    best = max(spans, key=lambda span: (len(wanted & features(text[slice(*span)])), -span[0]))
    return start + best[0], start + best[1]
