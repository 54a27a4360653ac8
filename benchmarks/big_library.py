"""Makes a large library without reading a file or running a model, to measure finding in it.

Half of the chunks are short titled texts, half are passages of books with a cast of their own;
names and words are spread as in language (Zipf), vectors lie in clusters with a common direction,
as those of e5 do. The texts mean nothing: only the time that finding takes can be measured.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from desktop_app.engine.file_content import BytesContent
from desktop_app.engine.model import (
    ChunkEvidence,
    ChunkSpan,
    ClaimedRelation,
    Mention,
    ReadDocument,
)
from desktop_app.engine.services.library import Library
from desktop_app.engine.store import documents, evidence, graph, search
from desktop_app.engine.store.db import Db
from desktop_app.engine.store.fts_tokens import ENGLISH_STOP_WORDS

from .common import cache_folder

VERSION = 3  # of what is made; raise it to have it made anew
DIM = 384
MODEL = "synthetic"
CHUNKS_A_BOOK = 250
CAST = 40
N_WORDS = 30_000
N_CLUSTERS = 1_000
BATCH = 500  # documents a transaction
_SYLLABLES = [c + v for c in "bcdfghklmnprstvw" for v in ("a", "e", "i", "o", "u", "ar", "en")]


Written = tuple[list[str], list[list[Mention]], list[list[int]]]
"""Of each chunk of a document: its text, its mentions, where its windows start."""


def ensure_big_library(n_chunks: int) -> Path:
    """Return a library of about this many chunks, made on the first call."""
    path = cache_folder() / f"latency-{VERSION}-{n_chunks}.inkgraph"
    if path.exists():
        return path
    fresh = path.with_name(f"making-{path.name}")
    for file in (fresh, *fresh.parent.glob(fresh.name + "-*")):
        file.unlink(missing_ok=True)
    library = Library(fresh)
    try:
        _Maker(library.writer, n_chunks).make()
    finally:
        library.close()
    fresh.rename(path)
    return path


class Vocabulary:
    """Words and names that follow Zipf's law; the commonest words are English stop words."""

    def __init__(self, n_names: int, seed: int = 0) -> None:
        self.random = np.random.default_rng(seed)
        stop = sorted(ENGLISH_STOP_WORDS)
        made = dict.fromkeys(self._word(int(n)) for n in self.random.integers(2, 5, N_WORDS))
        self.words = np.array(stop + list(made), dtype=object)
        first = dict.fromkeys(self._word(2).title() for _ in range(3000))
        last = dict.fromkeys(self._word(3).title() for _ in range(20_000))
        firsts, lasts = np.array(list(first)), np.array(list(last))
        pairs = dict.fromkeys(
            f"{firsts[a]} {lasts[b]}"
            for a, b in zip(
                self.random.integers(0, len(firsts), 2 * n_names),
                self.random.integers(0, len(lasts), 2 * n_names),
                strict=True,
            )
        )
        self.names = list(pairs)[:n_names]
        self._word_cdf = _zipf_cdf(len(self.words))
        self._name_cdf = _zipf_cdf(len(self.names))

    def _word(self, n_syllables: int) -> str:
        return "".join(_SYLLABLES[i] for i in self.random.integers(0, len(_SYLLABLES), n_syllables))

    def draw_words(self, n: int) -> list[str]:
        return list(self.words[np.searchsorted(self._word_cdf, self.random.random(n))])

    def draw_names(self, n: int) -> list[int]:
        """Return indices into `names`, the commonest first in the list being drawn most."""
        return np.searchsorted(self._name_cdf, self.random.random(n)).tolist()


def _zipf_cdf(n: int) -> np.ndarray:
    weights = 1.0 / np.arange(1, n + 1)
    return np.cumsum(weights) / weights.sum()


def build_centres() -> np.ndarray:
    """Return unit rows, (N_CLUSTERS, DIM), with a common direction: mean cosine about 0.75."""
    random = np.random.default_rng(1)
    common = random.standard_normal(DIM)
    rows = 1.7 * common / np.linalg.norm(common) + random.standard_normal((N_CLUSTERS, DIM)) / (
        DIM**0.5
    )
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def draw_vectors(
    centres: np.ndarray, clusters: np.ndarray, random: np.random.Generator
) -> np.ndarray:
    """Return a unit row near the centre of each cluster named, float32, shape (N, DIM)."""
    rows = centres[clusters] + 0.35 * random.standard_normal((len(clusters), DIM)) / DIM**0.5
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


