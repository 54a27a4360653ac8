"""Texts for a document's state and enrichment: label, colour token, icon and tooltip.

Pure functions over `DocumentRow` and `DocumentEnrichment`; no widgets.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from desktop_app.engine.messages import Message, OldSentence
from desktop_app.engine.model import DocumentRow, NewVersion
from desktop_app.engine.progress import Progress
from desktop_app.engine.store.enrichment import DocumentEnrichment

from ..translation import later, tr, tr_message, trn
from ..widgets.words import format_date, format_left, format_number

_TABLES = (".jsonl", ".ndjson", ".csv", ".tsv")
BUSY_STATES = ("waiting", "reading", "indexing")
STATE_ORDER = {"failed": 0, "reading": 1, "indexing": 2, "waiting": 3, "paused": 4, "ready": 5}


# The states of a new version by its kind.
_WAITING = {
    "changed": later("update waiting"),
    "same": later("to be read again"),
    "previous": later("to be restored"),
}
_READING = {
    "changed": later("updating"),
    "same": later("reading again"),
    "previous": later("restoring"),
}
_REFUSED = {
    "changed": later("old text kept"),
    "same": later("not read again"),
    "previous": later("not restored"),
}


@dataclass(frozen=True, slots=True)
class StateWords:
    text: str
    color: str
    icon: str
    tooltip: str = ""


def describe_state(row: DocumentRow) -> StateWords:
    """Return label, colour, icon and tooltip of a document's state."""
    if row.state == "failed":
        reason = tr_message(row.reason) or tr("It could not be read.")
        short = tr_message(_shorten_reason(row.reason)) or reason
        text = tr("failed: {reason}", reason=short)
        return StateWords(text, "bad", "warning-circle", reason)
    if row.set_aside:
        return StateWords(tr("excluded"), "text2", "set-aside", tr("It is not used for answers."))
    if row.state == "waiting":
        return StateWords(tr("waiting"), "text2", "clock", tr("It is in the queue."))
    if row.state == "reading":
        return StateWords(tr("reading"), "accent", "book-open")
    if row.state == "indexing":
        text = tr("indexing")
        if row.n_chunks:
            done, all_ = format_number(row.n_chunks_done), format_number(row.n_chunks)
            text = tr("indexing {done} of {n}", done=done, n=all_)
        return StateWords(
            text, "accent", "hourglass-medium", tr("What is indexed can be used already.")
        )
    if row.state == "paused":
        return StateWords(tr("stopped"), "warn", "pause", tr("Use “Resume” to index the rest."))
    if row.new_version is not None and row.new_version.state != "declined":
        return _describe_new_version(row, row.new_version)
    if row.n_windows > row.n_embedded:
        share = int(100 * row.n_embedded / row.n_windows)
        return StateWords(
            tr("ready, preparing {share} %", share=share),
            "ok",
            "check-circle",
            tr("Names and words can be searched; search by meaning is being prepared."),
        )
    return StateWords(tr("ready"), "ok", "check-circle")


def _describe_new_version(row: DocumentRow, version: NewVersion) -> StateWords:
    """Return the state of a document whose file changed or is read again."""
    if version.state == "refused":
        return StateWords(tr(_REFUSED[version.kind]), "warn", "warning", describe_refusal(row))
    text = tr("The present text is used until then.")
    if version.state == "reading":
        return StateWords(tr(_READING[version.kind]), "accent", "book-open", text)
    return StateWords(tr(_WAITING[version.kind]), "text2", "clock", text)


def describe_refusal(row: DocumentRow) -> str:
    """Return why a changed file does not replace the text, "" if none was refused."""
    if row.new_version is None or row.new_version.state != "refused":
        return ""
    return tr(
        "{reason} The text of {date} is kept.",
        reason=tr_message(row.new_version.reason),
        date=format_date(row.taken_at),
    )


def _shorten_reason(reason: Message) -> Message:
    """Return a reason without the file's name, which is displayed beside it: "it needs …"."""
    if isinstance(reason, OldSentence):
        match = re.match(r"“[^”]*” can't be \w+: (.+)", reason)
        return OldSentence(match.group(1)) if match else reason
    message = reason.params.get("message", reason)
    inner = message.params.get("reason") if isinstance(message, Message) else None
    if not isinstance(inner, Message):
        return reason
    hint = reason.params.get("hint")
    return Message(reason.template, message=inner, hint=hint) if hint else inner


def describe_pace(row: DocumentRow, progress: Progress | None) -> str:
    """Return the progress of a document: "34 of 120 passages · 12/s · 2 min left"."""
    if progress is None or progress.document_id != row.id or not is_busy(row):
        return ""
    parts = []
    if progress.total:
        done = format_number(progress.done)
        if progress.stage == "reading" and row.file_name.lower().endswith(_TABLES):
            parts.append(trn("{done} of {n} row", "{done} of {n} rows", progress.total, done=done))
        elif progress.stage == "reading":
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


