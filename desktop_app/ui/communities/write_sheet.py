"""Which reports to write, by whom, and how long that takes; asked before anything begins.

Owns the choices. Reads nothing: it says which plan is wanted and is told the answer.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QRadioButton, QWidget

from desktop_app.engine.themes import CallPlan
from desktop_app.ui.language import tr, trn
from desktop_app.ui.widgets import Button, Label, PrimaryButton, SectionTitle
from desktop_app.ui.widgets.sheet import Sheet

from .words import say_time

WIDTH = 480


class WriteSheet(Sheet):
    """Emits `given` and `plan_wanted` with a level or None, whether again, whether by the model."""

    given = Signal(object, bool, bool)
    plan_wanted = Signal(object, bool, bool)

    def __init__(self, model: str, parent: QWidget | None = None) -> None:
        super().__init__(tr("Write reports"), parent)
        self.add(
            Label(
                tr(
                    "Only what has no report yet, or has changed since, is written. Reports that"
                    " you edited or pinned stay."
                ),
                "muted",
                wrap=True,
            )
        )
        self.add(SectionTitle(tr("By whom")))
        self.by_model = QRadioButton(
            tr("By {model}: title and summary in its words", model=model)
            if model
            else tr("By a model: none is installed")
        )
        self.by_model.setEnabled(bool(model))
        self.plain = QRadioButton(tr("Counted and quoted, without a model: takes seconds"))
        (self.by_model if model else self.plain).setChecked(True)
        self.add(self.by_model)
        self.add(self.plain)
        self.add(SectionTitle(tr("Of which communities")))
        self.depth = QComboBox()
        self.depth.setAccessibleName(tr("Of which communities"))
        self.depth.addItem(tr("All"), None)
        self.add(self.depth)
        self.again = QCheckBox(tr("Also those whose report is as it should be"))
        self.add(self.again)
        self.told = Label(" ", "strong", wrap=True)
        self.add(self.told)
        cancel, self.write_button = Button(tr("Cancel")), PrimaryButton(tr("Write"))
        cancel.clicked.connect(self.reject)
        self.write_button.clicked.connect(self._give)
        self.add_foot([cancel, self.write_button])
        self.fit_content(WIDTH)
        self.write_button.setEnabled(False)
        self.by_model.toggled.connect(lambda _: self._ask())
        self.again.toggled.connect(lambda _: self._ask())
        self.depth.currentIndexChanged.connect(lambda _: self._ask())

    def set_levels(self, levels: Sequence[tuple[int, int]]) -> None:
        """Offer these levels, the coarsest first."""
        self.depth.blockSignals(True)
        self.depth.clear()
        n_all = sum(n for _, n in levels)
        self.depth.addItem(trn("All {n} of them", "All {n} of them", n_all), None)
        n_so_far = 0
        for level, n in levels[:-1]:
            n_so_far += n
            words = (
                trn("The {n} at the top", "The {n} at the top", n_so_far)
                if level == 0
                else trn(
                    "The {n} of the top {levels} levels",
                    "The {n} of the top {levels} levels",
                    n_so_far,
                    levels=level + 1,
                )
            )
            self.depth.addItem(words, level)
        self.depth.blockSignals(False)
        self._ask()

    def show_plan(self, plan: CallPlan) -> None:
        """Say what it comes to."""
        self.write_button.setEnabled(plan.n_reports > 0)
        if not plan.n_reports:
            self.told.setText(tr("There is nothing to write: all reports are as they should be."))
            return
        n = trn("{n} report", "{n} reports", plan.n_reports)
        self.told.setText(tr("{reports}, {time}", reports=n, time=say_time(plan.seconds)))

    def choice(self) -> tuple[int | None, bool, bool]:
        return self.depth.currentData(), self.again.isChecked(), self.by_model.isChecked()

    def _ask(self) -> None:
        self.plan_wanted.emit(*self.choice())

    def _give(self) -> None:
        self.given.emit(*self.choice())
        self.accept()
