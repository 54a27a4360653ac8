"""Text as people read it: without the markup signs that plain texts and Markdown notes contain.

Stored text keeps its signs ("_word_", "*word*", "**word**", "[label](address)"), because
citations and mentions point into it by offsets. `show_text` returns the text to display, the
ranges in italics and bold type, and the way between the offsets of both. Knows no Qt.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass

from ..writing_systems import has_han

Span = tuple[int, int]  # start and end in the shown text

_SIGNS = re.compile(r"[_*`~\[]")
_DASHES = re.compile(r"(?<=[^\s-])--(?!-)")  # a typewriter's dash between words
_REMOVED = "\u2060"  # takes the place of a removed sign while a text is searched
# A letter or digit of a script that separates its words by spaces.
_LETTER = r"[^\W_\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff]"
# At most one line break in a row: emphasis does not go beyond its paragraph.
_INSIDE = r"(?:(?!\n[ \t]*\n)[^{signs}]){{1,600}}?"
_CODE = re.compile(r"(?<!`)(`{1,2})(?=[^`\s])([^`\n]{1,300}?)(?<=[^`\s])\1(?!`)")
_WIKI_LINK = re.compile(  # a path is shown as the name of its file
    r"(!?\[\[)([^\[\]\n|]{1,200}\||(?:[^\[\]\n|/]{1,80}/)+)?([^\[\]\n|]{1,200}?)((?:\.md)?\]\])"
)
_LINK = re.compile(r"(?<![\w\]])(!?\[)([^\[\]\n]{1,300})(\]\((?=[^\s()]*[/.#:])[^\s()]{1,500}\))")
_STRUCK = re.compile(r"(?<![~\w])(~~)(?=[^\s~])([^~\n]{1,300}?)(?<=[^\s~])(~~)(?![~\w])")
_BOLD = re.compile(
    rf"(?<!{_LETTER})(?<!\*)(\*\*)(?=[^\s*]|\*(?=[^\s*]))"
    rf"({_INSIDE.format(signs='`')})(?<=\S)(\*\*)(?!\*)(?!{_LETTER})"
)
_BOLD_LINE = re.compile(
    rf"(?<![\w])(__)(?=[^\s_])(?![a-z0-9]+__)({_INSIDE.format(signs='_`')})(?<=[^\s_])(__)(?!\w)"
)
_ITALIC = re.compile(
    rf"(?<!{_LETTER})(?<![*\\])(\*)(?=[^\s*])"
    rf"({_INSIDE.format(signs='*`')})(?<=[^\s*])(\*)(?!\*)(?!{_LETTER})"
)
_ITALIC_LINE = re.compile(
    rf"(?<![\w\\])(_)(?=[^\s_])({_INSIDE.format(signs='_`')})(?<=[^\s_])(_)(?!\w)"
)
# A sign whose other end is outside the text: "_3 May." is a sentence of "_3 May. Bistritz._"
_OPEN_END = re.compile(
    rf"(?<![\w\\*])(_|\*\*)(?=[^\W_])(?!\w*[_(=])|\A[\s\"'“‘(]*(\*)(?={_LETTER})"
)
_CLOSE_END = re.compile(
    r"(?<=[.,;:!?…\"'”’)\]—-])(_|\*{1,2})(?![\w*])"
    r"|(?<![\w*])[^\W_]+(_|\*\*)(?=[\s.,;:!?…\"'”’)\]—-]|\Z)"
)


@dataclass(frozen=True, slots=True)
class ShownText:
    """A text to display, with the ranges of its emphasis.

    Attributes:
        text: the stored text without signs.
        italics, bolds: ranges of `text`, in order.
        n_stored: length of the stored text.
        kept: for each character of `text` its offset in the stored text; empty if both are equal.
    """

    text: str
    italics: tuple[Span, ...] = ()
    bolds: tuple[Span, ...] = ()
    n_stored: int = 0
    kept: tuple[int, ...] = ()

    def to_shown(self, offset: int) -> int:
        """Return the place of a stored offset; of a removed sign, the place where it was."""
        if not self.kept:
            return min(max(offset, 0), len(self.text))
        return bisect_left(self.kept, offset)

    def to_stored(self, place: int) -> int:
        """Return the stored offset of a place in the shown text."""
        if not self.kept:
            return min(max(place, 0), self.n_stored)
        return self.kept[place] if 0 <= place < len(self.kept) else self.n_stored * (place > 0)

    def span(self, start: int, end: int) -> Span:
        """Return a stored range in the shown text, without the signs at its end."""
        first = self.to_shown(start)
        return first, max(first, self.to_shown(end))

    def slice(self, start: int, end: int) -> ShownText:
        """Return a piece of the shown text with its emphasis; offsets stay those stored."""

        def clip(spans: Iterable[Span]) -> tuple[Span, ...]:
            inside = ((max(a, start) - start, min(b, end) - start) for a, b in spans)
            return tuple((a, b) for a, b in inside if a < b)

        kept = self.kept or tuple(range(len(self.text)))
        text = self.text[start:end]
        return ShownText(text, clip(self.italics), clip(self.bolds), self.n_stored, kept[start:end])

    def with_ends(self, before: str, after: str) -> ShownText:
        """Return the text between two others that are not in the stored text, such as "…"."""
        moved = len(before)
        first = self.kept[0] if self.kept else 0
        last = self.kept[-1] + 1 if self.kept else self.n_stored
        kept = self.kept or tuple(range(len(self.text)))
        return ShownText(
            before + self.text + after,
            tuple((a + moved, b + moved) for a, b in self.italics),
            tuple((a + moved, b + moved) for a, b in self.bolds),
            self.n_stored,
            (*(first,) * len(before), *kept, *(last,) * len(after)),
        )

    def followed_by(self, between: str, other: ShownText) -> ShownText:
        """Return the text with a later part of the same stored text, and a sign between them."""
        first = self.with_ends("", between)
        moved = len(first.text)
        return ShownText(
            first.text + other.text,
            (*first.italics, *((a + moved, b + moved) for a, b in other.italics)),
            (*first.bolds, *((a + moved, b + moved) for a, b in other.bolds)),
            self.n_stored,
            (*first.kept, *(other.kept or range(len(other.text)))),
        )

    def with_closed_quotes(self) -> ShownText:
        """Return the text with the other sign of a quotation that begins or ends outside it."""
        before, after = _find_missing_quotes(self.text)
        return self.with_ends(before, after) if before or after else self


_QUOTES = {"“": "”", "「": "」", "『": "』", "„": "“"}
_STRAIGHT = '"'
_BEFORE_QUOTATION = "([—–-:："


def _find_missing_quotes(text: str) -> tuple[str, str]:
    """Return the signs that belong before and after a piece of text, such as a sentence.

    Apostrophes look like single quotation marks, so these are left as they are.
    """
    if "“" not in text and text.count("”") > 1:  # Swedish and Finnish open with it, too
        return "", ""
    before, opened = "", list[str]()
    openings = {closing: opening for opening, closing in _QUOTES.items() if closing not in _QUOTES}
    for place, char in enumerate(text):
        if opened and char == opened[-1]:
            opened.pop()
        elif char in _QUOTES:
            opened.append(_QUOTES[char])
        elif char in openings:
            before = openings[char] + before
        elif char == _STRAIGHT:
            if _is_opening(text, place):
                opened.append(_STRAIGHT)
            else:
                before = _STRAIGHT + before
    return before, "".join(reversed(opened))


def _is_opening(text: str, place: int) -> bool:
    """Return whether a straight quotation mark begins a quotation, while none is open."""
    if place == 0 or text[place - 1].isspace() or text[place - 1] in _BEFORE_QUOTATION:
        return True
    # Chinese has no blank before it: its other end follows, unless the number left is odd
    is_chinese = has_han(text[place - 1]) or text[place - 1] in "，、；"
    return is_chinese and text.count(_STRAIGHT, place) % 2 == 0


def show_text(stored: str, *, is_piece: bool = True, one_line: bool = False) -> ShownText:
    """Return a stored text as it is displayed.

    Args:
        stored: a sentence, a paragraph or a longer text.
        is_piece: the text is a part of a longer one, such as a sentence: signs whose other end
            is outside are removed, too.
        one_line: replace each run of white space with one blank, none is left at the ends, and
            two hyphens between words with a dash.
    """
    removed: list[Span] = []
    italics: list[Span] = []
    bolds: list[Span] = []
    if _SIGNS.search(stored):
        _find_signs(stored, is_piece, removed, italics, bolds)
    if not removed and not one_line:
        return ShownText(stored, n_stored=len(stored))
    dashes = {found.start() for found in _DASHES.finditer(stored)} if one_line else set()
    removed += [(place + 1, place + 2) for place in dashes]
    gone = bytearray(len(stored))
    for start, end in removed:
        gone[start:end] = b"\1" * (end - start)
    characters: list[str] = []
    kept: list[int] = []
    for place, char in enumerate(stored):
        if gone[place]:
            continue
        if one_line and char.isspace():
            if not characters or characters[-1] == " ":
                continue
            char = " "
        if place in dashes:
            char = "—"
        characters.append(char)
        kept.append(place)
    if one_line and characters and characters[-1] == " ":
        del characters[-1], kept[-1]
    whole = ShownText("".join(characters), (), (), len(stored), tuple(kept))
    return ShownText(
        whole.text, _join(whole, italics), _join(whole, bolds), len(stored), tuple(kept)
    )


def remove_signs(stored: str) -> str:
    """Return a piece of text as it is displayed, on one line: for lists, tooltips and labels."""
    return show_text(stored, one_line=True).text


def _find_signs(
    stored: str, is_piece: bool, removed: list[Span], italics: list[Span], bolds: list[Span]
) -> None:
    rest = stored

    def take(*spans: Span) -> None:
        nonlocal rest
        for start, end in spans:
            removed.append((start, end))
            rest = rest[:start] + _REMOVED * (end - start) + rest[end:]

    literal: list[Span] = []
    for found in list(_CODE.finditer(rest)):
        literal.append(found.span(2))
        take((found.start(), found.start(2)), (found.end(2), found.end()))
    for start, end in literal:  # what is code has no markup
        rest = rest[:start] + "\0" * (end - start) + rest[end:]
    for found in list(_WIKI_LINK.finditer(rest)):
        take((found.start(), found.start(3)), found.span(4))
    for found in list(_LINK.finditer(rest)):
        take(found.span(1), found.span(3))
    for found in list(_STRUCK.finditer(rest)):
        take(found.span(1), found.span(3))
    for pattern, spans in (
        (_BOLD, bolds),
        (_BOLD_LINE, bolds),
        (_ITALIC, italics),
        (_ITALIC_LINE, italics),
    ):
        for found in list(pattern.finditer(rest)):
            spans.append(found.span(2))
            take(found.span(1), found.span(3))
    if is_piece:
        for pattern in (_OPEN_END, _CLOSE_END):
            for found in list(pattern.finditer(rest)):
                number = found.lastindex or 0
                opens = pattern is _OPEN_END
                take(found.span(number))
                italics_or_bolds = bolds if found.end(number) - found.start(number) > 1 else italics
                end = found.start(number)
                italics_or_bolds.append((found.end(number), len(stored)) if opens else (0, end))


def _join(shown: ShownText, spans: list[Span]) -> tuple[Span, ...]:
    """Return stored ranges as ranges of the shown text, in order and without overlaps."""
    joined: list[Span] = []
    for start, end in sorted(shown.span(*span) for span in spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        elif start < end:
            joined.append((start, end))
    return tuple(joined)
