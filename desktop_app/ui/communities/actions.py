"""Commands for a community: ask, show in the graph, pin, edit, compare, write its report again.

Owns the texts of questions and messages, and the lane of each command. The screen chooses the
community.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDialog, QMenu, QWidget

from desktop_app.engine.model import CommunityCard, CommunityRow, Finding
from desktop_app.engine.store.sheet_drafts import DraftKey
from desktop_app.engine.writing_systems import has_han
from desktop_app.workers.background_jobs import ReportOrder
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..editing.edits import EditRunner
from ..translation import later, tr
from .community_tree import CommunityTree, get_title
from .dialogs import CompareCommunitiesDialog, EditReportDialog, WriteReportsDialog

_DELETE = Qt.WidgetAttribute.WA_DeleteOnClose
ASKING = {
    "overview": later("Ask about this community"),
    "drift": later("Ask, from overview to details"),
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

    def run(self, command: str, card: CommunityCard, community_tree: CommunityTree) -> None:
        """Run one command for the community of a page."""
        shown = [int(m.id) for m in card.members[:MOST_SHOWN]]
        question = build_question(card.report.title or get_title(card.row))
        commands: dict[str, Callable[[], None]] = {
            "ask": lambda: self.ask_wanted.emit(question, "overview"),
            "graph": lambda: self.graph_wanted.emit(shown),
            "color": lambda: self.color_wanted.emit(shown, card.row.level),
            "write": lambda: self._ask_write(card),
            "edit": lambda: self._edit(card),
            "pin": lambda: self.pin(card.row, not card.report.is_pinned),
            "compare": lambda: self.compare(int(card.row.id), community_tree),
        }
        commands[command]()

    def pin(self, row: CommunityRow, pinned: bool) -> None:
        message = tr("Pinned: the report will not be rewritten") if pinned else tr("Unpinned")
        self.edits.run(self._work.reports.pin, int(row.id), pinned, message=message)

    def _edit(self, card: CommunityCard) -> None:
        number, reports = int(card.row.id), self._work.reports
        sheet = EditReportDialog(card.report, parent=self._screen.window())

        def keep(title: str, summary: str, findings: tuple[Finding, ...]) -> None:
            given = {"title": title, "summary": summary, "findings": findings}
            changes: dict[str, Any] = {
                name: value for name, value in given.items() if value != getattr(card.report, name)
            }
            if changes:
                message = tr("Report changed")
                self.edits.run(reports.edit, number, message=message, then=drop, **changes)
            else:
                sheet.discard_draft()  # no edit follows, whose success would drop it

        def reset() -> None:
            message = tr("Original report restored")
            self.edits.run(reports.reset, number, message=message, then=drop)

        sheet.given.connect(keep)
        sheet.reset_wanted.connect(reset)
        key = DraftKey("report", "community", number)
        drop = self._context.draft_keeper.attach(sheet, key)
        self._open(sheet)

    def _ask_write(self, card: CommunityCard) -> None:
        """Offer to rewrite one report, with or without the model."""
        menu = QMenu(self._screen)
        menu.setAttribute(_DELETE)
        self._fill_write(menu, int(card.row.id))
        button = self.write_button
        menu.popup(button.mapToGlobal(button.rect().bottomLeft()))

    def _fill_write(self, menu: QMenu, number: int) -> None:
        name = self._context.library_models.chat_model_name().replace("&", "&&")
        with_model = menu.addAction(
            tr("Rewrite with {model}", model=name) if name else tr("Rewrite with a model")
        )
        with_model.setEnabled(bool(name))
        with_model.triggered.connect(lambda: self.write([number], use_model=True))
        plain = menu.addAction(tr("Rewrite without a model"))
        plain.triggered.connect(lambda: self.write([number], use_model=False))

    def write(self, numbers: list[int], *, use_model: bool) -> None:
        """Write these reports again in the background."""
        self._begin(ReportOrder(tuple(numbers), again=True, use_model=use_model))

    def write_many(self) -> None:
        """Ask which reports to write, then start."""
        sheet = WriteReportsDialog(
            self._context.library_models.chat_model_name(), parent=self._screen.window()
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
            menu.addAction(tr(words), partial(self.ask_wanted.emit, question, mode))
        menu.addSeparator()

        def show_members() -> None:
            work = self._work
            query = Query(work.lane, work.reader.list_members, number, owner=self)
            query.on_success(lambda ids: self.graph_wanted.emit(ids[:MOST_SHOWN])).run()

        menu.addAction(tr("Show in graph"), show_members)
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

    def _open(self, sheet: QDialog) -> None:
        self.sheet = sheet
        sheet.destroyed.connect(lambda: setattr(self, "sheet", None))
        sheet.open()


def build_question(title: str) -> str:
    """Return a question about a topic, in the language of its title."""
    if has_han(title):
        return f"关于“{title}”讲了些什么？"
    question = "What do the documents say about “{title}”?"  # not shown
    return question.format(title=title)
