"""Pictures that lie on the sheets of an Excel workbook, with the cells that are their captions.

A sheet refers to a drawing, which says over which rows each picture lies. Knows the archive and the
text of the sheet; charts are not read here.
"""

from __future__ import annotations

import posixpath
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from lxml import etree

from ...errors import AppError
from ...figures import find_caption_label
from .archives import Archive, local_attribute, local_name
from .flow_figures import MAX_MARKS, PictureMark
from .text_builder import TextBuilder

_ROW_EMU = 190_500  # the height of a row in the default font of Excel: 15 points
_MAX_ROWS_TO_CAPTION = 3  # between a picture and its caption, as line ends in `engine.figures`


def place_sheet_pictures(
    archive: Archive,
    sheet: str,
    builder: TextBuilder,
    rows: Sequence[tuple[int, Sequence[str]]],
    starts: Sequence[int],
) -> list[PictureMark]:
    """Return the pictures of a sheet.

    Args:
        sheet: the path of its part.
        builder: has the text of the sheet at its end.
        rows: number, from 1, and cells of each row with a text.
        starts: the offsets of the lines that were made of the rows.
    """
    try:
        found = list(_iter_pictures(archive, sheet))[:MAX_MARKS]
    except AppError:  # a damaged part: the cells are read all the same
        return []
    if not found:
        return []
    text = builder.text
    numbers = [number for number, _ in rows]
    marks: list[PictureMark] = []
    for path, alt, top, bottom in found:
        below = bisect_left(numbers, bottom + 1)
        # the lines are fewer than the rows where several rows are one header
        line = below - (len(rows) - len(starts))
        at = starts[max(line, 0)] if 0 <= below < len(rows) and starts else builder.next_start
        near = [
            row
            for number, row in (*rows[below : below + 1], *reversed(rows[:below]))
            if top - _MAX_ROWS_TO_CAPTION <= number <= bottom + _MAX_ROWS_TO_CAPTION
        ]
        cells = (cell for row in near for cell in row if find_caption_label(cell))
        caption = next(cells, "")
        start = text.find(caption, starts[0]) if caption and starts else -1
        span = (start, start + len(caption)) if start >= 0 else None
        marks.append(PictureMark(path, at if span is None else start, alt, span))
    return marks


def _iter_pictures(archive: Archive, sheet: str) -> Iterator[tuple[str, str, int, int]]:
    """Yield path, description, and the numbers of the first and last row of each picture."""
    for drawing in _list_targets(archive, sheet, "/drawing").values():
        pictures = _list_targets(archive, drawing, "/image")
        for anchor in archive.xml(drawing) if pictures else ():
            top = _read_row(anchor, "from")
            bottom = _read_row(anchor, "to") or top + _read_height(anchor)
            for picture in (e for e in anchor.iter() if local_name(e) == "pic"):
                alt = relation = ""
                for element in picture.iter():
                    if local_name(element) == "cNvPr":
                        alt = alt or element.get("descr") or ""
                    elif local_name(element) == "blip" and not relation:
                        relation = local_attribute(element, "embed")
                if relation in pictures:
                    yield pictures[relation], alt, top, max(top, bottom)


def _read_row(anchor: etree._Element, corner: str) -> int:
    """Return the number of the row, from 1, of a corner of a picture; 0 if there is none."""
    for element in anchor:
        if local_name(element) == corner:
            for part in element:
                if local_name(part) == "row" and (part.text or "").strip().isdecimal():
                    return min(int((part.text or "").strip()[:8]), 10_000_000) + 1
    return 0


def _read_height(anchor: etree._Element) -> int:
    """Return over how many rows of the usual height a picture lies that is fixed at one cell."""
    for element in anchor:
        height = element.get("cy", "") if local_name(element) == "ext" else ""
        if height.isdecimal():
            return int(height[:12]) // _ROW_EMU
    return 0


def _list_targets(archive: Archive, part: str, kind: str) -> dict[str, str]:
    """Return relation -> path of the parts of a kind that a part refers to."""
    folder, _, name = part.rpartition("/")
    relations = f"{folder}/_rels/{name}.rels"
    found: dict[str, str] = {}
    for element in archive.xml(relations) if archive.has(relations) else ():
        target = element.get("Target") or ""
        if element.get("TargetMode") == "External" or not target:
            continue
        if (element.get("Type") or "").endswith(kind):
            path = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
            if archive.has(path):
                found[element.get("Id") or ""] = path
    return found
