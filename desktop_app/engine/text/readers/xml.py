"""Reader of XML files without a reader of their own (.xml, .svg): their texts without tags.

What a tag means is not known. An element with words of its own is a paragraph, with all that is in
it; one that only has other elements is none.
"""

from __future__ import annotations

from lxml import etree

from ...model import ReadDocument
from .archives import local_name, parse_xml
from .document_builder import build_document, clean_title
from .text_builder import TextBuilder

_MAX_DEPTH = 200
# elements of SVG that are no words
_SKIPPED = frozenset(("style", "script", "metadata"))


def read_xml(content: bytes, stem: str) -> ReadDocument:
    """Return the texts of all elements; the first `title` is the title.

    Raises:
        Unreadable: it is no XML, or has no text.
    """
    root = parse_xml(content, "XML")
    is_picture = local_name(root) == "svg"
    builder = TextBuilder()
    _add(builder, root, _SKIPPED if is_picture else frozenset())
    title = next((e for e in root.iter() if local_name(e) == "title"), None)
    return build_document(
        builder.text,
        format="xml",
        stem=stem,
        title=clean_title(_join(title)[:200]) if title is not None else "",
        title_from_text=False,
    )


def _add(
    builder: TextBuilder, element: etree._Element, skipped: frozenset[str], depth: int = 0
) -> None:
    name = local_name(element)
    if not name or name in skipped:
        return
    texts = [element.text, *(child.tail for child in element)]
    if depth > _MAX_DEPTH or any(text and text.strip() for text in texts):
        builder.add(_join(element))
        return
    for child in element:
        _add(builder, child, skipped, depth + 1)


def _join(element: etree._Element) -> str:
    parts = element.itertext(etree.Element)  # without comments
    return " ".join("".join(map(str, parts)).split())
