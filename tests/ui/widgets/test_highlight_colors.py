"""The table of highlight colours is the only place that a new colour must be added to."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import fields

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from desktop_app.engine.highlight_colors import HIGHLIGHT_COLORS, Shades
from desktop_app.ui.reader.caret import SELECTION_KEYS
from desktop_app.ui.theme.design_tokens import DARK, HIGH_DARK, HIGH_LIGHT, LIGHT
from desktop_app.ui.widgets.highlight_colors import (
    describe_color_keys,
    find_line_colors,
    highlight_fill,
    highlight_ink,
    paint_color,
)

# A fresh process: what is derived from the table is built when its module is imported.
WITH_A_NEW_COLOR = """
import zipfile, io
from desktop_app.engine import highlight_colors as table
from desktop_app.engine.messages import Message

one = table.Shades("#F0A000", "#F0A001", "#F0A002", "#F0A003")
other = table.Shades("#FFD000", "#FFD001", "#FFD002", "#FFD003")
orange = table.HighlightColor("orange", Message("Orange"), 30, one, other, "#FFD004", "#FFD005")
table.HIGHLIGHT_COLORS += (orange,)
table._BY_KEY["orange"] = orange

from desktop_app.cli import build_parser
from desktop_app.engine.model import Reference
from desktop_app.engine.services.annotations import Annotation, AnnotationService
from desktop_app.engine.services.bibliography.marks import find_color
from desktop_app.engine.services.annotation_entries import AnnotationEntry, EntryWords, build_docx
from desktop_app.ui.highlights.list import COLOR, build_rows
from desktop_app.ui.highlights.screen import KEYS
from desktop_app.ui.reader.caret import SELECTION_KEYS
from desktop_app.ui.reader.look import SEPIA
from desktop_app.ui.theme.design_tokens import LOOKS
from desktop_app.ui.widgets.highlight_colors import COLOR_WORDS, describe_color_keys

assert list(COLOR_WORDS)[-1] == "orange" and COLOR_WORDS["orange"] == "Orange"
assert describe_color_keys([("1", "{colors}")])[0][1].endswith("5 Orange")
for place, tokens in enumerate((LOOKS[0, 0], LOOKS[1, 0], LOOKS[0, 1], LOOKS[1, 1])):
    assert tokens.highlight_inks["orange"] == f"#F0A00{place}", tokens.name
    assert tokens.highlight_fills["orange"] == f"#FFD00{place}", tokens.name
assert SEPIA.highlight_fills["orange"] == "#FFD004"
assert "highlight orange" in SELECTION_KEYS.values() and KEYS[0][0][-1] == "5"
assert find_color("#ff8000") == "orange"
AnnotationService._check("orange", "")
options = build_parser().parse_args(["export", "--out", "y", "--color", "orange"])
assert options.color == "orange"
mark = Annotation(1, 1, "highlight", 0, 5, "words", "orange", "", 0.0)
note = AnnotationEntry(mark, Reference(1, "A book"))
assert build_rows([note], COLOR)[0].color == "orange"
written = zipfile.ZipFile(io.BytesIO(build_docx([note], EntryWords()))).read("word/document.xml")
assert b"FFD005" in written
print("all have it")
"""


def test_a_color_in_the_table_is_everywhere():
    made = subprocess.run(
        [sys.executable, "-c", WITH_A_NEW_COLOR], capture_output=True, text=True, timeout=120
    )
    assert (made.stdout.strip(), made.stderr) == ("all have it", "")


def test_every_color_has_a_key_a_name_and_six_digits_for_each_shade():
    assert len(HIGHLIGHT_COLORS) <= 9  # the keys 1 to 9
    assert len({color.key for color in HIGHLIGHT_COLORS}) == len(HIGHLIGHT_COLORS)
    for color in HIGHLIGHT_COLORS:
        shades = [getattr(s, f.name) for s in (color.inks, color.fills) for f in fields(Shades)]
        for shade in (*shades, color.sepia_fill, color.word_fill):
            assert len(shade) == 7 and int(shade.removeprefix("#"), 16) >= 0, (color.key, shade)


def test_the_keys_of_colors_are_described_with_their_numbers():
    described = describe_color_keys([("1", "Colour: {colors}"), ("M", "Note")])
    assert described == [("1", "Colour: 1 Yellow, 2 Green, 3 Blue, 4 Pink"), ("M", "Note")]
    assert SELECTION_KEYS[Qt.Key.Key_4] == "highlight pink"


def test_a_color_of_a_newer_program_is_shown_as_the_first_one():
    first = HIGHLIGHT_COLORS[0].key
    assert highlight_fill(LIGHT, "violet").name().upper() == LIGHT.highlight_fills[first]
    assert highlight_ink(LIGHT, "violet").name().upper() == LIGHT.highlight_inks[first]


def test_yellow_stays_yellow_in_high_contrast_with_an_outline():
    ink, rim = find_line_colors(HIGH_LIGHT, "yellow")
    assert 45 <= ink.hsvHue() <= 60 and ink.valueF() > 0.9  # a darker one is brown
    assert rim is not None and rim.name() == HIGH_LIGHT.text.lower()
    for tokens in (LIGHT, DARK, HIGH_DARK):
        ink, rim = find_line_colors(tokens, "yellow")
        assert rim is None and ink.valueF() > 0.9, tokens.name


def test_a_small_area_in_a_colour_has_its_outline_inside(qapp):
    image = QImage(12, 6, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    with QPainter(image) as painter:
        paint_color(painter, HIGH_LIGHT, "yellow", QRectF(1, 0, 10, 6))
    assert image.pixelColor(1, 3) == QColor(HIGH_LIGHT.text)
    assert image.pixelColor(6, 3).name().upper() == LIGHT.highlight_inks["yellow"]
    assert image.pixelColor(0, 3) == image.pixelColor(11, 3) == QColor("white")
