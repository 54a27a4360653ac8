"""Which entity each name belongs to, resolved again only when something that decides it changed.

Owns names, striking out and grouping; knows nothing of relations or descriptions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..model import NameCount
from .curation import Curation
from .evidence_index import EvidenceIndex

ResolveNames = Callable[..., Sequence]


class NameClusters:
    """The groups of names, in step with a tally.

    Attributes:
        counts: the names that take part, by id.
        groups: per entity id its names, smallest id first, and the one that is shown.
        home: the entity of each name.
        named: the entity of each name as written.
    """

    def __init__(self, tally: EvidenceIndex, resolve_names: ResolveNames) -> None:
        self.counts: dict[int, NameCount] = {}
        self.groups: dict[int, tuple[tuple[int, ...], int]] = {}
        self.home: dict[int, int] = {}
        self.named: dict[str, int] = {}
        self._tally = tally
        self._resolve = resolve_names
        self._left_out: set[int] = set()
        self._also_called: dict[tuple[str, str], int] = {}
        self._curation = Curation()

    def update(
        self, names: set[int], curation: Curation, given: Mapping[int, str]
    ) -> tuple[set[int], set[int]]:
        """Count the touched names again; return names that moved and entities grouped anew.

        Args:
            given: names by id that may stand in no text, since the person gave them.
        """
        decided = curation != self._curation
        self._curation = curation
        changed = self._count(names | self._left_out if decided else names, given)
        if decided or self._also_called != self._tally.also_called:
            changed = True
            self._also_called = dict(self._tally.also_called)
        return self._regroup() if changed else (set(), set())

    def _count(self, names: set[int], given: Mapping[int, str]) -> bool:
        tally = self._tally
        named = self._curation.named()
        changed = False
        for name_id in names | given.keys() | {i for i, n in self.counts.items() if not n.types}:
            new = None
            self._left_out.discard(name_id)
            if tally.is_mentioned(name_id):
                # What the person once stood for may lose that, so named ones are looked at too.
                if tally.is_struck(name_id):
                    self._left_out.add(name_id)
                if name_id not in self._left_out or tally.texts[name_id] in named:
                    new = tally.count_name(name_id)
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
        home = {i: e for e, (name_ids, _) in groups.items() for i in name_ids}
        moved = {i for i in self.home.keys() | home.keys() if self.home.get(i) != home.get(i)}
        self.home = home
        self.named = {counts[i].name: home[i] for i in sorted(home)}
        return moved, {e for e in old.keys() | groups.keys() if old.get(e) != groups.get(e)}
