"""Title, authors, year and identifier of real files: how many are found as a person reads them.

`metadata_gold.tsv` says what stands on the first page of each file of the test data. Half of the
files ("fit", by a hash of their path) were used to make the rules; the other half is what counts.
A title is right, missed (the file's name is shown though the file has a title) or wrong.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from desktop_app.engine.errors import UserError
from desktop_app.engine.model import ReadDocument
from desktop_app.engine.text.readers.title_case import title_from_file_name
from desktop_app.engine.text.readers.title_page import fold
from desktop_app.engine.text.reading import read_bytes

from .common import data_file, make_parser, print_result

GOLD = Path(__file__).with_name("metadata_gold.tsv")
FIELDS = ("title", "author", "year", "identifier")


@dataclass(frozen=True, slots=True)
class GoldEntry:
    """What the first page of a file says; each field has one or more right readings."""

    path: str
    values: dict[str, tuple[str, ...]]

    @property
    def half(self) -> str:
        return "fit" if hashlib.sha256(self.path.encode()).digest()[0] % 2 else "held"


def load_gold() -> Iterator[GoldEntry]:
    """Yield the entries of the table."""
    for line in GOLD.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            path, *values = line.split("\t")
            readings = {f: tuple(v.split("¦")) for f, v in zip(FIELDS, values, strict=True)}
            yield GoldEntry(path, readings)


def judge(entry: GoldEntry, read: ReadDocument) -> dict[str, str]:
    """Return "right", "missed" or "wrong" for each field that is judged."""
    stem = fold(Path(entry.path).stem)
    from_name = fold(title_from_file_name(Path(entry.path).stem))
    found = {
        "title": "" if fold(read.title) in (stem, from_name) else fold(read.title),
        "author": fold(read.author),
        "year": read.year,
        "identifier": read.doi or read.isbn,
    }
    judged = {}
    for field, readings in entry.values.items():
        if "?" in readings:
            continue
        right = {"" if value == "-" else value for value in readings}
        if field in ("title", "author"):
            right = {fold(value) for value in right}
        is_stem = field == "title" and not found[field] and stem in right
        if found[field] in right or is_stem:
            judged[field] = "right"
        else:
            judged[field] = "wrong" if found[field] else "missed"
    return judged


def main() -> None:
    """Print the counts of both halves."""
    parser = make_parser(__doc__)
    shows = "also print what is not right in this half"
    parser.add_argument("shown", nargs="?", choices=("fit", "held"), help=shows)
    shown = parser.parse_args().shown
    counts: dict[str, Counter[str]] = {}
    for entry in load_gold():
        path = data_file(*entry.path.split("/"))
        try:
            read = read_bytes(path.read_bytes(), path.name)[0]
        except UserError:
            continue
        judged = judge(entry, read)
        groups = ("all", "pdf") if path.suffix == ".pdf" else ("all",)
        for field, verdict in judged.items():
            for group in groups:
                counts.setdefault(f"{entry.half} {group} {field}", Counter())[verdict] += 1
            if verdict != "right" and shown == entry.half:
                found = read.doi or read.isbn if field == "identifier" else getattr(read, field)
                print(f"{verdict} {field}: {entry.path}: {found!r}, not {entry.values[field]}")
    for name in sorted(counts):
        print(name, dict(counts[name]))
    print_result("metadata", **{name: dict(counts[name]) for name in sorted(counts)})


if __name__ == "__main__":
    main()
