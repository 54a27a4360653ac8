"""The options that search and ask share, and the `QueryParam` made of them."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from ..engine.errors import UserError
from ..engine.query import ALL_MODES, PRESETS, QueryParam
from ..engine.types import ChatMessage

ROLES = ("user", "assistant")


def add_finding_options(parser: argparse.ArgumentParser, *, top: int) -> None:
    """Take the question and how to look for it."""
    parser.add_argument("question")
    parser.add_argument("--mode", choices=ALL_MODES, default="walk")
    parser.add_argument(
        "--level", type=int, default=1, help="of the reports for overview and drift; 0 is coarsest"
    )
    parser.add_argument("--document", action="append", default=[], help="title or file name")
    parser.add_argument("--collection", action="append", default=[], help="by name")
    parser.add_argument(
        "--top-k", type=_count, default=40, help="names or relations the graph modes start from"
    )
    parser.add_argument(
        *("--chunk-top-k", "--top"), dest="top", type=_count, default=top, help="passages to keep"
    )
    parser.add_argument("--keywords-high", default="", help="themes, with commas between")
    parser.add_argument("--keywords-low", default="", help="names and things, with commas between")
    parser.add_argument(
        "--history", type=Path, help='JSON: [{"role": "user", "content": "…"}, …], oldest first'
    )
    parser.add_argument("--rerank", action=argparse.BooleanOptionalAction, default=True)


def add_answer_options(parser: argparse.ArgumentParser) -> None:
    """Take how the answer is to be."""
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--only-context", action="store_true", help="print the context instead")
    instead.add_argument("--only-prompt", action="store_true", help="print the prompt instead")
    parser.add_argument("--user-prompt", default="", help="a further wish for the answer")
    parser.add_argument("--response-type", default="", help='its form, such as "Bullet Points"')
    parser.add_argument(
        "--system-prompt", default="", help="instead of ours; {context_data} is the context"
    )
    parser.add_argument("--max-total-tokens", type=_count, default=0, help="of the whole prompt")
    parser.add_argument("--max-calls", type=_count, default=0, help="of the model, in those modes")
    parser.add_argument("--plan", action="store_true", help="only say how many calls, how long")
    parser.add_argument(
        "--preset", choices=PRESETS, default="", help="graphrag: reports, names and text as there"
    )
    parser.add_argument("--references", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--chunk-content", action="store_true", help="with the references (JSON)")


def build_param(
    options: argparse.Namespace,
    document_ids: tuple[int, ...] | None,
    collection_ids: tuple[int, ...] | None,
) -> QueryParam:
    """Return what the options ask for; those that a command lacks keep their defaults."""
    history = load_history(options.history) if options.history else ()
    return QueryParam(
        mode=options.mode,
        top_k=options.top_k,
        chunk_top_k=options.top,
        max_total_tokens=getattr(options, "max_total_tokens", 0),
        hl_keywords=_split(options.keywords_high),
        ll_keywords=_split(options.keywords_low),
        conversation_history=history,
        user_prompt=getattr(options, "user_prompt", ""),
        response_type=getattr(options, "response_type", ""),
        system_prompt=getattr(options, "system_prompt", ""),
        only_need_context=getattr(options, "only_context", False),
        only_need_prompt=getattr(options, "only_prompt", False),
        enable_rerank=options.rerank,
        include_references=getattr(options, "references", True),
        include_chunk_content=getattr(options, "chunk_content", False),
        document_ids=document_ids,
        collection_ids=collection_ids,
        level=options.level,
        max_calls=getattr(options, "max_calls", 0),
        preset=getattr(options, "preset", ""),
    )


def load_history(path: Path) -> tuple[ChatMessage, ...]:
    """Return the turns of a JSON file.

    Raises:
        UserError: it is no list of turns.
    """
    hint = 'It needs to be like [{"role": "user", "content": "Who is Marley?"}].'
    try:
        turns = json.loads(path.read_text("utf-8"))
        made = tuple(
            ChatMessage(turn["role"], str(turn.get("content") or turn["text"])) for turn in turns
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(f"The history in {path} can't be read: {error!r}.", hint) from error
    if strange := next((turn.role for turn in made if turn.role not in ROLES), None):
        raise UserError(f"A turn of {path} has the role “{strange}”.", hint)
    return made


def _split(words: str) -> tuple[str, ...]:
    return tuple(w for part in words.replace("，", ",").split(",") if (w := part.strip()))


def _count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise ValueError(text)
    return value


_count.__name__ = "count"  # argparse says: invalid count value: '0'
