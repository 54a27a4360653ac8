"""Reader of subtitles (.srt, .vtt): paragraphs with the time of their first words.

Cues of one scene are joined; each paragraph is a page whose label is its time, so that a citation
names the time. Files that people wrote by hand are read as well: without numbers, without blank
lines, or with a time that is none.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

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
# WebVTT allows no "-->" in the words; before it stands one time, behind it one and settings.
_TIME_LINE = re.compile(r"\s*(?P<start>\S*)\s*-->\s*(?P<end>\S*)(?:\s.*)?")
_TIME = re.compile(r"(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?")
_NO_CUES = ("NOTE", "STYLE", "REGION")  # begin blocks of WebVTT without words


def read_subtitles(content: bytes, stem: str) -> ReadDocument:
    """Return the words of all cues with times.

    Raises:
        Unreadable: it has no cues.
    """
    decoded = decode(content)
    cues, n_untimed = _read_cues(decoded.text.lstrip("\ufeff"))
    if len(cues) == n_untimed:
        hint = Message("Check that it is the file you meant.")
        raise Unreadable("it has no subtitles in it.", hint)
    notes = list(decoded.notes)
    if n_untimed:
        notes.append(
            Message(
                "Subtitles whose time can't be read: {n}. They follow those before them.",
                n=n_untimed,
            )
        )
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
        notes=notes,
        title_from_text=False,
    )


@dataclass(frozen=True, slots=True)
class Cue:
    start_s: float
    end_s: float
    words: str


@dataclass(slots=True)
class _WrittenCue:
    """A cue as it stands in the file, while its lines are collected."""

    start_s: float
    end_s: float
    lines: list[str] = field(default_factory=list)


def _read_cues(text: str) -> tuple[list[Cue], int]:
    """Return the cues of a file, and the number of those whose time can't be read.

    The line right before a time is the number of its cue, or in WebVTT its name. What stands behind
    a blank line otherwise belongs to the cue before.
    """
    cues: list[_WrittenCue] = []
    n_untimed = 0
    is_vtt = text.startswith("WEBVTT")
    is_skipped = is_vtt  # the head of the file
    is_after_blank = False
    waiting: list[str] = []  # lines behind a blank one
    was_text = False  # the line before is not blank
    for line in (line.strip() for line in text.split("\n")):
        if found := _TIME_LINE.fullmatch(line):
            last = cues[-1] if cues else None
            before = waiting if is_after_blank else last.lines if last is not None else []
            if before and was_text and (before[-1].isdecimal() or (is_vtt and is_after_blank)):
                before.pop()
            if last is not None:
                last.lines += waiting
            waiting, is_after_blank, is_skipped = [], False, False
            start, end = (_read_time(found[name]) for name in ("start", "end"))
            n_untimed += start is None or end is None
            if start is None:
                start = last.end_s if last is not None else 0.0
            cues.append(_WrittenCue(start, start if end is None else max(start, end)))
        elif not line:
            is_after_blank, is_skipped = True, False
        elif is_skipped or (is_vtt and is_after_blank and line.split()[0] in _NO_CUES):
            is_skipped = True
        elif is_after_blank:
            waiting.append(line)
        elif cues:
            cues[-1].lines.append(line)
        was_text = bool(line)
    if cues:
        cues[-1].lines += waiting
    return [Cue(c.start_s, c.end_s, _clean("\n".join(c.lines))) for c in cues], n_untimed


def _read_time(written: str) -> float | None:
    """Return "1:02:03,500" in seconds, None for what is no time."""
    found = _TIME.fullmatch(written)
    if found is None:
        return None
    hours, minutes, seconds, part = found.groups()
    whole = 3600 * int(hours or 0) + 60 * int(minutes) + int(seconds)
    return whole + int((part or "0").ljust(3, "0")) / 1000


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
