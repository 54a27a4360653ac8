"""What counts as evidence: of a name, of a pair of names, and the texts chosen from it.

A chunk can have an instant extraction and one by a model; `choose_counted_extractions` says which
of them counts for names, relations and closeness. Descriptions are made of the fragments that
models wrote, introductions of sentences of the text.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from ..model import INSTANT, REJECTED, Judgement, NameCount, Place, StoredExtraction
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


FindSummary = Callable[[str], str | None]
"""Returns the stored summary of the fragments with this hash."""


def choose_description(fragments: Sequence[str], find_summary: FindSummary) -> str:
    """Return the summary of exactly these fragments, else the best of them; "" if none."""
    if not fragments:
        return ""
    if len(fragments) > 1 and (summary := find_summary(hash_fragments(fragments))):
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
MentionCounts = Mapping[tuple[int, str, str], int]
"""(document id, its language, type) -> number of mentions of a name"""


def pair_of(a: int, b: int) -> Pair:
    return (a, b) if a < b else (b, a)


def count_types(mentions: MentionCounts) -> Counter[str]:
    """Return type -> number of mentions that the tagger gave this type."""
    types: Counter[str] = Counter()
    for (_, _, kind), n in mentions.items():
        types[kind] += n
    return types


def count_name(
    name_id: int, text: str, mentions: MentionCounts, judged: Sequence[Judgement]
) -> NameCount:
    """Return the counts of a name that entity resolution depends on.

    If models overrule the tagger, all mentions get their type. So the counts change only when the
    resulting type changes, not with each judgement.
    """
    types = count_types(mentions)
    languages: Counter[str] = Counter()
    documents: Counter[int] = Counter()
    for (document_id, language, _), n in sorted(mentions.items()):
        languages[language] += n
        documents[document_id] += n
    judged_type = top_type(count_votes(types, judged)) if judged else ""
    if judged and judged_type != top_type(types):
        types = Counter({judged_type: types.total()})
    return NameCount(
        name_id=name_id,
        name=text,
        n_mentions=types.total(),
        types=dict(sorted(types.items())),
        language=min(languages, key=lambda code: (-languages[code], code)),
        documents=dict(documents),
    )


class CountedExtractions(NamedTuple):
    """The extractions of a chunk that count for its names, for its relations, for closeness."""

    for_names: tuple[StoredExtraction, ...]
    for_relations: tuple[StoredExtraction, ...]
    for_closeness: tuple[StoredExtraction, ...]


def choose_counted_extractions(in_chunk: Iterable[StoredExtraction]) -> CountedExtractions:
    """Return the extractions of a chunk that count.

    Names of the last model are added to the instant ones; its relations replace theirs. Closeness
    is a property of the text, so the instant extraction is preferred.
    """
    ordered = sorted(in_chunk, key=lambda one: one.id)
    instant = tuple(one for one in ordered if one.strategy == INSTANT)
    by_model = tuple(one for one in ordered if one.strategy != INSTANT)[-1:]
    return CountedExtractions(instant + by_model, by_model or instant, instant or by_model)


# Weights depend on closeness through a logarithm. Rounded down to steps of at most 3 %, one short
# document more changes the weights of few relations, not of every frequent name. The total of all
# names is in the weight of every relation alike, so its step may be coarse (33 to 50 %): a novel
# more in a library of twenty mostly changes the weights of its own names only.
_CLOSENESS_BITS, _TOTAL_BITS = 6, 2


def round_closeness(units: int) -> int:
    """Round the closeness of an entity, in millionths, to the step that weights depend on."""
    return _round_down(units, _CLOSENESS_BITS)


def round_total(units: int) -> int:
    """Round the closeness of all names, in millionths, to the step that weights depend on."""
    return _round_down(units, _TOTAL_BITS)


def _round_down(units: int, bits: int) -> int:
    shift = max(0, units.bit_length() - bits)
    return units >> shift << shift
