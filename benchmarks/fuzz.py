"""Mutations of awkward files through the whole `add`: no unhandled exception, no dead process.

`python -m benchmarks.fuzz [--count 10000] [--seed 15] [--state FILE] [--minutes 60]`. Each mutation
depends on the seed and its number only, so a run can be continued, and one number repeated
(`--only NUMBER`). A child process does the work on libraries of its own and is started again when
it dies; what ended it, or raised what nobody expects, is kept beside the state. The last line is
JSON.
"""

from __future__ import annotations

import argparse
import io
import json
import logging
import random
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from .common import DATA, make_parser, print_result

SEED = 15
MAX_SEED_BYTES = 60_000
MAX_TEXT_BYTES = 6_000  # of a text file: a part is enough, and names take time
FILES_A_LIBRARY = 40
SUFFIXES = (".pdf", ".epub", ".docx", ".html", ".htm", ".txt", ".md", ".csv", ".jsonl", ".json")
TEXT_SUFFIXES = (".txt", ".md", ".csv", ".jsonl", ".json")
NAMES = ("a", "名", "a\u202eb", "CON", "." * 20, "a'b\"c", "x" * 180, "e\u0301", "%s{n}", " ")
TOKENS = (
    *(b"<!--", b"-->", b"<![CDATA[", b"]]>", b"<svg>", b"</p>", b"<table>", b"&#x10ffff;", b"&amp"),
    *(b"<?xml version='1.0'?>", b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"&b;", b"\x00", b"\xff\xfe"),
    *(
        b"\xef\xbb\xbf",
        b"\xed\xa0\x80",
        b"\xf4\x90\x80\x80",
        b"\r",
        b"\x0c",
        b"\x1a",
        b"\xe2\x80\xae",
    ),
    *(b"endobj", b"stream\r\n", b"endstream", b"1 0 R", b"/Kids[1 0 R]", b"/Length -1", b"xref"),
    *(b"/Filter/FlateDecode", b"startxref\n0", b"/Encrypt 1 0 R", b"/Count 999999999", b"%%EOF"),
    *(b"# ", b"```", b"---\n", b"|", b"[a](", b"*" * 50, b'"' * 9, b",,,,", b"\\ud800", b"{" * 50),
    *(b"PK\x01\x02", b"PK\x05\x06", b"PK\x03\x04", b"%PDF-1.7", b"{\\rtf1", b"9" * 40, b"-1"),
)


def find_seeds(folder: Path) -> list[Path]:
    """Return the small files of the test data, in a fixed order."""
    found = sorted(p for p in folder.rglob("*") if p.is_file() and p.suffix.lower() in SUFFIXES)
    small = [
        p for p in found if p.suffix in TEXT_SUFFIXES or 0 < p.stat().st_size <= MAX_SEED_BYTES
    ]
    return [p for p in small if p.name != "SOURCE.txt"]


def make_mutation(seeds: list[Path], seed: int, number: int) -> tuple[str, bytes]:
    """Return the name and the content of a mutated file."""
    random_source = random.Random(f"{seed}:{number}")
    # every format as often as any other, not every file
    suffix = random_source.choice(sorted({p.suffix for p in seeds}))
    path = random_source.choice([p for p in seeds if p.suffix == suffix])
    content = load_part(path, random_source)
    if content[:2] == b"PK" and random_source.random() < 0.7:
        content = mutate_member(content, random_source)
    else:
        content = mutate(
            content, random_source, load_part(random_source.choice(seeds), random_source)
        )
    stem = random_source.choice(NAMES) if random_source.random() < 0.2 else f"file {number}"
    if random_source.random() < 0.1:
        suffix = random_source.choice(SUFFIXES)
    return f"{stem}{suffix if suffix != '.json' else '.jsonl'}", content


def load_part(path: Path, random_source: random.Random) -> bytes:
    """Return a file, of a long text a part."""
    content = path.read_bytes()
    if path.suffix in TEXT_SUFFIXES and len(content) > MAX_TEXT_BYTES:
        start = random_source.choice((0, random_source.randrange(len(content) - MAX_TEXT_BYTES)))
        return content[start : start + MAX_TEXT_BYTES]
    return content


