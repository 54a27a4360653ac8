"""Rows of chats: messages, their branches, citations and retrieval traces; search in them."""

from __future__ import annotations

import dataclasses
import json
import re
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar

from ..errors import Cancelled
from ..messages import STORED_START, Message
from ..model import (
    ANSWER_CHECKED,
    READ_ONE_BY_ONE,
    Answer,
    AskedQuestion,
    ChatId,
    ChatRow,
    CheckedSentence,
    Citation,
    CommunitiesFound,
    EntityRow,
    Keywords,
    MessageRow,
    Passage,
    RankedReport,
    RelationRow,
    RetrievalResult,
    Stage,
    count_read,
)
from ..text_tables import TableStart
from .db import Db
from .stored_json import reads_stored
from .table_headers import describe_place

MAX_TITLE_CHARS = 200  # of a chat without a title of its own; screens elide it to their width

Versions = dict[int, tuple[int, ...]]


def fetch_path(db: Db, chat_id: int) -> tuple[list[int], Versions]:
    """Return the shown messages, oldest first, and the alternatives of each question."""
    parents, roles = _fetch_parents(db, chat_id)
    path: list[int] = []
    message_id = _leaf(db, chat_id, parents)
    while message_id in parents:
        path.append(message_id)
        message_id = parents[message_id]
    path.reverse()
    asked: dict[int, list[int]] = {}
    for message_id, parent_id in parents.items():
        if roles[message_id] == "user":
            asked.setdefault(parent_id, []).append(message_id)
    return path, {i: tuple(asked[parents[i]]) for i in path if roles[i] == "user"}


def fetch_leaf(db: Db, chat_id: int) -> int:
    """Return the last shown message, 0 where there is none."""
    return _leaf(db, chat_id, _fetch_parents(db, chat_id)[0])


def set_leaf(db: Db, chat_id: int, message_id: int) -> None:
    db.write("UPDATE chat SET leaf_id = ? WHERE id = ?", (message_id, chat_id))


def newest_question(db: Db, chat_id: int) -> int:
    """Return the newest question, 0 where there is none."""
    question = "SELECT max(id) FROM message WHERE chat_id = ? AND role = 'user'"
    return db.value(question, (chat_id,)) or 0


def begin_branch(db: Db, chat_id: int, question_id: int) -> None:
    """Make the next question an alternative to this one."""
    parents, _ = _fetch_parents(db, chat_id)
    if question_id in parents:
        set_leaf(db, chat_id, parents[question_id])


def show_branch(db: Db, chat_id: int, message_id: int) -> None:
    """Show the branch with this message, up to its newest end."""
    parents, _ = _fetch_parents(db, chat_id)
    if message_id not in parents:
        return
    newest: dict[int, int] = {}
    for child, parent in parents.items():  # in the order of ids
        newest[parent] = child
    while message_id in newest:
        message_id = newest[message_id]
    set_leaf(db, chat_id, message_id)


def _fetch_parents(db: Db, chat_id: int) -> tuple[dict[int, int], dict[int, str]]:
    parents: dict[int, int] = {}
    roles: dict[int, str] = {}
    before = 0
    for message_id, role, parent_id in db.rows(
        "SELECT id, role, parent_id FROM message WHERE chat_id = ? ORDER BY id", (chat_id,)
    ):
        parents[message_id] = before if parent_id is None else parent_id
        roles[message_id] = role
        before = message_id
    return parents, roles


def _leaf(db: Db, chat_id: int, parents: dict[int, int]) -> int:
    leaf: int | None = db.value("SELECT leaf_id FROM chat WHERE id = ?", (chat_id,))
    if leaf is None or (leaf and leaf not in parents):
        return max(parents, default=0)
    return leaf


N_WITH_PASSAGES = 24  # the newest messages; older passages are fetched on request


def fetch_chats(db: Db) -> list[ChatRow]:
    return [
        ChatRow(*(*r[:4], bool(r[4])))
        for r in db.rows(
            "SELECT c.id, c.title,"
            " (SELECT count(*) FROM message m WHERE m.chat_id = c.id), c.folder, c.pinned"
            " FROM chat c ORDER BY c.updated_at DESC, c.id DESC"
        )
    ]


