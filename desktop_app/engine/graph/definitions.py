"""Chooses the sentences of the text that define a name: whole ones that say who or what it is.

They stand in place of a description where no model or user wrote one. A sentence is chosen only for
its form (“Nelly, the housekeeper, …”, “MuPDF is a library for …”, 唐僧乃…): where none has such a
form, there is no definition, because a sentence that merely has the name describes nothing.

The other order, of introductions, has weaker signs and leaves none out: it is for lists of
sentences, where a bad one costs a line and not a wrong description. The weights that are stored
with the mentions, which ranking uses, are of the extraction.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from ..model import MentionRow
from ..writing_systems import HAN, has_han

_DETERMINER = r"(?:an?|the|one of (?:the|his|her|my|our|their)|his|her|my|our|their|its)"
# After the verb or a comma these begin no class of things, but a rank, a time, a degree or a
# cause: "was the first to speak", "Rachel, the next day,", "was a little pale", "was the cause".
_NO_CLASS = (
    r"(?!(?:very |most |least )?(?:(?:first|second|third|fourth)"
    r"(?! (?:\w+maid|footman|housekeeper|wife|husband|son|daughter|officer|mate)\b)"
    r"|next|last|latter|former|only|same|other|rest|elder|younger|senior|junior|sooner|whole|one"
    r"|more|most|less|least|best|worst|better|worse|moment|minute|instant|hour|day|night|week"
    r"|month|year|morning|evening|time|while|little|bit|few|trifle|shade|good deal|great deal|good"
    r" many|matter|question|case|reason|cause|motive|result|subject|object|victim|sort|kind|thing"
    r"|way|picture|person|dear|love|lad|sir)\b)"
)
_IS = r"(?:is|was|are|were|became|had been|has been)"
# The name is the subject: it begins the sentence or a clause after one of these marks.
_CLAUSE_START = re.compile(
    r"(?:^|[.;:—]|--)[\s_*(]*(?:(?:and|but|for|now|so|then|yes|well),?\s+)?"
    r"(?:(?:the|an?|this|our|my|old|poor|young|little|dear)\s+){0,2}"
    # "The person here mentioned as Rosanna was our second housemaid."
    r"(?:(?:the\s+)?(?:person|man|woman|place|town|village|thing)\s+(?:\w+\s+){0,2}?"
    r"(?:known|mentioned|called|named)\s+(?:as\s+)?)?[_*]?$",
    re.IGNORECASE,
)
_PREDICATE = re.compile(
    rf"[_*]?(?:\s\([^()]{{1,60}}\))?(?:,[^,.;:!?]{{1,60}},)?\s+{_IS}\s+(?:(?:also|now|once|then|\w+ly)"
    rf"\s+)?(?P<determiner>{_DETERMINER})\s+{_NO_CLASS}(?P<class>[^.;!?]{{3,}})"
)
# "the" begins a description of one thing only with what it belongs to: "the capital of France".
_OF_WHAT = re.compile(r"(?:[\w'’-]+\s+){1,3}(?:of|at|in|to|for|where|that|which|who)\b")
_KIN = (
    r"(?:father|mother|son|daughter|brother|sister|husband|wife|widow|uncle|aunt|cousin|nephew|niece"
    r"|child|grandfather|grandmother|grandson|granddaughter|step-?(?:father|mother|son|daughter)"
    r"|(?:father|mother|son|daughter|brother|sister)-in-law|godfather|godmother|ward|guardian)"
)
# Who somebody is, not what somebody thinks of them ("a wonderful man", "a perfect savage"): words
# for relatives, words that are formed from what one does, and where one belongs to.
_WHO = re.compile(
    rf"(?:[\w'’-]+\s+){{0,3}}?(?:{_KIN}\b|\w{{2,}}(?:er|or|ist|ian|ant|ress|man|maid|keeper|master)\b"
    r"(?!\s+\w+(?:man|savage|fellow)\b)|\w+\s+(?:of|from|in|at)\s+(?:the\s+)?[A-Z])"
)
_NO_ROLES = re.compile(
    r"\b(?:gentleman|woman|man|matter|manner|character|favor|honor|horror|terror|stranger|monster"
    r"|better|never|ever|rather|other|either|together|master of|for|paper|letter|answer|danger"
    r"|number|clever|sober|eager|bitter|tender|proper|inferior|superior|pleasant|elegant|brilliant"
    r"|important|constant|distant)\b"
)
# A short group of words between commas. A longer one may be the main clause after a subordinate one
# ("When he saw Rachel, the lawyer told her"), and several nouns may be a list.
_APPOSITION = re.compile(
    rf"[_*]?,\s+(?:{_DETERMINER}\s+{_NO_CLASS}|(?=(?:son|daughter|wife|widow|sister|brother)\b))"
    r"(?!(?:lady|lord|mistress|master|friend|boy|girl|child|honou?r)\b)"
    r"(?P<class>(?:[a-z][\w'’-]*\s+){0,2}[a-z][\w'’-]*(?:\s+and\s+[a-z-]+(?:\s+[a-z-]+)?)?"
    r"(?:\s+(?:of|at|in|from|to|for|on)\s+(?:[\w'’.-]+\s+){0,3}[\w'’-]+)?)"
    r"(?P<end>,(?!\s+and\b)|[.;)—]|--|\s+(?:that|which|who)\s)"
)
# The comma ends a clause that began before the name: "After the loss of the Moonstone, our friend"
_SUBORDINATE = re.compile(
    r"^\W*(?:after|before|when|while|as|if|since|though|although|because|until|by|in|on|at|with|to"
    r"|from|under|without|instead|\w+ing|\w+ed)\b[^,;:]*$",
    re.IGNORECASE,
)
_LIVES = re.compile(
    r"\s+(?:was born (?:in|at|on)|lived (?:in|at|with)|lives (?:in|at|with)"
    r"|lies (?:in|on|at|between)|stands (?:in|on|at)|is (?:situated|located|spoken) )"
)
# What a thing of a manual or a paper does says what it is.
_DOES = re.compile(
    r"\s+(?:stands for|is short for|refers to|denotes|represents|describes|defines|consists of"
    r"|provides|implements|(?:is|are) used (?:to|for|by|in|as))\s+\w"
)
_ROLE = re.compile(
    r"\b(?:an?|another|certain)\s+(?:[\w'’-]+\s+){1,5}?"
    r"(?:named|called|by the name of|of the name of)\s+[_]?$"
    rf"|['’]s\s+(?:[a-z-]+\s+){{0,2}}{_KIN},?\s+[_]?$"
)
# "His assistant--a certain Mr. Ezra Jennings--was", "her butler, Samuel, opened": the name is
# between two marks of the same kind.
_HELD_ROLE = re.compile(
    r"\b(?i:his|her|my|our|their)\s+(?:[a-z-]+\s+){0,2}"
    rf"(?:{_KIN}|[a-z]{{2,}}(?:er|or|ist|ian|ant|maid|keeper))(?P<mark>,\s|\s?(?:--|—)\s?)"
    r"(?:a certain\s+|one\s+)?(?:(?:Mr|Mrs|Miss|Dr)\.?\s+)?[_]?$"
)
_ONLY_TITLE = re.compile(r"[\s_*]*(?:(?:Mr|Mrs|Miss|Dr|Sir|Lady|Lord)\.?\s+)?$")
_GERUND = re.compile(r"\w+ing\b")  # "London, the buying of the car, and …"
_SHORT_FORM = re.compile(r"[A-Z][A-Z0-9]{1,7}")
_LONG_FORM = re.compile(r"((?:[A-Za-z][\w-]*\s+){2,8})\(\s*$")

_CHINESE_START = re.compile(
    r"(?:^|[，。；：！、…—\s])(?:原来|原來|且说|且說|却说|卻說|话说|話說|那|这|這|此|只因|因|盖|蓋|有|又有)?$"
)
_NO_CHINESE_CLASS = r"(?![谁誰何甚什怎哪那我你他她它否不好对對这這时時日夜故以非必也了])"
# 乃 alone is "then" before a verb (玄德乃拜单福为军师), unless its clause ends as a class does.
_IS_CHINESE = (
    r"乃(?=[^，。；为為]{1,16}(?:(?:(?<![一二三两兩四五六七八九十众眾数數])人|[汉漢处處也者])"
    r"(?=[，。；但而]|$)|之[子女孙孫臣将將士妻弟兄父母徒后]))"
)
_CHINESE_PREDICATE = re.compile(
    rf"(?:乃是|原是|本是|便是|就是|是|系|係|{_IS_CHINESE}){_NO_CHINESE_CLASS}"
)
# Who a person is ends in one of these, early: 直性的汉子, 武官, 天蓬元帅; not 熬炼过的身体.
_CHINESE_WHO = re.compile(
    r"[^，。；]{0,10}?(?:人(?<!的人)|[汉漢子官将將女儿兒客家士王仙神帝后妃主星妖怪精兄弟妻母父徒帅帥生匠商奴婢鬟童妇婦师師究户戶]"
    r"|僧(?=[，。；]))"
)
_CHINESE_PERSON = re.compile(
    r"[，,]?(?:本?姓(?![名氏])|表字|字(?=[^，。]{1,3}[，。])|绰号|綽號|诨名|諢名|人称|人稱|生得|年方|祖贯|祖貫|原籍)"
    r"|[，,]?[^，。！？“”]{1,10}(?:人氏|人也)[，。]|者，[^，。]{2,20}也"
)
_CHINESE_NAMING = re.compile(
    r"(?:唤做|唤作|喚做|喚作|叫做|叫作|名叫|名唤|名喚|名为|名為|名曰|双名|雙名|学名|學名|乳名|小名|单名|單名|法名|绰号|綽號"
    r"|姓[^，。！？“”]{1,2}[，,]?名)[‘“]?$"
)
_CHINESE_CALLED = re.compile(r"[叫称稱唤喚][他她它](?:作|做|为|為)?[‘“]?$")  # 渡口上都叫她柳三娘
_CHINESE_KIN = re.compile(
    r"(?:之|的)(?:子|女|妻|父|母|兄|弟|姊|妹|孙|孫|侄|徒弟|儿子|兒子|女儿|女兒|妻子|丈夫|母亲|母親|父亲|父親|妹妹|姐姐"
    r"|哥哥|弟弟|丫鬟|丫头|媳妇|奶妈|乳母|师父|師父)[，,]?$"
)
# A name in two parts: 姓沈，名衡, 姓鲁双名智深.
_GIVEN = "[，,]?[单單双雙]?名[唤喚叫为為曰]?"
_SPLIT_NAME = re.compile(f"姓[^，。！？“”]{{1,2}}{_GIVEN}[^，。！？“”]{{1,2}}")
# The name ends its clause, or the naming goes on: 一个唤做清风一个唤做明月, 姓宋名江表字公明.
_AFTER_NAMING = re.compile(
    r"[’”]?(?:也|者|了)?(?:[，。；！：、]|$|[一又]个|[一又]個|表?字|绰号|綽號)"
)
_NAMED_AT_LAST = re.compile(r"[’”]?(?:也|了)?[。！]?[”」』’]*$")

_WHOLE = re.compile(r"^[\s_*\"“‘'(]*[A-Z0-9][\s\S]*[.!…][\"”’'_*)\]]*$")
_WHOLE_CHINESE = re.compile(r"^[^，。；：！？、”」』）][^？?]*[。！][”」』）]?$")
_CODE = re.compile(r"[{}<>=*/\\|]{2,}|\w+\(\w*|\s\*\w|;\s(?=[^;]*;)(?=\w+ \w+;)|\.\s?\.\s?\.\s?\.")
_MAX_CHARS = {True: 110, False: 280}
# Who says "I" or "you" in Chinese prose speaks or is spoken to; Latin novels have narrators.
# So does who calls himself 老爷 or 小人: what he says of himself may be a lie (假李逵).
_CHINESE_SPEAKER = re.compile(
    "[我你吾汝俺咱]|老爷|老爺|洒家|小人|小的|小可|小生|晚生|在下|贫僧|貧僧|贫道|貧道|老夫|老身|奴家"
)
_LONG_QUOTATION = re.compile(r"[“\"「『][^”\"」』]{30,}|[：:]\s*[“\"「『]")


def choose_definitions(
    mentions: Iterable[MentionRow],
    *,
    is_person: bool,
    limit: int = 2,
    least: float = 0.0,
    only_best: bool = False,
    is_spoken: Callable[[MentionRow], bool] = lambda _: False,
) -> list[MentionRow]:
    """Return the mentions whose sentences define the name, in reading order; none if none does.

    The best `limit` ones are chosen; of equally good ones those that stand first in a document.
    One that is chosen only where there is none better stands alone.

    Args:
        least: only sentences that define it more surely than this (`ONLY_NAMED`).
        only_best: no sentence that defines it less surely than the first one chosen.
        is_spoken: whether a sentence is direct speech, which need not be true; asked of those that
            would be chosen only, and not of those that end with a name that they give: nearly all
            Chinese people get theirs in a dialogue (自今就叫做孙悟空也！).
    """
    found = [(one, _value(one, is_person=is_person)) for one in mentions]
    found = [(one, value) for one, value in found if value > least]
    found.sort(key=lambda pair: (-pair[1], pair[0].document_id, pair[0].start))
    kept: dict[str, MentionRow] = {}
    best = 0.0
    for one, value in found:
        if kept and (value <= _LAST_RESORT or (only_best and value < best)):
            break
        letters = "".join(filter(str.isalnum, one.sentence))
        if letters not in kept and (_ends_with_naming(one) or not is_spoken(one)):
            kept[letters], best = one, max(best, value)
        if len(kept) == limit:
            break
    return sorted(kept.values(), key=lambda one: (one.document_id, one.start))


# A sentence that only gives the name: it stands on the page of the name, and answers no question.
ONLY_NAMED = 1.1
_LAST_RESORT = 1.0  # a sentence that gives the name and goes on about something else


def _ends_with_naming(one: MentionRow) -> bool:
    """Return whether a Chinese sentence ends with the name that it gives."""
    at = one.start - one.sentence_start
    after = one.sentence[at + one.end - one.start :].strip()
    named = _CHINESE_NAMING.search(one.sentence[:at])
    return named is not None and _NAMED_AT_LAST.match(after) is not None


def _value(one: MentionRow, *, is_person: bool) -> float:
    """Return how surely the sentence says what the name is; 0 if it doesn't."""
    text, at = one.sentence, one.start - one.sentence_start
    if text.count("”") == text.count("“") + 1:
        text = text.rstrip().removesuffix("”")  # the end of a speech of several sentences
    if at < 0 or not _is_whole(text) or _LONG_QUOTATION.search(text):
        return 0.0
    before, after = text[:at], text[at + one.end - one.start :]
    if _SPLIT_NAME.fullmatch(one.name):
        is_known = not _CHINESE_SPEAKER.search(text) and _AFTER_NAMING.match(after)
        return (2.0 if _names_a_role(before) else ONLY_NAMED) if is_known else 0.0
    if has_han(one.name):
        return 0.0 if _CHINESE_SPEAKER.search(text) else _value_chinese(before, after, is_person)
    return _value_latin(one.name, before, after, is_person)


