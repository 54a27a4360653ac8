"""Finds names in a `ShownText` and shows it: cut around a name, as text formats, as HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QPainter,
    QTextCharFormat,
    QTextLayout,
)

from desktop_app.engine.writing_systems import HAN

from .words import find_cut

if TYPE_CHECKING:
    from desktop_app.engine.text.shown_text import ShownText, Span

LONGEST = 360  # characters of a sentence in a list
_WORD = re.compile(rf"[^\W\d_]{{3,}}|[{HAN}]{{2,}}")
_PART, _IDEOGRAPH = re.compile(r"\S+"), re.compile(f"[{HAN}]")


def format_span(text: str, start: int, end: int, look: QTextCharFormat) -> QTextLayout.FormatRange:
    """Return a format for a range of a Python string; Qt counts in UTF-16 units."""
    part = QTextLayout.FormatRange()
    if text.isascii():
        part.start, part.length = start, end - start
    else:
        part.start = _count_units(text[:start])
        part.length = _count_units(text[start:end])
    part.format = look
    return part


def format_emphasis(shown: ShownText) -> list[QTextLayout.FormatRange]:
    """Return the formats that set the emphasis of a text in italics and bold type."""
    italic, bold = QTextCharFormat(), QTextCharFormat()
    italic.setFontItalic(True)
    bold.setFontWeight(QFont.Weight.Bold)
    formats = [format_span(shown.text, start, end, italic) for start, end in shown.italics]
    return formats + [format_span(shown.text, start, end, bold) for start, end in shown.bolds]


def build_html(shown: ShownText, marks: Iterable[Span] = (), style: str = "") -> str:
    """Return a text as HTML with its emphasis, and with a style for the marked ranges."""
    layers = [(marks, f'<span style="{style}">', "</span>")]  # not shown
    layers += [(shown.italics, "<i>", "</i>"), (shown.bolds, "<b>", "</b>")]  # not shown
    spans = [(list(ranges), opening, closing) for ranges, opening, closing in layers]
    cuts = {0, len(shown.text)}
    for ranges, _, _ in spans:
        cuts.update(place for span in ranges for place in span)
    places = sorted(cut for cut in cuts if 0 <= cut <= len(shown.text))
    parts = []
    for start, end in pairwise(places):
        around = [
            (opening, closing)
            for ranges, opening, closing in spans
            if any(a <= start and end <= b for a, b in ranges)
        ]
        parts += [opening for opening, _ in around]
        parts.append(escape(shown.text[start:end]))
        parts += [closing for _, closing in reversed(around)]
    return "".join(parts)


def cut_around(
    shown: ShownText, marks: Iterable[Span], longest: int = LONGEST
) -> tuple[ShownText, tuple[Span, ...]]:
    """Return a sentence shortened between words around its first mark, and the new marks."""
    marks, text = tuple(marks), shown.text
    if len(text) <= longest:
        return shown, marks
    begin, end = marks[0] if marks else (0, 0)
    room = max(0, longest - (end - begin))
    first = begin - max(room // 3, room - (len(text) - end))
    first = min(begin, find_cut(text, first, backward=True)) if first > 0 else 0
    last = first + longest
    last = max(end, find_cut(text, last)) if last < len(text) else len(text)
    piece, moved = shown.slice(first, last), 0
    if first:
        piece, moved = piece.with_ends("… ", ""), 2
    if last < len(text):
        piece = piece.with_ends("", " …")
    inside = ((max(a, first), min(b, last)) for a, b in marks)
    kept = tuple((a - first + moved, b - first + moved) for a, b in inside if a < b)
    return piece, kept


_DANGLING = " \t.,;:—–-\"'“‘([（。、，；：《「"  # not left before an ellipsis


def elide_words(metrics: QFontMetrics, text: str, room: float) -> str:
    """Return the text, or as many whole words as fit with an ellipsis.

    A word is cut only if it is the first one and has no room.
    """
    if metrics.horizontalAdvance(text) <= room:
        return text
    cut = metrics.elidedText(text, Qt.TextElideMode.ElideRight, int(room))
    # Qt writes three dots where the font has no ellipsis, which may be narrower
    place = len(cut.removesuffix("…").removesuffix("..."))
    while True:
        kept = text[: find_cut(text, place)].rstrip(_DANGLING) or text[:place]
        if place < 2 or metrics.horizontalAdvance(f"{kept}…") <= room:
            return f"{kept}…"
        place -= 1


_DOTS = {ord("İ"): "i", ord("ı"): "i"}  # `casefold` keeps them apart from "i", readers do not


def _fold(text: str) -> str:
    """Return a text without upper and lower case, in which each character keeps its place."""
    folded = text.translate(_DOTS).casefold()
    if len(folded) == len(text):
        return folded
    # such as "ß", whose fold is "ss"
    pairs = ((one, one.translate(_DOTS).casefold()) for one in text)
    return "".join(fold if len(fold) == 1 else one.lower()[:1] for one, fold in pairs)


def _is_letter(text: str, place: int) -> bool:
    """Return whether a letter or digit of a script that sets spaces between words is there."""
    one = text[place : place + 1]
    return one.isalnum() and not "\u3400" <= one <= "\u9fff"


def _find_word(text: str, wanted: str) -> list[Span]:
    """Return the spans of a word in a text, both folded.

    Letters of an alphabet must not go on before or after it, except for a plural. A regular
    expression for each name would have to be compiled: 1 ms for each connection of a name.
    """
    has_start, has_end = _is_letter(wanted, 0), _is_letter(wanted, len(wanted) - 1)
    spans: list[Span] = []
    start = text.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        is_whole = not (has_start and start and _is_letter(text, start - 1))
        if is_whole and has_end:
            ends = [end + len(plural) for plural in ("", "s", "es") if text.startswith(plural, end)]
            is_whole = not all(_is_letter(text, place) for place in ends)
        if is_whole:
            spans.append((start, end))
        start = text.find(wanted, end if is_whole else start + 1)
    return spans


def find_name_spans(text: str, names: Iterable[str]) -> tuple[tuple[int, int], ...]:
    """Return the spans of names in a text, in order, the longest match first and without overlaps.

    For a name that does not occur as a whole, its longest word is searched. Letters of an alphabet
    must not go on before or after a match, except for a plural: "Ann" is not marked in "Annoyed".
    """
    spans: list[tuple[int, int]] = []
    folded = _fold(text)

    def add(wanted: str) -> bool:
        found = _find_word(folded, _fold(wanted))
        for start, end in found:
            if all(end <= s or start >= e for s, e in spans):
                spans.append((start, end))
        return bool(found)

    for name in sorted({n for n in names if n.strip()}, key=len, reverse=True):
        if not add(name):
            words = sorted(_WORD.findall(name), key=len, reverse=True)
            next((word for word in words if add(word)), None)
    return tuple(sorted(spans))


def find_differences(one: str, other: str) -> tuple[Span, ...]:
    """Return the spans of `one` that `other` does not have; none for names with nothing in common.

    Whole words, because single marked letters are hard to read; Chinese names by their characters.
    """
    # the case of a letter is no difference worth a mark
    left, right = one.casefold(), other.casefold()
    if len(one) != len(left) or len(other) != len(right):
        return ()
    if set(_IDEOGRAPH.findall(left)) & set(_IDEOGRAPH.findall(right)):
        return _unite(_list_changes(left, right))
    words = list(_PART.finditer(left))
    others = set(right.split())
    spans = [word.span() for word in words if word.group() not in others]
    return _unite(spans) if len(spans) < len(words) else ()


def _list_changes(left: str, right: str) -> list[Span]:
    """Return the spans of the first text that the second does not have, in their order."""
    from difflib import SequenceMatcher

    codes = SequenceMatcher(None, left, right, autojunk=False).get_opcodes()
    return [(a, b) for code, a, b, _, _ in codes if code != "equal" and a < b]


def _unite(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return spans in order, with those that touch or overlap as one."""
    united: list[Span] = []
    for start, end in sorted(spans):
        if united and start <= united[-1][1]:
            united[-1] = united[-1][0], max(end, united[-1][1])
        else:
            united.append((start, end))
    return tuple(united)


