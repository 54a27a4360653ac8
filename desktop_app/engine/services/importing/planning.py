"""Converts an imported graph, aligned to passages, into the evidence of each chunk.

Pure. A mention is placed where the passage contains the name; otherwise as an empty span at the
sentence most similar to its description. Every description goes to one of its sources, so that
none is repeated.
"""

from __future__ import annotations

import bisect
import hashlib
import re
import statistics
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from ...errors import UserError
from ...messages import Message
from ...model import (
    ChunkEvidence,
    ChunkSpan,
    ClaimedRelation,
    Mention,
    NameClaim,
    ReadDocument,
    TextClaim,
    reverse_direction,
)
from ...progress import CancelToken
from ...text.chunking import load_tiktoken_counter
from .model import MAX_KEYWORDS, ImportedChunk, ImportedDocument, ImportedGraph, ImportedRelation
from .names import ImportedName, NameBook
from .text_alignment import (
    AlignedPassage,
    Span,
    align_chunks,
    attach,
    collect_chunks,
    find_places,
    join_chunks,
)

LEAST_WEIGHT, MOST_WEIGHT = 0.25, 4.0  # of one claim; a sentence of our own extraction weighs 1
TYPE_CONFIDENCE = 0.9  # also of kinds of relations
Place = tuple[int, int]  # document number, chunk order


@dataclass(slots=True)
class Findings:
    """The evidence of every chunk, and counts for the report."""

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

    def __init__(
        self,
        graph: ImportedGraph,
        book: NameBook,
        passages: Sequence[AlignedPassage],
        cancel: CancelToken,
    ) -> None:
        self._graph, self._book, self._cancel = graph, book, cancel
        self._parts: dict[Place, _Parts] = defaultdict(_Parts)
        self._passage = {(p.document, p.order): p for p in passages}
        self._seen: set[tuple[int, str, int]] = set()
        self._found = Findings()

    def build(self, passages_of: dict[str, list[AlignedPassage]]) -> Findings:
        for name in self._book:
            self._cancel.check()
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

    def _add_name(self, name: ImportedName) -> None:
        self._found.n_names += 1
        fragments = _share_out(list(name.descriptions), len(name.passages))
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
            start, end = passage.find_similar_sentence(name.given, name.descriptions)
            self._parts[passage.document, passage.order].mentions.append(
                Mention(name.name, name.type or "other", start, start, start, end)
            )

    def _mention(
        self, name: ImportedName, text: str, places: Sequence[Span], passage: AlignedPassage
    ) -> bool:
        """Add the mentions of a name; a place shared by overlapping chunks counts once."""
        parts = self._parts[passage.document, passage.order]
        for start, end in places:
            if (passage.document, text, start) in self._seen:
                continue
            self._seen.add((passage.document, text, start))
            sentence = passage.find_sentence_at(start)
            parts.mentions.append(Mention(text, name.type or "other", start, end, *sentence))
        return bool(places)

    # --- relations --------------------------------------------------------------------------

    def _add_relations(self) -> None:
        placed: list[tuple[ImportedRelation, list[AlignedPassage]]] = []
        for relation in self._graph.relations:
            self._cancel.check()
            if relation.source.casefold() == relation.target.casefold():
                self._graph.left_out[Message("connections of a name with itself")] += 1
            elif passages := self._book.passages_for(relation):
                placed.append((relation, passages))
        shares = [relation.weight / len(passages) for relation, passages in placed]
        usual = statistics.median_low(shares) if shares else 1.0
        claims: dict[tuple[Place, frozenset[str]], ClaimedRelation] = {}
        pairs: set[frozenset[str]] = set()
        for (relation, passages), share in zip(placed, shares, strict=True):
            self._cancel.check()
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
        self, relation: ImportedRelation, passage: AlignedPassage, weight: float, words: str
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
            start, end = passage.find_similar_sentence(names, relation.descriptions)
        claim = ClaimedRelation(
            source.name, target.name, start, end, round(weight, 4), words, relation.keywords,
            relation.kind, TYPE_CONFIDENCE if relation.kind else 0.0, relation.direction,
        )  # fmt: skip
        return claim, all(places)

    def _closest(
        self, passage: AlignedPassage, left: Sequence[Span], right: Sequence[Span]
    ) -> Span:
        """Return the sentence with both names, or the span of two adjacent sentences."""
        starts = [place[0] for place in right]
        beside = ((place, max(0, bisect.bisect(starts, place[0]) - 1)) for place in left)
        pairs = ((place, other) for place, at in beside for other in right[at : at + 2])
        a, b = min(pairs, key=lambda pair: abs(pair[0][0] - pair[1][0]))
        first, second = sorted((passage.find_sentence_at(a[0]), passage.find_sentence_at(b[0])))
        together = {passage.find_sentence_at(p[0]) for p in left}
        together &= {passage.find_sentence_at(p[0]) for p in right}
        if together:
            return min(together)
        at = passage.sentences.index(first)
        touching = passage.sentences[at + 1 : at + 2] == [second]
        return (first[0], second[1]) if touching else second

    # --- claims ------------------------------------------------------------------------------

    def _add_claims(self, passages_of: dict[str, list[AlignedPassage]]) -> None:
        for claim in self._graph.claims:
            self._cancel.check()
            own = passages_of.get(claim.chunk) or list(self._passage.values())
            found = next(((p, at) for p in own if (at := p.find_quote(claim.quote))), None)
            if found is None:
                self._graph.left_out[Message("claims whose quote is not in the text")] += 1
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

    def _written(self, given: str, passage: AlignedPassage) -> str:
        """Return the spelling of a claim's name in the names, or else in its passage."""
        if (known := self._book.get(given)) is not None:
            return known.name
        for start, end in passage.find(given):
            return " ".join(passage.text[start - passage.start : end - passage.start].split())
        return given


