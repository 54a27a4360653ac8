"""The kinds of relations between which a model chooses, with their cues in a text.

A small model often recognizes a relation that it can't describe, and is often wrong if no word of
the text supports its choice. So each kind has cue words and conditions on the types of the two
names; `kind_scoring.py` combines them with the model's probabilities.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

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
    {
        "en": "master and servant, teacher and pupil, partners, rank",
        "zh": "主仆、师徒、上下级",
    },
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
    {
        "en": "one made, wrote, proposed or owns the other",
        "zh": "一方提出、写作、制造或拥有另一方",
    },
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
