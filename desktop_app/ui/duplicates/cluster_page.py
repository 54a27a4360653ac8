"""One cluster: its members side by side, their sentences, the evidence, and the actions.

Owns the checked members and the name to keep. Decides nothing: it emits requests.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QFrame, QGridLayout, QScrollArea, QWidget

from desktop_app.engine.model import EntityRow
from desktop_app.engine.services.duplicates import DuplicateCluster, DuplicateMember
from desktop_app.engine.services.editing.previews import MergePreview

from ..theme.theme import Theme
from ..translation import tr, tr_message, trn
from ..widgets import (
    STRETCH,
    Button,
    Hairline,
    Label,
    PrimaryButton,
    TypeChip,
    build_column,
    build_row,
    format_number,
    format_type,
)
from ..widgets.layout import SentenceColumn, order_tabs
from ..widgets.words import join_words, shorten_list
from .cluster_list import describe_certainty

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
        tip = tr("Include in the merge (Alt+{n})", n=number) if number <= 9 else ""
        self.tick.setToolTip(tip)
        self.tick.setFont(theme.font("strong"))
        self.tick.toggled.connect(lambda _: self.changed.emit())
        chip = TypeChip(theme, row.type, self, text=format_type(row.type))
        self.open_button = Button(tr("Open"), self, kind="link")
        self.open_button.setAccessibleName(tr("Open {name}", name=row.name))
        self.open_button.clicked.connect(lambda: self.open_wanted.emit(row.id))
        mentions = trn("{n} mention", "{n} mentions", row.n_mentions)
        connections = trn("{n} connection", "{n} connections", row.n_relations)
        also = Label("", "muted", self, wrap=True)
        also.setText(tr("also: {names}", names=shorten_list(member.names, MAX_NAMES)))
        also.setVisible(bool(member.names))
        self.sentences = SentenceColumn(theme, self)
        self.sentences.place_clicked.connect(self.place_clicked)
        build_column(
            build_row((self.tick, 1), self.open_button, spacing=8),
            build_row(chip, (Label(f"{mentions} · {connections}", "small", self), 1), spacing=8),
            also,
            self.sentences,
            STRETCH,
            parent=self,
            spacing=6,
            margins=(12, 8, 12, 12),
        )
        self.sentences.show_mentions(member.sentences)

    @property
    def stops(self) -> list[QWidget]:
        """The focusable widgets, in tab order."""
        return [self.tick, self.open_button, *self.sentences.labels]


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
        for i in range(COLUMNS):
            self._grid.setColumnStretch(i, 1)
        self.about_button = Button("", self, kind="link")
        self.about_button.setToolTip(tr("Show all of them (Ctrl+Shift+Return)"))
        self.about_button.clicked.connect(self.about_wanted)
        body = QWidget(self)
        body.setObjectName("screenBody")
        build_column(
            build_row((self.certainty, 1), self.about_button),
            self.why,
            self.shared,
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
        self.foot = self._build_foot()
        build_column((scroll, 1), Hairline(parent=self), self.foot, parent=self, spacing=0)

    def _build_foot(self) -> QWidget:
        foot = QWidget(self)
        self.name = QComboBox(foot)
        self.name.setEditable(True)
        self.name.setAccessibleName(tr("Name to keep"))
        self.name.setMinimumContentsLength(18)
        self.name.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.preview = Label("", "small", foot, wrap=True)
        self.merge_button = PrimaryButton(tr("Merge"), foot)
        self.merge_button.setToolTip(tr("Merge the selected names (Ctrl+Return)"))
        self.never_button = Button(tr("Never merge"), foot)
        self.never_button.setToolTip(tr("Never merge the selected names (Ctrl+D)"))
        self.compare_button = Button(tr("Compare"), foot)
        self.compare_button.setToolTip(tr("Compare the first two selected names (Ctrl+Shift+M)"))
        self.skip_button = Button(tr("Skip"), foot)
        self.skip_button.setToolTip(tr("Decide later (Ctrl+J)"))
        buttons = (self.compare_button, self.skip_button, self.never_button, self.merge_button)
        row = build_row(Label(tr("Name"), "", foot), (self.name, 1), *buttons, spacing=8)
        build_column(row, self.preview, parent=foot, spacing=8, margins=(MARGIN, 12, MARGIN, 12))
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
                card.sentences.show_mentions(member.sentences)
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
            self._grid.addWidget(card, number // COLUMNS, number % COLUMNS)
            self.cards.append(card)
        self._order()
        percent = format_number(round(100 * cluster.certainty))
        self.certainty.setText(
            tr("{words}, {n} %", words=describe_certainty(cluster.certainty), n=percent)
        )
        self.why.setText(
            "\n".join(f"• {tr_message(reason.text)}" for reason in cluster.reasons[:5])
        )
        shared = join_words(cluster.shared)
        self.shared.setText(tr("Common neighbours: {names}", names=shared) if shared else "")
        self.shared.setVisible(bool(shared))
        self.name.clear()
        names = [member.entity.name for member in cluster.members]
        names += [name for member in cluster.members for name in member.names]
        self.name.addItems(list(dict.fromkeys(names)))
        self.preview.setText("")
        self._show_verdict()
        self._ticked()

    def _order(self) -> None:
        cards = [stop for card in self.cards for stop in card.stops]
        foot = (self.compare_button, self.skip_button, self.never_button, self.merge_button)
        order_tabs([self.about_button, *cards, self.name, *foot])

    def offer_all(self, n_clusters: int) -> None:
        """Offer a decision on all clusters with the same first member."""
        if self.cluster is not None:
            name = self.cluster.members[0].entity.name
            self.about_button.setText(
                trn("The one with {name}…", "All {n} with {name}…", n_clusters, name=name)
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
        self.preview.setText(tr("After merging: {facts}.", facts=join_words(parts)))

    def _show_verdict(self) -> None:
        asked = self.cluster.asked if self.cluster is not None else None
        self.asked.setVisible(asked is not None)
        if asked is not None:
            percent = format_number(round(100 * asked))
            self.asked.setText(
                tr("The chat model says “the same” with {n} %, which may be wrong.", n=percent)
            )

    # --- actions ----------------------------------------------------------------------------

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
            self.preview.setText(tr("Select at least two names."))

    def _check(self) -> None:
        enough = len(self.ticked()) > 1
        self.merge_button.setEnabled(enough and bool(self.name.currentText().strip()))
        self.never_button.setEnabled(enough)
        self.compare_button.setEnabled(enough)
