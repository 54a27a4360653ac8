"""Answers of the chat model against gold answers, and whether what has no answer is refused.

    python -m benchmarks.answers [cmrc-odd tales-odd ...] --n 40 --keep FOLDER --show
    python -m benchmarks.answers graphrag --limit 6 --show
    python -m benchmarks.answers graphrag --library answers.inkgraph --modes walk naive

`cmrc-even`, `cmrc-odd` (CMRC2018, 150 paragraphs each) and `tales-even`, `tales-odd` (half of the
FairytaleQA stories) are libraries of `unanswerable`. Each is asked N questions of its own and N of
the other half, which it cannot answer. Of its own: exact match and F1 of what is stated (nothing
where passages are only quoted), and whether all that is shown contains the gold answer. The even
halves are for choosing constants, the odd ones report them.

`graphrag`: forty questions of GraphRAG-Bench on one novel by a fixed seed, answered by walk, mix
and naive; token F1 and containment. No model judges.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import re
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, median

from desktop_app.engine import paths
from desktop_app.engine.answering.pipeline import AnswerPipeline
from desktop_app.engine.llm.registry import ModelRegistry
from desktop_app.engine.query import MODES, QueryParam
from desktop_app.engine.retrieval.retriever import Retriever
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.evaluation.measures import (
    contained_share,
    is_equal,
    is_refused,
    is_stated,
    share_of_gold,
    short_f1,
    token_f1,
)
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library

from .common import data_file, load_cmrc_articles, make_parser, open_scratch, print_result
from .novels import open_indexed
from .unanswerable import COLLECTIONS, Collection

GRAPHRAG = "graphrag"
NOVEL = "Novel-41603"
N_QUESTIONS = 40
SEED = 7
PROMPT_TOKENS = 1000  # the same for all modes, however busy the machine is
COMPARED = ("walk", "mix", "naive")
_MARKS = re.compile(r"\[\d+\]")


@dataclass
class Scores:
    """What one mode gave, a value a question."""

    f1: list[float] = field(default_factory=list)
    contained: list[float] = field(default_factory=list)
    found: list[float] = field(default_factory=list)
    first_token_s: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


def main() -> None:
    options = _read_options()
    if options.sets != [GRAPHRAG]:
        figures: dict[str, float] = {}
        for name in options.sets or ("cmrc-odd", "tales-odd"):
            one = COLLECTIONS[name]()
            with open_indexed(one.name, options.keep, one.find_files) as (library, registry):
                figures |= measure_collection(one, library, registry, options.n, options.show)
        print_result("answers", **figures)
        return
    asked = load_questions(options.novel, options.questions)[: options.limit]
    scores = {mode: Scores() for mode in options.modes}
    with ExitStack() as stack:
        library, registry = _open(stack, options)
        model = registry.find_chat()
        if model is None:
            raise SystemExit("No chat model is installed: inkgraph models install starter")
        _index(library, registry, options.novel)
        print(f"{options.novel}, {len(asked)} questions, {model.name}, load {_load():.1f}")
        finder = Retriever(library.writer, registry.find_embedder)
        for mode in options.modes:  # a mode at a time, so that none profits from another's prompt
            asking = AnswerPipeline(finder, library.writer, lambda: model)
            param = QueryParam(mode=mode, max_total_tokens=options.tokens)
            for number, question in enumerate(asked, start=1):
                answer = asking.query(question["question"], param)
                score(scores[mode], question, answer)
                if options.show:
                    _show(mode, number, question, answer, scores[mode])
    for mode, kept in scores.items():
        print(
            f"{mode:6} F1 {mean(kept.f1):.3f}  contained {mean(kept.contained):.3f}"
            f"  in the sources {mean(kept.found):.3f}"
            f"  first token {median(kept.first_token_s):.1f} s  all {median(kept.seconds):.1f} s"
        )
    print_result(
        "answers",
        novel=options.novel,
        model=model.name,
        n=len(asked),
        tokens=options.tokens,
        load=round(_load(), 1),
        **{
            mode: {
                "f1": round(mean(kept.f1), 4),
                "contained": round(mean(kept.contained), 4),
                "in_sources": round(mean(kept.found), 4),
                "first_token_s": round(median(kept.first_token_s), 2),
                "seconds": round(median(kept.seconds), 2),
            }
            for mode, kept in scores.items()
        },
    )


# --- short gold answers ---------------------------------------------------------------------------


def load_gold(name: str) -> dict[str, list[str]]:
    """Return question -> gold answers of a collection's texts."""
    gold: dict[str, list[str]] = {}
    if name.startswith("cmrc"):
        for article in load_cmrc_articles():
            for asked in (qa for p in article["paragraphs"] for qa in p["qas"]):
                gold[asked["question"]] = [answer["text"] for answer in asked["answers"]]
        return gold
    for path in sorted(data_file("qa", "fairytaleqa").glob("questions/*/*-questions.csv")):
        with path.open(encoding="utf-8-sig", newline="") as file:
            for row in csv.DictReader(file):
                answers = (row[key].strip() for key in row if re.fullmatch(r"answer\d", key))
                gold[row["question"].strip()] = [answer for answer in answers if answer]
    return gold


