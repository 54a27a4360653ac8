"""A restricted process really can't do what it should not; what is not in force is not claimed."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from desktop_app.engine.child_sandbox import MEMORY_EXIT
from desktop_app.engine.text.parser_child import list_readable
from desktop_app.engine.text.reader_process import DocumentReader

ROOT = Path(__file__).resolve().parents[2]
TRY = """
import json, os, pathlib, socket, subprocess, sys, threading
from desktop_app.engine.text.parser_child import list_readable
from desktop_app.engine.child_sandbox import restrict_process

file, other_pid = sys.argv[1], int(sys.argv[2])
parts = restrict_process(400_000_000, list_readable(), idle=lambda: False)
def attempt(action):
    try:
        action()
        return "done"
    except (OSError, MemoryError) as error:
        return type(error).__name__
thread = threading.Thread(target=print, args=("",))
thread.start()
thread.join()
print(json.dumps({
    "parts": parts,
    "memory": attempt(lambda: bytearray(500_000_000)),
    "some memory": attempt(lambda: bytearray(100_000_000)),
    "tcp": attempt(lambda: socket.socket()),
    "udp": attempt(lambda: socket.socket(type=socket.SOCK_DGRAM)),
    "unix": attempt(lambda: socket.socket(socket.AF_UNIX)),
    "pair": attempt(lambda: socket.socketpair()),
    "run": attempt(lambda: subprocess.run([sys.executable, "-V"])),
    "fork": attempt(lambda: os.fork() or os._exit(0)),
    "exec": attempt(lambda: os.execv(sys.executable, [sys.executable, "-V"])),
    "kill": attempt(lambda: os.kill(other_pid, 0)),
    "write": attempt(lambda: open(file, "a")),
    "create": attempt(lambda: open(file + ".new", "x")),
    "delete": attempt(lambda: os.remove(file)),
    "rename": attempt(lambda: os.rename(file, file + ".new")),
    "folder": attempt(lambda: os.mkdir(file + ".new")),
    "read": attempt(lambda: open(file)),
    "list": attempt(lambda: os.listdir(os.path.dirname(file))),
    "python": attempt(lambda: open(os.__file__)),
}))
"""
NETWORK = ("tcp", "udp", "unix", "pair", "run", "fork", "exec", "kill")
CHANGES = ("write", "create", "delete", "rename", "folder")

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="elsewhere nothing is promised"
)


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    file = tmp_path_factory.mktemp("person") / "diary.txt"
    file.write_text("secret", "utf-8")
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        done = subprocess.run(
            [sys.executable, "-c", TRY, str(file), str(other.pid)],
            capture_output=True,
            text=True,
            cwd=ROOT,
        )
        other.kill()
    assert done.returncode == 0, done.stderr
    assert file.read_text("utf-8") == "secret"
    found: dict[str, str] = json.loads(done.stdout)
    return found


def test_memory_is_limited(outcomes):
    assert "memory" in outcomes["parts"]
    assert outcomes["memory"] == "MemoryError"
    assert outcomes["some memory"] == "done"


def test_no_socket_and_no_other_process(outcomes):
    in_force = "network" in outcomes["parts"]
    assert in_force or platform.machine() not in ("x86_64", "aarch64")
    allowed = {name for name in (*NETWORK, *CHANGES) if outcomes[name] == "done"}
    assert not in_force or allowed == set()


def test_files_of_the_person_are_not_read_where_the_kernel_has_landlock(outcomes):
    expected = "PermissionError" if "files" in outcomes["parts"] else "done"
    assert (outcomes["read"], outcomes["list"]) == (expected, expected)
    assert outcomes["python"] == "done"


def test_no_folder_of_documents_is_readable(tmp_path):
    home = Path.home()
    places = [place.resolve() for place in list_readable()]
    assert Path("/") not in places
    assert home.resolve() not in places
    assert not any(tmp_path.is_relative_to(place) for place in places)


def test_a_process_that_checks_its_own_memory_ends_above_it():
    program = (
        "import threading\n"
        "from desktop_app.engine import child_sandbox\n"
        "child_sandbox.start_watching(100_000_000, lambda: False)\n"
        "kept = b'a' * 200_000_000\n"
        "threading.Event().wait(60)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT)
    assert done.returncode == MEMORY_EXIT


def test_a_process_that_may_write_has_no_network_and_starts_no_program(tmp_path):
    file = tmp_path / "record.txt"
    program = (
        "import pathlib, socket, subprocess, sys\n"
        "from desktop_app.engine.child_sandbox import restrict_process\n"
        "parts = restrict_process(0, may_write=True)\n"
        f"pathlib.Path({str(file)!r}).write_text('written')\n"
        "for attempt in (socket.socket, socket.socketpair, lambda: subprocess.run(['true'])):\n"
        "    try:\n"
        "        attempt()\n"
        "        print('done')\n"
        "    except PermissionError:\n"
        "        print('refused')\n"
        "print(*parts)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert file.read_text() == "written"
    *outcomes, parts = done.stdout.split("\n")[:-1]
    expected = "refused" if parts == "network" else "done"
    assert parts == "network" or platform.machine() not in ("x86_64", "aarch64")
    assert outcomes == [expected] * 3


def test_a_reader_is_restricted(caplog):
    caplog.set_level("INFO")
    reader = DocumentReader()
    try:
        reader.read(b"The tide came in.", "a.txt")
    finally:
        reader.close()
    assert "memory" in caplog.text
