"""One cluster: its members side by side, their sentences, the evidence, and the actions.

Owns the checked members and the name to keep. Decides nothing: it emits requests.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from desktop_app.engine.model import EntityRow, MentionRow
from desktop_app.engine.services.duplicates import DuplicateCluster, DuplicateMember
from desktop_app.engine.services.editing.previews import MergePreview

from ..language import tr, tr_message, trn
from ..theme.theme import Theme
from ..widgets import Button, Hairline, Label, PrimaryButton, TypeChip, format_number, format_type
from ..widgets.layout import order_tabs
from ..widgets.words import join_words, shorten_list
from .cluster_list import say_certainty
from .quotes import SentenceColumn

MAX_NAMES = 6


class MemberCard(QFrame):
    """Emits `changed` when its check box changes, `place_clicked` for a sentence."""

    changed = Signal()
    place_clicked = Signal(int, int, int)
    open_wanted = Signal(int)

    def __init__(
        self, theme: Theme, member: DuplicateMember, number: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("surface")
        self.member = member
        row = member.entity
        self.tick = QCheckBox(row.name, self)
        self.tick.setChecked(True)
        self.tick.setToolTip(
            tr("Take it into the merge (Alt+{n})", n=number) if number <= 9 else ""
        )
        self.tick.setFont(theme.font("strong"))
        self.tick.toggled.connect(lambda _: self.changed.emit())
        chip = TypeChip(theme, row.type, self, text=format_type(row.type))
        self.open_button = Button(tr("Open"), self, kind="link")
        self.open_button.setAccessibleName(tr("Open {name}", name=row.name))
        self.open_button.clicked.connect(lambda: self.open_wanted.emit(row.id))
        facts = " · ".join(
            (
                trn("{n} mention", "{n} mentions", row.n_mentions),
                trn("{n} connection", "{n} connections", row.n_relations),
            )
        )
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.tick, 1)
        head.addWidget(self.open_button)
        under = QHBoxLayout()
        under.setSpacing(8)
        under.addWidget(chip)
        under.addWidget(Label(facts, "small", self), 1)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(12, 8, 12, 12)
        self._column.setSpacing(6)
        self._column.addLayout(head)
        self._column.addLayout(under)
        if member.names:
            names = shorten_list(member.names, MAX_NAMES)
            also = Label(tr("also: {names}", names=names), "muted")
            also.setWordWrap(True)
            self._column.addWidget(also)
        self.sentences = SentenceColumn(theme, self)
        self.sentences.place_clicked.connect(self.place_clicked)
        self._column.addWidget(self.sentences)
        self._column.addStretch(1)
        self.show_sentences(member.sentences)

    @property
    def stops(self) -> list[QWidget]:
        """The focusable widgets, in tab order."""
        return [self.tick, self.open_button, *self.sentences.labels]

    def show_sentences(self, sentences: tuple[MentionRow, ...]) -> None:
        """Show the sentences that describe the entity; each links to its place in the text."""
        self.sentences.show_mentions(sentences)


COLUMNS = 2
MARGIN = 24


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
        self.certainty = Label("", "title", self)
        self.why = Label("", "muted", self, wrap=True)
        self.shared = Label("", "muted", self, wrap=True)
        self.asked = Label("", "muted", self, wrap=True)
        self._grid = QGridLayout()
        self._grid.setSpacing(12)
        body = QWidget(self)
        body.setObjectName("screenBody")
        column = QVBoxLayout(body)
        column.setContentsMargins(MARGIN, 16, MARGIN, 16)
        column.setSpacing(8)
        self.about_button = Button("", self, kind="link")
        self.about_button.setToolTip(tr("See all of them at once (Ctrl+Shift+Return)"))
        self.about_button.clicked.connect(self.about_wanted)
        top = QHBoxLayout()
        top.addWidget(self.certainty, 1)
        top.addWidget(self.about_button)
        column.addLayout(top)
        for label in (self.why, self.shared, self.asked):
            column.addWidget(label)
        column.addSpacing(8)
        column.addLayout(self._grid)
        column.addStretch(1)
        scroll = QScrollArea(self)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(body)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(scroll, 1)
        whole.addWidget(Hairline(parent=self))
        self.foot = self._build_foot()
        whole.addWidget(self.foot)

    def _build_foot(self) -> QWidget:
        foot = QWidget(self)
        self.name = QComboBox(foot)
        self.name.setEditable(True)
        self.name.setAccessibleName(tr("The one name"))
        self.name.setMinimumContentsLength(18)
        self.name.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.preview = Label("", "small", foot, wrap=True)
        self.merge_button = PrimaryButton(tr("Merge"), foot)
        self.merge_button.setToolTip(tr("Merge the ticked names and go on (Ctrl+Return)"))
        self.never_button = Button(tr("Never merge"), foot)
        self.never_button.setToolTip(tr("Keep the ticked names apart for good (Ctrl+D)"))
        self.compare_button = Button(tr("Compare"), foot)
        self.compare_button.setToolTip(tr("The first two ticked, side by side (Ctrl+Shift+M)"))
        self.skip_button = Button(tr("Skip"), foot)
        self.skip_button.setToolTip(tr("Leave it for another day (Ctrl+J)"))
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(Label(tr("As"), "", foot))
        row.addWidget(self.name, 1)
        for button in (self.compare_button, self.skip_button, self.never_button, self.merge_button):
            row.addWidget(button)
        column = QVBoxLayout(foot)
        column.setContentsMargins(MARGIN, 12, MARGIN, 12)
        column.setSpacing(8)
        column.addLayout(row)
        column.addWidget(self.preview)
        self.merge_button.clicked.connect(self.merge)
        self.never_button.clicked.connect(self.never)
        self.skip_button.clicked.connect(self.skip_wanted)
        self.compare_button.clicked.connect(self.compare)
        self.name.editTextChanged.connect(lambda _: self._check())
        return foot

    # --- what is shown ----------------------------------------------------------------------

    def show_cluster(self, cluster: DuplicateCluster) -> None:
        """Show a cluster with all members checked; the same cluster again keeps its check marks."""
        if self.cluster is not None and self.cluster.ids == cluster.ids and self.cards:
            self.cluster = cluster
            for card, member in zip(self.cards, cluster.members, strict=True):
                card.show_sentences(member.sentences)
            self._say_asked()
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
            self._grid.addWidget(card, number // COLUMNS, number % COLUMNS)
            self.cards.append(card)
        self._order()
        for i in range(COLUMNS):
            self._grid.setColumnStretch(i, 1)
        percent = format_number(round(100 * cluster.certainty))
        self.certainty.setText(
            tr("{words}, {n} %", words=say_certainty(cluster.certainty), n=percent)
        )
        self.why.setText(
            "\n".join(f"• {tr_message(reason.text)}" for reason in cluster.reasons[:5])
        )
        shared = join_words(cluster.shared)
        self.shared.setText(tr("Both know: {names}", names=shared) if shared else "")
        self.shared.setVisible(bool(shared))
        self.name.clear()
        names = [member.entity.name for member in cluster.members]
        names += [name for member in cluster.members for name in member.names]
        self.name.addItems(list(dict.fromkeys(names)))
        self.preview.setText("")
        self._say_asked()
        self._ticked()

    def _order(self) -> None:
        cards = [stop for card in self.cards for stop in card.stops]
        foot = (self.compare_button, self.skip_button, self.never_button, self.merge_button)
        order_tabs([self.about_button, *cards, self.name, *foot])

    def say_more(self, n_clusters: int) -> None:
        """Offer a decision on all clusters with the same first member."""
        if self.cluster is not None:
            name = self.cluster.members[0].entity.name
            self.about_button.setText(
                trn("The one about {name}…", "All {n} about {name}…", n_clusters, name=name)
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
                    "{n} double folded with all sentences",
                    "{n} doubles folded with all sentences",
                    n_doubles,
                )
            )
        if n_loops:
            parts.append(
                trn(
                    "{n} connection among them dropped",
                    "{n} connections among them dropped",
                    n_loops,
                )
            )
        facts = join_words(parts)
        self.preview.setText(tr("Afterwards: {facts}.", facts=facts))

    def _say_asked(self) -> None:
        asked = self.cluster.asked if self.cluster is not None else None
        self.asked.setVisible(asked is not None)
        if asked is not None:
            percent = format_number(round(100 * asked))
            self.asked.setText(
                tr("The chat model says “one” with {n} %, which may be wrong.", n=percent)
            )

    # --- what a person does ------------------------------------------------------------------

    def ticked(self) -> list[EntityRow]:
        """Return the checked members, the most frequent first."""
        return [card.member.entity for card in self.cards if card.tick.isChecked()]

    def toggle(self, number: int) -> None:
        """Toggle the n-th member, counted from 0."""
        if number < len(self.cards):
            self.cards[number].tick.toggle()

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
        self._check()
        ids = [row.id for row in self.ticked()]
        if len(ids) > 1:
            self.preview_wanted.emit(ids)
        else:
            self.preview.setText(tr("Tick two names or more."))

    def _check(self) -> None:
        enough = len(self.ticked()) > 1
        self.merge_button.setEnabled(enough and bool(self.name.currentText().strip()))
        self.never_button.setEnabled(enough)
        self.compare_button.setEnabled(enough)
