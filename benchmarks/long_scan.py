"""A long scan, read to its end: cost, memory and errors per page, and a kill in the middle.

A PDF of pictures of pages is drawn: English and Chinese in turn, each page another part of a novel,
at 150 dots per inch, grey, with grain, turned by up to 1 degree. Most pages are short (`--lines`,
`--width`), so that many are read in a reasonable time; one of `--full-every` is a full one. The PDF
is added to a new library and read as `inkgraph ocr run` does it, in a process of its own that
writes down each page. It is killed (SIGKILL) at `--kill-at` of the pages and started again.

With `--given` the networks do not run: the lines of a page are given, and every page is a full one.
What is left is the work of the program itself (queue, text, index, graph), for thousands of pages
in minutes. `--again FOLDER` computes the figures of an earlier `--keep FOLDER` once more.

Seconds of work are processor seconds of the process and its children, since a benchmark on a busy
computer waits; pages a minute and the time left are by the clock.
"""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

import pypdfium2
from PIL import Image

from desktop_app.cli.command_context import open_indexing
from desktop_app.engine import paths
from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.child_process import find_peak_bytes
from desktop_app.engine.llm.registry import ModelRegistry
from desktop_app.engine.progress import Progress
from desktop_app.engine.scanned_pages import ScannedLine, ScannedPage, build_text, measure_words
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.engine.services.ocr import OcrReader, OcrService
from desktop_app.engine.text.ocr.ocr_process import PictureReader
from desktop_app.engine.text.page_renderer import RemotePdf

from .common import data_file, load_body, load_carol, make_parser, print_result
from .ocr import CHINESE, LATIN, SHEET, age, count_errors, set_page

DPI = 150
SHORT_MARGIN = 0.3  # inches
LINE_INCHES = 0.225  # of eleven points, as `set_page` sets them
TURNS = (0.0, 0.6, -0.4, 1.0, -1.0)  # degrees
GIVEN_LINES, GIVEN_CHARS = 38, (68, 30)  # of a given page; of a line in English, in Chinese
SCAN, TEXTS, LOG, LIBRARY = "scan.pdf", "texts.json", "log.jsonl", "bench.inkgraph"
HANG_S = 1_800.0  # without a page
SHARES = (0.1, 0.5, 0.9)  # of the pages, at which the time left is compared


# --- the scan -------------------------------------------------------------------------------------


class Novel:
    """The text of a novel from which pages are taken one after another, again from its beginning.

    Args:
        is_wide: it is written without blanks.
    """

    def __init__(self, text: str, *, is_wide: bool) -> None:
        self._units = list("".join(text.split())) if is_wide else text.split()
        self._between = "" if is_wide else " "
        self._at = 0

    def look(self, n_units: int) -> str:
        """Return the next part of the text."""
        if self._at + n_units > len(self._units):
            self._at = 0
        return self._between.join(self._units[self._at : self._at + n_units])

    def skip(self, n_chars: int) -> None:
        """Go on behind so many characters, without blanks."""
        while n_chars > 0:
            n_chars -= len(self._units[self._at])
            self._at += 1


def open_novels() -> tuple[Novel, Novel]:
    """Return the texts of the English and the Chinese pages."""
    folder = "en_novels", "gutenberg"
    english = load_carol() + load_body(data_file(*folder, "pride_and_prejudice.txt"))
    chinese = load_body(data_file("zh_novels", "shuihu", "shuihu_120.txt"))
    return Novel(english, is_wide=False), Novel(chinese, is_wide=True)


def draw_scan(folder: Path, n_pages: int, n_lines: int, inches: float, full_every: int) -> None:
    """Write a PDF of pictures, and the text of each page.

    Args:
        n_lines, inches: lines of a short page, and their length.
        full_every: one of so many pages is a full one.
    """
    novels, texts = open_novels(), []
    sheet = inches + 2 * SHORT_MARGIN, 2 * SHORT_MARGIN + n_lines * LINE_INCHES + 0.1
    document = pypdfium2.PdfDocument.new()
    for number in range(n_pages):
        novel, font = novels[number % 2], (LATIN, CHINESE)[number % 2]
        is_full = number % full_every == full_every - 1
        part = novel.look(3_000 if is_full else 800)
        if is_full:
            image, known = set_page(part, font, DPI)
        else:
            image, known = set_page(part, font, DPI, sheet=sheet, blank=SHORT_MARGIN)
        novel.skip(len(known))
        texts.append(known)
        size = SHEET if is_full else sheet
        _add_page(document, age(image, TURNS[number % len(TURNS)], number), size)
    _save(document, folder, texts)


