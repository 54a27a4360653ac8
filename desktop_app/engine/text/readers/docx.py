"""Reader of Word documents (.docx), Transitional and Strict.

Tags are matched without their namespaces. Text that tracked changes deleted or moved away is left
out; footnotes and endnotes follow the text. Formulas become lines of text (`formulas`), charts
tables (`charts`).
"""

from __future__ import annotations

import itertools
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from lxml import etree

from ...figures import find_caption_label
from ...messages import Message
from ...model import Heading, ReadDocument
from .archives import Archive, Unreadable, local_attribute, local_name
from .cell_spans import MAX_COLUMNS, SpannedCell, expand_spans, repeat_in_header
from .charts import read_chart
from .document_builder import build_document, clean_author, clean_title
from .flow_figures import HEAD_BYTES, PictureMark, build_figures
from .formulas import format_omml
from .tables import format_tables

# Text, and the heading level: 0 title, -1 paragraph, -2 table row; -3 is a picture, whose relation
# and description stand in place of a text, -4 a chart with its relation.
Line = tuple[str, int]
_PICTURE, _CHART = -3, -4

_SEPARATORS = ("separator", "continuationSeparator")  # between text and notes
_SKIPPED = frozenset(
    "del moveFrom Fallback instrText delText pPr rPr sectPr tblPr trPr tcPr tblGrid".split()
)
_SKIPPED_PICTURES = ("del", "moveFrom", "txbxContent")  # of a text box, see its own paragraphs
_CHARACTERS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_HEADING_NAME = re.compile(r"(?:heading|überschrift|titre|título|标题|標題)\s*(\d)$", re.I)


def read_docx(content: bytes, stem: str) -> ReadDocument:
    """Return the document with paragraphs and table rows as lines of text.

    Raises:
        Unreadable: it is damaged or has no text.
    """
    archive = Archive(content)
    main = find_main_part(archive)
    root = archive.xml(main)
    folder = main.rpartition("/")[0]
    levels = _style_levels(archive, f"{folder}/styles.xml")
    body = next((e for e in root.iter() if local_name(e) == "body"), None)
    if body is None:
        raise Unreadable("its main part is damaged.", "Open it in Word and save it again.")
    lines: list[Line] = []
    _collect(body, lines, levels)
    for name in ("footnotes", "endnotes"):
        if archive.has(f"{folder}/{name}.xml"):
            for note in archive.xml(f"{folder}/{name}.xml"):
                is_separator = local_attribute(note, "type") in _SEPARATORS
                if not is_separator and (text := _text_of(note, levels)):
                    lines.append((f"[{local_attribute(note, 'id')}] {text}", -1))
    targets = _read_targets(archive, main)
    notes: list[Message] = []
    text, outline, title, pictures = _join(_insert_charts(lines, archive, targets, notes))
    marks = [replace(m, path=targets[m.path]) for m in pictures if m.path in targets]
    figures, figure_notes = build_figures(
        text, marks, lambda path: archive.read_head(path, HEAD_BYTES)
    )
    core: dict[str, str] = {}
    if archive.has("docProps/core.xml"):
        core = {local_name(e): (e.text or "").strip() for e in archive.xml("docProps/core.xml")}
    return build_document(
        text,
        format="docx",
        stem=stem,
        title=title or clean_title(core.get("title", "")),
        author=clean_author(core.get("creator", "")),
        # the template of python-docx is of 2013
        year="" if core.get("creator") == "python-docx" else core.get("created", "")[:4],
        outline=outline,
        notes=[*notes, *figure_notes],
        figures=figures,
    )


def _read_targets(archive: Archive, main: str) -> dict[str, str]:
    """Return relation -> path of the pictures and charts that a part of the document refers to."""
    folder, _, name = main.rpartition("/")
    path = f"{folder}/_rels/{name}.rels"
    if not archive.has(path):
        return {}
    found = {}
    for element in archive.xml(path):
        if (element.get("TargetMode") or "") == "External":
            continue
        if (element.get("Type") or "").endswith(("/image", "/chart")):
            target = element.get("Target") or ""
            whole = target[1:] if target.startswith("/") else f"{folder}/{target}"
            found[element.get("Id") or ""] = posixpath.normpath(whole)
    return found


