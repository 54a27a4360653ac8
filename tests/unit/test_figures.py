"""Captions and mentions of figures, in English and Chinese; prose is none."""

from __future__ import annotations

import time

import pytest

from desktop_app.engine.figures import (
    find_caption_label,
    find_figure_caption,
    find_mentions,
    is_decoration,
)


@pytest.mark.parametrize(
    ("line", "label"),
    [
        ("Figure 3: Results of the trial", "figure 3"),
        ("Fig. 3. Annual flow", "figure 3"),
        ("FIGURE 12 The harbour", "figure 12"),
        ("Figure 3", "figure 3"),
        ("(Fig. 2a) Two views", "figure 2"),
        ("Figure 4-68 Visual Explain", "figure 4-68"),
        ("Figure A.1 — Overview", "figure a.1"),
        ("Plate IV. The old mill", "plate 4"),
        ("图3 海湾的地图", "figure 3"),
        ("图 2-1：系统结构", "figure 2-1"),
        ("圖十二　縣城", "figure 12"),
        ("表2 人口", "table 2"),
        ("Figure 3 shows that the flow falls", ""),
        ("Figure 3, which was drawn later, is", ""),
        ("Figure 3 (left) and the other one", ""),
        ("As Figure 3 shows", ""),
        ("figure 3 is small", ""),
        ("图3所示的结构", ""),
        ("图中有三个人", ""),
        ("Figures of speech", ""),
        ("", ""),
    ],
)
def test_a_caption_is_no_prose(line: str, label: str):
    assert find_caption_label(line) == label


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("as Figure 3 shows, and (Fig. 4b)", ["figure 3", "figure 4"]),
        ("see figures 3 and 5", ["figure 3", "figure 5"]),
        ("Figs. 2–4 are maps", ["figure 2", "figure 3", "figure 4"]),
        ("如图3和图5所示，表2给出", ["figure 3", "figure 5", "table 2"]),
        ("the plot of figure-hugging clothes", []),
        ("in 1998 and on page 3", []),
    ],
)
def test_mentions_name_figures_in_one_form(text: str, labels: list[str]):
    assert [label for _, _, label in find_mentions(text)] == labels


def test_a_caption_stands_below_its_picture_or_above_it():
    below = "Before.\n\nFigure 1: The wall\n\nAfter."
    assert find_figure_caption(below, 9) == (9, 27)
    above = "Figure 1: The wall\n\nAfter it comes a text."
    assert find_figure_caption(above, 20) == (0, 18)
    assert find_figure_caption("Before.\n\nAfter, as Figure 1: shows.", 9) == (9, 9)


def test_icons_and_lines_are_decoration():
    assert is_decoration(99, 500) and is_decoration(2_000, 120) and is_decoration(0, 0)
    assert not is_decoration(100, 100) and not is_decoration(800, 120)


def test_long_texts_without_sense_take_no_time():
    began = time.process_time()
    for piece in ("Figure 1, 2, ", "Fig.", "图1、", "Figure " + "1" * 50, "IVXLC", "表" * 9):
        list(find_mentions(piece * 5_000))
        find_caption_label(piece * 500)
    assert time.process_time() - began < 5
