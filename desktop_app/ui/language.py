"""The language of the window: finds a sentence's translation and fills in its values.

Owns the catalogue (`resources/translations/*.qm`, made from the `.ts` files beside it by
`packaging/translations.py`) and the words of the engine, which speaks English and knows nothing
of Qt: its sentences are recognised by their pattern. Needs no window; English needs no catalogue.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from desktop_app.engine import paths

CONTEXT = "Inkgraph"
LANGUAGES = {"en": "English", "zh": "简体中文"}
_NUMBER = re.compile(r"\{(\w+)\}")


def tr(text: str, **values: object) -> str:
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
    return said.format(n=QLocale().toString(n) if abs(n) > 999 else n, **values)


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
    return loaded


def catalogue_file(language: str) -> Path:
    return paths.resource("translations", f"inkgraph_{language}.qm")


# --- what the engine says -----------------------------------------------------------------------


def tr_said(sentence: str) -> str:
    """Return a sentence of the engine in the window's language; an unknown one as it is.

    Names, numbers and quotations in it stay as they are; a sentence inside a sentence (the reason
    behind "“x” can't be read: …") is translated as well.
    """
    if " " not in sentence or QCoreApplication.translate(CONTEXT, _PROBE) == _PROBE:
        return sentence
    whole = QCoreApplication.translate(CONTEXT, sentence)
    if whole != sentence:
        return whole
    for pattern, template in _engine_patterns():
        match = pattern.fullmatch(sentence)
        if match:
            said = QCoreApplication.translate(CONTEXT, template)
            found = {k: tr_said(v) for k, v in match.groupdict().items()}
            return _NUMBER.sub(lambda m, found=found: found.get(f"g{m[1]}", m[0]), said)
    return sentence


_PROBE = later("Library")


@cache
def _engine_patterns() -> list[tuple[re.Pattern[str], str]]:
    """The engine's sentences with values in them, those with the most words of their own first."""
    file = paths.resource("translations", "engine_sentences.txt")
    templates = [t for t in file.read_text("utf-8").splitlines() if _NUMBER.search(t)]
    templates.sort(key=lambda t: -len(_NUMBER.sub("", t)))
    return [(_compile(t), t) for t in templates]


def _compile(template: str) -> re.Pattern[str]:
    parts = _NUMBER.split(template)
    words = [re.escape(p) if i % 2 == 0 else f"(?P<g{p}>.*?)" for i, p in enumerate(parts)]
    return re.compile("".join(words), re.DOTALL)
