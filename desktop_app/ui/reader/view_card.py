"""The panel "Aa": page colours, zoom, arrangement and rotation of pages, or the lines of a text.

Owns its controls and which of them are marked. The choices are actions of `ReaderHead`; what the
toolbar has beside it is not repeated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QSizePolicy, QToolButton, QWidget

from ..theme.design_tokens import DARK, LIGHT, Tokens
from ..theme.theme import Theme
from ..translation import later, tr
from ..widgets.buttons import Button, CheckBox, IconButton
from ..widgets.cards import Card
from ..widgets.labels import Label
from ..widgets.layout import STRETCH, build_column, build_row
from .head import COLORS, LETTERS, LINE_LENGTHS, ReaderHead
from .look import PAGE_COLORS

WIDTH = 348  # pixels
SHEET = QSize(62, 44)  # pixels of the small page of a colour
EDGE_INK = 0.45  # share of the ink of its edge: a white page is seen on a white panel
FITS = {  # by what the zoom fits, see `PdfView.find_fit`
    "text": (later("Fit text"), later("Fit text (margins hidden)")),
    "width": (later("Fit width"), later("Fit width")),
    "page": (later("Fit page"), later("Fit page")),
    "paper": (later("100%"), later("Actual size")),
}
ARRANGEMENTS = {
    "column": (later("Scrolling"), later("All pages in one column")),
    "single": (later("Single page"), later("One page at a time")),
    "facing": (later("Two pages"), later("Two pages side by side")),
}
SCOPES = {
    "page": (later("This page"), later("Rotate only the page in sight")),
    "all": (later("All pages"), later("Rotate all pages of the document")),
}


class _Segment(QToolButton):
    """One choice of several; whether it is marked is up to the row."""

    def nextCheckState(self) -> None:
        pass


class ChoiceRow(QFrame):
    """Choices beside each other, of which one is marked; `chosen` carries the key of a click.

    Left and Right go from one to the next.

    Args:
        choices: key -> words on the button, and in its tooltip.
    """

    chosen = Signal(object)

    def __init__(
        self, choices: Mapping[Any, tuple[str, str]], name: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("choiceRow")
        self.setAccessibleName(name)
        self.buttons: dict[Any, _Segment] = {}
        for key, (words, tooltip) in choices.items():
            button = self.buttons[key] = _Segment(self)
            button.setText(tr(words))
            button.setToolTip(tr(tooltip))
            button.setAccessibleName(f"{name}: {tr(tooltip)}")
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            button.clicked.connect(lambda _=False, key=key: self.chosen.emit(key))
        parts = [(button, 1) for button in self.buttons.values()]
        build_row(*parts, parent=self, spacing=2, margins=(2, 2, 2, 2))

    def mark(self, chosen: object) -> None:
        """Mark a choice, or none for a key that there is not."""
        for key, button in self.buttons.items():
            button.setChecked(key == chosen)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        every = list(self.buttons.values())
        at = next((n for n, button in enumerate(every) if button.hasFocus()), -1)
        if step and at >= 0:
            every[(at + step) % len(every)].setFocus(Qt.FocusReason.TabFocusReason)
            return
        super().keyPressEvent(event)


class PageSwatch(_Segment):
    """A small page in colours that can be chosen, with their name below.

    Args:
        other: colours of the right half; the page has these or the first ones, as the window has.
    """

    def __init__(
        self,
        theme: Theme,
        tokens: Tokens,
        words: str,
        parent: QWidget,
        *,
        other: Tokens | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme, self._tokens, self._other = theme, tokens, other
        self.setText(words)
        self.setAccessibleName(f"{tr('Page colours')}: {words}")
        self.setToolTip(words)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)  # all as wide
        self.setFixedHeight(theme.length(SHEET.height() + 30))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, tokens = self._theme, self._tokens
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        width, height = theme.length(SHEET.width()), theme.length(SHEET.height())
        sheet = QRectF((self.width() - width) / 2, 4, width, height)
        painter.setPen(QPen(theme.color("text2", EDGE_INK), 1))
        self._paint_sheet(painter, sheet, tokens)
        if self._other is not None:
            painter.setClipRect(sheet.adjusted(sheet.width() / 2, -1, 1, 1))
            painter.setPen(QPen(theme.color("text2", EDGE_INK), 1))
            self._paint_sheet(painter, sheet, self._other)
            painter.setClipping(False)
        if self.isChecked() or self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.color("accent" if self.isChecked() else "text"), 2))
            painter.drawRoundedRect(sheet.adjusted(-3, -3, 3, 3), 8, 8)
        painter.setFont(theme.font("strong" if self.isChecked() else "text"))
        painter.setPen(theme.color("text" if self.isChecked() else "text2"))
        below = QRectF(0, sheet.bottom() + 4, self.width(), self.height() - sheet.bottom() - 4)
        shown = painter.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, self.width()
        )
        painter.drawText(below, int(Qt.AlignmentFlag.AlignCenter), shown)
        painter.end()

    def _paint_sheet(self, painter: QPainter, sheet: QRectF, tokens: Tokens) -> None:
        painter.setBrush(QColor(tokens.surface))
        painter.drawRoundedRect(sheet, 6, 6)
        painter.setFont(self._theme.font("strong"))
        painter.setPen(QColor(tokens.text))
        painter.drawText(sheet, int(Qt.AlignmentFlag.AlignCenter), LETTERS)


class ViewCard(Card):
    """Shows and changes how the document is shown; it stays open until Esc or a click beside it.

    `rotation_wanted` carries quarters clockwise, and whether all pages are meant.

    Args:
        is_paged: whether the document has pages.
        find_fit: returns what the zoom fits, a key of `FITS` or "".
    """

    rotation_wanted = Signal(int, bool)

    def __init__(
        self,
        theme: Theme,
        head: ReaderHead,
        parent: QWidget,
        *,
        is_paged: bool,
        find_fit: Callable[[], str],
    ) -> None:
        super().__init__(theme, min(theme.length(WIDTH), parent.width() - 16), parent)
        self._head, self._find_fit, self._is_paged = head, find_fit, is_paged
        self.column.setSpacing(6)
        self.setAccessibleName(tr("How the document is shown"))
        self.colors = {
            key: PageSwatch(
                theme,
                PAGE_COLORS[key] or LIGHT,
                tr(words),
                self,
                other=DARK if PAGE_COLORS[key] is None else None,
            )
            for key, words in COLORS.items()
        }
        self.colors["window"].setText(tr("Automatic"))
        for key, swatch in self.colors.items():
            swatch.clicked.connect(head.colors[key].trigger)
        swatches = [(swatch, 1) for swatch in self.colors.values()]
        self._add(tr("Page colours"), build_row(*swatches, spacing=4))
        self.fits = ChoiceRow(FITS, tr("Zoom"), self)
        self.pages = ChoiceRow(ARRANGEMENTS, tr("Page layout"), self)
        self.cover = CheckBox(tr("Cover page alone"), self)
        self.scope = ChoiceRow(SCOPES, tr("Rotate"), self)
        self.left = IconButton(theme, "undo", tr("Rotate left"), self, shortcut="Ctrl+[")
        self.right = IconButton(theme, "retry", tr("Rotate right"), self, shortcut="Ctrl+]")
        lengths: dict[object, tuple[str, str]] = {
            key: (words, words) for key, words in LINE_LENGTHS.items()
        }
        self.lines = ChoiceRow(lengths, tr("Line length"), self)
        paged: Sequence[QWidget] = (self.fits, self.pages, self.cover, self.scope, self.left,
                                    self.right)  # fmt: skip
        self.go_to = Button(tr("Go to page…"), self)
        if is_paged:
            self._add(tr("Zoom"), build_row((self.fits, 1), *self._build_steps(), spacing=6))
            self._add(tr("Page layout"), self.pages)
            self.column.addWidget(self.cover)
            rotation = build_row((self.scope, 1), self.left, self.right, spacing=6)
            self._add(tr("Rotate"), rotation)
            self.lines.hide()
            self.go_to.hide()
        else:
            self._add(tr("Line length"), self.lines)
            self.column.addLayout(build_row(self.go_to, STRETCH, *self._build_steps(), spacing=6))
            for widget in paged:
                widget.hide()
        for button in (self.left, self.right):
            button.setProperty("kind", "outlined")
        self._connect()
        self.scope.mark("page")
        self.refresh()

    def _build_steps(self) -> list[IconButton]:
        """Return buttons for zooming, where the toolbar has no room for them."""
        if self._head.page_bar.percent.isVisible():
            return []
        out = IconButton(self._theme, "minus", tr("Zoom out"), self, shortcut="Ctrl+-")
        enlarge = IconButton(self._theme, "plus", tr("Zoom in"), self, shortcut="Ctrl++")
        out.clicked.connect(lambda: self._head.zoom_stepped.emit(-1))
        enlarge.clicked.connect(lambda: self._head.zoom_stepped.emit(1))
        return [out, enlarge]

    def _add(self, words: str, part: object) -> None:
        """Add a part below its title."""
        title = Label(words, "small", parent=self)
        build = build_column(title, part, spacing=4)  # type: ignore[arg-type]
        self.column.addLayout(build)

    def _connect(self) -> None:
        head = self._head
        for key, action in (
            ("text", head.fit_text), ("width", head.fit_width), ("page", head.fit_page),
        ):  # fmt: skip
            self.fits.buttons[key].clicked.connect(action.trigger)
        self.fits.buttons["paper"].clicked.connect(lambda: head.zoom_chosen.emit(1.0))
        self.fits.chosen.connect(lambda _: self.refresh())
        self.pages.chosen.connect(self._arrange)
        self.cover.clicked.connect(head.cover.setChecked)
        self.scope.chosen.connect(self.scope.mark)
        for button, by in ((self.left, -1), (self.right, 1)):
            button.clicked.connect(
                lambda _=False, by=by: self.rotation_wanted.emit(
                    by, self.scope.buttons["all"].isChecked()
                )
            )
        self.go_to.clicked.connect(self._go_to)
        self.lines.chosen.connect(lambda key: head.lines[key].trigger())
        actions: list[QAction] = [head.fit_text, head.single, head.facing, head.cover]
        for action in (*actions, *head.colors.values(), *head.lines.values()):
            action.toggled.connect(self.refresh)

    def _go_to(self) -> None:
        self.close_card()
        self._head.page_wanted.emit()

    def _arrange(self, chosen: object) -> None:
        self._head.single.setChecked(chosen == "single")
        self._head.facing.setChecked(chosen == "facing")
        self.refresh()

    def refresh(self, _: object = None) -> None:
        """Mark what is chosen."""
        head = self._head
        for key, swatch in self.colors.items():
            swatch.setChecked(head.colors[key].isChecked())
        self.fits.mark(self._find_fit())
        is_facing = head.facing.isChecked()
        self.pages.mark(
            "single" if head.single.isChecked() else "facing" if is_facing else "column"
        )
        self.cover.setChecked(head.cover.isChecked())
        if self._is_paged and self.cover.isHidden() == is_facing:  # it is about two pages
            self.cover.setVisible(is_facing)
            self.place()
        self.lines.mark(next((key for key, a in head.lines.items() if a.isChecked()), None))

    def _is_outside(self, widget: QWidget) -> bool:
        # its button closes it with the click, not with the press before that
        return widget is not self._head.zoom and super()._is_outside(widget)
