"""Pictures of pages as plain pixels."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_app.engine.text.pdf_pages import PagePicture, shrink


@pytest.mark.parametrize("factor", [2, 3])
def test_each_pixel_of_a_smaller_picture_is_the_mean_of_its_part(factor: int):
    width, height, stride = 11, 7, 48  # a row has more bytes than pixels
    rows = np.random.default_rng(5).integers(0, 256, (height, stride), dtype=np.uint8)
    rows[:factor, : 4 * factor] = 255  # the largest sum
    made = shrink(PagePicture(3, 2.0, width, height, stride, rows.tobytes(), 12, 6), factor)
    assert (made.width, made.height, made.stride) == (width // factor, height // factor,
                                                      4 * (width // factor))  # fmt: skip
    assert (made.index, made.scale, made.left, made.top) == (
        3,
        2 / factor,
        12 // factor,
        6 // factor,
    )
    pixels = np.frombuffer(made.pixels, np.uint8).reshape(made.height, made.width, 4)
    for y in range(made.height):
        for x in range(made.width):
            part = rows[factor * y : factor * (y + 1), 4 * factor * x : 4 * factor * (x + 1)]
            mean = part.reshape(factor, factor, 4).sum(axis=(0, 1), dtype=int) // factor**2
            assert pixels[y, x].tolist() == mean.tolist()
    same = PagePicture(0, 1.0, 1, 1, 4, b"\1\2\3\4")
    assert shrink(same, factor) is same
