"""The row of options below the question box: documents, model, and a panel with all others.

Each button opens its panel or menu; mode and length are in the panel. Owns the chosen values and
builds the `QueryParam` from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QRadioButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop_app.engine.llm.registry import ModelRow
from desktop_app.engine.model import ChunkId, CollectionId, DocumentId, DocumentRow
from desktop_app.engine.query import QueryParam

from ..theme.theme import Theme
from ..translation import tr, tr_message, trn
from ..widgets import STRETCH, SearchField, build_column, build_row, paint_box
from ..widgets.menus import show_by
from ..widgets.modes import BYPASS, MODE_GROUPS, mode_of
from ..widgets.tables import inverts_selection
from ..widgets.words import plain_tip
from .options_panel import FORMS, OptionButton, QueryOptionsButton

LONGEST = 22


class MenuButton(OptionButton):
    """An option chosen in a menu that opens above the button."""

    def __init__(self, theme: Theme, icon: str, parent: QWidget | None = None) -> None:
        super().__init__(theme, icon, parent)
        self.menu_box = QMenu(self)
        self.menu_box.setToolTipsVisible(True)
        self._group = QActionGroup(self)

    def _open(self) -> None:
        self.menu_box.adjustSize()
        self.menu_box.resize(self.menu_box.sizeHint())
        show_by(self.menu_box, self)

    def _add(self, words: str, hint: str, chosen: bool, choose: Callable[[], object]) -> QAction:
        action = self.menu_box.addAction(words.replace("&", "&&"))
        action.setToolTip(hint)
        action.setCheckable(True)
        action.setChecked(chosen)
        action.triggered.connect(lambda: choose())
        self._group.addAction(action)
        return action


class LengthButton(MenuButton):
    """The length of answers; `form` is a value of `QueryParam.response_type`."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "text-align-left", parent)
        self.form = ""
        self._by_form = {
            form: self._add(tr(words), tr(hint), form == "", partial(self.set_form, form))
            for form, _, words, hint in FORMS
        }
        self._update_text()

    @property
    def is_default(self) -> bool:
        return not self.form

    def reset(self) -> None:
        self.set_form("")

    def set_form(self, form: str) -> None:
        """Choose the form of the following answers."""
        self.form = form
        if form in self._by_form:
            self._by_form[form].setChecked(True)
        self._update_text()
        self.changed.emit()

    def _update_text(self) -> None:
        names = {form: (tr(short), tr(name)) for form, short, name, _ in FORMS}
        short, words = names.get(self.form, (self.form, self.form))
        self.summary = words
        self.setText(short)
        self.setToolTip(tr("Answer length: {form}", form=words))
        self.setAccessibleName(self.toolTip())


class ModelButton(MenuButton):
    """`opened` requests the list of models; `wanted` gives the name of the chosen one."""

    opened = Signal()
    wanted = Signal(str)
    more = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "models", parent)
        self._title = ""
        self.set_models(())

    @property
    def is_default(self) -> bool:
        return bool(self._title)

    def set_models(self, rows: Sequence[ModelRow]) -> None:
        """Show the installed chat models; one of them is active."""
        self.menu_box.clear()
        self._title = ""
        for row in rows:
            if row.role == "chat" and row.installed:
                self._title = row.title if row.active else self._title
                choose = partial(self.wanted.emit, row.name)
                self._add(row.title, tr_message(row.note), row.active, choose)
        if not self.menu_box.isEmpty():
            self.menu_box.addSeparator()
        self.menu_box.addAction(tr("Other models…"), self.more.emit)
        self._update_text()

    def _open(self) -> None:
        self.opened.emit()
        super()._open()

    def _update_text(self) -> None:
        words = self._title or tr("No model")
        short = words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"
        self.setText("" if self._compact and self._title else short.replace("&", "&&"))
        self.setToolTip(tr("Model: {model}", model=words))
        self.setAccessibleName(self.toolTip())


KEY_ROLE = Qt.ItemDataRole.UserRole
USE_ROLE = Qt.ItemDataRole.UserRole + 1
DEFAULT_MODE = QueryParam().mode
WIDTH = 440
GROUP_HEIGHT, MODE_HEIGHT = 28, 44


