"""Types of the names in papers: methods and data sets, authors, places, organisations.

The names of six papers were typed by hand (`paper_names_gold.tsv`) before the program's types were
looked at. The points of `engine/extraction/rules/latin_concepts` were chosen on three of them
("fit"); the other three ("report") were looked at once, for the figure. A name counts if the
program finds it. The last line is JSON.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter, defaultdict
from pathlib import Path

from .common import print_result

GOLD = Path(__file__).with_name("paper_names_gold.tsv")


def read_gold() -> dict[tuple[str, str], dict[str, str]]:
    """Return (file, half) -> name -> type."""
    gold: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for line in GOLD.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            file, half, kind, name = line.split("\t")
            gold[file, half][name] = kind
    return gold


def find_types(path: Path) -> dict[str, str]:
    """Return the types that the program gives the names of a paper."""
    from desktop_app.engine.extraction.rules import latin_names
    from desktop_app.engine.extraction.rules.latin_tokens import read_words, tag_english
    from desktop_app.engine.progress import CancelToken
    from desktop_app.engine.text.chunking import split_sentences
    from desktop_app.engine.text.readers.pdf import read_pdf

    text = read_pdf(path.read_bytes(), path.stem).text
    tagged = tag_english(text, 0, len(text), cancel=CancelToken())
    words = read_words(text, 0, len(text), split_sentences(text, "en"))
    table = latin_names.build_names(words, tagged, has_tagger=True)
    return {one.name: one.type for one in latin_names.locate_names(words, table)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wrong", action="store_true", help="list the wrong types of the fit half")
    options = parser.parse_args()
    data = Path(os.environ.get("INKGRAPH_DATA", Path(__file__).parents[2] / "shared" / "data"))
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for (file, half), names in read_gold().items():
        found = find_types(data / "files" / "pdf_papers" / file)
        for name, kind in names.items():
            if name not in found:
                continue
            if options.wrong and half == "fit" and found[name] != kind:
                print(f"{file}: {name} is {kind}, not {found[name]}")
            for key in (half, f"{half}_{kind}"):
                total[key] += 1
                right[key] += found[name] == kind
    shares = {key: round(right[key] / total[key], 4) for key in sorted(total)}
    print_result("paper_names", n=total["fit"] + total["report"], **shares)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
