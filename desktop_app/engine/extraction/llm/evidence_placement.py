"""Placement of a model's records in the text: names get offsets, relations get sentences.

Records that do not occur in the text are rejected. Instant relations that the model did not list
are kept, so that enrichment does not lose recall, except if the model listed both names, finished
its list, and the two names never share a sentence.
"""

from __future__ import annotations

import logging
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from ...model import (
    FORWARD,
    UNDIRECTED,
    ChunkEvidence,
    ClaimedRelation,
    Mention,
    NameClaim,
    TextClaim,
)
from ...word_lists import WordLists
from ...writing_systems import HAN_BASIC, is_wide
from ..instant import find_sentence, score_introduction
from ..spans import Span, SplitSentences
from .parsing import Records, RelationRecord
from .tasks import ChunkTask, EnrichSettings

log = logging.getLogger(__name__)

_NEIGHBOUR_SHARE = 0.3  # weight of two sentences against one, as in instant relations
_WORD = re.compile(rf"[^\W\d_]{{3,}}|[{HAN_BASIC}]")
_EQUIVALENT_CHARACTERS = str.maketrans(
    {
        "’": "'", "‘": "'", "‛": "'", "`": "'", "´": "'", "“": '"', "”": '"', "„": '"', "«": '"',
        "»": '"', "「": '"', "」": '"', "『": '"', "』": '"', "《": '"', "》": '"',
        "〈": '"', "〉": '"',
        "•": "·", "・": "·", "‧": "·", "∙": "·", "–": "-", "—": "-", "‐": "-", "‑": "-",
    }
)  # fmt: skip
_MIN_SIMILARITY = 85.0  # per cent of a quotation that must match the text
_DROPPED = frozenset("\u200b\u200c\u200d\ufeff\u00ad*_")
_ARTICLE = re.compile(r"^(?:the|a|an|le|la|les|der|die|das|el|los) (?=\S)")
_TITLE = re.compile(
    r"^(?:mr|mrs|ms|miss|dr|sir|lady|lord|madam|mme|mlle|monsieur|prof|professor|captain|capt|"
    r"st|saint|uncle|aunt|old|young|poor|little|dear)\.? (?=\S)"
)
_ZH_TITLE = re.compile(
    r"(?<=..)(?:先生|小姐|夫人|太太|女士|大人|将军|將軍|将士|大官人|官人|员外|員外|太尉|教头|教頭|提辖|提轄|"
    r"都头|都頭|头领|頭領|师父|師父|兄弟|哥哥)$"
)
_POSSESSIVE = re.compile(r"'s?$")
_ASIDE = re.compile(r"\s*[(\[].*?[)\]]\s*")
_SENTENCE = re.compile(
    r"\S.*?(?:[。！？]+[”’」』）]*|[.!?…]+[\"”’')\]]*(?=\s|$)|(?=\n\s*\n)|$)", re.DOTALL
)
_PRONOUNS = WordLists("pronouns").words("pronouns")


def is_pronoun(name: str) -> bool:
    """Return whether a name does not denote an entity by itself: "he", "that man"."""
    return name.strip().casefold() in _PRONOUNS


def is_latin_char(char: str) -> bool:
    return char.isalnum() and not is_wide(char)