class ModeDelegate(QStyledItemDelegate):
    """Draws the title of a group, or a mode with check mark, title and description."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.chosen = ""

    def sizeHint(self, option: QStyleOptionViewItem, index) -> QSize:
        height = MODE_HEIGHT if index.data(KEY_ROLE) else GROUP_HEIGHT
        return QSize(WIDTH - 20, round(height * max(1.0, self._theme.scale)))

    @inverts_selection
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index) -> None:
        theme, area = self._theme, option.rect
        painter.save()
        key = index.data(KEY_ROLE)
        if not key:
            painter.setFont(theme.font("small"))
            painter.setPen(theme.color("text2"))
            bottom = Qt.AlignmentFlag.AlignBottom
            painter.drawText(area.adjusted(32, 0, -8, -4), bottom, index.data())
            painter.restore()
            return
        selected = option.state & QStyle.StateFlag.State_Selected
        if selected or option.state & QStyle.StateFlag.State_MouseOver:
            box = QRectF(area).adjusted(0, 1, 0, -1)
            paint_box(painter, box, theme.color("accent_soft"))
        if key == self.chosen:
            spot = QRect(area.left() + 8, area.top() + 6, 16, 16)
            theme.icon("check", color="accent").paint(painter, spot)
        left, width = area.left() + 32, area.width() - 40
        half = area.height() // 2
        lines = ((index.data(), "text", "text", 3), (index.data(USE_ROLE), "small", "text2", 0))
        for place, (text, role, color, nudge) in enumerate(lines):
            # The muted text colour has too little contrast on the selection.
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
    """The list of modes; emits `picked` with a key and closes itself."""

    picked = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("palette")
        self.rows = QListWidget(self)
        self.rows.setAccessibleName(tr("Search mode"))
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
        build_column(self.rows, parent=self, margins=(8, 4, 8, 8))
        self.setFixedWidth(WIDTH)
        self.rows.itemClicked.connect(self._pick)
        self.rows.itemActivated.connect(self._pick)

    def keys(self) -> list[str]:
        """Return the keys of the modes in order."""
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
        """Set the height to that of all rows, which depends on the size of text."""
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


class ModeButton(OptionButton):
    """Shows the retrieval mode and opens the list of modes."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "search", parent)
        self.mode = DEFAULT_MODE
        self.panel = ModePanel(theme, self)
        self.panel.picked.connect(self.set_mode)
        self._update_text()

    @property
    def is_default(self) -> bool:
        return self.mode == DEFAULT_MODE

    def reset(self) -> None:
        self.set_mode(DEFAULT_MODE)

    def set_mode(self, key: str) -> None:
        """Choose the retrieval mode of the following questions."""
        self.mode = key
        self._update_text()
        self.changed.emit()

    def _update_text(self) -> None:
        mode = mode_of(self.mode)
        self.summary = tr(mode.short)
        self.setText(self.summary)
        title, use = tr(mode.title), tr(mode.use)
        self.setToolTip(tr("Search mode: {title}. {use}", title=title, use=use))
        self.setAccessibleName(tr("Search mode: {title}", title=title))

    def _open(self) -> None:
        self.panel.set_chosen(self.mode)
        self.panel.fit()
        show_by(self.panel, self)
        self.panel.rows.setFocus()


ID_ROLE = Qt.ItemDataRole.UserRole
BOX_WIDTH = 28


class TickList(QListWidget):
    """A list with check boxes; emits `ticked_changed` for changes by the user or by `tick`."""

    ticked_changed = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setUniformItemSizes(True)
        self.setAccessibleName(name)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._wanted = ""
        self.itemChanged.connect(lambda _: self.ticked_changed.emit())
        self.itemClicked.connect(self._clicked)

    def set_rows(self, rows: Sequence[tuple[int, str]]) -> None:
        """Show these ids with their names; checked ids stay checked."""
        ticked = set(self.ticked())
        self.blockSignals(True)
        self.clear()
        for row_id, name in rows:
            item = QListWidgetItem(name, self)
            item.setData(ID_ROLE, row_id)
            item.setToolTip(plain_tip(name))
            kinds = Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsEnabled
            item.setFlags(kinds | Qt.ItemFlag.ItemIsSelectable)
            item.setCheckState(_state(row_id in ticked))
        self.blockSignals(False)
        self.filter(self._wanted)

    def ticked(self) -> list[int]:
        items = (self.item(i) for i in range(self.count()))
        return [i.data(ID_ROLE) for i in items if i.checkState() == Qt.CheckState.Checked]

    def names(self, ids: Iterable[int]) -> list[str]:
        """Return the names of these ids in the order of the list."""
        wanted = set(ids)
        items = (self.item(i) for i in range(self.count()))
        return [i.text() for i in items if i.data(ID_ROLE) in wanted]

    def filter(self, text: str) -> None:
        """Show only names that contain this text."""
        self._wanted = text
        for i in range(self.count()):
            self.item(i).setHidden(text.casefold() not in self.item(i).text().casefold())

    def _clicked(self, item: QListWidgetItem) -> None:
        # a click on the text; a click on the box has changed it already
        box = self.visualItemRect(item).left() + BOX_WIDTH
        if self.mapFromGlobal(self.cursor().pos()).x() > box:
            item.setCheckState(_state(item.checkState() != Qt.CheckState.Checked))


