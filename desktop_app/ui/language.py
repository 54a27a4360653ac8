"""The language of the window: translates its texts and the English sentences of the engine.

Owns the catalogue (`resources/translations/*.qm`, compiled from the `.ts` files by
`packaging/translations.py`). The engine knows nothing of Qt: its sentences are matched by their
patterns. Needs no window; English needs no catalogue.
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
LANGUAGES = {"en": "English", "zh": "简体中文"}  # not shown: each in its own language
_NUMBER = re.compile(r"\{(\w+)\}")


def tr(text: str, /, **values: object) -> str:
    """Return the text in the window's language, with `{name}` filled from the values.

    The text must be written in the call (the catalogue is made by reading the code), or have
    been marked with `later`.
    """
    translated = QCoreApplication.translate(CONTEXT, text)
    return translated.format(**values) if values else translated


def trn(one: str, many: str, n: int, **values: object) -> str:
    """Return the form for n things; `{n}` is written with the locale's separators.

    Args:
        one: the English form for exactly one; many: for any other number, and the catalogue's key.
    """
    translated = QCoreApplication.translate(CONTEXT, many, None, n)
    if translated == many and n == 1:
        translated = one
    return translated.format(n=_written(n), **values)


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
    _find_translation.cache_clear()
    return loaded


def catalogue_file(language: str) -> Path:
    return paths.resource("translations", f"inkgraph_{language}.qm")


# --- sentences of the engine ---------------------------------------------------------------------


def tr_engine(sentence: str) -> str:
    """Return a sentence of the engine in the window's language; an unknown one unchanged.

    Names, numbers and quotations in it stay as they are. Two sentences after each other (what
    happened, what to do) and one inside another (the reason behind "“x” can't be read: …") are
    translated as well.
    """
    if " " not in sentence or QCoreApplication.translate(CONTEXT, _PROBE) == _PROBE:
        return sentence
    return _find_translation(sentence) or sentence


_PROBE = later("Library")
_ENDS = re.compile(r"(?<=[.!?…]) ")
_MOST_SENTENCES = 6  # of one message; longer texts do not come from the engine
_WIDE_END = "。"
_WORD = re.compile(r"[A-Za-z]+")
_BESIDE = re.compile(r"[A-Za-z]*\{\w+\}[A-Za-z]*")
# a value in a sentence; quotations in it are balanced
_BALANCED = r"(?:[^“”]|“[^“”]*”)*?"


@dataclass(frozen=True, slots=True)
class _Pattern:
    """A sentence with values in it.

    Attributes:
        template: as it stands in the catalogue.
        rank: patterns with the most fixed text come first.
        quoted: numbers of the values in quotation marks, which are not translated.
    """

    template: str
    rank: int
    match: re.Pattern[str]
    quoted: frozenset[str]


@lru_cache(maxsize=4096)
def _find_translation(sentence: str) -> str:
    """Return the translation of a sentence, of several sentences or of a pattern; "" if none."""
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
            continue  # the end of a quoted sentence
        translated = _find_translation(first)
        if translated and (more := _find_translation(rest)):
            return translated + more if translated.endswith(_WIDE_END) else f"{translated} {more}"
    return ""


def _find_by_pattern(sentence: str) -> str:
    by_word = _engine_patterns()
    fitting = (p for word in {"", *_WORD.findall(sentence)} for p in by_word.get(word, ()))
    for pattern in sorted(fitting, key=lambda p: p.rank):
        match = pattern.match.fullmatch(sentence)
        if match:
            translated = QCoreApplication.translate(CONTEXT, pattern.template)
            if translated == pattern.template:
                continue
            values = match.groupdict()
            return _fill_in(
                translated,
                {
                    number: values[f"g{number}"]
                    if number in pattern.quoted
                    else _translate_value(values[f"g{number}"])
                    for number in (name[1:] for name in values)
                },
            )
    return ""


def _translate_value(value: str) -> str:
    """Translate a sentence inside another, which may have replaced its full stop."""
    if " " not in value:
        return value
    if translated := _find_translation(value):
        return translated
    translated = _find_translation(f"{value}.")
    return translated.removesuffix(_WIDE_END) if translated else value


def _fill_in(translated: str, values: dict[str, str]) -> str:
    """Fill in the values; no space beside a Chinese quotation mark."""
    *parts, last = _NUMBER.split(translated)
    text = ""
    for words, number in zip(parts[::2], parts[1::2], strict=True):
        words = words[1:] if text.endswith("”") and words.startswith(" ") else words
        value = values.get(number, f"{{{number}}}")
        text += (words.removesuffix(" ") if value.startswith("“") else words) + value
    return text + (last[1:] if text.endswith("”") and last.startswith(" ") else last)


@cache
def _engine_patterns() -> dict[str, list[_Pattern]]:
    """Return the patterns of the engine's sentences, by their longest word ("" for none)."""
    file = paths.resource("translations", "engine_sentences.txt")
    templates = [t for t in file.read_text("utf-8").splitlines() if _NUMBER.search(t)]
    templates.sort(key=lambda t: -len(_NUMBER.sub("", t)))
    found: dict[str, list[_Pattern]] = defaultdict(list)
    for rank, template in enumerate(templates):
        # words joined to a value are no fixed words
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
