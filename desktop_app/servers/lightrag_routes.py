"""LightRAG's routes that fit, with its field names: questions, documents, and the graph.

Not served: what an Inkgraph library has no counterpart for (folders that are scanned, several
workspaces, clearing everything, caches). Ids of documents are numbers as text.
"""

from __future__ import annotations

import math
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from .. import __version__
from ..engine.errors import UserError
from ..engine.file_names import check_path, make_file_name
from ..engine.model import Answer, ChatMessage, DocumentRow, EntityRow, RelationRow, Subgraph
from ..engine.progress import Progress
from ..engine.query import ALL_MODES, QueryParam
from ..engine.services.document_import import AddedFiles, add_files, add_text
from ..engine.services.documents import DocumentService
from ..engine.services.entity_lookup import get_entity_id, write_name
from ..engine.services.events import group_brief_events, list_events_among
from ..engine.services.importing.names import map_type
from ..engine.services.library_reader import LibraryReader
from .http_app import (
    InvalidRequest,
    Operation,
    ServerState,
    get_query,
    iter_pieces,
    read_body,
    read_number,
    to_line,
)
from .library_access import LibraryAccess

MAX_QUERY_CHARS, MAX_LABELS, MAX_NODES, MAX_DEPTH = 32_000, 10_000, 5_000, 6
# Of a name or a connection in a graph, and names in one that has them: the route of events has all.
MAX_EVENTS, MAX_NODES_WITH_EVENTS = 50, 300
MAX_TOP_K, MAX_CHUNK_TOP_K = 200, 100  # of `QueryParam`
MAX_SENT_TOP_K = 1000  # that LightRAG takes; more than ours are not more passages in a prompt
# The states of documents, as LightRAG calls them.
STATUS = {"ready": "processed", "failed": "failed", "waiting": "pending"}
STATUSES = ("pending", "processing", "processed", "failed")


class HistoryTurn(BaseModel):
    """A turn of any role, as in LightRAG; those of tools are no part of the talk."""

    role: str = Field(min_length=1, max_length=100)
    content: str = Field(max_length=MAX_QUERY_CHARS)


class QueryRequest(BaseModel):
    """A question with LightRAG's parameters; what is left out has Inkgraph's default."""

    query: str = Field(min_length=1, max_length=MAX_QUERY_CHARS)
    mode: Literal[ALL_MODES] = "walk"  # type: ignore[valid-type]
    only_need_context: bool | None = None
    only_need_prompt: bool | None = None
    response_type: str | None = Field(default=None, max_length=200)
    top_k: int | None = Field(default=None, ge=1, le=MAX_SENT_TOP_K)
    chunk_top_k: int | None = Field(default=None, ge=1, le=MAX_SENT_TOP_K)
    max_entity_tokens: int | None = Field(default=None, ge=1, le=128_000)
    max_relation_tokens: int | None = Field(default=None, ge=1, le=128_000)
    max_total_tokens: int | None = Field(default=None, ge=1, le=128_000)
    hl_keywords: list[str] | None = Field(default=[], max_length=50)
    ll_keywords: list[str] | None = Field(default=[], max_length=50)
    conversation_history: list[HistoryTurn] | None = Field(default=None, max_length=100)
    user_prompt: str | None = Field(default=None, max_length=MAX_QUERY_CHARS)
    enable_rerank: bool | None = None
    include_references: bool | None = True
    include_chunk_content: bool | None = False
    include_progress: bool | None = False
    stream: bool | None = None

    def to_param(self) -> QueryParam:
        """Return the parameters of the question; those that are None keep their default."""
        given = self.model_dump(
            exclude_none=True,
            include={
                "mode", "only_need_context", "only_need_prompt", "response_type", "top_k",
                "chunk_top_k", "max_entity_tokens", "max_relation_tokens", "max_total_tokens",
                "user_prompt", "enable_rerank", "include_references", "include_chunk_content",
            },
        )  # fmt: skip
        for name, most in (("top_k", MAX_TOP_K), ("chunk_top_k", MAX_CHUNK_TOP_K)):
            if name in given:
                given[name] = min(given[name], most)
        return QueryParam(
            **given,
            hl_keywords=tuple(self.hl_keywords or ()),
            ll_keywords=tuple(self.ll_keywords or ()),
            conversation_history=build_history(self.conversation_history or []),
        )


