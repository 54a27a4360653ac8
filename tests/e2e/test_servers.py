"""The servers as other programs meet them: real processes, clients, examples of the docs."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import anyio
import numpy as np
import pytest
from mcp import Client, StdioServerParameters, stdio_client
from mcp_types import Implementation

from desktop_app.cli import build_parser, run_command
from desktop_app.engine.llm.registry import ModelRegistry
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.foreign_changes import ForeignChanges
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_models import LibraryModels
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.engine.services.model_servers import library_name
from desktop_app.engine.store import search
from tests.unit.servers.conftest import TOKEN, serve, story_file, story_library

__all__ = ["story_file", "story_library"]  # fixtures
ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "SERVERS.md").read_text("utf-8")


def read_examples(language: str) -> list[str]:
    """Return the examples of the page in a language."""
    found = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert found
    return found


def build_environment(tmp_path: Path, **more: str) -> dict[str, str]:
    return {
        **os.environ,
        "INKGRAPH_HOME": str(tmp_path / "home"),
        "INKGRAPH_MODELS": str(tmp_path / "no models"),
        "INKGRAPH_SUPERVISED": "1",
        "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
        **more,
    }


def test_an_assistant_starts_the_server_and_its_edit_appears_here(
    story_library: Library, tmp_path: Path
):
    """With the configuration of the page, and the library open in this process, as in a window."""
    changes = ForeignChanges(story_library.writer)
    changes.find()
    entry = json.loads(read_examples("json")[0])["mcpServers"]["inkgraph"]
    assert entry["command"] == "inkgraph"
    arguments = [str(story_library.path) if a.endswith(".inkgraph") else a for a in entry["args"]]
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "desktop_app", *arguments, "--allow-edit"],
        env=build_environment(tmp_path),
        cwd=str(tmp_path),
    )

    async def talk() -> None:
        name = Implementation(name="Claude", version="1")
        async with Client(stdio_client(server), client_info=name) as client:
            found = await client.call_tool("search", {"question": "Who wound the clocks?"})
            assert found.structured_content["passages"][0]["title"] == "clock"
            text = await client.read_resource("inkgraph://documents/1")
            assert "The Clockmaker" in text.contents[0].text
            done = await client.call_tool(
                "rename_entity", {"name": "Captain Hale", "new_name": "Robert Hale"}
            )
            assert "(Claude)" in done.content[0].text

    anyio.run(talk)
    found = changes.find()
    assert found.edit == "Rename “Captain Hale” to “Robert Hale” (Claude)"
    reader = LibraryReader(story_library.writer)
    assert reader.find_by_names(["Robert Hale"]) in found.change.entities
    EditingService(story_library.writer).undo()
    assert reader.get_entity(reader.find_by_names(["Captain Hale"])).row.name == "Captain Hale"


@contextmanager
def run_server(
    library: Path, tmp_path: Path, *more: str, **variables: str
) -> Iterator[tuple[subprocess.Popen, str]]:
    """Run `inkgraph serve`; give the process and its first lines."""
    command = [sys.executable, "-m", "desktop_app", "serve", "--library", str(library)]
    with subprocess.Popen(
        [*command, "--port", "0", *more],
        env=build_environment(tmp_path, **variables),
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        try:
            lines = [process.stdout.readline() for _ in range(3)]
            yield process, "".join(lines)
        finally:
            process.terminate()
            process.communicate(timeout=20)


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="reads the sockets of Linux")
def test_the_process_listens_on_this_machine_only(story_library: Library, tmp_path: Path, capsys):
    with run_server(story_library.path, tmp_path) as (process, printed):
        port = int(re.search(r"http://127\.0\.0\.1:(\d+)", printed)[1])
        assert "for reading only" in printed and "Token: " in printed
        assert list_listening(process.pid) == [("127.0.0.1", port)]
        command = ["serve", "--library", str(story_library.path), "--port", str(port)]
        assert run_command(command) == 2
        assert f"Port {port} is used by another program" in capsys.readouterr().err


def list_listening(pid: int) -> list[tuple[str, int]]:
    """Return the addresses of the sockets on which a process listens, of IPv4, IPv6 and UDP."""
    own = set()
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        try:
            own.add(os.readlink(entry))
        except FileNotFoundError:  # closed meanwhile
            continue
    found = []
    for table, states in (("tcp", {"0A"}), ("tcp6", {"0A"}), ("udp", None), ("udp6", None)):
        for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
            parts = line.split()
            if f"socket:[{parts[9]}]" not in own or (states and parts[3] not in states):
                continue
            address, port = parts[1].split(":")
            octets = [str(int(address[i : i + 2], 16)) for i in (6, 4, 2, 0)]
            found.append((".".join(octets) if len(address) == 8 else address, int(port, 16)))
    return found


@pytest.mark.loopback
def test_the_examples_of_the_page_work(
    story_library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
):
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    curl = shutil.which("curl")
    assert curl, "the examples need curl"
    with serve(story_library, may_edit=True) as served:
        for example in read_examples("sh"):
            command = example.replace("http://127.0.0.1:9621", served.server.address)
            done = subprocess.run(
                ["sh", "-c", command],
                env=build_environment(tmp_path, TOKEN=TOKEN),
                capture_output=True,
                text=True,
            )
            answers = [json.loads(line) for line in done.stdout.splitlines()]
            assert answers and not any({"detail", "error"} & answer.keys() for answer in answers), (
                f"{command}\n{done.stdout}{done.stderr}"
            )
        for example in read_examples("python"):
            code = example.replace("http://127.0.0.1:9621", served.server.address)
            names: dict[str, Any] = {"TOKEN": TOKEN}
            exec(code, names)
            assert "Clara Wren" in capsys.readouterr().out
            getattr(names["client"], "_client", names["client"]).close()
    statuses = {one.status for one in served.requests}
    assert statuses == {200}


def test_commands_of_the_page_are_understood():
    for line in re.findall(r"^    inkgraph (.+)$", PAGE, re.MULTILINE):
        assert build_parser().parse_args(shlex.split(line)).command == "serve"


@pytest.mark.model
@pytest.mark.loopback
@pytest.mark.slow
def test_another_library_searches_by_the_vectors_of_this_server(
    story_library: Library,
    small_models: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    """A real server process with a real embedding model, set with the command for model servers."""
    token_file, book = tmp_path / "token", tmp_path / "book.txt"
    token_file.write_text("a-token-for-tests-only\n", "utf-8")
    book.write_text("Jean Valjean rencontra Javert dans la rue de Digne.", "utf-8")
    monkeypatch.setenv("INKGRAPH_HOME", str(tmp_path / "other home"))
    monkeypatch.setenv("INKGRAPH_MODELS", str(tmp_path / "none"))  # it has no model of its own
    other = tmp_path / "other.inkgraph"
    options = ("--token-file", str(token_file))
    serving = run_server(story_library.path, tmp_path, *options, INKGRAPH_MODELS=str(small_models))
    with serving as (_, printed):
        [address] = re.findall(r"at (http://\S+?),", printed)
        Library(other).close()
        use = ["model-server", "--library", str(other), "set", f"{address}/v1", "--yes"]
        use += ["--embedding", "multilingual-e5-small", "--key-file", str(token_file)]
        assert run_command(use) == 0
        assert run_command(["add", "--library", str(other), str(book)]) == 0
        with closing(Library(other)) as library, closing(ModelRegistry([small_models])) as registry:
            models = LibraryModels(ModelRegistry([]), library_name(library.writer))
            name = f"multilingual-e5-small @ {address.removeprefix('http://')}"
            assert search.find_embedding_model(library.writer) == (name, 384)
            assert search.count_unembedded(library.writer) == 0
            remote, local = models.find_embedder(), registry.find_embedder()
            texts = ["Clara Wren wound the clocks.", "", "一座城" * 3_000]
            close = np.einsum("nd,nd->n", remote.embed_passages(texts), local.embed_passages(texts))
            assert close.min() > 0.999
            question = "Who wound the clocks?"
            assert remote.embed_query(question) @ local.embed_query(question) > 0.999
            models.close()
    capsys.readouterr()
