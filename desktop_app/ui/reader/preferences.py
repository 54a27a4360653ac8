"""How a person likes to read: names underlined, pages dark or one at a time, panel, size of type.

Owns the keys of `window.ini` for that; kept when it is changed by hand, the same for all
libraries. Knows the screen's parts, not how they do it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QSettings

from desktop_app.engine import paths

from .view import ZOOMS, DocumentView

if TYPE_CHECKING:
    from .screen import ReaderScreen


class ReaderPreferences(QObject):
    """Brings back what was chosen last, and keeps what is chosen."""

    def __init__(self, screen: ReaderScreen) -> None:
        super().__init__(screen)
        self._screen = screen
        head = screen.head
        for name, switch in (("names", head.names), ("single", head.single), ("dark", head.dark)):
            switch.setChecked(_read(name, False, bool))
            switch.toggled.connect(lambda on, name=name: _keep(name, on))
        for name, view in (("zoom_text", screen.text_view), ("zoom_pages", screen.pdf_view)):
            zoom = _read(name, 1.0, float)
            view.set_zoom(min(max(zoom, ZOOMS[0]), ZOOMS[-1]))
            view.zoom_changed.connect(lambda zoom, name=name: _keep(name, zoom))
        screen.body.side.show_tab(_read("tab", "chapters", str))
        for name, button in screen.body.side.tabs.items():
            button.clicked.connect(lambda _=False, name=name: _keep("tab", name))
        # a panel that covers the text goes by itself, which says nothing of what one likes
        head.outline.clicked.connect(self._keep_panel)
        screen.body.stack.currentChanged.connect(self._restore_panel)

    def _keep_panel(self, shown: bool) -> None:
        if not self._screen.body.is_narrow:
            _keep("panel", shown)

    def _restore_panel(self) -> None:
        body = self._screen.body
        if isinstance(body.stack.currentWidget(), DocumentView):
            body.stack.currentChanged.disconnect(self._restore_panel)
            if _read("panel", False, bool) and not body.is_narrow:
                self._screen.head.outline.setChecked(True)


def _settings() -> QSettings:
    return QSettings(str(paths.data_dir() / "window.ini"), QSettings.Format.IniFormat)


def _read(name: str, usual: Any, kind: type) -> Any:
    return _settings().value(f"reader/{name}", usual, type=kind)


def _keep(name: str, value: object) -> None:
    _settings().setValue(f"reader/{name}", value)
