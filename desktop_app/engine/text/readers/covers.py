"""The cover picture in an EPUB or a Word document: its bytes, not decoded.

Only members of the archive are read, whatever the file refers to. SVG is not drawn, because it can
refer to other files; a picture that it shows from within the archive is taken in its place.
"""

from __future__ import annotations

import posixpath
import re

from lxml import etree

from .archives import Archive, Unreadable, local_attribute, local_name
from .docx import find_main_part
from .epub import find_package_path, resolve_path

MAX_COVER_BYTES = 30 * 1024 * 1024
_MAX_PAGE_BYTES = 2 * 1024 * 1024  # of a cover page in XHTML or SVG
_PICTURES = (".jpg", ".jpeg", ".png", ".gif", ".webp")
_PAGES = (".xhtml", ".html", ".htm", ".xml", ".svg")
_EMU_PER_TWIP = 635
_PAGE_TWIPS = 16838  # the height of A4, where a document does not give its own
_MIN_HEIGHT = 0.5  # of the page: a picture that is lower is a logo or a figure, not a cover


def find_epub_cover(content: bytes) -> bytes | None:
    """Return the picture that an EPUB names as its cover, None if it names none.

    In this order: the item with the property `cover-image` (EPUB 3), the item of the meta element
    `cover` (EPUB 2), and the first picture of the page that the guide calls its cover.

    Raises:
        Unreadable: the archive is damaged.
    """
    archive = Archive(content)
    package_path = find_package_path(archive)
    package = archive.xml(package_path)
    folder = posixpath.dirname(package_path)
    items = {e.get("id", ""): e for e in package.iter() if local_name(e) == "item"}
    hrefs = [
        item.get("href", "")
        for item in items.values()
        if "cover-image" in (item.get("properties") or "").split()
    ]
    for element in package.iter():
        if local_name(element) == "meta" and (element.get("name") or "").lower() == "cover":
            named = element.get("content") or ""
            # some programs write the path in place of the id
            hrefs.append(items[named].get("href", "") if named in items else named)
    for element in package.iter():
        if local_name(element) == "reference" and "cover" in (element.get("type") or "").lower():
            hrefs.append(element.get("href") or "")
    for href in filter(None, hrefs):
        if picture := _read_picture(archive, resolve_path(folder, href)):
            return picture
    return None


def _read_picture(archive: Archive, path: str) -> bytes | None:
    """Return the picture at a path, or the first one of the page there."""
    suffix = posixpath.splitext(path)[1].lower()
    try:
        if suffix not in _PAGES:
            return _read_limited(archive, path)
        page = archive.read(path)
        if len(page) > _MAX_PAGE_BYTES:
            return None
        folder = posixpath.dirname(path)
        for href in _list_pictures(page):
            target = resolve_path(folder, href)
            if target.lower().endswith(_PICTURES) and archive.has(target):
                return _read_limited(archive, target)
    except Unreadable:  # missing or damaged; another reference may be right
        return None
    return None


def _read_limited(archive: Archive, path: str) -> bytes | None:
    content = archive.read(path)
    return content if len(content) <= MAX_COVER_BYTES else None


def _list_pictures(page: bytes) -> list[str]:
    """Return the references of the pictures in a page of XHTML or SVG, in their order."""
    parser = etree.HTMLParser(no_network=True, recover=True)
    try:
        root = etree.fromstring(page, parser)
    except (etree.XMLSyntaxError, ValueError):
        return []
    found = []
    for element in root.iter() if root is not None else ():
        name = local_name(element).rpartition(":")[2]
        if name == "img":
            found.append(element.get("src") or "")
        elif name == "image":
            found.append(next((v for k, v in element.attrib.items() if k.endswith("href")), ""))
    return [str(href) for href in found if href and not re.match(r"[a-z][a-z0-9+.-]*:", href, re.I)]


def find_docx_cover(content: bytes) -> bytes | None:
    """Return the picture that a Word document begins with, None if it is no cover.

    It is one if no text comes before it and it is at least half as high as the page.

    Raises:
        Unreadable: the archive is damaged.
    """
    archive = Archive(content)
    main = find_main_part(archive)
    root = archive.xml(main)
    drawing = _find_first_drawing(root)
    if drawing is None:
        return None
    heights = [local_attribute(e, "h") for e in root.iter() if local_name(e) == "pgSz"]
    page_height = next((int(h) for h in heights if h and h.isdigit()), _PAGE_TWIPS)
    extents = [e.get("cy") or "" for e in drawing.iter() if local_name(e) == "extent"]
    if not extents or not extents[0].isdigit():
        return None
    if int(extents[0]) < _MIN_HEIGHT * page_height * _EMU_PER_TWIP:
        return None
    ids = [local_attribute(e, "embed") for e in drawing.iter() if local_name(e) == "blip"]
    target = _find_target(archive, main, ids[0]) if ids else ""
    return _read_picture(archive, target) if target else None


def _find_first_drawing(root: etree._Element) -> etree._Element | None:
    """Return the first drawing of the body, None if text comes before it."""
    for element in root.iter():
        name = local_name(element)
        if name == "drawing":
            return element
        if name == "t" and (element.text or "").strip():
            return None
    return None


def _find_target(archive: Archive, main: str, relation_id: str) -> str:
    """Return the path of a part that the main part refers to, "" if it is not in the archive."""
    folder, _, name = main.rpartition("/")
    relations = f"{folder}/_rels/{name}.rels"
    if not archive.has(relations):
        return ""
    for element in archive.xml(relations):
        if element.get("Id") == relation_id and element.get("TargetMode") != "External":
            target = element.get("Target") or ""
            path = target.lstrip("/") if target.startswith("/") else resolve_path(folder, target)
            return path if archive.has(path) else ""
    return ""
