"""The composition root of the window: creates the shared objects and connects them.

Owns the theme, the language, the model registry and the open library. Contains no decision that
belongs to a screen or a service.
"""

from __future__ import annotations

import argparse
import logging
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer, QTranslator
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from . import __version__
from .engine import crash_log, paths
from .engine.crash_log import CrashReport
from .engine.errors import (
    AppError,
    DamagedLibrary,
    MissingLibrary,
    NotALibrary,
    cannot_write,
    missing_library,
)
from .engine.exit_status import EXIT_BUG
from .engine.garbage import return_large_blocks
from .engine.llm.registry import ModelRegistry
from .engine.services.demo import demo_library
from .engine.services.encryption import EncryptionChange, apply_change, key_to_open
from .engine.services.library import complete_path
from .engine.services.open_windows import (
    find_windows,
    is_request_taken,
    request_front,
    withdraw_request,
)
from .engine.services.preferences import Preferences
from .engine.store.encryption import (
    LibraryKey,
    find_known_key,
    hold_key,
    is_encrypted,
    release_key,
)
from .session import Session
from .ui import translation
from .ui.messages import describe_error
from .ui.settings.window_options import WindowStore, build_theme
from .ui.shell.main_window import ask_for_library
from .ui.shell.splash import Splash
from .ui.theme.logo import build_window_icon
from .ui.theme.theme import Theme
from .ui.translation import later, tr
from .ui.window_file import open_window_file
from .ui.workspace import Workspace
from .workers.failures import ExceptionHooks, log_failure
from .workers.garbage_collection import GarbageTimer
from .workers.lane import Lane
from .workers.open_window import OpenWindow
from .workers.operations import Query
from .workers.viewport_choice import ViewportChoice

if TYPE_CHECKING:  # dialogs that most starts do not show are imported when they are
    from .ui.library.encryption import EncryptionProgressDialog, PassphraseDialog
    from .ui.library.open_elsewhere import OpenElsewhereDialog
    from .ui.recovery.dialog import RecoveryDialog
    from .ui.welcome.window import WelcomeChoice, WelcomeWindow

WELCOMED = "welcomed"
ENCRYPTION_END_MS = 500
# errors for which the ways back are offered
RECOVERABLE = (DamagedLibrary, MissingLibrary, NotALibrary)


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
        from .ui.welcome.window import WelcomeWindow

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

        def begin(workspace: Workspace) -> None:
            self._app.settings.setValue(WELCOMED, True)
            if choice.sample:
                workspace.session.add_demo()
            if choice.files:
                workspace.session.add_paths(choice.files)
            for name in choice.models:
                workspace.window.screens.models.install(name)
            self.window = None
            window.finish()

        def open_encrypted(key: LibraryKey | None) -> None:
            try:
                begin(self._app.open_library(choice.library, key))
            except AppError as error:
                window.show_problem(error)

        if choice.passphrase:
            self._app.encrypted.derive(choice.library, choice.passphrase, open_encrypted)
            return
        try:
            self._app.open_or_ask(choice.library, begin)
        except AppError as error:
            window.show_problem(error)


