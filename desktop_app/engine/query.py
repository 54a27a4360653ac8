"""What a question may be asked with; plain data.

Owns LightRAG's query parameters under their known names, with defaults that suit one computer,
and our own: filters by document and collection. Knows nothing of how anything is found.
"""

from __future__ import annotations

from dataclasses import dataclass

from .model import ChatMessage, CollectionId, DocumentId

# In the order people meet them.
MODES = ("walk", "local", "global", "hybrid", "mix", "naive", "words", "bypass")
GRAPH_MODES = ("local", "global", "hybrid", "mix")
THEME_MODES = ("overview", "drift")  # of the whole library, over reports on its communities
ALL_MODES = (*MODES, *THEME_MODES)
GRAPHRAG_LOCAL = "graphrag"  # a preset: GraphRAG's local search
PRESETS = ("", GRAPHRAG_LOCAL)
# Forms of an answer that also bound its length; any other words may be given as well.
SHORT_FORM, LONG_FORM, LIST_FORM = "One or Two Sentences", "Multiple Paragraphs", "Bullet Points"


@dataclass(frozen=True, slots=True)
class QueryParam:
    """How a question is to be answered. Names are LightRAG's where it has the same thing.

    A token limit of 0 means: what the chat model's context and speed allow.

    Attributes:
        mode: one of `ALL_MODES`.
        top_k: how many entities (local) or relations (global) the graph modes start from.
        chunk_top_k: how many passages are kept after ranking.
        max_entity_tokens, max_relation_tokens: of the context, at most for each part.
        max_total_tokens: of the whole prompt: instructions, history, context, question.
        hl_keywords, ll_keywords: themes and names to look for; empty to have them found.
        conversation_history: earlier turns, oldest first; a follow-up is understood by them.
        user_prompt: further wishes for how to answer; not used for finding.
        response_type: form of the answer, such as "Bullet Points"; empty for a short paragraph.
            It also bounds how many tokens are written.
        system_prompt: takes the place of our instruction; `{context_data}` stands for the context.
        only_need_context, only_need_prompt: give the context, or the prompt, instead of an answer.
        enable_rerank: rank again with the reranker, if one is there.
        include_references: list the cited documents with the answer.
        include_chunk_content: give the texts of the passages with the references.
        related_chunk_number: passages taken for each entity or relation (5 in LightRAG).
        kg_chunk_pick_method: which of them: "VECTOR", nearest to the question, or "WEIGHT".
        cosine_threshold: entities and relations less near than this are left out.
        document_ids: look only in these; None for all that are not set aside.
        collection_ids: look only in documents of these collections; None for no such limit.
        level: of the communities whose reports overview and drift read; 0 is the coarsest.
        max_calls: of the chat model in these modes; 0 for what suits its speed.
        temperature: how freely the answer is worded; 0 always writes the likeliest words.
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
