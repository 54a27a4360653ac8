"""Descriptions of entities and relations, written by small models under a guard.

Small models invent facts. The guard allows only words of the passage and function words, requires
the names that the sentence is about, and ends after one sentence. The model then confirms for each
sentence whether the passage states it.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise
from math import exp

from ...model import REJECTED, ChatMessage, ChunkEvidence, Mention, NameClaim
from ...prompt_files import load_prompt
from ...prompt_program import PASSAGE, Choice, Choose, Talk, Write, Written
from ...word_lists import WordLists
from ...writing_systems import HAN, HAN_COMPATIBILITY, KANA
from .tasks import ChunkTask, continue_line, cut_passage, is_heading, prompt_language

_STOP = re.compile(r"[.!?。！？…]+[\"'”’」』）)]*")
_WORD_OR_HAN = re.compile(rf"[^\W_{HAN}]+|[{HAN}]")
REPEATED_SHARE = 0.7  # share of a sentence's word pairs that an earlier sentence has too
MIN_PAIRS = 3


def drop_repeated(text: str) -> str:
    """Return a paragraph without the sentences that repeat an earlier one."""
    kept: list[str] = []
    seen: list[set[tuple[str, str]]] = []
    end = 0
    for stop in _STOP.finditer(text):
        sentence, end = text[end : stop.end()], stop.end()
        pairs = _pairs(sentence)
        if _is_repeated(pairs, seen):
            continue
        seen.append(pairs)
        kept.append(sentence)
    return ("".join(kept) + text[end:]).strip()


def _pairs(sentence: str) -> set[tuple[str, str]]:
    words = _WORD_OR_HAN.findall(sentence.casefold())
    return set(pairwise(words))


def _is_repeated(pairs: set[tuple[str, str]], seen: list[set[tuple[str, str]]]) -> bool:
    if len(pairs) < MIN_PAIRS:
        return pairs in seen
    return any(len(pairs & earlier) >= REPEATED_SHARE * len(pairs) for earlier in seen)


@dataclass(frozen=True, slots=True)
class FreshGuard:
    """Ends the text after the first sentence that repeats an earlier one; see `Guard`."""

    is_advisory = False

    def begin(self) -> FreshState:
        return FreshState()


class FreshState:
    """State of one paragraph; see `prompt_program.GuardState`."""

    may_end = True

    def __init__(self) -> None:
        self._bytes = b""
        self._seen: list[set[tuple[str, str]]] = []
        self._end = 0
        self.must_end = False

    def take(self, piece: bytes) -> bool:
        if self.must_end:
            return False
        self._bytes += piece
        text = self._bytes.decode("utf-8", errors="ignore")
        # A sentence is complete once text follows: its full stop may be an abbreviation or "...".
        for stop in _STOP.finditer(text, self._end):
            if stop.end() == len(text):
                break
            pairs = _pairs(text[self._end : stop.end()])
            self.must_end |= _is_repeated(pairs, self._seen)
            self._seen.append(pairs)
            self._end = stop.end()
        return True


MAX_PLACES = 3  # chunks of a document in which one name, or one pair, is described


@dataclass(frozen=True, slots=True)
class NamePlace:
    """A name in one chunk: the weight of its best mention and its number of mentions."""

    name: str
    chunk_order: int
    weight: float
    n_mentions: int


@dataclass(frozen=True, slots=True)
class PairPlace:
    """A related pair of names in one chunk, with the weight of the relation."""

    names: frozenset[str]
    chunk_order: int
    weight: float


@dataclass(frozen=True, slots=True)
class DocumentPlan:
    """Where a document's names and pairs are described.

    Attributes:
        counts: number of mentions of each name.
        chosen: for each name and pair, the order numbers of the chunks that describe it.
    """

    counts: Mapping[str, int]
    chosen: Mapping[str | frozenset[str], frozenset[int]]

    def described(
        self, chunk_order: int, names: Iterable[str | frozenset[str]]
    ) -> frozenset[str | frozenset[str]]:
        """Return those of `names` (or pairs) that other chunks describe, not this one."""
        return frozenset(n for n in names if chunk_order not in self.chosen.get(n, (chunk_order,)))

    def importance(self, names: Iterable[str]) -> dict[str, int]:
        """Return the number of mentions of each of these names in the document."""
        return {name: self.counts.get(name, 0) for name in names}


def plan_document(
    names: Sequence[NamePlace], pairs: Sequence[PairPlace], *, max_places: int = MAX_PLACES
) -> DocumentPlan:
    """Choose the chunks in which each name and each pair is described.

    The chunks of a name, in order, are divided into `max_places` runs of similar length, and the
    best chunk of each run is chosen, so that descriptions come from all parts of the document.
    """
    counts: dict[str, int] = {}
    places: dict[Hashable, list[tuple[int, float, int]]] = {}
    for name in names:
        counts[name.name] = counts.get(name.name, 0) + name.n_mentions
        places.setdefault(name.name, []).append((name.chunk_order, name.weight, name.n_mentions))
    for pair in pairs:
        places.setdefault(pair.names, []).append((pair.chunk_order, pair.weight, 1))
    chosen = {key: _choose(found, max_places) for key, found in places.items()}
    return DocumentPlan(counts, chosen)  # type: ignore[arg-type]


def _choose(places: list[tuple[int, float, int]], max_places: int) -> frozenset[int]:
    ordered = sorted(places)
    if len(ordered) <= max_places:
        return frozenset(order for order, _, _ in ordered)
    bounds = [len(ordered) * i // max_places for i in range(max_places + 1)]
    return frozenset(
        max(ordered[first:end], key=lambda p: (p[1], p[2], -p[0]))[0]
        for first, end in pairwise(bounds)
    )


_LISTS = WordLists("stop_words")
FUNCTION_WORDS_EN = _LISTS.words("function_words")
FUNCTION_WORDS_ZH = _LISTS.characters("chinese_function_words")
_MARKS = frozenset(
    "’‘—–…，、；：。！？·《》（）"
)  # punctuation beyond ASCII that is always allowed
_WIDE_RANGE = KANA + HAN + HAN_COMPATIBILITY
_WIDE = re.compile(f"[{_WIDE_RANGE}]")  # characters that are words by themselves
_WORD = re.compile(rf"[^\W_{_WIDE_RANGE}]+")  # numbers must come from the text too
_ENDS = re.compile(r"[.!?。！？]$")
_SHORT_FORM = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|St|Prof|Capt|Col|Gen|Rev|Jr|Sr|[A-Z])\.$")
_FORBIDDEN = re.compile(r"[\x00-\x1f\x7f|<>\[\]{}\"“”「」_*#`\\]")


@dataclass(frozen=True, slots=True)
class FaithfulGuard:
    """Allows one sentence that contains all of `names` and uses the words of `text`.

    `instead` ("none") may be written in place of a sentence.
    """

    is_advisory = False
    names: tuple[str, ...]
    text: str
    instead: str = ""

    def begin(self) -> FaithfulState:
        return FaithfulState(self)


class FaithfulState:
    """State of one sentence; see `GuardState`."""

    def __init__(self, guard: FaithfulGuard) -> None:
        self._names = tuple(_name_pattern(name) for name in guard.names)
        self._words = _vocabulary(guard.text, guard.names)
        self._instead = guard.instead
        self._bytes = b""
        self._text = ""
        self._is_open = False  # the last character is incomplete

    def take(self, piece: bytes) -> bool:
        if self.must_end:
            return False
        whole = self._bytes + piece
        # A character of several bytes may be split over tokens.
        decoder = codecs.getincrementaldecoder("utf-8")()
        try:
            text = decoder.decode(whole)
        except UnicodeDecodeError:
            return False
        rest = decoder.getstate()[0]
        begins_instead = self._instead.encode().startswith(whole.lstrip(b" "))
        if not begins_instead and not self._allows(text, rest):
            return False
        self._bytes, self._text, self._is_open = whole, text, bool(rest)
        return True

    @property
    def may_end(self) -> bool:
        if self._is_open:
            return False
        return self._is_instead or (self._holds_names(self._text) and self._is_whole(self._text))

    @property
    def must_end(self) -> bool:
        return not self._is_open and (
            self._is_instead or (_is_finished(self._text) and self._holds_names(self._text))
        )

    @property
    def _is_instead(self) -> bool:
        return bool(self._instead) and self._text.strip() == self._instead

    def _holds_names(self, text: str) -> bool:
        return all(name.search(text) for name in self._names)

    def _is_whole(self, text: str) -> bool:
        """Return whether all words are complete, including the last one."""
        return all(word in self._words.whole for word in _WORD.findall(text.casefold()))

    def _allows(self, text: str, rest: bytes) -> bool:
        """Return whether a sentence may begin with `text`.

        Args:
            rest: bytes of an incomplete next character.
        """
        if rest and rest not in self._words.half_characters:
            return False
        if _FORBIDDEN.search(text) or (_is_finished(text) and not self._holds_names(text)):
            return False
        if any(c not in self._words.characters for c in text if c > "\x7f"):
            return False
        lowered = text.casefold()
        return all(
            word.group() in self._words.whole
            or (word.end() == len(lowered) and word.group() in self._words.begun)
            for word in _WORD.finditer(lowered)
        )


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    """What a sentence about a text may consist of.

    Attributes:
        whole, begun: words, and all their prefixes.
        characters: characters beyond ASCII.
        half_characters: incomplete byte sequences of these characters.
    """

    whole: frozenset[str]
    begun: frozenset[str]
    characters: frozenset[str]
    half_characters: frozenset[bytes]


def count_own_words(text: str, names: tuple[str, ...]) -> int:
    """Return the number of words of a sentence other than the names and function words."""
    known = FUNCTION_WORDS_EN.union(*(_WORD.findall(name.casefold()) for name in names))
    n_words = sum(word not in known for word in _WORD.findall(text.casefold()))
    wide = FUNCTION_WORDS_ZH.union("".join(names))
    return n_words + sum(character not in wide for character in _WIDE.findall(text))


def _is_finished(text: str) -> bool:
    return bool(_ENDS.search(text)) and not _SHORT_FORM.search(text)


@lru_cache(maxsize=256)
def _name_pattern(name: str) -> re.Pattern[str]:
    """Return a pattern that finds a name as whole words: "Sam" is not in "Samuel"."""
    before = rf"(?<![^\W_{_WIDE_RANGE}])" if _WORD.match(name) else ""
    after = rf"(?![^\W_{_WIDE_RANGE}])" if name and _WORD.match(name[-1]) else ""
    return re.compile(before + re.escape(name) + after, re.IGNORECASE)


@lru_cache(maxsize=64)
def _vocabulary(text: str, names: tuple[str, ...]) -> _Vocabulary:
    allowed = f"{text} {' '.join(names)}"
    is_chinese = 4 * len(_WIDE.findall(text)) > len(text)
    whole = frozenset(_WORD.findall(allowed.casefold())) | (
        frozenset() if is_chinese else FUNCTION_WORDS_EN
    )
    begun = frozenset(word[:n] for word in whole for n in range(1, len(word)))
    characters = _MARKS | (FUNCTION_WORDS_ZH if is_chinese else frozenset())
    characters |= {
        c for s in (allowed, allowed.upper(), allowed.casefold()) for c in s if c > "\x7f"
    }
    characters = frozenset(c for c in characters if not _FORBIDDEN.match(c))
    encoded = [c.encode("utf-8", "ignore") for c in characters]
    halves = frozenset(code[:n] for code in encoded for n in range(1, len(code)))
    return _Vocabulary(whole, begun, characters, halves)


MIN_INTRODUCTION_WEIGHT = 0.3  # of a mention that describes its name
MAX_NAMES = 10
MAX_TOKENS = 40
CONFIRMED_FROM = 0.6  # probability of "yes" from which a sentence is kept
_NOTHING = {"en": "none", "zh": "无"}
_ANSWERS = {"en": ("yes", "no"), "zh": ("是", "否")}


@dataclass(frozen=True, slots=True)
class _Subject:
    """One name or a pair of names, with the passage about them."""

    names: tuple[str, ...]
    text: str


@cache
def describe_messages(language: str) -> tuple[ChatMessage, ...]:
    """Return the instruction and its worked examples, with `PASSAGE` in place of the text."""
    instruction, *examples = load_prompt("describe", language).split("\n\n")
    messages = [ChatMessage("system", instruction)]
    for text, lines in (example.split("\n", 1) for example in examples):
        messages += [ChatMessage("user", text), ChatMessage("assistant", lines)]
    return (*messages, ChatMessage("user", PASSAGE))


def subject_line(names: Sequence[str], language: str) -> str:
    return f"{'与'.join(names)}：" if language == "zh" else f"{' & '.join(names)}:"


def check_line(sentence: str, language: str) -> str:
    return f"{sentence}（文中所说）：" if language == "zh" else f"{sentence} (said):"


def write_descriptions(task: ChunkTask, found: ChunkEvidence) -> Talk:
    """Ask for a description of what was found in a chunk; return the evidence with them."""
    language = prompt_language(task.language)
    messages = describe_messages(language)
    written: list[tuple[_Subject, str]] = []
    for subject in _plan_subjects(task, found):
        guard = FaithfulGuard(subject.names, subject.text, _NOTHING[language])
        line = subject_line(subject.names, language)
        (reply,) = yield Write((line,), MAX_TOKENS, guard, (subject.text,), messages)
        if sentence := _read_sentence(reply, subject, language):
            written.append((subject, sentence))
    if not written:
        return found
    replies = yield Choose(
        tuple(check_line(sentence, language) for _, sentence in written),
        tuple(continue_line(answer, language) for answer in _ANSWERS[language]),
        tuple(subject.text for subject, _ in written),
        messages,
    )
    confirmed = {
        frozenset(subject.names): sentence
        for (subject, sentence), reply in zip(written, replies, strict=True)
        if _is_confirmed(reply)
    }
    return _add_descriptions(found, confirmed)


def _plan_subjects(task: ChunkTask, found: ChunkEvidence) -> list[_Subject]:
    """Return what to describe: pairs with a kind, then the names with the best introductions."""
    subjects = [
        _Subject((r.source, r.target), cut_passage(task, r.start, r.end))
        for r in found.relations
        if r.kind and frozenset((r.source, r.target)) not in task.described
    ]
    rejected = {claim.name for claim in found.names if claim.type == REJECTED}
    best: dict[str, Mention] = {}
    for mention in task.mentions:
        known = best.get(mention.name)
        if known is None or mention.weight > known.weight:
            best[mention.name] = mention
    introduced = [
        m
        for m in best.values()
        if m.weight >= MIN_INTRODUCTION_WEIGHT
        and m.name not in task.described
        and m.name not in rejected
    ]
    introduced.sort(key=lambda m: (-m.weight, m.start))
    subjects += [
        _Subject((m.name,), cut_passage(task, m.sentence_start, m.sentence_end))
        for m in introduced[:MAX_NAMES]
    ]
    return [s for s in subjects if s.text and not is_heading(s.text)]


def _read_sentence(reply: Written, subject: _Subject, language: str) -> str:
    """Return the sentence, "" if it is "none", truncated or empty of content."""
    sentence = " ".join(reply.text.split())
    if reply.ended != "finished" or sentence == _NOTHING[language]:
        return ""
    return sentence if count_own_words(sentence, subject.names) else ""


def _is_confirmed(reply: Choice) -> bool:
    yes, no = (exp(logprob) for logprob in reply.logprobs)
    return yes > 0 and yes / (yes + no) >= CONFIRMED_FROM


def _add_descriptions(found: ChunkEvidence, sentences: dict[frozenset[str], str]) -> ChunkEvidence:
    relations = tuple(
        replace(r, description=sentences.get(frozenset((r.source, r.target)), r.description))
        for r in found.relations
    )
    claims = {claim.name: claim for claim in found.names}
    for (name, *more), sentence in ((tuple(n), s) for n, s in sentences.items()):
        if not more:
            claims[name] = replace(claims.get(name, NameClaim(name)), description=sentence)
    return replace(found, relations=relations, names=tuple(claims.values()))