def build_history(turns: Sequence[Any]) -> tuple[ChatMessage, ...]:
    """Return the turns of user and assistant; others are instructions, not part of the talk."""
    return tuple(
        ChatMessage(turn.role, turn.content)
        for turn in turns
        if turn.role in ("user", "assistant") and turn.content
    )


# --- questions ----------------------------------------------------------------------------------


async def query(state: ServerState, request: Request) -> Response:
    asked = await read_body(request, QueryRequest)
    started = time.monotonic()
    answer = await state.answer(request, asked.query, asked.to_param())
    found = await state.run(_list_references, state.access, answer, asked)
    return JSONResponse(
        {
            "response": answer.text,
            "references": found if asked.include_references else None,
            "response_time": round(time.monotonic() - started, 3),
            "llm_generated": bool(answer.model),
        }
    )


async def query_stream(state: ServerState, request: Request) -> Response:
    asked = await read_body(request, QueryRequest)
    started = time.monotonic()

    def write(one: Progress | Answer) -> Iterator[str]:
        if isinstance(one, Progress):
            if asked.include_progress:
                yield to_line({"progress": one.stage})
            return
        references = {}
        if asked.include_references:
            references = {"references": _list_references(state.access, one, asked)}
        if asked.stream is False:
            yield to_line({"response": one.text, **references, "llm_generated": bool(one.model)})
        else:
            if references:
                yield to_line(references)
            yield from (to_line({"response": piece}) for piece in iter_pieces(one.text))
        if asked.include_progress:
            yield to_line({"response_time": round(time.monotonic() - started, 3)})

    return await state.stream(
        asked.query,
        asked.to_param(),
        write,
        media_type="application/x-ndjson",
        write_error=lambda text: to_line({"error": text}),
    )


async def query_data(state: ServerState, request: Request) -> Response:
    asked = await read_body(request, QueryRequest)
    return JSONResponse(await state.run(_build_query_data, state.access, asked))


def _list_references(
    access: LibraryAccess, answer: Answer, asked: QueryRequest
) -> list[dict[str, Any]]:
    """Return the sources of an answer; their ids are the numbers in its text.

    Besides LightRAG's fields, they say page, offsets and the cited sentence.
    """
    reader, texts = access.reader, {p.chunk_id: p.text for p in answer.found.passages}
    listed: dict[int, dict[str, Any]] = {}
    for one in answer.citations:
        reference: dict[str, Any] = {
            "reference_id": str(one.number),
            "file_path": reader.get_document(one.document_id).file_name,
            "title": one.title,
            "page": one.page_label,
            "start": one.start,
            "end": one.end,
            "quote": " ".join(one.quote.split()),
        }
        if asked.include_chunk_content and one.chunk_id in texts:
            reference["content"] = [texts[one.chunk_id]]
        listed.setdefault(one.number, reference)
    return [listed[number] for number in sorted(listed)]


