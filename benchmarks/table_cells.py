"""Whether the cell that a question asks for is stated, and nothing else, without a language model.

220 questions in natural language, written before the code: on tables of real files (papers,
reports, web pages, Word) and on eleven tables that are made from `questions/cell_tables.json` as
XLSX, CSV, DOCX and HTML, in English and Chinese. No cell answers 82 of them: another row, column or
table is asked for, or a sum. All files are in one library. Halves are split by table: one was used
to fit, the other only to report. Every statement for a question without a cell is wrong, and so is
one that misses a part of its answer. Sixty questions on novels, which are added then and found by
words and names, must state nothing.
"""

from __future__ import annotations

import argparse
import csv
import html
import json
import re
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop_app.engine.answering.citations import escape_markdown
from desktop_app.engine.answering.tables.answer import answer_from_tables
from desktop_app.engine.model import Answer
from desktop_app.engine.query import QueryParam
from desktop_app.engine.retrieval.retriever import Retriever
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.writing_systems import has_han

from .common import data_file, make_parser, open_scratch, print_result

QUESTIONS = Path(__file__).with_name("questions")
NOVELS = {
    "dracula": ("en_novels", "gutenberg", "dracula.txt"),
    "great_expectations": ("en_novels", "gutenberg", "great_expectations.txt"),
    "sanguo": ("zh_novels", "sanguo", "sanguo.txt"),
}
N_OF_NOVEL = 20
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="xml" ContentType="application/xml"/></Types>'
)


@dataclass(frozen=True)
class Question:
    number: int
    half: str
    kind: str
    file: str
    text: str
    parts: tuple[str, ...]

    def rate(self, answer: Answer | None, titles: dict[int, str]) -> str:
        """Return "right", "silent" or "wrong"."""
        if answer is None:
            return "silent"
        cited = {titles[one.document_id] for one in answer.citations}
        if self.kind == "none" or not cited <= {self.file, *COPIES.get(self.file, ())}:
            return "wrong"
        if self.kind == "most":
            return "right" if escape_markdown(self.parts[0]) in answer.text else "wrong"
        if self.kind == "line":
            is_whole = all(re.search(f"[:：] ?{re.escape(p)}", answer.text) for p in self.parts)
            return "right" if is_whole and len(answer.citations) == 1 else "wrong"
        if len(self.parts) > 1:
            lines = answer.text.split("\n")
            is_in = (any(f": {p}" in x or f"：{p}" in x for x in lines) for p in self.parts)
            return "right" if all(is_in) and len(lines) == len(self.parts) else "wrong"
        quotes = [_plain(one.quote) for one in answer.citations]
        return "right" if quotes == [_plain(self.parts[0])] else "wrong"


COPIES = {  # other files that have the same fact
    "word_sample.docx": ("mineru_docx_01.docx",),
    "google-doc-document.pdf": ("multicolumn.pdf",),
}


def _plain(text: str) -> str:
    return "".join(text.split())


def load_questions() -> list[Question]:
    found = []
    for line in (QUESTIONS / "table_cells.tsv").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            number, half, kind, file, text, answer = line.split("\t")
            parts = tuple(filter(None, answer.split("|")))
            found.append(Question(int(number), half, kind, file, text, parts))
    return found


# --- files of the made tables -----------------------------------------------------------------


def write_files(folder: Path) -> list[Path]:
    """Write the made tables as files, and return these."""
    tables = json.loads((QUESTIONS / "cell_tables.json").read_text("utf-8"))
    writers = {".xlsx": _write_xlsx, ".csv": _write_csv, ".docx": _write_docx, ".html": _write_html}
    paths = []
    for table in tables:
        path = folder / table["file"]
        writers[path.suffix](path, table)
        paths.append(path)
    return paths


def _write_xlsx(path: Path, table: dict[str, Any]) -> None:
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    sheet.title = table["title"]
    for row in table["rows"]:
        sheet.append([_to_number(cell) for cell in row])
    book.save(path)


def _to_number(cell: str) -> str | int | float:
    if re.fullmatch(r"\d+", cell):
        return int(cell)
    return float(cell) if re.fullmatch(r"\d+\.\d+", cell) else cell


def _write_csv(path: Path, table: dict[str, Any]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(table["rows"])


def _write_docx(path: Path, table: dict[str, Any]) -> None:
    def paragraph(text: str, style: str = "") -> str:
        properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
        return f"<w:p>{properties}<w:r><w:t>{html.escape(text)}</w:t></w:r></w:p>"

    rows = "".join(
        "<w:tr>" + "".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in row) + "</w:tr>"
        for row in table["rows"]
    )
    head = paragraph(table["title"], "Heading1") + paragraph(table["caption"])
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("[Content_Types].xml", _TYPES)
        package.writestr(
            "word/document.xml",
            f'<w:document xmlns:w="{_WORD}"><w:body>{head}<w:tbl>{rows}</w:tbl></w:body>'
            "</w:document>",
        )


