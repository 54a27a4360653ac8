"""Numbers, sizes, times and languages as a person reads them.

Owns formatting for the window only; pure functions without widgets.
"""

from __future__ import annotations

import time
from datetime import datetime

from PySide6.QtCore import QLocale

LANGUAGES = {
    "en": "English",
    "zh": "中文",
    "de": "Deutsch",
    "fr": "Français",
    "es": "Español",
    "it": "Italiano",
    "ja": "日本語",
    "la": "Latin",
    "ru": "Русский",
    "und": "",
}


def _locale() -> QLocale:
    # the bare C locale has no separators: 868000 is hard to read
    locale = QLocale()
    return QLocale(QLocale.Language.English) if locale.name() == "C" else locale


def format_number(value: int | float) -> str:
    """Return a whole number with the locale's separators."""
    return _locale().toString(int(value))


def format_size(size_bytes: int) -> str:
    """Return bytes as kB, MB or GB, with as many digits as matter."""
    size = float(size_bytes)
    for unit in ("bytes", "kB", "MB", "GB", "TB"):
        if size < 1000 or unit == "TB":
            break
        size /= 1000
    if unit == "bytes":
        return f"{int(size)} bytes"
    digits = 1 if size < 10 or unit in ("GB", "TB") else 0
    return f"{_locale().toString(size, 'f', digits)} {unit}"


def format_left(seconds: float | None) -> str:
    """Return "2 min left"; empty while unknown."""
    if seconds is None:
        return ""
    if seconds < 55:
        return "less than a minute left"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min left"
    hours, rest = divmod(minutes, 60)
    return f"{hours} h {rest} min left" if rest else f"{hours} h left"


def format_when(timestamp: float, now: float | None = None) -> str:
    """Return a time as people say it: just now, 5 min ago, yesterday, 3 Mar 2024."""
    if timestamp <= 0:
        return ""
    now = time.time() if now is None else now
    age = now - timestamp
    then, today = datetime.fromtimestamp(timestamp), datetime.fromtimestamp(now)
    if age < 60:
        return "just now"
    if age < 3600:
        return f"{int(age // 60)} min ago"
    days = (today.date() - then.date()).days
    if days == 0:
        return _locale().toString(then.time(), "HH:mm")
    if days == 1:
        return "yesterday"
    if days < 7:
        return f"{days} days ago"
    form = "d MMM" if then.year == today.year else "d MMM yyyy"
    return _locale().toString(then.date(), form)


def format_language(code: str) -> str:
    """Return a language by its own name; an unknown code as it is."""
    return LANGUAGES.get(code, code)


def plural(count: int, one: str, many: str = "") -> str:
    """Return "1 page" or "12 pages"."""
    return f"{format_number(count)} {one if count == 1 else many or one + 's'}"