def give_scan(folder: Path, n_pages: int) -> None:
    """Write a PDF of nearly empty pictures, and the lines that its pages are to have."""
    novels, texts = open_novels(), []
    document = pypdfium2.PdfDocument.new()
    for number in range(n_pages):
        novel, n_chars = novels[number % 2], GIVEN_CHARS[number % 2]
        part = novel.look(3_000)
        lines: list[str] = []
        while len(lines) < GIVEN_LINES:
            end = n_chars if number % 2 else part.rfind(" ", 0, n_chars)
            lines.append(part[:end].strip())
            part = part[end:]
        novel.skip(sum(len("".join(line.split())) for line in lines))
        texts.append("\n".join(lines))
        made = io.BytesIO()
        Image.new("L", (120, 160), number % 200).save(made, "JPEG")
        _add_page(document, made.getvalue(), SHEET)
    _save(document, folder, texts)


def _add_page(document: Any, picture: bytes, size: tuple[float, float]) -> None:
    """Add a page that is filled with a picture (JPEG); its size is in inches."""
    width, height = (side * 72 for side in size)
    page = document.new_page(width, height)
    image = pypdfium2.PdfImage.new(document)
    image.load_jpeg(io.BytesIO(picture), inline=True)
    image.set_matrix(pypdfium2.PdfMatrix().scale(width, height))
    page.insert_obj(image)
    page.gen_content()
    page.close()


def _save(document: Any, folder: Path, texts: list[str]) -> None:
    document.save(str(folder / SCAN))
    document.close()
    (folder / TEXTS).write_text(json.dumps(texts, ensure_ascii=False), "utf-8")


# --- reading, in a process of its own -------------------------------------------------------------


