"""Tests kinds of relations: examples in prompts, custom kinds, domains, scores."""

from __future__ import annotations

from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.engine.extraction.llm.relation_kinds import (
    KIND_SETS,
    NONE,
    SAME,
    Kind,
    PairContext,
    build_custom_kinds,
    find_near,
    find_stated_kind,
    guess_domain,
    score_kinds,
)
from desktop_app.engine.extraction.llm.slots import name_line, slots_messages, type_label
from desktop_app.engine.model import ENTITY_TYPES, REJECTED
from desktop_app.engine.prompt_program import PASSAGE

STORY = KIND_SETS["story"]
TYPES = tuple(t for t in ENTITY_TYPES if t != "other")
LANGUAGES = ("en", "zh")
SETS = [(domain, language) for domain in KIND_SETS for language in LANGUAGES]
COLON = {"en": ": ", "zh": "："}


def answers(messages, language: str) -> list[tuple[str, str]]:
    """Return the lines of the worked examples as (prompt line, label)."""
    lines = [line for m in messages if m.role == "assistant" for line in m.text.splitlines()]
    found = [line.rpartition(COLON[language]) for line in lines]
    return [(asked + COLON[language].strip(), label) for asked, _, label in found]


def is_about_one(line: str) -> bool:
    return line.endswith(("(is):", "（是）："))


# --- prompts --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("domain", "language"), SETS)
def test_examples_answer_with_the_requested_labels(domain, language):
    kinds = KIND_SETS[domain]
    kind_labels = {k.label(language) for k in kinds}
    type_labels = {type_label(t, language) for t in (*TYPES, REJECTED)}
    messages = slots_messages(domain, kinds, TYPES, language)
    lines = answers(messages, language)
    for line, label in lines:
        assert label in (type_labels if is_about_one(line) else kind_labels), line
    # No example was dropped, and every kind but a rare one is shown.
    shown = {label for line, label in lines if not is_about_one(line)}
    assert shown == kind_labels
    asked = messages[0].text
    assert all(label in asked for label in kind_labels | type_labels)


