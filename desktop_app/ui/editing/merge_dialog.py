"""The preview of a merge: the name, type and description to keep, and what is combined.

Shows a preview that is passed in; emits the user's decision.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QListWidget, QListWidgetItem, QWidget

from desktop_app.engine.model import ENTITY_TYPES, EntityRow

from ..theme.theme import Theme
from ..translation import later, tr, trn
from ..widgets import (
    Button,
    ChoiceBox,
    FactGrid,
    Label,
    PrimaryButton,
    SearchField,
    SectionTitle,
    build_column,
    format_number,
    format_type,
)
from ..widgets.fields import go_to_list
from ..widgets.sheet import Sheet, inset, scrolling
from ..widgets.words import join_words, shorten_list

if TYPE_CHECKING:
    from desktop_app.engine.services.editing.previews import MergePreview

# Looks up names for a text and passes them to a callback.
FindNames = Callable[[str, Callable[[Sequence[EntityRow]], None]], None]
ROW_ROLE = Qt.ItemDataRole.UserRole
MAX_SHOWN = 6
OWN_WORDS = later("From the text")


class MergeDialog(Sheet):
    """Emits `merge_wanted` with (name, type, description or None), or `never_wanted`."""

    merge_wanted = Signal(str, str, object)
    never_wanted = Signal()

    def __init__(self, preview: MergePreview, parent: QWidget | None = None) -> None:
        members = preview.members
        super().__init__(trn("Merge {n} name", "Merge {n} names", len(members)), parent)
        self.preview = preview
        self.name = ChoiceBox()
        self.name.setEditable(True)
        self.name.setAccessibleName(tr("Name"))
        self.name.addItems(list(dict.fromkeys((*(m.name for m in members), *preview.names))))
        self.type = build_type_box(members[0].type)
        self.description = ChoiceBox()
        self.description.setAccessibleName(tr("Description"))
        self.description.addItem(tr(OWN_WORDS), None)
        for name, text in preview.descriptions:
            short = " ".join(text.split())
            short = short if len(short) <= 60 else short[:60].rstrip() + "…"
            self.description.addItem(f"{name}: {short}", text)
        for box in (self.name, self.description):
            box.setSizeAdjustPolicy(
                QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            )
            box.setMinimumContentsLength(28)
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(8)
        form.addRow(tr("Name"), self.name)
        form.addRow(tr("Type"), self.type)
        form.addRow(tr("Description"), self.description)
        form.setContentsMargins(0, 0, 0, 0)
        fields = QWidget()
        fields.setLayout(form)
        self.column.addLayout(inset(fields))
        self.column.addWidget(scrolling(self._build_facts(preview)), 1)
        cancel, self.merge_button = Button(tr("Cancel")), PrimaryButton(tr("Merge"))
        self.never_button = Button(tr("Never merge these"))
        self.never_button.setToolTip(tr("Never merge these names automatically"))
        cancel.clicked.connect(self.reject)
        self.merge_button.clicked.connect(self._merge)
        self.never_button.clicked.connect(self.never_wanted)
        self.never_button.clicked.connect(self.accept)
        self.add_foot([cancel, self.merge_button], [self.never_button], line=True)
        self.name.editTextChanged.connect(
            lambda text: self.merge_button.setEnabled(bool(text.strip()))
        )
        self.fit(560, 520)

    def _build_facts(self, preview: MergePreview) -> QWidget:
        body = QWidget()
        facts = FactGrid()
        facts.set_facts(
            [
                (tr("Names"), shorten_list(preview.names, MAX_SHOWN)),
                (tr("Mentions"), format_number(preview.n_mentions)),
                (tr("Connections"), format_number(preview.n_relations)),
            ]
        )
        column = build_column(SectionTitle(tr("Result")), facts, parent=body, spacing=8)
        if preview.doubles:
            names = shorten_list([name for name, _ in preview.doubles], MAX_SHOWN)
            column.addWidget(SectionTitle(tr("Duplicate connections")))
            text = trn(
                "{n} duplicate connection combined: {names}",
                "{n} duplicate connections combined: {names}",
                len(preview.doubles),
                names=names,
            )
            column.addWidget(Label(text, "", wrap=True))
        if preview.loops:
            column.addWidget(SectionTitle(tr("Self-connections, removed")))
            loops = [f"{r.source} – {r.target}" for r in preview.loops]
            column.addWidget(Label(shorten_list(loops, MAX_SHOWN), "", wrap=True))
        if preview.apart:
            pairs = [tr("{name} and {other}", name=a, other=b) for a, b in preview.apart]
            text = tr(
                "Marked as never merge: {pairs}. Merging removes this mark.",
                pairs=shorten_list(pairs, MAX_SHOWN),
            )
            column.addWidget(Label(text, "warn", wrap=True))
        column.addStretch(1)
        return body

    def _merge(self) -> None:
        name = self.name.currentText().strip()
        self.merge_wanted.emit(name, str(self.type.currentData()), self.description.currentData())
        self.accept()


def build_type_box(chosen: str) -> QComboBox:
    """Return a combo box of entity types."""
    box = ChoiceBox()
    box.setAccessibleName(tr("Type"))
    for type_ in ENTITY_TYPES:
        box.addItem(format_type(type_, capital=True), type_)
    box.setCurrentIndex(max(0, box.findData(chosen)))
    return box


class PickEntityDialog(Sheet):
    """Emits `picked` with the checked rows; they stay checked when the search changes."""

    picked = Signal(list)

    def __init__(
        self,
        theme: Theme,
        entity: EntityRow,
        find: FindNames,
        parent: QWidget | None = None,
        *,
        title: str = "",
        action_text: str = "",
        only_one: bool = False,
    ) -> None:
        super().__init__(title or tr("Merge “{name}” with…", name=entity.name), parent)
        self._entity, self._find, self._only_one = entity, find, only_one
        self._ticked: dict[int, EntityRow] = {}
        self.search = SearchField(theme, tr("Find a name" if only_one else "Find names to merge"))
        self.add(self.search)
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Names found"))
        self.list.setUniformItemSizes(True)
        self.add(self.list)
        self.column.setStretch(self.column.count() - 1, 1)
        self.chosen = Label("", "muted", wrap=True)
        self.add(self.chosen)
        cancel, self.next_button = (
            Button(tr("Cancel")),
            PrimaryButton(action_text or tr("Preview…")),
        )
        cancel.clicked.connect(self.reject)
        self.next_button.clicked.connect(self._give)
        self.add_foot([cancel, self.next_button], line=True)
        self.search.searched.connect(self._look_up)
        self.search.left_down.connect(lambda: go_to_list(self.list))
        self.list.itemChanged.connect(self._tick)
        self.list.itemActivated.connect(self._turn)
        self.fit(460, 480)
        self._show_chosen()
        self._look_up(entity.name.split()[-1] if " " in entity.name else entity.name[:2])
        self.search.setFocus()

    def show_names(self, rows: Sequence[EntityRow]) -> None:
        """Show these names, the checked ones first."""
        self.list.blockSignals(True)
        self.list.clear()
        others = [r for r in rows if r.id not in self._ticked and r.id != self._entity.id]
        for row in (*self._ticked.values(), *others):
            facts = f"{format_type(row.type, capital=True)} · {format_number(row.n_mentions)}"
            facts = f"{facts} · {row.story}" if row.story else facts
            item = QListWidgetItem(f"{row.name}   ·  {facts}")
            item.setData(ROW_ROLE, row)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            ticked = row.id in self._ticked
            item.setCheckState(Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked)
            self.list.addItem(item)
        self.list.blockSignals(False)

    def _look_up(self, text: str) -> None:
        if text:
            self._find(text, self.show_names)

    def _tick(self, item: QListWidgetItem) -> None:
        row = item.data(ROW_ROLE)
        if item.checkState() == Qt.CheckState.Checked:
            if self._only_one:
                self._ticked.clear()
                self.list.blockSignals(True)
                for other in (self.list.item(i) for i in range(self.list.count())):
                    if other is not item:
                        other.setCheckState(Qt.CheckState.Unchecked)
                self.list.blockSignals(False)
            self._ticked[row.id] = row
        else:
            self._ticked.pop(row.id, None)
        self._show_chosen()

    def _turn(self, item: QListWidgetItem) -> None:
        ticked = item.checkState() == Qt.CheckState.Checked
        item.setCheckState(Qt.CheckState.Unchecked if ticked else Qt.CheckState.Checked)

    def _show_chosen(self) -> None:
        names = join_words([row.name for row in self._ticked.values()])
        nothing = tr("Select one." if self._only_one else "Select one or more.")
        self.chosen.setText(tr("With: {names}", names=names) if names else nothing)
        self.next_button.setEnabled(bool(self._ticked))

    def _give(self) -> None:
        self.picked.emit(list(self._ticked.values()))
        self.accept()