def _state(on: bool) -> Qt.CheckState:
    return Qt.CheckState.Checked if on else Qt.CheckState.Unchecked


LONGEST_TITLE = 24
HEIGHT = 400


class ScopePanel(QFrame):
    """The panel for documents: all, or a list with search and check boxes."""

    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("palette")
        self.all = QRadioButton(tr("All documents"), self)
        self.of_collections = QRadioButton(tr("Only these collections"), self)
        self.some = QRadioButton(tr("Only these documents"), self)
        self._choice = QButtonGroup(self)
        for button in (self.all, self.of_collections, self.some):
            self._choice.addButton(button)
        self.all.setChecked(True)
        self.search = SearchField(theme, tr("Find a document"), self)
        self.rows = TickList(tr("Documents"), self)
        self.collections = TickList(tr("Collections"), self)
        build_column(
            *(self.all, self.of_collections, self.some, self.search),
            *((self.collections, 1), (self.rows, 1)),
            parent=self,
            spacing=4,
            margins=(12, 8, 12, 12),
        )
        self.setFixedWidth(320)
        self.of_collections.hide()
        self._choice.buttonToggled.connect(self._chosen)
        self.rows.ticked_changed.connect(lambda: self._ticked(self.some))
        self.collections.ticked_changed.connect(lambda: self._ticked(self.of_collections))
        self.search.searched.connect(self.rows.filter)
        self._chosen()

    def set_documents(self, documents: Sequence[DocumentRow]) -> None:
        """Show the documents of the library; checked ones stay checked."""
        self.rows.set_rows([(int(d.id), d.title or d.file_name) for d in documents])
        self.changed.emit()

    def set_collections(self, collections: Sequence[tuple[int, str]]) -> None:
        """Show these collections; without any, this choice is hidden."""
        self.collections.set_rows(list(collections))
        self.of_collections.setVisible(bool(collections))
        if not collections and self.of_collections.isChecked():
            self.all.setChecked(True)
        self._chosen()

    def _ticked(self, choice: QRadioButton) -> None:
        choice.setChecked(True)
        self.changed.emit()

    def fit(self) -> None:
        """Set the height to that of the visible list, up to a limit."""
        by_collection = self.of_collections.isChecked()
        rows = self.collections if by_collection else self.rows
        above = self.sizeHint().height() - rows.sizeHint().height()
        row = max(28, rows.sizeHintForRow(0))
        self.setFixedHeight(min(HEIGHT, above + max(2, rows.count()) * row + 8))

    def _chosen(self, *_: object) -> None:
        # only the list in use is shown, since check marks in the other have no effect
        by_collection = self.of_collections.isChecked()
        self.collections.setVisible(by_collection)
        self.rows.setVisible(not by_collection)
        self.search.setVisible(not by_collection)
        if self.isVisible():
            self.fit()
        self.changed.emit()


