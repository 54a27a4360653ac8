"""Reads and writes files of questions: own ones, those of LightRAG and those of GraphRAG-Bench.

One object or row for each question. docs/EVALUATION.md lists the columns and their other names.
Knows no library: whether the named documents exist is for `places`.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...errors import UserError, cannot_write
from ...messages import Message
from ...text.encodings import decode
from ...text.readers.archives import Unreadable
from ..document_import import load_file
from .model import AnswerEvidence, EvaluationQuestion

MAX_FILE_BYTES = 64 << 20
MAX_QUESTIONS = 20_000
MAX_CHARS = 4_000  # of a question; a longer one is a text
JSON_SUFFIXES, TABLE_SUFFIXES = (".json", ".jsonl", ".ndjson"), (".csv", ".tsv")

# Names of columns in common files of questions: GraphRAG-Bench, SQuAD 2.0, RAGAS, LightRAG.
TEXT = ("question", "query", "user_input")
ANSWERS = ("answers", "answer", "gold", "gold_answer", "ground_truth", "reference")
EVIDENCE = ("evidence", "evidences", "quotation", "quote")
DOCUMENT = ("document", "source", "file", "title")
KIND = ("kind", "type", "question_type")
ANSWERABLE = ("answerable", "is_answerable")
IMPOSSIBLE = ("is_impossible", "unanswerable")
PAGE, START, END = ("page",), ("start",), ("end",)
# Known columns that say nothing that is measured.
UNUSED = ("id", "_id", "evidence_triple", "evidence_relations", "number", "note", "notes")
_NUMBERED_ANSWER = re.compile(r"answers?_?\d{1,2}")
_KNOWN = {
    *(*TEXT, *ANSWERS, *EVIDENCE, *DOCUMENT, *KIND, *ANSWERABLE, *IMPOSSIBLE),
    *(*PAGE, *START, *END, *UNUSED),
}
_YES, _NO = ("true", "yes", "1", "是"), ("false", "no", "0", "否")
# Several answers or quotations in one cell of a table.
_SEPARATOR = re.compile(r"\s+\|\s+")
# LightRAG's generator writes lists of users, tasks and questions; its scripts read these lines.
_LIGHTRAG = re.compile(r"^\s*-?\s*Question\s*\d+\s*[:：]\s*(.+)$", re.MULTILINE)
_BRACKETED = re.compile(r"\[([^\[\]]+)\]")  # its prompt shows "[question description]"
_NUMBER = re.compile(r"^\s*(?:\d{1,5}[.)、．:：]|[-*•])\s+")


@dataclass(frozen=True, slots=True)
class QuestionFile:
    """The questions of a file, and notes for the user about what of it is not used."""

    questions: tuple[EvaluationQuestion, ...]
    notes: tuple[Message, ...] = ()


def load_questions(path: Path) -> QuestionFile:
    """Return the questions of a file.

    Raises:
        UserError: the file can't be read, has no questions, or one of them has a wrong form; the
            message names the line or the number of the question.
    """
    try:
        text = decode(load_file(path, MAX_FILE_BYTES)).text
    except Unreadable as error:
        raise UserError(
            "“{name}” is no text file.",
            "Questions are read from JSON, JSONL, CSV, TSV and text files.",
            name=path.name,
        ) from error
    if not text.strip():
        raise _no_questions(path.name)
    suffix = path.suffix.lower()
    if suffix in JSON_SUFFIXES:
        rows = _read_json(text, path.name)
    elif suffix in TABLE_SUFFIXES:
        rows = _read_table(text, path.name)
    else:
        rows = [(Message("question {n}", n=n), one) for n, one in enumerate(_read_list(text), 1)]
    return _build_questions(rows, path.name)


def dump_question(question: EvaluationQuestion) -> str:
    """Return a question as a line of a JSONL file that `load_questions` reads."""
    data: dict[str, Any] = {"question": question.text}
    if question.answers:
        data["answers"] = list(question.answers)
    data["answerable"] = question.is_answerable
    if question.evidence:
        data["evidence"] = [
            {
                name: value
                for name, value in (
                    ("quote", one.quote),
                    ("document", one.document),
                    ("page", one.page),
                    ("start", one.start if one.end else None),
                    ("end", one.end or None),
                )
                if value not in ("", None)
            }
            for one in question.evidence
        ]
    for name, value in (("document", question.document), ("kind", question.kind)):
        if value:
            data[name] = value
    return json.dumps(data, ensure_ascii=False)


def begin_file(path: Path) -> None:
    """Make a file to which questions are appended.

    Raises:
        UserError: there is such a file already, which may have been edited, or its name has an
            ending of another kind.
        EnvironmentProblem: it can't be written.
    """
    if path.suffix.lower() not in (".jsonl", ".ndjson"):
        raise UserError(
            "Proposed questions are written as JSONL, not to “{name}”.",
            "Write the name with .jsonl at its end.",
            name=path.name,
        )
    if path.exists():
        raise UserError(
            "“{name}” already exists; its questions are not overwritten.",
            "Choose another name.",
            name=path.name,
        )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    except OSError as error:
        raise cannot_write(path, error) from error


def append_question(path: Path, question: EvaluationQuestion) -> None:
    """Append a question to a file at once; raises as `begin_file` does."""
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(dump_question(question) + "\n")
    except OSError as error:
        raise cannot_write(path, error) from error


# --- the three kinds of files --------------------------------------------------------------------

Row = tuple[Message, Any]  # where it stands, and what


def _number(lines: Iterable[Any]) -> list[Row]:
    return [(Message("question {n}", n=n), one) for n, one in enumerate(lines, 1)]


def _read_json(text: str, name: str) -> list[Row]:
    """Return the objects of a JSON list, of an object with such a list, or of JSON lines."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError) as error:
        return _read_json_lines(text, name, error)
    if isinstance(whole, dict) and not any(key in whole for key in TEXT):
        lists = [value for value in whole.values() if isinstance(value, list) and value]
        whole = max(lists, key=len) if lists else []
    elif isinstance(whole, dict):
        whole = [whole]
    if not isinstance(whole, list):
        raise UserError(
            "“{name}” holds no list of questions.",
            'It needs to be like [{"question": "Who is Marley?", "answer": "A ghost"}].',
            name=name,
        )
    return _number(whole)


