"""The kinds of relations between which a model chooses, with their cues in a text.

A small model often recognizes a relation that it can't describe, and is often wrong if no word of
the text supports its choice. So each kind has cue words and conditions on the types of the two
names; `kind_scoring.py` combines them with the model's probabilities.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import inf, log

from ...prompt_program import share_out

# ruff: noqa: E501 - word lists are easier to read in one line


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


_FAMILY_EN = (
    r"\b(?:(?:grand|step)?(?:father|mother|sons?|daughters?|child(?:ren)?)|(?:half-)?brothers?|"
    r"sisters?|wife|wives|husband|uncle|aunt|nephews?|nieces?|cousins?|parents?|marr(?:y|ied|iage)|"
    r"wedding|widow(?:er)?|mamma|papa|(?:father|mother|brother|sister|son|daughter)-in-law|born to)\b"
)
_FAMILY_ZH = r"[父母爹娘婶嫂叔舅侄婿爷]|儿子|女儿|孩儿|妻|夫人|老婆|浑家|丈夫|兄弟|哥哥|姐|妹|外甥|祖父|祖母|之子|成亲|娶|嫁"
_PLACE_EN = (
    r"\b(?:in|at|from|to|of|near|into|through|towards?|for|left|reached|visit\w*|liv\w+|born|lies|"
    r"located|stay\w*|arriv\w*|return\w*|based|city|town|village|county|country|capital|where)\b"
)
_PLACE_ZH = r"[在到来去离往住上里回投奔过至从入出]|地面|人氏|位于|城|县|庄|山"
_WHERE = frozenset({"place", "organisation"})

_FAMILY = Kind(
    "family",
    {"en": "family", "zh": "亲属"},
    {"en": "relatives, or married", "zh": "亲戚、夫妻"},
    {"en": _FAMILY_EN, "zh": _FAMILY_ZH},
    people=True,
    bias=0.3,
)
_PLACE = Kind(
    "place",
    {"en": "place", "zh": "地点"},
    {
        "en": "somebody or something is in, comes from or goes to a place",
        "zh": "人或物在某地、来自或去某地",
    },
    {"en": _PLACE_EN, "zh": _PLACE_ZH},
    types=_WHERE,
    bias=0.6,
)
_WORK = Kind(
    "work",
    {"en": "work", "zh": "主从"},
    {"en": "master and servant, teacher and pupil, partners, rank", "zh": "主仆、师徒、上下级"},
    {
        "en": r"\b(?:clerks?|servants?|master|mistress|employ\w*|partners?|teach\w*|pupils?|"
        r"apprentice\w*|maids?|butler|housekeeper|captain|colonel|lieutenant|serv(?:ed|es|ing|ice)|"
        r"orders?|commission|firm|boss|director|chief|president|minister|king|queen|professor|"
        r"work\w*|business|head of|member|leader|general)\b",
        "zh": r"师父|师傅|徒弟|庄客|差|使人|命|教头|太尉|小人|伴当|随从|主人|拜|手下|丫鬟|奴|部下|麾下|将军|知府|先锋|头领",
    },
    bias=-1.2,
)
_NONE = Kind(
    NONE,
    {"en": "none", "zh": "无关"},
    {
        "en": "the text names both but tells nothing of the two together",
        "zh": "文中提到两者，但没说两者有什么关系",
    },
    bias=-0.1,
)
_SAME = Kind(
    SAME,
    {"en": "same", "zh": "同一"},
    {"en": "two names of one and the same", "zh": "同一个人的两个名字"},
    bias=-0.9,
)

_TALK = Kind(
    "talk",
    {"en": "talk", "zh": "交谈"},
    {"en": "they talk to, meet, see or think of each other", "zh": "说话、相见、看见、提到"},
    {
        "en": r"[“”\"]|\b(?:said|says|say|asked|told|tell|repli\w+|cried|answer\w*|spoke|speak\w*|"
        r"talk\w*|saw|see|seen|met|meet\w*|look\w*|call\w*|address\w*|exclaim\w*|return\w*|whisper\w*|"
        r"visit\w*|thought|think\w*|heard|observ\w*|inquir\w*|introduc\w*|accompan\w*|follow\w*)\b",
        "zh": r"道|说|問|问|[“”「」]|见|請|请|叫|辞|喝|告|禀|答|看",
    },
    near=False,
    people=True,
    bias=2.2,
)
_ENEMY = Kind(
    "enemy",
    {"en": "enemy", "zh": "敌对"},
    {"en": "they quarrel, fight or harm", "zh": "争吵、打斗、加害"},
    {
        "en": r"\b(?:enem\w+|hat(?:e|ed|red|es)|fight\w*|fought|kill\w*|struck|strike|quarrel\w*|"
        r"attack\w*|murder\w*|ang(?:er|ry|rily)|against|threat\w*|displeas\w+|dislik\w+|cheat\w*|harm\w*|"
        r"beat|revenge|insult\w*|contempt|rival\w*|shot|wound\w*)\b",
        "zh": r"打|杀|骂|喝道|仇|恨|害|拿住|厮|捉|斗|战|刺|砍|绑|攻|败|追|怒",
    },
    people=True,
    bias=-0.1,
)
_PART = Kind(
    "part",
    {"en": "part", "zh": "组成"},
    {
        "en": "one is a part, a kind or a member of the other",
        "zh": "一方是另一方的部分、种类或成员",
    },
    {
        "en": r"\b(?:parts?|consist\w*|includ\w*|contain\w*|member|kind|type|such as|component\w*|of|"
        r"compris\w*|variant|version|subset|family|called|known as|is an?)\b",
        "zh": r"包括|包含|属于|部分|成员|一种|组成|其中|的",
    },
)
_MADE = Kind(
    "made",
    {"en": "made", "zh": "提出"},
    {"en": "one made, wrote, proposed or owns the other", "zh": "一方提出、写作、制造或拥有另一方"},
    {
        "en": r"\b(?:by|propos\w*|develop\w*|introduc\w*|wr(?:ote|itten)|author\w*|creat\w*|releas\w*|"
        r"present\w*|publish\w*|et al|found\w*|own\w*|from)\b|\(\d{4}",
        "zh": r"提出|开发|发表|作者|创建|发布|由|写",
    },
)

STORY = (
    _TALK,
    _FAMILY,
    Kind(
        "friend",
        {"en": "friend", "zh": "朋友"},
        {"en": "friends, lovers, companions or helpers", "zh": "朋友、结拜、同伴、相助"},
        {
            "en": r"\b(?:friends?|friendship|companions?|lov(?:e|ed|er|ers|es|ing)|admir\w+|fond|dear\w*|"
            r"help\w*|sav(?:e|ed)|embrac\w+|kiss\w*|danc\w+|fellow|partners?|introduc\w+|acquaintance|"
            r"together|engaged|affection\w*|comrades?|with)\b",
            "zh": r"朋友|结义|结拜|弟兄|兄弟|相识|好汉|一同|同来|相助|救|赴席|饮酒|吃酒|三人|二人|两个|三个|众|和|同|与",
        },
        people=True,
        bias=-0.7,
    ),
    _ENEMY,
    _WORK,
    _PLACE,
    _SAME,
    _NONE,
)
PAPER = (
    Kind(
        "uses",
        {"en": "uses", "zh": "使用"},
        {"en": "one uses, applies or is built on the other", "zh": "一方使用、应用或基于另一方"},
        {
            "en": r"\b(?:us(?:e|es|ed|ing)|appl\w+|bas(?:ed|es)|built|buil(?:d|ds|ding)|adopt\w*|employ\w*|"
            r"leverag\w*|train\w*|extend\w*|implement\w*|via|through|with|on)\b",
            "zh": r"用|基于|采用|应用|利用|依靠|通过",
        },
    ),
    _PART,
    Kind(
        "compares",
        {"en": "compared", "zh": "比较"},
        {"en": "the two are compared, or one beats the other", "zh": "两者相比，或一方胜过另一方"},
        {
            "en": r"\b(?:compar\w*|than|outperform\w*|better|worse|versus|vs|unlike|while|whereas|baseline\w*|"
            r"beat\w*|similar\w*|differ\w*|both|exceed\w*|surpass\w*)\b",
            "zh": r"比|优于|胜过|相比|不同|相同|超过",
        },
    ),
    Kind(
        "causes",
        {"en": "causes", "zh": "导致"},
        {
            "en": "one brings about, improves or hinders the other",
            "zh": "一方导致、促进或妨碍另一方",
        },
        {
            "en": r"\b(?:caus\w*|lead\w*|led|improv\w*|increas\w*|reduc\w*|affect\w*|result\w*|enabl\w*|"
            r"prevent\w*|hinder\w*|produc\w*|driv\w*|boost\w*|limit\w*)\b",
            "zh": r"导致|引起|提高|降低|影响|造成|使得|促进",
        },
    ),
    _MADE,
    _PLACE,
    _SAME,
    _NONE,
)
GENERAL = (
    _PLACE,
    _PART,
    _FAMILY,
    Kind(
        "work",
        {"en": "work", "zh": "任职"},
        {"en": "works for, leads, plays for or studied at", "zh": "任职、领导、效力或就读"},
        _WORK.cues,
    ),
    Kind(
        "made",
        {"en": "made", "zh": "创作"},
        {
            "en": "one wrote, made, founded, performed or owns the other",
            "zh": "一方创作、创办、演出或拥有另一方",
        },
        {
            "en": _MADE.cues["en"]
            + r"|\b(?:album|song|film|band|record\w*|star\w*|direct\w*|perform\w*|"
            r"series|book|novel|label|company)\b",
            "zh": _MADE.cues["zh"] + r"|主演|导演|专辑|歌曲|电影|公司",
        },
    ),
    _TALK,
    _ENEMY,
    _SAME,
    _NONE,
)
KIND_SETS: dict[str, tuple[Kind, ...]] = {"story": STORY, "paper": PAPER, "general": GENERAL}
_SPEECH = re.compile(r"[“”「」]|\b(?:said|cried|replied|asked)\b|[说道曰][：:，“]")
_SCHOLARLY = re.compile(
    r"et al\.?|\[\d+(?:, ?\d+)*\]|\b(?:we (?:propose|present|show)|baseline|dataset|Figure \d|Table \d|"
    r"experiments?|algorithm|method)\b|本文|实验|方法|数据集"
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
    return (*made.values(), _SAME, _NONE)


def guess_domain(text: str) -> str:
    """Return "story", "paper" or "general", by the wording of the text; see `KIND_SETS`."""
    per = 1000 / max(len(text), 400)
    if len(_SCHOLARLY.findall(text)) * per > 2.0:
        return "paper"
    return "story" if len(_SPEECH.findall(text)) * per > 1.0 else "general"


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
    pattern = _SPEECH_BY.get(language, _SPEECH_BY["en"])
    names = (re.escape(pair.source), re.escape(pair.target))
    return sum(_matches(pattern.format(name, _VERBS), pair.text) for name in names)


def _matches(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE) is not None
