"""Tests parsing of entities and relations in the formats that models write."""

from __future__ import annotations

import json
import math
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_app.engine.extraction.llm.claims import MAX_CLAIMS, parse_claims
from desktop_app.engine.extraction.llm.free_form import render_records
from desktop_app.engine.extraction.llm.parsing import (
    MAX_DESCRIPTION,
    MAX_KEYWORD,
    MAX_KEYWORDS,
    MAX_NAME,
    MAX_STRENGTH,
    EntityRecord,
    Records,
    RelationRecord,
    parse_records,
)
from desktop_app.engine.model import ENTITY_TYPES

OURS = """entity | Tobias Wren | person | an old clockmaker
entity | Harrow Lane | place | a street
relation | Tobias Wren | Harrow Lane | keeps a shop | Tobias Wren keeps a shop there. | 8
done"""
GRAPHRAG = """("entity"<|>"TOBIAS WREN"<|>"PERSON"<|>"A clockmaker")
##
("entity"<|>"HARROW LANE"<|>"GEO"<|>"A street, narrow")
##
("relationship"<|>"TOBIAS WREN"<|>"HARROW LANE"<|>"Tobias Wren keeps a shop there"<|>8)
<|COMPLETE|>"""
LIGHTRAG_OLD = """("entity"<|>"Tobias Wren"<|>"person"<|>"A clockmaker")##
("entity"<|>"Harrow Lane"<|>"location"<|>"A street")##
("relationship"<|>"Tobias Wren"<|>"Harrow Lane"<|>"He keeps a shop in it"<|>"shop, street"<|>8)##
("content_keywords"<|>"clocks, family")<|COMPLETE|>"""
LIGHTRAG_NEW = """entity<|#|>Tobias Wren<|#|>Person<|#|>A clockmaker.
entity<|#|>Harrow Lane<|#|>Location<|#|>A street.
relation<|#|>Tobias Wren<|#|>Harrow Lane<|#|>shop, street<|#|>He keeps a shop in the lane.
<|COMPLETE|>"""
UNFILLED = (
    '("entity"{tuple_delimiter}Tobias Wren{tuple_delimiter}person{tuple_delimiter}a clockmaker)'
    '{record_delimiter}("entity"{tuple_delimiter}Harrow Lane{tuple_delimiter}place'
    '{tuple_delimiter}a street){record_delimiter}("relationship"{tuple_delimiter}Tobias Wren'
    "{tuple_delimiter}Harrow Lane{tuple_delimiter}keeps a shop there, they say{tuple_delimiter}8)"
    "{completion_delimiter}"
)
JSON = json.dumps(
    {
        "entities": [
            {"name": "Tobias Wren", "type": "person", "description": "a clockmaker"},
            {"name": "Harrow Lane", "type": "place", "description": "a street"},
        ],
        "relationships": [
            {
                "source": "Tobias Wren",
                "target": "Harrow Lane",
                "keywords": ["shop"],
                "description": "keeps a shop there",
                "strength": 8,
            }
        ],
    }
)
NODES = """Here is the graph:
```json
{"nodes": [{"id": "Tobias Wren", "label": "person"}, {"id": "Harrow Lane", "label": "place"}],
 "edges": [{"from": "Tobias Wren", "to": "Harrow Lane", "label": "keeps a shop in", "weight": 8}]}
```"""
LOOSE_JSON = """{'name': 'Tobias Wren', 'type': 'person',},
{"name": “Harrow Lane”, "type": "place"}
{source: "Tobias Wren", target: "Harrow Lane", keywords: ["shop",], strength: "8/10"},"""
ARRAYS = """[["entity", "Tobias Wren", "person", "clockmaker"],
["entity", "Harrow Lane", "place", "street"],
["relation", "Tobias Wren", "Harrow Lane", "shop", "keeps a shop in the lane", 8]]"""
TABLES = """### Entities
| Name | Type | Description |
|------|:----:|-------------|
| **Tobias Wren** | Person | a clockmaker |
| Harrow Lane | Place | a street |

### Relationships
| Source | Target | Relationship | Strength |
|---|---|---|---|
| Tobias Wren | Harrow Lane | keeps a shop in | 8 |"""
LISTS = """Sure! Here are the records:

**Entities:**
1. **Tobias Wren** (person): an old clockmaker
2. **Harrow Lane** (place): a street

**Relations:**
- Tobias Wren -> Harrow Lane: keeps a shop in it"""
FENCED = f"```text\n{OURS}\n```\nI hope this helps!"
BULLETS = "\n".join("- " + line for line in OURS.splitlines())
WRAPPED = "\n".join(f"({line})" for line in OURS.splitlines())
COLONS = """Entity: Tobias Wren | person | an old clockmaker
Entity: Harrow Lane | place | a street
Relation: Tobias Wren | Harrow Lane | keeps a shop | It is his street. | eight"""
THOUGHT = f"<think>\nentity | Nobody Real | person | a thought\n</think>\n{OURS}"
HALF_THOUGHT = f"I should list them. entity | No One | person | x</think>\n{OURS}"
WORN = """entity<|#>Tobias Wren<#|>person<|>a clockmaker
entity<||>Harrow Lane<||>place<||>a street
relation<|#|Tobias Wren<|#|Harrow Lane<|#|shop<|#|He keeps it there."""
CSV = """("entity", "Tobias Wren", "person", "a clockmaker, old and slow")
("entity", "Harrow Lane", "place", "a street")
("relationship", "Tobias Wren", "Harrow Lane", "keeps a shop", "in the lane, they say", 8)"""
TABBED = OURS.replace(" | ", "\t")
ALL_ENGLISH = {
    "ours": OURS, "graphrag": GRAPHRAG, "lightrag old": LIGHTRAG_OLD, "lightrag": LIGHTRAG_NEW,
    "unfilled": UNFILLED, "json": JSON, "nodes": NODES, "loose json": LOOSE_JSON,
    "arrays": ARRAYS, "tables": TABLES, "lists": LISTS, "fenced": FENCED, "bullets": BULLETS,
    "wrapped": WRAPPED, "colons": COLONS, "thought": THOUGHT, "half a thought": HALF_THOUGHT,
    "worn": WORN, "csv": CSV, "tabs": TABBED,
}  # fmt: skip
CHINESE = {
    "ours": """entity | 沈砚 | person | 苏州的秀才
entity | 听雨楼 | place | 茶楼
relation | 沈砚 | 听雨楼 | 喝茶 | 沈砚常到听雨楼喝茶。 | 8""",
    "wide": """实体｜沈砚｜人物｜苏州的秀才
实体｜听雨楼｜地点｜茶楼
关系｜沈砚｜听雨楼｜喝茶｜沈砚常到听雨楼喝茶。｜八""",
    "tuples": """（“entity”，“沈砚”，“人物”，“苏州的秀才”）
（“entity”，“听雨楼”，“地点”，“茶楼”）
（“relationship”，“沈砚”，“听雨楼”，“喝茶”，“沈砚常到听雨楼喝茶”，8）""",
    "json": """{"实体": [{"名称": "沈砚", "类型": "人物"}, {"名称": "听雨楼", "类型": "地点"}],
"关系": [{"源实体": "沈砚", "目标实体": "听雨楼", "关系": "喝茶", "强度": "8分"}]}""",
    "table": """| 名称 | 类型 | 描述 |
|---|---|---|
| 沈砚 | 人物 | 秀才 |
| 听雨楼 | 地点 | 茶楼 |

| 源实体 | 目标实体 | 关系 |
|---|---|---|
| 沈砚 | 听雨楼 | 喝茶 |""",
    "lists": """实体：
1、沈砚（人物）：苏州的秀才
2、听雨楼（地点）：茶楼
关系：
1、沈砚 → 听雨楼：常去喝茶""",
}


