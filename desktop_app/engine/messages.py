"""Texts for the user that keep their parts: a template and the values that fill it.

The engine writes English; the window translates the template and fills in the values. Templates
are found in the code by `packaging/translations.py`, so they must be written in the call.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from numbers import Integral, Real
from typing import Any, Self

_FIELD = re.compile(r"( ?)\{(\w+)(?::([^{}]*))?\}( ?)")
_IDEOGRAPH = re.compile("[\u3400-\u9fff]")  # as `writing_systems.HAN`, a layer above this module
_LATIN = re.compile(r"[0-9A-Za-z\u00c0-\u024f]")
_SPEC = re.compile(r",?(?:\.\d)?[dfgs%]?")  # others could make texts of any length
MAX_STRANGE_CHARS = 200
STORED_START = '{"template":'

Param = int | float | str


class Message(str):
    """An English text that knows its template and its values, so that it can be translated.

    Attributes:
        template: the text with `{name}` or `{name:format}` for each value; key of the translation.
        params: the values named in the template: numbers, texts, and other messages.
    """

    template: str
    params: Mapping[str, Param]

    def __new__(cls, template: str, /, **params: object) -> Self:
        used = _find_names(template)
        values = {name: _plain(value) for name, value in params.items() if name in used}
        self = super().__new__(cls, fill_template(template, values))
        self.template = template
        self.params = values
        return self

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, Param]]:
        return (self.template,), dict(self.params)

    def to_stored(self) -> str:
        """Return the text that a library stores; `from_stored` reads it."""
        return json.dumps(_to_data(self), ensure_ascii=False)

    @staticmethod
    def from_stored(text: str | None) -> Message:
        """Return the message that was stored.

        Libraries made before messages had templates hold the finished English sentence: it is
        returned as an `OldSentence`.
        """
        if text and text.startswith(STORED_START):
            try:
                return _from_data(json.loads(text))
            except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
                return OldSentence(text[:MAX_STRANGE_CHARS])  # another program wrote it
        return OldSentence(text) if text else NO_MESSAGE


class OldSentence(Message):
    """A finished sentence out of an old library; the window translates it by its pattern."""


def fill_template(template: str, values: Mapping[str, Param], *, quote_gaps: bool = True) -> str:
    """Return the template with the known values filled in; other braces stay.

    Args:
        quote_gaps: keep the spaces around a value in quotation marks; Chinese has none there, but
            has them between its characters and Latin letters or digits.
    """

    def fill(field: re.Match[str]) -> str:
        before, name, spec, after = field.groups("")
        if name not in values:
            return field.group()
        text = format(values[name], spec if _SPEC.fullmatch(spec) else "")
        if not quote_gaps:
            before = "" if text.startswith("“") else before
            after = "" if text.endswith("”") else after
            left, right = template[: field.start()] + before, after + template[field.end() :]
            text = separate_scripts(left, text, right)
        return f"{before}{text}{after}"

    return _FIELD.sub(fill, template)


def separate_scripts(before: str, text: str, after: str) -> str:
    """Return a text with a space where a Latin letter or a digit of it is beside an ideograph.

    Args:
        before, after: what is around the text, of which the nearest characters count.
    """
    left = " " if _IDEOGRAPH.match(before[-1:]) and _LATIN.match(text[:1]) else ""
    right = " " if _IDEOGRAPH.match(after[:1]) and _LATIN.match(text[-1:]) else ""
    return f"{left}{text}{right}"


@lru_cache(maxsize=4096)  # more than the templates of the program; a stored one may be any text
def _find_names(template: str) -> frozenset[str]:
    """Return the names of the values that a template uses."""
    return frozenset(name for _, name, _, _ in _FIELD.findall(template))


def _plain(value: object) -> Param:
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value)
    return value if isinstance(value, Message) else str(value)


def _to_data(message: Message) -> dict[str, Any]:
    params = {n: _to_data(v) if isinstance(v, Message) else v for n, v in message.params.items()}
    return {"template": message.template, "params": params}


def _from_data(data: dict[str, Any]) -> Message:
    params = {n: _from_data(v) if isinstance(v, dict) else v for n, v in data["params"].items()}
    return Message(data["template"], **params)


NO_MESSAGE = Message("")
