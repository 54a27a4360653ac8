"""Ranks the documents in Chinese and the others apart, and joins both rankings.

In one list the language of the question fills the first places: an embedding model rates any text
in it higher, and its words are only there. So each part of a library is searched as if it were a
library of its own. Which part leads is decided by how near its best window is to the question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..messages import Message
from ..store import search as search_rows
from ..writing_systems import has_han
from .search_state import Leading, SearchState

Ranking = list[tuple[int, float]]

# Word of an embedding model's name -> how much nearer than the best window in the other language
# the best one in the question's language is: from where on its passages lead, below which the
# others do, and from where on the question is about its documents for certain. The model rates
# texts in the language of a question higher by about 0.06. Chosen on the even questions of
# `benchmarks.two_languages`, reported on the odd ones: decision 182.
LEADS = {"multilingual-e5": (0.08, 0.055, 0.1)}
# Passages of the leading language before the two take turns. Four of the first five in another
# language suffice to be asked in it. No question in the other language was taken for its own.
N_ALONE = {Leading.OWN: 12, Leading.OTHER: 4, Leading.BOTH: 2}
_NOTES = {
    Leading.OWN: Message("first the documents in the language of the question"),
    Leading.OTHER: Message("first the documents in another language"),
    Leading.BOTH: Message("documents in both languages in turn"),
}


def split_by_language(search: SearchState) -> list[SearchState]:
    """Return the search in the documents in the question's language, and that in the others.

    Only Chinese and all other writing are told apart. One part where the scope has only one of
    them, or where nothing can be compared by vectors.
    """
    chinese = np.isin(search.index.documents, search_rows.fetch_chinese_documents(search.db))
    if chinese.all() or not chinese.any():
        return [search]
    model, embedder = search_rows.find_embedding_model(search.db), search.embedder
    if embedder is None or model != (embedder.name, embedder.dim):
        return [search]
    n_windows, n_vectors = search_rows.count_searched_windows(search.db, search.document_ids)
    if 2 * n_vectors < n_windows:
        return [search]  # what has vectors would lead, whatever the rest says
    own = chinese if has_han(search.question) else ~chinese
    parts = []
    for rows in (own, ~own):
        allowed = search.allowed & rows
        if allowed.any():
            parts.append(
                replace(
                    search,
                    allowed=allowed,
                    document_ids=tuple(np.unique(search.index.documents[allowed]).tolist()),
                    meant=[],  # each part adds its own
                    compared_ids=tuple(np.unique(search.index.documents[rows]).tolist()),
                )
            )
    return parts or [search]


def choose_leading(own: SearchState, other: SearchState) -> Leading:
    """Return which of both searches found what the question is about.

    Where the vectors leave it open, names that only texts in another language have decide. Names
    that only those in the question's language have do so if the embedding model was not measured: a
    fifth of the questions about other texts have one, of somebody else (decision 182).
    """
    if not own.cosines or not other.cosines:
        return Leading.OWN  # a part without vectors cannot be compared
    leads = _find_leads(own)
    if leads is not None:
        lead = _measure_lead(own, other)
        if lead >= leads[0]:
            return Leading.OWN
        if lead < leads[1]:
            return Leading.OTHER
    in_own, in_other = _has_names(own), _has_names(other)
    if in_other and not in_own:
        return Leading.OTHER
    return Leading.OWN if leads is None and in_own and not in_other else Leading.BOTH


def has_near_in_other_language(search: SearchState) -> bool:
    """Return whether a text in another language may be what the question is about.

    False where the embedding model was not measured: it rates any text in both languages.
    """
    return (
        bool(search.parts)
        and search.leading is not Leading.OWN
        and _find_leads(search.parts[0]) is not None
    )


def is_certainly_about_own(search: SearchState) -> bool:
    """Return whether texts in the question's language lead by so much that it is about them."""
    if not search.parts:
        return False
    leads = _find_leads(search.parts[0])
    return leads is not None and _measure_lead(*search.parts) >= leads[2]


def _find_leads(search: SearchState) -> tuple[float, float, float] | None:
    name = search.embedder.name if search.embedder is not None else ""
    return next((value for word, value in LEADS.items() if word in name), None)


def _measure_lead(own: SearchState, other: SearchState) -> float:
    return max(own.cosines.values(), default=0.0) - max(other.cosines.values(), default=0.0)


def _has_names(search: SearchState) -> bool:
    """Return whether a text in scope has a name of the question.

    A word in lower case may be a name elsewhere ("state"): it does not count.
    """
    places = search.index.chunks_of_entity
    return any(
        search.allowed[places[value]].any()
        for start, end, found in search.linked
        if not search.question[start:end].islower()
        for value in found
        if value in places
    )


def join_rankings(
    search: SearchState, parts: Sequence[SearchState], rankings: Sequence[Ranking]
) -> Ranking:
    """Return both rankings as one, and take over what the searches of the parts found."""
    own, other = parts
    leading = choose_leading(own, other)
    first, second = (
        list(r) for r in (rankings if leading is not Leading.OTHER else rankings[::-1])
    )
    joined, first = first[: N_ALONE[leading]], first[N_ALONE[leading] :]
    for place in range(max(len(first), len(second))):
        # Scores of the two cannot be compared: a passage gets that of the one before it.
        last = joined[-1][1] if joined else 1.0
        joined += [(chunk_id, last) for chunk_id, _ in second[place : place + 1]]
        joined += first[place : place + 1]
    search.parts, search.leading = (own, other), leading
    _take_over(search)
    search.trace.stage("languages", (), note=_NOTES[leading])
    return joined


def _take_over(search: SearchState) -> None:
    """Give a search what those in its parts found; in doubt, what the question's own found."""
    own, other = search.parts
    linked = {(start, end): list(ids) for start, end, ids in own.linked}
    for start, end, ids in other.linked:
        if (start, end) in linked:
            linked[start, end] = list(dict.fromkeys([*linked[start, end], *ids]))
        elif all(end <= first or last <= start for first, last in linked):
            linked[start, end] = list(ids)
    search.linked = [(*span, linked[span]) for span in sorted(linked)]
    search.meant = list(dict.fromkeys([*own.meant, *other.meant]))
    search.rest, search.query_vec, search.rest_vec = own.rest, own.query_vec, own.rest_vec
    search.words = sorted([*own.words, *other.words], key=lambda hit: (-hit[1], hit[0]))
    cosines = own.cosines | other.cosines
    search.cosines = dict(sorted(cosines.items(), key=lambda hit: (-hit[1], hit[0])))
    search.windows = sorted([*own.windows, *other.windows], key=lambda hit: (-hit[2], hit[0]))
