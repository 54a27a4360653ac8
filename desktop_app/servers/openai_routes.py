"""The part of OpenAI's API that asks questions: the library as a model, and embeddings.

A chat is a question about the documents: its last message of the user, with the turns before it as
context. Sources are `annotations` of the message.
"""

from __future__ import annotations

import base64
import re
import time
import uuid
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import numpy as np
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from ..engine.errors import EnvironmentProblem
from ..engine.llm.embedding import find_prefixes
from ..engine.llm.protocols import Embedder
from ..engine.model import Answer, Citation
from ..engine.progress import Progress
from ..engine.query import ALL_MODES, THEME_MODES, QueryParam
from ..engine.text.chunking import decode_tokens
from .http_app import InvalidRequest, Operation, ServerState, iter_pieces, read_body, to_line
from .library_access import LibraryAccess
from .lightrag_routes import build_history

MAX_TEXTS, MAX_TEXT_CHARS, MAX_MESSAGES = 256, 32_000, 200
DEFAULT_MODEL = "inkgraph"
MODEL_NAMES = (DEFAULT_MODEL, "lightrag")  # clients of LightRAG's server have its name
_MARK = re.compile(r"\[(\d+)\]")
# Open WebUI asks the model of a chat for its title, tags and next questions; the prompt has the
# chat in this element. That is no question about the documents: LightRAG's server knows it so, too.
_TASK_OF_A_PROGRAM = "\n<chat_history>\nUSER:"


class TextPart(BaseModel):
    type: str
    text: str = ""


class ChatTurn(BaseModel):
    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: str | list[TextPart] | None = None

    @property
    def text(self) -> str:
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content if part.type == "text")
        return self.content or ""


class ChatRequest(BaseModel):
    """A chat; parameters that a library has no use for, such as `tools`, are ignored."""

    model: str = DEFAULT_MODEL
    messages: list[ChatTurn] = Field(min_length=1, max_length=MAX_MESSAGES)
    stream: bool | None = False
    stream_options: dict[str, Any] | None = None
    temperature: float | None = Field(default=None, ge=0, le=2)


class EmbeddingRequest(BaseModel):
    model: str = ""
    input: str | list[str] | list[int] | list[list[int]]
    encoding_format: Literal["float", "base64"] | None = "float"

    @property
    def texts(self) -> list[str]:
        """The texts; those that come as tokens are decoded.

        LangChain sends tokens unless its length check is switched off, with the encoding of
        OpenAI's embedding models, whatever the name of the model here.
        """
        if isinstance(self.input, str):
            return [self.input]
        given: list[Any] = self.input
        if given and isinstance(given[0], int):
            return [_decode(given)]
        return [one if isinstance(one, str) else _decode(one) for one in given]


def _decode(tokens: Sequence[Any]) -> str:
    if len(tokens) > MAX_TEXT_CHARS:
        raise InvalidRequest(f"input: at most {MAX_TEXT_CHARS} tokens are taken")
    try:
        return decode_tokens(tokens)
    except ValueError as error:
        raise InvalidRequest("input: these are no tokens of cl100k_base; send text") from error


class _Turn(BaseModel):
    role: str
    content: str


def find_mode(model: str) -> str:
    """Return the search mode that the name of a model ends with: “inkgraph:overview”.

    Raises:
        HTTPException: there is no such model.
    """
    name, *rest = re.split(r"[:/]", model.removesuffix(":latest"), maxsplit=1)
    mode = "".join(rest)
    if name not in MODEL_NAMES or mode not in ("", *ALL_MODES):
        raise HTTPException(404, f"There is no model “{model}”.")
    return mode or "walk"


def list_models() -> list[str]:
    """Return the models: the library, and the modes that answer about all of it."""
    return [DEFAULT_MODEL, *(f"{DEFAULT_MODEL}:{mode}" for mode in THEME_MODES)]


