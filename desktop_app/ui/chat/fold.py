"""A section that can be collapsed: a header with a caret, a title, and a text at the right.

Owns the caret and the accessible name. Knows nothing of its content.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import (
    STRETCH,
    Button,
    ElidedLabel,
    build_column,
    build_row,
    clear_layout,
)

from ..translation import tr

LEAST_ASIDE = 40  # pixels
LINK_AT_EDGE = (
    "QPushButton, QPushButton:focus { padding: 0 4px 0 0; margin-left: -1px; }"  # not shown
)


class FoldButton(Button):
    """The header button; checked while the section is expanded."""

    def __init__(self, theme: Theme, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent, kind="bare", elide=True)
        self._theme = theme
        self.setCheckable(True)
        theme.changed.connect(self._restyle)
        self._restyle()
        self.toggled.connect(self._update_accessible_name)
        self._update_accessible_name(False)

    def _restyle(self) -> None:
        """Begin with the caret at the left edge; the border of the focus is 1 px wider."""
        self.setStyleSheet(
            "QPushButton { padding: 0 6px 0 1px; text-align: left; font-weight: 600; }"
            "QPushButton:focus { padding: 0 5px 0 0; }"
        )

    def _update_accessible_name(self, opened: bool) -> None:
        self.setIcon(self._theme.icon("caret-down" if opened else "caret-right"))
        name = tr("Hide: {part}" if opened else "Show: {part}", part=self.text())
        self.setAccessibleName(name)


class FoldSection(QWidget):
    """A titled section; `aside` is the muted text at the right of its title."""

    unfolded = Signal()

    def __init__(
        self,
        theme: Theme,
        title: str,
        parent: QWidget | None = None,
        *,
        aside: str = "",
        opened: bool = True,
    ) -> None:
        super().__init__(parent)
        self.button = FoldButton(theme, title, self)
        self.aside = ElidedLabel(aside, "small", self)
        self.aside.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        # in a narrow panel both shrink and none takes all the width
        self.aside.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.aside.setMinimumWidth(LEAST_ASIDE if aside else 0)
        head = build_row(self.button, (self.aside, 1))
        self.body = QWidget(self)
        self.column = build_column(parent=self.body, spacing=4, margins=(0, 0, 0, 8))
        # aligned by a stretch, since an alignment ignores height for width
        build_column(head, self.body, STRETCH, parent=self, spacing=4)
        self.button.toggled.connect(self._fold)
        self.body.setVisible(opened)
        self.button.setChecked(opened)

    @property
    def title(self) -> str:
        return self.button.text()

    def add(self, widget: QWidget) -> QWidget:
        self.column.addWidget(widget)
        return widget

    def add_more(self, words: str, show: Callable[[], None]) -> None:
        """Add a button that removes the content and shows it in full elsewhere."""
        more = Button(words, self.body, kind="link", elide=True)
        # begins where the texts above it begin
        more.setStyleSheet(LINK_AT_EDGE)

        def unfold() -> None:
            clear_layout(self.column)
            show()
            first = self.column.itemAt(0)
            if first is not None and (widget := first.widget()) is not None:
                widget.setFocus(Qt.FocusReason.TabFocusReason)

        more.clicked.connect(unfold)
        self.column.addWidget(more, 0, Qt.AlignmentFlag.AlignLeft)

    def _fold(self, opened: bool) -> None:
        self.body.setVisible(opened)
        if opened:
            self.unfolded.emit()
