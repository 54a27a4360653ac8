#!/usr/bin/env python3
"""One command that sets Inkgraph up and runs it: `python3 run.py`.

Makes a virtual environment beside itself (or in INKGRAPH_VENV), installs the pinned packages,
builds llama.cpp for this processor and tries it, fetches the starter models, and starts what was
asked for. Uses the standard library, and of the program only modules that do the same. After an
interruption the next run continues with the step that was interrupted.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from desktop_app.engine.llm.processor_features import BuildLevel, Processor
    from desktop_app.engine.llm.trial import TrialResult

ROOT = Path(__file__).resolve().parent
VENV = Path(os.environ.get("INKGRAPH_VENV") or ROOT / ".venv").absolute()
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
CONSTRAINTS = ROOT / "packaging" / "constraints.txt"
LLAMA_CMAKE = ROOT / "packaging" / "llama_build.cmake"  # what the build of llama.cpp leaves out
READY = VENV / ".inkgraph-ready"
LOG = VENV / "inkgraph-setup.log"
BUILD_LOG = VENV / "inkgraph-build.log"  # of llama.cpp, which is built beside other steps

OLDEST_PYTHON = (3, 11)
EXIT_BUG = 3
# Of this package only the two networks are used: what it brings along (OpenCV with its video
# codecs, 190 MB) is not installed.
ALONE = ("rapidocr",)
LLAMA_NEEDS = ("diskcache", "Jinja2")  # its wheel is installed without dependencies
# Former dependency -> the package that replaced it. Both own the same folder of site-packages.
REPLACED = {"apsw": "apsw-sqlite3mc"}
DISK_NEEDED_GB = 4
BUILD_MINUTES = "two to five minutes"
HEARTBEAT_S = 15
MEMORY_FOR_TESTS = 8 << 30  # bytes; their files take less than one GiB at a time
TEST_MODELS = ("smollm2-135m", "multilingual-e5-small")
QT_PACKAGES = (
    "libegl1 libgl1 libglib2.0-0 libxkbcommon0 libxkbcommon-x11-0 libdbus-1-3 libfontconfig1 "
    "libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0 libxcb-xkb1 libxcb-image0 "
    "libxcb-render-util0"
)
COMMANDS = {
    "window": "open the window (the default)",
    "demo": "build the demo library and ask it the questions it comes with",
    "test": "style, imports and all tests, with the small test models",
    "check": "the same without models",
    "bench": "run a benchmark: bench NAME",
    "cli": "the command line of the program: cli status --library L.inkgraph",
}


class SetupError(Exception):
    """Something on this machine stands in the way; the text says what to do about it."""


class CompilerTooOld(SetupError):
    """The compiler does not know the instructions it was asked for; a plainer build may work."""


# --- progress and failures ----------------------------------------------------------------------


def say(text: str) -> None:
    print(text, flush=True)


def minutes(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min {seconds % 60:.0f} s"


class LoggedCommand:
    """A command in a child process whose output goes to a log; it may run beside other steps."""

    def __init__(
        self, command: list[str], more: dict[str, str] | None = None, *, log: Path | None = None
    ) -> None:
        """Start it.

        Args:
            more: environment variables beside those of this process.
            log: the file that its output is added to; without it, the log of the set-up.
        """
        self.log = log or LOG
        environment = {**os.environ, "PIP_NO_INPUT": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        environment.update(more or {})
        with self.log.open("ab") as file:
            file.write(f"\n$ {' '.join(command)}\n".encode())
            file.flush()
            self._start_of_output = file.tell()
            # The working directory keeps a folder that happens to be called "torch" out of the way.
            # In a session of its own, a compiler and what it starts can be ended together.
            self._child = subprocess.Popen(
                command, stdout=file, stderr=file, env=environment, cwd=VENV, start_new_session=True
            )

    def wait(self) -> None:
        """Show a sign of life until the command ends.

        Raises:
            CompilerTooOld: it was a compiler, and a plainer build may work.
            SetupError: it failed; the text says why and what to do.
        """
        started = time.monotonic()
        live = sys.stdout.isatty()
        try:
            next_sign: float = HEARTBEAT_S
            while True:
                try:
                    code = self._child.wait(timeout=1)
                    break
                except subprocess.TimeoutExpired:
                    spent = time.monotonic() - started
                    if live:
                        print(f"\r      {minutes(spent)} … ", end="", flush=True)
                    elif spent >= next_sign:
                        output = read_log(self.log, self._start_of_output)
                        say(f"      {minutes(spent)}: {last_line(output)}")
                        next_sign = spent + (HEARTBEAT_S if spent < 60 else 60)
        except BaseException:
            self.stop()
            raise
        if live:
            print("\r" + " " * 40 + "\r", end="")
        if code != 0:
            from desktop_app.engine.exit_status import describe_signal, find_signal

            output = read_log(self.log, self._start_of_output)
            if (name := find_signal(code)) and name != "SIGKILL":
                raise SetupError(f"That step was ended by {describe_signal(name)}. See {self.log}.")
            if _OLD_COMPILER.search(output):
                raise CompilerTooOld("The compiler does not know this processor's instructions.")
            raise SetupError(explain_failure(output, self.log))
        spent = time.monotonic() - started
        if spent > 2:
            say(f"      done in {minutes(spent)}")

    def stop(self) -> None:
        """End the command, and on Linux and macOS what it started, if it still runs."""
        if self._child.poll() is None:
            with suppress(OSError):  # it has ended meanwhile
                if os.name == "posix":
                    os.killpg(self._child.pid, signal.SIGTERM)
                else:
                    self._child.terminate()
            self._child.wait()


def run_logged(step: str, command: list[str], more: dict[str, str] | None = None) -> None:
    """Run a command, keep its output in the log, and show a sign of life while it lasts.

    Args:
        more: environment variables beside those of this process.

    Raises:
        SetupError: it failed; the text says why and what to do.
    """
    say(step)
    LoggedCommand(command, more).wait()


def read_log(log: Path, start: int) -> str:
    with log.open("rb") as file:
        file.seek(start)
        return file.read().decode("utf-8", "replace")


def last_line(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return lines[-1][:90] if lines else "started"


_OLD_COMPILER = re.compile(
    r"unrecognized command[- ]line option .{0,3}-m|unknown argument: .{0,3}-m"
    r"|unknown target CPU|invalid (?:feature modifier|value) .*-march|bad value .*-march"
    r"|no such instruction"
)


def explain_failure(output: str, log: Path | None = None) -> str:
    """Return one sentence that says what to do, from the output of pip or the compiler."""
    found = output.lower()
    # Ahead of the others: a build that needs cmake from the index fails for want of a network.
    if re.search(r"no space left|disk quota|not enough space|errno 28", found):
        return f"The disk is full: free about {DISK_NEEDED_GB} GB in {VENV} and run this again."
    if re.search(r"cmake_(c|cxx)_compiler|no cmake|visual c\+\+|compiler.*not found", found):
        return f"llama-cpp-python needs a C++ compiler. {compiler_help()} Then run this again."
    missing = re.search(r"no matching distribution found for (\S+)", found)
    offline = re.search(
        r"name resolution|getaddrinfo|failed to establish|network is unreachable|proxyerror"
        r"|connection refused|newconnectionerror|read timed out|nameresolutionerror",
        found,
    )
    if offline:
        return (
            "The package index can't be reached: check the network (or pip's proxy and index "
            "settings) and run this again; it goes on where it was."
        )
    if missing:
        here = ".".join(map(str, sys.version_info[:2]))
        return (
            f"pip's index has no {missing.group(1)} for Python {here} on this system: "
            "try Python 3.11, 3.12 or 3.13, or another index."
        )
    if "killed" in found or "cannot allocate memory" in found or "memoryerror" in found:
        return "The machine ran out of memory: close other programs and run this again."
    tail = "\n      ".join(output.strip().splitlines()[-6:])
    return f"That step failed; the whole story is in {log or LOG}. It ends:\n      {tail}"


def compiler_help() -> str:
    if sys.platform == "darwin":
        return "On macOS: xcode-select --install"
    if os.name == "nt":
        return (
            "On Windows: install Visual Studio's Build Tools with 'Desktop development with C++'."
        )
    return "On Debian and Ubuntu: sudo apt install build-essential; on Fedora: gcc-c++ and make."


# --- setting up ---------------------------------------------------------------------------------


def fingerprint() -> str:
    digest = hashlib.sha256(f"{ROOT}|{sys.version_info[:2]}".encode())
    for path in (CONSTRAINTS, ROOT / "pyproject.toml"):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def load_ready() -> dict:
    """Return what is already set up, or nothing if the pins have changed since."""
    try:
        ready = json.loads(READY.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    current = isinstance(ready, dict) and ready.get("fingerprint") == fingerprint()
    return ready if current and PYTHON.exists() else {}


def save_ready(ready: dict) -> None:
    READY.write_text(json.dumps({**ready, "fingerprint": fingerprint()}), encoding="utf-8")


def read_requirements() -> tuple[list[str], list[str]]:
    """Return what pyproject.toml asks for: the program's packages, the developer's."""
    import tomllib  # from 3.11 on, hence not before the version check

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project["dependencies"], project["optional-dependencies"]["dev"]


def pip(*arguments: str) -> list[str]:
    # Compiling every module of every package takes a minute; Python compiles a module when it is
    # first imported, and most never are.
    install = [str(PYTHON), "-m", "pip", "install", "--no-compile"]
    return [*install, "-c", str(CONSTRAINTS), *arguments]


def make_venv() -> None:
    works = PYTHON.exists() and not subprocess.call(
        [str(PYTHON), "-c", "import pip"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    if works:
        return
    free_gb = shutil.disk_usage(next(p for p in VENV.parents if p.exists())).free / 1e9
    if free_gb < DISK_NEEDED_GB:
        raise SetupError(
            f"Only {free_gb:.1f} GB are free for {VENV}, and {DISK_NEEDED_GB} are needed: "
            "free some, or set INKGRAPH_VENV to a folder on another disk."
        )
    made = subprocess.run(
        [sys.executable, "-m", "venv", str(VENV)], capture_output=True, text=True, check=False
    )
    if made.returncode:
        if "ensurepip" in made.stdout + made.stderr:
            raise SetupError("Python's venv module is missing: sudo apt install python3-venv")
        reason = (made.stderr or made.stdout).strip().splitlines()
        raise SetupError(f"Can't make {VENV}: {reason[-1] if reason else 'no reason given'}")


def install_torch() -> None:
    """Install torch before all else: asked for by name only, it brings gigabytes for a GPU."""
    if sys.platform.startswith("linux"):
        try:
            step = "      torch 2.13.0, the CPU build (about 200 MB)…"
            return run_logged(step, pip("torch==2.13.0+cpu"))
        except SetupError:
            if "No matching distribution" not in read_log(LOG, 0)[-3000:]:
                raise
            say("      This index has no CPU build of torch; the full one is several GB.")
            say("      (To avoid that: stop, set PIP_EXTRA_INDEX_URL to PyTorch's CPU index.)")
    run_logged("      torch 2.13.0…", pip("torch==2.13.0"))


def remove_replaced_packages() -> None:
    """Uninstall former dependencies, and their replacements where both were installed.

    pip would leave both, with files of either; what it installs next is complete.
    """
    listing = (
        "import importlib.metadata as m; print(*(d.name for d in m.distributions()), sep='\\n')"
    )
    found = subprocess.run(
        [str(PYTHON), "-c", listing], capture_output=True, text=True, check=True, cwd=VENV
    )
    installed = {re.sub(r"[-_.]+", "-", name).lower() for name in found.stdout.split()}
    for former, replacement in REPLACED.items():
        if former in installed:
            both = [name for name in (former, replacement) if name in installed]
            command = [str(PYTHON), "-I", "-m", "pip", "uninstall", "--yes", *both]
            run_logged(f"      Removing {former}, which {replacement} replaces…", command)


def install_packages(ready: dict, build: BuildBeside) -> None:
    """Make the environment and install the program's packages, while `build` compiles."""
    wanted, _ = read_requirements()
    rest = [name for name in wanted if not name.startswith(("llama-cpp-python", "torch", *ALONE))]
    alone = [name for name in wanted if name.startswith(ALONE)]
    say(f"[1/5] Making the environment in {VENV}")
    make_venv()
    remove_replaced_packages()
    build.start()
    say(f"[2/5] Installing PySide6, torch and {len(rest) - 1} more (about 700 MB, once)…")
    install_torch()
    run_logged("      the others…", pip(*rest, *LLAMA_NEEDS))
    run_logged("      what reads scanned pages…", pip("--no-deps", *alone))
    run_logged("[3/5] Installing Inkgraph itself…", pip("--no-deps", "-e", str(ROOT)))
    ready["packages"] = True
    save_ready(ready)


