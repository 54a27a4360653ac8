"""Damages copies of a real library and runs commands on each: is the damage reported, is nothing
written, is there a way out?

The library has a novel and a Word file, with vectors that no model made, and a merge. Each copy
gets one flipped bit, one wrecked page or a cut, at places drawn with a fixed seed. On each copy
every command below runs, `check` first and last; then the file must be the same, byte by byte.
With `--unchecked`, `check` runs last only, so that the other commands must notice the damage
themselves.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import random
import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from desktop_app.cli import run_command
from desktop_app.engine.messages import Message
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.store import curation

from .common import data_file, make_parser, print_result
from .latency import DrawnVectors

FILES = (
    ("en_novels", "gutenberg", "christmas_carol.txt"),
    ("files", "docx", "word_sample.docx"),
)
PAGE = 4096
WAYS_OUT = ("inkgraph restore", "inkgraph recover")


def make_library(folder: Path) -> Path:
    """Return the file of a closed library."""
    library = Library(folder / "sound.inkgraph")
    add_files(library.writer, [data_file(*parts) for parts in FILES])
    IndexingService(library.writer, DrawnVectors).run()
    with library.writer.edit(Message("Merge 2 names")):
        curation.add_merged(library.writer, "Scrooge", "Ebenezer Scrooge")
    library.close()
    return library.path


def iter_commands(library: Path, story: Path, folder: Path) -> Iterator[list[str]]:
    """Yield the command lines that read or try to change a library."""
    at = ["--library", str(library)]
    yield ["status", *at]
    yield ["search", *at, "who saw the ghost", "--mode", "words"]
    yield ["graph", *at, "--entity", "Scrooge"]
    yield ["entity", *at, "merge", "Fred", "Bob Cratchit"]
    yield ["entity", *at, "rename", "Marley", "Jacob"]
    yield ["undo", *at]
    yield ["add", *at, "--no-embed", str(story)]
    yield ["delete", *at, "--yes", "christmas_carol.txt"]
    yield ["reindex", *at, "--no-embed"]
    yield ["export", *at, "--format", "json", "--out", str(folder / "graph.json")]


def run(arguments: list[str]) -> tuple[int, str]:
    """Return the exit code and all output of a command."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        code = run_command(arguments)
    return code, output.getvalue()


@dataclass
class Tally:
    """What happened to the copies of one kind of damage."""

    n: int = 0
    reported: int = 0
    written: int = 0
    bugs: int = 0
    offered: int = 0
    seconds: float = 0.0
    failures: list[str] = field(default_factory=list)


def draw_damage(kind: str, content: bytes, drawn: random.Random, number: int) -> tuple[bytes, str]:
    """Return a damaged copy, and what was done to it."""
    if kind == "flips":
        place, bit = drawn.randrange(len(content)), drawn.randrange(8)
        damaged = bytearray(content)
        damaged[place] ^= 1 << bit
        return bytes(damaged), f"bit {bit} of byte {place}, page {place // PAGE + 1}"
    if kind == "pages":
        page = drawn.randrange(len(content) // PAGE)
        start = page * PAGE
        wreck = drawn.randbytes(PAGE)
        return content[:start] + wreck + content[start + PAGE :], f"page {page + 1}"
    size = (0, 1, PAGE // 2, PAGE)[number] if number < 4 else drawn.randrange(len(content))
    return content[:size], f"{size} bytes"


def try_copy(path: Path, content: bytes, tally: Tally, what: str, *, check_first: bool) -> None:
    """Run all commands on one damaged copy."""
    for old in path.parent.glob(path.name + "*"):
        old.unlink()
    path.write_bytes(content)
    before = hashlib.sha256(content).digest()
    check = ["check", "--library", str(path)]
    story = path.parent / "story.txt"
    commands = [*iter_commands(path, story, path.parent), check]
    if check_first:
        commands.insert(0, check)
    tally.n += 1
    is_reported = is_offered = is_written = False
    for arguments in commands:
        started = time.monotonic()
        code, output = run(arguments)
        if code == 3:
            tally.bugs += 1
            tally.failures.append(f"{what}: {arguments[0]} exits with 3: {output[-300:]}")
        if arguments is check:
            tally.seconds += time.monotonic() - started
            is_reported = code == 2
            is_offered = all(way in output for way in WAYS_OUT) or "delete the file" in output
        if hashlib.sha256(path.read_bytes()).digest() != before:
            is_written = True
            tally.failures.append(f"{what}: {' '.join(arguments[:1])} wrote into it")
            break
    tally.reported += is_reported
    tally.offered += is_offered
    tally.written += is_written
    if not is_reported:
        tally.failures.append(f"{what}: check does not report it")


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--flips", type=int, default=100)
    parser.add_argument("--pages", type=int, default=20)
    parser.add_argument("--cuts", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--unchecked", action="store_true", help="run check last only")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="inkgraph-damage-"))
    try:
        content = make_library(folder).read_bytes()
        (folder / "story.txt").write_text("Bob Cratchit met Fred in the street.\n" * 50, "utf-8")
        print(f"library of {len(content) / 1e6:.1f} MB", flush=True)
        tallies = {}
        for kind in ("flips", "pages", "cuts"):
            drawn, tally = random.Random(options.seed), Tally()
            for number in range(getattr(options, kind)):
                damaged, what = draw_damage(kind, content, drawn, number)
                copy = folder / "copy.inkgraph"
                try_copy(copy, damaged, tally, what, check_first=not options.unchecked)
                if number % 10 == 9:
                    print(f"  {kind}: {number + 1}, {tally.reported} reported", flush=True)
            tallies[kind] = tally
            print(
                f"{kind}: {tally.reported} of {tally.n} reported, {tally.written} written to,"
                f" {tally.bugs} × exit 3, {tally.offered} offered recovery,"
                f" check {tally.seconds / max(1, tally.n):.2f} s",
                flush=True,
            )
            for failure in tally.failures[:10]:
                print(f"  {failure}", flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    everything = tallies.values()
    print_result(
        "damage",
        copies=sum(t.n for t in everything),
        reported=sum(t.reported for t in everything),
        written=sum(t.written for t in everything),
        exit_3=sum(t.bugs for t in everything),
        offered=sum(t.offered for t in everything),
        offered_of_wrecks=tallies["pages"].offered + tallies["cuts"].offered,
    )


if __name__ == "__main__":
    main()
