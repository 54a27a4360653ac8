"""Ambiguous mentions of split entities: asks which entity is meant, one mention at a time.

Owns the current question and the keys 1 to 9. Edits nothing itself: it emits the answer.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from desktop_app.engine.services.provenance import AmbiguousMention, AmbiguousName

from ..theme.theme import Theme
from ..translation import tr, trn
from ..widgets import (
    STRETCH,
    Button,
    ElidedLabel,
    EmptyState,
    Label,
    build_column,
    build_row,
    clear_layout,
)
from ..widgets.layout import SentenceColumn, order_tabs
from ..widgets.words import format_headings

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
        self._answers = build_column(spacing=8)
        self.skip_button = Button(tr("Skip"), self)
        self.skip_button.setToolTip(tr("Decide later (Ctrl+J)"))
        self.skip_button.clicked.connect(self.skip)
        self.rest_button = Button("", self, kind="link")
        self.rest_button.setToolTip(tr("Assign all remaining mentions of this name"))
        self.rest_button.clicked.connect(self._assign_rest)
        self.empty = EmptyState(theme, "names", tr("Nothing to clarify"), parent=self)
        self.empty.set_texts(
            tr("Nothing to clarify"),
            tr(
                "After a name was split, its later mentions are assigned by document and by "
                "neighbouring names. Mentions that remain unclear are listed here."
            ),
        )
        body = QWidget(self)
        body.setObjectName("screenBody")
        body.setMaximumWidth(WIDTH)
        build_column(
            self.where,
            self.asked,
            self.sentence,
            8,
            self._answers,
            build_row(self.skip_button, STRETCH, self.rest_button, spacing=8),
            STRETCH,
            parent=body,
            spacing=12,
            margins=(24, 24, 24, 24),
        )
        middle = QWidget(self)
        build_row(STRETCH, (body, 8), STRETCH, parent=middle)
        self.pages = QStackedWidget(self)
        for page in (self.empty, middle):
            self.pages.addWidget(page)
        build_column(self.pages, parent=self)

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
            self._assign([mention.id], name.choices[number].id)

    def _assign(self, mention_ids: list[int], entity_id: int) -> None:
        asked = set(mention_ids)
        self._questions = [q for q in self._questions if q[1].id not in asked]
        self._at = min(self._at, max(0, len(self._questions) - 1))
        self.assigned.emit(mention_ids, entity_id)
        self._show()

    def _assign_rest(self) -> None:
        if self.question is not None:
            name, mention = self.question
            self._assign([m.id for n, m in self._questions if n.name == name.name], mention.now)

    def _show(self) -> None:
        if self.question is None:
            self.pages.setCurrentWidget(self.empty)
            return
        name, mention = self.question
        row = mention.mention
        number = tr("{n} of {total}", n=self._at + 1, total=len(self._questions))
        place = " · ".join(
            part for part in (row.document_title, format_headings(row.heading)) if part
        )
        self.where.setText(f"{number} · {place}")
        self.asked.setText(tr("Which “{name}” is meant?", name=name.name))
        self.sentence.show_mentions([row])
        clear_layout(self._answers)
        self.buttons = []
        for n, choice in enumerate(name.choices):
            count = trn("{n} mention", "{n} mentions", choice.n_mentions)
            if choice.id == mention.now:
                count = tr("{count}, currently assigned", count=count)
            button = Button(f"{n + 1}   {choice.name}   ·  {count}".replace("&", "&&"), self)
            button.setStyleSheet("text-align: left;")
            button.clicked.connect(lambda _=False, i=n: self.answer(i))
            self._answers.addWidget(button)
            self.buttons.append(button)
        n_rest = sum(n.name == name.name for n, _ in self._questions)
        now = next((c.name for c in name.choices if c.id == mention.now), name.name)
        now = now.replace("&", "&&")
        self.rest_button.setText(
            trn("Assign the last one to “{name}”", "Assign all {n} to “{name}”", n_rest, name=now)
        )
        self.rest_button.setVisible(n_rest > 1)
        self.pages.setCurrentIndex(1)
        order_tabs([*self.sentence.labels, *self.buttons, self.skip_button, self.rest_button])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        number = event.key() - Qt.Key.Key_1
        if 0 <= number < len(self.buttons):
            self.answer(number)
        else:
            super().keyPressEvent(event)
