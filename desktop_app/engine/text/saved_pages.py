"""Pictures that a browser saved beside a page, written into the page.

A library keeps one file for a document, and figures are places in it (decision 106). A page saved
as “complete” has its pictures in a folder with its name (“page_files”); here they become data
addresses, as in a page that was saved as one file. Only pictures in the page's folder or below it
are read. Knows no parser: the page is not opened here, its tags are searched.
"""

from __future__ import annotations

import base64
import re
from html import unescape
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from .file_kinds import PICTURE_HEAD_BYTES, find_picture_kind

SUFFIXES = (".html", ".htm", ".xhtml")
# In Base64 28 million characters; a page may have 40 million (`readers/html.py`).
MAX_EMBEDDED_BYTES = 20 * 1024 * 1024
_IMAGE = re.compile(rb"<img\s[^<>]{1,4000}>", re.I)
_SOURCE = re.compile(
    rb"""(\ssrc\s*=\s*)(?:"([^"]{1,1000})"|'([^']{1,1000})'|([^\s"'>]{1,1000}))""", re.I
)
_ENCODINGS = ("utf-8", "gb18030")  # of names in a page; the file has to exist


def embed_pictures(content: bytes, page: Path) -> bytes:
    """Return a page with the pictures that lie beside it; the same bytes if there are none.

    Those that would make the pictures larger than `MAX_EMBEDDED_BYTES` together stay references.
    """
    left = MAX_EMBEDDED_BYTES

    def embed(tag: re.Match[bytes]) -> bytes:
        nonlocal left
        source = _SOURCE.search(tag[0])
        address = next(filter(None, source.groups()[1:]), b"") if source else b""
        path = _find_file(address, page.parent)
        if source is None or path is None:
            return tag[0]
        picture = _load_picture(path, left)
        if picture is None:
            return tag[0]
        kind, data = picture
        left -= len(data)
        inside = b'"data:image/%s;base64,%s"' % (kind.encode(), base64.b64encode(data))
        return tag[0][: source.start()] + source[1] + inside + tag[0][source.end() :]

    return _IMAGE.sub(embed, content)


def _find_file(address: bytes, folder: Path) -> Path | None:
    """Return the file in a folder, or below it, that a relative address names."""
    for encoding in _ENCODINGS:
        try:
            written = unescape(address.decode(encoding)).strip().replace("\\", "/")
        except UnicodeDecodeError:
            continue
        for name in (unquote(written), unquote(re.split(r"[?#]", written)[0])):
            relative = PurePosixPath(name)
            if not name or ":" in name or relative.is_absolute() or ".." in relative.parts:
                continue
            try:
                path = (folder / relative).resolve(strict=True)
                if path.is_file() and path.is_relative_to(folder.resolve()):
                    return path
            except (OSError, ValueError, RuntimeError):  # missing, or no name that a file may have
                continue
    return None


def _load_picture(path: Path, most: int) -> tuple[str, bytes] | None:
    """Return format and bytes of a picture, None if it is none, too large or not readable."""
    try:
        if path.stat().st_size > most:
            return None
        with path.open("rb") as file:
            head = file.read(PICTURE_HEAD_BYTES)
            kind = find_picture_kind(head)
            data = head + file.read(most) if kind else b""
    except OSError:
        return None
    return (kind, data) if kind and len(data) <= most else None
