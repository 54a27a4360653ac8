"""Result of every importer: documents, chunks, names and relations as plain data.

Owns the cleaning that all formats share (separators, placeholders, invalid numbers); knows no
file format and no library.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from ...messages import Message
from ...model import UNDIRECTED

SEPARATOR = "<SEP>"  # LightRAG joins fragments and sources with it
MAX_DESCRIPTION = 4_000
MAX_NAME = 256  # LightRAG's own limit
MAX_KEYWORDS = 12
MAX_KIND = 80
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_KEYWORD_ENDS = re.compile(r"<SEP>|[,，、;；|\n]")
_PLACEHOLDERS = frozenset(("", "unknown", "no description provided", "none", "nan", "null", "n/a"))
# Nan is also a first name.
_NO_NAMES = frozenset(
    ("unknown", "Unknown", "UNKNOWN", "none", "None", "NONE", "nan", "NaN", "null", "NULL", "N/A")
)
_QUOTED = re.compile(r'^(["“”\'])(.*)["“”\']$', re.S)


@dataclass(frozen=True, slots=True)
class ImportedDocument:
    """A source document; `text` is "" where only its chunks are known."""

    key: str
    title: str = ""
    file_name: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class ImportedChunk:
    """A passage of the other program; several may share one key."""

    key: str
    text: str
    document: str
    order: int = 0


@dataclass(frozen=True, slots=True)
class ImportedEntity:
    """A name with its descriptions; `chunks` are the keys of its source passages."""

    name: str
    type: str = ""
    descriptions: tuple[str, ...] = ()
    chunks: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportedRelation:
    """A relation between two names; `weight` as in the other program.

    `direction` is undirected where the other program does not keep the order of the two.
    """

    source: str
    target: str
    descriptions: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    weight: float = 1.0
    chunks: tuple[str, ...] = ()
    direction: int = UNDIRECTED
    kind: str = ""


@dataclass(frozen=True, slots=True)
class ImportedClaim:
    """A claim about an entity, with its quotation from the text (GraphRAG's covariates)."""

    subject: str
    type: str
    status: str
    description: str
    quote: str
    chunk: str
    object: str = ""
    start_date: str = ""
    end_date: str = ""


@dataclass(slots=True)
class ImportedGraph:
    """The content of a folder or file; `left_out` counts unusable parts by reason."""

    origin: str
    name: str
    documents: list[ImportedDocument] = field(default_factory=list)
    chunks: list[ImportedChunk] = field(default_factory=list)
    entities: list[ImportedEntity] = field(default_factory=list)
    relations: list[ImportedRelation] = field(default_factory=list)
    claims: list[ImportedClaim] = field(default_factory=list)
    left_out: Counter[Message] = field(default_factory=Counter)


def clean_imported_text(value: object) -> str:
    """Return a passage with LF line ends and without control characters; "" for no text."""
    if not isinstance(value, str):
        return ""
    text = _SURROGATE.sub("\ufffd", value).replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROL.sub("", text.replace("\x0c", "\n"))


def clean_imported_name(value: object) -> str:
    """Return a name on one line, without the quotation marks of older versions."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return ""
    name = " ".join(clean_imported_text(str(value)).split())
    if (quoted := _QUOTED.match(name)) and quoted[1] not in quoted[2]:
        name = quoted[2].strip()
    return name if len(name) <= MAX_NAME and name not in _NO_NAMES else ""


def split_fragments(value: object) -> tuple[str, ...]:
    """Return the descriptions of a field, in order, unique, without placeholders."""
    found = (" ".join(part.split()) for part in clean_imported_text(value).split(SEPARATOR))
    kept = (part[:MAX_DESCRIPTION] for part in found if part.casefold() not in _PLACEHOLDERS)
    return tuple(dict.fromkeys(kept))


def split_keywords(value: object) -> tuple[str, ...]:
    """Return the keywords of a field or of a list, unique ignoring case."""
    texts = value if isinstance(value, (list, tuple)) else [value]
    words: dict[str, str] = {}
    for text in texts:
        for word in _KEYWORD_ENDS.split(clean_imported_text(text)):
            word = " ".join(word.split()).strip("\"'“”")
            if word and word.casefold() not in _PLACEHOLDERS:
                words.setdefault(word.casefold(), word[:80])
    return tuple(words.values())[:MAX_KEYWORDS]


def clean_kind(value: object) -> str:
    """Return a kind of relation on one line; "" for none."""
    kind = " ".join(clean_imported_text(value).split())[:MAX_KIND]
    return "" if kind.casefold() in _PLACEHOLDERS else kind


def split_keys(value: object) -> tuple[str, ...]:
    """Return the source keys of a field or a list."""
    if isinstance(value, (list, tuple)):
        parts: Iterable[object] = value
    elif isinstance(value, (str, int)) and not isinstance(value, bool):
        parts = str(value).split(SEPARATOR)
    else:
        return ()
    keys = (str(part).strip() for part in parts if part is not None)
    return tuple(dict.fromkeys(key for key in keys if key and key.casefold() != "unknown"))


def read_weight(value: object, left_out: Counter[Message]) -> float:
    """Return a weight; an invalid number counts as 1 and is counted in `left_out`."""
    try:
        weight = 1.0 if value is None else float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        weight = math.nan
    if not math.isfinite(weight) or weight <= 0.0:
        left_out[Message("weights that are not numbers above 0 (1 is used)")] += 1
        return 1.0
    return weight
