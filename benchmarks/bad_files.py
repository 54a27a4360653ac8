"""Reads every file of the test data, as `add` does: none may end its reader or give bad text.

A document of pictures has no text before its pages are read: of such pages the first, the middle
and the last one are drawn, and counted (“pages”); networks do not read them here. Archives that are
too large in some way and broken files of references are read, too.

Run as `python -m benchmarks.bad_files [FOLDER …]`. The last line is JSON; `failed` must be 0.
Without folders it also reads a file of each suffix that `format_files` makes, whole, damaged, and
with the name of another format. Files made to attack are in `hostile`, mutations of these files in
`fuzz`.
"""

from __future__ import annotations

import json
import re
import time
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from desktop_app.engine.errors import AppError, PasswordNeeded
from desktop_app.engine.model import ReadDocument
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.services.bibliography.reader import read_bibliography
from desktop_app.engine.text.page_renderer import PageRenderer
from desktop_app.engine.text.parser_process import ParserBug
from desktop_app.engine.text.reader_process import DocumentReader

from .common import DATA, make_parser, print_result
from .format_files import (
    BIBLIOGRAPHIES,
    FILES_OF_SUFFIXES,
    iter_broken_bibliographies,
    iter_damaged,
    iter_large_archives,
    iter_many_parts,
    iter_misnamed,
    iter_pictures,
)

_FOLDERS = ("files", "derived", "en_novels", "zh_novels")
_SKIPPED = ("SOURCE.txt", "passwords.json")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def judge_document(document: ReadDocument) -> str:
    """Return what is wrong with what a reader gave, "" if nothing.

    Pages that are pictures get their text later; `draw_pictures` says whether they can be drawn.
    """
    return "" if document.pictures and not document.text.strip() else judge_text(document.text)


def judge_text(text: str) -> str:
    """Return what is wrong with a text that a reader gave, "" if nothing."""
    if not text.strip():
        return "empty text"
    if text.count("\ufffd") * 1000 > len(text):
        return "replacement characters"
    if _CONTROL.search(text):
        return "control characters"
    if any(unicodedata.category(c) == "Cs" for c in set(text)):
        return "half characters"
    return ""


