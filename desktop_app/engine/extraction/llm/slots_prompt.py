"""Prompts of the slots strategy: the instruction with worked examples, and the question lines.

The examples are turns of a conversation, so that questions have the form of the examples. The
model writes nothing, so no text of an example can appear in a result.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ...model import STRUCK, ChatMessage
from ...prompt_files import load_prompt
from ...prompt_program import PASSAGE
from .relation_kinds import Kind

TYPE_LABELS_ZH = {
    "person": "人物",
    "place": "地点",
    "organisation": "组织",
    "event": "事件",
    "object": "物品",
    "concept": "概念",
    STRUCK: "无",
}
_NAME_MARK = {"en": " (is):", "zh": "（是）："}  # ending of a line about one name


def prompt_language(language: str) -> str:
    """Return the language of the prompts for texts in `language`."""
    return "zh" if language in ("zh", "ja") else "en"


def type_label(type_: str, language: str) -> str:
    return TYPE_LABELS_ZH.get(type_, type_) if language == "zh" else type_


def pair_line(source: str, target: str, language: str) -> str:
    return f"{source}与{target}：" if language == "zh" else f"{source} & {target}:"


def name_line(name: str, language: str) -> str:
    return f"{name}{_NAME_MARK[language]}"


def option(label: str, language: str) -> str:
    """Return a label in the form in which it continues a line."""
    return label if language == "zh" else f" {label}"


@lru_cache(maxsize=32)
def slots_messages(
    domain: str, kinds: tuple[Kind, ...], types: tuple[str, ...], language: str
) -> tuple[ChatMessage, ...]:
    """Return the instruction and its examples, with `PASSAGE` in place of the text."""
    colon = "：" if language == "zh" else ": "
    instruction = load_prompt("slots", language).format(
        kinds="\n".join(f"{k.label(language)}{colon}{_meaning(k, language)}" for k in kinds),
        types=", ".join(type_label(t, language) for t in types),
    )
    kind_labels = {k.label(language) for k in kinds}
    type_labels = {type_label(t, language) for t in (*types, STRUCK)}
    messages = [ChatMessage("system", instruction)]
    for text, lines in _examples(domain, language):
        fitting = [
            line
            for line in lines
            if line.split(colon)[-1]
            in (type_labels if _NAME_MARK[language] in line else kind_labels)
        ]
        if fitting:
            messages.append(ChatMessage("user", text))
            messages.append(ChatMessage("assistant", "\n".join(fitting)))
    messages.append(ChatMessage("user", PASSAGE))
    return tuple(messages)


def _meaning(kind: Kind, language: str) -> str:
    return kind.meanings.get(language, kind.meanings["en"])


def _examples(domain: str, language: str) -> Sequence[tuple[str, list[str]]]:
    blocks = load_prompt(f"slots_{domain}", language).split("\n\n")
    return [(text, lines) for text, *lines in (block.splitlines() for block in blocks)]
