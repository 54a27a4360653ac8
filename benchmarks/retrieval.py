"""Whether the passages that hold the answer are found: 2Wiki, MuSiQue, HotpotQA, CMRC2018.

Every question counts; figures of each half of a set stand beside the whole, since settings were
tried on the first halves only. No language model is asked.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from desktop_app.engine.query import MODES as KNOWN_MODES
from desktop_app.engine.query import QueryParam
from desktop_app.engine.retrieval.retriever import Retriever
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.indexing import IndexingService

from .common import data_file, load_cmrc_articles, make_parser, open_scratch, print_result

PUBLISHED = "published, 2Wiki-101: fast-graphrag 0.93, nano-graphrag 0.73, LightRAG 0.45"
CMRC_EVERY = 5
MODES = ("walk", "naive", "words")


@dataclass(frozen=True)
class QuestionSet:
    """Passages as (title, text) and questions as (question, texts of the gold passages)."""

    name: str
    passages: list[tuple[str, str]]
    questions: list[tuple[str, frozenset[str]]]


def load_2wiki() -> QuestionSet:
    found = json.loads(data_file("qa", "2wiki_hipporag", "bench_2wiki101.json").read_text("utf-8"))
    passages = [(p["title"], p["text"]) for p in found["passages"]]
    text_of = dict(passages)
    return QuestionSet(
        "twowiki",
        passages,
        [
            (q["question"], frozenset(text_of[t] for t in q["gold_titles"]))
            for q in found["questions"]
        ],
    )


def load_musique() -> QuestionSet:
    folder = ("qa", "hipporag_legacy")
    corpus = json.loads(data_file(*folder, "musique_train_corpus.json").read_text("utf-8"))
    asked = json.loads(data_file(*folder, "musique_train.json").read_text("utf-8"))
    return QuestionSet(
        "musique",
        [(p["title"], p["text"]) for p in corpus],
        [
            (
                q["question"],
                frozenset(p["paragraph_text"] for p in q["paragraphs"] if p["is_supporting"]),
            )
            for q in asked
        ],
    )


def load_hotpot() -> QuestionSet:
    folder = ("qa", "hipporag_legacy")
    corpus = json.loads(data_file(*folder, "hotpotqa_train_corpus.json").read_text("utf-8"))
    asked = json.loads(data_file(*folder, "hotpotqa_train.json").read_text("utf-8"))
    text_of = {title: "".join(sentences) for title, sentences in corpus.items()}
    return QuestionSet(
        "hotpot",
        list(text_of.items()),
        [(q["question"], frozenset(text_of[t] for t, _ in q["supporting_facts"])) for q in asked],
    )


def load_cmrc() -> QuestionSet:
    passages, questions = [], []
    for article in load_cmrc_articles():
        for paragraph in article["paragraphs"]:
            text = paragraph["context"]
            passages.append((article.get("title", ""), text))
            questions += [(asked["question"], frozenset({text})) for asked in paragraph["qas"]]
    return QuestionSet("cmrc", passages, questions[::CMRC_EVERY])


def measure(one: QuestionSet, modes: tuple[str, ...] = MODES) -> dict[str, float]:
    """Index a set's passages and return its figures per mode."""
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder, open_scratch() as (library, registry):
        path = Path(folder) / f"{one.name}.jsonl"
        with path.open("w", encoding="utf-8") as file:
            for number, (title, text) in enumerate(one.passages):
                row = {"title": title or str(number), "text": text}
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
        started = time.monotonic()
        add_files(library.writer, [path])
        indexing = IndexingService(library.writer, registry.find_embedder)
        indexing.run(embed=False)
        read_s = time.monotonic() - started
        indexing.run()
        print(
            f"{one.name}: {len(one.passages)} passages read in {read_s:.0f} s, embedded after "
            f"{time.monotonic() - started:.0f} s, {len(one.questions)} questions",
            flush=True,
        )
        texts = dict(library.writer.rows("SELECT document_id, text FROM document_text"))
        finder = Retriever(library.writer, registry.find_embedder)
        for mode in modes:
            hits = []
            started = time.monotonic()
            for question, gold in one.questions:
                found = finder.find(question, QueryParam(mode=mode, chunk_top_k=24))
                ranked = list(dict.fromkeys(texts[p.document_id] for p in found.passages))
                hits.append(
                    (
                        gold <= set(ranked[:8]),
                        len(gold & set(ranked[:5])) / len(gold),
                        bool(ranked) and ranked[0] in gold,
                    )
                )
            ms = 1000 * (time.monotonic() - started) / len(hits)
            all8, r5, r1 = (sum(h[i] for h in hits) / len(hits) for i in range(3))
            halves = [sum(h[1] for h in hits[k::2]) / len(hits[k::2]) for k in (0, 1)]
            print(
                f"  {mode:6} all gold in 8 {all8:.3f}   recall@5 {r5:.3f} "
                f"(halves {halves[0]:.3f} {halves[1]:.3f})   R@1 {r1:.3f}   {ms:.0f} ms",
                flush=True,
            )
            prefix = "" if mode == "walk" else f"{mode}_"
            figures |= {
                f"{prefix}{one.name}_all8": round(all8, 3),
                f"{prefix}{one.name}_r5": round(r5, 3),
                f"{prefix}{one.name}_r1": round(r1, 3),
            }
    return figures


LOADERS = {
    "twowiki": load_2wiki,
    "musique": load_musique,
    "hotpot": load_hotpot,
    "cmrc": load_cmrc,
}


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """Return the sets and modes asked for; a name that is unknown ends with a sentence."""
    parser = make_parser(__doc__)
    parser.add_argument("sets", nargs="*", metavar="SET", help=f"of {', '.join(LOADERS)}")
    parser.add_argument("--modes", default=",".join(MODES), help="ways of finding, with commas")
    options = parser.parse_args(arguments)
    options.sets = options.sets or list(LOADERS)
    options.modes = tuple(mode.strip() for mode in options.modes.split(",") if mode.strip())
    for name in options.sets:
        if name not in LOADERS:
            parser.error(f"no set “{name}”: there are {', '.join(LOADERS)}")
    for mode in options.modes:
        if mode not in KNOWN_MODES:
            parser.error(f"no mode “{mode}”: there are {', '.join(KNOWN_MODES)}")
    return options


def main() -> None:
    """Measure the sets named in the arguments, all by default."""
    options = parse()
    figures: dict[str, float] = {}
    for name in options.sets:
        figures |= measure(LOADERS[name](), options.modes)
    print(PUBLISHED)
    keys = ("twowiki_all8", "musique_r5", "hotpot_r5", "cmrc_r1")
    print_result("retrieval", **{k: figures[k] for k in keys if k in figures}, detail=figures)


if __name__ == "__main__":
    main()
