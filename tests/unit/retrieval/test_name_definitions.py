"""Which questions ask who or what a name is, and which answers only give another name."""

import pytest

from desktop_app.engine.retrieval.name_definitions import (
    find_asked_name,
    find_only_name,
    has_only_names,
)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Who is Ben Gunn?", "Ben Gunn"),
        ("who was Mr. Bruff", "Mr. Bruff"),
        ("Who's Dr. Livesey?", "Dr. Livesey"),
        ("What is the Hispaniola?", "Hispaniola"),
        ("Tell me who Ben Gunn is.", "Ben Gunn"),
        ("What kind of place is Frizinghall?", "Frizinghall"),
        ("柳三娘是谁？", "柳三娘"),
        ("请问晁盖到底是什么人？", "晁盖"),
        ("谁是冷子兴？", "冷子兴"),
        ("梁山泊是什么地方？", "梁山泊"),
        ("LightRAG是什么？", "LightRAG"),
        ("什么是知识图谱？", "知识图谱"),
    ],
)
def test_a_question_for_a_name_is_read_by_its_form(question, asked):
    span = find_asked_name(question)
    assert span is not None and question[slice(*span)] == asked


@pytest.mark.parametrize(
    "question",
    [
        "What is the name of the captain of his ship?",
        "Who sings?",
        "Who stole the Moonstone?",
        "谁是宋江的师父？",
        "宋江的师父是谁？",
        "他们是在哪里见面的？",
    ],
)
def test_other_questions_ask_for_no_name(question):
    assert find_asked_name(question) is None


def test_the_name_must_be_all_that_is_asked_about():
    def find(question: str, *names: str) -> str:
        spans = [(at := question.index(name), at + len(name)) for name in names]
        asked = find_only_name(question, spans)
        return question[slice(*asked)] if asked else ""

    assert find("Who is Captain Smollett?", "Smollett") == "Smollett"
    assert find("Who is the owner of Hispaniola?", "Hispaniola") == ""
    assert find("Who are Trelawney and Livesey?", "Trelawney", "Livesey") == ""
    assert find("柳三娘是谁？", "柳三娘") == "柳三娘"


@pytest.mark.parametrize(
    ("answer", "names", "is_only_name"),
    [
        ("柳含章", ["柳含章"], True),
        ("柳三娘是柳含章。", ["柳三娘", "柳含章"], True),
        ("望潮楼的女掌柜", ["望潮楼"], False),
        ("柳含章，老塾师的女儿", ["柳含章"], False),
        ("Octavius Guy", [], True),
        ("Mr. Godfrey", ["Godfrey"], True),
        ("Captain Smollett", ["Smollett"], False),  # his rank
        ("the Queen", [], False),
        ("her Aunt Ada", ["Ada"], False),
        ("the housekeeper", [], False),
        ("Rosanna was also known as Rosy.", ["Rosanna"], True),
    ],
)
def test_another_name_alone_differs_from_what_says_who_it_is(answer, names, is_only_name):
    spans = [(at := answer.index(name), at + len(name)) for name in names]
    assert has_only_names(answer, spans, "柳三娘是谁？") is is_only_name
