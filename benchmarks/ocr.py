"""Scanned pages: how many characters are read wrong, in how much time and memory.

Pages are set from known texts, as a printer would, drawn at a number of dots per inch, made a
little grey and noisy, and read by the process that reads pictures of pages. The error is the number
of characters to insert, delete or replace by those of the page, without blanks, in reading order;
full-width punctuation counts as the same as half-width. Pages with their text layer of real PDFs
are drawn and read too: their layer is the known text, so that what it has wrong counts.
"""

from __future__ import annotations

import io
import os
import time
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from rapidfuzz.distance import Levenshtein

from desktop_app.engine.child_process import find_peak_bytes
from desktop_app.engine.scanned_pages import build_text
from desktop_app.engine.text.ocr.ocr_process import PictureReader

from .common import data_file, load_body, load_carol, make_parser, print_result

FONTS = Path(__file__).parents[1] / "resources" / "fonts"
LATIN = FONTS / "source-serif-4" / "SourceSerif4-Regular.ttf"
CHINESE = FONTS / "noto-sans-sc" / "NotoSansSC-Regular.ttf"
SHEET = (8.27, 11.69)  # inches
MARGIN = 1.0
POINTS = 11.0
DOCLING = (
    "Docling bundles PDF document conversion to JSON and Markdown in an easy self contained package"
)
# Files, their pages, and the text that a person reads there.
SCANS = (
    ("ocr_test.pdf", (0,), DOCLING),
    ("ocr_test_rotated_90.pdf", (0,), DOCLING),
    ("nemotron_multipage.pdf", (0, 1, 2, 3), DOCLING),
)
LAYERS = (
    ("pdf_papers", "lightRAG_paper.pdf", 1),
    ("pdf_chinese", "附件1-北京市引进人才管理办法（试行）.pdf", 1),
    ("pdf_chinese", "证券公司客户资金账户管理规则.pdf", 2),
)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page to be read: a picture, or a page of a PDF; `text` is what it says."""

    name: str
    content: bytes
    index: int
    text: str


def set_page(
    text: str,
    font: Path,
    dpi: int,
    columns: int = 1,
    *,
    sheet: tuple[float, float] = SHEET,
    blank: float = MARGIN,
) -> tuple[Any, str]:
    """Return the picture of a page that is filled with a text, and the part that is on it.

    Args:
        sheet, blank: size of the page, and what stays free on each side, in inches.
    """
    width, height = (round(side * dpi) for side in sheet)
    image = Image.new("L", (width, height), 255)
    drawing = ImageDraw.Draw(image)
    size = POINTS * dpi / 72
    chosen = ImageFont.truetype(str(font), round(size))
    margin, gap = round(blank * dpi), round(0.3 * dpi)
    column = (width - 2 * margin - (columns - 1) * gap) // columns
    wide = font == CHINESE
    units = list("".join(text.split())) if wide else text.split()
    placed: list[str] = []
    for number in range(columns):
        left, top = margin + number * (column + gap), margin
        while top < height - margin - size and units:
            line = ""
            while units:
                longer = line + ("" if wide or not line else " ") + units[0]
                if chosen.getlength(longer) > column:
                    break
                line = longer
                placed.append(units.pop(0))
            if not line:  # a word that is longer than the column
                placed.append(units.pop(0))
                line = placed[-1]
            drawing.text((left, top), line, fill=0, font=chosen)
            top += round(1.45 * size)
    return image, "".join(placed)


def age(image: Any, turn: float, seed: int) -> bytes:
    """Return a page as a scanner sees it: turned, a little blurred, with grain."""
    turned = image.rotate(-turn, resample=Image.Resampling.BICUBIC, fillcolor=255)
    rng = np.random.default_rng(seed)
    grey = np.asarray(turned, dtype=np.float32) * 0.86 + 18
    grey += rng.normal(0, 9, grey.shape)
    made = io.BytesIO()
    Image.fromarray(np.clip(grey, 0, 255).astype(np.uint8)).save(made, "JPEG", quality=82)
    return made.getvalue()


def set_columns(text: str, dpi: int) -> tuple[Any, str]:
    """Return a page of Chinese in columns from right to left, and its text."""
    width, height = (round(side * dpi) for side in SHEET)
    image = Image.new("L", (width, height), 255)
    drawing = ImageDraw.Draw(image)
    size = round(14 * dpi / 72)
    chosen = ImageFont.truetype(str(CHINESE), size)
    margin = round(MARGIN * dpi)
    units = [c for c in "".join(text.split()) if c.isalnum()]
    placed = []
    for left in range(width - margin - size, margin, -round(1.7 * size)):
        for top in range(margin, height - margin - size, round(1.12 * size)):
            if not units:
                break
            placed.append(units.pop(0))
            drawing.text((left, top), placed[-1], fill=0, font=chosen)
    return image, "".join(placed)


def iter_sheets(n_pages: int) -> Iterator[Sheet]:
    """Yield the pages, in groups of one name."""
    english = load_carol()
    chinese = load_body(data_file("zh_novels", "shuihu", "shuihu_120.txt"))
    kinds = [
        ("English 200 dpi", LATIN, 200, 1, 0.0),
        ("English 150 dpi", LATIN, 150, 1, 0.0),
        ("English 200 dpi, two columns", LATIN, 200, 2, 0.0),
        ("English 200 dpi, turned 2°", LATIN, 200, 1, 2.0),
        ("Chinese 200 dpi", CHINESE, 200, 1, 0.0),
        ("Chinese 150 dpi", CHINESE, 150, 1, 0.0),
        ("Chinese 200 dpi, two columns", CHINESE, 200, 2, 0.0),
        ("Chinese 200 dpi, turned 2°", CHINESE, 200, 1, 2.0),
    ]
    for name, font, dpi, columns, turn in kinds:
        text = chinese if font == CHINESE else english
        for number in range(n_pages):
            start = 8_000 * (number + 1)
            image, known = set_page(text[start : start + 9_000], font, dpi, columns)
            yield Sheet(name, age(image, turn, number), 0, known)
    for number in range(n_pages):
        start = 8_000 * (number + 1)
        image, known = set_columns(chinese[start : start + 9_000], 200)
        yield Sheet("Chinese 200 dpi, columns from the right", age(image, 0.0, number), 0, known)
    for folder, file, index in LAYERS:
        content = data_file("files", folder, file).read_bytes()
        yield Sheet(f"drawn: {file}", content, index, read_layer(content, index))
    for file, indexes, known in SCANS:
        content = data_file("files", "pdf_scanned", file).read_bytes()
        for index in indexes:
            yield Sheet(f"scan: {file}", content, index, known)


def read_layer(content: bytes, index: int) -> str:
    """Return what a PDF says that a page says."""
    import pypdfium2

    document = pypdfium2.PdfDocument(content)
    try:
        return str(document[index].get_textpage().get_text_bounded())
    finally:
        document.close()


def normalise(text: str) -> str:
    """Return a text without blanks, with one form of each sign."""
    plain = unicodedata.normalize("NFKC", text)
    signs = str.maketrans("“”‘’—–−·•…」「『』", "\"\"''---..." + '""""')
    return "".join(plain.replace("…", "...").replace("￾", "-").translate(signs).split())


