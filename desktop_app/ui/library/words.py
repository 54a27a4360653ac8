"""Texts for a document's state and enrichment: label, colour token, icon, sentence and progress.

Pure functions over `DocumentRow` and `DocumentEnrichment`; no widgets.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_app.engine.durations import format_duration
from desktop_app.engine.messages import Message, OldSentence
from desktop_app.engine.model import DocumentRow, EntityRow, NewVersion
from desktop_app.engine.person_names import shorten_authors
from desktop_app.engine.progress import Progress
from desktop_app.engine.store.enrichment import DocumentEnrichment
from desktop_app.engine.text.file_kinds import find_file_kind
from desktop_app.engine.writing_systems import has_han

from ..translation import later, tr, tr_message, trn
from ..widgets.words import (
    describe_page_rate,
    format_date,
    format_left,
    format_number,
    name_format,
)

_TABLES = (".json", ".jsonl", ".ndjson", ".csv", ".tsv")
_OF_FILES = (".zip", ".7z", ".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz", ".mbox")
BUSY_STATES = ("waiting", "reading", "indexing")
STATE_ORDER = {"failed": 0, "reading": 1, "indexing": 2, "waiting": 3, "paused": 4, "ready": 5}


# The states of a new version by its kind.
_WAITING = {
    "changed": later("Update waiting"),
    "same": later("Waiting"),
    "previous": later("Waiting"),
}
_READING = {
    "changed": later("Updating"),
    "same": later("Indexing again"),
    "previous": later("Restoring"),
}
_REFUSED = {
    "changed": later("Old text kept"),
    "same": later("Not reindexed"),
    "previous": later("Not restored"),
}


@dataclass(frozen=True, slots=True)
class StateWords:
    """The state of a document.

    Attributes:
        text: one or two words, which a narrow column has room for.
        sentence: the whole of it, "" if the word says all.
        share: of the work that is done, None if there is none to do.
    """

    text: str
    color: str
    icon: str
    sentence: str = ""
    share: float | None = None


LEAST_MENTIONS = 3  # of a top name


def choose_top_names(names: Sequence[EntityRow], most: int) -> list[EntityRow]:
    """Return the first names that are words: no signs of formulas, nothing that was cut off.

    Names with few mentions are left out, unless the document has no others.
    """
    chosen = [row for row in names if _is_name(row.name)]
    frequent = [row for row in chosen if row.n_mentions >= LEAST_MENTIONS]
    return (frequent or chosen)[:most]


def _is_name(name: str) -> bool:
    # a modifier is no letter here: the sign D̂ of a formula has one letter
    n_letters = sum(
        char.isalpha() and not unicodedata.category(char).endswith("m") for char in name
    )
    is_cut = any(name.count(a) != name.count(b) for a, b in ("()", "（）", "[]", "“”"))
    return (n_letters > 1 or has_han(name)) and not is_cut


@dataclass(frozen=True, slots=True)
class PausedWork:
    """Which work on documents the user has paused."""

    indexing: bool = False
    pages: bool = False  # reading pages that are pictures


NOTHING_PAUSED = PausedWork()


def describe_state(row: DocumentRow, paused: PausedWork = NOTHING_PAUSED) -> StateWords:
    """Return the words, colour, icon and progress of a document's state."""
    words = _describe_state(row)
    reads_pages = has_waiting_pages(row)
    is_paused = paused.pages if reads_pages else paused.indexing and is_busy(row)
    if not is_paused or row.set_aside:
        return words
    return _describe_pause(words, is_waiting=has_waiting_file(row) and not reads_pages)


def _describe_pause(words: StateWords, *, is_waiting: bool) -> StateWords:
    """Return the state of a document whose work is paused: what waits for it still waits."""
    more = tr("Press “Resume” in the sidebar to go on.")
    if is_waiting:
        sentence = tr("It waits, and the queue is paused. {more}", more=more)
        return replace(words, sentence=sentence)
    sentence = tr("{first} {second}", first=words.sentence, second=more)
    text = tr("Paused")
    if words.share is not None:
        text = tr("Paused at {share}%", share=int(100 * words.share))
    return StateWords(text, "text2", "pause", sentence, words.share)


