"""Tests that a program ended by a signal reports signal, step and log with exit code 3."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")

# Crashes where a command starts its work, as native code would.
DYING = """
import os, signal, sys
class Hook:
    def find_spec(self, name, path=None, target=None):
        if name == "desktop_app.engine.services.library":
            from desktop_app.engine import crash_log
            crash_log.note_step("building the graph")
            os.kill(os.getpid(), signal.{signal})
sys.meta_path.insert(0, Hook())
"""


def run_dying(tmp_path: Path, name: str) -> subprocess.CompletedProcess[str]:
    (tmp_path / "sitecustomize.py").write_text(DYING.format(signal=name))
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    environment = {**os.environ, "PYTHONPATH": path, "INKGRAPH_HOME": str(tmp_path / "home")}
    environment.pop("INKGRAPH_SUPERVISED", None)
    return subprocess.run(
        [sys.executable, "-m", "desktop_app", "status"],
        env=environment,
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )


@pytest.mark.parametrize(
    "name",
    [
        "SIGSEGV",
        *(pytest.param(n, marks=pytest.mark.slow) for n in ("SIGILL", "SIGABRT", "SIGKILL")),
    ],
)
def test_a_command_ended_by_a_signal_reports_it(tmp_path, name):
    done = run_dying(tmp_path, name)
    assert done.returncode == 3
    assert f"ended by {name}" in done.stderr
    assert "while building the graph" in done.stderr
    assert str(tmp_path / "home" / "logs") in done.stderr


def test_an_exit_code_of_a_command_is_passed_on(tmp_path):
    environment = {**os.environ, "INKGRAPH_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    environment.pop("INKGRAPH_SUPERVISED", None)
    command = [sys.executable, "-m", "desktop_app", "status", "--library", str(tmp_path / "none")]
    assert subprocess.run(command, env=environment, cwd=ROOT, capture_output=True).returncode == 1
