"""Reader of OpenDocument texts, spreadsheets and presentations (.odt, .ods, .odp, .fodt).

Tags are matched without their namespaces. Cells have the text that was shown; slides are pages.
Footnotes follow the text; text that tracked changes deleted is left out.
"""

from __future__ import annotations

import zipfile
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from io import BytesIO

from lxml import etree

from ...messages import Message
from ...model import ReadDocument
from ..document_notes import note_hidden_sheet, note_hidden_slide
from .archives import (
    MAX_ROWS,
    Archive,
    RowCounter,
    Unreadable,
    local_attribute,
    local_name,
    parse_xml,
)
from .cell_spans import Range, merge_ranges
from .document_builder import build_document, clean_author, clean_title
from .flow_figures import HEAD_BYTES, MAX_MARKS, PictureMark, build_figures
from .formulas import format_mathml
from .tables import clean_cell, format_tables
from .text_builder import TextBuilder

KINDS = {
    "application/vnd.oasis.opendocument.text": "odt",
    "application/vnd.oasis.opendocument.text-template": "odt",
    "application/vnd.oasis.opendocument.spreadsheet": "ods",
    "application/vnd.oasis.opendocument.spreadsheet-template": "ods",
    "application/vnd.oasis.opendocument.presentation": "odp",
    "application/vnd.oasis.opendocument.presentation-template": "odp",
}
_SKIPPED = frozenset("tracked-changes annotation annotation-end sequence-decls forms".split())
_MAX_CELLS = 2_000  # of a row
_MAX_DEPTH = 200


def read_odf(content: bytes, stem: str, kind: str) -> ReadDocument:
    """Return an OpenDocument file as one text.

    Args:
        kind: "odt", "ods" or "odp".

    Raises:
        Unreadable: it is damaged, locked or has no text.
    """
    archive = Archive(content)
    if archive.has("META-INF/manifest.xml"):
        manifest = archive.xml("META-INF/manifest.xml")
        if any(local_name(e) == "encryption-data" for e in manifest.iter()):
            raise Unreadable("it is locked by a password.", "Save a copy without password.")
    meta = archive.xml("meta.xml") if archive.has("meta.xml") else None
    return _read(archive, archive.xml("content.xml"), meta, stem, kind)


def read_flat_odf(content: bytes, stem: str) -> ReadDocument:
    """Return an OpenDocument file that is one XML file (.fodt, .fods, .fodp), without pictures.

    Raises:
        Unreadable: it is damaged, or has no text.
    """
    root = parse_xml(content, "office:document")
    kind = KINDS.get(local_attribute(root, "mimetype"), "odt")
    empty = BytesIO()
    zipfile.ZipFile(empty, "w").close()
    meta = next((e for e in root if local_name(e) == "meta"), None)
    return _read(Archive(empty.getvalue()), root, meta, stem, kind)


def _read(
    archive: Archive, root: etree._Element, about: etree._Element | None, stem: str, kind: str
) -> ReadDocument:
    """Return the text of a file.

    Args:
        archive: has the pictures and formulas.
        about: the part with title and author.
    """
    body = next((e for e in root.iter() if local_name(e) == "body"), None)
    if body is None or not len(body):
        raise Unreadable("its main part is damaged.", "Open it in LibreOffice and save it again.")
    reader = _Reader(archive, root)
    reader.add_content(body[0])
    for number, note in enumerate(reader.footnotes, 1):
        reader.builder.add(f"[{number}] {note}")
    reader.builder.end_page()
    figures, figure_notes = build_figures(
        reader.builder.text,
        reader.marks,
        lambda path: archive.read_head(path, HEAD_BYTES),
        reader.builder.pages,
    )
    meta = (
        {local_name(e): (e.text or "").strip() for e in about.iter()} if about is not None else {}
    )
    return build_document(
        reader.builder.text,
        format=kind,
        stem=stem,
        title=clean_title(meta.get("title", "")) or reader.title,
        author=clean_author(meta.get("initial-creator", "") or meta.get("creator", "")),
        year=meta.get("creation-date", "")[:4],
        outline=reader.builder.headings,
        pages=reader.builder.pages,
        notes=[*reader.notes, *figure_notes],
        figures=figures,
        title_from_text=kind != "ods",
    )


