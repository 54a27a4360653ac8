"""What opens what: a name, a passage, a document, a chat, a setting, each on its screen.

Owns which screen answers which wish. Knows the screens by name only; one that is not there, or
can't do what is asked, is passed over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .main_window import MainWindow


class Navigator:
    """Brings the right screen to the front and has it show one thing."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    def passage(self, document_id: int, start: int, end: int) -> None:
        self._window.show_screen("reader")
        self.call("reader", "open_at", document_id, start, end)

    def document(self, document_id: int) -> None:
        self._window.show_screen("reader")
        self.call("reader", "open_document", document_id)

    def entity(self, entity_id: int) -> None:
        self._window.show_screen("entity")
        self.call("entity", "show_entity", entity_id)

    def in_graph(self, entity_ids: object) -> None:
        # told first: a graph that is shown for the first time opens where it was left
        self.call("graph", "show_entities", entity_ids)
        self._window.show_screen("graph")

    def ask(self, text: str) -> None:
        self._window.show_screen("chat")
        self.call("chat", "set_question", text)

    def chat(self, *place: int) -> None:
        """Open a chat, at a message of it if one is named."""
        self._window.show_screen("chat")
        self._window.sidebar.chats.select(place[0])
        self.call("chat", "open_chat", *place)

    def new_chat(self) -> None:
        self._window.show_screen("chat")
        self.call("chat", "new_chat")

    def setting(self, section: str, name: str) -> None:
        self._window.show_screen("settings")
        self.call("settings", "show_setting", section, name)

    def call(self, name: str, method: str, *args: Any) -> Any:
        """Call a screen's method, if it has it."""
        called = getattr(self._window.screens.get(name), method, None)
        return called(*args) if called is not None else None

    def have_said(self, name: str, said: str) -> None:
        """Have a screen say what one of its own buttons would."""
        signal = getattr(self._window.screens.get(name), said, None)
        if hasattr(signal, "emit"):
            signal.emit()
