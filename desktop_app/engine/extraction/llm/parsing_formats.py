"""Splitting of a model's output into JSON values, lines and fields.

Handles all delimiters, list marks, code fences, tables and reasoning blocks; the meaning of fields
is in `parsing.py`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

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
