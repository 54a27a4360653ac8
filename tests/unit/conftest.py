"""A small prompt program for tests of the engine."""

from __future__ import annotations

import pytest

from desktop_app.engine.extraction.llm import strategy as enrich
from tests.books import build_small_script


@pytest.fixture
def small_prompts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use `build_small_script` for every chunk and every model."""
    monkeypatch.setattr(enrich, "build_prompt_program", build_small_script)
    monkeypatch.setattr(enrich, "choose_strategy", lambda *facts: "slots")
    monkeypatch.setattr(
        enrich, "prompt_version", lambda settings, strategy, language: f"1-{settings.domain}"
    )
