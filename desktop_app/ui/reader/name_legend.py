"""The card under the button of names: which underline is which type, and what is underlined.

Owns its rows, and when the card opens and closes. `VisibleNames` counts, the views paint.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QKeyEvent, QPainter, QPixmap
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QGraphicsDropShadowEffect,
    QMenu,
    QVBoxLayout,
    QWidget,
)

from ..theme.design_tokens import TYPE_SHAPES, Tokens
from ..theme.theme import Theme
from ..translation import later, tr, trn
from ..widgets.buttons import CheckBox, IconButton
from ..widgets.labels import Label
from ..widgets.layout import STRETCH, Hairline, build_column, build_row
from ..widgets.words import format_number, format_type
from .look import SHADOW, paint_name_line

WIDTH = 280  # pixels: the explanation of "Every mention" on two lines
EDGE = 8  # pixels between the card and the edges of the reader
SWATCH = QSize(34, 12)  # pixels of the underline in a row, with the gap after it
SWATCH_LINE, SWATCH_GAP = 4.0, 6  # pixels: its thickness, and the gap
KINDS = {
    "person": later("Persons"),
    "place": later("Places"),
    "organisation": later("Organisations"),
    "event": later("Events"),
    "object": later("Objects"),
    "concept": later("Concepts"),
    "other": later("Others"),
}


def words_of_kind(kind: str) -> str:
    """Return the word for the names of a type; a type of the user is returned as it is."""
    return tr(KINDS[kind]) if kind in KINDS else format_type(kind, capital=True)


class TypeToggle(CheckBox):
    """Says whether the names of a type are underlined, beside the underline that they have."""

    def __init__(self, theme: Theme, kind: str, count: int, parent: QWidget) -> None:
        super().__init__(words_of_kind(kind), parent)
        self._theme, self.kind = theme, kind
        self.setChecked(True)
        self.setIconSize(SWATCH)
        names = trn("{n} name", "{n} names", count)
        self.setAccessibleName(f"{self.text()}: {names}")

    def show_swatch(self, tokens: Tokens) -> None:
        """Draw the underline of the type as it is on a page with these colours."""
        ratio = self.devicePixelRatioF()
        picture = QPixmap(SWATCH * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        middle = SWATCH.height() / 2
        top = middle - SWATCH_LINE / 2
        paint_name_line(
            painter,
            0,
            SWATCH.width() - SWATCH_GAP,
            top,
            tokens,
            self.kind,
            ratio,
            strong=True,
            wide=SWATCH_LINE,
        )
        painter.end()
        self.setIcon(QIcon(picture))


class NameLegend(QFrame):
    """Shows which types of names are underlined in a document, with the number of names.

    It stays open until it is closed or something else is clicked; scrolling leaves it open. The
    most frequent type is the first. `hidden_kinds_changed` carries the types that are switched off.
    For pages, `every` says whether each mention is underlined or the first one on each page;
    `every_toggled` is emitted when it is clicked, `switched_off` when no name shall be underlined.
    """

    every_toggled = Signal()
    switched_off = Signal()
    hidden_kinds_changed = Signal(object)  # frozenset of types

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._tokens = theme, theme.tokens
        self._button: QWidget | None = None  # under which it is
        self.counts: dict[str, int] = {}
        self.toggles: dict[str, TypeToggle] = {}
        self._hidden: set[str] = set()
        self.setObjectName("nameLegend")
        self.shown = CheckBox(tr("Underline names"), self)
        self.shown.setChecked(True)
        self.shown.clicked.connect(self._switch_off)
        self.close_button = IconButton(theme, "close", tr("Close"), self, shortcut="Esc")
        self.close_button.clicked.connect(self.close_legend)
        self.empty = Label(tr("No names were found in this document."), "small", self, wrap=True)
        self.every = CheckBox(tr("Every mention"), self)
        self.every.clicked.connect(self.every_toggled)
        self.every_words = Label("", "small", self, wrap=True)
        self._every_rule = Hairline(parent=self)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(0)
        self._row_widgets: list[QWidget] = []
        self._column = build_column(
            build_row(self.shown, STRETCH, self.close_button),
            Hairline(parent=self),
            self.empty,
            self._rows,
            self._every_rule,
            self.every,
            self.every_words,
            parent=self,
            spacing=4,
            margins=(14, 8, 10, 12),
        )
        shadow = QGraphicsDropShadowEffect(self, blurRadius=18.0)
        shadow.setOffset(0, 3)
        shadow.setColor(QColor(0, 0, 0, SHADOW))
        self.setGraphicsEffect(shadow)
        theme.changed.connect(self._draw_swatches)
        parent.installEventFilter(self)
        self.set_every_name(False)
        self.set_paged(False)
        self.hide()

    # --- content ----------------------------------------------------------------------------

    def set_every_name(self, every: bool) -> None:
        """Say whether every mention is underlined, or the first one on each page."""
        self.every.setChecked(every)
        first = tr("Otherwise only the first mention on each page is underlined.")
        words = first if every else tr("Now only the first mention on each page is underlined.")
        self.every_words.setText(words)
        self.every.setAccessibleDescription(words)
        self._place()

    def set_paged(self, paged: bool) -> None:
        """Say whether the document has pages."""
        for part in (self._every_rule, self.every, self.every_words):
            part.setVisible(paged)
        self._place()

    def set_page_tokens(self, tokens: Tokens) -> None:
        """Draw the underlines as on a page with these colours."""
        if tokens is not self._tokens:
            self._tokens = tokens
            self._draw_swatches()

    def show_counts(self, counts: Mapping[str, int]) -> None:
        """Show these types with their numbers of names; none if empty. Choices stay."""
        order = list(TYPE_SHAPES)

        def place(kind: str) -> tuple[int, int, str]:
            return -counts[kind], order.index(kind) if kind in order else len(order), kind

        sorted_counts = {kind: counts[kind] for kind in sorted(counts, key=place)}
        if sorted_counts == self.counts:
            return
        self.counts = sorted_counts
        for row in self._row_widgets:
            row.hide()
            row.deleteLater()
        self.toggles, self._row_widgets = {}, []
        for kind, count in sorted_counts.items():
            row = QWidget(self)
            toggle = self.toggles[kind] = TypeToggle(self._theme, kind, count, row)
            toggle.setChecked(kind not in self._hidden)
            toggle.toggled.connect(lambda on, kind=kind: self._choose(kind, on))
            build_row((toggle, 1), Label(format_number(count), "small", row), 4, parent=row)
            self._rows.addWidget(row)
            self._row_widgets.append(row)
            row.show()
        self.empty.setVisible(not counts)
        self._draw_swatches()
        self._place()

    def hidden_kinds(self) -> frozenset[str]:
        """Return the types whose names have no underline."""
        return frozenset(self._hidden)

    def _choose(self, kind: str, on: bool) -> None:
        self._hidden = self._hidden - {kind} if on else self._hidden | {kind}
        self.hidden_kinds_changed.emit(self.hidden_kinds())

    def _switch_off(self) -> None:
        self.shown.setChecked(True)  # for the next time that it is opened
        self.close_legend()
        self.switched_off.emit()

    def _draw_swatches(self) -> None:
        for toggle in self.toggles.values():
            toggle.show_swatch(self._tokens)

    # --- place ------------------------------------------------------------------------------

    def toggle_under(self, button: QWidget) -> None:
        """Open the card under a button of the toolbar, or close it."""
        if not self.isHidden():
            self.close_legend()
            return
        self._button = button
        self.show()
        self._place()
        self.raise_()
        _application().installEventFilter(self)

    def close_legend(self) -> None:
        _application().removeEventFilter(self)
        self.hide()

    def _place(self) -> None:
        area, button = self.parentWidget(), self._button
        if self.isHidden() or button is None or area is None:
            return
        width = min(self._theme.length(WIDTH), area.width() - 2 * EDGE)
        self._column.activate()
        height = min(self._column.totalHeightForWidth(width), area.height() - 2 * EDGE)
        middle = area.mapFromGlobal(button.mapToGlobal(button.rect().center())).x()
        left = max(EDGE, min(middle - width // 2, area.width() - width - EDGE))
        self.setGeometry(left, EDGE, width, height)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if watched is self.parentWidget():
            if kind == QEvent.Type.Resize:
                self._place()
        elif kind == QEvent.Type.KeyPress and isinstance(watched, QWidget):
            if cast(QKeyEvent, event).key() == Qt.Key.Key_Escape:
                self.close_legend()
                return True
        elif (
            kind == QEvent.Type.MouseButtonPress
            and isinstance(watched, QWidget)
            and self._is_elsewhere(watched)
        ):
            self.close_legend()
        return False

    def _is_elsewhere(self, widget: QWidget) -> bool:
        """Return whether a pressed widget is neither in the card nor the button that opened it."""
        inside = widget in (self, self._button) or self.isAncestorOf(widget)
        return not inside and not isinstance(widget, QMenu)


def _application() -> QApplication:
    return cast(QApplication, QApplication.instance())
