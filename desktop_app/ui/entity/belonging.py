"""What an entity belongs to and what was changed of it by hand: two lines under its head.

Owns the words. Reads nothing; says when the history is wanted.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from desktop_app.engine.services.comparing import Belonging
from desktop_app.engine.services.editing import HistoryRow
from desktop_app.ui.language import tr, tr_said, trn
from desktop_app.ui.widgets import Button, Label, format_when
from desktop_app.ui.widgets.words import join_words

MOST = 3  # communities, the closest first


class BelongingLines(QWidget):
    """Shows nothing while there is nothing to say; `history_wanted` when the second is clicked."""

    history_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.communities_title = Label(tr("Communities"), "small", self)
        self.communities = Label("", "muted", self, wrap=True)
        self.history_title = Label(tr("By hand"), "small", self)
        self.history = Button("", self, kind="link")
        self.history.clicked.connect(self.history_wanted)
        grid = QGridLayout(self)
        grid.setContentsMargins(12, 0, 12, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        top, left = Qt.AlignmentFlag.AlignTop, Qt.AlignmentFlag.AlignLeft
        grid.addWidget(self.communities_title, 0, 0, top)
        grid.addWidget(self.communities, 0, 1)
        grid.addWidget(self.history_title, 1, 0)
        grid.addWidget(self.history, 1, 1, left)
        self.clear()

    def clear(self) -> None:
        self.set_communities(())
        self.set_history(())

    def set_communities(self, rows: Sequence[Belonging]) -> None:
        """Say whom it stands with, in the communities it is in."""
        lines = [_describe(row) for row in rows[:MOST]]
        self.communities.setText("\n".join(lines))
        for label in (self.communities_title, self.communities):
            label.setVisible(bool(lines))
        self._check()

    def set_history(self, rows: Sequence[HistoryRow]) -> None:
        """Say how often it was changed, and what came last."""
        done = [row for row in rows if not row.undone]
        if rows:
            last = done[0] if done else rows[0]
            what, when = tr_said(last.label), format_when(last.created_at)
            self.history.setText(
                trn(
                    "{n} change, last: {what}, {when}",
                    "{n} changes, last: {what}, {when}",
                    len(rows),
                    what=what if done else tr("{what} (taken back)", what=what),
                    when=when,
                )
            )
        for widget in (self.history_title, self.history):
            widget.setVisible(bool(rows))
        self._check()

    def _check(self) -> None:
        self.setVisible(bool(self.communities.text()) or not self.history.isHidden())


def _describe(row: Belonging) -> str:
    names = join_words(row.others)
    with_whom = tr("with {names}", names=names) if row.others else tr("alone")
    count = trn("{n} name", "{n} names", row.n_members)
    if row.title and row.title not in row.others:
        return tr(
            "{title}: {with_whom} ({count})", title=row.title, with_whom=with_whom, count=count
        )
    return tr("{with_whom} ({count})", with_whom=with_whom, count=count)