def _new_id(table: str) -> str:
    """Return the expression for an id that no row had: a deleted chat may come back."""
    return (
        f"(SELECT max(last_{table}_id, coalesce((SELECT max(id) FROM {table}), 0)) + 1"
        " FROM library_state)"
    )


# As `_new_id`. Only a deletion puts these ids into the history, so it notes the last one.
_NEW_WAITING_ID = (
    "(SELECT 1 + max(ifnull((SELECT max(id) FROM waiting_question), 0), ifnull((SELECT"
    " CAST(value AS INTEGER) FROM setting WHERE key = 'last_waiting_id'), 0)))"
)


def add_chat(db: Db, title: str) -> ChatId:
    now = time.time()
    return ChatId(
        db.write(
            "INSERT INTO chat(id, title, created_at, updated_at)"
            f" VALUES ({_new_id('chat')}, ?, ?, ?)",
            (title, now, now),
        )
    )


def _check_exists(db: Db, chat_id: int) -> None:
    """Raise Cancelled for a chat that was deleted meanwhile."""
    if db.value("SELECT 1 FROM chat WHERE id = ?", (chat_id,)) is None:
        raise Cancelled


def _make_title(question: str) -> str:
    """Return the first line of a question, with "…" where it is longer than a title may be."""
    line = question.strip().split("\n")[0]
    return line if len(line) <= MAX_TITLE_CHARS else line[: MAX_TITLE_CHARS - 1].rstrip() + "…"


def fetch_title(db: Db, chat_id: int) -> str:
    return db.value("SELECT title FROM chat WHERE id = ?", (chat_id,)) or ""


def rename_chat(db: Db, chat_id: int, title: str) -> None:
    db.write("UPDATE chat SET title = ? WHERE id = ?", (title, chat_id))


def put_in_folder(db: Db, chat_id: int, folder: str) -> None:
    db.write("UPDATE chat SET folder = ? WHERE id = ?", (folder, chat_id))


def rename_folder(db: Db, folder: str, title: str) -> None:
    """Rename a folder; "" removes its chats from it."""
    db.write("UPDATE chat SET folder = ? WHERE folder = ?", (title, folder))


def pin_chat(db: Db, chat_id: int, pinned: bool) -> None:
    db.write("UPDATE chat SET pinned = ? WHERE id = ?", (int(pinned), chat_id))


def delete_chat(db: Db, chat_id: int) -> None:
    """Delete a chat with what was not sent; undo brings all of it back, with the same ids."""
    db.write(
        "INSERT OR REPLACE INTO setting VALUES"
        f" ('last_waiting_id', CAST({_NEW_WAITING_ID} - 1 AS TEXT))"
    )
    db.write(
        "DELETE FROM citation WHERE message_id IN (SELECT id FROM message WHERE chat_id = ?)",
        (chat_id,),
    )
    db.write("DELETE FROM message WHERE chat_id = ?", (chat_id,))
    db.write("DELETE FROM chat WHERE id = ?", (chat_id,))
    db.write("DELETE FROM chat_draft WHERE chat_id = ?", (chat_id,))
    db.write("DELETE FROM waiting_question WHERE chat_id = ?", (chat_id,))


def add_question(db: Db, chat_id: int, text: str) -> int:
    """Add a question to the shown branch; the first one is the title of a chat without title.

    It is no longer among the waiting ones.

    Raises:
        Cancelled: the chat was deleted.
    """
    _check_exists(db, chat_id)
    remove_waiting(db, chat_id, text)
    now = time.time()
    parent_id = fetch_leaf(db, chat_id)
    db.write(
        "UPDATE chat SET updated_at = ?, title = CASE WHEN title = '' THEN ? ELSE title END"
        " WHERE id = ?",
        (now, _make_title(text), chat_id),
    )
    message_id = db.write(
        "INSERT INTO message(id, chat_id, role, text, created_at, parent_id)"
        f" VALUES ({_new_id('message')}, ?, 'user', ?, ?, ?)",
        (chat_id, text, now, parent_id),
    )
    set_leaf(db, chat_id, message_id)
    return message_id


