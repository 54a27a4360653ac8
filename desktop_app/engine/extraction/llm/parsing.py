"""Parsing of entities and relations from a model's output, in whatever format it is written.

Reads JSON, tables, tuples, lines and prose; never raises on model output. A valid record has two
different names, limited lengths and a type of the list; names and pairs are unique. Delimiters are
handled in `parsing_formats.py`.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...model import ENTITY_TYPES
from ...word_lists import WordLists
from ...writing_systems import count_han

_MAX_TRIES = 40
_MAX_DEPTH = 12
_START = re.compile(r"[\[{](?=\s*[\[{\"'“])")
_FLAT = re.compile(r"\{([^{}]{2,4000})(?:\}|$)")
_FLAT_LIST = re.compile(r"\[([^\[\]{}]{2,2000})(?:\]|$)")
_STRAIGHT_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "＂": '"', "：": ":", "，": ","})
_PAIR = re.compile(
    r"""["']?([^\s"':,{}\[\]][^"':,{}\[\]\n]{0,40})["']?\s*:\s*
    (?:"((?:[^"\\]|\\.){0,2000})(?:"|$)|'([^'\n]{0,2000})'|(\[[^\]]{0,600}(?:\]|$))|([^,{}\n]{1,2000}))""",
    re.VERBOSE,
)
_STRING = re.compile(r""""((?:[^"\\]|\\.){0,1000})(?:"|$)|'([^'\n]{0,1000})'""")

FoundValue = tuple[str, Any]  # key of a value, and the value: a dict or a list of strings


def take_json(text: str) -> tuple[list[FoundValue], str]:
    """Return the JSON objects and lists of strings in a text, and the text without them."""
    if "{" not in text and "[" not in text:
        return [], text
    found: list[FoundValue] = []
    rest: list[str] = []
    at = 0
    decoder = json.JSONDecoder(strict=False)
    for _ in range(_MAX_TRIES):
        match = _START.search(text, at)
        if match is None:
            break
        try:
            value, end = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            rest.append(text[at : match.start() + 1])
            at = match.start() + 1
            continue
        found += _iter_values(value, "", 0)
        rest.append(text[at : match.start()] + "\n")
        at = end
    rest.append(text[at:])
    left = "".join(rest)
    if '"' in left or "'" in left or "“" in left:
        left = _FLAT.sub(lambda m: _repair_object(m, found), left)
        left = _FLAT_LIST.sub(lambda m: _repair_list(m, found), left)
    return found, left


def _iter_values(value: Any, key: str, depth: int) -> Iterator[FoundValue]:
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, list):
        if value and all(isinstance(item, str | int | float) for item in value):
            yield key, value
            return
        for item in value:
            yield from _iter_values(item, key, depth + 1)
    elif isinstance(value, dict):
        yield key, value
        for name, inner in value.items():
            if isinstance(inner, dict | list):
                yield from _iter_values(inner, name, depth + 1)


def _repair_object(match: re.Match[str], found: list[FoundValue]) -> str:
    body = _straighten(match[1])
    pairs: dict[str, Any] = {}
    for pair in _PAIR.finditer(body):
        value: Any = next((group for group in pair.groups()[1:] if group is not None), "")
        if pair[4]:
            value = [a or b for a, b in _STRING.findall(value)]
        pairs[pair[1].strip()] = value
    if len(pairs) < 2:
        return match[0]
    found.append(("", pairs))
    return "\n"


def _repair_list(match: re.Match[str], found: list[FoundValue]) -> str:
    strings = [a or b for a, b in _STRING.findall(_straighten(match[1]))]
    if len(strings) < 3:
        return match[0]
    found.append(("", strings))
    return "\n"


def _straighten(body: str) -> str:
    """Return the body with straight quotes; if it has straight ones, curly ones are text."""
    return body if '"' in body else body.translate(_STRAIGHT_QUOTES)


MAX_CHARS = 200_000
MAX_LINE_CHARS = 4_000

