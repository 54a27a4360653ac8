"""Whether the default mode finds as much as vectors or words alone, in collections of five shapes.

    python -m benchmarks.shapes [numbered manual ...] [--modes walk naive words] [--keep FOLDER]

The shapes are made of sets whose evidence is known: `numbered` (HotpotQA, each passage a file
named by a number, without its title), `numbered_zh` (CMRC2018, likewise), `manual` and `manual_zh`
(the same passages as one long text with numbered sections), `letters` (Dracula, one file for each
dated entry). Novels and tales are measured by `novel_evidence` and `novels`. The figure is the
share of a question's evidence that stands in an answer's context; questions with an even number may
be used to improve the program, those with an odd one report it. No language model is asked.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from desktop_app.engine.query import QueryParam
from desktop_app.engine.retrieval.retriever import Retriever

from .common import data_file, load_cmrc_articles, make_parser, print_result
from .contexts import fill_context, find_counter
from .novel_evidence import BUDGETS, MODES, NovelQuestion, find_share, load_questions
from .novels import CHUNK_TOP_K, open_indexed

N_QUESTIONS = 200
AROUND = 12  # characters on each side of an answer that make it unmistakable
MOST_CHARS = 40  # of an answer that must be found
_SPACE = re.compile(r"\s+")
_ENTRY = re.compile(  # "_3 May. Bistritz._", "_Letter, Miss Mina Murray ..._", "_25 September._"
    r"^(?=_?(?:\d{1,2} [A-Z][a-z]+|Letter|Telegram|Note)\b)|^(?=CHAPTER )", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Shape:
    """Texts of files and questions about them."""

    texts: list[str]
    questions: list[NovelQuestion]


def make_question(number: int, text: str, places: list[str]) -> NovelQuestion:
    squeezed = tuple(_SPACE.sub("", place) for place in places)
    return NovelQuestion(text, "", False, number % 2 == 0, (), squeezed)


def load_hotpot() -> Shape:
    folder = ("qa", "hipporag_legacy")
    corpus = json.loads(data_file(*folder, "hotpotqa_train_corpus.json").read_text("utf-8"))
    asked = json.loads(data_file(*folder, "hotpotqa_train.json").read_text("utf-8"))
    questions = []
    for number, one in enumerate(asked):
        facts = [corpus[title][at] for title, at in one["supporting_facts"]]
        questions.append(make_question(number, one["question"], facts))
    return Shape(["".join(sentences) for sentences in corpus.values()], questions)


def load_chinese() -> Shape:
    paragraphs = [p for article in load_cmrc_articles() for p in article["paragraphs"]]
    questions: list[NovelQuestion] = []
    for paragraph in paragraphs:
        text = paragraph["context"]
        for asked in paragraph["qas"]:
            answer = asked["answers"][0]["text"]
            at = text.find(answer)
            if at >= 0:
                place = text[max(0, at - AROUND) : at + min(len(answer), MOST_CHARS) + AROUND]
                questions.append(make_question(len(questions), asked["question"], [place]))
    step = max(1, len(questions) // N_QUESTIONS) | 1  # odd, so that both halves are drawn
    return Shape([p["context"] for p in paragraphs], questions[::step])


def join(shape: Shape) -> Shape:
    """Return the same as one long text with numbered sections."""
    parts = (f"Section {n}\n\n{text}\n" for n, text in enumerate(shape.texts, 1))
    return Shape(["\n".join(parts)], shape.questions)


def load_letters() -> Shape:
    text = data_file("en_novels", "gutenberg", "dracula.txt").read_text("utf-8")
    entries = [entry for entry in _ENTRY.split(text) if len(entry.split()) > 20]
    return Shape(entries, load_questions("dracula"))


SHAPES: dict[str, Callable[[], Shape]] = {
    "numbered": load_hotpot,
    "numbered_zh": load_chinese,
    "manual": lambda: join(load_hotpot()),
    "manual_zh": lambda: join(load_chinese()),
    "letters": load_letters,
}


def measure(name: str, modes: list[str], keep: Path | None) -> dict[str, float]:
    """Return the share of evidence for each mode, budget and half."""
    shape = SHAPES[name]()

    def write(folder: Path) -> list[Path]:
        files = [folder / f"{number:04}.txt" for number in range(len(shape.texts))]
        for file, text in zip(files, shape.texts, strict=True):
            file.write_text(text, "utf-8")
        return files

    figures: dict[str, float] = {}
    with open_indexed(f"shape-{name}", keep, write) as (library, registry):
        finder, count = Retriever(library.writer, registry.find_embedder), find_counter(registry)
        for mode in modes:
            shares: dict[str, list[float]] = defaultdict(list)
            for question in shape.questions:
                found = finder.find(question.text, QueryParam(mode=mode, chunk_top_k=CHUNK_TOP_K))
                for budget in BUDGETS:
                    context = fill_context(found.passages, budget, count)
                    share = find_share(question, context)
                    half = "even" if question.is_even else "odd"
                    for group in ("all", half):
                        shares[f"{budget}_{group}"].append(share)
            said = ", ".join(f"{group} {mean(v):.3f}" for group, v in shares.items())
            print(f"  {name:12} {mode:6} {len(shape.questions)} questions: {said}", flush=True)
            figures |= {f"{name}_{mode}_{group}": round(mean(v), 3) for group, v in shares.items()}
    return figures


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("shapes", nargs="*", metavar="SHAPE", default=[], help=" ".join(SHAPES))
    parser.add_argument("--modes", nargs="+", default=list(MODES))
    parser.add_argument("--keep", type=Path, help="folder that keeps the indexed libraries")
    options = parser.parse_args()
    figures: dict[str, float] = {}
    for name in options.shapes or SHAPES:
        figures |= measure(name, options.modes, options.keep)
    print_result("shapes", **figures)


if __name__ == "__main__":
    main()
