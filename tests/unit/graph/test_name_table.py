"""Tests of the compact table of names: it behaves as a dictionary of the same names."""

from __future__ import annotations

import gc
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.engine.graph.name_table import NameCounts, NameTexts
from desktop_app.engine.model import NameCount

_texts = st.text(st.characters(codec=None), min_size=1, max_size=12)  # also lone surrogates
_steps = st.lists(
    st.tuples(
        st.integers(1, 30),
        st.integers(0, 3),
        st.sampled_from("ab"),
        st.dictionaries(st.integers(0, 3), st.integers(1, 2)),
    ),
    max_size=60,
)


@given(st.dictionaries(st.integers(1, 40), _texts))
def test_texts_are_found_by_id(names):
    texts = NameTexts()
    ordered = sorted(names.items())
    texts.extend(ordered[:5])
    texts.extend(ordered)  # known ids are left out
    assert len(texts) == max(names, default=0) + 1
    assert {i: texts[i] for i in names} == names
    for missing in {*range(-1, 42)} - names.keys():
        with pytest.raises(KeyError):
            texts[missing]


@given(_steps)
def test_counts_equal_those_of_a_dictionary(steps):
    texts = NameTexts()
    texts.extend((i, f"name {i}") for i in range(1, 31))
    counts, expected = NameCounts(texts), {}
    for name_id, n, type_, documents in steps:
        if n == 0:
            counts.remove(name_id)
            expected.pop(name_id, None)
        else:
            one = NameCount(name_id, f"name {name_id}", n, {type_: n}, "en", documents)
            counts.set(one)
            expected[name_id] = one
    assert dict(counts) == expected
    assert len(counts) == len(expected)
    assert [i for i in range(40) if i in counts] == sorted(expected)
    assert [i for i in np.arange(40) if i in counts] == sorted(expected)  # ids of arrays


def test_counts_of_the_past_are_not_kept():
    """A frequent name gets a larger set of documents with each new one."""
    texts = NameTexts()
    texts.extend([(1, "London")])
    counts = NameCounts(texts)
    tracemalloc.start()
    for n in range(1, 200):
        counts.set(NameCount(1, "London", n, {"place": n}, "en", dict.fromkeys(range(n), 1)))
    gc.collect()
    n_bytes, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert n_bytes < 100_000, "all sets together take 1 MB"
    assert counts[1].n_mentions == 199
