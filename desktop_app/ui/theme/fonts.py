"""The bundled fonts and the order in which font families are tried.

Loads `resources/fonts/` into Qt. Knows no sizes, weights or colours.
"""

from __future__ import annotations

import logging
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QFont, QFontDatabase, QFontInfo

from desktop_app.engine import paths

log = logging.getLogger(__name__)

INTERFACE_FAMILY = "Inter"
# INTERFACE_FAMILY without the punctuation that is wider in Chinese, such as quotation marks
LATIN_FAMILY = "Inter for Chinese"
BOOK_FAMILY = "Source Serif 4"
CHINESE_FAMILY = "Noto Sans SC"
RARE_FAMILY = "Noto Sans SC Rare"  # the characters that the bundled CHINESE_FAMILY leaves out
LATIN_FILES = (
    "inter/Inter-Regular.ttf",
    "inter/Inter-Italic.ttf",
    "inter/Inter-SemiBold.ttf",
    "inter/Inter-Bold.ttf",
    "inter/InterForChinese-Regular.ttf",
    "inter/InterForChinese-Italic.ttf",
    "inter/InterForChinese-SemiBold.ttf",
    "inter/InterForChinese-Bold.ttf",
    "source-serif-4/SourceSerif4-Regular.ttf",
    "source-serif-4/SourceSerif4-Italic.ttf",
    "source-serif-4/SourceSerif4-SemiBold.ttf",
    "source-serif-4/SourceSerif4-Bold.ttf",
)
CHINESE_FILES = (
    "noto-sans-sc/NotoSansSC-Regular.ttf",
    "noto-sans-sc/NotoSansSC-Bold.ttf",
    "noto-sans-sc/NotoSansSCRare-Regular.ttf",
)
ICON_FAMILY = "Phosphor"
ICON_FILE = "phosphor-icons/Phosphor.ttf"  # not shown
ICON_CODES_FILE = "phosphor-icons/codes.json"  # names of icons and their characters
# Where FreeType draws text, Qt darkens the stems of fonts with PostScript outlines, such as
# Noto Sans CJK: they look bold, in dark themes above all. The bundled one has TrueType outlines.
PREFERS_BUNDLED = sys.platform not in ("darwin", "win32")
SYSTEM_SANS_FAMILIES = (
    "PingFang SC",
    "Microsoft YaHei UI",
    "Noto Sans CJK SC",
    "Source Han Sans SC",
    "Source Han Sans CN",
    "HarmonyOS Sans SC",
)
BUNDLED_SANS_FAMILIES = (CHINESE_FAMILY, RARE_FAMILY)
# Best first; only those that are installed or loaded are used.
CJK_SANS_FAMILIES = (
    *(
        (*BUNDLED_SANS_FAMILIES, *SYSTEM_SANS_FAMILIES)
        if PREFERS_BUNDLED
        else (*SYSTEM_SANS_FAMILIES, *BUNDLED_SANS_FAMILIES)
    ),
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
)
CJK_SERIF_FAMILIES = (
    "Source Han Serif SC",
    "Source Han Serif CN",
    "Noto Serif CJK SC",
    "Noto Serif SC",
    "Songti SC",
    "SimSun",
)
FIXED_FAMILIES = ("Menlo", "Consolas", "Noto Sans Mono", "DejaVu Sans Mono")

_HAN = re.compile(r"[\u3400-\u9fff]")
_LOADED = "inkgraph_fonts_loaded"


