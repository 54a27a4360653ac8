"""Buttons and check boxes: icon only, primary, plain; and shortcuts.

Every button has an accessible name. Knows no screens.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QHelpEvent,
    QIcon,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QShortcut,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QFrame,
    QPushButton,
    QRadioButton,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QStylePainter,
    QToolButton,
    QToolTip,
    QWidget,
)

from desktop_app.ui.theme.theme import Theme

from .labels import is_click, is_click_key, paint_box, paint_type_disc
from .words import format_type, plain_tip

LEAST_ELIDED = 48  # pixels; a control with an elided text may become as narrow as this
LINK_PAD = 5  # pixels at each side of the text of a link: in line with labels without it
WORDS_ROOM = 28  # pixels around an icon and its words, and between them
STYLE_ROOM = 16  # of them, those of the style sheet
ICON_GAP = 4  # pixels between icon and text, added to the 4 of the style


class IconButton(QToolButton):
    """A 28-px button with an icon; the tooltip is also its accessible name.

    It may have words beside the icon, where there is room for them.
    """

    def __init__(
        self,
        theme: Theme,
        icon: str,
        tooltip: str,
        parent: QWidget | None = None,
        *,
        color: str = "text2",
        size: int = 16,
        shortcut: str = "",
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._color = color
        self._size = size
        self._words = ""
        # keyboard focus only, so that a click leaves no focus ring
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        theme.changed.connect(self._fit)
        self._fit()
        self.set_icon(icon)
        self.set_tooltip(tooltip, shortcut)

    def _fit(self) -> None:
        icon, side = self._theme.length(self._size), self._theme.length(max(28, self._size + 12))
        if self.iconSize().width() != icon or self.width() != side:
            self.setIconSize(QSize(icon, icon))
            self.setFixedSize(side, side)
        if self._words:
            self.setFixedWidth(self.words_width())

    def set_words(self, words: str) -> None:
        """Show words beside the icon, or the icon alone for ""."""
        if words == self._words:
            return
        self._words = words
        style = Qt.ToolButtonStyle
        self.setText(f" {words}" if words else "")  # a gap after the icon
        self.setToolButtonStyle(
            style.ToolButtonTextBesideIcon if words else style.ToolButtonIconOnly
        )
        self.setFixedWidth(self.words_width() if words else self.height())

    def words_width(self, words: str = "") -> int:
        """Return the width of the button with words beside its icon."""
        metrics = QFontMetrics(self._theme.font("text"))
        advance = metrics.horizontalAdvance(f" {words or self._words}")
        # Qt leaves two spaces around a text, wide ones in a font of fixed width, and the style more
        around = 2 * metrics.horizontalAdvance(" ") + self._theme.length(STYLE_ROOM)
        return self.iconSize().width() + advance + max(self._theme.length(WORDS_ROOM), around)

    def set_icon(self, icon: str, color: str = "") -> None:
        color = color or self._color
        self.setIcon(self._theme.icon(icon, color=color, fills=QIcon.State.On))

    def set_tooltip(self, tooltip: str, shortcut: str = "") -> None:
        """Set the tooltip and accessible name, with the shortcut."""
        self.setToolTip(f"{tooltip} ({format_keys(shortcut)})" if shortcut else tooltip)
        self.setAccessibleName(tooltip)
        self.keys = shortcut


class Button(QPushButton):
    """A button with a text; `kind` is "", "primary", "soft", "quiet", "bare", "link" or "danger".

    With `elide`, the button may be narrower than its text, which then ends in "…"; the whole
    text is then in its tooltip. With `icon_alone` it shows only its icon then, as a command does:
    of a verb, the first letters say nothing.
    """

    def __init__(
        self,
        text: str,
        parent: QWidget | None = None,
        *,
        kind: str = "",
        theme: Theme | None = None,
        icon: str = "",
        tooltip: str = "",
        elide: bool = False,
        icon_alone: bool = False,
    ) -> None:
        super().__init__(text, parent)
        self._elides, self._icon_alone = elide or icon_alone, icon_alone
        self._icon_name = icon if theme is not None else ""
        if self._elides:  # the default policy does not let a button be narrower than its size hint
            self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setProperty("kind", kind)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor if kind == "link" else self.cursor())
        if theme is not None and icon:
            color = {"primary": "on_accent", "soft": "accent"}.get(kind, "text2")
            self.setIcon(theme.icon(icon, color=color))
            self._theme = theme
            theme.changed.connect(self._fit_icon)
            self._fit_icon()
        if tooltip:
            self.setToolTip(tooltip)

    def set_primary(self, primary: bool) -> None:
        """Make it the main action of its screen, or a plain button."""
        kind = "primary" if primary else ""
        if self.property("kind") == kind:
            return
        self.setProperty("kind", kind)
        self.style().unpolish(self)
        self.style().polish(self)
        if self._icon_name:
            color = "on_accent" if primary else "text2"
            self.setIcon(self._theme.icon(self._icon_name, color=color))

    def _fit_icon(self) -> None:
        side = self._theme.length(16)
        self.setIconSize(QSize(side, side))

    def initStyleOption(self, option: QStyleOptionButton) -> None:
        super().initStyleOption(option)
        left_to_right = option.direction == Qt.LayoutDirection.LeftToRight
        if option.text and not option.icon.isNull() and left_to_right:
            size = option.iconSize  # an icon is painted at the left of a wider place
            gap = ICON_GAP * size.height() // 16
            option.iconSize = QSize(size.width() + gap, size.height())
        elif option.text and not option.icon.isNull():  # there, a space is the gap
            option.text = f" {option.text}"

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), LEAST_ELIDED), hint.height()) if self._elides else hint

    @property
    def is_icon_alone(self) -> bool:
        """Whether it shows its icon without its text."""
        return self._icon_alone and self.width() < self.sizeHint().width()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._elides or self.width() >= self.sizeHint().width():
            super().paintEvent(event)
            return
        option = QStyleOptionButton()
        self.initStyleOption(option)
        missing = self.sizeHint().width() - self.width()
        option.text = "" if self.is_icon_alone else elide_beside(option, option.text, missing)
        if self.is_icon_alone:
            option.iconSize = self.iconSize()  # without the gap before the text
        painter = QStylePainter(self)
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        painter.end()

    def event(self, event: QEvent) -> bool:
        if self._elides:
            show_whole_text(self, event)
        return super().event(event)


CARET, CARET_GAP, CARET_RIGHT = 12, 4, 6  # pixels


class CaretButton(Button):
    """A button with an icon, a text and a caret: it opens a menu or a panel. Most are quiet."""

    def __init__(
        self,
        text: str,
        theme: Theme,
        icon: str,
        parent: QWidget | None = None,
        *,
        kind: str = "bare",
    ) -> None:
        super().__init__(text, parent, kind=kind, theme=theme, icon=icon, elide=True)
        self.setStyleSheet(
            f"QPushButton {{ padding: 0 {CARET_RIGHT}px 0 12px; }}"  # not shown
            f"QPushButton:focus {{ padding: 0 {CARET_RIGHT - 1}px 0 11px; }}"  # not shown
        )

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(hint.width() + self._caret_room(), hint.height())

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()  # all options fit beside each other in large text
        return QSize(min(hint.width(), self.iconSize().width() + 8), hint.height())

    def _caret_room(self) -> int:
        """Return the width of the caret, which marks that something opens."""
        return self._theme.length(CARET + CARET_GAP)

    def caret_place(self) -> QRect:
        """Return where the caret is: beside the text, also in a button that is wider."""
        side, rect = self._theme.length(CARET), self.rect()
        right = min(rect.right(), rect.left() + self.sizeHint().width() - 1) - CARET_RIGHT
        return QRect(right - side, rect.center().y() - side // 2 + 1, side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        missing = self.sizeHint().width() - self.width()
        option = QStyleOptionButton()
        self.initStyleOption(option)
        if missing > 0:
            option.text = elide_beside(option, self.text(), missing)
        painter = QStylePainter(self)
        painter.drawControl(QStyle.ControlElement.CE_PushButtonBevel, option)
        place = self.caret_place()
        option.rect.setRight(place.right() + CARET_RIGHT - self._caret_room())
        painter.drawControl(QStyle.ControlElement.CE_PushButtonLabel, option)
        color = "on_accent" if self.property("kind") == "primary" else "text2"
        self._theme.icon("caret-down", color=color).paint(painter, place)
        painter.end()


def least_elided_size(hint: QSize) -> QSize:
    """Return the least size of a button whose text may be elided."""
    return QSize(min(hint.width(), LEAST_ELIDED), hint.height())


def paint_elided(
    button: QCheckBox | QRadioButton,
    element: QStyle.ControlElement,
    mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> None:
    """Paint a check box or radio button with its text elided where it has no room."""
    option = QStyleOptionButton()
    button.initStyleOption(option)
    missing = button.sizeHint().width() - button.width()
    option.text = elide_beside(option, button.text(), missing, mode)
    painter = QStylePainter(button)
    painter.drawControl(element, option)
    painter.end()


class CheckBox(QCheckBox):
    """A check box whose text is elided at its end or in its middle."""

    def __init__(
        self,
        text: str = "",
        parent: QWidget | None = None,
        *,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        super().__init__(text, parent)
        self._mode = mode
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        return least_elided_size(super().minimumSizeHint())

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_elided(self, QStyle.ControlElement.CE_CheckBox, self._mode)

    def event(self, event: QEvent) -> bool:
        show_whole_text(self, event)
        return super().event(event)


class RadioButton(QRadioButton):
    """A radio button whose text is elided at its end: it contains a title, of a model or a file."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        return least_elided_size(super().minimumSizeHint())

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_elided(self, QStyle.ControlElement.CE_RadioButton)

    def event(self, event: QEvent) -> bool:
        show_whole_text(self, event)
        return super().event(event)


