"""Reader of subtitles (.srt, .vtt): paragraphs with the time of their first words.

webvtt-py reads the cues. Cues of one scene are joined; each paragraph is a page whose label is its
time, so that a citation names the time.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ...messages import Message
from ...model import ReadDocument
from ..encodings import decode
from .archives import Unreadable
from .document_builder import build_document
from .text_builder import TextBuilder

_GROUP_CHARS = 400  # from which a paragraph ends with the next sentence
_GROUP_S = 60
_PAUSE_S = 4
_SENTENCE_END = (".", "!", "?", "…", "。", "！", "？", '."', ".”", "」")
_TAG = re.compile(r"<[^<>]*>|\{\\[^{}]*\}")
_VOICE = re.compile(r"<v(?:\.[^\s>]*)?\s+([^<>]+)>")
_ARROW = re.compile(r"\d\s*-->\s*\d")


def read_subtitles(content: bytes, stem: str, kind: str) -> ReadDocument:
    """Return the words of all cues with times.

    Args:
        kind: "srt" or "vtt".

    Raises:
        Unreadable: it has no cues.
    """
    from webvtt import WebVTT
    from webvtt.errors import MalformedCaptionError, MalformedFileError

    decoded = decode(content)
    text = decoded.text.lstrip("\ufeff")
    hint = Message("Check that it is the file you meant.")
    if not _ARROW.search(text):
        raise Unreadable("it has no subtitles in it.", hint)
    lines = [line.rstrip() for line in text.strip().split("\n")]
    try:
        found = WebVTT.from_buffer(lines, format=kind)
        cues = [
            Cue(c.start_in_seconds, c.end_in_seconds, _clean(c.raw_text)) for c in found.captions
        ]
    except (MalformedFileError, MalformedCaptionError, ValueError, IndexError) as error:
        raise Unreadable("its subtitles are damaged.", hint) from error
    builder = TextBuilder()
    for start, words in _group(cues):
        builder.begin_page(format_time(start))
        builder.add(f"[{format_time(start)}] {words}")
    builder.end_page()
    return build_document(
        builder.text,
        format="srt",
        stem=stem,
        pages=builder.pages,
        notes=decoded.notes,
        title_from_text=False,
    )


@dataclass(frozen=True, slots=True)
class Cue:
    start_s: float
    end_s: float
    words: str


def _clean(words: str) -> str:
    words = _VOICE.sub(r"\1: ", words)
    return " ".join(html.unescape(_TAG.sub("", words)).split())


def _group(cues: Iterable[Cue]) -> Iterator[tuple[float, str]]:
    """Yield paragraphs of cues that follow each other, each with the time where it begins."""
    group: list[Cue] = []
    for cue in cues:
        if not cue.words or (group and group[-1].words == cue.words):
            continue  # shown again, as automatic subtitles do
        if group and _is_whole(group, cue):
            yield group[0].start_s, " ".join(one.words for one in group)
            group = []
        group.append(cue)
    if group:
        yield group[0].start_s, " ".join(one.words for one in group)


def _is_whole(group: list[Cue], following: Cue) -> bool:
    """Return whether a paragraph ends before a cue: after a pause, or where it is long enough."""
    last = group[-1]
    if following.start_s - last.end_s >= _PAUSE_S:
        return True
    is_long = sum(len(cue.words) for cue in group) >= _GROUP_CHARS
    is_long = is_long or last.end_s - group[0].start_s >= _GROUP_S
    return is_long and last.words.endswith(_SENTENCE_END)


def format_time(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
