"""Full-text search (BM25) and vector search of chunks."""

from __future__ import annotations

from ...messages import Message
from ...store import search as rows
from ...store.library_settings import find_embedding_model
from ...store.tokens import build_match, build_phrase
from ..search_state import N_CANDIDATES, SearchState


def find_by_words(search: SearchState) -> list[tuple[int, float]]:
    """Return (chunk id, BM25 score), best first.

    Chunks that contain the whole question as a phrase (a pasted quotation) come first.
    """
    db, ids, trace = search.db, search.document_ids, search.trace
    found = rows.search_words(db, build_match(search.question), N_CANDIDATES, ids)
    phrase = build_phrase(search.question)
    if phrase and " " in phrase.strip():
        exact = rows.search_words(db, phrase, 5, ids)
        top = found[0][1] if found else 0.0
        quoted = [(chunk_id, top + score + 1.0) for chunk_id, score in exact]
        seen = {chunk_id for chunk_id, _ in quoted}
        found = quoted + [item for item in found if item[0] not in seen]
    trace.found("words", found)
    trace.lap("words")
    return found


def find_by_meaning(search: SearchState) -> dict[int, float]:
    """Return chunk id -> cosine of its best window, best first; sets `search.query_vec`.

    Empty, with a note in the trace, if there is no embedding model or the library was embedded
    with another one.
    """
    trace = search.trace
    model = find_embedding_model(search.db)
    embedder = search.embedder
    if embedder is None or model is None:
        trace.notes.append(Message("no vectors: searched by words and names only"))
        return {}
    if (embedder.name, embedder.dim) != model:
        trace.notes.append(
            Message("the library was embedded with another model: words and names only")
        )
        return {}
    search.query_vec = embedder.embed_query(search.question)
    trace.lap("embedding")
    best: dict[int, float] = {}
    search.windows = rows.search_vectors(
        search.db, search.query_vec, N_CANDIDATES, search.document_ids
    )
    for window_id, chunk_id, cosine in search.windows:
        if chunk_id not in best:
            best[chunk_id] = cosine
            trace.best_window[chunk_id] = window_id
    trace.found("meaning", best.items())
    trace.lap("meaning")
    return best
