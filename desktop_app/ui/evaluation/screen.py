"""The evaluation screen: which model, mode and settings are good on the user's own documents.

Owns what is loaded and which page is shown. The runner of the session asks the questions; it goes
on while another screen is shown. Requests for other screens are signals.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFileDialog, QStackedWidget, QWidget

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.file_names import make_file_name
from desktop_app.engine.llm.registry import ModelRow
from desktop_app.engine.scheduler import Priority
from desktop_app.engine.services.evaluation.drafts import EvaluationDraft
from desktop_app.engine.services.evaluation.estimates import KnownTimes
from desktop_app.engine.services.evaluation.exporting import export_run
from desktop_app.engine.services.evaluation.library_evaluations import RunOverview
from desktop_app.engine.services.evaluation.model import (
    EvaluationColumn,
    EvaluationPlan,
    EvaluationQuestion,
    RunRow,
    Span,
)
from desktop_app.engine.services.evaluation.proposals import REJECTIONS, Proposals
from desktop_app.engine.services.evaluation.question_files import QuestionFile, load_questions
from desktop_app.engine.services.evaluation.service import EvaluationProgress
from desktop_app.workers.evaluation_runner import JudgeOrder, ProposalOrder, RunOrder, StoredRun
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..messages import describe_error
from ..translation import tr, tr_message, trn
from ..widgets import (
    Button,
    ElidedLabel,
    EmptyState,
    IconButton,
    PrimaryButton,
    Skeleton,
    ToolbarRow,
    add_shortcut,
    build_column,
    build_row,
    build_splitter,
)
from ..widgets.save_dialog import ask_where_to_save
from ..widgets.words import join_sentences
from .column_choice import describe_chat_model
from .compare_page import ComparePage
from .progress_banner import ProgressBanner
from .propose_dialog import USUAL, ProposeDialog
from .run_list import RunList
from .run_page import RunPage
from .setup_page import SetupPage

LIST_WIDTH = 240
NARROW = 760  # pixels, below which only the list or the page is shown
RELOAD_S = 3.0  # while a run goes on, its table is loaded again at most as often


@dataclass(frozen=True, slots=True)
class _Loaded:
    """What the screen shows besides one run; the draft is loaded once."""

    runs: list[RunRow]
    models: list[ModelRow]
    embedder: str
    known: KnownTimes
    draft: EvaluationDraft | None


class EvaluationScreen(QWidget):
    """Shows the next evaluation and those of before; `open_passage` opens a place in the reader."""

    open_passage = Signal(int, int, int)

    def __init__(self, context: SessionContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._evaluations, self._runner = context.evaluations, context.evaluation_runner
        self._is_stale, self._is_loading = True, False
        self._has_draft = False
        self._rows: list[RunRow] = []
        self._wanted_run = 0  # the run that is shown or loaded, 0 for the next one
        self._running_run, self._n_wanted = 0, 0
        self._loaded_at = 0.0
        self._problem = ""
        self._was_narrow = False
        self.setObjectName("screenBody")
        self.setMinimumSize(320, 240)
        self._build()
        self._connect()

    def _build(self) -> None:
        theme = self._context.theme
        bar = ToolbarRow(tr("Evaluation"))
        self.list_button = IconButton(theme, "sidebar", tr("All evaluations"))
        self.list_button.hide()
        bar.row.insertWidget(0, self.list_button)
        self.purpose = ElidedLabel(
            tr("Which mode and model answer your own questions best"), "muted"
        )
        self.new_button = Button(tr("New evaluation"), theme=theme, icon="add")
        bar.add(self.purpose, 1)
        bar.add(self.new_button)
        self.banner = ProgressBanner(theme)
        self.list = RunList(theme)
        self.setup = SetupPage(theme)
        self.run_page = RunPage(theme)
        self.compare = ComparePage(theme)
        self.pages = QStackedWidget()
        self.pages.setMinimumWidth(300)
        for page in (self.setup, self.run_page, self.compare):
            self.pages.addWidget(page)
        self.splitter = build_splitter(self.list, self.pages, sizes=(LIST_WIDTH, 780))
        self.list.setMinimumWidth(140)
        propose = PrimaryButton(
            trn("Propose {n} question", "Propose {n} questions", USUAL),
            theme=theme,
            icon="ph.magic-wand",
            icon_alone=True,
        )
        propose.setToolTip(tr("Made of sentences of your documents, without a chat model"))
        write = Button(tr("Write questions"), theme=theme, icon="add", icon_alone=True)
        file = Button(tr("Open a file…"), theme=theme, icon="ph.file-arrow-up", icon_alone=True)
        self.propose_first = propose
        propose.clicked.connect(lambda: self._propose(USUAL, ""))
        write.clicked.connect(self.add_question)
        file.clicked.connect(self.choose_file)
        self.empty = EmptyState(
            theme,
            "ph.exam",
            tr("Which search and which model are good on your documents?"),
            tr(
                "Questions with known answers are asked in several ways; you see which one finds "
                "the right places and gives the right answers. Begin with proposed questions, "
                "then click “Run”: both take about a minute and need no chat model."
            ),
            [file, write, propose],
        )
        self.skeleton = Skeleton(theme, row_height=50)
        self.stack = QStackedWidget()
        for whole in (self.skeleton, self.splitter, self.empty):
            self.stack.addWidget(whole)
        holder = build_row(self.banner, margins=(12, 8, 12, 8))
        self._banner_row = QWidget()
        self._banner_row.setLayout(holder)
        self._banner_row.hide()
        build_column(bar, self._banner_row, (self.stack, 1), parent=self, spacing=0)
        self.setFocusProxy(self.list)

    def _connect(self) -> None:
        runner, setup, page = self._runner, self.setup, self.run_page
        self.new_button.clicked.connect(self.show_new)
        self.list_button.clicked.connect(lambda: self._want_list(self.list.isHidden()))
        self.list.chosen.connect(self._choose_run)
        setup.draft_changed.connect(self._save_draft)
        setup.start_wanted.connect(self._start)
        setup.open_wanted.connect(self.choose_file)
        setup.propose_wanted.connect(lambda: self.ask_what_to_propose())
        setup.place_wanted.connect(self._find_place)
        setup.removed.connect(self._offer_undo)
        page.place_clicked.connect(self.open_passage)
        page.page_wanted.connect(self._load_page)
        page.continue_wanted.connect(self._continue_shown)
        page.reuse_wanted.connect(self._reuse_questions)
        page.compare_wanted.connect(self.show_comparison)
        page.judge_wanted.connect(self._judge)
        page.export_wanted.connect(self.choose_export)
        page.delete_wanted.connect(lambda: self.confirm_delete())
        self.compare.wanted.connect(self._load_comparison)
        self.compare.back.connect(lambda: self._choose_run(self.list.current_id))
        self.banner.pause_wanted.connect(runner.pause)
        self.banner.resume_wanted.connect(self._resume)
        self.banner.stop_wanted.connect(self._stop)
        runner.progressed.connect(self._take_progress)
        runner.state_changed.connect(lambda _: self._show_work())
        runner.stored.connect(self._take_stored)
        runner.proposed.connect(
            lambda question: self.setup.add_questions([question], tr("Proposed questions"))
        )
        runner.proposals_ended.connect(self._show_proposals)
        runner.failed.connect(self._fail)
        self._context.hub.changed.connect(self._on_change)
        add_shortcut(self, "F5", self._start_or_continue, tr("Start or continue the evaluation"))
        add_shortcut(self.list, "Del", lambda: self.confirm_delete(), tr("Delete the evaluation"))

    # --- loading ----------------------------------------------------------------------------------

    def prepare(self) -> Iterator[None]:
        """Load the runs and the draft before the screen is shown."""
        if self._is_stale and not self.isVisible():
            self.refresh()
            yield

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_stale:
            self.refresh()
        self._show_work()

    def hideEvent(self, event: QHideEvent) -> None:
        """Store what was typed last, also when the window closes."""
        super().hideEvent(event)
        self.save_changes()

    def save_changes(self) -> None:
        """Store what was typed in the last second."""
        self.setup.save_changes()

    def _on_change(self, change: ChangeNotice) -> None:
        if change.models or change.documents:
            self._is_stale = True
            if self.isVisible():
                self.refresh()

    def refresh(self) -> None:
        """Load the runs, the models and, the first time, the draft."""
        if self._is_loading:
            self._is_stale = True
            return
        self._is_loading, self._is_stale = True, False
        if not self._has_draft:
            self.stack.setCurrentWidget(self.skeleton)
            self.skeleton.start()
        evaluations, models = self._evaluations, self._context.library_models
        needs_draft = not self._has_draft

        def load() -> _Loaded:
            return _Loaded(
                evaluations.list_runs(),
                list_askable(models.list_models()),
                models.embedding_name(),
                evaluations.load_known_times(),
                evaluations.load_draft() if needs_draft else None,
            )

        query = Query(self._context.evaluation_lane, load, owner=self)
        query.on_success(self._show_loaded).on_end(self._end_loading).run()

    def _end_loading(self) -> None:
        self._is_loading = False
        self.skeleton.stop()
        if self._is_stale and self.isVisible():
            self.refresh()

    def _show_loaded(self, found: _Loaded) -> None:
        is_first = not self._has_draft
        self._rows = found.runs
        if found.draft is not None and is_first:
            self._has_draft = True
            self.setup.show_draft(found.draft)
        self.setup.show_known_times(found.known)
        self.setup.offer_to_ask_again(bool(found.runs))
        self.setup.show_models(found.models, found.embedder)
        self.list.show_runs(found.runs)
        self._want_list(not self.list.isHidden())
        self._show_work()
        if is_first and found.runs and not self.setup.questions:
            self._wanted_run = found.runs[0].id  # nothing was begun, so show what is there
        self._show_run(self._wanted_run if self._find_row(self._wanted_run) else 0)

    def _show_run(self, run_id: int) -> None:
        """Show a run or the next one, and mark it in the list."""
        self._wanted_run = run_id
        self.list.blockSignals(True)
        self.list.mark(run_id)
        self.list.blockSignals(False)
        self._choose_run(run_id)

    def _choose_run(self, run_id: int) -> None:
        self._wanted_run = run_id
        is_empty = not self._rows and not self.setup.questions and self._runner.state == "idle"
        is_typing = self.setup.table.questions.rowCount() > 0
        is_empty = is_empty and not is_typing
        self.stack.setCurrentWidget(self.empty if is_empty else self.splitter)
        self.setFocusProxy(self.propose_first if is_empty else self._find_first_list())
        self.new_button.setVisible(run_id > 0)
        if run_id:
            self._load_run(run_id)
        else:
            self.pages.setCurrentWidget(self.setup)
        if self._was_narrow:
            self._want_list(False)

    def _find_first_list(self) -> QWidget:
        """Return what the keyboard begins with: the evaluations, or the questions of the first."""
        return self.setup.table if self.list.isHidden() else self.list

    def _load_run(self, run_id: int) -> None:
        self._loaded_at = time.monotonic()

        def show(overview: RunOverview) -> None:
            if self._wanted_run == run_id:
                self.run_page.show_run(overview)
                if self.pages.currentWidget() is not self.compare:
                    self.pages.setCurrentWidget(self.run_page)

        def fail(error: BaseException) -> None:
            if self._wanted_run == run_id:  # it was deleted elsewhere
                self._context.messages.show_error(error)
                self.show_new()

        if self.pages.currentWidget() is self.compare:
            self.pages.setCurrentWidget(self.run_page)
        query = Query(self._context.evaluation_lane, self._evaluations.load, run_id, owner=self)
        query.on_success(show).on_error(fail).run()

    def _load_page(self, number: int) -> None:
        overview = self.run_page.overview
        if overview is not None:
            load = self._evaluations.load_page
            query = Query(self._context.evaluation_lane, load, overview.run, number, owner=self)
            query.on_success(self.run_page.show_page).run()

    def _find_row(self, run_id: int) -> RunRow | None:
        return next((row for row in self._rows if row.id == run_id), None)

    # --- the next evaluation ----------------------------------------------------------------------

    def show_new(self) -> None:
        """Show the page of the next evaluation."""
        self._show_run(0)

    def add_question(self) -> None:
        """Begin to type a question."""
        self.stack.setCurrentWidget(self.splitter)
        self.pages.setCurrentWidget(self.setup)
        self.setup.table.add_empty()

    def choose_file(self) -> None:
        """Ask for a file of questions and open it."""
        kinds = tr("Questions (*.jsonl *.json *.ndjson *.csv *.tsv *.txt);;All files (*)")
        path, _ = QFileDialog.getOpenFileName(self, tr("Open a file of questions"), "", kinds)
        if path:
            self.open_file(Path(path))

    def open_file(self, path: Path) -> None:
        """Add the questions of a file to the next evaluation."""

        def show(file: QuestionFile) -> None:
            before = len(self.setup.questions)
            self.setup.add_questions(file.questions, path.name)
            self.show_new()
            n = len(self.setup.questions) - before
            words = trn("{n} question was added.", "{n} questions were added.", n)
            notes = [tr_message(note) for note in file.notes]
            self._context.messages.show(
                join_sentences([words, *notes]), kind="warn" if notes else "ok"
            )

        query = Query(self._context.evaluation_lane, load_questions, path, owner=self)
        query.on_success(show).run()

    def ask_what_to_propose(self) -> ProposeDialog:
        """Show the dialog that asks for the number of questions and the model."""
        dialog = ProposeDialog(self._context.theme, self.setup.choice.list_usable(), self.window())
        dialog.wanted.connect(self._propose)
        dialog.open()
        return dialog

    def _propose(self, n: int, model: str) -> None:
        if self._is_free():
            self.show_new()
            self.stack.setCurrentWidget(self.splitter)
            self._n_wanted = n
            self._runner.start(ProposalOrder(n, model))

    def _show_proposals(self, found: Proposals) -> None:
        words = trn("{n} question was proposed.", "{n} questions were proposed.",
                    len(found.questions))  # fmt: skip
        reasons = [
            tr("{n} not kept: {reason}.", n=n, reason=tr_message(REJECTIONS[key]))
            for key, n in sorted(found.rejected.items())
            if len(found.questions) < self._n_wanted
        ]
        advice = tr("Read them, and remove poor ones.") if found.questions else ""
        kind = "ok" if found.questions else "warn"
        text = join_sentences([part for part in (words, *reasons, advice) if part])
        self._context.messages.show(text, kind=kind)
        if not found.questions:
            self._choose_run(self._wanted_run)  # perhaps nothing is there at all

    def _save_draft(self, draft: EvaluationDraft) -> None:
        if self._evaluations.is_writable and self._has_draft:
            save = self._evaluations.save_draft
            Query(self._context.writer_lane, save, draft, owner=self).run()

    def _offer_undo(self, gone: list[tuple[int, EvaluationQuestion]]) -> None:
        self._context.messages.show(
            trn("{n} question was removed.", "{n} questions were removed.", len(gone)),
            action_text=tr("Undo"),
            action=lambda: self.setup.table.questions.put_back(gone),
        )

    def _find_place(self, question: EvaluationQuestion) -> None:
        """Open the place where the answer of a question stands."""

        def show(places: tuple[Span, ...]) -> None:
            if places:
                self.open_passage.emit(places[0].document_id, places[0].start, places[0].end)
            else:
                self._context.messages.show(
                    tr("This evidence stands nowhere word for word; its words are looked for."),
                    kind="warn",
                )

        find = self._evaluations.find_evidence
        query = Query(self._context.evaluation_lane, find, question, owner=self)
        query.on_success(show).run()

    # --- running ----------------------------------------------------------------------------------

    def _is_free(self) -> bool:
        """Return whether something can be started, and say so if not."""
        if self._runner.state == "idle":
            return True
        self._context.messages.show(tr("Another evaluation is running or paused."), kind="warn")
        return False

    def _start(self, plan: EvaluationPlan, again: bool) -> None:
        if self._is_free():
            self._problem, self._running_run = "", 0
            self.setup.save()
            self._runner.start(RunOrder(plan, again))

    def _start_or_continue(self) -> None:
        if self._runner.state == "paused":
            self._resume()
        elif self.pages.currentWidget() is self.setup:
            self.setup.start()
        else:
            self._continue_shown()

    def _continue_shown(self) -> None:
        """Continue the run that is shown, perhaps of an earlier start of the program."""
        overview = self.run_page.overview
        if overview is not None and not overview.run.is_finished:
            self._start(overview.run.plan, False)

    def _reuse_questions(self) -> None:
        """Take the questions of the run that is shown for the next one."""
        overview = self.run_page.overview
        if overview is not None:
            self.setup.add_questions(overview.run.plan.questions, overview.run.plan.title)
            self.show_new()

    def _judge(self, name: str) -> None:
        overview = self.run_page.overview
        if overview is not None and self._is_free():
            self._problem = ""
            self._runner.start(JudgeOrder(int(overview.run.id), name))

    def _resume(self) -> None:
        self._problem = ""
        self._runner.resume()

    def _stop(self) -> None:
        self._problem = ""
        self._runner.stop()
        self._show_work()

    def _take_progress(self, progress: object) -> None:
        self._show_work()
        if not isinstance(progress, EvaluationProgress) or not self.isVisible():
            return
        if progress.run_id != self._running_run:  # it is stored now
            self._running_run = self._wanted_run = progress.run_id
            self.refresh()
        elif (
            self._wanted_run == progress.run_id
            and self.pages.currentWidget() is self.run_page
            and time.monotonic() - self._loaded_at > RELOAD_S
        ):
            self._load_run(progress.run_id)

    def _take_stored(self, stored: StoredRun) -> None:
        """Show what was asked or judged."""
        self._wanted_run = stored.run_id
        self.refresh()
        notes = [tr_message(note) for note in stored.notes]
        if stored.is_finished:
            words = join_sentences([tr("The evaluation is finished."), *notes])
            self._context.messages.show(words, kind="warn" if notes else "ok")
        elif notes:
            self._context.messages.show(join_sentences(notes), kind="warn")

    def _fail(self, error: BaseException) -> None:
        self._problem = describe_error(error)
        self._context.messages.show_error(error)
        if isinstance(self._runner.order, ProposalOrder):
            self._stop()
        self.refresh()

    def show_blocker(self) -> None:
        """Show what more urgent work the questions wait for, if any."""
        if self._runner.state == "running":
            self._show_work()

    def _show_work(self) -> None:
        state, order = self._runner.state, self._runner.order
        columns: tuple[EvaluationColumn, ...] = ()
        if isinstance(order, RunOrder):
            columns = order.plan.columns
        elif self.run_page.overview is not None:
            columns = self.run_page.overview.run.plan.columns
        problem = self._problem if order is not None else ""
        blocker = self._context.scheduler.find_blocker(Priority.ENRICHMENT)
        self.banner.show_work(
            state, self._runner.progress, columns, problem=problem, blocker=blocker
        )
        self._banner_row.setVisible(state != "idle" or bool(problem))
        can_start = state == "idle" and self._evaluations.is_writable
        self.setup.set_state(is_writable=self._evaluations.is_writable, is_busy=state != "idle")
        judges = [(row.name, describe_chat_model(row)) for row in self.setup.choice.list_usable()]
        self.run_page.set_state(can_start=can_start, judges=judges)

    # --- earlier evaluations ----------------------------------------------------------------------

    def show_comparison(self) -> None:
        """Show two columns against each other, first those of the run that is shown."""
        self.pages.setCurrentWidget(self.compare)
        self.compare.show_runs(self._rows, self._wanted_run)

    def _load_comparison(self, run_id: int, first: int, other_id: int, second: int) -> None:
        compare, places = self._evaluations.compare, (run_id, first, other_id, second)
        query = Query(self._context.evaluation_lane, compare, *places, owner=self)
        query.on_success(self.compare.show_comparison)
        query.on_error(lambda error: self.compare.show_problem(describe_error(error))).run()

    def choose_export(self, ending: str) -> None:
        """Ask for a place and write the run that is shown."""
        overview = self.run_page.overview
        if overview is None:
            return
        name = make_file_name(Path(overview.run.plan.title).stem, "evaluation")
        title = tr("Export the evaluation")
        if path := ask_where_to_save(self, title, f"{name}{ending}", f"*{ending}"):
            self.export_to(path)

    def export_to(self, path: Path) -> None:
        """Write the run that is shown in the format that the ending names."""
        overview = self.run_page.overview
        if overview is None:
            return
        words = tr("Written to “{file}”.", file=path.name)
        query = Query(self._context.evaluation_lane, export_run, overview.run, path, owner=self)
        query.on_success(lambda _: self._context.messages.show(words, kind="ok")).run()

    def confirm_delete(self) -> None:
        """Ask whether the chosen run is to be deleted, which can't be undone."""
        row = self._find_row(self._wanted_run)
        if row is None:
            return
        if row.id == self._running_run and self._runner.state != "idle":
            self._context.messages.show(tr("Stop the evaluation before you delete it."))
            return
        self._context.messages.show(
            tr(
                "Delete the evaluation “{title}” with its answers? This can't be undone.",
                title=row.title,
            ),
            kind="warn",
            action_text=tr("Delete"),
            action=lambda: self._delete(int(row.id)),
        )

    def _delete(self, run_id: int) -> None:
        def done(_: object) -> None:
            if self._wanted_run == run_id:
                self._wanted_run = next((r.id for r in self._rows if r.id != run_id), 0)
            self.refresh()

        delete = self._evaluations.delete
        Query(self._context.writer_lane, delete, run_id, owner=self).on_success(done).run()

    # --- narrow windows ---------------------------------------------------------------------------

    def _is_narrow(self) -> bool:
        return self.width() < self._context.theme.length(NARROW)

    def _want_list(self, wanted: bool) -> None:
        """Show the list or the page if there is room for only one of them."""
        narrow, has_runs = self._is_narrow(), bool(self._rows)
        wanted = wanted and has_runs
        self.list_button.setVisible(narrow and has_runs)
        # a list of the next evaluation alone says nothing
        self.list.setVisible(wanted or (has_runs and not narrow))
        self.pages.setVisible(not (wanted and narrow))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self._is_narrow()
        if narrow != self._was_narrow:
            self._was_narrow = narrow
            self._want_list(False)


def list_askable(rows: Sequence[ModelRow]) -> list[ModelRow]:
    """Return the chat models that can be asked: installed, or on a server that is turned on."""
    return [row for row in rows if row.role == "chat" and (row.path is not None or row.active)]
