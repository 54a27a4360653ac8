"""The controller of bibliographies: adds Zotero's data folder and files of references.

Shows the dialogs for these and runs the service in the lane of imports.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from desktop_app.engine.progress import Progress
from desktop_app.engine.scheduler import Priority
from desktop_app.session import Session
from desktop_app.workers.lane import Job
from desktop_app.workers.operations import Query, Work

from ..context import SessionContext
from ..shell.main_window import MainWindow
from ..translation import later, tr, tr_message, trn
from ..widgets.words import format_number, join_words, shorten_list
from .import_result import show_import_result

if TYPE_CHECKING:
    from desktop_app.engine.services.bibliography.service import AddedReferences

ZOTERO = "Zotero"  # not shown
MAX_NAMED = 5  # titles in a line of the details
REFERENCE_FILES = later("References (*.bib *.bibtex *.ris *.json);;All files (*)")


class ReferenceImport(QObject):
    """Adds bibliographies, one at a time, and takes what is new in those of Zotero on request."""

    _changed = Signal(object)  # from the lane of the import

    def __init__(self, context: SessionContext, window: MainWindow, session: Session) -> None:
        super().__init__(window)
        self._context, self._window, self._session = context, window, session
        self._lane = session.lanes["files"]
        self._status = window.sidebar.import_work
        self._changed.connect(session.publish_work)
        self._job: Job | None = None
        self._waiting: list[Path] = []
        self._status.cancel_wanted.connect(self.cancel)
        library = window.screens.library
        library.zotero_wanted.connect(self.ask_for_zotero)
        library.references_wanted.connect(self.ask_for_file)
        library.zotero_update_wanted.connect(self.update)
        for name, act in (
            ("zotero", self.ask_for_zotero),
            ("zotero_update", self.update),
            ("references", self.ask_for_file),
        ):
            window.actions_by_name[name].triggered.connect(lambda _=False, act=act: act())

    @property
    def is_running(self) -> bool:
        return self._job is not None

    def ask_for_zotero(self) -> None:
        """Ask for Zotero's data folder, beginning where Zotero usually has it, and add it."""
        from desktop_app.engine.services.bibliography.folders import find_usual_folder

        usual = find_usual_folder()
        path = QFileDialog.getExistingDirectory(
            self._window, tr("Add from Zotero: its data folder"), str(usual or "")
        )
        if path:
            self.add([Path(path)])

    def ask_for_file(self) -> None:
        """Ask for a file of references and add it."""
        path, _ = QFileDialog.getOpenFileName(
            self._window, tr("Import references"), "", tr(REFERENCE_FILES)
        )
        if path:
            self.add([Path(path)])

    def update(self) -> None:
        """Take what is new in the Zotero folders that were added to this library."""

        def start(folders: list[Path]) -> None:
            if folders:
                self.add(folders)
            else:
                self._context.messages.show(
                    tr("No Zotero folder was added to this library yet."),
                    action_text=tr("Add from Zotero…"),
                    action=self.ask_for_zotero,
                )

        from desktop_app.engine.services.bibliography.folders import list_folders

        query = Query(self._lane, list_folders, self._session.library.writer, owner=self)
        query.on_success(start).run()

    def add(self, paths: list[Path]) -> None:
        """Add data folders of Zotero or files of references, one after another."""
        self._waiting += [path for path in paths if path not in self._waiting]
        if self._job is None:
            self._start_next()

    def _start_next(self) -> None:
        if not self._waiting:
            return
        path = self._waiting.pop(0)

        def work(job: Job) -> AddedReferences:
            from desktop_app.engine.services.bibliography.service import add_bibliography

            cancel = job.cancel_token
            with self._context.scheduler.hold(Priority.IMPORT, cancel):
                return add_bibliography(
                    self._session.library.writer,
                    path,
                    cancel=cancel,
                    on_progress=job.report,
                    on_change=self._changed.emit,
                )

        query = Work(self._lane, work, owner=self, label="importing")
        query.on_progress(lambda progress: self._show_progress(path.name, progress))
        query.on_success(self._show_result).on_end(self._ended)
        self._job = query.job
        self._show_progress(path.name, Progress("importing"))
        query.run()

    def cancel(self) -> None:
        self._waiting.clear()
        if self._job is not None:
            self._job.cancel()

    def _show_progress(self, name: str, progress: Progress) -> None:
        if self._job is not None:
            self._status.show_work(progress, tr("Importing {name}", name=name))
            self._status.pause_button.hide()  # an import can be cancelled and repeated

    def _ended(self) -> None:
        self._job = None
        self._status.hide()
        self._session.start_indexing()  # reads the new documents
        self._start_next()

    def _show_result(self, added: AddedReferences) -> None:
        text, besides = describe_references(added)
        show_import_result(self._context, self._window, text, besides)


