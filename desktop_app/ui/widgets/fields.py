"""Fields: the drop-down box, the number, the search field with its delay, the list of words."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPalette, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLineEdit,
    QSpinBox,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionComboBox,
    QStyleOptionViewItem,
    QToolButton,
    QWidget,
)

from desktop_app.ui.theme.theme import Theme

from ..translation import tr
from .buttons import Button
from .layout import Flow, build_column

_SEPARATORS = re.compile(r"[,，、;；\n]")


BESIDE = 28  # pixels of padding and margins beside the text of a field
CLEAR_ACTION = "_q_qlineeditclearaction"  # not shown: Qt's name for it
TEXT_INSET = 8  # pixels before the text of a field, as in the style sheet


class ChoiceDelegate(QStyledItemDelegate):
    """Paints a row of a drop-down list in the colours of the application's palette.

    The current choice has a check mark and bold type, the choice of keyboard and pointer a ground
    and a border: the styles of Qt mark neither in a dark theme.
    """

    MARK = 24  # pixels at the right, below the arrow of the box

    def __init__(self, box: QComboBox) -> None:
        super().__init__(box)
        self._box = box

    def is_current(self, index: QModelIndex | QPersistentModelIndex) -> bool:
        """Return whether this is the row that the box shows."""
        return index.row() == self._box.currentIndex()

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        hint = super().sizeHint(option, index)
        return QSize(hint.width() + self.MARK, max(28, option.fontMetrics.height() + 10))

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        palette, role = QApplication.palette(), QPalette.ColorRole
        area = QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chosen = bool(
            option.state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver)
        )
        if chosen:
            painter.setPen(QPen(palette.color(role.Accent), 1))
            painter.setBrush(palette.color(role.Highlight))  # in high contrast the accent
            painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        font = option.font
        font.setBold(self.is_current(index))
        painter.setFont(font)
        enabled = bool(option.state & QStyle.StateFlag.State_Enabled)
        group = QPalette.ColorGroup.Active if enabled else QPalette.ColorGroup.Disabled
        painter.setPen(palette.color(group, role.HighlightedText if chosen else role.Text))
        room = area.adjusted(8, 0, -self.MARK, 0)
        text = str(index.data(Qt.ItemDataRole.DisplayRole) or "")
        shown = QFontMetrics(font).elidedText(text, option.textElideMode, int(room.width()))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, shown)
        if self.is_current(index):
            ground = palette.color(role.Highlight if chosen else role.Base)
            accent = palette.color(role.Accent)
            pen = QPen(palette.color(role.HighlightedText) if accent == ground else accent, 2)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            middle = QPointF(area.right() - self.MARK / 2 - 2, area.center().y())
            points = [middle + QPointF(-5, 0), middle + QPointF(-1.5, 3.5), middle + QPointF(5, -4)]
            painter.drawPolyline(points)
        painter.restore()


class ChoiceBox(QComboBox):
    """A drop-down box whose list marks the current choice and that of the keyboard.

    A choice without room in the box ends in "…".
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setItemDelegate(ChoiceDelegate(self))

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        super().initStyleOption(option)
        box, part = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
        field = self.style().subControlRect(box, option, part, self)
        icon = self.iconSize().width() + 4 if not option.currentIcon.isNull() else 0
        room = max(16, field.width() - icon - 4)
        option.currentText = self.fontMetrics().elidedText(
            option.currentText, Qt.TextElideMode.ElideRight, room
        )

    def fit_choices(self) -> None:
        """Make the box wide enough for each of its choices: Qt forgets the space of the style."""
        texts = [self.itemText(index) for index in range(self.count())]
        widest = max(map(self.fontMetrics().horizontalAdvance, texts), default=0)
        self.ensurePolished()
        option = QStyleOptionComboBox()
        super().initStyleOption(option)
        option.rect = QRect(0, 0, 4 * widest, self.sizeHint().height())
        box, part = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
        field = self.style().subControlRect(box, option, part, self)
        self.setMinimumWidth(widest + option.rect.width() - field.width() + BESIDE)

    def mark_active(self, active: bool) -> None:
        """Mark the box of a filter that narrows a list, by its ground, border and bold text."""
        if bool(self.property("active")) != active:
            self.setProperty("active", active)
            self.style().unpolish(self)
            self.style().polish(self)

    def setEditable(self, editable: bool) -> None:
        super().setEditable(editable)
        self.setItemDelegate(ChoiceDelegate(self))  # Qt puts its own in its place


ICON_SPACE = 8  # pixels that the style leaves too much between the icon and the text


