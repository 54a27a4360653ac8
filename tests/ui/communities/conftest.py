"""A small library with communities, and the screen over it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_app.engine.communities.reader import CommunityReader
from desktop_app.engine.communities.report_service import ReportService
from desktop_app.engine.communities.updater import refresh_communities
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.library import Library
from desktop_app.ui.communities.screen import CommunitiesScreen
from desktop_app.workers.background_jobs import (
    CommunityRefresh,
    CommunityWork,
    QueueRunner,
    ReportJob,
)
from desktop_app.workers.lane import Lane
from tests.books import add_book
from tests.ui.fakes import FakeContext

NAMES = ("Tobias", "Clara", "Hale", "Marsh", "Petrel", "Anselm", "Bertram", "Cecily", "Dorothea")
OTHER = (
    "Petrel and Marsh were seen by Petrel at the rocks, and Marsh was cold. Petrel saw Marsh. ",
    "Tobias and Clara dined with Hale. Clara sang, and Hale and Tobias heard Clara sing. ",
)
ABBEY = (
    "Anselm prayed with Bertram. Cecily heard Anselm and Bertram. Dorothea knew Cecily. ",
    "Bertram and Dorothea walked with Anselm. Cecily and Dorothea sang for Bertram. ",
    "Anselm wrote to Tobias once. Dorothea and Anselm and Cecily kept the garden. ",
)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    made = Library(tmp_path / "small.inkgraph")
    yield made
    made.close()


@pytest.fixture
def book(library: Library, monkeypatch: pytest.MonkeyPatch) -> Library:
    """Return the library with three books about two groups of people, and its communities."""
    monkeypatch.setattr("tests.books.NAMES", NAMES)
    add_book(library)
    add_book(library, OTHER, title="Another")
    add_book(library, ABBEY, title="The Abbey")
    refresh_communities(library.writer)
    return library


@pytest.fixture
def work(context: FakeContext, library: Library, qapp) -> Iterator[CommunityWork]:
    """Return the services of the screen on a library that a test may fill, without a chat model."""
    reporting = ReportService(library.writer, lambda: None)
    writing = ReportJob(reporting)
    made = CommunityWork(
        CommunityReader(library.reader()),
        Lane("communities", context.messages.show_error),
        CommunityRefresh(
            Lane("clustering", context.messages.show_error),
            library.reader(),
            context.writer_lane,
            library.writer,
        ),
        reporting,
        writing,
        QueueRunner(Lane("reports", context.messages.show_error), writing.run),
    )
    made.runner.changed.connect(context.hub.publish_edit)
    context.communities = made
    context.editing = EditingService(library.writer)
    yield made
    made.lane.close()
    made.refresh.lane.close()
    made.runner.lane.close()


@pytest.fixture
def screen(context: FakeContext, book: Library, work: CommunityWork, qtbot) -> CommunitiesScreen:
    made = CommunitiesScreen(context)
    qtbot.addWidget(made)
    made.resize(1100, 760)
    made.show()
    qtbot.waitUntil(lambda: made.page.content is not None, timeout=20_000)
    return made
