"""Checks each written sentence of an answer against the passage that it cites.

A small model writes fluent sentences that its sources do not contain: it joins a question with a
sentence that stands nearby, adds words, or reverses who did what. A sentence stays only if its
passage supports it as far as rules can find: no name or number that the passage lacks, no
reversed roles, something beyond the question, and the model itself prefers it to "the passage does
not say" in both orders of the two. Every other sentence is replaced by the cited sentence, quoted,
which needs no proof. Decision 72 has the figures.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..errors import Cancelled, UserError
from ..llm.protocols import ChatModel
from ..model import (
    ANSWER_CHECKED,
    Answer,
    ChatMessage,
    CheckedSentence,
    Citation,
    DocumentId,
    Passage,
    RetrievalResult,
    Stage,
)
from ..progress import CancelToken
from ..prompt_files import load_prompt
from ..prompt_program import (
    PASSAGE,
    STOPPED,
    Choose,
    OneLine,
    PromptProgram,
    Talk,
    Write,
    average_odds,
)
from ..retrieval.windows import LONGEST_WINDOW, extend_window
from ..text.chunking import split_sentences
from ..text.direct_speech import QUESTION_END, is_from_speech, reports_speech
from ..text.shown_text import Span, show_text
from ..text_tables import header_above
from ..writing_systems import HAN, has_han, language_of, stems
from .answer_ties import ORDER, PERSON, RELATIVE, WHY, find_missing_tie, find_other_ordinal
from .citations import (
    MARK,
    add_marks,
    append_text,
    choose_quotation,
    cite,
    escape_markdown,
    escape_within_line,
    find_key_sentence,
    narrow,
    read_numbers,
)

# Log-odds of a claim against "the passage does not say", from which on it stands: two to one, and
# a little more. Decision 72 has the precision at other values.
SURE = 0.8
# Of a sentence that its passage has word for word (decision 83); up to `SURE` it needs a word of a
# short answer as well (decision 181).
SURE_LITERAL = 0.3
# The confidence of a short answer in words of its passage, with the agreement of all passages
# together (decision 113 has other values).
SURE_SHORT = 0.8
MOST_GAP = 3  # characters between two sentences: blanks and a quotation mark
LITERAL_WORDS, LITERAL_HAN = 4, 8  # shorter ones are in many passages by chance
AROUND = 2  # sentences on each side of the cited one that belong to its evidence
ITEM_WORDS, ITEM_HAN = 3, 4  # words, Chinese characters of an item of a list
MOST_CHECKED = 6  # sentences and items a model is asked about; an answer has two to four sentences
MOST_QUOTED = 3  # quotations in one answer: more than one reads before opening the passages
_GRAMMATICAL = frozenset(
    "a an the am is are was were be been being has have had do does did will would shall".split()
)
_NUMBER = re.compile(r"\d+")
_ENGLISH_NAME = re.compile(r"(?<=[\w,;] )(?:[A-Z][a-z]+)\b")  # not at the start of a sentence
# "I" of a person in the text; not "we" of papers, nor "our country" (我国).
_FIRST_PERSON = re.compile(
    r"\b(?:I['’](?:d|ll|m|ve)|me|my|myself)\b|(?:^|[^\w\s] |\b[a-z]+ )I (?=[a-z])"
    r"|我(?![们們国國省市县縣校院军軍方党黨])|俺"
)
_BEFORE_STOP = re.compile(r"\s+(?=[.,;!?。，；！？])")
_LINE = re.compile(r"[^\n]+")
_HAN_CHAR = re.compile(f"[{HAN}]")
_BULLET = re.compile(r"\s*(?:[-*•]|\d{1,2}[.)])\s+")
_QUOTE_MARKS = frozenset('"“”「」『』')
INTRODUCTION = {
    "en": "These passages come nearest, word for word:",
    "zh": "最相关的原文如下：",
}
REASONS = {
    "uncited": {"en": "it cites no passage", "zh": "没有引用原文"},
    "repeats": {"en": "it only repeats the question", "zh": "只是重复了问题"},
    "number": {"en": "its passage does not say “{}”", "zh": "原文没有提到“{}”"},
    "name": {"en": "its passage does not name {}", "zh": "原文没有提到{}"},
    "owner": {"en": "its passage has no {1} of {0}", "zh": "原文没有说“{0}”的“{1}”"},
    "alias": {"en": "it only gives another name", "zh": "只是给出了另一个名字"},
    "part": {"en": "it answers another part of the question", "zh": "它回答的是问题的另一部分"},
    "reversed": {
        "en": "its passage says who did what the other way round",
        "zh": "原文中做事的人与此相反",
    },
    "speech": {"en": "it is what somebody in the text says", "zh": "这是文中人物自己的话"},
    "asked": {"en": "its passage only asks so", "zh": "原文只是在问"},
    "reason": {
        "en": "its sentence does not say what it is the reason of",
        "zh": "原句没有说明它是哪件事的原因",
    },
    PERSON: {
        "en": "the speech does not name the person asked about",
        "zh": "这段话没有提到所问的人",
    },
    RELATIVE: {
        "en": "its sentence does not say whose relative it is",
        "zh": "原句没有说明这是谁的亲属",
    },
    ORDER: {
        "en": "its sentence does not say that it was the first or last time",
        "zh": "原句没有说明这是第一次或最后一次",
    },
    "unclear": {"en": "its passage does not clearly say so", "zh": "原文没有明确这样说"},
    "unchecked": {"en": "not checked", "zh": "未核对"},
}
# After a claim by the words of a person in the text: a swindler's words are no fact. Where the
# claim names the speaker, or the question asks for a person's words, nothing is added.
SPOKEN = {
    "en": " (A person in the text says so.)",
    "zh": "（这是文中人物说的。）",
}
DOUBTS = frozenset(
    ("unclear", "asked", "reason", PERSON, RELATIVE, ORDER)
)  # a claim with one of them may be right
NO_ANSWER = {
    "en": "No answer was found in the passages nearest to the question.",
    "zh": "在与问题最接近的段落中没有找到答案。",
}
UNCHECKED = {
    "en": "(Stopped before it was checked against its passages.)",
    "zh": "（已停止，尚未与原文核对。）",
}


@dataclass(frozen=True, slots=True)
class AnswerClaim:
    """A sentence of an answer with the passage that it cites.

    Attributes:
        text: without marks, as one line.
        start, end: in the answer, with its marks.
        number: of the source; 0 for a sentence that cites none.
        quote: the cited sentence, start and end in the document.
        evidence: the cited sentence and those around it.
        is_speech: it states the words of a person in the text, who may be wrong, without saying so.
    """

    text: str
    start: int
    end: int
    number: int = 0
    quote: tuple[int, int] = (0, 0)
    evidence: str = ""
    is_speech: bool = False


@dataclass(frozen=True, slots=True)
class ClaimFault:
    """Why a claim does not stand: the check that it failed, and the words that it is about."""

    check: str  # a key of `REASONS`
    words: tuple[str, ...] = ()

    def describe(self, language: str) -> str:
        return REASONS[self.check][language].format(*self.words)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a claim stands, and the reason if it does not.

    `preferred` is the model's log-odds, the confidence of a short answer, 0 where it was not asked.
    `needed` are those from which on the claim stands, 0 where the model was not asked.
    """

    claim: AnswerClaim
    stands: bool
    preferred: float = 0.0
    needed: float = 0.0
    reason: ClaimFault | None = None

    @property
    def is_unclear(self) -> bool:
        """Whether only the model's own doubt rejected the claim."""
        return self.reason is not None and self.reason.check == "unclear"

    @property
    def may_be_right(self) -> bool:
        """Whether the claim was rejected, and its words are no fault."""
        return self.reason is not None and self.reason.check in DOUBTS