class Log:
    """Writes what happens as lines of JSON, each of them whole if the process is killed."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("a", encoding="utf-8")

    def write(self, what: str, **values: object) -> None:
        row = {"what": what, "at": round(time.time(), 3), **values}
        self._file.write(json.dumps(row) + "\n")
        self._file.flush()


class GivenReader:
    """Stands in for `PictureReader`: its pages have the lines that are given."""

    child_pid: int | None = None

    def __init__(self, texts: list[str]) -> None:
        self._texts = texts

    def open(self, content: bytes, password: str | None, *, name: str, place: str) -> RemotePdf:
        return RemotePdf(self, content, password, name, place)  # type: ignore[arg-type]

    def read_lines(self, document: RemotePdf, index: int, **_: object) -> ScannedPage:
        made = []
        for row, text in enumerate(self._texts[index].split("\n")):
            top = 0.06 + 0.023 * row
            places = [(i + 0.5) / len(text) for i in range(len(text))]
            words = measure_words(text, places)
            corners = (0.12, top, 0.88, top, 0.88, top + 0.018, 0.12, top + 0.018)
            made.append(ScannedLine(corners, text, 0.99, words, row))
        size = (72 * SHEET[0], 72 * SHEET[1])
        picture = f"{index:032x}"
        return ScannedPage(tuple(made), engine="given", picture=picture, regions=(), size=size)

    def close(self) -> None:
        """Nothing is open."""


class NotedReader:
    """Passes pages on to what reads them, and writes each of them down."""

    def __init__(self, reader: Any, log: Log) -> None:
        self.reader, self._log = reader, log
        self.n_read = 0

    def open(self, *given: Any, **more: Any) -> RemotePdf:
        opened: RemotePdf = self.reader.open(*given, **more)
        return opened

    def find_regions(self, *given: Any) -> ScannedPage:
        found: ScannedPage = self.reader.find_regions(*given)
        return found

    def read_lines(self, document: RemotePdf, index: int, **more: Any) -> ScannedPage:
        self._log.write("begun", page=index)
        page: ScannedPage = self.reader.read_lines(document, index, **more)
        self.n_read += 1
        return page

    def close(self) -> None:
        self.reader.close()


def read_scan(folder: Path, *, is_given: bool, embed: bool) -> None:
    """Add the scan, or go on with it, and read it to its end as `inkgraph ocr run` does."""
    log = Log(folder / LOG)
    log.write("start")
    is_new = not (folder / LIBRARY).exists()
    library = Library(folder / LIBRARY)
    registry = ModelRegistry(paths.model_folders())
    texts: list[str] = json.loads((folder / TEXTS).read_text("utf-8"))
    indexing = open_indexing(library, registry)
    if is_new:
        add_files(library.writer, [folder / SCAN])
        indexing.run(embed=False)
        log.write("added", work_s=_work_s())
    pages, reader = OcrReader(library.writer), LibraryReader(library.writer)
    [row] = reader.list_documents()
    document_id = int(row.id)
    noted: NotedReader | None = None

    def open_reader() -> Any:
        nonlocal noted
        noted = NotedReader(GivenReader(texts) if is_given else PictureReader(), log)
        return noted

    def child_pid() -> int:
        return (noted.reader.child_pid or 0) if noted is not None else 0

    left: Progress | None = None

    def take(progress: Progress) -> None:
        nonlocal left
        left = progress if progress.stage == "scans" else left

    followed_s = asked_s = own_followed_s = 0.0

    def follow(change: ChangeNotice) -> None:
        nonlocal followed_s, asked_s, own_followed_s
        began = time.process_time()
        found = pages.find_progress(document_id)  # what the window asks after each page
        pages.count_waiting()
        asked_s += time.process_time() - began
        assert found is not None
        pid = child_pid()
        log.write(
            "page",
            n_read=found.count.n_read,
            left_s=left.left_s if left is not None else None,
            child_s=_read_times(pid)[0] if pid else 0.0,
            own_s=time.process_time() - own_followed_s - asked_s,
            asked_s=asked_s,
            work_s=_work_s() - followed_s,
            memory=_read_memory(os.getpid()),
            peak=find_peak_bytes(os.getpid()),
            child_memory=_read_memory(pid) if pid else 0,
            child_peak=find_peak_bytes(pid) if pid else 0,
        )
        if not change.queued:
            return
        began, own = _work_s(), time.process_time()
        child_before = _read_times(pid)[0] if pid else 0.0
        at = time.monotonic()
        n_mentions = library.writer.value("SELECT count(*) FROM mention")
        indexing.run(embed=False)
        used = _work_s() - began - ((_read_times(child_pid())[0] - child_before) if pid else 0.0)
        followed_s += used
        own_followed_s += time.process_time() - own
        found = pages.find_progress(document_id)
        assert found is not None
        log.write(
            "followed",
            n_in_text=found.count.n_in_text,
            used_s=used,
            clock_s=time.monotonic() - at,
            n_new_mentions=library.writer.value("SELECT count(*) FROM mention") - n_mentions,
            n_chunks=library.writer.value("SELECT count(*) FROM chunk"),
            memory=_read_memory(os.getpid()),
            library_bytes=_measure_library(folder),
        )

    OcrService(library.writer, open_reader=open_reader).run(on_progress=take, on_change=follow)
    log.write("read", followed_s=followed_s)
    began = _work_s()
    indexing.run(embed=False)
    log.write("indexed", used_s=_work_s() - began)
    if embed:
        began = _work_s()
        indexing.run()
        log.write("embedded", used_s=_work_s() - began)
    registry.close()
    library.close()
    log.write("end", peak=find_peak_bytes(os.getpid()), library_bytes=_measure_library(folder))


def _measure_library(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.glob(f"{LIBRARY}*") if path.is_file())


def _read_memory(pid: int) -> int:
    """Return the bytes of memory that a process has now; 0 if it is gone."""
    with suppress(OSError, IndexError):
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    return 0


def _read_times(pid: int) -> tuple[float, float, int]:
    """Return the seconds that a process worked, those of its ended children, and its parent."""
    with suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        own, ended = (sum(map(int, fields[i : i + 2])) for i in (11, 13))
        tick = os.sysconf("SC_CLK_TCK")
        return own / tick, ended / tick, int(fields[1])
    return 0.0, 0.0, 0


def _work_s() -> float:
    """Return the seconds that this process and its children worked."""
    times = {int(path.name): _read_times(int(path.name)) for path in Path("/proc").glob("[0-9]*")}
    family = {os.getpid()}
    while more := {pid for pid, (_, _, parent) in times.items() if parent in family} - family:
        family |= more
    return sum(times[pid][0] + times[pid][1] for pid in family)


# --- the kill -------------------------------------------------------------------------------------


def run_reading(folder: Path, options: Any) -> None:
    """Have the scan read by a process, which is killed once and started again.

    Raises:
        RuntimeError: it failed, or read no page for a long time.
    """
    n_kill = round(options.kill_at * options.pages)
    log = folder / LOG
    log.touch()
    n_begun = 0
    command = [sys.executable, "-m", "benchmarks.long_scan", "--work", str(folder)]
    command += ["--given"] if options.given else []
    command += ["--no-embed"] if not options.embed else []
    with log.open(encoding="utf-8") as written:
        while True:
            process = subprocess.Popen(command)
            grown = time.monotonic()
            while process.poll() is None:
                line = written.readline()
                if not line:
                    if time.monotonic() - grown > HANG_S:
                        process.kill()
                        raise RuntimeError(f"nothing was written down for {HANG_S:g} s")
                    time.sleep(0.02)
                    continue
                grown = time.monotonic()
                n_begun += '"begun"' in line
                if n_kill and n_begun > n_kill:
                    process.kill()
                    process.wait()
                    Log(log).write("killed", pages=_list_read(folder))
                    n_kill = 0
                    break
            else:
                if process.returncode:
                    raise RuntimeError(f"the reading ended with {process.returncode}")
                return


def iter_log(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield what was written down; half a line, of a process that was killed, is left out."""
    for line in (folder / LOG).read_text("utf-8").splitlines():
        with suppress(ValueError):
            row = json.loads(line)
            if isinstance(row, dict):
                yield row


