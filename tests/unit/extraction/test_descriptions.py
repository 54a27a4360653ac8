"""Tests descriptions and claims after the slots: prompts, results, and which models write them."""

from __future__ import annotations

import re
from dataclasses import replace
from math import log

import pytest

from desktop_app.engine import paths
from desktop_app.engine.extraction.llm.descriptions import (
    FUNCTION_WORDS_EN,
    MAX_TOKENS,
    FaithfulGuard,
    check_line,
    describe_messages,
    subject_line,
    write_descriptions,
)
from desktop_app.engine.extraction.llm.free_form import free_form_messages
from desktop_app.engine.extraction.llm.slots import extract_with_slots
from desktop_app.engine.extraction.llm.strategy import (
    build_prompt_program,
    choose_strategy,
    fit_settings,
    prompt_version,
)
from desktop_app.engine.extraction.llm.tasks import ChunkTask, EnrichSettings
from desktop_app.engine.llm.catalogue import load_catalogue
from desktop_app.engine.llm.llama_chat import LlamaChat
from desktop_app.engine.llm.registry import find_entry_path
from desktop_app.engine.model import REJECTED, ChunkEvidence, ClaimedRelation, Mention, NameClaim
from desktop_app.engine.prompt_program import PASSAGE, Choice, Choose, PromptProgram, Write, Written
from desktop_app.engine.services.enrichment.service import EnrichmentService
from desktop_app.engine.services.library import Library
from desktop_app.engine.text.chunking import split_sentences
from tests.books import add_book
from tests.fakes import ScriptedChatModel

TEXT = "It rained. Tobias Wren kept clocks with his niece, Clara Wren. Goodness was far away."
SENTENCE = (11, 62)
TALE = "沈砚常到听雨楼喝茶。"
ALWAYS = EnrichSettings(domain="story", describe="always")


def make_task(text: str = TEXT, language: str = "en", *, start: int = 0, **more) -> ChunkTask:
    names = ["Tobias Wren", "Clara Wren", "Goodness"] if language == "en" else ["沈砚", "听雨楼"]
    mentions, sentences = [], split_sentences(text, language)
    for name in names:
        at = text.index(name)
        a, b = next(s for s in sentences if s[0] <= at < s[1])
        spans = (at + start, at + len(name) + start, a + start, b + start)
        mentions.append(Mention(name, "person", *spans, weight=0.5))
    relation = ClaimedRelation(names[0], names[1], *(n for n in mentions[0:1] for n in (
        n.sentence_start, n.sentence_end)))  # fmt: skip
    return ChunkTask(
        1, 4, start, text, language, "A tale", mentions=tuple(mentions), relations=(relation,),
        domain="story", **more,
    )  # fmt: skip


def stated(task: ChunkTask, **claims: str) -> ChunkEvidence:
    """Return evidence as the slots find it: one stated pair and typed names."""
    relation = replace(task.relations[0], kind="family", confidence=0.9)
    names = tuple(NameClaim(m.name, claims.get(m.name.split()[0], "person")) for m in task.mentions)
    return ChunkEvidence(task.chunk_order, (), (relation,), (), names)


def drive(
    talk, replies_by_line: dict[str, str | Written] | None = None, denies: tuple[str, ...] = ()
):
    """Run a prompt program; lines without a reply get "none", checks yes unless in `denies`."""
    asked, replies = [], None
    while True:
        try:
            ask = talk.send(replies)
        except StopIteration as stop:
            return stop.value, asked
        asked.append(ask)
        if isinstance(ask, Write):
            (sentence,) = ((replies_by_line or {}).get(line, "none") for line in ask.lines)
            replies = [sentence if isinstance(sentence, Written) else Written(sentence, 9)]
        else:
            p_yes = [0.1 if any(d in line for d in denies) else 0.9 for line in ask.lines]
            replies = [Choice((log(p), log(1 - p))) for p in p_yes]


PAIR = "Tobias Wren & Clara Wren:"
WRITTEN: dict[str, str | Written] = {
    PAIR: " Clara Wren was the niece of Tobias Wren.",
    "Tobias Wren:": " Tobias Wren kept clocks.",
}


