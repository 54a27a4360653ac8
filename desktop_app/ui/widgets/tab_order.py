"""The order in which Tab goes from one widget to the next, where it isn't that of their making."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from PySide6.QtWidgets import QWidget


def order_tabs(widgets: Iterable[QWidget]) -> None:
    """Have Tab go through these one after the other."""
    for before, after in pairwise(widgets):
        QWidget.setTabOrder(before, after)
