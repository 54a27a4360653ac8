"""Turns a given graph, laid onto its passages, into the evidence that each chunk is kept with.

Pure. A name stands where the passage has it; where it has not, it is put, without underlining
anything, at the sentence that speaks most of it (an empty span). Every description goes to one
of its sources, so that nothing is said twice.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from ...errors import said
from ...types import ChunkEvidence, ClaimedRelation, Mention, NameClaim, TextClaim
from .given import MAX_KEYWORDS, GivenGraph, GivenRelation
from .laying import Span
from .names import GivenName, NameBook
from .passages import Passage

LEAST_WEIGHT, MOST_WEIGHT = 0.25, 4.0  # of one claim; 1 is what a sentence of ours weighs
TYPE_CONFIDENCE = 0.9
Place = tuple[int, int]  # document number, chunk order


@dataclass(slots=True)
class Findings:
    """The evidence of every chunk that has some, and what was counted on the way."""

    evidence: dict[Place, ChunkEvidence] = field(default_factory=dict)
    n_names: int = 0
    n_relations: int = 0
    n_claims: int = 0
    unseen_names: list[str] = field(default_factory=list)
    n_unseen_relations: int = 0


@dataclass(slots=True)
class _Parts:
    mentions: list[Mention] = field(default_factory=list)
    relations: list[ClaimedRelation] = field(default_factory=list)
    also_called: dict[tuple[str, str], None] = field(default_factory=dict)
    names: list[NameClaim] = field(default_factory=list)
    claims: list[TextClaim] = field(default_factory=list)


class EvidenceBuilder:
    """Builds the evidence of one graph; `build` is called once."""

    def __init__(self, graph: GivenGraph, book: NameBook, passages: Sequence[Passage]) -> None:
        self._graph, self._book = graph, book
        self._parts: dict[Place, _Parts] = defaultdict(_Parts)
        self._passage = {(p.document, p.order): p for p in passages}
        self._seen: set[tuple[int, str, int]] = set()
        self._found = Findings()

    def build(self, passages_of: dict[str, list[Passage]]) -> Findings:
        for name in self._book:
            if name.passages:
                self._add_name(name)
        self._add_relations()
        self._add_claims(passages_of)
        for place in sorted(self._parts):
            parts = self._parts[place]
            self._found.evidence[place] = ChunkEvidence(
                place[1],
                tuple(sorted(parts.mentions, key=lambda m: (m.start, m.end, m.name))),
                tuple(parts.relations),
                tuple(parts.also_called),
                tuple(parts.names),
                tuple(parts.claims),
            )
        return self._found

    # --- names ----------------------------------------------------------------------------

    def _add_name(self, name: GivenName) -> None:
        self._found.n_names += 1
        fragments = _share_out(name.descriptions, len(name.passages))
        is_seen = False
        for passage, words in zip(name.passages, fragments, strict=True):
            is_seen |= self._mention(name, name.name, name.find(passage), passage)
            parts = self._parts[passage.document, passage.order]
            confidence = TYPE_CONFIDENCE if name.type else 0.0
            parts.names.append(NameClaim(name.name, name.type, words, confidence))
            for alias in name.aliases:
                places = passage.find(alias)
                if places and alias != name.name:
                    self._mention(name, alias, places, passage)
                    parts.also_called[name.name, alias] = None
        if not is_seen:
            self._found.unseen_names.append(name.name)
            passage = name.passages[0]
            start, end = passage.sentence_like(name.given, name.descriptions)
            self._parts[passage.document, passage.order].mentions.append(
                Mention(name.name, name.type or "other", start, start, start, end)
            )

    def _mention(
        self, name: GivenName, text: str, places: Sequence[Span], passage: Passage
    ) -> bool:
        """Add the places of a name; those that an overlapping chunk has already, once."""
        parts = self._parts[passage.document, passage.order]
        for start, end in places:
            if (passage.document, text, start) in self._seen:
                continue
            self._seen.add((passage.document, text, start))
            sentence = passage.sentence_at(start)
            parts.mentions.append(Mention(text, name.type or "other", start, end, *sentence))
        return bool(places)

    # --- relations --------------------------------------------------------------------------

    def _add_relations(self) -> None:
        placed: list[tuple[GivenRelation, list[Passage]]] = []
        for relation in self._graph.relations:
            if relation.source.casefold() == relation.target.casefold():
                self._graph.left_out[said("relations of a name with itself")] += 1
            elif passages := self._book.passages_for(relation):
                placed.append((relation, passages))
        shares = [relation.weight / len(passages) for relation, passages in placed]
        usual = statistics.median_low(shares) if shares else 1.0
        claims: dict[tuple[Place, frozenset[str]], ClaimedRelation] = {}
        pairs: set[frozenset[str]] = set()
        for (relation, passages), share in zip(placed, shares, strict=True):
            weight = min(MOST_WEIGHT, max(LEAST_WEIGHT, share / usual))
            fragments = _share_out(list(relation.descriptions), len(passages))
            is_seen = False
            for passage, words in zip(passages, fragments, strict=True):
                claim, seen = self._claim(relation, passage, weight, words)
                is_seen |= seen
                pair = frozenset((claim.source, claim.target))
                pairs.add(pair)
                key = ((passage.document, passage.order), pair)
                claims[key] = _united(claims[key], claim) if key in claims else claim
            self._found.n_unseen_relations += not is_seen
        for (place, _), claim in claims.items():
            self._parts[place].relations.append(claim)
        self._found.n_relations = len(pairs)

    def _claim(
        self, relation: GivenRelation, passage: Passage, weight: float, words: str
    ) -> tuple[ClaimedRelation, bool]:
        source, target = self._book.get(relation.source), self._book.get(relation.target)
        assert source is not None and target is not None
        places = source.find(passage), target.find(passage)
        for name, own in zip((source, target), places, strict=True):
            self._mention(name, name.name, own, passage)
        if all(places):
            start, end = self._closest(passage, *places)
        else:
            names = f"{source.given} {target.given}"
            start, end = passage.sentence_like(names, relation.descriptions)
        claim = ClaimedRelation(
            source.name, target.name, start, end, round(weight, 4), words, relation.keywords
        )
        return claim, all(places)

    def _closest(self, passage: Passage, left: Sequence[Span], right: Sequence[Span]) -> Span:
        """Return the sentence with both names, or from the one's to the other's if they touch."""
        a, b = min(
            ((a, b) for a in left for b in right), key=lambda pair: abs(pair[0][0] - pair[1][0])
        )
        first, second = sorted((passage.sentence_at(a[0]), passage.sentence_at(b[0])))
        together = {passage.sentence_at(p[0]) for p in left}
        together &= {passage.sentence_at(p[0]) for p in right}
        if together:
            return min(together)
        at = passage.sentences.index(first)
        touching = passage.sentences[at + 1 : at + 2] == [second]
        return (first[0], second[1]) if touching else second

    # --- claims ------------------------------------------------------------------------------

    def _add_claims(self, passages_of: dict[str, list[Passage]]) -> None:
        for claim in self._graph.claims:
            own = passages_of.get(claim.chunk) or list(self._passage.values())
            found = next(((p, at) for p in own if (at := p.find_quote(claim.quote))), None)
            if found is None:
                self._graph.left_out[said("claims whose quote is not in the text")] += 1
                continue
            passage, (start, end) = found
            self._parts[passage.document, passage.order].claims.append(
                TextClaim(
                    subject=self._written(claim.subject, passage),
                    type=claim.type,
                    status=claim.status,
                    description=claim.description,
                    start=start,
                    end=end,
                    object=self._written(claim.object, passage),
                    start_date=claim.start_date,
                    end_date=claim.end_date,
                )
            )
            self._found.n_claims += 1

    def _written(self, given: str, passage: Passage) -> str:
        """Return how a claim's name is written among the names, or else in its passage."""
        if (known := self._book.get(given)) is not None:
            return known.name
        for start, end in passage.find(given):
            return " ".join(passage.text[start - passage.start : end - passage.start].split())
        return given


def _share_out(fragments: list[str], n_places: int) -> list[str]:
    """Return what each of the places is to say: one fragment each, the last all that is left."""
    shared = [*fragments[: n_places - 1], " ".join(fragments[n_places - 1 :])]
    return shared + [""] * (n_places - len(shared))


def _united(one: ClaimedRelation, other: ClaimedRelation) -> ClaimedRelation:
    """Return two claims of one pair in one passage as one."""
    words = dict.fromkeys(d for d in (one.description, other.description) if d)
    return ClaimedRelation(
        one.source,
        one.target,
        one.start,
        one.end,
        min(MOST_WEIGHT, one.weight + other.weight),
        " ".join(words),
        tuple(dict.fromkeys((*one.keywords, *other.keywords)))[:MAX_KEYWORDS],
    )