@pytest.mark.parametrize(("domain", "language"), SETS)
def test_example_lines_look_like_prompt_lines_and_name_entities_of_their_text(domain, language):
    messages = slots_messages(domain, KIND_SETS[domain], TYPES, language)
    assert [m.role for m in messages[1:-1]] == ["user", "assistant"] * (len(messages) // 2 - 1)
    assert messages[-1].text == PASSAGE and sum(PASSAGE in m.text for m in messages) == 1
    seen = ""
    for text, turn in zip(messages[1:-1:2], messages[2:-1:2], strict=True):
        seen += text.text
        for line, label in answers([turn], language):
            if is_about_one(line):
                name = line.removesuffix("（是）：").removesuffix(" (is):")
                assert line == name_line(name, language)
                assert name in seen or label == type_label(REJECTED, language)
            else:
                names = line.rstrip(":：").split("与" if language == "zh" else " & ")
                assert len(names) == 2 and all(name in seen for name in names), line


@pytest.mark.parametrize(("domain", "language"), SETS)
def test_unrequested_kinds_are_not_shown_even_if_a_type_has_that_name(domain, language):
    kinds = build_custom_kinds(("teacher of", "family"), domain)
    messages = slots_messages(domain, kinds, ("person", "place"), language)
    labels = {k.label(language) for k in kinds}
    for line, label in answers(messages, language):
        if is_about_one(line):
            assert label in {type_label(t, language) for t in ("person", "place", REJECTED)}
        else:
            assert label in labels


@pytest.mark.parametrize("kinds", KIND_SETS.values(), ids=KIND_SETS)
def test_a_set_has_every_label_once_and_ends_with_none(kinds):
    assert kinds[-1].key == NONE and kinds[-2].key == SAME
    for language in LANGUAGES:
        labels = [k.label(language) for k in kinds]
        assert len(set(labels)) == len(labels)
        assert all(language in k.meanings and language in k.labels for k in kinds)


# --- the person's own -----------------------------------------------------------------------------


def test_custom_kinds_are_stored_in_the_given_words():
    kinds = build_custom_kinds(("teacher of", "family", "teacher of", " ", "none", "same"))
    assert [k.key for k in kinds] == ["teacher of", "family", SAME, NONE]
    assert kinds[0].label("zh") == "teacher of" and not kinds[0].cues
    assert kinds[1].cues == KIND_SETS["story"][1].cues


def test_custom_kinds_that_are_synonyms_have_the_known_cues():
    kinds = build_custom_kinds(("亲属", "Enemy", "无关", "family"), "story")
    assert [k.key for k in kinds] == ["family", "enemy", SAME, NONE], "one kind, called twice"
    assert kinds[0].label("zh") == "亲属" and kinds[0].people and kinds[0].cues["zh"]
    assert kinds[1].label("en") == "enemy"


def test_custom_kinds_are_looked_up_in_the_domain_of_the_text():
    assert build_custom_kinds(("work",), "story")[0].label("zh") == "主从"
    assert build_custom_kinds(("work",), "general")[0].label("zh") == "任职"


def test_the_same_words_give_the_same_kinds():
    """Otherwise every chunk would have its own instruction."""
    assert build_custom_kinds(("teacher of",), "story") is build_custom_kinds(
        ("teacher of",), "story"
    )


@given(st.lists(st.text(max_size=12), max_size=6), st.sampled_from(sorted(KIND_SETS)))
def test_any_words_give_a_valid_set(words, domain):
    kinds = build_custom_kinds(tuple(words), domain)
    assert [k.key for k in kinds[-2:]] == [SAME, NONE]
    labels = [k.label("en") for k in kinds]
    assert len({label.casefold() for label in labels}) == len(labels)


# --- the domain -----------------------------------------------------------------------------------

DOMAINS = {
    "story": (
        "“You have let the fire go out,” said Martha. Old Bell rubbed his hands and looked at the"
        " grate. “It went of itself,” he replied. She knelt down, and for a while nobody spoke."
        " “Then it shall come back of itself,” she said at last, and laughed.",
        "掌柜的抬头笑道：“客官从哪里来？”那汉子道：“从北边来，寻我兄长。”掌柜的说：“这里没有北边的人。”"
        "汉子听了，把包袱放下，半晌不语，方才说道：“那便等他。”",
    ),
    "paper": (
        "We propose a method for sorting parcels by weight and compare it with two baselines"
        " (Orme et al. 2017). Experiments on one dataset of 4,000 parcels show that the algorithm"
        " needs half the time [12]. Figure 3 gives the error; Table 2 the cost of each baseline.",
        "本文提出一种按重量分拣包裹的方法。实验在四千件包裹的数据集上进行，与两种方法比较[3]。"
        "实验结果表明该方法用时减半，如图三所示，数据集已公开。",
    ),
    "general": (
        "Orrin Vale (born 1948 in Lutt) is a retired cyclist. He won the Lake Race twice, in 1970"
        " and in 1973, and later led the cycling club of Lutt. The town named a bridge after him.",
        "卢特是湖区西岸的一座小城，人口约四万。城中有一座石桥，建于一九七三年，以自行车运动员韦尔的名字命名。",
    ),
}


@pytest.mark.parametrize("domain", DOMAINS)
def test_the_domain_is_guessed_from_the_style_of_a_text(domain):
    for text in DOMAINS[domain]:
        assert guess_domain(text) == domain, text
        assert guess_domain(text * 8) == domain, text


@given(st.text(max_size=300))
def test_every_text_has_a_domain(text):
    assert guess_domain(text) in KIND_SETS


# --- weighing -------------------------------------------------------------------------------------

PERSON = {"person": 1.0}
logprob = st.floats(-30, 0)
shares = st.dictionaries(st.sampled_from([*ENTITY_TYPES, REJECTED, "gene"]), st.floats(0, 1))


def weigh(text, kinds=STORY, logprobs=None, types=(PERSON, PERSON), others=(), language="en"):
    source, target = ("Anna", "Boris") if language == "en" else ("林远", "梅森")
    place = PairContext(text, source, target, frozenset(others), types)
    found = score_kinds(kinds, logprobs or [-2.0] * len(kinds), place, language)
    return dict(zip([k.key for k in kinds], found, strict=True))


@given(
    st.sampled_from(SETS),
    st.data(),
    st.text(max_size=80),
    st.tuples(shares, shares),
)
def test_probabilities_sum_to_one_whatever_the_text_and_the_types(which, data, text, types):
    domain, language = which
    kinds = KIND_SETS[domain]
    logprobs = data.draw(st.lists(logprob, min_size=len(kinds), max_size=len(kinds)))
    place = PairContext(f"Anna{text}Boris", "Anna", "Boris", frozenset({"Carl"}), types)
    found = score_kinds(kinds, logprobs, place, language)
    assert isclose(sum(found), 1.0) and all(0 <= p <= 1 for p in found)
    assert found == score_kinds(kinds, logprobs, place, language)


@pytest.mark.parametrize(
    ("kind", "language", "text"),
    [
        ("family", "en", "Anna is the sister of Boris."),
        ("enemy", "en", "Anna struck Boris."),
        ("friend", "en", "Anna is a friend of Boris."),
        ("work", "en", "Anna is a servant of Boris."),
        ("talk", "en", "Anna asked Boris."),
        ("family", "zh", "林远的妻子梅森来了。"),
        ("enemy", "zh", "林远骂梅森。"),
        ("work", "zh", "林远是梅森的徒弟。"),
    ],
)
def test_a_word_of_a_kind_makes_it_likelier(kind, language, text):
    plain = "Anna xxx Boris." if language == "en" else "林远呀梅森。"
    assert weigh(text, language=language)[kind] > weigh(plain, language=language)[kind]


@given(st.lists(logprob, min_size=len(STORY), max_size=len(STORY)), st.text(max_size=60))
def test_two_people_never_get_the_kind_place(logprobs, between):
    assert weigh(f"Anna in {between} Boris", logprobs=logprobs)["place"] == 0
    sure = [-30.0 if k.key != "place" else 0.0 for k in STORY]
    assert weigh("Anna lived in Boris.", logprobs=sure)["place"] == 0
    town = ({"person": 0.9}, {"place": 0.8, "person": 0.2})
    assert weigh("Anna lived in Boris.", logprobs=sure, types=town)["place"] > 0.9


@pytest.mark.parametrize(("language", "filler"), [("en", "xxxx yyyy "), ("zh", "呀呢哦嗯")])
def test_the_probability_of_a_relation_falls_with_distance(language, filler):
    a, b = ("Anna ", " Boris") if language == "en" else ("林远", "梅森")
    apart = [weigh(a + filler * n + b, language=language)[NONE] for n in (0, 4, 9, 15)]
    assert apart == sorted(apart) and apart[-1] > 1.4 * apart[0]


def test_sentences_and_names_between_make_a_relation_less_likely():
    one = weigh("Anna xxxx xxxx xxxx Boris")[NONE]
    assert weigh("Anna xxxx. xxx. xxx Boris")[NONE] > one
    assert weigh("Anna xxxx Carl xxx Boris", others=["Carl"])[NONE] > one


def test_a_rejected_name_makes_a_relation_less_likely():
    assert (
        weigh("Anna saw Boris.", types=(PERSON, {REJECTED: 1.0}))[NONE]
        > (weigh("Anna saw Boris.")[NONE])
    )


def test_custom_kinds_and_types_are_scored():
    kinds = build_custom_kinds(("teacher of", "family"), "story")
    found = weigh("Anna xxx Boris.", kinds, [-0.1, -5, -5, -5], ({"gene": 1.0}, {}))
    assert max(found, key=lambda key: found[key]) == "teacher of"
    only = (Kind("odd", {"en": "odd"}, {"en": "odd"}), *kinds[-2:])
    assert isclose(sum(weigh("", only).values()), 1.0)


def test_the_closest_mentions_of_two_names_are_used():
    text = "Anna went. " + "x" * 100 + " Boris met Anna. " + "y" * 100
    near, between = find_near(text, "Anna", "Boris")
    assert between == " met " and "Boris met Anna" in near and len(near) < 160
    assert find_near("Dr. (Who)", "Who", "+") == ("Dr. (Who)", "Dr. (Who)")
    # A name inside the other one is no separate mention.
    assert find_near("Anna Bell saw Anna.", "Anna Bell", "Anna")[1] == " saw "


# --- phrases that state a relation ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "a", "b", "kind"),
    [
        ("Then came Orrin's wife Tilda.", "Orrin", "Tilda", "family"),
        ("Tilda, the younger sister of Orrin, wept.", "Orrin", "Tilda", "family"),
        ("Up rose Mrs. Vale, Vale's wife.", "Vale", "Mrs. Vale", "family"),
        ("Orrin and his clerk Peake left.", "Peake", "Orrin", "work"),
        ("Tilda was a friend of Peake.", "Peake", "Tilda", "friend"),
        ("Orrin and Tilda were old enemies.", "Orrin", "Tilda", "enemy"),
        ("袁绍之弟袁术起兵。", "袁绍", "袁术", "family"),
        ("鸳鸯，贾母的丫头，来了。", "贾母", "鸳鸯", "work"),
        ("孙悟空是唐僧的徒弟。", "唐僧", "孙悟空", "work"),
    ],
)
def test_a_phrase_states_the_kind_in_either_order_of_names(text, a, b, kind):
    language = "zh" if "。" in text else "en"
    assert find_stated_kind(text, a, b, language) == kind
    assert find_stated_kind(text, b, a, language) == kind


