"""Events in an English sentence: a verb of a list, its subject and its object.

Reads a few words to the left and right of the verb, so it needs no parser. Where these words are
not plain, or the sentence only supposes, denies or expects the event, there is none: what is found
should be right more often than complete.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ...model import ClaimedEvent
from ...word_lists import load_table
from ..spans import LocatedName, Span
from .latin_words import FEMALE_NAMES, FEMALE_TITLES, MALE_NAMES, MALE_TITLES

_TOKEN = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*|['’](?:s|S|d|ll|re|m|ve|t)\b|\d+|[^\w\s]|_")
_N_T = re.compile(r"n['’]t\b")
_TABLE = load_table("events")
_AROUND = _TABLE["around"]
PERSONS = frozenset(("person",))
_MOST_AUXILIARIES = 6
_WORDS_TO_OBJECT = 4
_WORDS_TO_PLACE = 7
_QUOTES = frozenset('“”"')
_STOPS = frozenset('.;:!?—–()[]“”"')


def _words(name: str) -> frozenset[str]:
    return frozenset(_AROUND[f"english_{name}"].split())


def _kinds(name: str) -> frozenset[str]:
    return frozenset(_TABLE["kinds"][f"english_{name}"].split())


_BE, _HAVE, _MODAL = _words("be"), _words("have"), _words("modal")
_NEGATION, _UNREAL, _ADVERBS = _words("negation"), _words("unreal"), _words("adverbs")
_BEFORE_NAME, _PREPOSITIONS = _words("before_name"), _words("prepositions")
_PRONOUNS, _OBJECT_PRONOUNS = _words("pronouns"), _words("object_pronouns")
_FUNCTION, _PLACE_WORDS = _words("function"), _words("place_words")
_REFLEXIVE = frozenset(("himself", "herself", "themselves"))
_DETERMINERS = frozenset("the a an his her my our their your its this that one another".split())
_NO_NOUN = _FUNCTION | _PREPOSITIONS | _DETERMINERS | _BEFORE_NAME | _ADVERBS
_SUBORDINATE = _words("subordinate") | _PRONOUNS
_OPENERS = _words("openers")
_PASTS = _words("pasts")
# "the cage at Kingston, who": not the last name is meant.
_ATTRIBUTE = ("of", "at", "in", "near", "from")
_RELATIVE = frozenset(("who",))


@dataclass(frozen=True, slots=True)
class _Verb:
    """A form of a verb of the lists.

    Attributes:
        form: "past", "participle", "present" or "state".
        frame: as in the file of words.
        particle: words right after it; `after_object`: words after its object.
        is_firm: it has one meaning only.
    """

    kind: str
    frame: str
    form: str
    particle: tuple[str, ...] = ()
    after_object: tuple[str, ...] = ()
    is_firm: bool = False


@dataclass(frozen=True, slots=True)
class _Token:
    start: int
    end: int
    low: str
    name: LocatedName | None = None
    is_possessive: bool = False


def _inflect(word: str) -> tuple[list[str], list[str], list[str]]:
    """Return the past forms, participles and third persons of "take/took/taken" or "help"."""
    base, *irregular = word.split("/")
    if base.endswith(("s", "x", "z", "ch", "sh", "o")):
        third = base + "es"
    elif base.endswith("y") and base[-2] not in "aeiou":
        third = base[:-1] + "ies"
    else:
        third = base + "s"
    if irregular:
        return [irregular[0]], [irregular[-1]], [third]
    if base.endswith("e"):
        past = [base + "d"]
    elif base.endswith("y") and base[-2] not in "aeiou":
        past = [base[:-1] + "ied"]
    else:
        past = [base + "ed"]
        if base[-1] in "bdgklmnprt" and base[-2] in "aeiou" and base[-3:-2] not in "aeiou":
            past.append(base + base[-1] + "ed")
    return past, past, [third]


_VERB_FRAMES = ("alone", "object", "place", "recipient", "to")


@lru_cache(maxsize=1)
def _load_verbs() -> tuple[dict[str, tuple[_Verb, ...]], dict[str, frozenset[tuple[str, ...]]]]:
    """Return the verbs by form, and the words that must not follow, by kind."""
    verbs: dict[str, list[_Verb]] = defaultdict(list)
    not_before: dict[str, frozenset[tuple[str, ...]]] = {}
    for kind, lists in _TABLE["english"].items():
        firm = set(lists.get("firm", "").split())
        for frame in _VERB_FRAMES:
            for entry in lists.get(frame, "").split():
                head, *particle = entry.split("_")
                head, tilde, after = head.partition("~")
                rest = tuple(particle)
                is_firm = head.split("/")[0] in {f.split("_")[0] for f in firm}
                past, participles, third = _inflect(head)
                after_object = (after, *rest) if tilde else ()
                before = () if tilde else rest
                for form, words in (
                    ("past", past), ("participle", participles), ("present", third)
                ):  # fmt: skip
                    for word in words:
                        verbs[word].append(_Verb(kind, frame, form, before, after_object, is_firm))
        for word in lists.get("state", "").split():
            verbs[word].append(_Verb(kind, "state", "state"))
        not_before[kind] = frozenset(
            tuple(words.split("_")) for words in lists.get("not_before", "").split()
        )
    # The verb with the longest particle comes first: "came back" before "came to".
    ordered = {
        form: tuple(sorted(found, key=lambda v: -len(v.particle) - len(v.after_object)))
        for form, found in verbs.items()
    }
    return ordered, not_before


_LETTERS = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


def find_english_events(
    text: str, sentence: Span, names: Sequence[LocatedName]
) -> list[ClaimedEvent]:
    """Return the events that a sentence states.

    Args:
        sentence: the part of it that is read.
        names: the located names in it, in order.
    """
    verbs, _ = _load_verbs()
    part = text[sentence[0] : sentence[1]]
    if verbs.keys().isdisjoint(_LETTERS.findall(part.lower())):
        return []
    if part.rstrip(" \n\"”’'").endswith("?"):
        return []
    tokens = list(_iter_tokens(text, sentence, names))
    found: list[ClaimedEvent] = []
    for index, token in enumerate(tokens):
        if token.name is None and token.low in verbs:
            event = _read_verb(tokens, index, verbs[token.low], sentence)
            if event is not None:
                found.append(event)
    return found


def _iter_tokens(text: str, span: Span, names: Sequence[LocatedName]) -> Iterator[_Token]:
    at, rest = span[0], list(names)
    while at < span[1]:
        while rest and rest[0].start < at:
            rest.pop(0)
        stop = rest[0].start if rest else span[1]
        for match in _TOKEN.finditer(text, at, max(at, stop)):
            low = match.group().lower().replace("’", "'")
            negated = low.endswith("n") and _N_T.match(text, match.end() - 1) is not None
            yield _Token(*match.span(), "not" if negated else low)
        if not rest:
            return
        name = rest.pop(0)
        at = name.end
        possessive = text[at : at + 2].lower().replace("’", "'") == "'s"
        if not possessive and text[at - 1 : at].lower() == "s":  # James' or James’
            after = text[at : at + 2]
            possessive = after[:1] in "'’" and after[1:2] == " "
        if possessive:
            at += 2
        yield _Token(name.start, name.end, "", name, possessive)


@dataclass(slots=True)
class _Left:
    """What stands before a verb.

    Attributes:
        index: of the token where the subject would end.
    """

    index: int
    be: bool = False
    have: bool = False


def _read_left(tokens: Sequence[_Token], verb: int) -> _Left | None:
    """Return what stands before a verb, None where it is denied, supposed or expected."""
    left = _Left(verb - 1)
    while left.index >= 0 and verb - left.index <= _MOST_AUXILIARIES:
        token = tokens[left.index]
        low = token.low
        if token.name is not None:
            break
        if low in _NEGATION or low in _MODAL or low == "to":
            return None
        if low in _BE:
            left.be = True
        elif low in _HAVE or low == "'ve":
            left.have = True
        elif not (low in _ADVERBS or (low.endswith("ly") and len(low) > 4) or low in ("did", "do")):
            break
        left.index -= 1
    return left


def _is_unreal(tokens: Sequence[_Token], verb: int) -> bool:
    """Return whether a word before the verb makes the clause a supposition or a denial."""
    at = verb - 1
    while at >= 0 and tokens[at].low not in _STOPS:
        low = tokens[at].low
        if low in _UNREAL or (low in ("though", "if") and at and tokens[at - 1].low == "as"):
            return True
        at -= 1
    return False


def _read_verb(
    tokens: Sequence[_Token], at: int, verbs: Sequence[_Verb], sentence: Span
) -> ClaimedEvent | None:
    left = _read_left(tokens, at)
    if left is None or _is_unreal(tokens, at):
        return None
    for verb in verbs:
        event = _read_frame(tokens, at, verb, left, sentence)
        if event is not None:
            return event
    return None


def _read_frame(
    tokens: Sequence[_Token], at: int, verb: _Verb, left: _Left, sentence: Span
) -> ClaimedEvent | None:
    after = at + 1
    words = tuple(token.low for token in tokens[after : after + len(verb.particle)])
    if words != verb.particle:
        return None
    after += len(verb.particle)
    if any(_follow(tokens, after, words) for words in _load_verbs()[1][verb.kind]):
        return None
    is_passive = _is_passive(verb, left, tokens[at].low)
    if is_passive is None:
        return None
    subject = _find_subject(tokens, left.index)
    if subject is None:
        return None
    people, is_certain = subject
    roles: tuple[list[LocatedName], list[LocatedName]] | None
    if is_passive:
        roles = _read_passive(tokens, after, verb, people)
    elif verb.frame in ("alone", "place", "state"):
        roles = _read_alone(tokens, at, after, verb, people)
        if roles is not None and verb.kind in _BEFALLS:
            roles = [], roles[0]
    else:
        roles = _read_active(tokens, after, verb, people, is_certain)
    if roles is None or not (roles[0] or roles[1]):
        return None
    if verb.form == "present" and not left.have and _is_after_time(tokens, at):
        return None
    places = _find_places(tokens, at + 1)
    return ClaimedEvent(
        verb.kind,
        *sentence,
        tokens[at].start,
        tokens[after - 1].end,
        tuple(name.start for name in roles[0]),
        tuple(name.start for name in roles[1]),
        tuple(name.start for name in places if name not in (*roles[0], *roles[1])),
    )


_AFTER_TIME = frozenset("when until till before after once".split())


def _is_after_time(tokens: Sequence[_Token], at: int) -> bool:
    """Return whether a verb in the present tells of the future: "when he arrives"."""
    return any(token.low in _AFTER_TIME for token in tokens[max(0, at - 6) : at])


def _follow(tokens: Sequence[_Token], at: int, words: tuple[str, ...]) -> bool:
    return tuple(token.low for token in tokens[at : at + len(words)]) == words


_BEFALLS, _COMING = _kinds("befalls"), _kinds("coming")
_FELT = frozenset(("arrested", "attacked", "assailed", "conquered", "overpowered"))


def _is_passive(verb: _Verb, left: _Left, form: str) -> bool | None:
    """Return whether the subject suffers what the verb says, None where the form does not fit."""
    if verb.form == "state":
        return False if left.be else None
    if verb.form == "participle":
        if left.be:
            if verb.frame in ("alone", "place"):  # "is come" of older English
                return False if verb.kind in _COMING and form != "left" else None
            # "was conquered by her beauty" is no defeat
            return True if verb.frame == "object" and form not in _FELT else None
        return False if left.have else None
    return None if left.be or left.have else False


def _find_subject(tokens: Sequence[_Token], at: int) -> tuple[list[LocatedName], bool] | None:
    """Return the names of the subject that ends here, and whether it is a name or a pronoun.

    None where no subject is found.
    """
    if at < 0:
        return None
    token = tokens[at]
    if token.low in _RELATIVE:
        before = at - 1
        if before >= 0 and tokens[before].low == ",":
            before -= 1
        name = tokens[before].name if before >= 0 else None
        if name is None or tokens[before].is_possessive:
            return [], False
        return ([name], True) if _stands_free(tokens, before, *_ATTRIBUTE) else None
    if token.low in _PRONOUNS:
        meant = _find_antecedent(tokens, at)
        return ([meant] if meant is not None else []), True
    if token.low in ("and", ",", "then"):
        return _find_shared_subject(tokens, at)
    if token.name is None:
        is_noun = token.low.isalpha() and token.low not in _NO_NOUN
        return ([], False) if is_noun else None
    if token.is_possessive or token.name.type not in PERSONS:
        return None
    found = [token.name]
    start = _skip_before_name(tokens, at)
    while start >= 1 and tokens[start].low in ("and", ","):
        other = tokens[start - 1]
        if other.name is None or other.is_possessive or other.name.type not in PERSONS:
            break
        if tokens[start].low == "," and len(found) < 2:
            break
        found.insert(0, other.name)
        start = _skip_before_name(tokens, start - 1)
    if start >= 0 and tokens[start].low in _PREPOSITIONS:
        # "He shook hands with Tom and Joe left": only the last one is the subject.
        return ([token.name], True) if len(found) > 1 else None
    if start >= 0 and (tokens[start].name is not None or tokens[start].low in ("'s", "'")):
        return None
    return found, True


def _find_shared_subject(
    tokens: Sequence[_Token], at: int
) -> tuple[list[LocatedName], bool] | None:
    """Return the subject of the first of several verbs: "Joe took his hat and departed".

    It opens the clause, a verb in the past follows it, and nobody else is a subject in between.
    """
    first = at
    while first > 0 and tokens[first - 1].low not in _STOPS:
        first -= 1
    between = tokens[first:at]
    if any(token.low in _SUBORDINATE for token in between):
        return None
    start = first
    while start < at and (
        tokens[start].low in _OPENERS or tokens[start].low in _BEFORE_NAME | _ADVERBS
    ):
        start += 1
    name = tokens[start].name
    if name is None or tokens[start].is_possessive or name.type not in PERSONS:
        return None
    verb = start + 1
    while verb < at and (tokens[verb].low in _ADVERBS or tokens[verb].low.endswith("ly")):
        verb += 1
    low = tokens[verb].low
    if not (low.endswith("ed") or low in _PASTS):
        return None
    names = [token for token in tokens[verb:at] if token.name is not None]
    # "Joe called and Tom departed" is another clause; so may be any with a name before its verb.
    if any(token.low == "and" for token in tokens[verb:at]) and names:
        return None
    return [name], True


def _find_antecedent(tokens: Sequence[_Token], at: int) -> LocatedName | None:
    """Return the one person whom "he" or "she" can mean in its sentence, None if in doubt."""
    female = tokens[at].low == "she"
    if tokens[at].low not in ("he", "she"):
        return None
    before = tokens[:at]
    people = [token for token in before if token.name is not None and token.name.type in PERSONS]
    others = _OBJECT_PRONOUNS | _PRONOUNS | (frozenset(("his",)) if female else frozenset(("her",)))
    if len(people) != 1 or any(token.low in others or token.low in _QUOTES for token in before):
        return None
    token = people[0]
    assert token.name is not None
    words = {*token.name.name.replace(".", "").split()}
    words.update(word.capitalize() for word in _titles_before(tokens, before.index(token)))
    if words & (MALE_TITLES if female else FEMALE_TITLES):
        return None
    if words & (MALE_NAMES - FEMALE_NAMES if female else FEMALE_NAMES - MALE_NAMES):
        return None
    start = _skip_before_name(tokens, before.index(token))
    is_subject = start < 0 or tokens[start].low in _OPENERS
    return token.name if is_subject and not token.is_possessive else None


def _titles_before(tokens: Sequence[_Token], at: int) -> list[str]:
    return [token.low for token in tokens[_skip_before_name(tokens, at) + 1 : at]]


def _skip_before_name(tokens: Sequence[_Token], at: int) -> int:
    """Return the index of the token before a name and its titles and adjectives."""
    start = at - 1
    if start >= 1 and tokens[start].low == "." and tokens[start - 1].low in _BEFORE_NAME:
        start -= 1  # "Mr."
    while start >= 0 and tokens[start].low in _BEFORE_NAME:
        start -= 1
    return start


def _stands_free(tokens: Sequence[_Token], at: int, *words: str) -> bool:
    start = _skip_before_name(tokens, at)
    return start < 0 or tokens[start].low not in words


def _is_coming_back(tokens: Sequence[_Token], at: int, after: int) -> bool:
    """Return whether "Joe returned" means that he comes back, not that he answers."""
    before = [token.low for token in tokens[max(0, at - 4) : at]]
    token = tokens[after] if after < len(tokens) else None
    if token is None or token.name is not None:
        return token is None
    if not token.low.isalpha():
        return token.low not in ",.:" or _QUOTES.isdisjoint(before)
    known = _FUNCTION | _PREPOSITIONS | _ADVERBS
    return token.low in known or token.low == "home" or token.low.endswith("ly")


def _read_alone(
    tokens: Sequence[_Token], at: int, after: int, verb: _Verb, people: list[LocatedName]
) -> tuple[list[LocatedName], list[LocatedName]] | None:
    if not people:
        return None
    if verb.frame == "place":
        token = tokens[after] if after < len(tokens) else None
        if token is None or token.is_possessive:
            return None
        if token.name is not None:
            return (people, []) if token.name.type == "place" else None
        return (people, []) if token.low in ("the", "his", "her", "a", "their") else None
    if verb.kind == "marries" and _follow(tokens, after, ("to",)):
        return people, _find_objects(tokens, after + 1)[0]
    if tokens[at].low == "returned" and not _is_coming_back(tokens, at, after):
        return None
    name = tokens[after].name if verb.frame == "alone" and after < len(tokens) else None
    if name is not None:  # "left Joe", "returned Joe": another meaning, or speech
        return (people, []) if name.type == "place" else None
    return people, []


def _read_passive(
    tokens: Sequence[_Token], after: int, verb: _Verb, people: list[LocatedName]
) -> tuple[list[LocatedName], list[LocatedName]] | None:
    """Return actors and patients of "was killed by": the subject is the patient."""
    if verb.after_object:
        if not _follow(tokens, after, verb.after_object):
            return None
        after += len(verb.after_object)
    if verb.kind == "marries":  # by a priest, or to a person
        is_to = after < len(tokens) and tokens[after].low == "to"
        return people, _find_objects(tokens, after + 1)[0] if is_to else []
    actors: list[LocatedName] = []
    for index in range(after, min(len(tokens), after + 5)):
        if tokens[index].low == "by":
            actors = _find_objects(tokens, index + 1)[0]
            break
        if tokens[index].low in _STOPS or tokens[index].low == ",":
            break
    return actors, people


def _read_active(
    tokens: Sequence[_Token],
    after: int,
    verb: _Verb,
    people: list[LocatedName],
    is_certain: bool,
) -> tuple[list[LocatedName], list[LocatedName]] | None:
    if not is_certain and not verb.is_firm:
        return None
    if verb.frame == "to":
        return _read_addressee(tokens, after, people)
    if verb.frame == "recipient":
        return _read_recipient(tokens, after, verb, people)
    objects, pronoun, end = _find_objects_or_pronoun(tokens, after)
    if not objects and not pronoun:
        return None
    if verb.after_object and not _follow(tokens, end, verb.after_object):
        return None
    to_what = tokens[end + 1].low if end + 1 < len(tokens) else ""
    if verb.kind == "helps" and _follow(tokens, end, ("to",)) and to_what in _DETERMINERS:
        return None  # "helped me to the wing"
    if pronoun in _REFLEXIVE:
        objects = people
    return people, objects


def _read_addressee(
    tokens: Sequence[_Token], after: int, people: list[LocatedName]
) -> tuple[list[LocatedName], list[LocatedName]] | None:
    for index in range(after, min(len(tokens), after + 3)):
        if tokens[index].low == "to":
            objects = _find_objects(tokens, index + 1)[0]
            return (people, objects) if objects else None
        if tokens[index].low in _STOPS:
            break
    return None


def _read_recipient(
    tokens: Sequence[_Token], after: int, verb: _Verb, people: list[LocatedName]
) -> tuple[list[LocatedName], list[LocatedName]] | None:
    idioms = {words[0] for words in _load_verbs()[1][verb.kind] if len(words) == 1}
    objects, end = _find_objects(tokens, after)
    if objects:
        thing = tokens[end : end + 4]
        if not thing or thing[0].low not in _DETERMINERS:
            return None
        return None if any(token.low in idioms for token in thing) else (people, objects)
    for index in range(after, min(len(tokens), after + 7)):
        if tokens[index].low in _STOPS or tokens[index].low in (",", "and"):
            return None
        if tokens[index].low in idioms:
            return None
        if tokens[index].low == "to" and index > after:
            objects = _find_objects(tokens, index + 1)[0]
            return (people, objects) if objects else None
    return None


def _find_objects(tokens: Sequence[_Token], at: int) -> tuple[list[LocatedName], int]:
    """Return the names of persons that begin here, after articles and titles, and their end."""
    start = at
    while at < len(tokens) and at - start < _WORDS_TO_OBJECT and (
        tokens[at].low in _BEFORE_NAME or (tokens[at].low == "." and at > start)
    ):  # fmt: skip
        at += 1
    found: list[LocatedName] = []
    while at < len(tokens):
        token = tokens[at]
        if token.name is None or token.is_possessive or token.name.type not in PERSONS:
            break
        after = tokens[at + 1] if at + 1 < len(tokens) else None
        if found and after is not None and after.low.isalpha() and after.low not in _FUNCTION:
            break  # "killed Tom and Joe fled"
        if not found and after is not None and after.low in ("-", "_"):
            break
        found.append(token.name)
        at += 1
        if at + 1 < len(tokens) and tokens[at].low in ("and", ","):
            nearest = _first_name(tokens, at + 1)
            if nearest is None:
                break
            at = nearest
        else:
            break
    return found, at


def _first_name(tokens: Sequence[_Token], at: int) -> int | None:
    while at < len(tokens) and tokens[at].low in _BEFORE_NAME:
        at += 1
    return at if at < len(tokens) and tokens[at].name is not None else None


def _find_objects_or_pronoun(
    tokens: Sequence[_Token], at: int
) -> tuple[list[LocatedName], str, int]:
    objects, end = _find_objects(tokens, at)
    if objects or at >= len(tokens):
        return objects, "", end
    low = tokens[at].low
    if low not in _OBJECT_PRONOUNS:
        return [], "", at
    after = tokens[at + 1].low if at + 1 < len(tokens) else "."
    if low == "her" and after.isalpha() and after not in _FUNCTION:
        return [], "", at  # "killed her brother"
    return [], low, at + 1


def _find_places(tokens: Sequence[_Token], at: int) -> list[LocatedName]:
    """Return the first place after a preposition near the verb."""
    for index in range(at - 1, min(len(tokens), at + _WORDS_TO_PLACE)):
        if index >= at and tokens[index].low in _STOPS:
            break
        after = index + 1
        if tokens[index].low in _PLACE_WORDS or index == at - 1:
            while after < len(tokens) and tokens[after].low in _BEFORE_NAME:
                after += 1
            name = tokens[after].name if after < len(tokens) else None
            if name is not None and name.type == "place" and not tokens[after].is_possessive:
                return [name]
    return []
