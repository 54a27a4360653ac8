"""The highlights, bookmarks and notes of the whole library: listing, filtering and writing them.

Each comes with the reference of its document and its place. Files are Markdown, Word (.docx) or
CSL-JSON, in which the notes of a document are the `annote` of its item.
"""

from __future__ import annotations

import bisect
import io
import json
import zipfile
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from xml.sax.saxutils import escape

from ..errors import UserError
from ..model import Reference
from ..store import annotations as rows
from ..store import document_metadata, documents
from ..store.db import Db
from .annotations import Annotation, relocate_annotation
from .exporting.markdown import disarm_line, disarm_markdown
from .exporting.references import build_csl_item, describe_source, write_file

FORMATS = ("markdown", "docx", "csl")
SUFFIXES = {"markdown": ".md", "docx": ".docx", "csl": ".json"}


@dataclass(frozen=True, slots=True)
class LibraryNote:
    """One highlight or bookmark, its document, and its place as page label and chapter."""

    mark: Annotation
    reference: Reference
    page: str = ""
    chapter: str = ""


@dataclass(frozen=True, slots=True)
class NoteFilter:
    """Which notes are wanted; an empty value leaves nothing out.

    Attributes:
        text: words that the quotation, the note, the document or its authors contain.
        document_ids: documents; None for all.
        color: of a highlight, "bookmark" for bookmarks.
        with_note: only those with a note of the user.
    """

    text: str = ""
    document_ids: frozenset[int] | None = None
    tag: str = ""
    color: str = ""
    with_note: bool = False

    def fits(self, note: LibraryNote) -> bool:
        mark, reference = note.mark, note.reference
        if self.document_ids is not None and mark.document_id not in self.document_ids:
            return False
        if self.tag and self.tag.casefold() not in map(str.casefold, reference.tags):
            return False
        if self.color and self.color != ("bookmark" if mark.kind == "bookmark" else mark.color):
            return False
        if self.with_note and not mark.note:
            return False
        words = self.text.casefold().split()
        if not words:
            return True
        own = f"{mark.quote} {mark.note} {reference.title} {reference.author} {note.chapter}"
        own = " ".join(own.casefold().split())
        return all(word in own for word in words)


def list_notes(db: Db, document_ids: Collection[int] | None = None) -> list[LibraryNote]:
    """Return the notes of documents, or of all: by title of the document, then in reading order."""
    found: dict[int, list[Annotation]] = {}
    for row in rows.fetch_annotations(db):
        if document_ids is None or row[1] in document_ids:
            found.setdefault(row[1], []).append(Annotation(*row))
    notes: list[LibraryNote] = []
    references = document_metadata.fetch_references(db, list(found))
    for reference in sorted(references, key=lambda r: (r.title.casefold(), r.document_id)):
        document_id = reference.document_id
        text = documents.fetch_text(db, document_id) or ""
        pages = documents.fetch_pages(db, document_id)
        outline = sorted(documents.fetch_outline(db, document_id), key=lambda h: h.start)
        starts = [page.start for page in pages], [heading.start for heading in outline]
        marks = (relocate_annotation(one, text) for one in found[document_id])
        for mark in sorted(marks, key=lambda one: one.start):
            at_page, at_heading = (bisect.bisect_right(s, mark.start) - 1 for s in starts)
            page = pages[max(0, at_page)] if pages else None
            notes.append(
                LibraryNote(
                    mark,
                    reference,
                    (page.label or str(page.index + 1)) if page else "",
                    " ".join(outline[at_heading].title.split()) if at_heading >= 0 else "",
                )
            )
    return notes


@dataclass(frozen=True, slots=True)
class NoteWords:
    """The words of an exported file, in the language of the person who exports it."""

    title: str = "Highlights and notes"
    page: str = "p. {page}"
    bookmark: str = "Bookmark"
    note: str = "Note"


def describe_place(note: LibraryNote, words: NoteWords) -> str:
    """Return "p. 12 · Chapter 3", as far as it is known."""
    page = words.page.replace("{page}", note.page) if note.page else ""
    is_title = note.chapter.casefold() == note.reference.title.casefold()
    return " · ".join(part for part in (page, "" if is_title else note.chapter) if part)


def export_notes(
    notes: Sequence[LibraryNote], path: Path, format: str, words: NoteWords | None = None
) -> int:
    """Write notes to a file; return their number.

    Args:
        format: one of `FORMATS`.

    Raises:
        UserError: there are no notes, or the file can't be written.
    """
    if not notes:
        raise UserError("There are no highlights or notes to export.", "Choose a wider filter.")
    words = words or NoteWords()
    if format == "docx":
        content = build_docx(notes, words)
    else:
        build = {"markdown": build_markdown, "csl": build_csl}[format]
        content = build(notes, words).encode("utf-8", "replace")
    write_file(path, content)
    return len(notes)


def _by_document(
    notes: Iterable[LibraryNote],
) -> Iterable[tuple[Reference, list[LibraryNote]]]:
    for _, group in groupby(notes, key=lambda note: note.reference.document_id):
        several = list(group)
        yield several[0].reference, several


