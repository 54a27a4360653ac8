"""The composition root of the window: creates the shared objects and connects them.

Owns the theme, the language, the model registry and the open library. Contains no decision that
belongs to a screen or a service.
"""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from PySide6.QtCore import QCoreApplication, QEvent, QSettings, Qt, QTranslator
from PySide6.QtWidgets import QApplication

from . import __version__
from .engine import crash_log, paths
from .engine.crash_log import CrashReport
from .engine.errors import AppError, DamagedLibrary, NotALibrary
from .engine.llm.registry import ModelRegistry
from .engine.services.demo import demo_library
from .engine.services.library import complete_path
from .engine.services.preferences import Preferences
from .engine.text.reader_process import shared_reader
from .session import Session
from .ui import translation
from .ui.recovery.dialog import RecoveryDialog
from .ui.settings.window_options import WindowStore, build_theme
from .ui.shell.main_window import ask_for_library
from .ui.translation import tr
from .ui.welcome.window import WelcomeChoice, WelcomeWindow
from .ui.workspace import Workspace
from .workers.failures import ExceptionHooks
from .workers.garbage_collection import GarbageTimer

WELCOMED = "welcomed"
RECOVERABLE = (DamagedLibrary, NotALibrary)  # errors for which the ways back are offered


class FirstStart:
    """Shows the welcome steps at the first start and applies the choices."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._models = app.model_registry.list_models()
        self.window: WelcomeWindow | None = None

    @staticmethod
    def is_due(app: App) -> bool:
        """Return whether this user has never opened a library here."""
        known = app.settings.value("recent") or app.settings.value(WELCOMED)
        return not known and not paths.default_library().exists()

    def show(self, choice: WelcomeChoice | None = None, step: int = 0) -> None:
        """Show the welcome window in the current language."""
        made = WelcomeWindow(self._app.theme, self._models, self._app.language, choice)
        made.chosen.connect(self._begin)
        made.language_wanted.connect(self._speak)
        made.show_step(step)
        made.show()
        self.window = made

    def _speak(self, language: str) -> None:
        before = self.window
        if before is None or language == self._app.language:
            return
        WindowStore().change("language", language)
        self._app.speak()
        self.show(
            before.choice, before.pages.currentIndex()
        )  # before closing the old one, which would end the program
        before.finish()

    def _begin(self, choice: WelcomeChoice) -> None:
        window = self.window
        if window is None:
            return
        try:
            session = self._app.open_library(choice.library).session
        except AppError as error:
            window.show_problem(error)
            return
        self._app.settings.setValue(WELCOMED, True)
        if choice.sample:
            session.add_demo()
        if choice.files:
            session.add_paths(choice.files)
        self.window = None
        window.finish()


MAX_RECENT = 8
# If native code holds the interpreter for so long after the window was closed, the system ends the
# process. Otherwise the session has its own limit (`session.CLOSE_S`).
LONGEST_END_S = 10.0


class App:
    """The running program: one theme, one model registry, one open library."""

    def __init__(self, application: QApplication) -> None:
        paths.data_dir().mkdir(parents=True, exist_ok=True)
        self.settings = QSettings(str(paths.data_dir() / "window.ini"), QSettings.Format.IniFormat)
        self._application = application
        self._translators: list[QTranslator] = []
        self.workspace: Workspace | None = None
        self._closing: list[Workspace] = []  # whose threads have not ended
        self.first_start: FirstStart | None = None
        self.recovery: RecoveryDialog | None = None
        self._build()
        self._garbage = GarbageTimer()

    def _build(self) -> None:
        """Create the objects that all libraries share, from the current settings."""
        self.speak()
        self.theme = build_theme()
        self.theme.apply(self._application)
        self.model_registry = ModelRegistry(paths.model_folders(), Preferences().models)

    def speak(self) -> None:
        """Install the translators of the chosen language; visible texts keep theirs."""
        for translator in self._translators:
            self._application.removeTranslator(translator)
        self.language = translation.chosen_language(WindowStore().load().language)
        self._translators = translation.install(self._application, self.language)

    def restart(self) -> None:
        """Rebuild the window with the current settings and the same library."""
        if self.workspace is None:
            return
        path, screen = self.workspace.session.library.path, self.workspace.window.current
        # closing the last window would end the program
        self._application.setQuitOnLastWindowClosed(False)
        try:
            self._close_workspace()
            # now, because the new window would otherwise repaint the deleted widgets
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            if not self._closing:  # else a thread may be loading a model
                self.model_registry.close()
            self._build()
            self.open_library(path).window.show_screen(screen)
        finally:
            self._application.setQuitOnLastWindowClosed(True)

    def open_library(self, path: Path) -> Workspace:
        """Close the open library, if any, and show this one."""
        before = self.workspace
        if before is not None and before.session.library.path == Path(path).expanduser():
            before.window.activateWindow()
            return before
        workspace = Workspace(Session(path, self.model_registry), self.theme)
        window = workspace.window
        window.show()  # before closing the old one, which would end the program
        self._close_workspace()
        self.workspace = workspace
        window.library_requested.connect(lambda wanted: self._switch(Path(wanted)))
        window.restore_requested.connect(self._ask_for_backup)
        window.theme_requested.connect(self._set_theme)
        # from the event loop, because the restart deletes the sender
        window.restart_requested.connect(self.restart, Qt.ConnectionType.QueuedConnection)
        recent = [str(workspace.session.library.path), *self.recent_libraries()]
        self.settings.setValue("recent", list(dict.fromkeys(recent))[:MAX_RECENT])
        window.set_recent_libraries(self.recent_libraries())
        return workspace

    # --- the way back -----------------------------------------------------------------------

    def show_recovery(self, path: Path, error: AppError | None = None) -> None:
        """Show the ways back to a library; `error` says why it can't be opened."""
        path = complete_path(path)
        is_open = self.workspace is not None
        dialog = self.recovery = RecoveryDialog(self.theme, path, error, can_quit=not is_open)
        if is_open:
            dialog.setWindowModality(Qt.WindowModality.ApplicationModal)
        # closing the library, or the dialog before another window is shown, would end the program
        self._application.setQuitOnLastWindowClosed(False)

        def release() -> None:
            workspace = self.workspace
            if workspace is not None and workspace.session.library.path == path:
                self._close_workspace()
                QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

        def finish() -> None:
            if self.recovery is not dialog:
                return
            self.recovery = None
            if self.workspace is None and is_open:
                self._switch(path)  # nothing was restored
            self._application.setQuitOnLastWindowClosed(True)
            if self.workspace is None and self.recovery is None:
                self._application.quit()

        dialog.release_wanted.connect(release)
        dialog.library_ready.connect(lambda ready: self._open_from(dialog, Path(ready)))
        dialog.other_requested.connect(lambda: self._open_other(dialog))
        dialog.finished.connect(finish)
        dialog.show()

    def _ask_for_backup(self) -> None:
        """Show the ways back for the open library, which may be damaged."""
        if self.workspace is not None:
            library = self.workspace.session.library
            damage = library.damage
            self.show_recovery(library.path, damage.build_refusal() if damage.found else None)

    def _open_other(self, dialog: RecoveryDialog) -> None:
        if path := ask_for_library(dialog):
            self._open_from(dialog, Path(path))

    def _open_from(self, dialog: RecoveryDialog, path: Path) -> None:
        try:
            self.open_library(path)
        except AppError as error:
            dialog.show_error(error)
        else:
            dialog.accept()

    def recent_libraries(self) -> list[str]:
        found = self.settings.value("recent", [])
        paths_found = found if isinstance(found, list) else [found] if found else []
        return [str(path) for path in paths_found if Path(str(path)).exists()]

    def report_crash(self, report: CrashReport) -> None:
        """Show that the window ended unexpectedly last time, with a report."""
        if report.signal and "model" in report.step:
            self.model_registry.forget_trials()  # a model that passed its trial may be the cause
        if self.workspace is None:
            return
        window = self.workspace.window
        reason = report.signal or tr("it was ended by the system or another program")
        self.workspace.context.messages.show(
            tr(
                "Inkgraph ended unexpectedly last time: {reason}. Your library is safe.",
                reason=reason,
            ),
            kind="bad",
            action_text=tr("Show report"),
            action=lambda: window.show_report(crash=report.file),
        )

    def show_failure(self, error: BaseException) -> None:
        """Show an uncaught exception in the open window; it is already logged."""
        if self.workspace is not None:
            self.workspace.context.messages.show_error(error)
        elif self.first_start is not None and self.first_start.window is not None:
            self.first_start.window.show_error(error)

    def close(self) -> bool:
        """Close the window and stop all work.

        Returns:
            False if a thread still runs: the process must end without waiting for it.
        """
        self._close_workspace(end_program=True)
        self.settings.sync()
        self._garbage.stop()
        if self._closing:
            return False
        self.model_registry.close()
        return True

    def _close_workspace(self, *, end_program: bool = False) -> None:
        """Stop the work of the open library and close its window."""
        workspace, self.workspace = self.workspace, None
        if workspace is not None and not workspace.close(end_program=end_program):
            # Qt aborts the program if the object of a running thread is deleted.
            self._closing.append(workspace)
            workspace.session.closed.connect(lambda: self._closing.remove(workspace))

    def _switch(self, path: Path) -> None:
        try:
            self.open_library(path)
        except AppError as error:
            if isinstance(error, RECOVERABLE):
                self.show_recovery(path, error)
            elif self.workspace is not None:
                self.workspace.context.messages.show_error(error)

    def _set_theme(self, mode: str) -> None:
        self.settings.setValue("theme", mode)  # first, because the handlers of the change read it
        self.theme.set_mode(mode)


