"""Where a search may look: the documents asked for, by themselves or by collection."""

from __future__ import annotations

import numpy as np

from ...query import QueryParam
from ...store import collections
from ...store.db import Db
from .index import FindingIndex


def resolve_documents(db: Db, param: QueryParam) -> tuple[int, ...] | None:
    """Return the documents to look in; None for all that are not set aside.

    Documents asked for by themselves count even where they are set aside, those of collections
    only where they are not. Of both, what is in both.
    """
    if param.collection_ids is None:
        return param.document_ids
    inside = collections.fetch_documents_of(db, param.collection_ids)
    if param.document_ids is None:
        return tuple(inside)
    return tuple(i for i in param.document_ids if i in set(inside))


def mark_allowed(db: Db, index: FindingIndex, document_ids: tuple[int, ...] | None) -> np.ndarray:
    """Return which rows of the index may be found, bool, shape (n_chunks,)."""
    if document_ids is None:
        aside = [r[0] for r in db.rows("SELECT id FROM document WHERE set_aside = 1")]
        return ~np.isin(index.documents, aside)
    return np.isin(index.documents, list(document_ids))
