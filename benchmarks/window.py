"""Start to a usable window, and the longest stall of the window's thread while indexing 水浒传."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from desktop_app.engine import paths

from .common import data_file, print_result

TICK_MS = 5
LIMIT_S = 900.0


def main() -> None:
    """Measure in a fresh process with a profile of its own, after one start to warm the disk."""
    if len(sys.argv) > 1:
        _inner(sys.argv[1])
        return
    with tempfile.TemporaryDirectory(prefix="inkgraph-window-") as home:
        env = os.environ | {
            "INKGRAPH_MODELS": str(paths.models_dir()),
            "INKGRAPH_HOME": home,
            "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen"),
        }
        starts = [_run(env, "start") for _ in range(3)]
        stall = _run(env, "stall")
    print(f"starts: {starts}")
    print_result(
        "window",
        start_s=round(sorted(s["start_s"] for s in starts)[1], 2),
        worst_stall_ms=stall["worst_stall_ms"],
        p99_stall_ms=stall["p99_stall_ms"],
        indexing_s=stall["indexing_s"],
    )


def _run(env: dict[str, str], what: str) -> dict[str, float]:
    import json

    started = time.time()
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.window", what],
        env=env | {"INKGRAPH_STARTED": str(started)},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return json.loads(done.stdout.strip().splitlines()[-1])


def _inner(what: str) -> None:
    import json

    from PySide6.QtCore import Qt, QTimer
    from PySide6.QtWidgets import QApplication

    from desktop_app.app import App

    application = QApplication([])
    app = App(application)
    workspace = app.open_library(paths.default_library())
    application.processEvents()
    figures: dict[str, float] = {
        "start_s": round(time.time() - float(os.environ["INKGRAPH_STARTED"]), 3)
    }
    if what == "stall":
        gaps: list[float] = []
        last = [time.perf_counter()]

        def tick() -> None:
            now = time.perf_counter()
            gaps.append((now - last[0]) * 1000 - TICK_MS)
            last[0] = now

        timer = QTimer(timerType=Qt.TimerType.PreciseTimer, interval=TICK_MS)
        timer.timeout.connect(tick)
        timer.start()
        started = time.monotonic()
        book: Path = data_file("zh_novels", "shuihu", "shuihu_120.txt")
        workspace.session.add_paths([str(book)])
        states = []
        workspace.session.runner.state_changed.connect(states.append)
        while time.monotonic() - started < LIMIT_S:
            application.processEvents()
            time.sleep(0.001)
            if "idle" in states and time.monotonic() - started > 5:
                break
        gaps.sort()
        figures |= {
            "indexing_s": round(time.monotonic() - started, 1),
            "worst_stall_ms": round(gaps[-1], 1),
            "p99_stall_ms": round(gaps[int(len(gaps) * 0.99)], 1),
        }
    app.close()
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
