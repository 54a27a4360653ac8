"""Tests the files in resources/fonts: hashes, licences, size."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from desktop_app.ui.theme.fonts import CHINESE_FILES, ICON_FILE, LATIN_FILES

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "resources" / "fonts"
MOST_BYTES = 17_500_000
LICENCES = {"phosphor-icons": ("LICENSE", "MIT License")}  # the others have the OFL


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("fonts", ROOT / "packaging" / "fonts.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_file_has_its_recorded_hash(tool):
    assert tool.check() == []


def test_a_changed_a_missing_and_an_extra_file_are_found(tool, tmp_path, monkeypatch):
    files = tool.expected_files()
    for name in files[:-1]:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes((FOLDER / name).read_bytes())
    (tmp_path / files[0]).write_bytes(b"changed")
    (tmp_path / "extra.ttf").write_bytes(b"")
    monkeypatch.setattr(tool, "FOLDER", tmp_path)
    assert tool.check() == sorted(["extra.ttf", files[0], files[-1]])


def test_the_program_loads_exactly_the_fonts_that_are_bundled(tool):
    fonts = {name for name in tool.expected_files() if name.endswith(".ttf")}
    assert fonts == {ICON_FILE, *LATIN_FILES, *CHINESE_FILES}


def test_every_family_has_its_licence_and_a_notice(tool):
    notices = (ROOT / "THIRD_PARTY_NOTICES.md").read_text("utf-8")
    for package, version in tool.SOURCES:
        folder = FOLDER / package.rsplit("/", 1)[-1]
        file, title = LICENCES.get(folder.name, ("OFL.txt", "SIL OPEN FONT LICENSE Version 1.1"))
        assert title in (folder / file).read_text("utf-8")
        assert f"`resources/fonts/{folder.name}`" in notices and version in notices


def test_the_fonts_are_small_enough_to_ship():
    assert sum(p.stat().st_size for p in FOLDER.rglob("*") if p.is_file()) < MOST_BYTES
