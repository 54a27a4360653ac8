"""Tests settings: metadata, checks, storage, defaults for invalid files."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

import pytest

from desktop_app.engine import paths
from desktop_app.engine.errors import UserError
from desktop_app.engine.extraction.llm.tasks import EnrichSettings
from desktop_app.engine.llm.model_settings import ModelSettings
from desktop_app.engine.query import QueryParam
from desktop_app.engine.services.enrichment.settings import load_settings
from desktop_app.engine.services.preferences import SECTIONS, Preferences
from desktop_app.engine.settings import (
    Option,
    SettingsFile,
    check_value,
    load_valid,
    option,
    options_of,
)
from desktop_app.engine.store.db import Db
from desktop_app.engine.store.enrichment import store_setting
from desktop_app.engine.text.chunking import ChunkingSettings


@dataclass(frozen=True, slots=True)
class Sample:
    size: int = option(400, "Size of it", "How large.", unit="tokens", least=50, most=4000)
    threads: int = option(0, "Threads of it", least=1, most=8, zero="As suits")
    way: str = option("a", "The way of it", choices=(("a", "First way"), ("b", "Second way")))
    on: bool = option(True, "Whether it is")
    inner: int = 3


def one(name: str) -> Option:
    return next(o for o in options_of(Sample) if o.name == name)


def test_fields_with_metadata_are_listed_and_others_are_not():
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
def test_valid_values_are_accepted(name: str, value: object, kept: object):
    assert check_value(one(name), value) == kept


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [("size", "many", "digits only, such as 400"), ("size", "10", "50 to 4,000"),
     ("size", "", "not a whole number"), ("threads", "9", "1 to 8"), ("way", "c", "choices"),
     ("on", "yes", "can't be used")],
)  # fmt: skip
def test_an_invalid_value_is_reported_with_the_valid_ones(name: str, value: object, words: str):
    with pytest.raises(UserError) as caught:
        check_value(one(name), value)
    assert words in str(caught.value)


def test_only_changed_values_are_stored_and_loaded(tmp_path: Path):
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
def test_an_invalid_file_gives_the_defaults(tmp_path: Path, text: str):
    (tmp_path / "s.json").write_text(text, "utf-8")
    assert SettingsFile(tmp_path / "s.json").load("sample", Sample) == Sample()


def test_every_section_has_a_label_for_every_field():
    for section in (*SECTIONS.values(), EnrichSettings, QueryParam):
        for found in options_of(section):
            assert found.label
            assert check_value(found, found.default) == found.default


def test_inconsistent_values_are_not_stored(tmp_path: Path):
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


def test_settings_stored_by_an_older_version_are_read(tmp_path: Path):
    stored = {
        "models": {"n_threads": 6, "n_ctx": 8192},
        "reading": {"mode": "separator_tokens", "separator": "***", "chunk_overlap_token_size": 20},
        "care": {"trash_days": 90},
    }
    (tmp_path / "settings.json").write_text(json.dumps(stored), "utf-8")
    preferences = Preferences(tmp_path / "settings.json")
    assert preferences.models == ModelSettings(n_threads=6, n_ctx=8192)
    assert preferences.reading == ChunkingSettings("separator_tokens", 400, 20, "***")
    assert preferences.trash.trash_days == 90


def test_enrichment_settings_of_an_older_library_are_read(tmp_path: Path):
    stored = {
        "strategy": "slots", "entity_types": ["person", "法宝"], "kinds": ["师徒"],
        "domain": "story", "language": "de", "example": "Text.", "entity_extract_max_gleaning": 0,
        "max_entities": 12, "max_relations": 0, "claims": True, "summaries": False,
        "order": "document", "n_threads": 37, "describe": "always", "removed_later": 1,
    }  # fmt: skip
    with closing(Db(tmp_path / "old.inkgraph")) as db, db.transaction():
        store_setting(db, "enrichment", json.dumps(stored))
        del stored["removed_later"]
        stored |= {"entity_types": ("person", "法宝"), "kinds": ("师徒",)}
        assert asdict(load_settings(db)) == stored


def test_invalid_enrichment_settings_are_replaced_one_by_one():
    stored = {"entity_types": [], "kinds": ["", 3], "max_entities": 9000, "order": "document"}
    assert load_valid(EnrichSettings, stored) == EnrichSettings(order="document")
    assert load_valid(EnrichSettings, ["strategy"]) == EnrichSettings()


@pytest.mark.parametrize(("entered", "value"), [("0,3", 0.3), ("1", 1.0), (0.5, 0.5)])
def test_a_fraction_may_have_a_decimal_comma(entered: object, value: float):
    similarity = next(o for o in options_of(QueryParam) if o.name == "cosine_threshold")
    assert check_value(similarity, entered) == value
    with pytest.raises(UserError, match="0 to 1"):
        check_value(similarity, "1.2")
    with pytest.raises(UserError, match="is not a number"):
        check_value(similarity, "much")
