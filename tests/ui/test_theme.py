"""The theme: readable colours, icons that follow it, a style sheet that Qt can read."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QIcon
from PySide6.QtWidgets import QApplication

from desktop_app.ui.theme.icons import GLYPHS, glyph
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.theme.tokens import DARK, LIGHT, Tokens


def luminance(color: str) -> float:
    parts = []
    for part in QColor(color).getRgbF()[:3]:
        parts.append(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=lambda tokens: tokens.name)
def test_text_is_readable_on_every_ground(tokens: Tokens):
    for ground in (tokens.bg, tokens.surface, tokens.sunken, tokens.accent_soft):
        assert contrast(tokens.text, ground) >= 7
    for ground in (tokens.bg, tokens.surface, tokens.sunken):
        assert contrast(tokens.text2, ground) >= 4.5
    for state in (tokens.ok, tokens.bad, tokens.accent):
        assert contrast(state, tokens.surface) >= 4.5
    assert contrast(tokens.on_accent, tokens.accent) >= 4.5


@pytest.fixture
def theme(qapp: QApplication) -> Theme:
    return Theme("light")


def test_a_theme_tells_of_a_switch_once(theme: Theme, qtbot):
    with qtbot.waitSignal(theme.changed):
        theme.set_mode("dark")
    assert theme.is_dark
    told = []
    theme.changed.connect(lambda: told.append(1))
    theme.set_mode("dark")
    assert told == []


def test_an_unknown_mode_follows_the_system(qapp: QApplication):
    assert Theme("sepia").mode == "system"


def shown_color(icon: QIcon) -> QColor:
    image = icon.pixmap(16, 16).toImage()
    pixels = (image.pixelColor(x, y) for x in range(16) for y in range(16))
    return max(pixels, key=lambda color: color.alpha())


def test_an_icon_given_out_before_follows_the_theme(theme: Theme):
    icon = theme.icon("library", color="text")
    light = shown_color(icon)
    theme.set_mode("dark")
    dark = shown_color(icon)
    assert light.lightness() < 100 < dark.lightness()


def test_every_icon_of_ours_exists(qapp: QApplication, caplog: pytest.LogCaptureFixture):
    assert all(len(glyph(name)) == 1 for name in GLYPHS)
    assert caplog.records == []


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_qt_reads_the_style_sheet(qapp: QApplication, mode: str):
    """A sheet that can't be parsed is a warning of Qt, and a warning fails the test."""
    theme = Theme(mode)
    theme.apply(qapp)
    assert "$" not in qapp.styleSheet()
    assert theme.tokens.accent in qapp.styleSheet()
    qapp.setStyleSheet("")


def test_the_book_font_falls_back_to_a_chinese_serif(theme: Theme):
    families = theme.font("book").families()
    assert "Noto Serif CJK SC" in families
    assert families.index("Noto Serif") < families.index("Noto Serif CJK SC")


def test_a_larger_scale_enlarges_every_font(theme: Theme):
    theme.set_scale(1.5)
    assert theme.font("text").pixelSize() == 20
    assert theme.font("small").pixelSize() == 18