def _is_whole(text: str) -> bool:
    """Return whether a text is one whole sentence of prose: no part of one, question or code."""
    stripped = text.strip()
    is_chinese = has_han(stripped)
    whole = _WHOLE_CHINESE if is_chinese else _WHOLE
    if not whole.match(stripped) or len(stripped) > _MAX_CHARS[is_chinese]:
        return False
    if any(stripped.count(a) != stripped.count(b) for a, b in ("“”", "「」", "『』", "()", "（）")):
        return False
    return stripped.count('"') % 2 == 0 and not _CODE.search(stripped)


def _value_latin(name: str, before: str, after: str, is_person: bool) -> float:
    if _has_apposition(before, after, is_person):
        return 2.0
    if _ROLE.search(before) or _has_held_role(before, after):
        return 1.5
    if _SHORT_FORM.fullmatch(name) and (long := _LONG_FORM.search(before)):
        initials = "".join(word[0] for word in long[1].split()).casefold()
        if initials.endswith(name.casefold()):
            return 2.0
    if not _CLAUSE_START.search(before):
        return 0.0
    if match := _PREDICATE.match(after):
        is_class = match["determiner"] != "the" or _OF_WHAT.match(match["class"])
        return 2.0 if is_class and (not is_person or _says_who(match["class"])) else 0.0
    if lives := _LIVES.match(after):
        return 0.0 if is_person and lives[0].split()[0] in ("lies", "stands") else 1.25
    return 1.25 if not is_person and _DOES.match(after) else 0.0


