"""Tests packaging/fresh_check.sh and pip_settings.py: valid, portable, without host names.

The check itself needs root, the network and half an hour, therefore it is not run here.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"
SCRIPT = PACKAGING / "fresh_check.sh"
HELPER = PACKAGING / "pip_settings.py"
HOST = re.compile(
    r"\b(?:https?|ftp|ssh|git|rsync)://|\b[\w-]+\.(?:org|com|net|io|dev|cn|de)\b", re.IGNORECASE
)


@pytest.fixture(scope="module")
def pip_settings() -> ModuleType:
    spec = importlib.util.spec_from_file_location("inkgraph_pip_settings", HELPER)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run_script(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [shutil.which("bash") or "bash", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_script_is_valid_bash():
    done = run_script("-n", str(SCRIPT))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("path", [SCRIPT, HELPER], ids=lambda path: path.name)
def test_no_host_is_named(path: Path):
    assert HOST.findall(path.read_text(encoding="utf-8")) == []


def test_every_option_is_in_the_help_and_in_the_description():
    text = SCRIPT.read_text(encoding="utf-8")
    options = set(re.findall(r"^ +(--[a-z]+)(?: \| -[-a-z]+)*\)", text, re.MULTILINE))
    shown = run_script(str(SCRIPT), "--help")
    described = (PACKAGING / "README.md").read_text(encoding="utf-8")
    assert shown.returncode == 0
    assert options >= {"--only", "--root", "--mirror", "--fonts", "--keep", "--enter"}
    assert {option for option in options if option not in shown.stdout} == set()
    assert {option for option in options if option not in described} == {"--help"}


@pytest.mark.parametrize(
    "arguments", [["--bogus"], ["--root"], ["--only", "both"], ["--fonts", "all"], ["a", "b"]]
)
def test_a_wrong_argument_stops_before_anything_is_made(arguments: list[str]):
    done = run_script(str(SCRIPT), *arguments)
    assert done.returncode == 2
    assert "fresh_check could not go on" in done.stderr
    assert done.stdout == ""


def test_files_that_an_index_links_to_outside_its_own_folder_are_exported(tmp_path: Path):
    """Runs the real pip, with a configuration file and a variable made for it."""
    page = tmp_path / "index" / "simple" / "inkpot" / "index.html"
    wheel = tmp_path / "index" / "files" / "inkpot-1.0-py3-none-any.whl"
    linked = tmp_path / "elsewhere" / "quill-1.0-py3-none-any.whl"
    wheels = tmp_path / "wheels"
    for path in (page, wheel, linked, wheels / "a"):
        path.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(f'<a href="../../files/{wheel.name}#sha256=0">inkpot</a>', encoding="utf-8")
    wheel.touch()
    linked.touch()
    (wheels / linked.name).symlink_to(linked)
    simple = page.parent.parent
    config = tmp_path / "pip.conf"
    config.write_text(
        f"[global]\nextra-index-url =\n    {simple.as_uri()}\n    file:///nowhere/simple\n"
        "cache-dir = /nowhere/cache\n[install]\nretries = 7\n",
        encoding="utf-8",
    )
    environment = {name: value for name, value in os.environ.items() if name[:4] != "PIP_"}
    environment |= {"PIP_CONFIG_FILE": str(config), "PIP_FIND_LINKS": str(wheels)}
    target = tmp_path / "exported"
    subprocess.run([sys.executable, str(HELPER), str(target)], check=True, env=environment)

    exported = {path.name: path.read_text(encoding="utf-8") for path in target.iterdir()}
    folders = set(exported["folders"].splitlines())
    assert {str(simple), str(wheel.parent), str(linked.parent), str(wheels)} <= folders
    assert f"extra-index-url = {simple.as_uri()} file:///nowhere/simple" in exported["pip.conf"]
    assert "[install]\nretries = 7\n" in exported["pip.conf"]
    assert "cache-dir" not in exported["pip.conf"]
    assert f"PIP_FIND_LINKS={wheels}\n" in exported["environment"]
    assert "PIP_CONFIG_FILE" not in exported["environment"]
    assert exported["missing"].splitlines() == [str(Path("/nowhere/simple"))]


def test_without_pip_the_variables_are_read(pip_settings: ModuleType):
    settings = pip_settings.build_settings_of_environment(
        {"PIP_INDEX_URL": "file:///srv/simple", "PIP_CACHE_DIR": "/x", "HOME": "/home/reader"}
    )
    assert pip_settings.build_environment(settings) == "PIP_INDEX_URL=file:///srv/simple\n"
    assert pip_settings.build_config(settings) == ""


def test_a_folder_inside_another_one_is_not_listed_twice(pip_settings: ModuleType):
    folders = [Path("/srv/index/files"), Path("/srv/index"), Path("/srv/index-more")]
    assert pip_settings.reduce_folders(folders) == [Path("/srv/index"), Path("/srv/index-more")]
