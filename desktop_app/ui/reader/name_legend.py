"""The bar of names above the document: which underline is which type, and what is underlined.

Owns its switches, and when the bar opens and closes. `VisibleNames` counts, the views paint.
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QIcon, QPainter, QPixmap, QResizeEvent
from PySide6.QtWidgets import QFrame, QMenu, QToolButton, QWidget, QWidgetAction

from ..theme.design_tokens import TYPE_SHAPES, Tokens
from ..theme.theme import Theme
from ..translation import later, tr, trn
from ..widgets.buttons import CheckBox, IconButton, add_shortcut
from ..widgets.labels import Label
from ..widgets.layout import STRETCH, TallRule, build_row, clear_layout
from ..widgets.words import format_number, format_type
from .look import paint_name_line

SWATCH = QSize(20, 18)  # pixels of the underlined letters of a row
LETTERS_FOOT = 4  # pixels below the letters of a swatch, for the line
SIDES, ABOVE = 16, 6  # pixels around what is in the bar
ROW_GAP = 12  # pixels between the controls
MOST_KINDS = 3  # types in the bar; the others are rare, and a long row is read by nobody
BESIDE_KINDS, AROUND_KIND = 470, 72  # pixels: of the other controls, and around the words of a type
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
    """Says whether the names of a type are underlined, with letters that are underlined so."""

    def __init__(self, theme: Theme, kind: str, count: int, parent: QWidget) -> None:
        super().__init__(f"{words_of_kind(kind)} {format_number(count)}", parent)
        self._theme, self.kind = theme, kind
        self.setChecked(True)
        self.setIconSize(SWATCH)
        names = trn("{n} name", "{n} names", count)
        self.setAccessibleName(f"{words_of_kind(kind)}: {names}")

    def show_swatch(self, tokens: Tokens) -> None:
        """Draw letters that are underlined as the names of the type on a page of these colours."""
        ratio = self.devicePixelRatioF()
        picture = QPixmap(SWATCH * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.setFont(self._theme.font("text"))
        painter.setPen(self._theme.color("text2"))
        above = QRectF(0, 0, SWATCH.width(), SWATCH.height() - LETTERS_FOOT)
        painter.drawText(above, int(Qt.AlignmentFlag.AlignCenter), "Aa")  # not shown
        foot = SWATCH.height() - LETTERS_FOOT + 1
        right = SWATCH.width()
        paint_name_line(painter, 0, right, foot, tokens, self.kind, ratio, strong=False)
        painter.end()
        self.setIcon(QIcon(picture))


class NameLegend(QFrame):
    """The bar that shows which types of names are underlined, with the number of names.

    It is above the document and pushes it down, so that it covers no text, and stays open until it
    is closed. The most frequent types are in one line, the others in the menu of a button, which
    says how many they are. `hidden_kinds_changed` carries the types that are switched off. For
    pages, `every` says whether each mention is underlined or the first one on each page;
    `every_toggled` is emitted when it is clicked, `switched_off` when no name shall be underlined,
    `closed` when it was closed.
    """

    every_toggled = Signal()
    switched_off = Signal()
    hidden_kinds_changed = Signal(object)  # frozenset of types
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._tokens = theme, theme.tokens
        self.counts: dict[str, int] = {}
        self.toggles: dict[str, TypeToggle] = {}
        self._hidden: set[str] = set()
        self.setObjectName("nameLegend")
        self.shown = CheckBox(tr("Underline names"), self)
        self.shown.setChecked(True)
        self.shown.clicked.connect(self._switch_off)
        self.close_button = IconButton(theme, "close", tr("Close"), self, shortcut="Esc")
        self.close_button.clicked.connect(self.close_legend)
        self.empty = Label(tr("No names were found in this document."), "small", self)
        self.every = CheckBox(tr("Every mention"), self)
        self.every.clicked.connect(self.every_toggled)
        self._every_rule = TallRule(self)
        self._kinds = QWidget(self)
        self._kinds_row = build_row(parent=self._kinds, spacing=14)
        self.more = QToolButton(self)
        self.more.setObjectName("moreKinds")
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.menu = QMenu(self.more)
        self.more.setMenu(self.menu)
        self.more.hide()
        self._n_shown = 0
        row = build_row(
            self.shown,
            TallRule(self),
            self.empty,
            self._kinds,
            self.more,
            STRETCH,
            self._every_rule,
            self.every,
            self.close_button,
            parent=self,
            spacing=ROW_GAP,
            margins=(SIDES, ABOVE, SIDES - 4, ABOVE),
        )
        row.setAlignment(Qt.AlignmentFlag.AlignVCenter)
        add_shortcut(self, "Esc", self.close_legend)
        theme.changed.connect(self._draw_swatches)
        self.set_every_name(False)
        self.set_paged(False)
        self.hide()

    # --- content ----------------------------------------------------------------------------

    def set_every_name(self, every: bool) -> None:
        """Show whether every mention is underlined, or the first one on each page."""
        self.every.setChecked(every)
        first = tr("Otherwise only the first mention on each page is underlined.")
        words = first if every else tr("Now only the first mention on each page is underlined.")
        self.every.setToolTip(words)
        self.every.setAccessibleDescription(words)

    def set_paged(self, paged: bool) -> None:
        """Set whether the document has pages."""
        for part in (self._every_rule, self.every):
            part.setVisible(paged)

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
        self._n_shown = self._count_fitting()
        self._build_toggles()
        self.empty.setVisible(not counts)

    def _build_toggles(self) -> None:
        """Put the first types into the bar, and the others into the menu."""
        self.toggles = {}
        clear_layout(self._kinds_row)
        self.menu.clear()
        for number, (kind, count) in enumerate(self.counts.items()):
            in_bar = number < self._n_shown
            toggle = TypeToggle(self._theme, kind, count, self._kinds if in_bar else self.menu)
            self.toggles[kind] = toggle
            toggle.setChecked(kind not in self._hidden)
            toggle.toggled.connect(lambda on, kind=kind: self._choose(kind, on))
            if in_bar:
                self._kinds_row.addWidget(toggle)
            else:
                toggle.setContentsMargins(8, 4, 12, 4)
                action = QWidgetAction(self.menu)
                action.setDefaultWidget(toggle)
                self.menu.addAction(action)
        n_more = len(self.counts) - self._n_shown
        words = trn("{n} more type", "{n} more types", n_more)
        if not self._n_shown:
            words = trn("{n} type", "{n} types", n_more)
        self.more.setText(words)
        self.more.setAccessibleName(words)
        self.more.setVisible(n_more > 0)
        self._kinds.setVisible(self._n_shown > 0)
        self._draw_swatches()

    def _count_fitting(self) -> int:
        """Return how many types are in the bar: all, a few, or none; never one alone in the menu.

        None are in a narrow bar, where they would cut the words of all switches.
        """
        font = QFontMetrics(self._theme.font("text"))
        room = self.width() - self._theme.length(BESIDE_KINDS)
        if self.every.isHidden():  # of a text
            room += self.every.sizeHint().width() + 2 * ROW_GAP
        fitting = 0
        for kind, count in self.counts.items():
            words = f"{words_of_kind(kind)} {format_number(count)}"
            room -= font.horizontalAdvance(words) + self._theme.length(AROUND_KIND)
            if room < 0:
                break
            fitting += 1
        if fitting >= len(self.counts) <= MOST_KINDS + 1:
            return len(self.counts)
        return min(fitting, MOST_KINDS)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.counts and self._count_fitting() != self._n_shown:
            self._n_shown = self._count_fitting()
            self._build_toggles()

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

    # --- showing ----------------------------------------------------------------------------

    def toggle_legend(self) -> None:
        """Open the bar, or close it."""
        if self.isHidden():
            self.show()
        else:
            self.close_legend()

    def close_legend(self) -> None:
        if not self.isHidden():
            self.hide()
            self.closed.emit()