def _has_apposition(before: str, after: str, is_person: bool) -> bool:
    """Return whether the name has an apposition that says who or what it is."""
    match = _APPOSITION.match(after)
    clause = re.split(r"[,;:—]|--", before)[-1]
    is_in_list = clause != before and _ONLY_TITLE.match(clause) is not None
    if match is None or is_in_list or _SUBORDINATE.match(clause):
        return False
    if not is_person:
        return not _GERUND.match(match["class"])
    # one word between two commas is who somebody is: "the beadle", "the matron"
    return " " not in match["class"] or _says_who(match["class"])


def _has_held_role(before: str, after: str) -> bool:
    """Return whether the name is set off between two marks after what somebody is to another."""
    match = _HELD_ROLE.search(before)
    if match is None or _NO_ROLES.search(match[0]):
        return False
    mark = match["mark"].strip()
    is_list = re.match(r"\W*(?:and|the|an?|his|her|my|our|their)\b", after)
    return after.lstrip().startswith(mark) and not is_list


def _says_who(words: str) -> bool:
    """Return whether a predicate or apposition of a person begins with who they are."""
    match = _WHO.match(words)
    return match is not None and not _NO_ROLES.search(match[0])


def build_split_name(name: str) -> re.Pattern[str] | None:
    """Return how a Chinese text introduces a person in two parts: 姓沈，名衡; None for others.

    No mention of the name stands there, and the sentence says who it is: 掌秤的人姓沈，名衡.
    """
    if not re.fullmatch(f"[{HAN}]{{2,4}}", name):
        return None
    parts = ((name[:n], name[n:]) for n in (1, 2) if 1 <= len(name) - n <= 2)
    forms = (f"姓{a}{_GIVEN}{b}" for a, b in parts)
    return re.compile("|".join(forms))


