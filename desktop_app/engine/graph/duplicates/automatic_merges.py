"""Explains automatic merges: the rule of `graph/resolution` that joined a name to its entity.

Names of one entity in, one sentence per name out. Merges nothing itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...messages import Message
from ...model import NameCount
from ..names import normalise_name
from ..resolution import LatinForm, read_forms
from .methods import describe_part

# From strict to loose: of several rules that fit, the first one is the reason that is shown.
MERGE_RULES = ("spelling", "also_called", "title", "part", "given", "surname", "other")


def explain_automatic_merge(
    names: Sequence[NameCount], main: NameCount, also_called: Mapping[frozenset[str], int]
) -> dict[int, tuple[str, Message, int]]:
    """Return name id -> (rule, reason, id of the other name), for all names except `main`.

    Args:
        names: all names of one entity, including `main`.
        also_called: pair of normalised names -> how often the text equates them.
    """
    people = {form.name.name_id: form for form in read_forms(names)}
    found = {}
    for name in names:
        if name.name_id == main.name_id:
            continue
        others = [main, *sorted((o for o in names if o not in (name, main)), key=_by_use)]
        explained = (_explain(name, other, people, also_called) for other in others)
        fits = [(rule, text, other) for (rule, text), other in zip(explained, others, strict=True)]
        rule, text, other = min(fits, key=lambda fit: MERGE_RULES.index(fit[0]))
        found[name.name_id] = (rule, text, other.name_id)
    return found


def _by_use(name: NameCount) -> tuple[int, int]:
    return -name.n_mentions, name.name_id


def _explain(
    name: NameCount,
    other: NameCount,
    people: Mapping[int, LatinForm],
    also_called: Mapping[frozenset[str], int],
) -> tuple[str, Message]:
    """Return the strictest rule that joins the two names, and its sentence."""
    key, other_key = normalise_name(name.name), normalise_name(other.name)
    if key == other_key:
        return "spelling", Message("“{name}” written differently", name=other.name)
    if n := also_called.get(frozenset((key, other_key)), 0):
        return "also_called", Message(
            "{n} sentences seem to say that it is also called “{name}”"
            if n > 1
            else "{n} sentence seems to say that it is also called “{name}”",
            name=other.name,
            n=n,
        )
    left, right = people.get(name.name_id), people.get(other.name_id)
    if left and right:
        if left.words == right.words:
            return "title", Message("“{name}” with another title or none", name=other.name)
        if set(left.words) < set(right.words):
            return "part", describe_part(name.name, other.name, left.words)
        if set(right.words) < set(left.words):
            return "part", describe_part(other.name, name.name, right.words)
    if min(len(name.name), len(other.name)) > 1 and name.name[0] > "\u2e80":
        if other.name.endswith(name.name) or name.name.endswith(other.name):
            return "given", Message("“{name}” with or without the surname", name=other.name)
        if name.name[0] == other.name[0]:
            return "surname", Message(
                "starts with “{surname}” like “{name}”, and may be a surname with a title",
                name=other.name,
                surname=name.name[0],
            )
    return "other", Message("merged through other names of “{name}”", name=other.name)