@pytest.mark.parametrize("text", ALL_ENGLISH.values(), ids=ALL_ENGLISH)
def test_each_known_format_gives_its_two_names_and_their_relation(text):
    read = parse_records(text)
    names = {e.name.casefold(): e.type for e in read.entities}
    assert names == {"tobias wren": "person", "harrow lane": "place"}
    (relation,) = read.relations
    ends = [relation.source.casefold(), relation.target.casefold()]
    assert ends == ["tobias wren", "harrow lane"]
    assert relation.strength in (8.0, 5.0)
    assert relation.keywords or relation.description


@pytest.mark.parametrize("text", CHINESE.values(), ids=CHINESE)
def test_a_chinese_list_is_parsed(text):
    read = parse_records(text)
    assert {e.name: e.type for e in read.entities} == {"沈砚": "person", "听雨楼": "place"}
    assert [(r.source, r.target) for r in read.relations] == [("沈砚", "听雨楼")]


def test_keywords_and_description_are_recognised_in_either_order():
    one = parse_records("relation | A Hale | B Marsh | sailing | They sailed together. | 7")
    other = parse_records("relation | A Hale | B Marsh | They sailed together. | sailing | 7")
    assert one.relations == other.relations
    assert one.relations[0].keywords == ("sailing",)
    assert one.relations[0].description == "They sailed together."


