"""The slots strategy: the instant graph proposes names and pairs, and a small model judges them.

The model chooses the type of each name (or "none"), then the kind of relation of each pair. Only
probabilities are read, because a model of 1 GB often recognizes an answer that it could not write.
Confident answers are stored with their confidence; everything else stays as in the instant graph.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from ...model import REJECTED, ChatMessage, ChunkEvidence, ClaimedRelation, Mention, NameClaim
from ...prompt_files import load_prompt
from ...prompt_program import PASSAGE, Choose, Talk, share_out
from ...writing_systems import HAN_BASIC
from ..instant import distance_divisor
from ..spans import SplitSentences
from .claims import extract_claims
from .descriptions import write_descriptions
from .evidence_placement import EvidencePlacer
from .free_form import free_form_messages, render_records
from .parsing import EntityRecord, Records
from .relation_kinds import (
    KIND_SETS,
    NONE,
    SAME,
    Kind,
    PairContext,
    build_custom_kinds,
    guess_domain,
    score_kinds,
)
from .tasks import (
    ChunkTask,
    EnrichSettings,
    continue_line,
    cut_passage,
    is_heading,
    prompt_language,
)

TYPE_LABELS_ZH = {
    "person": "人物", "place": "地点", "organisation": "组织", "event": "事件",
    "object": "物品", "concept": "概念", REJECTED: "无",
}  # fmt: skip
_NAME_MARK = {"en": " (is):", "zh": "（是）："}  # ending of a line about one name


def type_label(type_: str, language: str) -> str:
    return TYPE_LABELS_ZH.get(type_, type_) if language == "zh" else type_


def pair_line(source: str, target: str, language: str) -> str:
    return f"{source}与{target}：" if language == "zh" else f"{source} & {target}:"


def name_line(name: str, language: str) -> str:
    return f"{name}{_NAME_MARK[language]}"


@lru_cache(maxsize=32)
def slots_messages(
    domain: str, kinds: tuple[Kind, ...], types: tuple[str, ...], language: str
) -> tuple[ChatMessage, ...]:
    """Return the instruction and its examples, with `PASSAGE` in place of the text."""
    colon = "：" if language == "zh" else ": "
    instruction = load_prompt("slots", language).format(
        kinds="\n".join(f"{k.label(language)}{colon}{k.meaning(language)}" for k in kinds),
        types=", ".join(type_label(t, language) for t in types),
    )
    kind_labels = {k.label(language) for k in kinds}
    type_labels = {type_label(t, language) for t in (*types, REJECTED)}
    messages = [ChatMessage("system", instruction)]
    for block in load_prompt(f"slots_{domain}", language).split("\n\n"):
        text, *lines = block.splitlines()
        fitting = [
            line
            for line in lines
            if line.split(colon)[-1]
            in (type_labels if _NAME_MARK[language] in line else kind_labels)
        ]
        if fitting:
            messages.append(ChatMessage("user", text))
            messages.append(ChatMessage("assistant", "\n".join(fitting)))
    messages.append(ChatMessage("user", PASSAGE))
    return tuple(messages)


MAX_SUBJECT_RELATIONS = 8
MAX_SUBJECT_DISTANCE = 600  # characters between the last mention of the subject and the other name
SUBJECT_RELATION_WEIGHT = 0.1  # as for distant names in adjacent sentences
MAX_MISSED_NAMES = 4
_CAPITAL_WORD = r"[A-Z][\w’'-]*[a-z][\w’'-]*"
_CAPITALISED = re.compile(
    rf"(?<=[\w,;] ){_CAPITAL_WORD}(?:(?: (?:of|the|de|von|van))? {_CAPITAL_WORD}){{0,3}}"
)
_NOT_A_NAME = re.compile(
    r"(?:I(?:’|')\w+|Mr|Mrs|Ms|Miss|Dr|Sir|Lady|Lord|Madam|God|Heaven|Oh|No|Yes|The|This|That|"
    r"January|February|March|April|May|June|July|August|September|October|November|December|"
    r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|Chapter|Section|Figure|Table)$"
)
_POSSESSIVE = re.compile(r"[’']s?$")
_SPEAKER_ZH = re.compile(
    r"(?:^|[，。！？；：”」\n\s])"
    rf"((?!只|又|便|乃|却|大|遂|因|忙|那|这|众|連|连|即|再|方)[{HAN_BASIC}]{{2,3}})"
    r"(?=(?:笑|喝|问|叫|答|骂|哭|怒|叹)?[道曰][：:，“「])"
)
_NOT_A_NAME_ZH = re.compile(
    r"[他她我你俺咱人的了着得来去下上里起罢毕声曰说道]|^[一二三四五六七八九十两几]|[笑问喝答叫骂哭怒叹忙告禀]$"
)
MAX_PAIRS = 14
MAX_NAMES = 10
MIN_WEIGHT = 0.08  # of an instant relation to ask about
MAX_PASSAGE_CHARS = 700  # characters up to which passages are joined
STATED_FROM = 0.7  # probability from which a kind is stored
NO_RELATION_FROM = 0.9  # from which a relation is removed
NO_NAME_FROM = 0.6  # from which a name is rejected
MISSED_FROM = 0.75  # from which a missed name is added
TYPE_PRIOR = 1.0  # added to the log-probability of the instant type


@dataclass(frozen=True, slots=True)
class _Pair:
    """A pair to ask about, and the document offsets of the passage to show."""

    relation: ClaimedRelation
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Name:
    """A name to ask about in a passage; `missed` if the instant graph lacks it."""

    mention: Mention
    start: int
    end: int
    missed: bool = False


def extract_with_slots(task: ChunkTask, settings: EnrichSettings, split: SplitSentences) -> Talk:
    """Return the evidence of a chunk: judged names and pairs, descriptions and claims if wanted.

    Args:
        split: text and language -> sentence spans.
    """
    found: ChunkEvidence = yield from judge_names_and_pairs(task, settings, split)
    if settings.describe == "always":
        found = yield from write_descriptions(task, found)
    if settings.claims:
        found = yield from _add_claims(task, settings, split, found)
    return found


def judge_names_and_pairs(task: ChunkTask, settings: EnrichSettings, split: SplitSentences) -> Talk:
    """Ask about the names of a chunk, then its pairs; return the `ChunkEvidence`.

    Args:
        split: text and language -> sentence spans.
    """
    language = prompt_language(task.language)
    domain = choose_domain(task, settings)
    kinds = choose_kinds(domain, settings)
    asked = (*asked_types(settings), REJECTED)
    sentences = [(task.start + a, task.start + b) for a, b in split(task.text, task.language)]
    pairs = _plan_pairs(task.relations, task)
    names: list[_Name] = []
    if len(asked) > 1:
        names = _plan_names(task, pairs, propose_missed_names(task, sentences))
    types: dict[str, Mapping[str, float]] = {m.name: {m.type: 1.0} for m in task.mentions}
    if names:
        replies = yield Choose(
            tuple(name_line(n.mention.name, language) for n in names),
            tuple(continue_line(type_label(t, language), language) for t in asked),
            tuple(cut_passage(task, n.start, n.end) for n in names),
        )
        for name, reply in zip(names, replies, strict=True):
            scores = [
                p + TYPE_PRIOR * (t == name.mention.type)
                for t, p in zip(asked, reply.logprobs, strict=True)
            ]
            types[name.mention.name] = dict(zip(asked, share_out(scores), strict=True))
    found = tuple(n for n in names if n.missed and _is_name(types[n.mention.name]))
    firsts = [
        replace(n.mention, type=_likeliest(types[n.mention.name])[0], weight=0.1) for n in found
    ]
    mentions = tuple(
        place for first in firsts for place in find_all_mentions(task, first, sentences)
    )
    relations = (*task.relations, *_relate_missed_names(firsts, task))
    if domain != "story":
        relations = (*relations, *relate_to_subject(task, relations))
    pairs += _plan_pairs(relations[len(task.relations) :], task)
    chosen: list[list[float]] = []
    if pairs:
        replies = yield Choose(
            tuple(pair_line(p.relation.source, p.relation.target, language) for p in pairs),
            tuple(continue_line(k.label(language), language) for k in kinds),
            tuple(cut_passage(task, p.start, p.end) for p in pairs),
        )
        everyone = frozenset(m.name for m in (*task.mentions, *mentions))
        for pair, reply in zip(pairs, replies, strict=True):
            ends = (pair.relation.source, pair.relation.target)
            place = PairContext(
                cut_passage(task, pair.relation.start, pair.relation.end),
                *ends,
                everyone.difference(ends),
                (types.get(ends[0], {}), types.get(ends[1], {})),
            )
            chosen.append(score_kinds(kinds, reply.logprobs, place, language))
    claims = tuple(
        _build_name_claim(n.mention.name, types[n.mention.name])
        for n in names
        if not n.missed or n in found
    )
    judged = _build_relations(relations, pairs, chosen, kinds)
    return ChunkEvidence(task.chunk_order, mentions, judged, (), claims)


def build_slot_messages(task: ChunkTask, settings: EnrichSettings) -> tuple[ChatMessage, ...]:
    """Return the instruction that all questions about a chunk share."""
    domain = choose_domain(task, settings)
    return slots_messages(
        domain,
        choose_kinds(domain, settings),
        asked_types(settings),
        prompt_language(task.language),
    )


def choose_domain(task: ChunkTask, settings: EnrichSettings) -> str:
    if settings.domain != "auto":
        return settings.domain
    return task.domain or guess_domain(task.text)


def choose_kinds(domain: str, settings: EnrichSettings) -> tuple[Kind, ...]:
    return build_custom_kinds(settings.kinds, domain) if settings.kinds else KIND_SETS[domain]


def asked_types(settings: EnrichSettings) -> tuple[str, ...]:
    return tuple(t for t in settings.entity_types if t not in ("other", REJECTED))


def propose_missed_names(task: ChunkTask, sentences: Sequence[tuple[int, int]]) -> list[Mention]:
    """Return the first mention of words that may be names, with type "" (document offsets).

    Args:
        sentences: spans of the chunk's sentences, document offsets, in order.
    """
    taken = [(m.start, m.end) for m in task.mentions]
    known = {m.name.casefold() for m in task.mentions}
    known |= {word for name in known for word in name.split()}
    found: dict[str, Mention] = {}
    for start, end in _iter_candidates(task):
        name = _POSSESSIVE.sub("", task.text[start:end])
        start, end = start + task.start, start + task.start + len(name)
        if name.casefold() in known or name in found or _NOT_A_NAME.match(name):
            continue
        if any(a < end and start < b for a, b in taken):
            continue
        sentence = next((s for s in sentences if s[0] <= start < s[1]), None)
        if sentence is not None:
            found[name] = Mention(name, "", start, end, *sentence)
    return list(found.values())[:MAX_MISSED_NAMES]


def _iter_candidates(task: ChunkTask) -> list[tuple[int, int]]:
    if task.language in ("zh", "ja"):
        spans = [match.span(1) for match in _SPEAKER_ZH.finditer(task.text)]
        return [(a, b) for a, b in spans if not _NOT_A_NAME_ZH.search(task.text[a:b])]
    return [match.span() for match in _CAPITALISED.finditer(task.text)]


def find_all_mentions(
    task: ChunkTask, found: Mention, sentences: Sequence[tuple[int, int]]
) -> list[Mention]:
    """Return all mentions in the chunk of a missed name; `found` is the first."""
    bounded = rf"(?<![^\W_]){re.escape(found.name)}(?![^\W_])"
    pattern = re.escape(found.name) if task.language in ("zh", "ja") else bounded
    taken = [(m.start, m.end) for m in task.mentions]
    places = [found]
    for match in re.finditer(pattern, task.text):
        start, end = match.start() + task.start, match.end() + task.start
        sentence = next((s for s in sentences if s[0] <= start < s[1]), None)
        is_free = start >= found.end and not any(a < end and start < b for a, b in taken)
        if sentence is not None and is_free:
            places.append(Mention(found.name, found.type, start, end, *sentence, found.weight))
    return places


def relate_to_subject(
    task: ChunkTask, relations: Sequence[ClaimedRelation]
) -> list[ClaimedRelation]:
    """Return relations of the chunk's main subject with the names it is not yet related to.

    The subject is the most frequent name of the document. The evidence extends from its last
    mention to the sentence of the other name, so that a quotation contains both.
    """
    firsts: dict[str, Mention] = {}
    for mention in sorted(task.mentions, key=lambda m: m.start):
        firsts.setdefault(mention.name, mention)
    if len(firsts) < 3:
        return []
    subject = max(firsts, key=lambda name: (task.importance.get(name, 0), -firsts[name].start))
    related = {frozenset((r.source, r.target)) for r in relations}
    places = [m for m in task.mentions if m.name == subject]
    added = []
    for name, mention in firsts.items():
        before = [m for m in places if m.end <= mention.start <= m.end + MAX_SUBJECT_DISTANCE]
        if name == subject or frozenset((name, subject)) in related or not before:
            continue
        start = max(before, key=lambda m: m.start).sentence_start
        added.append(
            ClaimedRelation(subject, name, start, mention.sentence_end, SUBJECT_RELATION_WEIGHT)
        )
    return added[:MAX_SUBJECT_RELATIONS]


def _plan_pairs(relations: Sequence[ClaimedRelation], task: ChunkTask) -> list[_Pair]:
    """Return the pairs to ask about; passages close to each other are joined."""
    wanted = [
        r
        for r in relations
        if r.weight >= MIN_WEIGHT
        and frozenset((r.source, r.target)) not in task.described
        and not is_heading(cut_passage(task, r.start, r.end))
    ]
    wanted.sort(key=lambda r: (-r.weight, r.start, r.source, r.target))
    pairs: list[_Pair] = []
    group: list[ClaimedRelation] = []
    start = end = 0
    for relation in sorted(wanted[:MAX_PAIRS], key=lambda r: (r.start, r.end)):
        if group and relation.start < end and max(end, relation.end) - start <= MAX_PASSAGE_CHARS:
            end = max(end, relation.end)
        else:
            pairs += [_Pair(r, start, end) for r in group]
            group, start, end = [], relation.start, relation.end
        group.append(relation)
    return pairs + [_Pair(r, start, end) for r in group]


def _plan_names(task: ChunkTask, pairs: Sequence[_Pair], missed: Sequence[Mention]) -> list[_Name]:
    """Return the names to ask about, if possible in the passage of a pair, which is read anyway."""
    best: dict[str, Mention] = {}
    for mention in task.mentions:
        known = best.get(mention.name)
        if mention.name not in task.described and (known is None or mention.weight > known.weight):
            best[mention.name] = mention
    # Rare names are more often wrong.
    rare = sorted(best.values(), key=lambda m: (task.importance.get(m.name, 0), m.start))
    passages = sorted({(p.start, p.end) for p in pairs})
    names = []
    for mention in [*rare[:MAX_NAMES], *missed]:
        inside = [p for p in passages if p[0] <= mention.start and mention.end <= p[1]]
        start, end = inside[0] if inside else (mention.sentence_start, mention.sentence_end)
        if not is_heading(cut_passage(task, start, end)):
            names.append(_Name(mention, start, end, mention in missed))
    return names


def _relate_missed_names(missed: Sequence[Mention], task: ChunkTask) -> list[ClaimedRelation]:
    """Return relations of missed names with the nearest other names of their sentences."""
    relations = []
    for mention in missed:
        others: dict[str, Mention] = {}
        for other in sorted(task.mentions, key=lambda m: abs(m.start - mention.start)):
            if mention.sentence_start <= other.start < mention.sentence_end:
                others.setdefault(other.name, other)
        for other in list(others.values())[:2]:
            first, second = sorted((mention, other), key=lambda m: m.start)
            weight = round(1.0 / distance_divisor(max(0, second.start - first.end)), 4)
            span = (mention.sentence_start, mention.sentence_end)
            relations.append(ClaimedRelation(first.name, second.name, *span, weight))
    return relations


def _likeliest(types: Mapping[str, float]) -> tuple[str, float]:
    return max(types.items(), key=lambda item: item[1])


def _is_name(types: Mapping[str, float]) -> bool:
    type_, p = _likeliest(types)
    return type_ not in (REJECTED, "concept") and p >= MISSED_FROM


def _build_name_claim(name: str, types: Mapping[str, float]) -> NameClaim:
    type_, p = _likeliest(types)
    if type_ == REJECTED and p < NO_NAME_FROM:
        return NameClaim(name)
    return NameClaim(name, type_, "", round(p, 3))


def _build_relations(
    relations: Sequence[ClaimedRelation],
    pairs: Sequence[_Pair],
    chosen: Sequence[Sequence[float]],
    kinds: Sequence[Kind],
) -> tuple[ClaimedRelation, ...]:
    """Return the relations of the chunk: judged ones with their kinds, the others unchanged."""
    made: dict[frozenset[str], ClaimedRelation | None] = {}
    for pair, found in zip(pairs, chosen, strict=True):
        relation = pair.relation
        p_none = sum(p for k, p in zip(kinds, found, strict=True) if k.key == NONE)
        kind, p = max(zip(kinds, found, strict=True), key=lambda item: item[1])
        weight = round(relation.weight * (1 - p_none), 4)
        if p_none >= NO_RELATION_FROM:
            judged = None
        elif kind.key in (NONE, SAME) or p < STATED_FROM:
            judged = replace(relation, weight=weight)
        else:
            judged = replace(relation, weight=weight, kind=kind.key, confidence=round(p, 3))
        made[frozenset((relation.source, relation.target))] = judged
    kept: list[ClaimedRelation | None] = []
    for relation in relations:
        ends = frozenset((relation.source, relation.target))
        kept.append(made.get(ends, relation))
        if ends in made:
            made[ends] = None  # a pair that occurs twice becomes one relation
    return tuple(r for r in kept if r is not None)


def _add_claims(
    task: ChunkTask, settings: EnrichSettings, split: SplitSentences, found: ChunkEvidence
) -> Talk:
    """Ask for claims as in the free form, after a list of the names in its format."""
    whole = replace(task, mentions=(*task.mentions, *found.mentions))
    types = {m.name: m.type for m in whole.mentions}
    types |= {claim.name: claim.type for claim in found.names if claim.type}
    names = [name for name, type_ in types.items() if type_ != REJECTED]
    if not names:
        return found
    descriptions = {claim.name: claim.description for claim in found.names}
    listed = tuple(
        EntityRecord(name, types[name], descriptions.get(name, ""))
        for name in names[: settings.max_entities]
    )
    claims = yield from extract_claims(
        whole,
        settings,
        EvidencePlacer(whole, split),
        f"{render_records(Records(listed))}\ndone",
        free_form_messages(settings, task.language),
    )
    # Only claims about names of the graph are kept.
    kept = (replace(c, object=c.object if c.object in names else "") for c in claims)
    return replace(found, claims=tuple(c for c in kept if c.subject in names))
