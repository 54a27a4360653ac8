"""The left side of the merge desk: the list of clusters, its filter, order and keys.

Owns the model and the current row. Does not search for clusters: it emits requests.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Set

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QRect, QSize, Qt, Signal
from PySide6.QtGui import QActionGroup, QFontMetrics, QIcon, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop_app.engine.graph.duplicates.model import DuplicateReason
from desktop_app.engine.services.duplicates import (
    LIKELY,
    UNCERTAIN,
    VERY_LIKELY,
    DuplicateCluster,
    arrange,
)

from ..theme.theme import Theme
from ..translation import later, tr
from ..widgets import (
    Button,
    SearchField,
    build_column,
    build_row,
    format_number,
    format_type,
)
from ..widgets.buttons import LINK_PAD
from ..widgets.emphasis import elide_words, find_differences, paint_underlined
from ..widgets.fields import go_to_list
from ..widgets.kind_marks import BARS_WIDTH, paint_sureness
from ..widgets.tables import ROW_ROLE, AnyIndex, RowList, RowsModel, inverts_selection, paint_ground

ROW_HEIGHT = 66
AGAINST_SIDE = 14  # pixels of the sign for evidence against
KIND_LEFT, KIND_RIGHT = 12 - LINK_PAD, 12  # pixels beside the button that selects a kind
LINES = (17, 35, 54)  # baselines of the two names and of the evidence, from the top of a row


class ClustersModel(RowsModel):
    """The clusters that pass the filter; all are in memory, so that filtering is immediate."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._all: dict[tuple[int, ...], DuplicateCluster] = {}  # by the ids of their members
        self._of_entity: dict[int, dict[tuple[int, ...], None]] = {}
        self._view: dict[str, str] = {}

    @property
    def n_all(self) -> int:
        return len(self._all)

    def set_clusters(self, clusters: list[DuplicateCluster]) -> None:
        self._all, self._of_entity = {}, {}
        for one in clusters:
            self._add(one)
        self.set_view()

    def _add(self, cluster: DuplicateCluster) -> None:
        self._all[cluster.ids] = cluster
        for entity_id in cluster.ids:
            self._of_entity.setdefault(entity_id, {})[cluster.ids] = None

    def set_view(self, **view: str) -> None:
        """Change the filter or the order: see `services.duplicates.arrange`."""
        self._view |= view
        self.show_rows(arrange([*self._all.values()], **self._view))  # type: ignore[arg-type]

    def drop(self, clusters: Collection[DuplicateCluster]) -> None:
        """Remove clusters; the others stay where they are."""
        gone = {one.ids for one in clusters} & self._all.keys()
        if not gone:
            return
        for ids in gone:
            del self._all[ids]
            for entity_id in ids:
                self._of_entity[entity_id].pop(ids, None)
        rows = [row for row, one in enumerate(self.rows) if one.ids in gone]
        for row in reversed(rows):
            self.remove_row(row)

    def put_back(self, cluster: DuplicateCluster, row: int) -> None:
        """Add a cluster at a row again; the others keep their order."""
        if cluster.ids in self._all:
            self.replace([cluster])
            return
        row = min(max(0, row), len(self.rows))
        self._add(cluster)
        if arrange([cluster], **{k: v for k, v in self._view.items() if k != "sort"}):  # type: ignore[arg-type]
            self.insert_row(row, cluster)

    def find_clusters(self, ids: Set[int]) -> list[DuplicateCluster]:
        """Return all clusters with one of these entities, also those not shown."""
        if len(ids) > len(self._of_entity):
            ids = {entity_id for entity_id in self._of_entity if entity_id in ids}
        found = {key: None for entity_id in ids for key in self._of_entity.get(entity_id, ())}
        return [self._all[key] for key in found]

    def replace(self, clusters: Iterable[DuplicateCluster]) -> None:
        """Replace the clusters that have the same members with more detailed ones."""
        changed = {one.ids: one for one in clusters if self._all.get(one.ids, one) != one}
        if not changed:
            return
        self._all |= changed
        for row, one in enumerate(self.rows):
            if one.ids in changed:
                self.rows[row] = changed[one.ids]
                self.dataChanged.emit(self.index(row), self.index(row))

    def find_row(self, ids: tuple[int, ...]) -> int:
        return next((i for i, one in enumerate(self.rows) if one.ids == ids), -1)

    def describe(self, row: DuplicateCluster, role: int) -> str | None:
        names = [member.entity.name for member in row.members]
        if role == Qt.ItemDataRole.DisplayRole:
            return " · ".join(names)
        if role == Qt.ItemDataRole.ToolTipRole:
            return "\n".join((" · ".join(names), describe_row(row)))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{', '.join(names)}. {describe_row(row)}"
        return None