def run_window(arguments: list[str]) -> int:
    """Show the window until it is closed; return the exit code."""
    options = _parse(arguments)
    if options.temp_profile:
        os.environ.setdefault("INKGRAPH_MODELS", str(paths.models_dir()))
        os.environ["INKGRAPH_HOME"] = tempfile.mkdtemp(prefix="inkgraph-")
    existing = QApplication.instance()
    application = existing if isinstance(existing, QApplication) else QApplication(sys.argv[:1])
    application.setApplicationName("Inkgraph")  # not shown: a name
    application.setApplicationVersion(__version__)
    app = App(application)
    hooks = ExceptionHooks(app.show_failure)
    hooks.install()
    try:
        code = _run_app(app, application, options)
    finally:
        crash_log.end_process_after(LONGEST_END_S)
        is_closed = app.close()
        hooks.restore()
    if not is_closed:
        end_process(code)
    shared_reader().close()
    return code


def _run_app(app: App, application: QApplication, options: argparse.Namespace) -> int:
    """Open the library or the welcome window, and run the event loop."""
    asked_for = options.library or options.demo or options.files or options.temp_profile
    if not asked_for and FirstStart.is_due(app):
        app.first_start = FirstStart(app)
        app.first_start.show()
    else:
        path = _choose_library(options, app)
        try:
            session = app.open_library(path).session
            if options.demo:
                session.add_demo()
            if options.files:
                session.add_paths([str(file) for file in options.files])
        except AppError as error:
            print(f"inkgraph: {error}", file=sys.stderr)
            if not isinstance(error, RECOVERABLE):
                return error.exit_code
            app.show_recovery(path, error)
        if crashes := crash_log.take_crashes("window"):
            app.report_crash(crashes[-1])
    for number in (signal.SIGINT, signal.SIGTERM):
        # Python calls the handler when the garbage timer runs Python code, after 0.1 s at most.
        signal.signal(number, lambda *_: application.quit())
    return application.exec()


def end_process(code: int) -> NoReturn:
    """End this process although a thread still runs; what it did not commit is not in the file."""
    crash_log.end_session()
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def _parse(arguments: list[str]) -> argparse.Namespace:
    # the command line is in English
    parser = argparse.ArgumentParser(prog="inkgraph", description="Open the window.")  # not shown
    files_help = "documents to add, or a library"  # not shown
    parser.add_argument("files", nargs="*", type=Path, help=files_help)
    parser.add_argument("--library", type=Path, default=None)
    parser.add_argument("--demo", action="store_true", help="open the demo library")  # not shown
    temp_help = "try things without touching your own files"  # not shown
    parser.add_argument("--temp-profile", action="store_true", help=temp_help)
    options = parser.parse_args(arguments)
    libraries = [f for f in options.files if f.suffix == ".inkgraph"]
    if libraries and options.library is None:
        options.library = libraries[0]
    options.files = [f for f in options.files if f not in libraries]
    return options


def _choose_library(options: argparse.Namespace, app: App) -> Path:
    if options.library is not None:
        return options.library
    if options.demo:
        return demo_library()
    return Path(next(iter(app.recent_libraries()), paths.default_library()))
