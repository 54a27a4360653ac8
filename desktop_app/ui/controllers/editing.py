"""The controller of curation: connects the window's editing commands to the services."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.store.db import Db
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..editing.entity_menu import EntityMenu
from ..shell.main_window import MainWindow
from ..translation import later, tr, trn
from ..widgets.save_dialog import ask_where_to_save

FILES = later("Corrections (*.json)")


class EditingController(QObject):
    """Runs undo, redo, history, new names, and export and import of corrections."""

    def __init__(self, context: SessionContext, window: MainWindow, writer: Db) -> None:
        super().__init__(window)
        self._context, self._window, self._writer = context, window, writer
        self.menu = EntityMenu(context, window)
        self.menu.open_wanted.connect(window.navigator.open_entity)
        window.undo_wanted.connect(self.menu.edits.undo)
        window.redo_wanted.connect(self.menu.edits.redo)
        for name, do in {
            "history": self.menu.show_history,
            "create": self.menu.create,
            "export_corrections": self._ask_where,
            "apply_corrections": self._ask_which,
        }.items():
            window.actions_by_name[name].triggered.connect(lambda _=False, do=do: do())

    def _ask_where(self) -> None:
        title = tr("Export corrections")
        if path := ask_where_to_save(self._window, title, "corrections.json", tr(FILES)):
            self.export(path)

    def export(self, path: Path) -> None:
        """Write all corrections to a file."""
        from desktop_app.engine.services.editing.curation_file import export_curation

        query = Query(self._context.writer_lane, export_curation, self._writer, path, owner=self)
        query.on_success(
            lambda n: self._context.messages.show(
                trn(
                    "{n} correction written to “{file}”.",
                    "{n} corrections written to “{file}”.",
                    n,
                    file=path.name,
                ),
                kind="ok",
            )
        ).run()

    def _ask_which(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self._window, tr("Import corrections"), "", tr(FILES))
        if path:
            self.apply(Path(path))

    def apply(self, path: Path) -> None:
        """Apply the corrections of a file as one edit that can be undone."""

        from desktop_app.engine.services.editing.curation_file import apply_curation

        def edit(where: Path) -> ChangeNotice:
            return apply_curation(self._writer, where)

        self.menu.edits.run(
            edit, path, message=tr("Corrections from “{file}” imported", file=path.name)
        )