def _write_html(path: Path, table: dict[str, Any]) -> None:
    spans = table.get("spans")
    lines = []
    for number, row in enumerate(table["rows"]):
        tag = "th" if number == 0 or (spans and number == 1) else "td"
        cells = []
        at = 0
        while at < len(row):
            width = _count_columns(spans, at) if spans and number == 0 else 1
            cells.append(f'<{tag} colspan="{width}">{html.escape(row[at])}</{tag}>')
            at += width
        lines.append(f"<tr>{''.join(cells)}</tr>")
    title, caption = html.escape(table["title"]), html.escape(table["caption"])
    body = f"<h1>{title}</h1><table><caption>{caption}</caption>{''.join(lines)}</table>"
    head = f'<head><meta charset="utf-8"><title>{title}</title></head>'
    path.write_text(f"<html>{head}<body>{body}</body></html>", "utf-8")


def _count_columns(spans: Sequence[int], column: int) -> int:
    at = 0
    for width in spans:
        if at == column:
            return width
        at += width
    return 1


def find_files(questions: Iterable[Question], made: Sequence[Path]) -> list[Path]:
    names = {q.file for q in questions} - {path.name for path in made}
    names |= {name for copies in COPIES.values() for name in copies}
    return sorted(p for p in data_file("files").glob("*/*") if p.name in names)


# --- measuring --------------------------------------------------------------------------------


def iter_novel_questions() -> Iterator[str]:
    for name in NOVELS:
        lines = (QUESTIONS / f"{name}.jsonl").read_text("utf-8").splitlines()
        yield from (json.loads(line)["question"] for line in lines[:N_OF_NOVEL])


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--show", action="store_true", help="print all questions with their answer")
    parser.add_argument("--half", default="", help="only the questions of this half")
    parser.add_argument("--no-novels", action="store_true", help="leave out the novels")
    args: argparse.Namespace = parser.parse_args()
    questions = [q for q in load_questions() if args.half in ("", q.half)]
    ratings: Counter[tuple[str, str]] = Counter()
    seconds: list[float] = []
    with open_scratch() as (library, registry), tempfile.TemporaryDirectory() as folder:
        made = write_files(Path(folder))
        add_files(library.writer, [*made, *find_files(load_questions(), made)])
        IndexingService(library.writer, registry.find_embedder).run()
        rows = library.writer.rows("SELECT id, file_name FROM document")
        titles = {int(number): str(name) for number, name in rows}

        def ask(text: str, retriever: Retriever) -> Answer | None:
            found = retriever.find(text, QueryParam())
            began = time.process_time()
            answer = answer_from_tables(library.writer, found, "zh" if has_han(text) else "en")
            seconds.append(time.process_time() - began)
            return answer

        with_vectors = Retriever(library.writer, registry.find_embedder)
        for q in questions:
            answer = ask(q.text, with_vectors)
            rating = q.rate(answer, titles)
            ratings[q.half, f"{'none' if q.kind == 'none' else 'cell'} {rating}"] += 1
            if args.show:
                shown = " ".join(answer.text.split()) if answer is not None else "-"
                print(f"{rating} {q.half} {q.number} {q.kind} {q.file}: {q.text} => {shown}")
        figures: dict[str, object] = {}
        for half in dict.fromkeys(q.half for q in questions):
            of_half = {rated: n for (own, rated), n in ratings.items() if own == half}
            n_cell = sum(n for rated, n in of_half.items() if rated.startswith("cell"))
            right = of_half.get("cell right", 0)
            wrong = of_half.get("cell wrong", 0) + of_half.get("none wrong", 0)
            figures[half] = {
                "right": round(right / n_cell, 3),
                "not_stated": round(of_half.get("cell silent", 0) / n_cell, 3),
                "wrong": wrong,
                "right_of_stated": round(right / max(1, right + wrong), 3),
                "n_with_cell": n_cell,
                "n_without": sum(of_half.values()) - n_cell,
            }
        if not args.no_novels:
            add_files(library.writer, [data_file(*parts) for parts in NOVELS.values()])
            IndexingService(library.writer, lambda: None).run()
            by_words = Retriever(library.writer, lambda: None)
            asked = [(text, ask(text, by_words)) for text in iter_novel_questions()]
            stated = [(text, answer) for text, answer in asked if answer is not None]
            figures["stated_of_novels"] = len(stated)
            for text, answer in stated:
                print(f"novel: {text} => {answer.text}")
    seconds.sort()
    figures["ms_median"] = round(1000 * seconds[len(seconds) // 2], 1)
    figures["ms_p95"] = round(1000 * seconds[int(0.95 * len(seconds))], 1)
    figures["ms_most"] = round(1000 * seconds[-1], 1)
    print_result("table_cells", **figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
