"""Tests chat models that are used for a while beside the one in use."""

from __future__ import annotations

import pytest

from desktop_app.engine.errors import UserError
from desktop_app.engine.llm.registry import ModelRegistry
from desktop_app.engine.llm.trial import ModelTrials
from desktop_app.engine.llm.trial_child import write_chat_model, write_embedding_model


def test_a_borrowed_model_does_not_become_the_one_in_use(tmp_path):
    models = tmp_path / "models"
    models.mkdir()
    for name in ("first", "second"):
        write_chat_model(models / f"{name}.gguf")
    write_embedding_model(models / "vectors.gguf")
    registry = ModelRegistry([models], trials=ModelTrials(tmp_path / "trials.json"))
    try:
        registry.use("first")
        with registry.borrow_chat("Second") as model:
            assert model.name == "second" and model.count_tokens("tide") > 0
            assert registry.chat_model_name() == "first"
        with registry.borrow_chat("first") as model:
            assert model is registry.find_chat()  # not loaded a second time
        for name, expected in (
            ("vectors", "no chat model"),
            ("missing", "missing"),
            ("qwen2.5-coder-1.5b", "not installed"),
        ):
            with pytest.raises(UserError, match=expected), registry.borrow_chat(name):
                pass
    finally:
        registry.close()