def _share_out(fragments: list[str], n_places: int) -> list[str]:
    """Distribute fragments over places: one each, the last place gets the rest."""
    shared = [*fragments[: n_places - 1], " ".join(fragments[n_places - 1 :])]
    return shared + [""] * (n_places - len(shared))


def _united(one: ClaimedRelation, other: ClaimedRelation) -> ClaimedRelation:
    """Return two claims of one pair in one passage as one; opposite directions are both kept."""
    same_order = one.source == other.source
    direction = other.direction if same_order else reverse_direction(other.direction)
    words = dict.fromkeys(d for d in (one.description, other.description) if d)
    return ClaimedRelation(
        one.source,
        one.target,
        one.start,
        one.end,
        min(MOST_WEIGHT, one.weight + other.weight),
        " ".join(words),
        tuple(dict.fromkeys((*one.keywords, *other.keywords)))[:MAX_KEYWORDS],
        one.kind or other.kind,
        max(one.confidence, other.confidence),
        one.direction | direction,
    )


KEY = "#names and relations"


def give_text(graph: ImportedGraph, book: NameBook) -> bool:
    """Add a document for names and relations without a passage; False if all have one."""
    lost = {name.given.casefold() for name in book if not name.passages}
    lines: list[str] = []
    for name in book:
        if not name.passages:
            also = f" (also {', '.join(name.aliases)})" if name.aliases else ""
            lines.append(f"{name.given}{also}: {' '.join(name.descriptions) or 'no description.'}")
    for i, entity in enumerate(graph.entities):
        if entity.name.casefold() in lost:
            graph.entities[i] = replace(entity, chunks=(KEY,))
    for i, relation in enumerate(graph.relations):
        ends = relation.source.casefold(), relation.target.casefold()
        if ends[0] == ends[1] or (not lost.intersection(ends) and book.passages_for(relation)):
            continue
        description = (
            " ".join(relation.descriptions) or ", ".join(relation.keywords) or "connected."
        )
        lines.append(f"{relation.source} – {relation.target}: {description}")
        graph.relations[i] = replace(relation, chunks=(KEY,))
    if not lines:
        return False
    text = "\n\n".join(lines)
    graph.documents.append(ImportedDocument(KEY, f"{graph.name}: names and relations", text=text))
    graph.chunks.append(ImportedChunk(KEY, text, KEY))
    return True


_HASH = re.compile(r"^(?:doc-|chunk-)?[0-9a-f-]{24,}$")


@dataclass(frozen=True, slots=True)
class KnownText:
    """A document of the library with its id and chunks; text is None if not read yet."""

    id: int
    title: str
    text: str | None
    language: str
    spans: tuple[ChunkSpan, ...]


@dataclass(slots=True)
class PlannedDocument:
    """A document to be written; `known` where the library has its text already.

    `is_generated` for the text of names and relations that have no passage.
    """

    file_name: str
    sha256: str
    read: ReadDocument
    spans: list[ChunkSpan]
    known: KnownText | None = None
    is_generated: bool = False
    evidence: dict[int, ChunkEvidence] = field(default_factory=dict)


@dataclass(slots=True)
class Plan:
    """All that an import will write, and the counts for its report."""

    graph: ImportedGraph
    documents: list[PlannedDocument]
    found: Findings
    n_attached: int = 0


