"""The screens of the window, and the navigator that opens entities, passages and chats on them.

`Screens` is the typed list of all screens. The main window connects the screens' signals to the
`Navigator`; screens do not know it or each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import QWidget

from desktop_app.engine.store.figures import StoredFigure

from ..chat.screen import ChatScreen
from ..communities.screen import CommunitiesScreen
from ..duplicates.screen import MergeDesk
from ..entity.screen import EntityScreen
from ..explorer.screen import ExplorerScreen
from ..highlights.screen import HighlightsScreen
from ..library.screen import LibraryScreen
from ..models.screen import ModelsScreen
from ..reader.screen import ReaderScreen
from ..reader.tabs import DocumentTabs
from ..settings.screen import SettingsScreen


@dataclass(frozen=True, slots=True)
class Screens:
    """All screens of one library. The field names are used in `window.ini`.

    `reader` is the one beside the other screens; `DocumentTabs` has those of the tabs.
    """

    library: LibraryScreen
    reader: ReaderScreen
    graph: ExplorerScreen
    entity: EntityScreen
    merge: MergeDesk
    communities: CommunitiesScreen
    chat: ChatScreen
    highlights: HighlightsScreen
    models: ModelsScreen
    settings: SettingsScreen

    def items(self) -> Iterator[tuple[str, QWidget]]:
        """Yield every screen with its name."""
        yield from self._by_name().items()

    def get(self, name: str) -> QWidget:
        return self._by_name()[name]

    def _by_name(self) -> dict[str, QWidget]:
        return {
            "library": self.library,
            "reader": self.reader,
            "graph": self.graph,
            "entity": self.entity,
            "merge": self.merge,
            "communities": self.communities,
            "chat": self.chat,
            "highlights": self.highlights,
            "models": self.models,
            "settings": self.settings,
        }


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

    def ask(self, question: str) -> None:
        """Put a question into the box of the current chat without sending it."""
        self._show_screen("chat")
        self._screens.chat.set_question(question)

    def ask_in_new_chat(self, question: str, mode: str) -> None:
        """Put a question into the box of a new chat, with a mode of retrieval."""
        self.open_new_chat()
        self._screens.chat.choices.set_mode(mode)
        self._screens.chat.set_question(question)

    def open_models(self) -> None:
        self._show_screen("models")

    def open_setting(self, section: str, name: str) -> None:
        self._show_screen("settings")
        self._screens.settings.show_setting(section, name)
