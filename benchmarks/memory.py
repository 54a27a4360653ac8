"""Peak memory of indexing 水浒传 without a language model; with `--window`, of the real window.

`--window` opens the library of the benchmark `edits` offscreen, without models, and gives the
memory at rest; then one of the demo's documents, and gives the memory of all processes of the
program after an answer, the installed models loaded (proportional set size of the tree: shared
pages are counted once). Linux only.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from desktop_app.engine import paths
from desktop_app.engine.services.demo import demo_files
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.indexing import IndexingService

from .common import cache_folder, data_file, make_parser, open_scratch, print_result
from .edits import VERSION, make_library

QUESTION = "Who is Captain Sayle, and what did he give away?"
REST_S = 20.0


def list_tree(pid: int) -> list[int]:
    """Return a process and its descendants."""
    found = [pid]
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text("ascii").split():
            found += list_tree(int(child))
    return found


def count_memory_mb(pids: list[int]) -> float:
    """Return the proportional set size of processes, in MB."""
    total = 0
    for pid in pids:
        with suppress(ProcessLookupError):  # it has ended
            for line in Path(f"/proc/{pid}/smaps_rollup").read_text("ascii").splitlines():
                total += int(line.split()[1]) if line.startswith("Pss:") else 0
    return round(total * 1024 / 1e6, 1)


def measure_window(*, asks: bool) -> None:
    """Open a library in the window; print the memory at rest, or after an answer."""
    from .window_edits import WindowTimes

    with tempfile.TemporaryDirectory(prefix="inkgraph-bench-") as folder:
        copy = Path(folder) / "memory.inkgraph"
        if asks:  # with vectors, so that the embedding model only reads the question
            files = [str(path) for path in demo_files()]
            add = [sys.executable, "-m", "desktop_app", "add", *files, "--library", str(copy)]
            subprocess.run(add, check=True, stdout=subprocess.DEVNULL)
        else:
            path = cache_folder() / f"edits-{VERSION}.inkgraph"
            if not path.exists():
                make_library(path)
            shutil.copy(path, copy)
        window = WindowTimes(copy)
        window.rest(REST_S)
        if asks:
            turns = window.screens.chat.turns
            window.window.navigator.open_new_chat()
            window.screens.chat.ask(QUESTION)
            window.wait(lambda: bool(turns.widgets()) and turns.widgets()[-1].turn.answered)
        print(count_memory_mb(list_tree(os.getpid())), flush=True)
        shutil.rmtree(folder)
        os._exit(0)  # without waiting for what the window still does


def _run(*arguments: str, **variables: str) -> float:
    """Measure in a process of its own; return MB."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.memory", "--inner", *arguments],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **variables},
    )
    return round(float(done.stdout.strip().splitlines()[-1]), 1)


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--inner", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--window", action="store_true", help="of the real window, offscreen")
    parser.add_argument("--asks", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.window and options.inner:
        measure_window(asks=options.asks)
    if options.window:
        models = str(paths.models_dir())
        with tempfile.TemporaryDirectory() as home:  # has no models and no other settings
            at_rest = _run("--window", INKGRAPH_HOME=home, INKGRAPH_MODELS=home)
            asked = _run("--window", "--asks", INKGRAPH_HOME=home, INKGRAPH_MODELS=models)
        print_result("memory of the window", window_mb=at_rest, asked_mb=asked)
        return
    if not options.inner:
        print_result("memory", peak_mb=_run())
        return
    with open_scratch() as (library, _):
        add_files(library.writer, [data_file("zh_novels", "shuihu", "shuihu_120.txt")])
        IndexingService(library.writer, lambda: None).run(embed=False)
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


if __name__ == "__main__":
    main()
