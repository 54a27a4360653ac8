"""Tests the whole cycle of a text with a marker word: it never reaches the log files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MARKER = "Quendolbaria"


PROGRAM = """
import json, sys
from desktop_app.cli import run_command
from desktop_app.engine import crash_log
crash_log.start_session("command")
library, steps = json.loads(sys.argv[1])
codes = [run_command([step[0], "--library", library, *step[1:]]) for step in steps]
print(json.dumps(codes))
"""


def run_steps(tmp_path: Path, level: str, steps: list[tuple[str, ...]]) -> list[int]:
    """Run commands in one process, and return their exit codes."""
    environment = {
        **os.environ,
        "INKGRAPH_HOME": str(tmp_path / "home"),
        "INKGRAPH_MODELS": str(tmp_path / "models"),
        "INKGRAPH_LOG": level,
    }
    work = json.dumps([str(tmp_path / f"{MARKER} library.inkgraph"), steps])
    command = [sys.executable, "-c", PROGRAM, work]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_no_text_of_the_user_reaches_the_log(tmp_path: Path):
    """With all messages; the usual level writes some of the same."""
    from desktop_app.engine.llm.trial_child import write_chat_model

    (tmp_path / "models").mkdir()
    write_chat_model(tmp_path / "models" / "chat.gguf")
    text = tmp_path / f"{MARKER} diary.txt"
    text.write_text(
        f"# {MARKER}\n\nMr. {MARKER} Vale met Ann Stone in {MARKER}. "
        f"Ann Stone wrote to {MARKER} Vale from Leeds.\n"
    )
    odd = tmp_path / f"{MARKER}.pdf"
    odd.write_bytes(b"%PDF-1.4\n" + MARKER.encode() * 50)
    codes = run_steps(
        tmp_path,
        "DEBUG",
        [
            ("add", str(text)),
            ("add", str(odd)),
            ("add", str(tmp_path / f"{MARKER}.missing")),
            ("search", f"who met {MARKER}"),
            ("search", f'"{MARKER} OR ('),
            ("ask", f"Who is {MARKER}?"),
            ("enrich",),
            ("entity", "rename", "Ann Stone", f"Anna {MARKER}"),
            ("entity", "merge", f"Anna {MARKER}", "Leeds"),
            ("undo",),
            ("entity", "rename", f"no such {MARKER}", "x"),
            ("export", "--format", "json", "--out", str(tmp_path / f"{MARKER}.json")),
            ("export", "--format", "json", "--out", str(tmp_path / "missing" / f"{MARKER}.json")),
            ("import", str(odd)),
            ("delete", f"{MARKER} diary.txt", "--yes"),
            ("status",),
        ],
    )
    assert codes[:3] == [0, 1, 1] and 3 not in codes and codes.count(0) > 8
    home = tmp_path / "home"
    logs = [p for p in (home / "logs").rglob("*") if p.is_file()]
    written = "\n".join(file.read_text("utf-8", "replace") for file in logs)
    assert "exit code 0" in written and "document 1:" in written
    lines = [line for line in written.splitlines() if MARKER.casefold() in line.casefold()]
    assert lines == []
    assert [file for file in logs if MARKER in file.name] == []
    assert "Ann Stone" not in written and str(tmp_path) not in written
