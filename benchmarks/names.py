"""LitBank proper names: how well the instant graph finds them, without a language model.

Owns the reading of LitBank's coreference files and the scoring; the names come from the
product's own extractor. The first half of the files is for tuning, both halves are printed.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

TYPES = frozenset(("PER", "GPE", "LOC", "FAC", "ORG"))
_NO_SPACE_BEFORE = re.compile(r"^(?:[.,;:!?)\]%]|'s|n't|'(?:re|ve|ll|d|m)|')$")
_NO_SPACE_AFTER = frozenset(("(", "[", "`", "``"))

Span = tuple[int, int]


def load_text(path: Path) -> tuple[str, list[list[Span]]]:
    """Return the passage as prose, and the character span of every token by line."""
    pieces: list[str] = []
    spans: list[list[Span]] = []
    length = 0
    for line in path.read_text(encoding="utf-8").split("\n"):
        row: list[Span] = []
        glued = True
        for token in line.split(" "):
            if not token:
                row.append((length, length))
                continue
            if not glued and not _NO_SPACE_BEFORE.match(token):
                pieces.append(" ")
                length += 1
            row.append((length, length + len(token)))
            pieces.append(token)
            length += len(token)
            glued = token in _NO_SPACE_AFTER
        spans.append(row)
        pieces.append("\n")
        length += 1
    return "".join(pieces), spans


def load_gold(path: Path, spans: list[list[Span]]) -> set[Span]:
    """Return the spans of proper names of the five kinds that are counted."""
    gold: set[Span] = set()
    for line in path.read_text(encoding="utf-8").splitlines():
        fields = line.split("\t")
        if fields[0] != "MENTION" or fields[8] != "PROP" or fields[7] not in TYPES:
            continue
        first_line, first, last_line, last = (int(field) for field in fields[2:6])
        gold.add((spans[first_line][first][0], spans[last_line][last][1]))
    return gold


def score(gold: set[Span], found: set[Span]) -> tuple[int, int, int]:
    """Return how many found overlap gold, how many gold overlap found, and how many agree."""

    def meets(span: Span, others: set[Span]) -> bool:
        return any(span[0] < end and start < span[1] for start, end in others)

    return (
        sum(meets(span, gold) for span in found),
        sum(meets(span, found) for span in gold),
        len(gold & found),
    )


def f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def iter_passages(folder: Path) -> Iterator[tuple[str, str, set[Span]]]:
    for path in sorted(folder.glob("*.txt")):
        text, spans = load_text(path)
        yield path.stem, text, load_gold(path.with_suffix(".ann"), spans)


def summarise(rows: list[tuple[int, int, int, int, int]]) -> dict[str, float]:
    """Return F1 by overlap and by exact span over (n_gold, n_found, hits, covered, exact)."""
    n_gold, n_found, hits, covered, exact = (sum(column) for column in zip(*rows, strict=True))
    return {
        "f1": round(f1(hits / max(1, n_found), covered / max(1, n_gold)), 4),
        "precision": round(hits / max(1, n_found), 4),
        "recall": round(covered / max(1, n_gold), 4),
        "f1_exact": round(f1(exact / max(1, n_found), exact / max(1, n_gold)), 4),
    }


def main() -> int:
    from desktop_app.engine.extraction.instant import InstantExtractor
    from desktop_app.engine.model import ChunkSpan
    from desktop_app.engine.text.chunking import split_sentences

    data = Path(os.environ.get("INKGRAPH_DATA", Path(__file__).parents[2] / "shared" / "data"))
    folder = data / "ie" / "litbank" / "coref" / "tsv"
    if not folder.is_dir():
        print(f"LitBank is not there: {folder}", file=sys.stderr)
        return 2
    show = "--show" in sys.argv
    extractor = InstantExtractor(split_sentences)
    rows = []
    started = time.perf_counter()
    for stem, text, gold in iter_passages(folder):
        whole = ChunkSpan(order=0, start=0, end=len(text), n_tokens=0)
        found = {
            (mention.start, mention.end)
            for evidence in extractor.extract(text, [whole], "en")
            for mention in evidence.mentions
            if mention.type in ("person", "place", "organisation", "other")
        }
        rows.append((len(gold), len(found), *score(gold, found)))
        if show:
            _show_differences(stem, text, gold, found)
    half = len(rows) // 2
    result = summarise(rows)
    result["first_half"] = summarise(rows[:half])
    result["second_half"] = summarise(rows[half:])
    result["seconds"] = round(time.perf_counter() - started, 1)
    print(json.dumps({"bench": "names", **result}))
    return 0


def _show_differences(stem: str, text: str, gold: set[Span], found: set[Span]) -> None:
    for mark, spans in (("missed", gold - found), ("extra", found - gold)):
        for start, end in sorted(spans):
            before, after = text[max(0, start - 25) : start], text[end : end + 20]
            line = f"{stem[:12]} {mark}: {before}[{text[start:end]}]{after}"
            print(line.replace("\n", " "))


if __name__ == "__main__":
    sys.exit(main())