FindKnown = Callable[[str], KnownText | None]


def plan_import(graph: ImportedGraph, find_known: FindKnown, cancel: CancelToken) -> Plan:
    """Return what importing a graph would write.

    Args:
        find_known: gives the library's document of a content hash, None if it has none.

    Raises:
        UserError: nothing in it can be used, or a text is still being read.
        Cancelled: the token was set.
    """
    alignment = _Alignment(graph, find_known, cancel)
    passages, passages_of = alignment.align_all()
    book = NameBook(graph, passages, passages_of, cancel)
    if give_text(graph, book):
        # The second pass counts everything again.
        graph.left_out.clear()
        graph.left_out.update(alignment.counted)
        passages, passages_of = alignment.align_all(only_new=True)
        book = NameBook(graph, passages, passages_of, cancel)
    if not alignment.documents:
        raise UserError(
            "“{graph}” has no passages, names or connections.",
            "Check that its index was finished.",
            graph=graph.name,
        )
    found = EvidenceBuilder(graph, book, passages, cancel).build(passages_of)
    for (number, order), evidence in found.evidence.items():
        alignment.documents[number].evidence[order] = evidence
    return Plan(graph, alignment.documents, found, alignment.n_attached)


class _Alignment:
    """Aligns documents one after the other and records the passages of each chunk."""

    def __init__(self, graph: ImportedGraph, find_known: FindKnown, cancel: CancelToken) -> None:
        self._graph, self._find_known, self._cancel = graph, find_known, cancel
        self._count_tokens = load_tiktoken_counter()
        self._aligned: set[str] = set()
        self._passages: list[AlignedPassage] = []
        self._passages_of: dict[str, list[AlignedPassage]] = defaultdict(list)
        self.documents: list[PlannedDocument] = []
        self.n_attached = 0
        self.counted = dict(graph.left_out)

    def align_all(
        self, *, only_new: bool = False
    ) -> tuple[list[AlignedPassage], dict[str, list[AlignedPassage]]]:
        by_text: dict[str, tuple[ImportedDocument, list[ImportedChunk]]] = {}
        for document, text, chunks in collect_chunks(self._graph):
            if document.key in self._aligned:
                continue
            self._aligned.add(document.key)
            by_text.setdefault(text, (document, []))[1].extend(chunks)
        for text, (document, chunks) in by_text.items():
            self._cancel.check()
            strays = self._align(document, text, chunks)
            if strays:
                title = document.title or document.file_name
                other = replace(document, title=f"{title}: other passages" if title else "")
                self._align(other, join_chunks([c.text for c in strays]), strays)
        if not only_new:
            self.counted = dict(self._graph.left_out)
        return self._passages, self._passages_of

    def _align(
        self, document: ImportedDocument, text: str, chunks: list[ImportedChunk]
    ) -> list[ImportedChunk]:
        """Align one document; return the chunks that its text doesn't contain."""
        sha256 = hashlib.sha256(text.encode("utf-8")).hexdigest()
        known = self._find_known(sha256)
        if known is not None and known.text is None:
            raise UserError(
                "“{title}” is in the library but not read yet.",
                "Wait until it is read, or retry it if it failed; then import again.",
                title=known.title,
            )
        read = _read(document, text, self._graph)
        if known is not None:
            text, language = known.text or "", known.language
            layout = attach(text, chunks, find_places(text, chunks), known.spans)
        else:
            language = read.language
            layout = align_chunks(text, chunks, read.outline, language, self._count_tokens)
        number = len(self.documents)
        self.documents.append(
            PlannedDocument(
                document.file_name, sha256, read, layout.spans, known, document.key == KEY
            )
        )
        made = {
            s.order: AlignedPassage(number, s.order, s.start, text[s.start : s.end], language)
            for s in layout.spans
        }
        self._passages += made.values()
        for key, orders in layout.orders_of.items():
            self._passages_of[key] += [made[order] for order in orders]
        self.n_attached += layout.n_attached
        return layout.strays


def _read(document: ImportedDocument, text: str, graph: ImportedGraph) -> ReadDocument:
    from ...text.readers.document_builder import build_document

    stem = graph.name if _HASH.match(document.key) else document.key
    return build_document(
        text,
        format="txt",
        stem=stem,
        title=document.title,
        notes=[
            Message(
                "Its graph was imported from {origin} (“{graph}”).",
                origin=graph.origin,
                graph=graph.name,
            )
        ]
        if graph.origin != "custom"
        else [Message("Its graph was imported from “{graph}”.", graph=graph.name)],
    )
