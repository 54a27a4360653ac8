"""A chat as a file: Markdown, HTML or JSON, each with the sentences that answers stand on.

Owns what stands in such a file. No Qt here; what a file is called and where it goes is asked
elsewhere.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from desktop_app.engine.errors import cannot_write
from desktop_app.ui.language import tr
from desktop_app.ui.theme.tokens import LIGHT

from .answer_html import render_answer
from .turns import Turn, copy_text, footnotes, place_words

KINDS = ("md", "html", "json")
_STYLE = """
body { font: 16px/1.6 system-ui, "Noto Sans", "Noto Sans CJK SC", sans-serif; color: #1d1c1a;
  background: #fbfaf8; max-width: 46rem; margin: 2rem auto; padding: 0 1.5rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.05rem; margin: 2rem 0 .5rem; }
.when, .by, .sources { color: #6b6862; font-size: .85rem; }
.sources q { color: #1d1c1a; } .sources li { margin: .25rem 0; }
table { border-collapse: collapse; } td, th { border-bottom: 1px solid #e4e1db;
  padding: .25rem .75rem .25rem 0; text-align: left; }
pre, code { background: #f2f0ec; } sup a { text-decoration: none; }
""".strip()


def write_chat(path: Path, title: str, turns: Sequence[Turn]) -> None:
    """Write a chat in the kind that the file's ending names, Markdown for any other.

    Raises:
        EnvironmentProblem: the file can't be written.
    """
    kind = path.suffix.lower().lstrip(".")
    make = {"html": as_html, "htm": as_html, "json": as_json}.get(kind, as_markdown)
    try:
        path.write_text(make(title, turns), "utf-8")
    except OSError as error:
        raise cannot_write(path, error) from error


def as_markdown(title: str, turns: Sequence[Turn]) -> str:
    """Return each question as a heading, its answer, and its sources as a list."""
    parts = [f"# {title}"]
    for turn in turns:
        parts.append(f"## {' '.join(turn.question.split())}" if turn.question else "---")
        parts.append(turn.text or _no_answer())
        if notes := footnotes(turn):
            parts.append("\n".join(f"- [{n}] {where}: “{quote}”" for n, where, quote in notes))
        if by := _by(turn):
            parts.append(f"*{by}*")
    return "\n\n".join(parts) + "\n"


def as_html(title: str, turns: Sequence[Turn]) -> str:
    """Return a page that stands alone: its marks lead to its own list of sources."""
    body = [f"<h1>{escape(title)}</h1>"]
    for place, turn in enumerate(turns, start=1):
        if turn.question:
            body.append(f"<h2>{escape(turn.question)}</h2>")
        numbers = {c.number for c in turn.citations}
        answer = render_answer(turn.text or _no_answer(), numbers, LIGHT)
        body.append(answer.replace('href="cite:', f'href="#s{place}-'))
        notes = "".join(
            f'<li id="s{place}-{n}" value="{n}">{escape(where)}: <q>{escape(quote)}</q></li>'
            for n, where, quote in footnotes(turn)
        )
        if notes:
            body.append(f'<ol class="sources">{notes}</ol>')  # not shown
        if by := _by(turn):
            body.append(f'<p class="by">{escape(by)}</p>')
    return (
        '<!doctype html>\n<html><head><meta charset="utf-8">'  # not shown
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'\">"
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>\n<body>\n"
        + "\n".join(body)
        + "\n</body></html>\n"
    )


def as_json(title: str, turns: Sequence[Turn]) -> str:
    """Return all that is known: questions, answers, citations with offsets, passages read."""
    told = {"title": title, "turns": [_plain(turn) for turn in turns]}
    return json.dumps(told, ensure_ascii=False, indent=2) + "\n"


def as_text(turns: Sequence[Turn]) -> str:
    """Return a chat for the clipboard."""
    parts = [f"{turn.question}\n\n{copy_text(turn)}".strip() for turn in turns]
    return "\n\n---\n\n".join(parts)


def _no_answer() -> str:
    return f"*{tr('No answer.')}*"


def _by(turn: Turn) -> str:
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(turn.asked_at)) if turn.asked_at else ""
    return " · ".join(part for part in (turn.model, when) if part)


def _plain(turn: Turn) -> dict[str, Any]:
    headings = {p.chunk_id: p.heading for p in turn.passages}
    return {
        "question": turn.question,
        "answer": turn.text,
        "model": turn.model,
        "seconds": turn.seconds,
        "stopped": turn.stopped,
        "asked_at": turn.asked_at,
        "citations": [
            {
                "number": c.number,
                "document": c.title,
                "document_id": c.document_id,
                "place": place_words(c.page_label, headings.get(c.chunk_id, ""), c.title),
                "start": c.start,
                "end": c.end,
                "quote": c.quote,
            }
            for c in turn.citations
        ],
        "passages": [
            {
                "document": p.title,
                "document_id": p.document_id,
                "start": p.start,
                "end": p.end,
                "score": round(p.score, 4),
                "text": p.text,
            }
            for p in turn.passages
        ],
    }