def _value_chinese(before: str, after: str, is_person: bool) -> float:
    if _CHINESE_KIN.search(before) and after[:1] not in ("的", "之"):
        return 1.75
    if (naming := _CHINESE_NAMING.search(before)) and after[:1] not in ("的", "之"):
        if not _AFTER_NAMING.match(after):
            return _LAST_RESORT
        return 2.0 if _names_a_role(before[: naming.start()]) else ONLY_NAMED
    if (naming := _CHINESE_CALLED.search(before)) and _NAMED_AT_LAST.match(after):
        return 2.0 if _names_a_role(before[: naming.start()]) else ONLY_NAMED
    if not _CHINESE_START.search(before):
        return 0.0
    match = _CHINESE_PREDICATE.match(after)
    if match and (not is_person or _CHINESE_WHO.match(after, match.end())):
        return 2.0
    return 2.0 if is_person and _CHINESE_PERSON.match(after) else 0.0


# Words between who is named and the verb, which say nothing of them: 因此又叫做, 众人都叫他.
_CHINESE_BEFORE_NAMING = re.compile(
    r"(?:因此|因而|所以|故此|故|遂|就|便|又|也|都|只|自此|从此|從此|自今|后来|後來|起(?:个|個)?|取(?:个|個)?"
    r"|(?:众|眾|大)(?:人|家)(?:都|皆|俱)?|人(?:都|皆|俱)|[^，。；：]{0,4}上都|改)*$"
)
# A clause that is a group of nouns: 有一家猎户, 望潮楼的女掌柜, 那押司.
_NO_VERB = "[^，。；：！？说說道曰来來去见見]"
_CHINESE_NOUNS = re.compile(
    rf"(?:原来|原來|且说|且說)?(?:{_NO_VERB}{{0,8}}有)?(?:这|這|那|是)?"
    rf"(?:[一二三两兩几幾]?[个個位名家员員]|{_NO_VERB}{{1,9}}[的之])?"
    rf"(?<=[有这這那个個位名家员員的之]){_NO_VERB}{{1,8}}"
)


