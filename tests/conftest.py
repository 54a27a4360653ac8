"""Guards and fixtures for every test: no network, a temporary profile, no leaked threads.

Owns the guards and the few fixtures that every kind of test shares; fakes and sample data
are beside the tests that use them.
"""

from __future__ import annotations

import builtins
import functools
import gc
import hashlib
import logging
import os
import shutil
import socket
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

# Of the installed models only the small ones are used, where they are, so that tests do the same
# on every machine; everything else goes to a temporary folder.
# Set before any module of the program is imported, because some read the environment then.
from desktop_app.engine.paths import models_dir

INSTALLED = os.environ.setdefault("INKGRAPH_INSTALLED_MODELS", str(models_dir().absolute()))
_HOME = tempfile.mkdtemp(prefix="inkgraph-tests-")
os.environ["INKGRAPH_HOME"] = _HOME
os.environ["INKGRAPH_MODELS"] = str(Path(_HOME) / "installed models")
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.null.Keyring"  # not the user's
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
# Other tests run beside each test. Two threads of llama.cpp or PyTorch that share one processor
# wait for each other at every operation: an answer of the small model took 91 s instead of 32 s.
os.environ.setdefault("OMP_THREAD_LIMIT", "1")

import hypothesis  # noqa: E402
import shiboken6  # noqa: E402
from PySide6.QtCore import QCoreApplication, QEvent, QLocale, QObject, QThread  # noqa: E402
from PySide6.QtWidgets import QApplication, QMainWindow  # noqa: E402
from pytestqt.qtbot import QtBot  # noqa: E402

from desktop_app.engine.llm.catalogue import load_catalogue  # noqa: E402
from desktop_app.engine.llm.registry import find_entry_path  # noqa: E402
from desktop_app.engine.llm.trial import ModelTrials  # noqa: E402
from desktop_app.engine.services.library import Library  # noqa: E402
from desktop_app.workers.garbage_collection import collect_due  # noqa: E402
from run import TEST_MODELS  # noqa: E402
from tests.page_children import end_kept_page_children, kept_page_children  # noqa: E402
from tests.random_chat import write_random_chat  # noqa: E402

if TYPE_CHECKING:
    from desktop_app.app import App

# The key of an encrypted library takes 0.3 s of processor time each time that a library is made or
# opened. It follows from the passphrase and the salt alone, so for equal ones it is derived once.
hashlib.pbkdf2_hmac = functools.cache(hashlib.pbkdf2_hmac)

_build_class = builtins.__build_class__


def build_class(*arguments: Any, **options: Any) -> Any:
    """Refuse Qt classes that another thread than the window's makes, mostly by importing a module.

    PySide enters each class in tables which Qt reads without the interpreter's lock: the process
    crashes now and then.
    """
    made = _build_class(*arguments, **options)
    in_window = threading.current_thread() is threading.main_thread()
    if isinstance(made, type(QObject)) and not in_window:
        raise RuntimeError(f"{made.__qualname__} is a Qt class: make it in the window's thread")
    return made


builtins.__build_class__ = build_class

# No deadline: a slow machine is no failure. The same examples in every run, so that a change is
# judged by what it changes; few, because more of the same find nothing in later runs.
# `--hypothesis-profile=search` looks for new examples, and for many.
hypothesis.settings.register_profile(
    "inkgraph", deadline=None, print_blob=True, derandomize=True, database=None, max_examples=25
)
hypothesis.settings.register_profile("search", deadline=None, print_blob=True, max_examples=600)
hypothesis.settings.load_profile("inkgraph")

LOOPBACK = ("127.", "::1", "localhost")
THREAD_END_S = 15.0  # a lane may be in a step of SQLite, and the processor busy with others


def pytest_configure() -> None:
    folder = Path(os.environ["INKGRAPH_MODELS"])
    folder.mkdir()
    for entry in map(load_catalogue().get, TEST_MODELS):
        for name in (entry.file, f"{entry.file}.ok"):
            if (file := Path(INSTALLED, name)).is_file():
                _link(folder / name, file)


def _link(place: Path, file: Path) -> None:
    try:
        place.symlink_to(file)
    except OSError:  # Windows allows it to few users
        try:
            os.link(file, place)
        except OSError:
            shutil.copyfile(file, place)


