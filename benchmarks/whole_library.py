"""Ten questions of a whole book in overview, DRIFT and walk, with time, calls and the answers.

Run `python -m benchmarks.whole_library [carol|shuihu] [--library FILE] [--questions N]`. The
answers stand side by side for reading; nothing is scored. Seconds of all cores together are
given as well: half of them on two cores is the time where nothing else runs. Needs a chat model;
with `--library` a file that is indexed already is used (a copy of it, since reports are kept in
it). The last line is JSON.
"""

from __future__ import annotations

import argparse
import shutil
import time
from pathlib import Path

from desktop_app.engine.answering.pipeline import AnswerPipeline
from desktop_app.engine.model import CommunitiesFound
from desktop_app.engine.query import QueryParam
from desktop_app.engine.retrieval.retriever import Retriever
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library

from .common import data_file, make_parser, open_scratch, print_result

MODES = ("overview", "drift", "walk")
BOOKS = {
    "carol": ("en_novels", "gutenberg", "christmas_carol.txt"),
    "shuihu": ("zh_novels", "shuihu", "shuihu_120.txt"),
}
QUESTIONS = {
    "carol": (
        "What are the main themes of the book?",
        "Which groups of people appear in the book?",
        "How does Scrooge change in the course of the book?",
        "What does the book say about money and greed?",
        "How do the Cratchits live?",
        "What do the Spirits show Scrooge?",
        "How do people celebrate Christmas in the book?",
        "What part do death and graves play?",
        "How does family matter in the book?",
        "What does the book say about the poor?",
    ),
    "shuihu": (
        "这本书主要讲了什么？",
        "书里有哪些主要的人物群体？",
        "梁山好汉为什么接受招安？",
        "好汉们是怎样上梁山的？",
        "书中的官员是什么样的人？",
        "征方腊的结果如何？",
        "书里的女性人物有哪些遭遇？",
        "兄弟义气在书中如何表现？",
        "朝廷怎样对待梁山？",
        "酒在书中起什么作用？",
    ),
}


def main() -> None:
    options = _parse()
    with open_scratch() as (library, registry):
        if options.library:
            copy = Path(library.path).with_name("asked.inkgraph")
            shutil.copy2(options.library, copy)
            library.close()
            library = Library(copy)
        else:
            add_files(library.writer, [data_file(*BOOKS[options.book])])
            IndexingService(library.writer, registry.find_embedder).run()
        finder = Retriever(library.writer, registry.find_embedder)
        asking = AnswerPipeline(finder, library.writer, registry.find_chat)
        figures: dict[str, list[float]] = {mode: [] for mode in MODES}
        cpu_seconds: dict[str, list[float]] = {mode: [] for mode in MODES}
        calls: dict[str, list[int]] = {mode: [] for mode in MODES}
        for question in QUESTIONS[options.book][: options.questions]:
            print(f"\n## {question}", flush=True)
            for mode in MODES:
                started, cpu = time.monotonic(), time.process_time()
                answer = asking.query(question, QueryParam(mode=mode, level=options.level))
                figures[mode].append(time.monotonic() - started)
                cpu_seconds[mode].append(time.process_time() - cpu)
                found = answer.found
                n_calls = bool(answer.model) + (
                    found.n_calls if isinstance(found, CommunitiesFound) else 0
                )
                calls[mode].append(n_calls)
                print(f"\n**{mode}** ({figures[mode][-1]:.0f} s, {n_calls} calls): {answer.text}")
                for cited in answer.citations:
                    print(f"  [{cited.number}] {' '.join(cited.quote.split())}", flush=True)
        library.close()
    print_result(
        "whole_library",
        book=options.book,
        seconds={mode: [round(s, 1) for s in values] for mode, values in figures.items()},
        cpu_seconds={mode: [round(s, 1) for s in values] for mode, values in cpu_seconds.items()},
        calls=calls,
    )


def _parse() -> argparse.Namespace:
    parser = make_parser(__doc__)
    parser.add_argument("book", nargs="?", choices=tuple(BOOKS), default="carol")
    parser.add_argument("--library", type=Path)
    parser.add_argument("--questions", type=int, default=10)
    parser.add_argument("--level", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    main()
