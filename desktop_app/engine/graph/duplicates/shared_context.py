"""Compares the contexts of two entities: neighbours, passages and sentences in common.

Two names of one person have the same neighbours and occur in the same passages, but rarely in one
sentence; two people who meet often occur in one sentence.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from heapq import nlargest
from math import log, log1p, sqrt

from ...messages import Message
from ...word_lists import WordLists
from ...writing_systems import has_han
from .chinese_words import count_surnames, is_full_name, surname_of
from .model import ApartSentence, Hint, NameFacts, TextFacts, pair_key

_N_RELATIONS = 150  # strongest relations that are compared
_MAX_DEGREE = 300  # more relations: the neighbour is too common to be evidence
_N_RARE = 6  # rare neighbours that make two names candidates
_MIN_ALIKE = 0.45
_MAX_TOGETHER_SHARE = 0.08  # of the shared passages: names that meet more often are two entities
_MAX_SHARED = 30  # names around one neighbour; more are no evidence
# A nickname stands before its name in most places. A place or another word before a name (江南方腊,
# 多蒙大圣) does in few: it stands before other words too.
_MIN_ADJACENT_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class SharedContext:
    """The context that two entities share, each value 0 to 1.

    Attributes:
        alike: cosine of their neighbours.
        shared: share of the rarer one's passages that mention the other too.
        apart: share of the common passages with a sentence that mentions both.
        n_shared: number of common passages.
        weight: reliability of these values; low for a rare name.
    """

    alike: float
    shared: float
    apart: float
    n_shared: int
    weight: float = 1.0


class SharedContexts:
    """Compares contexts of entities; common neighbours have a low weight (Adamic-Adar)."""

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
        self._relation_weights: dict[int, dict[int, float]] = {}
        self._squares: dict[int, float] = {}
        self._rare: dict[int, frozenset[int]] = {}
        self._compared: dict[tuple[int, int], SharedContext] = {}

    def relation_weights(self, i: int) -> dict[int, float]:
        if i not in self._relation_weights:
            near = self._facts[i].neighbours
            weights = {o: log1p(w) * self._rarity.get(o, 0.0) for o, w in near.items()}
            if len(weights) > _N_RELATIONS:
                strongest = nlargest(_N_RELATIONS, weights, key=lambda o: (weights[o], -o))
                weights = {o: weights[o] for o in strongest}
            self._relation_weights[i] = weights
        return self._relation_weights[i]

    def compare(self, a: int, b: int) -> SharedContext:
        pair = pair_key(a, b)
        if pair not in self._compared:
            self._compared[pair] = self._compare(*pair)
        return self._compared[pair]

    def _compare(self, a: int, b: int) -> SharedContext:
        left_weights, right_weights = self.relation_weights(a), self.relation_weights(b)
        left, right = self._facts[a].chunks, self._facts[b].chunks
        n_shared = 0 if left.isdisjoint(right) else len(left & right)
        alike = 0.0
        if not left_weights.keys().isdisjoint(right_weights):
            dot = sum(
                left_weights[other] * right_weights[other]
                for other in left_weights.keys() & right_weights.keys()
            )
            alike = dot / (self._length(a, b) * self._length(b, a))
        shared = n_shared / max(1, min(len(left), len(right)))
        # Plus one, so that a single sentence does not decide.
        apart = min(1.0, self._text.together.get((a, b), 0) / (n_shared + 1))
        fewest = min(self._facts[a].n_mentions, self._facts[b].n_mentions)
        return SharedContext(alike, shared, apart, n_shared, fewest / (fewest + 2))

    def share_context(self, a: int, b: int) -> bool:
        """Return whether two entities share a passage or a neighbour that is not too common."""
        left, right = self._facts[a], self._facts[b]
        if not left.chunks.isdisjoint(right.chunks):
            return True
        return not self._rare_neighbours(a).isdisjoint(self._rare_neighbours(b))

    def n_together(self, a: int, b: int) -> float:
        """Return the number of sentences that name both; across quotation marks they count less."""
        return self._text.together.get(pair_key(a, b), 0.0)

    def find_distinguishing(self, a: int, b: int) -> ApartSentence | None:
        """Return a sentence that seems to speak of two with one name, and names one of them.

        A sentence that names only one of them counts if the two have a word in common.
        """
        for one, other in ((a, b), (b, a)):
            for sentence in self._text.distinguished.get(one, ()):
                if other in sentence.entities or self._have_common_word(one, other):
                    return sentence
        return None

    def list_distinguished(self, one: int, others: Collection[int]) -> set[int]:
        """Return those of the others that a sentence seems to distinguish from one entity."""
        known = self._text.distinguished
        if one not in known:
            others = known.keys() & others  # most groups have none
        return {i for i in others if self.find_distinguishing(one, i) is not None}

    def _have_common_word(self, a: int, b: int) -> bool:
        return not self._words(a).isdisjoint(self._words(b))

    def _words(self, i: int) -> set[str]:
        """Return the words of an entity's names; of Chinese names also every two characters."""
        words: set[str] = set()
        for name in self._facts[i].names:
            for word in name.casefold().split():
                words.add(word)
                if has_han(word):
                    words |= {word[n : n + 2] for n in range(len(word) - 1)}
        return words

    def _rare_neighbours(self, i: int) -> frozenset[int]:
        if i not in self._rare:
            self._rare[i] = frozenset(
                o for o in self.relation_weights(i) if self._degree.get(o, 0) <= _MAX_DEGREE
            )
        return self._rare[i]

    def _length(self, i: int, without: int) -> float:
        if i not in self._squares:
            self._squares[i] = sum(weight * weight for weight in self.relation_weights(i).values())
        rest = self._squares[i] - self.relation_weights(i).get(without, 0.0) ** 2
        return sqrt(rest) if rest > 1e-9 else 1.0

    def n_mentions(self, i: int) -> int:
        return self._facts[i].n_mentions

    def list_common(self, a: int, b: int, limit: int) -> list[int]:
        """Return the common neighbours with most weight, in that order."""
        left_weights, right_weights = self.relation_weights(a), self.relation_weights(b)
        common = {
            o: left_weights[o] * right_weights[o]
            for o in left_weights.keys() & right_weights.keys()
        }
        return nlargest(limit, common, key=lambda o: (common[o], -o))


