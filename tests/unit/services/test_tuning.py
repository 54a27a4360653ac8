"""Tests prompt tuning: proposals from a sample of a small library, with and without a model."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_app.engine.errors import Cancelled, UserError
from desktop_app.engine.extraction.llm.free_form import EXAMPLE_RULE, free_form_messages
from desktop_app.engine.extraction.llm.tasks import EnrichSettings
from desktop_app.engine.model import ENTITY_TYPES
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.prompt_program import Choice, Choose, Written
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.enrichment.settings import load_settings, save_settings
from desktop_app.engine.services.enrichment.tuning import (
    EXAMPLE_CHARS,
    Proposal,
    accept,
    is_sound_example,
    load_pool,
    propose,
)
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from tests.fakes import ScriptedChatModel

STORY = """The Clockmaker

Old Tobias Wren kept a shop of clocks in Harrow Lane. His niece, Clara Wren, wound them every
night. "You wind them too hard," said Tobias Wren. "They like it," replied Clara Wren.

One evening Captain Hale came in from the rain. "I want the watch that was left by Edmund Marsh,"
said Captain Hale. "It is not for sale," cried Clara Wren, and looked at Tobias Wren.
"""
TALE = """第一回　茶馆

话说苏州城里有个秀才，姓沈名砚，表字子墨。沈砚常到听雨楼喝茶。听雨楼的掌柜柳三娘与沈砚相熟。

