"""A small model over A Christmas Carol: Inkgraph's enrichment, bare llama.cpp, and LightRAG.

Owns the order of the measurements, what is counted of the graph, and the last line. Bare
llama.cpp runs in short samples before, between and after, for such machines are noisy.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from desktop_app.engine import paths
from desktop_app.engine.extraction.llm.tasks import EnrichSettings
from desktop_app.engine.llm.llama_library import default_threads
from desktop_app.engine.llm.registry import ModelRegistry, ModelRow
from desktop_app.engine.progress import Progress
from desktop_app.engine.prompt_program import ProgramResult, PromptProgram
from desktop_app.engine.services.library import Library
from desktop_app.engine.store.db import Db

from .common import load_carol, make_parser, print_result
from .enrich_floor import Floor
from .enrich_report import print_both, print_own
from .enriched import enrich, find_model, index_texts, open_chat
from .lightrag_peer import N_CHARS, PeerTask, run_peer

MODEL = "qwen2.5-coder-1.5b"


class CountingChat:
    """A chat model that counts the tokens it runs; all else is the model's own."""

    def __init__(self, chat: Any) -> None:
        self._chat = chat
        self.n_prompt = self.n_written = self.n_failed = 0

    @property
    def written_share(self) -> float:
        n = self.n_prompt + self.n_written
        return self.n_written / n if n else 0.0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._chat, name)

    def run_programs(
        self, programs: Iterable[PromptProgram], **options: Any
    ) -> Iterator[ProgramResult]:
        for run in self._chat.run_programs(programs, **options):
            self.n_prompt += run.n_prompt
            self.n_written += run.n_written
            self.n_failed += bool(run.error)
            yield run

    def stream(self, messages: Any, **options: Any) -> Iterator[str]:
        yield from self._chat.stream(messages, **options)
        run = self._chat.last_run
        self.n_prompt += run.n_prompt - run.n_reused
        self.n_written += run.n_written


def main() -> int:
    options = _read_options()
    body = load_carol()
    registry = ModelRegistry(paths.model_folders())
    row = find_model(registry, options.model)
    settings = EnrichSettings(strategy=options.strategy, n_threads=options.threads)
    text = body[: options.chars] if options.chars else body
    figures = measure(row, text, settings, options.floor_every)
    print_own(row.name, figures)
    result: dict[str, Any] = {"model": row.name, "strategy": options.strategy} | figures
    if options.no_peer:
        result["peer"] = None
        result["peer_note"] = "not run (--no-peer)"
        print("LightRAG was not run (--no-peer).")
    else:
        sample = body[: options.peer_chars]
        same = figures if sample == text else measure(row, sample, settings, 0.0)
        result["same_text"] = same
        assert row.path is not None
        n_threads = options.threads or default_threads()
        task = PeerTask(sample, row.path, options.peer_limit_s, n_threads)
        result["peer"] = peer = run_peer(task, again=options.peer_again)
        print_both(len(sample), same, peer)
    registry.close()
    print_result("enrich", **result)
    return 0


def _read_options() -> argparse.Namespace:
    parser = make_parser(__doc__)
    parser.add_argument("--chars", type=int, default=0, help="only the book's first N characters")
    parser.add_argument("--model", default=MODEL, help=f"part of its name (default: {MODEL})")
    parser.add_argument("--strategy", default="auto", choices=("auto", "slots", "free"))
    parser.add_argument("--threads", type=int, default=0, help="0 lets the machine decide")
    parser.add_argument(
        "--floor-every",
        type=float,
        default=240.0,
        metavar="S",
        help="seconds between samples of bare llama.cpp; 0 for none between",
    )
    parser.add_argument("--no-peer", action="store_true", help="leave LightRAG out")
    parser.add_argument(
        "--peer-again", action="store_true", help="run it though its figure is kept"
    )
    parser.add_argument(
        "--peer-limit-s",
        type=float,
        default=1800.0,
        help="then what LightRAG has so far is reported",
    )
    parser.add_argument("--peer-chars", type=int, default=N_CHARS)
    return parser.parse_args()