def propose_neighbours(
    facts: Sequence[NameFacts], text: TextFacts, contexts: SharedContexts
) -> Iterator[Hint]:
    """Propose people with the same neighbours who rarely occur in one sentence."""
    around: dict[int, list[NameFacts]] = defaultdict(list)
    people = [one for one in facts if one.type == "person" and one.n_mentions >= 5]
    for one in people:
        relation_weights = contexts.relation_weights(one.id)
        if len(relation_weights) >= 5:
            for other in nlargest(
                _N_RARE, relation_weights, key=lambda o: (relation_weights[o], -o)
            ):
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
                if n_shared < 2 or text.together.get(pair, 0) > _MAX_TOGETHER_SHARE * (
                    n_shared + 1
                ):
                    continue
                context = contexts.compare(*pair)
                if context.alike < _MIN_ALIKE:
                    continue
                words = Message(
                    "“{a}” and “{b}” are connected with the same names, and seldom in one sentence",
                    a=a.name,
                    b=b.name,
                )
                strength = 0.12 + 0.4 * (context.alike - _MIN_ALIKE)
                yield Hint(*pair, "neighbours", strength, words)


_BETWEEN = re.compile(
    r"[，,、]?(?:(?:人|江湖上|众人|衆人)?(?:都|皆)?(?:人称|人稱|绰号|綽號|绰名|诨名|诨号|表字|法名|法号|法號|道号|道號|"
    r"本名|原名|乳名|小名|别号|別號|改名|又名|又称|外号|外號|亦称|俗名|即是|便是|就是|乃是|原是|唤做|唤作|喚做|喚作|"
    r"叫做|叫作|名唤|名喚|号称|表德)(?:唤|叫|称)?(?:做|作|为|是|曰)?)[：:“「『]?"
    r"|,? ?\(?(?:(?:who (?:is|was) )?(?:better |also |commonly |formerly )?(?:known as|called|"
    r"alias|a\.k\.a\.|aka|née|nee|born|nicknamed)|otherwise|that is to say,?|or rather)"
    r" (?:the )?[\"“‘']?"
)