def _names_a_role(before: str) -> bool:
    """Return whether what stands before a Chinese naming says who it is (有一家猎户，哥哥唤做)."""
    words = _CHINESE_BEFORE_NAMING.sub("", before)
    clauses = [one for one in re.split("[，、。；：！？]", words) if one.strip()][-2:]
    return any(_CHINESE_NOUNS.fullmatch(one.strip()) for one in clauses)


_GOES_ON = re.compile(
    rf"\W*(?:he|she|it|they)\s+{_IS}\s+(?:(?:also|\w+ly)\s+)?(?:an?|one of|the|his|her|my|our)\s+"
    rf"{_NO_CLASS}",
    re.IGNORECASE,
)
_GOES_ON_CHINESE = re.compile(
    rf"\W*(?:他|她|它|此人)(?:本名|原名|本姓|表?字|姓|年方|祖贯|祖貫|原籍|(?:原是|本是|乃是|就是|是)"
    rf"{_NO_CHINESE_CLASS}{_CHINESE_WHO.pattern})"
)


def continues_definition(sentence: str) -> bool:
    """Return whether a sentence after a definition goes on about the same: “She was a …”, 她本名….

    A person or thing that was just defined is what the pronoun at the beginning stands for.
    """
    pattern = _GOES_ON_CHINESE if has_han(sentence) else _GOES_ON
    return _is_whole(sentence) and pattern.match(sentence) is not None


