"""Fixtures shared by tests of the engine: an empty library and a small prompt program.

Owns nothing that needs a model or a window; books and fakes stand in `tests.books` and
`tests.fakes`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_app.engine.extraction.llm import strategy as enrich
from desktop_app.engine.services.library import Library
from tests.books import build_small_script


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """Give an empty library, closed at the end."""
    made = Library(tmp_path / "small.inkgraph")
    yield made
    made.close()


@pytest.fixture
def small_prompts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every chunk be asked by `build_small_script`, whatever the model's size."""
    monkeypatch.setattr(enrich, "build_prompt_program", build_small_script)
    monkeypatch.setattr(enrich, "choose_strategy", lambda settings, n: "slots")
    monkeypatch.setattr(
        enrich, "prompt_version", lambda settings, strategy, language: f"1-{settings.domain}"
    )
