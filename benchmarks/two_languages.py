"""Whether questions are answered from a library with English and Chinese documents.

    python -m benchmarks.two_languages [encyclopedias law novels] [--keep FOLDER]

Three libraries: HotpotQA with CMRC2018, The War of the Worlds with a Chinese law, and The Moonstone
with 西游记. Each is asked the questions of both parts (`own`), and questions in the other language
(`cross`), translated by hand: `questions/other_language.tsv` has the set, the question and its
translation; `questions/law.tsv` has questions on the law in both languages, with the words that
answer them. Recall in the first five passages is compared with that in the documents of the right
language alone. Questions with an even number were used to choose the constants of
`retrieval.languages`; the others report them (decision 182). No language model is asked.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from desktop_app.engine.llm.registry import ModelRegistry
from desktop_app.engine.model import RetrievalResult
from desktop_app.engine.query import QueryParam
from desktop_app.engine.retrieval.retriever import Retriever
from desktop_app.engine.services.library import Library

from .common import data_file, make_parser, print_result
from .novel_evidence import FILES, PASSAGE_FILES, QUESTIONS, load_questions
from .novels import open_indexed
from .retrieval import LOADERS

LIBRARIES = {
    "encyclopedias": ("hotpot", "cmrc"),
    "law": ("war_of_the_worlds", "law"),
    "novels": ("moonstone", "xiyou"),
}
EVERY = {"cmrc": 3, "xiyou": 5}  # of the questions of large sets
N_FIRST = 5
LAW = ("files", "docx", "中华人民共和国招标投标法(2017修正)(FBM-CLI.1.307547) (1).docx")


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question with what its passages must contain: whole texts, or one of several quotations."""

    text: str
    gold: frozenset[str]
    is_whole: bool

    def find_share(self, found: RetrievalResult, texts: dict[int, str]) -> float:
        """Return the share of the texts among the first passages; 1 if a quotation is there.

        Args:
            texts: document id -> its text without blanks.
        """
        first = found.passages[:N_FIRST]
        if self.is_whole:
            return len(self.gold & {texts[p.document_id] for p in first}) / len(self.gold)
        said = [_squeeze(passage.text) for passage in first]
        return float(any(gold in text for text in said for gold in self.gold))


def load_part(name: str) -> list[AskedQuestion]:
    """Return the questions on one part of a library, in its own language."""
    if name in LOADERS:
        asked = LOADERS[name]().questions
        return [AskedQuestion(q, frozenset(map(_squeeze, gold)), True) for q, gold in asked]
    if name == "law":
        rows = _read("law.tsv")
        return [AskedQuestion(q, frozenset({_squeeze(said)}), False) for q, _, said in rows]
    return [AskedQuestion(q.text, frozenset(q.anchors), False) for q in load_questions(name)]


def load_cross(name: str) -> list[AskedQuestion]:
    """Return the questions on one part of a library in the other language."""
    if name == "law":
        pairs = [(q, translated) for q, translated, _ in _read("law.tsv")]
    else:
        pairs = [
            (q, translated) for part, q, translated in _read("other_language.tsv") if part == name
        ]
    own = {q.text: q for q in load_part(name)}
    return [AskedQuestion(t, own[q].gold, own[q].is_whole) for q, t in pairs]


def _read(name: str) -> list[list[str]]:
    return [line.split("\t") for line in (QUESTIONS / name).read_text("utf-8").splitlines()]


def _squeeze(text: str) -> str:
    return "".join(text.split())


def write_part(name: str, folder: Path) -> list[Path]:
    """Return the files of one part of a library."""
    if name == "law":
        return [data_file(*LAW)]
    if name not in LOADERS:
        return [data_file(*(FILES | PASSAGE_FILES)[name])]
    path = folder / f"{name}.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for number, (title, text) in enumerate(LOADERS[name]().passages):
            row = {"title": title or str(number), "text": text}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    return [path]


def measure(name: str, library: Library, registry: ModelRegistry) -> dict[str, float]:
    """Return recall of own and translated questions, in the library and in one language alone."""
    db, figures = library.writer, {}
    languages = db.rows("SELECT id, language FROM document")
    rows = db.rows("SELECT document_id, text FROM document_text")
    texts = {document_id: _squeeze(text) for document_id, text in rows}
    finder = Retriever(db, registry.find_embedder)
    for part, is_chinese in zip(LIBRARIES[name], (False, True), strict=True):
        alone = tuple(i for i, language in languages if (language == "zh") == is_chinese)
        for kind, asked in (
            ("own", load_part(part)[:: EVERY.get(part, 1)]),
            ("cross", load_cross(part)),
        ):
            said = []
            for where, ids in (("mixed", None), ("alone", alone)):
                param = QueryParam(chunk_top_k=N_FIRST, document_ids=ids)
                found = [finder.find(q.text, param) for q in asked]
                shares = [q.find_share(one, texts) for q, one in zip(asked, found, strict=True)]
                key = f"{part}_{kind}_{where}"
                figures[key] = round(mean(shares), 3)
                figures[f"{key}_odd"] = round(mean(shares[1::2]), 3)
                figures[f"{key}_weak"] = round(mean(one.weak for one in found), 3)
                said.append(
                    f"{where} {figures[key]:.3f} (even {mean(shares[::2]):.3f}, odd"
                    f" {figures[f'{key}_odd']:.3f}), refused {figures[f'{key}_weak']:.2f}"
                )
            print(f"  {part:18} {kind:5} {len(asked):3} {'   '.join(said)}", flush=True)
    return figures


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("libraries", nargs="*", default=[], metavar="LIBRARY")
    parser.add_argument("--keep", type=Path, help="folder that keeps the indexed libraries")
    options = parser.parse_args()
    if unknown := sorted(set(options.libraries) - set(LIBRARIES)):
        parser.error(f"no library {unknown[0]}; there are: {' '.join(LIBRARIES)}")
    figures: dict[str, float] = {}
    for name in options.libraries or LIBRARIES:
        find = _find_files(name)
        with open_indexed(f"languages-{name}", options.keep, find) as (library, registry):
            figures |= measure(name, library, registry)
    head = {k: v for k, v in figures.items() if k.endswith(("_mixed_odd", "_alone_odd"))}
    print_result("two_languages", **head, detail=figures)


def _find_files(name: str) -> Callable[[Path], list[Path]]:
    return lambda folder: [p for part in LIBRARIES[name] for p in write_part(part, folder)]


if __name__ == "__main__":
    main()
