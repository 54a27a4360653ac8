"""PDFs with given layouts of their first pages, for tests of what is found there.

Written by hand, so that fonts, sizes and places are exactly those of a page: journal papers,
theses, books, reports, slides and letters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

REGULAR, BOLD, CHINESE = "F1", "F2", "F3"
FILL = "The text of the page goes on in lines of the usual size and says nothing of the title."
FILL_ZH = "正文从这里开始，一行接着一行，用的是通常的字号，和题目没有关系，只是为了填满这一页。"


@dataclass(frozen=True, slots=True)
class Words:
    """A text at a place of a page, in points from the bottom left; `turned` by 90 degrees."""

    text: str
    size: float = 10
    x: float = 72
    y: float = 700
    font: str = REGULAR
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """A ruling line of a page, in points from the bottom left."""

    x1: float
    y1: float
    x2: float
    y2: float


def body(top: float = 540, n: int = 25, size: float = 10, x: float = 72, font: str = REGULAR):
    """Return lines of text."""
    text = FILL_ZH if font == CHINESE else FILL
    return [Words(text, size, x, top - 1.3 * size * i, font) for i in range(n)]


def make_layout(
    pages: Sequence[Sequence[Words | Rule]], title: str = "", author: str = "", created: str = ""
) -> bytes:
    """Return a PDF with these pages and metadata."""
    kids = " ".join(f"{10 + 2 * i} 0 R" for i in range(len(pages)))
    objects = {
        1: "<</Type/Catalog/Pages 2 0 R>>",
        2: f"<</Type/Pages/Count {len(pages)}/Kids[{kids}]>>",
        3: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
        4: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding/WinAnsiEncoding>>",
        5: "<</Type/Font/Subtype/Type0/BaseFont/STSong-Light/Encoding/UniGB-UCS2-H"
        "/DescendantFonts[6 0 R]>>",
        6: "<</Type/Font/Subtype/CIDFontType0/BaseFont/STSong-Light/DW 1000"
        "/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 2>>/FontDescriptor 7 0 R>>",
        7: "<</Type/FontDescriptor/FontName/STSong-Light/Flags 4/FontBBox[0 -200 1000 900]"
        "/ItalicAngle 0/Ascent 880/Descent -120/CapHeight 700/StemV 80>>",
        8: f"<</Title {_string(title)}/Author {_string(author)}/CreationDate({created})>>",
    }  # fmt: skip
    for i, words in enumerate(pages):
        stream = "\n".join(map(_draw, words))
        objects[10 + 2 * i] = (
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents {11 + 2 * i} 0 R"
            "/Resources<</Font<</F1 3 0 R/F2 4 0 R/F3 5 0 R>>>>>>"
        )
        objects[11 + 2 * i] = f"<</Length {len(stream)}>>stream\n{stream}\nendstream"
    made = b"%PDF-1.7\n"
    offsets = {}
    for number, content in objects.items():
        offsets[number] = len(made)
        made += f"{number} 0 obj\n{content}\nendobj\n".encode("latin-1")
    start = len(made)
    made += b"xref\n0 1\n0000000000 65535 f \n"
    for number, offset in offsets.items():
        made += f"{number} 1\n{offset:010d} 00000 n \n".encode()
    size = max(objects) + 1
    return made + (
        f"trailer<</Size {size}/Root 1 0 R/Info 8 0 R>>\nstartxref\n{start}\n%%EOF\n".encode()
    )


def _string(text: str) -> str:
    return "<feff" + text.encode("utf-16-be").hex() + ">"


def _draw(words: Words | Rule) -> str:
    if isinstance(words, Rule):
        return f"0.5 w {words.x1} {words.y1} m {words.x2} {words.y2} l S"
    if words.font == CHINESE:
        shown = f"<{words.text.encode('utf-16-be').hex()}>"
    else:
        escaped = words.text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        shown = f"({escaped.encode('cp1252').decode('latin-1')})"
    matrix = f"0 1 -1 0 {words.x} {words.y}" if words.turned else f"1 0 0 1 {words.x} {words.y}"
    return f"BT /{words.font} {words.size} Tf {matrix} Tm {shown} Tj ET"
