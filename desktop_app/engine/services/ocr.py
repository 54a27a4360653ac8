"""Pages that are pictures are read in the background, most wanted first.

`OcrService.run` reads one page after another and stores what it says. After the first page of a
document, then after 8 more, 16, 32 …, and at its end, the document's file is queued to be read
again with the pages that are there (decision 101): it can be searched early, and is indexed less
than twice as much in all. Every page is a checkpoint: a later run continues with the next one.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from ..changes import NOTHING, ChangeNotice
from ..errors import Cancelled, EnvironmentProblem, PasswordNeeded, UserError
from ..messages import Message
from ..model import DocumentId
from ..progress import CancelToken, Clock, Progress, ProgressCallback, ignore_progress
from ..scanned_pages import LineCorrection, ScannedPage, tidy_line, unpack_page
from ..scheduler import Priority, WorkScheduler
from ..store import documents, figures, scanned_pages
from ..store.db import Db
from ..store.enrichment import find_setting, store_setting
from ..store.scanned_pages import ScanCount
from ..text.ocr.ocr_process import PictureReader
from ..text.page_renderer import PageFailure, RemotePdf
from .opened_document import OpenedDocument

log = logging.getLogger(__name__)

STAGE = "scans"
FIRST_BATCH = 8  # pages after the first one; each further batch is as large as all before it
MAX_ATTEMPTS = 2  # of a page that ended with the program
BLOCKED_S = 600.0  # after a problem of the machine, so that it is not reported again and again
MAX_WANTED = 50  # pages and documents that are remembered as wanted
PAUSED = "scans_paused"  # the setting of the library
_ENDED = Message("Inkgraph ended unexpectedly each time it read this page.")


@dataclass(frozen=True, slots=True)
class ScanState:
    """What is read of the pages of a document that are pictures.

    Attributes:
        unsure: pages whose order of lines is uncertain, or with uncertain lines.
        failed: pages that can't be read, with the reason.
    """

    count: ScanCount
    unsure: tuple[int, ...] = ()
    failed: tuple[tuple[int, Message], ...] = ()


@dataclass(frozen=True, slots=True)
class ScanProgress:
    """How far the reading of a document is; cheap to fetch after each page.

    Attributes:
        states: page index -> "waiting", "read", "failed" or "left", with the reason for "failed".
        is_paused: the user paused the reading of pages.
    """

    count: ScanCount
    states: dict[int, tuple[str, Message]]
    is_paused: bool = False


class OcrReader:
    """What the screens and commands ask about pages that were read; in one thread."""

    def __init__(self, db: Db) -> None:
        self._db = db

    def count(self) -> dict[int, ScanCount]:
        """Return document id -> number of its pages that are pictures; others are left out."""
        return scanned_pages.count_pages(self._db)

    def count_waiting(self) -> int:
        return scanned_pages.count_waiting(self._db)

    def find_progress(self, document_id: int) -> ScanProgress | None:
        """Return the states of a document's pages, None if none of them is a picture."""
        count = scanned_pages.count_pages(self._db, [document_id]).get(document_id)
        if count is None:
            return None
        states = scanned_pages.fetch_states(self._db, document_id)
        return ScanProgress(count, states, is_paused(self._db))

    def find_state(self, document_id: int) -> ScanState | None:
        """Return what is read of a document, None if none of its pages is a picture."""
        count = scanned_pages.count_pages(self._db, [document_id]).get(document_id)
        if count is None:
            return None
        pages = scanned_pages.fetch_pages(self._db, document_id)
        states = scanned_pages.fetch_states(self._db, document_id)
        return ScanState(
            count,
            tuple(
                index
                for index, page in pages.items()
                if not page.is_certain or any(line.is_unsure for line in page.lines)
            ),
            tuple((i, reason) for i, (state, reason) in states.items() if state == "failed"),
        )

    def find_page(self, document_id: int, page_index: int) -> ScannedPage | None:
        """Return the lines of a page, with the user's corrections; None if it was not read."""
        return scanned_pages.fetch_page(self._db, document_id, page_index)


def is_paused(db: Db) -> bool:
    """Return whether the user paused the reading of pages."""
    return find_setting(db, PAUSED) == "1"