def _build_query_data(access: LibraryAccess, asked: QueryRequest) -> dict[str, Any]:
    found = access.search(asked.query, asked.to_param())
    reader = access.reader
    files = {r["document"]: reader.get_document(r["document"]).file_name
             for r in found["references"]}  # fmt: skip
    numbers = {r["document"]: r["reference_id"] for r in found["references"]}

    def find_source(text: str, document: int | None = None) -> dict[str, str]:
        """Return the passage that names an entity, or that is of the document of a relation."""
        for chunk in found["chunks"]:
            if chunk["document"] == document or (document is None and text in chunk["text"]):
                return {
                    "source_id": f"chunk-{chunk['chunk']}",
                    "file_path": files[chunk["document"]],
                    "reference_id": numbers[chunk["document"]],
                }
        return {"source_id": "", "file_path": "", "reference_id": ""}

    return {
        "status": "success",
        "message": "Query executed successfully",
        "data": {
            "entities": [
                {
                    "entity_name": one["name"],
                    "entity_type": one["type"],
                    "description": one["description"],
                    **find_source(one["name"]),
                }
                for one in found["entities"]
            ],
            "relationships": [
                {
                    "src_id": one["source"],
                    "tgt_id": one["target"],
                    "description": one["description"] or " ".join(one["sentence"].split()),
                    "keywords": ", ".join(one["keywords"]),
                    "weight": one["weight"],
                    **find_source("", one["document_id"] or 0),
                }
                for one in found["relations"]
            ],
            "chunks": [
                {
                    "content": one["text"],
                    "file_path": files[one["document"]],
                    "chunk_id": f"chunk-{one['chunk']}",
                    "reference_id": one["reference_id"],
                    **{key: one[key] for key in ("title", "page", "start", "end", "score")},
                }
                for one in found["chunks"]
            ],
            "references": [
                {
                    "reference_id": one["reference_id"],
                    "file_path": files[one["document"]],
                    "title": one["title"],
                }
                for one in found["references"]
            ],
        },
        "metadata": {
            "query_mode": found["mode"],
            "keywords": found["keywords"],
            "processing_info": {
                "total_entities_found": len(found["entities"]),
                "total_relations_found": len(found["relations"]),
                "entities_after_truncation": len(found["entities"]),
                "relations_after_truncation": len(found["relations"]),
                "final_chunks_count": len(found["chunks"]),
            },
        },
    }


# --- documents ----------------------------------------------------------------------------------


class PageRequest(BaseModel):
    status_filter: Literal[STATUSES] | None = None  # type: ignore[valid-type]
    page: int = Field(default=1, ge=1)
    page_size: int = Field(default=50, ge=10, le=200)
    sort_field: Literal["created_at", "updated_at", "id", "file_path"] = "updated_at"
    sort_direction: Literal["asc", "desc"] = "desc"


class TextRequest(BaseModel):
    text: str = Field(min_length=1)
    file_source: str = ""


class TextsRequest(BaseModel):
    texts: list[str] = Field(min_length=1, max_length=100)
    file_sources: list[str] = []


class DeleteRequest(BaseModel):
    doc_ids: list[str] = Field(min_length=1, max_length=1000)


def _describe(row: DocumentRow) -> dict[str, Any]:
    return {
        "id": str(row.id),
        "content_summary": row.title,
        "content_length": row.n_chars,
        "status": _get_status(row),
        "created_at": _write_time(row.added_at),
        "updated_at": _write_time(row.taken_at or row.added_at),
        "track_id": f"document-{row.id}",
        "chunks_count": row.n_chunks,
        "error_msg": str(row.reason) or None,
        "metadata": {"author": row.author, "year": row.year, "language": row.language},
        "file_path": row.file_name,
    }


def _get_status(row: DocumentRow) -> str:
    return STATUS.get(row.state, "processing")


def _write_time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()


def _count(rows: Sequence[DocumentRow]) -> dict[str, int]:
    counts = Counter(_get_status(row) for row in rows)
    return {status: counts[status] for status in STATUSES}


async def list_documents(state: ServerState, request: Request) -> Response:
    rows = await state.run(lambda: state.access.reader.list_documents())
    grouped = {
        status: [_describe(row) for row in rows if _get_status(row) == status]
        for status in STATUSES
    }
    return JSONResponse({"statuses": {status: of for status, of in grouped.items() if of}})


async def list_page(state: ServerState, request: Request) -> Response:
    asked = await read_body(request, PageRequest)
    rows = await state.run(lambda: state.access.reader.list_documents())
    wanted = [row for row in rows if asked.status_filter in (None, _get_status(row))]
    keys = {
        "created_at": lambda row: row.added_at,
        "updated_at": lambda row: row.taken_at or row.added_at,
        "id": lambda row: row.id,
        "file_path": lambda row: row.file_name,
    }
    wanted.sort(key=keys[asked.sort_field], reverse=asked.sort_direction == "desc")
    n_pages, start = math.ceil(len(wanted) / asked.page_size), (asked.page - 1) * asked.page_size
    return JSONResponse(
        {
            "documents": [_describe(row) for row in wanted[start : start + asked.page_size]],
            "pagination": {
                "page": asked.page,
                "page_size": asked.page_size,
                "total_count": len(wanted),
                "total_pages": n_pages,
                "has_next": asked.page < n_pages,
                "has_prev": asked.page > 1,
            },
            "status_counts": {"all": len(rows), **_count(rows)},
        }
    )