def measure(
    row: ModelRow, text: str, settings: EnrichSettings, floor_every_s: float
) -> dict[str, Any]:
    """Index a text, enrich it, and return the figures; the bare runs' time is not counted."""
    assert row.path is not None
    with tempfile.TemporaryDirectory(prefix="inkgraph-bench-") as folder:
        library = Library(Path(folder) / "bench.inkgraph")
        floor = Floor(row.path, text[:8000], settings.n_threads)
        try:
            started = time.perf_counter()
            index_texts(library, {"A Christmas Carol": text}, Path(folder) / "texts")
            instant_s = time.perf_counter() - started
            instant = count_graph(library.writer)
            floor.sample()
            before = floor.seconds
            sampled_at = time.perf_counter()

            def on_progress(progress: Progress) -> None:
                nonlocal sampled_at
                if floor_every_s and time.perf_counter() - sampled_at > floor_every_s:
                    floor.sample(counting.written_share)
                    sampled_at = time.perf_counter()
                    print(f"  {progress.done} of {progress.total} passages", flush=True)

            with open_chat(row) as chat:
                counting = CountingChat(chat)
                cost = enrich(library, counting, settings, on_progress=on_progress)
            seconds = cost.seconds - (floor.seconds - before)
            floor.sample(counting.written_share)
            graph = count_graph(library.writer)
            bare = floor.seconds_for(counting.n_prompt, counting.n_written)
            n_chars = min(cost.n_chars, len(text))
            return {
                "chars_per_s": round(n_chars / seconds, 2),
                "entities": graph["entities"],
                "relations": graph["relations"],
                "efficiency": round(bare / seconds, 3),
                "chars": n_chars,
                "seconds": round(seconds, 1),
                "passages": cost.n_chunks,
                "failed_passages": cost.n_failed,
                "prompt_tokens": counting.n_prompt,
                "written_tokens": counting.n_written,
                "tokens": counting.n_prompt + counting.n_written,
                "evidence_holds_both": graph["holds_both"],
                "stated_relations": graph["stated"],
                "stated_evidence_holds_both": graph["stated_holds_both"],
                "instant_s": round(instant_s, 1),
                "instant_entities": instant["entities"],
                "instant_relations": instant["relations"],
                "bare_s": round(bare, 1),
                "bare_prompt_tokens_per_s": round(floor.prompt_rate, 1),
                "bare_written_tokens_per_s": round(floor.write_rate, 1),
                "bare_mixed_tokens_per_s": round(floor.mixed_rate, 1),
                "bare_batches": floor.best_batches(),
            }
        finally:
            floor.close()
            library.close()


def count_graph(db: Db) -> dict[str, Any]:
    """Count entities and relations, and the relations whose best quote holds both names."""
    names: dict[int, list[str]] = defaultdict(list)
    for entity_id, name in db.rows(
        "SELECT en.entity_id, n.text FROM entity_name en JOIN name n ON n.id = en.name_id"
    ):
        names[entity_id].append(name.casefold())
    n = n_held = n_stated = n_stated_held = 0
    for source, target, stated, quote in db.rows(
        "SELECT r.source_id, r.target_id, r.n_enriched > 0,"
        " substr(c.text, q.start - c.start + 1, q.end - q.start)"
        " FROM relation r LEFT JOIN claimed_relation q ON q.id = r.best_claim"
        " LEFT JOIN chunk c ON c.id = q.chunk_id"
    ):
        held = holds_both(quote or "", names[source], names[target])
        n += 1
        n_held += held
        n_stated += stated
        n_stated_held += held and stated
    return {
        "entities": db.value("SELECT count(*) FROM entity"),
        "relations": n,
        "holds_both": round(n_held / n, 3) if n else None,
        "stated": n_stated,
        "stated_holds_both": round(n_stated_held / n_stated, 3) if n_stated else None,
    }


def holds_both(quote: str, names: Iterable[str], others: Iterable[str]) -> bool:
    """Say whether a quote has a name of each of two entities (names in lower case)."""
    text = " ".join(quote.casefold().split())
    return all(any(name in text for name in group) for group in (names, others))


if __name__ == "__main__":
    sys.exit(main())
