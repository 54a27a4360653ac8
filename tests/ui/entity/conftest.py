"""The entity screen over the fake library reader; a test may have a `screen` of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from desktop_app.ui.entity.screen import EntityScreen
from tests.ui.fakes import FakeContext


@pytest.fixture
def screen(qtbot, context: FakeContext) -> Iterator[EntityScreen]:
    made = EntityScreen(context)
    qtbot.addWidget(made)
    made.resize(1000, 700)
    made.show()
    qtbot.waitUntil(lambda: made.names.model.rowCount() > 0)
    yield made


@pytest.fixture
def show(qtbot, context: FakeContext, screen: EntityScreen) -> Callable[[int], None]:
    """Return a function that shows an entity and waits until its page is complete."""

    def show_(entity_id: int) -> None:
        screen.show_entity(entity_id)
        qtbot.waitUntil(
            lambda: screen.loader.card is not None and screen.loader.card.row.id == entity_id
        )
        qtbot.waitUntil(lambda: context.reader_lane.n_jobs == 0)

    return show_
