"""The demo library indexed and asked without a window, and the benchmarks of a checkout."""

from __future__ import annotations

import argparse
import runpy
import sys

from ..engine import paths
from ..engine.errors import UserError
from ..engine.query import QueryParam
from ..engine.services.adding import add_files
from ..engine.services.demo import demo_files, demo_library, demo_questions
from ..engine.services.exploring import Exploring
from ..engine.services.indexing import Indexing
from .finding import open_asking, print_answer
from .opening import open_library, open_shelf
from .output import ProgressLine


def run_demo(options: argparse.Namespace) -> int:
    """Index the demo texts, show the top names, and answer the demo's questions with citations."""
    options.library = options.library or demo_library()
    on_progress = ProgressLine()
    with open_library(options, create=True) as library, open_shelf() as shelf:
        indexing = Indexing(library.writer, shelf.find_embedder)
        add_files(library.writer, demo_files())
        indexing.run(on_progress=on_progress)
        on_progress.end()
        exploring = Exploring(library.writer)
        overview = exploring.overview()
        print(
            f"The demo library has {overview.n_documents} documents, {overview.n_entities} names "
            f"and {overview.n_relations} relations ({overview.path}).\n"
        )
        print("Most connected: " + ", ".join(e.name for e in exploring.top_entities(12)) + "\n")
        if not shelf.chat_model_name():
            print("No chat model is installed, so answers are passages. Get one with:")
            print("  inkgraph models install starter\n")
        asking = open_asking(library, shelf)
        for question in demo_questions():
            print(f"? {question}", flush=True)
            print_answer(asking, question, QueryParam(), options.json)
            print()
    return 0


def run_bench(options: argparse.Namespace) -> int:
    """Run one of the benchmarks that a checkout has."""
    name = options.name.replace("-", "_")
    if not (paths.CHECKOUT_ROOT / "benchmarks" / f"{name}.py").exists():
        raise UserError(
            f"There is no benchmark “{options.name}”.", "They are in benchmarks/ of a checkout."
        )
    sys.path.insert(0, str(paths.CHECKOUT_ROOT))
    sys.argv = [name]
    runpy.run_module(f"benchmarks.{name}", run_name="__main__")
    return 0