def add_answer(db: Db, chat_id: int, answer: Answer) -> int:
    """Store an answer with its citations and its trace.

    It belongs to the newest question, even if another branch is shown now.

    Raises:
        Cancelled: the chat was deleted.
    """
    _check_exists(db, chat_id)
    question_id = newest_question(db, chat_id)
    is_shown = fetch_leaf(db, chat_id) == question_id
    message_id = db.write(
        "INSERT INTO message(id, chat_id, role, text, model, prompt, trace, stopped, seconds,"
        " created_at, parent_id)"
        f" VALUES ({_new_id('message')}, ?, 'assistant', ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            chat_id,
            answer.text,
            answer.model,
            answer.prompt,
            pack_trace(answer),
            int(answer.stopped),
            answer.seconds,
            time.time(),
            question_id,
        ),
    )
    if is_shown:
        set_leaf(db, chat_id, message_id)
    db.write_many(
        "INSERT INTO citation(id, message_id, number, chunk_id, document_id, title, start, end,"
        f" quote, page_label) VALUES ({_new_id('citation')}, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        # the place in a table is found again
        ((message_id, *dataclasses.astuple(c)[:-1]) for c in answer.citations),
    )
    return message_id


def fetch_messages(
    db: Db, chat_id: int, n_with_passages: int | None = N_WITH_PASSAGES
) -> list[MessageRow]:
    """Return the shown branch, oldest first; None: all with passages, else the newest."""
    path, versions = fetch_path(db, chat_id)
    citations = _citations(db, "m.chat_id = ?", chat_id)
    stored = {
        r[0]: r[1:]
        for r in db.rows(
            "SELECT id, role, text, created_at, model, stopped, seconds FROM message"
            " WHERE chat_id = ?",
            (chat_id,),
        )
    }
    with_passages = set(path if n_with_passages is None else path[-n_with_passages:])
    rows = []
    for message_id in path:
        role, text, created_at, model, stopped, seconds = stored[message_id]
        found = FoundForAnswer()
        if role == "assistant" and message_id in with_passages:
            trace = db.value("SELECT trace FROM message WHERE id = ?", (message_id,))
            found = unpack_found(trace or "{}")
        rows.append(
            MessageRow(
                id=message_id,
                chat_id=ChatId(chat_id),
                role=role,
                text=text,
                created_at=created_at,
                citations=tuple(citations.get(message_id, ())),
                model=model,
                stopped=bool(stopped),
                seconds=seconds,
                versions=versions.get(message_id, ()),
                **found._asdict(),
            )
        )
    return rows


def fetch_answer(db: Db, message_id: int) -> Answer | None:
    """Return a stored answer with its trace; None for a question or a deleted message."""
    row = db.row(
        "SELECT trace, text, model, prompt, stopped, seconds FROM message"
        " WHERE id = ? AND role = 'assistant'",
        (message_id,),
    )
    if row is None:
        return None
    citations = _citations(db, "m.id = ?", message_id).get(message_id, ())
    return unpack_answer(
        row[0],
        text=row[1],
        citations=tuple(citations),
        model=row[2],
        prompt=row[3],
        stopped=bool(row[4]),
        seconds=row[5],
    )


def _citations(db: Db, where: str, value: int) -> dict[int, list[Citation]]:
    found: dict[int, list[Citation]] = {}
    for message_id, *values in db.rows(
        "SELECT k.message_id, k.number, k.chunk_id, k.document_id, k.title, k.start, k.end,"
        f" k.quote, k.page_label FROM citation k JOIN message m ON m.id = k.message_id"
        f" WHERE {where} ORDER BY k.number",
        (value,),
    ):
        citation = Citation(*values)
        cells = describe_place(db, citation.document_id, citation.start, citation.quote)
        found.setdefault(message_id, []).append(replace(citation, cells=cells))
    return found


# --- what was written and not asked yet -----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WaitingQuestion:
    """A question that waits for others; `instead_of` is the question it is a new version of, or 0.

    `mode` and `response_type` are those of its parameters.
    """

    chat_id: int
    text: str
    mode: str
    response_type: str
    instead_of: int = 0


def fetch_drafts(db: Db) -> dict[int, str]:
    """Return chat -> text in its question box; 0 is the chat that has no question yet."""
    return dict(
        db.rows(
            "SELECT chat_id, text FROM chat_draft"
            " WHERE chat_id = 0 OR chat_id IN (SELECT id FROM chat)"
        )
    )


