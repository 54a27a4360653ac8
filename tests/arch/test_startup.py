"""Tests that the engine and the commands import no heavy module and no Qt."""

from __future__ import annotations

import subprocess
import sys

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
PROGRAM = """
import importlib, importlib.util, pkgutil, sys
import desktop_app.engine as engine
names = [m.name for m in pkgutil.walk_packages(engine.__path__, "desktop_app.engine.")]
names += [n for n in ("desktop_app.cli", "desktop_app.__main__") if importlib.util.find_spec(n)]
for name in names:
    importlib.import_module(name)
    heavy = sorted({heavy} & set(sys.modules))
    if heavy:
        sys.exit(f"importing {{name}} loads {{', '.join(heavy)}}")
assert len(names) > 10, names
"""


def run_import(modules: set[str]) -> subprocess.CompletedProcess[str]:
    program = PROGRAM.format(heavy=modules)
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)


def test_importing_the_engine_and_the_commands_loads_nothing_heavy():
    done = run_import(set(HEAVY))
    assert done.returncode == 0, done.stderr[-2000:]


def test_importing_the_engine_and_the_commands_loads_no_qt():
    done = run_import({"PySide6"})
    assert done.returncode == 0, done.stderr[-2000:]


def test_names_of_english_texts_are_found_without_torch():
    program = """
import sys
from desktop_app.engine.extraction.rules.latin_tokens import tag_english
from desktop_app.engine.progress import CancelToken
text = "Ada Byron wrote to Clara Wren in London."
assert tag_english(text, 0, len(text), cancel=CancelToken())
assert "torch" not in sys.modules
import torch  # and it can still be imported
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
