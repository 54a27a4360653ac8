"""Counts the modules that a piece of work enters.

    python -m benchmarks.walks merge question document

`merge` makes a small library and counts for merging two entities and undoing it.
`question` asks a question in the default mode with the installed models, after another one, so
that models and index are in memory; it counts from the pipeline to the stored answer.
`document` counts from a file dropped on the window to the updated graph, in all lanes; of the
window it counts the controllers only, because every screen reloads what it shows.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from .common import make_parser, open_scratch

PACKAGE = "desktop_app."
TEXT = (
    "Tobias Quill kept a shop of clocks in Marsh End. Ada Merrow wound them. "
    "Toby Quill, as Ada Merrow called him, made them. Toby Quill met Ada Merrow in Marsh End.\n"
)


def count_modules(work: Callable[[], Any]) -> set[str]:
    """Return the modules of the program that have a function called while `work` runs.

    Methods that Python generates for dataclasses don't count.
    """
    entered: set[str] = set()

    def record(frame: FrameType, event: str, _arg: Any) -> None:
        if event == "call" and frame.f_code.co_filename != "<string>":
            name = frame.f_globals.get("__name__", "")
            if name.startswith(PACKAGE):
                entered.add(name)

    before = sys.getprofile()
    sys.setprofile(record)
    try:
        work()
    finally:
        sys.setprofile(before)
    return entered


def count_merge() -> set[str]:
    """Return the modules that merging two entities and undoing it enters."""
    from desktop_app.engine.services.document_import import add_files
    from desktop_app.engine.services.editing.service import EditingService
    from desktop_app.engine.services.indexing import IndexingService
    from desktop_app.engine.services.library import Library

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "clocks.txt"
        file.write_text(TEXT, "utf-8")
        library = Library(Path(folder) / "walk.inkgraph")
        try:
            add_files(library.writer, [file])
            IndexingService(library.writer, lambda: None).run(embed=False)
            keep, other = (
                row[0] for row in library.writer.rows("SELECT id FROM entity ORDER BY id LIMIT 2")
            )
            editing = EditingService(library.writer)

            def merge_and_undo() -> None:
                editing.merge(keep, [other])
                editing.undo()

            return count_modules(merge_and_undo)
        finally:
            library.close()


def count_question() -> set[str]:
    """Return the modules that answering and storing a question enters."""
    from desktop_app.engine.answering.pipeline import AnswerPipeline
    from desktop_app.engine.retrieval.retriever import Retriever
    from desktop_app.engine.services.chats import Chats
    from desktop_app.engine.services.document_import import add_files
    from desktop_app.engine.services.indexing import IndexingService

    with open_scratch() as (library, registry), tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "clocks.txt"
        file.write_text(TEXT, "utf-8")
        writer = library.writer
        add_files(writer, [file])
        IndexingService(writer, registry.find_embedder).run()
        retriever = Retriever(writer, registry.find_embedder, registry.find_reranker)
        pipeline = AnswerPipeline(retriever, writer, registry.find_chat)
        pipeline.query("Who wound the clocks?")
        chat_id = Chats(library.reader(), writer).create_chat()
        return count_modules(lambda: pipeline.ask(chat_id, "Who kept a shop of clocks?"))


def count_document() -> set[str]:
    """Return the modules from a dropped file to the updated graph: engine, workers, controllers."""
    from PySide6.QtWidgets import QApplication

    from desktop_app.engine.llm.registry import ModelRegistry
    from desktop_app.session import Session
    from desktop_app.ui.theme.theme import Theme
    from desktop_app.ui.workspace import Workspace
    from desktop_app.workers.operations import Query

    application = QApplication.instance() or QApplication([])
    with tempfile.TemporaryDirectory() as folder:
        session = Session(Path(folder) / "walk.inkgraph", ModelRegistry([Path(folder)]))
        workspace = Workspace(session, Theme("light"))
        indexed: list[bool] = []
        session.indexing_runner.changed.connect(
            lambda change: indexed.append(bool(change.entities))
        )
        lanes = [session.lanes[name] for name in ("reader", "writer", "indexing", "files")]

        def wait_until(is_done: Callable[[], bool]) -> None:
            while not is_done():
                application.processEvents()

        def drop(name: str) -> None:
            file = Path(folder) / name
            file.write_text(TEXT + name, "utf-8")
            indexed.clear()
            workspace.window.files_dropped.emit([str(file)])
            wait_until(lambda: any(indexed) and session.indexing_runner.state == "idle")

        def work() -> None:
            for lane in lanes:
                Query(lane, sys.setprofile, sys.getprofile()).run()
            drop("second.txt")
            for lane in lanes:
                Query(lane, sys.setprofile, None).run()

        drop("first.txt")  # loads what a process loads once
        entered = count_modules(work)
        workspace.close()
    screens = ("desktop_app.ui.", "desktop_app.session")
    return {
        name
        for name in entered
        if not name.startswith(screens) or name.startswith("desktop_app.ui.controllers.")
    }


WALKS = {"merge": count_merge, "question": count_question, "document": count_document}


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("names", nargs="*", choices=WALKS, metavar="WORK")
    for name in parser.parse_args().names or WALKS:
        modules = sorted(WALKS[name]())
        print(f"{name}: {len(modules)} modules", *modules, sep="\n  ")


if __name__ == "__main__":
    main()