def find_claims(text: str, sources: Sequence[Passage], question: str) -> list[AnswerClaim]:
    """Return the sentences of an answer, each with the source that fits it best of those it cites.

    Marks after a full stop belong to the sentence before it. A sentence without a mark takes that
    of the next marked sentence of its line, because models mark the last sentence only.
    """
    claims: list[AnswerClaim] = []
    for line in _LINE.finditer(text):
        claims += _find_claims_of_line(line, sources, question)
    return claims


def _find_claims_of_line(
    line: re.Match[str], sources: Sequence[Passage], question: str
) -> list[AnswerClaim]:
    text, at = line.group(), line.start()
    bullet = _BULLET.match(text)
    first = bullet.end() if bullet else 0
    # Marks become blanks, so that offsets stay and a mark is no part of a sentence.
    bare = MARK.sub(lambda mark: " " * len(mark.group()), text)
    spans = [
        (first + start, first + end)
        for sentence in split_sentences(bare[first:], language_of(text))
        for start, end in _split_items(bare[first:], sentence)
        if any(char.isalnum() for char in bare[first + start : first + end])
    ]
    marks = [
        (mark.start(), mark.end(), [int(n) for n in _NUMBER.findall(mark.group())])
        for mark in MARK.finditer(text)
    ]
    found: list[AnswerClaim] = []
    numbers_after: list[int] = []
    for place in range(len(spans) - 1, -1, -1):
        start, end = spans[place]
        limit = spans[place + 1][0] if place + 1 < len(spans) else len(text)
        own = [(b, numbers) for a, b, numbers in marks if start < a < limit]
        numbers = [n for _, many in own for n in many if 1 <= n <= len(sources)]
        numbers_after = numbers = numbers or numbers_after
        stop = max([end, *(b for b, _ in own)])
        words = _BEFORE_STOP.sub("", " ".join(bare[start:end].split())).rstrip(";；")
        bounds = at + start, at + stop
        found.insert(0, _build_claim(words, bounds, numbers, sources, question))
    return found


_SEMICOLON = re.compile(r"[;；]\s*")


def _split_items(text: str, sentence: Span) -> Iterator[Span]:
    """Yield the parts of a sentence that semicolons separate, as in a list.

    Each is checked by itself, so that a wrong item neither takes the others with it nor is saved by
    them. A part of a word or two belongs to the part before it.
    """
    start, end = sentence
    for stop in _SEMICOLON.finditer(text, start, end):
        if _is_item(text[start : stop.start()]) and _is_item(text[stop.end() : end]):
            yield start, stop.end()
            start = stop.end()
    yield start, end


def _is_item(text: str) -> bool:
    """Return whether a part of a sentence says enough to be checked."""
    return len(_HAN_CHAR.findall(text)) >= ITEM_HAN or len(text.split()) >= ITEM_WORDS


def _build_claim(
    text: str,
    bounds: tuple[int, int],
    numbers: Sequence[int],
    sources: Sequence[Passage],
    question: str,
) -> AnswerClaim:
    best, most = AnswerClaim(text, *bounds), -1
    wanted = stems(text)
    names_speaker = reports_speech(text) or reports_speech(question)
    if numbers:  # a copied sentence is often marked with the number of another passage
        every = dict.fromkeys((*numbers, *range(1, len(sources) + 1)))
        literal = [n for n in every if has_literally(sources[n - 1].text, text)]
        numbers = literal[:1] or _choose_sources(text, numbers, sources, question)
    for number in dict.fromkeys(numbers):
        passage = sources[number - 1]
        quote = narrow(passage, text, question)
        evidence = _around(passage, quote)
        shared = len(wanted & stems(evidence))
        if shared > most:
            place = quote[0] - passage.start, quote[1] - passage.start
            is_speech = not names_speaker and is_from_speech(text, passage.text, place)
            best, most = AnswerClaim(text, *bounds, number, quote, evidence, is_speech), shared
    return best


def _choose_sources(
    text: str, cited: Sequence[int], sources: Sequence[Passage], question: str
) -> Sequence[int]:
    """Return the numbers of the cited sources, or of others that alone can say what a claim says.

    These have all its numbers and names that the question lacks, and no cited one has: a small
    model often cites the passage beside the one that it took a fact from. A passage in another
    language may write them in another way.
    """
    language = language_of(text)
    new_numbers = set(read_numbers(text)) - set(read_numbers(question))
    new_names = [name for name in _ENGLISH_NAME.findall(text) if name not in question]

    def has_all(number: int) -> bool:
        passage = sources[number - 1].text
        if language_of(passage) != language:
            return number in cited
        has_names = all(_is_named(name, passage.casefold()) for name in new_names)
        return has_names and new_numbers <= set(read_numbers(passage))

    if any(has_all(number) for number in cited):
        return cited
    return [n for n in range(1, len(sources) + 1) if has_all(n)] or cited