@pytest.mark.parametrize(
    "text",
    [
        "There were Orrins and Tildas, Peake's daughters, and a wife.",
        "Orrin saw Tilda and the wife of the smith.",
        "Orrin's wife saw the house where Tilda lived.",
    ],
)
def test_a_kinship_word_near_two_names_is_no_phrase(text):
    assert find_stated_kind(text, "Orrin", "Tilda", "en") is None
    assert find_stated_kind(text, "Tildas", "Peake", "en") is None


def weigh_pair(text, a, b):
    place = PairContext(text, a, b, frozenset(), (PERSON, PERSON))
    found = score_kinds(STORY, [-2.0] * len(STORY), place, "en")
    return {kind.key: p for kind, p in zip(STORY, found, strict=True)}


def test_a_phrase_decides_when_the_model_is_unsure():
    assert weigh_pair("Orrin's wife Tilda spoke to him.", "Orrin", "Tilda")["family"] > 0.8


def test_a_name_contained_in_another_is_probably_the_same_entity():
    text = "Bob Peake said so, and Peake went home."
    apart = weigh_pair(text.replace("and Peake", "and Vale"), "Bob Peake", "Vale")
    assert weigh_pair(text, "Bob Peake", "Peake")["same"] > 5 * apart["same"]
    described = weigh_pair("Mrs. Peake, Peake's wife, said so.", "Mrs. Peake", "Peake")
    assert described["family"] > described["same"]
