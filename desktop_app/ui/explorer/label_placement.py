"""Which names of a frame have a label, and where: none covers another, the most important first.

Where each name is shown, these are the largest nodes, else the three biggest nodes of every
cluster, whose labels may be over smaller nodes, and then the others by size. Titles are placed
before (`labels.py`). Does not paint.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Generator, Sequence
from typing import NamedTuple

import numpy as np

from desktop_app.engine.graph.view.graph_data import MIN_TITLED_NODES, GraphData, find_leaders

from .animations import LabelChoice
from .frame import Focus, ViewFrame
from .label_spots import (
    AWAY,
    CLEARER,
    EDGE,
    SPOT_GAP,
    NearbyDiscs,
    Occupancy,
    count_crossings,
    find_covering_spots,
    find_ring_spots,
    find_spots,
    have_clear_middles,
)
from .node_colors import SIGN_RADIUS, STRONG_RADIUS
from .scales import measure_lines

MAX_WIDTH, FULL_WIDTH = 168.0, 420.0
CANDIDATES, MAX_LABELS, CROWDED_LABELS = 420, 140, 64
CROWD = 600
LABELS_EACH, LEADERS_EACH = 3, 6  # labels of a cluster, and the nodes that are tried for them
MORE_LABELS = 24  # for the biggest nodes, where the clusters need all labels of a crowded view
FEW_NODES = 160  # in whose views labels avoid lines, and no other node is near their middle
MAX_CROSSINGS = 36_000  # pairs of label and line that are examined for it in a frame
APART = (9.0, 2.0)  # pixels between two labels, where there are few: two names are not read as one
APART_OF_MANY = (2.0, 0.0)  # with less, the halo of one would cover a part of the other
RING = 7.0  # pixels around a selected node; its label is beyond
PLATE_EDGE = 3.0  # pixels of the plate beside a text, where each name is shown
PLATE = 4.0  # pixels around the text of the selected node, in whose middle all its lines meet
# Where each name is shown, the names of the largest nodes and of the two largest ones of each
# cluster come first. If one of them has no place, it is placed before the others, which have more
# choice.
N_LARGEST, MAX_DISPLACED = 12, 6
MAX_TRIED = 80  # names placed in all tries to displace others; more take too long for a frame
GLYPH_EDGE = 2.0  # pixels of a label around its letters, as a font has them above and below
# Pixels that a label is nearer to its node than to others, if it has such a place in a view that
# shows each name: with less, it could be that of a node at its other end.
CLEAREST = 14.0
RING_CLEARER = 3.0  # pixels that a label further from its node is nearer to it than to others
# A node beside a label can be taken for its own, one under it can't: as bad as so many of these.
BESIDE_COST = 10
MIN_COVERED = 2.5  # radius of a node that its own label may cover in part
TITLE_GAP = 6.0  # pixels from a title to its nodes
# Of the largest radius: names of such nodes are larger than the others, if they are so few.
MAIN_SHARE, MAX_MAIN_NAMES = 0.75, 6
MAX_HELD = 40  # chosen or pinned nodes that always get a label
# Places compared with labels, after which no other order is tried: most views need 500, one whose
# nodes are still on their way apart 9,000 (50 ms).
MAX_COMPARED = 2_000
NAMES_A_STEP = 40  # names that are placed in one step: one to three milliseconds


def shows_each_name(frame: ViewFrame, data: GraphData) -> bool:
    """Return whether a view has so few nodes that labels avoid lines and stand over no node."""
    return len(frame.rows) <= FEW_NODES and not data.is_by_community


class PlacedTitle(NamedTuple):
    """The title of a community or of a part: its rectangle, its text, the node whose name it is.

    `level` is that of its font in `LabelLayer.fonts`.
    """

    left: float
    top: float
    width: float
    height: float
    text: str
    row: int | None
    level: int


def finish(steps: Generator[None, None, list[LabelChoice]]) -> list[LabelChoice]:
    """Do all steps of a placement at once, and return its labels."""
    while True:
        try:
            next(steps)
        except StopIteration as ended:
            choices: list[LabelChoice] = ended.value
            return choices


class LabelPlacement:
    """The placement of the labels of one frame.

    Args:
        titles: of communities or parts, which labels avoid.
        measure: see `LabelLayer.measure`.
    """

    def __init__(
        self,
        frame: ViewFrame,
        data: GraphData,
        focus: Focus,
        titles: list[PlacedTitle],
        measure: Callable[[str, int, float], tuple[str, float, float]],
    ) -> None:
        self._frame, self._data, self._measure = frame, data, measure
        self._focus, self._titles = focus, titles
        self._n_compared = 0  # places with labels

    def run(self) -> list[LabelChoice]:
        """Return the labels that have room."""
        return finish(self.steps())

    def steps(self) -> Generator[None, None, list[LabelChoice]]:
        """Return the labels at the end; each step is a part of the work.

        In a crowded view a step takes a few milliseconds.
        """
        frame, data, focus = self._frame, self._data, self._focus
        self._is_crowd = len(frame.rows) > CROWD
        self._is_few = few = shows_each_name(frame, data)
        self._radii = self._add_rings(focus)
        self._taken = Occupancy(frame.width, frame.height)
        for rect in frame.covered:
            self._taken.take(*rect)
        for x, y, width, height, *_ in self._titles:
            self._taken.take(x - TITLE_GAP, y, width + 2 * TITLE_GAP, height)
        self._taken.take_discs(frame.points[frame.rows], frame.radii[frame.rows])
        self._first = [row for row in (focus.hovered, focus.selected) if row is not None]
        self._plated = focus.selected if few else None
        self._held = [*sorted(focus.chosen), *np.flatnonzero(data.pinned).tolist()][:MAX_HELD]
        # A title that is the name of a node is its label, unless the node is in focus.
        named = {title.row for title in self._titles if title.row is not None}
        self._labelled = named.difference(self._first)
        yield
        self._order_rows(focus)
        if not self.rows:
            return []
        self._choose_levels(focus)
        yield
        self._find_spots()
        yield
        self._nearby = NearbyDiscs(frame.points, frame.radii, frame.rows)
        self._seen = (frame.points[frame.rows], frame.radii[frame.rows])
        self._largest = float(self._seen[1].max())
        self._nearby_urgent = self._nearby
        if self._urgent:
            urgent = np.array(sorted(self._urgent), dtype=np.int64)
            self._nearby_urgent = NearbyDiscs(frame.points, frame.radii, urgent)
        yield
        order = [*range(len(self.rows))]
        if self._urgent:
            order = self._displace(order)
        return (yield from self._fill_in_steps(order))

    def _add_rings(self, focus: Focus) -> np.ndarray:
        """Return the radii of all nodes with their rings."""
        ringed = focus.ringed()
        if not ringed:
            return self._frame.radii
        radii = self._frame.radii.copy()
        radii[ringed] += RING
        return radii

    def _order_rows(self, focus: Focus) -> None:
        """Set which nodes are named, the most important first, and which of them must be."""
        frame, data, first = self._frame, self._data, self._first
        big_first = frame.rows[::-1]
        near = data.neighbours_of(first[0])[:40].tolist() if first else []
        ahead = dict.fromkeys([*first, *self._held, *near])
        visible = set(frame.rows.tolist()) if ahead else set()
        rows = [row for row in ahead if row in visible]
        self._n_ahead = len(rows)
        leaders = find_leaders(data, big_first, LEADERS_EACH).tolist()
        self._n_led = dict.fromkeys(data.clusters[leaders].tolist(), 0)  # labels of each cluster
        self._heads = set(leaders[: len(self._n_led)])  # the biggest node of each cluster
        led: dict[int, None] = {}
        self._urgent: set[int] = set()
        if self._is_few:
            # a node with a letter is read as one with a name
            self._urgent = {*big_first[frame.radii[big_first] >= SIGN_RADIUS].tolist()}
            self._urgent |= {*leaders[: 2 * len(self._n_led)], *big_first[:N_LARGEST].tolist()}
            rows += [row for row in big_first.tolist() if row in self._urgent and row not in ahead]
        else:
            led = dict.fromkeys(row for row in leaders if row not in ahead)
        self._n_leading, self._n_urgent = len(led), len(rows)
        most = CANDIDATES - len(led)
        biggest = big_first[:most].tolist()
        self._important = {*leaders[: 2 * len(self._n_led)], *biggest[:MORE_LABELS]}
        self._main = set() if self._is_few else self._find_main(leaders)
        done = {*rows}
        # leaders beyond the third are tried again by size
        self.rows = [*rows, *led, *(row for row in biggest if row not in done)]
        most = MAX_LABELS if len(frame.rows) <= FEW_NODES else CROWDED_LABELS
        self._most = max(most, min(MAX_LABELS, LABELS_EACH * len(self._n_led) + MORE_LABELS))

    def _find_main(self, leaders: list[int]) -> set[int]:
        """Return the three largest names of clusters with room for these, and those of the view.

        The fourth name of the largest cluster may be the fifth of all.
        """
        clusters = self._data.clusters
        counts = np.bincount(clusters[self._frame.rows] + 1)
        left = dict.fromkeys(self._n_led, LABELS_EACH)
        main: set[int] = set(self._frame.rows[::-1][:N_LARGEST].tolist())
        for row in leaders:
            cluster = int(clusters[row])
            if left[cluster] and counts[cluster + 1] >= MIN_TITLED_NODES:
                left[cluster] -= 1
                main.add(row)
        return main

    def _choose_levels(self, focus: Focus) -> None:
        """Set the font, the text and its size for each name."""
        frame, rows = self._frame, self.rows
        marked = {*self._first, *focus.chosen}
        marked |= self._heads if self._is_crowd else set()
        # where all nodes have letters, only the names of the larger ones are bold
        is_lettered = bool((frame.radii[frame.rows] >= SIGN_RADIUS).all())
        least = STRONG_RADIUS if is_lettered else SIGN_RADIUS
        self._levels = [int(frame.radii[row] >= least or row in marked) for row in rows]
        if self._is_few and not is_lettered:
            limit = max(MAIN_SHARE * float(frame.radii[frame.rows].max()), least)
            main = set(frame.rows[frame.radii[frame.rows] >= limit].tolist())
            if len(main) <= MAX_MAIN_NAMES:
                levels = zip(rows, self._levels, strict=True)
                self._levels = [2 if row in main else level for row, level in levels]
        self._texts = [
            self._measure_row(row, level) for row, level in zip(rows, self._levels, strict=True)
        ]

    def _measure_row(self, row: int, level: int) -> tuple[str, float, float]:
        room = FULL_WIDTH if row in self._first else MAX_WIDTH
        room = min(room, self._frame.width - 2 * EDGE)
        return self._measure(self._data.entities[row].name, level, room)

    def _find_spots(self) -> None:
        """Set the positions of each label, and which of them are over no node."""
        frame, rows, few = self._frame, self.rows, self._is_few
        points = frame.points[rows]
        sizes = np.array([size for _, *size in self._texts])
        self._spots = spots = find_spots(
            points, self._radii[rows], sizes, frame.width, frame.height
        )
        roomy = sizes[:, None, :] + AWAY[:, :2] + AWAY[:, 2:]
        self._clear = self._clear_barely = self._taken.clear_of_discs(spots - AWAY[:, :2], roomy)
        self._order: np.ndarray | None = None  # of the spots, by the lines that cross the label
        if few:
            wide = np.broadcast_to(sizes[:, None], spots.shape)
            self._clear_barely = self._taken.clear_of_discs(spots, wide)
            self._place_of = np.zeros(len(frame.points), dtype=np.int64)
            self._place_of[frame.rows] = np.arange(len(frame.rows))
            seen = (frame.points[frame.rows], frame.radii[frame.rows])
            self._clear = self._clear & have_clear_middles(
                spots, sizes, self._place_of[rows], *seen
            )
            if 0 < len(frame.lines) * len(rows) <= MAX_CROSSINGS:
                self._avoid_lines(sizes)
        self._is_clear = np.any(self._clear, axis=1)
        self._middles, self._reaches = points.tolist(), self._radii[rows].tolist()
        # by position in `rows`, and by font: places that are examined for several orders of labels
        self._usual: dict[int, list[list[float]]] = {}
        self._around: dict[tuple[int, int], list[list[float]]] = {}
        self._rings: dict[tuple[float, ...], np.ndarray] = {}
        self._nearest: dict[tuple[float, ...], bool] = {}  # by label, place, size and `clearer`

    def _avoid_lines(self, sizes: np.ndarray) -> None:
        """Order the positions by the lines that cross the label with its plate, the fewest first.

        A label that is crossed in all its usual positions has further ones, around its node. Wide
        lines count more.
        """
        frame, data = self._frame, self._data
        starts, ends = (frame.points[data.pairs[frame.lines, end]] for end in (0, 1))
        widths = np.array(measure_lines(frame.scale, data, smooth=True))
        lines = starts, ends, widths[data.strengths[frame.lines]]
        edge = np.array((PLATE_EDGE, 0.0))
        crossed = count_crossings(self._spots - edge, sizes + 2 * edge, *lines)
        fewest = np.where(self._clear, crossed, np.inf).min(1)
        is_plated = np.array(self.rows) == (-1 if self._plated is None else self._plated)
        some = np.flatnonzero((fewest > 0) & ~is_plated)
        if len(some):
            around, is_clear = self._find_around(some, sizes[some])
            more = count_crossings(around - edge, sizes[some] + 2 * edge, *lines)

            def extend(values: np.ndarray, of_some: np.ndarray, nothing: float) -> np.ndarray:
                added = np.full((len(values), *of_some.shape[1:]), nothing, dtype=values.dtype)
                added[some] = of_some
                return np.concatenate((values, added), axis=1)

            self._spots = extend(self._spots, around, np.nan)
            self._clear = extend(self._clear, is_clear, False)
            self._clear_barely = extend(self._clear_barely, is_clear, False)
            crossed = extend(crossed, more, 0.0)
        self._order = np.argsort(crossed, axis=1, kind="stable")

    def _find_around(self, some: np.ndarray, sizes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return positions of labels around their nodes, NaN outside the view, and which are free.

        Args:
            some: positions in `rows`, shape (K,); sizes: of their labels, shape (K, 2).
        """
        frame, rows = self._frame, np.array(self.rows)[some]
        spots = find_ring_spots(frame.points[rows], self._radii[rows], sizes, (SPOT_GAP,))
        most = np.array((frame.width, frame.height)) - sizes[:, None] - EDGE
        spots[((spots < EDGE) | (spots > most)).any(2)] = np.nan
        seen = frame.points[frame.rows], frame.radii[frame.rows]
        is_clear = have_clear_middles(spots, sizes, self._place_of[rows], *seen)
        wide = np.broadcast_to(sizes[:, None], spots.shape)
        return spots, is_clear & self._taken.clear_of_discs(spots, wide)

    def _displace(self, order: list[int]) -> list[int]:
        """Return the order in which most of the names that must be shown have a place."""
        best, fewest = order, len(order)
        tried: set[int] = set()
        n_tries = min(MAX_DISPLACED, MAX_TRIED // max(1, self._n_urgent))
        for _ in range(n_tries + 1):
            failed: list[int] = []
            finish(self._fill_in_steps(order[: self._n_urgent], failed))
            if len(failed) > MAX_DISPLACED:  # so crowded that one more makes no difference
                break
            if len(failed) < fewest:
                best, fewest = order, len(failed)
            moved = next((number for number in failed if number not in tried), None)
            if moved is None or self._n_compared > MAX_COMPARED:
                break
            tried.add(moved)
            rest = [number for number in order[self._n_ahead :] if number != moved]
            order = [*order[: self._n_ahead], moved, *rest]
        return best

    def _fill_in_steps(
        self, order: list[int], failed: list[int] | None = None
    ) -> Generator[None, None, list[LabelChoice]]:
        """Return the labels that have room.

        Args:
            order: positions in `rows`.
            failed: takes the numbers of urgent names that have no room; then no label stands where
                it is nearer to another node than usual.
        """
        taken, n_led = self._taken.fork(), dict(self._n_led)
        labelled = set(self._labelled)
        leading = self.rows[self._n_urgent : self._n_urgent + self._n_leading]
        for row in labelled.intersection(leading):
            n_led[int(self._data.clusters[row])] += 1
        placed: list[LabelChoice] = []
        for done, number in enumerate(order):
            if done % NAMES_A_STEP == NAMES_A_STEP - 1:
                yield
            row = self.rows[number]
            cluster = int(self._data.clusters[row])
            leads = 0 <= number - self._n_urgent < self._n_leading
            if row in labelled or (leads and n_led[cluster] >= LABELS_EACH):
                continue
            choice = self._place_one(number, taken, only_good=failed is not None)
            if choice is None:
                if failed is not None and row in self._urgent:
                    failed.append(number)
                continue
            _, width, height = self._measure_row(row, choice.level)
            edge = PLATE if row == self._plated else 0.0
            taken.take(choice.left - edge, choice.top, width + 2 * edge, height)
            placed.append(choice)
            labelled.add(row)
            if cluster in n_led:
                n_led[cluster] += 1
            if len(placed) >= self._most:
                break
        return placed

    def _place_one(self, number: int, taken: Occupancy, *, only_good: bool) -> LabelChoice | None:
        """Return the label of a name where it has room, if it has any."""
        row, level = self.rows[number], self._levels[number]
        text, width, height = self._texts[number]
        must, holds, urgent = row in self._first, row in self._held, row in self._urgent
        is_clear, is_main = bool(self._is_clear[number]), row in self._main
        if not (must or holds or urgent or is_main or row in self._important or is_clear):
            return None
        usual = self._list_usual(number) if is_clear else []
        found = None
        for clearer in (CLEAREST, CLEARER) if self._is_few else (CLEARER,):
            found = found or self._find_free(number, usual, (width, height), taken, clearer)
        if found is None and urgent:
            around = self._list_clear_around(number, level)
            found = self._find_free(number, around, (width, height), taken, RING_CLEARER)
        if found is None and urgent and level and not must:
            smaller = self._measure_row(row, level - 1)
            around = self._list_clear_around(number, level - 1)
            found = self._find_free(number, around, smaller[1:], taken, RING_CLEARER)
            if found is not None:
                level, text = level - 1, smaller[0]
        if found is None and row in self._important and not self._is_few:
            found = self._find_covering(number, (width, height), taken)
        if found is None and is_main:
            found = self._find_over_smaller(number, taken)
        if found is None and urgent and not only_good:
            text, level, found = self._find_barely(number, taken)
        if found is None and (holds or must):  # may cover other nodes
            spots = self._spots[number]
            every = spots[np.isfinite(spots[:, 0])].tolist()
            if holds:
                free = ((x, y) for x, y in every if taken.is_free(x, y, width, height))
                found = next(free, None)
            if must and found is None:
                options = spots[self._clear[number]].tolist() + every
                found = (options[0][0], options[0][1])
        return None if found is None else LabelChoice(row, *found, text, level)

    def _find_free(
        self,
        number: int,
        spots: list[list[float]],
        size: tuple[float, float],
        taken: Occupancy,
        clearer: float,
    ) -> tuple[float, float] | None:
        """Return the first of these places that is free and nearest to its own node."""
        width, height = size
        apart_x, apart_y = APART if self._is_few else APART_OF_MANY
        wide, high = width + 2 * apart_x, height + 2 * apart_y
        for x, y in spots:
            self._n_compared += 1
            is_free = taken.is_free(x - apart_x, y - apart_y, wide, high)
            if is_free and self._is_nearest(number, (x, y), size, clearer):
                return x, y
        return None

    def _list_usual(self, number: int) -> list[list[float]]:
        """Return the usual places of a label that are over no node, best first."""
        found = self._usual.get(number)
        if found is None:
            spots, clear, row = self._spots[number], self._clear[number], self.rows[number]
            if self._order is not None and row != self._plated:
                spots, clear = spots[self._order[number]], clear[self._order[number]]
            found = self._usual[number] = spots[clear].tolist()
        return found

    def _list_clear_around(self, number: int, level: int) -> list[list[float]]:
        """Return the places in all directions that are over no node and near no other middle."""
        found = self._around.get((number, level))
        if found is None:
            frame, row = self._frame, self.rows[number]
            _, *size = self._measure_row(row, level)
            spots = self._list_around(number, (size[0], size[1]))
            if len(spots):
                seen = (frame.points[frame.rows], frame.radii[frame.rows])
                place = self._place_of[[row]]
                spots = spots[have_clear_middles(spots[None], np.array([size]), place, *seen)[0]]
            found = self._around[number, level] = spots.tolist()
        return found

    def _is_nearest(
        self, number: int, spot: tuple[float, float], size: tuple[float, float], clearer: float
    ) -> bool:
        """Return whether a label is nearer to its own node than to any other."""
        key = (number, *spot, *size, clearer)
        known = self._nearest.get(key)
        if known is None:
            row, middle, radius = self.rows[number], self._middles[number], self._reaches[number]
            box = (*spot, *size)
            known = self._nearby.is_nearest(row, middle, radius, box, clearer=clearer)
            self._nearest[key] = known
        return known

    def _find_barely(
        self, number: int, taken: Occupancy
    ) -> tuple[str, int, tuple[float, float] | None]:
        """Return the text, its font and a place that is over no node and over no label.

        It may be nearer to small nodes than usual, but to another node that must be named only
        where there is no other place.
        """
        row = self.rows[number]
        levels = [self._levels[number]]
        if row not in self._first:
            levels = [*range(levels[0], -1, -1)]
        found: list[tuple[str, int, tuple[float, float]]] = []
        for inner, level in itertools.product((0.0, GLYPH_EDGE), levels):
            text, width, height = self._measure_row(row, level)
            spots = self._list_around(number, (width, height), inner).tolist()
            if not inner and level == self._levels[number]:
                spots = self._spots[number][self._clear_barely[number]].tolist() + spots
            for x, y in spots:
                if taken.is_free(x, y, width, height):
                    box = (x, y, width, height)
                    middle, radius = self._middles[number], self._reaches[number]
                    if self._nearby_urgent.is_nearest(row, middle, radius, box):
                        return text, level, (x, y)
                    found.append((text, level, (x, y)))
        return found[0] if found else (self._texts[number][0], self._levels[number], None)

    def _list_around(
        self, number: int, size: tuple[float, float], inner: float = 0.0
    ) -> np.ndarray:
        """Return the positions in all directions around a node that are over no node.

        Args:
            inner: pixels of the edge of a label that may be over nodes.
        """
        key = (number, *size, inner)
        if (known := self._rings.get(key)) is not None:
            return known
        frame = self._frame
        middle, radius = np.array([self._middles[number]]), np.array([self._reaches[number]])
        spots = find_ring_spots(middle, radius, np.array([size]))[0]
        most = np.array((frame.width, frame.height)) - size - EDGE
        spots = spots[((spots >= EDGE) & (spots <= most)).all(1)]
        wide = np.broadcast_to(np.array(size) - 2 * inner, (1, *spots.shape))
        found: np.ndarray = spots[self._taken.clear_of_discs(spots[None] + inner, wide)[0]]
        self._rings[key] = found
        return found

    def _find_covering(
        self, number: int, size: tuple[float, float], taken: Occupancy
    ) -> tuple[float, float] | None:
        """Return a place over a part of its own node, the rest of which stays visible."""
        (width, height), frame = size, self._frame
        middle, radius = self._middles[number], self._reaches[number]
        if radius < MIN_COVERED:
            return None
        covers = self._is_crowd or self._data.is_by_community
        for x, y in find_covering_spots(middle, radius, width, height):
            inside = EDGE <= x <= frame.width - EDGE - width and y >= EDGE
            if (
                inside
                and y <= frame.height - EDGE - height
                and taken.is_free(x, y, width, height)
                and self._nearby.is_nearest(
                    self.rows[number], middle, radius, (x, y, width, height), covers=covers
                )
            ):
                return x, y
        return None

    def _find_over_smaller(self, number: int, taken: Occupancy) -> tuple[float, float] | None:
        """Return a place of a label that may be over smaller nodes, and is over few.

        It is over no label and over no node of the same size or larger, and nearer to its own
        node than to any of these.
        """
        row, frame = self.rows[number], self._frame
        (x, y), radius = self._middles[number], self._reaches[number]
        _, width, height = self._texts[number]
        apart_x, apart_y = APART_OF_MANY
        wide, high = width + 2 * apart_x, height + 2 * apart_y
        right, foot = frame.width - EDGE - width, frame.height - EDGE - height
        spots = self._spots[number].tolist()  # a place that is NaN is not inside the view
        if radius >= MIN_COVERED:
            spots = [*find_covering_spots((x, y), radius, width, height), *spots]
        places = [
            (left, top)
            for left, top in spots
            if EDGE <= left <= right
            and EDGE <= top <= foot
            and taken.is_free(left - apart_x, top - apart_y, wide, high)
        ]
        if not places:
            return None
        # a label at most so far from the middle of its node, with the largest node beside it
        beyond = 2 * (radius + SPOT_GAP) + self._largest + CLEARER
        away = np.abs(self._seen[0] - (x, y))
        near = (away[:, 0] < width + beyond) & (away[:, 1] < height + beyond)
        near &= frame.rows != row
        points, radii = self._seen[0][near], self._seen[1][near]
        at, size = np.array(places), (width, height)
        own = _measure_distances(at, size, np.array([(x, y)]), radius)
        distances = _measure_distances(at, size, points, radii)
        is_near = distances <= own + CLEARER
        is_bad = ((is_near | (distances <= 0)) & (radii >= frame.radii[row])).any(1)
        if is_bad.all():
            return None
        costs = is_near.sum(1) + BESIDE_COST * (is_near & (distances > -radii)).sum(1)
        return places[np.where(is_bad, np.inf, costs).argmin()]


def _measure_distances(
    spots: np.ndarray, size: Sequence[float], points: np.ndarray, radii: np.ndarray | float
) -> np.ndarray:
    """Return the distances of labels to nodes, negative where one covers the other, shape (S, N).

    Args:
        spots: left and top of the labels, shape (S, 2); size: of each of them.
        points, radii: of the nodes, shapes (N, 2) and (N,), or the radius of all.
    """
    x, y = points[:, 0] - spots[:, :1], points[:, 1] - spots[:, 1:]
    wide = np.maximum(np.maximum(-x, x - size[0]), 0.0)
    high = np.maximum(np.maximum(-y, y - size[1]), 0.0)
    distances: np.ndarray = np.hypot(wide, high) - radii
    return distances
