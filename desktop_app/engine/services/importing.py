"""Taking in graphs that are ready: LightRAG's, GraphRAG's, and a script's own.

Source documents become documents of the library, embedded and found like all others; what the
graph says of them becomes evidence with the strategy "given", from which our graph is derived.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import Cancelled
from ..progress import CancelToken, Progress, ProgressCallback, ignore_progress
from ..store import documents
from ..store.db import Db
from ..types import DocumentId
from .deriving import derive_graph
from .imports.custom_kg import read_custom_kg
from .imports.given import GivenGraph
from .imports.planning import KnownText, plan_import
from .imports.recognising import read_graph
from .imports.writing import GraphWriter
from .library import Library


@dataclass(frozen=True, slots=True)
class Imported:
    """What came in, and what did not.

    Attributes:
        origin: "LightRAG", "GraphRAG" or "custom".
        documents: new documents; updated: documents the library had, with evidence new to them;
            unchanged: how many had all of it already.
        n_entities, n_relations: names and pairs of names that came with the graph.
        unseen_names: names that stand nowhere in their passages; each is kept, at the sentence
            that speaks most of it.
        n_unseen_relations: relations with no passage that has both names.
        n_attached: chunks that their document doesn't hold word for word.
        left_out: what could not be used, by reason.
    """

    origin: str
    name: str
    documents: tuple[DocumentId, ...] = ()
    updated: tuple[DocumentId, ...] = ()
    unchanged: int = 0
    n_chunks: int = 0
    n_entities: int = 0
    n_relations: int = 0
    n_claims: int = 0
    unseen_names: tuple[str, ...] = ()
    n_unseen_relations: int = 0
    n_attached: int = 0
    left_out: dict[str, int] = field(default_factory=dict)


def insert_custom_kg(
    library: Library | Db,
    custom_kg: Mapping[str, Any],
    full_doc_id: str | None = None,
    *,
    find_names: bool = True,
) -> Imported:
    """Add a graph of a script's own, in the form that LightRAG's `insert_custom_kg` takes.

    Chunks, entities and relationships as there; with `full_doc_id` all chunks are one document.
    Called again for the same chunks, it adds to what is said of them; of a name or a pair of
    names said twice, the last counts. Nothing stands twice.
    Run `Indexing(...).run()` afterwards to have the passages embedded.

    Raises:
        UserError: an entry can't be used; says which. The library is as it was.
    """
    db = library.writer if isinstance(library, Library) else library
    graph = read_custom_kg(custom_kg, full_doc_id=full_doc_id)
    return _import(db, graph, "", find_names, CancelToken(), ignore_progress)


def import_graph(
    db: Db,
    path: Path,
    *,
    find_names: bool = True,
    cancel: CancelToken | None = None,
    on_progress: ProgressCallback = ignore_progress,
) -> Imported:
    """Add the graph of a file or folder; which kind it is, is found out.

    The same folder again adds nothing twice: its texts are known by their content, and what it
    says of them replaces what a model or another folder said of the same passages.

    Args:
        find_names: also find names in the new texts as in any document, so that every place of
            a name can be seen and passages nobody extracted from are in the graph too. The
            relations of a passage that the given graph speaks of stay the given ones.

    Raises:
        UserError: it is no graph that is known, or a part of it is broken; says which. Nothing
            was written then.
        Cancelled: the token was set; documents that were written stay.
    """
    graph = read_graph(Path(path))
    return _import(db, graph, str(path), find_names, cancel or CancelToken(), on_progress)


def _import(
    db: Db,
    graph: GivenGraph,
    source_path: str,
    find_names: bool,
    cancel: CancelToken,
    on_progress: ProgressCallback,
) -> Imported:
    on_progress(Progress("importing"))
    plan = plan_import(graph, lambda sha256: _find_known(db, sha256))
    writer = GraphWriter(db, graph.origin, source_path, find_names=find_names, cancel=cancel)
    new: list[DocumentId] = []
    updated: list[DocumentId] = []
    try:
        for done, document in enumerate(plan.documents):
            cancel.check()
            on_progress(Progress("importing", done, len(plan.documents)))
            if document.known is None:
                new.append(writer.add(document))
            elif writer.update(document):
                updated.append(DocumentId(document.known.id))
    except Cancelled:
        if new or updated:
            _derive(db, on_progress)
        raise
    if new or updated:
        _derive(db, on_progress)
    return Imported(
        origin=graph.origin,
        name=graph.name,
        documents=tuple(new),
        updated=tuple(updated),
        unchanged=len(plan.documents) - len(new) - len(updated),
        n_chunks=sum(len(d.spans) for d in plan.documents),
        n_entities=plan.found.n_names,
        n_relations=plan.found.n_relations,
        n_claims=plan.found.n_claims,
        unseen_names=tuple(plan.found.unseen_names),
        n_unseen_relations=plan.found.n_unseen_relations,
        n_attached=plan.n_attached,
        left_out=dict(graph.left_out),
    )


def _derive(db: Db, on_progress: ProgressCallback) -> None:
    on_progress(Progress("graph"))
    derive_graph(db)
    with db.transaction():
        db.write("DELETE FROM setting WHERE key = 'graph_stale'")


def _find_known(db: Db, sha256: str) -> KnownText | None:
    document_id = documents.find_by_hash(db, sha256)
    row = documents.find_document(db, document_id) if document_id else None
    if row is None:
        return None
    return KnownText(
        row.id,
        row.title,
        documents.fetch_text(db, row.id),
        row.language,
        tuple(span for _, span in documents.fetch_chunks(db, row.id)),
    )
