"""The company two names keep: common neighbours, common passages, and sentences with both.

Two names of one person have the same people around them and stand in the same passages, but
hardly ever in one sentence; two people who meet stand in one sentence often.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import nlargest
from math import log, log1p, sqrt

from ...errors import said
from . import chinese_words as lists
from .model import Hint, NameFacts, TextFacts, pair_key

_N_TIES = 150  # strongest ties that are compared
_CROWD = 300  # ties of somebody whom everybody meets
_N_RARE = 6  # rare neighbours by which two names find each other
_SAME_COMPANY = 0.45
_MEETINGS = 0.08  # of the shared passages: who meets oftener is two
_MAX_SHARED = 30  # names around one neighbour; more say nothing


@dataclass(frozen=True, slots=True)
class SharedContext:
    """How two names stand to each other in the text, each figure 0 to 1.

    `alike` is the cosine of their neighbours; `shared` the part of the rarer one's passages
    that name the other too; `apart` the part of the shared passages with a sentence of both;
    `weight` how much all that says, which is little of a name that stands twice.
    """

    alike: float
    shared: float
    apart: float
    n_shared: int
    weight: float = 1.0


class SharedContexts:
    """Compares the company of names; neighbours of everyone weigh little (Adamic-Adar)."""

    def __init__(self, facts: Sequence[NameFacts], text: TextFacts) -> None:
        self._facts = {one.id: one for one in facts}
        self._text = text
        n_all = max(2, len(facts))
        degree: dict[int, int] = defaultdict(int)
        for one in facts:
            for other in one.neighbours:
                degree[other] += 1
        self._degree = degree
        self._rarity = {i: log(1 + n_all / n) for i, n in degree.items()}
        self._ties: dict[int, dict[int, float]] = {}
        self._squares: dict[int, float] = {}
        self._rare: dict[int, frozenset[int]] = {}
        self._kept: dict[tuple[int, int], SharedContext] = {}

    def ties(self, i: int) -> dict[int, float]:
        if i not in self._ties:
            near = self._facts[i].neighbours
            weights = {o: log1p(w) * self._rarity.get(o, 0.0) for o, w in near.items()}
            if len(weights) > _N_TIES:
                strongest = nlargest(_N_TIES, weights, key=lambda o: (weights[o], -o))
                weights = {o: weights[o] for o in strongest}
            self._ties[i] = weights
        return self._ties[i]

    def compare(self, a: int, b: int) -> SharedContext:
        pair = pair_key(a, b)
        if pair not in self._kept:
            self._kept[pair] = self._compare(*pair)
        return self._kept[pair]

    def _compare(self, a: int, b: int) -> SharedContext:
        mine, theirs = self.ties(a), self.ties(b)
        left, right = self._facts[a].chunks, self._facts[b].chunks
        n_shared = 0 if left.isdisjoint(right) else len(left & right)
        alike = 0.0
        if not mine.keys().isdisjoint(theirs):
            dot = sum(mine[other] * theirs[other] for other in mine.keys() & theirs.keys())
            alike = dot / (self._length(a, b) * self._length(b, a))
        shared = n_shared / max(1, min(len(left), len(right)))
        # One more passage than there is keeps a single sentence from deciding.
        apart = min(1.0, self._text.together.get((a, b), 0) / (n_shared + 1))
        fewest = min(self._facts[a].n_mentions, self._facts[b].n_mentions)
        return SharedContext(alike, shared, apart, n_shared, fewest / (fewest + 2))

    def touch(self, a: int, b: int) -> bool:
        """Say whether two names have a passage or a neighbour in common; heroes don't count."""
        left, right = self._facts[a], self._facts[b]
        if not left.chunks.isdisjoint(right.chunks):
            return True
        return not self._rare_ties(a).isdisjoint(self._rare_ties(b))

    def _rare_ties(self, i: int) -> frozenset[int]:
        if i not in self._rare:
            self._rare[i] = frozenset(o for o in self.ties(i) if self._degree.get(o, 0) <= _CROWD)
        return self._rare[i]

    def _length(self, i: int, without: int) -> float:
        if i not in self._squares:
            self._squares[i] = sum(weight * weight for weight in self.ties(i).values())
        rest = self._squares[i] - self.ties(i).get(without, 0.0) ** 2
        return sqrt(rest) if rest > 1e-9 else 1.0

    def n_mentions(self, i: int) -> int:
        return self._facts[i].n_mentions

    def list_common(self, a: int, b: int, limit: int) -> list[int]:
        """Return the neighbours of both that say most, in that order."""
        mine, theirs = self.ties(a), self.ties(b)
        common = {o: mine[o] * theirs[o] for o in mine.keys() & theirs.keys()}
        return nlargest(limit, common, key=lambda o: (common[o], -o))


