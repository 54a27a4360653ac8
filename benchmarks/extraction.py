"""How much of what is found is right: LitBank's names, Re-DocRED's pairs; instant, slots, free.

Every text goes through the program's own import and enrichment; the instant graph alone needs no
model. Owns the choice of runs and the last line; reading, scoring and telling stand in the
`extraction_*` modules beside.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from desktop_app.engine import paths
from desktop_app.engine.extraction.llm.tasks import EnrichSettings
from desktop_app.engine.llm.registry import ModelRegistry
from desktop_app.engine.services.library import Library

from .common import data_file, make_parser, print_result
from .enriched import (
    copy_library,
    enrich,
    fetch_names,
    fetch_pairs,
    find_model,
    index_texts,
    open_chat,
)
from .extraction_gold import N_DOCUMENTS, PairDocument, load_documents
from .extraction_names import NOT_JUDGED, ONLY_IF_RIGHT, NameScore, iter_passages, score_names
from .extraction_report import Run, report_names, report_pairs
from .extraction_scores import judge_pairs

STRATEGIES = ("instant", "slots", "free")


def main() -> int:
    options = _read_options()
    unknown = set(options.strategies) - set(STRATEGIES)
    if unknown:
        sys.exit(f"There is no strategy {', '.join(sorted(unknown))}: {', '.join(STRATEGIES)}.")
    result: dict[str, Any] = {"pairs": {}, "names": {}}
    with _open_runs(options) as iter_runs:
        if options.only != "names":
            path = data_file("ie", "redocred", "dev_revised.json")
            documents = load_documents(path, options.documents)
            texts = {document.title: document.text for document in documents}
            runs = [
                _score_pairs(run, library, ids, documents, options.show)
                for run, library, ids in iter_runs("redocred", texts)
            ]
            result["pairs"] = report_pairs(runs, documents)
        if options.only != "pairs":
            folder = data_file("ie", "litbank", "coref", "tsv")
            passages = list(iter_passages(folder))
            n = min(max(1, options.passages), len(passages))
            passages = [passages[i * len(passages) // n] for i in range(n)]
            texts = {name: text for name, text, _ in passages}
            runs = [
                _score_names(run, library, ids, passages)
                for run, library, ids in iter_runs("litbank", texts)
            ]
            result["names"] = report_names(runs, len(passages))
    if options.out:
        Path(options.out).write_text(json.dumps(result, indent=1), encoding="utf-8")
    print_result("extraction", **result)
    return 0


def _read_options() -> argparse.Namespace:
    def names(value: str) -> list[str]:
        return [part.strip() for part in value.split(",") if part.strip()]

    parser = make_parser(__doc__)
    parser.add_argument(
        "--strategies",
        type=names,
        default=["instant"],
        metavar="A,B",
        help="of instant, slots, free; instant needs no model (default: instant)",
    )
    parser.add_argument(
        "--models",
        type=names,
        default=["1.5b"],
        metavar="A,B",
        help="parts of installed models' names (default: 1.5b)",
    )
    parser.add_argument(
        "--documents",
        type=int,
        default=N_DOCUMENTS,
        help=f"Re-DocRED documents, at most {N_DOCUMENTS}",
    )
    parser.add_argument(
        "--passages",
        type=int,
        default=100,
        help="LitBank passages of about 2,000 tokens, evenly drawn, at most 100",
    )
    parser.add_argument("--only", choices=("pairs", "names"), help="leave the other half out")
    parser.add_argument(
        "--show",
        metavar="STRATEGY",
        default="",
        help="print every pair that this strategy claims, right or wrong",
    )
    parser.add_argument("--out", help="also write the figures to this file")
    return parser.parse_args()


# --- running ----------------------------------------------------------------------------------


@contextmanager
def _open_runs(options: argparse.Namespace) -> Iterator[Any]:
    """Give a function that yields a run, its library and its document ids for each strategy."""
    registry = ModelRegistry(paths.model_folders())
    with tempfile.TemporaryDirectory(prefix="inkgraph-bench-") as folder:

        def iter_runs(
            name: str, texts: dict[str, str]
        ) -> Iterator[tuple[Run, Library, dict[str, int]]]:
            root = Path(folder) / name
            library = Library(root / "instant.inkgraph")
            started = time.perf_counter()
            ids = index_texts(library, texts, root / "texts")
            seconds = time.perf_counter() - started
            n_chars = sum(map(len, texts.values()))
            print(f"{name}: {len(ids)} texts, {n_chars:,} characters", flush=True)
            if "instant" in options.strategies:
                yield Run("instant", seconds, n_chars / seconds), library, ids
            for model in options.models:
                for strategy in options.strategies:
                    if strategy != "instant":
                        yield from _enrich(library, ids, registry, model, strategy)
            library.close()

        try:
            yield iter_runs
        finally:
            registry.close()


def _enrich(
    library: Library, ids: dict[str, int], registry: ModelRegistry, model: str, strategy: str
) -> Iterator[tuple[Run, Library, dict[str, int]]]:
    name = f"{strategy} {model}"
    copy = copy_library(library, name.replace(" ", "-"))
    try:
        with open_chat(find_model(registry, model)) as chat:
            cost = enrich(copy, chat, EnrichSettings(strategy=strategy))  # type: ignore[arg-type]
        print(f"  {name}: {cost.seconds:.0f} s, {cost.chars_per_s:.0f} characters/s", flush=True)
        yield Run(name, cost.seconds, cost.chars_per_s, cost.n_failed), copy, ids
    finally:
        copy.close()


# --- scoring ----------------------------------------------------------------------------------


def _score_pairs(
    run: Run, library: Library, ids: dict[str, int], documents: Sequence[PairDocument], show: str
) -> Run:
    for half in ("tune", "report", "all", "stated"):
        run.judged[half] = []
    for document in documents:
        claimed = fetch_pairs(library.writer, ids[document.title])
        judged = judge_pairs(document.gold, claimed)
        run.judged[document.half] += judged
        run.judged["all"] += judged
        run.judged["stated"] += judge_pairs(
            document.gold, [pair for pair in claimed if pair.stated]
        )
        if show == run.name or show == run.name.split()[0]:
            _show_pairs(document, claimed)
    return run


def _show_pairs(document: PairDocument, claimed: Sequence[Any]) -> None:
    print(f"## {document.title}")
    for pair in sorted(claimed, key=lambda p: p.rank, reverse=True):
        judged = judge_pairs(document.gold, [pair])
        mark = "not judged" if not judged else "right" if judged[0][1] else "wrong"
        print(f"  {mark:10} {pair.source} – {pair.target} {pair.rank}")


def _score_names(
    run: Run, library: Library, ids: dict[str, int], passages: Sequence[tuple[str, str, list]]
) -> Run:
    total = NameScore()
    for name, _, gold in passages:
        found = [n for n in fetch_names(library.writer, ids[name]) if n[2] not in NOT_JUDGED]
        total += score_names(gold, found, ONLY_IF_RIGHT)
    run.figures = total.figures()
    return run


if __name__ == "__main__":
    sys.exit(main())
