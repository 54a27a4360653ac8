"""Lists the models of the catalogue and whatever else lies in the model folders.

Owns what one row of that list says and how a role is guessed. Loads no model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import UserError, said
from .catalogue import Catalogue, CatalogueEntry
from .gguf_header import load_header
from .installer import is_installed, size_of
from .st_embedder import is_model_folder
from .st_reranker import is_cross_encoder_folder

_LATER_SHARD = re.compile(r"-(?!00001-)\d{5}-of-\d{5}$")
_MEMORY_OVER_SIZE = 1.4
_MEMORY_BESIDE = 300_000_000


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One model, installed or to be had.

    `path` is None if it is not installed; `active` says that it is the one in use for its role;
    `damaged` that its file can't be used, or failed its trial here (then `note` says why).
    """

    name: str
    role: str
    title: str
    size_bytes: int
    languages: tuple[str, ...]
    licence: str
    memory_bytes: int
    installed: bool
    path: Path | None
    active: bool
    note: str
    damaged: bool = False
    in_catalogue: bool = False


def find_entry_path(entry: CatalogueEntry, folders: Sequence[Path]) -> Path | None:
    """Return where a model of the catalogue lies whole, or None."""
    for folder in folders:
        path = folder / entry.file
        if is_installed(entry, folder):
            return path
        try:
            if path.exists() and size_of(path) == entry.size_bytes:
                return path  # put there by hand
        except OSError:
            continue
    return None


def iter_models(catalogue: Catalogue, folders: Sequence[Path]) -> Iterator[ModelRow]:
    """Yield the catalogue's models in its order, then all others by name; none is active."""
    taken: set[str] = set()
    for entry in catalogue.entries:
        taken.add(entry.name)
        path = find_entry_path(entry, folders)
        yield ModelRow(
            *(entry.name, entry.role, entry.title, entry.size_bytes, entry.languages),
            *(entry.licence, entry.memory_bytes, path is not None, path, False, entry.note),
            in_catalogue=True,
        )
    known = {entry.file for entry in catalogue.entries}
    for path in _iter_others(folders, known):
        row = _describe_gguf(path) if path.is_file() else _describe_folder(path)
        if row.name not in taken:
            taken.add(row.name)
            yield row


def _iter_others(folders: Sequence[Path], known: set[str]) -> Iterator[Path]:
    for folder in folders:
        try:
            found = sorted(folder.iterdir(), key=lambda path: path.name.lower())
        except OSError:
            continue
        for path in found:
            if path.name.startswith(".") or path.name in known:
                continue
            if path.is_dir():
                if is_model_folder(path) or is_cross_encoder_folder(path):
                    yield path
                else:
                    yield from sorted(p for p in path.glob("*.gguf") if _is_model_file(p))
            elif _is_model_file(path):
                yield path


def _is_model_file(path: Path) -> bool:
    stem = path.stem.lower()
    is_gguf = path.suffix.lower() == ".gguf" and path.is_file()
    return is_gguf and not stem.startswith("mmproj") and not _LATER_SHARD.search(stem)


def _describe_gguf(path: Path) -> ModelRow:
    name, size = path.stem.lower(), path.stat().st_size
    try:
        header = load_header(path)
    except UserError as error:
        return ModelRow(
            *(name, "chat", path.stem, size, (), "", 0, False, path, False, str(error)),
            damaged=True,
        )
    licence = str(header.fields.get("general.license", ""))
    memory = int(size * 1.1) + _MEMORY_BESIDE
    return ModelRow(
        *(name, header.role, header.title or path.stem, size, (), licence, memory),
        *(True, path, False, said("A file of your own.")),
    )


def _describe_folder(path: Path) -> ModelRow:
    size = size_of(path)
    memory = int(size * _MEMORY_OVER_SIZE) + _MEMORY_BESIDE
    role = "reranker" if is_cross_encoder_folder(path) else "embedding"
    return ModelRow(
        *(path.name.lower(), role, path.name, size, (), "", memory),
        *(True, path, False, said("A folder of your own.")),
    )