def _insert_charts(
    lines: Iterable[Line], archive: Archive, targets: Mapping[str, str], notes: list[Message]
) -> Iterator[Line]:
    """Yield the lines with the values of each chart, as rows of a table, in its place."""
    for text, level in lines:
        if level != _CHART:
            yield text, level
            continue
        try:
            tables = format_tables(read_chart(archive.xml(targets[text])))
        except (KeyError, Unreadable):
            notes.append(Message("A chart is damaged: its values are not in the text."))
            continue
        for rows in tables:
            yield "", -1  # ends the table before
            yield from ((row, -2) for row in rows)


def _list_drawings(element: etree._Element) -> list[Line]:
    """Return pictures and charts of a paragraph or table; of a drawing that is there twice one."""
    found: list[Line] = []
    for part in element.iter():
        if local_name(part) not in ("drawing", "pict"):
            continue
        above = itertools.takewhile(lambda e: e is not element, part.iterancestors())
        if any(local_name(e) in ("Fallback", *_SKIPPED_PICTURES) for e in above):
            continue
        alt = ""
        for inner in part.iter():
            if local_name(inner) in ("docPr", "shape"):
                alt = alt or local_attribute(inner, "descr") or local_attribute(inner, "alt")
            relation = ""
            if local_name(inner) == "blip":
                relation = local_attribute(inner, "embed")
            elif local_name(inner) == "imagedata":
                relation = local_attribute(inner, "id")
            if relation:
                found.append((f"{relation}\n{alt}", _PICTURE))
            if local_name(inner) == "chart" and (relation := local_attribute(inner, "id")):
                found.append((relation, _CHART))
    return found


def find_main_part(archive: Archive) -> str:
    if archive.has("_rels/.rels"):
        for element in archive.xml("_rels/.rels"):
            if (element.get("Type") or "").endswith("/officeDocument"):
                target = (element.get("Target") or "").lstrip("/")
                if archive.has(target):
                    return target
    return "word/document.xml"


def _style_levels(archive: Archive, path: str) -> dict[str, int]:
    """Return the heading level of each style by id; 0 is the title."""
    if not archive.has(path):
        return {}
    levels: dict[str, int] = {}
    based: dict[str, str] = {}
    for style in archive.xml(path).iter():
        if local_name(style) != "style":
            continue
        identifier = local_attribute(style, "styleId")
        for element in style.iter():
            tag, value = local_name(element), local_attribute(element, "val")
            if tag == "basedOn":
                based[identifier] = value
            elif tag == "outlineLvl" and value.isdigit() and int(value) < 9:
                levels[identifier] = int(value) + 1
            elif tag == "name":
                named = _HEADING_NAME.match(value.strip())
                if named:
                    levels.setdefault(identifier, int(named.group(1)))
                elif value.strip().lower() in ("title", "标题"):
                    levels.setdefault(identifier, 0)
    for identifier in based:
        ancestor, depth = identifier, 0
        while ancestor not in levels and ancestor in based and depth < 20:
            ancestor, depth = based[ancestor], depth + 1
        if ancestor in levels:
            levels.setdefault(identifier, levels[ancestor])
    return levels


def _collect(
    container: Iterable[etree._Element], lines: list[Line], levels: dict[str, int]
) -> None:
    """Append the lines of a body, cell, text box or note."""
    for element in container:
        tag = local_name(element)
        if tag == "p":
            boxes: list[etree._Element] = []
            text = "".join(_run_texts(element, boxes)).strip("\n")
            drawings = _list_drawings(element)
            lines += drawings if not text.strip() or find_caption_label(text) else []
            lines.append((text, _level(element, levels)))
            lines += drawings if text.strip() and not find_caption_label(text) else []
            for box in boxes:
                _collect(box, lines, levels)
        elif tag == "tbl":
            _collect_table(element, lines, levels)
        elif tag in ("sdt", "sdtContent", "ins", "moveTo", "customXml", "smartTag", "body"):
            _collect(element, lines, levels)
        elif tag == "AlternateContent":
            _collect([e for e in element if local_name(e) == "Choice"], lines, levels)


