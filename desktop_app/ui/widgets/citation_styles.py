"""The names of citation styles, and which one the user chose last.

Owns the setting "references/style" of the window.
"""

from __future__ import annotations

from desktop_app.engine.services.exporting.citation_styles import STYLES
from desktop_app.engine.writing_systems import has_han

from ..translation import later, tr
from ..window_file import open_window_file

STYLE = "references/style"
STYLE_NAMES = {
    "apa": later("APA (7th edition)"),
    "chicago": later("Chicago (author–date)"),
    "mla": later("MLA (9th edition)"),
    "gbt7714": later("GB/T 7714—2015"),
}


def load_style() -> str:
    """Return the style in which lists of references are written: the last one that was used."""
    chosen = str(open_window_file().value(STYLE, ""))
    if chosen in STYLES:
        return chosen
    return "gbt7714" if has_han(tr("References")) else "apa"  # the usual one of the language


def save_style(style: str) -> None:
    open_window_file().setValue(STYLE, style)
