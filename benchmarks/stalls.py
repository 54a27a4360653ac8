"""Finds what blocks the event loop: every stall of the window's thread, with the stacks during it.

A timer runs in the window's thread; the time between two ticks is how long a key press could
wait. A second thread looks where the window's thread is while a tick is late, so that a stall has
a name. Time that other programs had the processor is taken off, as far as Linux counts it
(`schedstat`), because the machine that measures is rarely quiet.
"""

from __future__ import annotations

import os
import sys
import threading
import time
import traceback
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

TICK_MS = 5
NAMED_MS = 50.0  # a longer stall is listed
LOOK_MS = 15.0
DEEPEST = 14  # frames of a stack that are kept


@dataclass
class Stall:
    """One time without an event.

    Attributes:
        ms: how long, without the time that other programs had the processor.
        wall_ms: how long by the clock.
        cpu_ms: processor time of the window's thread in it.
        doing: what the benchmark did last.
        stacks: stack of the window's thread -> how often it was seen.
        others: topmost frames of other threads -> how often they were seen.
    """

    ms: float
    wall_ms: float
    cpu_ms: float
    doing: str
    stacks: Counter[str] = field(default_factory=Counter)
    others: Counter[str] = field(default_factory=Counter)


class StallProbe:
    """Measures the thread that creates it, which needs an event loop, until `stop`."""

    def __init__(self) -> None:
        from PySide6.QtCore import Qt, QTimer

        self.doing = ""
        self.gaps: list[float] = []
        self.stalls: list[Stall] = []
        self._thread = threading.get_ident()
        self._seen: list[tuple[str, list[str]]] = []
        self._ended = threading.Event()
        self._begin()
        self._timer = QTimer(timerType=Qt.TimerType.PreciseTimer, interval=TICK_MS)
        self._timer.timeout.connect(self._tick)
        self._timer.start()
        self._watch = threading.Thread(target=self._look, name="stall probe", daemon=True)
        self._watch.start()

    def stop(self) -> None:
        self._timer.stop()
        self._ended.set()
        self._watch.join()

    def clear(self) -> None:
        self.gaps, self.stalls = [], []
        self._begin()

    @property
    def longest_ms(self) -> float:
        return round(max(self.gaps, default=0.0), 1)

    @property
    def p99_ms(self) -> float:
        gaps = sorted(self.gaps)
        return round(gaps[int(len(gaps) * 0.99)], 1) if gaps else 0.0

    def report(self, limit: int = 30) -> str:
        """Return the longest stalls with their stacks, for people."""
        lines = []
        for stall in sorted(self.stalls, key=lambda s: -s.ms)[:limit]:
            lines.append(
                f"--- {stall.ms:.0f} ms (clock {stall.wall_ms:.0f}, processor {stall.cpu_ms:.0f})"
                f" while: {stall.doing}"
            )
            for stack, n in stall.stacks.most_common(3):
                lines.append(f"  {n}× {stack}")
            for frame, n in stall.others.most_common(4):
                lines.append(f"    beside {n}× {frame}")
        return "\n".join(lines)

    def _begin(self) -> None:
        self._last, self._cpu = time.perf_counter(), time.thread_time()
        self._queued = read_queued_ms()

    def _tick(self) -> None:
        last, cpu = self._last, self._cpu
        wall_ms = (time.perf_counter() - last) * 1000 - TICK_MS
        if wall_ms < TICK_MS:  # counting the waits of every thread costs more than such a gap
            self.gaps.append(max(0.0, wall_ms))
            self._last, self._cpu = time.perf_counter(), time.thread_time()
            return
        queued = read_queued_ms()
        cpu_ms = (time.thread_time() - cpu) * 1000
        # the thread that has the interpreter's lock may have waited for the processor, too
        waited = max((ms - self._queued.get(task, ms) for task, ms in queued.items()), default=0.0)
        ms = max(cpu_ms, wall_ms - waited)
        self.gaps.append(ms)
        if ms >= NAMED_MS:
            stall = Stall(ms, wall_ms, cpu_ms, self.doing)
            for stack, others in self._seen:
                stall.stacks[stack] += 1
                stall.others.update(others)
            self.stalls.append(stall)
        self._seen = []
        self._queued = queued
        self._last, self._cpu = time.perf_counter(), time.thread_time()

    def _look(self) -> None:
        while not self._ended.wait(LOOK_MS / 1000):
            if (time.perf_counter() - self._last) * 1000 < TICK_MS + LOOK_MS:
                continue
            frames = sys._current_frames()
            own = frames.pop(self._thread, None)
            frames.pop(threading.get_ident(), None)
            others = [_top(frame) for frame in frames.values()]
            self._seen.append((_stack(own), [other for other in others if other]))


def _stack(frame: FrameType | None) -> str:
    if frame is None:
        return "?"
    found = [f for f in traceback.extract_stack(frame) if "benchmarks" not in f.filename][-DEEPEST:]
    return " > ".join(f"{Path(f.filename).stem}:{f.lineno} {f.name}" for f in found)


def _top(frame: FrameType) -> str:
    """Return the two topmost frames of a thread, "" if it waits."""
    found = traceback.extract_stack(frame)[-2:]
    if found[-1].name in ("wait", "_wait_for_tstate_lock", "accept", "select", "poll", "_recv"):
        return ""
    return " > ".join(f"{Path(f.filename).stem}:{f.lineno} {f.name}" for f in found)


def read_queued_ms() -> dict[str, float]:
    """Return thread -> how long it was ready to run while others had the processor."""
    queued: dict[str, float] = {}
    with suppress(OSError):  # not Linux
        for task in os.listdir("/proc/self/task"):
            with suppress(OSError, IndexError):  # it ended
                path = Path(f"/proc/self/task/{task}/schedstat")
                queued[task] = int(path.read_text("utf-8").split()[1]) / 1e6
    return queued