class ClusterDelegate(QStyledItemDelegate):
    """Draws three lines: two names, one below the other; how likely they are one, and why.

    The words in which the names differ are underlined, for the ground of a mark is that of mentions
    in sentences. A sign says that there is evidence against.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(160, self._theme.length(ROW_HEIGHT))

    @inverts_selection
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        one: DuplicateCluster = index.data(ROW_ROLE)
        paint_ground(painter, option, index, self)
        area = option.rect.adjusted(12, 0, -12, 0)
        painter.save()
        small = self._theme.font("small")
        text = self._theme.font("strong" if one.is_new else "text")
        asked = ""
        if one.asked is not None:
            asked = tr("model {n}%", n=format_number(round(100 * one.asked)))
        width = QFontMetrics(small).horizontalAdvance(asked)
        bars = area.right() - BARS_WIDTH
        painter.setFont(small)
        painter.setPen(self._theme.color("text2"))
        top, second, foot = (area.top() + self._theme.length(down) for down in LINES)
        painter.drawText(bars - 8 - width, top, asked)
        paint_sureness(painter, bars, top, SURENESS[one.likelihood], self._theme)
        painter.setPen(self._theme.color("text2"))
        right = Qt.TextElideMode.ElideRight
        room = area.width()
        if one.against:  # a mark of its own, so that no long reason cuts it away
            side = self._theme.length(AGAINST_SIDE)
            left, middle = area.right() - side, foot - QFontMetrics(small).ascent() // 2 + 1
            icon = self._theme.icon("warning")
            icon.paint(painter, QRect(left, middle - side // 2, side, side))
            room -= side + 6
        painter.drawText(area.left(), foot, elide_words(QFontMetrics(small), _tell_why(one), room))
        painter.setFont(text)
        painter.setPen(self._theme.color("text"))
        names = [" ".join(member.entity.name.split()) for member in one.members]
        metrics, accent = QFontMetrics(text), self._theme.color("accent")
        room = area.width() - width - BARS_WIDTH - 20
        first = metrics.elidedText(names[0], right, room)
        others = metrics.elidedText(" · ".join(names[1:]), right, area.width())
        for line, other, baseline in ((first, names[1], top), (others, names[0], second)):
            is_whole = len(names) == 2 and line in names
            spans = find_differences(line, other) if is_whole else ()
            paint_underlined(painter, area.left(), baseline, line, spans, accent)
        painter.restore()


LIKELIHOODS = {
    VERY_LIKELY: later("Very likely the same"),
    LIKELY: later("Likely the same"),
    UNCERTAIN: later("Uncertain"),
}
SURENESS = {VERY_LIKELY: 1.0, LIKELY: 0.6, UNCERTAIN: 0.2}  # drawn as three, two or one bar
# The kinds of evidence, short enough for a row: a sentence that is cut could say something false.
METHODS = {
    "fingerprint": later("same words"),
    "ngram": later("same letters"),
    "titles": later("another title"),
    "nickname": later("short first name"),
    "initials": later("initials"),
    "also_called": later("“also called”"),
    "beside": later("nickname before the name"),
    "part": later("part of the name"),
    "surname": later("same surname"),
    "pinyin": later("same pronunciation"),
    "spelling": later("similar spelling"),
    "meaning": later("similar description"),
    "characters": later("same first character"),
    "neighbours": later("same connections"),
}


def describe_likelihood(one: DuplicateCluster) -> str:
    """Return in words how likely the names of a cluster are one."""
    return tr(LIKELIHOODS[one.likelihood])


def describe_kind(one: DuplicateCluster) -> str:
    """Return how likely a cluster is one, and the kind of evidence for it.

    Clusters of one kind have the same text.
    """
    return _join_parts(one, [tr(METHODS.get(reason.method, "")) for reason in one.reasons[:1]])


def describe_row(one: DuplicateCluster) -> str:
    """Return the kind of a cluster, with the name that its evidence is about if that is not shown.

    “Penhallow” is no part of “Tom” but of “Tom Penhallow”, another name of Tom.
    """
    against = (tr("evidence against"),) if one.against else ()
    return " · ".join((_tell_why(one), *against))


def _tell_why(one: DuplicateCluster) -> str:
    return _join_parts(one, [_describe_reason(one, reason) for reason in one.reasons[:1]])


def _join_parts(one: DuplicateCluster, reasons: list[str]) -> str:
    return " · ".join(part for part in (describe_likelihood(one), *reasons) if part)


def _describe_reason(one: DuplicateCluster, reason: DuplicateReason) -> str:
    params = {key: str(value) for key, value in reason.text.params.items()}
    shared = params.pop("part", "")  # what two names have in common: neither is part of the other
    hidden = {name: member for member in one.members for name in member.names}
    for member in one.members:
        hidden.pop(member.entity.name, None)
    if shared:
        is_surname = one.type == "person" and all(name.endswith(shared) for name in params.values())
        # "Mr. Franklin" has no "Blake": his other name has it.
        for name in params.values():
            if name in hidden and shared not in hidden[name].entity.name:
                if is_surname:
                    return _describe_surname(shared, name)
                return tr("{kind}: “{name}”", kind=tr(METHODS["part"]), name=name)
        if is_surname:
            return _describe_surname(shared)
        return tr("in common: “{name}”", name=shared)
    kind = tr(METHODS.get(reason.method, ""))
    cited = next((name for name in params.values() if name in hidden), "")
    if reason.method == "surname" and (surname := params.get("surname")):
        return _describe_surname(surname, cited)
    return tr("{kind}: “{name}”", kind=kind, name=cited) if kind and cited else kind


def _describe_surname(surname: str, name: str = "") -> str:
    """Return the surname of two names, and the name that has it if no row shows that."""
    shared = tr("shared surname “{name}”", name=surname)
    return tr("{shared}, in “{name}”", shared=shared, name=name) if name else shared


STRICTNESS = (
    (later("Strict: few suggestions"), 0.8),
    (later("Normal"), 0.5),
    (later("Loose: all possible"), 0.25),
)
SORTS = (
    ("newest", later("New ones, then the most mentions moved")),
    ("certainty", later("Most likely first")),
    ("size", later("Largest first")),
    ("mentions", later("Most mentioned first")),
    ("asked", later("Model's certainty")),
)
TYPES = ("", "person", "place", "organisation", "object", "event", "concept")


class ClusterList(QWidget):
    """Emits `chosen` with a cluster, `filtered` when the filter changes, and requests.

    Several rows can be selected with Shift, Ctrl or the button below them: `several_chosen`.
    The merge desk places the two buttons in its toolbar.
    """

    chosen = Signal(object)
    several_chosen = Signal(list)
    filtered = Signal()
    search_wanted = Signal()
    certainty_wanted = Signal(float)
    ask_wanted = Signal()
    ask_all_wanted = Signal()
    many_wanted = Signal()
    history_wanted = Signal()

    def __init__(self, theme: Theme, certainty: float, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumWidth(240)
        self.model = ClustersModel(self)
        self.view = RowList(self.model, ClusterDelegate(theme), tr("Possible duplicates"), self)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.view.selectionModel().selectionChanged.connect(lambda *_: self._emit_chosen())
        self._theme = theme
        self.search_button = Button(tr("Look for duplicates again"), self, elide=True)
        self.search_button.setAccessibleName(tr("Look for duplicates again"))
        self.show_outdated(False)
        self.search_button.clicked.connect(self.search_wanted)
        theme.changed.connect(self._restyle)
        self.more_button = Button(
            tr("Filter and order"), self, theme=theme, icon="sliders-horizontal", elide=True
        )
        self.more_button.setStyleSheet("padding-right: 22px;")  # of the arrow
        self.more_button.setAccessibleName(tr("Filter and order"))
        self.more_button.setMenu(self._build_menu(certainty))
        self.search = SearchField(theme, tr("Find a name"), self)
        self.search.searched.connect(lambda text: self.set_view(text=text))
        self.search.left_down.connect(lambda: go_to_list(self.view))
        find = build_row(self.search, margins=(12, 8, 12, 8))
        self.kind_button = Button("", self, kind="link", elide=True)
        self.kind_button.setStyleSheet("QPushButton { text-align: left; }")
        self.kind_button.clicked.connect(self.select_kind)
        self.kind_button.hide()
        self._kind_texts: tuple[str, ...] = ("",)  # of the button, the longest first
        kinds = build_row((self.kind_button, 1), margins=(KIND_LEFT, 0, KIND_RIGHT, 6))
        build_column(find, kinds, (self.view, 1), parent=self, spacing=0)

    def _build_menu(self, certainty: float) -> QMenu:
        menu = QMenu(self)
        for options, chosen, choose in (
            ([(c, words) for words, c in STRICTNESS], certainty, self.certainty_wanted.emit),
            (SORTS, SORTS[0][0], lambda key: self.set_view(sort=key)),
        ):
            group = QActionGroup(self)
            for value, words in options:
                action = menu.addAction(tr(words))
                action.setCheckable(True)
                action.setChecked(value == chosen)
                group.addAction(action)
                action.triggered.connect(lambda _=False, v=value, choose=choose: choose(v))
            menu.addSeparator()
        types = menu.addMenu(tr("Type"))
        for type_ in TYPES:
            words = format_type(type_, capital=True) if type_ else tr("Any")
            types.addAction(words).triggered.connect(
                lambda _=False, type_=type_: self.set_view(type=type_)
            )
        menu.addSeparator()
        menu.addAction(tr("Merge all very likely…"), self.many_wanted.emit)
        menu.addAction(tr("Ask the chat model about this suggestion"), self.ask_wanted.emit)
        menu.addAction(tr("Ask the chat model about all suggestions"), self.ask_all_wanted.emit)
        menu.addAction(tr("History of changes…"), self.history_wanted.emit)
        return menu

    def fit(self, *, narrow: bool) -> None:
        """Show the buttons without their text if there is little room."""
        self.search_button.setText("" if narrow else tr("Look for duplicates again"))
        self.search_button.setIcon(self._theme.icon("retry") if narrow else QIcon())
        self.more_button.setText("" if narrow else tr("Filter and order"))
        self.more_button.setToolTip(tr("Filter and order") if narrow else "")

    def _restyle(self) -> None:
        self.fit(narrow=not self.search_button.text())
        self._fit_kind()

    def _fit_kind(self) -> None:
        """Show the longest text of the button that selects a kind for which there is room."""
        room = self.width() - KIND_LEFT - KIND_RIGHT
        for text in self._kind_texts:
            self.kind_button.setText(text)
            if self.kind_button.sizeHint().width() <= room:
                break

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_kind()

    def show_outdated(self, outdated: bool) -> None:
        """Mark that the graph has changed since the suggestions were computed."""
        words = (
            tr("Names have changed: compare all names again (Ctrl+R)")
            if outdated
            else tr("Compare all names again to find new suggestions (Ctrl+R)")
        )
        self.search_button.setToolTip(words)
        self.search_button.setProperty("kind", "primary" if outdated else "")
        self.search_button.style().polish(self.search_button)

    # --- rows -------------------------------------------------------------------------------

    @property
    def current(self) -> DuplicateCluster | None:
        index = self.view.currentIndex()
        return index.data(ROW_ROLE) if index.isValid() else None

    @property
    def selected(self) -> list[DuplicateCluster]:
        """The selected clusters, in the order of the list."""
        indexes = self.view.selectionModel().selectedIndexes()
        return [index.data(ROW_ROLE) for index in sorted(indexes, key=lambda i: i.row())]

    def select(self, row: int) -> None:
        """Select a row alone, the last one if there are fewer."""
        if self.model.rowCount():
            self.view.clearSelection()
        if self.view.select_row(row):
            self.view.selectionModel().select(
                self.view.currentIndex(), QItemSelectionModel.SelectionFlag.ClearAndSelect
            )
            self._emit_chosen()

    def select_kind(self) -> None:
        """Select all shown clusters that are as likely as the current one, for the same reason."""
        if (here := self.current) is None:
            return
        selection = QItemSelection()
        for row in self._list_kind(here):
            selection.select(self.model.index(row), self.model.index(row))
        flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.view.selectionModel().select(selection, flag)
        self.view.setFocus()

    def _list_kind(self, here: DuplicateCluster) -> list[int]:
        """Return the rows that are as likely as a cluster for the same reason."""
        kind = describe_kind(here)
        return [row for row, one in enumerate(self.model.rows) if describe_kind(one) == kind]

    def go_on(self) -> None:
        """Select the next row; after the last one, the first."""
        if n := self.model.rowCount():
            self.select((self.view.currentIndex().row() + 1) % n)

    def set_view(self, **view: str) -> None:
        """Change the filter or the order of the list."""
        self.model.set_view(**view)
        self.filtered.emit()
        self.select(0)

    def _emit_chosen(self) -> None:
        selected, here = self.selected, self.current
        n_alike = len(self._list_kind(here)) if here is not None else 0
        self.kind_button.setEnabled(n_alike > 1)
        self._kind_texts, tooltip = (tr("No others of this kind"),), ""
        if here is not None and n_alike > 1:
            kind, n = describe_kind(here), format_number(n_alike)
            self._kind_texts = (
                tr("Select all {n} suggestions of this kind", n=n),
                tr("Select all {n} of this kind", n=n),
            )
            tooltip = tr("Select all shown suggestions: {kind}", kind=kind)
        self.kind_button.setToolTip(tooltip)
        self.kind_button.setAccessibleName(self._kind_texts[0])
        self._fit_kind()
        self.kind_button.setVisible(here is not None)
        if len(selected) > 1:
            self.several_chosen.emit(selected)
        elif selected and here is not None:
            self.chosen.emit(selected[0])