def draw_pictures(
    renderer: PageRenderer, content: bytes, name: str, document: ReadDocument, password: str
) -> int:
    """Draw some of the pages that are to be read as pictures; return how many there are.

    Raises:
        UserError: the file can't be opened, or one of the pages not be drawn.
    """
    pages = document.pictures
    if not pages:
        return 0
    opened = renderer.open(content, password or None, name=name, place=document.place)
    try:
        for index in sorted({pages[0], pages[len(pages) // 2], pages[-1]}):
            opened.render(index, 1.0)
    finally:
        opened.close()
    return len(pages)


def read_one(readers: Readers, path: Path) -> dict[str, object]:
    """Read a file the way the program does, with its password if it asks for one."""
    known = path.parent / "passwords.json"
    passwords = json.loads(known.read_text("utf-8")) if known.exists() else {}
    return read_content(readers, path.read_bytes(), path.name, passwords.get(path.name, ""))


@dataclass(frozen=True, slots=True)
class Readers:
    """The processes that read documents and draw their pages."""

    documents: DocumentReader = field(default_factory=DocumentReader)
    pages: PageRenderer = field(default_factory=PageRenderer)

    def close(self) -> None:
        self.documents.close()
        self.pages.close()


def read_content(
    readers: Readers, content: bytes, name: str, password: str = ""
) -> dict[str, object]:
    reader = readers.documents
    began = time.perf_counter()
    result: dict[str, object] = {"outcome": "read", "reason": ""}
    try:
        try:
            documents = reader.read(content, name)
        except PasswordNeeded:
            if not password:
                raise
            documents = reader.read(content, name, password=password)
        problems = [p for d in documents if (p := judge_document(d))]
        unread = [d for d in documents if not d.text.strip()]
        drawn = [draw_pictures(readers.pages, content, name, d, password) for d in unread]
        result["pages"] = sum(drawn)
        result["chars"] = sum(len(d.text) for d in documents)
        result["title"] = documents[0].title
        result["headings"] = len(documents[0].outline)
        result["reason"] = "; ".join(documents[0].notes)
        if problems:
            result |= {"outcome": "failed", "reason": problems[0]}
    except (AppError, ParserBug) as error:
        result |= describe_failure(error)
    result["seconds"] = round(time.perf_counter() - began, 2)
    return result


def describe_failure(error: AppError | ParserBug) -> dict[str, object]:
    """Return the outcome of a file that was not read: refused, unless its reader crashed."""
    if isinstance(error, ParserBug):
        return {"outcome": "failed", "reason": str(error)[-300:]}
    is_ended = "its reader" in str(error)
    return {"outcome": "failed" if is_ended else "refused", "reason": str(error)}


def iter_made() -> Iterator[tuple[str, str, bytes]]:
    """Yield (name, state, content) of the files of all formats that are made here."""
    for suffix, make in FILES_OF_SUFFIXES.items():
        name, content = f"mill{suffix}", make()
        yield name, "whole", content
        for state, damaged in iter_damaged(content):
            yield name, state, damaged
    for name, content in iter_misnamed():
        yield name, "another format", content
    for state, name, content in (*iter_large_archives(), *iter_pictures(), *iter_many_parts()):
        yield name, state, content


def read_references(folder: Path, name: str, content: bytes) -> dict[str, object]:
    """Read a file of references the way the program does."""
    path = folder / name
    path.write_bytes(content)
    began = time.perf_counter()
    result: dict[str, object] = {"outcome": "read", "reason": ""}
    try:
        found = read_bibliography(path, cancel=CancelToken())
        reasons = [f"{reason}: {n}" for reason, n in found.left_out.items()]
        titles = "; ".join(entry.title for entry in found.entries[:4])
        result |= {"chars": len(found.entries), "title": titles, "reason": "; ".join(reasons)}
    except (AppError, ParserBug) as error:
        result |= describe_failure(error)
    result["seconds"] = round(time.perf_counter() - began, 2)
    return result


def iter_references() -> Iterator[tuple[str, str, bytes]]:
    """Yield (name, state, content) of files of references, whole and broken."""
    for name, content in BIBLIOGRAPHIES.items():
        yield name, "whole", content
        for state, damaged in iter_damaged(content):
            yield name, state, damaged
    for state, name, content in iter_broken_bibliographies():
        yield name, state, content


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--made", action="store_true", help="only the files that are made")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        return _read_all(options.folders, Path(folder), only_made=options.made)


def _read_all(chosen: list[Path], folder: Path, *, only_made: bool) -> int:
    folders = chosen or ([] if only_made else [DATA / name for name in _FOLDERS])
    paths = sorted(
        p for f in folders for p in f.rglob("*") if p.is_file() and p.name not in _SKIPPED
    )
    counts = {"read": 0, "refused": 0, "failed": 0}
    slowest, slowest_name, n_pages = 0.0, "", 0
    readers = Readers()
    works: list[tuple[str, Callable[[], dict[str, object]]]] = [
        (f"{path.parent.name}/{path.name}", partial(read_one, readers, path)) for path in paths
    ]
    if not chosen:
        works += [
            (f"{name} ({state})", partial(read_content, readers, content, name))
            for name, state, content in iter_made()
        ]
        works += [
            (f"{name} ({state})", partial(read_references, folder, name, content))
            for name, state, content in iter_references()
        ]
    for name, work in works:
        result = work()
        counts[str(result["outcome"])] += 1
        n_pages += int(str(result.get("pages", 0)))
        seconds = float(str(result["seconds"]))
        if seconds > slowest:
            slowest, slowest_name = seconds, name
        print(
            f"{result['outcome']:8}{seconds:6.2f}s {result.get('chars', 0):>8} "
            f"{result.get('headings', 0):>4} {result.get('pages', 0):>5}  {name}  "
            f"{result.get('title', '')}  {result['reason']}",
            flush=True,
        )
    readers.close()
    totals = {"files": len(works), **counts, "pages": n_pages}
    print_result("bad_files", **totals, slowest_s=slowest, slowest=slowest_name)
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
