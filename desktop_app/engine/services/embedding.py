"""Gives every window a vector, batch by batch; each batch is kept at once."""

from __future__ import annotations

from collections.abc import Callable

from ..models.protocols import Embedder
from ..progress import Clock, Progress, ProgressCallback
from ..store import search
from ..store.db import Db

BATCH = 16


def embed_windows(
    db: Db,
    find_embedder: Callable[[], Embedder | None],
    may_go_on: Callable[[], bool],
    on_progress: ProgressCallback,
) -> bool:
    """Embed the windows that have no vector; True when none is left or no model is there.

    Args:
        may_go_on: asked before each batch; False ends the work early, and this returns False.
    """
    if not db.value("SELECT 1 FROM window LIMIT 1"):
        return True
    embedder = find_embedder()
    if embedder is None:
        return True
    if search.embedding_model(db) != (embedder.name, embedder.dim):
        with db.transaction():
            search.ensure_vector_index(db, embedder.name, embedder.dim)
    total = search.count_unembedded(db)
    done, clock = 0, Clock(total)
    after = 0  # each batch is looked for behind the last, not through all that is done
    while True:
        batch = search.fetch_unembedded(db, BATCH, after)
        if not batch:
            if after == 0:
                return True
            after = 0  # ids that a deletion freed may have been given out again
            continue
        if not may_go_on():
            return False
        after = batch[-1][0]
        vectors = embedder.embed_passages([text for _, text in batch])
        with db.transaction():
            search.store_vectors(db, [window_id for window_id, _ in batch], vectors)
        done += len(batch)
        clock.tick(len(batch))
        on_progress(Progress("embedding", done, total, clock.rate, clock.left_s))
