"""A chat screen with a real library file."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from desktop_app.engine.store.db import Db
from desktop_app.ui.chat.screen import ChatScreen
from tests.ui.chat.conversations import QuickAsking, RealChats
from tests.ui.fakes import FakeContext


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Db]:
    made = Db(tmp_path / "talk.inkgraph")
    yield made
    made.close()


@pytest.fixture
def talk(qapp: QApplication, db: Db) -> Iterator[FakeContext]:
    """Return a context whose chats are real."""
    made = FakeContext()
    chats = RealChats(db, db)
    chats.fake = made.chats
    made.chats, made.answer_pipeline = chats, QuickAsking(db)
    yield made
    made.close()


@pytest.fixture
def screen(qtbot, talk: FakeContext) -> Iterator[ChatScreen]:
    made = ChatScreen(talk)
    qtbot.addWidget(made)
    made.resize(900, 700)
    made.show()
    qtbot.waitUntil(lambda: bool(made.empty.questions()))
    yield made


@pytest.fixture
def hold(context: FakeContext) -> Iterator[threading.Event]:
    """Block answers until it is set; set at the end in any case."""
    event = threading.Event()
    context.answer_pipeline.hold = event
    yield event
    event.set()
