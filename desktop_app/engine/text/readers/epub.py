"""Reader of EPUB 2 and 3: the text of the spine in order, headings from the table of contents."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from urllib.parse import unquote, urldefrag

from lxml import etree

from ...messages import Message
from ...model import Heading, ReadDocument
from ...progress import CancelToken
from ..identifiers import find_doi, find_isbn, read_isbn
from .archives import Archive, Unreadable, check_length, local_attribute, local_name, parse_xml
from .document_builder import build_document, clean_title
from .flow_figures import HEAD_BYTES, PictureMark, build_figures
from .html import decode_markup, extract_text

_FONT_METHODS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")


def read_epub(content: bytes, stem: str, cancel: CancelToken | None = None) -> ReadDocument:
    """Return the whole book as one text.

    Raises:
        Unreadable: it is damaged, copy-protected or has no text.
    """
    archive = Archive(content)
    if archive.has("META-INF/encryption.xml"):
        elements = archive.xml("META-INF/encryption.xml").iter()
        methods = [e.get("Algorithm", "") for e in elements if local_name(e) == "EncryptionMethod"]
        if not all(method.startswith(_FONT_METHODS) for method in methods):
            raise Unreadable(
                "its text is copy-protected (DRM).",
                "Get a copy without protection from the seller.",
            )
    package_path = find_package_path(archive)
    package = archive.xml(package_path)
    folder = posixpath.dirname(package_path)
    items = {e.get("id", ""): e for e in package.iter() if local_name(e) == "item"}
    spine = [e.get("idref", "") for e in package.iter() if local_name(e) == "itemref"]
    parts: list[str] = []
    seen: set[str] = set()  # in lower case, as `Archive` finds members
    places: dict[str, int] = {}
    headings: list[Heading] = []
    notes: list[Message] = []
    marks: list[PictureMark] = []
    length = 0
    for item in (items[key] for key in spine if key in items):
        if cancel is not None:
            cancel.check()
        path = resolve_path(folder, item.get("href", ""))
        is_contents = "nav" in (item.get("properties") or "").split()
        if is_contents or "html" not in (item.get("media-type") or "html"):
            continue
        if path.lower() in seen:
            continue
        seen.add(path.lower())
        try:
            page = extract_text(decode_markup(archive.read(path)).text, xhtml=True)
        except Unreadable as error:
            notes.append(Message("Part of the book is left out: {reason}", reason=error.message))
            continue
        start = length + (2 if parts and page.text else 0)
        places[path] = start
        places |= {f"{path}#{name}": start + at for name, at in page.ids.items()}
        headings += [Heading(h.level, h.title, start + h.start) for h in page.headings]
        marks += _place_marks(page.pictures, posixpath.dirname(path), start, archive)
        if page.text:
            parts.append(page.text)
            length = start + len(page.text)
        check_length(length)
    text = "\n\n".join(parts)
    contents = _contents(archive, items, folder, places)
    found = _bibliography(package, text)
    cover = _find_cover(package, items, folder)
    figures, figure_notes = build_figures(
        text,
        [mark for mark in marks if mark.path.lower() != cover.lower()],
        lambda path: archive.read_head(path, HEAD_BYTES),
    )
    return build_document(
        text,
        format="epub",
        stem=stem,
        title=found["title"],
        author=found["author"],
        year=found["year"],
        doi=found["doi"],
        isbn=found["isbn"],
        outline=contents if len(contents) > 1 else headings,
        notes=[*notes, *figure_notes],
        figures=figures,
    )


def _place_marks(
    found: Iterable[PictureMark], folder: str, start: int, archive: Archive
) -> Iterator[PictureMark]:
    """Yield the pictures of a chapter that starts at an offset, with their paths in the book."""
    for mark in found:
        path = resolve_path(folder, mark.path)
        if archive.has(path):
            caption = mark.caption and (start + mark.caption[0], start + mark.caption[1])
            yield replace(mark, path=path, at=start + mark.at, caption=caption)


def _find_cover(package: etree._Element, items: dict[str, etree._Element], folder: str) -> str:
    """Return the path of the picture that is the cover, which the library shows as such."""
    named = {
        e.get("content", "")
        for e in package.iter()
        if local_name(e) == "meta" and e.get("name") == "cover"
    }
    for key, item in items.items():
        if key in named or "cover-image" in (item.get("properties") or "").split():
            return resolve_path(folder, item.get("href", ""))
    return ""


def find_package_path(archive: Archive) -> str:
    if archive.has("META-INF/container.xml"):
        for element in archive.xml("META-INF/container.xml").iter():
            if local_name(element) == "rootfile" and archive.has(element.get("full-path", "")):
                return str(element.get("full-path", ""))
    if path := next((name for name in archive.names if name.lower().endswith(".opf")), ""):
        return path
    raise Unreadable(
        "it has no list of its chapters.", "Convert it to EPUB again, for example with Calibre."
    )


def resolve_path(folder: str, href: str) -> str:
    return posixpath.normpath(posixpath.join(folder, unquote(urldefrag(href)[0])))


_ISBN_CHARS = 20_000  # of the text, for the copyright page


def _bibliography(package: etree._Element, text: str) -> dict[str, str]:
    """Return title with subtitle, author, year, DOI and ISBN from the package's metadata."""
    elements = [e for e in package.iter() if e.text and str(e.text).strip()]
    refined = {
        (e.get("refines", "").lstrip("#"), e.get("property", "")): str(e.text).strip()
        for e in elements
        if local_name(e) == "meta" and e.get("refines")
    }

    def values(name: str) -> list[tuple[etree._Element, str]]:
        return [(e, " ".join(str(e.text).split())) for e in elements if local_name(e) == name]

    def role(e: etree._Element) -> str:
        return local_attribute(e, "role") or refined.get((e.get("id", ""), "role"), "aut")

    titles = values("title")
    kinds = {refined.get((e.get("id", ""), "title-type"), ""): title for e, title in titles}
    title = clean_title(kinds.get("main") or (titles[0][1] if titles else ""))
    if title and kinds.get("subtitle"):
        title = f"{title}: {kinds['subtitle']}"
    identifiers = [value for name in ("identifier", "source") for _, value in values(name)]
    bare = (re.sub(r"^urn:isbn:", "", value, flags=re.I) for value in identifiers)
    dates = {local_attribute(e, "event"): value[:4] for e, value in reversed(values("date"))}
    year = dates.get("publication") or dates.get("") or ""
    isbns = [isbn for value in bare if (isbn := read_isbn(value))]
    return {
        "title": title,
        "author": "; ".join(name for e, name in values("creator") if role(e) == "aut"),
        "year": year if year.isdigit() and year > "1000" else "",
        "doi": find_doi("\n".join(identifiers)),
        "isbn": isbns[0] if isbns else find_isbn(text[:_ISBN_CHARS]),
    }


