"""A library of two short stories, served on a free port with models that are no models."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest

from desktop_app.engine.services.library import Library
from desktop_app.servers.http_server import HttpServer
from desktop_app.servers.library_access import LibraryAccess, Models
from desktop_app.servers.request_guard import DEFAULT_LIMITS, Limits, ServedRequest
from tests.fakes import HashEmbedder, ScriptedChatModel
from tests.story_library import open_story_library

TOKEN = "a token for tests only"
ANSWER = "Clara Wren wound the clocks every night [1]."


@dataclass
class Served:
    """A running server, with a client that has the token."""

    server: HttpServer
    library: Library
    model: ScriptedChatModel
    requests: list[ServedRequest] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)  # a request ended
    client: httpx.Client = field(init=False)

    def __post_init__(self) -> None:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        self.client = httpx.Client(
            base_url=self.server.address, headers=headers, timeout=60, trust_env=False
        )


@pytest.fixture(scope="session")
def story_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a closed library of two stories, which tests copy."""
    folder = tmp_path_factory.mktemp("stories")
    with open_story_library(folder) as library:
        pass
    return library.path


@pytest.fixture
def story_library(story_file: Path, tmp_path: Path) -> Iterator[Library]:
    made = Library(Path(shutil.copy(story_file, tmp_path / "stories.inkgraph")))
    yield made
    made.close()


@contextmanager
def serve(
    library: Library,
    *,
    may_edit: bool = False,
    limits: Limits = DEFAULT_LIMITS,
    model: ScriptedChatModel | None = None,
    embedding: str = "",
) -> Iterator[Served]:
    """Serve a library in a thread until the end of the context."""
    chat = model or ScriptedChatModel([ANSWER])
    models = Models(lambda: chat, HashEmbedder, embedding_name=lambda: embedding)
    requests: list[ServedRequest] = []
    ended = threading.Event()

    def note(request: ServedRequest) -> None:
        requests.append(request)
        ended.set()

    server = HttpServer(
        LibraryAccess(library, models, may_edit=may_edit),
        port=0,
        token=TOKEN,
        on_request=note,
        limits=limits,
    )
    thread = threading.Thread(target=server.run)
    thread.start()
    served = Served(server, library, chat, requests, ended)
    try:
        yield served
    finally:
        served.client.close()
        server.stop()
        thread.join()


@pytest.fixture
def served(story_library: Library) -> Iterator[Served]:
    """Yield a server that only reads."""
    with serve(story_library) as running:
        yield running


@pytest.fixture
def editable(story_library: Library) -> Iterator[Served]:
    """Yield a server that may change the library."""
    with serve(story_library, may_edit=True) as running:
        yield running
