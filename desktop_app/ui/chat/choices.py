"""The row under the question: of which documents, found how, how long, by which model, and more.

Owns what is chosen there for the questions to come, as one `QueryParam`. Knows no chats.
"""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop_app.engine.query import QueryParam
from desktop_app.ui.theme.theme import Theme

from .choice_menus import LengthButton, ModelButton
from .mode_menu import ModeButton
from .modes import BYPASS
from .scope_menu import ScopeButton
from .wishes_panel import WishesButton

WIDE, MIDDLE = 620, 430


class Choices(QWidget):
    """Emits `param_changed` with every choice."""

    param_changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._room = WIDE
        self.scope = ScopeButton(theme, self)
        self.mode_button = ModeButton(theme, self)
        self.length = LengthButton(theme, self)
        self.model = ModelButton(theme, self)
        self.wishes = WishesButton(theme, self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for widget in (self.scope, self.mode_button, self.length, self.model, self.wishes):
            row.addWidget(widget)
        row.addStretch(1)
        self.scope.changed.connect(self._chosen)
        self.mode_button.changed.connect(self._chosen)
        self.length.changed.connect(self._chosen)
        self.wishes.panel.changed.connect(self.param_changed)

    @property
    def param(self) -> QueryParam:
        """How the questions to come are asked."""
        return QueryParam(
            mode=self.mode,
            document_ids=self.scope.document_ids,
            collection_ids=self.scope.collection_ids,
            response_type=self.length.form,
            **self.wishes.values(),
        )

    @property
    def mode(self) -> str:
        return self.mode_button.mode

    def set_mode(self, mode: str) -> None:
        """Choose how passages are found for the questions to come."""
        self.mode_button.set_mode(mode)
        self._chosen()

    def _chosen(self, *_: object) -> None:
        # documents are not looked at where the model alone is asked
        self.scope.setEnabled(self.mode != BYPASS)
        self.fit(self._room)
        self.param_changed.emit()

    def fit(self, width: int) -> None:
        """Say the usual choices by icons where there is little room in the box."""
        self._room = width
        self.scope.set_compact(width < WIDE)
        self.model.set_compact(width < WIDE)
        self.length.set_compact(width < MIDDLE)
        self.mode_button.set_compact(width < MIDDLE)
