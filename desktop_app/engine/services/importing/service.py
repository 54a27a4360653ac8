"""Imports graphs: writes their documents with evidence, all in one transaction.

A new document also gets instant evidence (if requested), extracted before the transaction
begins. Mentions that the instant graph has are not written twice. What is to be written is kept
compressed until then, so that an import needs little memory, and a cancelled one leaves nothing.
"""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ...changes import ChangeNotice
from ...errors import UserError
from ...file_content import BytesContent
from ...garbage import release_freed_memory, without_full_collections
from ...graph.names import normalise_name
from ...messages import Message
from ...model import ChunkEvidence, DocumentId, Mention
from ...person_names import split_authors
from ...progress import CancelToken, Progress, ProgressCallback, ignore_progress
from ...store import documents, evidence, graph, search
from ...store.db import Db
from ...text.chunking import load_tiktoken_counter
from ..graph_update import update_graph
from ..indexing import add_title_as_name
from ..text_analysis.process import TextAnalysis, shared_analysis
from ..text_analysis.splitting import split_into_windows
from .custom_kg import ORIGIN as CUSTOM
from .planning import KnownText
from .reader import GraphReader
from .reader_protocol import ReceivedDocument


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


# The generated text of a graph without passages repeats what the graph says; searching one of
# this length for further names takes half a minute.
MAX_SEARCHED_CHARS = 500_000
_PACKED_TOGETHER = 50  # chunks


class GraphWriter:
    """Writes the documents of one import; `origin` is stored as the model of its evidence."""

    def __init__(self, db: Db, origin: str, source_path: str, cancel: CancelToken) -> None:
        self._db, self._origin, self._source_path = db, origin, source_path
        self._cancel = cancel
        self._name_ids = evidence.NameIds(db, normalise_name)
        self._count_tokens = load_tiktoken_counter()

    def add(self, document: ReceivedDocument, instant: Sequence[bytes]) -> DocumentId:
        """Write a new document with all its evidence, in a transaction of the caller.

        Args:
            instant: its instant evidence, packed.
        """
        read, spans = document.load_text()
        document_id = documents.add_waiting(
            self._db,
            title=read.title,
            file_name=document.file_name or f"{read.title}.txt",
            source_path=self._source_path,
            content=BytesContent(read.text.encode("utf-8")),
            sha256=document.sha256,
        )
        windows = split_into_windows(read.text, spans, read.language, self._count_tokens)
        documents.store_read(self._db, document_id, read, spans, windows)
        del read, spans, windows
        chunk_ids = self._chunk_ids(document_id)
        mentions: list[Mention] = []
        for one in _unpack(instant):
            self._cancel.check()
            evidence.store_evidence(
                self._db,
                document_id,
                chunk_ids[one.chunk_order],
                one,
                self._name_ids,
                strategy=INSTANT,
            )
            mentions += one.mentions
        self._store_imported(document_id, chunk_ids, document, mentions, {})
        documents.set_state(self._db, document_id, "ready")
        return document_id

    def update(self, document: ReceivedDocument) -> bool:
        """Write the evidence of a document in the library; False if it is unchanged."""
        assert document.known_id is not None
        document_id = document.known_id
        n_stored = evidence.count_extractions(
            self._db, document_id, STRATEGY, self._origin, document.version
        )
        if n_stored == document.n_evidence:
            return False
        mentions = evidence.fetch_instant_mentions(self._db, document_id)
        chunk_ids = self._chunk_ids(document_id)
        if self._origin == CUSTOM:
            known = evidence.fetch_stored_evidence(self._db, document_id)
        else:  # a folder contains its complete evidence
            known = {}
            evidence.delete_extractions(self._db, document_id, STRATEGY, self._origin)
        self._store_imported(document_id, chunk_ids, document, mentions, known)
        return True

    def _chunk_ids(self, document_id: int) -> dict[int, int]:
        return {
            span.order: chunk_id for chunk_id, span in documents.fetch_chunks(self._db, document_id)
        }

    def _store_imported(
        self,
        document_id: int,
        chunk_ids: dict[int, int],
        document: ReceivedDocument,
        instant: list[Mention],
        known: dict[int, ChunkEvidence],
    ) -> None:
        for one in _drop_known_mentions(document.iter_evidence(), instant):
            self._cancel.check()
            order = one.chunk_order
            evidence.store_evidence(
                self._db,
                document_id,
                chunk_ids[order],
                merge_evidence(known[order], one) if order in known else one,
                self._name_ids,
                strategy=STRATEGY,
                model=self._origin,
                prompt_version=document.version,
            )