def mutate(content: bytes, random_source: random.Random, other: bytes) -> bytes:
    """Return the content after some random changes."""
    data = bytearray(content)
    for _ in range(random_source.choice((1, 1, 2, 4, 16))):
        random_source.choice(CHANGES)(data, random_source, other)
    return bytes(data[: 4 * MAX_SEED_BYTES])


def _place(data: bytearray, random_source: random.Random) -> int:
    return random_source.randrange(len(data) + 1)


def _flip_bits(data: bytearray, random_source: random.Random, other: bytes) -> None:
    for _ in range(random_source.choice((1, 8, 64))):
        if data:
            data[random_source.randrange(len(data))] ^= 1 << random_source.randrange(8)


def _set_bytes(data: bytearray, random_source: random.Random, other: bytes) -> None:
    at = _place(data, random_source)
    length = random_source.choice((1, 4, 32, 500))
    data[at : at + length] = random_source.randbytes(length)


def _delete(data: bytearray, random_source: random.Random, other: bytes) -> None:
    at = _place(data, random_source)
    del data[at : at + random_source.choice((1, 10, 100, 5_000))]


def _repeat(data: bytearray, random_source: random.Random, other: bytes) -> None:
    at = _place(data, random_source)
    piece = bytes(data[at : at + random_source.choice((1, 10, 200))])
    data[at:at] = piece * random_source.choice((2, 20, 200))


def _truncate(data: bytearray, random_source: random.Random, other: bytes) -> None:
    del data[_place(data, random_source) :]


def _insert_token(data: bytearray, random_source: random.Random, other: bytes) -> None:
    at = _place(data, random_source)
    data[at:at] = random_source.choice(TOKENS) * random_source.choice((1, 1, 1, 50))


def _splice(data: bytearray, random_source: random.Random, other: bytes) -> None:
    at, start = _place(data, random_source), random_source.randrange(len(other) + 1)
    data[at:at] = other[start : start + random_source.choice((20, 1_000, 20_000))]


def _change_number(data: bytearray, random_source: random.Random, other: bytes) -> None:
    digits = [i for i, byte in enumerate(data[:20_000]) if 48 <= byte <= 57]
    if digits:
        at = random_source.choice(digits)
        data[at : at + 1] = random_source.choice((b"0", b"-1", b"4294967296", b"99999", b"1e9"))


def _wrap(data: bytearray, random_source: random.Random, other: bytes) -> None:
    data[:0] = random_source.choice(TOKENS)


Change = Callable[[bytearray, random.Random, bytes], None]
CHANGES: tuple[Change, ...] = (
    *(_flip_bits, _set_bytes, _delete, _repeat, _truncate, _insert_token, _insert_token),
    *(_splice, _change_number, _wrap),
)


def mutate_member(content: bytes, random_source: random.Random) -> bytes:
    """Return a zip archive with one changed member, or as raw bytes if it is none."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = {name: archive.read(name) for name in archive.namelist()}
    except (zipfile.BadZipFile, ValueError, OSError):
        return mutate(content, random_source, content)
    if not parts:
        return mutate(content, random_source, content)
    name = random_source.choice(sorted(parts))
    parts[name] = mutate(parts[name], random_source, random_source.choice(list(parts.values())))
    if random_source.random() < 0.1:
        parts["../" + name] = parts.pop(name)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, inside in parts.items():
            archive.writestr(member, inside)
    return stream.getvalue()


# --- the process that adds ------------------------------------------------------------------------


class _Bugs(logging.Handler):
    """Collects the exceptions that the program logs as bugs."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.found.append(logging.Formatter().format(record))


