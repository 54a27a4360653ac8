"""A passage has the section of what is found in it, not only that of its first words."""

from __future__ import annotations

from desktop_app.engine.query import QueryParam
from desktop_app.engine.retrieval.retriever import Retriever
from tests.books import add_book

TEXT = (
    "Overview\n\nPixels are stored row by row. " + "Nothing else is said of them. " * 8,
    "Premultiplied alpha\n\nThe components were multiplied by the alpha value already. ",
)


def test_a_passage_has_the_section_of_its_best_sentence(library) -> None:
    document_id = add_book(library, ("".join(TEXT),), title="A manual")
    db = library.writer
    outline = [(1, "Images", 0), (2, "Overview", 0), (2, "Premultiplied alpha", len(TEXT[0]))]
    with db.transaction():
        for number, heading in enumerate(outline):
            db.write(
                "INSERT OR REPLACE INTO heading VALUES (?, ?, ?, ?, ?, NULL)",
                (document_id, number, *heading),
            )
    finder = Retriever(db, lambda: None)
    param = QueryParam(mode="words")
    [late] = finder.find("multiplied components", param).passages
    assert late.heading == "Images › Premultiplied alpha"
    [early] = finder.find("pixels stored", param).passages
    assert early.heading == "Part"  # as the chunk is stored