def write_draft(db: Db, chat_id: int, text: str) -> None:
    """Store the text in the question box of a chat, unless it was deleted; "" removes it."""
    if text:
        db.write(
            "INSERT OR REPLACE INTO chat_draft SELECT ?1, ?2"
            " WHERE ?1 = 0 OR ?1 IN (SELECT id FROM chat)",
            (chat_id, text),
        )
    else:
        db.write("DELETE FROM chat_draft WHERE chat_id = ?", (chat_id,))


def fetch_waiting(db: Db) -> list[WaitingQuestion]:
    """Return the questions that were not asked yet, in the order they were written."""
    return [
        WaitingQuestion(*row)
        for row in db.rows(
            "SELECT chat_id, text, mode, response_type, instead_of FROM waiting_question"
            " WHERE chat_id IN (SELECT id FROM chat) ORDER BY id"
        )
    ]


def add_waiting_question(db: Db, question: WaitingQuestion) -> None:
    """Store a question that was not asked yet, unless its chat was deleted."""
    db.write(
        "INSERT INTO waiting_question(id, chat_id, text, mode, response_type, instead_of)"
        f" SELECT {_NEW_WAITING_ID}, ?1, ?2, ?3, ?4, ?5"
        " WHERE ?1 IN (SELECT id FROM chat)",
        dataclasses.astuple(question),
    )


def remove_waiting(db: Db, chat_id: int, text: str) -> None:
    """Remove the oldest waiting question with this text, if there is one."""
    db.write(
        "DELETE FROM waiting_question WHERE id ="
        " (SELECT min(id) FROM waiting_question WHERE chat_id = ? AND text = ?)",
        (chat_id, text),
    )


AROUND = 40
EACH = 5  # limit per chat, so that a long chat does not hide the others
_MARKDOWN = re.compile(r"\*\*|^#+ |^\|[-| :]+\|$|`{3}", re.MULTILINE)
_WORD = re.compile(r'"([^"]+)"|(\S+)')
_MAX_WORDS = 100  # of a search; SQLite limits expressions to a depth of 1,000
_MAX_WORD_CHARS = 5_000  # SQLite limits patterns to 50,000 bytes


@dataclass(frozen=True, slots=True)
class ChatHit:
    """A message that contains all words; `message_id` is 0 for a match in the title.

    `found` is the range of the first word in `snippet`; `n_more` counts the further messages of the
    chat that are left out.
    """

    chat_id: int
    title: str
    message_id: int
    role: str
    snippet: str
    found: tuple[int, int] = (0, 0)
    n_more: int = 0


def find_in_chats(db: Db, text: str, limit: int = 60, chat_id: int | None = None) -> list[ChatHit]:
    """Return messages with all the words, titles first; "quoted words" are a phrase.

    Limited to the newest few messages per chat; unlimited for the chat `chat_id`.
    """
    words = [quoted or word for quoted, word in _WORD.findall(text)]
    words = [word.strip()[:_MAX_WORD_CHARS] for word in words if word.strip()][:_MAX_WORDS]
    if not words:
        return []
    likes = ["%" + re.sub(r"([\\%_])", r"\\\1", word) + "%" for word in words]

    def where(column: str) -> str:
        return " AND ".join([f"{column} LIKE ? ESCAPE '\\'"] * len(likes))

    hits = [
        ChatHit(found_id, title, 0, "", title, _place(title, words))
        for found_id, title in db.rows(
            f"SELECT id, title FROM chat WHERE {where('title')} AND id = ifnull(?, id)"
            " ORDER BY updated_at DESC LIMIT ?",
            (*likes, chat_id, limit),
        )
    ]
    each = EACH if chat_id is None else limit
    for found_id, title, message_id, role, text_found, place, n in db.rows(
        "SELECT * FROM (SELECT c.id, c.title, m.id, m.role, m.text,"
        " row_number() OVER newest AS place, count(*) OVER (PARTITION BY c.id)"
        f" FROM message m JOIN chat c ON c.id = m.chat_id WHERE {where('m.text')}"
        " AND c.id = ifnull(?, c.id) WINDOW newest AS (PARTITION BY c.id ORDER BY m.id DESC)"
        ") WHERE place <= ? ORDER BY 3 DESC LIMIT ?",
        (*likes, chat_id, each, limit),
    ):
        snippet, found = _cut(text_found, words)
        titled = any(h.chat_id == found_id and not h.message_id for h in hits)
        if titled and role == "user" and text_found.strip().startswith(title):
            continue  # the title is its first question
        n_more = n - place if place == each else 0
        hits.append(ChatHit(found_id, title, message_id, role, snippet, found, n_more))
    return hits[:limit]


