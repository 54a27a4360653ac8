"""The merge before it is made: which name, type and description stay, and what becomes one.

Shows a preview it is handed; who merges is told by signals.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QVBoxLayout, QWidget

from desktop_app.engine.services.editing import MergePreview
from desktop_app.ui.language import later, tr, trn
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import (
    Button,
    FactGrid,
    Label,
    PrimaryButton,
    SectionTitle,
    format_number,
)
from desktop_app.ui.widgets.sheet import Sheet, inset, scrolling
from desktop_app.ui.widgets.words import shorten_list

from .name_sheet import build_type_box

MAX_SHOWN = 6
OWN_WORDS = later("What the text gives")


class MergeSheet(Sheet):
    """Emits `merge_wanted` with (name, type, description or None), or `never_wanted`."""

    merge_wanted = Signal(str, str, object)
    never_wanted = Signal()

    def __init__(self, theme: Theme, preview: MergePreview, parent: QWidget | None = None) -> None:
        members = preview.members
        super().__init__(trn("Make {n} name one", "Make {n} names one", len(members)), parent)
        self.preview = preview
        self.name = QComboBox()
        self.name.setEditable(True)
        self.name.setAccessibleName(tr("Name"))
        self.name.addItems(list(dict.fromkeys((*(m.name for m in members), *preview.names))))
        self.type = build_type_box(members[0].type)
        self.description = QComboBox()
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
        box = QWidget()
        box.setLayout(form)
        form.setContentsMargins(0, 0, 0, 0)
        self.column.addLayout(inset(box))
        self.column.addWidget(scrolling(self._build_facts(preview)), 1)
        self._add_buttons(len(members))
        self.fit(560, 520)

    def _build_facts(self, preview: MergePreview) -> QWidget:
        body = QWidget()
        column = QVBoxLayout(body)
        column.setSpacing(8)
        column.addWidget(SectionTitle(tr("Afterwards")))
        facts = FactGrid()
        facts.set_facts(
            [
                (tr("Names"), shorten_list(preview.names, MAX_SHOWN)),
                (tr("Mentions"), format_number(preview.n_mentions)),
                (tr("Connections"), format_number(preview.n_relations)),
            ]
        )
        column.addWidget(facts)
        if preview.doubles:
            names = shorten_list([name for name, _ in preview.doubles], MAX_SHOWN)
            column.addWidget(SectionTitle(tr("Connections that become one")))
            text = trn(
                "{n} connection folded, with all sentences: {names}",
                "{n} connections folded, with all sentences: {names}",
                len(preview.doubles),
                names=names,
            )
            column.addWidget(Label(text, "", wrap=True))
        if preview.loops:
            column.addWidget(SectionTitle(tr("Connections among them, which go")))
            loops = [f"{r.source} – {r.target}" for r in preview.loops]
            column.addWidget(Label(shorten_list(loops, MAX_SHOWN), "", wrap=True))
        if preview.apart:
            pairs = [tr("{name} and {other}", name=a, other=b) for a, b in preview.apart]
            text = tr(
                "You kept apart: {pairs}. Merging takes that back.",
                pairs=shorten_list(pairs, MAX_SHOWN),
            )
            column.addWidget(Label(text, "warn", wrap=True))
        column.addStretch(1)
        return body

    def _add_buttons(self, n_members: int) -> None:
        cancel, self.merge_button = Button(tr("Cancel")), PrimaryButton(tr("Merge"))
        self.never_button = Button(tr("Never merge these"))
        self.never_button.setToolTip(tr("Keep them apart, whatever would join them"))
        cancel.clicked.connect(self.reject)
        self.merge_button.clicked.connect(self._merge)
        self.never_button.clicked.connect(self._never)
        self.add_foot([cancel, self.merge_button], [self.never_button], line=True)
        self.name.editTextChanged.connect(
            lambda text: self.merge_button.setEnabled(bool(text.strip()))
        )

    def _merge(self) -> None:
        name = self.name.currentText().strip()
        self.merge_wanted.emit(name, str(self.type.currentData()), self.description.currentData())
        self.accept()

    def _never(self) -> None:
        self.never_wanted.emit()
        self.accept()
