"""The panel "Answer options": additional instructions, and the advanced options when expanded.

Built from `QueryParam`; owns the values set there. Knows nothing of questions.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from desktop_app.engine.query import LIST_FORM, LONG_FORM, SHORT_FORM, QueryParam
from desktop_app.engine.settings import options_of

from ..theme.stylesheet import mix
from ..theme.theme import Theme
from ..translation import later, tr
from ..widgets import STRETCH, Button, IconButton, build_column, build_row
from ..widgets.menus import show_by
from ..widgets.option_form import OptionForm, OptionRow
from .fold import FoldButton

# value for the engine, label, hint; the model understands the value in both languages
# the value, its name on the button and in the menu, and its meaning
FORMS = (
    (SHORT_FORM, later("Short"), later("Short answer"), later("One or two sentences")),
    ("", later("Medium"), later("Medium answer"), later("A short paragraph")),
    (LONG_FORM, later("Long"), later("Long answer"), later("Several paragraphs; takes longer")),
    (LIST_FORM, later("Points"), later("Bullet points"), later("A list of points")),
)
WIDTH = 380
MOST_HEIGHT = 300


class QueryOptionsPanel(QFrame):
    """`changed` after every change; `values()` are those that differ from the defaults."""

    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("moreOptions")
        self._theme = theme
        options = options_of(QueryParam)
        simple = OptionForm(theme, [o for o in options if not o.expert], compact=True)
        expert = OptionForm(theme, [o for o in options if o.expert], compact=True)
        self._forms = (simple, expert)
        self.rows: dict[str, OptionRow] = simple.rows | expert.rows
        self.fold = FoldButton(theme, tr("Advanced"), self)
        expert.setObjectName("expertBody")
        expert.setContentsMargins(0, 0, 12, 0)
        self.expert = QScrollArea(self)
        self.expert.setWidgetResizable(True)
        self.expert.setFrameShape(QFrame.Shape.NoFrame)
        self.expert.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.expert.setFixedHeight(MOST_HEIGHT)
        self.expert.setWidget(expert)
        self.expert.hide()
        self.reset_button = Button(tr("Reset to defaults"), self, kind="link")
        self.reset_button.clicked.connect(self.reset)
        build_column(
            *(simple, (self.fold, 0, Qt.AlignmentFlag.AlignLeft), self.expert),
            build_row(self.reset_button, STRETCH, spacing=-1),
            parent=self,
            margins=(16, 12, 16, 12),
        )
        self.setFixedWidth(WIDTH)
        self.fold.toggled.connect(self._unfold)
        for form in self._forms:
            form.changed.connect(self._changed)
        theme.changed.connect(self._restyle)
        self._restyle()
        self._changed()

    def _restyle(self) -> None:
        tokens = self._theme.tokens
        edge = f"1px solid {mix(tokens.line, tokens.text2, 0.25)}"  # not shown
        self.setStyleSheet(
            f"#moreOptions {{ background: {tokens.surface}; border: {edge}; border-radius: 6px; }}"
            "QScrollArea, #expertBody { background: transparent; }"
        )

    def _unfold(self, opened: bool) -> None:
        foot = self.geometry().bottom()
        self.expert.setVisible(opened)
        self.adjustSize()
        if self.isVisible():  # it is above its button and grows upwards
            self.move(self.x(), max(8, foot - self.height() + 1))

    def _changed(self) -> None:
        self.reset_button.setEnabled(not all(row.is_default for row in self.rows.values()))
        self.changed.emit()

    def values(self) -> dict[str, Any]:
        """Return the values that differ from `QueryParam`'s defaults, by field name."""
        return {name: row.value for name, row in self.rows.items() if not row.is_default}

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        for form in self._forms:  # a field whose popup closes does not commit by itself
            form.commit()

    def reset(self) -> None:
        """Set everything to its default."""
        for form in self._forms:
            form.reset()


class QueryOptionsButton(IconButton):
    """Opens the panel; its icon is coloured while a value differs from its default."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "sliders-horizontal", tr("Answer options"), parent)
        self.panel = QueryOptionsPanel(theme, self)
        self.panel.changed.connect(self._update_text)
        self.clicked.connect(self._open)

    def _open(self) -> None:
        self.panel.adjustSize()
        show_by(self.panel, self)
        self.panel.rows["user_prompt"].editor.setFocus()

    def _update_text(self) -> None:
        rows = self.panel.rows.values()
        changed = tr(", ").join(row.title.text() for row in rows if not row.is_default)
        self.set_icon("sliders-horizontal", "accent" if changed else "text2")
        text = tr("Answer options: {changed}", changed=changed) if changed else tr("Answer options")
        self.set_tooltip(text)