def format_document_count(n: int, n_busy: int) -> str:
    """Return the number of documents, and how many of them are still being read."""
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


def sort_state(row: DocumentRow) -> tuple[int, float]:
    share = row.n_chunks_done / row.n_chunks if row.n_chunks else 0.0
    state = row.state
    if row.new_version is not None and state == "ready":
        state = {"refused": "failed", "declined": "ready"}.get(row.new_version.state, "reading")
    return (STATE_ORDER.get(state, 9), share)


def is_busy(row: DocumentRow) -> bool:
    """Return whether a document, or a new version of its file, waits or is being read."""
    version = row.new_version.state if row.new_version is not None else ""
    return row.state in BUSY_STATES or version in BUSY_STATES


def is_waiting(row: DocumentRow) -> bool:
    version = row.new_version.state if row.new_version is not None else ""
    return "waiting" in (row.state, version)


def needs_password(row: DocumentRow) -> bool:
    if row.new_version is not None and row.new_version.state == "refused":
        return "password" in row.new_version.reason.lower()
    return row.state == "failed" and "password" in row.reason.lower()


def can_retry(row: DocumentRow) -> bool:
    return row.state in ("failed", "paused")


def can_open(row: DocumentRow) -> bool:
    """Return whether a document has a text to show."""
    return row.state not in ("failed", "waiting") or row.n_chars > 0


def subtitle(row: DocumentRow, titles: dict[int, str]) -> str:
    """Return the text after the title: the document that it duplicates, or its file's name."""
    if row.duplicate_of is not None:
        title = titles.get(row.duplicate_of) or tr("another document")
        return tr("same as {title}", title=title)
    stem = row.file_name.rsplit(".", 1)[0]
    return row.file_name if stem.casefold() != row.title.casefold() else ""


INSTANT = later(
    "Names and relations were found without a model. With “Enrich…” a chat model reads the "
    "passages, names the relations and describes them."
)


def describe_enrichment(row: DocumentRow, found: DocumentEnrichment | None) -> StateWords:
    """Return label, colour, icon and tooltip of a document's enrichment."""
    if row.state != "ready" or found is None or not found.n_chunks:
        return StateWords("", "text2", "")
    failed = trn("{n} failed", "{n} failed", found.n_failed) if found.n_failed else ""
    waiting = trn("{n} waiting", "{n} waiting", found.n_waiting) if found.n_waiting else ""
    tooltip = tr(", ").join(part for part in (_format_done(found), waiting, failed) if part)
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


def percent(found: DocumentEnrichment) -> int:
    """Return the enriched percentage; 100 only if everything is enriched."""
    return int(100 * found.n_enriched / found.n_chunks) if found.n_chunks else 0


def share(found: DocumentEnrichment | None) -> float | None:
    """Return the share for the progress bar, None if no bar is shown."""
    if found is None or not found.n_chunks or not found.n_enriched:
        return None
    if found.n_enriched >= found.n_chunks:
        return None
    return found.n_enriched / found.n_chunks


def sort_enrichment(found: DocumentEnrichment | None) -> tuple[float, int]:
    """Return a sort key: the least enriched first."""
    if found is None or not found.n_chunks:
        return (-1.0, 0)
    return (found.n_enriched / found.n_chunks, found.n_waiting)


def enrichment_facts(found: DocumentEnrichment) -> list[tuple[str, str]]:
    """Return the enrichment facts of one document, or of several summed up."""
    seconds = found.seconds
    return [
        (
            tr("Enriched"),
            _format_done(found),
        ),
        (tr("Waiting"), format_number(found.n_waiting) if found.n_waiting else ""),
        (tr("Failed"), format_number(found.n_failed) if found.n_failed else ""),
        (tr("No results"), format_number(found.n_empty) if found.n_empty else ""),
        (tr("Model"), found.model),
        (tr("Tokens"), _format_tokens(found)),
        (tr("Time"), format_duration(seconds) if seconds >= 0.5 else ""),
    ]


def _format_done(found: DocumentEnrichment) -> str:
    done = format_number(found.n_enriched)
    return trn("{done} of {n} passage", "{done} of {n} passages", found.n_chunks, done=done)


def _format_tokens(found: DocumentEnrichment) -> str:
    if found.n_tokens:
        return format_number(found.n_tokens)
    return tr("none: cached answers were used") if found.n_enriched else ""


def format_duration(seconds: float) -> str:
    """Return "40 s", "12 min" or "3 h 20 min"."""
    if seconds < 90:
        return tr("{n} s", n=round(seconds))
    minutes = round(seconds / 60)
    if minutes < 90:
        return tr("{n} min", n=minutes)
    hours, rest = divmod(minutes, 60)
    return tr("{h} h {m} min", h=hours, m=rest) if rest else tr("{h} h", h=hours)