def test_swapped_name_and_type_are_corrected():
    (entity,) = parse_records("entity | person | Clara Wren | a niece").entities
    assert entity == EntityRecord("Clara Wren", "person", "a niece")


def test_an_unrequested_type_becomes_other():
    (entity,) = parse_records("entity | Petrel | brigantine | lost at sea").entities
    assert entity == EntityRecord("Petrel", "other", "lost at sea")


def test_custom_types_are_known():
    read = parse_records("entity | BRCA1 | Genes | x\nentity | Petrel | ship | y", ("gene", "ship"))
    assert [e.type for e in read.entities] == ["gene", "ship"]


@pytest.mark.parametrize(
    ("written", "strength"),
    [
        ("9", 9.0), ("9/10", 9.0), ("90%", 9.0), ("nine", 9.0), ("九", 9.0), ("9分", 9.0),
        ("120", 10.0), ("-3", 0.0), ("strength: 9", 9.0), ("high", 8.0), ("3,5", 3.5),
    ],
)  # fmt: skip
def test_a_strength_is_read_in_digits_and_words(written, strength):
    (relation,) = parse_records(
        f"relation | Hale | Marsh | friend | They sailed. | {written}"
    ).relations
    assert relation.strength == strength


def test_a_repeated_name_or_pair_counts_once():
    read = parse_records(
        OURS + "\n" + OURS.replace("an old clockmaker", "an old clockmaker indeed")
    )
    assert len(read.entities) == 2 and len(read.relations) == 1
    assert read.entities[0].description == "an old clockmaker indeed"
    assert read.refused["repeated"] == 3


def test_a_rejected_record_has_a_reason():
    read = parse_records(
        "entity | | person | x\nrelation | Hale | Hale | x | y | 3\nrelation | Hale\n"
        f"entity | {'long ' * 30} | person | x\nSome prose that nobody asked for."
    )
    assert read.entities == () and read.relations == ()
    assert read.refused["same name twice"] == 1
    assert read.refused["a name is missing"] == 1
    assert read.refused["name too long"] == 1
    assert read.refused["no record"] == 1


def test_a_truncated_list_keeps_its_complete_records():
    whole = parse_records(JSON)
    cut = parse_records(JSON[: JSON.index('"relationships"') + 40])
    assert cut.entities == whole.entities


def test_facts_in_the_order_of_a_sentence_are_reordered():
    read = parse_records("(Tobias Wren, employs, Edmund Marsh)")
    assert [(r.source, r.target, r.keywords) for r in read.relations] == [
        ("Tobias Wren", "Edmund Marsh", ("employs",))
    ]


def test_a_refusal_gives_no_records():
    for text in ("", "   \n", "I cannot help with that.", "抱歉，我不能。", "done", "<think>hm"):
        read = parse_records(text)
        assert read.entities == () and read.relations == ()


# --- nothing makes it raise ------------------------------------------------------------------

SEEDS = [*ALL_ENGLISH.values(), *CHINESE.values()]
PIECES = st.sampled_from(
    ["|", "<|>", "<|#|>", "##", "\n", "{", "}", "[", "]", '"', "'", "“", "｜", "(", ")", "->", ":",
     "entity", "relation", "claim", "<think>", "</think>", "```", "done", "|||", "\ud800", "\x00",
     "NaN", "1e999", "：", "，", "person", " ", "\t", "\\", "实体", "-", "#", "**", "9" * 400]
)  # fmt: skip


