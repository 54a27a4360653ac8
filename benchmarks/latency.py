"""How long a question takes: finding in 10,000 and 100,000 chunks, and an answer's first token.

Finding runs over libraries made up for it (`big_library`), with vectors that no model made; the
first question, which reads the index into memory, is told apart. What the question's own vector
costs with the installed embedding model is measured too and told beside it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from desktop_app.engine import paths
from desktop_app.engine.answering.pipeline import AnswerPipeline
from desktop_app.engine.llm.protocols import Embedder
from desktop_app.engine.llm.registry import ModelRegistry
from desktop_app.engine.query import QueryParam
from desktop_app.engine.retrieval.retriever import Retriever
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library

from . import big_library
from .common import data_file, make_parser, open_scratch, print_result

N_QUESTIONS = 100
WARM_UP = 5
STORY = ("en_novels", "gutenberg", "christmas_carol.txt")
ASKED = (
    "Who was Scrooge's partner?",
    "What did the Ghost of Christmas Present show Scrooge?",
    "Who is Tiny Tim's father?",
    "What does Scrooge send to the Cratchits on Christmas morning?",
    "Why did Belle leave Scrooge?",
)


class DrawnVectors:
    """An `Embedder` that draws a vector near one of the made library's clusters."""

    name = big_library.MODEL
    dim = big_library.DIM
    is_remote = False

    def __init__(self) -> None:
        self._centres = big_library.build_centres()
        self._random = np.random.default_rng(2)

    def embed_passages(self, texts: Sequence[str]) -> np.ndarray:
        clusters = self._random.integers(0, len(self._centres), len(texts))
        return big_library.draw_vectors(self._centres, clusters, self._random)

    def embed_query(self, text: str) -> np.ndarray:
        return self.embed_passages([text])[0]

    def close(self) -> None: ...


def draw_questions(n_chunks: int, n: int) -> list[str]:
    """Return questions as they are asked: short, with two names, without a name, and long."""
    words = big_library.Vocabulary(max(100, n_chunks // 3))
    common = [str(w) for w in words.words[:400]]
    random = np.random.default_rng(3)
    kinds = ("Who is {a}?", "What did {a} say to {b} about the {w}?", "Why was the {w} {v}?", "")
    questions = []
    for number in range(n):
        a, b = (words.names[i] for i in words.draw_names(2))
        w, v = words.draw_words(2)
        asked = kinds[number % len(kinds)].format(a=a, b=b, w=w, v=v)
        if not asked:  # a long one, of common words
            asked = f"{a} " + " ".join(common[i] for i in random.integers(0, 400, 40)) + "?"
        questions.append(asked)
    return questions


def measure_finding(n_chunks: int, mode: str) -> dict[str, float]:
    """Return milliseconds a question over a library of `n_chunks`."""
    library = Library(big_library.ensure_big_library(n_chunks))
    try:
        embedder = DrawnVectors()
        finder = Retriever(library.reader(), lambda: embedder)
        asked = draw_questions(n_chunks, N_QUESTIONS + WARM_UP)
        before = _memory_mb()
        first = _time_ms(lambda: finder.find(asked[0], QueryParam(mode=mode)))
        for question in asked[:WARM_UP]:
            finder.find(question, QueryParam(mode=mode))
        spent, used = [], []
        steps: dict[str, list[float]] = {}
        for question in asked[WARM_UP:]:
            started, began = time.perf_counter(), time.process_time()
            found = finder.find(question, QueryParam(mode=mode))
            spent.append(1000 * (time.perf_counter() - started))
            used.append(1000 * (time.process_time() - began))
            for step, ms in found.timings_ms.items():
                steps.setdefault(step, []).append(ms)
    finally:
        library.close()
    p50, p95 = np.percentile(spent, (50, 95))
    cpu50, cpu95 = np.percentile(used, (50, 95))
    told = ", ".join(f"{step} {np.percentile(v, 95):.1f}" for step, v in steps.items())
    print(
        f"{n_chunks:,} chunks, {mode}: p50 {p50:.1f} ms, p95 {p95:.1f} ms, worst {max(spent):.1f}"
        f" (of the processor p50 {cpu50:.1f} ms, p95 {cpu95:.1f} ms);"
        f" first question {first:.0f} ms; memory +{_memory_mb() - before:.0f} MB\n"
        f"  p95 of each step: {told}",
        flush=True,
    )
    return {
        "p50_ms": p50,
        "p95_ms": p95,
        "first_ms": first,
        "cpu_p50_ms": cpu50,
        "cpu_p95_ms": cpu95,
    }


def measure_vector(find_embedder: Callable[[], Embedder | None]) -> float:
    """Return milliseconds for the vector of a question (median), 0 without a model."""
    embedder = find_embedder()
    if embedder is None:
        return 0.0
    asked = [q for q in draw_questions(10_000, 40) if len(q) < 100]
    embedder.embed_query(ASKED[0])
    spent = float(np.median([_time_ms(partial(embedder.embed_query, q)) for q in asked]))
    print(f"a question's vector with {embedder.name}: {spent:.1f} ms", flush=True)
    return spent


def measure_first_token() -> dict[str, float] | None:
    """Return seconds until an answer about A Christmas Carol begins; None without a model."""
    with open_scratch() as (library, registry):
        if not registry.chat_model_name():
            print("no chat model is installed: the first token is not measured")
            return None
        add_files(library.writer, [data_file(*STORY)])
        IndexingService(library.writer, registry.find_embedder).run()
        finder = Retriever(library.reader(), registry.find_embedder)
        asking = AnswerPipeline(finder, library.writer, registry.find_chat)
        spent = []
        for question in (ASKED[0], *ASKED):
            answer = asking.ask(None, question)
            spent.append(answer.first_token_s)
            print(f"  first token after {spent[-1]:.1f} s: {question}", flush=True)
    return {"median_s": float(np.median(spent[1:])), "cold_s": spent[0], "worst_s": max(spent[1:])}


def _time_ms(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - started)


def _memory_mb() -> float:
    """Return what this process holds itself; 0 where the system doesn't tell."""
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return sum(int(line.split()[1]) / 1000 for line in lines if line.startswith("RssAnon"))


def main() -> None:
    """Measure, and print the figures as the last line."""
    parser = make_parser(__doc__)
    parser.add_argument("--chunks", type=int, nargs="*", default=[10_000, 100_000])
    parser.add_argument("--mode", default="walk")
    parser.add_argument("--no-model", action="store_true", help="leave out the first token")
    options = parser.parse_args()
    figures: dict[str, float] = {}
    detail: dict[str, object] = {}
    for n_chunks in options.chunks:
        found = measure_finding(n_chunks, options.mode)
        name = f"{n_chunks // 1000}k"
        figures[f"p95_ms_{name}"] = round(found["p95_ms"], 1)
        detail[name] = {k: round(v, 1) for k, v in found.items()}
    registry = ModelRegistry(paths.model_folders())
    try:
        detail["question_vector_ms"] = round(measure_vector(registry.find_embedder), 1)
    finally:
        registry.close()
    if not options.no_model and (first := measure_first_token()):
        figures["first_token_s"] = round(first["median_s"], 2)
        detail["first_token"] = {k: round(v, 2) for k, v in first.items()}
    print_result("latency", **figures, detail=detail)


if __name__ == "__main__":
    main()