# --- sentences ------------------------------------------------------------------------------------


def test_a_written_and_confirmed_sentence_becomes_a_description():
    task = make_task(start=30)
    found, asked = drive(write_descriptions(task, stated(task)), WRITTEN)
    assert found.relations[0].description == "Clara Wren was the niece of Tobias Wren."
    assert found.relations[0].kind == "family"
    described = {c.name: (c.type, c.description) for c in found.names}
    assert described["Tobias Wren"] == ("person", "Tobias Wren kept clocks.")
    assert described["Clara Wren"] == ("person", "")
    *writes, check = asked
    passage = TEXT[slice(*SENTENCE)]
    assert writes[0] == Write(
        (PAIR,),
        MAX_TOKENS,
        FaithfulGuard(("Tobias Wren", "Clara Wren"), passage, "none"),
        (passage,),
        describe_messages("en"),
    )
    assert [w.lines[0] for w in writes[1:]] == ["Tobias Wren:", "Clara Wren:", "Goodness:"]
    assert check.options == (" yes", " no") and check.messages == describe_messages("en")
    assert check.lines == tuple(check_line(WRITTEN[k].strip(), "en") for k in WRITTEN)
    assert check.texts == (passage, passage)


def test_a_sentence_that_the_model_does_not_confirm_is_dropped():
    task = make_task()
    found, _ = drive(write_descriptions(task, stated(task)), WRITTEN, denies=("niece",))
    assert found.relations[0].description == ""
    assert {c.name: c.description for c in found.names}["Tobias Wren"]


@pytest.mark.parametrize(
    "sentence",
    [
        "none",
        Written("Clara Wren was the niece of Tobias Wren and", 40, "long"),
        Written("Clara Wren Tobias Wren Clara Wren Tobias Wren", 8, "loop"),
        "Clara Wren and Tobias Wren.",
        "",
    ],
)
def test_none_a_fragment_or_names_alone_are_no_description(sentence):
    task = make_task()
    before = stated(task)
    found, asked = drive(write_descriptions(task, before), {PAIR: sentence})
    assert found == before and all(isinstance(ask, Write) for ask in asked)


def test_only_stated_pairs_and_names_that_are_introduced_are_asked():
    task = make_task()
    doubtful = replace(stated(task, Goodness=REJECTED), relations=task.relations)
    weak = tuple(replace(m, weight=0.2) if "Clara" in m.name else m for m in task.mentions)
    _, asked = drive(write_descriptions(replace(task, mentions=weak), doubtful))
    assert [ask.lines for ask in asked] == [("Tobias Wren:",)]


def test_names_assigned_to_other_chunks_are_not_described():
    described = frozenset({"Tobias Wren", frozenset(("Tobias Wren", "Clara Wren"))})
    task = make_task(described=described)
    _, asked = drive(write_descriptions(task, stated(task)))
    assert [ask.lines for ask in asked] == [("Clara Wren:",), ("Goodness:",)]


def test_a_name_that_was_not_judged_can_be_described():
    task = make_task()
    found, _ = drive(write_descriptions(task, replace(stated(task), names=())), WRITTEN)
    assert found.names == (NameClaim("Tobias Wren", "", "Tobias Wren kept clocks."),)


def test_chinese_text_is_described_in_chinese():
    task = make_task(TALE, "zh")
    replies_by_line: dict[str, str | Written] = {
        "沈砚与听雨楼：": "沈砚常到听雨楼。",
        "沈砚：": "无",
        "听雨楼：": "无",
    }
    found, asked = drive(write_descriptions(task, stated(task)), replies_by_line)
    assert found.relations[0].description == "沈砚常到听雨楼。"
    assert asked[-1].options == ("是", "否") and asked[0].guard.instead == "无"
    assert PASSAGE in asked[0].messages[-1].text


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_worked_examples_follow_their_own_rules(language):
    instruction, *turns, last = describe_messages(language)
    assert instruction.role == "system" and last.text == PASSAGE and len(turns) == 4
    answers = ("yes", "no") if language == "en" else ("是", "否")
    nothing = "none" if language == "en" else "无"
    colon, joint = (":", " & ") if language == "en" else ("：", "与")
    mark = check_line("", language).rstrip(":：")
    for text, sentence in zip(turns[::2], turns[1::2], strict=True):
        seen = set()
        for line in sentence.text.splitlines():
            asked, _, answer = line.partition(colon)
            answer = answer.strip()
            if mark in asked:
                assert answer in answers
                seen.add(answer)
                continue
            names = tuple(asked.split(joint))
            assert subject_line(names, language) == asked + colon
            state = FaithfulGuard(names, text.text, nothing).begin()
            assert state.take(answer.encode()) and state.must_end, line
            seen.add(answer == nothing)
        assert seen == {*answers, True, False}
    asked_about = describe_messages(language)[0].text
    assert nothing in asked_about and all(answer in asked_about for answer in answers)


