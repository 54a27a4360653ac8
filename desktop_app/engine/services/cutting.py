"""How each document was cut into passages, kept with it, so that it is cut so the next time too.

Owns what is kept for that; cutting itself is `text.chunking`'s.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, fields

from ..store.db import Db
from ..text.chunking import ChunkingSettings


def load_cut(db: Db, document_id: int) -> ChunkingSettings | None:
    """Return how a document was cut, or is to be cut; None if that was never kept."""
    kept = db.value("SELECT value FROM setting WHERE key = ?", (_key(document_id),))
    if kept is None:
        return None
    known = {field.name for field in fields(ChunkingSettings)}
    return ChunkingSettings(**{k: v for k, v in json.loads(kept).items() if k in known})


def keep_cut(db: Db, document_id: int, settings: ChunkingSettings) -> None:
    """Have a document cut so when it is read the next time."""
    db.write(
        "INSERT OR REPLACE INTO setting VALUES (?, ?)",
        (_key(document_id), json.dumps(asdict(settings), ensure_ascii=False)),
    )


def common_cut(
    db: Db, document_ids: Sequence[int], otherwise: ChunkingSettings
) -> ChunkingSettings | None:
    """Return how all of these were cut; None if they differ."""
    found = {load_cut(db, document_id) or otherwise for document_id in document_ids}
    return found.pop() if len(found) == 1 else None


def _key(document_id: int) -> str:
    return f"cut:{document_id}"