# --- llama.cpp: built for this processor, tried, built plainer if it dies -------------------------


def wheel_folder(level: BuildLevel) -> Path:
    """Return where the wheel of one build is kept, so that the next environment need not build it.

    pip's own cache can't serve: it would hand out a wheel that was built for other instructions.
    """
    if "INKGRAPH_CACHE" in os.environ:
        cache = Path(os.environ["INKGRAPH_CACHE"])
    elif os.name == "nt":
        cache = Path(os.environ.get("LOCALAPPDATA", Path.home())) / "inkgraph" / "Cache"
    elif sys.platform == "darwin":
        cache = Path.home() / "Library" / "Caches" / "inkgraph"
    else:
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "inkgraph"
    own = os.environ.get("CMAKE_ARGS", "")
    parts = [f"cp{sys.version_info[0]}{sys.version_info[1]}", platform.machine(), level.key]
    parts += [hashlib.sha256(own.encode()).hexdigest()[:8]] if own else []
    return cache / "wheels" / "-".join(parts)


def find_wheel(level: BuildLevel, requirement: str) -> Path | None:
    version = requirement.partition("==")[2]
    found = wheel_folder(level).glob(f"llama_cpp_python-{version}-*.whl")
    return next(iter(sorted(found)), None)


class LlamaBuild:
    """The compilation of llama-cpp-python for one level, in a child process."""

    def __init__(self, level: BuildLevel, requirement: str) -> None:
        self.level = level
        self._folder = wheel_folder(level)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            self._folder = VENV / "wheels" / level.key
            self._folder.mkdir(parents=True, exist_ok=True)
        self._scratch = tempfile.TemporaryDirectory(
            prefix="build-", dir=self._folder, ignore_cleanup_errors=True
        )
        # The person's own CMAKE_ARGS come last: they win (a graphics card, say).
        arguments = f"{level.cmake_args} {os.environ.get('CMAKE_ARGS', '')}".strip()
        command = [str(PYTHON), "-m", "pip", "wheel", "--no-cache-dir", "--no-deps"]
        command += ["--no-binary", "llama-cpp-python", "-w", self._scratch.name, requirement]
        command += ["-C", f"cmake.define.CMAKE_PROJECT_INCLUDE={LLAMA_CMAKE.as_posix()}"]
        self._command = LoggedCommand(command, {"CMAKE_ARGS": arguments}, log=BUILD_LOG)

    def finish(self) -> Path:
        """Wait for the compiler and return the wheel.

        Raises:
            CompilerTooOld: a plainer build may work.
            SetupError: no compiler, no network, no disk.
        """
        say(f"[4/5] Building llama-cpp-python for {self.level.title} ({BUILD_MINUTES}, once)…")
        try:
            self._command.wait()
            built = next(Path(self._scratch.name).glob("llama_cpp_python-*.whl"))
            return built.replace(self._folder / built.name)
        finally:
            self.stop()

    def stop(self) -> None:
        self._command.stop()
        self._scratch.cleanup()


