"""The theme: contrast, icons that follow it, a valid style sheet."""

from __future__ import annotations

import gc
import importlib
import os
import pkgutil
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import combinations
from weakref import ref

import numpy as np
import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QIcon, QImage, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QFrame,
    QLineEdit,
    QListWidget,
    QPushButton,
    QStyledItemDelegate,
    QVBoxLayout,
    QWidget,
)

import desktop_app.ui
from desktop_app.engine.graph.view.graph_data import N_STEPS
from desktop_app.engine.model import ENTITY_TYPES
from desktop_app.ui.chat.turn_widget import PADDING, QuestionBubble
from desktop_app.ui.explorer.node_colors import build_graph_palette
from desktop_app.ui.reader.look import CURRENT_HIT, mixed
from desktop_app.ui.theme.design_tokens import (
    CHOSEN,
    CLOTH_INK,
    CLOTH_RULE,
    CLOTHS,
    DARK,
    HIGH_DARK,
    HIGH_LIGHT,
    LIGHT,
    LOOKS,
    TYPE_DASHES,
    TYPE_SHAPES,
    Tokens,
    is_step_hollow,
    pick_ink,
    step_colors,
)
from desktop_app.ui.theme.icons import GLYPHS, glyph
from desktop_app.ui.theme.stylesheet import build_stylesheet, mix, mix_shades
from desktop_app.ui.theme.theme import HIGH_CONTRAST, FocusRing, Theme
from desktop_app.ui.widgets import Badge, ProgressLine, Skeleton
from desktop_app.ui.widgets.tables import RowTable


def luminance(color: str) -> float:
    parts = []
    for part in QColor(color).getRgbF()[:3]:
        parts.append(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=lambda tokens: tokens.name)
def test_text_has_enough_contrast_on_every_background(tokens: Tokens):
    for ground in (tokens.bg, tokens.surface, tokens.sunken, tokens.accent_soft):
        assert contrast(tokens.text, ground) >= 7
    for ground in (tokens.bg, tokens.surface, tokens.sunken):
        assert contrast(tokens.text2, ground) >= 4.5
    for state in (tokens.ok, tokens.bad, tokens.accent):
        assert contrast(state, tokens.surface) >= 4.5
    for ink in (tokens.text2, tokens.ok):  # on selected rows
        assert contrast(ink, tokens.accent_soft) >= 4.5
    assert contrast(tokens.text, tokens.mark) >= 4.5
    assert contrast(tokens.text, tokens.selection) >= 4.5
    assert contrast(tokens.on_accent, tokens.accent) >= 4.5


GROUNDS = ("hover", "side_hover", "side_on", "pressed")  # mixed from tokens
HIGH = pytest.mark.parametrize("tokens", [HIGH_LIGHT, HIGH_DARK], ids=lambda tokens: tokens.name)


@pytest.mark.parametrize("cloth", CLOTHS)
def test_titles_on_drawn_covers_are_readable(cloth):
    assert contrast(CLOTH_INK, cloth) >= 4.5 and contrast(CLOTH_RULE, cloth) >= 3


@HIGH
def test_high_contrast_has_all_text_at_seven_to_one(tokens: Tokens):
    shades = mix_shades(tokens)
    grounds = [tokens.bg, tokens.surface, tokens.sunken, tokens.accent_soft, tokens.mark]
    for ground in [*grounds, *(shades[name] for name in GROUNDS)]:
        assert contrast(tokens.text, ground) >= 7
        if ground != tokens.mark:  # has the text itself on it
            assert contrast(tokens.text2, ground) >= 7
    for ink in (tokens.accent, tokens.ok, tokens.warn, tokens.bad):
        assert all(contrast(ink, ground) >= 7 for ground in grounds[:4])
    assert contrast(tokens.on_accent, tokens.accent) >= 7
    assert contrast(tokens.on_accent, shades["accent_hover"]) >= 7
    assert contrast(shades["faint"], tokens.surface) >= 4.5


