"""What embedding models want written before a question and before a passage.

Owns one table, by a word in the model's name. A model that is not in it gets nothing.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Prefixes:
    query: str = ""
    passage: str = ""


_BY_WORD: tuple[tuple[str, Prefixes], ...] = (
    ("e5-mistral", Prefixes("Instruct: Retrieve passages that answer the query\nQuery: ", "")),
    ("e5", Prefixes("query: ", "passage: ")),
    ("nomic-embed", Prefixes("search_query: ", "search_document: ")),
    ("embeddinggemma", Prefixes("task: search result | query: ", "title: none | text: ")),
    (
        "qwen3-embedding",
        Prefixes(
            "Instruct: Given a web search query, retrieve relevant passages that answer the "
            "query\nQuery:",
            "",
        ),
    ),
    ("mxbai-embed", Prefixes("Represent this sentence for searching relevant passages: ", "")),
    ("snowflake-arctic", Prefixes("query: ", "")),
    ("bge-m3", Prefixes()),
    ("bge", Prefixes("Represent this sentence for searching relevant passages: ", "")),
)


def find_prefixes(*names: str) -> Prefixes:
    """Return the prefixes for a model known under any of these names (title, file, folder)."""
    low = " ".join(names).lower().replace("_", "-").replace(" ", "-")
    return next((prefixes for word, prefixes in _BY_WORD if word in low), Prefixes())
