"""The page of a run: the table of measures, and below it the questions with their answers."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMenu, QStackedWidget, QWidget

from desktop_app.engine.services.evaluation.judging import CRITERION_TITLES
from desktop_app.engine.services.evaluation.library_evaluations import RunOverview
from desktop_app.engine.services.evaluation.question_pages import QuestionPage
from desktop_app.engine.services.evaluation.summaries import ColumnPair, MeasureRow

from ..theme.theme import Theme
from ..translation import tr, tr_message, trn
from ..widgets import (
    Button,
    ElidedLabel,
    EmptyState,
    Hairline,
    IconButton,
    Label,
    PrimaryButton,
    add_heading,
    build_column,
    build_row,
    build_splitter,
    format_date,
)
from ..widgets.fields import ChoiceBox
from ..widgets.words import format_model
from .answers_panel import AnswersPanel
from .question_list import FILTERS, QuestionList
from .results_table import ResultsTable
from .words import describe_common, describe_outcome, describe_settings, format_columns

MOST_VERDICTS = 3  # lines below the table; an export has all of them
MOST_OF_TABLE = 0.56  # of the height; the answers to a question need as much
LIST_WIDTH = 250


class RunPage(QWidget):
    """Shows one run.

    Signals:
        page_wanted: the number of a question whose answers are to be loaded.
        export_wanted: an ending, such as ".csv".
    """

    place_clicked = Signal(int, int, int)
    page_wanted = Signal(int)
    continue_wanted = Signal()
    reuse_wanted = Signal()
    compare_wanted = Signal()
    judge_wanted = Signal(str)
    export_wanted = Signal(str)
    delete_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.overview: RunOverview | None = None
        self._measure: MeasureRow | None = None
        self._judges: list[tuple[str, str]] = []
        self._can_start = True
        self._build()
        self.table.measure_chosen.connect(self._choose_measure)
        self.list.chosen.connect(self._choose_question)
        self.answers.place_clicked.connect(self.place_clicked)
        self.filter.currentIndexChanged.connect(
            lambda _: self.list.set_filter(str(self.filter.currentData()))
        )

    def _build(self) -> None:
        theme = self._theme
        self.title = ElidedLabel("", "title")
        self.facts = ElidedLabel("", "muted")
        self.continue_button = PrimaryButton(tr("Continue"), theme=theme, icon="play")
        self.reuse_button = Button(
            tr("Use these questions"),
            theme=theme,
            icon="retry",
            tooltip=tr("Ask the questions of this evaluation again, in other columns"),
            icon_alone=True,
        )
        self.compare_button = Button(
            tr("Compare…"),
            theme=theme,
            icon="ph.scales",
            tooltip=tr("Compare two columns, also of an earlier evaluation"),
            icon_alone=True,
        )
        self.more_button = IconButton(theme, "more", tr("More"))
        self.more_button.clicked.connect(self._show_menu)
        self.continue_button.clicked.connect(self.continue_wanted)
        self.reuse_button.clicked.connect(self.reuse_wanted)
        self.compare_button.clicked.connect(self.compare_wanted)
        texts = build_column(self.title, self.facts, spacing=0)
        head = build_row(
            *((texts, 1), self.continue_button, self.reuse_button),
            *(self.compare_button, self.more_button),
            margins=(16, 8, 12, 8),
        )
        self.problem = Label("", "warn", wrap=True)
        self.problem.hide()
        self.table = ResultsTable(theme)
        self.table.setMinimumHeight(96)
        self.outcome = Label("", "strong", wrap=True)
        self.verdict = Label("", "small", wrap=True)
        for label in (self.problem, self.outcome, self.verdict):
            label.setContentsMargins(16, 6, 16, 6)
        upper = QWidget()
        build_column(
            self.problem,
            self.outcome,
            (self.table, 1),
            self.verdict,
            parent=upper,
            spacing=0,
        )
        self.filter = ChoiceBox()
        self.filter.setAccessibleName(tr("Which questions"))
        for key, _ in FILTERS:
            self.filter.addItem("", key)
        self.list = QuestionList(theme)
        left = QWidget()
        self.filter.setMinimumWidth(120)
        build_column(
            build_row((self.filter, 1), margins=(12, 8, 12, 8)),
            (self.list, 1),
            parent=left,
            spacing=0,
        )
        left.setMinimumWidth(160)
        self.answers = AnswersPanel(theme)
        self.nothing = EmptyState(theme, "search", tr("No question fits the filter"))
        self.right = QStackedWidget()
        self.right.addWidget(self.answers)
        self.right.addWidget(self.nothing)
        lower = build_splitter(left, self.right, sizes=(theme.length(LIST_WIDTH), 560))
        self.splitter = build_splitter(upper, lower, orientation=Qt.Orientation.Vertical)
        self._is_arranged = False  # by the user
        self.splitter.splitterMoved.connect(self._note_arranged)
        build_column(head, Hairline(parent=self), (self.splitter, 1), parent=self, spacing=0)
        self.setFocusProxy(self.table)

    def show_run(self, overview: RunOverview) -> None:
        """Show a run, or what was added to the one that is shown."""
        is_same = self.overview is not None and self.overview.run.id == overview.run.id
        self.overview = overview
        run, plan = overview.run, overview.run.plan
        self.title.setText(plan.title or tr("Evaluation {n}", n=run.id))
        n = len(plan.questions)
        parts = [format_date(run.created_at), trn("{n} question", "{n} questions", n)]
        if common := describe_common(plan.columns):
            parts.append(common)
        self.facts.setText(" · ".join(parts))
        self._show_problems()
        self._show_buttons()
        if not is_same:
            self.answers.clear()
        self.table.show_summary(overview.summary, plan.columns)
        outcome = describe_outcome(overview.summary, plan.columns) if run.is_finished else ""
        self.outcome.setText(outcome)
        self.outcome.setVisible(bool(self.outcome.text()))
        self._share_height()
        self.list.show_run(run)
        for place, (key, words) in enumerate(FILTERS):
            self.filter.setItemText(place, tr(words, n=self.list.count(key)))
        if not is_same and self.list.current_number < 0:
            self.filter.setCurrentIndex(0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_height()

    def _note_arranged(self, *_: int) -> None:
        self._is_arranged = True

    def _share_height(self) -> None:
        """Give the table the height that its rows need, unless the user moved the line below."""
        if self._is_arranged or self.overview is None:
            return
        room, labels = self.splitter.height(), (self.problem, self.outcome, self.verdict)
        width = self.splitter.width()
        around = sum(one.heightForWidth(width) for one in labels if not one.isHidden())
        table = min(self.table.whole_height + around, round(room * MOST_OF_TABLE))
        self.splitter.setSizes([table, room - table])

    def show_page(self, page: QuestionPage) -> None:
        """Show the answers to the chosen question."""
        if self.overview is not None and page.number == self.list.current_number:
            self.answers.show_page(page, self.overview.run.plan.columns)

    def set_state(self, *, can_start: bool, judges: list[tuple[str, str]]) -> None:
        """Allow to continue and to judge; `judges` are names and titles of chat models."""
        self._can_start, self._judges = can_start, judges
        self._show_buttons()

    def _show_buttons(self) -> None:
        run = self.overview.run if self.overview is not None else None
        is_open = run is not None and not run.is_finished
        self.continue_button.setVisible(is_open and self._can_start)

    def _show_problems(self) -> None:
        assert self.overview is not None
        failed = [one for one in self.overview.run.results if one.outcome.error]
        self.problem.setVisible(bool(failed))
        if failed:
            count = trn("{n} answer failed", "{n} answers failed", len(failed))
            reason = tr_message(failed[0].outcome.error)
            self.problem.setText(tr("{count}, the first: {reason}", count=count, reason=reason))

    def _choose_measure(self, row: MeasureRow | None) -> None:
        self._measure = row
        self.verdict.setText("\n".join(self._list_verdicts()))
        self.verdict.setVisible(bool(self.verdict.text()))

    def _list_verdicts(self) -> list[str]:
        """Return how sure the differences in the chosen measure are, in one line each."""
        if self.overview is None:
            return []
        columns = self.overview.run.plan.columns
        pairs = self.overview.summary.pairs
        if len(columns) < 2 or self._measure is None:
            return []
        titles, key = format_columns(columns), self._measure.measure.key
        compared = [
            (pair, one) for pair in pairs for one in pair.comparisons if one.measure.key == key
        ]
        lines = [
            tr(
                "{first} against {second}: {verdict}",
                first=titles[pair.first],
                second=titles[pair.second],
                verdict=tr_message(one.verdict),
            )
            for pair, one in sorted(compared, key=lambda found: found[1].p)
            if one.n_better or one.n_worse
        ]
        if compared and not lines:
            lines.append(tr("The columns do not differ in this measure."))
        lines += [line for pair in pairs for line in self._list_judged(pair)]
        left = len(lines) - MOST_VERDICTS
        if left > 0:
            more = trn("and {n} more in an export", "and {n} more in an export", left)
            lines = [*lines[:MOST_VERDICTS], more]
        return lines

    def _list_judged(self, pair: ColumnPair) -> list[str]:
        assert self.overview is not None
        titles = format_columns(self.overview.run.plan.columns)
        return [
            tr(
                "{judge} on {first} against {second}, {criterion}: {verdict}",
                judge=format_model(judged.judge),
                first=titles[pair.first],
                second=titles[pair.second],
                criterion=tr_message(CRITERION_TITLES[rate.criterion]),
                verdict=tr_message(rate.verdict),
            )
            for judged in pair.judged
            for rate in judged.rates
            if rate.criterion == "overall"
        ]

    def _choose_question(self, number: int) -> None:
        self.right.setCurrentWidget(self.nothing if number < 0 else self.answers)
        if number >= 0:
            self.page_wanted.emit(number)

    def _show_menu(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for ending, words in (
            (".csv", tr("Export as a table (CSV)…")),
            (".md", tr("Export for reading (Markdown)…")),
            (".json", tr("Export everything (JSON)…")),
        ):
            menu.addAction(words, partial(self.export_wanted.emit, ending))
        menu.addSeparator()
        self._add_judges(menu)
        menu.addSeparator()
        menu.addAction(
            self._theme.icon("delete"), tr("Delete this evaluation…"), self.delete_wanted
        )
        if self.overview is not None:
            add_heading(menu, describe_settings(self.overview.run.plan), self._theme)
        menu.popup(self.more_button.mapToGlobal(self.more_button.rect().bottomLeft()))

    def _add_judges(self, menu: QMenu) -> None:
        judging = menu.addMenu(tr("Let a model judge the answers"))
        has_answers = self.overview is not None and any(
            one.outcome.has_model and not one.outcome.error for one in self.overview.run.results
        )
        judging.setEnabled(bool(self._judges) and has_answers and self._can_start)
        for name, title in self._judges:
            judging.addAction(title, partial(self.judge_wanted.emit, name))
