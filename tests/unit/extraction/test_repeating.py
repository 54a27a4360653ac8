"""Paragraphs of small models end where they start to repeat sentences."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.engine.extraction.llm.descriptions import FreshGuard, drop_repeated

ROUND = (
    "Scrooge is an old money-lender in London, who raises Bob's salary. The ghost of Marley visits "
    "him. He is an old money-lender in London, who raises Bob's salary. He learns that Tim will "
    "die."
)


def write(text: str, size: int) -> tuple[str, bool]:
    """Feed a text in pieces as a model writes it; return what passed and whether it had to end."""
    state, whole = FreshGuard().begin(), text.encode()
    passed = b""
    for i in range(0, len(whole), size):
        if not state.take(whole[i : i + size]):
            break
        passed += whole[i : i + size]
    return passed.decode("utf-8", errors="ignore"), state.must_end


def test_what_is_said_again_with_another_subject_is_left_out():
    assert drop_repeated(ROUND) == (
        "Scrooge is an old money-lender in London, who raises Bob's salary. The ghost of Marley "
        "visits him. He learns that Tim will die."
    )
    assert (
        drop_repeated("宋江是押司。宋江杀了阎婆惜。宋江是押司。") == "宋江是押司。宋江杀了阎婆惜。"
    )
    assert drop_repeated("Once. Twice") == "Once. Twice"


def test_writing_ends_soon_after_the_circle_closes():
    passed, ended = write(ROUND, 4)
    assert ended and passed.startswith(ROUND[:150]) and len(passed) < len(ROUND) - 20
    assert write("He came. She left. They met at Dr. Wren's house in the lane.", 3)[1] is False


@given(st.text(max_size=300), st.integers(1, 7))
def test_nothing_is_lost_of_what_is_not_repeated(text, size):
    passed, ended = write(text, size)
    assert ended or passed == text.encode("utf-8", "ignore").decode("utf-8", "ignore")
    kept = drop_repeated(text)
    assert len(kept) <= len(text) and drop_repeated(kept) == kept.strip()
