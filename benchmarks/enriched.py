"""A library indexed and enriched as the program does it, and what then stands in its evidence.

Owns the choice of a model by name and the reading of evidence by document: a chunk's relations
are its model's if it has finished, else the instant ones. Scores nothing.
"""

from __future__ import annotations

import shutil
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop_app.engine.extraction.llm.tasks import EnrichSettings
from desktop_app.engine.llm.registry import ModelRegistry, ModelRow
from desktop_app.engine.progress import CancelToken, Progress, ignore_progress
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.enrichment.settings import save_settings
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.store.db import Db

from .extraction_names import TypedSpan, settle_type
from .extraction_scores import ClaimedPair

# Extractions whose relations stand: a model's, or the instant one where no model has finished.
STANDING = (
    "e.state = 'done' AND (e.strategy <> 'instant' OR NOT EXISTS (SELECT 1 FROM extraction m"
    " WHERE m.chunk_id = e.chunk_id AND m.strategy <> 'instant' AND m.state = 'done'))"
)
DONE = "e.state = 'done'"


@dataclass(frozen=True, slots=True)
class EnrichCost:
    """What an enrichment took; tokens are those of its extractions."""

    seconds: float
    n_chars: int
    n_chunks: int
    n_failed: int
    n_tokens: int

    @property
    def chars_per_s(self) -> float:
        return self.n_chars / self.seconds if self.seconds else 0.0


def find_model(registry: ModelRegistry, wanted: str) -> ModelRow:
    """Return the installed chat model whose name holds `wanted`, or end with a sentence."""
    rows = [
        row for row in registry.list_models() if row.role == "chat" and row.installed and row.path
    ]
    for row in rows:
        if wanted.lower() in row.name.lower():
            return row
    names = ", ".join(row.name for row in rows) or "none"
    sys.exit(f"There is no installed chat model “{wanted}” (installed: {names}).")


@contextmanager
def open_chat(row: ModelRow) -> Iterator[Any]:
    from desktop_app.engine.llm.host_protocol import HostSpec
    from desktop_app.engine.llm.hosted_models import HostedChat

    assert row.path is not None
    chat = HostedChat(HostSpec("chat", row.path, row.name))
    try:
        yield chat
    finally:
        chat.close()


def index_texts(library: Library, texts: Mapping[str, str], folder: Path) -> dict[str, int]:
    """Import texts as files and build the instant graph; return document ids by name."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {}
    for number, (name, text) in enumerate(texts.items()):
        safe = "".join("_" if c in '/\\:*?"<>|' else c for c in name)
        file = folder / f"{number:04}" / f"{safe}.txt"
        file.parent.mkdir()
        file.write_text(text, encoding="utf-8")
        files[name] = file
    ids = {}
    for name, file in files.items():
        added = add_files(library.writer, [file])
        if added.documents:
            ids[name] = int(added.documents[0])
    IndexingService(library.writer, lambda: None).run(embed=False)
    return ids


def copy_library(library: Library, name: str) -> Library:
    """Return a copy, so that each strategy starts from the same instant graph."""
    copy = library.path.with_name(f"{name}.inkgraph")
    for suffix in ("", "-wal"):  # nobody writes now, so both files belong together
        source = Path(f"{library.path}{suffix}")
        if source.exists():
            shutil.copy(source, f"{copy}{suffix}")
    return Library(copy)


def enrich(
    library: Library,
    chat: Any,
    settings: EnrichSettings,
    *,
    on_progress: Callable[[Progress], None] = ignore_progress,
    cancel: CancelToken | None = None,
) -> EnrichCost:
    """Enrich the whole library and return what it took."""
    from desktop_app.engine.services.enrichment.service import EnrichmentService as Enriching

    db = library.writer
    save_settings(db, settings)
    started = time.perf_counter()
    enriching = Enriching(db, lambda: chat)
    enriching.enqueue()
    enriching.run(cancel=cancel, on_progress=on_progress)
    seconds = time.perf_counter() - started
    return fetch_cost(db, seconds)


def fetch_cost(db: Db, seconds: float) -> EnrichCost:
    [(n_chunks, n_chars, n_tokens)] = db.rows(
        "SELECT count(DISTINCT c.id), coalesce(sum(c.end - c.start), 0),"
        " coalesce(sum(e.n_tokens), 0) FROM extraction e JOIN chunk c ON c.id = e.chunk_id"
        " WHERE e.strategy <> 'instant' AND e.state = 'done'"
    )
    n_failed = db.value("SELECT count(*) FROM extraction WHERE state = 'failed'")
    return EnrichCost(seconds, n_chars, n_chunks, n_failed, n_tokens)


def fetch_pairs(db: Db, document_id: int) -> list[ClaimedPair]:
    """Return the relations that stand in a document; a model's confidence ranks before weight."""
    folded: dict[frozenset[str], list[tuple[float, float, bool]]] = defaultdict(list)
    for source, target, weight, confidence, kind, description in db.rows(
        "SELECT a.text, b.text, q.weight, q.confidence, q.kind, q.description"
        " FROM claimed_relation q JOIN extraction e ON e.id = q.extraction_id"
        " JOIN name a ON a.id = q.source_id JOIN name b ON b.id = q.target_id"
        f" WHERE q.document_id = ? AND {STANDING} ORDER BY q.id",
        (document_id,),
    ):
        if source != target:
            stated = bool(kind or description)
            folded[frozenset((source, target))].append((confidence, weight, stated))
    struck = {name for name, (_, gone) in fetch_types(db, document_id).items() if gone}
    pairs = []
    for names, claims in folded.items():
        source, target = sorted(names)
        if names & struck:
            continue
        rank = (max(c[0] for c in claims), round(sum(c[1] for c in claims), 6))
        pairs.append(ClaimedPair(source, target, rank, any(c[2] for c in claims)))
    return pairs


def fetch_types(db: Db, document_id: int) -> dict[str, tuple[str, bool]]:
    """Return each name's type in a document, and whether the models struck it out there."""
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    for name, type_, n in db.rows(
        "SELECT n.text, m.type, count(*) FROM mention m JOIN extraction e ON e.id ="
        f" m.extraction_id JOIN name n ON n.id = m.name_id WHERE m.document_id = ? AND {DONE}"
        " GROUP BY 1, 2",
        (document_id,),
    ):
        seen[name][type_] += n
    said: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for name, type_, confidence in db.rows(
        "SELECT n.text, q.type, q.confidence FROM name_claim q JOIN extraction e ON e.id ="
        f" q.extraction_id JOIN name n ON n.id = q.name_id WHERE q.document_id = ? AND {DONE}",
        (document_id,),
    ):
        said[name].append((type_, confidence))
    return {name: settle_type(counts, said.get(name, ())) for name, counts in seen.items()}


def fetch_names(db: Db, document_id: int) -> list[TypedSpan]:
    """Return the places of names in a document with their settled types, struck ones left out."""
    types = fetch_types(db, document_id)
    rows = db.rows(
        "SELECT DISTINCT m.start, m.end, n.text FROM mention m JOIN extraction e ON e.id ="
        f" m.extraction_id JOIN name n ON n.id = m.name_id WHERE m.document_id = ? AND {DONE}",
        (document_id,),
    )
    return sorted((a, b, types[name][0]) for a, b, name in rows if not types[name][1])
