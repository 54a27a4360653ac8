"""A library with names that look alike, for every test of the merge desk."""

from __future__ import annotations

import pytest

from desktop_app.engine.services.library import Library
from tests.ui.duplicates.names import add_names


@pytest.fixture
def library(library: Library) -> Library:
    add_names(library)
    return library
