"""Tests the command `model-server`: set, agree, show, test, turn off and forget."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_app.cli import run_command
from desktop_app.engine.llm.remote.client import ServerClient
from desktop_app.engine.services.library import Library
from tests.chat_server import ChatServer, serve_chat
from tests.unit.services.test_indexing import STORY

pytestmark = pytest.mark.loopback


class Command:
    """Runs the command for one library and returns its exit code and output."""

    def __init__(self, library: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._library, self._capsys = library, capsys

    def __call__(self, *words: str) -> tuple[int, str, str]:
        code = run_command(["model-server", "--library", str(self._library), *words])
        out, err = self._capsys.readouterr()
        return code, out, err


@pytest.fixture
def fake() -> Iterator[ChatServer]:
    with serve_chat(ChatServer(models=({"id": "tiny"}, {"id": "large-7b"}))) as server:
        yield server


@pytest.fixture
def command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Command:
    monkeypatch.setenv("INKGRAPH_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("sys.stdin", io.StringIO())
    library = Library(tmp_path / "own.inkgraph")
    library.close()
    return Command(library.path, capsys)


def test_a_server_is_set_agreed_to_shown_tested_and_forgotten(command: Command, fake: ChatServer):
    url = fake.address.url
    code, out, err = command("set", url)
    assert code == 1 and "several models: tiny, large-7b" in err
    code, out, err = command("set", url, "--chat", "large-7b")
    assert code == 1 and f"POST {url}/chat/completions" in err and "--yes" in err
    assert "is off for this library" in command("show")[1]
    sent = len(fake.requests)
    code, out, err = command("on", "--yes")
    assert code == 0 and f"{url} is used" in out and "Questions" in out
    assert len(fake.requests) == sent  # nothing yet
    code, out, _ = command("test")
    assert code == 0 and "works" in out and "Red, green" in out
    assert "is off for this library" in command("off")[1]
    assert "No server is set" in command("forget")[1]


def test_the_capabilities_of_a_served_model_are_checked_without_the_library(
    command: Command, fake: ChatServer
):
    assert command("set", fake.address.url, "--chat", "large-7b")[0] == 1  # not agreed to yet
    n_before = len(fake.requests)
    code, out, err = command("test", "--capabilities")
    assert code == 0 and "large-7b" in out
    assert "Citations             0 of 4" in out and "English               0 of 3" in out
    assert "10 questions in" in out and "question 1 of 10" in err
    assert len(fake.requests) - n_before >= 11  # the first question of the test, and these
    assert "is off for this library" in command("show")[1]


def test_options_are_checked_and_kept(command: Command, fake: ChatServer, tmp_path: Path):
    fake.key = "sk-1"
    (tmp_path / "key").write_text("sk-1\nsecond line\n")
    words = ["set", fake.address.url, "--chat", "tiny", "--key-file", str(tmp_path / "key")]
    assert "a value from 1 to 64" in command(*words, "--at-once", "100")[2]
    code, out, err = command(*words, "--at-once", "8", "--context", "2048", "--yes")
    assert code == 0 and "requests at once: 8" in out and "sk-1" not in out + err
    stored = json.loads(Path(tmp_path / "home" / "model servers.json").read_text())
    [server] = stored.values()
    assert (server["n_at_once"], server["n_ctx"], server["is_on"]) == (8, 2048, True)
    assert "sk-1" not in json.dumps(stored)


def test_plain_http_across_the_internet_must_be_allowed(
    command: Command, fake: ChatServer, monkeypatch: pytest.MonkeyPatch
):
    code, _, err = command("set", "http://models.example.org/v1", "--chat", "tiny")
    assert code == 1 and "everybody on the way" in err
    asked: list[str] = []

    def refuse(self: ServerClient, path: str, cancel: object = None) -> dict:
        asked.append(self.address.url)
        return {"data": []}

    monkeypatch.setattr(ServerClient, "get", refuse)
    words = ["set", "http://models.example.org/v1", "--chat", "tiny", "--allow-plain-http"]
    code, _, err = command(*words)
    assert code == 2 and "has no model" in err and len(asked) == 2


def test_an_evaluation_asks_the_server_of_the_library(
    command: Command, fake: ChatServer, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
):  # fmt: skip
    monkeypatch.setenv("INKGRAPH_MODELS", str(tmp_path / "no models"))
    fake.reply = lambda body: "Clara Wren wound the clocks every night [1]."
    path = str(tmp_path / "own.inkgraph")
    (tmp_path / "clock.txt").write_text(STORY, "utf-8")
    words = ["set", fake.address.url, "--chat", "tiny", "--embedding", "tiny", "--yes"]
    assert command(*words)[0] == 0
    assert run_command(["add", "--library", path, str(tmp_path / "clock.txt")]) == 0
    questions = tmp_path / "q.jsonl"
    questions.write_text('{"question": "Who wound the clocks?", "answer": "Clara Wren"}')
    n_embedded = len(fake.requests)
    capsys.readouterr()
    asked = ["evaluate", "--library", path, str(questions), "--modes", "naive"]
    assert run_command([*asked, "--json"]) == 0
    output = capsys.readouterr()
    run = json.loads(output.out)
    assert "Clara Wren" in output.out and "tiny" in json.dumps(run["settings"] | run["versions"])
    paths = [path for path, _ in fake.requests[n_embedded:]]
    assert any(p.endswith("/embeddings") for p in paths) and fake.chats
    assert run_command(["evaluate", "--library", path, str(questions), "--models", "gone"]) == 1
    assert "gone" in capsys.readouterr().err