# --- introductions --------------------------------------------------------------------------------

_LOOSE_DETERMINER = r"(?:an?|the|one of|his|her|my|our|their|its)"
# "Ben Gunn was a maroon"; also after an inserted clause.
_LOOSE_PREDICATE = re.compile(
    r"(?:,[^,.;:]{1,60},)?\s+(?:is|was|are|were|became|had been)"
    rf"\s+(?:\w+\s+)?{_LOOSE_DETERMINER}\s"
)
# "Ben Gunn, the maroon;" and not "Ben Gunn, the ship was gone."
_LOOSE_APPOSITION = re.compile(
    rf",\s+(?:{_LOOSE_DETERMINER}|son|daughter|wife|widow|captain|keeper)\s+"
    r"(?:(?!\b(?:was|were|is|are|had|has|said|will)\b)[^,.;:!?\"“”]){2,70}[,.;:)—]"
)
_LOOSE_LIVES = re.compile(
    r"\s+(?:lived|lives|was born|married|kept|owned|lies|stands|stood (?:at|on))\b"
)
# "my friend Joseph", "a woman called Nelly"
_LOOSE_ROLE = re.compile(
    rf"(?:\b{_LOOSE_DETERMINER}\s+(?:old\s+|young\s+)?[a-z]{{3,}},?|\b(?:named|called))\s+$",
    re.IGNORECASE,
)
_ADDRESSED = re.compile(
    r"(?:^|[\"“‘'(,—-]|\b(?:oh?|dear|now|and|yes|no|but)\b,?)[\s_]*$", re.IGNORECASE
)
_SPEAKS = re.compile(r"[,.!?]?[\"”’']|\s+(?:said|says|cried|cries|asked|answered|replied)\b")
_LOOSE_CHINESE_PREDICATE = re.compile(
    r"[，,]?(?:乃|原是|本是|便是|正是|是[^谁何]|系|姓|字|生得|年方|祖贯|绰号|人称)"
)
_LOOSE_CHINESE_ROLE = re.compile(
    r"(?:姓[^，。]{1,3}，?名|唤做|唤作|叫做|叫作|名唤|人称|绰号|法名|乃|乃是|便是)$"
)
_CHINESE_SPEAKS = re.compile(r"[^，。]{0,4}(?:道|曰|说|笑道|闻言)")
_MAX_PLAIN = 200  # characters
_OPENING_QUOTE = re.compile(r"(?:^|[\s(—-])['‘]")
_ONE_NOUN = re.compile(
    r"[a-z]{3,}(?=\s*[,.;:]|\s(?:and|but|in|at|of|on|by|from|for|who|whose|when)\b)"
)
_QUOTE_MARKS = '"“”「」『』'
_INTRODUCTION_CHARS = {True: (15, 90), False: (45, 260)}


