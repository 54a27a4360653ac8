"""The language of the window: translates its texts and the messages of the engine.

Owns the catalogue (`resources/translations/*.qm`, compiled from the `.ts` files by
`packaging/translations.py`). Needs no window; English needs no catalogue.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from desktop_app.engine import paths
from desktop_app.engine.messages import Message, OldSentence, fill_template, separate_scripts
from desktop_app.engine.writing_systems import has_han

from .legacy_messages import translate_old_sentence

CONTEXT = "Inkgraph"  # not shown
_FIELD = re.compile(r"\{(\w+)\}")
LANGUAGES = {"en": "English", "zh": "简体中文"}  # not shown: each in its own language


def tr(text: str, /, **values: object) -> str:
    """Return the text in the window's language, with `{name}` filled from the values.

    The text must be written in the call (the catalogue is made by reading the code), or have
    been marked with `later`.
    """
    return _fill(QCoreApplication.translate(CONTEXT, text), values)


def trn(one: str, many: str, n: int, **values: object) -> str:
    """Return the form for n things; `{n}` is written with the locale's separators.

    Args:
        one: the English form for exactly one; many: for any other number, and the catalogue's key.
    """
    translated = QCoreApplication.translate(CONTEXT, many, None, n)
    if translated == many and n == 1:
        translated = one
    return _fill(translated, {"n": _written(n), **values})


def _fill(translated: str, values: Mapping[str, object]) -> str:
    """Return the text with its values, in Chinese with spaces around those in Latin letters."""
    if not values:
        return translated
    if touching := _find_touching(translated):
        spaced = dict(values)
        for name, before, after in touching:
            spaced[name] = separate_scripts(before, str(values[name]), after)
        values = spaced
    return translated.format(**values)


@lru_cache(maxsize=4096)
def _find_touching(template: str) -> tuple[tuple[str, str, str], ...]:
    """Return the values that touch an ideograph: name, and the characters before and after it."""
    found = (
        (m[1], template[: m.start()][-1:], template[m.end() :][:1])
        for m in _FIELD.finditer(template)
    )
    return tuple(one for one in found if has_han(one[1]) or has_han(one[2]))


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
    return loaded


def catalogue_file(language: str) -> Path:
    return paths.resource("translations", f"inkgraph_{language}.qm")


def tr_message(message: Message) -> str:
    """Return a message of the engine in the window's language; an unknown one in English.

    Messages inside it are translated too; names, numbers and quotations stay as they are.
    """
    if QCoreApplication.translate(CONTEXT, _PROBE) == _PROBE:
        return str(message)
    if isinstance(message, OldSentence):
        return translate_old_sentence(message) or str(message)
    values = {
        name: tr_message(value) if isinstance(value, Message) else value
        for name, value in message.params.items()
    }
    translated = QCoreApplication.translate(CONTEXT, message.template)
    return fill_template(translated, values, quote_gaps=translated == message.template)


_PROBE = later("Library")