TRACK_WIDTH, TRACK_HEIGHT, KNOB_INSET = 30, 18, 3  # pixels


class Switch(QCheckBox):
    """A check box drawn as a switch: for settings, and what is shown or hidden at once."""

    def __init__(self, theme: Theme, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._theme = theme
        theme.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        length, text = self._theme.length, self.fontMetrics().horizontalAdvance(self.text())
        beside = length(8) + text + 2 if text else 0
        return QSize(length(TRACK_WIDTH) + beside, length(28))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def hitButton(self, point: QPoint) -> bool:
        return self.rect().contains(point)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, length, on = self._theme, self._theme.length, self.isChecked()
        width, height = length(TRACK_WIDTH), length(TRACK_HEIGHT)
        track = QRectF(0.5, (self.height() - height) / 2 + 0.5, width - 1, height - 1)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(theme.color("accent" if on else "text2"))
        painter.setBrush(theme.color("accent" if on else "surface"))
        painter.drawRoundedRect(track, track.height() / 2, track.height() / 2)
        side = track.height() - 2 * KNOB_INSET
        left = track.right() - KNOB_INSET - side if on else track.left() + KNOB_INSET
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("on_accent" if on else "text2"))
        painter.drawEllipse(QRectF(left, track.top() + KNOB_INSET, side, side))
        painter.setPen(theme.color("text"))
        painter.setFont(self.font())
        words = self.rect().adjusted(width + length(8), 0, 0, 0)
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, self.text())
        painter.end()