def paint_marked(
    painter: QPainter,
    left: float,
    baseline: float,
    text: str,
    marks: Iterable[Span],
    color: QColor,
) -> None:
    """Paint a line of text with a ground of this colour behind the marked letters."""
    metrics = QFontMetricsF(painter.font())
    for start, end in marks:
        first, last = (metrics.horizontalAdvance(text[:place]) for place in (start, end))
        top, height = baseline - metrics.ascent(), metrics.height()
        painter.fillRect(QRectF(left + first, top, last - first, height), color)
    painter.drawText(QPointF(left, baseline), text)


UNDERLINE_DOWN, UNDERLINE_HEIGHT = 3, 2  # pixels below the baseline, and of the line


def paint_underlined(
    painter: QPainter,
    left: float,
    baseline: float,
    text: str,
    spans: Iterable[Span],
    color: QColor,
) -> None:
    """Paint a line of text with a line of this colour under some of its letters."""
    painter.drawText(QPointF(left, baseline), text)
    metrics = QFontMetricsF(painter.font())
    for start, end in spans:
        letters = text[start:end]
        start += len(letters) - len(letters.lstrip())
        end -= len(letters) - len(letters.rstrip())
        first, last = (metrics.horizontalAdvance(text[:place]) for place in (start, end))
        place = QRectF(left + first, baseline + UNDERLINE_DOWN, last - first, UNDERLINE_HEIGHT)
        painter.fillRect(place, color)


def _count_units(text: str) -> int:
    return len(text) + sum(char > "\uffff" for char in text)
