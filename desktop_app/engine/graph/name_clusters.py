"""Groups names into entities, and groups them again only if a relevant count or decision changed.

Owns the counts of names, rejection by models and grouping; knows no relations or descriptions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from ..model import NameCount
from .curation import Curation
from .evidence_index import EvidenceIndex


class NameGroupLike(Protocol):
    """The names of one entity, as `resolve_names` returns them."""

    @property
    def name_ids(self) -> tuple[int, ...]: ...

    @property
    def main_name_id(self) -> int: ...


ResolveNames = Callable[..., Sequence[NameGroupLike]]


class NameClusters:
    """The groups of names, updated from an evidence index.

    Attributes:
        counts: name id -> counts, for names that are not rejected.
        groups: entity id -> its name ids, smallest first, and the id of the shown name.
        entity_of_name: name id -> entity id.
        entity_of_text: name as written -> entity id.
    """

    def __init__(self, evidence: EvidenceIndex, resolve_names: ResolveNames) -> None:
        self.counts: dict[int, NameCount] = {}
        self.groups: dict[int, tuple[tuple[int, ...], int]] = {}
        self.entity_of_name: dict[int, int] = {}
        self.entity_of_text: dict[str, int] = {}
        self._evidence = evidence
        self._resolve = resolve_names
        self._rejected: set[int] = set()
        self._also_called: dict[tuple[str, str], int] = {}
        self._curation = Curation()

    def update(
        self, names: set[int], curation: Curation, given: Mapping[int, str]
    ) -> tuple[set[int], set[int]]:
        """Update changed names; return names with another entity and entities with other names.

        Args:
            names: ids of names whose evidence changed.
            given: name id -> name, for names of the user that may occur in no document.
        """
        has_new_curation = curation != self._curation
        self._curation = curation
        changed = self._update_counts(names | self._rejected if has_new_curation else names, given)
        if has_new_curation or self._also_called != self._evidence.also_called:
            changed = True
            self._also_called = dict(self._evidence.also_called)
        return self._regroup() if changed else (set(), set())

    def _update_counts(self, names: set[int], given: Mapping[int, str]) -> bool:
        evidence = self._evidence
        exempt = self._curation.named()
        changed = False
        for name_id in names | given.keys() | {i for i, n in self.counts.items() if not n.types}:
            new = None
            self._rejected.discard(name_id)
            if evidence.is_mentioned(name_id):
                # The user can withdraw the exemption later, so rejection is always checked.
                if evidence.is_name_rejected(name_id):
                    self._rejected.add(name_id)
                if name_id not in self._rejected or evidence.texts[name_id] in exempt:
                    new = evidence.count_name(name_id)
            elif name_id in given:
                new = NameCount(name_id, given[name_id], 0, {}, "")
            if new != self.counts.get(name_id):
                changed = True
                self.counts.pop(name_id, None)
                if new is not None:
                    self.counts[name_id] = new
        return changed

    def _regroup(self) -> tuple[set[int], set[int]]:
        counts, curation = self.counts, self._curation
        groups = {
            min(g.name_ids): (tuple(sorted(g.name_ids)), g.main_name_id)
            for g in self._resolve(
                [counts[i] for i in sorted(counts)],
                also_called=self._also_called,
                merged=(*curation.merged, *curation.aliases),
                never=curation.never_merged,
            )
            if not any(curation.deletes(counts[i].name, counts[i].documents) for i in g.name_ids)
        }
        old, self.groups = self.groups, groups
        entity_of_name = {i: e for e, (name_ids, _) in groups.items() for i in name_ids}
        moved = {
            i
            for i in self.entity_of_name.keys() | entity_of_name.keys()
            if self.entity_of_name.get(i) != entity_of_name.get(i)
        }
        self.entity_of_name = entity_of_name
        self.entity_of_text = {counts[i].name: entity_of_name[i] for i in sorted(entity_of_name)}
        return moved, {e for e in old.keys() | groups.keys() if old.get(e) != groups.get(e)}
