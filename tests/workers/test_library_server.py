"""The server that the window starts: a real child process, and what it reports."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import httpx
import pytest

from desktop_app.engine.services.library import Library
from desktop_app.engine.services.preferences import ServerSettings
from desktop_app.engine.store.encryption import make_key
from desktop_app.workers.library_server import LibraryServer

pytestmark = pytest.mark.loopback
WAIT_MS = 60_000  # for a child process on a busy machine


@pytest.fixture
def profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("INKGRAPH_HOME", str(home))
    monkeypatch.setenv("INKGRAPH_MODELS", str(tmp_path / "no models"))
    root = str(Path(__file__).parents[2])
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([root, os.environ.get("PYTHONPATH", "")]))


def find_free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def test_the_server_of_an_encrypted_library_is_started_asked_and_stopped(
    profile: None, tmp_path: Path, qtbot
):
    """Its key reaches the child through the pipe; nobody types the passphrase again."""
    library = Library(tmp_path / "secret.inkgraph", key=make_key("a long passphrase"))
    server = LibraryServer(library.path, library.key)
    try:
        settings = ServerSettings(port=find_free_port())
        server.start(settings)
        assert server.state == "starting"
        qtbot.waitUntil(lambda: server.state != "starting", timeout=WAIT_MS)
        assert (server.state, str(server.problem)) == ("on", "")
        assert server.address == f"http://127.0.0.1:{settings.port}"
        with httpx.Client(base_url=server.address, trust_env=False, timeout=60) as client:
            headers = {"X-API-Key": server.token, "User-Agent": "Notes/1"}
            with qtbot.waitSignal(server.requested, timeout=WAIT_MS):
                assert client.get("/documents", headers=headers).status_code == 200
            with qtbot.waitSignal(server.requested, timeout=WAIT_MS):
                assert client.get("/documents?q=secret").status_code == 401
        assert [(r.client, r.path, r.status) for r in server.requests] == [
            ("python-httpx", "/documents", 401),
            ("Notes", "/documents", 200),
        ]
        assert [c.name for c in server.clients] == ["python-httpx", "Notes"]
        second = LibraryServer(library.path, library.key)  # on the same port
        second.start(settings)
        qtbot.waitUntil(lambda: second.state == "off", timeout=WAIT_MS)
        assert f"Port {settings.port} is used by another program" in second.problem
        server.stop()
        qtbot.waitUntil(lambda: server.state == "off", timeout=WAIT_MS)
        assert (server.address, server.token, str(server.problem)) == ("", "", "")
    finally:
        server.close()
        library.close()


def test_what_is_no_report_is_logged(caplog):
    server = LibraryServer(Path("library.inkgraph"))
    with pytest.raises(TypeError):
        server.take_report({"request": {"client": "x"}})
    for i in range(30):
        one = {"at": i, "client": f"program {i}", "method": "GET", "path": "/", "status": 200}
        server.take_report({"request": {**one, "seconds": 0.1}})
    assert len(server.clients) == 20 and server.clients[0].name == "program 29"
