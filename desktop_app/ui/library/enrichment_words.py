"""How the enrichment of a document is said: the word in the list, the facts beside it.

Pure functions over `DocumentEnrichment`; no widgets.
"""

from __future__ import annotations

from typing import Any

from desktop_app.engine.types import DocumentRow
from desktop_app.ui.widgets.words import format_number, plural

from .words import StateWords

INSTANT = (
    "Names and relations were found without a model. “Enrich…” has one read the passages, sort "
    "the relations and write what they say."
)


def describe_enrichment(row: DocumentRow, found: Any | None) -> StateWords:
    """Return how far a document is enriched, as the list says it."""
    if row.state != "ready" or found is None or not found.n_chunks:
        return StateWords("", "text2", "")
    done = f"{format_number(found.n_enriched)} of {plural(found.n_chunks, 'passage')}"
    failed = f"{format_number(found.n_failed)} failed" if found.n_failed else ""
    waiting = f"{format_number(found.n_waiting)} waiting" if found.n_waiting else ""
    tooltip = ", ".join(part for part in (done, waiting, failed) if part)
    if found.n_waiting:
        if not found.n_enriched:
            return StateWords("waiting", "text2", "clock", tooltip)
        return StateWords(f"{percent(found)} %", "accent", "sparkle", tooltip)
    if failed:
        text = f"{percent(found)} %, {failed}" if found.n_enriched else failed
        return StateWords(text, "warn", "warning", tooltip)
    if not found.n_enriched:
        return StateWords("instant", "text2", "", INSTANT)
    if found.n_enriched < found.n_chunks:
        return StateWords(f"{percent(found)} %", "text2", "sparkle", tooltip)
    return StateWords("enriched", "ok", "check-circle", tooltip)


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
        ("Enriched", f"{format_number(found.n_enriched)} of {plural(found.n_chunks, 'passage')}"),
        ("Waiting", format_number(found.n_waiting) if found.n_waiting else ""),
        ("Failed", format_number(found.n_failed) if found.n_failed else ""),
        ("Gave nothing", format_number(found.n_empty) if found.n_empty else ""),
        ("Model", found.model),
        ("Tokens", _say_tokens(found)),
        ("Time", say_time(seconds) if seconds >= 0.5 else ""),
    ]


def _say_tokens(found: Any) -> str:
    if found.n_tokens:
        return format_number(found.n_tokens)
    return "none: from answers kept before" if found.n_enriched else ""


def say_time(seconds: float) -> str:
    """Return "40 s", "12 min" or "3 h 20 min"."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"{minutes} min"
    hours, rest = divmod(minutes, 60)
    return f"{hours} h {rest} min" if rest else f"{hours} h"