class ChunkText:
    """The normalized text of a chunk, with a map to the original offsets."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._exact, self._places = _normalize(text)
        self._lowered = self._exact.casefold()
        if len(self._lowered) != len(self._exact):  # characters like "ß" become two
            self._lowered = "".join(_lower_char(char) for char in self._exact)

    def find(self, name: str) -> list[Span]:
        """Return all occurrences of the name, in the spelling of the text closest to it."""
        normal = _normalize(name)[0].strip(" \"'")
        if not normal or is_pronoun(normal):
            return []
        if spans := self._find_all(self._exact, normal):
            return spans
        for variant in _name_variants("".join(_lower_char(char) for char in normal)):
            if spans := self._find_all(self._lowered, variant):
                return spans
        return []

    def find_quote(self, quote: str) -> Span | None:
        """Return the span of a quotation, which may differ slightly; None if it is not there."""
        normal = "".join(_lower_char(char) for char in _normalize(quote)[0]).strip(" \"'.,;。，")
        if len(normal) < 4:
            return None
        at, end = self._lowered.find(normal), 0
        if at < 0:
            from rapidfuzz.fuzz import partial_ratio_alignment

            near = partial_ratio_alignment(normal, self._lowered, score_cutoff=_MIN_SIMILARITY)
            if near is None or near.dest_end - near.dest_start < len(normal) // 2:
                return None
            at, end = near.dest_start, near.dest_end
        end = end or at + len(normal)
        return self._places[at], self._places[end - 1] + 1

    def surface(self, span: Span) -> str:
        """Return the text of the span, without line breaks."""
        return " ".join(self.text[span[0] : span[1]].split())

    def _find_all(self, text: str, name: str) -> list[Span]:
        spans: list[Span] = []
        at = text.find(name)
        while at >= 0:
            end = at + len(name)
            starts_word = at == 0 or not (is_latin_char(text[at - 1]) and is_latin_char(name[0]))
            ends_word = end == len(text) or not (
                is_latin_char(text[end]) and is_latin_char(name[-1])
            )
            if starts_word and ends_word:
                spans.append((self._places[at], self._places[end - 1] + 1))
                at = text.find(name, end)
            else:
                at = text.find(name, at + 1)
        return spans


def _normalize(text: str) -> tuple[str, list[int]]:
    """Return the text with one character width, one kind of quotes and single spaces, and the
    original offset of each character.
    """
    chars: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        if char in _DROPPED:
            continue
        if char.isspace():
            if chars and chars[-1] != " ":
                chars.append(" ")
                places.append(place)
            continue
        if chars and chars[-1] == " " and len(chars) > 1 and _is_wide(char) and _is_wide(chars[-2]):
            chars.pop()
            places.pop()
        for one in unicodedata.normalize("NFKC", char).translate(_EQUIVALENT_CHARACTERS):
            chars.append(one)
            places.append(place)
    return "".join(chars), places


def _is_wide(char: str) -> bool:
    return is_wide(char) or "\uff00" <= char <= "\uffef"


def _lower_char(char: str) -> str:
    lowered = char.casefold()
    return lowered if len(lowered) == 1 else char


def _name_variants(name: str) -> list[str]:
    """Return variants in which the text may write the name, the longest first."""
    variants = [name]
    for pattern in (_ASIDE, _POSSESSIVE, _ARTICLE, _TITLE, _ZH_TITLE):
        shorter = pattern.sub("", variants[-1]).strip()
        if len(shorter) > 1 and shorter != variants[-1] and not is_pronoun(shorter):
            variants.append(shorter)
    return variants


def find_sentences(task: ChunkTask, split: SplitSentences | None) -> list[Span]:
    """Return the sentences of a chunk in document offsets.

    Without `split` these are the sentences of the mentions and, between them, simple ones.
    """
    if split is not None:
        return [(task.start + a, task.start + b) for a, b in split(task.text, task.language)]
    end = task.start + len(task.text)
    known = {(m.sentence_start, m.sentence_end) for m in task.mentions}
    known = {(max(a, task.start), min(b, end)) for a, b in known if a < end and b > task.start}
    sentences: list[Span] = []
    at = task.start
    for start, stop in [*sorted(known), (end, end)]:
        if start < at:
            continue
        gap = task.text[at - task.start : start - task.start]
        for match in _SENTENCE.finditer(gap):
            sentences.append((at + match.start(), at + len(gap[: match.end()].rstrip())))
        if stop > start:
            sentences.append((start, stop))
        at = max(at, stop)
    return sentences or [(task.start, end)]


@dataclass(slots=True)
class _Placed:
    """A name with its occurrences; `new_spans` are those that the instant graph lacks."""

    name: str
    spans: list[Span] = field(default_factory=list)
    new_spans: list[Span] = field(default_factory=list)
    type: str = ""
    description: str = ""
    listed: bool = False


class EvidencePlacer:
    """Places the records of one chunk in its text.

    Args:
        split: text and language -> sentence spans; see `find_sentences`.
    """

    def __init__(self, task: ChunkTask, split: SplitSentences | None = None) -> None:
        self._task = task
        self.text = ChunkText(task.text)
        self.sentences = find_sentences(task, split)
        self._placed: dict[str, _Placed] = {}
        for mention in task.mentions:
            placed = self._placed.setdefault(mention.name, _Placed(mention.name))
            placed.spans.append((mention.start, mention.end))
        self._known: dict[str, str] = {}  # name as a model wrote it -> name in the text

    def find_name(self, written: str) -> str:
        """Return the name of the text that matches a written name, "" if there is none."""
        if written not in self._known:
            self._known[written] = self._locate(written)
        return self._known[written]

    def build(
        self,
        records: Records,
        settings: EnrichSettings,
        *,
        confidence: float = 0.7,
        complete: bool = True,
        claims: tuple[TextClaim, ...] = (),
    ) -> ChunkEvidence:
        """Return the evidence of the records that occur in the text.

        Args:
            confidence: confidence of the model in its list, 0 to 1.
            complete: the model finished its list.
        """
        entities = records.entities[: settings.max_entities]
        listed_relations = records.relations[: settings.max_relations]
        refused = records.refused
        # Longer names first: "Scrooge" inside "Ebenezer Scrooge" is not a separate mention.
        written = [e.name for e in entities]
        written += [name for record in listed_relations for name in (record.source, record.target)]
        for name in sorted(dict.fromkeys(written), key=len, reverse=True):
            if not self.find_name(name):
                refused["a pronoun" if is_pronoun(name) else "not in the text"] += 1
        for entity in entities:
            if name := self.find_name(entity.name):
                placed = self._placed[name]
                placed.listed = True
                placed.type = entity.type if placed.type in ("", "other") else placed.type
                placed.description = max(placed.description, entity.description, key=len)
        relations = self._place_relations(listed_relations, settings, refused)
        relations += self._carry_over(relations, complete=complete)
        if refused:
            log.debug("chunk %s: refused %s", self._task.key, dict(refused))
        listed = [p for p in self._placed.values() if p.listed]
        return ChunkEvidence(
            chunk_order=self._task.chunk_order,
            mentions=self._new_mentions(),
            relations=tuple(relations),
            names=tuple(NameClaim(p.name, p.type, p.description, confidence) for p in listed),
            claims=claims,
        )

    # --- names ---------------------------------------------------------------------------------

    def _locate(self, written: str) -> str:
        start = self._task.start
        spans = [(a + start, b + start) for a, b in self.text.find(written)]
        if not spans:
            return ""
        taken = [(span, p.name) for p in self._placed.values() for span in p.spans]
        same = next((name for span, name in taken if span in spans), "")
        free = [
            (a, b)
            for a, b in spans
            if not any(first <= a and b <= last for (first, last), _ in taken)
        ]
        name = self.text.surface((spans[0][0] - start, spans[0][1] - start))
        if name in self._placed or same:
            name = name if name in self._placed else same
        elif not free:  # only inside longer names: it is a short form of the first of them
            a, b = spans[0]
            return next(n for (first, last), n in taken if first <= a and b <= last)
        placed = self._placed.setdefault(name, _Placed(name))
        placed.spans += free
        placed.new_spans += free
        return name

    def _new_mentions(self) -> tuple[Mention, ...]:
        mentions = []
        text, offset = self._task.text, self._task.start
        for placed in self._placed.values():
            for number, (start, end) in enumerate(sorted(placed.new_spans)):
                sentence = self.sentences[find_sentence(self.sentences, start)]
                sentence = (min(sentence[0], start), max(sentence[1], end))
                weight = score_introduction(
                    text,
                    start - offset,
                    end - offset,
                    (sentence[0] - offset, sentence[1] - offset),
                    self._task.language,
                    first=number == 0,
                )
                kind = placed.type or "other"
                mentions.append(Mention(placed.name, kind, start, end, *sentence, weight))
        return tuple(sorted(mentions, key=lambda m: (m.start, m.end)))

    # --- relations ------------------------------------------------------------------------------

    def _place_relations(
        self,
        listed_relations: Sequence[RelationRecord],
        settings: EnrichSettings,
        refused: dict[str, int],
    ) -> list[ClaimedRelation]:
        instant = {frozenset((r.source, r.target)): r for r in self._task.relations}
        placed: dict[frozenset[str], ClaimedRelation] = {}
        for record in listed_relations:
            source, target = self.find_name(record.source), self.find_name(record.target)
            pair = frozenset((source, target))
            if not source or not target or len(pair) < 2 or pair in placed:
                refused["a relation without both its names"] += 1
                continue
            known = instant.get(pair)
            place = self._find_place(source, target, record.description)
            if place is None and known is None:
                refused["names too far apart"] += 1
                continue
            span, closeness = place or ((0, 0), 0.0)
            if known is not None:
                span = place[0] if place else (known.start, known.end)
                closeness = known.weight
            kind = next((w for w in record.keywords if w in settings.kinds), "")
            placed[pair] = ClaimedRelation(
                source,
                target,
                *span,
                weight=round(closeness * (0.5 + record.strength / 10.0), 4),
                description=record.description,
                keywords=record.keywords or (known.keywords if known else ()),
                kind=kind,
                confidence=round(min(0.95, max(0.05, record.strength / 10.0)), 3),
                direction=FORWARD if record.is_directed else UNDIRECTED,
            )
        return list(placed.values())

    def _find_place(self, source: str, target: str, description: str) -> tuple[Span, float] | None:
        """Return the sentence (or two) with both names most similar to the description."""
        here, there = self._sentences_with(source), self._sentences_with(target)
        if both := sorted(here & there):
            return max((self.sentences[i] for i in both), key=self._similarity(description)), 1.0
        pairs = [(i, i + 1) for i in here if i + 1 in there]
        pairs += [(i, i + 1) for i in there if i + 1 in here]
        spans = [(self.sentences[i][0], self.sentences[j][1]) for i, j in sorted(pairs)]
        if not spans:
            return None
        return max(spans, key=self._similarity(description)), _NEIGHBOUR_SHARE

    def _similarity(self, description: str) -> Callable[[Span], int]:
        words = set(_WORD.findall(description.casefold()))
        start, text = self._task.start, self._task.text.casefold()

        def count(span: Span) -> int:
            return len(words & set(_WORD.findall(text[span[0] - start : span[1] - start])))

        return count

    def _sentences_with(self, name: str) -> set[int]:
        return {find_sentence(self.sentences, start) for start, _ in self._placed[name].spans}

    def _carry_over(
        self, named: Sequence[ClaimedRelation], *, complete: bool
    ) -> list[ClaimedRelation]:
        done = {frozenset((r.source, r.target)) for r in named}
        kept = []
        for relation in self._task.relations:
            if frozenset((relation.source, relation.target)) in done:
                continue
            ends = [self._placed.get(name) for name in (relation.source, relation.target)]
            if complete and all(end is not None and end.listed for end in ends):
                here, there = map(self._sentences_with, (relation.source, relation.target))
                if here.isdisjoint(there):
                    continue
                relation = replace(relation, weight=round(relation.weight * 0.5, 4))
            kept.append(relation)
        return kept
