"""The bar of names above the document: which underline is which type, and what is underlined.

Owns its switches, and when the bar opens and closes. `VisibleNames` counts, the views paint.
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QFrame, QWidget

from ..theme.design_tokens import TYPE_SHAPES, Tokens
from ..theme.theme import Theme
from ..translation import later, tr, trn
from ..widgets.buttons import CheckBox, IconButton, add_shortcut
from ..widgets.labels import Label
from ..widgets.layout import Flow, TallRule, build_row
from ..widgets.words import format_number, format_type
from .look import paint_name_line

SWATCH = QSize(20, 18)  # pixels of the underlined letters of a row
LETTERS_FOOT = 4  # pixels below the letters of a swatch, for the line
SIDES, ABOVE = 16, 6  # pixels around what is in the bar
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
    is closed. The most frequent type is the first. `hidden_kinds_changed` carries the types that
    are switched off. For pages, `every` says whether each mention is underlined or the first one on
    each page; `every_toggled` is emitted when it is clicked, `switched_off` when no name shall be
    underlined, `closed` when it was closed.
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
        self._kinds = Flow(self, gap=14)
        row = build_row(
            self.shown,
            TallRule(self),
            self.empty,
            (self._kinds, 1),
            self._every_rule,
            self.every,
            self.close_button,
            parent=self,
            spacing=12,
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
        """Say whether every mention is underlined, or the first one on each page."""
        self.every.setChecked(every)
        first = tr("Otherwise only the first mention on each page is underlined.")
        words = first if every else tr("Now only the first mention on each page is underlined.")
        self.every.setToolTip(words)
        self.every.setAccessibleDescription(words)

    def set_paged(self, paged: bool) -> None:
        """Say whether the document has pages."""
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
        self.counts, self.toggles = sorted_counts, {}
        self._kinds.clear()
        for kind, count in sorted_counts.items():
            toggle = self.toggles[kind] = TypeToggle(self._theme, kind, count, self._kinds)
            toggle.setChecked(kind not in self._hidden)
            toggle.toggled.connect(lambda on, kind=kind: self._choose(kind, on))
        self._draw_swatches()
        self._kinds.add(*self.toggles.values())
        self._kinds.setVisible(bool(counts))
        self.empty.setVisible(not counts)

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