那日，柳三娘对沈砚说道：“先生可认得陆青山？”沈砚笑道：“陆青山是我的同窗。”陆青山来到听雨楼。
柳三娘把一封信交给陆青山。沈砚在旁边看见，不觉大惊。话说当夜柳三娘又到听雨楼。
"""


@pytest.fixture
def make_library(tmp_path):
    made = []

    def make(**texts: str) -> Library:
        files = []
        for name, text in texts.items():
            files.append(tmp_path / f"{name}.txt")
            files[-1].write_text(text, "utf-8")
        library = Library(tmp_path / f"small{len(made)}.inkgraph")
        made.append(library)
        if files:
            add_files(library.writer, files)
            IndexingService(library.writer, lambda: None).run(embed=False)
        return library

    yield make
    for library in made:
        library.close()


def test_an_empty_library_proposes_the_defaults_with_a_reason(make_library):
    proposal = propose(make_library().writer)
    assert proposal.entity_types == ENTITY_TYPES and proposal.notes and not proposal.n_passages


def test_without_a_model_the_proposal_comes_from_rules(make_library):
    proposal = propose(make_library(clock=STORY).writer)
    assert (proposal.domain, proposal.language, proposal.model) == ("story", "en", "")
    assert "person" in proposal.entity_types and proposal.entity_types[-1] == "other"
    assert is_sound_example(proposal.example, proposal.entity_types)
    assert len(proposal.example.partition(EXAMPLE_RULE)[0]) <= EXAMPLE_CHARS


def test_with_two_languages_each_document_keeps_its_own(make_library):
    assert propose(make_library(clock=STORY, tea=TALE).writer).language == ""
    proposal = propose(make_library(tea=TALE).writer)
    assert proposal.language == "zh" and "听雨楼" in proposal.example


def test_the_same_library_gives_the_same_proposal(make_library):
    library = make_library(clock=STORY, tea=TALE)
    assert propose(library.writer) == propose(library.writer)


def reply(_program, ask, line):
    if isinstance(ask, Choose):
        if len(ask.options) == 3:
            return Choice((-3.0, -0.1, -4.0))
        likely = any(word in line for word in ("people", "methods", "data sets"))
        return Choice((-0.1, -2.5) if likely else (-2.5, -0.1))
    return Written(
        " Tobias Wren | person | A man with clocks.\nentity | Clara Wren | person | A niece.\n"
        "entity | Zanzibar | place | Not there.\n"
        "relation | Tobias Wren | Clara Wren | family | She is his niece. | 9\ndone",
        40,
    )


def test_a_model_chooses_types_and_domain_and_writes_the_example(make_library):
    chat = ScriptedChatModel(reply=reply)
    proposal = propose(make_library(clock=STORY).writer, lambda: chat, n_parameters=8 * 10**9)
    assert proposal.model == "scripted" and proposal.domain == "paper"
    assert {"method", "dataset", "person"} <= set(proposal.entity_types)
    assert "She is his niece." in proposal.example and "Zanzibar" not in proposal.example


def test_for_a_small_model_the_example_comes_from_rules(make_library):
    chat = ScriptedChatModel(reply=reply)
    proposal = propose(make_library(clock=STORY).writer, lambda: chat, n_parameters=10**9)
    assert "She is his niece." not in proposal.example
    records = proposal.example.partition(EXAMPLE_RULE)[2].splitlines()
    ties = [line for line in records if line.startswith("relation")]
    assert 1 <= len(ties) <= 3
    assert is_sound_example(proposal.example, proposal.entity_types)


def faintly(_program, ask, line):
    if isinstance(ask, Choose) and len(ask.options) == 3:
        return Choice((-0.1, -3.0, -4.0))
    return Choice((-0.7, -0.7) if "genes" in line else (-1.2, -0.4))


def test_an_unsure_model_adds_no_type_without_examples(make_library):
    chat = ScriptedChatModel(reply=faintly)
    proposal = propose(make_library(clock=STORY).writer, lambda: chat)
    assert "gene" not in proposal.entity_types
    assert {"person", "place", "organisation"} <= set(proposal.entity_types)


def test_with_a_failing_model_the_proposal_comes_from_rules(make_library):
    def fail(*_, **__):
        raise UserError("The text is too long.")

    class Failing(ScriptedChatModel):
        choose = fail

    proposal = propose(make_library(clock=STORY).writer, lambda: Failing())
    assert proposal.model == "" and "too long" in proposal.notes[0]
    assert proposal.domain == "story"


def test_tuning_can_be_stopped(make_library):
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        propose(make_library(clock=STORY).writer, lambda: ScriptedChatModel(), cancel=token)


def test_an_accepted_proposal_is_stored_and_other_settings_stay(make_library):
    library = make_library(clock=STORY)
    save_settings(library.writer, EnrichSettings(claims=True, max_entities=9))
    proposal = replace(propose(library.writer), entity_types=("person", " ship ", "", "ship"))
    settings = accept(library.writer, proposal)
    assert load_settings(library.writer) == settings
    assert settings.entity_types == ("person", "ship") and settings.claims
    assert settings.max_entities == 9 and settings.example == proposal.example
    text = free_form_messages(settings, "en")[1].text
    assert proposal.example.partition(EXAMPLE_RULE)[0][:60] in text


def test_without_types_the_defaults_are_used(make_library):
    settings = accept(make_library().writer, Proposal(entity_types=("", " ")))
    assert settings.entity_types == ENTITY_TYPES


def test_the_example_pool_is_valid():
    pool = load_pool()
    names = [kind.name for kind in pool]
    assert len(names) == len(set(names)) >= 25
    assert set(ENTITY_TYPES) - {"other"} <= set(names)
    assert all(kind.english and kind.chinese for kind in pool)
    assert all(kind.cues for kind in pool if kind.name not in ENTITY_TYPES)


@pytest.mark.parametrize(
    "example",
    [
        "", "Ada met Bo.", "Ada met Bo." + EXAMPLE_RULE + "done",
        "Ada met Bo." + EXAMPLE_RULE + "entity | Ada | person | x\nentity | Cy | person | x\n"
        "relation | Ada | Cy | met | They met. | 5",
    ],
)  # fmt: skip
def test_an_example_with_names_not_in_its_text_is_invalid(example):
    assert not is_sound_example(example, ENTITY_TYPES)