@HIGH
def test_high_contrast_has_lines_and_marks_at_three_to_one(tokens: Tokens):
    shades = mix_shades(tokens)
    for ground in (tokens.bg, tokens.surface, tokens.sunken, tokens.accent_soft):
        assert contrast(tokens.line, ground) >= 3
        assert contrast(tokens.accent, ground) >= 3  # focus rings
        assert contrast(shades["edge"], ground) >= 3
    assert contrast(shades["bar"], tokens.bg) >= 3
    assert contrast(shades["chosen"], tokens.surface) >= 3
    assert contrast(shades["side_chosen"], tokens.sunken) >= 3
    assert contrast(shades["off_edge"], tokens.bg) >= 3
    for color in (*tokens.types.values(), *step_colors(tokens)):
        assert contrast(color, tokens.bg) >= 3


@HIGH
def test_what_is_chosen_has_the_same_contrast_inside(tokens: Tokens):
    shades, chosen = mix_shades(tokens), CHOSEN[tokens.name]
    assert contrast(shades["on_chosen"], shades["chosen"]) >= 7
    assert contrast(shades["on_chosen2"], shades["side_chosen"]) >= 7
    for ink in ("text", "text2", "accent", "ok", "warn", "bad"):
        assert contrast(getattr(chosen, ink), chosen.bg) >= 7, ink
    for color in (chosen.line, *chosen.types.values(), *step_colors(chosen)):
        assert contrast(color, chosen.bg) >= 3, color
    theme = Theme("dark" if tokens.dark else "light", contrast="on")
    with theme.inverted():
        assert contrast(theme.mark_ink().name(), theme.tokens.mark) >= 7
        assert contrast(theme.tokens.mark, theme.tokens.bg) >= 3


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=lambda tokens: tokens.name)
def test_outlines_of_fields_and_buttons_stand_out_on_every_background(tokens: Tokens):
    edge = mix_shades(tokens)["edge"]
    assert all(contrast(edge, ground) >= 3 for ground in (tokens.bg, tokens.surface, tokens.sunken))


# Linear red, green and blue as seen with deuteranopia and protanopia (Machado et al., 2009).
COLOR_BLIND = (
    ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
)


def see(color: str, matrix: tuple[tuple[float, ...], ...]) -> np.ndarray:
    """Return a colour as CIELAB, seen through a matrix of `COLOR_BLIND`."""
    parts = np.array(QColor(color).getRgbF()[:3])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    x, y, z = np.cbrt(xyz @ np.clip(np.array(matrix) @ linear, 0, 1) / [0.9505, 1, 1.089])
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("tokens", LOOKS.values(), ids=lambda tokens: tokens.name)
def test_highlights_differ_from_each_other_and_from_the_colours_of_types(tokens: Tokens):
    normal = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    for matrix, least in ((normal, 20), *((blind, 9) for blind in COLOR_BLIND)):
        fills = [see(color, matrix) for color in tokens.highlight_fills.values()]
        fills.append(see(tokens.hit, matrix))  # of a match of a search
        assert all(np.linalg.norm(a - b) >= least for a, b in combinations(fills, 2))
    assert contrast(tokens.text, tokens.hit) >= (7 if tokens.high else 4.5)
    assert np.linalg.norm(see(tokens.hit, normal) - see(tokens.selection, normal)) >= 20
    for fill in tokens.highlight_fills.values():
        assert contrast(tokens.text, fill) >= (7 if tokens.high else 4.5)
        for kind in tokens.types.values():  # soft grounds beside full colours
            assert np.linalg.norm(see(fill, normal) - see(kind, normal)) >= 20


