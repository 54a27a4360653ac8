"""Tests that every list of the kinds of events agrees with `words/events.toml`."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from desktop_app.engine.model import EVENT_KINDS
from desktop_app.engine.word_lists import load_table
from desktop_app.ui.widgets.event_words import KIND_WORDS

RULES = Path(__file__).parents[2] / "desktop_app" / "engine" / "extraction" / "rules"
TABLE = load_table("events")
KINDS = set(EVENT_KINDS)


def find_compared_kinds(tree: ast.Module) -> set[str]:
    """Return the words that `….kind` is compared with."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if not isinstance(node, ast.Compare):
            continue
        is_kind = isinstance(node.left, ast.Attribute) and node.left.attr == "kind"
        if is_kind or (isinstance(node.left, ast.Name) and node.left.id == "kind"):
            found |= {
                one.value
                for side in node.comparators
                for one in ast.walk(side)
                if isinstance(one, ast.Constant) and isinstance(one.value, str)
            }
    return found


def test_each_language_has_verbs_of_every_kind_that_the_user_does_not_give_alone():
    for language in ("english", "chinese"):
        by_hand = set(TABLE["by_hand"][language].split())
        assert set(TABLE[language]) | by_hand == KINDS
        assert by_hand.isdisjoint(TABLE[language]), language


def test_the_window_has_words_for_every_kind():
    assert set(KIND_WORDS) == KINDS
    for kind, (name, *forms) in KIND_WORDS.items():
        assert name and forms[1] and forms[2], kind
        assert "{actor}" in forms[1] and "{patient}" in forms[2], kind


def test_the_rules_name_no_kind_that_does_not_exist():
    for name, words in TABLE["kinds"].items():
        assert words.split() and set(words.split()) <= KINDS, name
    assert set(TABLE["kinds"]["chinese_intended"].split()) <= set(
        TABLE["kinds"]["chinese_planned"].split()
    )
    for module in ("english_events.py", "chinese_events.py"):
        compared = find_compared_kinds(ast.parse((RULES / module).read_text("utf-8")))
        assert compared and compared <= KINDS, module


def test_the_rules_have_no_list_of_kinds_of_their_own():
    kinds = "|".join(sorted(KINDS))
    several = re.compile(rf'"(?:{kinds})",? ?[^#\n]*"(?:{kinds})"')
    for module in ("english_events.py", "chinese_events.py"):
        text = (RULES / module).read_text("utf-8")
        assert [match.group() for match in several.finditer(text)] == [], module