class BuildBeside:
    """The first build of a new environment, which compiles while packages are downloaded.

    Downloads and pip leave processors idle, and the compiler waits for neither.
    """

    def __init__(self) -> None:
        self._build: LlamaBuild | None = None

    def start(self) -> None:
        """Begin the fastest build, unless an earlier environment has left it."""
        try:
            level, requirement = list_levels()[0], read_llama_requirement()
        except SetupError:  # reported when its turn comes, where it may be no hindrance
            return
        if find_wheel(level, requirement) is None:
            say(f"      llama.cpp is compiled meanwhile ({BUILD_MINUTES}, once)…")
            self._build = LlamaBuild(level, requirement)

    def take(self, level: BuildLevel) -> LlamaBuild | None:
        """Return the build of this level if it was begun; the caller finishes it."""
        build = self._build
        if build is None or build.level != level:
            return None
        self._build = None
        return build

    def stop(self) -> None:
        if self._build is not None:
            self._build.stop()
            self._build = None


def install_llama(wheel: Path) -> None:
    """Put a wheel into the environment, in place of the build that is there."""
    run_logged("      installing it…", pip("--force-reinstall", "--no-deps", str(wheel)))


def try_llama(*arguments: str) -> TrialResult:
    """Run llama.cpp in a child process: an embedding, an answer and a batch."""
    from desktop_app.engine.llm.trial import run_trial

    return run_trial(*arguments, python=str(PYTHON))