@pytest.mark.parametrize("tokens", LOOKS.values(), ids=lambda tokens: tokens.name)
def test_types_have_hues_that_can_be_told_apart(tokens: Tokens):
    normal = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    # in high contrast each type has dashes and a shape, too
    kinds = ((normal, 25), *((blind, 0 if tokens.high else 6) for blind in COLOR_BLIND))
    for matrix, least in kinds:
        seen = [see(color, matrix) for color in tokens.types.values()]
        assert all(np.linalg.norm(a - b) >= least for a, b in combinations(seen, 2))
    assert contrast(tokens.hit_ink, tokens.bg) >= 3  # marks on the scroll bar
    # the current match is the stronger one of the same hue, and its words stay readable
    current = mixed(QColor(tokens.hit), QColor(tokens.hit_ink), CURRENT_HIT).name()
    assert contrast(tokens.text, current) >= 4.5
    assert np.linalg.norm(see(current, normal) - see(tokens.hit, normal)) >= 8


@pytest.mark.parametrize("tokens", [DARK, HIGH_DARK], ids=lambda tokens: tokens.name)
def test_a_highlight_is_seen_in_dark_themes(tokens: Tokens):
    assert contrast(tokens.mark, tokens.bg) >= (2.8 if tokens.high else 2.6)


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=lambda tokens: tokens.name)
def test_a_focus_ring_has_enough_contrast_in_every_theme(tokens: Tokens):
    for ground in (tokens.bg, tokens.surface, tokens.sunken):
        assert contrast(tokens.accent, ground) >= 3


@pytest.fixture
def theme(qapp: QApplication) -> Theme:
    return Theme("light")


def test_a_theme_emits_a_change_once(theme: Theme, qtbot):
    with qtbot.waitSignal(theme.changed):
        theme.set_mode("dark")
    assert theme.is_dark
    emitted = []
    theme.changed.connect(lambda: emitted.append(1))
    theme.set_mode("dark")
    assert emitted == []


def test_an_unknown_mode_follows_the_system(qapp: QApplication):
    assert Theme("sepia").mode == "system"


def shown_color(icon: QIcon) -> QColor:
    image = icon.pixmap(16, 16).toImage()
    pixels = (image.pixelColor(x, y) for x in range(16) for y in range(16))
    return max(pixels, key=lambda color: color.alpha())


def test_an_existing_icon_follows_the_theme(theme: Theme):
    icon = theme.icon("library", color="text")
    light = shown_color(icon)
    theme.set_mode("dark")
    dark = shown_color(icon)
    assert light.lightness() < 100 < dark.lightness()


def test_every_used_icon_exists(qapp: QApplication, caplog: pytest.LogCaptureFixture):
    assert all(len(glyph(name)) == 1 for name in GLYPHS)
    assert caplog.records == []


@pytest.mark.parametrize("contrast", ["off", "on"])
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_qt_reads_the_style_sheet(qapp: QApplication, mode: str, contrast: str):
    """A style sheet that can't be parsed is a warning of Qt, which fails the test."""
    theme = Theme(mode, contrast=contrast)
    theme.apply(qapp)
    assert "$" not in qapp.styleSheet()
    assert theme.tokens.accent in qapp.styleSheet()
    qapp.setStyleSheet("")


def test_a_larger_scale_enlarges_every_font(theme: Theme):
    theme.set_scale(1.5)
    assert theme.font("text").pixelSize() == 20
    assert theme.font("small").pixelSize() == 18


def test_high_contrast_exists_for_light_and_dark(theme: Theme, qtbot):
    with qtbot.waitSignal(theme.changed):
        theme.set_contrast("on")
    assert theme.tokens is HIGH_LIGHT and theme.is_high and not theme.is_dark
    theme.set_mode("dark")
    assert theme.tokens is HIGH_DARK and theme.is_dark
    theme.set_contrast("off")
    assert theme.tokens is DARK and theme.contrast == "off"


def test_an_unknown_contrast_follows_the_system(qapp: QApplication):
    assert Theme("light", contrast="a lot").contrast == "system"


def test_texts_and_their_containers_scale_together(theme: Theme):
    for scale in (0.9, 1.0, 1.15, 1.3, 1.5):
        theme.set_scale(scale)
        assert theme.length(32) >= 32
        assert theme.length(32) >= theme.font("text").pixelSize() * 2
        assert 300 <= theme.breadth(300) <= theme.length(300)