def count_errors(read: str, known: str) -> tuple[int, int]:
    """Return the number of wrong characters, and of all."""
    a, b = normalise(read), normalise(known)
    return int(Levenshtein.distance(a, b)), len(b)


KEYS = ("wrong", "characters", "pages", "s", "processor_s", "uncertain")


def read_processor_time(pid: int) -> float:
    """Return the seconds that a process has worked; 0 where the system does not say."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return 0.0
    fields = stat.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--pages", type=int, default=2, help="of each kind of page that is set")
    parser.add_argument("--only", default="", help="only kinds whose name has this in it")
    parser.add_argument("--show", action="store_true", help="print what is read")
    options = parser.parse_args()
    reader = PictureReader()
    found: dict[str, dict[str, float]] = {}
    peak = 0
    try:
        for sheet in iter_sheets(options.pages):
            if options.only not in sheet.name:
                continue
            document = reader.open(sheet.content)
            pid = reader.child_pid or 0
            began, used = time.perf_counter(), read_processor_time(pid)
            page = reader.read_lines(document, sheet.index)
            took, worked = time.perf_counter() - began, read_processor_time(pid) - used
            text = build_text(page.lines)
            if options.show:
                print(f"--- {sheet.name}\n{text}")
            wrong, total = count_errors(text, sheet.text)
            print(f"{sheet.name}: {wrong} of {total} in {took:.1f} s", flush=True)
            row = found.setdefault(sheet.name, {key: 0.0 for key in KEYS})
            values = (wrong, total, 1, took, worked, not page.is_certain)
            for key, value in zip(KEYS, values, strict=True):
                row[key] += value
            if reader.child_pid is not None:
                peak = max(peak, find_peak_bytes(reader.child_pid))
    finally:
        reader.close()
    for name, row in found.items():
        row["error"] = round(row["wrong"] / max(1, row["characters"]), 4)
        row["s"] = round(row["s"] / row["pages"], 1)
        row["processor_s"] = round(row["processor_s"] / row["pages"], 1)
        print(
            f"{name:45} {row['error']:7.2%}  {row['s']:5.1f} s a page"
            f" ({row['processor_s']:.1f} s of a core)"
            f"  {row['characters']:,.0f} characters on {row['pages']:.0f} pages"
            + (f"  {row['uncertain']:.0f} uncertain" if row["uncertain"] else "")
        )
    print(f"peak memory of the process: {peak / 1e6:,.0f} MB")
    print_result("ocr", kinds=found, peak_bytes=peak)


if __name__ == "__main__":
    main()
