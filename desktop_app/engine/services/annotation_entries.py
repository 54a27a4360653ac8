"""The annotations of the whole library: listing, filtering and writing them.

An entry is an annotation with the reference of its document and its place. Files are Markdown, Word
(.docx) or CSL-JSON, in which the entries of a document are the `annote` of its item. Pictures of
areas are in a folder beside the Markdown, and in the Word document.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, groupby
from pathlib import Path
from xml.sax.saxutils import escape

from ..errors import UserError, cannot_write
from ..highlight_colors import get_color
from ..model import Reference
from ..png import read_png_size
from ..store import annotations as annotation_rows
from ..store import document_metadata, documents
from ..store.db import Db
from ..text.sections import complete_outline, has_front_matter
from .annotations import (
    Annotation,
    add_captions,
    build_annotation,
    find_page_of,
    find_section_of,
    join_tags,
    link_picture,
    relocate_annotation,
)
from .exporting.markdown import disarm_line, disarm_markdown
from .exporting.output import write_bytes
from .exporting.references import build_csl_item, describe_cited_source

FORMATS = ("markdown", "docx", "csl")
SUFFIXES = {"markdown": ".md", "docx": ".docx", "csl": ".json"}
PICTURES = "-pictures"  # after the name of a file: the folder beside it
_DIGEST_CHARS = 12  # of the name of a picture


@dataclass(frozen=True, slots=True)
class AnnotationEntry:
    """One annotation, its document, and its place as page label and chapter.

    `is_front` says that it is before the first chapter.
    """

    mark: Annotation
    reference: Reference
    page: str = ""
    chapter: str = ""
    is_front: bool = False


@dataclass(frozen=True, slots=True)
class EntryFilter:
    """Which entries are wanted; an empty value leaves nothing out.

    Attributes:
        text: words that the quotation, the note, its tags, the document or its authors contain.
        document_ids: documents; None for all.
        tag: of the highlight itself, or of its document.
        color: of a highlight, "bookmark" for bookmarks.
        with_note: only those with a note of the user.
    """

    text: str = ""
    document_ids: frozenset[int] | None = None
    tag: str = ""
    color: str = ""
    with_note: bool = False

    def fits(self, entry: AnnotationEntry) -> bool:
        mark, reference = entry.mark, entry.reference
        if self.document_ids is not None and mark.document_id not in self.document_ids:
            return False
        if self.tag:
            tags = map(str.casefold, (*mark.tags, *reference.tags))
            if self.tag.casefold() not in tags:
                return False
        if self.color and self.color != ("bookmark" if mark.kind == "bookmark" else mark.color):
            return False
        if self.with_note and not mark.note:
            return False
        words = self.text.casefold().split()
        if not words:
            return True
        own = f"{mark.quote} {mark.note} {reference.title} {reference.author} {entry.chapter}"
        own = " ".join(f"{own} {' '.join(mark.tags)}".casefold().split())
        return all(word in own for word in words)


def list_annotation_entries(
    db: Db, document_ids: Collection[int] | None = None
) -> list[AnnotationEntry]:
    """Return the entries of documents, or of all: by title of the document, then in order."""
    found: dict[int, list[Annotation]] = {}
    for row in annotation_rows.fetch_annotations(db):
        if document_ids is None or row[1] in document_ids:
            found.setdefault(row[1], []).append(build_annotation(row))
    entries: list[AnnotationEntry] = []
    references = document_metadata.fetch_document_references(db, list(found))
    for reference in sorted(references, key=lambda r: (r.title.casefold(), r.document_id)):
        document_id = reference.document_id
        text = documents.fetch_text(db, document_id) or ""
        pages = documents.fetch_pages(db, document_id)
        outline = complete_outline(documents.fetch_outline(db, document_id), text, pages)
        moved = [relocate_annotation(one, text, pages) for one in found[document_id]]
        marks = add_captions(db, document_id, moved)
        for mark in sorted(marks, key=lambda one: one.start):
            section = find_section_of(mark, outline, pages)
            entries.append(
                AnnotationEntry(
                    mark,
                    reference,
                    pages[find_page_of(mark, pages)].number if pages else "",
                    " ".join(outline[section].title.split()) if section >= 0 else "",
                    section < 0 and has_front_matter(outline),
                )
            )
    return entries


def fetch_entry_pictures(db: Db, entries: Iterable[AnnotationEntry]) -> dict[int, bytes]:
    """Return annotation id -> PNG of the areas among entries."""
    return annotation_rows.fetch_area_pictures(
        db, [n.mark.id for n in entries if n.mark.area is not None]
    )


@dataclass(frozen=True, slots=True)
class EntryWords:
    """The words of an exported file, in the language of the person who exports it."""

    title: str = "Highlights and notes"
    page: str = "p. {page}"
    bookmark: str = "Bookmark"
    note: str = "Note"
    area: str = "Area of the page"
    front: str = "Front matter"
    tags: str = "Tags: {tags}"


def describe_entry_place(entry: AnnotationEntry, words: EntryWords) -> str:
    """Return "p. 12 · Chapter 3", as far as it is known."""
    page = words.page.replace("{page}", entry.page) if entry.page else ""
    chapter = words.front if entry.is_front else entry.chapter
    is_title = chapter.casefold() == entry.reference.title.casefold()
    return " · ".join(part for part in (page, "" if is_title else chapter) if part)


def export_entries(
    entries: Sequence[AnnotationEntry],
    path: Path,
    format: str,
    words: EntryWords | None = None,
    pictures: Mapping[int, bytes] | None = None,
) -> int:
    """Write entries to a file; return their number.

    Args:
        format: one of `FORMATS`.
        pictures: see `fetch_entry_pictures`, `write_pictures`.

    Raises:
        UserError: there are no entries.
        EnvironmentProblem: a file can't be written.
    """
    if not entries:
        raise UserError("There are no highlights or notes to export.", "Choose a wider filter.")
    words, pictures = words or EntryWords(), pictures or {}
    if format == "docx":
        content = build_docx(entries, words, pictures)
    elif format == "markdown":
        paths = write_pictures(path, pictures)
        content = build_markdown(entries, words, paths).encode("utf-8", "replace")
    else:
        content = build_csl(entries, words).encode("utf-8", "replace")
    write_bytes(path, content)
    return len(entries)


def write_pictures(path: Path, pictures: Mapping[int, bytes]) -> dict[int, str]:
    """Write pictures into a folder beside a file that shows them.

    A picture is named by its content. So no file of the folder is ever replaced, whoever wrote it,
    and an export that is repeated writes only what is new.

    Args:
        path: of the file.
        pictures: annotation id -> PNG of its area.

    Returns:
        Annotation id -> path of its picture from the file, with "/".

    Raises:
        EnvironmentProblem: one can't be written.
    """
    folder = path.with_name(path.stem + PICTURES)
    return {
        annotation_id: f"{folder.name}/{_write_picture(folder, png)}"
        for annotation_id, png in pictures.items()
    }


def _write_picture(folder: Path, png: bytes) -> str:
    """Write a picture under the first name that is free or has it already; return the name."""
    digest = hashlib.sha256(png).hexdigest()[:_DIGEST_CHARS]
    for number in count(1):
        place = folder / (f"{digest}.png" if number == 1 else f"{digest}-{number}.png")
        try:
            if place.read_bytes() == png:
                break
        except FileNotFoundError:
            write_bytes(place, png)
            break
        except OSError as error:
            raise cannot_write(place, error) from error
    return place.name


def _by_document(
    entries: Iterable[AnnotationEntry],
) -> Iterable[tuple[Reference, list[AnnotationEntry]]]:
    for _, group in groupby(entries, key=lambda entry: entry.reference.document_id):
        several = list(group)
        yield several[0].reference, several


def build_markdown(
    entries: Iterable[AnnotationEntry],
    words: EntryWords,
    picture_paths: Mapping[int, str] | None = None,
) -> str:
    """Return entries as Markdown, a section for each document.

    Args:
        picture_paths: annotation id -> picture of its area, as `write_pictures` returns it.
    """
    lines = [f"# {disarm_line(words.title)}", ""]
    for reference, several in _by_document(entries):
        lines += [f"## {disarm_line(reference.title)}", ""]
        if source := _describe_rest(reference):
            lines += [f"*{disarm_line(source)}*", ""]
        for entry in several:
            place = disarm_line(describe_entry_place(entry, words))
            if picture := (picture_paths or {}).get(entry.mark.id):
                lines += [link_picture(picture, place), ""]
            # an area may have no words
            quote = entry.mark.quote.splitlines() or ([] if entry.mark.area is not None else [""])
            if entry.mark.kind == "bookmark":
                lines += [f"**{words.bookmark}**{f' · {place}' if place else ''}", ""]
            lines += [f"> {disarm_line(line)}" if line.strip() else ">" for line in quote]
            if entry.mark.kind != "bookmark" and place:
                lines += [">"] * bool(quote) + [f"> — {place}"]
            lines.append("")
            if entry.mark.note:
                lines += [disarm_markdown(entry.mark.note), ""]
            if entry.mark.tags:
                lines += [disarm_line(join_tags(entry.mark.tags, words.tags)), ""]
    return "\n".join(lines).rstrip() + "\n"


def _describe_rest(reference: Reference) -> str:
    """Return authors, year and identifier of a document."""
    identifier = f"https://doi.org/{reference.doi}" if reference.doi else ""
    isbn = f"ISBN {reference.isbn}" if reference.isbn else ""
    parts = (reference.author, reference.year, identifier or isbn)
    return " · ".join(part for part in parts if part)


def build_csl(entries: Iterable[AnnotationEntry], words: EntryWords) -> str:
    """Return an item of CSL-JSON for each document, with its entries as `annote`."""
    items = []
    for reference, several in _by_document(entries):
        texts = []
        for entry in several:
            place = describe_entry_place(entry, words)
            quote = " ".join(entry.mark.quote.split())
            quote = f"“{quote}”" if quote or entry.mark.area is None else f"[{words.area}]"
            text = quote + (f" ({place})" if place else "")
            tags = join_tags(entry.mark.tags, words.tags)
            texts.append("\n".join(part for part in (text, entry.mark.note, tags) if part))
        items.append(build_csl_item(reference) | {"annote": "\n\n".join(texts)})
    return json.dumps(items, ensure_ascii=False, indent=1) + "\n"


def cite_entry(entry: AnnotationEntry) -> str:
    """Return a quotation with its source, in the form that its document's language asks for."""
    quote = " ".join(entry.mark.quote.split())
    is_chinese = entry.reference.language.startswith("zh")
    place = entry.chapter
    if entry.page:
        place = f"第 {entry.page} 页" if is_chinese else f"p. {entry.page}"
    source = describe_cited_source(entry.reference, place)
    return f"「{quote}」（{source}）" if is_chinese else f"“{quote}” ({source})"