async def count_documents(state: ServerState, request: Request) -> Response:
    rows = await state.run(lambda: state.access.reader.list_documents())
    return JSONResponse({"status_counts": {"all": len(rows), **_count(rows)}})


async def show_pipeline(state: ServerState, request: Request) -> Response:
    rows = await state.run(lambda: state.access.reader.list_documents())
    n_open = sum(_get_status(row) in ("pending", "processing") for row in rows)
    return JSONResponse(
        {
            "autoscanned": False,
            "busy": state.is_indexing(),
            "job_name": "indexing" if state.is_indexing() else "",
            "docs": n_open,
            "latest_message": "",
            "history_messages": [],
        }
    )


async def track(state: ServerState, request: Request) -> Response:
    track_id = request.path_params["track_id"]
    wanted = track_id.removeprefix("document-").split("-")
    rows = await state.run(lambda: state.access.reader.list_documents())
    found = [row for row in rows if str(row.id) in wanted]
    return JSONResponse(
        {
            "track_id": track_id,
            "documents": [_describe(row) for row in found],
            "total_count": len(found),
            "status_summary": {k: n for k, n in _count(found).items() if n},
        }
    )


async def insert_text(state: ServerState, request: Request) -> Response:
    asked = await read_body(request, TextRequest)
    return await _insert(state, request, [(asked.file_source, asked.text)])


async def insert_texts(state: ServerState, request: Request) -> Response:
    asked = await read_body(request, TextsRequest)
    sources = [*asked.file_sources, *[""] * len(asked.texts)]
    return await _insert(state, request, list(zip(sources, asked.texts, strict=False)))


async def _insert(
    state: ServerState, request: Request, texts: Sequence[tuple[str, str]]
) -> Response:
    def work() -> list[AddedFiles]:
        with state.access.writing(request.state.client) as writer, writer.transaction():
            return [  # all of them or none
                add_text(writer, source or " ".join(text.split())[:60], text)
                for source, text in texts
            ]

    return _describe_added(state, await state.run(work))


async def upload(state: ServerState, request: Request) -> Response:
    async with request.form(max_files=1, max_fields=10) as form:
        file = form.get("file")
        if not isinstance(file, UploadFile):
            raise HTTPException(422, "file: a file is needed (multipart/form-data)")
        content, file_name = await file.read(), file.filename or ""

    def work() -> AddedFiles:
        with (
            state.access.writing(request.state.client) as writer,
            tempfile.TemporaryDirectory() as folder,
        ):
            given = Path(file_name.replace("\\", "/"))
            name = f"{make_file_name(given.stem, 'document')}{given.suffix[:12]}"
            check_path(path := Path(folder) / name)
            path.write_bytes(content)
            return add_files(writer, [path])

    added = await state.run(work)
    if added.refused:
        raise HTTPException(400, str(next(iter(added.refused.values()))))
    return _describe_added(state, [added])


def _describe_added(state: ServerState, added: Sequence[AddedFiles]) -> Response:
    ids = [str(i) for one in added for i in (*one.documents, *one.same_as)]
    is_new = any(one.documents for one in added)
    if is_new:
        state.start_indexing()
    return JSONResponse(
        {
            "status": "success" if is_new else "duplicated",
            "message": "Added; it is indexed in the background."
            if is_new
            else "It is in the library already.",
            "track_id": f"document-{'-'.join(ids)}",
        }
    )