class NumberBox(QSpinBox):
    """A field for a number; its text begins where that of other fields does."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # Qt gives the padding of a style sheet to the frame, not to the text
        self.lineEdit().setTextMargins(TEXT_INSET, 0, TEXT_INSET, 0)


class SearchField(QLineEdit):
    """Emits `searched` 150 ms after the last key, at once on Return; Escape clears it.

    `left_down` is emitted for the Down key, so that a screen can focus its list.

    Args:
        short: the placeholder where there is no room for the usual one.
    """

    searched = Signal(str)
    left_down = Signal()

    def __init__(
        self,
        theme: Theme,
        placeholder: str,
        parent: QWidget | None = None,
        *,
        delay_ms: int = 150,
        short: str = "",
    ) -> None:
        super().__init__(parent)
        self._words, self._short = placeholder, short
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(placeholder)
        self.setClearButtonEnabled(True)
        self.addAction(theme.icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        name_icons(self)
        self.setTextMargins(-ICON_SPACE, 0, 0, 0)
        self._last = ""
        self._timer = QTimer(self, singleShot=True, interval=delay_ms)
        self._timer.timeout.connect(self._search)
        self.textChanged.connect(lambda _: self._timer.start())
        self.returnPressed.connect(self._search)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Have the placeholder as tooltip where there is no room for all of it."""
        super().resizeEvent(event)
        words = self._words
        icons = sum(b.width() for b in self.findChildren(QToolButton) if not b.isHidden())
        needed = self.fontMetrics().horizontalAdvance(words) + icons + BESIDE
        is_tight = needed > self.width()
        self.setToolTip(words if is_tight else "")
        if self._short:
            self.setPlaceholderText(self._short if is_tight else words)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
            return
        if event.key() == Qt.Key.Key_Down:
            self._search()
            self.left_down.emit()
            return
        super().keyPressEvent(event)

    def _search(self) -> None:
        self._timer.stop()
        text = self.text().strip()
        if text != self._last:
            self._last = text
            self.searched.emit(text)


def name_icons(field: QLineEdit) -> None:
    """Give the icons in a field their accessible names: the texts of their actions, or its own."""
    for icon in field.findChildren(QToolButton):
        action = icon.defaultAction()
        is_clear = action is not None and action.objectName() == CLEAR_ACTION
        words = tr("Clear") if is_clear else action.text() if action is not None else ""
        icon.setAccessibleName(words or field.accessibleName())


def go_to_list(view: QAbstractItemView) -> None:
    """Focus a list, at its first row if it has no current one."""
    model = view.model()
    if model is None or not model.rowCount():
        return
    if not view.currentIndex().isValid():
        view.setCurrentIndex(model.index(0, 0))
    view.setFocus(Qt.FocusReason.TabFocusReason)


class WordFormat(NamedTuple):
    """How the words of a list are shown, and which word is meant by a shown one."""

    format: Callable[[str], str] = str
    parse: Callable[[str], str] = str


AS_IS = WordFormat()


class WordList(QWidget):
    """An ordered list without repetitions; `changed` is emitted when the user changes it.

    Args:
        adds_on_leaving: whether a typed word is added when the field is left, too; else only by
            Return and a separator.
    """

    changed = Signal()

    def __init__(
        self,
        theme: Theme,
        name: str,
        word_format: WordFormat = AS_IS,
        parent: QWidget | None = None,
        *,
        adds_on_leaving: bool = True,
    ) -> None:
        super().__init__(parent)
        self._theme, self._name, self._format = theme, name, word_format
        self._words: list[str] = []
        self.buttons: list[Button] = []
        self._chips = Flow(gap=4)
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("Add, separated by commas"))
        self.field.setAccessibleName(name)
        if adds_on_leaving:
            self.field.editingFinished.connect(self.add_typed)
        else:
            self.field.returnPressed.connect(self.add_typed)
            self.field.textEdited.connect(self._add_separated)
        self.setFocusProxy(self.field)
        build_column(self._chips, self.field, parent=self, spacing=4)

    def chosen(self) -> tuple[str, ...]:
        """Return the words that have been added."""
        return tuple(self._words)

    def words(self) -> tuple[str, ...]:
        """Return the words, including typed text that is not added yet."""
        parts = (" ".join(part.split()) for part in _SEPARATORS.split(self.field.text()))
        typed = (self._format.parse(part) for part in parts if part)
        return tuple(dict.fromkeys((*self._words, *typed)))

    def set_words(self, words: tuple[str, ...]) -> None:
        self._words = list(dict.fromkeys(w.strip() for w in words if w.strip()))
        self._chips.clear()
        self.buttons = []
        for word in self._words:
            text = self._format.format(word)
            button = Button(text.replace("&", "&&"), kind="chip", theme=self._theme, icon="close")
            button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the cross after the word
            button.setToolTip(tr("Remove “{word}”", word=text))
            button.setAccessibleName(tr("{list}: remove {word}", list=self._name, word=text))
            button.clicked.connect(lambda _=False, word=word: self.remove(word))
            self._chips.add(button)
            self.buttons.append(button)
        self._chips.setVisible(bool(self._words))

    def add_typed(self) -> None:
        """Add the typed words, separated by commas."""
        words = self.words()
        self.field.clear()
        if words != tuple(self._words):
            self.set_words(words)
            self.changed.emit()

    def _add_separated(self, text: str) -> None:
        """Add what is before a separator that was just typed."""
        if text.strip() and _SEPARATORS.match(text.strip()[-1]):
            self.add_typed()

    def typed_word(self) -> str:
        """Return the word that is being typed."""
        return " ".join(_SEPARATORS.split(self.field.text())[-1].split())

    def complete_word(self, word: str) -> None:
        """Add a word in place of the one that is being typed."""
        before = _SEPARATORS.split(self.field.text())[:-1]
        self.field.setText(",".join([*before, word]))
        self.add_typed()

    def remove(self, word: str) -> None:
        place = self._words.index(word)
        self.set_words(tuple(w for w in self._words if w != word))
        # keep the keyboard focus in place
        near = self.buttons[min(place, len(self.buttons) - 1)] if self.buttons else self.field
        near.setFocus()
        self.changed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Return adds a word; it must not press the default button of a dialog
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()
            return
        super().keyPressEvent(event)