@st.composite
def mutated(draw):
    text = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(0, 6))):
        at = draw(st.integers(0, len(text)))
        end = min(len(text), at + draw(st.integers(0, 12)))
        text = text[:at] + draw(st.one_of(PIECES, st.text(max_size=8))) + text[end:]
    return text[: draw(st.integers(0, len(text)))] if draw(st.booleans()) else text


GARBAGE = st.one_of(
    st.text(max_size=300), st.lists(PIECES, max_size=60).map("".join), mutated(), mutated()
)


def check_soundness(read: Records, types: tuple[str, ...]) -> None:
    for entity in read.entities:
        assert entity.name.strip() == entity.name and 0 < len(entity.name) <= MAX_NAME
        assert any(char.isalnum() for char in entity.name) and "\n" not in entity.name
        assert entity.type in (*types, "other")
        assert len(entity.description) <= MAX_DESCRIPTION
    for relation in read.relations:
        assert relation.source.casefold() != relation.target.casefold()
        assert 0 < len(relation.source) <= MAX_NAME and 0 < len(relation.target) <= MAX_NAME
        assert math.isfinite(relation.strength) and 0 <= relation.strength <= MAX_STRENGTH
        assert len(relation.keywords) <= MAX_KEYWORDS
        assert all(0 < len(word) <= MAX_KEYWORD for word in relation.keywords)
        assert len(relation.description) <= MAX_DESCRIPTION
    names = Counter(e.name.casefold() for e in read.entities)
    pairs = Counter(frozenset((r.source.casefold(), r.target.casefold())) for r in read.relations)
    assert all(n == 1 for n in (names + Counter(map(str, pairs))).values())
    for text in (*(e.name + e.description for e in read.entities), render_records(read)):
        text.encode("utf-8")
        assert "\x00" not in text


@given(GARBAGE)
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_output_of_a_model_raises(text):
    check_soundness(parse_records(text), ENTITY_TYPES)
    claims, _ = parse_claims(text)
    assert len(claims) <= MAX_CLAIMS
    for claim in claims:
        assert claim.subject and claim.quote
        assert claim.status in ("true", "false", "suspected")


@given(GARBAGE, st.lists(st.text(min_size=1, max_size=12), max_size=4).map(tuple))
def test_only_the_given_types_are_returned(text, types):
    check_soundness(parse_records(text, types), types)


@given(st.sampled_from(SEEDS), st.integers(0, 2000))
def test_a_truncated_list_has_no_names_that_the_whole_list_lacks(text, at):
    whole, cut = parse_records(text), parse_records(text[:at])
    starts = {e.name.casefold() for e in whole.entities}
    n_odd = sum(e.name.casefold() not in starts for e in cut.entities)
    assert n_odd <= 2  # the truncated one, and text in an unclosed thinking block


NAMES = st.from_regex(r"[A-Z][a-z]{2,9} [A-Z][a-z]{2,9}", fullmatch=True)
PROSE = st.from_regex(r"[A-Z][a-z]{3,9}( [a-z]{4,9}){4,8}\.", fullmatch=True)


@given(
    st.lists(NAMES, min_size=2, max_size=5, unique_by=str.casefold),
    st.lists(PROSE, min_size=5, max_size=5),
    st.integers(1, 10),
)
def test_a_rendered_list_is_parsed_back(names, prose, strength):
    records = Records(
        tuple(EntityRecord(n, "person", p) for n, p in zip(names, prose, strict=False)),
        (RelationRecord(names[0], names[1], ("friend",), prose[0], float(strength)),),
    )
    read = parse_records(render_records(records))
    assert (read.entities, read.relations) == (records.entities, records.relations)


def test_a_long_garbage_answer_gives_no_relations():
    for text in ("[" * 100_000, "{" * 100_000, '{"a":' * 30_000, "(((" * 40_000, "<|" * 80_000,
                 '"' * 100_000, "entity|" * 20_000, "- " * 60_000, "## " * 50_000):  # fmt: skip
        found = parse_records(text)
        check_soundness(found, ENTITY_TYPES)
        assert found.relations == ()
