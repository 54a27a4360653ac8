"""Tests free-form extraction: only records that occur in the text become evidence."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.engine.extraction.instant import InstantExtractor
from desktop_app.engine.extraction.llm.evidence_placement import ChunkText
from desktop_app.engine.extraction.llm.free_form import (
    EXAMPLE_RULE,
    extract_free_form,
    free_form_messages,
)
from desktop_app.engine.extraction.llm.parsing import parse_records
from desktop_app.engine.extraction.llm.record_guard import MAX_CLAIMS, RecordGuard
from desktop_app.engine.extraction.llm.tasks import ChunkTask, EnrichSettings
from desktop_app.engine.model import ENTITY_TYPES, ChunkSpan
from desktop_app.engine.prompt_files import load_prompt
from desktop_app.engine.prompt_program import PASSAGE, Write, Written
from desktop_app.engine.text.chunking import split_sentences

STORY = """Old Tobias Wren kept a shop of clocks in Harrow Lane. His niece, Clara Wren, wound them
every night. Tobias Wren said little, and Clara said less.

One evening Captain Hale came in from the rain with the watch of Edmund Marsh. The brig Petrel had
gone down near Port Ellis. Captain Hale had sailed with Edmund Marsh for nine years."""
TALE = (
    "话说苏州城里有个秀才，姓沈名砚，表字子墨。沈砚常到听雨楼喝茶。听雨楼的掌柜柳三娘与沈砚相熟。"
    "那日，柳三娘对沈砚说道：“先生可认得陆青山？”陆青山来到听雨楼，柳三娘把一封信交给陆青山。"
)
SETTINGS = EnrichSettings(entity_extract_max_gleaning=0)


def make_task(text: str, language: str = "en", *, start: int = 0) -> ChunkTask:
    whole = "x" * (start - 2) + "\n\n" + text if start else text
    span = ChunkSpan(0, start, len(whole), 100)
    extractor = InstantExtractor(split_sentences)
    (found,) = extractor.extract(whole, [span], language, body=(start, len(whole)))
    return ChunkTask(
        1, 0, start, text, language, "A story", mentions=found.mentions, relations=found.relations
    )


def run(task: ChunkTask, settings: EnrichSettings, *answers: str | Written):
    """Run the prompt program; the model gives the answers in order, then "done"."""
    talk = extract_free_form(task, settings, split_sentences)
    asked: list[Write] = []
    replies = None
    written = list(answers)
    while True:
        try:
            ask = talk.send(replies)
        except StopIteration as stop:
            return stop.value, asked
        asked.append(ask)
        answer = written.pop(0) if written else "done"
        replies = [answer if isinstance(answer, Written) else Written(answer, 20)]


def test_a_valid_list_becomes_evidence_with_offsets():
    task = make_task(STORY, start=50)
    evidence, _ = run(
        task,
        SETTINGS,
        " Tobias Wren | person | A man with a shop of clocks.\n"
        "entity | Petrel | object | A brig that went down.\n"
        "relation | Tobias Wren | Clara Wren | family | Clara is his niece. | 9\n"
        "relation | Petrel | Port Ellis | wrecked near | She went down there. | 7\ndone",
    )
    claims = {c.name: c for c in evidence.names}
    assert claims["Tobias Wren"].description == "A man with a shop of clocks."
    assert claims["Petrel"].type == "object"
    for mention in evidence.mentions:
        assert STORY[mention.start - 50 : mention.end - 50] == mention.name
        assert mention.sentence_start <= mention.start < mention.end <= mention.sentence_end
    by_pair = {frozenset((r.source, r.target)): r for r in evidence.relations}
    family = by_pair[frozenset(("Tobias Wren", "Clara Wren"))]
    assert family.description == "Clara is his niece." and family.keywords == ("family",)
    wreck = by_pair[frozenset(("Petrel", "Port Ellis"))]
    quoted = STORY[wreck.start - 50 : wreck.end - 50]
    assert "Petrel" in quoted and "Port Ellis" in quoted


def test_instant_mentions_are_not_repeated():
    task = make_task(STORY)
    known = {(m.start, m.end) for m in task.mentions}
    evidence, _ = run(task, SETTINGS, " Tobias Wren | person | x\nentity | nine years | other | y")
    assert not known & {(m.start, m.end) for m in evidence.mentions}
    assert [m.name for m in evidence.mentions] == ["nine years"]


def test_every_occurrence_of_a_missed_name_is_a_mention():
    task = replace(make_task(TALE, "zh"), mentions=(), relations=())
    evidence, _ = run(task, SETTINGS, " 听雨楼 | place | 茶楼\ndone")
    assert len(evidence.mentions) == TALE.count("听雨楼") == 3
    assert all(TALE[m.start : m.end] == "听雨楼" for m in evidence.mentions)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("claims", [False, True])
def test_the_worked_example_never_becomes_evidence(language, claims):
    text = STORY if language == "en" else TALE
    task = replace(make_task(text, language), mentions=(), relations=())
    settings = EnrichSettings(claims=claims)
    parroted = free_form_messages(settings, language)[2].text
    assert parse_records(parroted).entities
    for first in (parroted, parroted.removeprefix("entity |")):
        evidence, _ = run(task, settings, first, first, first, first)
        assert evidence.names == () and evidence.mentions == ()
        assert evidence.relations == () and evidence.claims == ()


def test_a_custom_example_is_in_the_prompt():
    example = "Ada met Bo." + EXAMPLE_RULE + "entity | Ada | heroine | she\nentity | Bo | foe | he"
    settings = EnrichSettings(example=example, entity_types=("heroine", "foe"))
    system, text, listed, last = free_form_messages(settings, "en")
    assert "Ada met Bo." in text.text and listed.text.startswith("entity | Ada | heroine")
    assert "heroine, foe" in system.text and last.text.count(PASSAGE) == 1


def test_only_the_last_message_holds_the_passage_and_the_prompt_lists_the_types_of_the_example():
    for language in ("en", "zh", "de"):
        messages = free_form_messages(EnrichSettings(entity_types=("gene", "drug")), language)
        assert [PASSAGE in m.text for m in messages] == [False, False, False, True]
        kinds = {e.type for e in parse_records(messages[2].text, ("gene", "drug")).entities}
        assert kinds == {"drug"}


def test_the_instruction_says_which_language_to_write_in():
    assert "French" in free_form_messages(SETTINGS, "fr")[0].text
    assert "中文" in free_form_messages(SETTINGS, "zh")[0].text
    assert "English" in free_form_messages(replace(SETTINGS, language="en"), "fr")[0].text


def test_gleaning_adds_records_that_were_missed():
    task = make_task(STORY)
    first = " Tobias Wren | person | x\nrelation | Tobias Wren | Clara Wren | family | y | 9\ndone"
    evidence, asked = run(
        task,
        EnrichSettings(),
        first,
        "relation | Captain Hale | Edmund Marsh | sailed | z | 8\ndone",
    )
    assert len(asked) == 2 and asked[1].lines[0].endswith("\ndone\nmissed\n")
    assert any(r.description == "z" for r in evidence.relations)
    assert asked[1].guard.names == ("Tobias Wren",)


def test_gleaning_ends_without_new_records():
    first = " Tobias Wren | person | x\nrelation | Tobias Wren | Clara Wren | family | y | 9\ndone"
    _, asked = run(make_task(STORY), EnrichSettings(entity_extract_max_gleaning=4), first, "done")
    assert len(asked) == 2


def test_missing_relations_are_requested():
    task = make_task(STORY)
    first = " Tobias Wren | person | x\nentity | Clara Wren | person | y"
    evidence, asked = run(
        task, SETTINGS, Written(first, 9, "loop"), " Tobias Wren | Clara Wren | family | He is. | 9"
    )
    assert asked[1].lines[0].endswith("\nrelation |")
    assert any(r.description == "He is." for r in evidence.relations)


def test_other_formats_and_inexact_names_are_found():
    task = make_task(STORY)
    evidence, _ = run(
        task,
        SETTINGS,
        '("entity"<|>"TOBIAS WREN"<|>"PERSON"<|>"A clockmaker")##\n'
        '("relationship"<|>"The Captain Hale"<|>"edmund marsh"<|>"They sailed for nine years"<|>9)',
    )
    assert [c.name for c in evidence.names] == ["Tobias Wren"]
    assert any(
        {"Captain Hale", "Edmund Marsh"} == {r.source, r.target} and r.description[:4] == "They"
        for r in evidence.relations
    )


def test_distant_names_are_no_relation():
    text = "Ada Lorne slept. " + "The rain fell on the roof all night. " * 6 + "Bo Finch woke."
    task = ChunkTask(1, 0, 0, text, "en", "A story")
    evidence, _ = run(
        task, SETTINGS, " Ada Lorne | person | x\nrelation | Ada Lorne | Bo Finch | met | y | 9"
    )
    assert evidence.relations == ()


def test_instant_relations_stay_unless_the_model_saw_both_and_they_share_no_sentence():
    task = make_task(STORY)
    assert task.relations
    evidence, _ = run(task, SETTINGS, "done")
    assert evidence.relations == task.relations
    names = {m.name for m in task.mentions}
    listed = "\n".join(f"entity | {name} | person | x" for name in sorted(names))
    evidence, _ = run(task, SETTINGS, listed.removeprefix("entity |") + "\ndone", "done")
    kept = {frozenset((r.source, r.target)) for r in evidence.relations}
    assert kept < {frozenset((r.source, r.target)) for r in task.relations}
    for relation in evidence.relations:
        n_places = STORY[relation.start : relation.end]
        assert relation.source in n_places and relation.target in n_places
    cut, _ = run(task, SETTINGS, Written(listed.removeprefix("entity |"), 9, "long"), "done")
    assert len(cut.relations) == len(task.relations)


def test_pronouns_are_no_names():
    evidence, _ = run(
        make_task(STORY), SETTINGS, " His | person | x\nrelation | His | them | a | b | 3"
    )
    assert evidence.names == ()


def test_the_numbers_of_entities_and_relations_are_limited():
    few = replace(SETTINGS, max_entities=1, max_relations=1)
    evidence, _ = run(
        replace(make_task(STORY), relations=()),
        few,
        " Tobias Wren | person | x\nentity | Clara Wren | person | y\n"
        "relation | Tobias Wren | Clara Wren | a | b | 9\n"
        "relation | Captain Hale | Edmund Marsh | a | b | 9\ndone",
    )
    assert len(evidence.names) == 1 and len(evidence.relations) == 1


@given(st.text(max_size=400))
def test_any_answer_of_the_model_is_handled(text):
    task = ChunkTask(1, 0, 7, STORY, "en", "A story")
    evidence, _ = run(task, EnrichSettings(claims=True), text, text, text, text)
    for mention in evidence.mentions:
        assert 7 <= mention.start < mention.end <= 7 + len(STORY)


# --- claims -------------------------------------------------------------------------------------


def test_claims_have_a_quote():
    task = make_task(STORY, start=50)
    evidence, asked = run(
        task,
        replace(SETTINGS, claims=True),
        " Captain Hale | person | x\nrelation | Captain Hale | Edmund Marsh | a | b | 9\ndone",
        "claim | Captain Hale | Edmund Marsh | sailing | true | none | none | Captain Hale had "
        "sailed with  Edmund Marsh for nine year\n"
        "claim | Captain Hale | none | theft | suspected | 1843 | none | he stole spoons\n"
        "claim | Nobody | none | theft | true | none | none | Tobias Wren kept a shop\ndone",
    )
    assert asked[-1].guard.forms == ("claim",)
    (claim,) = evidence.claims
    assert (claim.subject, claim.object, claim.status) == ("Captain Hale", "Edmund Marsh", "true")
    assert STORY[claim.start - 50 : claim.end - 50].startswith("Captain Hale had sailed")


def test_claims_in_the_format_of_graphrag_are_parsed():
    task = make_task(STORY)
    evidence, _ = run(
        task,
        replace(SETTINGS, claims=True),
        "done",
        "(TOBIAS WREN<|>NONE<|>TRADE<|>TRUE<|>1843-01-01<|>NONE<|>He kept a shop.<|>Tobias Wren "
        "kept a shop of clocks)##",
    )
    (claim,) = evidence.claims
    assert claim.description == "He kept a shop." and claim.start_date == "1843-01-01"
    assert claim.object == "" and claim.end_date == ""


# --- names in the text ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name", "found"),
    [
        ("Bob\nCratchit came", "Bob Cratchit", ["Bob\nCratchit"]),
        ("the “Harbour–Inn” here", 'the "Harbour-Inn"', ["the “Harbour–Inn"]),
        ("Scrooge’s nephew", "Scrooge's nephew", ["Scrooge’s nephew"]),
        ("SCROOGE was old", "Scrooge", ["SCROOGE"]),
        ("Scrooged Scrooge", "Scrooge", ["Scrooge"]),
        ("Marley was dead", "Mr. Marley", ["Marley"]),
        ("见了鲁提辖", "鲁 提辖", ["鲁提辖"]),
        ("宋江道：好", "宋江（及时雨）", ["宋江"]),
        ("ＡＢＣ公司", "ABC公司", ["ＡＢＣ公司"]),
        ("the _Petrel_ sank", "Petrel", ["Petrel"]),
        ("he came", "he", []),
        ("Marley", "Scrooge", []),
        ("Straße", "Strasse", []),
    ],
)  # fmt: skip
def test_a_name_is_found_in_any_spelling(text, name, found):
    chunk = ChunkText(text)
    assert [text[a:b] for a, b in chunk.find(name)] == found


@given(st.text(max_size=80), st.text(max_size=20))
def test_offsets_are_always_inside_the_text(text, name):
    for start, end in ChunkText(text).find(name):
        assert 0 <= start < end <= len(text)
    quoted = ChunkText(text).find_quote(name)
    assert quoted is None or 0 <= quoted[0] < quoted[1] <= len(text)


# --- the guard ------------------------------------------------------------------------------


def feed(guard: RecordGuard, text: str, size: int = 3):
    state, data = guard.begin(), text.encode()
    for at in range(0, len(data), size):
        if not state.take(data[at : at + size]):
            return None
    return state


GUARD = RecordGuard(STORY, ENTITY_TYPES)
GOOD = """entity | Tobias Wren | person | A clockmaker, old.
entity | Harrow Lane | place | Straße № 5 – 街
relation | Tobias Wren | Harrow Lane | lives in, shop | He keeps a shop there. | 10
done"""


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_a_valid_list_passes_the_guard_in_tokens_of_any_size(size):
    state = feed(GUARD, GOOD, size)
    assert state is not None and state.must_end and state.may_end


@pytest.mark.parametrize(
    "line",
    [
        "Here is", "entity | Scrooge", "entity | obias Wren", "entity | Tobias Wr |",
        "entity | Tobias Wren | Person", "entity | Tobias Wren | person | x | y",
        "entity | Tobias Wren | person\n", "entity | Tobias Wren | person | \n", "entity\n",
        "relation | Tobias Wren | Clara Wren | a | b | 11", "relation | Tobias Wren | a |",
        "entity | less.\n", "relation | Tobias Wren | Clara Wren | a | b\n", "claim | Tobias Wren",
    ],
)  # fmt: skip
def test_the_guard_refuses_text_that_is_no_record(line):
    assert feed(GUARD, line, 1) is None


def test_a_refused_token_does_not_change_the_guard():
    state = feed(GUARD, "entity | Tobias")
    assert not state.take(b" Wren | person | fine\nentity | Nobody")
    assert state.take(b" Wren | person | fine\nentity | Clara Wren |")


def test_a_name_over_a_line_break_may_be_written_with_a_space():
    guard = RecordGuard("He met Bob\nCratchit.", ("person",), begun="entity |")
    assert feed(guard, " Bob Cratchit | person | x\n") is not None


def test_repeated_names_end_the_list():
    line = "entity | Tobias Wren | person | x\n"
    assert feed(GUARD, line * 3) is not None
    state = feed(GUARD, line * 3 + "entity | Tobias Wren |", 1)
    assert state is not None and state.must_end
    pair = "relation | Tobias Wren | Clara Wren | a | b | 5\n"
    turned = "relation | Clara Wren | Tobias Wren | a | b | 5\n"
    state = feed(GUARD, pair + turned * 2 + "relation | Clara Wren | Clara Wren |", 1)
    assert state is not None and state.must_end


def test_full_lists_take_no_more_records():
    guard = replace(GUARD, max_entities=1, max_relations=1)
    line = "entity | Tobias Wren | person | x\n"
    assert feed(guard, line) is not None and feed(guard, line + "entity") is None
    assert feed(guard, line + "done").must_end


def test_a_list_of_claims_ends_at_its_limit():
    guard = RecordGuard("Tobias Wren kept a shop.", ENTITY_TYPES, forms=("claim",))
    line = "claim | Tobias Wren | none | trade | true | 1843 | 1844 | kept a shop\n"
    assert feed(guard, line * MAX_CLAIMS + "done").must_end
    assert feed(guard, line * MAX_CLAIMS + "claim") is None


def test_fields_are_bounded_and_can_always_be_closed():
    for filler in ("word ", "字", "é", "x"):
        state = feed(GUARD, "entity | Tobias Wren | person | ")
        n = 0
        while state.take(filler.encode()):
            n += 1
            assert n < 400
        assert state.may_end and state.take(b"\ndone")


def test_chinese_names_are_matched_over_split_characters():
    guard = RecordGuard(TALE, ENTITY_TYPES, begun="relation |")
    text = " 沈砚 | 听雨楼 | 喝茶 | 沈砚常到听雨楼喝茶。 | 8\ndone"
    assert all(feed(guard, text, size).must_end for size in (1, 2, 4))
    assert feed(guard, " 沈墨") is None


@given(st.lists(st.binary(min_size=1, max_size=4), max_size=60))
def test_text_accepted_by_the_guard_is_parsed(pieces):
    state, taken = GUARD.begin(), b""
    words = [b"entity", b" |", b" Tobias", b" Wren", b" Clara", b" person", b"\n", b" a", b" 9",
             b"relation", b"done", b" \xe5\xad", b"\x97"]  # fmt: skip
    for piece in pieces:
        piece = words[piece[0] % len(words)] if piece[0] < 230 else piece
        if not state.must_end and state.take(piece):
            taken += piece
    read = parse_records(taken.decode("utf-8", "ignore"))
    flat = " ".join(STORY.split())
    assert all(entity.name in flat for entity in read.entities)


def test_the_repr_distinguishes_guards():
    assert repr(GUARD) != repr(replace(GUARD, max_entities=3))


def test_prompts_have_no_braces_left():
    for language in ("en", "zh"):
        for message in free_form_messages(EnrichSettings(claims=True), language):
            assert "{" not in message.text
        assert load_prompt("free_form", language) != load_prompt("free_form", "xx") or (
            language == "en"
        )