class OcrService:
    """Reads the pages that wait; one run at a time. `want_…` may be called from any thread.

    Args:
        db: the read-write connection.
        scheduler: makes the work pause while more urgent work needs the processor.
        open_reader: starts what reads pictures; it is closed at the end of each run.
    """

    def __init__(
        self,
        db: Db,
        scheduler: WorkScheduler | None = None,
        open_reader: Callable[[], PictureReader] = PictureReader,
    ) -> None:
        self._db = db
        self._scheduler = scheduler or WorkScheduler()
        self._open_reader = open_reader
        self._lock = threading.Lock()
        self._pages: list[tuple[int, int]] = []
        self._documents: list[int] = []
        self._requested: list[tuple[int, int]] = []  # by the user: read although reading is paused
        self._is_paused = is_paused(db)
        self._reading: tuple[int, CancelToken] = (0, CancelToken())
        self._document = OpenedDocument(db)
        # Digest of a picture that was read -> page as it is stored, "" if the store has it.
        self._known: dict[str, str] = {}
        self._of_known: RemotePdf | None = None  # the document for which they were fetched
        self._blocked_until = 0.0

    # --- what is wanted -----------------------------------------------------------------------

    def want_page(self, document_id: int, page_index: int) -> None:
        """Read this page next, because it is on the screen."""
        with self._lock:
            wanted = (document_id, page_index)
            kept = [page for page in self._pages if page != wanted]
            self._pages = [wanted, *kept][:MAX_WANTED]

    def want_documents(self, document_ids: Iterable[int]) -> None:
        """Read the pages of these documents before others, because they were asked about."""
        with self._lock:
            wanted = list(document_ids)
            kept = [i for i in self._documents if i not in wanted]
            self._documents = [*wanted, *kept][:MAX_WANTED]

    # --- what the user decides ----------------------------------------------------------------

    @property
    def is_paused(self) -> bool:
        """Whether only pages are read that the user requested one by one."""
        return self._is_paused

    def set_paused(self, paused: bool) -> ChangeNotice:
        """Pause or resume the reading of pages, also for the next start.

        The page that is being read is given up, and read again later.
        """
        with self._db.transaction():
            store_setting(self._db, PAUSED, "1" if paused else "0")
        self._is_paused = paused
        if paused:
            with self._lock:
                self._requested.clear()
            self._reading[1].cancel()
        return ChangeNotice(documents=_ids(scanned_pages.fetch_waiting_documents(self._db)))

    def request_page(self, document_id: int, page_index: int) -> ChangeNotice:
        """Read a page next, also one that was left or can't be read, and while reading is paused.

        The caller starts a run.
        """
        with self._db.transaction():
            scanned_pages.set_page_waiting(self._db, document_id, page_index)
        with self._lock:
            wanted = (document_id, page_index)
            self._requested = [wanted, *(p for p in self._requested if p != wanted)][:MAX_WANTED]
        return ChangeNotice(documents=_ids([document_id]))

    def leave(self, document_ids: Sequence[int] | None = None) -> ChangeNotice:
        """Do not read the pages of documents that still wait; what was read stays.

        Args:
            document_ids: None for all documents.
        """
        if document_ids is None:
            document_ids = scanned_pages.fetch_waiting_documents(self._db)
        with self._db.transaction():
            changed = scanned_pages.set_waiting(
                self._db, document_ids, states=("waiting",), to="left"
            )
            queued = [i for i in changed if self._has_more(i) and self._read_more(i)]
        document_id, token = self._reading
        if document_id in changed:
            token.cancel()
        return ChangeNotice(documents=_ids(changed), queued=_ids(queued))

    def read_again(self, document_ids: Sequence[int], *, all_pages: bool = False) -> ChangeNotice:
        """Queue the pages that were left or can't be read, or all pages; corrections stay."""
        states = ("left", "failed", "read") if all_pages else ("left", "failed")
        with self._db.transaction():
            changed = scanned_pages.set_waiting(self._db, document_ids, states=states, to="waiting")
        return ChangeNotice(documents=_ids(changed))

    def correct_line(
        self, document_id: int, page_index: int, line_number: int, text: str
    ) -> ChangeNotice:
        """Give a line the text that the user typed, as one undoable edit.

        The text that was read takes the correction back; on an uncertain line it confirms the line.
        `queued` in the changes are the documents whose text follows when indexing runs.

        Raises:
            UserError: the page was not read, or has no such line.
        """
        page = scanned_pages.fetch_page(self._db, document_id, page_index)
        if page is None or not 0 <= line_number < len(page.lines):
            raise UserError("This line is no longer on the page.", "Look at the page again.")
        line = page.lines[line_number]
        known = scanned_pages.fetch_corrections(self._db, document_id).get(page_index, ())
        x, y = line.centre
        for one in known:  # an earlier correction of this line keeps its place
            if one.text == line.text and one.before == line.before:
                x, y = one.x, one.y
        before = line.before or line.text
        typed = tidy_line(text)
        is_same = typed == line.text
        if is_same and not line.is_unsure:
            return NOTHING
        with self._db.edit(Message("Correct a line of page {page}", page=page_index + 1)):
            correction = LineCorrection(x, y, before, typed)
            scanned_pages.write_correction(
                self._db, document_id, page_index, correction, is_confirmation=is_same
            )
            if is_same:  # the text has it already
                return ChangeNotice(documents=_ids([document_id]))
            key = documents.find_correction_key(self._db, document_id)
            changed = scanned_pages.follow_correction(self._db, key, page_index)
        return ChangeNotice(documents=_ids(changed), queued=_ids(changed))

    # --- reading ------------------------------------------------------------------------------

    def run(
        self,
        *,
        cancel: CancelToken | None = None,
        on_progress: ProgressCallback = ignore_progress,
        on_change: Callable[[ChangeNotice], None] = lambda change: None,
    ) -> None:
        """Read pages until none waits.

        `on_change` gets the documents whose text is to be read again as `queued`.

        Raises:
            Cancelled: the token was set; pages that were read stay, and a later run continues.
            EnvironmentProblem: what reads pictures is not installed, or can't be started.
        """
        if not self._db.is_writable or not (self._find_next() or self._finds_old_pages()):
            return
        if time.monotonic() < self._blocked_until:
            return
        reader: PictureReader | None = None
        touched: set[int] = set()
        n_done = 0
        clock = Clock(scanned_pages.count_waiting(self._db))
        try:
            with self._scheduler.hold(Priority.IMPORT, cancel) as permit, permit.suspended():
                reader = self._open_reader()
                while (next_page := self._find_next()) is not None:
                    clock.leave_out(permit.checkpoint())
                    document_id, index = next_page
                    n_left = scanned_pages.count_waiting(self._db)
                    clock.set_left(n_left)
                    on_progress(
                        Progress(
                            STAGE,
                            n_done,
                            n_done + n_left,
                            clock.rate,
                            clock.left_s,
                            DocumentId(document_id),
                        )
                    )
                    touched.add(document_id)
                    change = self._read(reader, document_id, index, permit.cancel)
                    permit.cancel.check()
                    # A page whose reader was ended waits for its second attempt: nothing is done.
                    if not scanned_pages.is_waiting(self._db, document_id, index):
                        n_done += 1
                        clock.tick()
                    on_change(change or self._follow(document_id))
                while self._find_next() is None and self._finds_old_pages():
                    permit.checkpoint()
                    on_change(self._find_regions(reader, permit.cancel))
                    permit.cancel.check()
        except EnvironmentProblem:
            self._blocked_until = time.monotonic() + BLOCKED_S
            raise
        finally:
            if reader is not None:
                reader.close()
            self._document.forget()
            self._of_known, self._known = None, {}
            if change := self._finish(touched):
                on_change(change)

    def _find_next(self) -> tuple[int, int] | None:
        with self._lock:
            requested, pages = list(self._requested), list(self._pages)
            wanted = list(self._documents)
        if self._is_paused:
            return scanned_pages.find_first_waiting(self._db, requested)
        return scanned_pages.find_waiting_page(self._db, [*requested, *pages], wanted)

    def _read(
        self, reader: PictureReader, document_id: int, index: int, cancel: CancelToken
    ) -> ChangeNotice:
        """Read one page and store what it says, or why it can't be read.

        Returns:
            What follows from a page that was read. It is stored together with the page: after the
            last one nothing would queue the document, if the program was killed between both.
        """
        with self._db.transaction():
            n_attempts = scanned_pages.count_attempt(self._db, document_id, index)
        if n_attempts > MAX_ATTEMPTS:
            self._fail(document_id, index, _ENDED)
            return NOTHING
        token = CancelToken(cancel)
        self._reading = document_id, token
        started = time.monotonic()
        try:
            opened = self._open(reader, document_id)
            if opened is None:
                return NOTHING
            with token.notifying(opened.close):
                token.check()
                page = reader.read_lines(
                    opened,
                    index,
                    known=self._known,
                    find_known=partial(self._find_known, document_id),
                )
            with self._db.transaction():
                scanned_pages.store_page(
                    self._db, document_id, index, page, time.monotonic() - started
                )
                change = self._follow(document_id)
            if page.picture:
                self._known[page.picture] = ""
            log.info(
                "page %d of document %d: %d lines in %.1f s",
                *(index, document_id, len(page.lines), time.monotonic() - started),
            )
            return change
        except Cancelled:
            self._document.forget()
            with self._db.transaction():
                scanned_pages.forget_attempt(self._db, document_id, index)
        except PageFailure as failure:
            if failure.is_final:
                self._fail(document_id, index, failure.message)
            else:
                with self._db.transaction():
                    scanned_pages.forget_attempt(self._db, document_id, index)
        except (UserError, PasswordNeeded) as error:
            for waiting, (state, _) in scanned_pages.fetch_states(self._db, document_id).items():
                if state == "waiting":
                    self._fail(document_id, waiting, error.full_message)
        except BaseException:
            with self._db.transaction():
                scanned_pages.forget_attempt(self._db, document_id, index)
            raise
        finally:
            self._reading = 0, CancelToken()
        return NOTHING

    def _finds_old_pages(self) -> bool:
        """Return whether drawings are to be looked for on pages that were read before."""
        return not self._is_paused and figures.find_without_regions(self._db) is not None

    def _find_regions(self, reader: PictureReader, cancel: CancelToken) -> ChangeNotice:
        """Look for drawings on one page that was read before, without reading it again.

        After the last one of a document its file is queued: its text stays, and gets its figures.
        """
        document_id = figures.find_without_regions(self._db)
        if document_id is None:
            return NOTHING
        ids = _ids([document_id])
        found = scanned_pages.find_page_without_regions(self._db, document_id)
        if found is None:
            with self._db.transaction():
                figures.skip_document(self._db, document_id)
                is_queued = self._read_more(document_id)
            return ChangeNotice(documents=ids, queued=ids if is_queued else frozenset())
        index, page = found
        token = CancelToken(cancel)
        self._reading = document_id, token
        # of a page that can't be drawn any more nothing is known
        searched = replace(page, regions=())
        try:
            opened = self._document.open(reader, document_id)
            if opened is None:  # its file is gone; what was read of it stays
                with self._db.transaction():
                    figures.skip_document(self._db, document_id)
                return ChangeNotice(documents=ids)
            with token.notifying(opened.close):
                token.check()
                searched = reader.find_regions(opened, index, page)
        except Cancelled:
            self._document.forget()
            return NOTHING
        except (UserError, PasswordNeeded) as error:
            log.info("no figures on page %d of document %d: %s", index, document_id, error)
            if isinstance(error, PageFailure) and not error.is_final:
                return NOTHING
        finally:
            self._reading = 0, CancelToken()
        with self._db.transaction():
            scanned_pages.store_regions(self._db, document_id, index, searched)
        return NOTHING

    def _open(self, reader: PictureReader, document_id: int) -> RemotePdf | None:
        """Return the open document; None if its file is gone, and its pages are given up."""
        opened = self._document.open(reader, document_id)
        if opened is None:
            with self._db.transaction():
                scanned_pages.forget_pages(self._db, document_id)
        elif opened is not self._of_known:
            self._of_known = opened
            self._known = scanned_pages.fetch_known_pictures(self._db, document_id)
        return opened

    def _find_known(self, document_id: int, picture: str) -> ScannedPage | None:
        """Return what was read of a picture, None if that is to be read again."""
        if stored := self._known.get(picture):
            return unpack_page(stored)
        return scanned_pages.find_known_page(self._db, document_id, picture)

    def _fail(self, document_id: int, index: int, reason: Message) -> None:
        with self._db.transaction():
            scanned_pages.fail_page(self._db, document_id, index, reason)

    def _follow(self, document_id: int) -> ChangeNotice:
        """Queue a document to be read again if enough of its pages were read since."""
        count = self._count(document_id)
        if count is None:
            return NOTHING
        n_new = count.n_settled - count.n_in_text
        enough = max(FIRST_BATCH, count.n_in_text) if count.n_in_text else 1
        is_due = n_new >= enough or (count.n_waiting == 0 and self._has_more(document_id))
        with self._db.transaction():
            is_queued = is_due and self._read_more(document_id)
        ids = _ids([document_id])
        return ChangeNotice(documents=ids, queued=ids if is_queued else frozenset())

    def _finish(self, document_ids: Iterable[int]) -> ChangeNotice:
        """Queue the documents of which pages were read, so that a run that ends early shows all."""
        if not self._db.is_writable:
            return NOTHING
        due = [i for i in document_ids if self._has_more(i)]
        if not due:
            return NOTHING
        with self._db.transaction():
            queued = [i for i in due if self._read_more(i)]
        return ChangeNotice(documents=_ids(due), queued=_ids(queued))

    def _has_more(self, document_id: int) -> bool:
        """Return whether pages were read, or given up, that the text does not take into account."""
        count = self._count(document_id)
        return count is not None and count.n_settled > count.n_in_text

    def _count(self, document_id: int) -> ScanCount | None:
        """Return the numbers of all documents in the file of one: they are read again together."""
        ids = scanned_pages.fetch_ids_of_file(self._db, document_id)
        counts = list(scanned_pages.count_pages(self._db, ids).values())
        if not counts:
            return None
        return ScanCount(
            document_id,
            n_waiting=sum(one.n_waiting for one in counts),
            n_read=sum(one.n_read for one in counts),
            n_failed=sum(one.n_failed for one in counts),
            n_left=sum(one.n_left for one in counts),
            n_in_text=sum(one.n_in_text for one in counts),
        )

    def _read_more(self, document_id: int) -> bool:
        return scanned_pages.read_more(self._db, document_id)


def _ids(document_ids: Iterable[int]) -> frozenset[DocumentId]:
    return frozenset(map(DocumentId, document_ids))
