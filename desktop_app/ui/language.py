"""The language of the window: finds a sentence's translation and fills in its values.

Owns the catalogue (`resources/translations/*.qm`, made from the `.ts` files beside it by
`packaging/translations.py`) and the words of the engine, which speaks English and knows nothing
of Qt: its sentences are recognised by their pattern. Needs no window; English needs no catalogue.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from desktop_app.engine import paths

CONTEXT = "Inkgraph"  # not shown
LANGUAGES = {"en": "English", "zh": "简体中文"}  # not shown: each in itself
_NUMBER = re.compile(r"\{(\w+)\}")


def tr(text: str, /, **values: object) -> str:
    """Return the text in the window's language, with `{name}` filled from the values.

    The text must be written in the call (the catalogue is made by reading the code), or have
    been marked with `later`.
    """
    said = QCoreApplication.translate(CONTEXT, text)
    return said.format(**values) if values else said


def trn(one: str, many: str, n: int, **values: object) -> str:
    """Return the form for n things; `{n}` is written with the locale's separators.

    Args:
        one: the English form for exactly one; many: for any other number, and the catalogue's key.
    """
    said = QCoreApplication.translate(CONTEXT, many, None, n)
    if said == many and n == 1:
        said = one
    return said.format(n=_written(n), **values)


def _written(n: int) -> str:
    # the bare C locale has no separators: 868000 is hard to read
    locale = QLocale()
    return (QLocale(QLocale.Language.English) if locale.name() == "C" else locale).toString(n)


def later(text: str) -> str:
    """Mark a text that is translated where it is shown, by `tr`; return it as it is."""
    return text


def chosen_language(setting: str) -> str:
    """Return "en" or "zh" for a setting; "system" and the unknown follow the system."""
    if setting in LANGUAGES:
        return setting
    return "zh" if QLocale.system().language() == QLocale.Language.Chinese else "en"


def install(application: QCoreApplication, language: str) -> list[QTranslator]:
    """Load our catalogue and Qt's own for the language; return what must be kept alive."""
    wanted = QLocale.Language.Chinese if language == "zh" else QLocale.Language.English
    system = QLocale.system()
    QLocale.setDefault(system if system.language() == wanted else QLocale(wanted))
    if language == "en":
        return []
    own, qt = QTranslator(application), QTranslator(application)
    loaded = []
    if qt.load("qtbase_zh_CN", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        loaded.append(qt)
    if own.load(str(catalogue_file(language))):
        loaded.append(own)
    for translator in loaded:
        application.installTranslator(translator)
    _engine_patterns.cache_clear()
    _find_said.cache_clear()
    return loaded


def catalogue_file(language: str) -> Path:
    return paths.resource("translations", f"inkgraph_{language}.qm")


# --- what the engine says -----------------------------------------------------------------------


def tr_said(sentence: str) -> str:
    """Return what the engine said in the window's language; an unknown sentence as it is.

    Names, numbers and quotations in it stay as they are. Two sentences after each other (what
    happened, what to do) and one inside another (the reason behind "“x” can't be read: …") are
    translated as well.
    """
    if " " not in sentence or QCoreApplication.translate(CONTEXT, _PROBE) == _PROBE:
        return sentence
    return _find_said(sentence) or sentence


_PROBE = later("Library")
_ENDS = re.compile(r"(?<=[.!?…]) ")
_MOST_SENTENCES = 6  # of one message; a longer text is none of ours
_WIDE_END = "。"
_WORD = re.compile(r"[A-Za-z]+")
_BESIDE = re.compile(r"[A-Za-z]*\{\w+\}[A-Za-z]*")
# what stands in a sentence, its quotations whole
_BALANCED = r"(?:[^“”]|“[^“”]*”)*?"


@dataclass(frozen=True, slots=True)
class _Pattern:
    """A sentence with values in it.

    Attributes:
        template: as it stands in the catalogue.
        rank: those with the most words of their own come first.
        quoted: the numbers of the values in quotation marks, which are names.
    """

    template: str
    rank: int
    match: re.Pattern[str]
    quoted: frozenset[str]


@lru_cache(maxsize=4096)
def _find_said(sentence: str) -> str:
    """Return the translation of a sentence, of two after each other or of a pattern; "" if none."""
    whole = QCoreApplication.translate(CONTEXT, sentence)
    if whole != sentence:
        return whole
    return _find_one_by_one(sentence) or _find_by_pattern(sentence)


def _find_one_by_one(sentence: str) -> str:
    for n, end in enumerate(_ENDS.finditer(sentence)):
        first, rest = sentence[: end.start()], sentence[end.end() :]
        if n >= _MOST_SENTENCES:
            break
        if first.count("“") != first.count("”"):
            continue  # the end of a sentence that is quoted
        said = _find_said(first)
        if said and (more := _find_said(rest)):
            return said + more if said.endswith(_WIDE_END) else f"{said} {more}"
    return ""


def _find_by_pattern(sentence: str) -> str:
    by_word = _engine_patterns()
    fitting = (p for word in {"", *_WORD.findall(sentence)} for p in by_word.get(word, ()))
    for pattern in sorted(fitting, key=lambda p: p.rank):
        match = pattern.match.fullmatch(sentence)
        if match:
            said = QCoreApplication.translate(CONTEXT, pattern.template)
            if said == pattern.template:
                continue
            values = match.groupdict()
            return _fill_in(
                said,
                {
                    number: values[f"g{number}"]
                    if number in pattern.quoted
                    else _say_value(values[f"g{number}"])
                    for number in (name[1:] for name in values)
                },
            )
    return ""


def _say_value(value: str) -> str:
    """Translate a sentence inside a sentence; the outer one may have taken its full stop."""
    if " " not in value:
        return value
    if said := _find_said(value):
        return said
    said = _find_said(f"{value}.")
    return said.removesuffix(_WIDE_END) if said else value


def _fill_in(said: str, values: dict[str, str]) -> str:
    """Put the values in; beside a Chinese quotation mark no blank is wanted."""
    *parts, last = _NUMBER.split(said)
    text = ""
    for words, number in zip(parts[::2], parts[1::2], strict=True):
        words = words[1:] if text.endswith("”") and words.startswith(" ") else words
        value = values.get(number, f"{{{number}}}")
        text += (words.removesuffix(" ") if value.startswith("“") else words) + value
    return text + (last[1:] if text.endswith("”") and last.startswith(" ") else last)


@cache
def _engine_patterns() -> dict[str, list[_Pattern]]:
    """Return the engine's sentences with values in them, by their longest word ("": none)."""
    file = paths.resource("translations", "engine_sentences.txt")
    templates = [t for t in file.read_text("utf-8").splitlines() if _NUMBER.search(t)]
    templates.sort(key=lambda t: -len(_NUMBER.sub("", t)))
    found: dict[str, list[_Pattern]] = defaultdict(list)
    for rank, template in enumerate(templates):
        # a value may stick to a word beside it, so that it reads as another one
        own = _WORD.findall(_BESIDE.sub(" ", template))
        found[max(own, key=len, default="")].append(_compile(template, rank))
    return dict(found)


def _compile(template: str, rank: int) -> _Pattern:
    parts = _NUMBER.split(template)
    quoted = {
        number
        for before, number, after in zip(parts[::2], parts[1::2], parts[2::2], strict=False)
        if before.endswith("“") and after.startswith("”")
    }
    pattern = "".join(
        re.escape(part) if i % 2 == 0 else f"(?P<g{part}>{'.*?' if part in quoted else _BALANCED})"
        for i, part in enumerate(parts)
    )
    return _Pattern(template, rank, re.compile(pattern, re.DOTALL), frozenset(quoted))
