"""The preview of a merge: the name, type and description to keep, and what is combined.

Shows a preview that is passed in; emits the user's decision.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QWidget

from desktop_app.engine.model import ENTITY_TYPES

from ..translation import later, tr, trn
from ..widgets import (
    Button,
    ChoiceBox,
    FactGrid,
    Label,
    PrimaryButton,
    SectionTitle,
    build_column,
    format_number,
    format_type,
)
from ..widgets.sheet import Sheet, inset, scrolling
from ..widgets.words import shorten_list

if TYPE_CHECKING:
    from desktop_app.engine.services.editing.previews import MergePreview

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
        self.name.addItems(
            list(dict.fromkeys((preview.proposed_name, *(m.name for m in members), *preview.names)))
        )
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
        for words, field in (
            (tr("Name"), self.name),
            (tr("Type"), self.type),
            (tr("Description"), self.description),
        ):
            form.addRow(Label(words, "muted"), field)
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
