"""Covers of documents: made in the background, one after another, and stored in the library.

`CoverService.run` draws what is missing with `draw`, which decodes the file in a process of its own
(`workers/cover_reader.py`). A stored cover is colours and nothing else: showing one decodes no
picture format, because a library may come from another person (decision 60).
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from ..changes import ChangeNotice
from ..errors import Cancelled
from ..file_content import FileContent
from ..model import DRAWN_FORMATS
from ..progress import CancelToken
from ..scheduler import Priority, WorkScheduler
from ..store import covers
from ..store.covers import StoredCover
from ..store.db import Db
from ..store.file_content import find_content

SIZE = (90, 120)  # units at which a cover is sharp on a screen with two pixels per unit
BOX = (2 * SIZE[0], 2 * SIZE[1])  # pixels
PAGE_BOX = (270, 360)  # of a first page: its letters are small, and the largest cards wider
FORMATS = (*DRAWN_FORMATS, "epub", "docx")  # that may have a cover; others get a drawn one
_COMPRESSION = 9


@dataclass(frozen=True, slots=True)
class Cover:
    """A picture: red, green and blue of each pixel, row by row without padding."""

    width: int
    height: int
    pixels: bytes


def pack_cover(cover: Cover | None) -> StoredCover:
    """Return what is stored: the compressed differences of neighbours, colour by colour.

    A first page takes 20 to 30 kB so, of 290 kB of pixels, and a cover picture 50 kB of 130 kB.
    """
    if cover is None:
        return 0, 0, b""
    shape = (cover.height, cover.width, 3)
    colors = np.frombuffer(cover.pixels, dtype=np.uint8).reshape(shape).transpose(2, 0, 1).copy()
    colors[[0, 2]] -= colors[1]  # red and blue are mostly close to green
    colors[:, :, 1:] -= colors[:, :, :-1].copy()
    return cover.width, cover.height, zlib.compress(colors.tobytes(), _COMPRESSION)


def unpack_cover(stored: StoredCover) -> Cover | None:
    """Return a stored cover; None if it is none, whatever the library says."""
    width, height, packed = stored
    if not (0 < width <= PAGE_BOX[0] and 0 < height <= PAGE_BOX[1]):
        return None
    n_bytes = 3 * width * height
    try:
        content = zlib.decompressobj().decompress(packed, n_bytes + 1)
    except zlib.error:
        return None
    if len(content) != n_bytes:
        return None
    differences = np.frombuffer(content, dtype=np.uint8).reshape(3, height, width)
    colors = np.cumsum(differences, axis=2, dtype=np.uint8)
    colors[[0, 2]] += colors[1]
    return Cover(width, height, colors.transpose(1, 2, 0).tobytes())


def fetch_covers(db: Db, document_ids: Collection[int]) -> dict[int, Cover | None]:
    """Return document id -> cover, None for a file without one.

    Documents whose cover was not made yet are not in it.
    """
    stored = covers.fetch_covers(db, document_ids)
    return {document_id: unpack_cover(cover) for document_id, cover in stored.items()}


class CoverService:
    """Makes the covers that are missing; one run at a time.

    Args:
        db: the read-write connection.
        draw: takes a file, its format and a token; returns its cover, None if it has none.
        scheduler: makes the work pause while there is more urgent work.
    """

    def __init__(
        self,
        db: Db,
        draw: Callable[[FileContent, str, CancelToken], Cover | None],
        scheduler: WorkScheduler | None = None,
    ) -> None:
        self._db, self._draw = db, draw
        self._scheduler = scheduler or WorkScheduler()

    def run(
        self,
        *,
        cancel: CancelToken | None = None,
        on_change: Callable[[ChangeNotice], None] = lambda change: None,
    ) -> None:
        """Make all covers that are missing, also while other documents are indexed.

        Raises:
            Cancelled: the token was set; covers that are made stay.
            EnvironmentProblem: the process that draws them can't be started.
        """
        if not self._db.is_writable:
            return
        if not (waiting := covers.fetch_documents_without_cover(self._db, FORMATS)):
            return
        with self._scheduler.hold(Priority.IMPORT, cancel) as permit:
            for document_id, format, sha256 in waiting:
                permit.checkpoint()
                content = find_content(self._db, "original", document_id)
                if content is None:
                    continue
                with suppress(Cancelled):  # the file was deleted or replaced
                    self._make(document_id, sha256, content, format, permit.cancel)
                    on_change(ChangeNotice(documents=frozenset({document_id})))
                permit.cancel.check()

    def _make(
        self, document_id: int, sha256: str, content: FileContent, format: str, cancel: CancelToken
    ) -> None:
        cover = pack_cover(self._draw(content, format, cancel))
        with self._db.transaction():
            covers.write_cover(self._db, document_id, sha256, cover)
