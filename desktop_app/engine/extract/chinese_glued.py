"""Names that the tagger cut wrongly, mended by what the whole document says: 宋江道 is 宋江.

Owns what is glued behind or before a name, cut off from it, or two names in one. It weighs how
often strings stand in the text and knows nobody by name.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict

from . import chinese_words as lists
from .chinese_matching import count_all, has_surname, iter_found

_HAN = re.compile(r"[\u3400-\u9fff·]+")
_ACT = "笑怒喜惊驚骂罵喝叫哭泣叹歎"
_SAYS = re.compile(
    rf"(?P<stem>.+?)(?P<verb>(?:[忙便又乃遂只亦]?大?[{_ACT}问問答告应應说說禀]?[道曰說说])|大[{_ACT}]|[答骂罵])"
)
_OPENS = frozenset('：:“「『"，,')
# Behind one character that speaks all over the text (卓曰), these are no given names.
_ONE_ACTS = frozenset(_ACT + "问問见見听聽闻聞来來去答拜谢謝说說道曰令引")


def repair_names(text: str, votes: dict[str, Counter[str]]) -> None:
    """Move the votes of wrongly cut strings to the names in them; drop those that hold none."""
    _make_whole(text, votes)
    _cut_said(text, votes)
    _cut_glued(text, votes)
    _cut_before_strong(text, votes)
    _take_apart(votes)


def _make_whole(text: str, votes: dict[str, Counter[str]]) -> None:
    """Add the character that nearly always follows a cut-off name (单廷 -> 单廷珪)."""
    for _ in range(2):
        short = [n for n, c in votes.items() if 2 <= len(n) <= 3 and c.total() >= 3]
        behind: dict[str, Counter[str]] = defaultdict(Counter)
        for at, name in iter_found(text, short):
            behind[name][text[at + len(name) : at + len(name) + 1]] += 1
        for name in short:
            char, n = behind[name].most_common(1)[0] if behind[name] else ("", 0)
            follows = char and n >= 0.85 * behind[name].total() and n >= 4
            glued = char in lists.GLUED_BEHIND and char not in "外住"
            if follows and not glued and _HAN.fullmatch(char):
                votes[name + char].update(votes.pop(name))


def _cut_said(text: str, votes: dict[str, Counter[str]]) -> None:
    """Take the saying off whom the text lets speak: 张稍道： is 张稍, 庄客道： and 卓怒 are nobody.

    A string with a verb of saying at its end is a name only if it doesn't stand before what
    is said.
    """
    said = {name: match for name in votes if (match := _SAYS.fullmatch(name))}
    opens: Counter[str] = Counter()
    totals: Counter[str] = Counter()
    for at, name in iter_found(text, said):
        totals[name] += 1
        opens[name] += text[at + len(name) : at + len(name) + 1] in _OPENS
    for name, match in said.items():
        stem, verb = match["stem"], match["verb"]
        acts = verb[-1] not in "道曰说說"
        if not acts and opens[name] < 0.5 * totals[name]:
            continue
        if len(stem) > 1 and stem not in lists.GENERIC:
            if acts and stem not in votes:
                continue
            votes.setdefault(stem, Counter()).update(votes[name])
        elif len(stem) == 1 and acts and len(verb) == 1:
            continue
        del votes[name]
    short = [n for n in votes if len(n) == 2 and n[1] in _ONE_ACTS]
    speaks: Counter[str] = Counter()
    for at, words in iter_found(text, {n[0] + verb for n in short for verb in "曰道"}):
        speaks[words[0]] += not _HAN.match(text[at - 1 : at])
    totals = count_all(text, short)
    for name in short:
        if speaks[name[0]] >= max(3, 2 * totals[name]):
            del votes[name]


def _cut_glued(text: str, votes: dict[str, Counter[str]]) -> None:
    """Give the votes of 宋江道 and 只见宋江 to 宋江, where the shorter one is a name."""
    totals = count_all(text, list(votes))
    for name in sorted(votes, key=lambda n: (-len(n), n)):
        if _is_anybody(name):
            del votes[name]
            continue
        base = _base_of(name, votes, totals)
        if base:
            votes[base].update(votes.pop(name))


def _cut_before_strong(text: str, votes: dict[str, Counter[str]]) -> None:
    """Give 今云长, 马八戒 and 黛玉湘云 to the name at their end, which is all over the text.

    A surname stays, unless another one stands there far more often (猪八戒).
    """
    totals = count_all(text, list(votes))
    full: dict[str, int] = defaultdict(int)
    for name in votes:
        if len(name) == 3:
            full[name[1:]] = max(full[name[1:]], totals[name])
    for name in [n for n in votes if len(n) in (3, 4) and n[-2:] in votes]:
        base, n = name[-2:], totals[name]
        if totals[base] < 20 * n or base in lists.GENERIC or name[:2] in lists.DOUBLE_SURNAMES:
            continue
        if len(name) == 3:
            glued = name[0] not in lists.SURNAMES or full[base] >= 5 * n
        else:
            glued = name[:2] in votes or totals[base] >= 50 * n
        if glued:
            votes[base].update(votes.pop(name))


def _is_anybody(name: str) -> bool:
    """Say whether a string is a common noun with a verb or a storyteller's word (那庄客)."""
    stems = [name[: -len(verb)] for verb in lists.ACTS_BEHIND if name.endswith(verb)]
    stems += [name[len(head) :] for head in lists.TELLS_BEFORE if name.startswith(head)]
    return any(len(stem) > 1 and stem in lists.GENERIC for stem in stems)


def _base_of(name: str, votes: dict[str, Counter[str]], totals: Counter[str]) -> str:
    options = [name[: -len(tail)] for tail in lists.GLUED_BEHIND if name.endswith(tail)]
    options += [name[len(head) :] for head in lists.GLUED_BEFORE if name.startswith(head)]
    options += [
        inner[: -len(tail)]
        for head in lists.GLUED_BEFORE
        if name.startswith(head)
        for inner in (name[len(head) :],)
        for tail in lists.GLUED_BEHIND
        if inner.endswith(tail)
    ]
    best = ""
    for option in options:
        if len(option) < 2 or option not in votes or option in lists.GENERIC:
            continue
        enough = totals[option] >= 1.3 * totals[name] + 1
        if enough and (not best or votes[option].total() > votes[best].total()):
            best = option
    return best


def _take_apart(votes: dict[str, Counter[str]]) -> None:
    """Give up 戴宗李逵 and 大刀关胜 for the names that they are made of."""
    strong = {n for n, c in votes.items() if c["person"] >= 5 and has_surname(n) and len(n) < 5}
    for name in [n for n in votes if len(n) >= 4]:
        for cut in range(2, len(name) - 1):
            left, right = name[:cut], name[cut:]
            if right not in votes:
                continue
            if right in strong and votes[right].total() >= 3 * votes[name].total():
                votes[right].update(votes.pop(name))
                break
            if left in strong and has_surname(right):
                votes.pop(name)
                break
