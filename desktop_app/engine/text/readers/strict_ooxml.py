"""Workbooks and presentations that were saved as "Strict Open XML" (ISO/IEC 29500-1).

Their parts are those of an ordinary file with other namespaces, which openpyxl and python-pptx do
not know. Here a copy with the ordinary namespaces is made for them. Knows no sheet and no slide.
"""

from __future__ import annotations

import re
import zipfile
from io import BytesIO

from .archives import Archive

# "http://purl.oclc.org/ooxml/spreadsheetml/main" is
# "http://schemas.openxmlformats.org/spreadsheetml/2006/main" in ordinary (Transitional) files; the
# names of all namespaces and kinds of relations differ so (ISO/IEC 29500-4, annex A).
_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/(\w+)")
_TRANSITIONAL = rb"http://schemas.openxmlformats.org/\1/2006/\2"
_MARKUP = (".xml", ".rels")


def load_transitional(
    content: bytes, archive: Archive, main_part: str, *, unread: str = ""
) -> bytes:
    """Return a file as openpyxl and python-pptx read it: itself, unless it is Strict.

    Args:
        main_part: the part that shows whether it is Strict.
        unread: parts in this folder are read by other code; they have no content in the copy.

    Raises:
        Unreadable: a part is damaged, locked or too large.
    """
    if not archive.has(main_part) or _STRICT.search(archive.read(main_part)) is None:
        return content
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        for name in dict.fromkeys(archive.names):
            if name.endswith("/"):
                continue
            part = b"<empty/>" if unread and name.startswith(unread) else archive.read(name)
            if name.lower().endswith(_MARKUP):
                part = _STRICT.sub(_TRANSITIONAL, part)
            made.writestr(name, part)
    return out.getvalue()