class ScopeButton(OptionButton):
    """Shows the documents in scope and opens the panel; `None` stands for all."""

    opened = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "library", parent)
        self.panel = ScopePanel(theme, self)
        self.panel.changed.connect(self._update_text)
        self.panel.changed.connect(self.changed)
        self._update_text()

    @property
    def document_ids(self) -> tuple[DocumentId, ...] | None:
        if not self.panel.some.isChecked():
            return None
        return tuple(map(DocumentId, self.panel.rows.ticked())) or None

    @property
    def collection_ids(self) -> tuple[CollectionId, ...] | None:
        if not self.panel.of_collections.isChecked():
            return None
        return tuple(map(CollectionId, self.panel.collections.ticked())) or None

    def _open(self) -> None:
        self.opened.emit()
        self.panel.fit()
        show_by(self.panel, self)
        first = self.panel.collections if self.panel.of_collections.isChecked() else None
        (first or self.panel.search).setFocus()

    @property
    def is_default(self) -> bool:
        return not self.document_ids and not self.collection_ids

    def words(self) -> str:
        """Return the text for the documents in scope."""
        documents, collections = self.document_ids or (), self.collection_ids or ()
        if len(documents) > 1:
            return trn("{n} document", "{n} documents", len(documents))
        if len(collections) > 1:
            return trn("{n} collection", "{n} collections", len(collections))
        if documents:
            return _name_of(self.panel.rows, documents)
        if collections:
            return _name_of(self.panel.collections, collections)
        return tr("All documents")

    def _update_text(self) -> None:
        words = self.words()
        self.setText(tr("All") if self._compact and self.is_default else words)
        names = self.panel.rows.names(self.document_ids or ())
        names += self.panel.collections.names(self.collection_ids or ())
        self.setAccessibleName(tr("Documents: {names}", names=words))
        if len(names) > 1:
            listed = tr(", ").join(names[:8]) + (" …" if len(names) > 8 else "")
            words = tr("{count}: {names}", count=words, names=listed)
        self.setToolTip(plain_tip(tr("Documents: {names}", names=words)))


def _name_of(rows: TickList, ids: tuple[int, ...]) -> str:
    title = next(iter(rows.names(ids)), "")
    return title if len(title) <= LONGEST_TITLE else title[: LONGEST_TITLE - 1] + "…"


class OptionsRow(QWidget):
    """All options of a question; emits `param_changed` with every change."""

    param_changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._room = 0
        self.scope = ScopeButton(theme, self)
        self.model = ModelButton(theme, self)
        self.mode_button, self.length = ModeButton(theme), LengthButton(theme)
        choices = {tr("Search mode"): self.mode_button, tr("Answer length"): self.length}
        self.more_options = QueryOptionsButton(theme, choices, self)
        # the first becomes an icon first
        self._in_order = (self.model, self.scope)
        self._buttons = (self.scope, self.model, self.more_options)
        self._theme = theme
        self._row = build_row(*self._buttons, STRETCH, parent=self, spacing=0)
        self.param = QueryParam()  # of the following questions
        self._pinned: tuple[ChunkId, ...] = ()
        self.scope.changed.connect(self._update_param)
        self.more_options.changed.connect(self._update_param)
        theme.changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        """Fit the buttons to the size of text."""
        self.fit(self._room)

    @property
    def mode(self) -> str:
        return self.mode_button.mode

    def set_mode(self, mode: str) -> None:
        """Choose the retrieval mode of the following questions."""
        self.mode_button.set_mode(mode)

    def set_pinned(self, chunk_ids: Sequence[ChunkId]) -> None:
        """Choose the passages that the following questions read first."""
        self._pinned = tuple(chunk_ids)
        self._update_param()

    def _update_param(self) -> None:
        self.param = QueryParam(
            mode=self.mode,
            document_ids=self.scope.document_ids,
            collection_ids=self.scope.collection_ids,
            response_type=self.length.form,
            pinned_chunk_ids=self._pinned,
            **self.more_options.values(),
        )
        # without retrieval the documents have no effect
        self.scope.setEnabled(self.mode != BYPASS)
        self.fit(self._room)
        self.param_changed.emit()

    def fit(self, room: int) -> None:
        """Show default values as icons if there is no room for their texts; 0 is unknown."""
        self._room = room
        # the word of the last one gives way before any choice does
        for words in (tr("Options"), ""):
            self.more_options.set_words(words)
            self._show_choices(compact=0)
            if not room or self._wanted_width() <= room:
                return
        for n_compact in range(1, len(self._in_order) + 1):
            self._show_choices(compact=n_compact)
            if self._wanted_width() <= room:
                return

    def _show_choices(self, *, compact: int) -> None:
        for place, button in enumerate(self._in_order):
            button.set_compact(place < compact)

    def _wanted_width(self) -> int:
        gaps = self._row.spacing() * (len(self._buttons) - 1)
        widths = (max(one.sizeHint().width(), one.minimumWidth()) for one in self._buttons)
        return gaps + sum(widths)

    def event(self, event: QEvent) -> bool:
        """Make room again when a text has become longer, as that of the model once it is known."""
        handled = super().event(event)
        is_layout = event.type() == QEvent.Type.LayoutRequest
        if is_layout and self._wanted_width() > self._room > 0 and not self._is_compact():
            self.fit(self._room)
        return handled

    def _is_compact(self) -> bool:
        return all(button.is_compact for button in self._in_order)