def _around(passage: Passage, quote: tuple[int, int]) -> str:
    """Return the cited sentence with `AROUND` sentences on each side, as one line.

    A row of a table says what it says only below its header.
    """
    spans = split_sentences(passage.text, language_of(passage.text))
    start, end = quote[0] - passage.start, quote[1] - passage.start
    inside = [i for i, (a, b) in enumerate(spans) if a < end and b > start] or [0]
    first, last = max(0, inside[0] - AROUND), min(len(spans) - 1, inside[-1] + AROUND)
    header = header_above(passage.text, passage.table, spans[inside[0]][0])
    return " ".join(f"{header} {passage.text[spans[first][0] : spans[last][1]]}".split())


# --- rules ---------------------------------------------------------------------------------------


def find_contradiction(
    claim: AnswerClaim, question: str, names: Sequence[str]
) -> ClaimFault | None:
    """Return why the passage cannot say this, None if no rule applies.

    Args:
        names: of the entities found for the question.
    """
    if not claim.number:
        return ClaimFault("uncited")
    if _adds_nothing(claim, question):
        return ClaimFault("repeats")
    if _FIRST_PERSON.search(claim.text) and not _FIRST_PERSON.search(question):
        return ClaimFault("speech")  # "I'd … die like a faithful dog" is a threat
    known = f"{claim.evidence} {question}".casefold()
    if language_of(claim.text) != language_of(claim.evidence):
        return None  # names and numbers are written in another way
    known_numbers = set(read_numbers(known))
    for number in read_numbers(claim.text):
        if number not in known_numbers:
            return ClaimFault("number", (number,))
    if numbered := find_other_ordinal(f"{claim.text} {question}", claim.evidence):
        return ClaimFault("number", (numbered,))
    for name in _find_names(claim.text, names):
        if not _is_named(name, known):
            return ClaimFault("name", (name,))
    if reversed_names := _find_reversed(claim, names):
        return ClaimFault("reversed", reversed_names)
    if pair := _find_wrong_owner(claim, question):
        return ClaimFault("owner", pair)
    return None


def _adds_nothing(claim: AnswerClaim, question: str) -> bool:
    own = stems(claim.text) - stems(question)
    return not own and set(_NUMBER.findall(claim.text)) <= set(_NUMBER.findall(question))


def is_literal(claim: AnswerClaim) -> bool:
    """Return whether the evidence has this sentence word for word: it cannot say otherwise.

    Articles and auxiliary verbs may differ: "The ring is a brass weight" for "was a brass weight".
    """
    return has_literally(claim.evidence, claim.text)


def has_literally(passage: str, sentence: str) -> bool:
    """Return whether a passage has a sentence word for word; see `is_literal`."""
    claim = _plain(sentence)
    if has_han(sentence):
        is_long = len(claim.replace(" ", "")) >= LITERAL_HAN
    else:
        is_long = claim.count(" ") + 1 >= LITERAL_WORDS
    return is_long and _has_words(_plain(passage), claim)


def has_exactly(passage: str, sentence: str) -> bool:
    """Return whether a passage has all words of a sentence in its order, also grammatical ones."""
    claim, source = (" ".join(re.findall(r"\w+", text.lower())) for text in (sentence, passage))
    return _has_words(source, claim)


def _has_words(source: str, claim: str) -> bool:
    """Return whether a text has the words of another in its order; both have spaces between words.

    In Chinese the spaces are where marks were, and may differ.
    """
    if has_han(claim):
        return claim.replace(" ", "") in source.replace(" ", "")
    return f" {claim} " in f" {source} "


def _plain(text: str) -> str:
    """Return words and the stops between sentences, without other marks and grammatical words."""
    words = re.findall(r"\w+|[.!?。！？]", text.lower())
    return " ".join(w for w in words if w not in _GRAMMATICAL).strip(" .!?。！？")


def _goes_on(claim: AnswerClaim, before: Verdict | None) -> bool:
    """Return whether a literal sentence follows one that stands in the passage, too."""
    if before is None or not before.stands or not is_literal(before.claim):
        return False
    gap = claim.quote[0] - before.claim.quote[1]
    return claim.number == before.claim.number and 0 <= gap <= MOST_GAP


def _find_names(text: str, names: Sequence[str]) -> list[str]:
    if has_han(text):
        return [name for name in names if name in text]
    return _ENGLISH_NAME.findall(text)


def _is_named(name: str, known: str) -> bool:
    """Return whether a name, or one of its words, stands in a case-folded text."""
    if has_han(name):
        return name in known
    words = re.findall(r"\w{3,}", name) or [name]
    # "Ann" is not named by "planned"; "the Bennets" names a Bennet.
    return any(re.search(rf"\b{re.escape(word.casefold())}(?:e?s)?\b", known) for word in words)


_BY = re.compile(r"\b(?:was|were|is|are|been|being|got)\b[^.;,]{1,40}?\bby\b")
_PASSIVE_ZH = re.compile("被|为.{1,6}所")
_DISPOSAL_ZH = re.compile("[把将將]")


def find_direction(text: str, one: str, other: str) -> int:
    """Return 1 where a sentence has `one` act on `other`, -1 the other way round, 0 unknown.

    Answers only for sentences with a mark of the passive or of disposal between the two names, or
    with at most a few words between them: word order alone says little in a long sentence.
    """
    first, second = text.find(one), text.find(other)
    if min(first, second) < 0 or first == second:
        return 0
    sign = 1 if first < second else -1
    begin, left = min((first, one), (second, other))
    end = max(first, second)
    between = text[begin + len(left) : end]
    if has_han(text):
        if _PASSIVE_ZH.search(between):
            return -sign
        near = len(between) <= NEAR_HAN or _DISPOSAL_ZH.search(between) is not None
        return sign if near and not re.search("[，。；！？和与同、]", between) else 0
    if _BY.search(between):
        return -sign
    near = len(between.split()) <= NEAR_WORDS
    return sign if near and not re.search(r"[,.;!?]|\b(?:and|or|with)\b", between) else 0


# "是柳含章的女儿", "Hodge's daughter", "the daughter of Hodge"
_OWNED_ZH = re.compile(
    rf"[是乃为](?P<owner>[{HAN}]{{2,6}}?)[的之](?P<thing>[{HAN}]{{1,4}})(?=[，。；！？、]|$)"
)
_OWNED = re.compile(
    r"\b(?P<owner>[A-Z]\w{2,})['’]s? (?P<thing>[a-z]{3,})\b"
    r"|\b(?P<thing_of>[a-z]{3,}) of (?P<owner_of>[A-Z]\w{2,})\b"
)
_CLAUSE = re.compile(r"[^，。；：！？,.;:!?\n]+")
_POSSESSIVE_ZH = re.compile("[他她其]")
_POSSESSIVE = re.compile(r"\b(?:his|her|their|its|my|our|your|whose)\b", re.IGNORECASE)