def add_all(first: int, end: int, seed: int) -> None:
    """Add the mutations of a range; print one line of JSON for each."""
    from desktop_app.engine.services.document_import import add_files
    from desktop_app.engine.services.indexing import IndexingService
    from desktop_app.engine.services.library import Library
    from desktop_app.engine.services.library_reader import LibraryReader

    seeds, bugs = find_seeds(DATA), _Bugs()
    logging.getLogger().addHandler(bugs)
    for start in range(first, end, FILES_A_LIBRARY):
        with tempfile.TemporaryDirectory(prefix="inkgraph-fuzz-") as folder:
            library = Library(Path(folder) / "fuzz.inkgraph")
            for number in range(start, min(end, start + FILES_A_LIBRARY)):
                name, content = make_mutation(seeds, seed, number)
                path = Path(folder) / name
                print(json.dumps({"begin": number}), flush=True)
                began, outcome = time.monotonic(), ""
                try:
                    path.write_bytes(content)
                    added = add_files(library.writer, [path])
                    IndexingService(library.writer, lambda: None).run(embed=False)
                    rows = LibraryReader(library.writer).list_documents()
                    states = {row.state for row in rows if row.id in added.documents}
                    outcome = "refused" if added.refused or "failed" in states else "ready"
                    outcome = "same" if added.duplicates else outcome
                    if not states <= {"ready", "failed"}:
                        outcome = f"left {sorted(states)}"
                except Exception:
                    logging.exception("unhandled")
                seconds = round(time.monotonic() - began, 2)
                row = {"number": number, "outcome": outcome, "seconds": seconds, "bugs": bugs.found}
                print(json.dumps(row), flush=True)
                bugs.found = []
                path.unlink(missing_ok=True)
            library.close()


# --- the process that counts ----------------------------------------------------------------------


def run(options: argparse.Namespace) -> int:
    """Run mutations until the count or the time is reached."""
    state_file: Path = options.state
    state = {"seed": options.seed, "next": 0, "counts": {}, "bad": [], "slowest": [0.0, 0]}
    if state_file.exists():
        state = json.loads(state_file.read_text("utf-8"))
    print(f"seed {state['seed']}, {len(find_seeds(DATA))} files, from number {state['next']}")
    counts: Counter[str] = Counter(state["counts"])
    deadline = time.monotonic() + 60 * options.minutes
    while state["next"] < options.count and time.monotonic() < deadline:
        end = min(options.count, state["next"] + 200)
        command = [sys.executable, "-m", "benchmarks.fuzz", "--range", str(state["next"]), str(end)]
        command += ["--seed", str(state["seed"])]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            begun = state["next"]
            for line in process.stdout:
                row = json.loads(line)
                if "begin" in row:
                    begun = row["begin"]
                    continue
                state["next"] = row["number"] + 1
                is_bad = bool(row["bugs"]) or row["outcome"] not in ("ready", "refused", "same")
                counts["unhandled" if is_bad else row["outcome"]] += 1
                state["slowest"] = max(state["slowest"], [row["seconds"], row["number"]])
                if is_bad:
                    keep(state, row["number"], row["bugs"] or [row["outcome"]], state_file)
        if process.returncode:
            code = process.returncode
            name = signal.Signals(-code).name if code < 0 else f"code {code}"
            counts["died"] += 1
            keep(state, begun, [name], state_file)
            state["next"] = begun + 1
        state["counts"] = dict(counts)
        state_file.write_text(json.dumps(state, indent=1), "utf-8")
        print(f"{state['next']}: {dict(counts)}, slowest {state['slowest']}", flush=True)
    print_result("fuzz", seed=state["seed"], n=state["next"], **counts, slowest=state["slowest"])
    return 1 if counts["unhandled"] or counts["died"] else 0


def keep(state: dict, number: int, reasons: list[str], state_file: Path) -> None:
    """Keep a mutation that did what none may do."""
    name, content = make_mutation(find_seeds(DATA), state["seed"], number)
    kept = state_file.with_name(f"fuzz-{number}{Path(name).suffix}")
    kept.write_bytes(content)
    state["bad"].append({"number": number, "name": name, "why": reasons[0][-1500:]})
    print(f"number {number} ({name!r}): {reasons[0][-300:]}", flush=True)


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--minutes", type=float, default=600.0)
    parser.add_argument("--state", type=Path, default=Path(tempfile.gettempdir()) / "fuzz.json")
    parser.add_argument("--range", type=int, nargs=2)
    parser.add_argument("--only", type=int)
    options = parser.parse_args()
    if options.only is not None:
        options.range = (options.only, options.only + 1)
    if options.range:
        first, end = options.range
        add_all(first, end, options.seed)
        return 0
    return run(options)


if __name__ == "__main__":
    raise SystemExit(main())
