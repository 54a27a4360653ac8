"""Translates the finished English sentences that old libraries store.

Libraries made before messages had templates store labels of edits, reasons of failures and notes
as sentences. `resources/translations/old_sentences_zh.tsv` holds their patterns, with `{0}` for
each value. It never grows: what is stored now is a `Message`, which needs no pattern.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from desktop_app.engine import paths
from desktop_app.engine.messages import fill_template

_FIELD = re.compile(r"\{(\d)\}")
_SENTENCE_END = re.compile(r"(?<=[.!?…]) ")
_MOST_SENTENCES = 6  # of one message; longer texts do not come from the engine
_WIDE_END = "。"
_BALANCED = r"(?:[^“”]|“[^“”]*”)*?"  # a value; quotations in it are balanced


class _Pattern(NamedTuple):
    """A sentence with values; those in quotation marks, `quoted`, are not translated."""

    match: re.Pattern[str]
    translation: str
    quoted: frozenset[str]


@lru_cache(maxsize=4096)
def translate_old_sentence(sentence: str) -> str:
    """Return the Chinese of a sentence, of several, or of one with values; "" if unknown."""
    exact, patterns = _load_patterns()
    return (
        exact.get(sentence, "")
        or next(_iter_one_by_one(sentence), "")
        or next(_iter_matches(sentence, patterns), "")
    )


def _iter_one_by_one(sentence: str) -> Iterator[str]:
    for end in list(_SENTENCE_END.finditer(sentence))[:_MOST_SENTENCES]:
        first, rest = sentence[: end.start()], sentence[end.end() :]
        if first.count("“") != first.count("”"):
            continue  # the end of a quoted sentence
        translated = translate_old_sentence(first)
        if translated and (more := translate_old_sentence(rest)):
            yield translated + more if translated.endswith(_WIDE_END) else f"{translated} {more}"


def _iter_matches(sentence: str, patterns: list[_Pattern]) -> Iterator[str]:
    for pattern in patterns:
        if match := pattern.match.fullmatch(sentence):
            values = {
                name: value if name in pattern.quoted else _translate_value(value)
                for name, value in ((key[1:], text) for key, text in match.groupdict().items())
            }
            yield fill_template(pattern.translation, values, quote_gaps=False)


def _translate_value(value: str) -> str:
    """Translate a sentence inside another, which may have replaced its full stop."""
    if " " not in value:
        return value
    dotted = translate_old_sentence(f"{value}.").removesuffix(_WIDE_END)
    return translate_old_sentence(value) or dotted or value


@cache
def _load_patterns() -> tuple[dict[str, str], list[_Pattern]]:
    """Return the sentences without values, and the others, those with most fixed text first."""
    file = paths.resource("translations", "old_sentences_zh.tsv")
    exact = dict(line.split("\t") for line in file.read_text("utf-8").splitlines())
    templates = sorted(filter(_FIELD.search, exact), key=lambda t: -len(_FIELD.sub("", t)))
    return exact, [_compile(template, exact[template]) for template in templates]


def _compile(template: str, translation: str) -> _Pattern:
    quoted = frozenset(re.findall(r"“\{(\d)\}”", template))
    pattern = "".join(
        f"(?P<g{part}>{'.*?' if part in quoted else _BALANCED})" if i % 2 else re.escape(part)
        for i, part in enumerate(_FIELD.split(template))
    )
    return _Pattern(re.compile(pattern, re.DOTALL), translation, quoted)