class EncryptedLibraries:
    """Asks for the passphrase of a library, and rewrites the file of the open one.

    Keys are derived and files written in a lane of its own, because both take time.
    """

    def __init__(self, app: App) -> None:
        self._app = app
        self._lane = Lane("encryption", app.show_failure)
        self.dialog: PassphraseDialog | EncryptionProgressDialog | None = None

    def close(self) -> bool:
        """Return False if a file is being written; it is not in the place of the library yet."""
        return self._lane.close(ENCRYPTION_END_MS)

    def ask(self, path: Path, then: Callable[[Workspace], None]) -> None:
        """Show the dialog for the passphrase of a library until it is opened or given up."""
        from .ui.library.encryption import PassphraseDialog

        window = self._app.workspace.window if self._app.workspace else None
        dialog = self.dialog = PassphraseDialog(path.stem, window, has_other=window is None)
        self._app.theme.adopt(dialog)

        tried: LibraryKey | None = None
        failure: AppError | None = None

        def open_library(key: LibraryKey | None) -> None:
            nonlocal tried, failure
            tried = key
            try:
                workspace = self._app.open_library(path, key)
            except AppError as error:
                failure = error
                dialog.show_problem(describe_error(error), has_backups=True)
                return
            then(workspace)
            dialog.accept()

        def show_backups() -> None:
            self._app.show_recovery(path, failure, tried, then)
            dialog.reject()

        def derive(passphrase: str) -> None:
            query = Query(self._lane, key_to_open, path, passphrase, owner=dialog)
            query.on_success(open_library).run()

        def ask_for_other() -> None:
            other = ask_for_library(dialog)
            if not other:
                return
            try:
                self._app.open_or_ask(Path(other), then)
            except AppError as error:
                dialog.show_problem(describe_error(error))
            else:
                dialog.reject()  # not before the other window is open: the program would end

        dialog.entered.connect(derive)
        dialog.other_wanted.connect(ask_for_other)
        dialog.backups_wanted.connect(show_backups)
        dialog.open()

    def create(self, path: Path, passphrase: str) -> None:
        """Make a new library, encrypted if there is a passphrase, and open it."""
        if not passphrase:
            self._app.switch_library(path)
            return
        self.derive(path, passphrase, lambda key: self._app.switch_library(path, key))

    def derive(
        self, path: Path, passphrase: str, then: Callable[[LibraryKey | None], None]
    ) -> None:
        """Give the key of a passphrase for a new library."""
        Query(self._lane, key_to_open, path, passphrase).on_success(then).run()

    def apply(self, change: EncryptionChange) -> None:
        """Close the open library, encrypt or decrypt its file, and open it again."""
        from .ui.library.encryption import EncryptionProgressDialog

        workspace = self._app.workspace
        if workspace is None:
            return
        library, screen = workspace.session.library, workspace.window.current
        path, key = library.path, library.key
        encrypt, decrypt = later("Encrypting “{name}”…"), later("Decrypting “{name}”…")
        title = decrypt if change.passphrase is None else encrypt
        dialog = self.dialog = EncryptionProgressDialog(tr(title, name=path.stem))
        self._app.theme.adopt(dialog)
        dialog.show()  # before the window is closed, which would end the program

        def reopen(new_key: LibraryKey | None) -> Workspace | None:
            try:
                opened = self._app.open_library(path, new_key)
            except AppError as error:
                dialog.show_problem(describe_error(error))
                return None
            opened.window.show_screen(screen)
            dialog.finish()
            return opened

        def show_result(new_key: LibraryKey | None) -> None:
            if opened := reopen(new_key):
                encrypted, plain = later("“{name}” is encrypted."), later("“{name}” is decrypted.")
                words = encrypted if new_key else plain
                opened.context.messages.show(tr(words, name=path.stem), kind="ok")

        def show_failure(error: BaseException) -> None:
            # An encrypted library whose copies can't be deleted, for example, has the new key.
            if is_encrypted(path) != (key is not None):
                dialog.finish()
                self._app.open_or_ask(path)
            elif opened := reopen(key):
                opened.context.messages.show_error(error)

        query = Query(self._lane, apply_change, path, key, change)
        query.on_success(show_result).on_error(show_failure)
        # At once, or when its last thread has ended. A bound method would not keep the query alive
        # until then, and the library would neither be encrypted nor opened again.
        workspace.session.closed.connect(lambda: query.run())
        self._app.close_workspace()


