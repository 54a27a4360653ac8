"""Reader of FictionBook 2 (.fb2): sections with titles as headings, notes after the text.

Its pictures stand in Base64 at the end of the file, each with an id.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from lxml import etree

from ...model import ReadDocument
from .archives import local_attribute, local_name, parse_xml
from .document_builder import build_document
from .flow_figures import HEAD_BYTES, MAX_MARKS, PictureMark, build_figures, decode_base64
from .text_builder import TextBuilder

_BINARY = re.compile(rb"<binary\b([^>]*)>(.*?)</binary\s*>", re.S)
_ID = re.compile(rb"""\bid\s*=\s*["']([^"']{1,500})["']""")
_CONTAINERS = frozenset("body section epigraph cite poem stanza annotation".split())
_MAX_DEPTH = 200


def read_fb2(content: bytes, stem: str) -> ReadDocument:
    """Return the book as one text.

    Raises:
        Unreadable: it is damaged or has no text.
    """
    root = parse_xml(_BINARY.sub(b"", content), "FictionBook")
    parts = {
        local_name(e): e for e in root.iter() if local_name(e) in ("title-info", "publish-info")
    }
    builder = TextBuilder()
    marks: list[PictureMark] = []
    for body in (e for e in root if local_name(e) == "body"):
        _add_blocks(builder, body, marks, 1, is_notes=local_attribute(body, "name") == "notes")
    pictures = Fb2Pictures(content)
    figures, notes = build_figures(
        builder.text, marks, lambda path: pictures.read(path, 2 * HEAD_BYTES)
    )
    info, published = parts.get("title-info"), parts.get("publish-info")
    title = _find_text(info, "book-title")
    year = _find_text(published, "year") or _find_text(info, "date")
    least = min((heading.level for heading in builder.headings), default=1)
    found = re.search(r"\b1[5-9]\d\d|\b20\d\d", year)
    return build_document(
        builder.text,
        format="fb2",
        stem=stem,
        title=title,
        author="; ".join(_list_authors(info)),
        year=found.group() if found else "",
        isbn=_find_text(published, "isbn"),
        outline=[replace(h, level=h.level - least + 1) for h in builder.headings],
        notes=notes,
        figures=figures,
    )


class Fb2Pictures:
    """The pictures of a book, by their ids."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._spans: dict[str, tuple[int, int]] = {}
        for binary in _BINARY.finditer(content):
            if found := _ID.search(binary[1]):
                self._spans.setdefault(found[1].decode("utf-8", "replace"), binary.span(2))

    def __contains__(self, path: str) -> bool:
        return path in self._spans

    def read(self, path: str, most: int | None = None) -> bytes:
        """Return the bytes of a picture; empty if it is missing or damaged.

        Args:
            most: characters of it that are decoded.
        """
        start, end = self._spans.get(path, (0, 0))
        return decode_base64(self._content[start : end if most is None else min(end, start + most)])


def _add_blocks(
    builder: TextBuilder,
    container: Iterable[etree._Element],
    marks: list[PictureMark],
    level: int,
    *,
    is_notes: bool = False,
    depth: int = 0,
) -> None:
    for element in container if depth < _MAX_DEPTH else ():
        tag = local_name(element)
        if tag == "title" and not is_notes:
            builder.add_heading(level, " ".join(_text_of(e) for e in element))
        elif tag == "section":
            _add_blocks(builder, element, marks, level + 1, is_notes=is_notes, depth=depth + 1)
        elif tag == "stanza":
            verses = [_text_of(e) for e in element if local_name(e)]
            builder.add("\n".join(filter(None, verses)))
        elif tag in _CONTAINERS or tag == "title":
            _add_blocks(builder, element, marks, level, is_notes=is_notes, depth=depth + 1)
        elif tag == "table":
            rows = (e for e in element.iter() if local_name(e) == "tr")
            builder.add_rows([" | ".join(_text_of(cell) for cell in row) for row in rows])
        elif tag:
            for image in element.iter():
                if local_name(image) == "image":
                    _add_picture(builder, image, marks)
            builder.add(_text_of(element))


def _add_picture(builder: TextBuilder, image: etree._Element, marks: list[PictureMark]) -> None:
    """Note a picture; its title, which other programs show below it, is its caption."""
    path = local_attribute(image, "href").removeprefix("#")
    mark = PictureMark(path, builder.next_start, image.get("alt") or "")
    if title := " ".join((image.get("title") or "").split()):
        start = builder.add(title)
        mark = replace(mark, at=start, caption=(start, start + len(title)))
    if path and len(marks) < MAX_MARKS:
        marks.append(mark)


def _text_of(element: etree._Element) -> str:
    return " ".join("".join(element.itertext()).split())


def _find_text(container: etree._Element | None, name: str) -> str:
    for element in container if container is not None else ():
        if local_name(element) == name:
            return _text_of(element)
    return ""


def _list_authors(info: etree._Element | None) -> list[str]:
    names: list[str] = []
    for author in info if info is not None else ():
        if local_name(author) == "author":
            parts = (_find_text(author, f"{part}-name") for part in ("first", "middle", "last"))
            names.append(" ".join(filter(None, parts)) or _find_text(author, "nickname"))
    return list(filter(None, names))