def list_levels() -> list[BuildLevel]:
    """Return the builds to try here, the fastest first; INKGRAPH_LLAMA_BUILD chooses one.

    Raises:
        SetupError: the chosen one is none of this machine.
    """
    from desktop_app.engine.llm.processor_features import list_build_levels, read_processor

    levels = list_build_levels(read_processor())
    chosen = os.environ.get("INKGRAPH_LLAMA_BUILD", "")
    if not chosen:
        return levels
    if found := [level for level in levels if level.key.partition("-")[0] == chosen]:
        return found
    names = [level.key.partition("-")[0] for level in levels]
    raise SetupError(f"INKGRAPH_LLAMA_BUILD can be {', '.join(names)} on this machine.")


def read_llama_requirement() -> str:
    return next(name for name in read_requirements()[0] if name.startswith("llama-cpp-python"))


def ensure_llama(
    ready: dict, *, with_pictures: bool = False, beside: BuildBeside | None = None
) -> None:
    """See to it that a build of llama.cpp is installed that ran on this very processor.

    The result is remembered with the processor's features. Where another processor is found (the
    environment was moved), the build is tried again; where it dies, plainer builds follow. If none
    works, the program starts without models.

    Args:
        with_pictures: make an older build that can't read pictures again, as for a projector.
        beside: the build that compiled while the packages were installed.

    Raises:
        SetupError: nothing could be built (no compiler, no network, no disk).
    """
    from desktop_app.engine.llm.processor_features import read_processor

    processor = read_processor()
    state = ready.get("llama", {})
    chosen = os.environ.get("INKGRAPH_LLAMA_BUILD", "")
    if state.get("processor") == processor.fingerprint and state.get("chosen", "") == chosen:
        if state.get("problem"):
            say(f"Models can't run here: {state['problem']}. Everything else works.")
        elif not state.get("pictures") and (with_pictures or has_projector()):
            add_picture_library(ready, state)
        return
    if state.get("level") and state.get("chosen", "") == chosen:
        say("[4/5] This is another processor: trying llama.cpp on it…")
        if (result := try_llama()).ok:
            has_pictures = state.get("pictures", False)
            return save_llama(ready, processor, state["level"], chosen, pictures=has_pictures)
        say(f"      It {result.problem}.")
    levels, problem = list_levels(), ""
    for level in levels:
        problem = try_level(level, beside)
        if not problem:
            return save_llama(ready, processor, level.key, chosen)
        say(f"      This build {problem}.")
        if level is not levels[-1]:
            say("      Going on with a build that uses plainer instructions.")
    say(f"      Models can't run here: llama.cpp {problem}.")
    say("      Search by words, the graph and the reader work without them.")
    save_llama(ready, processor, "", chosen, f"llama.cpp {problem}")


