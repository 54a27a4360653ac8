"""Tests that names and docstrings follow docs/GLOSSARY.md."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "desktop_app"
PAGE = (ROOT / "docs" / "GLOSSARY.md").read_text(encoding="utf-8")
TESTS = ROOT / "tests"
MODULES = sorted(
    path
    for folder in (PACKAGE, *(TESTS / kind for kind in ("unit", "e2e", "arch")))
    for path in folder.rglob("*.py")
)
ALLOWED = re.compile(r"merge ?desk", re.IGNORECASE)


def read_rows(heading: str) -> list[tuple[str, str]]:
    part = PAGE.split(f"## {heading}")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", part, re.MULTILINE)
    return [row for row in rows if row[0] not in ("term", "word")]


BANNED = frozenset(word.strip() for row in read_rows("Do not use") for word in row[0].split(","))


def split_words(text: str) -> set[str]:
    """Return the lower-case words of a name (`CamelCase`, `snake_case`) or a sentence."""
    parts = re.sub(r"([a-z])([A-Z])", r"\1 \2", ALLOWED.sub("", text))
    return {word.lower() for word in re.split(r"[^A-Za-z]+", parts) if word}


def find_banned(text: str) -> set[str]:
    joined = re.sub(r"\s+", " ", text.lower())
    whole = {word for word in BANNED if "_" in word and word in joined}
    return whole | (split_words(text) & BANNED)


def iter_public(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield public classes, functions and methods with the first line of their docstrings."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            if node.name.startswith("_"):
                continue
            first = (ast.get_docstring(node) or "").split("\n")[0]
            yield node.name, first


def list_faults(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    place = path.relative_to(ROOT).as_posix()
    first = (ast.get_docstring(tree) or "").split("\n")[0]
    found = [(place, path.stem), (place, first)]
    for name, line in iter_public(tree):
        found += [(f"{place}:{name}", name), (f"{place}:{name}", line)]
    return [f"{where}: {sorted(bad)}" for where, text in found if (bad := find_banned(text))]


def test_the_glossary_has_one_line_per_term_in_order():
    terms = [term.lower() for term, _ in read_rows("Terms")]
    assert len(terms) > 50
    assert terms == sorted(terms)
    assert len(set(terms)) == len(terms)


def test_the_check_finds_a_banned_word_in_names_and_sentences():
    assert find_banned("RetellingPanel") == {"retelling"}
    assert find_banned("has_told") == {"told"}
    assert find_banned("The forest of communities.") == {"forest"}
    assert find_banned("make_way") == {"make_way"}
    assert not find_banned("MergeDesk lists them on the merge desk")


def test_names_and_docstrings_use_the_glossary():
    assert len(MODULES) > 500
    assert [fault for path in MODULES for fault in list_faults(path)] == []
