"""Whether finding in whole stories and novels brings the evidence into an answer's context.

FairytaleQA names the sections that answer each question; the seven questions of the tutorial on
水浒传 have anchors in the whole novel. Recall of both within two budgets of tokens, for each mode.
No language model is asked.
"""

from __future__ import annotations

import csv
import json
import random
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from desktop_app.engine import paths
from desktop_app.engine.llm.registry import ModelRegistry
from desktop_app.engine.model import Passage
from desktop_app.engine.query import QueryParam
from desktop_app.engine.retrieval.retriever import Retriever
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.evaluation.measures import covered_share
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library

from .common import data_file, make_parser, print_result
from .contexts import fill_context, find_counter

MODES = ("walk", "naive", "words")
BUDGETS = (2000, 4000)
N_QUESTIONS = 400
SEED = 7
CHUNK_TOP_K = 30
HALF_COVERED = 0.5  # a section counts as found when this much of it stands in the context

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Question:
    """A question with where its answer stands: sections of one document, or anchors in it."""

    text: str
    document: str
    spans: tuple[Span, ...] = ()
    anchors: tuple[str, ...] = ()


def load_fairytales() -> tuple[dict[str, str], list[Question]]:
    """Return story name -> text, and all questions with the spans of their gold sections."""
    folder = data_file("qa", "fairytaleqa")
    stories: dict[str, str] = {}
    questions: list[Question] = []
    for path in sorted(folder.glob("section-stories/*/*-story.csv")):
        name, spans, text = path.name.removesuffix("-story.csv"), {}, ""
        for row in _rows(path):
            section = row["text"].strip()
            spans[row["section"].strip()] = (len(text), len(text) + len(section))
            text += section + "\n\n"
        stories[name] = text
        asked = folder / "questions" / path.parent.name / f"{name}-questions.csv"
        for row in _rows(asked) if asked.exists() else ():
            gold = [s.strip() for s in row["cor_section"].split(",")]
            found = tuple(spans[s] for s in gold if s in spans)
            if found:
                questions.append(Question(row["question"].strip(), name, found))
    return stories, questions


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def load_shuihu() -> tuple[Path, list[Question]]:
    """Return the novel's file and the tutorial's questions with their anchors."""
    asked = json.loads(data_file("qa", "tutorial_shuihu", "questions.json").read_text("utf-8"))
    path = data_file("zh_novels", "shuihu", "shuihu_120.txt")
    return path, [
        Question(q["q"], "shuihu_120", anchors=tuple(e["anchor"] for e in q["evidence"]))
        for q in asked["questions"]
    ]


@contextmanager
def open_indexed(
    name: str, keep: Path | None, add: Callable[[Path], list[Path]]
) -> Iterator[tuple[Library, ModelRegistry]]:
    """Give a library of the files that `add` writes or names, indexed and embedded.

    With `keep`, the library stays in that folder and is used again.
    """
    with tempfile.TemporaryDirectory(prefix="inkgraph-bench-") as scratch:
        library = Library((keep or Path(scratch)) / f"{name}.inkgraph")
        registry = ModelRegistry(paths.model_folders())
        try:
            if not library.writer.value("SELECT count(*) FROM document"):
                add_files(library.writer, add(Path(scratch)))
            IndexingService(library.writer, registry.find_embedder).run()
            yield library, registry
        finally:
            registry.close()
            library.close()


def find_share(question: Question, context: Sequence[Passage], document_id: int) -> float:
    """Return how many of a question's sections or anchors stand in the context, 0 to 1."""
    if question.anchors:
        inside = [any(a in p.text for p in context) for a in question.anchors]
    else:
        inside = [covered_share(context, document_id, *s) >= HALF_COVERED for s in question.spans]
    return sum(inside) / len(inside)


def measure(
    name: str,
    library: Library,
    registry: ModelRegistry,
    questions: Sequence[Question],
    modes: Sequence[str],
    *,
    alone: bool = False,
    show: bool = False,
) -> dict[str, float]:
    """Ask all questions in each mode; with `alone`, look only in the question's own document."""
    db, count = library.writer, find_counter(registry)
    ids = {Path(file).stem: i for i, file in db.rows("SELECT id, file_name FROM document")}
    finder = Retriever(db, registry.find_embedder)
    figures: dict[str, float] = {}
    for mode in modes:
        shares: dict[int, list[float]] = defaultdict(list)
        finder.find(questions[0].text, QueryParam(mode=mode, chunk_top_k=CHUNK_TOP_K))
        seconds = 0.0
        for question in questions:
            own = ids[question.document]
            param = QueryParam(
                mode=mode, chunk_top_k=CHUNK_TOP_K, document_ids=(own,) if alone else None
            )
            started = time.monotonic()
            found = finder.find(question.text, param)
            seconds += time.monotonic() - started
            for budget in BUDGETS:
                context = fill_context(found.passages, budget, count)
                shares[budget].append(find_share(question, context, own))
            if show:
                print(f"    {[round(shares[b][-1], 2) for b in BUDGETS]} {question.text}")
        said = []
        for budget, values in shares.items():
            halves = [sum(values[k::2]) / max(1, len(values[k::2])) for k in (0, 1)]
            figures[f"{name}_{mode}_{budget}"] = round(sum(values) / len(values), 3)
            figures[f"{name}_{mode}_{budget}_odd"] = round(halves[1], 3)
            said.append(
                f"in {budget} tokens {sum(values) / len(values):.3f}"
                f" (halves {halves[0]:.3f} {halves[1]:.3f})"
            )
        ms = 1000 * seconds / len(questions)
        figures[f"{name}_{mode}_ms"] = round(ms, 1)
        print(f"  {name:14} {mode:6} {'   '.join(said)}   {ms:.0f} ms", flush=True)
    return figures


def main() -> None:
    """Measure both sets, or those named."""
    parser = make_parser(__doc__)
    parser.add_argument("sets", nargs="*", default=["fairytales", "shuihu"])
    parser.add_argument("--modes", nargs="+", default=list(MODES))
    parser.add_argument("--questions", type=int, default=N_QUESTIONS)
    parser.add_argument("--keep", type=Path, help="folder that keeps the indexed libraries")
    parser.add_argument("--show", action="store_true", help="print every question's share")
    options = parser.parse_args()
    figures: dict[str, float] = {}
    if "fairytales" in options.sets:
        stories, questions = load_fairytales()
        chosen = random.Random(SEED).sample(questions, min(options.questions, len(questions)))
        print(f"fairytales: {len(stories)} stories, {len(chosen)} of {len(questions)} questions")

        def write(folder: Path) -> list[Path]:
            for name, text in stories.items():
                (folder / f"{name}.txt").write_text(text, "utf-8")
            return sorted(folder.glob("*.txt"))

        with open_indexed("fairytales", options.keep, write) as (library, registry):
            for name, alone in (("story", True), ("stories", False)):
                figures |= measure(
                    name, library, registry, chosen, options.modes, alone=alone, show=options.show
                )
    if "shuihu" in options.sets:
        path, questions = load_shuihu()
        with open_indexed("shuihu", options.keep, lambda _: [path]) as (library, registry):
            figures |= measure(
                "shuihu", library, registry, questions, options.modes, show=options.show
            )
    keys = ("story_walk_2000", "stories_walk_2000", "shuihu_walk_2000", "shuihu_walk_4000")
    print_result("novels", **{k: figures[k] for k in keys if k in figures}, detail=figures)


if __name__ == "__main__":
    main()
