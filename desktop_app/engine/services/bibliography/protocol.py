"""A bibliography as the frames between the program and the process that reads it.

What the process sends is checked: types, lengths and numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ...child_protocol import (
    ProtocolError,
    check_list,
    check_number,
    check_text,
    decode_message,
    encode_message,
    group_items,
)
from .model import TEXT_FIELDS, AttachedFile, Bibliography, Entry, Mark

MAX_ENTRIES = 200_000
MAX_FIELD, MAX_TEXT = 2_000, 20_000  # characters of a field; of a marked text and of a note
MAX_PARTS = 2_000  # authors, tags, collections or files of a work
MAX_MARKS = 20_000  # of a file
_MAX_REASONS = 100
_MAX_NUMBER = 2**40


class TooManyEntries(Exception):
    """The bibliography has more works than a library can have."""


def encode_bibliography(found: Bibliography) -> Iterator[list[dict[str, Any]]]:
    """Yield the frames of a bibliography."""
    reasons = [[encode_message(m), n] for m, n in list(found.left_out.items())[:_MAX_REASONS]]
    has_all_marks = int(found.has_all_marks)
    yield [{"bibliography": found.origin, "all_marks": has_all_marks, "left_out": reasons}]
    yield from group_items(_iter_items(found))


def _iter_items(found: Bibliography) -> Iterator[tuple[dict[str, Any], int]]:
    for entry in found.entries[: MAX_ENTRIES + 1]:
        item: dict[str, Any] = {
            "entry": [getattr(entry, name)[:MAX_FIELD] for name in TEXT_FIELDS],
            "authors": _cut(entry.authors),
            "tags": _cut(entry.tags),
            "collections": _cut(entry.collections),
            "files": len(entry.files[:MAX_PARTS]),
            "text": entry.text[:MAX_TEXT],
        }
        yield (
            item,
            100 + len(item["text"]) + sum(map(len, item["entry"])) + 30 * len(item["authors"]),
        )
        for file in entry.files[:MAX_PARTS]:
            marks = file.marks[:MAX_MARKS]
            head = [_cut(file.places), file.label[:MAX_FIELD], len(marks)]
            yield {"file": head}, 100
            for mark in marks:
                text, note = mark.text[:MAX_TEXT], mark.note[:MAX_TEXT]
                tags = _cut(mark.tags)
                fields = [mark.key[:100], text, note, mark.color[:20], mark.page + 1, tags]
                yield {"mark": fields}, 50 + len(text) + len(note)


def _cut(values: tuple[str, ...]) -> list[str]:
    return [value[:MAX_FIELD] for value in values[:MAX_PARTS]]


class BibliographyAssembler:
    """Puts a bibliography together from items that are not trusted."""

    def __init__(self) -> None:
        self._found: Bibliography | None = None
        self._entry: Entry | None = None
        self._files: list[AttachedFile] = []
        self._n_files = self._n_marks = 0
        self._head: tuple[tuple[str, ...], str] = ((), "")
        self._marks: list[Mark] = []

    def add(self, item: dict[str, Any]) -> None:
        """Take one item.

        Raises:
            ProtocolError: a part of it has the wrong type, or is too long.
            TooManyEntries: there are more works than a library can have.
        """
        if "bibliography" in item:
            has_all_marks = bool(check_number(item.get("all_marks", 0), 1))
            origin = check_text(item["bibliography"], 20)
            self._found = Bibliography(origin, has_all_marks=has_all_marks)
            for row in check_list(item.get("left_out"), None, _MAX_REASONS):
                reason, count = check_list(row, 2)
                self._found.left_out[decode_message(reason)] = check_number(count, _MAX_NUMBER)
        elif self._found is None:
            raise ProtocolError("a work of no bibliography")
        elif "entry" in item:
            self._end_entry()
            values = check_list(item["entry"], len(TEXT_FIELDS))
            fields = {n: check_text(v, MAX_FIELD) for n, v in zip(TEXT_FIELDS, values, strict=True)}
            lists = {n: _check_texts(item.get(n)) for n in ("authors", "tags", "collections")}
            text = check_text(item.get("text", ""), MAX_TEXT)
            self._entry = Entry(**fields, **lists, text=text)  # type: ignore[arg-type]
            self._n_files = check_number(item.get("files"), MAX_PARTS)
            if len(self._found.entries) >= MAX_ENTRIES:
                raise TooManyEntries
        elif "file" in item and self._entry is not None and self._n_files:
            self._end_file()
            places, label, n_marks = check_list(item["file"], 3)
            self._head = _check_texts(places), check_text(label, MAX_FIELD)
            self._n_files -= 1
            self._n_marks = check_number(n_marks, MAX_MARKS)
        elif "mark" in item and self._n_marks:
            key, text, note, color, page, tags = check_list(item["mark"], 6)
            self._n_marks -= 1
            self._marks.append(
                Mark(check_text(key, 100), check_text(text, MAX_TEXT), check_text(note, MAX_TEXT),
                     check_text(color, 20), check_number(page, _MAX_NUMBER) - 1,
                     _check_texts(tags))
            )  # fmt: skip
        else:
            raise ProtocolError("an item of an unknown kind")

    def finish(self) -> Bibliography:
        """Return the bibliography.

        Raises:
            ProtocolError: none came, or a part is missing.
        """
        if self._found is None:
            raise ProtocolError("no bibliography")
        self._end_entry()
        return self._found

    def _end_file(self) -> None:
        if self._n_marks:
            raise ProtocolError("marks are missing")
        if self._head[0]:
            self._files.append(AttachedFile(*self._head, tuple(self._marks)))
        self._head, self._marks = ((), ""), []

    def _end_entry(self) -> None:
        self._end_file()
        if self._n_files:
            raise ProtocolError("files are missing")
        if self._entry is not None and self._found is not None:
            self._found.entries.append(replace(self._entry, files=tuple(self._files)))
        self._entry, self._files = None, []


def _check_texts(value: object) -> tuple[str, ...]:
    return tuple(check_text(one, MAX_FIELD) for one in check_list(value, None, MAX_PARTS))
