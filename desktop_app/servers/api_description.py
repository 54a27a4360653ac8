"""The description of the HTTP API: an OpenAPI document, and a page made of it.

The page is plain HTML: it loads nothing, not even from this server, and runs no script.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from .. import __version__
from .http_app import Operation

GROUPS = {"/v1/": "OpenAI", "/api/": "Ollama"}
POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"
STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;
color-scheme:light dark}
code,pre{font:14px/1.4 ui-monospace,monospace}
pre{overflow:auto;border:1px solid #8886;border-radius:6px;padding:.6rem}
summary{cursor:pointer;padding:.3rem 0}
table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;
padding:.2rem .6rem .2rem 0;border-bottom:1px solid #8883}
"""


def build_openapi(operations: Sequence[Operation]) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document of the operations."""
    schemas: dict[str, Any] = {}
    paths: dict[str, dict[str, Any]] = {}
    for one in operations:
        entry: dict[str, Any] = {
            "summary": one.summary,
            "tags": [find_group(one.path)],
            "operationId": _name(one),
            "parameters": [
                *(
                    {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
                    for name in re.findall(r"\{(\w+)\}", _write_path(one))
                ),
                *(
                    {"name": name, "in": "query", "description": text,
                     "schema": {"type": "string"}}
                    for name, text in one.query.items()
                ),
            ],
            "responses": {
                "200": {"description": "done", "content": {"application/json": {}}},
                "401": {"description": "the token is missing or wrong"},
            },
        }  # fmt: skip
        if one.body is not None:
            schema = one.body.model_json_schema(ref_template="#/components/schemas/{model}")
            schemas.update(schema.pop("$defs", {}))
            schemas[one.body.__name__] = schema
            reference = {"$ref": f"#/components/schemas/{one.body.__name__}"}
            entry["requestBody"] = {
                "required": True,
                "content": {"application/json": {"schema": reference}},
            }
        paths.setdefault(_write_path(one), {})[one.method.lower()] = entry
    return {
        "openapi": "3.1.0",
        "info": {"title": "Inkgraph", "version": __version__},
        "security": [{"token": []}, {"key": []}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "key": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
            },
        },
    }


def build_page(operations: Sequence[Operation]) -> str:
    """Return the page that describes the operations."""
    parts = []
    for group in ("LightRAG", *GROUPS.values()):
        own = [one for one in operations if find_group(one.path) == group]
        parts += [f"<h2>{group}</h2>", *(_describe(one) for one in own)]
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Inkgraph API</title>'
        f"<style>{STYLE}</style><h1>Inkgraph API</h1>"
        "<p>Programs on this machine may read the open library. Each request needs the header "
        "<code>Authorization: Bearer TOKEN</code> or <code>X-API-Key: TOKEN</code>. The same as "
        '<a href="/openapi.json">OpenAPI document</a>.</p>' + "".join(parts) + "</html>"
    )


def list_description_routes(operations: Sequence[Operation]) -> list[Route]:
    """Return the routes of the page and of the OpenAPI document."""
    document, page = build_openapi(operations), build_page(operations)
    headers = {"Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff"}

    async def show_page(request: Request) -> Response:
        return HTMLResponse(page, headers=headers)

    async def show_document(request: Request) -> Response:
        return JSONResponse(document, headers=headers)

    return [Route("/", show_page), Route("/docs", show_page), Route("/openapi.json", show_document)]


def find_group(path: str) -> str:
    """Return whose API a path is of."""
    return next((name for start, name in GROUPS.items() if path.startswith(start)), "LightRAG")


def _name(one: Operation) -> str:
    return "_".join([one.method.lower(), *re.findall(r"\w+", _write_path(one))])


def _write_path(one: Operation) -> str:
    """Return a path as OpenAPI writes it, without the kind of its parameters."""
    return one.path.replace(":path}", "}")


def _describe(one: Operation) -> str:
    rows = []
    for name, text in one.query.items():
        rows.append((name, "in the address", text))
    if one.body is not None:
        schema = one.body.model_json_schema()
        required = schema.get("required", [])
        for name, field in schema["properties"].items():
            kind = "needed" if name in required else "optional"
            default = field.get("default")
            text = "" if default in (None, "", []) else f"default {default}"
            rows.append((name, kind, text))
    table = "".join(
        "<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) + "</tr>"
        for row in rows
    )
    return (
        f"<details><summary><code>{one.method} {html.escape(_write_path(one))}</code> "
        f"{html.escape(one.summary)}</summary><table>{table}</table></details>"
    )
