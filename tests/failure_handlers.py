"""Failure handlers for lanes of tests."""

from __future__ import annotations


def raise_failure(error: BaseException) -> None:
    """Fail the test: pytest-qt reports what is raised in a slot. For lanes that must not fail."""
    raise error