def has_projector() -> bool:
    """Return whether the models folders have the projector of a model that describes pictures."""
    program = "from desktop_app.engine import paths; print(*paths.model_folders(), sep=chr(10))"
    command = [str(PYTHON), "-c", program]
    found = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False).stdout
    return any(
        "mmproj" in file.name.lower()
        for folder in found.splitlines()
        for pattern in ("*.gguf", "*/*.gguf")
        for file in Path(folder).glob(pattern)
    )


def add_picture_library(ready: dict, state: dict) -> None:
    """Build llama.cpp again in an environment whose build can't read pictures.

    Builds of older versions had no libmtmd. If it can't be built now, the build that works stays,
    and the next start tries again.
    """
    from desktop_app.engine.llm.processor_features import list_build_levels, read_processor

    name = state["level"].partition("-")[0]
    levels = list_build_levels(read_processor())
    level = next((one for one in levels if one.key.partition("-")[0] == name), None)
    if level is None:
        return
    say("[4/5] This build of llama.cpp can't read pictures: making one that can…")
    try:
        problem = try_level(level)
    except SetupError as error:
        say(f"      It can't be built now ({error}). Everything else works.")
        return
    save_llama(ready, read_processor(), level.key, state["chosen"], problem)


def try_level(level: BuildLevel, beside: BuildBeside | None = None) -> str:
    """Install one build, from an earlier one if there is one, and try it.

    Returns:
        what is wrong with it, "" if it works.
    """
    requirement = read_llama_requirement()
    wheel = find_wheel(level, requirement)
    if wheel is not None:
        say(f"[4/5] Installing llama-cpp-python, built earlier for {level.title}…")
        install_llama(wheel)
        if try_llama().ok:
            return ""
        wheel.unlink(missing_ok=True)  # built on another machine, perhaps: once more, here
    try:
        begun = beside.take(level) if beside else None
        install_llama((begun or LlamaBuild(level, requirement)).finish())
    except CompilerTooOld as problem:
        return f"can't be made: {problem}"
    result = try_llama()
    if result.ok:
        say("      It was tried: an embedding, an answer and a batch went well.")
    return result.problem


