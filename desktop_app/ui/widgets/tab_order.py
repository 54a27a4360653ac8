"""Tab order of widgets where it differs from the order of creation."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from PySide6.QtWidgets import QWidget


def order_tabs(widgets: Iterable[QWidget]) -> None:
    """Set the tab order of these widgets."""
    for before, after in pairwise(widgets):
        QWidget.setTabOrder(before, after)
