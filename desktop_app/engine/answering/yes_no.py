"""Finds the sentence that decides a question with yes or no ("Did Ada marry Tom?", 他来了吗？).

A small model says "yes" to whatever stands near the question, so it is not asked whether something
is so. A sentence decides a question only if it has all its words, in their order and in one clause,
as what was done: in the past where the past is asked for, without "if", "would" or "thought". With
a negation at the verb it says no. Everything else stays undecided. Owns which questions these are
and the rules for one sentence; knows no model and no library.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..text.chunking import split_sentences
from ..text.direct_speech import QUESTION_END, reports_speech
from ..text.shown_text import Span
from ..word_lists import WordLists
from ..writing_systems import has_han, language_of
from .short_answers import HAN_DIGITS

MIN_WORDS = 2  # of a question without its grammatical words: "Did he die?" says too little
MAX_GAP = 8  # words between two words of the question, in its sentence
MAX_HAN_GAP = 16  # characters
MAX_TOPIC_GAP = 60  # characters between the topic that begins a Chinese sentence and what is said
MIN_HAN = 4  # characters of a Chinese question that its sentence must have

_LISTS = WordLists("yes_no")
_FORMS = {words[0]: words[1:] for words in _LISTS.lines("irregular")}
_BASES = {form: base for base, forms in _FORMS.items() for form in forms}
_PAST = {base: forms[0] for base, forms in _FORMS.items()}
_GRAMMATICAL = _LISTS.words("grammatical")
_LINKS = _LISTS.words("links")
_UNASSERTED = _LISTS.words("unasserted")
_THINKING = _LISTS.words("thinking")
_NEGATIONS = _LISTS.words("negations")
_SHIFTING = _LISTS.words("shifting")

_BE = frozenset("is are was were am be been being isn't aren't wasn't weren't".split())
_DO = frozenset("do does did don't doesn't didn't".split())
_HAVE = frozenset("has have had hasn't haven't hadn't".split())
_MODALS = {
    form: base
    for base, forms in {
        "can": "can could can't couldn't cannot",
        "will": "will would won't wouldn't",
        "shall": "shall should shan't shouldn't",
        "may": "may might",
        "must": "must mustn't",
    }.items()
    for form in forms.split()
}
_AUXILIARIES = _BE | _DO | _HAVE | frozenset(_MODALS)
_ASKING = re.compile(r"\b(?:who|whom|whose|what|which|when|where|why|how)\b", re.IGNORECASE)
_OR = re.compile(r"\bor\b(?! not\b)", re.IGNORECASE)
_LAST_CLAUSE = re.compile(r"^.*[.!?;:,]\s+(?=\w)", re.DOTALL)
_WORD = re.compile(r"\w+(?:['’][ts]\b)?(?:-\w+)*")
_JOINED = re.compile(r"(?:,|\band\b)\s*(?:and\s+)?(?:who|what|when|where|why|how)\b", re.IGNORECASE)
_TRUE = re.compile(r"^(?:is|was) it (?:true|right|correct|the case) that\s+", re.IGNORECASE)


def asks_yes_or_no(question: str) -> bool:
    """Return whether a question can be answered by yes or no alone.

    Not one that offers a choice ("Is it red or blue?"), nor one that asks the reader for more
    ("Can you tell me who …?").
    """
    if has_han(question):
        return _state_chinese(question) != ""
    return _read_english(question) is not None


@dataclass(frozen=True, slots=True)
class Decision:
    """A sentence that answers a question with yes or no.

    Attributes:
        span: of the sentence, in its text.
        region: from the first to the last word of the question in it, in its text.
    """

    is_yes: bool
    span: Span
    region: Span


def find_decisions(question: str, text: str) -> list[Decision]:
    """Return the sentences of a text that decide a question, in order."""
    if has_han(question) != has_han(text):
        return []  # names and deeds have other words
    found = []
    for start, end in split_sentences(text, language_of(text)):
        judged = _judge(question, text[start:end])
        if judged is not None:
            is_yes, (first, last) = judged
            found.append(Decision(is_yes, (start, end), (start + first, start + last)))
    return found


def _judge(question: str, sentence: str) -> tuple[bool, Span] | None:
    """Return whether a sentence says yes or no to a question, and where; None for neither."""
    if has_han(question):
        statement = _state_chinese(question)
        return _judge_chinese(statement, sentence) if statement else None
    asked = _read_english(question)
    if asked is None or len(asked.words) < MIN_WORDS:
        return None
    return _judge_english(asked, sentence)


def has_all_words(question: str, text: str) -> bool:
    """Return whether a text has all words of a question in any form and order.

    Grammatical words are left out.
    """
    if has_han(question):
        statement = _state_chinese(question)
        pieces = _PIECE.findall(statement)
        n_own = sum(len(piece) for piece in pieces)
        return n_own >= MIN_HAN and all(_has_piece(piece, text) for piece in pieces)
    asked = _read_english(question)
    if asked is None or len(asked.words) < MIN_WORDS:
        return False
    keys = {_reduce(word) for word in _WORD.findall(text)}
    return all(_reduce(word) in keys for word in asked.words)


def may_confirm(question: str, sentence: str, names: Sequence[str] = ()) -> bool:
    """Return whether a sentence states something about the persons of a question, in their order.

    Args:
        names: of persons in the question; of an English one its capitalised words are taken.
    """
    names = names if has_han(question) else list_names(question)
    places = [sentence.find(name) for name in sorted(names, key=question.find)]
    return -1 not in places and places == sorted(places) and is_plain(question, sentence)


def list_names(question: str) -> list[str]:
    """Return the capitalised words of an English question, without the first one."""
    asked = None if has_han(question) else _read_english(question)
    return [word for word in asked.words if word[0].isupper()] if asked is not None else []


def is_plain(question: str, sentence: str) -> bool:
    """Return whether a sentence asks nothing, denies nothing and leaves nothing open.

    Such words of the question itself count for nothing.
    """
    if QUESTION_END.search(sentence):
        return False
    if has_han(question):
        around = _HAN_AFFIRMING.sub("", sentence)
        return not (_HAN_UNASSERTED.search(around) or _HAN_NEGATION.search(around))
    own = {word.lower() for word in _WORD.findall(question)}
    words = set(_lower(_WORD.findall(sentence), is_first=True)) - own
    is_denied = any(word in _NEGATIONS or word.endswith(("n't", "n’t")) for word in words)
    return not (is_denied or words & (_UNASSERTED | _THINKING))


# --- English -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Asked:
    """An English question: its auxiliary, and its other words as they stand, without grammar.

    `is_there`: "Is there …?", so that the verb stands before the other words. `links` are its
    prepositions and conjunctions.
    """

    auxiliary: str
    words: tuple[str, ...]
    is_negative: bool
    links: frozenset[str]
    is_there: bool = False


def _read_english(question: str) -> _Asked | None:
    text = _TRUE.sub("", question.strip())
    is_statement = text != question.strip()  # "Is it true that Ada married Tom?"
    if not question.rstrip().endswith("?"):
        return None
    last = _LAST_CLAUSE.sub("", text)
    for clause in (text, last):
        words = [w.group().replace("’", "'") for w in _WORD.finditer(clause)]
        if len(words) > 1 and (is_statement or words[0].lower() in _AUXILIARIES):
            break
    else:
        return None
    subject = words[1].lower()
    if _OR.search(clause) or _JOINED.search(clause):
        return None
    if not is_statement and subject in ("you", "we"):
        return None
    if _ASKING.search(clause) and re.search(
        r"\b(?:say|says|tell|tells|know|knows|explain|explains|mention|mentions)\b", clause
    ):
        return None
    auxiliary = "did" if is_statement else words[0].lower()
    rest = words if is_statement else words[1:]
    is_negative = any(word.lower() in _NEGATIONS or "n't" in word for word in (*rest, auxiliary))
    content = tuple(w for w in rest if w.lower() not in _GRAMMATICAL and w.lower() not in _BE)
    links = frozenset(word.lower() for word in rest) & _LINKS
    is_there = subject == "there" and not is_statement
    return _Asked(auxiliary, content, is_negative, links, is_there)


def _judge_english(asked: _Asked, sentence: str) -> tuple[bool, Span] | None:
    """Return whether a sentence says yes or no to a question, and where; None for neither."""
    if asked.is_negative or QUESTION_END.search(sentence):
        return None
    tokens = [(m.group().replace("’", "'"), m.span()) for m in _WORD.finditer(sentence)]
    places = _align(asked.words, [word for word, _ in tokens])
    if places is None:
        return None
    for one, other in pairwise(places):
        between = sentence[tokens[one][1][1] : tokens[other][1][0]]
        if other - one > MAX_GAP or re.search(r"[.;:!?\"“”]|--|—", between):
            return None
    first, last = places[0], places[-1]
    if _has_other_subject(tokens, sentence, first, places):
        return None
    clause = first
    while clause and not re.search(
        r"[.;:!?—]", sentence[tokens[clause - 1][1][1] : tokens[clause][1][0]]
    ):
        clause -= 1
    lead = _lower([word for word, _ in tokens[clause:first]], is_first=not clause)
    inside_only = _lower([tokens[i][0] for i in range(first, last) if i not in places])
    modal = _MODALS.get(asked.auxiliary, "")
    unasserted = {w for w in (*lead, *inside_only) if w in _UNASSERTED or w in _THINKING}
    unasserted = {w for w in unasserted if not modal or _MODALS.get(w) != modal}
    if unasserted or reports_speech(" ".join(lead)):
        return None
    negations = [w for w in (*lead, *inside_only) if w in _NEGATIONS or w.endswith("n't")]
    found = _find_verb(asked, places, tokens)
    if found is None:
        return None
    verb, place = found
    behind = [i for i in range(place + 1, last) if i not in places]
    if any(tokens[i][0].lower() in _LINKS - asked.links for i in behind):
        return None
    if "," in sentence[tokens[place][1][1] : tokens[last][1][0]]:
        return None
    region = tokens[first][1][0], tokens[last][1][1]
    if not negations:
        return (True, region) if verb == "done" else None
    stop = re.search(r"[,.;:!?—]", sentence[region[1] :])  # what follows it is another clause
    until = region[1] + stop.start() if stop is not None else len(sentence)
    own = {word.lower() for word, (start, _) in tokens[clause:] if start < until}
    is_shifted = bool(own & _SHIFTING)
    if len(negations) > 1 or verb != "denied" or is_shifted:
        return None
    return False, region


def _lower(words: Sequence[str], *, is_first: bool = False) -> list[str]:
    """Return words in small letters; names such as May stay, but for the first of a sentence."""
    first = [word.lower() for word in words[: int(is_first)]]
    return [*first, *words[len(first) :]]


def _align(words: Sequence[str], tokens: Sequence[str]) -> list[int] | None:
    """Return where a sentence has words of a question in their order, close together; else None."""
    keys = [_reduce(token) for token in tokens]
    wanted = [_reduce(word) for word in words]
    for start in (i for i, key in enumerate(keys) if key == wanted[0]):
        places = [start]
        for key in wanted[1:]:
            reach = range(places[-1] + 1, min(len(keys), places[-1] + 1 + MAX_GAP))
            found = next((i for i in reach if keys[i] == key), None)
            if found is None:
                break
            places.append(found)
        if len(places) == len(wanted):
            return places
    return None


_SUBJECTS = frozenset("i he she they we you it who".split())


def _has_other_subject(
    tokens: Sequence[tuple[str, Span]], sentence: str, first: int, places: Sequence[int]
) -> bool:
    """Return whether another name or pronoun stands between the words of the question.

    It may do what is asked about: "Tom saw that Peter married Ruth".
    """
    for place in range(first + 1, places[-1]):
        word = tokens[place][0]
        if place in places:
            continue
        if word.lower() in _SUBJECTS - {"who"}:
            return True
        before = tokens[place - 1][0].lower()
        if word[0].isupper() and before not in ("of", "in", "at", "from", "to", "with", "by"):
            if place - 1 in places or place + 1 in places:
                continue  # "Ada Lovelace" for "Ada"
            return True
    return False


_NOT_DONE = (
    *(["did", "not"], ["does", "not"], ["do", "not"]),
    *(["didn't"], ["doesn't"], ["don't"]),
)


def _find_verb(
    asked: _Asked, places: Sequence[int], tokens: Sequence[tuple[str, Span]]
) -> tuple[str, int] | None:
    """Return "done" or "denied" with the place of the verb, where it has the form asked for.

    "Did he steal it?" needs "stole" or "has stolen", not "to steal" or "stealing"; "did not steal"
    denies it. Other auxiliaries must stand in the sentence themselves.
    """
    words = [word.lower() for word, _ in tokens]
    before = words[places[0] : places[-1]]
    if asked.auxiliary in _DO:
        is_past = asked.auxiliary.startswith("did")
        for word, place in zip(asked.words[1:], places[1:], strict=True):
            near = words[max(0, place - 3) : place]
            if is_past and _is_past(word.lower(), words[place], near):
                return "denied" if "never" in near[-2:] else "done", place
            if not is_past and words[place] == _third_person(word.lower()):
                return "denied" if "never" in near[-2:] else "done", place
            is_denied = near[-2:] in _NOT_DONE or near[-1:] in _NOT_DONE
            if is_denied and words[place] == word.lower():
                return "denied", place
        return None
    if asked.auxiliary in _BE:
        same: frozenset[str] = _BE
    elif asked.auxiliary in _HAVE:
        same = _HAVE
    else:
        same = frozenset(w for w, base in _MODALS.items() if base == _MODALS[asked.auxiliary])
    before = words[max(0, places[0] - 2) : places[-1]] if asked.is_there else before
    own = [i for i, word in enumerate(before) if word in same]
    if not own:
        return None
    place = own[-1]
    following = before[place + 1 : place + 2]
    is_denied = before[place].endswith("n't") or before[place] == "cannot"
    place += max(0, places[0] - 2) if asked.is_there else places[0]
    return "denied" if is_denied or following in (["not"], ["never"]) else "done", place


def _is_past(base: str, form: str, before: Sequence[str]) -> bool:
    """Return whether a word is the past of a verb, or its participle after "had"."""
    perfect = any(word in _HAVE for word in before)
    base = _BASES.get(base, base)
    if base in _FORMS:
        past, participle = _FORMS[base][0], _FORMS[base][-1]
        if form == past:
            is_base = past == base and bool({"to", "not", "did", *_MODALS} & set(before[-2:]))
            return not is_base
        if form == participle and perfect:
            return True
        return form.endswith("ed") and _reduce(form) == _reduce(base)
    return form.endswith("ed") and form != base


def _third_person(base: str) -> str:
    if base.endswith(("s", "x", "z", "ch", "sh", "o")):
        return base + "es"
    if base.endswith("y") and base[-2:-1] not in "aeiou":
        return base[:-1] + "ies"
    return "has" if base == "have" else base + "s"


_VOWEL = re.compile("[aeiouy]")


def _reduce(word: str) -> str:
    """Return a word without its inflection: what "marry", "marries" and "married" share."""
    word = word.lower().removesuffix("'s").removesuffix("’s")
    word = _BASES.get(word, word)
    if word in _FORMS or len(word) < 4 or not word.isalpha():
        return word
    for ending, instead in (("ies", "y"), ("ied", "y"), ("ing", ""), ("ed", ""), ("s", "")):
        stem = word.removesuffix(ending)
        if stem != word and (len(stem) > 1 if instead else _VOWEL.search(stem)):
            if ending == "s" and stem.endswith("s"):
                break
            word = stem + instead
            if ending in ("ing", "ed") and word[-1:] == word[-2:-1] and word[-1] not in "lse":
                word = word[:-1]
            break
    return word.removesuffix("e")


# --- Chinese -------------------------------------------------------------------------------------

_ASKS_ZH = re.compile(
    r"谁|誰|什么|甚么|什麼|甚麼|(?<!任)何(?![况況])|哪(?!怕)|怎|多少|为啥|还是|還是|呢[？?]?$"
)
_END_ZH = re.compile(
    r"(?:[，,]?(?:是|对|不是))?(?:了)?[吗嗎么麼](?=[？?]?\s*$)|了没有?(?=[？?]?\s*$)"
)
_DOUBLED_ZH = re.compile(r"(?P<verb>[\u4e00-\u9fff])(?:不|没)(?P=verb)|有没有|是否|能否|可否|会否")
_SINGLE = {"有没有": "", "是否": "", "能否": "能", "可否": "可", "会否": "会"}


def _state_chinese(question: str) -> str:
    """Return what a Chinese question asks about as a statement, "" for another question."""
    text = "".join(question.split()).rstrip("？?")
    clause = re.split(r"[。！；]", text)[-1]
    if _ASKS_ZH.search(clause):
        return ""
    bare = _END_ZH.sub("", clause)
    doubled = _DOUBLED_ZH.search(clause)
    if bare == clause and doubled is None:
        return ""
    if doubled is not None:
        single = _SINGLE.get(doubled.group(), doubled["verb"] or "")
        bare = bare.replace(doubled.group(), single, 1)
    return bare.strip("，,。")


_HAN_UNASSERTED = re.compile("|".join(_LISTS.longest_first("chinese_unasserted")))
_HAN_NEGATION = re.compile("|".join(_LISTS.longest_first("chinese_negations")))
_HAN_AFFIRMING = re.compile("|".join(_LISTS.longest_first("chinese_affirming")))
_HAN_MAY = re.compile("可以|能够|允许|有权|能(?!力|量|源)|可(?!能|是|怜|爱|惜)")
_HAN_MAY_NOT = re.compile("不得|不能|不可|不准|不许|不允许|禁止|无权")
_HAN_SHIFTING = re.compile("只|仅|都|除|但是|以外")
# Before a verb: its subject wants to do it, or makes another one do it.
_HAN_WISH = re.compile("[要欲愿想待拟谋叫教使令让命请劝引领带]")
_HAN_GRAMMATICAL = _LISTS.characters("chinese_grammatical")
_HAN_STOP = re.compile(r"[。！？!?；;：: \u3000]")
_BRACKETS = re.compile(r"[（(][^（()）]*[）)]")
_PIECE = re.compile(r"\d+(?:\.\d+)?|[A-Za-z]+|[\u3400-\u9fff]+")


def _judge_chinese(statement: str, sentence: str) -> tuple[bool, Span] | None:
    """Return whether a sentence says yes or no to a question, and where; None for neither.

    "May" is said by 可以 and the like, or denied by 不得 and the like.
    """
    is_negative = _HAN_NEGATION.search(_HAN_AFFIRMING.sub("", statement))
    if is_negative or QUESTION_END.search(sentence):
        return None
    is_permission = _HAN_MAY.search(statement) is not None
    spans = _align_chinese(_HAN_MAY.sub("", statement), sentence)
    if spans is None or not _are_close(spans, sentence):
        return None
    stops = [m.end() for m in re.finditer(r"[。！？；：，,“”]", sentence[: spans[0][0]])]
    lead = sentence[stops[-1] if stops else 0 : spans[0][0]]
    gaps = [sentence[a:b] for (_, a), (b, _) in pairwise(spans)]
    gaps = [re.split("[，,、）]", gap)[-1] for gap in gaps]  # of the clause of what follows
    around = _HAN_AFFIRMING.sub("", "|".join((lead, *gaps)))
    region = spans[0][0], spans[-1][1]
    if is_permission and _HAN_MAY_NOT.search(around):
        return None if _HAN_SHIFTING.search(sentence) else (False, region)
    if is_permission and not _HAN_MAY.search(around):
        return None
    unasserted = _HAN_MAY.sub("", around) if is_permission else around
    is_passive = "被" in sentence[slice(*region)]
    if _HAN_UNASSERTED.search(unasserted) or is_passive != ("被" in statement):
        return None
    if any(_HAN_WISH.search(_HAN_AFFIRMING.sub("", gap)) for gap in gaps):
        return None
    negations = _HAN_NEGATION.findall(around)
    if not negations:
        return True, region
    if len(negations) > 1 or _HAN_NEGATION.search(lead) or _HAN_SHIFTING.search(around):
        return None
    return (False, region) if any(gap.endswith(negations[0]) for gap in gaps) else None


def _are_close(spans: Sequence[Span], sentence: str) -> bool:
    """Return whether the parts of a statement stand in one clause of a sentence.

    What begins a sentence is its topic, of which several clauses can speak.
    """
    for (_, end), (start, _) in pairwise(spans):
        between = _BRACKETS.sub("", sentence[end:start])
        is_topic = end == spans[0][1] and not re.search(r"\w", sentence[: spans[0][0]])
        # set off, as in reference works, and with a predicate of its own words
        is_topic = is_topic and sentence[end : end + 1] in "，,（(" and len(spans) > 2
        most, n_stops = (MAX_TOPIC_GAP, 4) if is_topic else (MAX_HAN_GAP, 0)
        if len(between) > most or _HAN_STOP.search(between) or between.count("，") > n_stops:
            return False
    return True


def _align_chinese(statement: str, sentence: str) -> list[Span] | None:
    """Return where a sentence has the parts of a statement, in their order; None if one lacks.

    A part is as long as possible. A grammatical character may lack, a single other one not.
    """
    spans: list[Span] = []
    at = n_own = 0
    for piece in _PIECE.finditer(statement):
        text, i = piece.group(), 0
        while i < len(text):
            length, place = _find_longest(text, i, sentence, at, whole=not has_han(text))
            if not length:
                if text[i] not in _HAN_GRAMMATICAL:
                    return None
                i += 1
                continue
            if not (length == 1 and text[i] in _HAN_GRAMMATICAL):
                spans.append((place, place + length))
                at, n_own = place + length, n_own + length
            i += length
    return spans if n_own >= MIN_HAN else None


def _find_longest(text: str, i: int, sentence: str, at: int, *, whole: bool) -> tuple[int, int]:
    """Return the length and the place of the longest part of a text that a sentence has."""
    for end in range(len(text), i, -1):
        if whole and (i or end < len(text)):
            continue
        part = text[i:end]
        place = sentence.find(part, at)
        while place >= 0 and _cuts_number(sentence, place, part):
            place = sentence.find(part, place + 1)
        if place >= 0:
            return end - i, place
    return 0, -1


_RUNS = (re.compile(r"[\d.]"), re.compile("[A-Za-z]"), re.compile(f"[{HAN_DIGITS}]"))


def _cuts_number(sentence: str, place: int, part: str) -> bool:
    """Return whether a part of a sentence ends inside a number or a Latin word."""
    before, after = sentence[:place][-1:], sentence[place + len(part) :][:1]
    return any(
        run.match(one) and run.match(other)
        for run in _RUNS
        for one, other in ((before, part[0]), (part[-1], after))
    )


def _has_piece(piece: str, text: str) -> bool:
    """Return whether a text has all parts of a piece of a statement; grammatical ones may lack."""
    if not has_han(piece):
        return re.search(rf"(?<![A-Za-z\d]){re.escape(piece)}(?![A-Za-z\d])", text) is not None
    i = 0
    while i < len(piece):
        length, _ = _find_longest(piece, i, text, 0, whole=False)
        if not length and piece[i] not in _HAN_GRAMMATICAL:
            return False
        i += max(length, 1)
    return True