# --- Word ------------------------------------------------------------------------------------

_NAMESPACE = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_CONTENT_TYPES = (
    f'{_HEAD}<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels"'
    ' ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="png" ContentType="image/png"/>'
    '<Override PartName="/word/document.xml" ContentType="application/'
    'vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>'
    '<Override PartName="/word/styles.xml" ContentType="application/'
    'vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/></Types>'
)


_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006"
_EMU_PER_PIXEL = 9_525  # of 96 to the inch
_WIDEST, _HIGHEST = 576, 720  # pixels: a page of a Word document without its margins


def _relations(*parts: tuple[str, str]) -> str:
    """Return the relations rId1, rId2 … of a part, each with its kind and its target."""
    lines = [
        f'<Relationship Id="rId{number}" Type="{_RELATIONS}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(parts, 1)
    ]
    return (
        f'{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">{"".join(lines)}</Relationships>'
    )


def _style(name: str, title: str, paragraph: str, run: str) -> str:
    return (
        f'<w:style w:type="paragraph" w:styleId="{name}"><w:name w:val="{title}"/><w:qFormat/>'
        f"<w:pPr>{paragraph}</w:pPr><w:rPr>{run}</w:rPr></w:style>"
    )


_STYLES = (
    f'{_HEAD}<w:styles xmlns:w="{_NAMESPACE}">'
    + _style("Normal", "Normal", '<w:spacing w:after="120"/>', '<w:sz w:val="22"/>')
    + _style("Title", "Title", '<w:spacing w:after="240"/>', '<w:b/><w:sz w:val="40"/>')
    + _style(
        *("Heading1", "heading 1"),
        '<w:keepNext/><w:spacing w:before="360" w:after="60"/><w:outlineLvl w:val="0"/>',
        '<w:b/><w:sz w:val="28"/>',
    )
    + _style("Quote", "Quote", '<w:spacing w:before="160" w:after="40"/><w:ind w:left="360"/>', "")
    + _style(
        *("Source", "Source"),
        '<w:spacing w:after="60"/><w:ind w:left="360"/>',
        '<w:color w:val="666666"/><w:sz w:val="18"/>',
    )
    + "</w:styles>"
)


