"""Asks before documents are deleted, and says what would go with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QWidget

from desktop_app.engine.services.editing import DeletePreview
from desktop_app.engine.types import DocumentRow
from desktop_app.ui.context import Context
from desktop_app.ui.widgets import plural
from desktop_app.workers.operations import Query


def ask_to_delete(
    context: Context,
    rows: Sequence[DocumentRow],
    delete: Callable[[int], None],
    owner: QWidget,
) -> None:
    """Ask in the message bar; deleting has no way back."""

    def ask(words: str) -> None:
        context.messages.show(
            words,
            kind="warn",
            action_text="Delete",
            action=lambda: [delete(row.id) for row in rows],
        )

    if len(rows) > 1:
        ask(f"Delete {plural(len(rows), 'document')} from the library? The files on disk stay.")
    elif rows:
        query = Query(
            context.reader_lane, context.exploring.preview_delete, rows[0].id, owner=owner
        )
        query.on_success(lambda told: ask(say_what_goes(told)))
        query.on_error(context.messages.show_error).run()


def say_what_goes(told: DeletePreview) -> str:
    """Return the question, with what would go: "812 names and 3,204 connections go with it"."""
    goes = []
    if told.n_entities_gone:
        goes.append(plural(told.n_entities_gone, "name"))
    if told.n_relations_gone:
        goes.append(plural(told.n_relations_gone, "connection"))
    n = told.n_entities_gone + told.n_relations_gone
    with_it = f" {' and '.join(goes)} {'goes' if n == 1 else 'go'} with it;" if goes else ""
    rest = " the file on disk stays." if goes else " The file on disk stays."
    return f"Delete “{told.title}” from the library?{with_it}{rest}"