def _find_wrong_owner(claim: AnswerClaim, question: str) -> tuple[str, ...]:
    """Return an owner and a thing of a claim ("Y's daughter") that the passage does not connect.

    The passage has both, but wherever it has the thing, its clause names another owner or none: "Y
    was her name; she was the daughter of an old teacher" has no daughter of Y. Empty where the
    passage has the thing in other words, and for what the question says itself.
    """
    is_han = has_han(claim.text)
    owned = _OWNED_ZH if is_han else _OWNED
    possessive = _POSSESSIVE_ZH if is_han else _POSSESSIVE
    clauses = [clause.group() for clause in _CLAUSE.finditer(claim.evidence)]
    for match in owned.finditer(claim.text):
        parts = match.groupdict()
        owner = parts["owner"] or parts.get("owner_of") or ""
        thing = parts["thing"] or parts.get("thing_of") or ""
        having = [clause for clause in clauses if thing in clause]
        is_asked = owner in question and thing in question
        if is_asked or not having or owner not in claim.evidence:
            continue
        if not any(owner in clause or possessive.search(clause) for clause in having):
            return owner, thing
    return ()


NEAR_HAN = 6
NEAR_WORDS = 3


def _find_reversed(claim: AnswerClaim, names: Sequence[str]) -> tuple[str, ...]:
    """Return two names that act on each other one way in the claim, the other way in the passage.

    The one that acts in the claim comes first; none if there are no such names.
    """
    inside = list(dict.fromkeys(n for n in names if n in claim.text and n in claim.evidence))
    sentences = [
        claim.evidence[start:end]
        for start, end in split_sentences(claim.evidence, language_of(claim.evidence))
    ]
    for place, one in enumerate(inside):
        for other in inside[place + 1 :]:
            if one in other or other in one:
                continue
            claimed = find_direction(claim.text, one, other)
            directions = {find_direction(sentence, one, other) for sentence in sentences} - {0}
            if claimed and directions == {-claimed}:
                return (one, other) if claimed > 0 else (other, one)
    return ()


_WORD = re.compile(rf"[{HAN}]+|[^\W_{HAN}]+")
_PARTICLES = frozenset(
    "的地得了着过是在有和与及同也都就又而之于其这那他她它们一个被把将为对从向到因所以由但"
)
# a sentence says nothing else with them than without
_LINKING = frozenset(
    "because since although though while during after before upon about also such some any other "
    "both each than then through between can could may might must should very only".split()
)


def find_missing_words(sentence: str, passage: str) -> tuple[Span, ...]:
    """Return where a sentence has words that a passage does not have in any form.

    Grammatical words are left out. Chinese has no words: there, characters are given that are in
    no pair of characters that both have. None where the two are in different languages.
    """
    if language_of(sentence) != language_of(passage):
        return ()
    known, lowered = stems(passage), passage.casefold()
    spans: list[Span] = []
    for match in _WORD.finditer(sentence):
        word, start = match.group().casefold(), match.start()
        if has_han(word):
            spans += [(start + a, start + b) for a, b in _find_missing_han(word, lowered)]
        elif word.isdigit():
            if word not in lowered:
                spans.append(match.span())
        elif word not in _GRAMMATICAL | _LINKING and (own := stems(word)) and not own & known:
            spans.append(match.span())
    return tuple(spans)


def _find_missing_han(word: str, passage: str) -> list[Span]:
    is_known = [char in _PARTICLES for char in word]
    for i in range(len(word) - 1):
        if word[i : i + 2] in passage:
            is_known[i] = is_known[i + 1] = True
    if len(word) == 1:
        is_known[0] = word in passage
    runs: list[Span] = []
    for i, known in enumerate(is_known):
        if known:
            continue
        if runs and runs[-1][1] == i:
            runs[-1] = runs[-1][0], i + 1
        else:
            runs.append((i, i + 1))
    # a single character between known ones is mostly grammatical
    return [(a, b) for a, b in runs if b - a > 1 or word[a] not in passage]


# --- the model's preference ----------------------------------------------------------------------


def ask_preference(
    claim: AnswerClaim, question: str, model: ChatModel, cancel: CancelToken | None = None
) -> float:
    """Return the model's log-odds of the claim against "the passage does not say".

    Asked in both orders, because small models prefer one letter. Passage and question are read
    once for both.

    Raises:
        Cancelled: the token was set.
        UserError: the passage is too long for the model.
    """
    messages, texts = _build_check(claim, question)

    def talk() -> Talk:
        first, second = yield Choose(("", ""), ("A", "B"), texts)
        return average_odds(first, second)

    return float(_run_check(messages, talk, model, cancel))


def prefers_in_words(
    claim: AnswerClaim, question: str, model: ChatModel, cancel: CancelToken | None = None
) -> bool:
    """Return whether the model writes in both orders that the passage has the claim.

    For a model that states no probabilities (`ChatModel.can_choose`). Raises as `ask_preference`.
    """
    messages, texts = _build_check(claim, question)

    def talk() -> Talk:
        first, second = yield Write(("", ""), _LETTER_TOKENS, OneLine(), texts)
        return _read_letter(first.text) == "A" and _read_letter(second.text) == "B"

    return bool(_run_check(messages, talk, model, cancel))


_LETTER_TOKENS = 4  # "A", "**A**", "A."
_LETTER = re.compile(r"[AB](?![A-Za-z])")


def _read_letter(text: str) -> str:
    found = _LETTER.search(text)
    return found[0] if found else ""


def _build_check(
    claim: AnswerClaim, question: str
) -> tuple[tuple[ChatMessage, ...], tuple[str, ...]]:
    """Return the prompt of a check, and its options with the claim as A and as B."""
    language = "zh" if has_han(claim.text) else "en"
    form = load_prompt("check_claim", language)
    instruction, asked, options, nothing = (part.strip() for part in form.split("---"))
    text = asked.format(passage=claim.evidence, question=question, options=PASSAGE)
    messages = (ChatMessage("system", instruction), ChatMessage("user", text))
    orders = ((claim.text, nothing), (nothing, claim.text))
    return messages, tuple(options.format(first=first, second=second) for first, second in orders)


