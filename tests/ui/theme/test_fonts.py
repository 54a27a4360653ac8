"""The bundled fonts: loaded once, the Chinese ones only if the system has none."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QLocale
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QFontMetricsF,
    QImage,
    QPainter,
    QRawFont,
)
from PySide6.QtWidgets import QApplication

from desktop_app.engine import paths
from desktop_app.ui.theme.fonts import (
    BOOK_FAMILY,
    CHINESE_FAMILY,
    CHINESE_FILES,
    ICON_FILE,
    INTERFACE_FAMILY,
    LATIN_FAMILY,
    LATIN_FILES,
    PREFERS_BUNDLED,
    RARE_FAMILY,
    FontFamilies,
    choose_latin,
    find_families,
    has_chinese_font,
    load_fonts,
)
from desktop_app.ui.theme.theme import FONT_PX, Theme

FAMILIES = FontFamilies(("Noto Sans CJK SC",), ("Songti SC",), ("Consolas",))
# In a process of its own: what fontconfig offers is read once.
PROGRAM = """
import json
from PySide6.QtGui import QFontDatabase, QFontMetrics, QRawFont
from PySide6.QtWidgets import QApplication
from desktop_app.ui.theme.fonts import has_chinese_font, load_fonts
from desktop_app.ui.theme.theme import Theme
CHINESE = QFontDatabase.WritingSystem.SimplifiedChinese
application = QApplication([])
before = has_chinese_font()
loaded = [file.name for file in load_fonts()]
theme = Theme("light")
fonts = {role: theme.font(role) for role in ("text", "title", "book")}
print(json.dumps({
    "before": before,
    "loaded": loaded,
    "families": {role: font.families() for role, font in fonts.items()},
    "drawn": {r: QFontMetrics(font).horizontalAdvance("水浒传㐂") for r, font in fonts.items()},
    "styles": {r: QRawFont.fromFont(font, CHINESE).styleName() for r, font in fonts.items()},
    "sizes": {role: font.pixelSize() for role, font in fonts.items()},
}))
"""


def run_with_fonts(folder: Path, *files: str) -> dict:
    """Return what the program reports if these bundled files are the system's fonts."""
    installed = folder / "installed"
    installed.mkdir()
    for file in files:
        shutil.copy(paths.resource("fonts", *file.split("/")), installed)
    config = folder / "fonts.conf"
    config.write_text(
        '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">'
        f"<fontconfig><dir>{installed}</dir><cachedir>{folder / 'cache'}</cachedir></fontconfig>",
        encoding="utf-8",
    )
    environment = os.environ | {"FONTCONFIG_FILE": str(config), "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-c", PROGRAM]
    root = Path(__file__).resolve().parents[3]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=root)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def test_without_a_chinese_font_the_bundled_one_is_loaded(tmp_path: Path):
    seen = run_with_fonts(tmp_path, "inter/Inter-Regular.ttf")
    assert not seen["before"]
    assert seen["loaded"] == [Path(file).name for file in (ICON_FILE, *LATIN_FILES, *CHINESE_FILES)]
    assert seen["families"]["text"] == [INTERFACE_FAMILY, CHINESE_FAMILY, RARE_FAMILY]
    assert seen["families"]["book"] == [BOOK_FAMILY, CHINESE_FAMILY, RARE_FAMILY]
    for role, width in seen["drawn"].items():
        assert width == 4 * seen["sizes"][role], "every character is there, one em wide"
    assert seen["styles"] == {"text": "Regular", "title": "Bold", "book": "Regular"}


def test_a_chinese_font_of_the_system_is_used_where_it_is_drawn_as_well(tmp_path: Path):
    seen = run_with_fonts(tmp_path, CHINESE_FILES[0])
    assert seen["before"]
    files, families = LATIN_FILES, [INTERFACE_FAMILY, CHINESE_FAMILY]
    if PREFERS_BUNDLED:
        files, families = (*LATIN_FILES, *CHINESE_FILES), [*families, RARE_FAMILY]
    assert seen["loaded"] == [Path(file).name for file in (ICON_FILE, *files)]
    assert seen["families"]["text"] == families


def measure_ink(font: QFont, text: str, color: str, background: str) -> float:
    """Return the covered area in pixels."""
    image = QImage(400, 40, QImage.Format.Format_RGB32)
    image.fill(QColor(background))
    painter = QPainter(image)
    painter.setFont(font)
    painter.setPen(QColor(color))
    painter.drawText(5, 28, text)
    painter.end()
    pixels = np.frombuffer(image.constBits(), np.uint8).astype(float)[::4]
    full = QColor(color).blue() - QColor(background).blue()
    return float(((pixels - QColor(background).blue()) / full).sum())


@pytest.mark.parametrize("text", ["资料库图谱实体合并建议", "Library of names"])
def test_text_of_the_window_is_as_bold_in_dark_themes_as_in_light_ones(qapp, text: str):
    font = Theme("light").font("text")
    light = measure_ink(font, text, "#222222", "#ffffff")
    dark = measure_ink(font, text, "#dddddd", "#000000")
    assert light > 100 and dark == pytest.approx(light, rel=0.1)


def test_fonts_are_loaded_once(qapp: QApplication):
    Theme("light")
    assert load_fonts() == []
    assert has_chinese_font()


@pytest.mark.parametrize("role", [role for role in FONT_PX if role != "fixed"])
def test_every_role_is_drawn_in_a_bundled_family(qapp: QApplication, role: str):
    font = Theme("light").font(role)
    chinese = role == "book_zh"
    family = BOOK_FAMILY if role.startswith("book") else INTERFACE_FAMILY
    assert font.families()[-1 if chinese else 0] == family
    if not chinese:
        drawn = QRawFont.fromFont(font)
        assert drawn.familyName() == family
        assert drawn.styleName() == ("SemiBold" if role in ("title", "strong") else "Regular")


