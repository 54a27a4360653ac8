"""Clusters of likely duplicates as the merge desk shows them: what they hold, filter, order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..graph.duplicates import Reason
from ..types import EntityRow, MentionRow

SORTS = ("newest", "certainty", "size", "mentions", "asked")


@dataclass(frozen=True, slots=True)
class DuplicateMember:
    """One entity of a cluster; `names` are its others, `sentences` come with the evidence."""

    entity: EntityRow
    names: tuple[str, ...] = ()
    sentences: tuple[MentionRow, ...] = ()


@dataclass(frozen=True, slots=True)
class DuplicateCluster:
    """Entities that may be one, the one named most often first.

    `reasons` are the best of every method, the strongest first; `shared` are neighbours that
    members have in common. `newest_at` is when the last of the members came into the library,
    `is_new` whether that was since the desk was last looked at. `asked` is what a chat model
    answered, 0 to 1, None where it was not asked: a column beside the others, never the judge.
    """

    members: tuple[DuplicateMember, ...]
    certainty: float
    reasons: tuple[Reason, ...]
    shared: tuple[str, ...] = ()
    newest_at: float = 0.0
    is_new: bool = False
    asked: float | None = None

    @property
    def ids(self) -> tuple[int, ...]:
        return tuple(member.entity.id for member in self.members)

    @property
    def type(self) -> str:
        return self.members[0].entity.type


def arrange(
    clusters: Sequence[DuplicateCluster],
    *,
    sort: str = "newest",
    type: str = "",
    method: str = "",
    least: float = 0.0,
    text: str = "",
) -> list[DuplicateCluster]:
    """Return the clusters that pass, in order; ties go by certainty, then by ids.

    Args:
        sort: one of `SORTS`; "newest" puts new ones first and leaves the rest by certainty.
        type: keeps clusters with a member of that type.
        method: keeps clusters for which this method speaks.
        least: the least certainty.
        text: keeps clusters with a name that has it, whatever the case.
    """
    wanted = text.strip().casefold()
    kept = [
        one
        for one in clusters
        if one.certainty >= least
        and (not type or any(member.entity.type == type for member in one.members))
        and (not method or any(reason.method == method for reason in one.reasons))
        and (not wanted or any(wanted in name.casefold() for name in _all_names(one)))
    ]

    def rank(one: DuplicateCluster) -> tuple[float, float, tuple[int, ...]]:
        first = {
            "newest": -one.newest_at if one.is_new else 0.0,
            "size": -float(len(one.members)),
            "asked": -one.asked if one.asked is not None else 1.0,
            "mentions": -float(sum(member.entity.n_mentions for member in one.members)),
        }.get(sort, 0.0)
        return first, -one.certainty, one.ids

    return sorted(kept, key=rank)


def _all_names(one: DuplicateCluster) -> list[str]:
    return [name for member in one.members for name in (member.entity.name, *member.names)]