def _run_check(
    messages: tuple[ChatMessage, ...],
    talk: Callable[[], Talk],
    model: ChatModel,
    cancel: CancelToken | None,
) -> Any:
    results = list(model.run_programs([PromptProgram(0, messages, "", talk)], cancel=cancel))
    if not results or results[0].error == STOPPED:
        raise Cancelled
    if results[0].error:
        raise UserError(results[0].error, "Ask about a shorter text.")
    return results[0].value


# --- the whole answer ----------------------------------------------------------------------------


def check_claims(
    answer: Answer,
    sources: Sequence[Passage],
    model: ChatModel,
    cancel: CancelToken,
    language: str,
    *,
    is_translated: bool = False,
    is_only_name: Callable[[str], bool] = lambda _: False,
    people: Sequence[Collection[str]] = (),
    short_answers: Sequence[str] | None = None,
) -> Answer:
    """Return the answer with every sentence that its passage does not say replaced by a quotation.

    Where no sentence stands, the answer is the cited sentences and the best windows of the best
    passages, at most `MOST_QUOTED` in all, introduced as quotations. What was replaced and why is
    a stage of the retrieval result, for the inspector. With a cancelled token the answer is
    returned with the note that it is unchecked.

    Args:
        answer: with checked marks.
        language: of the introduction.
        is_translated: the answer is still to be translated, which quotations must not be: where a
            sentence stands, the others are left out.
        is_only_name: whether a sentence only gives another name of what the question asks about.
        people: the names of each person that the question names.
        short_answers: what single passages and all of them together answered, of which a literal
            sentence in doubt needs a word; None where they were not read so.
    """
    if cancel.cancelled or answer.stopped:
        return _mark_unchecked(answer, language)
    started = time.perf_counter()
    found = answer.found
    names = _list_names(found)
    claims = find_claims(answer.text, sources, found.question)
    verdicts: list[Verdict] = []
    for place, claim in enumerate(claims):
        asks = model if place < MOST_CHECKED else None
        before = verdicts[-1] if verdicts else None
        if is_only_name(claim.text):
            verdicts.append(Verdict(claim, False, reason=ClaimFault("alias")))
            continue
        verdict = judge_claim(claim, found.question, names, asks, cancel, before)
        if verdict.stands and is_literal(claim) and verdict.needed:
            fault = _find_missed(verdict, sources, found.question, people, short_answers)
            if fault is not None:
                needed = SURE if fault.check == "unclear" else verdict.needed
                verdict = replace(verdict, stands=False, needed=needed, reason=fault)
        verdicts.append(verdict)
    if cancel.cancelled:
        return _mark_unchecked(answer, language)
    stands = any(verdict.stands for verdict in verdicts)
    quotes = not (is_translated and stands)
    text, citations = _rebuild(answer, verdicts, sources, language, quotes=quotes)
    stage = _build_stage(verdicts, sources, found, language, time.perf_counter() - started)
    found = replace(found, stages=(*found.stages, stage))
    return replace(answer, text=text, citations=citations, found=found)


def judge_short_answer(
    text: str,
    number: int,
    confidence: float,
    sources: Sequence[Passage],
    found: RetrievalResult,
    people: Sequence[Collection[str]] = (),
) -> Verdict:
    """Return whether an answer in words of one source stands: by the rules, then by the model.

    Args:
        number: of the source, from 1.
        confidence: see `PassageReader.confirm`.
        people: the names of each person that the question names.
    """
    claim = _build_claim(text, (0, len(text)), [number], sources, found.question)
    if reason := find_contradiction(claim, found.question, _list_names(found)):
        return Verdict(claim, False, reason=reason)
    if QUESTION_END.search(_read_sentence(claim, sources)):
        return Verdict(claim, False, confidence, SURE_SHORT, ClaimFault("asked"))
    if _is_reason_of_nothing(claim, sources, found.question):
        return Verdict(claim, False, confidence, SURE_SHORT, ClaimFault("reason"))
    if lacking := _find_lacking_tie(claim, sources, found.question, people):
        return Verdict(claim, False, confidence, SURE_SHORT, ClaimFault(lacking))
    if confidence >= SURE_SHORT:
        return Verdict(claim, True, confidence, SURE_SHORT)
    return Verdict(claim, False, confidence, SURE_SHORT, ClaimFault("unclear"))


def judge_quotation(
    number: int,
    span: Span,
    sources: Sequence[Passage],
    found: RetrievalResult,
    model: ChatModel,
    cancel: CancelToken,
    needed: float = SURE_LITERAL,
) -> Verdict:
    """Return whether a sentence of one source, word for word, answers the question.

    It can't contradict its source, so the model alone decides.

    Args:
        number: of the source, from 1.
        needed: the log-odds from which on it stands.
    """
    claim = _build_quotation(number, span, sources)
    try:
        preferred = ask_preference(claim, found.question, model, cancel)
    except Cancelled:
        return Verdict(claim, False, reason=ClaimFault("unchecked"))
    fault = None if preferred >= needed else ClaimFault("unclear")
    return Verdict(claim, fault is None, preferred, needed, fault)


def quote_sentence(
    number: int, span: Span, sources: Sequence[Passage], odds: float = 0.0, needed: float = 0.0
) -> Verdict:
    """Return a sentence of one source, which was judged elsewhere, as one that stands.

    Args:
        number: of the source, from 1.
    """
    return Verdict(_build_quotation(number, span, sources), True, odds, needed)


def _build_quotation(number: int, span: Span, sources: Sequence[Passage]) -> AnswerClaim:
    """Return a sentence of a source, word for word, as a claim."""
    passage = sources[number - 1]
    place = span[0] - passage.start, span[1] - passage.start
    stored = show_text(passage.text[slice(*place)], one_line=True).text
    text = escape_within_line(_strip_quotes(stored))
    is_speech = not reports_speech(text) and is_from_speech(text, passage.text, place)
    return AnswerClaim(text, 0, len(text), number, span, _around(passage, span), is_speech)


def state_quotations(
    verdicts: Sequence[Verdict],
    sources: Sequence[Passage],
    found: RetrievalResult,
    language: str,
) -> Answer:
    """Return the answer of the sentences of sources that stand; several are a list."""
    standing = [verdict for verdict in verdicts if verdict.stands]
    claims = [verdict.claim for verdict in standing]
    lines = [_state(verdict, language) for verdict in standing]
    text = lines[0] if len(lines) == 1 else "\n".join(f"- {line}" for line in lines)
    stage = _build_stage(verdicts, sources, found, language)
    citations = tuple(_cite_kept(claims, sources))
    return Answer(text, citations, replace(found, stages=(*found.stages, stage)))


