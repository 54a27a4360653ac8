"""Answers of the starter model on one novel, against gold answers: token F1 and containment.

Forty questions of GraphRAG-Bench by a fixed seed, answered by walk, mix and naive. No model
judges; nothing is kept but, with `--library`, the indexed novel.

    python -m benchmarks.answers --limit 6 --show
    python -m benchmarks.answers --library answers.inkgraph --modes walk naive
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import time
from collections import Counter
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
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library

from .common import data_file, make_parser, open_scratch, print_result

NOVEL = "Novel-41603"
N_QUESTIONS = 40
SEED = 7
PROMPT_TOKENS = 1000  # the same for all modes, however busy the machine is
COMPARED = ("walk", "mix", "naive")
_MARKS = re.compile(r"\[\d+\]")
_EMPTY = frozenset(
    re.findall(
        r"\w+",
        """
    a an the of to in on at by for from with and or but as is was were are be been being it its he
    his him she her they their them that this these those who which what not had has have did do
    does
    """,
    )
)


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


def token_f1(text: str, gold: str) -> float:
    """Return the F1 of words, as SQuAD counts them."""
    said, wanted = Counter(content_words(text)), Counter(content_words(gold))
    shared = sum((said & wanted).values())
    if not shared:
        return 0.0
    precision, recall = shared / said.total(), shared / wanted.total()
    return 2 * precision * recall / (precision + recall)


def contained_share(gold: str, text: str) -> float:
    """Return the share of the gold answer's content words that a text has."""
    wanted = set(content_words(gold))
    return len(wanted & set(content_words(text))) / len(wanted) if wanted else 1.0


def content_words(text: str) -> list[str]:
    words = re.findall(r"[^\W_]+", re.sub(r"['’]s\b", "", text.casefold()))
    return [w for w in words if w not in _EMPTY]


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
    parser.add_argument("--limit", type=int, default=N_QUESTIONS, help="the first N of them")
    parser.add_argument("--questions", type=int, default=N_QUESTIONS)
    parser.add_argument("--modes", nargs="+", choices=MODES, default=list(COMPARED))
    parser.add_argument(
        "--tokens", type=int, default=PROMPT_TOKENS, help="of a prompt; 0: what is read in time"
    )
    parser.add_argument("--novel", default=NOVEL)
    parser.add_argument("--library", type=Path, help="keep the indexed novel here")
    parser.add_argument("--show", action="store_true", help="print every answer")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