def read_chat(turns: Sequence[Any], mode: str, **more: Any) -> tuple[str, QueryParam]:
    """Return the question of a chat, which is its last turn, and its parameters.

    What a program asks about the chat itself goes to the chat model alone.

    Raises:
        InvalidRequest: the last turn is not the user's, or is empty.
    """
    if turns[-1].role != "user" or not turns[-1].content.strip():
        raise InvalidRequest("messages: the last one must be a question of the user")
    instructions = "\n".join(t.content for t in turns if t.role in ("system", "developer"))
    param = QueryParam(
        mode="bypass" if _TASK_OF_A_PROGRAM in turns[-1].content else mode,
        conversation_history=build_history(turns[:-1]),
        user_prompt=instructions[:MAX_TEXT_CHARS],
        **more,
    )
    return turns[-1].content, param


async def complete_chat(state: ServerState, request: Request) -> Response:
    asked = await read_body(request, ChatRequest)
    turns = [_Turn(role=turn.role, content=turn.text) for turn in asked.messages]
    more = {} if asked.temperature is None else {"temperature": min(asked.temperature, 1.5)}
    question, param = read_chat(turns, find_mode(asked.model), **more)
    head = {
        "id": f"chatcmpl-{uuid.uuid4().hex}",
        "created": int(time.time()),
        "model": asked.model,
    }
    if not asked.stream:
        answer = await state.answer(request, question, param)
        message = {
            "role": "assistant",
            "content": answer.text,
            "refusal": None,
            "annotations": list_annotations(answer),
        }
        choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
        usage = await state.run(count_usage, state.access, answer)
        return JSONResponse(
            {**head, "object": "chat.completion", "choices": [choice], "usage": usage}
        )
    wants_usage = bool((asked.stream_options or {}).get("include_usage"))
    return await state.stream(
        question,
        param,
        _ChunkWriter(head, state.access, wants_usage).write,
        media_type="text/event-stream",
        write_error=lambda text: _to_event(
            {"error": {"message": text, "type": "server_error", "param": None, "code": None}}
        ),
    )


class _ChunkWriter:
    """Writes the events of a chat: comments while it works, then the answer in pieces."""

    def __init__(self, head: dict[str, Any], access: LibraryAccess, wants_usage: bool) -> None:
        self._head, self._access, self._wants_usage = head, access, wants_usage
        self._is_begun = False

    def write(self, one: Progress | Answer) -> Iterator[str]:
        if not self._is_begun:
            self._is_begun = True
            yield self._write_chunk({"role": "assistant", "content": ""})
        if isinstance(one, Progress):
            yield f": {one.stage}\n\n"  # a comment, so that no client gives up
            return
        for piece in iter_pieces(one.text):
            yield self._write_chunk({"content": piece})
        if annotations := list_annotations(one):
            yield self._write_chunk({"annotations": annotations})
        yield self._write_chunk({}, "stop")
        if self._wants_usage:
            usage = count_usage(self._access, one)
            chunk = {**self._head, "object": "chat.completion.chunk", "choices": []}
            yield _to_event({**chunk, "usage": usage})
        yield "data: [DONE]\n\n"

    def _write_chunk(self, delta: dict[str, Any], reason: str | None = None) -> str:
        choice = {"index": 0, "delta": delta, "finish_reason": reason, "logprobs": None}
        return _to_event({**self._head, "object": "chat.completion.chunk", "choices": [choice]})


def _to_event(value: object) -> str:
    return f"data: {to_line(value)}\n"


def list_annotations(answer: Answer) -> list[dict[str, Any]]:
    """Return the sources of an answer, one for each mark [n] in its text.

    A source that no mark names stands at the end of the text.
    """
    marks: dict[int, list[tuple[int, int]]] = {}
    for match in _MARK.finditer(answer.text):
        marks.setdefault(int(match[1]), []).append(match.span())
    end = len(answer.text)
    return [
        {"type": "url_citation", "url_citation": _describe_source(one, *span)}
        for one in answer.citations
        for span in marks.get(one.number, [(end, end)])
    ]


def _describe_source(one: Citation, start: int, end: int) -> dict[str, Any]:
    """Return a source in OpenAI's fields, and where it stands in the document in ours."""
    page = f", p. {one.page_label}" if one.page_label else ""
    return {
        "start_index": start,
        "end_index": end,
        "title": f"{one.title}{page}",
        "url": f"inkgraph://documents/{one.document_id}?start={one.start}&end={one.end}",
        "document": one.document_id,
        "page": one.page_label,
        "start": one.start,
        "end": one.end,
        "quote": " ".join(one.quote.split()),
    }