_REASONING = re.compile(r"<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_REASONING_END = re.compile(r"</(?:think|thinking|reasoning)>", re.IGNORECASE)
_REASONING_START = re.compile(r"<(?:think|thinking|reasoning)>", re.IGNORECASE)
_SPECIAL = re.compile(
    r"<\|\s*(?:im_end|im_start|endoftext|eot_id|end|assistant|user|complete)\s*\|>"
    r"|\{completion_delimiter\}|</s>",
    re.IGNORECASE,
)
_NARROW = str.maketrans({"｜": "|", "¦": "|", "│": "|", "＜": "<", "＞": ">", "＃": "#", "\t": "|"})
# LightRAG's <|>, <|#|> and <SEP>, and the variants of small models: <|#>, <#|>, <||>, <|#|
_TUPLE_MARK = re.compile(
    r"<\s?\|\s?[^\s<>|\w]{0,3}\s?\|?\s?>|<\s?[^\s<>|\w]{1,3}\s?\|?\s?>|<\|#?\|?"
    r"|<SEP>|\{tuple_delimiter\}|\|#\|>?",
    re.IGNORECASE,
)
_RECORD_MARK = re.compile(r"\s*(?:(?<![#\n])##(?![# ])|(?<=[)\"])\s*##|\{record_delimiter\})\s*")
_NEXT_TUPLE = re.compile(
    r"(?<=[^\n])(?=[(（]\s*[\"'“]?(?:entity|relation|relationship|实体|关系)[\"'”]?\s*[|,，])",
    re.IGNORECASE,
)
_FENCE = re.compile(r"^\s*(?:```+|~~~+)\s*\w*\s*$")
_BULLET = re.compile(r"^\s*(?:>+\s*)*(?:(?:[-*+•·▪●◦–]|\(?\d{1,3}[.)、:：]|#{1,6})\s+)+")
_NUMBERED_WIDE = re.compile(r"^\s*(?:\d{1,3}[、.．)）]|[（(]\d{1,3}[)）])\s*")
_RULE = re.compile(r"^[\s|:+=_—-]*$")
_QUOTED = re.compile(r"[\"“']([^\"”“]*)[\"”']\s*(?:[,，;；]|$)")
_HALF_WIDE = re.compile(r"[,，;；、]")


def remove_reasoning(text: str) -> str:
    """Return the text without reasoning blocks, closed or not."""
    text = _REASONING.sub("\n", text)
    ends = list(_REASONING_END.finditer(text))
    if ends:
        text = text[ends[-1].end() :]
    start = _REASONING_START.search(text)
    return text[: start.start()] if start else text


def normalize_output(text: str) -> str:
    """Return the text with "|" as the only delimiter and one record per line where possible."""
    text = remove_reasoning(text[:MAX_CHARS]).replace("\r\n", "\n").replace("\r", "\n")
    text = _SPECIAL.sub("\n", text).translate(_NARROW)
    text = _TUPLE_MARK.sub("|", text)
    text = _RECORD_MARK.sub("\n", text)
    text = _NEXT_TUPLE.sub("\n", text)
    return "\n".join(line for line in text.split("\n") if not _FENCE.match(line))


def is_blank_line(line: str) -> bool:
    """Return whether a line is blank or only the rule below the header of a table."""
    return _RULE.match(line) is not None


def strip_marks(line: str) -> str:
    """Return a line without list marks, block quote marks and backticks."""
    line = line[:MAX_LINE_CHARS].strip()
    line = _BULLET.sub("", line, count=1)
    line = _NUMBERED_WIDE.sub("", line, count=1)
    return line.strip().strip("`").strip()


def strip_brackets(line: str) -> tuple[str, bool]:
    """Return the line without surrounding brackets, and whether it had any."""
    bare = line.rstrip(" ,;.，；。#")
    if line[:1] in "(（[" and len(line) > 2:
        if bare[-1:] in ")）]":
            return bare[1:-1].strip(), True
        if "|" in line or '"' in line:  # truncated before its closing bracket
            return line[1:].strip(), True
    return line, False


def split_fields(line: str, *, loose: bool = False) -> list[str]:
    """Return the fields of a line; with `loose`, quotes and commas delimit if there is no "|"."""
    if "|" in line:
        fields = [field.strip() for field in line.split("|")]
        while fields and not fields[0]:
            fields.pop(0)
        while fields and not fields[-1]:
            fields.pop()
        return fields
    if not loose:
        return [line]
    quoted = _QUOTED.findall(line)
    if len(quoted) >= 2:
        tail = line[[m.end() for m in _QUOTED.finditer(line)][-1] :].strip(" ,，")
        return [*quoted, tail] if tail else quoted
    return [field.strip() for field in _HALF_WIDE.split(line)]


MAX_NAME = 80
MAX_DESCRIPTION = 400
MAX_KEYWORD = 40
MAX_KEYWORDS = 5
MAX_STRENGTH = 10.0

_QUOTES = "\"'`“”‘’„«»「」『』《》〈〉″＂＇"
_EDGES = _QUOTES + " \t\r\n*_#|,;，；、。·•\u3000\ufeff\u200b"
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]")
_SPACE = re.compile(r"\s+")
_BRACKETS = {"(": ")", "[": "]", "{": "}", "<": ">", "（": "）", "【": "】"}
_LISTS = WordLists("records")
TAGS = _LISTS.by_word("tags")