class OpenElsewhere:
    """Asks what to do about a library that the window of another process has open."""

    def __init__(self, app: App) -> None:
        self._app = app
        self.dialog: OpenElsewhereDialog | None = None

    def ask(
        self,
        path: Path,
        open_here: Callable[[], None],
        open_other: Callable[[Path], None],
        files: Sequence[str],
    ) -> None:
        """Show the dialog until that window is in front, or a library is open here.

        Args:
            files: are added in that window if it comes to the front.
        """
        from .ui.library.open_elsewhere import OpenElsewhereDialog

        window = self._app.workspace.window if self._app.workspace else None
        dialog = self.dialog = OpenElsewhereDialog(path.stem, window, has_other=window is None)
        self._app.theme.adopt(dialog)

        def run(work: Callable[[], None]) -> None:
            try:
                work()
            except AppError as error:
                dialog.show_problem(describe_error(error))
            else:
                dialog.accept()  # not before another window is open: the program would end

        def show_other_window() -> None:
            marks = find_windows(path)
            if not marks:  # it was closed meanwhile
                run(open_here)
                return
            dialog.set_busy(True)
            try:
                request_front(marks[-1], files)
            except OSError as error:
                dialog.show_problem(describe_error(cannot_write(marks[-1].parent, error)))
                return
            began = time.monotonic()

            def look() -> None:
                if is_request_taken(marks[-1]):
                    dialog.accept()
                elif time.monotonic() - began > ANSWER_S:
                    timer.stop()
                    withdraw_request(marks[-1])
                    dialog.show_problem(tr("That window does not answer."))

            timer = QTimer(dialog, interval=ANSWER_LOOK_MS)
            timer.timeout.connect(look)
            timer.start()

        def ask_for_other() -> None:
            if other := ask_for_library(dialog):
                run(lambda: open_other(Path(other)))

        dialog.show_wanted.connect(show_other_window)
        dialog.open_wanted.connect(lambda: run(open_here))
        dialog.other_wanted.connect(ask_for_other)
        dialog.open()


# How long another window has to take a request: it is asked for at once, unless it computes.
ANSWER_S, ANSWER_LOOK_MS = 5.0, 50
MAX_RECENT = 8
# If native code holds the interpreter for so long after the window was closed, the system ends the
# process. Otherwise the session has its own limit (`session.CLOSE_S`).
LONGEST_END_S = 10.0
# How long a thread may keep the interpreter while another one wants it. Most calls into Qt give it
# up and take it back: with three threads that compute, opening a tab took 556 ms at Python's 5 ms,
# 57 ms at 0.5 ms. At 0.1 ms the names screen of 20 novels, while duplicates are searched, is first
# shown in 150 to 240 ms instead of 330 to 410; three computing threads do 7 % less than at 0.5 ms.
SWITCH_S = 0.0001