def _extract_instant(
    document: ReceivedDocument, analysis: TextAnalysis, cancel: CancelToken
) -> list[bytes]:
    """Return the instant evidence of a new document, packed."""
    read, spans = document.load_text()
    packed: list[bytes] = []
    found: list[ChunkEvidence] = []
    for one in analysis.extract(
        read.text,
        spans,
        read.language,
        skip=frozenset(),
        cancel=cancel,
        body=(read.body_start, read.body_end),
        people=split_authors(read.author),
    ):
        cancel.check()
        if len(read.text) <= search.SHORT_DOCUMENT_CHARS:
            one = add_title_as_name(one, spans[one.chunk_order], read.title, read.text)
        found.append(one)
        if len(found) == _PACKED_TOGETHER:
            packed.append(_pack(found))
            found = []
    return [*packed, _pack(found)]


def _pack(found: list[ChunkEvidence]) -> bytes:
    return zlib.compress(pickle.dumps(found), 1)


def _unpack(packed: Iterable[bytes]) -> Iterator[ChunkEvidence]:
    for part in packed:
        yield from pickle.loads(zlib.decompress(part))


def _drop_known_mentions(
    given: Iterable[ChunkEvidence], instant: list[Mention]
) -> Iterator[ChunkEvidence]:
    """Yield the evidence without the mentions that the instant graph has.

    A name with another spelling there keeps one mention of its own, because names without mentions
    are dropped.
    """
    places: dict[str, list[Mention]] = {}
    for mention in instant:
        places.setdefault(normalise_name(mention.name), []).append(mention)
    named = {m.name for m in instant}
    for one in given:
        mentions = []
        for mention in one.mentions:
            is_known = any(
                m.start < mention.end and m.end > mention.start
                for m in places.get(normalise_name(mention.name), ())
            )
            if not is_known or mention.name not in named:
                mentions.append(mention)
                named.add(mention.name)
        yield replace(one, mentions=tuple(mentions))


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
    on_change: Callable[[ChangeNotice], None] = lambda change: None,
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
        Cancelled: the token was set; nothing was written.
    """
    cancel = cancel or CancelToken()
    on_progress(Progress("importing"))
    plan = GraphReader().plan(Path(path), lambda sha256: _find_known(db, sha256), cancel=cancel)
    instant: dict[int, list[bytes]] = {}
    analysis = shared_analysis()
    for number, document in enumerate(plan.documents):
        cancel.check()
        on_progress(Progress("importing", number, len(plan.documents)))
        if not find_names or document.known_id is not None:
            continue
        if document.is_generated and document.n_chars > MAX_SEARCHED_CHARS:
            plan.left_out[_NOT_SEARCHED] += document.n_chars
            continue
        instant[number] = _extract_instant(document, analysis, cancel)
    writer = GraphWriter(db, plan.origin, str(path), cancel)
    new: list[DocumentId] = []
    updated: list[DocumentId] = []
    change = ChangeNotice()
    with db.small_cache(), db.transaction():
        for number, document in enumerate(plan.documents):
            on_progress(Progress("graph", number, len(plan.documents)))
            if documents.find_by_hash(db, document.sha256) != document.known_id:
                raise UserError("The library changed during the import.", "Import it again.")
            if document.known_id is None:
                new.append(writer.add(document, instant.pop(number, ())))
            elif writer.update(document):
                updated.append(DocumentId(document.known_id))
            cancel.check()
        if new or updated:
            on_progress(Progress("graph"))
            release_freed_memory()  # of the pieces that the plan came in
            with without_full_collections():
                change = update_graph(db, cancel=cancel)
            graph.mark_graph_stale(db, False)
            cancel.check()
    if new or updated:
        on_change(change | ChangeNotice(documents=frozenset((*new, *updated))))
    return Imported(
        origin=plan.origin,
        name=plan.name,
        documents=tuple(new),
        updated=tuple(updated),
        unchanged=len(plan.documents) - len(new) - len(updated),
        n_chunks=sum(d.n_spans for d in plan.documents),
        n_entities=plan.n_names,
        n_relations=plan.n_relations,
        n_claims=plan.n_claims,
        unseen_names=tuple(plan.unseen_names),
        n_unseen_relations=plan.n_unseen_relations,
        n_attached=plan.n_attached,
        left_out=dict(plan.left_out),
    )


_NOT_SEARCHED = Message("characters of names and connections, too many to search for further names")


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