def _find_missed(
    verdict: Verdict,
    sources: Sequence[Passage],
    question: str,
    people: Sequence[Collection[str]],
    short_answers: Sequence[str] | None,
) -> ClaimFault | None:
    """Return why a literal sentence that stands may miss the question, None if nothing shows it.

    It can't misstate its passage. What the model answers from single passages tells which sentence
    it takes the answer from: one that it is not sure of (`SURE`) needs a word of such an answer.
    """
    claim = verdict.claim
    if QUESTION_END.search(claim.text):
        return ClaimFault("asked")
    if lacking := _find_lacking_tie(claim, sources, question, people):
        return ClaimFault(lacking)
    if short_answers is None or verdict.preferred >= SURE:
        return None
    answered = _list_words(" ".join(short_answers)) - _list_words(question)
    return None if answered & _list_words(claim.text) else ClaimFault("unclear")


def _find_lacking_tie(
    claim: AnswerClaim,
    sources: Sequence[Passage],
    question: str,
    people: Sequence[Collection[str]],
) -> str:
    """Return what `find_missing_tie` finds in the passage of a claim."""
    passage = sources[claim.number - 1]
    place = claim.quote[0] - passage.start, claim.quote[1] - passage.start
    return find_missing_tie(claim.text, passage.text, place, question, people)


def _list_words(text: str) -> set[str]:
    """Return the words of a text without their endings, and its numbers."""
    return stems(text) | set(read_numbers(text))


def _is_reason_of_nothing(claim: AnswerClaim, sources: Sequence[Passage], question: str) -> bool:
    """Return whether a reason is from a sentence that has no other word of the question.

    A reason ties two facts. A small model gives the purpose of whatever is done nearby ("To get
    the box"), and a check of its words can't see that it is another deed's.
    """
    if not WHY.search(question):
        return False
    asked = stems(WHY.sub(" ", question)) - stems(claim.text)
    return not asked & stems(_read_sentence(claim, sources))


def _read_sentence(claim: AnswerClaim, sources: Sequence[Passage]) -> str:
    passage = sources[claim.number - 1]
    return passage.text[claim.quote[0] - passage.start : claim.quote[1] - passage.start]


def answers_another(
    claim: AnswerClaim, sources: Sequence[Passage], part: str, others: Sequence[str]
) -> bool:
    """Return whether the sentence of a claim has more words of another part of the question."""
    sentence = stems(_read_sentence(claim, sources))
    own = len(sentence & stems(part))
    return any(len(sentence & stems(other)) > own for other in others)


def is_near(verdict: Verdict, distance: float) -> bool:
    """Return whether a claim would stand with a confidence higher by `distance`."""
    return verdict.is_unclear and verdict.preferred + distance >= verdict.needed


@dataclass(frozen=True, slots=True)
class JudgedPart:
    """A part of a question, the whole question where it has only one, and its short answers.

    Attributes:
        verdict: on the answer that stands; None if none does.
        rejected: the verdicts on the answers that were read before it.
    """

    question: str
    verdict: Verdict | None
    rejected: tuple[Verdict, ...] = ()


def state_short_answer(
    parts: Sequence[JudgedPart],
    sources: Sequence[Passage],
    found: RetrievalResult,
    language: str,
) -> Answer:
    """Return the answer of the verdicts that stand; the inspector shows the rejected ones, too.

    Of a question in several parts, each part is a line with its answer, or with the sentence that
    none was found. `language` is that of this sentence and of the reasons.
    """
    verdicts = [v for part in parts for v in (*part.rejected, part.verdict) if v is not None]
    lines = [
        f"- {part.question} "
        f"{_state(part.verdict, language) if part.verdict else NO_ANSWER[language]}"
        for part in parts
    ]
    if len(parts) == 1 and (only := parts[0].verdict):
        lines = [_state(only, language)]
    claims = [part.verdict.claim for part in parts if part.verdict]
    stage = _build_stage(verdicts, sources, found, language)
    stages = (*found.stages, stage)
    citations = tuple(_cite_kept(claims, sources))
    return Answer("\n".join(lines), citations, replace(found, stages=stages))


def _state(verdict: Verdict, language: str) -> str:
    claim = verdict.claim
    return add_marks(_end_sentence(claim.text), f" [{claim.number}]") + _note_speaker(
        claim, language
    )


def _note_speaker(claim: AnswerClaim, language: str) -> str:
    """Return the note behind a claim that states a person's words, "" behind others."""
    return SPOKEN[language] if claim.is_speech else ""


def state_claims(
    claims: Sequence[AnswerClaim],
    sources: Sequence[Passage],
    found: RetrievalResult,
    language: str,
) -> Answer:
    """Return the answer of claims that need no check; several are a list.

    Each source is cited from the first to the last quote.
    """
    stage = _build_stage([Verdict(c, True) for c in claims], sources, found, language)
    lines = [add_marks(_end_sentence(claim.text), f" [{claim.number}]") for claim in claims]
    text = lines[0] if len(lines) == 1 else "\n".join(f"- {line}" for line in lines)
    citations = tuple(_cite_kept(claims, sources))
    return Answer(text, citations, replace(found, stages=(*found.stages, stage)))


def _list_names(found: RetrievalResult) -> list[str]:
    """Return the names of the question, as asked and as in the documents."""
    return [
        *(entity.name for entity in found.entities),
        *(asked for pair in found.meant for asked in pair),
    ]


def _end_sentence(text: str) -> str:
    if text[-1:] in ".!?。！？":
        return text
    return text + ("。" if has_han(text) else ".")


def _build_stage(
    verdicts: Sequence[Verdict],
    sources: Sequence[Passage],
    found: RetrievalResult,
    language: str,
    seconds: float = 0.0,
) -> Stage:
    """Return the stage for the inspector: sentences that stand, and the others with reasons."""
    rejected = [(v.claim.text, v.reason) for v in verdicts if v.reason is not None]
    return Stage(
        ANSWER_CHECKED,
        tuple(f"{v.claim.text} {v.preferred:.2f}" for v in verdicts if v.stands),
        tuple(f"{text} ({reason.describe(language)})" for text, reason in rejected),
        round(seconds * 1000, 2),
        checked=tuple(_record(verdict, sources, found) for verdict in verdicts),
    )