def save_llama(
    ready: dict,
    processor: Processor,
    level: str,
    chosen: str,
    problem: str = "",
    *,
    pictures: bool = True,
) -> None:
    """Remember a build; `pictures`: it has libmtmd, which those of version 0.1 have not."""
    ready["llama"] = {
        "processor": processor.fingerprint,
        "level": level,
        "chosen": chosen,
        "problem": problem,
        "pictures": pictures,
    }
    save_ready(ready)


def ensure_models_run(ready: dict) -> None:
    """Try the installed models once with this build; go down to a plainer one if they kill it."""
    from desktop_app.engine.llm.processor_features import list_build_levels, read_processor

    state = ready["llama"]
    levels = [level.key for level in list_build_levels(read_processor())]
    if state.get("tried") or state.get("level") not in levels:
        return
    say("      Trying the models on this processor…")
    result = try_llama("installed")
    plainer = levels[levels.index(state["level"]) + 1 :]
    # Only an unknown instruction is the build's fault: llama.cpp itself passed its trial.
    while "SIGILL" in result.problem and not state["chosen"] and plainer:
        say(f"      {result.problem}")
        level = next(
            level for level in list_build_levels(read_processor()) if level.key == plainer[0]
        )
        del plainer[0]
        if not try_level(level):
            save_llama(ready, read_processor(), level.key, "")
            state, result = ready["llama"], try_llama("installed")
    if not result.ok:
        say(f"      {result.problem} The program starts all the same.")
    state["tried"] = True
    save_ready(ready)


def check_qt() -> None:
    """Say which system packages Qt misses, instead of a traceback about a shared object."""
    tried = subprocess.run(
        [str(PYTHON), "-c", "import PySide6.QtWidgets"], capture_output=True, text=True, check=False
    )
    if tried.returncode:
        reason = (tried.stderr.strip().splitlines() or ["unknown reason"])[-1]
        raise SetupError(
            f"Qt can't start ({reason}). On Debian and Ubuntu: sudo apt install {QT_PACKAGES}"
        )


def install_models(names: tuple[str, ...], *, required: bool) -> bool:
    """Fetch models through the program's own command; True when they are there."""
    what = "the starter models (about 1.2 GB, once)" if names == ("starter",) else "test models"
    say(f"[5/5] Fetching {what}…")
    command = [str(PYTHON), "-m", "desktop_app", "models", "install", *names]
    code = call("fetching models", command, folder=ROOT)
    if code and required:
        raise SetupError("The test models could not be fetched; --no-models goes on without.")
    if code:
        say("      Models could not be fetched: going on without; rerun to try again.")
    return code == 0


