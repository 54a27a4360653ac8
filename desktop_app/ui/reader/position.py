"""Where one is, in words for the head: "p. ii (2 of 3)", "Chapter 2 · 34 %".

Owns the wording only; what is in sight is told by whoever asks.
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop_app.engine.types import Heading, Page


def page_words(pages: Sequence[Page], index: int, n_pages: int) -> str:
    """Return the printed page number, with the count if the two differ."""
    label = pages[index].label if index < len(pages) else ""
    if label and label != str(index + 1):
        return f"p. {label} ({index + 1} of {n_pages})"
    return f"p. {index + 1} of {n_pages}" if n_pages else ""


def text_words(outline: Sequence[Heading], chapter: int, offset: int, n_chars: int) -> str:
    """Return the chapter, if one has begun, and how much of the text is behind."""
    share = f"{round(100 * offset / max(1, n_chars))} %"
    title = " ".join(outline[chapter].title.split()) if chapter >= 0 else ""
    return f"{title} · {share}" if title else share
