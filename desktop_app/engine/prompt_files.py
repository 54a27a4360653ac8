"""Loads prompts from files: `prompts/NAME.LANGUAGE.txt`, in English where a language has none.

The caller fills the placeholders.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

PROMPTS = Path(__file__).parent / "prompts"


@cache
def load_prompt(name: str, language: str) -> str:
    """Return the text of a prompt in a language."""
    own = PROMPTS / f"{name}.{language}.txt"
    return (own if own.exists() else PROMPTS / f"{name}.en.txt").read_text("utf-8").strip()
