"""Takes the pictures of the window that README.md shows.

    python packaging/screenshots.py [--language zh] [--theme dark] [--high-contrast]
        [--size 1280x720] [--out FOLDER] [--library LIBRARY] [--no-chat] [FILE...]

Indexes the files (default: the demo library) in a temporary library or in a copy of LIBRARY, asks
one question with the chat model in use, and writes a PNG of each screen to `docs/images` or to
FOLDER. The first file is the one that the reader shows; with LIBRARY it may already be there.
After these pictures a PDF of the first paragraphs of that text, if no document is a PDF, and two
highlights are added: for the pictures of the PDF reader, of two documents side by side, of the
highlights, of the evaluation and of dialogs. With --no-chat no question is asked.
Needs installed models and no display.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication, QDialog

    from desktop_app.engine.model import EntityRow
    from desktop_app.ui.workspace import Workspace

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
WAIT_S = 900.0
PDF_CHARS = 2_500  # of the PDF that is added: two pages
QUESTIONS = {  # answered by the demo library
    "en": "What is the Abbess?",
    "zh": "柳三娘是谁？",
}
ENTITIES = {"en": "", "zh": "柳三娘"}  # "": the one with the most connections


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "images")
    parser.add_argument("--language", choices=["en", "zh"], default="en")
    parser.add_argument("--theme", choices=["light", "dark"], default="light")
    parser.add_argument("--high-contrast", action="store_true")
    parser.add_argument("--size", default="1440x900", help="width and height of the window")
    parser.add_argument("--question", default="", help="default: one of the demo library")
    parser.add_argument("--entity", default="")
    parser.add_argument("--no-chat", action="store_true", help="ask no question")
    parser.add_argument("--library", type=Path, help="a library that is not open")
    parser.add_argument("files", nargs="*", type=Path)
    options = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    options.out.mkdir(parents=True, exist_ok=True)
    from desktop_app.engine.paths import models_dir

    os.environ["INKGRAPH_MODELS"] = str(models_dir())  # the user's, everything else is temporary
    with tempfile.TemporaryDirectory(prefix="inkgraph-pictures-") as folder:
        os.environ["INKGRAPH_HOME"] = folder
        take_pictures(Path(folder), options)
    return 0


class Camera:
    """Runs the event loop, and saves pictures of the window and of dialogs over it."""

    def __init__(self, application: QApplication, workspace: Workspace, out: Path) -> None:
        self.application, self.workspace, self.out = application, workspace, out

    def wait(self, is_done: Callable[[], object], seconds: float = WAIT_S) -> None:
        from PySide6.QtCore import QEventLoop

        end = time.monotonic() + seconds
        while not is_done() and time.monotonic() < end:
            self.application.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 50)
            time.sleep(0.005)  # leave the processor to the models

    def pause(self, seconds: float) -> None:
        self.wait(lambda: False, seconds)

    def wait_for_indexing(self, n_documents: int) -> None:
        library, session = self.workspace.context.library_reader, self.workspace.session
        self.wait(lambda: len(library.list_documents()) >= n_documents)
        self.wait(lambda: {row.state for row in library.list_documents()} <= {"ready", "failed"})
        self.wait(lambda: session.indexing_runner.state == "idle")

    def save(self, name: str) -> None:
        self.pause(1.5)
        path = self.out / f"{name}.png"
        self.workspace.window.grab().save(str(path))
        print(path)

    def save_sheet(self, name: str, find_sheet: Callable[[], QDialog | None]) -> None:
        """Save a picture of a dialog over the window, and close it."""
        from PySide6.QtGui import QPainter

        self.wait(find_sheet, 20)
        self.pause(1.5)
        sheet, window = find_sheet(), self.workspace.window
        assert sheet is not None, name
        picture = window.grab()
        if sheet.isWindow():  # else it is a panel of the window
            # In the middle, as on a screen of any size: the one of the offscreen platform is small.
            room = window.size() - sheet.size()
            left, top = room.width() // 2, room.height() // 2
            with QPainter(picture) as painter:
                painter.drawPixmap(left, top, sheet.grab())
        picture.save(str(self.out / f"{name}.png"))
        print(self.out / f"{name}.png")
        sheet.reject()
        self.pause(0.3)


def take_pictures(folder: Path, options: argparse.Namespace) -> None:
    from PySide6.QtWidgets import QApplication

    from desktop_app.app import App, FirstStart
    from desktop_app.engine.services.demo import demo_files
    from desktop_app.ui.settings.window_options import WindowStore

    application = QApplication([])
    WindowStore().change("language", options.language)
    WindowStore().change("theme", options.theme)
    WindowStore().change("contrast", "on" if options.high_contrast else "off")
    app = App(application)
    first_start = FirstStart(app)
    for step in range(3):
        first_start.show(step=step)
        application.processEvents()
        welcome = first_start.window
        assert welcome is not None
        welcome.grab().save(str(options.out / f"welcome-{step + 1}.png"))
        welcome.finish()
    opened = folder / (options.library.name if options.library else "Pictures.inkgraph")
    if options.library:
        shutil.copy(options.library, opened)
    workspace = app.open_library(opened)
    window = workspace.window
    width, height = map(int, options.size.split("x"))
    window.resize(width, height)
    window.show()
    library = workspace.context.library_reader

    camera = Camera(application, workspace, options.out)
    wait, pause, save = camera.wait, camera.pause, camera.save
    demo = sorted(demo_files(), key=lambda path: path.name.isascii() != (options.language == "en"))
    files = [str(path.resolve()) for path in options.files or demo]
    shown = Path(files[0]).name
    held = {row.file_name for row in library.list_documents()}
    added = [file for file in files if Path(file).name not in held]
    if added:
        window.files_dropped.emit(added)
    camera.wait_for_indexing(len(held) + len(added))
    document = next(row for row in library.list_documents() if row.file_name == shown)
    entities = library.find_entities(
        options.entity or ENTITIES[options.language], 5
    ) or library.top_entities(5)
    first = entities[0]
    window.show_screen("library")
    window.screens.library.list.select(document.id)
    save("library")
    window.screens.library.views.show_cards(True)
    save("library-cards")
    window.screens.library.views.show_cards(False)
    window.navigator.open_document(document.id)
    pause(3)
    window.document_tabs.reader.head.names.click()
    window.document_tabs.reader.find_bar.hide()
    wait(lambda: bool(window.document_tabs.reader.legend.toggles), 20)
    save("reader")
    window.show_screen("graph")
    pause(5)
    save("graph-all")
    window.navigator.show_in_graph([first.id])
    pause(3)
    save("graph")
    window.navigator.open_entity(first.id)
    pause(2)
    save("entity")
    window.show_screen("merge")
    pause(6)
    save("merge")
    window.show_screen("communities")
    pause(6)
    save("communities")
    window.show_screen("models")
    save("models")
    window.show_screen("settings")
    save("settings")
    if not options.no_chat:
        take_pictures_of_chat(camera, options.question or QUESTIONS[options.language])
    take_pictures_of_pages(camera, folder, document.id, options.language)
    take_pictures_of_sheets(camera, first)
    app.close()


def take_pictures_of_chat(camera: Camera, question: str) -> None:
    window, wait, pause, save = camera.workspace.window, camera.wait, camera.pause, camera.save
    window.navigator.open_new_chat()
    chat = window.screens.chat
    save("chat-empty")
    chat.ask(question)
    wait(lambda: chat.turns.widgets() and chat.turns.widgets()[-1].source_list is not None)
    pause(0.3)
    window.grab().save(str(camera.out / "chat-passages.png"))
    wait(lambda: chat.turns.widgets() and chat.turns.widgets()[-1].turn.answered)
    save("chat")
    chat.turns.widgets()[-1].inspect_button.click()
    save("chat-inspector")


def take_pictures_of_pages(camera: Camera, folder: Path, document_id: int, language: str) -> None:
    """Picture the PDF reader, documents side by side, highlights and the evaluation."""
    from desktop_app.engine.services.demo import load_demo_questions

    window, save = camera.workspace.window, camera.save
    library, context = camera.workspace.context.library_reader, camera.workspace.context
    edits = window.screens.entity.corrections.menu.edits
    window.show_screen("highlights")
    save("highlights-empty")
    rows = library.list_documents()
    if not any(row.file_name.lower().endswith(".pdf") for row in rows):
        path = folder / ("书页.pdf" if language == "zh" else "Two pages.pdf")
        write_pdf(path, library.fetch_text(document_id)[:PDF_CHARS])
        window.files_dropped.emit([str(path)])
        camera.wait_for_indexing(len(rows) + 1)
    pdf = next(row for row in library.list_documents() if row.file_name.lower().endswith(".pdf"))
    window.navigator.open_document(pdf.id)
    camera.pause(4)
    save("reader-pdf")
    for id_, color, note in ((document_id, "yellow", ""), (pdf.id, "green", QUESTIONS[language])):
        start, end = find_sentence(library.fetch_text(id_))
        edits.run(
            context.annotations.highlight, id_, start, end, color=color, note=note, message=""
        )
    camera.pause(2)
    save("reader-pdf-highlight")
    window.navigator.open_document(document_id)
    page = window.document_tabs.page
    assert page is not None
    window.document_tabs.open_side_by_side(page, pdf.id)
    camera.pause(4)
    save("reader-side-by-side")
    window.show_screen("highlights")
    camera.pause(1)
    save("highlights")
    window.show_screen("evaluation")
    save("evaluation-empty")
    questions = folder / "questions.jsonl"
    lines = [
        json.dumps({"question": one.question, "answer": one.answer}, ensure_ascii=False)
        for one in load_demo_questions()
        if one.language == language
    ]
    questions.write_text("\n".join(lines), "utf-8")
    window.screens.evaluation.open_file(questions)
    camera.pause(4)
    save("evaluation")


def take_pictures_of_sheets(camera: Camera, entity: EntityRow) -> None:
    window = camera.workspace.window
    window.navigator.open_entity(entity.id)
    camera.pause(2)
    menu = window.screens.entity.corrections.menu
    for name, ask in (
        ("description", menu.describe), ("relation", menu.relate), ("split", menu.split)
    ):  # fmt: skip
        ask(entity)
        camera.save_sheet(f"sheet-{name}", lambda: menu.sheet)
    window.show_screen("library")
    rows = camera.workspace.context.library_reader.list_documents()
    library = window.screens.library
    library.list.select(rows[0].id)
    details = library.collections.details
    details.ask(library.list.selected_rows())
    camera.save_sheet("sheet-details", lambda: details.sheet)


def write_pdf(path: Path, text: str) -> None:
    from PySide6.QtCore import QMarginsF
    from PySide6.QtGui import QPageSize, QPdfWriter, QTextDocument

    page = QPageSize(QPageSize.PageSizeId.A5)
    writer = QPdfWriter(str(path))
    writer.setPageSize(page)
    writer.setPageMargins(QMarginsF())
    writer.setResolution(72)
    document = QTextDocument()
    font = document.defaultFont()
    font.setPixelSize(11)
    document.setDefaultFont(font)
    document.setMarkdown(text)
    document.setPageSize(page.sizePoints().toSizeF())
    document.setDocumentMargin(45)
    document.print_(writer)


def find_sentence(text: str) -> tuple[int, int]:
    """Return the place of the first sentence of the first long paragraph."""
    start = 0
    for line in text.splitlines(keepends=True):
        if len(line) > 60:
            ends = [line.find(stop) + 1 for stop in (". ", "。") if stop in line]
            return start, start + min(ends, default=len(line.rstrip()))
        start += len(line)
    return 0, min(120, len(text))


if __name__ == "__main__":
    raise SystemExit(main())
