"""Labels, hints and limits of `QueryParam`'s fields for the window. No Qt.

The fields, their types and their defaults are read from `QueryParam` itself.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from desktop_app.engine.query import LIST_FORM, LONG_FORM, SHORT_FORM, QueryParam

from ..language import later, tr

# label, value for the engine; the model understands it in both languages
FORMS = (
    (SHORT_FORM, later("Short"), later("One or two sentences")),
    ("", later("Medium"), later("A short paragraph")),
    (LONG_FORM, later("Long"), later("Several paragraphs; takes longer")),
    (LIST_FORM, later("Bullet points"), later("A list of points")),
)


@dataclass(frozen=True, slots=True)
class QueryOption:
    """One field of `QueryParam` as it is shown.

    Attributes:
        kind: "int", "float", "bool" or "str".
        choices: values with their labels.
        zero: what 0 means, "" if it has no special meaning.
        listed: whether the value is a list of words.
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


_TOKENS = {"high": 128_000, "zero": later("As the model allows")}
_WORDS: dict[str, dict] = {
    "top_k": {
        "label": later("Names or connections to start from"),
        "hint": later("For the ways that start from what is said of names"),
        "low": 1,
        "high": 200,
    },
    "chunk_top_k": {
        "label": later("Passages kept"),
        "hint": later("How many passages remain after ranking; fewer are read by the model"),
        "low": 1,
        "high": 100,
    },
    "related_chunk_number": {
        "label": later("Passages for each name"),
        "hint": later("Taken for each name or connection that was found"),
        "low": 1,
        "high": 50,
    },
    "kg_chunk_pick_method": {
        "label": later("Which of them"),
        "hint": later("Those closest to the question, or those that most names share"),
        "choices": (("VECTOR", later("The closest")), ("WEIGHT", later("The most shared"))),
    },
    "cosine_threshold": {
        "label": later("Least closeness"),
        "hint": later("Names and connections less close to the question than this are left out"),
        "low": 0.0,
        "high": 1.0,
    },
    "ll_keywords": {
        "label": later("Names to look for"),
        "hint": later("Separated by commas; empty to have them found in the question"),
        "listed": True,
    },
    "hl_keywords": {
        "label": later("Themes to look for"),
        "hint": later("Separated by commas; empty to have them found in the question"),
        "listed": True,
    },
    "max_total_tokens": {
        "label": later("Tokens in all"),
        "hint": later("Instructions, earlier turns, passages and question together"),
        **_TOKENS,
    },
    "max_entity_tokens": {
        "label": later("Tokens for names"),
        "hint": later("Of the context, for descriptions of names"),
        **_TOKENS,
    },
    "max_relation_tokens": {
        "label": later("Tokens for connections"),
        "hint": later("Of the context, for how names are tied together"),
        **_TOKENS,
    },
    "preset": {
        "label": later("How the context is shared out"),
        "hint": later("GraphRAG's local search: reports 15 %, names 35 %, passages 50 %"),
        "choices": (("", later("As usual")), ("graphrag", later("As GraphRAG does"))),
    },
    "level": {
        "label": later("Level of themes"),
        "hint": later("For questions to the whole library: 0 reads the few broadest themes"),
        "high": 9,
    },
    "max_calls": {
        "label": later("Calls of the model at most"),
        "hint": later("For questions to the whole library"),
        "high": 200,
        "zero": later("As its speed allows"),
    },
    "temperature": {
        "label": later("Freedom of wording"),
        "hint": later("0 writes the likeliest words; answering again varies them by itself"),
        "low": 0.0,
        "high": 1.5,
    },
    "system_prompt": {
        "label": later("Instructions in place of ours"),
        "hint": later("What the model is told first; {context_data} stands for the passages"),
    },
    "enable_rerank": {
        "label": later("Rank again with the reranker"),
        "hint": later("Slower, often better; does nothing where no reranker is installed"),
    },
    "include_references": {
        "label": later("List the documents cited"),
        "hint": later("Told with an answer that is read by programs"),
    },
    "include_chunk_content": {
        "label": later("Give the texts of the passages with them"),
        "hint": later("Told with an answer that is read by programs"),
    },
    "only_need_context": {
        "label": later("Show what would be read, instead of an answer"),
        "hint": later("The passages, names and connections as the model would get them"),
    },
    "only_need_prompt": {
        "label": later("Show the whole prompt, instead of an answer"),
        "hint": later("Instructions, passages and question as the model would get them"),
    },
}
# Set elsewhere: scope, mode and form; the history is the chat itself.
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


def list_expert_options() -> list[QueryOption]:
    """Return the expert options in the order shown."""
    known = {f.name: f for f in fields(QueryParam)}
    return [
        QueryOption(name, str(known[name].type), known[name].default, **words)
        for name, words in _WORDS.items()
        if name in known
    ]


def describe_options(changed: dict[str, object]) -> str:
    """Return the options that differ from the defaults, "" for none."""
    labels = {option.name: tr(option.label).lower() for option in list_expert_options()}
    parts = []
    if changed.get("user_prompt"):
        parts.append(tr("further wishes"))
    parts += [labels[name] for name in changed if name in labels]
    return tr(", ").join(parts)
