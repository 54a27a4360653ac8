"""Tests that every painter is ended: Qt must not show what is still being painted.

A painter that ends only when Python destroys it may live on, for example as part of the traceback
of an exception; Qt then warns ("endPaint() called with active painter").
"""

from __future__ import annotations

import ast
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "desktop_app"


def list_painters_without_end(source: str) -> list[int]:
    """Return the lines on which a painter is made that the same function does not end."""
    lines = []
    for function in ast.walk(ast.parse(source)):
        if not isinstance(function, ast.FunctionDef):
            continue
        ended = {
            call.func.value.id
            for call in ast.walk(function)
            if isinstance(call, ast.Call)
            and isinstance(call.func, ast.Attribute)
            and call.func.attr == "end"
            and isinstance(call.func.value, ast.Name)
        }
        for node in ast.walk(function):
            made = node.value if isinstance(node, ast.Assign) else None
            if not (isinstance(made, ast.Call) and isinstance(made.func, ast.Name)):
                continue
            names = {target.id for target in node.targets if isinstance(target, ast.Name)}
            if made.func.id == "QPainter" and not names & ended:
                lines.append(node.lineno)
    return lines


def test_a_painter_that_is_not_ended_is_found():
    kept = "def paint(self):\n    painter = QPainter(self)\n    painter.drawLine(0, 0, 1, 1)\n"
    assert list_painters_without_end(kept) == [2]
    assert list_painters_without_end(f"{kept}    painter.end()\n") == []


def test_every_painter_is_ended():
    found = [
        f"{path.relative_to(PACKAGE)}:{line}"
        for path in sorted(PACKAGE.rglob("*.py"))
        if "QPainter(" in (source := path.read_text("utf-8"))
        for line in list_painters_without_end(source)
    ]
    assert found == []
