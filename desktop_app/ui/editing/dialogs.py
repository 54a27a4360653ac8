"""The small dialogs of corrections: name, text, connection, split, history.

They show what is passed in and emit what the user entered; none runs an edit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPointF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QTextCharFormat, QTextCursor, QTextLayout
from PySide6.QtWidgets import (
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from desktop_app.engine.errors import AppError, NameTaken
from desktop_app.engine.model import (
    BACKWARD,
    BOTH_WAYS,
    FORWARD,
    MAX_NAME,
    UNDIRECTED,
    WRITES,
    EntityRow,
    MentionRow,
    RelationRow,
    reverse_direction,
)

from ..messages import describe_error
from ..theme.theme import Theme
from ..translation import later, tr, tr_message, trn
from ..widgets import (
    Button,
    ChoiceBox,
    Label,
    PrimaryButton,
    SearchField,
    build_row,
    format_number,
    format_when,
)
from ..widgets.emphasis import cut_around, format_emphasis, format_span
from ..widgets.fields import go_to_list
from ..widgets.labels import show_mention
from ..widgets.sheet import Sheet
from ..widgets.states import ListOrWords
from ..widgets.tables import AnyIndex, inverts_selection, paint_ground
from ..widgets.words import format_ends, format_headings, format_kind, join_words, plain_tip
from .merge_dialog import build_type_box
from .pick_dialog import MAX_EXAMPLES, FindNames, HintedList, describe_nothing_found

if TYPE_CHECKING:
    from desktop_app.engine.services.editing.history import HistoryRow
    from desktop_app.engine.text.shown_text import ShownText, Span

ID_ROLE, NAME_ROLE = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
SENTENCE_ROLE = Qt.ItemDataRole.UserRole + 2
CHANGE_ROLE = Qt.ItemDataRole.UserRole + 3  # the mark of a change, its label and its time
WIDTH = 440
HEADING_HEIGHT = 28
CHECK_BOX = 30  # pixels, with the space beside it; the style sheet draws it larger than Qt says
SENTENCE_LINES, MIN_SENTENCE_CHARS = 2, 24  # lines, and characters that are not shortened further
LONGEST_END = 24  # characters of a name beside the arrow of a direction
KINDS = (
    *("family", "love", "friend", "enemy", "work", "talk", "place", "part"),
    *("uses", "causes", "made", "compares", WRITES),
)
MAX_OWN_KINDS = 12  # of the library, before the others: the list is not longer than a screen
BEGINNING = later("Before all changes")
ELSEWHERE = later("Made in another window or program")
OF_ALL = later("Newest first. Select a change to go back to it or forward again. Nothing is lost.")
OF_ONE = later(
    "Changes to this name, newest first. Going back undoes every later change in the library, "
    "including those to other names. Nothing is lost."
)


def describe_length(name: str) -> str:
    """Return that a name of an entity is too long, "" if it is not."""
    n = len(" ".join(name.split()))
    if n <= MAX_NAME:
        return ""
    return trn(
        "This name has {n} character, and at most {most} are possible. Use a shorter one.",
        "This name has {n} characters, and at most {most} are possible. Use a shorter one.",
        n,
        most=MAX_NAME,
    )


class NameDialog(Sheet):
    """Emits `given` with name, type and description; type is "" if it was not requested.

    Stays open until it is accepted: what is given may be refused (`show_refusal`), and nothing that
    was typed is lost. `show_wanted` carries the entity that has the name already.
    """

    given = Signal(str, str, str)
    show_wanted = Signal(int)
    is_accepted_when_saved = True

    def __init__(
        self,
        title: str,
        action_text: str,
        *,
        name: str = "",
        hint: str = "",
        type_: str | None = None,
        description: str | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(title, parent)
        self.name = QLineEdit(name)
        self.name.setAccessibleName(tr("Name"))
        self.name.selectAll()
        self.add_field(tr("Name"), self.name)
        self.problem = Label("", "bad", wrap=True)
        self.problem.hide()
        self.add(self.problem)
        self._taken_by = 0
        self.show_button = Button(tr("Show it"))
        self.show_button.hide()
        self.show_button.clicked.connect(lambda: self.show_wanted.emit(self._taken_by))
        self.type = build_type_box(type_ or "other")
        if type_ is not None:
            self.add_field(tr("Type"), self.type)
        self.description = QPlainTextEdit(description or "")
        self.description.setAccessibleName(tr("Description"))
        self.description.setProperty("kind", "field")
        self.description.setTabChangesFocus(True)
        self.description.setFixedHeight(96)
        if description is not None:
            self.add_field(tr("Description (optional)"), self.description)
        if hint:
            self.add(Label(hint, "muted", wrap=True))
        self._asks_type, self.has_description = type_ is not None, description is not None
        cancel, self.save_button = Button(tr("Cancel")), PrimaryButton(action_text)
        cancel.clicked.connect(self.reject)
        self.save_button.clicked.connect(self._give)
        self.name.textChanged.connect(self._check)
        self.add_foot([cancel, self.save_button], [self.show_button])
        self.register_fields(name=self.name, type=self.type, description=self.description)
        self.fit_content(WIDTH)
        self._check()
        self.name.setFocus()

    @property
    def values(self) -> tuple[str, str, str]:
        """Name, type and description, as they are typed."""
        type_ = str(self.type.currentData()) if self._asks_type else ""
        return self.name.text().strip(), type_, self.description.toPlainText().strip()

    def show_refusal(self, error: AppError) -> None:
        """Show why the name was not taken, and offer the entity that has it already."""
        self._taken_by = error.entity_id if isinstance(error, NameTaken) else 0
        self._show_problem(describe_error(error))
        self.save_button.setEnabled(True)
        self.name.setFocus()

    def _check(self) -> None:
        self._taken_by = 0
        self._show_problem(describe_length(self.name.text()))
        is_given = bool(self.name.text().strip())
        self.save_button.setEnabled(is_given and self.problem.isHidden())

    def _show_problem(self, words: str) -> None:
        if (words, bool(words)) != (self.problem.text(), not self.problem.isHidden()):
            self.problem.setText(words)
            self.problem.setVisible(bool(words))
            self.fit_content(WIDTH)
        self.show_button.setVisible(bool(self._taken_by))

    def _give(self) -> None:
        self.save_button.setEnabled(False)  # until it is taken or refused
        self.given.emit(*self.values)


class TextDialog(Sheet):
    """A dialog for a longer text; emits `restore_wanted` for the text from the documents.

    So does "Save" with an empty field. What is stored already is not given.

    Args:
        hint: what the text is, and what an empty field does.
        proposal: the text to begin with where none is stored; it is selected, so that typing
            replaces it.
    """

    given = Signal(str)
    restore_wanted = Signal()

    def __init__(
        self,
        title: str,
        text: str,
        *,
        can_restore: bool,
        hint: str = "",
        proposal: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(title, parent)
        self._stored, self._can_restore = text.strip(), can_restore
        self.text = QPlainTextEdit(text or proposal)
        self.text.setAccessibleName(title)
        self.text.setProperty("kind", "field")
        self.text.setFixedHeight(152)
        self.text.setTabChangesFocus(True)
        if text:
            self.text.moveCursor(QTextCursor.MoveOperation.End)
        else:
            self.text.selectAll()
        self.add(self.text)
        self.hint = Label(hint, "muted", wrap=True)
        self.hint.setVisible(bool(hint))
        self.text.setAccessibleDescription(hint)
        self.add(self.hint)
        cancel, self.save_button = Button(tr("Cancel")), PrimaryButton(tr("Save"))
        self.restore_button = Button(tr("Restore from text"))
        self.restore_button.setVisible(can_restore)
        cancel.clicked.connect(self.reject)
        self.save_button.clicked.connect(self._give)
        self.restore_button.clicked.connect(self._restore)
        self.add_foot([cancel, self.save_button], [self.restore_button])
        self.register_fields(text=self.text)
        self.fit_content(520)
        self.text.setFocus()

    def _give(self) -> None:
        text = self.text.toPlainText().strip()
        if not text and self._can_restore:
            self._restore()
            return
        if text and text != self._stored:
            self.given.emit(text)
        self.accept()

    def _restore(self) -> None:
        self.restore_wanted.emit()
        self.accept()


class RelationDialog(Sheet):
    """Emits `given` with (other entity's id, kind, description, direction).

    The direction is from the entity to the other one, see `model.FORWARD`. Until a name is
    searched for, the list has suggestions (`show_suggestions`), none of which is chosen.

    Args:
        relation: the one to edit; None to create one, which asks for the other entity.
        find: looks up names for the search text and passes them to a callback.
    """

    given = Signal(int, str, str, int)

    def __init__(
        self,
        theme: Theme,
        entity: EntityRow,
        find: FindNames,
        *,
        relation: RelationRow | None = None,
        parent: QWidget | None = None,
    ) -> None:
        other_id, other, direction = 0, tr("other name"), UNDIRECTED
        title = tr("Connect “{name}” with…", name=entity.name)
        if relation is not None:
            outgoing = relation.source_id == entity.id
            other_id = relation.target_id if outgoing else relation.source_id
            other = relation.target if outgoing else relation.source
            direction = relation.direction
            direction = direction if outgoing else reverse_direction(direction)
            title = tr("Connection of “{name}” and “{other}”", name=entity.name, other=other)
        super().__init__(title, parent)
        self._relation, self._find, self._other_id = relation, find, int(other_id)
        self._suggested: list[EntityRow] = []
        self._kinds: list[str] = [*KINDS]
        self.search = SearchField(theme, tr("Find a name"))
        self.list_title = Label("", "small")
        self.found = HintedList(theme)
        self.found.set_hint(tr("Type a part of a name."))
        self.found.setFixedHeight(4 * theme.length(32) + 2)
        if relation is None:
            self.add(self.search)
            self.add_field(self.list_title, self.found)
        self.kind = ChoiceBox()
        self.kind.setEditable(True)
        self.kind.setAccessibleName(tr("Kind"))
        self._fill_kinds()
        self.kind.setCurrentText(format_kind(relation.kind) if relation else "")
        self.add_field(tr("Kind (optional)"), self.kind)
        self._entity = entity
        self.direction = ChoiceBox()
        self.direction.setAccessibleName(tr("Direction"))
        for value in (UNDIRECTED, FORWARD, BACKWARD, BOTH_WAYS):
            self.direction.addItem("", value)
        self.turn_button = Button(
            tr("Reverse"), tooltip=tr("Exchange the start and the end of the arrow")
        )
        self.turn_button.clicked.connect(self._turn)
        self.direction.currentIndexChanged.connect(self._check_direction)
        self.direction.setCurrentIndex(direction)
        self._name_directions(other)
        self._check_direction()
        line = QWidget()
        build_row((self.direction, 1), self.turn_button, parent=line, spacing=8)
        self.add_field(tr("Direction"), line)
        self.description = QPlainTextEdit(relation.description if relation else "")
        self.description.setAccessibleName(tr("Description"))
        self.description.setPlaceholderText(tr("Description (optional)"))
        self.description.setProperty("kind", "field")
        self.description.setFixedHeight(96)
        self.description.setTabChangesFocus(True)
        self.add(self.description)
        cancel, self.save_button = Button(tr("Cancel")), PrimaryButton(tr("Save"))
        cancel.clicked.connect(self.reject)
        self.save_button.clicked.connect(self._give)
        self.add_foot([cancel, self.save_button])
        self.search.searched.connect(self._look_up)
        self.search.left_down.connect(lambda: go_to_list(self.found))
        # the current row is not enough: a list has one as soon as it has the focus
        self.found.itemSelectionChanged.connect(self._choose)
        self.found.itemSelectionChanged.connect(self.note_typing)
        self.register_fields(kind=self.kind, direction=self.direction, description=self.description)
        self.fit_content(460)
        self._check()

    @property
    def _chosen(self) -> QListWidgetItem | None:
        return next(iter(self.found.selectedItems()), None)

    def read_typed(self) -> dict[str, Any]:
        item = self._chosen
        other = [self._other_id, item.data(NAME_ROLE)] if item is not None else []
        return {**super().read_typed(), "other": other}

    def show_typed(self, fields: Mapping[str, Any]) -> None:
        other = fields.get("other")
        if other is not None:
            if len(other) == 2:
                self.found.clear()
                self.list_title.setText(tr("Chosen name"))
                self._add_name(QListWidgetItem(str(other[1])), int(other[0]), str(other[1]))
                self.found.setCurrentRow(0)
            else:
                self._list_suggestions()
        super().show_typed(fields)

    def show_suggestions(self, names: Sequence[EntityRow], kinds: Sequence[str]) -> None:
        """Show names that may be meant, unless one is searched for, and kinds of the library.

        Args:
            kinds: of the library's relations, most frequent first.
        """
        self._suggested = [*names]
        if self._chosen is None and not self.search.text().strip():
            self._list_suggestions()
        own = kinds[:MAX_OWN_KINDS]
        self._kinds = [*own, *(kind for kind in KINDS if kind not in own)]
        self._fill_kinds([format_kind(kind) for kind in kinds[:MAX_EXAMPLES]])

    def _fill_kinds(self, examples: Sequence[str] = ()) -> None:
        typed = self.kind.currentText()
        with QSignalBlocker(self.kind):
            self.kind.clear()
            self.kind.addItems(["", *map(format_kind, self._kinds)])
            self.kind.setCurrentText(typed)
        words = tr("Choose one, or type your own")
        if examples:  # of the library
            words = tr("{choose}: {kinds}", choose=words, kinds=join_words(examples))
        if (line_edit := self.kind.lineEdit()) is not None:
            line_edit.setPlaceholderText(words)

    def show_names(self, rows: Sequence[EntityRow]) -> None:
        """Show the names that were found, the first one chosen."""
        found = [row for row in rows if row.id != self._entity.id]
        self._list_names(found)
        self.list_title.setText(trn("{n} name found", "{n} names found", len(found)))
        self.found.set_hint(describe_nothing_found(self.search.text().strip(), self._suggested))
        if found:
            self.found.setCurrentRow(0)

    def _list_suggestions(self) -> None:
        self._list_names(self._suggested)
        self.list_title.setText(tr("Not connected yet") if self._suggested else "")

    def _list_names(self, rows: Sequence[EntityRow]) -> None:
        self.found.clear()
        for row in rows:
            self._add_name(self.found.build_item(row), row.id, row.name)

    def _add_name(self, item: QListWidgetItem, entity_id: int, name: str) -> None:
        item.setData(ID_ROLE, entity_id)
        item.setData(NAME_ROLE, name)
        self.found.addItem(item)

    def _look_up(self, text: str) -> None:
        if text:
            self._find(text, self.show_names)
        else:
            self._list_suggestions()

    def _choose(self) -> None:
        item = self._chosen
        self._other_id = item.data(ID_ROLE) if item is not None else 0
        self._name_directions(item.data(NAME_ROLE) if item is not None else tr("other name"))
        self._check()

    def _name_directions(self, other: str) -> None:
        """Write the two names into the choices of directions."""
        name, other = _shorten_name(self._entity.name), _shorten_name(other)
        for index in range(self.direction.count()):
            text = format_ends(name, other, self.direction.itemData(index))
            if index == UNDIRECTED:
                text = tr("{names} (no direction)", names=text)
            self.direction.setItemText(index, text)

    def _check_direction(self) -> None:
        self.turn_button.setEnabled(self.direction.currentIndex() in (FORWARD, BACKWARD))

    def _turn(self) -> None:
        self.direction.setCurrentIndex(reverse_direction(self.direction.currentIndex()))

    def _check(self) -> None:
        self.save_button.setEnabled(bool(self._other_id))

    def _give(self) -> None:
        text = self.description.toPlainText().strip()
        direction = self.direction.currentIndex()
        self.given.emit(self._other_id, self.chosen_kind(), text, direction)
        self.accept()

    def chosen_kind(self) -> str:
        """Return the chosen kind; a custom kind is kept as typed."""
        typed = self.kind.currentText().strip()
        if self._relation is not None and typed == format_kind(self._relation.kind):
            return self._relation.kind
        return next((kind for kind in self._kinds if typed == format_kind(kind)), typed)


def _shorten_name(name: str) -> str:
    return name if len(name) <= LONGEST_END else name[: LONGEST_END - 1].rstrip() + "…"


class MentionDelegate(QStyledItemDelegate):
    """Draws the sentence of a mention on two lines, shortened around the marked name."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        size = super().sizeHint(option, index)
        if index.data(SENTENCE_ROLE) is None:
            return QSize(size.width(), self._theme.length(HEADING_HEIGHT))
        return QSize(size.width(), round(SENTENCE_LINES * self._line_height()) + 8)

    def initStyleOption(self, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        super().initStyleOption(option, index)
        if index.data(SENTENCE_ROLE) is not None:
            option.text = ""  # drawn below, over the ground and the check box

    @inverts_selection
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        super().paint(painter, option, index)
        sentence = index.data(SENTENCE_ROLE)
        if sentence is None:
            return
        full = QStyleOptionViewItem(option)
        self.initStyleOption(full, index)
        style = full.widget.style()
        box = style.subElementRect(style.SubElement.SE_ItemViewItemCheckIndicator, full)
        left = box.left() + CHECK_BOX
        room = full.rect.right() - 8 - left
        shown, marks = sentence
        layout = self.lay(shown, marks, room)
        painter.save()
        painter.setPen(self._theme.color("text"))
        height = sum(layout.lineAt(n).height() for n in range(layout.lineCount()))
        top = full.rect.top() + (full.rect.height() - height) / 2
        layout.draw(painter, QPointF(left, top))
        painter.restore()

    def lay(self, shown: ShownText, marks: Sequence[Span], room: int) -> QTextLayout:
        """Return the longest piece around the mark that fits the lines."""
        longest = len(shown.text)
        while True:
            piece, spans = cut_around(shown, marks, longest)
            layout = QTextLayout(piece.text, self._theme.book_font(shown.text, 14))
            layout.setFormats([*format_emphasis(piece), *self._mark(piece, spans)])
            layout.beginLayout()
            y, n_lines = 0.0, 0
            while (line := layout.createLine()).isValid():
                line.setLineWidth(max(80, room))
                line.setPosition(QPointF(0, y))
                y += line.height()
                n_lines += 1
            layout.endLayout()
            if n_lines <= SENTENCE_LINES or longest < MIN_SENTENCE_CHARS:
                return layout
            # the share that fits, so that few layouts are made of a long sentence
            longest = min(longest - 8, round(longest * (SENTENCE_LINES + 0.1) / n_lines))

    def _mark(self, piece: ShownText, spans: Sequence[Span]) -> list[QTextLayout.FormatRange]:
        look = QTextCharFormat()
        look.setBackground(self._theme.color("mark"))
        look.setForeground(self._theme.mark_ink())
        look.setForeground(self._theme.color("text"))
        return [format_span(piece.text, start, end, look) for start, end in spans]

    def _line_height(self) -> float:
        return QFontMetricsF(self._theme.book_font("永", 14)).height()


class SplitDialog(Sheet):
    """Emits `split_wanted` with the mentions' ids and the new name.

    Args:
        mentions: (mention id, mention), in reading order.
    """

    split_wanted = Signal(list, str)

    def __init__(
        self,
        theme: Theme,
        entity: EntityRow,
        mentions: Sequence[tuple[int, MentionRow]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(tr("Split “{name}”", name=entity.name), parent)
        self._n_all = len(mentions)
        self.add(
            Label(
                tr(
                    "Select the mentions of another person or thing with the same name. Later "
                    "mentions are assigned by document and by neighbouring names."
                ),
                "muted",
                wrap=True,
            )
        )
        self.search = SearchField(theme, tr("Filter mentions"))
        self.add(self.search)
        self.tree = QTreeWidget()
        self.tree.setHeaderHidden(True)
        self.tree.setAccessibleName(tr("Mentions"))
        self.tree.setAlternatingRowColors(False)
        self.tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.tree.setItemDelegate(MentionDelegate(theme, self.tree))
        self._fill(mentions)
        self.found = ListOrWords(self.tree)
        self.add(self.found)
        self.column.setStretch(self.column.count() - 1, 1)
        self.name = QLineEdit(f"{entity.name} (2)")
        self.name.setAccessibleName(tr("Name for the selected mentions"))
        self.count = Label("", "muted")
        self.add(self.count)
        self.add_field(tr("Name for the selected mentions"), self.name)
        cancel, self.split_button = Button(tr("Cancel")), PrimaryButton(tr("Split"))
        cancel.clicked.connect(self.reject)
        self.split_button.clicked.connect(self._split)
        self.add_foot([cancel, self.split_button], line=True)
        self.tree.itemChanged.connect(self._changed)
        self.tree.itemChanged.connect(self.note_typing)
        self.register_fields(name=self.name)
        self.name.textChanged.connect(self._changed)
        self.search.searched.connect(self._filter)
        self.search.left_down.connect(lambda: go_to_list(self.tree))
        self.fit(640, 620)
        self._changed()

    def read_typed(self) -> dict[str, Any]:
        return {**super().read_typed(), "mentions": self.ticked()}

    def show_typed(self, fields: Mapping[str, Any]) -> None:
        super().show_typed(fields)
        if "mentions" in fields:
            ticked, state = set(fields["mentions"]), Qt.CheckState
            for leaf in self._leaves():
                is_ticked = leaf.data(0, ID_ROLE) in ticked
                leaf.setCheckState(0, state.Checked if is_ticked else state.Unchecked)

    def ticked(self) -> list[int]:
        """Return the ids of the checked mentions."""
        return [
            leaf.data(0, ID_ROLE)
            for leaf in self._leaves()
            if leaf.checkState(0) == Qt.CheckState.Checked
        ]

    def _fill(self, mentions: Sequence[tuple[int, MentionRow]]) -> None:
        documents: dict[int, QTreeWidgetItem] = {}
        chapters: dict[tuple[int, str], QTreeWidgetItem] = {}
        for mention_id, mention in mentions:
            if mention.document_id not in documents:
                root = self.tree.invisibleRootItem()
                documents[mention.document_id] = self._branch(root, mention.document_title)
            parent = documents[mention.document_id]
            if mention.heading:
                key = (mention.document_id, mention.heading)
                if key not in chapters:
                    path = [one.strip() for one in mention.heading.split("›")]
                    if len(path) > 1 and path[0].casefold() == mention.document_title.casefold():
                        del path[0]  # it is the row above
                    chapters[key] = self._branch(parent, format_headings(" › ".join(path)))
                parent = chapters[key]
            shown, marks = show_mention(mention)
            leaf = QTreeWidgetItem(parent, [shown.text])
            leaf.setData(0, ID_ROLE, mention_id)
            leaf.setData(0, SENTENCE_ROLE, (shown, marks))
            leaf.setToolTip(0, plain_tip(shown.text))
            leaf.setFlags(leaf.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            leaf.setCheckState(0, Qt.CheckState.Unchecked)
        for item in (*documents.values(), *chapters.values()):
            n = sum(1 for _ in iter_leaves(item))
            item.setText(0, f"{item.text(0)}  ({n})")
        if len(mentions) <= 200:
            self.tree.expandAll()
        else:
            for item in documents.values():
                item.setExpanded(True)

    def _branch(self, parent: QTreeWidgetItem, text: str) -> QTreeWidgetItem:
        item = QTreeWidgetItem(parent, [text])
        item.setFlags(
            item.flags() | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsAutoTristate
        )
        item.setCheckState(0, Qt.CheckState.Unchecked)
        return item

    def _leaves(self) -> Iterator[QTreeWidgetItem]:
        return iter_leaves(self.tree.invisibleRootItem())

    def _filter(self, text: str) -> None:
        wanted = text.casefold()
        for leaf in self._leaves():
            leaf.setHidden(wanted not in leaf.text(0).casefold())
        is_any_shown = _hide_empty_headings(self.tree.invisibleRootItem())
        self.found.show_words("" if is_any_shown else tr("No mention has this text."))

    def _changed(self, *_: object) -> None:
        n, total = len(self.ticked()), format_number(self._n_all)
        rest = self._n_all - n
        self.count.setText(
            trn(
                "{n} of {total} mentions selected",
                "{n} of {total} mentions selected",
                n,
                total=total,
            )
        )
        problem = describe_length(self.name.text())
        if problem:
            self.count.setText(problem)
        self.count.set_role("bad" if problem else "muted")
        is_named = bool(self.name.text().strip()) and not problem
        self.split_button.setEnabled(n > 0 and rest > 0 and is_named)
        tip = problem if rest else tr("Leave at least one mention unselected")
        self.split_button.setToolTip(tip)

    def _split(self) -> None:
        self.split_wanted.emit(self.ticked(), self.name.text().strip())
        self.accept()


def _hide_empty_headings(item: QTreeWidgetItem) -> bool:
    """Hide the headings below an item that have no mention left; return whether one is shown."""
    is_any_shown = False
    for child in (item.child(i) for i in range(item.childCount())):
        if child is not None:
            if child.childCount():
                child.setHidden(not _hide_empty_headings(child))
            is_any_shown |= not child.isHidden()
    return is_any_shown


def iter_leaves(item: QTreeWidgetItem) -> Iterator[QTreeWidgetItem]:
    """Yield the mentions below an item."""
    for child in (item.child(i) for i in range(item.childCount())):
        if child is not None and child.childCount():
            yield from iter_leaves(child)
        elif child is not None and child.data(0, ID_ROLE) is not None:
            yield child


class ChangeDelegate(QStyledItemDelegate):
    """Draws a change in columns: the mark, what was changed, elided, and when."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    @inverts_selection
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        paint_ground(painter, option, index, self)
        mark, what, when = index.data(CHANGE_ROLE)
        area = option.rect.adjusted(self._theme.length(12), 0, -self._theme.length(12), 0)
        middle, right = Qt.AlignmentFlag.AlignVCenter, Qt.AlignmentFlag.AlignRight
        painter.save()
        painter.setFont(self._theme.font("small"))
        painter.setPen(self._theme.color("text2"))
        painter.drawText(area, middle | right, when)
        room = painter.fontMetrics().horizontalAdvance(when) + self._theme.length(12)
        painter.setFont(self._theme.font("text"))
        undone = index.data(Qt.ItemDataRole.ForegroundRole)
        painter.setPen(undone.color() if undone is not None else self._theme.color("text"))
        painter.drawText(area, middle, mark)
        area.adjust(self._theme.length(18), 0, -room if when else 0, 0)
        elided = painter.fontMetrics().elidedText(what, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, middle, elided)
        painter.restore()


class HistoryDialog(Sheet):
    """Emits `jump_wanted` with the id of an edit, 0 for the state before all edits."""

    jump_wanted = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None, *, of: str = "") -> None:
        super().__init__(
            tr("History of “{name}”", name=of) if of else tr("History of changes"), parent
        )
        self._theme, self._of = theme, of
        self.add(Label(tr(OF_ONE) if of else tr(OF_ALL), "muted", wrap=True))
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Changes, newest first"))
        self.list.setUniformItemSizes(True)
        self.list.setItemDelegate(ChangeDelegate(theme, self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.changes = ListOrWords(self.list, tr("No changes yet."))
        self.add(self.changes)
        self.column.setStretch(self.column.count() - 1, 1)
        self.elsewhere = Label(f"{tr('elsewhere')}: {tr(ELSEWHERE)}", "small", wrap=True)
        self.elsewhere.hide()
        self.add(self.elsewhere)
        self.jump_button = Button(tr("Go to this change"))
        close = PrimaryButton(tr("Close"))
        close.clicked.connect(self.accept)
        self.jump_button.clicked.connect(self._jump)
        self.add_foot([close], [self.jump_button], line=True)
        self.list.itemActivated.connect(lambda _: self._jump())
        self.list.currentItemChanged.connect(lambda *_: self._check())
        self.fit(480, 560)
        self._here = 0
        self._is_fresh = True
        self._check()

    def set_rows(self, rows: Sequence[HistoryRow], is_own: Callable[[float], bool]) -> None:
        """Show the changes; undone ones are muted, the current one is marked.

        Args:
            is_own: whether this process made the change with this time; others are marked, too.
        """
        self.list.clear()
        self.elsewhere.setVisible(not all(is_own(row.created_at) for row in rows))
        self._here = next((row.id for row in rows if not row.undone), 0)
        for row in rows:
            mark = "●" if row.id == self._here else "○" if row.undone else ""
            label = tr_message(row.label)
            when, tips = format_when(row.created_at), [tr("Undone") if row.undone else label]
            if not is_own(row.created_at):
                when = f"{tr('elsewhere')} · {when}"
                tips.append(tr(ELSEWHERE))
            item = self._add(row.id, mark, label, when)
            item.setToolTip("\n".join(tips))
            if row.undone:
                item.setForeground(self._theme.color("text2"))
            if row.id == self._here:
                self.list.setCurrentItem(item)
        if rows and not self._of:
            first = self._add(0, "" if self._here else "●", tr(BEGINNING))
            if not self._here:
                self.list.setCurrentItem(first)
        self.changes.show_words("" if rows else tr("No changes yet."))
        if rows and self._is_fresh:  # focus starts on a row that can be chosen
            self._is_fresh = False
            self.list.setFocus()
        self._check()

    def _add(self, edit_id: int, mark: str, what: str, when: str = "") -> QListWidgetItem:
        item = QListWidgetItem(" · ".join(filter(None, (f"{mark} {what}".strip(), when))))
        item.setData(ID_ROLE, edit_id)
        item.setData(CHANGE_ROLE, (mark, what, when))
        self.list.addItem(item)
        return item

    def _check(self) -> None:
        item = self.list.currentItem()
        self.jump_button.setEnabled(item is not None and item.data(ID_ROLE) != self._here)

    def _jump(self) -> None:
        item = self.list.currentItem()
        if item is not None and item.data(ID_ROLE) != self._here:
            self.jump_wanted.emit(item.data(ID_ROLE))
