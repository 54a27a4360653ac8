"""Starts a Dask scheduler and workers as processes of this machine, for a benchmark and tests.

A worker process has no nanny, so that one that is killed stays away.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
START_S = 120.0
_LOOK_S = 0.05


class ClusterProcesses:
    """A scheduler and its workers; `close` ends them.

    Args:
        folder: for logs and what workers keep.
        variables: added to the environment of each process.
        protocol: "tcp" or "tls".
    """

    def __init__(
        self, folder: Path, variables: Mapping[str, str] | None = None, protocol: str = "tcp"
    ) -> None:
        self._folder = folder
        self._variables = dict(variables or {})
        self._logs: dict[int, Path] = {}
        self.workers: list[subprocess.Popen[bytes]] = []
        place = ("--host", "127.0.0.1", "--port", "0", "--protocol", protocol)
        self.scheduler = self._start("scheduler", *place)
        try:
            self.address = self._wait_for(self.scheduler, r"Scheduler at:\s+(\S+)")
        except BaseException:
            self.close()
            raise

    def start_workers(
        self, n: int, n_threads: int = 1, variables: Mapping[str, str] | None = None
    ) -> list[subprocess.Popen[bytes]]:
        """Start workers side by side and return them once the scheduler knows them."""
        options = ("--nthreads", str(n_threads), "--no-nanny")
        folder = ("--local-directory", str(self._folder))
        made = [
            self._start("worker", self.address, *options, *folder, variables=variables)
            for _ in range(n)
        ]
        self.workers += made
        for worker in made:
            self._wait_for(worker, r"Registered to:\s+(\S+)")
        return made

    def kill_worker(self, worker: subprocess.Popen[bytes]) -> None:
        """End a worker at once, as the system does when there is no memory left."""
        self.workers.remove(worker)
        worker.kill()
        worker.wait()

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()

    def _start(
        self, what: str, *arguments: str, variables: Mapping[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        path = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH", "")])]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path), **self._variables}
        log = self._folder / f"{len(self._logs)}.log"
        with log.open("wb") as file:
            process = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    f"distributed.cli.dask_{what}",
                    "--no-dashboard",
                    *arguments,
                ],
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                env=environment | dict(variables or {}),
                cwd=self._folder,
            )
        self._logs[process.pid] = log
        return process

    def _wait_for(self, process: subprocess.Popen[bytes], pattern: str) -> str:
        """Return what the log of a process has in the group of a pattern, once it is there."""
        deadline = time.monotonic() + START_S
        log = self._logs[process.pid]
        while time.monotonic() < deadline:
            if found := re.search(pattern, log.read_text("utf-8", "replace")):
                return found[1]
            if process.poll() is not None:
                break
            time.sleep(_LOOK_S)
        raise RuntimeError(f"a process of the cluster did not start:\n{log.read_text('utf-8')}")