@dataclass(frozen=True, slots=True)
class FontFamilies:
    """The installed families that can be used, best first; `fixed` may be empty."""

    chinese_sans: tuple[str, ...]
    chinese_serif: tuple[str, ...]
    fixed: tuple[str, ...]
    interface: str = INTERFACE_FAMILY
    latin: str = LATIN_FAMILY
    book: str = BOOK_FAMILY

    def interface_order(self, *, chinese: bool) -> list[str]:
        """Return the families of the interface.

        Quotation marks, dashes and ellipses are drawn in the first family that has them, and
        they are wider in Chinese, so a Chinese interface tries a Chinese family first.
        """
        if chinese:
            return [self.latin, *self.chinese_sans, self.interface]
        return [self.interface, *self.chinese_sans]

    def book_order(self, *, chinese: bool) -> list[str]:
        """Return the families of book text; a Chinese book starts with a Chinese family."""
        hans = (*self.chinese_serif, *self.chinese_sans)
        return [*hans, self.book] if chinese else [self.book, *hans]

    def fixed_order(self) -> list[str]:
        """Return the families of fixed-width text."""
        return [*self.fixed, "monospace", *self.chinese_sans]


def is_chinese(text: str) -> bool:
    """Whether more letters of a text are Chinese characters than are not."""
    letters = [char for char in text if char.isalpha()]
    return 2 * len(_HAN.findall(text)) > len(letters)


WIDE_IN_CHINESE = re.compile("[—…“”‘’]")  # LATIN_FAMILY leaves these to a Chinese family
_LATIN_LETTER = re.compile("[A-Za-z]")  # not shown


def choose_latin(font: QFont, text: str) -> QFont:
    """Return the font for a text without Chinese characters: its dashes are those of its letters.

    In a Chinese window such marks are drawn in a Chinese family: thinner than the Latin letters
    beside them, and in a higher line. A text with Chinese characters keeps the font.
    """
    has_marks = WIDE_IN_CHINESE.search(text) and _LATIN_LETTER.search(text)
    if not has_marks or _HAN.search(text):
        return font
    families = font.families()
    if families[:1] != [LATIN_FAMILY] or INTERFACE_FAMILY not in families:
        return font
    chosen = QFont(font)
    chosen.setFamilies([INTERFACE_FAMILY, *(f for f in families if f != INTERFACE_FAMILY)])
    return chosen


def load_fonts() -> list[Path]:
    """Load the bundled fonts into the running application and return the files loaded.

    The Chinese fonts are loaded only where they are preferred or the system has none. A second
    call for the same application loads nothing.
    """
    application = QCoreApplication.instance()
    if application is None:
        raise RuntimeError("fonts are loaded after the application was created")
    if application.property(_LOADED):
        return []
    application.setProperty(_LOADED, True)
    needs_chinese = PREFERS_BUNDLED or not has_chinese_font()
    names = (ICON_FILE, *LATIN_FILES, *(CHINESE_FILES if needs_chinese else ()))
    files = [paths.resource("fonts", *name.split("/")) for name in names]
    return [file for file in files if _load(file)]


def has_chinese_font() -> bool:
    """Whether any scalable font covers Simplified Chinese."""
    return any(QFontDatabase.isSmoothlyScalable(family) for family in _covering_chinese())


def find_families() -> FontFamilies:
    """Return the installed and loaded families."""
    sans = tuple(filter(QFontDatabase.hasFamily, CJK_SANS_FAMILIES))
    system = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    fixed = QFontInfo(system).family()  # the system may name an alias
    own_fixed = (fixed,) if QFontDatabase.isFixedPitch(fixed) else ()
    return FontFamilies(
        chinese_sans=sans or tuple(_covering_chinese()[:1]),
        chinese_serif=tuple(filter(QFontDatabase.hasFamily, CJK_SERIF_FAMILIES)),
        fixed=tuple(dict.fromkeys((*own_fixed, *filter(QFontDatabase.hasFamily, FIXED_FAMILIES)))),
    )


def _covering_chinese() -> list[str]:
    return QFontDatabase.families(QFontDatabase.WritingSystem.SimplifiedChinese)


def _load(file: Path) -> bool:
    loaded = QFontDatabase.addApplicationFont(str(file)) >= 0
    if not loaded:  # the text is still readable in a font of the system
        log.warning("The font %s could not be loaded", file)
    return loaded