def _read_json_lines(text: str, name: str, error: Exception) -> list[Row]:
    rows: list[Row] = []
    for n, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            rows.append((Message("line {n}", n=n), json.loads(line)))
        except (ValueError, RecursionError) as problem:
            is_list = text.lstrip().startswith("[") or not rows
            reason = error if is_list else problem
            raise UserError(
                "“{name}” can't be read at line {n}: {reason}.",
                "It needs to be a JSON list, or one JSON object in each line.",
                name=name,
                n=getattr(reason, "lineno", n) if is_list else n,
                reason=getattr(reason, "msg", type(reason).__name__),
            ) from problem
    return rows


def _read_table(text: str, name: str) -> list[Row]:
    """Return the rows of a table as objects; the first row names the columns."""
    first = text.lstrip().split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    try:
        rows = list(csv.reader(io.StringIO(text.lstrip("\ufeff\n")), delimiter=delimiter))
    except csv.Error as error:
        raise UserError("“{name}” is no table: {reason}.", name=name, reason=error) from error
    header = [cell.strip() for cell in rows[0]]
    if not any(_fold(cell) in TEXT for cell in header):
        raise UserError(
            "“{name}” has no column “question”; it has: {columns}.",
            "Name the column with the questions “question” in the first row.",
            name=name,
            columns=", ".join(f"“{cell}”" for cell in header if cell) or "–",
        )
    found: list[Row] = []
    for n, row in enumerate(rows[1:], 2):
        if any(cell.strip() for cell in row):
            cells = dict(zip(header, (cell.strip() for cell in row), strict=False))
            found.append((Message("row {n}", n=n), _split_cells(cells)))
    return found


def _split_cells(cells: Mapping[str, str]) -> dict[str, Any]:
    """Return the cells of a row; several answers or quotations are divided by " | "."""
    several = {*EVIDENCE, "answers"}
    return {
        name: _SEPARATOR.split(cell) if _fold(name) in several else cell
        for name, cell in cells.items()
        if cell
    }


def _read_list(text: str) -> list[str]:
    """Return the questions of a text: LightRAG's lines “- Question 1: …”, or one a line."""
    plain = text.replace("**", "")
    if found := [one.strip() for one in _LIGHTRAG.findall(plain)]:
        return [m[1].strip() if (m := _BRACKETED.fullmatch(one)) else one for one in found]
    return [one for line in plain.splitlines() if (one := _NUMBER.sub("", line).strip())]


# --- questions of objects ------------------------------------------------------------------------


def _build_questions(rows: Sequence[Row], name: str) -> QuestionFile:
    if not rows:
        raise _no_questions(name)
    if len(rows) > MAX_QUESTIONS:
        raise UserError(
            "“{name}” has {n:,} questions; at most {most:,} are asked in one run.",
            "Divide the file.",
            name=name,
            n=len(rows),
            most=MAX_QUESTIONS,
        )
    questions: dict[str, EvaluationQuestion] = {}
    n_twice, unknown = 0, dict[str, None]()
    for place, row in rows:
        if isinstance(row, str):
            row = {"question": row}
        if not isinstance(row, dict):
            raise _wrong(name, place, Message("it is no object with a “question”"))
        unknown |= dict.fromkeys(str(key) for key in row if key and not _is_known(_fold(str(key))))
        question = _build_question({_fold(str(k)): v for k, v in row.items() if k}, name, place)
        if question.text in questions:
            n_twice += 1
        questions.setdefault(question.text, question)
    notes: list[Message] = []
    if unknown:
        listed = ", ".join(f"“{one}”" for one in list(unknown)[:10])
        notes.append(Message("These columns are not used: {columns}.", columns=listed))
    if n_twice:
        notes.append(Message("Asked once, although written several times: {n:,}.", n=n_twice))
    return QuestionFile(tuple(questions.values()), tuple(notes))