COLUMNS = _LISTS.by_word("columns")
_DIRECTED = frozenset(_LISTS.table("directed")["words"])
_PREPOSITIONS = frozenset(_LISTS.table("directed")["prepositions"])

_TYPES = _LISTS.by_word("types")

_NUMBERS = {word: float(n) for word, n in _LISTS.by_word("numbers").items()}
_NUMBER = re.compile(
    r"(?:(?:strength|weight|score|强度|权重|confidence)\s*[:：=]?\s*)?"
    r"([+-]?\d{1,12}(?:[.,]\d{1,12})?)\s*(%|分|/\s*\d{1,3}|out of \d{1,3})?",
    re.IGNORECASE,
)
_TAG_COLON = re.compile(r"^[*_\"'\s]*(\w{2,14})[*_\"'\s]*[:：]\s*(.+)$", re.DOTALL)
_TAG_SPACE = re.compile(r"^(entity|relation|relationship|实体|关系)\s+([^|\s].*)$", re.IGNORECASE)
_ARROW = re.compile(r"-{1,3}>|→|⟶|=>|<-{1,3}>?|↔|——>")
_NAME_TYPE = re.compile(
    r"^([^(（:：|]{1,80}?)\s*[(（]([^)）]{1,60})[)）][*_]{0,3}\s*(?:[:：—–-]+\s*(.*))?$"
)
_ENDS = re.compile(r"\s*[:：(（,，;；|]\s*")
_RECORD_WORDS = frozenset(["entity", "node", "relation", "relationship", "edge", "实体", "关系"])
_EMPTY_NAMES = _LISTS.words("no_names")


