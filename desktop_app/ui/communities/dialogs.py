"""The dialogs for communities: compare two, edit a report, choose which reports to write.

They emit what was chosen and are given what they show; the caller reads and saves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QCompleter,
    QGridLayout,
    QLineEdit,
    QPlainTextEdit,
    QRadioButton,
    QWidget,
)

from desktop_app.engine.durations import format_estimate
from desktop_app.engine.model import (
    CallPlan,
    ChunkId,
    CommunityRow,
    Comparison,
    Evidence,
    Finding,
    RelationRow,
    Report,
)

from ..theme.theme import Theme
from ..translation import tr, tr_message, trn
from ..widgets import (
    STRETCH,
    Button,
    ChoiceBox,
    Label,
    PrimaryButton,
    RadioButton,
    SectionTitle,
    build_column,
    build_row,
    clear_layout,
)
from ..widgets.sheet import Sheet, scrolling
from .community_tree import (
    CommunityTree,
    format_member_count,
    format_rating,
    get_title,
)
from .parts import Chip, ChipFlow, Sentence, make_name_chip

COMPARE_SIZE, EDIT_SIZE, WRITE_WIDTH = (880, 680), (620, 640), 480
MOST_RELATIONS = 12
NOT_TYPED = ("", "", False)  # of a finding, see `FindingFields.typed`


class ComparedCommunityView(QWidget):
    """One of the two communities: title, size, key words, and the names that only it has."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.title = Label("", "title", self, wrap=True)
        self.facts = Label("", "muted", self)
        self.words = ChipFlow(theme, tr("Keywords"), self)
        self.only_title = SectionTitle("", self)
        self.names = ChipFlow(theme, tr("Names only in this one"), self, most=18)
        build_column(
            *(self.title, self.facts, 6, self.words, 6, self.only_title, self.names, STRETCH),
            parent=self,
            spacing=4,
        )

    def show_side(self, row: CommunityRow, names: tuple, shared_words: tuple[str, ...]) -> None:
        self.title.setText(get_title(row))
        weight = tr("Importance: {rating}", rating=format_rating(row.rating))
        self.facts.setText(f"{format_member_count(row.n_members)} · {weight}")
        own = [w for w in row.key_words if w not in shared_words]
        words = list(enumerate([*shared_words, *own]))
        self.words.set_chips(words, lambda word: Chip(*word))
        only = trn("{n} name only here", "{n} names only here", len(names))
        self.only_title.setText(only)
        self.names.set_chips(names, make_name_chip)