def _list_read(folder: Path) -> list[int]:
    """Return the pages that the library has after the kill."""
    library = Library(folder / LIBRARY)
    try:
        [row] = LibraryReader(library.writer).list_documents()
        return sorted(LibraryReader(library.writer).fetch_scanned_pages(int(row.id)))
    finally:
        library.close()


# --- the figures ----------------------------------------------------------------------------------


def compute_figures(folder: Path) -> dict[str, object]:
    """Return what the log and the library of a finished reading say."""
    rows = list(iter_log(folder))
    pages = [row for row in rows if row["what"] == "page"]
    followed = [row for row in rows if row["what"] == "followed"]
    n_part = min(100, len(pages) // 3)
    starts = [i for i, row in enumerate(rows) if row["what"] == "start"]
    runs = [
        [row for row in rows[a:b] if row["what"] == "page"]
        for a, b in pairwise([*starts, len(rows)])
    ]
    # what one page cost: the difference to the page before it, in the same process
    costs = [
        {key: b[key] - a[key] for key in ("at", "child_s", "own_s", "asked_s", "work_s")}
        for run in runs
        for a, b in pairwise(run)
        # not of a page for which the process that reads pages was started again after a pause
        if b["n_read"] == a["n_read"] + 1 and b["child_s"] >= a["child_s"]
    ]
    first, last = costs[:n_part], costs[-n_part:]

    def compare(key: str, digits: int = 3) -> list[float]:
        return [round(median(cost[key] for cost in part), digits) for part in (first, last)]

    def compare_memory(key: str) -> list[int]:
        return [
            round(median(row[key] for row in part) / 1e6)
            for part in (pages[:n_part], pages[-n_part:])
        ]

    figures: dict[str, object] = {
        "pages": pages[-1]["n_read"],
        "pages_a_minute": [round(60 / value, 1) for value in compare("at") if value],
        "child_s_a_page": compare("child_s"),
        "own_ms_a_page": [round(1000 * value, 1) for value in compare("own_s", 5)],
        "window_ms_a_page": [round(1000 * value, 1) for value in compare("asked_s", 5)],
        "memory_mb": compare_memory("memory"),
        "child_memory_mb": compare_memory("child_memory"),
        "peak_mb": max(row["peak"] for row in rows if "peak" in row) // 1_000_000,
        "child_peak_mb": max(row["child_peak"] for row in pages) // 1_000_000,
        "library_mb": [
            round(row["library_bytes"] / 1e6, 1) for row in rows if row["what"] == "end"
        ],
        "scan_mb": round((folder / SCAN).stat().st_size / 1e6, 1),
        "followed": [
            (row["n_in_text"], round(row["used_s"], 2), row["n_new_mentions"], row["n_chunks"])
            for row in followed
        ],
        "follow_s": round(sum(row["used_s"] for row in followed), 1),
        "read_s": round(sum(cost["work_s"] for cost in costs), 1),
        "time_left": list(_iter_times_left(rows, pages)),
        "after_last_page_s": _find_after_last(rows),
        "kill": _compare_kill(rows),
    }
    return figures | _check_library(folder)


def _iter_times_left(
    rows: list[dict[str, Any]], pages: list[dict[str, Any]]
) -> Iterator[tuple[float, float | None, float]]:
    """Yield (share of the pages, seconds that were shown, seconds that it took)."""
    end = next((row["at"] for row in reversed(rows) if row["what"] == "read"), None)
    if end is None:  # a reading that is not finished
        return
    killed = next((row["at"] for row in rows if row["what"] == "killed"), 0.0)
    again = next((row["at"] for row in rows if row["what"] == "page" and row["at"] > killed), 0.0)
    for share in SHARES:
        row = next(row for row in pages if row["n_read"] >= share * pages[-1]["n_read"])
        stood_still = again - killed if row["at"] < killed else 0.0
        shown = round(row["left_s"]) if row["left_s"] is not None else None
        yield share, shown, round(end - row["at"] - stood_still)


def _find_after_last(rows: list[dict[str, Any]]) -> dict[str, float]:
    """Return the clock's seconds from the last page to each of what follows it."""
    last = max(row["at"] for row in rows if row["what"] == "page")
    kinds = ("read", "indexed", "embedded")
    return {row["what"]: round(row["at"] - last, 1) for row in rows if row["what"] in kinds}


def _compare_kill(rows: list[dict[str, Any]]) -> dict[str, object]:
    """Return which pages were begun twice, and how many were stored at the kill."""
    begun = Counter(row["page"] for row in rows if row["what"] == "begun")
    killed = [row for row in rows if row["what"] == "killed"]
    stored = set(killed[0]["pages"]) if killed else set()
    since = killed[0]["at"] if killed else float("inf")
    after = [row["page"] for row in rows if row["what"] == "begun" and row["at"] > since]
    return {
        "stored": len(stored),
        "begun_twice": sorted(page for page, n in begun.items() if n > 1),
        "stored_and_read_again": sorted(stored.intersection(after)),
    }


def _check_library(folder: Path) -> dict[str, object]:
    """Return the share of wrong characters, and whether text, search and graph have all pages."""
    texts: list[str] = json.loads((folder / TEXTS).read_text("utf-8"))
    library = Library(folder / LIBRARY)
    try:
        reader = LibraryReader(library.writer)
        [row] = reader.list_documents()
        read = reader.fetch_scanned_pages(int(row.id))
        wrong, total = [0, 0], [0, 0]
        for index, known in enumerate(texts):
            lines = read[index].lines if index in read else ()
            n_wrong, n = count_errors(build_text(lines), known)
            wrong[index % 2] += n_wrong
            total[index % 2] += n
        state = OcrReader(library.writer).find_state(int(row.id))
        document = reader.fetch_text(int(row.id))
        spans = reader.fetch_pages(int(row.id))
        return {
            "characters": total,
            "error": [round(a / max(1, b), 4) for a, b in zip(wrong, total, strict=True)],
            "failed": len(state.failed) if state is not None else None,
            "uncertain": len(state.unsure) if state is not None else None,
            "pages_with_text": sum(bool(document[p.start : p.end].strip()) for p in spans),
            "entities": row.n_entities,
            "state": row.state,
            "last_page_found": bool(_find_last(reader, document[spans[-1].start : spans[-1].end])),
        }
    finally:
        library.close()


def _find_last(reader: LibraryReader, text: str) -> list[int]:
    """Return the documents that the search finds for words of the last page."""
    runs = re.findall(r"[\u4e00-\u9fff]{4,}|[A-Za-z]+ [A-Za-z]+ [A-Za-z]+", text)
    return reader.find_documents_with_text(runs[-1]) if runs else []


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--pages", type=int, default=1_000)
    parser.add_argument("--lines", type=int, default=6, help="of a short page")
    parser.add_argument("--width", type=float, default=2.6, help="of these lines, in inches")
    parser.add_argument("--full-every", type=int, default=50, help="pages")
    parser.add_argument("--kill-at", type=float, default=0.55, help="share of the pages; 0: never")
    parser.add_argument("--given", action="store_true", help="without the networks")
    parser.add_argument("--no-embed", dest="embed", action="store_false", help="without vectors")
    parser.add_argument("--keep", type=Path, help="keep scan, library and log in this new folder")
    parser.add_argument("--again", type=Path, help="a folder of --keep: only compute the figures")
    parser.add_argument("--work", type=Path, help="used by the benchmark itself")
    options = parser.parse_args()
    if options.work is not None:
        read_scan(options.work, is_given=options.given, embed=options.embed)
        return 0
    with tempfile.TemporaryDirectory(prefix="inkgraph-bench-") as own:
        folder: Path = options.again or options.keep or Path(own)
        if options.again is None:
            folder.mkdir(parents=True, exist_ok=True)
            if options.given:
                give_scan(folder, options.pages)
            else:
                draw_scan(folder, options.pages, options.lines, options.width, options.full_every)
            run_reading(folder, options)
        figures = compute_figures(folder)
    for name, value in figures.items():
        print(f"{name}: {value}")
    print_result("long_scan", **figures)
    return 0 if figures["pages_with_text"] == figures["pages"] else 1


if __name__ == "__main__":
    raise SystemExit(main())
