"""A dialog to split an entity: which of its mentions refer to another entity of that name.

Owns the selection by mention, chapter or document. The mentions are passed in; the decision
is emitted as a signal.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QTreeWidget, QTreeWidgetItem, QWidget

from desktop_app.engine.model import EntityRow, MentionRow

from ..language import tr, trn
from ..theme.theme import Theme
from ..widgets import Button, Label, PrimaryButton, SearchField, format_number
from ..widgets.fields import go_to_list
from ..widgets.sheet import Sheet
from ..widgets.words import plain_tip

ID_ROLE = Qt.ItemDataRole.UserRole


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
                    "Tick the mentions that are somebody or something else of the same name. Later "
                    "mentions follow by their document and by the names around them."
                ),
                "muted",
                wrap=True,
            )
        )
        self.search = SearchField(theme, tr("Only mentions whose sentence has…"))
        self.add(self.search)
        self.tree = QTreeWidget()
        self.tree.setHeaderHidden(True)
        self.tree.setAccessibleName(tr("Mentions"))
        self.tree.setUniformRowHeights(True)
        self.tree.setAlternatingRowColors(False)
        self._fill(mentions)
        self.add(self.tree)
        self.column.setStretch(self.column.count() - 1, 1)
        self.name = QLineEdit(f"{entity.name} (2)")
        self.name.setAccessibleName(tr("Name of the other one"))
        self.name.setMaxLength(200)
        self.count = Label("", "muted")
        self.add(Label(tr("The other one is called"), ""))
        self.add(self.name)
        self.add(self.count)
        cancel, self.split_button = Button(tr("Cancel")), PrimaryButton(tr("Split"))
        cancel.clicked.connect(self.reject)
        self.split_button.clicked.connect(self._split)
        self.add_foot([cancel, self.split_button], line=True)
        self.tree.itemChanged.connect(self._changed)
        self.name.textChanged.connect(self._changed)
        self.search.searched.connect(self._filter)
        self.search.left_down.connect(lambda: go_to_list(self.tree))
        self.fit(640, 620)
        self._changed()

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
            document = documents.get(mention.document_id)
            if document is None:
                document = documents[mention.document_id] = self._branch(
                    self.tree.invisibleRootItem(), mention.document_title
                )
            parent = document
            if mention.heading:
                key = (mention.document_id, mention.heading)
                if key not in chapters:
                    chapters[key] = self._branch(document, mention.heading)
                parent = chapters[key]
            leaf = QTreeWidgetItem(parent, [" ".join(mention.sentence.split())])
            leaf.setData(0, ID_ROLE, mention_id)
            leaf.setToolTip(0, plain_tip(leaf.text(0)))
            leaf.setFlags(leaf.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            leaf.setCheckState(0, Qt.CheckState.Unchecked)
        for item in (*documents.values(), *chapters.values()):
            n = sum(1 for _ in _leaves_of(item))
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

    def _leaves(self):
        return _leaves_of(self.tree.invisibleRootItem())

    def _filter(self, text: str) -> None:
        wanted = text.casefold()
        for leaf in self._leaves():
            leaf.setHidden(wanted not in leaf.text(0).casefold())

    def _changed(self, *_: object) -> None:
        n = len(self.ticked())
        rest = self._n_all - n
        total = format_number(self._n_all)
        self.count.setText(
            trn("{n} mention of {total} ticked", "{n} mentions of {total} ticked", n, total=total)
        )
        self.split_button.setEnabled(n > 0 and rest > 0 and bool(self.name.text().strip()))
        tip = "" if rest else tr("Leave at least one mention with the name as it is")
        self.split_button.setToolTip(tip)

    def _split(self) -> None:
        self.split_wanted.emit(self.ticked(), self.name.text().strip())
        self.accept()


def _leaves_of(item: QTreeWidgetItem):
    for i in range(item.childCount()):
        child = item.child(i)
        if child.childCount():
            yield from _leaves_of(child)
        elif child.data(0, ID_ROLE) is not None:
            yield child