async def delete_documents(state: ServerState, request: Request) -> Response:
    asked = await read_body(request, DeleteRequest)
    ids = [int(text) for text in asked.doc_ids if text.isascii() and text.isdigit()]

    def work() -> None:
        with state.access.writing(request.state.client) as writer:
            known = {row.id for row in LibraryReader(writer).list_documents()}
            if len(ids) < len(asked.doc_ids) or not known.issuperset(ids):
                raise UserError("One of these documents is not in the library.", "List them first.")
            DocumentService(writer).trash_documents(ids)

    await state.run(work)
    return JSONResponse(
        {
            "status": "deletion_started",
            "message": "Moved to the trash; this can be undone in Inkgraph.",
            "doc_id": ", ".join(asked.doc_ids),
        }
    )


# --- graph --------------------------------------------------------------------------------------


class EntityUpdate(BaseModel):
    entity_name: str = Field(min_length=1)
    updated_data: dict[str, Any]
    allow_rename: bool = False
    allow_merge: bool = False


class EntityCreation(BaseModel):
    entity_name: str = Field(min_length=1)
    entity_data: dict[str, Any] = {}


class RelationUpdate(BaseModel):
    source_id: str = Field(min_length=1)
    target_id: str = Field(min_length=1)
    updated_data: dict[str, Any]


class RelationCreation(BaseModel):
    source_entity: str = Field(min_length=1)
    target_entity: str = Field(min_length=1)
    relation_data: dict[str, Any] = {}


class EntityMerge(BaseModel):
    entities_to_change: list[str] = Field(min_length=1, max_length=100)
    entity_to_change_into: str = Field(min_length=1)


class EntityDeletion(BaseModel):
    entity_name: str = Field(min_length=1)


class RelationDeletion(BaseModel):
    source_entity: str = Field(min_length=1)
    target_entity: str = Field(min_length=1)


async def list_labels(state: ServerState, request: Request) -> Response:
    rows = await state.run(lambda: state.access.reader.top_entities(MAX_LABELS))
    return JSONResponse(sorted(write_name(row) for row in rows))


async def list_popular(state: ServerState, request: Request) -> Response:
    limit = read_number(request, "limit", 300, most=1000)
    rows = await state.run(lambda: state.access.reader.top_entities(limit))
    return JSONResponse([write_name(row) for row in rows])


async def search_labels(state: ServerState, request: Request) -> Response:
    text, limit = get_query(request, "q"), read_number(request, "limit", 50, most=100)
    rows = await state.run(lambda: state.access.reader.find_entities(text, limit))
    return JSONResponse([write_name(row) for row in rows])


async def show_graph(state: ServerState, request: Request) -> Response:
    label = get_query(request, "label")
    depth = read_number(request, "max_depth", 3, most=1000)
    most = read_number(request, "max_nodes", 1000, most=1_000_000)

    def work() -> dict[str, Any]:
        reader = state.access.reader
        limit = min(most, MAX_NODES)
        if label == "*":
            part = reader.top_graph(limit)
            is_truncated = part.n_all > len(part.entities)
        else:
            start = get_entity_id(reader, label)
            part = reader.graph.reach([start], min(depth, MAX_DEPTH), limit)
            is_truncated = len(part.entities) >= limit
            part = reader.graph.exactly([int(e.id) for e in part.entities[:limit]])
        nodes = [_describe_node(row) for row in part.entities]
        edges = [_describe_edge(row) for row in part.relations]
        if len(nodes) <= MAX_NODES_WITH_EVENTS:
            _add_events(reader, part, nodes, edges)
        return {
            "nodes": nodes,
            "edges": edges,
            "is_truncated": is_truncated,
        }

    return JSONResponse(await state.run(work))


def _add_events(
    reader: LibraryReader, part: Subgraph, nodes: list[dict[str, Any]], edges: list[dict[str, Any]]
) -> None:
    """Add the first events of each name, and those of both ends of each connection."""
    events = list_events_among(reader.db, [int(row.id) for row in part.entities])
    of_node, of_edge = group_brief_events(events)
    for row, node in zip(part.entities, nodes, strict=True):
        node["properties"]["events"] = of_node[int(row.id)][:MAX_EVENTS]
    for relation, edge in zip(part.relations, edges, strict=True):
        ends = frozenset((int(relation.source_id), int(relation.target_id)))
        edge["properties"]["events"] = of_edge[ends][:MAX_EVENTS]