class App:
    """The running program: one theme, one model registry, one open library.

    Args:
        theme: that of the saved settings, if it was built already.
    """

    def __init__(self, application: QApplication, theme: Theme | None = None) -> None:
        paths.data_dir().mkdir(parents=True, exist_ok=True)
        self.settings = open_window_file()
        self._application = application
        self._translators: list[QTranslator] = []
        self.workspace: Workspace | None = None
        self._closing: list[Workspace] = []  # whose threads have not ended
        self.first_start: FirstStart | None = None
        self.encrypted = EncryptedLibraries(self)
        self.elsewhere = OpenElsewhere(self)
        self.viewports = ViewportChoice(paths.data_dir() / "graphics.json", self.show_failure)
        self.recovery: RecoveryDialog | None = None
        self._build(theme)
        return_large_blocks()
        self._garbage = GarbageTimer()
        self._switch_s = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH_S)

    def _build(self, theme: Theme | None = None) -> None:
        """Create the objects that all libraries share, from the current settings."""
        self.speak()
        self.theme = theme or build_theme()
        self.theme.apply(self._application, sets_sheet=False)
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
        library, screen = self.workspace.session.library, self.workspace.window.current
        with self.keep_running():
            self.close_workspace()
            # now, because the new window would otherwise repaint the deleted widgets
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            if not self._closing:  # else a thread may be loading a model
                self.model_registry.close()
            self._build()
            self.open_library(library.path, library.key).window.show_screen(screen)

    @contextmanager
    def keep_running(self) -> Iterator[None]:
        """Close the last window without ending the program; another one is shown at the end."""
        self._application.setQuitOnLastWindowClosed(False)
        try:
            yield
        finally:
            self._application.setQuitOnLastWindowClosed(True)

    def open_or_ask(
        self,
        path: Path,
        then: Callable[[Workspace], None] = lambda workspace: None,
        files: Sequence[str] = (),
    ) -> None:
        """Open a library: one that another window has open after a question, an encrypted one after
        its passphrase was entered.

        Args:
            files: that `then` adds; another window adds them if it is shown instead.

        Raises:
            AppError: it can't be opened; after a dialog was shown, the dialog shows why.
        """
        path = complete_path(path)
        is_open = self.workspace is not None and self.workspace.session.library.path == path
        if is_open or not find_windows(path):
            self._open_or_ask_passphrase(path, then)
            return
        open_other = partial(self.open_or_ask, then=then, files=files)
        open_here = partial(self._open_or_ask_passphrase, path, then)
        self.elsewhere.ask(path, open_here, open_other, files)

    def _open_or_ask_passphrase(self, path: Path, then: Callable[[Workspace], None]) -> None:
        is_open = self.workspace is not None and self.workspace.session.library.path == path
        if is_encrypted(path) and not is_open and find_known_key(path) is None:
            self.encrypted.ask(path, then)
        else:
            then(self.open_library(path))

    def open_library(self, path: Path, key: LibraryKey | None = None) -> Workspace:
        """Close the open library, if any, and show this one."""
        before = self.workspace
        if before is not None and before.session.library.path == Path(path).expanduser():
            before.window.activateWindow()
            return before
        mark = OpenWindow(complete_path(path))
        try:
            session = Session(path, self.model_registry, key, is_shared=mark.has_others)
        except BaseException:
            mark.close()
            raise
        use_opengl = self.viewports.decide(WindowStore().load().drawing)
        workspace = Workspace(session, self.theme, use_opengl=use_opengl, mark=mark)
        window = workspace.window
        window.show()  # before closing the old one, which would end the program
        self.close_workspace()
        self.workspace = workspace
        window.library_wanted.connect(lambda wanted: self.switch_library(Path(wanted)))
        window.new_library_wanted.connect(
            lambda path, passphrase: self.encrypted.create(Path(path), passphrase)
        )
        # from the event loop, because the window that emits it is deleted
        window.encryption_wanted.connect(self.encrypted.apply, Qt.ConnectionType.QueuedConnection)
        window.restore_wanted.connect(self._ask_for_backup)
        window.theme_wanted.connect(self._set_theme)
        workspace.opengl_failed.connect(self.viewports.record_failure)
        self.viewports.try_soon()
        # from the event loop, because the restart deletes the sender
        window.restart_wanted.connect(self.restart, Qt.ConnectionType.QueuedConnection)
        recent = [str(workspace.session.library.path), *self._used_libraries()]
        self.settings.setValue("recent", list(dict.fromkeys(recent))[:MAX_RECENT])
        window.set_recent_libraries(self.recent_libraries())
        return workspace

    # --- the way back -----------------------------------------------------------------------

    def show_recovery(
        self,
        path: Path,
        error: AppError | None = None,
        key: LibraryKey | None = None,
        then: Callable[[Workspace], None] = lambda workspace: None,
    ) -> None:
        """Show the ways back to a library.

        Args:
            error: why it can't be opened.
            key: of an encrypted library; opens its backups while the dialog is open.
            then: gets the library that is opened in its place.
        """
        from .ui.recovery.dialog import RecoveryDialog

        path = complete_path(path)
        is_open = self.workspace is not None
        if key is not None:
            hold_key(key)
        dialog = self.recovery = RecoveryDialog(self.theme, path, error, can_quit=not is_open)
        self.theme.adopt(dialog)
        if is_open:
            dialog.setWindowModality(Qt.WindowModality.ApplicationModal)
        # closing the library, or the dialog before another window is shown, would end the program
        self._application.setQuitOnLastWindowClosed(False)

        def release() -> None:
            workspace = self.workspace
            if workspace is not None and workspace.session.library.path == path:
                self.close_workspace()
                QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

        def finish() -> None:
            if self.recovery is not dialog:
                return
            self.recovery = None
            if self.workspace is None and is_open:
                self.switch_library(path)  # nothing was restored
            if key is not None:
                release_key(key)
            self._application.setQuitOnLastWindowClosed(True)
            if self.workspace is None and self.recovery is None:
                self._application.quit()

        dialog.release_wanted.connect(release)
        dialog.library_ready.connect(lambda ready: self._open_from(dialog, Path(ready), then))
        dialog.other_wanted.connect(lambda: self._open_other(dialog, then))
        dialog.finished.connect(finish)
        dialog.show()

    def _ask_for_backup(self) -> None:
        """Show the ways back for the open library, which may be damaged."""
        if self.workspace is not None:
            library = self.workspace.session.library
            damage = library.damage
            error = damage.build_refusal() if damage.found else None
            self.show_recovery(library.path, error, library.key)

    def _open_other(self, dialog: RecoveryDialog, then: Callable[[Workspace], None]) -> None:
        if path := ask_for_library(dialog):
            self._open_from(dialog, Path(path), then)

    def _open_from(
        self, dialog: RecoveryDialog, path: Path, then: Callable[[Workspace], None]
    ) -> None:
        def finish(workspace: Workspace) -> None:
            then(workspace)
            dialog.accept()

        try:
            self.open_or_ask(path, finish)
        except AppError as error:
            dialog.show_error(error)

    def recent_libraries(self) -> list[str]:
        """Return the paths of the libraries that were used, without those that are missing."""
        return [path for path in self._used_libraries() if Path(path).exists()]

    def last_library(self) -> Path | None:
        """Return the library that was open last, which may be missing; None at the first start."""
        used = self._used_libraries()
        return Path(used[0]) if used else None

    def _used_libraries(self) -> list[str]:
        """Return the paths of the libraries that were used, also of those on a missing disk."""
        found = self.settings.value("recent", [])
        return list(map(str, found if isinstance(found, list) else [found] if found else []))

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
        is_idle = self.viewports.close()  # first: closing ends all child processes
        self.close_workspace(end_program=True)
        is_idle = self.encrypted.close() and is_idle
        self.settings.sync()
        self._garbage.stop()
        sys.setswitchinterval(self._switch_s)
        if self._closing or not is_idle:
            return False
        self.model_registry.close()
        return True

    def close_workspace(self, *, end_program: bool = False) -> None:
        """Stop the work of the open library and close its window."""
        workspace, self.workspace = self.workspace, None
        if workspace is not None and not workspace.close(end_program=end_program):
            # Qt aborts the program if the object of a running thread is deleted.
            self._closing.append(workspace)
            workspace.session.closed.connect(lambda: self._closing.remove(workspace))

    def switch_library(self, path: Path, key: LibraryKey | None = None) -> None:
        """Open another library; if it can't be opened, the present one stays."""
        try:
            if key is None:
                self.open_or_ask(path)
            else:
                self.open_library(path, key)
        except AppError as error:
            if isinstance(error, RECOVERABLE):
                self.show_recovery(path, error, key)
            elif self.workspace is not None:
                self.workspace.context.messages.show_error(error)

    def _set_theme(self, mode: str) -> None:
        self.settings.setValue("theme", mode)  # first, because the handlers of the change read it
        self.theme.set_mode(mode)