def pytest_unconfigure() -> None:
    if isinstance(app := QApplication.instance(), QApplication):
        # Offscreen, the clipboard ends after Python; what was made by it would crash then.
        app.clipboard().clear()
    end_kept_page_children()
    shutil.rmtree(_HOME, ignore_errors=True)


# Files that take longest, longest first: begun last, one of them would leave a processor idle.
LONG_FILES = (
    "e2e/test_command_line.py",
    "unit/text/test_reader_process.py",
    "unit/text/test_reader_growth.py",
    "ui/test_user_workflow.py",
    "unit/llm/test_hosted_models.py",
    "unit/services/test_file_versions.py",
    "e2e/test_closing.py",
    "unit/services/test_importing.py",
    "unit/services/test_text_analysis.py",
    "e2e/test_main_task.py",
    "ui/test_clipped_texts.py",
    "unit/services/test_awkward_texts.py",
    "e2e/test_scanned_pages.py",
    "ui/controllers/test_enrichment.py",
    "ui/test_encrypted_libraries.py",
    "unit/services/test_recovery.py",
    "ui/controllers/test_duplicates.py",
    "e2e/test_second_window.py",
    "unit/text/ocr/test_ocr_process.py",
    "unit/llm/test_pytorch_models.py",
    "unit/services/test_indexing.py",
    "unit/llm/test_installer.py",
    "ui/test_panel_widths.py",
    "ui/recovery/test_recovery.py",
    "unit/services/test_cluster_enrichment.py",
    "unit/servers/test_http_server.py",
    "ui/reader/test_annotations.py",
    "ui/reader/test_tabs.py",
    "e2e/test_model_hosts.py",
    "ui/test_catalogue.py",
    "unit/retrieval/test_graph_routes.py",
    "unit/llm/test_trial.py",
    "arch/test_named_places.py",
    "unit/llm/test_embedding.py",
    "unit/services/test_cluster.py",
    "ui/settings/test_settings_screen.py",
    "e2e/test_nothing_outside.py",
    "unit/services/test_importing_attacks.py",
    "unit/services/test_ocr.py",
    "ui/test_app.py",
)


def _find_rank(item: pytest.Item) -> int:
    """Return the place of a test's file among the long ones; all others come after them."""
    name = item.path.as_posix()
    ranks = (rank for rank, file in enumerate(LONG_FILES) if name.endswith(f"/tests/{file}"))
    return next(ranks, len(LONG_FILES))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=_find_rank)  # stable
    if os.environ.get("INKGRAPH_NO_MODELS"):
        skip = pytest.mark.skip(reason="INKGRAPH_NO_MODELS is set")
        for item in items:
            if item.get_closest_marker("model"):
                item.add_marker(skip)


@pytest.fixture(autouse=True)
def only_tests_of_models_have_models(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hide the small models from tests that are not marked `model`.

    Each command would try and load them for nothing, which takes two seconds each time.
    """
    if request.node.get_closest_marker("model") is None:
        monkeypatch.setenv("INKGRAPH_MODELS", str(Path(_HOME) / "no models"))


@pytest.fixture(scope="session")
def small_models() -> Path:
    """Return the folder of the small models, for a test that chooses among them."""
    return Path(_HOME) / "installed models"


@pytest.fixture(scope="session")
def random_chat(small_models: Path) -> Path:
    """Return the path of a chat model that writes words at random."""
    source = find_entry_path(load_catalogue().get("smollm2-135m"), [small_models])
    if source is None:
        pytest.fail("smollm2-135m is not installed; INKGRAPH_NO_MODELS=1 leaves model tests out.")
    return write_random_chat(source, Path(_HOME) / source.name)


@pytest.fixture
def installed_models() -> Path:
    """Return the folder of all installed models, for slow tests that need a larger one."""
    return Path(INSTALLED)


@pytest.fixture(scope="module")
def models_are_not_tried() -> Iterator[None]:
    """Let models be used at once; `test_trial` has the process that tries each of them before.

    Every new profile would try them again: 3 s for a small model, 0.7 s for one of random weights.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ModelTrials, "ensure_runs", lambda self, *facts, **options: None)
        yield


