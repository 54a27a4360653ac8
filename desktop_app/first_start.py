"""The first start: asks where the library lies and what to begin with, then opens it.

Owns when that is: only while no library was ever opened here. Decides nothing about libraries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .engine import paths
from .engine.errors import AppError
from .ui.settings.window_options import WindowStore
from .ui.welcome.choice import Choice
from .ui.welcome.window import WelcomeWindow

if TYPE_CHECKING:
    from .app import App

WELCOMED = "welcomed"


class FirstStart:
    """Shows the steps and carries out what was chosen; never again after that."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._models = app.shelf.list_models()
        self.window: WelcomeWindow | None = None

    @staticmethod
    def is_due(app: App) -> bool:
        """Say whether this person has never opened a library here."""
        known = app.settings.value("recent") or app.settings.value(WELCOMED)
        return not known and not paths.default_library().exists()

    def show(self, choice: Choice | None = None, step: int = 0) -> None:
        """Show the steps, in the language of the window."""
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
        self.show(before.choice, before.pages.currentIndex())  # first: the last closed would end it
        before.finish()

    def _begin(self, choice: Choice) -> None:
        window = self.window
        if window is None:
            return
        try:
            desk = self._app.open_library(choice.library)
        except AppError as error:
            window.show_problem(error)
            return
        self._app.settings.setValue(WELCOMED, True)
        if choice.sample:
            desk.add_demo()
        if choice.files:
            desk.add_paths(choice.files)
        self.window = None
        window.finish()
