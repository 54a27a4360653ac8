"""Imports graphs: writes their documents with evidence, one transaction each.

A new document also gets instant evidence (if requested), extracted before the transaction
begins. Mentions that the instant graph has are not written twice.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from ...changes import ChangeSet
from ...extraction.instant import InstantExtractor
from ...file_content import BytesContent
from ...graph.names import normalise_name
from ...messages import Message
from ...model import ChunkEvidence, DocumentId, Mention
from ...progress import CancelToken, Progress, ProgressCallback, ignore_progress
from ...store import documents, evidence, graph, search
from ...store.db import Db
from ...text.chunking import load_tiktoken_counter, split_sentences, split_windows
from ..graph_update import update_graph
from ..indexing import WINDOW_TOKENS, with_title
from .custom_kg import ORIGIN as CUSTOM
from .planning import KnownText, PlannedDocument, plan_import
from .reader import GraphReader


def merge_evidence(old: ChunkEvidence, new: ChunkEvidence) -> ChunkEvidence:
    """Return two pieces of evidence of one chunk as one; the new one wins where they differ."""
    names = {n.name: n for n in old.names}
    for name in new.names:
        before = names.get(name.name)
        if before is not None and not name.type:
            name = replace(name, type=before.type, confidence=before.confidence)
        if before is not None and not name.description:
            name = replace(name, description=before.description)
        names[name.name] = name
    relations = {frozenset((r.source, r.target)): r for r in (*old.relations, *new.relations)}
    mentions = {(m.name, m.start, m.end): m for m in (*old.mentions, *new.mentions)}
    return ChunkEvidence(
        new.chunk_order,
        tuple(mentions.values()),
        tuple(relations.values()),
        tuple(dict.fromkeys((*old.also_called, *new.also_called))),
        tuple(names.values()),
        tuple(dict.fromkeys((*old.claims, *new.claims))),
    )


STRATEGY = "given"
INSTANT = "instant"


class GraphWriter:
    """Writes the documents of one import; `origin` is stored as the model of its evidence."""

    def __init__(
        self, db: Db, origin: str, source_path: str, *, find_names: bool, cancel: CancelToken
    ) -> None:
        self._db, self._origin, self._source_path = db, origin, source_path
        self._find_names, self._cancel = find_names, cancel
        self._extractor = InstantExtractor(split_sentences)
        self._name_ids = evidence.NameIds(db, normalise_name)

    def add(self, document: PlannedDocument) -> DocumentId:
        """Write a new document with all its evidence, in one transaction."""
        read = document.read
        windows = self._windows(document)
        instant = self._instant(document) if self._find_names else []
        with self._writing():
            document_id = documents.add_waiting(
                self._db,
                title=read.title,
                file_name=document.file_name or f"{read.title}.txt",
                source_path=self._source_path,
                content=BytesContent(read.text.encode("utf-8")),
                sha256=document.sha256,
            )
            documents.store_read(self._db, document_id, read, document.spans, windows)
            chunk_ids = self._chunk_ids(document_id)
            for one in instant:
                evidence.store_evidence(
                    self._db,
                    document_id,
                    chunk_ids[one.chunk_order],
                    one,
                    self._name_ids,
                    strategy=INSTANT,
                )
            mentions = [m for one in instant for m in one.mentions]
            self._store_imported(document_id, chunk_ids, document, mentions, {})
            documents.set_state(self._db, document_id, "ready")
        return document_id

    def update(self, document: PlannedDocument) -> bool:
        """Write the evidence of a document in the library; False if it is unchanged."""
        assert document.known is not None
        document_id = document.known.id
        n_stored = evidence.count_extractions(
            self._db, document_id, STRATEGY, self._origin, _version(document)
        )
        if n_stored == len(document.evidence):
            return False
        with self._writing():
            mentions = evidence.fetch_instant_mentions(self._db, document_id)
            chunk_ids = self._chunk_ids(document_id)
            if self._origin == CUSTOM:
                known = evidence.fetch_stored_evidence(self._db, document_id)
            else:  # a folder contains its complete evidence
                known = {}
                evidence.delete_extractions(self._db, document_id, STRATEGY, self._origin)
            self._store_imported(document_id, chunk_ids, document, mentions, known)
        return True

    def _instant(self, document: PlannedDocument) -> list[ChunkEvidence]:
        read, found = document.read, []
        for one in self._extractor.extract(
            read.text,
            document.spans,
            read.language,
            skip=frozenset(),
            cancel=self._cancel,
            body=(read.body_start, read.body_end),
        ):
            self._cancel.check()
            if len(read.text) <= search.SHORT_DOCUMENT_CHARS:
                one = with_title(one, document.spans[one.chunk_order], read.title, read.text)
            found.append(one)
        return found

    def _chunk_ids(self, document_id: int) -> dict[int, int]:
        return {
            span.order: chunk_id for chunk_id, span in documents.fetch_chunks(self._db, document_id)
        }

    def _store_imported(
        self,
        document_id: int,
        chunk_ids: dict[int, int],
        document: PlannedDocument,
        instant: list[Mention],
        known: dict[int, ChunkEvidence],
    ) -> None:
        version = _version(document)
        for order, one in _drop_known_mentions(document.evidence, instant).items():
            evidence.store_evidence(
                self._db,
                document_id,
                chunk_ids[order],
                merge_evidence(known[order], one) if order in known else one,
                self._name_ids,
                strategy=STRATEGY,
                model=self._origin,
                prompt_version=version,
            )

    def _windows(self, document: PlannedDocument) -> list[list[tuple[int, int]]]:
        read, count_tokens = document.read, load_tiktoken_counter()
        target = WINDOW_TOKENS.get(read.language, WINDOW_TOKENS["en"])
        return [
            split_windows(
                read.text,
                span.start,
                span.end,
                read.language,
                target_tokens=target,
                count_tokens=count_tokens,
            )
            for span in document.spans
        ]

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Open a transaction and mark the graph as out of date."""
        try:
            with self._db.transaction():
                yield
                graph.mark_graph_stale(self._db)
        except BaseException:
            self._name_ids.forget()
            raise


