"""The language of the window: translates its texts and the messages of the engine.

Owns the catalogue (`resources/translations/*.qm`, compiled from the `.ts` files by
`packaging/translations.py`). Needs no window; English needs no catalogue.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from desktop_app.engine import paths
from desktop_app.engine.messages import Message, OldSentence, fill_template

from .legacy_messages import translate_old_sentence

CONTEXT = "Inkgraph"  # not shown
LANGUAGES = {"en": "English", "zh": "简体中文"}  # not shown: each in its own language


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
