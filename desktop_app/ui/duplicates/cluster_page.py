"""One cluster: its members side by side, their sentences, the evidence, and the actions.

Owns the checked members and the name to keep. Decides nothing: it emits requests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QComboBox,
    QFrame,
    QGridLayout,
    QScrollArea,
    QStyle,
    QStyleOptionButton,
    QStylePainter,
    QWidget,
)

from desktop_app.engine.graph.duplicates.model import DuplicateReason
from desktop_app.engine.model import EntityRow, MentionRow
from desktop_app.engine.services.duplicates import DuplicateCluster, DuplicateMember
from desktop_app.engine.services.editing.previews import MergePreview
from desktop_app.engine.text.shown_text import Span

from ..theme.theme import Theme
from ..translation import tr, tr_message, trn
from ..widgets import (
    STRETCH,
    Button,
    ChoiceBox,
    Hairline,
    KeyButton,
    Label,
    SectionTitle,
    TypeChip,
    build_column,
    build_row,
    clear_layout,
    format_number,
    format_type,
)
from ..widgets.buttons import CheckBox, format_keys
from ..widgets.emphasis import find_differences, paint_underlined
from ..widgets.layout import ScrollFade, SentenceColumn, order_tabs
from ..widgets.words import fold_case, join_sentences, join_words, shorten_list
from .cluster_list import describe_likelihood

MAX_NAMES = 6
MAX_REASONS = 4  # for, and against
COUNTS_ROOM = 80  # pixels: the widest word of the counts of a name


# Evidence that says the same in other words: of each group, the first that was found is shown.
ALIKE = (("fingerprint", "ngram", "spelling"),)


def choose_reasons(reasons: Sequence[DuplicateReason]) -> list[DuplicateReason]:
    """Return the reasons without those that repeat another one."""
    found = {reason.method for reason in reasons}
    repeated = {
        method for group in ALIKE for method in [method for method in group if method in found][1:]
    }
    return [reason for reason in reasons if reason.method not in repeated]


class NameCheckBox(CheckBox):
    """A check box with a name, in which the letters that other names do not have are underlined.

    A name that has no room is elided, without these lines.
    """

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name.replace("&", "&&"), parent)  # one & would mark a key
        self._theme, self._name = theme, name
        self.marks: tuple[Span, ...] = ()

    def set_marks(self, marks: tuple[Span, ...]) -> None:
        self.marks = marks
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.marks or self.width() < self.sizeHint().width():
            super().paintEvent(event)
            return
        option = QStyleOptionButton()
        self.initStyleOption(option)
        contents = QStyle.SubElement.SE_CheckBoxContents
        area = self.style().subElementRect(contents, option, self)
        option.text = ""
        painter = QStylePainter(self)
        painter.drawControl(QStyle.ControlElement.CE_CheckBox, option)
        painter.setFont(self.font())
        metrics = painter.fontMetrics()
        baseline = area.top() + (area.height() - metrics.height()) // 2 + metrics.ascent()
        painter.setPen(self._theme.color("text"))
        accent = self._theme.color("accent")
        paint_underlined(painter, area.left(), baseline, self._name, self.marks, accent)
        painter.end()


class EvidenceColumn(QWidget):
    """Evidence for or against a merge: reasons, and the sentences they refer to."""

    place_clicked = Signal(int, int, int)

    def __init__(self, theme: Theme, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.reasons: tuple[str, ...] = ()
        self._list = build_column(spacing=2)
        self.sentences = SentenceColumn(theme, self, with_sources=True)
        self.sentences.place_clicked.connect(self.place_clicked)
        title_label = SectionTitle(title, self)
        build_column(title_label, self._list, self.sentences, parent=self, spacing=4)

    def show_evidence(self, reasons: Sequence[str], sentences: Sequence[MentionRow]) -> None:
        """Show reasons, one a line, and sentences that open their place; without any, say so."""
        if self.reasons != tuple(reasons) or not self._list.count():
            self.reasons = tuple(reasons)
            clear_layout(self._list)
            for reason in reasons:
                line = QWidget(self)
                top = Qt.AlignmentFlag.AlignTop
                build_row(
                    (Label("•", "", line), 0, top),
                    (Label(reason, "", line, wrap=True), 1),
                    parent=line,
                    spacing=6,
                )
                self._list.addWidget(line)
            if not reasons:
                self._list.addWidget(Label(tr("None found"), "muted", self))
        self.sentences.show_mentions(sentences)


class MemberCard(QFrame):
    """Emits `changed` when its check box changes, `place_clicked` for a sentence."""

    changed = Signal()
    place_clicked = Signal(int, int, int)
    open_wanted = Signal(int)

    def __init__(
        self, theme: Theme, member: DuplicateMember, number: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.member = member
        row = member.entity
        self.tick = NameCheckBox(theme, row.name, self)
        self.tick.setChecked(True)
        tip = tr("Include in the merge (Alt+{n})", n=number) if number <= 9 else ""
        self.tick.setToolTip(tip)
        self.tick.setFont(theme.font("strong"))
        self.tick.toggled.connect(lambda _: self.changed.emit())
        chip = TypeChip(theme, row.type, self, text=format_type(row.type, capital=True))
        self.kept = Label(tr("Name to keep"), "small", self)
        self.kept.hide()
        self.open_button = Button(tr("Open"), self, kind="link")
        self.open_button.setAccessibleName(tr("Open {name}", name=row.name))
        self.open_button.clicked.connect(lambda: self.open_wanted.emit(row.id))
        mentions = trn("{n} mention", "{n} mentions", row.n_mentions)
        connections = trn("{n} connection", "{n} connections", row.n_relations)
        counts = Label(f"{mentions} · {connections}", "small", self, wrap=True)
        counts.setMinimumWidth(COUNTS_ROOM)  # Qt would keep most of it on one line
        self.also = Label("", "muted", self, wrap=True)
        self.sentences = SentenceColumn(theme, self, with_sources=True)
        self.sentences.place_clicked.connect(self.place_clicked)
        self.connections = Label("", "muted", self, wrap=True)
        build_column(
            build_row((self.tick, 1), self.kept, self.open_button, spacing=8),
            build_row(chip, (counts, 1), spacing=8),
            self.also,
            self.sentences,
            self.connections,
            STRETCH,
            parent=self,
            spacing=6,
            margins=(12, 8, 12, 12),
        )
        self.show_member(member)

    def show_member(self, member: DuplicateMember) -> None:
        """Show the same member again, with its sentences."""
        self.member = member
        names = fold_case(member.names, member.entity.name)
        self.also.setText(tr("Also: {names}", names=shorten_list(names, MAX_NAMES)))
        self.also.setVisible(bool(names))
        self.sentences.show_mentions(member.sentences)
        connected = tr("Connected with: {names}", names=join_words(member.connections))
        self.connections.setText(connected)
        self.connections.setVisible(bool(member.connections))

    @property
    def stops(self) -> list[QWidget]:
        """The focusable widgets, in tab order."""
        return [self.tick, self.open_button, *self.sentences.labels]


COLUMNS = 2
COLUMN_ROOM = 250  # pixels of a card beside another one: its type and its counts
MARGIN = 24
NAME_ROOM = 260  # pixels of width for the name to keep beside the buttons, about 30 letters
FOOT_GAP = 8


MAX_LISTED = 40  # of the selected suggestions; the confirmation lists all


class SeveralPage(QWidget):
    """What stands in place of a cluster while several are selected; emits what to do with them."""

    merge_wanted = Signal()
    never_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = Label("", "title", self)
        hint = tr("Nothing is changed before you have seen the list again.")
        self.hint = Label(hint, "muted", self, wrap=True)
        self.names = Label("", "", self, wrap=True)
        body = QWidget(self)
        body.setObjectName("screenBody")
        build_column(
            *(self.title, self.hint, 8, self.names, STRETCH),
            parent=body,
            spacing=8,
            margins=(MARGIN, 16, MARGIN, 16),
        )
        scroll = QScrollArea(self)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(body)
        ScrollFade(theme, scroll)
        self.never_button = KeyButton(theme, "", self, keys="Ctrl+D")
        self.merge_button = KeyButton(theme, "", self, keys="Ctrl+Return", primary=True)
        self.never_button.clicked.connect(self.never_wanted)
        self.merge_button.clicked.connect(self.merge_wanted)
        foot = build_row(
            *(STRETCH, self.never_button, self.merge_button),
            spacing=FOOT_GAP,
            margins=(MARGIN, 12, MARGIN, 12),
        )
        build_column((scroll, 1), Hairline(parent=self), foot, parent=self, spacing=0)

    def show_clusters(self, clusters: Sequence[DuplicateCluster]) -> None:
        """Show the names of these clusters, one a line."""
        n = len(clusters)
        self.title.setText(trn("{n} suggestion selected", "{n} suggestions selected", n))
        lines = [
            " = ".join(member.entity.name for member in one.members)
            for one in clusters[:MAX_LISTED]
        ]
        if n > MAX_LISTED:
            lines.append(trn("{n} more", "{n} more", n - MAX_LISTED))
        self.names.setText("\n".join(lines))
        self.merge_button.setText(trn("Merge {n}…", "Merge {n}…", n))
        self.never_button.setText(trn("Never merge {n}…", "Never merge {n}…", n))


class ClusterPage(QWidget):
    """Emits the decision about a cluster.

    `merge_wanted` carries ids (the kept one first) and the name; also `never_wanted`,
    `skip_wanted`, and `preview_wanted` whenever the checked members change.
    """

    merge_wanted = Signal(list, str)
    never_wanted = Signal(list)
    skip_wanted = Signal()
    preview_wanted = Signal(list)
    compare_wanted = Signal(list)
    about_wanted = Signal()
    place_clicked = Signal(int, int, int)
    open_wanted = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.cluster: DuplicateCluster | None = None
        self.cards: list[MemberCard] = []
        self._n_columns = COLUMNS
        self._suggested = ""
        self.certainty = Label("", "title", self)
        self.pro = EvidenceColumn(theme, tr("Evidence for"), self)
        self.contra = EvidenceColumn(theme, tr("Evidence against"), self)
        for side in (self.pro, self.contra):
            side.place_clicked.connect(self.place_clicked)
        self.asked = Label("", "muted", self, wrap=True)
        self._evidence = QGridLayout()
        self._evidence.setHorizontalSpacing(12)
        top = Qt.AlignmentFlag.AlignTop
        self._evidence.addWidget(self.pro, 0, 0, top)
        self._grid = QGridLayout()
        self._grid.setSpacing(12)
        self._place_columns()
        self.about_button = Button("", self, kind="link", elide=True)
        self.about_button.setToolTip(
            tr("Show all of them ({keys})", keys=format_keys("Ctrl+Shift+Return"))
        )
        self.about_button.clicked.connect(self.about_wanted)
        self.all_button = Button("", self, kind="link")
        self.all_button.setToolTip("Alt+0")
        self.all_button.clicked.connect(self.toggle_all)
        body = QWidget(self)
        body.setObjectName("screenBody")
        build_column(
            build_row((self.certainty, 1), self.all_button, self.about_button, spacing=8),
            self._evidence,
            self.asked,
            8,
            self._grid,
            STRETCH,
            parent=body,
            spacing=8,
            margins=(MARGIN, 16, MARGIN, 16),
        )
        scroll = QScrollArea(self)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(body)
        ScrollFade(self._theme, scroll)
        self.foot = self._build_foot()
        build_column((scroll, 1), Hairline(parent=self), self.foot, parent=self, spacing=0)

    def _build_foot(self) -> QWidget:
        foot = QWidget(self)
        self.name = ChoiceBox(foot)
        self.name.setEditable(True)
        self.name.setAccessibleName(tr("Name to keep"))
        self.name.setMinimumContentsLength(18)
        self.name.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.preview = Label("", "small", foot, wrap=True)
        self.merge_button = KeyButton(
            self._theme, tr("Merge"), foot, keys="Ctrl+Return", primary=True
        )
        self.merge_button.setToolTip(
            tr("Merge the selected names ({keys})", keys=format_keys("Ctrl+Return"))
        )
        self.never_button = KeyButton(self._theme, tr("Never merge"), foot, keys="Ctrl+D")
        self.never_button.setToolTip(tr("Never merge the selected names (Ctrl+D)"))
        self.compare_button = KeyButton(self._theme, tr("Compare"), foot)
        self.compare_button.setToolTip(tr("Compare the first two selected names (Ctrl+Shift+M)"))
        self.skip_button = KeyButton(self._theme, tr("Skip"), foot, keys="Ctrl+J")
        self.skip_button.setToolTip(tr("Decide later (Ctrl+J)"))
        self._name_label = Label(tr("Name to keep"), "", foot)
        name_row = build_row(self._name_label, (self.name, 1), spacing=8)
        # two lines where one has no room: what decides is in the second one
        others = build_row(STRETCH, self.compare_button, self.skip_button, spacing=FOOT_GAP)
        deciding = build_row(STRETCH, self.never_button, self.merge_button, spacing=FOOT_GAP)
        self._buttons = buttons = build_row((others, 1), deciding, spacing=FOOT_GAP)
        self._actions = build_row((name_row, 1), buttons, spacing=FOOT_GAP)
        build_column(
            self._actions, self.preview, parent=foot, spacing=8, margins=(MARGIN, 12, MARGIN, 12)
        )
        self.merge_button.clicked.connect(self.merge)
        self.never_button.clicked.connect(self.never)
        self.skip_button.clicked.connect(self.skip_wanted)
        self.compare_button.clicked.connect(self.compare)
        self.name.editTextChanged.connect(lambda _: self._check())
        return foot

    @property
    def foot_buttons(self) -> tuple[KeyButton, ...]:
        """The buttons of the bar of actions, from left to right."""
        return (self.compare_button, self.skip_button, self.never_button, self.merge_button)

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        kind = event.type()
        if kind in (QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.LayoutRequest):
            self._fit_columns()
            self._fit_foot()
        return done

    def _fit_columns(self) -> None:
        """Show names and evidence below each other where two columns have no room."""
        column = self._theme.length(COLUMN_ROOM)
        n_columns = COLUMNS if self.width() >= 2 * MARGIN + COLUMNS * column else 1
        if n_columns != self._n_columns:
            self._n_columns = n_columns
            self._place_columns()

    def _place_columns(self) -> None:
        top = Qt.AlignmentFlag.AlignTop
        self._evidence.addWidget(self.contra, *divmod(1, self._n_columns), top)
        for number, card in enumerate(self.cards):
            self._grid.addWidget(card, *divmod(number, self._n_columns))
        for column in range(COLUMNS):
            for grid in (self._evidence, self._grid):
                grid.setColumnStretch(column, int(column < self._n_columns))

    def _fit_foot(self) -> None:
        """Leave out the keys where there is no room; then give the name a line of its own.

        The room for the name does not depend on the name, so that no button moves with it.
        """
        room = self.width() - 2 * MARGIN
        gaps = FOOT_GAP * (len(self.foot_buttons) - 1)
        with_keys = gaps + sum(button.full_width() for button in self.foot_buttons)
        without = gaps + sum(button.text_width() for button in self.foot_buttons)
        beside = room - self._name_label.sizeHint().width() - self._theme.breadth(NAME_ROOM)
        beside -= 2 * FOOT_GAP
        is_one_line = without <= beside
        shows_keys = with_keys <= (beside if is_one_line else room)
        Direction = QBoxLayout.Direction
        wanted = Direction.LeftToRight if is_one_line else Direction.TopToBottom
        if self._actions.direction() != wanted:
            self._actions.setDirection(wanted)
        for button in self.foot_buttons:
            button.set_keys_shown(shows_keys)
        rows = Direction.LeftToRight if without <= room else Direction.TopToBottom
        if self._buttons.direction() != rows:
            self._buttons.setDirection(rows)

    # --- what is shown ----------------------------------------------------------------------

    def show_cluster(self, cluster: DuplicateCluster) -> None:
        """Show a cluster with all members checked; the same cluster again keeps its check marks."""
        if self.cluster is not None and self.cluster.ids == cluster.ids and self.cards:
            self.cluster = cluster
            for card, member in zip(self.cards, cluster.members, strict=True):
                card.show_member(member)
            self._show_evidence()
            self._show_verdict()
            self._order()
            return
        self.cluster = cluster
        for card in self.cards:
            card.hide()
            card.deleteLater()
        self.cards = []
        for number, member in enumerate(cluster.members):
            card = MemberCard(self._theme, member, number + 1, self)
            card.changed.connect(self._ticked)
            card.place_clicked.connect(self.place_clicked)
            card.open_wanted.connect(self.open_wanted)
            self.cards.append(card)
        self._place_columns()
        names = [member.entity.name for member in cluster.members]
        for number, card in enumerate(self.cards):
            card.tick.set_marks(find_differences(names[number], names[0 if number else 1]))
        self._order()
        self.certainty.setText(describe_likelihood(cluster))
        self._show_evidence()
        self.name.setEditText("")
        self._suggested = ""
        self._suggest_name()
        self.preview.setText("")
        self._show_verdict()
        self._ticked()

    def _suggest_name(self) -> None:
        """Offer the names of the checked members; one that the user chose or typed stays."""
        checked = [card.member for card in self.cards if card.tick.isChecked()]
        if self.cluster is None or not checked:
            return
        names = replace(self.cluster, members=tuple(checked)).names_to_keep
        kept = self.name.currentText()
        if kept == self._suggested:
            kept = self._suggested = names[0]
        blocker = QSignalBlocker(self.name)
        self.name.clear()
        self.name.addItems(names)
        self.name.setEditText(kept)
        blocker.unblock()
        if (field := self.name.lineEdit()) is not None:
            field.setCursorPosition(0)  # the beginning of a long name is in sight

    def _show_kept(self) -> None:
        """Mark the member whose name is kept, none for another name."""
        kept = self.name.currentText().strip()
        for card in self.cards:
            card.kept.setVisible(card.member.entity.name == kept and card.tick.isChecked())

    def _show_evidence(self) -> None:
        if (cluster := self.cluster) is None:
            return
        reasons = [tr_message(one.text) for one in choose_reasons(cluster.reasons)[:MAX_REASONS]]
        if cluster.shared:
            reasons.append(tr("Both connected with: {names}", names=join_words(cluster.shared)))
        self.pro.show_evidence(reasons, cluster.supporting)
        against = [tr_message(reason.text) for reason in cluster.against[:MAX_REASONS]]
        self.contra.show_evidence(against, cluster.contrary)

    def _order(self) -> None:
        cards = [stop for card in self.cards for stop in card.stops]
        evidence = [*self.pro.sentences.labels, *self.contra.sentences.labels]
        order_tabs(
            [self.all_button, self.about_button, *evidence, *cards, self.name, *self.foot_buttons]
        )

    def offer_all(self, n_clusters: int) -> None:
        """Offer a decision on all clusters with the same first member."""
        if self.cluster is not None:
            name = self.cluster.members[0].entity.name
            self.about_button.setText(
                trn(
                    "Review {n} suggestion with {name}…",
                    "Review {n} suggestions with {name}…",
                    n_clusters,
                    name=name.replace("&", "&&"),
                )
            )
        self.about_button.setVisible(n_clusters > 1)

    def show_preview(self, preview: MergePreview) -> None:
        """Show the effects of the merge."""
        n_doubles, n_loops = len(preview.doubles), len(preview.loops)
        parts = [
            trn("{n} mention", "{n} mentions", preview.n_mentions),
            trn("{n} connection", "{n} connections", preview.n_relations),
        ]
        if n_doubles:
            parts.append(
                trn(
                    "{n} duplicate connection combined",
                    "{n} duplicate connections combined",
                    n_doubles,
                )
            )
        if n_loops:
            parts.append(
                trn("{n} self-connection removed", "{n} self-connections removed", n_loops)
            )
        facts = (
            self._count_ticked() if len(self.cards) > 2 else "",
            self._explain_suggestion(),
            tr("After merging: {facts}.", facts=join_words(parts)),
        )
        self.preview.setText(join_sentences(facts))

    def _explain_suggestion(self) -> str:
        """Return why the name in the field is suggested; "" for another one."""
        rows = self.ticked()
        if not rows or self.name.currentText() != self._suggested:
            return ""
        if self._suggested != rows[0].name:
            return tr("The most complete name is suggested.")
        is_most = all(row.n_mentions < rows[0].n_mentions for row in rows[1:])
        return tr("The name with most mentions is suggested.") if is_most else ""

    def _count_ticked(self) -> str:
        n, total = len(self.ticked()), len(self.cards)
        return trn(
            "{n} of {total} names selected.", "{n} of {total} names selected.", n, total=total
        )

    def _show_verdict(self) -> None:
        asked = self.cluster.asked if self.cluster is not None else None
        self.asked.setVisible(asked is not None)
        if asked is not None:
            percent = format_number(round(100 * asked))
            self.asked.setText(
                tr("The chat model says “the same” with {n}%, which may be wrong.", n=percent)
            )

    # --- actions ----------------------------------------------------------------------------

    def ticked(self) -> list[EntityRow]:
        """Return the checked members, the most frequent first."""
        return [card.member.entity for card in self.cards if card.tick.isChecked()]

    def toggle(self, number: int) -> None:
        """Toggle the n-th member, counted from 0."""
        if number < len(self.cards):
            self.cards[number].tick.toggle()

    def toggle_all(self) -> None:
        """Select all members; if all are selected, none."""
        wanted = len(self.ticked()) < len(self.cards)
        for card in self.cards:
            card.tick.setChecked(wanted)

    def merge(self) -> None:
        if self.merge_button.isEnabled():
            ids = [row.id for row in self.ticked()]
            self.merge_wanted.emit(ids, self.name.currentText().strip())

    def never(self) -> None:
        if self.never_button.isEnabled():
            self.never_wanted.emit([row.id for row in self.ticked()])

    def compare(self) -> None:
        if self.compare_button.isEnabled():
            self.compare_wanted.emit(self.ticked()[:2])

    def _ticked(self) -> None:
        self._suggest_name()
        self._check()
        are_all = len(self.ticked()) == len(self.cards)
        self.all_button.setText(tr("Select none") if are_all else tr("Select all"))
        self.all_button.setVisible(len(self.cards) > 2)
        ids = [row.id for row in self.ticked()]
        if len(ids) > 1:
            self.preview_wanted.emit(ids)
        else:
            self.preview.setText(tr("Select at least two names."))

    def _check(self) -> None:
        self._show_kept()
        enough = len(self.ticked()) > 1
        self.merge_button.setEnabled(enough and bool(self.name.currentText().strip()))
        self.never_button.setEnabled(enough)
        self.compare_button.setEnabled(enough)