def _build_question(row: Mapping[str, Any], name: str, place: Message) -> EvaluationQuestion:
    text = _first(row, TEXT)
    if not isinstance(text, str) or not text.strip():
        columns = ", ".join(f"“{key}”" for key in list(row)[:10])
        raise _wrong(name, place, Message("it has no “question”, but {columns}", columns=columns))
    if len(text) > MAX_CHARS:
        raise _wrong(name, place, Message("its question has more than {n:,} characters",
                                          n=MAX_CHARS))  # fmt: skip
    document = str(_first(row, DOCUMENT) or "").strip()
    return EvaluationQuestion(
        " ".join(text.split()),
        _read_answers(row),
        _read_evidence(row, document, name, place),
        document,
        str(_first(row, KIND) or "").strip(),
        _read_answerable(row, name, place),
    )


def _read_answers(row: Mapping[str, Any]) -> tuple[str, ...]:
    given: list[Any] = [row[key] for key in ANSWERS if row.get(key) not in (None, "")][:1]
    given += [value for key, value in row.items() if _NUMBERED_ANSWER.fullmatch(key)]
    flat: list[str] = []
    for one in given:
        for part in one if isinstance(one, list) else [one]:
            value = part.get("text", "") if isinstance(part, dict) else part  # as in SQuAD
            flat.append(" ".join(str(value).split()))
    return tuple(dict.fromkeys(one for one in flat if one))


def _read_evidence(
    row: Mapping[str, Any], document: str, name: str, place: Message
) -> tuple[AnswerEvidence, ...]:
    given = _first(row, EVIDENCE)
    listed = given if isinstance(given, list) else [given] if given else []
    whole = {key: row[key] for key in ("page", "start", "end") if row.get(key) not in (None, "")}
    if not listed and whole:
        listed = [{}]
    found = []
    for one in listed:
        parts = {"quote": one} if isinstance(one, str) else one
        if not isinstance(parts, dict):
            raise _wrong(name, place, Message("its evidence is neither a text nor an object"))
        parts = (whole if len(listed) == 1 else {}) | {_fold(str(k)): v for k, v in parts.items()}
        try:
            start, end = int(parts.get("start") or 0), int(parts.get("end") or 0)
        except (TypeError, ValueError, OverflowError) as error:  # the last one of infinity
            raise _wrong(name, place, Message("start and end are no numbers")) from error
        if start < 0 or end < start:
            raise _wrong(name, place, Message("its evidence ends before it starts"))
        quote = parts.get("quote") or parts.get("quotation") or parts.get("text") or ""
        made = AnswerEvidence(
            " ".join(str(quote).split()),
            str(_first(parts, DOCUMENT) or document).strip(),
            str(parts.get("page") or "").strip(),
            start,
            end,
        )
        if (made.page or made.end) and not made.document:
            raise _wrong(name, place, Message("its evidence has a place, but no “document”"))
        if made.quote or made.page or made.end:
            found.append(made)
    return tuple(found)


def _read_answerable(row: Mapping[str, Any], name: str, place: Message) -> bool:
    for names, yes in ((ANSWERABLE, True), (IMPOSSIBLE, False)):
        given = _first(row, names)
        if given in (None, ""):
            continue
        word = str(given).strip().casefold()
        if word not in (*_YES, *_NO):
            raise _wrong(
                name,
                place,
                Message("“{word}” in “{column}” is neither yes nor no", word=word, column=names[0]),
            )
        return (word in _YES) is yes
    return True


def _first(row: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((row[key] for key in names if row.get(key) not in (None, "")), None)


def _fold(key: str) -> str:
    return key.strip().casefold().replace(" ", "_").replace("-", "_")


def _is_known(key: str) -> bool:
    return key in _KNOWN or _NUMBERED_ANSWER.fullmatch(key) is not None


def _wrong(name: str, place: Message, reason: Message) -> UserError:
    return UserError(
        "“{name}”, {place}: {reason}.",
        "Nothing was asked; correct the file and run it again.",
        name=name,
        place=place,
        reason=reason,
    )


def _no_questions(name: str) -> UserError:
    return UserError(
        "“{name}” is empty: it has no question.",
        "Write one question a line, or a table with the column “question”.",
        name=name,
    )
