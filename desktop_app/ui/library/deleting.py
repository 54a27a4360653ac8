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
    delete: Callable[[list[int]], None],
    owner: QWidget,
) -> None:
    """Ask in the message bar; deleting has no way back."""

    ids = [row.id for row in rows]

    def ask(told: DeletePreview) -> None:
        context.messages.show(
            say_what_goes(told), kind="warn", action_text="Delete", action=lambda: delete(ids)
        )

    if ids:
        query = Query(context.reader_lane, context.exploring.preview_delete, ids, owner=owner)
        query.on_success(ask).on_error(context.messages.show_error).run()


def say_what_goes(told: DeletePreview) -> str:
    """Return the question, with what would go: "812 names and 3,204 connections go with it"."""
    goes = []
    if told.n_entities_gone:
        goes.append(plural(told.n_entities_gone, "name"))
    if told.n_relations_gone:
        goes.append(plural(told.n_relations_gone, "connection"))
    n = told.n_entities_gone + told.n_relations_gone
    it = "it" if told.n_documents == 1 else "them"
    with_it = f" {' and '.join(goes)} {'goes' if n == 1 else 'go'} with {it};" if goes else ""
    stays = "file on disk stays." if told.n_documents == 1 else "files on disk stay."
    rest = f" the {stays}" if goes else f" The {stays}"
    what = f"“{told.title}”" if told.n_documents == 1 else plural(told.n_documents, "document")
    return f"Delete {what} from the library?{with_it}{rest}"
