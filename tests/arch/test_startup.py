"""Tests that the engine and the commands import no heavy module and no Qt."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = (
    "torch",
    "transformers",
    "sentence_transformers",
    "spacy",
    "thinc",
    "llama_cpp",
    "onnxruntime",
    "sklearn",
)
# Prints for each of the modules to avoid which import loads it first.
PROGRAM = f"""
import importlib, importlib.util, json, pkgutil, sys
import desktop_app.engine as engine
names = [m.name for m in pkgutil.walk_packages(engine.__path__, "desktop_app.engine.")]
names += [n for n in ("desktop_app.cli", "desktop_app.__main__") if importlib.util.find_spec(n)]
loaded_by = {{}}
for name in names:
    importlib.import_module(name)
    for module in {{*{HEAVY!r}, "PySide6"}} & set(sys.modules):
        loaded_by.setdefault(module, name)
assert len(names) > 10, names
print(json.dumps(loaded_by))
"""


@pytest.fixture(scope="module")
def loaded_by() -> dict[str, str]:
    """Return the heavy modules that are loaded when all is imported, and by which module."""
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, str] = json.loads(done.stdout)
    return found


def test_importing_the_engine_and_the_commands_loads_nothing_heavy(loaded_by):
    assert {module: name for module, name in loaded_by.items() if module in HEAVY} == {}


def test_importing_the_engine_and_the_commands_loads_no_qt(loaded_by):
    assert "PySide6" not in loaded_by, loaded_by


def test_names_of_english_texts_are_found_without_torch_and_the_command_line_of_spacy():
    program = """
import importlib.util, sys
from desktop_app.engine.extraction.rules.latin_tokens import tag_english
from desktop_app.engine.progress import CancelToken
text = "Ada Byron wrote to Clara Wren in London."
assert tag_english(text, 0, len(text), cancel=CancelToken())
assert not {"torch", "spacy.cli", "spacy.cli.info", "typer", "httpx"} & set(sys.modules)
assert importlib.util.find_spec("torch")  # None while its import is prevented
from spacy.cli import info
assert callable(info)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]


def test_services_of_the_window_and_the_commands_import_no_reader_of_documents():
    """Documents are read in a process of their own; the readers take a tenth of the start."""
    program = """
import sys
import desktop_app.engine.services.document_import
import desktop_app.engine.services.importing.service
import desktop_app.engine.services.watched_folders
import desktop_app.engine.text.page_renderer
import desktop_app.engine.text.reader_process
prefix = "desktop_app.engine.text.readers."
print(*(name.removeprefix(prefix) for name in sys.modules if name.startswith(prefix)))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.split() == ["archives"]  # its limits and its error


def test_the_process_that_reads_bibliographies_imports_nothing_of_libraries():
    program = """
import sys
import desktop_app.engine.services.bibliography.reader_child
print(*(name for name in sys.modules if name.startswith("desktop_app.engine.store.")), end=" ")
print("numpy" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.split() == ["False"]
