"""Places highlights and notes of other programs in the text of a document.

A highlight is found by its words, on its page and those beside it first; letters are compared
without spaces, hyphens and the shape of quotation marks, because each program reads a page in its
own way. What is not found becomes a bookmark with a note at the beginning of its page.
"""

from __future__ import annotations

import bisect
import colorsys
import hashlib
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ...highlight_colors import DEFAULT_COLOR, HIGHLIGHT_COLORS
from ...messages import Message
from ...model import Page
from ...store import annotations as annotation_rows
from ...store import document_metadata, documents
from ...store.db import Db
from ..annotations import MAX_NOTE, MAX_QUOTE
from ..documents import tidy_tags
from .model import Mark

# Entries of what is given of a document: marks that wait for its text, keys of marks that are not
# followed (the user deleted them), and of each other mark what was written for it.
PENDING, TAKEN, WRITTEN = "pending", "taken", "written"
# Of 100. Tuned on pieces of 40 to 300 characters of 8 PDFs: with a wrong letter in twenty 96 of 100
# are found (at 88: 85), with one in ten 84 (at 88: 70), and none of 71 pieces of another document.
MIN_LIKENESS = 80
SHORT = 5  # letters: words that are as short must occur once on their page
MIN_LETTERS = 0.5  # of the signs of a highlight: others have a font that can't be read
MAX_FUZZY_CHARS = 60_000  # of a text that is searched for similar words
_NOTE_TITLE_CHARS = 200  # of a bookmark's first words


@dataclass(frozen=True, slots=True)
class Place:
    """Where a mark is to be written, in characters of the text."""

    kind: str
    start: int
    end: int
    note: str


class SqueezedText:
    """A text without what differs between programs, and the way back to its offsets."""

    def __init__(self, text: str) -> None:
        letters: list[str] = []
        self._offsets: list[int] = []
        for offset, char in enumerate(text):
            for one in _squeeze_char(char):
                letters.append(one)
                self._offsets.append(offset)
        self.letters = "".join(letters)

    def find(self, words: str, start: int, end: int) -> tuple[int, int] | None:
        """Return the place of words between two offsets of the text; None where they are not."""
        low, high = (bisect.bisect_left(self._offsets, offset) for offset in (start, end))
        at = self.letters.find(words, low, high)
        return self._place(at, at + len(words)) if at >= 0 else None

    def count(self, words: str, start: int, end: int) -> int:
        """Return how often words occur between two offsets of the text."""
        low, high = (bisect.bisect_left(self._offsets, offset) for offset in (start, end))
        return self.letters.count(words, low, high) if words else 0

    def find_similar(self, words: str, start: int, end: int) -> tuple[int, int] | None:
        """Return the place of the most similar words, None where none are similar enough."""
        from rapidfuzz import fuzz

        low, high = (bisect.bisect_left(self._offsets, offset) for offset in (start, end))
        if len(words) < 12 or high - low > MAX_FUZZY_CHARS:
            return None
        found = fuzz.partial_ratio_alignment(
            words, self.letters[low:high], score_cutoff=MIN_LIKENESS
        )
        if found is None or found.dest_end - found.dest_start < len(words) // 2:
            return None
        return self._place(low + found.dest_start, low + found.dest_end)

    def _place(self, low: int, high: int) -> tuple[int, int]:
        return self._offsets[low], self._offsets[high - 1] + 1


def squeeze(text: str) -> str:
    """Return words as `SqueezedText` compares them."""
    return "".join(one for char in text for one in _squeeze_char(char))


def _squeeze_char(char: str) -> str:
    if char.isascii():
        return char.lower() if char.isalnum() else ""
    plain = unicodedata.normalize("NFKC", char).casefold()
    return "".join(one for one in plain if one.isalnum())