def _record(
    verdict: Verdict, sources: Sequence[Passage], found: RetrievalResult
) -> CheckedSentence:
    """Return what the inspector shows of a verdict."""
    claim, reason, chunk_id, span = verdict.claim, verdict.reason, 0, (0, 0)
    unlisted = None
    if claim.number:
        passage = sources[claim.number - 1]
        chunk_id, span = passage.chunk_id, _find_near(passage, claim)
        is_listed = any(one.chunk_id == chunk_id for one in found.passages)
        unlisted = None if is_listed else replace(passage, routes=())
    return CheckedSentence(
        claim.text,
        reason.check if reason else "",
        reason.words if reason else (),
        chunk_id,
        *span,
        round(verdict.preferred, 3),
        verdict.needed,
        unlisted,
    )


def _find_near(passage: Passage, claim: AnswerClaim) -> Span:
    """Return the sentence of a passage that a claim was compared with, or it and those beside it.

    The one beside it has more words of the claim, or a short sentence says little without it.
    """
    span = reach_asked(passage, claim.quote, claim.text)
    short = SHORT_HAN if has_han(claim.text) else SHORT
    if span != claim.quote or span[1] - span[0] >= short:
        return span
    spans = split_sentences(passage.text, language_of(passage.text))
    before = [a for a, b in spans if passage.start + b <= span[0]][-1:]
    after = [passage.start + b for a, b in spans if passage.start + a >= span[1]][:2]
    for end in after:
        if span[1] - span[0] < short:
            span = span[0], end
    return span if after or not before else (passage.start + before[0], span[1])


SHORT, SHORT_HAN = 40, 15  # characters of a sentence that is shown with those after it


def show_odds(odds: float, *, needed: bool = False) -> int:
    """Return log-odds as a number from 0 to 100; rounded up for those `needed`, else down.

    So a sentence that does not reach its limit never has the number of the limit.
    """
    share = 100.0 / (1.0 + math.exp(-max(-50.0, min(50.0, odds))))
    return math.ceil(share) if needed else math.floor(share)


def _mark_unchecked(answer: Answer, language: str) -> Answer:
    if not answer.text.strip():  # nothing was written that could be checked
        return answer
    return append_text(answer, UNCHECKED[language])


def judge_claim(
    claim: AnswerClaim,
    question: str,
    names: Sequence[str],
    model: ChatModel | None,
    cancel: CancelToken,
    before: Verdict | None = None,
) -> Verdict:
    """Return whether a claim stands: by the rules, then by the model's preference.

    Args:
        names: see `find_contradiction`.
        model: None where no model is to be asked; then only a sentence that goes on stands.
        before: the verdict on the sentence before it in the answer.
    """
    if reason := find_contradiction(claim, question, names):
        return Verdict(claim, False, reason=reason)
    literal = is_literal(claim)
    if literal and _goes_on(claim, before):
        return Verdict(claim, True)
    try:
        if model is not None and not model.can_choose:
            if prefers_in_words(claim, question, model, cancel):
                return Verdict(claim, True)
            return Verdict(claim, False, reason=ClaimFault("unclear"))
        preferred = ask_preference(claim, question, model, cancel) if model else None
    except Cancelled:
        preferred = None
    if preferred is None:
        return Verdict(claim, False, reason=ClaimFault("unchecked"))
    sure = SURE_LITERAL if literal else SURE
    if preferred >= sure:
        return Verdict(claim, True, preferred, sure)
    return Verdict(claim, False, preferred, sure, ClaimFault("unclear"))


def _cite_kept(claims: Sequence[AnswerClaim], sources: Sequence[Passage]) -> list[Citation]:
    """Return a citation for each source, from the first to the last sentence that confirms."""
    spans: dict[int, tuple[int, int]] = {}
    for claim in claims:
        start, end = spans.get(claim.number, claim.quote)
        spans[claim.number] = min(start, claim.quote[0]), max(end, claim.quote[1])
    return [cite(number, sources[number - 1], *span) for number, span in spans.items()]


Place = tuple[DocumentId, tuple[int, int]]  # start and end in the document


class _Quotations:
    """Gives each quoted sentence a number; a source keeps its own for its first sentence.

    Args:
        copied: where sentences are that the answer has word for word.
    """

    def __init__(
        self, sources: Sequence[Passage], taken: Sequence[Citation], copied: Sequence[Place]
    ) -> None:
        self._sources = sources
        self._copied = tuple(copied)
        self.citations = {c.number: c for c in taken}
        self._next = len(sources) + 1
        self._quoted: list[Place] = []

    def has_part_of(self, passage: Passage, span: tuple[int, int]) -> bool:
        """Return whether a part of this range was quoted or copied already."""
        return any(
            document == passage.document_id and start < span[1] and span[0] < end
            for document, (start, end) in (*self._copied, *self._quoted)  # passages may overlap
        )

    def has_any_of(self, passage: Passage) -> bool:
        """Return whether a sentence of this passage was quoted already."""
        return self.has_part_of(passage, (passage.start, passage.end))

    def quote(self, number: int, span: tuple[int, int]) -> str:
        """Return a quotation with its mark, "" if an earlier one has it or there are enough."""
        if len(self._quoted) == MOST_QUOTED:
            return ""
        passage = self._sources[number - 1]
        for document, (start, end) in (*self._copied, *self._quoted):
            if document == passage.document_id and start <= span[0] and span[1] <= end:
                return ""
        span = close_speech(passage, _skip_heading(passage, span))
        self._quoted.append((passage.document_id, span))
        stored = passage.text[span[0] - passage.start : span[1] - passage.start]
        words = _strip_quotes(show_text(stored, one_line=True).text)
        if not words:
            return ""
        if len(words) > LONGEST_WINDOW:
            words = f"{words[: LONGEST_WINDOW - 1].rstrip()}…"
        if number in self.citations:
            number, self._next = self._next, self._next + 1
        self.citations[number] = cite(number, passage, *span)
        return f"{_set_in_quotes(escape_markdown(words))} [{number}]"


