"""LitBank proper names: how well the instant graph finds them, without a language model.

Owns the reading of LitBank's coreference files and the scoring; the names come from the
product's own extractor. The first half of the files is for tuning, both halves are printed;
`name_types` says how types were learned from it.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from .common import data_file, make_parser, print_result

TYPES = {
    "PER": "person",
    "GPE": "place",
    "LOC": "place",
    "FAC": "place",
    "ORG": "organisation",
}
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


def load_gold(
    path: Path, spans: list[list[Span]], types: Mapping[str, str] = TYPES
) -> dict[Span, str]:
    """Return the spans of the proper names whose kind is in `types`, with our type of it."""
    gold: dict[Span, str] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        fields = line.split("\t")
        if fields[0] != "MENTION" or fields[8] != "PROP" or fields[7] not in types:
            continue
        first_line, first, last_line, last = (int(field) for field in fields[2:6])
        span = spans[first_line][first][0], spans[last_line][last][1]
        gold[span] = types[fields[7]]
    return gold


def score(gold: dict[Span, str], found: dict[Span, str]) -> tuple[int, int, int, int, int]:
    """Return how many found overlap gold and how many gold overlap found, both again with equal
    types only, and how many spans agree."""

    def count(spans: dict[Span, str], others: dict[Span, str], *, typed: bool) -> int:
        return sum(
            any(
                first < end and start < last and (not typed or kind == other)
                for (start, end), other in others.items()
            )
            for (first, last), kind in spans.items()
        )

    return (
        count(found, gold, typed=False),
        count(gold, found, typed=False),
        count(found, gold, typed=True),
        count(gold, found, typed=True),
        len(gold.keys() & found.keys()),
    )


def f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def iter_passages(folder: Path) -> Iterator[tuple[str, str, dict[Span, str]]]:
    for path in sorted(folder.glob("*.txt")):
        text, spans = load_text(path)
        yield path.stem, text, load_gold(path.with_suffix(".ann"), spans)


def summarise(rows: Sequence[tuple[int, ...]]) -> dict[str, float]:
    """Return F1 by overlap, by overlap with the right type, and by exact span.

    Args:
        rows: number of gold names, of found ones, and what `score` returns.
    """
    n_gold, n_found, hits, covered, typed_hits, typed_covered, exact = (
        sum(column) for column in zip(*rows, strict=True)
    )
    n_gold, n_found = max(1, n_gold), max(1, n_found)
    return {
        "f1": round(f1(hits / n_found, covered / n_gold), 4),
        "precision": round(hits / n_found, 4),
        "recall": round(covered / n_gold, 4),
        "f1_typed": round(f1(typed_hits / n_found, typed_covered / n_gold), 4),
        "f1_exact": round(f1(exact / n_found, exact / n_gold), 4),
    }


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--show", action="store_true", help="print what is missed and extra")
    show = parser.parse_args().show
    from desktop_app.engine.extraction.instant import InstantExtractor
    from desktop_app.engine.model import ChunkSpan
    from desktop_app.engine.text.chunking import split_sentences

    folder = data_file("ie", "litbank", "coref", "tsv")
    extractor = InstantExtractor(split_sentences)
    rows = []
    started = time.perf_counter()
    for stem, text, gold in iter_passages(folder):
        whole = ChunkSpan(order=0, start=0, end=len(text), n_tokens=0)
        found = {
            (mention.start, mention.end): mention.type
            for evidence in extractor.extract(text, [whole], "en")
            for mention in evidence.mentions
            if mention.type in ("person", "place", "organisation", "other")
        }
        rows.append((len(gold), len(found), *score(gold, found)))
        if show:
            _show_differences(stem, text, gold, found)
    half = len(rows) // 2
    result: dict[str, object] = {**summarise(rows)}
    result["first_half"] = summarise(rows[:half])
    result["second_half"] = summarise(rows[half:])
    result["seconds"] = round(time.perf_counter() - started, 1)
    print_result("names", **result)


def _show_differences(stem: str, text: str, gold: dict[Span, str], found: dict[Span, str]) -> None:
    missed, extra = gold.keys() - found.keys(), found.keys() - gold.keys()
    for mark, spans in (("missed", missed), ("extra", extra)):
        for start, end in sorted(spans):
            before, after = text[max(0, start - 25) : start], text[end : end + 20]
            line = f"{stem[:12]} {mark}: {before}[{text[start:end]}]{after}"
            print(line.replace("\n", " "))


if __name__ == "__main__":
    main()
