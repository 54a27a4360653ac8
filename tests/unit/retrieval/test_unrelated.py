"""Tests what makes a question unrelated to a library: names it does not know, no words of it."""

from __future__ import annotations

import pytest

from desktop_app.engine.query import QueryParam
from desktop_app.engine.retrieval.retriever import Retriever
from desktop_app.engine.retrieval.unrelated import repeats_passage
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from tests.fakes import HashEmbedder

# traditional and simplified characters, a surname alone, a name with Latin letters, a title
TEXT = """灯塔的看守人卡利尼奇每天傍晚点灯，从不迟到。他的妻子在镇上卖鱼。

那年冬天，他读完了《海上的钟声》，又写信给 Marlow 船长。船长的舊友羅迪奇沒有回信。
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("unrelated")
    (folder / "lamp.txt").write_text(TEXT, "utf-8")
    made = Library(folder / "asked.inkgraph")
    add_files(made.writer, [folder / "lamp.txt"])
    IndexingService(made.writer, HashEmbedder).run()
    yield made
    made.close()


@pytest.mark.parametrize(
    ("question", "unknown"),
    [
        ("大卫·佩特鲁齐的职业是什么？", ("大卫·佩特鲁齐",)),
        ("大卫·卡利尼奇住在哪里？", ()),  # one part occurs
        ("亚历山大·罗迪奇有没有回信？", ()),  # in traditional characters
        ("《远山的雨》是谁写的？", ("远山的雨",)),
        ("《海上的钟声》是谁读的？", ()),
        ("PukiWiki是什么？", ("PukiWiki",)),
        ("Marlow是什么人？", ()),
        ("看守人Keeper每天做什么？", ()),  # letters behind a Chinese name may repeat it
        ("谁在镇上卖鱼？", ()),
    ],
)
def test_marked_names_of_a_chinese_question_are_looked_for(library, question, unknown):
    found = Retriever(library.writer, HashEmbedder).find(question, QueryParam())
    assert found.unknown == unknown
    assert found.weak or not unknown


@pytest.mark.parametrize(
    ("question", "repeats"),
    [
        ("“他的妻子在镇上卖鱼，灯塔的看守人每天傍晚点灯”，这句话说的是谁？", True),
        ("谁在镇上卖鱼？", False),  # short: its words stand in many texts
        ("大卫·佩特鲁齐的职业是什么？他每天傍晚在哪里弹琴、作曲和教书？", False),
    ],
)
def test_a_question_that_repeats_a_sentence_is_known(library, question, repeats):
    passages = Retriever(library.writer, HashEmbedder).find(question, QueryParam()).passages
    assert repeats_passage(question, passages) is repeats
    assert not repeats_passage(question, ())


@pytest.mark.parametrize("has_most", [False, True])
def test_vectors_count_once_most_passages_have_one(tmp_path, has_most):
    """A note that has its vectors is not the best passage only because a novel has none yet."""
    (tmp_path / "note.txt").write_text("Maria Vogel met Otto Brandt in Vienna.", "utf-8")
    novel = tmp_path / "novel.txt"
    novel.write_text(
        "\n\n".join(f"第{n}天，柳三娘在苏州城里卖鱼。" * 20 for n in range(12)), "utf-8"
    )
    made = Library(tmp_path / "a.inkgraph")
    for file, embeds in ((tmp_path / "note.txt", True), (novel, has_most)):
        add_files(made.writer, [file])
        IndexingService(made.writer, HashEmbedder if embeds else lambda: None).run(embed=embeds)
    found = Retriever(made.writer, HashEmbedder).find("柳三娘在哪里卖鱼？", QueryParam())
    is_used = any(stage.name == "meaning" and stage.kept for stage in found.stages)
    assert is_used == has_most and found.passages[0].title == "novel"
    assert len(found.passages) > 1 or not has_most
    if not has_most:
        assert {passage.title for passage in found.passages} == {"novel"}
    made.close()


def test_only_the_chosen_documents_are_counted(tmp_path):
    """A novel without vectors is no reason to leave out those of the note that is asked about."""
    note, novel = tmp_path / "note.txt", tmp_path / "novel.txt"
    note.write_text("Maria Vogel met Otto Brandt in Vienna.", "utf-8")
    novel.write_text("The lamps of the harbour were lit at six. " * 200, "utf-8")
    made = Library(tmp_path / "a.inkgraph")
    ids = []
    for file, embeds in ((note, True), (novel, False)):
        ids += add_files(made.writer, [file]).documents
        IndexingService(made.writer, HashEmbedder if embeds else lambda: None).run(embed=embeds)

    def find(*document_ids: int) -> tuple[bool, bool]:
        """Return whether vectors were used, and whether missing ones are noted."""
        param = QueryParam(document_ids=document_ids or None)
        found = Retriever(made.writer, HashEmbedder).find("Where did Maria meet Otto?", param)
        is_used = any(stage.name == "meaning" and stage.kept for stage in found.stages)
        return is_used, any("no vectors yet" in str(note) for note in found.notes)

    assert find() == (False, True)
    assert find(ids[0]) == (True, False)
    assert find(ids[1]) == (False, True)
    DocumentService(made.writer).set_aside([ids[1]], True)
    assert find() == (True, False), "the novel is excluded from answers"
    made.close()
