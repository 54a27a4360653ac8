"""Turns what a model listed into evidence: names located in the chunk, relations in sentences.

Owns the rule that nothing stands without a place in the text. An instant relation that the model
did not name is carried over, so that enrichment never loses recall, but for one case: the model
listed both names, its list ran to its end, and the two never share a sentence.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ..types import ChunkEvidence, ClaimedRelation, Mention, NameClaim, TextClaim
from .introduction import weigh_introduction
from .locating import ChunkText, SplitSentences, find_sentences, is_pronoun, sentence_of
from .parsing_records import EntityRecord, Records, RelationRecord
from .spans import Span
from .tasks import ChunkTask, EnrichSettings

log = logging.getLogger(__name__)

_NEIGHBOUR_SHARE = 0.3  # as the instant relations weigh two sentences against one
_WORD = re.compile(r"[^\W\d_]{3,}|[\u4e00-\u9fff]")


@dataclass(slots=True)
class _Placed:
    """A name with its places in the document; `is_new` where the instant graph has it not."""

    name: str
    spans: list[Span] = field(default_factory=list)
    new_spans: list[Span] = field(default_factory=list)
    type: str = ""
    description: str = ""
    listed: bool = False


class Placing:
    """Places the records of one chunk.

    Args:
        split: text and language -> sentence spans; without it the instant mentions' sentences
            are used and the gaps between them cut simply.
    """

    def __init__(self, task: ChunkTask, split: SplitSentences | None = None) -> None:
        self._task = task
        self.text = ChunkText(task.text)
        self.sentences = find_sentences(task, split)
        self._placed: dict[str, _Placed] = {}
        for mention in task.mentions:
            placed = self._placed.setdefault(mention.name, _Placed(mention.name))
            placed.spans.append((mention.start, mention.end))
        self._known: dict[str, str] = {}  # what a model wrote -> the name it stands for

    def find_name(self, written: str) -> str:
        """Return the name in the text that the model means, "" if the text has none."""
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
        """Return the evidence of the records that stand in the text.

        Args:
            confidence: how sure the model was of its words, 0 to 1.
            complete: the model ended its list itself.
        """
        entities = records.entities[: settings.max_entities]
        ties = records.relations[: settings.max_relations]
        refused = records.refused
        # Longer names first: "Scrooge" inside of "Ebenezer Scrooge" is no place of its own.
        written = [e.name for e in entities]
        written += [name for tie in ties for name in (tie.source, tie.target)]
        for name in sorted(dict.fromkeys(written), key=len, reverse=True):
            if not self.find_name(name):
                refused["a pronoun" if is_pronoun(name) else "not in the text"] += 1
        for entity in entities:
            self._describe(entity)
        relations = self._place_relations(ties, settings, refused)
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
        elif not free:  # only inside of longer names: it is short for the first of them
            a, b = spans[0]
            return next(n for (first, last), n in taken if first <= a and b <= last)
        placed = self._placed.setdefault(name, _Placed(name))
        placed.spans += free
        placed.new_spans += free
        return name

    def _describe(self, entity: EntityRecord) -> None:
        name = self.find_name(entity.name)
        if not name:
            return
        placed = self._placed[name]
        placed.listed = True
        placed.type = entity.type if placed.type in ("", "other") else placed.type
        placed.description = max(placed.description, entity.description, key=len)

    def _new_mentions(self) -> tuple[Mention, ...]:
        mentions = []
        text, offset = self._task.text, self._task.start
        for placed in self._placed.values():
            for number, (start, end) in enumerate(sorted(placed.new_spans)):
                sentence = self.sentences[sentence_of(self.sentences, start)]
                sentence = (min(sentence[0], start), max(sentence[1], end))
                weight = weigh_introduction(
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
        self, ties: Sequence[RelationRecord], settings: EnrichSettings, refused: dict[str, int]
    ) -> list[ClaimedRelation]:
        instant = {frozenset((r.source, r.target)): r for r in self._task.relations}
        placed: dict[frozenset[str], ClaimedRelation] = {}
        for tie in ties:
            source, target = self.find_name(tie.source), self.find_name(tie.target)
            pair = frozenset((source, target))
            if not source or not target or len(pair) < 2 or pair in placed:
                refused["a relation without both its names"] += 1
                continue
            known = instant.get(pair)
            place = self._find_place(source, target, tie.description)
            if place is None and known is None:
                refused["names too far apart"] += 1
                continue
            span, share = place or ((known.start, known.end), 1.0)  # type: ignore[union-attr]
            closeness = known.weight if known else share
            kind = next((w for w in tie.keywords if w in settings.kinds), "")
            placed[pair] = ClaimedRelation(
                source,
                target,
                *span,
                weight=round(closeness * (0.5 + tie.strength / 10.0), 4),
                description=tie.description,
                keywords=tie.keywords or (known.keywords if known else ()),
                kind=kind,
                confidence=round(min(0.95, max(0.05, tie.strength / 10.0)), 3),
            )
        return list(placed.values())

    def _find_place(self, source: str, target: str, description: str) -> tuple[Span, float] | None:
        """Return the sentence, or the two, that name both, likest to the description."""
        here, there = self._sentences_with(source), self._sentences_with(target)
        if both := sorted(here & there):
            return max((self.sentences[i] for i in both), key=self._likeness(description)), 1.0
        pairs = [(i, i + 1) for i in here if i + 1 in there]
        pairs += [(i, i + 1) for i in there if i + 1 in here]
        spans = [(self.sentences[i][0], self.sentences[j][1]) for i, j in sorted(pairs)]
        if not spans:
            return None
        return max(spans, key=self._likeness(description)), _NEIGHBOUR_SHARE

    def _likeness(self, description: str):
        words = set(_WORD.findall(description.casefold()))
        start, text = self._task.start, self._task.text.casefold()

        def count(span: Span) -> int:
            return len(words & set(_WORD.findall(text[span[0] - start : span[1] - start])))

        return count

    def _sentences_with(self, name: str) -> set[int]:
        return {sentence_of(self.sentences, start) for start, _ in self._placed[name].spans}

    def _carry_over(
        self, named: Sequence[ClaimedRelation], *, complete: bool
    ) -> list[ClaimedRelation]:
        done = {frozenset((r.source, r.target)) for r in named}
        kept = []
        for relation in self._task.relations:
            ends = [self._placed.get(name) for name in (relation.source, relation.target)]
            if frozenset((relation.source, relation.target)) in done:
                continue
            if complete and all(end is not None and end.listed for end in ends):
                if not self._sentences_with(relation.source) & self._sentences_with(
                    relation.target
                ):
                    continue
                relation = replace(relation, weight=round(relation.weight * 0.5, 4))
            kept.append(relation)
        return kept
