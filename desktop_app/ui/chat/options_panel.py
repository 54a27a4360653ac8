"""The panel "Answer options": search mode, length, instructions, and the advanced options.

Mode and length are buttons that it is given; the rest is built from `QueryParam`. Knows nothing of
questions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from desktop_app.engine.query import LIST_FORM, LONG_FORM, SHORT_FORM, QueryParam
from desktop_app.engine.settings import options_of

from ..theme.stylesheet import mix
from ..theme.theme import Theme
from ..translation import later, tr
from ..widgets import STRETCH, Button, IconButton, build_column, build_row
from ..widgets.buttons import CaretButton
from ..widgets.menus import show_by
from ..widgets.option_form import FormRow, OptionForm, OptionRow
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
CHOICE_WIDTH = 216  # pixels, in which the longest mode fits
DOT = 8  # pixels


class OptionButton(CaretButton):
    """A quiet button for one option.

    In a compact row a default value is shown as an icon only, any other value as its text.
    """

    changed = Signal()

    def __init__(self, theme: Theme, icon: str, parent: QWidget | None = None) -> None:
        super().__init__("", theme, icon, parent)
        self._compact = False
        self.summary = ""  # the value, for the tooltip of the panel that it is in
        self.clicked.connect(self._open)

    @property
    def is_compact(self) -> bool:
        return self._compact

    @property
    def is_default(self) -> bool:
        """Whether the value is the usual one."""
        raise NotImplementedError

    def reset(self) -> None:
        """Choose the usual value."""
        raise NotImplementedError

    def set_compact(self, compact: bool) -> None:
        if compact != self._compact:
            self._compact = compact
            self._update_text()

    def _update_text(self) -> None:
        """Show the value as text or icon, and in the tooltip."""
        raise NotImplementedError

    def _open(self) -> None:
        """Open the panel or menu with the choices."""
        raise NotImplementedError


class QueryOptionsPanel(QFrame):
    """`changed` after every change; `values()` are those that differ from the defaults.

    Args:
        choices: buttons for other options, by their titles; they are the first rows.
    """

    changed = Signal()

    def __init__(
        self, theme: Theme, choices: Mapping[str, OptionButton], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("moreOptions")
        self._theme = theme
        options = options_of(QueryParam)
        simple = OptionForm(theme, [o for o in options if not o.expert], compact=True)
        expert = OptionForm(theme, [o for o in options if o.expert], compact=True)
        self._forms = (simple, expert)
        self.rows: dict[str, OptionRow] = simple.rows | expert.rows
        self.choices = dict(choices)
        rows = []
        for title, button in self.choices.items():
            row = FormRow(theme, title, "", compact=True)
            place = QWidget()
            place.setFixedWidth(theme.breadth(CHOICE_WIDTH))
            build_row(button, STRETCH, parent=place)
            row.place_beside(place)
            button.changed.connect(self._changed)
            rows.append(row)
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
            *rows,
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
        self.reset_button.setEnabled(bool(self.list_changed()))
        self.changed.emit()

    def list_changed(self) -> list[str]:
        """Return the titles of what differs from the defaults."""
        changed = list_changed_choices(self.choices)
        return changed + [r.title.text() for r in self.rows.values() if not r.is_default]

    def values(self) -> dict[str, Any]:
        """Return the values that differ from `QueryParam`'s defaults, by field name."""
        return {name: row.value for name, row in self.rows.items() if not row.is_default}

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        for form in self._forms:  # a field whose popup closes does not commit by itself
            form.commit()

    def reset(self) -> None:
        """Set everything to its default."""
        for button in self.choices.values():
            button.reset()
        for form in self._forms:
            form.reset()


def list_changed_choices(choices: Mapping[str, OptionButton]) -> list[str]:
    return [title for title, button in choices.items() if not button.is_default]


class QueryOptionsButton(IconButton):
    """Opens the panel; a dot on its icon says that something differs from its default.

    Its tooltip has the choices, and the titles of the other options that were changed. The panel
    is built when it is first used: it takes longer than the rest of the chat screen. `changed`
    after every change of an option.
    """

    changed = Signal()

    def __init__(
        self, theme: Theme, choices: Mapping[str, OptionButton], parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, "sliders-horizontal", tr("Answer options"), parent)
        self.has_dot = False
        self._choices = dict(choices)
        self._panel: QueryOptionsPanel | None = None
        for button in self._choices.values():  # a child of the panel, once that is there
            button.setParent(self)
            button.hide()
            button.changed.connect(self._follow)
        self.clicked.connect(self._open)
        self._update_text()

    @property
    def panel(self) -> QueryOptionsPanel:
        """The panel with the options."""
        if self._panel is None:
            for button in self._choices.values():
                button.changed.disconnect(self._follow)  # the panel follows them
            self._panel = QueryOptionsPanel(self._theme, self._choices, self)
            self._panel.changed.connect(self._follow)
            for button in self._choices.values():
                button.show()
        return self._panel

    def values(self) -> dict[str, Any]:
        """Return the values that differ from `QueryParam`'s defaults, by field name."""
        return self._panel.values() if self._panel is not None else {}

    def _follow(self) -> None:
        self._update_text()
        self.changed.emit()

    def _open(self) -> None:
        self.panel.adjustSize()
        show_by(self.panel, self)
        first, *_ = (*self.panel.choices.values(), self.panel.rows["user_prompt"].editor)
        first.setFocus()

    def _update_text(self) -> None:
        choices = self._choices
        panel = self._panel
        changed = panel.list_changed() if panel is not None else list_changed_choices(choices)
        shown = [button.summary for button in choices.values()]
        shown += [title for title in changed if title not in choices]
        self.has_dot = bool(changed)
        self.set_icon("sliders-horizontal", "accent" if changed else "text2")
        self.set_tooltip(tr("Answer options: {changed}", changed=tr(", ").join(shown)))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.has_dot:
            side = self._theme.length(DOT)
            corner = self.rect().center() + QPoint(self.iconSize().width() // 2, 0)
            with QPainter(self) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(QPen(self._theme.color("surface"), 1.5))
                painter.setBrush(self._theme.color("accent"))
                top = self.rect().center().y() - self.iconSize().height() // 2
                painter.drawEllipse(QRectF(corner.x() - side / 2, top - side / 2, side, side))
