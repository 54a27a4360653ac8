"""The words for types of names and kinds of relations where a person edits lists of them.

Owns the words for the types that tuning may propose; the settings keep the English ones, which
the model is asked with. A word of a person's own is shown as it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from desktop_app.engine.types import ENTITY_TYPES
from desktop_app.ui.language import later, tr
from desktop_app.ui.widgets.words import KINDS, format_kind, format_type

# The types of tuning's pool; what each means is what is translated, since "work" alone may be
# a relation as well.
PROPOSED_TYPES = {
    "family": later("families, clans or houses"),
    "people": later("tribes, peoples or nations"),
    "god": later("gods, spirits or ghosts"),
    "animal": later("animals with names or a part in the story"),
    "ship": later("ships or vehicles"),
    "weapon": later("weapons"),
    "building": later("buildings"),
    "work": later("books, songs, laws or works of art"),
    "title": later("offices or ranks"),
    "method": later("methods or algorithms"),
    "dataset": later("data sets or benchmarks"),
    "measure": later("measures or scores"),
    "software": later("software or programming languages"),
    "gene": later("genes or proteins"),
    "disease": later("diseases or symptoms"),
    "drug": later("drugs or treatments"),
    "chemical": later("chemicals or materials"),
    "species": later("species of plants or animals"),
    "law": later("laws, cases or contracts"),
    "product": later("products or brands"),
}


def say_type(word: str) -> str:
    """Return a type in the window's language."""
    meaning = PROPOSED_TYPES.get(word)
    if meaning is None:
        return format_type(word)
    said = tr(meaning)
    return word if said == meaning else said


def say_kind(word: str) -> str:
    """Return a kind of relation in the window's language; English ones as they are kept."""
    said = format_kind(word)
    return word if said.isascii() else said


def read_type(typed: str) -> str:
    """Return the type that is meant by what a person typed."""
    return _read(typed, (*ENTITY_TYPES, *PROPOSED_TYPES), say_type)


def read_kind(typed: str) -> str:
    """Return the kind of relation that is meant by what a person typed."""
    return _read(typed, KINDS, say_kind)


def _read(typed: str, known: Iterable[str], say: Callable[[str], str]) -> str:
    return next((word for word in known if say(word) == typed), typed)
