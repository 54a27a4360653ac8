"""The command line and the window go on when the process of a model dies, and say what happened."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_app.app import App
from desktop_app.cli import run_command
from desktop_app.engine.llm.hosted_models import HostedChat, HostedEmbedder
from desktop_app.engine.llm.trial_child import write_chat_model, write_embedding_model
from desktop_app.engine.model import ChatMessage
from desktop_app.workers.operations import Query

ROOT = Path(__file__).resolve().parents[2]
WAIT_MS = 60_000
NOTE = "Robert Vale met Ann Stone in Leeds. Ann Stone kept the letter of the pilot."
AGAIN = "it is restarted and continues."
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sends signals")

# Ends the process of a model at its first passages and its first answer, once a file exists;
# the process that tries a model before the program uses it goes on.
DIE_ONCE = """
import os, sys
from desktop_app.engine.llm.batching.sequences import SequenceContext
from desktop_app.engine.llm.embedding import GgufEmbedder
from desktop_app.engine.llm.llama_chat import ChatContext

def die_once(name):
    place = os.path.join(os.environ["TMPDIR"], name)
    if os.path.exists(place) and not any("trial_child" in word for word in sys.orig_argv):
        os.remove(place)
        os.abort()

def wrap(kind, method, name):
    known = getattr(kind, method)
    def call(self, *args, **options):
        die_once(name)
        return known(self, *args, **options)
    setattr(kind, method, call)

wrap(GgufEmbedder, "embed_passages", "embed")
wrap(ChatContext, "read", "answer")
wrap(SequenceContext, "decode", "answer")  # passages that are read one by one
"""


@pytest.fixture
def models(tmp_path: Path) -> Path:
    folder = tmp_path / "models"
    folder.mkdir()
    write_chat_model(folder / "chat.gguf")
    write_embedding_model(folder / "embedding.gguf")
    return folder


@pytest.fixture
def run(
    tmp_path: Path,
    models: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Callable[..., str]:
    """Run a command of the program here, its models in processes that die once; return stderr."""
    code = tmp_path / "code"
    code.mkdir()
    (code / "sitecustomize.py").write_text(DIE_ONCE)
    monkeypatch.setenv("INKGRAPH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("INKGRAPH_MODELS", str(models))
    monkeypatch.setenv("PYTHONPATH", f"{code}{os.pathsep}{ROOT}")
    monkeypatch.setenv("TMPDIR", str(tmp_path))

    def run(*arguments: str) -> str:
        assert run_command(list(arguments)) == 0
        return capsys.readouterr().err

    return run


def test_the_window_goes_on_after_the_death_of_each_model(app: App, tmp_path: Path, qtbot):
    note = tmp_path / "note.txt"
    note.write_text(NOTE)
    workspace = app.open_library(tmp_path / "one.inkgraph")
    registry = app.model_registry
    shown: list[str] = []  # all of them: another one may follow at once
    workspace.context.messages.posted.connect(lambda message: shown.append(message.text))
    workspace.session.add_paths([str(note)])
    library_reader = workspace.context.library_reader
    qtbot.waitUntil(lambda: bool(library_reader.top_entities(5)), timeout=WAIT_MS)
    embedder, chat = registry.find_embedder(), registry.find_chat()
    assert isinstance(embedder, HostedEmbedder) and isinstance(chat, HostedChat)
    for model, use in (
        (embedder, lambda: embedder.embed_query("letter")),
        (chat, lambda: list(chat.stream([ChatMessage("user", "Who?")], max_tokens=4))),
    ):
        shown.clear()
        os.kill(model.host_pid, signal.SIGKILL)
        use()
        qtbot.waitUntil(lambda: any(AGAIN in text for text in shown), timeout=WAIT_MS)
        assert any("stopped (SIGKILL)" in text for text in shown)
        assert model.host_pid
    answer = workspace.context.answer_pipeline.query("Who kept the letter of the pilot?")
    assert any("kept the letter" in passage.text for passage in answer.found.passages)


@pytest.mark.usefixtures("models_are_not_tried")
def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_closing_while_a_model_works_ends_it_and_starts_no_other(app: App, tmp_path: Path, qtbot):
    workspace = app.open_library(tmp_path / "one.inkgraph")
    embedder = app.model_registry.find_embedder()
    assert isinstance(embedder, HostedEmbedder)
    begun, ended = threading.Event(), threading.Event()

    def embed_without_end() -> None:
        try:
            while True:
                embedder.embed_passages([NOTE] * 8)
                begun.set()
        finally:
            ended.set()

    failures: list[BaseException] = []
    query = Query(workspace.session.lanes["model"], embed_without_end, owner=workspace.session)
    query.on_error(failures.append).run()
    qtbot.waitUntil(begun.is_set, timeout=WAIT_MS)
    pid = embedder.host_pid
    assert app.close()
    assert ended.wait(20) and embedder.host_pid == 0
    qtbot.waitUntil(lambda: not is_alive(pid), timeout=WAIT_MS)  # ended, then reaped
    messages = workspace.context.messages
    assert messages.last is None or AGAIN not in messages.last.text


@pytest.mark.slow
def test_adding_and_asking_go_on_after_the_death_of_a_model(run, tmp_path: Path):
    library, note = str(tmp_path / "one.inkgraph"), tmp_path / "note.txt"
    note.write_text(NOTE)
    (tmp_path / "embed").touch()
    added = run("add", "--library", library, str(note))
    assert f"embedding stopped (SIGABRT); {AGAIN}" in added
    assert "Traceback" not in added
    (tmp_path / "answer").touch()
    asked = run("ask", "--library", library, "Who kept the letter of the pilot?")
    assert f"chat stopped (SIGABRT); {AGAIN}" in asked
    assert "Traceback" not in asked