def test_a_copied_example_is_refused():
    guard = FaithfulGuard(("Tobias Wren", "Clara Wren"), TEXT[slice(*SENTENCE)], "none")
    examples = [m.text for m in describe_messages("en") if m.role == "assistant"]
    for line in "\n".join(examples).splitlines():
        sentence = line.split(": ", 1)[1]
        state = guard.begin()
        assert sentence == "none" or not (state.take(sentence.encode()) and state.may_end)


# --- settings -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n_parameters", "describes"),
    [(0, "never"), (135_000_000, "never"), (1_500_000_000, "never"), (3_000_000_000, "always")],
)
def test_only_models_of_sufficient_size_write_descriptions(n_parameters, describes):
    assert fit_settings(EnrichSettings(), n_parameters).describe == describes
    for wish in ("always", "never"):
        settings = EnrichSettings(describe=wish)
        assert fit_settings(settings, n_parameters) is settings
    assert choose_strategy(EnrichSettings(), n_parameters) == "slots"


def test_the_version_of_an_extraction_depends_on_every_setting_that_changes_it():
    base = EnrichSettings(describe="never")
    changes = [
        {},
        {"describe": "always"},
        {"claims": True},
        {"domain": "paper"},
        {"kinds": ("teacher of",)},
        {"kinds": ("pupil of",)},
        {"entity_types": ("person", "ship")},
    ]
    made = [prompt_version(replace(base, **c), "slots", "en") for c in changes]
    made += [prompt_version(base, "slots", "zh"), prompt_version(base, "free", "en")]
    assert len(set(made)) == len(made)
    for more in ({"summaries": False}, {"order": "document"}, {"n_threads": 3}):
        for strategy in ("slots", "free"):
            assert prompt_version(replace(base, **more), strategy, "en") == prompt_version(
                base, strategy, "en"
            )
    # Settings that a strategy does not use do not count.
    assert prompt_version(replace(base, max_entities=9), "slots", "en") == made[0]
    assert prompt_version(replace(base, describe="always"), "free", "en") == made[-1]
    unfit = replace(base, describe="auto")
    assert prompt_version(unfit, "slots", "en") == made[0]


@pytest.mark.parametrize("n_parameters", [1_500_000_000, 3_000_000_000])
def test_an_enriched_chunk_is_done_with_or_without_descriptions(tmp_path, n_parameters):
    library = Library(tmp_path / "small.inkgraph")
    add_book(library)
    model = ScriptedChatModel(n_parameters=n_parameters)
    enriching = EnrichmentService(library.writer, lambda: model)
    enriching.enqueue()
    assert enriching.run().n_done == 5
    enriching.enqueue()
    assert enriching.status().total.n_waiting == 0
    n_asked = len(model.script_lines)
    enriching.save_settings(EnrichSettings(describe="never"))
    enriching.enqueue()
    n_waiting = enriching.status().total.n_waiting
    assert n_waiting == (5 if n_parameters > 2e9 else 0), "only where sentences were asked for"
    enriching.run()
    assert len(model.script_lines) == n_asked, "the cache knows all that is left to ask"
    library.close()


# --- the program from end to end ------------------------------------------------------------------


def run_script(task: ChunkTask, settings: EnrichSettings, reply):
    model = ScriptedChatModel(reply=reply)
    program = build_prompt_program(task, settings, "slots", split_sentences)
    (run,) = model.run_programs([program])
    assert not run.error
    return run.value, model.script_lines