def build_markdown(notes: Iterable[LibraryNote], words: NoteWords) -> str:
    """Return notes as Markdown, a section for each document."""
    lines = [f"# {disarm_line(words.title)}", ""]
    for reference, several in _by_document(notes):
        lines += [f"## {disarm_line(reference.title)}", ""]
        if source := _describe_rest(reference):
            lines += [f"*{disarm_line(source)}*", ""]
        for note in several:
            place = disarm_line(describe_place(note, words))
            quote = note.mark.quote.splitlines() or [""]
            if note.mark.kind == "bookmark":
                lines += [f"**{words.bookmark}**{f' · {place}' if place else ''}", ""]
            lines += [f"> {disarm_line(line)}" if line.strip() else ">" for line in quote]
            if note.mark.kind != "bookmark" and place:
                lines += [">", f"> — {place}"]
            lines.append("")
            if note.mark.note:
                lines += [disarm_markdown(note.mark.note), ""]
    return "\n".join(lines).rstrip() + "\n"


def _describe_rest(reference: Reference) -> str:
    """Return authors, year and identifier of a document."""
    identifier = f"https://doi.org/{reference.doi}" if reference.doi else ""
    isbn = f"ISBN {reference.isbn}" if reference.isbn else ""
    parts = (reference.author, reference.year, identifier or isbn)
    return " · ".join(part for part in parts if part)


def build_csl(notes: Iterable[LibraryNote], words: NoteWords) -> str:
    """Return an item of CSL-JSON for each document, with its notes as `annote`."""
    items = []
    for reference, several in _by_document(notes):
        texts = []
        for note in several:
            place = describe_place(note, words)
            quote = " ".join(note.mark.quote.split())
            text = f"“{quote}”" + (f" ({place})" if place else "")
            texts.append(f"{text}\n{note.mark.note}" if note.mark.note else text)
        items.append(build_csl_item(reference) | {"annote": "\n\n".join(texts)})
    return json.dumps(items, ensure_ascii=False, indent=1) + "\n"


def cite_note(note: LibraryNote) -> str:
    """Return a quotation with its source, in the form that its document's language asks for."""
    quote = " ".join(note.mark.quote.split())
    is_chinese = note.reference.language.startswith("zh")
    place = note.chapter
    if note.page:
        place = f"第 {note.page} 页" if is_chinese else f"p. {note.page}"
    source = describe_source(note.reference, place)
    return f"「{quote}」（{source}）" if is_chinese else f"“{quote}” ({source})"


# --- Word ------------------------------------------------------------------------------------

_NAMESPACE = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_SHADES = {"yellow": "FFF2B3", "green": "D3F0D0", "blue": "D0E4FA", "pink": "FBD5E3"}
_CONTENT_TYPES = (
    f'{_HEAD}<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels"'
    ' ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Override PartName="/word/document.xml" ContentType="application/'
    'vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>'
    '<Override PartName="/word/styles.xml" ContentType="application/'
    'vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/></Types>'
)


def _relation(kind: str, target: str) -> str:
    base = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    return (
        f'{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{base}/{kind}" Target="{target}"/></Relationships>'
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


def build_docx(notes: Iterable[LibraryNote], words: NoteWords) -> bytes:
    """Return notes as a Word document: quotations shaded in their colour, then place and note."""
    parts = [_paragraph("Title", words.title)]
    for reference, several in _by_document(notes):
        parts.append(_paragraph("Heading1", reference.title))
        if rest := _describe_rest(reference):
            parts.append(_paragraph("Source", rest))
        for note in several:
            mark, place = note.mark, describe_place(note, words)
            is_bookmark = mark.kind == "bookmark"
            shade = "" if is_bookmark else _SHADES.get(mark.color, "")
            parts.append(_paragraph("Quote", mark.quote, shade))
            below = [words.bookmark if is_bookmark else "", place]
            if any(below):
                parts.append(_paragraph("Source", " · ".join(filter(None, below))))
            if mark.note:
                parts.append(_paragraph("Normal", mark.note))
    document = (
        f'{_HEAD}<w:document xmlns:w="{_NAMESPACE}"><w:body>{"".join(parts)}<w:sectPr/></w:body>'
        "</w:document>"
    )
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", _CONTENT_TYPES)
        archive.writestr("_rels/.rels", _relation("officeDocument", "word/document.xml"))
        archive.writestr("word/_rels/document.xml.rels", _relation("styles", "styles.xml"))
        archive.writestr("word/styles.xml", _STYLES)
        archive.writestr("word/document.xml", document.encode("utf-8", "replace"))
    return made.getvalue()


def _paragraph(style: str, text: str, shade: str = "") -> str:
    """Return a paragraph; line breaks stay, characters that XML does not allow are left out."""
    look = f'<w:rPr><w:shd w:val="clear" w:color="auto" w:fill="{shade}"/></w:rPr>' if shade else ""
    lines = []
    for line in text.splitlines() or [""]:
        clean = "".join(c for c in line if c == "\t" or (c >= " " and c not in "\ufffe\uffff"))
        lines.append(f'<w:t xml:space="preserve">{escape(clean)}</w:t>')
    return (
        f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr><w:r>{look}{"<w:br/>".join(lines)}</w:r>'
        "</w:p>"
    )
