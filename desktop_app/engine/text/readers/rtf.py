"""Reader of Rich Text Format (.rtf): striprtf gives the text."""

from __future__ import annotations

import re
from collections.abc import Callable

from ...errors import AppError
from ...messages import Message
from ...model import ReadDocument
from .archives import Unreadable
from .document_builder import build_document, clean_author, clean_title
from .text_builder import TextBuilder, remove_control_characters

_SAVE_AGAIN = Message("Open it in Word or LibreOffice and save it as .docx, then add that.")
_CREATED = re.compile(r"\{\\creatim\\yr(\d{4})")
_CELL_END = re.compile(r"\|$")


def read_rtf(content: bytes, stem: str) -> ReadDocument:
    """Return the text; footnotes, headers and pictures are lost.

    Raises:
        Unreadable: it is damaged or has no text.
    """
    source = content.decode("latin-1")
    title, author = (_read_info(source, name) for name in ("title", "author"))
    created = _CREATED.search(source, 0, 20_000)
    return build_document(
        strip_rtf(source),
        format="rtf",
        stem=stem,
        title=clean_title(title),
        author=clean_author(author),
        year=created.group(1) if created else "",
    )


def strip_rtf(source: str) -> str:
    """Return the text of RTF source.

    Raises:
        Unreadable: it is damaged.
    """
    from striprtf.striprtf import rtf_to_text

    try:
        convert: Callable[..., str] = rtf_to_text
        # striprtf searches for links with an expression that takes quadratic time; the blank, which
        # means nothing, hides them from it
        text = convert(source.replace("\\field{", "\\field {"), errors="replace")
    except (AppError, MemoryError):
        raise
    except Exception as error:  # what a damaged file raises differs
        raise Unreadable("its text is damaged.", _SAVE_AGAIN) from error
    text = remove_control_characters(_join_halves(text))
    builder = TextBuilder()
    in_table = False
    for line in text.replace("\xad", "").split("\n"):
        is_row = line.endswith("|")
        row = _CELL_END.sub("", line.strip()).replace("|", " | ") if is_row else line.strip()
        builder.add(row, gap="\n" if is_row and in_table else "\n\n")
        in_table = is_row
    return builder.text


def _join_halves(text: str) -> str:
    """Return a text in which characters that were written as two halves are whole."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _read_info(source: str, name: str) -> str:
    """Return a detail that the file states of itself."""
    start = source.find("{\\" + name + " ", 0, 100_000)
    if start < 0:
        return ""
    end = source.find("}", start)
    return strip_rtf("{\\rtf1" + source[start + len(name) + 2 : min(end, start + 500)] + "}")
