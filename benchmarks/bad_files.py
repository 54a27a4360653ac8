"""Reads every file of the test data, as `add` does: none may end its reader or give bad text.

Run as `python -m benchmarks.bad_files [FOLDER …]`. The last line is JSON; `failed` must be 0.
Files made to attack are in `hostile`, mutations of these files in `fuzz`.
"""

from __future__ import annotations

import json
import re
import time
import unicodedata
from pathlib import Path

from desktop_app.engine.errors import AppError, PasswordNeeded
from desktop_app.engine.text.parser_process import ParserBug
from desktop_app.engine.text.reader_process import DocumentReader

from .common import DATA, make_parser, print_result

_FOLDERS = ("files", "derived", "en_novels", "zh_novels")
_SKIPPED = ("SOURCE.txt", "passwords.json")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


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


def read_one(reader: DocumentReader, path: Path) -> dict[str, object]:
    """Read a file the way the program does, with its password if it asks for one."""
    began = time.perf_counter()
    result: dict[str, object] = {"outcome": "read", "reason": ""}
    try:
        try:
            documents = reader.read(path.read_bytes(), path.name)
        except PasswordNeeded:
            known = path.parent / "passwords.json"
            passwords = json.loads(known.read_text("utf-8")) if known.exists() else {}
            if not passwords.get(path.name):
                raise
            password = passwords[path.name]
            documents = reader.read(path.read_bytes(), path.name, password=password)
        problems = [p for d in documents if (p := judge_text(d.text))]
        result["chars"] = sum(len(d.text) for d in documents)
        result["title"] = documents[0].title
        result["headings"] = len(documents[0].outline)
        result["reason"] = "; ".join(documents[0].notes)
        if problems:
            result |= {"outcome": "failed", "reason": problems[0]}
    except AppError as error:
        is_ended = "its reader" in str(error)
        result |= {"outcome": "failed" if is_ended else "refused", "reason": str(error)}
    except ParserBug as error:
        result |= {"outcome": "failed", "reason": str(error)[-300:]}
    result["seconds"] = round(time.perf_counter() - began, 2)
    return result


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    folders = parser.parse_args().folders or [DATA / name for name in _FOLDERS]
    paths = sorted(
        p for f in folders for p in f.rglob("*") if p.is_file() and p.name not in _SKIPPED
    )
    counts = {"read": 0, "refused": 0, "failed": 0}
    slowest, slowest_name = 0.0, ""
    reader = DocumentReader()
    for path in paths:
        result = read_one(reader, path)
        counts[str(result["outcome"])] += 1
        seconds = float(str(result["seconds"]))
        if seconds > slowest:
            slowest, slowest_name = seconds, path.name
        print(
            f"{result['outcome']:8}{seconds:6.2f}s {result.get('chars', 0):>8} "
            f"{result.get('headings', 0):>4}  {path.parent.name}/{path.name}  "
            f"{result.get('title', '')}  {result['reason']}",
            flush=True,
        )
    reader.close()
    summary = {"files": len(paths), **counts, "slowest_s": slowest, "slowest": slowest_name}
    print_result("bad_files", **summary)
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
