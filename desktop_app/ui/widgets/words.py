"""Numbers, sizes, times, languages and what a model said, as a person reads them.

Owns formatting for the window only; pure functions without widgets.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
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


# --- what a model said ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class KindLook:
    """How a kind of relation is named and drawn; never by its colour alone.

    `color` is one of the theme's type colours; `dashes` alternate stroke and gap in pixels,
    empty for an unbroken line.
    """

    words: str
    color: str
    dashes: tuple[float, ...] = ()


KINDS = {
    "family": KindLook("family", "organisation"),
    "friend": KindLook("friends", "place", (7, 4)),
    "enemy": KindLook("at odds", "other", (9, 3, 2, 3)),
    "work": KindLook("work", "event", (4, 3)),
    "talk": KindLook("talk", "object", (1.5, 3)),
    "place": KindLook("place", "concept", (2, 2, 2, 6)),
    "part": KindLook("part of", "person", (7, 3, 1.5, 3, 1.5, 3)),
    "uses": KindLook("uses", "event", (4, 3)),
    "compares": KindLook("compared with", "organisation"),
    "causes": KindLook("causes", "other", (9, 3, 2, 3)),
    "made": KindLook("made", "place", (7, 4)),
}
_OWN_COLORS = ("person", "place", "organisation", "event", "object", "other")
_OWN_DASHES = ((), (7, 4), (4, 3), (9, 3, 2, 3), (1.5, 3))


def look_of_kind(kind: str) -> KindLook:
    """Return a kind's look; one of a person's own is shown as it is written."""
    if not kind or kind in KINDS:
        return KINDS.get(kind, KindLook("no kind", "concept"))
    code = zlib.crc32(kind.encode())
    return KindLook(kind, _OWN_COLORS[code % 6], _OWN_DASHES[code // 6 % 5])


def format_kind(kind: str) -> str:
    """Return a kind of relation in words; "" for none."""
    return look_of_kind(kind).words if kind else ""


def sureness_level(confidence: float) -> int:
    """Return 3 for sure, 2 for fairly sure, 1 for unsure, 0 where nobody said."""
    return 0 if confidence <= 0 else 1 + (confidence >= 0.5) + (confidence >= 0.75)


def format_sureness(confidence: float) -> str:
    """Return how sure a model is, in words."""
    return ("", "unsure", "fairly sure", "sure")[sureness_level(confidence)]


def shorten_list(names: Sequence[str], most: int = 2) -> str:
    """Return names joined, those beyond `most` counted."""
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest} more" if rest > 0 else "")
