"""Every command takes every text: it is shown, searched or refused, never a bug (exit code 3).

The arguments are found in the parser, so that a new command is tested with all texts at once.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from desktop_app.cli import build_parser, run_command
from desktop_app.cli.command_context import path_argument
from desktop_app.engine.services.collections import Collections
from desktop_app.engine.services.library import Library
from tests.awkward_texts import AWKWARD_TEXTS
from tests.books import add_book

NOT_RUN = {
    "bench",  # runs a benchmark of the checkout
    "demo",  # has no argument
    "models",  # its names are tested without the network in tests/unit/llm
}
# Values of the arguments that are not the tested one.
USUAL = {
    "question": "Hale", "name": "Hale", "new_name": "Harold", "others": "Clara", "other": "Clara",
    "called": "Harold", "type": "place", "alias": "Harry", "files": "book.txt", "file": "c.json",
    "path": "graph.json", "document": "The Clockmaker", "out": "out.json", "action": "apply",
}  # fmt: skip
Argument = tuple[str, list[str], argparse.Action]  # label, words of the command, argument


def find_arguments() -> Iterator[Argument]:
    """Yield every argument of every command that takes text."""
    for words, parser in _iter_parsers(build_parser(), []):
        if words and words[0] in NOT_RUN:
            continue
        for action in parser._actions:
            if action.dest in ("help", "library") or action.choices is not None:
                continue
            if action.nargs != 0 and action.type in (None, str, Path, path_argument):
                label = action.option_strings[-1] if action.option_strings else action.dest
                yield " ".join([*words, label]), words, action


def _iter_parsers(
    parser: argparse.ArgumentParser, words: list[str]
) -> Iterator[tuple[list[str], argparse.ArgumentParser]]:
    sub = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
    if not sub:
        yield words, parser
    for action in sub:
        for name, one in action.choices.items():
            yield from _iter_parsers(one, [*words, name])


def build_arguments(words: list[str], tested: argparse.Action, text: str) -> list[str]:
    """Return the command with this text as the argument and usual values for the others."""
    [parser] = [p for w, p in _iter_parsers(build_parser(), []) if w == words]
    options: list[str] = ["--yes"] if words[0] == "delete" else []
    values: list[str] = []
    for action in parser._actions:
        value = text if action.dest == tested.dest else USUAL.get(action.dest)
        if action.option_strings and (action.required or action.dest == tested.dest):
            options.append(f"{action.option_strings[-1]}={value}")
        elif not action.option_strings and (action.required or action.dest == tested.dest):
            values.append(str(value))
    return [*options, "--", *values]


ARGUMENTS = list(find_arguments())


def test_the_parser_has_the_arguments():
    assert len(ARGUMENTS) > 40 and len(AWKWARD_TEXTS) >= 60
    assert {words[0] for _, words, _ in ARGUMENTS} >= {"add", "search", "ask", "entity", "import"}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a library and the files that the commands name."""
    folder = tmp_path_factory.mktemp("awkward")
    library = Library(folder / "small.inkgraph")
    Collections(library.writer).create("Novels", [add_book(library)])
    library.close()
    (folder / "book.txt").write_text("Ada Merrow lived in Lindau. Ada Merrow sang.", "utf-8")
    (folder / "graph.json").write_text('{"entities": [{"entity_name": "Ada"}]}', "utf-8")
    (folder / "c.json").write_text("{}", "utf-8")
    return folder


@pytest.fixture
def run(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[[list[str], list[str]], str]:
    """Return a function that runs a command on a copy of the library and returns a bug's text."""
    monkeypatch.setenv("INKGRAPH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("INKGRAPH_MODELS", str(tmp_path / "no models"))
    shutil.copytree(made, tmp_path / "work")
    monkeypatch.chdir(tmp_path / "work")

    def run(words: list[str], arguments: list[str]) -> str:
        [command, *more] = words
        argv = [command, *more, "--library", "small.inkgraph", "--json", *arguments]
        try:
            code = run_command(argv)
        except SystemExit as end:  # the parser refused it
            code = int(end.code or 0)
        shown = capsys.readouterr()
        return "" if code in (0, 1, 2) else f"exit {code}: {shown.err[-300:]}"

    return run


MOST_USED = ("search question", "ask question", "entity show name", "entity rename new_name",
             "entity alias alias", "add files")  # fmt: skip


def _check(run: Callable[[list[str], list[str]], str], label: str, names: list[str]) -> None:
    [(_, words, action)] = [a for a in ARGUMENTS if a[0] == label]
    bugs = {}
    for name in names:
        if bug := run(words, build_arguments(words, action, AWKWARD_TEXTS[name])):
            bugs[name] = bug
    assert bugs == {}


@pytest.mark.parametrize("label", MOST_USED)
def test_no_text_is_a_bug_for_the_usual_commands(run, label: str):
    """Each command takes every sixth text: together they take all of them.

    The services below the commands take all texts in tests/unit/services/test_awkward_texts.py.
    """
    _check(run, label, list(AWKWARD_TEXTS)[MOST_USED.index(label) :: len(MOST_USED)])


@pytest.mark.slow
@pytest.mark.parametrize("label", [a[0] for a in ARGUMENTS])
def test_no_text_is_a_bug_for_any_argument(run, label: str):
    _check(run, label, list(AWKWARD_TEXTS))
