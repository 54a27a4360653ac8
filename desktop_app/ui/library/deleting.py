"""Asks before documents are deleted, and says what would go with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QWidget

from desktop_app.engine.services.editing import DeletePreview
from desktop_app.engine.types import DocumentRow
from desktop_app.ui.context import Context
from desktop_app.ui.language import later, tr, trn
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
            say_what_goes(told), kind="warn", action_text=tr("Delete"), action=lambda: delete(ids)
        )

    if ids:
        query = Query(context.reader_lane, context.exploring.preview_delete, ids, owner=owner)
        query.on_success(ask).run()


def say_what_goes(told: DeletePreview) -> str:
    """Return the question, with what would go: "812 names and 3,204 connections go with it"."""
    names = trn("{n} name", "{n} names", told.n_entities_gone) if told.n_entities_gone else ""
    ties = told.n_relations_gone
    connections = trn("{n} connection", "{n} connections", ties) if ties else ""
    both = tr("{one} and {other}", one=names, other=connections)
    goes = both if names and connections else names or connections
    n_gone = told.n_entities_gone + told.n_relations_gone
    if told.n_documents == 1:
        if not goes:
            text = later("Delete “{title}” from the library? The file on disk stays.")
        elif n_gone == 1:
            text = later(
                "Delete “{title}” from the library? {goes} goes with it; the file on disk stays."
            )
        else:
            text = later(
                "Delete “{title}” from the library? {goes} go with it; the file on disk stays."
            )
        return tr(text, title=told.title, goes=goes)
    n = told.n_documents
    if not goes:
        return trn(
            "Delete {n} document from the library? The file on disk stays.",
            "Delete {n} documents from the library? The files on disk stay.",
            n,
        )
    if n_gone == 1:
        return trn(
            "Delete {n} document from the library? {goes} goes with it; the file on disk stays.",
            "Delete {n} documents from the library? {goes} goes with them; the files on disk stay.",
            n,
            goes=goes,
        )
    return trn(
        "Delete {n} document from the library? {goes} go with it; the file on disk stays.",
        "Delete {n} documents from the library? {goes} go with them; the files on disk stay.",
        n,
        goes=goes,
    )