def _describe_state(row: DocumentRow) -> StateWords:
    if row.state == "failed":
        reason = tr_message(row.reason) or tr("It could not be read.")
        if needs_password(row):
            was_wrong = "does not open" in row.reason  # not shown: as the reader says it
            word = tr("Wrong password") if was_wrong else tr("Needs password")
            return StateWords(word, "bad", "ph.lock", reason)
        return StateWords(tr("Failed"), "bad", "warning-circle", reason)
    if row.set_aside:
        return StateWords(tr("Excluded"), "text2", "set-aside", tr("It is not used for answers."))
    if row.state == "waiting":
        return StateWords(tr("Waiting"), "text2", "clock", tr("It is in the queue."))
    if row.state == "reading":
        return StateWords(tr("Indexing"), "accent", "book-open", tr("Its text is being extracted."))
    if row.state == "indexing":
        return _describe_indexing(row)
    if row.state == "paused":
        text = _after_count(row, tr("Use “Resume” to index the rest."))
        return StateWords(tr("Stopped"), "warn", "pause", text, _share_indexed(row))
    if has_waiting_pages(row):
        return _describe_scans(row)
    if row.is_unreadable:
        text = tr("Its pages are pictures that are damaged or too large.")
        return StateWords(tr("Can't be read"), "bad", "warning-circle", text)
    if row.new_version is not None and row.new_version.state != "declined":
        return _describe_new_version(row, row.new_version)
    if row.n_windows > row.n_embedded:
        done = row.n_embedded / row.n_windows
        text = tr(
            "Names and words can be searched; search by meaning is {share}% prepared.",
            share=int(100 * done),
        )
        return StateWords(tr("Ready"), "ok", "check-circle", text, done)
    return StateWords(tr("Ready"), "ok", "check-circle")


def has_waiting_pages(row: DocumentRow) -> bool:
    """Return whether pages that are pictures wait, in a document that is ready otherwise.

    While they are read, its file is read again now and then, which needs no word of its own.
    """
    version = row.new_version
    is_same = version is None or (version.kind == "same" and version.state in BUSY_STATES)
    return row.state == "ready" and row.scans.n_waiting > 0 and is_same


def _describe_scans(row: DocumentRow) -> StateWords:
    scans = row.scans
    text = trn(
        "{done} of {n} page that is a picture is read. What is read can be used already.",
        "{done} of {n} pages that are pictures are read. What is read can be used already.",
        scans.n_pages,
        done=format_number(scans.n_read),
    )
    share = (scans.n_pages - scans.n_waiting) / scans.n_pages
    return StateWords(tr("Recognising text"), "accent", "book-open", text, share)


def is_settled(row: DocumentRow) -> bool:
    """Return whether a document is ready and nothing is to be done for it."""
    # not by `describe_state`: this is asked for every document whenever one changes
    waits = row.new_version is not None and row.new_version.state != "declined"
    is_searchable = row.n_windows <= row.n_embedded
    is_read = row.scans.n_waiting == 0 and not row.is_unreadable
    return row.state == "ready" and is_searchable and is_read and not row.set_aside and not waits


def describe_authors(row: DocumentRow) -> str:
    """Return one author with all names, or several shortened; "" if unknown."""
    return shorten_authors(row.author) if ";" in row.author else row.author


def describe_origin(row: DocumentRow) -> str:
    """Return one author with all names, or several shortened, and the year; "" if unknown."""
    authors = describe_authors(row)
    return " · ".join(part for part in (authors, row.year) if part)


@dataclass(frozen=True, slots=True)
class KindWords:
    """The icon and the name of a kind of document, `file_kinds.FileKind`."""

    icon: str
    name: str


KINDS = {
    "pdf": KindWords("ph.file-pdf", later("PDF")),
    "picture": KindWords("ph.image", later("Scan or photograph")),
    "book": KindWords("ph.book", later("E-book")),
    "document": KindWords("ph.file-text", later("Text document")),
    "table": KindWords("ph.table", later("Workbook")),
    "slides": KindWords("ph.presentation-chart", later("Presentation")),
    "text": KindWords("ph.text-align-left", later("Text")),
    "web": KindWords("ph.globe", later("Web page")),
    "data": KindWords("ph.rows", later("Table or data")),
    "mail": KindWords("ph.envelope-simple", later("Letter")),
    "subtitles": KindWords("ph.closed-captioning", later("Subtitles")),
    "archive": KindWords("ph.file-zip", later("Archive")),
}
_OTHER_KIND = KindWords("ph.file", "")


def find_kind_words(row: DocumentRow) -> KindWords:
    """Return the icon and the name of a document's kind; of one that is not read by its name."""
    kind = find_file_kind(f"a.{row.format}" if row.format else row.file_name)
    return KINDS[kind.name] if kind is not None else _OTHER_KIND


def describe_file_kind(row: DocumentRow) -> str:
    """Return kind and format: "E-book · EPUB"; "" if nothing is known."""
    name, format = find_kind_words(row).name, name_format(row.format)
    kind = tr(name) if name else ""
    return " · ".join(dict.fromkeys(filter(None, (kind, format))))


def describe_content(row: DocumentRow) -> str:
    """Return format and number of names: "PDF · 19 names"."""
    names = trn("{n} name", "{n} names", row.n_entities)
    return " · ".join(filter(None, (name_format(row.format), names)))


READ_TO_END = 0.99  # the share from which a document counts as read


def is_finished(share: float | None) -> bool:
    """Return whether a document is read to its end."""
    return share is not None and share >= READ_TO_END


def format_share_read(share: float | None) -> str:
    """Return the share that is read: "12%"; "" if the document was not begun."""
    return f"{_percent_read(share)}%" if share else ""


