"""From two paragraphs to an enriched graph with the real readers, name finder and llama.cpp.

The model writes at random: what it finds is not checked, but what must hold for any result.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_app.engine.extraction.llm.tasks import EnrichSettings
from desktop_app.engine.llm.llama_chat import LlamaChat
from desktop_app.engine.model import REJECTED
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.enrichment.service import EnrichmentService
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library

STORY = """Old Tobias Wren kept a shop of clocks in Larkhill. His niece, Clara Wren, wound them
every night, and Clara Wren loved Edmund Marsh, who had sailed away on the brig Petrel.

One evening Captain Hale came to Larkhill. "Edmund Marsh was my friend for nine years," said
Captain Hale to Clara Wren. Tobias Wren struck Captain Hale in the face.
"""
# Names of the worked examples of the prompts that are not in this text.
EXAMPLES = {"Harrow", "Wexley", "Ruth", "Quill", "Mermaid", "Pargeter", "Napoleon", "Bristol"}

pytestmark = pytest.mark.model


class CountingChat:
    """A model that counts prompt programs and their tokens."""

    def __init__(self, model: LlamaChat) -> None:
        self._model = model
        self.n_scripts = 0
        self.n_tokens = 0

    def __getattr__(self, name: str):
        return getattr(self._model, name)

    def run_programs(self, programs, **more):
        for run in self._model.run_programs(programs, **more):
            self.n_scripts += 1
            self.n_tokens += run.n_prompt + run.n_written
            yield run


@pytest.fixture
def chat(random_chat: Path) -> Iterator[CountingChat]:
    model = LlamaChat(random_chat, n_ctx=4096, n_threads=1)
    yield CountingChat(model)
    model.close()


def test_a_story_is_enriched_by_a_model_and_cached_the_second_time(
    library: Library, chat: CountingChat, tmp_path: Path
):
    (tmp_path / "clock.txt").write_text(STORY, "utf-8")
    add_files(library.writer, [tmp_path / "clock.txt"])
    IndexingService(library.writer, lambda: None).run(embed=False)
    enriching = EnrichmentService(library.writer, lambda: chat)
    enriching.save_settings(EnrichSettings(strategy="slots", domain="general"))
    enriching.enqueue()
    result = enriching.run()
    assert (result.n_done, result.n_failed) == (1, 0)
    total = enriching.status().total
    assert (total.n_enriched, total.n_waiting, total.n_failed) == (1, 0, 0)
    assert total.n_tokens == chat.n_tokens > 0

    found = read_graph(library)
    names, relations, descriptions = found
    assert {"Tobias Wren", "Clara Wren", "Captain Hale"} <= names.keys()
    assert relations, "the instant pairs are kept, whatever the model says"
    for source, target, quote, confidence in relations:
        assert source in quote and target in quote
        assert 0.0 <= confidence <= 1.0
    written = " ".join((*names, *descriptions))
    assert not any(word in written and word not in STORY for word in EXAMPLES)

    n_tokens = chat.n_tokens
    enriching.enqueue(again=True)
    assert enriching.run().n_done == 1
    assert chat.n_scripts == 2 and chat.n_tokens == n_tokens, "answered from what was kept"
    assert read_graph(library) == found
    assert enriching.status().total.n_tokens == total.n_tokens


def read_graph(library: Library):
    """Return names with types, relations with their quotes, and all descriptions."""
    rows = library.writer.rows
    names = dict(rows("SELECT name, type FROM entity ORDER BY id"))
    relations = rows(
        "SELECT s.text, t.text, substr(d.text, r.start + 1, r.end - r.start), r.confidence"
        " FROM standing_claim r JOIN name s ON s.id = r.source_id JOIN name t ON t.id = r.target_id"
        " JOIN document_text d ON d.document_id = r.document_id ORDER BY r.start, r.end"
    )
    descriptions = [
        text for (text,) in rows("SELECT description FROM name_claim WHERE type <> ?", (REJECTED,))
    ]
    return names, relations, descriptions