def _describe_node(row: EntityRow) -> dict[str, Any]:
    name = write_name(row)
    properties = {
        "entity_id": name,
        "entity_type": row.type,
        "description": row.description,
        "mentions": row.n_mentions,
        "degree": row.n_relations,
    }
    return {"id": name, "labels": [name], "properties": properties}


def _describe_edge(row: RelationRow) -> dict[str, Any]:
    return {
        "id": str(row.id),
        "type": "DIRECTED",
        "source": row.source,
        "target": row.target,
        "properties": {
            "weight": row.weight,
            "description": row.description or " ".join(row.sentence.split()),
            "keywords": ", ".join(row.keywords),
        },
    }


async def list_entity_events(state: ServerState, request: Request) -> Response:
    name, limit = get_query(request, "name"), read_number(request, "limit", 100, most=1000)
    return JSONResponse(await state.run(lambda: state.access.list_events(name, limit)))


async def has_entity(state: ServerState, request: Request) -> Response:
    name = get_query(request, "name")

    def work() -> bool:
        try:
            get_entity_id(state.access.reader, name)
        except UserError:
            return False
        return True

    return JSONResponse({"exists": await state.run(work)})


async def edit_entity(state: ServerState, request: Request) -> Response:
    asked = await read_body(request, EntityUpdate)
    access, data = state.access, asked.updated_data
    new_name = str(data.get("entity_name") or asked.entity_name)
    type_, description = _read_type(data), _read_text(data, "description")

    def work() -> tuple[dict[str, Any], bool]:
        reader = access.reader
        entity_id = get_entity_id(reader, asked.entity_name)
        is_renamed = new_name != asked.entity_name
        other = reader.find_by_names([new_name]) if is_renamed else None
        is_merged = other is not None and other != entity_id
        if is_renamed and not asked.allow_rename:
            raise UserError("Renaming was not allowed.", "Send allow_rename.")
        if is_merged and not asked.allow_merge:
            raise UserError("“{name}” is already in the graph.", "Send allow_merge.", name=new_name)
        with access.editing(request.state.client) as editing:
            if is_merged and other is not None:
                editing.merge(other, [entity_id], type_=type_ or "", description=description)
            else:
                editing.change_fields(
                    entity_id,
                    new_name=new_name if is_renamed else None,
                    type_=type_,
                    description=description,
                )
        return access.get_entity(new_name), is_merged

    found, is_merged = await state.run(work)
    return JSONResponse(
        {
            "status": "success",
            "message": f"Entity merged successfully into '{new_name}'"
            if is_merged
            else "Entity updated successfully",
            "data": _describe_edited(found),
            "operation_summary": {
                "merged": is_merged,
                "merge_status": "success" if is_merged else "not_attempted",
                "merge_error": None,
                "operation_status": "success",
                "target_entity": new_name if new_name != asked.entity_name else None,
                "final_entity": found["name"],
                "renamed": new_name != asked.entity_name,
            },
        }
    )


def _describe_edited(found: dict[str, Any]) -> dict[str, Any]:
    return {
        "entity_name": found["name"],
        "entity_type": found["type"],
        "description": found["description"],
    }


async def create_entity(state: ServerState, request: Request) -> Response:
    asked = await read_body(request, EntityCreation)

    def work() -> dict[str, Any]:
        data = asked.entity_data
        with state.access.editing(request.state.client) as editing:
            editing.create(
                asked.entity_name,
                _read_type(data) or "other",
                _read_text(data, "description") or "",
            )
        return state.access.get_entity(asked.entity_name)

    data = _describe_edited(await state.run(work))
    return _done(f"Entity '{asked.entity_name}' created successfully", data)


