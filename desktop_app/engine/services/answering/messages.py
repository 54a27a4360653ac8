"""The prompt: instructions that never change first, what was found, the question last.

What stays the same from turn to turn comes first, so that the model need not read it again.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...prompting import load_prompt
from ...query import LIST_FORM, LONG_FORM, SHORT_FORM, QueryParam
from ...types import ChatMessage

CONTEXT_MARK = "{context_data}"
_WISHES = {
    "en": ("Form of the answer: {}.", "Also: {}"),
    "zh": ("回答的形式：{}。", "另外：{}"),
}
# A small model follows a Chinese form in a Chinese prompt better than an English one.
_FORMS_ZH = {
    SHORT_FORM: "一两句话",
    LONG_FORM: "分成几个段落，写得详细些",
    LIST_FORM: "分条列出要点",
}
_MEANT = {"en": "In the sources {} is called {}.", "zh": "资料中称{}为{}。"}
_HISTORY = {"en": "Earlier in this conversation:\n{}\n\n", "zh": "此前的对话：\n{}\n\n"}


def build_messages(
    question: str,
    context: str,
    history: str,
    param: QueryParam,
    language: str,
    meant: Sequence[tuple[str, str]] = (),
) -> list[ChatMessage]:
    """Return what the model is told.

    Args:
        history: the turns before in short form, "" for none.
        meant: (name in the question, name in the sources) where these differ.
    """
    before = _HISTORY[language].format(history) if history else ""
    lines = [_MEANT[language].format(said, name) for said, name in meant]
    before += "\n".join((*lines, "")) if lines else ""
    wishes = _wishes(param, language)
    if param.system_prompt:
        system = param.system_prompt
        for mark, value in (
            (CONTEXT_MARK, context),
            ("{response_type}", param.response_type),
            ("{user_prompt}", param.user_prompt),
            ("{history}", history),
        ):
            system = system.replace(mark, value)
        if CONTEXT_MARK in param.system_prompt:
            asked = "\n\n".join(part for part in (before + question, wishes) if part)
            return [ChatMessage("system", system), ChatMessage("user", asked)]
    else:
        system = load_prompt("answer_system", language)
    asked = load_prompt("answer_user", language).format(
        sources=context, history=before, question=question
    )
    if wishes:
        asked = f"{asked}\n{wishes}"
    return [ChatMessage("system", system), ChatMessage("user", asked)]


def build_talk(
    question: str, history: Sequence[ChatMessage], param: QueryParam, language: str
) -> list[ChatMessage]:
    """Return what the model is told where it answers without the documents."""
    system = param.system_prompt.replace(CONTEXT_MARK, "") or load_prompt("bypass", language)
    wishes = _wishes(param, language)
    asked = f"{question}\n\n{wishes}" if wishes else question
    return [ChatMessage("system", system), *history, ChatMessage("user", asked)]


def _wishes(param: QueryParam, language: str) -> str:
    form, also = _WISHES[language]
    lines = []
    if param.response_type:
        known = _FORMS_ZH if language == "zh" else {}
        lines.append(form.format(known.get(param.response_type, param.response_type)))
    if param.user_prompt:
        lines.append(also.format(param.user_prompt))
    return "\n".join(lines)
