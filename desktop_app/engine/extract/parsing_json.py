"""Finds JSON in what a model printed, whole or broken, and gives its objects and lists.

Owns the mending of JSON: missing ends, single or curly quotes, trailing commas, lost outer
brackets. What an object means is not known here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_MOST_TRIES = 40
_MOST_DEPTH = 12
_START = re.compile(r"[\[{](?=\s*[\[{\"'“])")
_FLAT = re.compile(r"\{([^{}]{2,4000})(?:\}|$)")
_FLAT_LIST = re.compile(r"\[([^\[\]{}]{2,2000})(?:\]|$)")
_STRAIGHT = str.maketrans({"“": '"', "”": '"', "„": '"', "＂": '"', "：": ":", "，": ","})
_PAIR = re.compile(
    r"""["']?([^\s"':,{}\[\]][^"':,{}\[\]\n]{0,40})["']?\s*:\s*
    (?:"((?:[^"\\]|\\.){0,2000})(?:"|$)|'([^'\n]{0,2000})'|(\[[^\]]{0,600}(?:\]|$))|([^,{}\n]{1,2000}))""",
    re.VERBOSE,
)
_STRING = re.compile(r""""((?:[^"\\]|\\.){0,1000})(?:"|$)|'([^'\n]{0,1000})'""")

Found = tuple[str, Any]  # the key that a value was found under, and a dict or a list of strings


def take_json(text: str) -> tuple[list[Found], str]:
    """Return the objects and lists of strings found, and the text without them."""
    if "{" not in text and "[" not in text:
        return [], text
    found: list[Found] = []
    rest: list[str] = []
    at = 0
    decoder = json.JSONDecoder(strict=False)
    for _ in range(_MOST_TRIES):
        match = _START.search(text, at)
        if match is None:
            break
        try:
            value, end = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            rest.append(text[at : match.start() + 1])
            at = match.start() + 1
            continue
        found += _walk(value, "", 0)
        rest.append(text[at : match.start()] + "\n")
        at = end
    rest.append(text[at:])
    left = "".join(rest)
    if '"' in left or "'" in left or "“" in left:
        left = _FLAT.sub(lambda m: _mend_object(m, found), left)
        left = _FLAT_LIST.sub(lambda m: _mend_list(m, found), left)
    return found, left


def _walk(value: Any, key: str, depth: int) -> Iterator[Found]:
    if depth > _MOST_DEPTH:
        return
    if isinstance(value, list):
        if value and all(isinstance(item, str | int | float) for item in value):
            yield key, value
            return
        for item in value:
            yield from _walk(item, key, depth + 1)
    elif isinstance(value, dict):
        yield key, value
        for name, inner in value.items():
            if isinstance(inner, dict | list):
                yield from _walk(inner, name, depth + 1)


def _mend_object(match: re.Match[str], found: list[Found]) -> str:
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


def _mend_list(match: re.Match[str], found: list[Found]) -> str:
    strings = [a or b for a, b in _STRING.findall(_straighten(match[1]))]
    if len(strings) < 3:
        return match[0]
    found.append(("", strings))
    return "\n"


def _straighten(body: str) -> str:
    """Return the body with straight quotes; curly ones inside of straight ones are text."""
    return body if '"' in body else body.translate(_STRAIGHT)
