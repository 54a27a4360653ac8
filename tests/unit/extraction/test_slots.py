"""Tests the slots strategy with a scripted model: its prompts, and evidence from the answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import log

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from desktop_app.engine.extraction.instant import InstantExtractor
from desktop_app.engine.extraction.llm.slots import (
    MAX_MISSED_NAMES,
    MAX_NAMES,
    MAX_PAIRS,
    MAX_PASSAGE_CHARS,
    MAX_SUBJECT_DISTANCE,
    build_slot_messages,
    judge_names_and_pairs,
    propose_missed_names,
    relate_to_subject,
)
from desktop_app.engine.extraction.llm.tasks import ChunkTask, EnrichSettings
from desktop_app.engine.model import REJECTED, ChunkEvidence, ChunkSpan, ClaimedRelation, Mention
from desktop_app.engine.prompt_program import Choice, Choose
from desktop_app.engine.text.chunking import split_sentences

STORY = """Old Tobias Wren kept a shop of clocks in Harrow Lane. His niece, Clara Wren, wound them
every night. One evening Captain Hale came in from the rain with the watch of Edmund Marsh.
“Clara Wren,” said Captain Hale, “your brother is dead.” Goodness had left the house long ago."""
TALE = (
    "话说苏州城里有个秀才，姓沈名砚。沈砚常到听雨楼喝茶。那日，柳三娘对沈砚说道：“先生可认得陆青山？”"
    "陆青山来到听雨楼，柳三娘把一封信交给陆青山。"
)
SETTINGS = EnrichSettings(domain="story")
Answers = dict[str, str | dict[str, float]]  # line -> certain option, or probabilities


def make_task(text: str, pairs=(), *, names=(), language="en", start=0, weight=1.0, **more):
    """Return a task with these names (of type person, or NAME/TYPE) and pairs."""
    sentences = split_sentences(text, language)
    typed = dict(name.split("/") if "/" in name else (name, "person") for name in names)
    typed |= {n: typed.get(n, "person") for pair in pairs for n in pair}
    mentions = []
    for name, type_ in typed.items():
        at = text.index(name)
        a, b = next(s for s in sentences if s[0] <= at < s[1])
        mentions.append(
            Mention(name, type_, at + start, at + len(name) + start, a + start, b + start, 0.5)
        )
    relations = []
    for source, target in pairs:
        a, b = next(s for s in sentences if source in text[slice(*s)] and target in text[slice(*s)])
        relations.append(ClaimedRelation(source, target, a + start, b + start, weight))
    return ChunkTask(
        1, 7, start, text, language, "A tale", mentions=tuple(mentions),
        relations=tuple(relations), domain="story", **more,
    )  # fmt: skip


def run(
    task: ChunkTask, answers: Answers | None = None, settings: EnrichSettings = SETTINGS
) -> tuple[ChunkEvidence, list[Choose]]:
    """Run the prompt program; lines without an answer give all options the same probability."""
    talk = judge_names_and_pairs(task, settings, split_sentences)
    asked: list[Choose] = []
    replies = None
    while True:
        try:
            ask = talk.send(replies)
        except StopIteration as stop:
            return stop.value, asked
        assert isinstance(ask, Choose)
        asked.append(ask)
        replies = [_answer(ask, (answers or {}).get(line, {})) for line in ask.lines]


def _answer(ask: Choose, written: str | dict[str, float]) -> Choice:
    options = [o.strip() for o in ask.options]
    shares = {written: 1.0} if isinstance(written, str) else written
    assert set(shares) <= set(options)
    if not shares:
        return Choice((-log(len(options)),) * len(options))
    return Choice(tuple(log(max(shares.get(o, 0.0), 1e-9)) for o in options))


def lines_of(asked: list[Choose]) -> list[str]:
    return [line for ask in asked for line in ask.lines]


def by_pair(found: ChunkEvidence) -> dict[frozenset[str], ClaimedRelation]:
    pairs = {frozenset((r.source, r.target)): r for r in found.relations}
    assert len(pairs) == len(found.relations)
    return pairs


PAIR = frozenset(("Tobias Wren", "Clara Wren"))
FAMILY = "Tobias Wren kept a shop with his niece, Clara Wren. Nobody saw Captain Hale."


# --- names ----------------------------------------------------------------------------------------


def test_the_most_likely_types_are_chosen():
    task = make_task(STORY, names=["Tobias Wren", "Harrow Lane/person", "Clara Wren/place"])
    found, _ = run(
        task, {"Harrow Lane (is):": "place", "Clara Wren (is):": {"person": 0.6, "place": 0.4}}
    )
    claims = {c.name: c for c in found.names}
    assert claims["Harrow Lane"].type == "place" and claims["Harrow Lane"].confidence > 0.9
    assert claims["Clara Wren"].type == "place", "the instant graph's word counts in"
    assert 0.5 < claims["Clara Wren"].confidence < 0.75
    assert claims["Tobias Wren"].type == "person", "where the model knows nothing"
    assert found.chunk_order == 7 and found.mentions == () and found.relations == ()


def test_a_word_that_is_no_name_is_rejected():
    task = make_task(STORY, names=["Goodness", "Clara Wren"])
    found, _ = run(task, {"Goodness (is):": "none"})
    claims = {c.name: c for c in found.names}
    assert claims["Goodness"].type == REJECTED and claims["Goodness"].confidence > 0.9
    found, _ = run(task, {"Goodness (is):": {"none": 0.75, "person": 0.25}})
    claims = {c.name: c for c in found.names}
    assert (claims["Goodness"].type, claims["Goodness"].confidence) == ("", 0.0), "not sure enough"


def test_custom_types_are_in_the_prompt():
    settings = replace(SETTINGS, entity_types=("ship", "sailor", "other"))
    task = make_task(STORY, names=["Captain Hale"])
    found, asked = run(task, {"Captain Hale (is):": "sailor"}, settings)
    assert asked[0].options == (" ship", " sailor", " none")
    assert found.names[0].type == "sailor"


def test_without_types_no_name_is_judged_or_rejected():
    settings = replace(SETTINGS, entity_types=("other",))
    found, asked = run(make_task(FAMILY, [("Tobias Wren", "Clara Wren")]), {}, settings)
    assert lines_of(asked) == ["Tobias Wren & Clara Wren:"] and found.names == ()


def test_described_names_are_skipped_and_the_rarest_come_first():
    names = [f"Xa{chr(97 + i)}" for i in range(MAX_NAMES + 4)]
    task = make_task(
        "We saw " + ", ".join(names) + ".",
        names=names,
        importance={name: i + 1 for i, name in enumerate(reversed(names))},
        described=frozenset(names[-2:]),
    )
    _, asked = run(task)
    assert lines_of(asked) == [f"{name} (is):" for name in names[-3 : -3 - MAX_NAMES : -1]]


# --- pairs ----------------------------------------------------------------------------------------


def test_a_pair_is_stated_with_its_confidence():
    task = make_task(FAMILY, [("Tobias Wren", "Clara Wren")])
    found, asked = run(task, {"Tobias Wren & Clara Wren:": "family"})
    (relation,) = found.relations
    assert relation.kind == "family" and 0.65 <= relation.confidence <= 1
    assert relation.description == "" and (relation.start, relation.end) == (0, 51)
    assert 0 < relation.weight <= 1
    assert " family" in asked[-1].options and asked[-1].texts == (FAMILY[:51],)


def test_a_pair_without_a_relation_in_the_text_is_rejected():
    text = "Clara Wren laughed; and above hung, quite forgotten, dim pictures of Lord Hale."
    task = make_task(text, [("Clara Wren", "Lord Hale")])
    found, _ = run(task, {"Clara Wren & Lord Hale:": "none"})
    assert found.relations == ()


def test_a_doubtful_pair_stays_with_less_weight():
    task = make_task(FAMILY, [("Tobias Wren", "Clara Wren")])
    shares = {"none": 0.4, "talk": 0.3, "enemy": 0.3}
    found, _ = run(task, {"Tobias Wren & Clara Wren:": shares})
    (relation,) = found.relations
    assert relation.kind == "" and relation.confidence == 0.0 and 0 < relation.weight < 1


def test_two_names_of_one_person_get_no_kind():
    task = make_task("Tobias Wren, called Clara Wren, left.", [("Tobias Wren", "Clara Wren")])
    found, _ = run(task, {"Tobias Wren & Clara Wren:": "same"})
    assert [r.kind for r in found.relations] == [""]


def test_pairs_that_are_not_judged_stay_unchanged():
    pairs = [("Tobias Wren", "Clara Wren"), ("Captain Hale", "Edmund Marsh")]
    text = FAMILY + " There Captain Hale met Edmund Marsh in the rain."
    task = make_task(text, pairs, described=frozenset({frozenset(pairs[1])}))
    weak = replace(task.relations[0], source="Edmund Marsh", target="Clara Wren", weight=0.01)
    task = replace(task, relations=(*task.relations, weak))
    found, asked = run(task, {"Tobias Wren & Clara Wren:": "family"})
    assert [line for line in lines_of(asked) if "&" in line] == ["Tobias Wren & Clara Wren:"]
    kept = by_pair(found)
    assert kept[frozenset(pairs[1])] == task.relations[1]
    assert kept[frozenset(("Edmund Marsh", "Clara Wren"))] == weak
    assert kept[PAIR].kind == "family"


def test_a_repeated_pair_becomes_one_relation():
    task = make_task(FAMILY, [("Tobias Wren", "Clara Wren")])
    (relation,) = task.relations
    turned = replace(relation, source="Clara Wren", target="Tobias Wren")
    found, _ = run(replace(task, relations=(relation, turned)))
    assert len(by_pair(found)) == 1


def test_a_relation_of_a_name_without_a_mention_is_judged():
    task = make_task(FAMILY, [("Tobias Wren", "Clara Wren")])
    found, _ = run(replace(task, mentions=()), {"Tobias Wren & Clara Wren:": "family"})
    assert PAIR in by_pair(found)


def test_only_the_closest_of_many_pairs_are_judged():
    names = [f"X{a}{b}" for a in "abcde" for b in "abcd"]
    text = " ".join(f"{a} met {b}." for a, b in zip(names[::2], names[1::2], strict=True))
    pairs = list(zip(names[::2], names[1::2], strict=True))
    many = make_task(text, pairs)
    more = tuple(replace(r, weight=1 - i / 100) for i, r in enumerate(many.relations)) + tuple(
        ClaimedRelation(a, b, 0, len(text), 0.5 - i / 1000)
        for i, (a, b) in enumerate(zip(names[:10], names[10:], strict=True))
    )
    found, asked = run(replace(many, relations=more))
    asked_pairs = [line for line in lines_of(asked) if "&" in line]
    assert len(asked_pairs) == MAX_PAIRS == len(set(asked_pairs))
    assert {f"{a} & {b}:" for a, b in pairs} <= set(asked_pairs)
    kept = by_pair(found)
    assert all(r in found.relations for r in more[MAX_PAIRS:]) and len(kept) <= len(more)


# --- passages -------------------------------------------------------------------------------------


def test_headings_are_skipped():
    text = "Chapter 2. Tobias Wren meets Clara Wren. Then Tobias Wren saw Captain Hale."
    pairs = [("Tobias Wren", "Clara Wren")]
    task = make_task(text, [("Tobias Wren", "Captain Hale")], names=["Clara Wren"])
    heading = ClaimedRelation(*pairs[0], 0, 40)
    clara = next(m for m in task.mentions if m.name == "Clara Wren")
    mentions = [m for m in task.mentions if m is not clara]
    mentions.append(replace(clara, sentence_start=0, sentence_end=40))
    task = replace(task, mentions=tuple(mentions), relations=(*task.relations, heading))
    found, asked = run(task)
    assert not any("Clara" in line for line in lines_of(asked))
    assert by_pair(found)[PAIR] == heading


def test_overlapping_passages_are_joined():
    text = "Tobias Wren saw Clara Wren.\nShe saw\nCaptain Hale. He left. Edmund Marsh saw Fred."
    task = make_task(text, [("Edmund Marsh", "Fred")], names=["Tobias Wren"])
    both = ClaimedRelation("Clara Wren", "Captain Hale", 0, 49)
    one = ClaimedRelation("Tobias Wren", "Clara Wren", 0, 27)
    task = replace(task, relations=(one, both, *task.relations))
    _, asked = run(task)
    texts = dict(zip(asked[-1].lines, asked[-1].texts, strict=True))
    joined = "Tobias Wren saw Clara Wren. She saw Captain Hale."
    assert texts["Tobias Wren & Clara Wren:"] == texts["Clara Wren & Captain Hale:"] == joined
    assert texts["Edmund Marsh & Fred:"] == "Edmund Marsh saw Fred."
    names = dict(zip(asked[0].lines, asked[0].texts, strict=True))
    assert names["Tobias Wren (is):"] == joined, "names are asked in a text that is read anyway"


@given(st.lists(st.tuples(st.integers(0, 3000), st.integers(20, 400)), min_size=1, max_size=20))
def test_joined_passages_are_limited(spans):
    text = "word " * 800
    relations = tuple(
        ClaimedRelation(f"A{i}", f"B{i}", start, start + length, 1 - i / 50)
        for i, (start, length) in enumerate(spans)
    )
    task = ChunkTask(1, 0, 0, text, "en", "", relations=relations)
    _, asked = run(task)
    (ask,) = asked
    assert len(ask.lines) == min(MAX_PAIRS, len(spans))
    for line, passage in zip(ask.lines, ask.texts, strict=True):
        a, b = spans[int(line.split(" & ")[0][1:])]
        assert len(passage) <= MAX_PASSAGE_CHARS
        assert " ".join(text[a:b].split()) in passage


# --- names that were missed -----------------------------------------------------------------------

MISSED = "There the old clerk saw Petrel near Tobias Wren, who laughed at Monsoon."


def test_missed_names_are_added_with_offsets_and_relations():
    task = make_task(MISSED, names=["Tobias Wren"], start=30)
    found, asked = run(
        task, {"Petrel (is):": "object", "Monsoon (is):": "none", "Petrel & Tobias Wren:": "work"}
    )
    assert lines_of(asked[:1]) == ["Tobias Wren (is):", "Petrel (is):", "Monsoon (is):"]
    (mention,) = found.mentions
    assert (mention.name, mention.type) == ("Petrel", "object")
    assert MISSED[mention.start - 30 : mention.end - 30] == "Petrel"
    assert (mention.sentence_start, mention.sentence_end) == (30, 30 + len(MISSED))
    (relation,) = found.relations
    assert (relation.source, relation.target) == ("Petrel", "Tobias Wren")
    assert (relation.start, relation.end) == (30, 30 + len(MISSED)) and 0 < relation.weight <= 1
    assert {c.name: c.type for c in found.names} == {"Tobias Wren": "person", "Petrel": "object"}


def test_every_occurrence_of_a_missed_name_is_a_mention_and_the_first_gives_a_relation():
    text = (
        "They said Petrel met Tobias Wren. Petrel sank. The Petrels sang of Petrel’s Tobias Wren."
    )
    found, _ = run(make_task(text, names=["Tobias Wren"]), {"Petrel (is):": "object"})
    assert [text[m.start : m.end + 1] for m in found.mentions] == ["Petrel ", "Petrel ", "Petrel’"]
    assert all(m.sentence_start <= m.start < m.end <= m.sentence_end for m in found.mentions)
    assert len({m.sentence_start for m in found.mentions}) == 3
    assert [(r.source, r.target, r.start) for r in found.relations] == [
        ("Petrel", "Tobias Wren", 0)
    ]


def test_a_missed_name_needs_a_confident_answer():
    task = make_task(MISSED, names=["Tobias Wren"])
    for written in ({"object": 0.6, "none": 0.4}, "concept", {}):
        found, asked = run(task, {"Petrel (is):": written})
        assert found.mentions == () and found.relations == () and len(asked) == 1
        assert [c.name for c in found.names] == ["Tobias Wren"]


# --- the whole ------------------------------------------------------------------------------------


def test_chinese_text_is_judged_in_chinese():
    pairs = [("柳三娘", "沈砚")]
    task = make_task(TALE, pairs, names=["听雨楼/place"], language="zh")
    found, asked = run(
        task, {"柳三娘与沈砚：": "交谈", "听雨楼（是）：": "地点", "柳三娘（是）：": "人物"}
    )
    assert "柳三娘（是）：" in asked[0].lines and "人物" in asked[0].options
    assert asked[0].options[-1] == "无" and asked[-1].options[-1] == "无关"
    assert by_pair(found)[frozenset(pairs[0])].kind == "talk"
    assert {c.name: c.type for c in found.names}["听雨楼"] == "place"


def test_custom_kinds_are_in_the_prompt_and_known_ones_are_recognised():
    settings = replace(SETTINGS, kinds=("owes money to", "亲属"))
    task = make_task(FAMILY, [("Tobias Wren", "Clara Wren")])
    answers: Answers = {"Tobias Wren & Clara Wren:": "owes money to"}
    found, asked = run(task, answers, settings)
    assert asked[-1].options == (" owes money to", " family", " same", " none")
    assert found.relations[0].kind in ("owes money to", "")
    found, _ = run(task, {"Tobias Wren & Clara Wren:": "family"}, settings)
    assert found.relations[0].kind == "family"
    assert "owes money to" in build_slot_messages(task, settings)[0].text


def test_a_chunk_without_names_gives_no_prompt():
    found, asked = run(ChunkTask(1, 3, 0, "it rained all day.", "en", ""))
    assert asked == [] and found == ChunkEvidence(3, (), ())


@pytest.mark.parametrize(("text", "language"), [(STORY, "en"), (TALE, "zh")], ids=["en", "zh"])
def test_equal_input_gives_equal_prompts(text, language):
    span = ChunkSpan(0, 0, len(text), 100)

    def once(order: Callable = list) -> tuple:
        extractor = InstantExtractor(split_sentences)
        (seen,) = extractor.extract(text, [span], language, body=(0, len(text)))
        task = ChunkTask(
            1, 0, 0, text, language, "",
            mentions=tuple(seen.mentions), relations=tuple(order(seen.relations)),
        )  # fmt: skip
        return build_slot_messages(task, SETTINGS), run(task)

    first = once()
    assert first == once()
    assert first[1][1], "something was asked"
    # The order of relations in the instant graph does not change the prompts.
    assert first[1][1] == once(lambda relations: list(reversed(relations)))[1][1]


@pytest.mark.parametrize(("text", "language"), [(STORY, "en"), (TALE, "zh")], ids=["en", "zh"])
@pytest.mark.parametrize("domain", ["story", "paper", "general"])
def test_names_of_the_examples_never_become_evidence(text, language, domain):
    """The model only chooses among labels, for names of the text."""
    span = ChunkSpan(0, 0, len(text), 100)
    (seen,) = InstantExtractor(split_sentences).extract(text, [span], language, body=(0, len(text)))
    task = ChunkTask(
        1, 0, 0, text, language, "", mentions=seen.mentions, relations=seen.relations, domain=domain
    )

    @hypothesis_settings(max_examples=25, deadline=None)
    @given(st.integers(0, 9))
    def whatever(which: int) -> None:
        talk = judge_names_and_pairs(task, EnrichSettings(), split_sentences)
        replies = None
        try:
            while True:
                ask = talk.send(replies)
                n = len(ask.options)
                replies = [
                    Choice(tuple(0.0 if i == (which + j) % n else -20.0 for i in range(n)))
                    for j in range(len(ask.lines))
                ]
        except StopIteration as stop:
            found = stop.value
        written = {m.name for m in found.mentions} | {c.name for c in found.names}
        written |= {name for r in found.relations for name in (r.source, r.target)}
        assert all(name in text for name in written)

    whatever()


# --- names that the instant graph missed ----------------------------------------------------------


def propose(text: str, *known: str, language: str = "en", start: int = 0) -> list[Mention]:
    sentences = [(start + a, start + b) for a, b in split_sentences(text, language)]
    mentions = []
    for name in known:
        at = start + text.index(name)
        mentions.append(Mention(name, "person", at, at + len(name), at, at + len(name)))
    task = ChunkTask(1, 0, start, text, language, "", mentions=tuple(mentions))
    return propose_missed_names(task, sentences)


def missed_names(text: str, *known: str, language: str = "en") -> list[str]:
    return [m.name for m in propose(text, *known, language=language)]


def test_capitalised_words_inside_a_sentence_are_proposed():
    text = "That day old Tobias Wren saw the Guild of St Anne and, later, Petrel’s mate."
    assert missed_names(text) == ["Tobias Wren", "Guild of St Anne", "Petrel"]


def test_first_words_months_and_forms_of_address_are_not_proposed():
    assert (
        missed_names("Nobody came. Never mind, said I, on Monday in May; yes, Sir, No, I’ll go.")
        == []
    )
    assert missed_names("See the Figure and the Table of the Chapter, Madam.") == []


def test_known_names_and_parts_of_them_are_not_proposed_again():
    text = "There sat Tobias Wren, and Wren laughed at Clara."
    assert missed_names(text, "Tobias Wren") == ["Clara"]
    assert missed_names("There sat Old Tobias Wren.", "Tobias Wren") == [], (
        "it overlaps a known name"
    )


def test_offsets_refer_to_the_document_and_include_the_sentence():
    text = "It rained. That day old Tobias came,\nand Tobias’s dog."
    (found,) = propose(text, start=70)
    assert (found.name, found.type) == ("Tobias", "")
    assert text[found.start - 70 : found.end - 70] == "Tobias"
    assert text[found.sentence_start - 70 : found.sentence_end - 70].startswith("That day")


def test_speakers_are_proposed_in_chinese():
    text = "话说那日，柳三娘笑道：“先生请坐。”众人道：“好。”他道：“走。”沈砚曰：“善。”"
    assert missed_names(text, language="zh") == ["柳三娘", "沈砚"]
    assert missed_names(text, "沈砚", language="zh") == ["柳三娘"]


def test_the_number_of_proposals_is_limited():
    assert len(missed_names("I saw Ann, Bob, Carl, Dora, Emil, Fred and Gus.")) == MAX_MISSED_NAMES


@given(st.text(max_size=200), st.sampled_from(["en", "zh"]), st.integers(0, 50))
def test_every_proposal_occurs_in_the_text(text, language, start):
    found = propose(text, language=language, start=start)
    assert len({m.name for m in found}) == len(found) <= MAX_MISSED_NAMES
    for mention in found:
        assert text[mention.start - start : mention.end - start] == mention.name
        assert mention.sentence_start <= mention.start < mention.sentence_end


# --- relations of the main subject ----------------------------------------------------------------

ALBUM = "Salt is an album. It was made in Wexley. Ilmar Kask sang. Gulls came later."


def album_mention(name: str) -> Mention:
    start = ALBUM.index(name)
    head = ALBUM.rfind(". ", 0, start) + 2 if ". " in ALBUM[:start] else 0
    return Mention(name, "other", start, start + len(name), head, ALBUM.index(".", start) + 1)


def album_task(*names: str, **more) -> ChunkTask:
    mentions = tuple(album_mention(name) for name in names)
    importance = {"Salt": 5, "Wexley": 1, "Ilmar Kask": 2, "Gulls": 1}
    return ChunkTask(1, 0, 0, ALBUM, "en", "Salt", mentions=mentions, importance=importance, **more)


def test_the_subject_is_related_to_every_other_name_and_the_quote_contains_both():
    ties = relate_to_subject(album_task("Salt", "Wexley", "Ilmar Kask"), ())
    assert [(t.source, t.target) for t in ties] == [("Salt", "Wexley"), ("Salt", "Ilmar Kask")]
    for tie in ties:
        quote = ALBUM[tie.start : tie.end]
        assert tie.source in quote and tie.target in quote


def test_a_pair_of_the_instant_graph_is_not_added_again():
    known = ClaimedRelation("Wexley", "Salt", 0, 40)
    ties = relate_to_subject(album_task("Salt", "Wexley", "Gulls"), (known,))
    assert [t.target for t in ties] == ["Gulls"]


def test_two_names_alone_have_no_subject_and_distant_names_are_skipped():
    assert relate_to_subject(album_task("Salt", "Wexley"), ()) == []
    far = album_mention("Gulls")
    gap = MAX_SUBJECT_DISTANCE + 10
    moved = Mention("Gulls", "other", far.start + gap, far.end + gap, 0, far.end + gap)
    chunk = ChunkTask(
        1,
        0,
        0,
        ALBUM + " " * gap,
        "en",
        "Salt",
        mentions=(album_mention("Salt"), album_mention("Wexley"), moved),
    )
    assert [t.target for t in relate_to_subject(chunk, ())] == ["Wexley"]