class ClickArea(QFrame):
    """A part of a page with several texts that is clicked as a whole, also by Return and Space."""

    clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)  # repaint under the pointer
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if is_click(self, event):
            self.clicked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if is_click_key(event):
            self.clicked.emit()
        else:
            super().keyPressEvent(event)


def elide_beside(
    option: QStyleOptionButton,
    text: str,
    missing: int,
    mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> str:
    """Return the text of a control that is narrower than its size hint by so many pixels."""
    if missing <= 0:
        return text
    metrics, flags = option.fontMetrics, Qt.TextFlag.TextShowMnemonic
    width = metrics.size(flags, text).width()
    return metrics.elidedText(text, mode, max(0, width - missing), flags)


def show_whole_text(control: QAbstractButton, event: QEvent) -> None:
    """Show the text of an elided control before its own tooltip."""
    if not isinstance(event, QHelpEvent):
        return  # calling sizeHint at other events would polish the control too early
    if control.width() < control.sizeHint().width():
        parts = (control.text().replace("&&", "&"), control.toolTip())
        text = plain_tip("\n".join(filter(None, parts)))
        QToolTip.showText(event.globalPos(), text, control)


class PrimaryButton(Button):
    """The main action of a screen."""

    def __init__(
        self,
        text: str,
        parent: QWidget | None = None,
        *,
        theme: Theme | None = None,
        icon: str = "",
        tooltip: str = "",
        elide: bool = False,
        icon_alone: bool = False,
    ) -> None:
        super().__init__(
            text,
            parent,
            kind="primary",
            theme=theme,
            icon=icon,
            tooltip=tooltip,
            elide=elide,
            icon_alone=icon_alone,
        )


PALE_KEYS = 0.85  # opacity on the filled button: its contrast stays above 4.5
KEYS_GAP = 8  # pixels between the text of a button and its keys


class KeyButton(Button):
    """A button that names its keys behind its text, smaller and paler, where it has room for them.

    With `shows_keys`, its size hint has room for them; they are left out before the text is elided.
    """

    def __init__(
        self,
        theme: Theme,
        text: str,
        parent: QWidget | None = None,
        *,
        keys: str = "",
        primary: bool = False,
    ) -> None:
        super().__init__(text, parent, kind="primary" if primary else "", elide=True)
        self._theme, self.keys, self.shows_keys = theme, format_keys(keys), True
        theme.changed.connect(self.updateGeometry)

    def set_keys_shown(self, shown: bool) -> None:
        if shown != self.shows_keys:
            self.shows_keys = shown
            self.updateGeometry()
            self.update()

    def text_width(self) -> int:
        """Return the width of the button with its text alone."""
        return super().sizeHint().width()

    def full_width(self) -> int:
        """Return the width of the button with its text and its keys."""
        metrics = QFontMetrics(self._theme.font("small"))
        keys = KEYS_GAP + metrics.horizontalAdvance(self.keys) if self.keys else 0
        return self.text_width() + keys

    def sizeHint(self) -> QSize:
        width = self.full_width() if self.shows_keys else self.text_width()
        return QSize(width, super().sizeHint().height())

    def has_keys_painted(self) -> bool:
        return self.shows_keys and bool(self.keys) and self.width() >= self.full_width()

    def event(self, event: QEvent) -> bool:
        is_whole = self.width() >= self.text_width() if isinstance(event, QHelpEvent) else True
        return QPushButton.event(self, event) if is_whole else super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionButton()
        self.initStyleOption(option)
        missing = self.text_width() - self.width()
        text, option.text = elide_beside(option, self.text(), missing), ""
        painter = QStylePainter(self)
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        option.text = text
        if self.has_keys_painted():
            beside = (self.width() - self.full_width()) // 2
            whole = option.rect.adjusted(beside, 0, -beside, 0)
            option.rect = whole.adjusted(0, 0, self.text_width() - self.full_width(), 0)
            self._paint_keys(painter, whole)
        painter.setFont(self.font())
        painter.drawControl(QStyle.ControlElement.CE_PushButtonLabel, option)
        painter.end()

    def _paint_keys(self, painter: QPainter, area: QRect) -> None:
        """Paint the keys at the right of an area that is as wide as the text and the keys."""
        font = self._theme.font("small")
        font.setWeight(QFont.Weight.Normal)  # otherwise a painter takes that of the button
        padding = (self.text_width() - self._text_room()) // 2
        width = QFontMetrics(font).horizontalAdvance(self.keys)
        is_primary = self.property("kind") == "primary"
        color = self._theme.color("on_accent" if is_primary else "text2")
        if not self.isEnabled():
            color = self._theme.color("text2")
        elif is_primary and not self._theme.is_high:
            color.setAlphaF(PALE_KEYS)
        painter.setFont(font)
        painter.setPen(color)
        left = area.adjusted(area.width() - padding - width, 0, 0, 0)
        painter.drawText(left, Qt.AlignmentFlag.AlignVCenter, self.keys)

    def _text_room(self) -> int:
        return self.fontMetrics().size(Qt.TextFlag.TextShowMnemonic, self.text()).width()


class KeyDescriptions(QObject):
    """What the keys do that a widget handles itself, for the list of shortcuts.

    Args:
        keys: pairs of the keys ("Shift+N") and a text for `tr`.
    """

    def __init__(self, owner: QWidget, keys: Sequence[tuple[str, str]]) -> None:
        super().__init__(owner)
        self.keys = keys


def format_keys(keys: str | QKeySequence) -> str:
    """Return keys as the system names them, with Enter where Qt has "Return"; "" for none.

    Keyboards for Linux and Windows have "Enter" on this key; Qt has a sign for it on macOS. What
    Qt does not read as keys is returned as it is.
    """
    known = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
    shown = known or (keys if isinstance(keys, str) else "")
    return shown.replace("Return", "Enter")


def add_shortcut(
    owner: QWidget, keys: str, act: Callable[[], object], words: str = ""
) -> QShortcut:
    """Return a shortcut that works while the focus is in this widget.

    Args:
        words: description for the list of shortcuts and the command palette; empty where a
            button has the same shortcut in its tooltip.
    """
    shortcut = QShortcut(QKeySequence(keys), owner)
    shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    shortcut.activated.connect(act)
    shortcut.setWhatsThis(words)
    return shortcut


LONGEST = 220  # pixels of the text of a chip
DISC, NAME_LEFT, COUNT_GAP = 16, 24, 8  # pixels in a row: of the mark of a type, and around a name


class NameChip(QAbstractButton):
    """An entity; without a type it is a search word and cannot be opened.

    Ctrl+Return emits `double_clicked`.
    """

    double_clicked = Signal()

    def __init__(
        self,
        theme: Theme,
        name: str,
        entity_type: str = "",
        parent: QWidget | None = None,
        *,
        tooltip: str = "",
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._type = entity_type
        self.setText(" ".join(name.split()))
        self.setAccessibleName(f"{name}, {format_type(entity_type)}" if entity_type else name)
        self.setToolTip(plain_tip(tooltip or name))
        focus = Qt.FocusPolicy.TabFocus if entity_type else Qt.FocusPolicy.NoFocus
        self.setFocusPolicy(focus)
        if entity_type:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self._theme.font("small"))
        left = 26 if self._type else 8
        width = min(LONGEST, metrics.horizontalAdvance(self.text())) + left + 10
        return QSize(width, max(24, metrics.height() + 6))

    def event(self, event: QEvent) -> bool:
        """Keep Return for the chip where the screen has a shortcut of the same keys."""
        is_override = event.type() == QEvent.Type.ShortcutOverride
        if is_override and cast(QKeyEvent, event).key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
        elif event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.double_clicked.emit()
        else:
            self.click()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, left = self._theme, 8
        hovered = self.underMouse() and bool(self._type)
        ground = theme.color("accent_soft") if hovered else theme.color("text2", 0.12)
        with QPainter(self) as painter:
            edge = theme.color("accent") if self.hasFocus() else theme.edge()
            paint_box(painter, QRectF(self.rect()), ground, edge)
            if self._type:
                disc = QRectF(5, self.height() / 2 - 8, 16, 16)
                paint_type_disc(painter, disc, self._type, theme)
                left = 26
            painter.setFont(theme.font("small"))
            painter.setPen(theme.color("text"))
            metrics = QFontMetrics(painter.font())
            room = self.width() - left - 6
            shown = metrics.elidedText(self.text(), Qt.TextElideMode.ElideRight, room)
            text = QRectF(left, 0, room + 2, self.height())
            painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, shown)