def answer(program: PromptProgram, ask, line: str):
    options = [o.strip() for o in ask.options] if isinstance(ask, Choose) else []
    if "yes" in options:
        return Choice((-0.1, -3.0))
    if isinstance(ask, Choose):
        best = "none" if line == "Goodness (is):" else "family" if "&" in line else "person"
        return Choice(tuple(-0.05 if o == best else -6.0 for o in options))
    if ask.messages[0] == describe_messages("en")[0]:
        return Written(str(WRITTEN.get(line, "none")), 8)
    quote = "Tobias Wren kept clocks with his niece"
    forms = ("Tobias Wren | Clara Wren", "Goodness | none", "Captain Harrow | none")
    lines = [f"claim | {names} | trade | true | none | none | {quote}" for names in forms]
    return Written("\n".join(lines) + "\ndone", 60)


def test_a_prompt_program_judges_then_describes_then_asks_for_claims():
    settings = replace(ALWAYS, claims=True)
    found, asked = run_script(make_task(), settings, answer)
    assert found.relations[0].kind == "family" and found.relations[0].description
    (claim,) = found.claims
    assert (claim.subject, claim.object, claim.type) == ("Tobias Wren", "Clara Wren", "trade")
    assert TEXT[claim.start : claim.end].startswith("Tobias Wren kept clocks")
    _, ask, listing = asked[-1]
    assert ask.messages == free_form_messages(settings, "en") and ask.texts == ()
    assert "entity | Tobias Wren | person | Tobias Wren kept clocks." in listing
    assert "Goodness" not in listing and listing.endswith("done\nclaims\n")


def test_small_models_get_no_writing_prompts():
    for settings in (EnrichSettings(domain="story"), replace(ALWAYS, describe="never")):
        found, asked = run_script(make_task(), settings, answer)
        assert all(isinstance(ask, Choose) for _, ask, _ in asked)
        assert found.claims == () and found.relations[0].description == ""


def test_descriptions_do_not_change_the_judgements():
    plain, _ = run_script(make_task(), replace(ALWAYS, describe="never"), answer)
    described, _ = run_script(make_task(), ALWAYS, answer)
    bare = replace(
        described,
        relations=tuple(replace(r, description="") for r in described.relations),
        names=tuple(replace(c, description="") for c in described.names),
    )
    assert bare == plain and described != plain


def test_a_chunk_without_names_is_asked_for_no_claims():
    task = ChunkTask(1, 0, 0, "it rained all day.", "en", "")
    found, asked = drive(extract_with_slots(task, replace(ALWAYS, claims=True), split_sentences))
    assert asked == [] and found == ChunkEvidence(0, (), ())


@pytest.mark.model
def test_the_smallest_model_uses_only_words_of_the_text():
    path = find_entry_path(load_catalogue().get("smollm2-135m"), paths.model_folders())
    assert path is not None, "smollm2-135m is not installed; INKGRAPH_NO_MODELS=1 leaves it out"
    model = LlamaChat(path, n_ctx=4096, n_threads=1)
    task = make_task()
    words = set(re.findall(r"\w+", TEXT.casefold()))

    def talk():
        (reply,) = yield Write(
            ("Tobias Wren & Clara Wren:",),
            MAX_TOKENS,
            FaithfulGuard(("Tobias Wren", "Clara Wren"), TEXT, "none"),
            (TEXT,),
            describe_messages("en"),
        )
        return reply, (yield from write_descriptions(task, stated(task)))

    (run,) = model.run_programs([PromptProgram(1, free_form_messages(ALWAYS, "en"), TEXT, talk)])
    model.close()
    assert not run.error
    reply, found = run.value
    sentence = reply.text.strip()
    if sentence != "none" and reply.ended == "finished":
        assert "Tobias Wren" in sentence and "Clara Wren" in sentence
        assert set(re.findall(r"\w+", sentence.casefold())) <= words | FUNCTION_WORDS_EN
    assert len(found.relations) == 1 and {c.name for c in found.names} <= set(
        m.name for m in task.mentions
    )