def _place(text: str, words: list[str]) -> tuple[int, int]:
    start = text.lower().find(words[0].lower())
    return (start, start + len(words[0])) if start >= 0 else (0, 0)


def _cut(text: str, words: list[str]) -> tuple[str, tuple[int, int]]:
    """Return one line of text around the first word, and the word's range in it."""
    text = " ".join(_MARKDOWN.sub("", text).split())
    start, end = _place(text, words)
    begin = max(0, start - AROUND)
    if begin:
        blank = text.find(" ", begin, start)
        begin = blank + 1 if blank >= 0 else begin
    before = "…" if begin else ""
    snippet = before + text[begin : end + 3 * AROUND]
    if end + 3 * AROUND < len(text):
        snippet += "…"
    shift = len(before) - begin
    return snippet, (start + shift, end + shift) if end else (0, 0)


# --- the retrieval trace of an answer, as JSON ----------------------------------------------------


MAX_ROWS = 60  # entities, relations, stages
MAX_LABELS = 120  # of the items that one stage kept or dropped
LONGEST_LABEL = 200
LONGEST_NOTE = 1000


class _Dataclass(Protocol):
    __dataclass_fields__: ClassVar[dict[str, Any]]


Row = TypeVar("Row", bound=_Dataclass)


def pack_trace(answer: Answer) -> str:
    """Return the stored data of an answer besides its text, prompt and citations."""
    found, themes = answer.found, {}
    if isinstance(found, CommunitiesFound):  # the sources of reports are the passages
        themes = {
            "reports": [_short(asdict(r)) | {"sources": []} for r in found.reports[:MAX_ROWS]],
            "tree": [_short(asdict(q)) for q in found.tree[:MAX_ROWS]],
            "n_calls": found.n_calls,
        }
    return json.dumps(
        {
            "question": found.question,
            "asked": found.asked,
            "mode": found.mode,
            "keywords": {"high": _labels(found.keywords.high), "low": _labels(found.keywords.low)},
            "passages": [asdict(p) for p in found.passages],
            "entities": [_short(asdict(e)) for e in found.entities[:MAX_ROWS]],
            "relations": [_short(asdict(r)) for r in found.relations[:MAX_ROWS]],
            "stages": [
                {
                    "name": stage.name,
                    "kept": _labels(stage.kept),
                    "dropped": _labels(stage.dropped),
                    "ms": stage.ms,
                    "checked": [_short(asdict(s)) for s in stage.checked[:MAX_LABELS]],
                    "note": stage.note.to_stored() if stage.note else "",
                }
                for stage in found.stages[:MAX_ROWS]
            ],
            "timings_ms": found.timings_ms,
            "notes": _labels(found.notes),
            "weak": found.weak,
            "n_prompt_tokens": answer.n_prompt_tokens,
            "first_token_s": answer.first_token_s,
            **themes,
        },
        ensure_ascii=False,
        default=float,  # numpy numbers
    )


class FoundForAnswer(NamedTuple):
    """What a chat shows beside an answer; the fields are those of `MessageRow`."""

    passages: tuple[Passage, ...] = ()
    weak: bool = False
    n_rejected: int = 0
    n_confirmed: int = 0
    n_read: int = 0
    failed: CheckedSentence | None = None
    understood: str = ""


@reads_stored
def unpack_found(trace: str) -> FoundForAnswer:
    """Return what a chat shows beside an answer, from the stored data."""
    kept = json.loads(trace)
    stages = [stage for stage in kept.get("stages", ()) if isinstance(stage, dict)]
    checks = [stage for stage in stages if stage.get("name") == ANSWER_CHECKED]
    check = _unpack_stage(checks[-1]) if checks else None
    return FoundForAnswer(
        passages=_passages(kept),
        weak=bool(kept.get("weak", False)),
        n_rejected=len(check.dropped or ()) if check is not None else 0,
        n_confirmed=len(check.kept) if check is not None else 0,
        n_read=count_read(_unpack_stage(s) for s in stages if s.get("name") == READ_ONE_BY_ONE),
        failed=check.first_failed if check is not None else None,
        understood=str(kept.get("question", "")),
    )


