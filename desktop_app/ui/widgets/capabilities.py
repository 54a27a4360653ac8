"""What a chat model can do: the table of a result, and the check of a model with its progress.

Knows no models: who shows it says which one is checked, and runs the check.
"""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from desktop_app.engine.durations import format_seconds
from desktop_app.engine.progress import Progress
from desktop_app.engine.services.capability_results import (
    ModelCapabilities,
    describe_use,
    list_measures,
)

from ..translation import later, tr, tr_message, trn
from .buttons import Button
from .labels import Label
from .layout import STRETCH, FactGrid, build_column, build_row
from .states import ProgressLine
from .words import format_date, join_sentences, plain_tip

ABOUT_CHECK = later("Asks some questions about two short texts; two minutes at most")


def name_check(found: ModelCapabilities | None) -> str:
    """Return the text of the button that checks a model, by the last result."""
    return tr("What can this model do?") if found is None else tr("Check again what it can do")


def describe_question(progress: Progress) -> tuple[float | None, str]:
    """Return the share of the check that is done, None while the model is loaded, and the text."""
    question = getattr(progress, "question", "")
    if not question:
        return None, tr("Loading the model…")
    words = tr(
        "Question {n} of {total}: {question}",
        n=progress.done + 1,
        total=progress.total,
        question=question,
    )
    return progress.done / max(1, progress.total), words


class CapabilityTable(QWidget):
    """What a chat model did in the check of its capabilities, and what that means."""

    def __init__(self) -> None:
        super().__init__()
        self.use = Label("", wrap=True)
        self.facts = FactGrid()
        self.origin = Label("", "small", wrap=True)
        build_column(self.use, self.facts, self.origin, parent=self, spacing=4)
        self.hide()

    def show_result(self, found: ModelCapabilities | None) -> None:
        """Show a result; hide the table where there is none."""
        self.setVisible(found is not None)
        if found is None:
            return
        self.use.setText(join_sentences([tr_message(one) for one in describe_use(found)]))
        self.facts.set_facts(
            [(tr_message(title), tr_message(result)) for title, result in list_measures(found)]
        )
        for name, tip in explain_measures().items():
            for label, _ in self.facts.rows:
                if label.text() == name:
                    label.setToolTip(plain_tip(tip))
        self.origin.setText(
            " · ".join(
                (
                    tr(
                        "Checked on {date} with Inkgraph {version}",
                        date=format_date(found.checked_at),
                        version=found.version,
                    ),
                    trn("{n} question", "{n} questions", found.n_asked),
                    tr_message(format_seconds(found.seconds)),
                )
            )
        )


def explain_measures() -> dict[str, str]:
    """Return what each measure of the check counts, by its title."""
    return {
        tr("Citations"): tr(
            "Written answers in which every sentence has the number of a passage that exists"
        ),
        tr("Not in the documents"): tr(
            "Questions without an answer in the passages, for which the model makes none up"
        ),
        tr("English"): tr("Right answers from English passages"),
        tr("Chinese"): tr("Right answers from Chinese passages, in Chinese"),
        tr("Speed"): tr("A token is a short word or a part of one."),
    }


class CapabilityCheck(QWidget):
    """The button that checks a model, the progress with "Stop", and the table of the result."""

    check_wanted = Signal()
    stop_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.button, self.stop_button = Button(name_check(None)), Button(tr("Stop"))
        self.button.setToolTip(tr(ABOUT_CHECK))
        self.line, self.progress_text = ProgressLine(), Label("", "small", wrap=True)
        self.table = CapabilityTable()
        self._progress = QWidget()
        build_column(
            build_row((self.progress_text, 1), self.stop_button, spacing=8),
            self.line,
            parent=self._progress,
            spacing=4,
        )
        build_column(
            *(build_row(self.button, STRETCH, spacing=0), self._progress, self.table),
            parent=self,
            spacing=8,
            margins=(0, 8, 0, 0),
        )
        self.button.clicked.connect(self.check_wanted)
        self.stop_button.clicked.connect(self.stop_wanted)
        self.show_progress(None)

    def show_progress(self, progress: Progress | None) -> None:
        """Show which question is asked; None if no check runs."""
        self.button.setVisible(progress is None)
        self._progress.setVisible(progress is not None)
        if progress is not None:
            share, words = describe_question(progress)
            self.line.set_share(share)
            self.progress_text.setText(words)

    def show_result(self, found: ModelCapabilities | None) -> None:
        """Show the last result, None if there is none."""
        self.table.show_result(found)
        self.button.setText(name_check(found))
