"""Fixtures for tests of screens: a context of fakes, closed at the end."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from desktop_app.ui.theme.theme import Theme
from tests.ui.fakes import FakeContext
from tests.ui.untranslated import use_language


@pytest.fixture(scope="session", autouse=True)
def interface_font(qapp: QApplication) -> None:
    """Give every widget the window's font, so that sizes do not depend on system fonts."""
    qapp.setFont(Theme("light").font("text"))


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