_PHRASES = WordLists("duplicates").lines("distinguished")
_ENGLISH = "|".join(r"\s+".join(words) for words in _PHRASES)
_CHINESE = WordLists("chinese_duplicates").in_order("distinguished")
# Whoever is no relation to you or me is told apart from nobody with the same name (to him: from one
# who was named before), and by the same name one calls two things that are one.
_PRONOUNS = "you|yours|me|mine|us|ours"
DISTINGUISHING = re.compile(
    rf"(?<!\bby )\b(?:{_ENGLISH})\b(?!\s+(?:to|of|with)\s+(?:{_PRONOUNS})\b)|{'|'.join(_CHINESE)}",
    re.IGNORECASE,
)
# Each phrase contains one of these, in small letters: the longest word of an English one, the last
# of several (“not” would be in every second paragraph).
DISTINGUISHING_WORDS = frozenset(_CHINESE).union(
    max(reversed(words), key=len) for words in _PHRASES
)


# "is": equates only where the second name ends the clause. 那傅试原是贾政的门生 tells whose pupil
# he is, and in 不但宝玉，便是王夫人李纨所说 it means "even".
_COPULA = re.compile(r"[，,、]?(?:即是|便是|就是|乃是|原是)[：:“「『]?")
_AFTER_COPULA = frozenset("也了呢哩么吗嘛矣耳")
# Without a comma the first name is the subject of the verb: what Mrs. Joe called “Pompeyed”.
_ACTIVE = re.compile(r" (?:called|nicknamed) (?:the )?[\"“‘']?")


def is_equating(between: str, following: str = "") -> bool:
    """Return whether the text between two names equates them ("also called").

    Args:
        following: the character after the second name, if any.
    """
    if not _BETWEEN.fullmatch(between) or _ACTIVE.fullmatch(between):
        return False
    is_end = not following.isalnum() or following in _AFTER_COPULA
    return is_end or not _COPULA.fullmatch(between)


def propose_stated(facts: dict[int, NameFacts], text: TextFacts) -> Iterator[Hint]:
    """Propose pairs that the text equates; more certain the more often and the rarer the name."""
    for (a, b), n in sorted(text.stated.items()):
        if a in facts and b in facts:
            rarer = min(facts[a].n_mentions, facts[b].n_mentions)
            strength = min(0.9, 0.5 + 0.1 * n) - (0.25 if rarer > 15 * n else 0.0)
            one, other = facts[a].name, facts[b].name
            sentence = Message(
                "{n} sentences seem to say that “{one}” is also called “{other}”"
                if n > 1
                else "{n} sentence seems to say that “{one}” is also called “{other}”",
                one=one,
                other=other,
                n=n,
            )
            yield Hint(a, b, "also_called", strength, sentence)


def propose_adjacent(facts: dict[int, NameFacts], text: TextFacts) -> Iterator[Hint]:
    """Propose a nickname or title that stands directly before a name: 双尾蝎解宝."""
    surnames = count_surnames(one.name for one in facts.values() if one.type == "person")
    for (a, b), n in sorted(text.adjacent.items()):
        if a not in facts or b not in facts or n < 2:
            continue
        x, y = facts[a], facts[b]
        if x.n_mentions > y.n_mentions or "person" not in (x.type, y.type):
            continue
        share = n / max(1, x.n_mentions)
        if share < _MIN_ADJACENT_SHARE:
            continue
        strength = min(0.9, 0.5 + 0.5 * share) - 0.15 * (n < 3)
        if surname_of(x.name) in surnames and is_full_name(x.name):
            # 徐白张道原 can be two names in a row; with one surname (贾荇贾芷) they are.
            if surname_of(y.name) != surname_of(x.name):
                strength -= 0.2 if len(x.name) > 2 else 0.4
            elif is_full_name(y.name):
                continue
        if strength > 0.1:
            sentence = Message(
                "“{x}” is directly before “{y}” in {n} of {of} places",
                x=x.name,
                y=y.name,
                n=n,
                of=x.n_mentions,
            )
            yield Hint(a, b, "beside", strength, sentence)
