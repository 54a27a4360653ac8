"""A small book as indexing leaves it, and a small prompt, for tests of what comes after.

No reader and no tagger runs: the names are known, so that a library is made in milliseconds.
"""

from __future__ import annotations

import re
from itertools import pairwise

from desktop_app.engine.extraction.llm.tasks import ChunkTask, EnrichSettings
from desktop_app.engine.file_content import BytesContent
from desktop_app.engine.graph.names import normalise_name
from desktop_app.engine.model import (
    ChatMessage,
    ChunkEvidence,
    ChunkSpan,
    ClaimedRelation,
    Heading,
    Mention,
    NameClaim,
    ReadDocument,
)
from desktop_app.engine.prompt_program import PASSAGE, Choose, PromptProgram, Write
from desktop_app.engine.services.enrichment.service import EnrichmentService
from desktop_app.engine.services.graph_update import update_graph
from desktop_app.engine.services.library import Library
from desktop_app.engine.store import documents, evidence, file_versions
from tests.fakes import ScriptedChatModel

NAMES = ("Tobias", "Clara", "Hale", "Marsh", "Petrel")
BOOK = (
    "Tobias kept a shop of clocks in the lane by the harbour. Nobody else was there at all. ",
    "Hale came in from the rain with Clara and Tobias. Marsh had sailed with Hale for nine years. ",
    "The rain went on all night, and no name is in this long and quiet passage of the book. ",
    "Clara had loved Marsh. Clara wound the clocks that Tobias made, as Tobias had asked. ",
    "The Petrel was lost with all her crew. Nothing more was ever heard of her in the lane. ",
)


def instant(text: str, order: int, start: int) -> ChunkEvidence:
    """Return mentions of known names in a chunk and relations between consecutive ones."""
    mentions = [
        Mention(m.group(), "person", start + m.start(), start + m.end(), start, start + len(text))
        for m in re.finditer("|".join(NAMES), text)
    ]
    pairs = {frozenset((a.name, b.name)): (a, b) for a, b in pairwise(mentions) if a.name != b.name}
    relations = [ClaimedRelation(a.name, b.name, a.start, b.end) for a, b in pairs.values()]
    return ChunkEvidence(order, tuple(mentions), tuple(relations))


def add_book(library: Library, chunks=BOOK, *, title="The Clockmaker", language="en") -> int:
    """Add a document to the library as indexing would."""
    db = library.writer
    with db.transaction():
        document_id = documents.add_waiting(
            db,
            title=title,
            file_name=title,
            source_path="",
            content=BytesContent(b""),
            sha256=title,
        )
    read_book(library, document_id, chunks, title=title, language=language)
    return document_id


def read_book(
    library: Library, document_id: int, chunks, *, title: str, language: str = "en"
) -> None:
    """Read a document; chunks that did not change keep their evidence."""
    db, text, spans = library.writer, "".join(chunks), []
    at = 0
    for order, chunk in enumerate(chunks):
        heading = f"Part › Chapter {order + 1}" if order else "Part"
        spans.append(ChunkSpan(order, at, at + len(chunk), len(chunk) // 4, heading))
        at += len(chunk)
    read = ReadDocument(title, text, "txt", language, outline=(Heading(1, "Part", 0),))
    name_ids = evidence.NameIds(db, normalise_name)
    with db.transaction():
        documents.clear_source(db, document_id)
        documents.store_read(db, document_id, read, spans, [[] for _ in spans])
        done = evidence.done_chunks(db, document_id, "instant")
        for chunk_id, span in documents.fetch_chunks(db, document_id):
            if span.order not in done:
                found = instant(text[span.start : span.end], span.order, span.start)
                evidence.store_evidence(
                    db, document_id, chunk_id, found, name_ids, strategy="instant"
                )
        documents.set_state(db, document_id, "ready")
    update_graph(db)


def change_book(library: Library, document_id: int, chunks, sha256: str) -> None:
    """Replace the file of a document by a changed one and read it again."""
    title = library.writer.value("SELECT title FROM document WHERE id = ?", (document_id,))
    db = library.writer
    with db.transaction():
        file_versions.offer_version(db, document_id, sha256, BytesContent(b""), 0)
        source = file_versions.find_file_to_read(db, document_id)
        assert source is not None
        file_versions.take_version(db, document_id, source)
    read_book(library, document_id, chunks, title=title)


def build_small_script(
    task: ChunkTask, settings: EnrichSettings, strategy: str, split: object
) -> PromptProgram:
    """Ask for the kind of every pair and a description of every planned name."""

    def talk():
        relations = list(task.relations)
        if relations:
            lines = tuple(f"{r.source} & {r.target}:" for r in relations)
            choices = yield Choose(lines, (" friends", " none"))
            relations = [
                ClaimedRelation(r.source, r.target, r.start, r.end, kind="friends")
                for r, c in zip(relations, choices, strict=True)
                if c.logprobs[0] >= c.logprobs[1]
            ]
        names = sorted({m.name for m in task.mentions} - task.described)
        written = (yield Write(tuple(f"{n}:" for n in names), 20)) if names else []
        claims = [NameClaim(n, "person", w.text) for n, w in zip(names, written, strict=True)]
        return ChunkEvidence(task.chunk_order, (), tuple(relations), names=tuple(claims))

    return PromptProgram(task.key, (ChatMessage("user", PASSAGE),), task.text, talk)


def enriching_of(library: Library, model: ScriptedChatModel, **more) -> EnrichmentService:
    return EnrichmentService(library.writer, lambda: model, **more)


def one_by_one(**more) -> ScriptedChatModel:
    return ScriptedChatModel(n_at_once=1, **more)


def id_of(library: Library, name: str) -> int:
    """Return the id of the entity with a name."""
    return library.writer.value("SELECT id FROM entity WHERE name = ?", (name,))


def shown(library: Library) -> set[str]:
    """Return the names of all entities."""
    return {r[0] for r in library.writer.rows("SELECT name FROM entity")}
