"""Tests that files, modules and names exist that docstrings, comments and documents refer to."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("desktop_app", "tests", "benchmarks", "packaging")
ENDINGS = "py|toml|md|sql|txt|ts|qm|sh"
FILE = re.compile(
    rf"(?<![\w./<-])((?:[A-Za-z_][\w-]*/)+[\w.-]*\w\.(?:{ENDINGS})|\w+\.(?:py|sql|toml))\b"
)
NAME = re.compile(r"`([A-Za-z_][\w.]*)(?:\(\))?`")
COMMENT, WORD = re.compile(r"(?:^|(?<=\s))# .*$", re.M), re.compile(r"\w+")
PLACEHOLDER = re.compile(r"\bNAME\b|\bLANGUAGE\b|NNNN")
# Files that the program writes where the user wants them.
WRITTEN = {"library.sql", "schema.sql", "load.sql"}
# Names of other programs and libraries that no code of ours uses.
FOREIGN = {
    *("QSplashScreen", "QGraphicsItem", "PR_SET_PDEATHSIG", "PROJECTOR_TYPE_MLP"),
    *("normalize_answer", "insert_custom_kg", "loadable_path", "nMentions", "CamelCase"),
}


@cache
def list_files() -> frozenset[str]:
    """Return all files of the program, below its root, and of the root itself."""
    inside = (
        path
        for name in (*FOLDERS, "docs", "models", "resources")
        for path in (ROOT / name).rglob("*")
    )
    return frozenset(
        path.relative_to(ROOT).as_posix() for path in (*inside, *ROOT.glob("*")) if path.is_file()
    )


@cache
def list_endings() -> frozenset[str]:
    """Return the paths of all files, from each of their folders on."""
    parts = [name.split("/") for name in list_files()]
    return frozenset("/".join(one[start:]) for one in parts for start in range(len(one)))


def find_missing_files(text: str) -> list[str]:
    """Return the files in a text that are nowhere; a path may begin at any folder."""
    return [
        path
        for path in FILE.findall(text)
        if not PLACEHOLDER.search(path) and path not in WRITTEN and path not in list_endings()
    ]


@cache
def list_modules() -> tuple[Path, ...]:
    inside = (path for name in FOLDERS for path in (ROOT / name).rglob("*.py"))
    return (*sorted(inside), ROOT / "run.py")


@cache
def read_module(path: Path) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return the docstrings and comments of a module, and all words of its code and strings."""
    text = path.read_text("utf-8")
    lines = text.splitlines()
    notes = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                notes.append(str(first.value.value))
                end = first.end_lineno or first.lineno
                lines[first.lineno - 1 : end] = [""] * (end - first.lineno + 1)
    code = "\n".join(lines)
    notes += COMMENT.findall(code)
    words = {*WORD.findall(COMMENT.sub("", code)), *path.relative_to(ROOT).with_suffix("").parts}
    return tuple(notes), frozenset(words)


@cache
def list_known_words() -> frozenset[str]:
    """Return the words of all code, word lists, settings of tools and SQL, and names of files."""
    words = {word for path in list_modules() for word in read_module(path)[1]}
    for name in list_files():
        words |= set(WORD.findall(name))
        if name.endswith((".toml", ".sql", ".spec", ".ini")):
            words |= set(WORD.findall((ROOT / name).read_text("utf-8")))
    return frozenset(words)


def iter_documents() -> Iterator[Path]:
    yield from ROOT.glob("*.md")
    for folder in ("docs", "benchmarks", "packaging", "models"):
        yield from (ROOT / folder).rglob("*.md")
    yield from (ROOT / "desktop_app").rglob("*.toml")


def find_missing_names(text: str, known: frozenset[str]) -> list[str]:
    """Return the names between backticks of which a part is a word of no code.

    A name that ends with "_" is the beginning of names.
    """
    return [
        name
        for name in NAME.findall(text)
        if name not in FOREIGN
        and not all(part in known or part.endswith("_") for part in name.split(".") if part)
    ]


def test_the_checks_find_what_is_missing():
    text = "`engine/nowhere.py`, `desktop_app/engine/model.py`, `store/db.py`, words/NAME.toml"
    assert find_missing_files(text) == ["engine/nowhere.py"]
    known = frozenset({"retriever", "find_entity"})
    assert find_missing_names("`retriever.find_entity`, `find_`, `find_nobody`", known) == [
        "find_nobody"
    ]


def test_files_that_docstrings_and_comments_name_exist():
    assert [
        (path.relative_to(ROOT).as_posix(), name)
        for path in list_modules()
        if path != Path(__file__)
        for note in read_module(path)[0]
        for name in find_missing_files(note)
    ] == []


def test_files_that_documents_name_exist():
    assert [
        (path.relative_to(ROOT).as_posix(), name)
        for path in iter_documents()
        for name in find_missing_files(path.read_text("utf-8"))
    ] == []


def test_names_in_docstrings_and_comments_are_names_of_the_code():
    known = list_known_words()
    assert len(known) > 10_000
    assert [
        (path.relative_to(ROOT).as_posix(), name)
        for path in list_modules()
        if path != Path(__file__)
        for note in read_module(path)[0]
        for name in find_missing_names(note, known)
    ] == []


def test_the_docstring_of_a_package_names_only_what_is_in_it():
    missing = []
    for path in (ROOT / "desktop_app").rglob("__init__.py"):
        doc = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
        inside = {path.parent.name}
        for module in path.parent.rglob("*.py"):
            inside |= {module.stem, *read_module(module)[1]}
        missing += [
            (path.relative_to(ROOT).as_posix(), name)
            for name in NAME.findall(doc)
            if not name.endswith(".py") and not set(name.split(".")) <= inside
        ]
    assert missing == []