class CompareCommunitiesDialog(Sheet):
    """Emits `wanted` with two communities; `show_comparison` shows the result."""

    wanted = Signal(int, int)
    name_clicked = Signal(int)
    place_clicked = Signal(int, int, int)
    community_wanted = Signal(int)

    def __init__(
        self, theme: Theme, community_tree: CommunityTree, first: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(tr("Compare two communities"), parent)
        self._theme, self._community_tree, self.first = theme, community_tree, first
        self.second: int | None = None
        self.box = self._build_box()
        self.add(self.box)
        body = QWidget()
        self.sides = (ComparedCommunityView(theme, body), ComparedCommunityView(theme, body))
        both = QGridLayout()
        both.setHorizontalSpacing(32)
        for place, side in enumerate(self.sides):
            both.addWidget(side, 0, place)
            both.setColumnStretch(place, 1)
        self.shared_title, self.relations_title = SectionTitle("", body), SectionTitle("", body)
        for title in (self.shared_title, self.relations_title):
            title.setContentsMargins(0, 16, 0, 4)
        self.shared = ChipFlow(theme, tr("Names in both"), body, most=18)
        self._relations = build_column()
        build_column(
            *(both, self.shared_title, self.shared, self.relations_title, self._relations, STRETCH),
            parent=body,
            spacing=4,
        )
        self._body = body
        self.column.addWidget(scrolling(body), 1)
        self.open_button = Button(tr("Open the other one"))
        self.open_button.clicked.connect(self._open_other)
        done = PrimaryButton(tr("Close"))
        done.clicked.connect(self.accept)
        self.add_foot([done], [self.open_button], line=True)
        for flow in (self.sides[0].names, self.sides[1].names, self.shared):
            flow.clicked.connect(self.name_clicked)
            flow.clicked.connect(self.accept)
        self.fit(*COMPARE_SIZE)

    def _build_box(self) -> QComboBox:
        box = ChoiceBox()
        box.setAccessibleName(tr("Compare with"))
        box.setEditable(True)
        box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        box.setMaxVisibleItems(16)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        if (field := box.lineEdit()) is not None:
            field.setPlaceholderText(tr("Search for a community"))
        if (completer := box.completer()) is not None:
            completer.setFilterMode(Qt.MatchFlag.MatchContains)
            completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        rows = self._community_tree.rows
        level = rows[self.first].level
        order = sorted(
            (row for row in rows.values() if int(row.id) != self.first and not row.is_loose),
            key=lambda row: (row.level != level, row.level, -row.n_members),
        )
        for row in order:
            box.addItem(f"{get_title(row)}  ({format_member_count(row.n_members)})", int(row.id))
        box.setCurrentIndex(-1)
        box.activated.connect(lambda _: self.choose(box.currentData()))
        return box

    def choose(self, second: int | None) -> None:
        """Compare with this community, or with the nearest in size on the same level."""
        if second is None and self.box.count():
            second = self.box.itemData(0)
        self.open_button.setEnabled(second is not None)
        if second is None:
            self.shared_title.setText(tr("There is no other community to compare with."))
            return
        self.second = int(second)
        self.box.setCurrentIndex(self.box.findData(self.second))
        if (field := self.box.lineEdit()) is not None:
            field.setCursorPosition(0)
        self.wanted.emit(self.first, self.second)

    def show_comparison(self, found: Comparison) -> None:
        """Show a comparison."""
        if self.second is None:
            return
        rows = self._community_tree.rows
        self.sides[0].show_side(rows[self.first], found.only_first, found.shared_words)
        self.sides[1].show_side(rows[self.second], found.only_second, found.shared_words)
        n = len(found.shared)
        self.shared_title.setText(
            trn("{n} name in common", "{n} names in common", n) if n else tr("No names in common")
        )
        self.shared.set_chips(found.shared, make_name_chip)
        n = len(found.between)
        self.relations_title.setText(
            trn("{n} connection between them", "{n} connections between them", n)
            if n
            else tr("No connections between them")
        )
        clear_layout(self._relations)
        for relation in found.between[:MOST_RELATIONS]:
            self._add_relation(relation)

    def _add_relation(self, relation: RelationRow) -> None:
        ends = Label(f"{relation.source} – {relation.target}", "strong", self._body, wrap=True)
        self._relations.addWidget(ends)
        if not relation.sentence or relation.document_id is None:
            return
        place = (int(relation.document_id), relation.sentence_start, relation.sentence_end)
        one = Evidence(
            relation.document_id,
            ChunkId(0),  # not shown
            place[1],
            place[2],
            relation.sentence,
            relation_id=relation.id,
        )
        sentence = Sentence(self._theme, one, self._body)
        sentence.clicked.connect(lambda: self.place_clicked.emit(*place))
        sentence.clicked.connect(self.accept)
        self._relations.addWidget(sentence)

    def _open_other(self) -> None:
        if self.second is not None:
            self.community_wanted.emit(self.second)
        self.accept()


class FindingFields(QWidget):
    """The fields of one finding, which can be left out."""

    changed = Signal()

    def __init__(self, finding: Finding, parent: QWidget) -> None:
        super().__init__(parent)
        self._finding = finding
        self.headline = QLineEdit(finding.headline, self)
        self.headline.setAccessibleName(tr("Headline"))
        self.headline.setPlaceholderText(tr("Headline"))
        self.text = QPlainTextEdit(finding.text, self)
        self.text.setProperty("kind", "field")
        self.text.setAccessibleName(tr("Text of the finding"))
        self.text.setTabChangesFocus(True)
        fix_height(self.text, 44)
        self.out_button = Button(tr("Remove"), self, kind="quiet")
        self.out_button.setCheckable(True)
        self.out_button.toggled.connect(self._leave_out)
        for signal in (self.headline.textChanged, self.text.textChanged, self.out_button.toggled):
            signal.connect(lambda *_: self.changed.emit())
        head = build_row((self.headline, 1), self.out_button)
        build_column(head, self.text, parent=self, spacing=4, margins=(0, 0, 0, 8))

    @property
    def typed(self) -> list[Any]:
        """What is in the fields, and whether the finding is left out."""
        return [self.headline.text(), self.text.toPlainText(), self.out_button.isChecked()]

    def show_typed(self, typed: Sequence[Any]) -> None:
        headline, text, is_out = typed
        self.headline.setText(str(headline))
        self.text.setPlainText(str(text))
        self.out_button.setChecked(bool(is_out))

    def _leave_out(self, out: bool) -> None:
        self.out_button.setText(tr("Keep") if out else tr("Remove"))
        self.headline.setEnabled(not out)
        self.text.setVisible(not out)

    def finding(self) -> Finding | None:
        """Return the edited finding, or None if it is left out or empty."""
        headline, text = self.headline.text().strip(), self.text.toPlainText().strip()
        if self.out_button.isChecked() or not (headline or text):
            return None
        return replace(self._finding, headline=headline, text=text)


def fix_height(field: QPlainTextEdit, height: int) -> None:
    """Set the height by a style sheet, since the application's style overrides a fixed height."""
    field.setStyleSheet(f"min-height: {height}px; max-height: {height}px")


class EditReportDialog(Sheet):
    """Emits `given` with title, summary and findings; `reset_wanted` to restore the original."""

    given = Signal(str, str, object)
    reset_wanted = Signal()

    def __init__(self, report: Report, parent: QWidget | None = None) -> None:
        super().__init__(tr("Edit the report"), parent)
        self.name = QLineEdit(report.title)
        self.name.setAccessibleName(tr("Title"))
        self.summary = QPlainTextEdit(report.summary)
        self.summary.setProperty("kind", "field")
        self.summary.setAccessibleName(tr("Summary"))
        self.summary.setTabChangesFocus(True)
        fix_height(self.summary, 100)
        body = QWidget()
        self.fields = [FindingFields(finding, body) for finding in report.findings]
        findings = SectionTitle(tr("Findings"))
        findings.setVisible(bool(self.fields))
        add = Button(tr("Add a finding"), kind="link")
        add.clicked.connect(self.add_finding)
        self._points = build_column(*self.fields, spacing=4)
        build_column(
            *(Label(tr("Title"), "small"), self.name, 8),
            *(Label(tr("Summary"), "small"), self.summary, 8),
            *(findings, self._points, build_row(add, STRETCH, spacing=-1), STRETCH),
            parent=body,
            spacing=4,
        )
        self._body = body
        self.column.addWidget(scrolling(body), 1)
        cancel, self.save_button = Button(tr("Cancel")), PrimaryButton(tr("Save"))
        self.back_button = Button(tr("Restore the original"))
        self.back_button.setVisible(report.is_edited)
        cancel.clicked.connect(self.reject)
        self.save_button.clicked.connect(self._give)
        self.back_button.clicked.connect(self.reset_wanted)
        self.back_button.clicked.connect(self.accept)
        self.name.textChanged.connect(lambda text: self.save_button.setEnabled(bool(text.strip())))
        self.register_fields(title=self.name, summary=self.summary)
        for fields in self.fields:
            fields.changed.connect(self.note_typing)
        self.add_foot([cancel, self.save_button], [self.back_button], line=True)
        self.fit(*EDIT_SIZE)
        self.name.setFocus()

    def add_finding(self) -> None:
        """Add the fields of a new finding."""
        self._add_fields().headline.setFocus()

    def _add_fields(self) -> FindingFields:
        fields = FindingFields(Finding("", ""), self._body)
        self.fields.append(fields)
        self._points.addWidget(fields)
        fields.changed.connect(self.note_typing)
        return fields

    def read_typed(self) -> dict[str, Any]:
        return {**super().read_typed(), "findings": [fields.typed for fields in self.fields]}

    def show_typed(self, fields: Mapping[str, Any]) -> None:
        super().show_typed(fields)
        if "findings" in fields:
            while len(self.fields) < len(fields["findings"]):
                self._add_fields()
            for n, one in enumerate(self.fields):  # those added since are emptied
                one.show_typed(fields["findings"][n] if n < len(fields["findings"]) else NOT_TYPED)

    def _give(self) -> None:
        findings = tuple(f for fields in self.fields if (f := fields.finding()) is not None)
        title, summary = self.name.text().strip(), self.summary.toPlainText().strip()
        self.given.emit(title, summary, findings)
        self.accept()


class WriteReportsDialog(Sheet):
    """Asks which reports to write; emits `given` and `plan_wanted` with the options.

    The options are a level (None for all), whether to write again, and whether to use the model.
    """

    given = Signal(object, bool, bool)
    plan_wanted = Signal(object, bool, bool)

    def __init__(self, model: str, parent: QWidget | None = None) -> None:
        super().__init__(tr("Write reports"), parent)
        self.add(
            Label(
                tr(
                    "Writes the missing and outdated reports. Reports that you edited or pinned"
                    " are not changed."
                ),
                "muted",
                wrap=True,
            )
        )
        self.add(SectionTitle(tr("Method")))
        self.by_model = RadioButton(
            tr("With {model}", model=model) if model else tr("With a model (none is installed)")
        )
        self.by_model.setEnabled(bool(model))
        self.plain = QRadioButton(tr("Without a model, from counts and quotations (takes seconds)"))
        (self.by_model if model else self.plain).setChecked(True)
        self.add(self.by_model)
        self.add(self.plain)
        self.add(SectionTitle(tr("Communities")))
        self.level_box = ChoiceBox()
        self.level_box.setAccessibleName(tr("Communities"))
        self.level_box.addItem(tr("All"), None)
        self.add(self.level_box)
        self.again = QCheckBox(tr("Also rewrite reports that are up to date"))
        self.add(self.again)
        self.summary = Label(" ", "strong", wrap=True)
        self.add(self.summary)
        cancel, self.write_button = Button(tr("Cancel")), PrimaryButton(tr("Write"))
        cancel.clicked.connect(self.reject)
        self.write_button.clicked.connect(self._give)
        self.add_foot([cancel, self.write_button])
        self.fit_content(WRITE_WIDTH)
        self.write_button.setEnabled(False)
        self.by_model.toggled.connect(lambda _: self._ask())
        self.again.toggled.connect(lambda _: self._ask())
        self.level_box.currentIndexChanged.connect(lambda _: self._ask())

    def set_levels(self, levels: Sequence[tuple[int, int]]) -> None:
        """Offer these levels, the coarsest first."""
        self.level_box.blockSignals(True)
        self.level_box.clear()
        n_all = sum(n for _, n in levels)
        self.level_box.addItem(trn("All ({n})", "All ({n})", n_all), None)
        n_so_far = 0
        for level, n in levels[:-1]:
            n_so_far += n
            words = (
                trn("Top level ({n})", "Top level ({n})", n_so_far)
                if level == 0
                else trn(
                    "Top {levels} levels ({n})",
                    "Top {levels} levels ({n})",
                    n_so_far,
                    levels=level + 1,
                )
            )
            self.level_box.addItem(words, level)
        self.level_box.blockSignals(False)
        self._ask()

    def show_plan(self, plan: CallPlan) -> None:
        """Show the number of reports and the estimated time."""
        self.write_button.setEnabled(plan.n_reports > 0)
        if not plan.n_reports:
            self.summary.setText(tr("There is nothing to write: all reports are up to date."))
            return
        n = trn("{n} report", "{n} reports", plan.n_reports)
        self.summary.setText(
            tr("{reports}, {time}", reports=n, time=tr_message(format_estimate(plan.seconds)))
        )

    def choice(self) -> tuple[int | None, bool, bool]:
        return self.level_box.currentData(), self.again.isChecked(), self.by_model.isChecked()

    def _ask(self) -> None:
        self.plan_wanted.emit(*self.choice())

    def _give(self) -> None:
        self.given.emit(*self.choice())
        self.accept()
