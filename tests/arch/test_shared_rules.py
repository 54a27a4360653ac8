"""Tests that facts which stand in several places, in code, texts and documents, agree."""

from __future__ import annotations

from pathlib import Path

from desktop_app.cli import HELP
from desktop_app.engine.llm.catalogue import CATALOGUE_ROLES, MODEL_ROLES
from desktop_app.engine.model import Page
from desktop_app.engine.services.backups import INTERVAL_MIN
from desktop_app.engine.services.model_servers import SERVED_ROLES
from desktop_app.engine.store.db import Db
from desktop_app.engine.store.page_labels import PAGE_LABEL
from desktop_app.engine.word_lists import WordLists
from desktop_app.ui.models.screen import ROLE_TEXTS
from desktop_app.ui.settings.sections import LINKS
from desktop_app.ui.welcome.window import FIRST_ROLES, ROLE_WORDS

ROOT = Path(__file__).resolve().parents[2]


def test_every_role_of_a_model_has_a_list_in_the_window_and_no_other_role_is_named():
    assert tuple(role for role, *_ in ROLE_TEXTS) == MODEL_ROLES
    for some in (CATALOGUE_ROLES, SERVED_ROLES, FIRST_ROLES, ROLE_WORDS):
        assert some and set(some) <= set(MODEL_ROLES)
    assert set(ROLE_WORDS) == set(FIRST_ROLES)


def test_texts_and_documents_state_the_interval_of_backups():
    stated = f"{INTERVAL_MIN} minutes"
    assert stated in HELP["backup"]
    assert stated in str(LINKS["backups"])
    for name in ("README.md", "SECURITY.md"):
        assert stated in (ROOT / name).read_text("utf-8"), name


def test_a_page_has_the_same_number_in_the_program_and_in_sql(tmp_path: Path):
    library = Db(tmp_path / "new.inkgraph")
    for label in ("", "xii", "14"):
        of_row = library.value(
            f"SELECT {PAGE_LABEL} FROM (SELECT ? AS label, 6 AS page_index) AS p", (label,)
        )
        assert of_row == Page(6, label, 0, 1).number
    library.close()


def test_titles_without_a_gender_are_titles_of_names_too():
    # The other way round it need not hold: each one that is added there changes what is joined.
    found = " ".join(WordLists("latin").words("neutral_titles")).lower()
    known = {title.rstrip(".") for title in found.split()} | {"st"}  # which is "Saint" or a street
    assert WordLists("resolution").words("neutral_titles") <= known
