"""Writes planned documents with their evidence, each in one transaction.

A new document gets instant evidence as well (unless it is not wanted), found before the
transaction begins. Mentions that the instant graph has are not written twice.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from ...extract.instant import InstantExtractor
from ...graph.names import normalise_name
from ...progress import CancelToken
from ...store import documents, evidence, search
from ...store.db import Db
from ...text.chunking import split_windows
from ...text.counting import load_tiktoken_counter
from ...text.sentences import split_sentences
from ...types import ChunkEvidence, DocumentId, Mention
from ..preparing import WINDOW_TOKENS, with_title
from .custom_kg import ORIGIN as CUSTOM
from .planning import PlannedDocument
from .uniting import fetch_said, unite

STRATEGY = "given"
INSTANT = "instant"


class GraphWriter:
    """Writes the documents of one import; `origin` stands as the model of what it says."""

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
                content=read.text.encode("utf-8"),
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
            self._store_given(document_id, chunk_ids, document, mentions, {})
            documents.set_state(self._db, document_id, "ready")
        return document_id

    def update(self, document: PlannedDocument) -> bool:
        """Write what is said of a document that the library has; False if that is there."""
        assert document.known is not None
        document_id = document.known.id
        is_there = self._db.value(
            "SELECT count(*) FROM extraction e JOIN chunk c ON c.id = e.chunk_id"
            " WHERE c.document_id = ? AND e.strategy = ? AND e.model = ?"
            " AND e.prompt_version = ? AND e.state = 'done'",
            (document_id, STRATEGY, self._origin, _version(document)),
        )
        if is_there == len(document.evidence):
            return False
        with self._writing():
            mentions = [
                Mention(*row)
                for row in self._db.rows(
                    "SELECT n.text, m.type, m.start, m.end, m.sentence_start, m.sentence_end"
                    " FROM mention m JOIN name n ON n.id = m.name_id"
                    " JOIN extraction e ON e.id = m.extraction_id"
                    " WHERE m.document_id = ? AND e.strategy = 'instant'",
                    (document_id,),
                )
            ]
            chunk_ids = self._chunk_ids(document_id)
            if self._origin == CUSTOM:
                said = fetch_said(self._db, document_id)
            else:  # a folder holds all that there is to say
                said = {}
                self._db.write(
                    "DELETE FROM extraction WHERE strategy = ? AND model = ? AND chunk_id IN"
                    " (SELECT id FROM chunk WHERE document_id = ?)",
                    (STRATEGY, self._origin, document_id),
                )
            self._store_given(document_id, chunk_ids, document, mentions, said)
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

    def _store_given(
        self,
        document_id: int,
        chunk_ids: dict[int, int],
        document: PlannedDocument,
        instant: list[Mention],
        said: dict[int, ChunkEvidence],
    ) -> None:
        version = _version(document)
        for order, one in _without_known(document.evidence, instant).items():
            evidence.store_evidence(
                self._db,
                document_id,
                chunk_ids[order],
                unite(said[order], one) if order in said else one,
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
        """A transaction after which the graph is to be derived, now or by the next indexing."""
        try:
            with self._db.transaction():
                yield
                self._db.write("INSERT OR REPLACE INTO setting VALUES ('graph_stale', '1')")
        except BaseException:
            self._name_ids.forget()
            raise


def _version(document: PlannedDocument) -> str:
    """Return a mark that changes with anything that is said of a document."""
    said = repr([(order, document.evidence[order]) for order in sorted(document.evidence)])
    return hashlib.sha256(said.encode("utf-8")).hexdigest()[:16]


def _without_known(
    given: dict[int, ChunkEvidence], instant: list[Mention]
) -> dict[int, ChunkEvidence]:
    """Return the evidence without the mentions that the instant graph has.

    A name that is written another way there keeps one mention of its own, for without any it
    would be no name at all.
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
