"""Fixtures for tests of screens: a context of fakes, closed at the end."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication

from desktop_app.ui.theme.theme import Theme
from tests.ui.fakes import FakeContext
from tests.ui.untranslated import use_language


@pytest.fixture(scope="session")
def window_font(qapp: QApplication) -> QFont:
    """Return the font of the window; a theme searches all fonts, so it is made once."""
    return Theme("light").font("text")


@pytest.fixture(autouse=True)
def interface_look(qapp: QApplication, window_font: QFont) -> None:
    """Give every widget the window's font and no style sheet, whatever a test before has set.

    The font: sizes must not depend on system fonts. The sheet and the palette: a theme that another
    test applied, perhaps with large text, would change every size hint here.
    """
    qapp.setFont(window_font)
    if qapp.styleSheet():
        qapp.setStyleSheet("")
        qapp.setPalette(qapp.style().standardPalette())


@pytest.fixture
def context(qapp: QApplication) -> Iterator[FakeContext]:
    made = FakeContext()
    yield made
    made.close()


@pytest.fixture
def empty_context(qapp: QApplication) -> Iterator[FakeContext]:
    """Return a library without documents and without a chat model."""
    made = FakeContext(documents=[], with_chat_model=False)
    made.chats.rows.clear()
    yield made
    made.close()


@pytest.fixture
def chinese(qapp: QApplication) -> Iterator[None]:
    """Make every window of the test Chinese; request it before the screen."""
    yield from use_language(qapp, "zh")