def clean_field(text: object, most: int = MAX_DESCRIPTION) -> str:
    """Return a field of at most `most` characters without quotes, brackets, markup and controls."""
    plain = str(text)[: most * 4].encode("utf-8", "ignore").decode("utf-8")
    plain = _SPACE.sub(" ", _CONTROL.sub(" ", plain).replace("|", "/")).strip(_EDGES)
    while len(plain) > 1 and _BRACKETS.get(plain[0]) == plain[-1]:
        plain = plain[1:-1].strip(_EDGES)
    for left, right in (("(", ")"), ("（", "）")):  # one bracket of a pair that was split
        if plain.endswith(right) and left not in plain:
            plain = plain[:-1].strip(_EDGES)
        if plain.startswith(left) and right not in plain:
            plain = plain[1:].strip(_EDGES)
    if len(plain) > most:
        cut = plain.rfind(" ", most // 2, most)
        plain = plain[: cut if cut > 0 else most].strip(_EDGES)
    return plain


def clean_extracted_name(text: object) -> str:
    """Return a cleaned name, "" for a string that can't be a name."""
    name = clean_field(text, 2 * MAX_NAME)
    if len(name) > MAX_NAME or name.casefold() in _EMPTY_NAMES:
        return ""
    return name if any(char.isalnum() for char in name) else ""


def clean_keywords(text: object) -> tuple[str, ...]:
    words = text if isinstance(text, list | tuple) else re.split(r"[,，、;；/|]", str(text)[:600])
    kept: dict[str, None] = {}
    for word in words:
        cleaned = clean_field(word, MAX_KEYWORD)
        if cleaned and len(kept) < MAX_KEYWORDS:
            kept.setdefault(cleaned)
    return tuple(kept)


def find_tag_word(text: str) -> str:
    """Return "entity", "relation", "claim", "done" or "missed" for a tag word, "" for others."""
    return TAGS.get(clean_field(text, 40).strip(":：<>|/ ").casefold(), "")


def find_column(text: object) -> str:
    key = _SPACE.sub("_", clean_field(text, 40).strip(":： ").casefold())
    return COLUMNS.get(key, "")


def find_type(text: object, types: Sequence[str]) -> str:
    """Return the type of `types` that a field denotes, "" if none."""
    plain = clean_field(text, 60).strip(":：. ").casefold()
    by_key = {kind.casefold(): kind for kind in types}
    for part in (plain, *re.split(r"[/,(（、;\s]", plain)):
        for key in (part, part.rstrip("s")):
            found = by_key.get(key) or by_key.get(_TYPES.get(key, key))
            if key and found:
                return found
    return ""


def read_strength(text: object) -> float | None:
    """Return a number from 0 to 10, in digits or in words; None if the field is no number."""
    if isinstance(text, bool) or text is None:
        return None
    if isinstance(text, int | float):
        try:
            return _clip(float(text))
        except OverflowError:
            return MAX_STRENGTH
    plain = clean_field(text, 40).rstrip(".。)）#").strip().casefold()
    if plain in _NUMBERS:
        return _NUMBERS[plain]
    match = _NUMBER.fullmatch(plain)
    if match is None:
        return None
    value = float(match[1].replace(",", "."))
    if match[2] == "%":
        value /= 10.0
    return _clip(value)


def _clip(value: float) -> float | None:
    return min(MAX_STRENGTH, max(0.0, value)) if math.isfinite(value) else None


@dataclass(frozen=True, slots=True)
class EntityRecord:
    """A name as a model listed it; `type` is one of the requested types or "other"."""

    name: str
    type: str = "other"
    description: str = ""


# Keys of JSON records whose two names are not interchangeable.
_SUBJECT_KEYS = frozenset(("source", "subject", "head", "主体", "源实体"))


@dataclass(frozen=True, slots=True)
class RelationRecord:
    """A relation between two different names as a model wrote it.

    `strength` is 0 to 10; `is_directed` if the record has a form that goes from subject to object.
    """

    source: str
    target: str
    keywords: tuple[str, ...] = ()
    description: str = ""
    strength: float = 5.0
    is_directed: bool = False


@dataclass(frozen=True, slots=True)
class Records:
    """The records that were read; `refused` counts rejected ones by reason."""

    entities: tuple[EntityRecord, ...] = ()
    relations: tuple[RelationRecord, ...] = ()
    refused: Counter[str] = field(default_factory=Counter)


class RecordTable:
    """Collects the records of one text; `finish` returns them without duplicates."""

    def __init__(self, types: Sequence[str]) -> None:
        self._types = types
        self._entities: dict[str, EntityRecord] = {}
        self._relations: list[RelationRecord] = []
        self._refused: Counter[str] = Counter()

    def refuse(self, reason: str) -> None:
        self._refused[reason] += 1

    def add(self, tag: str, fields: list[str]) -> None:
        if tag == "entity":
            self._add_entity(fields)
        else:
            self._add_relation(fields)

    def _add_entity(self, fields: list[str]) -> None:
        kinds = [find_type(part, self._types) for part in fields[:3]]
        at = next((i for i in (1, 0, 2) if i < len(kinds) and kinds[i]), -1)
        texts = [part for i, part in enumerate(fields) if i != at]
        if at < 0 and len(texts) > 2:  # a type that was not requested
            texts.pop(1)
        if at == 0 and not texts:
            texts = fields
        name = clean_extracted_name(texts[0]) if texts else ""
        description = ", ".join(part for part in texts[1:] if part)
        kind = kinds[at] if at >= 0 else ""
        self._keep_entity(name, kind, description, texts[0] if texts else "")

    def _keep_entity(self, name: str, kind: str, description: str, raw: object) -> None:
        if not name:
            self._refused["name too long" if len(str(raw)) > MAX_NAME else "no name"] += 1
            return
        description = clean_field(description)
        known = self._entities.get(name.casefold())
        if known is None:
            self._entities[name.casefold()] = EntityRecord(name, kind or "other", description)
            return
        self._refused["repeated"] += 1
        self._entities[name.casefold()] = EntityRecord(
            known.name,
            known.type if known.type != "other" else kind or "other",
            max(known.description, description, key=len),
        )

    def _add_relation(self, fields: list[str]) -> None:
        numbers = [(i, read_strength(part)) for i, part in enumerate(fields) if i >= 2]
        at, strength = next(((i, n) for i, n in reversed(numbers) if n is not None), (-1, None))
        texts = [clean_field(part) for i, part in enumerate(fields[2:], 2) if i != at]
        texts = [part for part in texts if part]
        words, description = "", ""
        if len(texts) == 1:
            words, description = ("", texts[0]) if _is_sentence(texts[0]) else (texts[0], "")
        elif texts:
            words, description = texts[0], max(texts[1:], key=len)
            if _is_sentence(words) and not _is_sentence(description):
                words, description = description, words
        self._keep_relation(fields[:2], words, description, strength)

    def _keep_relation(
        self,
        ends: Sequence[object],
        words: object,
        description: str,
        strength: float | None,
        *,
        is_directed: bool = False,
    ) -> None:
        names = [clean_extracted_name(end) for end in ends]
        if len(names) < 2 or not all(names):
            self._refused["a name is missing"] += 1
            return
        self._relations.append(
            RelationRecord(
                names[0],
                names[1],
                clean_keywords(words),
                clean_field(description, MAX_DESCRIPTION),
                5.0 if strength is None else strength,
                is_directed or states_direction(words),
            )
        )

    def add_untagged(self, fields: list[str]) -> None:
        """Add a record without a tag: it is an entity if its second field is a type."""
        if len(fields) <= 4 and any(find_type(part, self._types) for part in fields[1:2]):
            self._add_entity(fields)
        elif len(fields) >= 3:
            self._add_relation(fields)
        else:
            self.refuse("no record")

    # --- JSON ----------------------------------------------------------------------------------

    def add_object(self, pairs: dict[str, Any], key: str) -> None:
        roles: dict[str, Any] = {}
        for name, value in pairs.items():
            role = name if name in ("source", "target") else find_column(name)
            if role == "type" and str(value).casefold() in _RECORD_WORDS:
                continue
            if role and (not isinstance(value, dict | list) or role == "keywords"):
                if role in roles and role == "name" and "source" not in roles:
                    role = "keywords"
                roles.setdefault(role, value)
        if "target" in roles and "source" not in roles and "name" in roles:
            roles["source"] = roles.pop("name")
        words = roles.get("keywords", "")
        if "source" in roles and "target" in roles:
            if not words and isinstance(roles.get("type"), str):
                words = roles["type"]
            strength = read_strength(roles.get("strength"))
            ends = (roles["source"], roles["target"])
            text = str(roles.get("description") or "")
            is_directed = not _SUBJECT_KEYS.isdisjoint(name.casefold() for name in pairs)
            self._keep_relation(ends, words, text, strength, is_directed=is_directed)
            return
        if "name" not in roles and key and {"type", "description"} & roles.keys():
            roles["name"] = key
        if isinstance(words, str) and words:  # the "label" of a node is its name or its type
            roles.setdefault("name" if "type" in roles else "type", words)
        if "name" in roles:
            kind = find_type(roles.get("type") or "", self._types)
            self._keep_entity(
                clean_extracted_name(roles["name"]),
                kind,
                str(roles.get("description") or ""),
                roles["name"],
            )

    def add_list(self, values: list[str], key: str) -> None:
        tag = find_tag_word(values[0])
        if tag in ("entity", "relation") and len(values) > 1:
            self.add(tag, values[1:])
        elif find_tag_word(key) == "entity":
            for name in values:
                self._keep_entity(clean_extracted_name(name), "", "", name)
        elif len(values) >= 3 and find_tag_word(key) != "claim" and not find_column(key):
            self.add_untagged(values)

    # --- the end -------------------------------------------------------------------------------

    def finish(self) -> Records:
        relations: dict[frozenset[str], RelationRecord] = {}
        for relation in self._relations:
            relation = self._turn_triple(relation)
            pair = frozenset((relation.source.casefold(), relation.target.casefold()))
            if len(pair) < 2:
                self._refused["same name twice"] += 1
            elif pair in relations:
                self._refused["repeated"] += 1
            else:
                relations[pair] = relation
        return Records(tuple(self._entities.values()), tuple(relations.values()), self._refused)

    def _turn_triple(self, relation: RelationRecord) -> RelationRecord:
        """Return a relation written as `A | employs | B` with B as its target."""
        middle = relation.target
        if middle.casefold() in self._entities or len(relation.keywords) > 1:
            return relation
        texts = [*relation.keywords, relation.description]
        names = [clean_extracted_name(text) for text in texts]
        last = next((name for name in names if name.casefold() in self._entities), "")
        is_triple = len(relation.keywords) == 1 and middle[:1].islower()
        if not last and not (is_triple and relation.keywords[0][:1].isupper()):
            return relation
        last = last or relation.keywords[0]
        description = (
            "" if clean_extracted_name(relation.description) == last else relation.description
        )
        return replace(
            relation,
            target=last,
            keywords=(middle,),
            description=description,
            is_directed=True,
        )


def states_direction(words: object) -> bool:
    """Return whether words between two names have a direction, first to second: "works for"."""
    keywords = clean_keywords(words)
    first = keywords[0].casefold() if keywords else ""
    return first in _DIRECTED or (" " in first and first.rsplit(" ", 1)[1] in _PREPOSITIONS)


def _is_sentence(text: str) -> bool:
    """Return whether a field is a description and not a list of keywords."""
    is_list = any(mark in text for mark in ",，、")
    return (
        text[-1:] in ".。!！"
        or len(text) > 40
        or (not is_list and text.count(" ") > 2)
        or count_han(text) > 8
    )


def parse_records(text: str, types: Sequence[str] = ENTITY_TYPES) -> Records:
    """Return the records in a model's text, in order; names and pairs are unique."""
    reader = _Reader(types)
    found, rest = take_json(normalize_output(text))
    for key, value in found:
        if isinstance(value, dict):
            reader.table.add_object(value, key)
        else:
            reader.table.add_list([str(item) for item in value], key)
    for line in rest.split("\n"):
        reader.read_line(line)
    return reader.table.finish()


class _Reader:
    """Reads a text line by line and keeps the current section and table header."""

    def __init__(self, types: Sequence[str]) -> None:
        self._types = types
        self.table = RecordTable(types)
        self._section = ""
        self._columns: list[str] = []

    def read_line(self, raw: str) -> None:
        if is_blank_line(raw):
            return
        line, wrapped = strip_brackets(strip_marks(raw))
        if not line:
            return
        match = _TAG_COLON.match(line)
        if match is None or not find_tag_word(match[1]):
            match = _TAG_SPACE.match(line) if "|" in line else None
        if match:
            line = f"{match[1]}|{match[2]}"
        fields = split_fields(line, loose=wrapped)
        tag = find_tag_word(fields[0]) if fields else ""
        if tag and len(fields) == 1:
            fields = split_fields(line, loose=True)
        if not tag and len(fields) == 1:
            loose = split_fields(line, loose=True)
            tag = find_tag_word(loose[0]) if len(loose) > 2 else ""
            fields = loose if tag else fields
        if tag:
            self._read_tagged(tag, fields)
        elif len(fields) > 1 and self._is_header(fields):
            return
        elif self._columns and len(fields) > 1 and "|" in line:
            self.table.add_object(dict(zip(self._columns, fields, strict=False)), "")
        elif len(fields) > 1 and self._section in ("entity", "relation"):
            self.table.add(self._section, fields)
        elif len(fields) > 1:
            self.table.add_untagged(fields)
        else:
            self._read_prose(line)

    def _read_tagged(self, tag: str, fields: list[str]) -> None:
        if len(fields) == 1:
            self._section, self._columns = tag, []
        elif self._is_header(fields[1:]) or self._is_header(fields):
            return
        elif tag in ("entity", "relation"):
            self.table.add(tag, fields[1:])

    def _is_header(self, fields: list[str]) -> bool:
        roles = [find_column(name) for name in fields]
        if len(fields) < 2 or not all(roles) or not {"name", "source"} & set(roles):
            return False
        if "target" in roles and "source" not in roles and "name" in roles:
            roles[roles.index("name")] = "source"
        self._columns = roles
        return True

    def _read_prose(self, line: str) -> None:
        """Read a line without fields: `A -> B: why` or `A (person): who`."""
        if arrow := _ARROW.search(line):
            left, label = line[: arrow.start()], ""
            if "-" in left.strip("- ") and (dash := re.search(r"\s*-{1,3}\[?", left)):
                left, label = left[: dash.start()], left[dash.end() :].strip(" -[]")
            right, *rest = _ENDS.split(line[arrow.end() :].strip(), maxsplit=1)
            if left.strip() and right.strip() and len(left) <= 100 and len(right) <= 100:
                self.table.add(
                    "relation", [left, right, label, *rest] if label else [left, right, *rest]
                )
                return
        match = _NAME_TYPE.match(line.lstrip(' *_"“'))
        if match and find_type(match[2], self._types):
            self.table.add("entity", [match[1], match[2], match[3] or ""])
        elif self._section == "entity" and len(line) <= 300:
            self.table.add("entity", re.split(r"\s*[:：]\s*|\s+[–—-]\s+", line, maxsplit=1))
        else:
            self.table.refuse("no record")
