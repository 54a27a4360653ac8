"""Whether questions on cells of tables find the row: tables in PDF, DOCX, HTML, EPUB and Markdown.

60 questions on real files, of which 40 are made by rule (the words of the header and of the row)
and 20 are written in natural language. The row must stand in the best windows of the first five
passages, and in 820 tokens of context. Questions with an even number were used for settings, those
with an odd number are reported. No language model is asked.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from desktop_app.engine.llm.registry import ModelRegistry
from desktop_app.engine.model import Passage
from desktop_app.engine.query import QueryParam
from desktop_app.engine.retrieval.retriever import Retriever
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.text.chunking import load_tiktoken_counter

from .common import data_file, make_parser, open_scratch, print_result
from .contexts import fill_context

QUESTIONS = Path(__file__).with_name("questions") / "tables.tsv"
N_WINDOWS, BUDGET = 5, 820
REACH = 250  # letters between the name of a row and its cell
MORE_FILES = (  # without a table asked for
    *("pdf_papers/naacl06-shinyama.pdf", "pdf_papers/code_and_formula.pdf"),
    *("docx/equations.docx", "html/hongloumeng_003.html", "markdown/duck.md"),
)


@dataclass(frozen=True)
class Question:
    number: int
    kind: str
    file: str
    text: str
    row: str
    cell: str

    def is_in(self, text: str) -> bool:
        """Return whether a text has the row's name and, soon after it, the cell."""
        letters, row, cell = _plain(text), _plain(self.row), _plain(self.cell)
        at = letters.find(row)
        while at >= 0:
            if cell in letters[at + len(row) : at + len(row) + REACH]:
                return True
            at = letters.find(row, at + 1)
        return False


def _plain(text: str) -> str:
    return "".join(char for char in text if not char.isspace() and char != "|")


def load_questions() -> list[Question]:
    found = []
    for line in QUESTIONS.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            number, kind, file, text, row, cell = line.split("\t")
            found.append(Question(int(number), kind, file, text, row, cell))
    return found


def list_files(questions: Sequence[Question]) -> list[Path]:
    names = {q.file for q in questions}
    paths = [p for p in data_file("files").glob("*/*") if p.name in names]
    return sorted({*paths, *(data_file("files", *name.split("/")) for name in MORE_FILES)})


def best_windows(passages: Sequence[Passage]) -> list[str]:
    return [p.text[p.best_start - p.start : p.best_end - p.start] for p in passages[:N_WINDOWS]]


def measure(
    library: Library, registry: ModelRegistry, questions: Sequence[Question], show: bool
) -> dict[str, float]:
    retriever = Retriever(library.writer, registry.find_embedder)
    count_tokens = load_tiktoken_counter()
    hits: dict[str, list[bool]] = {}
    for q in questions:
        passages = retriever.find(q.text, QueryParam()).passages
        in_windows = any(q.is_in(window) for window in best_windows(passages))
        context = fill_context(passages, BUDGET, count_tokens)
        in_context = any(q.is_in(p.text) for p in context)
        half = "odd" if q.number % 2 else "even"
        for name, hit in (("windows", in_windows), ("context", in_context)):
            hits.setdefault(f"{half}_{name}", []).append(hit)
            hits.setdefault(f"{half}_{q.kind}_{name}", []).append(hit)
        if show and not (in_windows and in_context):
            print(f"{q.number} {q.file} {q.text!r}: windows {in_windows}, context {in_context}")
    return {name: round(sum(found) / len(found), 3) for name, found in sorted(hits.items())}


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--show", action="store_true", help="print the questions that fail")
    args: argparse.Namespace = parser.parse_args()
    questions = load_questions()
    with open_scratch() as (library, registry):
        add_files(library.writer, list_files(questions))
        IndexingService(library.writer, registry.find_embedder).run()
        figures = measure(library, registry, questions, args.show)
    print_result("tables", n=len(questions), **figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
