"""The screens of the window: how each of them is built, and what its signals start.

`SCREENS` has one line for each screen. The library is built with the window, because its places are
in the sidebar; another screen when something asks `Screens` for it, or when it is prepared, after
the window stands. So a screen is imported in the function that builds it: importing all of them
takes longer than showing the window.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pkgutil import walk_packages
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QWidget

from desktop_app.engine.changes import ChangeNotice
from desktop_app.session import Session

from .context import SessionContext
from .controllers.communities import CommunityController
from .controllers.duplicates import DuplicateController
from .controllers.enrichment import EnrichmentController
from .controllers.library_export import LibraryExport
from .library.screen import LibraryScreen
from .shell.main_window import MainWindow
from .shell.navigator import Screens
from .shell.screen_preparation import do_in_steps

if TYPE_CHECKING:
    from .chat.screen import ChatScreen
    from .communities.screen import CommunitiesScreen
    from .duplicates.screen import MergeDesk
    from .entity.screen import EntityScreen
    from .evaluation.screen import EvaluationScreen
    from .explorer.screen import ExplorerScreen
    from .highlights.screen import HighlightsScreen
    from .models.screen import ModelsScreen
    from .reader.screen import ReaderScreen
    from .settings.screen import SettingsScreen


SLOW_QUIET_S = 1.5  # before a step that takes long; who reads or looks pauses for longer


@dataclass(frozen=True, kw_only=True)
class Parts:
    """The parts of a workspace that the signals of screens are connected to."""

    window: MainWindow
    session: Session
    enrichment: EnrichmentController
    exports: LibraryExport
    communities: CommunityController
    duplicates: DuplicateController
    opengl_failed: SignalInstance
    list_titles: Callable[[], Sequence[tuple[int, str]]]  # ids and titles of the documents


# --- library ------------------------------------------------------------------------------------


def build_library(context: SessionContext) -> LibraryScreen:
    return LibraryScreen(context)


def connect_library(library: LibraryScreen, parts: Parts) -> None:
    """Connect what opens things; controllers connect what changes the library."""
    window, session = parts.window, parts.session
    navigator, documents = window.navigator, window.document_tabs
    library.place_opened.connect(window.show_place)
    library.quotation_wanted.connect(window.find_quotation)
    library.open_passage.connect(navigator.open_passage)
    library.open_entity.connect(navigator.open_entity)
    library.open_document.connect(navigator.open_document)
    library.open_beside.connect(documents.open_beside)
    library.open_in_window.connect(documents.open_in_window)
    library.names_wanted.connect(navigator.show_names_of)
    library.demo_wanted.connect(session.add_demo)
    library.pause_wanted.connect(session.indexing_runner.pause)
    library.resume_wanted.connect(session.indexing_runner.start)
    library.cancel_wanted.connect(session.stop_document)
    library.retry_wanted.connect(session.retry_document)
    library.delete_wanted.connect(session.delete_documents)


# --- reader -------------------------------------------------------------------------------------


def build_reader(context: SessionContext) -> ReaderScreen:
    from .reader.screen import ReaderScreen

    return ReaderScreen(context)


# --- graph --------------------------------------------------------------------------------------


def build_graph(context: SessionContext) -> ExplorerScreen:
    from .explorer.screen import ExplorerScreen

    return ExplorerScreen(context, use_opengl=context.use_opengl)


def connect_graph(graph: ExplorerScreen, parts: Parts) -> None:
    navigator = parts.window.navigator
    graph.open_passage.connect(navigator.open_passage)
    graph.open_entity.connect(navigator.open_entity)
    graph.enrich_entity_wanted.connect(parts.enrichment.enrich_entity)
    graph.export_library_wanted.connect(parts.exports.ask)
    graph.canvas.opengl_failed.connect(parts.opengl_failed)


# --- names --------------------------------------------------------------------------------------


def build_entity(context: SessionContext) -> EntityScreen:
    from .entity.screen import EntityScreen

    return EntityScreen(context)


def connect_entity(entity: EntityScreen, parts: Parts) -> None:
    navigator = parts.window.navigator
    entity.open_passage.connect(navigator.open_passage)
    entity.open_entity.connect(navigator.open_entity)
    entity.open_community.connect(navigator.open_community)
    entity.show_in_graph.connect(navigator.show_in_graph)
    entity.ask_about.connect(navigator.put_question)
    entity.enrich_entity_wanted.connect(parts.enrichment.enrich_entity)
    entity.names.set_documents(parts.list_titles())


# --- merge desk ---------------------------------------------------------------------------------


def build_merge(context: SessionContext) -> MergeDesk:
    from .duplicates.screen import MergeDesk

    return MergeDesk(context)


def connect_merge(merge: MergeDesk, parts: Parts) -> None:
    navigator = parts.window.navigator
    merge.open_passage.connect(navigator.open_passage)
    merge.open_entity.connect(navigator.open_entity)
    merge.counted.connect(lambda n, old: parts.duplicates.take_count(n, is_outdated=old))
    merge.searching.connect(parts.duplicates.leave_to_screen)


# --- communities --------------------------------------------------------------------------------


def build_communities(context: SessionContext) -> CommunitiesScreen:
    from .communities.screen import CommunitiesScreen

    return CommunitiesScreen(context)


def connect_communities(communities: CommunitiesScreen, parts: Parts) -> None:
    window, runner = parts.window, parts.session.services.communities.runner
    navigator = window.navigator
    communities.open_passage.connect(navigator.open_passage)
    communities.open_entity.connect(navigator.open_entity)
    communities.show_in_graph.connect(navigator.show_in_graph)
    communities.ask_wanted.connect(navigator.put_question_in_new_chat)
    communities.color_wanted.connect(navigator.show_communities)
    communities.action_wanted.connect(window.run_action)
    communities.counted.connect(parts.communities.show_count)
    communities.head.pause_wanted.connect(runner.pause)
    communities.head.resume_wanted.connect(runner.start)
    communities.head.stop_wanted.connect(parts.communities.stop)
    parts.session.schedule_changed.connect(communities.show_blocker)


# --- chat ---------------------------------------------------------------------------------------


def build_chat(context: SessionContext) -> ChatScreen:
    from .chat.screen import ChatScreen

    return ChatScreen(context)


def connect_chat(chat: ChatScreen, parts: Parts) -> None:
    window, session = parts.window, parts.session
    navigator = window.navigator
    chat.open_passage.connect(navigator.open_passage)
    chat.open_entity.connect(navigator.open_entity)
    chat.show_in_graph.connect(navigator.show_in_graph)
    chat.open_models.connect(navigator.open_models)
    chat.open_chat_wanted.connect(navigator.open_chat)
    chat.search_wanted.connect(lambda: window.sidebar.chats.open_search(window.show_sidebar))
    chat.set_documents_in_use(window.list_documents_in_use)
    chat.chat_changed.connect(
        lambda chat_id: session.publish_work(ChangeNotice(chats=frozenset({chat_id})))
    )


# --- highlights ---------------------------------------------------------------------------------


def build_highlights(context: SessionContext) -> HighlightsScreen:
    from .highlights.screen import HighlightsScreen

    return HighlightsScreen(context)


def connect_highlights(highlights: HighlightsScreen, parts: Parts) -> None:
    window = parts.window
    highlights.open_passage.connect(window.navigator.open_passage)
    highlights.library_wanted.connect(lambda: window.show_screen("library"))


# --- models -------------------------------------------------------------------------------------


def build_models(context: SessionContext) -> ModelsScreen:
    from .models.screen import ModelsScreen

    return ModelsScreen(context)


# --- evaluation ---------------------------------------------------------------------------------


def build_evaluation(context: SessionContext) -> EvaluationScreen:
    from .evaluation.screen import EvaluationScreen

    return EvaluationScreen(context)


def connect_evaluation(evaluation: EvaluationScreen, parts: Parts) -> None:
    evaluation.open_passage.connect(parts.window.navigator.open_passage)
    parts.session.schedule_changed.connect(evaluation.show_blocker)


# --- settings -----------------------------------------------------------------------------------


def build_settings(context: SessionContext) -> SettingsScreen:
    from .settings.screen import SettingsScreen

    return SettingsScreen(context)


def connect_settings(settings: SettingsScreen, parts: Parts) -> None:
    settings.action_wanted.connect(parts.window.run_action)
    settings.restart_wanted.connect(parts.window.restart_wanted)
    settings.changed.connect(parts.session.apply_settings)


# --- all of them --------------------------------------------------------------------------------


@runtime_checkable
class Preparable(Protocol):
    """A screen that builds or loads something else before it is shown, in steps."""

    def prepare(self) -> Iterator[None]: ...


class ScreenPlan(NamedTuple):
    """What `SCREENS` says of a screen.

    Attributes:
        module: relative to this package; the modules beside it are the screen's own.
        connect: None if nothing is to be connected here.
        libraries: modules of others that it needs, imported before its own.
    """

    module: str
    build: Callable[[SessionContext], QWidget]
    connect: Callable[[Any, Parts], None] | None
    libraries: tuple[str, ...] = ()


SLOW_LIBRARY = "pyqtgraph"  # its import takes so long that it waits until the user pauses
OF_PYQTGRAPH = (  # what it imports
    "pydoc",
    "multiprocessing.connection",
    "xml.etree.ElementTree",  # not shown
    "numpy.typing",
)

# By the names of `Screens`, in the order in which they are prepared: what is opened most comes
# first; the graph last, because its step that takes long waits until the user pauses.
SCREENS = {
    "library": ScreenPlan(".library.screen", build_library, connect_library),
    # `DocumentTabs` connects the reader beside the screens as it connects those of tabs
    "reader": ScreenPlan(".reader.screen", build_reader, None),
    "chat": ScreenPlan(".chat.screen", build_chat, connect_chat, ("markdown_it",)),
    "entity": ScreenPlan(".entity.screen", build_entity, connect_entity),
    "merge": ScreenPlan(".duplicates.screen", build_merge, connect_merge),
    "communities": ScreenPlan(".communities.screen", build_communities, connect_communities),
    "highlights": ScreenPlan(".highlights.screen", build_highlights, connect_highlights),
    "models": ScreenPlan(".models.screen", build_models, None),
    "evaluation": ScreenPlan(".evaluation.screen", build_evaluation, connect_evaluation),
    "settings": ScreenPlan(".settings.screen", build_settings, connect_settings),
    "graph": ScreenPlan(
        ".explorer.screen",
        build_graph,
        connect_graph,
        (*OF_PYQTGRAPH, SLOW_LIBRARY),
    ),
}


def build_screens(context: SessionContext) -> Screens:
    """Return the screens of a library, none of which is built yet."""
    return Screens({name: partial(plan.build, context) for name, plan in SCREENS.items()})


def connect_screens(screens: Screens, parts: Parts) -> None:
    """Connect the screens that are built, and each other one as soon as it is."""

    def connect(name: str, screen: QWidget) -> None:
        if (do := SCREENS[name].connect) is not None:
            do(screen, parts)

    screens.when_built(connect)


def prepare_screens(screens: Screens) -> Iterator[float | None]:
    """Import and build the screens that are not there yet, in steps of the window's thread.

    Yields as `ScreenPreparation` says.
    """
    for name, plan in SCREENS.items():
        if not screens.is_built(name):
            yield from import_screen(plan)
            screens.begin(name)
            yield None
            screens.get(name)
            yield None
        screen = screens.get(name)
        if isinstance(screen, Preparable):
            yield from screen.prepare()


def import_screen(plan: ScreenPlan) -> Iterator[float | None]:
    """Import what a screen needs, one module (with those that it imports) in a step.

    Never in another thread: a class statement of a Qt class changes tables of PySide that Qt reads
    in the window's thread without the interpreter's lock. One start in some dozens crashed.
    """
    package = import_module(plan.module.rpartition(".")[0], __package__)
    own = (module.name for module in walk_packages(package.__path__, f"{package.__name__}."))
    for name in (*plan.libraries, *own):
        if name not in sys.modules:
            if name == SLOW_LIBRARY:
                yield from make_qt_names()
                yield SLOW_QUIET_S
            import_module(name)
            yield None


def make_qt_names() -> Iterator[None]:
    """Make the classes and enums of Qt's modules, in small steps.

    PySide makes each when it is asked for by name, and pyqtgraph asks for all of them: this is
    half of the time of its import, 0.15 s, which can't be cut there.
    """
    for module in (QtCore, QtGui, QtWidgets):
        yield from do_in_steps(partial(getattr, module), dir(module))
