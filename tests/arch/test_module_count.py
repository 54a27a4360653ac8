"""Tests how many modules a piece of work enters."""

from __future__ import annotations

from benchmarks.walks import count_merge, count_modules
from desktop_app.engine.graph.names import normalise_name, sense_key


def test_a_merge_and_its_undo_enter_at_most_seventeen_modules():
    """Among them `grouping`, `name_table` and `changes` keep a merge fast in a large library.

    `mention_senses` is the first step of each update of the graph, under its own name.
    """
    assert len(count_merge()) <= 17


def test_only_modules_with_a_called_function_are_counted():
    def work() -> None:
        normalise_name("Mr. Quill of the counted walk")
        sense_key("Quill", 1)

    assert count_modules(work) == {"desktop_app.engine.graph.names"}
    assert count_modules(lambda: None) == set()
