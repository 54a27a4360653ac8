"""Processor seconds of algorithms on large or malformed input.

    python -m benchmarks.scaling

Each input is measured at its full size and at half of it: where the time grows in proportion to
the input, the ratio is about 2; 4 means quadratic. The last line is JSON.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from desktop_app.engine.extraction.llm.parsing import parse_records
from desktop_app.engine.graph.community_detection import find_hierarchy
from desktop_app.engine.graph.layout.force import force_layout
from desktop_app.engine.graph.resolution import NameResolver
from desktop_app.engine.model import NameCount
from desktop_app.engine.text.chunking import split_sentences
from desktop_app.engine.text.encodings import decode

from .common import make_parser, print_result

SENTENCE_PIECES = ("a", ". ", '"', "A.", "\n", "。", " \n \n", "…", "1. ")
GARBAGE_PIECES = ("[", "{", '{"a":', "(((", "<|", '"', "entity|", "- ", "## ")
CHINESE = "那日天色已晚，他们两个人来到城里，只见门前有一座大庄院。\n"


def split_pieces(n: int) -> None:
    for piece in SENTENCE_PIECES:
        split_sentences(piece * n, "en")


def parse_garbage(n: int) -> None:
    for piece in GARBAGE_PIECES:
        parse_records(piece * n)


def decode_gb18030(n: int) -> None:
    decode((CHINESE * n).encode("gb18030"))


def resolve_full_names(n: int) -> None:
    firsts = [f"Name{chr(97 + i // 26)}{chr(97 + i % 26)}" for i in range(100)]
    names = [f"{a} {b}son" for a in firsts for b in firsts][:n]
    counts = [
        NameCount(i, name, 2, {"person": 2}, "en", {1: 2}) for i, name in enumerate(names, start=1)
    ]
    NameResolver({one.name_id: one for one in counts}, {}).resolve()


def find_communities(n: int) -> None:
    rng = np.random.default_rng(0)
    ends = rng.integers(0, n, 5 * n)
    near = (ends // 40 * 40 + rng.integers(0, 40, 5 * n)) % n
    find_hierarchy(n, np.column_stack((ends, near)), rng.random(5 * n))


def lay_out_random(n: int) -> None:
    rng = np.random.default_rng(0)
    force_layout(n, rng.integers(0, n, (3 * n, 2)), rng.random(3 * n))


def lay_out_star(n: int) -> None:
    force_layout(n, np.stack((np.zeros(n - 1, dtype=int), np.arange(1, n)), axis=1))


CASES: dict[str, tuple[Callable[[int], None], int]] = {
    "sentences": (split_pieces, 60_000),
    "garbage_records": (parse_garbage, 60_000),
    "gb18030": (decode_gb18030, 6_000),
    "resolution": (resolve_full_names, 10_000),
    "communities": (find_communities, 20_000),
    "layout": (lay_out_random, 2_000),
    "layout_star": (lay_out_star, 5_001),
}


def measure(work: Callable[[int], None], n: int) -> float:
    """Return the processor seconds of one call."""
    began = time.process_time()
    work(n)
    return time.process_time() - began


def main() -> None:
    make_parser(__doc__).parse_args()
    figures: dict[str, dict[str, float]] = {}
    for name, (work, n) in CASES.items():
        work(n // 10)  # loads what is loaded on first use
        half_s, full_s = measure(work, n // 2), measure(work, n)
        figures[name] = {"seconds": round(full_s, 3), "ratio": round(full_s / half_s, 2)}
        print(f"{name:16} {n:7,}  {full_s:7.3f} s  ×{full_s / half_s:.2f} for twice the input")
    print_result("scaling", **figures)


if __name__ == "__main__":
    main()
