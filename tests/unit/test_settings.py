"""Settings that say what they are: checked, kept, and sound whatever the file says."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from desktop_app.engine import paths
from desktop_app.engine.errors import UserError
from desktop_app.engine.services.preferences import SECTIONS, Preferences
from desktop_app.engine.settings import Option, SettingsFile, check_value, option, options_of


@dataclass(frozen=True, slots=True)
class Sample:
    size: int = option(400, "Size of it", "How large.", unit="tokens", least=50, most=4000)
    threads: int = option(0, "Threads of it", least=1, most=8, zero="As suits")
    way: str = option("a", "The way of it", choices=(("a", "First way"), ("b", "Second way")))
    on: bool = option(True, "Whether it is")
    inner: int = 3


def one(name: str) -> Option:
    return next(o for o in options_of(Sample) if o.name == name)


def test_a_field_says_what_it_is_and_plain_fields_stay_out():
    assert [(o.name, o.kind) for o in options_of(Sample)] == [
        ("size", "number"),
        ("threads", "number"),
        ("way", "choice"),
        ("on", "flag"),
    ]
    assert one("size").default == 400 and Sample().size == 400


@pytest.mark.parametrize(
    ("name", "value", "kept"),
    [("size", "1,200", 1200), ("size", 50, 50), ("threads", "", 0), ("threads", "0", 0),
     ("way", "b", "b"), ("on", False, False)],
)  # fmt: skip
def test_what_fits_is_taken(name: str, value: object, kept: object):
    assert check_value(one(name), value) == kept


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [("size", "many", "digits only, such as 400"), ("size", "10", "50 to 4,000"),
     ("size", "", "not a whole number"), ("threads", "9", "1 to 8"), ("way", "c", "choices"),
     ("on", "yes", "can't be used")],
)  # fmt: skip
def test_what_does_not_fit_is_told_with_what_would(name: str, value: object, words: str):
    with pytest.raises(UserError) as caught:
        check_value(one(name), value)
    assert words in str(caught.value)


def test_only_what_differs_is_kept_and_comes_back(tmp_path: Path):
    file = SettingsFile(tmp_path / "settings.json")
    file.save("sample", Sample(size=200, on=False))
    assert file.load("sample", Sample) == Sample(size=200, on=False)
    text = (tmp_path / "settings.json").read_text("utf-8")
    assert "threads" not in text
    file.save("other", Sample(way="b"))
    assert file.load("sample", Sample).size == 200


@pytest.mark.parametrize(
    "text", ["", "[1]", "{", '{"sample": 3}', '{"sample": {"size": "x", "way": 7, "on": 1}}']
)
def test_an_unsound_file_gives_the_defaults(tmp_path: Path, text: str):
    (tmp_path / "s.json").write_text(text, "utf-8")
    assert SettingsFile(tmp_path / "s.json").load("sample", Sample) == Sample()


def test_every_section_has_words_for_every_field():
    for section in SECTIONS.values():
        for found in options_of(section):
            assert found.label and found.help and " " in found.label
            assert check_value(found, found.default) == found.default


def test_what_does_not_go_together_is_not_kept(tmp_path: Path):
    preferences = Preferences(tmp_path / "settings.json")
    preferences.change("reading", "chunk_overlap_token_size", 100)
    with pytest.raises(UserError, match="overlap"):
        preferences.change("reading", "chunk_token_size", 80)
    assert preferences.reading.chunk_token_size == 400
    assert preferences.trash.trash_days == 30


def test_the_models_folder_follows_the_setting(tmp_path: Path, monkeypatch):
    monkeypatch.setenv("INKGRAPH_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("INKGRAPH_MODELS", raising=False)
    assert paths.models_dir() == tmp_path / "home" / "models"
    disk = tmp_path / "large disk"
    disk.mkdir()
    folder = next(o for o in options_of(SECTIONS["models"]) if o.name == "folder")
    Preferences().change("models", "folder", check_value(folder, str(disk)))
    assert paths.models_dir() == disk
    assert tmp_path / "home" / "models" in paths.model_folders()
    disk.rmdir()
    assert paths.models_dir() == tmp_path / "home" / "models"
