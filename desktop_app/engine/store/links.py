"""Which names stand in which chunks, as arrays for walks, and what all vectors have in common.

Owns the reads that go over a whole library; they hand over few long rows instead of many short
ones, which SQLite and numpy both do faster.
"""

from __future__ import annotations

import numpy as np

from .db import Db
from .vector_sketch import fetch_sample


def fetch_links(db: Db) -> np.ndarray:
    """Return every (chunk id, entity id, mentions), int64, shape (N, 3), by chunk and entity."""
    entity_of = dict(db.rows("SELECT name_id, entity_id FROM entity_name"))
    if not entity_of:
        return np.zeros((0, 3), dtype=np.int64)
    found = db.rows(
        "SELECT chunk_id, count(*), group_concat(name_id) FROM mention GROUP BY chunk_id"
    )
    if not found:
        return np.zeros((0, 3), dtype=np.int64)
    chunk_ids, counts, texts = zip(*found, strict=True)
    names = np.array(",".join(texts).split(","), dtype=np.int64)
    chunks = np.repeat(np.array(chunk_ids, dtype=np.int64), counts)
    known = np.full(int(max(names.max(), *entity_of)) + 1, -1, dtype=np.int64)
    known[np.fromiter(entity_of, np.int64, len(entity_of))] = np.fromiter(
        entity_of.values(), np.int64, len(entity_of)
    )
    entities = known[names]
    chunks, entities = chunks[entities >= 0], entities[entities >= 0]
    width = int(entities.max(initial=0)) + 1
    pairs, mentions = np.unique(chunks * width + entities, return_counts=True)
    return np.column_stack((pairs // width, pairs % width, mentions))


def fetch_known_names(db: Db) -> list[tuple[str, int]]:
    """Return every (name, entity id), some twice, for finding names in a question."""
    named = db.rows(
        "SELECT n.text, en.entity_id FROM entity_name en JOIN name n ON n.id = en.name_id"
    )
    return [*named, *db.rows("SELECT name, id FROM entity")]


def fetch_mean_vector(db: Db, n_sample: int) -> np.ndarray:
    """Return the mean of an even sample of all windows' vectors, float32, shape (D,) or ()."""
    sample = fetch_sample(db, n_sample)
    return sample.mean(axis=0) if len(sample) else np.zeros((), dtype=np.float32)
