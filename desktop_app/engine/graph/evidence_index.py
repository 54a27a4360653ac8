"""The evidence of a whole library in memory, counted by name and by pair of names.

Told which extractions came and went, it knows which names and pairs that concerns. It decides
which extraction of a chunk speaks for what, but not what the graph makes of it: entities, kinds
and weights are none of its business.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from ..model import STRUCK, NameCount
from .evidence import Claim, Extraction, Judgement
from .resolution.rules import top_type

# A chunk names somebody about three times and a tagger errs in all of them alike, so a model that
# judges half of somebody's chunks must be able to overrule it.
MENTIONS_PER_JUDGEMENT = 8
UNKNOWN_CONFIDENCE = 0.5  # of a judgement that comes without one
# One slip must not take away somebody whom the book names five hundred times.
STRIKE_SHARE = 0.1


def count_votes(types: Mapping[str, int], judgements: Iterable[Judgement]) -> Counter[str]:
    """Return the votes for each type, in hundredths of a mention, so that sums are exact."""
    votes = Counter({kind: 100 * n for kind, n in types.items()})
    for one in judgements:
        if one.type and one.type != STRUCK:
            votes[one.type] += MENTIONS_PER_JUDGEMENT * _sureness(one)
    return votes


def is_rejected(n_mentions: int, judgements: Iterable[Judgement]) -> bool:
    """Say whether models hold a word, by confidence, for nobody and nothing rather than a name."""
    against = in_favour = 0
    for one in judgements:
        if one.type == STRUCK:
            against += _sureness(one)
        elif one.type:
            in_favour += _sureness(one)
    enough = against * MENTIONS_PER_JUDGEMENT >= STRIKE_SHARE * 100 * n_mentions
    return against > in_favour and enough


def _sureness(judgement: Judgement) -> int:
    return round(100 * (judgement.confidence or UNKNOWN_CONFIDENCE))


Pair = tuple[int, int]
Speakers = tuple[tuple[Extraction, ...], tuple[Extraction, ...], tuple[Extraction, ...]]
_NOBODY: Speakers = ((), (), ())
_UNITS = 1_000_000  # weights are summed as whole numbers, so that order never shows


def pair_of(a: int, b: int) -> Pair:
    return (a, b) if a < b else (b, a)


class EvidenceIndex:
    """Counts evidence; what is added and removed counts from the next `settle` on.

    Attributes:
        texts: the names by id.
        links: the relations that stand, by pair of names and extraction.
        neighbours: the other ends of a name's links.
        also_called: how often the text equates two names.
        total: the closeness of all names together.
    """

    def __init__(self) -> None:
        self.texts: dict[int, str] = {}
        self.links: dict[Pair, dict[int, list[Claim]]] = {}
        self.neighbours: dict[int, set[int]] = defaultdict(set)
        self.also_called: Counter[tuple[str, str]] = Counter()
        self.total = 0
        self._closeness: Counter[int] = Counter()
        self._mentions: dict[int, Counter[tuple[int, str, str]]] = {}
        self._judgements: dict[int, dict[int, list[Judgement]]] = {}
        self._extractions: dict[int, Extraction] = {}
        self._in_chunk: dict[int, dict[int, Extraction]] = defaultdict(dict)
        self._speakers: dict[int, Speakers] = {}
        self._stale: set[int] = set()
        self._touched_names: set[int] = set()
        self._touched_mentions: set[int] = set()
        self._touched_links: set[Pair] = set()

    # --- what comes and goes -----------------------------------------------------------------

    def add(self, extraction: Extraction) -> None:
        """Take in what one strategy found in one chunk; its names must be in `texts`."""
        self.remove([extraction.id])
        self._extractions[extraction.id] = extraction
        self._in_chunk[extraction.chunk_id][extraction.id] = extraction
        self._stale.add(extraction.chunk_id)

    def remove(self, extraction_ids: Iterable[int]) -> None:
        for extraction_id in extraction_ids:
            if (gone := self._extractions.pop(extraction_id, None)) is not None:
                del self._in_chunk[gone.chunk_id][extraction_id]
                self._stale.add(gone.chunk_id)

    def settle(self) -> tuple[set[int], set[int], set[Pair]]:
        """Count what changed; return the names, the mentioned names and the pairs it touches."""
        counts = (self._count_names, self._count_claims, self._count_closeness)
        changes = []
        for chunk_id in self._stale:
            old = self._speakers.pop(chunk_id, _NOBODY)
            new = _choose_speakers(self._in_chunk[chunk_id].values())
            changes += zip(counts, old, new, strict=True)
            if new[0]:
                self._speakers[chunk_id] = new
            else:
                del self._in_chunk[chunk_id]
        # First all that goes: an id may come again, in another chunk.
        for count, old, new in changes:
            for one in old:
                if one not in new:
                    count(one, -1)
        for count, old, new in changes:
            for one in new:
                if one not in old:
                    count(one, 1)
        touched = self._touched_names, self._touched_mentions, self._touched_links
        self._stale = set()
        self._touched_names, self._touched_mentions, self._touched_links = set(), set(), set()
        return touched

    # --- what is known of a name -----------------------------------------------------------------

    def is_mentioned(self, name_id: int) -> bool:
        return name_id in self._mentions

    def judgements(self, name_id: int) -> list[tuple[Extraction, Judgement]]:
        """Return what models say of a name, and where."""
        return [
            (self._extractions[extraction_id], one)
            for extraction_id, each in self._judgements.get(name_id, {}).items()
            for one in each
        ]

    def types(self, name_id: int) -> Counter[str]:
        """Return how often the tagger gave a name each type."""
        types: Counter[str] = Counter()
        for (_, _, kind), n in self._mentions.get(name_id, Counter()).items():
            types[kind] += n
        return types

    def closeness(self, name_id: int) -> int:
        return self._closeness[name_id]

    def is_struck(self, name_id: int) -> bool:
        judged = [one for _, one in self.judgements(name_id)]
        return bool(judged) and is_rejected(self._mentions[name_id].total(), judged)

    def count_name(self, name_id: int) -> NameCount:
        """Return a mentioned name with what decides which entity it belongs to.

        Where models overrule the tagger, their type stands for all mentions: resolution then
        sees a change only when a verdict turns, not at each chunk.
        """
        types = self.types(name_id)
        languages: Counter[str] = Counter()
        for (_, language, _), n in self._mentions[name_id].items():
            languages[language] += n
        judged = [one for _, one in self.judgements(name_id)]
        verdict = top_type(count_votes(types, judged)) if judged else ""
        if judged and verdict != top_type(types):
            types = Counter({verdict: types.total()})
        return NameCount(
            name_id=name_id,
            name=self.texts[name_id],
            n_mentions=types.total(),
            types=dict(sorted(types.items())),
            language=min(languages, key=lambda code: (-languages[code], code)),
            documents=frozenset(document_id for document_id, _, _ in self._mentions[name_id]),
        )

    # --- counting: each adds (1) or takes off (-1) what one extraction says ---------------------

    def _count_names(self, one: Extraction, sign: int) -> None:
        document_id = one.place[0]
        for name_id, kind, n in one.mentions:
            counts = self._mentions.setdefault(name_id, Counter())
            _bump(counts, (document_id, one.language, kind), sign * n)
            if not counts:
                del self._mentions[name_id]
            self._touched_names.add(name_id)
            self._touched_mentions.add(name_id)
        for judgement in one.judgements:
            self._touched_names.add(judgement.name_id)
            of_name = self._judgements.setdefault(judgement.name_id, {})
            if sign > 0:
                of_name.setdefault(one.id, []).append(judgement)
            else:
                of_name.pop(one.id, None)
            if not of_name:
                del self._judgements[judgement.name_id]
        for pair in one.also_called:
            _bump(self.also_called, pair, sign)

    def _count_claims(self, one: Extraction, sign: int) -> None:
        for claim in one.claims:
            if claim.source_id == claim.target_id:
                continue
            a, b = pair = pair_of(claim.source_id, claim.target_id)
            self._touched_links.add(pair)
            of_pair = self.links.setdefault(pair, {})
            if sign > 0:
                of_pair.setdefault(one.id, []).append(claim)
            else:
                of_pair.pop(one.id, None)
            if of_pair:
                self.neighbours[a].add(b)
                self.neighbours[b].add(a)
            else:
                del self.links[pair]
                self.neighbours[a].discard(b)
                self.neighbours[b].discard(a)

    def _count_closeness(self, one: Extraction, sign: int) -> None:
        for claim in one.claims:
            units = sign * round(claim.weight * _UNITS)
            self.total += units
            for name_id in (claim.source_id, claim.target_id):
                _bump(self._closeness, name_id, units)
                self._touched_names.add(name_id)


def _choose_speakers(there: Iterable[Extraction]) -> Speakers:
    """Return whose names, whose relations and whose closeness count in one chunk.

    The last model's names stand beside the instant ones, its relations in their place.
    Closeness is a matter of the text, so the instant finder says it wherever it has read.
    """
    ordered = sorted(there, key=lambda one: one.id)
    instant = tuple(one for one in ordered if not one.by_model)
    by_model = tuple(one for one in ordered if one.by_model)[-1:]
    return instant + by_model, by_model or instant, instant or by_model


def _bump(counter: Counter, key: object, n: int) -> None:
    """Add to a count and forget it at zero."""
    counter[key] += n
    if not counter[key]:
        del counter[key]