class NameRow(NameChip):
    """An entity as a row of a list, without a ground; the number is at the right end."""

    def __init__(
        self,
        theme: Theme,
        name: str,
        entity_type: str,
        parent: QWidget | None = None,
        *,
        tooltip: str = "",
        count: str = "",
    ) -> None:
        super().__init__(theme, name, entity_type, parent, tooltip=tooltip)
        self.count = count
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self._theme.font("text"))
        number = QFontMetrics(self._theme.font("number")).horizontalAdvance(self.count)
        width = NAME_LEFT + metrics.horizontalAdvance(self.text()) + COUNT_GAP + number
        return QSize(width, max(24, metrics.height() + 6))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, area = self._theme, QRectF(self.rect())
        middle = Qt.AlignmentFlag.AlignVCenter
        with QPainter(self) as painter:
            if self.hasFocus():
                paint_box(painter, area, theme.color("accent", 0.0), theme.color("accent"))
            disc = QRectF(1, area.center().y() - DISC / 2, DISC, DISC)
            paint_type_disc(painter, disc, self._type, theme)
            painter.setFont(theme.font("number"))
            painter.setPen(theme.color("text2"))
            painter.drawText(
                area.adjusted(0, 0, -1, 0), middle | Qt.AlignmentFlag.AlignRight, self.count
            )
            taken = painter.fontMetrics().horizontalAdvance(self.count) + COUNT_GAP
            painter.setFont(theme.font("text"))
            painter.setPen(theme.color("accent" if self.underMouse() else "text"))
            room = area.adjusted(NAME_LEFT, 0, -taken, 0)
            how = Qt.TextElideMode.ElideRight
            shown = painter.fontMetrics().elidedText(self.text(), how, int(room.width()))
            painter.drawText(room, middle, shown)
