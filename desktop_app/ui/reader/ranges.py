"""Plain types that both views of the reader and their helpers share.

Owns ranges, names in a text and the target of a menu, and the interfaces of the selection and the
caret, so that `view` need not import them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor, QKeyEvent, QPainter

Name = tuple[int, int, int, str, str]  # start, end, entity id, name, type
Range = tuple[int, int]  # half-open offsets of the document's text


@dataclass(frozen=True, slots=True)
class MenuTarget:
    """A range with its text, and the name or highlight under the pointer."""

    start: int
    end: int
    text: str
    name: Name | None = None
    note_id: int | None = None


class TextSelection(Protocol):
    """The selected range of one view; implemented by `selection.Selection`."""

    @property
    def range(self) -> Range | None:
        """The selected range, None if nothing is selected."""

    @property
    def text(self) -> str:
        """The selected text as it is copied."""

    @property
    def anchor(self) -> int | None:
        """The offset at which the selection started."""

    @property
    def head(self) -> int | None:
        """The offset to which the selection was extended."""

    def select(self, start: int, end: int) -> None: ...
    def collapse(self) -> None: ...
    def clear(self) -> None: ...
    def open_menu(self) -> None: ...
    def retry_drag(self) -> None: ...


class TextCaret(Protocol):
    """The keyboard caret of one view; implemented by `caret.Caret`."""

    shown: bool

    @property
    def at(self) -> int | None:
        """The caret's offset, None while it is hidden."""

    def toggle(self) -> None: ...
    def hide(self) -> None: ...
    def find_command(self, event: QKeyEvent) -> Callable[[], object] | None: ...
    def name(self) -> Name | None: ...
    def note_id(self) -> int | None: ...
    def point(self) -> QPoint | None: ...
    def paint(self, painter: QPainter, color: QColor) -> None: ...
