"""How a document's state is said: the words, the colour's token, the icon, the tooltip.

Pure functions over `DocumentRow`; no widgets.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from desktop_app.engine.model import DocumentRow
from desktop_app.engine.progress import Progress

from ..language import later, tr, tr_said, trn
from ..widgets.words import format_left, format_number

BUSY_STATES = ("waiting", "reading", "indexing")
STATE_ORDER = {"failed": 0, "reading": 1, "indexing": 2, "waiting": 3, "paused": 4, "ready": 5}


@dataclass(frozen=True, slots=True)
class StateWords:
    text: str
    color: str
    icon: str
    tooltip: str = ""


def describe_state(row: DocumentRow) -> StateWords:
    """Return how the state of a document is shown."""
    if row.state == "failed":
        reason = tr_said(row.reason) or tr("It could not be read.")
        short = tr_said(_in_short(row.reason)) or reason
        text = tr("failed: {reason}", reason=short)
        return StateWords(text, "bad", "warning-circle", reason)
    if row.set_aside:
        return StateWords(tr("set aside"), "text2", "set-aside", tr("Questions leave it out."))
    if row.state == "waiting":
        return StateWords(tr("waiting"), "text2", "clock", tr("It is read when its turn comes."))
    if row.state == "reading":
        return StateWords(tr("reading"), "accent", "book-open")
    if row.state == "indexing":
        text = tr("indexing")
        if row.n_chunks:
            done, all_ = format_number(row.n_chunks_done), format_number(row.n_chunks)
            text = tr("indexing {done} of {n}", done=done, n=all_)
        return StateWords(text, "accent", "hourglass-medium", tr("What is in can be used already."))
    if row.state == "paused":
        return StateWords(tr("stopped"), "warn", "pause", tr("Use “Go on” to index the rest."))
    if row.n_windows > row.n_embedded:
        share = int(100 * row.n_embedded / row.n_windows)
        return StateWords(
            tr("ready, preparing {share} %", share=share),
            "ok",
            "check-circle",
            tr("Names and words can be searched; search by meaning is being prepared."),
        )
    return StateWords(tr("ready"), "ok", "check-circle")


def _in_short(reason: str) -> str:
    """Return what is wrong without the file's name, which stands beside it: "it needs …"."""
    match = re.match(r"“[^”]*” can't be \w+: (.+)", reason)
    return match.group(1) if match else reason


def describe_pace(row: DocumentRow, progress: Progress | None) -> str:
    """Return how far the reading of a document is: "34 of 120 passages · 12/s · 2 min left"."""
    if progress is None or progress.document_id != row.id or row.state not in BUSY_STATES:
        return ""
    parts = []
    if progress.total:
        done = format_number(progress.done)
        if progress.stage == "reading":
            parts.append(
                trn("{done} of {n} page", "{done} of {n} pages", progress.total, done=done)
            )
        else:
            parts.append(
                trn("{done} of {n} passage", "{done} of {n} passages", progress.total, done=done)
            )
    if progress.rate >= 0.1:
        rate = format_number(progress.rate) if progress.rate >= 10 else f"{progress.rate:.1f}"
        parts.append(tr("{rate} per second", rate=rate))
    parts.append(format_left(progress.left_s))
    return " · ".join(part for part in parts if part)


def say_how_many(n: int, n_busy: int) -> str:
    """Return how many documents there are, and how many of them are not read to the end."""
    if not n:
        return ""
    if not n_busy:
        return trn("{n} document", "{n} documents", n)
    return trn(
        "{n} document, {busy} still being read",
        "{n} documents, {busy} still being read",
        n,
        busy=format_number(n_busy),
    )


def sort_state(row: DocumentRow) -> tuple:
    share = row.n_chunks_done / row.n_chunks if row.n_chunks else 0.0
    return (STATE_ORDER.get(row.state, 9), share)


def needs_password(row: DocumentRow) -> bool:
    return row.state == "failed" and "password" in row.reason.lower()


def can_retry(row: DocumentRow) -> bool:
    return row.state in ("failed", "paused")


def subtitle(row: DocumentRow, titles: dict[int, str]) -> str:
    """Return what stands paler behind the title: what it repeats, or its file's name."""
    if row.duplicate_of is not None:
        title = titles.get(row.duplicate_of) or tr("another document")
        return tr("same as {title}", title=title)
    stem = row.file_name.rsplit(".", 1)[0]
    return row.file_name if stem.casefold() != row.title.casefold() else ""


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
