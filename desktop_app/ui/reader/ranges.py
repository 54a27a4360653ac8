"""Plain types of the reader: ranges and names of a text, and the target of a menu."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

Name = tuple[int, int, int, str, str]  # start, end, entity id, name, type
Range = tuple[int, int]  # half-open offsets of the document's text

WORD = re.compile(r"[^\W_]+(?:[’'-][^\W_]+)*")  # what a double click selects

# What follows a name in the mark of a cited work: "et al.", or other surnames and then the year.
_ET_AL = re.compile(r"\s+et\s+al\b|\s*等人?\s*[，,]?\s*[（(]?\s*(?:1[5-9]|20)\d\d")
_YEAR = re.compile(
    r"(?:\s*(?:,|and|und|et|y|&)\s+[A-ZÀ-Ý][\w’'-]+)*"
    r"(?:\s*,\s*|\s*[（(]\s*)(?:1[5-9]|20)\d\d[a-z]?\s*[)）;,]"
)
_SURNAMES = re.compile(r"[^\s&]+(?:\s*&\s*[^\s&]+)*")  # one, or several joined by "&"
MOST_OF_MARK = 80  # characters after a name in which the year is looked for


def is_in_reference_mark(text: str, name: Name) -> bool:
    """Return whether a person is named by the mark of a cited work only: "(Gao et al., 2023)".

    Such a mark names a work. Many of its authors are named nowhere else, so that some surnames in
    a line of marks would be known as names and others not.
    """
    _, end, _, _, kind = name
    if kind != "person":
        return False
    following = text[end : end + MOST_OF_MARK]
    if _ET_AL.match(following):
        return True
    return bool(_SURNAMES.fullmatch(text, name[0], end)) and _YEAR.match(following) is not None


def count_underlined(text: str, names: Iterable[Name], title: Range) -> Counter[str]:
    """Return how many different names of each type have an underline in a document.

    Args:
        title: the range of the document's title, which has no underlines.
    """
    seen: set[int] = set()
    found: Counter[str] = Counter()
    for name in names:
        start, end, entity_id, _, kind = name
        in_title = start < title[1] and end > title[0]
        # a frequent name is looked at once
        if entity_id in seen or in_title or is_in_reference_mark(text, name):
            continue
        seen.add(entity_id)
        found[kind] += 1
    return found


@dataclass(frozen=True, slots=True)
class MenuTarget:
    """A range with its text, and the name or highlight under the pointer."""

    start: int
    end: int
    text: str
    name: Name | None = None
    mark_id: int | None = None
