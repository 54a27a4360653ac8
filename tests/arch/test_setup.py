"""run.py and what it installs: pins are complete, and failures are told in a sentence."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
PIN = re.compile(r"^([A-Za-z0-9_.-]+)==(\S+)\s*(?:#\s*(.*))?$")


@pytest.fixture(scope="module")
def run_py() -> ModuleType:
    spec = importlib.util.spec_from_file_location("inkgraph_run", ROOT / "run.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def read_pins() -> dict[str, str]:
    lines = (ROOT / "packaging" / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [PIN.match(line) for line in lines if line and not line.startswith("#")]
    assert all(pins), "a line of constraints.txt is no pin"
    return {normal(pin[1]): (pin[3] or "") for pin in pins}


def test_every_dependency_is_pinned_with_its_reason(run_py):
    wanted, dev = run_py.read_requirements()
    pins = read_pins()
    names = [normal(re.split(r"[<>=!]", requirement)[0]) for requirement in wanted + dev]
    assert [name for name in names if not pins.get(name)] == []


def test_the_leaking_qt_is_refused():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    qt = next(line for line in project["dependencies"] if line.startswith("PySide6"))
    assert "!=6.12.0" in qt


@pytest.mark.parametrize(
    ("output", "says"),
    [
        ("OSError: [Errno 28] No space left on device", "disk is full"),
        ("CMake Error: CMAKE_CXX_COMPILER not set, after EnableLanguage", "compiler"),
        ("Failed to establish a new connection: [Errno -3]", "can't be reached"),
        ("ERROR: No matching distribution found for torch==9", "no torch==9"),
        ("c++: fatal error: Killed signal terminated program cc1plus", "out of memory"),
        ("something nobody foresaw", "something nobody foresaw"),
    ],
)
def test_a_failed_step_is_explained(run_py, output, says):
    assert says in run_py.explain_failure(output)


def test_an_option_of_a_command_is_handed_on(run_py):
    assert run_py.parse(["cli", "ask", "Who?", "--top", "3"]) == (
        "cli",
        ["ask", "Who?", "--top", "3"],
        True,
    )
    assert run_py.parse(["test", "--no-models", "-k", "chunk"]) == ("test", ["-k", "chunk"], False)
    assert run_py.parse([]) == ("window", [], True)
    assert run_py.parse(["check"])[2] is False


def test_run_py_is_only_the_standard_library():
    program = (
        "import runpy, sys; runpy.run_path('run.py', run_name='looked at'); "
        "print(sorted(m for m in sys.modules if m.split('.')[0] not in sys.stdlib_module_names))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "desktop_app" not in done.stdout
