"""How an answer may be wished for: its length, and the expert's numbers. No Qt here.

Owns the words for `QueryParam`'s fields and their limits; the fields, their kinds and their
defaults are read from `QueryParam` itself.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from desktop_app.engine.query import QueryParam

# what a person picks, and what the engine is told; both languages understand it
FORMS = (
    ("", "Short", "A short paragraph"),
    ("Multiple Paragraphs", "Detailed", "Several paragraphs; takes longer"),
    ("Bullet Points", "Bullet points", "A list of points"),
)


@dataclass(frozen=True, slots=True)
class Wish:
    """One field as a person sees it; `zero` says what 0 means, "" if it is a number like others.

    `kind` is "int", "float", "bool" or "str"; `choices` are values with their words; `listed`
    is a list of words.
    """

    name: str
    kind: str
    default: object
    label: str
    hint: str
    low: float = 0
    high: float = 0
    zero: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    listed: bool = False


_TOKENS = {"high": 128_000, "zero": "As the model allows"}
_WORDS: dict[str, dict] = {
    "top_k": {
        "label": "Names or connections to start from",
        "hint": "For the ways that start from what is said of names",
        "low": 1,
        "high": 200,
    },
    "chunk_top_k": {
        "label": "Passages kept",
        "hint": "How many passages remain after ranking; fewer are read by the model",
        "low": 1,
        "high": 100,
    },
    "related_chunk_number": {
        "label": "Passages for each name",
        "hint": "Taken for each name or connection that was found",
        "low": 1,
        "high": 50,
    },
    "kg_chunk_pick_method": {
        "label": "Which of them",
        "hint": "Those closest to the question, or those that most names share",
        "choices": (("VECTOR", "The closest"), ("WEIGHT", "The most shared")),
    },
    "cosine_threshold": {
        "label": "Least closeness",
        "hint": "Names and connections less close to the question than this are left out",
        "low": 0.0,
        "high": 1.0,
    },
    "ll_keywords": {
        "label": "Names to look for",
        "hint": "Separated by commas; empty to have them found in the question",
        "listed": True,
    },
    "hl_keywords": {
        "label": "Themes to look for",
        "hint": "Separated by commas; empty to have them found in the question",
        "listed": True,
    },
    "max_total_tokens": {
        "label": "Tokens in all",
        "hint": "Instructions, earlier turns, passages and question together",
        **_TOKENS,
    },
    "max_entity_tokens": {
        "label": "Tokens for names",
        "hint": "Of the context, for descriptions of names",
        **_TOKENS,
    },
    "max_relation_tokens": {
        "label": "Tokens for connections",
        "hint": "Of the context, for how names are tied together",
        **_TOKENS,
    },
    "preset": {
        "label": "How the context is shared out",
        "hint": "GraphRAG's local search: reports 15 %, names 35 %, passages 50 %",
        "choices": (("", "As usual"), ("graphrag", "As GraphRAG does")),
    },
    "level": {
        "label": "Level of themes",
        "hint": "For questions to the whole library: 0 reads the few broadest themes",
        "high": 9,
    },
    "max_calls": {
        "label": "Calls of the model at most",
        "hint": "For questions to the whole library",
        "high": 200,
        "zero": "As its speed allows",
    },
    "system_prompt": {
        "label": "Instructions in place of ours",
        "hint": "What the model is told first; {context_data} stands for the passages",
    },
    "enable_rerank": {
        "label": "Rank again with the reranker",
        "hint": "Slower, often better; does nothing where no reranker is installed",
    },
    "include_references": {
        "label": "List the documents cited",
        "hint": "Told with an answer that is read by programs",
    },
    "include_chunk_content": {
        "label": "Give the texts of the passages with them",
        "hint": "Told with an answer that is read by programs",
    },
    "only_need_context": {
        "label": "Show what would be read, instead of an answer",
        "hint": "The passages, names and connections as the model would get them",
    },
    "only_need_prompt": {
        "label": "Show the whole prompt, instead of an answer",
        "hint": "Instructions, passages and question as the model would get them",
    },
}
# Set elsewhere: over what, how, in what form; the earlier turns are the chat itself.
SET_ELSEWHERE = frozenset(
    {
        "mode",
        "document_ids",
        "collection_ids",
        "response_type",
        "user_prompt",
        "conversation_history",
    }
)


def expert_wishes() -> list[Wish]:
    """Return the fields of `QueryParam` that an expert may set, in the order shown."""
    known = {f.name: f for f in fields(QueryParam)}
    return [
        Wish(name, str(known[name].type), known[name].default, **words)
        for name, words in _WORDS.items()
        if name in known
    ]


def describe_wishes(changed: dict[str, object]) -> str:
    """Return what differs from the usual, in words, "" for nothing."""
    labels = {wish.name: wish.label.lower() for wish in expert_wishes()}
    parts = []
    if changed.get("user_prompt"):
        parts.append("further wishes")
    parts += [labels[name] for name in changed if name in labels]
    return ", ".join(parts)
