"""Fixtures shared by tests of the engine: an empty library and a small prompt program.

Owns nothing that needs a model or a window; books and fakes are in `tests.books` and
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
    """Yield an empty library and close it afterwards."""
    made = Library(tmp_path / "small.inkgraph")
    yield made
    made.close()


@pytest.fixture
def small_prompts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use `build_small_script` for every chunk and every model."""
    monkeypatch.setattr(enrich, "build_prompt_program", build_small_script)
    monkeypatch.setattr(enrich, "choose_strategy", lambda settings, n: "slots")
    monkeypatch.setattr(
        enrich, "prompt_version", lambda settings, strategy, language: f"1-{settings.domain}"
    )
