"""What lies over the corners of the canvas: the legend, the budget line, the zoom buttons.

Owns small panels on surface at 90 %. Knows no services.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QVBoxLayout, QWidget

from desktop_app.engine.types import ENTITY_TYPES
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Button, IconButton, Label, format_number, paint_type_disc

from .canvas import GraphCanvas

INSET, GAP = 12, 8


class Panel(QWidget):
    """A rounded ground that lets the picture shine through a little."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("surface", 0.9))
        painter.drawRoundedRect(QRectF(self.rect()), 6, 6)
        painter.end()


class TypeToggle(QAbstractButton):
    """A line of the legend; pressing it hides or shows the type."""

    def __init__(self, theme: Theme, entity_type: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.entity_type = entity_type
        self._count = 0
        self.setCheckable(True)
        self.setChecked(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(f"Show or hide: {entity_type}")
        self.setAccessibleName(f"Show {entity_type}")
        theme.changed.connect(self.update)

    def set_count(self, count: int) -> None:
        self._count = count
        self.setVisible(count > 0)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(152, 28)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setOpacity(1.0 if self.isChecked() else 0.4)
        if self.underMouse() or self.hasFocus():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("accent_soft"))
            painter.drawRoundedRect(QRectF(self.rect()), 4, 4)
        paint_type_disc(painter, QRectF(8, 6, 16, 16), self.entity_type, self._theme)
        painter.setFont(self._theme.font("small"))
        painter.setPen(self._theme.color("text"))
        area = self.rect().adjusted(32, 0, -8, 0)
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, self.entity_type.capitalize())
        painter.setPen(self._theme.color("text2"))
        end = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(area, end, format_number(self._count))
        painter.end()


class Legend(Panel):
    """Types with their colours and counts; `hidden_changed` says which codes are off."""

    hidden_changed = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 4, 4)
        column.setSpacing(0)
        self.toggles = [TypeToggle(theme, name, self) for name in ENTITY_TYPES]
        for toggle in self.toggles:
            column.addWidget(toggle)
            toggle.toggled.connect(lambda _: self.hidden_changed.emit(self.hidden()))

    def hidden(self) -> set[int]:
        return {code for code, toggle in enumerate(self.toggles) if not toggle.isChecked()}

    def set_counts(self, counts: list[int]) -> None:
        for toggle, count in zip(self.toggles, counts, strict=True):
            toggle.set_count(count)
        self.setVisible(sum(counts) > 0)
        self.adjustSize()


class BudgetLine(Panel):
    """How much of the library is in the picture, and more of it."""

    more_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 4, 0)
        row.setSpacing(4)
        self.text = Label("", "small", self)
        self.more = Button("Show more", self, kind="link")
        self.more.clicked.connect(self.more_wanted)
        row.addWidget(self.text)
        row.addWidget(self.more)

    def set_budget(
        self, n_shown: int, n_all: int, *, by: str, more: bool, n_strongest: int = 0
    ) -> None:
        total = max(n_shown, n_all)
        noun = "name" if total == 1 else "names"
        part = f"{format_number(n_shown)} of {format_number(total)} {noun}{by}"
        whole = f"All {format_number(total)} names" if total > 1 else "1 name"
        said, hint = (part if n_shown < total else whole), ""
        if n_strongest:
            said += f" · {n_strongest} strongest connections of each"
            hint = "Select a name to see all its connections."
        self.text.setText(said)
        self.text.setToolTip(hint)
        self.more.setVisible(more and n_shown < total)
        self.layout().setContentsMargins(12, 0, 4 if self.more.isVisibleTo(self) else 12, 0)
        self.setVisible(n_shown > 0)
        self.setFixedHeight(32)
        self.adjustSize()


class ZoomButtons(Panel):
    """Zoom in, zoom out, fit."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(2, 2, 2, 2)
        column.setSpacing(0)
        self.zoom_in = IconButton(theme, "plus", "Zoom in", self, shortcut="+")
        self.zoom_out = IconButton(theme, "minus", "Zoom out", self, shortcut="-")
        self.fit = IconButton(theme, "corners-out", "Fit everything", self, shortcut="0")
        for button in (self.zoom_in, self.zoom_out, self.fit):
            column.addWidget(button)


class CornerPlacer(QObject):
    """Keeps the panels in the corners of the canvas and tells it what they cover."""

    def __init__(
        self,
        ground: GraphCanvas,
        legend: Legend,
        kinds: Panel,
        budget: BudgetLine,
        zoom: ZoomButtons,
    ) -> None:
        super().__init__(ground)
        self._ground, self._legend, self._kinds = ground, legend, kinds
        self._budget, self._zoom = budget, zoom
        ground.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._ground and event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self.place()
        return False

    def place(self) -> None:
        right, bottom = self._ground.width() - INSET, self._ground.height() - INSET
        panels = (self._legend, self._kinds, self._budget, self._zoom)
        for panel in panels:
            panel.adjustSize()
            panel.raise_()
        self._legend.move(INSET, INSET)
        self._budget.move(INSET, bottom - self._budget.height())
        self._zoom.move(right - self._zoom.width(), bottom - self._zoom.height())
        under = INSET + (self._legend.height() + GAP if not self._legend.isHidden() else 0)
        if under + self._kinds.height() + GAP <= bottom - self._budget.height():
            self._kinds.move(INSET, under)
        else:  # a low window has no room under the legend
            self._kinds.move(INSET + self._legend.width() + GAP, INSET)
        self._ground.set_panels([p.geometry() for p in panels if p.isVisibleTo(self._ground)])