def _contents(
    archive: Archive, items: dict[str, etree._Element], folder: str, places: dict[str, int]
) -> list[Heading]:
    """Return the table of contents as headings, in the order of the text.

    Args:
        places: offset in the text by path and fragment.
    """
    navs: list[str] = []
    ncxs: list[str] = []
    for item in items.values():
        path = resolve_path(folder, item.get("href", ""))
        if archive.has(path):
            if "nav" in (item.get("properties") or "").split():
                navs.append(path)
            if item.get("media-type") == "application/x-dtbncx+xml":
                ncxs.append(path)
    entries: list[tuple[int, str, str]] = []
    if navs:
        entries = _nav_entries(archive.read(navs[0]), posixpath.dirname(navs[0]))
    if ncxs and not entries:
        entries = _ncx_entries(archive.xml(ncxs[0]), posixpath.dirname(ncxs[0]))
    found: list[Heading] = []
    for level, title, target in entries:
        start = places.get(target, places.get(target.partition("#")[0]))
        if start is not None and title:
            found.append(Heading(min(level, 6), title, start))
    found.sort(key=lambda h: h.start)
    return found


def _nav_entries(content: bytes, folder: str) -> list[tuple[int, str, str]]:
    root = parse_xml(content, "nav")
    navs = [e for e in root.iter() if local_name(e) == "nav"]
    nav = next((e for e in navs if "toc" in local_attribute(e, "type")), navs[0] if navs else None)
    entries = []
    for link in nav.iter() if nav is not None else ():
        if local_name(link) == "a" and link.get("href"):
            level = sum(1 for a in link.iterancestors() if local_name(a) == "ol")
            entries.append((max(1, level), _text_of(link), _target(folder, link.get("href", ""))))
    return entries


def _ncx_entries(root: etree._Element, folder: str) -> list[tuple[int, str, str]]:
    entries = []
    for point in root.iter():
        if local_name(point) != "navPoint":
            continue
        level = 1 + sum(1 for a in point.iterancestors() if local_name(a) == "navPoint")
        label = next((e for e in point if local_name(e) == "navLabel"), None)
        target = next((e for e in point if local_name(e) == "content"), None)
        if label is not None and target is not None:
            entries.append((level, _text_of(label), _target(folder, target.get("src", ""))))
    return entries


def _target(folder: str, href: str) -> str:
    fragment = unquote(urldefrag(href)[1])
    path = resolve_path(folder, href)
    return f"{path}#{fragment}" if fragment else path


def _text_of(element: etree._Element) -> str:
    return " ".join("".join(element.itertext()).split())