def test_an_unchanged_scale_repaints_nothing(theme: Theme):
    theme.set_scale(1.3)
    emitted = []
    theme.changed.connect(lambda: emitted.append(1))
    theme.set_scale(1.3)
    assert emitted == []


def test_a_focus_ring_does_not_change_the_height_at_any_scale():
    for scale in (0.9, 1.0, 1.15, 1.3, 1.5):
        sheet = build_stylesheet(LIGHT, {}, scale)
        plain = heights(sheet, "QComboBox")
        ringed = heights(sheet, "QComboBox:focus")
        assert plain + 2 * 1 == ringed + 2 * 2


def test_the_focus_ring_of_a_field_is_thicker_in_high_contrast_and_moves_nothing():
    fields = ("QLineEdit", "QComboBox", "QSpinBox")
    for tokens, ring in ((LIGHT, 2), (DARK, 2), (HIGH_LIGHT, 3), (HIGH_DARK, 3)):
        sheet = build_stylesheet(tokens, {})
        for field in fields:
            assert f"{field}:focus {{ border: {ring}px solid {tokens.accent}" in sheet
        for field in fields[1:]:
            assert heights(sheet, field) + 2 == heights(sheet, f"{field}:focus") + 2 * ring


def test_icons_have_the_colour_of_text_in_high_contrast(theme: Theme):
    theme.set_mode("light")

    def find_inks() -> set[str]:
        image = theme.icon("push-pin").pixmap(QSize(64, 64)).toImage()
        points = ((x, y) for x in range(64) for y in range(64))
        pixels = (image.pixelColor(*point) for point in points)
        return {pixel.name().upper() for pixel in pixels if pixel.alpha() == 255}

    assert find_inks() == {LIGHT.text2.upper()}
    theme.set_contrast("on")
    try:
        assert find_inks() == {HIGH_LIGHT.text.upper()}
    finally:
        theme.set_contrast("off")


def test_a_filled_button_that_is_not_available_is_dashed_in_high_contrast():
    for tokens, line in ((LIGHT, "solid"), (HIGH_LIGHT, "dashed"), (HIGH_DARK, "dashed")):
        sheet = build_stylesheet(tokens, {})
        for kind in ("QPushButton", "QToolButton"):
            rule = f'{kind}[kind="primary"]:disabled {{'
            assert f"1px {line}" in sheet.partition(rule)[2].partition("}")[0]


def heights(sheet: str, selector: str) -> int:
    rule = re.search(rf"^{re.escape(selector)} {{([^}}]*)}}", sheet, re.MULTILINE)
    return int(re.search(r"min-height: (\d+)px", rule[1])[1])


@pytest.fixture
def ringed(qapp: QApplication, qtbot) -> Iterator[tuple[FocusRing, QWidget, list[QWidget]]]:
    """Return the focus ring, a window, and its button, list and check box."""
    ring = FocusRing(qapp)
    window = QWidget()
    column = QVBoxLayout(window)
    inside = [QPushButton("Press"), QListWidget(), QCheckBox("Tick")]
    inside[1].addItems(["one", "two"])
    for widget in inside:
        column.addWidget(widget)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitUntil(window.isActiveWindow)
    inside[0].setFocus(Qt.FocusReason.OtherFocusReason)
    yield ring, window, inside
    qapp.focusChanged.disconnect(ring.follow)
    ring.deleteLater()


def test_tab_shows_a_focus_ring_on_widgets_without_a_styled_one(ringed, qtbot):
    ring, _window, (button, rows, box) = ringed
    qtbot.keyClick(button, Qt.Key.Key_Tab)
    assert rows.hasFocus() and ring.widget is rows
    assert ring.line.isVisible() and ring.line.geometry() == rows.geometry()
    qtbot.keyClick(rows, Qt.Key.Key_Tab)
    assert ring.widget is box
    qtbot.keyClick(box, Qt.Key.Key_Tab)
    assert button.hasFocus() and ring.widget is None  # it has its own


