"""Finds the entity or the documents that a name means, for commands and servers.

A name is what a person or another program writes; of namesakes it is "name (title)".
"""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import UserError
from ..graph.names import normalise_name
from ..model import DocumentId, EntityId, EntityRow
from .library_reader import LibraryReader


def get_entity_id(reader: LibraryReader, name: str) -> EntityId:
    """Return the entity with this name or alias; of namesakes the one with "name (title)".

    Raises:
        UserError: no entity has this name, or several have; the message lists similar names.
    """
    key = normalise_name(name)
    if (one := _find_in_story(reader, name)) is not None:
        return one
    near = reader.find_entities(name, 5)
    namesakes = [row for row in _find_namesakes(reader, name) if normalise_name(row.name) == key]
    if namesakes:
        listed = ", ".join(f"“{write_name(row)}”" for row in namesakes)
        raise UserError(
            "Several are called “{name}”.", "Write one of: {listed}", name=name, listed=listed
        )
    for row in near:
        card = reader.get_entity(row.id)
        if any(normalise_name(other) == key for other in (row.name, *card.aliases)):
            return row.id
    if not near:
        raise UserError(
            "There is no “{name}” in the graph.", "Search for part of the name.", name=name
        )
    raise UserError(
        "There is no “{name}” in the graph.",
        "Did you mean {names}?",
        name=name,
        names=", ".join(row.name for row in near),
    )


def get_best_entity(reader: LibraryReader, name: str) -> EntityId:
    """Return the entity that fits a name best; of namesakes the one with "name (title)".

    Raises:
        UserError: no entity fits.
    """
    if (one := _find_in_story(reader, name)) is not None:
        return one
    found = reader.find_entities(name, 1)
    if not found:
        raise UserError("There is no “{name}” in the graph.", "Try part of the name.", name=name)
    return found[0].id


def choose_documents(reader: LibraryReader, names: Sequence[str]) -> tuple[DocumentId, ...] | None:
    """Return the documents of these titles or file names, None if none is named.

    Raises:
        UserError: no document has one of the names.
    """
    if not names:
        return None
    rows = reader.list_documents()
    known = {name for d in rows for name in (d.title, d.file_name)}
    if strange := next((name for name in names if name not in known), None):
        raise UserError(
            "No document is called “{strange}”.",
            "See the titles in the list of documents (inkgraph status).",
            strange=strange,
        )
    return tuple(d.id for d in rows if d.title in names or d.file_name in names)


def write_name(row: EntityRow) -> str:
    """Return the name of an entity, with the title of its story where others are called so."""
    return f"{row.name} ({row.story})" if row.story else row.name


def _find_namesakes(reader: LibraryReader, name: str) -> list[EntityRow]:
    """Return the entities that a name finds and that read as another one does."""
    return [row for row in reader.find_entities(name, 50) if row.story]


def _find_in_story(reader: LibraryReader, name: str) -> EntityId | None:
    """Return the entity meant by "name (title of a document)", None if none is."""
    own, _, title = name.rstrip().removesuffix(")").partition(" (")
    title = title.casefold()
    return next(
        (
            row.id
            for row in (_find_namesakes(reader, own) if title else ())
            if row.name.casefold() == own.casefold() and row.story.casefold().startswith(title)
        ),
        None,
    )
