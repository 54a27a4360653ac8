"""A model is tried with a small task of its role, and the result says how it went."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_app.engine.llm.model_checks import (
    CHECKS,
    check_chat,
    check_embedder,
    check_reranker,
    check_vision,
)
from desktop_app.engine.llm.protocols import PictureDescription
from tests.fakes import ScriptedChatModel


class Sorter:
    """Embeds and scores texts by whether they are about letters, or the other way round."""

    name, dim = "sorter", 2

    def __init__(self, *, is_good: bool) -> None:
        self.is_good = is_good

    def embed_passages(self, texts: list[str]) -> np.ndarray:
        wanted = "letters" if self.is_good else "cold"
        return np.array([[1.0, 0.0] if wanted in text else [0.0, 1.0] for text in texts])

    def score(self, question: str, texts: list[str]) -> list[float]:
        return [float(("letters" in text) == self.is_good) for text in texts]

    def count_tokens(self, text: str) -> int:
        return len(text.split())


class Seer:
    name = "seer"

    def __init__(self, text: str) -> None:
        self.text = text

    def describe(self, messages, pixels, width, height, *, max_tokens) -> PictureDescription:
        assert len(pixels) == 3 * width * height
        return PictureDescription(self.text)


@pytest.mark.parametrize("check", [check_embedder, check_reranker])
def test_a_model_that_orders_texts_wrongly_fails(check):
    good, bad = check(Sorter(is_good=True)), check(Sorter(is_good=False))
    assert good.ok and good.message == "sorter works." and "1.00" in str(good.sample)
    assert not bad.ok and "does not" in bad.message


def test_an_answer_is_shown_and_an_empty_one_fails():
    good = check_chat(ScriptedChatModel(["Red, green and blue."]))
    assert good.ok and good.sample == "Red, green and blue."
    assert not check_chat(ScriptedChatModel([" "])).ok
    assert check_vision(Seer("A red square.")).sample == "A red square."
    assert "empty" in check_vision(Seer(" ")).message


def test_each_role_has_a_check():
    assert set(CHECKS) == {"chat", "embedding", "reranker", "vision"}