def measure_collection(
    one: Collection, library: Library, registry: ModelRegistry, n: int, show: bool
) -> dict[str, float]:
    """Return the scores of own questions, and the share of others' that are refused."""
    model = registry.find_chat()
    if model is None:
        raise SystemExit("No chat model is installed: inkgraph models install starter")
    retriever = Retriever(library.writer, registry.find_embedder)
    pipeline = AnswerPipeline(retriever, library.writer, lambda: model)
    gold, values = load_gold(one.name), defaultdict(list)
    first: list[float] = []  # seconds to the first word, of each question that a model was asked
    first_written: list[float] = []  # of those with a written answer
    for kind, questions in (("own", one.own), ("others", one.others)):
        for question in questions[:n]:
            answer = pipeline.query(question, QueryParam(max_total_tokens=PROMPT_TOKENS))
            text = " ".join(_MARKS.sub("", answer.text).split())
            states = is_stated(answer.text)
            scores: dict[str, float] = {"stated": states, "refused": is_refused(answer.text)}
            if kind == "own" and gold[question]:
                scores["em"] = states and max(is_equal(text, g) for g in gold[question])
                scores["f1"] = states and max(short_f1(text, g) for g in gold[question])
                scores["contained"] = max(share_of_gold(g, text) for g in gold[question])
                if states:
                    scores["stated_f1"] = scores["f1"]
            for key, value in scores.items():
                values[kind, key].append(float(value))
            if answer.first_token_s:
                first.append(answer.first_token_s)
                if states:
                    first_written.append(answer.first_token_s)
            if show:
                told = " ".join(f"{key} {float(value):.2f}" for key, value in scores.items())
                print(f"{kind}: {question}\n  gold: {gold.get(question, [''])[:1]}")
                print(
                    f"  shown: {answer.text[:200]!r}\n  {told}, {answer.seconds:.1f} s", flush=True
                )
    figures = {f"{one.name}_{kind}_{key}": round(mean(v), 3) for (kind, key), v in values.items()}
    for key, seconds in (("first_s", first), ("first_written_s", first_written)):
        figures[f"{one.name}_{key}"] = round(median(seconds), 2) if seconds else 0.0
    print("  " + ", ".join(f"{key} {value}" for key, value in figures.items()), flush=True)
    return figures


# --- GraphRAG-Bench -------------------------------------------------------------------------------


def load_questions(novel: str, n: int) -> list[dict]:
    """Return the same questions of a novel every time; those that want something made up go."""
    found = json.loads(data_file("qa", "graphrag_bench", "novel_questions.json").read_text("utf-8"))
    own = [q for q in found if q["source"] == novel and q["question_type"] != "Creative Generation"]
    random.Random(SEED).shuffle(own)
    return own[:n]


def score(scores: Scores, question: dict, answer) -> None:
    gold, text = question["answer"], _MARKS.sub(" ", answer.text)
    scores.f1.append(token_f1(text, gold))
    scores.contained.append(contained_share(gold, text))
    sources = answer.prompt or " ".join(p.text for p in answer.found.passages)
    scores.found.append(contained_share(gold, sources.replace(question["question"], " ")))
    scores.first_token_s.append(answer.first_token_s)
    scores.seconds.append(answer.seconds)


def _open(stack: ExitStack, options: argparse.Namespace) -> tuple[Library, ModelRegistry]:
    if options.library is None:
        return stack.enter_context(open_scratch())
    library = Library(options.library)
    registry = ModelRegistry(paths.model_folders())
    stack.callback(library.close)
    stack.callback(registry.close)
    return library, registry


def _index(library: Library, registry: ModelRegistry, novel: str) -> None:
    add_files(library.writer, [data_file("qa", "graphrag_bench", "novels", f"{novel}.txt")])
    started = time.monotonic()
    IndexingService(library.writer, registry.find_embedder).run()
    print(f"indexed and embedded in {time.monotonic() - started:.0f} s")


def _show(mode: str, number: int, question: dict, answer, scores: Scores) -> None:
    print(
        f"\n{mode} {number}. {question['question']}\n  gold: {question['answer']}\n"
        f"  said: {' '.join(answer.text.split())}\n"
        f"  F1 {scores.f1[-1]:.2f}, contained {scores.contained[-1]:.2f}, in the sources "
        f"{scores.found[-1]:.2f}, {answer.n_prompt_tokens} prompt tokens, first after "
        f"{answer.first_token_s:.1f} s of {answer.seconds:.1f} s, load {_load():.1f}",
        flush=True,
    )


def _load() -> float:
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0


def _read_options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = make_parser(__doc__)
    parser.add_argument("sets", nargs="*", default=[], metavar="SET")
    parser.add_argument("--n", type=int, default=N_QUESTIONS, help="own questions, and others'")
    parser.add_argument("--keep", type=Path, help="folder that keeps the indexed libraries")
    parser.add_argument("--limit", type=int, default=N_QUESTIONS, help="graphrag: the first N")
    parser.add_argument("--questions", type=int, default=N_QUESTIONS)
    parser.add_argument("--modes", nargs="+", choices=MODES, default=list(COMPARED))
    parser.add_argument(
        "--tokens", type=int, default=PROMPT_TOKENS, help="of a prompt; 0: what is read in time"
    )
    parser.add_argument("--novel", default=NOVEL)
    parser.add_argument("--library", type=Path, help="keep the indexed novel here")
    parser.add_argument("--show", action="store_true", help="print every answer")
    options = parser.parse_args(arguments)
    known = [GRAPHRAG, *COLLECTIONS]
    if unknown := sorted(set(options.sets) - set(known)):
        parser.error(f"no {unknown[0]}; there are: {' '.join(known)}")
    if GRAPHRAG in options.sets and len(options.sets) > 1:
        parser.error(f"{GRAPHRAG} is measured alone")
    return options


if __name__ == "__main__":
    main()
