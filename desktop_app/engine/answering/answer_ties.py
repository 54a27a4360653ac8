"""Finds what a question asks about and the sentence of a short answer does not tie to it.

All words of an answer can be in its passage and state the fact of another person, another relation
or another time; the odds of a small model do not tell these apart (decision 180). Owns the rules
for persons, relatives and first times; knows no model and no library.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from ..text.chunking import split_sentences
from ..text.direct_speech import find_speech, is_from_speech
from ..text.shown_text import Span
from ..word_lists import load_table
from ..writing_systems import HAN, has_han, language_of, read_han_number

PERSON, RELATIVE, ORDER = "person", "relative", "order"
WHY = re.compile(
    r"\bwhy\b|\bhow come\b|\bfor what reason\b|为什么|为何|为啥|何以|缘何", re.IGNORECASE
)
BEFORE_SPEECH = 3  # sentences before a speech that can name whom it is about
# The speaker or the one spoken to, who are named outside the speech; and those spoken of.
_SPEAKING = re.compile(
    r"\b(?:I|me|my|mine|we|us|our|you|your)\b|[我你您俺咱吾汝尔爾]|老孙|老孫|洒家|小人|在下",
    re.IGNORECASE,
)
_SPOKEN_OF = re.compile(
    r"\b(?:he|him|his|she|her|hers|they|them|their)\b|[他她]|那厮|这厮|那廝|這廝", re.IGNORECASE
)
_AFTER_SPEECH = re.compile(r"[^\n.!?。！？“「『]*")

_KINSHIP = load_table("kinship")


def _join(words: str) -> str:
    return "|".join(map(re.escape, sorted(words.split(), key=len, reverse=True)))


_RELATED = {
    group: re.compile(
        rf"\b(?:{_join(lists['english'])})\b|{_join(lists['chinese'])}", re.IGNORECASE
    )
    for group, lists in _KINSHIP.items()
}
_ASKED = {
    group: (
        # Who is A's wife? What is the name of A's wife? Whose wife is A? Who was the wife of A?
        re.compile(
            r"^\W*(?:who(?:m|se)?|(?:what|which)(?: (?:is|was|are|were)|['’]s) the names?)\b[^,;]*?"
            rf"(?:['’]s?|\bhis|\bher|\btheir|\bthe)(?: \w+)? {english}"
            rf"(?: of [^,;?]*| called| named)?\s*\??$"
            rf"|^\W*what (?:is|was|are|were) [^,;]*? {english}"
            rf"(?:['’]s? names?| called| named)\s*\??$"
            rf"|^\W*whose {english} (?:is|was|are|were)\b",
            re.IGNORECASE,
        ),
        re.compile(
            rf"[的之](?:{chinese})的?(?:名字)?(?:又|原来|到底)?(?:是谁|是誰|叫什么|叫什麼|叫甚么|名叫|是何人|是什么人|是哪)"
            rf"|是[谁誰][的之](?:{chinese})|[谁誰]是[^，。？]{{1,12}}[的之](?:{chinese})[？?]?$"
        ),
    )
    for group, english, chinese in (
        (group, f"(?:{_join(lists['asked_english'])})", _join(lists["asked_chinese"]))
        for group, lists in _KINSHIP.items()
    )
}

# "B's wife", "the wife of a surgeon"; 乙的妻子
_OWNER_BEFORE = re.compile(r"\b(?P<owner>[A-Za-z][\w.-]*)['’]s?\s+(?:[\w-]+\s+){0,2}$")
_OWNER_AFTER = re.compile(r"^\s+of\s+(?P<owner>(?:[\w.'’-]+\s*){1,5})")
_OWNER_BEFORE_ZH = re.compile(rf"(?P<owner>[{HAN}]{{2,8}})[的之]$")
_PRONOUN = re.compile(
    r"\b(?:his|her|their|its|my|our|your|whose|him|them|me|us|you|who|whom|which|he|she|it|that|there)\b"
    r"|[他她其我你您]",
    re.IGNORECASE,
)

# A time among several of the same: the question asks with the first, the text says the second.
# "Finally" and 最后 are not among them: they ask for an outcome, which a text tells as it comes.
_ORDERS = (
    (
        re.compile(
            r"\bfirst time\b|\bfirst (?:meeting|encounter|visit)\b"
            r"|\bfirst (?:meets?|met|meeting|sees?|saw|seen|seeing|hears?|heard|hearing)\b"
            r"|第一次|首次|初次|头一次|頭一次|头一回|頭一回",
            re.IGNORECASE,
        ),
        re.compile(
            r"\bfirst\b|\binitial|\bearliest\b|\bnever\b|\bbegin|\bbegan|\bnew(?:ly)?\b|\bstranger"
            r"|\boriginal|\bintroduc"
            r"|第一|首|初|最早|头一|頭一|开始|開始|从未|從未|从来|從來|不曾|未曾|起源|创|創|素不|面生",
            re.IGNORECASE,
        ),
    ),
    (
        re.compile(
            r"\blast time\b|\blast (?:meeting|encounter|visit)\b|最[后後]一[次回]|末次",
            re.IGNORECASE,
        ),
        re.compile(
            r"\blast\b|\bfinal|\bnever again\b|\bfarewell\b|最[后後终終]|再也|永别|永別|诀|訣",
            re.IGNORECASE,
        ),
    ),
)


_ORDINALS_EN = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)
_NUMBERED = (
    re.compile(
        rf"\b(?P<number>{_join(_ORDINALS_EN)}|\d+(?:st|nd|rd|th))\s+(?P<thing>[a-z]{{3,}})\b", re.I
    ),
    re.compile(rf"第(?P<number>[〇零一二三四五六七八九十百千\d]+)(?P<thing>[{HAN}]{{1,2}})"),
)


def find_other_ordinal(asked: str, text: str) -> str:
    """Return what a claim or its question numbers in another way than a text, "" for nothing.

    "The fifth cylinder" says nothing about the first one.
    """
    pattern = _NUMBERED[1 if has_han(asked) else 0]
    said: dict[str, set[int]] = {}
    for match in pattern.finditer(text):
        said.setdefault(match["thing"].casefold(), set()).add(_read_ordinal(match["number"]))
    for match in pattern.finditer(asked):
        others = said.get(match["thing"].casefold())
        if others is not None and _read_ordinal(match["number"]) not in others:
            return match.group()
    return ""


def _read_ordinal(number: str) -> int:
    """Return the value of "third", "3rd", 三 or 3."""
    number = number.casefold()
    if number in _ORDINALS_EN.split():
        return 1 + _ORDINALS_EN.split().index(number)
    digits = re.match(r"\d+", number)
    return int(digits[0]) if digits is not None else read_han_number(number)


def find_missing_tie(
    answer: str, text: str, span: Span, question: str, people: Sequence[Collection[str]] = ()
) -> str:
    """Return which tie between question and answer a text lacks: a constant above, "" for none.

    The sentence of the answer and the one before it are read.

    Args:
        text: of the passage.
        span: the sentence of the answer, in `text`.
        people: the names of each person that the question names.
    """
    if has_han(text[slice(*span)]) != has_han(question):
        return ""  # names are written in another way
    near = _find_near(text, span)
    if (
        people
        and is_from_speech(answer, text, span)
        and _is_of_others(text, span, question, people)
    ):
        return PERSON
    if _lacks_relative(answer, text[slice(*near)], question, people):
        return RELATIVE
    for asks, says in _ORDERS:
        if asks.search(question) and not says.search(text[slice(*near)]):
            return ORDER
    return ""


def _find_near(text: str, span: Span, n_before: int = 1) -> Span:
    """Return a part of a text with the sentences before it."""
    spans = split_sentences(text, language_of(text))
    before = [start for start, end in spans if end <= span[0]][-n_before:]
    return before[0] if before else span[0], span[1]


def _is_of_others(text: str, span: Span, question: str, people: Sequence[Collection[str]]) -> bool:
    """Return whether a sentence of direct speech is about other people than some.

    With "I" or "you" it is about those who talk, whom other sentences name. "He" is none of them:
    the speech or the sentences before it name that person. A reason is more easily taken for that
    of another person (decision 173), so the names of all must stand beside it.
    """
    if _SPEAKING.search(text, *span):
        return False
    if WHY.search(question):
        about = _without_other_speech(text, _find_near(text, span), span)
        return not all(has_name(about, names) for names in people)
    if _SPOKEN_OF.search(text, *span):
        speeches = [(a, b) for a, b in find_speech(text) if a < span[1] and b > span[0]]
        start, end = min(a for a, _ in speeches), max(b for _, b in speeches)
        after = _AFTER_SPEECH.match(text, end)
        first = _find_near(text, (start, end), BEFORE_SPEECH)[0]
        about = text[first : after.end() if after else end]
        return not any(has_name(about, names) for names in people)
    return False


def _without_other_speech(text: str, near: Span, span: Span) -> str:
    """Return a part of a text without the speeches in it that end before a sentence begins."""
    kept, at = "", near[0]
    for start, end in find_speech(text):
        if near[0] < end <= span[0]:
            kept += text[at : max(at, start)]
            at = end
    return kept + text[at : near[1]]


def has_name(text: str, names: Collection[str]) -> bool:
    """Return whether a text has one of the names of a person, or a word of one in Latin letters."""
    folded = text.casefold()
    for name in names:
        if has_han(name):
            if name in text:
                return True
            continue
        words = [word for word in re.findall(r"\w{3,}", name) if word[0].isupper()] or [name]
        if any(re.search(rf"\b{re.escape(word.casefold())}\b", folded) for word in words):
            return True
    return False


def _lacks_relative(
    answer: str, near: str, question: str, people: Sequence[Collection[str]]
) -> bool:
    """Return whether a question asks who a relative is, and the text does not say it of that one.

    Without any word of the kind of kinship the text names another person, and where each such word
    has another owner ("my brother's wife"), it is a relative of that one.
    """
    place = 1 if has_han(question) else 0
    group = next((name for name, asked in _ASKED.items() if asked[place].search(question)), "")
    if not group:
        return False
    known = " ".join((question, answer, *(name for names in people for name in names)))
    return all(_has_other_owner(near, match, known) for match in _RELATED[group].finditer(near))


def _has_other_owner(text: str, related: re.Match[str], known: str) -> bool:
    """Return whether a word of kinship has an owner in its text that is not known."""
    before, after = text[: related.start()], text[related.end() :]
    if has_han(related.group()):
        found = _OWNER_BEFORE_ZH.search(before)
        return found is not None and not (
            _PRONOUN.search(found["owner"]) or found["owner"][-2:] in known
        )
    found = _OWNER_BEFORE.search(before) or _OWNER_AFTER.search(after)
    if found is None:
        return False
    words = {word.casefold() for word in re.findall(r"[^\W_]{3,}", known)}
    owner = re.findall(r"[^\W_]{3,}", found["owner"].casefold())
    return not (_PRONOUN.search(found["owner"]) or words & set(owner))
