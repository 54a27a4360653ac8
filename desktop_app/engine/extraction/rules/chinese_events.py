"""Events in a Chinese sentence: a verb of a list with the names before and after it in its clause.

Reads one clause at a time. Where a clause only supposes, denies, orders or expects the event, or
another verb may stand between, there is none: what is found should be right more often than
complete.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ...model import ClaimedEvent
from ...word_lists import load_table
from ..spans import LocatedName, Span

_TABLE = load_table("events")
_AROUND = _TABLE["around"]
PERSONS = frozenset(("person",))
_CLAUSE = re.compile(r"[^\s，。；：！？“”‘’「」『』《》（）()…—,;:!?\"\u3000]+")
_ORDER = re.compile("[令命使教遣差派唤请]")
_PARTING = re.compile("[辞别离]")
_OPENING = re.compile(
    "(?:却说|且说|再说|话说|原来|只见|那|这|当时|当日|次日|忽|且|于是|遂|后|时|是日|是夜)*"
)
# A clause that begins with these is about another person.
_OTHER_SUBJECT = re.compile(
    "[众诸左右三二两百军士兵贼人吾我汝你其彼此他她]|[^，]{0,3}[军兵将士官人]|忽|只见|只听"
)
_QUESTION = re.compile(r"[？?]|[吗么呢耶乎否][”」』]?$")
_LONGEST_GAP = 8  # characters between the actor and the verb
_LONGEST_ALONE = 3  # the same where the subject is in an earlier clause, and there is no object
_LONGEST_AFTER_PASSIVE = 10
_NEAR = 3  # characters between two names, of which the first is no subject
_LEAST_NEWS = 2  # characters of what a person learns
_REACH_OF_PLACE = 3


def _words(name: str) -> tuple[str, ...]:
    return tuple(sorted(_AROUND[f"chinese_{name}"].split(), key=len, reverse=True))


def _kinds(name: str) -> frozenset[str]:
    return frozenset(_TABLE["kinds"][f"chinese_{name}"].split())


_OF_THINGS, _BEFALLS = _kinds("of_things"), _kinds("befalls")
_INTENDED, _PLANNED = _kinds("intended"), _kinds("planned")
_WITH_PLACE = _kinds("with_place")
_OF_PAST = _kinds("of_past")
_DISPOSAL = re.compile("[把将]")
_ADDRESSED = frozenset("对与和向于同见")  # before whom something is told
_UNREAL = re.compile("|".join(_words("unreal")))
_GAP_STOP = frozenset(_AROUND["chinese_gap_stop"])
_CAUSATIVE = frozenset(_AROUND["chinese_causative"])
_BEFORE_ACTOR_STOP = frozenset(_AROUND["chinese_before_actor_stop"]) | _CAUSATIVE
_PURPOSE = frozenset(_AROUND["chinese_purpose"])
_LEADING = re.compile("(?:亲?自?[引领率](?:了|着)?[^，。]{0,4}?[军兵骑马众人卒])+")
_AFTER_VERB = _words("after_verb")
_BEFORE_PASSIVE = _words("before_passive")
_OBJECT_PRONOUNS = frozenset(_words("object_pronouns"))
_NOT_AFTER = _words("not_after")
_BEFORE_DEATH = frozenset(_words("before_death"))
_SPEECH = _words("speech")
_COORDINATION = frozenset(_words("coordination"))
_PLACE_WORDS = _words("place_words")
_THINGS = _words("things")
_BELONGINGS = _words("belongings")
_OPEN_QUOTES, _CLOSED_QUOTES = "“「『‘", "”」』’"
_LONGEST_SPEECH = 400
_PASSIVE = re.compile("[被遭]|吃(?=.{2,})")
_HEADS = ("首级", "首級", "之首", "之头", "的头", "性命", "的首级")


@dataclass(frozen=True, slots=True)
class _Verb:
    kind: str
    frames: frozenset[str]


@lru_cache(maxsize=1)
def _load_verbs() -> tuple[dict[str, tuple[_Verb, ...]], re.Pattern[str]]:
    verbs: dict[str, list[_Verb]] = defaultdict(list)
    for kind, lists in _TABLE["chinese"].items():
        frames: dict[str, set[str]] = defaultdict(set)
        for frame, words in lists.items():
            for word in words.split():
                frames[word].add(frame)
        for word, of_word in frames.items():
            verbs[word].append(_Verb(kind, frozenset(of_word)))
    longest_first = sorted(verbs, key=lambda word: (-len(word), word))
    return {w: tuple(v) for w, v in verbs.items()}, re.compile("|".join(longest_first))


_SIMPLIFIED = str.maketrans(
    "".join(_AROUND["chinese_traditional"].split()), "".join(_AROUND["chinese_simplified"].split())
)
_TRADITIONAL = re.compile("[說這為爲來殺與見過]")


def simplify(text: str, start: int, end: int) -> str:
    """Return a text whose part has simplified characters, as the verbs are listed.

    Offsets stay. A text without traditional characters is returned itself.
    """
    if not _TRADITIONAL.search(text, start, end):
        return text
    return text[:start] + text[start:end].translate(_SIMPLIFIED) + text[end:]


def find_chinese_events(
    text: str, sentence: Span, names: Sequence[LocatedName], borders: bytearray
) -> list[ClaimedEvent]:
    """Return the events that a sentence states.

    Args:
        sentence: the part of it that is read.
        text: with simplified characters, see `simplify`.
        names: the located names in it, in order.
        borders: 1 at the start of each word of the text.
    """
    found: list[ClaimedEvent] = []
    starts = [name.start for name in names]
    topic: list[LocatedName] = []
    for match in _CLAUSE.finditer(text, *sentence):
        first = bisect_left(starts, match.start())
        last = bisect_left(starts, match.end())
        # Only a comma lets the next clause be about the same person.
        if text[match.start() - 1 : match.start()] not in ("，", ","):
            topic = []
        if _OTHER_SUBJECT.match(match.group()):
            topic = []
        inherited, topic = topic, _find_topic(match, text, names[first:last]) or topic
        if _ORDER.search(match.group()):  # who is ordered may be the subject of what follows
            topic = []
        if first == last and not inherited:
            continue
        mark = text[match.end() : match.end() + 1]
        if mark in ("？", "?") or _QUESTION.search(match.group()):
            continue
        clause = _Clause(text, match.start(), match.end(), names[first:last], inherited, borders)
        found += clause.find_events(sentence)
    events: dict[tuple[object, ...], ClaimedEvent] = {}
    for event in found:  # two words may state one: 气绝身亡
        events.setdefault((event.kind, event.actors, event.patients), event)
    return list(events.values())


def _find_topic(
    clause: re.Match[str], text: str, names: Sequence[LocatedName]
) -> list[LocatedName]:
    """Return the persons with whom a clause begins, who are the subject of those after it too."""
    if not names or names[0].type not in PERSONS:
        return []
    if not _OPENING.fullmatch(text, clause.start(), names[0].start):
        return []
    found = [names[0]]
    for name in names[1:]:
        if name.type in PERSONS and text[found[-1].end : name.start] in _COORDINATION:
            found.append(name)
    if len(names) > len(found) and names[len(found)].start - found[-1].end < _NEAR:
        return []  # 宋江阵上秦明 is about the other one
    after = text[found[-1].end : clause.end()]
    return [] if after.startswith(("之", "的", *_BELONGINGS)) else found


class _Clause:
    """One clause with its names; `start` and `end` are offsets in the text, as all others.

    Args:
        topic: the subject of the clauses before it, for a clause without one.
    """

    def __init__(
        self,
        text: str,
        start: int,
        end: int,
        names: Sequence[LocatedName],
        topic: list[LocatedName],
        borders: bytearray,
    ) -> None:
        self._text = text
        self._start, self._end = start, end
        self._names = names
        self._topic = topic
        self._borders = borders

    def find_events(self, sentence: Span) -> Iterator[ClaimedEvent]:
        verbs, pattern = _load_verbs()
        for gap_start, gap_end in self._iter_gaps():
            for match in pattern.finditer(self._text, gap_start, gap_end):
                at, end = match.span()
                if not self._is_word(at, end) or self._is_unreal(at):
                    continue
                for verb in verbs[match.group()]:
                    if verb.kind in _INTENDED and self._text[at - 1 : at] in _PURPOSE:
                        continue
                    roles = self._read_verb(verb, at, end)
                    if roles is None:
                        continue
                    actors, patients = roles
                    is_plain = actors and (patients or verb.kind not in _INTENDED)
                    if not is_plain and verb.kind in _PLANNED and self._is_in_speech(at):
                        continue
                    taken = {name.start for name in (*actors, *patients)}
                    yield ClaimedEvent(
                        verb.kind,
                        *sentence,
                        at,
                        end,
                        tuple(name.start for name in actors),
                        tuple(name.start for name in patients),
                        tuple(p.start for p in self._find_places() if p.start not in taken),
                    )
                    break

    def _is_in_speech(self, at: int) -> bool:
        before = self._text[max(0, at - _LONGEST_SPEECH) : at]
        if before[before.rfind("\n") + 1 :].count('"') % 2:
            return True
        opened = max(before.rfind(mark) for mark in _OPEN_QUOTES)
        return opened > max(before.rfind(mark) for mark in _CLOSED_QUOTES)

    def _iter_gaps(self) -> Iterator[Span]:
        """Yield the parts of the clause between names."""
        at = self._start
        for name in self._names:
            if at < name.start:
                yield at, name.start
            at = max(at, name.end)
        if at < self._end:
            yield at, self._end

    def _is_word(self, at: int, end: int) -> bool:
        """Return whether the verb is a word; one character only where the tagger cuts there."""
        text = self._text
        if any(text.startswith(word, at) for word in _NOT_AFTER):
            return False
        if text[end : end + 1] in ("者", "的", "后", "时", "罪"):
            return False
        if end - at > 1:
            return True
        return bool(self._borders[at] and self._borders[end])

    def _is_unreal(self, at: int) -> bool:
        """Return whether words before the verb deny, suppose, order or expect it."""
        return any(
            start < at and _UNREAL.search(self._text, start, min(end, at))
            for start, end in self._iter_gaps()
        )

    # --- roles ------------------------------------------------------------------------------

    def _read_verb(
        self, verb: _Verb, at: int, end: int
    ) -> tuple[list[LocatedName], list[LocatedName]] | None:
        frames = verb.frames
        if "toward" in frames:
            return self._read_toward(at, end)
        if "name_as" in frames:
            return self._read_name_as(at, end)
        if "object" in frames:
            roles = self._read_passive(at, verb)
            if roles is None and verb.kind != "gives":  # A 把 a thing 递与 B
                roles = self._read_disposal(at, end)
            roles = roles or self._read_object(at, end, verb)
            if roles is not None:
                return roles
        if "both" in frames and (roles := self._read_both(at)) is not None:
            return roles
        if "alone" in frames:
            return self._read_alone(verb, at, end)
        return None

    def _read_alone(
        self, verb: _Verb, at: int, end: int
    ) -> tuple[list[LocatedName], list[LocatedName]] | None:
        if verb.kind == "dies" and not self._is_own_death(at, end):
            return None
        if verb.kind in _OF_PAST:
            people = self._find_teller(at, verb.kind)
        else:
            people = self._find_actor(at) or self._find_inherited(at, verb.kind, _LONGEST_ALONE)
        if not people:
            return None
        if verb.kind == "learns" and self._end - end < _LEAST_NEWS:
            return None
        if end - at == 1 and verb.kind in _WITH_PLACE:
            place = self._name_at(end)
            if place is None or place.type != "place":
                return None
        after = self._name_at(end)
        if after is not None and after.type in PERSONS and verb.kind == "dies":
            return None
        if verb.kind in _BEFALLS:
            return [], people
        patients = [after] if after is not None and after.type in PERSONS else []
        if verb.kind != "departs" or not patients:
            return people, []
        return (people, patients) if _PARTING.search(self._text, at, end) else None

    def _find_teller(self, at: int, kind: str) -> list[LocatedName]:
        """Return who tells what happened: "A 把前事说了一遍", "A 备述前事"."""
        disposal = _DISPOSAL.search(self._text, self._start, at)
        before = disposal.start() if disposal else at
        people = self._find_actor(before) or self._find_inherited(before, kind)
        before_name = self._text[people[0].start - 1 : people[0].start] if people else ""
        return [] if before_name in _ADDRESSED else people

    def _is_own_death(self, at: int, end: int) -> bool:
        """Return whether nobody else in the clause brings the death about."""
        if self._find_passive(at) is not None:
            return False
        before = self._text[at - 1 : at]
        starts = any(name.end == at for name in self._names)
        return end - at > 1 or starts or before in _BEFORE_DEATH

    def _read_object(
        self, at: int, end: int, verb: _Verb
    ) -> tuple[list[LocatedName], list[LocatedName]] | None:
        people = self._find_actor(at)
        patients = self._find_object(end)
        if patients is None:
            return None
        if not patients and self._text[end : end + 1] not in _OBJECT_PRONOUNS:
            return None
        if not people and self._has_name_before(at):
            return None  # a person is named, but may do something else
        people = people or self._find_inherited(at, verb.kind)
        return (people, patients) if people or patients else None

    def _read_both(self, at: int) -> tuple[list[LocatedName], list[LocatedName]] | None:
        """Read "A 与 B 交战"."""
        before = [name for name in self._names if name.end <= at]
        if len(before) < 2:
            return None
        one, other = before[-2], before[-1]
        between = self._text[one.end : other.start]
        gap = self._text[other.end : at]
        is_joined = between.strip("又亦也便遂却自") in ("与", "和", "同", "共", "、")
        if not is_joined or one.type not in PERSONS or other.type not in PERSONS:
            return None
        if len(gap) > _LONGEST_GAP or not _GAP_STOP.isdisjoint(gap):
            return None
        if self._is_after_causative(one):
            return None
        return [one], [other]

    def _read_passive(
        self, at: int, verb: _Verb
    ) -> tuple[list[LocatedName], list[LocatedName]] | None:
        """Read "A 被 B 杀" and "A 为 B 所杀"."""
        passive = self._find_passive(at)
        if passive is None:
            return None
        start, end = passive
        patient = self._name_before(start)
        if patient is not None and (
            patient.type not in PERSONS or self._is_after_causative(patient)
        ):
            return None
        if patient is None and self._has_name_before(start):
            return None
        if patient is None and len(inherited := self._find_inherited(start, verb.kind)) == 1:
            [patient] = inherited
        agents = [n for n in self._names if end <= n.start and n.end <= at]
        actor = agents[0] if agents and agents[0].start == end else None
        if agents and actor is None:
            return None  # 被 a person of whom another name is part
        if actor is not None:
            gap = self._text[actor.end : at]
            if gap[:1] in ("之", "的", "部", "家", "手", "军", "兵") or len(agents) > 1:
                actor = None
        if at - end > _LONGEST_AFTER_PASSIVE + (actor.end - actor.start if actor else 0):
            return None
        actors = [actor] if actor is not None and actor.type in PERSONS else []
        patients = [patient] if patient is not None else []
        return (actors, patients) if actors or patients else None

    def _find_passive(self, at: int) -> Span | None:
        """Return the mark of the passive before a verb."""
        for start, end in self._iter_gaps():
            match = _PASSIVE.search(self._text, start, min(end, at)) if start < at else None
            if match is not None and match.group() != "吃":
                return match.span()
        if self._text[at - 1 : at] == "所":
            for name in self._names:
                if name.end == at - 1 and self._text[name.start - 1 : name.start] == "为":
                    return name.start - 1, name.start
        return None

    def _read_disposal(
        self, at: int, end: int
    ) -> tuple[list[LocatedName], list[LocatedName]] | None:
        """Read "A 将 B 擒住" and "A 把 B 救出"."""
        before = [name for name in self._names if name.end <= at]
        if not before:
            return None
        patient = before[-1]
        mark = self._text[patient.start - 1 : patient.start]
        gap = self._text[patient.end : at]
        if mark not in ("把", "将") or patient.type not in PERSONS or len(gap) > _LONGEST_GAP:
            return None
        if not _GAP_STOP.isdisjoint(gap):
            return None
        actors = self._find_actor(patient.start - 1)
        if not actors and len(before) > 1:
            return None
        return actors, [patient]

    def _read_name_as(
        self, at: int, end: int
    ) -> tuple[list[LocatedName], list[LocatedName]] | None:
        """Read "A 封 B 为"."""
        patients = self._find_object(end)
        if not patients:
            return None
        after = self._text[patients[-1].end : patients[-1].end + 1]
        if after not in ("为", "作", "做"):
            return None
        people = self._find_actor(at)
        if not people and self._has_name_before(at):
            return None
        return people, patients

    def _read_toward(self, at: int, end: int) -> tuple[list[LocatedName], list[LocatedName]] | None:
        """Read "A 谓 B 曰"."""
        listener = self._name_at(end)
        if listener is None or listener.type not in PERSONS:
            return None
        after = self._text[listener.end : self._end]
        if not after.startswith(_SPEECH):
            return None
        people = self._find_actor(at)
        if not people and self._has_name_before(at):
            return None
        return people, [listener]

    # --- names ------------------------------------------------------------------------------

    def _find_actor(self, at: int) -> list[LocatedName]:
        """Return the persons before a verb who do it; none where that is not plain."""
        before = [name for name in self._names if name.end <= at]
        if not before:
            return []
        actor = before[-1]
        gap = _LEADING.sub("", self._text[actor.end : at])
        if actor.type not in PERSONS or len(gap) > _LONGEST_GAP:
            return []
        if not _GAP_STOP.isdisjoint(gap) or gap.startswith(_BELONGINGS):
            return []
        found = [actor]
        for one in reversed(before[:-1]):
            between = self._text[one.end : found[0].start]
            if one.type not in PERSONS or (between and between not in _COORDINATION):
                break
            found.insert(0, one)
        before_first = self._text[max(self._start, found[0].start - 1) : found[0].start]
        if before_first and before_first in _BEFORE_ACTOR_STOP:
            return []
        return found

    def _find_inherited(self, at: int, kind: str, longest: int = _LONGEST_GAP) -> list[LocatedName]:
        """Return the subject of the clauses before this one, if it has none before the verb."""
        gap = _LEADING.sub("", self._text[self._start : at])
        if kind in _OF_THINGS:
            return []
        if self._has_name_before(at) or len(gap) > longest:
            return []
        return self._topic if _GAP_STOP.isdisjoint(gap) else []

    def _find_object(self, end: int) -> list[LocatedName] | None:
        """Return the persons right after a verb; None where they only own what is meant."""
        at = end
        for word in _AFTER_VERB:
            fits = self._text.startswith(word, at) and at + len(word) <= self._end
            if fits and self._name_at(at) is None:
                at += len(word)
                break
        name = self._name_at(at)
        if name is None:
            return []
        found = [name]
        for other in self._names:
            between = self._text[found[-1].end : other.start]
            if other.start >= found[-1].end and (not between or between in _COORDINATION):
                found.append(other)
        if any(one.type not in PERSONS for one in found):
            return None
        after = self._text[found[-1].end : self._end]
        if after.startswith(("之", "的")):
            return found if after.startswith(_HEADS) else None
        if after.startswith(_THINGS):
            return None
        if after.startswith(_BELONGINGS):
            return None
        return found

    def _name_at(self, at: int) -> LocatedName | None:
        return next((name for name in self._names if name.start == at), None)

    def _name_before(self, at: int) -> LocatedName | None:
        """Return the name before a mark of the passive, with adverbs between."""
        for name in self._names:
            if name.end <= at:
                gap = self._text[name.end : at]
                for word in _BEFORE_PASSIVE:
                    gap = gap.replace(word, "")
                if not gap:
                    return name
        return None

    def _has_name_before(self, at: int) -> bool:
        return any(name.end <= at and name.type in PERSONS for name in self._names)

    def _is_after_causative(self, name: LocatedName) -> bool:
        before = self._text[max(self._start, name.start - 1) : name.start]
        return bool(before) and before in _CAUSATIVE

    def _find_places(self) -> list[LocatedName]:
        """Return the first place of the clause after a word for being, coming or going there."""
        for name in self._names:
            if name.type == "place":
                before = self._text[max(self._start, name.start - _REACH_OF_PLACE) : name.start]
                if before.endswith(_PLACE_WORDS):
                    return [name]
        return []