def place_mark(mark: Mark, text: str, squeezed: SqueezedText, pages: Sequence[Page]) -> Place:
    """Return where a mark belongs: a highlight at its words, else a bookmark at its page."""
    first, last = _find_page(mark.page, pages, len(text))
    words = squeeze(mark.text)
    n_letters = len("".join(mark.text.split()))
    is_unsure = len(words) < SHORT and squeezed.count(words, first, last) != 1
    if words and len(words) >= MIN_LETTERS * n_letters and not is_unsure:
        near = (
            _find_page(mark.page - 1, pages, len(text))[0] if mark.page > 0 else first,
            _find_page(mark.page + 1, pages, len(text))[1] if mark.page >= 0 else last,
        )
        found = (
            squeezed.find(words, first, last)
            or squeezed.find(words, *near)
            or squeezed.find_similar(words, *near)
            or squeezed.find(words, 0, len(text))
        )
        if found is not None:
            return Place("highlight", *found, mark.note)
    note = f"“{' '.join(mark.text.split())}”" if mark.text else ""
    note = "\n\n".join(filter(None, (note, mark.note)))
    start = first + len(text[first:last]) - len(text[first:last].lstrip())
    line = text[start : min(last, start + _NOTE_TITLE_CHARS)].partition("\n")[0]
    return Place("bookmark", start, start + len(line), note)


def _find_page(page: int, pages: Sequence[Page], n_chars: int) -> tuple[int, int]:
    """Return the bounds of a page, of the whole text where there are no pages."""
    one = next((one for one in pages if one.index == page), None)
    return (one.start, one.end) if one is not None else (0, n_chars)


def find_color(color: str) -> str:
    """Return the colour of a highlight that is most like "#rrggbb"."""
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", color):
        return DEFAULT_COLOR
    red, green, blue = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    hue, saturation, _ = colorsys.rgb_to_hsv(red, green, blue)
    if saturation < 0.15:
        return DEFAULT_COLOR
    distance = {one.key: abs(hue * 360 - one.hue) for one in HIGHLIGHT_COLORS}
    return min(distance, key=lambda name: min(distance[name], 360 - distance[name]))


def add_pending(given: dict[str, Any], marks: Iterable[Mark]) -> int:
    """Add marks that were not taken before to what is given of a document; return their number."""
    known = {*list_texts(given.get(TAKEN)), *(mark.key for mark in load_pending(given))}
    known |= _load_written(given).keys()
    new = [_encode_mark(mark) for mark in marks if mark.key not in known]
    if new:
        given[PENDING] = [_encode_mark(mark) for mark in load_pending(given)] + new
    return len(new)


@dataclass(frozen=True, slots=True)
class Followed:
    """Marks that were changed or deleted in the other program since they were taken.

    Attributes:
        n_changed, n_deleted: those that were changed or deleted here, too.
        n_kept: those that stay, because the user has changed them here.
    """

    n_changed: int = 0
    n_deleted: int = 0
    n_kept: int = 0

    def __add__(self, other: Followed) -> Followed:
        return Followed(
            self.n_changed + other.n_changed,
            self.n_deleted + other.n_deleted,
            self.n_kept + other.n_kept,
        )


def follow_marks(
    db: Db, document_id: int, given: dict[str, Any], marks: Sequence[Mark]
) -> Followed:
    """Delete the marks of a document that are no longer there or are different, inside `Db.edit`.

    Those that are different count as new from then on (`add_pending`). A mark of which the user
    changed colour, note or tags stays as it is; one that the user deleted does not come back.

    Args:
        given: what is given of the document; changed here.
        marks: all that the other program has now.
    """
    present = {mark.key: mark for mark in marks}
    given[PENDING] = [
        _encode_mark(present[mark.key]) for mark in load_pending(given) if mark.key in present
    ]
    if not given[PENDING]:
        del given[PENDING]
    written = _load_written(given)
    n_changed = n_deleted = n_kept = 0
    for key, (annotation_id, sent, own) in list(written.items()):
        mark = present.get(key)
        if mark is not None and _describe_mark(mark) == sent:
            continue
        row = annotation_rows.find_annotation(db, annotation_id)
        if row is None or row[1] != document_id:  # deleted here
            if mark is not None:
                written[key] = (annotation_id, _describe_mark(mark), own)
            else:
                del written[key]
        elif _describe_annotation(row[6], row[7], row[11]) != own:
            n_kept += 1
            if mark is not None:
                written[key] = (annotation_id, _describe_mark(mark), own)
            else:
                del written[key]
        else:
            annotation_rows.delete_annotation(db, annotation_id)
            del written[key]
            n_changed += mark is not None
            n_deleted += mark is None
    _store_written(given, written)
    return Followed(n_changed, n_deleted, n_kept)