def order_introductions(mentions: Iterable[MentionRow]) -> list[MentionRow]:
    """Return the mentions with those first whose sentence says what or who the name is.

    Equal ones keep their order; the first mention in its document counts like a role.
    """
    given = list(mentions)
    first: dict[int, int] = {}
    for one in given:
        first[one.document_id] = min(one.start, first.get(one.document_id, one.start))
    return sorted(
        given,
        key=lambda one: -_rate_introduction(one, is_first=one.start == first[one.document_id]),
    )


def is_plain_sentence(text: str) -> bool:
    """Return whether a sentence is short and quotes nothing, so that it is about its subject."""
    return len(text) <= _MAX_PLAIN and not _OPENING_QUOTE.search(text)


def find_plain_role(mentions: Iterable[MentionRow]) -> MentionRow | None:
    """Return the first sentence that says in one noun who a person is (“Mr. Linton was a pilot”).

    The noun alone does not tell a role from an opinion (“a fiend”), so that this is no definition,
    but what to begin a description with. Direct speech is left out.
    """
    for one in sorted(mentions, key=lambda one: (one.document_id, one.start)):
        text, at = one.sentence, one.start - one.sentence_start
        if at < 0 or not _is_whole(text) or any(mark in text for mark in _QUOTE_MARKS):
            continue
        before, after = text[:at], text[at + one.end - one.start :]
        match = _PREDICATE.match(after)
        if not match or not _CLAUSE_START.search(before) or text.lstrip()[:1] in "'‘":
            continue
        noun = _ONE_NOUN.match(match["class"])
        if noun and match["determiner"] in ("a", "an") and not _NO_ROLES.search(noun[0]):
            return one
    return None


def _rate_introduction(one: MentionRow, *, is_first: bool) -> float:
    text, start = one.sentence, one.start - one.sentence_start
    before, after = text[: max(0, start)], text[start + one.end - one.start :]
    is_chinese = has_han(one.name)
    value = 1.0 if is_first else 0.0
    if is_chinese:
        value += 2.0 * bool(_LOOSE_CHINESE_PREDICATE.match(after)) + 1.5 * bool(
            _LOOSE_CHINESE_ROLE.search(before)
        )
        value -= 2.0 * bool(_CHINESE_SPEAKS.match(after))
    else:
        value += (
            2.5 if _LOOSE_PREDICATE.match(after) else 2.0 if _LOOSE_APPOSITION.match(after) else 0.0
        )
        value += 1.0 * bool(_LOOSE_LIVES.match(after)) + 1.0 * bool(_LOOSE_ROLE.search(before))
        is_addressed = _ADDRESSED.search(before) and after[:1] in (",", "!", "?", ".", ";")
        if is_addressed and (before.strip() or not _LOOSE_APPOSITION.match(after)):
            value -= 2.5
        value -= 1.0 * bool(_SPEAKS.match(after))
    # what somebody says about a name is less certain than what the text says
    value -= 0.75 * (text[:1] in "'‘" or any(mark in text for mark in _QUOTE_MARKS))
    low, high = _INTRODUCTION_CHARS[is_chinese]
    return value - (0.0 if low <= len(text) <= high else 0.5)