def build_docx(
    entries: Iterable[AnnotationEntry],
    words: EntryWords,
    pictures: Mapping[int, bytes] | None = None,
) -> bytes:
    """Return entries as a Word document: quotations shaded in their colour, then place and note.

    Args:
        pictures: annotation id -> PNG of its area.
    """
    parts = [_paragraph("Title", words.title)]
    shown: list[bytes] = []
    for reference, several in _by_document(entries):
        parts.append(_paragraph("Heading1", reference.title))
        if rest := _describe_rest(reference):
            parts.append(_paragraph("Source", rest))
        for entry in several:
            mark, place = entry.mark, describe_entry_place(entry, words)
            is_bookmark = mark.kind == "bookmark"
            shade = "" if is_bookmark else get_color(mark.color).word_fill.lstrip("#")
            size = read_png_size((pictures or {}).get(mark.id, b""))
            if pictures and size:
                shown.append(pictures[mark.id])
                # the first relation is that of the styles
                parts.append(_picture(len(shown) + 1, size, place))
            if mark.quote or mark.area is None:
                parts.append(_paragraph("Quote", mark.quote, shade))
            below = [words.bookmark if is_bookmark else "", place]
            if any(below):
                parts.append(_paragraph("Source", " · ".join(filter(None, below))))
            if mark.note:
                parts.append(_paragraph("Normal", mark.note))
            if mark.tags:
                parts.append(_paragraph("Source", join_tags(mark.tags, words.tags)))
    document = (
        f'{_HEAD}<w:document xmlns:w="{_NAMESPACE}"><w:body>{"".join(parts)}<w:sectPr/></w:body>'
        "</w:document>"
    )
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", _CONTENT_TYPES)
        archive.writestr("_rels/.rels", _relations(("officeDocument", "word/document.xml")))
        targets = [f"media/image{number}.png" for number in range(1, len(shown) + 1)]
        archive.writestr(
            "word/_rels/document.xml.rels",
            _relations(("styles", "styles.xml"), *(("image", target) for target in targets)),
        )
        for target, png in zip(targets, shown, strict=True):
            archive.writestr(f"word/{target}", png)
        archive.writestr("word/styles.xml", _STYLES)
        archive.writestr("word/document.xml", document.encode("utf-8", "replace"))
    return made.getvalue()