@reads_stored
def unpack_answer(
    trace: str,
    *,
    text: str,
    citations: tuple[Citation, ...],
    model: str,
    prompt: str,
    stopped: bool,
    seconds: float,
) -> Answer:
    """Return a stored answer; data that its version did not store is empty."""
    kept = json.loads(trace)
    words = kept.get("keywords") or {}
    themes: dict[str, Any] = {}
    if "reports" in kept:
        themes = {
            "reports": _make_all(RankedReport, kept["reports"]),
            "tree": _make_all(AskedQuestion, kept.get("tree", ())),
            "n_calls": int(kept.get("n_calls", 0)),
        }
    found = (CommunitiesFound if themes else RetrievalResult)(
        question=kept.get("question", ""),
        mode=kept.get("mode", ""),
        passages=_passages(kept),
        entities=_make_all(EntityRow, kept.get("entities", ())),
        relations=_make_all(RelationRow, kept.get("relations", ())),
        weak=bool(kept.get("weak", False)),
        timings_ms=dict(kept.get("timings_ms") or {}),
        notes=tuple(Message.from_stored(note) for note in kept.get("notes", ())),
        keywords=Keywords(tuple(words.get("high", ())), tuple(words.get("low", ()))),
        stages=tuple(_unpack_stage(s) for s in kept.get("stages", ()) if isinstance(s, dict)),
        asked=kept.get("asked", ""),
        **themes,
    )
    return Answer(
        text=text,
        citations=citations,
        found=found,
        model=model,
        prompt=prompt,
        stopped=stopped,
        seconds=seconds,
        first_token_s=float(kept.get("first_token_s") or 0.0),
        n_prompt_tokens=int(kept.get("n_prompt_tokens") or 0),
    )


def _unpack_stage(values: dict[str, Any]) -> Stage:
    labels = {
        name: tuple(Message.from_stored(x) if x.startswith(STORED_START) else x for x in found)
        for name in ("kept", "dropped")
        if (found := values.get(name))
    }
    note = Message.from_stored(values.get("note"))
    checked = tuple(
        replace(one, unlisted=_make(Passage, one.unlisted))
        if isinstance(one.unlisted, dict)
        else one
        for one in _make_all(CheckedSentence, values.get("checked") or ())
    )
    return _make(Stage, {**values, **labels, "note": note, "checked": checked})


def _labels(labels: Sequence[str]) -> list[str]:
    shown = [
        label.to_stored() if isinstance(label, Message) else label[:LONGEST_LABEL]
        for label in labels[:MAX_LABELS]
    ]
    if len(labels) > MAX_LABELS:
        shown.append(f"… {len(labels) - MAX_LABELS}")
    return shown


def _short(row: dict[str, Any]) -> dict[str, Any]:
    return {k: v[:LONGEST_NOTE] if isinstance(v, str) else v for k, v in row.items()}


def _passages(kept: dict[str, Any]) -> tuple[Passage, ...]:
    made = []
    for values in kept.get("passages", ()):
        routes = tuple((str(name), float(score)) for name, score in values.get("routes", ()))
        table = values.get("table")
        start = _make(TableStart, table) if isinstance(table, dict) else None
        made.append(_make(Passage, {**values, "routes": routes, "table": start}))
    return tuple(made)


def _make_all(kind: type[Row], values: Sequence[Any]) -> tuple[Row, ...]:
    """Return the stored rows, without the bare ids that the first version stored."""
    return tuple(_make(kind, one) for one in values if isinstance(one, dict))


def _make(kind: type[Row], values: dict[str, Any]) -> Row:
    """Return a row of the known fields, because other versions may store more."""
    known = {f.name for f in fields(kind)}
    return kind(
        **{k: tuple(v) if isinstance(v, list) else v for k, v in values.items() if k in known}
    )
