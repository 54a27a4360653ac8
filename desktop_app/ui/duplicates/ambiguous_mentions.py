"""Ambiguous mentions of split entities: asks which entity is meant, one mention at a time.

Owns the current question and the keys 1 to 9. Edits nothing itself: it emits the answer.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from desktop_app.engine.services.provenance import AmbiguousMention, AmbiguousName

from ..language import tr, trn
from ..theme.theme import Theme
from ..widgets import Button, ElidedLabel, EmptyState, Label, clear_layout
from ..widgets.layout import order_tabs
from .quotes import SentenceColumn

WIDTH = 720
Question = tuple[AmbiguousName, AmbiguousMention]


class AmbiguousMentionsView(QWidget):
    """Emits `assigned` with mentions and the chosen entity; `skip` shows the next question."""

    assigned = Signal(list, int)
    place_clicked = Signal(int, int, int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._questions: list[Question] = []
        self._at = 0
        self.where = ElidedLabel("", "small", self)
        self.asked = Label("", "title", self, wrap=True)
        self.sentence = SentenceColumn(theme, self)
        self.sentence.place_clicked.connect(self.place_clicked)
        self.buttons: list[Button] = []
        self._answers = QVBoxLayout(spacing=8)
        self.skip_button = Button(tr("Skip"), self)
        self.skip_button.setToolTip(tr("Leave it for another day (Ctrl+J)"))
        self.skip_button.clicked.connect(self.skip)
        self.rest_button = Button("", self, kind="link")
        self.rest_button.setToolTip(tr("Answer all that are left of this name alike"))
        self.rest_button.clicked.connect(self._tell_rest)
        self.empty = EmptyState(theme, "names", tr("Nobody is in doubt"), parent=self)
        self.empty.set_texts(
            tr("Nobody is in doubt"),
            tr(
                "After a name was split, its later mentions follow by their document and by the "
                "names around them. Where neither tells, you are asked here."
            ),
        )
        self.pages = QStackedWidget(self)
        self._place()

    def _place(self) -> None:
        body = QWidget(self)
        body.setObjectName("screenBody")
        body.setMaximumWidth(WIDTH)
        column = QVBoxLayout(body, spacing=12)
        column.setContentsMargins(24, 24, 24, 24)
        column.addWidget(self.where)
        column.addWidget(self.asked)
        column.addWidget(self.sentence)
        column.addSpacing(8)
        column.addLayout(self._answers)
        foot = QHBoxLayout(spacing=8)
        foot.addWidget(self.skip_button)
        foot.addStretch(1)
        foot.addWidget(self.rest_button)
        column.addLayout(foot)
        column.addStretch(1)
        middle = QWidget(self)
        row = QHBoxLayout(middle)
        row.addStretch(1)
        row.addWidget(body, 8)
        row.addStretch(1)
        for page in (self.empty, middle):
            self.pages.addWidget(page)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.pages)

    # --- what is shown ----------------------------------------------------------------------

    @property
    def n_questions(self) -> int:
        return len(self._questions)

    @property
    def question(self) -> Question | None:
        return self._questions[self._at] if self._questions else None

    def set_names(self, names: Sequence[AmbiguousName]) -> None:
        """Set the questions; the current position is kept."""
        self._questions = [(name, mention) for name in names for mention in name.mentions]
        self._at = min(self._at, max(0, len(self._questions) - 1))
        self._show()

    def skip(self) -> None:
        if self._questions:
            self._at = (self._at + 1) % len(self._questions)
            self._show()

    def answer(self, number: int) -> None:
        """Choose the n-th candidate, counted from 0."""
        if self.question is not None and number < len(self.question[0].choices):
            name, mention = self.question
            self._tell([mention.id], name.choices[number].id)

    def _tell(self, mention_ids: list[int], entity_id: int) -> None:
        asked = set(mention_ids)
        self._questions = [q for q in self._questions if q[1].id not in asked]
        self._at = min(self._at, max(0, len(self._questions) - 1))
        self.assigned.emit(mention_ids, entity_id)
        self._show()

    def _tell_rest(self) -> None:
        if self.question is not None:
            name, mention = self.question
            self._tell([m.id for n, m in self._questions if n.name == name.name], mention.now)

    def _show(self) -> None:
        if self.question is None:
            self.pages.setCurrentWidget(self.empty)
            return
        name, mention = self.question
        row = mention.mention
        number = tr("{n} of {total}", n=self._at + 1, total=len(self._questions))
        place = " · ".join(part for part in (row.document_title, row.heading) if part)
        self.where.setText(f"{number} · {place}")
        self.asked.setText(tr("Which “{name}” is meant?", name=name.name))
        self.sentence.show_mentions([row])
        clear_layout(self._answers)
        self.buttons = []
        for n, choice in enumerate(name.choices):
            count = trn("{n} mention", "{n} mentions", choice.n_mentions)
            if choice.id == mention.now:
                count = tr("{count}, counted here so far", count=count)
            button = Button(f"{n + 1}   {choice.name}   ·  {count}", self)
            button.setStyleSheet("text-align: left;")
            button.clicked.connect(lambda _=False, i=n: self.answer(i))
            self._answers.addWidget(button)
            self.buttons.append(button)
        n_rest = sum(n.name == name.name for n, _ in self._questions)
        now = next((c.name for c in name.choices if c.id == mention.now), name.name)
        self.rest_button.setText(
            trn("The one left is “{name}”", "All {n} left are “{name}”", n_rest, name=now)
        )
        self.rest_button.setVisible(n_rest > 1)
        self.pages.setCurrentIndex(1)
        order_tabs([*self.sentence.labels, *self.buttons, self.skip_button, self.rest_button])

    def keyPressEvent(self, event) -> None:
        number = event.key() - Qt.Key.Key_1
        if 0 <= number < len(self.buttons):
            self.answer(number)
        else:
            super().keyPressEvent(event)
