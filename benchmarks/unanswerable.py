"""Whether questions on other books are refused, and a library's own questions are not.

    python -m benchmarks.unanswerable [tales-even tales-odd cmrc-even cmrc-odd NOVEL ...]
        [--keep FOLDER] [--answers N]

Libraries of half of the FairytaleQA stories, of 150 paragraphs of CMRC2018, and of single novels
with questions (`novel_evidence`). Each is asked a hundred questions of its own and a hundred of the
other half, a novel those on the other novels of its language. Without `--answers` no language model
is asked: the shares are those of `RetrievalResult.weak`. With it, N questions of both kinds are
answered by the whole pipeline, and what counts is whether a sentence is shown as confirmed.
The even halves were used to choose the constant; the others report it (decision 81).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from desktop_app.engine.answering.pipeline import AnswerPipeline
from desktop_app.engine.llm.registry import ModelRegistry
from desktop_app.engine.query import QueryParam
from desktop_app.engine.retrieval.retriever import Retriever
from desktop_app.engine.services.evaluation.measures import is_stated
from desktop_app.engine.services.library import Library

from .common import data_file, load_cmrc_articles, make_parser, print_result
from .novel_evidence import FILES, load_questions
from .novels import load_fairytales, open_indexed

N_QUESTIONS, N_PARAGRAPHS = 100, 150
SEED = 3
PROMPT_TOKENS = 1000  # the same on every machine
LANGUAGES = (("sanguo", "honglou"), ("great_expectations", "war_and_peace", "dracula"))


@dataclass(frozen=True, slots=True)
class Collection:
    """The files of a library, with questions on it and on other texts of its kind."""

    name: str
    find_files: Callable[[Path], list[Path]]
    own: Sequence[str]
    others: Sequence[str]


def load_tales(half: int) -> Collection:
    """Return every second story."""
    stories, questions = load_fairytales()
    inside = set(sorted(stories)[half::2])
    random.Random(SEED).shuffle(questions)

    def write(folder: Path) -> list[Path]:
        return [_write(folder, name, stories[name]) for name in sorted(inside)]

    own = [q.text for q in questions if q.document in inside]
    others = [q.text for q in questions if q.document not in inside]
    return Collection(_name("tales", half), write, own[:N_QUESTIONS], others[:N_QUESTIONS])


def load_paragraphs(half: int) -> Collection:
    """Return 150 paragraphs, each a file of its own."""
    found = [p for article in load_cmrc_articles() for p in article["paragraphs"]]
    choose = random.Random(SEED)
    choose.shuffle(found)
    halves = found[:N_PARAGRAPHS], found[N_PARAGRAPHS : 2 * N_PARAGRAPHS]

    def write(folder: Path) -> list[Path]:
        return [_write(folder, p["id"], p["context"]) for p in halves[half]]

    own, others = (
        [choose.choice(p["qas"])["question"] for p in part[:N_QUESTIONS]]
        for part in (halves[half], halves[1 - half])
    )
    return Collection(_name("cmrc", half), write, own, others)


def load_novel(name: str) -> Collection:
    """Return one novel; the others are the novels of its language that have questions."""
    language = next(names for names in LANGUAGES if name in names)
    others = [n for n in language if n != name and _has_questions(n)]
    return Collection(
        f"novel-{name}",
        lambda _: [data_file(*FILES[name])],
        [q.text for q in load_questions(name)],
        [q.text for other in others for q in load_questions(other)],
    )


def _has_questions(name: str) -> bool:
    return (Path(__file__).parent / "questions" / f"{name}.jsonl").exists()


def _write(folder: Path, name: str, text: str) -> Path:
    path = folder / f"{name}.txt"
    path.write_text(text, "utf-8")
    return path


def _name(kind: str, half: int) -> str:
    return f"{kind}-{'odd' if half else 'even'}"


def measure(one: Collection, library: Library, registry: ModelRegistry) -> dict[str, float]:
    """Return the shares of own and of others' questions that retrieval finds unrelated."""
    retriever = Retriever(library.writer, registry.find_embedder)
    shares = [mean(retriever.find(q).weak for q in asked) for asked in (one.own, one.others)]
    print(f"  {one.name:24} unrelated: own {shares[0]:.2f}, others {shares[1]:.2f}", flush=True)
    return {f"{one.name}_own": round(shares[0], 3), f"{one.name}_others": round(shares[1], 3)}


def measure_answers(
    one: Collection, library: Library, registry: ModelRegistry, n: int
) -> dict[str, float]:
    """Return the shares of answers with a confirmed sentence, for own and others' questions."""
    model = registry.find_chat()
    if model is None:
        raise SystemExit("No chat model is installed: inkgraph models install starter")
    retriever = Retriever(library.writer, registry.find_embedder)
    pipeline = AnswerPipeline(retriever, library.writer, lambda: model)
    figures = {}
    for kind, asked in (("own", one.own), ("others", one.others)):
        texts = [
            pipeline.query(q, QueryParam(max_total_tokens=PROMPT_TOKENS)).text for q in asked[:n]
        ]
        share = mean(is_stated(text) for text in texts)
        figures[f"{one.name}_{kind}_confirmed"] = round(share, 3)
        print(f"  {one.name:24} {kind}: confirmed {share:.2f} of {len(texts)}", flush=True)
    return figures


COLLECTIONS: dict[str, Callable[[], Collection]] = {
    "tales-even": lambda: load_tales(0),
    "tales-odd": lambda: load_tales(1),
    "cmrc-even": lambda: load_paragraphs(0),
    "cmrc-odd": lambda: load_paragraphs(1),
}


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("collections", nargs="*", default=[], metavar="COLLECTION")
    parser.add_argument("--keep", type=Path, help="folder that keeps the indexed libraries")
    parser.add_argument("--answers", type=int, default=0, help="questions of each kind to answer")
    options = parser.parse_args()
    novels = [name for name in FILES if _has_questions(name)]
    if unknown := sorted(set(options.collections) - {*COLLECTIONS, *novels}):
        parser.error(f"no {unknown[0]}; there are: {' '.join((*COLLECTIONS, *novels))}")
    figures: dict[str, float] = {}
    for name in options.collections or (*COLLECTIONS, *novels):
        one = COLLECTIONS[name]() if name in COLLECTIONS else load_novel(name)
        with open_indexed(one.name, options.keep, one.find_files) as (library, registry):
            figures |= measure(one, library, registry)
            if options.answers:
                figures |= measure_answers(one, library, registry, options.answers)
    print_result("unanswerable", **figures)


if __name__ == "__main__":
    main()
