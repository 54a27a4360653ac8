"""Commands, follow-up questions and export of a chat, without a window."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from desktop_app.engine.errors import UserError
from desktop_app.engine.model import Citation, DocumentRow, EntityRow, Reference
from desktop_app.engine.query import QueryParam
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import NamedPart
from desktop_app.engine.writing_systems import has_han
from desktop_app.ui.chat.answer_view import NAME, link_number, render_answer
from desktop_app.ui.chat.composer import match_commands, split_commands
from desktop_app.ui.chat.export import (
    Cited,
    as_html,
    as_json,
    as_markdown,
    list_cited_documents,
    text_without_sources,
    write_chat,
)
from desktop_app.ui.chat.suggestions import (
    choose_suggested_documents,
    suggest_followups,
    suggest_questions,
)
from desktop_app.ui.chat.turns import REPEAT_TEMPERATURE, Turn, vary
from desktop_app.ui.theme.design_tokens import LIGHT

CITATION = Citation(1, 5, 2, "The <Ferry>", 10, 20, "She rows\nwell.", "12")
TURN = Turn("Who <b>?", "She rows [1] **well**【2】.", (CITATION,), model="tiny", answered=True)


def test_known_commands_are_removed_from_the_question() -> None:
    commands, rest = split_commands("/Local /points Who is 林秋白?")
    assert [c.name for c in commands] == ["local", "points"] and rest == "Who is 林秋白?"
    assert split_commands("/tmp is full?") == ([], "/tmp is full?")
    assert split_commands("1/local") == ([], "1/local")
    assert split_commands("/bypass\nHello")[1] == "Hello"


def test_commands_match_typed_text_by_name_and_by_description() -> None:
    assert match_commands("/lo")[0].name == "local"
    assert "export" in [c.name for c in match_commands("/file")]
    assert match_commands("/local Who") == [] and match_commands("Who") == []


def test_followups_are_about_names_missing_in_the_question() -> None:
    named = [
        NamedPart("Ada", 1, "Ada Merrow", "person"),
        NamedPart("Tobias", 2, "Tobias Quill", "person"),
        NamedPart("Harrow Ford", 3, "Harrow Ford", "place"),
        NamedPart("林秋白", 4, "林秋白", "person"),
    ]
    text = "Tobias Quill rowed. Tobias saw Ada at Harrow Ford. Vane sang. Tobias slept."
    assert suggest_followups("Who is Ada?", named, [text]) == [
        "How are Ada Merrow and Tobias Quill connected?",  # they are in one sentence
        "Who is Tobias Quill?",
    ]
    apart = "Tobias rowed. Ada saw him at Harrow Ford."
    assert suggest_followups("Who is Ada?", named, [apart]) == ["Who is Tobias Quill?"]
    vane = NamedPart("Vane", 6, "Vane", "person")
    assert suggest_followups("Who rows?", [vane, named[1]], [text]) == [
        "Who is Tobias Quill?",  # who is named most often
        "Who is Vane?",
    ]
    merrows = NamedPart("Merrows", 7, "Merrows", "person")
    assert suggest_followups("What does Merrow do?", [merrows], ["The Merrows sang."]) == []
    rare = NamedPart("Vane", 5, "Vane", "person", is_subject=False)
    assert suggest_followups("Who rows?", [rare], [text]) == []
    assert suggest_followups("谁到过渡口？", named, ["林秋白到过。"]) == ["林秋白是谁？"]


def test_no_followup_is_better_than_one_that_fits_every_name() -> None:
    ada = NamedPart("Ada", 1, "Ada Merrow", "person")
    place = NamedPart("Harrow Ford", 3, "Harrow Ford", "place")
    text = "Ada rowed to Harrow Ford. Harrow Ford was cold."
    assert suggest_followups("Who is Ada?", [ada], [text]) == []
    assert suggest_followups("What is there?", [place], [text]) == []
    assert suggest_followups("Who?", [ada], ["Nobody rowed."]) == []  # not in the passage


def test_a_theme_of_the_library_is_asked_about() -> None:
    communities = [("Ada", "林秋白", "Tobias"), ("林秋白", "沈老三", "周德海", "青石镇")]
    people = ("林秋白", "沈老三", "周德海")
    rows = [EntityRow(i, name, "person", 9, 3, 1) for i, name in enumerate(people)]
    questions = suggest_questions([rows], communities)
    assert questions[0] == "林秋白是谁？"
    assert questions[2] == "林秋白、沈老三和周德海一起经历了什么？"
    things = [replace(row, type="concept") for row in rows]
    assert not any("经历" in question for question in suggest_questions([things], communities))


def test_an_empty_chat_asks_about_people_places_and_themes() -> None:
    rows = [
        EntityRow(1, "Ada", "person", 9, 3, 1),
        EntityRow(2, "Tobias", "person", 8, 3, 1),
        EntityRow(3, "Penny", "object", 7, 3, 1),
        EntityRow(4, "Mara", "person", 6, 3, 1),
        EntityRow(5, "Harrow Ford", "place", 5, 3, 1),
    ]
    assert suggest_questions([rows], [("Ada", "Tobias", "Mara")]) == [
        "Who is Ada?",
        "How are Ada and Tobias connected?",
        "What happens in Harrow Ford?",
        "What happens between Ada, Tobias and Mara?",
    ]
    assert suggest_questions([rows])[3] == "What is said about Penny?"
    letters = [EntityRow(9, name, "person", 20, 3, 1) for name in ("J", "K.")]
    assert suggest_questions([[*letters, *rows]])[0] == "Who is Ada?"


def test_a_rare_name_of_a_document_is_not_asked_about() -> None:
    paper = [
        EntityRow(1, "TraceMonkey", "concept", 45, 3, 1),
        EntityRow(2, "Linked", "person", 4, 9, 1),
        EntityRow(3, "JavaScript", "concept", 35, 3, 1),
    ]
    assert suggest_questions([paper]) == [
        "What is said about TraceMonkey?",
        "What is said about JavaScript?",
    ]


def test_questions_are_of_several_documents_in_the_language_of_the_window() -> None:
    def people(*names: str, n: int) -> list[EntityRow]:
        return [EntityRow(i, name, "person", n - i, 3, 1) for i, name in enumerate(names)]

    novel = people("宋江", "鲁智深", "武松", "李逵", n=9_000)
    carol, dracula = people("Scrooge", "Marley", n=300), people("Lucy", "Mina", n=200)
    documents = [carol, dracula, novel]
    assert suggest_questions(documents, chinese=False) == [
        "Who is Scrooge?",
        "How are Lucy and Mina connected?",
        "How are Scrooge and Marley connected?",
        "宋江是谁？",  # the largest document is not left out
    ]
    *first, last = suggest_questions(documents, chinese=True)
    assert first[0] == "宋江是谁？" and all(map(has_han, first))
    assert last == "Who is Scrooge?"


def test_in_a_chinese_window_half_of_the_questions_are_chinese() -> None:
    def ask(*documents: list[EntityRow], **order) -> list[bool]:
        return [has_han(question) for question in suggest_questions(documents, **order)]

    laws = [EntityRow(1, "证监会", "organisation", 9, 3, 1)]  # one question
    carol = [EntityRow(i, n, "person", 9, 3, 1) for i, n in enumerate(("Scrooge", "Fred"), 2)]
    assert ask(laws, carol, chinese=True, half_chinese=True) == [True, False]
    assert ask(carol, laws, half_chinese=True) == [False, True]  # in use
    assert ask(carol, laws).count(False) > 1  # in an English window
    assert ask(carol, chinese=True, half_chinese=True)  # without a Chinese document


def test_documents_to_ask_about_are_in_the_language_of_the_window_first() -> None:
    rows = [
        DocumentRow(1, "水浒传", "a.txt", "txt", "zh", "ready", n_mentions=9_000),
        DocumentRow(2, "Carol", "b.txt", "txt", "en", "ready", n_mentions=300),
        DocumentRow(3, "Carol (copy)", "c.txt", "txt", "en", "ready", n_mentions=300,
                    duplicate_of=2),
        DocumentRow(4, "Scan", "d.pdf", "pdf", "en", "failed"),
        DocumentRow(5, "Dracula", "e.txt", "txt", "en", "ready", n_mentions=800),
    ]  # fmt: skip
    assert _list_chosen(rows, chinese=False) == ([], [5, 2, 1])
    assert _list_chosen(rows, chinese=True) == ([], [1, 5, 2])


def _list_chosen(rows: list[DocumentRow], **options) -> tuple[list[int], list[int]]:
    used, others = choose_suggested_documents(rows, **options)
    return [int(row.id) for row in used], [int(row.id) for row in others]


def test_a_document_in_use_leaves_half_of_the_questions_to_the_others() -> None:
    def people(*names: str) -> list[EntityRow]:
        return [EntityRow(i, name, "person", 90 - i, 3, 1) for i, name in enumerate(names)]

    sample, novel = people("沈衡", "柳三娘"), people("宋江", "李逵", "武松")
    manual = [EntityRow(1, "MuPDF", "concept", 90, 3, 1), EntityRow(2, "PDF", "concept", 9, 3, 1)]
    pairs = [("宋江", "李逵"), ("沈衡", "柳三娘")]
    order = {"n_in_use": 1, "chinese": True}
    assert suggest_questions([sample, novel], (), pairs, **order) == [
        "沈衡是谁？",
        "沈衡和柳三娘是什么关系？",
        "宋江是谁？",
        "宋江和李逵是什么关系？",
    ]
    assert suggest_questions([novel[:1], sample], (), pairs, **order) == [
        "宋江是谁？",
        "沈衡是谁？",
        "沈衡和柳三娘是什么关系？",
        "柳三娘做了什么？",
    ]
    assert suggest_questions([sample], (), pairs, **order)[-1] == "柳三娘做了什么？"
    asked = suggest_questions([manual, novel], (), pairs)  # one has a single kind of questions
    assert [has_han(question) for question in asked] == [False, True, True, True]


def test_people_without_a_sentence_about_both_are_not_asked_about_together() -> None:
    names = ("Mr. Rochester", "St. John", "Adele")
    rows = [EntityRow(i, name, "person", 90 - i, 3, 1) for i, name in enumerate(names)]
    asked = suggest_questions([rows], (), [("Elizabeth", "Jane"), ("Mr. Rochester", "Adele")])
    assert asked[1] == "How are Mr. Rochester and Adele connected?"
    assert not any("connected" in question for question in suggest_questions([rows], (), []))


def test_two_names_of_one_book_are_asked_about_together() -> None:
    names = ("Holmes", "Elizabeth", "Watson")
    rows = [EntityRow(i, name, "person", 19 - i, 3, 1) for i, name in enumerate(names)]
    questions = suggest_questions([rows], [("Holmes", "Watson", "Lestrade")])
    assert questions[1] == "How are Holmes and Watson connected?"


def test_names_are_links_once_in_a_paragraph_and_never_in_code() -> None:
    names = {"Ada Merrow": 1, "Ada": 1, "林秋白": 4}
    html = render_answer("Ada Merrow and Ada, Adam.\n\n`Ada` 林秋白 [1]", {1}, LIGHT, names)
    assert html.count('href="name:1"') == 1 and html.count('href="name:4"') == 1
    assert ">Ada Merrow</a>" in html and "<code>Ada</code>" in html
    assert link_number("name:4", NAME) == 4 and link_number("cite:4", NAME) is None


def test_names_in_an_answer_with_html_stay_text() -> None:
    html = render_answer("<Ada> <script>", {1}, LIGHT, {"Ada": 1})
    assert "<script>" not in html and "&lt;<a href" in html


def test_an_answer_is_copied_without_its_marks() -> None:
    assert text_without_sources(TURN) == "She rows **well**."


def test_a_chat_as_markdown_has_questions_answers_and_sources() -> None:
    text = as_markdown("Ferries", [TURN, Turn("Nobody?")])
    assert text.startswith("# Ferries\n\n## Who &lt;b>?\n\nShe rows [1]")
    assert "- [1] The &lt;Ferry>, p. 12: “She rows well.”" in text and "*No answer.*" in text


def test_a_chat_as_html_loads_nothing_and_links_to_its_sources() -> None:
    text = as_html("<Ferries>", [TURN])
    assert "default-src 'none'" in text and "<title>&lt;Ferries&gt;</title>" in text
    assert 'href="#s1-1"' in text and 'id="s1-1"' in text and "The &lt;Ferry&gt;, p. 12" in text
    assert "<b>?" not in text and "http" not in text.replace("http-equiv", "")


def test_a_chat_as_json_keeps_the_offsets_of_citations() -> None:
    (turn,) = json.loads(as_json("Ferries", [TURN]))["turns"]
    assert (turn["citations"][0]["start"], turn["citations"][0]["place"]) == (10, "p. 12")


def test_an_exported_chat_ends_with_the_references_of_what_it_cites() -> None:
    assert list_cited_documents([TURN, Turn("Nobody?"), TURN]) == [2]
    paper = Reference(2, "The <Ferry>", "Merrow, Ada", "1999", language="en", isbn="978")
    cited = Cited((paper,), "apa")
    assert as_markdown("F", [TURN], cited).endswith(
        "## References\n\n- Merrow, A. (1999). The &lt;Ferry>.\n"
    )
    assert "Merrow, A. (1999). The &lt;Ferry&gt;.</p>" in as_html("F", [TURN], cited)
    assert json.loads(as_json("F", [TURN], cited))["references"][0]["title"] == "The <Ferry>"
    assert "References" not in as_markdown("F", [TURN]) + as_html("F", [TURN])
    assert "references" not in json.loads(as_json("F", [TURN]))


def test_each_regeneration_raises_the_temperature() -> None:
    usual = QueryParam()
    first = Turn("Who?", "Ada.", question_id=1, versions=(1,), answered=True)
    assert vary(usual, "Who?", None) == usual
    assert vary(usual, "Whose?", first) == usual  # another question gives another answer anyway
    assert vary(usual, "Who?", Turn("Who?", question_id=1)) == usual  # it was never answered
    assert vary(usual, "Who?", first).temperature == REPEAT_TEMPERATURE
    third = Turn("Who?", "Ada.", question_id=2, versions=(1, 2), answered=True)
    assert REPEAT_TEMPERATURE < vary(usual, "Who?", third).temperature <= 1.0
    assert vary(QueryParam(temperature=1.2), "Who?", first).temperature == 1.2


def test_an_html_export_has_links_and_loads_nothing() -> None:
    shown_text = "See https://example.org/x ![p](https://example.org/p.png) <img src=file:///a>"
    text = as_html("Links", [Turn("Where?", shown_text, answered=True)])
    assert '<a href="https://example.org/x" rel="noreferrer noopener"' in text
    assert "<img" not in text and "default-src 'none'" in text


def test_documents_in_use_are_asked_about_before_larger_ones() -> None:
    rows = [
        DocumentRow(1, "水浒传", "a.txt", "txt", "zh", "ready", n_mentions=9_000),
        DocumentRow(2, "Carol", "b.txt", "txt", "en", "ready", n_mentions=300),
        DocumentRow(3, "Carol (copy)", "c.txt", "txt", "en", "ready", n_mentions=300,
                    duplicate_of=2),
        DocumentRow(4, "Scan", "d.pdf", "pdf", "en", "failed"),
    ]  # fmt: skip
    assert _list_chosen(rows, chinese=True, in_use=[3, 1]) == ([3, 1], [2])
    assert _list_chosen(rows, chinese=False, in_use=[4]) == ([], [2, 1])


def test_questions_about_a_document_in_use_have_its_names_language_and_topics() -> None:
    carol = [EntityRow(9, "Scrooge", "person", 3, 3, 1), EntityRow(8, "Marley", "person", 2, 3, 1)]
    asked = suggest_questions([carol], [("Holmes", "Watson", "Lestrade")])
    assert asked[0] == "Who is Scrooge?"
    assert not any("Holmes" in question for question in asked)


def test_a_chat_does_not_replace_a_library(tmp_path):
    path = tmp_path / "own.inkgraph"
    Library(path).close()
    before = path.read_bytes()
    with pytest.raises(UserError, match="An export does not replace it"):
        write_chat(path, "Chat", [])
    assert path.read_bytes() == before
