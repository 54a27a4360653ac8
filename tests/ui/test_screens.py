"""Screens are imported and built after the window is shown, or when they are asked for."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import pytest
from PySide6.QtCore import SIGNAL, QEvent, QObject
from PySide6.QtWidgets import QApplication, QSplitter, QWidget

from desktop_app.app import App
from desktop_app.engine.services.library import Library
from desktop_app.ui.screens import SCREENS, prepare_screens
from desktop_app.ui.shell.main_window import STACKED
from desktop_app.ui.shell.navigator import Screens
from tests.books import add_book

ROOT = Path(__file__).resolve().parents[2]
OTHERS = [name for name in SCREENS if name != "library"]
# Opens a library as the program does, and prints what was imported until its window is shown.
PROGRAM = """
import os, sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
from desktop_app.app import App
application = QApplication([])
workspace = App(application).open_library(Path(sys.argv[1]))
assert workspace.window.isVisible()
print(*sys.modules, flush=True)
os._exit(0)
"""


# Took half of the start. The window needs none of it, nor do the first rows of its lists.
LATE = (
    *("scipy", "asyncio", "filelock", "http.client", "ssl", "email", "lxml", "rapidfuzz"),
    *("difflib", "sqlite3", "sqlite_vec", "httpx2", "onnxruntime", "llama_cpp", "spacy", "torch"),
    *(
        f"desktop_app.engine.{name}"
        for name in (
            "answering",
            "communities.report_writing",
            "extraction.instant",
            "extraction.llm.strategy",
            "extraction.rules",
            "graph",
            "llm.hosted_models",
            "llm.link_download",
            "llm.remote.chat",
            "llm.remote.client",
            "retrieval",
            "services.bibliography",
            "services.duplicates",
            "services.editing",
            "services.evaluation",
            "services.graph_update",
            "services.graph_views",
            "services.importing",
            "services.indexing",
            "services.quotation_search",
            "services.text_analysis",
            "text.shown_text",
        )
    ),
)


@pytest.fixture
def app(qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    monkeypatch.setenv("INKGRAPH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("INKGRAPH_MODELS", str(tmp_path / "no models"))
    made = App(qapp)
    yield made
    made.close()


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """Return a library with two books."""
    path = tmp_path / "small.inkgraph"
    made = Library(path)
    add_book(made)
    add_book(made, title="The Clockmaker again")
    made.close()
    return path


def test_what_the_window_does_not_need_is_imported_after_it_is_shown(library: Path, tmp_path: Path):
    command = [sys.executable, "-c", PROGRAM, str(library)]
    environment = {"INKGRAPH_HOME": str(tmp_path / "home"), "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={"PATH": "", "HOME": str(tmp_path), **environment},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    imported = set(done.stdout.split())
    modules = {name: f"desktop_app.ui{plan.module}" for name, plan in SCREENS.items()}
    assert [name for name, module in modules.items() if module in imported] == ["library"]
    seldom = {"pyqtgraph", "desktop_app.ui.recovery.dialog", "desktop_app.ui.welcome.window"}
    assert not seldom & imported
    early = {name for name in imported if name.startswith(tuple(LATE))}
    assert not early, "import these where they are used, or in `Session.prepare`"
    # 540 when this was written, 810 before: a new one needs a reason
    assert len(imported) < 580


def test_a_screen_that_was_in_front_is_built_first_and_the_others_when_they_are_shown(
    app: App, library: Path, qtbot
):
    app.open_library(library).window.show_screen("merge")
    app.close_workspace()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    workspace = app.open_library(library)
    window, screens = workspace.window, workspace.window.screens
    assert window.current == "merge" and screens.merge.isVisible()
    assert list(screens.list_built()) == ["library", "merge"]
    for name in reversed(STACKED):  # at once, before anything is prepared
        window.show_screen(name)
        assert screens.get(name).isVisible() and window.stack.currentWidget() is screens.get(name)
    window.show_screen("reader")
    assert screens.reader.isVisible()
    assert set(screens.list_built()) == set(SCREENS)
    for name in ("graph", "entity", "merge", "communities", "chat", "highlights"):
        assert screens.get(name).receivers(SIGNAL("open_passage(int,int,int)")) == 1, name
    assert screens.settings.receivers(SIGNAL("restart_wanted()")) == 1
    # what came before the screen was built reaches it: the titles of the documents
    documents = screens.entity.names.document
    qtbot.waitUntil(lambda: documents.count() == 3)


def test_a_library_is_closed_while_screens_are_being_built(app: App, library: Path):
    workspace = app.open_library(library)
    workspace.window.screens.begin("graph")
    workspace.window.screens.begin("reader")
    graph = workspace.window.screens._begun["graph"]
    app.workspace = None
    assert workspace.close(), "no thread was left running"
    assert workspace.window.screens.graph is graph


class Listener(QObject):
    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def note(self, name: str, screen: QWidget) -> None:
        self.names.append(name)


def test_each_screen_is_built_once_in_any_order(qapp: QApplication):
    for order in permutations(("chat", "graph", "settings")):
        built: list[str] = []

        def build(name: str, built: list[str] = built) -> QWidget:
            built.append(name)
            return QWidget()

        screens = Screens({name: lambda name=name: build(name) for name in SCREENS})
        listener = Listener()
        screens.get("library")
        screens.when_built(listener.note)
        for name in (*order, *order):
            assert screens.get(name) is screens.get(name)
        screens.begin("merge")
        assert not screens.is_built("merge") and listener.names == ["library", *order]
        screens.finish()
        assert listener.names == built == ["library", *order, "merge"]
        assert set(screens.list_built()) == {"library", "merge", *order}


def test_screens_are_prepared_in_steps_of_which_each_builds_one(qtbot):
    class Slow(QSplitter):
        def prepare(self) -> Iterator[None]:
            built.append("settings more")
            yield

    built: list[str] = []

    def build(name: str) -> QWidget:
        built.append(name)
        return Slow() if name == "settings" else QWidget()

    screens = Screens({name: lambda name=name: build(name) for name in SCREENS})
    counts, before = [], 0
    for _ in prepare_screens(screens):
        counts.append(len(built) - before)
        before = len(built)
    expected = list(SCREENS)
    expected.insert(expected.index("settings") + 1, "settings more")
    assert built == expected and max(counts) == 1


IMPORTING = """
import sys
import desktop_app.__main__, desktop_app.app
from desktop_app.ui.screens import SCREENS, import_screen

