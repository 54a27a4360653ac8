"""A text for what has none: names and relations that stand in no passage that came with them.

Graphs without their texts, and names whose sources were lost, are kept all the same: what is
said of them is written down, name first, as one document of its own.
"""

from __future__ import annotations

from dataclasses import replace

from .given import GivenChunk, GivenDocument, GivenGraph
from .names import NameBook

KEY = "#names and relations"


def give_text(graph: GivenGraph, book: NameBook) -> bool:
    """Add a document of names and relations without a passage; False if all have theirs."""
    lost = {name.given.casefold() for name in book if not name.passages}
    lines: list[str] = []
    for name in book:
        if not name.passages:
            also = f" (also {', '.join(name.aliases)})" if name.aliases else ""
            lines.append(f"{name.given}{also}: {' '.join(name.descriptions) or 'no description.'}")
    for i, entity in enumerate(graph.entities):
        if entity.name.casefold() in lost:
            graph.entities[i] = replace(entity, chunks=(KEY,))
    for i, relation in enumerate(graph.relations):
        ends = relation.source.casefold(), relation.target.casefold()
        if ends[0] == ends[1] or (not lost.intersection(ends) and book.passages_for(relation)):
            continue
        said = " ".join(relation.descriptions) or ", ".join(relation.keywords) or "connected."
        lines.append(f"{relation.source} – {relation.target}: {said}")
        graph.relations[i] = replace(relation, chunks=(KEY,))
    if not lines:
        return False
    text = "\n\n".join(lines)
    graph.documents.append(GivenDocument(KEY, f"{graph.name}: names and relations", text=text))
    graph.chunks.append(GivenChunk(KEY, text, KEY))
    return True
