"""DOI, ISBN and arXiv numbers in a text, checked by their form and checksum."""

from __future__ import annotations

import re

_DOI = re.compile(r"(?<![\w.])10\.\d{4,9}/[^\s\"<>{}|\\^`，。；、）】]+", re.I)
_DOI_END = re.compile(r"(?:[.,;:!?'’”*]|&(?:gt|lt|amp);?)+$")
_ISBN = re.compile(
    r"(?P<label>ISBN(?:[-\s]?1[03])?(?:\s*\([^)\n]{1,20}\))?[\s:：]*)?"
    r"(?<![\d.-])(?P<number>97[89](?:[-\s‐–]?\d){10}|\d(?:[-\s‐–]?\d){8}[-\s‐–]?[\dXx])(?![\d-])",
    re.I,
)
_ARXIV = re.compile(
    r"\barXiv:(?P<number>(?P<year>\d\d)(?:0[1-9]|1[0-2])\.\d{4,5})(?:v\d+)?\s*\[[a-z]", re.I
)
_URL = re.compile(r"^(?:(?:https?://)?(?:dx\.)?doi\.org/|doi:?)\s*", re.I)


def find_doi(text: str) -> str:
    """Return the first DOI in a text in lower case, "" if there is none."""
    for match in _DOI.finditer(text):
        if doi := _trim_doi(match.group()):
            return doi
    return ""


def _trim_doi(found: str) -> str:
    """Return a DOI without the punctuation of the sentence around it."""
    while True:
        trimmed = _DOI_END.sub("", found)
        for opened, closed in ("()", "[]"):
            if trimmed.endswith(closed) and trimmed.count(opened) < trimmed.count(closed):
                trimmed = trimmed[:-1]
        if trimmed == found:
            break
        found = trimmed
    suffix = found.partition("/")[2]
    return found.lower() if re.search(r"\w", suffix) else ""


def read_doi(value: str) -> str:
    """Return what a person typed as a DOI, without the address around it; "" if it is none."""
    value = _URL.sub("", value.strip())
    match = _DOI.fullmatch(value)
    return _trim_doi(value) if match else ""


def find_isbn(text: str) -> str:
    """Return the first valid ISBN in a text as digits, "" if there is none.

    Ten digits count only with the word ISBN before them, for phone numbers may pass the checksum.
    """
    for match in _ISBN.finditer(text):
        isbn = read_isbn(match.group("number"))
        if isbn and (len(isbn) == 13 or match.group("label")):
            return isbn
    return ""


def read_isbn(value: str) -> str:
    """Return an ISBN as digits (and X), "" if its checksum is wrong."""
    value = re.sub(r"^ISBN(?:[-\s]?1[03](?!\d))?[\s:：]*", "", value.strip(), flags=re.I)
    digits = re.sub(r"[-\s‐–]", "", value).upper()
    if re.fullmatch(r"97[89]\d{10}", digits):
        total = sum(int(d) * (3 if i % 2 else 1) for i, d in enumerate(digits))
        return digits if total % 10 == 0 else ""
    if re.fullmatch(r"\d{9}[\dX]", digits):
        values = [10 if d == "X" else int(d) for d in digits]
        total = sum(value * (10 - i) for i, value in enumerate(values))
        return digits if total % 11 == 0 and len(set(digits)) > 1 else ""
    return ""


def find_arxiv_stamp(text: str) -> tuple[str, str]:
    """Return DOI and year of a stamp such as "arXiv:2410.05779v2 [cs.IR]", "" without one.

    The year is that of the first version.
    """
    match = _ARXIV.search(text)
    if match is None:
        return "", ""
    return f"10.48550/arxiv.{match.group('number')}", f"20{match.group('year')}"
