"""The demo library: the texts that ship with Inkgraph and the questions that go with them."""

from __future__ import annotations

import tomllib
from pathlib import Path

from .. import paths
from ..errors import EnvironmentProblem


def demo_files() -> list[Path]:
    """Return the texts of the demo library."""
    folder = paths.resource("demo")
    files = sorted(p for p in folder.glob("*") if p.suffix in (".txt", ".md"))
    if not files:
        raise EnvironmentProblem(
            f"The demo texts are missing from {folder}.", "Get a complete copy of Inkgraph."
        )
    return files


def demo_questions() -> list[str]:
    """Return what the demo asks, in order."""
    found = tomllib.loads(paths.resource("demo", "questions.toml").read_text("utf-8"))
    return [q["question"] for q in found["questions"]]


def demo_library() -> Path:
    """Return where the demo library lies."""
    return paths.data_dir() / "libraries" / "Demo.inkgraph"