def _version(document: PlannedDocument) -> str:
    """Return a hash of all evidence of a document."""
    content = repr([(order, document.evidence[order]) for order in sorted(document.evidence)])
    return hashlib.sha256(content.encode("utf-8")).hexdigest()[:16]


def _drop_known_mentions(
    given: dict[int, ChunkEvidence], instant: list[Mention]
) -> dict[int, ChunkEvidence]:
    """Return the evidence without the mentions that the instant graph has.

    A name with another spelling there keeps one mention of its own, because names without mentions
    are dropped.
    """
    places: dict[str, list[Mention]] = {}
    for mention in instant:
        places.setdefault(normalise_name(mention.name), []).append(mention)
    named = {m.name for m in instant}
    kept: dict[int, ChunkEvidence] = {}
    for order, one in given.items():
        mentions = []
        for mention in one.mentions:
            is_known = any(
                m.start < mention.end and m.end > mention.start
                for m in places.get(normalise_name(mention.name), ())
            )
            if not is_known or mention.name not in named:
                mentions.append(mention)
                named.add(mention.name)
        kept[order] = replace(one, mentions=tuple(mentions))
    return kept


@dataclass(frozen=True, slots=True)
class Imported:
    """Result of an import.

    Attributes:
        origin: "LightRAG", "GraphRAG" or "custom".
        documents: new documents.
        updated: documents of the library with new evidence.
        unchanged: number of documents whose evidence was there already.
        n_entities, n_relations: imported names and pairs of names.
        unseen_names: names that do not occur in their passages; each is placed at the most
            similar sentence.
        n_unseen_relations: relations with no passage that has both names.
        n_attached: chunks that their document doesn't contain literally.
        left_out: unusable parts, counted by reason.
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
    left_out: dict[Message, int] = field(default_factory=dict)


def import_graph(
    db: Db,
    path: Path,
    *,
    find_names: bool = True,
    cancel: CancelToken | None = None,
    on_progress: ProgressCallback = ignore_progress,
    on_change: Callable[[ChangeSet], None] = lambda change: None,
) -> Imported:
    """Add the graph of a file or folder; the format is detected.

    Importing a folder again duplicates nothing: its texts are recognized by their content, and its
    evidence replaces that of models and other folders for the same passages.

    Args:
        find_names: also extract names from the new texts as from any document, which gives all
            mentions and covers passages without imported evidence. Relations of passages with
            imported relations stay the imported ones.

    Raises:
        UserError: the format is unknown or a part is broken; nothing was written.
        Cancelled: the token was set; documents that were written stay.
    """
    cancel = cancel or CancelToken()
    on_progress(Progress("importing"))
    imported = GraphReader().read(Path(path), cancel=cancel)
    plan = plan_import(imported, lambda sha256: _find_known(db, sha256), cancel)
    writer = GraphWriter(db, imported.origin, str(path), find_names=find_names, cancel=cancel)
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
    finally:  # also after a cancellation, because what was written stays
        if new or updated:
            on_progress(Progress("graph"))
            with db.transaction():
                change = update_graph(db)
                graph.mark_graph_stale(db, False)
            on_change(change | ChangeSet(documents=frozenset((*new, *updated))))
    return Imported(
        origin=imported.origin,
        name=imported.name,
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
        left_out=dict(imported.left_out),
    )


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
