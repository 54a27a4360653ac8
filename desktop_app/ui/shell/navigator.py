"""The screens of the window, and the navigator that opens entities, passages and chats on them.

`Screens` is the typed list of all screens. What their signals start is in `ui/screens.py`; screens
do not know the navigator or each other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from PySide6.QtWidgets import QWidget

from desktop_app.engine.store.figures import StoredFigure

from ..reader.tabs import DocumentTabs

if TYPE_CHECKING:  # a screen is imported when it is built
    from ..chat.screen import ChatScreen
    from ..communities.screen import CommunitiesScreen
    from ..duplicates.screen import MergeDesk
    from ..entity.screen import EntityScreen
    from ..evaluation.screen import EvaluationScreen
    from ..explorer.screen import ExplorerScreen
    from ..highlights.screen import HighlightsScreen
    from ..library.screen import LibraryScreen
    from ..models.screen import ModelsScreen
    from ..reader.screen import ReaderScreen
    from ..settings.screen import SettingsScreen

Builders = Mapping[str, Callable[[], QWidget]]


class Screens:
    """All screens of one library; each is built when it is asked for the first time.

    `reader` is the one beside the other screens; `DocumentTabs` has those of the tabs.

    Args:
        builders: for each name the function that builds the screen. The names are those of the
            properties, and are used in `window.ini`.
    """

    def __init__(self, builders: Builders) -> None:
        self._builders = builders
        self._begun: dict[str, QWidget] = {}  # nobody knows them yet
        self._built: dict[str, QWidget] = {}
        self._listeners: list[Callable[[str, QWidget], None]] = []

    def get(self, name: str) -> QWidget:
        """Return a screen, which is built now if it is not there yet."""
        screen = self._built.get(name)
        if screen is None:
            self.begin(name)
            screen = self._built[name] = self._begun.pop(name)
            for listener in self._listeners:
                listener(name, screen)
        return screen

    def begin(self, name: str) -> None:
        """Do the first half of the work of `get`: the window takes the screen in the second."""
        if name not in self._built and name not in self._begun:
            self._begun[name] = self._builders[name]()

    def finish(self) -> None:
        """Do the second half where the first was done."""
        for name in list(self._begun):
            self.get(name)

    def is_built(self, name: str) -> bool:
        return name in self._built

    def list_built(self) -> dict[str, QWidget]:
        """Return the screens that are built, by name, in the order of the builders."""
        return {name: self._built[name] for name in self._builders if name in self._built}

    def build_all(self) -> None:
        for name in self._builders:
            self.get(name)

    def when_built(self, listener: Callable[[str, QWidget], None]) -> None:
        """Call a function with each screen that is built, now and later."""
        self._listeners.append(listener)
        for name, screen in self.list_built().items():
            listener(name, screen)

    @property
    def library(self) -> LibraryScreen:
        return cast("LibraryScreen", self.get("library"))  # not shown

    @property
    def reader(self) -> ReaderScreen:
        return cast("ReaderScreen", self.get("reader"))  # not shown

    @property
    def graph(self) -> ExplorerScreen:
        return cast("ExplorerScreen", self.get("graph"))  # not shown

    @property
    def entity(self) -> EntityScreen:
        return cast("EntityScreen", self.get("entity"))  # not shown

    @property
    def merge(self) -> MergeDesk:
        return cast("MergeDesk", self.get("merge"))  # not shown

    @property
    def communities(self) -> CommunitiesScreen:
        return cast("CommunitiesScreen", self.get("communities"))  # not shown

    @property
    def chat(self) -> ChatScreen:
        return cast("ChatScreen", self.get("chat"))  # not shown

    @property
    def highlights(self) -> HighlightsScreen:
        return cast("HighlightsScreen", self.get("highlights"))  # not shown

    @property
    def models(self) -> ModelsScreen:
        return cast("ModelsScreen", self.get("models"))  # not shown

    @property
    def evaluation(self) -> EvaluationScreen:
        return cast("EvaluationScreen", self.get("evaluation"))  # not shown

    @property
    def settings(self) -> SettingsScreen:
        return cast("SettingsScreen", self.get("settings"))  # not shown


class Navigator:
    """Brings a screen to the front and opens one thing on it.

    Args:
        documents: shows documents, and decides where.
        show_screen: brings the screen with this name to the front.
        select_chat: marks a chat in the sidebar's list.
    """

    def __init__(
        self,
        screens: Screens,
        documents: DocumentTabs,
        show_screen: Callable[[str], None],
        select_chat: Callable[[int], None],
    ) -> None:
        self._screens, self._documents = screens, documents
        self._show_screen = show_screen
        self._select_chat = select_chat

    def open_passage(self, document_id: int, start: int, end: int) -> None:
        self._documents.open_passage(document_id, start, end)

    def open_figure(self, figure: StoredFigure) -> None:
        """Open the place of a figure in its document, and select it in the gallery there."""
        self._documents.open_figure(figure)

    def open_document(self, document_id: int) -> None:
        self._documents.open_document(document_id)

    def open_entity(self, entity_id: int) -> None:
        self._show_screen("entity")
        self._screens.entity.show_entity(entity_id)

    def show_names_of(self, document_id: int) -> None:
        self._show_screen("entity")
        self._screens.entity.show_names_of(document_id)

    def open_community(self, community_id: int) -> None:
        """Show the report of a community."""
        self._screens.communities.show_community(community_id)
        self._show_screen("communities")

    def show_in_graph(self, entity_ids: list[int]) -> None:
        # The content comes first: a graph that is shown for the first time restores its last view.
        self._screens.graph.show_entities(entity_ids)
        self._show_screen("graph")

    def show_communities(self, entity_ids: Sequence[int], level: int) -> None:
        """Show entities in the graph, coloured by their communities of this level."""
        self._screens.graph.show_communities(entity_ids, level)
        self._show_screen("graph")

    def open_chat(self, chat_id: int, message_id: int = 0) -> None:
        """Open a chat, at a message if one is given."""
        self._show_screen("chat")
        self._select_chat(chat_id)
        self._screens.chat.open_chat(chat_id, message_id)

    def open_new_chat(self) -> None:
        self._show_screen("chat")
        self._screens.chat.new_chat()

    def put_question(self, question: str) -> None:
        """Put a question into the box of the current chat without sending it."""
        self._show_screen("chat")
        self._screens.chat.set_question(question)

    def put_question_in_new_chat(self, question: str, mode: str) -> None:
        """Put a question into the box of a new chat, with a mode of retrieval."""
        self.open_new_chat()
        self._screens.chat.options.set_mode(mode)
        self._screens.chat.set_question(question)

    def open_models(self) -> None:
        self._show_screen("models")

    def open_setting(self, section: str, name: str) -> None:
        self._show_screen("settings")
        self._screens.settings.show_setting(section, name)
