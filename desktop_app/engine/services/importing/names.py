"""Assigns imported names to the passages in which they occur.

Pure. A name in capitals is spelled as in the text; a name with an unknown source is searched in
all passages.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ...messages import Message
from ...progress import CancelToken
from ...word_lists import WordLists
from .model import ImportedEntity, ImportedGraph, ImportedRelation
from .text_alignment import AlignedPassage, PassageIndex, Span

_KNOWN = WordLists("import_types").by_word("types")
_NOISE = re.compile(r"[\s\"'“”_\-]+")


def map_type(given: str) -> str:
    """Return our type for another program's, "" if there is no match."""
    for part in re.split(r"<SEP>|[,/|;，、]", given):
        if found := _KNOWN.get(_NOISE.sub("", part).casefold()):
            return found
    return ""


MAX_SEARCHED = 200  # maximum number of passages of a name without a source
MAX_UNINDEXED = 8  # passages of one key that are searched one by one


_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


@dataclass(slots=True)
class ImportedName:
    """One name, merged from all its entries, with its passages."""

    given: str
    name: str
    type: str = ""
    # dictionaries keep the order, and know what is there already
    descriptions: dict[str, None] = field(default_factory=dict)
    keys: dict[str, None] = field(default_factory=dict)
    aliases: dict[str, None] = field(default_factory=dict)
    passages: list[AlignedPassage] = field(default_factory=list)

    def find(self, passage: AlignedPassage) -> list[Span]:
        return passage.find(self.given)


class NameBook:
    """All names of a graph, found by any of their spellings.

    Args:
        passages_of: the passages of each imported chunk's key.
    """

    def __init__(
        self,
        graph: ImportedGraph,
        passages: Sequence[AlignedPassage],
        passages_of: Mapping[str, Sequence[AlignedPassage]],
        cancel: CancelToken,
    ) -> None:
        self._passages_of = passages_of
        self._index = PassageIndex(passages)
        self._places_in: dict[str, dict[AlignedPassage, int]] = {}
        self._names: dict[str, ImportedName] = {}
        self.left_out = graph.left_out
        unknown_types: Counter[str] = Counter()
        for entity in graph.entities:
            self._take(entity, unknown_types)
        for relation in graph.relations:
            for name in (relation.source, relation.target):
                self._take(ImportedEntity(name, chunks=relation.chunks), None)
        for type_, n in unknown_types.items():
            self.left_out[
                Message("names of the type “{type}”, which Inkgraph does not know", type=type_)
            ] += n
        for imported in self._names.values():
            cancel.check()
            imported.passages = self._place(imported)
            imported.name = self._written(imported)

    def __iter__(self) -> Iterator[ImportedName]:
        return iter(self._names.values())

    def get(self, given: str) -> ImportedName | None:
        return self._names.get(given.casefold())

    def _take(self, entity: ImportedEntity, unknown_types: Counter[str] | None) -> None:
        key = entity.name.casefold()
        known = self._names.get(key)
        if known is not None and unknown_types is None:
            # Only a relation mentions it here; the entity's own entry is enough.
            if not known.keys:
                known.keys.update(dict.fromkeys(entity.chunks))
            return
        if known is None:
            known = self._names[key] = ImportedName(entity.name, entity.name)
        elif known.given.isupper() and not entity.name.isupper():
            known.given = known.name = entity.name
        type_ = map_type(entity.type)
        if entity.type and not type_ and unknown_types is not None:
            unknown_types[entity.type] += 1
        known.type = known.type or type_
        for mine, theirs in (
            (known.descriptions, entity.descriptions),
            (known.keys, entity.chunks),
            (known.aliases, entity.aliases),
        ):
            mine.update(dict.fromkeys(theirs))

    def _place(self, name: ImportedName) -> list[AlignedPassage]:
        """Return the passages of a name: of its sources, else all that contain it."""
        placed: dict[AlignedPassage, None] = {}
        for key in name.keys:
            own = self._passages_of.get(key, ())
            naming = self._find_in(key, name) if len(own) > 1 else own
            placed.update(dict.fromkeys(naming or own[:1]))
        if placed:
            return list(placed)
        return self._index.find(name.given)[:MAX_SEARCHED]

    def _find_in(self, key: str, name: ImportedName) -> Sequence[AlignedPassage]:
        """Return those of the passages of a chunk's key that have a name, in their order."""
        own = self._passages_of.get(key, ())
        if len(own) <= MAX_UNINDEXED:
            return [p for p in own if name.find(p)]
        places = self._get_places(key)
        return sorted(
            (p for p in self._index.find(name.given) if p in places), key=places.__getitem__
        )

    def _get_places(self, key: str) -> dict[AlignedPassage, int]:
        """Return the passages of a chunk's key with their places among them."""
        if key not in self._places_in:
            own = self._passages_of.get(key, ())
            self._places_in[key] = {passage: at for at, passage in enumerate(own)}
        return self._places_in[key]

    def _written(self, name: ImportedName) -> str:
        """Return the spelling of a name: older programs put all in capitals."""
        if not name.given.isupper() or len(name.given) < 2:
            return name.given
        written: Counter[str] = Counter()
        for passage in name.passages:
            for start, end in name.find(passage):
                surface = passage.text[start - passage.start : end - passage.start]
                written[" ".join(surface.split())] += 1
        if name.given in written:  # NATO
            return name.given
        same = {w: n for w, n in written.items() if w.casefold() == name.given.casefold()}
        if same:
            return min(same, key=lambda w: (-same[w], w))
        return capitalise(name.given) if len(name.given) > 4 else name.given

    def passages_for(self, relation: ImportedRelation) -> list[AlignedPassage]:
        """Return the passages of a relation: of its sources, else those with both names."""
        ends = [self._names[n.casefold()] for n in (relation.source, relation.target)]
        placed: dict[AlignedPassage, None] = {}
        for key in relation.chunks:
            own = self._passages_of.get(key, ())
            first, second = (self._find_in(key, end) for end in ends)
            either = {*first, *second}
            shared = either.intersection(first).intersection(second)
            naming = sorted(shared or either, key=self._get_places(key).__getitem__)
            placed.update(dict.fromkeys(naming or own[:1]))
        if placed:
            return list(placed)
        others = set(ends[1].passages)
        both = [p for p in ends[0].passages if p in others][:MAX_SEARCHED]
        if both:
            return both
        named = self._index.find(ends[0].given)
        return [p for p in named if ends[1].find(p)][:MAX_SEARCHED]


def capitalise(name: str) -> str:
    """Return a name in capitals in normal spelling: "SCROOGE'S CLERK" as "Scrooge's Clerk"."""
    return _WORD.sub(lambda word: word.group()[0] + word.group()[1:].lower(), name)
