"""What the library screen shows in place of its list: nothing yet, nothing that fits, a failure.

Owns the words; what a press does is handed in.
"""

from __future__ import annotations

from collections.abc import Callable

from desktop_app.ui.language import tr
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Button, EmptyState, PrimaryButton

Press = Callable[[], object]


def build_empty(theme: Theme, add_files: Press, demo_button: Button) -> EmptyState:
    """Return what a library without documents shows."""
    add = PrimaryButton(tr("Add files…"), theme=theme, icon="add-file")
    add.clicked.connect(lambda: add_files())
    return EmptyState(
        theme,
        "library",
        tr("Drop a book here"),
        tr(
            "PDF, EPUB, Word, HTML, Markdown or plain text, in English or 中文. Inkgraph reads it "
            "on this computer and shows who and what is in it."
        ),
        [demo_button, add],
    )


def build_nothing_found(theme: Theme, clear_filter: Press) -> EmptyState:
    clear = Button(tr("Clear the filter"))
    clear.clicked.connect(lambda: clear_filter())
    return EmptyState(theme, "search", tr("No document fits"), "", [clear])


def build_failed(theme: Theme, try_again: Press) -> EmptyState:
    again = PrimaryButton(tr("Try again"))
    again.clicked.connect(lambda: try_again())
    return EmptyState(theme, "warning-circle", tr("The library can't be shown"), "", [again])
