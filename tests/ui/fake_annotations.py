"""A fake annotation service in memory."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.services.annotations import Annotation, Area


class FakeAnnotationService:
    """Answers as the annotation service, without a library."""

    def __init__(self, library_reader: Any) -> None:
        self._library_reader = library_reader
        self.marks: list[Annotation] = []
        self.pictures: dict[int, bytes] = {}
        self.places: dict[int, str] = {}
        self.shares: dict[int, float] = {}
        self.sessions: list[str] = []  # of the changes
        self._n_steps = 0

    def find_newest_step(self) -> int:
        return self._n_steps

    def fetch_reading_position(self, document_id: int) -> str | None:
        return self.places.get(document_id)

    def fetch_reading_shares(self) -> dict[int, float]:
        return self.shares

    def store_reading_position(self, document_id: int, place: str) -> None:
        self.places[document_id] = place

    def list_annotations(self, document_id: int) -> list[Annotation]:
        found = [mark for mark in self.marks if mark.document_id == document_id]
        return sorted(found, key=lambda mark: mark.start)

    def fetch_pictures(self, annotation_ids: Collection[int]) -> dict[int, bytes]:
        return {i: self.pictures[i] for i in annotation_ids if i in self.pictures}

    def mark_area(
        self,
        document_id: int,
        area: Area,
        picture: bytes,
        span: tuple[int, int] | None = None,
        quote: str = "",
        *,
        color: str = "yellow",
        note: str = "",
    ) -> ChangeNotice:
        start, end = span or (0, 0)
        change = self._add("highlight", document_id, start, end, color, note, "fill")
        mark = self.marks[-1] = replace(self.marks[-1], area=area, quote=quote)
        self.pictures[mark.id] = picture
        return change

    def change_area(
        self,
        annotation_id: int,
        area: Area,
        picture: bytes,
        span: tuple[int, int] | None = None,
        quote: str = "",
    ) -> ChangeNotice:
        at = next(n for n, mark in enumerate(self.marks) if mark.id == annotation_id)
        start, end = span or (0, 0)
        self.marks[at] = replace(self.marks[at], area=area, quote=quote, start=start, end=end)
        self.pictures[annotation_id] = picture
        self._n_steps += 1
        return ChangeNotice(documents=frozenset({self.marks[at].document_id}))

    def has_names_of(self, document_id: int, entity_ids: frozenset[int]) -> bool:
        found = self._library_reader.mentions_in(document_id, 0, 10**9)
        return any(owner in entity_ids for _, _, owner, *_ in found)

    def names_in(self, document_id: int, start: int, end: int) -> list[tuple]:
        return self._library_reader.mentions_in(document_id, start, end)

    def fetch_places(self, entity_id: int, document_id: int) -> list[tuple[int, int]]:
        found = self._library_reader.mentions_in(document_id, 0, 10**9)
        return sorted((start, end) for start, end, owner, *_ in found if owner == entity_id)

    def find_mention(self, document_id: int, start: int, entity_id: int) -> tuple[int, str] | None:
        for begin, end, owner, *_ in self._library_reader.mentions_in(document_id, 0, 10**9):
            if begin == start and owner == entity_id:
                return 1000 + start, self._library_reader.fetch_text(document_id)[begin:end]
        return None

    def highlight(
        self,
        document_id: int,
        start: int,
        end: int,
        *,
        color: str = "yellow",
        note: str = "",
        style: str = "fill",
    ) -> ChangeNotice:
        return self._add("highlight", document_id, start, end, color, note, style)

    def bookmark(self, document_id: int, start: int, end: int, note: str = "") -> ChangeNotice:
        return self._add("bookmark", document_id, start, end, "yellow", note, "fill")

    def change(
        self,
        annotation_id: int,
        *,
        color: str | None = None,
        note: str | None = None,
        tags: Sequence[str] | None = None,
        session: str = "",
    ) -> ChangeNotice:
        self.sessions.append(session)
        self.marks = [
            replace(
                m,
                color=color or m.color,
                note=m.note if note is None else note,
                tags=m.tags if tags is None else tuple(tags),
            )
            if m.id == annotation_id
            else m
            for m in self.marks
        ]
        return self._told()

    def list_tags(self) -> list[str]:
        return sorted({tag for mark in self.marks for tag in mark.tags})

    def recolor(self, annotation_ids: Collection[int], color: str) -> ChangeNotice:
        self.marks = [replace(m, color=color) if m.id in annotation_ids else m for m in self.marks]
        return self._told()

    def tag(
        self, annotation_ids: Collection[int], *, add: Sequence[str] = (), drop: Sequence[str] = ()
    ) -> ChangeNotice:
        self.marks = [
            replace(m, tags=tuple(sorted({*m.tags, *add} - set(drop))))
            if m.id in annotation_ids
            else m
            for m in self.marks
        ]
        return self._told()

    def remove_many(self, annotation_ids: Collection[int]) -> ChangeNotice:
        self.marks = [mark for mark in self.marks if mark.id not in annotation_ids]
        return self._told()

    def remove(self, annotation_id: int) -> ChangeNotice:
        self.marks = [mark for mark in self.marks if mark.id != annotation_id]
        return self._told()

    def _add(
        self, kind: str, document_id: int, start: int, end: int, color: str, note: str, style: str
    ) -> ChangeNotice:
        quote = self._library_reader.fetch_text(document_id)[start:end]
        number = max((mark.id for mark in self.marks), default=0) + 1
        self.marks.append(
            Annotation(number, document_id, kind, start, end, quote, color, note, number, style)
        )
        return self._told()

    def _told(self) -> ChangeNotice:
        self._n_steps += 1
        return ChangeNotice(documents=frozenset({mark.document_id for mark in self.marks} or {1}))
