"""The library's screen with the documents of the fake context."""

from __future__ import annotations

import pytest

from desktop_app.ui.library.screen import LibraryScreen


@pytest.fixture
def screen(context, qtbot) -> LibraryScreen:
    made = LibraryScreen(context)
    made.resize(1240, 700)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: not made.is_loading and made.collections.places.count() > 0)
    return made