def _load_written(given: Mapping[str, Any]) -> dict[str, tuple[int, str, str]]:
    """Return key -> (annotation, digest of the mark, digest of the annotation as written)."""
    stored = given.get(WRITTEN)
    found: dict[str, tuple[int, str, str]] = {}
    for key, one in stored.items() if isinstance(stored, dict) else ():
        if isinstance(one, list) and list(map(type, one)) == [int, str, str]:
            found[key] = (one[0], one[1], one[2])
    return found


def _store_written(given: dict[str, Any], written: Mapping[str, tuple[int, str, str]]) -> None:
    given.pop(WRITTEN, None)
    if written:
        given[WRITTEN] = {key: list(one) for key, one in written.items()}


def _describe_mark(mark: Mark) -> str:
    # without tags, it is the digest that older versions have stored
    return _digest(mark.text, mark.note, mark.color, str(mark.page), *mark.tags)


def _describe_annotation(color: str, note: str, tags: str) -> str:
    """Return a digest of what the user can change; the place follows the text."""
    return _digest(color, note, *filter(None, (tags,)))


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:16]


def _encode_mark(mark: Mark) -> dict[str, Any]:
    """Return a mark as it waits in the library; one without tags as older versions stored it."""
    fields = asdict(mark)
    del fields["tags"]
    return fields | ({"tags": list(mark.tags)} if mark.tags else {})


def load_pending(given: Mapping[str, Any]) -> list[Mark]:
    """Return the marks that wait for the document's text."""
    stored = given.get(PENDING)
    found = []
    for one in stored if isinstance(stored, list) else ():
        if isinstance(one, dict) and isinstance(page := one.get("page"), int):
            key, text, note, color = (one.get(n) for n in ("key", "text", "note", "color"))
            if all(isinstance(value, str) for value in (key, text, note, color)):
                tags = tuple(list_texts(one.get("tags")))
                found.append(Mark(str(key), str(text), str(note), str(color), page, tags))
    return found


def place_pending(db: Db, document_id: int) -> tuple[int, int]:
    """Write the marks that wait for a document's text, in a transaction of the caller.

    Those that are not found are kept as notes, and the document gets a notice.

    Returns:
        The number of marks written, and of highlights whose words are not in the text.
    """
    given = document_metadata.fetch_given(db, document_id)
    marks = load_pending(given)
    text = documents.fetch_text(db, document_id) if marks else None
    if not marks or text is None:
        return 0, 0
    pages = sorted(documents.fetch_pages(db, document_id), key=lambda page: page.start)
    squeezed = SqueezedText(text)
    known = {
        (row[2], row[3], row[4], row[7]): (row[0], row[6], row[11])
        for row in annotation_rows.fetch_annotations(db, document_id)
    }
    written = _load_written(given)
    n_lost = 0
    for mark in marks:
        place = place_mark(mark, text, squeezed, pages)
        note = place.note[:MAX_NOTE]
        if same := known.get((place.kind, place.start, place.end, note)):
            # from a backup, or of a second copy of the file
            own = _describe_annotation(same[1], note, same[2])
            written[mark.key] = (same[0], _describe_mark(mark), own)
            continue
        n_lost += place.kind == "bookmark" and bool(mark.text)
        quote = text[place.start : place.end][:MAX_QUOTE]
        color = find_color(mark.color) if place.kind == "highlight" else DEFAULT_COLOR
        tags = "\n".join(tidy_tags(mark.tags))
        annotation_id = annotation_rows.add_annotation(
            db, document_id, place.kind, place.start, place.end, quote, color, note, tags=tags
        )
        own = _describe_annotation(color, note, tags)
        written[mark.key] = (annotation_id, _describe_mark(mark), own)
    _store_written(given, written)
    given.pop(PENDING, None)
    document_metadata.store_given(db, document_id, given)
    if n_lost:
        _add_notice(db, document_id, n_lost)
    return len(marks), n_lost


def _add_notice(db: Db, document_id: int, n_lost: int) -> None:
    note = Message(
        "{n} highlight from Zotero was not found in the text; it is a note at its page."
        if n_lost == 1
        else "{n} highlights from Zotero were not found in the text; each is a note at its page.",
        n=n_lost,
    )
    document_metadata.add_notice(db, document_id, note)


def list_texts(stored: object) -> list[str]:
    """Return the texts of a stored list."""
    return [one for one in stored if isinstance(one, str)] if isinstance(stored, list) else []