def _paragraph(style: str, text: str, shade: str = "") -> str:
    """Return a paragraph; line breaks stay, characters that XML does not allow are left out."""
    look = f'<w:rPr><w:shd w:val="clear" w:color="auto" w:fill="{shade}"/></w:rPr>' if shade else ""
    lines = []
    for line in text.splitlines() or [""]:
        lines.append(f'<w:t xml:space="preserve">{escape(_clean(line))}</w:t>')
    return (
        f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr><w:r>{look}{"<w:br/>".join(lines)}</w:r>'
        "</w:p>"
    )


def _clean(text: str) -> str:
    """Return a text without the characters that XML does not allow."""
    return "".join(c for c in text if c == "\t" or (c >= " " and c not in "\ufffe\uffff"))


def _picture(relation: int, size: tuple[int, int], words: str) -> str:
    """Return a paragraph with a picture, which is as large as on its page if that fits.

    Args:
        relation: the number of the relation to its file.
        size: width and height in pixels.
        words: describe it to who does not see it.
    """
    share = min(1.0, _WIDEST / size[0], _HIGHEST / size[1])
    width, height = (round(side * share * _EMU_PER_PIXEL) for side in size)
    name = escape(_clean(words), {'"': "&quot;"})
    return (
        '<w:p><w:pPr><w:pStyle w:val="Quote"/></w:pPr><w:r><w:drawing>'
        f'<wp:inline xmlns:wp="{_DRAWING}/wordprocessingDrawing">'
        f'<wp:extent cx="{width}" cy="{height}"/>'
        f'<wp:docPr id="{relation}" name="image{relation}" descr="{name}"/>'
        f'<a:graphic xmlns:a="{_DRAWING}/main"><a:graphicData uri="{_DRAWING}/picture">'
        f'<pic:pic xmlns:pic="{_DRAWING}/picture"><pic:nvPicPr>'
        f'<pic:cNvPr id="{relation}" name="image{relation}"/><pic:cNvPicPr/></pic:nvPicPr>'
        f'<pic:blipFill><a:blip xmlns:r="{_RELATIONS}" r:embed="rId{relation}"/>'
        "<a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm>"
        f'<a:off x="0" y="0"/><a:ext cx="{width}" cy="{height}"/></a:xfrm>'
        '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData>'
        "</a:graphic></wp:inline></w:drawing></w:r></w:p>"
    )