@pytest.mark.parametrize(
    ("family", "styles"),
    [
        (INTERFACE_FAMILY, {"Regular", "Italic", "SemiBold", "Bold"}),
        (LATIN_FAMILY, {"Regular", "Italic", "SemiBold", "Bold"}),
        (BOOK_FAMILY, {"Regular", "Italic", "SemiBold", "Bold"}),
    ],
)
def test_a_family_has_all_the_styles_that_are_used(qapp: QApplication, family: str, styles: set):
    Theme("light")
    assert styles <= set(QFontDatabase.styles(family))


@pytest.mark.parametrize("file", CHINESE_FILES[:2])
def test_every_text_of_the_chinese_window_is_in_the_font_subset(qapp: QApplication, file: str):
    raw = QRawFont(str(paths.resource("fonts", *file.split("/"))), 16)
    catalogue = paths.resource("translations", "zh")
    words = {char for ts in catalogue.glob("*.ts") for char in ts.read_text("utf-8")}
    missing = {c for c in words if c.isprintable() and not raw.supportsCharacter(ord(c))}
    assert words and missing == set()


def test_digits_in_lists_are_equally_wide(qapp: QApplication):
    metrics = QFontMetricsF(Theme("light").font("number"))
    assert len({metrics.horizontalAdvance(digit) for digit in "0123456789"}) == 1


def test_a_hyphen_in_small_text_is_narrower_than_a_digit(qapp: QApplication):
    theme = Theme("light")
    theme.set_families(FAMILIES)
    small, numbers = (QFontMetricsF(theme.font(role)) for role in ("small", "small_number"))
    assert small.horizontalAdvance("-") < 0.8 * small.horizontalAdvance("0")
    assert numbers.horizontalAdvance("1") == numbers.horizontalAdvance("0")


@pytest.fixture
def chinese_locale() -> Iterator[None]:
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.Chinese))
    yield
    QLocale.setDefault(before)


def test_a_chinese_window_has_latin_letters_of_inter_and_chinese_quotation_marks(
    qapp: QApplication, chinese_locale: None
):
    theme = Theme("light")
    theme.set_families(FAMILIES)
    font = theme.font("text")
    assert font.families() == [LATIN_FAMILY, "Noto Sans CJK SC", INTERFACE_FAMILY]
    latin = QRawFont.fromFont(font)
    assert latin.familyName() == LATIN_FAMILY
    drawn = {char for char in "Az09é,.’–“”—…·" if latin.supportsCharacter(ord(char))}
    assert drawn == set("Az09é,.’–·")


def test_a_chinese_document_has_a_chinese_serif_font(qapp: QApplication):
    theme = Theme("light")
    theme.set_families(FAMILIES)
    assert theme.font("book").families() == [BOOK_FAMILY, "Songti SC", "Noto Sans CJK SC"]
    assert theme.font("book_zh").families() == ["Songti SC", "Noto Sans CJK SC", BOOK_FAMILY]
    without = replace(FAMILIES, chinese_serif=())
    theme.set_families(without)
    assert theme.font("book_zh").families() == ["Noto Sans CJK SC", BOOK_FAMILY]


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("Marley was dead: to begin with.", "book"),
        ("Lu Zhishen (鲁智深) is a monk.", "book"),
        ("话说大宋仁宗天子在位。", "book_zh"),
        ("洪太尉吃了一惊，叫声 Oh！", "book_zh"),
        ("1843 – …", "book"),
        ("", "book"),
    ],
)
def test_a_sentence_of_a_document_has_the_font_of_its_script(
    qapp: QApplication, text: str, role: str
):
    theme = Theme("light", scale=1.5)
    assert theme.book_font(text, 14).families() == theme.font(role).families()
    assert theme.book_font(text, 14).pixelSize() == 21


def test_only_installed_families_are_tried(qapp: QApplication):
    Theme("light")
    families = find_families()
    tried = [*families.chinese_sans, *families.chinese_serif, *families.fixed]
    assert families.chinese_sans
    assert [family for family in tried if not QFontDatabase.hasFamily(family)] == []


def test_missing_families_are_logged_once(qapp: QApplication, qtbot):
    theme = Theme("light")
    with qtbot.waitSignal(theme.changed):
        theme.set_families(FAMILIES)
    emitted = []
    theme.changed.connect(lambda: emitted.append(1))
    theme.set_families(FAMILIES)
    assert emitted == []


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Jonathan Harker's Journal—continued", INTERFACE_FAMILY),
        ("“Dracula”", INTERFACE_FAMILY),
        ("第一回——王教头", LATIN_FAMILY),
        ("Dracula——德古拉", LATIN_FAMILY),
        ("Dracula", LATIN_FAMILY),
        ("…", LATIN_FAMILY),
    ],
)
def test_the_dashes_of_a_latin_text_are_latin_in_a_chinese_window(text: str, first: str) -> None:
    font = QFont()
    font.setFamilies([LATIN_FAMILY, CHINESE_FAMILY, INTERFACE_FAMILY])
    font.setPixelSize(13)
    chosen = choose_latin(font, text)
    assert chosen.families()[0] == first and chosen.pixelSize() == 13
    english = QFont()
    english.setFamilies([INTERFACE_FAMILY, CHINESE_FAMILY])
    assert choose_latin(english, text).families() == english.families()
