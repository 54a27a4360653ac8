"""Tests the trial of a model or a build in a child process."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from desktop_app.engine.errors import Cancelled
from desktop_app.engine.llm.registry import ModelRegistry
from desktop_app.engine.llm.trial import ModelCannotRun, ModelTrials, read_outcome, run_trial
from desktop_app.engine.llm.trial_child import write_chat_model, write_embedding_model
from desktop_app.engine.progress import CancelToken

signals_only = pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trial-models")
    write_chat_model(folder / "chat.gguf")
    write_embedding_model(folder / "embedding.gguf")
    return folder


@pytest.fixture
def models(made: Path, tmp_path: Path) -> Path:
    """Return a folder with a working chat model and embedding model."""
    folder = tmp_path / "models"
    shutil.copytree(made, folder)
    return folder


@pytest.fixture
def trials(tmp_path: Path) -> ModelTrials:
    return ModelTrials(tmp_path / "trials.json")


@pytest.fixture
def deadly_llama(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a package before the real one that ends its process with SIGILL."""
    package = tmp_path / "deadly" / "llama_cpp"
    package.mkdir(parents=True)
    program = "import os, signal\nos.kill(os.getpid(), signal.SIGILL)\n"
    (package / "__init__.py").write_text(program)
    monkeypatch.setenv("PYTHONPATH", str(package.parent))
    return package


def test_the_installed_llama_passes_its_trial():
    assert run_trial().problem == ""


@signals_only
def test_a_crashing_build_is_reported_with_signal_and_step(deadly_llama):
    result = run_trial()
    assert result.crashed
    assert "SIGILL" in result.problem
    assert "loading llama.cpp" in result.problem


@signals_only
def test_with_a_crashing_build_no_model_is_loaded(deadly_llama, models, trials):
    registry = ModelRegistry([models], trials=trials)
    problems: list[ModelCannotRun] = []
    registry.on_problem = problems.append
    assert registry.find_chat() is None
    assert registry.find_embedder() is None
    assert [problem.message for problem in problems] == [
        f"Models can't run here: llama.cpp {run_trial().problem}."
    ] * 2
    assert len(registry.find_problems()) == 1
    rows = {row.name: row for row in registry.list_models()}
    assert rows["chat"].damaged and not rows["chat"].active
    assert "SIGILL" in rows["chat"].note


@signals_only
def test_a_result_is_stored_and_a_check_repeats_the_trial(
    deadly_llama, models, trials, monkeypatch, tmp_path
):
    with pytest.raises(ModelCannotRun):
        trials.ensure_runs("chat", models / "chat.gguf")
    monkeypatch.delenv("PYTHONPATH")  # the real build is back
    again = ModelTrials(tmp_path / "trials.json")
    assert again.find_failure("chat", models / "chat.gguf") is not None
    again.ensure_runs("chat", models / "chat.gguf", again=True)
    assert again.find_failure("chat", models / "chat.gguf") is None


def test_models_that_work_are_loaded_after_their_trial(models, trials, tmp_path):
    registry = ModelRegistry([models], trials=trials)
    try:
        embedder = registry.find_embedder()
        assert embedder is not None and embedder.embed_query("tide").shape == (256,)
        assert registry.find_problems() == []
    finally:
        registry.close()
    assert "embedding.gguf" in (tmp_path / "trials.json").read_text()


def test_a_changed_file_is_tried_again(models, trials):
    path = models / "embedding.gguf"
    trials.ensure_runs("embedding", path)
    content = bytearray(path.read_bytes())
    at = len(content) - 4000
    content[at : at + 4000] = b"\xff" * 4000  # NaN in the last tensors
    path.write_bytes(bytes(content))
    with pytest.raises(ModelCannotRun, match=r"embedding\.gguf can't run here"):
        trials.ensure_runs("embedding", path)


def test_a_truncated_file_is_reported_and_the_next_model_works(models, trials):
    path = models / "chat.gguf"
    path.write_bytes(path.read_bytes()[:100_000])
    registry = ModelRegistry([models], trials=trials)
    try:
        assert registry.find_chat() is None
        row = next(row for row in registry.list_models() if row.name == "chat")
        assert row.damaged and "chat.gguf" in row.note
        assert registry.find_embedder() is not None
    finally:
        registry.close()


@signals_only
def test_a_model_that_passed_is_tried_again_after_it_ended_the_program(models, trials, monkeypatch):
    trials.ensure_runs("embedding", models / "embedding.gguf")
    trials.clear()
    broken = models.parent / "broken"
    (broken / "llama_cpp").mkdir(parents=True)
    (broken / "llama_cpp" / "__init__.py").write_text("raise OSError('no library')")
    monkeypatch.setenv("PYTHONPATH", str(broken))
    with pytest.raises(ModelCannotRun, match="could not be loaded"):
        trials.ensure_runs("embedding", models / "embedding.gguf")


def test_a_trial_is_stopped_at_its_time_limit(models):
    result = run_trial("embedding", str(models / "embedding.gguf"), timeout_s=0.05)
    assert result.crashed and not result.is_lasting
    assert "did not end within" in result.problem


def test_a_trial_can_be_cancelled(models):
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        run_trial("embedding", str(models / "embedding.gguf"), cancel=cancel)


@pytest.mark.parametrize(
    ("code", "output", "errors", "problem", "is_lasting"),
    [
        (0, "step: a\ndone\n", "", "", True),
        (-9, "step: loading\n", "", "SIGKILL", False),
        (2, "step: a\nproblem: failed: no memory\n", "", "no memory", False),
        (1, "step: a\n", "Traceback …\nValueError: odd", "failed while a: ValueError: odd", True),
        (0, "", "", "failed while starting: exit code 0", True),
    ],
)
def test_every_exit_of_a_child_process_is_described(code, output, errors, problem, is_lasting):
    result = read_outcome(code, output, errors)
    assert problem in result.problem and bool(problem) == bool(result.problem)
    assert result.is_lasting is is_lasting
