"""Provenance of the graph: which parts come from a model, a quotation, an import or the user.

Answers for one entity (`describe_provenance`, `list_claims`), for the names that models rejected
(`list_rejected_names`) and for ambiguous ones (`list_ambiguous_names`). Reads only.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace

from ..graph.evidence import is_rejected
from ..model import REJECTED, EntityRow, Judgement, MentionRow
from ..store import curation, graph, provenance
from ..store.db import Db
from .mention_senses import list_uncertain_mentions

IMPORTED = "given"  # the strategy of imported graphs


@dataclass(frozen=True, slots=True)
class EntityProvenance:
    """The sources of an entity's data.

    Attributes:
        description_from: "hand", "model", "import", or "quote" for sentences of the text.
        type_from: "hand", "model", "import", or "text" for the tagger's type.
        type_sureness: 0 to 1, how sure models are of the type; 0 where none was asked.
        models: models with claims about it, most claims first.
        origins: the sources of its imported data.
        n_passages: passages with mentions of it; `n_described` those with a description,
            `n_judged` those in which its type was asked for.
        kinds: (kind, number of relations); "" for relations without one.
        n_confirmed: relations that a model states.
    """

    description_from: str = "quote"
    type_from: str = "text"
    type_sureness: float = 0.0
    models: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    n_passages: int = 0
    n_described: int = 0
    n_judged: int = 0
    kinds: tuple[tuple[str, int], ...] = ()
    n_confirmed: int = 0


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A claim about an entity with its sentence; `status` as the model gave it."""

    subject: str
    object: str
    type: str
    status: str
    start_date: str
    end_date: str
    description: str
    sentence: str
    document_id: int
    document_title: str
    start: int
    end: int
    page_label: str = ""


@dataclass(frozen=True, slots=True)
class RejectedName:
    """A word that models reject as a name, so that it is not in the graph.

    `n_against` of `n_asked` passages reject it; `place` is one of them.
    """

    name: str
    n_mentions: int
    n_against: int
    n_asked: int
    models: tuple[str, ...] = ()
    place: MentionRow | None = None


def describe_provenance(db: Db, entity_id: int) -> EntityProvenance:
    """Return the sources of an entity's description, type and relations."""
    row = graph.find_entity(db, entity_id)
    if row is None:
        return EntityProvenance()
    claims, edits = _fetch_claims(db, entity_id)
    kinds = provenance.count_kinds_of(db, entity_id)
    described = [c for c in claims if c[3]]
    judged = [c for c in claims if c[2]]
    for_type = [c for c in judged if c[2] == row.type]
    sureness = sum(c[4] for c in for_type) / len(judged) if judged else 0.0
    return EntityProvenance(
        description_from=_find_description_source(claims, edits),
        type_from=_find_source(any(t for t, _ in edits), for_type, "text"),
        type_sureness=round(sureness, 4),
        models=_rank(c[1] for c in claims if c[0] != IMPORTED),
        origins=_rank(c[1] for c in claims if c[0] == IMPORTED),
        n_passages=max(provenance.count_passages_of(db, entity_id), len({c[5] for c in claims})),
        n_described=len({c[5] for c in described}),
        n_judged=len({c[5] for c in judged}),
        kinds=tuple((kind, count) for kind, count, _ in kinds),
        n_confirmed=sum(confirmed for _, _, confirmed in kinds),
    )


def find_description_source(db: Db, entity_id: int) -> str:
    """Return where a description is from; see `EntityProvenance.description_from`."""
    return _find_description_source(*_fetch_claims(db, entity_id))


Edits = list[tuple[str | None, str | None]]


def _fetch_claims(db: Db, entity_id: int) -> tuple[list[provenance.NameClaimFields], Edits]:
    """Return what models and imports claim about an entity's names, and what the user set."""
    claims = provenance.fetch_name_claims_of(db, entity_id)
    return [c for c in claims if c[2] != REJECTED], provenance.fetch_edits_of(db, entity_id)


def _find_description_source(claims: list[provenance.NameClaimFields], edits: Edits) -> str:
    by_hand = any(description is not None for _, description in edits)
    return _find_source(by_hand, [c for c in claims if c[3]], "quote")


def list_claims(db: Db, entity_id: int, limit: int = 200) -> list[ClaimRow]:
    """Return the claims about an entity, in reading order."""
    return [ClaimRow(*r) for r in provenance.fetch_text_claims_of(db, entity_id, limit)]


def list_rejected_names(db: Db, limit: int = 500) -> list[RejectedName]:
    """Return the names that models rejected, most mentions first."""
    found: dict[int, RejectedName] = {}
    mention_ids: list[int] = []
    for name_id, name, n_mentions in provenance.fetch_doubted_names(db):
        rows = provenance.fetch_judgements_of_name(db, name_id)
        # Names that are missing from the graph for another reason (deleted by the user) don't
        # count.
        if not is_rejected(n_mentions, [Judgement(name_id, t, "", c) for t, c, _ in rows]):
            continue
        asked = [(t, model) for t, _, model in rows if t]
        against = [model for t, model in asked if t == REJECTED]
        found[name_id] = RejectedName(name, n_mentions, len(against), len(asked), _rank(against))
        if (mention_id := provenance.find_first_mention(db, name_id)) is not None:
            mention_ids.append(mention_id)
        if len(found) == limit:
            break
    places = {row.name: row for row in graph.fetch_mention_rows(db, mention_ids)}
    return [replace(one, place=places.get(one.name)) for one in found.values()]


def _find_source(by_hand: bool, claims: list[provenance.NameClaimFields], nobody: str) -> str:
    if by_hand:
        return "hand"
    if not claims:
        return nobody
    return "import" if all(c[0] == IMPORTED for c in claims) else "model"


def _rank(models: Iterable[str]) -> tuple[str, ...]:
    counts = Counter(model for model in models if model)
    return tuple(sorted(counts, key=lambda model: (-counts[model], model)))


MAX_ASKED = 500


@dataclass(frozen=True, slots=True)
class AmbiguousMention:
    """One place; `now` is the entity it is assigned to until the user decides."""

    id: int
    mention: MentionRow
    now: int


@dataclass(frozen=True, slots=True)
class AmbiguousName:
    """A name of several entities, with the mentions whose sense is uncertain."""

    name: str
    choices: tuple[EntityRow, ...]
    mentions: tuple[AmbiguousMention, ...]


def list_ambiguous_names(db: Db, limit: int = MAX_ASKED) -> list[AmbiguousName]:
    """Return the ambiguous names, most uncertain mentions first."""
    ids = list_uncertain_mentions(db)[:limit]
    entity_of = curation.fetch_entities_of_mentions(db, ids)
    by_name: dict[str, dict[tuple[int, int], AmbiguousMention]] = defaultdict(dict)
    for mention_id, mention in zip(ids, graph.fetch_mention_rows(db, ids), strict=True):
        if mention_id in entity_of:  # a place may have two mentions; both mean the same entity
            place = mention.document_id, mention.start
            ambiguous = AmbiguousMention(mention_id, mention, entity_of[mention_id])
            by_name[mention.name].setdefault(place, ambiguous)
    found = []
    for name, places in by_name.items():
        choices = graph.fetch_entities(db, curation.fetch_namesakes(db, name))
        if len(choices) > 1:
            found.append(AmbiguousName(name, tuple(choices), tuple(places.values())))
    return sorted(found, key=lambda one: (-len(one.mentions), one.name))