def _collect_table(table: etree._Element, lines: list[Line], levels: dict[str, int]) -> None:
    rows: list[list[SpannedCell]] = []
    has_spans = False
    above: dict[int, SpannedCell] = {}  # column -> the cell that may go on in the next row
    for row in _parts_of(table, "tr"):
        cells: list[SpannedCell] = []
        column = 0
        begun: dict[int, SpannedCell] = {}
        if before := _find_width(row, "trPr", "gridBefore", 0):
            cells.append(SpannedCell("", before))
            column = before
        for part in _parts_of(row, "tc"):
            width = _find_width(part, "tcPr", "gridSpan", 1)
            merging = _find_property(part, "tcPr", "vMerge")
            upper = above.get(column)
            if merging in ("", "continue") and upper is not None and upper.n_columns == width:
                upper.n_rows += 1
                begun[column] = upper
            else:
                cells.append(cell := SpannedCell(_text_of(part, levels), width))
                if merging is not None:
                    begun[column] = cell
            has_spans |= width > 1 or merging is not None
            column += width
        above = begun
        rows.append(cells)
    texts = [[cell.text for cell in cells] for cells in rows]
    if has_spans:
        texts = repeat_in_header(expand_spans(rows))
    lines += [(" | ".join(cells), -2) for cells in texts if any(cells)]
    lines += _list_drawings(table)


def _find_property(element: etree._Element, group: str, name: str) -> str | None:
    """Return a property of a row or cell, "" if it has no value, None if there is none."""
    for properties in element:
        if local_name(properties) == group:
            for found in properties:
                if local_name(found) == name:
                    return local_attribute(found, "val")
    return None


def _find_width(element: etree._Element, group: str, name: str, default: int) -> int:
    value = _find_property(element, group, name) or ""
    return min(int(value), MAX_COLUMNS) if value.isdecimal() and int(value) else default


def _parts_of(container: etree._Element, tag: str) -> Iterator[etree._Element]:
    """Yield the rows of a table or the cells of a row, without those of nested tables."""
    for element in container:
        name = local_name(element)
        if name == tag:
            yield element
        elif name != "tbl":
            yield from _parts_of(element, tag)


def _text_of(container: etree._Element, levels: dict[str, int]) -> str:
    lines: list[Line] = []
    _collect(container, lines, levels)
    return " ".join(" ".join(text for text, level in lines if level > _PICTURE).split())


def _run_texts(element: etree._Element, boxes: list[etree._Element]) -> list[str]:
    parts: list[str] = []
    for child in element:
        tag = local_name(child)
        if tag in _SKIPPED or tag in ("", "sym"):
            continue
        if tag == "t":
            parts.append(child.text or "")
        elif tag == "oMath":
            parts.append(_spaced(format_omml(child), parts))
        elif tag in _CHARACTERS:
            parts.append(_CHARACTERS[tag])
        elif tag == "txbxContent":
            boxes.append(child)
        else:
            parts += _run_texts(child, boxes)
    return parts


def _spaced(formula: str, before: list[str]) -> str:
    """Return a formula, after a space if a word or another formula stands before it."""
    last = next((part for part in reversed(before) if part), "")
    return f" {formula}" if formula and last and not last[-1].isspace() else formula


def _level(paragraph: etree._Element, levels: dict[str, int]) -> int:
    for properties in paragraph:
        if local_name(properties) != "pPr":
            continue
        style = -1
        for element in properties:
            value = local_attribute(element, "val")
            if local_name(element) == "outlineLvl" and value.isdigit():
                return int(value) + 1 if int(value) < 9 else -1
            if local_name(element) == "pStyle":
                style = levels.get(value, -1)
        return style
    return -1


def _join(lines: Iterable[Line]) -> tuple[str, list[Heading], str, list[PictureMark]]:
    """Return text, outline and title, and the pictures with their relations as paths."""
    parts: list[str] = []
    pictures: list[PictureMark] = []
    outline: list[Heading] = []
    title = ""
    length = 0
    after_row = False
    for line, level in lines:
        if level == _PICTURE:
            relation, _, alt = line.partition("\n")
            pictures.append(PictureMark(relation, length, alt))
            continue
        if not line.strip():
            after_row = False  # an empty paragraph stands between two tables
            continue
        if parts:
            gap = "\n" if after_row and level == -2 else "\n\n"
            parts.append(gap)
            length += len(gap)
        if level == 0 and not title:
            title = " ".join(line.split())
        elif level >= 1:
            outline.append(Heading(min(level, 6), " ".join(line.split())[:200], length))
        parts.append(line)
        length += len(line)
        after_row = level == -2
    return "".join(parts), outline, title, pictures
