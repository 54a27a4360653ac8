"""The search for likely duplicates: all methods over all names, then one certainty per pair.

Plain data in, plain data out. Candidates are found by keys (words, letters, sounds, neighbours),
so that the time grows with the number of names and not with its square.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from itertools import chain, combinations, product
from math import exp, log, log1p

from ...messages import Message
from ...progress import never_pause
from ..resolution import are_man_and_boy
from .chinese_addresses import propose_addresses
from .chinese_words import rank_of
from .forms import Form, Forms, list_full_forms
from .methods import (
    have_conflicting_first_names,
    have_conflicting_surnames,
    propose_chinese_parts,
    propose_fingerprints,
    propose_initials,
    propose_meanings,
    propose_ngrams,
    propose_nicknames,
    propose_parts,
    propose_romanizations,
    propose_shared_characters,
    propose_sounds,
    propose_spellings,
    propose_surnames,
    propose_titles,
)
from .model import DuplicateReason, Hint, NameFacts, Pair, PairCluster, PairKey, TextFacts, pair_key
from .shared_context import (
    SharedContext,
    SharedContexts,
    propose_adjacent,
    propose_neighbours,
    propose_stated,
)
from .shared_titles import SharedTitles

_OPEN_TYPES = frozenset(("other", "concept", "object"))
_UNMARRIED_TITLES = frozenset(("miss", "mademoiselle", "mlle"))
# Titles of men, unless the first name is a woman's.
_MILITARY_TITLES = frozenset(
    (
        "captain capt colonel col major general lieutenant lieut lt sergeant corporal admiral "
        "commodore"
    ).split()
)
_MARRIED_TITLES = frozenset(("mrs", "madame", "mme", "lady"))


def cannot_be_one(forms: Forms, never: frozenset[PairKey], a: int, b: int) -> bool:
    """Return whether two entities cannot be one, by the user, gender, first names or a plural."""
    if pair_key(a, b) in never:
        return True
    left, right = forms.of.get(a, ()), forms.of.get(b, ())
    own = _genders(left) or {forms.facts[a].gender} - {""}
    other = _genders(right) or {forms.facts[b].gender} - {""}
    if own and other and not own & other:
        return True
    if any(_have_conflicting_names(x, y) for x in left for y in right):
        return True
    return any(_is_plural_of(x, y) or _is_plural_of(y, x) for x in left for y in right)


def types_disagree(forms: Forms, a: int, b: int) -> bool:
    left, right = forms.facts[a].type, forms.facts[b].type
    return left != right and left not in _OPEN_TYPES and right not in _OPEN_TYPES


def may_be_man_and_boy(forms: Forms, a: int, b: int) -> bool:
    """Return whether a name of each is that of a man and of a boy, see `are_man_and_boy`."""
    return any(
        x.person is not None
        and y.person is not None
        and are_man_and_boy(x.person.title, x.person.words, y.person.title, y.person.words)
        for x in forms.of.get(a, ())
        for y in forms.of.get(b, ())
    )


def _genders(forms: list[Form] | tuple[()]) -> set[str]:
    found = set()
    for form in forms:
        if form.person:
            soldier = form.person.title in _MILITARY_TITLES
            found.add(form.person.gender or ("m" if soldier else ""))
    return found - {""}


def _have_conflicting_names(x: Form, y: Form) -> bool:
    if x.is_han and y.is_han:
        ranks = {rank_of(x.key), rank_of(y.key)}
        return x.key[0] == y.key[0] and len(ranks - {""}) == 2
    left, right = x.person, y.person
    if not left or not right:
        return False
    if left.words[-1] == right.words[-1]:
        titles = {left.title, right.title}
        if titles & _UNMARRIED_TITLES and titles & _MARRIED_TITLES:
            return True
    return have_conflicting_first_names(left, right) or have_conflicting_surnames(left, right)


def _is_plural_of(x: Form, y: Form) -> bool:
    """Return whether one name is the plural of the other: "the Bingleys"."""
    if x.is_han or y.is_han:
        return False
    return x.words[-1] == y.words[-1] + "s" and len(y.words[-1]) > 2


_BIAS = 0.2
_FURTHER_REASON = 0.45  # weight of the strength of each further method
_ALIKE_WEIGHT, _SHARED_WEIGHT = 2.2, 1.0
_USUAL_ALIKE, _USUAL_SHARED = 0.25, 0.25
_MAX_CONTEXT_GAIN, _MAX_CONTEXT_LOSS = 1.4, -1.0
_TOGETHER_PENALTY, _USUAL_APART = 4.0, 0.1
_DISTINGUISHED_PENALTY = 2.0  # one such sentence takes a pair of 0.9 to about 0.55
_MIN_CLEAR_SHARE = 0.9  # of all alternatives; below, another one is possible, too
_MAX_NEIGHBOUR_GAIN = 0.4
_MIN_SURE, _MIN_LEAD = 0.6, 0.1
_MIN_STRENGTH = 0.04  # no context makes a weaker hint certain
_TYPE_PENALTY = 1.2
# Two of the three such pairs in the casts of the novels at hand are one person who grew up: this
# is no veto, but none of them is "very likely".
_MAN_AND_BOY_PENALTY = 1.2
# Takes what is directly before or after such a title from 0.89 to 0.71: still worth a look.
_SHARED_TITLE_PENALTY = 1.2
_SHARING_EXPONENT = 0.8
# If one name explains the other, occurring in one sentence is no evidence against them.
_EXPLAINING_METHODS = frozenset(("also_called", "beside"))


def score_pairs(
    hints: Iterable[Hint],
    forms: Forms,
    contexts: SharedContexts,
    titles: SharedTitles,
    never: frozenset[PairKey],
    floor: float,
    pause: Callable[[], None] = never_pause,
) -> list[Pair]:
    """Return the pairs with a certainty of at least `floor`, by id."""
    by_pair: dict[PairKey, dict[str, Hint]] = defaultdict(dict)
    for hint in share_among_alternatives(list(hints), contexts, forms, never):
        if hint.strength < _MIN_STRENGTH:
            continue
        best_hints = by_pair[pair_key(hint.a, hint.b)]
        best = best_hints.get(hint.method)
        if best is None or hint.strength > best.strength:
            best_hints[hint.method] = hint
    found = []
    for (a, b), by_method in sorted(by_pair.items()):
        pause()
        ranked = [
            DuplicateReason(one.method, one.strength, one.text)
            for one in sorted(by_method.values(), key=lambda one: (-one.strength, one.method))
        ]
        types_differ = types_disagree(forms, a, b)
        # The context is compared only if it can still raise the pair to the floor.
        if _certainty(ranked, None, types_differ) < floor or cannot_be_one(forms, never, a, b):
            continue
        stated = contexts.find_distinguishing(a, b)
        best = by_method[ranked[0].method]
        shared_title = _describe_shared_title(forms, titles, best)
        score = _certainty(
            ranked,
            contexts.compare(a, b),
            types_differ,
            distinguished=stated is not None,
            man_and_boy=may_be_man_and_boy(forms, a, b),
            # names that end with the title have divided their strength already
            shared_title=shared_title is not None and not best.alternatives_of,
        )
        if score >= floor:
            against = _list_against(forms, contexts, best, ranked, shared_title)
            found.append(Pair(a, b, round(score, 4), tuple(ranked), against))
    found += _join_through_full_names(found, forms, contexts, never, floor)
    return _drop_contradicted(found, forms, never)


_WORDS_OF_NAMES = frozenset(("part", "titles", "initials", "nickname"))
_AMBIGUOUS = frozenset(("rivals", "distinguished", "types", "together"))
_THROUGH_FULL_NAME = 0.62
# Certainty of the two pairs with the full name. From 0.5 on, the novels that nothing was fitted on
# lose 2.7 points of precision for 2.2 of recall; from 0.6 on none for 1.1.
_MIN_OF_FULL_NAME = 0.6
_MIN_WORDS = 0.55  # strength of their words: what is one of several alternatives has less


def _join_through_full_names(
    pairs: Sequence[Pair],
    forms: Forms,
    contexts: SharedContexts,
    never: frozenset[PairKey],
    floor: float,
) -> list[Pair]:
    """Return pairs of names that are likely one full name each: Quincey and Mr. Morris.

    Names of one person need not have a word in common, where a third one has the words of both.
    """
    known = {(pair.a, pair.b) for pair in pairs}
    near: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for pair in pairs:
        best = pair.reasons[0]
        is_sure = pair.score >= _MIN_OF_FULL_NAME and best.strength >= _MIN_WORDS
        is_sure &= not any(one.method in _AMBIGUOUS for one in pair.against)
        if is_sure and best.method in _WORDS_OF_NAMES:
            near[pair.a].append((pair.b, pair.score))
            near[pair.b].append((pair.a, pair.score))
    through: dict[PairKey, tuple[float, int]] = {}
    for full, others in near.items():
        if not any(f.person and len(f.person.words) > 1 for f in forms.of.get(full, ())):
            continue
        for (a, score), (b, other_score) in combinations(others, 2):
            pair_of = pair_key(a, b)
            if pair_of not in known and not cannot_be_one(forms, never, a, b):
                best_full = (min(score, other_score), full)
                through[pair_of] = max(through.get(pair_of, (0.0, 0)), best_full)
    joined = []
    for (a, b), (score, full) in sorted(through.items()):
        text = Message(
            "“{a}” and “{b}” may both be “{full}”",
            a=forms.facts[a].name,
            b=forms.facts[b].name,
            full=forms.facts[full].name,
        )
        reason = DuplicateReason("part", _THROUGH_FULL_NAME, text)
        own = _certainty(
            [reason],
            contexts.compare(a, b),
            types_disagree(forms, a, b),
            distinguished=contexts.find_distinguishing(a, b) is not None,
            man_and_boy=may_be_man_and_boy(forms, a, b),
        )
        if min(own, score) >= floor:
            against = _sort_strongest(_list_against_pair(forms, contexts, a, b, [reason]))
            joined.append(Pair(a, b, round(min(own, score), 4), (reason,), against))
    return joined


def _drop_contradicted(pairs: list[Pair], forms: Forms, never: frozenset[PairKey]) -> list[Pair]:
    """Remove a pair if one of the two is more certainly an entity that the other cannot be.

    武松 is 武二, so he cannot be 武大郎, the brother of 武二.
    """
    certain: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for pair in pairs:
        if pair.score >= _MIN_SURE:
            certain[pair.a].append((pair.b, pair.score))
            certain[pair.b].append((pair.a, pair.score))

    def contradicted(one: int, other: int, score: float) -> bool:
        return any(
            their_score > score + _MIN_LEAD
            and third != other
            and cannot_be_one(forms, never, third, other)
            for third, their_score in certain.get(one, ())
        )

    return [
        pair
        for pair in pairs
        if not contradicted(pair.a, pair.b, pair.score)
        and not contradicted(pair.b, pair.a, pair.score)
    ]


def _describe_shared_title(forms: Forms, titles: SharedTitles, best: Hint) -> Message | None:
    """Return the sentence about a title with several bearers that a pair takes for one person.

    Either one of the two is the bare title, or one bears it and seems to be a nickname because it
    stands before the other.
    """
    bare = titles.find_bare(best.a), titles.find_bare(best.b)
    if bool(bare[0]) != bool(bare[1]):
        entity_id, title = (best.a, bare[0]) if bare[0] else (best.b, bare[1])
        return Message(
            "“{name}” stands after {n} different names, and may be a title of several people",
            name=forms.facts[entity_id].name,
            n=titles.n_bearers(title),
        )
    if best.method == "beside":
        name, title = titles.find_bearer(best.a, best.b)
        if title:
            return Message(
                "“{name}” may be a name of its own with the title “{title}”",
                name=name,
                title=title,
            )
    return None


def _list_against(
    forms: Forms,
    contexts: SharedContexts,
    best: Hint,
    reasons: Sequence[DuplicateReason],
    shared_title: Message | None,
) -> tuple[DuplicateReason, ...]:
    """Return what speaks against a pair, the strongest first.

    The certainty contains all but the namesakes.
    """
    a, b = pair_key(best.a, best.b)
    against = _list_against_pair(forms, contexts, a, b, reasons)
    if shared_title:
        against.append(DuplicateReason("shared_title", _SHARED_TITLE_PENALTY, shared_title))
    if best.rivals:
        rival, n_more = forms.facts[best.rivals[0]].name, len(best.rivals) - 1
        text = Message("“{name}” would also fit", name=rival)
        if n_more:
            text = Message(
                "“{name}” and {n} other names would also fit"
                if n_more > 1
                else "“{name}” and {n} other name would also fit",
                name=rival,
                n=n_more,
            )
        against.append(DuplicateReason("rivals", 1.0, text, best.rivals))
    elif best.namesakes:
        text = Message(
            "“{name}” could also be “{other}”",
            name=forms.facts[best.alternatives_of].name,
            other=forms.facts[best.namesakes[0]].name,
        )
        against.append(DuplicateReason("namesakes", 0.0, text, best.namesakes))
    return _sort_strongest(against)


def _list_against_pair(
    forms: Forms,
    contexts: SharedContexts,
    a: int,
    b: int,
    reasons: Sequence[DuplicateReason],
) -> list[DuplicateReason]:
    """Return what speaks against a pair, whatever proposed it: types, titles, contexts."""
    names = {"a": forms.facts[a].name, "b": forms.facts[b].name}
    context = contexts.compare(a, b)
    against = []
    if sentence := contexts.find_distinguishing(a, b):
        text = Message("A sentence may tell “{a}” and “{b}” apart", **names)
        place = (sentence.document_id, sentence.start)
        against.append(DuplicateReason("distinguished", _DISTINGUISHED_PENALTY, text, place=place))
    if types_disagree(forms, a, b):
        text = Message("“{a}” and “{b}” have different types", **names)
        against.append(DuplicateReason("types", _TYPE_PENALTY, text))
    if may_be_man_and_boy(forms, a, b):
        text = Message("“Mr.” and “Master” before one name are often a father and his son")
        against.append(DuplicateReason("titles", _MAN_AND_BOY_PENALTY, text))
    apart = 0.0 if _is_explained(reasons) else context.apart - _USUAL_APART
    if apart > 0 and (n := max(1, round(contexts.n_together(a, b)))):
        text = Message(
            "{n} sentences name both “{a}” and “{b}”"
            if n > 1
            else "{n} sentence names both “{a}” and “{b}”",
            n=n,
            **names,
        )
        against.append(DuplicateReason("together", _TOGETHER_PENALTY * apart, text))
    if context.alike == 0 and not context.n_shared and context.weight >= 0.5:
        text = Message(
            "“{a}” and “{b}” are never in one passage or connected with one name", **names
        )
        against.append(DuplicateReason("apart", -_MAX_CONTEXT_LOSS, text))
    return against


def _sort_strongest(reasons: Iterable[DuplicateReason]) -> tuple[DuplicateReason, ...]:
    """Return the strongest first; of equal ones last that two have nothing in common."""
    return tuple(sorted(reasons, key=lambda one: (-one.strength, one.method == "apart")))


def _is_explained(reasons: Sequence[DuplicateReason]) -> bool:
    return any(one.method in _EXPLAINING_METHODS for one in reasons)


def _certainty(
    reasons: Sequence[DuplicateReason],
    context: SharedContext | None,
    types_differ: bool,
    *,
    distinguished: bool = False,
    man_and_boy: bool = False,
    shared_title: bool = False,
) -> float:
    """Return the probability that a pair is one entity; without context, its upper bound."""
    odds = (
        _BIAS
        + _log_odds(reasons[0].strength)
        + _FURTHER_REASON * sum(one.strength for one in reasons[1:])
    )
    if types_differ:
        odds -= _TYPE_PENALTY
    if distinguished:
        odds -= _DISTINGUISHED_PENALTY
    if man_and_boy:
        odds -= _MAN_AND_BOY_PENALTY
    if shared_title:
        odds -= _SHARED_TITLE_PENALTY
    if context is None:
        return _probability(odds + _MAX_CONTEXT_GAIN)
    gain = _ALIKE_WEIGHT * (context.alike - _USUAL_ALIKE) + _SHARED_WEIGHT * (
        context.shared - _USUAL_SHARED
    )
    if reasons[0].method == "neighbours":
        gain = min(gain, _MAX_NEIGHBOUR_GAIN)  # the hint itself is based on the context
    odds += max(_MAX_CONTEXT_LOSS, min(_MAX_CONTEXT_GAIN, gain)) * context.weight
    if not _is_explained(reasons):
        odds -= _TOGETHER_PENALTY * max(0.0, context.apart - _USUAL_APART)
    return _probability(odds)


def share_among_alternatives(
    hints: Sequence[Hint],
    contexts: SharedContexts,
    forms: Forms,
    never: frozenset[PairKey] = frozenset(),
) -> list[Hint]:
    """Return the possible hints, with the strength divided among alternatives.

    "Jones" is only one of the people named Jones; the one with the most similar context gets the
    largest share. What the name cannot be takes no share ("Mrs. Harker" is not Jonathan Harker),
    nor does another form of the same full name ("Julius P. Hersheimmer"). A bearer of the name whom
    a sentence distinguishes from the best one stays a rival, however small its share: where a text
    says that there are two, the bare name may mean either. A woman with the same first name and
    another surname takes no share, because she may be the same one after her marriage: she is a
    namesake.
    """
    excluded: dict[PairKey, bool] = {}

    def is_possible(hint: Hint) -> bool:
        pair = pair_key(hint.a, hint.b)
        if pair not in excluded:
            excluded[pair] = cannot_be_one(forms, never, *pair)
        return not excluded[pair]

    hints = [hint for hint in hints if not hint.alternatives_of or is_possible(hint)]
    groups: dict[tuple[int, str], dict[int, float]] = defaultdict(dict)
    for hint in hints:
        if hint.alternatives_of:
            other = hint.b if hint.a == hint.alternatives_of else hint.a
            context = contexts.compare(hint.a, hint.b)
            weight = log1p(contexts.n_mentions(other)) * hint.strength
            fit = (0.01 + context.alike * (0.2 + context.shared)) ** 1.5 * weight
            group = groups[hint.alternatives_of, hint.method]
            group[other] = max(group.get(other, 0.0), fit)
    in_groups = {i for group in groups.values() if len(group) > 1 for i in group}
    full_names = {i: _list_full_names(forms, i) for i in in_groups}
    with_full_names = {
        key: [i for i in group if full_names[i]] for key, group in groups.items() if len(group) > 1
    }
    shared = []
    for hint in hints:
        key = (hint.alternatives_of, hint.method)
        if key in with_full_names:
            group = groups[key]
            other = hint.b if hint.a == hint.alternatives_of else hint.a
            exclusive = group
            namesakes: tuple[int, ...] = ()
            if own := full_names[other]:  # most groups are of many names without a variant
                variants = {
                    i
                    for i in with_full_names[key]
                    if i != other and _are_variants(full_names[i], own)
                }
                variants -= contexts.list_distinguished(other, variants)
                if variants:
                    exclusive = {i: fit for i, fit in group.items() if i not in variants}
                    others_named = [i for i in variants if not _have_one_name(full_names[i], own)]
                    namesakes = tuple(sorted(others_named, key=lambda i: (-group[i], i)))
            total = sum(exclusive.values())
            # names that a user added may have no mentions: then none fits better than another
            portion = group[other] / total if total else 1 / len(exclusive)
            strength = hint.strength * portion**_SHARING_EXPONENT
            others = exclusive.keys() - {other}
            if portion >= _MIN_CLEAR_SHARE:
                others = contexts.list_distinguished(other, others)
            rivals = tuple(sorted(others, key=lambda i: (-group[i], i)))
            hint = replace(hint, strength=strength, rivals=rivals, namesakes=namesakes)
        shared.append(hint)
    return shared


def _list_full_names(forms: Forms, i: int) -> list[frozenset[str]]:
    """Return the words of the names of an entity that have several, without titles.

    Of a woman also her first name alone: she may have another surname after her marriage.
    """
    people = [form.person for form in forms.of.get(i, ()) if form.person]
    full = [frozenset(person.words) for person in people if len(person.words) > 1]
    # Tommy Beresford is Thomas Beresford.
    full += [
        frozenset((other, *person.words[1:]))
        for person in people
        if len(person.words) > 1
        for other in list_full_forms(person.words[0])
    ]
    return full + [
        frozenset(person.words[:1])
        for person in people
        if len(person.words) > 1 and person.gender == "f"
    ]


def _are_variants(left: Sequence[frozenset[str]], right: Sequence[frozenset[str]]) -> bool:
    """Return whether two entities have forms of one full name ("Julius P. Hersheimmer")."""
    for x in left:  # no generator: it is asked half a million times in a library of 20 novels
        for y in right:
            if x <= y or y <= x:
                return True
    return False


def _have_one_name(left: Sequence[frozenset[str]], right: Sequence[frozenset[str]]) -> bool:
    """Return whether two entities have forms of one name of several words."""
    several = [[name for name in names if len(name) > 1] for names in (left, right)]
    return _are_variants(*several)


def _log_odds(strength: float) -> float:
    strength = min(0.97, max(0.01, strength))
    return log(strength / (1 - strength))


def _probability(odds: float) -> float:
    return 1 / (1 + exp(-odds))


# The number of the rules of this package and of their word lists. Raise it with a change that may
# change what is found, or how it is stored: libraries keep what was found with the rules of this
# number, and search again when it is another one.
DUPLICATE_RULES = 9

# From strict to loose, as the merge desk shows them.
METHODS = (
    *("fingerprint", "ngram", "titles", "nickname", "initials", "also_called", "beside"),
    *("part", "surname", "pinyin", "spelling", "meaning", "characters", "neighbours"),
)
FLOOR = 0.2


def find_pairs(
    facts: Sequence[NameFacts],
    text: TextFacts | None = None,
    *,
    methods: Collection[str] = METHODS,
    floor: float = FLOOR,
    contexts: SharedContexts | None = None,
    pause: Callable[[], None] = never_pause,
) -> list[Pair]:
    """Return the pairs of entities that may be one, by id.

    Args:
        methods: the methods to use, from `METHODS`.
        floor: certainty below which a pair is left out.
        contexts: of the same facts and text, if the caller needs them too.
        pause: called for each candidate; a search in the background rests in it.
    """
    text = text or TextFacts()
    order = sorted(range(len(facts)), key=lambda i: facts[i].id)
    if text.vectors is not None:
        text = replace(text, vectors=text.vectors[order])
    facts = [facts[i] for i in order]
    forms = Forms(facts)
    contexts = contexts or SharedContexts(facts, text)
    proposed = chain(
        propose_fingerprints(forms),
        propose_ngrams(forms),
        propose_titles(forms),
        propose_nicknames(forms, contexts),
        propose_initials(forms),
        propose_parts(forms),
        propose_stated(forms.facts, text),
        propose_adjacent(forms.facts, text),
        propose_chinese_parts(forms),
        propose_surnames(forms, contexts),
        propose_addresses(forms, contexts),
        propose_shared_characters(forms, contexts),
        propose_spellings(forms),
        propose_sounds(forms),
        propose_romanizations(forms),
        propose_meanings(facts, text),
        propose_neighbours(facts, text, contexts),
    )
    hints = []
    for hint in proposed:
        pause()
        if hint.method in methods and hint.a != hint.b:
            hints.append(hint)
    never = frozenset(pair_key(a, b) for a, b in text.never)
    titles = SharedTitles(forms, text.adjacent)
    return score_pairs(hints, forms, contexts, titles, never, floor, pause)


SURE = 0.5
NEAR = 0.25


def cluster(pairs: Sequence[Pair], *, sure: float = SURE, near: float = NEAR) -> list[PairCluster]:
    """Return clusters of pairs, the most certain first; an entity can be in two clusters.

    Agglomerative clustering with average linkage.

    Args:
        sure: least mean certainty of the pairs between two merged clusters.
        near: least certainty of each of these pairs.
    """
    known: dict[PairKey, Pair] = {(pair.a, pair.b): pair for pair in pairs}
    cluster_of: dict[int, frozenset[int]] = {}
    ordered = sorted(pairs, key=lambda pair: (-pair.score, pair.a, pair.b))
    unclustered: list[Pair] = []
    for pair in ordered:
        if pair.score < sure:
            break
        left = cluster_of.get(pair.a, frozenset((pair.a,)))
        right = cluster_of.get(pair.b, frozenset((pair.b,)))
        if left == right:
            continue
        paired = [known.get(pair_key(x, y)) for x, y in product(left, right)]
        scores = [other.score if other else 0.0 for other in paired]
        if min(scores) < near or sum(scores) / len(scores) < sure:
            unclustered.append(pair)
            continue
        for member in left | right:
            cluster_of[member] = left | right
    groups = set(cluster_of.values())
    for pair in unclustered:
        # Its entities are in other clusters: the pair becomes a cluster of its own.
        if pair.b not in cluster_of.get(pair.a, ()):
            groups.add(frozenset((pair.a, pair.b)))
    return sorted(
        (_build_cluster(known, group) for group in groups),
        key=lambda one: (-one.certainty, one.ids),
    )


def _build_cluster(known: dict[PairKey, Pair], group: frozenset[int]) -> PairCluster:
    ids = tuple(sorted(group))
    inside = [known[x, y] for n, x in enumerate(ids) for y in ids[n + 1 :] if (x, y) in known]
    return PairCluster(ids, round(sum(p.score for p in inside) / len(inside), 4), tuple(inside))