def describe_references(added: AddedReferences) -> tuple[str, list[str]]:
    """Return a sentence about what was taken from a bibliography, and additional facts."""
    name = added.origin if added.origin == ZOTERO else tr("“{name}”", name=added.name)
    parts = []
    if n := len(added.documents):
        parts.append(trn("{n} new document", "{n} new documents", n))
    if n := len(added.completed):
        parts.append(trn("{n} document with new details", "{n} documents with new details", n))
    if n := len(added.without_file):
        parts.append(trn("{n} entry has no file", "{n} entries have no file", n))
    besides = _describe_rest(added)
    if not parts:
        return tr("{name}: nothing new.", name=name), besides
    return tr("{name}: {parts}.", name=name, parts=join_words(parts)), besides


def _describe_rest(added: AddedReferences) -> list[str]:
    lines = []
    if n := added.n_unchanged:
        lines.append(trn("{n} document unchanged", "{n} documents unchanged", n))
    if titles := added.without_file:
        lines.append(
            trn(
                "{n} entry without a file and without a document of the library: {titles}",
                "{n} entries without a file and without a document of the library: {titles}",
                len(titles),
                titles=shorten_list(titles, MAX_NAMED),
            )
        )
    if places := [place for _, place in added.missing]:
        lines.append(
            trn(
                "{n} linked file is not there, or of a kind that is not read: {places}",
                "{n} linked files are not there, or of a kind that is not read: {places}",
                len(places),
                places=shorten_list(places, MAX_NAMED),
            )
        )
    lines += [tr_message(reason) for reason in list(added.refused.values())[:MAX_NAMED]]
    if n := added.in_trash:
        lines.append(trn("{n} document stays in the trash", "{n} documents stay in the trash", n))
    if n := added.n_waiting:
        lines.append(
            trn(
                "{n} highlight or note follows when its document is read",
                "{n} highlights and notes follow when their documents are read",
                n,
            )
        )
    if n := added.followed.n_changed:
        lines.append(
            trn(
                "{n} highlight or note changed as in Zotero",
                "{n} highlights and notes changed as in Zotero",
                n,
            )
        )
    if n := added.followed.n_deleted:
        lines.append(
            trn(
                "{n} highlight or note deleted as in Zotero",
                "{n} highlights and notes deleted as in Zotero",
                n,
            )
        )
    if n := added.followed.n_kept:
        lines.append(
            trn(
                "{n} highlight or note is different in Zotero and stays, because you changed it",
                "{n} highlights and notes are different in Zotero and stay, because you"
                " changed them",
                n,
            )
        )
    if n := added.n_lost:
        lines.append(
            trn(
                "{n} highlight was not found in the text; it is a note at its page",
                "{n} highlights were not found in the text; each is a note at its page",
                n,
            )
        )
    return lines + [
        tr("{what}: {n}", what=tr_message(reason), n=format_number(n))
        for reason, n in sorted(added.left_out.items())
    ]
