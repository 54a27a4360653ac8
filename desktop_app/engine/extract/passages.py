"""Passages of a chunk as a model is shown them; knows no question and no model."""

from __future__ import annotations

import re

from .tasks import ChunkTask

_HEADING = re.compile(
    r"^\s*(?:第[一二三四五六七八九十百零〇\d]+[回章节卷部]|(?:chapter|stave|book|volume)\b)",
    re.IGNORECASE,
)


def cut_passage(task: ChunkTask, start: int, end: int) -> str:
    """Return a passage (document offsets) without line breaks: prose is broken anywhere."""
    text = task.text[max(0, start - task.start) : max(0, end - task.start)]
    return " ".join(text.split())


def is_heading(passage: str) -> bool:
    return _HEADING.match(passage) is not None