def ensure_ready(command: str, *, models: bool) -> None:
    """Set up what the command needs and is not there yet; remember each part that is done."""
    ready = load_ready()
    beside = BuildBeside()
    try:
        if not ready.get("packages"):
            install_packages(ready, beside)
        if sys.platform.startswith("linux") and command != "cli" and not ready.get("qt"):
            check_qt()
            save_ready(ready := {**ready, "qt": True})
        if command in ("test", "check") and not ready.get("dev"):
            _, dev = read_requirements()
            run_logged("      Installing pytest, ruff and what else the tests need…", pip(*dev))
            save_ready(ready := {**ready, "dev": True})
        with_pictures = command in ("test", "check")  # they read pictures
        try:
            ensure_llama(ready, with_pictures=with_pictures, beside=beside)
        except SetupError as problem:
            if models:
                raise
            say(f"      {problem}\n      Going on without models, as asked for.")
    finally:
        beside.stop()
    names = TEST_MODELS if command == "test" else ("starter",)
    place = os.environ.get("INKGRAPH_MODELS") or os.environ.get("INKGRAPH_HOME") or ""
    key = "models " + " ".join(names) + " " + place
    wants_models = models and command in ("window", "demo", "test")
    if wants_models and not ready.get(key) and install_models(names, required=command == "test"):
        save_ready(ready := {**ready, key: True})
    if wants_models and ready.get(key):
        ensure_models_run(ready)


# --- running the command ------------------------------------------------------------------------


def call(
    step: str,
    command: list[str],
    environment: dict[str, str] | None = None,
    folder: Path | None = None,
) -> int:
    """Run a command and return its exit code.

    If a signal ended it, say which, during which step, and what to do; the code is then 3.
    """
    from desktop_app.engine.exit_status import describe_signal, find_signal, to_exit_code

    faults = {**(environment or os.environ), "PYTHONFAULTHANDLER": "1"}
    code = subprocess.call(command, cwd=folder, env=faults)
    if name := find_signal(code):
        say(f"\nInkgraph: {step} was ended by {describe_signal(name)}.")
        say(f"  The setup log is {LOG}; above stands where each thread was. Run the same command")
        say("  again; if it ends the same way, set INKGRAPH_LLAMA_BUILD=avx2 (or sse42) to use a")
        say("  plainer build of llama.cpp, or report it with this output.")
    return to_exit_code(code)


def has_display() -> bool:
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


class CheckResult(NamedTuple):
    """How a check of the code ended; `code` as `subprocess` reports it."""

    name: str
    code: int
    output: str


def list_code_checks() -> dict[str, list[str]]:
    """Return the commands that check the code without running it."""
    lint_imports = PYTHON.with_name("lint-imports" + (".exe" if os.name == "nt" else ""))
    ruff = [str(PYTHON), "-m", "ruff"]
    return {
        "ruff check": [*ruff, "check", "--output-format", "concise", "."],
        "ruff format": [*ruff, "format", "--check", "--output-format", "concise", "."],
        "lint-imports": [str(lint_imports), "--no-logo"],
        "vulture": [str(PYTHON), "-m", "vulture", "--config", "packaging/vulture.toml"],
        "mypy": [str(PYTHON), "-m", "mypy"],
    }