@dataclass(slots=True)
class _Reader:
    """Collects the text of one file.

    Attributes:
        footnotes: notes of the text in order; their numbers stand in the text.
    """

    archive: Archive
    root: etree._Element
    builder: TextBuilder = field(default_factory=TextBuilder)
    footnotes: list[str] = field(default_factory=list)
    notes: list[Message] = field(default_factory=list)
    marks: list[PictureMark] = field(default_factory=list)
    title: str = ""
    counter: RowCounter = field(default_factory=RowCounter)
    _hidden: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        self._hidden = frozenset(
            local_attribute(style, "name")
            for style in self.root.iter()
            if local_name(style) == "style"
            and any(
                local_attribute(e, "display") == "false"
                or local_attribute(e, "visibility") == "hidden"
                for e in style
            )
        )

    def add_content(self, container: Iterable[etree._Element], depth: int = 0) -> None:
        """Add the blocks of a body, section, list, frame or cell."""
        if depth > _MAX_DEPTH:
            return
        for element in container:
            tag = local_name(element)
            if tag in _SKIPPED or not tag:
                continue
            if tag == "h":
                level = local_attribute(element, "outline-level")
                title = self.text_of(element)
                self.builder.add_heading(int(level) if level.isdigit() else 1, title)
            elif tag == "p":
                self._add_paragraph(element)
            elif tag == "table":
                parent = element.getparent()
                is_sheet = parent is not None and local_name(parent) == "spreadsheet"
                self._add_table(element, is_sheet=is_sheet)
            elif tag == "page":
                self._add_slide(element)
            elif tag == "object":
                self._add_object(element)
            elif tag == "image":
                self._add_picture(element)
            elif tag != "page-thumbnail":
                self.add_content(element, depth + 1)

    def text_of(self, element: etree._Element, depth: int = 0) -> str:
        """Return the text of a paragraph; its footnotes are collected."""
        parts = [element.text or ""]
        for child in element:
            tag = local_name(child)
            if tag == "s":
                count = local_attribute(child, "c")
                parts.append(" " * (min(int(count), 1_000) if count.isdigit() else 1))
            elif tag == "tab":
                parts.append("\t")
            elif tag == "line-break":
                parts.append("\n")
            elif tag == "note":
                body = next((e for e in child if local_name(e) == "note-body"), None)
                if body is not None and depth < _MAX_DEPTH:
                    self.footnotes.append("")
                    number = len(self.footnotes)
                    paragraphs = (self.text_of(e, depth + 1) for e in body)
                    self.footnotes[number - 1] = clean_cell(" ".join(paragraphs))
                    parts.append(f"[{number}]")
            elif tag == "image":
                self._add_picture(child)
            elif tag == "object":
                if formula := self._find_formula(child):
                    parts.append(f" {formula}")
            elif tag and tag not in _SKIPPED and depth < _MAX_DEPTH:
                parts.append(self.text_of(child, depth + 1))
            parts.append(child.tail or "")
        return "".join(parts)

    def _add_paragraph(self, element: etree._Element) -> None:
        lines = (" ".join(line.split()) for line in self.text_of(element).split("\n"))
        text = "\n".join(filter(None, lines))
        if not self.title and local_attribute(element, "style-name") == "Title":
            self.title = " ".join(text.split())
        self.builder.add(text)

    def _add_slide(self, slide: etree._Element) -> None:
        number = len(self.builder.pages) + 1
        self.builder.begin_page(str(number))
        if local_attribute(slide, "style-name") in self._hidden:
            self.notes.append(note_hidden_slide(number))
        frames = [e for e in slide if local_name(e)]
        titles = [e for e in frames if local_attribute(e, "class") == "title"]
        for frame in titles:
            self.builder.add_heading(1, clean_cell(" ".join(self._list_texts(frame))))
        for frame in frames:
            if frame not in titles:
                self.add_content([frame])
        self.builder.end_page()

    def _list_texts(self, container: etree._Element) -> list[str]:
        paragraphs = (e for e in container.iter() if local_name(e) in ("p", "h"))
        return [self.text_of(paragraph) for paragraph in paragraphs]

    def _add_table(self, table: etree._Element, *, is_sheet: bool) -> None:
        ranges: list[Range] = []
        rows = list(self._iter_rows(table, ranges))
        if not any(map(any, rows)):
            return
        merge_ranges(rows, ranges)
        if is_sheet:
            name = local_attribute(table, "name")
            self.builder.add_heading(1, name)
            if local_attribute(table, "style-name") in self._hidden:
                self.notes.append(note_hidden_sheet(name, in_excel=False))
        for lines in format_tables(rows):
            self.builder.add_rows(lines)

    def _iter_rows(
        self, container: etree._Element, ranges: list[Range], first: int = 0
    ) -> Generator[list[str], None, int]:
        """Yield the rows of a table; repeated ones once if they are empty.

        Args:
            ranges: gets the places of cells over several columns or rows.
            first: number of the first row.

        Returns:
            The number of the row after the last one.
        """
        number = first
        for element in container:
            tag = local_name(element)
            if tag == "table-row":
                row = self._read_row(element, number, ranges)
                repeated = local_attribute(element, "number-rows-repeated")
                count = int(repeated) if repeated.isdigit() and any(row) else 1
                for _ in range(min(count, MAX_ROWS)):
                    self.counter.add_row(row)
                    yield list(row)
                    number += 1
            elif tag in ("table-header-rows", "table-rows", "table-row-group"):
                number = yield from self._iter_rows(element, ranges, number)
        return number

    def _read_row(self, row: etree._Element, number: int, ranges: list[Range]) -> list[str]:
        cells: list[str] = []
        for cell in row:
            if local_name(cell) not in ("table-cell", "covered-table-cell"):
                continue
            width, height = (
                int(spanned) if (spanned := local_attribute(cell, name)).isdecimal() else 1
                for name in ("number-columns-spanned", "number-rows-spanned")
            )
            if width > 1 or height > 1:
                column = len(cells)
                last_column = min(column + max(width, 1), _MAX_CELLS) - 1
                ranges.append((number, column, number + max(height, 1) - 1, last_column))
            texts = self._list_texts(cell)
            shown = clean_cell(" ".join(texts)) or local_attribute(cell, "value")
            repeated = local_attribute(cell, "number-columns-repeated")
            count = int(repeated) if repeated.isdigit() else 1
            cells += [shown] * min(count, _MAX_CELLS - len(cells))
        while cells and not cells[-1]:
            cells.pop()
        return cells

    def _add_picture(self, image: etree._Element) -> None:
        """Note a picture at the paragraph that is read, or that comes next."""
        path = local_attribute(image, "href").removeprefix("./")
        frame = image.getparent()
        texts = (
            [e.text or "" for e in frame if local_name(e) in ("title", "desc")]
            if (frame is not None)
            else []
        )
        if self.archive.has(path) and len(self.marks) < MAX_MARKS:
            mark = PictureMark(
                path,
                self.builder.next_start,
                " ".join(texts),
                page_index=self.builder.page_index,
            )
            self.marks.append(mark)

    def _add_object(self, element: etree._Element) -> None:
        self.builder.add(self._find_formula(element))

    def _find_formula(self, element: etree._Element) -> str:
        """Return the formula that is embedded in a text, "" if it is something else."""
        inside = next((e for e in element if local_name(e) == "math"), None)
        if inside is not None:
            return format_mathml(inside)
        path = local_attribute(element, "href").removeprefix("./").rstrip("/")
        if not path or not self.archive.has(f"{path}/content.xml"):
            return ""
        root = parse_xml(self.archive.read(f"{path}/content.xml"), path)
        return format_mathml(root) if local_name(root) == "math" else ""
