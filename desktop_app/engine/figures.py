"""Figures of a document: pictures, drawings and photographs with their captions.

Plain data that the readers make, the store keeps and the window shows, and the rules that find
captions and mentions such as "Figure 3" or "图3". A figure has no pixels here: it is a part of a
page, or the path of a picture inside the document's file, and is drawn from the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .messages import Message
from .writing_systems import WIDE, read_han_number

MAX_FIGURES = 2_000  # of a document; the rest is counted in its notes
MAX_CAPTION_CHARS = 1_500
MAX_ALT_CHARS = 1_000
MAX_PATH_CHARS = 1_000
MIN_PIXELS = 100  # of both sides: smaller pictures are icons, bullets and buttons
MAX_STRETCHED = 8.0  # width by height: what is longer is a line or an ornament
MAX_REPEATED = 3  # times that a picture without a caption may stand in a document

FigureBox = tuple[float, float, float, float]  # left, top, right, bottom; 0 to 1 of the page

# The words before the number of a figure, by kind. Figures of one kind are counted together, so
# that "Fig. 3" and "Figure 3" are one. Charts, maps and others have their own numbers.
_KINDS = {
    "figure": ("Figures", "Figure", "Figs", "Fig", "Abbildung", "Abb", "图", "圖", "插图", "插圖"),
    "plate": ("Plates", "Plate", "Tafel", "图版", "圖版"),
    "illustration": ("Illustrations", "Illustration", "Illus"),
    "chart": ("Charts", "Chart", "图表", "圖表"),
    "diagram": ("Diagrams", "Diagram"),
    "scheme": ("Schemes", "Scheme"),
    "map": ("Maps", "Map", "地图", "地圖"),
    "exhibit": ("Exhibits", "Exhibit"),
    "photo": ("Photographs", "Photograph", "Photos", "Photo", "照片"),
    "table": ("Tables", "Table", "Tab", "表"),
}
_KIND_OF = {word.lower(): kind for kind, words in _KINDS.items() for word in words}
_LATIN = sorted((w for w in _KIND_OF if w.isascii()), key=len, reverse=True)
_HAN = sorted((w for w in _KIND_OF if not w.isascii()), key=len, reverse=True)
_NUMBER = r"(?:[A-Z]\.?)?\d{1,3}(?:[.\-–·]\d{1,3}){0,3}|[IVXLC]{1,7}(?![a-zA-Z])"
_HAN_NUMBER = rf"{_NUMBER}|[一二三四五六七八九十百]{{1,4}}"
# The first letter of a word in Latin letters is a capital: "figure 3" in a sentence is a mention.
_WORDS = "|".join(f"{w[0].upper()}(?i:{w[1:]})" for w in _LATIN)
_HAN_WORDS = "|".join(_HAN)
_CAPTION = re.compile(
    rf"[ \t\u3000]*[(（\[【]?(?:"
    rf"(?P<word>{_WORDS})\.?[ \t\xa0]*(?P<number>{_NUMBER})"
    rf"|(?P<han>{_HAN_WORDS})[ \t\u3000]*(?P<han_number>{_HAN_NUMBER}))"
    r"(?P<letter>[a-z]?)(?P<after>[^\n]{0,30})"
)
# What follows the number of a caption: nothing, a sign, or a title with a capital or in Chinese.
# Prose goes on in small letters, with a comma or a parenthesis: "Figure 3 shows", "图3所示".
_AFTER = re.compile(r"\s*$|\s*[.:：|—–\-]+(?![\d,])|\s*[)）\]】](?!\s*[,.;])|\s+[A-Z0-9“\"]")
_HAN_AFTER = re.compile(rf"\s*$|\s*[.:：|—–\-．、]|\s*[)）\]】]|\s+[{WIDE}A-Z0-9“\"(（]")
_HAN_PROSE = re.compile(
    r"\s*(?:所示|中|显示|顯示|为|為|给出|給出|展示|表明|可见|可見|可以|是|和|与|與|及|的|所|说明|說明|反映|描述|列出)"
)
_MENTION = re.compile(
    rf"(?:\b(?P<word>(?i:{'|'.join(_LATIN)}))\.?[ \t\xa0\n]{{0,2}}(?P<numbers>"
    rf"(?:{_NUMBER})[a-z]?\b(?:\s*(?:,|and|und|&|or|to|–|-)\s*(?:{_NUMBER})[a-z]?\b){{0,5}})"
    rf"|(?P<han>{_HAN_WORDS})[ \t\u3000]*(?P<han_numbers>(?:{_HAN_NUMBER})"
    rf"(?:\s*[、和与與及~～\-–至]\s*(?:{_HAN_WORDS})?\s*(?:{_HAN_NUMBER})){{0,5}}))"
)
_ONE_NUMBER = re.compile(_HAN_NUMBER)
_DIGITS = {c: i for i, c in enumerate("〇一二三四五六七八九")}
_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture or drawing of a document.

    Attributes:
        start, end: the caption in the document's text; equal where there is none, at the place
            where the picture stands.
        label: kind and number as `format_label` returns it ("figure 3"), "" without a number.
        alt: what the file says instead of the picture, for people who can't see it.
        page_index: the page that shows it, None in documents without pages.
        box: the part of this page, of PDFs only.
        path: the picture inside the document's file, "" for a part of a page.
        width, height: in pixels; of a part of a page at 200 dots per inch.
    """

    start: int
    end: int
    label: str = ""
    alt: str = ""
    page_index: int | None = None
    box: FigureBox | None = None
    path: str = ""
    width: int = 0
    height: int = 0


