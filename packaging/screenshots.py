"""Takes the pictures of the window that README.md shows.

    python packaging/screenshots.py [--language zh] [--theme dark] [--high-contrast]
        [--size 1280x720] [--out FOLDER] [--library LIBRARY] [FILE...]

Indexes the files (default: the demo library) in a temporary library or in a copy of LIBRARY, asks
one question with the chat model in use, and writes a PNG of each screen to `docs/images` or to
FOLDER. The first file is the one that the reader shows; with LIBRARY it may already be there.
Needs installed models and no display.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
WAIT_S = 900.0
QUESTIONS = {  # answered by the demo library
    "en": "What is the Abbess?",
    "zh": "柳三娘是谁？",
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "images")
    parser.add_argument("--language", choices=["en", "zh"], default="en")
    parser.add_argument("--theme", choices=["light", "dark"], default="light")
    parser.add_argument("--high-contrast", action="store_true")
    parser.add_argument("--size", default="1440x900", help="width and height of the window")
    parser.add_argument("--question", default="", help="default: one of the demo library")
    parser.add_argument("--entity", default="")
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


def take_pictures(folder: Path, options: argparse.Namespace) -> None:
    from PySide6.QtCore import QEventLoop
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

    def wait(is_done: Callable[[], object], seconds: float = WAIT_S) -> None:
        end = time.monotonic() + seconds
        while not is_done() and time.monotonic() < end:
            application.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 50)
            time.sleep(0.005)  # leave the processor to the models

    def pause(seconds: float) -> None:
        wait(lambda: False, seconds)

    def save(name: str) -> None:
        pause(1.5)
        window.grab().save(str(options.out / f"{name}.png"))
        print(options.out / f"{name}.png")

    files = [str(path.resolve()) for path in options.files] or [str(p) for p in demo_files()]
    shown = Path(files[0]).name
    held = {row.file_name for row in library.list_documents()}
    added = [file for file in files if Path(file).name not in held]
    if added:
        window.files_dropped.emit(added)
    wait(lambda: len(library.list_documents()) >= len(held) + len(added))
    wait(lambda: {row.state for row in library.list_documents()} <= {"ready", "failed"})
    wait(lambda: workspace.session.indexing_runner.state == "idle")
    document = next(row for row in library.list_documents() if row.file_name == shown)
    entities = library.find_entities(options.entity, 5) or library.top_entities(5)
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
    for row in library.list_documents():
        if row.file_name.lower().endswith(".pdf"):
            window.navigator.open_document(row.id)
            pause(4)
            save("reader-pdf")
            break
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
    window.show_screen("highlights")
    pause(1)
    save("highlights")
    window.show_screen("models")
    save("models")
    window.show_screen("settings")
    save("settings")
    window.navigator.open_new_chat()
    chat = window.screens.chat
    save("chat-empty")
    chat.ask(options.question or QUESTIONS[options.language])
    wait(lambda: chat.turns.widgets() and chat.turns.widgets()[-1].source_list is not None)
    pause(0.3)
    window.grab().save(str(options.out / "chat-passages.png"))
    wait(lambda: chat.turns.widgets() and chat.turns.widgets()[-1].turn.answered)
    save("chat")
    chat.turns.widgets()[-1].inspect_button.click()
    save("chat-inspector")
    app.close()


if __name__ == "__main__":
    raise SystemExit(main())
