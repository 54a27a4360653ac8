"""Tests run.py and its installation: pinned dependencies, explained failures."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pip
import pytest

from desktop_app.engine.llm import processor_features
from desktop_app.engine.llm.trial import TrialResult

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
    ("output", "reason"),
    [
        ("OSError: [Errno 28] No space left on device", "disk is full"),
        ("CMake Error: CMAKE_CXX_COMPILER not set, after EnableLanguage", "compiler"),
        ("Failed to establish a new connection: [Errno -3]", "can't be reached"),
        ("ERROR: No matching distribution found for torch==9", "no torch==9"),
        ("c++: fatal error: Killed signal terminated program cc1plus", "out of memory"),
        ("something nobody foresaw", "something nobody foresaw"),
    ],
)
def test_a_failed_step_is_explained(run_py, output, reason):
    assert reason in run_py.explain_failure(output)


def test_an_option_of_a_command_is_passed_on(run_py):
    assert run_py.parse(["cli", "ask", "Who?", "--top", "3"]) == (
        "cli",
        ["ask", "Who?", "--top", "3"],
        True,
    )
    assert run_py.parse(["test", "--no-models", "-k", "chunk"]) == ("test", ["-k", "chunk"], False)
    assert run_py.parse([]) == ("window", [], True)
    assert run_py.parse(["check"])[2] is False


def test_run_py_imports_only_the_standard_library():
    program = (
        "import runpy, sys; runpy.run_path('run.py', run_name='looked at'); "
        "sys.path.insert(0, '.'); import desktop_app.engine.llm.processor_features; "
        "import desktop_app.engine.llm.trial; "
        "print(sorted(m for m in sys.modules if m.split('.')[0] not in sys.stdlib_module_names))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    foreign = [
        name
        for name in ast.literal_eval(done.stdout)
        if not name.startswith(("desktop_app", "__main__"))
    ]
    assert foreign == []


# --- a dependency that replaced another one ---------------------------------------------------


def unpack(name: str, folder: Path) -> None:
    """Write what pip installs of a package whose only module is `apsw`, which names its package."""
    info = f"{name.replace('-', '_')}-1.0.dist-info"
    files = {
        "apsw/__init__.py": f"package = {name!r}\n",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
        f"{info}/INSTALLER": "pip\n",
    }
    record = "".join(f"{path},,\n" for path in (*files, f"{info}/RECORD"))
    for path, text in {**files, f"{info}/RECORD": record}.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text, "utf-8")


def test_the_package_that_was_replaced_is_removed_first(run_py, tmp_path, monkeypatch):
    venv = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True)
    python = venv / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    for name, value in {"VENV": venv, "PYTHON": python, "LOG": venv / "setup.log"}.items():
        monkeypatch.setattr(run_py, name, value)

    def run_python(*arguments: str) -> str:
        command = [str(python), "-I", *arguments]
        environment = {**os.environ, "PIP_CONFIG_FILE": os.devnull}
        return subprocess.run(
            command, capture_output=True, text=True, check=True, env=environment
        ).stdout

    packages = Path(
        run_python("-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    )
    shutil.copytree(Path(pip.__file__).parent, packages / "pip")  # to install it takes seconds
    program = (
        "import apsw, importlib.metadata as m;"
        "print(apsw.package, *(d.name for d in m.distributions() if 'apsw' in d.name))"
    )
    for before in ("apsw", "apsw"), ("apsw", "apsw-sqlite3mc"), ("apsw-sqlite3mc", "apsw"):
        for name in before:
            unpack(name, packages)
        run_py.remove_replaced_packages()
        unpack("apsw-sqlite3mc", packages)
        assert run_python("-c", program).split() == ["apsw-sqlite3mc", "apsw-sqlite3mc"]
    run_py.remove_replaced_packages()  # nothing is left to remove
    assert run_python("-c", program).split() == ["apsw-sqlite3mc", "apsw-sqlite3mc"]


# --- llama.cpp: which build is installed, and what happens when it dies ---------------------------

SIGILL = TrialResult("was stopped by SIGILL (…) while making embeddings", crashed=True)


class FakeMachine:
    """Replaces the compiler and pip, which take minutes; records their arguments.

    `dies` names the builds whose trial ends with SIGILL; `fails` those that can't be compiled.
    """

    def __init__(self, run_py: ModuleType, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.dies: set[str] = set()
        self.fails: dict[str, Exception] = {}
        self.built: list[str] = []
        self.installed = ""
        self.ready: dict = {}
        self._folder = folder
        monkeypatch.setenv("INKGRAPH_CACHE", str(folder))
        monkeypatch.delenv("INKGRAPH_LLAMA_BUILD", raising=False)
        monkeypatch.setattr(run_py, "LlamaBuild", self.begin)
        monkeypatch.setattr(run_py, "install_llama", self.install)
        monkeypatch.setattr(run_py, "try_llama", self.attempt)
        monkeypatch.setattr(run_py, "save_ready", lambda ready: self.ready.update(ready))

    def begin(self, level, requirement: str) -> SimpleNamespace:
        return SimpleNamespace(level=level, finish=lambda: self.build(level), stop=lambda: None)

    def build(self, level) -> Path:
        name = level.key.partition("-")[0]
        if name in self.fails:
            raise self.fails[name]
        self.built.append(name)
        wheel = self._folder / f"{name}.whl"
        wheel.touch()
        return wheel

    def install(self, wheel: Path) -> None:
        self.installed = wheel.stem

    def attempt(self, *_: str) -> TrialResult:
        return SIGILL if self.installed in self.dies else TrialResult()


PIP = """
import pathlib, subprocess, sys
pathlib.Path("arguments").write_text("\\n".join(sys.argv[1:]), "utf-8")
kind = pathlib.Path("kind").read_text()
if kind == "endless":
    subprocess.call([sys.executable, "-c", "import time; f = open('alive', 'w'); time.sleep(100)"])