def run_window(arguments: list[str], splash: Splash | None = None) -> int:
    """Show the window until it is closed, in place of the splash; return the exit code.

    Ends the process if a thread still runs then, because Qt would abort it.
    """
    options = _parse(arguments)
    if options.temp_profile:
        os.environ.setdefault("INKGRAPH_MODELS", str(paths.models_dir()))
        os.environ["INKGRAPH_HOME"] = tempfile.mkdtemp(prefix="inkgraph-")
    existing = QApplication.instance()
    application = existing if isinstance(existing, QApplication) else QApplication(sys.argv[:1])
    application.setApplicationName("Inkgraph")  # not shown: a name
    application.setApplicationVersion(__version__)
    application.setWindowIcon(build_window_icon())
    # The splash was built before a profile of its own was chosen, which has its own settings.
    app = App(application, splash.theme if splash and not options.temp_profile else None)
    hooks = ExceptionHooks(app.show_failure)
    hooks.install()
    try:
        code = _run_app(app, application, options, splash)
    except Exception as error:  # not raised: the interpreter would end before the threads
        log_failure(error, "the window")
        code = EXIT_BUG
    except KeyboardInterrupt:
        code = 130
    crash_log.end_process_after(LONGEST_END_S)
    is_closed = app.close()
    if options.temp_profile:
        shutil.rmtree(os.environ["INKGRAPH_HOME"], ignore_errors=True)
    hooks.restore()
    if not is_closed:
        end_process(code)
    _close_shared()
    return code


