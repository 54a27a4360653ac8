"""How a document's state is said: the words, the colour's token, the icon, the tooltip.

Pure functions over `DocumentRow`; no widgets.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from desktop_app.engine.types import DocumentRow
from desktop_app.ui.widgets.words import format_number

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
        reason = row.reason or "It could not be read."
        return StateWords(f"failed: {_in_short(reason)}", "bad", "warning-circle", reason)
    if row.set_aside:
        return StateWords("set aside", "text2", "set-aside", "Questions leave it out.")
    if row.state == "waiting":
        return StateWords("waiting", "text2", "clock", "It is read when its turn comes.")
    if row.state == "reading":
        return StateWords("reading", "accent", "book-open")
    if row.state == "indexing":
        text = "indexing"
        if row.n_chunks:
            done, all_ = format_number(row.n_chunks_done), format_number(row.n_chunks)
            text = f"indexing {done} of {all_}"
        return StateWords(text, "accent", "hourglass-medium", "What is in can be used already.")
    if row.state == "paused":
        return StateWords("stopped", "warn", "pause", "Use “Go on” to index the rest.")
    if row.n_windows > row.n_embedded:
        share = int(100 * row.n_embedded / row.n_windows)
        return StateWords(
            f"ready, preparing {share} %",
            "ok",
            "check-circle",
            "Names and words can be searched; search by meaning is being prepared.",
        )
    return StateWords("ready", "ok", "check-circle")


def _in_short(reason: str) -> str:
    """Return what is wrong without the file's name, which stands beside it: "it needs …"."""
    match = re.match(r"“[^”]*” can't be \w+: (.+)", reason)
    return match.group(1) if match else reason


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
        return f"same as {titles.get(row.duplicate_of, 'another document')}"
    stem = row.file_name.rsplit(".", 1)[0]
    return row.file_name if stem.casefold() != row.title.casefold() else ""
