#!/usr/bin/env python3
"""One command that sets Inkgraph up and runs it: `python3 run.py`.

Makes a virtual environment beside itself (or in INKGRAPH_VENV), installs the pinned packages,
fetches the starter models, and starts what was asked for. Standard library only; knows nothing
of the program but its command line. Interrupted, it goes on where it was; done, it takes no time.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = Path(os.environ.get("INKGRAPH_VENV") or ROOT / ".venv").absolute()
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
CONSTRAINTS = ROOT / "packaging" / "constraints.txt"
READY = VENV / ".inkgraph-ready"
LOG = VENV / "inkgraph-setup.log"

OLDEST_PYTHON = (3, 11)
DISK_NEEDED_GB = 4
HEARTBEAT_S = 15
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


# --- saying what is going on --------------------------------------------------------------------


def say(text: str) -> None:
    print(text, flush=True)


def minutes(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min {seconds % 60:.0f} s"


def run_logged(step: str, command: list[str]) -> None:
    """Run a command, keep its output in the log, and show a sign of life while it lasts."""
    say(step)
    started = time.monotonic()
    live = sys.stdout.isatty()
    with LOG.open("ab") as log:
        log.write(f"\n$ {' '.join(command)}\n".encode())
        log.flush()
        start_of_step = log.tell()
        environment = {**os.environ, "PIP_NO_INPUT": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        # The working directory keeps a folder that happens to be called "torch" out of the way.
        child = subprocess.Popen(command, stdout=log, stderr=log, env=environment, cwd=VENV)
        try:
            next_sign = HEARTBEAT_S
            while True:
                try:
                    code = child.wait(timeout=1)
                    break
                except subprocess.TimeoutExpired:
                    spent = time.monotonic() - started
                    if live:
                        print(f"\r      {minutes(spent)} … ", end="", flush=True)
                    elif spent >= next_sign:
                        say(f"      {minutes(spent)}: {last_line(start_of_step)}")
                        next_sign = spent + (HEARTBEAT_S if spent < 60 else 60)
        except BaseException:
            child.terminate()
            child.wait()
            raise
    if live:
        print("\r" + " " * 40 + "\r", end="")
    if code != 0:
        raise SetupError(explain_failure(read_log(start_of_step)))
    spent = time.monotonic() - started
    if spent > 2:
        say(f"      done in {minutes(spent)}")


def read_log(start: int) -> str:
    with LOG.open("rb") as log:
        log.seek(start)
        return log.read().decode("utf-8", "replace")


def last_line(start: int) -> str:
    lines = [line.strip() for line in read_log(start).splitlines() if line.strip()]
    return lines[-1][:90] if lines else "started"


def explain_failure(output: str) -> str:
    """Return the one sentence that helps, from what pip or the compiler said."""
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
    return f"That step failed; the whole story is in {LOG}. It ends:\n      {tail}"


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
    return [str(PYTHON), "-m", "pip", "install", "-c", str(CONSTRAINTS), *arguments]


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
            if "No matching distribution" not in read_log(0)[-3000:]:
                raise
            say("      This index has no CPU build of torch; the full one is several GB.")
            say("      (To avoid that: stop, set PIP_EXTRA_INDEX_URL to PyTorch's CPU index.)")
    run_logged("      torch 2.13.0…", pip("torch==2.13.0"))


def install_packages(ready: dict) -> None:
    wanted, _ = read_requirements()
    llama = [name for name in wanted if name.startswith("llama-cpp-python")]
    rest = [name for name in wanted if name not in llama and not name.startswith("torch")]
    say(f"[1/5] Making the environment in {VENV}")
    make_venv()
    say(f"[2/5] Installing PySide6, torch and {len(rest) - 1} more (about 700 MB, once)…")
    install_torch()
    run_logged("      the others…", pip(*rest))
    run_logged("[3/5] Building llama-cpp-python (about six minutes, once)…", pip(*llama))
    run_logged("[4/5] Installing Inkgraph itself…", pip("--no-deps", "-e", str(ROOT)))
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
    code = subprocess.call(command, cwd=ROOT)
    if code and required:
        raise SetupError("The test models could not be fetched; --no-models goes on without.")
    if code:
        say("      Models could not be fetched: going on without; rerun to try again.")
    return code == 0


def ensure_ready(command: str, *, models: bool) -> None:
    """Set up what the command needs and is not there yet; remember each part that is done."""
    ready = load_ready()
    if not ready:
        install_packages(ready)
    if command in ("test", "check") and not ready.get("dev"):
        _, dev = read_requirements()
        run_logged("      Installing pytest, ruff and what else the tests need…", pip(*dev))
        save_ready(ready := {**ready, "dev": True})
    if sys.platform.startswith("linux") and command != "cli" and not ready.get("qt"):
        check_qt()
        save_ready(ready := {**ready, "qt": True})
    names = TEST_MODELS if command == "test" else ("starter",)
    place = os.environ.get("INKGRAPH_MODELS") or os.environ.get("INKGRAPH_HOME") or ""
    key = "models " + " ".join(names) + " " + place
    wants_models = models and command in ("window", "demo", "test")
    if wants_models and not ready.get(key) and install_models(names, required=command == "test"):
        save_ready({**ready, key: True})


# --- doing what was asked -----------------------------------------------------------------------


def has_display() -> bool:
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def run_checks(pytest_arguments: list[str], environment: dict[str, str]) -> int:
    """Run style, imports and tests; tests come last, so that their summary ends the output."""
    lint_imports = PYTHON.with_name("lint-imports" + (".exe" if os.name == "nt" else ""))
    before = {
        "ruff check": [str(PYTHON), "-m", "ruff", "check", "--output-format", "concise", "."],
        "ruff format": [
            str(PYTHON),
            "-m",
            "ruff",
            "format",
            "--check",
            "--output-format",
            "concise",
            ".",
        ],
        "lint-imports": [str(lint_imports), "--no-logo"],
    }
    failed = []
    for name, command in before.items():
        say(f"--- {name}")
        if subprocess.call(command, cwd=ROOT, env=environment):
            failed.append(name)
    if failed:
        say(f"--- FAILED: {', '.join(failed)} (see above); the tests run all the same")
    say("--- pytest")
    tests = subprocess.call(
        [str(PYTHON), "-m", "pytest", "-q", *pytest_arguments], cwd=ROOT, env=environment
    )
    return 1 if failed or tests else 0


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
    return subprocess.call([str(PYTHON), "-m", "desktop_app", *words, *rest], env=environment)


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