def _close_shared() -> None:
    """End the child processes that read and analyse documents, if there were documents."""
    if (reader := sys.modules.get(f"{__package__}.engine.text.reader_process")) is not None:
        reader.shared_reader().close()
    analysis = sys.modules.get(f"{__package__}.engine.services.text_analysis.process")
    if analysis is not None:
        analysis.shared_analysis().close()


def _run_app(
    app: App, application: QApplication, options: argparse.Namespace, splash: Splash | None
) -> int:
    """Open the library or the welcome window, and run the event loop."""
    crashes = crash_log.take_crashes("window", with_system_ends=True)
    app.viewports.take_crashes(crashes)
    crashes = [report for report in crashes if not report.system_ended]
    asked_for = options.library or options.demo or options.files or options.temp_profile
    if not asked_for and FirstStart.is_due(app):
        app.first_start = FirstStart(app)
        app.first_start.show()
    else:
        files = [str(file) for file in options.files]

        def begin(workspace: Workspace) -> None:
            if options.demo and workspace.session.library.path == complete_path(path):
                workspace.session.add_demo()
            if files:
                workspace.session.add_paths(files)

        path = _choose_library(options, app)
        if splash is not None:
            splash.show_work(tr("Opening “{name}”…", name=path.stem))
        try:
            is_chosen = options.library is not None or options.demo
            if path == app.last_library() and not (is_chosen or path.exists()):
                raise missing_library(path)
            app.open_or_ask(path, begin, [str(Path(file).absolute()) for file in files])
        except AppError as error:
            print(f"inkgraph: {error}", file=sys.stderr)
            if not isinstance(error, RECOVERABLE):
                return error.exit_code
            app.show_recovery(path, error, then=begin)
        if crashes:
            app.report_crash(crashes[-1])
    if splash is not None:
        QTimer.singleShot(0, splash.close)  # after the first paint of what is shown instead
    for number in (signal.SIGINT, signal.SIGTERM):
        # Python calls the handler when the garbage timer runs Python code, after 0.1 s at most.
        signal.signal(number, lambda *_: application.quit())
    return application.exec()


def end_after_window(code: int) -> int:
    """End this process, or return its exit code where Qt has to destroy the window first.

    Destroying thousands of objects takes a second that nobody needs. But copied text lives in the
    program on some systems: Qt hands it over to the system when it destroys the application.
    """
    if QGuiApplication.clipboard().ownsClipboard():
        return code
    end_process(code)


def end_process(code: int) -> NoReturn:
    """End this process at once; what a running thread did not commit is not in the file."""
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
    return app.last_library() or paths.default_library()
