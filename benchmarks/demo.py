"""The demo's questions put to the installed chat model several times: how many answers are right.

An answer is right if it states the facts of its question, and cited if it cites a passage that
holds one of the anchors, at a sentence that holds one of the facts. Ends with
code 1 if an answer is wrong or not cited.

    python -m benchmarks.demo
    python -m benchmarks.demo --rounds 1 --paraphrases --tokens 600 --threads 1
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace

from desktop_app.engine import paths
from desktop_app.engine.answering.pipeline import AnswerPipeline
from desktop_app.engine.llm.model_settings import ModelSettings
from desktop_app.engine.llm.registry import ModelRegistry
from desktop_app.engine.retrieval.retriever import Retriever
from desktop_app.engine.services.demo import (
    DEMO_PROMPT_TOKENS,
    cites_its_source,
    demo_files,
    demo_param,
    is_right,
    load_demo_questions,
)
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library

from .common import make_parser, open_scratch, print_result

N_ROUNDS = 3


def main() -> None:
    options = _read_options()
    with open_scratch() as (library, registry):
        add_files(library.writer, demo_files())
        IndexingService(library.writer, registry.find_embedder).run()
        right, cited, n_asked = _ask_rounds(library, options)
    print_result(
        "demo",
        right=right,
        of=n_asked,
        cited=cited,
        rounds=options.rounds,
        paraphrases=options.paraphrases,
        tokens=options.tokens,
        threads=options.threads,
    )
    sys.exit(right < n_asked or cited < n_asked)


def _ask_rounds(library: Library, options: argparse.Namespace) -> tuple[int, int, int]:
    """Ask every question in every round; return how many were right, cited and asked."""
    right = cited = n_asked = 0
    param = replace(demo_param(), max_total_tokens=options.tokens)
    registry = ModelRegistry(paths.model_folders(), ModelSettings(n_threads=options.threads))
    try:
        if not registry.chat_model_name():
            sys.exit("No chat model is installed: inkgraph models install starter")
        for number in range(1, options.rounds + 1):
            finder = Retriever(library.writer, registry.find_embedder, registry.find_reranker)
            asking = AnswerPipeline(finder, library.writer, registry.find_chat)
            for question in load_demo_questions():
                more = question.paraphrases if options.paraphrases else ()
                for wording in (question.question, *more):
                    answer = asking.query(wording, param)
                    is_ok = is_right(answer.text, question)
                    has_source = cites_its_source(answer, question)
                    right, cited, n_asked = right + is_ok, cited + has_source, n_asked + 1
                    print(
                        f"{number}. {question.id}: {'right' if is_ok else 'WRONG'}, "
                        f"{'cited' if has_source else 'NOT CITED'}, {answer.seconds:.1f} s\n"
                        f"   {wording}\n   {' '.join(answer.text.split())}",
                        flush=True,
                    )
    finally:
        registry.close()
    return right, cited, n_asked


def _read_options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = make_parser(__doc__)
    parser.add_argument("--rounds", type=int, default=N_ROUNDS)
    parser.add_argument("--paraphrases", action="store_true", help="ask these as well")
    parser.add_argument(
        "--tokens", type=int, default=DEMO_PROMPT_TOKENS, help="of a prompt; 0: as the window does"
    )
    parser.add_argument("--threads", type=int, default=0, help="0: as suits the machine")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
