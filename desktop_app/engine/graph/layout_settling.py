"""How discs come to rest: ties pull, discs push, and groups draw together without being told.

Owns the balance of forces and the cooling. Ties of names that keep the same company pull
harder, and far ties hardly more than near ones (LinLog, Noack 2007), so that a dense book
falls into its groups. Arrays in, an array out; knows no pieces, pins or seeds.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import sparse

from ..progress import CancelToken
from .layout_repulsion import build_repulsion

FloatArray = np.ndarray
OnRound = Callable[[float], bool | None]
FEW, MANY = 60, 1_000  # discs: names need room in a small picture, groups in a large one
BUSY = 100  # who has more ties is everybody's company and says nothing about two


def settle(
    points: FloatArray,
    pairs: FloatArray,
    strengths: FloatArray,
    mobility: FloatArray,
    rounds: int,
    spacing: float,
    cancel: CancelToken | None,
    *,
    heat: float | None = None,
    on_round: OnRound | None = None,
) -> FloatArray:
    """Return the points after so many rounds; `mobility` 0 stays, 1 goes freely, shape (N,).

    With `heat` (in units of `spacing`) discs begin near their place, and only stir.
    """
    n = len(points)
    large = float(np.clip(np.log(n / FEW) / np.log(MANY / FEW), 0.0, 1.0))
    # Hubs take more room, but in a large picture not so much that they are driven to the rim.
    masses = 0.7 + 0.3 * np.bincount(pairs.ravel(), minlength=n) ** (0.5 - 0.25 * large)
    first, second = pairs[:, 0], pairs[:, 1]
    pulls = (5.0 + 5.0 * large) * strengths * _weigh_company(n, pairs) ** (0.5 + 0.5 * large)
    hot = spacing * (heat if heat is not None else 0.25 * np.sqrt(n) + 0.5)
    free = mobility >= 1.0
    last_power = 0.6 - 0.5 * large
    for number in range(rounds):
        if cancel is not None:
            cancel.check()
        if on_round is not None and number % 4 == 0 and on_round(number / rounds) is False:
            break
        # Far ties pull harder at first, so that everything finds its side of the picture.
        done = 1.0 if heat is not None else min(1.0, number / (0.6 * rounds))
        power = 1.0 + (last_power - 1.0) * done
        force = build_repulsion(points, masses) * spacing * spacing * masses[:, None]
        delta = points[first] - points[second]
        distance = np.sqrt((delta * delta).sum(1)) + 1e-6
        pull = delta * (pulls * (distance / spacing) ** (power - 1.0))[:, None]
        for column in (0, 1):
            force[:, column] -= np.bincount(first, pull[:, column], n)
            force[:, column] += np.bincount(second, pull[:, column], n)
        if free.all():  # a weak pull to the middle; windows are wider than high
            force -= (points - points.mean(0)) * (0.7, 1.25)
        size = np.sqrt((force * force).sum(1)) + 1e-9
        heat_now = hot * (1.0 - number / rounds) ** 1.6 + 0.3
        step = np.minimum(size * 0.12, heat_now) * mobility
        points = points + force / size[:, None] * step[:, None]
    return points


def _weigh_company(n: int, pairs: FloatArray) -> FloatArray:
    """Return how much company the ends of each tie share, 1 in the middle, shape (E,)."""
    if not len(pairs):
        return np.ones(0)
    degrees = np.bincount(pairs.ravel(), minlength=n)
    ends = np.concatenate((pairs, pairs[:, ::-1]))
    ends = ends[degrees[ends[:, 1]] <= BUSY]
    near = sparse.csr_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(n, n))
    shared = np.asarray((near @ near.T)[pairs[:, 0], pairs[:, 1]]).ravel()
    share = (shared + 1.0) / np.sqrt(degrees[pairs[:, 0]] * degrees[pairs[:, 1]])
    return np.clip(share / float(np.median(share)), 0.05, 12.0)
