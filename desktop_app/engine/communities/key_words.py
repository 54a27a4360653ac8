"""Chooses the keywords of communities from the sentences about their members.

Words of alphabetic languages are counted in the sentences that connect members, and compared with
all text of the same language. Words of Chinese come from the connections themselves, whose words a
tagger has found. Reads the library; writes nothing.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import expm1, log, log2, sqrt

from ..extraction.instant import is_content_word, lemmatise
from ..graph.community_detection import MAX_KEY_WORDS, MIN_COUNT
from ..progress import CancelToken
from ..store import communities as community_rows
from ..store import documents
from ..store.db import Db

# The square root of the likelihood ratio that words of connections must exceed: the same error.
MIN_Z = 3.29
# Words of the prior: so many words of a community are assumed to be as in the language, which keeps
# rare ones of small communities from winning. Of 100 to 2,000, these gave the same first words.
PRIOR_WORDS = 500.0
MAX_SENTENCES = 300  # of a community and a document, evenly: more do not change the order
MAX_CHUNKS = 400  # of a document, evenly: about 500,000 characters
_WORD = re.compile(r"[^\W\d_\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+(?:['’][^\W\d_]+)?")


@dataclass(slots=True)
class _LanguageCounts:
    """Words of all texts of one language, and of sentences of each community in it.

    Attributes:
        totals: word -> occurrences in the texts.
        chunks: word -> chunks that have it, of `n_chunks`.
        own: community -> word -> number of its sentences that have it.
    """

    totals: Counter[str] = field(default_factory=Counter)
    chunks: Counter[str] = field(default_factory=Counter)
    n_chunks: int = 0
    own: defaultdict[int, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))


def find_text_key_words(
    db: Db,
    members: Sequence[frozenset[int]],
    levels: Sequence[int],
    names: Mapping[int, str],
    common: frozenset[str],
    cancel: CancelToken,
) -> list[list[tuple[float, str]]]:
    """Return (score, word) of the key words of each community, best first.

    A word is significant if its log-odds in the sentences of a community, against the texts of
    the language, exceed chance; both have the texts as a Dirichlet prior (Monroe, Colaresi and
    Quinn, 2008, Political Analysis 16). Of these, words that are spread evenly over the text say
    little about any part of it ("certain", "obliged"): the score is multiplied by the residual
    inverse document frequency (Church and Gale, 1995), which is 0 for a word that occurs as by
    chance and high for one that occurs often wherever it occurs.

    Args:
        levels: of each community; those of one level share no member.
        names: of the entities; no word of a member's name is a key word of its community.
        common: words that are never key words, in lower case.
    """
    place_of: list[dict[int, int]] = [{} for _ in range(max(levels, default=-1) + 1)]
    for n, (own, level) in enumerate(zip(members, levels, strict=True)):
        place_of[level].update(dict.fromkeys(own, n))
    languages: dict[str, _LanguageCounts] = {}
    for document_id, language in community_rows.fetch_text_languages(db):
        cancel.check()
        counts = languages.setdefault(language, _LanguageCounts())
        _count_document(db, document_id, counts, place_of, common)
    scored: list[list[tuple[float, str]]] = [[] for _ in members]
    for counts in languages.values():
        n_total = sum(counts.totals.values())
        for n, own_words in counts.own.items():
            scored[n] += _score_words(own_words, counts, n_total)
    candidates = {word for own_scores in scored for _, word in own_scores}
    known = community_rows.find_known_names(db, candidates)
    chosen = []
    for own, own_scores in zip(members, scored, strict=True):
        in_names = {part.casefold() for i in own for part in _WORD.findall(names.get(i, ""))}
        in_names |= {lemmatise(part, candidates) for part in in_names}
        best = sorted((s for s in own_scores if s[1] not in known | in_names), reverse=True)
        chosen.append(best[:MAX_KEY_WORDS])
    return chosen


def _count_document(
    db: Db,
    document_id: int,
    counts: _LanguageCounts,
    place_of: Sequence[Mapping[int, int]],
    common: frozenset[str],
) -> None:
    text = documents.fetch_text(db, document_id) or ""
    spans = [(span.start, span.end) for _, span in documents.fetch_chunks(db, document_id)]
    known = {word.lower() for word in set(_WORD.findall(text))}
    lemmas: dict[str, str] = {}  # of each word as it is written; "" of one that does not count

    def iter_words(start: int, end: int) -> list[str]:
        found = []
        for word in _WORD.findall(text, start, end):
            if (lemma := lemmas.get(word)) is None:
                lemma = lemmatise(word, known) if is_content_word(word) else ""
                lemma = lemmas[word] = "" if lemma in common or "'" in lemma else lemma
            if lemma:
                found.append(lemma)
        return found

    for start, end in _choose_evenly(spans, MAX_CHUNKS):
        words = iter_words(start, end)
        counts.totals.update(words)
        counts.chunks.update(set(words))
        counts.n_chunks += 1
    sentences: defaultdict[int, set[tuple[int, int]]] = defaultdict(set)
    for source, target, start, end in community_rows.iter_claimed_spans(db, document_id):
        for places in place_of:
            place = places.get(source, -1)
            if place >= 0 and place == places.get(target, -2):
                sentences[place].add((start, end))
    words_of: dict[tuple[int, int], set[str]] = {}
    for place, own in sentences.items():
        for span in _choose_evenly(sorted(own), MAX_SENTENCES):
            if span not in words_of:
                words_of[span] = set(iter_words(*span))
            counts.own[place].update(words_of[span])


def _choose_evenly(spans: Sequence[tuple[int, int]], most: int) -> Sequence[tuple[int, int]]:
    """Return at most so many of the spans, from all parts of the text."""
    return spans[:: -(-len(spans) // most)] if len(spans) > most else spans


def _residual_idf(n: int, n_chunks: int, n_all: int) -> float:
    """Return how much rarer the chunks with a word are than if it were spread at random, in bits.

    Args:
        n: occurrences of the word.
        n_chunks: chunks that have it, of `n_all`.
    """
    return log2(n_all / n_chunks) + log2(-expm1(-n / n_all))


def _score_words(
    own: Mapping[str, int], counts: _LanguageCounts, n_total: int
) -> list[tuple[float, str]]:
    """Return (score, word) of the significant words of a community in one language."""
    n_own = sum(own.values())
    scored = []
    for word, here in own.items():
        total = counts.totals.get(word, 0)
        if here < MIN_COUNT or not total:
            continue
        prior = PRIOR_WORDS * total / n_total
        there, n_there = max(0, total - here), max(0, n_total - n_own)
        odds_here = (here + prior) / max(1.0, n_own + PRIOR_WORDS - here - prior)
        odds_there = (there + prior) / max(1.0, n_there + PRIOR_WORDS - there - prior)
        z = log(odds_here / odds_there) / sqrt(1 / (here + prior) + 1 / (there + prior))
        score = z * _residual_idf(total, counts.chunks[word], counts.n_chunks)
        if z >= MIN_Z and score > 0:
            scored.append((score, word))
    return scored
