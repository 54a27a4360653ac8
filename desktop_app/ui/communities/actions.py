"""Commands for a community: ask, show in the graph, pin, edit, compare, write its report again.

Owns the texts of questions and messages, and the lane of each command. The screen chooses the
community.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QDialog, QMenu, QRadioButton, QWidget

from desktop_app.engine.model import CallPlan, CommunityCard, CommunityRow, Finding
from desktop_app.engine.scripts import has_han
from desktop_app.workers.operations import Query
from desktop_app.workers.report_job import ReportOrder

from ..context import SessionContext
from ..editing.edits import EditRunner
from ..language import later, tr, trn
from ..widgets import Button, Label, PrimaryButton, SectionTitle
from ..widgets.sheet import Sheet
from .community_tree import CommunityTree
from .compare_dialog import CompareCommunitiesDialog
from .edit_dialog import EditReportDialog
from .words import format_duration, get_title

WIDTH = 480


class WriteReportsDialog(Sheet):
    """Asks which reports to write; emits `given` and `plan_wanted` with the options.

    The options are a level (None for all), whether to write again, and whether to use the model.
    """

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
        self.level_box = QComboBox()
        self.level_box.setAccessibleName(tr("Of which communities"))
        self.level_box.addItem(tr("All"), None)
        self.add(self.level_box)
        self.again = QCheckBox(tr("Also those whose report is as it should be"))
        self.add(self.again)
        self.summary = Label(" ", "strong", wrap=True)
        self.add(self.summary)
        cancel, self.write_button = Button(tr("Cancel")), PrimaryButton(tr("Write"))
        cancel.clicked.connect(self.reject)
        self.write_button.clicked.connect(self._give)
        self.add_foot([cancel, self.write_button])
        self.fit_content(WIDTH)
        self.write_button.setEnabled(False)
        self.by_model.toggled.connect(lambda _: self._ask())
        self.again.toggled.connect(lambda _: self._ask())
        self.level_box.currentIndexChanged.connect(lambda _: self._ask())

    def set_levels(self, levels: Sequence[tuple[int, int]]) -> None:
        """Offer these levels, the coarsest first."""
        self.level_box.blockSignals(True)
        self.level_box.clear()
        n_all = sum(n for _, n in levels)
        self.level_box.addItem(trn("All {n} of them", "All {n} of them", n_all), None)
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
            self.level_box.addItem(words, level)
        self.level_box.blockSignals(False)
        self._ask()

    def show_plan(self, plan: CallPlan) -> None:
        """Show the number of reports and the estimated time."""
        self.write_button.setEnabled(plan.n_reports > 0)
        if not plan.n_reports:
            self.summary.setText(
                tr("There is nothing to write: all reports are as they should be.")
            )
            return
        n = trn("{n} report", "{n} reports", plan.n_reports)
        self.summary.setText(tr("{reports}, {time}", reports=n, time=format_duration(plan.seconds)))

    def choice(self) -> tuple[int | None, bool, bool]:
        return self.level_box.currentData(), self.again.isChecked(), self.by_model.isChecked()

    def _ask(self) -> None:
        self.plan_wanted.emit(*self.choice())

    def _give(self) -> None:
        self.given.emit(*self.choice())
        self.accept()


_DELETE = Qt.WidgetAttribute.WA_DeleteOnClose
ASKING = {
    "overview": later("Ask about this theme"),
    "drift": later("Ask about it, from themes to details"),
}
MOST_SHOWN = 120  # limit for names of one community in the graph


class CommunityActions(QObject):
    """Runs the commands; requests for other screens are signals."""

    ask_wanted = Signal(str, str)  # question, mode of retrieval
    graph_wanted = Signal(object)  # entity ids
    color_wanted = Signal(object, int)  # entity ids, level of the communities
    community_wanted = Signal(int)
    entity_wanted = Signal(int)
    place_wanted = Signal(int, int, int)

    def __init__(self, context: SessionContext, screen: QWidget) -> None:
        super().__init__(screen)
        self._context, self._screen = context, screen
        self.write_button: QWidget = screen  # the menu for writing one report opens below it
        self._work = context.communities
        self.edits = EditRunner(context, self)
        self.sheet: QWidget | None = None

    def do(self, verb: str, card: CommunityCard, community_tree: CommunityTree) -> None:
        """Run one command for the community of a page."""
        verbs: dict[str, Callable[[], None]] = {
            "ask": lambda: self.ask(card),
            "graph": lambda: self.graph_wanted.emit([int(m.id) for m in card.members[:MOST_SHOWN]]),
            "color": lambda: self._color(card),
            "write": lambda: self._ask_write(card),
            "edit": lambda: self._edit(card),
            "pin": lambda: self.pin(card.row, not card.report.is_pinned),
            "compare": lambda: self.compare(int(card.row.id), community_tree),
        }
        verbs[verb]()

    # --- asking and showing ---------------------------------------------------------------------

    def ask(self, card: CommunityCard) -> None:
        """Put a question about the community into the chat."""
        self.ask_wanted.emit(build_question(card.report.title or get_title(card.row)), "overview")

    def _color(self, card: CommunityCard) -> None:
        self.color_wanted.emit([int(m.id) for m in card.members[:MOST_SHOWN]], card.row.level)

    # --- the report -----------------------------------------------------------------------------

    def pin(self, row: CommunityRow, pinned: bool) -> None:
        message = tr("Pinned: the report stays as it is") if pinned else tr("Unpinned")
        self.edits.run(self._work.reports.pin, int(row.id), pinned, told=message)

    def _edit(self, card: CommunityCard) -> None:
        number, reporting = int(card.row.id), self._work.reports
        sheet = EditReportDialog(card.report, parent=self._screen.window())

        def keep(title: str, summary: str, findings: tuple[Finding, ...]) -> None:
            before = card.report
            changes: dict[str, Any] = {}
            if title != before.title:
                changes["title"] = title
            if summary != before.summary:
                changes["summary"] = summary
            if findings != before.findings:
                changes["findings"] = findings
            if changes:
                self.edits.run(reporting.edit, number, told=tr("The report is changed"), **changes)

        sheet.given.connect(keep)
        sheet.reset_wanted.connect(
            lambda: self.edits.run(
                reporting.reset, number, told=tr("The report stands as it was made")
            )
        )
        self._open(sheet)

    def _ask_write(self, card: CommunityCard) -> None:
        """Offer to write one report again, with or without the model."""
        menu = QMenu(self._screen)
        menu.setAttribute(_DELETE)
        self._fill_write(menu, int(card.row.id))
        button = self.write_button
        menu.popup(button.mapToGlobal(button.rect().bottomLeft()))

    def _fill_write(self, menu: QMenu, number: int) -> None:
        name = self._context.model_registry.chat_model_name()
        with_model = menu.addAction(
            tr("Write it with {model}", model=name) if name else tr("Write it with a model")
        )
        with_model.setEnabled(bool(name))
        with_model.triggered.connect(lambda: self.write([number], use_model=True))
        plain = menu.addAction(tr("Count and quote, without a model"))
        plain.triggered.connect(lambda: self.write([number], use_model=False))

    def write(self, numbers: list[int], *, use_model: bool) -> None:
        """Write these reports again in the background."""
        self._begin(ReportOrder(tuple(numbers), again=True, use_model=use_model))

    def write_many(self) -> None:
        """Ask which reports to write, then start."""
        sheet = WriteReportsDialog(
            self._context.model_registry.chat_model_name(), parent=self._screen.window()
        )
        work = self._work

        def estimate(level: int | None, again: bool, use_model: bool) -> None:
            def look():
                due = work.reports.due(level=level, again=again, with_model=use_model)
                return work.reports.estimate(due, use_model=use_model)

            query = Query(self._context.writer_lane, look, owner=sheet)
            query.on_success(sheet.show_plan).run()

        sheet.plan_wanted.connect(estimate)
        sheet.given.connect(
            lambda level, again, use_model: self._begin(ReportOrder(None, level, again, use_model))
        )
        query = Query(work.lane, work.reader.levels, owner=sheet)
        query.on_success(sheet.set_levels).run()
        self._open(sheet)

    def _begin(self, order: ReportOrder) -> None:
        self._work.job.add(order)
        self._work.runner.start()

    # --- comparison -------------------------------------------------------------------------------

    def compare(self, number: int, community_tree: CommunityTree, other: int | None = None) -> None:
        """Compare a community with another one."""
        sheet = CompareCommunitiesDialog(
            self._context.theme, community_tree, number, parent=self._screen.window()
        )
        work = self._work

        def read(first: int, second: int) -> None:
            query = Query(work.lane, work.reader.compare, first, second, owner=sheet)
            query.on_success(sheet.show_comparison).run()

        sheet.wanted.connect(read)
        sheet.name_clicked.connect(self.entity_wanted)
        sheet.place_clicked.connect(self.place_wanted)
        sheet.community_wanted.connect(self.community_wanted)
        self._open(sheet)
        sheet.choose(other)

    def build_menu(
        self, row: CommunityRow, community_tree: CommunityTree, chosen: int | None
    ) -> QMenu:
        """Return the context menu of a community."""
        menu = QMenu(self._screen)
        menu.setAttribute(_DELETE)
        number = int(row.id)
        question = build_question(get_title(row))
        for mode, words in ASKING.items():
            menu.addAction(tr(words), self._build_ask(question, mode))
        menu.addSeparator()
        menu.addAction(tr("Show it in the graph"), lambda: self._with_members(number))
        pin = tr("Unpin the report") if row.is_pinned else tr("Pin the report")
        menu.addAction(pin, lambda: self.pin(row, not row.is_pinned))
        menu.addSeparator()
        if not row.is_pinned:
            self._fill_write(menu, number)
            menu.addSeparator()
        if chosen is not None and chosen != number and chosen in community_tree:
            title = get_title(community_tree.rows[chosen]).replace("&", "&&")
            menu.addAction(
                tr("Compare with “{title}”", title=title),
                lambda: self.compare(chosen, community_tree, number),
            )
        menu.addAction(tr("Compare with another…"), lambda: self.compare(number, community_tree))
        return menu

    def _build_ask(self, question: str, mode: str) -> Callable[[], None]:
        return lambda: self.ask_wanted.emit(question, mode)

    def _with_members(self, number: int) -> None:
        work = self._work
        query = Query(work.lane, work.reader.list_members, number, owner=self)
        query.on_success(lambda ids: self.graph_wanted.emit(ids[:MOST_SHOWN])).run()

    def _open(self, sheet: QDialog) -> None:
        self.sheet = sheet
        sheet.destroyed.connect(lambda: setattr(self, "sheet", None))
        sheet.open()


def build_question(title: str) -> str:
    """Return a question about a topic, in the language of its title."""
    if has_han(title):
        return f"关于“{title}”讲了些什么？"
    question = "What is told about “{title}”?"  # not shown
    return question.format(title=title)