async def edit_relation(state: ServerState, request: Request) -> Response:
    asked = await read_body(request, RelationUpdate)
    source, target, data = asked.source_id, asked.target_id, asked.updated_data
    description, weight = _read_text(data, "description"), _read_weight(data)
    keywords = _read_keywords(data)

    def work() -> dict[str, Any]:
        access = state.access
        ends = access.get_entity_id(source), access.get_entity_id(target)
        known = access.find_relation(*ends)
        if known is None:
            raise UserError("These two names are not connected.", "Create the connection first.")
        with access.editing(request.state.client) as editing:
            editing.edit_relation(
                known.id, description=description, keywords=keywords, weight=weight
            )
        return _describe_relation(access, source, target, ends)

    return _done("Relation updated successfully", await state.run(work))


async def create_relation(state: ServerState, request: Request) -> Response:
    asked = await read_body(request, RelationCreation)
    source, target, data = asked.source_entity, asked.target_entity, asked.relation_data
    description, weight = _read_text(data, "description"), _read_weight(data)
    keywords = _read_keywords(data)

    def work() -> dict[str, Any]:
        access = state.access
        ends = access.get_entity_id(source), access.get_entity_id(target)
        if access.find_relation(*ends) is not None:
            raise UserError("These two names are connected already.", "Edit their connection.")
        with access.editing(request.state.client) as editing:
            editing.relate(
                *ends,
                description=description or "",
                keywords=keywords or (),
                weight=1.0 if weight is None else weight,
            )
        return _describe_relation(access, source, target, ends)

    message = f"Relation created successfully between '{source}' and '{target}'"
    return _done(message, await state.run(work))


def _describe_relation(
    access: LibraryAccess, source: str, target: str, ends: tuple[int, int]
) -> dict[str, Any]:
    """Return the relation as it is stored now."""
    row = access.find_relation(*ends)
    return {
        "src_id": source,
        "tgt_id": target,
        "description": row.description if row else "",
        "keywords": ", ".join(row.keywords) if row else "",
        "weight": row.weight if row else 0.0,
    }


def _read_type(data: dict[str, Any]) -> str | None:
    """Return our type for what a program calls it, None if it says nothing."""
    given = _read_text(data, "entity_type")
    return (map_type(given) or "other") if given else None


def _read_text(data: dict[str, Any], field: str) -> str | None:
    """Return the text of a field, None if it is not there or null."""
    value = data.get(field)
    if value is not None and not isinstance(value, str):
        raise InvalidRequest(f"{field}: a text is needed")
    return value


def _read_keywords(data: dict[str, Any]) -> list[str] | None:
    text = _read_text(data, "keywords")
    return None if text is None else [w for part in text.split(",") if (w := part.strip())]


def _read_weight(data: dict[str, Any]) -> float | None:
    weight = data.get("weight")
    if weight is None:
        return None
    if not isinstance(weight, (int, float)) or not 0 < weight < 1e6:
        raise UserError("A weight is a number above 0.", "Leave it out to keep it.")
    return float(weight)


async def merge_entities(state: ServerState, request: Request) -> Response:
    asked = await read_body(request, EntityMerge)
    target = asked.entity_to_change_into

    def work() -> None:
        reader = state.access.reader
        ids = [get_entity_id(reader, name) for name in asked.entities_to_change]
        keep = get_entity_id(reader, target)
        with state.access.editing(request.state.client) as editing:
            editing.merge(keep, ids)

    await state.run(work)
    data = {"merged_entity": target, "deleted_entities": asked.entities_to_change}
    return _done(f"Successfully merged {len(asked.entities_to_change)} entities into '{target}'",
                 data)  # fmt: skip


async def delete_entity(state: ServerState, request: Request) -> Response:
    asked = await read_body(request, EntityDeletion)

    def work() -> None:
        entity_id = state.access.get_entity_id(asked.entity_name)
        with state.access.editing(request.state.client) as editing:
            editing.delete(entity_id)

    await state.run(work)
    return JSONResponse(
        {
            "status": "success",
            "message": f"Entity '{asked.entity_name}' deleted; this can be undone in Inkgraph.",
            "doc_id": "",
        }
    )


