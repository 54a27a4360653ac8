"""The toolbar of the library screen: place, filter, sorting, table or cards, and "Add".

Owns the settings "library/view" and "library/sort" of the window.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QMenu, QSizePolicy, QWidget

from ..theme.theme import Theme
from ..translation import tr, trn
from ..widgets import ElidedLabel, IconButton, Label, SearchField, ToolbarRow, format_number
from ..widgets.buttons import CaretButton
from ..widgets.fields import name_icons
from ..window_file import open_window_file
from .document_list import DocumentList
from .places import ICONS, LibraryPlace
from .table_model import ADDED, COLUMNS

QUOTATION_KEYS = "Ctrl+Shift+F"  # of the action of the window
VIEW, SORT = "library/view", "library/sort"
UP, DOWN = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
FILTER_WIDTH = 280  # pixels, with the button for a quotation
PLACE_ROOM = 180  # pixels of the name of a place
FILTER_WORDS_FROM = 860  # pixels; a narrower screen has an icon
SORT_WORDS_FROM = 1040  # pixels; a narrower screen has them in the tooltip of the button


def describe_order(column: int, order: Qt.SortOrder) -> str:
    """Return the order of the documents in words: the column, and for days in which direction."""
    if column == ADDED:
        return tr("Recently added") if order == DOWN else tr("First added")
    return tr(COLUMNS[column].title) if 0 <= column < len(COLUMNS) else ""


class ViewChoice(QObject):
    """The buttons for table or cards, of which the current one is marked, and for sorting."""

    def __init__(self, theme: Theme, shown: DocumentList) -> None:
        super().__init__(shown)
        self._list = shown
        self.table_button = IconButton(theme, "list", tr("Show as a table"))
        self.cards_button = IconButton(theme, "squares-four", tr("Show as cards"))
        self.sort_button = CaretButton("", theme, "sort-ascending")
        self.sort_button.setAccessibleName(tr("Sort by…"))
        self._has_words = False
        for button, cards in ((self.table_button, False), (self.cards_button, True)):
            button.setCheckable(True)
            button.clicked.connect(lambda _=False, cards=cards: self.show_cards(cards))
        self.sort_button.clicked.connect(self._show_menu)
        self._restore()
        shown.table.horizontalHeader().sortIndicatorChanged.connect(self._keep_sort)
        theme.changed.connect(self._show_sort)
        self._show_sort()

    def show_cards(self, cards: bool) -> None:
        """Show cards or the table and save the choice."""
        self._show(cards)
        open_window_file().setValue(VIEW, "cards" if cards else "table")

    def show_buttons(self, shown: bool) -> None:
        """Show or hide the buttons."""
        for button in (self.table_button, self.cards_button, self.sort_button):
            button.setVisible(shown)

    def show_words(self, shown: bool) -> None:
        """Show by what the documents are sorted, or only the icon of the sort button."""
        if shown != self._has_words:
            self._has_words = shown
            self._show_sort()

    def _show_sort(self) -> None:
        """Name the order on the button, which is as wide for every other order."""
        header, button = self._list.table.horizontalHeader(), self.sort_button
        words = describe_order(header.sortIndicatorSection(), header.sortIndicatorOrder())
        button.setToolTip(tr("Sorted by: {order}", order=words))
        button.setAccessibleDescription(words)
        all_words = {describe_order(n, o) for n in range(len(COLUMNS)) for o in (UP, DOWN)}
        widths = []
        for text in all_words if self._has_words else ("",):
            button.setText(text)
            widths.append(button.sizeHint().width())
        button.setText(words if self._has_words else "")
        button.setFixedWidth(max(widths))

    def build_menu(self) -> QMenu:
        """Return the menu of columns to sort by; choosing the ticked one reverses the order."""
        menu = QMenu(self._list)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        header = self._list.table.horizontalHeader()
        now, order = header.sortIndicatorSection(), header.sortIndicatorOrder()
        for number, column in enumerate(COLUMNS):
            action = menu.addAction(tr(column.title))
            action.setCheckable(True)
            action.setChecked(number == now)
            action.triggered.connect(lambda _, n=number: self._sort(n, now, order))
        menu.addSeparator()
        turn = menu.addAction(tr("Reverse order"))
        turn.setCheckable(True)
        turn.setChecked(order == DOWN)
        turn.triggered.connect(lambda _: self._sort(now, now, order))
        return menu

    def _sort(self, column: int, before: int, order: Qt.SortOrder) -> None:
        if column == before:
            order = UP if order == DOWN else DOWN
        self._list.table.sortByColumn(column, order)

    def _show_menu(self) -> None:
        button = self.sort_button
        self.build_menu().popup(button.mapToGlobal(button.rect().bottomLeft()))

    def _show(self, cards: bool) -> None:
        self._list.show_cards(cards)
        self.table_button.setChecked(not cards)
        self.cards_button.setChecked(cards)

    def _keep_sort(self, column: int, order: Qt.SortOrder) -> None:
        open_window_file().setValue(SORT, f"{column},{int(order == DOWN)}")
        self._show_sort()

    def _restore(self) -> None:
        settings = open_window_file()
        self._show(settings.value(VIEW, "table") == "cards")
        kept = str(settings.value(SORT, ""))
        column, _, down = kept.partition(",")
        if column.isdigit() and int(column) < len(COLUMNS):
            order = DOWN if down == "1" else UP
            self._list.table.sortByColumn(int(column), order)


class LibraryToolbar(ToolbarRow):
    """The title with the chosen place, what is being read, the filter and the buttons.

    While the list of places is hidden with the sidebar, a button with the place opens it as a menu.
    """

    def __init__(self, theme: Theme, shown: DocumentList, parent: QWidget | None = None) -> None:
        super().__init__(tr("Library"), parent)
        self._theme = theme
        self.place_arrow = Label("›", "title")
        self.place_name = ElidedLabel("", "title")
        self.place_count = Label("", "small")
        self.places_button = CaretButton("", theme, "library")
        self.close_place_button = IconButton(theme, "close", tr("Show all documents"))
        self.place_name.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self._place, self._names_place = LibraryPlace("all", ""), False
        self.count = Label("", "small")
        self.filter = SearchField(theme, tr("Titles, authors, tags, texts"), short=tr("Find"))
        self.filter.setMaximumWidth(FILTER_WIDTH)
        self.quotation_action = self.filter.addAction(
            theme.icon("ph.quotes"), SearchField.ActionPosition.TrailingPosition
        )
        self.quotation_action.setText(tr("Find a quotation…"))
        self.quotation_action.setToolTip(f"{self.quotation_action.text()} ({QUOTATION_KEYS})")
        name_icons(self.filter)
        self.values_button = CaretButton("", theme, "funnel")
        self._n_chosen, self._has_words = 0, False
        theme.changed.connect(self._show_filter)
        self.views = ViewChoice(theme, shown)
        self.add_button = CaretButton(tr("Add"), theme, "add", kind="primary")
        self.more_button = IconButton(theme, "more", tr("More"))
        self._of_place: tuple[QWidget, ...] = (self.place_count, self.close_place_button)
        title = (self.places_button, self.place_arrow, self.place_name, *self._of_place)
        for part in (*title, self.count):
            self.add(part)
        self.add_stretch()
        self.add(self.filter, 4)
        for button in (
            *(self.values_button, self.views.sort_button),
            *(self.views.table_button, self.views.cards_button),
            self.add_button,
        ):
            self.add(button)
        self.add(self.more_button)
        self._show_filter()
        self._show_place()

    def show_place(self, place: LibraryPlace) -> None:
        """Show the chosen place with the number of its documents; all documents are the title."""
        if place != self._place:
            self._place = place
            self._show_place()

    def name_place_on_button(self, named: bool) -> None:
        """Show the button with the place, while no list beside the screen has the places."""
        if named != self._names_place:
            self._names_place = named
            self._show_place()

    def _show_place(self) -> None:
        place, named = self._place, self._names_place
        is_narrowed = place.kind != "all"
        button = self.places_button
        button.setText((place.words or tr("All documents")).replace("&", "&&"))
        button.setIcon(self._theme.icon(ICONS[place.kind]))
        button.setToolTip(tr("Collections and tags"))
        button.setVisible(named)
        button.setMaximumWidth(min(button.sizeHint().width(), self._theme.length(PLACE_ROOM)))
        self.place_name.setText(place.words)
        room = min(self.place_name.sizeHint().width(), self._theme.length(PLACE_ROOM))
        self.place_name.setFixedWidth(room)
        self.place_count.setText(format_number(place.count))
        for widget in (self.place_arrow, self.place_name):
            widget.setVisible(is_narrowed and not named)
        for part in self._of_place:
            part.setVisible(is_narrowed)

    def show_chosen(self, n_chosen: int) -> None:
        """Show how many values the filter has."""
        self._n_chosen = n_chosen
        self._show_filter()

    def _show_filter(self) -> None:
        """Name the filter and its values on the button, which is as wide without any."""
        button, n = self.values_button, self._n_chosen
        words = tr("Filter ({n})", n=n) if n else tr("Filter")
        button.setAccessibleName(words)
        button.setToolTip(trn("Filters ({n} set)", "Filters ({n} set)", n) if n else tr("Filters"))
        button.setIcon(self._theme.icon("funnel", color="accent" if n else "text2"))
        button.setText(tr("Filter ({n})", n=max(n, 8)) if self._has_words else "")
        button.setFixedWidth(button.sizeHint().width())
        button.setText(words if self._has_words else "")

    def fit(self, width: int, has_documents: bool) -> None:
        """Show the controls that fit a width; an empty library has no filter."""
        length = self._theme.length
        self.count.setVisible(width >= length(980) and bool(self.count.text()))
        self.filter.setVisible(has_documents)
        self.values_button.setVisible(has_documents and width >= length(540))
        self.views.show_buttons(has_documents and width >= length(540))
        self.views.show_words(width >= length(SORT_WORDS_FROM))
        if (has_words := width >= length(FILTER_WORDS_FROM)) != self._has_words:
            self._has_words = has_words
            self._show_filter()
