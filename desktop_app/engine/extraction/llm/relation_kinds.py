"""The kinds of relations between which a model chooses, with their cues in a text.

A small model often recognizes a relation that it can't describe, and is often wrong if no word of
the text supports its choice. So each kind has cue words and conditions on the types of the two
names; `score_kinds` combines them with the model's probabilities.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import inf, log

from ...prompt_program import share_out
from ...word_lists import load_table

NONE = "none"
SAME = "same"


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """A kind of relation.

    Attributes:
        key: the stored value.
        labels, meanings, cues: by language; a cue is a regular expression, "" if no words
            indicate the kind.
        near: the cue counts only near the names, else anywhere in the sentences.
        types: at least one of the two names must have one of these types; empty for any.
        people: both names must be persons or organisations.
        bias: added to the model's log-probability, to correct kinds it chooses too rarely or
            too often.
    """

    key: str
    labels: dict[str, str]
    meanings: dict[str, str]
    cues: dict[str, str] = field(default_factory=dict)
    near: bool = True
    types: frozenset[str] = frozenset()
    people: bool = False
    bias: float = 0.0

    def label(self, language: str) -> str:
        return self.labels.get(language, self.labels["en"])

    def meaning(self, language: str) -> str:
        return self.meanings.get(language, self.meanings["en"])


_TABLE = load_table("relation_kinds")


def _build_kind(name: str) -> Kind:
    values = {"key": name, "cues": {}} | _TABLE["kinds"][name]
    values["cues"] = {language: "".join(parts) for language, parts in values["cues"].items()}
    return Kind(**values | {"types": frozenset(values.get("types", ()))})


_KINDS = {name: _build_kind(name) for name in _TABLE["kinds"]}
KIND_SETS: dict[str, tuple[Kind, ...]] = {
    domain: tuple(_KINDS[name] for name in names) for domain, names in _TABLE["sets"].items()
}
"""The kinds for stories, papers and other texts."""

_SPEECH = re.compile(r"[“”「」]|\b(?:said|cried|replied|asked)\b|[说道曰][：:，“]")
_SCHOLARLY = re.compile(
    r"et al\.?|\[\d+(?:, ?\d+)*\]|\b(?:we (?:propose|present|show)|baseline|dataset|Figure \d|"
    r"Table \d|experiments?|algorithm|method)\b|本文|实验|方法|数据集"
)


@lru_cache(maxsize=32)
def build_custom_kinds(words: tuple[str, ...], domain: str = "general") -> tuple[Kind, ...]:
    """Return the kinds that the user named: built-in ones with their cues, others without.

    A built-in kind is found by its key or its label in any language, in the set of the domain
    before the other sets.
    """
    known: dict[str, Kind] = {}
    for kind in (k for kinds in (KIND_SETS[domain], *KIND_SETS.values()) for k in kinds):
        for word in (kind.key, *kind.labels.values()):
            known.setdefault(word.casefold(), kind)
    made: dict[str, Kind] = {}
    for word in (" ".join(word.split()) for word in words):
        kind = known.get(word.casefold()) or Kind(word, {"en": word}, {"en": word})
        if word and kind.key not in (NONE, SAME):
            made.setdefault(kind.labels["en"].casefold(), kind)
    return (*made.values(), _KINDS[SAME], _KINDS[NONE])


def guess_domain(text: str) -> str:
    """Return "story", "paper" or "general", by the wording of the text; see `KIND_SETS`."""
    per = 1000 / max(len(text), 400)
    if len(_SCHOLARLY.findall(text)) * per > 2.0:
        return "paper"
    return "story" if len(_SPEECH.findall(text)) * per > 1.0 else "general"


# {a} and {b} are the names, {word} the words of a kind.
_FORMS_EN = (
    r"{a}['’]s (?:[\w-]+ ){{0,2}}{word},? {b}\b",
    r"\b{b}, (?:the )?(?:[\w-]+ ){{0,2}}{word} (?:of|to) {a}\b",
    r"\b{b}, {a}['’]s (?:[\w-]+ ){{0,2}}{word}(?<!s)\b",  # a plural starts the next item
    r"{a},? (?:and|with) (?:his|her|their) (?:[\w-]+ ){{0,2}}{word},? {b}\b",
    r"{b} (?:is|was) {a}['’]s (?:[\w-]+ ){{0,2}}{word}\b",
    r"{b} (?:is|was) (?:the |an? )(?:[\w-]+ ){{0,2}}{word} (?:of|to) {a}\b",
    r"{a} and {b},? (?:who )?(?:are|were|had been) (?:[\w-]+ ){{0,2}}{word}\b",
)
_FORMS_ZH = (
    r"{a}(?:的|之)?{word}[，、]?(?:名?[唤叫]做?)?{b}",
    r"{b}，?(?:乃|是|系|乃是|便是)?{a}(?:的|之){word}",
    r"{b}(?:乃|是|系|乃是|便是){a}{word}",
)


def find_stated_kind(text: str, source: str, target: str, language: str) -> str | None:
    """Return the kind that a phrase like "A's wife B" states, None if there is no such phrase."""
    words: dict[str, list[str]] = _TABLE["stated"]["zh" if language == "zh" else "en"]
    forms = _FORMS_ZH if language == "zh" else _FORMS_EN
    for kind, parts in words.items():
        word = "".join(parts)
        if not re.search(word, text, re.IGNORECASE):
            continue
        for a, b in ((source, target), (target, source)):
            for form in forms:
                pattern = form.format(a=re.escape(a), b=re.escape(b), word=word)
                if re.search(pattern, text, re.IGNORECASE):
                    return kind
    return None


_ROLES = re.compile(
    "|".join("".join(parts) for words in _TABLE["stated"].values() for parts in words.values()),
    re.IGNORECASE,
)


def is_role(kind: str) -> bool:
    """Return whether a kind that the user typed is what one is of the other: "father", 哥哥."""
    return _ROLES.fullmatch(kind) is not None


NEAR_CHARS = 60  # characters around the two names in which a cue counts
MODEL_WEIGHT = 0.4  # of the model's log-probability; larger models may deserve more
NEAR_CUE_WEIGHT = 0.75
CUE_WEIGHT = 0.4
ACTOR_WEIGHT = 0.9
PLACE_WEIGHT = 1.0
DISTANCE_WEIGHT = 0.8  # for "none", per 100 characters between the names, at most 200
NOT_A_NAME_WEIGHT = 1.0  # for "none", if one of the names is not a name
TWO_PEOPLE_FROM = 0.5  # probability from which both names are people: no "place" relation
DISTANT_PLACES_WEIGHT = 0.7  # for "none", if both are places and not adjacent
NAMES_BETWEEN_WEIGHT = 0.3  # for "none", per other name between the two, at most four
SPEAKER_WEIGHT = 0.5  # for "talk", per name that speaks or is addressed
SENTENCES_BETWEEN_PENALTY = 0.45  # subtracted from other kinds, per sentence between the two
STATED_KIND_WEIGHT = 5.0  # for the kind that a phrase states, see `find_stated_kind`
NOT_LOCATED_PENALTY = 3.0  # subtracted from "place" without a preposition between the names
POSSESSIVE_PENALTY = 2.0  # subtracted between people if one name is only an owner ("Anna's cat")
NAME_LIST_WEIGHT = 1.5  # for "none", in a list of many names
NAME_LIST_FROM = 6
CONTAINED_NAME_WEIGHT = 3.0  # for "same", if one name contains the other
_FLOOR = 0.02
_ENDS = re.compile(r"[.!?。！？]")
_MAX_PLACE_DISTANCE = 60  # characters between a place and the other name
_TO_PLACE = (
    r"\b(?:in|at|from|to|of|near|into|through|towards?|for|reached|left|visit\w*)"
    r"(?: [\w’'-]+){0,2}\s*$|^,? *$|^, (?:in|near) $"
)
_SPEECH_BY = {"en": r"{0}[^.]{{0,12}}(?:{1})|(?:{1})\s+{0}", "zh": r"{0}[^，。]{{0,4}}[道曰说问]"}
_VERBS = (
    "said|cried|replied|asked|returned|answered|exclaimed|observed|whispered|told|saw|looked at|"
    "addressed|met|thanked|called"
)


@dataclass(frozen=True, slots=True)
class PairContext:
    """A pair of names with its sentences.

    Attributes:
        text: the sentences, with white space collapsed.
        others: the other names of the chunk.
        types: for each of the two names, the probability of each type, including `REJECTED`.
    """

    text: str
    source: str
    target: str
    others: frozenset[str]
    types: tuple[Mapping[str, float], Mapping[str, float]]


def score_kinds(
    kinds: Sequence[Kind], logprobs: Sequence[float], pair: PairContext, language: str
) -> list[float]:
    """Return the probability of each kind, in the order of `kinds`.

    Args:
        logprobs: log-probability of each kind by the model.
    """
    near, between = find_near(pair.text, pair.source, pair.target)
    n_sentences = min(3, len(_ENDS.findall(between)))
    acts = _both_have_type(pair, ("person", "organisation"))
    where = 1 - (1 - pair.types[0].get("place", 0.0)) * (1 - pair.types[1].get("place", 0.0))
    stated = find_stated_kind(near, pair.source, pair.target, language)
    leads = _leads_to_place(pair, between, language)
    owns = any(_is_only_owner(pair.text, name, language) for name in (pair.source, pair.target))
    scores = []
    for kind, logprob in zip(kinds, logprobs, strict=True):
        score = MODEL_WEIGHT * logprob + kind.bias + STATED_KIND_WEIGHT * (kind.key == stated)
        if cue := kind.cues.get(language, ""):
            score += NEAR_CUE_WEIGHT * _matches(cue, near if kind.near else pair.text)
            score += CUE_WEIGHT * _matches(cue, pair.text)
        else:
            score += (NEAR_CUE_WEIGHT + CUE_WEIGHT) / 2
        if kind.people:
            score += ACTOR_WEIGHT * log(acts + _FLOOR)
            score -= POSSESSIVE_PENALTY * (owns and kind.key != stated)
        if kind.types:
            score += PLACE_WEIGHT * log(where + _FLOOR)
            score -= NOT_LOCATED_PENALTY * (not leads)
            if _both_have_type(pair, ("person",)) >= TWO_PEOPLE_FROM:
                score = -inf
        if kind.key == NONE:
            score += _score_no_relation(pair, between)
        elif kind.key == SAME:
            score += CONTAINED_NAME_WEIGHT * _holds_other(pair.source, pair.target)
        elif kind.key == "talk":
            score += SPEAKER_WEIGHT * _count_speakers(pair, language)
        else:
            score -= SENTENCES_BETWEEN_PENALTY * n_sentences
        scores.append(score)
    return share_out(scores)


def find_near(text: str, source: str, target: str) -> tuple[str, str]:
    """Return the text around the closest occurrences of the two names, and the text between."""
    best: tuple[int, int, int, int, int] | None = None
    spans = [[m.span() for m in re.finditer(re.escape(name), text)] for name in (source, target)]
    for a in spans[0]:
        for b in spans[1]:
            first, second = sorted((a, b))
            distance = second[0] - first[1]
            if distance >= 0 and (best is None or distance < best[0]):
                best = (distance, first[0], first[1], second[0], second[1])
    if best is None:
        return text, text
    _, start, left, right, end = best
    return text[max(0, start - NEAR_CHARS) : end + NEAR_CHARS], text[left:right]


def _score_no_relation(pair: PairContext, between: str) -> float:
    """Return the score of "none": distance, names between, and words that are not names."""
    n_between = sum(name in between for name in pair.others)
    score = DISTANCE_WEIGHT * min(len(between), 200) / 100 + NAMES_BETWEEN_WEIGHT * min(
        n_between, 4
    )
    score += NAME_LIST_WEIGHT * (
        sum(name in pair.text for name in pair.others) + 2 >= NAME_LIST_FROM
    )
    named = (1 - pair.types[0].get("none", 0.0)) * (1 - pair.types[1].get("none", 0.0))
    score += NOT_A_NAME_WEIGHT * (1 - named)
    if len(between) > 30:
        score += DISTANT_PLACES_WEIGHT * _both_have_type(pair, ("place",))
    return score


def _leads_to_place(pair: PairContext, between: str, language: str) -> bool:
    """Return whether a preposition of place precedes the second name, or both are one address.

    Two places are related only if nothing else is between them ("Hunsford, near Westerham,
    Kent"). In Chinese the same sentence is enough.
    """
    n_between = sum(name in between for name in pair.others)
    if len(between) > _MAX_PLACE_DISTANCE or n_between > 1 or _ENDS.search(between):
        return False
    if _both_have_type(pair, ("place",)) > 0.5 and len(between) > _MAX_PLACE_DISTANCE // 3:
        return False
    return language == "zh" or _matches(_TO_PLACE, between)


def _holds_other(source: str, target: str) -> bool:
    """Return whether one name contains all words of the other ("Cratchit", "Bob Cratchit")."""
    a, b = (frozenset(re.findall(r"\w+", name.casefold())) for name in (source, target))
    return a <= b or b <= a or source in target or target in source


def _is_only_owner(text: str, name: str, language: str) -> bool:
    """Return whether a name occurs only as a possessive."""
    owner = "的" if language == "zh" else "['’]s? "
    n_all = len(re.findall(re.escape(name), text))
    return 0 < n_all <= len(re.findall(re.escape(name) + owner, text))


def _both_have_type(pair: PairContext, types: Sequence[str]) -> float:
    shares = [sum(one.get(t, 0.0) for t in types) for one in pair.types]
    return shares[0] * shares[1]


def _count_speakers(pair: PairContext, language: str) -> int:
    pattern = _SPEECH_BY.get(language, _SPEECH_BY["en"])
    names = (re.escape(pair.source), re.escape(pair.target))
    return sum(_matches(pattern.format(name, _VERBS), pair.text) for name in names)


def _matches(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE) is not None