def test_a_click_shows_no_focus_ring(ringed, qtbot):
    ring, _window, (button, rows, box) = ringed
    qtbot.keyClick(button, Qt.Key.Key_Tab)
    qtbot.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton)
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton)
    assert ring.widget is None


def test_the_focus_ring_is_removed_with_its_widget(ringed, qtbot):
    ring, window, (button, rows, _box) = ringed
    qtbot.keyClick(button, Qt.Key.Key_Tab)
    window.resize(500, 500)
    qtbot.waitUntil(lambda: ring.line.geometry() == rows.geometry())
    rows.hide()
    qtbot.waitUntil(lambda: ring.widget is not rows)


def test_a_change_restyles_open_windows_and_not_the_application(qapp: QApplication, qtbot):
    """Setting the application's style sheet again restyles each widget once per ancestor."""
    theme = Theme("light", contrast="off")
    theme.apply(qapp)
    first = qapp.styleSheet()
    window = QWidget()
    button = QPushButton("Add", window)
    button.setProperty("kind", "primary")
    qtbot.addWidget(window)
    window.show()
    for mode in ("dark", "light", "dark"):
        theme.set_mode(mode)
        assert qapp.styleSheet() == first
        middle = button.grab().toImage().pixelColor(4, button.height() // 2)
        assert middle == QColor(theme.tokens.accent)
    later = QWidget()
    qtbot.addWidget(later)
    theme.adopt(later)
    assert later.styleSheet() == window.styleSheet()
    qapp.setStyleSheet("")


def darkest_and_lightest(image: QImage) -> tuple[str, str]:
    colors = {image.pixelColor(x, y).name() for x in range(image.width())
              for y in range(image.height())}  # fmt: skip
    ordered = sorted(colors, key=luminance)
    return ordered[0], ordered[-1]


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_placeholders_are_readable_in_high_contrast(qapp: QApplication, qtbot, mode: str):
    """Measured in pixels: Qt would mix the colour of the text half with the ground."""
    theme = Theme(mode, contrast="on")
    theme.apply(qapp)
    field = QLineEdit()
    field.setPlaceholderText("█████")
    qtbot.addWidget(field)
    field.resize(200, 40)
    inside = field.grab().toImage().copy(12, 12, 40, 16)
    dark, light = darkest_and_lightest(inside)
    assert contrast(dark, light) >= 7
    qapp.setStyleSheet("")


def build_card(theme: Theme) -> QWidget:
    card = QFrame()
    card.setObjectName("card")
    return card


def build_bubble(theme: Theme) -> QWidget:
    bubble = QuestionBubble(theme, "Who is Gull?")
    bubble.fit(200)
    return bubble


@HIGH
@pytest.mark.parametrize("build", [build_card, build_bubble, lambda theme: Badge(theme, "in use")])
def test_areas_have_a_border_in_high_contrast(
    tokens: Tokens, build: Callable[[Theme], QWidget], qapp: QApplication, qtbot
):
    theme = Theme("dark" if tokens.dark else "light", contrast="on")
    theme.apply(qapp)
    area = build(theme)
    qtbot.addWidget(area)
    area.resize(area.sizeHint().expandedTo(QSize(100, 22)))
    image = area.grab().toImage()
    edge = image.pixelColor(image.width() // 2, 0).name()
    assert contrast(edge, tokens.bg) >= 3
    qapp.setStyleSheet("")


def test_a_question_stands_out_from_the_dark_ground(qapp: QApplication, qtbot):
    bubble = build_bubble(Theme("dark", contrast="off"))
    qtbot.addWidget(bubble)
    image = bubble.grab().toImage()
    ground = image.pixelColor(PADDING // 2, image.height() // 2).name()
    assert contrast(ground, DARK.bg) >= 1.3 and contrast(ground, DARK.text) >= 7


@HIGH
def test_progress_bars_show_how_far_they_are(tokens: Tokens, qapp: QApplication, qtbot):
    """The part that is done stands out from the rest, and an empty bar does not look full."""
    theme = Theme("dark" if tokens.dark else "light", contrast="on")
    theme.apply(qapp)
    bar = ProgressLine()
    qtbot.addWidget(bar)
    bar.resize(200, 4)
    bar.set_share(0.5)
    image = bar.grab().toImage()
    done, rest = image.pixelColor(50, 2).name(), image.pixelColor(150, 2).name()
    assert contrast(done, rest) >= 3
    assert contrast(rest, tokens.surface) < contrast(tokens.text2, tokens.surface) / 2
    bar.set_share(0.0)
    assert bar.grab().toImage().pixelColor(50, 2).name() == rest
    qapp.setStyleSheet("")


@HIGH
def test_loading_bars_are_fainter_than_text(tokens: Tokens, qapp: QApplication, qtbot):
    theme = Theme("dark" if tokens.dark else "light", contrast="on")
    theme.apply(qapp)
    skeleton = Skeleton(theme)
    qtbot.addWidget(skeleton)
    skeleton.resize(300, 64)
    skeleton._appear()
    dark, light = darkest_and_lightest(skeleton.grab().toImage().copy(20, 12, 60, 8))
    assert contrast(dark, light) < 3  # text has 7 and more
    qapp.setStyleSheet("")


def test_a_long_wait_says_what_is_being_done(theme: Theme, qtbot):
    skeleton = Skeleton(theme, words="Comparing names…")
    qtbot.addWidget(skeleton)
    skeleton.resize(300, 100)
    skeleton.show()
    skeleton.start()
    assert skeleton.accessibleName() == "Comparing names…" and not skeleton.shows_words
    bars = skeleton.grab().toImage()
    qtbot.waitUntil(lambda: skeleton.shows_words, timeout=3000)
    ground = theme.color("bg")
    dark, _ = darkest_and_lightest(skeleton.grab().toImage().copy(16, 8, 120, 16))
    assert contrast(dark, ground.name()) > 3 and skeleton.grab().toImage() != bars
    skeleton.stop()
    assert not skeleton.shows_words


@pytest.mark.parametrize("side", [16, 20, 32])
def test_the_dots_of_a_menu_are_drawn_in_the_full_colour(theme: Theme, side: int):
    image = theme.icon("more").pixmap(side, side).toImage()
    columns = [any(image.pixelColor(x, y).alpha() > 250 for y in range(side)) for x in range(side)]
    starts = [x for x in range(1, side) if columns[x] and not columns[x - 1]]
    assert len(starts) == 3


@pytest.mark.parametrize("contrast", ["on", "off"])
def test_a_selected_row_is_filled_in_high_contrast(qtbot, contrast) -> None:
    theme = Theme("light", contrast=contrast)
    theme.apply(QApplication.instance())
    table = RowTable(theme)
    qtbot.addWidget(table)
    model = QStandardItemModel(2, 3, table)
    for row in range(2):
        model.setItem(row, 1, QStandardItem("████"))
    table.setModel(model)
    table.resize(420, 200)
    table.show()
    table.selectRow(0)
    picture = table.viewport().grab().toImage()
    area = table.visualRect(model.index(0, 1))
    ground = theme.color("accent" if contrast == "on" else "accent_soft")
    line, places = area.bottom() - 4, range(area.left(), area.right())
    assert {picture.pixelColor(x, line).name() for x in places} == {ground.name()}
    ink, other = theme.color("on_accent" if contrast == "on" else "text"), model.index(1, 1)
    assert ink.name() in darkest_and_lightest(picture.copy(area))
    assert theme.color("text").name() in darkest_and_lightest(picture.copy(table.visualRect(other)))
    QApplication.instance().setStyleSheet("")
    QApplication.instance().setProperty(HIGH_CONTRAST, False)


def list_delegates(base: type = QStyledItemDelegate) -> list[type]:
    return [c for child in base.__subclasses__() for c in (child, *list_delegates(child))]


def test_every_row_that_is_drawn_by_hand_inverts_its_colours() -> None:
    for module in pkgutil.walk_packages(desktop_app.ui.__path__, "desktop_app.ui."):
        importlib.import_module(module.name)
    own = {"ThumbDelegate", "CardDelegate", "PassageDelegate", "ChoiceDelegate"}
    drawn = [c for c in list_delegates() if c.__module__.startswith("desktop_app.ui.")]
    drawn = [c for c in drawn if "paint" in vars(c) and c.__name__ not in own]
    assert len(drawn) > 10
    assert [c.__name__ for c in drawn if not hasattr(c.paint, "__wrapped__")] == []


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_colours_are_inverted_only_while_a_chosen_row_is_painted(qapp, mode: str) -> None:
    theme = Theme(mode, contrast="on")
    usual = theme.tokens
    with theme.inverted(chosen=False):
        assert theme.tokens is usual
    with theme.inverted():
        assert theme.is_inverted and theme.is_dark != usual.dark
        assert theme.color("text") == QColor(usual.on_accent) and theme.edge() is None
        with theme.inverted():  # as in a delegate that calls another
            assert theme.color("bg") == QColor(usual.accent)
        assert theme.is_inverted
    assert theme.tokens is usual
    theme.set_contrast("off")
    with theme.inverted():
        assert theme.tokens is LOOKS[mode == "dark", False]


@pytest.mark.parametrize("contrast", ["on", "off"])
def test_an_icon_stands_out_from_the_ground_of_a_chosen_button(qapp, contrast: str) -> None:
    theme = Theme("light", contrast=contrast)
    icon = theme.icon("library", fills=QIcon.State.On)
    for state, name in ((QIcon.State.Off, "text"), (QIcon.State.On, "on_accent")):
        image = icon.pixmap(QSize(64, 64), QIcon.Mode.Normal, state).toImage()
        points = ((x, y) for x in range(64) for y in range(64))
        ink = max((image.pixelColor(x, y) for x, y in points), key=lambda c: c.alpha())
        assert ink.name() == theme.color(name if contrast == "on" else "text2").name()


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=lambda tokens: tokens.name)
def test_each_number_of_a_view_has_a_color_of_its_own(tokens: Tokens) -> None:
    steps = step_colors(tokens)
    assert len(set(steps)) == len(steps) == N_STEPS
    for ground in (tokens.bg, tokens.surface):
        assert min(contrast(color, ground) for color in steps) >= 3
    assert not any(is_step_hollow(tokens, number) for number in range(1, 60))


def test_in_high_contrast_types_differ_in_shape_and_underline() -> None:
    assert set(TYPE_SHAPES) == set(TYPE_DASHES) == set(ENTITY_TYPES)
    assert len(set(TYPE_SHAPES.values())) == len(set(TYPE_DASHES.values())) == len(ENTITY_TYPES)
    shapes, n_types = build_graph_palette(HIGH_LIGHT).shapes, len(ENTITY_TYPES)
    assert len(shapes) == len(build_graph_palette(LIGHT).discs)
    # what a legend lists together has no shape twice: types, or communities and the rest
    assert len(set(shapes[:n_types])) == n_types
    looks = list(zip(shapes, build_graph_palette(HIGH_LIGHT).hollow, strict=True))[n_types:]
    assert len(set(looks)) == len(looks)
    assert build_graph_palette(LIGHT).shapes == ()


@pytest.mark.parametrize("tokens", LOOKS.values(), ids=lambda t: t.name)
def test_a_letter_on_a_disc_has_the_better_contrast_everywhere(tokens: Tokens):
    palette = build_graph_palette(tokens)
    for code, name in enumerate(ENTITY_TYPES):
        ink = palette.inks[code].name()
        assert ink == pick_ink(tokens.types[name]).lower()
        better = max(contrast(shade, tokens.types[name]) for shade in ("#000000", "#ffffff"))
        assert contrast(ink, tokens.types[name]) == better >= 4.5


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_a_disabled_icon_is_pale_but_seen(theme: Theme, mode: str):
    before = theme.mode
    theme.set_mode(mode)
    image = theme.icon("arrow-left").pixmap(QSize(64, 64), QIcon.Mode.Disabled).toImage()
    points = ((x, y) for x in range(64) for y in range(64))
    alpha = max(image.pixelColor(x, y).alphaF() for x, y in points)
    ground, ink = theme.tokens.bg, theme.tokens.text2
    assert 2.4 < contrast(mix(ground, ink, alpha), ground) < 3.5
    theme.set_mode(before)


def test_a_text_that_is_known_to_be_chinese_is_in_one_font_though_most_letters_are_latin() -> None:
    theme, text = Theme("light"), "以 Elizabeth 和 Mr. Darcy 为中心"
    assert theme.book_font(text, 16) == theme.book_font("Darcy", 16)
    assert theme.book_font(text, 16, chinese=True) == theme.book_font("林冲", 16)


def test_a_tint_is_paler_than_a_mark_except_in_high_contrast() -> None:
    for name, most in (("light", 0.6), ("dark", 0.8)):
        theme = Theme(name)
        assert theme.tint().alphaF() < most
        theme.set_contrast("on")
        assert theme.tint() == theme.color("mark")


def test_a_process_that_ends_at_once_leaves_no_pictures_in_the_temporary_folder(tmp_path):
    code = (
        "import os\n"
        "from PySide6.QtWidgets import QApplication\n"
        "from desktop_app.ui.theme.theme import Theme\n"
        "app = QApplication([])\n"
        "Theme('light').apply(app)\n"
        "os._exit(0)\n"
    )
    home, temporary = tmp_path / "home", tmp_path / "temporary"
    temporary.mkdir()
    places = {"TMPDIR": str(temporary), "TEMP": str(temporary), "INKGRAPH_HOME": str(home)}
    subprocess.run([sys.executable, "-c", code], env=os.environ | places, check=True)
    assert not list(temporary.iterdir())
    assert len(list((home / "style images").glob("*.png"))) == 2


def test_secondary_text_is_as_large_in_high_contrast_as_elsewhere():
    for tokens in (HIGH_LIGHT, HIGH_DARK):
        sheet = build_stylesheet(tokens, {})
        rules = [rule for rule in sheet.split("}") if 'QLabel[role="muted"]' in rule]
        assert rules and not any("font-size" in rule for rule in rules)


def test_an_icon_of_a_button_outlives_the_objects_that_had_it(theme: Theme) -> None:
    """The collector must not empty an engine that a widget still paints with."""

    class Holder:
        pass

    holder = Holder()
    holder.itself, holder.icon = holder, theme.icon("warning", color="bad")
    button = QPushButton()
    button.setIcon(holder.icon)
    del holder
    gc.collect()
    assert shown_color(button.icon()) == theme.color("bad")


def test_an_icon_of_a_theme_that_is_gone_can_be_painted_and_replaced(qapp) -> None:
    passing = Theme("light")
    button, gone = QPushButton(), ref(passing)
    button.setIcon(passing.icon("warning"))
    passing.itself = passing
    del passing
    gc.collect()
    assert gone() is None
    assert not button.grab().isNull()
    button.setIcon(QIcon())


def test_a_copy_of_an_icon_that_is_changed_can_be_painted(qapp) -> None:
    theme = Theme("light")
    for _ in range(50):  # without its own reference, Qt used an engine that Python had deleted
        copy = QIcon(theme.icon("check"))
        copy.setIsMask(True)  # makes Qt clone the engine
        gc.collect(0)
        image = copy.pixmap(16, 16).toImage()
        assert any(image.pixelColor(x, y).alpha() for x in range(16) for y in range(16))
