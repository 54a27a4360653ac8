"""The parameters of a question; plain data, and for those of the options panel their texts.

Has LightRAG's query parameters under their known names, with defaults for one computer, and
further ones such as filters by document and collection.
"""

from __future__ import annotations

from dataclasses import dataclass

from .model import ChatMessage, ChunkId, CollectionId, DocumentId
from .settings import option

# Passages that a small model reads one by one before it gives up; the fifth has the evidence for
# one question in thirty.
MAX_READ = 4
READ_MORE = 8  # passages that are offered to be read then; about as long as a written answer takes
# In the order of the menu.
MODES = ("walk", "local", "global", "hybrid", "mix", "naive", "words", "bypass")
GRAPH_MODES = ("local", "global", "hybrid", "mix")
THEME_MODES = ("overview", "drift")  # of the whole library, over reports on its communities
ALL_MODES = (*MODES, *THEME_MODES)
GRAPHRAG_LOCAL = "graphrag"  # a preset: GraphRAG's local search
PRESETS = ("", GRAPHRAG_LOCAL)
# Forms of an answer that also limit its length; any other text is allowed as well.
SHORT_FORM, LONG_FORM, LIST_FORM = "One or Two Sentences", "Multiple Paragraphs", "Bullet Points"


_MAX_TOKENS = 128_000


@dataclass(frozen=True, slots=True)
class QueryParam:
    """The parameters of one question. Names are LightRAG's where it has the same parameter.

    A token limit of 0 means the limit that follows from the chat model's context and speed.

    Attributes:
        mode: one of `ALL_MODES`.
        conversation_history: earlier turns, oldest first, for rewriting a follow-up.
        response_type: form of the answer, such as "Bullet Points"; empty for a short paragraph.
            It also limits the length.
        document_ids: search only these; None for all that are not set aside.
        collection_ids: search only documents of these collections; None for no limit.
        pinned_chunk_ids: passages that come first, whatever is found.
        user_prompt: not used in retrieval.
        top_k: entities (mode local) or relations (mode global).
        related_chunk_number: 5 in LightRAG.
        level: 0 is the coarsest.
        preset: "graphrag" shares the context as GraphRAG's local search does: reports 15 %,
            entities and relations 35 %, text 50 %.
        only_need_context, only_need_prompt: return the context or the prompt as the answer.
    """

    mode: str = "walk"
    conversation_history: tuple[ChatMessage, ...] = ()
    response_type: str = ""
    document_ids: tuple[DocumentId, ...] | None = None
    collection_ids: tuple[CollectionId, ...] | None = None
    pinned_chunk_ids: tuple[ChunkId, ...] = ()
    user_prompt: str = option(
        "",
        "Additional instructions",
        "For the answer; they do not change what is found.",
        kind="paragraph",
        zero="For example: in simple words; compare both books",
    )
    top_k: int = option(
        40,
        "Names or connections to start from",
        "In the modes that search the graph.",
        section="Retrieval",
        least=1,
        most=200,
        expert=True,
    )
    chunk_top_k: int = option(
        20,
        "Passages to keep",
        "How many remain after ranking; the model may read fewer.",
        section="Retrieval",
        least=1,
        most=100,
        expert=True,
    )
    related_chunk_number: int = option(
        5,
        "Passages for each name",
        "Taken for each name or connection that was found.",
        section="Retrieval",
        least=1,
        most=50,
        expert=True,
    )
    kg_chunk_pick_method: str = option(
        "VECTOR",
        "Choose them by",
        "Closest to the question, or shared by most names.",
        section="Retrieval",
        choices=(("VECTOR", "Similarity"), ("WEIGHT", "Shared names")),
        expert=True,
    )
    cosine_threshold: float = option(
        0.2,
        "Minimum similarity",
        "Names and connections less similar to the question are left out.",
        section="Retrieval",
        most=1.0,
        expert=True,
    )
    ll_keywords: tuple[str, ...] = option(
        (),
        "Names to search for",
        "Empty: those in the question.",
        section="Retrieval",
        expert=True,
    )
    hl_keywords: tuple[str, ...] = option(
        (),
        "Topics to search for",
        "Empty: those of the question.",
        section="Retrieval",
        expert=True,
    )
    enable_rerank: bool = option(
        True,
        "Rerank passages",
        "Slower, often better; needs a reranker.",
        section="Retrieval",
        expert=True,
    )
    max_total_tokens: int = option(
        0,
        "Tokens in total",
        "Instructions, earlier turns, passages and question together.",
        section="Context",
        least=1,
        most=_MAX_TOKENS,
        zero="Automatic",
        expert=True,
    )
    max_entity_tokens: int = option(
        0,
        "Tokens for names",
        "Part of the context for descriptions of names.",
        section="Context",
        least=1,
        most=_MAX_TOKENS,
        zero="Automatic",
        expert=True,
    )
    max_relation_tokens: int = option(
        0,
        "Tokens for connections",
        "Part of the context for how names are connected.",
        section="Context",
        least=1,
        most=_MAX_TOKENS,
        zero="Automatic",
        expert=True,
    )
    preset: str = option(
        "",
        "Parts of the context",
        "GraphRAG's local search: reports 15%, names 35%, passages 50%.",
        section="Context",
        choices=(("", "Default"), (GRAPHRAG_LOCAL, "As in GraphRAG")),
        expert=True,
    )
    level: int = option(
        1,
        "Level of topics",
        "For questions to the whole library: 0 reads the few broadest topics.",
        section="Context",
        most=9,
        expert=True,
    )
    max_calls: int = option(
        0,
        "Calls of the model, at most",
        "For questions to the whole library.",
        section="Context",
        least=1,
        most=200,
        zero="Automatic",
        expert=True,
    )
    temperature: float = option(
        0.0,
        "Temperature",
        "0 always writes the most likely words; only “Answer again” varies them.",
        section="Answer",
        most=1.5,
        expert=True,
    )
    system_prompt: str = option(
        "",
        "System prompt",
        "Replaces the built-in one; {context_data} stands for the passages.",
        kind="paragraph",
        section="Answer",
        zero="Built-in",
        expert=True,
    )
    only_if_found: bool = option(
        True,
        "Answer only what is in the documents",
        "Where nothing near the question is found, the model is not asked.",
        section="Answer",
    )
    most_read: int = option(
        MAX_READ,
        "Passages to read one by one",
        "A small model reads so until a passage has the answer.",
        section="Answer",
        least=1,
        most=40,
        expert=True,
    )
    include_references: bool = option(
        True,
        "List the cited documents",
        "In answers that programs read.",
        section="Answer",
        expert=True,
    )
    include_chunk_content: bool = option(
        False,
        "Include the texts of passages",
        "In answers that programs read.",
        section="Answer",
        expert=True,
    )
    only_need_context: bool = option(
        False,
        "Show only the context",
        "What the model would read, instead of an answer.",
        section="Answer",
        expert=True,
    )
    only_need_prompt: bool = option(
        False,
        "Show only the prompt",
        "Instructions, passages and question, instead of an answer.",
        section="Answer",
        expert=True,
    )

    @property
    def has_keywords(self) -> bool:
        """Whether the caller gave keywords."""
        return bool(self.hl_keywords or self.ll_keywords)
