"""The part of Ollama's API that chat programs use: the list of models and the chat.

As in LightRAG, a question may begin with its mode: “/local Who is …”, “/context …” for the passages
alone.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Literal

from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from .. import __version__
from ..engine.model import Answer
from ..engine.progress import Progress
from ..engine.query import ALL_MODES
from .http_app import Operation, ServerState, iter_pieces, read_body, to_line
from .openai_routes import MAX_MESSAGES, count_usage, find_mode, list_models, read_chat

# A bracket ends a prefix, so no space is needed after it.
_PREFIX = re.compile(rf"/({'|'.join(ALL_MODES)})?(context)?(?:\s+|\[([^\]]*)\]\s*)(.*)", re.DOTALL)


class OllamaTurn(BaseModel):
    role: Literal["system", "user", "assistant", "tool"]
    content: str


class OllamaChat(BaseModel):
    """A chat; `options`, `tools` and `format` are ignored."""

    model: str
    messages: list[OllamaTurn] = Field(min_length=1, max_length=MAX_MESSAGES)
    stream: bool | None = True


def split_question(text: str, mode: str) -> tuple[str, dict[str, Any]]:
    """Return a question without its prefix, and the parameters that the prefix gives."""
    match = _PREFIX.fullmatch(text.strip())
    if match is None or not any(match.group(1, 2, 3)):
        return text, {"mode": mode}
    named, context, instructions, question = match.groups()
    more: dict[str, Any] = {"mode": named or mode, "only_need_context": bool(context)}
    if instructions:
        more["user_prompt"] = instructions
    return question, more


async def chat(state: ServerState, request: Request) -> Response:
    asked = await read_body(request, OllamaChat)
    started = time.monotonic_ns()
    text, given = split_question(asked.messages[-1].content, find_mode(asked.model))
    turns = [*asked.messages[:-1], asked.messages[-1].model_copy(update={"content": text})]
    question, param = read_chat(turns, given.pop("mode"))
    param = replace(param, **given)

    def write_message(content: str, **more: Any) -> dict[str, Any]:
        return {
            "model": asked.model,
            "created_at": datetime.now(UTC).isoformat(),
            "message": {"role": "assistant", "content": content},
            **more,
        }

    def measure(answer: Answer) -> dict[str, Any]:
        usage, total = count_usage(state.access, answer), time.monotonic_ns() - started
        first = int(answer.first_token_s * 1e9)
        return {
            "done_reason": "stop",
            "done": True,
            "total_duration": total,
            "load_duration": 0,
            "prompt_eval_count": usage["prompt_tokens"],
            "prompt_eval_duration": first,
            "eval_count": usage["completion_tokens"],
            "eval_duration": max(0, total - first),
        }

    def write(one: Progress | Answer) -> Iterator[str]:
        if isinstance(one, Answer):
            for piece in iter_pieces(one.text):
                yield to_line(write_message(piece, done=False))
            yield to_line(write_message("", **measure(one)))

    if asked.stream is False:
        answer = await state.answer(request, question, param)
        return JSONResponse(write_message(answer.text, **await state.run(measure, answer)))
    return await state.stream(
        question,
        param,
        write,
        media_type="application/x-ndjson",
        write_error=lambda text: to_line({"error": text}),
    )


async def list_tags(state: ServerState, request: Request) -> Response:
    state.access.check_place()
    status = state.access.library.path.stat()
    modified = datetime.fromtimestamp(status.st_mtime, UTC).isoformat()
    models = [
        {
            "name": name,
            "model": name,
            "modified_at": modified,
            "size": status.st_size,
            "digest": hashlib.sha256(name.encode()).hexdigest(),
            "details": {
                "parent_model": "",
                "format": "inkgraph",
                "family": "inkgraph",
                "families": ["inkgraph"],
                "parameter_size": "",
                "quantization_level": "",
            },
        }
        for one in list_models()
        for name in [one if ":" in one else f"{one}:latest"]
    ]
    return JSONResponse({"models": models})


async def show_version(state: ServerState, request: Request) -> Response:
    return JSONResponse({"version": __version__})


OLLAMA = (
    Operation("GET", "/api/tags", "The library as a model.", list_tags),
    Operation("GET", "/api/version", "The version of Inkgraph.", show_version),
    Operation("POST", "/api/chat", "Ask in a chat.", chat, OllamaChat),
)