@pytest.fixture(scope="module", autouse=True)
def page_children_are_kept() -> Iterator[None]:
    """Draw the pages of all tests in few processes; files about these replace this fixture."""
    with kept_page_children():
        yield


@pytest.fixture
def tmp_library_path(tmp_path: Path) -> Path:
    """Return the path for a new library."""
    return tmp_path / "library.inkgraph"


# --- no network ---------------------------------------------------------------------------------


class NetworkUsed(AssertionError):
    """A test tried to use the network."""


@pytest.fixture(autouse=True)
def network_attempts(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[list[str]]:
    """Close all sockets; tests marked `loopback` may talk to this machine.

    Attempts are kept as well as refused, since code that copes with a missing network would
    hide them; a test that expects one empties the list.
    """
    attempts: list[str] = []
    loopback = request.node.get_closest_marker("loopback") is not None
    true_connect, true_connect_ex = socket.socket.connect, socket.socket.connect_ex
    true_getaddrinfo = socket.getaddrinfo

    def check(family: int | None, host: Any) -> None:
        if family == getattr(socket, "AF_UNIX", -1):
            return
        if loopback and str(host).startswith(LOOPBACK):
            return
        attempts.append(str(host))
        raise NetworkUsed(f"a test tried to reach {host}; nothing leaves this machine")

    def connect(self: socket.socket, address: Any) -> None:
        check(self.family, address[0] if isinstance(address, tuple) else address)
        true_connect(self, address)

    def connect_ex(self: socket.socket, address: Any) -> int:
        check(self.family, address[0] if isinstance(address, tuple) else address)
        return true_connect_ex(self, address)

    def getaddrinfo(host: Any, *args: Any, **kwargs: Any) -> Any:
        check(None, host)
        return true_getaddrinfo(host, *args, **kwargs)

    monkeypatch.setattr(socket.socket, "connect", connect)
    monkeypatch.setattr(socket.socket, "connect_ex", connect_ex)
    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    yield attempts
    assert not attempts, f"tried to reach {', '.join(attempts)}"


# --- waiting ends soon ---------------------------------------------------------------------------

WAIT_MS = 30_000  # five seconds were too few on a machine whose processors others shared


def wait_until(bot: QtBot, callback: Callable[[], bool | None], *, timeout: int = WAIT_MS) -> None:
    """Process events until the callback returns True, or None without an AssertionError.

    That of pytest-qt looks each 10 ms, so that a processor idles through most of the thousand waits
    for something that is there after one or two. This one looks after 1 ms, then less often.

    Raises:
        TimeoutError: that of pytest-qt, after `timeout` milliseconds.
    """
    __tracebackhide__ = True
    deadline = time.monotonic() + timeout / 1000
    pause = 1
    while True:
        try:
            found = callback()
        except AssertionError as error:
            if time.monotonic() > deadline:
                raise bot.TimeoutError(f"waited in vain for {timeout} milliseconds") from error
        else:
            if found not in (None, True, False):
                raise ValueError(f"the callback has to return None, True or False, not {found!r}")
            if found is None or found:
                return
            if time.monotonic() > deadline:
                raise bot.TimeoutError(f"waited in vain for {timeout} milliseconds")
        bot.wait(pause)
        pause = min(pause + 1, 10)


QtBot.waitUntil = wait_until  # type: ignore[method-assign]


# --- no bug is hidden ----------------------------------------------------------------------------


class BugRecords(logging.Handler):
    """Keeps log records of bugs: failures that are no `AppError`."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


@pytest.fixture(autouse=True)
def logged_bugs() -> Iterator[list[logging.LogRecord]]:
    """Fail a test in which an operation failed by a bug, even if a screen handled that.

    A test that expects one empties the list.
    """
    handler, logger = BugRecords(), logging.getLogger("desktop_app.workers.failures")
    logger.addHandler(handler)
    yield handler.records
    logger.removeHandler(handler)
    bugs = [f"{record.getMessage()}: {record.exc_info[1]!r}" for record in handler.records]
    assert not bugs, f"failed in an operation: {', '.join(bugs)}"


# --- garbage is collected in this thread ---------------------------------------------------------

_thresholds = gc.get_threshold()
gc.disable()  # as in the window: a lane that collects would destroy objects of this thread


@pytest.fixture(autouse=True)
def garbage_is_collected_here() -> Iterator[None]:
    yield
    gc.disable()  # a closed window enabled it again
    if collect_due(_thresholds) == 2:
        gc.freeze()  # modules and tests, which would be examined again each time: 0.4 s


# --- what was to be deleted is deleted -----------------------------------------------------------


def find_main_windows() -> list[QMainWindow]:
    """Return the main windows that are not deleted, visible or not."""
    if not isinstance(QCoreApplication.instance(), QApplication):
        return []
    return [w for w in QApplication.topLevelWidgets() if isinstance(w, QMainWindow)]


def delete_windows(before: list[QMainWindow]) -> list[str]:
    """Delete all main windows but those before; return what they were.

    One that stayed would take the pointer in later tests, and every theme would restyle it.
    """
    left = [window for window in find_main_windows() if window not in before]
    names = [repr(window) for window in left]
    for window in left:
        window.hide()
        window.deleteLater()
    if left:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return names


@pytest.fixture(autouse=True)
def deleted_later_is_deleted_now() -> Iterator[None]:
    """Delete closed windows after each test, as the event loop would; fail if one stays.

    A window has a thousand widgets. Every style sheet that a later test sets restyles them.
    """
    before = find_main_windows()
    yield
    if QCoreApplication.instance() is not None:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    left = delete_windows(before)
    assert not left, f"not deleted after the test: {', '.join(left)}"


@pytest.fixture(autouse=True)
def window_places_are_forgotten() -> Iterator[None]:
    """Forget sizes and panels of windows after a test without a profile of its own.

    A later window would be as small as the last one was, and would hide panels for want of room.
    """
    yield
    Path(_HOME, "window.ini").unlink(missing_ok=True)


# --- no threads left behind -----------------------------------------------------------------------

_started: list[weakref.ref[QThread]] = []
_true_start = QThread.start


def _recorded_start(self: QThread, *args: Any) -> None:
    _started.append(weakref.ref(self))
    _true_start(self, *args)


# Searching all objects for running QThreads would take longer than most tests.
QThread.start = _recorded_start  # type: ignore[method-assign]


def find_running_qthreads() -> list[QThread]:
    """Return the QThreads that were started and still run."""
    alive = [thread for ref in _started if (thread := ref()) is not None]
    return [thread for thread in alive if shiboken6.isValid(thread) and thread.isRunning()]


@pytest.fixture(autouse=True)
def no_thread_survives() -> Iterator[None]:
    """Fail a test that leaves a QThread or a non-daemon thread running."""
    before = set(threading.enumerate())
    before_qt = {id(thread) for thread in find_running_qthreads()}
    yield
    left = []
    for qthread in find_running_qthreads():
        if id(qthread) not in before_qt and not qthread.wait(int(THREAD_END_S * 1000)):
            left.append(f"QThread {qthread.objectName() or type(qthread).__name__!r}")
    for thread in set(threading.enumerate()) - before:
        if not thread.daemon:
            thread.join(THREAD_END_S)
            if thread.is_alive():
                left.append(f"thread {thread.name!r}")
    _started[:] = [ref for ref in _started if ref() is not None]
    assert not left, f"still running after the test: {', '.join(left)}"


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """Yield an empty library and close it afterwards."""
    made = Library(tmp_path / "small.inkgraph")
    yield made
    made.close()


# --- the program ----------------------------------------------------------------------------------


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """Return the folder of the models of `app`: none is installed, unless a file has its own."""
    return tmp_path / "no models"


@pytest.fixture
def app(
    qapp: QApplication, tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[App]:
    """Yield the program with an empty profile, and close it afterwards."""
    from desktop_app.app import App
    from desktop_app.ui.settings.window_options import WindowStore

    monkeypatch.setenv("INKGRAPH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("INKGRAPH_MODELS", str(models))
    locale = QLocale()
    made = App(qapp)
    yield made
    made.close()
    # Without an event loop; remaining widgets would be painted again with every theme.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    WindowStore().change("language", "en")
    made.speak()
    QLocale.setDefault(locale)
