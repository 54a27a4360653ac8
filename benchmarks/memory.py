"""Peak memory of indexing 水浒传 without a language model; with `--window`, of the real window.

`--window` opens the library of the benchmark `edits` offscreen, rests, asks a question, and gives
the memory of the window at rest and of all processes of the program after the answer, starter
models loaded (proportional set size of the tree: shared pages are counted once). Linux only.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.indexing import IndexingService

from .common import cache_folder, data_file, make_parser, open_scratch, print_result
from .edits import VERSION, make_library

QUESTION = "Who gave Pip his money?"
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
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text("ascii").splitlines():
            total += int(line.split()[1]) if line.startswith("Pss:") else 0
    return round(total * 1024 / 1e6, 1)


def measure_window() -> None:
    from .window_edits import WindowTimes

    path = cache_folder() / f"edits-{VERSION}.inkgraph"
    if not path.exists():
        make_library(path)
    with tempfile.TemporaryDirectory(prefix="inkgraph-bench-") as folder:
        copy = Path(folder) / "memory.inkgraph"
        shutil.copy(path, copy)
        window = WindowTimes(copy)
        window.rest(REST_S)
        at_rest = count_memory_mb([os.getpid()])
        chat = window.screens.chat
        window.window.navigator.open_new_chat()
        chat.ask(QUESTION)
        window.wait(lambda: bool(chat.turns.widgets()) and chat.turns.widgets()[-1].turn.answered)
        pids = list_tree(os.getpid())
        print_result(
            "memory of the window",
            opened_s=round(window.usable_s, 2),
            window_mb=at_rest,
            with_models_mb=count_memory_mb(pids),
            n_processes=len(pids),
        )
        sys.stdout.flush()
        shutil.rmtree(folder)
        os._exit(0)  # the vectors of 22 novels are still being made


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--inner", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--window", action="store_true", help="of the real window, offscreen")
    options = parser.parse_args()
    if options.window:
        measure_window()
        return
    if not options.inner:
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.memory", "--inner"],
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        print_result("memory", peak_mb=round(float(done.stdout.strip().splitlines()[-1]), 1))
        return
    with open_scratch() as (library, _):
        add_files(library.writer, [data_file("zh_novels", "shuihu", "shuihu_120.txt")])
        IndexingService(library.writer, lambda: None).run(embed=False)
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


if __name__ == "__main__":
    main()