async def delete_relation(state: ServerState, request: Request) -> Response:
    asked = await read_body(request, RelationDeletion)

    def work() -> None:
        reader = state.access.reader
        ends = [get_entity_id(reader, n) for n in (asked.source_entity, asked.target_entity)]
        between = reader.graph.exactly([int(i) for i in ends]).relations
        if not between:
            raise UserError("These two names are not connected.", "Look at the names again.")
        with state.access.editing(request.state.client) as editing:
            editing.delete_relations([row.id for row in between])

    await state.run(work)
    message = f"Relation between '{asked.source_entity}' and '{asked.target_entity}' deleted."
    return JSONResponse({"status": "success", "message": message, "doc_id": ""})


def _done(message: str, data: dict[str, Any]) -> Response:
    return JSONResponse({"status": "success", "message": message, "data": data})


async def show_health(state: ServerState, request: Request) -> Response:
    return JSONResponse(
        {
            "status": "healthy",
            "api_version": __version__,
            "core_version": __version__,
            "pipeline_busy": state.is_indexing(),
        }
    )


LIMIT = {"limit": "at most so many"}
LIGHTRAG = (
    Operation("GET", "/health", "The server is running.", show_health),
    Operation("POST", "/query", "Answer a question.", query, QueryRequest),
    Operation(
        "POST", "/query/stream", "Answer a question in lines of JSON.", query_stream, QueryRequest
    ),
    Operation("POST", "/query/data", "Find passages, names and connections.", query_data,
              QueryRequest),
    Operation("GET", "/documents", "List the documents by state.", list_documents),
    Operation("POST", "/documents/paginated", "List documents page by page.", list_page,
              PageRequest),
    Operation("GET", "/documents/status_counts", "Count the documents by state.", count_documents),
    Operation("GET", "/documents/pipeline_status", "Whether documents are indexed now.",
              show_pipeline),
    Operation("GET", "/documents/track_status/{track_id}", "The state of added documents.",
              track),
    Operation("POST", "/documents/text", "Add a text.", insert_text, TextRequest, edits=True),
    Operation("POST", "/documents/texts", "Add several texts.", insert_texts, TextsRequest,
              edits=True),
    Operation("POST", "/documents/upload", "Add a file (multipart field “file”).", upload,
              edits=True),
    Operation("DELETE", "/documents/delete_document", "Move documents to the trash.",
              delete_documents, DeleteRequest, edits=True),
    Operation("DELETE", "/documents/delete_entity", "Delete a name.", delete_entity,
              EntityDeletion, edits=True),
    Operation("DELETE", "/documents/delete_relation", "Delete a connection.", delete_relation,
              RelationDeletion, edits=True),
    Operation("GET", "/graphs", "The surroundings of a name; “*” for the whole graph.", show_graph,
              query={"label": "a name or “*”", "max_depth": "steps from it",
                     "max_nodes": "at most so many names"}),
    Operation("GET", "/graph/label/list", "All names, in order.", list_labels),
    Operation("GET", "/graph/label/popular", "The most connected names.", list_popular,
              query=LIMIT),
    Operation("GET", "/graph/label/search", "Names with a text in them.", search_labels,
              query={"q": "part of a name", **LIMIT}),
    Operation("GET", "/graph/entity/exists", "Whether there is such a name.", has_entity,
              query={"name": "a name or alias"}),
    Operation("GET", "/graph/entity/events", "The events of a name, with their sentences.",
              list_entity_events, query={"name": "a name or alias", **LIMIT}),
    Operation("POST", "/graph/entity/edit", "Change a name.", edit_entity, EntityUpdate,
              edits=True),
    Operation("POST", "/graph/entity/create", "Add a name.", create_entity, EntityCreation,
              edits=True),
    Operation("POST", "/graph/relation/edit", "Change a connection.", edit_relation, RelationUpdate,
              edits=True),
    Operation("POST", "/graph/relation/create", "Connect two names.", create_relation,
              RelationCreation, edits=True),
    Operation("POST", "/graph/entities/merge", "Merge names.", merge_entities, EntityMerge,
              edits=True),
)  # fmt: skip
