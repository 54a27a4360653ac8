"""Commands for a stored chat: rename, delete with undo, export, find the names in its answers.

Owns these operations and their messages. The only dialog is the one for a file name.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from desktop_app.engine.errors import cannot_write
from desktop_app.engine.model import Answer
from desktop_app.engine.services.library_reader import NamedPart
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..language import later, tr
from ..theme.tokens import LIGHT
from .answer_view import render_answer
from .turn import Turn, copy_text, describe_location, footnotes, pair_turns

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
    """Write a chat in the format of the file's ending, Markdown for an unknown one.

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
    """Return a self-contained page; its citations link to its list of sources."""
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
    """Return everything: questions, answers, citations with offsets, retrieved passages."""
    content = {"title": title, "turns": [_plain(turn) for turn in turns]}
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def as_text(turns: Sequence[Turn]) -> str:
    """Return a chat as plain text for the clipboard."""
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
                "place": describe_location(c.page_label, headings.get(c.chunk_id, ""), c.title),
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


MOST_NAMES = 20
FILES = later("Markdown (*.md);;Web page (*.html);;JSON with all sources (*.json)")


class ChatActions(QObject):
    """Emits the id of a chat that was `renamed`, `deleted` or `restored`."""

    renamed = Signal(int)
    rename_failed = Signal()
    deleted = Signal(int)
    restored = Signal(int)

    def __init__(self, context: SessionContext, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context

    def rename(self, chat_id: int, title: str) -> None:
        def fail(error: BaseException) -> None:
            self._context.messages.show_error(error)
            self.rename_failed.emit()

        rename = self._context.chats.rename_chat
        query = Query(self._context.writer_lane, rename, chat_id, title, owner=self)
        query.on_success(lambda _: self.renamed.emit(chat_id)).on_error(fail).run()

    def delete(self, chat_id: int, title: str) -> None:
        """Delete a chat and show a message with "Undo"."""

        def gone(step: int) -> None:
            self._context.messages.show(
                tr("Deleted the chat “{title}”", title=title),
                action_text=tr("Undo"),
                action=lambda: self._bring_back(chat_id, step),
            )
            self.deleted.emit(chat_id)

        delete = self._context.chats.delete_chat
        query = Query(self._context.writer_lane, delete, chat_id, owner=self)
        query.on_success(gone).run()

    def _bring_back(self, chat_id: int, step: int) -> None:
        undo = self._context.chats.undo_delete
        query = Query(self._context.writer_lane, undo, step, owner=self)
        query.on_success(lambda _: self.restored.emit(chat_id)).run()

    def show_branch(
        self,
        chat_id: int,
        message_id: int,
        then: Callable[[], None],
        otherwise: Callable[[], None] = lambda: None,
    ) -> None:
        """Make the branch with a message the current one, then call the callback.

        `otherwise` is called if that fails.
        """

        def fail(error: BaseException) -> None:
            self._context.messages.show_error(error)
            otherwise()

        show = self._context.chats.show_branch
        query = Query(self._context.writer_lane, show, chat_id, message_id, owner=self)
        query.on_success(lambda _: then()).on_error(fail).run()

    # --- export -----------------------------------------------------------------------------------

    def ask_where(self, chat_id: int, title: str, parent: QWidget) -> None:
        """Ask for a file name and save the chat there."""
        plain = "".join(c if c.isalnum() or c in " -_" else " " for c in title)
        name = " ".join(plain.split())[:60] or "chat"
        ask = QFileDialog.getSaveFileName
        path, kind = ask(parent, tr("Export the chat"), f"{name}.md", tr(FILES))
        if not path:
            return
        where = Path(path)
        if not where.suffix:
            where = where.with_suffix(kind[kind.index("*") + 1 : kind.index(")")])
        self.export(chat_id, title, where)

    def export(self, chat_id: int, title: str, path: Path) -> None:
        """Write the current branch to a file, with the sentences that support its answers."""
        chats = self._context.chats

        def write() -> None:
            write_chat(path, title, pair_turns(chats.fetch_messages(chat_id, whole=True)))

        def done(_: object) -> None:
            words = tr("Saved the chat as “{name}”", name=path.name)
            self._context.messages.show(words, kind="ok")

        query = Query(self._context.reader_lane, write, owner=self)
        query.on_success(done).run()

    # --- names and passages -----------------------------------------------------------------------

    def fill(self, turn: Turn, widget: QWidget, then: Callable[[Turn], None]) -> None:
        """Load the passages of a turn's answer; old answers are loaded without them."""

        def show(answer: Answer | None) -> None:
            if answer is not None:
                found = answer.found
                then(replace(turn, passages=found.passages, weak=found.weak))

        fetch = self._context.chats.fetch_answer
        query = Query(self._context.reader_lane, fetch, turn.message_id, owner=widget)
        query.on_success(show).run()

    def name(self, turn: Turn, widget: QWidget, then: Callable[[Turn], None]) -> None:
        """Load the entities whose names occur in a turn's answer."""
        chats, passages = self._context.chats, turn.passages

        def find() -> list[NamedPart]:
            read = passages
            if not read and turn.message_id:
                answer = chats.fetch_answer(turn.message_id)
                read = answer.found.passages if answer is not None else ()
            return chats.find_named(turn.text, read)

        query = Query(self._context.reader_lane, find, owner=widget)
        query.on_success(lambda named: then(replace(turn, named=tuple(named)))).run()

    def find_names(self, turn: Turn, then: Callable[[list[int]], None]) -> None:
        """Pass the entities of an answer: those it names, otherwise those retrieved for it."""
        ids = [part.entity_id for part in turn.named] or [row.id for row in turn.entities]
        if ids:
            then(list(dict.fromkeys(ids)))
            return
        spans = [(c.document_id, c.start, c.end) for c in turn.citations]
        spans = spans or [(p.document_id, p.best_start, p.best_end) for p in turn.passages]
        library_reader = self._context.library_reader

        def find() -> list[int]:
            counts = Counter(m[2] for span in spans for m in library_reader.mentions_in(*span))
            return [entity_id for entity_id, _ in counts.most_common(MOST_NAMES)]

        def show(ids: list[int]) -> None:
            if ids:
                then(ids)
            else:
                self._context.messages.show(tr("These passages name nobody and nothing."))

        query = Query(self._context.reader_lane, find, owner=self)
        query.on_success(show).run()
