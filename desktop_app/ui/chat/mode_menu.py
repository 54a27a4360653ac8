"""The menu of ways to find: grouped, each with one line that says when to use it.

Owns which one is chosen and the panel that lists them. Knows nothing of questions.
"""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from desktop_app.ui.language import tr
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Button

from .modes import MODE_GROUPS, mode_of
from .popups import show_by

KEY_ROLE = Qt.ItemDataRole.UserRole
USE_ROLE = Qt.ItemDataRole.UserRole + 1
WIDTH = 440
GROUP_HEIGHT, MODE_HEIGHT = 28, 44


class ModeDelegate(QStyledItemDelegate):
    """Draws a group's name, or a way with a check mark, its title and its line."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.chosen = ""

    def sizeHint(self, option: QStyleOptionViewItem, index) -> QSize:
        grown = self._theme.scale
        height = MODE_HEIGHT if index.data(KEY_ROLE) else GROUP_HEIGHT
        return QSize(WIDTH - 20, round(height * max(1.0, grown)))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index) -> None:
        theme, area = self._theme, option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        key = index.data(KEY_ROLE)
        if not key:
            painter.setFont(theme.font("small"))
            painter.setPen(theme.color("text2"))
            bottom = Qt.AlignmentFlag.AlignBottom
            painter.drawText(area.adjusted(32, 0, -8, -4), bottom, index.data())
            painter.restore()
            return
        state = option.state
        under = QStyle.StateFlag.State_MouseOver
        if state & (QStyle.StateFlag.State_Selected | under):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("accent_soft"))
            painter.drawRoundedRect(area.adjusted(0, 1, 0, -1), 6, 6)
        if key == self.chosen:
            spot = QRect(area.left() + 8, area.top() + 6, 16, 16)
            theme.icon("check", color="accent").paint(painter, spot)
        left, width = area.left() + 32, area.width() - 40
        half = area.height() // 2
        lines = ((index.data(), "text", "text", 3), (index.data(USE_ROLE), "small", "text2", 0))
        for place, (text, role, color, nudge) in enumerate(lines):
            # the paler ink is too pale on the ground of a selected row
            selected = state & QStyle.StateFlag.State_Selected
            painter.setFont(theme.font(role))
            painter.setPen(theme.color("text" if selected else color))
            metrics = QFontMetrics(painter.font())
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)
            line = QRect(left, area.top() + place * half + nudge * (1 - place), width, half)
            painter.drawText(
                line.adjusted(0, 0, 0, -3 * place), Qt.AlignmentFlag.AlignVCenter, shown
            )
        painter.restore()


class ModePanel(QFrame):
    """The list under the button; emits `picked` with a key and closes itself."""

    picked = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("palette")
        self.rows = QListWidget(self)
        self.rows.setAccessibleName(tr("How passages are found"))
        self.rows.setFrameShape(QFrame.Shape.NoFrame)
        self.rows.setMouseTracking(True)
        self.rows.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.rows.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._delegate = ModeDelegate(theme, self.rows)
        self.rows.setItemDelegate(self._delegate)
        for group, modes in MODE_GROUPS:
            title = QListWidgetItem(tr(group), self.rows)
            title.setFlags(Qt.ItemFlag.NoItemFlags)
            for mode in modes:
                row = QListWidgetItem(tr(mode.title), self.rows)
                row.setData(KEY_ROLE, mode.key)
                row.setData(USE_ROLE, tr(mode.use))
                row.setData(Qt.ItemDataRole.AccessibleDescriptionRole, tr(mode.use))
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 4, 8, 8)
        column.addWidget(self.rows)
        self.setFixedWidth(WIDTH)
        self.rows.itemClicked.connect(self._pick)
        self.rows.itemActivated.connect(self._pick)

    def keys(self) -> list[str]:
        """Return the ways that can be chosen, in their order."""
        found = (self.rows.item(i).data(KEY_ROLE) for i in range(self.rows.count()))
        return [key for key in found if key]

    def set_chosen(self, key: str) -> None:
        self._delegate.chosen = key
        for i in range(self.rows.count()):
            item = self.rows.item(i)
            if item.data(KEY_ROLE) == key:
                self.rows.setCurrentItem(item)
        self.rows.viewport().update()

    def fit(self) -> None:
        """Take the height of all rows, which grows with the person's type size."""
        self.rows.doItemsLayout()
        heights = (self.rows.sizeHintForRow(i) for i in range(self.rows.count()))
        self.setFixedHeight(sum(heights) + 16)

    def _pick(self, item: QListWidgetItem) -> None:
        if key := item.data(KEY_ROLE):
            self.hide()
            self.picked.emit(key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
            return
        super().keyPressEvent(event)


class ModeButton(Button):
    """Says how passages are found and opens the menu; `changed` with the key chosen."""

    changed = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__("", parent, kind="quiet", theme=theme, icon="search")
        self._compact = False
        self.mode = "walk"
        self.panel = ModePanel(theme, self)
        self.panel.picked.connect(self._picked)
        self.clicked.connect(self._open)
        self._say()

    def set_mode(self, key: str) -> None:
        """Choose how passages are found for the questions to come."""
        self.mode = key
        self._say()

    def set_compact(self, compact: bool) -> None:
        """Show the icon alone; what is chosen is the tooltip then."""
        self._compact = compact
        self._say()

    def _say(self) -> None:
        mode = mode_of(self.mode)
        # a choice that is not the usual one is never hidden behind an icon
        self.setText("" if self._compact and self.mode == "walk" else tr(mode.short))
        title, use = tr(mode.title), tr(mode.use)
        self.setToolTip(tr("How passages are found: {title}. {use}", title=title, use=use))
        self.setAccessibleName(tr("How passages are found: {title}", title=title))

    def _open(self) -> None:
        self.panel.set_chosen(self.mode)
        self.panel.fit()
        show_by(self.panel, self)
        self.panel.rows.setFocus()

    def _picked(self, key: str) -> None:
        self.set_mode(key)
        self.changed.emit(key)
