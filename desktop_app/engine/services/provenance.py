"""Who says what the graph shows: a model, a quotation, an import or the person.

Answers for one entity (`tell_standing`, `list_claims`) and for the words that models left out of
the graph (`list_struck`). Reads only.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace

from ..graph.evidence import Judgement
from ..graph.evidence_index import is_rejected
from ..model import STRUCK, EntityRow, MentionRow
from ..store import graph, provenance, splits
from ..store.db import Db
from .graph_update import list_doubtful

IMPORTED = "given"  # the strategy of what came with a graph made elsewhere


@dataclass(frozen=True, slots=True)
class EntityProvenance:
    """On whose word an entity's page stands.

    Attributes:
        description_from: "hand", "model", "import", or "quote" for the text's own sentences.
        type_from: "hand", "model", "import", or "text" for what the tagger made of it.
        type_sureness: 0 to 1, how sure models are of the type; 0 where none was asked.
        models: who was asked of it, who said most first.
        origins: where what was imported of it came from.
        n_passages: passages that name it; `n_described` those in which it was described,
            `n_judged` those in which its type was asked for.
        kinds: (kind, relations of it); "" are those without one.
        n_confirmed: relations of which a model speaks.
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
    """Something the text claims of somebody, with the sentence; `status` as the model put it."""

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
    """A word that models hold for no name, so that it is left out of the graph.

    `n_against` of `n_asked` passages say so; `place` is where one of them has it.
    """

    name: str
    n_mentions: int
    n_against: int
    n_asked: int
    models: tuple[str, ...] = ()
    place: MentionRow | None = None


def describe_provenance(db: Db, entity_id: int) -> EntityProvenance:
    """Return on whose word an entity's description, type and relations stand."""
    row = graph.find_entity(db, entity_id)
    if row is None:
        return EntityProvenance()
    claims = [c for c in provenance.fetch_name_claims_of(db, entity_id) if c[2] != STRUCK]
    edits = provenance.fetch_edits_of(db, entity_id)
    kinds = provenance.count_kinds_of(db, entity_id)
    described = [c for c in claims if c[3]]
    judged = [c for c in claims if c[2]]
    for_type = [c for c in judged if c[2] == row.type]
    sureness = sum(c[4] for c in for_type) / len(judged) if judged else 0.0
    return EntityProvenance(
        description_from=_speaker(any(d is not None for _, d in edits), described, "quote"),
        type_from=_speaker(any(t for t, _ in edits), for_type, "text"),
        type_sureness=round(sureness, 4),
        models=_rank(c[1] for c in claims if c[0] != IMPORTED),
        origins=_rank(c[1] for c in claims if c[0] == IMPORTED),
        n_passages=max(provenance.count_passages_of(db, entity_id), len({c[5] for c in claims})),
        n_described=len({c[5] for c in described}),
        n_judged=len({c[5] for c in judged}),
        kinds=tuple((kind, count) for kind, count, _ in kinds),
        n_confirmed=sum(confirmed for _, _, confirmed in kinds),
    )


def list_claims(db: Db, entity_id: int, limit: int = 200) -> list[ClaimRow]:
    """Return what the text claims of an entity, in reading order."""
    return [ClaimRow(*r) for r in provenance.fetch_text_claims_of(db, entity_id, limit)]


def list_rejected_names(db: Db, limit: int = 500) -> list[RejectedName]:
    """Return the words that models left out of the graph, those named most often first."""
    found: dict[int, RejectedName] = {}
    mention_ids: list[int] = []
    for name_id, name, n_mentions in provenance.fetch_doubted_names(db):
        rows = provenance.fetch_judgements_of_name(db, name_id)
        # Not in the graph for another reason (the person deleted it) is none of a model's doing.
        if not is_rejected(n_mentions, [Judgement(name_id, t, "", c) for t, c, _ in rows]):
            continue
        asked = [(t, model) for t, _, model in rows if t]
        against = [model for t, model in asked if t == STRUCK]
        found[name_id] = RejectedName(name, n_mentions, len(against), len(asked), _rank(against))
        if (mention_id := provenance.find_first_mention(db, name_id)) is not None:
            mention_ids.append(mention_id)
        if len(found) == limit:
            break
    places = {row.name: row for row in graph.fetch_mention_rows(db, mention_ids)}
    return [replace(one, place=places.get(one.name)) for one in found.values()]


def _speaker(by_hand: bool, claims: list[provenance.NameClaimFields], nobody: str) -> str:
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
    """One place; `now` is the entity it is counted to until a person says otherwise."""

    id: int
    mention: MentionRow
    now: int


@dataclass(frozen=True, slots=True)
class AmbiguousName:
    """A name that several have, with the places nobody knows whom they mean."""

    name: str
    choices: tuple[EntityRow, ...]
    mentions: tuple[AmbiguousMention, ...]


def list_ambiguous_names(db: Db, limit: int = MAX_ASKED) -> list[AmbiguousName]:
    """Return what to ask about, the name with most doubtful mentions first."""
    ids = list_doubtful(db)[:limit]
    home = splits.fetch_entities_of_mentions(db, ids)
    by_name: dict[str, dict[tuple[int, int], AmbiguousMention]] = defaultdict(dict)
    for mention_id, mention in zip(ids, graph.fetch_mention_rows(db, ids), strict=True):
        if mention_id in home:  # a place may have two mentions; both mean the same
            place = mention.document_id, mention.start
            asked = AmbiguousMention(mention_id, mention, home[mention_id])
            by_name[mention.name].setdefault(place, asked)
    found = []
    for name, places in by_name.items():
        choices = graph.fetch_entities(db, splits.fetch_namesakes(db, name))
        if len(choices) > 1:
            found.append(AmbiguousName(name, tuple(choices), tuple(places.values())))
    return sorted(found, key=lambda one: (-len(one.mentions), one.name))
