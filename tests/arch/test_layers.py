"""Tests the import contracts of pyproject.toml with import-linter."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "desktop_app"


def imported_modules(path: Path, wanted: set[str]) -> set[str]:
    """Return which of these modules are imported (or parts of them), also inside functions."""
    found: set[str] = set()
    source = path.read_text(encoding="utf-8")
    if not any(name in source for name in wanted):
        return found
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
    return found & wanted


def test_every_import_follows_the_contracts():
    program = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = subprocess.run(
        [sys.executable, "-c", program, "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]


def test_only_the_modules_of_the_library_file_import_sqlite():
    who = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if imported_modules(path, {"apsw", "sqlite3", "sqlite_vec"})
    }
    allowed = ("connection", "db", "sqlite_errors", "backup", "raw_file")
    # Zotero's database is no library: it is read in a child process.
    foreign = {"engine/services/bibliography/zotero.py"}
    assert who <= {f"engine/store/{name}.py" for name in allowed} | foreign


def test_the_command_line_imports_no_widgets():
    for path in (PACKAGE / "cli").rglob("*.py"):
        assert not imported_modules(path, {"PySide6", "pyqtgraph"}), path.name


def test_a_session_holds_no_widgets():
    tree = ast.parse((PACKAGE / "session.py").read_text(encoding="utf-8"))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {module for module in modules if module.startswith("PySide6")} == {"PySide6.QtCore"}
