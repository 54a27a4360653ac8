"""Probability of each kind of relation, from the model's choice, cue words and the names' types.

A log-linear model (softmax over kinds). Its weights were fitted on 480 hand-labelled pairs of eight
English and Chinese novels with the starter model. On a book left out, 0.78 of the pairs with a
probability above 0.65 are right (by the model's own probabilities: 0.55). Both languages share one
set of weights, which limits overfitting.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, log

from ...prompt_program import share_out
from .relation_kinds import NONE, SAME, Kind

_EN = {
    "family": (
        r"(?:father|mother|sons?|daughters?|child|children|brothers?|sisters?|wife|husband|uncle|"
        r"aunt|nephew|niece|cousin|parents?|widow|grand(?:father|mother|son|daughter)|"
        r"(?:father|mother|brother|sister|son|daughter)-in-law)"
    ),
    "work": (
        r"(?:clerk|servant|master|mistress|employer|partner|teacher|tutor|pupil|apprentice|maid|"
        r"butler|housekeeper|secretary|coachman|governess|lieutenant|steward|assistant|landlord|"
        r"agent|colleague)"
    ),
    "friend": r"(?:friends?|companion|lover|sweetheart|fiancée?|betrothed|comrade|ally)",
    "enemy": r"(?:enem(?:y|ies)|rival|murderer|killer|foe)",
}
_ZH = {
    "family": (
        r"(?:父亲?|母亲?|爹|娘|妻子?|浑家|夫人|老婆|丈夫|儿子|女儿|之子|之女|兄弟|哥哥|弟弟|姐姐|妹妹|"
        r"叔叔|舅舅|侄儿?|外甥|女婿|嫂嫂|祖父|祖母|孙儿|[之亲]?弟|[之亲]?兄|婶)"
    ),
    "work": (
        r"(?:师父|徒弟|弟子|庄客|小厮|丫鬟|丫头|伴当|部将|手下|奴才|随从|主人|门生|副将|管家|心腹)"
    ),
    "friend": r"(?:朋友|好友|结义兄弟|结拜兄弟|相好|故人|旧友)",
    "enemy": r"(?:仇人|对头|仇家)",
}
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
    words, forms = (_ZH, _FORMS_ZH) if language == "zh" else (_EN, _FORMS_EN)
    for kind, word in words.items():
        if not re.search(word, text, re.IGNORECASE):
            continue
        for a, b in ((source, target), (target, source)):
            for form in forms:
                pattern = form.format(a=re.escape(a), b=re.escape(b), word=word)
                if re.search(pattern, text, re.IGNORECASE):
                    return kind
    return None


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
_SPEECH = {
    "en": r"{0}[^.]{{0,12}}(?:{1})|(?:{1})\s+{0}",
    "zh": r"{0}[^，。]{{0,4}}[道曰说问]",
}
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
        types: for each of the two names, the probability of each type, including `STRUCK`.
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
    pattern = _SPEECH.get(language, _SPEECH["en"])
    names = (re.escape(pair.source), re.escape(pair.target))
    return sum(_matches(pattern.format(name, _VERBS), pair.text) for name in names)


def _matches(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE) is not None
