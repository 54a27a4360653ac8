"""The parameters of a question; plain data.

Has LightRAG's query parameters under their known names, with defaults for one computer, and
further ones such as filters by document and collection.
"""

from __future__ import annotations

from dataclasses import dataclass

from .model import ChatMessage, CollectionId, DocumentId

# In the order of the menu.
MODES = ("walk", "local", "global", "hybrid", "mix", "naive", "words", "bypass")
GRAPH_MODES = ("local", "global", "hybrid", "mix")
THEME_MODES = ("overview", "drift")  # of the whole library, over reports on its communities
ALL_MODES = (*MODES, *THEME_MODES)
GRAPHRAG_LOCAL = "graphrag"  # a preset: GraphRAG's local search
PRESETS = ("", GRAPHRAG_LOCAL)
# Forms of an answer that also limit its length; any other text is allowed as well.
SHORT_FORM, LONG_FORM, LIST_FORM = "One or Two Sentences", "Multiple Paragraphs", "Bullet Points"


@dataclass(frozen=True, slots=True)
class QueryParam:
    """The parameters of one question. Names are LightRAG's where it has the same parameter.

    A token limit of 0 means the limit that follows from the chat model's context and speed.

    Attributes:
        mode: one of `ALL_MODES`.
        top_k: number of entities (local) or relations (global) that the graph modes start from.
        chunk_top_k: number of passages after ranking.
        max_entity_tokens, max_relation_tokens: limits of these parts of the context.
        max_total_tokens: limit of the prompt: instructions, history, context, question.
        hl_keywords, ll_keywords: themes and names to search for; found if empty.
        conversation_history: earlier turns, oldest first, for rewriting a follow-up.
        user_prompt: further instructions for the answer; not used in retrieval.
        response_type: form of the answer, such as "Bullet Points"; empty for a short paragraph.
            It also limits the length.
        system_prompt: replaces the default one; `{context_data}` stands for the context.
        only_need_context, only_need_prompt: return the context or the prompt as the answer.
        enable_rerank: use the reranker if one is installed.
        include_references: list the cited documents with the answer.
        include_chunk_content: add the texts of the passages to the references.
        related_chunk_number: passages for each entity or relation (5 in LightRAG).
        kg_chunk_pick_method: which of them: "VECTOR", nearest to the question, or "WEIGHT".
        cosine_threshold: minimum similarity of entities and relations.
        document_ids: search only these; None for all that are not set aside.
        collection_ids: search only documents of these collections; None for no limit.
        level: of the communities whose reports overview and drift read; 0 is the coarsest.
        max_calls: of the chat model in these modes; 0 to derive it from the speed.
        temperature: of sampling; 0 always takes the most likely token.
        preset: "graphrag" shares the context as GraphRAG's local search does: reports 15 %,
            entities and relations 35 %, text 50 %.
    """

    mode: str = "walk"
    top_k: int = 40
    chunk_top_k: int = 20
    max_entity_tokens: int = 0
    max_relation_tokens: int = 0
    max_total_tokens: int = 0
    hl_keywords: tuple[str, ...] = ()
    ll_keywords: tuple[str, ...] = ()
    conversation_history: tuple[ChatMessage, ...] = ()
    user_prompt: str = ""
    response_type: str = ""
    system_prompt: str = ""
    only_need_context: bool = False
    only_need_prompt: bool = False
    enable_rerank: bool = True
    include_references: bool = True
    include_chunk_content: bool = False
    related_chunk_number: int = 5
    kg_chunk_pick_method: str = "VECTOR"
    cosine_threshold: float = 0.2
    document_ids: tuple[DocumentId, ...] | None = None
    collection_ids: tuple[CollectionId, ...] | None = None
    level: int = 1
    max_calls: int = 0
    preset: str = ""
    temperature: float = 0.0

    @property
    def has_keywords(self) -> bool:
        """Whether the caller gave keywords."""
        return bool(self.hl_keywords or self.ll_keywords)