def is_decoration(width: int, height: int) -> bool:
    """Return whether a picture of so many pixels is an icon, a line or an ornament."""
    least, most = sorted((width, height))
    return least < MIN_PIXELS or most > MAX_STRETCHED * least


def find_caption_label(line: str) -> str:
    """Return the label of the caption that a line or paragraph begins with, "" if it is none.

    "Figure 3: Results" is one, "Figure 3 shows" and "as in Figure 3" are not.
    """
    match = _CAPTION.match(line)
    if match is None:
        return ""
    after = match.group("after")
    if match.group("han"):
        is_caption = bool(_HAN_AFTER.match(after)) and not _HAN_PROSE.match(after)
    else:
        is_caption = bool(_AFTER.match(after))
    if not is_caption:
        return ""
    word = match.group("word") or match.group("han")
    return format_label(word, match.group("number") or match.group("han_number"))


def format_label(word: str, number: str) -> str:
    """Return kind and number of a figure in one form: "Fig. 3", "Figure 3a" → "figure 3"."""
    return f"{_KIND_OF[word.lower()]} {_tidy_number(number)}"


def _tidy_number(number: str) -> str:
    number = number.replace("–", "-").replace("·", ".")
    if number[0] in _DIGITS or number[0] in "十百":
        return str(read_han_number(number))
    if set(number) <= _ROMAN.keys():
        values = [_ROMAN[c] for c in number]
        pairs = zip(values, [*values[1:], 0], strict=True)
        return str(sum(-a if a < b else a for a, b in pairs))
    return re.sub(r"^([A-Z])(?=\d)", r"\1.", number).lower()


def find_mentions(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, label) of the figures that a text mentions, captions included."""
    for match in _MENTION.finditer(text):
        word = match.group("word") or match.group("han")
        numbers = match.group("numbers") or match.group("han_numbers")
        found = [m.group() for m in _ONE_NUMBER.finditer(numbers)]
        is_plural = word.lower().endswith("s")
        for number in _fill_range(found, numbers, is_plural=is_plural):
            yield match.start(), match.end(), f"{_KIND_OF[word.lower()]} {number}"


_MAX_RANGE = 12


def _fill_range(numbers: Sequence[str], written: str, *, is_plural: bool) -> list[str]:
    """Return tidy numbers; "3 to 6" and, after a plural, "3–6" give all four."""
    tidy = [_tidy_number(number) for number in numbers]
    if is_plural and len(tidy) == 1 and re.fullmatch(r"\d+-\d+", tidy[0]):
        tidy = tidy[0].split("-")
        written = "to"
    if len(tidy) == 2 and re.search(r"\bto\b|[~～至–]", written):
        first, last = tidy
        if first.isdigit() and last.isdigit() and 0 < int(last) - int(first) <= _MAX_RANGE:
            return [str(n) for n in range(int(first), int(last) + 1)]
    return tidy


# --- captions in a text without pages -------------------------------------------------------------

_MAX_BETWEEN = 3  # line ends between a picture and its caption


def find_figure_caption(text: str, at: int) -> tuple[int, int]:
    """Return the offsets of the caption of a picture that stands at an offset.

    It is the paragraph below the picture, or the one above, that begins as captions do; (at, at)
    if there is none.
    """
    start = at
    while start < len(text) and text[start].isspace():
        start += 1
    if text.count("\n", at, start) <= _MAX_BETWEEN:
        end = _paragraph_end(text, start)
        if find_caption_label(text[start : min(end, start + 100)]):
            return start, min(end, start + MAX_CAPTION_CHARS)
    end = at
    while end > 0 and text[end - 1].isspace():
        end -= 1
    start = text.rfind("\n", 0, end) + 1
    if end - start <= MAX_CAPTION_CHARS and find_caption_label(text[start : start + 100]):
        return start, end
    return at, at


def _paragraph_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def limit_figures(figures: list[Figure], n_pages_left: int) -> tuple[list[Figure], list[Message]]:
    """Return at most `MAX_FIGURES`, those with a caption first, in the order of the text."""
    notes: list[Message] = []
    if len(figures) > MAX_FIGURES:
        notes.append(
            Message(
                "It has {n:,} pictures: {most:,} of them are listed, those with a caption first.",
                n=len(figures),
                most=MAX_FIGURES,
            )
        )
        chosen = sorted(figures, key=lambda f: f.start == f.end)[:MAX_FIGURES]
        kept = set(map(id, chosen))
        figures = [figure for figure in figures if id(figure) in kept]
    if n_pages_left:
        notes.append(
            Message(
                "Pages on which no pictures were looked for, to save time: {n:,}.", n=n_pages_left
            )
        )
    return figures, notes
