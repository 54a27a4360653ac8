"""How the user reads: text size, line length, colours and arrangement of pages, panel, names.

Saved in `window.ini` for all documents and libraries together. A change in one reader is applied
to the others by `DocumentTabs`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction

from desktop_app.engine.highlight_colors import DEFAULT_COLOR
from desktop_app.engine.model import Heading

from ..widgets.buttons import IconButton
from ..window_file import open_window_file
from .body import PANEL_WIDTH, ReaderBody
from .head import ReaderHead
from .side_panel import MATCHES
from .view import ZOOMS, DocumentView

ROOM_FOR_CONTENTS = 1200  # pixels of the reader: the panel, and a page at its usual size
# Pixels of a reader that opens with the panel as it was left. In a narrower one, and beside another
# document, the panel would take half of the room: it is closed until it is opened there.
ROOM_FOR_PANEL = 760
# of the switches: a page with underlines at some places of a name seems to miss the others
ON_AT_FIRST = ("every_name",)


class ReaderPreferences(QObject):
    """Restores and saves the preferences of one reader.

    `changed` is emitted when the user has changed one of those that all readers share.
    """

    changed = Signal()

    def __init__(self, head: ReaderHead, body: ReaderBody, parent: QObject) -> None:
        super().__init__(parent)
        self._head, self._body = head, body
        self._loading = False
        self._is_alone = True
        self._panel_alone: bool | None = None  # as it was before another document came beside it
        self._panel_in_little_room = False
        self._switches: dict[str, QAction | IconButton] = {
            "names": head.names,
            "single": head.single,
            "facing": head.facing,
            "cover": head.cover,
            "every_name": head.every_name,
        }
        self._tools = {"pen": head.pen, "underliner": head.underliner, "area": head.area}
        self._views = {"zoom_text": body.text_view, "zoom_pages": body.pdf_view}
        self.load()
        for name, switch in self._switches.items():
            switch.toggled.connect(lambda on, name=name: self._save(name, on))
        for name, view in self._views.items():
            view.zoom_changed.connect(partial(self._save_zoom, name, view))
        body.pdf_view.fits_text_changed.connect(self._save_fit)
        head.line_length_chosen.connect(lambda share: self._save("line_length", share))
        head.colors_chosen.connect(lambda colors: self._save("colors", colors))
        for name, tool in self._tools.items():
            tool.color_changed.connect(partial(self._save, name))
        body.side.annotations.order_chosen.connect(lambda order: self._save("notes_order", order))
        body.side_width_chosen.connect(lambda width: self._save("panel_width", width))
        body.side.show_tab(_load("tab", "chapters", str))
        for name, button in body.side.tabs.items():
            if name == MATCHES:
                continue  # what is searched for is not kept
            button.clicked.connect(lambda _=False, name=name: _store("tab", name))
        head.outline.clicked.connect(self._keep_panel)
        body.stack.currentChanged.connect(self._restore_panel)

    def load(self) -> None:
        """Apply what is saved."""
        with self._without_saving():
            for name, switch in self._switches.items():
                switch.setChecked(_load(name, name in ON_AT_FIRST, bool))
            for name, view in self._views.items():
                zoom = _load(name, 1.0, float)
                if view is not self._body.pdf_view or not _load_fit():
                    view.set_zoom(min(max(zoom, ZOOMS[0]), ZOOMS[-1]))
            self._body.pdf_view.set_fits_text(_load_fit())
            self._body.set_side_width(_load("panel_width", PANEL_WIDTH, int))
            for name, tool in self._tools.items():
                # before each had a colour of its own, they had that of the first
                tool.set_color(_load(name, _load("pen", DEFAULT_COLOR, str), str))
            self._body.side.annotations.set_order(_load("notes_order", "page", str))
            lines, colors = self._head.lines, self._head.colors
            lines.get(_load("line_length", 1.0, float), lines[1.0]).setChecked(True)
            colors.get(_load("colors", "window", str), colors["window"]).setChecked(True)

    @contextmanager
    def _without_saving(self) -> Iterator[None]:
        self._loading = True
        try:
            yield
        finally:
            self._loading = False

    def _save(self, name: str, value: object) -> None:
        if not self._loading:
            _store(name, value)
            self.changed.emit()

    def _save_zoom(self, name: str, view: DocumentView, zoom: float) -> None:
        if view is not self._body.pdf_view or not self._body.pdf_view.fits_text:
            self._save(name, zoom)

    def _save_fit(self, fits: bool) -> None:
        if not fits:
            self._save("zoom_pages", self._body.pdf_view.zoom)
        self._save("fits_text", fits)

    # --- the side panel ---------------------------------------------------------------------

    @property
    def _has_little_room(self) -> bool:
        return not self._is_alone or self._body.width() < ROOM_FOR_PANEL

    @property
    def has_kept_panel(self) -> bool:
        """Whether the panel was opened where there is little room; it stays open there."""
        return self._panel_in_little_room

    def keep_panel(self, shown: bool) -> None:
        """Open the panel where there is little room, or not, as in an earlier reader."""
        self._panel_in_little_room = shown

    def set_alone(self, alone: bool) -> None:
        """Set whether no other document is beside this one; the panel is as it was then."""
        if alone == self._is_alone:
            return
        outline = self._head.outline
        if not alone:
            self._panel_alone = outline.isChecked() if self._is_shown else None
        self._is_alone = alone
        if not self._is_shown:
            return  # `_restore_panel` follows
        if not alone:
            outline.setChecked(self._panel_in_little_room)
        elif self._panel_alone is not None:  # the reader gets its width later
            outline.setChecked(self._panel_alone)
        else:
            outline.setChecked(_load("panel", False, bool))

    def show_contents_at_first(self, outline: Sequence[Heading]) -> None:
        """Show the contents of a document beside it, where there are some and room for both.

        From then on, the panel is as the user left it.
        """
        is_chosen = open_window_file().contains("reader/panel")
        has_room = self._is_alone and self._body.width() >= ROOM_FOR_CONTENTS
        if not is_chosen and len(outline) > 1 and has_room:
            self._head.outline.setChecked(True)

    @property
    def _is_shown(self) -> bool:
        return isinstance(self._body.stack.currentWidget(), DocumentView)

    def _keep_panel(self, shown: bool) -> None:
        """Keep what the user chose: for this reader, or for all that have room."""
        if self._has_little_room:
            self._panel_in_little_room = shown
        else:
            _store("panel", shown)

    def _restore_panel(self) -> None:
        if self._is_shown:
            self._body.stack.currentChanged.disconnect(self._restore_panel)
            is_small = self._has_little_room
            if self._panel_in_little_room if is_small else _load("panel", False, bool):
                self._head.outline.setChecked(True)


def _load(name: str, default: Any, kind: type) -> Any:
    return open_window_file().value(f"reader/{name}", default, type=kind)


def _load_fit() -> bool:
    """Return whether pages fit the width of their text: until another zoom is chosen."""
    return bool(_load("fits_text", not open_window_file().contains("reader/zoom_pages"), bool))


def _store(name: str, value: object) -> None:
    open_window_file().setValue(f"reader/{name}", value)