def _rebuild(
    answer: Answer,
    verdicts: Sequence[Verdict],
    sources: Sequence[Passage],
    language: str,
    *,
    quotes: bool,
) -> tuple[str, tuple[Citation, ...]]:
    kept = _cite_kept([v.claim for v in verdicts if v.stands], sources)
    copied = [
        (sources[v.claim.number - 1].document_id, v.claim.quote)
        for v in verdicts
        if v.stands and is_literal(v.claim)
    ]
    # the prompt has parts of the passages; the sentence asked for may stand beside such a part
    found = {passage.chunk_id: passage for passage in answer.found.passages}
    sources = [found.get(source.chunk_id, source) for source in sources]
    quotations = _Quotations(sources, kept, copied)
    best = max(range(len(sources)), key=lambda i: sources[i].score) if sources else 0
    window = ""
    if not kept and sources:
        span = choose_quotation(sources[best], answer.found.question)
        window = quotations.quote(best + 1, span)  # first: it may contain the others
    text, position, quoted = "", 0, []
    for verdict in verdicts:
        claim = verdict.claim
        text += answer.text[position : claim.start]
        position = claim.end
        if verdict.stands:
            text += _mark(claim, answer.text[claim.start : claim.end]) + _note_speaker(
                claim, language
            )
        elif claim.number and quotes:
            passage = sources[claim.number - 1]
            span = reach_asked(passage, claim.quote, answer.found.question)
            span = extend_window(passage, span, answer.found.question)
            if quotations.has_part_of(passage, span):
                span = claim.quote
            elif window and not quotations.has_any_of(passage):
                # the passages are the answer, each with the sentence that is marked in it
                span = _keep_marked(passage, span, answer.found.question)
            quoted.append(quotations.quote(claim.number, span))
            text += quoted[-1]
    text += answer.text[position:]
    if window:
        more = _quote_next(quotations, sources, answer.found)
        # The best passage comes first: of 42 answers about novels it had the evidence in 10, the
        # passage that the model took its claim from in 6.
        lines = [f"> {quotation}" for quotation in (window, *quoted, *more) if quotation]
        text = "\n\n".join((INTRODUCTION[language], *lines))
    text = re.sub(r"[ \t]{2,}", " ", text).strip()
    return text, tuple(quotations.citations[n] for n in sorted(quotations.citations))


def _keep_marked(passage: Passage, span: tuple[int, int], question: str) -> tuple[int, int]:
    """Return a quotation, or another one of its passage if it lacks the sentence marked in it."""
    start, end = find_key_sentence(passage, question)
    return span if span[0] <= start and end <= span[1] else choose_quotation(passage, question)


def _quote_next(
    quotations: _Quotations, sources: Sequence[Passage], found: RetrievalResult
) -> list[str]:
    """Return the best windows of the next passages without what was quoted, while there is room."""
    scores = {passage.chunk_id: passage.score for passage in found.passages}
    known = [i for i, source in enumerate(sources) if source.chunk_id in scores]
    known.sort(key=lambda i: -scores[sources[i].chunk_id])
    more = []
    for i in known:
        span = choose_quotation(sources[i], found.question)
        if not quotations.has_part_of(sources[i], span):
            more.append(quotations.quote(i + 1, span))
    return more


def _mark(claim: AnswerClaim, written: str) -> str:
    """Return a sentence as written, with the number of its source if that is another one."""
    marked = {int(n) for mark in MARK.findall(written) for n in _NUMBER.findall(mark)}
    if not marked or claim.number in marked:
        return written
    return add_marks(claim.text, f" [{claim.number}]")


def reach_asked(passage: Passage, quote: tuple[int, int], question: str) -> tuple[int, int]:
    """Return a quotation with the sentence beside it that says what the question is about.

    "Captain Sayle had sailed his own brig" answers who is called Gull only with the sentence
    before it, which has that name. Of the two beside it, the one that says more of what the
    quotation lacks is taken; none if neither does.
    """
    spans = split_sentences(passage.text, language_of(passage.text))
    start, end = quote[0] - passage.start, quote[1] - passage.start
    inside = [i for i, (a, b) in enumerate(spans) if a < end and b > start]
    if not inside:
        return quote
    missing = stems(question) - stems(passage.text[start:end])
    beside = [i for i in (inside[0] - 1, inside[-1] + 1) if 0 <= i < len(spans)]
    shared = {i: len(missing & stems(passage.text[slice(*spans[i])])) for i in beside}
    best = max(shared, key=lambda i: shared[i], default=-1)
    if best < 0 or not shared[best]:
        return quote
    first, last = min(start, spans[best][0]), max(end, spans[best][1])
    return passage.start + first, passage.start + last


_PARAGRAPH_GAP = re.compile(r"\n\s*\n")


def _skip_heading(passage: Passage, span: tuple[int, int]) -> tuple[int, int]:
    """Return a quotation without the heading of its chapter at the start."""
    headings = _letters(passage.heading)
    start, text = span[0], passage.text[span[0] - passage.start : span[1] - passage.start]
    while gap := _PARAGRAPH_GAP.search(text):
        first = _letters(text[: gap.start()])
        if first not in headings:
            break
        start, text = start + gap.end(), text[gap.end() :]
    return (start, span[1]) if text.strip() else span


def _letters(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())


_OPENING_ALIKE = re.compile(r"(?<!\S)\"(?=\w)")
_CLOSING = {"“": "”", "「": "」", "『": "』", '"': '"'}


def close_speech(passage: Passage, span: tuple[int, int]) -> tuple[int, int]:
    """Return a quotation with the rest of a speech that is still open at its end.

    A speech of several sentences is cut after its first one: 唐僧道：“有甚话说！ A speech that
    would make the quotation longer than a window stays open.
    """
    text, start, end = passage.text, span[0] - passage.start, span[1] - passage.start
    quoted = text[start:end]
    for opening, closing in _CLOSING.items():
        n_open, n_closed = quoted.count(opening), quoted.count(closing)
        if opening == closing:
            n_open = len(_OPENING_ALIKE.findall(quoted))
            n_closed -= n_open
        if n_open <= n_closed:
            continue
        close = text.find(closing, end, start + LONGEST_WINDOW)
        paragraph = _PARAGRAPH_GAP.search(text, end)
        if close >= 0 and (paragraph is None or close < paragraph.start()):
            end = close + 1
            quoted = text[start:end]
    return passage.start + start, passage.start + end


def _set_in_quotes(text: str) -> str:
    """Return a quotation in quotation marks, unless it has some inside.

    “"Yes," she said.” would be read twice; a quotation is set off from the answer anyway.
    """
    return text if _QUOTE_MARKS & set(text) else f"“{text}”"


def _strip_quotes(text: str) -> str:
    """Return a quotation without a pair of quotation marks around the whole of it."""
    for left, right in ('""', "“”", "「」", "『』", "‘’"):
        inside = text[1:-1]
        if text[:1] == left and text[-1:] == right and not {left, right} & set(inside):
            return inside.strip()
    return text.strip()
