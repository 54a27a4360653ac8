"""Tests retrieval in books: position in a life, expected words, spread over chapters."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_app.engine.graph.transliteration import RomanizedNames, list_romanizations
from desktop_app.engine.query import QueryParam
from desktop_app.engine.retrieval.retriever import Retriever
from desktop_app.engine.retrieval.strategies.book_ranking import (
    answer_words,
    asks_for_life_story,
    asks_for_list,
    is_answered_late,
)
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from tests.fakes import HashEmbedder

FILLER = "The road ran on between the hedges, and {name} walked along it and said nothing of {n}. "
PLAIN = (
    "{name}道：“第{n}家酒店在那里？”",
    "店家见{name}来，慌忙迎接。",
    "{name}听了，笑了一回，自去歇息。",
    "次日，众人都来看{name}，说了些闲话。",
    "{name}喝道：“休走！”那人便住了脚。",
)


def build_english() -> str:
    """Return a book of ten chapters with one frequent name."""
    chapters = []
    for number in range(1, 11):
        body = "".join(
            FILLER.format(name="Barnaby Crook", n=f"mile {number}{i}") for i in range(60)
        )
        if number == 3:
            body += "Barnaby Crook helped Alice Marsh and gave her money for the rent. "
        if number == 7:
            body += "Barnaby Crook sheltered Tom Weaver from the storm and saved his boat. "
        if number == 10:
            body += "Barnaby Crook drew his last breath by the sea and was buried there. "
        chapters.append(f"Chapter {number}\n\n{body}")
    return "\n\n".join(chapters)


def build_chinese() -> str:
    heads = ["离乡", "过桥", "雪夜杀虎", "投店", "渡江", "入城", "比武", "出关", "归山", "坐化"]
    chapters = []
    for number, head in enumerate(heads, 1):
        body = "".join(PLAIN[i % 5].format(name="林冲", n=f"{number}{i}") for i in range(60))
        if number == 3:
            body += "那大虫扑来，林冲大怒，一拳打去，大虫死在地上。雪夜里杀了虎，众人都喜。"
        if number == 10:
            body += "林冲在庙中坐化，众人见他圆寂，都来哭拜。"
        chapters.append(f"第{'一二三四五六七八九十'[number - 1]}回 {head}\n\n{body}")
    return "\n\n".join(chapters)


@pytest.fixture(scope="module")
def finder(tmp_path_factory):
    """Return the search in a library of both books; no test changes it."""
    folder = tmp_path_factory.mktemp("books")
    library = Library(folder / "books.inkgraph")
    for name, text in (("crook.txt", build_english()), ("stone.txt", build_chinese())):
        path = folder / name
        path.write_text(text, "utf-8")
        add_files(library.writer, [path])
    embedder = HashEmbedder()
    IndexingService(library.writer, lambda: embedder).run()
    yield Retriever(library.writer, lambda: embedder)
    library.close()


def test_a_question_about_a_death_prefers_late_passages(finder):
    found = finder.find("林冲是怎么死的？", QueryParam(chunk_top_k=3))
    assert any("圆寂" in p.text for p in found.passages[:2])  # a tiger dies too
    assert {"scene", "near", "kind", "named"} <= dict(found.passages[0].routes).keys()


def test_what_else_ranked_a_passage_is_recorded(finder):
    introduced = finder.find("Who is Tom Weaver?", QueryParam(chunk_top_k=3))
    assert any("introduction" in dict(p.routes) for p in introduced.passages)
    spread = finder.find("Whom did Barnaby Crook help?", QueryParam(chunk_top_k=6))
    book = spread.passages[0].document_id  # the other one is in another language, ranked apart
    scores = [dict(p.routes)["spread"] for p in spread.passages if p.document_id == book]
    assert len(scores) > 2 and scores == sorted(scores, reverse=True)
    last = introduced.passages[-1].chunk_id
    pinned = finder.find("Who is Tom Weaver?", QueryParam(pinned_chunk_ids=(last,)))
    assert ["pinned" in dict(p.routes) for p in pinned.passages[:2]] == [True, False]


def test_paraphrased_passages_are_found_for_a_frequent_name(finder):
    found = finder.find("Whom did Barnaby Crook help?", QueryParam(chunk_top_k=6))
    text = " ".join(p.text for p in found.passages)
    assert "Alice Marsh" in text and "Tom Weaver" in text


def test_for_a_collecting_question_the_sentence_that_connects_people_is_best(finder):
    found = finder.find("Whom did Barnaby Crook help?", QueryParam(chunk_top_k=6))
    best = [p.text[p.best_start - p.start : p.best_end - p.start] for p in found.passages]
    assert any("helped Alice Marsh" in sentence for sentence in best)
    assert any("sheltered Tom Weaver" in sentence for sentence in best)


def test_passages_that_name_two_people_come_first(finder):
    found = finder.find("What did Barnaby Crook do for Tom Weaver?", QueryParam(chunk_top_k=3))
    assert "Tom Weaver" in found.passages[0].text


def test_a_passage_counts_the_words_of_those_around_it(library, tmp_path):
    calm = "The road ran on between the hedges, and the evening was mild and long.\n\n" * 60
    sinking = f"In that night he lost his boat on the rocks.\n\n{calm}"
    named = f"Tom Weaver put out to sea against all advice.\n\n{calm[:1800]}"
    story = f"{calm}{sinking}{named}{sinking}{sinking}"
    path = tmp_path / "sea.txt"
    path.write_text(story, "utf-8")
    add_files(library.writer, [path])
    IndexingService(library.writer, lambda: None).run()
    found = Retriever(library.writer, lambda: None).find(
        "Where was the boat of Tom Weaver lost?", QueryParam(chunk_top_k=4)
    )
    for passage in found.passages:  # what ranked it is recorded
        assert "scene" in dict(passage.routes) and "near" not in dict(passage.routes)
    by_rank = [dict(passage.routes)["scene"] for passage in found.passages]
    assert by_rank == sorted(by_rank, reverse=True)
    lost = [p for p in found.passages if "lost his boat" in p.text]
    assert "Tom Weaver" not in lost[0].text
    assert story.index(named) < lost[0].start < story.index(named) + 3000


class NameBlindEmbedder(HashEmbedder):
    """Sees only the name where a text has it, else whether the text is about a fall."""

    def _embed(self, text: str) -> np.ndarray:
        row = np.zeros(self.dim, dtype=np.float32)
        about_fall = "plunged" in text or "tumble" in text
        row[0 if "Weaver" in text else 1 if about_fall else 2] = 1.0
        return row


def test_the_question_without_its_names_is_compared_too(library, tmp_path):
    day = "Tom Weaver counted the nets and spoke of the weather to his neighbours.\n\n" * 100
    fall = "Down from the mast he plunged, and the deck was red. " * 30 + "\n\n"
    night = "The wind was cold and the lamps were lit along the quay. " * 30 + "\n\n"
    path = tmp_path / "sea.txt"
    path.write_text(f"{day}{night}{day}{fall}{day}{night}{day}", "utf-8")
    add_files(library.writer, [path])
    embedder = NameBlindEmbedder()
    IndexingService(library.writer, lambda: embedder).run()
    finder = Retriever(library.writer, lambda: embedder)
    assert "Weaver" in finder.find("Weaver").passages[0].text  # nothing is left without the name
    found = finder.find("Where did Tom Weaver tumble?", QueryParam(chunk_top_k=3))
    assert "plunged" in found.passages[0].text


def test_without_any_vector_yet_the_words_decide(library, tmp_path):
    path = tmp_path / "crook.txt"
    path.write_text(build_english(), "utf-8")
    add_files(library.writer, [path])
    IndexingService(library.writer, lambda: None).run()
    embedder = HashEmbedder()
    found = Retriever(library.writer, lambda: embedder).find("Whom did Barnaby Crook shelter?")
    assert "sheltered Tom Weaver" in found.passages[0].text


def test_the_best_window_has_the_rare_words_of_the_question(finder):
    found = finder.find("Where did Tom Weaver keep his boat in the storm?", QueryParam())
    best = next(p for p in found.passages if "Tom Weaver" in p.text)
    assert "Tom Weaver" in best.text[best.best_start - best.start : best.best_end - best.start]


def test_passages_about_deeds_come_from_different_chapters(finder):
    found = finder.find("林冲的主要事迹有哪些？", QueryParam(chunk_top_k=6))
    headings = [p.heading for p in found.passages]
    assert len(set(headings)) >= 5


def test_an_english_question_finds_a_chinese_name_by_transliteration(finder):
    found = finder.find("Where was Lin Chong?", QueryParam(chunk_top_k=3))
    assert "林冲" in [e.name for e in found.entities]
    assert all("林冲" in p.text for p in found.passages[:1])


@pytest.mark.parametrize(
    ("question", "is_late"),
    [("宋江最后怎么样了？", True), ("他是怎么死的？", True), ("柴进帮助过谁？", False)],
)
def test_the_end_of_a_person_is_expected_late(question, is_late):
    assert is_answered_late(question) is is_late


@pytest.mark.parametrize(
    "question",
    ["柴进帮助过谁？", "林冲的主要事迹有哪些？", "Whom did she help?", "What happens to Pip?"],
)
def test_collecting_questions_are_recognised(question):
    assert asks_for_list(question)


@pytest.mark.parametrize(
    "question",
    [
        "鲁智深打死的是谁？",
        "她嫁给了谁？",
        "他去了哪里？",
        "Who is Pip?",
        "Why did he leave?",
        "What happened to the golden ring?",
        "What did all the fishermen do?",
    ],
)
def test_questions_for_one_passage_are_recognised(question):
    assert not asks_for_list(question)


def test_questions_about_deeds_are_collecting_questions():
    assert asks_for_life_story("林冲的主要事迹有哪些？") and not asks_for_life_story(
        "柴进帮助过谁？"
    )


def test_expected_words_depend_on_the_kind_of_question():
    assert "圆寂" in answer_words("他是怎么死的？") and answer_words("Seven o'clock") == ""


def test_names_are_spelled_with_the_surname_apart():
    assert {"lu zhishen", "luzhishen", "lu zhi shen"} <= set(list_romanizations("鲁智深"))
    assert "zhuge liang" in list_romanizations("诸葛亮")


def test_a_spelled_name_begins_with_a_capital():
    names = RomanizedNames([("宋江", 4), ("Pip", 5)])
    assert [hit[2] for hit in names.find("Why did Song Jiang leave?")] == [[4]]
    assert names.find("a song jiang") == [] and names.find("Who is Pip?") == []
