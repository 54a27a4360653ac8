"""What stands where there is no community to show, or none is chosen. Owns these words."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from desktop_app.ui.language import tr
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import EmptyState, PrimaryButton


def build_nothing(theme: Theme, parent: QWidget, add: Callable[[], None]) -> EmptyState:
    """Return what is said while there are no communities, with the way to add a book."""
    button = PrimaryButton(tr("Add files…"), theme=theme, icon="add-file")
    button.clicked.connect(lambda: add())
    return EmptyState(
        theme,
        "communities",
        tr("No communities yet"),
        tr(
            "Names that hang together make a community, and a report says what it is about."
            " Add a book, and they are found by themselves."
        ),
        [button],
        parent=parent,
    )


def build_pick(theme: Theme, parent: QWidget) -> EmptyState:
    """Return what is said while none is chosen."""
    return EmptyState(
        theme,
        "communities",
        tr("Pick a community"),
        tr("Its report says what it is about, and where it says so."),
        parent=parent,
    )
