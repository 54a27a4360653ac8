"""What answers on whole novels show, written down to be judged by readers.

    python -m benchmarks.claims [NOVEL ...] --n 20 --keep FOLDER --out shown.jsonl
    python -m benchmarks.claims --score judged.jsonl

Asks questions of `questions/NAME.jsonl`, evenly drawn, with the whole pipeline and the active chat
model. Each line of the output is one claim that an answer shows: a sentence of the model that stood
the check ("stated") or a quotation ("quoted"), with the passage that it cites. A reader who knows
neither the program nor the novel's gold answers writes `supported` (the passage says it) and
`answers` (it answers the question, at least in part) as true or false; `--score` counts them.
"""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import mean

from desktop_app.engine.answering.citations import is_refusal
from desktop_app.engine.answering.pipeline import AnswerPipeline
from desktop_app.engine.model import Answer
from desktop_app.engine.query import QueryParam
from desktop_app.engine.retrieval.retriever import Retriever
from desktop_app.engine.services.evaluation.measures import iter_shown
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader

from .common import data_file, make_parser, print_result
from .novel_evidence import FILES, load_questions
from .novels import open_indexed

PROMPT_TOKENS = 1000  # the same on every machine
AROUND = 400  # characters of the document on each side of what is cited
STATED, QUOTED = "stated", "quoted"


def list_shown(answer: Answer, read: LibraryReader) -> Iterator[dict[str, str]]:
    """Yield each claim of an answer with its kind and the passage around its citation."""
    for words, citation, is_stated in iter_shown(answer):
        text = read.fetch_text(citation.document_id)
        first, last = max(0, citation.start - AROUND), citation.end + AROUND
        kind = STATED if is_stated else QUOTED
        yield {"kind": kind, "claim": words, "passage": " ".join(text[first:last].split())}


def ask_all(name: str, n: int, library: Library, pipeline: AnswerPipeline, out: Path) -> None:
    """Ask `n` questions on a novel and append what is shown to the output."""
    questions = load_questions(name)
    reader = LibraryReader(library.writer)
    for question in questions[:: max(1, len(questions) // n)][:n]:
        started = time.perf_counter()
        answer = pipeline.query(question.text, QueryParam(max_total_tokens=PROMPT_TOKENS))
        shown = list(list_shown(answer, reader))
        lines = [{"novel": name, "question": question.text, **one} for one in shown]
        with out.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        kinds = "refused" if is_refusal(answer.text) else ", ".join(one["kind"] for one in shown)
        print(f"  {name}: {question.text[:60]} [{kinds}] {time.perf_counter() - started:.0f} s")


def score(path: Path) -> dict[str, float]:
    """Return shares of the judged claims by kind, and of the questions with an answer."""
    judged = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    figures: dict[str, float] = {"claims": len(judged)}
    answered: dict[str, bool] = defaultdict(bool)
    for one in judged:
        answered[one["question"]] |= bool(one["answers"])
    for kind in (STATED, QUOTED):
        of_kind = [one for one in judged if one["kind"] == kind]
        figures[kind] = len(of_kind)
        for verdict in ("supported", "answers"):
            if of_kind:
                figures[f"{kind}_{verdict}"] = round(mean(bool(o[verdict]) for o in of_kind), 3)
    if judged:
        figures["supported"] = round(mean(bool(one["supported"]) for one in judged), 3)
        figures["questions_answered"] = round(mean(answered.values()), 3)
    return figures


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("novels", nargs="*", metavar="NOVEL", help=" ".join(FILES))
    parser.add_argument("--n", type=int, default=20, help="questions on each novel")
    parser.add_argument("--keep", type=Path, help="folder that keeps the indexed libraries")
    parser.add_argument("--out", type=Path, default=Path("shown.jsonl"))
    parser.add_argument("--score", type=Path, metavar="FILE", help="count the verdicts of a file")
    options = parser.parse_args()
    if options.score:
        print_result("claims", **score(options.score))
        return
    if unknown := sorted(set(options.novels) - set(FILES)):
        parser.error(f"no novel “{unknown[0]}”; there are: {' '.join(FILES)}")
    for name in options.novels or FILES:

        def find(_: Path, path: Path = data_file(*FILES[name])) -> list[Path]:  # noqa: B008
            return [path]

        with open_indexed(f"novel-{name}", options.keep, find) as (library, registry):
            model = registry.find_chat()
            if model is None:
                raise SystemExit("No chat model is installed: inkgraph models install starter")
            retriever = Retriever(library.writer, registry.find_embedder)
            pipeline = AnswerPipeline(retriever, library.writer, registry.find_chat)
            ask_all(name, options.n, library, pipeline, options.out)
    print(f"What is shown is in {options.out}.")


if __name__ == "__main__":
    main()