def describe_read(share: float | None) -> str:
    """Return how much of a document is read in words, "" if it was not begun."""
    if is_finished(share):
        return tr("Finished")
    return tr("{share}% read", share=_percent_read(share)) if share else ""


def _percent_read(share: float) -> int:
    return max(1, round(100 * share))


def describe_whole_state(row: DocumentRow, paused: PausedWork = NOTHING_PAUSED) -> str:
    """Return the state with its sentence: "Failed: it needs a password. Type its password."."""
    words = describe_state(row, paused)
    if row.state == "failed":
        reason = tr_message(shorten_reason(row.reason)) or words.sentence
        return tr("{state}: {reason}", state=tr("Failed"), reason=reason)
    if not words.sentence or describe_refusal(row):  # the reason for a refusal is shown below
        return words.text
    return tr("{state}. {more}", state=words.text, more=words.sentence)


def _describe_indexing(row: DocumentRow) -> StateWords:
    text = _after_count(row, tr("What is indexed can be used already."))
    return StateWords(tr("Indexing"), "accent", "hourglass-medium", text, _share_indexed(row))


def _after_count(row: DocumentRow, text: str) -> str:
    """Return a sentence after the one that says how many passages are indexed."""
    if not row.n_chunks:
        return text
    return trn(
        "{done} of {n} passage is indexed. {more}",
        "{done} of {n} passages are indexed. {more}",
        row.n_chunks,
        done=format_number(row.n_chunks_done),
        more=text,
    )


def _share_indexed(row: DocumentRow) -> float | None:
    return row.n_chunks_done / row.n_chunks if row.n_chunks else None


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


def shorten_reason(reason: Message) -> Message:
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
        elif progress.stage == "reading" and row.file_name.lower().endswith(_OF_FILES):
            parts.append(
                trn("{done} of {n} document", "{done} of {n} documents", progress.total, done=done)
            )
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


def describe_scan_pace(row: DocumentRow, progress: Progress | None, *, paused: bool) -> str:
    """Return how fast the pages of a document are read: "7.5 pages a minute · 3 min left"."""
    if not has_waiting_pages(row):
        return ""
    if paused:
        return tr("Text recognition is paused.")
    if progress is None or progress.document_id != row.id:
        return tr("Its pages wait for those of other documents.")
    return " · ".join(describe_page_rate(progress))


def is_begun(found: DocumentEnrichment) -> bool:
    """Return whether a chat model has read, or shall read, any passage of a document."""
    return bool(found.n_enriched or found.n_waiting or found.n_failed)


def format_busy(n_busy: int) -> str:
    """Return how many documents are still being indexed, "" for none."""
    return trn("{n} still being indexed", "{n} still being indexed", n_busy) if n_busy else ""


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


def has_waiting_file(row: DocumentRow) -> bool:
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


def can_index_again(row: DocumentRow) -> bool:
    """Return whether a document was indexed, at least in part."""
    return row.state in ("ready", "paused")


def subtitle(row: DocumentRow, titles: dict[int, str], *, is_ambiguous: bool) -> str:
    """Return the text after the title: the document that it duplicates, or its file's name.

    Args:
        is_ambiguous: another document has the same title, so that the file's name tells them apart.
    """
    if row.duplicate_of is not None:
        title = titles.get(row.duplicate_of) or tr("another document")
        return tr("same as {title}", title=title)
    return row.file_name if is_ambiguous else ""


INSTANT = later(
    "Names and relations were found without a model. A chat model can read the passages and "
    "name each relation."
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
            return StateWords(tr("Waiting"), "text2", "clock", tooltip)
        return StateWords(f"{percent(found)}%", "accent", "sparkle", tooltip)
    if failed:
        text = (
            tr("{share}%, {failed}", share=percent(found), failed=failed)
            if found.n_enriched
            else failed
        )
        return StateWords(text, "warn", "warning", tooltip)
    if not found.n_enriched:
        return StateWords(tr("Not yet"), "text2", "", tr(INSTANT))
    if found.n_enriched < found.n_chunks:
        return StateWords(f"{percent(found)}%", "text2", "sparkle", tooltip)
    return StateWords(tr("Enriched"), "ok", "check-circle", tooltip)


def describe_enriched(found: DocumentEnrichment) -> str:
    """Return how much of a document a chat model has read: "Enriched: 34 of 40 passages"."""
    return tr("Enriched: {done}", done=_format_done(found))


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
        (tr("Time"), tr_message(format_duration(seconds)) if seconds >= 0.5 else ""),
    ]


def _format_done(found: DocumentEnrichment) -> str:
    done = format_number(found.n_enriched)
    return trn("{done} of {n} passage", "{done} of {n} passages", found.n_chunks, done=done)


def _format_tokens(found: DocumentEnrichment) -> str:
    if found.n_tokens:
        return format_number(found.n_tokens)
    return tr("none: cached answers were used") if found.n_enriched else ""
