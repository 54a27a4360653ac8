"""From adding to exporting, nothing is reached outside that the user did not name.

The commands run in a process that reports connections, name lookups, programs and opened files to
an audit hook (PEP 578). Documents and library name existing files and addresses everywhere.
Qt and native code are traced by `benchmarks.outside`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from benchmarks.outside import classify, make_documents, make_foreign_files, make_library
from desktop_app.engine.services.watched_folders import FolderWatcher

# The only programs that these commands start.
CHILDREN = (
    "desktop_app.engine.text.reader_child",
    "desktop_app.engine.services.text_analysis.child",
)
SCRIPT = """
import json, sys
from pathlib import Path

reached = []
WATCHED = ("socket.connect", "socket.getaddrinfo", "socket.gethostby", "socket.sendto",
           "subprocess.Popen", "os.system", "os.exec", "os.startfile", "webbrowser", "urllib",
           "ftplib", "http.client", "smtplib")

def note(event, arguments):
    if event == "open" and isinstance(arguments[0], (str, bytes)):
        reached.append(("open", str(arguments[0])))
    elif event.startswith(WATCHED):
        reached.append((event, repr(arguments)[:2000]))

sys.addaudithook(note)
from desktop_app.cli import run_command

codes = [run_command(words) for words in json.loads(Path(sys.argv[1]).read_text())]
Path(sys.argv[2]).write_text(json.dumps([codes, reached]))
"""


@pytest.fixture
def foreign(tmp_path: Path) -> list[Path]:
    return make_foreign_files(tmp_path / "foreign")


@pytest.fixture
def documents(tmp_path: Path, foreign: list[Path]) -> list[Path]:
    return make_documents(tmp_path / "documents", foreign)


def run_audited(tmp_path: Path, commands: Iterable[list[str]]) -> tuple[list[int], list[list[str]]]:
    """Run commands in one process; return their exit codes and what they reached."""
    (tmp_path / "commands.json").write_text(json.dumps(list(commands)), "utf-8")
    env = os.environ | {
        "INKGRAPH_HOME": str(tmp_path / "home"),
        "INKGRAPH_MODELS": str(tmp_path / "no models"),
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, "commands.json", "report.json"],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    codes, reached = json.loads((tmp_path / "report.json").read_text("utf-8"))
    return codes, reached


def test_a_whole_cycle_reaches_only_the_files_of_the_user(
    tmp_path: Path, documents: list[Path], foreign: list[Path]
):
    """The second library is that of another person, which names files of this machine."""
    make_library(tmp_path / "foreign.inkgraph", documents[:2], foreign)
    library, other = ["--library", "work.inkgraph"], ["--library", "foreign.inkgraph"]
    codes, reached = run_audited(
        tmp_path,
        [
            ["add", *library, *map(str, documents)],
            ["search", *library, "Who met Ada Merrow?"],
            ["ask", *library, "![x](http://example.invalid/x.png)", "--only-context"],
            ["entity", "show", *library, "Ada Merrow"],
            ["entity", "alias", *library, "Ada Merrow", foreign[0].as_uri()],
            ["report", *library, "--no-model", "--limit", "2"],
            ["export", *library, "--format", "vault", "--out", "vault"],
            ["export", *library, "--format", "parquet", "--out", "tables"],
            ["export", *library, "--format", "graphml", "--out", "graph.graphml"],
            ["reindex", *library],
            ["undo", *library],
            ["delete", *library, "--yes", "plain.txt"],
            ["check", *other],
            ["status", *other],
            ["search", *other, "Who met Ada Merrow?"],
            ["history", *other],
            ["reindex", *other],
            ["export", *other, "--out", "out.json"],
        ],
    )
    # `check` finds descriptions that are not those of the evidence
    assert codes == [*[0] * 12, 2, *[0] * 5]
    opened = [path for event, path in reached if event == "open"]
    assert any(path.endswith("work.inkgraph") or "vault" in path for path in opened)
    assert any(path == str(documents[0]) for path in opened)  # the hook sees what is opened
    assert [path for path in opened if str(foreign[0].parent) in path] == []
    assert [path for path in opened if path in ("/etc/resolv.conf", "/etc/hosts")] == []
    others = [one for one in reached if one[0] != "open"]
    assert (
        others
        and [
            one
            for one in others
            if one[0] != "subprocess.Popen" or not any(child in one[1] for child in CHILDREN)
        ]
        == []
    )


def test_a_library_of_another_person_does_not_watch_the_folder_that_it_names(
    tmp_path: Path, documents: list[Path], foreign: list[Path]
):
    make_library(tmp_path / "foreign.inkgraph", documents[:2], foreign)
    named = str(foreign[0].parent)
    from desktop_app.engine.services.library import Library

    opened = Library(tmp_path / "foreign.inkgraph")
    watcher = FolderWatcher(opened.writer)
    assert watcher.scan().added.documents == () and watcher.scan().gone == ()
    assert watcher.list_requested() == [named]
    opened.close()


@pytest.mark.parametrize(
    ("line", "kinds"),
    [
        ('7 connect(3, {sa_family=AF_INET, sin_port=htons(443)}, 16) = 0', ["connect"]),
        ('7 connect(3, {sa_family=AF_UNIX, sun_path="/var/run/nscd/socket"}, 110) = -1',
         ["local: the C library asks for the user's name and home folder"]),
        ('7 connect(3, {sa_family=AF_UNIX, sun_path="/tmp/other"}, 110) = -1', ["connect"]),
        ('7 bind(3, {sa_family=AF_INET6}, 28) = 0', ["bind"]),
        ('7 openat(AT_FDCWD, "/etc/resolv.conf", O_RDONLY) = 3', ["lookup"]),
        ('7 openat(AT_FDCWD, "/foreign/image.png", O_RDONLY) = 3', ["foreign open"]),
        ('7 openat(AT_FDCWD, "/usr/lib/x.so", O_RDONLY) = 3', []),
        ('7 execve("/usr/bin/curl", ["curl"], 0x7 /* 9 vars */) = 0', ["program curl"]),
        ("7 +++ exited with 0 +++", []),
    ],
)  # fmt: skip
def test_lines_of_strace_are_classified(line: str, kinds: list[str]):
    assert classify(line, Path("/foreign")) == kinds