elif kind == "old compiler":
    sys.exit("g++: error: unrecognized command-line option '-mavx512bf16'")
wheel = pathlib.Path(sys.argv[sys.argv.index("-w") + 1], "llama_cpp_python-1.0-py3-none-any.whl")
wheel.touch()
"""


@pytest.fixture
def set_up(run_py, tmp_path, monkeypatch) -> Path:
    """Return an environment whose pip writes an empty wheel; its file `kind` can say otherwise."""
    (tmp_path / "pip.py").write_text(PIP, "utf-8")
    (tmp_path / "kind").write_text("quick", "utf-8")
    monkeypatch.setenv("INKGRAPH_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("INKGRAPH_LLAMA_BUILD", raising=False)
    monkeypatch.setattr(run_py, "VENV", tmp_path)
    monkeypatch.setattr(run_py, "PYTHON", Path(sys.executable))
    monkeypatch.setattr(run_py, "LOG", tmp_path / "setup.log")
    monkeypatch.setattr(run_py, "BUILD_LOG", tmp_path / "build.log")
    return tmp_path


def test_the_build_is_compiled_beside_other_steps(run_py, set_up, capsys):
    level, other = run_py.list_levels()[0], run_py.list_levels()[-1]
    beside = run_py.BuildBeside()
    beside.start()
    run_py.run_logged("another step", [sys.executable, "-c", "print('a package')"])
    assert level == other or beside.take(other) is None
    wheel = beside.take(level).finish()

    assert wheel.parent == run_py.wheel_folder(level) and list(wheel.parent.iterdir()) == [wheel]
    assert beside.take(level) is None
    assert "a package" in run_py.LOG.read_text("utf-8")
    assert "a package" not in run_py.BUILD_LOG.read_text("utf-8")
    arguments = (set_up / "arguments").read_text("utf-8").splitlines()
    assert run_py.read_llama_requirement() in arguments
    name, _, path = arguments[arguments.index("-C") + 1].rpartition("=")
    assert name == "cmake.define.CMAKE_PROJECT_INCLUDE"
    assert "set(LLAMA_BUILD_COMMON OFF)" in Path(path).read_text(encoding="utf-8").splitlines()


def test_a_wheel_of_an_earlier_environment_is_not_compiled_again(run_py, set_up):
    folder = run_py.wheel_folder(run_py.list_levels()[0])
    folder.mkdir(parents=True)
    version = run_py.read_llama_requirement().partition("==")[2]
    (folder / f"llama_cpp_python-{version}-py3-none-any.whl").touch()
    beside = run_py.BuildBeside()
    beside.start()
    assert beside.take(run_py.list_levels()[0]) is None and not run_py.BUILD_LOG.exists()


def test_an_error_of_the_compiler_is_reported_when_its_turn_comes(run_py, set_up, monkeypatch):
    (set_up / "kind").write_text("old compiler", "utf-8")
    beside, level = run_py.BuildBeside(), run_py.list_levels()[0]
    beside.start()
    with pytest.raises(run_py.CompilerTooOld):
        beside.take(level).finish()
    assert list(run_py.wheel_folder(level).iterdir()) == []
    monkeypatch.setenv("INKGRAPH_LLAMA_BUILD", "amx")
    run_py.BuildBeside().start()
    with pytest.raises(run_py.SetupError, match="INKGRAPH_LLAMA_BUILD can be"):
        run_py.ensure_llama({})


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no groups of processes")
def test_a_failed_step_ends_the_compiler_too(run_py, set_up, monkeypatch):
    (set_up / "kind").write_text("endless", "utf-8")

    os.mkfifo(set_up / "alive")
    pipes = []

    def fail_after_the_start(ready: dict, beside) -> None:
        beside.start()
        pipes.append((set_up / "alive").open("rb"))  # waits for the compiler to open it
        raise run_py.SetupError("no network")

    monkeypatch.setattr(run_py, "load_ready", dict)
    monkeypatch.setattr(run_py, "install_packages", fail_after_the_start)
    with pytest.raises(run_py.SetupError, match="no network"):
        run_py.ensure_ready("window", models=True)
    begun = time.monotonic()
    with pipes[0] as pipe:
        assert pipe.read() == b""  # nobody has it open any more
    assert time.monotonic() - begun < 50
    assert list(run_py.wheel_folder(run_py.list_levels()[0]).iterdir()) == []


@pytest.fixture
def machine(run_py, tmp_path, monkeypatch) -> FakeMachine:
    features = {"sse4_2", "ssse3", "avx", "avx2", "fma", "f16c", "bmi2"}
    features |= {"avx512f", "avx512cd", "avx512vl", "avx512dq", "avx512bw"}
    here = processor_features.Processor("x86_64", "a processor", frozenset(features))
    monkeypatch.setattr(processor_features, "read_processor", lambda: here)
    return FakeMachine(run_py, tmp_path, monkeypatch)


def test_the_first_working_build_is_kept(run_py, machine):
    run_py.ensure_llama({})
    assert machine.built == ["avx512"]
    assert machine.ready["llama"]["level"].startswith("avx512")
    run_py.ensure_llama(machine.ready)  # the second start does nothing
    assert machine.built == ["avx512"]


def test_a_crashing_build_is_reported_and_a_more_compatible_one_follows(run_py, machine, capsys):
    machine.dies = {"avx512"}
    run_py.ensure_llama({})
    assert machine.built == ["avx512", "avx2"]
    assert machine.ready["llama"]["level"].startswith("avx2")
    printed = capsys.readouterr().out
    assert "SIGILL" in printed and "plainer instructions" in printed


def test_without_a_working_build_the_program_starts_with_a_message(run_py, machine, capsys):
    machine.dies = {"avx512", "avx2", "avx", "sse42", "baseline"}
    run_py.ensure_llama({})
    assert machine.built == ["avx512", "avx2", "avx", "sse42", "baseline"]
    assert "Models can't run here: llama.cpp was stopped by SIGILL" in capsys.readouterr().out
    run_py.ensure_llama(machine.ready)
    assert "Models can't run here" in capsys.readouterr().out
    assert len(machine.built) == 5


def test_on_another_processor_the_build_is_tested_again(run_py, machine, monkeypatch, capsys):
    run_py.ensure_llama({})
    other = processor_features.Processor(
        "x86_64", "older", frozenset({"sse4_2", "avx", "avx2", "ssse3"})
    )
    monkeypatch.setattr(processor_features, "read_processor", lambda: other)
    run_py.ensure_llama(machine.ready)
    assert machine.built == ["avx512"]
    assert "another processor" in capsys.readouterr().out
    oldest = processor_features.Processor("x86_64", "oldest", frozenset({"sse4_2", "ssse3"}))
    monkeypatch.setattr(processor_features, "read_processor", lambda: oldest)
    machine.dies = {"avx512"}
    run_py.ensure_llama(machine.ready)
    assert machine.built == ["avx512", "sse42"]


def test_an_older_build_is_made_again_once_a_projector_is_there(
    run_py, machine, monkeypatch, capsys
):
    run_py.ensure_llama({})
    state = machine.ready["llama"]
    assert state["pictures"]
    state["pictures"] = False
    state["level"] = "avx512-of an older version"
    monkeypatch.setattr(run_py, "has_projector", lambda: False)
    run_py.ensure_llama(machine.ready)
    assert machine.built == ["avx512"]
    monkeypatch.setattr(run_py, "has_projector", lambda: True)
    machine.fails = {"avx512": run_py.SetupError("no network")}
    run_py.ensure_llama(machine.ready)  # the build that works stays
    assert not machine.ready["llama"]["pictures"] and "no network" in capsys.readouterr().out
    machine.fails = {}
    run_py.ensure_llama(machine.ready)
    run_py.ensure_llama(machine.ready)
    assert machine.built == ["avx512", "avx512"] and machine.ready["llama"]["pictures"]
    machine.ready["llama"]["pictures"] = False
    monkeypatch.setattr(run_py, "has_projector", lambda: False)
    run_py.ensure_llama(machine.ready, with_pictures=True)  # as for tests
    assert len(machine.built) == 3


def test_projectors_are_looked_for_in_the_models_folders(run_py, tmp_path, monkeypatch):
    monkeypatch.setattr(run_py, "PYTHON", Path(sys.executable))
    monkeypatch.setenv("INKGRAPH_MODELS", str(tmp_path))
    (tmp_path / "chat.gguf").touch()
    assert not run_py.has_projector()
    (tmp_path / "seer").mkdir()
    (tmp_path / "seer" / "seer-mmproj-f16.gguf").touch()
    assert run_py.has_projector()


def test_an_old_compiler_gets_a_more_compatible_build(run_py, machine):
    machine.fails = {"avx512": run_py.CompilerTooOld("too old")}
    run_py.ensure_llama({})
    assert machine.built == ["avx2"]


def test_without_a_compiler_no_build_is_recorded(run_py, machine):
    machine.fails = {"avx512": run_py.SetupError("needs a C++ compiler")}
    with pytest.raises(run_py.SetupError, match=r"C\+\+ compiler"):
        run_py.ensure_llama({})
    assert machine.ready == {}


def test_a_crashing_wheel_of_another_machine_is_built_again(run_py, machine, tmp_path):
    level = processor_features.list_build_levels(processor_features.read_processor())[0]
    folder = run_py.wheel_folder(level)
    folder.mkdir(parents=True)
    requirement = next(n for n in run_py.read_requirements()[0] if n.startswith("llama-cpp"))
    version = requirement.partition("==")[2]
    kept = folder / f"llama_cpp_python-{version}-py3-none-any.whl"
    kept.touch()
    machine.dies = {kept.stem}
    run_py.ensure_llama({})
    assert machine.built == ["avx512"]
    assert not kept.exists()
    assert machine.ready["llama"]["level"] == level.key


def test_a_chosen_build_is_used_and_a_wrong_name_is_explained(run_py, machine, monkeypatch):
    monkeypatch.setenv("INKGRAPH_LLAMA_BUILD", "sse42")
    run_py.ensure_llama({})
    assert machine.built == ["sse42"]
    monkeypatch.setenv("INKGRAPH_LLAMA_BUILD", "amx")
    with pytest.raises(run_py.SetupError, match="avx512, avx2, avx, sse42, baseline"):
        run_py.ensure_llama({})


@pytest.mark.parametrize(
    "line",
    [
        "c++: error: unrecognized command-line option '-mavx512bf16'",
        "clang: error: unknown argument: '-mavxvnni'",
        "cc1: error: invalid feature modifier 'i8mm' in '-march=armv8.2-a+dotprod+i8mm'",
        "/tmp/ccA.s:41: Error: no such instruction: `vpdpbusd %ymm1,%ymm2,%ymm3'",
    ],
)
def test_an_old_compiler_is_recognised(run_py, line):
    assert run_py._OLD_COMPILER.search(line)
    assert not run_py._OLD_COMPILER.search("CMake Error: CMAKE_CXX_COMPILER not set")


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
def test_a_step_ended_by_a_signal_is_reported_with_exit_code_3(run_py, capsys):
    program = "import os, signal; os.kill(os.getpid(), signal.SIGILL)"
    code = run_py.call("the step", [sys.executable, "-c", program])
    printed = capsys.readouterr().out
    assert code == 3
    assert "the step was ended by SIGILL" in printed
    assert str(run_py.LOG) in printed


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
def test_a_build_step_ended_by_a_signal_is_reported(run_py, tmp_path, monkeypatch):
    monkeypatch.setattr(run_py, "LOG", tmp_path / "log")
    monkeypatch.setattr(run_py, "VENV", tmp_path)
    program = "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"
    with pytest.raises(run_py.SetupError, match="SIGSEGV"):
        run_py.run_logged("a step", [sys.executable, "-c", program])


# --- the checks -----------------------------------------------------------------------------------


@pytest.mark.parametrize("is_sound", [True, False])
def test_a_failed_check_of_the_code_is_reported_after_the_tests(
    run_py, monkeypatch, capfd, is_sound: bool
):
    """Runs pytest with an option that runs no test, and two small programs as checks."""
    python = [sys.executable, "-c"]
    seen = "import os; print('bytecode', repr(os.environ['PYTHONDONTWRITEBYTECODE']))"
    commands = {"first": [*python, "print('a finding'); raise SystemExit(7)"]} | {
        "second": [*python, seen]
    }
    if is_sound:
        del commands["first"]
    monkeypatch.setattr(run_py, "PYTHON", Path(sys.executable))
    monkeypatch.setattr(run_py, "list_code_checks", lambda: commands)
    code = run_py.run_checks(["--version"], {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
    out = capfd.readouterr().out
    assert "--- second\nbytecode ''\n" in out
    assert (code, "a finding" in out, "FAILED: first" in out) == (
        (0, False, False) if is_sound else (1, True, True)
    )


def test_files_of_tests_lie_in_memory_where_there_is_room(run_py, tmp_path, monkeypatch, capfd):
    program = tmp_path / "tests.py"
    program.write_text("import tempfile; print('files in', tempfile.gettempdir())", "utf-8")
    monkeypatch.setattr(run_py, "list_code_checks", dict)
    monkeypatch.setattr(
        run_py,
        "call",
        lambda _, command, env, cwd: subprocess.call(
            [sys.executable, str(program)], env=env, cwd=cwd
        ),
    )
    environment = {name: value for name, value in os.environ.items() if name != "TMPDIR"}
    monkeypatch.setattr(run_py, "find_memory_folder", lambda: str(tmp_path))
    assert run_py.run_checks([], environment) == 0
    own = Path(re.search("files in (.+)", capfd.readouterr().out)[1])
    assert own.parent == tmp_path and not own.exists()
    chosen = str(tmp_path / "chosen")
    Path(chosen).mkdir()
    run_py.run_checks([], {**environment, "TMPDIR": chosen})
    assert f"files in {chosen}\n" in capfd.readouterr().out


@pytest.mark.skipif(not hasattr(os, "statvfs"), reason="Windows has no such folder")
def test_without_room_in_memory_the_files_of_tests_lie_on_the_disk(run_py, monkeypatch):
    monkeypatch.setattr(run_py, "MEMORY_FOR_TESTS", 1 << 60)
    assert run_py.find_memory_folder() == ""


def test_every_tool_that_checks_the_code_is_run(run_py):
    commands = run_py.list_code_checks()
    assert set(commands) == {"ruff check", "ruff format", "lint-imports", "vulture", "mypy"}
