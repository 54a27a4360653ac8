"""Tests that no call site of an operation ignores its failure or repeats the default handler.

The check reads the code: an error handler must use its error. Passing it on counts,
whether to another function or as a signal.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "desktop_app"
OUTSIDE_ENGINE = sorted(
    path for path in PACKAGE.rglob("*.py") if path.relative_to(PACKAGE).parts[0] != "engine"
)
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
LOGS = {"log.warning", "log.error", "log.exception", "logging.exception"}
SHOWS = "show_error"  # of the message bar, the failure handler of every lane


def uses_last_parameter(function: Function) -> bool:
    """Return whether the function reads the error, its last positional parameter."""
    names = [arg.arg for arg in (*function.args.posonlyargs, *function.args.args)]
    if not names:  # `lambda *_: None`
        return False
    body = function.body if isinstance(function.body, list) else [function.body]
    return any(
        isinstance(node, ast.Name) and node.id == names[-1] and isinstance(node.ctx, ast.Load)
        for statement in body
        for node in ast.walk(statement)
    )


def find_bad_handlers(source: str) -> Iterator[str]:
    """Yield the faulty error handlers of operations in a module, with line and reason."""
    tree = ast.parse(source)
    functions: dict[str, list[Function]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            functions.setdefault(node.name, []).append(node)
    parameters = {
        arg.arg for nodes in functions.values() for node in nodes for arg in node.args.args
    }
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            continue
        if call.func.attr != "on_error":
            continue
        handler = call.args[0]
        if isinstance(handler, ast.Call) and ast.unparse(handler.func).endswith("partial"):
            handler = handler.args[0]
        name = ast.unparse(handler)
        where = f"line {call.lineno}: {name}"
        if isinstance(handler, ast.Lambda):
            if not uses_last_parameter(handler):
                yield f"{where} ignores the error"
            continue
        last = name.rpartition(".")[2]
        if last == SHOWS:
            yield f"{where} is what happens without it"
        elif last in functions:
            if not all(uses_last_parameter(function) for function in functions[last]):
                yield f"{where} ignores the error"
        elif last not in {"emit", "append"} and name not in parameters:
            yield f"{where} can't be found in this module"


@pytest.mark.parametrize(
    "handler",
    [
        "lambda *_: None",
        "lambda error: None",
        "lambda _: self.stop()",
        "ignore",
        "self._ignore",
        "partial(self._ignore, 3)",
        "self._context.messages.show_error",
        "elsewhere.handle",
    ],
)
def test_a_handler_that_ignores_the_error_or_is_needless_is_found(handler: str):
    source = f"""
def ignore(error): pass
class Screen:
    def _ignore(self, error): self.stop()
    def read(self): Query(lane, fn).on_success(show).on_error({handler}).run()
"""
    assert len(list(find_bad_handlers(source))) == 1


@pytest.mark.parametrize(
    "handler",
    [
        "lambda error: self._fail(3, error)",
        "fail",
        "self._fail",
        "partial(self._fail, 3)",
        "self.failed.emit",
        "given",
    ],
)
def test_a_handler_that_uses_the_error_is_fine(handler: str):
    source = f"""
def fail(error): show(error)
class Screen:
    def _fail(self, number, error): self.words.setText(str(error))
    def read(self, given): Query(lane, fn).on_success(show).on_error({handler}).run()
"""
    assert list(find_bad_handlers(source)) == []


def test_no_operation_ignores_its_failure():
    found = [
        f"{path.relative_to(PACKAGE)}, {problem}"
        for path in OUTSIDE_ENGINE
        for problem in find_bad_handlers(path.read_text("utf-8"))
    ]
    assert found == []


def find_silent_catches(source: str) -> Iterator[str]:
    """Yield the handlers of any exception that neither raise, log nor use it."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.ExceptHandler):
            continue
        kinds = {ast.unparse(k) for k in ast.walk(node.type)} if node.type else {"BaseException"}
        if not kinds & {"Exception", "BaseException"}:
            continue
        body = [inner for statement in node.body for inner in ast.walk(statement)]
        raises = any(isinstance(inner, ast.Raise) for inner in body)
        uses = node.name is not None and any(
            isinstance(inner, ast.Name) and inner.id == node.name for inner in body
        )
        logs = any(
            isinstance(inner, ast.Call) and ast.unparse(inner.func) in LOGS for inner in body
        )
        if not (raises or uses or logs):
            yield f"line {node.lineno}"


@pytest.mark.parametrize("caught", ["except Exception:", "except:", "except (OSError, Exception):"])
def test_silent_catch_all_handlers_are_found(caught: str):
    assert list(find_silent_catches(f"try:\n    work()\n{caught}\n    pass\n")) == ["line 3"]


def test_no_silent_catch_all_handler_outside_the_engine():
    found = [
        f"{path.relative_to(PACKAGE)}, {line}"
        for path in OUTSIDE_ENGINE
        for line in find_silent_catches(path.read_text("utf-8"))
    ]
    assert found == []
