"""How the enrichment of a document is said: the word in the list, the facts beside it.

Pure functions over `DocumentEnrichment`; no widgets.
"""

from __future__ import annotations

from typing import Any

from desktop_app.engine.types import DocumentRow
from desktop_app.ui.language import later, tr, trn
from desktop_app.ui.widgets.words import format_number

from .words import StateWords

INSTANT = later(
    "Names and relations were found without a model. “Enrich…” has one read the passages, sort "
    "the relations and write what they say."
)


def describe_enrichment(row: DocumentRow, found: Any | None) -> StateWords:
    """Return how far a document is enriched, as the list says it."""
    if row.state != "ready" or found is None or not found.n_chunks:
        return StateWords("", "text2", "")
    failed = trn("{n} failed", "{n} failed", found.n_failed) if found.n_failed else ""
    waiting = trn("{n} waiting", "{n} waiting", found.n_waiting) if found.n_waiting else ""
    tooltip = tr(", ").join(part for part in (_say_done(found), waiting, failed) if part)
    if found.n_waiting:
        if not found.n_enriched:
            return StateWords(tr("waiting"), "text2", "clock", tooltip)
        return StateWords(f"{percent(found)} %", "accent", "sparkle", tooltip)
    if failed:
        text = (
            tr("{share} %, {failed}", share=percent(found), failed=failed)
            if found.n_enriched
            else failed
        )
        return StateWords(text, "warn", "warning", tooltip)
    if not found.n_enriched:
        return StateWords(tr("instant"), "text2", "", tr(INSTANT))
    if found.n_enriched < found.n_chunks:
        return StateWords(f"{percent(found)} %", "text2", "sparkle", tooltip)
    return StateWords(tr("enriched"), "ok", "check-circle", tooltip)


def percent(found: Any) -> int:
    """Return the share that is enriched; 100 only when all is."""
    return int(100 * found.n_enriched / found.n_chunks) if found.n_chunks else 0


def share(found: Any | None) -> float | None:
    """Return how much of a bar is full, None where there is none to show."""
    if found is None or not found.n_chunks or not found.n_enriched:
        return None
    if found.n_enriched >= found.n_chunks:
        return None
    return found.n_enriched / found.n_chunks


def sort_enrichment(found: Any | None) -> tuple:
    """Return a key that puts the least enriched first."""
    if found is None or not found.n_chunks:
        return (-1.0, 0)
    return (found.n_enriched / found.n_chunks, found.n_waiting)


def enrichment_facts(found: Any) -> list[tuple[str, str]]:
    """Return the facts of one document, or of several added up."""
    seconds = found.seconds
    return [
        (
            tr("Enriched"),
            _say_done(found),
        ),
        (tr("Waiting"), format_number(found.n_waiting) if found.n_waiting else ""),
        (tr("Failed"), format_number(found.n_failed) if found.n_failed else ""),
        (tr("Gave nothing"), format_number(found.n_empty) if found.n_empty else ""),
        (tr("Model"), found.model),
        (tr("Tokens"), _say_tokens(found)),
        (tr("Time"), say_time(seconds) if seconds >= 0.5 else ""),
    ]


def _say_done(found: Any) -> str:
    done = format_number(found.n_enriched)
    return trn("{done} of {n} passage", "{done} of {n} passages", found.n_chunks, done=done)


def _say_tokens(found: Any) -> str:
    if found.n_tokens:
        return format_number(found.n_tokens)
    return tr("none: from answers kept before") if found.n_enriched else ""


def say_time(seconds: float) -> str:
    """Return "40 s", "12 min" or "3 h 20 min"."""
    if seconds < 90:
        return tr("{n} s", n=round(seconds))
    minutes = round(seconds / 60)
    if minutes < 90:
        return tr("{n} min", n=minutes)
    hours, rest = divmod(minutes, 60)
    return tr("{h} h {m} min", h=hours, m=rest) if rest else tr("{h} h", h=hours)
