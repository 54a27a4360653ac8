"""The toolbar over the document: title and position, pages, zoom, tools, and the button "Aa".

Owns these widgets, the choices of how the document is shown, and their signals; contains no logic.
`view_card` shows the choices.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QFontMetrics,
    QIcon,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractButton, QFrame, QMenu, QSizePolicy, QWidget

from ..theme.theme import Theme
from ..translation import later, tr
from ..widgets.buttons import IconButton
from ..widgets.labels import ElidedLabel
from ..widgets.layout import STRETCH, ToolbarRow, build_column, build_row
from .pdf.layout import PageFit
from .pdf.page_bar import PageBar
from .pen import AREA, TOOLS, PenButton

LINE_LENGTHS: dict[Any, str] = {
    0.75: later("Narrow"),
    1.0: later("Medium"),
    1.3: later("Wide"),
    0.0: later("Full width"),
}
COLORS: dict[Any, str] = {
    "window": later("Follow the window"),
    "paper": later("Paper"),
    "sepia": later("Sepia"),
    "dark": later("Dark"),
}


PERCENTS = (80, 100, 125, 150, 200)
PROGRESS_HEIGHT = 2
LEAST_PROGRESS = 8  # pixels of width; a shorter line looks like a fault of the picture
MARGIN = 12  # pixels at both ends
LEAST_WORDS = 140  # pixels: margins, gaps and a few letters of the title
# Beside another document only this bar has the title; it has more of it before there are arrows
# for pages and a zoom, which have keys and a place in the menus.
LEAST_WORDS_BESIDE = 244
LEAST_WIDTH = 300  # pixels of the bar: less than a pane has
LEAST_TITLE = 60  # pixels: a title that has less is left out
PLACE_WORDS = 40  # pixels: more of the place, before the marking tools have words
MORE_PLACE = 30  # pixels: again more, before the other icons have words
TITLE_GAP = 8  # pixels between the title and the pages
LEAST_GAP = 12  # pixels between the controls in the middle and those at the right
LETTERS, AROUND_LETTERS = "Aa", 24  # not shown: of the button, and pixels around them
EDGES = (4, 3, 4, 3)  # pixels between the frame of the marking tools and its controls


def _width(widget: QWidget) -> int:
    """Return the width that a control takes in the row, with its gap."""
    return max(widget.minimumWidth(), min(widget.sizeHint().width(), widget.maximumWidth())) + 4


def _build_choices(
    owner: QWidget, choices: Mapping[Any, str], choose: Callable[[Any], None]
) -> dict[Any, QAction]:
    """Return actions of which one is checked; `choose` is called with the key of the new one."""
    group, actions = QActionGroup(owner), {}
    for value, words in choices.items():
        action = actions[value] = QAction(tr(words), owner)
        action.setCheckable(True)
        group.addAction(action)
        action.toggled.connect(lambda on, value=value: choose(value) if on else None)
    return actions


class NamesButton(IconButton):
    """Underlines names, then opens and closes the bar that explains the underlines.

    A click never switches the underlines off; the bar does.
    """

    def nextCheckState(self) -> None:
        self.setChecked(True)


class ViewButton(IconButton):
    """Opens the panel of how the document is shown; it has letters, as in other readers."""

    def __init__(self, theme: Theme, words: str, parent: QWidget) -> None:
        super().__init__(theme, "ph.text-aa", words, parent)
        self.setIcon(QIcon())
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.setText(LETTERS)

    def _fit(self) -> None:
        super()._fit()
        letters = QFontMetrics(self._theme.font("text")).horizontalAdvance(LETTERS)
        self.setFixedWidth(letters + self._theme.length(AROUND_LETTERS))


class ReaderHead(ToolbarRow):
    """Panel, back, forward and place at the left; pages and zoom in the middle; tools at the right.

    The tools are: names, what is shown; in a frame highlighter, underliner, area, note and
    bookmark, what is added; search, the panel "Aa" of how it is shown, and where the document is.
    Texts and PDFs have the same parts in the same order; only a PDF has pages and areas. The lower
    edge shows how much is read. What does not fit is in the menu "More", the least needed first.
    Where there is room, icons have words, all of a group or none.
    """

    zoom_chosen = Signal(float)
    zoom_stepped = Signal(int)
    single_chosen = Signal(bool)
    facing_chosen = Signal(bool)
    cover_chosen = Signal(bool)  # the first of facing pages alone
    colors_chosen = Signal(str)  # a key of `PAGE_COLORS`
    line_length_chosen = Signal(float)
    page_wanted = Signal()
    width_wanted = Signal()
    page_fit_wanted = Signal()
    text_fit_wanted = Signal()
    every_name_chosen = Signal(bool)
    note_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._theme, self._paged, self._is_tight = theme, False, False
        self._share: float | None = None
        self._shown_zoom, self._page_fit = 1.0, PageFit.FILLS
        self.back = IconButton(theme, "arrow-left", tr("Back"), self, shortcut="Alt+Left")
        self.forward = IconButton(theme, "arrow-right", tr("Forward"), self, shortcut="Alt+Right")
        self.outline = IconButton(theme, "ph.layout", tr("Contents, pages and notes"), self)
        self.search = IconButton(theme, "search", tr("Search in document"), self, shortcut="Ctrl+F")
        self.names = NamesButton(theme, "names", tr("Underline names"), self)
        # each is shown where it applies: beside a screen, in a tab, beside another document
        self.tab_button = IconButton(
            theme, "ph.arrows-out-simple", tr("Open in a full-width tab"), self
        )
        self.place_button = IconButton(
            theme, "ph.square-half", tr("Side by side, or in a new window"), self
        )
        self.tab_button.hide()
        self.place_button.hide()
        self._has_places = False
        self.close_button = IconButton(theme, "close", tr("Close the document"), self)
        self.more = IconButton(theme, "more", tr("More"), self)
        self.more.hide()
        self._hidden: list[QWidget] = []  # the controls that are in the menu
        self._has_title, self._position = True, ""
        self.more.clicked.connect(self._open_more)
        for toggle in (self.outline, self.search, self.names):
            toggle.setCheckable(True)
        self.title = ElidedLabel("", "strong", self)
        self.position = ElidedLabel("", "small", self)
        self.set_history(False, False)
        self.page_bar = PageBar(theme, self)
        self.page_bar.hide()
        self.zoom = self._view_button()
        self._add_choices()
        # what is added to the document, in a frame of its own
        self.tools = QFrame(self)
        self.tools.setObjectName("readerTools")
        self.pen = PenButton(theme, "fill", self.tools, shortcut="Ctrl+Shift+H")
        self.underliner = PenButton(theme, "underline", self.tools, shortcut="Ctrl+Shift+U")
        self.area = PenButton(theme, AREA, self.tools, shortcut="Ctrl+Shift+A")
        self.note = IconButton(
            theme, "ph.note-pencil", tr("Add a note to the selected text"), self.tools, shortcut="M"
        )
        self.bookmark = IconButton(
            theme, "ph.bookmark-simple", tr("Add bookmark"), self.tools, shortcut="Ctrl+D"
        )
        self.marking = (self.pen, self.underliner, self.area, self.note)
        build_row(*self.marking, self.bookmark, parent=self.tools, spacing=4, margins=EDGES)
        fixed = QSizePolicy.Policy.Fixed
        self.tools.setSizePolicy(fixed, fixed)  # not as high as the bar
        self.note.clicked.connect(self.note_wanted)
        self._words = QWidget(self)
        build_column(STRETCH, self.title, self.position, STRETCH, spacing=0, parent=self._words)
        self._gap = QWidget(self)  # so that the page bar is in the middle
        # beside icons where there is room, the words that help most first
        self._words_of: tuple[tuple[tuple[IconButton, str], ...], ...] = (
            (
                (self.pen, tr(TOOLS["fill"])),
                (self.underliner, tr(TOOLS["underline"])),
                (self.area, tr(TOOLS[AREA])),
                (self.note, tr("Note")),
            ),
            ((self.search, tr("Find")), (self.names, tr("Names"))),
            ((self.outline, tr("Contents")),),
            ((self.bookmark, tr("Bookmark")),),
            ((self.place_button, tr("Side by side")),),
        )
        # the colours are not part of them
        self._names_of: dict[QWidget, str] = {tool: name for tool, name in self._words_of[0]}
        shown = (self.names,)
        added = (*self.marking, self.bookmark)
        self._end = (
            self.search,
            self.zoom,
            self.more,
            self.tab_button,
            self.place_button,
            self.close_button,
        )
        tools = (*shown, self.tools, *self._end)
        row = self.row
        row.setContentsMargins(MARGIN, 0, MARGIN, 0)
        row.setSpacing(4)
        row.addWidget(self.outline)
        row.addWidget(self.back)
        row.addWidget(self.forward)
        row.addSpacing(4)
        row.addWidget(self._words, 1)
        for part in (self.page_bar, self._gap, *tools):
            row.addWidget(part)
        stops = (
            self.outline,
            self.back,
            self.forward,
            *self.page_bar.stops,
            *shown,
            *added,
            *self._end,
        )
        for first, second in pairwise(stops):
            self.setTabOrder(first, second)

    def set_history(self, back: bool, forward: bool) -> None:
        """Set whether there are positions to go back to, and forward to."""
        self.back.setEnabled(back)
        self.forward.setEnabled(forward)

    def set_position(self, words: str) -> None:
        """Show where the window is; without words, the title is in the middle of the bar."""
        self._position = words
        self.position.setText(words)
        self._show_words()

    def _show_words(self) -> None:
        """Show the title and the position, if there is room for a few letters of them."""
        self.title.setVisible(self._has_title and not self._is_tight)
        self.position.setVisible(bool(self._position) and not self._is_tight)
        self._words.setContentsMargins(0, 0, 0 if self._is_tight else TITLE_GAP, 0)

    def clear(self) -> None:
        self.title.setText("")
        self.set_position("")
        self.set_share(None)

    def set_share(self, share: float | None) -> None:
        """Show how much of the document is above the window, 0 to 1; None if all is in sight."""
        if share != self._share:
            self._share = share
            self.update(0, self.height() - PROGRESS_HEIGHT, self.width(), PROGRESS_HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        width = round(self.width() * (self._share or 0.0))
        if width >= LEAST_PROGRESS:
            painter = QPainter(self)
            read = QRect(0, 0, width, PROGRESS_HEIGHT)
            read.moveBottom(self.height() - 1)
            painter.fillRect(read, self._theme.color("accent"))
            painter.end()

    def set_zoom(self, zoom: float, fit: PageFit = PageFit.FILLS) -> None:
        """Show the zoom.

        Args:
            fit: how the page in sight fits the window while the zoom follows the text.
        """
        self._shown_zoom, self._page_fit = zoom, fit
        is_fitted = self._paged and self.fit_text.isChecked()
        self.page_bar.set_zoom(zoom, fit if is_fitted else None)

    def set_fits_text(self, fits: bool) -> None:
        """Show whether the zoom follows the width of the text."""
        self.fit_text.setChecked(fits)
        self.set_zoom(self._shown_zoom, self._page_fit)

    def _want_text_fit(self) -> None:
        self.fit_text.setChecked(True)  # a second choice does not end it
        self.text_fit_wanted.emit()

    def set_ready(self, ready: bool) -> None:
        """Enable the controls that need a document."""
        for widget in (self.outline, self.search, self.names, self.bookmark, self.zoom,
                       self.tab_button, self.place_button, *self.marking):  # fmt: skip
            widget.setEnabled(ready)
        if not ready:
            self.page_bar.hide()

    def set_paged(self, paged: bool) -> None:
        """Show the options for pages only for documents with pages."""
        for action in (self.single, self.facing, self.cover, self.every_name, *self.fits):
            action.setVisible(paged)
        self._paged = paged
        self.page_bar.set_paged(paged)
        self.set_zoom(self._shown_zoom, self._page_fit)
        self.page_bar.show()
        self._fit()

    def set_alone(self, alone: bool) -> None:
        """Set whether this is the only document of its tab, which has title and close button."""
        self.close_button.setVisible(not alone)
        self._has_title = not alone
        self._fit()

    def offer_places(self) -> None:
        """Show the button for other places of the document."""
        self._has_places = True
        self._fit()

    @property
    def place_anchor(self) -> QWidget:
        """The button in the bar below which the menu of places opens."""
        return self.more if self.place_button in self._hidden else self.place_button

    def _fit(self) -> None:
        """Move what there is no room for into the menu "More".

        Marking tools are the last to go: what is selected is marked in each of several documents.
        """
        bar, paged = self.page_bar, self._paged
        for shown_paged in (bar.field, bar.count):
            shown_paged.setVisible(paged)
        self.area.setVisible(paged)
        for group_of_words in self._words_of:
            for button, _ in group_of_words:
                button.set_words("")
        tools = (self.pen, self.underliner, self.note)
        # what goes into the menu, the least needed first
        optional: list[tuple[QWidget, ...]] = [
            bar.zoom if not paged else (bar.rule, *bar.zoom),
            (bar.previous, bar.next) if paged else (),
            (self.place_button,) if self._has_places and self._has_title else (),
            (self.back, self.forward) if self._has_title else (),
            (self.bookmark,) if self._has_title else (),
            (self.area,) if paged else (),
            tools,
        ]
        if not paged:
            for part in (bar.previous, bar.next, bar.rule):
                part.hide()
        self.place_button.setVisible(self._has_places)
        left = (self.outline, self.back, self.forward)
        middle = [bar.field, bar.count] if paged else []
        ends = [self.search, self.zoom]
        ends += [w for w in (self.tab_button, self.close_button) if not w.isHidden()]
        ends += [self.place_button] if self._has_places else []
        fixed = [w for w in (*left, *middle, self.names, self.bookmark, *ends)
                 if not any(w in group for group in optional)]  # fmt: skip
        frame = 2 * EDGES[0]
        least_words = LEAST_WORDS_BESIDE if self._has_title else LEAST_WORDS
        in_bar: list[QWidget] = [*fixed, *(widget for group in optional for widget in group)]
        room = self.width() - least_words - frame - sum(map(_width, in_bar))
        is_whole = room >= 0
        if not is_whole:
            in_bar.append(self.more)
            room -= _width(self.more)
        hidden: set[QWidget] = set()
        for group in optional:
            if group is tools:  # they are more than a title that is whole
                room += least_words - LEAST_WORDS
            if room >= 0:
                break
            room += sum(map(_width, group))
            hidden.update(group)
        left_over = self.width() - frame - sum(_width(w) for w in in_bar if w not in hidden)
        self._is_tight = left_over < LEAST_TITLE
        space = left_over - 2 * MARGIN
        for widget in (self.bookmark, self.names, self.search):  # in all but very narrow windows
            if self._is_tight and space < 0 and widget not in hidden:
                space += _width(widget)
                hidden.add(widget)
        self.more.setVisible(not is_whole)
        for control in in_bar:
            if control is not self.more:
                control.setVisible(control not in hidden)
        in_order = (*left, bar.previous, bar.next, *bar.zoom, self.names, *self.marking,
                    self.bookmark, *self._end)  # fmt: skip
        self._hidden = [widget for widget in in_order if widget in hidden]
        right = [w for w in (self.names, *self.marking, self.bookmark, *self._end)
                 if w in in_bar and w not in hidden]  # fmt: skip
        has_marking = not all(widget.isHidden() for widget in self.marking)
        self.tools.setVisible(has_marking or not self.bookmark.isHidden())
        self._mark_bare(not has_marking)
        self._show_words()
        room -= PLACE_WORDS - (least_words - LEAST_WORDS)
        for group_of_words in self._words_of if is_whole else ():
            shown = [(b, words) for b, words in group_of_words if not b.isHidden()]
            room -= sum(button.words_width(words) - button.width() for button, words in shown)
            if room < 0:
                break
            for button, words in shown:
                button.set_words(words)
            if group_of_words is self._words_of[0]:
                room -= MORE_PLACE
        beside = (self.width() - bar.sizeHint().width()) // 2 - 12  # margin of the row
        gap = beside - sum(_width(widget) for widget in right) - frame - 8
        # beside a title, pages and zoom are where it ends, not in the middle
        self._gap.setFixedWidth(LEAST_GAP if self._has_title else max(LEAST_GAP, gap))

    def _mark_bare(self, bare: bool) -> None:
        """Draw no frame around the bookmark where it has no other tool beside it."""
        if bool(self.tools.property("bare")) != bare:
            self.tools.setProperty("bare", bare)
            self.tools.style().polish(self.tools)

    def minimumSizeHint(self) -> QSize:
        """Return a size that tools in sight do not enlarge: they go into the menu where it is."""
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), LEAST_WIDTH), hint.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def build_more_menu(self) -> QMenu:
        """Return the menu of the controls that there is no room for."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setToolTipsVisible(True)
        for button in self._hidden:
            if isinstance(button, QAbstractButton):
                name = self._names_of.get(button) or button.accessibleName()
                action = menu.addAction(button.icon(), name, button.click)
                action.setToolTip(button.toolTip())
                action.setEnabled(button.isEnabled())
                action.setCheckable(button.isCheckable())
                action.setChecked(button.isChecked())
            elif button is self.page_bar.percent:
                self.page_bar.zoom_menu.setTitle(tr("Zoom"))
                menu.addMenu(self.page_bar.zoom_menu)
        return menu

    def _open_more(self) -> None:
        self.build_more_menu().popup(self.more.mapToGlobal(self.more.rect().bottomLeft()))

    def _view_button(self) -> IconButton:
        words = tr("Text size, lines, pages and colours")
        button = ViewButton(self._theme, words, self)
        button.set_tooltip(words, tr("Ctrl+wheel zooms"))
        button.setCheckable(True)
        return button

    def _add_choices(self) -> None:
        """Create the choices of how the document is shown, for the panel "Aa" and for keys."""

        def add(words: str, act: Callable[..., object]) -> QAction:
            action = QAction(words, self)
            action.setCheckable(True)
            action.toggled.connect(act)
            return action

        self.fit_text = QAction(tr("Fit text (margins hidden)"), self)
        self.fit_text.triggered.connect(self._want_text_fit)
        self.fit_text.setCheckable(True)
        self.fit_width = QAction(tr("Fit width"), self)
        self.fit_width.triggered.connect(self.width_wanted)
        self.fit_page = QAction(tr("Fit page"), self)
        self.fit_page.triggered.connect(self.page_fit_wanted)
        self.fits = (self.fit_text, self.fit_width, self.fit_page)
        # at the field of the zoom
        choices = self.page_bar.zoom_menu
        choices.addActions(self.fits)
        choices.addSeparator()
        for percent in PERCENTS:
            action = choices.addAction(tr("{share}%", share=percent))
            action.triggered.connect(
                lambda _=False, share=percent / 100: self.zoom_chosen.emit(share)
            )
        self.single = add(tr("One page at a time"), self.single_chosen.emit)
        self.facing = add(tr("Two pages side by side"), self.facing_chosen.emit)
        self.cover = add(tr("Cover page alone"), self.cover_chosen.emit)
        self.single.toggled.connect(
            lambda on: self.facing.setChecked(self.facing.isChecked() and not on)
        )
        self.facing.toggled.connect(
            lambda on: self.single.setChecked(self.single.isChecked() and not on)
        )
        self.lines = _build_choices(self, LINE_LENGTHS, self.line_length_chosen.emit)
        self.colors = _build_choices(self, COLORS, self.colors_chosen.emit)
        self.every_name = add(tr("Underline every mention of a name"), self.every_name_chosen.emit)