def check_code(commands: dict[str, list[str]], environment: dict[str, str]) -> list[CheckResult]:
    """Run the checks one after another, at low priority: they run beside the tests.

    The priority is not the lowest: checks that end after the tests would leave a processor idle.
    """
    nice = [found, "-n", "5"] if (found := shutil.which("nice")) else []
    results = []
    for name, command in commands.items():
        done = subprocess.run(
            [*nice, *command],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        results.append(CheckResult(name, done.returncode, done.stdout))
    return results


def find_memory_folder() -> str:
    """Return a folder in memory with room for the files of the tests, "" if there is none.

    Tests write thousands of small databases, and each waits until they are on the disk: 78 tests
    took 63 s on a slow disk and 27 s in memory.
    """
    place = Path("/dev/shm")
    try:
        about, memory = os.statvfs(place), Path("/proc/meminfo").read_text(encoding="ascii")
    except (AttributeError, OSError):  # not Linux
        return ""
    # Files here take memory, so what the file system allows is not enough to know.
    available = re.search(r"^MemAvailable: +(\d+)", memory, re.MULTILINE)  # in KiB
    free = min(about.f_bavail * about.f_frsize, 1024 * int(available[1]) if available else 0)
    fits = free >= MEMORY_FOR_TESTS and not about.f_flag & os.ST_NOEXEC
    return str(place) if fits and os.access(place, os.W_OK) else ""


def run_checks(pytest_arguments: list[str], environment: dict[str, str]) -> int:
    """Run the tests, and beside them the checks of the code; report those after the tests."""
    from desktop_app.engine.exit_status import describe_signal, find_signal

    # Without bytecode files, each child process that a test starts would compile the program.
    environment = {**environment, "PYTHONDONTWRITEBYTECODE": ""}
    place = "" if "TMPDIR" in environment else find_memory_folder()
    with ThreadPoolExecutor(1) as pool, ExitStack() as stack:
        if place:
            folder = tempfile.TemporaryDirectory("", "tests-", place, ignore_cleanup_errors=True)
            environment["TMPDIR"] = stack.enter_context(folder)
        checked = pool.submit(check_code, list_code_checks(), environment)
        say("--- pytest; ruff, lint-imports, vulture and mypy run beside it")
        # whole files to a process, because the tests of a file share what is slow to make
        # one more than processors: tests wait for child processes a fifth of the time
        processes = ["-n", str(min(4, 1 + (os.cpu_count() or 1))), "--dist", "loadfile"]
        processes += ["--no-loadscope-reorder"]  # files in the order of `tests/conftest.py`
        # A test that hangs ends its process after five minutes. A new process would begin with the
        # same test again, up to four times for each core.
        processes += ["--max-worker-restart", "0"]
        pytest = [str(PYTHON), "-m", "pytest", "-q", *processes, *pytest_arguments]
        tests = call("pytest", pytest, environment, ROOT)
        results = checked.result()
    for result in results:
        ended = find_signal(result.code)
        say(f"--- {result.name}" + (f" was ended by {describe_signal(ended)}" if ended else ""))
        say(result.output.rstrip())
    failed = [result.name for result in results if result.code]
    if failed:
        say(f"--- FAILED: {', '.join(failed)} (see above)")
    if tests:
        say("--- FAILED: pytest (see above)")
    return tests if tests == EXIT_BUG else 1 if failed or tests else 0


def run_command(command: str, rest: list[str], *, models: bool) -> int:
    environment = dict(os.environ)
    if not has_display():
        environment.setdefault("QT_QPA_PLATFORM", "offscreen")
    if command in ("test", "check"):
        if not models:
            environment["INKGRAPH_NO_MODELS"] = "1"
        return run_checks(rest, environment)
    if command == "window" and not has_display() and "QT_QPA_PLATFORM" not in os.environ:
        raise SetupError("There is no display here. Without one: run.py demo, or run.py cli --help")
    if command == "demo" and not has_display():
        environment["INKGRAPH_HEADLESS"] = "1"
    words = {"window": [], "cli": []}.get(command, [command])
    program = [str(PYTHON), "-m", "desktop_app", *words, *rest]
    return call(f"`{' '.join(['inkgraph', *words])}`", program, environment)


def parse(arguments: list[str]) -> tuple[str, list[str], bool]:
    lines = "\n".join(f"  {name:8}{text}" for name, text in COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="run.py",
        description="Set Inkgraph up (the first time) and run it.",
        epilog=f"commands:\n{lines}\n\nWhat follows the command is handed on to it.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--no-models", action="store_true", help="fetch no model files")
    parser.add_argument("command", nargs="?", default="window", choices=COMMANDS)
    parser.add_argument("rest", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    models = not given.no_models and given.command != "check"
    if "--no-models" in given.rest:
        given.rest.remove("--no-models")
        models = False
    return given.command, given.rest, models


def check_python() -> None:
    if sys.version_info >= OLDEST_PYTHON:
        return
    here = ".".join(map(str, sys.version_info[:2]))
    other = next(filter(shutil.which, ("python3.13", "python3.12", "python3.11")), None)
    hint = f"Try: {other} run.py" if other else "Install a newer one from python.org."
    raise SetupError(f"Inkgraph needs Python 3.11 or newer, and this is {here}. {hint}")


def main() -> int:
    for stream in (sys.stdout, sys.stderr):  # a console that lacks "…" is no reason to stop
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        command, rest, models = parse(sys.argv[1:])
        check_python()
        ensure_ready(command, models=models)
        return run_command(command, rest, models=models)
    except SetupError as problem:
        say(f"\nInkgraph could not go on: {problem}")
        return 2
    except KeyboardInterrupt:
        say("\nStopped. Run the same command again to go on where it was.")
        return 130


if __name__ == "__main__":
    sys.exit(main())
