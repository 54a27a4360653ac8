"""Fixed texts around an answer, and the answer without a model: the best passages."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..model import Answer, Citation, RetrievalResult

SHOWN_SHARE = 0.3  # of the best passage's score; others are not shown
_MARKUP = re.compile(r"(?<!\S)#{1,6}\s|[*_`]{1,3}(?=\w)|(?<=\w)[*_`]{1,3}(?!\w)")
_NOT_SAID = re.compile(
    r"(documents|sources|passages)\b.{0,30}\b(don't|do not|doesn't|does not)\b.{0,30}"
    r"\b(say|contain|mention|provide|tell|state)"
    r"|(没有|未)(明确)?(提到|提及|说明|记载|找到)|无法(回答|确定)",
    re.IGNORECASE,
)
_MAX_REFUSAL = 220  # characters; a longer text has more content than a refusal

NOT_FOUND = {
    "en": "Your documents don't seem to say. Nothing close to the question was found.",
    "zh": "您的文档中似乎没有提到。没有找到与问题相近的内容。",
}
WEAK = {
    "en": "(Little in your documents has to do with this question.)",
    "zh": "（您的文档中与这个问题有关的内容很少。）",
}
OWN_WORDS = {
    "en": "(The passages do not say this in these words. Check them.)",
    "zh": "（段落中没有这样的原话，请核对。）",
}
ONLY_PASSAGES = {
    "en": "These passages bear most on your question:",
    "zh": "与您的问题最相关的段落：",
}
NEAREST = {
    "en": "The model found no answer. These passages on who is asked about come nearest:",
    "zh": "模型没有找到答案。与所问人物最相关的段落如下：",
}
NOT_SAID = {
    "en": "Your documents don't seem to say.",
    "zh": "您的文档中似乎没有提到。",
}
ACROSS = {
    "en": "(Put into English from the answer in the sources' language: {})",
    "zh": "（以上译自按资料原文作出的回答：{}）",
}
ONLY_REPORTS = {
    "en": "These themes of your documents bear most on your question:",
    "zh": "您的文档中与这个问题最相关的主题：",
}
BYPASSED = {
    "en": "(From the model's own knowledge, not from your documents.)",
    "zh": "（这是模型自身的知识，不来自您的文档。）",
}


def is_refusal(text: str) -> bool:
    """Return whether an answer only states that the documents do not contain it."""
    first = re.split(r"(?<=[.!?。！？])\s*", text.strip(), maxsplit=1)[0]
    return len(text) <= _MAX_REFUSAL and bool(_NOT_SAID.search(first))


def build_passages_answer(
    found: RetrievalResult, language: str, head: Mapping[str, str] = ONLY_PASSAGES
) -> Answer:
    """Return an answer that lists the best passages under the heading `head`."""
    if not found.passages:
        return Answer(NOT_FOUND[language], (), found)
    lines, citations = [(WEAK if found.weak else head)[language], ""], []
    least = SHOWN_SHARE * found.passages[0].score
    shown = [p for p in found.passages[:5] if p.score >= least]
    for number, passage in enumerate(shown, start=1):
        quote = passage.text[passage.best_start - passage.start : passage.best_end - passage.start]
        lines.append(f"- {_MARKUP.sub('', ' '.join(quote.split()))} [{number}]")
        citations.append(
            Citation(
                number,
                passage.chunk_id,
                passage.document_id,
                passage.title,
                passage.best_start,
                passage.best_end,
                quote,
                passage.page_label,
            )
        )
    return Answer("\n".join(lines), tuple(citations), found)
