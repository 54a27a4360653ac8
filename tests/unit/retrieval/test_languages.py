"""Tests how passages in the question's language and in another one are ranked and joined."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_app.engine.query import QueryParam
from desktop_app.engine.retrieval.retriever import Retriever
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.writing_systems import has_han, language_of

TOPICS = (
    ("lamp", "灯"),
    ("fish", "鱼"),
    ("tower", "塔"),
    ("boat", "船"),
    ("snow", "雪"),
    ("potatoes", "土豆"),
)
ENGLISH = {
    "lamp": "The keeper lights the lamp at dusk and is never late.",
    "tower": "The tower was painted white by two men from the village.",
    "boat": "Every spring the boat is tarred before it goes out again.",
    "garden": "Behind the house the potatoes grow well, and the beans do not.",
    "road": "The road to the village is steep and full of stones.",
    "letters": "The postman comes on Mondays, and in summer on Fridays too.",
}
CHINESE = {
    "鱼市": "他的妻子每天早上在镇上的市场里卖鱼。",
    "冬天": "那年冬天下了一场大雪，学校关了三天门。",
    "邻居": "邻居养了两头牛，牛奶送到城里去卖。",
}


class BilingualEmbedder:
    """Two texts are near for their topics, and nearer in one language, as with multilingual-e5."""

    dim, is_remote = 2 + len(TOPICS), False

    def __init__(self, name: str = "multilingual-e5-fake") -> None:
        self.name = name

    def embed_query(self, text: str) -> np.ndarray:
        vector = np.zeros(self.dim, dtype=np.float32)
        vector[0], vector[1] = 1.0, 0.2 if has_han(text) else -0.2
        for n, words in enumerate(TOPICS):
            vector[2 + n] = 0.35 * any(word in text.lower() for word in words)
        return vector / np.linalg.norm(vector)

    def embed_passages(self, texts: list[str]) -> np.ndarray:
        return np.array([self.embed_query(text) for text in texts]).reshape(-1, self.dim)

    def close(self) -> None: ...


def make_library(folder, embedder, texts):
    for title, text in texts.items():
        (folder / f"{title}.txt").write_text(text, "utf-8")
    library = Library(folder / "asked.inkgraph")
    add_files(library.writer, [folder / f"{title}.txt" for title in texts])
    IndexingService(library.writer, lambda: embedder).run()
    return library


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("languages")
    made = make_library(folder, BilingualEmbedder(), ENGLISH | CHINESE)
    yield made
    made.close()


def ask(library, question, embedder=None, **param):
    found = Retriever(library.writer, lambda: embedder or BilingualEmbedder()).find(
        question, QueryParam(**param)
    )
    return found, [passage.title for passage in found.passages]


@pytest.mark.parametrize("mode", ["walk", "naive"])
def test_passages_in_another_language_lead_where_only_they_are_near(library, mode):
    found, titles = ask(library, "Where is the fish sold?", mode=mode)
    assert titles[0] == "鱼市"
    assert not found.weak
    assert {language_of(passage.text) for passage in found.passages[:5]} == {"en", "zh"}


def test_a_chinese_question_finds_what_only_an_english_text_says(library):
    found, titles = ask(library, "谁点亮灯？")
    assert titles[0] == "lamp"
    assert not found.weak


def test_a_question_is_ranked_as_in_a_library_of_its_own_language(library, tmp_path):
    _, titles = ask(library, "Who lights the lamp in the tower?")
    alone = make_library(tmp_path, BilingualEmbedder(), ENGLISH)
    try:
        _, expected = ask(alone, "Who lights the lamp in the tower?")
    finally:
        alone.close()
    assert titles[: len(expected)] == expected
    assert set(titles[len(expected) :]) <= set(CHINESE)


def test_a_name_that_occurs_nowhere_refuses_no_question_that_another_language_may_answer(library):
    found, titles = ask(library, "Where does Heathcliff sell his fish?")
    assert (titles[0], found.weak) == ("鱼市", False)
    found, _ = ask(library, "Where does Heathcliff grow his potatoes?")
    assert found.weak  # only English texts are near, and none has that name


def test_languages_take_turns_where_the_embedding_model_was_not_measured(tmp_path):
    other = BilingualEmbedder("other-model")
    library = make_library(tmp_path, other, ENGLISH | CHINESE)
    try:
        found, titles = ask(library, "Who lights the lamp?", other)
    finally:
        library.close()
    assert titles[0] == "lamp"
    assert [title in CHINESE for title in titles[:5]] == [False, False, True, False, True]
    assert [p.score for p in found.passages] == sorted(
        (p.score for p in found.passages), reverse=True
    )


def test_chosen_documents_stay_the_only_ones(library):
    ids = dict(library.writer.rows("SELECT title, id FROM document"))
    _, titles = ask(library, "Where is the fish sold?", document_ids=(ids["lamp"], ids["冬天"]))
    assert set(titles) <= {"lamp", "冬天"}
    _, titles = ask(library, "Where is the fish sold?", document_ids=(ids["lamp"],))
    assert titles == ["lamp"]