for name, plan in SCREENS.items():
    before = set(sys.modules)
    for _ in import_screen(plan):
        imported = set(sys.modules) - before
        own = [one for one in imported if one.startswith("desktop_app.ui.")]
        print(name, len(own), sum(one.startswith("pyqtgraph") for one in imported) > 0)
        before |= imported
    assert f"desktop_app.ui{plan.module}" in sys.modules
"""


def test_screens_are_imported_in_small_steps():
    """The window imports them while it is used: a screen at once would take up to half a second."""
    done = subprocess.run(
        [sys.executable, "-c", IMPORTING], capture_output=True, text=True, check=True
    )
    steps = [line.split() for line in done.stdout.splitlines()]
    assert {name for name, *_ in steps} >= {"reader", "chat", "entity", "graph", "settings"}
    assert max(int(n) for _, n, _ in steps) <= 20
    [with_pyqtgraph] = [int(n) for _, n, has in steps if has == "True"]
    assert with_pyqtgraph == 0, "a step of its own"


def test_a_qt_class_of_another_thread_is_refused():
    refused: list[str] = []

    def make() -> None:
        try:

            class Made(QWidget):
                pass
        except RuntimeError as error:
            refused.append(str(error))

    thread = threading.Thread(target=make)
    thread.start()
    thread.join()
    assert len(refused) == 1 and "Made is a Qt class" in refused[0]
