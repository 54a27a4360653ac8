"""Tests of sets of changes: `IdSet` behaves as a frozenset of the same ids."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.engine.changes import NOTHING, ChangeNotice, IdSet

_ids = st.frozensets(st.integers(1, 40))


def make_set(ids: frozenset[int], n: int = 0) -> IdSet:
    is_member = np.zeros(max([n, *(i + 1 for i in ids)]), bool)
    is_member[list(ids)] = True
    return IdSet(is_member)


@given(_ids, _ids, st.integers(0, 60))
def test_an_id_set_equals_a_frozenset(left, right, n):
    a, b = make_set(left, n), make_set(right)
    assert a == left and list(a) == sorted(left) and len(a) == len(left) and bool(a) == bool(left)
    assert [i for i in range(-2, 45) if i in a] == sorted(left)
    assert [i for i in np.arange(-2, 45) if i in a] == sorted(left)  # ids of arrays
    for union in (a | b, a | right, left | b, set(left) | b):
        assert union == left | right
    assert a.isdisjoint(right) == left.isdisjoint(right) == right.isdisjoint(a)
    assert all(type(i) is int for i in a)


@given(_ids, _ids)
def test_changes_are_joined(left, right):
    change = ChangeNotice(entities=make_set(left)) | ChangeNotice(entities=right, models=True)
    assert change.entities == left | right and change.models
    assert not change.documents and bool(change)
    assert (NOTHING | NOTHING) == NOTHING and not NOTHING
