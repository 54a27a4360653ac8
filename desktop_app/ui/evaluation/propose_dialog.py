"""The dialog that asks how many questions are to be proposed, and by which model."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from desktop_app.engine.llm.registry import ModelRow
from desktop_app.engine.services.evaluation.proposals import MOST_PROPOSED

from ..theme.theme import Theme
from ..translation import tr
from ..widgets import STRETCH, Button, Label, NumberBox, PrimaryButton, build_row
from ..widgets.fields import ChoiceBox
from ..widgets.sheet import Sheet
from .column_choice import describe_chat_model

USUAL = 20  # with fewer, most differences may be chance (docs/EVALUATION.md)


class ProposeDialog(Sheet):
    """`wanted` carries the number and the name of the chat model, "" for none."""

    wanted = Signal(int, str)

    def __init__(
        self, theme: Theme, models: Sequence[ModelRow], parent: QWidget | None = None
    ) -> None:
        super().__init__(tr("Propose questions"), parent)
        self.add(
            Label(
                tr(
                    "Questions are proposed about passages from all documents, each with the "
                    "place where its answer stands. Read them, and remove or correct poor ones."
                ),
                "muted",
                wrap=True,
            )
        )
        self.number = NumberBox()
        self.number.setRange(1, MOST_PROPOSED)
        self.number.setValue(USUAL)
        self.number.setAccessibleName(tr("Number of questions"))
        self.model = ChoiceBox()
        self.model.setAccessibleName(tr("Written by"))
        self.model.addItem(tr("No model: a name is left out of a sentence"), "")
        for row in models:
            self.model.addItem(describe_chat_model(row), row.name)
        self.model.setSizeAdjustPolicy(
            ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.note = Label("", "small", wrap=True)
        line = QWidget()
        build_row(self.number, STRETCH, parent=line)
        self.add_field(tr("Number of questions"), line)
        self.add_field(tr("Written by"), self.model)
        self.add(self.note)
        cancel, self.propose = Button(tr("Cancel")), PrimaryButton(tr("Propose"))
        cancel.clicked.connect(self.reject)
        self.propose.clicked.connect(self._propose)
        self.add_foot([cancel, self.propose], line=True)
        self.model.currentIndexChanged.connect(lambda _: self._show_note())
        self._width = theme.breadth(480)
        self._show_note()

    def _show_note(self) -> None:
        words = (
            tr(
                "The model needs about a minute for each question, and small models write few that "
                "are kept: an answer has to stand in its passage."
            )
            if self.model.currentData()
            else tr("Each takes a moment, has one answer, and is easy: it has words of its place.")
        )
        self.note.setText(words)
        self.fit_content(self._width)

    def _propose(self) -> None:
        self.accept()
        self.wanted.emit(self.number.value(), str(self.model.currentData()))