class _Maker:
    """Writes one library through the store's own functions."""

    def __init__(self, db: Db, n_chunks: int) -> None:
        self.db, self.n_chunks = db, n_chunks
        self.words = Vocabulary(max(100, n_chunks // 3))
        self.random = self.words.random
        self.name_ids = evidence.NameIds(db, str.casefold)
        self.n_mentions: dict[str, int] = {}
        self.ties: dict[tuple[str, str], int] = {}

    def make(self) -> None:
        self._write_documents()
        self._write_graph()
        self._write_vectors()

    def _write_documents(self) -> None:
        batch: list[tuple[str, Written]] = []
        for document in self._iter_documents():
            batch.append(document)
            if len(batch) == BATCH:
                self._store(batch)
                batch = []
        self._store(batch)

    def _iter_documents(self) -> Iterator[tuple[str, Written]]:
        n_short = self.n_chunks // 2
        for i in range(n_short):
            cast = self.words.draw_names(4)
            title = self.words.names[i % len(self.words.names)]
            if i >= len(self.words.names):
                title += f" ({self.words.draw_words(1)[0]})"
            yield title, self._write_chunk(5, cast, title.split(" (")[0])
        for number in range((self.n_chunks - n_short) // CHUNKS_A_BOOK):
            cast = self.words.draw_names(CAST)
            yield f"Book {number}", self._write_book(cast)

    def _write_chunk(self, n_sentences: int, cast: list[int], first: str = "") -> Written:
        """Return the text of a chunk in a list, its mentions, and its windows' starts."""
        text = ""
        mentions: list[Mention] = []
        starts: list[int] = []
        for number in range(n_sentences):
            if number % 3 == 0:
                starts.append(len(text))
            begin = len(text)
            words = self.words.draw_words(int(self.random.integers(8, 22)))
            named = [self.words.names[cast[self._member(len(cast))]]] if number % 2 else []
            if first and number == 0:
                named = [first]
            text += " ".join([*named, *words]) + ". "
            mentions += [
                Mention(name, "person", begin, begin + len(name), begin, len(text) - 1)
                for name in named
            ]
        return [text], [mentions], [starts]

    def _write_book(self, cast: list[int]) -> Written:
        texts: list[str] = []
        mentions: list[list[Mention]] = []
        starts: list[list[int]] = []
        for _ in range(CHUNKS_A_BOOK):
            n_sentences = int(self.random.integers(8, 11))
            text, found, begins = self._write_chunk(n_sentences, cast)
            texts += text
            mentions += found
            starts += begins
        return texts, mentions, starts

    def _member(self, n: int) -> int:
        return min(n - 1, int(self.random.exponential(n / 5)))

    def _store(self, batch: list[tuple[str, Written]]) -> None:
        with self.db.transaction():
            for title, written in batch:
                self._store_one(title, *written)

    def _store_one(
        self,
        title: str,
        texts: list[str],
        mentions: list[list[Mention]],
        starts: list[list[int]],
    ) -> None:
        content = title.encode()
        document_id = documents.add_waiting(
            self.db,
            title=title,
            file_name=title,
            source_path="",
            content=BytesContent(content),
            sha256=hashlib.sha256(content).hexdigest(),
        )
        chunks, windows, offset = [], [], 0
        for order, (text, begins) in enumerate(zip(texts, starts, strict=True)):
            chunks.append(ChunkSpan(order, offset, offset + len(text), len(text) // 4))
            ends = [*begins[1:], len(text)]
            windows.append([(offset + a, offset + b) for a, b in zip(begins, ends, strict=True)])
            offset += len(text)
        documents.store_read(
            self.db, document_id, ReadDocument(title, "".join(texts), "txt", "en"), chunks, windows
        )
        for (chunk_id, chunk), found in zip(
            documents.fetch_chunks(self.db, document_id), mentions, strict=True
        ):
            moved = tuple(
                Mention(m.name, m.type, *(v + chunk.start for v in _offsets(m))) for m in found
            )
            ties = tuple(
                ClaimedRelation(a.name, b.name, a.sentence_start, a.sentence_end)
                for a, b in itertools.pairwise(moved)
                if a.name != b.name
            )
            for m in moved:
                self.n_mentions[m.name] = self.n_mentions.get(m.name, 0) + 1
            for t in ties:
                pair = (t.source, t.target)
                self.ties[pair] = self.ties.get(pair, 0) + 1
            evidence.store_evidence(
                self.db,
                document_id,
                chunk_id,
                ChunkEvidence(chunk.order, moved, ties),
                self.name_ids,
                strategy="instant",
            )
        documents.set_state(self.db, document_id, "ready")

    def _write_graph(self) -> None:
        ids = {name: self.name_ids(name) for name in self.n_mentions}
        n_relations: dict[str, int] = {}
        for a, b in self.ties:
            n_relations[a] = n_relations.get(a, 0) + 1
            n_relations[b] = n_relations.get(b, 0) + 1
        with self.db.transaction():
            graph.change_entities(
                self.db,
                {
                    ids[name]: (
                        *(name, name.casefold(), "person"),
                        *(n, n_relations.get(name, 0), 1, 0, 0, ""),
                    )
                    for name, n in self.n_mentions.items()
                },
                gone=(),
                entity_of_name={i: i for i in ids.values()},
            )
            graph.write_relations(
                self.db,
                {
                    (ids[a], ids[b]): (float(n), n, "", "", "", None, 0, 0.0, "", 0, 0.0, 0.0)
                    for (a, b), n in self.ties.items()
                },
                gone=(),
            )

    def _write_vectors(self) -> None:
        centres = build_centres()
        with self.db.transaction():
            search.ensure_vector_index(self.db, MODEL, DIM)
        ids = [r[0] for r in self.db.rows("SELECT id FROM window ORDER BY id")]
        for i in range(0, len(ids), 10_000):
            part = ids[i : i + 10_000]
            clusters = self.random.integers(0, N_CLUSTERS, len(part))
            vectors = draw_vectors(centres, clusters, self.random)
            with self.db.transaction():
                for k in range(0, len(part), 500):
                    search.store_vectors(self.db, part[k : k + 500], vectors[k : k + 500])


def _offsets(m: Mention) -> tuple[int, int, int, int]:
    return m.start, m.end, m.sentence_start, m.sentence_end
