"""Evidence in memory, counted by name and by pair of names, and the texts chosen from it.

A chunk can have an instant extraction and one by a model; `EvidenceIndex` decides which of them
counts for names, relations and closeness. Descriptions are made of the fragments that models
wrote, introductions of sentences of the text.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from ..model import INSTANT, REJECTED, Claim, Judgement, NameCount, Place, StoredExtraction
from ..writing_systems import HAN, KANA
from .resolution import top_type

T = TypeVar("T")
MAX_DESCRIPTION_CHARS = 600
_MIN_OVERLAP = 0.8
_SENTENCE_END = re.compile(r"[.!?。！？…][\"'”’」』）)\]]*$")
_WORD = re.compile(rf"[{KANA}{HAN}]|[^\W_]+")


def list_fragments(descriptions: Iterable[tuple[Place, str]]) -> tuple[str, ...]:
    """Return the distinct texts, longest first, then in reading order."""
    first: dict[str, Place] = {}
    for place, text in descriptions:
        text = " ".join(text.split())
        if text and (text not in first or place < first[text]):
            first[text] = place
    return tuple(sorted(first, key=lambda text: (-len(text), first[text], text)))


def hash_fragments(fragments: Sequence[str]) -> str:
    """Return the hash of these fragments, independent of their order."""
    return hashlib.sha256("\n".join(sorted(fragments)).encode("utf-8", "replace")).hexdigest()


def choose_description(fragments: Sequence[str], summaries: Mapping[str, str]) -> str:
    """Return the summary of exactly these fragments, else the best of them; "" if none."""
    if len(fragments) > 1 and (summary := summaries.get(hash_fragments(fragments))):
        return summary
    return join_best(fragments)


def join_best(fragments: Sequence[str], max_chars: int = MAX_DESCRIPTION_CHARS) -> str:
    """Return as many fragments as fit, in their order, without near-duplicates."""
    kept: list[str] = []
    words_of_kept: list[frozenset[str]] = []
    room = max_chars
    for fragment in fragments:
        if kept and len(fragment) > room:
            continue
        words = frozenset(_WORD.findall(fragment.casefold()))
        if any(
            (len(words & other) >= _MIN_OVERLAP * min(len(words), len(other)))
            for other in words_of_kept
        ):
            continue
        kept.append(fragment[:max_chars])
        words_of_kept.append(words)
        room -= len(fragment) + 1
        if room < 8:
            break
    return "".join(map(_add_separator, kept[:-1])) + kept[-1] if kept else ""


def _add_separator(fragment: str) -> str:
    """Return a fragment with the separator to the next one."""
    chinese = fragment[-1] > "\u2e80"
    if fragment[-1] in ".!?…。！？\"'”’」』)）":
        return fragment if chinese else fragment + " "
    return fragment + ("；" if chinese else "; ")


def choose_introductions(
    candidates: Sequence[T], limit: int, text_of: Callable[[T], str] = str
) -> list[T]:
    """Return the first `limit` items that are complete sentences, without copies.

    If no item is a complete sentence (tables, lists), all items are candidates.
    """
    kept: list[T] = []
    seen: set[str] = set()
    complete = [item for item in candidates if _SENTENCE_END.search(text_of(item).strip())]
    for item in complete or candidates:
        plain = "".join(c for c in text_of(item) if c.isalnum())
        if plain in seen:
            continue
        seen.add(plain)
        kept.append(item)
        if len(kept) == limit:
            break
    return kept


# A chunk mentions a name about three times, and a tagger makes the same error in all of them, so a
# model that judges half of a name's chunks must be able to overrule it.
MENTIONS_PER_JUDGEMENT = 8
UNKNOWN_CONFIDENCE = 0.5  # of a judgement without one
# One wrong judgement must not remove a name with five hundred mentions.
MIN_REJECTION_SHARE = 0.1


def count_votes(types: Mapping[str, int], judgements: Iterable[Judgement]) -> Counter[str]:
    """Return the votes for each type, in hundredths of a mention, so that sums are exact."""
    votes = Counter({kind: 100 * n for kind, n in types.items()})
    for one in judgements:
        if one.type and one.type != REJECTED:
            votes[one.type] += MENTIONS_PER_JUDGEMENT * _confidence_percent(one)
    return votes


def is_rejected(n_mentions: int, judgements: Iterable[Judgement]) -> bool:
    """Return whether models judge, weighted by confidence, that a word is not a name."""
    against = in_favour = 0
    for one in judgements:
        if one.type == REJECTED:
            against += _confidence_percent(one)
        elif one.type:
            in_favour += _confidence_percent(one)
    enough = against * MENTIONS_PER_JUDGEMENT >= MIN_REJECTION_SHARE * 100 * n_mentions
    return against > in_favour and enough


def _confidence_percent(judgement: Judgement) -> int:
    return round(100 * (judgement.confidence or UNKNOWN_CONFIDENCE))


Pair = tuple[int, int]
K = TypeVar("K")
CountedExtractions = tuple[
    tuple[StoredExtraction, ...], tuple[StoredExtraction, ...], tuple[StoredExtraction, ...]
]
_NONE_COUNTED: CountedExtractions = ((), (), ())
Count = Callable[[StoredExtraction, int], None]
_UNITS = 1_000_000  # weights are summed as integers, so that the order has no effect


def pair_of(a: int, b: int) -> Pair:
    return (a, b) if a < b else (b, a)


class EvidenceIndex:
    """Counts evidence; additions and removals take effect at the next `apply_changes`.

    Attributes:
        texts: name id -> name.
        links: pair of name ids -> extraction id -> claims.
        neighbours: name id -> the other ends of its links.
        also_called: pair of names -> how often the text equates them.
        total: sum of the closeness of all names, in millionths.
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
        self._extractions: dict[int, StoredExtraction] = {}
        self._in_chunk: dict[int, dict[int, StoredExtraction]] = defaultdict(dict)
        self._counted: dict[int, CountedExtractions] = {}
        self._changed_chunks: set[int] = set()
        self._affected_names: set[int] = set()
        self._affected_mentions: set[int] = set()
        self._affected_links: set[Pair] = set()

    # --- adding and removing ------------------------------------------------------------------

    def add(self, extraction: StoredExtraction) -> None:
        """Add an extraction; its names must be in `texts`."""
        self.remove([extraction.id])
        self._extractions[extraction.id] = extraction
        self._in_chunk[extraction.chunk_id][extraction.id] = extraction
        self._changed_chunks.add(extraction.chunk_id)

    def remove(self, extraction_ids: Iterable[int]) -> None:
        for extraction_id in extraction_ids:
            if (removed := self._extractions.pop(extraction_id, None)) is not None:
                del self._in_chunk[removed.chunk_id][extraction_id]
                self._changed_chunks.add(removed.chunk_id)

    def apply_changes(self) -> tuple[set[int], set[int], set[Pair]]:
        """Count the changes; return affected names, names with changed mentions, and pairs."""
        counts = (self._count_names, self._count_claims, self._count_closeness)
        changes: list[tuple[Count, tuple[StoredExtraction, ...], tuple[StoredExtraction, ...]]] = []
        for chunk_id in self._changed_chunks:
            old = self._counted.pop(chunk_id, _NONE_COUNTED)
            new = _choose_counted(self._in_chunk[chunk_id].values())
            changes += zip(counts, old, new, strict=True)
            if new[0]:
                self._counted[chunk_id] = new
            else:
                del self._in_chunk[chunk_id]
        # Removals come first: the same id can be added again in another chunk.
        for count, before, after in changes:
            for one in before:
                if one not in after:
                    count(one, -1)
        for count, before, after in changes:
            for one in after:
                if one not in before:
                    count(one, 1)
        affected = self._affected_names, self._affected_mentions, self._affected_links
        self._changed_chunks = set()
        self._affected_names, self._affected_mentions, self._affected_links = set(), set(), set()
        return affected

    # --- counts of one name -------------------------------------------------------------------

    def is_mentioned(self, name_id: int) -> bool:
        return name_id in self._mentions

    def judgements(self, name_id: int) -> list[tuple[StoredExtraction, Judgement]]:
        """Return the judgements of models about a name, with their extractions."""
        return [
            (self._extractions[extraction_id], one)
            for extraction_id, each in self._judgements.get(name_id, {}).items()
            for one in each
        ]

    def types(self, name_id: int) -> Counter[str]:
        """Return type -> number of mentions that the tagger gave this type."""
        types: Counter[str] = Counter()
        for (_, _, kind), n in self._mentions.get(name_id, Counter()).items():
            types[kind] += n
        return types

    def closeness(self, name_id: int) -> int:
        return self._closeness[name_id]

    def is_name_rejected(self, name_id: int) -> bool:
        judged = [one for _, one in self.judgements(name_id)]
        return bool(judged) and is_rejected(self._mentions[name_id].total(), judged)

    def count_name(self, name_id: int) -> NameCount:
        """Return the counts of a name that entity resolution depends on.

        If models overrule the tagger, all mentions get their type. So the counts change only when
        the resulting type changes, not with each judgement.
        """
        types = self.types(name_id)
        languages: Counter[str] = Counter()
        for (_, language, _), n in self._mentions[name_id].items():
            languages[language] += n
        judged = [one for _, one in self.judgements(name_id)]
        judged_type = top_type(count_votes(types, judged)) if judged else ""
        if judged and judged_type != top_type(types):
            types = Counter({judged_type: types.total()})
        return NameCount(
            name_id=name_id,
            name=self.texts[name_id],
            n_mentions=types.total(),
            types=dict(sorted(types.items())),
            language=min(languages, key=lambda code: (-languages[code], code)),
            documents=frozenset(document_id for document_id, _, _ in self._mentions[name_id]),
        )

    # --- counting: each adds (sign 1) or removes (sign -1) one extraction ---------------------

    def _count_names(self, one: StoredExtraction, sign: int) -> None:
        document_id = one.place[0]
        for name_id, kind, n in one.mentions:
            counts = self._mentions.setdefault(name_id, Counter())
            _add_to_count(counts, (document_id, one.language, kind), sign * n)
            if not counts:
                del self._mentions[name_id]
            self._affected_names.add(name_id)
            self._affected_mentions.add(name_id)
        for judgement in one.judgements:
            self._affected_names.add(judgement.name_id)
            of_name = self._judgements.setdefault(judgement.name_id, {})
            if sign > 0:
                of_name.setdefault(one.id, []).append(judgement)
            else:
                of_name.pop(one.id, None)
            if not of_name:
                del self._judgements[judgement.name_id]
        for pair in one.also_called:
            _add_to_count(self.also_called, pair, sign)

    def _count_claims(self, one: StoredExtraction, sign: int) -> None:
        for claim in one.claims:
            if claim.source_id == claim.target_id:
                continue
            a, b = pair = pair_of(claim.source_id, claim.target_id)
            self._affected_links.add(pair)
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

    def _count_closeness(self, one: StoredExtraction, sign: int) -> None:
        for claim in one.claims:
            units = sign * round(claim.weight * _UNITS)
            self.total += units
            for name_id in (claim.source_id, claim.target_id):
                _add_to_count(self._closeness, name_id, units)
                self._affected_names.add(name_id)


def _choose_counted(in_chunk: Iterable[StoredExtraction]) -> CountedExtractions:
    """Return the extractions of a chunk that count for names, relations and closeness.

    Names of the last model are added to the instant ones; its relations replace theirs. Closeness
    is a property of the text, so the instant extraction is preferred.
    """
    ordered = sorted(in_chunk, key=lambda one: one.id)
    instant = tuple(one for one in ordered if one.strategy == INSTANT)
    by_model = tuple(one for one in ordered if one.strategy != INSTANT)[-1:]
    return instant + by_model, by_model or instant, instant or by_model


def _add_to_count(counter: Counter[K], key: K, n: int) -> None:
    """Add to a count and remove the key at zero."""
    counter[key] += n
    if not counter[key]:
        del counter[key]
