"""Whether the evidence for questions on whole novels stands in an answer's context, by kind.

    python -m benchmarks.novel_evidence [sanguo honglou ...] [--modes walk naive] [--show]

`questions/NAME.jsonl` has sixty questions on a novel, written by readers who knew nothing of the
program: how somebody ends, deeds, relations, first meetings, why, where, when, who said it, what is
described, how. A third of them (`unusual`) say it in words that the passage does not have. Each has
anchors, short quotations of which one suffices, or `places`, of which the share found counts.
Questions with an even number may be used to improve the program; those with an odd one report it.
No language model is asked.

`questions/passages/` has 2,688 more on eighteen other novels, written in the same way from single
passages (1,316 of them in other words): the weights of `book_ranking` were fitted on some of them
(decision 151), and they are many enough to see a gain of two in a hundred. Name a novel to ask
them.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from desktop_app.engine.llm.registry import ModelRegistry
from desktop_app.engine.model import Passage
from desktop_app.engine.query import QueryParam
from desktop_app.engine.retrieval.retriever import Retriever
from desktop_app.engine.services.library import Library

from .common import data_file, make_parser, print_result
from .contexts import fill_context, find_counter
from .novels import CHUNK_TOP_K, open_indexed

QUESTIONS = Path(__file__).parent / "questions"
FILES = {
    "sanguo": ("zh_novels", "sanguo", "sanguo.txt"),
    "honglou": ("zh_novels", "honglou", "honglou.txt"),
    "dracula": ("en_novels", "gutenberg", "dracula.txt"),
    "great_expectations": ("en_novels", "gutenberg", "great_expectations.txt"),
    "war_and_peace": ("en_novels", "gutenberg", "war_and_peace.txt"),
}
PASSAGE_FILES = {
    "rulin": ("derived", "rulin.big5.txt"),
    "shuihu": ("zh_novels", "shuihu", "shuihu_120.txt"),
    "xiyou": ("zh_novels", "xiyou", "xiyou.txt"),
    "secret_adversary": ("en_novels", "litbank_full", "1155_the_secret_adversary.txt"),
    "treasure_island": ("en_novels", "litbank_full", "120_treasure_island.txt"),
    "jane_eyre": ("en_novels", "litbank_full", "1260_jane_eyre_an_autobiography.txt"),
    "middlemarch": ("en_novels", "litbank_full", "145_middlemarch.txt"),
    "moonstone": ("en_novels", "litbank_full", "155_the_moonstone.txt"),
    "moby_dick": ("en_novels", "litbank_full", "2489_moby_dick.txt"),
    "hound_of_the_baskervilles": (
        "en_novels",
        "litbank_full",
        "2852_the_hound_of_the_baskervilles.txt",
    ),
    "war_of_the_worlds": ("en_novels", "litbank_full", "36_the_war_of_the_worlds.txt"),
    "oliver_twist": ("en_novels", "litbank_full", "730_oliver_twist.txt"),
    "wuthering_heights": ("en_novels", "litbank_full", "768_wuthering_heights.txt"),
    "alice": ("en_novels", "gutenberg", "alice.txt"),
    "christmas_carol": ("en_novels", "gutenberg", "christmas_carol.txt"),
    "frankenstein": ("en_novels", "gutenberg", "frankenstein.txt"),
    "pride_and_prejudice": ("en_novels", "gutenberg", "pride_and_prejudice.txt"),
    "sherlock_holmes": ("en_novels", "gutenberg", "sherlock_holmes.txt"),
}
MODES = ("walk", "naive", "words")
BUDGETS = (820, 2000)  # tokens: what the starter's answers read, and what a faster model reads
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class NovelQuestion:
    """A question with the quotations that prove its answer; `is_even` numbers may be fitted on."""

    text: str
    kind: str
    is_unusual: bool
    is_even: bool
    anchors: tuple[str, ...]
    places: tuple[str, ...]


def load_questions(name: str) -> list[NovelQuestion]:
    """Return the questions on a novel, in the order of their file."""
    folder = QUESTIONS if name in FILES else QUESTIONS / "passages"
    lines = (folder / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [
        NovelQuestion(
            row["question"],
            row["kind"],
            row["unusual"],
            number % 2 == 0,
            tuple(map(_squeeze, row["anchors"])),
            tuple(map(_squeeze, row["places"])),
        )
        for number, row in enumerate(map(json.loads, lines))
    ]


def _squeeze(text: str) -> str:
    return _SPACE.sub("", text)


def find_share(question: NovelQuestion, context: Sequence[Passage]) -> float:
    """Return 1 if an anchor stands in a passage, or the share of the places that do."""
    texts = [_squeeze(passage.text) for passage in context]
    inside = [any(a in text for text in texts) for a in question.places or question.anchors]
    return mean(inside) if question.places else float(any(inside))


def measure(
    name: str, library: Library, registry: ModelRegistry, modes: Sequence[str], show: bool
) -> dict[str, float]:
    """Return the share of evidence for each mode, budget, half and kind."""
    finder = Retriever(library.writer, registry.find_embedder)
    count, questions = find_counter(registry), load_questions(name)
    figures: dict[str, float] = {}
    for mode in modes:
        shares: dict[tuple[int, str], list[float]] = defaultdict(list)
        for question in questions:
            found = finder.find(question.text, QueryParam(mode=mode, chunk_top_k=CHUNK_TOP_K))
            for budget in BUDGETS:
                context = fill_context(found.passages, budget, count)
                share = find_share(question, context)
                half = "even" if question.is_even else "odd"
                words = "unusual" if question.is_unusual else "usual"
                for group in ("all", half, words, question.kind):
                    shares[budget, group].append(share)
            if show and mode == modes[0]:
                print(f"    {shares[BUDGETS[0], 'all'][-1]:.1f} {question.kind} {question.text}")
        for (budget, group), values in shares.items():
            figures[f"{name}_{mode}_{budget}_{group}"] = round(mean(values), 3)
        for budget in BUDGETS:
            said = (f"{g} {mean(v):.2f}" for (b, g), v in shares.items() if b == budget)
            print(f"  {name:18} {mode:6} in {budget} tokens: {', '.join(said)}", flush=True)
    return figures


def main() -> None:
    parser = make_parser(__doc__)
    known = FILES | PASSAGE_FILES
    parser.add_argument("novels", nargs="*", default=[], metavar="NOVEL", help=" ".join(known))
    parser.add_argument("--modes", nargs="+", default=list(MODES))
    parser.add_argument("--keep", type=Path, help="folder that keeps the indexed libraries")
    parser.add_argument("--show", action="store_true", help="print every question's share")
    options = parser.parse_args()
    if unknown := sorted(set(options.novels) - set(known)):
        parser.error(f"no questions on {unknown[0]}; there are: {' '.join(known)}")
    figures: dict[str, float] = {}
    for name in options.novels or FILES:

        def find(_: Path, path: Path = data_file(*known[name])) -> list[Path]:  # noqa: B008
            return [path]

        with open_indexed(f"novel-{name}", options.keep, find) as (lib, reg):
            figures |= measure(name, lib, reg, options.modes, options.show)
    head = {k: v for k, v in figures.items() if k.endswith(("_all", "_odd"))}
    print_result("novel_evidence", **head, detail=figures)


if __name__ == "__main__":
    main()