def propose_neighbours(
    facts: Sequence[NameFacts], text: TextFacts, companies: SharedContexts
) -> Iterator[Hint]:
    """Propose people in the same company who hardly ever meet in a sentence."""
    around: dict[int, list[NameFacts]] = defaultdict(list)
    people = [one for one in facts if one.type == "person" and one.n_mentions >= 5]
    for one in people:
        ties = companies.ties(one.id)
        if len(ties) >= 5:
            for other in nlargest(_N_RARE, ties, key=lambda o: (ties[o], -o)):
                around[other].append(one)
    seen: set[tuple[int, int]] = set()
    for other in sorted(around):
        block = around[other]
        if not 1 < len(block) <= _MAX_SHARED:
            continue
        for n, a in enumerate(block):
            for b in block[n + 1 :]:
                pair = pair_key(a.id, b.id)
                if pair in seen:
                    continue
                seen.add(pair)
                n_shared = len(a.chunks & b.chunks)
                if n_shared < 2 or text.together.get(pair, 0) > _MEETINGS * (n_shared + 1):
                    continue
                company = companies.compare(*pair)
                if company.alike < _SAME_COMPANY:
                    continue
                words = said(
                    f"“{a.name}” and “{b.name}” keep the same company and are hardly ever in one"
                    " sentence"
                )
                strength = 0.12 + 0.4 * (company.alike - _SAME_COMPANY)
                yield Hint(*pair, "neighbours", strength, words)


_BETWEEN = re.compile(
    r"[，,、]?(?:(?:人|江湖上|众人|衆人)?(?:都|皆)?(?:人称|人稱|绰号|綽號|绰名|诨名|诨号|表字|法名|法号|法號|道号|道號|"
    r"本名|原名|乳名|小名|别号|別號|改名|又名|又称|外号|外號|亦称|俗名|即是|便是|就是|乃是|原是|唤做|唤作|喚做|喚作|"
    r"叫做|叫作|名唤|名喚|号称|表德)(?:唤|叫|称)?(?:做|作|为|是|曰)?)[：:“「『]?"
    r"|,? ?\(?(?:(?:who (?:is|was) )?(?:better |also |commonly |formerly )?(?:known as|called|"
    r"alias|a\.k\.a\.|aka|née|nee|born|nicknamed)|otherwise|that is to say,?|or rather)"
    r" (?:the )?[\"“‘']?"
)


def is_equating(between: str) -> bool:
    """Say whether what stands between two names says that they are one."""
    return bool(_BETWEEN.fullmatch(between))


def propose_stated(facts: dict[int, NameFacts], text: TextFacts) -> Iterator[Hint]:
    """Propose what the text equates, surer the more often and the rarer the name."""
    for (a, b), n in sorted(text.told.items()):
        if a in facts and b in facts:
            rarer = min(facts[a].n_mentions, facts[b].n_mentions)
            strength = min(0.9, 0.5 + 0.1 * n) - (0.25 if rarer > 15 * n else 0.0)
            one, other = facts[a].name, facts[b].name
            text = said(
                f"“{one}” is “{other}”: the text says so {n} times"
                if n > 1
                else f"“{one}” is “{other}”: the text says so {n} time"
            )
            yield Hint(a, b, "told", strength, text)


def propose_glued(facts: dict[int, NameFacts], text: TextFacts) -> Iterator[Hint]:
    """Propose a nickname or title that stands right before one name: 双尾蝎解宝."""
    surnames = lists.count_surnames(one.name for one in facts.values() if one.type == "person")
    for (a, b), n in sorted(text.glued.items()):
        if a not in facts or b not in facts or n < 2:
            continue
        x, y = facts[a], facts[b]
        if x.n_mentions > y.n_mentions or "person" not in (x.type, y.type):
            continue
        share = n / max(1, x.n_mentions)
        if share < 0.15:
            continue
        strength = min(0.9, 0.5 + 0.5 * share) - 0.15 * (n < 3)
        surname = lists.surname_of(x.name)
        if surname in surnames and lists.is_full_name(x.name) and surname != y.name[:1]:
            # 徐白张道原 may be two men in a row.
            strength -= 0.2 if len(x.name) > 2 else 0.4
        if strength > 0.1:
            text = said(f"“{x.name}” stands right beside “{y.name}” {n} of {x.n_mentions} times")
            yield Hint(a, b, "beside", strength, text)
