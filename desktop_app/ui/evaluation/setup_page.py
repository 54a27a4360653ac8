"""The page of the next evaluation: its questions, what is compared, how long it will take.

Owns what is shown of the draft. Asks nothing itself: it emits requests.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from desktop_app.engine.durations import format_estimate
from desktop_app.engine.llm.registry import ModelRow
from desktop_app.engine.services.evaluation.drafts import EvaluationDraft
from desktop_app.engine.services.evaluation.estimates import (
    KnownTimes,
    TimeEstimate,
    estimate_time,
)
from desktop_app.engine.services.evaluation.model import (
    PROMPT_TOKENS,
    EvaluationPlan,
    EvaluationQuestion,
)
from desktop_app.engine.services.evaluation.service import list_versions

from ..theme.theme import Theme
from ..translation import tr, tr_message, trn
from ..widgets import (
    Button,
    CheckBox,
    ElidedLabel,
    Hairline,
    Label,
    PrimaryButton,
    build_column,
    build_row,
    join_words,
    scroll_area,
)
from ..widgets.layout import settle_scrolled
from ..widgets.save_timer import SaveTimer
from ..widgets.words import format_model
from .column_choice import ColumnChoice
from .question_table import QuestionTable

SAVE_MS = 700
LEAST_ROWS = 6  # of the table, with its heading
ROW = 32


class SetupPage(QWidget):
    """Questions and columns of the next run.

    Signals:
        draft_changed: the `EvaluationDraft`, within a second of a change.
        start_wanted: an `EvaluationPlan`, and whether everything is asked anew.
        place_wanted: an `EvaluationQuestion` whose evidence is to be opened.
    """

    draft_changed = Signal(object)
    start_wanted = Signal(object, bool)
    open_wanted = Signal()
    propose_wanted = Signal()
    place_wanted = Signal(object)
    removed = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._title = ""
        self._models: tuple[str, ...] | None = None
        self._known: KnownTimes = {}
        self._embedder = ""
        self._is_writable, self._is_busy = True, False
        self._saver = SaveTimer(self, SAVE_MS)
        self._saver.timeout.connect(self.save)
        self._build()
        self.table.questions.edited.connect(self._edited)
        self.choice.changed.connect(self._choose)
        self.table.place_wanted.connect(self.place_wanted)
        self.table.removed.connect(self.removed)
        self._show_state()

    def _build(self) -> None:
        theme = self._theme
        self.heading = Label(tr("Questions"), "title")
        self.count = ElidedLabel("", "muted")
        self.add_button = Button(tr("Add a question"), theme=theme, icon="add", icon_alone=True)
        self.propose_button = Button(
            tr("Propose…"),
            theme=theme,
            icon="ph.magic-wand",
            tooltip=tr("Let questions be written about passages of this library"),
            icon_alone=True,
        )
        self.open_button = Button(
            tr("Open a file…"),
            theme=theme,
            icon="ph.file-arrow-up",
            tooltip=tr("JSONL, JSON, CSV or text; also those of GraphRAG-Bench and LightRAG"),
            icon_alone=True,
        )
        self.clear_button = Button(
            tr("Remove all"), kind="quiet", theme=theme, icon="delete", icon_alone=True
        )
        self.table = QuestionTable(theme)
        self.choice = ColumnChoice()
        self.estimate = Label("", "muted", wrap=True)
        self.again = CheckBox(tr("Ask everything anew"))
        self.again.setToolTip(
            tr("Otherwise the same question is not asked again with the same settings and library.")
        )
        self.start_button = PrimaryButton(tr("Run"), theme=theme, icon="play")
        self.add_button.clicked.connect(self.table.add_empty)
        self.open_button.clicked.connect(self.open_wanted)
        self.propose_button.clicked.connect(self.propose_wanted)
        self.clear_button.clicked.connect(self._clear)
        self.start_button.clicked.connect(self.start)
        body = QWidget()
        body.setObjectName("screenBody")
        head = build_row(
            *(self.heading, (self.count, 1), self.clear_button),
            *(self.open_button, self.propose_button, self.add_button),
        )
        compare = Label(tr("What is compared"), "title")
        build_column(
            *(head, (self.table, 1), 4, compare, self.choice),
            parent=body,
            margins=(16, 12, 16, 12),
        )
        foot = build_row((self.estimate, 1), self.again, self.start_button, margins=(16, 8, 12, 8))
        area = scroll_area(body)
        build_column((area, 1), Hairline(parent=self), foot, parent=self, spacing=0)

        def show_more() -> None:
            settle_scrolled(area)
            area.ensureWidgetVisible(self.choice.more)

        self.choice.unfolded.connect(show_more)
        self._theme.changed.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        self.table.setMinimumHeight(self._theme.length(LEAST_ROWS * ROW))

    # --- the draft --------------------------------------------------------------------------------

    def show_draft(self, draft: EvaluationDraft) -> None:
        """Show what was stored; what is typed already stays."""
        self._title, self._models = draft.title, draft.models
        if not self.table.questions.questions:
            self.table.questions.set_questions(draft.questions)
        self.choice.show_choice(draft.modes, draft.n_tokens)
        self._show_state()

    @property
    def draft(self) -> EvaluationDraft:
        return EvaluationDraft(
            self.table.questions.questions,
            self._title,
            self.choice.chosen_modes,
            self._models,
            self.choice.n_tokens,
        )

    @property
    def questions(self) -> tuple[EvaluationQuestion, ...]:
        return self.table.questions.questions

    def save(self) -> None:
        """Emit the draft now."""
        self._saver.stop()
        self.draft_changed.emit(self.draft)

    def save_changes(self) -> None:
        """Emit the draft if it was changed since; for the end of the program."""
        if self._saver.isActive():
            self.save()

    def add_questions(self, questions: Sequence[EvaluationQuestion], title: str = "") -> None:
        """Append questions of a file, or proposed ones."""
        if title and not self._title:
            self._title = title
        self.table.questions.add(*questions)

    def show_models(self, rows: Sequence[ModelRow], embedder: str) -> None:
        """Show the chat models; `embedder` is the model for search by meaning, or ""."""
        self._embedder = embedder
        self.choice.show_models(rows, self._models)
        self._show_state()

    def offer_to_ask_again(self, offered: bool) -> None:
        """Show the choice to ask everything anew, once something was asked."""
        self.again.setVisible(offered)

    def show_known_times(self, known: KnownTimes) -> None:
        """Take the times of earlier answers for the estimate."""
        self._known = known
        self._show_state()

    def set_state(self, *, is_writable: bool, is_busy: bool) -> None:
        """Allow to start, or not: another evaluation runs, or the library can't be written."""
        self._is_writable, self._is_busy = is_writable, is_busy
        self._show_state()

    # --- starting ---------------------------------------------------------------------------------

    def build_plan(self) -> EvaluationPlan:
        """Return what is to be asked."""
        n_tokens = self.choice.n_tokens
        settings = {} if n_tokens == PROMPT_TOKENS else {"max_total_tokens": n_tokens}
        versions = list_versions(self.choice.list_rows(), self._embedder)
        title = self._title or tr("Typed questions")
        return EvaluationPlan(self.questions, self.choice.list_columns(), settings, versions, title)

    def start(self) -> None:
        """Request a run, unless something is missing."""
        if self.start_button.isEnabled():
            self.start_wanted.emit(self.build_plan(), self.again.isChecked())
            self.again.setChecked(False)

    def _clear(self) -> None:
        self._title = ""
        model = self.table.questions
        if model.rowCount():
            self.removed.emit(model.remove(range(model.rowCount())))

    def _edited(self) -> None:
        self._saver.begin()
        self._show_state()

    def _choose(self) -> None:
        self._models = self.choice.chosen_models
        self._edited()

    def _show_state(self) -> None:
        n = len(self.questions)
        n_open = sum(
            one.is_answerable and not (one.answers or one.evidence) for one in self.questions
        )
        parts = [trn("{n} question", "{n} questions", n)] if n else []
        if n_open:
            parts.append(trn("{n} without an answer", "{n} without an answer", n_open))
        self.count.setText(" · ".join(parts))
        self.clear_button.setVisible(n > 0)
        problem = self._find_problem(n)
        self.start_button.setEnabled(not problem)
        if problem:
            self.estimate.setText(problem)
            return
        columns = self.choice.list_columns()
        found = estimate_time(columns, n, self._known, self.choice.sizes)
        self.estimate.setText(describe_estimate(found, n, len(columns)))

    def _find_problem(self, n: int) -> str:
        """Return what is missing before questions can be asked, "" for nothing."""
        if not self._is_writable:
            return tr("This library can't be written, so no evaluation can be kept in it.")
        if self._is_busy:
            return tr("Another evaluation is running or paused.")
        if not n:
            return tr("Add questions first: type them, open a file, or let some be proposed.")
        if not self.choice.list_columns():
            return tr("Choose one or more modes and models.")
        return ""


def describe_estimate(found: TimeEstimate, n_questions: int, n_columns: int) -> str:
    """Return how many answers are asked for and how long that takes."""
    questions = trn("{n} question", "{n} questions", n_questions)
    columns = trn("{n} column", "{n} columns", n_columns)
    work = tr("{questions} in {columns}", questions=questions, columns=columns)
    if found.unknown:
        names = join_words([format_model(name) for name in found.unknown])
        return tr("{work}; how fast {models} is will be seen.", work=work, models=names)
    duration = tr_message(format_estimate(found.seconds))
    if found.is_measured:
        return tr("{work}: {duration}, as earlier answers took.", work=work, duration=duration)
    return tr("{work}: {duration} (estimate).", work=work, duration=duration)