def count_usage(access: LibraryAccess, answer: Answer) -> dict[str, int]:
    """Return the tokens that the model read and wrote; zeros where none was asked."""
    model = access.models.find_chat() if answer.model else None
    n_prompt = answer.n_prompt_tokens if model else 0
    n_written = model.count_tokens(answer.text) if model else 0
    return {
        "prompt_tokens": n_prompt,
        "completion_tokens": n_written,
        "total_tokens": n_prompt + n_written,
    }


def embed_texts(model: Embedder, texts: Sequence[str]) -> np.ndarray:
    """Return the vectors of texts, shape (N, D).

    A model that was trained with "query: " and "passage: " before its texts gets one of them here.
    Programs made for other servers write it themselves: such a text is what they say.
    """
    prefixes = find_prefixes(model.name)
    passages = [text.removeprefix(prefixes.passage) for text in texts]
    rows = model.embed_passages(passages)
    for place, text in enumerate(texts):
        if prefixes.query and text.startswith(prefixes.query):
            rows[place] = model.embed_query(text.removeprefix(prefixes.query))
    return rows


async def embed(state: ServerState, request: Request) -> Response:
    asked = await read_body(request, EmbeddingRequest)
    texts = await state.run(lambda: asked.texts)
    if not texts or len(texts) > MAX_TEXTS or any(len(t) > MAX_TEXT_CHARS for t in texts):
        raise InvalidRequest(
            f"input: 1 to {MAX_TEXTS} texts of at most {MAX_TEXT_CHARS} characters are needed"
        )

    def work() -> tuple[str, np.ndarray]:
        state.access.check_place()
        model = state.access.models.find_embedder()
        if model is None:
            raise EnvironmentProblem(
                "No embedding model is installed.", "Get one on the Models screen of Inkgraph."
            )
        return model.name, embed_texts(model, texts)

    name, rows = await state.run(work)

    def encode(row: np.ndarray) -> str | list[float]:
        if asked.encoding_format == "base64":
            return base64.b64encode(row.astype("<f4").tobytes()).decode("ascii")
        return [float(x) for x in row]

    data = [
        {"object": "embedding", "index": i, "embedding": encode(row)} for i, row in enumerate(rows)
    ]
    usage = {"prompt_tokens": 0, "total_tokens": 0}  # embedding models here count none
    return JSONResponse({"object": "list", "data": data, "model": name, "usage": usage})


def _list_all_models(state: ServerState) -> list[str]:
    """Return the models that answer, and then the one whose vectors `/v1/embeddings` gives.

    Raises:
        EnvironmentProblem: the library is no longer where it was opened.
    """
    state.access.check_place()
    embedding = state.access.models.embedding_name()
    return [*list_models(), *([embedding] if embedding else [])]


async def show_models(state: ServerState, request: Request) -> Response:
    names = _list_all_models(state)
    created = int(state.access.library.path.stat().st_mtime)
    data = [
        {"id": name, "object": "model", "created": created, "owned_by": "inkgraph"}
        for name in names
    ]
    return JSONResponse({"object": "list", "data": data})


async def show_model(state: ServerState, request: Request) -> Response:
    name = request.path_params["name"]
    if name not in _list_all_models(state):
        raise HTTPException(404, f"There is no model “{name}”.")
    return JSONResponse({"id": name, "object": "model", "created": 0, "owned_by": "inkgraph"})


OPENAI = (
    Operation("GET", "/v1/models", "The library as a model.", show_models),
    Operation("GET", "/v1/models/{name:path}", "One model.", show_model),  # names with a slash
    Operation("POST", "/v1/chat/completions", "Ask in a chat; sources are annotations.",
              complete_chat, ChatRequest),
    Operation("POST", "/v1/embeddings", "Vectors of texts.", embed, EmbeddingRequest),
)  # fmt: skip
