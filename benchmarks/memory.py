"""Peak memory of indexing 水浒传 without a language model, embedding left out and in."""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys

from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.indexing import IndexingService

from .common import data_file, make_parser, open_scratch, print_result


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--inner", action="store_true", help=argparse.SUPPRESS)
    if not parser.parse_args().inner:
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
