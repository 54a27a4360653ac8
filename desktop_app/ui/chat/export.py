"""A chat as Markdown, as a self-contained page, as JSON and as plain text. No Qt."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

from desktop_app.engine.model import Citation, Reference
from desktop_app.engine.services.exporting.citation_styles import list_works_cited
from desktop_app.engine.services.exporting.markdown import disarm_line, disarm_markdown
from desktop_app.engine.services.exporting.output import write_bytes
from desktop_app.engine.services.exporting.references import build_csl_item

from ..theme.design_tokens import LIGHT
from ..translation import tr
from .answer_view import render_answer
from .passage_words import describe_location, make_passage
from .turns import Turn

SHEET = """
body { font: 16px/1.6 system-ui, "Noto Sans", "Noto Sans CJK SC", sans-serif; color: #1d1c1a;
  background: #fbfaf8; max-width: 46rem; margin: 2rem auto; padding: 0 1.5rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.05rem; margin: 2rem 0 .5rem; }
.when, .by, .sources { color: #6b6862; font-size: .85rem; }
.reference { padding-left: 1.5rem; text-indent: -1.5rem; margin: .25rem 0; }
.sources q { color: #1d1c1a; } .sources li { margin: .25rem 0; }
table { border-collapse: collapse; } td, th { border-bottom: 1px solid #e4e1db;
  padding: .25rem .75rem .25rem 0; text-align: left; }
pre, code { background: #f2f0ec; } sup a { text-decoration: none; }
""".strip()
_MARKS = re.compile(r"\s?[\[【]\s*\d{1,3}(?:\s*[,，、;]\s*\d{1,3})*\s*[\]】]")


@dataclass(frozen=True, slots=True)
class Cited:
    """The documents that the answers of a chat cite, and the style of their references."""

    references: tuple[Reference, ...] = ()
    style: str = "apa"

    def lines(self) -> list[str]:
        """Return their references, one a line."""
        return list_works_cited(self.references, self.style)


NOTHING_CITED = Cited()


def write_chat(path: Path, title: str, turns: Sequence[Turn], cited: Cited | None = None) -> None:
    """Write a chat in the format of the file's ending, Markdown for an unknown one.

    Args:
        cited: the documents that the answers cite, as a list of references at the end.

    Raises:
        UserError: an export may not replace this file.
        EnvironmentProblem: the file can't be written.
    """
    kind = path.suffix.lower().lstrip(".")
    make = {"html": as_html, "htm": as_html, "json": as_json}.get(kind, as_markdown)
    write_bytes(path, make(title, turns, cited or Cited()).encode("utf-8", "replace"))


def list_cited_documents(turns: Sequence[Turn]) -> list[int]:
    """Return the documents that the answers cite, in the order of their first citation."""
    return list(dict.fromkeys(c.document_id for turn in turns for c in turn.citations))


def as_markdown(title: str, turns: Sequence[Turn], cited: Cited = NOTHING_CITED) -> str:
    """Return each question as a heading, its answer, and its sources as a list."""
    parts = [f"# {disarm_line(title)}"]
    for turn in turns:
        parts.append(f"## {disarm_line(turn.question)}" if turn.question else "---")
        parts.append(disarm_markdown(turn.text) or _no_answer())
        if notes := footnotes(turn):
            parts.append(
                "\n".join(
                    f"- [{n}] {disarm_line(where)}: “{disarm_line(quote)}”"
                    for n, where, quote in notes
                )
            )
        if by := _describe_origin(turn):
            parts.append(f"*{disarm_line(by)}*")
    if lines := cited.lines():
        parts.append(f"## {tr('References')}")
        parts.append("\n".join(f"- {disarm_line(line)}" for line in lines))
    return "\n\n".join(parts) + "\n"


def as_html(title: str, turns: Sequence[Turn], cited: Cited = NOTHING_CITED) -> str:
    """Return a self-contained page; its citations link to its list of sources."""
    body = [f"<h1>{escape(title)}</h1>"]
    for place, turn in enumerate(turns, start=1):
        if turn.question:
            body.append(f"<h2>{escape(turn.question)}</h2>")
        numbers = {c.number for c in turn.citations}
        answer = render_answer(turn.text or _no_answer(), numbers, LIGHT)
        body.append(answer.replace('href="cite:', f'href="#s{place}-'))
        notes = "".join(
            f'<li id="s{place}-{n}" value="{n}">'  # not shown
            f"{escape(where)}: <q>{escape(quote)}</q></li>"
            for n, where, quote in footnotes(turn)
        )
        if notes:
            body.append(f'<ol class="sources">{notes}</ol>')  # not shown
        if by := _describe_origin(turn):
            body.append(f'<p class="by">{escape(by)}</p>')
    if lines := cited.lines():
        body.append(f"<h2>{escape(tr('References'))}</h2>")
        body += [f'<p class="reference">{escape(line)}</p>' for line in lines]  # not shown
    return (
        '<!doctype html>\n<html><head><meta charset="utf-8">'  # not shown
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'\">"
        f"<title>{escape(title)}</title><style>{SHEET}</style></head>\n<body>\n"
        + "\n".join(body)
        + "\n</body></html>\n"
    )


def as_json(title: str, turns: Sequence[Turn], cited: Cited = NOTHING_CITED) -> str:
    """Return everything: questions, answers, citations with offsets, retrieved passages.

    The references of the cited documents are items of CSL-JSON.
    """
    content: dict[str, object] = {"title": title, "turns": [_as_dict(turn) for turn in turns]}
    if cited.references:
        content["references"] = [build_csl_item(one) for one in cited.references]
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def as_text(turns: Sequence[Turn]) -> str:
    """Return a chat as plain text for the clipboard."""
    parts = [f"{turn.question}\n\n{text_with_sources(turn)}".strip() for turn in turns]
    return "\n\n---\n\n".join(parts)


def text_with_sources(turn: Turn) -> str:
    """Return an answer as text with its citations as footnotes."""
    notes = [f"[{number}] {where}: “{quote}”" for number, where, quote in footnotes(turn)]
    return turn.text if not notes else turn.text + "\n\n" + "\n".join(notes)


def text_without_sources(turn: Turn) -> str:
    """Return an answer as text without citation marks."""
    return _MARKS.sub("", turn.text)


def footnotes(turn: Turn) -> list[tuple[int, str, str]]:
    """Return the number, location and quoted sentence of each citation."""
    notes = []
    for c, place in _locate_citations(turn):
        where = f"{c.title}, {place}" if place else c.title
        notes.append((c.number, where, " ".join(c.quote.split())))
    return notes


def _locate_citations(turn: Turn) -> list[tuple[Citation, str]]:
    """Return each citation with the location of its passage, or its page alone."""
    found = {passage.chunk_id: passage for passage in turn.passages}
    located = []
    for c in turn.citations:
        passage = found.get(c.chunk_id) or make_passage(c)
        page = c.page_label or passage.page_label
        located.append((c, describe_location(replace(passage, page_label=page), c.cells)))
    return located


def _no_answer() -> str:
    return f"*{tr('No answer.')}*"


def _describe_origin(turn: Turn) -> str:
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(turn.asked_at)) if turn.asked_at else ""
    return " · ".join(part for part in (turn.model, when) if part)


def _as_dict(turn: Turn) -> dict[str, object]:
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
                "place": place,
                "start": c.start,
                "end": c.end,
                "quote": c.quote,
            }
            for c, place in _locate_citations(turn)
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
